"""Reading a multiple-choice answer: which one option an output chooses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from . import declared, paper
from .denied import deny
from .echoes import after_options, before_next_question, name_answer
from .kinds import BARE, DENIED, EXPLICIT, IDLE, LABELLED, LETTER, MENTION, TEXT, marked
from .marks import find
from .normalise import prepare
from .option_texts import has_twin, starts_one
from .parsed import Parsed, check_parser, index_of

Choice = Parsed[tuple[int, ...]]
_PAPER: dict[str, Callable[[str, Sequence[str]], Choice]] = {
    "mvp_direct": paper.mvp_direct,
    "mvp_circular": paper.mvp_circular,
    "deepeval": paper.deepeval,
}


def parse_choice(output: str, options: Sequence[str], parser: str = "robust") -> Choice:
    """Which option an output chooses.

    Args:
        output: the model's words.
        options: the options' texts as shown, in their order; their letters are A to Z, then AA, AB, …
        parser: `robust`, or a published extraction: `mvp_direct`, `mvp_circular`, `deepeval`.

    Returns:
        `value` is a tuple of one index into `options`, or None: nothing, or nothing unambiguous, is said.

    Raises:
        ValueError: if the parser is unknown.
    """
    if parser == "robust":
        own = options if type(options) is tuple else tuple(options)
        return _quick(output, own) or _robust(output, own)
    check_parser(parser, ("robust", *_PAPER), "choices")
    return _PAPER[parser](output, options)


@lru_cache(maxsize=1024)
def _read(index: int, rule: str) -> Choice:
    return Parsed((index,), rule)


_NOTHING: Choice = Parsed(None, "nothing")
_AMBIGUOUS: Choice = Parsed(None, "ambiguous")
_EMPTY: Choice = Parsed(None, "empty")
_TRUNCATED: Choice = Parsed(None, "truncated", True)

# The letter as the whole output, in any wrapping; with a text after it; declared in so many words.
_QUICK = re.compile(
    r"""\s*(?:(?:the\s+)?(?:(?:correct|final|best)\s+)?answer\s*(?:is|:)\s*)?"""
    r"""[*_`"'(\[{<$\s]*([A-Za-z])[*_`"')\]}>$\s]*(?:[.:)][*_`"')\]}>$\s]*(?:(?<=\s)(\S.*))?)?""",
    re.IGNORECASE | re.DOTALL,
)


def _quick(output: str, options: tuple[str, ...]) -> Choice | None:
    """The trivial outputs, which are nearly all: the same as `_robust` would read, ten times as fast."""
    match = _QUICK.fullmatch(output) if len(output) < 400 else None
    if match is None:
        return None
    name, text = match.groups()
    index = ord(name) & 31
    if index > len(options):
        return None
    index -= 1
    if text is not None:
        option = options[index]
        if text != option and text.rstrip(" .\n") != option.rstrip(" .\n"):
            return None
        return _read(index, "leading letter")
    if name >= "a" and name in options:
        return None
    return _read(index, "letter")


_BLANK = re.compile(r"[\W_]*")
_ALONE = re.compile(rf"[^\w\ue000-\uf8ff]*({TEXT}.)(?:[^\w\ue000-\uf8ff]*)", re.DOTALL)
_LONE_LETTERS = re.compile(r"[\W_]*([A-Za-z]{1,3})[\W_]*")


@lru_cache(maxsize=16384)
def _robust(output: str, options: tuple[str, ...]) -> Choice:
    text, truncated = prepare(output)
    if truncated:
        return _TRUNCATED
    if not text:
        return _EMPTY
    same = [i for i, option in enumerate(options) if option.strip() == text]
    if len(same) == 1 and (len(text) > 1 or text.islower() or index_of(text, len(options)) is None):
        return _read(same[0], "option text")
    lone = _LONE_LETTERS.fullmatch(text)
    if lone and not re.search(r"[+#~!/\\]", text):
        index = index_of(lone[1], len(options))
        if index is not None and (len(options) > 26 or len(lone[1]) == 1):
            return _read(index, "letter")
    return _read_text(text, options)


