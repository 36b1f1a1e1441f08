"""The published tables: every cell stands in the paper, and what does not fit the other cells is listed as a doubt.

The doubts are held both ways: each cell that a rule finds wanting is listed, and each that is listed is wanting.
A number fits a share when it is that share rounded to its digits or cut off after them, since papers do both.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from punctum import discovery
from punctum.evaluators import benchmark_of
from punctum.report.published import Cell, Column, Paper, Row, Table, load, papers, published

ROOT = Path(__file__).resolve().parent.parent
Misfit = tuple[str, tuple[str, ...], tuple[str, ...]]  # table, row, columns
EPSILON = 1e-9
SETS = {"full": 1168, "small": 250, "typical": 250}
PRECISION = ("Precision@1", "Precision@2", "Precision@3")
FIRST = ("Top-1 Acc", "Top-2 Acc", "Top-3 Acc")


def numbers(row: Row, table: Table, *names: str) -> list[Cell]:
    """The cells of a row under these headings."""
    places = [[column.name for column in table.columns].index(name) for name in names]
    cells = [row.cells[place] for place in places]
    assert all(cell is not None for cell in cells)
    return [cell for cell in cells if cell is not None]


def has(table: Table, *names: str) -> bool:
    return set(names) <= {column.name for column in table.columns}


def cells(paper: Paper) -> Iterator[tuple[Table, Row, Column, Cell]]:
    for table in paper.tables:
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                if cell is not None:
                    yield table, row, column, cell


def labels(row: Row) -> tuple[str, ...]:
    return tuple(row.labels.values())


def fits(cell: Cell, n: int) -> bool:
    """Whether some count of n gives the cell, rounded or cut off."""
    count = math.floor(cell.value * n + EPSILON)
    return any(
        abs(share - cell.value) <= cell.step / 2 + EPSILON or -EPSILON <= share - cell.value < cell.step - EPSILON
        for share in (count / n, (count + 1) / n)
    )


# The ads paper


def averages(paper: Paper) -> Iterator[Misfit]:
    """An average is that of its row; with digits cut off everywhere it can be up to two steps lower."""
    for table in paper.tables:
        name = next((name for name in ("Avg", "avg") if has(table, name)), None)
        for row in table.rows if name else ():
            assert name is not None
            parts = numbers(row, table, *PRECISION, *(FIRST[:2] if name == "Avg" else ()))
            [average] = numbers(row, table, name)
            mean = statistics.fmean(cell.value for cell in parts)
            if not -average.step - EPSILON <= mean - average.value < 2 * average.step:
                yield table.number, labels(row), (name,)


def images(row: Row, table: Table) -> list[int]:
    """The numbers of images, up to the size of the set, that give all retrieval scores of a row."""
    headings = [name for name in (*PRECISION, *FIRST) if has(table, name)]
    found = numbers(row, table, *headings)
    size = SETS[table.where["subset"]]
    return [
        n
        for n in range(size, size // 2, -1)
        if all(
            fits(cell, n * (int(name[-1]) if "@" in name else 1)) for name, cell in zip(headings, found, strict=True)
        )
    ]


def rows_without_a_number_of_images(paper: Paper) -> Iterator[Misfit]:
    for table in paper.tables:
        for row in table.rows if has(table, *PRECISION) else ():
            if not images(row, table):
                yield table.number, labels(row), tuple(c.name for c in table.columns if c.name in (*PRECISION, *FIRST))


def the_same_on_two_sets(paper: Paper) -> Iterator[Misfit]:
    """Five equal scores of one model and context on the full and on the small set are no coincidence."""
    full, small = paper.table("3"), paper.table("4")
    names = (*PRECISION, *FIRST[:2])
    for row in full.rows:
        for other in small.rows:
            if labels(row) == labels(other) and numbers(row, full, *names) == numbers(other, small, *names):
                yield full.number, labels(row), names


def repeats(paper: Paper) -> Iterator[Misfit]:
    """The same score of the same model under the same conditions is the same number in every table."""
    found = defaultdict(list)
    for table, row, column, cell in cells(paper):
        conditions = {**table.where, **row.labels, **column.where}
        if column.metric:
            key = (column.task, column.metric, frozenset(pair for pair in conditions.items() if pair[1]))
            found[key].append((table, row, column, cell))
    for group in found.values():
        if len({cell.printed for *_, cell in group}) > 1:
            for table, row, column, _ in group:
                yield table.number, labels(row), (column.name,)


def na_shares(paper: Paper) -> dict[tuple[str, ...], tuple[float, float]]:
    """The share of images with the class NA that each row of Tables 1 and 7 implies: lowest and highest.

    A macro average over five classes and one without NA give NA's own value, 5 with - 4 without. Its area under
    the precision-recall curve from 0/1 predictions is P R + share (1 - R).
    """
    first, second = paper.table("1"), paper.table("7")

    def of_na(row: Row, table: Table, name: str) -> tuple[float, float]:
        with_na, without = numbers(row, table, f"{name}, with NA", f"{name}, without NA")
        middle, slack = 5 * with_na.value - 4 * without.value, 4.5 * with_na.step
        return max(middle - slack, 0.0), min(middle + slack, 1.0)

    shares = {}
    for row in second.rows:
        other = first.row(*labels(row))
        corners = itertools.product(
            of_na(row, second, "AUC-PR"), of_na(other, first, "Precision"), of_na(other, first, "Recall")
        )
        values = [(area - precision * recall) / (1 - recall) for area, precision, recall in corners]
        shares[labels(row)] = (min(values), max(values))
    return shares


def rows_with_another_share_of_na(paper: Paper) -> Iterator[Misfit]:
    shares = na_shares(paper)
    middle = statistics.median(statistics.fmean(share) for share in shares.values())
    for row, (low, high) in shares.items():
        if not low <= middle <= high:
            yield "1", row, ("Precision, with NA", "Precision, without NA")


# DeepEval

DEEPEVAL_COUNTS = {"3": (3003, 3003, 3003), "4": (1001,) * 3, "6": (3 * 74, 3 * 126), "7": (1001,) * 3}


def deepeval_counts(paper: Paper) -> Iterator[Misfit]:
    for number, sizes in DEEPEVAL_COUNTS.items():
        table = paper.table(number)
        for row in table.rows:
            for column, cell, n in zip(table.columns, row.cells, sizes, strict=True):
                if cell is not None and not fits(cell, 100 if labels(row)[0] == "Human" else n):
                    yield number, labels(row), (column.name,)


def spread_kinds(cell: Cell, n: int) -> set[str]:
    """As what the number after ± can be read, if three counts of n have this mean; all in percent."""
    kinds: set[str] = set()
    total = [k for k in range(3 * n + 1) if abs(k / (3 * n) - cell.value) < cell.step]
    for counts in ((a, b, whole - a - b) for whole in total for a in range(whole // 3 + 1) for b in range(a, n + 1)):
        if not counts[1] <= counts[2] <= n:
            continue
        shares = [100 * count / n for count in counts]
        variance = statistics.pvariance(shares)
        read_as = {
            "variance_population": variance,
            "variance_sample": 1.5 * variance,
            "std_population": math.sqrt(variance),
            "std_sample": math.sqrt(1.5 * variance),
        }
        assert cell.spread is not None
        kinds |= {name for name, value in read_as.items() if abs(value - cell.spread) <= 0.005 + EPSILON}
    return kinds


def table_6_spreads(paper: Paper) -> dict[Misfit, set[str]]:
    table = paper.table("6")
    return {
        ("6", labels(row), (column.name,)): spread_kinds(cell, n)
        for row in table.rows
        for column, cell, n in zip(table.columns, row.cells, (74, 126), strict=True)
        if cell is not None
    }


def deepeval_spreads(paper: Paper) -> Iterator[Misfit]:
    return (place for place, kinds in table_6_spreads(paper).items() if not kinds)


# MVP-Bench

MVP_COUNTS = {
    "CI low, direct": 227, "CI low, circular": 227, "CI high, direct": 227, "CI high, circular": 227,
    "SI high, direct": 418, "SI high, circular": 418, "S low": 270, "E low": 270, "S high": 230, "E high": 230,
    "qAcc low": 270, "qAcc high": 230, "iAcc S": 169, "iAcc E": 169, "aAcc": 1000, "mAcc": 169,
    "background (B1)": 66, "object association (B3)": 56, "gesture (E1)": 38,
}  # fmt: skip


def mvp_counts(paper: Paper) -> Iterator[Misfit]:
    """All of MVP-Bench's numbers are rounded: what published outputs give shows it."""
    for table, row, column, cell in cells(paper):
        n = MVP_COUNTS[column.name]
        if abs(round(cell.value * n) / n - cell.value) > cell.step / 2 + EPSILON:
            yield table.number, labels(row), (column.name,)


