"""Accuracy of free answers by a judge's verdicts: consistent with the reference, or not."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from numpy.typing import NDArray

from .checks import as_flags, as_list, count_rows

Rows = Sequence[Any] | NDArray[Any]
WORDS = {"consistent": True, "inconsistent": False}


def judge_consistency(verdicts: Rows, failed: Rows | None = None) -> dict[str, Any]:
    """Share of answers that a judge finds consistent with the reference.

    Args:
        verdicts: a row True or "consistent", False or "inconsistent", or None for a verdict that could not be
            read.
        failed: a row whether there is no verdict at all, since the judge's call or the answer itself failed;
            such rows have None as verdict.

    Returns:
        `judged_accuracy`: over all rows; unreadable and failed ones are wrong. `judged_accuracy_answered`:
        over the rows with a readable verdict; None if there is none. `n`; `n_unparsed`: unreadable verdicts
        without failures; `n_failed`.

    Raises:
        ValueError: for empty input, inputs of different length, any other verdict, or a failed row that has a
            verdict.
    """
    rows = read_verdicts(verdicts)
    n = count_rows(verdicts=rows)
    flags = [False] * n if failed is None else as_flags("failed", failed)
    count_rows(verdicts=rows, failed=flags)
    for row, (verdict, flag) in enumerate(zip(rows, flags, strict=True)):
        if flag and verdict is not None:
            raise ValueError(f"row {row} failed and has the verdict {verdict}; give None where no verdict came")
    right, read = rows.count(True), n - rows.count(None)
    return {
        "judged_accuracy": right / n,
        "judged_accuracy_answered": right / read if read else None,
        "n": n,
        "n_unparsed": n - read - sum(flags),
        "n_failed": sum(flags),
    }


def read_verdicts(verdicts: Rows) -> list[bool | None]:
    """Verdicts as true, false or None.

    Raises:
        ValueError: at the first row that is none of the known forms.
    """
    rows: list[bool | None] = []
    for row, value in enumerate(as_list("verdicts", verdicts)):
        if value is None:
            rows.append(None)
        elif isinstance(value, str) and value in WORDS:
            rows.append(WORDS[value])
        elif isinstance(value, Integral) and int(value) in (0, 1):
            rows.append(bool(value))
        else:
            raise ValueError(
                f"verdicts, row {row}: {value!r:.80} is none of True, False, 'consistent', 'inconsistent' and "
                "None (unreadable)"
            )
    return rows
