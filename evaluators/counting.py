"""Counting answers: columns that grow as answers come, so that millions fit in memory."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from punctum import answers
from punctum.records import Prediction, Sample
from punctum.stats import Array, Ratios, bootstrap


@dataclass(frozen=True)
class Counted:
    """What a task makes of its answers.

    Attributes:
        n, n_unparsed, n_failed: counts of answers.
        metrics: name to value; None where the data at hand have nothing to measure.
        intervals: metric to (low, high).
        breakdowns: name to table.
    """

    n: int
    n_unparsed: int
    n_failed: int
    metrics: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    breakdowns: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """What the scores with intervals are made of: sums within clusters, so that two runs can be compared by them.

    Attributes:
        ratios: sums, clusters × ratios.
        clusters: their names, in the order of the rows.
        names: of the scores.
        statistic: from ratios, shape (n, m), to the scores, shape (n, len(names)); None where they are the same.
    """

    ratios: Ratios
    clusters: tuple[str, ...]
    names: tuple[str, ...]
    statistic: Callable[[Array], Array] | None = None


class Intervals(dict[str, tuple[float, float]]):
    """Intervals by metric, with what they were resampled from; `measured` is None where nothing was counted."""

    measured: Measured | None = None


class Meter:
    """Named ratios, summed within clusters as rows come, for values and bootstrap intervals."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self._clusters: dict[str, int] = {}
        self._cluster = array("q")
        self._name = array("q")
        self._numerator = array("d")
        self._denominator = array("d")

    def add(self, name: str, cluster: str, numerator: float, denominator: float = 1.0) -> None:
        """Count a row towards a ratio."""
        self._name.append(self.names.setdefault(name, len(self.names)))
        self._cluster.append(self._clusters.setdefault(cluster, len(self._clusters)))
        self._numerator.append(numerator)
        self._denominator.append(denominator)

    def ratios(self) -> Ratios:
        """The sums, clusters × names."""
        m = len(self.names)
        size = len(self._clusters) * m
        flat = np.frombuffer(self._cluster, dtype=np.int64) * m + np.frombuffer(self._name, dtype=np.int64)
        return Ratios.from_flat(flat, size, m, np.frombuffer(self._numerator), np.frombuffer(self._denominator))

    def values(self) -> dict[str, float | None]:
        """Name to ratio; None where the denominator is 0."""
        if not self.names:
            return {}
        found = self.ratios().values()
        return {name: float(found[i]) if np.isfinite(found[i]) else None for name, i in self.names.items()}

    def intervals(
        self,
        confidence_level: float,
        n_resamples: int,
        seed: int,
        derived: tuple[Sequence[str], Callable[[Array], Array]] | None = None,
    ) -> Intervals:
        """Bootstrap intervals over clusters.

        Args:
            confidence_level, n_resamples, seed: of the bootstrap; 0 resamples give no intervals.
            derived: names of derived values and the function from resampled ratios (n_resamples, m), in the
                order in which the names were first added, to them (n_resamples, k).
        """
        found = Intervals()
        if not self.names:
            return found
        names, statistic = derived or (tuple(self.names), None)
        ratios = self.ratios()
        found.measured = Measured(ratios, tuple(self._clusters), tuple(names), statistic)
        if n_resamples > 0:
            pairs = bootstrap(ratios, statistic, confidence_level, n_resamples, seed)
            found.update({name: pair for name, pair in zip(names, pairs, strict=True) if pair is not None})
        return found


class Answered:
    """Choice answers in columns, for the metric cores; `counts` says how many are unparsed and how many failed."""

    def __init__(self) -> None:
        self.counts = (0, 0)
        self.predictions: list[int | None] = []
        self.references: list[int] = []
        self.failed: list[bool] = []
        self.kinds: list[tuple[str, ...]] = []
        self.groups: list[str] = []
        self.rotations: list[int] = []
        self.n_options: list[int] = []
        self._kinds: dict[tuple[str, ...], tuple[str, ...]] = {}

    def add(self, sample: Sample, prediction: Prediction) -> None:
        """Add an answer to a choice question with one gold option."""
        parsed = prediction.parsed
        self.predictions.append(int(parsed[0]) if isinstance(parsed, tuple) and parsed else None)
        self.references.append(int(sample.gold[0]))
        self.failed.append(prediction.error is not None)
        self.kinds.append(self._kinds.setdefault(sample.option_kinds, sample.option_kinds))
        self.groups.append(sample.unit.id)
        self.rotations.append(sample.unit.rotation or 0)
        self.n_options.append(len(sample.options))
        unparsed, failed = tally(prediction)
        self.counts = (self.counts[0] + unparsed, self.counts[1] + failed)

    def __len__(self) -> int:
        return len(self.references)

    def letters(self) -> dict[str, dict[str, int]]:
        """How often each letter was chosen, and how often it was right."""
        chosen = Counter(p for p in self.predictions if p is not None)
        gold = Counter(self.references)
        shown = range(max(self.n_options, default=0))
        return {answers.letter(i): {"chosen": chosen[i], "gold": gold[i]} for i in shown}


def tally(prediction: Prediction) -> tuple[int, int]:
    """Whether an answer is unparsed and whether the call failed, as counts."""
    failed = prediction.error is not None
    return int(prediction.parsed is None and not failed), int(failed)
