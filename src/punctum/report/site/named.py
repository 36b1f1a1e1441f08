"""Runs with the names that a site gives them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from punctum.report.known import benchmark_of, task_of
from punctum.report.runs import Run, names


@dataclass(frozen=True)
class Figure:
    """A picture of results.

    Attributes:
        file: PNG or SVG.
        title: shown below it.
        alt: what it shows, for those who do not see it.
        task: `BENCH/TASK` or `BENCH`; None belongs to all runs together.
    """

    file: Path
    title: str
    alt: str
    task: str | None = None


@dataclass(frozen=True, eq=False)
class Named:
    """A run with its name for readers and its name in addresses and files."""

    run: Run
    name: str
    slug: str

    def summary(self) -> dict[str, Any]:
        """What the site's lists say of it."""
        settings = {score.signature.get("setting", "vlm"): None for score in self.run.tasks.values()}
        marks = {mark: None for score in self.run.tasks.values() for mark in score.marks}
        model = asdict(self.run.model)
        return {
            "slug": self.slug,
            "name": self.name,
            "benchmark": self.run.benchmark,
            "title": title_of(self.run.benchmark),
            "model": {key: value for key, value in model.items() if value},
            "tasks": list(self.run.tasks),
            "settings": list(settings),
            "marks": list(marks),
        }

    def headline(self, task: str) -> list[str]:
        """The metrics that come first."""
        return headline_of(self.run.benchmark, task)


def named(runs: Sequence[Run]) -> list[Named]:
    """Give runs names for readers, unique within a benchmark, and names for addresses.

    A name in addresses is the model's, the benchmark's and a hash of what was run, so that it does not depend on the
    runs beside it, unless they are of the very same thing.
    """
    told: dict[int, str] = {}
    for benchmark in {run.benchmark for run in runs}:
        places = [place for place, run in enumerate(runs) if run.benchmark == benchmark]
        told.update(zip(places, names([runs[place] for place in places]), strict=True))
    taken: dict[str, int] = {}
    found = []
    for place, run in enumerate(runs):
        signatures = "\n".join(str(score.signature) for score in run.tasks.values())
        digest = hashlib.sha256(signatures.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        slug = f"{slugged(run.model.id)[:60]}-{slugged(run.benchmark)}-{digest}"
        taken[slug] = taken.get(slug, 0) + 1
        found.append(Named(run, told[place], slug if taken[slug] == 1 else f"{slug}-{taken[slug]}"))
    return found


def slugged(text: str) -> str:
    """A text as a name of a file anywhere: lower-case letters, digits, `.`, `_`, `-`, and none of them first."""
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-._") or "x"


def title_of(benchmark: str) -> str:
    """The benchmark's title; its name where this version does not know it."""
    known = benchmark_of(benchmark)
    return benchmark if known is None else known.title


def headline_of(benchmark: str, task: str) -> list[str]:
    """The metrics of a task that come first; none where this version does not know the task."""
    known = task_of(f"{benchmark}/{task}")
    return list(known.headline) if known else []
