"""From a request to the text that a model reads: chat templates, plain prompts, and text that stays text.

Benchmarks quote what people and models wrote. A control token inside such a text (`<|im_end|>`, `<image>`)
must reach the model as the characters it is, or it would end the turn or stand for a picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from punctum.evaluators.models._chat_formats import AUTO, FORMATS, TEMPLATE, chosen, of_text
from punctum.records import Request

CUT = "<|punctum:cut|>"
"""A token that is put inside control tokens of quoted text, so that they do not match, and then taken out."""

Messages = list[dict[str, Any]]
Render = Callable[[Messages], str]


class Guard:
    """Keeps control tokens in quoted text from acting.

    The tokenizer learns one more token in memory, `CUT`. `cut` puts it behind the first character of every
    control token in the text; the tokenizer splits there, and so sees no control token. Its id is taken out of
    the tokenized text again (`keep`), and the model never sees it. Text without control tokens is left as it
    is, and its tokens are those of the usual way.
    """

    def __init__(self, tokenizer: Any, words: Iterable[str]) -> None:
        """Teach the tokenizer the token.

        Args:
            tokenizer: of transformers; changed in memory.
            words: the control tokens.
        """
        from transformers import AddedToken

        token = AddedToken(CUT, special=True, normalized=False, lstrip=False, rstrip=False)
        tokenizer.add_tokens([token], special_tokens=True)
        self.cut_id: int = tokenizer.convert_tokens_to_ids(CUT)
        self.words = tuple({*words, CUT})
        known: dict[str, list[str]] = {}
        for word in self.words:
            if len(word) > 1:
                known.setdefault(word[0], []).append(word)
        # Some tokenizers have thousands: only places with a fitting first character are compared with them.
        self._known = {first: tuple(group) for first, group in known.items()}
        self._first = re.compile(f"[{re.escape(''.join(known))}]")

    def cut(self, text: str) -> str:
        """The text with every control token cut in two."""
        starts = (match.start() for match in self._first.finditer(text))
        places = [start + 1 for start in starts if text.startswith(self._known[text[start]], start)]
        parts = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
        return CUT.join(parts)

    def ends(self, text: str) -> bool:
        """Whether the text ends in a control token, behind which a model writes without a blank."""
        return text.endswith(self.words)

    def keep(self, ids: Sequence[int]) -> list[int]:
        """The ids without that of the cut."""
        return [token for token in ids if token != self.cut_id]


def control_tokens(tokenizer: Any, processor: Any = None) -> set[str]:
    """The strings that act on a model: special tokens, the template's own, and the processor's placeholders.

    Added tokens that are only white space (Gemma has some) are ordinary text.
    """
    template = str(getattr(processor, "chat_template", None) or getattr(tokenizer, "chat_template", None) or "")
    found = set(tokenizer.all_special_tokens)
    for token in tokenizer.added_tokens_decoder.values():
        if token.special or (token.content in template and not token.content.isspace()):
            found.add(token.content)
    for name, value in vars(processor).items() if processor is not None else ():
        if name.endswith("_token") and value is not None:
            found.add(str(value))
    return {token for token in found if token and token != CUT}


def user_text(request: Request, guard: Guard) -> tuple[str | None, str]:
    """System prompt and prompt, both with their control tokens cut."""
    return (None if request.system is None else guard.cut(request.system)), guard.cut(request.prompt)


def chat(render: Render, system: str | None, content: Callable[[str], Any], prompt: str) -> str:
    """Render one question with a chat template.

    Args:
        render: the template, with the generation prompt.
        system: the system prompt. A template that refuses the role, or leaves it out without a word, gets it
            as the first paragraph of the user's turn.
        content: makes the content of a message from its text, for templates that want a list.
        prompt: the user's text.
    """
    question = {"role": "user", "content": content(prompt)}
    if system is None:
        return render([question])
    from jinja2.exceptions import TemplateError

    try:
        text = render([{"role": "system", "content": _like(question["content"], system)}, question])
    except TemplateError:
        text = ""
    if system.strip() in text:
        return text
    return render([{"role": "user", "content": content(f"{system}\n\n{prompt}")}])


def _like(content: Any, text: str) -> Any:
    """The text as content of the same shape: a string, or a list with one text."""
    return text if isinstance(content, str) else [{"type": "text", "text": text}]


def template_arguments(extra: Mapping[str, Any]) -> dict[str, Any]:
    """`chat_template_kwargs` of the generation settings: what a template knows beside the messages."""
    given = extra.get("chat_template_kwargs")
    return dict(given) if isinstance(given, Mapping) else {}


class TextPrompts:
    """How a text model's prompts become tokens.

    Attributes:
        chat_format: `template`, or the name of one of `FORMATS`.
        is_chat: whether anything stands around a prompt.
    """

    def __init__(self, tokenizer: Any, name: str = "", chat_format: str = AUTO) -> None:
        """Find the form.

        Args:
            tokenizer: of transformers; changed in memory.
            name: the model's, by which some families are known.
            chat_format: as `--chat-format`.

        Raises:
            ModelError: if the format is not known, or there is no template where one is wanted.
        """
        self.tokenizer = tokenizer
        self.guard = Guard(tokenizer, control_tokens(tokenizer))
        self.chat_format = chosen(chat_format, bool(tokenizer.chat_template), of_text(name))
        self.is_chat = self.chat_format != "plain"
        self._has_template = self.chat_format == TEMPLATE

    @property
    def template(self) -> object:
        """What decides about the form: the chat template or the family's format; None for bare prompts."""
        if self._has_template:
            return self.tokenizer.chat_template
        return repr(FORMATS[self.chat_format]) if self.is_chat else None

    def text(self, request: Request, extra: Mapping[str, Any] | None = None) -> str:
        """The whole text, with the chat template where there is one, else in the family's format."""
        system, prompt = user_text(request, self.guard)
        if not self._has_template:
            return FORMATS[self.chat_format].fill(prompt, system)
        arguments = template_arguments(extra or {})

        def render(messages: Messages) -> str:
            text: str = self.tokenizer.apply_chat_template(
                messages, add_generation_prompt=True, tokenize=False, **arguments
            )
            return text

        return chat(render, system, str, prompt)

    def ids(self, text: str) -> list[int]:
        """Tokens of a whole text. A template writes its special tokens itself."""
        encoded = self.tokenizer(text, add_special_tokens=not self._has_template)
        return self.guard.keep(encoded["input_ids"])

    def plain_ids(self, text: str) -> list[int]:
        """Tokens of a text on its own, without any special token."""
        return self.guard.keep(self.tokenizer(text, add_special_tokens=False)["input_ids"])
