"""Runs against servers that stumble: every question ends answered or counted as failed, none is asked in vain."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections import Counter
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from punctum.cli import main
from tests.fake_server import (
    BAD_REQUEST,
    DOWN,
    HALF,
    NO_JSON,
    NOTHING,
    OTHER_JSON,
    REFUSAL,
    TOO_MANY,
    Answer,
    Asked,
    FakeServer,
    Reply,
    hanging,
    then,
)

pytest.importorskip("openai")
pytestmark = pytest.mark.timeout(120)
KEY = "key-of-a-test-0123456789"
N = 72  # title questions of the sample

OVERLOADED = Reply(raw=b'{"error": {"message": "overloaded", "code": 502}}')
NO_CHOICE = Reply(raw=b'{"id": "0", "object": "chat.completion", "created": 0, "model": "m", "choices": []}')
NULL = Reply(raw=b"null")
A_LIST = Reply(raw=b'["A"]')
NO_TEXT = Reply(raw=b"\xff\xfe\x00A")
SILENT = Reply(raw=b"")
NUMBER = Reply(raw=b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": 7}}]}')
BAD_GATEWAY = Reply(status=502, raw=b"<html>nginx</html>", headers={"Content-Type": "text/html"})
MOMENTARY = {
    "429 with seconds": TOO_MANY,
    "429 without a word": Reply(status=429, raw=b""),
    "429 that says nonsense": Reply(status=429, headers={"Retry-After": "tomorrow, perhaps"}, raw=b"{}"),
    "500": DOWN,
    "502 in HTML": BAD_GATEWAY,
    "half a body": HALF,
    "headers alone": Reply("A", cut=0),
    "nothing": NOTHING,
    "an empty body": SILENT,
    "HTML": NO_JSON,
    "other JSON": OTHER_JSON,
    "an error with status 200": OVERLOADED,
    "no choice": NO_CHOICE,
    "null": NULL,
    "a list": A_LIST,
    "no text": NO_TEXT,
    "a number for words": NUMBER,
    "words for a message": Reply(raw=b'{"choices": [{"message": "A"}]}'),
    "choices by name": Reply(raw=b'{"choices": {"first": {"message": {"content": "A"}}}}'),
    "half a character in an error": Reply(status=500, raw=b'{"error": {"message": "\\ud800"}}'),
    "a time-out": hanging(20),
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def run(tmp_path: Path, server: FakeServer, *words: str, task: str = "deepeval/title", url: str = "") -> int:
    """A run with little patience; its code."""
    command = ["run", task, "--sample", "--model", f"openai:m@{url or server.url}", "--resamples", "0", "--quiet"]
    command += ["--model-arg", "backoff=0.01", "--model-arg", "timeout=0.5"]
    return main([*command, "--store", str(tmp_path / "store"), "--out", str(tmp_path / "out"), *words])


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()]


def title(tmp_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((tmp_path / "out" / "results.json").read_text())["tasks"]["title"]
    return found


def letter(asked: Asked) -> str:
    return "ABCD"[len(asked.prompt) % 4]


def kept(tmp_path: Path) -> bytes:
    """Everything that a run left on the disk."""
    return b"".join(path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file())


class Log:
    """What a server answered, and to which question."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self.given: list[tuple[object, str | Reply]] = []

    def __call__(self, asked: Asked) -> str | Reply:
        reply = self._answer(asked)
        with self._lock:
            self.given.append((asked.key, reply))
        return reply

    def asked_after_success(self) -> int:
        """Calls for a question that had its answer already."""
        done: set[object] = set()
        late = 0
        for key, reply in self.given:
            late += key in done
            if isinstance(reply, str):
                done.add(key)
        return late


@pytest.mark.parametrize("fault", MOMENTARY.values(), ids=MOMENTARY)
def test_a_moment_of_weakness_costs_a_try_and_no_answer(fault: Reply, tmp_path: Path) -> None:
    log = Log(then([fault], letter))
    with FakeServer(log) as server:
        assert run(tmp_path, server, "--limit", "2", "--concurrency", "3") == 0
    assert log.asked_after_success() == 0
    assert len(log.given) == 12
    assert title(tmp_path)["n_failed"] == 0
    assert [line["output"] in "ABCD" for line in lines(tmp_path)] == [True] * 6


