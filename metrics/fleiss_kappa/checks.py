"""Checks of inputs. The same file lies in every metric folder, since each folder is copied away alone.

A test holds the copies equal; change `mcq_accuracy/checks.py` and copy it over the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import chain
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
    rows = as_list(name, values)
    return _plain_index_rows(rows, required) or [
        _index_row(name, row, value, required) for row, value in enumerate(rows)
    ]


def _plain_index_rows(rows: list[Any], required: bool) -> list[tuple[int, ...] | None] | None:
    """The same for good rows of the usual types, several times faster; None where anything is unusual."""
    if not set(map(type, rows)) <= {int, list, tuple, type(None)}:
        return None
    tuples = [(row,) if type(row) is int else tuple(row or ()) for row in rows]
    if not set(map(type, chain.from_iterable(tuples))) <= {int} or (required and () in tuples):
        return None
    if min(chain.from_iterable(tuples), default=0) < 0 or any(len(set(row)) < len(row) for row in tuples):
        return None
    return [row or None for row in tuples]


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


def as_label_rows(
    name: str, values: Any, labels: Sequence[str] | None = None, *, required: bool = False
) -> list[frozenset[str] | None]:
    """Rows of label sets: a sequence of labels, or None where nothing could be read.

    Args:
        name: what the input is called, for the message.
        values: a row a sequence of labels (an empty one is the answer that none applies) or None.
        labels: the labels there are; None takes any text.
        required: refuse None (references).

    Raises:
        ValueError: at the first row that is neither, or that has an unknown label.
    """
    # Few sets are distinct, so each is looked at once.
    known: dict[tuple[Any, ...], frozenset[str]] = {}
    rows: list[frozenset[str] | None] = []
    for row, value in enumerate(as_list(name, values)):
        if value is None and not required:
            rows.append(None)
            continue
        if hasattr(value, "tolist"):
            value = value.tolist()
        if not isinstance(value, list | tuple | set | frozenset):
            raise ValueError(f"{name}, row {row}: {value!r:.80} is not a list of labels")
        key = tuple(value)
        try:
            found = known.get(key)
        except TypeError:
            found = None
        if found is None:
            for label in key:
                if not isinstance(label, str) or (labels is not None and label not in labels):
                    said = "a label (a text)" if labels is None else f"one of {', '.join(labels)}"
                    raise ValueError(f"{name}, row {row}: {label!r:.80} is not {said}")
            found = known[key] = frozenset(key)
        rows.append(found)
    return rows


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


def as_answers(name: str, values: Any) -> list[str]:
    """Rows of texts, or None where there is no answer, which becomes the empty text.

    Raises:
        ValueError: at the first row that is neither.
    """
    return as_words(name, ["" if value is None else value for value in as_list(name, values)])
