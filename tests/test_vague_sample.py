"""VAGUE's sample: the released form, sound questions, readable tags, and no score for not looking."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from punctum._datasets import load
from punctum.datasets_scripts.vague.questions import KINDS, TEXTS
from punctum.datasets_scripts.vague.tags import tag_places

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "datasets_scripts" / "vague" / "sample"
OPENING = re.compile(r"The speaker wants (person\d+) to [a-z].*\.")


def rows() -> list[dict[str, Any]]:
    return json.loads((SAMPLE / "vague.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def texts() -> list[dict[str, Any]]:
    return json.loads((ROOT / "scripts/vague_sample_texts.json").read_text())  # type: ignore[no-any-return]


def test_form_is_the_released_one() -> None:
    assert len(rows()) == 24
    for row in rows():
        assert list(row) == ["image_name", "direct", "indirect", "solution", "mcq", "meta"]
        assert list(row["mcq"]) == [*TEXTS, "ordering"]
        assert set(row["meta"]) == {"caption", "ram_entity", "img_size", "person_bbox", "rating", "fake_caption"}
        assert 4 <= row["meta"]["rating"]["direct"] <= 5
        assert 3 <= row["meta"]["rating"]["indirect"] <= 5
    assert sum("@" in row["image_name"] for row in rows()) == 14
    assert len({row["image_name"] for row in rows()}) == 24


def test_options_are_as_the_construction_asks() -> None:
    """Opening, at most 15 words, all different; what they name is in the picture, or is not."""
    for row, text in zip(rows(), texts(), strict=True):
        person, _, thing = row["solution"].strip("()").split(", ")
        options = [row["mcq"][name] for name in TEXTS]
        for option in options:
            opening = OPENING.fullmatch(option)
            assert opening and opening[1] == person, option
            assert len(option.split()) <= 15, option
        assert len(set(options)) == 4
        assert thing in row["meta"]["ram_entity"]
        assert thing in options[0]
        wrong = text["wrong_object"]
        assert wrong not in row["meta"]["ram_entity"] and wrong in options[3], wrong
        assert 1 <= int(person.removeprefix("person")) <= len(row["meta"]["person_bbox"])


def test_utterances_name_neither_action_nor_object() -> None:
    for row in rows():
        _, action, thing = row["solution"].strip("()").split(", ")
        said = re.findall(r"\w+", row["indirect"].lower())
        for word in (action.split()[0], *thing.split()):
            assert word not in said and f"{word}s" not in said, (row["indirect"], word)
        assert row["indirect"].startswith("Hey person")
        assert row["direct"].startswith("Hey, person")


def by_source(vcr: bool) -> list[dict[str, Any]]:
    return [row for row in rows() if ("@" in row["image_name"]) is vcr]


def test_letters_are_balanced() -> None:
    assert Counter(row["mcq"]["ordering"][0] for row in rows()) == {"A": 6, "B": 6, "C": 6, "D": 6}
    for vcr in (True, False):
        counts = Counter(row["mcq"]["ordering"][0] for row in by_source(vcr))
        assert max(counts.values()) - min(counts[letter] for letter in "ABCD") <= 1
    shown = Counter((i, letter) for row in rows() for i, letter in enumerate(row["mcq"]["ordering"]))
    assert min(shown.values()) >= 2


@pytest.mark.parametrize("vcr", [True, False])
@pytest.mark.parametrize(
    "pick",
    [
        pytest.param(lambda options: max(options, key=len), id="longest"),
        pytest.param(lambda options: min(options, key=len), id="shortest"),
        pytest.param(lambda options: options[0], id="first"),
        pytest.param(lambda options: max(options, key=lambda text: len(text.split())), id="most words"),
        pytest.param(lambda options: min(options, key=lambda text: len(text.split())), id="fewest words"),
    ],
)
def test_not_looking_does_not_pay(vcr: bool, pick: Callable[[list[str]], str]) -> None:
    right = 0
    for row in by_source(vcr):
        options = [row["mcq"][TEXTS[row["mcq"]["ordering"].index(letter)]] for letter in "ABCD"]
        right += pick(options) == row["mcq"]["1_correct"]
    assert right / len(by_source(vcr)) < 0.5


def test_people_are_tagged_where_their_boxes_are() -> None:
    for row in rows():
        with (
            Image.open(SAMPLE / f"{row['image_name']}_annot.jpg") as one,
            Image.open(SAMPLE / f"{row['image_name']}.jpg") as other,
        ):
            assert one.size == other.size == (480, 320)
            assert dict(zip(("width", "height"), one.size, strict=True)) == row["meta"]["img_size"]
            tagged, plain = (np.asarray(image.convert("L"), dtype=int) for image in (one, other))
        assert plain.std() > 20
        places = tag_places(480, 320, row["meta"]["person_bbox"])
        outside = np.ones_like(plain, dtype=bool)
        for x0, y0, x1, y1 in places:
            tag = tagged[round(y0) : round(y1), round(x0) : round(x1)]
            assert (tag < 60).mean() > 0.3 and (tag > 200).mean() > 0.04, row["image_name"]
            outside[max(int(y0) - 16, 0) : int(y1) + 17, max(int(x0) - 16, 0) : int(x1) + 17] = False
        assert np.abs(tagged - plain)[outside].mean() < 1


@pytest.mark.parametrize(("config", "count"), [("vcr", 14), ("ego4d", 10), ("all", 24)])
@pytest.mark.parametrize("tags", ["keep", "draw"])
def test_the_builder_reads_it_without_a_fault(config: str, count: int, tags: str, tmp_path: Path) -> None:
    built = load("vague", config, data_dir=SAMPLE, cache_dir=str(tmp_path), tags=tags, strict=True)
    assert len(built) == count
    assert all(sorted(kinds) == sorted(KINDS) for kinds in built["option_kinds"])
    assert built[count - 1]["image"].size == (480, 320)


def test_drawn_tags_look_like_those_that_came(tmp_path: Path) -> None:
    """So that a model sees the same with `tags="draw"` as with the released pictures."""
    came, drawn = (
        load("vague", "all", data_dir=SAMPLE, cache_dir=str(tmp_path), tags=tags) for tags in ("keep", "draw")
    )
    for one, other in zip(came, drawn, strict=True):
        pixels = [np.asarray(row["image"].convert("L"), dtype=int) for row in (one, other)]
        assert np.abs(pixels[0] - pixels[1]).mean() < 1.5, one["id"]


def test_files() -> None:
    names = {f"{row['image_name']}{end}.jpg" for row in rows() for end in ("", "_annot")}
    assert {path.name for path in SAMPLE.iterdir()} == {"README.md", "vague.json", *names}
    assert sum(path.stat().st_size for path in SAMPLE.iterdir()) < 1_500_000
    pictures = {Image.open(SAMPLE / name).tobytes() for name in names}
    assert len(pictures) == 48


def test_making_it_again_gives_the_same(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_vague_sample.py"
    # From another folder, so that nothing depends on where it is started.
    subprocess.run([sys.executable, str(script), "--out", "again"], cwd=tmp_path, check=True, timeout=120)
    assert (tmp_path / "again/vague.json").read_bytes() == (SAMPLE / "vague.json").read_bytes()
    for row in rows():
        name = f"{row['image_name']}_annot.jpg"
        with Image.open(tmp_path / "again" / name) as new, Image.open(SAMPLE / name) as old:
            difference = np.abs(np.asarray(new, dtype=np.int16) - np.asarray(old, dtype=np.int16))
        # Equal under the Pillow that made them; another one may draw edges and letters a shade differently.
        assert difference.mean() < 1, name
