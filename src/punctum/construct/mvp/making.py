"""From pictures and categories to pairs and questions."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from punctum.construct.mvp import masks
from punctum.construct.mvp.boxes import Box, parse_box
from punctum.construct.mvp.categories import CATEGORIES, Category
from punctum.construct.mvp.editing import Editor, Settings, as_png
from punctum.construct.mvp.ideas import read_idea, read_questions
from punctum.construct.mvp.masks import Mask, Pixels
from punctum.construct.mvp.questions import Questions
from punctum.construct.wants import Kept, Unusable, Want
from punctum.construct.words import said
from punctum.construct.workshop import Workshop
from punctum.predictions import BadPredictions, read_json_lines
from punctum.records import Picture, Response
from punctum.store import default_path

SINGLE, CROSS, MASKS = "Single_Images", "Cross_Images", "Masks"
FILES = ("all_questions.json", "mcq_questions.json", "pictures.jsonl")
_BEYOND = 647  # pair ids from here on belong to no category
_STAND_IN = {
    "subject": "[the subject]", "object": "[the object]", "low_source": "[a detail]", "low_edited": "[another detail]",
    "high_source": "[a meaning]", "high_edited": "[another meaning]", "caption": "[a caption]",
    "instruction": "[an instruction]",
}  # fmt: skip


@dataclass
class Pair:
    """A picture on its way to a pair.

    Attributes:
        item: the given id.
        category: of the edit.
        picture: encoded; `pixels` are its decoded ones, shape (height, width, 3).
        caption: given with it, or empty.
        number: the pair's id.
        idea, subject, target: what models gave.
        edited: the other picture.
        record: how it was made.
    """

    item: str
    category: Category
    picture: Picture
    pixels: Pixels
    caption: str
    number: int = 0
    idea: dict[str, str] = field(default_factory=dict)
    subject: Box | None = None
    target: Box | None = None
    edited: Pixels | None = None
    mask: Mask | None = None
    record: dict[str, Any] = field(default_factory=dict)


def make(args: argparse.Namespace, workshop: Workshop) -> int:
    """Ask for ideas, boxes and questions, edit the pictures, write the pairs.

    Raises:
        ValueError: for a file that cannot be read, or a category whose models are not named.
    """
    pairs = list(islice(read_items(Path(args.items), workshop), args.limit))
    settings = Settings(
        args.inpaint_with, args.instruct_with, args.segment_with, args.steps, args.guidance, args.device
    )
    editor = Editor(settings, default_path().parent / "edits")
    for route in dict.fromkeys(pair.category.route for pair in pairs):
        editor.need(route)
    workshop.claim(FILES, [SINGLE, CROSS, MASKS])
    number(pairs, workshop)
    pairs = _ideas(pairs, workshop)
    pairs = _boxes(pairs, args, workshop)
    if not workshop.dry_run:
        pairs = [pair for pair in pairs if _edited(pair, editor, args.overlap, workshop)]
    written = _questions(pairs, workshop)
    if workshop.dry_run:
        return workshop.finish()
    _write(pairs, written, workshop)
    return workshop.finish(pairs=sum(pair.item in written for pair in pairs))


def read_items(path: Path, workshop: Workshop) -> Sequence[Pair]:
    """The pictures; what cannot be used is listed.

    Raises:
        BadPredictions: if the file is no JSON Lines, or a line has no id, image or known category.
    """
    found: dict[str, Pair] = {}
    for line_number, line in read_json_lines(path):
        where = f"{path}:{line_number}"
        missing = [name for name in ("id", "image", "category") if name not in line]
        if missing:
            raise BadPredictions(f"{where}: no field {', '.join(missing)}; there are {', '.join(line) or 'none'}")
        item, code = str(line["id"]), str(line["category"])
        if code not in CATEGORIES:
            raise BadPredictions(f"{where}: the category {code!r} is not known; known: {', '.join(CATEGORIES)}")
        if item in found:
            workshop.fault(item, "the id was there before", where)
            continue
        picture = Picture(path=str(path.parent / str(line["image"])))
        try:
            pixels = np.asarray(picture.open())
        except Exception as error:  # Pillow's plugins raise whatever a broken file brings them to
            workshop.fault(item, f"the picture cannot be read: {type(error).__name__}", str(line["image"]))
            continue
        found[item] = Pair(item, CATEGORIES[code], picture, pixels, str(line.get("caption") or ""))
    return list(found.values())


def number(pairs: Sequence[Pair], workshop: Workshop) -> None:
    """Give pair ids within the ranges of the categories, which the builder reads back out of them."""
    following = {code: category.first for code, category in CATEGORIES.items()}
    beyond = _BEYOND
    for pair in pairs:
        code = pair.category.code
        if following[code] <= pair.category.last:
            pair.number = following[code]
            following[code] += 1
        else:
            pair.number = beyond
            beyond += 1
            workshop.fault(pair.item, "more pairs than ids of the category", f"{code}: pair {pair.number} has none")


def _ideas(pairs: Sequence[Pair], workshop: Workshop) -> list[Pair]:
    """By chain of thought, from the picture where the model reads pictures, else from its caption."""
    looks = workshop.model().reads_pictures
    told: list[Pair] = []
    for pair in pairs:
        if looks or pair.caption:
            told.append(pair)
        else:
            workshop.fault(pair.item, "no caption for a model that reads no pictures", step="idea")
    wants = [
        Want(
            item=pair.item,
            step="idea",
            prompt="construct/mvp/idea",
            fields={
                "low": pair.category.low,
                "high": pair.category.high,
                "caption": pair.caption,
                "partial": pair.category.route == "component",
                "direct": pair.category.route == "direct",
            },
            pictures=(pair.picture,) if looks else (),
            read=partial(read_idea, pair.category),
            stand_in={name: f"{text[:-1]} of {pair.item}]" for name, text in _STAND_IN.items()},
        )
        for pair in told
    ]
    for pair, idea in zip(told, workshop.ask(wants, 512), strict=True):
        pair.idea = idea or {}
    return [pair for pair in told if pair.idea]


def _boxes(pairs: Sequence[Pair], args: argparse.Namespace, workshop: Workshop) -> list[Pair]:
    """The subject's box, and the object's where an object is replaced; direct alterations need none."""
    wants: list[Want] = []
    places: list[tuple[Pair, str]] = []
    for pair in pairs:
        for name in {"component": ("subject", "object"), "background": ("subject",), "direct": ()}[pair.category.route]:
            height, width = pair.pixels.shape[:2]
            wants.append(
                Want(
                    item=pair.item,
                    step=f"box of the {name}",
                    prompt="construct/mvp/ground",
                    fields={"phrase": pair.idea[name]},
                    pictures=(pair.picture,),
                    read=partial(_read_box, width, height, args.box_format),
                    stand_in=[0, 0, 8, 8],
                )
            )
            places.append((pair, name))
    left_out: set[str] = set()
    for (pair, name), found in zip(places, workshop.ask(wants, 64, model=args.ground_with), strict=True):
        if found is None:
            left_out.add(pair.item)
        elif name == "subject":
            pair.subject = Box(*found)
        else:
            pair.target = Box(*found)
    return [pair for pair in pairs if pair.item not in left_out]


def _read_box(width: int, height: int, scale: str, response: Response) -> Kept:
    box = parse_box(said(response), width, height, scale)
    return Kept([box.left, box.top, box.right, box.bottom])


def _edited(pair: Pair, editor: Editor, overlap: str, workshop: Workshop) -> bool:
    """Edit a picture; False where it cannot be done, which is listed."""
    try:
        _EDITS[pair.category.route](pair, editor, overlap, workshop.seed)
    except Unusable as why:
        workshop.fault(pair.item, why.reason, why.detail, step="edit")
        return False
    if pair.edited is None or np.array_equal(pair.edited, pair.pixels):
        workshop.fault(pair.item, "the edit changed nothing", step="edit")
        return False
    return True


def _component(pair: Pair, editor: Editor, overlap: str, seed: int) -> None:
    """Blank the object's box, fill it after the new caption, keep everything else."""
    assert pair.subject is not None and pair.target is not None
    height, width = pair.pixels.shape[:2]
    mask = masks.component_mask(pair.target, pair.subject, width, height)
    made = editor.inpaint(masks.blanked(pair.pixels, mask), mask, pair.idea["caption"], seed)
    pair.edited, pair.mask = masks.composed(pair.pixels, made, mask), mask
    pair.record = {
        "edit": "component", "model": editor.info("inpaint"), "prompt": pair.idea["caption"],
        "subject": asdict(pair.subject), "object": asdict(pair.target),
    }  # fmt: skip


