"""How an image-text model's prompts are written: its chat template, else the plain format of its family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from punctum.evaluators.models._prompting import (
    Guard,
    Messages,
    chat,
    control_tokens,
    template_arguments,
    user_text,
)
from punctum.records import Request

# Formats of checkpoints that have no chat template, from their papers' code and model cards.
_PLAIN = {
    "llava": "USER: {pictures}{text} ASSISTANT:",
    "llava_next": "USER: {pictures}{text} ASSISTANT:",
    "vipllava": "###Human: {pictures}{text}###Assistant:",
}
_ADD_THEIR_OWN = ("blip-2", "instructblip")  # the processor puts the picture's tokens in front by itself


class PicturePrompts:
    """How an image-text model's prompts become text, pictures before the question.

    Attributes:
        guard: keeps quoted control tokens from acting.
        style: `processor` (its chat template), `tokenizer` (only the tokenizer has one: pictures are written
            as placeholders before the text), or `plain`.
    """

    def __init__(self, processor: Any, model_type: str) -> None:
        self.processor = processor
        self.tokenizer = processor.tokenizer
        words = control_tokens(self.tokenizer, processor)
        # InstructBLIP reads the question a second time, with another tokenizer.
        second = getattr(processor, "qformer_tokenizer", None)
        if second is not None:
            words |= control_tokens(second)
        self.guard = Guard(self.tokenizer, words)
        self.second_guard = None if second is None else Guard(second, words)
        self.model_type = model_type
        placeholder = getattr(processor, "image_token", None)
        self.placeholder = "" if placeholder is None or model_type in _ADD_THEIR_OWN else str(placeholder)
        with_template = getattr(processor, "chat_template", None)
        self.style = "processor" if with_template else "tokenizer" if self.tokenizer.chat_template else "plain"

    @property
    def template(self) -> object:
        """What decides about the form: the chat template or the plain format."""
        if self.style == "processor":
            return self.processor.chat_template
        return self.tokenizer.chat_template if self.style == "tokenizer" else self._format

    @property
    def _format(self) -> str:
        return _PLAIN.get(self.model_type, "{pictures}{text}")

    def text(self, request: Request, extra: Mapping[str, Any]) -> str:
        """The whole text, with a placeholder for each picture."""
        system, prompt = user_text(request, self.guard)
        count = len(request.pictures)
        if self.style == "plain":
            pictures = f"{self.placeholder}\n" * count if "USER" in self._format else self.placeholder * count
            text = self._format.replace("{pictures}", pictures).replace("{text}", prompt, 1)
            return text if system is None else f"{system} {text}"
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
