"""Running what rows share once: prefixes, trees of continuations, and rows put together from both.

A part is some rows that begin alike. Their common prefix, pictures included, runs once (`Prefix`); the distinct
tokens behind it run in one more pass (`_prefix.Tree`); a row's keys and values are then gathered from both, padded on
the left as the plain path pads, and `generate` does the rest, or the tree's logits give likelihoods.
"""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models._prefix import Ids, Tree, common, common_of, grow
from punctum.evaluators.models._rows import ALIGNED, padded
from punctum.evaluators.models._tree_masks import CannotShare, TreeMasks

if TYPE_CHECKING:
    import torch

_ROOM = 64  # tokens to be written for which there is room from the start
States = list[tuple["torch.Tensor", "torch.Tensor"]]


@dataclass(frozen=True)
class Family:
    """What rows with the same pictures have in common.

    Attributes:
        key: tells families apart.
        head: how many tokens, up to the last picture's, all rows share; 0 without pictures.
        inputs: what the model reads of pictures and of the head's tokens, beside the ids: a batch of one.
    """

    key: Hashable
    head: int = 0
    inputs: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Part:
    """Rows of one family that are run together.

    Attributes:
        rows: whole prompts as tokens.
    """

    family: Family
    rows: Sequence[Ids]


@dataclass(frozen=True)
class Prefix:
    """Tokens that have been run, with the keys and values of each layer.

    Attributes:
        family: key of the family whose pictures are in it.
        ids: the tokens.
        states: per layer, shape (1, heads, places, size).
        shift: what models with positions in several dimensions add to the positions of text behind a picture.
        places: where among the states the tokens stand; None: one behind the other.
    """

    family: Hashable
    ids: Ids
    states: States
    shift: Any = None
    places: Ids | None = None

    def cut(self, length: int) -> Prefix:
        """The first tokens alone."""
        import torch

        if self.places is None or self.places[:length] == tuple(range(length)):
            states = [(keys[:, :, :length], values[:, :, :length]) for keys, values in self.states]
        else:
            index = torch.tensor(self.places[:length], device=self.states[0][0].device)
            states = [
                (keys[:, :, index.to(keys.device)], values[:, :, index.to(values.device)])
                for keys, values in self.states
            ]
        return Prefix(self.family, self.ids[:length], states, self.shift)


