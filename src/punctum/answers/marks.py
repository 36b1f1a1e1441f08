"""Finding an output's mentions of options: letters, and options' own texts.

Every mention is replaced by two private characters, its kind and its option, so that the rules of `choice`
are plain patterns over marks. What decides whether a letter is a letter (and not the article, the pronoun, a
name's initial or part of an abbreviation) stands here.
"""

from __future__ import annotations

import re

from .kinds import BARE, CJK, EXPLICIT, LABELLED, OPTION, TEXT, mark
from .normalise import BOX_CLOSE, BOX_OPEN, unbox, unwrap
from .option_texts import mark_texts
from .parsed import index_of

_NOT_AFTER_WORD = f"(?<![^\\W{CJK}])"
_NOT_BEFORE_WORD = f"(?![^\\W{CJK}])"

# A word after "A" that shows that "A" is no article (nouns like "can", "match" or "will" are left out).
_FUNCTION = re.compile(
    r"\s+(?:or|and|nor|but|because|since|as|is|was|are|were|isn't|wasn't|would|could|should|does|doesn't|did|has"
    r"|cannot|can't|can (?:be|only|also|not)|will be|must be|may be|might be|seems?|appears?|looks|fits|matches"
    r"|describes?|depicts?|shows|represents|captures|reflects|makes|says|contradicts|fails|lacks|explains|suits"
    r"|gives|conveys|refers|contains|includes|involves|misses|ignores|implies|suggests|corresponds|best"
    r" (?:fits?|describes?|match(?:es)?|captures?|represents?|explains?|reflects?|suits?|answers?|conveys)"
    r"|for|in|on|at|with|which|that|given|due|based|from|by|to|not|if|so|when|while|the|this|these|there|it|its"
    r"|it's|then|than|through|thru|vs|versus|instead|rather|over|according|also|both|we|they|he|she|i|i'm|you"
    r"|his|her|their|however|plus|along\s+with|together\s+with"
    r"|though|although|explanation|best(?=\W*$)|(?:in)?correct(?=\s*[.,;!\n]|\s*$)|(?:right|wrong)(?=\s*[.,;!\n]"
    r"|\s*$))(?![\w-])",
    re.IGNORECASE,
)
_CUED = re.compile(
    r"(?:^|[^\w\s]|\n|\b(?:is|be|are|was|were|been|option|choice|letter|answer|so|therefore|thus|hence|choose|chose"
    r"|pick|select|say|think|guess|believe|with|for|maybe|probably|perhaps|definitely|clearly|likely|certainly|not"
    r"|or|and|nor|neither|either|both|towards?|on|than|of|out|only|just|to|prefer|answered|selected|picked"
    r"|overall|conclude|that|it's|its|if|whether|between))\s*$",
    re.IGNORECASE,
)
_NAMING = frozenset(
    [
        "plan",
        "vitamin",
        "person",
        "figure",
        "fig",
        "type",
        "grade",
        "image",
        "picture",
        "photo",
        "photograph",
        "panel",
        "scene",
        "team",
        "group",
        "class",
        "hepatitis",
        "section",
        "gate",
        "terminal",
        "room",
        "building",
        "line",
        "track",
        "man",
        "woman",
        "boy",
        "girl",
        "character",
        "side",
        "part",
        "point",
        "appendix",
        "exhibit",
        "mr",
        "mrs",
        "ms",
        "dr",
        "company",
        "brand",
        "model",
        "schedule",
        "route",
        "day",
        "big",
        "generation",
        "appendix",
        "phase",
        "zone",
        "block",
    ]
)
_OPENING = frozenset(
    [
        "option",
        "choice",
        "letter",
        "answer",
        "so",
        "therefore",
        "thus",
        "hence",
        "choose",
        "select",
        "pick",
        "definitely",
        "clearly",
        "probably",
        "maybe",
        "perhaps",
        "likely",
        "certainly",
        "is",
        "its",
        "it's",
        "only",
        "just",
        "final",
        "correct",
        "yes",
        "no",
        "sure",
        "ok",
        "okay",
        "ans",
        "guess",
        "conclusion",
        "not",
        "or",
        "and",
        "both",
        "neither",
        "either",
        "between",
        "nor",
        "but",
        "i'd",
        "say",
        "to",
        "overall",
        "result",
    ]
)
_CAPITALISED = re.compile(r"\s(?:[A-Z]\. ?)?[A-Z][a-z]+(?:[A-Z][a-z]+)?\b")
_NOT_APPLICABLE = re.compile(r"(?<![\w/])n\.?/a\b(?!/)", re.IGNORECASE)
_ASKED_FOR = re.compile(
    r"(?:^|[:=(\n]|\b(?:option|choice|letter|answer|ans|so|therefore|thus|hence|choose|chose|pick|select"
    r"|go(?:ing)? with|say|final|or|and|not)|\b(?:option|choice|answer|guess|pick)\b[\w ']{0,20} (?:is|be))\s*$",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"\. ?[A-Z]\. ?[A-Z][a-z]")
