"""What backends say about models they cannot load, which model they say it was, and what they import."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from punctum.evaluators.models import (  # noqa: E402
    _loading,
    openai_chat,
    transformers_auto,
    transformers_image_text,
    transformers_text,
)
from punctum.evaluators.models.base import ModelError, ModelOptions  # noqa: E402
from punctum.records import Generation  # noqa: E402
from tests.tiny_models import answers, picture, request, save_llama, save_llava  # noqa: E402


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llama(tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="module")
def llava(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llava(tmp_path_factory.mktemp("llava"))


def test_the_config_says_which_backend(llama: Path, llava: Path) -> None:
    options = ModelOptions(device="cpu")
    assert transformers_auto.load(str(llama), options).info.backend == "transformers-text"
    assert transformers_auto.load(str(llava), options).info.backend == "transformers-image-text"


def test_a_model_of_another_kind_is_named(tmp_path: Path) -> None:
    from transformers import ViTConfig

    ViTConfig().save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="of type 'vit'"):
        transformers_auto.load(str(tmp_path), ModelOptions())


def test_names_that_are_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("/no/such/folder", "./none", "~/none", "a/b/c"):
        with pytest.raises(ModelError, match="no such folder"):
            transformers_auto.load(name, ModelOptions())
    file = tmp_path / "weights.gguf"
    file.write_bytes(b"GGUF")
    with pytest.raises(ModelError, match=f"gguf:{file}"):
        transformers_auto.load(str(file), ModelOptions())
    with pytest.raises(ModelError, match="cannot be loaded"):
        transformers_auto.load(str(tmp_path), ModelOptions())
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # read from the environment at import
    with pytest.raises(ModelError, match="nobody/nothing cannot be loaded"):
        transformers_auto.load("nobody/nothing", ModelOptions())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ModelOptions(dtype="int3"), "dtype 'int3' is not known; known: auto, float32"),
        (ModelOptions(quantize="3bit"), "quantization '3bit' is not known; known: 8bit, 4bit"),
        (ModelOptions(device="abacus"), "device 'abacus' is not known; known: cpu"),
        (ModelOptions(device="cuda:99"), "torch sees .* CUDA devices"),
        (ModelOptions(revision="main"), "a local folder has no revisions"),
    ],
)
def test_options_that_do_not_fit(llama: Path, options: ModelOptions, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        transformers_text.load(str(llama), options)


@pytest.mark.parametrize(
    ("module", "backend", "name", "options", "extra"),
    [
        ("transformers", transformers_auto, "x", ModelOptions(), "models"),
        ("transformers", transformers_text, "x", ModelOptions(), "models"),
        ("torch", transformers_image_text, "x", ModelOptions(), "models"),
        ("bitsandbytes", transformers_text, "{llama}", ModelOptions(quantize="8bit"), "quantization"),
        ("accelerate", transformers_text, "{llama}", ModelOptions(device_map="auto"), "models"),
        ("openai", openai_chat, "x@http://127.0.0.1:1/v1", ModelOptions(), "server"),
    ],
)
def test_a_missing_library_names_its_extra(
    module: str,
    backend: object,
    name: str,
    options: ModelOptions,
    extra: str,
    llama: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if module == "accelerate":
        pytest.importorskip("accelerate")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModelError, match=rf'{module}.*pip install "punctum\[{extra}\]"'):
        backend.load(name.format(llama=llama), options)  # type: ignore[attr-defined]


def test_dtypes(llama: Path) -> None:
    for given, expected in (("auto", "float32"), ("bfloat16", "bfloat16"), ("float16", "float16")):
        model = transformers_text.load(str(llama), ModelOptions(device="cpu", dtype=given))
        assert model.info.dtype == expected
        assert answers(model, [request("A")], Generation(max_new_tokens=2))[0].error is None
    gpu = torch.device("cuda")
    assert _loading.pick_dtype("auto", gpu) == "auto"


@pytest.mark.parametrize("bits", ["8bit", "4bit"])
def test_quantized(bits: str, tmp_path: Path) -> None:
    pytest.importorskip("bitsandbytes")
    # bitsandbytes packs blocks of 64 weights
    folder = save_llama(tmp_path, hidden_size=64, intermediate_size=128)
    model = transformers_text.load(str(folder), ModelOptions(device="cpu", quantize=bits))
    assert model.info.quantization == bits
    assert model.model.is_quantized
    assert answers(model, [request("A")], Generation(max_new_tokens=2))[0].error is None


def test_where_the_device_cannot_it_is_said(llava: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bitsandbytes = pytest.importorskip("bitsandbytes")
    monkeypatch.setattr(bitsandbytes, "supported_torch_devices", {"cuda", "xpu"})
    with pytest.raises(ModelError, match=r"--quantize 8bit: .* does not run on cpu, only on cuda, xpu; leave"):
        transformers_image_text.load(str(llava), ModelOptions(device="cpu", quantize="8bit"))
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(ModelError, match="device 'mps' is not there: torch finds no Apple GPU"):
        transformers_image_text.load(str(llava), ModelOptions(device="mps"))


def test_a_quantized_dual_encoder_ranks(tmp_path: Path) -> None:
    pytest.importorskip("bitsandbytes")
    from punctum.evaluators.models import clip
    from tests.tiny_encoders import save_clip
    from tests.tiny_models import answers, picture, request

    folder = str(save_clip(tmp_path / "clip"))
    asked = [request("", picture("red"), continuations=("a man", "a hat"))]
    [plain] = answers(clip.load(folder, ModelOptions(device="cpu")), asked)
    model = clip.load(folder, ModelOptions(device="cpu", quantize="8bit"))
    assert model.info.quantization == "8bit" and model.model.is_quantized
    [found] = answers(model, asked)
    assert found.scores == pytest.approx(plain.scores, abs=0.1)


def test_a_quantized_image_text_model_sees_its_picture(llava: Path) -> None:
    pytest.importorskip("bitsandbytes")
    model = transformers_image_text.load(str(llava), ModelOptions(device="cpu", quantize="8bit"))
    assert model.info.quantization == "8bit"
    shown = [request("A", picture(color)) for color in ("red", "blue")]
    first, second = answers(model, shown)
    assert first.error is None
    assert first.text != second.text


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return (open, (self.path, "w"))


@pytest.mark.parametrize("backend", [transformers_text, transformers_auto])
def test_pickled_weights_are_refused_unread(backend: object, llama: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(llama, tmp_path / "pickled"))
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(str(tmp_path / "exploded"))))
    with pytest.raises(ModelError, match=r"only as pytorch_model\.bin.*run code.*save_pretrained"):
        backend.load(str(folder), ModelOptions())  # type: ignore[attr-defined]
    assert not (tmp_path / "exploded").exists()
    (folder / "pytorch_model.bin").unlink()
    with pytest.raises(ModelError, match=r"holds no \*\.safetensors"):
        backend.load(str(folder), ModelOptions())  # type: ignore[attr-defined]


def test_a_broken_file_is_named(llama: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(llama, tmp_path / "broken"))
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelError, match="broken cannot be loaded"):
        transformers_text.load(str(folder), ModelOptions())


def test_a_checkpoints_own_code_runs_only_when_asked(llama: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(llama, tmp_path / "coded"))
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.Net"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise RuntimeError('own code')\n")
    with pytest.raises(ModelError, match="--trust-remote-code"):
        transformers_auto.load(str(folder), ModelOptions())
    assert not (tmp_path / "ran").exists()
    with pytest.raises(ModelError, match="own code"):
        transformers_auto.load(str(folder), ModelOptions(trust_remote_code=True))
    assert (tmp_path / "ran").exists()


def test_the_content_hash_is_of_the_content(llama: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(llama, tmp_path / "another name"))
    assert _loading.content_hash(copy) == _loading.content_hash(llama)
    os.utime(copy / "config.json", (1, 1))
    (copy / "README.md").write_text("hello")
    (copy / ".cache").mkdir()
    (copy / ".cache" / "x.json").write_text("{}")
    assert _loading.content_hash(copy) == _loading.content_hash(llama)
    data = bytearray((copy / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (copy / "model.safetensors").write_bytes(data)
    assert _loading.content_hash(copy) != _loading.content_hash(llama)


def test_large_files_are_sampled_over_their_whole_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_loading, "_WHOLE", 1 << 20)
    monkeypatch.setattr(_loading, "_BLOCK", 1 << 12)
    file = tmp_path / "model.safetensors"
    data = bytearray(os.urandom(8 << 20))
    file.write_bytes(data)
    first = _loading.content_hash(file)
    for place in (0, 4 << 20, (8 << 20) - 1):
        other = bytearray(data)
        step = 1 << 16  # any change that is spread over the weights shows, as training spreads them
        for near in range(place, min(place + step, len(data))):
            other[near] ^= 1
        file.write_bytes(other)
        assert _loading.content_hash(file) != first
    file.write_bytes(data)
    assert _loading.content_hash(file) == first


def test_backends_import_nothing_heavy() -> None:
    code = (
        "import sys; from punctum import discovery; found = discovery.backends();"
        "assert {'', 'baseline', 'replay', 'text', 'image-text', 'gguf', 'openai'} <= set(found), found;"
        "assert all(m.DESCRIPTION and isinstance(m.NEEDS, str) for m in found.values());"
        "heavy = {'torch', 'transformers', 'openai', 'numpy'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
