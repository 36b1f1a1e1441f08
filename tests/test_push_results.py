"""`punctum push results`: rows that load, that are never lost, and never doubled."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from punctum.cli import main
from punctum.hub.client import Hub
from punctum.hub.plan import Target
from punctum.hub.pushing import push as push_draft
from punctum.hub.result_rows import ANSWERS, SCORES
from punctum.hub.results import TAG, Results
from punctum.report.runs import load_runs
from tests.fake_hub import FakeHub
from tests.hub_client import push

KEY = "datasets/me/results"
Capture = pytest.CaptureFixture[str]
Make = Callable[..., Path]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    words = ["run", "vague", "--sample", "--model", "baseline:first", "--quiet", "--resamples", "20", "--limit", "6"]
    assert main([*words, "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def other(run: Path, tmp_path: Path) -> Make:
    """The same run by somebody else, or with another value or signature."""

    def make(model: str, *, value: float | None = None, add: str = "", keep: bool = False, folder: str = "") -> Path:
        place = shutil.copytree(run, tmp_path / (folder or f"{model.replace('/', '-')}-{value}-{len(add)}"))
        results = json.loads((place / "results.json").read_text())
        results["model"]["id"] = model
        for task in results["tasks"].values():
            if not keep:
                task["signature"] = task["signature"].replace("model:baseline:first", f"model:{model}") + add
            if value is not None:
                task["metrics"]["accuracy"] = value
        (place / "results.json").write_text(json.dumps(results))
        return place

    return make


def rows(hub: FakeHub, name: str = "scores/vague.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in hub.repos[KEY].files[name].splitlines()]


def card(hub: FakeHub) -> dict[str, Any]:
    value: dict[str, Any] = yaml.safe_load(hub.repos[KEY].files["README.md"].decode().split("---\n")[1])
    return value


def test_a_row_a_score_with_its_signature(hub: FakeHub, run: Path, capsys: Capture) -> None:
    code, out, _ = push(capsys, "results", run, "--repo", "me/results")
    assert code == 0 and out == f"{hub.url}/{KEY}/commit/{hub.repos[KEY].sha}\n"
    task = json.loads((run / "results.json").read_text())["tasks"]["mcq"]
    found = rows(hub)
    assert {row["metric"]: row["value"] for row in found} == task["metrics"]
    assert all(list(row) == list(SCORES) and row["signature"] == task["signature"] for row in found)
    accuracy = next(row for row in found if row["metric"] == "accuracy")
    assert [accuracy["low"], accuracy["high"]] == task["intervals"]["accuracy"] and accuracy["n"] == 6
    assert (accuracy["model"], accuracy["data"], accuracy["limit"]) == ("baseline:first", "sample", "6")
    assert hub.repos[KEY].files[accuracy["run"]] == (run / "results.json").read_bytes()
    assert not any(name.startswith("predictions/") for name in hub.repos[KEY].files)
    assert [config["config_name"] for config in card(hub)["configs"]] == ["scores"] and TAG in card(hub)["tags"]


def test_scores_and_answers_load(hub: FakeHub, run: Path, other: Make, tmp_path: Path, capsys: Capture) -> None:
    """Two pushes, the second of another kind of model: null columns of one have values in the other."""
    push(capsys, "results", run, "--repo", "me/results", "--with-predictions")
    results = json.loads((second := other("org/model")).joinpath("results.json").read_text())
    results["model"] |= {"revision": "f" * 40, "dtype": "bfloat16", "quantization": "4bit"}
    (second / "results.json").write_text(json.dumps(results))
    lines = [json.loads(line) for line in (second / "predictions.jsonl").read_text().splitlines()]
    lines[0] |= {"rotation": 1, "scores": [-1.5, -2], "permutation": [1, 0], "output": None, "parsed": None}
    (second / "predictions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    push(capsys, "results", second, "--repo", "me/results", "--with-predictions")
    code = (
        "import json, sys; sys.modules['punctum'] = None\nfrom datasets import load_dataset\n"
        "scores = load_dataset('me/results', split='train')\n"
        "answers = load_dataset('me/results', 'predictions', split='train')\n"
        "print(json.dumps([list(scores.features), list(scores), list(answers.features), list(answers)]))"
    )
    env = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "0"}
    env.pop("HF_DATASETS_CACHE")
    env.pop("HF_TOKEN")
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    columns, scores, names, answers = json.loads(done.stdout)
    assert columns == list(SCORES) and scores == rows(hub)
    assert {(row["model"], row["dtype"]) for row in scores} == {("baseline:first", None), ("org/model", "bfloat16")}
    assert names == list(ANSWERS) and len(answers) == 12
    changed = next(a for a in answers if a["rotation"] == 1)
    assert changed["scores"] == [-1.5, -2.0] and changed["permutation"] == [1, 0] and changed["output"] is None
    assert {json.loads(a["parsed"])[0] for a in answers if a["parsed"]} == {0}, (
        "indices: the baseline chooses the first"
    )
    assert {a["signature_id"] for a in answers} == {row["signature_id"] for row in rows(hub)}


def test_equal_rows_are_not_doubled(hub: FakeHub, run: Path, other: Make, capsys: Capture) -> None:
    push(capsys, "results", run, "--repo", "me/results")
    before = dict(hub.repos[KEY].files)
    code, out, err = push(capsys, "results", run, "--repo", "me/results")
    assert code == 0 and out == f"{hub.url}/{KEY}\n" and "stand there already" in err
    results = json.loads((run / "results.json").read_text())
    results["tasks"]["mcq"]["intervals"] = {}  # the same scores, computed without intervals
    (again := other("baseline:first", keep=True)).joinpath("results.json").write_text(json.dumps(results))
    push(capsys, "results", again, "--repo", "me/results")
    assert hub.repos[KEY].files == before
    push(capsys, "results", run, other("org/model"), "--repo", "me/results")
    assert len(rows(hub)) == 2 * len(rows_of(before))
    assert hub.repos[KEY].files["scores/vague.jsonl"].startswith(before["scores/vague.jsonl"])


def rows_of(files: dict[str, bytes]) -> list[bytes]:
    return files["scores/vague.jsonl"].splitlines()


def test_answers_can_follow_later(hub: FakeHub, run: Path, capsys: Capture) -> None:
    push(capsys, "results", run, "--repo", "me/results")
    push(capsys, "results", run, "--repo", "me/results", "--with-predictions")
    commits = len(hub.lines("POST .*/commit/"))
    push(capsys, "results", run, "--repo", "me/results", "--with-predictions")
    assert commits == 2 == len(hub.lines("POST .*/commit/"))
    assert [config["config_name"] for config in card(hub)["configs"]] == ["scores", "predictions"]
    [name] = [name for name in hub.repos[KEY].files if name.startswith("predictions/vague/mcq/")]
    assert len(rows(hub, name)) == 6 and len(rows(hub)) == len({row["metric"] for row in rows(hub)})


def test_another_value_under_the_same_signature_is_kept_and_said(
    hub: FakeHub, run: Path, other: Make, capsys: Capture
) -> None:
    push(capsys, "results", run, "--repo", "me/results")
    code, _, err = push(capsys, "results", other("baseline:first", value=0.125, keep=True), "--repo", "me/results")
    assert code == 0 and "accuracy is 0.125" in err and "both are kept" in err
    assert len([row for row in rows(hub) if row["metric"] == "accuracy"]) == 2


def test_what_others_wrote_stays_as_it_is(hub: FakeHub, run: Path, capsys: Capture) -> None:
    """Their lines byte for byte (one with a column of a later version), their words and configs in the card."""
    theirs = b'{"model": "theirs",  "metric":"accuracy", "value": 1, "later": [1]}'
    configs = "configs:\n- config_name: mine\n  data_files: mine.jsonl\n"
    readme = f"---\nlicense: mit\ntags: [{TAG}, x]\n{configs}---\nMy words.\n"
    hub.add(KEY, {"README.md": readme.encode(), "scores/vague.jsonl": theirs, "mine.jsonl": b"{}"})
    assert push(capsys, "results", run, "--repo", "me/results")[0] == 0
    files = hub.repos[KEY].files
    assert files["scores/vague.jsonl"].startswith(theirs + b"\n{") and files["mine.jsonl"] == b"{}"
    assert files["README.md"].endswith(b"---\nMy words.\n")
    head = card(hub)
    assert head["license"] == "mit" and [c["config_name"] for c in head["configs"]] == ["scores", "mine"]


def test_columns_of_a_later_version_stay_declared(hub: FakeHub, run: Path, capsys: Capture) -> None:
    push(capsys, "results", run, "--repo", "me/results")
    repo = hub.repos[KEY]
    text = (
        repo.files["README.md"].decode().replace("- name: run\n", "- name: later\n    dtype: int64\n  - name: run\n", 1)
    )
    repo.add({**repo.files, "README.md": text.encode()})
    push(capsys, "results", run, "--repo", "me/results", "--with-predictions")
    names = [feature["name"] for feature in card(hub)["dataset_info"][0]["features"]]
    assert names == [*SCORES, "later"]


def test_pushers_at_once_lose_nothing(hub: FakeHub, other: Make) -> None:
    """Six read the same commit; five must see that they were overtaken, and read again."""
    from huggingface_hub import get_token

    names = [f"org/model-{i}" for i in range(6)]
    runs = [load_runs([other(name)]) for name in names]
    hub.add(KEY)
    assert get_token()
    barrier = threading.Barrier(len(names))
    hub.before("POST .*/commit/", barrier.wait, times=len(names))
    failures: list[BaseException] = []

    def work(index: int) -> None:
        try:
            push_draft(Hub(), Target("me/results", "dataset"), Results(runs[index], True).draft)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(names))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures, failures
    found = [(row["model"], row["metric"]) for row in rows(hub)]
    assert sorted(found) == sorted({(name, metric) for name in names for _, metric in found})
    assert len(hub.lines("POST .*/commit/")) > len(names) and len(hub.repos[KEY].commits) == 2 + len(names) - 1
    assert len([name for name in hub.repos[KEY].files if name.startswith("predictions/")]) == len(names)


@pytest.mark.parametrize("status", [409, 412])
def test_rows_of_somebody_faster_are_kept(hub: FakeHub, run: Path, other: Make, capsys: Capture, status: int) -> None:
    push(capsys, "results", run, "--repo", "me/results")
    before = rows(hub)
    repo = hub.repos[KEY]
    line = json.dumps({**before[0], "model": "faster"}).encode() + b"\n"

    def faster() -> None:
        repo.add({**repo.files, "scores/vague.jsonl": line + repo.files["scores/vague.jsonl"]}, "faster")
        hub.fail("POST .*/commit/", status)

    hub.before("POST .*/commit/", faster)
    assert push(capsys, "results", other("org/model"), "--repo", "me/results")[0] == 0
    assert [row["model"] for row in rows(hub)] == [
        "faster",
        *["baseline:first"] * len(before),
        *["org/model"] * len(before),
    ]


@pytest.mark.parametrize("how", ["cut", "lost", 500])
def test_a_broken_connection_loses_and_doubles_nothing(
    hub: FakeHub, run: Path, other: Make, capsys: Capture, how: Any
) -> None:
    push(capsys, "results", run, "--repo", "me/results")
    hub.fail("POST .*/commit/", how)
    code, _, err = push(capsys, "results", other("org/model"), "--repo", "me/results")
    assert code == (0 if how == "lost" else 1)
    assert how == "lost" or "Nothing there was changed" in err
    models = [row["model"] for row in rows(hub)]
    assert models.count("org/model") == (models.count("baseline:first") if how == "lost" else 0)
    assert push(capsys, "results", other("org/model", folder="again"), "--repo", "me/results")[0] == 0
    models = [row["model"] for row in rows(hub)]
    assert models.count("org/model") == models.count("baseline:first")


def test_a_lost_answer_under_somebody_elses_commit(hub: FakeHub, run: Path, other: Make, capsys: Capture) -> None:
    """Ours stands, theirs on top: not taken for a failure, not doubled."""
    repo = hub.add(KEY)
    line = json.dumps({"model": "faster", "metric": "accuracy"}).encode() + b"\n"

    def theirs() -> None:
        repo.add({**repo.files, "scores/vague.jsonl": repo.files["scores/vague.jsonl"] + line}, "theirs")

    hub.fail("POST .*/commit/", "lost")
    hub.before("POST .*/commit/", lambda: hub.before("GET /api/datasets/me/results", theirs))
    code, _, err = push(capsys, "results", run, "--repo", "me/results")
    assert code == 0, err
    models = [row["model"] for row in rows(hub)]
    assert models.count("faster") == 1 and len(models) == 1 + len({row["metric"] for row in rows(hub)})


def test_a_dataset_of_another_kind_is_refused(hub: FakeHub, run: Path, capsys: Capture) -> None:
    hub.add(KEY, {"README.md": b"---\ntags: [data]\n---\n", "train.csv": b"a"})
    code, _, err = push(capsys, "results", run, "--repo", "me/results")
    assert code == 2 and "is no results dataset: it holds README.md, train.csv" in err
    assert not hub.lines("POST .*/commit/")


@pytest.mark.parametrize("broken", [b'{"model": 1', b"[1]", b"\xff\xfe"])
def test_rows_that_cannot_be_read_are_not_built_upon(hub: FakeHub, run: Path, capsys: Capture, broken: bytes) -> None:
    hub.add(KEY, {"README.md": f"---\ntags: [{TAG}]\n---\n".encode(), "scores/vague.jsonl": b"{}\n" + broken})
    code, _, err = push(capsys, "results", run, "--repo", "me/results")
    assert code == 2 and "scores/vague.jsonl, line 2" in err and not hub.lines("POST .*/commit/")


def test_a_dry_run_shows_what_is_missing(hub: FakeHub, run: Path, other: Make, capsys: Capture) -> None:
    words = ("results", run, other("org/model"), "--repo", "me/results", "--with-predictions", "--dry-run", "--show")
    code, first, _ = push(capsys, *words)
    assert code == 0 and "me/results (to be made)" in first and "Add answers" not in first
    assert push(capsys, *words)[1] == first and not hub.repos
    push(capsys, "results", run, "--repo", "me/results")
    code, second, _ = push(capsys, *words)
    assert code == 0 and "of the scores stand there already" in second and "change" in second
    assert push(capsys, *words)[1] == second


def test_a_pull_request_with_rows(hub: FakeHub, run: Path, other: Make, capsys: Capture) -> None:
    push(capsys, "results", run, "--repo", "me/results")
    before = dict(hub.repos[KEY].files)
    code, out, _ = push(capsys, "results", other("org/model"), "--repo", "me/results", "--create-pr")
    assert code == 0 and out.endswith("/discussions/1\n") and hub.repos[KEY].files == before
    assert hub.repos[KEY].pulls[0]["scores/vague.jsonl"].startswith(before["scores/vague.jsonl"])


def test_addresses_that_everybody_would_read_are_named(hub: FakeHub, other: Make, capsys: Capture) -> None:
    folder = other("m", add="|server:http://10.0.0.3:8000/v1|similarity:/home/me/mpnet")
    _, out, _ = push(capsys, "results", folder, "--repo", "me/results", "--dry-run")
    assert "everybody will read this part of a signature: server http://10.0.0.3:8000/v1" in out
    assert "similarity /home/me/mpnet" in out


def test_folders_that_are_no_runs(hub: FakeHub, run: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = shutil.copytree(run, tmp_path / "copy")
    (folder / "predictions.jsonl").unlink()
    for words, said in [
        ((tmp_path / "nothing",), "no such folder"),
        ((run, run), "given twice"),
        ((folder, "--with-predictions"), "no "),
    ]:
        code, _, err = push(capsys, "results", *words, "--repo", "me/results")
        assert code == 2 and said in err and not hub.asked
