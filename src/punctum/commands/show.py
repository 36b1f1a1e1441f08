"""`punctum show`: the tables of runs again."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from punctum.records import Score
from punctum.report.known import benchmark_of
from punctum.report.marks import marks
from punctum.report.runs import Run, TaskScore, load_runs
from punctum.results import dump
from punctum.sheets import Sheet, print_sheet
from punctum.tables import print_scores


def main(args: argparse.Namespace) -> int:
    """Print each run as `punctum run` ended with it."""
    runs = load_runs(args.runs)
    if args.json:
        raw = [run.raw for run in runs]
        sys.stdout.write(dump(raw[0] if len(raw) == 1 else raw))
        return 0
    console = Console()
    for place, run in enumerate(runs):
        if place:
            console.print()
        _print(console, run)
        if args.signatures:
            print_sheet(console, _signatures(run))
    return 0


def _print(console: Console, run: Run) -> None:
    benchmark = benchmark_of(run.benchmark)
    headlines = {f"{run.benchmark}/{task.name}": task.headline for task in benchmark.tasks} if benchmark else {}
    title = benchmark.title if benchmark else run.benchmark
    scores = list(run.tasks.values())
    print_scores(console, title, run.model, [_score(score) for score in scores], headlines)
    for mark in dict.fromkeys(mark for score in scores for mark in marks(run, score)):
        console.print(f"note: {mark}", highlight=False, markup=False)


def _score(score: TaskScore) -> Score:
    return Score(
        score.task,
        score.n,
        score.n_unparsed,
        score.n_failed,
        score.metrics,
        score.intervals,
        score.breakdowns,
        str(score.signature),
    )


def _signatures(run: Run) -> Sheet:
    """A row a field, a column a task."""
    scores = list(run.tasks.values())
    fields = dict.fromkeys(name for score in scores for name in score.signature)
    rows = [[name, *(score.signature.get(name, "") for score in scores)] for name in fields if name != "task"]
    return Sheet("Signatures", ["field", *(score.name for score in scores)], rows)
