"""What the tests of pushing share: `punctum push` by the real client, on a Hub of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from punctum.cli import main
from tests.fake_hub import TOKEN, FakeHub


def connected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeHub]:
    """A Hub, and a client that knows no other, whose person is logged in."""
    from huggingface_hub import constants

    with FakeHub() as server:
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no-token"))
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setattr("punctum.hub.pushing._FIRST_WAIT", 0.01)
        yield server
        assert not server.faults


def push(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run `punctum push`: exit code, standard output and error output; the token is in neither."""
    code = main(["push", *map(str, words)])
    out, err = capsys.readouterr()
    assert TOKEN not in out + err
    return code, out, err
