"""Action-reason statements: the three published forms of `QA_Combined_Action_Reason_{split}.json`.

An image maps to its true statements; or to two lists, the true statements and all options; or, where the
answers were held back, to the options alone. The first and the last look alike. A list longer than any image
has true statements in the published data (five) is only read as one of them when the user says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from punctum.datasets_scripts.documents import json_entries
from punctum.datasets_scripts.pitt_ads.annotations import image_name
from punctum.datasets_scripts.pitt_ads.statements import plain
from punctum.datasets_scripts.reading import Line, Report

SPLITS = ("train", "test")
KINDS = ("action_alter", "reason_alter", "adjective_alter", "object_swap", "statement_alter")
LISTS = ("auto", "statements", "options")
MOST_STATEMENTS = 5

_PUBLISHED = "QA_Combined_Action_Reason_{split}.json"
_HARD = re.compile(r"(?:(?P<word>[a-z_]+?)_)?hard_QA_Combined_Action_Reason_(?:train|test)\.json")
_KIND_WORDS = {word: kind for kind in KINDS for word in (kind, kind.split("_")[0])}


@dataclass(frozen=True, slots=True)
class Entry:
    """What a file says of one image.

    Attributes:
        positives: the true statements; None where the answers were held back.
        options: the published options, true ones among them; None where there are only true statements.
    """

    image: str
    positives: tuple[str, ...] | None
    options: tuple[str, ...] | None
    line: Line


def published_file(folder: Path, split: str) -> Path:
    """The file of a split, beside the annotations or in the folder of the split."""
    name = _PUBLISHED.format(split=split)
    within = folder / split / name
    return within if within.is_file() and not (folder / name).is_file() else folder / name


def hard_files(folder: Path, split: str) -> list[tuple[str | None, Path]]:
    """The files of hard negatives of a split, each with the kind that its name tells (None: several kinds).

    `action_hard_QA_Combined_Action_Reason_train.json` holds those whose action was altered, and so on for
    reason, adjective, object and statement; any other word, or none, before `hard` stands for a mixture.
    """
    found: list[tuple[str | None, Path]] = []
    for path in sorted({*folder.glob("*hard_QA_*.json"), *(folder / split).glob("*hard_QA_*.json")}):
        match = _HARD.fullmatch(path.name)
        if match and path.stem.endswith(f"_{split}"):
            found.append((_KIND_WORDS.get(match["word"] or ""), path))
    order = {kind: i for i, kind in enumerate(KINDS)}
    return sorted(found, key=lambda pair: order.get(pair[0] or "", len(KINDS)))


def read_statements(file: Path, lists: str, report: Report | None = None) -> Iterator[Entry]:
    """Read a file in any of the three forms.

    Args:
        file: one JSON object, image to list or to two lists.
        lists: what plain lists are: `statements` (all true), `options` (answers held back), or `auto`: true
            statements if no image has more than five.
        report: where to count faults.

    Raises:
        DataError: if the file is no such object, if forms are mixed, if two lists do not tell which of them
            is true, or if plain lists can't be told.
    """
    yield from entries_of(json_entries(file), lists, report)


def entries_of(lines: Iterable[Line], lists: str, report: Report | None = None) -> Iterator[Entry]:
    """The same from the entries of such a file; see `read_statements`."""
    first: Line | None = None
    for line in lines:
        if first is None:
            first = line
        value, paired = line.data["value"], _is_pair(line)
        if paired != _is_pair(first):
            forms = ["a list of texts", "two lists"]
            raise line.error(
                f"{line.data['key']} has {forms[paired]}, but {first.data['key']} on line {first.number} has "
                f"{forms[not paired]}: one file holds one form"
            )
        image = image_name(line.data["key"], line)
        if paired:
            yield _pair(image, _texts(value[0], line, report), _texts(value[1], line, report), line, report)
            continue
        texts = _texts(value, line, report)
        if lists == "auto" and len(texts) > MOST_STATEMENTS:
            raise line.error(
                f"{image} has a list of {len(texts)} texts, which may be true statements or options without "
                f'their answers: say which with lists="statements" or lists="options"'
            )
        yield Entry(image, None, texts, line) if lists == "options" else Entry(image, texts, None, line)


def negatives_of(file: Path, report: Report | None = None) -> Iterator[tuple[str, list[str], Entry]]:
    """Read a file of hard negatives: image, its wrong options, and the whole entry.

    Raises:
        DataError: as `read_statements`, and if the file is not of the form of two lists.
    """
    for entry in read_statements(file, "statements", report):
        if entry.options is None or entry.positives is None:
            raise entry.line.error(f"{entry.image}: hard negatives come in two lists, true statements and all options")
        true = {plain(text) for text in entry.positives}
        yield entry.image, [text for text in entry.options if plain(text) not in true], entry


def _is_pair(line: Line) -> bool:
    value = line.data["value"]
    if isinstance(value, list) and value:
        if all(isinstance(text, str) for text in value):
            return False
        if len(value) == 2 and all(isinstance(part, list) for part in value):
            return True
    raise line.error(
        f"{line.data['key']} should have a list of texts, or two lists of texts (true statements, options), "
        f"but has {value!r:.80}"
    )


def _texts(value: list[Any], line: Line, report: Report | None) -> tuple[str, ...]:
    """The texts of a list, without blank ones."""
    image = line.data["key"]
    for text in value:
        if not isinstance(text, str):
            raise line.error(f"{image} has {text!r:.40} where a text is expected")
    texts = tuple(" ".join(text.split()) for text in value if text.strip())
    if not texts:
        raise line.error(f"{image} has no statement")
    if len(texts) < len(value) and report is not None:
        report.add("blank statements, left out", image)
    return texts


def _pair(image: str, positives: tuple[str, ...], options: tuple[str, ...], line: Line, report: Report | None) -> Entry:
    """Two lists, if they tell by themselves that the first is the true one: options contain all true statements."""
    if len(set(options)) > len(set(positives)) and set(positives) <= set(options):
        return Entry(image, positives, options, line)  # nearly all are so; words need not be compared
    true, shown = {plain(text) for text in positives}, {plain(text) for text in options}
    if shown <= true:
        hint = "no option is wrong" if shown == true else "the second list lies within the first, as if swapped"
        raise line.error(f"{image}: {hint}; the true statements come first, then all options, these among them")
    if not shown & true:
        raise line.error(
            f"{image}: none of the statements of the first list is among the options of the second, so neither "
            "is known to be the true one; list the true statements among the options too"
        )
    missing = tuple(text for text in positives if plain(text) not in shown)
    if missing and report is not None:
        report.add("true statements that are not among the options, added", image)
    return Entry(image, positives, (*options, *missing), line)
