"""Yes/no questions on pairs of pictures, one of them edited: accuracies by question, picture and pair."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import as_list, as_words, count_rows

Rows = Sequence[Any] | NDArray[Any]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

SIDES = ("source", "edited")
LEVELS = ("low", "high")
METRICS = (
    *(f"acc_{side}_{level}" for level in LEVELS for side in SIDES),
    *(f"q_acc_{level}" for level in LEVELS),
    *(f"i_acc_{side}" for side in SIDES),
    "a_acc",
    "m_acc",
)


def paired_yes_no(
    predictions: Rows, references: Rows, pairs: Rows, sides: Rows, levels: Rows, questions: Rows
) -> dict[str, Any]:
    """Accuracies of yes/no answers on pairs of pictures.

    Args:
        predictions: a row "yes", "no", or None for an unparsed answer.
        references: a row "yes" or "no".
        pairs: a row which pair of pictures it is about (any hashable value).
        sides: a row "source" or "edited".
        levels: a row "low" or "high".
        questions: a row the question's exact text: the same text on both pictures of a pair is one question.

    Returns:
        `acc_source_low`, `acc_edited_low`, `acc_source_high`, `acc_edited_high`: of rows. `q_acc_low`,
        `q_acc_high`: questions right on both pictures; a question asked about one picture only is left out
        and counted in `n_unpaired`. `i_acc_source`, `i_acc_edited`: pictures with all questions right, of
        those with more than one question. `a_acc`: of all rows. `m_acc`: pairs with all answers right, of
        those with more than three. `n_…`: the denominator of each; where it is 0 the metric is None. `n`,
        `n_unparsed`, `n_unpaired`: counts.

    Raises:
        ValueError: for empty input, inputs of different length, any other word, or a question that is asked
            twice about the same picture at the same level.
    """
    units, unpaired = _units(predictions, references, pairs, sides, levels, questions)
    result: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for metric, (_, numerator, denominator) in units.items():
        n = counts[f"n_{metric}"] = int(denominator.sum())
        result[metric] = float(numerator.sum() / n) if n else None
    rows = as_list("predictions", predictions)
    return {**result, **counts, "n": len(rows), "n_unparsed": rows.count(None), "n_unpaired": unpaired}


def paired_units(
    predictions: Rows, references: Rows, pairs: Rows, sides: Rows, levels: Rows, questions: Rows
) -> dict[str, tuple[list[Hashable], Ints, Ints]]:
    """What each pair of pictures adds to each metric, so that whole pairs can be resampled.

    Arguments and errors as in `paired_yes_no`.

    Returns:
        For each metric the pairs in order of first appearance (the same for all), the numerators, shape
        (pairs,), and the denominators, shape (pairs,). The metric is the sum of the first over the sum of the
        second, over any sample of pairs.
    """
    return _units(predictions, references, pairs, sides, levels, questions)[0]


def relative_gap(a: float | None, b: float | None) -> float | None:
    """By how much `b` is below `a`, as a share of `a`: (a - b) / a. Negative where `b` is larger.

    The MVP-Bench paper prints it from low to high level (74.01 to 34.80 is "reduced by 52.98%"). None where
    either is None or `a` is 0.
    """
    if a is None or b is None or a == 0:
        return None
    return (a - b) / a


def _units(
    predictions: Rows, references: Rows, pairs: Rows, sides: Rows, levels: Rows, questions: Rows
) -> tuple[dict[str, tuple[list[Hashable], Ints, Ints]], int]:
    answers = as_list("predictions", predictions)
    gold = as_words("references", references, ("yes", "no"))
    side_words, level_words = as_words("sides", sides, SIDES), as_words("levels", levels, LEVELS)
    texts, pair_rows = as_words("questions", questions), as_list("pairs", pairs)
    n = count_rows(
        predictions=answers,
        references=gold,
        pairs=pair_rows,
        sides=side_words,
        levels=level_words,
        questions=texts,
    )
    _check_answers(answers)
    right = np.fromiter((a == g for a, g in zip(answers, gold, strict=True)), dtype=np.bool_, count=n)
    edited = np.fromiter((word == "edited" for word in side_words), dtype=np.bool_, count=n)
    high = np.fromiter((word == "high" for word in level_words), dtype=np.bool_, count=n)
    pair, names = _codes(pair_rows)
    text, texts_known = _codes(texts)
    question = (pair * len(texts_known) + text) * 2 + high
    _check_repeats(question * 2 + edited, names, pair, side_words, texts)

    table = {}
    for level, is_level in (("low", ~high), ("high", high)):
        for side, is_side in (("source", ~edited), ("edited", edited)):
            rows = is_level & is_side
            table[f"acc_{side}_{level}"] = (pair[rows], right[rows])
    owner, good, size, level_of = _merge(question, right, pair, high)
    both = size == 2
    table["q_acc_low"] = (owner[both & ~level_of], good[both & ~level_of])
    table["q_acc_high"] = (owner[both & level_of], good[both & level_of])
    image_owner, image_good, image_size, image_edited = _merge(pair * 2 + edited, right, pair, edited)
    for side, is_side in (("source", ~image_edited), ("edited", image_edited)):
        counted = is_side & (image_size > 1)
        table[f"i_acc_{side}"] = (image_owner[counted], image_good[counted])
    table["a_acc"] = (pair, right)
    pair_owner, pair_good, pair_size, _ = _merge(pair, right, pair, edited)
    table["m_acc"] = (pair_owner[pair_size > 3], pair_good[pair_size > 3])
    units = {metric: (names, *_per_pair(*table[metric], len(names))) for metric in METRICS}
    return units, int((~both).sum())


def _codes(values: Iterable[Hashable]) -> tuple[Ints, list[Hashable]]:
    """A number for each distinct value, in order of first appearance."""
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values]
    return np.asarray(codes, dtype=np.int64), list(numbers)


def _merge(unit: Ints, right: Bools, pair: Ints, flag: Bools) -> tuple[Ints, Bools, Ints, Bools]:
    """Rows of one unit together: its pair, whether all rows are right, how many there are, its flag."""
    _, first, codes, size = np.unique(unit, return_index=True, return_inverse=True, return_counts=True)
    return pair[first], np.bincount(codes, weights=right) == size, size, flag[first]


def _per_pair(owner: Ints, good: Bools, n_pairs: int) -> tuple[Ints, Ints]:
    numerator = np.bincount(owner, weights=good, minlength=n_pairs).astype(np.int64)
    return numerator, np.bincount(owner, minlength=n_pairs).astype(np.int64)


def _check_answers(answers: list[Any]) -> None:
    for row, word in enumerate(answers):
        if word is not None and not (isinstance(word, str) and word in ("yes", "no")):
            raise ValueError(
                f"predictions, row {row}: {word!r:.80} is none of 'yes', 'no' and None (unparsed); "
                "read the answers first"
            )


def _check_repeats(unit: Ints, names: list[Hashable], pair: Ints, sides: list[str], texts: list[str]) -> None:
    _, first, counts = np.unique(unit, return_index=True, return_counts=True)
    if (counts > 1).any():
        row = int(first[np.argmax(counts > 1)])
        raise ValueError(
            f"the question {texts[row]!r:.120} is asked more than once about the {sides[row]} picture "
            f"of pair {names[pair[row]]!r}; drop the repeats"
        )
