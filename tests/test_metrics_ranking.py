"""Precision at k and top-k accuracy against sklearn, by hand, and together as the table of the ads paper."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punctum.metrics.prec_at_k.core import prec_at_k
from punctum.metrics.top_k_accuracy.core import top_k_accuracy

FOLDER = Path(__file__).resolve().parent.parent / "metrics"
rows = st.lists(
    st.tuples(
        st.lists(st.integers(0, 8), max_size=5, unique=True),
        st.lists(st.integers(0, 8), min_size=1, max_size=4, unique=True),
    ),
    min_size=1,
    max_size=20,
)


@settings(deadline=None)
@given(rows)
def test_prec_at_1_equals_top_3_accuracy(drawn: list[tuple[list[int], list[int]]]) -> None:
    """The paper's note, for three predictions; also: unranked is never below ranked."""
    predictions, references = zip(*drawn, strict=True)
    unranked = prec_at_k(predictions, references)
    top = top_k_accuracy(predictions, references)
    assert unranked["prec_at_1"] == top["top_3_accuracy"]
    assert unranked["prec_at_1_answered"] == pytest.approx(top["top_3_accuracy_answered"])
    ranked = prec_at_k(predictions, references, ranked=True)
    assert all(unranked[f"prec_at_{k}"] >= ranked[f"prec_at_{k}"] for k in (1, 2, 3))
    assert unranked["prec_at_3"] == pytest.approx(ranked["prec_at_3"])
    assert top["top_1_accuracy"] <= top["top_2_accuracy"] <= top["top_3_accuracy"]
    assert ranked["prec_at_1"] == top["top_1_accuracy"]


@settings(deadline=None)
@given(rows, st.integers(1, 5))
def test_by_hand(drawn: list[tuple[list[int], list[int]]], k: int) -> None:
    predictions, references = zip(*drawn, strict=True)
    first = [sum(p in gold for p in row[:k]) for row, gold in drawn]
    among_all = [sum(p in gold for p in row) for row, gold in drawn]
    assert prec_at_k(predictions, references, k, ranked=True)[f"prec_at_{k}"] == pytest.approx(
        statistics.fmean(hits / k for hits in first)
    )
    assert prec_at_k(predictions, references, k, depth=5)[f"prec_at_{k}"] == pytest.approx(
        statistics.fmean(min(k, hits) / k for hits in among_all)
    )
    assert top_k_accuracy(predictions, references, k)[f"top_{k}_accuracy"] == pytest.approx(
        statistics.fmean(float(hits > 0) for hits in first)
    )


def test_top_k_accuracy_is_sklearns() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    scores, correct = rng.random((200, 6)), rng.integers(0, 6, 200)
    order = np.argsort(-scores, axis=1)
    for k in (1, 2, 3):
        mine = top_k_accuracy(order, correct, k)[f"top_{k}_accuracy"]
        assert mine == pytest.approx(metrics.top_k_accuracy_score(correct, scores, k=k))


# Twenty answers to questions whose correct options are 0, 1 and 2: the three predictions, how many of them are
# correct, and at which place (from 1) the first correct one stands.
TABLE: list[tuple[list[int] | None, int, int | None]] = [
    ([0, 1, 2], 3, 1), ([2, 1, 0], 3, 1), ([0, 1, 7], 2, 1), ([0, 7, 1], 2, 1), ([7, 0, 1], 2, 2),
    ([7, 1, 2], 2, 2), ([0, 7, 8], 1, 1), ([7, 0, 8], 1, 2), ([7, 8, 0], 1, 3), ([7, 8, 1], 1, 3),
    ([7, 8, 9], 0, None), ([9, 8, 7], 0, None), ([5, 4, 3], 0, None), (None, 0, None), ([], 0, None),
    ([0], 1, 1), ([7], 0, None), ([1, 0], 2, 1), ([7, 2], 1, 2), ([3, 4, 2], 1, 3),
]  # fmt: skip


def test_the_ads_table_in_one_call(tmp_path: Path) -> None:
    """P@1..3 and top-1, top-2 from one list of answers, equal to what one counts by hand."""
    evaluate = pytest.importorskip("evaluate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate.config, "HF_MODULES_CACHE", str(tmp_path / "modules"))
        patch.setattr(evaluate.config, "HF_METRICS_CACHE", str(tmp_path / "metrics"))
        patch.syspath_prepend(str(tmp_path / "modules"))
        both = evaluate.combine([str(FOLDER / "prec_at_k"), str(FOLDER / "top_k_accuracy")])
        result: dict[str, Any] = both.compute(
            predictions=[row for row, _, _ in TABLE], references=[[0, 1, 2]] * len(TABLE)
        )
    # By hand: 2 rows with three correct, 5 with two, 7 with one, 6 with none.
    assert [hits for _, hits, _ in TABLE].count(1) == 7
    assert result["prec_at_1"] == pytest.approx((2 + 5 + 7) / 20)
    assert result["prec_at_2"] == pytest.approx((2 * 2 + 5 * 2 + 7 * 1) / 40)
    assert result["prec_at_3"] == pytest.approx((2 * 3 + 5 * 2 + 7 * 1) / 60)
    assert result["top_1_accuracy"] == pytest.approx(7 / 20)
    assert result["top_2_accuracy"] == pytest.approx(11 / 20)
    assert result["top_3_accuracy"] == pytest.approx(14 / 20)
    assert [place for _, _, place in TABLE].count(1) == 7 and [p for _, _, p in TABLE].count(2) == 4


def test_a_million_rows() -> None:
    n = 1_000_000
    rng = np.random.default_rng(0)
    starts = rng.integers(0, 15, n).tolist()
    predictions = [[s, (s + 4) % 18, (s + 9) % 18] for s in starts]
    references = [[0, 1, 2]] * n
    for metric in (prec_at_k, top_k_accuracy):
        started = time.perf_counter()
        metric(predictions, references)
        took = time.perf_counter() - started
        print(f"{metric.__name__}: {took:.2f} s")
        assert took < 20
