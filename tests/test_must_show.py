"""Each paper's experiment end to end with real models: the sample's image-text model, gemma-3-270m for the text parts,
all-mpnet-base-v2 for similarities.

Their scores mean nothing; that each run ends with a score, counts and its paper's table does. One load of gemma serves
all. `docs/papers.md` says what such runs gave.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punctum.cli import main
from punctum.commands import run as run_command
from punctum.evaluators.models.base import Model, ModelOptions
from punctum.evaluators.models.loading import load_model
from tests.fake_server import Asked, FakeServer

pytestmark = pytest.mark.weights

GEMMA = "gguf:gemma"


@pytest.fixture(scope="module")
def loaded(gemma: Path) -> dict[str, Model]:
    """Models by what stands after `--model`; each is loaded once."""
    return {GEMMA: load_model(f"gguf:{gemma}")}


@pytest.fixture(autouse=True)
def once(loaded: dict[str, Model], monkeypatch: pytest.MonkeyPatch) -> None:
    def load(spec: str, options: ModelOptions | None = None) -> Model:
        if spec.startswith("openai:"):
            return load_model(spec, options)
        if spec not in loaded:
            loaded[spec] = load_model(spec, options)
        return loaded[spec]

    monkeypatch.setattr(run_command, "load_model", load)


@pytest.fixture
def show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Runs a command, and gives its tasks' results with what `run` and `report` print."""

    def run(*words: str) -> tuple[dict[str, Any], str]:
        out = tmp_path / "out"
        store = str(tmp_path / "store.sqlite")
        assert main(["run", *words, "--sample", "--store", store, "--out", str(out), "--resamples", "50"]) == 0
        assert main(["report", str(out)]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        tasks: dict[str, Any] = json.loads((out / "results.json").read_text(encoding="utf-8"))["tasks"]
        for name, task in tasks.items():
            bench = words[0].partition("/")[0]
            counts = f"{bench}/{name}: {task['n']} answers, {task['n_unparsed']} unreadable (counted as wrong), "
            assert f"{counts}{task['n_failed']} missing or failed" in printed
            assert task["n_failed"] == 0
        return tasks, printed

    yield run


def described(asked: Asked) -> str:
    """What an image-text model could have said of an ad: the sample's own says too little for a statement."""
    if "non-textual objects" in asked.prompt:
        return "a bottle, a feather, a hill"
    return {"You": "LIGHT AS AIR", "Des": "A bottle with plumage stands on a hill.", "Wha": "It wears feathers."}[
        asked.prompt[:3]
    ]


def test_action_reason_retrieval_from_a_description_and_a_statement(show: Any, tmp_path: Path) -> None:
    """Table 3's last row: gemma combines, chooses the statement and answers."""
    with FakeServer(described) as server:
        words = ["pitt_ads/arr", "--limit", "2", "--context", "T_V+s_IN", "--model", GEMMA]
        words += ["--describe-with", f"openai:d@{server.url}", "--gen", 'stop_strings=["Question:"]']
        tasks, printed = show(*words)
    assert tasks["arr"]["n"] == 2
    assert 0 <= tasks["arr"]["metrics"]["average"] <= 1
    assert "|context:T_V+s_IN|" in tasks["arr"]["signature"]
    for line in (tmp_path / "out" / "samples.jsonl").read_text(encoding="utf-8").splitlines():
        stages = json.loads(line)["stages"]
        assert set(stages) >= {"V", "T", "IN", "UH", "T_V"}
        assert stages["T_V"].strip() and json.loads(line)["prompt"].startswith(f"Context: {stages['T_V'].strip()}")
    assert "Persuasive atypical ads, Table 3: Action-reason retrieval" in printed


def test_labels_from_what_is_unusual(show: Any) -> None:
    tasks, printed = show(
        "pitt_ads/mac", "--limit", "2", "--context", "UH", "--model", GEMMA, "--describe-with", "punctum:sample"
    )
    assert 0 <= tasks["mac"]["metrics"]["f1_macro"] <= 1
    assert "Table 1: Atypicality understanding" in printed and "Table 7: Multi-label" in printed


@pytest.mark.parametrize("scoring", ["generate", "likelihood"])
def test_statement_retrieval_by_the_picture(show: Any, scoring: str) -> None:
    """The small model writes letters where numbers are asked for; by likelihood it chooses."""
    tasks, printed = show("pitt_ads/asr", "--model", "punctum:sample", "--scoring", scoring)
    chosen = sum(tasks["asr"]["breakdowns"]["chosen_kinds"].values())
    assert chosen == tasks["asr"]["n"] - tasks["asr"]["n_unparsed"]
    assert chosen == 12 or scoring == "generate"
    assert "Table 1: Atypicality understanding" in printed


def test_objects_scored_by_the_real_mpnet(show: Any, mpnet: Path) -> None:
    """One object at a time, as BLIP-2 is asked: then whatever the small model writes is an object."""
    words = ["pitt_ads/aor", "--model", "punctum:sample", "--wording", "blip", "--similarity-model", str(mpnet)]
    tasks, printed = show(*words)
    assert tasks["aor"]["n_unparsed"] < tasks["aor"]["n"] == 12
    assert 0.05 < tasks["aor"]["metrics"]["mpnet_similarity"] < 0.95
    assert "Table 2: Atypical object recognition" in printed


@pytest.mark.parametrize("scoring", ["generate", "likelihood"])
def test_readings_by_a_caption(show: Any, scoring: str) -> None:
    words = ["vague", "--setting", "sm", "--caption", "punctum:sample", "--limit", "3", "--model", GEMMA]
    tasks, printed = show(*words, "--scoring", scoring)
    valid = tasks["mcq"]["metrics"]["n_valid"]
    assert sum(tasks["mcq"]["breakdowns"]["failure_modes"].values()) <= valid <= 3
    assert valid == 3 or scoring == "generate"
    assert "VAGUE, Table 1: Accuracy by what is known of the picture" in printed


def test_readings_in_free_words(show: Any, mpnet: Path) -> None:
    words = ["vague/free_form", "--setting", "lm", "--limit", "2", "--model", GEMMA, "--similarity-model", str(mpnet)]
    tasks, printed = show(*words)
    assert 0 < tasks["free_form"]["metrics"]["bert_f1"] < 1
    assert "VAGUE, Table J5: All results" in printed


def test_explanations_by_the_picture(show: Any) -> None:
    tasks, printed = show("whoops", "--model", "punctum:sample")
    assert tasks["explanation"]["n"] == 24
    assert "Table 14: WHOOPS! explanations" in printed


def test_free_texts_and_their_judge(show: Any) -> None:
    words = ["deepeval", "--generative", "--judge", GEMMA, "--limit", "1", "--model", "punctum:sample"]
    tasks, printed = show(*words)
    assert list(tasks) == ["description_free", "title_free", "deep_semantics_free"]
    for task in tasks.values():
        assert sum(task["breakdowns"]["verdicts"].values()) + task["breakdowns"]["n_empty"] == 1
    assert "Table 7: Free generation" in printed
