"""Atypicality statements: the four relations between two objects and the sentences that say them (Figure 3)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

RELATIONS = ("TR1", "TR2", "OIO", "OR")
NOT_ATYPICAL = "NA"
LABELS = (*RELATIONS, NOT_ATYPICAL)

TEMPLATES = {
    "TR1": "The surface of {primary} mimics the texture of {secondary}, while retaining its original structure.",
    "TR2": "{primary} appears to be composed of numerous, smaller instances of {secondary}, altering its texture.",
    "OIO": "{primary} is visibly located within {secondary}, in an unconventional manner.",
    "OR": "{primary} completely replaces {secondary} in its usual context, assuming its function or position.",
}


def statement(relation: str, primary: str, secondary: str) -> str:
    """The sentence that says how two objects are related.

    Args:
        relation: one of `RELATIONS`.
        primary: the object with the borrowed texture (TR1, TR2), inside the other (OIO), or in its place (OR).
        secondary: the texture's source, the object around, or the object that would be expected (Section 3.1).

    Raises:
        ValueError: for an unknown relation.
    """
    if relation not in TEMPLATES:
        raise ValueError(f"no relation {relation!r}: one of {', '.join(RELATIONS)}")
    return TEMPLATES[relation].format(primary=primary, secondary=secondary)


def distinct(texts: Iterable[str]) -> list[str]:
    """The texts without those that read as an earlier one."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(plain(text), text)
    return list(found.values())


def plain(text: str) -> str:
    """Words only, in lower case: two statements with equal words are the same to whoever reads them."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())) or text.strip()
