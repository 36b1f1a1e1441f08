"""The papers' tables as data: what is printed, where, and which cells do not follow from the others.

A file a paper, named like its benchmark. Cells are kept as printed (`"72.83±6.81"`), so that their digits are not
lost. Tables that are not at hand are listed as absent, with the reason; nothing is filled in from elsewhere.
`tests/test_published_tables.py` holds the cells against arithmetic and the doubts against the cells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from punctum.discovery import known

UNITS = {"percent": 0.01, "fraction": 1.0, "count": 1.0, "words": 1.0}
_CELL = re.compile(r"(?P<value>\d[\d,]*(?:\.(?P<digits>\d+))?)(?:±(?P<spread>\d+\.\d+))?")


@dataclass(frozen=True)
class Cell:
    """One printed cell.

    Attributes:
        printed: as it stands in the paper, without blanks.
        value: the number in the unit of `results.json`: a share is a fraction of 1.
        step: one unit of the last printed digit, in that unit.
        spread: what stands after ±, as printed; None if nothing does.
    """

    printed: str
    value: float
    step: float
    spread: float | None = None

    @classmethod
    def read(cls, printed: str, unit: str) -> Cell:
        """Read a cell.

        Raises:
            ValueError: if it is no number, or the unit is not known.
        """
        match = _CELL.fullmatch(printed)
        if match is None:
            raise ValueError(f"{printed!r} is no printed number such as 59.67, 1,001 or 72.83±6.81")
        factor = UNITS[known(unit, UNITS, "unit")]
        spread = match["spread"]
        return cls(
            printed,
            float(match["value"].replace(",", "")) * factor,
            10.0 ** -len(match["digits"] or "") * factor,
            None if spread is None else float(spread),
        )


@dataclass(frozen=True)
class Column:
    """A column of numbers.

    Attributes:
        name: its heading.
        unit: what is printed: `percent` (100 times a fraction), `fraction`, `count` or `words`.
        task: the task that measures this, as `BENCH/TASK`; None where none does.
        metric: its key in `results.json`.
        where: what else holds for the cells of this column, for instance the subset.
    """

    name: str
    unit: str
    task: str | None = None
    metric: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A row: what it is of (model, context, …), and a cell a column; None where nothing is printed or at hand."""

    labels: Mapping[str, str]
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Table:
    """A table of a paper.

    Attributes:
        number: as in the paper; `outputs` for what published outputs give, which no table prints.
        title: what it shows, in our words.
        keys: names of the labels of its rows.
        columns, rows: its content.
        where: what holds for all cells, for instance the subset or the kind of negatives.
        footnotes: what a reader must know beside it.
        spread: what is known of the numbers after ±.
        partial: why cells are missing; empty for a whole table.
    """

    number: str
    title: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    where: Mapping[str, str] = field(default_factory=dict)
    footnotes: tuple[str, ...] = ()
    spread: str = ""
    partial: str = ""

    def row(self, *labels: str) -> Row:
        """The row with these labels, in the order of `keys`.

        Raises:
            ValueError: that names the rows there are.
        """
        found = {tuple(row.labels.values()): row for row in self.rows}
        if labels not in found:
            raise ValueError(f"table {self.number} has no row {labels!r}; it has {list(found)}")
        return found[labels]


@dataclass(frozen=True)
class Absent:
    """A table or figure whose numbers are not at hand."""

    what: str
    reason: str


