"""DeepEval's sample: the published form, sound questions, and no score for not looking."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "datasets_scripts" / "deepeval" / "sample"
TASKS = {
    "Descripion_Questions.json": ("Description", "description"),
    "Title_Questions.json": ("Title", "title"),
    "DeepSemantics_Questions.json": ("Deep_Semantics", "deep meaning"),
}
CATEGORIES = {"humorous", "critical", "touching", "philosophical", "inspiring", "satirical"}
THEMES = {  # Appendix G
    "Social Justice and Activism",
    "Human Emotions and Relationships",
    "Philosophy and Life Approach",
    "Technology and Digital Dependency",
    "Environmental Awareness",
    "Mental Health and Well-being",
}
IMAGE_TYPES = {  # Appendix H
    "Poster",
    "Inspirational Art",
    "Comic Strips",
    "Manga",
    "Caricature",
    "Editorial Cartoon",
    "Environmental Cartoon",
}
IDS = [f"Img{i}" for i in range(1, 25)]

every_task = pytest.mark.parametrize("file", TASKS)


def rows(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLE / file).read_text(encoding="utf-8").splitlines()]


def annotated() -> dict[str, dict[str, str]]:
    return {row["Image_ID"]: row for row in rows("Annotation.json")}


@pytest.mark.parametrize("file", ["Annotation.json", *TASKS])
def test_form_of_the_files(file: str) -> None:
    raw = (SAMPLE / file).read_bytes()
    assert raw.isascii()
    assert raw.count(b"\r\n") == raw.count(b"\n") == 24
    assert raw.endswith(b"}\r\n")
    assert sorted(row["Image_ID"] for row in rows(file)) == sorted(IDS)


def test_annotations_are_long_enough_and_different() -> None:
    assert list(annotated()) == IDS
    for row in annotated().values():
        assert list(row) == ["Image_ID", "Url", "Description", "Title", "Deep_Semantics"]
        assert len(row["Description"]) >= 80
        assert len(row["Deep_Semantics"]) >= 80
        assert len(row["Title"]) >= 3
    for field in ("Description", "Title", "Deep_Semantics"):
        assert len({row[field] for row in annotated().values()}) == 24


@every_task
def test_gold_is_the_annotation_and_the_rest_is_not(file: str) -> None:
    field, _ = TASKS[file]
    known = annotated()
    for row in rows(file):
        annotation = known[row["Image_ID"]]
        assert row["Url"] == annotation["Url"]
        assert list(row["Options"]) == list("ABCD")
        assert row["Options"][row["Answer"]] == annotation[field]
        texts = [" ".join(text.lower().split()).strip(" .") for text in row["Options"].values()]
        assert len(set(texts)) == 4, row["Image_ID"]
        assert all(text == text.strip() and text for text in row["Options"].values())


@pytest.mark.parametrize("file", ["Title_Questions.json", "DeepSemantics_Questions.json"])
def test_distractors_are_the_other_pictures_texts(file: str) -> None:
    field, _ = TASKS[file]
    texts = {row[field] for row in annotated().values()}
    shown: Counter[str] = Counter()
    for row in rows(file):
        assert set(row["Options"].values()) <= texts
        shown.update(row["Options"].values())
    assert set(shown) == texts
    # A text that is only ever shown where it is right would give itself away.
    assert min(shown.values()) >= 2


def test_wrong_descriptions_change_the_true_one() -> None:
    known = annotated()
    for row in rows("Descripion_Questions.json"):
        true = known[row["Image_ID"]]["Description"].lower().split()
        for letter, text in row["Options"].items():
            if letter != row["Answer"]:
                kept = sum((Counter(true) & Counter(text.lower().split())).values()) / len(true)
                assert 0.3 < kept < 0.9, (row["Image_ID"], letter, kept)


@every_task
def test_letters_are_balanced(file: str) -> None:
    assert Counter(row["Answer"] for row in rows(file)) == {"A": 6, "B": 6, "C": 6, "D": 6}


def test_letters_differ_between_the_tasks() -> None:
    """Whoever has read one task knows nothing about the letters of another."""
    answers = [{row["Image_ID"]: row["Answer"] for row in rows(file)} for file in TASKS]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert sum(answers[one][i] == answers[other][i] for i in IDS) < 12


def test_descriptions_come_in_another_order() -> None:
    order = [row["Image_ID"] for row in rows("Descripion_Questions.json")]
    assert sum(a != b for a, b in zip(order, IDS, strict=True)) > 12


def most_like_the_others(options: dict[str, str]) -> str:
    """The option that shares most words with the rest: where all were made from the true one, the true one."""
    words = {letter: Counter(text.lower().split()) for letter, text in options.items()}
    return max(
        options,
        key=lambda one: sum(sum((words[one] & words[other]).values()) for other in options if other != one),
    )


@every_task
@pytest.mark.parametrize(
    "pick",
    [
        pytest.param(lambda options: max(options, key=lambda k: len(options[k])), id="longest"),
        pytest.param(lambda options: min(options, key=lambda k: len(options[k])), id="shortest"),
        pytest.param(lambda options: "A", id="first"),
        pytest.param(lambda options: max(options, key=lambda k: len(options[k].split())), id="most words"),
        pytest.param(lambda options: min(options, key=lambda k: len(options[k].split())), id="fewest words"),
        pytest.param(most_like_the_others, id="most like the others"),
    ],
)
def test_not_looking_does_not_pay(file: str, pick: Callable[[dict[str, str]], str]) -> None:
    right = sum(pick(row["Options"]) == row["Answer"] for row in rows(file))
    assert right / 24 < 0.5


@every_task
def test_prompts_take_four_options(file: str) -> None:
    _, noun = TASKS[file]
    for row in rows(file):
        for slot in (1, 2, 3):
            prompt = row[f"Prompt_{slot}"]
            assert prompt.count("{}") == 4
            assert noun in prompt
            assert (" \n" in prompt) == (slot > 1)


@pytest.mark.shared
@every_task
def test_form_and_prompts_are_the_published_ones(file: str, shared: Path) -> None:
    with (shared / "data" / "deepeval" / file).open(encoding="utf-8") as lines:
        published = json.loads(next(lines))
    ours = rows(file)[0]
    assert list(ours) == list(published)
    for slot in (1, 2, 3):
        assert ours[f"Prompt_{slot}"] == published[f"Prompt_{slot}"]


def test_pictures_decode_and_differ() -> None:
    seen = set()
    for row in annotated().values():
        with Image.open(SAMPLE / row["Url"]) as picture:
            assert picture.size == (320, 320)
            pixels = np.asarray(picture.convert("RGB"))
        assert pixels.std() > 20, row["Image_ID"]
        seen.add(pixels.tobytes())
    assert len(seen) == 24
    assert sorted(path.stem for path in (SAMPLE / "Images").iterdir()) == sorted(IDS)
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 1_500_000


def test_categories() -> None:
    with (SAMPLE / "categories.csv").open(encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines))
    assert list(table[0]) == ["Image_ID", "category", "with_text", "theme", "image_type"]
    assert [row["Image_ID"] for row in table] == IDS
    assert Counter(row["category"] for row in table) == dict.fromkeys(CATEGORIES, 4)
    assert {row["theme"] for row in table} == THEMES
    assert {row["image_type"] for row in table} <= IMAGE_TYPES
    assert Counter(row["with_text"] for row in table) == {"yes": 12, "no": 12}


def test_making_it_again_gives_the_same(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_deepeval_sample.py"
    # From another folder, so that nothing depends on where it is started.
    subprocess.run([sys.executable, str(script), "--out", "again"], cwd=tmp_path, check=True, timeout=120)
    again = tmp_path / "again"
    for file in ("Annotation.json", *TASKS, "categories.csv"):
        assert (again / file).read_bytes() == (SAMPLE / file).read_bytes(), file
    for image_id in IDS:
        name = f"Images/{image_id}.png"
        with Image.open(again / name) as new, Image.open(SAMPLE / name) as old:
            difference = np.abs(np.asarray(new, dtype=np.int16) - np.asarray(old, dtype=np.int16))
        # Equal under the Pillow that made them; another one may draw edges and letters a shade differently.
        assert difference.mean() < 0.5, name
