"""GGUF files, unpacked by transformers into a text model (`gguf:FILE`)."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from punctum.evaluators.models import _loading
from punctum.evaluators.models._unloaded import Unloaded
from punctum.evaluators.models.base import ModelError, ModelOptions
from punctum.evaluators.models.transformers_text import TextModel
from punctum.records import ModelInfo

SCHEME = "gguf"
DESCRIPTION = "a text model in a GGUF file, unpacked by transformers: gguf:FILE"
NEEDS = "gguf"


def load(name: str, options: ModelOptions) -> TextModel:
    """Unpack the weights into an ordinary model, which takes a minute or so for a file of 250 MB.

    With the model argument `unpacked=FOLDER` (`--model-arg`) the unpacked model is kept there, four bytes a
    weight in float32, and the next load takes seconds.

    Raises:
        ModelError: if the file is missing, is no GGUF file, or of an architecture that transformers cannot
            unpack.
    """
    path = Path(name).expanduser()
    if not path.is_file():
        raise ModelError(f"gguf:{name}: no such file")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ModelError(f"{name} is no GGUF file: it does not start with GGUF")
    for given, what in ((options.quantize, "--quantize"), (options.revision, "--revision")):
        if given is not None:
            raise ModelError(f"{what} {given} does not go with a GGUF file, which is quantized as it is")
    _loading.require("gguf", "gguf")
    transformers = _loading.require("transformers", "gguf")
    device = _loading.pick_device(options.device)
    arguments = _loading.loader_arguments(options, device, local=True)
    kept_in = arguments.pop("unpacked", None)
    info = ModelInfo(path.name, _loading.content_hash(path), "transformers-text", quantization="gguf")
    place = None
    if kept_in is not None:
        name_of = f"{path.stem}-{str(info.revision).rpartition(':')[2]}-{arguments['dtype']}"
        place = Path(str(kept_in)).expanduser() / name_of.replace("torch.", "")
    with _loading.explained(name):
        if place is not None and place.is_dir():
            source = {"pretrained_model_name_or_path": str(place)}
        else:
            source = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
        tokenizer = transformers.AutoTokenizer.from_pretrained(**source)
        model = transformers.AutoModelForCausalLM.from_pretrained(**source, **arguments)
        if place is not None and not place.is_dir():
            _keep(model, tokenizer, place)
    own = {key: value for key, value in options.model_args.items() if key != "unpacked"}
    return TextModel(model, tokenizer, replace(options, model_args=own), device, info)


def outline(name: str, options: ModelOptions) -> Unloaded:
    """What is known without unpacking it."""
    return Unloaded(Path(name).name, reads_pictures=False)


def _keep(model: Any, tokenizer: Any, place: Path) -> None:
    """Write the unpacked model, complete or not at all."""
    for mark in ("hf_quantizer", "quantization_method", "is_quantized"):
        vars(model).pop(mark, None)  # the weights are plain by now, but would be saved as if they were not
    vars(model.config).pop("quantization_config", None)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=place.parent) as folder:
        complete = Path(folder) / "model"
        model.save_pretrained(complete)
        tokenizer.save_pretrained(complete)
        try:
            complete.replace(place)
        except OSError:
            if not place.is_dir():  # unless another process was quicker
                raise
