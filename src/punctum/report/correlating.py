"""Correlations over models that a paper reports: ours, the printed ones, and what its printed cells give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from punctum.metrics.rank_correlation.core import rank_correlation
from punctum.report import published
from punctum.report.grids import Grid, Line, Number
from punctum.report.layouts import Correlation, Layouts, layouts
from punctum.report.paper_tables import bare
from punctum.report.runs import Run

#: With two models every correlation is 1 or -1.
_FEWEST = 3
#: A score of a part of the data, or asked in a way of its own, is not the one that a paper correlates.
_OUT_OF_THE_WAY = ("subset", "limit", "ids", "describe", "cot", "system")


def correlations(runs: Sequence[Run], compare: bool) -> list[Grid]:
    """A table a benchmark whose paper correlates two tasks, where enough models have both.

    Args:
        runs: of any benchmarks.
        compare: whether the paper's coefficients stand there, too.
    """
    found = []
    for benchmark in dict.fromkeys(run.benchmark for run in runs):
        known = layouts(benchmark)
        mine = [run for run in runs if run.benchmark == benchmark]
        if known and any(_models(mine, entry) for entry in known.correlations):
            found.append(_grid(benchmark, known, mine, compare))
    return found


def _grid(benchmark: str, known: Layouts, runs: Sequence[Run], compare: bool) -> Grid:
    lines: list[Line] = []
    few = []
    for place, entry in enumerate(known.correlations):
        models = _models(runs, entry)
        if compare:
            lines.append(Line((entry.name, "as printed"), (Number(entry.printed), None), "published", (), place > 0))
            lines.append(
                Line((entry.name, "from the printed cells"), _cells(_printed(known.paper, entry)), "published")
            )
        if len(models) >= _FEWEST:
            lines.append(Line((entry.name, "ours"), _cells(models), begins=place > 0 and not compare))
        elif models:
            few.append(f"{entry.name}: {', '.join(models)}")
    notes = [f"Too few models with both scores ({_FEWEST} are needed): {'; '.join(few)}."] if few else []
    about = f"{known.correlations[0].metric} against {known.correlations[0].other_metric} of the same models"
    title = f"{benchmark}: Pearson's r, {about}"
    return Grid(f"{benchmark}-correlation", title, ("task", "source of r"), ("r", "models"), tuple(lines), tuple(notes))


def _cells(pairs: Mapping[str, tuple[float, float]]) -> tuple[Number | None, Number]:
    count = Number(str(len(pairs)))
    if len(pairs) < _FEWEST:
        return None, count
    r = rank_correlation(*zip(*pairs.values(), strict=True))["pearson"]
    return (None if r is None else Number(f"{r:.2f}")), count


def _models(runs: Sequence[Run], entry: Correlation) -> dict[str, tuple[float, float]]:
    """Model to its two scores, where it has both; the first run of a model counts."""
    one, other = _by_model(runs, entry.task, entry.metric), _by_model(runs, entry.other, entry.other_metric)
    return {model: (one[model], other[model]) for model in one if model in other}


def _by_model(runs: Sequence[Run], task: str, metric: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for run in runs:
        for score in run.tasks.values():
            value = score.metrics.get(metric)
            if (
                score.task == task
                and value is not None
                and not any(name in score.signature for name in _OUT_OF_THE_WAY)
            ):
                found.setdefault(run.model.id, value)
    return found


def _printed(paper: published.Paper, entry: Correlation) -> dict[str, tuple[float, float]]:
    """Model to its two printed scores; the last table of a score counts least."""
    one, other = (
        {bare(s.row.labels["model"]): s.cell.value for s in reversed(published.published(task, metric)) if _is_whole(s)}
        for task, metric in ((entry.task, entry.metric), (entry.other, entry.other_metric))
    )
    return {model: (one[model], other[model]) for model in one if model in other}


def _is_whole(score: published.Published) -> bool:
    return not score.column.where and not score.table.where
