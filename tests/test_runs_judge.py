"""A judge after the answer: DeepEval's free texts and MVP-Bench's unreadable yes/no, against cells counted by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from punctum.evaluating import Evaluator
from punctum.evaluators.deepeval_free import read_consistency
from punctum.evaluators.models.base import ModelOptions
from punctum.evaluators.models.loading import load_model
from tests.fake_server import BAD_REQUEST, DOWN, REFUSAL, Asked, FakeServer, Reply, every

FILES = {"description": "Descripion", "title": "Title", "deep_semantics": "DeepSemantics"}
FOLDER = Path(punctum.sample("deepeval"))
ONCE = ("--model-arg", "retries=0")


def annotations(task: str) -> list[str]:
    """The sample's annotated texts, in the questions' order, read without any code of the package."""
    path = FOLDER / f"{FILES[task]}_Questions.json"
    questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [question["Options"][question["Answer"]].strip() for question in questions]


TITLES = annotations("title")


def run(tmp_path: Path, *words: str, out: str = "out") -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """A run's exit code, the tasks of its results and the lines of its predictions."""
    folder = tmp_path / out
    code = main(["run", *words, "--store", str(tmp_path / "store.sqlite"), "--out", str(folder), "--quiet"])
    results, predictions = folder / "results.json", folder / "predictions.jsonl"
    return (
        code,
        json.loads(results.read_text())["tasks"] if results.is_file() else {},
        [json.loads(line) for line in predictions.read_text().splitlines()] if predictions.is_file() else [],
    )


def score(tmp_path: Path, *words: str) -> tuple[int, dict[str, Any]]:
    file = tmp_path / "score.json"
    code = main(["score", *words, "--json", str(file), "--quiet"])
    return code, json.loads(file.read_text())["tasks"] if code == 0 else {}


def of_judge(prompt: str) -> tuple[str, str]:
    """The person's and the model's text in a judge's prompt."""
    _, person, model, *_ = prompt.splitlines()
    return person.removeprefix("Person: "), model.removeprefix("Model: ")


def test_each_verdict_counts_as_it_says(tmp_path: Path) -> None:
    """By annotation: Yes, "No.", Unknown, nothing; and for one picture the model itself says nothing."""
    said = {text: ("Yes", "No, it is not.", "Unknown", "")[i % 4] for i, text in enumerate(TITLES)}

    def judge(asked: Asked) -> str:
        assert not asked.pictures
        person, model = of_judge(asked.prompt)
        assert model == "Some title"
        return said[person]

    silent = (FOLDER / "Images" / "Img2.png").read_bytes()

    def answer(asked: Asked) -> str:
        return "" if asked.pictures == (silent,) else '"Some title"'

    with FakeServer(answer) as model, FakeServer(judge) as other:
        words = ["deepeval/title_free", "--sample", "--model", f"openai:m@{model.url}"]
        code, tasks, lines = run(tmp_path, *words, "--judge", f"openai:j@{other.url}")
    assert code == 0
    n = len(TITLES)
    [empty] = [line for line in lines if not line["output"]]
    assert empty["id"] == "Img2"
    kept = [said[text] for text, line in zip(TITLES, lines, strict=True) if line is not empty]
    yes, no = kept.count("Yes"), kept.count("No, it is not.")
    task = tasks["title_free"]
    assert task["n"] == n
    assert task["metrics"] == {
        "judged_accuracy": pytest.approx(yes / n),
        "judged_accuracy_answered": pytest.approx(yes / (yes + no)),
    }
    assert task["n_unparsed"] == n - yes - no
    assert task["n_failed"] == 0
    assert task["breakdowns"]["n_empty"] == 1
    assert task["breakdowns"]["verdicts"] == {"yes": yes, "no": no, "unreadable": len(kept) - yes - no, "failed": 0}
    assert len(other.asked) == n - 1  # nothing is asked about an answer that is not there
    assert [line.get("verdict") for line in lines if line is not empty] == kept
    assert [line["correct"] for line in lines].count(True) == yes
    assert empty["rule"] == "empty"
    assert "verdict" not in empty
    assert all(line["parsed"] == "Some title" for line in lines if line is not empty)


