"""WHOOPS!'s sample: the published form, negatives of every kind, and no score for not looking."""

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
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from PIL import Image

from punctum._datasets import load
from punctum.datasets_scripts.whoops.explanations import HARD_KINDS

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "datasets_scripts" / "whoops" / "sample"
LISTS = ("crowd_captions", "crowd_explanations", "crowd_underspecified_captions", "question_answering_pairs")


def rows() -> list[dict[str, str]]:
    with (SAMPLE / "whoops_dataset.csv").open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def negatives() -> dict[str, dict[str, str]]:
    return json.loads((SAMPLE / "hard_negatives.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_form_is_the_published_one() -> None:
    assert (SAMPLE / "whoops_dataset.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert len({row["image_id"] for row in rows()}) == len(rows()) == 24
    columns = {"image_id", "designer_explanation", "selected_caption", "commonsense_category", "image_designer", *LISTS}
    for row in rows():
        assert set(row) == columns
        for name in LISTS:
            values = json.loads(row[name])
            assert len(values) >= 2
            assert all(len(value) == 2 for value in values) or name != "question_answering_pairs"
        assert len(row["designer_explanation"].split()) >= 12
    assert len({row["commonsense_category"] for row in rows()}) >= 8


def test_every_picture_has_negatives_of_every_kind() -> None:
    explanations = {row["image_id"]: row["designer_explanation"] for row in rows()}
    assert list(negatives()) == list(explanations)
    for name, texts in negatives().items():
        gold = explanations[name]
        assert tuple(texts) == HARD_KINDS
        assert len({text.lower().strip(" .") for text in (gold, *texts.values())}) == 6
        assert texts["random"] in explanations.values()
        first = gold.split(", but")[0]
        assert texts["causal"].startswith(first)
        for kind in ("verb", "object", "adjective"):
            kept = sum((Counter(gold.split()) & Counter(texts[kind].split())).values()) / len(gold.split())
            assert 0.3 < kept < 1, (name, kind)


@pytest.mark.parametrize("config", ["explanation_easy", "explanation_hard"])
@pytest.mark.parametrize(
    "pick",
    [
        pytest.param(lambda options: max(options, key=len), id="longest"),
        pytest.param(lambda options: min(options, key=len), id="shortest"),
        pytest.param(lambda options: options[0], id="first"),
        pytest.param(lambda options: max(options, key=lambda text: len(text.split())), id="most words"),
    ],
)
def test_not_looking_does_not_pay(config: str, pick: Callable[[list[str]], str], tmp_path: Path) -> None:
    built = load("whoops", config, data_dir=SAMPLE, cache_dir=str(tmp_path), images="skip")
    assert sum(pick(row["options"]) == row["references"][0] for row in built) / 24 < 0.4


@pytest.mark.parametrize(("config", "options"), [("explanation_easy", 16), ("explanation_hard", 6)])
@pytest.mark.parametrize("gold", ["designer", "crowd"])
def test_the_builder_reads_it_without_a_fault(config: str, options: int, gold: str, tmp_path: Path) -> None:
    built = load("whoops", config, data_dir=SAMPLE, cache_dir=str(tmp_path), gold=gold, strict=True)
    assert len(built) == 24
    assert {len(row) for row in built["options"]} == {options}
    assert built[23]["image"].size == (320, 320)
    if config == "explanation_hard":
        assert all(sorted(kinds) == sorted(["correct", *HARD_KINDS]) for kinds in built["option_kinds"])


def test_the_other_forms_give_the_same_rows(tmp_path: Path) -> None:
    """The sample turned into the folder of pictures of today's release, and into Parquet."""
    drop = ["image", "source"]
    hard = str(SAMPLE / "hard_negatives.json")
    cache = str(tmp_path / "cache")
    plain = load("whoops", "explanation_hard", data_dir=SAMPLE, cache_dir=cache)
    folder = tmp_path / "folder/test"
    folder.mkdir(parents=True)
    with (folder / "metadata.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["file_name", *rows()[0]])
        writer.writeheader()
        for row in rows():
            writer.writerow({"file_name": f"{row['image_id']}.png", **row})
            picture = f"{row['image_id']}.png"
            (folder / picture).write_bytes((SAMPLE / "whoops_images" / picture).read_bytes())
    other = load(
        "whoops", "explanation_hard", data_dir=folder.parent, cache_dir=cache, hard_negatives=hard, strict=True
    )
    assert list(other.remove_columns(drop)) == list(plain.remove_columns(drop))
    assert [image.tobytes() for image in other["image"]] == [image.tobytes() for image in plain["image"]]
    table = tmp_path / "parquet/data"
    table.mkdir(parents=True)
    made: list[dict[str, Any]] = []
    for row in rows():
        content = (SAMPLE / f"whoops_images/{row['image_id']}.png").read_bytes()
        lists = {name: json.loads(row[name]) for name in LISTS}
        made.append({"image": {"bytes": content, "path": None}, **row, **lists})
    pq.write_table(pa.Table.from_pylist(made), table / "test-00000-of-00001.parquet")
    other = load("whoops", "explanation_hard", data_dir=table.parent, cache_dir=cache, hard_negatives=hard, strict=True)
    assert list(other.remove_columns(drop)) == list(plain.remove_columns(drop))
    assert [image.tobytes() for image in other["image"]] == [image.tobytes() for image in plain["image"]]


def test_pictures_decode_and_differ() -> None:
    seen = set()
    for row in rows():
        with Image.open(SAMPLE / f"whoops_images/{row['image_id']}.png") as picture:
            assert picture.size == (320, 320)
            pixels = np.asarray(picture.convert("RGB"))
        assert pixels.std() > 20, row["image_id"]
        seen.add(pixels.tobytes())
    assert len(seen) == 24
    assert len(list((SAMPLE / "whoops_images").iterdir())) == 24
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 1_500_000


def test_making_it_again_gives_the_same(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_whoops_sample.py"
    # From another folder, so that nothing depends on where it is started.
    subprocess.run([sys.executable, str(script), "--out", "again"], cwd=tmp_path, check=True, timeout=120)
    again = tmp_path / "again"
    for file in ("whoops_dataset.csv", "hard_negatives.json"):
        assert (again / file).read_bytes() == (SAMPLE / file).read_bytes(), file
    for row in rows():
        name = f"whoops_images/{row['image_id']}.png"
        with Image.open(again / name) as new, Image.open(SAMPLE / name) as old:
            difference = np.abs(np.asarray(new, dtype=np.int16) - np.asarray(old, dtype=np.int16))
        # Equal under the Pillow that made them; another one may draw edges and letters a shade differently.
        assert difference.mean() < 0.5, name
