"""The papers' tables with our rows: which cells are filled, what is said beside them, and every format's form."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from punctum import discovery
from punctum.cli import main
from punctum.evaluators import benchmark_of
from punctum.prompts import Prompts
from punctum.report.correlating import correlations
from punctum.report.grids import Grid, Line, Number, comma_separated, escape, latex, sheet_of, signed, with_common_notes
from punctum.report.layouts import layouts
from punctum.report.paper_tables import bare, paper_tables
from punctum.report.ranking import rankings
from punctum.report.runs import Run


def run(
    folder: Path,
    task: str,
    metrics: dict[str, float],
    model: str = "m",
    intervals: dict[str, list[float]] | None = None,
    breakdowns: dict[str, Any] | None = None,
    backend: str = "transformers-image-text",
    **fields: str | None,
) -> Run:
    """A run's folder with one task, as `punctum run` would write it; `fields` go into the signature."""
    parts = {
        "task": task, "data": "published@0123", "rows": "aa", "n": "10", "setting": "vlm", "order": "published",
        "model": model, "backend": backend, "scoring": "generate", "parser": "robust", **fields,
    }  # fmt: skip
    benchmark, _, name = task.partition("/")
    value = {
        "schema_version": 1,
        "benchmark": benchmark,
        "model": {"id": model, "revision": None, "backend": backend, "dtype": None, "quantization": None},
        "tasks": {
            name: {
                "n": 10, "n_unparsed": 2, "n_failed": 0, "metrics": metrics, "intervals": intervals or {},
                "breakdowns": breakdowns or {}, "signature": "|".join(f"{k}:{v}" for k, v in parts.items() if v),
            }
        },
        "environment": {},
    }  # fmt: skip
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(value))
    return Run.load(folder)


def ours(grid: Grid) -> dict[str, dict[str, str]]:
    """Label to column to text, of our rows."""
    return {
        " ".join(line.labels).strip(): {c: cell.text for c, cell in zip(grid.columns, line.cells, strict=True) if cell}
        for line in grid.lines
        if line.kind == "ours"
    }


def tables(runs: list[Run], compare: bool = False) -> dict[str, Grid]:
    return {grid.name: grid for grid in paper_tables(runs, compare)}


def test_scores_of_several_runs_of_a_model_make_one_row(tmp_path: Path) -> None:
    """DeepEval's Table 4: one run without a description, one with the model's own, one with the annotators'."""
    task = "deepeval/deep_semantics"
    runs = [
        run(tmp_path / str(i), task, {"accuracy": value, "std_sample": 0.01}, describe=describe)
        for i, (value, describe) in enumerate([(0.5, None), (0.6, "self"), (0.7, "annotated")])
    ]
    found = tables(runs)
    row = ours(found["deepeval-4"])["m"]
    assert {k: row[k] for k in ("DS", "DS (GeneDesc)", "DS (AnnoDesc)")} == {
        "DS": "50.00", "DS (GeneDesc)": "60.00", "DS (AnnoDesc)": "70.00",
    }  # fmt: skip
    assert (row["n"], row["unparsed"]) == ("30", "6")
    assert found["deepeval-4"].lines[0].notes == ()  # the columns say what was in the prompt
    assert ours(found["deepeval-3"])["m"]["DeepSemantics"] == "50.00±1.00"
    [_, own, annotated] = found["deepeval-3"].lines  # there a row each, told apart and marked
    assert own.labels[0] != annotated.labels[0]
    assert own.notes == ("with the model's own description in the prompt",)


def test_scores_that_were_asked_in_different_ways_do_not_share_a_row(tmp_path: Path) -> None:
    runs = [
        run(tmp_path / "a", "deepeval/title", {"accuracy": 0.5}),
        run(tmp_path / "b", "deepeval/description", {"accuracy": 0.25}, setting="lm"),
        run(tmp_path / "c", "deepeval/deep_semantics", {"accuracy": 0.75}),
    ]
    first, second = tables(runs)["deepeval-3"].lines
    assert [cell and cell.text for cell in first.cells[:3]] == [None, "50.00", "75.00"]
    assert [cell and cell.text for cell in second.cells[:3]] == ["25.00", None, None]
    assert (first.notes, second.notes) == ((), ("asked without the picture",))


