"""`punctum report`: tables, figures and a site from runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from rich.console import Console

from punctum.commands.common import Failed
from punctum.report.comparing import comparisons, first_metrics
from punctum.report.correlating import correlations
from punctum.report.figures import NoMatplotlib
from punctum.report.grids import Grid, comma_separated, latex, sheet_of
from punctum.report.paper_tables import paper_tables
from punctum.report.ranking import rankings
from punctum.report.runs import load_runs
from punctum.report.writing import check_folder, write
from punctum.sheets import markdown, print_sheet


def main(args: argparse.Namespace) -> int:
    """Read the runs, print the tables, and write what `--out` asks for."""
    runs = load_runs(args.runs)
    if args.out:
        check_folder(Path(args.out))
    compare = args.compare == "paper"
    tables = [*paper_tables(runs, compare), *correlations(runs, compare)]
    scores = rankings(runs)
    pairs = comparisons(runs)
    if not args.quiet:
        shown = first_metrics(pairs) if args.format == "screen" else chain(*pairs)
        show(chain(tables, scores, shown), args.format)
    if args.out:
        sections = {"Tables of the papers": tables, "Scores": scores, "Paired comparisons": list(chain(*pairs))}
        try:
            page = write(runs, sections, Path(args.out), figures=not args.no_figures)
        except NoMatplotlib as error:
            raise Failed(str(error), 2) from error
        if not args.quiet:
            print(f"written: {page}", file=sys.stderr)
    return 0


def show(grids: Iterable[Grid], form: str) -> None:
    """Print tables."""
    console = Console()
    for grid in grids:
        if form == "screen":
            print_sheet(console, sheet_of(grid))
            console.print()
        elif form == "markdown":
            print(markdown(sheet_of(grid)))
        else:
            print(latex(grid) if form == "latex" else comma_separated(grid))
