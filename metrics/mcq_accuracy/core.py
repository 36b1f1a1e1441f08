"""Accuracy of multiple-choice answers, and which kinds of option were chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_flags, as_index_rows, as_list, count_rows

Rows = Sequence[Any] | NDArray[Any]
Row = tuple[int, ...] | None


def mcq_correct(predictions: Rows, references: Rows) -> NDArray[np.bool_]:
    """Which rows are right: the chosen options are exactly the correct ones, in any order.

    Args:
        predictions: a row an option index, several indices, or None for an unparsed answer.
        references: a row the index of the correct option, or several.

    Returns:
        shape (rows,). Unparsed rows are False.

    Raises:
        ValueError: for empty input, inputs of different length, or an entry that is no option index.
    """
    chosen = as_index_rows("predictions", predictions)
    correct = as_index_rows("references", references, required=True)
    count_rows(predictions=chosen, references=correct)
    return _correct(chosen, correct)


def mcq_accuracy(
    predictions: Rows,
    references: Rows,
    option_kinds: Sequence[Sequence[str]] | None = None,
    failed: Rows | None = None,
) -> dict[str, Any]:
    """Share of questions answered with exactly the correct option or options.

    Args:
        predictions: a row an option index (from 0), several indices, or None for an unparsed answer.
        references: a row the index of the correct option, or several.
        option_kinds: a row the kind of each option, a word an option (`correct`, `distractor`, …).
        failed: a row whether no answer came at all (the call failed); such rows have None as prediction.

    Returns:
        `accuracy`: over all rows; unparsed and failed rows are wrong. `accuracy_answered`: over the rows
        with a readable answer; None if there is none. `n`, `n_unparsed`, `n_failed`: counts, unparsed
        without failed. With `option_kinds` also `chosen_kinds`: how often an option of each kind that
        occurs was chosen.

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no option index, an index
            beyond the kinds of its row, or a failed row that has a prediction.
    """
    chosen = as_index_rows("predictions", predictions)
    references = as_index_rows("references", references, required=True)
    n = count_rows(predictions=chosen, references=references)
    correct = _correct(chosen, references)
    failures = _failures(failed, chosen)
    n_empty = chosen.count(None)
    result: dict[str, Any] = {
        "accuracy": float(correct.mean()),
        "accuracy_answered": float(correct.sum() / (n - n_empty)) if n_empty < n else None,
        "n": n,
        "n_unparsed": n_empty - failures,
        "n_failed": failures,
    }
    if option_kinds is not None:
        result["chosen_kinds"] = _chosen_kinds(chosen, as_list("option_kinds", option_kinds))
    return result


def _correct(chosen: list[Row], references: list[Row]) -> NDArray[np.bool_]:
    return np.fromiter(map(_same_options, chosen, references), dtype=np.bool_, count=len(chosen))


def _same_options(chosen: Row, correct: Row) -> bool:
    if chosen is None or correct is None:
        return False
    return chosen == correct or (len(chosen) == len(correct) > 1 and set(chosen) == set(correct))


def _failures(failed: Rows | None, chosen: list[Row]) -> int:
    if failed is None:
        return 0
    flags = as_flags("failed", failed)
    count_rows(predictions=chosen, failed=flags)
    for row, (flag, prediction) in enumerate(zip(flags, chosen, strict=True)):
        if flag and prediction is not None:
            raise ValueError(
                f"row {row} failed and has the prediction {prediction}; a failed call is no answer, so give None there"
            )
    return sum(flags)


def _chosen_kinds(chosen: list[Row], kinds: list[Any]) -> dict[str, int]:
    count_rows(predictions=chosen, option_kinds=kinds)
    counts: Counter[str] = Counter()
    for row, (indices, words) in enumerate(zip(chosen, kinds, strict=True)):
        if isinstance(words, str) or words is None:
            raise ValueError(f"option_kinds, row {row}: {words!r} is not a list with one word an option")
        for index in indices or ():
            if index >= len(words):
                raise ValueError(
                    f"predictions, row {row}: option {index} is not among the {len(words)} options "
                    f"of option_kinds (indices count from 0)"
                )
            counts[words[index]] += 1
    return {kind: counts[kind] for kind in sorted(set().union(*kinds))}
