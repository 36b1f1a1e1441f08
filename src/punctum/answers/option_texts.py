"""Finding the options' own texts in an output.

Texts are compared word by word, in either case, with any punctuation between the words and any article
before them; the longest text wins where one contains another. Options that differ in their article only, or
in punctuation only, are told apart by it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .kinds import CJK, TEXT, mark
from .normalise import clean, unbox, unwrap
from .parsed import index_of

_ARTICLES = frozenset(("a", "an", "the"))
# A character of a script without blanks is a word of its own.
_TOKEN = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
_PLAIN = re.compile(r"[A-Za-z0-9 .,;:!?'()-]*")
_LONGEST_GAP = 6


class _Texts(NamedTuple):
    """What finds the options' own texts.

    Attributes:
        by_first: first word to (words, option, whether an article before them belongs to them), longest first.
        literal: a pattern for options that only punctuation tells apart, a group an option, with the options.
        twins: for each option, whether another has the same text.
    """

    by_first: dict[str, list[tuple[tuple[str, ...], int, bool]]]
    literal: tuple[re.Pattern[str], tuple[int, ...]] | None
    twins: tuple[bool, ...]


def _plain(option: str) -> str:
    if not _PLAIN.fullmatch(option):
        option = unwrap(unbox(clean(option)))
    return " ".join(option.split())


@lru_cache(maxsize=4096)
def _texts(options: tuple[str, ...]) -> _Texts:
    cleaned = [_plain(option) for option in options]
    exact = [text.lower() for text in cleaned]
    words = [tuple(_TOKEN.findall(text)) for text in exact]
    bare = [w[1:] if len(w) > 1 and w[0] in _ARTICLES else w for w in words]
    counts, word_counts, bare_counts = Counter(exact), Counter(words), Counter(bare)
    by_first: dict[str, list[tuple[tuple[str, ...], int, bool]]] = {}
    literal: list[tuple[int, str, int]] = []
    seen: set[str] = set()
    for i, text in enumerate(cleaned):
        if not text or exact[i] in seen or index_of(text.strip(".,;:!?"), len(options)) is not None:
            continue  # an option's text that is also a letter of the question is read as the letter
        seen.add(exact[i])
        if not words[i] or word_counts[words[i]] > counts[exact[i]]:
            literal.append((-len(text), _literal(text), i))
            continue
        article_free = bare_counts[bare[i]] == counts[exact[i]]
        own = bare[i] if article_free else words[i]
        by_first.setdefault(own[0], []).append((own, i, article_free))
    for entries in by_first.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    literal.sort()
    pattern = re.compile("|".join(f"({part})" for _, part, _ in literal), re.IGNORECASE) if literal else None
    return _Texts(
        by_first,
        (pattern, tuple(i for _, _, i in literal)) if pattern else None,
        tuple(counts[text] > 1 for text in exact),
    )


def _literal(text: str) -> str:
    pattern = r"\s+".join(map(re.escape, text.split()))
    left = r"(?<!\w)" if text[0].isalnum() else r"(?<![-+.\d])" if text[0] in "-+" else ""
    return left + pattern + (r"(?!\w)" if text[-1].isalnum() else "")


def mark_texts(text: str, options: tuple[str, ...]) -> str:
    """Every option's own text in `text` replaced by a mark."""
    by_first, literal, _ = _texts(options)
    if literal:
        pattern, indices = literal
        text = pattern.sub(lambda m: mark(TEXT, indices[(m.lastindex or 1) - 1]), text)
    lowered = text.lower()
    if not any(first in lowered for first in by_first):
        return text
    tokens = [(m[0].lower(), m.start(), m.end()) for m in _TOKEN.finditer(text)]
    parts: list[str] = []
    done = at = 0
    while at < len(tokens):
        found = _text_at(text, tokens, at, by_first)
        if found is None:
            at += 1
            continue
        length, option, article_free = found
        start = tokens[at][1]
        if article_free and at and tokens[at - 1][0] in _ARTICLES and tokens[at - 1][1] >= done:
            start = tokens[at - 1][1] if text[tokens[at - 1][2] : start].isspace() else start
        parts += (text[done:start], mark(TEXT, option))
        at += length
        done = tokens[at - 1][2]
    return "".join((*parts, text[done:]))


def _text_at(
    text: str,
    tokens: Sequence[tuple[str, int, int]],
    at: int,
    by_first: dict[str, list[tuple[tuple[str, ...], int, bool]]],
) -> tuple[int, int, bool] | None:
    """The longest option's text that begins with token `at`: its words, the option, whether free of articles."""
    for words, option, article_free in by_first.get(tokens[at][0], ()):
        run = tokens[at : at + len(words)]
        if len(run) < len(words) or any(token[0] != word for token, word in zip(run, words, strict=True)):
            continue
        gaps = [text[left[2] : right[1]] for left, right in pairwise(run)]
        if any(len(gap) > _LONGEST_GAP or max(gap, default="") >= "\ue000" for gap in gaps):
            continue
        if _whole(text, run[0][1], run[-1][2]):
            return len(words), option, article_free
    return None


def _whole(text: str, start: int, end: int) -> bool:
    """Whether no number goes on at either end ("1" in "1.5", "-1", "10%") and no underscore joins a word."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before[-1:] == "_" or after[:1] == "_":
        return False
    if text[start].isdigit() and (before[-1:] == "-" or (before[:1].isdigit() and before[-1:] in (".", ","))):
        return False
    return not (text[end - 1].isdigit() and (after[:1] == "%" or (after[:1] in (".", ",") and after[1:].isdigit())))


def has_twin(options: tuple[str, ...], index: int) -> bool:
    """Whether another option has the same text, so that the text alone names no option."""
    return _texts(options).twins[index]


def starts_one(text: str, options: Sequence[str]) -> int | None:
    """The only option that the whole text is the beginning of, where that beginning is a long one."""
    words = _TOKEN.findall(text.lower())
    if len(words) < 5:
        return None
    found = None
    for i, option in enumerate(options):
        own = _TOKEN.findall(_plain(option).lower())
        last = len(words) - 1
        if len(own) > last and own[:last] == words[:last] and own[last].startswith(words[last]):
            if found is not None:
                return None
            found = i
    return found
