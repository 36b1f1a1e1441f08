"""How an image-text model's prompts are written: its chat template, else the format of its family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from punctum.evaluators.models._chat_formats import AUTO, FORMATS, TEMPLATE, chosen, of_pictures
from punctum.evaluators.models._prompting import (
    Guard,
    Messages,
    chat,
    control_tokens,
    template_arguments,
    user_text,
)
from punctum.records import Request

_ADD_THEIR_OWN = ("blip-2", "instructblip", "fuyu")  # the processor puts the tokens of one picture in front by itself


class PicturePrompts:
    """How an image-text model's prompts become text, pictures before the question.

    Attributes:
        guard: keeps quoted control tokens from acting.
        chat_format: `template`, or the name of one of `FORMATS`.
        style: `processor` (its chat template), `tokenizer` (only the tokenizer has one: pictures are written
            as placeholders before the text), or `plain` (no template).
    """

    def __init__(self, processor: Any, config: Any, chat_format: str = AUTO) -> None:
        """Find the form.

        Args:
            processor: of transformers; its tokenizer is changed in memory.
            config: the model's.
            chat_format: as `--chat-format`.

        Raises:
            ModelError: if the format is not known, or there is no template where one is wanted.
        """
        self.processor = processor
        self.tokenizer = processor.tokenizer
        words = control_tokens(self.tokenizer, processor)
        # InstructBLIP reads the question a second time, with another tokenizer.
        second = getattr(processor, "qformer_tokenizer", None)
        if second is not None:
            words |= control_tokens(second)
        self.guard = Guard(self.tokenizer, words)
        self.second_guard = None if second is None else Guard(second, words)
        placeholder = getattr(processor, "image_token", None)
        self.placeholder = "" if placeholder is None or config.model_type in _ADD_THEIR_OWN else str(placeholder)
        self._one_picture = config.model_type in _ADD_THEIR_OWN
        with_template = getattr(processor, "chat_template", None)
        owner = "processor" if with_template else "tokenizer" if self.tokenizer.chat_template else "plain"
        self.chat_format = chosen(chat_format, owner != "plain", of_pictures(config, self.tokenizer))
        self.style = owner if self.chat_format == TEMPLATE else "plain"

    @property
    def template(self) -> object:
        """What decides about the form: the chat template or the family's format."""
        if self.style == "processor":
            return self.processor.chat_template
        return self.tokenizer.chat_template if self.style == "tokenizer" else repr(FORMATS[self.chat_format])

    def text(self, request: Request, extra: Mapping[str, Any]) -> str:
        """The whole text, with a placeholder for each picture.

        Raises:
            ValueError: if there are more pictures than the family sees.
        """
        system, prompt = user_text(request, self.guard)
        count = len(request.pictures)
        if self._one_picture and count > 1:
            raise ValueError(f"the model sees one picture at a time, and the question shows {count}")
        if self.style == "plain":
            return FORMATS[self.chat_format].fill(prompt, system, self.placeholder, count)
        arguments = template_arguments(extra)
        owner = self.processor if self.style == "processor" else self.tokenizer

        def render(messages: Messages) -> str:
            rendered: str = owner.apply_chat_template(messages, add_generation_prompt=True, tokenize=False, **arguments)
            return rendered

        def content(text: str) -> Any:
            if self.style == "tokenizer":
                return f"{self.placeholder}\n" * count + text
            return [*({"type": "image"} for _ in range(count)), {"type": "text", "text": text}]

        return chat(render, system, content, prompt)

    def starts_itself(self, text: str) -> bool:
        """Whether the text brings the token that the tokenizer would put at the start."""
        start = self.tokenizer.bos_token
        return self.style != "plain" and start is not None and text.startswith(start)
