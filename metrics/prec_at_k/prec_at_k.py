"""Precision at k of several ordered predictions a row.

Unranked by default, as in the persuasive-ads paper: min(k, correct among all predictions) / k.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_index_rows, count_rows
from .core import prec_at_k


class PrecAtK(evaluate.Metric):  # type: ignore[misc]
    """Precision at k.

    Args:
        predictions: a row option indices (from 0) in the model's order, or None for an unparsed answer.
        references: a row the indices of the correct options.
        k: given to `compute`: one or several cut-offs; default 1, 2, 3.
        ranked: given to `compute`: True for the form of retrieval, correct among the first k, over k.
        depth: given to `compute`: how many predictions the model was asked for; default 3, unranked only.

    Returns:
        `prec_at_1`, … and `prec_at_1_answered`, … for each k; `n`, `n_unparsed`, `n_short`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("prec_at_k")
        >>> result = metric.compute(predictions=[[3, 7, 12]], references=[[7, 12, 9]], k=[1, 2, 3])
        >>> result["prec_at_1"], result["prec_at_2"], round(result["prec_at_3"], 4)
        (1.0, 1.0, 0.6667)
        >>> metric.compute(predictions=[[3, 7, 12]], references=[[7, 12, 9]], k=1, ranked=True)["prec_at_1"]
        0.0
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

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Score these rows, or those added before."""
        # Rows that come all at once need not go through Arrow, which takes several times as long as scoring.
        if predictions is not None and references is not None and self.writer is None and self.num_process == 1:
            return self._compute(predictions, references, **kwargs)
        found: dict[str, Any] = super().compute(predictions=predictions, references=references, **kwargs)
        return found

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return prec_at_k(predictions, references, **kwargs)
