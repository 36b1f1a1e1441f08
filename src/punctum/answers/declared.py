"""What an output declares: "the answer is B", "I choose B", "B is correct".

Works on text in which mentions are marked (`marks.find`) and denials too (`denied.deny`).
"""

from __future__ import annotations

import re

from .kinds import AND, BARE, EXPLICIT, LABELLED, MENTION, OPTION, OPTION_WORD, TEXT, marked
from .normalise import BOX_CLOSE, BOX_OPEN

NONE = "none"
"""The last declaration chooses nothing, or more than one option."""

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
    rf"(?:(?<!each )(?<!every )(?<!all )\b{_NOUN}\b(?:\s+[\w']+){{0,8}}?\s*\(?s?\)?\s*{_IS}|\b(?:most\s+\w+"
    rf"|best)(?:\s+[\w']+){{0,14}}?\s*{_IS}|\b(?:correct|final|right)\s*{_IS}"
    rf"|\bbest\s+\w+ed\s+(?:by|as|in|with)\b|\b(?:chang|switch)\w*\s+(?:(?:my|the|this)\s+)?(?:answer|choice|mind|response|selection)\s+(?:from\s+"
    rf"{OPTION_WORD}{MENTION}\)?\s+)?to\b|\bswitch(?:ed|ing)?\s+to\b"
    rf"|{_OTHER_LANGUAGES}|\b{_CHOOSE}\b|{_SAY}\b|{BOX_OPEN})({_LEAD})({MENTION})",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"(?:(?:\b(?:so|thus|therefore|hence|consequently|accordingly|overall|finally|in conclusion|in short|in summary"
    r"|wait|actually|correction|edit|scratch that|oops|sorry|rather|i meant?"
    r"|no(?=\s*[,.:;!-])|only|leaves|leaving|left with"
    r"|definitely|certainly)|[∴→⇒]|->|=>)[\s,.:;!-]+"
    r"(?:i'd say\s+|i meant?\s+|make that\s+)?"
    r"|\b(?:it|that|this)(?:'s|\s+is|\s+was|\s+must\s+be|\s+has\s+to\s+be|\s+would\s+be"
    rf"|\s+should\s+be|\s+can\s+only\s+be|\s+will\s+be)\b)({_LEAD})({MENTION}){_STOP}",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    rf"({MENTION})\)?\s*[.):-]*\s*(?:(?:(?:this|that)\s+)?(?:option|choice|answer|one)\s+)?(?:,?\s*(?:is|was|would\s+be|must\s+be|should\s+be"
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
    rf"\b{_NOUN}\s*(?:is|:|would\s+be|must\s+be)\s*(?:probably\s+|actually\s+|that\s+)?(?:none(?!\s+other\s+than\b)|neither|unclear"
    rf"|unknown|impossible"
    r"|undetermined|uncertain|cannot|can't|n/a|ambiguous|not\s+(?:listed|given|provided|clear|present|here|among"
    r"|available|included|in))\b"
    rf"|{BOX_OPEN}\s*(?:none|neither|unclear|unknown|n/a)\b",
    re.IGNORECASE,
)
_LAST_LINE = re.compile(rf"(?:^|\n)[^\w\n\ue000-\uf8ff]*[{EXPLICIT}{BARE}]{OPTION}[^\w\n\ue000-\uf8ff]*\Z")
_LONE_LINE = re.compile(rf"^[^\w\n\ue000-\uf8ff]*[{EXPLICIT}{BARE}]({OPTION})[^\w\n\ue000-\uf8ff]*$", re.MULTILINE)
_MORE = re.compile(
    rf"\)?(?:\s*[.)]*{AND}(?:also\s+|maybe\s+|possibly\s+|perhaps\s+|rather\s+)?{OPTION_WORD}|[ \t]*[()]?[ \t]+\(?"
    rf"|\s*:\s*(?={MENTION}\)?\s*(?:[.,;]|$))|[ \t.)(]*(?={MENTION}[\s.)(!]*(?:$|\n|{MENTION})))({MENTION})",
    re.IGNORECASE,
)
_ALSO = re.compile(
    rf"({MENTION})\)?\s+(?:is|are|was|could|might|may|would|seems?|can|remains|fits|works)\s+(?:(?:be|very|just|well)\s+)*"
    r"(?:also|equally|just\s+as|another)\b(?:\s+(?:be|an?|as|very))*\s*(?:correct|right|true|possible|plausible|valid"
    r"|likely|good|suitable|acceptable|reasonable|accurate|appropriate|fit\w*|match\w*|work\w*|appl\w*|candidate"
    r"|option|choice|answer|possibility)"
    rf"|(?:could|might|may)\s+(?:(?:also|well|possibly|perhaps|equally)\s+)*be\s+{OPTION_WORD}({MENTION})"
    rf"|\bso\s+(?:is|could|might|may|does|would)\s+{OPTION_WORD}({MENTION})",
    re.IGNORECASE,
)
_BEST = re.compile(r"\b(?:most|best|better|final)\b", re.IGNORECASE)
_YET = re.compile(r"[^.!?\n]*\b(?:but|however|though|although|yet|less|while|whereas)\b", re.IGNORECASE)
_PAIR = re.compile(r"\W*(?:and\s+)?(?:(?:the\s+)?(?:option|statement|choice|answer)\s*)?\W*", re.IGNORECASE)
_LETTERED = re.compile(rf"[{EXPLICIT}{BARE}]{OPTION}\)?\s*[:.-]\s*\Z")
_AS_ANSWER = re.compile(r"\b(?:answer|choice|option|correct|right|pick)\b|[✓✔✅☑]", re.IGNORECASE)
_TOO = re.compile(r"\s*,?\s*(?:too|also|as well)\b", re.IGNORECASE)
_JOINED = re.compile(rf"(?:({MENTION})\)?(?:{AND}){OPTION_WORD}|\bor\s+{OPTION_WORD})$", re.IGNORECASE)
_ALTERNATIVE = re.compile(
    rf"[^.!?\n]{{0,120}}?\bor\s+(?:maybe\s+|possibly\s+|perhaps\s+|even\s+)?{OPTION_WORD}({MENTION})"
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
            if pattern is _FOLLOWS and match[2][0] == TEXT and _LETTERED.search(text[: match.start()][-6:]):
                continue  # "A: it's a market" says what A is
            found.append((match.start(2), _chosen(text, match.start(2))))
    before: re.Match[str] | None = None
    for match in _RIGHT.finditer(text):
        if match[1][0] == TEXT and not _AS_ANSWER.search(match[0]):
            continue
        shared = _TOO.match(text, match.end()) or _joined(text, match.start(), marked(match[1]))
        shared = shared or (before is not None and _same_said(text, before, match))
        found.append((match.start(), NONE if shared else match[1]))
        before = match
    for match in _NO_CHOICE.finditer(text):
        found.append((match.start(), NONE))
    lines = {m[1]: m.start() for m in _LONE_LINE.finditer(text)}
    if not found and len(lines) == 1 and _LAST_LINE.search(text.rstrip()):
        (option, start) = next(iter(lines.items()))
        found.append((start, BARE + option))
    return max(found)[1] if found else None


def _same_said(text: str, before: re.Match[str], match: re.Match[str]) -> bool:
    """Whether one thing is said of two options in a row: "A is correct. B is correct."."""
    other = marked(before[1]) != marked(match[1])
    return other and before[0][2:] == match[0][2:] and _PAIR.fullmatch(text, before.end(), match.start()) is not None


def rivalled(text: str, index: int) -> bool:
    """Whether another option is called possible too after the last word on option `index`."""
    mentions = [(marked(m[0]), m.end()) for m in re.finditer(MENTION, text)] if len(text) > 2 else []
    if all(option == index for option, _ in mentions):
        return False
    own = [end for option, end in mentions if option == index]
    last_word = own[-1] if own else 0
    if _BEST.search(text, max(0, last_word - 80), last_word + 40):
        return False
    for match in _ALSO.finditer(text, last_word):
        other = next(group for group in match.groups() if group)
        if marked(other) != index and not _YET.match(text, match.end()):
            return True
    return False


def _joined(text: str, start: int, index: int) -> bool:
    """Whether another option is joined to the mention at `start`: "A and B is right"."""
    match = _JOINED.search(text[max(0, start - 40) : start])
    return match is not None and not (match[1] and marked(match[1]) == index)


def _chosen(text: str, start: int) -> str:
    pair = text[start : start + 2]
    return NONE if goes_on(text[start + 2 :], marked(pair)) else pair


__all__ = ["NONE", "goes_on", "last", "lone_lines", "rivalled"]
