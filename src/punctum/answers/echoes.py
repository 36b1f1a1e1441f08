"""What an output says that is no answer to its question: a prompt repeated, a next question made up."""

from __future__ import annotations

import re
from itertools import pairwise

from .kinds import LABELLED, MENTION, marked

_NEXT = re.compile(
    r"\n\s*(?:[#*>]+\s*)?(?:question|q|user|human|prompt|instructions?|exercise|problem)\s*\d*\s*[:.]\*{0,2}\s",
    re.IGNORECASE,
)
_ASKED = re.compile(r"(?:^|\n)[\s*#]*q(?:uestion)?\s*\d*\s*[:.]", re.IGNORECASE)
_ANSWERED = re.compile(r"(?<=\n)([ \t*]*)A(?=\s*\d*\s*:)")
_LISTED = re.compile(r"\n[\s*(]*B\s*[.):]")


def before_next_question(text: str) -> str | None:
    """What stands before a question that the model put to itself after its answer, as base models do."""
    match = _NEXT.search(text) if "\n" in text else None
    return text[: match.start()].strip() or None if match else None


def name_answer(text: str) -> str:
    """The "A:" that answers a "Q:" written as "Answer:", unless options are listed."""
    if "\n" not in text or not _ASKED.search(text) or _LISTED.search(text):
        return text
    return _ANSWERED.sub(r"\1Answer", text)


_LABELS = re.compile(f"({LABELLED}.)", re.DOTALL)
_BETWEEN = re.compile(r"[\s.,;:()*-]*(?:(?:and|or)\s+)?\(?")


def after_options(marks: str, n_options: int) -> str:
    """The text after a list of all options in their order, where only that says something of an option.

    Args:
        marks: an output with its mentions marked.
        n_options: how many options there are.
    """
    if n_options < 2 or marks.count(LABELLED) < n_options:
        return marks
    labels = list(_LABELS.finditer(marks))
    if re.search(MENTION, marks[: labels[0].start()]):
        return marks
    listed = labels[:n_options]
    if [marked(m[1]) for m in listed] != list(range(n_options)):
        return marks
    if not all(_BETWEEN.fullmatch(marks, left.end(), right.start()) for left, right in pairwise(listed)):
        return marks
    rest = marks[listed[-1].end() :]
    return rest if re.match(r"\s*[.,;:?)*\n]|\s*$|\s+" + MENTION, rest) and re.search(MENTION, rest) else marks