def test_all_three_free_tasks_and_their_prompts(tmp_path: Path) -> None:
    """Gold texts to a judge that compares word for word: all right; the prompts are the tasks' own."""
    of_picture: dict[str, dict[str, str]] = {}
    for task in FILES:
        for line in (FOLDER / f"{FILES[task]}_Questions.json").read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            of_picture.setdefault(question["Image_ID"], {})[task] = question["Options"][question["Answer"]].strip()
    pictures = {(FOLDER / f"Images/{name}.png").read_bytes(): name for name in of_picture}
    starts = {
        "Describe the image": "description",
        "Give the image a title": "title",
        "What is the deep": "deep_semantics",
    }

    def answer(asked: Asked) -> str:
        [picture] = asked.pictures
        task = next(task for start, task in starts.items() if asked.prompt.startswith(start))
        assert asked.body["max_tokens"] == 256
        return of_picture[pictures[picture]][task]

    def judge(asked: Asked) -> str:
        person, model = of_judge(asked.prompt)
        assert (asked.body["max_tokens"], asked.body["temperature"]) == (32, 0)
        return "Yes" if person == model else "No"

    with FakeServer(answer) as model, FakeServer(judge) as other:
        words = ("deepeval", "--generative", "--sample", "--model", f"openai:m@{model.url}")
        code, tasks, _ = run(tmp_path, *words, "--judge", f"openai:j@{other.url}", "--gen", "temperature=0.5")
        assert code == 0
        assert list(tasks) == ["description_free", "title_free", "deep_semantics_free"]
        assert {task["metrics"]["judged_accuracy"] for task in tasks.values()} == {1.0}
        kinds = {asked.prompt.split("the ")[1].split(" that")[0] for asked in other.asked}
        assert kinds == {"description", "title", "deep meaning"}
        signature = tasks["title_free"]["signature"]
        hashed = punctum.prompts.Prompts().hash("deepeval/judge")
        assert f"|judged_by:j,openai,deepeval/judge@{hashed},max_new_tokens=32,temperature=0|" in signature
        assert "temperature=0.5" in signature  # the answering model's
        labels = tasks["title_free"]["breakdowns"]["by_label"]
        assert labels["humorous"] == {"judged_accuracy": 1.0, "n": 4}

        n_answers, n_verdicts = len(model.asked), len(other.asked)
        assert n_verdicts == 3 * len(TITLES)
        again = run(tmp_path, *words, "--judge", f"openai:j@{other.url}", "--gen", "temperature=0.5", out="again")
        assert again[:2] == (0, tasks)
        assert (len(model.asked), len(other.asked)) == (n_answers, n_verdicts)


