"""A run's folder is read as it was written; what is no run, or half of one, is refused with the way out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from punctum.cli import main
from punctum.report.lines import Key
from punctum.report.runs import BadRun, Run, load_runs, names
from punctum.report.signatures import Signature, asides, comparable_sets, differences


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "random"
    command = ["run", "mvp_bench", "--model", "baseline:random", "--sample", "--circular", "--quiet"]
    assert main([*command, "--resamples", "50", "--out", str(out)]) == 0
    return out


def copied(folder: Path, tmp_path: Path, name: str = "copy") -> Path:
    shutil.copytree(folder, tmp_path / name)
    return tmp_path / name


def test_a_run_is_read_as_it_was_written(folder: Path) -> None:
    run = Run.load(folder)
    assert (run.benchmark, run.model.id, run.model.backend) == ("mvp_bench", "baseline:random", "baseline")
    assert list(run.tasks) == ["yes_no", "mcq_single", "mcq_cross"]
    score = run.tasks["mcq_cross"]
    assert (score.task, score.name, score.marks) == ("mvp_bench/mcq_cross", "mcq_cross", ["the package's sample"])
    answers = list(run.answers("mcq_cross"))
    assert len(answers) == score.n
    direct = [answer for answer in answers if answer.key.rotation is None]
    assert sum(answer.correct for answer in direct) / len(direct) == score.metrics["accuracy"]
    assert score.intervals["accuracy"][0] <= score.metrics["accuracy"] <= score.intervals["accuracy"][1]  # type: ignore[operator]
    assert len(list(run.answers())) == sum(score.n for score in run.tasks.values())


def test_answers_and_questions_have_the_same_keys(folder: Path) -> None:
    run = Run.load(folder / "results.json")
    pairs = list(zip(run.answers(), run.questions(), strict=True))
    assert all((a.key, a.task, a.setting) == (q.key, q.task, q.setting) for a, q in pairs)
    for answer, question in pairs:
        if question.form == "choice":
            assert answer.correct == (answer.parsed == question.gold)
        else:
            assert answer.correct == (answer.parsed == question.gold)
            assert question.fields["side"] in ("source", "edited")
        assert all(run.picture(name).is_file() for name in question.pictures if name)
        assert question.prompt
    assert {type(a.key) for a, _ in pairs} == {Key}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: shutil.rmtree(f), "no such folder"),
        (lambda f: (f / "results.json").unlink(), "did not come to its end"),
        (lambda f: [(f / n).unlink() for n in ("results.json", "predictions.jsonl")], "it has no results.json"),
        (lambda f: (f / "results.json").write_text((f / "results.json").read_text()[:900]), "cut off or no JSON"),
        (lambda f: (f / "results.json").write_text("[]"), "not a file of punctum"),
        (lambda f: (f / "results.json").write_text('{"schema_version": 7}'), "schema_version 7"),
        (lambda f: (f / "results.json").write_text('{"schema_version": 1, "model": "x"}'), "not a file of punctum"),
        (lambda f: (f / "results.json").write_bytes(b"\xff\xfe"), "cut off or no JSON"),
        (lambda f: (f / "results.json").write_text("[" * 50_000), "cut off or no JSON"),
        (lambda f: replaced(f, '"yes_no": {', '"../yes_no": {'), "'../yes_no' is no name of a benchmark or task"),
        (lambda f: replaced(f, ': "mvp_bench",', ': "../../etc",'), "'../../etc' is no name of a benchmark or task"),
        (lambda f: replaced(f, '"acc_source_low": 0', '"acc_source_low": NaN, "x": 0'), "NaN is no number of JSON"),
    ],
)
def test_what_is_no_run_is_refused(folder: Path, tmp_path: Path, damage, message: str) -> None:  # type: ignore[no-untyped-def]
    copy = copied(folder, tmp_path)
    damage(copy)
    with pytest.raises(BadRun, match=message):
        Run.load(copy)


def replaced(folder: Path, before: str, after: str) -> None:
    text = (folder / "results.json").read_text(encoding="utf-8")
    assert before in text
    (folder / "results.json").write_text(text.replace(before, after), encoding="utf-8")


def test_a_models_name_does_nothing_to_a_terminal(folder: Path, tmp_path: Path) -> None:
    """It may come from other people's files."""
    copy = copied(folder, tmp_path)
    replaced(copy, '"id": "baseline:random"', '"id": "a\\u001b[31mb\\u202e"')
    assert Run.load(copy).model.id == "a\ufffd[31mb\ufffd"


