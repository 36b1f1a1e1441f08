"""Negatives that say nearly the same as another option, by sentence embeddings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from punctum.metrics.mpnet_similarity.core import MODEL, load_model

_BATCH = 32


def near_pairs(
    groups: Sequence[tuple[Sequence[str], Sequence[str]]], least: float, model: str | None = None
) -> Iterator[tuple[int, int, str, float]]:
    """Find near duplicates within groups of options.

    Args:
        groups: the true statements and the negatives of each item.
        least: the cosine from which on two texts are near duplicates.
        model: name or folder of a sentence-transformers model; None is all-mpnet-base-v2.

    Yields:
        (group, index of the negative, the text it is near to, cosine): of each negative the nearest true statement
        or earlier negative, where it is near.

    Raises:
        ImportError: if sentence-transformers is not installed.
        OSError: if the model cannot be loaded.
    """
    import numpy as np

    texts = list(dict.fromkeys(text for true, wrong in groups for text in (*true, *wrong)))
    if not texts:
        return
    encoder = load_model(model or MODEL, None)
    rows = encoder.encode(texts, batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True)
    rows = np.asarray(rows, dtype=np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    places = {text: place for place, text in enumerate(texts)}
    for group, (true, wrong) in enumerate(groups):
        for index, text in enumerate(wrong):
            others = [*true, *wrong[:index]]
            cosines = rows[[places[other] for other in others]] @ rows[places[text]]
            nearest = int(cosines.argmax())
            if cosines[nearest] >= least:
                yield group, index, others[nearest], float(cosines[nearest])