def _read_text(text: str, options: tuple[str, ...]) -> Choice:
    head = before_next_question(text)
    if head is not None:
        read = _robust(head, options)
        if read.value is not None and read.rule != "only letter":
            return read
    whole = find(name_answer(text), options)
    rest = after_options(whole, len(options))
    marks = deny(rest)
    for rule, reader in _RULES:
        found = reader(marks, options)
        if found is None:
            continue
        if found < 0 or _taken_back(marks, found) or declared.rivalled(marks, found):
            return _AMBIGUOUS
        if rest is not whole and reader in (_only_letter, _only_text) and not _sole(marks, options[found]):
            return _AMBIGUOUS
        return _read(found, rule)
    cut = starts_one(text, options)
    return _NOTHING if cut is None else _read(cut, "beginning of an option's text")


def _sole(marks: str, option: str) -> bool:
    """Whether only one option is spoken of, and not in a word that prose may hold by chance."""
    spoken = {marked(m[0]) for m in re.finditer(f"[{EXPLICIT}-{IDLE}].", marks, re.DOTALL)}
    return len(spoken) == 1 and (" " in option.strip() or re.search(LETTER, marks) is not None)


def _taken_back(marks: str, index: int) -> bool:
    """Whether the last word on this option is that it is not the one."""
    mentions = [m[0] for m in re.finditer(f"[{EXPLICIT}{BARE}{LABELLED}{TEXT}{DENIED}].", marks, re.DOTALL)]
    own = [m for m in mentions if marked(m) == index]
    return bool(own) and own[-1][0] == DENIED


def _whole_text(marks: str, options: tuple[str, ...]) -> int | None:
    """The output is one option's text and nothing else."""
    match = _ALONE.fullmatch(marks)
    return None if match is None else _of_text(marked(match[1]), options)


def _of_text(index: int, options: tuple[str, ...]) -> int:
    return -1 if has_twin(options, index) else index


def _declaration(marks: str, options: tuple[str, ...]) -> int | None:
    """The last plain declaration."""
    found = declared.last(marks)
    if found is None or found == declared.NONE:
        return None if found is None else -1
    return _of_text(marked(found), options) if found[0] == TEXT else marked(found)


_LEADING = re.compile(
    rf"[^\w\ue000-\uf8ff]*(?:(?:sure|okay|ok|well|certainly|of course|hmm)\b[!,.:\s]*)?"
    rf"(?:{EXPLICIT}.|{LABELLED}.|{BARE}.(?=\s*[.):,;!?=-]|\s*\n|\s*$|\s+(?-i:[A-Z])|\s+(?:because|since|as|due|given|for)\b))",
    re.IGNORECASE | re.DOTALL,
)
_EXPLANATION = re.compile(
    r"\b(?:explanation|explain\w*|reason\w*|rationale|justification|because|analysis|why)\b|\?\s*\n", re.I
)
_SCORED = re.compile(
    rf"\W{{0,4}}[0-9][0-9./% ]*[^\w\ue000-\uf8ff]*(?:{MENTION}|[A-Z])\W{{0,4}}[0-9]"
)  # "A: 10%, B: 80%"
_LISTED = re.compile(
    rf"{LABELLED}.|(?<=\n)[^\w\ue000-\uf8ff]*[{EXPLICIT}{BARE}].(?=\s*(?:[.):=-]|\n|$))"
    rf"|(?<=[.;] )[{EXPLICIT}{BARE}].(?=\s*:)",
    re.DOTALL,
)


