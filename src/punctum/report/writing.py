"""A report's files: `report.md`, `tables/` (.md, .tex, .csv), `figures/` (.svg, .png), and a list of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from punctum.report.figures import Figure, draw
from punctum.report.grids import Grid, comma_separated, latex, sheet_of
from punctum.report.runs import RESULTS, Run, names
from punctum.results import whole_file
from punctum.sheets import markdown, plain

#: The list of what a report wrote, by which the next one in this folder takes away what it does not write again.
MANIFEST = "report.json"
_SUFFIXES = {".md": lambda grid: markdown(sheet_of(grid)), ".tex": latex, ".csv": comma_separated}


def write(runs: Sequence[Run], grids: Sequence[Grid], out: Path, figures: bool = True) -> list[Path]:
    """Write tables and figures.

    Args:
        runs: what they are of.
        grids: the tables.
        out: the folder; files that an earlier report left there, and this one does not write, are removed.
        figures: whether to draw.

    Returns:
        the files.

    Raises:
        ValueError: if the folder is a run.
        RuntimeError: if matplotlib is missing.
    """
    if (out / RESULTS).exists():
        raise ValueError(f"{out} is a run; give --out a folder of its own")
    out.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for grid in grids:
        for suffix, write_as in _SUFFIXES.items():
            files.append(Path("tables") / f"{grid.name}{suffix}")
            _write(out / files[-1], write_as(grid))
    drawn = draw(runs, out / "figures") if figures else []
    files += [Path("figures") / f"{figure.name}{suffix}" for figure in drawn for suffix in (".svg", ".png")]
    _write(out / "report.md", _report(runs, grids, drawn))
    files.append(Path("report.md"))
    _forget(out, files)
    _write(out / MANIFEST, json.dumps({"files": sorted(map(Path.as_posix, files))}, indent=2) + "\n")
    return [out / file for file in files]


def _report(runs: Sequence[Run], grids: Sequence[Grid], figures: Sequence[Figure]) -> str:
    """All of it as one Markdown page."""
    lines = ["# Report", ""]
    for name, run in zip(names(runs), runs, strict=True):
        lines.append(f"- {plain(name)}: {', '.join(score.task for score in run.tasks.values())}")
    pictures = [
        f"### {plain(figure.title)}\n\n![{plain(figure.alt)}](figures/{figure.name}.svg)\n" for figure in figures
    ]
    return "\n".join([*lines, "", *(markdown(sheet_of(grid)) for grid in grids), *pictures])


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
