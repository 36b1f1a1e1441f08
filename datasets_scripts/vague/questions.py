"""VAGUE's published rows: one to one row of ours, and the rule by which the human subset was chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from punctum.datasets_scripts.equal_options import count_equal
from punctum.datasets_scripts.mcq import letter
from punctum.datasets_scripts.option_rows import draw
from punctum.datasets_scripts.reading import Line, Report

TEXTS = ("1_correct", "2_fake_scene", "3_surface_understanding", "4_wrong_entity")
KINDS = ("correct", "fake_scene", "superficial", "nonexistent_entity")
HUMAN_SUBSET = 400
_LETTERS = [letter(i) for i in range(len(TEXTS))]
_PERSON = re.compile(r"person\s*(\d+)", re.IGNORECASE)
_FORM = "of the form '(person1, move, sedan)'"


def source_of(image_name: str) -> str:
    """The data set that a picture comes from: names with `@` are VCR's, all others Ego4D's."""
    return "vcr" if "@" in image_name else "ego4d"


def question_row(line: Line, report: Report | None) -> dict[str, Any]:
    """The row of a published one, without its picture.

    Options stand as `ordering` shows them; that is their published order.

    Args:
        line: with `image_name, direct, indirect, solution, mcq, meta`; `mcq` and `meta` may be JSON texts.
        report: where to count faults that leave the row usable.

    Raises:
        DataError: at a missing field, an ordering that is no permutation of A–D, a solution that is no triplet,
            or a value of another type.
    """
    name = line.text("image_name")
    options, kinds = _options(line)
    meta = _meta(line, report)
    solution = _solution(line, report)
    if report is not None:
        count_equal(name, options, report)
        _check_person(name, solution["person"], meta["person_bbox"], report)
    return {
        "id": name,
        "category": source_of(name),
        "source": line.file.name,
        "question": line.text("indirect").strip(),
        "options": options,
        "option_kinds": kinds,
        "answers": [kinds.index("correct")],
        "permutation": list(range(len(options))),
        "group": name,
        "rotation": None,
        "references": [options[kinds.index("correct")]],
        "direct": line.text("direct").strip(),
        "indirect": line.text("indirect").strip(),
        "solution": solution,
        **meta,
    }


def _object(line: Line, name: str) -> Mapping[str, Any]:
    value = line.get(name, (dict, str))
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise line.error(f"the field {name!r} is a text, but not JSON ({error})") from None
        if not isinstance(value, dict):
            raise line.error(f"the field {name!r} should be an object, but is {value!r:.80}")
    return dict(value)


def _options(line: Line) -> tuple[list[str], list[str]]:
    """The four texts and their kinds as `ordering` shows them: `ordering[i]` is the letter of text i."""
    mcq = _object(line, "mcq")
    for text in TEXTS:
        if not isinstance(mcq.get(text), str) or not mcq[text].strip():
            raise line.error(f"mcq[{text!r}] is {mcq.get(text)!r}, not a text; there are {', '.join(mcq)}")
    ordering = mcq.get("ordering")
    shown = [str(entry).strip() for entry in ordering] if isinstance(ordering, (list, tuple)) else []
    if sorted(shown) != _LETTERS:
        raise line.error(f"the ordering {ordering!r} is no permutation of {', '.join(_LETTERS)}")
    order = [shown.index(name) for name in _LETTERS]
    return [mcq[TEXTS[i]].strip() for i in order], [KINDS[i] for i in order]


def _solution(line: Line, report: Report | None) -> dict[str, str]:
    """Person, action and object, from a text `(person1, move, sedan)`, a list or an object."""
    value = line.get("solution", (str, list, tuple, dict))
    if isinstance(value, str):
        parts: list[Any] = [part.strip().strip("'\"") for part in value.strip().strip("()[]").split(",")]
    else:
        parts = list(value.values()) if isinstance(value, dict) else list(value)
    if len(parts) < 3 or not all(isinstance(part, str) and part.strip() for part in parts):
        raise line.error(f"the solution {value!r} is no triplet {_FORM}")
    if len(parts) > 3:
        if report is not None:
            report.add("solutions of more than three parts, the rest taken as the object", line.text("image_name"))
        parts = [*parts[:2], ", ".join(parts[2:])]
    person, action, thing = (part.strip() for part in parts)
    return {"person": person, "action": action, "object": thing}


def _check_person(name: str, person: str, boxes: list[list[float]] | None, report: Report) -> None:
    number = _PERSON.fullmatch(person)
    if number is None:
        report.add("solutions that begin with no person's number", f"{name} {person}")
    elif boxes is not None and not 1 <= int(number[1]) <= len(boxes):
        report.add("people addressed who have no box", f"{name} {person} of {len(boxes)}")


def _meta(line: Line, report: Report | None) -> dict[str, Any]:
    """The columns that come out of `meta`; what it lacks is None, and counted."""
    meta = _object(line, "meta")
    for field in ("caption", "fake_caption", "ram_entity", "img_size", "person_bbox", "rating"):
        if meta.get(field) is None and report is not None:
            report.add(f"rows without meta.{field}", line.text("image_name"))
    return {
        "caption": _text(line, meta, "caption"),
        "fake_caption": _text(line, meta, "fake_caption"),
        "ram_entity": _entities(line, meta.get("ram_entity")),
        "img_size": _size(line, meta),
        "person_bbox": _boxes(line, meta.get("person_bbox")),
        "rating": _pair(line, meta, "rating", ("direct", "indirect")),
        "annot_link": _text(line, meta, "annot_link"),
    }


def _text(line: Line, meta: Mapping[str, Any], field: str) -> str | None:
    value = meta.get(field)
    if value is not None and not isinstance(value, str):
        raise line.error(f"meta.{field} should be a text, but is {value!r:.80}")
    return value


def _entities(line: Line, value: Any) -> list[str] | None:
    if value is not None and not (isinstance(value, list) and all(isinstance(entry, str) for entry in value)):
        raise line.error(f"meta.ram_entity should be a list of texts, but is {value!r:.80}")
    return value


def _pair(line: Line, meta: Mapping[str, Any], field: str, names: tuple[str, str]) -> dict[str, float] | None:
    """Two positive numbers by name."""
    value = meta.get(field)
    if value is None:
        return None
    found: list[Any] = [value.get(name) for name in names] if isinstance(value, dict) else []
    if not found or not all(_is_number(entry) and entry > 0 for entry in found):
        raise line.error(f"meta.{field} should have positive numbers {' and '.join(names)}, but is {value!r:.80}")
    return {name: float(entry) for name, entry in zip(names, found, strict=True)}


def _size(line: Line, meta: Mapping[str, Any]) -> dict[str, int] | None:
    pair = _pair(line, meta, "img_size", ("width", "height"))
    return None if pair is None else {name: max(round(entry), 1) for name, entry in pair.items()}


def _boxes(line: Line, value: Any) -> list[list[float]] | None:
    if value is None:
        return None
    boxes: list[Any] = value if isinstance(value, list) else [None]
    for i, box in enumerate(boxes):
        if not isinstance(box, list) or len(box) != 4 or not all(map(_is_number, box)):
            raise line.error(f"meta.person_bbox[{i}] should be four numbers x1, y1, x2, y2, but is {box!r:.80}")
    return [[float(entry) for entry in box] for box in boxes]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9  # also no NaN


def rating_of(line: Line) -> tuple[str, float]:
    """A row's id and the mean of its two ratings.

    Raises:
        DataError: if the row has no ratings.
    """
    rating = _pair(line, _object(line, "meta"), "rating", ("direct", "indirect"))
    if rating is None:
        raise line.error("meta.rating is missing; the human subset is chosen by the ratings")
    return line.text("image_name"), (rating["direct"] + rating["indirect"]) / 2


def human_subset(ratings: Iterable[tuple[str, float]], seed: int, size: int = HUMAN_SUBSET) -> set[str]:
    """The rows of the human evaluation by the rule of Appendix E: best mean rating first, ties at random.

    Which 400 the authors took is not marked in their data, so this is their rule and not their rows. Ties are
    broken by sha256 of "seed:id", whatever the order of the rows.

    Args:
        ratings: id and mean rating of every row, of both sources.
        seed: another seed breaks ties otherwise.
        size: rows to take.
    """

    def rank(entry: tuple[str, float]) -> tuple[float, bytes]:
        return -entry[1], draw(seed, entry[0])

    return {name for name, _ in sorted(ratings, key=rank)[:size]}