_TWO_INITIALS = re.compile(r"(?<![^\W_])[A-Z]\. ?\Z")
_SINGLE = re.compile(f"{_NOT_AFTER_WORD}[A-Za-z]{{1,3}}{_NOT_BEFORE_WORD}")
_ONE = re.compile(f"{_NOT_AFTER_WORD}[A-Za-z]{_NOT_BEFORE_WORD}")
_PREVIOUS = re.compile(r"([A-Za-z][\w']*) $")
_WRAPPED = re.compile(
    r"""(?<![^\W_])(?:\*{1,3}|_{1,2}|`{1,3}|["'(\[{<$]|\ue00e){1,8}\s*([A-Za-z]{1,3})\s*[.):]?\s*"""
    r"""(?:\*{1,3}|_{1,2}|`{1,3}|["')\]}>$]|\ue00f){1,8}"""
)
_NAMED = re.compile(
    r"""\b(options?|choices?|letters?|answers?|alternatives?)(\s*[:#=-]?\s*[("'*]{0,3})([A-Za-z]{1,2})"""
    r"""(?![\w'+#]|\.\w|-\w)([)"'*]{0,3})""",
    re.IGNORECASE,
)


def find(text: str, options: tuple[str, ...]) -> str:
    """The text without wrapping, every mention of an option replaced by a mark.

    Args:
        text: a prepared output (`normalise.prepare`).
        options: the options' texts.
    """
    n = len(options)
    text = _NOT_APPLICABLE.sub(" ", unbox(text))
    text = unwrap(_WRAPPED.sub(lambda m: _wrapped(m, n), text))
    text = mark_texts(_NAMED.sub(lambda m: _named(m, n), text), options)
    return _merge((_SINGLE if n > 26 else _ONE).sub(lambda m: _bare(m, n), text))


def _one_case(name: str) -> bool:
    return name.isupper() or name.islower()


def _wrapped(match: re.Match[str], n: int) -> str:
    """A letter in brackets, quotes, emphasis or the like."""
    index = index_of(match[1], n)
    if index is None or not _one_case(match[1]):
        return match[0]
    opened, closed = BOX_OPEN in match[0], BOX_CLOSE in match[0]
    return BOX_OPEN * opened + mark(EXPLICIT, index) + BOX_CLOSE * closed


def _named(match: re.Match[str], n: int) -> str:
    """A letter after "option", "answer" and the like; "a" and "I" only where no other word can be meant."""
    word, between, name, closing = match.groups()
    index = index_of(name, n)
    if index is None or not _one_case(name):
        return match[0]
    after = match.string[match.end() :][:40]
    goes_on = name in ("a", "i", "A", "I") and re.match(r"\s*\w", after) and not _FUNCTION.match(after)
    if goes_on and not (name == "A" and word.lower().startswith(("option", "choice", "letter"))):
        return match[0]
    return f"{word}{between}{mark(EXPLICIT, index)}{closing}"


