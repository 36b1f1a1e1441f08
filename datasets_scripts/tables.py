"""Reading published forms other than JSON Lines, row by row: a JSON array, Parquet, a CSV of rows.

A `Line` of these is one row: `number` counts rows from 1, and errors name row and, in a text, the line on which
the row begins. Memory does not grow with the number of rows, except for a CSV.
"""

from __future__ import annotations

import codecs
import json
import mmap
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from punctum.datasets_scripts.reading import DataError, Line, csv_lines, decode, half_character, json_lines

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_PIECE = 1 << 18  # bytes of an array that are looked at together
_NEAR = 64  # an error so near to a piece's end may come from the cut
_BATCH = 32


def starts_array(file: Path) -> bool:
    """Whether a file's first character that is not blank is `[`."""
    with file.open("rb") as stream:
        return decode(stream.read(4096)).lstrip("\ufeff \t\r\n").startswith("[")


def json_array(file: Path, offset: int = 0, number: int = 1, count: int | None = None) -> Iterator[Line]:
    """Read a file that holds one JSON array of objects, without holding the array.

    Args:
        file: UTF-8 or UTF-16 with or without a mark, or latin-1; any line endings.
        offset: of the byte (of the UTF-8 form) where a row begins; 0 for the first.
        number: the number of the row at `offset`.
        count: rows to read; None reads to the end and checks that the array ends there.

    Raises:
        DataError: if the file is missing, holds no array, ends too early, or a row is no JSON object.
    """
    if not file.is_file():
        raise DataError(f"{file} is missing")
    view = _View(file, offset)
    if offset == 0 and not view.open():
        return
    while count is None or count > 0:
        where = f"row {number}" if offset else f"row {number}, line {view.line}"
        start, value = view.value(where)
        if not isinstance(value, dict):
            raise DataError(f"{file}, {where}: a JSON object is expected, not {type(value).__name__}")
        yield Line(file, number, start, value, where)
        number, count = number + 1, None if count is None else count - 1
        if not view.more(where):
            return


def array_or_lines(file: Path) -> Iterator[Line]:
    """Read a file that holds a JSON array of objects, or one a line (JSON Lines): whichever it begins as.

    Raises:
        DataError: if the file is missing or is neither.
    """
    if not file.is_file():
        raise DataError(f"no file {file}")
    return json_array(file) if starts_array(file) else json_lines(file)


