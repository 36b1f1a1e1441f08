"""Fleiss' kappa: the agreement of several raters beyond what chance would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_list, count_rows

Rows = Sequence[Any] | NDArray[Any]


def fleiss_kappa(predictions: Rows, labels: Sequence[str | int] | None = None) -> dict[str, Any]:
    """Fleiss' kappa of several raters, who need not be the same for every item.

    Args:
        predictions: a row the categories that an item got, one a rater (texts or whole numbers); None where a rater
            gave none. Items may have different numbers of ratings.
        labels: the categories there are; any other is an error. By default those that occur.

    Returns:
        `fleiss_kappa` (None where chance agreement is complete, since one category was given throughout);
        `observed_agreement`: share of pairs of raters of an item that agree, averaged over items;
        `expected_agreement`: by chance; `n` items with two ratings or more; `n_left_out`: items with fewer, which
        say nothing of agreement; `n_ratings` of the counted items.

    Raises:
        ValueError: for empty input, a row that is no sequence, a rating that is neither text nor whole number, an
            unknown one, or no item with two ratings.
    """
    rows = as_ratings("predictions", predictions, labels)
    count_rows(predictions=rows)
    counted = [Counter(row) for row in rows if len(row) > 1]
    if not counted:
        raise ValueError("predictions: no item has two ratings, so there is no agreement to measure")
    sizes = np.array([sum(counts.values()) for counts in counted], dtype=np.float64)
    pairs = np.array([sum(c * (c - 1) for c in counts.values()) for counts in counted], dtype=np.float64)
    observed = float((pairs / (sizes * (sizes - 1))).mean())
    totals = Counter[str | int]()
    for counts in counted:
        totals.update(counts)
    expected = float(sum((count / sizes.sum()) ** 2 for count in totals.values()))
    return {
        "fleiss_kappa": None if len(totals) == 1 else (observed - expected) / (1 - expected),
        "observed_agreement": observed,
        "expected_agreement": expected,
        "n": len(counted),
        "n_left_out": len(rows) - len(counted),
        "n_ratings": int(sizes.sum()),
    }


def as_ratings(name: str, values: Rows, labels: Sequence[str | int] | None = None) -> list[list[str | int]]:
    """Rows of ratings, without the None of raters who gave none.

    Raises:
        ValueError: at the first row that is no list, or has what is no category or none of `labels`.
    """
    return [_row(f"{name}, row {number}", row, labels) for number, row in enumerate(as_list(name, values))]


def _row(where: str, row: Any, labels: Sequence[str | int] | None) -> list[str | int]:
    if hasattr(row, "tolist"):
        row = row.tolist()
    if not isinstance(row, list | tuple):
        raise ValueError(f"{where}: {row!r:.80} is no list of ratings, one a rater")
    found: list[str | int] = []
    for rating in row:
        if rating is None:
            continue
        whole = isinstance(rating, Integral) and not isinstance(rating, bool)
        if not whole and not isinstance(rating, str):
            raise ValueError(f"{where}: {rating!r:.80} is no category (a text or a whole number)")
        value = int(rating) if whole else rating
        if labels is not None and value not in labels:
            raise ValueError(f"{where}: {value!r} is not one of {', '.join(map(str, labels))}")
        found.append(value)
    return found
