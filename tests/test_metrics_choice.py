"""The metrics of choice, yes/no and prompt slots against a second source."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punctum.metrics.circular_accuracy.core import circular_accuracy, circular_units, option_letter
from punctum.metrics.mcq_accuracy.core import mcq_accuracy, mcq_correct
from punctum.metrics.paired_yes_no.core import METRICS, paired_units, paired_yes_no, relative_gap
from punctum.metrics.prompt_spread.core import prompt_spread

single = st.tuples(st.none() | st.integers(0, 4), st.integers(0, 4))


@settings(deadline=None)
@given(st.lists(single, min_size=1, max_size=30))
def test_mcq_accuracy_is_sklearns(rows: list[tuple[int | None, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    chosen, correct = zip(*rows, strict=True)
    result = mcq_accuracy(chosen, correct)
    as_numbers = [-1 if index is None else index for index in chosen]
    assert result["accuracy"] == pytest.approx(metrics.accuracy_score(correct, as_numbers))
    read = [(p, c) for p, c in rows if p is not None]
    if read:
        assert result["accuracy_answered"] == pytest.approx(
            metrics.accuracy_score([c for _, c in read], [p for p, _ in read])
        )
    assert mcq_correct(chosen, correct).tolist() == [p == c for p, c in rows]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sets(st.integers(0, 3)), st.sets(st.integers(0, 3), min_size=1)), min_size=1))
def test_mcq_sets_are_compared_whole(rows: list[tuple[set[int], set[int]]]) -> None:
    result = mcq_accuracy([list(p) for p, _ in rows], [list(c)[::-1] for _, c in rows])
    assert result["accuracy"] == pytest.approx(statistics.mean(float(p == c) for p, c in rows))


def test_numpy_columns() -> None:
    chosen, correct = np.array([0, 1, 2]), np.array([0, 1, 1])
    assert mcq_accuracy(chosen, correct)["n"] == 3
    groups = np.array(["a", "a", "b"])
    assert circular_accuracy(chosen, correct, groups, n_rotations=np.array([2, 2, 1]))["circular_accuracy"] == 0.5
    assert prompt_spread(correct=chosen == correct, slots=np.array([1, 2, 2]))["accuracy"] == 0.75
    with pytest.raises(ValueError, match=r"row 0: 0\.0 is not an option index"):
        mcq_accuracy(chosen.astype(float), correct)


circular_rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.none() | st.integers(0, 2), st.integers(0, 2)),
    min_size=1,
    unique_by=lambda row: row[:2],
)


@settings(deadline=None)
@given(circular_rows)
def test_circular_accuracy_by_hand(rows: list[tuple[int, int, int | None, int]]) -> None:
    groups, rotations, chosen, correct = zip(*rows, strict=True)
    result = circular_accuracy(chosen, correct, groups, rotations, n_rotations=3)
    by_group = {
        key: [p == c for _, _, p, c in members]
        for key, members in groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0])
    }
    whole = [all(right) and len(right) == 3 for right in by_group.values()]
    assert result["circular_accuracy"] == pytest.approx(sum(whole) / len(whole))
    assert result["mean_rotation_accuracy"] == pytest.approx(sum(map(sum, by_group.values())) / (3 * len(by_group)))
    loose = circular_accuracy(chosen, correct, groups)
    assert loose["circular_accuracy"] >= result["circular_accuracy"]
    names, passed, right, expected = circular_units(chosen, correct, groups, rotations, 3)
    assert [bool(value) for value in passed] == [all(by_group[name]) and len(by_group[name]) == 3 for name in names]
    assert right.tolist() == [sum(by_group[name]) for name in names]
    assert expected.tolist() == [3] * len(names)


def test_a_letter_bias_shows() -> None:
    """A reader who always says A passes no question and shows it in the letters."""
    correct = [0, 4, 3, 2, 1] * 2
    result = circular_accuracy([0] * 10, correct, ["a"] * 5 + ["b"] * 5)
    assert result["circular_accuracy"] == 0 and result["mean_rotation_accuracy"] == pytest.approx(0.2)
    assert result["letter_shares"]["A"] == 1 and result["reference_letter_shares"]["A"] == pytest.approx(0.2)


def test_letters_go_on_beyond_z() -> None:
    assert [option_letter(i) for i in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_prompt_spread_is_the_statistics_modules(scores: list[float]) -> None:
    result = prompt_spread(scores)
    assert result["accuracy"] == pytest.approx(statistics.fmean(scores))
    assert result["variance_population"] == pytest.approx(statistics.pvariance(scores), abs=1e-12)
    assert result["variance_sample"] == pytest.approx(statistics.variance(scores), abs=1e-12)
    assert result["std_population"] == pytest.approx(statistics.pstdev(scores), abs=1e-9)
    assert result["std_sample"] == pytest.approx(statistics.stdev(scores), abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 3)), min_size=1))
def test_prompt_spread_of_rows_is_that_of_their_means(rows: list[tuple[bool, int]]) -> None:
    slots = sorted({slot for _, slot in rows})
    means = [statistics.fmean(right for right, at in rows if at == slot) for slot in slots]
    by_rows = prompt_spread(correct=[right for right, _ in rows], slots=[slot for _, slot in rows])
    by_scores = prompt_spread(means)
    for key in ("accuracy", "variance_population", "variance_sample", "range"):
        assert by_rows[key] == pytest.approx(by_scores[key])
    assert [by_rows[f"accuracy_slot_{slot}"] for slot in slots] == pytest.approx(means)


paired_rows = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["source", "edited"]),
        st.sampled_from(["low", "high"]),
        st.sampled_from(["q1", "q2", "q3"]),
        st.sampled_from(["yes", "no", None]),
        st.sampled_from(["yes", "no"]),
    ),
    min_size=1,
    unique_by=lambda row: row[:4],
)


@settings(deadline=None)
@given(paired_rows)
def test_paired_yes_no_by_hand(rows: list[tuple[Any, ...]]) -> None:
    pairs, sides, levels, questions, answers, gold = zip(*rows, strict=True)
    result = paired_yes_no(answers, gold, pairs, sides, levels, questions)

    def share(outcomes: list[bool]) -> float | None:
        return sum(outcomes) / len(outcomes) if outcomes else None

    def whole(key: Any, counts: Any) -> float | None:
        units: dict[Any, list[Any]] = {}
        for row in rows:
            units.setdefault(key(row), []).append(row)
        return share([all(r[4] == r[5] for r in unit) for unit in units.values() if counts(unit)])

    for side in ("source", "edited"):
        for level in ("low", "high"):
            expected = share([r[4] == r[5] for r in rows if r[1] == side and r[2] == level])
            assert result[f"acc_{side}_{level}"] == pytest.approx(expected)
        images = whole(lambda r: (r[0], r[1]), lambda unit, side=side: len(unit) > 1 and unit[0][1] == side)
        assert result[f"i_acc_{side}"] == pytest.approx(images)
    for level in ("low", "high"):
        asked = whole(lambda r: (r[0], r[3], r[2]), lambda unit, level=level: len(unit) == 2 and unit[0][2] == level)
        assert result[f"q_acc_{level}"] == pytest.approx(asked)
    assert result["a_acc"] == pytest.approx(share([r[4] == r[5] for r in rows]))
    assert result["m_acc"] == pytest.approx(whole(lambda r: r[0], lambda unit: len(unit) > 3))

    for metric, (names, numerator, denominator) in paired_units(answers, gold, pairs, sides, levels, questions).items():
        assert names == list(dict.fromkeys(pairs)) and len(numerator) == len(names)
        assert int(denominator.sum()) == result[f"n_{metric}"]
        if denominator.sum():
            assert numerator.sum() / denominator.sum() == pytest.approx(result[metric])


def test_units_of_a_pair_are_the_metric_of_that_pair_alone() -> None:
    rng = np.random.default_rng(0)
    keys = [(p, s, lv, q) for p in range(6) for s in ("source", "edited") for lv in ("low", "high") for q in "ab"]
    pairs, sides, levels, questions = (list(column) for column in zip(*keys, strict=True))
    answers, gold = rng.choice(["yes", "no"], size=(2, len(keys))).tolist()
    units = paired_units(answers, gold, pairs, sides, levels, questions)
    for pair in range(6):
        rows = [i for i, p in enumerate(pairs) if p == pair]
        alone = paired_yes_no(*([c[i] for i in rows] for c in (answers, gold, pairs, sides, levels, questions)))
        for metric in METRICS:
            names, numerator, denominator = units[metric]
            at = names.index(pair)
            assert denominator[at] == alone[f"n_{metric}"]
            assert numerator[at] / denominator[at] == pytest.approx(alone[metric])


def test_relative_gap_gives_the_papers_examples() -> None:
    """MVP-Bench: 74.01 to 34.80 is reduced by 52.98 %; 25.99 to 18.06 is not 29.74 % but 30.51 %."""
    assert relative_gap(74.01, 34.80) == pytest.approx(0.5298, abs=5e-5)
    assert relative_gap(25.99, 18.06) == pytest.approx(0.3051, abs=5e-5)
    assert relative_gap(0.0, 0.5) is None and relative_gap(None, 0.5) is None and relative_gap(0.5, None) is None


def test_a_million_rows() -> None:
    """Each core takes a million rows in seconds; the bound is loose, for slow and busy machines."""
    n = 1_000_000
    rng = np.random.default_rng(0)
    chosen, correct = rng.integers(0, 4, n).tolist(), rng.integers(0, 4, n).tolist()
    chosen[::100] = [None] * len(chosen[::100])
    kinds = [("correct", "a", "b", "c")] * n
    words = rng.choice(["yes", "no"], n).tolist()
    cell = list(range(n))
    calls: dict[str, Callable[[], object]] = {
        "mcq_accuracy": lambda: mcq_accuracy(chosen, correct, kinds),
        "circular_accuracy": lambda: circular_accuracy(
            chosen, correct, [i // 4 for i in cell], [i % 4 for i in cell], 4
        ),
        "paired_yes_no": lambda: paired_yes_no(
            words,
            words,
            [i // 8 for i in cell],
            ["edited" if i % 2 else "source" for i in cell],
            ["high" if i % 4 > 1 else "low" for i in cell],
            [f"q{i // 4}" for i in cell],
        ),
        "prompt_spread": lambda: prompt_spread(correct=[c == 0 for c in correct], slots=[i % 3 + 1 for i in cell]),
    }
    for name, call in calls.items():
        started = time.perf_counter()
        call()
        took = time.perf_counter() - started
        print(f"{name}: {took:.2f} s")
        assert took < 20, f"{name} took {took:.1f} s for a million rows"
