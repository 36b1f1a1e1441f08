"""Top-k accuracy: whether any of the first k predictions is correct, where several options may be."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_index_rows, count_rows
from .core import top_k_accuracy


class TopKAccuracy(evaluate.Metric):  # type: ignore[misc]
    """Top-k accuracy.

    Args:
        predictions: a row option indices (from 0) in the model's order, or None for an unparsed answer.
        references: a row the indices of the correct options, of which one is enough.
        k: given to `compute`: one or several cut-offs; default 1, 2, 3.

    Returns:
        `top_1_accuracy`, … and `top_1_accuracy_answered`, … for each k; `n`, `n_unparsed`, `n_short`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("top_k_accuracy")
        >>> result = metric.compute(predictions=[[3, 7, 12], [1, 2, 0]], references=[[7, 9], [0, 1]])
        >>> result["top_1_accuracy"], result["top_2_accuracy"], result["top_3_accuracy"]
        (0.5, 1.0, 1.0)
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
        rows = as_index_rows("predictions", predictions)
        correct = as_index_rows("references", references, required=True)
        count_rows(predictions=rows, references=correct)
        super().add_batch(predictions=rows, references=correct, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return top_k_accuracy(predictions, references, **kwargs)
