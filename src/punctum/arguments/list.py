"""The words of `punctum list`."""

from __future__ import annotations

import argparse

HELP = "benchmarks, tasks, metrics, backends, prompts and what each needs"
ORDER = 0


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument("--prompts", action="store_true", help="also the prompts and where their wording is from")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--quiet", action="store_true", help="only what one types after run: a task a line")
