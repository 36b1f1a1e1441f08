"""Reading whole files in the encodings they come in: JSON objects entry by entry, and plain text.

A JSON object is read with the line of every entry, so that an error names it, and a key that stands there twice
is an error; the standard library's reader keeps the last one and says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from punctum.datasets_scripts.reading import DataError, Line, MissingFile, decode, half_character

_BLANKS = " \t\r\n"
_DECODER = json.JSONDecoder()


def read_text(file: Path) -> str:
    """A file's text: UTF-8 or UTF-16, with or without a byte-order mark, or else latin-1; CRLF becomes LF.

    Raises:
        DataError: if the file is missing.
    """
    if not file.is_file():
        raise MissingFile(f"{file} is missing")
    return decode(file.read_bytes()).replace("\r\n", "\n")


def json_entries(file: Path) -> Iterator[Line]:
    """The entries of a file that holds one JSON object.

    Yields:
        a `Line` an entry, numbered by the line on which its key stands, with `key` and `value`.

    Raises:
        DataError: if the file is missing, is no JSON object, is cut short, or has a key twice.
    """
    text = read_text(file)
    seen: dict[str, int] = {}
    number, counted = 1, 0
    at = _skip(text, 0)
    if not text.startswith("{", at):
        raise DataError(f"{file}:1: a JSON object is expected, from {{ to }}, not {text[at : at + 20]!r}")
    at = _skip(text, at + 1)
    closed = text.startswith("}", at)
    while not closed:
        number, counted = number + text.count("\n", counted, at), at
        key, at = _value(file, text, at)
        if not isinstance(key, str):
            raise _broken(file, text, counted, f"a key in quotes is expected, not {key!r:.40}")
        at = _expect(file, text, at, ":")
        value, at = _value(file, text, at)
        if key in seen:
            raise DataError(f"{file}:{number}: {key} was there before, on line {seen[key]}")
        seen[key] = number
        yield Line(file, number, 0, {"key": key, "value": value})
        closed = text.startswith("}", at)
        if not closed:
            at = _expect(file, text, at, ",")
    rest = text[at + 1 :].strip()
    if rest:
        raise _broken(file, text, at + 1, f"nothing is expected after the object, but there is {rest!r:.40}")


def _value(file: Path, text: str, at: int) -> tuple[Any, int]:
    start = at
    try:
        value, at = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _broken(file, text, error.pos, error.msg) from None
    except RecursionError:
        raise _broken(file, text, at, "nested too deeply") from None
    if half := half_character(text[start:at], value):
        raise _broken(file, text, start, half)
    return value, _skip(text, at)


def _expect(file: Path, text: str, at: int, mark: str) -> int:
    if not text.startswith(mark, at):
        raise _broken(file, text, at, f"{mark!r} is expected")
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _broken(file: Path, text: str, at: int, message: str) -> DataError:
    cut = "; the file may have been cut short" if at >= len(text.rstrip()) or "Unterminated" in message else ""
    return DataError(f"{file}:{text.count(chr(10), 0, at) + 1}: not JSON ({message}){cut}")