@pytest.mark.parametrize("fault", MOMENTARY.values(), ids=MOMENTARY)
def test_what_stays_broken_is_a_failure_and_is_asked_again_by_the_next_run(fault: Reply, tmp_path: Path) -> None:
    def answer(asked: Asked) -> str | Reply:
        return fault if asked.prompt.startswith("Select") else letter(asked)

    log = Log(answer)
    words = ("--limit", "2", "--concurrency", "3", "--model-arg", "retries=1", "--max-failed", "0.5")
    with FakeServer(log) as server:
        assert run(tmp_path, server, *words) == 0
        assert title(tmp_path)["n_failed"] == 2
        failed = [line for line in lines(tmp_path) if line["error"] is not None]
        assert len(failed) == 2
        assert all(line["output"] is None and not line["correct"] for line in failed)
        assert all(f"{server.url}: " in line["error"] and "after 2 tries" in line["error"] for line in failed)
        assert len(log.given) == 4 + 2 * 2
        server.answer = again = Log(letter)
        assert run(tmp_path, server, *words) == 0
    assert len(again.given) == 2
    assert title(tmp_path)["n_failed"] == 0
    assert log.asked_after_success() == again.asked_after_success() == 0


def test_all_faults_at_once(tmp_path: Path) -> None:
    """Every question meets two faults of its own before it is answered."""
    faults = [fault for name, fault in MOMENTARY.items() if name != "a time-out"]
    numbers: dict[object, int] = {}
    tries: Counter[object] = Counter()
    lock = threading.Lock()

    def answer(asked: Asked) -> str | Reply:
        with lock:
            number = numbers.setdefault(asked.key, len(numbers))
            tries[asked.key] += 1
            n = tries[asked.key]
        return faults[(number + n * 5) % len(faults)] if n <= 2 else letter(asked)

    log = Log(answer)
    with FakeServer(log) as server:
        assert run(tmp_path, server) == 0
    assert set(tries.values()) == {3}
    assert len(tries) == N
    assert log.asked_after_success() == 0
    assert title(tmp_path)["n_failed"] == title(tmp_path)["n_unparsed"] == 0
    assert KEY.encode() not in kept(tmp_path)


def test_a_date_to_come_back_at_is_waited_for(tmp_path: Path) -> None:
    times: dict[object, list[float]] = {}

    def answer(asked: Asked) -> str | Reply:
        seen = times.setdefault(asked.key, [])
        seen.append(time.time())
        if len(seen) > 1:
            return letter(asked)
        later = formatdate(int(seen[0]) + 2, usegmt=True)  # whole seconds: one to two from now
        return Reply(status=429, headers={"Retry-After": later}, raw=b"{}")

    with FakeServer(answer) as server:
        assert run(tmp_path, server, "--limit", "1") == 0
    assert len(times) == 3
    assert all(len(seen) == 2 and seen[1] >= int(seen[0]) + 2 for seen in times.values())


@pytest.mark.parametrize("reply", [REFUSAL, Reply(None, message={"refusal": "I cannot look at people."})])
def test_a_refusal_is_an_answer(reply: str | Reply, tmp_path: Path) -> None:
    with FakeServer(lambda asked: reply) as server:
        assert run(tmp_path, server) == 0
        assert len(server.asked) == N
        assert run(tmp_path, server) == 0
        assert len(server.asked) == N  # it is stored like any other
    found = title(tmp_path)
    assert (found["n_failed"], found["n_unparsed"], found["metrics"]["accuracy"]) == (0, N, 0)
    assert {line["output"] for line in lines(tmp_path)} == {
        reply if isinstance(reply, str) else "I cannot look at people."
    }


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart(name: str, tmp_path: Path) -> None:
    with FakeServer(Reply("B", message={name: "It might be A, or the answer is C."})) as server:
        assert run(tmp_path, server, "--limit", "1") == 0
    assert {line["output"] for line in lines(tmp_path)} == {"B"}
    samples = [json.loads(line) for line in (tmp_path / "out" / "samples.jsonl").read_text().splitlines()]
    assert {sample["reasoning"] for sample in samples} == {"It might be A, or the answer is C."}


