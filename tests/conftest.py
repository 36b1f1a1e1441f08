"""Fixtures for what a test may or may not find beside it: real data, test weights, the sample model."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser import Browser
    from tests.fake_hub import FakeHub

ROOT = Path(__file__).resolve().parent.parent

# Before any test module imports the libraries that read them.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_EVALUATE_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# Importing punctum brings the metrics' names into evaluate's cache; not into that of the person who runs this.
os.environ.setdefault("PUNCTUM_REGISTER", "0")
# No test reads or writes the caches of the person who runs it; removed when the tests end.
_CACHES = tempfile.TemporaryDirectory(prefix="punctum-tests-")
os.environ["PUNCTUM_CACHE"] = str(Path(_CACHES.name) / "punctum")
os.environ["HF_DATASETS_CACHE"] = str(Path(_CACHES.name) / "datasets")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real published data; only maintainers have it."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("no ../shared: the real published data are not at hand")
    return folder


def _weights(name: str) -> Path:
    root = Path(os.environ.get("PUNCTUM_TEST_WEIGHTS", "~/.cache/punctum-test-weights")).expanduser()
    path = root / name
    if not path.exists():
        message = f"no {path}: run scripts/fetch_test_weights.py"
        if os.environ.get("PUNCTUM_REQUIRE_WEIGHTS") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return path


@pytest.fixture(scope="session")
def mpnet() -> Path:
    """The folder of the real all-mpnet-base-v2."""
    return _weights("all-mpnet-base-v2")


@pytest.fixture(scope="session")
def gemma() -> Path:
    """The GGUF file of gemma-3-270m."""
    return _weights("gemma-3-270m.gguf")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium; every test opens pages of its own in it."""
    from tests.browser import NAMES, Browser, find

    program = find()
    if program is None:
        message = (
            f"no Chromium (looked for {', '.join(NAMES)}; PUNCTUM_CHROMIUM names one): pages are not clicked through"
        )
        if os.environ.get("PUNCTUM_REQUIRE_CHROMIUM") == "1":
            pytest.fail(message)
        pytest.skip(message)
    with Browser(program) as running:
        yield running


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeHub]:
    """A Hub on the loopback interface, and the client set to it."""
    from tests.hub_client import connected

    yield from connected(monkeypatch, tmp_path)
