"""The scenes that go in: a picture, the physical things in it, the boxes of the people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.pictures import picture_fault
from punctum.datasets_scripts.reading import PICTURE_SUFFIXES, DataError, Line, PictureFolder
from punctum.datasets_scripts.tables import array_or_lines
from punctum.datasets_scripts.vague.tags import tagged_bytes
from punctum.records import Picture

Box = tuple[float, float, float, float]
_LONGEST_NAME = 200


@dataclass(frozen=True)
class Tagged(Picture):
    """A picture with the people's numbers drawn on it whenever it is read, so that none need be kept in memory."""

    boxes: tuple[Box, ...] = ()
    size: tuple[int, int] = (0, 0)

    def read(self) -> bytes:
        """The encoded picture with its tags."""
        return tagged_bytes(str(self.path), self.boxes, {"width": self.size[0], "height": self.size[1]})


@dataclass(frozen=True)
class Scene:
    """A picture to speak about.

    Attributes:
        id: `image_name` in VAGUE's rows; names the files of the picture.
        picture: with tags: person i + 1 has box i.
        entities: physical things in it.
        boxes: x1, y1, x2, y2 in pixels of a picture of `size`, within it.
        size: width and height that the boxes refer to.
    """

    id: str
    picture: Tagged
    entities: tuple[str, ...]
    boxes: tuple[Box, ...]
    size: tuple[int, int]


class _Unfit(Exception):
    """A scene that cannot be used.

    Args:
        reason: one of a few.
        detail: what exactly.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


def read_scenes(file: Path, pictures: Path | None, min_entities: int, workshop: Workshop) -> Iterator[Scene]:
    """Read the scenes; those that cannot be used are listed.

    Args:
        file: a JSON array or JSON Lines. Fields: `id` (or `image_name`), `entities` (or `ram_entity`), `boxes` (or
            `person_bbox`), and where they are not those of the picture `size` (or `img_size`), an object of `width`
            and `height`; all but the id may stand in `meta`, too, as in VAGUE's rows. `image` is the picture's
            path; without it, it is the file named by the id.
        pictures: the folder of the pictures; None is that of the file.
        min_entities: scenes with fewer are left out.
        workshop: where faults are told.

    Raises:
        DataError: if the file is missing, or is neither.
    """
    folder = pictures or file.parent
    if not folder.is_dir():
        raise DataError(f"no folder of pictures {folder}")
    within = PictureFolder(folder)
    seen: set[str] = set()
    for line in array_or_lines(file):
        name = str(_field(line.data, "id", "image_name") or "").strip()
        try:
            if not name:
                raise _Unfit("no id")
            if name in seen:
                raise _Unfit("the id was there before")
            seen.add(name)
            yield _scene(name, line, within, min_entities, workshop)
        except _Unfit as why:
            workshop.fault(name or line.place, why.reason, f"{line.place}; {why.detail}" if why.detail else line.place)


def _field(row: Mapping[str, Any], *names: str) -> Any:
    """The first of these fields that the row has, itself or in its `meta`."""
    meta = row.get("meta")
    for place in (row, meta if isinstance(meta, dict) else {}):
        for name in names:
            if place.get(name) is not None:
                return place[name]
    return None


def _scene(name: str, line: Line, within: PictureFolder, min_entities: int, workshop: Workshop) -> Scene:
    if "/" in name or "\\" in name or "\x00" in name or name.startswith(".") or len(name.encode()) > _LONGEST_NAME:
        raise _Unfit("an id that cannot name a file")
    entities = _entities(_field(line.data, "entities", "ram_entity"))
    if len(entities) < min_entities:
        raise _Unfit(f"fewer than {min_entities} entities", f"{len(entities)}: {', '.join(entities)}")
    path = _picture(name, line, within)
    size = _size(_field(line.data, "size", "img_size"), path)
    boxes = []
    for number, value in enumerate(_list(_field(line.data, "boxes", "person_bbox")), 1):
        box, is_cut = _box(value, size, number)
        boxes.append(box)
        if is_cut:
            workshop.notes["a person's box cut to the picture"] += 1
    if not boxes:
        raise _Unfit("no person's box")
    return Scene(name, Tagged(path, None, tuple(boxes), size), entities, tuple(boxes), size)


def _entities(value: object) -> tuple[str, ...]:
    """The names, each once, blank ones left out."""
    found: dict[str, str] = {}
    for entry in _list(value):
        if isinstance(entry, str) and entry.strip():
            found.setdefault(" ".join(entry.split()).casefold(), " ".join(entry.split()))
    return tuple(found.values())


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _picture(name: str, line: Line, within: PictureFolder) -> str:
    given = _field(line.data, "image", "picture", "file_name")
    bare = name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in PICTURE_SUFFIXES else name
    names = [str(given)] if given is not None else [name, *(f"{bare}{suffix}" for suffix in sorted(PICTURE_SUFFIXES))]
    for relative in names:
        try:
            path = within.find(relative, line)
        except DataError as error:
            raise _Unfit("a picture outside its folder", str(error)) from None
        if path is not None and Path(path).suffix.lower() in PICTURE_SUFFIXES:
            fault = picture_fault(path)
            if fault is not None:
                raise _Unfit("a picture that cannot be read", fault)
            return path
    raise _Unfit("no picture", names[0])


def _size(value: object, path: str) -> tuple[int, int]:
    """The size that the boxes refer to: what the row says, or the picture's."""
    if isinstance(value, Mapping):
        width, height = (cast(float, value.get(side)) for side in ("width", "height"))
        if not (_is_number(width) and _is_number(height) and width >= 1 and height >= 1):
            raise _Unfit("a size without width and height", repr(dict(value))[:80])
        return round(width), round(height)
    if value is not None:
        raise _Unfit("a size without width and height", repr(value)[:80])
    from PIL import Image

    with Image.open(path) as image:
        return image.size


def _box(value: object, size: tuple[int, int], number: int) -> tuple[Box, bool]:
    """A box within the picture, and whether it had to be cut to it.

    People are numbered by their boxes, so one bad box would give the others' numbers to other people.
    """
    numbers = _list(value)
    if len(numbers) != 4 or not all(map(_is_number, numbers)):
        raise _Unfit("a box that is no four numbers", f"box {number}: {value!r:.80}")
    x1, y1, x2, y2 = (float(entry) for entry in numbers)
    if x2 <= x1 or y2 <= y1:
        raise _Unfit("a box without area", f"box {number}: {value!r:.80}")
    cut = max(x1, 0.0), max(y1, 0.0), min(x2, float(size[0])), min(y2, float(size[1]))
    if cut[2] <= cut[0] or cut[3] <= cut[1]:
        raise _Unfit("a box outside the picture", f"box {number}: {value!r:.80} in {size[0]} × {size[1]}")
    return cut, cut != (x1, y1, x2, y2)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
