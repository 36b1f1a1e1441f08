"""PittAds' sample: the published forms, sound statements, every config and option kind, and pictures that differ."""

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

import punctum
from punctum._datasets import load
from punctum.datasets_scripts.pitt_ads.annotations import read_annotations
from punctum.datasets_scripts.pitt_ads.statements import RELATIONS, plain

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "datasets_scripts" / "pitt_ads" / "sample"
KINDS = {
    "action": "action_alter",
    "reason": "reason_alter",
    "adjective": "adjective_alter",
    "object": "object_swap",
    "statement": "statement_alter",
}
SPLITS = ("train", "test")
ADS = read_annotations(SAMPLE / "final_csv.csv")


def read(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((SAMPLE / name).read_text(encoding="utf-8"))
    return value


def true(split: str) -> dict[str, list[str]]:
    published = read(f"QA_Combined_Action_Reason_{split}.json")
    return {image: value[0] if split == "train" else value for image, value in published.items()}


def hard(split: str, word: str) -> dict[str, list[str]]:
    """The wrong statements of a kind, in the order of the true ones they were made from."""
    pairs = read(f"{word}_hard_QA_Combined_Action_Reason_{split}.json")
    assert {image: pair[0] for image, pair in pairs.items()} == true(split)
    return {image: [text for text in options if text not in positives] for image, (positives, options) in pairs.items()}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    cache = str(tmp_path_factory.mktemp("cache"))

    def build(config: str, split: str, **kwargs: Any) -> Any:
        # The folder that people get; the same code as for published files; no fault may be counted.
        data_dir = punctum.sample("pitt_ads")
        return load("pitt_ads", config, data_dir=data_dir, split=split, cache_dir=cache, strict=True, **kwargs)

    return build


def test_six_ads_of_each_relation_and_six_typical_ones() -> None:
    firsts = Counter(ad.majority if ad.atypical else "typical" for ad in ADS.values())
    assert {relation: firsts[relation] for relation in RELATIONS} == dict.fromkeys(RELATIONS, 6)
    assert firsts["typical"] == sum(ad.typical for ad in ADS.values()) == 6
    assert all(len(ad.annotations) == 3 for ad in ADS.values())


def test_annotators_are_as_annotators_are() -> None:
    given = [annotation for ad in ADS.values() if ad.atypical for annotation in ad.annotations]
    assert any(annotation.label is None for annotation in given)  # a code outside the five
    assert any(annotation.label == "NA" for annotation in given)
    unusable = [a for a in given if a.relation and not a.usable]
    assert {"missing" if not a.secondary else "short" if len(a.secondary) < 3 else "long" for a in unusable} == {
        "missing",
        "short",
        "long",
    }
    assert any(not ad.annotations[0].usable for ad in ADS.values() if ad.usable)
    assert sum(len(ad.labels) > 1 for ad in ADS.values()) >= 6


@pytest.mark.parametrize("split", SPLITS)
def test_statements_have_an_action_and_a_reason(split: str) -> None:
    for image, texts in true(split).items():
        assert len({plain(text) for text in texts}) == 3, image
        for text in texts:
            assert text.startswith("I should ") and text.count(" because ") == 1 and text.endswith("."), text
            assert not set("{|}") & set(text)


@pytest.mark.parametrize("split", SPLITS)
def test_hard_negatives_are_of_their_kind(split: str) -> None:
    wrong = {word: hard(split, word) for word in KINDS}
    for image, texts in true(split).items():
        clauses = {tuple(text.split(" because ")) for text in texts}
        actions, reasons = {a for a, _ in clauses}, {r for _, r in clauses}
        every = [plain(text) for word in KINDS for text in wrong[word][image]]
        assert len(every) == len(set(every)) == 15, image
        assert not set(every) & {plain(text) for text in texts}
        for word in KINDS:
            for text in wrong[word][image]:
                action, reason = text.split(" because ")
                assert (action in actions) == (word in ("reason", "adjective")), (word, text)
                assert (reason in reasons) == (word in ("action", "object")), (word, text)
        for word, part in (("adjective", 1), ("object", 0)):  # one place is changed, the rest is kept
            for text in wrong[word][image]:
                words = Counter(text.split(" because ")[part].split())
                kept = max(sum((words & Counter(clause[part].split())).values()) for clause in clauses)
                assert kept >= words.total() - 2, text


def test_the_challenge_form_has_twelve_statements_of_other_ads() -> None:
    published = read("QA_Combined_Action_Reason_train.json")
    everything = {text: image for image, texts in true("train").items() for text in texts}
    for image, (positives, options) in published.items():
        assert len(options) == len(set(options)) == 15
        assert [everything[text] == image for text in options].count(True) == len(positives) == 3
        assert set(positives) < set(options)


@pytest.mark.parametrize("split", SPLITS)
def test_every_config_loads_without_a_fault(rows: Callable[..., Any], split: str) -> None:
    for config in ("mac", "asr", "aor", "arr", "arr_single"):
        built = rows(config, split)
        assert len(built) == 12
        assert all(image.size == (320, 320) for image in built["image"])
        assert all(topics and not topics[0].isdigit() for topics in built["topics"])
        assert 5 <= len(rows(config, split, subset="small")) < 12
    for config in ("mac", "arr", "arr_single"):
        assert len(rows(config, split, subset="typical")) == 3
    assert len(rows("asr", split, annotations="all")) > 24


@pytest.mark.parametrize("split", SPLITS)
def test_every_kind_of_option_is_there(rows: Callable[..., Any], split: str) -> None:
    def kinds(*args: Any, **kwargs: Any) -> set[str]:
        return {kind for row in rows(*args, split, **kwargs) for kind in row["option_kinds"]}

    assert kinds("asr") == {"correct", "wrong_object", "wrong_relation", "swapped"}
    for config in ("arr", "arr_single"):
        assert kinds(config) == {"correct", *KINDS.values()}
        assert kinds(config, negatives="easy") == {"correct", "other_image"}
    labels = {label for row in rows("mac", split) for label in row["labels"]}
    assert labels == {*RELATIONS, "NA"}


@pytest.mark.parametrize(
    "pick",
    [
        pytest.param(lambda options: max(options, key=len), id="longest"),
        pytest.param(lambda options: min(options, key=len), id="shortest"),
        pytest.param(lambda options: options[0], id="first"),
    ],
)
@pytest.mark.parametrize(
    ("config", "negatives"), [("asr", "hard"), ("arr", "hard"), ("arr_single", "hard"), ("arr_single", "easy")]
)
def test_not_looking_does_not_pay(
    rows: Callable[..., Any], config: str, negatives: str, pick: Callable[[list[str]], str]
) -> None:
    both = [row for split in SPLITS for row in rows(config, split, negatives=negatives)]
    right = sum(row["options"].index(pick(row["options"])) in row["answers"] for row in both)
    assert right / len(both) <= 0.25


def test_pictures_decode_and_differ() -> None:
    seen = set()
    for split in SPLITS:
        assert {f"{f.parent.name}/{f.name}" for f in (SAMPLE / f"{split}_images").rglob("*.png")} == set(true(split))
        for image in true(split):
            with Image.open(SAMPLE / f"{split}_images" / image) as picture:
                assert picture.size == (320, 320)
                pixels = np.asarray(picture.convert("RGB"))
            assert pixels.std() > 20, image
            seen.add(pixels.tobytes())
    assert len(seen) == 30
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 1_500_000


def test_making_it_again_gives_the_same(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "make_pitt_ads_sample.py"
    # From another folder, so that nothing depends on where it is started.
    subprocess.run([sys.executable, str(script), "--out", "again"], cwd=tmp_path, check=True, timeout=120)
    again = tmp_path / "again"
    files = {path.relative_to(SAMPLE) for path in SAMPLE.rglob("*") if path.is_file()}
    assert {path.relative_to(again) for path in again.rglob("*") if path.is_file()} == files - {Path("README.md")}
    for name in files - {Path("README.md")}:
        if name.suffix != ".png":
            assert (again / name).read_bytes() == (SAMPLE / name).read_bytes(), name
            continue
        with Image.open(again / name) as new, Image.open(SAMPLE / name) as old:
            difference = np.abs(np.asarray(new, dtype=np.int16) - np.asarray(old, dtype=np.int16))
        # Equal under the Pillow that made them; another one may draw edges and letters a shade differently.
        assert difference.mean() < 0.5, name


def test_the_small_subset_is_a_part_of_the_ads() -> None:
    names = (SAMPLE / "small.txt").read_text().split()
    assert len(names) == len(set(names)) == 14
    assert set(names) < {image for image, ad in ADS.items() if ad.atypical}


def test_form_of_the_table() -> None:
    with (SAMPLE / "final_csv.csv").open(encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines))
    assert list(table[0])[:4] == ["image_url", "category", "first_explaination", "second_explanation"]
    assert len(table) == 90
    assert {row["category"] for row in table} == {"1", "2", "3", "5", "8", "0", "Regular_Object"}
