"""A static Space with the site of runs: free, and with room for models that are not on the Hub."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from punctum.cards import read_card
from punctum.hub import front, licences
from punctum.hub.entries import repository_of
from punctum.hub.plan import Draft, File, Head
from punctum.report.comparing import comparisons
from punctum.report.correlating import correlations
from punctum.report.grids import Grid
from punctum.report.paper_tables import paper_tables
from punctum.report.ranking import rankings
from punctum.report.runs import RESULTS, Run
from punctum.report.site import Figure, write
from punctum.report.site.folder import OWN

TAG = "punctum-leaderboard"
#: Folders of a site: files there that the new one lacks are removed.
_OWN = tuple(f"{name}/" for name in OWN)
#: What the Hub puts into a new static Space; the style is of no use to a site.
_STYLE = "style.css"
_TEMPLATE = {".gitattributes", "README.md", "index.html", _STYLE}


@dataclass(frozen=True)
class Site:
    """A site, written, as it is pushed.

    Attributes:
        folder: where it was written.
        title: of the Space.
        models: on the Hub, of the runs.
        dataset: the benchmark's on the Hub, if one was named.
        notes: for the person who pushes.
    """

    folder: Path
    title: str
    models: tuple[str, ...]
    dataset: str | None
    notes: tuple[str, ...]

    def draft(self, head: Head) -> Draft:
        """The whole site, with what an earlier one left removed.

        Raises:
            ValueError: if the Space holds something else.
        """
        if not set(head.files) <= _TEMPLATE and TAG not in (front.split(head.text("README.md"))[0].get("tags") or ()):
            raise ValueError(
                f"the Space is no leaderboard of Punctum: its README.md lacks the tag {TAG}; name another, which is "
                "made where it is missing"
            )
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        files = [File(path.relative_to(self.folder).as_posix(), path) for path in paths]
        files.append(File("README.md", self._card()))
        names = {file.path for file in files}
        stale = tuple(path for path in sorted(head.files) if _is_of_site(path) and path not in names)
        return Draft(tuple(sorted(files, key=lambda f: f.path)), f"Push {self.title}", stale, self.notes)

    def _card(self) -> bytes:
        head = {
            "title": self.title,
            "emoji": "📍",
            "sdk": "static",
            "app_file": "index.html",
            "pinned": False,
            "tags": [TAG, "leaderboard"],
            **({"datasets": [self.dataset]} if self.dataset else {}),
            **({"models": list(self.models)} if self.models else {}),
        }
        body = (
            f"\n# {self.title}\n\nScores of models on benchmarks of what images mean, by Punctum "
            "(`pip install punctum`, `punctum push leaderboard`).\n"
        )
        return front.join(head, body).encode("utf-8")


def make(
    runs: Sequence[Run],
    folder: Path,
    title: str,
    dataset: str | None,
    may_publish: Collection[str],
    names: Mapping[str, str],
    figures: bool = True,
) -> Site:
    """Write the site of runs.

    Questions and pictures that may not be passed on are left out, unless their licence is named.

    Args:
        runs: the runs.
        folder: an empty one.
        title: of the site.
        dataset: the benchmark's on the Hub.
        may_publish: names of licences whose data the person who pushes may publish.
        names: model to repository, as `repository_of` takes it.
        figures: whether to draw.

    Raises:
        NoMatplotlib: if it is missing.
        ValueError: if a licence is named that no run's data have.
    """
    shown: list[Run] = []
    notes: list[str] = []
    used: set[str] = set()
    for number, run in enumerate(runs):
        licence = _restricting(run)
        used |= {licence} if licence else set()
        if licence is None or licence in may_publish or not run.has_questions:
            shown.append(run)
            continue
        shown.append(_bare(run, folder / "runs" / str(number)))
        notes.append(
            f"questions and pictures of {run.benchmark} are left out, since their licence is not known to let you "
            f"publish them: --i-may-publish {licence} shows them"
        )
    unused = sorted(set(may_publish) - used)
    if unused:
        theirs = ", ".join(sorted(used)) or "none that forbids it"
        raise ValueError(f"--i-may-publish {', '.join(unused)}: no run's data are under it; theirs: {theirs}")
    write(shown, folder / "site", _drawn(runs, folder / "drawn") if figures else (), _tables(runs), title)
    models = dict.fromkeys(filter(None, (repository_of(run, names) for run in runs)))
    return Site(folder / "site", title, tuple(models), dataset, tuple(dict.fromkeys(notes)))


def _is_of_site(path: str) -> bool:
    """Whether an earlier push, or the Hub's template of a Space, put it there."""
    return path.startswith(_OWN) or path == _STYLE


def _drawn(runs: Sequence[Run], folder: Path) -> list[Figure]:
    """Figures of all runs: they show numbers, no questions."""
    from punctum.report.figures import draw

    folder.mkdir()
    return [Figure(folder / f"{f.name}.svg", f.title, f.alt, f.task) for f in draw(runs, folder)]


def _tables(runs: Sequence[Run]) -> list[Grid]:
    """The tables of a report, with the published rows."""
    pairs = chain(*comparisons(runs))
    return [*paper_tables(runs, True), *correlations(runs, True), *rankings(runs), *pairs]


def _restricting(run: Run) -> str | None:
    """The licence that keeps a run's questions from being published; None for the package's own samples."""
    head, _ = read_card(run.benchmark)
    ours = all(score.signature.get("data") == "sample" for score in run.tasks.values())
    return None if ours or licences.is_free(head) else licences.name_of(head)


def _bare(run: Run, folder: Path) -> Run:
    """The run with its scores alone, under the name of its folder."""
    place = folder / (run.folder.resolve().name or "run")
    place.mkdir(parents=True)
    shutil.copyfile(run.folder / RESULTS, place / RESULTS)
    return replace(run, folder=place)
