"""Dry runs: their numbers are those of the run that follows, and they ask, load and write nothing."""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from tests.fake_server import Asked, FakeServer
from tests.tiny_models import save_llama, tokenizer

pytestmark = pytest.mark.timeout(120)
Capture = pytest.CaptureFixture[str]


def plan(capsys: Capture, tmp_path: Path, *words: str) -> dict[str, Any]:
    """The JSON of a dry run."""
    capsys.readouterr()
    command = ["run", *words, "--sample", "--dry-run", "--json", "-", "--quiet"]
    assert main([*command, "--store", str(tmp_path / "store.sqlite"), "--out", str(tmp_path / "out")]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["dry_run"] is True
    return found


def run(tmp_path: Path, *words: str) -> None:
    command = ["run", *words, "--sample", "--quiet", "--resamples", "0", "--store", str(tmp_path / "store.sqlite")]
    assert main([*command, "--max-failed", "1"]) == 0


def steps(found: dict[str, Any], task: str) -> dict[str, dict[str, Any]]:
    return {step["stage"]: step for step in found["tasks"][task]["steps"]}


def writer(asked: Asked) -> str:
    """Lists objects where they are wanted, chooses a statement, and writes something else everywhere else."""
    mark = hashlib.sha256(repr(asked.key).encode()).hexdigest()[:12]  # equal texts would be equal questions later
    if "non-textual objects" in asked.prompt and not asked.prompt.startswith("A chat"):
        return f"bottle {mark}, goose feather, table, lamp, window"
    return f"1 {mark}"


CASES = [
    ("deepeval",),
    ("deepeval/deep_semantics", "--describe", "self", "--prompt-slots", "1,3"),
    ("deepeval/title", "--setting", "lm", "--limit", "3"),
    ("vague", "--setting", "sm"),
    ("mvp_bench/mcq_cross", "--circular"),
    ("whoops",),
    ("pitt_ads/arr", "--context", "T_V+s_IN", "--limit", "4"),
    ("pitt_ads", "--context", "I+V+UH", "--limit", "3", "--negatives", "hard"),
]


@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_the_numbers_are_those_of_the_run_that_follows(
    words: tuple[str, ...], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    if words[0] == "pitt_ads":
        monkeypatch.setattr("punctum.evaluators.pitt_ads.score_objects", _no_scores)
    with FakeServer(writer) as server:
        model = ("--model", f"openai:m@{server.url}")
        before = plan(capsys, tmp_path, *words, *model)
        assert server.asked == []
        run(tmp_path, *words, *model)
        totals = [task["total"] for task in before["tasks"].values()]
        assert sum(total["calls"] for total in totals) == len(server.asked)
        assert sum(total["pictures"] for total in totals) == sum(len(asked.pictures) for asked in server.asked)
        most = sum(asked.body["max_tokens"] for asked in server.asked)
        assert sum(total["output_tokens"] for total in totals) == most
        assert {total["stored"] for total in totals} == {0}
        after = plan(capsys, tmp_path, *words, *model)
        assert {task["total"]["calls"] for task in after["tasks"].values()} == {0}
        stored = sum(task["total"]["stored"] for task in after["tasks"].values())
        # a description that several tasks use is found in the store by each of them
        n = len(server.asked)
        assert stored >= n if len(after["tasks"]) > 1 else stored == n


def _no_scores(pairs: Any, options: Any) -> Any:
    from punctum.evaluators.counting import Counted

    return Counted(len(list(pairs)), 0, 0, {})


def test_what_is_stored_is_taken_off_and_its_words_are_used(tmp_path: Path, capsys: Capture) -> None:
    words = ("deepeval/deep_semantics", "--describe", "self", "--prompt-slots", "1")
    with FakeServer(lambda asked: f"Scene {len(asked.pictures[0])}.") as server:
        model = ("--model", f"openai:m@{server.url}")
        run(tmp_path, *words, *model, "--limit", "5")
        found = plan(capsys, tmp_path, *words, *model)
        asked = len(server.asked)
    assert asked == 10
    described, questions = (steps(found, "deepeval/deep_semantics")[name] for name in ("description", "questions"))
    assert (described["calls"], described["stored"]) == (19, 5)
    assert (questions["calls"], questions["stored"]) == (19, 5)
    prompts = {p["stage"]: p for p in found["tasks"]["deepeval/deep_semantics"]["prompts"]}
    first_open = prompts["questions"]["id"]
    assert prompts["questions"]["prompt"].startswith(f"Description of the image: [description of {first_open}]\n")
    assert prompts["description"]["id"] == first_open


def test_a_prompt_of_each_kind_is_shown(tmp_path: Path, capsys: Capture) -> None:
    words = ("deepeval/deep_semantics", "--describe", "self", "--system", "Look well.")
    found = plan(capsys, tmp_path, *words, "--model", "openai:gpt-x")
    prompts = found["tasks"]["deepeval/deep_semantics"]["prompts"]
    assert [(p["stage"], p["prompt_slot"]) for p in prompts] == [
        ("description", 1),
        ("questions", 1),
        ("questions", 2),
        ("questions", 3),
    ]
    assert all(p["pictures"] == 1 and p["system"] == "Look well." for p in prompts)
    with FakeServer("B") as server:
        run(tmp_path, "deepeval/title", "--limit", "1", "--model", f"openai:m@{server.url}")
        again = plan(capsys, tmp_path, "deepeval/title", "--limit", "1", "--model", f"openai:m@{server.url}")
    sent = {asked.prompt for asked in server.asked}
    assert {p["prompt"] for p in again["tasks"]["deepeval/title"]["prompts"]} == sent  # also where all is stored


def test_tokens_are_estimated_as_said(tmp_path: Path, capsys: Capture) -> None:
    from PIL import Image

    words = ("deepeval/title", "--limit", "1", "--prompt-slots", "1", "--gen", "max_new_tokens=7")
    found = plan(capsys, tmp_path, *words, "--model", "openai:gpt-x")
    task = found["tasks"]["deepeval/title"]
    [prompt] = task["prompts"]
    [path] = Path(punctum.sample("deepeval"), "Images").glob(f"{prompt['id']}.*")
    width, height = Image.open(path).size
    text = math.ceil(len(prompt["prompt"]) / 4)
    assert task["total"]["prompt_tokens"] == text + math.ceil(width / 28) * math.ceil(height / 28)
    assert task["total"]["output_tokens"] == 7
    assert "4 characters" in found["remarks"][0] and "28 × 28 pixels" in found["remarks"][0]


def test_a_local_folder_is_not_loaded_but_its_tokenizer_counts(tmp_path: Path, capsys: Capture) -> None:
    folder = save_llama(tmp_path / "tiny-llama")
    (folder / "model.safetensors").write_bytes(b"no weights")
    words = ("deepeval/title", "--setting", "lm", "--limit", "1", "--prompt-slots", "1")
    found = plan(capsys, tmp_path, *words, "--model", str(folder))
    task = found["tasks"]["deepeval/title"]
    ids = tokenizer()(task["prompts"][0]["prompt"], add_special_tokens=False)["input_ids"]
    assert task["total"]["prompt_tokens"] == len(ids)
    assert task["total"]["stored"] is None
    assert f"the own tokenizer of {folder}" in found["remarks"][0]
    command = ["run", "deepeval/title", "--sample", "--dry-run", "--model", str(folder)]
    assert main(command) == 2  # its config says that it reads no pictures
    assert "reads no pictures" in capsys.readouterr().err


def test_nothing_is_called_loaded_or_written(tmp_path: Path) -> None:
    """In a process of its own: no torch, transformers or openai, no store, no folder."""
    code = (
        "import sys\nfrom punctum.cli import main\n"
        "for model in sys.argv[1:]:\n"
        "    assert main(['run', 'deepeval/title', '--sample', '--limit', '2', '--dry-run', '--model', model,\n"
        "                 '--out', 'out', '--store', 'stores/store.sqlite']) == 0\n"
        "print([m for m in ('torch', 'transformers', 'openai') if m in sys.modules])\n"
    )
    names = ["openai:gpt-x", "org/name", "punctum:sample", "image-text:org/name", "baseline:first"]
    environment = {k: v for k, v in os.environ.items() if k != "OPENAI_API_KEY"}
    done = subprocess.run(
        [sys.executable, "-c", code, *names], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
    assert list(tmp_path.iterdir()) == []
    assert "org/name is taken for a model that reads pictures; text:org/name is one that does not." in " ".join(
        done.stdout.split()
    )


def test_a_store_is_read_and_left_as_it_is(tmp_path: Path, capsys: Capture) -> None:
    with FakeServer("A") as server:
        run(tmp_path, "deepeval/title", "--limit", "2", "--model", f"openai:m@{server.url}")
        content = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        found = plan(capsys, tmp_path, "deepeval/title", "--limit", "3", "--model", f"openai:m@{server.url}")
    assert found["tasks"]["deepeval/title"]["total"]["stored"] == 6
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == content
    (tmp_path / "store.sqlite").write_text("no store")
    command = ["run", "deepeval/title", "--sample", "--dry-run", "--model", "openai:gpt-x"]
    assert main([*command, "--store", str(tmp_path / "store.sqlite")]) == 2
    assert "cannot be read as response store" in capsys.readouterr().err


def test_the_store_of_a_run_that_is_under_way_can_be_read(tmp_path: Path, capsys: Capture) -> None:
    """What it wrote stands in the log beside the file until it ends."""
    from punctum.store import ResponseStore

    with FakeServer("A") as server:
        words = ("deepeval/title", "--limit", "2", "--model", f"openai:m@{server.url}")
        with ResponseStore(tmp_path / "store.sqlite"):
            run(tmp_path, *words)
            assert (tmp_path / "store.sqlite-wal").stat().st_size > 0
            assert plan(capsys, tmp_path, *words)["tasks"]["deepeval/title"]["total"]["stored"] == 6


def test_what_cannot_be_asked_is_counted(tmp_path: Path, capsys: Capture) -> None:
    import shutil

    folder = tmp_path / "data"
    shutil.copytree(punctum.sample("deepeval"), folder)
    next((folder / "Images").glob("Img7.*")).unlink()
    words = ["run", "deepeval/title", "--data-dir", str(folder), "--model", "openai:gpt-x", "--dry-run"]
    assert main([*words, "--store", str(tmp_path / "s")]) == 0
    printed = capsys.readouterr().out
    assert "3 of 72 questions cannot be asked. The first: Img7: the picture is missing" in printed
    assert "│    69 │" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--model", "openai:gpt-x", "--scoring", "likelihood"), "use --scoring generate"),
        (
            ("--model", "openai:gpt-x", "--quantize", "8bit"),
            "--quantize 8bit does not go with openai:gpt-x: it is the server's to set",
        ),
        (("--model", "gguf:some.gguf"), "reads no pictures"),
        (("--model", "nope:x"), "no backend 'nope'"),
    ],
)
def test_what_the_run_would_refuse_is_refused(words: tuple[str, ...], message: str, capsys: Capture) -> None:
    assert main(["run", "deepeval/title", "--sample", "--dry-run", *words]) == 2
    assert message in capsys.readouterr().err


def test_likelihoods_write_nothing(tmp_path: Path, capsys: Capture) -> None:
    words = ("deepeval/title", "--limit", "1", "--prompt-slots", "1", "--scoring", "likelihood")
    found = plan(capsys, tmp_path, *words, "--model", "org/name")
    assert found["tasks"]["deepeval/title"]["total"]["output_tokens"] == 0
    assert found["tasks"]["deepeval/title"]["total"]["calls"] == 1


def test_a_model_that_ranks_is_planned_as_one(tmp_path: Path, capsys: Capture) -> None:
    words = ("deepeval/title", "--limit", "1", "--prompt-slots", "1", "--model", "clip:org/name")
    found = plan(capsys, tmp_path, *words)["tasks"]["deepeval/title"]
    assert (found["total"]["calls"], found["total"]["pictures"], found["total"]["output_tokens"]) == (1, 1, 0)
    assert len(found["prompts"][0]["prompt"].splitlines()) == 4
    folder = tmp_path / "encoder"
    folder.mkdir()
    (folder / "config.json").write_text('{"architectures": ["CLIPModel"], "vision_config": {}, "text_config": {}}')
    command = ["run", "deepeval/title", "--sample", "--dry-run", "--scoring", "generate", "--model", str(folder)]
    assert main(command) == 2
    assert "use --scoring rank" in capsys.readouterr().err


def test_the_plan_may_go_to_a_file(tmp_path: Path, capsys: Capture) -> None:
    command = ["run", "deepeval", "--sample", "--limit", "1", "--dry-run", "--model", "openai:gpt-x"]
    assert main([*command, "--json", str(tmp_path / "plan.json")]) == 0
    assert set(json.loads((tmp_path / "plan.json").read_text())["tasks"]) == {
        "deepeval/description",
        "deepeval/title",
        "deepeval/deep_semantics",
    }
    assert "All tasks" in capsys.readouterr().out
