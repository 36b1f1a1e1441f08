"""Pure functions on one row with options: what the option builders in `mcq` do to every row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Columns:
    """Where a dataset keeps what the option builders touch.

    Attributes:
        options: list of options; texts or anything else.
        answers: the gold option: an index, a letter ("B"), or a list of either; None where it is unknown.
        kinds: list, a word an option. Need not exist.
        permutation: list of published indices; made where it does not exist.
        id: what a row's order depends on. None: the row's position.
        group, rotation: written by `rotate_options`.
        also: further lists with an entry an option, which move along.
    """

    options: str = "options"
    answers: str = "answers"
    kinds: str = "option_kinds"
    permutation: str = "permutation"
    id: str | None = "id"
    group: str = "group"
    rotation: str = "rotation"
    also: tuple[str, ...] = ()


COLUMNS = Columns()


def letter(index: int) -> str:
    """The letter of an option: A … Z, then as spreadsheets go on: AA, AB, …

    Raises:
        ValueError: if the index is negative.
    """
    if index < 0:
        raise ValueError(f"an option's index is 0 or more, not {index}")
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def draw(seed: int, name: str) -> bytes:
    """What everything drawn is drawn by: sha256 of "seed:name". It depends on nothing else, no other row."""
    return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).digest()


def draw_order(n: int, seed: int, row_id: str) -> list[int]:
    """An order of n things, uniform over all orders, drawn by sha256 of "seed:id" (Fisher-Yates)."""
    digest = draw(seed, row_id)
    pool = int.from_bytes(digest, "big")
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        if pool < 1 << 64:  # keep enough of it that the remainder stays fair
            digest = hashlib.sha256(digest).digest()
            pool = (pool << 256) | int.from_bytes(digest, "big")
        pool, j = divmod(pool, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def reorder_row(row: Row, order: Sequence[int], columns: Columns = COLUMNS) -> dict[str, Any]:
    """Show the options in another order, or only some of them.

    Args:
        row: needs `columns.options`; whatever else of the option columns it has moves along.
        order: `order[j]` is the present index of the option to be shown at j; no index twice.

    Returns:
        The changed columns only.

    Raises:
        ValueError: if an option column has another length than the options, an answer lies outside them, or
            an answer would go.
    """
    options = options_of(row, columns)
    present = row.get(columns.permutation)
    changed: dict[str, Any] = {columns.options: [options[i] for i in order]}
    for name in (columns.kinds, *columns.also):
        if row.get(name) is not None:
            changed[name] = [aligned(row, name, columns)[i] for i in order]
    if row.get(columns.answers) is not None:
        changed[columns.answers] = _move_answers(row, order, columns)
    published = range(len(options)) if present is None else aligned(row, columns.permutation, columns)
    changed[columns.permutation] = [published[i] for i in order]
    return changed


def shuffle_row(row: Row, seed: int, columns: Columns = COLUMNS, index: int = 0) -> dict[str, Any]:
    """Show a row's options in the order drawn by (seed, id).

    Args:
        index: the row's position, which stands for the id where `columns.id` is None.
    """
    return reorder_row(row, draw_order(len(options_of(row, columns)), seed, row_key(row, columns, index)), columns)


def rotate_row(row: Row, rotation: int, columns: Columns = COLUMNS, index: int = 0) -> dict[str, Any]:
    """Show a row's options rotated left by `rotation`; the row is named `group@rotation`."""
    n = len(options_of(row, columns))
    if row.get(columns.rotation) is not None:
        raise ValueError(f"{row_name(row, columns)} is rotated already (rotation {row[columns.rotation]})")
    order = [(j + rotation) % n for j in range(n)]
    group = row_key(row, columns, index)
    changed = reorder_row(row, order, columns)
    changed.update({columns.group: group, columns.rotation: rotation})
    if columns.id is not None:
        changed[columns.id] = f"{group}@{rotation}"
    return changed


def row_name(row: Row, columns: Columns) -> str:
    """The row, for messages."""
    return "a row" if columns.id is None else f"row {row.get(columns.id)!r}"


def row_key(row: Row, columns: Columns, index: int) -> str:
    """What the row's order depends on: its id, or its position where there is none."""
    if columns.id is None:
        return str(index)
    if columns.id not in row:
        raise ValueError(
            f"there is no column {columns.id!r} (there are {', '.join(map(repr, row))}): name the column of "
            "ids with id=…, or take rows by position with id=None"
        )
    return str(row[columns.id])


def options_of(row: Row, columns: Columns) -> Sequence[Any]:
    """The options as shown."""
    if columns.options not in row:
        raise ValueError(
            f"there is no column {columns.options!r} (there are {', '.join(map(repr, row))}): name the column "
            "of options with options=…"
        )
    options: Sequence[Any] | None = row[columns.options]
    if not options:
        raise ValueError(f"{row_name(row, columns)} has no options")
    return options


def aligned(row: Row, name: str, columns: Columns) -> Sequence[Any]:
    """A column with one entry an option."""
    values: Sequence[Any] | None = row.get(name)
    n = len(row[columns.options])
    if values is None or len(values) != n:
        found = "no" if values is None else len(values)
        raise ValueError(f"{row_name(row, columns)} has {n} options but {found} entries in {name!r}")
    return values


def _index(value: Any, n: int, row: Row, columns: Columns) -> int:
    if isinstance(value, str):
        letters = [letter(i) for i in range(n)]
        if value.strip().upper() in letters:
            return letters.index(value.strip().upper())
    elif isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) < n:
        return int(value)
    raise ValueError(f"{row_name(row, columns)}: the answer {value!r} is outside its {n} options")


def answers_of(row: Row, n: int, columns: Columns) -> list[int]:
    """The answers as indices into the n options; none where they are unknown."""
    value = row.get(columns.answers)
    if value is None:
        return []
    if isinstance(value, (str, int)) or not isinstance(value, Sequence):
        value = [value]
    return [_index(entry, n, row, columns) for entry in value]


def _move_answers(row: Row, order: Sequence[int], columns: Columns) -> Any:
    before = row[columns.answers]
    moved = []
    for answer in answers_of(row, len(row[columns.options]), columns):
        if answer not in order:
            raise ValueError(f"{row_name(row, columns)}: the answer {letter(answer)} would be dropped")
        moved.append(list(order).index(answer))
    if isinstance(before, str):
        return letter(moved[0])
    if not isinstance(before, Sequence):
        return moved[0]
    if before and isinstance(before[0], str):
        return [letter(i) for i in moved]
    return moved
