"""Fleiss' kappa: the agreement of several raters beyond what chance would give."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import count_rows
from .core import as_ratings, fleiss_kappa


class FleissKappa(evaluate.Metric):  # type: ignore[misc]
    """Fleiss' kappa.

    Args:
        predictions: a row the categories that an item got, one a rater: all texts, or all whole
            numbers.
        labels: given to `compute`: the categories there are; any other is an error.

    Returns:
        `fleiss_kappa` (None where chance agreement is complete), `observed_agreement`, `expected_agreement`, `n`,
        `n_left_out`, `n_ratings`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("fleiss_kappa")
        >>> found = metric.compute(predictions=[["keep", "keep", "drop"], ["drop", "drop", "drop"]])
        >>> found["observed_agreement"], found["n_ratings"]
        (0.6666666666666666, 6)
        >>> round(found["fleiss_kappa"], 4)
        0.25
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            # evaluate takes the first that fits the first row: texts are checked, numbers would be cast.
            features=[
                datasets.Features({"predictions": datasets.Sequence(datasets.Value(kind))})
                for kind in ("string", "int64")
            ],
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        rows = as_ratings("predictions", predictions)
        count_rows(predictions=rows)
        super().add_batch(predictions=rows, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(predictions=[prediction], **kwargs)

    def _compute(self, predictions: Any, **kwargs: Any) -> dict[str, Any]:
        return fleiss_kappa(predictions, **kwargs)
