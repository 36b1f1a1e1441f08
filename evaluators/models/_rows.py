"""Tokenized rows as tensors: taken apart, filled up, repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

ALIGNED = ("attention_mask", "token_type_ids", "mm_token_type_ids")
"""What a processor gives beside `input_ids` with one value a token."""


def padded(rows: Sequence[Sequence[int]], pad: int, device: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and attention mask of rows, filled up on the left; both of shape (rows, longest)."""
    import torch

    length = max(map(len, rows))
    ids = torch.tensor([[pad] * (length - len(row)) + list(row) for row in rows], device=device)
    mask = torch.tensor([[0] * (length - len(row)) + [1] * len(row) for row in rows], device=device)
    return ids, mask


def without_cuts(inputs: dict[str, Any], cut_id: int, pad: int, prefix: str = "") -> None:
    """Take the guard's token out of tokenized rows, and fill them up again on the side where they were.

    Args:
        inputs: `input_ids` (rows, length) and whatever else; changed in place.
        cut_id: the guard's token.
        pad: the token that fills up.
        prefix: of the names, where there are several tokenizers.
    """
    ids, mask = inputs[f"{prefix}input_ids"], inputs[f"{prefix}attention_mask"]
    if not bool((ids == cut_id).any()):
        return
    kept = (ids != cut_id) & (mask == 1)
    lengths = kept.sum(dim=1).tolist()
    left = bool((mask[:, -1] == 1).all())
    for name in ("input_ids", *ALIGNED):
        values = inputs.get(prefix + name)
        if values is None:
            continue
        rows = values.new_full((len(ids), max(lengths)), pad if name == "input_ids" else 0)
        for number, length in enumerate(lengths):
            place = slice(max(lengths) - length, None) if left else slice(0, length)
            rows[number, place] = values[number][kept[number]]
        inputs[prefix + name] = rows


def tile(value: Any, count: int) -> Any:
    """The tensor `count` times over, along its first axis: rows in order, each with its own pictures."""
    import torch

    if not isinstance(value, torch.Tensor) or value.dim() == 0:
        return value
    return value.repeat(count, *([1] * (value.dim() - 1)))
