"""From prompts as tokens to batches that share what they can: used by the text and the image-text backend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from punctum.evaluators.models._memory import Room
from punctum.evaluators.models._prefix import Ids, clusters, common
from punctum.evaluators.models._sharing import Family, Part, SharedModel
from punctum.records import Generation, Response

# What `generate` does the same way whether a cache is prefilled or not. Anything else takes the plain path.
_KNOWN_EXTRAS = {
    "bad_words_ids",
    "begin_suppress_tokens",
    "chat_template_kwargs",
    "early_stopping",
    "exponential_decay_length_penalty",
    "forced_eos_token_id",
    "length_penalty",
    "max_time",
    "min_new_tokens",
    "no_repeat_ngram_size",
    "remove_invalid_values",
    "renormalize_logits",
    "repetition_penalty",
    "sequence_bias",
    "stop_strings",
    "suppress_tokens",
}
_LEAST_SHARED = 32  # tokens: a start that is shorter does not pay for a pass of its own
_LEAST_SHARE = 0.25  # part of a prompt; the same


@dataclass(frozen=True)
class Asked:
    """A request as tokens.

    Attributes:
        index: of the request.
        ids: the prompt.
        family: the pictures, and what else is shared for certain.
        tails: the continuations, where these are scored.
    """

    index: int
    ids: Ids
    family: Family
    tails: tuple[Ids, ...] = ()


def can_share(generation: Generation) -> bool:
    """Whether these settings write the same on a prefilled cache."""
    return set(generation.extra) <= _KNOWN_EXTRAS


def by_start(asked: Sequence[Asked]) -> tuple[list[list[Asked]], list[Asked]]:
    """Prompts without pictures: groups that begin alike, in sorted order, and those that stand alone."""
    groups = [[asked[n] for n in group] for group in clusters([a.ids for a in asked], _LEAST_SHARED, _LEAST_SHARE)]
    return [group for group in groups if len(group) > 1], [group[0] for group in groups if len(group) == 1]


def fill(groups: Iterable[Sequence[Asked]], room: Room, new: int) -> Iterator[list[Asked]]:
    """Batches within a room, filled across groups.

    Args:
        groups: rows that belong together, in sorted order.
        room: of memory; it may shrink between two batches.
        new: tokens that may be written.
    """
    batch: list[Asked] = []
    longest = 0
    for group in groups:
        for row in group:
            if batch and not room.fits(len(batch) + 1, max(longest, len(row.ids)), new):
                yield batch
                batch, longest = [], 0
            batch.append(row)
            longest = max(longest, len(row.ids))
    if batch:
        yield batch


def parts_of(batch: Sequence[Asked], most: int) -> list[Part]:
    """A batch as parts: rows of one family, side by side, with at most `most` tokens in the tree behind the prefix."""
    parts: list[Part] = []
    rows: list[Ids] = []
    count = 0
    for number, asked in enumerate(batch):
        last = batch[number - 1] if number else None
        new = len(asked.ids) - (common(last.ids, asked.ids) if last else asked.family.head)
        if last is not None and (last.family.key != asked.family.key or count + new > most):
            parts.append(Part(last.family, rows))
            rows, count, new = [], 0, len(asked.ids) - asked.family.head
        rows.append(asked.ids)
        count += new
    return [*parts, Part(batch[-1].family, rows)]


def score(shared: SharedModel, asked: Sequence[Asked]) -> list[Response]:
    """Log-likelihoods of the continuations of some prompts of one family, in one pass.

    Each prompt runs once, with its continuations as branches; a continuation's last token is only predicted.
    """
    rows: list[Ids] = []
    wanted: list[list[tuple[int, int]]] = []
    for one in asked:
        for tail in one.tails:
            rows.append(one.ids + tail[:-1])
            wanted.append([(len(one.ids) - 1 + place, token) for place, token in enumerate(tail)])
    found = iter(shared.log_likelihoods(Part(asked[0].family, rows), wanted))
    answers = []
    for one in asked:
        sums = tuple(_sum(next(found)) for _ in one.tails)
        answers.append(Response(scores=sums, prompt_tokens=len(one.ids)))
    return answers


def _sum(steps: Sequence[float]) -> float:
    total = sum(steps)
    return total if total == total else float("-inf")  # NaN: a token that the model excludes


def scoring_batches(groups: Iterable[Sequence[Asked]], room: Room, most: int) -> Iterator[list[Asked]]:
    """Prompts of one family whose distinct tokens are run in one pass.

    Args:
        groups: prompts that begin alike, in sorted order.
        room: of memory.
        most: tokens in a pass behind the prefix.
    """
    for group in groups:
        batch: list[Asked] = []
        count = longest = 0
        for one in group:
            new = len(one.ids) - (common(batch[-1].ids, one.ids) if batch else one.family.head)
            new += sum(map(len, one.tails))
            longer = max(longest, len(one.ids))
            if batch and (count + new > most or not room.fits(len(batch) + 1, longer, 0)):
                yield batch
                batch, count, longer = [], 0, len(one.ids)
                new = len(one.ids) - one.family.head + sum(map(len, one.tails))
            batch.append(one)
            count, longest = count + new, longer
        if batch:
            yield batch


def most_in_a_pass(model: Any) -> int:
    """How many tokens of several rows run in one sequence: beyond the model's width, attention between rows that
    do not see each other would cost more than another pass.
    """
    width = int(getattr(model.config.get_text_config(decoder=True), "hidden_size", 0) or 1024)
    return min(max(width, 512), 4096)
