"""Reading a list of things: comma lists, bullets, numbers, JSON."""

from __future__ import annotations

import json
import re

from .normalise import prepare, unbox
from .parsed import Parsed

_ROW = re.compile(r"^[ \t]*(?:[-*+•▪●◦·‣–][ \t]*|\(?[0-9]{1,3}[.):][ \t]*|\(?[a-z][.)][ \t]+)(?=\S)(.+)$", re.MULTILINE)
_INLINE = re.compile(r"(?:^|\s)\(?[0-9]{1,2}[.)]\s+")
_INTRODUCTION = re.compile(
    r"^(?:(?:sure|certainly|okay|ok|of course)[!,.]?\s*)?(?:(?:here|these|the|there|this|in|visible|non-textual"
    r"|major|main|top"
    r"|objects?|answer|list)\b[^:\n]{0,150}:|[^:\n]{0,150}\b(?:are|is|include|includes|contains|shows?)\b\s*:?)\s*",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\W*(?:none|n/?a|nothing|no (?:non-textual )?objects?[^,\n]{0,60}|there are no [^,\n]{0,80})\W*", re.IGNORECASE
)
_DESCRIBED = re.compile(r"^([^:\n]{1,60}?)\s*(?::|\s[-–—]\s)\s*\S")
_FENCE = re.compile(r"```[ \t]*[A-Za-z]*[ \t]*(?:\n|$)|```")
_REFUSED = re.compile(
    r"\W*(?:(?:i'm|i am|we are)\s+(?:very\s+)?(?:sorry|unable|not able)\b|sorry\b"
    r"|unfortunately\b|i\s+(?:can't|cannot|can not|don't)\b"
    r"|as an ai\b)",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[,;、](?![^()]{0,80}\))")


def parse_list(output: str, limit: int | None = None) -> Parsed[tuple[str, ...]]:
    """The things that an output lists, in their order, each once.

    Args:
        output: a comma list, bullets, numbered rows or a JSON list, with or without an introduction.
        limit: how many are kept at the most; None keeps all.

    Returns:
        `value` is a tuple of texts without wrapping, or None where nothing is listed.

    Raises:
        ValueError: if the limit is below 1.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"limit is how many things are kept: 1 or more, not {limit}")
    text, truncated = prepare(output)
    if truncated:
        return Parsed(None, "truncated", True)
    if not text:
        return Parsed(None, "empty")
    text = _FENCE.sub("\n", unbox(text)).replace("**", "").strip()
    if _REFUSED.match(text):
        return Parsed(None, "nothing")
    if _NONE.fullmatch(text):
        return Parsed(None, "nothing")
    own = _json(text)
    rows = [row[1] for row in _ROW.finditer(text)]
    if own is not None:
        items, rule = own, "JSON"
    elif len(rows) < 2 and len(_INLINE.findall(text)) > 1:
        items, rule = [_named(part) for part in _INLINE.split(_without_introduction(text))], "numbers"
    elif len(rows) > 1 or (rows and "\n" not in text):
        items, rule = [_named(row) for row in rows], "rows"
    else:
        items, rule = _commas(_without_introduction(text)), "commas"
    unique: dict[str, str] = {}
    for item in map(_tidy, items):
        if item:
            unique.setdefault(item.casefold(), item)
    kept = tuple(unique.values())[:limit]
    return Parsed(kept, rule) if kept else Parsed(None, "nothing")


def _json(text: str) -> list[str] | None:
    """The texts of a JSON list, alone or as the only list of an object."""
    if not text.startswith(("[", "{")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        lists = [part for part in value.values() if isinstance(part, list)]
        value = lists[0] if len(lists) == 1 else None
    if not isinstance(value, list):
        return None
    return [item for item in value if isinstance(item, str)] or None


def _without_introduction(text: str) -> str:
    return _INTRODUCTION.sub("", text, count=1) or text


def _commas(text: str) -> list[str]:
    """The items of a comma list, or of lines; the last one may be joined by "and"."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and not _COMMA.search(lines[0]):
        return [line for line in lines if not line.rstrip().endswith(":")]
    text = lines[0] if lines else ""
    text = re.split(r"\.\s+(?=[A-Z])", text, maxsplit=1)[0]
    items = _COMMA.split(text)
    return [*items[:-1], *_joined(items[-1])]


def _joined(item: str) -> list[str]:
    """The parts of "a table and a lamp"."""
    first, word, second = re.sub(r"^\s*and\s+", "", item).partition(" and ")
    return [first, second] if word else [first]


def _named(row: str) -> str:
    """The thing's name in a row that also describes it: "Bottle: green, on a table"."""
    described = _DESCRIBED.match(row.replace("*", ""))
    return described[1] if described else row


def _tidy(item: str) -> str:
    return " ".join(item.strip(" \t\n.,;:*_`\"'[]{}").split())
