"""`punctum.evaluator(…).compute`: everything that `punctum run` can be told, with the same signature and scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from punctum.evaluators.models import openai_chat
from punctum.evaluators.models._budget import Budget
from punctum.evaluators.models.base import ModelOptions
from punctum.evaluators.models.loading import load_model
from punctum.jobs import Interrupted
from punctum.records import Generation
from punctum.store import ResponseStore
from tests.fake_server import Asked, FakeServer

VAGUE = ("--setting", "sm", "--limit", "3")


def answer(asked: Asked) -> str:
    """Something that every stage and task can read, and that differs with the model."""
    return "A" if "A." in asked.prompt or "(A)" in asked.prompt else f"Yes, {asked.body['model']} says."


@pytest.fixture(scope="module")
def server() -> Any:
    with FakeServer(answer) as running:
        yield running


def ran(tmp_path: Path, task: str, *words: str) -> dict[str, Any]:
    """The task's entry in `results.json` of a run on the sample."""
    out = tmp_path / "out"
    store = ["--store", str(tmp_path / "store.sqlite"), "--resamples", "0"]
    assert main(["run", task, "--sample", "--out", str(out), "--quiet", "--no-pictures", *store, *words]) == 0
    [found] = json.loads((out / "results.json").read_text(encoding="utf-8"))["tasks"].values()
    return dict(found)


@pytest.mark.parametrize(
    ("task", "words", "given"),
    [
        (
            "deepeval/deep_semantics",
            ["--describe", "self", "--describe-with", "openai:eye@{url}", "--system", "mvp_commonsense",
             "--prompt-slots", "1,3", "--gen", "temperature=0.3", "--shuffle", "--seed", "7", "--limit", "3"],
            {"describe": "self", "describe_with": "openai:eye@{url}", "system": "mvp_commonsense",
             "prompt_slots": [1, 3], "gen": {"temperature": 0.3}, "shuffle": True, "random_state": 7, "limit": 3},
        ),
        (
            "deepeval/title_free",
            ["--judge", "openai:judge@{url}", "--judge-gen", "max_new_tokens=9", "--limit", "4"],
            {"judge": "openai:judge@{url}", "judge_settings": {"max_new_tokens": 9}, "limit": 4},
        ),
        (
            "deepeval/title",
            ["--gen", "paper", "--gen", "max_new_tokens=5", "--limit", "3"],
            {"gen_paper": True, "gen": {"max_new_tokens": 5}, "limit": 3},
        ),
        ("vague/mcq", [*VAGUE, "--caption", "openai:eye@{url}"], {"caption": "openai:eye@{url}"}),
        ("vague/mcq", [*VAGUE, "--caption", "meta", "--cot"], {"caption": "meta", "cot": True}),
        (
            "pitt_ads/arr",
            ["--context", "T_V+s_IN", "--combine-with", "openai:eye@{url}", "--statement-with", "openai:ear@{url}",
             "--negatives", "easy", "--limit", "2"],
            {"context": "T_V+s_IN", "combine_with": "openai:eye@{url}", "statement_with": "openai:ear@{url}",
             "negatives": "easy", "limit": 2},
        ),
    ],
)  # fmt: skip
def test_it_reaches_what_the_command_reaches(
    tmp_path: Path, server: FakeServer, task: str, words: list[str], given: dict[str, Any]
) -> None:
    """The signature says everything that changes a score: of both it must be the same, and so must the scores."""
    model = f"openai:llava-v1.5@{server.url}"
    found = ran(tmp_path, task, "--model", model, *(word.replace("{url}", server.url) for word in words))
    settings = {name: v.replace("{url}", server.url) if isinstance(v, str) else v for name, v in given.items()}
    if task.startswith("vague"):
        settings |= {"setting": "sm", "limit": 3}
    computed = punctum.evaluator(task).compute(model, **settings)
    assert computed["signature"] == found["signature"]
    assert {name: computed[name] for name in found["metrics"]} == found["metrics"]


