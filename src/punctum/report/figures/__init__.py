"""Figures of runs: a file a figure, found by folder; each is drawn only where its data are.

A file has `plots(runs) -> Iterator[Plot]`. matplotlib is imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from punctum.report.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


class NoMatplotlib(RuntimeError):
    """matplotlib is not installed. The message says how to install it, and how to do without."""


@dataclass(frozen=True)
class Figure:
    """A drawn figure.

    Attributes:
        name: the stem of its files.
        title, alt: above it, and for those who do not see it.
        task: `BENCH/TASK` or `BENCH`.
    """

    name: str
    title: str
    alt: str
    task: str


@dataclass(frozen=True)
class Plot:
    """A figure to draw.

    Attributes:
        name, title, alt, task: as `Figure`.
        size: in inches.
        draw: fills an empty canvas.
    """

    name: str
    title: str
    alt: str
    task: str
    size: tuple[float, float]
    draw: Callable[[Canvas], None]


def plots(runs: Sequence[Run]) -> Iterator[Plot]:
    """Everything that can be drawn of some runs."""
    for name in sorted(file.name for file in files(__name__).iterdir()):
        if name.endswith(".py") and not name.startswith("_") and name != "style.py":
            yield from import_module(f"{__name__}.{name[:-3]}").plots(runs)


def draw(runs: Sequence[Run], folder: Path) -> list[Figure]:
    """Draw all figures as SVG and PNG. Equal runs give equal bytes.

    Raises:
        NoMatplotlib: if it is missing.
    """
    found = list(plots(runs))
    if not found:
        return []
    try:
        import matplotlib as _  # noqa: F401
    except ImportError as error:
        raise NoMatplotlib(
            'figures need matplotlib: pip install "punctum[report]"; --no-figures leaves them out'
        ) from error
    from punctum.report.figures.style import save

    folder.mkdir(parents=True, exist_ok=True)
    for plot in found:
        save(plot, folder)
    return [Figure(plot.name, plot.title, plot.alt, plot.task) for plot in found]
