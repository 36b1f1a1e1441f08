"""VAGUE's free answers and person tags from the command line, against cells computed by hand; papers' settings."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from punctum.evaluators import vague_free
from punctum.evaluators.models.base import ModelOptions
from punctum.evaluators.models.loading import load_model
from punctum.evaluators.reading import read_text
from punctum.metrics.bert_f1.core import bert_f1
from tests import tiny_models
from tests.fake_server import REFUSAL, Asked, FakeServer
from tests.test_runs_judge import run

ROWS: list[dict[str, Any]] = json.loads((Path(punctum.sample("vague")) / "vague.json").read_text(encoding="utf-8"))
GOLD = {row["image_name"]: row["mcq"]["1_correct"] for row in ROWS}
COT = (
    "Your answer1 (reasoning): Let's think step by step. Answer 2 comes later.\n"
    "**Your answer2 (intention):** The speaker wants person1 to wait."
)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small BERT with random weights: its scores mean nothing, but equal texts score 1."""
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("bert")
    tokens = tiny_models.tokenizer()
    config = BertConfig(
        vocab_size=len(tokens), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    )
    tokens.save_pretrained(folder)
    BertModel(config).save_pretrained(folder)
    return str(folder)


def row_of(asked: Asked) -> dict[str, Any]:
    return next(row for row in ROWS if f"Utterance: {row['indirect']}\n" in asked.prompt)


def unigrams(text: str, reference: str) -> float:
    """BLEU-1 by hand: clipped matches, brevity penalty; full stops and commas are words of their own."""

    def split(words: str) -> list[str]:
        return words.replace(".", " .").replace(",", " ,").split()

    said, gold = split(text), split(reference)
    matches = sum((Counter(said) & Counter(gold)).values())
    return matches / len(said) * min(1.0, math.exp(1 - len(gold) / len(said)))


SAID = "The speaker wants person1 to turn off the noise."
LONG = "I think that " + " ".join(["the speaker wants something else"] * 4) + "."


@pytest.mark.parametrize("setting", ["vlm", "sm", "lm"])
def test_free_answers_score_what_they_share_with_the_right_reading(tmp_path: Path, encoder: str, setting: str) -> None:
    """By row: the right reading, another, an empty answer, and one too long that begins otherwise."""
    place = {row["image_name"]: i for i, row in enumerate(ROWS)}

    def answer(asked: Asked) -> str:
        row = row_of(asked)
        assert len(asked.pictures) == (setting == "vlm")
        assert (f"Scene description: {row['meta']['caption']}\n" in asked.prompt) == (setting == "sm")
        person = row["solution"].strip("()").split(",")[0]
        assert f'(begin the sentence with "The speaker wants {person} to...")' in asked.prompt
        assert "must not exceed 15 words" in asked.prompt
        gold = row["mcq"]["1_correct"]
        return (f'"{gold}"', SAID, "<think>Hm.</think>\n", LONG)[place[row["image_name"]] % 4]

    with FakeServer(answer) as server:
        words = ["vague", "--generative", "--sample", "--model", f"openai:m@{server.url}", "--setting", setting]
        words += ["--similarity-model", encoder, "--caption", "meta" if setting == "sm" else "self"]
        code, tasks, lines = run(tmp_path, *words)
    assert code == 0
    n = len(ROWS)
    task = tasks["free_form"]
    assert [line["parsed"] for line in lines[:4]] == [GOLD[lines[0]["id"]], SAID, None, LONG]
    golds = [GOLD[line["id"]] for line in lines]
    outputs = [(gold, SAID, "", LONG)[i % 4] for i, gold in enumerate(golds)]
    pairs = list(zip(outputs, golds, strict=True))
    bleu = [unigrams(text, gold) if text else 0.0 for text, gold in pairs]
    assert set(bleu[::4]) == {1.0}
    assert task["metrics"]["bleu_1"] == pytest.approx(sum(bleu) / n)
    assert task["metrics"]["bleu_1_answered"] == pytest.approx(sum(bleu) / (n - len(outputs[2::4])))
    bert = [bert_f1([text], [gold], encoder)["bert_f1"] if text else 0.0 for text, gold in pairs]
    assert bert[::4] == pytest.approx([1.0] * len(bert[::4]))
    assert task["metrics"]["bert_f1"] == pytest.approx(sum(bert) / n, abs=1e-6)
    assert (task["n"], task["n_unparsed"], task["n_failed"]) == (n, len(outputs[2::4]), 0)
    person1 = sum(row["solution"].startswith("(person1,") for row in ROWS[1::4])
    others = len(outputs[3::4]) + len(outputs[1::4]) - person1
    asked_for = task["breakdowns"]["not_as_asked"]
    assert asked_for["longer than 15 words"] == len(outputs[3::4]) + sum(len(g.split()) > 15 for g in golds[::4])
    assert asked_for["another opening"] == others
    films = [value for line, value in zip(lines, bleu, strict=True) if "@" in line["id"]]
    assert task["breakdowns"]["by_group"]["vcr"]["bleu_1"] == pytest.approx(sum(films) / len(films))
    assert f"|similarity:{encoder}|" in task["signature"]
    low, high = task["intervals"]["bleu_1"]
    assert low <= task["metrics"]["bleu_1"] <= high

    file = tmp_path / "score.json"
    words = ["score", "vague", "--generative", "--sample", "--predictions", str(tmp_path / "out/predictions.jsonl")]
    assert main([*words, "--similarity-model", encoder, "--json", str(file), "--quiet"]) == 0
    again = json.loads(file.read_text())["tasks"]["free_form"]
    assert again["metrics"] == task["metrics"]
    assert again["breakdowns"] == task["breakdowns"]


