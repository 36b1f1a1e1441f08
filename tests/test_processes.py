"""A run by several processes: each asks its share, the result is that of one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from punctum.cli import main
from punctum.processes import Processes, launched
from punctum.records import Sample, Unit
from tests.fake_server import Asked, FakeServer, Reply

pytest.importorskip("torch")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def launch(*words: str, count: int = 2, accelerate: bool = False) -> subprocess.CompletedProcess[str]:
    """Run `punctum` in several processes of this machine."""
    port = str(free_port())
    if accelerate:
        launcher = [sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", str(count)]
        launcher += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
        launcher += ["--main_process_port", port]
    else:
        launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", str(count)]
        launcher += ["--master_addr", "127.0.0.1", "--master_port", port]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [*launcher, "-m", "punctum.cli", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)


def test_two_processes_give_what_one_gives(tmp_path: Path) -> None:
    """The sample's model on pictures, float32: equal answers, equal scores, to the byte."""
    pytest.importorskip("accelerate")
    words = ["run", "mvp_bench", "--subset", "low", "--limit", "6", "--sample", "--model", "punctum:sample"]
    words += ["--resamples", "0", "--quiet"]
    done = launch(*words, "--store", str(tmp_path / "two"), "--out", str(tmp_path / "a"), accelerate=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert main([*words, "--store", str(tmp_path / "one"), "--out", str(tmp_path / "b")]) == 0
    for name in ("predictions.jsonl", "results.json", "samples.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_nothing_is_asked_twice_and_captions_go_with_their_pictures(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        return Reply("a caption" if asked.pictures else "B", wait=0.02)

    with FakeServer(answer) as server:
        words = ["run", "vague/mcq", "--setting", "sm", "--sample", "--limit", "9", "--model", f"openai:m@{server.url}"]
        words += ["--resamples", "0", "--quiet", "--store", str(tmp_path / "s"), "--out", str(tmp_path / "out")]
        done = launch(*words, count=3)
        assert done.returncode == 0, done.stderr[-2000:]
        assert Counter(bool(asked.pictures) for asked in server.asked) == {True: 9, False: 9}
        assert len({asked.key for asked in server.asked}) == 18
    assert len((tmp_path / "out" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()) == 9


def test_a_budget_wants_one_process(tmp_path: Path) -> None:
    with FakeServer(lambda asked: "A") as server:
        words = ["run", "whoops", "--sample", "--limit", "2", "--model", f"openai:m@{server.url}", "--max-calls", "1"]
        done = launch(*words, "--store", str(tmp_path / "s"))
        assert done.returncode != 0 and "counted by one process" in done.stderr and server.asked == []


def test_whole_pictures_are_dealt_out_by_turns() -> None:
    places = [(picture, n) for n in range(3) for picture in range(5)]
    samples = [Sample(Unit(f"{picture}-{n}", "t"), "choice", (0,), cluster=str(picture)) for picture, n in places]
    shares = [Processes(rank, 2).share(samples) for rank in range(2)]
    assert sorted(s.unit.id for share in shares for s in share) == sorted(s.unit.id for s in samples)
    assert [{s.cluster for s in share} for share in shares] == [{"0", "2", "4"}, {"1", "3"}]
    assert Processes().share(samples) == samples


@pytest.mark.parametrize(("rank", "count", "message"), [("a", "2", "no numbers"), ("2", "2", "none of WORLD_SIZE=2")])
def test_what_launchers_say(monkeypatch: pytest.MonkeyPatch, rank: str, count: str, message: str) -> None:
    monkeypatch.delenv("RANK", raising=False)
    assert launched() == Processes(0, 1) and launched().first
    monkeypatch.setenv("WORLD_SIZE", count)
    monkeypatch.setenv("RANK", "1")
    assert launched() == Processes(1, 2) and not launched().first
    monkeypatch.setenv("RANK", rank)
    with pytest.raises(ValueError, match=message):
        launched()
