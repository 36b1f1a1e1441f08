"""`punctum score --each`: several raters or models side by side, and how far they agree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from punctum.commands.common import Failed
from punctum.metrics.cohen_kappa.core import cohen_kappa
from punctum.records import ModelInfo, Prediction, Sample, Score, Unit
from punctum.results import dump, results, write_results
from punctum.tables import percent

#: What each said: a question's address to the option in the published order, or the words.
Said = dict[Unit, str]
ScoreFiles = Callable[..., tuple[ModelInfo, list[Score]]]


def score_each(args: argparse.Namespace, score_files: ScoreFiles) -> int:
    """Score each file by itself, print one table, and the agreement of each two.

    Args:
        args: of `punctum score`.
        score_files: scores the files of its arguments.

    Raises:
        ValueError: if two files have one name, or `--name` would name them all alike.
    """
    if args.name:
        raise ValueError("--name names one row, and --each makes one a file; the files' own names serve")
    names = [Path(file).stem for file in args.predictions]
    if len(set(names)) < len(names):
        raise ValueError(f"two files are called {max(names, key=names.count)}; with --each their names tell them apart")
    rows: list[tuple[str, ModelInfo, list[Score]]] = []
    said: dict[str, Said] = {}
    for name, file in zip(names, args.predictions, strict=True):
        answers = said.setdefault(name, {})
        own = argparse.Namespace(**{
            **vars(args), "predictions": [file], "json": None, "quiet": True,
            "out": str(Path(args.out) / name) if args.out else None,
        })  # fmt: skip
        try:
            info, scores = score_files(own, _listener(answers))
        except Failed as error:
            raise Failed(f"{file}: {error}", error.code) from error
        rows.append((name, info, scores))
    agreement = [{"first": a, "second": b, **agreed(said[a], said[b])} for a, b in combinations(names, 2)]
    benchmark = args.benchmark.partition("/")[0]
    value = {"runs": [results(benchmark, info, scores) for _, info, scores in rows], "agreement": agreement}
    if args.json and args.json != "-":
        write_results(Path(args.json), value)
    if args.json == "-":
        sys.stdout.write(dump(value))
    elif not args.quiet:
        _print(Console(), args.benchmark, rows, agreement)
    return 0


def _listener(answers: Said) -> Callable[[Sample, Prediction], None]:
    def listen(sample: Sample, prediction: Prediction) -> None:
        parsed = prediction.parsed
        if parsed is None:
            return
        if sample.form == "choice":
            published = sample.permutation or range(len(sample.options))
            answers[sample.unit] = " ".join(str(published[int(place)]) for place in parsed)
        else:
            answers[sample.unit] = parsed if isinstance(parsed, str) else " ".join(sorted(map(str, parsed)))

    return listen


def agreed(first: Said, second: Said) -> dict[str, Any]:
    """How far two agree on the questions that both answered.

    Args:
        first, second: what each said, by question.

    Returns:
        `n` questions that both answered; `observed_agreement`, the share answered alike; `cohen_kappa`, over the
        published places of options, words or label sets (None where chance agreement is complete). Both are None
        without a common question.
    """
    both = [unit for unit in first if unit in second]
    if not both:
        return {"n": 0, "observed_agreement": None, "cohen_kappa": None}
    found = cohen_kappa([first[unit] for unit in both], [second[unit] for unit in both])
    return {name: found[name] for name in ("n", "observed_agreement", "cohen_kappa")}


def _print(
    console: Console,
    title: str,
    rows: Sequence[tuple[str, ModelInfo, list[Score]]],
    agreement: Sequence[dict[str, Any]],
) -> None:
    table = Table(title=f"{escape(title)} · each file by itself", title_justify="left", header_style="bold")
    for name in ("file", "metric"):
        table.add_column(name, overflow="fold")  # what is cut off of a name may be all that tells it from another
    for name in ("×100", "interval", "answers", "unreadable", "missing"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, _, scores in rows:
        for metric, score in _shown(scores):
            pair = score.intervals.get(metric)
            table.add_row(
                escape(name),
                escape(metric if len(scores) == 1 else f"{score.task}: {metric}"),
                percent(score.metrics[metric]),
                "" if pair is None else f"{percent(pair[0])} – {percent(pair[1])}",
                str(score.n - score.n_failed),
                str(score.n_unparsed),
                str(score.n_failed),
            )
        table.add_section()
    console.print(table)
    for both in agreement:
        console.print(escape(_in_words(both)), highlight=False)


def _in_words(both: dict[str, Any]) -> str:
    who = f"{both['first']} and {both['second']}"
    if not both["n"]:
        return f"{who} answered no question in common"
    kappa = "undefined" if both["cohen_kappa"] is None else f"{both['cohen_kappa']:.2f}"
    share = percent(both["observed_agreement"])
    return f"{who}: {share} % of {both['n']} common questions answered alike, Cohen's kappa {kappa}"


def _shown(scores: Sequence[Score]) -> Iterator[tuple[str, Score]]:
    """The metrics that have an interval, or all where none has one."""
    for score in scores:
        names = list(score.intervals) or [n for n, v in score.metrics.items() if v is not None]
        yield from ((name, score) for name in names if not name.endswith("_answered"))
