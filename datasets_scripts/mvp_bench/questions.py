"""MVP-Bench's published questions: one JSON line to one row, and back to the published prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from punctum.datasets_scripts.mcq import letter
from punctum.datasets_scripts.reading import Line

_OPTION = re.compile(r"([A-Z])\. (.*)", re.DOTALL)
_ROTATED_ID = re.compile(r"(\d+)__(\d+)__(\d+)")
_SIDES = {"y/n-s": "source", "y/n-e": "edited"}
_TYPES = ("y/n-s", "y/n-e", "mcq-cross", "mcq-e")
_CROSS_FOLDER = "Cross_Images"

CATEGORIES = (
    ("B1", 1, 50),
    ("B2", 51, 100),
    ("B3", 101, 150),
    ("B4", 151, 198),
    ("R1", 199, 247),
    ("R2", 248, 296),
    ("I1", 297, 346),
    ("I2", 347, 397),
    ("I3", 398, 446),
    ("E1", 447, 500),
    ("E2", 501, 546),
    ("S1", 547, 596),
    ("S2", 597, 646),
)


@dataclass(frozen=True, slots=True)
class Parts:
    """A published question, taken apart.

    Attributes:
        stem: the question, without options and closing instruction. Nothing is stripped, so that stem, lettered
            options and instruction, joined by line breaks, are the published prompt.
        options: without their letters; empty for yes/no questions.
        instruction: the closing line.
    """

    stem: str
    options: tuple[str, ...]
    instruction: str


def category(pair: int) -> str | None:
    """The category's code (`B1` … `S2`), which follows from the pair's number; None outside 1–646."""
    return next((code for code, first, last in CATEGORIES if first <= pair <= last), None)


def split_choice(text: str) -> Parts:
    """Take a multiple-choice question apart.

    The options are the last run of lines that begin `A. `, `B. `, …; a list of another form before it
    (question 320 has one) belongs to the stem.

    Raises:
        ValueError: if there is no stem or fewer than two options, or if these are not lettered A, B, C, …
    """
    lines = text.split("\n")
    marks = [_OPTION.fullmatch(line) for line in lines]
    end = max((i + 1 for i, mark in enumerate(marks) if mark), default=0)
    start = end
    while start > 0 and marks[start - 1]:
        start -= 1
    found = [mark.groups() for mark in marks[start:end] if mark]
    letters = [name for name, _ in found]
    if len(found) < 2:
        raise ValueError("no options: two or more lines that begin 'A. ', 'B. ', … are expected")
    if letters != [letter(i) for i in range(len(found))]:
        raise ValueError(f"the options are lettered {', '.join(letters)}, not A, B, C, … in order")
    stem, instruction = "\n".join(lines[:start]), "\n".join(lines[end:])
    if not stem.strip():
        raise ValueError("no question before the options")
    return Parts(stem, tuple(option for _, option in found), instruction)


def split_yes_no(text: str) -> Parts:
    """Take a yes/no question apart: the last line is the instruction, where there are two lines or more."""
    stem, _, instruction = text.rpartition("\n")
    return Parts(stem, (), instruction) if stem.strip() else Parts(text, (), "")


def config_of(line: Line) -> str:
    """The config that a published line belongs to: `yes_no`, `mcq_single` or `mcq_cross`.

    The circular file calls every row `mcq-e`, so the picture's folder decides there.
    """
    kind = line.text("type")
    if kind not in _TYPES:
        raise line.error(f"the type {kind!r} is not known: one of {', '.join(_TYPES)}")
    if kind in _SIDES:
        return "yes_no"
    cross = kind == "mcq-cross" or line.text("image").split("/")[0] == _CROSS_FOLDER
    return "mcq_cross" if cross else "mcq_single"


def _common(line: Line, row_id: str, parts: Parts) -> dict[str, Any]:
    pair, level = line.get("id", int), line.text("level")
    if level not in ("low", "high"):
        raise line.error(f"the level {level!r} is not known: low or high")
    return {
        "id": row_id,
        "category": category(pair),
        "source": line.file.name,
        "question": parts.stem,
        "pair": str(pair),
        "level": level,
        "instruction": parts.instruction,
        "published_prompt": line.text("question"),
        "question_id": str(line.get("question_id", (int, str))),
    }


def _direct_id(line: Line) -> str:
    number = line.get("question_id", int)
    if number < 0:
        raise line.error(f"the question_id {number} is negative")
    return f"mvp-{number:04d}"


def yes_no_row(line: Line) -> dict[str, Any]:
    """The row of a yes/no question, without its picture."""
    answer = line.text("answer").strip().lower()
    if answer not in ("yes", "no"):
        raise line.error(f"the answer {answer!r} is neither yes nor no")
    row = _common(line, _direct_id(line), split_yes_no(line.text("question")))
    return {**row, "answer": answer, "side": _SIDES[line.text("type")]}


def choice_row(line: Line, rotated: bool) -> dict[str, Any]:
    """The row of a multiple-choice question, without its picture.

    Args:
        line: of `all_questions.json`, or of `mcq_questions.json` if `rotated`.
        rotated: rotation r shows the published options rotated left by r.
    """
    try:
        parts = split_choice(line.text("question"))
    except ValueError as error:
        raise line.error(str(error)) from None
    n = len(parts.options)
    letters = [letter(i) for i in range(n)]
    answer = line.text("answer").strip()
    if answer not in letters:
        raise line.error(f"the answer {answer!r} is outside the options {', '.join(letters)}")
    gold = letters.index(answer)
    group, rotation = (_rotation(line, n)) if rotated else (_direct_id(line), None)
    row = _common(line, group if rotation is None else f"{group}@{rotation}", parts)
    kinds = ["distractor"] * n
    kinds[gold] = "correct"
    return {
        **row,
        "options": list(parts.options),
        "option_kinds": kinds,
        "answers": [gold],
        "permutation": [(j + (rotation or 0)) % n for j in range(n)],
        "group": group,
        "rotation": rotation,
    }


def _rotation(line: Line, n: int) -> tuple[str, int]:
    published = line.text("question_id")
    match = _ROTATED_ID.fullmatch(published)
    if match is None:
        raise line.error(f"the question_id {published!r} is not of the form 320__320__0")
    rotation = int(match[3])
    if rotation >= n:
        raise line.error(f"the question_id {published!r} names rotation {rotation} of {n} options")
    index = line.get("index", str)
    if index != f"{rotation + 1}/{n}":
        raise line.error(f"the index {index!r} should be '{rotation + 1}/{n}' by question_id and options")
    return f"mvp-{int(match[1]):04d}", rotation


def published_order(row: dict[str, Any]) -> tuple[list[str], int]:
    """A choice row's options in their published order, and the gold option's index there."""
    order = row["permutation"]
    options = [""] * len(order)
    for shown, published in enumerate(order):
        options[published] = row["options"][shown]
    return options, order[row["answers"][0]]