def test_conditions_decide_in_which_table_a_score_stands(tmp_path: Path) -> None:
    metrics = dict.fromkeys(("prec_at_1", "prec_at_2", "prec_at_3", "average", "average_of_precisions"), 0.5)
    for folder, fields, wanted in (
        ("full", {"context": "I"}, {"3", "11"}),
        ("small", {"context": "I", "subset": "small"}, {"4", "6", "9", "10", "12"}),
        ("easy", {"context": "I", "subset": "small", "negatives": "easy"}, {"6"}),
        ("typical", {"context": "T_V", "subset": "typical"}, {"13"}),
    ):
        found = tables([run(tmp_path / folder, "pitt_ads/arr", metrics, **fields)])
        assert {name.removeprefix("pitt_ads-") for name in found} == wanted
        assert all(label.split()[1] == fields["context"] for grid in found.values() for label in ours(grid))
    assert ours(found["pitt_ads-13"])["m T_V"]["Precision@1"] == "50.00"
    small = tables([Run.load(tmp_path / "small")])
    assert ours(small["pitt_ads-9"])["m I"]["avg"] == "50.00"


def test_what_a_context_tells_of_a_picture_is_no_caption(tmp_path: Path) -> None:
    told = run(tmp_path / "a", "pitt_ads/arr", {"average": 0.5}, context="T_V+s_IN", setting="sm")
    assert tables([told])["pitt_ads-3"].lines[0].notes == ()
    captioned = run(tmp_path / "b", "whoops/explanation", {"accuracy": 0.5}, setting="sm")
    assert "a caption instead of the picture" in str(rankings([captioned])[0])


def test_cells_out_of_breakdowns(tmp_path: Path) -> None:
    breakdowns = {"q_acc_by_category": {"B1": {"q_acc": 0.25}, "E1": {"q_acc": 0.125}}}
    found = tables([run(tmp_path / "a", "mvp_bench/yes_no", {"q_acc_low": 0.5}, breakdowns=breakdowns)])
    row = ours(found["mvp_bench-appendix-4"])["m"]
    assert (row["background (B1)"], row["gesture (E1)"]) == ("25.00", "12.50")
    assert "object association (B3)" not in row
    modes = {"by_group": {"vcr": {"accuracy": 0.75}}, "failure_modes": {"FS": 3, "SU": 2, "NE": 1}}
    found = tables([run(tmp_path / "b", "vague/mcq", {"accuracy": 0.5, "n_valid": 8.0}, breakdowns=modes)])
    assert ours(found["vague-1"])["m"]["VCR VLM"] == "75.00"
    assert ours(found["vague-j5"])["m all vlm"]["FS"] == "3"
    assert "vague-3" not in found  # a table of chains of thought says nothing without one
    found = tables([run(tmp_path / "c", "vague/mcq", {"accuracy": 0.5}, cot="True")])
    assert ours(found["vague-3"])["m all"]["VLM + CoT"] == "50.00"
    assert "vague-1" not in found
    assert found["vague-j5"].lines[0].labels == ("m", "all", "vlm", "CoT")
    assert found["vague-j5"].lines[0].notes == ()  # a label says it


def test_published_rows_stand_beside_ours(tmp_path: Path) -> None:
    metrics = {"circular_accuracy_low": 0.25, "circular_accuracy_high": 0.5}
    mine = run(tmp_path / "a", "mvp_bench/mcq_cross", metrics, model="org/LLaVA-v1.5-7b-hf",
               intervals={"circular_accuracy_low": [0.2, 0.3]})  # fmt: skip
    other = run(tmp_path / "b", "mvp_bench/mcq_cross", metrics, model="new")
    grid = tables([mine, other], compare=True)["mvp_bench-outputs"]
    labels = [line.labels[0] for line in grid.lines]
    at = labels.index("LLaVA-1.5-7B")
    assert labels[at : at + 3] == ["LLaVA-1.5-7B", "org/LLaVA-v1.5-7b-hf", "  ours − published"]
    assert labels[-1] == "new"
    assert [line.begins for line in grid.lines] == [False] * (len(labels) - 1) + [True]
    difference = dict(zip(grid.columns, grid.lines[at + 2].cells, strict=True))
    assert difference["CI low, circular"].text == "+4.74"  # type: ignore[union-attr]
    assert difference["CI low, direct"] is None
    assert "mvp_bench-outputs" in tables([mine])
    assert all(line.kind == "ours" for line in tables([mine])["mvp_bench-outputs"].lines)


