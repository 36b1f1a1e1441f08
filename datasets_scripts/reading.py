"""Reading a benchmark's own files: JSON Lines and CSV with every error at its file and line, pictures that stay
inside the data folder, and the digest of all inputs that keeps the cache honest.

Nothing here imports `datasets`, so that checks and statistics can use it without that library.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

logger = logging.getLogger("punctum.datasets")

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".jfif"})
_BOM = b"\xef\xbb\xbf"
_HEAD = 400  # bytes that tell UTF-16
_NAMED = 10  # places named a kind of fault in a log message; the report keeps them all


class DataError(ValueError):
    """A benchmark's files cannot be read as they are. The message names file, line and the way out."""


class NotAtHand(DataError):
    """There are no rows, since a part of the benchmark is not there. Others may be; nothing is broken."""


class MissingFile(NotAtHand):
    """A file is not there. Builders add where the benchmark's files come from."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text file, read.

    Attributes:
        file: the file.
        number: counted from 1, blank lines included; in other forms than a line an object, the row's number.
        offset: of the line's first byte.
        data: the JSON object, or the cells of a CSV line by column.
        where: how errors name the place, if it is not the line of this number: `row 3, line 40`.
    """

    file: Path
    number: int
    offset: int
    data: Mapping[str, Any]
    where: str = ""

    @property
    def place(self) -> str:
        """The line's place in its file, in words."""
        return self.where or f"line {self.number}"

    def error(self, message: str) -> DataError:
        """An error that names this line's file and number."""
        at = f"{self.file}, {self.where}" if self.where else f"{self.file}:{self.number}"
        return DataError(f"{at}: {message}")

    def get(self, name: str, kind: type | tuple[type, ...] = str) -> Any:
        """A field that must be there and of this type.

        Raises:
            DataError: if it is missing or of another type.
        """
        if name not in self.data:
            raise self.error(f"the field {name!r} is missing; there are {', '.join(map(repr, self.data))}")
        value = self.data[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            kinds = " or ".join(k.__name__ for k in (kind if isinstance(kind, tuple) else (kind,)))
            raise self.error(f"the field {name!r} should be {kinds}, but is {value!r:.80}")
        return value

    def text(self, name: str) -> str:
        """A text field that must be there and hold more than blanks."""
        value = str(self.get(name))
        if not value.strip():
            raise self.error(f"the field {name!r} is empty")
        return value


def json_lines(file: Path, offset: int = 0, number: int = 1, count: int | None = None) -> Iterator[Line]:
    """Read a JSON Lines file line by line; blank lines, a byte-order mark and CRLF endings do no harm.

    Args:
        file: one JSON object a line, UTF-8, or UTF-16 with or without a mark.
        offset: of the byte (of the UTF-8 form) to start at, the beginning of a line.
        number: the number of the line at `offset`.
        count: lines to read, blank ones included; None reads to the end.

    Raises:
        DataError: if the file is missing, or a line is not UTF-8 or no JSON object.
    """
    if not file.is_file():
        raise MissingFile(f"{file} is missing")
    with _utf8_stream(file) as stream:
        stream.seek(offset)
        while count is None or count > 0:
            raw = stream.readline()
            if not raw:
                return
            body = raw.removeprefix(_BOM) if offset == 0 else raw
            if body.strip():
                yield Line(file, number, offset, _object(file, number, body))
            offset, number = offset + len(raw), number + 1
            count = None if count is None else count - 1


def _utf8_stream(file: Path) -> IO[bytes]:
    """The file's bytes in UTF-8; a file in UTF-16 is turned into it, in memory."""
    stream = file.open("rb")
    head = stream.read(_HEAD)
    if b"\0" not in head:  # JSON in UTF-8 never has that byte
        return stream
    with stream:
        stat = file.stat()
        return io.BytesIO(_turned(file, stat.st_size, stat.st_mtime_ns))


@lru_cache(maxsize=2)
def _turned(file: Path, size: int, changed: int) -> bytes:
    return decode(file.read_bytes()).encode("utf-8", errors="replace")


def _object(file: Path, number: int, raw: bytes) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8")
        value = json.loads(text)
    except UnicodeDecodeError as error:
        raise DataError(f"{file}:{number}: not UTF-8 ({error}); save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        cut = "" if raw.endswith(b"\n") else "; the file may have been cut short"
        raise DataError(f"{file}:{number}: not JSON ({error}); one JSON object a line is expected{cut}") from None
    if not isinstance(value, dict):
        raise DataError(f"{file}:{number}: a JSON object is expected, not {type(value).__name__}")
    if half := half_character(text, value):
        raise DataError(f"{file}:{number}: {half}")
    return value


def half_character(text: str, value: Any) -> str:
    r"""What is wrong with a value that holds half a character: JSON can spell one (`"\ud83d"`), and no table takes it.

    Args:
        text: the JSON, as written.
        value: what it says.

    Returns:
        words for an error; empty where nothing is wrong.
    """
    if "\\ud" in text or "\\uD" in text:  # most files spell no character in this way, and are not looked at again
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError as error:
            half = error.object[error.start]
            return f"half a character ({ascii(half)[1:-1]}) is in it, to which the other half is missing; mend the text"
    return ""


def csv_lines(file: Path, needed: Iterable[str], whole: bool = False) -> Iterator[Line]:
    """Read a CSV with a header, in any encoding that `decode` knows.

    Args:
        file: the CSV.
        needed: columns that must be there.
        whole: a row with fewer cells than the header and an unclosed quote are errors: the file was cut short.

    Yields:
        a `Line` a row, `offset` 0, cells stripped.

    Raises:
        DataError: if the file or a needed column is missing, or a row has more cells than the header.
    """
    if not file.is_file():
        raise MissingFile(f"{file} is missing")
    text = io.StringIO(decode(file.read_bytes()), newline="")
    reader = csv.DictReader(text, skipinitialspace=True, strict=whole)
    try:
        yield from _csv_rows(file, reader, needed, whole)
    except csv.Error as error:
        raise DataError(f"{file}:{reader.line_num}: not CSV ({error}); the file may have been cut short") from None


def _csv_rows(file: Path, reader: csv.DictReader[str], needed: Iterable[str], whole: bool) -> Iterator[Line]:
    names = [name.strip() for name in reader.fieldnames or ()]
    missing = [name for name in needed if name not in names]
    if missing:
        raise DataError(
            f"{file}:1: the column {', '.join(map(repr, missing))} is missing; "
            f"there are {', '.join(map(repr, names)) or 'none'}"
        )
    reader.fieldnames = names
    for row in reader:
        if None in row:
            raise DataError(f"{file}:{reader.line_num}: more cells than columns ({len(names)})")
        if whole and None in row.values():
            raise DataError(f"{file}:{reader.line_num}: fewer cells than columns ({len(names)}); cut short?")
        cells = {name: (value or "").strip() for name, value in row.items()}
        if any(cells.values()):
            yield Line(file, reader.line_num, 0, cells)


def decode(raw: bytes) -> str:
    """A file's text: UTF-8 or UTF-16, with or without a mark; anything else is taken as latin-1."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    for encoding, high in (("utf-16-le", raw[1:400:2]), ("utf-16-be", raw[0:400:2])):
        # In UTF-16 plain letters have a zero byte each; no text in UTF-8 or latin-1 has any.
        if len(high) > 1 and high.count(0) > len(high) / 2:
            return raw.decode(encoding, errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class PictureFolder:
    """Finds pictures under a data folder and never outside it.

    A Hub snapshot's links into its own `blobs` folder count as inside.

    Args:
        root: the data folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._prefix = f"{self.root}{os.sep}"
        self._plain: dict[str, frozenset[str] | None] = {}
        self._allowed = [self.root]
        for parent in self.root.parents:
            if parent.name == "snapshots":
                self._allowed.append(parent.parent / "blobs")

    def find(self, relative: str, line: Line) -> str | None:
        """The picture's absolute path, or None where there is no such file.

        Raises:
            DataError: if the path is absolute, or leads out of the data folder by `..` or by a link.
        """
        folder, _, name = relative.rpartition("/")
        plain = self._plain_files(folder)
        if plain is not None and name in plain:
            return self._prefix + relative
        if plain is not None and name != ".." and "\x00" not in name and not os.path.lexists(self._prefix + relative):
            return None
        path = Path(relative)
        if path.is_absolute() or "\x00" in relative:
            raise line.error(f"the picture's path {relative!r} should be relative to the data folder")
        try:
            real = (self.root / path).resolve()
        except (OSError, RuntimeError) as error:  # a loop of links; Python < 3.13 raises RuntimeError
            raise line.error(f"the picture's path {relative!r} cannot be followed ({error})") from None
        if not any(real.is_relative_to(folder) for folder in self._allowed):
            raise line.error(f"the picture's path {relative!r} leaves the data folder {self.root}")
        try:
            return str(self.root / path) if real.is_file() else None
        except OSError:  # a name too long for the file system
            return None

    def _plain_files(self, folder: str) -> frozenset[str] | None:
        """The names of a sub-folder's files that are no links, read once; None if a link may lie on the way there.

        With them most pictures are found without asking the system about each. The others are looked at one by
        one.
        """
        if folder not in self._plain:
            path = self._prefix + folder
            names: frozenset[str] | None = None
            if not folder.startswith("/") and ".." not in folder.split("/") and "\x00" not in folder:
                names = _files_of(path) if os.path.realpath(path) == os.path.normpath(path) else None
            self._plain[folder] = names
        return self._plain[folder]

    def stems(self, relative: str) -> dict[str, list[str]]:
        """The pictures of a sub-folder, by name without suffix: relative paths, sorted."""
        folder = self.root / relative
        found: dict[str, list[str]] = {}
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in PICTURE_SUFFIXES:
                    found.setdefault(path.stem, []).append(f"{relative}/{path.name}")
        return found


def _files_of(folder: str) -> frozenset[str]:
    try:
        with os.scandir(folder) as entries:
            return frozenset(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
    except OSError:  # no such folder
        return frozenset()


def fingerprint(parts: Iterable[str], texts: Iterable[Path], pictures: Iterable[Path]) -> str:
    """Digest of a dataset's inputs: text files by their bytes, pictures by path, size and time of change.

    Args:
        parts: anything else that changes the rows.
        texts, pictures: files; those that are missing count as missing.
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{part}\0".encode())
    for file in texts:
        content = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "missing"
        digest.update(f"{file}\0{content}\0".encode(errors="surrogateescape"))
    for file in pictures:
        try:
            stat = file.stat()
            state = f"{stat.st_size} {stat.st_mtime_ns}"
        except (OSError, ValueError):
            state = "missing"
        digest.update(f"{file}\0{state}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def code_digest(folder: Path) -> str:
    """Digest of a builder's code: the Python files of its folder and the helpers beside that folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")) + sorted(folder.parent.glob("*.py")):
        digest.update(f"{file.parent.name}/{file.name}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


@dataclass
class Report:
    """What a builder read, and what was odd about it.

    Attributes:
        name: benchmark and config, for messages.
        rows: rows that the config yields.
        faults: kind of fault to the places where it was met, each once, in their order (a dictionary as a set).
        skipped: what was left out by rule, why, and where; no fault, not even under `strict`.
    """

    name: str
    rows: int = 0
    faults: dict[str, dict[str, None]] = field(default_factory=dict)
    skipped: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, kind: str, place: str) -> None:
        """Count a fault that leaves the row usable."""
        self.faults.setdefault(kind, {})[place] = None

    def skip(self, kind: str, place: str) -> None:
        """Count what is left out because the benchmark's rules say so."""
        self.skipped.setdefault(kind, {})[place] = None

    def counts(self) -> dict[str, int]:
        """In how many places each kind was met."""
        return {kind: len(places) for kind, places in self.faults.items()}

    def lines(self) -> list[str]:
        """A sentence a kind of fault, naming the first places."""
        return [self._sentence(kind, places) for kind, places in self.faults.items()]

    def _sentence(self, kind: str, places: Mapping[str, None]) -> str:
        more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
        return f"{self.name}: {kind}: {len(places)} ({', '.join(list(places)[:_NAMED])}{more})"

    def close(self, strict: bool) -> None:
        """Log the summary: faults as warnings, the rest as information.

        Raises:
            DataError: under `strict`, if there is any fault.
        """
        if strict and self.faults:
            raise DataError("strict: " + "; ".join(self.lines()))
        logger.info("%s: %d rows", self.name, self.rows)
        for kind, places in self.skipped.items():
            logger.info("%s", self._sentence(f"left out: {kind}", places))
        for sentence in self.lines():
            logger.warning("%s", sentence)
