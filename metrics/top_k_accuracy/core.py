"""Top-k accuracy: whether any of the first k predictions is correct."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_index, as_index_rows, as_list, count_rows

Rows = Sequence[Any] | NDArray[Any]


def top_k_accuracy(predictions: Rows, references: Rows, k: int | Sequence[int] = (1, 2, 3)) -> dict[str, Any]:
    """Share of rows with a correct option among the first k predictions.

    Args:
        predictions: a row option indices (from 0) in the model's order, the best first; one index; or None
            (or an empty sequence) for an unparsed answer.
        references: a row the indices of the correct options, of which one is enough.
        k: one or several cut-offs.

    Returns:
        For each k `top_{k}_accuracy`, over all rows, and `top_{k}_accuracy_answered`, over the rows with a
        readable answer (None if there is none). `n`, `n_unparsed`; `n_short`: rows with some predictions, but
        fewer than the largest k.

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no option index, an index
            twice in a row, or a cut-off below 1.
    """
    cuts = _cuts(k)
    rows = as_index_rows("predictions", predictions)
    correct = as_index_rows("references", references, required=True)
    n = count_rows(predictions=rows, references=correct)
    sizes = np.fromiter((0 if row is None else len(row) for row in rows), dtype=np.int64, count=n)
    answered = sizes > 0
    places = np.fromiter(map(_first_hit, rows, correct), dtype=np.int64, count=n)
    result: dict[str, Any] = {}
    for cut in cuts:
        right = (places >= 0) & (places < cut)
        result[f"top_{cut}_accuracy"] = float(right.mean())
        result[f"top_{cut}_accuracy_answered"] = float(right[answered].mean()) if answered.any() else None
    short = answered & (sizes < cuts[-1])
    return {**result, "n": n, "n_unparsed": n - int(answered.sum()), "n_short": int(short.sum())}


def _cuts(k: int | Sequence[int]) -> list[int]:
    values = [k] if np.ndim(k) == 0 else as_list("k", k)
    cuts = sorted({as_index("k", place, value) for place, value in enumerate(values)})
    if not cuts or cuts[0] == 0:
        raise ValueError(f"k is {k!r}; cut-offs are whole numbers from 1 on")
    return cuts


def _first_hit(row: tuple[int, ...] | None, correct: Any) -> int:
    """The place of the first correct prediction, or -1."""
    for place, index in enumerate(row or ()):
        if index in correct:
            return place
    return -1