def test_doubtful_published_cells_say_so(tmp_path: Path) -> None:
    mine = run(tmp_path / "a", "pitt_ads/arr", {"average": 0.5}, context="I")
    grid = tables([mine], compare=True)["pitt_ads-3"]
    line = next(line for line in grid.lines if line.labels[0] == "InternVL-Chat-V1-1")
    notes = dict(zip(grid.columns, line.cells, strict=True))["Avg"].notes  # type: ignore[union-attr]
    assert "published 30.07: not the mean of the row" in notes


@pytest.mark.parametrize(
    ("ours_name", "theirs"),
    [("llava_v1.5_7b", "LLaVA-1.5-7B"), ("GPT4V", "GPT-4V"), ("MiniGPT-4-v1-7B", "MiniGPT-4-v1-7B"),
     ("liuhaotian/llava-v1.5-13b", "LLaVA-1.5-13B")],
)  # fmt: skip
def test_names_of_one_model(ours_name: str, theirs: str) -> None:
    assert bare(ours_name) == bare(theirs)
    assert bare("llava-1.6-7b") != bare("LLaVA-1.5-7B")


def test_every_layout_fits_the_tasks() -> None:
    """Tasks and metrics of all sources exist, so that no column stays empty for a slip of the pen."""
    for name in discovery.benchmarks():
        known = layouts(name)
        assert known is not None
        tasks = {f"{name}/{task.name}": task for task in benchmark_of(name).tasks}
        for layout in known.tables:
            assert {column.name for column in layout.columns} >= set(layout.needs)
            sources = [source for column in layout.columns for source in column.sources]
            for source in (s for s in sources if s.task.startswith(f"{name}/") and not s.task.endswith("_free")):
                headline = (*tasks[source.task].headline, "average_of_precisions", "accuracy", "circular_accuracy")
                assert source.breakdown or source.metric.startswith("acc_") or source.metric in headline, source  # type: ignore[union-attr]


# Correlations


def test_generation_against_choice_over_models(tmp_path: Path) -> None:
    """DeepEval's Table 7; the paper's own coefficients are those of its printed cells."""
    accuracy = {"a": 0.1, "b": 0.5, "c": 0.6, "d": 0.9}
    judged = {"a": 0.2, "b": 0.4, "c": 0.7, "e": 0.9}
    runs = [run(tmp_path / f"x{m}", "deepeval/title", {"accuracy": v}, model=m) for m, v in accuracy.items()]
    assert correlations(runs, True) == []
    runs += [run(tmp_path / f"y{m}", "deepeval/title_free", {"judged_accuracy": v}, model=m) for m, v in judged.items()]
    runs += [run(tmp_path / "z", "deepeval/title_free", {"judged_accuracy": 0.0}, model="d", limit="5")]
    runs = [run(tmp_path / "i", "deepeval/title_free", {"judged_accuracy": 0.9}, model="a", ids="5,01"), *runs]
    [grid] = correlations(runs, True)
    cells = {line.labels: [cell.text for cell in line.cells if cell] for line in grid.lines}
    wanted = stats.pearsonr([0.1, 0.5, 0.6], [0.2, 0.4, 0.7]).statistic
    assert cells["Title", "ours"] == [f"{wanted:.2f}", "3"]
    for name, printed in (("Description", "0.95"), ("Title", "0.92"), ("DeepSemantics", "0.96")):
        assert cells[name, "as printed"] == [printed]
        assert cells[name, "from the printed cells"] == [printed, "5"]
    [alone] = correlations([r for r in runs if r.model.id in "ab"], False)
    assert not alone.lines
    assert alone.notes == ("Too few models with both scores (3 are needed): Title: a, b.",)


# Marks


def notes(folder: Path, **more: Any) -> list[str]:
    [grid] = rankings([run(folder, "vague/mcq", {"accuracy": 0.5}, **more)])
    return list(grid.lines[0].notes)


