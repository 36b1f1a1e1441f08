"""Budgets of calls and tokens: never overshot, nothing lost, nothing asked twice."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from punctum.cli import main
from punctum.evaluators.models._budget import Budget, OutOfBudget, picture_tokens, text_tokens
from punctum.evaluators.models._front import Limited
from punctum.evaluators.models.base import Batch, ModelOptions
from punctum.evaluators.models.loading import load_model
from punctum.records import Generation, ModelInfo, Picture, Request, Response, Sample, Unit
from tests.fake_server import DOWN, Asked, FakeServer, Reply, then
from tests.tiny_models import picture

pytestmark = pytest.mark.timeout(120)
N = 72  # title questions of the sample


def run(tmp_path: Path, server: FakeServer, *words: str, out: str = "out") -> int:
    command = ["run", "deepeval/title", "--sample", "--model", f"openai:m@{server.url}", "--quiet", "--resamples", "0"]
    return main([*command, "--store", str(tmp_path / "store"), "--out", str(tmp_path / out), *words])


def lines(tmp_path: Path, out: str = "out") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / out / "predictions.jsonl").read_text().splitlines()]


def letter(asked: Asked) -> str:
    return "ABCD"[len(asked.prompt) % 4]


def test_a_budget_of_calls_is_kept_to_and_the_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeServer(letter, latency=0.01) as server:
        assert run(tmp_path, server, "--max-calls", "10") == 3
        assert len(server.asked) == 10
        message = capsys.readouterr().err
        assert "10 calls of 10 (--max-calls) are made" in message
        assert f"10 of {N} questions of deepeval/title are answered and kept in {tmp_path / 'store'}" in message
        assert len(lines(tmp_path)) == 10
        assert all(line["output"] in "ABCD" for line in lines(tmp_path))
        assert not (tmp_path / "out" / "results.json").exists()
        assert run(tmp_path, server, "--max-calls", "10") == 3
        assert len(server.asked) == 20
        assert len(lines(tmp_path)) == 20
        assert run(tmp_path, server, "--max-calls", str(N - 20)) == 0
        assert run(tmp_path, server, "--max-calls", "1") == 0  # everything is there
    assert max(Counter(asked.key for asked in server.asked).values()) == 1
    assert len(server.asked) == N
    with FakeServer(letter) as other:
        assert run(tmp_path, other, out="unbroken") == 0
    assert (tmp_path / "out" / "predictions.jsonl").read_text() == (
        tmp_path / "unbroken" / "predictions.jsonl"
    ).read_text()


def test_every_try_is_a_call(tmp_path: Path) -> None:
    with FakeServer(then([DOWN], letter)) as server:
        assert run(tmp_path, server, "--max-calls", "7", "--concurrency", "2", "--model-arg", "backoff=0.01") == 3
    assert len(server.asked) == 7
    answered = sum(count == 2 for count in Counter(asked.key for asked in server.asked).values())
    assert len(lines(tmp_path)) == answered
    assert all(line["error"] is None for line in lines(tmp_path))  # a question that had no second try did not fail


def test_nobody_waits_for_a_try_that_will_not_be_made(tmp_path: Path) -> None:
    late = Reply(status=429, headers={"Retry-After": "300"}, raw=b"{}")
    with FakeServer(then([late], letter)) as server:
        start = time.monotonic()
        assert run(tmp_path, server, "--max-calls", "5", "--concurrency", "8") == 3
        assert time.monotonic() - start < 60
    assert len(server.asked) == 5


@pytest.mark.parametrize("reported", [True, False])
def test_a_budget_of_tokens_is_kept_to(tmp_path: Path, reported: bool, capsys: pytest.CaptureFixture[str]) -> None:
    def answer(asked: Asked) -> str | Reply:
        message = {"role": "assistant", "content": "B"}
        value: dict[str, Any] = {"id": "0", "object": "chat.completion", "created": 0, "model": "m"}
        value["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
        if reported:
            value["usage"] = {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}  # less than estimated
        return Reply(raw=json.dumps(value).encode())

    with FakeServer(answer, latency=0.005) as server:
        assert run(tmp_path, server, "--max-tokens-total", "2000", "--setting", "lm", "--gen", "max_new_tokens=20") == 3
    asked = len(server.asked)
    taken = [30 if reported else -(-len(a.prompt) // 4) + 1 for a in server.asked]
    most = max(-(-len(a.prompt) // 4) for a in server.asked) + 20
    assert sum(taken) <= 2000
    assert sum(taken) > 2000 - 2 * most
    assert len(lines(tmp_path)) == asked
    assert f"{sum(taken):,} tokens of 2,000 (--max-tokens-total) are used, and the next call" in capsys.readouterr().err


def test_describers_and_answerers_share_a_budget(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeServer("B") as server, FakeServer("A scene.") as other:
        words = ["run", "deepeval/deep_semantics", "--sample", "--model", f"openai:m@{server.url}", "--quiet"]
        words += ["--describe", "self", "--describe-with", f"openai:d@{other.url}", "--store", str(tmp_path / "s")]
        assert main([*words, "--max-calls", "20"]) == 3
        assert (len(other.asked), len(server.asked)) == (20, 0)
        assert f"0 of {N} questions" in capsys.readouterr().err
        assert main([*words, "--max-calls", "14"]) == 3
        assert (len(other.asked), len(server.asked)) == (24, 10)


def request(number: int, prompt: str = "Question?", pictures: tuple[Picture, ...] = ()) -> Request:
    return Request(Sample(Unit(f"q{number}", "t"), "choice", (0,), ("a", "b")), f"{number} {prompt}", pictures)


class Local:
    """A model that counts no calls itself, and answers in batches of three."""

    info = ModelInfo("local")
    reads_pictures = writes = stored = True
    scores = False
    ranks = False

    def __init__(self) -> None:
        self.asked = 0

    def fingerprint(self) -> Mapping[str, Any]:
        return {}

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        for start in range(0, len(requests), 3):
            part = range(start, min(start + 3, len(requests)))
            self.asked += len(part)
            yield [(index, Response("A", prompt_tokens=9, output_tokens=1)) for index in part]


@pytest.mark.parametrize(
    ("budget", "answered"),
    [(Budget(max_calls=7), 7), (Budget(max_tokens=40), 6), (Budget(max_tokens=60), 6), (Budget(7, 1000), 7)],
)
def test_a_local_model_stops_at_the_budget(budget: Budget, answered: int) -> None:
    model = Local()
    limited = Limited(model, budget)
    got: list[int] = []
    with pytest.raises(OutOfBudget):
        for batch in limited.answer([request(n) for n in range(10)], Generation()):
            got += [index for index, _ in batch]
    assert got == list(range(answered))
    assert model.asked == answered
    with pytest.raises(OutOfBudget, match=r"--max-"):
        list(limited.answer([request(11)], Generation()))
    assert model.asked == answered


def test_a_budget_that_suffices_stops_nothing() -> None:
    for budget in (Budget(max_calls=10), Budget(max_tokens=100), Budget()):
        got = list(Limited(Local(), budget).answer([request(n) for n in range(10)], Generation()))
        assert sum(map(len, got)) == 10


def test_loading_puts_the_budget_around_what_costs_something() -> None:
    budget = Budget(max_calls=1)
    assert not isinstance(load_model("baseline:first", ModelOptions(budget=budget)), Limited)
    server = load_model("openai:m@http://127.0.0.1:9/v1", ModelOptions(budget=budget))
    assert not isinstance(server, Limited)
    assert getattr(server, "budget", None) is budget


def test_calls_that_may_not_fit_wait_for_those_under_way() -> None:
    budget = Budget(max_tokens=100)
    budget.begin(80)
    began = threading.Event()

    def second() -> None:
        budget.begin(60)
        began.set()

    threading.Thread(target=second, daemon=True).start()
    assert not began.wait(0.1)
    budget.end(80, used=30)
    assert began.wait(5)
    budget.end(60, used=60)
    assert budget.over() is None
    with pytest.raises(OutOfBudget, match=r"90 tokens of 100 .* the next call may take 11"):
        budget.begin(11)
    with pytest.raises(OutOfBudget):
        budget.begin(1)  # nothing slips through once the budget has been refused


def test_estimates() -> None:
    assert text_tokens(request(1, "x" * 6)) == 2
    assert picture_tokens([picture("red", (56, 29)), picture("red", (1, 1))]) == 2 * 2 + 1
    assert picture_tokens([Picture(data=b"no picture")]) == 0
