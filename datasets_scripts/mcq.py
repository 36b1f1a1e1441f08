"""Option builders: shuffle, rotate, letter, drop and add options on any `datasets` dataset.

Each works on a `Dataset`, an `IterableDataset`, or a `DatasetDict` of either, with column names of one's own.
The columns that belong to the options move along: their kinds, the answers (indices or letters), and
`permutation`, which always leads back: `permutation[j]` is the published index of the option shown at j, so
that builders compose (-1: an added option, which was never published).

    >>> shuffle_row({"id": "q1", "options": ["a", "b", "c"], "answers": [0]}, seed=0)
    {'options': ['c', 'b', 'a'], 'answers': [2], 'permutation': [2, 1, 0]}

The order that a row gets is a function of (seed, id) alone: other rows, processes and machines change nothing.
`datasets` is not imported before a dataset is handed in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Any, TypeVar

from punctum.datasets_scripts.option_rows import (
    COLUMNS,
    Columns,
    Row,
    aligned,
    answers_of,
    draw_order,
    letter,
    options_of,
    reorder_row,
    rotate_row,
    row_key,
    row_name,
    shuffle_row,
)

__all__ = [
    "COLUMNS",
    "Columns",
    "add_options",
    "draw_order",
    "drop_options",
    "letter",
    "letter_options",
    "reorder_row",
    "rotate_options",
    "rotate_row",
    "shuffle_options",
    "shuffle_row",
]

Change = Callable[[Row, int], dict[str, Any]]
Data = TypeVar("Data")


def shuffle_options(
    ds: Data, seed: int = 0, *, columns: Columns = COLUMNS, num_proc: int | None = None, **names: Any
) -> Data:
    """Shuffle each row's options by (seed, id).

    Args:
        ds: a Dataset, an IterableDataset or a dictionary of either.
        seed: another seed gives other orders.
        columns: the dataset's column names; single ones as keywords: `options="choices"`.
        num_proc: processes, for a Dataset.

    Returns:
        The dataset of the same kind, with `permutation`.
    """
    columns = _named(columns, names)
    return _map(ds, _Shuffle(seed, columns), _new_permutation(columns), num_proc)


def rotate_options(ds: Data, *, columns: Columns = COLUMNS, num_proc: int | None = None, **names: Any) -> Data:
    """One row for each rotation of the options, with `group` (the row's id) and `rotation` (from 0).

    A question with n options becomes n rows, next to each other. Arguments as `shuffle_options`.
    """
    columns = _named(columns, names)
    if isinstance(ds, Mapping):
        parts = {k: rotate_options(v, columns=columns, num_proc=num_proc) for k, v in ds.items()}
        return type(ds)(parts)  # type: ignore[call-arg]
    new = {columns.permutation: "indices", columns.group: "text", columns.rotation: "index"}
    data: Any = ds
    new = new if columns.id is None else {**new, columns.id: "text"}
    if not hasattr(data, "num_rows"):  # an IterableDataset
        return _map_stream(data, _Expand(columns), new, batched=True, batch_size=100)  # type: ignore[no-any-return]
    features = _features(data, new)
    plain = data.with_format(None)
    lengths = [len(options_of(row, columns)) for row in plain.select_columns([columns.options])]
    starts = tuple(accumulate(lengths, initial=0))
    spread = plain.select([i for i, n in enumerate(lengths) for _ in range(n)])
    rotate = _Rotate(starts, columns)
    rotated = spread.map(rotate, with_indices=True, features=features, num_proc=num_proc)
    return _formatted(rotated, data)  # type: ignore[no-any-return]


def letter_options(
    ds: Data,
    template: str = "{letter}. {option}",
    *,
    lettered: str = "lettered_options",
    answer_letters: str = "answer_letters",
    columns: Columns = COLUMNS,
    num_proc: int | None = None,
    **names: Any,
) -> Data:
    """Add the options with their letters, and the letters of the answers.

    Args:
        template: how a letter and an option are put together.
        lettered, answer_letters: names of the two new columns.
    """
    columns = _named(columns, names)
    change = _Letter(template, lettered, answer_letters, columns)
    return _map(ds, change, {lettered: "texts", answer_letters: "texts"}, num_proc)


def drop_options(
    ds: Data,
    *,
    kinds: Sequence[str] = (),
    keep: int | None = None,
    seed: int = 0,
    columns: Columns = COLUMNS,
    num_proc: int | None = None,
    **names: Any,
) -> Data:
    """Take distractors away; answers always stay, and the others keep their order.

    Args:
        kinds: the kinds of options to drop.
        keep: then drop until this many are left, drawn by (seed, id).
        names: as in `shuffle_options`; the column of kinds is named through `columns`.

    Raises:
        ValueError: at a row with more answers than `keep`, or whose answers are unknown.
    """
    columns = _named(columns, names)
    if not kinds and keep is None:
        raise ValueError("drop_options needs kinds=[…], keep=N, or both")
    return _map(ds, _Drop(tuple(kinds), keep, seed, columns), _new_permutation(columns), num_proc)


def add_options(
    ds: Data,
    extra: str | Sequence[Any] | Callable[[Row], Sequence[Any]],
    *,
    kind: str = "distractor",
    columns: Columns = COLUMNS,
    num_proc: int | None = None,
    **names: Any,
) -> Data:
    """Add distractors after the options that are there.

    Args:
        extra: the name of a column that holds a list of options, a list for all rows, or a function of a row.
        kind: the kind of the new options, where the dataset has a column of kinds.

    Raises:
        ValueError: at a row that has such an option already.
    """
    columns = _named(columns, names)
    return _map(ds, _Add(extra, kind, columns), _new_permutation(columns), num_proc)


# Classes rather than closures: they pickle for num_proc and give `datasets` a stable fingerprint.


@dataclass(frozen=True)
class _Shuffle:
    seed: int
    columns: Columns

    def __call__(self, row: Row, index: int) -> dict[str, Any]:
        return shuffle_row(row, self.seed, self.columns, index)


@dataclass(frozen=True)
class _Rotate:
    """Row i of the spread dataset is rotation i - starts[s] of the source row s that it repeats."""

    starts: tuple[int, ...]
    columns: Columns

    def __call__(self, row: Row, index: int) -> dict[str, Any]:
        source = bisect_right(self.starts, index) - 1
        return rotate_row(row, index - self.starts[source], self.columns, source)


@dataclass(frozen=True)
class _Expand:
    """The same on a stream's batches."""

    columns: Columns

    def __call__(self, batch: Mapping[str, list[Any]], indices: list[int]) -> dict[str, list[Any]]:
        rows = []
        for at, index in enumerate(indices):
            row = {name: values[at] for name, values in batch.items()}
            for rotation in range(len(options_of(row, self.columns))):
                rows.append({**row, **rotate_row(row, rotation, self.columns, index)})
        return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


@dataclass(frozen=True)
class _Letter:
    template: str
    lettered: str
    answer_letters: str
    columns: Columns

    def __call__(self, row: Row, index: int) -> dict[str, Any]:
        options = options_of(row, self.columns)
        pairs = [self.template.format(letter=letter(i), option=o) for i, o in enumerate(options)]
        answers = answers_of(row, len(options), self.columns)
        return {self.lettered: pairs, self.answer_letters: [letter(i) for i in answers]}


@dataclass(frozen=True)
class _Drop:
    kinds: tuple[str, ...]
    keep: int | None
    seed: int
    columns: Columns

    def __call__(self, row: Row, index: int) -> dict[str, Any]:
        n, columns = len(options_of(row, self.columns)), self.columns
        gold = answers_of(row, n, columns)
        if not gold:
            raise ValueError(f"{row_name(row, columns)} has no answer, so no option of it can be dropped safely")
        kinds = aligned(row, columns.kinds, columns) if self.kinds else [None] * n
        left = [i for i in range(n) if i in gold or kinds[i] not in self.kinds]
        if self.keep is not None and len(left) > self.keep:
            if len(gold) > self.keep:
                raise ValueError(f"{row_name(row, columns)} has {len(gold)} answers, more than keep={self.keep}")
            drawn = draw_order(n, self.seed, row_key(row, columns, index))
            others = [i for i in drawn if i in left and i not in gold]
            left = sorted([*gold, *others[: self.keep - len(gold)]])
        return reorder_row(row, left, columns)


@dataclass(frozen=True)
class _Add:
    extra: Any
    kind: str
    columns: Columns

    def __call__(self, row: Row, index: int) -> dict[str, Any]:
        options, columns = options_of(row, self.columns), self.columns
        if isinstance(self.extra, str):
            new = list(row[self.extra])
        else:
            new = list(self.extra(row) if callable(self.extra) else self.extra)
        for i, option in enumerate(new):
            if option in options or option in new[:i]:
                raise ValueError(f"{row_name(row, columns)} has the option {option!r} already")
        changed = reorder_row(row, range(len(options)), columns)
        changed[columns.options] += new
        changed[columns.permutation] += [-1] * len(new)
        if columns.kinds in changed:
            changed[columns.kinds] += [self.kind] * len(new)
        for name in columns.also:
            if name in changed:
                changed[name] += [None] * len(new)
        return changed


def _map(ds: Data, change: Change, new: Mapping[str, str], num_proc: int | None) -> Data:
    if isinstance(ds, Mapping):
        parts = {name: _map(part, change, new, num_proc) for name, part in ds.items()}
        return type(ds)(parts)  # type: ignore[call-arg]
    data: Any = ds
    if not hasattr(data, "num_rows"):  # an IterableDataset
        return _map_stream(data, change, new)  # type: ignore[no-any-return]
    features = _features(data, new)
    changed = data.with_format(None).map(change, with_indices=True, features=features, num_proc=num_proc)
    return _formatted(changed, data)  # type: ignore[no-any-return]


def _features(data: Any, new: Mapping[str, str]) -> Any:
    """The dataset's features and those of the new columns; None where a stream does not know its own."""
    if data.features is None:
        return None
    import datasets

    kinds = {
        "text": datasets.Value("string"),
        "texts": datasets.Sequence(datasets.Value("string")),
        "index": datasets.Value("int32"),
        "indices": datasets.Sequence(datasets.Value("int32")),
    }
    return datasets.Features({**data.features, **{name: kinds[kind] for name, kind in new.items()}})


def _map_stream(stream: Any, change: Callable[..., Any], new: Mapping[str, str], **kwargs: Any) -> Any:
    """Map with pictures left encoded, so that they are not decoded and encoded again on the way."""
    if stream.features is None:
        return stream.map(change, with_indices=True, **kwargs)
    changed = stream.decode(False).map(change, with_indices=True, **kwargs)
    # Not map(features=…): what a map has typed is never decoded again.
    return changed.cast(_features(stream, new))


def _formatted(changed: Any, before: Any) -> Any:
    kind = before.format["type"]
    return changed if kind is None else changed.with_format(kind, **before.format["format_kwargs"])


def _new_permutation(columns: Columns) -> dict[str, str]:
    return {columns.permutation: "indices"}


def _named(columns: Columns, names: Mapping[str, Any]) -> Columns:
    known = [field.name for field in fields(Columns)]
    for name in names:
        if name not in known:
            raise TypeError(f"{name!r} is no column of the option builders: one of {', '.join(known)}")
    return replace(columns, **names)
