"""Reading the two objects of an atypicality statement."""

from __future__ import annotations

import re

from .normalise import prepare
from .parsed import Parsed

_FIELD = re.compile(r"\{(\w+)\}|<(\w+)>")
_PLACEHOLDER = re.compile(
    r"(?:object|answer|primary|secondary|obj|p|s|your answer|fill[- ]?in)[ _]?(?:object)?[ _]?\d?", re.IGNORECASE
)
_SECOND = re.compile(r"(?:s|secondary\w*|\w*(?:2|two))", re.IGNORECASE)
_ROW = re.compile(
    r"(?:^|[\n;,.]|(?<=\s))\W{0,3}(?P<name>object\s*_?\s*[12]|(?:primary"
    r"|secondary)(?:[ _]?object)?)\s*[>*'\"]*\s*(?::|=|-|\bis\b)"
    r"\s*(?P<value>[^\n]{1,160}?)(?=\s*(?:[,;.]?\s*\W{0,3}(?:and\s+)?<?\s*\*{0,2}(?:object\s*_?\s*[12]"
    r"|secondary|primary)\b|\n|$))",
    re.IGNORECASE,
)
_TAGS = re.compile(
    r"<\s*(?:object\s*_?1|primary(?:[ _]object)?)\s*>([^<>]{1,160})</[^<>]{1,30}>.{0,40}?"
    r"<\s*(?:object\s*_?2|secondary(?:[ _]object)?)\s*>([^<>]{1,160})</",
    re.IGNORECASE | re.DOTALL,
)
_ARTICLE = re.compile(r"(?:the|an?)\s+(<[^<>]+>)", re.IGNORECASE)
_IN_ANGLES = re.compile(r"<\s*([^<>\n]{1,120}?)\s*>")


def parse_objects(output: str, template: str) -> Parsed[tuple[str, ...]]:
    """The primary and the secondary object that an output fills into a statement.

    Args:
        output: the statement filled in, with or without angle brackets; or two lines `<object1>: …` and
            `<object2>: …`; or the two objects alone in angle brackets.
        template: the statement, with two fields such as `{p}` and `{s}` or `<object1>` and `<object2>`.

    Returns:
        `value` is (primary, secondary), or None where not both are given.

    Raises:
        ValueError: if the template has not exactly two fields.
    """
    fields = list(dict.fromkeys(m[1] or m[2] for m in _FIELD.finditer(template)))
    if len(fields) != 2:
        raise ValueError(f"a statement's template has two fields like {{p}} and {{s}}, not {fields}: {template!r}")
    swapped = _SECOND.fullmatch(fields[0]) is not None and _SECOND.fullmatch(fields[1]) is None
    text, truncated = prepare(output)
    if truncated:
        return Parsed(None, "truncated", True)
    if not text:
        return Parsed(None, "empty")
    text = re.sub(r"\$\s*([<>])\s*\$", r"\1", text).replace("&lt;", "<").replace("&gt;", ">")
    rows = _tags(text) or _rows(text)
    if rows:
        return Parsed(rows, "rows")
    for rule, found in (("statement", _statement(text, template, fields)), ("angle brackets", _angles(text))):
        if found:
            return Parsed(found[::-1] if swapped else found, rule)
    return Parsed(None, "nothing")


def _tidy(value: str) -> str | None:
    """An object's name without wrapping, or None where it is empty or still the placeholder."""
    value = value.strip(" .,;:*_`\"'")
    article = _ARTICLE.fullmatch(value)
    angled = _IN_ANGLES.fullmatch(article[1] if article else value)
    value = (angled[1] if angled else value).strip(" \t.,;:*_`\"'<>[](){}\n")
    value = " ".join(value.split())
    return None if not value or len(value) > 120 or _PLACEHOLDER.fullmatch(value) else value


def _tags(text: str) -> tuple[str, str] | None:
    """`<object1>…</object1> <object2>…</object2>`."""
    match = _TAGS.search(text)
    first, second = (_tidy(match[1]), _tidy(match[2])) if match else (None, None)
    return (first, second) if first and second else None


def _rows(text: str) -> tuple[str, str] | None:
    """`object1: …` and `object2: …`, the last of each."""
    found: dict[bool, str] = {}
    for row in _ROW.finditer(text):
        value = _tidy(row["value"])
        if value:
            name = row["name"].lower()
            found["2" in name or name.startswith("secondary")] = value
    return (found[False], found[True]) if len(found) == 2 else None


def _angles(text: str) -> tuple[str, str] | None:
    """Exactly two names in angle brackets."""
    names = [name for name in map(_tidy, _IN_ANGLES.findall(text)) if name]
    names = list(dict.fromkeys(names)) if len(names) > 2 else names
    return (names[0], names[1]) if len(names) == 2 else None


def _statement(text: str, template: str, fields: list[str]) -> tuple[str, str] | None:
    """The last filled statement; what the template says after its second field may be missing."""
    parts = _FIELD.split(template)
    literals = [" ".join(parts[i].split()) for i in range(0, len(parts), 3)][:3]
    flexible = [r"\s+".join(re.escape(w) for w in literal.strip(" ,.").split()) for literal in literals]
    flexible[2] = r"\s+".join(re.escape(w) for w in literals[2].strip(" ,.").split()[:2])
    head = rf"\b{flexible[0]}\s+" if flexible[0] else ""
    for tail in (rf"\s*,?\s*{flexible[2]}\b" if flexible[2] else None, r"(?=\s*(?:[,.;\n]|$))"):
        if tail is None:
            continue
        pattern = rf"{head}(?P<a>[^\n.!?:;]{{1,120}}?)\s+{flexible[1]}\s+(?P<b>[^\n.;]{{1,120}}?){tail}"
        for match in reversed(list(re.finditer(pattern, text.replace("*", ""), re.IGNORECASE))):
            first, second = _tidy(match["a"]), _tidy(match["b"])
            if first and second:
                return first, second
    return None
