"""What rows of tokens have in common: shared starts, and their distinct continuations as a tree.

Nothing here knows of models or tensors. A `Tree` puts the distinct tokens of several rows one behind the
other in a single sequence; with a mask in which each token sees its own ancestors alone, one forward pass over
that sequence computes what separate passes over the rows would, and every distinct token once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Ids = tuple[int, ...]


def common(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two rows share from their start."""
    end = min(len(first), len(second))
    if first[:end] == second[:end]:
        return end
    low, high = 0, end  # the first `low` are equal, the first `high` are not
    while high - low > 1:
        middle = (low + high) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle
    return low


def common_of(rows: Sequence[Ids]) -> int:
    """How many tokens all rows share from their start."""
    return common(min(rows), max(rows))


@dataclass(frozen=True, slots=True)
class Branch:
    """A run of new tokens in a tree: places `first` to `end`, below the tokens at `above`."""

    first: int
    end: int
    above: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """The distinct tokens of rows behind their first `start` tokens.

    Attributes:
        start: how many tokens stand before the tree; all rows share them.
        tokens: the sequence; a token stands behind all its ancestors.
        depths: the position of each token in its row, counted from the row's start.
        branches: which tokens see which.
        paths: for each row, in the order given, the places of its tokens behind `start`.
    """

    start: int
    tokens: Ids
    depths: tuple[int, ...]
    branches: tuple[Branch, ...]
    paths: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.tokens)


def grow(rows: Sequence[Ids], start: int) -> Tree:
    """The tree of rows that share their first `start` tokens.

    Rows are laid in sorted order: a row's longest common start with any row before it is then the one with the
    row just before it.
    """
    tokens: list[int] = []
    depths: list[int] = []
    branches: list[Branch] = []
    paths: dict[int, tuple[int, ...]] = {}
    last: Ids = ()
    path: tuple[int, ...] = ()
    for number in sorted(range(len(rows)), key=rows.__getitem__):
        row = rows[number][start:]
        shared = common(row, last)
        first = len(tokens)
        tokens += row[shared:]
        depths += range(start + shared, start + len(row))
        if len(tokens) > first:
            branches.append(Branch(first, len(tokens), path[:shared]))
        path = (*path[:shared], *range(first, len(tokens)))
        paths[number], last = path, row
    return Tree(start, tuple(tokens), tuple(depths), tuple(branches), tuple(paths[n] for n in range(len(rows))))


def count_distinct(rows: Sequence[Ids]) -> int:
    """How many distinct tokens rows have: each shared start counted once."""
    ordered = sorted(rows)
    shared = sum(common(row, last) for last, row in itertools.pairwise(ordered))
    return sum(map(len, rows)) - shared


def clusters(rows: Sequence[Ids], least: int, share: float) -> Iterator[list[int]]:
    """Rows whose starts agree, for rows that have nothing but text.

    Args:
        rows: any rows.
        least: tokens; neighbours that share fewer are not worth a cluster.
        share: part of the shorter row; the same.

    Yields:
        indices into `rows`, sorted by their tokens; a row alone is a cluster of its own.
    """
    order = sorted(range(len(rows)), key=rows.__getitem__)
    cluster: list[int] = []
    for number in order:
        if cluster:
            last, row = rows[cluster[-1]], rows[number]
            if common(last, row) < max(least, share * min(len(last), len(row))):
                yield cluster
                cluster = []
        cluster.append(number)
    if cluster:
        yield cluster
