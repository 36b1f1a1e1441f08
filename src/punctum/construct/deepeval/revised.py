"""Description distractors: three revised paragraphs read out of a model's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from punctum.construct.wants import Kept, Unusable
from punctum.construct.words import plain, said, unquoted
from punctum.records import Response

WANTED = 3
#: A revision takes *some* of the words: this share of the right text's words must stay, in their order.
_LEAST_KEPT, _MOST_KEPT = 0.3, 0.97
_LENGTHS = (0.6, 1.6)
_NEXT = re.compile(r"\n\s*(?:Input|Source Text)\s*:", re.IGNORECASE)
_LABEL = re.compile(r"^\W*(?:output|revised text|paragraph|version|variation|option)\s*\d*\s*[:.)]\W*", re.IGNORECASE)
_NUMBER = re.compile(r"(?:(?<=\s)|^)\(?([1-9])[.):]\s+")
_BULLET = re.compile(r"^\s*[-*•]\s+")


def paragraphs(text: str) -> list[str]:
    """The paragraphs of an answer: numbered ones where there are numbers, else its lines.

    What a base model writes behind a further "Input:" belongs to no answer.
    """
    text = _NEXT.split(text, maxsplit=1)[0].strip()
    marks = _in_order(_NUMBER.finditer(text))
    if len(marks) > 1:
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        parts = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    else:
        parts = text.split("\n")
    found = [" ".join(unquoted(_LABEL.sub("", _BULLET.sub("", part))).split()) for part in parts]
    return [part for part in found if plain(part)]


def _in_order(starts: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    """The marks 1, 2, 3, … in their order; other numbers belong to the text."""
    found: list[re.Match[str]] = []
    for match in starts:
        if int(match.group(1)) == len(found) + 1:
            found.append(match)
    return found


def fault_of(gold: str, text: str, others: Sequence[str]) -> str | None:
    """What is wrong with a revision, if so.

    Args:
        gold: the right text.
        text: the revision.
        others: revisions that are there already.
    """
    if plain(text) == plain(gold):
        return "equal to the right text"
    if plain(text) in {plain(other) for other in others}:
        return "equal to another"
    words, own = plain(gold).split(), plain(text).split()
    if not _LENGTHS[0] <= len(own) / max(len(words), 1) <= _LENGTHS[1]:
        return "much shorter or longer"
    same = sum(block.size for block in SequenceMatcher(None, words, own, autojunk=False).get_matching_blocks())
    share = same / max(len(words), 1)
    if share < _LEAST_KEPT:
        return "another text altogether"
    if share > _MOST_KEPT:
        return "hardly changed"
    return None


def read_three(gold: str, found: list[str], response: Response) -> Kept:
    """Three revisions; what earlier tries gave counts.

    Args:
        gold: the right text.
        found: the revisions so far; grows.
        response: what came back.

    Raises:
        Unusable: while there are fewer than three.
    """
    parts = paragraphs(said(response))
    if response.finish_reason == "length" and parts:
        parts.pop()  # cut off
    faults = []
    for part in parts:
        fault = fault_of(gold, part, found)
        if fault is None and len(found) < WANTED:
            found.append(part)
        elif fault is not None:
            faults.append(fault)
    if len(found) < WANTED:
        raise Unusable("fewer than three revisions", f"{len(found)}: {', '.join(dict.fromkeys(faults)) or 'no more'}")
    return Kept(list(found), ("some revisions left out",) if faults else ())
