"""Paired comparisons of two runs on the same items: McNemar's exact test, and the bootstrap over clusters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from punctum.evaluators.counting import Measured
from punctum.report.recounting import Recounted
from punctum.stats import Array, percentiles

N_RESAMPLES = 10_000
_CELLS = 4_000_000  # of a block of resamples × clusters held at a time: 32 MB


class CannotCompare(ValueError):
    """Why two runs cannot be compared in a metric."""


@dataclass(frozen=True)
class Comparison:
    """One score less another of the same metric on the same items.

    Attributes:
        difference: of fractions, first less second.
        interval: of the difference, 95 %, paired bootstrap over clusters; None for fewer than two clusters.
        p: two-sided.
        test: `McNemar` or `bootstrap`.
        n: number of clusters (pictures, pairs).
        only_first, only_second: how many items only one of both got right; None where items are not right or wrong.
    """

    difference: float
    interval: tuple[float, float] | None
    p: float
    test: str
    n: int
    only_first: int | None = None
    only_second: int | None = None


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided p of McNemar's exact test: a binomial test of the items that only one got right.

    Source: McNemar (1947); the exact form needs no continuity correction and holds for any number of items.
    """
    n, k = only_first + only_second, min(only_first, only_second)
    if n == 0:
        return 1.0
    logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) - n * math.log(2) for i in range(k + 1)]
    return min(1.0, 2 * math.fsum(map(math.exp, logs)))


def holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment of p-values (1979): the family-wise error stays below the level.

    Args:
        values: the p-values of one family, in any order.

    Returns:
        the adjusted ones, in the same order.
    """
    adjusted = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = highest
    return adjusted


def bootstrap_p(differences: Array) -> float:
    """Two-sided p from resampled differences: twice the smaller share on either side of 0.

    Resamples at 0 count on both sides, and one more than there are is counted, so that p is never 0.
    """
    n = len(differences)
    below, above = int((differences <= 0).sum()), int((differences >= 0).sum())
    return min(1.0, 2 * (1 + min(below, above)) / (n + 1))


def resampled_together(
    parts: Sequence[Measured], n_resamples: int = N_RESAMPLES, seed: int = 0
) -> list[Mapping[str, Array]]:
    """The scores of several runs in the same resamples of the clusters that they share.

    Args:
        parts: with the same set of clusters, in any order.
        n_resamples: how many.
        seed: of the random generator.

    Returns:
        a mapping a run: metric to its values, shape (n_resamples,).
    """
    clusters = parts[0].clusters
    tables = [_aligned(part, clusters) for part in parts]
    generator = np.random.default_rng(seed)
    share = np.full(len(clusters), 1 / len(clusters))
    found: list[list[Array]] = [[] for _ in parts]
    block = max(1, _CELLS // len(clusters))
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        weights = generator.multinomial(len(clusters), share, size=size).astype(np.float64)
        for place, (part, (numerators, denominators)) in enumerate(zip(parts, tables, strict=True)):
            with np.errstate(invalid="ignore", divide="ignore"):
                ratios = (weights @ numerators) / (weights @ denominators)
            found[place].append(ratios if part.statistic is None else part.statistic(ratios))
    joined = (np.concatenate(blocks) for blocks in found)
    return [{name: values[:, i] for i, name in enumerate(p.names)} for p, values in zip(parts, joined, strict=True)]


def compare(
    metric: str, one: Recounted, other: Recounted, values: Mapping[str, Array], others: Mapping[str, Array]
) -> Comparison:
    """Compare two runs in a metric.

    Args:
        metric: one that both have.
        one, other: the runs' answers, counted again.
        values, others: their scores in the same resamples, from `resampled_together`.

    Raises:
        CannotCompare: if they did not answer the same questions.
    """
    same_questions(metric, one, other)
    mine, theirs = _column(metric, one.measured), _column(metric, other.measured)
    differences = values[metric] - others[metric]
    known = differences[np.isfinite(differences)]
    interval = percentiles(differences) if len(one.measured.clusters) > 1 else None
    difference = _score(metric, one.measured) - _score(metric, other.measured)
    if mine is not None and theirs is not None and _is_right_or_wrong(mine) and _is_right_or_wrong(theirs):
        asked = mine[1] > 0
        only = [int((a[0][asked] > b[0][asked]).sum()) for a, b in ((mine, theirs), (theirs, mine))]
        return Comparison(difference, interval, mcnemar(*only), "McNemar", int(asked.sum()), *only)
    n = len(one.measured.clusters) if mine is None else int((mine[1] > 0).sum())
    return Comparison(difference, interval, bootstrap_p(known) if len(known) else 1.0, "bootstrap", n)


def same_questions(metric: str, one: Recounted, other: Recounted) -> None:
    """Check that both scores are of the same questions.

    Runs that did not answer all the same (one lacks the direct questions, say) can still be compared in a metric
    that counts within each cluster the same number in both.

    Raises:
        CannotCompare: if they are not.
    """
    for part in (one, other):
        if metric not in part.measured.names:
            raise CannotCompare(f"{metric} is not there in both")
    common = one.shown.keys() & other.shown.keys()
    if not common:
        raise CannotCompare("they have no question in common")
    different = [key for key in common if one.shown[key] != other.shown[key]]
    if different:
        raise CannotCompare(f"{len(different):,} questions show other options, or have another right answer")
    if one.shown.keys() == other.shown.keys():
        return
    alone = len(one.shown.keys() ^ other.shown.keys())
    mine, theirs = _column(metric, one.measured), _column(metric, other.measured)
    if mine is None or theirs is None or set(one.measured.clusters) != set(other.measured.clusters):
        raise CannotCompare(f"{alone:,} questions were put to one of them only")
    order = {name: i for i, name in enumerate(other.measured.clusters)}
    rows = [order[name] for name in one.measured.clusters]
    if not np.array_equal(mine[1], theirs[1][rows]):
        raise CannotCompare(f"{alone:,} questions were put to one of them only")


def _aligned(part: Measured, clusters: Sequence[str]) -> tuple[Array, Array]:
    order = {name: i for i, name in enumerate(part.clusters)}
    rows = [order[name] for name in clusters]
    return part.ratios.numerators[rows], part.ratios.denominators[rows]


def _column(metric: str, part: Measured) -> tuple[Array, Array] | None:
    """Numerators and denominators of a plain ratio; None for a score that is made of several."""
    if part.statistic is not None:
        return None
    at = part.names.index(metric)
    return part.ratios.numerators[:, at], part.ratios.denominators[:, at]


def _score(metric: str, part: Measured) -> float:
    values = part.ratios.values()[None, :]
    found = values if part.statistic is None else part.statistic(values)
    return float(found[0, part.names.index(metric)])


def _is_right_or_wrong(column: tuple[Array, Array]) -> bool:
    """Whether every cluster is one item that is right or wrong (or was not asked)."""
    numerators, denominators = column
    return bool(np.isin(denominators, (0, 1)).all() and np.isin(numerators, (0, 1)).all())
