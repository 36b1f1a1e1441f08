"""`punctum push leaderboard`: the site as a Space, `eval.yaml`, entries for models, as huggingface_hub reads them."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

import punctum
from punctum import discovery, outward
from punctum.cli import main
from punctum.evaluators import benchmark_of
from punctum.hub.entries import entries
from punctum.report.runs import load_runs
from tests.fake_hub import FakeHub
from tests.hub_client import push

Capture = pytest.CaptureFixture[str]
Make = Callable[..., Path]
MODEL = "llava-hf/llava-1.5-7b-hf"
FILE = ".eval_results/punctum-mvp_bench.yaml"


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run of the baseline on the package's sample, a benchmark."""
    found = {}
    for name, words in {
        "mvp_bench": ["--limit", "12"],
        "vague": [],
        "whoops": [],
        "deepeval": ["--limit", "6"],
    }.items():
        found[name] = tmp_path_factory.mktemp("runs") / name
        arguments = ["run", name, "--sample", "--model", "baseline:first", "--quiet", "--resamples", "20", *words]
        assert main([*arguments, "--out", str(found[name])]) == 0
    return found


@pytest.fixture
def published(sampled: dict[str, Path], tmp_path: Path) -> Make:
    """The run as though a model had answered the published data."""

    def make(benchmark: str = "mvp_bench", model: str = MODEL, revision: str | None = "a" * 40, add: str = "") -> Path:
        place = tmp_path / f"{benchmark}-{model.replace('/', '-')}-{len(add)}"
        folder = shutil.copytree(sampled[benchmark], place)
        results = json.loads((folder / "results.json").read_text())
        results["model"] |= {"id": model, "revision": revision, "backend": "transformers-image-text"}
        for task in results["tasks"].values():
            signature = task["signature"].replace("model:baseline:first", f"model:{model}")
            signature = re.sub(r"data:sample", "data:published@0123456789ab", signature)
            task["signature"] = re.sub(r"\|limit:\d+", "", signature) + add
        (folder / "results.json").write_text(json.dumps(results))
        return folder

    return make


def value(hub: FakeHub, key: str, name: str) -> Any:
    return yaml.safe_load(hub.repos[key].files[name])


def test_one_value_a_task_for_a_model_on_the_hub(hub: FakeHub, published: Make, capsys: Capture) -> None:
    """By pull request; huggingface_hub reads the entries, and the tasks are those of `eval.yaml`."""
    from huggingface_hub import parse_eval_result_entries

    hub.add("datasets/me/mvp")
    card = b"---\nlicense: llama2\n---\nA card."
    hub.add(MODEL, {"README.md": card})
    run = published()
    words = (
        "leaderboard",
        run,
        "--dataset",
        "me/mvp",
        "--models",
        "--date",
        "2026-11-30",
        "--source",
        "https://x.org/y",
    )
    code, out, err = push(capsys, *words)
    assert code == 0, err
    assert out.splitlines()[1] == f"{hub.url}/{MODEL}/discussions/1"
    described = value(hub, "datasets/me/mvp", "eval.yaml")
    assert described["evaluation_framework"] == "punctum" and described["description"].startswith("Pairs of a natural")
    names = ["yes_no", "mcq_single", "mcq_cross"]
    assert described["tasks"] == [{"id": name, "config": name, "split": "test"} for name in names]
    text = hub.repos[MODEL].pulls[0][FILE].decode()
    assert "date: '2026-11-30'" in text, "quoted, or YAML takes it for a day"
    found = parse_eval_result_entries(yaml.safe_load(text))
    tasks = json.loads((run / "results.json").read_text())["tasks"]
    wanted = {name: tasks[name]["metrics"]["m_acc" if name == "yes_no" else "accuracy"] for name in names}
    assert {entry.task_id: entry.value for entry in found} == {n: round(100 * v, 2) for n, v in wanted.items()}
    assert {(e.dataset_id, e.source_url, e.source_name) for e in found} == {("me/mvp", "https://x.org/y", "Punctum")}
    assert found[0].notes.startswith("m_acc in percent, 95% interval ") and "parser robust" in found[0].notes
    assert (
        hub.repos[MODEL].files["README.md"]
        == hub.repos[MODEL].pulls[0]["README.md"]
        == b"---\nlicense: llama2\n---\nA card."
    )
    again = push(capsys, *words)
    assert again[1].splitlines()[1] == out.splitlines()[1] and len(hub.repos[MODEL].pulls) == 1


