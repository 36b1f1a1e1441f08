"""Any server that speaks the OpenAI chat protocol: vLLM, SGLang, transformers serve, OpenAI itself.

`openai:NAME` asks the server of `OPENAI_BASE_URL` (OpenAI's by default), `openai:NAME@http://host:8000/v1` the one
that is named. The key is read from `OPENAI_API_KEY` and appears in no message, fingerprint or file.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any
from urllib.parse import unquote, urlsplit

from punctum.evaluators.models import _loading
from punctum.evaluators.models._addresses import basic_header, without_credentials, without_user
from punctum.evaluators.models._budget import Budget, OutOfBudget, picture_tokens, text_tokens, tokens_used
from punctum.evaluators.models._completions import Broken, read_completion, retry_after, writable
from punctum.evaluators.models._course import Course
from punctum.evaluators.models._pictures import UnreadablePicture, data_urls
from punctum.evaluators.models._threads import in_threads
from punctum.evaluators.models.base import OF_LOADING, Batch, ModelError, ModelOptions
from punctum.records import Generation, ModelInfo, Request, Response

SCHEME = "openai"
DESCRIPTION = "a model on a server of the OpenAI chat protocol: openai:NAME[@http://host/v1]"
NEEDS = "server"
NOT_TAKEN = OF_LOADING
WHY_NOT = "it is the server's to set"

_OPENAI = "https://api.openai.com/v1"
_AGAIN = (408, 409, 425, 429)
_OF_THE_QUESTION = (400, 413, 422)  # what is asked is at fault, or thought to be; other questions may pass
_LONGEST_WAIT = 60.0  # seconds between two tries, where the server asks for nothing else
_TOO_LONG = 600.0  # seconds: a server that asks for more than this (a used-up quota, say) is taken at its word
_KNOBS = {"retries": 5, "timeout": 120.0, "backoff": 0.5}


def load(name: str, options: ModelOptions) -> ChatModel:
    """A client for the server; nothing is asked yet.

    Args:
        name: `NAME` or `NAME@URL`.
        options: `concurrency`; `model_args` may set `retries`, `timeout` (seconds a call) and `backoff`
            (seconds before the first new try).

    Raises:
        ModelError: if the openai package, the name or OpenAI's key is missing, or an option does not fit.
    """
    openai = _loading.require("openai", "server")
    url = _address(name)[1]
    key = os.environ.get("OPENAI_API_KEY", "")
    if not key and urlsplit(url).hostname == urlsplit(_OPENAI).hostname:
        raise ModelError(
            "OPENAI_API_KEY is not set. A server without keys: openai:NAME@http://host:8000/v1 or OPENAI_BASE_URL"
        )
    # Tries are counted and spaced here, so the client makes one each.
    client = openai.OpenAI(
        base_url=without_user(url),
        default_headers=basic_header(url),
        api_key=key or "none",
        max_retries=0,
        timeout=_knobs(options)["timeout"],
    )
    return _model(name, options, client, key)


def outline(name: str, options: ModelOptions) -> ChatModel:
    """The same model without a client: it can ask nothing, and needs no key.

    Raises:
        ModelError: if the name or an option does not fit.
    """
    return _model(name, options, None, "")


def _model(name: str, options: ModelOptions, client: Any, key: str) -> ChatModel:
    short, url = _address(name)
    knobs = _knobs(options)
    retries, backoff = int(knobs["retries"]), knobs["backoff"]
    return ChatModel(short, url, client, options.concurrency, retries, backoff, key, options.budget)


def _address(name: str) -> tuple[str, str]:
    """The server's name for the model, and its address."""
    match = re.fullmatch(r"(.+?)(?:@(https?://.+))?", name)
    if match is None:
        raise ModelError(f"openai:{name} names no model; write openai:NAME or openai:NAME@http://host:8000/v1")
    url = match[2] or os.environ.get("OPENAI_BASE_URL")
    if url is None and "@" in match[1]:  # it would be asked of OpenAI, with the key and everything
        raise ModelError(
            f"openai:{name}: what stands behind @ is no address; write openai:NAME@http://host:8000/v1, "
            "or set OPENAI_BASE_URL where the name of the model has an @"
        )
    return match[1], url or _OPENAI


