"""Runs from the command line, against servers that answer as told, and against scores computed by hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from tests.fake_server import DOWN, REFUSAL, Asked, FakeServer, every

FILES = {"description": "Descripion", "title": "Title", "deep_semantics": "DeepSemantics"}


def raw(task: str) -> list[dict[str, Any]]:
    """The sample's questions as they stand in the file, read without any code of the package."""
    path = Path(punctum.sample("deepeval")) / f"{FILES[task]}_Questions.json"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def run(tmp_path: Path, *words: str, out: str = "out") -> tuple[int, dict[str, Any] | None, list[dict[str, Any]]]:
    """A run's exit code, `results.json` and the lines of `predictions.jsonl`."""
    folder = tmp_path / out
    code = main(["run", *words, "--store", str(tmp_path / "store.sqlite"), "--out", str(folder), "--quiet"])
    results = folder / "results.json"
    predictions = folder / "predictions.jsonl"
    return (
        code,
        json.loads(results.read_text()) if results.is_file() else None,
        [json.loads(line) for line in predictions.read_text().splitlines()] if predictions.is_file() else [],
    )


def letter_of(asked: Asked, question: dict[str, Any], text: str) -> str:
    """The letter before a text in the prompt, whatever the prompt's style."""
    before = asked.prompt.split(text)[0].rstrip(" .)")
    return before[-1]


def test_a_constant_letter_scores_the_share_of_that_letter(tmp_path: Path) -> None:
    with FakeServer("B") as server:
        code, results, lines = run(tmp_path, "deepeval", "--sample", "--model", f"openai:m@{server.url}")
    assert code == 0
    assert results is not None
    for task in FILES:
        questions = raw(task)
        share = Counter(q["Answer"] for q in questions)["B"] / len(questions)
        found = results["tasks"][task]
        assert found["metrics"]["accuracy"] == pytest.approx(share)
        assert found["metrics"]["variance_sample"] == 0
        assert found["n"] == 3 * len(questions)
        assert found["breakdowns"]["letters"]["B"]["chosen"] == 3 * len(questions)
    assert len(lines) == 3 * 3 * len(raw("title"))
    assert {line["output"] for line in lines} == {"B"}


def test_slots_are_scored_apart(tmp_path: Path) -> None:
    """Gold for the first prompt, refusals for the second, a wrong option for the third."""
    by_text = {q["Options"][q["Answer"]]: q for q in raw("title")}

    def answer(asked: Asked) -> str:
        question = next(q for text, q in by_text.items() if all(o in asked.prompt for o in q["Options"].values()))
        gold = question["Answer"]
        if asked.prompt.startswith("Choose"):
            return f"The answer is ({gold})."
        if asked.prompt.startswith("Select"):
            return REFUSAL
        return f"{'ABCD'[('ABCD'.index(gold) + 1) % 4]}. because of the colours"

    with FakeServer(answer) as server:
        code, results, lines = run(tmp_path, "deepeval/title", "--sample", "--model", f"openai:m@{server.url}")
    assert code == 0
    assert results is not None
    n = len(by_text)
    metrics = results["tasks"]["title"]["metrics"]
    assert [metrics[f"accuracy_slot_{slot}"] for slot in (1, 2, 3)] == [1, 0, 0]
    assert metrics["accuracy"] == pytest.approx(1 / 3)
    assert metrics["accuracy_answered"] == pytest.approx(1 / 2)
    assert metrics["variance_population"] == pytest.approx(2 / 9)
    assert metrics["variance_sample"] == pytest.approx(1 / 3)
    assert results["tasks"]["title"]["n_unparsed"] == n
    assert results["tasks"]["title"]["breakdowns"]["chosen_kinds"] == {"correct": n, "distractor": n}
    unread = [line for line in lines if line["prompt_slot"] == 2]
    assert all(line["parsed"] is None and not line["correct"] and line["output"] == REFUSAL for line in unread)


