"""Reading a yes/no answer."""

from __future__ import annotations

import re

from .echoes import before_next_question
from .kinds import CJK
from .normalise import prepare, unbox, unwrap
from .paper import mvp_yes_no
from .parsed import Parsed, check_parser

_WORDS = {"yes": "yes", "yeah": "yes", "yep": "yes", "yup": "yes", "y": "yes"}
_WORDS |= {"no": "no", "nope": "no", "nah": "no", "n": "no"}
_WORD = r"(?:yes|yeah|yep|yup|nope|nah|no)"
_LONE = re.compile(r"[\W_]*(yes|yeah|yep|yup|y|nope|nah|no|n)[\W_]*", re.IGNORECASE)
_QUICK = re.compile(r"\s*(yes|no)\.?\s*", re.IGNORECASE)

# "No" before one of these, a capital, or a stop is the answer; before another word ("no one", "no sign") it
# is not.
_AFTER_NO = (
    r"(?=\s*(?:$|[.,;:!?)\n\ue00f-]|\((?!\d)|\b(?:the|it|it's|its|this|that|there|these|those|he|she|they|we|you|i|not|an?"
    r"|because|since|as|is|isn't|are|aren't|based|according|in|from|based|his|her|their|and|or|but|for|to|if)\b"
    r"(?!-)))(?!\.\s?\d)(?!\s*-\w)(?!\s+(?:i|a)\.)"
)
_CAPITAL_NO = r"(?:(?-i:No|NO|no)(?=\s+(?-i:[A-Z])[a-z]+\s+(?:is|are|was|were|has|have|does|do|looks|seems|appears)\b))"
_YES = r"(?:yes|yeah|yep|yup)\b(?![-'/]\w)"
_NO = rf"(?:(?:nope|nah)\b|no\b(?!/){_AFTER_NO}|{_CAPITAL_NO})"
_EITHER = re.compile(rf"(?<![^\W{CJK}])(?<!['/-])(?:({_YES})|({_NO}))", re.IGNORECASE)
# "Yes, and no one is sad" is a yes.
_NO_BODY = r"(?!\s+(?:one|body|other|more|longer|doubt|less|such|\w+\s+(?:is|are|was|were|can|has|have|else|seems?))\b)"
_BOTH = re.compile(
    r"\b(?:yes|y)\b[\"']?\s*(?:\.{3}\s*|\()?(?:,?\s*(?:and|or|nor|but|/|&)\s*|/)(?:perhaps\s+|also\s+|a\s+|an\s+)?[\"']?(?:no|n)\b"
    rf"{_NO_BODY}"
    r"|\b(?:no|n)\b[\"']?\s*(?:\.{3}\s*|\()?(?:,?\s*(?:and|or|nor|but|/|&)\s*|/)(?:perhaps\s+|also\s+|a\s+|an\s+)?[\"']?(?:yes|y)\b"
    r"|\b(?:yes\s*\|\s*no|no\s*\|\s*yes)\b|\b(?:yes\s+no|no\s+yes)\b(?=\s*(?:[.,;!?]|$))",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\bnot\b|n't\b|\bcannot\b|\bnever\b|\bneither\b|\bnor\b|\bif\b|\bwhether\b|\binstead of\b"
    r"|\brather than\b|\bunless\b"
    r"|\bassuming\b|\bdoubt\b|\bhard\b|\bdifficult\b|\bimpossible\b|\bunable\b|\bunsure\b|\btempted\b"
    r"|\bif\s+so\s*,)(?:[\s\"'(]|\b(?:be|sure|say|said|answer|answered|certain|clear|it|it's|is|a|an|the|that|to"
    r"|simply|simple|definite|definitely|clearly|clear|really|just|think|believe|necessarily|i|i'd|would|could|so"
    r"|with|question|either|whether|if|was|going|straightforward|plain|as)\b)*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"(?:\b(?:says|said|saying|nods?|nodding|screams?|screaming|yells?|reads?|reading|written|word|words|sign"
    r"|shouts?|shouting|text|labell?ed|titled|letters)\b"
    r"[\s,:]*(?:the\s+word\s+)?[\"']?)$",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"(?:\b(?:answer|ans|response|verdict|conclusion|prediction|reply)\b(?:\s+[\w']+){0,8}?\s*(?:is|was|:|="
    r"|-+>?|would\s+be"
    r"|must\s+be|should\s+be|has\s+to\s+be|remains)|\bI(?:\s+\w+|'d|'ll|'m)?(?:\s+\w+ly)?\s+(?:say|answer|go\s+with"
    r"|going\s+with|choose|think|believe|conclude|guess|vote)|\b(?:so|thus|therefore|hence|overall"
    r"|in\s+conclusion|in\s+short"
    r"|in\s+summary|finally|wait|actually|sorry|correction|oops|rather|i\s+mean|conclusion|short\s+answer)\b|\ue00e"
    r"|\b(?:it|that|this)(?:'s|\s+is|\s+must\s+be|\s+would\s+be))"
    r"(?:[\s\"'(:=>,.-]|\b(?:a|an|that|simply|clearly|definitely|probably|most|likely|certainly|obviously|therefore"
    r"|thus|the|answer|is|it|it's|would|be|my|final|with|for|going|still|simple|clear|resounding)\b)*$",
    re.IGNORECASE,
)
_START = re.compile(
    r"(?:^[\W_]*|[.!?;:\n\ue00e]\s*|^[^.!?\n]{0,30}[,]\s*|\s-\s*|\b(?:well|oh|hmm|um|sure|ok|okay|but)[,.]?\s+)$", re.I
)
_SINGLE_QUOTE = re.compile(r"(?<!\w)'|'(?!\w)")
_SUPPOSED = re.compile(
    r"\s*\?|\s*,?\s*(?:only\s+)?(?:if|unless)\b"
    r"|[\"')]*\s+(?:is|was|would\s+be|seems)\s+(?:not|the\s+wrong|wrong|incorrect|false)\b|[\"')]*\s+(?:isn't|wouldn't|can't\s+be)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"(?:^|\b(?:answer|ans|response|verdict|conclusion)\s*(?:is|:|=)\s*|\ue00e)[\s\"'(]*([yn])(?![\w'/&.-]|\s*/)"
    r"(?=[\s)\"']*(?:[,:;!)\n\ue00f]|$|\s-))",
    re.IGNORECASE,
)


def parse_yes_no(output: str, parser: str = "robust", verdict: str | None = None) -> Parsed[str]:
    """Whether an output says yes or no.

    Args:
        output: the model's words.
        parser: `robust`, or MVP-Bench's published extraction `mvp_yes_no`.
        verdict: for `mvp_yes_no`: a judge's verdict ("Yes", "No", "Unknown"), which decides where the rule
            reads neither word; `robust` does not look at it.

    Returns:
        `value` is "yes", "no", or None.

    Raises:
        ValueError: if the parser is unknown.
    """
    if parser == "robust":
        quick = _QUICK.fullmatch(output)
        if quick is not None:
            return Parsed(quick[1].lower(), "whole output")
        return _robust(output)
    check_parser(parser, ("robust", "mvp_yes_no"), "yes or no")
    return mvp_yes_no(output, verdict)


def _robust(output: str) -> Parsed[str]:
    text, truncated = prepare(output)
    if truncated:
        return Parsed(None, "truncated", True)
    if not text:
        return Parsed(None, "empty")
    head = before_next_question(text)
    if head is not None:
        read = _robust(head)
        if read.value is not None:
            return read
    text = _SINGLE_QUOTE.sub("", unwrap(unbox(text))).strip()
    lone = _LONE.fullmatch(text)
    if lone:
        return Parsed(_WORDS[lone[1].lower()], "whole output")
    both = _BOTH.search(text) is not None
    text = _BOTH.sub(" … ", text)
    said: list[tuple[bool, str]] = []
    leading: list[tuple[int, str]] = [(m.start(), _WORDS[m[1].lower()]) for m in _LETTER.finditer(text)]
    said += [(True, word) for _, word in leading]
    weak: set[str] = set()
    for match in _EITHER.finditer(text):
        before = text[max(0, match.start() - 120) : match.start()]
        word = "yes" if match[1] else "no"
        if _DENIED.search(before) or _QUOTED.search(before) or _SUPPOSED.match(text, match.end()):
            continue
        if _CUE.search(before):
            said.append((True, word))
        elif _START.search(before):
            said.append((False, word))
        else:
            weak.add(word)
    declared = [word for is_declared, word in said if is_declared]
    if declared:
        return Parsed(declared[-1], "declaration")
    plain = {word for _, word in said}
    if len(plain) > 1 or (not plain and len(weak) > 1):
        return Parsed(None, "ambiguous")
    if plain:
        return Parsed(plain.pop(), "word")
    if weak and not both:
        return Parsed(weak.pop(), "word")
    return Parsed(None, "ambiguous" if both else "nothing")
