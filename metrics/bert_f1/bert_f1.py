"""BERTScore F1: similarity of sentences by their tokens in context, each matched with its nearest."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_answers, as_words, count_rows
from .core import bert_f1


class BertF1(evaluate.Metric):  # type: ignore[misc]
    """Mean BERTScore F1.

    Args:
        predictions: a row a text, or None (no answer). None and blank texts score 0.
        references: a row a text.
        model: given to `compute`: name on the Hub or folder of an encoder; default roberta-large.
        num_layers: given to `compute`: whose hidden states; default the last, for roberta-large the 17th.
        device, batch_size: given to `compute`.

    Returns:
        `bert_f1`, `bert_precision`, `bert_recall`, each also `…_answered`; `scores` (F1 by row), `n`,
        `n_unparsed`, `n_truncated`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("bert_f1")
        >>> result = metric.compute(
        ...     predictions=["Close the window.", None],
        ...     references=["The speaker would like person2 to open the window now.", "Go."],
        ...     model="sentence-transformers/all-mpnet-base-v2",
        ... )
        >>> [round(score, 4) for score in result["scores"]], round(result["bert_f1"], 4)
        ([0.446, 0.0], 0.223)
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        # Arrow would turn any value into text without a word, so the checks come before it.
        texts, golds = as_answers("predictions", predictions), as_words("references", references)
        count_rows(predictions=texts, references=golds)
        super().add_batch(predictions=texts, references=golds, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return bert_f1(predictions, references, **kwargs)
