"""MVP-Bench from the command line against a server that answers as told, scored by hand from the raw files."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from tests.fake_server import REFUSAL, Asked, FakeServer

SAMPLE = Path(punctum.sample("mvp_bench"))
Row = dict[str, Any]


def raw(name: str) -> list[Row]:
    """The sample's questions as they stand in the file, read without any code of the package."""
    return [json.loads(line) for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines() if line.strip()]


DIRECT = raw("all_questions.json")
ROTATED = raw("mcq_questions.json")


def server(answer: Callable[[Row], str]) -> FakeServer:
    """Answers each question of the sample, known by its text and its picture's bytes."""
    known: dict[tuple[str, bytes], Row] = {}
    for row in DIRECT + ROTATED:
        known.setdefault((row["question"], (SAMPLE / row["image"]).read_bytes()), row)

    def reply(asked: Asked) -> str:
        [picture] = asked.pictures
        return answer(known[(asked.prompt, picture)])

    return FakeServer(reply)


def run(tmp_path: Path, answer: Callable[[Row], str], *words: str) -> Row:
    out = tmp_path / "results.json"
    with server(answer) as fake:
        command = ["run", *words, "--sample", "--model", f"openai:m@{fake.url}", "--quiet", "--json", str(out)]
        assert main([*command, "--store", str(tmp_path / "store.sqlite")]) == 0
    found: Row = json.loads(out.read_text())["tasks"]
    return found


def wrong(row: Row) -> str:
    """Another answer of the same form."""
    if row["answer"] in ("yes", "no"):
        return "no" if row["answer"] == "yes" else "yes"
    return "A" if row["answer"] != "A" else "B"


def test_gold_scores_one_everywhere(tmp_path: Path) -> None:
    found = run(tmp_path, lambda row: f"**{row['answer']}**", "mvp_bench", "--circular")
    assert set(found) == {"yes_no", "mcq_single", "mcq_cross"}
    for name, task in found.items():
        assert task["n_unparsed"] == task["n_failed"] == 0
        assert all(value == 1 for value in task["metrics"].values()), (name, task["metrics"])
    assert found["yes_no"]["n"] == sum(row["type"].startswith("y/n") for row in DIRECT)
    choices = sum(not row["type"].startswith("y/n") for row in DIRECT)
    assert found["mcq_single"]["n"] + found["mcq_cross"]["n"] == choices + len(ROTATED)
    for name in ("mcq_single", "mcq_cross"):
        letters = found[name]["breakdowns"]["letters_circular"]
        assert all(count["chosen"] == count["gold"] > 0 for count in letters.values())


def test_right_on_source_pictures_only(tmp_path: Path) -> None:
    found = run(tmp_path, lambda r: r["answer"] if r["type"] == "y/n-s" else wrong(r), "mvp_bench/yes_no")["yes_no"]
    metrics = found["metrics"]
    ones = {"acc_source_low", "acc_source_high", "i_acc_source"}
    zeros = {"acc_edited_low", "acc_edited_high", "q_acc_low", "q_acc_high", "i_acc_edited", "m_acc"}
    assert {key: metrics[key] for key in ones | zeros} == {**dict.fromkeys(ones, 1), **dict.fromkeys(zeros, 0)}
    rows = [row for row in DIRECT if row["type"].startswith("y/n")]
    assert metrics["a_acc"] == sum(row["type"] == "y/n-s" for row in rows) / len(rows)
    assert found["breakdowns"]["relative_gap"]["i_acc source to edited"] == 1


def test_refusing_high_level_questions(tmp_path: Path) -> None:
    found = run(tmp_path, lambda r: r["answer"] if r["level"] == "low" else REFUSAL, "mvp_bench/yes_no")["yes_no"]
    metrics = found["metrics"]
    rows = [row for row in DIRECT if row["type"].startswith("y/n")]
    low = sum(row["level"] == "low" for row in rows)
    assert found["n_unparsed"] == len(rows) - low
    assert (metrics["q_acc_low"], metrics["q_acc_high"], metrics["a_acc"]) == (1, 0, low / len(rows))
    assert metrics["q_acc_low_answered"] == metrics["a_acc_answered"] == 1
    assert metrics.get("q_acc_high_answered") is None


