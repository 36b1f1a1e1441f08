"""The words of `punctum register`."""

from __future__ import annotations

import argparse

HELP = "let evaluate.load find the metrics by name, everywhere"
ORDER = 110


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument("--remove", action="store_true", help="take them out of evaluate's cache again")
    parser.add_argument("--quiet", action="store_true", help="print nothing")
