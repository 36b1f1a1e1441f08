"""The papers' tables in their layouts: published rows, ours beside them, and the difference where the model is one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from punctum.report import published
from punctum.report.grids import Grid, Line, Number, signed, with_common_notes, without_empty_columns
from punctum.report.known import benchmark_of
from punctum.report.layouts import Column, Layout, Layouts, layouts
from punctum.report.marks import marks
from punctum.report.runs import Run, TaskScore, names

_COUNTS = ("n", "unparsed", "failed")
#: Scores of one model share a row only where these are equal, as far as the table does not tell them.
_WAYS = ("data", "limit", "ids", "split", "setting", "cot", "system", "scoring", "parser")


@dataclass
class _Ours:
    """A row of ours as it fills: which scores it is made of, in what way they came about, and its cells by column."""

    run: Run
    labels: dict[str, str]
    ways: dict[str, str | None]
    cells: dict[int, Number] = field(default_factory=dict)
    values: dict[int, float] = field(default_factory=dict)
    scores: list[TaskScore] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def paper_tables(runs: Sequence[Run], compare: bool) -> list[Grid]:
    """All tables of the papers in which the runs have a cell.

    Args:
        runs: of any benchmarks.
        compare: whether the published rows stand there, too.
    """
    found = []
    for benchmark in dict.fromkeys(run.benchmark for run in runs):
        known = layouts(benchmark)
        if known is None:
            continue
        mine = [run for run in runs if run.benchmark == benchmark]
        for layout in known.tables:
            rows = _rows(mine, layout, known)
            if any(row.cells for row in rows) and _says_something(rows, layout):
                found.append(_grid(benchmark, layout, known, rows, compare))
    return found


def _says_something(rows: Sequence[_Ours], layout: Layout) -> bool:
    needed = [i for i, column in enumerate(layout.columns) if column.name in layout.needs]
    return not needed or any(i in row.cells for row in rows for i in needed)


def _rows(runs: Sequence[Run], layout: Layout, known: Layouts) -> list[_Ours]:
    """A row for each model and labels; scores of one model in several runs share it where they fill other cells."""
    rows: list[_Ours] = []
    told = frozenset((*layout.keys, *layout.where))
    shown = dict(zip(map(id, runs), names(runs), strict=True))
    for run in runs:
        for score in run.tasks.values():
            labels = _labels(run, score, layout, known)
            cells, values, seen = _cells(score, layout, known)
            if not cells:
                continue
            ways = {name: score.signature.get(name) for name in _WAYS if name not in told | seen}
            row = next((r for r in rows if _takes(r, run, labels, ways, cells)), None)
            if row is None:
                taken = any(_same(other, run, labels) for other in rows)
                row = _Ours(run, {**labels, **({"model": shown[id(run)]} if taken else {})}, ways)
                rows.append(row)
            row.cells |= cells
            row.values |= values
            row.scores.append(score)
            row.notes += [mark for mark in marks(run, score, told | seen) if mark not in row.notes]
    return rows


def _takes(
    row: _Ours, run: Run, labels: Mapping[str, str], ways: Mapping[str, str | None], cells: Mapping[int, Number]
) -> bool:
    """Whether a row has room for a score: of its model and labels, asked and read alike, and its cells empty."""
    alike = all(row.ways.get(name, way) == way for name, way in ways.items())
    return alike and _same(row, run, labels) and not cells.keys() & row.cells.keys()


def _same(row: _Ours, run: Run, labels: Mapping[str, str]) -> bool:
    others = {name: value for name, value in labels.items() if name != "model"}
    return row.run.model == run.model and all(row.labels[name] == value for name, value in others.items())


def _labels(run: Run, score: TaskScore, layout: Layout, known: Layouts) -> dict[str, str]:
    words = {"model": run.model.id, "backbone": "", "parameters": "", "variant": _variant(score)}
    return {key: words[key] if key in words else known.of(score, key) for key in layout.keys}


def _variant(score: TaskScore) -> str:
    found = ["CoT"] if score.signature.get("cot") == "True" else []
    for made in filter(None, score.signature.get("made_by", "").split(",")):
        role, _, model = made.partition("=")
        found.append(f"{role} by {model.rpartition('@')[0] or model}")
    return ", ".join(found)


def _cells(
    score: TaskScore, layout: Layout, known: Layouts
) -> tuple[dict[int, Number], dict[int, float], frozenset[str]]:
    """The cells that a score fills, their values in the column's unit, and what the columns tell of it."""
    cells: dict[int, Number] = {}
    values: dict[int, float] = {}
    told: set[str] = set()
    if not _holds(layout.where, score, known):
        return cells, values, frozenset()
    for place, column in enumerate(layout.columns):
        for source in column.sources:
            value = source.value(score)
            if source.task == score.task and value is not None and _holds(source.where, score, known):
                interval = score.intervals.get(source.metric or "")
                spread = score.metrics.get(layout.spread or "") if source.metric == "accuracy" else None
                cells[place] = _number(column, value, interval, spread)
                values[place] = value / published.UNITS[column.unit]
                told |= set(source.where)
                break
    return cells, values, frozenset(told)