@pytest.mark.parametrize("setting", ["vlm", "sm"])
def test_a_chain_of_thought_is_scored_by_its_second_answer(tmp_path: Path, encoder: str, setting: str) -> None:
    with FakeServer(COT) as server:
        words = ["vague/free_form", "--sample", "--limit", "2", "--model", f"openai:m@{server.url}", "--cot"]
        words += ["--setting", setting, "--caption", "meta" if setting == "sm" else "self"]
        code, tasks, lines = run(tmp_path, *words, "--similarity-model", encoder)
    assert code == 0
    assert [line["parsed"] for line in lines] == ["The speaker wants person1 to wait."] * 2
    assert all(asked.body["max_tokens"] == 512 for asked in server.asked)
    assert all("Let's think step by step." in asked.prompt for asked in server.asked)
    first, second = (unigrams("The speaker wants person1 to wait.", GOLD[line["id"]]) for line in lines)
    assert tasks["free_form"]["metrics"]["bleu_1"] == pytest.approx((first + second) / 2)


def test_what_cannot_be_scored_is_not_asked(tmp_path: Path, encoder: str, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeServer(SAID) as server:
        words = ("vague/free_form", "--sample", "--model", f"openai:m@{server.url}")
        assert run(tmp_path, *words, "--similarity-model", str(tmp_path / "nothing"))[0] == 2
        assert "--similarity-model names another" in capsys.readouterr().err
        words = (*words, "--similarity-model", encoder)
        assert run(tmp_path, *words, "--cot", "--setting", "lm")[0] == 2
        assert run(tmp_path, *words, "--scoring", "likelihood")[0] == 2
        assert "has its answer written" in capsys.readouterr().err
        assert run(tmp_path, *words, "--parser", "paper")[0] != 0
        assert "published no extraction" in capsys.readouterr().err
        assert run(tmp_path, *words, "--judge", "baseline:first")[0] == 2
    words = ("vague/free_form", "--sample", "--model", "baseline:random", "--similarity-model", encoder)
    assert run(tmp_path, *words)[0] == 1
    assert "baseline:random ranks options, and free_form has a text written" in capsys.readouterr().err


def test_without_what_scores_texts_nothing_is_asked(
    tmp_path: Path, encoder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(vague_free, "find_spec", lambda name: None if name == "sacrebleu" else object())
    with FakeServer("A text.") as server:
        words = ("vague/free_form", "--sample", "--model", f"openai:m@{server.url}", "--similarity-model", encoder)
        assert run(tmp_path, *words)[0] == 2
        assert not server.asked
    assert 'sacrebleu must be there: pip install "punctum[metrics]"' in capsys.readouterr().err


@pytest.mark.weights
def test_the_real_sample_with_a_real_encoder(tmp_path: Path, mpnet: Path) -> None:
    """Two real sentences: nearer in meaning is nearer in score."""
    near, far = "The speaker wants person1 to close the tap.", "Bananas are yellow."
    found = {}
    for name, text in (("near", near), ("far", far)):
        with FakeServer(text) as server:
            words = ["vague/free_form", "--sample", "--limit", "1", "--model", f"openai:m@{server.url}"]
            _, tasks, _ = run(tmp_path, *words, "--similarity-model", str(mpnet), out=name)
        found[name] = tasks["free_form"]["metrics"]["bert_f1"]
    assert found["near"] > found["far"] + 0.2


def test_person_tags_need_no_data_and_are_counted_by_number_of_people(tmp_path: Path) -> None:
    """Of ten people all shirts are named right, of five another person's, of two none or two."""
    from punctum._datasets import load

    rows = {row["image"]["bytes"]: row for row in _undecoded(load("vague", "person_tags"))}

    def answer(asked: Asked) -> str:
        row = rows[asked.pictures[0]]
        assert asked.prompt == row["question"]
        [right] = row["references"]
        other = next(shirt for shirt in row["shirts"] if shirt != right)
        return {"10": f"The shirt is {right}.", "5": other.title(), "2": f"{right} and {other}"}[row["category"]]

    with FakeServer(answer) as server:
        code, tasks, lines = run(tmp_path, "vague/person_tags", "--model", f"openai:m@{server.url}")
        assert code == 0
        task = tasks["person_tags"]
        assert task["n"] == 30
        assert task["metrics"] == {"accuracy": pytest.approx(1 / 3), "accuracy_answered": pytest.approx(1 / 2)}
        assert task["n_unparsed"] == 10
        assert task["breakdowns"]["by_people"] == {
            "2": {"accuracy": 0, "n": 10},
            "5": {"accuracy": 0, "n": 10},
            "10": {"accuracy": 1, "n": 10},
        }
        assert "|data:drawn|" in task["signature"]
        assert {line["rule"] for line in lines if line["parsed"] is None} == {"ambiguous"}
        code, tasks, _ = run(
            tmp_path, "vague/person_tags", "--subset", "10", "--model", f"openai:m@{server.url}", out="10"
        )
        assert tasks["person_tags"]["metrics"]["accuracy"] == 1
        assert tasks["person_tags"]["n"] == 10
        assert len(server.asked) == 30

    file = tmp_path / "score.json"
    words = ["score", "vague/person_tags", "--predictions", str(tmp_path / "out/predictions.jsonl")]
    assert main([*words, "--json", str(file), "--quiet"]) == 0
    assert json.loads(file.read_text())["tasks"]["person_tags"]["metrics"] == task["metrics"]

    code, tasks, lines = run(tmp_path, "vague/person_tags", "--model", "baseline:random", out="chance")
    assert code == 0
    assert tasks["person_tags"]["n_unparsed"] == 0
    assert tasks["person_tags"]["metrics"]["accuracy"] < 0.4  # one of ten colours by chance


def _undecoded(rows: Any) -> Any:
    import datasets

    return rows.cast_column("image", datasets.Image(decode=False))


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("Red", "red"),
        ("The shirt is not red, it is blue.", "blue"),
        ("**Dark green**.", "green"),
        ("red and blue", None),
        ("reddish", None),
        (REFUSAL, None),
        ("", None),
        ("<think>red", None),
    ],
)
def test_one_colour_is_read_out_of_an_answer(words: str, read: str | None) -> None:
    assert read_text(words, ("red", "green", "blue")).value == read


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (' "The speaker wants rest." ', "The speaker wants rest."),
        ("**A title**", "A title"),
        ("```\nA title\n```", "A title"),
        ('"One" or "two"', '"One" or "two"'),
        ("*One* and *two*", "*One* and *two*"),
        ("<think>What?</think> A title", "A title"),
        ("“Quoted”", "Quoted"),
        ("A\n\ntitle", "A\n\ntitle"),
        ("<think>What?", None),
        (" \n", None),
        ('""', None),
    ],
)
def test_a_text_is_read_without_what_stands_around_it(output: str, text: str | None) -> None:
    assert read_text(output).value == text


