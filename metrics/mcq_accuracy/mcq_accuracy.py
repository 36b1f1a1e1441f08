"""Accuracy of multiple-choice answers: the chosen options are exactly the correct ones.

Unparsed answers and failed calls are wrong, and both are counted.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_index_rows, count_rows
from .core import mcq_accuracy


class McqAccuracy(evaluate.Metric):  # type: ignore[misc]
    """Accuracy of multiple-choice answers.

    Args:
        predictions: a row an option index (from 0), a list of indices, or None for an unparsed answer.
        references: a row the index of the correct option, or a list of them.
        option_kinds: given to `compute`: a row the kind of each option, a word an option.
        failed: given to `compute`: a row whether no answer came at all.

    Returns:
        `accuracy`, `accuracy_answered` (None without a readable answer), `n`, `n_unparsed`, `n_failed`, and
        with `option_kinds` also `chosen_kinds`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("mcq_accuracy")
        >>> result = metric.compute(predictions=[2, 0, None, 1], references=[2, 1, 3, 1])
        >>> result["accuracy"], result["n_unparsed"]
        (0.5, 1)
        >>> round(result["accuracy_answered"], 4)
        0.6667
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features(
                {
                    "predictions": datasets.Sequence(datasets.Value("int64")),
                    "references": datasets.Sequence(datasets.Value("int64")),
                }
            ),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows. An index and a list with one index are the same here."""
        # Arrow would turn "3" and 3.7 into 3 without a word, so the checks come before it.
        chosen = as_index_rows("predictions", predictions)
        correct = as_index_rows("references", references, required=True)
        count_rows(predictions=chosen, references=correct)
        super().add_batch(predictions=chosen, references=correct, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return mcq_accuracy(predictions, references, **kwargs)
