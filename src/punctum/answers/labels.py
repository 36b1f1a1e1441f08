"""Reading a set of labels, as in multi-label classification of atypicality."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from .normalise import prepare, unbox
from .parsed import Parsed

_ENGLISH = frozenset(
    [
        "or",
        "and",
        "in",
        "on",
        "as",
        "is",
        "it",
        "no",
        "an",
        "a",
        "i",
        "at",
        "to",
        "of",
        "by",
        "be",
        "do",
        "go",
        "he",
        "if",
        "me",
        "my",
        "so",
        "up",
        "us",
        "we",
    ]
)
_CUE = re.compile(
    r"\b(?:answers?|labels?|categor(?:y|ies)|output|prediction|classification|result|atypicalit(?:y|ies))\b"
    r"(?:\s+\w+){0,6}?\s*(?::|=|\b(?:is|are|would be|should be)\b)",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}")
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnone|\bneither|\bnor|\bno|\bwithout|\bexcept|\brather than|\binstead of|\bcannot)"
    r"(?:[\s\"'(,]|\b(?:be|is|a|an|the|any|of|for|under|as|case|label|category|fall|under|into|fit|show|present"
    r"|it|classified"
    r"|or|either|exhibit|contain)\b|\ue000.)*$",
    re.IGNORECASE | re.DOTALL,
)
# A label with a verdict: "TR1: no", {'TR1': true}.
_VERDICT = re.compile(
    r"[\"'*)]*\s*(?::|=|-)\s*[\"'*]*(?:(yes|true|present|1|✓|✅)|(no|false|absent|not\b|0|✗|❌))(?![\w.])",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"[\"')]*\s*(?:(?:is|are|was|does|do|can|category|label)\s+)*(?:not\b|isn't|aren't|doesn't|don't|absent"
    r"|cannot|wrong|incorrect)",
    re.IGNORECASE,
)
_NOTHING_APPLIES = re.compile(
    r"\W*(?:none(?:\s+of\s+(?:the|these|those|them)\b[^.\n]{0,80})?|no\s+atypicalit(?:y|ies)[^.\n]{0,60}"
    r"|not\s+atypical)\W*",
    re.IGNORECASE,
)

_JOINED = re.compile(r"[\s'\",]*(?:\b(?:or|nor|and)\b)?[\s'\"]*", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"[\s'\",*)]*\b(?:or|and/or)\b[\s'\"*(]*")


def parse_labels(output: str, labels: Sequence[str] | Mapping[str, Sequence[str]]) -> Parsed[tuple[str, ...]]:
    """Which labels an output gives: a list of dictionaries, a plain list, or prose.

    Args:
        output: the model's words.
        labels: the labels' names (`["TR1", "TR2", "OIO", "OR", "NA"]`), or a mapping from each to further
            names for it. Where "NA" is one of them, "N/A" and "none of the categories" are read as it.

    Returns:
        `value` is a tuple of labels in the model's order, each once; None where none is given, or only
        alternatives ("TR1 or TR2").
    """
    text, truncated = prepare(output)
    if truncated:
        return Parsed(None, "truncated", True)
    if not text:
        return Parsed(None, "empty")
    text = unbox(text)
    names = _names(labels)
    brackets = [m[0] for m in _BRACKETS.finditer(text) if _find(m[0], names, listed=True)]
    if brackets:
        spans = _flat_list(text, names) or brackets[-1]
        found = _find(spans, names, listed=True)
        judged = _judged(spans, found)
        return Parsed(_unique(found), "list") if judged is None else _verdicts(judged)
    mentions = _find(text, names, listed=False)
    last_start = mentions[-1][0] if mentions else -1
    for i, cue in enumerate(reversed(list(_CUE.finditer(text)))):
        rest = text[cue.end() :] if not i or cue.end() <= last_start else ""
        if rest and _find(rest, names, listed=False):
            return _prose(rest, names, "declaration")
    return _prose(text, names, "labels")


def _names(labels: Sequence[str] | Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Every name with its label, longest first."""
    pairs = [(label, label) for label in labels]
    if isinstance(labels, Mapping):
        pairs += [(name, label) for label, more in labels.items() for name in more]
    if "NA" in labels:
        pairs += [("N/A", "NA"), ("N.A.", "NA")]
    return sorted(((n, label) for n, label in pairs if n.strip()), key=lambda pair: -len(pair[0]))


