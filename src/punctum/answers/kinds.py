"""The marks that stand for mentions of options in an output's text."""

from __future__ import annotations

# Kinds of mention. A labelled letter stands before an option's text ("B. a market"), an explicit one is
# wrapped or named ("(B)", "option B"), a bare one stands in prose. A denied mention ("not B") and an idle one
# ("if it is B", "is it B?") are no candidates.
EXPLICIT, BARE, LABELLED, TEXT, DENIED, IDLE = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004", "\ue005"
OPTION = "[\U000f0000-\U0010fffd]"
LETTER = f"[{EXPLICIT}{BARE}{LABELLED}]{OPTION}"
MENTION = f"[{EXPLICIT}{BARE}{LABELLED}{TEXT}]{OPTION}"
_FIRST = 0xF0000
_MOST = 0x10FFFD - _FIRST


def mark(kind: str, index: int) -> str:
    """The two characters that stand for a mention of option `index`."""
    return kind + chr(_FIRST + min(index, _MOST))


def marked(pair: str) -> int:
    """The option of a mark."""
    return ord(pair[-1]) - _FIRST


# Characters of scripts that are written without blanks: a letter may stand right beside them.
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"

# What may stand between two mentions that are one list, and before a mention.
AND = (
    r"(?:\s*[,/&+;|](?:\s*(?:and/or|and|or|nor|then)(?=\s))?|\s+(?:and/or|and|or|nor|plus|through|thru|to|vs\.?|versus"
    r"|then|as\s+well\s+as|along\s+with|together\s+with)(?=\s))\s*"
)
OPTION_WORD = r"(?:(?:the\s+)?(?:options?|choices?|letters?|answers?|either|both)\s+)?\(?"
