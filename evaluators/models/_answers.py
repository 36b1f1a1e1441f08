"""What the text and the image-text backend have in common around an answer: does it fit, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from punctum.evaluators.models import _decoding
from punctum.evaluators.models._batching import Asked
from punctum.records import Generation, Response


def longest(asked: Asked | None) -> int:
    """Tokens of a prompt with its longest continuation."""
    return 0 if asked is None else len(asked.ids) + max(map(len, asked.tails), default=0)


def plain(value: Any) -> Any:
    """A value of a generation config as JSON."""
    return value if isinstance(value, (int, str, list)) else str(value)


def too_long(model: Any, prompt: int, new: int) -> str | None:
    """What is wrong with a prompt that does not fit into the model's window, if so. Nothing is ever cut off."""
    window = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if not window or prompt + new <= window:
        return None
    return f"the prompt has {prompt} tokens and {new} may follow; the model's window is {window}"


def read_answer(owner: Any, new: Sequence[int], prompt_tokens: int, generation: Generation) -> Response:
    """The response of one row.

    Args:
        owner: a model of this package, with `ends`, `pad` and `tokenizer`.
        new: the row's new tokens, filled up behind its end.
        prompt_tokens: how long the prompt was.
        generation: how it was written.
    """
    early = generation.stop_early or not {"stop_strings", "max_time"}.isdisjoint(generation.extra)
    kept, reason = _decoding.cut_answer(new, owner.ends, owner.pad, generation.max_new_tokens, early)
    text = owner.tokenizer.decode(kept, skip_special_tokens=True, clean_up_tokenization_spaces=False)
    return Response(
        text=text,
        finish_reason=reason,
        prompt_tokens=prompt_tokens,
        output_tokens=len(kept),
    )