def _background(pair: Pair, editor: Editor, overlap: str, seed: int) -> None:
    """Keep the subject's mask, moved, and fill everything else after the new caption."""
    assert pair.subject is not None
    subject = masks.subject_mask(editor.masks(pair.pixels), pair.subject, overlap)
    move = masks.drawn_move(subject, pair.subject, seed, pair.item)
    there: Mask = masks.moved(subject, pair.subject, move).astype(np.bool_)
    canvas: Pixels = masks.moved(pair.pixels, pair.subject, move).astype(np.uint8)
    made = editor.inpaint(masks.blanked(canvas, ~there), ~there, pair.idea["caption"], seed)
    pair.edited, pair.mask = masks.composed(canvas, made, ~there), ~there
    pair.record = {
        "edit": "background", "model": editor.info("inpaint"), "segmented_with": editor.info("segment"),
        "prompt": pair.idea["caption"], "subject": asdict(pair.subject), "move": asdict(move),
    }  # fmt: skip


def _direct(pair: Pair, editor: Editor, overlap: str, seed: int) -> None:
    """Change the whole picture after the instruction."""
    pair.edited = editor.instruct(pair.pixels, pair.idea["instruction"], seed)
    pair.record = {"edit": "direct", "model": editor.info("instruct"), "prompt": pair.idea["instruction"]}


