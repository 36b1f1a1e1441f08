"""The words of `punctum construct`: those of each kind, and what all kinds that ask models share."""

from __future__ import annotations

import argparse

from punctum import discovery
from punctum.arguments.common import budget_arguments, from_zero, model_arguments, named, positive, sentence

HELP = "make benchmark data as the papers made theirs"
ORDER = 80


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for name, module in discovery.constructions().items():
        words = kinds.add_parser(name, help=module.HELP, description=sentence(module.HELP))
        module.add(words)
        if module.ASKS:
            _asking_arguments(words)


def _asking_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model writes, how often it may try, and where the files go."""
    parser.add_argument("--model", required=True, metavar="M", help="who writes, as for punctum run")
    parser.add_argument(
        "--out", type=named, metavar="DIR", help="folder for the files; may be that of the benchmark's data"
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N items")
    parser.add_argument("--seed", type=from_zero, default=0, metavar="N", help="of everything drawn (default 0)")
    parser.add_argument("--tries", type=positive, default=3, metavar="N", help=(
        "how often a text is asked for until it passes its checks (default 3)"))  # fmt: skip
    parser.add_argument("--again-temperature", type=float, default=0.7, metavar="T", help=(
        "of further tries, which a greedy model would answer like the first (default 0.7)"))  # fmt: skip
    parser.add_argument(
        "--prompts", type=named, metavar="DIR", help="templates that replace the package's of the same name"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress, no counts")
    model_arguments(parser)
    budget_arguments(parser)
