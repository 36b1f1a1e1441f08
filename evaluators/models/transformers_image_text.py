"""Image-text models of transformers: a Hub id or a folder (`image-text:NAME`)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _decoding, _likelihood, _loading
from punctum.evaluators.models._picture_prompts import PicturePrompts
from punctum.evaluators.models._pictures import UnreadablePicture, open_all
from punctum.evaluators.models._rows import ALIGNED, tile, without_cuts
from punctum.evaluators.models.base import Batch, ModelError, ModelOptions
from punctum.evaluators.models.transformers_text import plain, read_answer, too_long
from punctum.records import Generation, ModelInfo, Request, Response

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

SCHEME = "image-text"
DESCRIPTION = "an image-text model of transformers, Hub id or folder: image-text:NAME"
NEEDS = "models"


def load(name: str, options: ModelOptions) -> ImageTextModel:
    """Load an image-text model and its processor.

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
        processor = transformers.AutoProcessor.from_pretrained(path, **shared)
        if not hasattr(processor, "tokenizer"):
            raise ModelError(f"{name} has no processor for pictures and text; a text model is text:{name}")
        model = transformers.AutoModelForImageTextToText.from_pretrained(path, **arguments)
    info = _loading.describe(name, path, local, model, "transformers-image-text")
    return ImageTextModel(model, processor, options, device, info)


