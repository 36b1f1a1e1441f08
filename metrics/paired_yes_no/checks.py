"""Checks of inputs. The same file lies in every metric folder, since each folder is copied away alone.

A test holds the copies equal; change `mcq_accuracy/checks.py` and copy it over the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sized
from numbers import Integral, Real
from typing import Any


def as_list(name: str, values: Any) -> list[Any]:
    """The rows of one input as a list of plain Python values.

    Args:
        name: what the input is called, for the message.
        values: a sequence, a numpy array, a tensor or a column of a table.

    Raises:
        ValueError: if it is missing, a text, a mapping or a single value.
    """
    if hasattr(values, "tolist"):
        values = values.tolist()
    if values is None or isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a sequence with one entry a row, not {values!r:.80}")
    return values if isinstance(values, list) else list(values)


def count_rows(**columns: Sized) -> int:
    """The number of rows that all inputs share.

    Raises:
        ValueError: if there are no rows, or the inputs differ in length.
    """
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"the inputs differ in length: {said}; give one entry a row in each")
    n = next(iter(lengths.values()))
    if n == 0:
        raise ValueError(f"empty input: {', '.join(lengths)} have no rows, so there is nothing to score")
    return n


def as_index(name: str, row: int, value: Any) -> int:
    """One option index, counted from 0.

    Raises:
        ValueError: if it is not a whole number from 0 on (texts, floats and booleans are refused).
    """
    if type(value) is int and value >= 0:
        return value
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0:
        return int(value)
    raise ValueError(f"{name}, row {row}: {value!r:.80} is not an option index (a whole number from 0 on)")


def as_index_rows(name: str, values: Any, *, required: bool = False) -> list[tuple[int, ...] | None]:
    """Rows of option indices: an index, or several in order, or None where nothing could be read.

    Args:
        name: what the input is called, for the message.
        values: a row an index, a sequence of indices or None. An empty sequence is None.
        required: refuse None (references).

    Raises:
        ValueError: at the first row that is none of these, or that names an index twice.
    """
    return [
        (value,) if type(value) is int and value >= 0 else _index_row(name, row, value, required)
        for row, value in enumerate(as_list(name, values))
    ]


def _index_row(name: str, row: int, value: Any, required: bool) -> tuple[int, ...] | None:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple | set | frozenset):
        indices = tuple(as_index(name, row, index) for index in value)
        if len(set(indices)) < len(indices):
            raise ValueError(f"{name}, row {row}: {value!r:.80} names an option twice")
    else:
        indices = () if value is None else (as_index(name, row, value),)
    if not indices and required:
        raise ValueError(f"{name}, row {row}: {value!r} names no option; every row needs a correct one")
    return indices or None


def as_flags(name: str, values: Any) -> list[bool]:
    """Rows of true or false; 0 and 1 will do.

    Raises:
        ValueError: at the first row that is neither.
    """
    flags = as_list(name, values)
    if not set(map(type, flags)) <= {bool}:
        for row, value in enumerate(flags):
            if not isinstance(value, Integral) or int(value) not in (0, 1):
                raise ValueError(f"{name}, row {row}: {value!r:.80} is neither true nor false")
    return [bool(value) for value in flags]


def as_numbers(name: str, values: Any, low: float = -math.inf, high: float = math.inf) -> list[float]:
    """Rows of finite numbers.

    Raises:
        ValueError: at the first row that is no number, not finite, or outside `low` to `high`.
    """
    numbers = as_list(name, values)
    for row, value in enumerate(numbers):
        if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
            raise ValueError(f"{name}, row {row}: {value!r:.80} is not a finite number")
        if not low <= float(value) <= high:
            raise ValueError(f"{name}, row {row}: {value!r} is outside {low:g} to {high:g}")
    return [float(value) for value in numbers]


def as_words(name: str, values: Any, known: Iterable[str] | None = None) -> list[str]:
    """Rows of texts, optionally from a closed list.

    Raises:
        ValueError: at the first row that is no text or not in `known`.
    """
    words = as_list(name, values)
    allowed = None if known is None else list(known)
    if set(map(type, words)) <= {str} and (allowed is None or set(words) <= set(allowed)):
        return words
    said = "a text" if allowed is None else f"one of {', '.join(allowed)}"
    for row, word in enumerate(words):
        if not isinstance(word, str) or (allowed is not None and word not in allowed):
            raise ValueError(f"{name}, row {row}: {word!r:.80} is not {said}")
    return [str(word) for word in words]