class _View:
    """A window of text that moves over an array, piece by piece.

    Attributes:
        line: the number of the line at the window's place, counted from where reading began.
    """

    def __init__(self, file: Path, offset: int) -> None:
        self._file, self._body, self.line = file, _utf8(file), 1
        self._start, self._at, self._size = offset, 0, _PIECE
        self._text, self._end = "", offset
        self._read()

    def _read(self) -> None:
        """Take the piece that begins at the window's place."""
        self._start += len(self._text[: self._at].encode())
        piece = self._body[self._start : self._start + self._size]
        self._text, used = codecs.utf_8_decode(piece, "strict", self._start + self._size >= len(self._body))
        self._end, self._at = self._start + used, 0

    def _grow(self) -> bool:
        """Take a larger piece, if there is more."""
        if self._end >= len(self._body):
            return False
        self._size = self._size if self._at else 2 * self._size
        self._read()
        return True

    def _next(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            end = blanks.end() if blanks else self._at
            self.line += self._text.count("\n", self._at, end)
            self._at = end
            if self._at < len(self._text) or not self._grow():
                return self._text[self._at : self._at + 1]

    def open(self) -> bool:
        """Go to the first row; False if there is none."""
        if self._text.startswith("\ufeff"):
            self._at = 1
        if self._next() != "[":
            raise DataError(f"{self._file}:1: a JSON array of objects is expected; it begins {self._text[:40]!r}")
        self._at += 1
        if self._next() != "]":
            return True
        self._close()
        return False

    def value(self, where: str) -> tuple[int, Any]:
        """The row at the window's place, and the offset of its first byte; the window moves behind it."""
        self._next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise DataError(f"{self._file}, {where}: nested too deeply") from None
            except json.JSONDecodeError as error:
                cut = "Unterminated" in error.msg or len(self._text) - error.pos < _NEAR
                if cut and self._grow():
                    continue
                if "Unterminated" in error.msg or error.pos >= len(self._text.rstrip()):
                    message = "the row has no end; the file may have been cut short"
                else:
                    message = f"not JSON ({error.msg}: {self._text[error.pos : error.pos + 20]!r})"
                raise DataError(f"{self._file}, {where}: {message}") from None
            if half := half_character(self._text[self._at : end], value):
                raise DataError(f"{self._file}, {where}: {half}")
            self.line += self._text.count("\n", self._at, end)
            start = self._start + len(self._text[: self._at].encode())
            self._at = end
            return start, value

    def more(self, where: str) -> bool:
        """Go over the comma to the next row; False at the array's end."""
        mark = self._next()
        if mark not in (",", "]"):
            found = f"not {mark!r}" if mark else "but the file ends; it may have been cut short"
            raise DataError(f"{self._file}, {where}: a comma or ] is expected after the row, {found}")
        if mark == "]":
            self._close()
            return False
        self._at += 1
        if self._at > len(self._text) // 2 and self._end < len(self._body):
            self._size = _PIECE
            self._read()
        self._next()
        return True

    def _close(self) -> None:
        """Nothing may follow the array's end."""
        self._at += 1
        if self._next():
            rest = self._text[self._at : self._at + 40]
            raise DataError(f"{self._file}, line {self.line}: the array has ended, but there is more: {rest!r}")


def _utf8(file: Path) -> bytes | mmap.mmap:
    """The file's bytes, mapped if they are UTF-8, or turned into UTF-8."""
    stat = file.stat()
    if stat.st_size and _is_utf8(file, stat.st_size, stat.st_mtime_ns):
        with file.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return decode(file.read_bytes()).encode()


@lru_cache(maxsize=64)
def _is_utf8(file: Path, size: int, changed: int) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    with file.open("rb") as stream:
        head = stream.read(400)
        if head.startswith(_UTF16) or b"\0" in head:
            return False
        try:
            decoder.decode(head)
            while piece := stream.read(1 << 20):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def csv_rows(
    file: Path, needed: Iterable[str], offset: int = 0, number: int = 1, count: int | None = None
) -> Iterator[Line]:
    """Read a CSV's rows from row `number` on; cells may span lines. Arguments as `reading.csv_lines`.

    Raises:
        DataError: as `reading.csv_lines`, and if the file was cut short.
    """
    stop = None if count is None else number - 1 + count
    for row, line in islice(enumerate(csv_lines(file, needed, whole=True), 1), number - 1, stop):
        yield replace(line, number=row, where=f"row {row}, up to line {line.number}")


def parquet_rows(
    file: Path, offset: int = 0, number: int = 1, count: int | None = None, without: Iterable[str] = ()
) -> Iterator[Line]:
    """Read a Parquet file's rows from row `number` on.

    Args:
        without: columns that are not read.

    Raises:
        DataError: if the file is missing or no whole Parquet file.
    """
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    if not file.is_file():
        raise DataError(f"{file} is missing")
    try:
        table = pyarrow.parquet.ParquetFile(file)
        columns = [name for name in table.schema_arrow.names if name not in set(without)]
        first = 1
        groups: list[int] = []
        for group in range(table.num_row_groups):  # those before the first row wanted are not read
            rows = table.metadata.row_group(group).num_rows
            if first + rows <= number and not groups:
                first += rows
            else:
                groups.append(group)
        row = first
        for batch in table.iter_batches(batch_size=_BATCH, row_groups=groups, columns=columns):
            for value in batch.to_pylist() if row + batch.num_rows > number else [{}] * batch.num_rows:
                if count is not None and row >= number + count:
                    return
                if row >= number:
                    yield Line(file, row, 0, value, f"row {row}")
                row += 1
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(f"{file}: not a whole Parquet file ({str(error).splitlines()[0]})") from None


def embedded_picture(line: Line, column: str = "image") -> bytes | None:
    """The picture that a Parquet row carries in a structure of bytes and path; None where it has none.

    Raises:
        DataError: if it is neither bytes nor a structure with bytes.
    """
    value = line.data.get(column)
    if isinstance(value, dict):
        value = value.get("bytes")
    if value is not None and not isinstance(value, bytes):
        raise line.error(f"the field {column!r} should be a picture's bytes, but is {value!r:.80}")
    return value
