"""Hard negatives: from true statements to files that the builders read and `punctum run` scores."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from punctum.construct.hard_negatives.kinds import ADS, check, chosen_kinds, clauses, ended_like
from punctum.construct.wants import Unusable
from punctum.construct.words import plain
from tests.construct_server import by_turns, good, kind_of
from tests.fake_server import DOWN, Asked, FakeServer, Reply
from tests.killed import files, kill_once, stored

ADS_SAMPLE = Path(punctum.sample("pitt_ads"))
WORDS = {kind.split("_")[0]: kind for kind in ADS}
KEPT_CLAUSE = {"action_alter": 1, "reason_alter": 0}
CHATTER = ("Here", "Sure", "Generated", "version", "contradicts", '"')
Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def ads(tmp_path: Path) -> Path:
    """The ads' sample without hard negatives: true statements, annotations, pictures."""
    folder = tmp_path / "ads"
    shutil.copytree(ADS_SAMPLE, folder, ignore=shutil.ignore_patterns("*_hard_QA_*"))
    options = folder / "QA_Combined_Action_Reason_train.json"
    true = {image: pair[0] for image, pair in json.loads(options.read_text()).items()}
    options.write_text(json.dumps(true))
    return folder


def construct(server: FakeServer, tmp_path: Path, *words: str) -> int:
    model = ["--model", f"openai:m@{server.url}", "--store", str(tmp_path / "store.sqlite"), "--quiet"]
    return main(["construct", "hard-negatives", *words, *model, "--model-arg", "retries=0"])


def into(ads: Path, out: Path | None = None) -> list[str]:
    return ["pitt_ads", "--data-dir", str(ads), "--out", str(out or ads)]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def summary(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "construct.json").read_text(encoding="utf-8"))
    return found


def true_statements(folder: Path) -> dict[str, dict[str, list[str]]]:
    return {s: json.loads((folder / f"QA_Combined_Action_Reason_{s}.json").read_text()) for s in ("train", "test")}


def test_from_true_statements_to_a_scored_run(ads: Path, tmp_path: Path) -> None:
    """Written into the data folder itself, the negatives are what `pitt_ads/arr` asks about."""
    with FakeServer(by_turns) as server:
        assert construct(server, tmp_path, *into(ads)) == 0
        asked = list(server.asked)
    true = true_statements(ads)
    made = {
        s: {w: json.loads((ads / f"{w}_hard_QA_Combined_Action_Reason_{s}.json").read_text()) for w in WORDS}
        for s in true
    }
    kept = 0
    for split, by_image in true.items():
        for image, positives in by_image.items():
            options = [*positives]
            for word, kind in WORDS.items():
                pair = made[split][word].get(image)
                if pair is None:
                    continue
                assert pair[0] == positives
                wrong = pair[1][len(positives) :]
                options += wrong
                kept += len(wrong)
                for text in wrong:
                    assert not any(word in text for word in CHATTER)
                    assert kind not in KEPT_CLAUSE or any(fits(kind, true, text) for true in positives)
            assert len({plain(option) for option in options}) == len(options)
    faults = lines(ads / "faults.jsonl")
    said = summary(ads)["counts"]
    assert kept == said["kept"] and kept + len(faults) == said["wanted"] == 5 * 90
    assert len(asked) == said["answers"] == len(lines(ads / "generated.jsonl"))
    equal, changed = {"equal to the true statement", "equal to another option"}, {"the reason changed"}
    assert {"refusal"} < {fault["fault"] for fault in faults} <= {"refusal", "the action changed", *equal, *changed}
    assert all(fault["tries"] == 3 and fault["output"] for fault in faults)

    run = ["run", "pitt_ads/arr", "--data-dir", str(ads), "--split", "test", "--model", "baseline:first", "--quiet"]
    assert main([*run, "--resamples", "0", "--out", str(tmp_path / "run")]) == 0
    task = json.loads((tmp_path / "run" / "results.json").read_text())["tasks"]["arr"]
    assert task["n"] == 12
    shown = lines(tmp_path / "run" / "samples.jsonl")
    of_kinds = Counter(kind for sample in shown for kind in sample["option_kinds"])
    asked_about = {sample["id"].partition("#")[0] for sample in shown}
    for word, kind in WORDS.items():
        wrong = sum(len(pair[1]) - 3 for image, pair in made["test"][word].items() if image in asked_about)
        assert of_kinds[kind] == wrong > 0


