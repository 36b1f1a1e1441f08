"""What the backends on transformers share when they load: device, dtype, quantization, revision, safety."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models.base import ModelError, ModelOptions
from punctum.records import ModelInfo

if TYPE_CHECKING:
    import torch

DTYPES = ("auto", "float32", "bfloat16", "float16")
QUANTIZATIONS = ("8bit", "4bit")
_READ = {".json", ".jinja", ".txt", ".model", ".tiktoken", ".py", ".safetensors", ".gguf"}
_WHOLE = 64 << 20  # bytes: files up to here are hashed whole
_BLOCK = 1 << 16
_BLOCKS = 256  # blocks sampled from a larger file
_UNSAFE = (".bin", ".pt", ".pth", ".ckpt", ".h5", ".msgpack")


def require(module: str, extra: str) -> ModuleType:
    """Import an optional dependency.

    Args:
        module: for instance `torch`.
        extra: the extra of this package that brings it.

    Raises:
        ModelError: if it is missing or does not import; the message says what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]
        what = f"{module} is not installed" if missing else f"{module} does not import ({error})"
        raise ModelError(f'{what}; pip install "punctum[{extra}]"') from error


def pick_device(wanted: str | None) -> torch.device:
    """The device asked for, else the best at hand: cuda, mps, cpu.

    Raises:
        ModelError: if there is no such device.
    """
    library: Any = require("torch", "models")
    if wanted is None:
        mps = getattr(library.backends, "mps", None)
        wanted = "cuda" if library.cuda.is_available() else "mps" if mps and mps.is_available() else "cpu"
        if wanted == "cuda" and "LOCAL_RANK" in os.environ:  # a launcher started one process a device
            wanted = f"cuda:{os.environ['LOCAL_RANK']}"
    try:
        device: torch.device = library.device(wanted)
    except RuntimeError as error:
        raise ModelError(f"device {wanted!r} is not known; known: cpu, cuda, cuda:N, mps") from error
    if device.type == "mps" and not library.backends.mps.is_available():
        raise ModelError(f"device {wanted!r} is not there: torch finds no Apple GPU; --device cpu runs anywhere")
    if device.type == "cuda" and (device.index or 0) >= library.cuda.device_count():
        raise ModelError(
            f"device {wanted!r} is not there: torch sees {library.cuda.device_count()} CUDA devices; "
            "--device cpu runs anywhere"
        )
    return device


def pick_dtype(wanted: str, device: torch.device) -> Any:
    """The dtype to load weights in: for `auto` that of the weights' config, and float32 on a CPU.

    Raises:
        ModelError: if the name is none of `DTYPES`.
    """
    if wanted not in DTYPES:
        raise ModelError(f"dtype {wanted!r} is not known; known: {', '.join(DTYPES)}")
    if wanted == "auto" and device.type != "cpu":
        return "auto"
    return getattr(require("torch", "models"), "float32" if wanted == "auto" else wanted)


def quantization(wanted: str | None, dtype: Any, device: torch.device) -> Any:
    """A `BitsAndBytesConfig`, or None.

    Raises:
        ModelError: if the name is none of `QUANTIZATIONS`, bitsandbytes is missing, or it does not run on the device.
    """
    if wanted is None:
        return None
    if wanted not in QUANTIZATIONS:
        raise ModelError(f"quantization {wanted!r} is not known; known: {', '.join(QUANTIZATIONS)}")
    library = require("bitsandbytes", "quantization")
    runs_on = getattr(library, "supported_torch_devices", {"cuda"})
    if device.type not in runs_on:
        raise ModelError(
            f"--quantize {wanted}: bitsandbytes {library.__version__} does not run on {device.type}, only on "
            f"{', '.join(sorted(runs_on))}; leave it out, name another --device, or a model that was quantized before"
        )
    require("accelerate", "quantization")
    config = require("transformers", "quantization").BitsAndBytesConfig
    if wanted == "8bit":
        return config(load_in_8bit=True)
    torch = require("torch", "quantization")
    return config(load_in_4bit=True, bnb_4bit_compute_dtype=torch.bfloat16 if dtype == "auto" else dtype)