def test_failed_calls_of_the_judge_are_failures_and_asked_again(tmp_path: Path) -> None:
    down = True

    def judge(asked: Asked) -> str | Reply:
        person, _ = of_judge(asked.prompt)
        return DOWN if down and TITLES.index(person) % 2 else "Yes"

    with FakeServer("Some title") as model, FakeServer(judge) as other:
        words = ["deepeval/title_free", "--sample", "--model", f"openai:m@{model.url}", *ONCE]
        words += ["--judge", f"openai:j@{other.url}"]
        code, tasks, lines = run(tmp_path, *words)
        assert code == 1
        assert not tasks
        assert [line["error"] is not None for line in lines] == [bool(i % 2) for i in range(len(TITLES))]
        assert all(str(line["error"]).startswith("judge: ") for line in lines if line["error"])
        assert all(line["output"] == "Some title" and not line["correct"] for line in lines if line["error"])

        code, tasks, _ = run(tmp_path, *words, "--max-failed", "0.5", out="allowed")
        n = len(TITLES)
        assert code == 0
        assert tasks["title_free"]["n_failed"] == n // 2
        assert tasks["title_free"]["metrics"]["judged_accuracy"] == pytest.approx((n - n // 2) / n)
        assert tasks["title_free"]["metrics"]["judged_accuracy_answered"] == 1.0
        assert tasks["title_free"]["breakdowns"]["verdicts"]["failed"] == n // 2

        down = False
        before = len(other.asked)
        code, tasks, _ = run(tmp_path, *words, out="up")
        assert code == 0
        assert tasks["title_free"]["metrics"]["judged_accuracy"] == 1.0
        assert len(other.asked) - before == n // 2
        assert len(model.asked) == n


def test_score_reads_the_verdicts_of_a_run_again(tmp_path: Path) -> None:
    verdicts = ["Yes", "No", "Unknown"]

    def judge(asked: Asked) -> str:
        return verdicts[TITLES.index(of_judge(asked.prompt)[0]) % 3]

    with FakeServer("Some title") as model, FakeServer(judge) as other:
        words = ("deepeval/title_free", "--sample", "--model", f"openai:m@{model.url}")
        _, tasks, lines = run(tmp_path, *words, "--judge", f"openai:j@{other.url}")
    predictions = str(tmp_path / "out" / "predictions.jsonl")
    code, again = score(tmp_path, "deepeval", "--generative", "--sample", "--predictions", predictions)
    assert code == 0
    for key in ("n", "n_unparsed", "n_failed", "metrics", "intervals", "breakdowns"):
        assert again["title_free"][key] == tasks["title_free"][key]
    assert "|verdicts:beside the answers|" in again["title_free"]["signature"]

    # a file of verdicts comes before them
    file = tmp_path / "verdicts.jsonl"
    file.write_text("".join(json.dumps({"id": line["id"], "verdict": "Consistent."}) + "\n" for line in lines))
    words = ("deepeval/title_free", "--sample", "--predictions", predictions)
    code, judged = score(tmp_path, *words, "--verdicts", str(file))
    assert code == 0
    assert judged["title_free"]["metrics"]["judged_accuracy"] == 1.0

    # a verdict may come twice, but not another one
    whole = file.read_text()
    file.write_text(whole + whole.partition("\n")[0] + "\n")
    assert score(tmp_path, *words, "--verdicts", str(file))[0] == 0
    file.write_text(whole + json.dumps({"id": lines[0]["id"], "verdict": "No"}) + "\n")
    assert score(tmp_path, *words, "--verdicts", str(file))[0] == 2
    file.write_text(whole)

    # an answer without a verdict has failed
    file.write_text(file.read_text().partition("\n")[2])
    assert score(tmp_path, *words, "--verdicts", str(file))[0] == 1
    code, judged = score(tmp_path, *words, "--verdicts", str(file), "--max-failed", "0.1")
    assert judged["title_free"]["n_failed"] == 1


def test_without_a_judge_there_is_an_error_and_nothing_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeServer("Some title") as model:
        words = ("--sample", "--model", f"openai:m@{model.url}")
        assert run(tmp_path, "deepeval", "--generative", *words)[0] == 2
        assert "--judge M" in capsys.readouterr().err
        assert run(tmp_path, "deepeval/title", *words, "--judge", "baseline:first")[0] == 2
        assert "no task of deepeval/title has its answers judged" in capsys.readouterr().err
        assert run(tmp_path, "pitt_ads", "--generative", *words)[0] == 2
        assert "tasks of pitt_ads that do: none" in capsys.readouterr().err
        assert run(tmp_path, "deepeval/title", "--generative", *words)[0] == 2
        assert "deepeval/title_free" in capsys.readouterr().err
        assert not model.asked
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "Img1", "output": "A title"}\n')
    assert score(tmp_path, "deepeval/title_free", "--sample", "--predictions", str(file))[0] == 2
    assert "--verdicts F" in capsys.readouterr().err
    assert run(tmp_path, "deepeval", "--generative", "--sample", "--model", "baseline:random", "--judge", "replay:no")[
        0
    ]


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Yes", "yes"),
        ("**Yes.**", "yes"),
        ("No, they differ.", "no"),
        ("Consistent", "yes"),
        ("inconsistent.", "no"),
        ("<think>Yes and no…</think>No", "no"),
        ("<think>Yes and", None),
        ("Yes and no", None),
        ("Unknown", None),
        ("", None),
        (REFUSAL, None),
    ],
)
def test_verdicts_are_read_as_answers_are(words: str, verdict: str | None) -> None:
    assert read_consistency(words) == verdict


