"""Precision at k of ordered predictions, unranked as in the persuasive-ads paper, or ranked as in retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_index, as_index_rows, as_list, count_rows

Rows = Sequence[Any] | NDArray[Any]


def prec_at_k(
    predictions: Rows,
    references: Rows,
    k: int | Sequence[int] = (1, 2, 3),
    ranked: bool = False,
    depth: int = 3,
) -> dict[str, Any]:
    """Mean precision at k.

    Args:
        predictions: a row option indices (from 0) in the model's order, the best first; one index; or None
            (or an empty sequence) for an unparsed answer. Fewer than asked for: the missing ones are wrong.
        references: a row the indices of the correct options.
        k: one or several cut-offs.
        ranked: False: min(k, correct among the first `depth`) / k. True: correct among the first k, over k.
        depth: how many predictions the model was asked for. Unranked only; no cut-off may exceed it.

    Returns:
        For each k `prec_at_{k}`, over all rows, and `prec_at_{k}_answered`, over the rows with a readable
        answer (None if there is none). `n`, `n_unparsed`; `n_short`: rows with some predictions, but fewer
        than `depth` (ranked: than the largest k).

    Raises:
        ValueError: for empty input, inputs of different length, an entry that is no option index, an index
            twice in a row, or a cut-off below 1 or above `depth`.
    """
    cuts = _cuts(k)
    wanted = cuts[-1] if ranked else as_index("depth", 0, depth)
    if cuts[-1] > wanted:
        raise ValueError(f"k = {cuts[-1]} is more than depth = {wanted}: unranked, k of depth predictions count")
    rows = as_index_rows("predictions", predictions)
    correct = as_index_rows("references", references, required=True)
    n = count_rows(predictions=rows, references=correct)
    sizes = np.fromiter((0 if row is None else len(row) for row in rows), dtype=np.int64, count=n)
    answered = sizes > 0
    result: dict[str, Any] = {}
    for cut in cuts:
        hits = np.minimum(_hits(rows, correct, cut if ranked else wanted), cut)
        result[f"prec_at_{cut}"] = float(hits.sum() / (n * cut))
        result[f"prec_at_{cut}_answered"] = float(hits[answered].mean() / cut) if answered.any() else None
    short = answered & (sizes < wanted)
    return {**result, "n": n, "n_unparsed": n - int(answered.sum()), "n_short": int(short.sum())}


def _cuts(k: int | Sequence[int]) -> list[int]:
    values = [k] if np.ndim(k) == 0 else as_list("k", k)
    cuts = sorted({as_index("k", place, value) for place, value in enumerate(values)})
    if not cuts or cuts[0] == 0:
        raise ValueError(f"k is {k!r}; cut-offs are whole numbers from 1 on")
    return cuts


def _hits(rows: list[tuple[int, ...] | None], correct: list[Any], among: int) -> NDArray[np.int64]:
    """How many of the first `among` predictions of each row are correct."""
    counts = (
        0 if row is None else len(set(row[:among]).intersection(gold)) for row, gold in zip(rows, correct, strict=True)
    )
    return np.fromiter(counts, dtype=np.int64, count=len(rows))
