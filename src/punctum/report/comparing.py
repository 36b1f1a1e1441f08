"""Tables of paired comparisons: every two runs of a task on the same items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from punctum.report.grids import Grid, Line, Number, signed
from punctum.report.paired import CannotCompare, Comparison, compare, holm, resampled_together
from punctum.report.ranking import Scored, by_task, headline
from punctum.report.recounting import CannotRecount, Recounted, recount
from punctum.report.runs import Run
from punctum.report.signatures import SETTLED_BY_ROWS, differences

_KEYS = ("first", "second")
_COLUMNS = ("difference", "from", "to", "p", "p (Holm)")
_RIGHT_OR_WRONG = ("only first right", "only second right", "items")
_ABOUT = (
    "Difference in points, first less second, on the same items, with its 95 % interval (from, to) by the paired "
    "bootstrap over pictures or pairs.",
)
_TESTS = {
    "McNemar": "p: McNemar's exact test over the items that only one of both got right.",
    "bootstrap": "p: paired bootstrap, since items share a picture or are not right or wrong.",
}
_MANY = (
    "Many comparisons: p (Holm) holds the chance of any false difference within this table, and only there; more "
    "metrics, tasks and looks are more chances."
)


@dataclass(frozen=True)
class _Row:
    metric: str
    first: str
    second: str
    comparison: Comparison
    notes: tuple[str, ...]


def comparisons(runs: Sequence[Run]) -> list[list[Grid]]:
    """For each task that at least two runs have, a table a metric: the task's first metric comes first."""
    tasks = by_task(runs)
    return [_of_task(task, scored) for task, scored in tasks.items() if len(scored) > 1]


def first_metrics(tables: Sequence[Sequence[Grid]]) -> list[Grid]:
    """Of each task the table of its first metric, with a word on the others."""
    found = []
    for first, *others in tables:
        names = ", ".join(grid.title.partition(", ")[2].partition(":")[0] for grid in others)
        note = (f"Further metrics are in the files that --out writes: {names}.",) if others else ()
        found.append(replace(first, notes=(*first.notes, *note)))
    return found


def _of_task(task: str, scored: Sequence[Scored]) -> list[Grid]:
    parts: dict[int, Recounted] = {}
    notes: list[str] = []
    for place, (name, run, score) in enumerate(scored):
        try:
            parts[place] = recount(run, score)
        except CannotRecount as error:
            notes.append(f"Not compared: {name}. {str(error)[0].upper()}{str(error)[1:]}.")
    metrics = headline(task, [score for _, _, score in scored])
    rows = list(_rows(metrics, scored, parts, notes))
    whole = [
        name
        for name in metrics
        if not name.startswith("n_") and parts and not any(name in part.measured.names for part in parts.values())
    ]
    if whole:
        notes.append(f"No paired test of {', '.join(whole)}: not made of sums over pictures.")
    slug = f"paired-{task.replace('/', '-')}"
    found = []
    for metric in metrics:
        family = [row for row in rows if row.metric == metric]
        if not family:
            continue
        adjusted = holm([row.comparison.p for row in family])
        of_items = all(row.comparison.test == "McNemar" for row in family)
        lines = tuple(_line(row, p, of_items) for row, p in zip(family, adjusted, strict=True))
        columns = (*_COLUMNS, *(_RIGHT_OR_WRONG if of_items else ("clusters",)))
        tests = [words for name, words in _TESTS.items() if any(row.comparison.test == name for row in family)]
        about = (*dict.fromkeys(notes), *_ABOUT, *tests, *([_MANY] if len(family) > 1 else []))
        title = f"{task}, {metric}: paired comparisons"
        found.append(Grid(f"{slug}-{metric.replace('_', '-')}", title, _KEYS, columns, lines, about))
    return found or [Grid(slug, f"{task}: paired comparisons", _KEYS, _COLUMNS, (), tuple(dict.fromkeys(notes)))]


def _rows(
    metrics: Sequence[str], scored: Sequence[Scored], parts: dict[int, Recounted], notes: list[str]
) -> Iterator[_Row]:
    """Comparisons of all pairs in the metrics that both have; what cannot be compared goes into `notes`."""
    for members in _sets(parts):
        values = dict(zip(members, resampled_together([parts[i].measured for i in members]), strict=True))
        for i, j in combinations(members, 2):
            (first, _, mine), (second, _, theirs) = scored[i], scored[j]
            apart = "; ".join(str(d) for d in differences(mine.signature, theirs.signature) if d.field not in _COUNTED)
            for metric in metrics:
                if metric not in values[i] or metric not in values[j]:
                    continue
                try:
                    found = compare(metric, parts[i], parts[j], values[i], values[j])
                except CannotCompare as error:
                    notes.append(f"Not compared in {metric}: {first} and {second}, since {error}.")
                else:
                    note = (f"not asked alike: {apart}",) if apart else ()
                    yield _Row(metric, first, second, found, note)
    for i, j in combinations(parts, 2):
        if set(parts[i].measured.clusters) != set(parts[j].measured.clusters):
            notes.append(f"Not compared: {scored[i][0]} and {scored[j][0]}, which have other pictures or questions.")


#: Fields that the questions themselves settle, one by one.
_COUNTED = ("rows", *SETTLED_BY_ROWS)


def _sets(parts: dict[int, Recounted]) -> Iterator[list[int]]:
    """Places of runs that share their clusters, in sets of two and more."""
    found: dict[frozenset[str], list[int]] = {}
    for place, part in parts.items():
        found.setdefault(frozenset(part.measured.clusters), []).append(place)
    return (members for members in found.values() if len(members) > 1)


def _line(row: _Row, adjusted: float, of_items: bool) -> Line:
    found = row.comparison
    bounds = (None, None) if found.interval is None else found.interval
    counts = (None if count is None else Number(f"{count:,}") for count in (found.only_first, found.only_second))
    cells = (
        *(None if value is None else Number(signed(100 * value)) for value in (found.difference, *bounds)),
        probability(found.p),
        probability(adjusted),
        *(counts if of_items else ()),
        Number(f"{found.n:,}"),
    )
    return Line((row.first, row.second), cells, "ours", row.notes)


def probability(p: float) -> Number:
    """A p-value: three digits, and none shown smaller than 0.001."""
    return Number("<0.001" if p < 0.001 else f"{p:.3f}", exact=f"{p:.3g}")
