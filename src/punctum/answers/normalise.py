"""What is done to an output before anything is read from it.

Normalisation (`clean`), the model's reasoning (`cut_reasoning`) and wrapping of every kind: Markdown, LaTeX,
tags, code, quotes (`unwrap`). None of it looks at the question.
"""

from __future__ import annotations

import re
import unicodedata

# Private characters, with which the parsers mark what they have found; none survives from the outside.
BOX_OPEN, BOX_CLOSE = "\ue00e", "\ue00f"
_PRIVATE = "\ue000-\ue00f\U000f0000-\U0010fffd"

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f"
    f"\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff{_PRIVATE}]"
)
_PUNCTUATION = {
    **dict.fromkeys(map(ord, "‘’‚‛′ʼ＇`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»「」『』《》〈〉〝〞"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−─﹣－"), "-"),
    **dict.fromkeys(map(ord, "【〔［"), "["),
    **dict.fromkeys(map(ord, "】〕］"), "]"),
    **dict.fromkeys(map(ord, "。．"), "."),
    **dict.fromkeys(map(ord, "、，"), ","),
    ord("："): ":",
    ord("\u2028"): "\n",
    ord("\u2029"): "\n",
}
# NFKC leaves the white-on-black letters (also the emoji) as they are.
_LETTERS: dict[int, str] = {base + i: chr(65 + i) for base in (0x1F150, 0x1F170) for i in range(26)}
# A footnote's digit is no part of the letter ("B¹"); an exponent stays apart from its base.
_LETTERS |= {ord(digit): f"^{i}" for i, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
del _PUNCTUATION[ord("`")]  # a backtick is code, not an apostrophe


def clean(text: str) -> str:
    """NFKC, without zero-width and control characters, with plain quotes, dashes and line ends."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_LETTERS)).translate(_PUNCTUATION)
    return shorten(_INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


_LONG_RUN = re.compile(r"[\W_]{80,}")


def shorten(text: str) -> str:
    """The text with long runs of blanks and punctuation cut down.

    No run says more than its beginning and its end, and patterns that begin with blanks take a time that grows
    with the square of a run's length.
    """
    if len(text) < 80:
        return text
    return _LONG_RUN.sub(lambda m: m[0][:40] + m[0][-40:], text)


_REASONING = r"(?:seed:)?(?:thinking|thoughts?|think|reasoning|reason|reflection|scratchpad|analysis|cot)"
_TAG = re.compile(
    rf"<\s*(?P<open>{_REASONING})(?:\s[^<>\n]{{0,60}})?>|<\s*/\s*(?P<close>{_REASONING})\s*>"
    rf"|\[(?P<open2>THINK(?:ING)?|REASONING)\]|\[/(?P<close2>THINK(?:ING)?|REASONING)\]"
    rf"|<\|(?P<open3>(?:begin_of_|start_of_)?{_REASONING})\|>|<\|(?P<close3>(?:/|end_of_){_REASONING})\|>"
    r"|(?P<open5><unused94>)|(?P<close5><unused95>)"
    rf"|◁(?P<open4>think)▷|◁/(?P<close4>think)▷",
    re.IGNORECASE,
)
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*(?:<\|[^<>|]{1,30}\|>[^<>]{0,30})?<\|message\|>")
_OTHER_CHANNEL = re.compile(r"<\|channel\|>\s*(?:analysis|commentary)")
_END = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end_of_text|end|return|eom_id|eos|end_of_turn)\|>"
    r"|</s>|<(?:eos|end_of_turn)>|<｜end▁of▁sentence｜>",
)
_SPECIAL = re.compile(r"<\|[a-z0-9_▁]{1,40}\|>|</?s>|<(?:bos|pad|start_of_turn|unk)>|\[/?INST\]")

_ROLE = re.compile(
    r"(?:(?:###\s*)?(?:USER|User|Human)\s*:.*?)?(?:###\s*)?(?:ASSISTANT|Assistant|AI|Bot|GPT|Model)\s*:\s*", re.DOTALL
)
_TRAILING_HASHES = re.compile(r"[ \t\n]*#{2,}\s*\Z")
_AT_START = re.compile(rf"(?:\s|{_SPECIAL.pattern}|{_END.pattern})+")


def cut_reasoning(text: str) -> tuple[str, bool]:
    """The text without the model's reasoning and special tokens, and whether it ends inside the reasoning.

    A closing tag without its opening (which then stood in the prompt) ends reasoning that began with the
    output.
    """
    if "<" not in text and "[" not in text and "◁" not in text and not text.startswith("analysis"):
        return text, False
    if "[/INST]" in text:
        text = text.rpartition("[/INST]")[2].strip() or text
    channels = list(_FINAL_CHANNEL.finditer(text))
    if channels:
        text = text[channels[-1].end() :]
    elif _OTHER_CHANNEL.search(text):
        return "", True
    elif text.startswith("analysis") and "assistantfinal" in text:
        text = text.rpartition("assistantfinal")[2]
    kept: list[str] = []
    last, inside = 0, False
    unclosed = "[/reasoning]" not in text.lower()
    for tag in _TAG.finditer(text):
        if unclosed and tag["open2"] and tag["open2"].lower() == "reasoning":  # a heading
            continue
        if any(value for name, value in tag.groupdict().items() if name.startswith("open")):
            if not inside:
                kept.append(text[last : tag.start()])
            inside = True
            continue
        if not inside:
            kept.clear()
        inside, last = False, tag.end()
    if inside:
        return "", True
    text = " ".join([*kept, text[last:]])
    started = _AT_START.match(text)
    text = text[started.end() :] if started else text
    end = _END.search(text)
    if end is not None:
        text = text[: end.start()]
    return _SPECIAL.sub(" ", text), False


_TEXT_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|rm|tt|sf|sc|normal)?|math(?:bf|rm|it|sf|tt|bb|cal|scr|frak)|operatorname|mbox|bm"
    r"|boldsymbol|underline|emph|bold|bf|rm|tt)\s*\{([^{}]*)\}"
)
_BOXED = re.compile(r"\\f?boxed\s*\{?\s*([^{}\n]*)\}?|\\fbox\s*\{([^{}\n]*)\}?")
_BOXES = re.compile(rf"[\s$]*{BOX_CLOSE}[\s$]*(or|and|,|/|&)[\s$]*{BOX_OPEN}\s*", re.IGNORECASE)
_LATEX_REST = re.compile(r"\\[()\[\],;!: ]|\\(?:displaystyle|left|right|quad|large|Large|huge|Huge|bf|rm)\b")
_ANSWER_TAG = re.compile(
    r"<\s*((?:final[_ -]?)?(?:answer|ans)|choice|option|result|final|output|response|prediction"
    r"|conclusion|solution|letter)\s*>",
    re.IGNORECASE,
)
_ANSWER_END = re.compile(
    r"<\s*/\s*(?:(?:final[_ -]?)?(?:answer|ans)|choice|option|result|final|output|response|prediction"
    r"|conclusion|solution|letter)\s*>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[ \t]*[A-Za-z]*[ \t]*\n|```")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(?P<t>del|strike)>[^<>\n]{1,200}</(?P=t)>")
_HTML = re.compile(r"</?[A-Za-z][A-Za-z0-9_:-]+(?:\s[^<>]{0,200})?/?>|</[A-Za-z]>")
_HTML_ONE = re.compile(r"<([abipqsu])>(?=[^<>]*</\1>)", re.IGNORECASE)
_LINE_START = re.compile(r"^[ \t]*(?:#{1,6}(?=\s)|>+|[-*+•▪●◦·‣][ \t]+)[ \t]*", re.MULTILINE)
_UNDERSCORE = re.compile(r"(?<![^\W_])_+(?=\S)|_+(?![^\W_])")


def unbox(text: str) -> str:
    r"""LaTeX and tags taken off; what stood in \boxed{…} or an answer tag stands between box marks."""
    if "\\" in text:
        for _ in range(4):
            text, count = _TEXT_COMMAND.subn(r"\1", text)
            if not count:
                break
        text = _BOXED.sub(lambda m: f"{BOX_OPEN}{m[1] or m[2] or ''}{BOX_CLOSE}", text)
        text = _BOXES.sub(r" \1 ", text)
        text = _LATEX_REST.sub(" ", text)
    if "<" in text:
        text = _STRUCK.sub(" ", text)
        if _ANSWER_TAG.search(text):
            text = _ANSWER_END.sub(BOX_CLOSE, _ANSWER_TAG.sub(BOX_OPEN, text))
        text = shorten(_HTML.sub(" ", _HTML_ONE.sub(" ", text)))
    return text


def unwrap(text: str) -> str:
    """Markdown, code, dollar signs, double quotes and square or curly brackets taken off."""
    if "`" in text:
        text = _FENCE.sub("\n", text).replace("`", "")
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    text = _LINE_START.sub("", text)
    if "_" in text:
        text = _UNDERSCORE.sub("", text)
    return shorten(text.translate(_OFF))


_OFF = {
    **dict.fromkeys(map(ord, '*$"'), None),
    **dict.fromkeys(map(ord, "[]{}<>"), " "),
}


def prepare(text: str) -> tuple[str, bool]:
    """`clean` and `cut_reasoning` in one.

    Returns:
        The answer's text, stripped, and whether the output ends inside reasoning.
    """
    text, truncated = cut_reasoning(clean(text))
    text = text.strip()
    role = _ROLE.match(text) if ":" in text else None
    text = text[role.end() :] if role else text
    return (_TRAILING_HASHES.sub("", text) if text.endswith("#") else text), truncated
