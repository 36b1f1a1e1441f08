"""A static site of runs: one folder that opens from disk, without a network.

`pages/` holds the site itself, hand-written and the same for everybody; what the runs say goes into `data/` as
scripts that call `Punctum.receive(name, json)`, since browsers let a page that was opened from disk load scripts and
pictures, but no other files. `data/site.js` has the leaderboard, `data/runs/` a file a run, `data/sets/` the
questions of a task with everybody's answers: an index, and chunks that are loaded when they are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from punctum.report.grids import Grid
from punctum.report.marks import marks
from punctum.report.runs import Run
from punctum.report.site.board import boards
from punctum.report.site.breakdowns import shaped
from punctum.report.site.folder import Folder
from punctum.report.site.named import Figure, Named, named
from punctum.report.site.questions import QuestionSet, gather
from punctum.report.site.tables import tables
from punctum.version import __version__

__all__ = ["Figure", "write"]


def write(
    runs: Sequence[Run],
    out: str | Path,
    figures: Sequence[Figure] = (),
    grids: Sequence[Grid] = (),
    title: str = "Punctum",
) -> Path:
    """Write a site. Written twice, its bytes are the same; files of an earlier site that it lacks are removed.

    Args:
        runs: in the order in which they are named; runs without `predictions.jsonl` have no samples to browse.
        out: the folder: new, empty, or that of an earlier site. What is in it and not of a site stays.
        figures: pictures of results that were made elsewhere; copied, and shown with their tasks.
        grids: a report's tables, for a page of their own.
        title: of the site.

    Returns:
        the page to open.

    Raises:
        ValueError: if there are no runs, two figures of one name, or the folder holds what no site wrote.
        BadRun: if a line of a run is broken.
        OSError: if something cannot be read or written.
    """
    if not runs:
        raise ValueError("a site needs at least one run")
    known = named(runs)
    with Folder(Path(out)) as folder:
        _pages(folder)
        sets = gather(known)
        for questions in sets:
            _questions(folder, questions)
        for entry in known:
            folder.script(f"data/runs/{entry.slug}.js", f"runs/{entry.slug}", _run(entry, sets))
        if grids:
            folder.script("data/tables.js", "tables", tables(grids))
        site = {
            "title": title,
            "punctum": __version__,
            "runs": [entry.summary() for entry in known],
            "boards": boards(known),
            "sets": [questions.summary() for questions in sets],
            "figures": _figures(folder, figures),
            "tables": len(grids),
        }
        folder.script("data/site.js", "site", site)
    return Path(out) / "index.html"


def _pages(folder: Folder) -> None:
    pages = {page.name: page for page in files(__name__).joinpath("pages").iterdir()}
    folder.text("index.html", pages.pop("index.html").read_text(encoding="utf-8"))
    for name in sorted(pages):
        if name.endswith((".css", ".js", ".svg")):
            folder.text(f"assets/{name}", pages[name].read_text(encoding="utf-8"))


def _questions(folder: Folder, questions: QuestionSet) -> None:
    for name, source in questions.pictures.items():
        folder.copy(f"pictures/{name}", source)
    starts: list[int] = []
    for number, (start, chunk) in enumerate(questions.chunks()):
        starts.append(start)
        folder.script(f"data/sets/{questions.slug}/{number}.js", f"sets/{questions.slug}/{number}", chunk)
    index = {**questions.index(), "starts": starts}
    folder.script(f"data/sets/{questions.slug}/index.js", f"sets/{questions.slug}/index", index)


def _figures(folder: Folder, figures: Sequence[Figure]) -> list[dict[str, Any]]:
    return [
        {"file": folder.copy_figure(figure.file), "title": figure.title, "alt": figure.alt, "task": figure.task}
        for figure in figures
    ]


def _run(entry: Named, sets: Sequence[QuestionSet]) -> Any:
    """What a run's own page shows: `results.json`, with signatures taken apart."""
    tasks = [
        {
            "name": name,
            "headline": entry.headline(name),
            "n": score.n,
            "unparsed": score.n_unparsed,
            "failed": score.n_failed,
            "metrics": dict(score.metrics),
            "intervals": dict(score.intervals),
            "breakdowns": [shaped(key, value) for key, value in score.breakdowns.items()],
            "signature": dict(score.signature),
            "marks": marks(entry.run, score),
        }
        for name, score in entry.run.tasks.items()
    ]
    return {
        "tasks": tasks,
        "environment": dict(entry.run.environment),
        "sets": [questions.slug for questions in sets if entry in questions.runs],
    }
