"""The items that people rate: from a file, or from the questions of a task."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from punctum.construct.ratings.questions import Question
from punctum.datasets_scripts.option_rows import draw
from punctum.predictions import BadPredictions, read_json_lines
from punctum.records import Picture, Sample

#: Longest side of a picture that is shown to raters, in pixels.
LONGEST_SIDE = 1024
QUALITY = 85


@dataclass(frozen=True)
class Item:
    """What is rated.

    Attributes:
        id: of the item.
        texts: what raters see, by field.
        group: items of one picture belong together.
        kind: what it is (`correct`, `action_alter`, …); raters do not see it.
        picture: None where there is none.
    """

    id: str
    texts: Mapping[str, str]
    group: str = ""
    kind: str | None = None
    picture: Picture | None = field(default=None, compare=False)


def from_file(path: Path, question: Question) -> list[Item]:
    """Read items: JSON Lines with `id`, the fields that the question shows, and perhaps `image` and `kind`.

    Raises:
        BadPredictions: for a file that is no JSON Lines, a missing id, a missing or empty field, an id that comes
            twice, or a picture that is not there.
    """
    items = []
    for identity, (number, line) in lines_by_id(path).items():
        where = f"{path}:{number}"
        texts = {name: _text(line, name, question, where) for name in question.shows}
        image = line.get("image")
        picture = None if image is None else Picture(path=str(_beside(path, str(image), where)))
        kind = line.get("kind")
        items.append(
            Item(
                identity,
                {name: text for name, text in texts.items() if text},
                str(line.get("group", image or identity)),
                None if kind is None else str(kind),
                picture,
            )
        )
    return items


def lines_by_id(path: str | Path) -> dict[str, tuple[int, dict[str, Any]]]:
    """The lines of a file of items by their ids, each with its number.

    Raises:
        BadPredictions: for a file that is no JSON Lines, a missing id, or an id that comes twice.
    """
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for number, line in read_json_lines(path):
        where = f"{path}:{number}"
        if "id" not in line:
            raise BadPredictions(f"{where}: no field id; there are {', '.join(line) or 'none'}")
        identity = str(line["id"])
        if identity in found:
            raise BadPredictions(f"{where}: the id {identity} comes twice")
        found[identity] = number, line
    return found


def _text(line: Mapping[str, object], name: str, question: Question, where: str) -> str:
    value = line.get(name)
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)
    if not text.strip() and name not in question.optional:
        raise BadPredictions(f"{where}: no {name}; {question.name} shows {', '.join(question.shows)}")
    return text.strip()


def _beside(path: Path, image: str, where: str) -> Path:
    found = path.parent / image
    if not found.is_file():
        raise BadPredictions(f"{where}: no picture {found}")
    return found


def from_samples(samples: Sequence[Sample], question: Question) -> Iterator[Item]:
    """Items of a task's questions: each option by itself (`negatives`), or each question with its answer (`accept`).

    Raises:
        ValueError: if the question is of another kind, or the task has no right answer to show.
    """
    for sample in samples:
        picture = sample.pictures[0] if sample.pictures else None
        if question.name == "negatives" and sample.form == "choice":
            for place, (text, kind) in enumerate(zip(sample.options, sample.option_kinds, strict=True)):
                published = sample.permutation[place] if sample.permutation else place
                identity = f"{sample.unit.id}#{published}"
                yield Item(identity, {"text": text}, sample.cluster, kind, picture)
        elif question.name == "accept" and sample.form in ("choice", "yes_no"):
            texts = {"text": str(sample.fields.get("question", sample.fields.get("utterance", ""))), **_answers(sample)}
            yield Item(sample.unit.id, {k: v for k, v in texts.items() if v}, sample.cluster, None, picture)
        else:
            raise ValueError(
                f"{question.name} takes a file of items; a task's questions are items of negatives (tasks with "
                "options) and of accept (tasks with options, and yes/no)"
            )


def _answers(sample: Sample) -> dict[str, str]:
    if sample.form == "yes_no":
        return {"answer": str(sample.gold)}
    right = [text for place, text in enumerate(sample.options) if place in sample.gold]
    others = [text for place, text in enumerate(sample.options) if place not in sample.gold]
    return {"answer": "; ".join(right), "others": "; ".join(others)}


def drawn(items: Sequence[Item], n: int | None, seed: int) -> list[Item]:
    """The items of so many groups, drawn by hash of (seed, group), in an order drawn by (seed, id).

    Items of one picture stay together, in an order of their own, so that a rater looks at it once.
    """
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group or item.id, []).append(item)
    chosen = sorted(groups, key=lambda name: draw(seed, name))[: n or len(groups)]
    return [item for name in chosen for item in sorted(groups[name], key=lambda item: draw(seed, item.id))]


def data_url(data: bytes) -> str:
    """A JPEG as an address that holds it."""
    return f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"
