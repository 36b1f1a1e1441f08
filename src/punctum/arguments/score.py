"""The words of `punctum score`."""

from __future__ import annotations

import argparse

from punctum.arguments.common import data_arguments

HELP = "score answers from files"
ORDER = 40


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    data_arguments(parser)
    parser.add_argument("--predictions", nargs="+", required=True, metavar="F", help="JSON Lines with id and output")
    parser.add_argument("--verdicts", nargs="+", default=[], metavar="F", help=(
        "JSON Lines with a judge's words on free answers, or on yes/no answers that cannot be read (default: those "
        "that stand in the prediction files)"))  # fmt: skip
    parser.add_argument("--each", action="store_true", help=(
        "score each file by itself, as a rater's or a model's, side by side, with their agreement"))  # fmt: skip
    parser.add_argument("--ignore-unknown", action="store_true", help="leave out ids that the data do not have")
    parser.add_argument("--name", metavar="NAME", help="whose answers they are (default: what the files say)")
