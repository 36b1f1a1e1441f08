"""Baselines and replay: answers without a model."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from punctum.evaluators.models import baseline, replay
from punctum.evaluators.models.base import Model, ModelError, ModelOptions
from punctum.records import Generation, Request, Response, Sample, Unit

OPTIONS = ("a hat", "a very large hat", "hat", "two hats")


def ask(number: int = 0, form: Any = "choice", gold: Any = (1,), **fields: Any) -> Request:
    options = fields.pop("options", OPTIONS if form == "choice" else ())
    unit = fields.pop("unit", Unit(f"q{number}", "t"))
    return Request(Sample(unit, form, gold, options), "Which?", **fields)


def answers(model: Model, requests: list[Request], generation: Generation | None = None) -> list[Response]:
    got: dict[int, Response] = {}
    for batch in model.answer(requests, generation or Generation()):
        got.update(batch)
    assert sorted(got) == list(range(len(requests)))
    return [got[index] for index in range(len(requests))]


def said(rule: str, *requests: Request, seed: int = 0) -> list[str]:
    model = baseline.load(rule, ModelOptions())
    assert isinstance(model, Model) and not model.stored
    return [r.text for r in answers(model, list(requests), Generation(seed=seed))]


def test_the_form_of_the_answer() -> None:
    assert said("first", ask()) == ["A"]
    assert said("longest", ask()) == ["B"]
    assert said("shortest", ask()) == ["C"]
    assert said("longest", ask(gold=(0, 2))) == ["1, 3"]
    assert said("first", ask(gold=(0, 2, 3))) == ["0, 1, 2"]
    assert said("first", ask(form="yes_no", gold="no")) == ["yes"]
    assert said("longest", ask(form="labels", gold=("TR1",), options=("TR1", "OIO+"))) == ["OIO+"]
    assert said("longest", ask(form="text", gold=("red",), options=("red", "orange"))) == ["orange"]
    with pytest.raises(ModelError, match="has a text written"):
        said("random", ask(form="text", gold=("a hat",), options=()))
    assert said("first", ask(options=tuple(f"option {n}" for n in range(30)))) == ["A"]


def test_ties_go_to_the_first() -> None:
    assert said("longest", ask(options=("aa", "bb", "c"))) == ["A"]
    assert said("shortest", ask(options=("aa", "b", "c"))) == ["B"]


def test_chance_is_even_repeatable_and_independent_of_the_order() -> None:
    requests = [ask(n) for n in range(4000)]
    first = said("random", *requests)
    assert said("random", *requests[::-1]) == first[::-1]
    assert said("random", *requests, seed=1) != first
    assert said("random", *[replace(r, attempt=1) for r in requests]) != first
    counts = Counter(first)
    assert set(counts) == set("ABCD")
    assert all(abs(count - 1000) < 120 for count in counts.values())
    words = Counter(said("random", *[ask(n, form="yes_no", gold="no") for n in range(4000)]))
    assert abs(words["yes"] - 2000) < 150
    several = [set(text.split(", ")) for text in said("random", *[ask(n, gold=(0, 1)) for n in range(50)])]
    assert all(len(chosen) == 2 and chosen < set("0123") for chosen in several)


def test_each_rotation_and_slot_is_drawn_anew() -> None:
    units = [Unit("q", "t", rotation=r, prompt_slot=s) for r in range(8) for s in range(1, 5)]
    assert len(set(said("random", *[ask(unit=unit) for unit in units]))) == 4


def test_likelihoods_rank_the_options_and_not_their_letters() -> None:
    model = baseline.load("longest", ModelOptions())
    letters = ("A", "B", "C", "D")
    scores = answers(model, [ask(continuations=letters)])[0].scores
    assert scores is not None and scores.index(max(scores)) == 1
    words = answers(model, [ask(form="yes_no", gold="no", continuations=("no", "yes"))])[0].scores
    assert words is not None and words.index(max(words)) == 1


def test_an_unknown_rule() -> None:
    with pytest.raises(ModelError, match="'best' is not known; known: random, first, longest, shortest"):
        baseline.load("best", ModelOptions())


def write(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_replay_gives_each_question_its_line(tmp_path: Path) -> None:
    file = write(
        tmp_path / "p.jsonl",
        {"id": "q1", "output": "anywhere"},
        {"id": "q1", "task": "t", "setting": "lm", "output": "blind"},
        {"id": "q1", "rotation": 2, "output": "turned"},
        {"id": "q1", "prompt_slot": 3, "output": "third"},
        {"question_id": "q2", "text": "  B.\n"},
        {"id": "q3", "output": None, "error": "timeout"},
    )
    model = replay.load(file, ModelOptions())
    assert isinstance(model, Model) and not model.stored
    units = [
        Unit("q1", "t"),
        Unit("q1", "t", setting="lm"),
        Unit("q1", "other", setting="lm"),
        Unit("q1", "t", rotation=2),
        Unit("q1", "t", prompt_slot=3),
        Unit("q2", "t"),
    ]
    got = [response.text for response in answers(model, [ask(unit=unit) for unit in units])]
    assert got == ["anywhere", "blind", "anywhere", "turned", "third", "  B.\n"]
    failed, missing, other = answers(
        model, [ask(unit=Unit(*u)) for u in (("q3", "t"), ("q4", "t"), ("q1", "t", "vlm", 2))]
    )
    assert failed.error == "timeout"
    assert "no line for t q4" in (missing.error or "")
    assert "prompt 2" in (other.error or "")


def test_replay_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such file"):
        replay.load(str(tmp_path / "none.jsonl"), ModelOptions())
    twice = write(tmp_path / "twice.jsonl", {"id": "q", "output": "A"}, {"id": "q", "output": "A"})
    assert answers(replay.load(twice, ModelOptions()), [ask(unit=Unit("q", "t"))])[0].text == "A"
    differs = write(tmp_path / "differs.jsonl", {"id": "q", "output": "A"}, {"id": "q", "output": "B"})
    with pytest.raises(ModelError, match=r"differs\.jsonl:1 and .*differs\.jsonl:2"):
        replay.load(differs, ModelOptions())
    (tmp_path / "cut.jsonl").write_text('{"id": "q", "output": "A"}\n{"id": "q2", "out')
    with pytest.raises(ModelError, match=r"cut\.jsonl:2: .*cut off"):
        replay.load(str(tmp_path / "cut.jsonl"), ModelOptions())
    with pytest.raises(ModelError, match="--scoring generate"):
        answers(replay.load(twice, ModelOptions()), [ask(continuations=("A",))])


def test_the_revision_is_the_files(tmp_path: Path) -> None:
    one = replay.load(write(tmp_path / "a.jsonl", {"id": "q", "output": "A"}), ModelOptions())
    two = replay.load(write(tmp_path / "b.jsonl", {"id": "q", "output": "B"}), ModelOptions())
    assert one.info.revision != two.info.revision
    assert one.info.id == "replay:a.jsonl"
