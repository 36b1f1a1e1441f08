"""What questions on the same pictures share in the image-text backend: everything before they part, or the pictures.

Which of both a model allows is found out when it is first asked, by a check (`_probe.py`), not by its name.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _batching, _decoding, _likelihood, _memory, _probe
from punctum.evaluators.models._answers import longest, read_answer, too_long
from punctum.evaluators.models._batching import Asked
from punctum.evaluators.models._picture_check import PictureCheck
from punctum.evaluators.models._picture_features import Features
from punctum.evaluators.models._pictures import UnreadablePicture, open_all
from punctum.evaluators.models._remembering import ahead
from punctum.evaluators.models._sharing import Family, SharedModel
from punctum.evaluators.models.base import Batch
from punctum.records import Generation, Request, Response

if TYPE_CHECKING:
    from PIL.Image import Image

_log = logging.getLogger("punctum")
_TEXT = Family("text")
_SAID = {  # what is shared, from the most to nothing
    "prefix": "pictures and prompts' starts run once",
    "picture": "pictures are encoded once, prompts run by themselves",
    "plain": "each question runs by itself",
}


class PictureSharing:
    """Answers groups of questions on the same pictures for an image-text model.

    Attributes:
        leftover: indices of requests that came in groups and must be asked on the plain path after all.
    """

    def __init__(self, owner: Any) -> None:
        """Serve a model.

        Args:
            owner: an `ImageTextModel`.
        """
        self.owner = owner
        self.leftover: list[int] = []
        self._failed: list[tuple[int, Response]] = []
        self._features = Features(owner.model, owner.pad)
        self.shared: SharedModel | None = None

    @cached_property
    def level(self) -> str:
        """What is shared: the first key of `_SAID` that the model allows."""
        found = self._find_level()
        _log.info("%s: %s", self.owner.info.id, _SAID[found])
        return found

    def _find_level(self) -> str:
        owner = self.owner
        if owner.options.share == "off" or getattr(owner.model.config, "is_encoder_decoder", False):
            return "plain"
        check = PictureCheck(owner, self.row)
        if owner.options.share == "auto":
            self.shared = _probe.shared_model(owner.model, owner.pad, owner.info.id, check.prefix)
            if self.shared is not None:
                return "prefix"
        if _probe.agrees(partial(check.picture, self._features), owner.model.dtype, "picture"):
            return "picture"
        return "plain"

    def groups(self, requests: Sequence[Request], scoring: bool) -> tuple[list[list[int]], list[int]]:
        """Requests that share, and those for the plain path.

        Returns:
            groups of indices with the same pictures, those with the longest prompts first; and the others.
        """
        groups: dict[tuple[str, ...], list[int]] = {}
        alone: list[int] = []
        for index, request in enumerate(requests):
            try:
                groups.setdefault(tuple(picture.sha256 for picture in request.pictures), []).append(index)
            except (OSError, ValueError):
                alone.append(index)  # the plain path says what is wrong with the picture
        least = 1 if scoring and self.level == "prefix" else 2
        able = self.level == "prefix" or (self.level == "picture" and not scoring)
        together: list[list[int]] = []
        for key, group in groups.items():
            fits = able and len(group) >= least and (key or self.level == "prefix")
            (together.append if fits else alone.extend)(group)
        together.sort(key=lambda group: max(len(requests[index].prompt) for index in group), reverse=True)
        return together, alone

    def write(
        self, groups: Sequence[Sequence[int]], requests: Sequence[Request], generation: Generation
    ) -> Iterator[Batch]:
        """Generate for groups of requests; see `Model.answer`. What cannot be shared is left in `leftover`."""
        prepared = self._prepared(groups, requests, generation)
        for batch in self._filled(prepared, generation):
            yield from self._flush()

            def run(batch: Sequence[Asked]) -> list[Response]:
                asked = [requests[one.index] for one in batch]
                arguments = _decoding.write_arguments(generation, asked, self.owner.tokenizer, self.owner.ends)
                new = self._generate(batch, arguments)
                return [
                    read_answer(self.owner, row, len(one.ids), generation) for row, one in zip(new, batch, strict=True)
                ]

            for done in _memory.shrinking(batch, run, self.owner.room, self._forget):
                yield [(one.index, response) for one, response in done]
        yield from self._flush()

    def score(
        self, groups: Sequence[Sequence[int]], requests: Sequence[Request], generation: Generation
    ) -> Iterator[Batch]:
        """Score continuations; see `write`."""
        shared = self.shared
        assert shared is not None
        most = _batching.most_in_a_pass(self.owner.model)
        prepared = self._prepared(groups, requests, generation, scoring=True)
        for batch in _batching.scoring_batches(prepared, self.owner.room, most):
            yield from self._flush()
            for done in _memory.shrinking(batch, partial(_batching.score, shared), self.owner.room, self._forget):
                yield [(one.index, response) for one, response in done]
        yield from self._flush()

    def _filled(self, prepared: Iterator[list[Asked]], generation: Generation) -> Iterator[list[Asked]]:
        """Batches: across pictures where rows are put together from caches, else one picture at a time."""
        if self.level == "prefix":
            yield from _batching.fill(prepared, self.owner.room, generation.max_new_tokens)
            return
        for group in prepared:
            yield from _batching.fill([group], self.owner.room, generation.max_new_tokens)

    def _generate(self, batch: Sequence[Asked], arguments: Mapping[str, Any]) -> list[list[int]]:
        """The new tokens of each row."""
        if self.level == "prefix":
            assert self.shared is not None
            return self.shared.write(_batching.parts_of(batch, _batching.most_in_a_pass(self.owner.model)), arguments)
        import torch

        inputs = self._features.inputs(batch)
        with torch.inference_mode():
            written = self.owner.model.generate(**inputs, **arguments)
        new: list[list[int]] = self.owner._new_tokens(written, inputs["input_ids"]).tolist()
        return new

    def _flush(self) -> Iterator[Batch]:
        if self._failed:
            failed, self._failed = self._failed, []
            yield failed

    def _forget(self) -> None:
        self._features.forget()
        if self.shared is not None:
            self.shared.forget()

    def _prepared(
        self,
        groups: Sequence[Sequence[int]],
        requests: Sequence[Request],
        generation: Generation,
        scoring: bool = False,
    ) -> Iterator[list[Asked]]:
        """Each group's rows as tokens, families apart and sorted; pictures are opened a group ahead."""

        def look(group: Sequence[int]) -> list[Image] | UnreadablePicture:
            try:
                images = open_all(requests[group[0]].pictures)
            except UnreadablePicture as error:
                return error
            self.owner.image_processor.prepare([images])
            return images

        for group, images in ahead(groups, look):
            if isinstance(images, UnreadablePicture):
                self._failed += [(index, Response(error=str(images))) for index in group]
                continue
            asked = [self._asked(index, requests[index], images, generation, scoring) for index in group]
            rows = [one for one in asked if one is not None]
            if not images:
                together, alone = _batching.by_start(rows)
                yield from together
                if scoring:
                    yield alone
                else:
                    self.leftover += [one.index for one in alone]
            elif self.level == "picture":
                yield rows
            else:
                yield from _families(rows)

    def _asked(
        self, index: int, request: Request, images: Sequence[Image], generation: Generation, scoring: bool
    ) -> Asked | None:
        """A request as tokens; None, with a note of it, where it failed or is for the plain path."""
        error = _likelihood.empty_continuation(request.continuations)
        asked = None
        if error is None:
            try:
                inputs = self.owner._inputs([request], [images], generation)
                tails = tuple(self.owner._tails(request, generation)) if scoring else ()
                asked = self.row(index, request, inputs, tails)
            except Exception as refused:
                error = f"{type(refused).__name__}: {refused}"
        if asked is not None:
            error = too_long(self.owner.model, longest(asked), 0 if scoring else generation.max_new_tokens)
        if error is not None:
            self._failed.append((index, Response(error=error, prompt_tokens=len(asked.ids) if asked else None)))
            return None
        assert asked is not None
        if images and self.level == "prefix" and not 0 < asked.family.head < len(asked.ids) - 1:
            self.leftover.append(index)
            return None
        return asked

    def row(
        self, index: int, request: Request, inputs: dict[str, Any], tails: tuple[tuple[int, ...], ...] = ()
    ) -> Asked:
        """A request as tokens, with the pictures that it shares."""
        ids = tuple(inputs.pop("input_ids")[0].tolist())
        inputs.pop("attention_mask", None)
        if not request.pictures:
            return Asked(index, ids, _TEXT, tails)
        head = max((place + 1 for place, token in enumerate(ids) if token in self._picture_tokens), default=0)
        shown = tuple(picture.sha256 for picture in request.pictures)
        return Asked(index, ids, Family((shown, ids[:head]), head, inputs), tails)

    @cached_property
    def _picture_tokens(self) -> frozenset[int]:
        """The ids in whose place pictures stand."""
        config, processor = self.owner.model.config, self.owner.processor
        named = (
            getattr(config, "image_token_id", None),
            getattr(config, "image_token_index", None),
            getattr(processor, "image_token_id", None),
        )
        return frozenset(token for token in named if isinstance(token, int))


def _families(rows: Sequence[Asked]) -> Iterator[list[Asked]]:
    """Rows whose tokens agree up to the last picture, sorted by what follows."""
    families: dict[object, list[Asked]] = {}
    for row in rows:
        families.setdefault(row.family.key, []).append(row)
    for family in families.values():
        # The inputs of one row serve all; the others let go of theirs.
        first = family[0].family
        alike = [Asked(one.index, one.ids, first, one.tails) for one in family]
        yield sorted(alike, key=lambda one: one.ids)