def test_what_stands_in_the_model_is_kept(hub: FakeHub, published: Make, capsys: Capture) -> None:
    """Ours of another benchmark's dataset; theirs of the same task, which is not doubled; old values of ours go."""
    hub.add("datasets/me/mvp")
    ours = [
        {"dataset": {"id": i, "task_id": t}, "value": 1} for i, t in (("me/old", "yes_no"), ("me/mvp", "mcq_cross"))
    ]
    theirs = [{"dataset": {"id": "me/mvp", "task_id": "yes_no"}, "value": 99}]
    files = {FILE: ours, ".eval_results/theirs.yaml": theirs, ".eval_results/broken.yaml": "["}
    hub.add("me/model", {n: (v if isinstance(v, str) else yaml.safe_dump(v)).encode() for n, v in files.items()})
    run = published(model="me/model")
    code, out, err = push(capsys, "leaderboard", run, "--dataset", "me/mvp", "--commit-to-models")
    assert code == 0 and f"/me/model/commit/{hub.repos['me/model'].sha}" in out
    assert "yes_no of me/mvp has a value in .eval_results/theirs.yaml already" in err
    stands = [(e["dataset"]["id"], e["dataset"]["task_id"], e["value"]) for e in value(hub, "me/model", FILE)]
    accuracy = {n: round(100 * t["metrics"]["accuracy"], 2) for n, t in tasks_of(run).items() if n != "yes_no"}
    assert stands[0] == ("me/old", "yes_no", 1)
    assert sorted(stands[1:]) == sorted(("me/mvp", name, v) for name, v in accuracy.items())
    assert value(hub, "me/model", ".eval_results/theirs.yaml") == theirs


def tasks_of(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "results.json").read_text())["tasks"]
    return found


def test_models_that_the_native_leaderboard_cannot_show_are_named(
    hub: FakeHub, sampled: dict[str, Path], published: Make, capsys: Capture
) -> None:
    hub.add("datasets/me/mvp")
    hub.add(MODEL)
    runs = [
        published(),
        published(model="gpt-9", revision=None),
        published(model="org/local", revision="sha256:1"),
        published(model="org/part", add="|ids:3,0123456789ab"),
        sampled["mvp_bench"],
    ]
    code, out, err = push(capsys, "leaderboard", *runs, "--dataset", "me/mvp", "--models")
    assert code == 0 and len(out.splitlines()) == 2
    assert "yes_no of org/part is no entry of a leaderboard: it is of chosen questions only (3 ids)" in err
    assert "not known to be: gpt-9, org/local, baseline:first; the Hub's own leaderboard cannot show them" in err
    assert "mvp_bench/yes_no of baseline:first is no entry of a leaderboard: it is of the package's sample" in err
    assert sorted(hub.repos) == ["datasets/me/mvp", MODEL]


def test_a_score_by_some_of_the_prompts_is_no_entry(hub: FakeHub, published: Make, capsys: Capture) -> None:
    hub.add("datasets/me/deepeval")
    hub.add(MODEL)
    run = published("deepeval")
    results = json.loads((run / "results.json").read_text())
    for slot in (2, 3):
        del results["tasks"]["title"]["metrics"][f"accuracy_slot_{slot}"]
    signature = results["tasks"]["description"]["signature"]
    results["tasks"]["description"]["signature"] = signature.replace("order:published", "order:shuffled,seed=3")
    (run / "results.json").write_text(json.dumps(results))
    code, _, err = push(capsys, "leaderboard", run, "--dataset", "me/deepeval", "--models")
    assert code == 0, err
    assert f"deepeval/title of {MODEL} is no entry of a leaderboard: it is of only prompt 1 of 3" in err
    [pull] = hub.repos[MODEL].pulls
    entries = {
        entry["dataset"]["task_id"]: entry["notes"]
        for entry in yaml.safe_load(pull[FILE.replace("mvp_bench", "deepeval")])
    }
    assert set(entries) == {"description", "deep_semantics"}
    assert "order shuffled,seed=3" in entries["description"] and "order" not in entries["deep_semantics"]


