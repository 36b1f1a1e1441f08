"""The metrics of label sets against scikit-learn."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punctum.metrics.multilabel_scores.core import multilabel_scores
from punctum.metrics.subset_accuracy.core import subset_accuracy

sklearn_metrics = pytest.importorskip("sklearn.metrics")
LABELS = ["TR1", "TR2", "OIO", "OR", "NA"]
label_sets = st.lists(st.sampled_from(LABELS), unique=True)
rows = st.lists(st.tuples(st.none() | label_sets, label_sets), min_size=1, max_size=40)


def indicators(sets: Sequence[Any], labels: list[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([[int(label in (row or ())) for label in labels] for row in sets])


def areas(true: Any, predicted: Any) -> tuple[float | None, float | None]:
    """scikit-learn's macro areas over the labels for which they are defined."""
    defined = [j for j in range(true.shape[1]) if 0 < true[:, j].sum() < len(true)]
    if not defined:
        return None, None
    return (
        float(sklearn_metrics.roc_auc_score(true[:, defined], predicted[:, defined], average="macro")),
        float(sklearn_metrics.average_precision_score(true[:, defined], predicted[:, defined], average="macro")),
    )


@settings(deadline=None)
@given(rows)
def test_every_number_is_sklearns(drawn: list[tuple[list[str] | None, list[str]]]) -> None:
    chosen, correct = zip(*drawn, strict=True)
    result = multilabel_scores(chosen, correct, LABELS)
    for suffix, labels in (("", LABELS), ("_without_na", LABELS[:-1])):
        true, predicted = indicators(correct, labels), indicators(chosen, labels)
        for average in ("macro", "micro", "weighted"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = sklearn_metrics.precision_recall_fscore_support(
                    true, predicted, average=average, zero_division=0
                )
            for key, value in zip(("precision", "recall", "f1"), expected, strict=False):
                assert result[f"{key}_{average}{suffix}"] == pytest.approx(value)
        roc, pr = areas(true, predicted)
        assert result[f"roc_auc_macro{suffix}"] == pytest.approx(roc)
        assert result[f"pr_auc_macro{suffix}"] == pytest.approx(pr)
    per_label = sklearn_metrics.precision_recall_fscore_support(
        indicators(correct, LABELS), indicators(chosen, LABELS), average=None, zero_division=0
    )
    for j, label in enumerate(LABELS):
        for key, values in zip(("precision", "recall", "f1", "support"), per_label, strict=True):
            assert result["per_label"][label][key] == pytest.approx(values[j])
    assert result["labels_absent"] == [label for label in LABELS if not any(label in row for row in correct)]


@settings(deadline=None)
@given(rows)
def test_answered_is_the_score_of_the_answered_rows(drawn: list[tuple[list[str] | None, list[str]]]) -> None:
    read = [(row, gold) for row, gold in drawn if row is not None]
    metrics: list[Callable[..., dict[str, Any]]] = [multilabel_scores, subset_accuracy]
    for metric in metrics:
        whole = metric(*zip(*drawn, strict=True), LABELS)
        part = metric(*zip(*read, strict=True), LABELS) if read else {}
        for key, value in whole.items():
            if key.endswith("_answered"):
                assert value == pytest.approx(part.get(key.removesuffix("_answered")))
        assert whole["n_unparsed"] == len(drawn) - len(read)


@settings(deadline=None)
@given(rows)
def test_subset_accuracy_is_sklearns(drawn: list[tuple[list[str] | None, list[str]]]) -> None:
    read: list[tuple[Any, Any]] = [row for row in drawn if row[0] is not None] or [((), ())]
    chosen, correct = zip(*read, strict=True)
    result = subset_accuracy(chosen, correct, LABELS)
    for suffix, labels in (("", LABELS), ("_without_na", LABELS[:-1])):
        expected = sklearn_metrics.accuracy_score(indicators(correct, labels), indicators(chosen, labels))
        assert result[f"subset_accuracy{suffix}"] == pytest.approx(expected)


def test_labels_by_default_are_those_that_occur() -> None:
    result = multilabel_scores([["b"], ["c"]], [["b"], ["a"]])
    assert list(result["per_label"]) == ["a", "b", "c"] and result["labels_absent"] == ["c"]


def test_not_slower_than_sklearn() -> None:
    """Label lists to all numbers, against scikit-learn's macro numbers alone from finished indicators."""
    n = 200_000
    rng = np.random.default_rng(0)
    true, predicted = (rng.random((2, n, 5)) < 0.3).astype(int)
    chosen, correct = ([[LABELS[j] for j in np.flatnonzero(row)] for row in m] for m in (predicted, true))
    started = time.perf_counter()
    result = multilabel_scores(chosen, correct, LABELS)
    mine = time.perf_counter() - started
    started = time.perf_counter()
    sklearn_metrics.precision_recall_fscore_support(true, predicted, average="macro", zero_division=0)
    roc, pr = areas(true, predicted)
    theirs = time.perf_counter() - started
    print(f"multilabel_scores {mine:.2f} s, scikit-learn {theirs:.2f} s for {n} rows")
    assert result["roc_auc_macro"] == pytest.approx(roc) and result["pr_auc_macro"] == pytest.approx(pr)
    assert mine < 3 * theirs + 1
