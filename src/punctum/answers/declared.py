"""The language around mentions of options: what is denied, what is only supposed, what is declared.

Works on text in which mentions are marked (`marks.find`).
"""

from __future__ import annotations

import re

from .kinds import BARE, DENIED, EXPLICIT, IDLE, LABELLED, MENTION, OPTION, TEXT, marked
from .normalise import BOX_CLOSE, BOX_OPEN

NONE = "none"
"""The last declaration chooses nothing, or more than one option."""

_AND = (
    r"(?:\s*(?:,|/|&|\+|;)\s*(?:and/or\s|and\s|or\s|nor\s)?|\s+(?:and/or|and|or|nor|plus|through|thru|to|vs\.?"
    r"|versus)\s+)\s*"
)
_OPTION_WORD = r"(?:(?:the\s+)?(?:options?|choices?|letters?|answers?|either|both)\s+)?\(?"
_LIST = rf"{MENTION}\)?(?:{_AND}{_OPTION_WORD}{MENTION}\)?){{0,40}}"
_OR_LIST = rf"{MENTION}\)?(?:(?:\s*,\s*{MENTION}\)?){{0,40}}\s*,?\s*(?:or|nor|and)\s+{_OPTION_WORD}{MENTION}\)?)?"

_LIGHT = (
    r"(?:[\s\"'(]|\b(?:at all|in any way|be|been|being|is|it|it's|its|that|that's|this|the|to|an?|think|believe"
    r"|say|feel"
    r"|choose|pick|select|go|with|for|really|actually|necessarily|likely|probably|definitely|clearly|quite|very"
    r"|true|sure|certain|convinced|clear|correct|right|best|answer|options?|choices?|letter|going|i|i'd|i'm|am|are|was"
    r"|were|would|could|should|can|may|might|must|any|of|either|both|supports?|suggests?|indicates?|matches|match"
    r"|fit|fits|like|look|looks|seems?|appears?|mean|if|whether|possible|possibly|as|consider|these|those|following"
    r"|all|other|also|how|know|agree|image|picture|show|have|has|had|choosing|picking|selecting|see|seen|shows"
    r"|depicts?|describes?|represents?|contains?|there|here)\b){0,40}"
)
_NOT = (
    r"(?:\bnot\b(?!\s+(?:only|just|merely|simply|to mention))|\b\w+n't\b(?!\s+(?:only|just))|\bcannot\b|\bnever\b"
    r"|\b(?:is|are|was|do|does|did|could|would|should|ca|wo)nt\b|\bneither\b|\bnor\b|\bexcept(?:\s+for)?\b|\bbesides\b"
    r"|\bnone\b|\bother than\b|\binstead of\b|\brather than\b|\b(?:anything|everything|any\s+option"
    r"|all)\s+but\b|\bunlike\b|\brul(?:ed?|es|ing)\s+out\b|\beliminat\w+"
    r"|\bexclud\w+|\breject\w*|\bdiscard\w*|\bdismiss\w*|\bdisagree\w*|\btempted\b|\b(?:unlikely|implausible|impossible)\b|\bagainst\b"
    r"|\bwithout\b(?!\s+a?\s*doubt)"
    r"|(?<!no )(?<!without )(?<! a )(?<!beyond )\bdoubt\b"
    r"|\bno\s+(?:way|chance|reason|evidence|support|sign)\b|\b(?:better|closer|stronger|higher|greater"
    r"|more(?:\s+[\w-]+)?)\s+than\b"
    r"|\b(?:incorrect|wrong|false|bad|worst)\s+(?:options?|answers?|choices?)\b|\bleast\s+\w+(?:\s+(?:option"
    r"|answer|one))?\b)"
)
_NOT = rf"(?:{_NOT}|\bno\b(?=[ \t]+{MENTION}))"
_SUPPOSED = r"(?:\b(?:if|whether|suppose|supposing|assuming|assume|unless|as though|let's say|what about|how about)\b)"
_BEFORE = re.compile(rf"({_NOT})({_LIGHT})({_OR_LIST})", re.IGNORECASE)
_IF = re.compile(rf"({_SUPPOSED})({_LIGHT})({_OR_LIST})", re.IGNORECASE)
_QUESTION = re.compile(
    r"(?:(?<=[.!?\n:])|^)\s*(?:is|are|was|could|can|would|should|might|does|do|did|may|which|what)\b[^.!?\n]{0,300}\?",
    re.IGNORECASE,
)
_WEAK = (
    r"(?:(?:is|are|was|were|seems?|appears?|looks?|can|could|would|should|must|may|might|do|does|did|has|have"
    r"|will|be|to"
    r"|also|clearly|definitely|obviously|probably|simply|both|all|therefore|thus|then|likely|most|just|completely"
    r"|totally|entirely|quite|very|so|an?|the|too|much|tempting|plausible|possible|close|option|choice|tempting,?\s+but"
    r"|plausible,?\s+but|possible,?\s+but|close,?\s+but|good,?\s+but|but|good)\s+)*"
)
_WRONG = (
    r"(?:not\b(?!\s+(?:only|just|wrong|incorrect|false|out\b|excluded|impossible|unlikely|implausible|bad))|never\b"
    r"|\w+n't\b(?!\s+(?:wrong|incorrect|false|impossible|unlikely))|cannot\b|wrong\b|incorrect\w*|false\b"
    r"|out\b|excluded|eliminated|rejected|unlikely|implausible|impossible|irrelevant|inaccurate|invalid|inconsistent"
    r"|unrelated|unsupported|ruled\s+out|less\b|least\b|fails?\b|lacks?\b|contradicts?\b|misses\b|neither\b"
    r"|too\s+\w+|no\b(?=\s*(?:[.,;!)\n]|$))|[✗✘❌×✖])"
)
_NOT_NEXT = rf"(?![ \t]+\(?(?:option\s+)?[{EXPLICIT}-{IDLE}]|\s+(?:the\s+|any\s+)?others?\b)"
_AFTER = re.compile(
    rf"({_LIST})((?:\s*\.\s*(?=wrong\b|incorrect\b|false\b|not\s+correct\b|[✗✘❌×✖])|\s*\?\s*(?=no\b|nope\b)|\s*[:)-]+"
    rf"|,?\s*(?:which|that)\b|\s*,(?=\s*(?:is|are|was|has|have|does|would|can)\b))?\s*({_WEAK}){_WRONG}{_NOT_NEXT})",
    re.IGNORECASE,
)
_ONE_IS = re.compile(
    r"\s*[.):-]*\s*(?:is|isn't|was|wasn't|does|doesn't|has|hasn't|seems|appears|looks|fails|lacks|contradicts"
    r"|misses)\b",
    re.IGNORECASE,
)


