"""`punctum report`: tables, figures and a site from runs."""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from pathlib import Path

from rich.console import Console

from punctum.report.comparing import comparisons, first_metrics
from punctum.report.correlating import correlations
from punctum.report.grids import Grid, comma_separated, latex, sheet_of
from punctum.report.paper_tables import paper_tables
from punctum.report.ranking import rankings
from punctum.report.runs import load_runs
from punctum.report.writing import write
from punctum.sheets import markdown, print_sheet


def main(args: argparse.Namespace) -> int:
    """Read the runs, print the tables, and write what `--out` asks for."""
    runs = load_runs(args.runs)
    pairs = comparisons(runs)
    compare = args.compare == "paper"
    grids = [*paper_tables(runs, compare), *correlations(runs, compare), *rankings(runs)]
    if not args.quiet:
        show([*grids, *(first_metrics(pairs) if args.format == "screen" else chain(*pairs))], args.format)
    if args.out:
        page = write(runs, [*grids, *chain(*pairs)], Path(args.out), figures=not args.no_figures)
        if not args.quiet:
            print(f"written: {page}", file=sys.stderr)
    return 0


def show(grids: list[Grid], form: str) -> None:
    """Print tables."""
    console = Console()
    for grid in grids:
        if form == "screen":
            print_sheet(console, sheet_of(grid))
            console.print()
        elif form == "markdown":
            print(markdown(sheet_of(grid)))
        else:
            sys.stdout.write(latex(grid) + "\n" if form == "latex" else comma_separated(grid) + "\n")
