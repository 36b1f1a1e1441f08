"""Causal language models of transformers: a Hub id or a folder (`text:NAME`)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _decoding, _likelihood, _loading
from punctum.evaluators.models._prompting import TextPrompts
from punctum.evaluators.models._unloaded import Unloaded, from_folder
from punctum.evaluators.models.base import Batch, ModelError, ModelOptions
from punctum.records import Generation, ModelInfo, Request, Response

if TYPE_CHECKING:
    import torch

SCHEME = "text"
DESCRIPTION = "a text model of transformers, Hub id or folder: text:NAME"
NEEDS = "models"


def load(name: str, options: ModelOptions) -> TextModel:
    """Load a causal language model and its tokenizer.

    Raises:
        ModelError: if it cannot be loaded; the message names the way out.
    """
    transformers = _loading.require("transformers", "models")
    device = _loading.pick_device(options.device)
    path, local = _loading.where(name)
    arguments = _loading.loader_arguments(options, device, local)
    if local:
        _loading.check_weights(Path(path))
    with _loading.explained(name):
        shared = {"trust_remote_code": options.trust_remote_code, **_loading.hub_arguments(options, local)}
        tokenizer = transformers.AutoTokenizer.from_pretrained(path, **shared)
        model = transformers.AutoModelForCausalLM.from_pretrained(path, **arguments)
    info = _loading.describe(name, path, local, model, "transformers-text")
    return TextModel(model, tokenizer, options, device, info)


def outline(name: str, options: ModelOptions) -> Unloaded:
    """What is known without loading it."""
    return from_folder(name, reads_pictures=False)


class TextModel:
    """A causal language model with its tokenizer, batched by length."""

    reads_pictures = False
    writes = True
    scores = True
    ranks = False
    stored = True

    def __init__(
        self, model: Any, tokenizer: Any, options: ModelOptions, device: torch.device, info: ModelInfo
    ) -> None:
        """Wrap a loaded model.

        Args:
            model, tokenizer: of transformers.
            options: batch size and the rest.
            device: where the model goes, unless it has been placed already.
            info: dtype and quantization are filled in where they are missing.
        """
        if getattr(model, "hf_device_map", None) is None:
            model.to(device)
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.options = options
        self.info = replace(
            info,
            dtype=str(model.dtype).removeprefix("torch."),
            quantization=info.quantization or options.quantize,
        )
        self.prompts = TextPrompts(tokenizer, info.id, options.chat_format)
        self.kept = _decoding.keep_tokens_only(model)
        self.ends = _decoding.end_tokens(model, tokenizer)
        self.pad = _decoding.pad_token(tokenizer, self.ends)
        self._keeps_logits = "logits_to_keep" in inspect.signature(model.forward).parameters

    def fingerprint(self) -> Mapping[str, Any]:
        """Versions, device type, chat template and the tokens that end an answer."""
        return {
            **_loading.versions(),
            "class": type(self.model).__name__,
            "device": self.model.device.type,
            "chat_format": self.prompts.chat_format,
            "chat_template": _loading.text_hash(self.prompts.template),
            "tokens": {name: plain(value) for name, value in self.kept.items()},
            "model_args": {name: str(value) for name, value in self.options.model_args.items()},
        }

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Answer in batches by length; see `Model.answer`.

        Raises:
            ModelError: if a request carries pictures, or settings do not go together.
        """
        if any(request.pictures for request in requests):
            raise ModelError(f"{self.info.id} is a text model and sees no pictures; use --setting lm or sm")
        if any(request.continuations for request in requests):
            yield from self._score_all(requests, generation)
        else:
            yield from self._write_all(requests, generation)

    def _write_all(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        prompts: dict[int, list[int]] = {}
        failed: list[tuple[int, Response]] = []
        for index, request in enumerate(requests):
            ids = self._with_start(self.prompts.ids(self.prompts.text(request, generation.extra)))
            error = too_long(self.model, len(ids), generation.max_new_tokens)
            if error is None:
                prompts[index] = ids
            else:
                failed.append((index, Response(error=error, prompt_tokens=len(ids))))
        if failed:
            yield failed
        lengths = {index: len(ids) for index, ids in prompts.items()}
        for batch in _decoding.by_length(lengths, self.options.batch_size):
            rows = [prompts[index] for index in batch]
            asked = [requests[index] for index in batch]
            yield list(zip(batch, self._write(rows, asked, generation), strict=True))

    def _write(
        self, rows: Sequence[Sequence[int]], requests: Sequence[Request], generation: Generation
    ) -> list[Response]:
        """Generate for one batch, filled up on the left."""
        import torch

        length = max(len(row) for row in rows)
        ids = torch.tensor([[self.pad] * (length - len(row)) + list(row) for row in rows])
        mask = torch.tensor([[0] * (length - len(row)) + [1] * len(row) for row in rows])
        arguments = _decoding.write_arguments(generation, requests, self.tokenizer, self.ends)
        with torch.inference_mode():
            written = self.model.generate(
                input_ids=ids.to(self.model.device), attention_mask=mask.to(self.model.device), **arguments
            )
        new = written[:, length:].tolist()
        return [read_answer(self, row, len(prompt), generation) for row, prompt in zip(new, rows, strict=True)]

    def _score_all(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        rows: list[_likelihood.Row] = []
        failed: list[tuple[int, Response]] = []
        for index, request in enumerate(requests):
            error = _likelihood.empty_continuation(request.continuations)
            own = [] if error else self._rows(index, request, generation)
            error = error or too_long(self.model, max((len(row) for row in own), default=0), 0)
            if error is None:
                rows.extend(own)
            else:
                failed.append((index, Response(error=error)))
        if failed:
            yield failed
        scores: dict[int, dict[int, float]] = {}
        for batch in _likelihood.batches(rows, self.options.batch_size):
            for row, value in zip(
                batch, _likelihood.score(batch, self._forward, self.pad, self.model.device), strict=True
            ):
                scores.setdefault(row.owner, {})[row.place] = value
            done = [index for index in scores if len(scores[index]) == len(requests[index].continuations)]
            if done:
                yield [(index, _scored(scores.pop(index))) for index in done]

    def _rows(self, owner: int, request: Request, generation: Generation) -> list[_likelihood.Row]:
        """A request's prompt with each of its continuations, as tokens."""
        prompt, space = self.prompts.text(request, generation.extra), ""
        if not self.prompts.is_chat:
            prompt, space = _likelihood.split_prompt(prompt)
        after_control = self.prompts.is_chat and self.prompts.guard.ends(prompt)
        ids = tuple(self._with_start(self.prompts.ids(prompt)))
        rows = []
        for place, text in enumerate(request.continuations):
            continuation = space + _likelihood.separated(prompt + space, self.prompts.guard.cut(text), after_control)
            tail = _likelihood.continuation_ids(self.prompts.ids, self.prompts.plain_ids, prompt, continuation)
            rows.append(_likelihood.Row(owner, place, ids, tuple(tail)))
        return rows

    def _with_start(self, ids: list[int]) -> list[int]:
        """An empty prompt still needs a token to start from."""
        start = self.tokenizer.bos_token_id
        return ids or [min(self.ends, default=0) if start is None else start]

    def _forward(self, ids: torch.Tensor, mask: torch.Tensor, keep: int) -> torch.Tensor:
        import torch

        arguments = {"logits_to_keep": keep} if self._keeps_logits else {}
        with torch.inference_mode():
            logits: torch.Tensor = self.model(input_ids=ids, attention_mask=mask, use_cache=False, **arguments).logits
        return logits[:, -keep:]


def _scored(scores: Mapping[int, float]) -> Response:
    return Response(scores=tuple(scores[place] for place in sorted(scores)))


def plain(value: Any) -> Any:
    """A value of a generation config as JSON."""
    return value if isinstance(value, (int, str, list)) else str(value)


def too_long(model: Any, prompt: int, new: int) -> str | None:
    """What is wrong with a prompt that does not fit into the model's window, if so. Nothing is ever cut off."""
    window = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if not window or prompt + new <= window:
        return None
    return f"the prompt has {prompt} tokens and {new} may follow; the model's window is {window}"


def read_answer(owner: Any, new: Sequence[int], prompt_tokens: int, generation: Generation) -> Response:
    """The response of one row.

    Args:
        owner: a model of this package, with `ends`, `pad` and `tokenizer`.
        new: the row's new tokens, filled up behind its end.
        prompt_tokens: how long the prompt was.
        generation: how it was written.
    """
    early = "stop_strings" in generation.extra or "max_time" in generation.extra
    kept, reason = _decoding.cut_answer(new, owner.ends, owner.pad, generation.max_new_tokens, early)
    text = owner.tokenizer.decode(kept, skip_special_tokens=True, clean_up_tokenization_spaces=False)
    return Response(
        text=text,
        finish_reason=reason,
        prompt_tokens=prompt_tokens,
        output_tokens=len(kept),
    )