def test_a_folder_of_runs_names_them(folder: Path) -> None:
    with pytest.raises(BadRun, match="there are runs in it: random"):
        Run.load(folder.parent)


def test_missing_and_broken_lines(folder: Path, tmp_path: Path) -> None:
    copy = copied(folder, tmp_path)
    (copy / "samples.jsonl").unlink()
    run = Run.load(copy)
    assert run.has_answers and not run.has_questions
    with pytest.raises(BadRun, match="--out DIR"):
        list(run.questions())
    path = copy / "predictions.jsonl"
    path.write_text(path.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    with pytest.raises(BadRun, match="cut off"):
        list(run.answers())
    path.write_text('{"id": "a", "task": "yes_no", "output": "yes"}\n', encoding="utf-8")
    with pytest.raises(BadRun, match=r"predictions\.jsonl:1: not a line .*no field 'rotation'"):
        list(run.answers())


def test_names_of_pictures_stay_in_their_folder(folder: Path) -> None:
    with pytest.raises(BadRun, match="no name of a picture"):
        Run.load(folder).picture("../results.json")


def test_runs_of_one_model_are_told_apart(folder: Path, tmp_path: Path) -> None:
    copies = [copied(folder, tmp_path, name) for name in ("first", "second")]
    value = json.loads((copies[1] / "results.json").read_text())
    for task in value["tasks"].values():
        task["signature"] = task["signature"].replace("|setting:vlm|", "|setting:lm|")
    (copies[1] / "results.json").write_text(json.dumps(value))
    runs = load_runs([*copies, folder])
    assert names(runs[:2]) == ["baseline:random (setting vlm)", "baseline:random (setting lm)"]
    assert names([runs[0], runs[2]]) == ["baseline:random (first)", "baseline:random (random)"]
    assert names(runs[:1]) == ["baseline:random"]
    with pytest.raises(BadRun, match="given twice"):
        load_runs([folder, folder / "results.json"])


def signature(**changes: str | None) -> Signature:
    parts = {
        "task": "b/t", "data": "local", "rows": "aa", "n": "10", "subset": None, "limit": None, "setting": "vlm",
        "prompts": "b/p@1", "order": "published", "model": "m|7b:q4", "scoring": "generate",
        "generation": "max_new_tokens=64,temperature=0", "parser": "robust", "server": "http://host:80/v1",
    }  # fmt: skip
    return Signature("|".join(f"{k}:{v}" for k, v in {**parts, **changes}.items() if v is not None))


def test_a_signature_is_read_into_its_fields() -> None:
    read = signature()
    assert read["server"] == "http://host:80/v1"
    assert read["model"] == "m|7b:q4"
    assert "subset" not in read
    assert str(read) == str(signature())


def test_every_model_has_verdicts_of_its_own() -> None:
    assert differences(signature(verdicts="aaaa"), signature(verdicts="bbbb")) == []
    [difference] = differences(signature(verdicts="aaaa"), signature())
    assert str(difference) == "verdicts given against none"


def test_models_and_asides_do_not_split_a_ranking() -> None:
    one, other = signature(), signature(model="n", server=None, generation="max_new_tokens=9,temperature=0")
    assert differences(one, other) == []
    assert [str(d) for d in asides(one, other)] == [
        "generation max_new_tokens=64,temperature=0 against max_new_tokens=9,temperature=0"
    ]


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"data": "sample"}, ["data"]),
        ({"prompts": "b/p@2", "parser": "paper"}, ["prompts", "parser"]),
        ({"rows": "bb", "n": "5", "limit": "5"}, ["rows", "n", "limit"]),
        ({"setting": "lm"}, ["setting"]),
        ({"judged_by": "gpt"}, ["judged_by"]),
        ({"verdicts": "aaaa"}, ["verdicts"]),
        ({"subset": "all"}, []),  # the same rows, whatever they were called
    ],
)
def test_other_conditions_split_it(changes: dict[str, str], fields: list[str]) -> None:
    one, other = signature(), signature(**changes)
    assert [d.field for d in differences(one, other)] == fields
    assert [d.field for d in differences(other, one)] == fields
    sets = comparable_sets([other, one, signature(model="n")], lambda s: s)
    assert [len(s) for s in sets] == ([2, 1] if fields else [3])
