"""The published raw outputs of five models through the metrics give MVP-Bench's published tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from punctum.metrics.circular_accuracy.core import circular_accuracy
from punctum.metrics.mcq_accuracy.core import mcq_accuracy
from punctum.metrics.paired_yes_no.core import paired_yes_no

pytestmark = pytest.mark.shared

# Tables 1 and 2, in per cent: cross-image low and high, single-image high, each direct and circular.
CHOICES: dict[str, list[tuple[float | None, float]]] = {
    "llava_v1.5_7b": [(39.21, 20.26), (26.87, 14.10), (71.29, 57.18)],
    "mPLUG-Owl2": [(34.80, 21.15), (25.99, 13.22), (67.70, 50.72)],
    "MiniCPM-V-2": [(43.61, 29.52), (31.72, 11.45), (61.00, 44.74)],
    "MiniGPT-4-v1-7B": [(3.08, 0), (5.29, 0), (6.22, 0)],
    "GPT4V": [(None, 44.49), (None, 14.10), (None, 59.81)],
}
YES_NO = {
    "llava_v1.5_7b": [86.30, 82.59, 79.57, 71.30, 68.89, 51.74, 64.50, 52.66, 80.30, 31.36],
    "mPLUG-Owl2": [87.41, 81.85, 80.43, 72.17, 69.26, 54.78, 66.27, 54.44, 80.80, 36.09],
    "MiniCPM-V-2": [88.52, 79.63, 81.30, 71.30, 68.52, 55.22, 68.64, 53.85, 80.50, 34.91],
    "MiniGPT-4-v1-7B": [42.22, 36.30, 41.30, 26.09, 14.44, 8.26, 10.06, 4.73, 36.70, 0.59],
}
ORDER = [
    "acc_source_low", "acc_edited_low", "acc_source_high", "acc_edited_high",
    "q_acc_low", "q_acc_high", "i_acc_source", "i_acc_edited", "a_acc", "m_acc",
]  # fmt: skip


def read_rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def cut(text: str, marks: str) -> str:
    """The authors' extraction: what stands before the first of each mark, one after the other."""
    for mark in marks:
        text = text.split(mark)[0]
    return text.strip()


def block(row: dict[str, Any]) -> str | None:
    """Which block of the table a choice row belongs to."""
    if row["image"].startswith("Cross_Images"):
        return f"cross {row['level']}"
    return None if row["type"].startswith("y/n") else "single high"


@pytest.mark.parametrize("model", list(YES_NO))
def test_published_yes_no(model: str, shared: Path) -> None:
    data = shared / "data/mvp_bench"
    rows = [row for row in read_rows(data / "all_questions.json") if row["type"].startswith("y/n")]
    verdicts = {row["question_id"]: row for row in read_rows(data / f"predictions/{model}_evaluated.jsonl")}

    def answer(row: dict[str, Any]) -> str | None:
        word = cut(verdicts[row["question_id"]]["prediction"], ".,").lower()
        if word not in ("yes", "no"):
            word = str(verdicts[row["question_id"]]["extracted (GPT)"]).lower()
        return word if word in ("yes", "no") else None

    result = paired_yes_no(
        [answer(row) for row in rows],
        [row["answer"].lower() for row in rows],
        [row["id"] for row in rows],
        ["source" if row["type"] == "y/n-s" else "edited" for row in rows],
        [row["level"] for row in rows],
        [row["question"] for row in rows],
    )
    assert [round(100 * result[key], 2) for key in ORDER] == pytest.approx(YES_NO[model], abs=0.005)
    assert [result[f"n_{key}"] for key in ORDER] == [270, 270, 230, 230, 270, 230, 169, 169, 1000, 169]
    assert result["n_unpaired"] == 0


@pytest.mark.parametrize("model", list(CHOICES))
def test_published_choices(model: str, shared: Path) -> None:
    data = shared / "data/mvp_bench"
    blocks = ["cross low", "cross high", "single high"]

    def index(letter: str) -> int | None:
        return "ABCDE".index(letter) if len(letter) == 1 and letter in "ABCDE" else None

    if model != "GPT4V":
        rows = read_rows(data / "all_questions.json")
        outputs = {row["question_id"]: row["output"] for row in read_rows(data / f"predictions/{model}.jsonl")}
        for name, cell in zip(blocks, CHOICES[model], strict=True):
            mine = [row for row in rows if block(row) == name]
            chosen = [index(cut(outputs[row["question_id"]], ".,)").strip(" ()").upper()) for row in mine]
            direct = mcq_accuracy(chosen, [index(row["answer"]) for row in mine])
            assert cell[0] is not None
            assert round(100 * direct["accuracy"], 2) == pytest.approx(cell[0], abs=0.005)
            assert direct["n"] == (418 if name == "single high" else 227)

    rows = read_rows(data / "mcq_questions.json")
    outputs = {row["question_id"]: row["output"] for row in read_rows(data / f"predictions/mcq_{model}.jsonl")}
    for name, cell in zip(blocks, CHOICES[model], strict=True):
        mine = [row for row in rows if block(row) == name]
        result = circular_accuracy(
            [index(cut(outputs.get(row["question_id"], ""), ".,")) for row in mine],
            [index(row["answer"]) for row in mine],
            [row["mcq_id"] for row in mine],
            [int(row["question_id"].split("__")[2]) for row in mine],
            [int(row["index"].split("/")[1]) for row in mine],
        )
        assert round(100 * result["circular_accuracy"], 2) == pytest.approx(cell[1], abs=0.005)
        assert result["n_groups"] == (418 if name == "single high" else 227) and result["n_missing"] == 0
