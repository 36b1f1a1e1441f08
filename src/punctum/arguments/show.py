"""The words of `punctum show`."""

from __future__ import annotations

import argparse

HELP = "print the tables of runs again"
ORDER = 50


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folder of punctum run --out or punctum score --out")
    parser.add_argument("--json", action="store_true", help="the runs' results.json; an array where there are several")
    parser.add_argument("--signatures", action="store_true", help="also what each score is of, field by field")
