"""BLEU-1: overlap of single words with a brevity penalty, by sentence, with sacrebleu underneath."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_answers, as_words, count_rows

Rows = Sequence[Any] | NDArray[Any]


def bleu_1(predictions: Rows, references: Rows, lowercase: bool = False) -> dict[str, Any]:
    """Mean sentence BLEU of order 1, as a fraction.

    Args:
        predictions: a row a text, or None for no answer. None and blank texts score 0.
        references: a row a text that is not blank.
        lowercase: compare without case.

    Returns:
        `bleu_1`, over all rows; `bleu_1_answered`, over the rows with a text (None if there is none).
        `scores`: of each row. `n`, `n_unparsed` (None or blank).

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no text, or a blank
            reference.
        ImportError: if sacrebleu is not installed.
    """
    texts, golds = as_answers("predictions", predictions), as_words("references", references)
    n = count_rows(predictions=texts, references=golds)
    for row, gold in enumerate(golds):
        if not gold.strip():
            raise ValueError(f"references, row {row}: the text is blank; there is nothing to compare with")
    answered = np.array([bool(text.strip()) for text in texts])
    bleu = scorer(lowercase)
    scores = np.array(
        [
            bleu.sentence_score(text, [gold]).score / 100 if read else 0.0
            for text, gold, read in zip(texts, golds, answered, strict=True)
        ]
    )
    # sacrebleu's exponentials put a perfect match a rounding error above 1.
    scores = np.clip(scores, 0.0, 1.0)
    return {
        "bleu_1": float(scores.mean()),
        "bleu_1_answered": float(scores[answered].mean()) if answered.any() else None,
        "scores": scores.tolist(),
        "n": n,
        "n_unparsed": n - int(answered.sum()),
    }


def scorer(lowercase: bool = False) -> Any:
    """sacrebleu's BLEU of order 1: its tokenizer 13a, no smoothing, so that no shared word means 0.

    Its `get_signature()` names everything that changes a score.

    Raises:
        ImportError: if sacrebleu is not installed.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise ImportError("bleu_1 needs: pip install sacrebleu") from error
    return BLEU(max_ngram_order=1, tokenize="13a", smooth_method="none", effective_order=True, lowercase=lowercase)
