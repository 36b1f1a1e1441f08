"""The two questions on one picture by which it is found out what an image-text model's questions may share."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from punctum.evaluators.models import _probe
from punctum.evaluators.models._batching import Asked
from punctum.evaluators.models._picture_features import Features
from punctum.evaluators.models._pictures import open_all
from punctum.evaluators.models._prefix import Ids
from punctum.evaluators.models._sharing import Part, SharedModel
from punctum.evaluators.models._tree_masks import CannotShare
from punctum.records import Generation, Picture, Request, Sample, Unit


class PictureCheck:
    """Compares what a model writes on the plain path and on another."""

    def __init__(self, owner: Any, row: Callable[..., Asked]) -> None:
        """Check a model.

        Args:
            owner: an `ImageTextModel`.
            row: makes tokens of a request's inputs.
        """
        self._owner = owner
        self._row = row

    @cached_property
    def _plain(self) -> tuple[list[Asked], Ids, _probe.Steps, float]:
        """Two questions of unequal length on one picture, and what the plain path makes of them.

        Returns:
            both as tokens; the tokens that are forced behind them; the logits of each row run by itself; and how far
            those of both rows in a batch differ from these.

        Raises:
            CannotShare: if the picture leaves no trace among the tokens.
        """
        owner, picture = self._owner, _drawing()
        sample = Sample(Unit("check", "check"), "text", ())
        texts = ("What is it?", "What does the picture mean to the man who carries the hat?")
        requests = [Request(sample, text, (picture,)) for text in texts]
        images = open_all((picture,))
        rows = [
            self._row(index, request, owner._inputs([request], [images], Generation()))
            for index, request in enumerate(requests)
        ]
        if not rows[0].family.head:
            raise CannotShare("the prompt has no tokens that stand for the picture")
        tokens = rows[1].ids[-3:-1]

        def steps(asked: Sequence[Request]) -> list[Any]:
            inputs = owner._inputs(asked, [images] * len(asked), Generation())
            return _probe.steps_of(owner.model, inputs, tokens, owner.pad)

        alone = [*steps(requests[:1]), *steps(requests[1:])]
        return rows, tokens, alone, _probe.difference(alone, steps(requests))

    def prefix(self, shared: SharedModel) -> tuple[_probe.Steps, _probe.Steps, float]:
        """Logits on the plain path and with a shared prefix, and the noise."""
        rows, tokens, plain, noise = self._plain
        part = Part(rows[0].family, [row.ids for row in rows])
        out = shared.generate([part], _probe.step_arguments(tokens, self._owner.pad))
        return plain, _probe.by_row(out), noise

    def picture(self, features: Features) -> tuple[_probe.Steps, _probe.Steps, float]:
        """Logits on the plain path and with shared features, and the noise."""
        rows, tokens, plain, noise = self._plain
        inputs = features.inputs(rows)
        features.forget()
        return plain, _probe.steps_of(self._owner.model, inputs, tokens, self._owner.pad), noise


def _drawing() -> Picture:
    """A small picture with something in it."""
    from PIL import Image

    image = Image.new("RGB", (96, 64))
    image.putdata([((x * 5) % 256, (y * 7) % 256, (x * y) % 256) for y in range(64) for x in range(96)])
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return Picture(data=buffer.getvalue())