def test_the_picture_reaches_the_server_unless_the_setting_is_lm(tmp_path: Path) -> None:
    with FakeServer("A") as server:
        model = f"openai:m@{server.url}"
        run(tmp_path, "deepeval/title", "--sample", "--limit", "2", "--model", model)
        assert [len(a.pictures) for a in server.asked] == [1] * 6
        server.asked.clear()
        run(tmp_path, "deepeval/title", "--sample", "--limit", "2", "--model", model, "--setting", "lm")
        assert [len(a.pictures) for a in server.asked] == [0] * 6


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    with FakeServer("A") as server:
        words = ("deepeval/title", "--sample", "--model", f"openai:m@{server.url}")
        first = run(tmp_path, *words)
        asked = len(server.asked)
        assert run(tmp_path, *words, out="again") == first
        assert len(server.asked) == asked
        run(tmp_path, *words, "--gen", "max_new_tokens=3", out="other")
        assert len(server.asked) == 2 * asked


def test_a_shuffled_run_is_scored_by_option_not_by_letter(tmp_path: Path) -> None:
    golds = {q["Options"][q["Answer"]] for q in raw("title")}

    def answer(asked: Asked) -> str:
        """Knows the gold texts of each question only; reads the letter off the prompt that it was shown."""
        question = next(q for q in raw("title") if all(o in asked.prompt for o in q["Options"].values()))
        return letter_of(asked, question, question["Options"][question["Answer"]])

    assert golds
    words = ("deepeval/title", "--sample", "--prompt-slots", "1", "--shuffle", "--seed", "3")
    with FakeServer(answer) as server:
        code, results, lines = run(tmp_path, *words, "--model", f"openai:m@{server.url}")
    assert code == 0
    assert results is not None
    assert results["tasks"]["title"]["metrics"]["accuracy"] == 1
    assert "order:shuffled,seed=3" in results["tasks"]["title"]["signature"]
    published = {q["Image_ID"]: q["Answer"] for q in raw("title")}
    assert any(line["output"] != published[line["id"]] for line in lines)

    predictions = str(tmp_path / "out" / "predictions.jsonl")
    score = ["score", "deepeval/title", "--sample", "--predictions", predictions, "--quiet", "--json"]
    again = tmp_path / "again.json"
    assert main([*score, str(again), "--shuffle", "--seed", "3"]) == 0
    assert json.loads(again.read_text())["tasks"]["title"]["metrics"]["accuracy"] == 1
    assert main([*score, str(tmp_path / "wrong.json")]) == 2
    assert not (tmp_path / "wrong.json").exists()


def test_too_many_failures_leave_no_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeServer(every(2, DOWN, lambda asked: "A")) as server:
        words = ("deepeval/title", "--sample", "--model", f"openai:m@{server.url}", "--model-arg", "retries=0")
        code, results, _ = run(tmp_path, *words)
        assert code == 1
        assert results is None
        message = capsys.readouterr().err
        assert "of 72 answers are missing or failed" in message
        assert "--max-failed" in message
        stored = 72 - len([a for i, a in enumerate(server.asked, 1) if i % 2 == 0])
        server.answer = lambda asked: "A"
        server.asked.clear()
        code, results, _ = run(tmp_path, *words)
        assert code == 0
        assert len(server.asked) == 72 - stored
        assert results is not None
        assert results["tasks"]["title"]["n_failed"] == 0


def test_failures_below_the_threshold_are_counted(tmp_path: Path) -> None:
    with FakeServer(every(72, DOWN, lambda asked: "A")) as server:
        words = ("deepeval/title", "--sample", "--model", f"openai:m@{server.url}", "--model-arg", "retries=0")
        code, results, lines = run(tmp_path, *words, "--max-failed", "0.02")
    assert code == 0
    assert results is not None
    assert results["tasks"]["title"]["n_failed"] == 1
    failed = [line for line in lines if line["error"]]
    assert len(failed) == 1
    assert failed[0]["output"] is None
    assert not failed[0]["correct"]