def _turn(kind: str, text: str) -> str:
    return re.sub(MENTION, lambda m: kind + m[0][1], text)


def _turn_subject(match: re.Match[str]) -> str:
    """Denies what a verb speaks of: of "B, and A is wrong" only A, of "B and A are wrong" both."""
    subject, predicate = match[1], match[2]
    joined = re.search(r"\b(?:and|or|nor)\b|&", subject, re.IGNORECASE)
    either = joined is not None and joined[0].lower() in ("or", "nor")
    all_of_them = re.match(r"\s*(?:are|were|aren't|weren't)\b", predicate, re.IGNORECASE)
    if either or all_of_them or (joined and not _ONE_IS.match(predicate)):
        return _turn(DENIED, subject) + predicate
    start = max(m.start() for m in re.finditer(MENTION, subject))
    return subject[:start] + _turn(DENIED, subject[start:]) + predicate


def deny(text: str) -> str:
    """Marks the mentions that are denied ("not B", "B is wrong") or only supposed ("if it is B", "is it B?")."""
    if not re.search(MENTION, text):
        return text
    text = _BEFORE.sub(lambda m: m[1] + m[2] + _turn(DENIED, m[3]), text)
    text = _AFTER.sub(_turn_subject, text)
    text = _IF.sub(lambda m: m[1] + m[2] + _turn(IDLE, m[3]), text)
    return _QUESTION.sub(lambda m: _turn(IDLE, m[0]), text)