ODD = {
    "half a character": ('"content": "B \\ud800"', "{}", "B ?"),
    "half a character of reasoning": ('"content": "B", "reasoning": "\\udfff"', "{}", "B"),
    "counts in words": ('"content": "B"', '{"prompt_tokens": "seven", "completion_tokens": []}', "B"),
    "counts below zero": ('"content": "B"', '{"prompt_tokens": -7, "completion_tokens": 0.5}', "B"),
    "usage as a list": ('"content": "B"', "[7]", "B"),
    "parts": ('"content": [{"type": "text", "text": "B"}, {"type": "text", "text": null}, "x"]', "{}", "B"),
    "a character that ends": ('"content": "B\\u0000"', "{}", "B\0"),
}


@pytest.mark.parametrize(("message", "usage", "wanted"), ODD.values(), ids=ODD)
def test_an_odd_answer_is_an_answer(message: str, usage: str, wanted: str, tmp_path: Path) -> None:
    """It is asked for once, whatever stands around it, and can be written."""
    body = f'{{"choices": [{{"message": {{{message}}}, "finish_reason": 3}}], "usage": {usage}}}'
    with FakeServer(Reply(raw=body.encode())) as server:
        assert run(tmp_path, server, "--limit", "1", "--max-tokens-total", "100000") == 0
        assert run(tmp_path, server, "--limit", "1") == 0
        assert len(server.asked) == 3
    assert {line["output"] for line in lines(tmp_path)} == {wanted}


def test_a_key_that_a_server_repeats_stands_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}. sk-proj-ab12****9xyz is not it."}})
    with FakeServer(Reply(status=401, raw=body.encode())) as server, caplog.at_level(logging.DEBUG):
        url = server.url.replace("http://", "http://reader:hunter2@")
        assert run(tmp_path, server) == 1
        assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}
        assert len(server.asked) < 40  # given up: the other questions would be refused as well
        server.asked.clear()
        assert run(tmp_path, server, url=url, task="deepeval/description") == 1
        assert {asked.headers["authorization"] for asked in server.asked} == {"Basic cmVhZGVyOmh1bnRlcjI="}
    message = capsys.readouterr().err
    assert "72 of 72 answers are missing or failed" in message
    assert "Incorrect API key provided: ***" in message
    shown = message + caplog.text + kept(tmp_path).decode("utf-8", "replace")
    for secret in (KEY, "sk-proj", "hunter2", "cmVhZGVyOmh1bnRlcjI="):
        assert secret not in shown, secret
    assert len(lines(tmp_path)) == N
    assert sum("not asked, since" in line["error"] for line in lines(tmp_path)) >= N - 40


def test_a_dead_server_ends_a_run_early_and_clearly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeServer("A") as server:
        gone = server.url
    start = time.monotonic()
    command = ["run", "deepeval", "--sample", "--model", f"openai:m@{gone}", "--store", str(tmp_path / "store")]
    assert main([*command, "--out", str(tmp_path / "out"), "--model-arg", "backoff=0.01"]) == 1
    assert time.monotonic() - start < 60
    message = " ".join(capsys.readouterr().err.split())
    assert "deepeval/title: 72 of 72 answers are missing or failed" in message
    assert f"{gone}: APIConnectionError after 6 tries" in message
    assert not (tmp_path / "out" / "results.json").exists()
    assert len(lines(tmp_path)) == 3 * N


def test_a_server_that_comes_back_goes_on(tmp_path: Path) -> None:
    """It dies in the second task; the third is tried again, and the next run asks for what is missing."""
    log = Log(lambda asked: DOWN if "title" in asked.prompt.splitlines()[0] else letter(asked))
    with FakeServer(log) as server:
        assert run(tmp_path, server, task="deepeval") == 1
        titles = sum(not isinstance(reply, str) for _, reply in log.given)
        assert 16 * 6 <= titles < 24 * 6
        server.answer = again = Log(letter)
        assert run(tmp_path, server, task="deepeval") == 0
    assert len(again.given) == N
    assert log.asked_after_success() == 0


def test_a_question_that_is_refused_fails_alone(tmp_path: Path) -> None:
    log = Log(lambda asked: BAD_REQUEST if asked.prompt.startswith("Select") else letter(asked))
    with FakeServer(log) as server:
        assert run(tmp_path, server, "--max-failed", "0.5") == 0
    assert len(log.given) == N
    assert title(tmp_path)["n_failed"] == N // 3
    assert all(re.search("the prompt is too long", line["error"]) for line in lines(tmp_path) if line["error"])
