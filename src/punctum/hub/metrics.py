"""A metric's folder as a static Space, where `evaluate.load("OWNER/NAME")` finds it and people read its card."""

from __future__ import annotations

from pathlib import Path

from punctum import discovery
from punctum.hub import front
from punctum.hub.plan import Draft, File, Head

#: Kinds of files that a metric is made of.
_KINDS = (".py", ".json", ".md", ".html", ".txt")
#: What the Hub puts into a new static Space.
_TEMPLATE = ("style.css",)


def chosen(names: list[str], every: bool) -> dict[str, Path]:
    """The metrics that a command names, with their folders.

    Raises:
        ValueError: if none, an unknown one, or both names and all are asked for.
    """
    known = discovery.metrics()
    if every and names:
        raise ValueError(f"--all pushes every metric: leave out {', '.join(names)}, or --all")
    if not every and not names:
        raise ValueError(f"name a metric, or --all; known: {', '.join(known)}")
    for name in names:
        discovery.known(name, known, "metric")
    return {name: known[name] for name in (known if every else dict.fromkeys(names))}


def draft(name: str, folder: Path, head: Head) -> Draft:
    """The folder as it stands.

    Raises:
        ValueError: if its card does not make it a static Space.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in _KINDS)
    files = tuple(File(path.relative_to(folder).as_posix(), path) for path in found)
    paths = {file.path for file in files}
    missing = sorted({"README.md", "index.html", f"{name}.py"} - paths)
    if missing:
        raise ValueError(f"{folder} lacks {', '.join(missing)}; CONTRIBUTING.md says what a metric is made of")
    card, _ = front.split((folder / "README.md").read_text(encoding="utf-8"))
    if card.get("sdk") != "static":
        raise ValueError(f"{folder}/README.md has sdk {card.get('sdk')!r}; a metric's Space is static, which is free")
    stale = tuple(path for path in sorted(head.files) if _of_metric(path) and path not in paths)
    return Draft(files, f"Push the metric {name}", stale=stale)


def _of_metric(path: str) -> bool:
    """Whether an earlier push, or the Hub's template of a Space, put it there: such files stand at the top."""
    return "/" not in path and (path in _TEMPLATE or path.endswith((".py", ".json", ".html")))
