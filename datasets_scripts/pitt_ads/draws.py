"""Drawing from a pool so that what a row gets depends on seed and id alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

_AT_FIRST = 64
_STEP, _MIX = np.uint64(0x9E3779B97F4A7C15), (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


class Pool:
    """Names to draw from, each row in an order of its own.

    The order is that of a hash of (seed, row, name): the order in which the names came, other rows and other
    processes change nothing, and a name more or less in the pool moves none of the others.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = sorted(set(names))
        self._keys = np.array([_key(name) for name in self.names], dtype=np.uint64)

    def draw(self, seed: int, row_id: str) -> Iterator[str]:
        """All names, in the row's order; take as many as are needed."""
        if not self.names:
            return
        scores = _scatter(self._keys ^ np.uint64(_key(f"{seed}:{row_id}")))
        if len(scores) > 2 * _AT_FIRST:  # sorting everything for a few names would cost the most
            few = np.argpartition(scores, _AT_FIRST)[:_AT_FIRST]
            for i in few[np.argsort(scores[few], kind="stable")]:
                yield self.names[i]
            for i in np.argsort(scores, kind="stable")[_AT_FIRST:]:
                yield self.names[i]
            return
        for i in np.argsort(scores, kind="stable"):
            yield self.names[i]


def pick(n: int, seed: int, *parts: str) -> int:
    """One of n things, drawn by the seed and whatever else names the draw."""
    return _key(":".join((str(seed), *parts))) % n


def _key(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode(errors="surrogateescape")).digest()[:8], "big")


def _scatter(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finaliser of splitmix64 (Steele, Lea and Flood, 2014): close keys become distant ones."""
    keys = keys + _STEP
    keys = (keys ^ (keys >> np.uint64(30))) * _MIX[0]
    keys = (keys ^ (keys >> np.uint64(27))) * _MIX[1]
    scattered: npt.NDArray[np.uint64] = keys ^ (keys >> np.uint64(31))
    return scattered
