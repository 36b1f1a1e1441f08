"""A real language model over questions: killed half-way and started again, it ends with the same results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import punctum
from tests.killed import kill_once, stored

pytestmark = pytest.mark.weights


def test_a_killed_run_of_gemma_ends_like_an_unbroken_one(gemma: Path, tmp_path: Path) -> None:
    def command(name: str) -> list[str]:
        words = ["run", "deepeval/title", "--data-dir", punctum.sample("deepeval"), "--setting", "lm", "--limit", "4"]
        words += ["--model", f"gguf:{gemma}", "--model-arg", f"unpacked={tmp_path / 'unpacked'}", "--batch-size", "2"]
        words += ["--gen", "max_new_tokens=8", "--quiet", "--store", str(tmp_path / f"{name}.sqlite")]
        return [sys.executable, "-m", "punctum.cli", *words, "--out", str(tmp_path / name)]

    subprocess.run(command("unbroken"), check=True, timeout=600)
    kill_once(lambda: stored(tmp_path / "killed.sqlite") >= 4, command("killed"))
    assert stored(tmp_path / "killed.sqlite") < 12
    assert not (tmp_path / "killed" / "results.json").exists()
    subprocess.run(command("killed"), check=True, timeout=600)
    assert stored(tmp_path / "killed.sqlite") == stored(tmp_path / "unbroken.sqlite") == 12
    for name in ("results.json", "predictions.jsonl"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "unbroken" / name).read_bytes()