def fits(kind: str, positive: str, text: str) -> bool:
    """Whether a negative may have been made of this true statement, by the clause that it keeps."""
    place = KEPT_CLAUSE[kind]
    return positive.split("because")[place] == text.split("because")[place]


def test_every_text_has_a_record(ads: Path, tmp_path: Path) -> None:
    with FakeServer(by_turns) as server:
        construct(server, tmp_path, *into(ads), "--split", "test", "--seed", "7")
        asked = {(a.prompt, a.body["seed"]): a for a in server.asked}
    records = lines(ads / "generated.jsonl")
    assert [r for r in records if r["attempt"]] and max(r["attempt"] for r in records) == 2
    for record in records:
        assert record["seed"] == 7 and record["model"]["id"] == "m" and len(record["prompt_hash"]) == 12
        assert record["temperature"] == (0.7 if record["attempt"] else 0.0)
        assert (record["kept"] is None) == (record["fault"] is not None)
        [call] = [a for (p, seed), a in asked.items() if seed == 7 + record["attempt"] and kind_of(a) == record["step"]
                  and f"Correct Interpretation: {record['statement']}\n" in p]  # fmt: skip
        assert call.body["temperature"] == record["temperature"]
        assert by_turns(call) == record["output"]


def test_a_statement_that_never_passes_is_asked_so_often_and_listed(ads: Path, tmp_path: Path) -> None:
    with FakeServer(lambda asked: "Sorry, no." if kind_of(asked) == "object_swap" else good(asked)) as server:
        out = tmp_path / "out"
        assert (
            construct(
                server, tmp_path, "pitt_ads", "--data-dir", str(ads), "--out", str(out), "--limit", "2", "--tries", "4"
            )
            == 0
        )
        counts = Counter(kind_of(asked) for asked in server.asked)
    assert counts == {"object_swap": 6 * 4, **{kind: 6 for kind in ADS if kind != "object_swap"}}
    faults = lines(out / "faults.jsonl")
    said = {(f["step"], f["fault"], f["tries"], f["output"]) for f in faults}
    assert said == {("object_swap", "refusal", 4, "Sorry, no.")}
    assert len(faults) == 6 and not list(out.glob("object_hard_*"))
    assert summary(out)["counts"]["given up"] == 6


def test_killed_at_any_point_it_goes_on_and_asks_nothing_twice(ads: Path, tmp_path: Path) -> None:
    def command(server: FakeServer, name: str) -> list[str]:
        words = ["construct", "hard-negatives", "pitt_ads", "--data-dir", str(ads), "--limit", "9", "--quiet"]
        words += ["--out", str(tmp_path / name), "--store", str(tmp_path / f"{name}.sqlite"), "--concurrency", "2"]
        return [sys.executable, "-m", "punctum.cli", *words, "--model", f"openai:m@{server.url}"]

    with FakeServer(by_turns) as server:
        subprocess.run(command(server, "unbroken"), check=True, timeout=120)
        n_calls = len(server.asked)
    with FakeServer(by_turns, latency=0.01) as server:
        for at in (20, n_calls - 20):  # in the first round and in the last
            kill_once(lambda at=at: stored(tmp_path / "killed.sqlite") >= at, command(server, "killed"))
            names = {path.name for path in (tmp_path / "killed").iterdir()}
            marked = (tmp_path / "killed" / "construct.json").read_text()
            assert names == {"construct.json"} and '"finished": false' in marked
        subprocess.run(command(server, "killed"), check=True, timeout=120)
        calls = Counter((asked.prompt, asked.body["seed"]) for asked in server.asked)
    assert len(calls) == n_calls
    assert sum(calls.values()) <= n_calls + 2 * 2  # only what was under way when it was killed
    assert files(tmp_path / "killed") == files(tmp_path / "unbroken")


