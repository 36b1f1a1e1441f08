"""Subset accuracy of label sets: the predicted set is exactly the true one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_label_rows, as_words, count_rows

Rows = Sequence[Any] | NDArray[Any]


def subset_accuracy(
    predictions: Rows,
    references: Rows,
    labels: Sequence[str] | None = None,
    na: str | None = "NA",
) -> dict[str, Any]:
    """Share of rows whose predicted labels are exactly the true ones.

    Args:
        predictions: a row a sequence of labels (an empty one says that none applies), or None for an
            unparsed answer, which is wrong.
        references: a row the sequence of true labels.
        labels: the labels there are; any other is an error. None takes any text.
        na: the label for "none of these", which the second result leaves out on both sides; None gives no
            second result.

    Returns:
        `subset_accuracy` and, unless `na` is None, `subset_accuracy_without_na`, both over all rows; both
        with `_answered` over the rows with a readable answer (None if there is none). `n`, `n_unparsed`.

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no sequence of labels, or an
            unknown label.
    """
    known = None if labels is None else as_words("labels", labels)
    chosen = as_label_rows("predictions", predictions, known)
    correct = as_label_rows("references", references, known, required=True)
    n = count_rows(predictions=chosen, references=correct)
    answered = np.fromiter((row is not None for row in chosen), dtype=np.bool_, count=n)
    result: dict[str, Any] = {}
    for suffix, left_out in (("", frozenset[str]()), ("_without_na", frozenset({na}))):
        if suffix and na is None:
            continue
        right = np.fromiter(
            (
                row is not None and gold is not None and row - left_out == gold - left_out
                for row, gold in zip(chosen, correct, strict=True)
            ),
            dtype=np.bool_,
            count=n,
        )
        result[f"subset_accuracy{suffix}"] = float(right.mean())
        result[f"subset_accuracy{suffix}_answered"] = float(right[answered].mean()) if answered.any() else None
    return {**result, "n": n, "n_unparsed": n - int(answered.sum())}
