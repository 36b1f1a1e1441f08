"""Which wrong options were chosen: VAGUE's failure modes, and error kinds of ads and WHOOPS! questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from punctum.report.figures import Plot
from punctum.report.figures.style import INK, colour, hatch, legend, short
from punctum.report.ranking import Scored, by_task, starred
from punctum.report.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_TASKS = ("pitt_ads/asr", "pitt_ads/arr", "pitt_ads/arr_single", "whoops/explanation", "vague/mcq")
_WORDS = {
    "fake_scene": "fake scene (FS)",
    "superficial": "superficial (SU)",
    "nonexistent_entity": "nonexistent entity (NE)",
}
_NOT_KINDS = ("correct",)


def plots(runs: Sequence[Run]) -> Iterator[Plot]:
    """One for each task whose wrong options are of several kinds."""
    for task, scored in starred(by_task(runs)).items():
        having = [entry for entry in scored if entry[2].breakdowns.get("chosen_kinds")]
        if task not in _TASKS or not having:
            continue
        kinds = sorted({kind for entry in having for kind in _shares(entry)})
        if not kinds:
            continue
        vague = task.startswith("vague/")
        bars = len(kinds) * len(having)
        yield Plot(
            f"{'failures' if vague else 'errors'}-{task.replace('/', '-')}",
            f"{task}: {'failure modes' if vague else 'wrong options chosen, by kind'}",
            _words(task, having, kinds),
            task,
            (7.0, 1.3 + 0.21 * bars + 0.18 * len(kinds) + 0.2 * -(-len(having) // 2)),
            partial(_draw, scored=having, kinds=kinds),
        )


def _counts(entry: Scored) -> dict[str, int]:
    """Kind to how often it was chosen, with what could not be read."""
    score = entry[2]
    counts = {str(k): int(v) for k, v in score.breakdowns["chosen_kinds"].items() if k not in _NOT_KINDS}
    return counts | ({"unparsed": score.n_unparsed} if score.n_unparsed else {})


def _shares(entry: Scored) -> dict[str, float]:
    """The counts in percent of the questions."""
    return {kind: 100 * count / entry[2].n for kind, count in _counts(entry).items()}


def _draw(canvas: Canvas, scored: Sequence[Scored], kinds: Sequence[str]) -> None:
    axes = canvas.subplots()
    thick = 0.8 / len(scored)
    highest = max((max(_shares(entry).values(), default=0.0) for entry in scored), default=0.0)
    for place, entry in enumerate(scored):
        shares, counts = _shares(entry), _counts(entry)
        offsets = [i - 0.4 + (place + 0.5) * thick for i in range(len(kinds))]
        values = [shares.get(kind, 0.0) for kind in kinds]
        axes.barh(
            offsets, values, thick * 0.9, color=colour(place), hatch=hatch(place), edgecolor="white",
            label=short(entry[0], 40),
        )  # fmt: skip
        for y, value, kind in zip(offsets, values, kinds, strict=True):
            axes.text(value + highest * 0.012, y, f"{counts.get(kind, 0):,}", va="center", fontsize=7.5, color=INK)
    axes.set_yticks(range(len(kinds)), [_WORDS.get(kind, kind.replace("_", " ")) for kind in kinds])
    axes.set_ylim(len(kinds) - 0.5, -0.5)
    axes.set_xlim(0, max(highest * 1.12, 1))
    axes.xaxis.grid(True)
    axes.tick_params(axis="both", length=0)
    axes.spines["bottom"].set_visible(False)
    axes.set_xlabel("per 100 questions; numbers at the bars are counts")
    handles, labels = axes.get_legend_handles_labels()
    legend(canvas, dict(zip(labels, handles, strict=True)), min(2, len(scored)), [name for name, _, _ in scored])


def _words(task: str, scored: Sequence[Scored], kinds: Sequence[str]) -> str:
    said = [f"{name}: " + ", ".join(f"{k.replace('_', ' ')} {_counts((name, run, score)).get(k, 0)}" for k in kinds)
            + f" of {score.n} questions" for name, run, score in scored]  # fmt: skip
    return f"Bars of how often each kind of wrong option of {task} was chosen. {'; '.join(said)}."