def mvp_rows() -> list[dict[str, Any]]:
    path = Path(punctum.sample("mvp_bench")) / "all_questions.json"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [row for row in rows if row["type"].startswith("y/n")]


@pytest.mark.parametrize(
    ("verdict", "right", "read"),
    [
        (lambda row: row["answer"].title(), True, True),
        (lambda row: {"yes": "No", "no": "Yes"}[row["answer"]], False, True),
        (lambda row: "Unknown", False, False),
        (lambda row: "I cannot say.", False, False),
    ],
    ids=["gold", "wrong", "unknown", "garbage"],
)
@pytest.mark.parametrize("parser", ["robust", "paper"])
def test_a_judge_reads_what_the_parser_cannot(
    tmp_path: Path, verdict: Callable[[dict[str, Any]], str], right: bool, read: bool, parser: str
) -> None:
    """Every third answer is plain (and right), every third chatter, every third empty."""
    rows = mvp_rows()
    sample = Path(punctum.sample("mvp_bench"))
    places = {(row["question"], (sample / row["image"]).read_bytes()): place for place, row in enumerate(rows)}
    assert len(places) == len(rows)

    def answer(asked: Asked) -> str:
        place = places[(asked.prompt, asked.pictures[0])]
        return (rows[place]["answer"], f"Let me tell you about picture {place}.", " \n")[place % 3]

    def judge(asked: Asked) -> str:
        [line] = [line for line in asked.prompt.splitlines() if line.startswith("Answer: ")]
        place = int(line.rpartition(" ")[2].rstrip("."))
        assert f"Question: {rows[place]['question'].splitlines()[0]}" in asked.prompt
        return verdict(rows[place])

    with FakeServer(answer) as model, FakeServer(judge) as other:
        words = ["mvp_bench/yes_no", "--sample", "--model", f"openai:m@{model.url}", *ONCE]
        words += ["--judge", f"openai:j@{other.url}", "--parser", parser]
        code, tasks, lines = run(tmp_path, *words)
    assert code == 0
    n = len(rows)
    plain, judged = len(range(0, n, 3)), len(range(1, n, 3))
    assert len(other.asked) == judged
    task = tasks["yes_no"]
    assert task["metrics"]["a_acc"] == pytest.approx((plain + judged * right) / n)
    assert task["n_unparsed"] == n - plain - judged * read
    said = task["breakdowns"]["verdicts"]
    assert said["unreadable"] == judged * (not read)
    assert said["yes"] + said["no"] == judged * read
    assert task["breakdowns"]["parse_rate"] == pytest.approx({"robust": plain / n, "paper": plain / n})
    assert {line["rule"] for line in lines[1::3]} == {"judge" if read else "judge: unreadable"}
    code, again = score(
        tmp_path, "mvp_bench", "--sample", "--predictions", str(tmp_path / "out/predictions.jsonl"), "--parser", parser
    )
    assert code == 0
    assert again["yes_no"]["metrics"] == task["metrics"]
    assert again["yes_no"]["breakdowns"] == task["breakdowns"]


def test_mvp_bench_as_a_whole_with_a_judge_that_fails(tmp_path: Path) -> None:
    """Only the yes/no task asks the judge; its failures leave that task without a score, and say so."""
    with FakeServer("Hm.") as model, FakeServer(every(2, BAD_REQUEST, lambda asked: "Unknown")) as other:
        words = ("mvp_bench", "--sample", "--model", f"openai:m@{model.url}", "--judge", f"openai:j@{other.url}")
        code, tasks, lines = run(tmp_path, *words)
    assert code == 1
    assert sorted(tasks) == ["mcq_cross", "mcq_single"]
    assert len(other.asked) == len({(row["question"], "Hm.") for row in mvp_rows()})  # equal questions once
    assert "judged_by" not in tasks["mcq_single"]["signature"]
    failed = [line["error"] for line in lines if line["error"]]
    assert failed
    assert all(error.startswith("judge: ") and "too long" in error for error in failed)
    assert {line["task"] for line in lines if line["error"]} == {"yes_no"}