def _bare(match: re.Match[str], n: int) -> str:
    """A letter that stands alone in prose: marked, or left where it is something else."""
    name, text, start, end = match[0], match.string, match.start(), match.end()
    index = index_of(name, n)
    if index is None or (len(name) > 1 and not name.isupper()):
        return name
    before, after = text[max(0, start - 40) : start], text[end : end + 40]
    if _inside_something(name, before, after):
        return name
    cued = _CUED.search(before) is not None
    if name == "I":
        wanted = re.match(
            r"\s*(?:[.:;)!?]|$|\n|(?:is|fits|matches|seems|best|because)\b|(?:or|and|nor) [A-Z]\b)", after
        )
        return mark(BARE, index) if wanted and cued else name
    follows_word = re.match(r"[ \t]*\n?[ \t]*[a-z]" if name == "A" else r"\s*\w", after)
    function = _FUNCTION.match(after) is not None
    if name == "A" and (re.match(r"[ \t]+[\w'\"]", after) or follows_word) and not function:
        next_one = re.match(r"[ \t]+([A-Z])(?![\w'-])", after)
        if not (next_one and index_of(next_one[1], n) is not None):
            return name
    if name.islower() and not (cued and (function or not follows_word)):
        return name
    if name == "a" and not after.strip() and not _ASKED_FOR.search(before):
        return name  # cut off before a noun
    named = after.startswith(".") and _CAPITALISED.match(after[1:])
    if named and (_TWO_INITIALS.search(before) or _INITIAL.match(after)):
        return name
    previous = _PREVIOUS.search(before)
    if previous and name.isupper():
        word = previous[1]
        if word.lower() in _NAMING:
            return name
        if word[0].isupper() and len(word) > 1 and word.lower() not in _OPENING:
            at_start = re.search(r"(?:^|[.!?:;\n\"]\s*)$", before[: previous.start()]) is not None
            initial = after.startswith(".") and _CAPITALISED.match(after[1:]) and not _FUNCTION.match(after[1:])
            if initial or not at_start:
                return name
    return mark(BARE, index)


_PART_BEFORE = re.compile(r"[^\W_]['@&\\-]\Z|(?<![^\W_])[A-Za-z]\.\Z|[^\W_]{2}/\Z|\b(?:[DM]rs?|Ms|Prof|St)\. ?\Z")
_PART_AFTER = re.compile(
    r"-\w|'(?!s\b|\W|$)|\+(?!\s*[A-Za-z]\b)|#(?!#)|\.[A-Za-z](?:\.|\W*$)|@|\\(?=\w)|&[A-Za-z]|/[a-z]{2}"
)
_ENDING = re.compile(r"[^\W_]\(\Z")
_NAMED_ENDING = re.compile(r"(?:option|choice|answer|letter)\(\Z", re.IGNORECASE)
_QUANTITY = re.compile(r"(?:\d|[°%])[ \t]?\Z")


def _inside_something(name: str, before: str, after: str) -> bool:
    """Whether a letter is part of a contraction, a compound, an abbreviation, a number or a symbol."""
    if _PART_BEFORE.search(before) or _PART_AFTER.match(after):
        return True
    if name.islower() and after.startswith(")") and _ENDING.search(before):  # "person(s)"
        return _NAMED_ENDING.search(before) is None
    return _QUANTITY.search(before) is not None and re.match(r"\s*[.):]", after) is None


_SEPARATED = re.compile(rf"([{EXPLICIT}{BARE}])({OPTION})(\)?\s*(?:[.):=-]+|\n)?\s*\(?)({TEXT}({OPTION}))\)?")
_COMMA = re.compile(rf"([{EXPLICIT}{BARE}])({OPTION})\)?[,;]?\s*\(?({TEXT}\2)\)?")
_AFTER = re.compile(rf"{TEXT}({OPTION})\s*[(,:-]+\s*(?:option\s+)?([{EXPLICIT}{BARE}]\1)\)?")


def _merge(text: str) -> str:
    """A letter with an option's text beside it is one mention, and the letter says which option."""

    def labelled(match: re.Match[str]) -> str:
        if match[2] != match[5] and not re.search(r"[.):=-]", match[3]):
            return match[0]
        return f"{LABELLED}{match[2]} "

    text = _SEPARATED.sub(labelled, text)
    text = _COMMA.sub(rf"{LABELLED}\2 ", text)
    return _AFTER.sub(rf"{LABELLED}\1 ", text)
