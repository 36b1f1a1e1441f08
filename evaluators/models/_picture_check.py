"""The two questions on one picture by which it is found out what an image-text model's questions may share."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _probe
from punctum.evaluators.models._batching import Asked
from punctum.evaluators.models._picture_features import Features
from punctum.evaluators.models._pictures import open_all
from punctum.evaluators.models._sharing import Part, SharedModel
from punctum.evaluators.models._tree_masks import CannotShare
from punctum.records import Generation, Picture, Request, Sample, Unit

if TYPE_CHECKING:
    from PIL.Image import Image


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

    def _probed(self) -> tuple[list[Request], list[Image], list[Asked]]:
        """Two questions of unequal length on one picture, as they would be asked."""
        picture = _drawing()
        sample = Sample(Unit("check", "check"), "text", ())
        texts = ("What is it?", "What does the picture mean to the man who carries the hat?")
        requests = [Request(sample, text, (picture,)) for text in texts]
        images = open_all((picture,))
        rows = []
        for index, request in enumerate(requests):
            rows.append(self._row(index, request, self._owner._inputs([request], [images], Generation())))
        if not rows[0].family.head:
            raise CannotShare("the prompt has no tokens that stand for the picture")
        return requests, images, rows

    def _plain_steps(
        self, requests: Sequence[Request], images: Sequence[Image], tokens: Sequence[int]
    ) -> tuple[list[Any], float]:
        """Logits of the plain path, one row at a time; and how far those of both rows in a batch differ."""
        owner = self._owner
        alone: list[Any] = []
        for request in requests:
            inputs = owner._inputs([request], [images], Generation())
            alone += _probe.steps_of(owner.model, inputs, tokens, owner.pad)
        inputs = owner._inputs(requests, [images] * len(requests), Generation())
        return alone, _probe.difference(alone, _probe.steps_of(owner.model, inputs, tokens, owner.pad))

    def prefix(self, shared: SharedModel) -> tuple[_probe.Steps, _probe.Steps, float]:
        """Logits on the plain path and with a shared prefix, and the noise."""
        import torch

        requests, images, rows = self._probed()
        tokens = rows[1].ids[-3:-1]
        plain, noise = self._plain_steps(requests, images, tokens)
        part = Part(rows[0].family, [row.ids for row in rows])
        out = shared.generate([part], _probe.step_arguments(tokens, self._owner.pad))
        return plain, list(torch.stack([step.float().cpu() for step in out.logits], dim=1)), noise

    def picture(self, features: Features) -> tuple[_probe.Steps, _probe.Steps, float]:
        """Logits on the plain path and with shared features, and the noise."""
        requests, images, rows = self._probed()
        tokens = rows[1].ids[-3:-1]
        plain, noise = self._plain_steps(requests, images, tokens)
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