def test_a_served_model_can_be_named(hub: FakeHub, published: Make, capsys: Capture) -> None:
    """Two ways to one repository, with two values of one task: refused, as for one model."""
    hub.add("datasets/me/mvp")
    hub.add(MODEL)
    served = published(model="llava", revision=None)
    words = ("leaderboard", served, "--dataset", "me/mvp", "--models")
    code, out, err = push(capsys, *words, "--model-is", f"llava={MODEL}", "--model-index")
    assert code == 0 and f"{MODEL}/discussions/1" in out and "not known to be" not in err
    assert b"name: llava-1.5-7b-hf\n" in hub.repos[MODEL].pulls[0]["README.md"]
    for word, said in [
        ("llava", "is not of the form"),
        ("x=a/b", "no run is of it; there are llava"),
        ("llava=b", "'b'"),
    ]:
        code, _, err = push(capsys, *words, "--model-is", word)
        assert code == 2 and said in err
    code, _, err = push(capsys, "leaderboard", published(), *words[1:], "--model-is", f"llava={MODEL}")
    assert code == 2 and f"both have one of {MODEL} for yes_no: leave one out" in err


def test_the_site_becomes_a_static_space(hub: FakeHub, sampled: dict[str, Path], capsys: Capture) -> None:
    pytest.importorskip("matplotlib")
    code, out, err = push(capsys, "leaderboard", sampled["vague"], sampled["mvp_bench"], "--space", "me/board")
    space = hub.repos["spaces/me/board"]
    assert code == 0 and out == f"{hub.url}/spaces/me/board/commit/{space.sha}\n" and space.sdk == "static", err
    head = yaml.safe_load(space.files["README.md"].decode().split("---\n")[1])
    assert head["sdk"] == "static" and head["app_file"] == "index.html" and "punctum-leaderboard" in head["tags"]
    assert "models" not in head and "style.css" not in space.files and space.files["index.html"] != b"<p>"
    pictures = [name for name in space.files if name.startswith("pictures/")]
    assert pictures, "the sample is ours to show"
    assert [name for name in space.files if re.fullmatch(r"figures/.*\.svg", name)]
    code, out, err = push(capsys, "leaderboard", sampled["vague"], sampled["mvp_bench"], "--space", "me/board")
    assert code == 0 and "stands there already" in err and len(space.commits) == 2
    code, _, _ = push(
        capsys, "leaderboard", sampled["mvp_bench"], "--space", "me/board", "--title", "Mine", "--no-figures"
    )
    assert code == 0 and not [name for name in space.files if name.startswith("figures/")]
    assert not set(pictures) <= set(space.files), "pictures of a run that is gone are gone"
    assert b"title: Mine" in space.files["README.md"] and "index.html" in space.files


