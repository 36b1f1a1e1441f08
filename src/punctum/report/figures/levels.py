"""MVP-Bench: low-level against high-level perception, model by model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from punctum.report.figures import Plot
from punctum.report.figures.style import COLOURS, MUTED, legend, name_rows, percent_axis
from punctum.report.ranking import Scored, by_task, starred
from punctum.report.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

#: Task and metric, which has a `_low` and a `_high`, and what people call it.
_PANELS = (
    ("mvp_bench/yes_no", "q_acc", "yes/no (qAcc)"),
    ("mvp_bench/mcq_cross", "accuracy", "cross-image choice, direct"),
    ("mvp_bench/mcq_cross", "circular_accuracy", "cross-image choice, circular"),
)
_Panel = tuple[str, str, list[Scored]]


def plots(runs: Sequence[Run]) -> Iterator[Plot]:
    """One over all measures that have both levels."""
    tasks = starred(by_task(runs))
    panels: list[_Panel] = []
    for task, metric, title in _PANELS:
        having = [entry for entry in tasks.get(task, ()) if None not in _pair(entry, metric)]
        if having:
            panels.append((metric, title, having))
    if panels:
        most = max(len(scored) for _, _, scored in panels)
        size = (1.9 + 2.5 * len(panels), 1.5 + 0.34 * most)
        yield Plot(
            "mvp-levels",
            "MVP-Bench: low level against high level",
            _words(panels),
            "mvp_bench",
            size,
            partial(_draw, panels=panels),
        )


def _pair(entry: Scored, metric: str) -> tuple[float | None, float | None]:
    found = entry[2].metrics
    return found.get(f"{metric}_low"), found.get(f"{metric}_high")


def _draw(canvas: Canvas, panels: Sequence[_Panel]) -> None:
    all_axes = canvas.subplots(1, len(panels), squeeze=False)[0]
    names = list(dict.fromkeys(name for _, _, scored in panels for name, _, _ in scored))
    for axes, (metric, title, scored) in zip(all_axes, panels, strict=True):
        name_rows(axes, names)
        percent_axis(axes)
        axes.set_title(title)
        axes.set_xlabel("×100")
        axes.spines["left"].set_visible(False)
        if axes is not all_axes[0]:
            axes.tick_params(labelleft=False)
        for entry in scored:
            low, high = _pair(entry, metric)
            assert low is not None and high is not None
            place = names.index(entry[0])
            axes.plot([100 * low, 100 * high], [place, place], color=MUTED, lw=1.4, zorder=1)
            axes.plot(100 * low, place, "o", color=COLOURS[0], ms=7, mec="white", mew=0.6, clip_on=False)
            axes.plot(100 * high, place, "D", color=COLOURS[1], ms=6, mec="white", mew=0.6, clip_on=False)
    from matplotlib.lines import Line2D

    marks = (("o", COLOURS[0], "low level"), ("D", COLOURS[1], "high level"))
    legend(
        canvas, {label: Line2D([], [], marker=mark, color=paint, lw=0, ms=6) for mark, paint, label in marks}, 2, names
    )


def _words(panels: Sequence[_Panel]) -> str:
    said = []
    for metric, title, scored in panels:
        for entry in scored:
            low, high = _pair(entry, metric)
            assert low is not None and high is not None
            said.append(f"{title}, {entry[0]}: {100 * low:.1f} low, {100 * high:.1f} high")
    return f"Dots of low-level and diamonds of high-level scores, ×100. {'; '.join(said)}."
