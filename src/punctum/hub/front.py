"""The head of a README, which tells the Hub what a repository is."""

from __future__ import annotations

from typing import Any

import yaml  # type: ignore[import-untyped]

_FENCE = "---\n"


def split(text: str) -> tuple[dict[str, Any], str]:
    """Head and body of a README; an empty head where there is none.

    Raises:
        ValueError: if the head is no YAML dictionary.
    """
    text = text.replace("\r\n", "\n")
    if not text.startswith(_FENCE):
        return {}, text
    front, fence, body = text[len(_FENCE) :].partition("\n" + _FENCE)
    if not fence:
        raise ValueError("the head of README.md is not closed by a line of three hyphens")
    try:
        head = yaml.safe_load(front)
    except yaml.YAMLError as error:
        raise ValueError(f"the head of README.md is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(head, dict):
        raise ValueError("the head of README.md is no list of names with values")
    return head, body


def join(head: dict[str, Any], body: str) -> str:
    """A README of head and body."""
    return f"{_FENCE}{yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=1000)}{_FENCE}{body}"