def test_calls_that_fail_are_listed_and_asked_for_again(ads: Path, tmp_path: Path, capsys: Capsys) -> None:
    broken = True

    def answer(asked: Asked) -> str | Reply:
        return DOWN if broken and kind_of(asked) == "reason_alter" else good(asked)

    with FakeServer(answer) as server:
        words = [*into(ads), "--limit", "2"]
        assert construct(server, tmp_path, *words) == 1
        faults = lines(ads / "faults.jsonl")
        assert len(faults) == 6 and {f["fault"] for f in faults} == {"the call failed"}
        assert not list(ads.glob("reason_hard_*"))
        broken = False
        before = len(server.asked)
        assert construct(server, tmp_path, *words) == 0
        assert len(server.asked) == before + 6
    assert lines(ads / "faults.jsonl") == []
    assert len(list(ads.glob("reason_hard_*"))) == 1


def test_whoops(tmp_path: Path) -> None:
    folder = tmp_path / "whoops"
    shutil.copytree(punctum.sample("whoops"), folder, ignore=shutil.ignore_patterns("hard_negatives.json"))
    with FakeServer(good) as server:
        assert construct(server, tmp_path, "whoops", "--data-dir", str(folder), "--out", str(folder)) == 0
        assert Counter(map(kind_of, server.asked)) == dict.fromkeys(("verb", "object", "adjective", "causal"), 24)
    made = json.loads((folder / "hard_negatives.json").read_text())
    with (folder / "whoops_dataset.csv").open(encoding="utf-8-sig", newline="") as file:
        gold = {row["image_id"]: row["designer_explanation"] for row in csv.DictReader(file)}
    assert set(made) == set(gold)
    for image, texts in made.items():
        assert set(texts) == {"random", "verb", "object", "adjective", "causal"}
        assert texts["random"] in set(gold.values()) - {gold[image]}
    run = ["run", "whoops/explanation", "--data-dir", str(folder), "--model", "baseline:random", "--quiet"]
    assert main([*run, "--resamples", "0", "--out", str(tmp_path / "run")]) == 0
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["tasks"]["explanation"]["n"] == 24
    assert {len(sample["options"]) for sample in lines(tmp_path / "run" / "samples.jsonl")} == {6}


def test_any_choice_task_and_any_file(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "text": "A cat sleeps on the warm oven."},
        {"id": "b", "text": ["Two men carry a piano.", "two men carry a PIANO", "A piano is carried up."]},
        {"id": "a", "text": "Another cat."},
        {"id": "c", "text": "  "},
        {"text": "No name."},
        {"id": "d", "text": 4},
    ]
    (tmp_path / "own.json").write_text(json.dumps(rows))
    out = tmp_path / "own"
    with FakeServer(good) as server:
        words = [str(tmp_path / "own.json"), "--kinds", "verb,object", "--out", str(out)]
        assert construct(server, tmp_path, *words) == 0
        words = ["deepeval/title", "--sample", "--kinds", "adjective", "--limit", "3"]
        words += ["--out", str(tmp_path / "titles")]
        assert construct(server, tmp_path, *words) == 0
    made = json.loads((out / "hard_negatives.json").read_text())
    assert {name: {k: len(v) for k, v in kinds.items()} for name, kinds in made.items()} == {
        "a": {"verb": 1, "object": 1}, "b": {"verb": 2, "object": 2}}  # fmt: skip
    for row in lines(out / "choices.jsonl"):
        shown = [row["options"][i] for i in row["answers"]]
        assert all(row["option_kinds"][i] == "correct" for i in row["answers"])
        assert set(shown) == {"a": {rows[0]["text"]}, "b": {rows[1]["text"][0], rows[1]["text"][2]}}[row["id"]]  # type: ignore[index]
    faults = Counter(fault["fault"] for fault in lines(out / "faults.jsonl"))
    alike = "true statements that read the same"
    assert faults == {"the id was there before": 1, "no true statement": 2, "no id": 1, alike: 1}
    titles = json.loads((tmp_path / "titles" / "hard_negatives.json").read_text())
    assert [list(kinds) for kinds in titles.values()] == [["adjective"]] * 3


