"""Scores of the ads tasks: retrieval of several statements, label sets, filled statements (Section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from punctum.datasets_scripts.pitt_ads.statements import LABELS
from punctum.evaluators.counting import Answered, Counted, Meter, tally
from punctum.evaluators.options import Options
from punctum.evaluators.reading import fill
from punctum.metrics.mcq_accuracy.core import mcq_accuracy
from punctum.metrics.mpnet_similarity.core import MODEL, mpnet_similarity
from punctum.metrics.multilabel_scores.core import multilabel_scores
from punctum.metrics.prec_at_k.core import prec_at_k
from punctum.metrics.subset_accuracy.core import subset_accuracy
from punctum.metrics.top_k_accuracy.core import top_k_accuracy
from punctum.records import Prediction, Sample
from punctum.stats import Array

Pairs = Iterable[tuple[Sample, Prediction]]
CUTS = (1, 2, 3)
RETRIEVAL = (*(f"prec_at_{k}" for k in CUTS), *(f"top_{k}_accuracy" for k in CUTS), "average")
#: Table 3's Avg; Tables 9 and 10 leave the accuracies out.
_AVERAGED = ("prec_at_1", "prec_at_2", "prec_at_3", "top_1_accuracy", "top_2_accuracy")
_AVERAGED_PRECISIONS = _AVERAGED[:3]
_MACRO = ("precision_macro", "recall_macro", "f1_macro", "roc_auc_macro", "pr_auc_macro")
CLASSIFICATION = tuple(f"{name}{na}" for name in (*_MACRO, "subset_accuracy") for na in ("", "_without_na"))
_RESAMPLED = [name for name in CLASSIFICATION if "auc" not in name]
THRESHOLDS = (0.7, 0.6, 0.5)
SIMILARITY = ("mpnet_similarity", *(f"share_above_{t:g}" for t in THRESHOLDS))


def score_one(pairs: Pairs, options: Options) -> Counted:
    """Accuracy of choosing one statement, and which kinds of wrong statement were chosen; by relation."""
    answered, meter = Answered(), Meter()
    by_relation: dict[str, list[bool]] = {}
    for sample, prediction in pairs:
        answered.add(sample, prediction)
        meter.add("accuracy", sample.cluster, prediction.correct)
        by_relation.setdefault(str(sample.fields["category"]), []).append(prediction.correct)
    found = mcq_accuracy(answered.predictions, answered.references, answered.kinds, answered.failed)
    metrics = {name: found[name] for name in ("accuracy", "accuracy_answered")}
    breakdowns = {
        "chosen_kinds": found["chosen_kinds"],
        "numbers": {str(i): counts for i, counts in enumerate(answered.letters().values())},
        "by_category": {g: {"accuracy": sum(v) / len(v), "n": len(v)} for g, v in sorted(by_relation.items())},
    }
    intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed)
    return Counted(len(answered), *answered.counts, metrics, intervals, breakdowns)


class _Column:
    """Answers side by side, as the metric cores take them."""

    def __init__(self, pairs: Pairs) -> None:
        self.samples: list[Sample] = []
        self.predictions: list[Any] = []
        self.failed: list[bool] = []
        self.unparsed = 0
        for sample, prediction in pairs:
            self.samples.append(sample)
            self.predictions.append(prediction.parsed)
            self.failed.append(prediction.error is not None)
            self.unparsed += tally(prediction)[0]

    def counted(
        self,
        metrics: dict[str, float | None],
        meter: Meter,
        options: Options,
        breakdowns: dict[str, Any],
        derived: tuple[Sequence[str], Callable[[Array], Array]] | None = None,
    ) -> Counted:
        intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed, derived)
        return Counted(len(self.samples), self.unparsed, sum(self.failed), metrics, intervals, breakdowns)


def score_several(pairs: Pairs, options: Options) -> Counted:
    """Unranked precision and accuracy at 1, 2, 3; their average; which kinds were chosen; how many gave too few."""
    column = _Column(pairs)
    if not column.samples:
        return column.counted({}, Meter(), options, {})
    gold = [list(sample.gold) for sample in column.samples]
    precision = prec_at_k(column.predictions, gold, CUTS)
    accuracy = top_k_accuracy(column.predictions, gold, CUTS)
    found = {**precision, **accuracy}
    metrics: dict[str, float | None] = {name: found[name] for name in RETRIEVAL[:-1]}
    metrics |= {"average": _mean(found, _AVERAGED), "average_of_precisions": _mean(found, _AVERAGED_PRECISIONS)}
    metrics |= {f"{name}_answered": found[f"{name}_answered"] for name in RETRIEVAL[:-1]}
    metrics["average_answered"] = _mean(found, [f"{name}_answered" for name in _AVERAGED])
    meter = Meter()
    for sample, chosen in zip(column.samples, column.predictions, strict=True):
        row = _of_row(chosen or (), sample.gold)
        for name in RETRIEVAL[:-1]:
            meter.add(name, sample.cluster, row[name])
        meter.add("average", sample.cluster, sum(row[name] for name in _AVERAGED) / len(_AVERAGED))
    kinds = mcq_accuracy(column.predictions, gold, [s.option_kinds for s in column.samples], column.failed)
    breakdowns = {"chosen_kinds": kinds["chosen_kinds"], "n_fewer_than_three": precision["n_short"]}
    return column.counted(metrics, meter, options, breakdowns)


def _mean(found: dict[str, Any], names: Sequence[str]) -> float | None:
    values = [found[name] for name in names]
    return None if None in values else sum(values) / len(values)


def _of_row(chosen: Sequence[Any], gold: Sequence[Any]) -> dict[str, float]:
    hits = sum(index in gold for index in chosen[:3])
    row = {f"prec_at_{k}": min(k, hits) / k for k in CUTS}
    return row | {f"top_{k}_accuracy": float(any(index in gold for index in chosen[:k])) for k in CUTS}


def score_labels(pairs: Pairs, options: Options) -> Counted:
    """Precision, recall, F1 and areas, macro over labels, and subset accuracy; with and without NA."""
    column = _Column(pairs)
    if not column.samples:
        return column.counted({}, Meter(), options, {})
    gold = [list(sample.gold) for sample in column.samples]
    found = {
        **multilabel_scores(column.predictions, gold, LABELS),
        **subset_accuracy(column.predictions, gold, LABELS),
    }
    names = (*CLASSIFICATION, *(f"{name}_answered" for name in CLASSIFICATION))
    metrics = {name: found[name] for name in names}
    meter = Meter()
    for sample, chosen in zip(column.samples, column.predictions, strict=True):
        _add_labels(meter, sample, chosen)
    return column.counted(metrics, meter, options, {"per_label": found["per_label"]}, (_RESAMPLED, macro_averages))


def _add_labels(meter: Meter, sample: Sample, chosen: Sequence[str] | None) -> None:
    """A row's part in the precision, recall and F1 of each label, and whether its set is right."""
    said, true = set(chosen or ()), set(sample.gold)
    for label in LABELS:
        is_said, is_true = label in said, label in true
        meter.add(f"precision {label}", sample.cluster, is_said and is_true, is_said)
        meter.add(f"recall {label}", sample.cluster, is_said and is_true, is_true)
        meter.add(f"f1 {label}", sample.cluster, 2 * (is_said and is_true), is_said + is_true)
    meter.add("subset", sample.cluster, chosen is not None and said == true)
    meter.add("subset without NA", sample.cluster, chosen is not None and said - {"NA"} == true - {"NA"})


