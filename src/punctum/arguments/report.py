"""The words of `punctum report`."""

from __future__ import annotations

import argparse

from punctum.arguments.common import named

HELP = "tables, figures and a site from runs"
ORDER = 60


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folder of punctum run --out or punctum score --out")
    parser.add_argument("--compare", choices=("paper",), help="the published rows beside one's own")
    parser.add_argument("--format", default="screen", choices=("screen", "markdown", "latex", "csv"), help=(
        "of what is printed (default: tables for the screen)"))  # fmt: skip
    parser.add_argument("--out", type=named, metavar="DIR", help=(
        "write tables (.md, .tex, .csv), figures (.svg, .png; needs punctum[report]) and the site there"))  # fmt: skip
    parser.add_argument("--no-figures", action="store_true", help="no figures in --out")
    parser.add_argument("--quiet", action="store_true", help="print nothing")
