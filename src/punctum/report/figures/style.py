"""How figures look: one style, colours that colour-blind readers tell apart, and the same bytes each time."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from punctum.report.ranking import APART

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from punctum.report.figures import Plot

#: Okabe and Ito (2008), without the yellow that white swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "+++", "ooo")
INK, MUTED, RULE = "#222222", "#5F6368", "#D5D8DC"
_DPI = 144
_LETTERS_AN_INCH = 9.5  # of titles
_OTHER_SCRIPTS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans Devanagari", "Noto Sans Thai")
_STYLE: Any = {
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": RULE,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "xtick.color": MUTED,
    "ytick.color": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "punctum",
    "figure.facecolor": "white",
    "text.parse_math": False,  # a model may be called $x$
}


def save(plot: Plot, folder: Path) -> None:
    """Draw a plot and write it as SVG and PNG, without dates."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**_STYLE, "font.family": _fonts()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a box is drawn, and the words beside the figure have it
        figure = Figure(figsize=plot.size, layout="constrained")
        FigureCanvasAgg(figure)
        plot.draw(figure)
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.06)  # type: ignore[union-attr, call-arg]
        title = fill(plot.title, int(plot.size[0] * _LETTERS_AN_INCH))
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
        figure.savefig(folder / f"{plot.name}.svg", metadata={"Date": None, "Creator": None, "Title": plot.title})
        figure.savefig(folder / f"{plot.name}.png", dpi=_DPI, metadata={"Software": None, "Title": plot.title})


def _fonts() -> list[str]:
    """DejaVu Sans, which comes with matplotlib, and where they are there, fonts for names in other scripts."""
    from matplotlib.font_manager import get_font_names

    known = set(get_font_names())
    return ["DejaVu Sans", *(name for name in _OTHER_SCRIPTS if name in known)]


def colour(place: int) -> str:
    """Of the n-th model."""
    return COLOURS[place % len(COLOURS)]


def marker(place: int) -> str:
    """Of the n-th model: colour is never the only mark, and the same colour comes with another one next time."""
    return MARKERS[(place + place // len(COLOURS)) % len(MARKERS)]


def hatch(place: int) -> str:
    """Of the n-th model's bars."""
    return HATCHES[(place + place // len(COLOURS)) % len(HATCHES)]


def percent_axis(axes: Axes) -> None:
    """Percent from left to right, with quiet grid lines."""
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.xaxis.grid(True)
    axes.tick_params(axis="x", length=0)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Names of models from the top down."""
    axes.set_yticks(range(len(names)), [short(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def legend(canvas: Canvas, handles: Mapping[str, Artist], columns: int, names: Sequence[str]) -> None:
    """What the marks mean, at the foot, with a word on starred names.

    Args:
        canvas: the figure.
        handles: label to a mark.
        columns: how many stand beside each other.
        names: of all runs shown.
    """
    note = fill(APART, int(canvas.get_figwidth() * 14)) if any(name.endswith("*") for name in names) else None
    found = canvas.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=columns, fontsize=8, title=note
    )
    found.get_title().set(fontsize=8, color=MUTED)


def footnote(canvas: Canvas, words: str) -> None:
    """A quiet sentence at the foot."""
    if words:
        canvas.supxlabel(fill(words, int(canvas.get_figwidth() * 14)), fontsize=8, color=MUTED, x=0.01, ha="left")


def short(name: str, most: int = 28) -> str:
    """A name that leaves room for the picture: its middle gives way."""
    if len(name) <= most:
        return name
    head = (most - 1) * 2 // 3
    return f"{name[:head]}…{name[-(most - 1 - head) :]}"
