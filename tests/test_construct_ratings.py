"""Ratings by people: what is written for Label Studio and for the page, what comes back, what the cuts keep."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from punctum.cli import main
from punctum.construct.ratings.cutting import decide, summary
from punctum.construct.ratings.label_studio import Said
from punctum.construct.ratings.questions import QUESTIONS, question_of
from tests.browser import Browser

ITEMS: dict[str, dict[str, Any]] = {
    "direct": {"direct": "Hey person1, please close the window."},
    "indirect": {
        "direct": "Close it.", "triplet": ["person1", "close", "window"], "sarcasm": "a", "humor": "b", "meme": "c",
    },
    "negatives": {"text": "I should fly because cows do.", "kind": "action_alter"},
    "accept": {"text": "Is he a doctor?", "answer": "yes"},
    "inspect": {"description": "d", "title": "t", "deep_semantics": "s"},
    "consistency": {"description": "d", "title": "t", "deep_semantics": "s"},
    "distractor": {"answer": "right", "text": "nearly right"},
}  # fmt: skip

#: A line as the page saves it, with a rating.
PAGE = '{{"id": "i0", "task": "direct", "prompt_slot": 2, "output": "{}", "model": "x"}}\n'


def items_file(folder: Path, name: str, n: int = 2) -> Path:
    Image.new("RGB", (60, 40), "teal").save(folder / "a.png")
    lines = [{"id": f"i{number}", "image": "a.png", **ITEMS[name]} for number in range(n)]
    path = folder / "source.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def export(name: str, items: Path | str, out: Path, *more: str) -> list[dict[str, Any]]:
    assert main(["construct", "ratings", "export", name, str(items), "--out", str(out), "--quiet", *more]) == 0
    tasks: list[dict[str, Any]] = json.loads((out / "tasks.json").read_text(encoding="utf-8"))
    return tasks


def annotation(rater: Any, rating: int | None = None, choice: str | None = None, **more: Any) -> dict[str, Any]:
    """An annotation as Label Studio's JSON export has it."""
    result: list[dict[str, Any]] = []
    if rating is not None:
        result.append({"from_name": "rating", "to_name": "shown", "type": "rating", "value": {"rating": rating}})
    if choice is not None:
        result.append({"from_name": "choice", "to_name": "shown", "type": "choices", "value": {"choices": [choice]}})
    return {"id": 1, "completed_by": rater, "result": result, "was_cancelled": False, "lead_time": 3.2, **more}


def exported(path: Path, answers: dict[str, list[dict[str, Any]]]) -> Path:
    tasks = [
        {"id": number, "data": {"item": item}, "annotations": said, "predictions": [], "drafts": []}
        for number, (item, said) in enumerate(answers.items(), 1)
    ]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def receive(name: str, out: Path, *files: Path, more: tuple[str, ...] = ()) -> int:
    words = ["construct", "ratings", "import", name, *map(str, files), "--items", str(out / "items.jsonl")]
    return main([*words, "--out", str(out / "rated"), "--quiet", *more])