RULES: dict[tuple[str, str], Callable[[Paper], Iterator[Misfit]]] = {
    ("pitt_ads", "average"): averages,
    ("pitt_ads", "images"): rows_without_a_number_of_images,
    ("pitt_ads", "two_sets"): the_same_on_two_sets,
    ("pitt_ads", "na"): rows_with_another_share_of_na,
    ("pitt_ads", "repeat"): repeats,
    ("deepeval", "count"): deepeval_counts,
    ("deepeval", "spread"): deepeval_spreads,
    ("deepeval", "repeat"): repeats,
    ("mvp_bench", "count"): mvp_counts,
    ("mvp_bench", "repeat"): repeats,
}


@pytest.mark.parametrize(("name", "rule"), RULES, ids=lambda word: word)
def test_the_doubts_are_the_cells_that_do_not_fit(name: str, rule: str) -> None:
    paper = load(name)
    listed = sorted((d.table, d.row, d.columns) for d in paper.doubts if d.rule == rule)
    assert sorted(RULES[name, rule](paper)) == listed


def test_every_doubt_has_a_rule_and_says_what_is_printed() -> None:
    for name in papers():
        paper = load(name)
        for doubt in paper.doubts:
            assert doubt.note and ((name, doubt.rule) in RULES or doubt.rule == "text")
            if doubt.rule != "text":
                table = paper.table(doubt.table)
                found = numbers(table.row(*doubt.row), table, *doubt.columns)
                assert tuple(cell.printed for cell in found) == doubt.printed


