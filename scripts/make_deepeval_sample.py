"""Make DeepEval's sample: pictures, annotations, questions and categories in the form of the published files.

    python scripts/make_deepeval_sample.py [--out DIR]

The texts are in `deepeval_sample_texts.json`, the drawings in `deepeval_drawings/`. A title's and a deep
meaning's wrong options are other cartoons' texts, chosen by hand: near, but not true of this picture. A
description is written with other words in three places, `{1:true|false}`; each wrong one takes the false words
in two of the three. So any two of the four options have equally much in common, and the true one does not give
itself away as the one that all others were made from. Which letter is right, and the order of the wrong
options, follow from a hash of seed, task and id, so every run gives the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # so that the script runs by its path as well as with -m

from scripts.deepeval_drawings import draw  # noqa: E402

SEED = 0
LETTERS = "ABCD"
DEFAULT_OUT = HERE.parent / "datasets_scripts" / "deepeval" / "sample"

# The published templates, blanks before the line breaks included (paper, Appendix B, and the released files).
_PROMPTS = (
    "Choose the correct answer to the following question. Which following text is the {best} of the image?\n"
    "Options: (A) {{}} (B) {{}} (C) {{}} (D) {{}}\nAnswer:",
    "Select the appropriate {noun} for the image from the options given. Which of these is the most suitable "
    "{noun} for the image? \nChoices: A) {{}} B) {{}} C) {{}} D) {{}}\nCorrect Answer:",
    "Identify the most suitable {noun} for the image from the given options. Which of the following should be "
    "chosen as the {noun}? \nChoices are: A. {{}}, B. {{}}, C. {{}}, and D. {{}}. \nThe correct answer is:",
)

# In a description: {place:true words|false words}.
_PLACE = re.compile(r"\{([123]):([^|{}]+)\|([^|{}]+)\}")

Item = Mapping[str, Any]


class Task(NamedTuple):
    """One question file: its name, the key of the gold text, and the words of its prompts."""

    file: str
    key: str
    noun: str
    best: str


TASKS = (
    Task("Descripion_Questions.json", "description", "description", "description"),  # spelt as published
    Task("Title_Questions.json", "title", "title", "best title"),
    Task("DeepSemantics_Questions.json", "deep_semantics", "deep meaning", "deep meaning"),
)


def digest(*parts: object) -> str:
    """Hex sha256 of the parts joined by colons, the seed first."""
    return hashlib.sha256(":".join(str(p) for p in (SEED, *parts)).encode()).hexdigest()


def read_items(path: Path) -> list[Item]:
    """The cartoons' texts; `description` is the true one, its template is in `template`."""
    items: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [{**item, "template": item["description"], "description": describe(item["description"])} for item in items]


def url(item: Item) -> str:
    """Where the picture lies, relative to the sample's folder."""
    return f"Images/{item['id']}.png"


def describe(template: str, false: Set[str] = frozenset()) -> str:
    """A description with the false words in the places named (of "1", "2", "3"), the true ones elsewhere."""
    return _PLACE.sub(lambda place: place[3] if place[1] in false else place[2], template)


def distractors(item: Item, task: Task, by_id: Mapping[str, Item]) -> list[str]:
    """The three wrong options, in hashed order.

    Raises:
        ValueError: if there are not three different ones, or one of them is the right text.
    """
    if task.key == "description":
        pairs = ({"2", "3"}, {"1", "3"}, {"1", "2"})
        texts = [describe(item["template"], false) for false in pairs]
    else:
        chosen = item["title_distractors" if task.key == "title" else "deep_distractors"]
        texts = [by_id[f"Img{number}"][task.key] for number in chosen]
    if len(texts) != 3 or len({*texts, item[task.key]}) != 4:
        raise ValueError(f"{item['id']}, {task.key}: needs three different wrong options, has {texts}")
    order = sorted(range(3), key=lambda k: digest(task.key, item["id"], k))
    return [texts[k] for k in order]


def questions(items: Sequence[Item], task: Task) -> list[dict[str, Any]]:
    """The rows of one question file, in the order of the annotations, each letter right equally often."""
    by_id: dict[str, Item] = {item["id"]: item for item in items}
    ranked = sorted(by_id, key=lambda image_id: digest(task.key, image_id))
    gold = {image_id: rank % len(LETTERS) for rank, image_id in enumerate(ranked)}
    prompts = {
        f"Prompt_{slot}": template.format(noun=task.noun, best=task.best)
        for slot, template in enumerate(_PROMPTS, start=1)
    }
    rows = []
    for item in items:
        options = distractors(item, task, by_id)
        options.insert(gold[item["id"]], item[task.key])
        rows.append(
            {
                "Image_ID": item["id"],
                "Url": url(item),
                "Options": dict(zip(LETTERS, options, strict=True)),
                "Answer": LETTERS[gold[item["id"]]],
                **prompts,
            }
        )
    return rows


def annotation(item: Item) -> dict[str, str]:
    """The row of `Annotation.json`."""
    return {
        "Image_ID": item["id"],
        "Url": url(item),
        "Description": item["description"],
        "Title": item["title"],
        "Deep_Semantics": item["deep_semantics"],
    }


def json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """JSON Lines as published: ASCII, CRLF after every line."""
    return "".join(json.dumps(row) + "\r\n" for row in rows).encode("ascii")


def categories(items: Sequence[Item]) -> bytes:
    """The labels that the published files lack, as the builder takes them from a user."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("Image_ID", "category", "with_text", "theme", "image_type"))
    for item in items:
        with_text = "yes" if item["with_text"] else "no"
        writer.writerow((item["id"], item["category"], with_text, item["theme"], item["image_type"]))
    return text.getvalue().encode()


def make(out: Path, report: Callable[[str], object] = print) -> None:
    """Write the whole sample (but its README) into `out`."""
    items = read_items(HERE / "deepeval_sample_texts.json")
    (out / "Images").mkdir(parents=True, exist_ok=True)
    for item in items:
        draw(item["drawing"]).save(out / url(item), optimize=True)
    (out / "Annotation.json").write_bytes(json_lines([annotation(item) for item in items]))
    for task in TASKS:
        rows = questions(items, task)
        if task.key == "description":  # published in another order than the annotations: join by Image_ID
            rows.sort(key=lambda row: digest("order", row["Image_ID"]))
        (out / task.file).write_bytes(json_lines(rows))
    (out / "categories.csv").write_bytes(categories(items))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    report(f"{len(items)} cartoons, {size / 1e6:.2f} MB in {out}")


def main() -> None:
    """Parse the command line and make the sample."""
    parser = argparse.ArgumentParser(description="Make DeepEval's sample.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder to write (default: the repo's sample)")
    make(parser.parse_args().out)


if __name__ == "__main__":
    main()
