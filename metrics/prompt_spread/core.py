"""Accuracy over several prompts for the same questions: its mean and its spread, each kind named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_flags, as_index, as_list, as_numbers, count_rows

Rows = Sequence[Any] | NDArray[Any]


def prompt_spread(scores: Rows | None = None, correct: Rows | None = None, slots: Rows | None = None) -> dict[str, Any]:
    """Mean and spread of accuracy over prompt slots.

    Args:
        scores: the accuracy of each slot, as fractions, slot 1 first. Either this, or the next two.
        correct: a row whether the answer is right (true or false, 1 or 0).
        slots: a row which prompt was used, counted from 1.

    Returns:
        `accuracy`: the mean over slots, each slot weighing the same. `accuracy_slot_1`, …: of each slot.
        `variance_population` and `std_population` divide by the number of slots, `variance_sample` and
        `std_sample` by one less; the latter are None for a single slot. `range`: largest less smallest.
        `n_slots`, and with rows `n`.

    Raises:
        ValueError: for empty input, inputs of different length, both or neither form, a score outside 0 to
            1, an answer that is neither right nor wrong, or a slot that is no number from 1 on.
    """
    if scores is not None and (correct is not None or slots is not None):
        raise ValueError("give either scores, or correct and slots, not both")
    if scores is not None:
        by_slot = dict(enumerate(as_numbers("scores", scores, 0, 1), start=1))
        count_rows(scores=by_slot)
        return _spread(by_slot)
    flags, numbers = as_flags("correct", correct), _slots(slots)
    n = count_rows(correct=flags, slots=numbers)
    rows, right = np.asarray(numbers, dtype=np.int64), np.asarray(flags)
    known, codes = np.unique(rows, return_inverse=True)
    shares = np.bincount(codes, weights=right) / np.bincount(codes)
    return {**_spread(dict(zip(known.tolist(), shares.tolist(), strict=True))), "n": n}


def _slots(slots: Rows | None) -> list[int]:
    numbers = [as_index("slots", row, slot) for row, slot in enumerate(as_list("slots", slots))]
    if 0 in numbers:
        raise ValueError(f"slots, row {numbers.index(0)}: slot 0; prompt slots are counted from 1")
    return numbers


def _spread(by_slot: dict[int, float]) -> dict[str, Any]:
    values = np.asarray(list(by_slot.values()), dtype=np.float64)
    population = float(values.var())
    sample = float(values.var(ddof=1)) if len(values) > 1 else None
    return {
        "accuracy": float(values.mean()),
        **{f"accuracy_slot_{slot}": share for slot, share in by_slot.items()},
        "variance_population": population,
        "variance_sample": sample,
        "std_population": math.sqrt(population),
        "std_sample": None if sample is None else math.sqrt(sample),
        "range": float(values.max() - values.min()),
        "n_slots": len(values),
    }