def test_a_budget_counts_verdicts_too_and_a_stopped_run_goes_on(tmp_path: Path) -> None:
    n = len(TITLES)
    with FakeServer("Some title") as model, FakeServer("Yes") as other:
        words = ["deepeval/title_free", "--sample", "--model", f"openai:m@{model.url}"]
        words += ["--judge", f"openai:j@{other.url}"]
        code, tasks, lines = run(tmp_path, *words, "--max-calls", str(n + 10))
        assert (code, tasks) == (3, {})
        assert (len(model.asked), len(other.asked)) == (n, 10)
        assert sum(line.get("verdict") == "Yes" for line in lines) == 10
        assert len(lines) == n
        code, tasks, _ = run(tmp_path, *words, out="on")
        assert code == 0
        assert tasks["title_free"]["metrics"]["judged_accuracy"] == 1.0
        assert (len(model.asked), len(other.asked)) == (n, n)


@pytest.mark.weights
def test_a_real_language_model_judges_the_sample_models_texts(gemma: Path, tmp_path: Path) -> None:
    """Its verdicts mean nothing; each is kept as it is, and counted as what it says."""
    words = ["deepeval/title_free", "--sample", "--limit", "2", "--model", "punctum:sample"]
    words += ["--judge", f"gguf:{gemma}", "--gen", "max_new_tokens=4", "--judge-gen", "max_new_tokens=4"]
    code, tasks, lines = run(tmp_path, *words)
    assert code == 0
    assert all(line["verdict"] for line in lines)
    right = [read_consistency(line["verdict"]) for line in lines]
    assert tasks["title_free"]["metrics"]["judged_accuracy"] == right.count("yes") / 2
    assert tasks["title_free"]["n_unparsed"] == right.count(None)
    assert f"judged_by:{gemma.name}," in tasks["title_free"]["signature"]
    assert "max_new_tokens=4,temperature=0|" in tasks["title_free"]["signature"]


def test_a_dry_run_counts_the_verdicts(tmp_path: Path) -> None:
    """As many as there are free answers; for yes/no as many as there may be."""
    file = tmp_path / "plan.json"
    for words, questions in ((("deepeval", "--generative"), 3 * len(TITLES)), (("mvp_bench/yes_no",), len(mvp_rows()))):
        words = ("run", *words, "--sample", "--model", "openai:m@http://127.0.0.1:9/v1", "--dry-run", "--quiet")
        words += ("--judge", "openai:j@http://127.0.0.1:9/v1", "--store", str(tmp_path / "s"), "--json", str(file))
        assert main(list(words)) == 0
        tasks = json.loads(file.read_text())["tasks"]
        steps = {(step["stage"], step["model"]) for task in tasks.values() for step in task["steps"]}
        assert steps == {("questions", "m"), ("judge", "j")}
        judged = [step for task in tasks.values() for step in task["steps"] if step["stage"] == "judge"]
        assert sum(step["calls"] for step in judged) == questions
        assert {step["pictures"] for step in judged} == {0}
        assert {step["output_tokens"] // step["calls"] for step in judged} == {32}
        shown = [filled for task in tasks.values() for filled in task["prompts"]]
        assert {filled["stage"] for filled in shown} == {"questions", "judge"}


def test_from_python_and_with_models_that_are_no_servers(tmp_path: Path) -> None:
    """A replay of verdicts judges, as any model does."""
    names = [f"Img{i}" for i in range(1, 25)]
    answers, verdicts = tmp_path / "answers.jsonl", tmp_path / "verdicts.jsonl"
    answers.write_text("".join(json.dumps({"id": name, "output": "A title"}) + "\n" for name in names))
    verdicts.write_text("".join(json.dumps({"id": name, "output": "Yes"}) + "\n" for name in names[:6]))
    found = Evaluator("deepeval/title_free").compute(
        f"replay:{answers}", judge=load_model(f"replay:{verdicts}", ModelOptions()), max_failed=1.0
    )
    assert (found["judged_accuracy"], found["n_failed"]) == (6 / 24, 18)
    with pytest.raises(ValueError, match="--judge M"):
        Evaluator("deepeval/title_free").compute(f"replay:{answers}")
