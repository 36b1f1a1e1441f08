"""The atypicality annotations of `final_csv.csv`: a row an annotator, gathered by image."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from punctum.datasets_scripts.pitt_ads.statements import LABELS, NOT_ATYPICAL, RELATIONS, plain, statement
from punctum.datasets_scripts.reading import DataError, Line, Report, csv_lines

ANNOTATIONS = "final_csv.csv"
PRIMARY, SECONDARY = "first_explaination", "second_explanation"  # the first is spelt so
COLUMNS = ("image_url", "category", PRIMARY, SECONDARY)
CODES = {"1": "TR1", "2": "TR2", "3": "OIO", "8": "OR", "0": NOT_ATYPICAL, "regular_object": NOT_ATYPICAL}
SHORTEST, LONGEST = 3, 50
_USUAL = re.compile(r"\w+/\w[\w.-]*")
# What a table program or pandas writes where there is nothing; the paper's authors read it as nothing.
_NOTHING = frozenset({"", "nan", "na", "n/a", "#n/a", "<na>", "null", "none"})


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator said of one image.

    Attributes:
        number: of the annotation among its image's, from 1, in file order.
        label: one of `LABELS`; None for a code outside them, which the paper drops.
        primary, secondary: the two objects as annotated, empty where missing.
    """

    number: int
    label: str | None
    primary: str
    secondary: str

    @property
    def relation(self) -> str | None:
        """The label if it is one of the four relations between two objects."""
        return self.label if self.label in RELATIONS else None

    @property
    def usable(self) -> bool:
        """Whether there is a relation and both explanations can stand for objects (3 to 50 characters)."""
        lengths = (len(self.primary), len(self.secondary))
        return self.relation is not None and all(SHORTEST <= n <= LONGEST for n in lengths)

    def statement(self) -> str:
        """The sentence that this annotator's relation and objects make."""
        return statement(str(self.relation), self.primary, self.secondary)


@dataclass(frozen=True, slots=True)
class Ad:
    """An image with all its annotations.

    Attributes:
        image: `subfolder/name`.
        annotations: in file order, at least one.
        line: where its first annotation stands.
    """

    image: str
    annotations: tuple[Annotation, ...]
    line: Line

    @property
    def given(self) -> list[str]:
        """The label of every annotator who gave one of the five."""
        return [a.label for a in self.annotations if a.label is not None]

    @property
    def labels(self) -> list[str]:
        """The set of labels over annotators, in the order of `LABELS`.

        Annotators whose objects are unusable count: the paper merges labels before it drops their rows.
        """
        return [label for label in LABELS if label in self.given]

    @property
    def majority(self) -> str | None:
        """The label that most annotators gave; None on a tie."""
        ranked = Counter(self.given).most_common(2)
        if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
            return None
        return ranked[0][0]

    @property
    def atypical(self) -> bool:
        """Whether any annotator gave one of the four relations."""
        return any(a.relation for a in self.annotations)

    @property
    def typical(self) -> bool:
        """Whether all annotators said not atypical; one with another code did not."""
        return all(a.label == NOT_ATYPICAL for a in self.annotations)

    @property
    def usable(self) -> list[Annotation]:
        """The annotations that make a statement."""
        return [a for a in self.annotations if a.usable]

    def true_statements(self) -> set[str]:
        """What annotators said of the image, in `plain` words, usable as objects or not."""
        return {plain(a.statement()) for a in self.annotations if a.relation and a.primary and a.secondary}


def read_annotations(file: Path, report: Report | None = None) -> dict[str, Ad]:
    """Read the table of annotations.

    Returns:
        Image to ad, in the order of the images' first rows.

    Raises:
        DataError: if the file or a needed column is missing, or an `image_url` is empty or no path inside.
    """
    rows: dict[str, list[Annotation]] = {}
    first: dict[str, Line] = {}
    for line in csv_lines(file, COLUMNS, whole=True):
        image = image_name(line.text("image_url"), line)
        number = len(rows.setdefault(image, [])) + 1
        label = CODES.get(_code(line.data["category"]))
        annotation = Annotation(number, label, _explanation(line, PRIMARY), _explanation(line, SECONDARY))
        rows[image].append(annotation)
        first.setdefault(image, line)
        if report is not None and not line.data["category"]:
            report.add("annotations without a category", f"{image} on line {line.number}")
    if not rows:
        raise DataError(f"{file} has no annotations")
    return {image: Ad(image, tuple(annotations), first[image]) for image, annotations in rows.items()}


def image_name(name: str, line: Line) -> str:
    """An image's name as its key: `subfolder/name`, below the data folder.

    Raises:
        DataError: if it is absolute or climbs out.
    """
    if _USUAL.fullmatch(name):
        return name
    path = PurePosixPath(name.replace("\\", "/"))
    if not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or "\x00" in name:
        raise line.error(f"the image {name!r} should be a path below the data folder, like 10/170070.png")
    return str(path)


def _code(cell: str) -> str:
    """A category's code; pandas writes whole numbers as 1.0 where some cells are empty."""
    return cell.casefold().removesuffix(".0")


def _explanation(line: Line, column: str) -> str:
    text = " ".join(line.data[column].split())
    return "" if text.casefold() in _NOTHING else text
