"""The official PittAds annotations: topics, sentiments, strategies, symbols, slogans, actions and reasons."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from punctum.datasets_scripts.documents import json_entries, read_text
from punctum.datasets_scripts.reading import DataError, Line, Report

FILES = {
    "topics": ("Topics.json", "Topics_List.txt"),
    "sentiments": ("Sentiments.json", "Sentiments_List.txt"),
    "strategies": ("Strategies.json", "Strategies_List.txt"),
    "symbols": ("Symbols.json", None),
    "slogans": ("Slogans.json", None),
    "actions": ("QA_Action.json", None),
    "reasons": ("QA_Reason.json", None),
}
# Where the archive's files may lie: beside the rest, or as unpacked.
_FOLDERS = ("", "annotations", "image", "annotations_images/image")
_NAMED = re.compile(r'^\W*(\d+)\W.*\(ABBREVIATION:\s*"([^"]+)"\)')
_NUMBERED = re.compile(r'^\W*(\d+)[\s.:"“]+([^"”]+?)["”\s]*$')


def official_files(folder: Path) -> list[Path]:
    """The files that are there, and those that would be read beside the rest."""
    names = [name for pair in FILES.values() for name in pair if name]
    return [_find(folder, name) for name in names]


def read_official(folder: Path, images: Collection[str], report: Report) -> dict[str, dict[str, list[str]]]:
    """Read what there is of the official annotations.

    Args:
        folder: the data folder.
        images: those of interest.
        report: where class numbers without a name are counted.

    Returns:
        Column to image to what its annotators said, one after the other. Classes come by their abbreviation
        where the list of classes is there, and by their number where it is not. Columns without a file are
        missing.

    Raises:
        DataError: if a file is not in the published form.
    """
    columns: dict[str, dict[str, list[str]]] = {}
    for column, (name, classes) in FILES.items():
        file = _find(folder, name)
        if not file.is_file():
            continue
        names = read_classes(_find(folder, classes)) if classes else {}
        columns[column] = {}
        for line in json_entries(file):
            if line.data["key"] not in images:
                continue
            said = _symbols(line) if column == "symbols" else _flat(line.data["value"], line)
            for value in said:
                if names and value.isdigit() and value not in names:
                    report.add(f"{column} without a name in {classes}", f"{line.data['key']} {value}")
            columns[column][line.data["key"]] = [names.get(value, value) for value in said if value]
    return columns


def read_classes(file: Path) -> dict[str, str]:
    """Read a list of classes (latin-1 or UTF-16), number to abbreviation, or to name where there is none.

    Returns:
        Nothing where there is no such file.

    Raises:
        DataError: if no line of it reads like `1. "Restaurants, cafe" (ABBREVIATION: "restaurant")`.
    """
    if not file.is_file():
        return {}
    names = {}
    for text in read_text(file).splitlines():
        match = _NAMED.match(text) or _NUMBERED.match(text)
        if match:
            names[match[1]] = match[2].strip()
    if not names:
        raise DataError(f'{file}:1: no line reads like 1. "Restaurants, cafe" (ABBREVIATION: "restaurant")')
    return names


def _find(folder: Path, name: str) -> Path:
    places = [folder / within / name for within in _FOLDERS]
    return next((place for place in places if place.is_file()), places[0])


def _flat(value: Any, line: Line) -> list[str]:
    """A list of texts, or of lists of texts (an annotator could choose several sentiments)."""
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return [" ".join(str(value).split())]
    if not isinstance(value, list):
        raise line.error(f"{line.data['key']} should have a list of texts, but has {value!r:.80}")
    return [text for part in value for text in _flat(part, line)]


def _symbols(line: Line) -> list[str]:
    """What boxes stand for: the last entry of each, after four coordinates."""
    value = line.data["value"]
    boxes = value if isinstance(value, list) else [value]
    if any(not isinstance(box, list) or not box or not isinstance(box[-1], str) for box in boxes):
        raise line.error(f"{line.data['key']} should have a list of boxes with a symbol each, but has {value!r:.80}")
    return [" ".join(box[-1].split()) for box in boxes]