def test_samples_limits_and_files_are_marked(tmp_path: Path) -> None:
    assert notes(tmp_path / "a", data="sample", limit="8") == ["the package's sample", "the first 8 rows only"]
    assert notes(tmp_path / "i", ids="8,0123456789ab") == ["chosen questions only (8 ids)"]
    assert notes(tmp_path / "b", backend="file") == ["answers from a file: how they were asked is not known"]
    assert notes(tmp_path / "d", data="local") == ["data that are not known to be the published ones"]
    [grid] = rankings([run(tmp_path / "e", "deepeval/title", {"accuracy": 0.5, "accuracy_slot_2": 0.5})])
    assert grid.lines[0].notes == ("only prompt 2 of 3",)
    assert notes(tmp_path / "c", subset="vcr", setting="lm") == ["subset vcr", "asked without the picture"]


def test_prompts_of_ours_and_of_the_user_are_marked(tmp_path: Path) -> None:
    prompts = Prompts()
    used = {name: f"{name}@{prompts.hash(name)}" for name in ("vague/mcq_sm", "vague/caption")}
    assert notes(tmp_path / "a", prompts=used["vague/mcq_sm"]) == []
    assert notes(tmp_path / "b", prompts="+".join(used.values())) == [
        "prompts of ours, for which the paper gives none: vague/caption"
    ]
    assert notes(tmp_path / "c", prompts="vague/mcq_sm@000000000000") == ["prompts replaced by the user: vague/mcq_sm"]


def test_other_ways_of_asking_and_reading_are_marked(tmp_path: Path) -> None:
    more = {"breakdowns": {"parse_rate": {"robust": 1.0, "paper": 0.9}}}
    assert notes(tmp_path / "a", **more) == ["read by the robust parser, not by the paper's"]
    assert notes(tmp_path / "b", parser="paper", **more) == []
    assert notes(tmp_path / "c", scoring="likelihood,letter") == ["chosen by likelihood (letter)"]
    assert notes(tmp_path / "r", scoring="rank") == ["ranked by likeness to the picture or to what is told of it"]
    assert notes(tmp_path / "d", order="shuffled,seed=3") == ["options in an order of our own (shuffled,seed=3)"]
    assert notes(tmp_path / "e", system="0123") == ["with a system prompt"]


# Rankings


@pytest.mark.parametrize("metrics", [{}, {"accuracy": None}])
def test_a_task_in_which_nothing_was_measured_is_shown_all_the_same(tmp_path: Path, metrics: dict[str, Any]) -> None:
    folders = [run(tmp_path / name, "vague/mcq", metrics, model=name).folder for name in "ab"]
    assert main(["report", *map(str, folders), "--out", str(tmp_path / "report"), "--quiet"]) == 0
    [grid] = rankings([Run.load(folder) for folder in folders])
    assert [line.labels for line in grid.lines] == [("a",), ("b",)] and grid.columns == ("n", "unparsed", "failed")


def test_a_ranking_holds_only_what_is_comparable(tmp_path: Path) -> None:
    best = run(tmp_path / "a", "vague/mcq", {"accuracy": 0.9}, model="best")
    worst = run(tmp_path / "b", "vague/mcq", {"accuracy": 0.2}, model="worst", generation="max_new_tokens=9")
    apart = run(tmp_path / "c", "vague/mcq", {"accuracy": 0.95}, model="apart", setting="lm", rows="bb", n="4")
    first, second = rankings([worst, apart, best])
    assert [line.labels[0] for line in first.lines] == ["best", "worst"]
    assert [line.labels[0] for line in second.lines] == ["apart"]
    assert (first.name, second.name) == ("scores-vague-mcq-set-1", "scores-vague-mcq-set-2")
    assert "Beside the models these differ: generation." in first.notes
    [why] = [note for note in first.notes if note.startswith("Not ranked here")]
    assert why == "Not ranked here: apart. Other rows aa against bb; n 10 against 4; setting vlm against lm."


# Formats