class ImageTextModel:
    """An image-text model with its processor."""

    reads_pictures = True
    writes = True
    ranks = False
    stored = True

    def __init__(
        self, model: Any, processor: Any, options: ModelOptions, device: torch.device, info: ModelInfo
    ) -> None:
        """Wrap a loaded model.

        Args:
            model, processor: of transformers; the processor's tokenizer is changed in memory.
            options: batch size and the rest.
            device: where the model goes, unless it has been placed already.
            info: dtype and quantization are filled in.
        """
        if getattr(model, "hf_device_map", None) is None:
            model.to(device)
        self.model = model.eval()
        self.processor = processor
        self.tokenizer = processor.tokenizer
        self.options = options
        self.info = replace(info, dtype=str(model.dtype).removeprefix("torch."), quantization=options.quantize)
        self.settings_hash = _loading.text_hash(_processor_settings(processor))
        self.tokenizer.padding_side = "left"
        self.prompts = PicturePrompts(processor, model.config, options.chat_format)
        self.kept = _decoding.keep_tokens_only(model)
        self.ends = _decoding.end_tokens(model, self.tokenizer)
        self.pad = _decoding.pad_token(self.tokenizer, self.ends)
        if self.tokenizer.pad_token_id is None:
            self.tokenizer.pad_token_id = self.pad
        self.scores = not getattr(model.config, "is_encoder_decoder", False)
        self._keeps_logits = "logits_to_keep" in inspect.signature(model.forward).parameters
        self._continuation_type: int | None = None

    def fingerprint(self) -> Mapping[str, Any]:
        """Versions, device type, chat template, the processor's settings, the tokens that end an answer."""
        return {
            **_loading.versions(),
            "class": type(self.model).__name__,
            "device": self.model.device.type,
            "chat_format": self.prompts.chat_format,
            "chat_template": _loading.text_hash(self.prompts.template),
            "processor": self.settings_hash,
            "tokens": {name: plain(value) for name, value in self.kept.items()},
            "model_args": {name: str(value) for name, value in self.options.model_args.items()},
        }

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Answer in batches by number of pictures and length; see `Model.answer`.

        A picture that cannot be read fails its own requests only.

        Raises:
            ModelError: if settings do not go together, or log-likelihoods are asked of a model that cannot
                give them.
        """
        if any(request.continuations for request in requests):
            if not self.scores:
                raise ModelError(f"{self.info.id} has an encoder of its own for text; use --scoring generate")
            for index, request in enumerate(requests):
                yield [(index, self._score(request, generation))]
            return
        groups: dict[int, dict[int, int]] = {}
        for index, request in enumerate(requests):
            groups.setdefault(len(request.pictures), {})[index] = len(request.prompt)
        for lengths in groups.values():
            for batch in _decoding.by_length(lengths, self.options.batch_size):
                answers = self._write([requests[index] for index in batch], generation)
                yield list(zip(batch, answers, strict=True))

    def _write(self, requests: Sequence[Request], generation: Generation) -> list[Response]:
        """Generate for one batch of requests with equally many pictures."""
        responses: dict[int, Response] = {}
        opened: dict[int, list[Image]] = {}
        for index, request in enumerate(requests):
            try:
                opened[index] = open_all(request.pictures)
            except UnreadablePicture as error:
                responses[index] = Response(error=str(error))
        if opened:
            asked = [requests[index] for index in opened]
            answers = self._generate(asked, list(opened.values()), generation)
            responses.update(zip(opened, answers, strict=True))
        return [responses[index] for index in range(len(requests))]

    def _generate(
        self, requests: Sequence[Request], images: Sequence[Sequence[Image]], generation: Generation
    ) -> list[Response]:
        """Generate for requests whose pictures are open.

        What the processor refuses is asked one by one, so that a single bad row fails alone.
        """
        import torch

        try:
            inputs = self._inputs(requests, images, generation)
            counts = inputs["attention_mask"].sum(dim=1).tolist()
            errors = [too_long(self.model, count, generation.max_new_tokens) for count in counts]
        except Exception as error:
            counts, errors = [None] * len(requests), [f"{type(error).__name__}: {error}"] * len(requests)
        if any(errors):
            if len(requests) == 1:
                return [Response(error=errors[0], prompt_tokens=counts[0])]
            pairs = zip(requests, images, strict=True)
            return [self._generate([one], [shown], generation)[0] for one, shown in pairs]
        arguments = _decoding.write_arguments(generation, requests, self.tokenizer, self.ends)
        with torch.inference_mode():
            written = self.model.generate(**inputs, **arguments)
        new = self._new_tokens(written, inputs["input_ids"])
        return [read_answer(self, row, count, generation) for row, count in zip(new.tolist(), counts, strict=True)]

    def _new_tokens(self, written: torch.Tensor, prompts: torch.Tensor) -> torch.Tensor:
        """The tokens behind the prompt. Some architectures give back the new tokens alone."""
        length = prompts.shape[1]
        if self.scores and written.shape[1] >= length and bool((written[:, :length] == prompts).all()):
            return written[:, length:]
        return written

    def _inputs(
        self, requests: Sequence[Request], images: Sequence[Sequence[Image]], generation: Generation
    ) -> dict[str, Any]:
        """What the model is given, filled up on the left."""
        texts = [self.prompts.text(request, generation.extra) for request in requests]
        arguments = {"add_special_tokens": False} if self.prompts.starts_itself(texts[0]) else {}
        shown = [list(row) for row in images] if any(images) else None
        made = self.processor(text=texts, images=shown, padding=True, return_tensors="pt", **arguments)
        inputs = dict(made.to(self.model.device, dtype=self.model.dtype))
        inputs.pop("labels", None)  # PaliGemma's processor makes some, for training
        without_cuts(inputs, self.prompts.guard.cut_id, self.pad)
        if self.prompts.second_guard is not None:
            without_cuts(inputs, self.prompts.second_guard.cut_id, 0, "qformer_")
        return inputs

    def _score(self, request: Request, generation: Generation) -> Response:
        """Log-likelihoods of one request's continuations."""
        error = _likelihood.empty_continuation(request.continuations)
        if error is not None:
            return Response(error=error)
        try:
            inputs = self._inputs([request], [open_all(request.pictures)], generation)
        except UnreadablePicture as unreadable:
            return Response(error=str(unreadable))
        except Exception as refused:
            return Response(error=f"{type(refused).__name__}: {refused}")
        prompt = tuple(inputs["input_ids"][0].tolist())
        rows = [
            _likelihood.Row(0, place, prompt, tuple(tail))
            for place, tail in enumerate(self._tails(request, generation))
        ]
        error = too_long(self.model, max(map(len, rows)), 0)
        if error is not None:
            return Response(error=error)
        if self._continuation_type is None:
            self._continuation_type = self._find_continuation_type(inputs, rows[0])
        forward = self._forward(inputs, self._continuation_type)
        scores: dict[int, float] = {}
        for batch in _likelihood.batches(rows, self.options.batch_size):
            values = _likelihood.score(batch, forward, self.pad, self.model.device)
            scores.update((row.place, value) for row, value in zip(batch, values, strict=True))
        return Response(scores=tuple(scores[place] for place in range(len(rows))), prompt_tokens=len(prompt))

    def _tails(self, request: Request, generation: Generation) -> Iterator[list[int]]:
        """The tokens of each continuation, split off from the text before pictures take their place in it."""
        guard = self.prompts.guard
        prompt = self.prompts.text(request, generation.extra)

        def encode(text: str) -> list[int]:
            starts = self.prompts.starts_itself(text)
            return guard.keep(self.tokenizer(text, add_special_tokens=not starts)["input_ids"])

        def alone(text: str) -> list[int]:
            return guard.keep(self.tokenizer(text, add_special_tokens=False)["input_ids"])

        after_control = guard.ends(prompt)
        for text in request.continuations:
            continuation = _likelihood.separated(prompt, guard.cut(text), after_control)
            yield _likelihood.continuation_ids(encode, alone, prompt, continuation)

    def _forward(self, inputs: Mapping[str, Any], token_type: int) -> _likelihood.Forward:
        """A forward pass for rows that share the pictures and the prompt of `inputs`."""
        import torch

        length = inputs["input_ids"].shape[1]

        def forward(ids: torch.Tensor, mask: torch.Tensor, keep: int) -> torch.Tensor:
            more = ids.shape[1] - length
            arguments: dict[str, Any] = {"input_ids": ids, "attention_mask": mask, "use_cache": False}
            for name, value in inputs.items():
                if name in arguments:
                    continue
                rows = tile(value, len(ids))
                if name in ALIGNED:
                    rows = torch.cat([rows, rows.new_full((len(ids), more), token_type)], dim=1)
                arguments[name] = rows
            if self._keeps_logits:
                arguments["logits_to_keep"] = keep
            with torch.inference_mode():
                logits: torch.Tensor = self.model(**arguments).logits
            return logits[:, -keep:]

        return forward

    def _find_continuation_type(self, inputs: Mapping[str, Any], row: _likelihood.Row) -> int:
        """The token type under which a continuation is not seen from the prompt before it.

        Models that attend both ways within a prompt say by `token_type_ids` where it ends, and mean different
        things by 0 and 1. The prompt's last logits with and without a continuation behind it show which is right.

        Raises:
            ModelError: if neither is: such a model cannot be scored in one pass.
        """
        import torch

        near = 1e-3 if self.model.dtype == torch.float32 else 5e-2
        ids = torch.tensor([row.prompt + row.continuation], device=self.model.device)
        mask = torch.ones_like(ids)
        length = len(row.prompt)
        alone = self._forward(inputs, 0)(ids[:, :length], mask[:, :length], 1)[0, 0].float()
        for token_type in (0, 1):
            seen = self._forward(inputs, token_type)(ids, mask, len(row.continuation) + 1)[0, 0].float()
            if float((seen - alone).abs().max() / alone.std()) < near:
                return token_type
        raise ModelError(f"{self.info.id} sees continuations from its prompt; use --scoring generate")


def _processor_settings(processor: Any) -> dict[str, Any]:
    """A processor's settings, and the classes that carry them out: Pillow's and torchvision's resizing differ."""
    settings = dict(processor.to_dict())
    settings.pop("chat_template", None)
    image_processor = getattr(processor, "image_processor", None)
    if image_processor is not None:
        settings["image_processor"] = image_processor.to_dict()
    return {**settings, "classes": [type(processor).__name__, type(image_processor).__name__]}