_LEAD = (
    r"(?:[\s\"'(:=>,-]|\b(?:clearly|definitely|probably|most|likely|certainly|obviously|therefore|thus|then|indeed"
    r"|actually|simply|options?|choices?|letters?|answers?|the|number|statement|that|of|either|between|both|it|it's|is"
    r"|would|be|must|still|correct|right|best|one|my|final|with|for|going|to|go|i|i'd|say|think|believe)\b){0,60}"
)
_IS = (
    r"(?:is|are|'s|was|be|being|would\s+be|should\s+be|must\s+be|has\s+to\s+be|will\s+be|seems\s+to\s+be"
    r"|appears\s+to\s+be"
    r"|must\s+have\s+been|remains|:|=+>?|-+>?|→|⇒|➜)"
)
_NOUN = r"(?:answer|ans|option|choice|letter|response|selection|pick|guess|prediction|conclusion|verdict|solution)"
_OTHER_LANGUAGES = (
    r"(?:答案|正确答案|正确选项|选择|选|答え|正解|正解は|정답은?|답은?|Antwort|Lösung|réponse|respuesta|risposta|resposta|ответ)"
    r"\s*(?:是|为|為|は|ist|est|es|è|é)?"
)
_CHOOSE = (
    r"(?:choos(?:e|ing)|chose|pick(?:ed|ing)?|select(?:ed|ing)?|go(?:ing)?\s+with|went\s+with|opt(?:ed|ing)?\s+for"
    r"|vote\s+for|settl(?:e|ed|ing)\s+(?:on|for)|stick(?:ing)?\s+with|lean(?:ing)?\s+towards?|bet\s+on|prefer)"
)
_SAY = (
    r"\bI(?:\s+\w+|'d|'ll|'m|'ve)?(?:\s+\w+ly)?\s+(?:say|guess|answer|think|believe|conclude|bet|suggest|feel|suspect)"
)
_STOP = (
    r"(?=\)?\s*(?:[.,;:!)\n"
    + BOX_CLOSE
    + r"]|-|$|because\b|since\b|as\b|is\b|it\b|fits\b|matches\b|best\b|seems\b|would\b"
    r"|must\b|for\b|over\b|\())"
)
_GIVES = re.compile(
    rf"(?:\b{_NOUN}\b(?:\s+[\w']+){{0,8}}?\s*\(?s?\)?\s*{_IS}|\b(?:most\s+\w+"
    rf"|best)(?:\s+[\w']+){{0,14}}?\s*{_IS}|\b(?:correct|final|right)\s*{_IS}"
    rf"|{_OTHER_LANGUAGES}|\b{_CHOOSE}\b|{_SAY}\b|{BOX_OPEN})({_LEAD})({MENTION})",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"(?:(?:\b(?:so|thus|therefore|hence|consequently|accordingly|overall|finally|in conclusion|in short|in summary"
    r"|wait|actually|correction|oops|sorry|rather|i mean|no(?=\s*[,.:;!-])|only|leaves|leaving|left with"
    r"|definitely|certainly)|[∴→⇒]|->|=>)[\s,.:;!-]+"
    r"(?:i'd say\s+|make that\s+)?|\b(?:it|that|this)(?:'s|\s+is|\s+was|\s+must\s+be|\s+has\s+to\s+be|\s+would\s+be"
    rf"|\s+should\s+be|\s+can\s+only\s+be|\s+will\s+be)\b)({_LEAD})({MENTION}){_STOP}",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    rf"({MENTION})\)?\s*[.):-]*\s*(?:option\s+|choice\s+)?(?:,?\s*(?:is|was|would\s+be|must\s+be|should\s+be"
    rf"|has\s+to\s+be|will\s+be"
    r"|seems(?:\s+to\s+be)?|appears(?:\s+to\s+be)?|looks|remains|being)\s+(?:(?:\w+ly|the|my|an?|most|more|single|one"
    r"|only)\s+){0,3}(?<!partially )(?<!partly )(?:correct|right|best|true|accurate|closest|answer|choice|final|valid"
    r"|better|(?:(?<=most )|(?<=more ))(?:likely|possible|plausible|appropriate|suitable|fitting|probable"
    r"|relevant|reasonable|logical"
    r"|accurate)(?!\s+to\b)|pick|selection|guess)\b"
    r"|best\s+(?:fits?|describes?|match(?:es)?|captures?|represents?|explains?|reflects?|suits?|answers?)"
    r"|(?:fits|matches|describes|captures|represents|explains|reflects|suits"
    r"|works)\b[^.,;!?\n\ue000-\ue005]{0,60}\b(?:best"
    r"|better)\b|it\s+is\b|(?:correct|right)\b|(?<=[:-])\s?yes\b|[✓✔✅☑])",
    re.IGNORECASE,
)
_NO_CHOICE = re.compile(
    rf"\b{_NOUN}\s*(?:is|:|would\s+be|must\s+be)\s*(?:probably\s+|actually\s+|that\s+)?(?:none|neither|unclear"
    rf"|unknown|impossible"
    r"|undetermined|uncertain|cannot|can't|n/a|ambiguous|not\s+(?:listed|given|provided|clear|present|here|among"
    r"|available|included|in))\b"
    rf"|{BOX_OPEN}\s*(?:none|neither|unclear|unknown|n/a)\b",
    re.IGNORECASE,
)
_LAST_LINE = re.compile(rf"(?:^|\n)[^\w\n\ue000-\uf8ff]*[{EXPLICIT}{BARE}]{OPTION}[^\w\n\ue000-\uf8ff]*\Z")
_LONE_LINE = re.compile(rf"^[^\w\n\ue000-\uf8ff]*[{EXPLICIT}{BARE}]({OPTION})[^\w\n\ue000-\uf8ff]*$", re.MULTILINE)
_MORE = re.compile(
    rf"\)?(?:\s*[.)]*{_AND}(?:also\s+|maybe\s+|possibly\s+|perhaps\s+)?{_OPTION_WORD}|[ \t]*[()]?[ \t]+\(?"
    rf"|\s*:\s*(?={MENTION}\)?\s*(?:[.,;]|$))|[ \t.)(]*(?={MENTION}[\s.)(!]*(?:$|\n|{MENTION})))({MENTION})",
    re.IGNORECASE,
)
_AS_ANSWER = re.compile(r"\b(?:answer|choice|option|correct|right|pick)\b|[✓✔✅☑]", re.IGNORECASE)
_TOO = re.compile(r"\s*,?\s*(?:too|also|as well)\b", re.IGNORECASE)
_JOINED = re.compile(rf"(?:({MENTION})\)?(?:{_AND}){_OPTION_WORD}|\bor\s+{_OPTION_WORD})$", re.IGNORECASE)
_ALTERNATIVE = re.compile(
    rf"[^.!?\n]{{0,120}}?\bor\s+(?:maybe\s+|possibly\s+|perhaps\s+|even\s+)?{_OPTION_WORD}({MENTION})"
)
_NEXT_ROW = re.compile(rf"\s*({LABELLED}.)|[.)]?\s*\n[^\w\ue000-\uf8ff]*({MENTION})\s*[.)]?\s*(?:\n|$)", re.DOTALL)


