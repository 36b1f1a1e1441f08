"""Paired tests against second sources: scipy's binomial test and bootstrap, and Holm's rule written out."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from punctum.cli import main
from punctum.evaluators.counting import Intervals, Measured, Meter
from punctum.report.comparing import comparisons
from punctum.report.lines import Key
from punctum.report.paired import (
    CannotCompare,
    bootstrap_p,
    compare,
    holm,
    mcnemar,
    resampled_together,
)
from punctum.report.recounting import CannotRecount, Recounted, recount
from punctum.report.runs import Run, load_runs


@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 1), (3, 2), (10, 2), (25, 27), (92, 29), (0, 250), (1200, 1100)])
def test_mcnemar_is_the_binomial_test(b: int, c: int) -> None:
    wanted = 1.0 if b + c == 0 else stats.binomtest(b, b + c, 0.5).pvalue
    assert mcnemar(b, c) == pytest.approx(wanted, rel=1e-9)
    assert mcnemar(b, c) == mcnemar(c, b)


def test_holm_by_hand_and_by_definition() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])  # 0.005·4, 0.01·3, 0.03·2, ≥
    assert holm([]) == []
    draw = random.Random(3)
    for _ in range(50):
        values = [draw.random() ** 3 for _ in range(draw.randint(1, 8))]
        ranked = sorted(values)
        wanted = {v: min(1.0, max((len(values) - j) * ranked[j] for j in range(i + 1))) for i, v in enumerate(ranked)}
        assert holm(values) == pytest.approx([wanted[v] for v in values])


def recounted(rows: Sequence[tuple[str, float]], metric: str = "accuracy") -> Recounted:
    """Rows of (cluster, value), a question each."""
    meter = Meter()
    shown = {}
    for place, (cluster, value) in enumerate(rows):
        meter.add(metric, cluster, value)
        shown[Key(str(place), None, 1)] = "same"
    measured = meter.intervals(0.95, 0, 0).measured
    assert measured is not None
    return Recounted(measured, shown)


def compared(one: Recounted, other: Recounted, n_resamples: int = 4000):  # type: ignore[no-untyped-def]
    values = resampled_together([one.measured, other.measured], n_resamples)
    return compare("accuracy", one, other, *values)


def test_items_of_their_own_are_tested_by_mcnemar() -> None:
    first = [1, 1, 1, 1, 1, 1, 0, 0, 1, 0]
    second = [0, 0, 0, 1, 1, 0, 1, 0, 0, 0]
    found = compared(*(recounted([(str(i), v) for i, v in enumerate(values)]) for values in (first, second)))
    assert (found.test, found.n, found.only_first, found.only_second) == ("McNemar", 10, 5, 1)
    assert found.difference == pytest.approx(0.4)
    assert found.p == pytest.approx(stats.binomtest(1, 6).pvalue)
    turned = compared(*(recounted([(str(i), v) for i, v in enumerate(values)]) for values in (second, first)))
    assert (turned.difference, turned.p) == (pytest.approx(-0.4), found.p)


def test_the_interval_of_a_difference_is_scipys() -> None:
    generator = np.random.default_rng(1)
    first, second = generator.random(80), generator.random(80) * 0.8
    found = compared(*(recounted([(str(i), v) for i, v in enumerate(values)]) for values in (first, second)), 20_000)
    wanted = stats.bootstrap(
        (first, second), lambda a, b, axis: a.mean(axis) - b.mean(axis), paired=True, method="percentile",
        n_resamples=20_000, rng=np.random.default_rng(2),
    )  # fmt: skip
    assert found.test == "bootstrap"
    assert found.interval == pytest.approx(tuple(wanted.confidence_interval), abs=0.003)
    permuted = stats.permutation_test(
        (first, second), lambda a, b, axis: a.mean(axis) - b.mean(axis), permutation_type="samples",
        n_resamples=20_000, rng=np.random.default_rng(2),
    )  # fmt: skip
    assert found.p == pytest.approx(permuted.pvalue, abs=0.02)


def test_questions_on_one_picture_are_drawn_together() -> None:
    """Ten copies of each item in its cluster tell no more than one: the interval must not shrink."""
    values = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1]
    once = [recounted([(str(i), v) for i, v in enumerate(values[k:] + values[:k])]) for k in (0, 5)]
    tenfold = [
        recounted([(str(i), v) for i, v in enumerate(values[k:] + values[:k]) for _ in range(10)]) for k in (0, 5)
    ]
    assert compared(*once).interval == pytest.approx(compared(*tenfold).interval)
    assert compared(*tenfold).test == "bootstrap"  # items of one picture are not independent


def test_equal_runs_do_not_differ() -> None:
    one = recounted([("a", 0.5), ("a", 1.0), ("b", 0.25)])
    found = compared(one, one)
    assert (found.difference, found.interval, found.p) == (0.0, (0.0, 0.0), 1.0)
    assert bootstrap_p(np.full(999, 0.1)) == pytest.approx(2 / 1000)


def test_derived_scores_keep_the_dependence_of_their_parts() -> None:
    """The mean over slots, resampled, is the mean of the resampled slots."""

    def parts(shift: float) -> Measured:
        meter = Meter()
        for i in range(40):
            for slot in ("1", "2"):
                meter.add(slot, str(i), float((i * 7 + int(slot) * 3) % 5 < 2 + shift))
        both = meter.intervals(0.95, 0, 0, (("accuracy",), lambda values: values.mean(1, keepdims=True)))
        assert isinstance(both, Intervals)
        assert both.measured is not None
        return both.measured

    [first, second] = resampled_together([parts(1), parts(0)], 500)
    assert set(first) == {"accuracy"}
    assert first["accuracy"].shape == (500,)
    assert (first["accuracy"] >= second["accuracy"]).all()  # the same resamples: a right answer more is never worse


def test_other_questions_are_not_compared() -> None:
    one = recounted([("a", 1), ("b", 0)])
    other = Recounted(one.measured, dict.fromkeys(one.shown, "other"))
    with pytest.raises(CannotCompare, match="2 questions show other options"):
        compared(one, other)
    with pytest.raises(CannotCompare, match="no question in common"):
        compared(one, Recounted(one.measured, {Key("z", None, 1): "same"}))
    with pytest.raises(CannotCompare, match="not there in both"):
        compare("accuracy", one, recounted([("a", 1), ("b", 0)], "else"), {}, {})
    longer = recounted([("a", 1), ("b", 0), ("b", 1)])
    with pytest.raises(CannotCompare, match="1 questions were put to one of them only"):
        compared(one, longer)


# Whole runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Sample runs of two baselines: MVP-Bench with and without rotations, DeepEval, label sets, retrieval."""
    out = tmp_path_factory.mktemp("runs")
    found = {}
    for name, task, *more in (
        ("mvp", "mvp_bench", "--circular"),
        ("direct", "mvp_bench/mcq_cross"),
        ("deepeval", "deepeval/title"),
        ("mac", "pitt_ads/mac"),
        ("arr", "pitt_ads/arr"),
    ):
        for model in ("random", "first"):
            found[f"{name}-{model}"] = out / f"{name}-{model}"
            command = ["run", task, "--model", f"baseline:{model}", "--sample", "--quiet", "--no-pictures"]
            assert main([*command, *more, "--resamples", "20", "--out", str(found[f"{name}-{model}"])]) == 0
    return found


