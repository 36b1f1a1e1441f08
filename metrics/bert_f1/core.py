"""BERTScore F1: similarity of sentences by their tokens in context, each matched with its nearest.

On transformers directly. torchmetrics 1.9 pairs predictions with the references of other rows once lengths
differ (its issue 2728), and the authors' own package bert-score has had no release since 2023 and needs
matplotlib; the numbers here equal the latter's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_answers, as_words, count_rows

Rows = Sequence[Any] | NDArray[Any]
Floats = NDArray[np.float64]
MODEL = "roberta-large"
# The layer that Zhang et al. found best for it. Other models: the last layer.
LAYERS = {"roberta-large": 17}
KEYS = ("bert_f1", "bert_precision", "bert_recall")


def bert_f1(
    predictions: Rows,
    references: Rows,
    model: str = MODEL,
    num_layers: int | None = None,
    device: str | None = None,
    batch_size: int = 32,
) -> dict[str, Any]:
    """Mean BERTScore, without weights by rarity and without rescaling.

    Args:
        predictions: a row a text, or None for no answer. None and blank texts score 0 and are not encoded.
        references: a row a text that is not blank.
        model: name on the Hub or folder of an encoder for transformers. It is kept loaded for the next call.
        num_layers: whose hidden states are compared, counted from 1. None: the last, for roberta-large the
            17th.
        device: "cpu", "cuda", …; None takes what is there.
        batch_size: texts encoded at once.

    Returns:
        `bert_f1`, `bert_precision`, `bert_recall`, over all rows; each with `_answered`, over the rows with
        a text (None if there is none). `scores`: F1 of each row. `n`, `n_unparsed` (None or blank);
        `n_truncated`: rows with a text longer than the model reads.

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no text, a blank reference,
            or a layer that the model lacks.
        ImportError: if torch or transformers is not installed.
        OSError: if the model cannot be loaded.
    """
    texts, golds = as_answers("predictions", predictions), as_words("references", references)
    n = count_rows(predictions=texts, references=golds)
    for row, gold in enumerate(golds):
        if not gold.strip():
            raise ValueError(f"references, row {row}: the text is blank; there is nothing to compare with")
    answered = np.array([bool(text.strip()) for text in texts])
    scores, cut = np.zeros((n, 3)), np.zeros(n, dtype=np.bool_)
    if answered.any():
        encoder = load_encoder(model, device)
        layer = _layer(num_layers, model, encoder[1])
        rows = np.flatnonzero(answered)
        # Token vectors are large, so they are made and used a few rows at a time.
        for start in range(0, len(rows), 8 * batch_size):
            part = rows[start : start + 8 * batch_size]
            pairs = [(texts[row], golds[row]) for row in part]
            scores[part], cut[part] = _compare(pairs, encoder, layer, batch_size)
    result: dict[str, Any] = {}
    for place, key in enumerate(KEYS):
        result[key] = float(scores[:, place].mean())
        result[f"{key}_answered"] = float(scores[answered, place].mean()) if answered.any() else None
    counts = {"n": n, "n_unparsed": n - int(answered.sum()), "n_truncated": int(cut.sum())}
    return {**result, "scores": scores[:, 0].tolist(), **counts}


def greedy_match(
    candidate: NDArray[Any], reference: NDArray[Any], own: NDArray[np.bool_], gold: NDArray[np.bool_]
) -> tuple[float, float, float]:
    """F1, precision and recall of two texts from their token vectors of length 1.

    Args:
        candidate, reference: shape (tokens, width). Marks for beginning and end are among the tokens: a token
            may be nearest to one.
        own, gold: shape (tokens,); False for those marks, which do not count themselves.
    """
    if not own.any() or not gold.any():
        return 0.0, 0.0, 0.0
    cosines = np.asarray(candidate, dtype=np.float64) @ np.asarray(reference, dtype=np.float64).T
    precision, recall = float(cosines.max(axis=1)[own].mean()), float(cosines.max(axis=0)[gold].mean())
    total = precision + recall
    return (2 * precision * recall / total if total > 0 else 0.0), precision, recall


def _layer(num_layers: int | None, name: str, model: Any) -> int:
    known = int(model.config.num_hidden_layers)
    layer = LAYERS.get(name.rsplit("/", 1)[-1], known) if num_layers is None else num_layers
    if not 1 <= layer <= known:
        raise ValueError(f"num_layers is {layer}; {name!r} has layers 1 to {known}")
    return layer


def _compare(
    pairs: list[tuple[str, str]], encoder: tuple[Any, Any], layer: int, batch_size: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """F1, precision, recall of each pair, shape (pairs, 3), and whether one of its texts was cut."""
    # Texts of like length together, equal ones once.
    texts = sorted({text for pair in pairs for text in pair}, key=len)
    vectors: dict[str, tuple[NDArray[Any], NDArray[np.bool_], bool]] = {}
    for start in range(0, len(texts), batch_size):
        vectors |= _encode(texts[start : start + batch_size], *encoder, layer)
    scores = np.zeros((len(pairs), 3))
    cut = np.zeros(len(pairs), dtype=np.bool_)
    for row, (text, gold) in enumerate(pairs):
        (a, own, long), (b, gold_own, gold_long) = vectors[text], vectors[gold]
        scores[row], cut[row] = greedy_match(a, b, own, gold_own), long or gold_long
    return scores, cut


def _encode(
    texts: list[str], tokenizer: Any, model: Any, layer: int
) -> dict[str, tuple[NDArray[Any], NDArray[np.bool_], bool]]:
    """For each text its token vectors, which tokens are its own, and whether it was cut."""
    import torch

    limit = min(tokenizer.model_max_length, 512)
    batch = tokenizer(
        texts, padding=True, truncation=True, max_length=limit, return_special_tokens_mask=True, return_tensors="pt"
    )
    marks = batch.pop("special_tokens_mask").bool()
    with torch.inference_mode():
        states = model(**batch.to(model.device), output_hidden_states=True).hidden_states[layer].float()
    states = (states / states.norm(dim=-1, keepdim=True)).cpu().numpy()
    kept = batch["attention_mask"].bool().cpu().numpy()
    own = ~marks.numpy()
    lengths = [len(ids) for ids in tokenizer(texts)["input_ids"]]
    return {text: (states[i][kept[i]], own[i][kept[i]], lengths[i] > limit) for i, text in enumerate(texts)}


@lru_cache(maxsize=1)
def load_encoder(name: str, device: str | None) -> tuple[Any, Any]:
    """Tokenizer and model of that name or folder, kept until another is asked for.

    Raises:
        ImportError, OSError: as in `bert_f1`.
    """
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer
    except ImportError as error:
        raise ImportError("bert_f1 needs: pip install torch transformers") from error
    try:
        tokenizer, model = (
            AutoTokenizer.from_pretrained(name),
            AutoModel.from_pretrained(
                name,
                use_safetensors=True,  # weights that are pickles run code when they are read
            ),
        )
    except (OSError, ValueError) as error:
        raise OSError(
            f"no encoder {name!r}: give a folder that holds one, or a name on the Hub and a connection to it ({error})"
        ) from error
    return tokenizer, model.eval().to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
