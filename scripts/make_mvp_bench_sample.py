"""Make MVP-Bench's sample, in the published raw form, from the pairs of `sample_pairs.py`.

    python -m scripts.make_mvp_bench_sample [--out datasets_scripts/mvp_bench/sample]

The same bytes of JSON and the same drawings every time. As in the published files, options live inside the
question, both files are JSON Lines, `mcq_questions.json` calls every row `mcq-e`, and some single-image
questions close with another instruction in the direct file than in the circular one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import PIL
from PIL import Image

from scripts.sample_drawing import draw, pixel_hash, side_by_side
from scripts.sample_pairs import ITEMS, Item
from scripts.sample_questions import LETTER, YES_NO
from scripts.sample_stream import pair_pictures
from scripts.sample_world import ASPECTS, EDITS, OTHER_EDITS

SIZE = 256
"""Width and height of single pictures in pixels."""
HALF = 192
"""The same of each half of a picture side by side."""
_QUALITY = 72
_STEMS = (
    "Which aspect{of} has been altered between the pair of images?",
    "Which aspect{of} has been altered between the two images?",
)

Row = dict[str, Any]


def _letters(item: Item, kind: str, wrong: Sequence[str], right: str, turn: int) -> tuple[list[str], str]:
    """Options in an order that follows from the item, the right one at letter number `turn` of five."""
    seed = hashlib.sha256(f"{item.id}:{kind}".encode()).hexdigest()
    options = list(wrong)
    random.Random(seed).shuffle(options)
    options = options[:4]
    options.insert(turn % 5, right)
    return options, chr(65 + turn % 5)


def _lettered(stem: str, options: Sequence[str], closing: str) -> str:
    return "\n".join([stem, *(f"{chr(65 + i)}. {option}" for i, option in enumerate(options)), closing])


def _choice_rows(items: Sequence[Item]) -> Iterator[tuple[str, Row, list[str], str]]:
    """Every multiple-choice question: stem, row without its question and id, options, closing."""
    for number, item in enumerate(items):
        of = f" of {item.who}" if item.who else ""
        image = f"Cross_Images/{item.id}_concat.jpg"
        aspects = sorted({*ASPECTS.values()} - {item.aspect})
        edits = [e for e in (*EDITS.values(), *OTHER_EDITS) if e != EDITS[item.changed]]
        cross = (
            ("high", _STEMS[number % 2].format(of=of), aspects, item.aspect, number + 2),
            ("low", "How have the pair of images been modified?", edits, EDITS[item.changed], number),
        )
        for level, stem, wrong, right, turn in cross:
            options, letter = _letters(item, level, wrong, right, turn)
            yield stem, _row(item.id, image, letter, "mcq-cross", level), options, LETTER[0]
    for number, item in enumerate(items):
        options, letter = _letters(item, "single", item.options[1:], item.options[0], number + 3)
        row = _row(item.id, f"Single_Images/{item.id}_e.jpg", letter, "mcq-e", "high")
        yield item.stem, row, options, LETTER[number % 2]


def _row(pair: int, image: str, answer: str, kind: str, level: str) -> Row:
    return {"id": pair, "image": image, "answer": answer, "type": kind, "level": level}


def _yes_no_rows(item: Item) -> Iterator[Row]:
    for level, questions in (("high", item.high), ("low", item.low)):
        for true_of, question in zip("se", questions, strict=True):
            for side in "se":
                answer = "yes" if side == true_of else "no"
                image = f"Single_Images/{item.id}_{side}.jpg"
                row = _row(item.id, image, answer, f"y/n-{side}", level)
                yield {**row, "question": f"{question}\n{YES_NO}"}


def _direct_row(question_id: int, row: Row) -> Row:
    order = ("question_id", "id", "image", "question", "answer", "type", "level")
    return {name: {**row, "question_id": question_id}[name] for name in order}


def _rotations(direct: Row, mcq_id: int, stem: str, options: Sequence[str]) -> Iterator[Row]:
    """The question with its options rotated to the left by 0, 1, 2, …."""
    n, gold = len(options), ord(direct["answer"]) - 65
    for turn in range(n):
        turned = [*options[turn:], *options[:turn]]
        yield {
            "question_id": f"{direct['question_id']}__{mcq_id}__{turn}",
            "id": direct["id"],
            "mcq_id": mcq_id,
            "image": direct["image"],
            "index": f"{turn + 1}/{n}",
            "question": _lettered(stem, turned, LETTER[0]),
            "answer": chr(65 + (gold - turn) % n),
            "type": "mcq-e",
            "level": direct["level"],
        }


def build_questions(items: Sequence[Item] = ITEMS) -> tuple[list[Row], list[Row]]:
    """The rows of `all_questions.json` and of `mcq_questions.json`, in file order.

    Cross-image questions come first, then pair by pair the yes/no questions and the single-image question.
    Ids have gaps, as the published ones do: three numbers are left out after every pair.
    """
    choices = list(_choice_rows(items))
    cross, single = choices[: 2 * len(items)], choices[2 * len(items) :]
    direct: list[Row] = []
    circular: list[Row] = []

    def add_choice(question_id: int, choice: tuple[str, Row, list[str], str]) -> None:
        stem, row, options, closing = choice
        made = _direct_row(question_id, {**row, "question": _lettered(stem, options, closing)})
        direct.append(made)
        circular.extend(_rotations(made, len(circular) // 5, stem, options))

    for question_id, choice in enumerate(cross):
        add_choice(question_id, choice)
    next_id = len(cross)
    for item, choice in zip(items, single, strict=True):
        for row in _yes_no_rows(item):
            direct.append(_direct_row(next_id, row))
            next_id += 1
        add_choice(next_id, choice)
        next_id += 4
    return direct, circular


def draw_item(item: Item) -> dict[str, Image.Image]:
    """The three pictures of a pair, by their path in the sample."""
    source, edited = item.pair.source, item.pair.edited
    return {
        f"Single_Images/{item.id}_s.jpg": draw(source, SIZE),
        f"Single_Images/{item.id}_e.jpg": draw(edited, SIZE),
        f"Cross_Images/{item.id}_concat.jpg": side_by_side(draw(source, HALF), draw(edited, HALF)),
    }


def write_sample(out: Path, items: Sequence[Item] = ITEMS) -> None:
    """Write questions and pictures into a folder of the published layout."""
    for name, rows in zip(("all_questions", "mcq_questions"), build_questions(items), strict=True):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{name}.json").write_text(text, encoding="utf-8")
    for folder in ("Single_Images", "Cross_Images"):
        (out / folder).mkdir(exist_ok=True)
    for item in items:
        for name, picture in draw_item(item).items():
            picture.save(out / name, quality=_QUALITY, optimize=True)


def held_out(items: Sequence[Item] = ITEMS) -> dict[str, list[Any]]:
    """What training must not see.

    Returns:
        `keys`: what the sample's scenes show (`Scene.key`); `pixels_sha256`: hashes of the pixels, as
        training draws them, of every single and side-by-side picture; `pillow`: the version that drew
        them, since another may draw an edge otherwise.
    """
    keys = sorted({scene.key for item in items for scene in (item.pair.source, item.pair.edited)})
    hashes = sorted({pixel_hash(p) for item in items for p in pair_pictures(item.pair)})
    return {"keys": [list(key) for key in keys], "pixels_sha256": hashes, "pillow": [PIL.__version__]}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make MVP-Bench's sample.")
    parser.add_argument("--out", type=Path, default=Path("datasets_scripts/mvp_bench/sample"))
    write_sample(parser.parse_args().out)


if __name__ == "__main__":
    main()
