"""What an output denies ("not B", "B is wrong") or only supposes ("if it is B", "is it B?").

Works on text in which mentions are marked (`marks.find`).
"""

from __future__ import annotations

import re

from .kinds import AND, BARE, DENIED, EXPLICIT, IDLE, MENTION, OPTION, OPTION_WORD

_LIST = rf"{MENTION}\)?(?:(?!\s*;){AND}{OPTION_WORD}{MENTION}\)?){{0,40}}"
_OR_LIST = rf"{MENTION}\)?(?:(?:\s*,\s*{MENTION}\)?){{0,40}}\s*,?\s*(?:or|nor|and)\s+{OPTION_WORD}{MENTION}\)?)?"

_LIGHT = (
    r"(?:[^\S\n]|[\"'(]|\b(?:at all|in any way|be|been|being|is|it|it's|its|that|that's|this|the|to|an?|think|believe"
    r"|say|feel"
    r"|choose|pick|select|go|with|for|really|actually|necessarily|likely|probably|definitely|clearly|quite|very"
    r"|true|sure|certain|convinced|clear|correct|right|best|answer|options?|choices?|letter|going|i|i'd|i'm|am|are|was"
    r"|were|would|could|should|can|may|might|must|any|of|either|both|supports?|suggests?|indicates?|matches|match"
    r"|fit|fits|like|look|looks|seems?|appears?|mean|if|whether|possible|possibly|as|consider|these|those|following"
    r"|all|other|also|how|know|agree|image|picture|show|have|has|had|choosing|picking|selecting|see|seen|shows"
    r"|confirm|tell|determine|verify|guarantee|prove|claim|assert|conclude"
    r"|depicts?|describes?|represents?|contains?|there|here)\b){0,40}"
)
_NOT = (
    r"(?:\bnot\b(?!\s+(?:only|just|merely|simply|to mention))|\b\w+n't\b(?!\s+(?:only|just))|\bcannot\b|\bnever\b"
    r"|\b(?:is|are|was|do|does|did|could|would|should|ca|wo)nt\b|\bneither\b|\bnor\b|\bexcept(?:\s+for)?\b|\bbesides\b"
    r"|\bnone\b(?! other than| of the others?\b)|(?<!none )(?<!no one )\bother than\b|\binstead of\b|\brather than\b"
    r"|\b(?:anything|everything|any\s+option"
    r"|all)\s+but\b|\bunlike\b|\brul(?:ed?|es|ing)\s+out\b|\beliminat(?:e[sd]?|ing)\b"
    r"|\bexclud\w+|\breject\w*|\bdiscard\w*|\bdismiss\w*|\bdisagree\w*|\btempted\b|\b(?:unlikely|implausible|impossible)\b|\bagainst\b"
    r"|\bwithout\b(?!\s+a?\s*doubt)"
    r"|(?<!no )(?<!without )(?<! a )(?<!beyond )\bdoubt\b"
    r"|\bno\s+(?:way|chance|reason|evidence|support|sign)\b|\b(?:better|closer|stronger|higher|greater"
    r"|more)(?:\s+[\w'-]+){0,6}?\s+than\b"
    rf"|(?<={OPTION}\s)over\b"
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
_EITHER = re.compile(rf"{MENTION}\)?(?:{AND}{OPTION_WORD}{MENTION}\)?){{1,40}}\s*\?", re.IGNORECASE)
_LETTER = f"[{EXPLICIT}{BARE}]{OPTION}"
_LETTERS = rf"{_LETTER}\)?(?:(?!\s*;){AND}{OPTION_WORD}{_LETTER}\)?){{0,40}}"
# What an output only turns to, leaves to others, or makes depend on something; what it breaks off at.
_TURNED_TO = re.compile(
    r"(?:(?:(?<!i )(?<!we )consider|compare|evaluate|analy[sz]e|examine|start(?:ing)?\s+with|considering|comparing"
    r"|evaluating|analy[sz]ing|examining|analysis\s+of|between|look(?:ing)?\s+at|(?<!correct )(?<!right )(?<!best )"
    rf"(?<!chosen )(?<!selected )options\s*(?:are|:))\s+{OPTION_WORD}{_LETTERS}(?!\s+(?:to\s+be|as)\b)"
    r"|\b(?:some(?:one|body)?|others|people|many|they|critics)\s+(?:\w+\s+){0,2}?(?:say|argue|think|believe|claim"
    rf"|choose|pick|suggest|assume)\b{_LIGHT}{_OR_LIST})",
    re.IGNORECASE,
)
_FORCED = r"(?!(?:i|we|you|one|it|that|not|so|anything|anyone)\b|i'm\b|forced|pressed|pushed)"
_WERE = r"(?:were|was|had|showed|contained)\b"
_CONDITIONAL = re.compile(
    rf"{MENTION}(?=\)?\s+(?:could|might|may)\s+also\b|\)?\s*,?\s+(?:only\s+)?if\s+{_FORCED}|\)?\s+would\s+have\s+been\b"
    rf"|\)?\s+would\b[^.!?\n{EXPLICIT}-{IDLE}]{{0,60}}\bif\s+{_FORCED}[^.!?\n]{{0,60}}\b{_WERE})"
    rf"|\b(?:if\s+{_FORCED}[^.!?\n{EXPLICIT}-{IDLE}]{{0,80}}\b{_WERE}|had\b[^.!?\n,{EXPLICIT}-{IDLE}]{{0,60}}\bbeen\b)"
    rf"[^.!?\n{EXPLICIT}-{IDLE}]{{0,80}},\s*{OPTION_WORD}{MENTION}(?=\)?\s+would\b)",
    re.IGNORECASE,
)
_BROKEN_OFF = re.compile(
    rf"{MENTION}\)?\s*,?\s+(?:and|or|nor)\s*{OPTION_WORD}\Z|\beither\s+{OPTION_WORD}{MENTION}\W*\Z", re.IGNORECASE
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
    if len(text) == 2 or not re.search(MENTION, text):
        return text
    text = _BEFORE.sub(lambda m: m[1] + m[2] + _turn(DENIED, m[3]), text)
    text = _AFTER.sub(_turn_subject, text)
    text = _IF.sub(lambda m: m[1] + m[2] + _turn(IDLE, m[3]), text)
    for pattern in (_TURNED_TO, _CONDITIONAL, _BROKEN_OFF, *((_QUESTION, _EITHER) if "?" in text else ())):
        text = pattern.sub(lambda m: _turn(IDLE, m[0]), text)
    return text
