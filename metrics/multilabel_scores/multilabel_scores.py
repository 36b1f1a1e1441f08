"""Precision, recall, F1 and areas under curves of label sets: macro, micro, weighted and by label.

With and without a label NA ("none of these"). The areas are computed from 0/1 predictions.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_label_rows, count_rows
from .core import multilabel_scores


class MultilabelScores(evaluate.Metric):  # type: ignore[misc]
    """Scores of multi-label classification.

    Args:
        predictions: a row a list of labels (an empty one says that none applies), or None (unparsed).
        references: a row the list of true labels.
        labels: given to `compute`: the labels there are; any other is an error. By default those that occur.
        na: given to `compute`: the label for "none of these"; default "NA", None for no such label.

    Returns:
        `precision`, `recall`, `f1`, each `_macro`, `_micro`, `_weighted`; `roc_auc_macro`, `pr_auc_macro`;
        each also `_without_na`, the macro ones also `_answered`; `per_label`, `labels_absent`, `n`,
        `n_unparsed`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("multilabel_scores")
        >>> result = metric.compute(
        ...     predictions=[["TR1"], ["OR", "TR1"], ["NA"]], references=[["TR1"], ["OR"], ["NA"]]
        ... )
        >>> round(result["precision_macro"], 4), result["recall_macro"], result["precision_macro_without_na"]
        (0.8333, 1.0, 0.75)
        >>> result["per_label"]["TR1"]["precision"], result["per_label"]["TR1"]["support"]
        (0.5, 1)
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

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Score these rows, or those added before."""
        # Rows that come all at once need not go through Arrow, which takes several times as long as scoring.
        if predictions is not None and references is not None and self.writer is None and self.num_process == 1:
            return self._compute(predictions, references, **kwargs)
        found: dict[str, Any] = super().compute(predictions=predictions, references=references, **kwargs)
        return found

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return multilabel_scores(predictions, references, **kwargs)
