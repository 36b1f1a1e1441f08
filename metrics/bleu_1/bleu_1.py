"""BLEU-1: overlap of single words with a brevity penalty, the mean over sentences."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_answers, as_words, count_rows
from .core import bleu_1


class Bleu_1(evaluate.Metric):  # type: ignore[misc]
    """Mean sentence BLEU of order 1.

    Args:
        predictions: a row a text, or None (no answer). None and blank texts score 0.
        references: a row a text.
        lowercase: given to `compute`: compare without case; default False.

    Returns:
        `bleu_1`, `bleu_1_answered` (None without a text), `scores` by row, `n`, `n_unparsed`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("bleu_1")
        >>> result = metric.compute(
        ...     predictions=["open the window", "close it", ""], references=["close the window", "close it", "go"]
        ... )
        >>> [round(score, 4) for score in result["scores"]], round(result["bleu_1"], 4), result["n_unparsed"]
        ([0.6667, 1.0, 0.0], 0.5556, 1)
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
        return bleu_1(predictions, references, **kwargs)
