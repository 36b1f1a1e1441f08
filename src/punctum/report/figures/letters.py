"""Letter bias: how often each letter was chosen against how often it was right, over the rotations where there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from punctum.report.figures import Plot
from punctum.report.figures.style import COLOURS, INK, MUTED, legend, short
from punctum.report.ranking import Scored, by_task, starred
from punctum.report.runs import Run, TaskScore

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_SOURCES = ("letters_circular", "letters", "numbers")
_MOST_COLUMNS = 3


def plots(runs: Sequence[Run]) -> Iterator[Plot]:
    """One for each task whose options have letters or numbers."""
    for task, scored in starred(by_task(runs)).items():
        source = next((name for name in _SOURCES if any(_n_read(score, name) for _, _, score in scored)), None)
        if source is None:
            continue
        having = [entry for entry in scored if _n_read(entry[2], source)]
        lines = -(-len(having) // _MOST_COLUMNS)
        over = "over all rotations" if source == "letters_circular" else "direct questions"
        yield Plot(
            f"letters-{task.replace('/', '-')}",
            f"{task}: {'numbers' if source == 'numbers' else 'letters'} chosen against right, {over}",
            _words(task, having, source),
            task,
            (0.8 + 2.3 * min(len(having), _MOST_COLUMNS) + (2.0 if len(having) == 1 else 0), 1.2 + 1.75 * lines),
            partial(_draw, scored=having, source=source),
        )


def _table(score: TaskScore, source: str) -> Mapping[str, Mapping[str, int]]:
    found: Mapping[str, Mapping[str, int]] = score.breakdowns.get(source) or {}
    return found


def _n_read(score: TaskScore, source: str) -> int:
    """How many answers were read as a letter."""
    return sum(counts["chosen"] for counts in _table(score, source).values())


def shares(score: TaskScore, source: str) -> dict[str, tuple[float, float]]:
    """Letter to (chosen, right), each in percent of its total."""
    table = _table(score, source)
    chosen = _n_read(score, source)
    gold = sum(counts["gold"] for counts in table.values()) or 1
    return {letter: (100 * c["chosen"] / chosen, 100 * c["gold"] / gold) for letter, c in table.items()}


def _draw(canvas: Canvas, scored: Sequence[Scored], source: str) -> None:
    columns = min(len(scored), _MOST_COLUMNS)
    panels = canvas.subplots(-(-len(scored) // columns), columns, sharey=True, squeeze=False).ravel()
    highest = max(max(pair) for _, _, score in scored for pair in shares(score, source).values())
    for panel, (name, _, score) in zip(panels, scored, strict=False):
        table = shares(score, source)
        places = range(len(table))
        panel.bar(places, [c for c, _ in table.values()], 0.7, color=COLOURS[0], label="chosen")
        gold = [g for _, g in table.values()]
        panel.hlines(
            gold, [p - 0.42 for p in places], [p + 0.42 for p in places], color=COLOURS[1], lw=2.2, label="right"
        )
        if len(table) <= 8:
            for place, (chosen, right) in enumerate(table.values()):
                top = right if chosen <= right < chosen + highest * 0.12 else chosen  # the line must not cross it
                panel.text(place, top + highest * 0.03, f"{chosen:.0f}", ha="center", fontsize=7.5, color=INK)
        panel.set_xticks(list(places), list(table), fontsize=8 if len(table) <= 12 else 6.5)
        panel.tick_params(axis="both", length=0)
        panel.set_ylim(0, max(highest * 1.2, 1))
        panel.yaxis.grid(True)
        panel.spines["left"].set_visible(False)
        panel.set_title(short(name, 24))
        panel.set_xlabel(f"{_n_read(score, source):,} answers read", fontsize=8, color=MUTED)
    for panel in panels[len(scored) :]:
        panel.set_visible(False)
    for panel in panels[::columns]:
        panel.set_ylabel("percent")
    handles, labels = panels[0].get_legend_handles_labels()
    legend(canvas, dict(zip(labels[::-1], handles[::-1], strict=True)), 2, [name for name, _, _ in scored])


def _words(task: str, scored: Sequence[Scored], source: str) -> str:
    said = []
    for name, _, score in scored:
        table = shares(score, source)
        most = max(table, key=lambda letter: table[letter][0] - table[letter][1])
        chosen, right = table[most]
        said.append(f"{name} chooses {most} most above its share: {chosen:.1f} percent, right in {right:.1f}")
    about = f"Bars of how often each option's letter was chosen in {task}, lines of how often it was right"
    return f"{about}. {'; '.join(said)}."
