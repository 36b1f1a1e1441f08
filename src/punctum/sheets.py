"""Tables of words: one description, printed by rich at any width or written as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

#: Columns of words may be wrapped down to this many characters before a table is cut into blocks.
_NARROWEST = 18
#: Control characters, halves of characters, and marks that turn the order of what follows.
_ACTING = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_NUMBER = re.compile(r"[<+−-]?[\d,.]+(±[\d.]+)?( \[[\d, ]+\])?|–|[\d.]+–[\d.]+|")


@dataclass(frozen=True)
class Sheet:
    """A table.

    Attributes:
        title: above it.
        columns: headings.
        rows: words, a cell a column.
        keys: how many of the first columns name a row; they stand again where a table is cut into blocks.
        rules: indices of rows before which a rule is drawn.
        notes: sentences below it.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    keys: int = 1
    rules: frozenset[int] = frozenset()
    notes: Sequence[str] = ()

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers only (and dashes or nothing where there is none)."""
        return all(_NUMBER.fullmatch(row[column]) for row in self.rows)


def print_sheet(console: Console, sheet: Sheet) -> None:
    """Print a table so that no number is cut off: where it is too wide, in blocks of columns below each other."""
    blocks = list(_blocks(sheet, console.width))
    for number, block in enumerate(blocks):
        title = sheet.title if number == 0 else f"{sheet.title}, further columns"
        console.print(_block(sheet, block, title, console.width))
    for note in sheet.notes:
        console.print(escape(note), highlight=False)


def _block(sheet: Sheet, columns: Sequence[int], title: str, width: int) -> Table:
    table = Table(title=escape(title), title_justify="left", header_style="bold")
    for column, room in zip(columns, _widths(sheet, columns, width), strict=True):
        numeric = column >= sheet.keys and sheet.numeric(column)
        justify: Literal["left", "right"] = "right" if numeric else "left"
        table.add_column(escape(sheet.columns[column]), justify=justify, width=room, overflow="fold")
    for index, row in enumerate(sheet.rows):
        if index in sheet.rules:
            table.add_section()
        if any(row[column] for column in columns[sheet.keys :]) or len(columns) == len(sheet.columns):
            table.add_row(*(escape(row[column]) for column in columns))
    return table


def _widths(sheet: Sheet, columns: Sequence[int], width: int) -> list[int]:
    """The columns' widths: the least ones, and what room is left for those that want more."""
    found = [_least(sheet, column, width) for column in columns]
    wanted = [max(cell_len(cell) for cell in (sheet.columns[c], *(row[c] for row in sheet.rows))) for c in columns]
    room = width - 1 - sum(needs + 3 for needs in found)
    for place in range(len(columns)):  # from the left: words in keys before headings of numbers
        more = min(max(room, 0), max(wanted[place] - found[place], 0))
        found[place] += more
        room -= more
    return [max(needs, 1) for needs in found]


def _blocks(sheet: Sheet, width: int) -> Iterator[list[int]]:
    """Columns that fit beside each other; the keys are in every block."""
    keys = list(range(min(sheet.keys, len(sheet.columns))))
    taken = 1 + sum(_least(sheet, key, width) + 3 for key in keys)
    block: list[int] = []
    used = taken
    for column in range(len(keys), len(sheet.columns)):
        needs = _least(sheet, column, width) + 3
        if block and used + needs > width:
            yield keys + block
            block, used = [], taken
        block.append(column)
        used += needs
    yield keys + block


def _least(sheet: Sheet, column: int, width: int) -> int:
    """The least width of a column: that of its longest cell for numbers, less for words, which may wrap."""
    heading = max((cell_len(word) for word in sheet.columns[column].split()), default=0)
    longest = max((cell_len(row[column]) for row in sheet.rows), default=0)
    if column < sheet.keys:
        return max(heading, min(longest, max(width // (2 * sheet.keys) - 3, _NARROWEST)))
    if sheet.numeric(column):
        return max(heading, longest)
    words = max((cell_len(word) for row in sheet.rows for word in row[column].split()), default=0)
    return max(heading, min(words, width // 2), min(longest, _NARROWEST))


def markdown(sheet: Sheet, level: int = 3) -> str:
    """A heading, the table and its notes, each a paragraph."""
    head = "| " + " | ".join(map(plain, sheet.columns)) + " |"
    numeric = [column >= sheet.keys and sheet.numeric(column) for column in range(len(sheet.columns))]
    rule = "|" + "|".join("---:" if is_number else "---" for is_number in numeric) + "|"
    rows = ["| " + " | ".join(map(plain, row)) + " |" for row in sheet.rows]
    parts = ["\n".join([f"{'#' * level} {plain(sheet.title)}", "", head, rule, *rows])]
    return "\n\n".join([*parts, *map(plain, sheet.notes)]) + "\n"


def printable(text: str, more: str = "") -> str:
    """Words without what would act on a terminal or turn their order: names and texts come from other people's files.

    Args:
        text: the words.
        more: characters that stay all the same, such as the line break.
    """
    return _ACTING.sub(lambda found: found[0] if found[0] in more else "\ufffd", text)


def plain(text: str) -> str:
    """Words that Markdown shows as they are: no cell, mark or tag begins in them."""
    text = " ".join(text.split()).replace("\\", "\\\\").replace("&", "&amp;")
    return re.sub(r"[|*`<\[\]~$]|(?<!\w)_|_(?!\w)", lambda mark: f"\\{mark[0]}", text)