def where(name: str) -> tuple[str, bool]:
    """The name as transformers wants it, and whether it is a local folder.

    Raises:
        ModelError: if the name reads as a path and there is no such folder.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        return str(path), True
    if path.is_file():
        raise ModelError(f"{name} is a file; a model is a folder or a Hub id (a GGUF file: gguf:{name})")
    if name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise ModelError(f"{name}: no such folder; a model is a folder or a Hub id such as org/name")
    return name, False


def check_weights(folder: Path) -> None:
    """Refuse a local folder without safetensors: other formats are pickles, which run code when read.

    Raises:
        ModelError: that says what was found and how to convert it.
    """
    if any(folder.glob("*.safetensors")):
        return
    pickles = sorted(path.name for path in folder.iterdir() if path.suffix in _UNSAFE)
    if not pickles:
        raise ModelError(f"{folder} holds no *.safetensors: these are no weights that transformers can read")
    raise ModelError(f"{folder} holds its weights only as {pickles[0]}. {_PICKLE_ADVICE}")


_PICKLE_ADVICE = (
    "Such files run code when they are read, so they are never loaded here. Convert them once, where you trust "
    "them: AutoModel….from_pretrained(OLD, use_safetensors=False).save_pretrained(NEW) writes safetensors; for a "
    "model of the Hub there is https://huggingface.co/spaces/safetensors/convert"
)


def loader_arguments(options: ModelOptions, device: torch.device, local: bool) -> dict[str, Any]:
    """Keyword arguments of `from_pretrained` for a model."""
    dtype = pick_dtype(options.dtype, device)
    arguments: dict[str, Any] = {
        "dtype": dtype,
        "use_safetensors": True,
        "trust_remote_code": options.trust_remote_code,
        **hub_arguments(options, local),
    }
    quantized = quantization(options.quantize, dtype, device)
    if quantized is not None:
        arguments["quantization_config"] = quantized
    if options.device_map is not None:
        require("accelerate", "models")
        arguments["device_map"] = options.device_map
    elif quantized is not None or (device.type == "cuda" and importlib.util.find_spec("accelerate")):
        arguments["device_map"] = {"": str(device)}
    return {**arguments, **options.model_args}


def hub_arguments(options: ModelOptions, local: bool) -> dict[str, Any]:
    """The revision, for Hub models.

    Raises:
        ModelError: if a revision is asked of a local folder, which has none.
    """
    if options.revision is None:
        return {}
    if local:
        raise ModelError(f"--revision {options.revision}: a local folder has no revisions; its content is hashed")
    return {"revision": options.revision}


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Turn what transformers raises while loading into a `ModelError` that names the way out."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:  # from OSError to struct.error, as the broken file or the missing library has it
        text = str(error)
        first = text.strip().splitlines()[0] if text.strip() else type(error).__name__
        if "trust_remote_code" in text:
            raise ModelError(
                f"{name} brings code of its own. If you have read and trust it: --trust-remote-code"
            ) from error
        if "safetensors" in text:
            raise ModelError(f"{name} has no safetensors ({first}). {_PICKLE_ADVICE}") from error
        missing = re.search(r"requires the (\w+) library", text)
        install = f"; pip install {missing[1].lower()}" if missing else ""
        raise ModelError(f"{name} cannot be loaded: {first}{install}") from error


def describe(name: str, path: str, local: bool, model: Any, backend: str) -> ModelInfo:
    """Which model this is: Hub id and commit, or a local folder's name and the hash of its content."""
    if local:
        return ModelInfo(Path(path).resolve().name, content_hash(path), backend)
    return ModelInfo(name, getattr(model.config, "_commit_hash", None), backend)


def settled(model: Any, options: ModelOptions, device: torch.device, info: ModelInfo) -> tuple[Any, ModelInfo]:
    """A loaded model where it belongs, ready to answer, and what is known of it.

    Args:
        model: of transformers; stays where it is if it has been placed already.
        options: for the quantization.
        device: where it goes otherwise.
        info: dtype and, where it is missing, quantization are filled in.
    """
    if getattr(model, "hf_device_map", None) is None:
        model.to(device)
    dtype = str(model.dtype).removeprefix("torch.")
    return model.eval(), replace(info, dtype=dtype, quantization=info.quantization or options.quantize)


def content_hash(path: str | Path) -> str:
    """A hash of a folder of weights, or of one file, that stays the same when it is copied.

    It covers the names, the sizes and the content of the files that loaders read. Of files above 64 MB the
    first megabyte (a safetensors header with its tensors' names and places) and 256 evenly spaced blocks of
    64 kB are read: enough to tell trainings apart, and quick on weights of many gigabytes.

    Returns:
        `sha256:` and 16 hex digits.
    """
    path = Path(path)
    files = [path] if path.is_file() else sorted(_files(path))
    digest = hashlib.sha256()
    for file in files:
        name = file.name if path.is_file() else file.relative_to(path).as_posix()
        size = file.stat().st_size
        digest.update(f"{name}\0{size}\0".encode())
        with file.open("rb") as stream:
            if size <= _WHOLE:
                digest.update(stream.read())
                continue
            digest.update(stream.read(1 << 20))
            for number in range(_BLOCKS):
                stream.seek((size - _BLOCK) * number // (_BLOCKS - 1))
                digest.update(stream.read(_BLOCK))
    return f"sha256:{digest.hexdigest()[:16]}"


def _files(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if file.suffix in _READ and not hidden and file.is_file():
            yield file


def text_hash(value: object) -> str | None:
    """A short hash of a text or of a JSON value, for fingerprints; None stays None."""
    if value is None:
        return None
    import json

    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def versions() -> Mapping[str, str]:
    """The libraries whose version can change an answer."""
    return {name: str(require(name, "models").__version__) for name in ("torch", "transformers")}