def macro_averages(resampled: Array) -> Array:
    """The scores of `_RESAMPLED` from the ratios that `_add_labels` adds.

    Args:
        resampled: shape (n_resamples, 3 a label and 2); a ratio of nothing is nan, and counts as 0 as in
            the scores, also where a label is missing from a resample only.

    Returns:
        shape (n_resamples, len(_RESAMPLED)).
    """
    by_label = np.nan_to_num(resampled[:, :-2]).reshape(len(resampled), len(LABELS), 3)
    averages = [part[:, :, kind].mean(1) for kind in range(3) for part in (by_label, by_label[:, :-1])]  # NA is last
    return np.stack([*averages, resampled[:, -2], resampled[:, -1]], axis=1)


def score_objects(pairs: Pairs, options: Options) -> Counted:
    """Mean cosine of the filled statements with the annotator's, and the share above each threshold."""
    column = _Column(pairs)
    if not column.samples:
        return column.counted({}, Meter(), options, {})
    rows = zip(column.samples, column.predictions, strict=True)
    filled = [None if chosen is None else fill(str(sample.fields["template"]), chosen) for sample, chosen in rows]
    gold = [str(sample.gold[0]) for sample in column.samples]
    found = mpnet_similarity(filled, gold, THRESHOLDS, options.similarity_model or MODEL)
    metrics = {name: found[name] for name in (*SIMILARITY, *(f"{name}_answered" for name in SIMILARITY))}
    meter = Meter()
    by_relation: dict[str, list[float]] = {}
    for sample, cosine in zip(column.samples, found["scores"], strict=True):
        meter.add("mpnet_similarity", sample.cluster, cosine)
        for threshold in THRESHOLDS:
            meter.add(f"share_above_{threshold:g}", sample.cluster, cosine > threshold)
        by_relation.setdefault(str(sample.fields["category"]), []).append(cosine)
    table = {name: {"mpnet_similarity": sum(v) / len(v), "n": len(v)} for name, v in sorted(by_relation.items())}
    return column.counted(metrics, meter, options, {"by_category": table})
