"""What models say around the one sentence that they were asked for, and refusals in its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from punctum.answers.normalise import prepare
from punctum.construct.wants import Kept, Unusable
from punctum.records import Response

CHATTER = "chatter cut"
_FENCE = re.compile(r"```[ \t]*[A-Za-z]*[ \t]*(?:\n|$)|```")
_BULLET = re.compile(r"^[ \t]*(?:[-*+•▪●◦·‣>][ \t]+|\(?[0-9]{1,2}[.):][ \t]+|#{1,6}[ \t]+)")
_HEDGE = r"(?:sure|certainly|absolutely|of course|okay|ok|great|no problem|happy to help|here you go|understood|yes)"
_CALLED = (
    r"(?:(?:hard|easy)\s+negatives?|negatives?|incorrect|wrong|statements?|sentence|answer|output|response|result"
    r"|assistant|explanation|interpretation|option|caption|complaint|description|scene|version)"
)
_LABEL = re.compile(
    rf"(?:{_HEDGE}\b[^:\n]{{0,80}}|(?:here(?:'s|\s+is|\s+are)|below\s+is|the\s+following\s+is)\b[^:\n]{{0,120}}"
    r"|(?:(?:the|my|a|an|one|final|generated|new|possible|revised|altered|modified)\s+){0,3}"
    rf"{_CALLED}\b[^:\n]{{0,60}}):\s*",
    re.IGNORECASE,
)
_OPENING = re.compile(rf"{_HEDGE}\b[!.,]\s+(?=[A-Z\"'])", re.IGNORECASE)
_COMMENT = re.compile(
    r"(?:(?<=[.!?\"')])\s+[(\[]?|\s+[(\[])"  # behind the statement's end, or in brackets
    r"(?:(?:explanation|note|reasoning|rationale)\b"
    r"|in this (?:hard negative|example|statement|version|case)\b"
    r"|(?:this|the) (?:new |generated |altered |above )?"
    r"(?:hard negative|negative|statement|sentence|version|example|change|action|reason|adjective|original)\b"
    r"(?= (?:is|was|has|now|contradicts?|changes?|conveys?|alters?|inverts?|reverses?|keeps?|maintains?|remains?"
    r"|retains?|implies|uses?|mirrors?|opposes?|statement|negative))"
    r"|(?:let me know|i hope|hope this|feel free|please let)\b)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\W*(?:(?:i'm|i am|we are|we're)\s+(?:very\s+|so\s+|really\s+)?(?:sorry|unable|not able|afraid)\b"
    r"|sorry\b|apologies\b|my apologies\b|unfortunately,?\s+i\b|as an? (?:ai|language model)\b"
    r"|i\s+(?:can't|cannot|can not|won't|will not|could not|couldn't|don't feel|(?:have to |must )?decline)\b"
    r"(?=[^.\n]{0,40}\b(?:help|assist|generate|create|comply|provide|fulfill|fulfil|do that|produce|write|complete"
    r"|answer|comfortable|support|engage|process|participate|continue|request|see|view)\b))",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Words only, in lower case: two texts with equal words are the same, as for the builders."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())) or text.strip()


def has_words(text: str) -> bool:
    """Whether a text is more than blanks and punctuation."""
    return re.search(r"[^\W_]", text) is not None


def said(response: Response) -> str:
    """A model's words without reasoning, wrapping and control characters.

    Raises:
        Unusable: if nothing is left, the answer ends inside reasoning, or it is a refusal.
    """
    text, truncated = prepare(response.text)
    if truncated:
        raise Unusable("cut off", "it ends within the reasoning")
    text = _FENCE.sub("\n", text).replace("**", "").strip()
    if not text:
        raise Unusable("empty answer")
    if is_refusal(text):
        raise Unusable("refusal")
    return text


def is_refusal(text: str) -> bool:
    """Whether an answer begins as refusals do."""
    return _REFUSED.match(text) is not None


def refuse_cut(response: Response) -> None:
    """Refuse an answer that ends where its tokens did.

    Raises:
        Unusable: if so.
    """
    if response.finish_reason == "length":
        raise Unusable("cut off", f"after {response.output_tokens or 'all'} tokens")


def one_sentence(response: Response) -> Kept:
    """The one statement that a model was asked for.

    An introduction ("Here is a hard negative:"), a label, quotes, and comments behind it are cut, which is noted.

    Raises:
        Unusable: as `said`; if the answer is cut off within the statement, or lists several.
    """
    text = said(response)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    listed = [line for line in lines if _BULLET.match(line)]
    if len(listed) > 1:
        raise Unusable("several statements", f"{len(listed)} lines")
    bare = [_unlabelled(_BULLET.sub("", line)) for line in lines]
    first = next((number for number, line in enumerate(bare) if line), None)
    if first is None:
        raise Unusable("nothing but chatter", text[:80])
    statement = _without_comment(bare[first])
    ends_there = first == len(lines) - 1 and bare[first].endswith(statement)
    if ends_there:
        refuse_cut(response)
    statement = " ".join(unquoted(statement).split())
    if not has_words(statement):
        raise Unusable("empty answer")
    whole = " ".join(unquoted(" ".join(lines)).split())
    return Kept(statement, () if whole == statement else (CHATTER,))


def paragraph(response: Response) -> Kept:
    """The few sentences that a model was asked for, on one line, without introduction and quotes.

    Raises:
        Unusable: as `said`, or if the answer is cut off.
    """
    text = said(response)
    refuse_cut(response)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    bare = [part for part in (_unlabelled(lines[0]), *lines[1:]) if part]
    found = " ".join(unquoted(" ".join(bare)).split())
    if not has_words(found):
        raise Unusable("empty answer")
    return Kept(found, () if found == " ".join(unquoted(" ".join(lines)).split()) else (CHATTER,))


def labelled(text: str, names: Sequence[str]) -> dict[str, str]:
    """The parts of an answer of the form `Name: value`, a value reaching to the next name.

    Args:
        text: from `said`.
        names: of the parts; case, Markdown and numbering do not matter.

    Raises:
        Unusable: if one is missing or blank. A name that comes again counts where it came first.
    """
    marks = re.compile(
        rf"^[\W\d_]{{0,20}}({'|'.join(map(re.escape, names))})\b(?:\s*\([^()\n]{{0,60}}\))?[^\w\n:]{{0,9}}:",
        re.IGNORECASE | re.MULTILINE,
    )
    found: dict[str, str] = {}
    for place, following in pairwise([*marks.finditer(text), None]):
        if place is None:
            continue
        value = text[place.end() : following.start() if following else len(text)]
        found.setdefault(place[1].casefold(), " ".join(value.strip().strip("*_").split()))
    missing = [name for name in names if not has_words(found.get(name.casefold(), ""))]
    if missing:
        raise Unusable("not in the form asked for", f"no {', '.join(missing)}")
    return {name: unquoted(found[name.casefold()]) for name in names}


def unquoted(text: str) -> str:
    """The text without quotation marks around all of it."""
    text = text.strip()
    while len(text) > 1 and text[0] in "\"'`" and text[-1] in "\"'`" and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def _unlabelled(line: str) -> str:
    """A line without introductions and labels before the statement; empty where it is nothing else."""
    line = line.strip().strip("_").strip()
    for _ in range(3):
        label = _LABEL.match(line) or _OPENING.match(line)
        if label is None:
            break
        line = line[label.end() :].strip()
    return line


def _without_comment(line: str) -> str:
    """A line up to what the model says about it."""
    comment = _COMMENT.search(line)
    return line[: comment.start()].strip() if comment else line


def stems(text: str) -> set[str]:
    """The words of a text, cut to what their forms share: `plates` and `plate`, `washing` and `wash`."""
    return {stem(word) for word in plain(text).split()}


def stem(word: str) -> str:
    """A rough English stem: endings of number, tense and comparison taken off."""
    for ending, least in (("ing", 3), ("ies", 2), ("ied", 2), ("ed", 3), ("es", 3), ("s", 3), ("e", 3), ("y", 3)):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeioulsz":
        word = word[:-1]  # stopp(ing), plann(ed)
    return word
