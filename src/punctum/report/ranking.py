"""Scores task by task: a ranking for each set of runs whose signatures are of the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from punctum.report.grids import Grid, Line, Number, with_common_notes
from punctum.report.known import benchmark_of, task_of
from punctum.report.marks import marks
from punctum.report.runs import Run, TaskScore, names
from punctum.report.signatures import asides, comparable_sets, differences

Scored = tuple[str, Run, TaskScore]  # name in tables, run, score


def by_task(runs: Sequence[Run]) -> dict[str, list[Scored]]:
    """`BENCH/TASK` to the scores there are, in the order of benchmarks and their tasks."""
    found: dict[str, list[Scored]] = {}
    for name, run in zip(names(runs), runs, strict=True):
        for score in run.tasks.values():
            found.setdefault(score.task, []).append((name, run, score))
    order: list[str] = []
    for benchmark in dict.fromkeys(run.benchmark for run in runs):
        known = benchmark_of(benchmark)
        order += [f"{benchmark}/{task.name}" for task in known.tasks] if known else []
    return {task: found[task] for task in (*(t for t in order if t in found), *(t for t in found if t not in order))}


#: What a star at a name says.
APART = "* asked of other data or in another way than the unmarked: not one ranking."


def starred(tasks: Mapping[str, Sequence[Scored]]) -> dict[str, list[Scored]]:
    """The same, with a star at the names of runs that are not comparable with the largest set of each task."""
    found = {}
    for task, scored in tasks.items():
        first, *_ = comparable_sets(scored, lambda entry: entry[2].signature)
        found[task] = [entry if entry in first else (f"{entry[0]} *", *entry[1:]) for entry in scored]
    return found


def headline(task: str, scores: Sequence[TaskScore]) -> list[str]:
    """The metrics that a table of a task shows, first those that the task names, as far as any score has them."""
    known = task_of(task)
    wanted = known.headline if known else ()
    named = [name for name in wanted if any(score.metrics.get(name) is not None for score in scores)]
    if named:
        return named
    return list(dict.fromkeys(n for s in scores for n, v in s.metrics.items() if v is not None and _is_plain(n)))


def _is_plain(name: str) -> bool:
    return not name.endswith("_answered") and not name.startswith(("variance", "std"))


def rankings(runs: Sequence[Run]) -> list[Grid]:
    """A table for each task and each set of comparable runs, best first by the task's first metric."""
    return [grid for task, scored in by_task(runs).items() for grid in _of_task(task, scored)]


def _of_task(task: str, scored: Sequence[Scored]) -> Iterator[Grid]:
    sets = comparable_sets(scored, lambda entry: entry[2].signature)
    for number, members in enumerate(sets, 1):
        metrics = headline(task, [score for _, _, score in members])
        first = metrics[0] if metrics else ""  # none, where nothing was measured
        members = sorted(members, key=lambda entry: -(entry[2].metrics.get(first) or 0.0))
        part = f", set {number} of {len(sets)}" if len(sets) > 1 else ""
        lines = tuple(_line(entry, metrics) for entry in members)
        slug = task.replace("/", "-") + (f"-set-{number}" if len(sets) > 1 else "")
        columns = (*metrics, "n", "unparsed", "failed")
        others = [other for other in sets if other is not sets[number - 1]]
        notes = (*_asides(members), *_why_apart(members, others), _ABOUT_INTERVALS)
        title = f"{task}{part}: scores ×100"
        yield with_common_notes(Grid(f"scores-{slug}", title, ("model",), columns, lines, notes))


_ABOUT_INTERVALS = (
    "Intervals: 95 %, bootstrap over pictures or pairs. Whether two models differ is for the paired tests to say, "
    "not for overlapping intervals."
)


def _line(entry: Scored, metrics: Sequence[str]) -> Line:
    name, run, score = entry
    counts = (Number(f"{count:,}") for count in (score.n, score.n_unparsed, score.n_failed))
    return Line((name,), (*(number(score, metric) for metric in metrics), *counts), "ours", tuple(marks(run, score)))


def number(score: TaskScore, metric: str) -> Number | None:
    """A metric as printed, with its interval; None where there was nothing to measure."""
    value = score.metrics.get(metric)
    if value is None:
        return None
    if metric.startswith("n_"):
        return Number(f"{value:,.0f}")
    pair = score.intervals.get(metric)
    return Number(f"{100 * value:.2f}", None if pair is None else (f"{100 * pair[0]:.2f}", f"{100 * pair[1]:.2f}"))


def _asides(members: Sequence[Scored]) -> Iterator[str]:
    """What differs within a set beside the models."""
    first = members[0][2].signature
    fields = dict.fromkeys(d.field for _, _, score in members[1:] for d in asides(first, score.signature))
    if fields:
        yield f"Beside the models these differ: {', '.join(fields)}."


def _why_apart(members: Sequence[Scored], others: Sequence[Sequence[Scored]]) -> Iterator[str]:
    """Why other runs of the task are not in this ranking, field by field."""
    mine = members[0][2].signature
    for other in others:
        found = differences(mine, other[0][2].signature)
        who = ", ".join(name for name, _, _ in other)
        yield f"Not ranked here: {who}. Other {'; '.join(map(str, found))}."
