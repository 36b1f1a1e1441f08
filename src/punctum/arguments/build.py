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
    parser.add_argument("--title", type=named, metavar="TEXT", help=(
        "of data of your own in the benchmark's form, such as punctum construct makes; wants --licence"))  # fmt: skip
    parser.add_argument("--licence", type=named, metavar="ID", help=(
        "theirs, as the Hub calls it (cc-by-4.0, mit, other, …), in place of the benchmark's"))  # fmt: skip
    parser.add_argument("--shard-mb", type=positive, default=500, metavar="N", help="size of a file (default 500)")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")
