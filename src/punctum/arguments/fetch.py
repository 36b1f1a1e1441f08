"""The words of `punctum fetch`."""

from __future__ import annotations

import argparse

from punctum import _datasets
from punctum.arguments.common import named

HELP = "download what is public of a benchmark; prints the folder"
ORDER = 10


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument("benchmark", metavar="BENCH", help=f"one of {', '.join(_datasets.benchmarks())}")
    parser.add_argument("--out", type=named, metavar="DIR", help="the folder to fill (default: one in the cache)")
    parser.add_argument("--quiet", action="store_true", help="no progress, nothing but the folder")
