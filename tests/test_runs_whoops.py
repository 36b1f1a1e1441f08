"""WHOOPS! told by the parts that the ads paper writes of ads: what is asked of whom, with what."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from datasets import Image

import punctum
from punctum._datasets import load
from punctum.cli import main
from tests.fake_server import Asked, FakeServer

STAGES = {
    "objects visible": ("V", "a snowman, a beach"),
    "OCR expert": ("T", "NO TXT"),
    "in detail": ("IN", "A snowman stands on a beach."),
    "unusual": ("UH", "Snow melts at the sea."),
    "Input Question-Anwers": ("T_V", "In sum, snow at the sea."),
}


@lru_cache
def rows() -> dict[str, dict[str, Any]]:
    """The sample's rows by the hash of their picture."""
    found = load("whoops", "explanation_hard", data_dir=punctum.sample("whoops")).cast_column(
        "image", Image(decode=False)
    )
    return {hashlib.sha256(Path(row["image"]["path"]).read_bytes()).hexdigest(): row for row in found}


def stage_of(asked: Asked) -> str:
    """Which stage asked; combining quotes the other questions, and so comes first."""
    if asked.prompt.startswith("A chat between a curious human"):
        return "T_V"
    if "Which of the following explains it?" in asked.prompt:
        return "question"
    return next(name for word, (name, _) in STAGES.items() if word in asked.prompt)


def right_option(asked: Asked) -> str:
    """The letter of the designer's explanation."""
    shown = [line.partition(") ") for line in asked.prompt.splitlines()]
    options = {text: letter for letter, mark, text in shown if mark and len(letter) == 1}
    [row] = [row for row in rows().values() if set(row["options"]) == set(options)]
    return options[row["options"][row["answers"][0]]]


def answer(asked: Asked) -> str:
    stage = stage_of(asked)
    return right_option(asked) if stage == "question" else dict(STAGES.values())[stage]


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(answer) as running:
        yield running


def run(server: FakeServer, tmp_path: Path, *words: str) -> tuple[dict[str, Any], list[Asked]]:
    """The task's results, and what the server was asked for them."""
    before = len(server.asked)
    code = main([
        "run", "whoops", "--sample", "--limit", "3", "--model", f"openai:m@{server.url}", *words,
        "--store", str(tmp_path / "store"), "--out", str(tmp_path / "out"), "--quiet",
    ])  # fmt: skip
    assert code == 0
    found = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    return found["tasks"]["explanation"], server.asked[before:]


def test_t_v_tells_of_a_picture_that_is_not_shown(server: FakeServer, tmp_path: Path) -> None:
    """Vicuna with T_V, Table 14."""
    found, asked = run(server, tmp_path, "--context", "T_V")
    # equal descriptions are combined once
    assert Counter(map(stage_of, asked)) == {"V": 3, "T": 3, "IN": 3, "UH": 3, "T_V": 1, "question": 3}
    for one in asked:
        assert len(one.pictures) == (stage_of(one) in ("V", "T", "IN", "UH"))
        if stage_of(one) == "question":
            head = "Context: In sum, snow at the sea.\nSomething in the image that the context tells of is unusual."
            assert one.prompt.startswith(head)
        if stage_of(one) == "T_V":
            assert all(text in one.prompt for name, text in STAGES.values() if name != "T_V")
    assert found["metrics"]["accuracy"] == 1
    assert "|context:T_V|setting:sm|" in found["signature"] and "|caption:" not in found["signature"]
    names = [
        word.partition("@")[0] for word in found["signature"].partition("|prompts:")[2].partition("|")[0].split("+")
    ]
    assert names == [
        "pitt_ads/objects", "pitt_ads/scene_text", "pitt_ads/describe", "pitt_ads/unusual", "pitt_ads/combine",
        "whoops/explanation_context", "pitt_ads/context",
    ]  # fmt: skip


def test_parts_are_written_once_for_all_contexts(server: FakeServer, tmp_path: Path) -> None:
    run(server, tmp_path, "--context", "T_V")
    found, asked = run(server, tmp_path, "--context", "UH+I+V")
    assert Counter(map(stage_of, asked)) == {"question": 3}
    for one in asked:
        assert one.prompt.startswith(
            "Context: Objects: a snowman, a beach\nSnow melts at the sea.\nSomething in the image is unusual."
        )
        assert len(one.pictures) == 1
    assert "|context:I+V+UH|setting:vlm|" in found["signature"]
    _, asked = run(server, tmp_path, "--context", "T_V-UH")
    assert Counter(map(stage_of, asked)) == {"T_V": 1}
    assert not any("What is unusual about this image?" in one.prompt for one in asked if stage_of(one) == "T_V")


def test_without_parts_the_question_is_the_usual_one(server: FakeServer, tmp_path: Path) -> None:
    usual, asked = run(server, tmp_path)
    same, again = run(server, tmp_path, "--context", "I")
    assert [stage_of(one) for one in asked] == ["question"] * 3 and again == []
    assert "|context:I|" in same["signature"] and "|context:" not in usual["signature"]
    assert same["metrics"] == usual["metrics"]
    for one in asked:
        row = rows()[hashlib.sha256(one.pictures[0]).hexdigest()]
        assert f"\n{right_option(one)}) {row['options'][row['answers'][0]]}\n" in one.prompt


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--context", "s_IN"), "s_IN is a statement about two objects of an ad, and whoops has none; known: I, V, T"),
        (("--context", "T_V+s_gt"), "s_gt is a statement"),
        (("--context", "T_X"), "no part 'T_X'"),
        (("--context", "I+T", "--setting", "sm"), "--setting sm shows no picture"),
        (("--context", "T", "--setting", "lm"), "--setting lm tells nothing"),
        (("--context", "T", "--caption", "meta"), "leave --caption or --context out"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    assert main(["run", "whoops", "--sample", "--model", "baseline:first", *words, "--store", store]) == 2
    assert message in capsys.readouterr().err