def test_bad_statements_are_listed_and_the_others_made(ads: Path, tmp_path: Path) -> None:
    bad = {
        "0/1.png": ["I should drink milk."],
        "0/2.png": [],
        "0/3.png": [" "],
        "0/4.png": ["I should drink milk because it is white.", "I should drink milk, because it is white!"],
        "0/5.png": ["Because of the milk"],
    }
    (ads / "QA_Combined_Action_Reason_test.json").write_text(json.dumps(bad))
    with FakeServer(good) as server:
        assert construct(server, tmp_path, *into(ads), "--split", "test") == 0
        asked = Counter(map(kind_of, server.asked))
    assert asked == {"action_alter": 1, "reason_alter": 1, "adjective_alter": 3, "object_swap": 3, "statement_alter": 3}
    faults = {(f["item"], f["fault"]) for f in lines(ads / "faults.jsonl")}
    assert faults == {
        ("0/1.png", "no 'because': neither action nor reason altered"),
        ("0/5.png", "no 'because': neither action nor reason altered"),
        ("0/2.png", "no true statement"),
        ("0/3.png", "no true statement"),
        ("0/4.png", "true statements that read the same"),
    }


def test_answers_held_back_are_no_true_statements(ads: Path, tmp_path: Path, capsys: Capsys) -> None:
    options = {"0/1.png": [f"I should buy {n} because {n} is good." for n in range(8)]}
    (ads / "QA_Combined_Action_Reason_test.json").write_text(json.dumps(options))
    with FakeServer(good) as server:
        assert construct(server, tmp_path, *into(ads), "--split", "test") == 2
        assert not server.asked
    assert "QA_Combined_Action_Reason_test.json" in capsys.readouterr().err


def test_files_of_others_are_never_overwritten(ads: Path, tmp_path: Path, capsys: Capsys) -> None:
    theirs = ads / "object_hard_QA_Combined_Action_Reason_train.json"
    theirs.write_text("{}")
    words = [*into(ads), "--limit", "1"]
    with FakeServer(good) as server:
        assert construct(server, tmp_path, *words) == 2
        assert "is there already and was not made by" in capsys.readouterr().err
        assert not server.asked and theirs.read_text() == "{}" and not (ads / "construct.json").exists()
        theirs.unlink()
        assert construct(server, tmp_path, *words) == 0
        assert theirs.is_file()
        assert construct(server, tmp_path, *words, "--kinds", "action_alter") == 0
        assert not theirs.exists()  # an earlier run's negatives are not left among this one's
        assert summary(ads)["files"] == sorted(
            ["faults.jsonl", "generated.jsonl", "action_hard_QA_Combined_Action_Reason_train.json"]
        )


def test_a_dry_run_asks_and_writes_nothing(ads: Path, tmp_path: Path, capsys: Capsys) -> None:
    with FakeServer(good) as server:
        words = ["construct", "hard-negatives", "pitt_ads", "--data-dir", str(ads), "--limit", "2", "--dry-run"]
        assert main([*words, "--model", f"openai:m@{server.url}", "--store", str(tmp_path / "s.sqlite")]) == 0
        assert not server.asked
    shown = capsys.readouterr().out
    first = true_statements(ads)["train"]
    statement = next(iter(first.values()))[0]
    assert shown.count(f"Correct Interpretation: {statement}\n") == 5
    assert sum("_alter " in line and "│     6 │     6 │      0 │" in line for line in shown.splitlines()) == 4
    assert (
        not (tmp_path / "s.sqlite").exists()
        and not list(ads.glob("*_hard_*"))
        and not (ads / "construct.json").exists()
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing", "--sample"], "benchmark or file 'nothing' is not known; known: deepeval"),
        (["pitt_ads"], "--data-dir names the folder"),
        (["missing.json"], "no file missing.json"),
        (["deepeval", "--sample"], "name one whose questions have one right option: deepeval/TASK"),
        (["mvp_bench/yes_no", "--sample", "--kinds", "ads"], "answers of the form yes_no"),
        (["deepeval/title", "--sample"], "--kinds with ads, whoops"),
        (["pitt_ads", "--sample", "--kinds", "ads,verbs"], "no kind of hard negative 'verbs'"),
        (["pitt_ads", "--sample", "--kinds", "verb"], "these files hold no negatives of the kind verb"),
        (["pitt_ads", "--sample", "--split", "dev"], "no split 'dev'"),
        (["pitt_ads", "--sample", "--near-duplicates", "98"], "is no cosine"),
        (["pitt_ads", "--sample", "--again-temperature", "0"], "not above 0"),
    ],
)
def test_errors_name_the_way_out(words: list[str], message: str, tmp_path: Path, capsys: Capsys) -> None:
    with FakeServer(good) as server:
        assert construct(server, tmp_path, *words, "--out", str(tmp_path / "out")) == 2
        assert not server.asked
    assert message in capsys.readouterr().err


