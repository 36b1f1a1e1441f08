"""Subset accuracy of label sets: the predicted set is exactly the true one, with and without a label NA."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_label_rows, count_rows
from .core import subset_accuracy


class SubsetAccuracy(evaluate.Metric):  # type: ignore[misc]
    """Subset accuracy.

    Args:
        predictions: a row a list of labels (an empty one says that none applies), or None (unparsed).
        references: a row the list of true labels.
        labels: given to `compute`: the labels there are; any other is an error.
        na: given to `compute`: the label for "none of these"; default "NA", None for no such label.

    Returns:
        `subset_accuracy`, `subset_accuracy_without_na`, both also `…_answered`; `n`, `n_unparsed`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("subset_accuracy")
        >>> result = metric.compute(
        ...     predictions=[["TR1"], ["OR", "NA"], ["OIO"], None], references=[["TR1"], ["OR"], ["TR2"], ["OR"]]
        ... )
        >>> result["subset_accuracy"], result["subset_accuracy_without_na"]
        (0.25, 0.5)
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features(
                {
                    "predictions": datasets.Sequence(datasets.Value("string")),
                    "references": datasets.Sequence(datasets.Value("string")),
                }
            ),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        # Arrow would turn any value into text without a word, so the checks come before it.
        chosen = as_label_rows("predictions", predictions)
        correct = as_label_rows("references", references, required=True)
        count_rows(predictions=chosen, references=correct)
        super().add_batch(
            predictions=[None if row is None else sorted(row) for row in chosen],
            references=[sorted(row or ()) for row in correct],
            **kwargs,
        )

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return subset_accuracy(predictions, references, **kwargs)