def _leading(marks: str, options: tuple[str, ...]) -> int | None:
    """A letter with its delimiter at the start, unless it begins a list of options."""
    match = _LEADING.match(marks)
    if match is None:
        return None
    index = marked(match[0])
    rest = marks[match.end() :]
    if match[0][-2] != LABELLED and re.match(r"[.)]?\s*\n", rest):  # alone on the first line
        return index if declared.lone_lines(marks) == {index} else -1
    if declared.goes_on(rest, index) or _SCORED.match(rest):
        return -1
    if re.match(r"\s*\?", rest) and any(marked(m[0]) != index for m in re.finditer(MENTION, rest)):
        return -1
    reasons = _EXPLANATION.search(rest)
    listing = rest[: reasons.start()] if reasons else rest
    if any(marked(m[0]) != index for m in _LISTED.finditer(listing)):
        return -1
    return index


_FIRST_LINE = re.compile(rf"[^\w\ue000-\uf8ff]*({TEXT}.)[^\w\n\ue000-\uf8ff]*\n", re.DOTALL)


def _first_line(marks: str, options: tuple[str, ...]) -> int | None:
    """The first line is one option's text, and what follows chooses no other."""
    match = _FIRST_LINE.match(marks)
    if match is None:
        return None
    index = marked(match[1])
    if declared.goes_on(marks[match.end(1) :], index):
        return -1
    rest = marks[match.end() - 1 :]
    reasons = _EXPLANATION.search(rest)
    rest = rest[: reasons.start()] if reasons else rest
    others = any(marked(m[0]) != index for m in re.finditer(MENTION, rest))
    return None if others else _of_text(index, options)


# Options gone through one by one, which was cut off at the first.
_ANALYSED = re.compile(
    r"\b(?:evaluat|analy[sz]|consider|compar|examin|assess|review)\w*\b[^.:\n]{0,40}\b(?:options?|choices?|answers?"
    rf"|statements?|one)\b[^.:\n]{{0,30}}[:.\n]\W*{LABELLED}|\b(?:consider|start|starting|begin|beginning)"
    rf"(?:\s+with)?\s+(?:the\s+)?(?:option\s+|choice\s+)?\(?{LABELLED}",
    re.IGNORECASE,
)


def _only_letter(marks: str, options: tuple[str, ...]) -> int | None:
    """The only letter that is no article, no part of a word and not denied."""
    letters = {marked(m[0]): m[0][0] for m in re.finditer(LETTER, marks)}
    denied = {i for i in letters if _taken_back(marks, i)}
    left = {i: kind for i, kind in letters.items() if i not in denied}
    if not left:
        return None
    index, kind = next(iter(left.items()))
    if len(left) > 1:
        return -1
    if kind == LABELLED and _ANALYSED.search(marks):
        return -1
    texts = {marked(m[0]) for m in re.finditer(f"{TEXT}.", marks, re.DOTALL)} - {index}
    return -1 if kind == BARE and texts else index


_LEADING_TEXT = re.compile(rf"[^\w\ue000-\uf8ff]*({TEXT}.)\s*(?=[.,:;!-])", re.DOTALL)


def _leading_text(marks: str, options: tuple[str, ...]) -> int | None:
    """An option's text with a delimiter at the start, not joined to another option."""
    match = _LEADING_TEXT.match(marks)
    if match is None:
        return None
    index = marked(match[1])
    return -1 if declared.goes_on(marks[match.end(1) :], index) else _of_text(index, options)


def _only_text(marks: str, options: tuple[str, ...]) -> int | None:
    """The only option whose own text the output gives."""
    texts = {marked(m[0]) for m in re.finditer(MENTION, marks)}
    left = {i for i in texts if not _taken_back(marks, i)}
    if len(left) > 1:
        return -1
    return _of_text(left.pop(), options) if left else None


_RULES: tuple[tuple[str, Callable[[str, tuple[str, ...]], int | None]], ...] = (
    ("option text", _whole_text),
    ("declaration", _declaration),
    ("leading letter", _leading),
    ("option text", _first_line),
    ("only letter", _only_letter),
    ("option text", _leading_text),
    ("option text", _only_text),
)
