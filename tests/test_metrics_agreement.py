"""The metrics of raters, judges and model scores against a second source."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punctum.metrics.cohen_kappa.core import Weights, cohen_kappa, pairwise_kappa
from punctum.metrics.judge_consistency.core import judge_consistency
from punctum.metrics.mcq_accuracy.core import mcq_accuracy
from punctum.metrics.rank_correlation.core import rank_correlation
from punctum.metrics.rating_cut.core import kept_rows, rating_cut

ratings = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=40)


@settings(deadline=None)
@given(ratings, st.sampled_from([None, "linear", "quadratic"]), st.booleans())
def test_kappa_is_sklearns(rows: list[tuple[int, int]], weights: Weights, all_labels: bool) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = zip(*rows, strict=True)
    labels = [1, 2, 3, 4, 5] if all_labels else None
    mine = cohen_kappa(first, second, labels, weights)["cohen_kappa"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = float(metrics.cohen_kappa_score(first, second, labels=labels, weights=weights))
    if mine is None:
        assert len({*first, *second}) == 1
    else:
        assert mine == pytest.approx(theirs)
        assert cohen_kappa(second, first, labels, weights)["cohen_kappa"] == pytest.approx(mine)


def test_pairs_of_raters() -> None:
    a, b, c = ["x", "y", "x", "y"], ["x", "y", "y", "y"], ["x", None, "x", "x"]
    result = pairwise_kappa([a, b, c])
    kappas = [
        cohen_kappa(a, b)["cohen_kappa"],
        cohen_kappa(["x", "x", "y"], ["x", "x", "x"])["cohen_kappa"],
        cohen_kappa(["x", "y", "y"], ["x", "x", "x"])["cohen_kappa"],
    ]
    assert result["n_pairs"] == 3 and result["mean"] == pytest.approx(sum(kappas) / 3)
    assert result["lowest"] == pytest.approx(min(kappas)) and result["highest"] == pytest.approx(max(kappas))
    assert pairwise_kappa([["x"], ["x"]]) == {"mean": None, "lowest": None, "highest": None, "n_pairs": 0}
    with pytest.raises(ValueError, match="at least two"):
        pairwise_kappa([a])
    with pytest.raises(ValueError, match="differ in length"):
        pairwise_kappa([a, b[:2]])


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=3, max_size=30))
def test_correlations_are_scipys(rows: list[tuple[float, float]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = zip(*rows, strict=True)
    result = rank_correlation(first, second)
    if result["pearson"] is None:
        assert len(set(first)) == 1 or len(set(second)) == 1
        return
    assert result["spearman"] == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            theirs = stats.pearsonr(first, second).statistic
        except (stats.NearConstantInputWarning, stats.ConstantInputWarning):
            return
    assert result["pearson"] == pytest.approx(theirs, abs=1e-6)


def test_deepevals_correlations() -> None:
    """Table 3 against Table 7, five models in the order of Table 7; the text prints 0.95, 0.92 and 0.96."""
    chosen = {
        "description": [72.83, 53.91, 78.82, 75.26, 41.79],
        "title": [45.05, 35.13, 47.68, 47.75, 33.00],
        "deep semantics": [32.20, 25.71, 28.30, 31.37, 26.34],
    }
    generated = {
        "description": [80.32, 68.93, 78.92, 84.02, 50.95],
        "title": [46.95, 39.66, 44.36, 44.86, 37.36],
        "deep semantics": [31.07, 26.77, 28.57, 32.27, 27.17],
    }
    r = [rank_correlation(chosen[task], generated[task])["pearson"] for task in chosen]
    assert r == pytest.approx([0.949, 0.916, 0.961], abs=5e-4)


@given(st.lists(st.sampled_from([True, False, None, "failed"]), min_size=1))
def test_a_judge_is_a_yes_no_question(drawn: list[Any]) -> None:
    """The same numbers as choice accuracy gives when "consistent" is option 0 and right."""
    verdicts = [None if verdict == "failed" else verdict for verdict in drawn]
    failed = [verdict == "failed" for verdict in drawn]
    judged = judge_consistency(verdicts, failed)
    choice = mcq_accuracy([None if v is None else int(not v) for v in verdicts], [0] * len(drawn), failed=failed)
    assert judged["judged_accuracy"] == pytest.approx(choice["accuracy"])
    assert judged["judged_accuracy_answered"] == pytest.approx(choice["accuracy_answered"])
    assert (judged["n_unparsed"], judged["n_failed"]) == (choice["n_unparsed"], choice["n_failed"])


@given(ratings)
def test_kept_rows_are_those_above_both_bounds(rows: list[tuple[int, int]]) -> None:
    direct, indirect = zip(*rows, strict=True)
    kept = [a >= 4 and b >= 3 for a, b in rows]
    assert kept_rows(direct, indirect).tolist() == kept
    result = rating_cut(direct, indirect)
    assert result["n_kept"] == sum(kept) and sum(result["direct_counts"].values()) == len(rows)
    if any(kept):
        assert result["mean_direct_kept"] == pytest.approx(np.mean([a for a, b in rows if a >= 4 and b >= 3]))
