"""Image-text models of transformers: a Hub id or a folder (`image-text:NAME`)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _batching, _decoding, _loading, _memory
from punctum.evaluators.models._answers import plain, read_answer, too_long
from punctum.evaluators.models._picture_prompts import PicturePrompts
from punctum.evaluators.models._picture_scoring import PlainScoring
from punctum.evaluators.models._picture_sharing import PictureSharing
from punctum.evaluators.models._pictures import UnreadablePicture, open_all
from punctum.evaluators.models._remembering import Remembering, ahead
from punctum.evaluators.models._rows import without_cuts
from punctum.evaluators.models.base import Batch, ModelError, ModelOptions
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


class ImageTextModel(PlainScoring):
    """An image-text model with its processor."""

    reads_pictures = True
    writes = True
    ranks = False
    stored = True
    shares = True

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
        self.model, self.info = _loading.settled(model, options, device, info)
        self.processor = processor
        self.tokenizer = processor.tokenizer
        self.options = options
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
        self.room = _memory.room_of(model, options.batch_size, options.batch_memory)
        self.image_processor = Remembering(getattr(processor, "image_processor", None))
        if hasattr(processor, "image_processor"):
            processor.image_processor = self.image_processor
        self.sharing = PictureSharing(self)

    def fingerprint(self) -> Mapping[str, Any]:
        """Versions, device type, chat template, the processor's settings, tokens that end an answer, what is shared."""
        return {
            **_loading.versions(),
            "class": type(self.model).__name__,
            "device": self.model.device.type,
            "chat_format": self.prompts.chat_format,
            "chat_template": _loading.text_hash(self.prompts.template),
            "processor": self.settings_hash,
            "tokens": {name: plain(value) for name, value in self.kept.items()},
            "model_args": {name: str(value) for name, value in self.options.model_args.items()},
            "sharing": self.sharing.level,
        }

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Answer in batches; see `Model.answer`.

        Questions on the same pictures share what the model allows; the others go by number of pictures and length.
        A picture that cannot be read fails its own requests only.

        Raises:
            ModelError: if settings do not go together, or log-likelihoods are asked of a model that cannot
                give them.
        """
        scoring = any(request.continuations for request in requests)
        if scoring and not self.scores:
            raise ModelError(f"{self.info.id} has an encoder of its own for text; use --scoring generate")
        alone: Sequence[int] = range(len(requests))
        if _batching.can_share(generation):
            groups, alone = self.sharing.groups(requests, scoring)
            self.sharing.leftover = []
            share = self.sharing.score if scoring else self.sharing.write
            if groups:
                yield from share(groups, requests, generation)
            alone = [*alone, *self.sharing.leftover]
        if scoring:
            for index in alone:
                yield [(index, self._score(requests[index], generation))]
        else:
            yield from self._write_all(alone, requests, generation)

    def _write_all(
        self, indices: Sequence[int], requests: Sequence[Request], generation: Generation
    ) -> Iterator[Batch]:
        """Generate on the plain path, equally many pictures in a batch, the longest prompts first."""
        groups: dict[int, dict[int, int]] = {}
        for index in indices:
            request = requests[index]
            groups.setdefault(len(request.pictures), {})[index] = len(request.prompt)
        size = self.room.rows
        batches = [batch for lengths in groups.values() for batch in _decoding.by_length(lengths, size)]

        def run(batch: Sequence[tuple[int, list[Image] | UnreadablePicture]]) -> list[Response]:
            return self._write([requests[index] for index, _ in batch], [images for _, images in batch], generation)

        for batch, images in ahead(batches, lambda batch: self._look([requests[index] for index in batch])):
            for done in _memory.shrinking(list(zip(batch, images, strict=True)), run, self.room):
                yield [(index, response) for (index, _), response in done]

    def _look(self, requests: Sequence[Request]) -> list[list[Image] | UnreadablePicture]:
        """Open and resize the pictures of a batch to come."""
        opened: list[list[Image] | UnreadablePicture] = []
        for request in requests:
            try:
                opened.append(open_all(request.pictures))
            except UnreadablePicture as error:
                opened.append(error)
        self.image_processor.prepare([images for images in opened if not isinstance(images, UnreadablePicture)])
        return opened

    def _write(
        self,
        requests: Sequence[Request],
        images: Sequence[Sequence[Image] | UnreadablePicture],
        generation: Generation,
    ) -> list[Response]:
        """Generate for one batch of requests with equally many pictures."""
        responses: dict[int, Response] = {}
        opened: dict[int, Sequence[Image]] = {}
        for index, shown in enumerate(images):
            if isinstance(shown, UnreadablePicture):
                responses[index] = Response(error=str(shown))
            else:
                opened[index] = shown
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
            if _memory.ran_out(error):
                raise
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


def _processor_settings(processor: Any) -> dict[str, Any]:
    """A processor's settings, and the classes that carry them out: Pillow's and torchvision's resizing differ."""
    settings = dict(processor.to_dict())
    settings.pop("chat_template", None)
    image_processor = getattr(processor, "image_processor", None)
    if image_processor is not None:
        settings["image_processor"] = image_processor.to_dict()
    return {**settings, "classes": [type(processor).__name__, type(image_processor).__name__]}
