"""The most similar texts: embeddings computed once and kept on disk, exact search in bounded memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
_ROWS = 256  # texts or pictures encoded before they are written to disk
_QUERIES = 256  # rows of a block of similarities
_POOL = 8192  # columns of a block of similarities


def kept_vectors(folder: Path, key: str, names: Sequence[str], encode: Callable[[Sequence[int]], Vectors]) -> Vectors:
    """One unit vector a name, from disk where they are, else encoded and appended block by block.

    A run that was killed goes on at the last whole block. The result is mapped, not read: memory stays small.

    Args:
        folder: of the cache.
        key: everything that the vectors depend on beside the names (model, settings).
        names: the texts, or the pictures' hashes.
        encode: indices into `names` to their unit vectors, shape (indices, dimensions).

    Returns:
        shape (names, dimensions), float32; of no names, (0, 0).
    """
    if not names:
        return np.empty((0, 0), dtype=np.float32)
    digest = hashlib.sha256("\0".join([key, *names]).encode("utf-8", "replace")).hexdigest()
    path = folder / f"{digest[:32]}.f32"
    width_path = path.with_suffix(".width")
    folder.mkdir(parents=True, exist_ok=True)
    width = int(width_path.read_text()) if width_path.is_file() else 0
    done = path.stat().st_size // (4 * width) if width and path.is_file() else 0
    if done < len(names):
        with path.open("r+b" if done else "wb") as file:
            file.truncate(done * 4 * width)
            file.seek(0, os.SEEK_END)
            for start in range(done, len(names), _ROWS):
                rows = np.ascontiguousarray(encode(range(start, min(start + _ROWS, len(names)))), dtype=np.float32)
                if not width:
                    width = rows.shape[1]
                    width_path.write_text(str(width))
                file.write(rows.tobytes())
                file.flush()
    return np.memmap(path, dtype=np.float32, mode="r", shape=(len(names), width))


def most_similar(
    queries: Vectors, pool: Vectors, k: int, allowed: Callable[[int, int], bool]
) -> Iterator[list[tuple[int, float]]]:
    """For each query the k pool rows with the largest cosine among those allowed; exact.

    Equal cosines are ordered by place in the pool. Memory holds one block of 256 × 8,192 similarities and the best
    rows so far, whatever the size of the pool.

    Args:
        queries: unit vectors, shape (queries, dimensions).
        pool: unit vectors, shape (pool, dimensions).
        k: how many.
        allowed: (query, pool row) to whether the row may be taken; asked of the best rows only.

    Yields:
        (pool row, cosine), the most similar first; fewer than k where fewer are allowed.
    """
    for start in range(0, len(queries), _QUERIES):
        block = np.asarray(queries[start : start + _QUERIES])
        best: list[list[tuple[float, int]]] = [[] for _ in block]
        for first in range(0, len(pool), _POOL):
            cosines = block @ np.asarray(pool[first : first + _POOL]).T
            for row, values in enumerate(cosines):
                best[row] = _merged(best[row], values, first, k, partial(allowed, start + row))
        for found in best:
            yield [(place, -negative) for negative, place in found]


def _merged(
    best: list[tuple[float, int]], values: Vectors, first: int, k: int, allowed: Callable[[int], bool]
) -> list[tuple[float, int]]:
    """The best k of those so far and one block's, as (minus cosine, place), smallest first."""
    least = -best[-1][0] if len(best) == k else -np.inf
    fitting = np.flatnonzero(values > least) if len(best) == k else np.arange(len(values))
    order = fitting[np.argsort(-values[fitting], kind="stable")]
    taken: list[tuple[float, int]] = []
    for place in order:
        if len(taken) == k:
            break
        if allowed(first + int(place)):
            taken.append((-float(values[place]), first + int(place)))
    return sorted([*best, *taken])[:k]


def unit(rows: NDArray[Any]) -> Vectors:
    """Rows scaled to length 1, float32; a row of zeros stays."""
    values = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    return np.asarray(values / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
