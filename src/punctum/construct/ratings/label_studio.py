"""Label Studio's formats: tasks to import there, a labelling configuration, and its JSON export read back.

https://labelstud.io/guide/tasks (task format), /guide/export (JSON export), /tags (labelling tags).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from punctum.construct.ratings.items import Item
from punctum.construct.ratings.questions import Question
from punctum.predictions import BadPredictions

#: Names of the controls, in the configuration and in results.
RATING, CHOICE = "rating", "choice"
_ITEM, _IMAGE, _SHOWN = "item", "image", "shown"


@dataclass(frozen=True)
class Said:
    """What one rater said of one item.

    Attributes:
        item: its id.
        rater: who: a name, an address or a number, as the file has it.
        rating: 1 to 5, where asked for.
        choice: the word chosen, where asked for.
    """

    item: str
    rater: str
    rating: int | None = None
    choice: str | None = None


def task(item: Item, image: str | None) -> dict[str, Any]:
    """A task in Label Studio's JSON format.

    Args:
        item: the item.
        image: the picture's address, which may be a data URL.
    """
    data: dict[str, Any] = {_ITEM: item.id, **item.texts}
    if image is not None:
        data[_IMAGE] = image
    return {"data": data}


def config(question: Question, fields: set[str], pictures: bool) -> str:
    """The labelling configuration, XML.

    Args:
        question: what is asked.
        fields: those that every item has; Label Studio refuses a configuration that names others.
        pictures: whether every item has a picture.
    """
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Header", value=question.title)
    for number, line in enumerate(question.guideline.split("\n")):
        ElementTree.SubElement(view, "Header", value=line, size="4", name=f"guideline_{number}")
    if pictures:
        ElementTree.SubElement(view, "Image", name=_IMAGE, value=f"${_IMAGE}")
    shown = [name for name in question.shows if name in fields]
    for place, name in enumerate(shown):
        ElementTree.SubElement(view, "Header", value=question.shows[name], size="5", name=f"heading_{name}")
        ElementTree.SubElement(view, "Text", name=_SHOWN if place == 0 else f"text_{name}", value=f"${name}")
    if question.choices:
        choices = ElementTree.SubElement(
            view, "Choices", name=CHOICE, toName=_SHOWN, choice="single", showInline="true", required="true"
        )
        for word in question.choices:
            ElementTree.SubElement(choices, "Choice", value=word)
    if question.meanings:
        for number, meaning in enumerate(question.meanings, 1):
            ElementTree.SubElement(view, "Header", value=f"{number}: {meaning}", size="5", name=f"meaning_{number}")
        scale = str(len(question.meanings))
        ElementTree.SubElement(view, "Rating", name=RATING, toName=_SHOWN, maxRating=scale, required="true")
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def read_export(path: Path) -> Iterator[Said]:
    """What raters said, from the JSON export. Cancelled (skipped) annotations and drafts are left out.

    Raises:
        BadPredictions: if the file is no such export, or an annotation says what cannot be read.
    """
    try:
        tasks = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadPredictions(f"{path}: not JSON ({error})") from error
    if not isinstance(tasks, list) or not all(isinstance(one, dict) for one in tasks):
        raise BadPredictions(f"{path}: no list of tasks; export from Label Studio as JSON")
    for number, one in enumerate(tasks):
        where = f"{path}, task {one.get('id', number)}"
        item = one.get("data", {}).get(_ITEM) if isinstance(one.get("data"), dict) else None
        if item is None:
            raise BadPredictions(f"{where}: no data.{_ITEM}; export as JSON (not JSON-MIN, CSV or another format)")
        try:
            yield from [_said(str(item), one, where) for one in one["annotations"] if not one.get("was_cancelled")]
        except (AttributeError, KeyError, TypeError) as error:
            raise BadPredictions(f"{where}: no annotations in Label Studio's form; export as JSON") from error


def _said(item: str, annotation: Mapping[str, Any], where: str) -> Said:
    rating: int | None = None
    choice: str | None = None
    for result in annotation.get("result", []):
        value = result.get("value", {})
        if result.get("from_name") == RATING:
            rating = value.get("rating")
            if not isinstance(rating, int) or isinstance(rating, bool):
                raise BadPredictions(f"{where}: the rating is {rating!r}; a whole number is wanted")
        elif result.get("from_name") == CHOICE:
            words = value.get("choices")
            if not isinstance(words, list) or len(words) != 1:
                raise BadPredictions(f"{where}: the choice is {words!r}; one word is wanted")
            choice = str(words[0])
    return Said(item, _rater(annotation.get("completed_by"), where), rating, choice)


def _rater(value: object, where: str) -> str:
    if isinstance(value, Mapping):
        value = value.get("email") or value.get("username") or value.get("id")
    if value is None:
        raise BadPredictions(f"{where}: an annotation does not say who made it (completed_by)")
    return str(value)
