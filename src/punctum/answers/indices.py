"""Reading one or several option numbers."""

from __future__ import annotations

import re

from .echoes import before_next_question
from .normalise import prepare, unbox, unwrap
from .parsed import Parsed, check_parser

_PREFIX = r"(?:options?|statements?|index|indices|indexes|numbers?|no\.|nos\.|answers?|choices?|items?|captions?|#)"
_NUMBER = r"(?<![\w.$€£^⁄-])(?<![0-9]:)[0-9]{1,6}(?![\w%°⁄]|-[A-Za-z])(?!\.[0-9]|:[0-9]{2}\b)"
# Plain words after a number make it a count ("3 people"), unless they are such as follow an answer.
_ANSWERS_GO_ON = (
    r"and|or|because|since|as|is|are|was|were|best|which|that|then|with|for|followed|also|but|in|on|by|from|the"
    r"|this|these"
    r"|they|it|would|seems?|appears?|fits?|match(?:es)?|describes?|shows?|due|given|based|so|plus|while|who|has|have"
    r"|correspond\w*|respectively|among|provides?|captures?|explains?|reflects?|represents?|conveys?|according"
    r"|rather|instead|over|stand|make|work|appear|look|remain|all|both|could|can|may|might|must|should|will|do|does"
)
_VERBS = (
    r"(?:describe|fit|match|capture|explain|represent|interpret|convey|summari[sz]e|answer|align|correspond|suit|express"
    r"|illustrate|reflect|communicate|depict|show|characteri[sz]e|relate)(?:e?s)?\b"
)
_COUNTED = (
    r"(?:best|most|top|correct|right|appropriate|likely|suitable|relevant|good|highest|closest|of(?=\s+(?:the"
    r"|them|these"
    r"|those|all|my|\d))|out\s+of|options?|statements?|indices|indexes|answers?|choices?|interpretations?)\b"
)
_IS_COUNT = re.compile(
    rf"\s*(?:-\s?)?{_COUNTED}(?!\s+(?:{_VERBS}))"
    rf"|\s+(?!(?:{_ANSWERS_GO_ON})\b)[a-z][\w'-]*",
)
_COUNTING = re.compile(
    r"\b(?:top|best|of|out of|first|last|all|these|those|the following|only|exactly|about)[\s-]+$", re.I
)
_DENIED = re.compile(
    rf"(?:\bnot|n't|\bneither|\bnor|\bexcept(?:\s+for)?|\bnone\s+of|\bcannot|\bthan|\binstead\s+of|\bunlike)\s+"
    rf"(?:(?:be|is|the|of|choose|select|{_PREFIX})\s+)*$",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\s*(?:is|are|was|were|seems?|does|do|can)?\s*(?:not\b|n't|isn't|aren't|wrong|incorrect|cannot|can't)",
    re.IGNORECASE,
)
_JOIN = (
    rf"(?:[\s,;&+/()\[\]'\"#>]|-(?=\s)|\band\b|\bor\b|\bthen\b|\bplus\b|\bfollowed by\b|\balso\b|{_PREFIX}"
    rf"|\.(?=\s*(?:\d|$)))*"
)
_SEPARATOR = re.compile(
    r":(?!\d)|=|\b(?:are|is|be|choose|select|pick)\b|\ue00e"
    r"|\b(?i:actually|correction|i mean|make that|scratch that)\b,?"
)
_LEAD = re.compile(
    rf"(?:[\s\[\]('\"#>=:-]|\b(?:the|following|statements?|options?|numbers?|indices|index|indexes|choices?"
    rf"|probably|most"
    rf"|likely|clearly|definitely|answers?|with|as|follows|those|numbered|at)\b|{_PREFIX}){{0,40}}",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\b(?:the\s+)?(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th)\s*(?:best)?\s*(?:choice|option|answer|index"
    r"|one|statement)?\s*(?::|is\b|=|-)\s*(?=(?:option|statement|index|number)?\s*#?[0-9])",
    re.IGNORECASE,
)
_ONE = re.compile(_NUMBER)
# "1) 3, 2) 7": what is enumerated, not its place.
_ENUMERATED = re.compile(r"(?<![\w.,-])1[.):]\s*[0-9]{1,6}(?:[,;.]?\s+#?[2-9][.):]\s*[0-9]{1,6})+(?![\w)]|\.\d)")
_REMARK = re.compile(
    r"(?<=\d)\s*\((?![^()\n]*\b(?:index|option|statement|number)s?\b)[^()\n]{0,200}?[A-Za-z]{2}[^()\n]{0,200}\)",
    re.IGNORECASE,
)
_PLACE = r"[ \t]*(?:answer|index|option|statement|rank|top|choice|best)\s*[0-9]?\s*[:=]\s*([0-9]{1,6})[ \t.,;]*"
_REPEATED = re.compile(rf"^{_PLACE}(?:\n+{_PLACE})+$", re.IGNORECASE | re.MULTILINE)
_ALTERNATIVES = re.compile(
    rf"\bbetween\s+{_PREFIX}?\s*{_NUMBER}\s+and\b|{_NUMBER}\s*,?\s+or\s+(?:maybe\s+|possibly\s+|perhaps\s+)?{_PREFIX}?\s*{_NUMBER}",
    re.I,
)
_RANGE = re.compile(r"(?<![\w-])([0-9]{1,6})\s?(?:-|\bto\b|\bthrough\b)\s?([0-9]{1,6})(?![\w-])")
_REASONS = re.compile(
    r"(?<=[\s.,;])\W{0,8}(?:explanations?|reason(?:s|ing)?|rationale|justification|notes?|because)\b(?=\s*[:\n]|\s+\w)",
    re.I,
)
_ROW = re.compile(
    r"^[ \t(]*(?:(?:option|statement|index|number|#)\s*)?([0-9]{1,6})\s*[.):]+[ \t]*(?=\S)(.*)$", re.M | re.I
)
_ANSWER = re.compile(
    r"^\W{0,12}(?:(?:the|so|my|final|best|correct)\s+)*answers?\s*(?::|is\b|are\b)[\s:(]*", re.M | re.I
)
_INDEXED = re.compile(rf"\W*{_PREFIX}?\s*[:#]?\s*([0-9]{{1,6}})(?![\w%])\s*(?:[.):,-]|$)", re.IGNORECASE)


def parse_indices(
    output: str, n_options: int, k: int, first_index: int = 0, parser: str = "robust"
) -> Parsed[tuple[int, ...]]:
    """Which options an output chooses by their numbers, in the model's order.

    Args:
        output: the model's words.
        n_options: how many options there are.
        k: how many answers are kept at the most.
        first_index: the number of the first option in the prompt, 0 or 1.
        parser: `robust`; nobody published another.

    Returns:
        `value` is a tuple of 1 to `k` indices, counted from 0 whatever the prompt counts from; None where
        no valid one is given.

    Raises:
        ValueError: if the parser is unknown or `k` is below 1.
    """
    check_parser(parser, ("robust",), "indices")
    if k < 1:
        raise ValueError(f"k is how many indices are kept: 1 or more, not {k}")
    text, truncated = prepare(output)
    if truncated:
        return Parsed(None, "truncated", True)
    if not text:
        return Parsed(None, "empty")
    head = before_next_question(text)
    if head is not None:
        read = parse_indices(head, n_options, k, first_index)
        if read.value is not None:
            return read
    text = unwrap(unbox(text))
    text = re.sub(r"(?i)\b(options?|statements?|index|answers?|choices?)(?=\d)", r"\1 ", text)
    text = _REMARK.sub(" ", _ENUMERATED.sub(_values, _ORDINAL.sub("", text)))
    if k == 1 and _ALTERNATIVES.search(text):
        return Parsed(None, "ambiguous")
    text = _REPEATED.sub(lambda m: ", ".join(re.findall(r"[:=]\s*([0-9]+)", m[0])), text) if k > 1 else text
    numbers, rule = _numbers(_without_ranges(text), k)
    kept = [n - first_index for n in dict.fromkeys(numbers) if 0 <= n - first_index < n_options][:k]
    if not kept:
        return Parsed(None, "nothing" if not numbers else "out of range")
    return Parsed(tuple(kept), rule)


def _without_ranges(text: str) -> str:
    """ "3-5" stands for nothing certain: neither 3 and 5 nor 3, 4 and 5. Lists like "3-7-12" stay."""
    text = re.sub(r"(?<![\w-])[0-9]{1,6}(?:\s?-\s?[0-9]{1,6}){2,}(?![\w-])", lambda m: m[0].replace("-", ", "), text)
    return _RANGE.sub(" … ", text)


def _values(match: re.Match[str]) -> str:
    """The values of an enumeration, or the text as it is where its places do not count up."""
    pairs = re.findall(r"([0-9]+)[.):]\s*([0-9]+)", match[0])
    in_order = [int(place) for place, _ in pairs] == list(range(1, len(pairs) + 1))
    return ", ".join(value for _, value in pairs) if in_order else match[0]


def _numbers(text: str, k: int) -> tuple[list[int], str]:
    """The numbers that the text gives as its answer, and the rule that found them."""
    reasons = _REASONS.search(text)
    if reasons:
        found, rule = _numbers(text[: reasons.start()], k)
        if found:
            return found, rule
    rows = _rows(text)
    cue = _last_answer(text) if rows is not None else None
    if cue is not None:
        return cue, "after the last colon or verb"
    if rows is not None:
        return rows
    for separator in reversed(list(_SEPARATOR.finditer(text))):
        lead = _LEAD.match(text, separator.end())
        start = lead.end() if lead else separator.end()
        found = _list_at(text, start)
        if found:
            return found, "after the last colon or verb"
    return [n for n, _ in _all(text)], "numbers"


def _last_answer(text: str) -> list[int] | None:
    """The numbers after a last "Answer:" that comes below rows of options."""
    cues = list(_ANSWER.finditer(text))
    found = _list_at(text, cues[-1].end()) if cues else []
    return found if found and not _ROW.search(text, cues[-1].start()) else None


def _list_at(text: str, start: int) -> list[int]:
    """The numbers that stand one after the other from `start` on."""
    found: list[int] = []
    at = start
    while True:
        match = re.compile(rf"-?{_NUMBER}|-[0-9]+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)+").match(text, at)
        if match is None:
            return found
        valid = _ONE.fullmatch(text, match.start(), match.end()) is not None
        if valid and (_IS_COUNT.match(text, match.end()) and not found):
            return found
        if valid and _IS_COUNT.match(text, match.end()):
            return found
        if valid:
            found.append(int(match[0]))
        join = re.compile(_JOIN, re.IGNORECASE).match(text, match.end())
        at = join.end() if join else match.end()
        if at == match.end():
            return found


def _all(text: str) -> list[tuple[int, int]]:
    """Every number that does not only count and is not denied, with its place."""
    found = []
    for match in _ONE.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        named = re.search(rf"{_PREFIX}\s*[:#]?\s*$", before, re.IGNORECASE)
        if not named and (_IS_COUNT.match(text, match.end()) or _COUNTING.search(before)):
            continue
        if _DENIED.search(before) or _WRONG.match(text, match.end()):
            continue
        found.append((int(match[0]), match.start()))
    return found


def _rows(text: str) -> tuple[list[int], str] | None:
    """Answers in rows: "3: its text", or a ranking "1. Option 7".

    A ranking that does not say the options' numbers ("1. its text", "2. another text") says nothing certain.
    """
    rows = list(_ROW.finditer(text))
    if len(rows) < 2:
        return None
    numbers = [int(row[1]) for row in rows]
    inner = [_INDEXED.match(row[2]) for row in rows]
    if numbers == list(range(1, len(rows) + 1)):
        if all(inner):
            return [int(m[1]) for m in inner if m], "ranking"
        return [], "ranking"
    return numbers, "rows"
