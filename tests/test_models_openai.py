"""The server backend against a loopback server that answers, refuses, stumbles and lies."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from punctum.evaluators.models._completions import retry_after
from punctum.evaluators.models._pictures import data_urls
from punctum.evaluators.models._threads import in_threads
from punctum.evaluators.models.base import Model, ModelError, ModelOptions
from punctum.evaluators.models.loading import load_model
from punctum.evaluators.models.openai_chat import ChatModel, load
from punctum.records import Generation, Picture, Request, Response, Sample, Unit
from tests.fake_server import (
    BAD_REQUEST,
    DOWN,
    HALF,
    NO_JSON,
    OTHER_JSON,
    REFUSAL,
    TOO_MANY,
    FakeServer,
    Reply,
    every,
    gold,
    hanging,
    of_kind,
    refusal,
    then,
)

pytest.importorskip("openai")
pytestmark = pytest.mark.timeout(60)
KEY = "sk-test-0123456789abcdef"


def picture(color: str, form: str = "PNG") -> Picture:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 6), color).save(buffer, form)
    return Picture(data=buffer.getvalue())


def request(number: int, answer: int = 1, **fields: object) -> Request:
    options = ("a red hat", "a blue hat", "a hat")
    kinds = tuple("correct" if index == answer else "distractor" for index in range(3))
    sample = Sample(Unit(f"q{number}", "t"), "choice", (answer,), options, kinds)
    return Request(sample, f"Question {number}?", **fields)  # type: ignore[arg-type]


def model(server: FakeServer, concurrency: int = 8, **knobs: object) -> ChatModel:
    knobs = {"backoff": 0.01, **knobs}
    return load(f"tiny@{server.url}", ModelOptions(concurrency=concurrency, model_args=knobs))


def answers(backend: Model, requests: list[Request], generation: Generation | None = None) -> dict[int, Response]:
    got: dict[int, Response] = {}
    for batch in backend.answer(requests, generation or Generation()):
        for index, response in batch:
            assert index not in got
            got[index] = response
    assert sorted(got) == list(range(len(requests)))
    return got


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_gold_a_kind_and_a_refusal() -> None:
    requests = [request(n, answer=n % 3) for n in range(7)]
    with FakeServer(gold(requests)) as server:
        got = answers(model(server), requests)
        assert [got[n].text for n in range(7)] == ["A", "B", "C", "A", "B", "C", "A"]
        assert got[0].finish_reason == "stop"
        assert (got[0].prompt_tokens, got[0].output_tokens) == (7, 1)
    with FakeServer(of_kind(requests, "distractor")) as server:
        got = answers(model(server), requests)
        assert [got[n].text for n in range(3)] == ["B", "A", "A"]
    with FakeServer(refusal) as server:
        assert {r.text for r in answers(model(server), requests).values()} == {REFUSAL}


def test_what_is_sent() -> None:
    shown = (picture("red"), picture("blue", "JPEG"))
    asked = request(1, pictures=shown, system="Look well.", attempt=2)
    settings = Generation(max_new_tokens=5, temperature=0.5, top_p=0.9, top_k=3, seed=4, extra={"min_p": 0.1})
    with FakeServer("A") as server:
        answers(model(server), [asked], settings)
    (call,) = server.asked
    body = dict(call.body)
    assert call.pictures == (shown[0].data, shown[1].data)
    assert [part["type"] for part in body["messages"][1]["content"]] == ["image_url", "image_url", "text"]
    assert body["messages"][1]["content"][1]["image_url"]["url"].startswith("data:image/jpeg;base64,")
    assert (call.system, call.prompt) == ("Look well.", "Question 1?")
    assert body.pop("messages")
    assert body == {
        "model": "tiny",
        "max_tokens": 5,
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 3,
        "seed": 6,
        "min_p": 0.1,
    }


@pytest.mark.parametrize("bad", [TOO_MANY, DOWN, HALF, NO_JSON, OTHER_JSON])
def test_what_may_pass_is_tried_again(bad: Reply) -> None:
    requests = [request(n) for n in range(3)]
    with FakeServer(then([bad, bad], gold(requests))) as server:
        got = answers(model(server), requests)
    assert {r.text for r in got.values()} == {"B"}
    assert all(r.error is None for r in got.values())
    assert len(server.asked) == 9


@pytest.mark.parametrize("bad", [TOO_MANY, DOWN, HALF, NO_JSON, OTHER_JSON])
def test_what_stays_is_a_failed_call_and_no_answer(bad: Reply) -> None:
    with FakeServer(bad) as server:
        response = answers(model(server, retries=1), [request(1)])[0]
    assert response.error is not None
    assert "after 2 tries" in response.error
    assert server.url in response.error
    assert response.text == ""


def test_what_is_refused_for_good_is_asked_once() -> None:
    with FakeServer(BAD_REQUEST) as server:
        response = answers(model(server), [request(1)])[0]
    assert response.error is not None
    assert "the prompt is too long" in response.error
    assert len(server.asked) == 1


def test_one_failure_leaves_the_others() -> None:
    requests = [request(n) for n in range(6)]
    with FakeServer(every(3, BAD_REQUEST, gold(requests))) as server:
        got = answers(model(server, concurrency=1), requests)
    assert [got[n].error is None for n in range(6)] == [True, True, False, True, True, False]


def test_retry_after_is_waited_for() -> None:
    later = Reply(status=429, headers={"Retry-After": "0.4"}, raw=b"{}")
    with FakeServer(then([later], lambda asked: "A")) as server:
        start = time.monotonic()
        assert answers(model(server), [request(1)])[0].text == "A"
    assert 0.4 <= time.monotonic() - start < 3


def test_the_forms_of_retry_after() -> None:
    def wait(**headers: str) -> float:
        seconds = retry_after(SimpleNamespace(headers={k.replace("_", "-"): v for k, v in headers.items()}))
        assert seconds is not None
        return seconds

    assert wait(retry_after="3") == 3
    assert wait(retry_after_ms="250", retry_after="9") == 0.25
    assert 28 <= wait(retry_after=formatdate(time.time() + 30, usegmt=True)) <= 30


@pytest.mark.parametrize("headers", [{}, {"retry-after": "soon"}, {"retry-after": "nan"}, {"retry-after": "inf"}, None])
def test_no_usable_retry_after(headers: dict[str, str] | None) -> None:
    assert retry_after(SimpleNamespace(headers=headers)) is None
    assert retry_after(None) is None


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt])
def test_what_goes_wrong_in_a_thread_reaches_the_caller(kind: type[BaseException]) -> None:
    def work(number: int) -> Response:
        if number == 3:
            raise kind("three")
        return Response(text=str(number))

    with pytest.raises(kind):
        list(in_threads(work, 10, 2))


def test_a_server_that_asks_for_hours_is_not_waited_for() -> None:
    with FakeServer(Reply(status=429, headers={"Retry-After": "7200"}, raw=b"{}")) as server:
        assert answers(model(server), [request(1)])[0].error is not None
    assert len(server.asked) == 1


def test_a_hanging_server_times_out() -> None:
    with FakeServer(hanging(30)) as server:
        start = time.monotonic()
        response = answers(model(server, timeout=0.2, retries=1), [request(1)])[0]
    assert response.error is not None
    assert "APITimeoutError after 2 tries" in response.error
    assert time.monotonic() - start < 5


def test_no_server_is_a_failed_call() -> None:
    with FakeServer("A") as server:
        gone = model(server, retries=0)
    response = answers(gone, [request(1)])[0]
    assert response.error is not None
    assert "APIConnectionError" in response.error


def test_a_dead_server_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    requests = [request(n) for n in range(40)]
    with FakeServer(DOWN) as server:
        got = answers(model(server, concurrency=2, retries=1), requests)
    assert 20 <= len(server.asked) <= 24  # ten questions twice, and what was under way
    asked = [r for r in got.values() if "after 2 tries" in (r.error or "") and "not asked" not in (r.error or "")]
    rest = [r for r in got.values() if "not asked, since 10 questions in a row failed" in (r.error or "")]
    assert 10 <= len(asked) <= 12
    assert len(asked) + len(rest) == 40
    assert "10 questions in a row failed; the rest is not asked" in caplog.text
    with FakeServer(DOWN) as server:
        answers(model(server, concurrency=8, retries=0), requests)
    assert 16 <= len(server.asked) <= 24


def test_a_server_that_answers_now_and_then_is_not_given_up() -> None:
    requests = [request(n) for n in range(40)]
    with FakeServer(every(9, Reply("B"), lambda asked: DOWN)) as server:
        got = answers(model(server, concurrency=1, retries=0), requests)
    assert len(server.asked) == 40
    assert sum(r.error is None for r in got.values()) == 4


def test_questions_that_are_refused_give_up_a_server_that_answered_nothing_yet() -> None:
    requests = [request(n) for n in range(40)]
    with FakeServer(BAD_REQUEST) as server:
        answers(model(server, concurrency=1), requests)
        assert len(server.asked) == 10
        server.asked.clear()
        server.answer = lambda asked: "B" if asked.prompt == "Question 0?" else BAD_REQUEST
        answers(model(server, concurrency=1), requests)
        assert len(server.asked) == 40


def test_questions_on_one_picture_follow_each_other() -> None:
    shown = [picture(color) for color in ("red", "green", "blue")]
    requests = [request(n, pictures=(shown[n % 3],)) for n in range(9)]
    with FakeServer("B") as server:
        got = answers(model(server, concurrency=1), requests)
    assert [asked.prompt for asked in server.asked] == [f"Question {n}?" for n in (0, 3, 6, 1, 4, 7, 2, 5, 8)]
    assert {r.text for r in got.values()} == {"B"}


def test_calls_run_side_by_side_up_to_the_limit() -> None:
    requests = [request(n) for n in range(24)]
    with FakeServer("A", latency=0.05) as server:
        start = time.monotonic()
        answers(model(server, concurrency=6), requests)
        took = time.monotonic() - start
    assert server.most_at_once == 6
    assert took < 24 * 0.05 * 0.8


def test_answers_come_as_they_are_ready_and_a_stop_ends_the_asking() -> None:
    requests = [request(n) for n in range(50)]
    with FakeServer("A", latency=0.02) as server:
        stream = model(server, concurrency=2).answer(requests, Generation())
        assert len(next(stream)) <= 2
        stream.close()  # type: ignore[attr-defined]
        time.sleep(0.2)
        assert len(server.asked) <= 6


def test_reasoning_is_kept_apart_and_a_refusal_field_is_an_answer() -> None:
    with FakeServer(Reply("B", message={"reasoning_content": "Hats."}, finish_reason="length")) as server:
        response = answers(model(server), [request(1)])[0]
    assert (response.text, response.reasoning, response.finish_reason) == ("B", "Hats.", "length")
    with FakeServer(Reply(None, message={"refusal": "No."})) as server:
        response = answers(model(server), [request(1)])[0]
    assert (response.text, response.error) == ("No.", None)


def test_the_key_is_sent_and_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    repeats = Reply(status=401, raw=f'{{"error": {{"message": "Incorrect API key: {KEY}"}}}}'.encode())
    with FakeServer(repeats) as server:
        answers(model(server), [request(1)])
        url = server.url.replace("http://", "http://me:hunter2@")
        backend = load(f"tiny@{url}", ModelOptions())
        response = answers(backend, [request(1)])[0]
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.asked[1].headers["authorization"].startswith("Basic ")
    shown = f"{response} {backend.info} {dict(backend.fingerprint())}"
    assert "Incorrect API key" in shown
    for secret in (KEY, "hunter2", "me:"):
        assert secret not in shown
    assert backend.fingerprint() == {"server": server.url}


def test_without_a_key_a_dummy_is_sent_and_openai_itself_is_refused() -> None:
    with FakeServer("A") as server:
        answers(model(server), [request(1)])
    assert server.asked[0].headers["authorization"] == "Bearer none"
    with pytest.raises(ModelError, match="OPENAI_API_KEY is not set"):
        load("gpt-x", ModelOptions())


def test_the_address_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeServer("A") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        backend = load("org/name@v2", ModelOptions())
        assert answers(backend, [request(1)])[0].text == "A"
    assert backend.info.id == "org/name@v2"


def test_what_a_server_cannot_do() -> None:
    with FakeServer("A") as server:
        backend = model(server)
        with pytest.raises(ModelError, match="--scoring generate"):
            answers(backend, [request(1, continuations=("A", "B"))])
        with pytest.raises(ModelError, match="num_beams"):
            answers(backend, [request(1)], Generation(num_beams=3))
        with pytest.raises(ModelError, match="'retry' is not known; known: retries, timeout, backoff"):
            model(server, retry=1)
        with pytest.raises(ModelError, match="--quantize 8bit"):
            load_model(f"openai:tiny@{server.url}", ModelOptions(quantize="8bit"))
        assert server.asked == []


def test_an_unreadable_picture_fails_alone(tmp_path: Path) -> None:
    requests = [
        request(1, pictures=(Picture(data=b"no picture"),)),
        request(2, pictures=(Picture(path=str(tmp_path / "gone.png")),)),
        request(3, pictures=(picture("red"),)),
    ]
    with FakeServer("A") as server:
        got = answers(model(server), requests)
    assert "cannot be read" in (got[0].error or "")
    assert "gone.png" in (got[1].error or "")
    assert got[2].text == "A"
    assert len(server.asked) == 1


def test_pictures_that_servers_read_differently_are_sent_upright() -> None:
    image = Image.new("RGB", (8, 4), "red")
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", exif=exif)
    (turned,) = data_urls([Picture(data=buffer.getvalue())])
    assert turned.startswith("data:image/png;base64,")
    import base64

    sent = Image.open(io.BytesIO(base64.b64decode(turned.partition(",")[2])))
    assert sent.size == (4, 8)
    gif, webp = data_urls([picture("red", "GIF"), picture("red", "WEBP")])
    assert gif.startswith("data:image/png;")
    assert webp.startswith("data:image/webp;")


def test_the_benchmark_of_concurrency_runs() -> None:
    """What it measures decides nothing here."""
    script = Path(__file__).resolve().parent.parent / "benchmarks" / "server_concurrency.py"
    words = ["--questions", "8", "--latency", "0.001", "--concurrency", "2", "--repeat", "1", "--json"]
    done = subprocess.run([sys.executable, str(script), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])["concurrency"]["2"]
    assert found["ideal"] == pytest.approx(0.004)
    assert 0 < found["share"] < 1
