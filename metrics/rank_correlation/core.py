"""How two lists of model scores go together: Pearson's r and Spearman's rho."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_numbers, count_rows

Rows = Sequence[Any] | NDArray[Any]
Floats = NDArray[np.float64]


def rank_correlation(predictions: Rows, references: Rows) -> dict[str, Any]:
    """Correlation of two scores of the same models.

    Args:
        predictions: a row (a model) the first score.
        references: a row the second score. Which is which does not matter.

    Returns:
        `pearson`: of the scores. `spearman`: of their ranks, ties sharing the mean rank. None where either
        score is the same for all rows. `n`.

    Raises:
        ValueError: for empty input, fewer than two rows, inputs of different length, or an entry that is no
            finite number.
    """
    first, second = as_numbers("predictions", predictions), as_numbers("references", references)
    n = count_rows(predictions=first, references=second)
    if n < 2:
        raise ValueError("a correlation needs at least two rows")
    a, b = np.asarray(first), np.asarray(second)
    return {"pearson": _pearson(a, b), "spearman": _pearson(_ranks(a), _ranks(b)), "n": n}


def _pearson(a: Floats, b: Floats) -> float | None:
    if (a == a[0]).all() or (b == b[0]).all():
        return None
    a, b = a - a.mean(), b - b.mean()
    # Scaled first, so that squares of tiny or huge numbers neither vanish nor overflow.
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    r = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    return max(-1.0, min(1.0, r))


def _ranks(values: Floats) -> Floats:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[places]
    return ranks
