"""GGUF files, unpacked by transformers into a text model (`gguf:FILE`)."""

from __future__ import annotations

from pathlib import Path

from punctum.evaluators.models import _loading
from punctum.evaluators.models.base import ModelError, ModelOptions
from punctum.evaluators.models.transformers_text import TextModel
from punctum.records import ModelInfo

SCHEME = "gguf"
DESCRIPTION = "a text model in a GGUF file, unpacked by transformers: gguf:FILE"
NEEDS = "gguf"


def load(name: str, options: ModelOptions) -> TextModel:
    """Unpack the weights into an ordinary model. That takes some seconds for each 100 MB.

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
    source = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    with _loading.explained(name):
        tokenizer = transformers.AutoTokenizer.from_pretrained(**source)
        model = transformers.AutoModelForCausalLM.from_pretrained(**source, **arguments)
    info = ModelInfo(path.name, _loading.content_hash(path), "transformers-text", quantization="gguf")
    return TextModel(model, tokenizer, options, device, info)