def test_what_averages_would_fit() -> None:
    paper = load("pitt_ads")
    for doubt in (doubt for doubt in paper.doubts if doubt.rule == "average"):
        table = paper.table(doubt.table)
        mean = statistics.fmean(c.value for c in numbers(table.row(*doubt.row), table, *PRECISION, *FIRST[:2]))
        assert 100 * mean == pytest.approx(float(doubt.fits[0]), abs=0.01)


def test_what_the_texts_say_of_tables() -> None:
    """The doubts of rule `text`, computed."""
    [gain, annotated] = [doubt for doubt in load("deepeval").doubts if doubt.rule == "text"]
    rows = [[100 * cell.value for cell in row.cells if cell] for row in load("deepeval").table("4").rows]
    gains = [self - alone for alone, self, _ in rows]
    over_all, over_gainers = statistics.fmean(gains), statistics.fmean(g for g in gains if g > 0)
    assert sum(g > 0 for g in gains) == 7
    assert (gain.printed, gain.fits) == ((f"{over_all:.1f}",), (f"{over_gainers:.1f}",))
    over_alone, over_self = (statistics.fmean(row[2] - row[place] for row in rows) for place in (0, 1))
    assert (annotated.printed, annotated.fits) == ((f"{over_self:.1f}",), (f"{over_alone:.1f}",))
    mvp = load("mvp_bench")
    [drop] = [doubt for doubt in mvp.doubts if doubt.rule == "text"]
    low, high = numbers(mvp.table("1").row(*drop.row), mvp.table("1"), *drop.columns)
    assert drop.fits == (f"{100 * (1 - high.value / low.value):.2f}",) != drop.printed


