"""All action-reason statements of one split: what is true of which image, what was published, what is hard."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from punctum.datasets_scripts.pitt_ads.action_reasons import (
    Entry,
    hard_files,
    negatives_of,
    published_file,
    read_statements,
)
from punctum.datasets_scripts.pitt_ads.draws import Pool
from punctum.datasets_scripts.pitt_ads.statements import distinct, plain
from punctum.datasets_scripts.reading import DataError, Report


class StatementTable:
    """The statements of a split.

    Args:
        folder: the data folder.
        split: `train` or `test`.
        asked: the images that questions may be about; of all others only the true statements are kept.
        lists: as in `read_statements`.
        report: where faults are counted; only those of asked images.

    Raises:
        DataError: if a file is wrong, or an image is there twice.
    """

    def __init__(self, folder: Path, split: str, asked: Collection[str], lists: str, report: Report) -> None:
        self.file = published_file(folder, split)
        self.entries: dict[str, Entry] = {}
        self.hard: dict[str, list[tuple[str | None, str]]] = {}
        self.hard_order: dict[str, Entry] = {}
        quiet = Report(report.name)
        if self.file.is_file():
            for entry in read_statements(self.file, lists, quiet):
                self._add(entry, entry.image in asked)
        for kind, file in hard_files(folder, split):
            self._read_hard(kind, file, asked, quiet)
        for fault, places in quiet.faults.items():
            for place in places:
                if place in asked:
                    report.add(fault, place)

    def _add(self, entry: Entry, asked: bool) -> None:
        if entry.image in self.entries:
            before = self.entries[entry.image].line
            raise entry.line.error(f"{entry.image} was there before, on line {before.number}")
        kept = entry if asked else Entry(entry.image, entry.positives, None, entry.line)
        self.entries[entry.image] = kept

    def _read_hard(self, kind: str | None, file: Path, asked: Collection[str], report: Report) -> None:
        for image, texts, entry in negatives_of(file, report):
            if image not in asked:
                continue
            self.hard.setdefault(image, []).extend((kind, text) for text in texts)
            if kind is None:
                self.hard_order[image] = entry
            published = self.entries.get(image)
            if published is None or published.positives is None:
                self.entries[image] = Entry(
                    image, entry.positives, published.options if published else None, entry.line
                )
            elif not {plain(t) for t in entry.positives or ()} & {plain(t) for t in published.positives}:
                raise entry.line.error(
                    f"{image} has other true statements in {self.file.name}, line {published.line.number}; one of "
                    "both files is not of these images"
                )

    def positives(self, image: str) -> list[str]:
        """The true statements of an image, each once; none where they are not known."""
        entry = self.entries.get(image)
        return distinct(entry.positives or ()) if entry else []

    @cached_property
    def pool(self) -> Pool:
        """The images whose true statements can stand as wrong ones elsewhere."""
        return Pool(image for image, entry in self.entries.items() if entry.positives)

    @cached_property
    def all_true(self) -> set[str]:
        """Every true statement of the split, in `plain` words."""
        return {plain(text) for entry in self.entries.values() for text in entry.positives or ()}


def check_apart(train: StatementTable, test: StatementTable) -> None:
    """Refuse an image that is in both splits.

    Raises:
        DataError: that names the image and both places.
    """
    for image, entry in test.entries.items():
        if image in train.entries:
            other = train.entries[image].line
            raise DataError(f"{entry.line.file}:{entry.line.number}: {image} is also in {other.file}:{other.number}")
