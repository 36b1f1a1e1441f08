"""Similarity of sentences: the mean cosine of their embeddings by all-mpnet-base-v2, or another model."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_answers, as_words, count_rows
from .core import mpnet_similarity


class MpnetSimilarity(evaluate.Metric):  # type: ignore[misc]
    """Mean cosine of sentence embeddings.

    Args:
        predictions: a row a text, or None (unparsed). None and blank texts score 0.
        references: a row a text.
        thresholds: given to `compute`; default 0.7, 0.6, 0.5.
        model: given to `compute`: name on the Hub or folder of a sentence-transformers model.
        device, batch_size: given to `compute`.

    Returns:
        `mpnet_similarity`, `share_above_0.7`, `share_above_0.6`, `share_above_0.5`, each also `…_answered`;
        `scores` by row, `n`, `n_unparsed`, `n_truncated`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("mpnet_similarity")
        >>> result = metric.compute(
        ...     predictions=["The bottle is made of ice.", None],
        ...     references=["The bottle consists of ice.", "The shoe is a car."],
        ...     model="sentence-transformers/all-mpnet-base-v2",
        ... )
        >>> [round(score, 3) for score in result["scores"]], result["share_above_0.7"], result["n_unparsed"]
        ([0.985, 0.0], 0.5, 1)
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
        return mpnet_similarity(predictions, references, **kwargs)
