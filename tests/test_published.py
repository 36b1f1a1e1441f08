"""Published answers in, published numbers out: MVP-Bench's five models, to 0.005 points."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from punctum.cli import main

pytestmark = pytest.mark.shared

#: Task and metric of each column of the published tables.
COLUMNS = [
    ("mcq_cross", "accuracy_low"),
    ("mcq_cross", "circular_accuracy_low"),
    ("mcq_cross", "accuracy_high"),
    ("mcq_cross", "circular_accuracy_high"),
    ("mcq_single", "accuracy"),
    ("mcq_single", "circular_accuracy"),
    ("yes_no", "acc_source_low"),
    ("yes_no", "acc_edited_low"),
    ("yes_no", "acc_source_high"),
    ("yes_no", "acc_edited_high"),
    ("yes_no", "q_acc_low"),
    ("yes_no", "q_acc_high"),
    ("yes_no", "i_acc_source"),
    ("yes_no", "i_acc_edited"),
    ("yes_no", "a_acc"),
    ("yes_no", "m_acc"),
]
ROWS = {
    "llava_v1.5_7b": "39.21 20.26 26.87 14.10 71.29 57.18 86.30 82.59 79.57 71.30 68.89 51.74 64.50 52.66 80.30 31.36",
    "mPLUG-Owl2": "34.80 21.15 25.99 13.22 67.70 50.72 87.41 81.85 80.43 72.17 69.26 54.78 66.27 54.44 80.80 36.09",
    "MiniCPM-V-2": "43.61 29.52 31.72 11.45 61.00 44.74 88.52 79.63 81.30 71.30 68.52 55.22 68.64 53.85 80.50 34.91",
    "MiniGPT-4-v1-7B": "3.08 0 5.29 0 6.22 0 42.22 36.30 41.30 26.09 14.44 8.26 10.06 4.73 36.70 0.59",
    "GPT4V": "– 44.49 – 14.10 – 59.81",
}


def score(folder: Path, model: str, out: Path, *more: str) -> dict[str, Any]:
    predictions = folder / "predictions"
    files = [f for f in (predictions / f"{model}.jsonl", predictions / f"mcq_{model}.jsonl") if f.is_file()]
    verdicts = predictions / f"{model}_evaluated.jsonl"
    command = ["score", "mvp_bench", "--data-dir", str(folder), "--predictions", *map(str, files)]
    if verdicts.is_file():
        command += ["--verdicts", str(verdicts)]
    assert main([*command, "--json", str(out), *more]) == 0
    value: dict[str, Any] = json.loads(out.read_text())
    return value


@pytest.mark.parametrize("model", ROWS)
def test_published_answers_give_published_numbers(shared: Path, tmp_path: Path, model: str) -> None:
    found = score(shared / "data" / "mvp_bench", model, tmp_path / "out.json", "--parser", "paper", "--quiet")
    assert found["model"]["id"] == model
    checked = 0
    for (task, metric), cell in zip(COLUMNS, ROWS[model].split(), strict=False):
        if cell == "–":
            assert metric not in found["tasks"][task]["metrics"]
            continue
        value = found["tasks"][task]["metrics"][metric]
        assert 100 * value == pytest.approx(float(cell), abs=0.005 + 1e-9), (task, metric)
        low, high = found["tasks"][task]["intervals"][metric]
        assert low <= value <= high
        checked += 1
    assert checked == (3 if model == "GPT4V" else len(COLUMNS))


def test_the_robust_parser_shows_both_parse_rates(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "data" / "mvp_bench"
    found = score(folder, "MiniGPT-4-v1-7B", tmp_path / "out.json", "--parser", "robust")
    for task in found["tasks"].values():
        rates = task["breakdowns"]["parse_rate"]
        assert rates["robust"] > rates["paper"] > 0
        said = task["breakdowns"].get("verdicts", {"yes": 0, "no": 0})
        assert task["n_unparsed"] == round((1 - rates["robust"]) * task["n"]) - said["yes"] - said["no"]
    assert found["tasks"]["yes_no"]["breakdowns"]["verdicts"]["unreadable"] > 0
    printed = capsys.readouterr().out
    assert "readable: robust" in printed
    assert "paper" in printed


def test_qacc_by_category(shared: Path, tmp_path: Path) -> None:
    """Both levels together; the counts that the category codes were checked by."""
    found = score(shared / "data" / "mvp_bench", "llava_v1.5_7b", tmp_path / "out.json", "--parser", "paper", "--quiet")
    table = found["tasks"]["yes_no"]["breakdowns"]["q_acc_by_category"]
    assert {c: (table[c]["n_right"], table[c]["n"]) for c in ("B1", "B3", "E1")} == {
        "B1": (53, 66),
        "B3": (33, 56),
        "E1": (18, 38),
    }


def test_letter_bias_of_a_published_model(shared: Path, tmp_path: Path) -> None:
    found = score(shared / "data" / "mvp_bench", "llava_v1.5_7b", tmp_path / "out.json", "--quiet")
    letters = found["tasks"]["mcq_single"]["breakdowns"]["letters_circular"]
    # the rotations bring every question's gold to every letter once; the last belongs to the one with four options
    assert [c["gold"] for c in letters.values()] == [418, 418, 418, 418, 417]
    assert sum(c["chosen"] for c in letters.values()) <= 2089
