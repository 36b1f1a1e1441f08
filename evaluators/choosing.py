"""Choosing one option about a picture, in any of the three settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from punctum.evaluators.base import Loader
from punctum.evaluators.counting import Answered, Counted, Meter
from punctum.evaluators.options import Options
from punctum.evaluators.rows import choice_sample, iterate, shuffled
from punctum.evaluators.settings import InSettings
from punctum.metrics.mcq_accuracy.core import mcq_accuracy
from punctum.records import Form, Prediction, Sample


class Choosing(InSettings):
    """A task with one right option among several."""

    form: Form = "choice"
    headline = ("accuracy", "n_valid")

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """One sample a row."""
        for row in iterate(self.rows(load, options), options.limit):
            yield choice_sample(shuffled(row, options), self.name, options, self.fields(row))

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Accuracy, how many answers are valid, and which kinds of wrong option were chosen."""
        answered, meter = Answered(), Meter()
        groups: dict[str, list[bool]] = {}
        for sample, prediction in pairs:
            answered.add(sample, prediction)
            meter.add("accuracy", sample.cluster, prediction.correct)
            if (group := self.group(sample)) is not None:
                groups.setdefault(group, []).append(prediction.correct)
        found = mcq_accuracy(answered.predictions, answered.references, answered.kinds, answered.failed)
        metrics: dict[str, float | None] = {
            "accuracy": found["accuracy"],
            "accuracy_answered": found["accuracy_answered"],
            "n_valid": len(answered) - sum(answered.counts),
        }
        breakdowns: dict[str, object] = {"chosen_kinds": found["chosen_kinds"], "letters": answered.letters()}
        if groups:
            breakdowns["by_group"] = {g: {"accuracy": sum(v) / len(v), "n": len(v)} for g, v in sorted(groups.items())}
        intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed)
        return Counted(len(answered), *answered.counts, metrics, intervals, breakdowns)
