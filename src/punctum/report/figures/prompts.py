"""Prompt spread: accuracy by each of a task's prompts, and their mean (DeepEval)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from punctum.report.figures import Plot
from punctum.report.figures.style import COLOURS, MARKERS, MUTED, legend, name_rows, percent_axis
from punctum.report.ranking import Scored, by_task, starred
from punctum.report.runs import Run, TaskScore

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_SLOT = re.compile(r"accuracy_slot_(\d+)")


def plots(runs: Sequence[Run]) -> Iterator[Plot]:
    """One for each benchmark with a task that was asked by several prompts."""
    found: dict[str, dict[str, list[Scored]]] = {}
    for task, scored in starred(by_task(runs)).items():
        having = [entry for entry in scored if len(slots(entry[2])) > 1]
        if having:
            found.setdefault(task.partition("/")[0], {})[task] = having
    for benchmark, tasks in found.items():
        most = max(map(len, tasks.values()))
        yield Plot(
            f"prompts-{benchmark}",
            f"{benchmark}: accuracy by prompt",
            _words(tasks),
            benchmark,
            (2.0 + 2.2 * len(tasks), 1.5 + 0.34 * most),
            partial(_draw, tasks=tasks),
        )


def slots(score: TaskScore) -> dict[int, float]:
    """Prompt slot to accuracy."""
    pairs = ((_SLOT.fullmatch(name), value) for name, value in score.metrics.items())
    return {int(match[1]): value for match, value in pairs if match and value is not None}


def _draw(canvas: Canvas, tasks: dict[str, list[Scored]]) -> None:
    panels = canvas.subplots(1, len(tasks), sharey=False, squeeze=False)[0]
    for panel, (task, scored) in zip(panels, tasks.items(), strict=True):
        name_rows(panel, [name for name, _, _ in scored])
        percent_axis(panel)
        panel.set_title(task.partition("/")[2])
        panel.set_xlabel("accuracy, ×100")
        panel.spines["left"].set_visible(False)
        if panel is not panels[0]:
            panel.tick_params(labelleft=False)
        for place, (_, _, score) in enumerate(scored):
            found = slots(score)
            values = [100 * value for value in found.values()]
            panel.plot([min(values), max(values)], [place, place], color=MUTED, lw=1.2, zorder=1)
            for slot, value in found.items():
                panel.plot(100 * value, place, MARKERS[slot - 1], color=COLOURS[slot - 1], ms=5.5, mec="white", mew=0.6,
                           label=f"prompt {slot}" if place == 0 else None)  # fmt: skip
            panel.plot(sum(values) / len(values), place, "|", color="black", ms=13, mew=1.8,
                       label="mean" if place == 0 else None)  # fmt: skip
    handles, labels = panels[0].get_legend_handles_labels()
    names = [name for scored in tasks.values() for name, _, _ in scored]
    legend(canvas, dict(zip(labels, handles, strict=True)), len(labels), names)


def _words(tasks: dict[str, list[Scored]]) -> str:
    said = []
    for task, scored in tasks.items():
        for name, _, score in scored:
            by_slot = ", ".join(f"{100 * value:.1f}" for value in slots(score).values())
            said.append(f"{task.partition('/')[2]}, {name}: {by_slot}")
    return f"Dots of accuracy, ×100, by prompt, in the order of the prompts. {'; '.join(said)}."