# What fits


@pytest.mark.parametrize("number", ["3", "4", "6", "9", "10", "11", "12", "13"])
def test_precision_at_k_and_top_k_can_stand_together(number: str) -> None:
    """With c of three predictions right, P@k = min(k, c)/k: so they give how often c >= 1, c >= 2 and c = 3."""
    table = load("pitt_ads").table(number)
    for row in table.rows:
        p1, p2, p3 = (cell.value for cell in numbers(row, table, *PRECISION))
        two, three = 2 * p2 - p1, 3 * p3 - 2 * p2
        slack = 5e-4
        assert -slack <= three <= two + slack and two <= p1 + slack
        if has(table, *FIRST[:2]):
            first, second = (cell.value for cell in numbers(row, table, *FIRST[:2]))
            assert three - slack <= first <= second <= p1 and two - slack <= second
        if has(table, "Top-3 Acc"):
            assert numbers(row, table, "Top-3 Acc") == numbers(row, table, "Precision@1")


def test_rows_that_leave_images_out() -> None:
    """What pitt_ads' notes say: LLaVA's row fits 243 images, GPT-4's 1,165 of 1,168, CLIP's all."""
    paper = load("pitt_ads")
    full, small = paper.table("3"), paper.table("4")
    assert images(full.row("CLIP", "I", ""), full) == [1168]
    assert images(full.row("GPT-4", "V+T", ""), full) == [1165]
    assert images(small.row("LLaVA", "I", ""), small) == [243]
    assert all(n % 243 == 0 for n in images(full.row("LLaVA", "I", ""), full))


def test_multi_label_scores_can_stand_together() -> None:
    """Macro averages with and without NA give NA's precision, recall and F1, which must agree with each other."""
    paper = load("pitt_ads")
    first, second = paper.table("1"), paper.table("7")
    for row in first.rows:
        values = {}
        for name in ("Precision", "Recall", "F1-score"):
            with_na, without = numbers(row, first, f"{name}, with NA", f"{name}, without NA")
            values[name] = 5 * with_na.value - 4 * without.value
            assert -5e-4 <= values[name] <= 1 + 5e-4
        corners = [
            2 * p * r / (p + r)
            for p in (values["Precision"] - 4.5e-4, values["Precision"] + 4.5e-4)
            for r in (values["Recall"] - 4.5e-4, values["Recall"] + 4.5e-4)
            if p > 0 and r > 0
        ]
        assert min([0.0, *corners] if len(corners) < 4 else corners) - 5e-4 <= values["F1-score"] <= max(corners) + 5e-4
    for row in second.rows:
        with_na, without = numbers(row, second, "Subset-Acc, with NA", "Subset-Acc, without NA")
        assert with_na.value <= without.value and fits(with_na, 1168) and fits(without, 1168)


