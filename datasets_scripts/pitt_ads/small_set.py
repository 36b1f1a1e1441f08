"""The list of the small subset: 248 to 250 images that the costly experiments were made on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from punctum.datasets_scripts.documents import json_entries, read_text
from punctum.datasets_scripts.pitt_ads.annotations import image_name
from punctum.datasets_scripts.reading import DataError, Line, Report, csv_lines

SMALL = "small.txt"


def read_small(file: Path, images: Collection[str], report: Report) -> set[str]:
    """Read the images of the small subset.

    Args:
        file: an image a line; or a CSV with `image_url` or `ID`; or a JSON object whose keys are images, as the
            authors' file of the small set's statements is.
        images: those that are annotated.
        report: where images that are not annotated, or listed twice, are counted.

    Raises:
        DataError: if the file is missing, lists nothing, or lists no annotated image.
    """
    if not file.is_file():
        raise DataError(
            f'{file} is missing: subset="small" needs the list of its images, one a line, in {SMALL} beside the '
            "annotations or named by small=FILE"
        )
    found: set[str] = set()
    for image, line in _names(file):
        if image in found:
            report.add("images listed twice in the small subset", f"{image} on line {line.number}")
        elif image not in images:
            report.add("images of the small subset without annotations", f"{image} on line {line.number}")
        found.add(image)
    if not found & set(images):
        raise DataError(f"{file} lists {len(found)} images, none of which is annotated")
    return found


def _names(file: Path) -> Iterator[tuple[str, Line]]:
    if file.suffix.lower() == ".json":
        for line in json_entries(file):
            yield image_name(line.data["key"], line), line
    elif file.suffix.lower() == ".csv":
        for line in csv_lines(file, []):
            name = line.data.get("image_url") or line.data.get("ID")
            if name is None:
                raise DataError(f"{file}:1: a column 'image_url' or 'ID' is needed; there are {', '.join(line.data)}")
            yield image_name(name, line), line
    else:
        for number, text in enumerate(read_text(file).splitlines(), 1):
            if text.strip():
                line = Line(file, number, 0, {})
                yield image_name(text.strip(), line), line