def test_without_matplotlib_it_says_how_to_do_without(
    hub: FakeHub, sampled: dict[str, Path], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = push(capsys, "leaderboard", sampled["vague"], "--space", "me/board")
    assert code == 2 and "--no-figures" in err and not hub.asked


def test_questions_that_may_not_be_published_are_left_out_of_the_site(
    hub: FakeHub, sampled: dict[str, Path], published: Make, capsys: Capture
) -> None:
    words = ("leaderboard", published("vague"), sampled["mvp_bench"], "--space", "me/board", "--no-figures")
    words = (*words, "--dry-run")
    code, out, _ = push(capsys, *words, "--show")
    assert code == 0 and "questions and pictures of vague are left out" in out and "--i-may-publish see-source" in out
    assert "data/sets/mvp_bench-yes_no" in out and "data/sets/vague" not in out
    utterance = json.loads((sampled["vague"] / "samples.jsonl").read_text().splitlines()[0])["options"][0]
    assert utterance not in out and MODEL in out
    assert push(capsys, *words, "--show")[1] == out, "equal bytes when repeated"
    code, shown, _ = push(capsys, *words, "--show", "--i-may-publish", "see-source")
    assert code == 0 and "data/sets/vague" in shown and "left out" not in shown and utterance in shown
    code, _, err = push(capsys, *words, "--i-may-publish", "research-use")
    assert code == 2 and "no run's data are under it; theirs: see-source" in err


def test_a_space_of_something_else_is_refused(hub: FakeHub, sampled: dict[str, Path], capsys: Capture) -> None:
    hub.add("spaces/me/board", {"README.md": b"---\nsdk: static\n---\n", "app.js": b"x"})
    code, _, err = push(capsys, "leaderboard", sampled["vague"], "--space", "me/board")
    assert code == 2 and "is no leaderboard of Punctum" in err and not hub.lines("POST .*/commit/")


def test_eval_yaml_gets_only_the_tasks_that_it_lacks(hub: FakeHub, published: Make, capsys: Capture) -> None:
    theirs = (
        "# theirs\nname: X\nevaluation_framework: inspect-ai\ntasks:\n- id: yes_no\n  config: other\n  split: dev\n"
    )
    hub.add("datasets/me/mvp", {"eval.yaml": theirs.encode()})
    run = published()
    assert push(capsys, "leaderboard", run, "--dataset", "me/mvp")[0] == 0
    found = value(hub, "datasets/me/mvp", "eval.yaml")
    assert found["evaluation_framework"] == "inspect-ai" and found["tasks"][0] == {
        "id": "yes_no",
        "config": "other",
        "split": "dev",
    }
    assert [task["id"] for task in found["tasks"]] == ["yes_no", "mcq_single", "mcq_cross"]
    code, _, err = push(capsys, "leaderboard", run, "--dataset", "me/mvp")
    assert code == 0 and "stands there already" in err


@pytest.mark.parametrize("benchmark", ["mvp_bench", "vague", "whoops", "deepeval"])
def test_tasks_are_those_that_build_writes(
    hub: FakeHub, published: Make, benchmark: str, tmp_path: Path, capsys: Capture
) -> None:
    """A dataset that `punctum push dataset` pushed needs no other `eval.yaml`."""
    folder = tmp_path / "built"
    outward.build(benchmark, punctum.sample(benchmark), folder)
    push(capsys, "dataset", folder, "--repo", "me/data")
    code, _, err = push(capsys, "leaderboard", published(benchmark), "--dataset", "me/data")
    assert code == 0 and "stands there already" in err and len(hub.lines("POST .*/commit/")) == 1


def test_parts_of_a_config_are_no_entries(published: Make) -> None:
    def ids(benchmark: str, add: str) -> tuple[list[str], list[str]]:
        found, notes = entries(load_runs([published(benchmark, add=add)]), {}, {})
        return [entry.task_id for entry in found], notes

    assert ids("vague", "") == (["all"], [])
    assert ids("vague", "|subset:ego4d") == (["ego4d"], [])
    assert ids("whoops", "|subset:easy") == (["explanation_easy"], [])
    found, notes = ids("vague", "|subset:human400")
    assert not found and "a part of the data alone (subset human400)" in notes[0]


def test_every_task_has_a_value_of_its_own() -> None:
    """The primary metric is one that the task's scores have: the first of the headline, or named."""
    chosen = {}
    for name in discovery.benchmarks():
        for task in benchmark_of(name).tasks:
            chosen[f"{name}/{task.name}"] = task.primary or task.headline[0]
    assert chosen["mvp_bench/yes_no"] == "m_acc" and chosen["mvp_bench/mcq_cross"] == "accuracy"
    assert chosen["pitt_ads/mac"] == "f1_macro" and chosen["pitt_ads/arr"] == "prec_at_1"
    assert chosen["deepeval/title"] == chosen["vague/mcq"] == chosen["whoops/explanation"] == "accuracy"


def test_two_tasks_on_the_same_rows_are_told_apart(published: Make) -> None:
    """`deepeval/title_free` asks about the rows of `deepeval/title`, and a judge decides."""
    folder = published("deepeval")
    results = json.loads((folder / "results.json").read_text())
    free = json.loads(json.dumps(results["tasks"]["title"]).replace("deepeval/title|", "deepeval/title_free|"))
    free |= {"metrics": {"judged_accuracy": 0.25}, "intervals": {}, "signature": free["signature"] + "|judge:org/judge"}
    results["tasks"] = {"title": results["tasks"]["title"], "title_free": free}
    (folder / "results.json").write_text(json.dumps(results))
    found, _ = entries(load_runs([folder]), {}, {})
    assert [(entry.task_id, entry.config) for entry in found] == [("title", "title"), ("title_free", "title")]
    assert found[1].value == 25.0 and "judge org/judge" in found[1].notes and "judge" not in found[0].notes


def test_two_values_of_one_task_are_refused(hub: FakeHub, published: Make, capsys: Capture) -> None:
    runs = published(), published(add="|cot:True")
    code, _, err = push(capsys, "leaderboard", *runs, "--dataset", "me/mvp", "--dry-run")
    assert code == 2 and f"both have one of {MODEL} for yes_no: leave one out" in err


def test_another_metric_is_named_by_task(hub: FakeHub, published: Make, capsys: Capture) -> None:
    words = ("leaderboard", published(), "--dataset", "me/mvp", "--models", "--dry-run")
    code, out, _ = push(capsys, *words, "--metric", "yes_no=a_acc")
    assert code == 0 and re.search(r"- yes_no: \d+\.\d\d \(a_acc in percent", out)
    for word, said in [("yes_no", "not of the form"), ("yes_no=b", "has no metric 'b'"), ("mcq=x", "names mcq")]:
        code, _, err = push(capsys, *words, "--metric", word)
        assert code == 2 and said in err


def test_old_cards_get_a_model_index(hub: FakeHub, published: Make, capsys: Capture) -> None:
    from huggingface_hub import ModelCard

    hub.add("datasets/me/mvp")
    other = {
        "task": {"type": "t"},
        "dataset": {"type": "d", "name": "D"},
        "metrics": [{"type": "m", "value": 3, "own": 1}],
    }
    head = {"license": "mit", "model-index": [{"name": "theirs", "results": [other]}]}
    hub.add("me/model", {"README.md": f"---\n{yaml.safe_dump(head)}---\nA card.\n".encode()})
    words = ("leaderboard", published(model="me/model"), "--dataset", "me/mvp", "--commit-to-models", "--model-index")
    assert push(capsys, *words)[0] == 0
    text = hub.repos["me/model"].files["README.md"].decode()
    assert (
        text.endswith("---\nA card.\n")
        and yaml.safe_load(text.split("---\n")[1])["model-index"][0]["results"][0] == other
    )
    results = ModelCard(text).data.eval_results
    assert results is not None
    assert [r.metric_type for r in results] == ["m", "m_acc", "accuracy", "accuracy"]
    assert {r.dataset_type for r in results[1:]} == {"me/mvp"} and results[1].dataset_config == "yes_no"
    assert push(capsys, *words)[0] == 0
    assert hub.repos["me/model"].files["README.md"].decode() == text, "replaced, not doubled"


def test_one_model_that_refuses_does_not_stop_the_others(hub: FakeHub, published: Make, capsys: Capture) -> None:
    hub.add("datasets/me/mvp")
    broken = {FILE: b"dataset: 1"}
    for name, files in {"a/refuses": {}, "b/broken": broken, "d/takes": {}}.items():
        hub.add(name, files)
    hub.fail("POST /api/models/a/refuses/commit/", 403)
    runs = [published(model=name) for name in ("a/refuses", "b/broken", "c/missing", "d/takes")]
    code, out, err = push(capsys, "leaderboard", *runs, "--dataset", "me/mvp", "--models")
    assert code == 1 and f"{hub.url}/d/takes/discussions/1" in out and len(out.splitlines()) == 2
    for said in ("model a/refuses: the token does not allow it", f"model b/broken: {FILE} in the repository is no list",
                 "there is no model c/missing", "Of 5 repositories 2 are done: me/mvp, d/takes"):  # fmt: skip
        assert said in err
    code, out, err = push(capsys, "leaderboard", *runs, "--dataset", "me/mvp", "--models")
    assert code == 1 and f"{hub.url}/a/refuses/discussions/1" in out and len(hub.repos["d/takes"].pulls) == 1


def test_a_dataset_that_is_missing_is_not_made(hub: FakeHub, published: Make, capsys: Capture) -> None:
    code, out, _ = push(capsys, "leaderboard", published(), "--dataset", "me/mvp", "--models", "--dry-run")
    assert code == 0 and "dataset me/mvp (missing: a push would be refused)" in out
    code, _, err = push(capsys, "leaderboard", published(model="x/y"), "--dataset", "me/mvp")
    assert code == 1 and "there is no dataset me/mvp" in err and not hub.repos


def test_words_that_do_not_fit_a_leaderboard(
    hub: FakeHub, sampled: dict[str, Path], published: Make, capsys: Capture
) -> None:
    run = published()
    for words, said in [
        ((run,), "say what to push: --space"),
        ((run, "--models"), "say what to push"),
        ((run, "--space", "me/b", "--models"), "--models wants --dataset"),
        ((run, "--space", "me/b", "--model-index"), "--model-index goes with --models"),
        ((run, "--dataset", "me/d", "--date", "2026-01-01"), "--date goes with --models"),
        ((run, "--space", "me/b", "--metric", "mcq=accuracy"), "--metric goes with --models"),
        ((run, "--space", "me/b", "--model-is", "x=me/x"), "--model-is goes with --models"),
        ((run, "--dataset", "me/d", "--models", "--date", "tomorrow"), "--date 'tomorrow'"),
        ((run, "--dataset", "me/d", "--i-may-publish", "x"), "--i-may-publish goes with --space"),
        ((run, sampled["vague"], "--dataset", "me/d"), "the runs are of mvp_bench, vague"),
        ((run, "--space", "board"), "--space 'board'"),
    ]:
        code, _, err = push(capsys, "leaderboard", *words)
        assert code == 2 and said in err and not hub.asked, words
