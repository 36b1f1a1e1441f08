"""The leaderboard: a board a task, runs that may be ranked together in sets, published rows beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from punctum.report.marks import marks
from punctum.report.published import Published, published
from punctum.report.runs import TaskScore
from punctum.report.signatures import Signature, asides, comparable_sets, differences
from punctum.report.site.named import Named, headline_of, title_of

#: What a row shows in another way.
_SHOWN = frozenset({"setting", "context"})


@dataclass(frozen=True)
class _Place:
    """A run's score on a task."""

    entry: Named
    score: TaskScore


def boards(known: Sequence[Named]) -> list[dict[str, Any]]:
    """A board a task, in the order in which runs name them."""
    places: dict[str, list[_Place]] = {}
    for entry in known:
        for score in entry.run.tasks.values():
            places.setdefault(score.task, []).append(_Place(entry, score))
    return [_board(task, found) for task, found in places.items()]


def _board(task: str, places: Sequence[_Place]) -> dict[str, Any]:
    benchmark, _, name = task.partition("/")
    sets = comparable_sets(places, lambda place: place.score.signature)
    rows = _published(published(task))
    metrics = _metrics(headline_of(benchmark, name), places)
    return {
        "task": task,
        "benchmark": benchmark,
        "title": title_of(benchmark),
        "name": name,
        "metrics": metrics,
        "sets": [_set(found, sets[0][0].score.signature, metrics) for found in sets],
        "published": [row for row in rows if any(metric in row["cells"] for metric in metrics)],
    }


def _metrics(headline: Sequence[str], places: Sequence[_Place]) -> list[str]:
    """The headline metrics that a run has; without any, the first ones that there are."""
    known = {name: None for place in places for name in place.score.metrics}
    return [name for name in headline if name in known] or [n for n in known if not n.endswith("_answered")][:6]


def _set(places: Sequence[_Place], first: Signature, metrics: Sequence[str]) -> dict[str, Any]:
    """Runs whose conditions are equal, and how these differ from those of the board's first set."""
    signature = places[0].score.signature
    beside = {d.field: None for place in places for d in asides(signature, place.score.signature)}
    return {
        "conditions": {name: value for name, value in signature.conditions().items() if value is not None},
        "setting": signature.get("setting", "vlm"),
        "differs": [[d.field, d.one, d.other] for d in differences(signature, first)],
        "asides": list(beside),
        "rows": [_row(place, metrics) for place in places],
    }


def _row(place: _Place, metrics: Sequence[str]) -> dict[str, Any]:
    score = place.score
    values = {m: [score.metrics[m], *score.intervals.get(m, ())] for m in metrics if score.metrics.get(m) is not None}
    return {
        "run": place.entry.slug,
        "values": values,
        "n": score.n,
        "unparsed": score.n_unparsed,
        "failed": score.n_failed,
        "marks": score.marks,
        "notes": [mark for mark in marks(place.entry.run, score, _SHOWN) if mark not in score.marks],
    }


def _published(scores: Sequence[Published]) -> list[dict[str, Any]]:
    """What papers print for the task, a row for everything that is of the same model and conditions."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for score in scores:
        conditions = {name: value for name, value in score.conditions.items() if value}
        key = (score.paper.name, score.table.number, *conditions.items())
        model = conditions.pop("model", "–")
        row = rows.setdefault(
            key,
            {
                "model": model,
                "conditions": conditions,
                "paper": f"{score.paper.title} ({score.paper.year})",
                "table": score.table.number,
                "cells": {},
            },
        )
        row["cells"][score.column.metric] = {
            "printed": score.cell.printed,
            "value": score.cell.value,
            "doubts": [doubt.note for doubt in score.doubts],
        }
    return list(rows.values())