_EDITS = {"component": _component, "background": _background, "direct": _direct}


def _questions(pairs: Sequence[Pair], workshop: Workshop) -> dict[str, Any]:
    """Yes/no and multiple-choice questions, from the idea."""
    wants = [
        Want(
            item=pair.item,
            step="questions",
            prompt="construct/mvp/questions",
            fields={"high": pair.category.high, **{name: pair.idea[name] for name in _STAND_IN if name in pair.idea}},
            read=read_questions,
            stand_in={},
        )
        for pair in pairs
    ]
    found = zip(pairs, workshop.ask(wants, 512), strict=True)
    return {pair.item: written for pair, written in found if written is not None}


def _write(pairs: Sequence[Pair], written: Mapping[str, Any], workshop: Workshop) -> None:
    """Pictures as PNG, so that what may not change does not; masks; records; questions."""
    questions = Questions(workshop.seed)
    records = []
    for pair in (pair for pair in pairs if pair.item in written):
        assert pair.edited is not None
        files = {
            "source": f"{SINGLE}/{pair.number}_s.png",
            "edited": f"{SINGLE}/{pair.number}_e.png",
            "cross": f"{CROSS}/{pair.number}_concat.png",
        }
        pictures = {
            files["source"]: pair.pixels,
            files["edited"]: pair.edited,
            files["cross"]: np.concatenate([pair.pixels, pair.edited], axis=1),
        }
        mask_file = None
        if pair.mask is not None:
            mask_file = f"{MASKS}/{pair.number}.png"
            pictures[mask_file] = pair.mask.astype(np.uint8) * 255
        for name, pixels in pictures.items():
            workshop.outputs.data(name, as_png(pixels))
        questions.add(pair.number, pair.category, pair.idea["subject"], written[pair.item], files)
        records.append(
            {
                "id": pair.number,
                "item": pair.item,
                "category": pair.category.code,
                **files,
                **pair.record,
                "seed": workshop.seed,
                "mask": mask_file,
                "idea": pair.idea,
            }
        )
    workshop.outputs.lines(FILES[0], questions.direct)
    workshop.outputs.lines(FILES[1], questions.rotated)
    workshop.outputs.lines(FILES[2], records)
