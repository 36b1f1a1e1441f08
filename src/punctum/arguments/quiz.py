"""The words of `punctum quiz`."""

from __future__ import annotations

import argparse

from punctum import discovery
from punctum.arguments.common import data_folder, from_zero, named, positive

HELP = "write a page on which people answer a task's questions"
ORDER = 70


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    known = ", ".join(discovery.benchmarks())
    parser.add_argument("benchmark", metavar="BENCH/TASK", help=f"one of {known}, and a task")
    data_folder(parser)
    parser.add_argument("--n", type=positive, default=100, metavar="N", help="questions (default 100)")
    parser.add_argument("--out", type=named, required=True, metavar="DIR", help="the folder of the page")
    parser.add_argument("--setting", default="vlm", choices=("vlm", "sm", "lm"), help="picture, caption, or neither")
    parser.add_argument("--subset", metavar="NAME", help="part of the data (punctum list names them)")
    parser.add_argument("--split", metavar="NAME", help="of the data, where a task has several")
    parser.add_argument("--negatives", default="hard", choices=("hard", "easy"), help="which wrong options (pitt_ads)")
    parser.add_argument(
        "--seed", type=from_zero, default=0, metavar="N", help="of the questions and the order of options"
    )
    parser.add_argument(
        "--prompts", type=named, metavar="DIR", help="templates that replace the package's of the same name"
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing but warnings")
