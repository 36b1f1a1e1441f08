"""Cohen's kappa: the agreement of two raters beyond what chance would give, plain or weighted."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import count_rows
from .core import as_categories, cohen_kappa


class CohenKappa(evaluate.Metric):  # type: ignore[misc]
    """Cohen's kappa.

    Args:
        predictions: a row the first rater's category: all texts, or all whole numbers.
        references: a row the second rater's.
        labels: given to `compute`: the categories there are, in their order; any other is an error.
        weights: given to `compute`: None, "linear" or "quadratic".

    Returns:
        `cohen_kappa` (None where chance agreement is complete), `observed_agreement`, `expected_agreement`,
        `n`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("cohen_kappa")
        >>> metric.compute(predictions=["keep", "drop", "keep", "drop"], references=["keep", "drop", "drop", "drop"])
        {'cohen_kappa': 0.5, 'observed_agreement': 0.75, 'expected_agreement': 0.5, 'n': 4}
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            # evaluate takes the first that fits the first row: texts are checked, numbers would be cast.
            features=[
                datasets.Features({"predictions": datasets.Value(kind), "references": datasets.Value(kind)})
                for kind in ("string", "int64")
            ],
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        first, second = as_categories("predictions", predictions), as_categories("references", references)
        count_rows(predictions=first, references=second)
        if isinstance(first[0], str) != isinstance(second[0], str):
            raise ValueError(f"references, row 0: {second[0]!r} is of another kind than {first[0]!r} in predictions")
        super().add_batch(predictions=first, references=second, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return cohen_kappa(predictions, references, **kwargs)
