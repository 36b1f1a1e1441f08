"""Every choice task against a server that answers with each kind of option, with chatter, or with refusals.

The right cells are worked out here from the sample's raw files and from the prompt that the server was sent, without
code of the package. What other files test (ASR's kinds, VAGUE's by the picture, MVP-Bench's yes/no, ...) is left out.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum.cli import main
from punctum.metrics.mpnet_similarity import core
from tests.fake_server import REFUSAL, Asked, FakeServer
from tests.test_runs_pitt_ads import GOLD, SAID, image_of

Kinds = Mapping[str, list[str]]
"""Kind → the letters or numbers of the question's options of that kind."""


def read(bench: str, name: str) -> Any:
    text = (Path(punctum.sample(bench)) / name).read_text(encoding="utf-8")
    return json.loads(text) if text.startswith(("[", "{\n")) else [json.loads(line) for line in text.splitlines()]


def run(tmp_path: Path, answer: Callable[[Asked], str], *words: str) -> dict[str, Any]:
    """The one task's results on the sample."""
    out = tmp_path / "results.json"
    with FakeServer(answer) as server:
        command = ["run", *words, "--sample", "--model", f"openai:m@{server.url}", "--quiet", "--resamples", "0"]
        command += ["--model-arg", "retries=0"]
        assert main([*command, "--store", str(tmp_path / "store.sqlite"), "--json", str(out)]) == 0
    [task] = json.loads(out.read_text(encoding="utf-8"))["tasks"].values()
    return dict(task)


def grouped(shown: Mapping[str, str], kind_of: Callable[[str], str]) -> Kinds:
    """By kind, the marks of the options that are shown."""
    found: dict[str, list[str]] = {}
    for mark, text in shown.items():
        found.setdefault(kind_of(text), []).append(mark)
    return found


def marked(asked: Asked, mark: str) -> dict[str, str]:
    """The options that stand a line each, by what stands before them."""
    return {m[1]: m[2] for m in re.finditer(rf"^{mark} (.+)$", asked.prompt, re.M)}


# WHOOPS!