AWKWARD = Grid(
    "a_b",
    "T & 50 % of {x} #1 ~ ^ \\ $",
    ("model_name", "k"),
    ("score", "count"),
    (
        Line(("pub, \"x\"\n[1]", "|"), (Number("72.83±6.81"), None), "published"),
        Line(("mine", "<b>"), (Number("5.00", ("1.00", "9.00"), ("why",)), Number("1,234")), "ours", ("a; b", "why")),
        Line(("  d", ""), (Number("−1.50"), Number("+2")), "difference"),
    ),
    ("The end.",),
)  # fmt: skip


def test_csv_is_parsable_and_its_numbers_are_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(comma_separated(AWKWARD)), strict=True))
    assert list(rows[0]) == [
        "model_name",
        "k",
        "source",
        "score",
        "score spread",
        "score low",
        "score high",
        "count",
        "notes",
    ]
    assert rows[0]["model_name"] == 'pub, "x"\n[1]'
    assert [(row["source"], row["score"], row["count"]) for row in rows] == [
        ("published", "72.83", ""), ("ours", "5.00", "1234"), ("difference", "-1.50", "2"),
    ]  # fmt: skip
    assert (rows[0]["score spread"], rows[1]["score low"], rows[1]["score high"]) == ("6.81", "1.00", "9.00")
    assert rows[1]["notes"] == "a; b; why; score: why"
    for row in rows:
        assert all(float(row[name]) is not None for name in row if name.startswith(("score", "count")) and row[name])


def test_latex_is_escaped_and_of_one_form() -> None:
    text = latex(AWKWARD)
    assert r"\caption{T \& 50 \% of \{x\} \#1 \textasciitilde{} \textasciicircum{} \textbackslash{} \$}" in text
    body = text.partition("\\midrule\n")[2].partition("\\bottomrule")[0].splitlines()
    rows = [line for line in body if line.endswith(r" \\")]
    assert len(rows) == 4  # a row of intervals, too
    assert all(len(re.findall(r"(?<!\\)&", row)) == 3 for row in rows)
    assert not any(row.startswith("[") for row in rows)
    assert {len(re.findall(rf"\\{word}{{(table|tabular)}}", text)) for word in ("begin", "end")} == {2}
    unescaped = re.sub(r"\\[\\&%$#_{}]|\\[a-zA-Z]+", "", text.replace(r"{[}", "").replace(r"{]}", ""))
    assert unescaped.count("{") == unescaped.count("}")
    assert not re.search(r"[_^#~<>|]", re.sub(r"\$\\?[a-z-]+\$", "", unescaped))


def test_every_ascii_character_is_escaped_or_plain() -> None:
    assert [c for c in map(chr, range(33, 127)) if escape(c) != c] == sorted("\\&%$#_{}~^<>|[]")


def test_footnotes_are_numbered_as_they_are_met() -> None:
    sheet = sheet_of(AWKWARD)
    assert sheet.rows[1][0] == "mine [1, 2]"
    assert sheet.rows[1][2] == "5.00 [2]"
    assert sheet.rows[2] == ("  95 % interval", "", "1.00–9.00", "")
    assert list(sheet.notes) == ["[1] a; b", "[2] why", "The end."]
    assert len(sheet_of(AWKWARD, intervals=False).rows) == 3


def test_notes_of_all_rows_stand_once() -> None:
    lines = tuple(Line((name,), (Number("1"),), "ours", ("same", *more)) for name, more in (("a", ()), ("b", ("own",))))
    grid = with_common_notes(Grid("g", "t", ("m",), ("c",), lines))
    assert [line.notes for line in grid.lines] == [(), ("own",)]
    assert grid.notes == ("All rows: same.",)


def test_differences_have_a_sign_and_zero_has_none() -> None:
    assert [signed(v) for v in (1.234, -0.5, 0.0, -0.001)] == ["+1.23", "−0.50", "0.00", "0.00"]


def test_the_command_prints_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path / "a", "vague/mcq", {"accuracy": 0.5}, intervals={"accuracy": [0.25, 0.75]})
    for form, wanted in (
        ("screen", "┏━"), ("markdown", "### vague/mcq: scores ×100"), ("latex", r"\toprule"), ("csv", "model,source,"),
    ):  # fmt: skip
        assert main(["report", str(tmp_path / "a"), "--format", form]) == 0
        printed = capsys.readouterr().out
        assert wanted in printed
        assert "50.00" in printed
    assert main(["report", str(tmp_path / "a"), "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["report", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err