def test_some_pictures_wrong_by_hand(tmp_path: Path) -> None:
    """Wrong on every third yes/no question: each score counted here from the raw rows."""
    rows = [row for row in DIRECT if row["type"].startswith("y/n")]
    right = {row["question_id"]: i % 3 != 0 for i, row in enumerate(rows)}
    metrics = run(tmp_path, lambda r: r["answer"] if right[r["question_id"]] else wrong(r), "mvp_bench/yes_no")[
        "yes_no"
    ]["metrics"]
    by_question: dict[Any, list[bool]] = defaultdict(list)
    by_image: dict[Any, list[bool]] = defaultdict(list)
    by_pair: dict[Any, list[bool]] = defaultdict(list)
    for row in rows:
        by_question[(row["level"], row["id"], row["question"])].append(right[row["question_id"]])
        by_image[(row["type"], row["id"])].append(right[row["question_id"]])
        by_pair[row["id"]].append(right[row["question_id"]])

    def share(groups: list[list[bool]]) -> float:
        return sum(map(all, groups)) / len(groups)

    for level in ("low", "high"):
        assert metrics[f"q_acc_{level}"] == pytest.approx(share([g for k, g in by_question.items() if k[0] == level]))
    for side, kind in (("source", "y/n-s"), ("edited", "y/n-e")):
        several = [g for k, g in by_image.items() if k[0] == kind and len(g) > 1]
        assert metrics[f"i_acc_{side}"] == pytest.approx(share(several))
    assert metrics["m_acc"] == pytest.approx(share([g for g in by_pair.values() if len(g) > 3]))
    assert 0 < metrics["a_acc"] < 1


def test_one_wrong_rotation_spoils_the_question(tmp_path: Path) -> None:
    """Wrong in the last rotation of every second question."""

    def answer(row: Row) -> str:
        parts = str(row["question_id"]).split("__")
        spoilt = len(parts) == 3 and int(parts[1]) % 2 == 0 and row["index"] == "5/5"
        return wrong(row) if spoilt else f"{row['answer']}. as one sees"

    found = run(tmp_path, answer, "mvp_bench/mcq_cross", "--circular")["mcq_cross"]
    numbers = {r["question_id"].split("__")[1] for r in ROTATED if r["image"].startswith("Cross")}
    whole = sum(int(number) % 2 for number in numbers) / len(numbers)
    assert found["metrics"]["circular_accuracy"] == pytest.approx(whole)
    assert found["metrics"]["mean_rotation_accuracy"] == pytest.approx(1 - (1 - whole) / 5)


def test_the_level_can_be_chosen(tmp_path: Path) -> None:
    found = run(tmp_path, lambda row: str(row["answer"]), "mvp_bench", "--subset", "low")
    assert set(found) == {"yes_no", "mcq_cross"}
    assert found["mcq_cross"]["n"] == sum(r["type"] == "mcq-cross" and r["level"] == "low" for r in DIRECT)
    assert "subset:low" in found["yes_no"]["signature"]


def test_own_rotations_of_shuffled_options(tmp_path: Path) -> None:
    """A reader of option texts is right whatever the order, and each option has each letter once."""
    texts = {}
    for row in DIRECT:
        if row["type"] == "mcq-cross":
            lines = {line[0]: line[3:] for line in row["question"].splitlines() if line[1:3] == ". "}
            texts[(row["question"].splitlines()[0], (SAMPLE / row["image"]).read_bytes())] = lines[row["answer"]]

    def reply(asked: Asked) -> str:
        gold = texts[(asked.prompt.splitlines()[0], asked.pictures[0])]
        return next(line[0] for line in asked.prompt.splitlines() if line[3:] == gold and line[1:3] == ". ")

    out = tmp_path / "results.json"
    with FakeServer(reply) as fake:
        words = ["run", "mvp_bench/mcq_cross", "--sample", "--circular", "--shuffle", "--seed", "7"]
        command = [*words, "--model", f"openai:m@{fake.url}", "--quiet", "--json", str(out)]
        assert main([*command, "--store", str(tmp_path / "store.sqlite")]) == 0
    found = json.loads(out.read_text())["tasks"]["mcq_cross"]
    assert found["metrics"]["accuracy"] == found["metrics"]["circular_accuracy"] == 1
    golds = {count["gold"] for count in found["breakdowns"]["letters_circular"].values()}
    assert golds == {sum(r["type"] == "mcq-cross" for r in DIRECT)}