@cache
def explained() -> dict[bytes, dict[str, str]]:
    """A picture's bytes → its explanations' kinds: the designer's, and the altered ones."""
    folder = Path(punctum.sample("whoops"))
    altered = read("whoops", "hard_negatives.json")
    with (folder / "whoops_dataset.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["image_id"]: row["designer_explanation"] for row in csv.DictReader(file)}
    return {
        path.read_bytes(): {rows[path.stem]: "correct"} | {text: kind for kind, text in altered[path.stem].items()}
        for path in (folder / "whoops_images").iterdir()
    }


def whoops(asked: Asked) -> Kinds:
    """Those of the easy set that are not the picture's own are others' explanations."""
    kinds = explained()[asked.pictures[0]]
    return grouped(marked(asked, r"([A-Z])\)"), lambda text: kinds.get(text, "random"))


# VAGUE

VAGUE_KINDS = {
    "1_correct": "correct",
    "2_fake_scene": "fake_scene",
    "3_surface_understanding": "superficial",
    "4_wrong_entity": "nonexistent_entity",
}


@cache
def readings() -> dict[str, str]:
    return {row["mcq"][key]: kind for row in read("vague", "vague.json") for key, kind in VAGUE_KINDS.items()}


def vague(asked: Asked) -> Kinds:
    assert not asked.pictures
    return grouped(marked(asked, r"([A-D])\)"), lambda text: readings()[text])


# Persuasive atypical ads

WORDS = {
    "action": "action_alter",
    "reason": "reason_alter",
    "adjective": "adjective_alter",
    "object": "object_swap",
    "statement": "statement_alter",
}


@cache
def statements() -> dict[str, str]:
    """True statements' texts → image, altered ones' → kind."""
    found = {}
    for word, kind in WORDS.items():
        for right, options in read("pitt_ads", f"{word}_hard_QA_Combined_Action_Reason_train.json").values():
            found |= dict.fromkeys(set(options) - set(right), kind)
    return found


def ads_hard(asked: Asked) -> Kinds:
    return grouped(marked(asked, r"(\d+):"), lambda text: statements().get(text, "correct"))


def ads_easy(asked: Asked) -> Kinds:
    right: list[str] = read("pitt_ads", "QA_Combined_Action_Reason_train.json")[image_of(asked)][0]
    return grouped(marked(asked, r"(\d+):"), lambda text: "correct" if text in right else "other_image")


# DeepEval and MVP-Bench: wrong options have one kind; each is chosen by its place after the right one.


def deepeval(file: str) -> Callable[[Asked], Kinds]:
    folder = Path(punctum.sample("deepeval"))
    answers = {
        next((folder / "Images").glob(f"{q['Image_ID']}.*")).read_bytes(): q["Answer"]
        for q in read("deepeval", f"{file}_Questions.json")
    }
    return lambda asked: after("ABCD", answers[asked.pictures[0]])


def mvp(asked: Asked) -> Kinds:
    letters = "".join(marked(asked, r"([A-E])\."))
    return after(letters, mvp_answers()[asked.prompt, asked.pictures[0]])


@cache
def mvp_answers() -> dict[tuple[str, bytes], str]:
    folder = Path(punctum.sample("mvp_bench"))
    rows = [*read("mvp_bench", "all_questions.json"), *read("mvp_bench", "mcq_questions.json")]
    return {(row["question"], (folder / row["image"]).read_bytes()): row["answer"] for row in rows}


def after(letters: str, right: str) -> Kinds:
    place = letters.index(right)
    turned = letters[place:] + letters[:place]
    return {"correct": [right], **{f"distractor {i}": [letter] for i, letter in enumerate(turned[1:], 1)}}


@dataclass(frozen=True)
class Case:
    """A task on the sample: the words of its run, how options are told apart, their kinds, how many are asked for."""

    words: str
    kinds_of: Callable[[Asked], Kinds]
    kinds: tuple[str, ...]
    wanted: int = 1


DISTRACTORS = ("distractor 1", "distractor 2", "distractor 3")
CASES = {
    "whoops hard": Case("whoops", whoops, ("random", "verb", "object", "adjective", "causal")),
    "whoops easy": Case("whoops --subset easy", whoops, ("random",)),
    "vague sm": Case("vague --setting sm --caption meta", vague, tuple(VAGUE_KINDS.values())[1:]),
    "vague lm": Case("vague --setting lm", vague, tuple(VAGUE_KINDS.values())[1:]),
    "arr": Case("pitt_ads/arr", ads_hard, tuple(WORDS.values()), 3),
    "arr typical": Case("pitt_ads/arr --subset typical", ads_hard, ("action_alter",), 3),
    "arr easy": Case("pitt_ads/arr --negatives easy", ads_easy, ("other_image",), 3),
    "arr_single easy": Case("pitt_ads/arr_single --negatives easy", ads_easy, ("other_image",)),
    "arr_single typical": Case("pitt_ads/arr_single --subset typical", ads_hard, ("reason_alter",)),
    "description": Case("deepeval/description", deepeval("Descripion"), DISTRACTORS),
    "title": Case("deepeval/title", deepeval("Title"), DISTRACTORS),
    "deep semantics": Case("deepeval/deep_semantics", deepeval("DeepSemantics"), DISTRACTORS),
    "mcq_single": Case("mvp_bench/mcq_single", mvp, DISTRACTORS),
    "mcq_cross": Case("mvp_bench/mcq_cross", mvp, DISTRACTORS),
}


def chatter(marks: list[str]) -> str:
    return f"Let me look at all of them first.\n\nThe answer is **{', '.join(marks)}**, as anybody can see."


@pytest.mark.parametrize(
    ("name", "kind"), [(n, k) for n, c in CASES.items() for k in ("correct", *c.kinds, "chatter", "refusal")]
)
def test_each_kind_of_answer_gives_its_cells(tmp_path: Path, name: str, kind: str) -> None:
    case = CASES[name]

    def answer(asked: Asked) -> str:
        kinds = case.kinds_of(asked)
        assert set(kinds) >= {"correct", *case.kinds}
        right = kinds["correct"][: case.wanted]
        if kind in kinds:
            return ", ".join(kinds[kind][: case.wanted])
        return REFUSAL if kind == "refusal" else chatter(right)

    found = run(tmp_path, answer, *case.words.split())
    n, is_right = found["n"], kind in ("correct", "chatter")
    assert n > 2
    assert found["n_failed"] == 0
    assert found["n_unparsed"] == (n if kind == "refusal" else 0)
    metrics = found["metrics"]
    headline = [m for m in metrics if m in ("accuracy", "average", "prec_at_3", "top_1_accuracy", "accuracy_slot_3")]
    assert headline
    assert {metrics[m] for m in headline} == {float(is_right)}
    answered = "average_answered" if "average" in metrics else "accuracy_answered"
    assert metrics[answered] == (None if kind == "refusal" else float(is_right))
    if (chosen := found["breakdowns"].get("chosen_kinds")) is not None:
        published = "correct" if is_right else kind.partition(" ")[0]
        wanted = {} if kind == "refusal" else {published: n * case.wanted}
        assert {k: count for k, count in chosen.items() if count} == wanted
    if "failure_modes" in found["breakdowns"]:
        short = {"fake_scene": "FS", "superficial": "SU", "nonexistent_entity": "NE"}
        assert found["breakdowns"]["failure_modes"] == {m: n * (short.get(kind) == m) for m in short.values()}
        assert metrics["n_valid"] == n * (kind != "refusal")


@pytest.mark.parametrize("name", CASES)
def test_all_sorts_of_answers_together(tmp_path: Path, name: str) -> None:
    """By the length of the question: right, one of each wrong kind, chatter, refused; each cell is a count of these."""
    case = CASES[name]
    sorts = ("correct", *case.kinds, "chatter", "refusal")
    said: dict[tuple[str, tuple[str, ...]], str] = {}

    def answer(asked: Asked) -> str:
        sort = sorts[sum(map(len, [asked.prompt, *asked.pictures])) % len(sorts)]
        said[asked.key] = sort
        kinds = case.kinds_of(asked)
        right = kinds["correct"][: case.wanted]
        if sort in kinds:
            return ", ".join(kinds[sort][: case.wanted])
        return REFUSAL if sort == "refusal" else chatter(right)

    found = run(tmp_path, answer, *case.words.split())
    n = len(said)
    assert found["n"] == n
    right = sum(sort in ("correct", "chatter") for sort in said.values())
    refused = list(said.values()).count("refusal")
    assert found["n_unparsed"] == refused
    key = "average" if "average" in found["metrics"] else "accuracy"
    assert found["metrics"][key] == pytest.approx(right / n)
    if refused < n:
        assert found["metrics"][f"{key}_answered"] == pytest.approx(right / (n - refused))


# Labels


@pytest.mark.parametrize(
    "form",
    [
        "[{{'1': '{}'}}]",
        "['{}']",
        "The category is {}.",
        '```json\n[{{"1": "{}"}}]\n```\nThat is because of the texture.',
        "**{}**",
    ],
)
@pytest.mark.parametrize("label", ["TR1", "TR2", "OIO", "OR", "NA"])
def test_mac_reads_each_label_in_any_form(tmp_path: Path, form: str, label: str) -> None:
    """On typical images, of which NA alone is true."""
    found = run(tmp_path, lambda asked: form.format(label), "pitt_ads/mac", "--subset", "typical")
    assert found["n"] > 2
    assert (found["n_unparsed"], found["n_failed"]) == (0, 0)
    right = float(label == "NA")
    metrics = found["metrics"]
    assert metrics["subset_accuracy"] == metrics["subset_accuracy_without_na"] == right
    assert metrics["precision_macro"] == metrics["recall_macro"] == metrics["f1_macro"] == pytest.approx(right / 5)
    assert metrics["f1_macro_without_na"] == 0


# Objects


class Words:
    """Stands in for the encoder of sentences: a sentence is its words and pairs of words, counted."""

    max_seq_length = 100

    def tokenizer(self, texts: list[str]) -> dict[str, list[list[str]]]:
        return {"input_ids": [text.split() for text in texts]}

    def encode(self, texts: list[str], **how: Any) -> Any:
        import numpy as np

        bags = [bag(text) for text in texts]
        parts = sorted(set().union(*bags))
        return np.array([[float(counted[part]) for part in parts] for counted in bags])


def bag(text: str) -> Counter[str]:
    words = text.casefold().strip(".").split()
    return Counter([*words, *map(" ".join, itertools.pairwise(words))])


def cosine(left: str, right: str) -> float:
    a, b = bag(left), bag(right)
    return sum(a[part] * b[part] for part in a) / math.sqrt(
        sum(v * v for v in a.values()) * sum(v * v for v in b.values())
    )


FILLED: dict[str, Callable[[str, str], tuple[str, str] | None]] = {
    "gold": lambda first, second: (first, second),
    "swapped": lambda first, second: (second, first),
    "second wrong": lambda first, second: (first, "old umbrella"),
    "both wrong": lambda first, second: ("old umbrella", "cup of tea"),
    "refusal": lambda first, second: None,
}
WRITTEN: dict[str, Callable[[str, str, str], str]] = {
    "sentence": lambda said, first, second: said.format(f"<{first}>", f"<{second}>"),
    "plain": lambda said, first, second: said.format(first, second),
    "lines": lambda said, first, second: f"<object1>: <{first}>\n<object2>: <{second}>",
    "chatter": lambda said, first, second: f"Sure! Here it is:\n\n{said.format(f'<{first}>', f'<{second}>')}",
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("filled", FILLED)
def test_aor_by_what_is_filled_in(tmp_path: Path, filled: str, written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an encoder whose cosines can be worked out by hand; the real one is tested where it is at hand."""
    monkeypatch.setattr(core, "load_model", lambda name, device: Words())

    def answer(asked: Asked) -> str:
        label, *objects = GOLD[image_of(asked)]
        chosen = FILLED[filled](*objects)
        return REFUSAL if chosen is None else WRITTEN[written](SAID[label], *chosen)

    found = run(tmp_path, answer, "pitt_ads/aor")
    cosines = []
    for label, *objects in GOLD.values():
        chosen = FILLED[filled](*objects)
        cosines.append(0.0 if chosen is None else cosine(SAID[label].format(*chosen), SAID[label].format(*objects)))
    assert found["n"] == len(cosines)
    assert found["n_unparsed"] == (len(cosines) if filled == "refusal" else 0)
    assert found["metrics"]["mpnet_similarity"] == pytest.approx(sum(cosines) / len(cosines))
    for threshold in (0.7, 0.6, 0.5):
        share = sum(c > threshold for c in cosines) / len(cosines)
        assert found["metrics"][f"share_above_{threshold:g}"] == pytest.approx(share)
