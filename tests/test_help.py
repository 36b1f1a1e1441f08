"""What `--help` says, of every command and every command of a command."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from punctum.cli import _parser


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from parsers(child)


PARSERS = {parser.prog: parser for parser in parsers(_parser())}


@pytest.mark.parametrize("name", PARSERS)
def test_it_says_what_the_command_does_and_what_each_word_means(name: str) -> None:
    description = PARSERS[name].description or ""
    assert description[:1].isupper() and description.endswith(".") and not description.endswith("..")
    silent = [a.option_strings or a.dest for a in PARSERS[name]._actions if not a.help]
    assert all(s in ("command", "what", "kind", "step") for s in silent), silent


def test_commands_stand_in_the_order_of_their_use() -> None:
    [commands] = [a for a in _parser()._actions if isinstance(a, argparse._SubParsersAction)]
    names = list(commands.choices)
    assert [name for name in names if name in ("list", "fetch", "run", "score", "report", "push")] == [
        "list",
        "fetch",
        "run",
        "score",
        "report",
        "push",
    ]


def test_only_run_offers_a_papers_settings() -> None:
    offering = [name for name, parser in PARSERS.items() if "K=V|paper" in parser.format_help()]
    assert offering == ["punctum run"]


def test_the_table_of_exit_codes_ends_the_help() -> None:
    words = " ".join(_parser().format_help().split())
    assert words.endswith("130 interrupted.") and "The command `punctum`" not in words
