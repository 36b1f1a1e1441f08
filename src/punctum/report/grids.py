"""Tables of numbers with intervals and footnotes, for the screen, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from punctum.sheets import Sheet

Kind = Literal["published", "ours", "difference"]
EMPTY = "–"


@dataclass(frozen=True)
class Number:
    """A cell.

    Attributes:
        text: as shown.
        interval: low and high, as shown; None where there is none.
        notes: what a reader must know of this cell.
        exact: the number for CSV, where `text` is no number.
    """

    text: str
    interval: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()
    exact: str | None = None


@dataclass(frozen=True)
class Line:
    """A row.

    Attributes:
        labels: what it is of.
        cells: a cell a column.
        kind: where it comes from.
        notes: what a reader must know of it.
        begins: whether a rule stands before it.
    """

    labels: tuple[str, ...]
    cells: tuple[Number | None, ...]
    kind: Kind = "ours"
    notes: tuple[str, ...] = ()
    begins: bool = False


@dataclass(frozen=True)
class Grid:
    """A table.

    Attributes:
        name: of its files, unique within a report.
        title: above it.
        keys: headings of the labels.
        columns: headings of the numbers.
        lines: rows.
        notes: sentences below it that belong to no row.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    def footnotes(self) -> dict[str, int]:
        """Footnotes by number, in the order in which a reader meets them."""
        found: dict[str, int] = {}
        for line in self.lines:
            for note in (*line.notes, *(note for cell in line.cells if cell for note in cell.notes)):
                found.setdefault(note, len(found) + 1)
        return found


def with_common_notes(grid: Grid) -> Grid:
    """The table with notes that all of our rows share below it, once, instead of at each."""
    ours = [line for line in grid.lines if line.kind == "ours"]
    shared = [note for note in ours[0].notes if all(note in line.notes for line in ours)] if len(ours) > 1 else []
    if not shared:
        return grid
    lines = (replace(line, notes=tuple(note for note in line.notes if note not in shared)) for line in grid.lines)
    mine = "All rows of ours" if any(line.kind == "published" for line in grid.lines) else "All rows"
    return replace(grid, lines=tuple(lines), notes=(f"{mine}: {'; '.join(shared)}.", *grid.notes))


def without_empty_columns(grid: Grid) -> Grid:
    """The table without labels and columns that no row has; the first label stays."""
    keys = [i for i in range(len(grid.keys)) if i == 0 or any(line.labels[i] for line in grid.lines)]
    columns = [i for i in range(len(grid.columns)) if any(line.cells[i] for line in grid.lines)]
    lines = (
        replace(line, labels=tuple(line.labels[i] for i in keys), cells=tuple(line.cells[i] for i in columns))
        for line in grid.lines
    )
    names = tuple(grid.keys[i] for i in keys), tuple(grid.columns[i] for i in columns)
    return Grid(grid.name, grid.title, *names, tuple(lines), grid.notes)


#: Columns that a table for reading leaves out, and says so, where they hold nothing but zeros.
_COUNTS_OF_TROUBLE = {"unparsed": "was unreadable", "failed": "failed"}


def _without_zeros(grid: Grid) -> Grid:
    """The table without counts of trouble where there was none."""
    told = []
    kept = list(range(len(grid.columns)))
    for place, name in enumerate(grid.columns):
        texts = [cell.text for line in grid.lines if (cell := line.cells[place])]
        if name in _COUNTS_OF_TROUBLE and texts and set(texts) == {"0"}:
            kept.remove(place)
            told.append(_COUNTS_OF_TROUBLE[name])
    if not told:
        return grid
    lines = (replace(line, cells=tuple(line.cells[place] for place in kept)) for line in grid.lines)
    whose = "of ours " if any(line.kind == "published" for line in grid.lines) else ""
    note = f"No answer {whose}{' or '.join(told)}."
    columns = tuple(grid.columns[place] for place in kept)
    return replace(grid, columns=columns, lines=tuple(lines), notes=(note, *grid.notes))


