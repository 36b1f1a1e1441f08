"""Prompts: the published bytes, strictness, and text that stays text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punctum import load
from punctum.evaluators import deepeval, mvp_bench
from punctum.evaluators.options import Options
from punctum.prompts import Prompts

PROMPTS = Prompts()


@pytest.mark.shared
def test_deepeval_prompts_are_the_published_bytes(shared: Path) -> None:
    folder = shared / "data" / "deepeval"
    files = {"description": "Descripion", "title": "Title", "deep_semantics": "DeepSemantics"}
    for task in deepeval.BENCHMARK.tasks:
        if task.generative:  # the paper gives no prompts
            continue
        lines = (folder / f"{files[task.name]}_Questions.json").read_bytes().decode().split("\r\n")
        published = {q["Image_ID"]: q for q in map(json.loads, filter(None, lines))}
        options = Options(setting="lm")

        def rows(config: str) -> object:
            return load("deepeval", config, data_dir=folder, images="skip", strip_options=False)

        n = 0
        for sample in task.samples(rows, options):
            question = published[sample.unit.id]
            prompt = question[f"Prompt_{sample.unit.prompt_slot}"].format(*question["Options"].values())
            assert task.request(sample, options).prompt == prompt
            n += 1
        assert n == 3 * 1001


@pytest.mark.shared
def test_mvp_bench_prompts_are_the_published_bytes(shared: Path) -> None:
    folder = shared / "data" / "mvp_bench"
    published: dict[tuple[str, int | None], str] = {}
    for name in ("all_questions.json", "mcq_questions.json"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            published[mvp_bench.address(row["question_id"])] = row["question"]

    def rows(config: str, **kwargs: object) -> object:
        return load("mvp_bench", config, data_dir=folder, **kwargs)

    options = Options(circular=True)
    seen = {}
    for task in mvp_bench.BENCHMARK.tasks:
        for sample in task.samples(rows, options):
            seen[(sample.unit.id, sample.unit.rotation)] = task.request(sample, options).prompt
    assert len(seen) == 1872 + 4359
    assert seen == published


HOSTILE = ["{{ 7 * 7 }}", "{% raw %}", "{# gone? #}", "{0} {name} {}", "<image>", "a\nb", "%s", "${x}", "\\boxed{B}"]


@pytest.mark.parametrize("name", ["mvp_bench/choice", "deepeval/slot_1", "deepeval/slot_2", "deepeval/slot_3"])
def test_text_in_data_stays_text(name: str) -> None:
    fields = {"question": HOSTILE[0], "instruction": HOSTILE[1], "kind": "title", "kind_in_slot_1": "best title"}
    prompt = PROMPTS.render(name, options=HOSTILE, **fields)
    for text in HOSTILE:
        assert text in prompt


def test_more_options_than_letters() -> None:
    options = [str(i) for i in range(28)]
    prompt = PROMPTS.render("mvp_bench/choice", question="Which?", instruction="Go.", options=options)
    assert "\nZ. 25\nAA. 26\nAB. 27\nGo." in prompt


def test_a_missing_field_is_named() -> None:
    with pytest.raises(ValueError, match=r"choice\.jinja.*'instruction' is undefined.*it may use options, question"):
        PROMPTS.render("mvp_bench/choice", question="Which?", options=[])


def test_an_unknown_prompt_names_the_known() -> None:
    with pytest.raises(ValueError, match=r"no prompt 'mvp_bench/chioce'; known: .*mvp_bench/choice"):
        PROMPTS.render("mvp_bench/chioce")


def test_ones_own_folder_comes_first(tmp_path: Path) -> None:
    (tmp_path / "mvp_bench").mkdir()
    (tmp_path / "mvp_bench" / "yes_no.jinja").write_text("{# Source: ours. #}\nSo: {{ question }}\n")
    own = Prompts(tmp_path)
    assert own.render("mvp_bench/yes_no", question="is it?").strip() == "So: is it?"
    assert own.source("mvp_bench/yes_no") == "Source: ours."
    assert own.hash("mvp_bench/yes_no") != PROMPTS.hash("mvp_bench/yes_no")
    assert own.hash("mvp_bench/choice") == PROMPTS.hash("mvp_bench/choice")
    with pytest.raises(ValueError, match="no folder of prompts"):
        Prompts(tmp_path / "none")


def test_the_sandbox_holds(tmp_path: Path) -> None:
    (tmp_path / "evil.jinja").write_text("{{ options.__class__.__mro__ }}")
    with pytest.raises(ValueError, match="evil"):
        Prompts(tmp_path).render("evil", options=[])


def test_every_prompt_says_where_its_words_are_from() -> None:
    for name in PROMPTS.names():
        assert len(PROMPTS.source(name)) > 20, name