@pytest.mark.parametrize(
    ("bench", "name", "wanted"),
    [
        ("deepeval/title", "llava-hf/llava-1.5-7b-hf", "temperature=0.2,top_p=1,top_k=None,seed=0"),
        ("deepeval/title", "liuhaotian/llava-v1.5-13b", "temperature=0.2,top_p=1,top_k=None,seed=0"),
        ("deepeval/title", "MiniGPT-4", "temperature=1,top_p=1,top_k=None,seed=0"),
        ("deepeval/title", "MAGAer13/mplug-owl2-llama2-7b", "temperature=0.7,top_p=1,top_k=None,seed=0"),
        ("deepeval/title", "THUDM/cogvlm-chat-hf", "temperature=0.4,top_p=0.8,top_k=1,seed=0"),
        ("deepeval/title", "THUDM/cogvlm2-llama3-chat-19B", None),
        ("deepeval/title", "llava-hf/llava-v1.6-vicuna-7b-hf", None),
        ("deepeval/title", "gpt-4-vision-preview", None),
        ("pitt_ads/asr", "gpt-4", "temperature=0"),
        ("pitt_ads/asr", "lmsys/vicuna-13b-v1.5", "temperature=0"),
        ("pitt_ads/asr", "llava-v1.6-vicuna-13b", None),
        ("pitt_ads/asr", "minigpt4-vicuna-13b", None),
        ("whoops", "gpt-3.5-turbo", "temperature=0"),
        ("mvp_bench/mcq_single", "anything", "temperature=0"),
    ],
)
def test_the_papers_settings_by_family(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bench: str, name: str, wanted: str | None
) -> None:
    with FakeServer("A") as server:
        words = (bench, "--sample", "--limit", "1", "--model", f"openai:{name}@{server.url}", "--resamples", "0")
        code, tasks, _ = run(tmp_path, *words, "--gen", "paper", "--gen", "max_new_tokens=7")
    if wanted is None:
        assert code == 2
        assert f"prints no generation settings for {name}" in (said := capsys.readouterr().err)
        assert ("MiniGPT-4" in said) == bench.startswith("deepeval")
        assert not server.asked
        return
    assert code == 0
    [task] = tasks.values()
    assert f"|generation:max_new_tokens=7,{wanted}|" in task["signature"]
    assert server.asked[0].body["max_tokens"] == 7
    assert server.asked[0].body["temperature"] == float(wanted.partition("=")[2].partition(",")[0])


def test_a_folder_shows_its_family_by_its_architecture(tmp_path: Path) -> None:
    from punctum.evaluators.deepeval import BENCHMARK
    from punctum.evaluators.paper_settings import paper_settings

    sample = load_model("punctum:sample", ModelOptions())
    assert paper_settings(BENCHMARK, sample) == {"temperature": 0.2}
    text = load_model(f"text:{tiny_models.save_llama(tmp_path / 'llama')}", ModelOptions())
    with pytest.raises(ValueError, match=r"LLaVA-1\.5, MiniGPT-4, mPLUG-Owl2, CogVLM"):
        paper_settings(BENCHMARK, text)