def sheet_of(grid: Grid, intervals: bool = True) -> Sheet:
    """The words of a table: footnotes as numbers, an interval in a row of its own below its number.

    Where nothing was unparsed or failed, a sentence says so instead of a column.

    Args:
        grid: the table.
        intervals: False leaves the rows of intervals out.
    """
    grid = _without_zeros(grid)
    numbers = grid.footnotes()
    rows: list[tuple[str, ...]] = []
    rules: set[int] = set()
    for place, line in enumerate(grid.lines):
        if line.begins and place:
            rules.add(len(rows))
        labels = (line.labels[0] + _marks(line.notes, numbers), *line.labels[1:])
        cells = (EMPTY if cell is None else cell.text + _marks(cell.notes, numbers) for cell in line.cells)
        rows.append((*labels, *cells))
        if intervals and any(cell and cell.interval for cell in line.cells):
            rows.append(("  95 % interval", *("" for _ in line.labels[1:]), *map(_interval, line.cells)))
    notes = (*(f"[{number}] {note}" for note, number in numbers.items()), *grid.notes)
    return Sheet(grid.title, (*grid.keys, *grid.columns), rows, len(grid.keys), frozenset(rules), notes)


def _marks(notes: Sequence[str], numbers: dict[str, int]) -> str:
    return f" [{', '.join(str(numbers[note]) for note in notes)}]" if notes else ""


def _interval(cell: Number | None) -> str:
    return f"{cell.interval[0]}–{cell.interval[1]}" if cell and cell.interval else ""


def latex(grid: Grid) -> str:
    """A `table` with booktabs' rules; every character that LaTeX reads is escaped."""
    sheet = sheet_of(grid)
    aligned = "l" * sheet.keys + "r" * (len(sheet.columns) - sheet.keys)
    body: list[str] = []
    for index, row in enumerate(sheet.rows):
        if index in sheet.rules:
            body.append(r"\midrule")
        body.append(" & ".join(map(escape, row)) + r" \\")
    small = [r"\par\smallskip\footnotesize " + r"\\ ".join(map(escape, sheet.notes))] if sheet.notes else []
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape(grid.title)}}}",
            rf"\label{{tab:{grid.name.replace('_', '-')}}}",
            rf"\begin{{tabular}}{{{aligned}}}",
            r"\toprule",
            " & ".join(map(escape, sheet.columns)) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            *small,
            r"\end{table}",
            "",
        ]
    )


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after \\ a bracket would be a length
    "]": "{]}",
    "–": "--",
    "−": r"$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "·": r"\textperiodcentered{}",
    "…": r"\ldots{}",
}


def escape(text: str) -> str:
    """Words that LaTeX prints as they are. White space of any kind becomes a blank."""
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))


def comma_separated(grid: Grid) -> str:
    """CSV (RFC 4180): labels, where a row is from, the columns' plain numbers, notes.

    A column with intervals is followed by its `low` and `high`, one with ± by its `spread`.
    """
    columns = list(zip(*(line.cells for line in grid.lines), strict=True)) or [() for _ in grid.columns]
    parts: list[tuple[str, Callable[[Number | None], str]]] = []
    for column in columns:
        parts.append(("", _bare))
        parts += [(" spread", _spread)] if any(map(_spread, column)) else []
        parts += [(" low", _low), (" high", _high)] if any(map(_low, column)) else []
    names = iter(grid.columns)
    name = ""
    heads: list[str] = []
    for suffix, _ in parts:
        name = name if suffix else next(names)
        heads.append(name + suffix)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*grid.keys, "source", *heads, "notes"])
    for line in grid.lines:
        cells = iter(line.cells)
        cell: Number | None = None
        words: list[str] = []
        for suffix, word in parts:
            cell = cell if suffix else next(cells)
            words.append(word(cell))
        writer.writerow([*(label.strip() for label in line.labels), line.kind, *words, "; ".join(_notes(grid, line))])
    return out.getvalue()


def _notes(grid: Grid, line: Line) -> Iterator[str]:
    yield from line.notes
    for name, cell in zip(grid.columns, line.cells, strict=True):
        yield from (f"{name}: {note}" for note in (cell.notes if cell else ()))


def _bare(cell: Number | None) -> str:
    if cell is None:
        return ""
    return cell.exact if cell.exact is not None else _plain(cell.text.partition("±")[0])


def _spread(cell: Number | None) -> str:
    return "" if cell is None else cell.text.partition("±")[2]


def _low(cell: Number | None) -> str:
    return _plain(cell.interval[0]) if cell and cell.interval else ""


def _high(cell: Number | None) -> str:
    return _plain(cell.interval[1]) if cell and cell.interval else ""


def _plain(text: str) -> str:
    return text.replace(",", "").replace("−", "-").removeprefix("+")


def signed(value: float) -> str:
    """A difference with its sign; a typographic minus."""
    text = f"{value:+.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "−")