def test_a_baseline_writes_nothing(tmp_path: Path, capsys: Capsys) -> None:
    words = ["construct", "hard-negatives", "pitt_ads", "--sample", "--out", str(tmp_path / "out")]
    assert main([*words, "--model", "baseline:first", "--store", str(tmp_path / "s.sqlite"), "--quiet"]) == 2
    assert "baseline:first writes no texts" in capsys.readouterr().err


TRUE = "I should buy this car because it is as fast as a cheetah."


@pytest.mark.parametrize(
    ("kind", "negative", "reason"),
    [
        ("action_alter", "I should sell this car because it is as fast as a cheetah.", None),
        ("action_alter", "I should sell this car, Because it is as fast as a cheetah!", None),
        ("action_alter", "I should sell this car because it is slow.", "the reason changed"),
        ("reason_alter", "I should buy this car because it is slow.", None),
        ("reason_alter", "I should sell this car because it is slow.", "the action changed"),
        ("object_swap", "I should buy this boat because it is as fast as a shark.", None),
        ("object_swap", "I should buy this boat.", "no 'because'"),
        ("statement_alter", "I should buy this CAR because it is as fast as a cheetah", "equal to the true statement"),
        ("statement_alter", "I should eat beans because beans are good.", "equal to another option"),
        ("statement_alter", "I should eat " + "very " * 60 + "well because food is good.", "too long for a statement"),
        ("verb", "I should sell this car because it is as fast as a cheetah.", None),
        ("verb", "A wholly different sentence because of something else.", "another sentence"),
        ("causal", "I should buy this car because nobody else wants it.", None),
        ("causal", "You should never buy this car because it is slow.", "the first half changed"),
    ],
)
def test_checks(kind: str, negative: str, reason: str | None) -> None:
    others = [TRUE, "I should eat beans, because beans are good"]
    if reason is None:
        check(kind, TRUE, negative, others)
    else:
        with pytest.raises(Unusable) as refused:
            check(kind, TRUE, negative, others)
        assert refused.value.reason == reason


def test_the_samples_own_negatives_pass() -> None:
    """Written by people for each kind, before there were these checks."""
    n = 0
    for split in ("train", "test"):
        for word, kind in WORDS.items():
            pairs = json.loads((ADS_SAMPLE / f"{word}_hard_QA_Combined_Action_Reason_{split}.json").read_text())
            for true, options in pairs.values():
                for text in set(options) - set(true):
                    passing = []
                    for statement in true:
                        try:
                            check(kind, statement, text, [])
                        except Unusable:
                            continue
                        passing.append(statement)
                    assert passing, (kind, text)
                    n += 1
    whoops = Path(punctum.sample("whoops"))
    with (whoops / "whoops_dataset.csv").open(encoding="utf-8-sig", newline="") as file:
        gold = {row["image_id"]: row["designer_explanation"] for row in csv.DictReader(file)}
    for image, kinds in json.loads((whoops / "hard_negatives.json").read_text()).items():
        for kind in ("verb", "object", "adjective", "causal"):
            check(kind, gold[image], kinds[kind], [])
            n += 1
    assert n == 450 + 4 * 24


@pytest.mark.parametrize(
    ("true", "negative", "shown"),
    [
        ("Go because of it.", "Stay because of it", "Stay because of it."),
        ("Go because of it.", "Stay because of it!", "Stay because of it!"),
        ("Go because of it", "Stay because of it. ", "Stay because of it"),
        ("Go because of it", "Stay because of it...", "Stay because of it..."),
        ("Go because of it!", "Stay because of it.", "Stay because of it"),
    ],
)
def test_the_full_stop_tells_nothing(true: str, negative: str, shown: str) -> None:
    assert ended_like(true, negative) == shown


def test_clauses() -> None:
    assert clauses("I should go, because it is late.") == ("I should go", "it is late.")
    assert clauses("I should go Because of rain because of snow.") == ("I should go", "of rain because of snow.")
    for text in ("I should go.", "Because it is late", "I should go because", "I should go because ...", ""):
        assert clauses(text) is None


