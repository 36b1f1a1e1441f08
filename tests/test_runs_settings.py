"""VAGUE and WHOOPS! from the command line: three settings, captions, chains of thought, failure modes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from tests.fake_server import REFUSAL, Asked, FakeServer

VAGUE: list[dict[str, Any]] = json.loads((Path(punctum.sample("vague")) / "vague.json").read_text(encoding="utf-8"))
TEXTS = {"1_correct": "correct", "2_fake_scene": "FS", "3_surface_understanding": "SU", "4_wrong_entity": "NE"}


def run(tmp_path: Path, *words: str, out: str = "out") -> tuple[int, dict[str, Any]]:
    folder = tmp_path / out
    code = main(["run", *words, "--store", str(tmp_path / "store.sqlite"), "--out", str(folder), "--quiet"])
    results = folder / "results.json"
    return code, json.loads(results.read_text())["tasks"] if code == 0 else {}


def question(asked: Asked) -> dict[str, Any]:
    return next(row for row in VAGUE if row["indirect"] in asked.prompt)


def letter(row: dict[str, Any], key: str) -> str:
    """The letter that `ordering` gives to one of the four texts."""
    return str(row["mcq"]["ordering"][list(TEXTS).index(key)])


@pytest.mark.parametrize("key", TEXTS)
def test_each_kind_of_option_is_counted(tmp_path: Path, key: str) -> None:
    with FakeServer(lambda asked: letter(question(asked), key)) as server:
        code, found = run(tmp_path, "vague", "--sample", "--model", f"openai:m@{server.url}")
    assert code == 0
    task = found["mcq"]
    n = len(VAGUE)
    assert task["metrics"]["accuracy"] == (key == "1_correct")
    assert task["metrics"]["n_valid"] == task["n"] == n
    assert task["breakdowns"]["failure_modes"] == {m: n * (TEXTS[key] == m) for m in ("FS", "SU", "NE")}


def test_refusals_are_wrong_and_not_valid(tmp_path: Path) -> None:
    def answer(asked: Asked) -> str:
        row = question(asked)
        return letter(row, "1_correct") if "@" in row["image_name"] else REFUSAL

    with FakeServer(answer) as server:
        _, found = run(tmp_path, "vague", "--sample", "--model", f"openai:m@{server.url}")
    films = sum("@" in row["image_name"] for row in VAGUE)
    assert found["mcq"]["metrics"]["accuracy"] == pytest.approx(films / len(VAGUE))
    assert found["mcq"]["metrics"]["n_valid"] == films
    assert found["mcq"]["metrics"]["accuracy_answered"] == 1
    groups = found["mcq"]["breakdowns"]["by_group"]
    assert (groups["vcr"]["accuracy"], groups["ego4d"]["accuracy"]) == (1, 0)


def test_the_sources_are_subsets(tmp_path: Path) -> None:
    with FakeServer("A") as server:
        _, found = run(tmp_path, "vague", "--sample", "--subset", "vcr", "--model", f"openai:m@{server.url}")
    assert found["mcq"]["n"] == sum("@" in row["image_name"] for row in VAGUE)


def test_the_setting_decides_what_is_shown(tmp_path: Path) -> None:
    with FakeServer("A") as server:
        words = ("vague", "--sample", "--limit", "3", "--model", f"openai:m@{server.url}")
        for setting, pictures, start in (
            ("vlm", 1, "Based on the given image, choose"),
            ("lm", 0, "Choose the option that best explains"),
        ):
            server.asked.clear()
            assert run(tmp_path, *words, "--setting", setting, out=setting)[0] == 0
            assert [len(a.pictures) for a in server.asked] == [pictures] * 3
            assert all(a.prompt.startswith(start) for a in server.asked)
            assert all("\nA) " in a.prompt and "\nD) " in a.prompt for a in server.asked)


def test_captions_by_the_model_itself_by_the_data_by_another_and_from_a_file(tmp_path: Path) -> None:
    def answer(asked: Asked) -> str:
        return "A picture of mine." if asked.prompt.startswith("Describe") else "A"

    with FakeServer(answer) as server, FakeServer("Somebody else's words.") as other:
        words = ("vague", "--sample", "--limit", "3", "--setting", "sm", "--model", f"openai:m@{server.url}")
        captions = tmp_path / "captions.jsonl"
        lines = [{"id": row["image_name"], "caption": f"Number {i}."} for i, row in enumerate(VAGUE)]
        captions.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        wanted = {
            "self": ["A picture of mine."] * 3,
            "meta": [row["meta"]["caption"] for row in VAGUE[:3]],
            f"openai:o@{other.url}": ["Somebody else's words."] * 3,
            str(captions): ["Number 0.", "Number 1.", "Number 2."],
        }
        signatures = set()
        for number, (caption, texts) in enumerate(wanted.items()):
            server.asked.clear()
            code, found = run(tmp_path, *words, "--caption", caption, out=str(number))
            assert code == 0
            signatures.add(found["mcq"]["signature"])
            final = [asked for asked in server.asked if not asked.prompt.startswith("Describe")]
            shown = sorted(a.prompt.split("Scene description: ")[1].split("\nUtterance")[0] for a in final)
            assert shown == sorted(texts)
            assert not any(asked.pictures for asked in final)
        assert len(signatures) == len(wanted)
        captions.write_text(json.dumps(lines[0]) + "\n", encoding="utf-8")
        assert run(tmp_path, *words, "--caption", str(captions), out="missing")[0] == 2


def test_an_empty_caption_ends_no_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A model that writes nothing about one picture of many has still written."""
    with FakeServer(lambda asked: "" if asked.prompt.startswith("Describe") else "A") as server:
        words = ("vague", "--sample", "--limit", "3", "--setting", "sm", "--model", f"openai:m@{server.url}")
        code, found = run(tmp_path, *words)
    assert code == 0 and found["mcq"]["n_failed"] == 0
    assert "caption: 3 of 3 answers cannot be used; the questions go without" in caplog.text


