"""What the builders share: a config whose cache key covers every input, and a builder that reads lines.

A benchmark's builder gives `source_file` or `source_files` (where its rows come from), `lines` where these are
not JSON Lines, and `row` (one line to one row or None). All lines are checked once before a row is written, so
that a bad line is an error at its file and line and not a traceback out of the writer, and so that faults are
counted over the whole file however many processes write.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import datasets

from punctum.datasets_scripts.fetching import fetch, sources
from punctum.datasets_scripts.pictures import picture_fault
from punctum.datasets_scripts.reading import (
    Line,
    MissingFile,
    NotAtHand,
    Report,
    code_digest,
    fingerprint,
    json_lines,
)

VERSION = datasets.Version("1.0.0")
_SHARDS = 16
Row = dict[str, Any]
Block = tuple[str, int, int, int]


@dataclass
class FolderConfig(datasets.BuilderConfig):  # type: ignore[misc]
    """A config whose data lie in `data_dir`.

    Attributes:
        images: one of the builder's `IMAGES`; `auto` takes the pictures that are there, `skip` none.
        strict: faults that leave a row usable are errors too.
    """

    version: datasets.Version | str | None = VERSION
    images: str = "auto"
    strict: bool = False

    benchmark: ClassVar[str] = ""

    def folder(self) -> Path | None:
        """The data folder, absolute, or None."""
        return None if self.data_dir is None else Path(self.data_dir).expanduser().resolve()

    def texts(self, folder: Path) -> list[Path]:
        """The text files that the rows depend on."""
        raise NotImplementedError

    def tables(self, folder: Path) -> Iterable[Path]:
        """Files too large to read for a digest (Parquet with pictures); they count by size and time of change."""
        return ()

    def pictures(self, folder: Path) -> Iterable[Path]:
        """The pictures that the rows depend on. Only called if `images` is not `skip`."""
        raise NotImplementedError

    def create_config_id(self, config_kwargs: Row, custom_features: Any = None) -> str:
        """The name of the cache folder, over the content of all inputs and the code that reads them.

        The library looks at paths and times of some files only, and would give back stale rows.
        """
        kwargs = {name: value for name, value in config_kwargs.items() if name != "data_files"}
        folder = self.folder()
        if folder is not None:
            kwargs["data_dir"] = str(folder)
            pictures = () if self.images == "skip" else self.pictures(folder)
            by_time = chain(self.tables(folder), pictures)
            code = code_digest(Path(__file__).parent / self.benchmark)
            kwargs["inputs"] = fingerprint([code], self.texts(folder), by_time)
        return str(super().create_config_id(kwargs, custom_features=custom_features))


class FolderBuilder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """Builds rows from the lines of a file or several in the data folder, in their order."""

    IMAGES: ClassVar[tuple[str, ...]] = ("auto", "skip")
    NEEDS_NO_FOLDER: ClassVar[frozenset[str]] = frozenset()
    WHERE: ClassVar[str] = ""
    #: Other forms of the same rows that are worth looking at: name, the configs that have it, and its kwargs.
    VARIANTS: ClassVar[tuple[tuple[str, tuple[str, ...], Row], ...]] = ()
    config: Any
    report: Report | None = None

    def __init__(self, *args: Any, data_dir: str | None = None, **kwargs: Any) -> None:
        """Without `data_dir`, takes what is public, downloaded once; the cache key needs the files' content.

        Raises:
            ValueError: if they cannot be had; says where the data come from.
        """
        configs = {config.name for config in self.BUILDER_CONFIGS} - self.NEEDS_NO_FOLDER
        if data_dir is None and kwargs.get("config_name") in configs:
            data_dir = self._public()
        self._unusable: set[str] = set()
        super().__init__(*args, data_dir=data_dir, **kwargs)

    def _public(self) -> str:
        name = self.BUILDER_CONFIG_CLASS.benchmark
        if not sources(name).public:
            raise ValueError(self._needs_folder())
        try:
            return str(fetch(name))
        except (ValueError, OSError) as error:
            reason = str(error).rstrip(".")
            raise ValueError(self._needs_folder(f" {reason}.")) from error

    def _needs_folder(self, why: str = "") -> str:
        name = self.BUILDER_CONFIG_CLASS.benchmark
        return (
            f"{name} needs data_dir, the folder with the published files.{why} {self.WHERE} For a try: "
            f'data_dir=punctum.sample("{name}")'
        )

    def source_file(self, folder: Path) -> Path:
        """The file whose lines become rows."""
        raise NotImplementedError

    def source_files(self, folder: Path) -> Sequence[Path]:
        """The files whose lines become rows, where there may be several."""
        return [self.source_file(folder)]

    def lines(self, file: Path, offset: int = 0, number: int = 1, count: int | None = None) -> Iterator[Line]:
        """Read a source file, or `count` lines of it from the line of this number and offset on."""
        return json_lines(file, offset, number, count)

    def row(self, line: Line, report: Report | None) -> Row | None:
        """One line's row, or None if the line belongs to another config.

        Args:
            line: of the source file.
            report: where to count faults; None when the line has been checked before.

        Raises:
            DataError: if the line is wrong.
        """
        raise NotImplementedError

    def check(self, row: Row, line: Line, report: Report) -> None:
        """Compare a row with other files; called once a row, in file order."""

    def prepare(self, dl_manager: Any, report: Report) -> None:
        """Read what all rows need (an index, labels), before the first row."""

    def finish(self, report: Report) -> None:
        """Judge all rows together, after the last one was checked."""

    def usable(self, picture: Any, where: str, report: Report | None, missing: bool = True) -> Any:
        """A row's picture, or None where it is missing or cannot be read; the first pass looks, and counts.

        Args:
            picture: a path, a file's bytes, or None.
            where: the row and the picture, for the summary; the same in both passes.
            report: None when the row has been checked before.
            missing: count a picture that is None.
        """
        if report is not None and picture is None and missing:
            report.add("missing pictures", where)
        if report is not None and picture is not None:
            fault = picture_fault(io.BytesIO(picture) if isinstance(picture, bytes) else picture)
            if fault is not None:
                self._unusable.add(where)
                report.add("pictures that cannot be used", f"{where} ({fault})")
        return None if where in self._unusable else picture

    def check_config(self) -> None:
        """Refuse configs and values that the builder does not know.

        Raises:
            ValueError: that names the known ones.
        """
        known = [config.name for config in type(self).BUILDER_CONFIGS]
        if self.config.name not in known:
            asked = "needs a config" if self.config.name == "default" else f"has no config {self.config.name!r}"
            raise ValueError(f"{self.config.benchmark} {asked}: one of {', '.join(known)}")
        if self.config.images not in self.IMAGES:
            raise ValueError(f"images={self.config.images!r}: one of {', '.join(self.IMAGES)}")
        for field in fields(self.config):
            if isinstance(field.default, bool) and not isinstance(getattr(self.config, field.name), bool):
                raise ValueError(f"{field.name}={getattr(self.config, field.name)!r}: True or False")

    def data_folder(self) -> Path:
        """The data folder.

        Raises:
            ValueError: if no `data_dir` was given; says where the data come from.
            FileNotFoundError: if it is no folder.
        """
        folder: Path | None = self.config.folder()
        if folder is None:
            raise ValueError(self._needs_folder())
        if not folder.is_dir():
            raise FileNotFoundError(f"data_dir={str(self.config.data_dir)!r} is not a folder. {self.WHERE}")
        return folder

    def _split_generators(self, dl_manager: Any) -> list[Any]:
        try:
            return self._checked_generators(dl_manager)
        except MissingFile as error:
            raise MissingFile(f"{error}. {self.WHERE}".strip()) from None

    def _checked_generators(self, dl_manager: Any) -> list[Any]:
        folder = self.data_folder()
        report = Report(f"{self.config.benchmark}/{self.config.name}")
        self._unusable = set()
        self.prepare(dl_manager, report)
        blocks: list[Block] = []
        seen: set[str] = set()
        for file in self.source_files(folder):
            offsets, numbers = array("q"), array("q")
            for line in self._checked(file, seen, report):
                offsets.append(line.offset)
                numbers.append(line.number)
            blocks += _blocks(str(file), offsets, numbers)
        if not blocks:
            files = ", ".join(map(str, self.source_files(folder)))
            raise NotAtHand(f"{files} has no rows for {report.name}")
        self.finish(report)
        report.rows = len(seen)
        report.close(self.config.strict)
        self.report = report
        return [datasets.SplitGenerator(name=datasets.Split.TEST, gen_kwargs={"blocks": blocks})]

    def _checked(self, file: Path, seen: set[str], report: Report) -> Iterator[Line]:
        """Check all lines of a file; yields those that are rows of this config."""
        for line in self.lines(file):
            row = self.row(line, report)
            if row is None:
                continue
            if row["id"] in seen:
                raise line.error(f"the id {row['id']} was there before, on {self._first_place(row['id'], file)}")
            seen.add(row["id"])
            self.check(row, line, report)
            yield line

    def _first_place(self, row_id: str, now: Path) -> str:
        """Where an id was first: looked up once more, so that no place need be kept for it."""
        for file in self.source_files(self.data_folder()):
            for line in self.lines(file):
                row = self.row(line, None)
                if row is not None and row["id"] == row_id:
                    return line.place + ("" if file == now else f" of {file.name}")
        raise AssertionError(row_id)

    def _generate_examples(self, blocks: list[Block]) -> Iterator[tuple[str, Row]]:
        for file, offset, number, count in blocks:
            for line in self.lines(Path(file), offset, number, count):
                row = self.row(line, None)
                if row is not None:
                    yield row["id"], row


def _blocks(file: str, offsets: array[int], numbers: array[int]) -> Iterator[Block]:
    """Cut a file into runs of lines (file, byte offset, first line, number of lines) for several processes."""
    size = -(-len(numbers) // _SHARDS)
    for start in range(0, len(numbers), size or 1):
        first, last = numbers[start], numbers[min(start + size, len(numbers)) - 1]
        yield file, offsets[start], first, last - first + 1


def texts() -> Any:
    """The feature of a list of texts."""
    return datasets.Sequence(datasets.Value("string"))


def numbers() -> Any:
    """The feature of a list of indices."""
    return datasets.Sequence(datasets.Value("int32"))


def row_features(**more: Any) -> Row:
    """The columns that every row has, and more."""
    text = datasets.Value("string")
    return {"id": text, "image": datasets.Image(), "category": text, "source": text, **more}


def choice_features() -> Row:
    """The columns of every choice row (`permutation[j]`: published index of the option shown at j)."""
    text = datasets.Value("string")
    return {
        "question": text,
        "options": texts(),
        "option_kinds": texts(),
        "answers": numbers(),
        "permutation": numbers(),
        "group": text,
        "rotation": datasets.Value("int32"),
    }
