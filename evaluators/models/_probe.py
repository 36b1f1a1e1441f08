"""The check at load time: may this model's rows be put together from shared parts?

Two prompts of unequal length are written on both paths, two steps, and the logits compared, relative to their
spread. A path that is right differs by rounding alone; a wrong one by orders of magnitude more, even where it would
write the same tokens.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from punctum.evaluators.models._sharing import SharedModel
from punctum.evaluators.models._tree_masks import CannotShare

_log = logging.getLogger("punctum")

#: What `--share` may say.
CHOICES = ("auto", "picture", "off")

Steps = Sequence[Any]  # for each row, logits of shape (steps, vocabulary)


class Forced:
    """A logits processor that writes the same tokens on both paths, so that the second step can be compared."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens = tokens
        self._step = 0

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        import torch

        left = torch.full_like(scores, float("-inf"))
        left[:, self._tokens[self._step]] = 0.0
        self._step += 1
        return left


def steps_of(model: Any, inputs: Mapping[str, Any], tokens: Sequence[int], pad: int) -> list[Any]:
    """Logits of each step, for each row, shape (steps, vocabulary), in float32 on the CPU."""
    import torch

    with torch.inference_mode():
        return by_row(model.generate(**inputs, **step_arguments(tokens, pad)))


def by_row(out: Any) -> list[Any]:
    """The logits in what `generate` gave for `step_arguments`; see `steps_of`."""
    import torch

    return list(torch.stack([step.float().cpu() for step in out.logits], dim=1))


def step_arguments(tokens: Sequence[int], pad: int) -> dict[str, Any]:
    """Arguments of `generate` for a few forced tokens and their logits."""
    return {
        "max_new_tokens": len(tokens),
        "do_sample": False,
        "num_beams": 1,
        "pad_token_id": pad,
        "eos_token_id": None,
        "logits_processor": [Forced(tokens)],
        "output_logits": True,
        "return_dict_in_generate": True,
    }


def difference(first: Steps, second: Steps) -> float:
    """The largest difference of two runs' logits, relative to their spread."""
    found = 0.0
    for one, other in zip(first, second, strict=True):
        distance = float((one - other).abs().max() / one.std())
        found = max(found, distance if distance == distance else float("inf"))
    return found


def allowed(dtype: Any, noise: float) -> float:
    """How far two right paths may differ.

    Args:
        dtype: of the model.
        noise: how far the plain path differs from itself in another batch; what rounding does in short types.
    """
    import torch

    return 1e-3 if dtype == torch.float32 else min(max(3 * noise, 3e-2), 0.3)


def agrees(check: Callable[[], tuple[Steps, Steps, float]], dtype: Any, name: str) -> bool:
    """Whether a path gives the plain path's logits.

    Args:
        check: gives the plain path's logits, the other path's, and the noise.
        dtype: of the model.
        name: of the path, for the log.
    """
    try:
        plain, other, noise = check()
        distance = difference(plain, other)
    except Exception as error:  # architectures refuse in many ways: all mean that this path is not for them
        _log.debug("sharing by %s: %s: %s", name, type(error).__name__, error)
        return False
    _log.debug("sharing by %s: logits differ by %.1e of their spread", name, distance)
    return distance < allowed(dtype, noise)


def shared_model(
    model: Any, pad: int, name: str, compare: Callable[[SharedModel], tuple[Steps, Steps, float]]
) -> SharedModel | None:
    """What runs shared starts once; None where the model does not allow it.

    Args:
        model: of transformers.
        pad: the token that fills rows up.
        name: of the model, for the log.
        compare: as `check` of `agrees`.
    """
    try:
        shared = SharedModel(model, pad)
    except CannotShare as error:
        _log.debug("%s: no shared starts: %s", name, error)
        return None
    right = agrees(partial(compare, shared), model.dtype, "prefix")
    shared.forget()
    return shared if right else None
