"""What a run leaves for reading it again: `samples.jsonl` and small pictures."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from punctum.cli import main
from punctum.records import Picture, Request, Response, Sample, Unit
from punctum.results import whole_file
from punctum.shown import LONGEST_SIDE, Shown
from tests.fake_server import FakeServer


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]


def drawn(path: Path, size: tuple[int, int]) -> Picture:
    Image.new("RGB", size, "teal").save(path)
    return Picture(path=str(path))


def sample(*pictures: Picture) -> Sample:
    return Sample(
        Unit("a", "t"), "choice", (1,), ("x", "y\u2028"), ("distractor", "correct"), (0, 1), pictures=pictures
    )


def test_a_large_picture_is_kept_small_and_once(tmp_path: Path) -> None:
    big = drawn(tmp_path / "big.png", (1600, 900))
    with Shown(tmp_path / "run") as shown:
        shown.add(sample(big), Request(sample(big), "Which?", (big,)), {"caption": "a sea"}, Response(reasoning="hm"))
        shown.add(sample(big))
    first, second = lines(tmp_path / "run")
    assert first["pictures"] == second["pictures"] == [f"{big.sha256[:24]}.jpg"]
    with Image.open(tmp_path / "run" / "pictures" / first["pictures"][0]) as kept:
        assert kept.size == (LONGEST_SIDE, 288)
    assert (first["prompt"], first["stages"], first["reasoning"]) == ("Which?", {"caption": "a sea"}, "hm")
    assert (second["prompt"], second["shows_pictures"], second["options"][1]) == (None, None, "y\u2028")


def test_a_picture_that_cannot_be_read_is_null(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "bad.png").write_bytes(b"\x89PNG nonsense")
    with Shown(tmp_path / "run") as shown:
        shown.add(sample(Picture(path=str(tmp_path / "bad.png")), Picture(path=str(tmp_path / "none.png"))))
    assert lines(tmp_path / "run")[0]["pictures"] == [None, None]
    assert "2 pictures could not be copied" in caplog.text


def test_nothing_asked_leaves_the_file_of_before(tmp_path: Path) -> None:
    with Shown(tmp_path) as shown:
        shown.add(sample())
    with pytest.raises(OSError, match="stop"), Shown(tmp_path):
        raise OSError("stop")
    assert len(lines(tmp_path)) == 1


@pytest.mark.parametrize("extra", [[], ["--no-pictures"]])
def test_a_run_shows_what_was_asked(tmp_path: Path, extra: list[str]) -> None:
    with FakeServer(lambda call: "the caption" if call.pictures else "A") as server:
        words = ["run", "vague/mcq", "--sample", "--setting", "sm", "--limit", "3", "--quiet", "--resamples", "0"]
        out = ["--out", str(tmp_path / "run"), "--store", str(tmp_path / "s.sqlite")]
        assert main([*words, "--model", f"openai:m@{server.url}", *out, *extra]) == 0
    shown = lines(tmp_path / "run")
    predictions = [json.loads(line) for line in (tmp_path / "run" / "predictions.jsonl").open(encoding="utf-8")]
    key = ("id", "task", "setting", "prompt_slot", "rotation")
    assert [[line[k] for k in key] for line in shown] == [[line[k] for k in key] for line in predictions]
    assert all("the caption" in line["prompt"] and line["stages"] == {"caption": "the caption"} for line in shown)
    assert all(line["shows_pictures"] is False for line in shown)
    kept = [name for line in shown for name in line["pictures"]]
    assert kept == [None] * 3 if extra else all((tmp_path / "run" / "pictures" / str(n)).is_file() for n in kept)


def test_scoring_a_file_shows_options_and_pictures_without_prompts(tmp_path: Path) -> None:
    words = ["--sample", "--limit", "4", "--quiet", "--resamples", "0"]
    run = ["run", "whoops", *words, "--model", "baseline:first", "--out", str(tmp_path / "run")]
    assert main([*run, "--store", str(tmp_path / "s.sqlite")]) == 0
    again = ["score", "whoops", *words, "--predictions", str(tmp_path / "run" / "predictions.jsonl")]
    assert main([*again, "--out", str(tmp_path / "scored")]) == 0
    ran, scored = lines(tmp_path / "run"), lines(tmp_path / "scored")
    assert [(a["options"], a["gold"], a["pictures"]) for a in ran] == [
        (b["options"], b["gold"], b["pictures"]) for b in scored
    ]
    assert {b["prompt"] for b in scored} == {None} and all(a["prompt"] for a in ran)


def test_half_a_character_in_an_answer_can_be_kept_and_read_again(tmp_path: Path) -> None:
    """JSON can carry it and UTF-8 cannot: it is written as JSON spells it."""
    (tmp_path / "p.jsonl").write_text(
        '{"id": "1001_Tap_00.10.12.250-00.10.15.500@0", "output": "A \\ud83d"}\n', encoding="utf-8"
    )
    (tmp_path / "ids.txt").write_text("1001_Tap_00.10.12.250-00.10.15.500@0", encoding="utf-8")
    words = ["score", "vague/mcq", "--sample", "--ids", str(tmp_path / "ids.txt"), "--quiet", "--out"]
    assert main([*words, str(tmp_path / "run"), "--predictions", str(tmp_path / "p.jsonl")]) == 0
    kept = tmp_path / "run" / "predictions.jsonl"
    assert json.loads(kept.read_text(encoding="utf-8"))["output"] == "A \ud83d"
    assert main([*words, str(tmp_path / "again"), "--predictions", str(kept)]) == 0
    assert (tmp_path / "again" / "predictions.jsonl").read_bytes() == kept.read_bytes()


def test_two_runs_into_one_folder_do_not_take_each_others_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = drawn(tmp_path / "a.png", (40, 30))
    written = Path.write_bytes

    def while_another_process_writes(path: Path, data: bytes) -> int:
        monkeypatch.setattr(Path, "write_bytes", written)
        count = written(path, data)
        monkeypatch.setattr(os, "getpid", lambda: 1)
        with Shown(tmp_path / "run") as other:
            other.add(sample(picture))
        monkeypatch.undo()
        return count

    monkeypatch.setattr(Path, "write_bytes", while_another_process_writes)
    with Shown(tmp_path / "run") as shown:
        shown.add(sample(picture))
    [line] = lines(tmp_path / "run")
    assert (tmp_path / "run" / "pictures" / line["pictures"][0]).is_file()


def test_a_score_that_fails_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    """Or the questions of one scoring would lie beside the answers of another."""
    name = "1001_Tap_00.10.12.250-00.10.15.500@0"
    (tmp_path / "p.jsonl").write_text(f'{{"id": "{name}", "output": "A"}}\n', encoding="utf-8")
    (tmp_path / "ids.txt").write_text(name, encoding="utf-8")
    words = ["score", "vague/mcq", "--sample", "--quiet", "--predictions", str(tmp_path / "p.jsonl")]
    words += ["--out", str(tmp_path / "run")]
    assert main([*words, "--ids", str(tmp_path / "ids.txt")]) == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.json*")}
    assert main(words) == 1
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.json*")} == before


def test_answers_that_are_read_are_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A score knows neither the model nor the prompts: in a run's own folder it would take their place."""
    words = ["vague/mcq", "--sample", "--limit", "2", "--quiet", "--out", str(tmp_path)]
    assert main(["run", *words, "--model", "baseline:first"]) == 0
    kept = tmp_path / "predictions.jsonl"
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")}
    for more in (["score", *words, "--predictions", str(kept)], ["run", *words, "--model", f"replay:{kept}"]):
        assert main(more) == 2
        assert f"{kept} would be written over; name another folder with --out" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")} == before


