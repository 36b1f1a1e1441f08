"""The words of `punctum build`."""

from __future__ import annotations

import argparse

from punctum.arguments.common import named, positive, rows_arguments

HELP = "write a dataset repository that loads without punctum"
ORDER = 90


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    rows_arguments(parser)
    parser.add_argument(
        "--out", type=named, required=True, metavar="DIR", help="the folder to make; must not exist, or be empty"
    )
    parser.add_argument("--force", action="store_true", help="replace what an earlier build left there")
    parser.add_argument("--variants", action="store_true", help="also the configs' other forms, as configs too")
    parser.add_argument("--shard-mb", type=positive, default=500, metavar="N", help="size of a file (default 500)")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")
