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

from punctum.datasets_scripts.reading import DataError, Line, csv_lines, decode

_BOM = codecs.BOM_UTF8
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A whole string, or what changes the depth, or what ends an element. Strings are skipped in one piece.
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},]', re.DOTALL)
_BLANKS = re.compile(rb"[ \t\r\n]*")
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
    body = _utf8(file)
    start, line_at, line = offset, 0, 1
    if offset == 0:
        start = _after(body, len(_BOM) if body[:3] == _BOM else 0)
        if body[start : start + 1] != b"[":
            raise DataError(f"{file}:1: a JSON array of objects is expected; it begins {bytes(body[:40])!r}")
        start = _after(body, start + 1)
    while count is None or count > 0:
        line, line_at = line + bytes(body[line_at:start]).count(b"\n"), start
        where = f"row {number}" if offset else f"row {number}, line {line}"
        end, more = _element(body, start)
        if end == start and not more and number == 1 and offset == 0:
            break
        if end < 0:
            raise DataError(f"{file}, {where}: the row has no end; the file may have been cut short")
        yield Line(file, number, start, _object(file, where, bytes(body[start:end])), where)
        start, number = end + 1, number + 1
        count = None if count is None else count - 1
        if not more:
            break
        start = _after(body, start)
    else:
        return
    _nothing_after(file, body, start if number > 1 or offset else start + 1)


def _nothing_after(file: Path, body: bytes | mmap.mmap, start: int) -> None:
    rest = _after(body, start)
    if rest < len(body):
        raise DataError(f"{file}: the array ends at byte {start}, but there is more: {bytes(body[rest : rest + 40])!r}")


def _element(body: bytes | mmap.mmap, start: int) -> tuple[int, bool]:
    """Where the element that begins at `start` ends, and whether a comma follows; -1 where it never ends."""
    depth = 0
    for token in _TOKEN.finditer(body, start):
        mark = body[token.start() : token.start() + 1]
        if mark in b"[{":
            depth += 1
        elif mark in b"]}":
            if depth == 0:
                return token.start(), False
            depth -= 1
        elif mark == b"," and depth == 0:
            return token.start(), True
    return -1, False


def _after(body: bytes | mmap.mmap, start: int) -> int:
    """The next byte that is not blank."""
    blanks = _BLANKS.match(body, start)
    return blanks.end() if blanks else start


def _object(file: Path, where: str, raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}, {where}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise DataError(f"{file}, {where}: a JSON object is expected, not {type(value).__name__}")
    return value


def _utf8(file: Path) -> bytes | mmap.mmap:
    """The file's bytes, mapped if they are UTF-8, or turned into UTF-8."""
    stat = file.stat()
    if stat.st_size and _is_utf8(file, stat.st_size, stat.st_mtime_ns):
        with file.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return decode(file.read_bytes()).encode("utf-8", errors="surrogatepass")


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
