"""Values of options that are none: refused at once, by the option's name, before anything is loaded or asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import punctum
from punctum.cli import main

RUN = ["run", "vague/mcq", "--sample", "--limit", "2", "--model", "baseline:first", "--quiet"]


@pytest.mark.parametrize(("words", "message"), [
    (["--seed", "-1"], "--seed: -1 is not a whole number from 0 on"),
    (["--seed", "x"], "--seed: x is not a whole number from 0 on"),
    (["--limit", "0"], "--limit: 0 is not a positive number"),
    (["--limit", ""], "--limit: an empty word is not a positive number"),
    (["--resamples", "-5"], "--resamples: -5 is not"),
    (["--max-failed", "nan"], "--max-failed: nan is not a share: a number from 0 to 1"),
    (["--max-failed", "7"], "--max-failed: 7 is not a share"),
    (["--max-failed", "5%"], "--max-failed: 5% is not a share"),
    (["--out", ""], "--out: is empty"),
    (["--json", ""], "--json: is empty"),
    (["--store", " "], "--store: is empty"),
    (["--judge", ""], "--judge: is empty"),
])  # fmt: skip
def test_no_value_of_its_option(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*RUN, *words])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("words", "message"), [
    (["--gen", "max_new_tokens=abc"], "max_new_tokens is 'abc'; a whole number from 1 on is wanted"),
    (["--gen", "max_new_tokens=0"], "max_new_tokens is 0; a whole number from 1 on is wanted"),
    (["--gen", "max_new_tokens=1.5"], "max_new_tokens is 1.5; a whole number from 1 on is wanted"),
    (["--gen", "temperature=hot"], "temperature is 'hot'; a number from 0 on is wanted"),
    (["--gen", "temperature=NaN"], "temperature is nan; a number from 0 on is wanted"),
    (["--gen", "top_p=7"], "top_p is 7; a number above 0, at most 1 is wanted"),
    (["--gen", "num_beams=true"], "num_beams is True; a whole number"),
    (["--judge-gen", "max_new_tokens=5"], "--judge-gen is of the model that --judge names"),
    (["--continuation", "text"], "--continuation text goes with --scoring likelihood"),
    (["--caption", "meta"], "--caption goes with --setting sm"),
])  # fmt: skip
def test_settings_that_do_not_fit(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("knob", ["retries=-1", "retries=x", "timeout=0", "backoff=NaN", "timeout=true"])
def test_knobs_of_servers_are_numbers(
    knob: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "vague/mcq", "--sample", "--model", "openai:m@http://127.0.0.1:1/v1", "--dry-run"]
    assert main([*words, "--model-arg", knob]) == 2
    assert f"model argument {knob.split('=')[0]} is " in capsys.readouterr().err


@pytest.mark.parametrize("place", ["file", "file/run"])
@pytest.mark.parametrize("command", ["run", "score"])
def test_a_file_where_the_folder_should_be(
    command: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text('{"id": "x", "output": "A"}\n')
    words = RUN if command == "run" else ["score", "vague/mcq", "--sample", "--predictions", str(tmp_path / "file")]
    assert main([*words, "--out", str(tmp_path / place)]) == 2
    assert f"--out {tmp_path / place}: a file is in the way" in capsys.readouterr().err


def test_what_stands_behind_at_is_an_address(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `http://` it would be a part of the name, and the pictures would go to OpenAI."""
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    words = ["run", "vague/mcq", "--sample", "--model", "openai:llava@127.0.0.1:8000", "--dry-run"]
    assert main(words) == 2
    assert "what stands behind @ is no address; write openai:NAME@http://" in capsys.readouterr().err
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert main([*words, "--quiet"]) == 0


def test_nothing_in_data_acts_on_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Prompts of a dry run, names and messages are other people's words; what is no control character stays."""
    shutil.copytree(punctum.sample("vague"), tmp_path / "data")
    rows = json.loads((tmp_path / "data" / "vague.json").read_text(encoding="utf-8"))
    rows[0]["indirect"] = "Hey \x1b[2J\u202e, ça va\u00a0? 👩\u200d🎨"
    (tmp_path / "data" / "vague.json").write_text(json.dumps(rows), encoding="utf-8")
    words = ["run", "vague/mcq", "--data-dir", str(tmp_path / "data"), "--model", "openai:m@http://127.0.0.1:1/v1"]
    assert main([*words, "--limit", "1", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "Hey \ufffd[2J\ufffd, ça va\u00a0? 👩\u200d🎨" in shown
    assert main(["show", "no\x1b[2Jrun"]) == 2
    assert "no\ufffd[2Jrun: no such folder" in capsys.readouterr().err


@pytest.mark.parametrize(("environment", "encoding"), [
    ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "utf-8"),
    ({"PYTHONIOENCODING": "ascii"}, "ascii"),
])  # fmt: skip
def test_a_stream_without_our_characters_fails_nothing(environment: dict[str, str], encoding: str) -> None:
    words = [sys.executable, "-m", "punctum.cli", "run", "--help"]
    ran = subprocess.run(words, env={**os.environ, **environment}, capture_output=True)
    assert ran.returncode == 0 and not ran.stderr
    assert ("I+T_V+…" if encoding == "utf-8" else "I+T_V+?") in ran.stdout.decode(encoding)


@pytest.mark.parametrize(("words", "message"), [
    (["fetch", "vagu"], "Did you mean vague?"),
    (["info", "vague", "--sample", "--builder-arg", "tag=keep"], "--builder-arg of vague 'tag' is not known; known: "),
    (["build", "vague", "--sample", "--out", "b", "--builder-arg", "sed=1"], "Did you mean seed?"),
])  # fmt: skip
def test_unknown_names_are_told_with_the_near_one(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert message in capsys.readouterr().err
