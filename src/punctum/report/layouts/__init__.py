"""The tables of the papers as layouts for one's own scores: which keys of a run are a table's cells, as data.

A file a benchmark. It names the paper; the columns of the paper's tables say their task, metric and conditions
themselves (`published/`), and `cells` adds where a cell has other sources. `tables` holds those whose numbers are
not at hand, and figures that can be told as a table. `defaults` are what a signature leaves out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from punctum.report import published
from punctum.report.runs import TaskScore

#: What a signature that does not have the field means.
_DEFAULTS = {"cot": "False", "describe": "none", "setting": "vlm"}


@dataclass(frozen=True)
class Source:
    """Where a cell's number stands in `results.json`.

    Attributes:
        task: as `BENCH/TASK`.
        metric: its key among the metrics; None for a breakdown.
        breakdown: the path to it in the breakdowns.
        where: what must hold of the signature.
    """

    task: str
    metric: str | None = None
    breakdown: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)

    def value(self, score: TaskScore) -> float | None:
        """The number; None where the score has none."""
        if self.metric is not None:
            return score.metrics.get(self.metric)
        found: Any = score.breakdowns
        for name in self.breakdown:
            found = found.get(name) if isinstance(found, Mapping) else None
        return float(found) if isinstance(found, (int, float)) else None


@dataclass(frozen=True)
class Column:
    """A column: its heading, unit (`published.UNITS`), and where its cells may come from; the first that fits."""

    name: str
    unit: str
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Layout:
    """A table to fill.

    Attributes:
        number: as in the paper.
        title: what it shows.
        keys: what tells its rows apart.
        columns: its columns.
        where: what must hold of every score in it.
        footnotes: what a reader must know.
        table: the published table; None where its numbers are not at hand.
        needs: columns without which the table says nothing new.
        spread: the metric that stands after ± of `accuracy`; None where nothing does.
    """

    number: str
    title: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    where: Mapping[str, str] = field(default_factory=dict)
    footnotes: tuple[str, ...] = ()
    table: published.Table | None = None
    needs: tuple[str, ...] = ()
    spread: str | None = None


@dataclass(frozen=True)
class Correlation:
    """Two scores of the same models that a paper correlates, and the coefficient that it prints."""

    name: str
    task: str
    metric: str
    other: str
    other_metric: str
    printed: str


@dataclass(frozen=True)
class Layouts:
    """What a benchmark's paper has: its title, tables and correlations, and what signatures leave out."""

    paper: published.Paper
    defaults: Mapping[str, str]
    tables: tuple[Layout, ...]
    correlations: tuple[Correlation, ...]

    def of(self, score: TaskScore, name: str) -> str:
        """A condition of a score: what its signature says, else the default."""
        return score.signature.get(name) or self.defaults.get(name, "")


@cache
def layouts(benchmark: str) -> Layouts | None:
    """The layouts of a benchmark; None where there are none."""
    path = files(__name__) / f"{benchmark}.json"
    if not path.is_file():
        return None
    value = json.loads(path.read_text(encoding="utf-8"))
    paper = published.load(value["paper"])
    cells: Mapping[str, Any] = value.get("cells", {})
    printed = [_published(table, cells.get(table.number, {})) for table in paper.tables]
    own = [_own(table) for table in value.get("tables", ())]
    ours = [layout for layout in (*printed, *own) if _is_of(layout, benchmark)]
    correlations = tuple(Correlation(**entry) for entry in value.get("correlations", ()))
    return Layouts(paper, {**_DEFAULTS, **value.get("defaults", {})}, tuple(ours), correlations)


def _is_of(layout: Layout, benchmark: str) -> bool:
    return any(source.task.startswith(f"{benchmark}/") for column in layout.columns for source in column.sources)


def _published(table: published.Table, cells: Mapping[str, Any]) -> Layout:
    columns = []
    for column in table.columns:
        if column.name in cells:
            sources = tuple(_source(entry) for entry in cells[column.name])
        elif column.task is not None and column.metric is not None:
            sources = (Source(column.task, column.metric, (), column.where),)
        else:
            sources = ()
        columns.append(Column(column.name, column.unit, sources))
    notes = (table.partial, *table.footnotes, table.spread)
    return Layout(
        table.number,
        table.title,
        table.keys,
        tuple(columns),
        table.where,
        tuple(note[0].upper() + note[1:].rstrip(".") + "." for note in notes if note),
        table,
        spread="std_sample" if table.spread else None,
    )


def _own(value: Mapping[str, Any]) -> Layout:
    columns = (
        Column(column["name"], column["unit"], tuple(_source(entry) for entry in column["cells"]))
        for column in value["columns"]
    )
    return Layout(
        value["number"],
        value["title"],
        tuple(value["keys"]),
        tuple(columns),
        footnotes=tuple(value.get("footnotes", ())),
        needs=tuple(value.get("needs", ())),
    )


def _source(value: Mapping[str, Any]) -> Source:
    breakdown = tuple(value.get("breakdown", ()))
    return Source(value["task"], value.get("metric"), breakdown, value.get("where", {}))