@dataclass(frozen=True)
class Doubt:
    """Cells that do not fit other cells, or what is known of how they came about.

    Attributes:
        rule: what they break: `average` (the mean of their row), `images` (shares of one number of images),
            `count` (a share of a given number of questions), `repeat` (the same elsewhere), `two_sets` (the same
            on two sets of images), `na` (with and without a class), `spread` (mean and spread), `text` (what the
            text says of a table).
        table, row, columns: where; the row by its labels, empty for a statement about several.
        printed: what is printed there.
        fits: what would fit, as far as that is known.
        note: why.
    """

    rule: str
    table: str
    row: tuple[str, ...]
    columns: tuple[str, ...]
    printed: tuple[str, ...]
    note: str
    fits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """A paper's tables, what is absent, and what is doubtful."""

    name: str
    title: str
    year: int
    tables: tuple[Table, ...]
    absent: tuple[Absent, ...]
    doubts: tuple[Doubt, ...]

    def table(self, number: str) -> Table:
        """The table of that number.

        Raises:
            ValueError: that names the tables there are.
        """
        found = {table.number: table for table in self.tables}
        return found[known(number, found, f"table of {self.name}")]

    def doubts_of(self, table: Table, row: Row, column: Column) -> list[Doubt]:
        """What speaks against the cell there."""
        place = (table.number, tuple(row.labels.values()))
        return [doubt for doubt in self.doubts if (doubt.table, doubt.row) == place and column.name in doubt.columns]


@dataclass(frozen=True)
class Published:
    """A published score that a run can stand beside.

    Attributes:
        paper, table, row, column: where it is printed.
        conditions: everything that holds for it: the row's labels, and what holds for its column and table.
        cell: the number.
        doubts: what speaks against it.
    """

    paper: Paper
    table: Table
    row: Row
    column: Column
    cell: Cell
    conditions: Mapping[str, str]
    doubts: tuple[Doubt, ...] = ()


def papers() -> list[str]:
    """The papers there are, by the names of their benchmarks."""
    return sorted(file.name[:-5] for file in files(__name__).iterdir() if file.name.endswith(".json"))


@cache
def load(name: str) -> Paper:
    """The tables of a paper.

    Args:
        name: for instance `deepeval`; what the ads paper prints on WHOOPS! stands in `pitt_ads`.

    Raises:
        ValueError: that names the papers there are.
    """
    value = json.loads((files(__name__) / f"{known(name, papers(), 'paper')}.json").read_text(encoding="utf-8"))
    return Paper(
        name,
        value["paper"],
        value["year"],
        tuple(_table(table) for table in value["tables"]),
        tuple(Absent(**absent) for absent in value["absent"]),
        tuple(Doubt(**{key: _frozen(entry) for key, entry in doubt.items()}) for doubt in value["doubts"]),
    )


def published(task: str, metric: str | None = None) -> list[Published]:
    """What the papers print for a task, in the order of their tables.

    Args:
        task: as in `results.json`, for instance `pitt_ads/arr`.
        metric: one key of `results.json`; None takes all.
    """
    return [score for name in papers() for score in _scores(load(name)) if _is_of(score.column, task, metric)]


def _is_of(column: Column, task: str, metric: str | None) -> bool:
    return column.task == task and column.metric is not None and metric in (None, column.metric)


def _scores(paper: Paper) -> Iterator[Published]:
    for table in paper.tables:
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                if cell is None:
                    continue
                doubts = tuple(doubt for doubt in paper.doubts_of(table, row, column) if doubt.rule != "text")
                conditions = {**table.where, **row.labels, **column.where}
                yield Published(paper, table, row, column, cell, conditions, doubts)


def _table(value: Mapping[str, Any]) -> Table:
    columns = tuple(Column(**{key: _frozen(entry) for key, entry in column.items()}) for column in value["columns"])
    keys: tuple[str, ...] = tuple(value["keys"])
    more = {key: _frozen(value[key]) for key in ("where", "footnotes", "spread", "partial") if key in value}
    rows = tuple(_row(keys, columns, entries) for entries in value["rows"])
    return Table(value["number"], value["title"], keys, columns, rows, **more)


def _row(keys: tuple[str, ...], columns: tuple[Column, ...], entries: list[str | None]) -> Row:
    labels = {key: str(entry) for key, entry in zip(keys, entries, strict=False)}
    printed = zip(columns, entries[len(keys) :], strict=True)
    cells = (None if entry is None else Cell.read(entry, column.unit) for column, entry in printed)
    return Row(MappingProxyType(labels), tuple(cells))


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(entry) for entry in value)
    return MappingProxyType(value) if isinstance(value, dict) else value
