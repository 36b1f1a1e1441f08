"""How two lists of model scores go together: Pearson's r and Spearman's rho."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_numbers, count_rows
from .core import rank_correlation


class RankCorrelation(evaluate.Metric):  # type: ignore[misc]
    """Correlation of two scores of the same models.

    Args:
        predictions: a row (a model) the first score.
        references: a row the second score.

    Returns:
        `pearson`, `spearman` (None where a score is the same for all rows), `n`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("rank_correlation")
        >>> result = metric.compute(predictions=[0.2, 0.4, 0.9], references=[0.1, 0.5, 0.6])
        >>> round(result["pearson"], 4), round(result["spearman"], 4)
        (0.8386, 1.0)
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features(
                {"predictions": datasets.Value("float64"), "references": datasets.Value("float64")}
            ),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        # Arrow would turn "3" into 3 without a word, so the checks come before it.
        first, second = as_numbers("predictions", predictions), as_numbers("references", references)
        count_rows(predictions=first, references=second)
        super().add_batch(predictions=first, references=second, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def _compute(self, predictions: Any, references: Any) -> dict[str, Any]:
        return rank_correlation(predictions, references)
