"""Published extractions, repeated exactly, faults included, so that published outputs give published numbers.

MVP-Bench's rules and DeepEval's rule, each as their authors' evaluation code runs it. They see the raw
output: no normalisation, no reasoning cut off.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .parsed import Parsed, index_of, letter

_CAPITAL = re.compile(r"(?<![A-Za-z])[A-D](?![A-Za-z])")


def _before(output: str, marks: str) -> str:
    """What stands before the first of each mark, one mark after the other."""
    for mark in marks:
        output = output.split(mark, 1)[0]
    return output


def mvp_direct(output: str, options: Sequence[str]) -> Parsed[tuple[int, ...]]:
    """MVP-Bench, questions asked directly: letters in either case."""
    found = _before(output, ".,)").strip(" \t\n\r()")
    index = index_of(found, len(options)) if found else None
    return Parsed(None if index is None else (index,), "mvp_direct")


def mvp_circular(output: str, options: Sequence[str]) -> Parsed[tuple[int, ...]]:
    """MVP-Bench, rotated questions: only a bare capital counts; `b` and `(B)` do not."""
    found = _before(output, ".,").strip()
    index = index_of(found, len(options)) if found else None
    right = index is not None and found == letter(index)
    return Parsed((index,) if right and index is not None else None, "mvp_circular")


def mvp_yes_no(output: str, verdict: str | None = None) -> Parsed[str]:
    """MVP-Bench, yes/no: the rule, and where it reads neither word, the judge's stored verdict."""
    found = _before(output, ".,").strip().lower()
    if found in ("yes", "no"):
        return Parsed(found, "mvp_yes_no")
    judged = (verdict or "").strip().lower()
    return Parsed(judged if judged in ("yes", "no") else None, "mvp_yes_no verdict" if judged else "mvp_yes_no")


@lru_cache(maxsize=256)
def _needles(options: tuple[str, ...]) -> tuple[str, ...]:
    """What `deepeval` looks for, once a question: its prompts follow each other."""
    return tuple(option.strip()[:-1].lower() for option in options)


def deepeval(output: str, options: Sequence[str]) -> Parsed[tuple[int, ...]]:
    """DeepEval: the first option whose text (without its last character) the output contains, else a capital.

    The rule knows four options, A to D; further ones are never found by letter.
    """
    text = output.replace("\x04", "").strip()
    lowered = text.lower()
    for index, needle in enumerate(_needles(tuple(options))):
        if needle in lowered:
            return Parsed((index,), "deepeval option text")
    capital = _CAPITAL.search(text)
    index_found = index_of(capital[0], len(options)) if capital else None
    return Parsed(None if index_found is None else (index_found,), "deepeval letter")
