"""The shipped sample of MVP-Bench: it has the published form, is balanced, and can be made again."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "datasets_scripts/mvp_bench/sample"

Row = dict[str, Any]


def read_rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def direct() -> list[Row]:
    return read_rows("all_questions.json")


@pytest.fixture(scope="module")
def circular() -> list[Row]:
    return read_rows("mcq_questions.json")


def options_of(question: str) -> dict[str, str]:
    return {line[0]: line[3:] for line in question.splitlines() if line[1:3] == ". " and line[0] in "ABCDE"}


def category(pair: int) -> str:
    ends = {50: "B1", 100: "B2", 150: "B3", 198: "B4", 247: "R1", 296: "R2", 346: "I1", 397: "I2"}
    ends |= {446: "I3", 500: "E1", 546: "E2", 596: "S1", 646: "S2"}
    return next(code for end, code in ends.items() if pair <= end)


def test_counts_and_categories(direct: list[Row]) -> None:
    kinds = Counter(row["type"].split("-")[0] + "-" + row["type"].split("-")[1] for row in direct)
    pairs = {row["id"] for row in direct}
    assert len(pairs) >= 12
    assert len({category(pair) for pair in pairs}) >= 6
    assert kinds["y/n-s"] == kinds["y/n-e"] >= 16
    assert kinds["mcq-e"] >= 16
    assert kinds["mcq-cross"] >= 16
    for level in ("low", "high"):
        assert sum(row["type"] == "mcq-cross" and row["level"] == level for row in direct) >= 8


def test_fields_as_published(direct: list[Row], circular: list[Row]) -> None:
    assert {tuple(row) for row in direct} == {("question_id", "id", "image", "question", "answer", "type", "level")}
    assert {tuple(row) for row in circular} == {
        ("question_id", "id", "mcq_id", "image", "index", "question", "answer", "type", "level")
    }
    ids = [row["question_id"] for row in direct]
    assert len(ids) == len(set(ids)) and ids == sorted(ids) and ids[-1] >= len(ids), "unique, with gaps"
    assert {row["type"] for row in circular} == {"mcq-e"}


def test_every_picture_is_there_and_none_is_spare(direct: list[Row], circular: list[Row]) -> None:
    named = {row["image"] for row in (*direct, *circular)}
    there = {path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*.jpg")}
    assert named == there
    for name in named:
        with Image.open(SAMPLE / name) as picture:
            picture.load()
            assert picture.width == picture.height * (2 if name.startswith("Cross") else 1)
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 1_000_000


def test_yes_no_rows_give_every_score_a_denominator(direct: list[Row]) -> None:
    rows = [row for row in direct if row["type"].startswith("y/n")]
    by_question: dict[tuple[int, str], set[str]] = defaultdict(set)
    by_image = Counter(row["image"] for row in rows)
    by_pair = Counter(row["id"] for row in rows)
    for row in rows:
        assert row["question"].endswith("?\nPlease answer yes or no.")
        assert row["type"][-1] == row["image"][-5], "the type names the side that the picture shows"
        by_question[row["id"], row["question"]].add(row["type"])
    assert all(sides == {"y/n-s", "y/n-e"} for sides in by_question.values())
    assert all(n > 1 for n in by_image.values())
    assert all(n > 3 for n in by_pair.values())


def test_yes_no_answers_are_balanced_and_flip_between_the_sides(direct: list[Row]) -> None:
    answers: dict[tuple[int, str], list[str]] = defaultdict(list)
    balance: Counter[tuple[str, str, str]] = Counter()
    for row in direct:
        if row["type"].startswith("y/n"):
            answers[row["id"], row["question"]].append(row["answer"])
            balance[row["type"], row["level"], row["answer"]] += 1
    assert all(sorted(both) == ["no", "yes"] for both in answers.values())
    assert len(set(balance.values())) == 1, balance


def test_letters_are_balanced_and_options_differ(direct: list[Row]) -> None:
    letters: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in direct:
        if row["type"].startswith("mcq"):
            options = options_of(row["question"])
            assert list(options) == list("ABCDE") and len(set(options.values())) == 5, row
            assert row["answer"] in options
            letters[row["type"], row["level"]][row["answer"]] += 1
    assert len(letters) == 3
    for key, counts in letters.items():
        assert set(counts) == set("ABCDE"), key
        assert max(counts.values()) - min(counts.values()) <= 1, (key, counts)


def test_rotations_keep_the_gold_text(direct: list[Row], circular: list[Row]) -> None:
    choices = {row["question_id"]: row for row in direct if row["type"].startswith("mcq")}
    rotations: dict[int, list[Row]] = defaultdict(list)
    for row in circular:
        rotations[int(row["question_id"].split("__")[0])].append(row)
    assert set(rotations) == set(choices)
    for question_id, rows in rotations.items():
        base = choices[question_id]
        options, gold = options_of(base["question"]), options_of(base["question"])[base["answer"]]
        for turn, row in enumerate(rows):
            turned = list(options_of(row["question"]).values())
            assert row["question_id"] == f"{question_id}__{row['mcq_id']}__{turn}"
            assert row["index"] == f"{turn + 1}/5"
            assert turned == [*options.values()][turn:] + [*options.values()][:turn], "a left rotation"
            assert options_of(row["question"])[row["answer"]] == gold
            assert (row["image"], row["level"]) == (base["image"], base["level"])
        assert len(rows) == 5
        assert len({row["answer"] for row in rows}) == 5
    assert sorted({row["mcq_id"] for row in circular}) == list(range(len(choices)))


def test_making_it_again_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    from scripts.make_mvp_bench_sample import write_sample

    write_sample(tmp_path)
    for name in ("all_questions.json", "mcq_questions.json"):
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes()
    for path in SAMPLE.rglob("*.jpg"):
        with Image.open(path) as shipped, Image.open(tmp_path / path.relative_to(SAMPLE)) as made:
            assert shipped.size == made.size
            difference = np.abs(np.asarray(shipped, dtype=float) - np.asarray(made, dtype=float))
            assert difference.mean() < 1.0, f"{path.name}: other Pillow versions may differ, but not by this"


def test_both_sides_differ_in_one_attribute_and_in_their_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    from scripts.sample_pairs import ITEMS
    from scripts.sample_world import ATTRIBUTES

    for item in ITEMS:
        pair = item.pair
        changed = [name for name in ATTRIBUTES if pair.source.value(name) != pair.edited.value(name)]
        assert changed == [item.changed]
        one, other = (
            np.asarray(Image.open(SAMPLE / f"Single_Images/{item.id}_{side}.jpg"), dtype=float) for side in "se"
        )
        assert np.abs(one - other).mean() > 0.5