def test_captions_and_prompts_of_ones_own(tmp_path: Path, server: FakeServer) -> None:
    rows = punctum.load("vague", "all", data_dir=punctum.sample("vague"))
    captions = {row["id"]: f"A caption of {row['id']}." for row in rows}
    file = tmp_path / "captions.jsonl"
    file.write_text("".join(json.dumps({"id": i, "caption": text}) + "\n" for i, text in captions.items()))
    prompts = tmp_path / "prompts"
    (prompts / "vague").mkdir(parents=True)
    (prompts / "vague" / "mcq_sm.jinja").write_text("{{ caption }} A. or B.?")
    ids = sorted(captions)[:2]
    (tmp_path / "ids.txt").write_text("\n".join(ids))
    words = ["--setting", "sm", "--caption", str(file), "--prompts", str(prompts), "--ids", str(tmp_path / "ids.txt")]
    model = f"openai:m@{server.url}"
    found = ran(tmp_path, "vague/mcq", "--model", model, *words)
    computed = punctum.evaluator("vague/mcq").compute(
        model, setting="sm", caption=captions, prompts=prompts, ids=iter(ids)
    )
    assert computed["signature"] == found["signature"] and computed["n"] == 2


def test_options_of_the_answering_model_stay_its_own(server: FakeServer) -> None:
    """`retries` is for servers: a baseline that judges would refuse it."""
    found = punctum.evaluator("deepeval/title_free").compute(
        f"openai:m@{server.url}", judge="baseline:first", model_options=ModelOptions(model_args={"retries": 0}), limit=2
    )
    assert found["n"] == 2 and found["n_failed"] == 0


@pytest.mark.parametrize("in_python", [True, False])
def test_a_model_with_two_parts_is_loaded_once(
    tmp_path: Path, server: FakeServer, monkeypatch: pytest.MonkeyPatch, in_python: bool
) -> None:
    loaded: list[str] = []
    plain = openai_chat.load

    def load(name: str, options: ModelOptions) -> Any:
        loaded.append(name)
        return plain(name, options)

    monkeypatch.setattr(openai_chat, "load", load)
    one, other = f"openai:m@{server.url}", f"openai:eye@{server.url}"
    if in_python:
        punctum.evaluator("pitt_ads/arr").compute(
            one, context="T_V", describe_with=other, combine_with=other, statement_with=one, limit=1
        )
    else:
        words = ["--describe-with", other, "--combine-with", other, "--statement-with", one, "--limit", "1"]
        ran(tmp_path, "pitt_ads/arr", "--model", one, "--context", "T_V", *words)
    assert sorted(loaded) == sorted(spec.removeprefix("openai:") for spec in (one, other))


def test_models_that_are_loaded_are_taken_as_they_are(server: FakeServer) -> None:
    eye = load_model(f"openai:eye@{server.url}")
    found = punctum.evaluator("vague/mcq").compute(
        load_model(f"openai:m@{server.url}"), setting="sm", caption=eye, limit=2
    )
    assert "made_by:caption=eye@" in found["signature"]


def test_drawn_rows_need_no_data() -> None:
    found = punctum.evaluator("vague/person_tags").compute("baseline:first", limit=3)
    assert "|data:drawn|" in found["signature"] and found["n"] == 3


def test_a_budget_ends_it(server: FakeServer) -> None:
    with pytest.raises(Interrupted, match="2 of 3 questions"):
        punctum.evaluator("vague/mcq").compute(
            f"openai:m@{server.url}", limit=3, model_options=ModelOptions(budget=Budget(max_calls=2))
        )


@pytest.mark.parametrize(
    ("task", "given", "message"),
    [
        ("deepeval/title", {"limits": 3}, "option 'limits' is not known.*Did you mean limit?"),
        ("deepeval/title", {"judged": True}, "option 'judged' is not known"),
        ("deepeval/title", {"circular": True}, "no task of deepeval/title has rotations"),
        ("deepeval/title", {"judge": "baseline:first"}, "no task of deepeval/title has its answers judged"),
        ("vague/mcq", {"cot": True, "stop_early": True}, "leave one out"),
        ("vague/mcq", {"data": "nowhere"}, "no folder nowhere"),
        ("vague/mcq", {"prompts": "nowhere"}, "no folder of prompts"),
        ("vague/mcq", {"gen": {"top_k": 1}, "generation": Generation()}, "leave gen"),
        ("vague/mcq", {"caption": {"x": "y"}, "setting": "sm"}, "no caption of"),
        ("deepeval/title", {"caption": "meta"}, "shows no caption"),
    ],
)
def test_what_cannot_be_is_refused(task: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        punctum.evaluator(task).compute("baseline:first", **given)


def test_it_closes_its_store(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr(ResponseStore, "close", lambda self: closed.append(self.path))
    punctum.evaluator("deepeval/title").compute("baseline:first", limit=1)
    assert closed == [":memory:"]
