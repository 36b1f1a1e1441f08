"""Which licences let everybody pass data on. Others, and those we do not know, must be named by whoever pushes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FREE = re.compile(
    r"apache-2\.0|mit|bsd(-\w+-clause)?|cc0-1\.0|cc-by(-sa)?-\d\.\d|odc-by|odbl|pddl|unlicense"
    r"|cdla-(permissive|sharing)-\d\.\d"
)


def name_of(head: Mapping[str, Any]) -> str:
    """The licence's name, as the head of a card gives it."""
    return str(head.get("license_name") or head.get("license") or "unknown")


def is_free(head: Mapping[str, Any]) -> bool:
    """Whether the licence is known to let everybody pass the data on."""
    return _FREE.fullmatch(str(head.get("license", "")).casefold()) is not None


def words_of(body: str) -> str:
    """What a card says about its licence, on one line; empty where it says nothing."""
    found = re.search(r"\*\*Licence\.\*\* (.*?)(?:\n\n|\Z)", body, re.S)
    return " ".join(found[1].split()) if found else ""
