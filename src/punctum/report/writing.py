"""A report's folder: `report.md`, `tables/` (.md, .tex, .csv), `figures/` (.svg, .png), a list of them; the site."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from punctum.report import site
from punctum.report.figures import Figure, draw
from punctum.report.grids import Grid, comma_separated, latex, sheet_of
from punctum.report.runs import Run, names
from punctum.results import whole_file
from punctum.sheets import markdown, plain

#: The list of what a report wrote, by which the next one in this folder takes away what it does not write again.
MANIFEST = "punctum-report.json"
_SUFFIXES = {".md": lambda grid: markdown(sheet_of(grid)), ".tex": latex, ".csv": comma_separated}


def write(runs: Sequence[Run], sections: Mapping[str, Sequence[Grid]], out: Path, figures: bool = True) -> Path:
    """Write tables, figures and the site into one folder.

    Args:
        runs: what they are of.
        sections: heading to tables.
        out: the folder: a new or an empty one, or that of an earlier report, of which nothing stays that this one
            does not write.
        figures: whether to draw.

    Returns:
        the page to open.

    Raises:
        ValueError: if the folder holds anything else.
        NoMatplotlib: if it is missing; nothing is written then.
    """
    check_folder(out)
    grids = list(chain(*sections.values()))
    files: list[Path] = []
    with TemporaryDirectory() as drawn_in:
        drawn = draw(runs, Path(drawn_in)) if figures else []
        shown = [site.Figure(Path(drawn_in, f"{f.name}.svg"), f.title, f.alt, f.task) for f in drawn]
        if not (out / MANIFEST).is_file():
            _write(out / MANIFEST, _manifest([]))  # a report that fails half-way can be made again
        page = site.write(runs, out, shown, grids)
        for figure in drawn:
            files += [Path("figures", f"{figure.name}{suffix}") for suffix in (".svg", ".png")]
            copyfile(Path(drawn_in, f"{figure.name}.png"), out / files[-1])
    for grid in grids:
        for suffix, write_as in _SUFFIXES.items():
            files.append(Path("tables", f"{grid.name}{suffix}"))
            _write(out / files[-1], write_as(grid))
    files.append(Path("report.md"))
    _write(out / files[-1], _report(runs, sections, drawn))
    _forget(out, files)
    _write(out / MANIFEST, _manifest(files))
    return page


def check_folder(out: Path) -> None:
    """Refuse a folder that holds anything but an earlier report.

    Raises:
        ValueError: that says so.
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file; --out takes a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).is_file():
        raise ValueError(f"{out} holds other files; give --out a new or empty folder, or that of an earlier report")


def _manifest(files: Sequence[Path]) -> str:
    return json.dumps({"files": sorted(map(Path.as_posix, files))}, indent=2) + "\n"


def _report(runs: Sequence[Run], sections: Mapping[str, Sequence[Grid]], figures: Sequence[Figure]) -> str:
    """All of it as one Markdown page."""
    lines = ["# Report", ""]
    for name, run in zip(names(runs), runs, strict=True):
        lines.append(f"- {plain(name)}: {', '.join(score.task for score in run.tasks.values())}")
    pictures = [
        f"### {plain(figure.title)}\n\n![{plain(figure.alt)}](figures/{figure.name}.svg)\n" for figure in figures
    ]
    for heading, grids in sections.items():
        if grids:
            lines += ["", f"## {heading}", "", "\n".join(markdown(sheet_of(grid)) for grid in grids).rstrip()]
    if pictures:
        lines += ["", "## Figures", "", *pictures]
    return "\n".join(lines).rstrip() + "\n"


def _forget(out: Path, files: Sequence[Path]) -> None:
    """Remove what an earlier report wrote and this one did not."""
    try:
        before = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    for name in set(before) - set(map(Path.as_posix, files)):
        path = Path(name)
        if not path.is_absolute() and ".." not in path.parts:
            (out / path).unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text)
