"""Reading a free text: what the model wrote, without its reasoning and what is wrapped around the whole."""

from __future__ import annotations

import re

from .normalise import prepare
from .parsed import Parsed

_FENCED = re.compile(r"```[^\n`]*\n(.*?)\n?```", re.DOTALL)
_WRAPPINGS = (('"', '"'), ("'", "'"), ("**", "**"), ("*", "*"), ("__", "__"), ("_", "_"), ("`", "`"))


def parse_text(output: str) -> Parsed[str]:
    """The text of a free answer.

    Unicode is normalised, finished reasoning blocks are cut, and quotes, emphasis or a code fence around the whole
    are taken off. Nothing else is: what a model adds to its answer is part of the answer.

    Args:
        output: the model's words.

    Returns:
        `value` is the text, or None where there is none.
    """
    text, truncated = prepare(output)
    if truncated:
        return Parsed(None, "truncated", True)
    fenced = _FENCED.fullmatch(text)
    text = _unwrapped(fenced[1].strip() if fenced else text)
    return Parsed(text, "text") if text else Parsed(None, "empty")


def _unwrapped(text: str) -> str:
    """The text without marks that stand around the whole and nowhere inside."""
    for _ in range(len(_WRAPPINGS)):
        for first, last in _WRAPPINGS:
            inside = text[len(first) : len(text) - len(last)]
            if (
                len(text) >= len(first + last)
                and text.startswith(first)
                and text.endswith(last)
                and first not in inside
            ):
                text = inside.strip()
                break
        else:
            return text
    return text
