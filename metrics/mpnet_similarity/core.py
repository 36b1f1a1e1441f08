"""Similarity of sentences: the cosine of their embeddings by all-mpnet-base-v2, or another model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_answers, as_numbers, as_words, count_rows

Rows = Sequence[Any] | NDArray[Any]
Floats = NDArray[np.float64]
MODEL = "sentence-transformers/all-mpnet-base-v2"


def mpnet_similarity(
    predictions: Rows,
    references: Rows,
    thresholds: Sequence[float] = (0.7, 0.6, 0.5),
    model: str = MODEL,
    device: str | None = None,
    batch_size: int = 32,
) -> dict[str, Any]:
    """Mean cosine of sentence embeddings, and the share of pairs above thresholds.

    Args:
        predictions: a row a text, or None for an unparsed answer. None and blank texts score 0 and are not
            encoded.
        references: a row a text that is not blank.
        thresholds: a share is given for each; a pair counts when its cosine is larger.
        model: name on the Hub or folder of a sentence-transformers model. It is kept loaded for the next call.
        device: "cpu", "cuda", …; None takes what is there.
        batch_size: texts encoded at once. Equal texts are encoded once.

    Returns:
        `mpnet_similarity` and `share_above_{threshold}`, over all rows; both with `_answered`, over the rows
        with a text (None if there is none). `scores`: the cosine of each row. `n`, `n_unparsed` (None or
        blank); `n_truncated`: rows with a text longer than the model reads.

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no text, a blank reference,
            or a threshold that is no number from -1 to 1.
        ImportError: if sentence-transformers is not installed.
        OSError: if the model cannot be loaded.
    """
    limits = as_numbers("thresholds", thresholds, -1, 1)
    texts, golds = as_answers("predictions", predictions), as_words("references", references)
    n = count_rows(predictions=texts, references=golds)
    for row, gold in enumerate(golds):
        if not gold.strip():
            raise ValueError(f"references, row {row}: the text is blank; there is nothing to compare with")
    answered = np.array([bool(text.strip()) for text in texts])
    cosines, cut = np.zeros(n), np.zeros(n, dtype=np.bool_)
    if answered.any():
        pairs = [(text, gold) for text, gold, read in zip(texts, golds, answered, strict=True) if read]
        cosines[answered], cut[answered] = _compare(pairs, model, device, batch_size)
    result: dict[str, Any] = {}
    values = {"mpnet_similarity": cosines, **{f"share_above_{t:g}": (cosines > t) * 1.0 for t in limits}}
    for key, by_row in values.items():
        result[key] = float(by_row.mean())
        result[f"{key}_answered"] = float(by_row[answered].mean()) if answered.any() else None
    counts = {"n": n, "n_unparsed": n - int(answered.sum()), "n_truncated": int(cut.sum())}
    return {**result, "scores": cosines.tolist(), **counts}


def pair_cosines(embeddings: NDArray[Any], left: Sequence[int], right: Sequence[int]) -> Floats:
    """Cosines of pairs of embeddings.

    Args:
        embeddings: shape (texts, width).
        left, right: for each pair the rows of its two texts.

    Returns:
        shape (pairs,), from -1 to 1.
    """
    rows = np.asarray(embeddings, dtype=np.float64)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines: Floats = np.einsum("ij,ij->i", rows[list(left)], rows[list(right)])
    return np.clip(cosines, -1.0, 1.0)


def _compare(
    pairs: list[tuple[str, str]], name: str, device: str | None, batch_size: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """The cosine of each pair, and whether one of its texts is longer than the model reads."""
    model = load_model(name, device)
    numbers = {text: place for place, text in enumerate(dict.fromkeys(text for pair in pairs for text in pair))}
    texts = list(numbers)
    embeddings = model.encode(texts, batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True)
    long = np.array([len(ids) > model.max_seq_length for ids in model.tokenizer(texts)["input_ids"]])
    left, right = ([numbers[pair[side]] for pair in pairs] for side in (0, 1))
    return pair_cosines(embeddings, left, right), long[left] | long[right]


@lru_cache(maxsize=1)
def load_model(name: str, device: str | None) -> Any:
    """The sentence-transformers model of that name or folder, kept until another is asked for.

    Raises:
        ImportError, OSError: as in `mpnet_similarity`.
    """
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ImportError("mpnet_similarity needs: pip install sentence-transformers") from error
    try:
        # weights that are pickles run code when they are read
        return SentenceTransformer(name, device=device, model_kwargs={"use_safetensors": True})
    except (OSError, ValueError) as error:
        raise OSError(
            f"no sentence-transformers model {name!r}: give a folder that holds one, or a name on the Hub "
            f"and a connection to it ({error})"
        ) from error