def test_counting_again_gives_every_score(runs: dict[str, Path]) -> None:
    checked = 0
    for path in runs.values():
        run = Run.load(path)
        for score in run.tasks.values():
            measured = recount(run, score).measured  # raises if one differs
            assert set(score.intervals) <= set(measured.names)
            assert len(measured.clusters) > 5
            checked += 1
    assert checked == 14


def test_the_tables_of_two_baselines(runs: dict[str, Path]) -> None:
    found = comparisons(load_runs([runs["mvp-random"], runs["mvp-first"]]))
    assert [grids[0].title.partition(":")[0] for grids in found] == [
        "mvp_bench/yes_no, q_acc_low", "mvp_bench/mcq_single, accuracy", "mvp_bench/mcq_cross, accuracy_low",
    ]  # fmt: skip
    first, second = (Run.load(runs[name]).tasks["yes_no"].metrics for name in ("mvp-random", "mvp-first"))
    for grid, metric in zip(found[0], ("q_acc_low", "q_acc_high", "i_acc_source"), strict=False):
        [line] = grid.lines
        assert line.labels == ("baseline:random", "baseline:first")
        value = float(line.cells[0].text.replace("−", "-"))  # type: ignore[union-attr]
        assert value == pytest.approx(100 * (first[metric] - second[metric]), abs=0.005)  # type: ignore[operator]