class SharedModel:
    """A decoder of transformers, made to run shared prefixes once.

    Keeps the last prefix, so that the next part of the same family starts from it.
    """

    def __init__(self, model: Any, pad: int) -> None:
        """Look at how the model attends.

        Args:
            model: of transformers.
            pad: the token that fills rows up.

        Raises:
            CannotShare: if its layers keep something else than keys and values, or its attention takes no masks.
        """
        self.model = model
        self.pad = pad
        parameters = inspect.signature(model.forward).parameters
        self.cache_name = "cache" if "cache" in parameters else "past_key_values"
        self._keeps_logits = "logits_to_keep" in parameters
        self._masks = TreeMasks(model)
        self._kept: Prefix | None = None

    def forget(self) -> None:
        """Let the kept prefix go, and its memory with it."""
        self._kept = None

    def write(self, parts: Sequence[Part], arguments: Mapping[str, Any]) -> list[list[int]]:
        """The new tokens of the rows of several parts, filled up behind their ends; see `generate`."""
        written = self.generate(parts, arguments)
        new: list[list[int]] = written[:, max(len(row) for part in parts for row in part.rows) :].tolist()
        return new

    def generate(self, parts: Sequence[Part], arguments: Mapping[str, Any]) -> Any:
        """Generate for the rows of several parts in one batch.

        Args:
            parts: the rows; each has at least two tokens.
            arguments: of `generate`.

        Returns:
            what `generate` gives: ids with the rows, padded on the left, before the new tokens, shape
            (rows, length + new).
        """
        import torch

        rows = [row for part in parts for row in part.rows]
        length = max(map(len, rows))
        room = length - 1 + min(int(arguments.get("max_new_tokens", 1)), _ROOM)
        beams = int(arguments.get("num_beams", 1))
        with torch.inference_mode():
            cache, shifts = self._rows(parts, length, room, beams)
            ids, mask = padded(rows, self.pad, self.model.device)
            self._set_shift(shifts)
            return self.model.generate(input_ids=ids, attention_mask=mask, **{self.cache_name: cache}, **arguments)

    def log_likelihoods(self, part: Part, wanted: Sequence[Sequence[tuple[int, int]]]) -> list[list[float]]:
        """Log-probabilities of tokens.

        Args:
            part: rows to read.
            wanted: for each row, (place in the row, token that may follow it).

        Returns:
            for each row, the log-probability (natural log) of each wanted token.
        """
        import torch

        first = min((place for row in wanted for place, _ in row), default=0)
        with torch.inference_mode():
            prefix = self._prefix(part, min(first, *(len(row) - 1 for row in part.rows)))
            tree = grow(part.rows, len(prefix.ids))
            places = [[tree.paths[number][place - tree.start] for place, _ in row] for number, row in enumerate(wanted)]
            kept = sorted({place for row in places for place in row})
            states, logits = self._run(prefix, tree, kept)
            self._keep(part, prefix, tree, states)
            at = {place: number for number, place in enumerate(kept)}
            logits = logits.float()
            totals = logits.logsumexp(dim=-1)
            found = []
            for row, standing in zip(wanted, places, strict=True):
                numbers = torch.tensor([at[place] for place in standing], dtype=torch.long, device=logits.device)
                tokens = torch.tensor([token for _, token in row], dtype=torch.long, device=logits.device)
                found.append((logits[numbers, tokens] - totals[numbers]).tolist())
        return found

    def _rows(self, parts: Sequence[Part], length: int, room: int, beams: int) -> tuple[Any, list[Any]]:
        """A cache of all rows but their last tokens, and each row's shift."""
        from punctum.evaluators.models._row_cache import RoomyLayer, gather_index, of_layers

        count = sum(len(part.rows) for part in parts)
        buffers: list[tuple[torch.Tensor, torch.Tensor]] = []
        shifts: list[Any] = []
        first = 0
        for part in parts:
            known = [row[:-1] for row in part.rows]
            prefix = self._prefix(part, min(map(len, known)))
            tree = grow(known, len(prefix.ids))
            states = self._run(prefix, tree, [])[0] if len(tree) else prefix.states
            self._keep(Part(part.family, known), prefix, tree, states)
            index = gather_index(known, tree, length - 1).to(states[0][0].device)
            if not buffers:
                for keys, values in states:
                    shapes = [(count * beams, s.shape[1], room, s.shape[3]) for s in (keys, values)]
                    buffers.append((keys.new_empty(shapes[0]), values.new_empty(shapes[1])))
            end = first + len(known)
            for layer, pair in zip(buffers, states, strict=True):
                for buffer, source in zip(layer, pair, strict=True):
                    gathered = source[0][:, index.to(source.device)].transpose(0, 1)
                    if beams > 1:
                        gathered = gathered.repeat_interleave(beams, dim=0)
                    buffer[first * beams : end * beams, :, : length - 1] = gathered
            shifts += [prefix.shift] * len(known)
            first = end
        return of_layers([RoomyLayer(keys, values, length - 1) for keys, values in buffers]), shifts

    def _prefix(self, part: Part, limit: int) -> Prefix:
        """The prefix to start from: the kept one cut to what the part shares with it, or the pictures' own.

        Args:
            part: the rows.
            limit: how long the prefix may be.
        """
        head = part.family.head
        shared = min(common_of(part.rows), limit)
        if shared < head:
            raise CannotShare("rows of one family differ before the end of their pictures")
        kept = self._kept
        if kept is not None and kept.family == part.family.key:
            length = min(common(kept.ids, part.rows[0]), shared)
            # A kept prefix that is cut to a stub saves nothing; one of pictures saves these.
            if length >= max(head, 1):
                return kept.cut(length)
        if head == 0:
            return Prefix(part.family.key, (), [])
        return self._run_head(part.family, part.rows[0][:shared])

    def _run_head(self, family: Family, ids: Ids) -> Prefix:
        """Run pictures and the tokens that all rows share, as the model itself would."""
        import torch
        from transformers import DynamicCache

        from punctum.evaluators.models._row_cache import states_of

        device = self.model.device
        arguments = {name: value for name, value in family.inputs.items() if name not in ALIGNED}
        for name in ALIGNED:
            value = family.inputs.get(name)
            if value is not None:
                more = len(ids) - value.shape[1]
                filled = torch.cat([value, value[:, -1:].expand(-1, max(more, 0))], dim=1) if more > 0 else value
                arguments[name] = filled[:, : len(ids)]
        arguments["input_ids"] = torch.tensor([ids], device=device)
        arguments["attention_mask"] = torch.ones_like(arguments["input_ids"])
        if self._keeps_logits:
            arguments["logits_to_keep"] = 1
        cache = DynamicCache()
        self.model(**arguments, **{self.cache_name: cache}, use_cache=True)
        shift = getattr(self.model.base_model, "rope_deltas", None)
        return Prefix(family.key, ids, states_of(cache), None if shift is None else shift.clone())

    def _run(self, prefix: Prefix, tree: Tree, kept: Sequence[int]) -> tuple[States, Any]:
        """Run a tree behind its prefix.

        Returns:
            keys and values of prefix and tree, and the logits at the places `kept`, shape (kept, vocabulary).
        """
        import torch

        from punctum.evaluators.models._row_cache import of_states, states_of

        device = self.model.device
        positions = torch.tensor(tree.depths, device=device)
        cache = of_states(prefix.states)
        arguments: dict[str, Any] = {
            "input_ids": torch.tensor([tree.tokens], device=device),
            "attention_mask": self._masks.of(tree, positions),
            "position_ids": positions[None] if prefix.shift is None else positions[None] + prefix.shift,
        }
        self._set_shift([prefix.shift])
        if self._keeps_logits:
            places = torch.tensor(kept or [len(tree) - 1], device=device)
            arguments["logits_to_keep"] = places
        logits = self.model(**arguments, **{self.cache_name: cache}, use_cache=True).logits[0]
        if not self._keeps_logits:
            logits = logits[torch.tensor(kept, dtype=torch.long, device=device)]
        return states_of(cache), logits

    def _keep(self, part: Part, prefix: Prefix, tree: Tree, states: States) -> None:
        """Keep the whole last row, in sorted order, for the part that comes next in that order."""
        last = max(range(len(part.rows)), key=part.rows.__getitem__)
        places = (*range(tree.start), *(tree.start + place for place in tree.paths[last]))
        self._kept = Prefix(part.family.key, part.rows[last], states, prefix.shift, places)

    def _set_shift(self, shifts: Sequence[Any]) -> None:
        """Tell models with positions in several dimensions where text stands behind each row's pictures."""
        import torch

        base = self.model.base_model
        if not hasattr(base, "rope_deltas"):
            return
        zero = torch.zeros((1, 1), dtype=torch.long, device=self.model.device)
        base.rope_deltas = torch.cat([zero if shift is None else shift.reshape(1, 1) for shift in shifts])