def started(tmp_path: Path, server: FakeServer, out: str, store: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "punctum.cli", "run", "deepeval", "--sample", "--model", f"openai:m@{server.url}"]
    command += ["--concurrency", "2", "--store", str(tmp_path / store), "--out", str(tmp_path / out)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, preexec_fn=_hear_interrupts
    )


def _hear_interrupts() -> None:
    """A shell's background jobs, and what they start, ignore Ctrl-C; a person's terminal does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(server: FakeServer, n: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while len(server.asked) < n:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def by_length(asked: Asked) -> str:
    """An answer that depends on the question and on nothing else."""
    return "ABCD"[len(asked.prompt) % 4]


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    total = 3 * 3 * 24
    with FakeServer(by_length, latency=0.02) as server:
        process = started(tmp_path, server, "out", "store")
        wait_for(server, total // 2, process)
        process.kill()
        process.wait()
        assert not (tmp_path / "out" / "results.json").exists()
        again = started(tmp_path, server, "out", "store")
        again.communicate(timeout=300)
        assert again.returncode == 0
        in_flight = 2
        assert total <= len(server.asked) <= total + in_flight
        unbroken = started(tmp_path, server, "unbroken", "other")
        unbroken.communicate(timeout=300)
    for name in ("results.json", "predictions.jsonl"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "unbroken" / name).read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_leaves_a_usable_run(tmp_path: Path) -> None:
    total = 3 * 3 * 24
    with FakeServer(by_length, latency=0.02) as server:
        process = started(tmp_path, server, "out", "store")
        wait_for(server, total // 2, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert "interrupted" in err
        assert "same command goes on" in err
        assert "Traceback" not in err
        lines = [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()]
        assert 0 < len(lines) < total
        assert all(line["output"] in "ABCD" for line in lines)
        assert not (tmp_path / "out" / "results.json").exists()
        before = len(server.asked)
        again = started(tmp_path, server, "out", "store")
        again.communicate(timeout=300)
        assert again.returncode == 0
        assert len(server.asked) - before <= total - len(lines)


def test_scoring_the_predictions_of_a_run_gives_its_scores(tmp_path: Path) -> None:
    with FakeServer(by_length) as server:
        code, results, _ = run(tmp_path, "deepeval", "--sample", "--model", f"openai:m@{server.url}")
    assert code == 0
    assert results is not None
    out = tmp_path / "scored.json"
    predictions = str(tmp_path / "out" / "predictions.jsonl")
    assert main(["score", "deepeval", "--sample", "--predictions", predictions, "--json", str(out), "--quiet"]) == 0
    scored = json.loads(out.read_text())
    for task, found in results["tasks"].items():
        for part in ("n", "n_unparsed", "n_failed", "metrics", "intervals", "breakdowns"):
            assert scored["tasks"][task][part] == found[part], (task, part)


def test_replay_answers_what_a_file_says(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    lines = [
        {"id": q["Image_ID"], "task": task, "prompt_slot": slot, "output": q["Answer"] if slot < 3 else "no idea"}
        for task in FILES
        for q in raw(task)
        for slot in (1, 2, 3)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, results, _ = run(tmp_path, "deepeval", "--sample", "--model", f"replay:{path}")
    assert code == 0
    assert results is not None
    assert all(t["metrics"]["accuracy"] == pytest.approx(2 / 3) for t in results["tasks"].values())


def test_subsets_by_supplied_labels(tmp_path: Path) -> None:
    code, results, _ = run(tmp_path, "deepeval/title", "--sample", "--model", "baseline:first", "--subset", "satirical")
    assert code == 0
    assert results is not None
    assert results["tasks"]["title"]["n"] == 12
    assert set(results["tasks"]["title"]["breakdowns"]["by_label"]) <= {"satirical", "with_text", "without_text"}


def test_the_evaluator_in_python() -> None:
    punctum.evaluator("deepeval/description")  # a second evaluator must not meet a module of this name
    evaluator = punctum.evaluator("deepeval/title")
    found = evaluator.compute("baseline:first")
    questions = raw("title")
    share = Counter(q["Answer"] for q in questions)["A"] / len(questions)
    assert found["accuracy"] == pytest.approx(share)
    assert found["n"] == 72
    rows = punctum.load("deepeval", "title", data_dir=punctum.sample("deepeval"))
    with_intervals = evaluator.compute("baseline:first", rows, metric="accuracy", strategy="bootstrap", n_resamples=200)
    assert set(with_intervals) == {"accuracy", "n", "n_unparsed", "n_failed", "signature"}
    low, high = with_intervals["accuracy"]["confidence_interval"]
    assert low < share < high


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["run", "deepvale", "--sample", "--model", "baseline:first"], 2, "Did you mean deepeval"),
        (["run", "deepeval/titel", "--sample", "--model", "baseline:first"], 2, "Did you mean title"),
        (["run", "deepeval", "--sample", "--model", "nope:first"], 2, "no backend 'nope'.*baseline:"),
        (["run", "deepeval", "--sample", "--model", "baseline:best"], 2, "best.*random"),
        (
            ["run", "deepeval", "--sample", "--model", "baseline:first", "--subset", "funny"],
            2,
            "subset 'funny'.*humorous",
        ),
        (["run", "deepeval", "--sample", "--model", "baseline:first", "--setting", "sm"], 2, "setting 'sm'.*lm, vlm"),
        (["run", "deepeval", "--sample", "--model", "baseline:first", "--prompt-slots", "4"], 2, "1 to 3, not 4"),
        (["run", "deepeval", "--data-dir", "nowhere", "--model", "baseline:first"], 2, "no folder nowhere"),
        (["run", "deepeval", "--sample", "--model", "baseline:first", "--gen", "x"], 2, "'x' is not of the form K=V"),
        (
            ["run", "deepeval", "--sample", "--model", "openai:m@http://127.0.0.1:9/v1", "--scoring", "likelihood"],
            2,
            "no likelihoods",
        ),
        (
            ["run", "deepeval/title", "--sample", "--model", "baseline:first", "--parser", "mpv"],
            2,
            "mpv.*paper, robust",
        ),
        (
            ["run", "deepeval", "--sample", "--model", "baseline:first", "--circular"],
            2,
            "no task of deepeval has rotations",
        ),
        (["run", "deepeval", "--data-dir", "", "--model", "baseline:first"], 2, "--data-dir is empty"),
        (
            ["run", "deepeval", "--sample", "--model", "baseline:first", "--prompts", "nowhere"],
            2,
            "no folder of prompts",
        ),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else "",
)
def test_what_is_wrong_is_said(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import re

    assert main([*words, *(["--store", str(tmp_path / "s")] if words[0] == "run" else [])]) == code
    assert re.search(message, capsys.readouterr().err, re.S)


def test_the_list_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--prompts", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert {b["name"] for b in value["benchmarks"]} >= {"mvp_bench", "deepeval", "vague", "whoops"}
    assert {b["scheme"] for b in value["backends"]} >= {"", "baseline", "replay", "gguf", "openai", "punctum"}
    assert all(len(text) > 20 for text in value["metrics"].values())
    assert main(["list", "--prompts"]) == 0
    printed = capsys.readouterr().out
    assert "deepeval/title" in printed


def test_a_missing_picture_is_a_failure_and_not_asked_blindly(tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "data"
    shutil.copytree(punctum.sample("deepeval"), folder)
    next((folder / "Images").glob("Img7.*")).unlink()
    with FakeServer("A") as server:
        words = ("deepeval/title", "--data-dir", str(folder), "--model", f"openai:m@{server.url}")
        code, results, lines = run(tmp_path, *words, "--max-failed", "0.1")
        assert code == 0
        assert all(len(asked.pictures) == 1 for asked in server.asked)
    assert results is not None
    assert results["tasks"]["title"]["n_failed"] == 3
    assert {line["id"] for line in lines if line["error"]} == {"Img7"}
    for path in (folder / "Images").iterdir():
        path.unlink()
    with FakeServer("A") as server:
        code, _, _ = run(tmp_path, *words[:-1], f"openai:m@{server.url}", out="none")
    assert code == 2


def test_a_description_is_asked_once_a_picture_and_reaches_every_prompt(tmp_path: Path) -> None:
    def describer(asked: Asked) -> str:
        assert asked.prompt.startswith("Describe the image")
        return f"Scene number {len(asked.pictures[0])}."

    with FakeServer("B") as server, FakeServer(describer) as other:
        words = ("deepeval/deep_semantics", "--sample", "--model", f"openai:m@{server.url}", "--describe", "self")
        code, results, _ = run(tmp_path, *words, "--describe-with", f"openai:d@{other.url}")
        assert code == 0
        assert len(other.asked) == 24
        assert len(server.asked) == 72
        for asked in server.asked:
            assert asked.prompt.startswith(f"Description of the image: Scene number {len(asked.pictures[0])}.\n")
    assert results is not None
    signature = results["tasks"]["deep_semantics"]["signature"]
    assert "describe:self" in signature
    assert "made_by:describe=d@" in signature
    assert "deepeval/describe@" in signature


def test_annotated_descriptions_need_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    described = {line["Image_ID"]: line["Description"] for line in _annotations()}
    with FakeServer("B") as server:
        words = ("deepeval/deep_semantics", "--sample", "--model", f"openai:m@{server.url}", "--describe", "annotated")
        code, _, _ = run(tmp_path, *words, "--prompt-slots", "2", "--setting", "lm")
        assert code == 0
        assert {a.prompt.splitlines()[0] for a in server.asked} == {
            f"Description of the image: {text}" for text in described.values()
        }
        assert not any(asked.pictures for asked in server.asked)
        assert run(tmp_path, "deepeval/title", *words[1:])[0] == 2
        assert "name a task that takes one" in capsys.readouterr().err


def test_a_failed_description_fails_its_questions(tmp_path: Path) -> None:
    with FakeServer("B") as server, FakeServer(every(24, DOWN, lambda asked: "A scene.")) as other:
        words = ("deepeval/deep_semantics", "--sample", "--model", f"openai:m@{server.url}", "--describe", "self")
        more = ("--describe-with", f"openai:d@{other.url}", "--model-arg", "retries=0", "--max-failed", "0.1")
        code, results, lines = run(tmp_path, *words, *more)
        assert code == 0
        assert len(server.asked) == 69
    assert results is not None
    assert results["tasks"]["deep_semantics"]["n_failed"] == 3
    assert all(line["error"].startswith("description: ") for line in lines if line["error"])


def _annotations() -> list[dict[str, Any]]:
    path = Path(punctum.sample("deepeval")) / "Annotation.json"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def test_a_task_without_score_leaves_the_others_theirs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Titles fail; what could be scored is, every line is there with its error, and the message says why."""

    def answer(asked: Asked) -> Any:
        return DOWN if "title" in asked.prompt.splitlines()[0] else "A"

    with FakeServer(answer) as server:
        words = ("deepeval", "--sample", "--model", f"openai:m@{server.url}", "--model-arg", "retries=0")
        code, results, lines = run(tmp_path, *words)
    assert code == 1
    assert results is not None
    assert set(results["tasks"]) == {"description", "deep_semantics"}
    assert len(lines) == 3 * 72
    assert sum(line["error"] is not None for line in lines) == 72
    message = capsys.readouterr().err
    assert "deepeval/title: 72 of 72 answers are missing or failed" in message
    assert "The first: Img" in message and "500" in message


def test_the_limit_counts_rows_of_the_subset(tmp_path: Path) -> None:
    for words, n in ((("deepeval/title", "--subset", "critical"), 9), (("mvp_bench/yes_no", "--subset", "low"), 3)):
        code, results, _ = run(tmp_path, *words, "--sample", "--limit", "3", "--model", "baseline:first")
        assert code == 0
        assert results is not None
        assert next(iter(results["tasks"].values()))["n"] == n
