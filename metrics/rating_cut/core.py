"""Keep what people rated high enough: VAGUE's cut on direct and indirect expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_numbers, count_rows

Rows = Sequence[Any] | NDArray[Any]


def rating_cut(
    direct: Rows,
    indirect: Rows,
    min_direct: float = 4,
    min_indirect: float = 3,
    scale: tuple[float, float] = (1, 5),
) -> dict[str, Any]:
    """What a cut by two ratings keeps.

    Args:
        direct: a row the rating of the direct expression.
        indirect: a row the rating of the indirect one.
        min_direct, min_indirect: a row is kept when both ratings are at least these.
        scale: lowest and highest rating.

    Returns:
        `share_kept`, `n_kept`, `n`; `n_direct_below`, `n_indirect_below`: rows below each bound (a row may be
        below both); `mean_direct`, `mean_indirect`, over all rows, and both with `_kept`, over the kept ones
        (None if there is none); `direct_counts`, `indirect_counts`: rating to number of rows.

    Raises:
        ValueError: for empty input, inputs of different length, or a rating that is no number on the scale.
    """
    first, second = as_numbers("direct", direct, *scale), as_numbers("indirect", indirect, *scale)
    n = count_rows(direct=first, indirect=second)
    kept = kept_rows(first, second, min_direct, min_indirect, scale)
    a, b = np.asarray(first), np.asarray(second)
    some = bool(kept.any())
    return {
        "share_kept": float(kept.mean()),
        "n_kept": int(kept.sum()),
        "n": n,
        "n_direct_below": int((a < min_direct).sum()),
        "n_indirect_below": int((b < min_indirect).sum()),
        "mean_direct": float(a.mean()),
        "mean_indirect": float(b.mean()),
        "mean_direct_kept": float(a[kept].mean()) if some else None,
        "mean_indirect_kept": float(b[kept].mean()) if some else None,
        "direct_counts": _counts(first, scale),
        "indirect_counts": _counts(second, scale),
    }


def kept_rows(
    direct: Rows,
    indirect: Rows,
    min_direct: float = 4,
    min_indirect: float = 3,
    scale: tuple[float, float] = (1, 5),
) -> NDArray[np.bool_]:
    """Which rows the cut keeps, shape (rows,). Arguments and errors as in `rating_cut`."""
    first, second = as_numbers("direct", direct, *scale), as_numbers("indirect", indirect, *scale)
    count_rows(direct=first, indirect=second)
    kept: NDArray[np.bool_] = (np.asarray(first) >= min_direct) & (np.asarray(second) >= min_indirect)
    return kept


def _counts(ratings: list[float], scale: tuple[float, float]) -> dict[str, int]:
    whole = [float(value) for value in range(int(np.ceil(scale[0])), int(scale[1]) + 1)]
    counts = Counter(ratings)
    return {f"{rating:g}": counts[rating] for rating in sorted({*whole, *counts})}
