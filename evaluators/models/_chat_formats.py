"""The prompt formats of families whose checkpoints carry no chat template, from their papers' code and model cards.

Which one a model takes is found by its type and, for Vicuna, by its name; `--chat-format` overrules that. The
format's name and text are in the fingerprint and so in every signature.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from punctum.evaluators.models.base import ModelError

#: What `--chat-format` knows beside the formats: what suits the model, and the model's own chat template.
AUTO, TEMPLATE = "auto", "template"
_VICUNA = (
    "A chat between a curious {user} and an artificial intelligence assistant. The assistant gives helpful, detailed, "
    "and polite answers to the {user}'s questions."
)


@dataclass(frozen=True)
class ChatFormat:
    """How a question is written for a family of models.

    Attributes:
        text: with `{system}`, `{pictures}` and `{prompt}`.
        system: the family's own system prompt; the one of `--system` takes its place.
        after_system: what stands between the system prompt and the rest.
        picture: what stands for one picture; `{}` is the processor's placeholder.
        opened: whether a prompt that ends in a colon has begun the answer itself, and is left bare.
    """

    text: str = "{pictures}{system}{prompt}"
    system: str | None = None
    after_system: str = "\n\n"
    picture: str = "{}"
    opened: bool = False

    def fill(self, prompt: str, system: str | None, placeholder: str = "", count: int = 0) -> str:
        """The whole text.

        Args:
            prompt: the user's text.
            system: the system prompt.
            placeholder: stands for a picture; empty where the processor sets its own.
            count: of pictures.
        """
        bare = self.opened and prompt.rstrip().endswith(":")
        form = ChatFormat() if bare else self
        system = form.system if system is None else system
        parts = {
            "{pictures}": form.picture.replace("{}", placeholder) * count if placeholder else "",
            "{system}": "" if system is None else f"{system}{form.after_system}",
        }
        # around the prompt, in which such names are text
        before, _, after = form.text.partition("{prompt}")
        for name, value in parts.items():
            before, after = before.replace(name, value, 1), after.replace(name, value, 1)
        return f"{before}{prompt}{after}"


_LLAVA = "{system}USER: {pictures}{prompt} ASSISTANT:"
FORMATS = {
    "plain": ChatFormat(),
    # LLaVA-1.5 and 1.6 with Vicuna, as in their model cards and the ads paper's listings: no system prompt
    "llava": ChatFormat(_LLAVA, after_system=" ", picture="{}\n"),
    # Vicuna 1.1 and 1.5 (FastChat), and LLaVA-1.5 in its authors' code
    "vicuna": ChatFormat(_LLAVA, _VICUNA.format(user="user"), " ", "{}\n"),
    "llava_mistral": ChatFormat("[INST] {system}{pictures}{prompt} [/INST]", picture="{}\n"),
    # LLaVA-1.6 with Yi-34B
    "llava_chatml": ChatFormat(
        "<|im_start|>system\n{system}<|im_end|><|im_start|>user\n{pictures}{prompt}<|im_end|><|im_start|>assistant\n",
        "Answer the questions.",
        "",
        "{}\n",
    ),
    "vipllava": ChatFormat(
        "{system}###Human: {pictures}{prompt}###Assistant:", _VICUNA.format(user="human"), "", "{}\n"
    ),
    # MiniGPT-4 with Vicuna 0
    "minigpt4": ChatFormat(
        "{system}###Human: {pictures}{prompt}###Assistant:",
        "Give the following image: <Img>ImageContent</Img>. You will be able to see the image once I provide it to "
        "you. Please answer my questions.",
        "",
        "<Img>{}</Img> ",
    ),
    # BLIP-2's questions; a prompt like "…\n<object1>:" it continues
    "blip2": ChatFormat("{system}Question: {prompt} Answer:", after_system=" ", opened=True),
    "idefics": ChatFormat("User:{pictures}{system}{prompt}<end_of_utterance>\nAssistant:"),
    "fuyu": ChatFormat("{pictures}{system}{prompt}\n"),
}
_BY_TYPE = {
    "llava": "llava",
    "llava_next": "llava",
    "vipllava": "vipllava",
    "blip-2": "blip2",
    "idefics2": "idefics",
    "idefics3": "idefics",
    "fuyu": "fuyu",
}


def chosen(wanted: str, has_template: bool, otherwise: str) -> str:
    """The name of the format that a model is asked in: `template`, or one of `FORMATS`.

    Args:
        wanted: as `--chat-format`.
        has_template: whether the model has a chat template.
        otherwise: the format of its family.

    Raises:
        ModelError: if the format is not known, or the template is wanted and there is none.
    """
    if wanted == AUTO:
        return TEMPLATE if has_template else otherwise
    if wanted == TEMPLATE and not has_template:
        raise ModelError(f"the model has no chat template; --chat-format auto takes its family's format: {otherwise}")
    if wanted != TEMPLATE and wanted not in FORMATS:
        raise ModelError(f"chat format {wanted!r} is not known; known: {', '.join((AUTO, TEMPLATE, *FORMATS))}")
    return wanted


def of_pictures(config: Any, tokenizer: Any) -> str:
    """The format of an image-text model's family."""
    text = getattr(config, "text_config", None)
    if config.model_type == "llava_next" and getattr(text, "model_type", "") == "mistral":
        return "llava_mistral"
    if config.model_type == "llava_next" and "<|im_start|>" in tokenizer.get_vocab():
        return "llava_chatml"
    return _BY_TYPE.get(config.model_type, "plain")


def of_text(name: str) -> str:
    """The format of a text model's family: Vicuna's checkpoints say it in their name alone."""
    last = PurePath(name).name.lower()
    return "vicuna" if "vicuna" in last and "v0" not in last else "plain"