def rated(out: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
    lines = [
        [json.loads(line) for line in (out / "rated" / name).read_text(encoding="utf-8").splitlines()]
        for name in ("ratings.jsonl", "kept.jsonl")
    ]
    return lines[0], lines[1], json.loads((out / "rated" / "summary.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_what_is_written_fits_together(tmp_path: Path, name: str) -> None:
    """Every variable of the configuration is in every task, every control names an object; kinds stay hidden."""
    tasks = export(name, items_file(tmp_path, name), tmp_path / "out")
    view = ElementTree.parse(tmp_path / "out" / "config.xml").getroot()
    variables = {e.get("value", "")[1:] for e in view.iter() if e.get("value", "").startswith("$")}
    assert variables and all(variables <= set(task["data"]) for task in tasks)
    names = [e.get("name") for e in view.iter() if e.get("name")]
    assert len(names) == len(set(names))
    objects = {e.get("name") for e in view.iter() if e.tag in ("Text", "Image")}
    assert {e.get("toName") for e in view.iter() if e.get("toName")} <= objects
    assert all(task["data"]["image"].startswith("data:image/jpeg;base64,") for task in tasks)
    text = (tmp_path / "out" / "tasks.json").read_text() + (tmp_path / "out" / "page" / "questions.js").read_text()
    assert "action_alter" not in text


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_label_studio_takes_it(tmp_path: Path, name: str) -> None:
    """Checked by Label Studio's own SDK, which lives in an environment of its own: its pins fit nobody else's."""
    python = os.environ.get("PUNCTUM_LABEL_STUDIO")
    if not python:
        pytest.skip("PUNCTUM_LABEL_STUDIO names no Python with label-studio-sdk")
    export(name, items_file(tmp_path, name), tmp_path / "out")
    said = annotation(-1, 4 if QUESTIONS[name].meanings else None, (*QUESTIONS[name].choices, None)[0])
    for place, result in enumerate(said["result"]):
        result["id"] = f"r{place}"
    (tmp_path / "said.json").write_text(json.dumps(said), encoding="utf-8")
    code = """
import json, sys
from pathlib import Path
from label_studio_sdk.label_interface import LabelInterface
out = Path(sys.argv[1])
interface = LabelInterface((out / "out" / "config.xml").read_text(encoding="utf-8"))
interface.validate()
for task in json.loads((out / "out" / "tasks.json").read_text(encoding="utf-8")):
    assert interface.validate_task(task), task
assert interface.validate_annotation(json.loads((out / "said.json").read_text(encoding="utf-8")))
bad = json.loads((out / "said.json").read_text(encoding="utf-8"))
bad["result"][0]["from_name"] = "nobody"
assert not interface.validate_annotation(bad)
"""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([python, "-c", code, str(tmp_path)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_direct_expressions_are_cut_below_four(tmp_path: Path) -> None:
    export("direct", items_file(tmp_path, "direct", 4), tmp_path / "out")
    file = exported(tmp_path / "project-1.json", {
        "i0": [annotation(7, 5)],
        "i1": [annotation({"id": 7, "email": "a@b.c"}, 3)],
        "i2": [annotation(7, 1, was_cancelled=True)],
        "i3": [annotation(7, 4), annotation(8, 3)],
    })  # fmt: skip
    assert receive("direct", tmp_path / "out", file) == 0
    lines, kept, found = rated(tmp_path / "out")
    assert [line["kept"] for line in lines] == [True, False, None, False]
    assert [line["id"] for line in kept] == ["i0"] and kept[0]["rating"] == 5 and kept[0]["direct"]
    assert lines[1]["ratings"] == [{"rater": "a@b.c", "rating": 3, "choice": None}]
    assert lines[2]["why"] == "0 of 1 answers"
    assert (found["n"], found["n_kept"], found["n_dropped"], found["n_undecided"]) == (4, 1, 2, 1)
    assert found["share_kept"] == pytest.approx(1 / 3) and found["mean_rating"] == pytest.approx((5 + 3 + 3.5) / 3)


def test_five_raters_find_true_negatives(tmp_path: Path) -> None:
    """As the ads paper counts: most raters say negative; positives are counted apart."""
    export("negatives", "pitt_ads/arr", tmp_path / "out", "--sample", "--n", "2")
    items = [json.loads(line) for line in (tmp_path / "out" / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = next(item["id"] for item in items if item["kind"] != "correct")
    answers = {}
    for item in items:
        says = "positive" if item["kind"] == "correct" else "negative"
        words = ["positive"] * 3 + ["negative"] * 2 if item["id"] == wrong else [says] * 5
        answers[item["id"]] = [annotation(rater, choice=word) for rater, word in enumerate(words)]
    assert receive("negatives", tmp_path / "out", exported(tmp_path / "e.json", answers)) == 0
    _, kept, found = rated(tmp_path / "out")
    n_wrong = sum(item["kind"] != "correct" for item in items)
    assert (found["true_negatives"]["n"], found["true_negatives"]["n_negative"]) == (n_wrong, n_wrong - 1)
    assert found["true_negatives"]["by_kind"]["correct"] == {"n": len(items) - n_wrong, "n_negative": 0}
    assert len(kept) == n_wrong - 1 and {"action_alter", "object_swap"} <= {item["kind"] for item in items}
    agreement = found["agreement"]["choice"]
    assert agreement["observed_agreement"] == pytest.approx((len(items) - 1 + 0.4) / len(items))
    assert 0.8 < agreement["fleiss_kappa"] < 1 and agreement["cohen_kappa_lowest"] < agreement["cohen_kappa_highest"]


@pytest.mark.parametrize(("name", "words", "kept"), [
    ("accept", ["accept", "accept"], True),
    ("accept", ["accept", "reject"], False),
    ("inspect", ["drop", "keep"], True),
    ("inspect", ["drop", "drop"], False),
    ("inspect", ["drop"], None),
    ("negatives", ["negative"] * 3 + ["positive"] * 2, True),
    ("negatives", ["negative"] * 3 + ["positive"] * 3, None),
    ("distractor", ["clear"], True),
])  # fmt: skip
def test_words_decide(name: str, words: list[str], kept: bool | None) -> None:
    question = question_of(name)
    said = [Said("i", str(rater), choice=word) for rater, word in enumerate(words)]
    assert decide(question, "i", said, question.raters).kept is kept


@pytest.mark.parametrize(("said", "kept", "choice", "rating"), [
    ([("humor", 3)], True, "humor", 3.0),
    ([("humor", 2)], False, "humor", 2.0),
    ([("humor", 4), ("humor", 2), ("meme", 1)], True, "humor", 3.0),
    ([("humor", 4), ("meme", 5)], None, None, None),
    ([("humor", None)], None, None, None),
])  # fmt: skip
def test_the_chosen_expression_is_rated(
    said: list[tuple[str, int | None]], kept: bool | None, choice: str | None, rating: float | None
) -> None:
    answers = [Said("i", str(rater), number, word) for rater, (word, number) in enumerate(said)]
    found = decide(question_of("indirect"), "i", answers, 1)
    assert (found.kept, found.choice, found.rating) == (kept, choice, rating)


def test_ratings_agree_by_distance() -> None:
    question = question_of("consistency")
    decisions = [
        decide(question, str(i), [Said(str(i), "a", a), Said(str(i), "b", b), Said(str(i), "c", a)], 3)
        for i, (a, b) in enumerate([(5, 4), (1, 2), (4, 4), (2, 2)])
    ]
    found = summary(question, decisions, {})
    assert found["n_kept"] == 4 and found["mean_rating"] == pytest.approx((14 / 3 + 4 / 3 + 4 + 2) / 4)
    assert found["agreement"]["rating"]["cohen_kappa"] > 0.9 > found["agreement"]["rating"]["fleiss_kappa"]


def test_the_page_rates_from_disk(browser: Browser, tmp_path: Path) -> None:
    """Choose and rate by keys, save, import: the same file format for every rater, beside Label Studio's."""
    export("indirect", items_file(tmp_path, "indirect", 1), tmp_path / "out")
    page = browser.page()
    page.open(tmp_path / "out" / "page" / "index.html")
    assert "Ambiguity" in page.text("#intro") and "Humor: b" in page.text(".caption")
    page.press("2")
    page.press("Enter")
    page.press("4")
    browser.saves_to(tmp_path)
    page.type("Ann", into="#rater")
    page.click("#save")
    saved = tmp_path / "ratings-indirect-Ann.jsonl"
    for _ in range(200):
        if saved.is_file():
            break
        page.eval("new Promise(done => setTimeout(done, 50))")
    other = exported(tmp_path / "e.json", {"i0": [annotation("bo", 3, "humor")]})
    assert receive("indirect", tmp_path / "out", saved, other) == 0
    [line], [kept], _ = rated(tmp_path / "out")
    assert [(one["rater"], one["rating"], one["choice"]) for one in line["ratings"]] == [
        ("Ann", 4, "humor"),
        ("bo", 3, "humor"),
    ]
    assert (kept["choice"], kept["rating"], kept["humor"]) == ("humor", 3.5, "b")
    assert page.problems == []


@pytest.mark.parametrize(("text", "message"), [
    ("{}", "no field id, task"),
    ("[{}]", "no data.item"),
    ("[1]", "no list of tasks"),
    ("[", "not JSON"),
    ('[{"data": {"item": "nobody"}, "annotations": [{"completed_by": 1, "result": []}]}]', "no item 'nobody'"),
    ('[{"data": {"item": "i0"}, "annotations": [{"result": []}]}]', "who made it"),
    (json.dumps([{"data": {"item": "i0"}, "annotations": [annotation(1, 6)]}]), "the scale ends at 5"),
    (json.dumps([{"data": {"item": "i0"}, "annotations": [annotation(1, 4, "yes")]}]), "known: none"),
    (json.dumps([{"data": {"item": "i0"}, "annotations": [annotation(1, 4), annotation(1, 5)]}]), "says two things"),
    ('{"id": "i0", "task": "accept", "prompt_slot": 1, "output": "accept", "model": "x"}', "question accept, not"),
    ('[{"data": {"item": "i0"}, "annotations": [1]}]', "no annotations in Label Studio's form"),
    ('[{"data": {"item": "i0"}, "annotations": null}]', "no annotations in Label Studio's form"),
    ('[{"data": {"item": "i0"}, "annotations": [{"completed_by": 1, "result": [1]}]}]', "in Label Studio's form"),
    ("[" * 50_000, "not JSON"),
    (PAGE.format("4") + PAGE.format("5"), "x says two things of i0: 4 and 5"),
    (PAGE.format("5" * 5000), "the rating is '55555555555555555555'"),
])  # fmt: skip
def test_bad_results_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    export("direct", items_file(tmp_path, "direct"), tmp_path / "out")
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    assert receive("direct", tmp_path / "out", tmp_path / "bad.json") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out" / "rated").exists()


def test_what_is_read_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = items_file(tmp_path, "direct").rename(tmp_path / "items.jsonl")
    before = source.read_bytes()
    assert main(["construct", "ratings", "export", "direct", str(source), "--out", str(tmp_path)]) == 2
    assert f"{source} would be written over" in capsys.readouterr().err and source.read_bytes() == before
    export("direct", source, tmp_path / "out")
    (tmp_path / "ratings.jsonl").write_text(PAGE.format("4"), encoding="utf-8")
    words = ["construct", "ratings", "import", "direct", str(tmp_path / "ratings.jsonl"), "--out", str(tmp_path)]
    assert main([*words, "--items", str(tmp_path / "out" / "items.jsonl")]) == 2
    assert "would be written over" in capsys.readouterr().err
    (tmp_path / "twice.jsonl").write_bytes(before + before)
    assert main([*words[:-1], str(tmp_path / "rated"), "--items", str(tmp_path / "twice.jsonl")]) == 2
    assert "the id i0 comes twice" in capsys.readouterr().err


def test_half_a_character_in_an_item(tmp_path: Path) -> None:
    (tmp_path / "i.jsonl").write_text('{"id": "\\ud83d", "direct": "half \\ud83d"}\n', encoding="utf-8")
    [task] = export("direct", tmp_path / "i.jsonl", tmp_path / "out")
    assert task["data"] == {"item": "\ud83d", "direct": "half \ud83d"}


@pytest.mark.parametrize(("line", "message"), [
    ({"direct": "x"}, "no field id"),
    ({"id": "a"}, "no direct"),
    ({"id": "a", "direct": "x", "image": "none.png"}, "no picture"),
])  # fmt: skip
def test_bad_items_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: dict[str, str], message: str
) -> None:
    (tmp_path / "i.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    words = ["construct", "ratings", "export", "direct", str(tmp_path / "i.jsonl"), "--out", str(tmp_path / "out")]
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_a_broken_picture_is_told_and_the_item_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = items_file(tmp_path, "direct")
    (tmp_path / "a.png").write_bytes(b"nonsense")
    tasks = export("direct", path, tmp_path / "out")
    assert len(tasks) == 2 and "image" not in tasks[0]["data"] and "cannot be read" in caplog.text


def test_mvp_questions_are_items_to_accept(tmp_path: Path) -> None:
    tasks = export("accept", "mvp_bench/mcq_single", tmp_path / "out", "--sample", "--n", "2", "--seed", "3")
    again = export("accept", "mvp_bench/mcq_single", tmp_path / "again", "--sample", "--n", "2", "--seed", "3")
    assert tasks == again and all(task["data"]["text"] and task["data"]["answer"] for task in tasks)
    assert export("accept", "mvp_bench/mcq_single", tmp_path / "c", "--sample", "--n", "2", "--seed", "4") != tasks
