"""Encoded pictures that questions share where nothing more can be shared."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any

from punctum.evaluators.models._batching import Asked
from punctum.evaluators.models._rows import ALIGNED, padded, tile


class Features:
    """Keeps what a model's vision tower made of the last question's pictures."""

    def __init__(self, model: Any, pad: int) -> None:
        self._model = model
        self._pad = pad
        self._kept: tuple[object, Any] | None = None

    def forget(self) -> None:
        """Let the features go."""
        self._kept = None

    def inputs(self, batch: Sequence[Asked]) -> dict[str, Any]:
        """Inputs of `generate` for rows on the same pictures, whose features are made once."""
        import torch

        model = self._model
        ids, mask = padded([one.ids for one in batch], self._pad, model.device)
        given = batch[0].family.inputs
        makes = model.base_model.get_image_features
        read = {name: given[name] for name in inspect.signature(makes).parameters if name in given}
        key = batch[0].family.key[0] if isinstance(batch[0].family.key, tuple) else None
        if self._kept is None or self._kept[0] != key:
            with torch.inference_mode():
                self._kept = (key, makes(**read, return_dict=True))
        inputs: dict[str, Any] = {
            "input_ids": ids,
            "attention_mask": mask,
            "mm_encoder_outputs": {"image": _repeated(self._kept[1], len(batch))},
        }
        for name in ALIGNED:
            if name in given:
                rows = [one.family.inputs[name][0] for one in batch]
                inputs[name] = torch.stack([torch.cat([row.new_zeros(ids.shape[1] - len(row)), row]) for row in rows])
        for name, value in given.items():
            if name not in read and name not in ALIGNED:
                inputs[name] = value
        return inputs


def _repeated(features: Any, count: int) -> Any:
    """The features of one question's pictures for `count` questions."""
    made = copy.copy(features)
    for name in ("pooler_output", "deepstack_features"):
        value = getattr(features, name, None)
        if value is not None:
            made[name] = _tiled(value, count) if name == "pooler_output" else [_tiled(layer, count) for layer in value]
    return made


def _tiled(value: Any, count: int) -> Any:
    return list(value) * count if isinstance(value, (list, tuple)) else tile(value, count)
