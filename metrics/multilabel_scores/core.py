"""Precision, recall, F1 and areas under curves of label sets: macro, micro, weighted and by label.

Everything follows from one table of how often each predicted set met each true set. It equals scikit-learn's
numbers (with zero_division=0) and takes a fraction of its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .checks import as_label_rows, as_words, count_rows

Rows = Sequence[Any] | NDArray[Any]
Floats = NDArray[np.float64]
HEADLINES = ("precision_macro", "recall_macro", "f1_macro", "roc_auc_macro", "pr_auc_macro")


class Counts(NamedTuple):
    """True and false positives and negatives, each of shape (labels,)."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats


def multilabel_scores(
    predictions: Rows,
    references: Rows,
    labels: Sequence[str] | None = None,
    na: str | None = "NA",
) -> dict[str, Any]:
    """Scores of multi-label classification.

    Args:
        predictions: a row a sequence of labels (an empty one says that none applies), or None for an
            unparsed answer, which predicts no label.
        references: a row the sequence of true labels.
        labels: the labels there are, in the order of the results; any other is an error. None takes those
            that occur.
        na: the label for "none of these", which the second set of results leaves out; None gives no second
            set.

    Returns:
        `precision`, `recall` and `f1`, each `_macro` (mean over labels), `_micro` (over all decisions) and
        `_weighted` (mean over labels, weighed by how often each is true); `roc_auc_macro`, `pr_auc_macro`,
        computed from 0/1 predictions. Each also `_without_na`. The macro ones also `_answered`: over rows with
        a readable answer, None if there is none. `per_label`: for each label `precision`, `recall`, `f1`,
        `roc_auc`, `pr_auc`, `support`. `labels_absent`: labels that are never true. `n`, `n_unparsed`.

        A ratio of nothing is 0. The areas of a label that is never or always true are undefined: None in
        `per_label`, and left out of the mean; None where no label is left.

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no sequence of labels, or an
            unknown label.
    """
    known = None if labels is None else as_words("labels", labels)
    chosen = as_label_rows("predictions", predictions, known)
    correct = as_label_rows("references", references, known, required=True)
    n = count_rows(predictions=chosen, references=correct)
    if known is None:
        known = sorted(frozenset().union(*set(correct), *(set(chosen) - {None})))  # type: ignore[arg-type]
    pairs, times = _table(chosen, correct)
    everything = _counts(pairs, times, known)
    read = np.array([row is not None for row, _ in pairs])
    answered = _counts([p for p in pairs if p[0] is not None], times[read], known) if read.any() else None

    result: dict[str, Any] = {}
    for suffix, kept in (("", known), ("_without_na", [label for label in known if label != na])):
        if suffix and na is None:
            continue
        places = [known.index(label) for label in kept]
        scores = _averages(everything, places)
        result |= {f"{key}{suffix}": value for key, value in scores.items()}
        over_answered = _averages(answered, places) if answered else dict.fromkeys(HEADLINES)
        result |= {f"{key}{suffix}_answered": over_answered[key] for key in HEADLINES}
    by_label = _by_label(everything)
    support = (everything.tp + everything.fn).astype(int)
    result["per_label"] = {
        label: {key: _plain(values[at]) for key, values in by_label.items()} | {"support": int(support[at])}
        for at, label in enumerate(known)
    }
    result["labels_absent"] = [label for label, true in zip(known, support, strict=True) if not true]
    return {**result, "n": n, "n_unparsed": int(times[~read].sum())}


def _table(chosen: list[Any], correct: list[Any]) -> tuple[list[tuple[Any, Any]], NDArray[np.int64]]:
    """The distinct pairs of predicted and true sets, and how often each occurs."""
    predicted_sets = {row: code for code, row in enumerate(dict.fromkeys(chosen))}
    true_sets = {row: code for code, row in enumerate(dict.fromkeys(correct))}
    predicted = np.fromiter(map(predicted_sets.__getitem__, chosen), dtype=np.int64, count=len(chosen))
    true = np.fromiter(map(true_sets.__getitem__, correct), dtype=np.int64, count=len(correct))
    codes, times = np.unique(predicted * len(true_sets) + true, return_counts=True)
    rows, golds = list(predicted_sets), list(true_sets)
    return [(rows[code // len(golds)], golds[code % len(golds)]) for code in codes.tolist()], times


def _counts(pairs: list[tuple[Any, Any]], times: NDArray[np.int64], labels: list[str]) -> Counts:
    predicted = np.array([[label in (row or ()) for label in labels] for row, _ in pairs], dtype=np.bool_)
    true = np.array([[label in gold for label in labels] for _, gold in pairs], dtype=np.bool_)
    weight = times[:, None].astype(np.float64)
    return Counts(
        (weight * (predicted & true)).sum(axis=0),
        (weight * (predicted & ~true)).sum(axis=0),
        (weight * (~predicted & true)).sum(axis=0),
        (weight * (~predicted & ~true)).sum(axis=0),
    )


def _ratio(above: Floats, below: Floats, otherwise: float) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.full(np.shape(below), otherwise), where=below > 0)
    return ratio


def _by_label(counts: Counts) -> dict[str, Floats]:
    tp, fp, fn, tn = counts
    precision, recall = _ratio(tp, tp + fp, 0.0), _ratio(tp, tp + fn, 0.0)
    # With 0/1 predictions both curves have a single corner, so their areas have these closed forms.
    defined = (tp + fn > 0) & (fp + tn > 0)
    roc_auc = (recall + _ratio(tn, fp + tn, 0.0)) / 2
    pr_auc = precision * recall + (tp + fn) / (tp + fp + fn + tn) * (1 - recall)
    return {
        "precision": precision,
        "recall": recall,
        "f1": _ratio(2 * tp, 2 * tp + fp + fn, 0.0),
        "roc_auc": np.where(defined, roc_auc, np.nan),
        "pr_auc": np.where(defined, pr_auc, np.nan),
    }


def _averages(counts: Counts, places: list[int]) -> dict[str, float | None]:
    """The averages over the labels at these places."""
    part = Counts(*(values[places] for values in counts))
    by_label = _by_label(part)
    total = _by_label(Counts(*(values.sum(keepdims=True) for values in part)))
    support = part.tp + part.fn
    result: dict[str, float | None] = {}
    for key in ("precision", "recall", "f1"):
        values = by_label[key]
        result[f"{key}_macro"] = float(values.mean()) if places else None
        result[f"{key}_micro"] = float(total[key][0]) if places else None
        weighted = _ratio(np.sum(values * support, keepdims=True), np.sum(support, keepdims=True), 0.0)
        result[f"{key}_weighted"] = float(weighted[0]) if places else None
    for key in ("roc_auc", "pr_auc"):
        values = by_label[key][~np.isnan(by_label[key])]
        result[f"{key}_macro"] = float(values.mean()) if len(values) else None
    return result


def _plain(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
