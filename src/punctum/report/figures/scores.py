"""The headline scores of a task with their intervals, a panel a metric, apart where runs are not comparable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from punctum.report.figures import Plot
from punctum.report.figures.style import INK, MUTED, RULE, colour, footnote, name_rows, percent_axis
from punctum.report.ranking import Scored, by_task, headline
from punctum.report.runs import Run
from punctum.report.signatures import comparable_sets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_MOST_PANELS = 6


def plots(runs: Sequence[Run]) -> Iterator[Plot]:
    """One for each task of which something was measured."""
    for task, scored in by_task(runs).items():
        metrics = [name for name in headline(task, [s for _, _, s in scored]) if not name.startswith("n_")]
        metrics = metrics[:_MOST_PANELS]
        if not metrics:
            continue
        sets = comparable_sets(scored, lambda entry: entry[2].signature)
        ordered = [sorted(members, key=lambda e: -(e[2].metrics.get(metrics[0]) or 0)) for members in sets]
        columns = 2 if len(metrics) == 4 else min(len(metrics), 3)
        lines = -(-len(metrics) // columns)
        height = 0.75 + lines * (0.62 + 0.3 * (len(scored) + 0.6 * (len(sets) - 1)))
        yield Plot(
            f"scores-{task.replace('/', '-')}",
            f"{task}: scores and 95 % intervals",
            _words(task, ordered, metrics[0]),
            task,
            (2.0 + 2.3 * columns, height),
            partial(_draw, sets=ordered, metrics=metrics, columns=columns),
        )


def _draw(canvas: Canvas, sets: Sequence[Sequence[Scored]], metrics: Sequence[str], columns: int) -> None:
    lines = -(-len(metrics) // columns)
    panels = canvas.subplots(lines, columns, sharex=True, sharey=True, squeeze=False).ravel()
    rows = [entry for members in sets for entry in members]
    for panel, metric in zip(panels, metrics, strict=False):
        name_rows(panel, [name for name, _, _ in rows])
        percent_axis(panel)
        panel.set_title(metric)
        for place, (_, _, score) in enumerate(rows):
            value, pair = score.metrics.get(metric), score.intervals.get(metric)
            if value is None:
                panel.text(2, place, "not measured", va="center", color=MUTED, fontsize=8)
                continue
            if pair is not None:
                panel.plot([100 * p for p in pair], [place, place], color=colour(0), lw=2, solid_capstyle="round")
            panel.plot(100 * value, place, "o", color=colour(0), ms=6, mec="white", mew=0.8, clip_on=False)
            _label(panel, place, 100 * value, [100 * p for p in pair or (value, value)])
        edge = -0.5
        for members in sets[:-1]:
            edge += len(members)
            panel.axhline(edge, color=MUTED, lw=0.9, ls=(0, (4, 3)))
    for panel in panels[len(metrics) :]:
        panel.set_visible(False)
    for panel in panels[max(0, len(metrics) - columns) : len(metrics)]:
        panel.set_xlabel("score, ×100")
        panel.tick_params(labelbottom=True)
    footnote(canvas, "Dashed lines part runs whose signatures differ: not one ranking." if len(sets) > 1 else "")
    for panel in panels:
        panel.spines["left"].set_visible(False)
        panel.spines["bottom"].set_color(RULE)


def _label(panel: Axes, place: int, value: float, pair: Sequence[float]) -> None:
    """The number beside the interval, where there is room for it; else above the dot."""
    low, high = pair
    if high < 86:
        panel.text(high + 2.2, place, f"{value:.1f}", va="center", fontsize=8, color=INK)
    elif low > 14:
        panel.text(low - 2.2, place, f"{value:.1f}", va="center", ha="right", fontsize=8, color=INK)
    else:
        panel.text(value, place - 0.14, f"{value:.1f}", va="bottom", ha="center", fontsize=8, color=INK)


def _words(task: str, sets: Sequence[Sequence[Scored]], metric: str) -> str:
    said = []
    for members in sets:
        for name, _, score in members:
            value, pair = score.metrics.get(metric), score.intervals.get(metric)
            if value is not None:
                between = f" ({100 * pair[0]:.1f} to {100 * pair[1]:.1f})" if pair else ""
                said.append(f"{name} {100 * value:.1f}{between}")
    apart = f"; {len(sets)} sets that are not comparable" if len(sets) > 1 else ""
    return f"Scores of {task} as dots with intervals. {metric}, ×100: {', '.join(said)}{apart}."
