"""Tables keep every number at every width, and Markdown shows words as they are."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

import punctum
from punctum.sheets import Sheet, markdown, print_sheet
from punctum.statistics import statistics
from punctum.statistics.show import print_statistics, sheets

NAMES = [f"a column with number {i}" for i in range(17)]
ROWS = [
    [name, *(f"{1000 * row + 7 * i:,}" for i in range(17))] for row, name in enumerate(["first", "second", "third"])
]


def printed(sheet: Sheet, width: int) -> str:
    out = io.StringIO()
    print_sheet(Console(file=out, width=width), sheet)
    return out.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200, 400])
def test_a_wide_table_loses_nothing(width: int) -> None:
    text = printed(Sheet("A title", ["row", *NAMES], ROWS, notes=("A note.",)), width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    for _, *cells in ROWS:
        assert all(re.search(rf"(?<![\d,]){cell}(?![\d,])", text) for cell in cells)
    assert all(text.count(f" {number} ") for number in range(17))
    assert text.count("first") == text.count("third") >= 1
    assert ("further columns" in " ".join(text.split())) == (width < 200)
    assert text.splitlines()[-1].strip() == "A note."


def test_long_words_are_folded_not_cut() -> None:
    text = printed(Sheet("t", ["name", "words"], [["m" * 70, "w" * 90]]), 40)
    assert text.count("m") >= 70
    assert text.count("w") >= 90
    assert all(cell_len(line) <= 40 for line in text.splitlines())


def test_a_block_leaves_out_rows_that_say_nothing_in_it() -> None:
    rows = [["a", *["11111"] * 12], ["b", "22222", *[""] * 11]]
    text = printed(Sheet("t", ["k", *map(str, range(12))], rows), 40)
    assert text.count("│ b") == 1
    assert text.count("│ a") > 1


def test_words_are_no_markup() -> None:
    text = printed(Sheet("[bold]t[/bold]", ["[red]k", "v"], [["[link=x]a", "[/]"]], notes=("[1] note",)), 80)
    for word in ("[bold]t[/bold]", "[red]k", "[link=x]a", "[/]", "[1] note"):
        assert word in text


def test_markdown_shows_words_as_they_are() -> None:
    sheet = Sheet("A * title", ["k_k", "v"], [["a|b", "_x_ <i>"], ["line\nbreak", "1.5 [2]"]], notes=("[2] `note`",))
    text = markdown(sheet)
    lines = text.splitlines()
    assert lines[0] == r"### A \* title"
    assert lines[2:5] == ["| k_k | v |", "|---|---|", r"| a\|b | \_x\_ \<i> |"]
    assert lines[5] == r"| line break | 1.5 \[2\] |"
    assert lines[-1] == r"\[2\] \`note\`"


@pytest.mark.parametrize("benchmark", ["deepeval", "pitt_ads"])
def test_info_loses_no_number_at_80_characters(benchmark: str) -> None:
    value = statistics(benchmark, punctum.sample(benchmark))
    out = io.StringIO()
    print_statistics(Console(file=out, width=80), benchmark, value)
    text = out.getvalue()
    assert all(cell_len(line) <= 80 for line in text.splitlines())
    words = set(re.findall(r"[^\s│┃]+", text))
    for sheet in sheets(value):
        for row in sheet.rows:
            for column, cell in enumerate(row):
                assert column == 0 or not sheet.numeric(column) or cell in words, (sheet.title, row)
