"""Annotated pictures: what DeepEval's `Annotation.json` holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.deepeval.questions import ANNOTATIONS, FIELDS
from punctum.datasets_scripts.reading import DataError, Line, PictureFolder, json_lines
from punctum.records import Picture

PICTURES = "Images"


@dataclass(frozen=True)
class Annotated:
    """A picture with its annotations.

    Attributes:
        id: `Image_ID`.
        url: where the picture is from.
        texts: task to the annotated text; without those that are empty.
        picture: None where the folder has none.
    """

    id: str
    url: str
    texts: dict[str, str]
    picture: Picture | None


def annotated(folder: Path, workshop: Workshop) -> list[Annotated]:
    """The pictures of a folder, each id once; what is wrong is listed.

    Raises:
        DataError: if the folder holds no annotations, or a line is no JSON object.
    """
    file = folder / ANNOTATIONS
    if not file.is_file():
        raise DataError(
            f"{folder} holds no {ANNOTATIONS}: a JSON object a line with Image_ID, Url, {', '.join(FIELDS.values())}"
        )
    within = PictureFolder(folder)
    pictures = within.stems(PICTURES)
    found: dict[str, Annotated] = {}
    for line in json_lines(file):
        identity = line.text("Image_ID")
        if identity in found:
            workshop.fault(identity, "the id was there before", line.place)
            continue
        names = pictures.get(identity, [])
        picture = Picture(path=str(folder / sorted(names)[0])) if names else None
        url = line.data.get("Url")
        texts = _texts(line, identity, workshop)
        found[identity] = Annotated(identity, url if isinstance(url, str) else "", texts, picture)
    return list(found.values())


def _texts(line: Line, identity: str, workshop: Workshop) -> dict[str, str]:
    texts = {}
    for task, field in FIELDS.items():
        value = line.data.get(field)
        if isinstance(value, str) and value.strip():
            texts[task] = value.strip()
        else:
            workshop.fault(identity, "no annotation", field, step=task)
    return texts