def _holds(where: Mapping[str, str], score: TaskScore, known: Layouts) -> bool:
    return all(known.of(score, name) == wanted for name, wanted in where.items())


def _number(column: Column, value: float, interval: tuple[float, float] | None, spread: float | None) -> Number:
    after = "" if spread is None else f"±{_word(column.unit, spread)}"
    bounds = None if interval is None else (_word(column.unit, interval[0]), _word(column.unit, interval[1]))
    return Number(_word(column.unit, value) + after, bounds)


def _word(unit: str, value: float) -> str:
    scaled = value / published.UNITS[unit]
    return f"{scaled:,.0f}" if unit == "count" else f"{scaled:.2f}"


def _grid(benchmark: str, layout: Layout, known: Layouts, rows: Sequence[_Ours], compare: bool) -> Grid:
    lines: list[Line] = []
    left = list(rows)
    for row in layout.table.rows if layout.table and compare else ():
        assert layout.table is not None
        lines.append(_published_line(row, layout.table, known.paper))
        for twin in [mine for mine in left if _is_twin(mine, row)]:
            left.remove(twin)
            lines += [_line(twin, layout), *_difference(twin, row, layout)]
    lines += [replace(_line(row, layout), begins=place == 0) for place, row in enumerate(left)]
    notes = list(layout.footnotes)
    if compare and layout.table is None:
        notes.append("The paper's numbers are not at hand.")
    grid = Grid(
        f"{benchmark}-{_slug(layout.number)}",
        f"{_short(known.paper)}, {_number_of(layout)}: {layout.title}",
        layout.keys,
        (*(column.name for column in layout.columns), *_COUNTS),
        tuple(lines),
        tuple(notes),
    )
    return without_empty_columns(with_common_notes(grid))


def _short(paper: published.Paper) -> str:
    known = benchmark_of(paper.name)
    return known.title.partition(":")[0] if known else paper.title


def _number_of(layout: Layout) -> str:
    number = layout.number
    return f"Table {number}" if re.fullmatch(r"[A-Z]?\d+", number) else number


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _published_line(row: published.Row, table: published.Table, paper: published.Paper) -> Line:
    cells: list[Number | None] = []
    for column, cell in zip(table.columns, row.cells, strict=True):
        doubts = paper.doubts_of(table, row, column)
        notes = tuple(f"published {', '.join(doubt.printed)}: {doubt.note}" for doubt in doubts)
        cells.append(None if cell is None else Number(cell.printed, None, notes))
    return Line(tuple(row.labels.values()), (*cells, *(None for _ in _COUNTS)), "published")


def _line(row: _Ours, layout: Layout) -> Line:
    counts = (sum(getattr(score, name) for score in row.scores) for name in ("n", "n_unparsed", "n_failed"))
    cells = (row.cells.get(place) for place in range(len(layout.columns)))
    return Line(
        tuple(row.labels[key] for key in layout.keys),
        (*cells, *(Number(f"{count:,}") for count in counts)),
        "ours",
        tuple(row.notes),
    )


def _difference(row: _Ours, printed: published.Row, layout: Layout) -> Iterator[Line]:
    """Ours less theirs, in the printed unit."""
    cells: list[Number | None] = []
    for place, (column, cell) in enumerate(zip(layout.columns, printed.cells, strict=True)):
        if cell is None or place not in row.values:
            cells.append(None)
        else:
            cells.append(Number(signed(row.values[place] - cell.value / published.UNITS[column.unit])))
    if any(cells):
        yield Line(
            ("  ours − published", *("" for _ in layout.keys[1:])), (*cells, *(None for _ in _COUNTS)), "difference"
        )


def _is_twin(mine: _Ours, row: published.Row) -> bool:
    """Whether a row of ours is of the published row's model and conditions, by their names."""
    for key, value in row.labels.items():
        if key == "model" and bare(mine.run.model.id) != bare(value):
            return False
        if key not in ("model", "backbone", "parameters") and mine.labels[key] != value:
            return False
    return True


def bare(model: str) -> str:
    """A model's name without owner, punctuation, case and the v of versions: `org/LLaVA-v1.5-7b` is `llava157b`."""
    name = re.sub(r"[^a-z0-9]", "", model.rpartition("/")[2].lower().removesuffix("-hf"))
    return re.sub(r"v(?=\d)", "", name)
