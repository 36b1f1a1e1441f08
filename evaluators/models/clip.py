"""Dual encoders of transformers (CLIP, SigLIP and their kin): a Hub id or a folder (`clip:NAME`).

Such a model writes nothing. It ranks the options of a question by their cosines with the picture, and with each
text that is told of the picture.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _loading
from punctum.evaluators.models._pictures import UnreadablePicture
from punctum.evaluators.models._prompting import Guard, control_tokens
from punctum.evaluators.models._unloaded import Unloaded
from punctum.evaluators.models.base import Batch, ModelError, ModelOptions
from punctum.records import Generation, ModelInfo, Picture, Request, Response

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

SCHEME = "clip"
DESCRIPTION = "a dual encoder of transformers (CLIP, SigLIP, …), which ranks options: clip:HUB-ID or clip:FOLDER"
NEEDS = "models"
NOT_TAKEN = ("batch_memory", "share", "chat_format")
WHY_NOT = "it sees no prompt"

_TEXTS = 8  # texts are short: so many times as many as pictures make a batch
_PIECE = re.compile(r"\s*\S+")
_METHOD = "mean cosine with pictures and texts; long texts in chunks of whole words"


def load(name: str, options: ModelOptions) -> DualEncoder:
    """Load a dual encoder and its processor.

    Raises:
        ModelError: if it cannot be loaded, or is no dual encoder.
    """
    transformers = _loading.require("transformers", "models")
    device = _loading.pick_device(options.device)
    path, local = _loading.where(name)
    arguments = _loading.loader_arguments(options, device, local)
    if local:
        _loading.check_weights(Path(path))
    with _loading.explained(name):
        shared = {"trust_remote_code": options.trust_remote_code, **_loading.hub_arguments(options, local)}
        config = transformers.AutoConfig.from_pretrained(path, **shared)
        if type(config) in transformers.MODEL_MAPPING:
            _check(name, transformers.MODEL_MAPPING[type(config)])  # before the weights are read
        processor = transformers.AutoProcessor.from_pretrained(path, **shared)
        model = transformers.AutoModel.from_pretrained(path, **arguments)
    _check(name, model)
    if not hasattr(processor, "tokenizer") or not hasattr(processor, "image_processor"):
        raise ModelError(f"{name} has no processor for pictures and texts")
    return DualEncoder(model, processor, options, device, _loading.describe(name, path, local, model, "clip"))


def outline(name: str, options: ModelOptions) -> Unloaded:
    """What is known without loading it."""
    return Unloaded(name, ranks=True)


def _check(name: str, model: Any) -> None:
    if not (hasattr(model, "get_image_features") and hasattr(model, "get_text_features")):
        raise ModelError(
            f"{name} is no dual encoder: it does not put pictures and texts into one space. "
            "A model that writes is named without clip:"
        )


class DualEncoder:
    """An encoder of pictures and one of texts, into one space.

    What was encoded once is kept as long as the model: a run that shows the same picture or the same text again,
    in another question or task, does not encode it again.
    """

    reads_pictures = True
    writes = False
    scores = False
    ranks = True
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
        self.model, self.info = _loading.settled(model, options, device, info)
        self.image_processor, self.tokenizer = processor.image_processor, processor.tokenizer
        self.options = options
        self.padding, self.window = _text_form(model, processor)
        self.guard = Guard(self.tokenizer, control_tokens(self.tokenizer))
        self._pictures: dict[str, torch.Tensor] = {}
        self._texts: dict[str, torch.Tensor] = {}

    def fingerprint(self) -> Mapping[str, Any]:
        """Versions, device type, the picture processor's settings, how texts are filled up and cut, the method."""
        shown = {**self.image_processor.to_dict(), "class": type(self.image_processor).__name__}
        return {
            **_loading.versions(),
            "class": type(self.model).__name__,
            "device": self.model.device.type,
            "processor": _loading.text_hash(shown),
            "text_window": f"{self.window},{self.padding}",
            "ranking": _METHOD,
            "model_args": {name: str(value) for name, value in self.options.model_args.items()},
        }

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Rank each request's continuations; see `Model.answer`. A picture that cannot be read fails alone.

        Raises:
            ModelError: if a request asks for words.
        """
        if not all(request.continuations for request in requests):
            raise ModelError(f"{self.info.id} writes no text: it ranks options; use --scoring rank")
        for start in range(0, len(requests), self.options.batch_size):
            part = range(start, min(start + self.options.batch_size, len(requests)))
            errors = self._look([requests[index] for index in part])
            read = [requests[index] for index in part if errors[index - start] is None]
            self._read(text for request in read for text in (*request.continuations, *request.queries))
            yield [(index, self._rank(requests[index], errors[index - start])) for index in part]

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The texts' vectors, of which nothing is kept: a text beyond the window is the mean of its chunks, unit again.

        Returns:
            shape (texts, dimensions), float32, length 1.
        """
        import torch

        before = self._texts
        self._texts = {}
        try:
            self._read(texts)
            rows = torch.nn.functional.normalize(torch.stack([self._texts[text] for text in texts]), dim=-1)
        finally:
            self._texts = before
        found: NDArray[np.float32] = rows.numpy()
        return found

    def embed_pictures(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """The pictures' vectors, of which nothing is kept.

        Returns:
            shape (pictures, dimensions), float32, length 1.

        Raises:
            OSError, ValueError: at the first that cannot be read.
        """
        import torch

        rows: list[torch.Tensor] = []
        for start in range(0, len(pictures), self.options.batch_size):
            made = [
                dict(self.image_processor([picture.open()], return_tensors="pt"))
                for picture in pictures[start : start + self.options.batch_size]
            ]
            inputs = {name: self._placed(torch.cat([one[name] for one in made])) for name in made[0]}
            rows += self._unit("get_image_features", inputs)
        found: NDArray[np.float32] = torch.stack(rows).numpy()
        return found

    def _rank(self, request: Request, error: str | None) -> Response:
        """The mean cosine of each continuation with the pictures and the queries."""
        import torch

        if error is not None:
            return Response(error=error)
        shown = [self._pictures[picture.sha256] for picture in request.pictures]
        told = [self._texts[text] for text in request.queries]
        if not shown and not told:
            return Response(error="neither a picture nor a text to compare the options with")
        target = torch.stack([*shown, *told]).mean(0)
        options = torch.stack([self._texts[text] for text in request.continuations])
        return Response(scores=tuple((options @ target).tolist()))

    def _look(self, requests: Sequence[Request]) -> list[str | None]:
        """Encode the pictures that were not encoded yet; what is wrong with each request's pictures, if so."""
        import torch

        errors: list[str | None] = []
        made: dict[str, Mapping[str, torch.Tensor]] = {}
        for request in requests:
            try:
                for number, picture in enumerate(request.pictures, 1):
                    self._open(picture, number, made)
                errors.append(None)
            except UnreadablePicture as error:
                errors.append(str(error))
        new = list(made)
        for start in range(0, len(new), self.options.batch_size):
            keys = new[start : start + self.options.batch_size]
            inputs = {name: torch.cat([made[key][name] for key in keys]) for name in made[keys[0]]}
            inputs = {name: self._placed(value) for name, value in inputs.items()}
            self._pictures.update(zip(keys, self._unit("get_image_features", inputs), strict=True))
        return errors

    def _open(self, picture: Picture, number: int, made: dict[str, Mapping[str, torch.Tensor]]) -> None:
        """Decode and prepare a picture that is neither encoded nor prepared yet; `made` gets it by its hash.

        Raises:
            UnreadablePicture: if it cannot be read, or the processor refuses it.
        """
        try:
            if picture.sha256 not in self._pictures and picture.sha256 not in made:
                made[picture.sha256] = dict(self.image_processor([picture.open()], return_tensors="pt"))
        except Exception as error:  # decoders raise many kinds
            raise UnreadablePicture(picture, number, error) from error

    def _placed(self, value: torch.Tensor) -> torch.Tensor:
        return value.to(self.model.device, dtype=self.model.dtype if value.is_floating_point() else None)

    def _read(self, texts: Iterable[str]) -> None:
        """Encode the texts that were not encoded yet. A text is the mean of its chunks' unit vectors."""
        import torch

        new = [text for text in dict.fromkeys(texts) if text not in self._texts]
        rows = [(text, row) for text in new for row in self._chunks(text)]
        rows.sort(key=lambda pair: -len(pair[1]))
        chunks: dict[str, list[torch.Tensor]] = {}
        size = self.options.batch_size * _TEXTS
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            padded = self.tokenizer.pad(
                {"input_ids": [row for _, row in batch]},
                padding=self.padding,
                max_length=self.window if self.padding == "max_length" else None,
                return_tensors="pt",
            )
            units = self._unit("get_text_features", padded.to(self.model.device))
            for (text, _), unit in zip(batch, units, strict=True):
                chunks.setdefault(text, []).append(unit)
        self._texts.update((text, torch.stack(units).mean(0)) for text, units in chunks.items())

    def _chunks(self, text: str) -> list[list[int]]:
        """The tokens of a text, special ones included; a text beyond the window as several, cut between words."""
        whole = self._ids(text)
        if len(whole) <= self.window:
            return [whole]
        pieces, rows = _PIECE.findall(text), []

        def tokens(count: int) -> list[int]:
            return self._ids("".join(pieces[:count]).strip())

        while pieces:
            count = bisect_right(range(1, len(pieces) + 1), self.window, key=lambda n: len(tokens(n)))
            if count == 0:  # a word longer than the window
                middle = len(pieces[0]) // 2
                if middle == 0:
                    raise ModelError(f"{self.info.id}: a window of {self.window} tokens holds no text")
                pieces[:1] = [pieces[0][:middle], pieces[0][middle:]]
                continue
            rows.append(tokens(count))
            del pieces[:count]
        return rows

    def _ids(self, text: str) -> list[int]:
        ids = self.tokenizer(self.guard.cut(text), truncation=False, verbose=False)["input_ids"]
        return self.guard.keep(ids)

    def _unit(self, encode: str, inputs: Mapping[str, Any]) -> list[torch.Tensor]:
        """The unit vectors, float32 on the CPU, that one of the two encoders gives.

        Raises:
            ModelError: if it fails, or gives something else than one vector each.
        """
        import torch

        with torch.inference_mode():
            try:
                given = getattr(self.model, encode)(**inputs)
            except RuntimeError as error:  # out of memory, or weights that cannot be computed with on this device
                way_out = (
                    "leave --quantize out" if self.options.quantize else "a smaller --batch-size needs less memory"
                )
                raise ModelError(f"{self.info.id}: {encode} failed: {str(error).splitlines()[0]}; {way_out}") from error
            features = given if isinstance(given, torch.Tensor) else getattr(given, "pooler_output", None)
            if features is None or features.dim() != 2:
                raise ModelError(f"{self.info.id}: {encode} gives no vector a picture or text: it cannot rank")
            return list(torch.nn.functional.normalize(features.float(), dim=-1).cpu())


def _text_form(model: Any, processor: Any) -> tuple[str, int]:
    """How texts are filled up (`longest` or `max_length`), and the text encoder's window in tokens.

    SigLIP was trained on texts filled up to its window, and reads the last place; so were others whose processor
    says so.
    """
    defaults = getattr(processor, "text_kwargs", None)
    if not isinstance(defaults, dict):
        declared = getattr(getattr(processor, "valid_processor_kwargs", None), "_defaults", {})
        defaults = declared.get("text_kwargs", {})
    sizes = [
        defaults.get("max_length"),
        processor.tokenizer.model_max_length,
        getattr(getattr(model.config, "text_config", model.config), "max_position_embeddings", None),
    ]
    filled = model.config.model_type.startswith("siglip") or defaults.get("padding") == "max_length"
    return "max_length" if filled else "longest", min(size for size in sizes if size)