def test_shares_above_thresholds_fall_and_whoops_has_500_rows() -> None:
    paper = load("pitt_ads")
    for table in (paper.table("2"), paper.table("8")):
        for row in table.rows:
            above = [cell for cell in row.cells if cell][1:]
            assert above == sorted(above, key=lambda cell: cell.value)
            size = SETS[row.labels.get("subset", "small")]
            assert any(all(fits(cell, n) for cell in above) for n in range(size, size // 2, -1))
    assert all(fits(cell, 500) for row in paper.table("14").rows for cell in row.cells if cell)


def test_most_spreads_of_deepeval_can_only_be_sample_standard_deviations() -> None:
    """The paper calls ± a variance. In Table 6 the counts are small enough to see that it is none."""
    kinds = list(table_6_spreads(load("deepeval")).values())
    only_std_sample = sum(found == {"std_sample"} for found in kinds)
    only_a_variance = sum(bool(found) and found <= {"variance_population", "variance_sample"} for found in kinds)
    assert (len(kinds), only_std_sample, only_a_variance) == (20, 12, 0)


def test_deepeval_lengths_and_correlations() -> None:
    paper = load("deepeval")
    for row in paper.table("2").rows:
        n, total, average = (cell for cell in row.cells if cell)
        assert total.value / n.value == pytest.approx(average.value, abs=average.step / 2 + 1e-9)
    choice = {row.labels["model"]: row for row in paper.table("3").rows}
    free = paper.table("7").rows
    found = []
    for place in range(3):
        pairs = [(row.cells[place], choice[row.labels["model"]].cells[place]) for row in free]
        found.append(statistics.correlation(*zip(*[(a.value, b.value) for a, b in pairs if a and b], strict=True)))
    assert [round(r, 2) for r in found] == [0.95, 0.92, 0.96]


def test_mvp_scores_can_stand_together() -> None:
    table = load("mvp_bench").table("outputs")
    for row in table.rows:
        if row.labels["model"] == "GPT-4V":
            continue
        value = {c.name: cell.value for c, cell in zip(table.columns, row.cells, strict=True) if cell}
        over_all = (270 * (value["S low"] + value["E low"]) + 230 * (value["S high"] + value["E high"])) / 1000
        assert over_all == pytest.approx(value["aAcc"], abs=5e-5)
        for level in ("low", "high"):
            assert value[f"qAcc {level}"] <= min(value[f"S {level}"], value[f"E {level}"])
        for kind in ("CI low", "CI high", "SI high"):
            assert value[f"{kind}, circular"] <= value[f"{kind}, direct"]
        assert value["mAcc"] <= min(value["iAcc S"], value["iAcc E"])


# The files


def test_what_is_not_at_hand_is_listed_as_absent() -> None:
    assert papers() == ["deepeval", "mvp_bench", "pitt_ads", "vague"]
    assert load("vague").tables == ()
    absent = {name: {entry.what for entry in load(name).absent} for name in papers()}
    assert {f"Table {n}" for n in ("1", "2", "3", "B1", "B2", "F3", "G4", "J5", "J6")} <= absent["vague"]
    assert {"Table 1", "Table 2", "Table 3"} <= absent["mvp_bench"]
    for name in papers():
        assert all(entry.reason for entry in load(name).absent)
        whole = {f"Table {table.number}" for table in load(name).tables if not table.partial}
        assert not whole & absent[name]


def test_tasks_and_metrics_are_known() -> None:
    for name in papers():
        for table in load(name).tables:
            for column in table.columns:
                assert (column.task is None) == (column.metric is None) or column.name == "avg"
                benchmark, _, task = (column.task or "").partition("/")
                if benchmark in discovery.benchmarks() and not task.endswith("_free"):
                    page = (ROOT / "docs" / f"{benchmark}.md").read_text(encoding="utf-8")
                    keys = {*benchmark_of(benchmark).task(task).headline, *re.findall(r"`(\w+)`", page)}
                    assert column.metric in keys


def test_published_scores_of_a_task() -> None:
    found = published("pitt_ads/arr", "average")
    assert len(found) == 13 + 22
    doubtful = next(score for score in found if score.row.labels["model"] == "InternVL-Chat-V1-1")
    assert doubtful.cell.value == pytest.approx(0.3007) and [doubt.rule for doubt in doubtful.doubts] == ["average"]
    assert dict(doubtful.conditions) == {
        "subset": "full", "negatives": "hard", "model": "InternVL-Chat-V1-1", "context": "I", "variant": "",
    }  # fmt: skip
    human = next(score for score in published("deepeval/title") if score.conditions["model"] == "Human").cell
    assert (human.printed, human.spread) == ("94.00", None)
    assert human.value == pytest.approx(0.94) and human.step == pytest.approx(1e-4)
    assert published("deepeval/title", "no_such_metric") == []


@pytest.mark.parametrize("wrong", ["", "59,67.", "n/a", "59.67 ± 1", "-3"])
def test_a_cell_that_is_no_number_is_an_error(wrong: str) -> None:
    with pytest.raises(ValueError, match="no printed number"):
        Cell.read(wrong, "percent")


def test_errors_name_what_there_is() -> None:
    with pytest.raises(ValueError, match="pitt_ads"):
        load("pit_ads")
    with pytest.raises(ValueError, match="12"):
        load("pitt_ads").table("15")
    with pytest.raises(ValueError, match="InstructBLIP"):
        load("pitt_ads").table("8").row("LLava")
    with pytest.raises(ValueError, match="percent"):
        Cell.read("1.0", "points")


# Against the papers


def printed_lines(shared: Path, name: str) -> list[list[str]]:
    file = {"pitt_ads": "persuasive_atypical_ads.txt", "deepeval": "deepeval.txt"}[name]
    lines = (shared / "seeds" / file).read_text(encoding="utf-8").splitlines()
    return [[re.sub(r"\s*±\s*", "±", part.strip()) for part in line.split("\t")] for line in lines if "\t" in line]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["pitt_ads", "deepeval"])
def test_every_row_is_printed(name: str, shared: Path) -> None:
    lines = printed_lines(shared, name)
    checked = 0
    for table in load(name).tables:
        if (name, table.number) in {("pitt_ads", "5"), ("deepeval", "2")}:
            continue  # laid out differently: below
        for row in table.rows:
            wanted = [cell.printed for cell in row.cells if cell]
            fitting = [
                line for line in lines if line[-len(wanted) :] == wanted or wanted == line[-len(wanted) - 1 : -1]
            ]
            assert fitting, (table.number, labels(row))
            checked += 1
    assert checked == {"pitt_ads": 98, "deepeval": 43}[name]


@pytest.mark.shared
def test_tables_laid_out_otherwise_are_printed(shared: Path) -> None:
    table = load("pitt_ads").table("5")
    for _, group in itertools.groupby(table.rows, key=lambda row: row.labels["model"]):
        wanted = [cell.printed for row in group for cell in row.cells if cell]
        assert any(line[1:] == wanted for line in printed_lines(shared, "pitt_ads"))
    lengths = {cell.printed for row in load("deepeval").table("2").rows for cell in row.cells if cell}
    assert lengths <= {part for line in printed_lines(shared, "deepeval") for part in line}


@pytest.mark.shared
def test_mvp_cells_are_printed(shared: Path) -> None:
    text = (shared / "seeds" / "mvp_bench.txt").read_text(encoding="utf-8")
    numbers_of_models = (shared / "spec" / "mvp_bench.md").read_text(encoding="utf-8").split("## Numbers")[1]
    lines = [
        re.findall(r"\d+(?:\.\d+)?", line.split("|", 2)[2]) for line in numbers_of_models.splitlines() if "|" in line
    ]
    for table, group in itertools.groupby(cells(load("mvp_bench")), key=lambda entry: entry[0]):
        if table.number == "outputs":
            for row in table.rows:
                assert [cell.printed for cell in row.cells if cell] in lines
        else:
            assert all(f"${cell.printed}\\%" in text for *_, cell in group)


def test_files_are_plain_tables() -> None:
    """Rows of one length, one line each in the file, so that they can be read beside the paper."""
    folder = ROOT / "src" / "punctum" / "report" / "published"
    for name in papers():
        text = (folder / f"{name}.json").read_text(encoding="utf-8")
        for table in json.loads(text)["tables"]:
            for row in table["rows"]:
                assert len(row) == len(table["keys"]) + len(table["columns"])
                assert f"        {json.dumps(row, ensure_ascii=False)}" in text
