"""What a server of the OpenAI chat protocol sends back: an answer, nonsense, or a wish to be asked later."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from punctum.records import Response


class Broken(ValueError):
    """An answer of the server that is no chat completion."""


def read_completion(completion: Any) -> Response:
    """The answer in a completion. A refusal is an answer; what is no completion raises `Broken`.

    Nothing is believed of its form: servers differ, and the client checks no types.
    """
    try:
        message = completion.choices[0].message
        content = message.content
    except (AttributeError, KeyError, IndexError, TypeError):
        shown = getattr(completion, "error", None) or completion
        raise Broken(f"the server's answer holds no message: {str(shown)[:200]}") from None
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    text = content if content is not None else getattr(message, "refusal", None) or ""
    if not isinstance(text, str):
        raise Broken(f"the server's message is {type(text).__name__}, not text")
    reasoning = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    finish, usage = getattr(completion.choices[0], "finish_reason", None), getattr(completion, "usage", None)
    return Response(
        text=writable(text),
        reasoning=writable(reasoning) if isinstance(reasoning, str) else None,
        finish_reason=writable(finish) if isinstance(finish, str) else None,
        prompt_tokens=_count(getattr(usage, "prompt_tokens", None)),
        output_tokens=_count(getattr(usage, "completion_tokens", None)),
    )


def writable(text: str) -> str:
    """The text with halves of characters replaced, which JSON can carry and no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _count(value: object) -> int | None:
    """A number of tokens; None for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def retry_after(response: Any) -> float | None:
    """Seconds that a response asks to wait: `Retry-After` in seconds or as a date, or `retry-after-ms`."""
    headers = getattr(response, "headers", None)
    if headers is None:
        return None
    try:
        ms = "retry-after-ms" in headers
        seconds = float(headers["retry-after-ms"]) / 1000 if ms else float(headers["retry-after"])
        return seconds if math.isfinite(seconds) else None
    except KeyError:
        return None
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            return parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time()
        except (KeyError, ValueError, TypeError):
            return None