def test_kinds() -> None:
    assert chosen_kinds(None, "ads") == ADS
    assert chosen_kinds("ads,verb,action-alter", None) == (*ADS, "verb")


@pytest.mark.weights
def test_near_duplicates_are_listed_and_kept(ads: Path, tmp_path: Path, mpnet: Path) -> None:
    true = next(iter(true_statements(ads)["train"].values()))[0]
    near = true.replace("I should", "I really should", 1)

    def answer(asked: Asked) -> str:
        return near if f": {true}\n" in asked.prompt and kind_of(asked) == "adjective_alter" else good(asked)

    with FakeServer(answer) as server:
        words = [
            "pitt_ads",
            "--data-dir",
            str(ads),
            "--limit",
            "2",
            "--out",
            str(ads),
            "--similarity-model",
            str(mpnet),
        ]
        assert construct(server, tmp_path, *words, "--near-duplicates", "0.97") == 0
    [fault] = [f for f in lines(ads / "faults.jsonl") if f["step"] == "adjective_alter"]
    assert fault["fault"] == "a near duplicate, kept" and near in fault["detail"] and true in fault["detail"]
    file = json.loads((ads / "adjective_hard_QA_Combined_Action_Reason_train.json").read_text())
    assert near in next(iter(file.values()))[1]
    assert summary(ads)["near_duplicates"] == len(lines(ads / "faults.jsonl"))


SHOTS = """{{# Ours: a base model goes on with examples rather than follow instructions. -#}}
True: I should get involved with artistic expression because dressing in style is a type of art.
False: {0}

True: {{{{ statement }}}}
False:
"""


@pytest.mark.weights
def test_a_real_model(ads: Path, tmp_path: Path, gemma: Path, capsys: Capsys) -> None:
    """Too small to do it well: what counts is that its failures are counted, and every text is accounted for."""
    shots = tmp_path / "prompts" / "construct" / "hard_negatives"
    shots.mkdir(parents=True)
    avoid = "I should avoid artistic expression because dressing in style is a type of art."
    sport = "I should get involved with sports because professional soccer is a type of sport."
    (shots / "action_alter.jinja").write_text(SHOTS.format(avoid))
    (shots / "object_swap.jinja").write_text(SHOTS.format(sport))
    words = ["construct", "hard-negatives", *into(ads), "--limit", "1", "--tries", "2"]
    words += ["--kinds", "action_alter,object_swap", "--prompts", str(tmp_path / "prompts")]
    words += ["--model", f"gguf:{gemma}", "--gen", "max_new_tokens=28", "--store", str(tmp_path / "store.sqlite")]
    assert main(words) in (0, 1)
    counts = summary(ads)["counts"]
    records = lines(ads / "generated.jsonl")
    assert counts["wanted"] == 6 == counts["kept"] + counts["given up"]
    assert len(records) == counts["answers"] and counts["refused"] == sum(r["fault"] is not None for r in records)
    assert all(record["model"]["quantization"] and record["output"] is not None for record in records)
    shown = capsys.readouterr().out
    assert f"{counts['refused']} answers refused ({counts['refused'] / counts['answers']:.1%})" in shown
    for record in records:
        if record["kept"]:
            check(record["step"], record["statement"], record["kept"], [])
    assert len(lines(ads / "faults.jsonl")) == counts["given up"]


def test_a_budget_ends_it_and_a_dry_run_knows_what_is_stored(ads: Path, tmp_path: Path, capsys: Capsys) -> None:
    with FakeServer(good) as server:
        words = [*into(ads), "--limit", "1"]
        assert construct(server, tmp_path, *words, "--max-calls", "4") == 3
        assert len(server.asked) == 4
        assert "the budget is used up: 4 calls of 4" in capsys.readouterr().err
        dry = ["construct", "hard-negatives", *words, "--dry-run", "--store", str(tmp_path / "store.sqlite")]
        assert main([*dry, "--model", f"openai:m@{server.url}"]) == 0
        rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
        assert sum(int(row[3]) for row in rows) == 11 and sum(int(row[4]) for row in rows) == 4
        assert construct(server, tmp_path, *words) == 0
        assert len(server.asked) == 15
        assert summary(ads)["counts"]["kept"] == 15