@pytest.mark.parametrize(
    "form",
    [
        "Your answer1 (reasoning): Let's think step by step. A is tempting, but no.\nYour answer2 (intention): {}",
        "**Answer 1 (reasoning):** Let's think step by step. It is C or A.\n\n**Answer 2 (intention):** {}",
        "answer1: Let's think step by step. B.\nanswer2: ({})",
        "Answer1 (reasoning): Let's think. Answer2 would be A at first sight.\nAnswer2 (intention): {}",
    ],
)
def test_the_letter_behind_the_last_answer_2_counts(tmp_path: Path, form: str) -> None:
    with FakeServer(lambda asked: form.format(letter(question(asked), "1_correct"))) as server:
        code, found = run(tmp_path, "vague", "--sample", "--cot", "--model", f"openai:m@{server.url}")
        assert all("step by step" in asked.prompt for asked in server.asked)
    assert code == 0
    assert found["mcq"]["metrics"]["accuracy"] == 1
    assert "|cot:True|" in found["mcq"]["signature"]
    predictions = str(tmp_path / "out" / "predictions.jsonl")
    words = ["score", "vague", "--sample", "--cot", "--predictions", predictions, "--quiet"]
    assert main([*words, "--json", str(tmp_path / "again.json")]) == 0
    assert json.loads((tmp_path / "again.json").read_text())["tasks"]["mcq"]["metrics"]["accuracy"] == 1


def test_what_the_paper_does_not_have_is_refused(tmp_path: Path) -> None:
    model = ("--model", "baseline:first")
    assert run(tmp_path, "vague", "--sample", *model, "--cot", "--setting", "lm")[0] == 2
    assert run(tmp_path, "deepeval", "--sample", *model, "--cot")[0] == 2
    assert run(tmp_path, "deepeval", "--sample", *model, "--caption", "meta")[0] == 2


def test_whoops_by_kind_of_alteration(tmp_path: Path) -> None:
    folder = Path(punctum.sample("whoops"))
    [name] = list(folder.glob("*negatives*.json"))
    altered: dict[str, dict[str, str]] = json.loads(name.read_text(encoding="utf-8"))
    n = len(altered)

    def choose(kind: str) -> Any:
        texts = {of[kind] for of in altered.values()}

        def answer(asked: Asked) -> str:
            return next(line[0] for line in asked.prompt.splitlines() if line[1:3] == ") " and line[3:] in texts)

        return answer

    for kind in ("verb", "causal"):
        with FakeServer(choose(kind)) as server:
            code, found = run(tmp_path, "whoops", "--sample", "--model", f"openai:m@{server.url}", out=kind)
        assert code == 0
        assert found["explanation"]["breakdowns"]["chosen_kinds"][kind] == n
        assert found["explanation"]["metrics"]["accuracy"] == 0
    with FakeServer("A") as server:
        _, found = run(tmp_path, "whoops", "--sample", "--subset", "easy", "--model", f"openai:m@{server.url}")
        assert all("\nP) " in asked.prompt for asked in server.asked)
    chosen = found["explanation"]["breakdowns"]["chosen_kinds"]
    assert sum(chosen.values()) == n
    assert found["explanation"]["metrics"]["accuracy"] == pytest.approx(chosen.get("correct", 0) / n)
