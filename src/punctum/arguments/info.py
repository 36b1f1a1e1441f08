"""The words of `punctum info`."""

from __future__ import annotations

import argparse

from punctum.arguments.common import rows_arguments

HELP = "statistics, biases and faults of a benchmark's data"
ORDER = 20


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    rows_arguments(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")