def test_a_full_disk_is_said_with_the_file(tmp_path: Path) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match=r"No space left on device: '.*/a\.jsonl'"), whole_file(tmp_path / "a.jsonl"):
        raise full
    assert not list(tmp_path.iterdir())


def test_letters_of_the_published_order_are_not_scored_in_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line of ours that names no order is of the published one; of anybody else's this is not known."""
    words = ["vague/mcq", "--sample", "--limit", "6", "--quiet"]
    assert main(["run", *words, "--model", "baseline:first", "--out", str(tmp_path / "run")]) == 0
    kept = tmp_path / "run" / "predictions.jsonl"
    score = ["score", *words, "--predictions", str(kept)]
    assert main(score) == 0
    assert main([*score, "--shuffle"]) == 2
    assert "was answered with its options in the order [0, 1, 2, 3]" in capsys.readouterr().err
    assert main(["run", *words, "--model", f"replay:{kept}", "--shuffle"]) == 1
    assert "was answered with its options in the order [0, 1, 2, 3]" in capsys.readouterr().err
    assert main(["run", *words, "--model", f"replay:{kept}"]) == 0
    lines = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    kept.write_text("".join(json.dumps({"id": a["id"], "output": a["output"]}) + "\n" for a in lines), encoding="utf-8")
    assert main([*score, "--shuffle"]) == 0
