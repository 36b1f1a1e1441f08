"""A server of the OpenAI chat protocol on the loopback interface, that answers as a test wants.

    with FakeServer(gold(requests)) as server:
        model = load(f"any@{server.url}", ModelOptions())

What it was asked stands in `server.asked`. An answer is a function from what was asked to a text or a `Reply`;
`gold`, `of_kind`, `refusal` give such functions, `then` and `every` mix in failures.
"""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from punctum.records import Request, Sample

REFUSAL = "I'm sorry, but I can't help with that."


@dataclass(frozen=True)
class Asked:
    """One call: the user's text, the pictures' bytes, the system prompt, everything sent.

    The headers' names are in lower case.
    """

    prompt: str
    pictures: tuple[bytes, ...]
    system: str | None
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Prompt and picture hashes: what tells one question from another."""
        return self.prompt, tuple(hashlib.sha256(data).hexdigest() for data in self.pictures)


@dataclass(frozen=True)
class Reply:
    """What the server sends, where it is not just a text.

    Attributes:
        text: the message of the completion.
        status: of HTTP.
        headers: further ones, such as Retry-After.
        message: further fields of the message (`reasoning_content`, `refusal`).
        finish_reason: of the choice.
        raw: sent as the body in place of a completion.
        cut: how many bytes of the body are sent before the connection is closed.
        wait: seconds before anything is sent.
        hangs_up: whether the connection is closed without a word.
    """

    text: str | None = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    message: Mapping[str, Any] = field(default_factory=dict)
    finish_reason: str = "stop"
    raw: bytes | None = None
    cut: int | None = None
    wait: float = 0.0
    hangs_up: bool = False


Answer = Callable[[Asked], "str | Reply"]

TOO_MANY = Reply(status=429, headers={"Retry-After": "0.05"}, raw=b'{"error": {"message": "slow down"}}')
DOWN = Reply(status=500, raw=b'{"error": {"message": "the engine died"}}')
BAD_REQUEST = Reply(status=400, raw=b'{"error": {"message": "the prompt is too long"}}')
HALF = Reply("A", cut=40)
NOTHING = Reply(hangs_up=True)
NO_JSON = Reply(raw=b"<html>gateway</html>")
OTHER_JSON = Reply(raw=b'{"detail": "not a completion"}')


def hanging(seconds: float) -> Reply:
    """Answers after a while only."""
    return Reply("A", wait=seconds)


def refusal(asked: Asked) -> str:
    """Refuses in words."""
    return REFUSAL


def gold(requests: Iterable[Request]) -> Answer:
    """Answers every known question right: the letter, the letters, yes or no, the label, the first reference."""
    return _known({_key(request): _right(request.sample) for request in requests})


def of_kind(requests: Iterable[Request], kind: str) -> Answer:
    """Answers with the first option of a kind (`distractor`, `swapped`, …)."""
    return _known({_key(r): _letter(r.sample.option_kinds.index(kind)) for r in requests})


def then(first: Sequence[Reply], answer: Answer) -> Answer:
    """Sends `first` to each question, one after the other, and then answers it."""
    counts: dict[object, int] = {}
    lock = threading.Lock()

    def reply(asked: Asked) -> str | Reply:
        with lock:
            number = counts.get(asked.key, 0)
            counts[asked.key] = number + 1
        return first[number] if number < len(first) else answer(asked)

    return reply


def every(n: int, bad: Reply, answer: Answer) -> Answer:
    """Sends `bad` to every n-th call and answers the others."""
    count = 0
    lock = threading.Lock()

    def reply(asked: Asked) -> str | Reply:
        nonlocal count
        with lock:
            count += 1
            is_bad = count % n == 0
        return bad if is_bad else answer(asked)

    return reply


def _key(request: Request) -> tuple[str, tuple[str, ...]]:
    return request.prompt, tuple(picture.sha256 for picture in request.pictures)


def _letter(index: int) -> str:
    return chr(ord("A") + index)


def _right(sample: Sample) -> str:
    if isinstance(sample.gold, str):
        return sample.gold
    if sample.form == "choice":
        return ", ".join(_letter(int(index)) for index in sample.gold)
    return ", ".join(str(label) for label in sample.gold[: 1 if sample.form in ("text", "objects") else None])


def _known(answers: Mapping[object, str]) -> Answer:
    def reply(asked: Asked) -> str | Reply:
        if asked.key in answers:
            return answers[asked.key]
        return Reply(status=404, raw=json.dumps({"error": {"message": f"unknown: {asked.prompt}"}}).encode())

    return reply


class FakeServer:
    """The server; a context manager. `latency` in seconds is added to each answer."""

    def __init__(self, answer: Answer | str | Reply, latency: float = 0.0) -> None:
        self.answer: Answer = answer if callable(answer) else lambda asked: answer
        self.latency = latency
        self.asked: list[Asked] = []
        self.at_once = 0
        self.most_at_once = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._server.block_on_close = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> FakeServer:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def reply_to(self, asked: Asked) -> Reply:
        """What is sent for a call; notes how many were under way at once."""
        with self._lock:
            self.asked.append(asked)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            reply = self.answer(asked)
            reply = reply if isinstance(reply, Reply) else Reply(reply)
            self._closing.wait(self.latency + reply.wait)
            return reply
        finally:
            with self._lock:
                self.at_once -= 1


def _handler(server: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/v1/chat/completions":
                return self._send(Reply(status=404, raw=b'{"error": {"message": "no such path"}}'), body)
            self._send(
                server.reply_to(_asked(body, {name.lower(): value for name, value in self.headers.items()})), body
            )

        def _send(self, reply: Reply, body: Mapping[str, Any]) -> None:
            data = reply.raw if reply.raw is not None else _completion(reply, body)
            if reply.hangs_up:
                self.close_connection = True
                return
            try:
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: reply.cut])
                if reply.cut is not None:
                    self.wfile.flush()
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
            except OSError:
                self.close_connection = True  # the client has gone

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def _completion(reply: Reply, body: Mapping[str, Any]) -> bytes:
    message = {"role": "assistant", "content": reply.text, **reply.message}
    words = len((reply.text or "").split())
    return json.dumps(
        {
            "id": "chatcmpl-0",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": body.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
            "usage": {"prompt_tokens": 7, "completion_tokens": words, "total_tokens": 7 + words},
        }
    ).encode()


def _asked(body: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:
    prompt, system, pictures = "", None, []
    for message in body["messages"]:
        if message["role"] == "system":
            system = message["content"]
            continue
        content = message["content"]
        parts: Any = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part["type"] == "text":
                prompt += part["text"]
            else:
                pictures.append(base64.b64decode(part["image_url"]["url"].partition(",")[2]))
    return Asked(prompt, tuple(pictures), system, body, headers)
