"""Breakdowns of a score, sorted into the few shapes that a page can draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def shaped(name: str, value: Any) -> dict[str, Any]:
    """A breakdown with the name of its shape.

    - `letters`: how often each letter was chosen and how often it was right;
    - `counts`, `shares`: a number a name;
    - `table`: a row a group; `counts` says which columns are counts;
    - `value`: anything else, as it is.

    Whole numbers are counts, others shares: JSON keeps them apart, JavaScript does not.
    """
    return {"name": name, **_shape(value)}


def _shape(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not value:
        return {"shape": "value", "value": value}
    entries = list(value.values())
    if all(_is_number(entry) for entry in entries):
        return {"shape": "counts" if all(_is_count(entry) for entry in entries) else "shares", "value": dict(value)}
    if not all(isinstance(entry, Mapping) and all(map(_is_number, entry.values())) for entry in entries):
        return {"shape": "value", "value": value}
    if all(set(entry) == {"chosen", "gold"} for entry in entries):
        return {"shape": "letters", "value": dict(value)}
    columns = list(dict.fromkeys(column for entry in entries for column in entry))
    counts = [c for c in columns if all(_is_count(entry[c]) for entry in entries if entry.get(c) is not None)]
    rows = [[group, *(entry.get(column) for column in columns)] for group, entry in value.items()]
    return {"shape": "table", "columns": columns, "counts": counts, "rows": rows}


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _is_count(value: Any) -> bool:
    return value is None or isinstance(value, int)
