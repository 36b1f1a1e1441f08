"""Tables for people: what a run prints when it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from punctum.records import ModelInfo, Score
from punctum.sheets import printable


def percent(value: float | None) -> str:
    """A fraction as the papers print it: ×100, two digits."""
    return "–" if value is None else f"{100 * value:.2f}"


def print_scores(
    console: Console,
    title: str,
    model: ModelInfo,
    scores: Sequence[Score],
    headlines: Mapping[str, Sequence[str]],
) -> None:
    """Print a table with the headline metrics of each task, and what a reader must know beside them.

    Args:
        console: where to.
        title: the benchmark's.
        model: who answered.
        scores: one a task.
        headlines: task to the metrics that come first; the others follow.
    """
    table = Table(title=f"{escape(title)} · {escape(printable(model.id))}", title_justify="left", header_style="bold")
    table.add_column("metric", no_wrap=True)
    for name in ("×100", "interval", "answered only"):
        table.add_column(name, justify="right", no_wrap=True)
    for score in scores:
        table.add_row(f"[bold]{escape(score.task)}[/bold]")
        for name in _order(score, headlines.get(score.task, ())):
            answered = score.metrics.get(f"{name}_answered")
            table.add_row(
                f"  {escape(name)}",
                _value(name, score.metrics[name]),
                _interval(score, name),
                percent(answered) if f"{name}_answered" in score.metrics else "",
            )
        table.add_section()
    console.print(table)
    for score in scores:
        console.print(f"{escape(score.task)}: {_counts(score)}", highlight=False)
        for line in _notes(score):
            console.print(f"  {escape(line)}", highlight=False)


def _order(score: Score, headline: Sequence[str]) -> list[str]:
    known = [name for name in headline if score.metrics.get(name) is not None]
    rest = [
        name
        for name, value in score.metrics.items()
        if name not in headline and not name.endswith("_answered") and value is not None
    ]
    return known + rest


def _value(name: str, value: float | None) -> str:
    if value is not None and name.startswith("n_"):
        return f"{value:,.0f}"  # a count
    if value is not None and name.startswith("variance"):
        return f"{1e4 * value:.2f}"  # the variance of percentages, as papers print it
    return percent(value)


def _interval(score: Score, name: str) -> str:
    pair = score.intervals.get(name)
    return "" if pair is None else f"{percent(pair[0])} – {percent(pair[1])}"


def _counts(score: Score) -> str:
    words = (
        f"{score.n:,} answers, {score.n_unparsed:,} unreadable (counted as wrong), {score.n_failed:,} missing or failed"
    )
    rates = score.breakdowns.get("parse_rate")
    if rates:
        words += "; readable: " + ", ".join(f"{name} {percent(rate)} %" for name, rate in rates.items())
    if said := score.breakdowns.get("verdicts"):
        words += "; the judge said: " + ", ".join(f"{name} {count:,}" for name, count in said.items())
    return words


def _notes(score: Score) -> list[str]:
    notes = []
    for name, gap in score.breakdowns.get("relative_gap", {}).items():
        if gap is not None:
            notes.append(f"relative gap, {name}: {percent(gap)} %")
    kinds = score.breakdowns.get("chosen_kinds")
    if kinds:
        notes.append("chosen: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.items()))
    for name, where in (("letters", "direct"), ("letters_circular", "rotations")):
        if letters := score.breakdowns.get(name):
            counts = ", ".join(f"{letter} {c['chosen']}/{c['gold']}" for letter, c in letters.items())
            notes.append(f"letters chosen/right ({where}): {counts}")
    return notes
