"""How far one gets without looking: strategies that choose by the options' form alone.

A strategy scores every option; the best is chosen, and among equals any of them with the same chance, so that a
strategy's success on a question is a fraction. Lengths are in characters, without blanks at the ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

Score = Callable[[Sequence[str]], Sequence[float]]


def _shortest(options: Sequence[str]) -> Sequence[float]:
    return [-len(text.strip()) for text in options]


def _longest(options: Sequence[str]) -> Sequence[float]:
    return [len(text.strip()) for text in options]


def _first(options: Sequence[str]) -> Sequence[float]:
    return [-i for i in range(len(options))]


def _last(options: Sequence[str]) -> Sequence[float]:
    return list(range(len(options)))


def _like(options: Sequence[str]) -> Sequence[float]:
    return _in_common(tuple(options))


@lru_cache(maxsize=1)  # the next strategy asks the same
def _in_common(options: tuple[str, ...]) -> Sequence[float]:
    """Mean share of words in common with each other option (Jaccard)."""
    words = [frozenset(text.casefold().split()) for text in options]
    scores = []
    for i, own in enumerate(words):
        shares = [len(own & other) / (len(own | other) or 1) for j, other in enumerate(words) if j != i]
        scores.append(round(sum(shares) / (len(shares) or 1), 9))
    return scores


def _unlike(options: Sequence[str]) -> Sequence[float]:
    return [-score for score in _like(options)]


def _begins_without_blank(options: Sequence[str]) -> Sequence[float]:
    return [float(text[:1] == text[:1].strip()) for text in options]


STRATEGIES: Mapping[str, Score] = {
    "shortest option": _shortest,
    "longest option": _longest,
    "first option": _first,
    "last option": _last,
    "most like the others": _like,
    "least like the others": _unlike,
    "no blank before it": _begins_without_blank,
}


def success(scores: Sequence[float], answers: Sequence[int]) -> float:
    """The chance that the best-scored option is an answer, ties drawn.

    Args:
        scores: one an option, the more the better.
        answers: indices of the right options.
    """
    best = max(scores)
    chosen = [i for i, score in enumerate(scores) if score == best]
    return sum(i in answers for i in chosen) / len(chosen)


def length_rank(options: Sequence[str], answer: int) -> int:
    """How many options are shorter than the right one: 0 means that none is, though one may be as short."""
    lengths = [len(text.strip()) for text in options]
    return sum(length < lengths[answer] for length in lengths)


def leading_blank_tells(options: Sequence[str], answers: Sequence[int]) -> bool:
    """Whether the right options alone begin without a blank, or alone with one."""
    bare = {i for i, text in enumerate(options) if text[:1] == text[:1].strip()}
    return bare == set(answers) or set(range(len(options))) - bare == set(answers)
