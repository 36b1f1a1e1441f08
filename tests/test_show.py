"""`punctum show` prints what a run ended with; `list` ends in names that `run` takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punctum.cli import main
from punctum.commands.common import chosen


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "random"
    command = ["run", "whoops", "--model", "baseline:random", "--sample", "--limit", "8", "--no-pictures", "--quiet"]
    assert main([*command, "--out", str(out)]) == 0
    return out


def test_the_table_of_a_run_again(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    command = ["run", "whoops", "--model", "baseline:random", "--sample", "--limit", "8", "--no-pictures"]
    assert main([*command, "--out", str(tmp_path / "again")]) == 0
    ended_with = capsys.readouterr().out
    assert main(["show", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(ended_with)
    assert shown.removeprefix(ended_with).splitlines() == [
        "note: the package's sample",
        "note: the first 8 rows only",
    ]
    assert main(["show", str(folder), "--signatures"]) == 0
    assert "whoops/explanation_vlm@" in capsys.readouterr().out


def test_json_is_the_file(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", str(folder), "--json"]) == 0
    assert capsys.readouterr().out == (folder / "results.json").read_text(encoding="utf-8")
    second = tmp_path / "second"
    second.mkdir()
    (second / "results.json").write_bytes((folder / "results.json").read_bytes())
    assert main(["show", str(folder), str(second), "--json"]) == 0
    assert [entry["benchmark"] for entry in json.loads(capsys.readouterr().out)] == ["whoops", "whoops"]


def test_what_is_no_run_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(tmp_path)]) == 2
    assert "it has no results.json" in capsys.readouterr().err


def test_the_list_for_scripts_names_what_run_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--quiet"]) == 0
    names = capsys.readouterr().out.split()
    assert len(names) > 10
    assert all(len(chosen(name)[1]) == 1 for name in names)


def test_the_list_cuts_no_word_at_80_characters(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["list"]) == 0
    printed = capsys.readouterr().out
    assert "philosophical" in printed
    assert "rotations" in printed
    tasks = printed.partition("Metrics")[0]
    assert "…" not in tasks
