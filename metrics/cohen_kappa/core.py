"""Cohen's kappa: the agreement of two raters beyond what chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .checks import as_list, count_rows

Rows = Sequence[Any] | NDArray[Any]
Weights = Literal["linear", "quadratic"] | None
Category = str | int


def cohen_kappa(
    predictions: Rows, references: Rows, labels: Sequence[Category] | None = None, weights: Weights = None
) -> dict[str, Any]:
    """Cohen's kappa of two raters. The order of the raters does not matter.

    Args:
        predictions: a row the first rater's category: all texts, or all whole numbers.
        references: a row the second rater's.
        labels: the categories there are, in their order; any other is an error. By default those that occur;
            needed for weights over texts.
        weights: None: every disagreement weighs the same. "linear", "quadratic": by the distance of the
            categories' places in `labels`, or its square.

    Returns:
        `cohen_kappa` (None where chance agreement is complete, since both raters give one and the same
        category throughout); `observed_agreement`, `expected_agreement`: shares of equal categories, observed
        and by chance; `n`.

    Raises:
        ValueError: for empty input, inputs of different length, a category that is neither text nor whole
            number, a mix of both, an unknown one, or unknown weights.
    """
    first, second = as_categories("predictions", predictions), as_categories("references", references)
    n = count_rows(predictions=first, references=second)
    places = _places(first, second, labels, weights)
    table = np.zeros((len(places), len(places)))
    np.add.at(table, ([places[value] for value in first], [places[value] for value in second]), 1.0)
    observed = table / n
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    distance = np.abs(np.subtract.outer(np.arange(len(places)), np.arange(len(places)))).astype(np.float64)
    cost = distance**2 if weights == "quadratic" else distance if weights else np.sign(distance)
    by_chance = float((cost * expected).sum())
    return {
        "cohen_kappa": 1 - float((cost * observed).sum()) / by_chance if by_chance else None,
        "observed_agreement": float(np.trace(observed)),
        "expected_agreement": float(np.trace(expected)),
        "n": n,
    }


def pairwise_kappa(
    raters: Sequence[Rows], labels: Sequence[Category] | None = None, weights: Weights = None
) -> dict[str, Any]:
    """Cohen's kappa over all pairs of several raters.

    Args:
        raters: for each rater a row the category, or None where the rater gave none.
        labels, weights: as in `cohen_kappa`.

    Returns:
        `mean`, `lowest`, `highest` kappa over the pairs of raters that share a row and whose kappa is defined
        (None without such a pair); `n_pairs`: how many these are.

    Raises:
        ValueError: for fewer than two raters, raters of different length, and as in `cohen_kappa`.
    """
    if len(raters) < 2:
        raise ValueError(f"{len(raters)} raters: agreement needs at least two")
    columns = [as_list(f"raters[{number}]", rater) for number, rater in enumerate(raters)]
    count_rows(**{f"raters[{number}]": column for number, column in enumerate(columns)})
    kappas = []
    for first, second in combinations(columns, 2):
        both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
        if both:
            kappa = cohen_kappa([a for a, _ in both], [b for _, b in both], labels, weights)["cohen_kappa"]
            kappas += [] if kappa is None else [kappa]
    return {
        "mean": sum(kappas) / len(kappas) if kappas else None,
        "lowest": min(kappas, default=None),
        "highest": max(kappas, default=None),
        "n_pairs": len(kappas),
    }


def as_categories(name: str, values: Rows) -> list[Category]:
    """Rows of categories, all texts or all whole numbers.

    Raises:
        ValueError: at the first row that is neither, or not of the kind of the first row.
    """
    rows: list[Category] = []
    for row, value in enumerate(as_list(name, values)):
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole and not isinstance(value, str):
            raise ValueError(f"{name}, row {row}: {value!r:.80} is no category (a text or a whole number)")
        if rows and isinstance(value, str) != isinstance(rows[0], str):
            raise ValueError(f"{name}, row {row}: {value!r:.80} is of another kind than {rows[0]!r} above it")
        rows.append(int(value) if whole else value)
    return rows


def _places(
    first: list[Category], second: list[Category], labels: Sequence[Category] | None, weights: Weights
) -> dict[Category, int]:
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(f"weights is {weights!r}; known are None, 'linear' and 'quadratic'")
    if isinstance(first[0], str) != isinstance(second[0], str):
        raise ValueError(f"references, row 0: {second[0]!r} is of another kind than {first[0]!r} in predictions")
    if labels is not None:
        places = {value: place for place, value in enumerate(as_categories("labels", labels))}
        for name, rows in (("predictions", first), ("references", second)):
            for row, value in enumerate(rows):
                if value not in places:
                    raise ValueError(f"{name}, row {row}: {value!r} is not one of {', '.join(map(str, places))}")
        return places
    if weights is not None and isinstance(first[0], str):
        raise ValueError("weights over texts need labels, the categories in their order")
    return {value: place for place, value in enumerate(sorted({*first, *second}))}
