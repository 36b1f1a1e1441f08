"""Confidence intervals by the bootstrap over clusters.

Questions that share a picture are not independent, so clusters (pictures, pairs) are resampled, not rows.
Every score of the package is a ratio of sums over clusters, or a function of several such ratios; both are
resampled here in one pass, so that derived scores keep the dependence between their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ratios:
    """Numerators and denominators of `m` ratios in `c` clusters.

    Attributes:
        numerators: shape (c, m).
        denominators: shape (c, m), the counts that the numerators are out of.
    """

    numerators: Array
    denominators: Array

    @classmethod
    def from_rows(
        cls,
        clusters: Iterable[Hashable],
        values: Sequence[float],
        column: Sequence[int] | None = None,
        m: int = 1,
    ) -> Ratios:
        """Sum rows within clusters.

        Args:
            clusters: per row, its cluster.
            values: per row, its contribution to the numerator (0 or 1 for accuracy); the denominator is 1.
            column: per row, which of the `m` ratios it belongs to; all to the first when None.
            m: number of ratios.
        """
        index: dict[Hashable, int] = {}
        rows = np.fromiter((index.setdefault(c, len(index)) for c in clusters), dtype=np.int64)
        columns = np.zeros(len(rows), dtype=np.int64) if column is None else np.asarray(column, dtype=np.int64)
        flat = rows * m + columns
        size = len(index) * m
        return cls.from_flat(flat, size, m, np.asarray(values, dtype=np.float64), np.ones(len(flat)))

    @classmethod
    def from_flat(
        cls, flat: npt.NDArray[np.int64], size: int, m: int, numerators: Array, denominators: Array
    ) -> Ratios:
        """Sum rows at their places in the flattened table of `size` cells, clusters × `m`."""

        def summed(weights: Array) -> Array:
            return np.bincount(flat, weights=weights, minlength=size).astype(np.float64).reshape(-1, m)

        return cls(summed(numerators), summed(denominators))

    def values(self) -> Array:
        """The ratios themselves, shape (m,); nan where the denominator is 0."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.numerators.sum(0) / self.denominators.sum(0))


def bootstrap(
    ratios: Ratios,
    statistic: Callable[[Array], Array] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> list[tuple[float, float] | None]:
    """Percentile intervals of ratios, or of a function of them, over resampled clusters.

    Clusters with equal numerators and denominators are interchangeable, so resampling the counts of the
    distinct patterns from a multinomial is the same bootstrap at a cost that does not grow with the number
    of clusters.

    Args:
        ratios: `m` ratios in `c` clusters.
        statistic: maps resampled ratios, shape (n_resamples, m), to derived values, shape (n_resamples, k).
        confidence_level: between 0 and 1.
        n_resamples: how many resamples.
        seed: of the random generator.

    Returns:
        `m` (or `k`) pairs (low, high); None where fewer than two clusters carry the value.

    Raises:
        ValueError: if the confidence level or the number of resamples is out of range, or nothing is there.
    """
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level must lie between 0 and 1, not {confidence_level}")
    return [
        None if len(ratios.numerators) < 2 else percentiles(column, confidence_level)
        for column in resampled(ratios, statistic, n_resamples, seed).T
    ]


def percentiles(values: Array, confidence_level: float = 0.95) -> tuple[float, float] | None:
    """The interval that holds the middle of resampled values; None where none is finite."""
    known = values[np.isfinite(values)]
    if len(known) == 0:
        return None
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    return float(low), float(high)


def resampled(
    ratios: Ratios,
    statistic: Callable[[Array], Array] | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> Array:
    """The values in resamples of the clusters; the arguments are those of `bootstrap`.

    Returns:
        shape (n_resamples, m) or (n_resamples, k).

    Raises:
        ValueError: if the number of resamples is out of range, or nothing is there.
    """
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1, not {n_resamples}")
    c, m = ratios.numerators.shape
    if c == 0:
        raise ValueError("no clusters to resample")
    table = np.concatenate([ratios.numerators, ratios.denominators], axis=1)
    patterns, counts = np.unique(table, axis=0, return_counts=True)
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(c, counts / c, size=n_resamples).astype(np.float64)
    sums = weights @ patterns
    with np.errstate(invalid="ignore", divide="ignore"):
        values = sums[:, :m] / sums[:, m:]
    return values if statistic is None else statistic(values)