def test_runs_that_share_only_some_questions(runs: dict[str, Path]) -> None:
    """Direct answers are compared with those of a run that also has rotations, and circular ones are not."""
    [grids] = comparisons(load_runs([runs["direct-random"], runs["mvp-first"]]))
    assert [grid.title.split(", ")[1].split(":")[0] for grid in grids] == ["accuracy_low", "accuracy_high"]
    assert not any(note.startswith("Not compared") for note in grids[0].notes)


def test_a_judges_verdicts_are_counted_again(tmp_path: Path) -> None:
    for name in ("first", "second"):
        lines = [
            {"id": f"Img{i}", "task": "title_free", "output": "A title", "verdict": "Yes" if draw else "No"}
            for i, draw in enumerate(random.Random(name).choices((True, False), k=24), 1)
        ]
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        command = ["score", "deepeval/title_free", "--sample", "--predictions", str(file), "--verdicts", str(file)]
        assert main([*command, "--out", str(tmp_path / name), "--quiet", "--no-pictures"]) == 0
    [[grid]] = comparisons(load_runs([tmp_path / "first", tmp_path / "second"]))
    assert grid.title == "deepeval/title_free, judged_accuracy: paired comparisons"
    assert len(grid.lines) == 1


def test_a_score_by_a_model_is_not_counted_again(tmp_path: Path) -> None:
    command = ["run", "pitt_ads/aor", "--sample", "--limit", "3", "--quiet", "--no-pictures", "--model"]
    for name in ("random", "first"):
        assert main([*command, f"baseline:{name}", "--out", str(tmp_path / name)]) == 0
    [[grid]] = comparisons(load_runs([tmp_path / "random", tmp_path / "first"]))
    assert grid.notes[0] == (
        "Not compared: baseline:random. A model compares the texts of pitt_ads/aor, and what it finds is not kept in a "
        "run's folder."
    )


def test_macro_averages_and_precision_are_compared_too(runs: dict[str, Path]) -> None:
    [mac] = comparisons(load_runs([runs["mac-random"], runs["mac-first"]]))
    assert "precision_macro" in mac[0].title
    assert any("No paired test of roc_auc_macro" in note for note in mac[0].notes)
    [arr] = comparisons(load_runs([runs["arr-random"], runs["arr-first"]]))
    assert [grid.name for grid in arr][-1] == "paired-pitt_ads-arr-average"
    [deepeval] = comparisons(load_runs([runs["deepeval-random"], runs["deepeval-first"]]))
    assert len(deepeval) == 1
    assert "24" in [cell.text for cell in deepeval[0].lines[0].cells if cell]  # pictures, not answers


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda f: (f / "samples.jsonl").unlink(), "has no samples.jsonl"),
        (lambda f: (f / "predictions.jsonl").unlink(), "has no predictions.jsonl"),
        (lambda f: cut(f, "predictions.jsonl", 5), "5 lines for pitt_ads/arr, and 12"),
        (lambda f: cut(f, "samples.jsonl", 5), "not of the same questions"),
        (lambda f: another_answer(f), "results.json says"),
        (lambda f: another_answer(f, [-1, 0, 1]), "copy: not the lines of pitt_ads/arr "),
    ],
)
def test_a_folder_that_does_not_fit_its_score(runs: dict[str, Path], tmp_path: Path, damage, reason: str) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "copy"
    shutil.copytree(runs["arr-random"], folder)
    damage(folder)
    run = Run.load(folder)
    with pytest.raises(CannotRecount, match=reason):
        recount(run, run.tasks["arr"])
    [[grid]] = comparisons(load_runs([folder, runs["arr-first"]]))
    assert not grid.lines
    assert grid.notes[0].startswith("Not compared: baseline:random. ")


def cut(folder: Path, name: str, lines: int) -> None:
    path = folder / name
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:lines]), encoding="utf-8")


def another_answer(folder: Path, parsed: list[int] | None = None) -> None:
    path = folder / "predictions.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["parsed"] = parsed
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
