"""What docs/report.md shows is what the commands print."""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from punctum.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("block", re.findall(r"```console\n(.*?)```", PAGE, re.S))
def test_consoles_are_true(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What stands between two […] is printed as it is, first and last words too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for part in re.split(r"^\$ punctum ", block, flags=re.M)[1:]:
        command, _, wanted = part.partition("\n")
        assert main(shlex.split(command)) == 0
        printed = "\n".join(lines(capsys.readouterr().out))
        first, *others = ["\n".join(lines(shown)) for shown in wanted.split("\n[…]\n")]
        assert printed.startswith(first) and printed.endswith(others[-1]) if others else printed == first
        for shown in others:
            assert shown in printed
            printed = printed.partition(shown)[2]


@pytest.mark.shared
def test_published_outputs_to_a_report(shared: Path, tmp_path: Path) -> None:
    """The example as it stands, in a shell; each published cell that the outputs give comes out as printed."""
    [script] = [block for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) if "$MVP" in block]
    words = f'set -eu\npunctum() {{ "{sys.executable}" -m punctum.cli "$@"; }}\n{script}'
    environment = {**os.environ, "MVP": str(shared / "data" / "mvp_bench"), "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(["bash", "-c", words], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "report/tables/mvp_bench-outputs.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    differences = [row for row in rows if row["source"] == "difference"]
    assert len(differences) == 5
    cells = [row[name] for row in differences for name in row if name not in ("model", "source", "notes") and row[name]]
    assert len(cells) == 4 * 16 + 3
    assert {float(cell) for cell in cells} == {0.0}
    figures = {path.stem for path in (tmp_path / "report/figures").glob("*.svg")}
    assert {"letters-mvp_bench-mcq_cross", "letters-mvp_bench-mcq_single", "mvp-levels"} <= figures
    page = (tmp_path / "report/report.md").read_text(encoding="utf-8")
    assert "MiniGPT-4-v1-7B chooses A most above its share: 38." in page
    assert "Not ranked here: GPT4V." in page
    paired = (tmp_path / "report/tables/paired-mvp_bench-mcq_single-circular-accuracy.csv").read_text(encoding="utf-8")
    assert "GPT4V,llava_v1.5_7b,ours,2.63,-2.39,7.66,0.351,0.351,63,52,418," in paired
