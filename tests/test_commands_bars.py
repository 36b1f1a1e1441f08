"""Progress bars leave nothing where there was nothing to show."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from punctum.cli import main
from punctum.commands.bars import bars


def test_work_without_a_bar_prints_nothing() -> None:
    stream = io.StringIO()
    with bars("work", Console(file=stream), quiet=False):
        pass
    assert stream.getvalue() == ""


def test_a_bar_shows_the_stage_and_what_came_from_the_store() -> None:
    stream = io.StringIO()
    with bars("work", Console(file=stream, width=100), quiet=False) as begin:
        advance = begin("caption", 4)
        advance(1, True)
        advance(3, False)
    assert stream.getvalue().startswith("work · caption") and "4/4" in stream.getvalue()
    assert "1 from the store" in stream.getvalue()


@pytest.mark.parametrize(
    "words", [["fetch", "pitt_ads"], ["construct", "mvp", "no.jsonl", "--out", "o", "--model", "m"]]
)
def test_a_refusal_is_the_only_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"punctum {words[0]}: ") and err.count("\n") == 1