def goes_on(rest: str, index: int) -> bool:
    """Whether a mention of option `index` goes on to another option: "A or B", "A, C", a list of options."""
    for pattern in (_MORE, _NEXT_ROW, _ALTERNATIVE):
        match = pattern.match(rest)
        if match:
            pair = next(group for group in match.groups() if group)
            if marked(pair) != index:
                return True
    return False


def lone_lines(text: str) -> set[int]:
    """The options whose letters stand alone on a line."""
    return {marked(match[1]) for match in _LONE_LINE.finditer(text)}


def last(text: str) -> str | None:
    """The mark of the option that the last plain declaration chooses.

    Returns:
        A mark; `NONE` where the last declaration names no option, or more than one; None where there is no
        declaration.
    """
    found: list[tuple[int, str]] = []
    for pattern in (_GIVES, _FOLLOWS):
        for match in pattern.finditer(text):
            found.append((match.start(2), _chosen(text, match.start(2))))
    for match in _RIGHT.finditer(text):
        if match[1][0] == TEXT and not _AS_ANSWER.search(match[0]):
            continue
        shared = _TOO.match(text, match.end()) or _joined(text, match.start(), marked(match[1]))
        found.append((match.start(), NONE if shared else match[1]))
    for match in _NO_CHOICE.finditer(text):
        found.append((match.start(), NONE))
    lines = {m[1]: m.start() for m in _LONE_LINE.finditer(text)}
    if not found and len(lines) == 1 and _LAST_LINE.search(text.rstrip()):
        (option, start) = next(iter(lines.items()))
        found.append((start, BARE + option))
    return max(found)[1] if found else None


def _joined(text: str, start: int, index: int) -> bool:
    """Whether another option is joined to the mention at `start`: "A and B is right"."""
    match = _JOINED.search(text[max(0, start - 40) : start])
    return match is not None and not (match[1] and marked(match[1]) == index)


def _chosen(text: str, start: int) -> str:
    pair = text[start : start + 2]
    return NONE if goes_on(text[start + 2 :], marked(pair)) else pair


__all__ = ["NONE", "deny", "goes_on", "last"]
