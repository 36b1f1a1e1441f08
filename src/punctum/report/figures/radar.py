"""DeepEval by category: a radar chart a task, as in the paper's Figure 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import pi
from typing import TYPE_CHECKING, Any

from punctum.evaluators.deepeval_rows import CATEGORIES
from punctum.report.figures import Plot
from punctum.report.figures.style import MUTED, RULE, colour, legend, marker, short
from punctum.report.ranking import Scored, by_task, starred
from punctum.report.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_MOST = 6  # polygons that one can tell apart


def plots(runs: Sequence[Run]) -> Iterator[Plot]:
    """One over all tasks of DeepEval that have categories."""
    tasks = {
        task: having
        for task, scored in starred(by_task(runs)).items()
        if task.startswith("deepeval/") and (having := [entry for entry in scored if _values(entry)])
    }
    if not tasks:
        return
    tasks, left_out = _readable(tasks)
    yield Plot(
        "deepeval-categories",
        "DeepEval: accuracy by category" + (f", the {_MOST} best of {left_out + _MOST} runs" if left_out else ""),
        _words(tasks),
        "deepeval",
        (0.6 + 3.1 * len(tasks), 4.1 + 0.2 * -(-len(_names(tasks)) // 3)),
        partial(_draw, tasks=tasks),
    )


def _values(entry: Scored) -> dict[str, float]:
    """Accuracy by category; empty unless all six are there."""
    table = entry[2].breakdowns.get("by_label", {})
    found = {name: float(value) for name in CATEGORIES if (value := _accuracy(table.get(name, {}))) is not None}
    return found if len(found) == len(CATEGORIES) else {}


def _accuracy(row: Mapping[str, Any]) -> float | None:
    """Of choosing, or of writing, as a judge found."""
    found: float | None = row.get("accuracy", row.get("judged_accuracy"))
    return found


def _readable(tasks: dict[str, list[Scored]]) -> tuple[dict[str, list[Scored]], int]:
    """The runs with the best mean, as many as a reader can tell apart, and how many were left out."""
    values: dict[str, list[float]] = {}
    for scored in tasks.values():
        for entry in scored:
            values.setdefault(entry[0], []).extend(_values(entry).values())
    best = sorted(values, key=lambda name: -sum(values[name]) / len(values[name]))[:_MOST]
    kept = {task: [entry for entry in scored if entry[0] in best] for task, scored in tasks.items()}
    return {task: scored for task, scored in kept.items() if scored}, len(values) - len(best)


def _names(tasks: dict[str, list[Scored]]) -> list[str]:
    return list(dict.fromkeys(name for scored in tasks.values() for name, _, _ in scored))


def _draw(canvas: Canvas, tasks: dict[str, list[Scored]]) -> None:
    panels = canvas.subplots(1, len(tasks), subplot_kw={"projection": "polar"}, squeeze=False)[0]
    angles = [2 * pi * i / len(CATEGORIES) for i in range(len(CATEGORIES))]
    names = _names(tasks)
    for panel, (task, scored) in zip(panels, tasks.items(), strict=True):
        panel.set_theta_offset(pi / 2)
        panel.set_theta_direction(-1)
        panel.set_ylim(0, 100)
        panel.set_yticks([25, 50, 75, 100], ["25", "50", "75", "100"], fontsize=7, color=MUTED)
        panel.set_xticks(angles, CATEGORIES, fontsize=8)
        panel.spines["polar"].set_color(RULE)
        panel.grid(True)
        panel.set_title(task.partition("/")[2], loc="center", pad=14)
        for entry in scored:
            place = names.index(entry[0])
            values = [100 * value for value in _values(entry).values()]
            panel.plot(
                [*angles, angles[0]], [*values, values[0]], color=colour(place), marker=marker(place), ms=4, lw=1.5,
                label=short(entry[0]),
            )  # fmt: skip
            panel.fill(angles, values, color=colour(place), alpha=0.08)
    shown = {label: handle for p in panels for handle, label in zip(*p.get_legend_handles_labels(), strict=True)}
    legend(canvas, shown, min(3, len(shown)), names)


def _words(tasks: dict[str, list[Scored]]) -> str:
    said = []
    for task, scored in tasks.items():
        for entry in scored:
            values = _values(entry)
            best, worst = max(values, key=lambda n: values[n]), min(values, key=lambda n: values[n])
            said.append(f"{task.partition('/')[2]}, {entry[0]}: best {best} {100 * values[best]:.1f}, "
                        f"worst {worst} {100 * values[worst]:.1f}")  # fmt: skip
    return f"Radar charts of accuracy, ×100, over the categories {', '.join(CATEGORIES)}. {'; '.join(said)}."