def _knobs(options: ModelOptions) -> dict[str, float]:
    unknown = set(options.model_args) - set(_KNOBS)
    if unknown:
        raise ModelError(f"model argument {min(unknown)!r} is not known; known: {', '.join(_KNOBS)}")
    return {name: _knob(name, options.model_args.get(name, default)) for name, default in _KNOBS.items()}


def _knob(name: str, value: object) -> float:
    lowest = 0.001 if name == "timeout" else 0  # a timeout of 0 would end every call
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value < inf:
        raise ModelError(f"model argument {name} is {value!r}; a number from {lowest} on is wanted")
    return float(value)


class ChatModel:
    """A model behind a server."""

    reads_pictures = True
    writes = True
    scores = False
    ranks = False
    stored = True

    def __init__(
        self,
        name: str,
        url: str,
        client: Any,
        concurrency: int,
        retries: int,
        backoff: float,
        key: str = "",
        budget: Budget | None = None,
    ) -> None:
        """Wrap a client.

        Args:
            name: the server's name for the model.
            url: the server's address.
            client: of the openai package, without retries of its own.
            concurrency: calls at a time.
            retries: further tries after the first.
            backoff: seconds before the first further try; doubled each time, with jitter.
            key: blotted out wherever a message repeats it.
            budget: of calls, every try of which counts, and tokens.
        """
        self.name = name
        self.server = without_credentials(url)
        self.client = client
        self._answer_type = _loading.require("openai", "server").types.chat.ChatCompletion if client else None
        self.concurrency = max(concurrency, 1)
        self.retries = retries
        self.backoff = backoff
        self.budget = budget or Budget()
        self.info = ModelInfo(id=name, backend="openai")
        named = (urlsplit(url).password, urlsplit(url).username)
        self._secrets = [secret for word in (key, *named) if word for secret in {word, unquote(word)}]

    def fingerprint(self) -> Mapping[str, Any]:
        """The server's address, without user name and password."""
        return {"server": self.server}

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Ask with `concurrency` calls at a time, questions on one picture after each other; see `Model.answer`.

        Raises:
            ModelError: if log-likelihoods or beams are asked for.
            OutOfBudget: after the last answer that the budget allows.
        """
        if any(request.continuations for request in requests):
            raise ModelError(f"{self.server} gives no log-likelihoods of given texts; use --scoring generate")
        if generation.num_beams > 1:
            raise ModelError("servers of this protocol search without beams; set num_beams to 1")
        if generation.stop_early:
            raise ModelError(
                "--stop-early reads along while a model writes, and a server answers at once; leave it out"
            )
        order = by_pictures(requests)
        course = Course(self.concurrency)

        def ask(number: int) -> Response:
            return self._ask(requests[order[number]], generation, course)

        try:
            for batch in in_threads(ask, len(requests), self.concurrency):
                yield [(order[number], response) for number, response in batch]
        finally:
            course.end()

    def _ask(self, request: Request, generation: Generation, course: Course) -> Response:
        """One request, tried until it is answered, refused for good, or out of tries."""
        try:
            body = self._body(request, generation)
        except UnreadablePicture as error:
            return Response(error=str(error))
        for attempt in range(self.retries + 1):
            if course.given_up is not None:
                return Response(error=course.given_up)
            try:
                response = self._call(body, request, generation)
            except OutOfBudget:
                course.wake()  # nobody else may make another try either
                raise
            except Exception as error:  # the client raises its own kinds and those of what it stands on
                wait = self._wait(error, attempt)
                if wait is None or attempt == self.retries:
                    message = self._message(error, attempt + 1)
                    course.failed(message, getattr(error, "status_code", None) in _OF_THE_QUESTION)
                    return Response(error=message)
            else:
                course.answered()
                return response
            course.wait(wait)
        raise AssertionError("the last try returns")

    def _call(self, body: Mapping[str, Any], request: Request, generation: Generation) -> Response:
        """One try, paid for from the budget."""
        estimate = most = 0
        if self.budget.max_tokens is not None:
            estimate = text_tokens(request) + picture_tokens(request.pictures)
            most = estimate + generation.max_new_tokens
        self.budget.begin(most)
        used = 0
        try:
            # What `chat.completions.create` does, without its walk through the body, a third of a call's work here.
            answer = self.client.post("/chat/completions", cast_to=self._answer_type, body=body)
            response = read_completion(answer)
            used = tokens_used(request, response)
        except Exception as error:
            if getattr(error, "status_code", None) is None or isinstance(error, Broken):
                used = estimate  # nobody says what a call took that broke off, or was answered with nonsense
            raise
        else:
            return response
        finally:
            self.budget.end(most, used)

    def _body(self, request: Request, generation: Generation) -> dict[str, Any]:
        """What is sent."""
        content: list[dict[str, Any]] = [
            {"type": "image_url", "image_url": {"url": url}} for url in data_urls(request.pictures)
        ]
        content.append({"type": "text", "text": request.prompt})
        messages: list[dict[str, Any]] = []
        if request.system is not None:
            messages.append({"role": "system", "content": request.system})
        messages.append({"role": "user", "content": content if request.pictures else request.prompt})
        # OpenAI's own models want another name for the limit than every other server knows.
        limit = "max_completion_tokens" if self.server.startswith(_OPENAI) else "max_tokens"
        body: dict[str, Any] = {
            "model": self.name,
            "messages": messages,
            "temperature": generation.temperature,
            "seed": generation.seed + request.attempt,
            limit: generation.max_new_tokens,
        }
        if generation.top_p != 1:
            body["top_p"] = generation.top_p
        extra = dict(generation.extra)
        if generation.top_k is not None:
            extra["top_k"] = generation.top_k
        return {**body, **extra}

    def _wait(self, error: Exception, attempt: int) -> float | None:
        """Seconds until the next try, or None where another try would be refused as well."""
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and status not in _AGAIN and status < 500 and not isinstance(error, Broken):
            return None
        backoff = min(self.backoff * 2.0**attempt, _LONGEST_WAIT) * random.uniform(0.5, 1.0)
        asked = retry_after(getattr(error, "response", None))
        if asked is None:
            return backoff
        return None if asked > _TOO_LONG else max(asked, 0.0) + backoff * 0.1

    def _message(self, error: Exception, tries: int) -> str:
        """What went wrong, without secrets."""
        cause = error.__cause__ if type(error).__name__ == "APIConnectionError" else None
        detail = f"{error}" + (f" ({cause})" if cause else "")
        for secret in self._secrets:
            detail = detail.replace(secret, "***")
        detail = re.sub(r"\bsk-[\w*-]+", "***", detail)
        count = "1 try" if tries == 1 else f"{tries} tries"
        return f"{self.server}: {type(error).__name__} after {count}: {writable(detail[:500])}"


def by_pictures(requests: Sequence[Request]) -> list[int]:
    """The order in which to ask: questions on the same pictures after each other, otherwise as given.

    Servers keep what they computed for the start of a prompt, which the pictures are, for as long as they can.
    """
    places: dict[object, int] = {}

    def place(index: int) -> int:
        try:
            key: object = tuple(picture.sha256 for picture in requests[index].pictures)
        except (OSError, ValueError):
            key = index  # cannot be read, and fails when its turn comes
        return places.setdefault(key, len(places))

    return sorted(range(len(requests)), key=place)
