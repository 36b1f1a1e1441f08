"""Circular accuracy: a question counts only when it is answered right in every rotation of its options."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_index, as_index_rows, as_list, count_rows

Rows = Sequence[Any] | NDArray[Any]
Ints = NDArray[np.int64]


def circular_accuracy(
    predictions: Rows,
    references: Rows,
    groups: Rows,
    rotations: Rows | None = None,
    n_rotations: int | Rows | None = None,
) -> dict[str, Any]:
    """Share of questions answered right in all rotations of their options.

    Args:
        predictions: a row an option index as shown (from 0), or None for an unparsed answer.
        references: a row the index of the correct option as shown.
        groups: a row which question it belongs to (any hashable value).
        rotations: a row which rotation it is, counted from 0. With it, a rotation given twice is an error.
        n_rotations: how many rotations a question has: a number for all, or a row each. With it, a question
            whose rows are not all there is wrong, and missing rows count as wrong answers.

    Returns:
        `circular_accuracy`: over questions. `mean_rotation_accuracy`: over rows, given and missing.
        `n_groups`, `n` (rows given), `n_missing`, `n_unparsed`. `letter_counts`: how often each letter was
        chosen; `letter_shares`: of the readable answers (None without one); `reference_letter_shares`: the
        same of the correct options, which is what a reader without a bias for letters would show.

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no option index, several
            options in one row, a rotation given twice, or rotations that do not fit `n_rotations`.
    """
    chosen, correct = _single("predictions", predictions), _single("references", references, required=True)
    names, right, expected, missing = _by_group(chosen, correct, groups, rotations, n_rotations)
    counts = np.bincount(chosen[chosen >= 0], minlength=int(max(chosen.max(), correct.max())) + 1)
    letters = [option_letter(index) for index in range(len(counts))]
    n_read = int(counts.sum())
    reference_counts = np.bincount(correct, minlength=len(letters))
    return {
        "circular_accuracy": float((right == expected).mean()),
        "mean_rotation_accuracy": float(right.sum() / expected.sum()),
        "n_groups": len(names),
        "n": len(chosen),
        "n_missing": missing,
        "n_unparsed": len(chosen) - n_read,
        "letter_counts": dict(zip(letters, counts.tolist(), strict=True)),
        "letter_shares": {
            letter: count / n_read if n_read else None for letter, count in zip(letters, counts.tolist(), strict=True)
        },
        "reference_letter_shares": dict(zip(letters, (reference_counts / len(correct)).tolist(), strict=True)),
    }


def circular_units(
    predictions: Rows,
    references: Rows,
    groups: Rows,
    rotations: Rows | None = None,
    n_rotations: int | Rows | None = None,
) -> tuple[list[Hashable], NDArray[np.bool_], Ints, Ints]:
    """The outcome of each question, for resampling. Arguments and errors as in `circular_accuracy`.

    Returns:
        The groups in order of first appearance; whether all rotations are right, shape (groups,); how many
        rotations are right, shape (groups,); how many there should be, shape (groups,).
    """
    chosen, correct = _single("predictions", predictions), _single("references", references, required=True)
    names, right, expected, _ = _by_group(chosen, correct, groups, rotations, n_rotations)
    return names, right == expected, right, expected


def option_letter(index: int) -> str:
    """The letter of an option: A to Z, then AA, AB, … as spreadsheets name columns."""
    letters = ""
    index += 1
    while index:
        index, place = divmod(index - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


def _single(name: str, values: Rows, required: bool = False) -> Ints:
    """One index a row, -1 for None."""
    rows = as_index_rows(name, values, required=required)
    for row, value in enumerate(rows):
        if value is not None and len(value) > 1:
            raise ValueError(f"{name}, row {row}: {value} has several options; rotations need exactly one")
    return np.fromiter((-1 if row is None else row[0] for row in rows), dtype=np.int64, count=len(rows))


def _by_group(
    chosen: Ints, correct: Ints, groups: Rows, rotations: Rows | None, n_rotations: int | Rows | None
) -> tuple[list[Hashable], Ints, Ints, int]:
    """Per group its name, right rows and expected rows; and how many rows are missing in all."""
    group_rows = as_list("groups", groups)
    n = count_rows(predictions=chosen, references=correct, groups=group_rows)
    numbers: dict[Hashable, int] = {}
    codes = np.fromiter((numbers.setdefault(g, len(numbers)) for g in group_rows), dtype=np.int64, count=n)
    names = list(numbers)
    given = np.bincount(codes)
    right = np.bincount(codes, weights=chosen == correct).astype(np.int64)
    expected = given if n_rotations is None else _expected(n_rotations, codes, names)
    if rotations is not None:
        _check_rotations(rotations, codes, names, None if n_rotations is None else expected)
    if (given > expected).any():
        group = int(np.argmax(given > expected))
        raise ValueError(f"group {names[group]!r} has {given[group]} rows, more than its {expected[group]} rotations")
    return names, right, expected, int((expected - given).sum())


def _expected(n_rotations: int | Rows, codes: Ints, names: list[Hashable]) -> Ints:
    if np.ndim(n_rotations) == 0:
        return np.full(len(names), as_index("n_rotations", 0, n_rotations), dtype=np.int64)
    values = [as_index("n_rotations", row, v) for row, v in enumerate(as_list("n_rotations", n_rotations))]
    count_rows(groups=codes, n_rotations=values)
    rows = np.asarray(values, dtype=np.int64)
    expected = np.zeros(len(names), dtype=np.int64)
    expected[codes] = rows
    if (different := expected[codes] != rows).any():
        row = int(np.argmax(different))
        group = names[codes[row]]
        raise ValueError(f"n_rotations, row {row}: group {group!r} has {rows[row]} here, another elsewhere")
    return expected


def _check_rotations(rotations: Rows, codes: Ints, names: list[Hashable], expected: Ints | None) -> None:
    values = [as_index("rotations", row, value) for row, value in enumerate(as_list("rotations", rotations))]
    count_rows(groups=codes, rotations=values)
    rows = np.asarray(values, dtype=np.int64)
    if expected is not None and (beyond := rows >= expected[codes]).any():
        row = int(np.argmax(beyond))
        raise ValueError(
            f"rotations, row {row}: rotation {rows[row]} of group {names[codes[row]]!r}, which has "
            f"{expected[codes[row]]} rotations counted from 0"
        )
    _, first, counts = np.unique(codes * (rows.max() + 1) + rows, return_index=True, return_counts=True)
    if (counts > 1).any():
        row = int(first[np.argmax(counts > 1)])
        raise ValueError(f"group {names[codes[row]]!r} has rotation {rows[row]} more than once; drop the repeats")