def _flat_list(text: str, names: list[tuple[str, str]]) -> str | None:
    """The last outer list where it holds several dictionaries: [{'1': 'TR1'}, {'2': 'OR'}]."""
    outer = re.findall(r"\[[^\[\]]*\]|\{[^{}]*\}(?:\s*,\s*\{[^{}]*\})+", text)
    found = [part for part in outer if _find(part, names, listed=True)]
    return found[-1] if found else None


def _find(text: str, names: list[tuple[str, str]], listed: bool) -> list[tuple[int, int, str]]:
    """Mentions of labels: start, end, label. A label that is an English word counts in capitals only,
    or as an entry of a list."""
    found: list[tuple[int, int, str]] = []
    taken = [False] * len(text)
    for name, label in names:
        pattern = r"\s+".join(map(re.escape, name.split()))
        for match in re.finditer(rf"(?<![\w/]){pattern}(?![\w/])", text, re.IGNORECASE):
            if any(taken[match.start() : match.end()]):
                continue
            word = name.lower() in _ENGLISH and match[0] != name
            entry = listed and re.search(r"[\[,:'\"]\s*$", text[max(0, match.start() - 20) : match.start()])
            if word and not (entry or match[0] == text.strip(" .'\"*`")):
                continue
            taken[match.start() : match.end()] = [True] * (match.end() - match.start())
            found.append((match.start(), match.end(), label))
    return sorted(found)


def _unique(found: list[tuple[int, int, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label for _, _, label in found))


def _judged(text: str, found: list[tuple[int, int, str]]) -> list[tuple[str, bool]] | None:
    """Each label with its yes or no, where two labels or more have one."""
    verdicts = [(label, _VERDICT.match(text, end)) for _, end, label in found]
    judged = [(label, match[1] is not None) for label, match in verdicts if match]
    return judged if len(judged) > 1 and len(judged) == len(found) else None


def _verdicts(judged: list[tuple[str, bool]]) -> Parsed[tuple[str, ...]]:
    kept = tuple(dict.fromkeys(label for label, present in judged if present))
    return Parsed(kept, "verdicts") if kept else Parsed(None, "nothing")


def _after_all(text: str, found: list[tuple[int, int, str]], labels: set[str]) -> list[tuple[int, int, str]]:
    """What is said after a list of all labels, as where the question is repeated; else everything."""
    n = len(labels)
    listed, rest = found[:n], found[n:]
    if n < 2 or not rest or {label for _, _, label in listed} != labels:
        return found
    joined = all(_JOINED.fullmatch(text, left[1], right[0]) for left, right in pairwise(listed))
    return rest if joined and re.search(r"[.;:\n]", text[listed[-1][1] : rest[0][0]]) else found


def _none_of(text: str, found: list[tuple[int, int, str]]) -> bool:
    """Whether it says "none of TR1, TR2, OIO and OR"."""
    return len(found) > 1 and re.search(r"\bnone\s+of\W+$", text[: found[0][0]], re.IGNORECASE) is not None


def _prose(text: str, names: list[tuple[str, str]], rule: str) -> Parsed[tuple[str, ...]]:
    """The labels of running text, less those that are denied; alternatives are nothing certain."""
    found = _find(text, names, listed=False)
    judged = _judged(text, found)
    if judged is not None:
        return _verdicts(judged)
    found = _after_all(text, found, {label for _, label in names} - {"NA"})
    kept: list[str] = []
    denied = False
    for i, (start, end, label) in enumerate(found):
        last_end = found[i - 1][1] if i else 0
        between = text[last_end:start]
        next_start = found[i + 1][0] if i + 1 < len(found) else None
        conjunction = text[start:end] == "OR" and i and next_start and not text[end:next_start].strip()
        if conjunction and not between.strip():
            return Parsed(None, "ambiguous")  # "TR1 OR TR2": no label here
        joined = i and _JOINED.fullmatch(between)
        if i and not denied and _ALTERNATIVE.fullmatch(between):
            return Parsed(None, "ambiguous")
        denied = bool(
            _DENIED.search(text[max(0, start - 60, last_end) : start])
            or _ABSENT.match(text, end)
            or (joined and denied)
        )
        if not denied:
            kept.append(label)
    if kept:
        return Parsed(tuple(dict.fromkeys(kept)), rule)
    if any(label == "NA" for _, label in names) and (_NOTHING_APPLIES.fullmatch(text) or _none_of(text, found)):
        return Parsed(("NA",), rule)
    return Parsed(None, "nothing")
