"""The ads tasks from the command line, against what the sample's raw files say, read without code of the package."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum._datasets import load
from punctum.cli import main
from punctum.evaluators import ads_scores, pitt_ads
from punctum.evaluators.ads_context import possible_statements
from punctum.evaluators.counting import Meter
from punctum.evaluators.models.base import Batch, ModelOptions
from punctum.evaluators.models.loading import load_model
from punctum.evaluators.options import Options
from punctum.evaluators.reading import predict, read_numbered
from punctum.evaluators.stages import Cast
from punctum.jobs import Job
from punctum.records import Generation, ModelInfo, Prediction, Request, Response
from punctum.runs import run_task
from tests.fake_server import REFUSAL, Asked, FakeServer

FOLDER = Path(punctum.sample("pitt_ads"))
CODES = {"1": "TR1", "2": "TR2", "3": "OIO", "8": "OR", "0": "NA", "Regular_Object": "NA"}
SAID = {
    "TR1": "The surface of {} mimics the texture of {}, while retaining its original structure.",
    "TR2": "{} appears to be composed of numerous, smaller instances of {}, altering its texture.",
    "OIO": "{} is visibly located within {}, in an unconventional manner.",
    "OR": "{} completely replaces {} in its usual context, assuming its function or position.",
}
WORDS = {
    "action": "action_alter",
    "reason": "reason_alter",
    "adjective": "adjective_alter",
    "object": "object_swap",
    "statement": "statement_alter",
}


def document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


def annotated() -> dict[str, list[tuple[str, str, str]]]:
    """Image → (label, primary, secondary) of its annotators, codes outside the five left out."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    with (FOLDER / "final_csv.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["category"] in CODES:
                said = CODES[row["category"]], row["first_explaination"], row["second_explanation"]
                found.setdefault(row["image_url"], []).append(said)
    return found


TRAIN: dict[str, list[str]] = {i: v[0] for i, v in document("QA_Combined_Action_Reason_train.json").items()}
SEEN = {image: said for image, said in annotated().items() if image in TRAIN}
ATYPICAL = {image: said for image, said in SEEN.items() if any(label != "NA" for label, _, _ in said)}
GOLD = {
    image: next(s for s in said if s[0] in SAID and all(3 <= len(word) <= 50 for word in s[1:]))
    for image, said in ATYPICAL.items()
}
STATEMENT = {image: SAID[label].format(first, second) for image, (label, first, second) in GOLD.items()}
KIND_OF = {
    text: kind
    for word, kind in WORDS.items()
    for entry in document(f"{word}_hard_QA_Combined_Action_Reason_train.json").values()
    for text in set(entry[1]) - set(entry[0])
}


def run(tmp_path: Path, *words: str, out: str = "out") -> tuple[int, dict[str, Any]]:
    folder = tmp_path / out
    code = main(["run", *words, "--store", str(tmp_path / "store.sqlite"), "--out", str(folder), "--quiet"])
    results = folder / "results.json"
    return code, json.loads(results.read_text())["tasks"] if code == 0 else {}


def ask(tmp_path: Path, task: str, answer: Any, *words: str, out: str = "out") -> tuple[dict[str, Any], list[Asked]]:
    """A task's results on the sample against a server, and what the server was asked."""
    with FakeServer(answer) as server:
        code, found = run(
            tmp_path, f"pitt_ads/{task}", "--sample", "--model", f"openai:m@{server.url}", *words, out=out
        )
    assert code == 0
    return found[task], server.asked


def options_of(asked: Asked) -> list[str]:
    """The options, which are numbered from 0."""
    lines = [line.partition(": ") for line in asked.prompt.splitlines()]
    found = [text for number, mark, text in lines if mark and number.isdecimal()]
    assert [number for number, mark, _ in lines if mark and number.isdecimal()] == [str(i) for i in range(len(found))]
    return found


PICTURES = {
    hashlib.sha256(p.read_bytes()).hexdigest(): f"{p.parent.name}/{p.name}" for p in FOLDER.glob("*_images/*/*")
}


def image_of(asked: Asked) -> str:
    [picture] = asked.pictures
    return PICTURES[hashlib.sha256(picture).hexdigest()]


def about_objects(asked: Asked, fits: Callable[[str, str], bool]) -> str:
    """The answer that chooses the first option that fits, given the image."""
    image = image_of(asked)
    return f"Answer: {next(i for i, text in enumerate(options_of(asked)) if fits(image, text))}"


def swapped(image: str, text: str) -> bool:
    label, first, second = GOLD[image]
    return text == SAID[label].format(second, first)


def in_wrong_relation(image: str, text: str) -> bool:
    given = {label for label, _, _ in ATYPICAL[image]}
    return text in [SAID[r].format(*GOLD[image][1:]) for r in SAID if r not in given]


def of_other_objects(image: str, text: str) -> bool:
    label = GOLD[image][0]
    pairs = [(a, b) for other, said in ATYPICAL.items() if other != image for _, a, b in said]
    everyone = [(a, b) for said in annotated().values() for _, a, b in said if a and b]
    return text in [SAID[label].format(*p) for a, b in (*pairs, *everyone) for p in ((a, b), (b, a))] and (
        text != STATEMENT[image] and not swapped(image, text)
    )


@pytest.mark.parametrize(
    ("kind", "fits"),
    [
        ("correct", lambda image, text: text == STATEMENT[image]),
        ("swapped", swapped),
        ("wrong_relation", in_wrong_relation),
        ("wrong_object", of_other_objects),
    ],
)
def test_asr_counts_each_kind_of_statement(tmp_path: Path, kind: str, fits: Callable[[str, str], bool]) -> None:
    found, asked = ask(tmp_path, "asr", lambda asked: about_objects(asked, fits))
    n = len(ATYPICAL)
    assert (found["n"], found["n_unparsed"], found["n_failed"]) == (n, 0, 0)
    assert found["metrics"]["accuracy"] == (kind == "correct")
    assert {k: v for k, v in found["breakdowns"]["chosen_kinds"].items() if v} == {kind: n}
    assert all(len(a.pictures) == 1 and "Context:" not in a.prompt for a in asked)


@pytest.mark.parametrize(
    "form", ["Answer: ${{{}}}", "{}", "{}: {text}", "**Answer: {}** because of the colours", "{text}"]
)
def test_asr_reads_chatter_and_counts_refusals(tmp_path: Path, form: str) -> None:
    def answer(asked: Asked) -> str:
        image = image_of(asked)
        if GOLD[image][0] == "OR":
            return REFUSAL
        number = options_of(asked).index(STATEMENT[image])
        return form.format(number, text=STATEMENT[image])

    found, _ = ask(tmp_path, "asr", answer)
    refused = sum(label == "OR" for label, _, _ in GOLD.values())
    assert 0 < refused < len(GOLD)
    assert found["n_unparsed"] == refused
    assert found["metrics"]["accuracy"] == pytest.approx(1 - refused / len(GOLD))
    assert found["metrics"]["accuracy_answered"] == 1
    by_relation = {label: row["accuracy"] for label, row in found["breakdowns"]["by_category"].items()}
    assert by_relation == {label: float(label != "OR") for label in Counter(g[0] for g in GOLD.values())}


@pytest.mark.parametrize("kind", ["correct", *WORDS.values()])
def test_arr_single_counts_each_kind_of_negative(tmp_path: Path, kind: str) -> None:
    def answer(asked: Asked) -> str:
        kinds = [KIND_OF.get(text, "correct") for text in options_of(asked)]
        assert kinds.count("correct") == 1
        return f"Answer: {kinds.index(kind)}"

    found, _ = ask(tmp_path, "arr_single", answer)
    assert found["metrics"]["accuracy"] == (kind == "correct")
    assert {k: v for k, v in found["breakdowns"]["chosen_kinds"].items() if v} == {kind: len(ATYPICAL)}


#: What is answered, as right (r) and wrong (w) options in order → P@1, P@2, P@3, top 1, 2, 3, worked out by hand.
CELLS = {
    "rrr": (1, 1, 1, 1, 1, 1),
    "wrr": (1, 1, 2 / 3, 0, 1, 1),
    "wwr": (1, 1 / 2, 1 / 3, 0, 0, 1),
    "rw": (1, 1 / 2, 1 / 3, 1, 1, 1),
    "w": (0, 0, 0, 0, 0, 0),
    "wwwrr": (0, 0, 0, 0, 0, 0),
    "": (0, 0, 0, 0, 0, 0),
}
KEYS = ("prec_at_1", "prec_at_2", "prec_at_3", "top_1_accuracy", "top_2_accuracy", "top_3_accuracy")


def several(asked: Asked, pattern: str) -> str:
    """An answer of right and wrong options; none is a refusal."""
    options = options_of(asked)
    image = next(i for i, texts in TRAIN.items() if set(texts) <= set(options))
    right = [i for i, text in enumerate(options) if text in TRAIN[image]]
    wrong = [i for i in range(len(options)) if i not in right]
    chosen = [str((right if letter == "r" else wrong).pop(0)) for letter in pattern]
    return f"Answer: {', '.join(chosen)}" if chosen else REFUSAL


@pytest.mark.parametrize("pattern", CELLS)
def test_arr_equals_cells_worked_out_by_hand(tmp_path: Path, pattern: str) -> None:
    found, _ = ask(tmp_path, "arr", lambda asked: several(asked, pattern))
    metrics = found["metrics"]
    assert [metrics[key] for key in KEYS] == pytest.approx(CELLS[pattern])
    p1, p2, p3, top_1, top_2, _ = CELLS[pattern]
    assert metrics["average"] == pytest.approx((p1 + p2 + p3 + top_1 + top_2) / 5)
    assert metrics["average_of_precisions"] == pytest.approx((p1 + p2 + p3) / 3)
    assert found["n_unparsed"] == (len(ATYPICAL) if not pattern else 0)
    assert found["breakdowns"]["n_fewer_than_three"] == (len(ATYPICAL) if 0 < len(pattern) < 3 else 0)
    assert found["breakdowns"]["chosen_kinds"]["correct"] == pattern[:3].count("r") * len(ATYPICAL)
    correct = [json.loads(line)["correct"] for line in (tmp_path / "out" / "predictions.jsonl").open()]
    assert set(correct) == {pattern == "rrr"}


def test_arr_is_the_mean_over_images(tmp_path: Path) -> None:
    patterns = ["rrr", "wrr", "wwr", ""]

    def pattern_of(image: str) -> str:
        return patterns[int(hashlib.sha256(image.encode()).hexdigest(), 16) % len(patterns)]

    def answer(asked: Asked) -> str:
        image = next(i for i, texts in TRAIN.items() if set(texts) <= set(options_of(asked)))
        return several(asked, pattern_of(image))

    found, _ = ask(tmp_path, "arr", answer)
    shown = [pattern_of(image) for image in ATYPICAL]
    assert len(set(shown)) > 2
    wanted = [sum(CELLS[p][column] for p in shown) / len(shown) for column in range(6)]
    assert [found["metrics"][key] for key in KEYS] == pytest.approx(wanted)
    low, high = found["intervals"]["average"]
    assert low < found["metrics"]["average"] < high


def test_subsets_negatives_and_splits(tmp_path: Path) -> None:
    small = set((FOLDER / "small.txt").read_text().split())
    sizes = {
        (): len(ATYPICAL),
        ("--subset", "small"): len(small & set(ATYPICAL)),
        ("--subset", "typical"): len(SEEN) - len(ATYPICAL),
        ("--split", "test"): sum(i not in TRAIN and any(s[0] != "NA" for s in v) for i, v in annotated().items()),
    }
    signatures = set()
    for number, (words, n) in enumerate(sizes.items()):
        found, _ = ask(tmp_path, "arr", "Answer: 0, 1, 2", *words, out=str(number))
        assert found["n"] == n > 0
        signatures.add(found["signature"].partition("|model:")[0])
    assert len(signatures) == len(sizes)
    found, asked = ask(tmp_path, "arr", lambda asked: several(asked, "rrr"), "--negatives", "easy", out="easy")
    assert found["metrics"]["average"] == 1
    assert set(found["breakdowns"]["chosen_kinds"]) == {"correct", "other_image"}
    assert all(len(options_of(a)) == 15 for a in asked)
    assert "|negatives:easy|" in found["signature"]


# Labels

LABELS = ("TR1", "TR2", "OIO", "OR", "NA")
LABELS_OF = {image: {label for label, _, _ in said} for image, said in ATYPICAL.items()}


def by_hand(answered: Mapping[str, set[str]], labels: Sequence[str]) -> tuple[float, float, float]:
    """Macro precision, recall and F1, label by label."""
    found: list[tuple[float, float, float]] = []
    for label in labels:
        tp = sum(label in answered[i] and label in LABELS_OF[i] for i in LABELS_OF)
        said, true = (sum(label in of[i] for i in LABELS_OF) for of in (answered, LABELS_OF))
        p, r = tp / said if said else 0.0, tp / true if true else 0.0
        found.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
    p, r, f = (sum(column) / len(labels) for column in zip(*found, strict=True))
    return p, r, f


@pytest.mark.parametrize("given", ["gold", "TR1", "NA", "all", "gold for OR"])
def test_mac_equals_cells_worked_out_by_hand(tmp_path: Path, given: str) -> None:
    answered = {
        "gold": LABELS_OF,
        "TR1": {image: {"TR1"} for image in LABELS_OF},
        "NA": {image: {"NA"} for image in LABELS_OF},
        "all": {image: set(LABELS[:4]) for image in LABELS_OF},
        "gold for OR": {i: labels if "OR" in labels else set() for i, labels in LABELS_OF.items()},
    }[given]

    def answer(asked: Asked) -> str:
        labels = sorted(answered[image_of(asked)])
        return f"[{ {str(i): label for i, label in enumerate(labels, 1)} }]" if labels else REFUSAL

    found, asked = ask(tmp_path, "mac", answer)
    assert "Texture created by combining several small objects" in asked[0].prompt
    metrics = found["metrics"]
    for suffix, labels in (("", LABELS), ("_without_na", LABELS[:4])):
        wanted = by_hand(answered, labels)
        assert [metrics[f"{name}_macro{suffix}"] for name in ("precision", "recall", "f1")] == pytest.approx(wanted)
    said = {i: labels for i, labels in answered.items() if labels}
    assert found["n_unparsed"] == len(LABELS_OF) - len(said)
    assert metrics["subset_accuracy"] == pytest.approx(sum(v == LABELS_OF[i] for i, v in said.items()) / len(LABELS_OF))
    without = sum(v - {"NA"} == LABELS_OF[i] - {"NA"} for i, v in said.items()) / len(LABELS_OF)
    assert metrics["subset_accuracy_without_na"] == pytest.approx(without)
    for name, (low, high) in found["intervals"].items():
        assert low - 1e-9 <= metrics[name] <= high + 1e-9 and (given != "gold" or high == 1)
    assert len(found["intervals"]) == 8
    areas = [metrics[f"{name}_macro{suffix}"] for name in ("roc_auc", "pr_auc") for suffix in ("", "_without_na")]
    assert all(0 <= area <= 1 for area in areas) and (given != "gold" or areas == [1, 1, 1, 1])


def test_intervals_of_macro_averages_average_what_the_scores_do() -> None:
    samples = list(job("mac").task.samples(job("mac").load, Options()))
    said = [("TR1",), ("OR", "NA"), None, ("TR1", "TR2", "OIO"), ()] * len(samples)
    pairs = [
        (sample, Prediction(sample.unit, "", labels, "", False)) for sample, labels in zip(samples, said, strict=False)
    ]
    counted = ads_scores.score_labels(pairs, Options(n_resamples=0))
    meter = Meter()
    for sample, labels in zip(samples, said, strict=False):
        ads_scores._add_labels(meter, sample, labels)
    [averages] = ads_scores.macro_averages(meter.ratios().values()[None])
    names = [name for name in job("mac").task.headline if "auc" not in name]
    assert dict(zip(names, averages, strict=True)) == pytest.approx({name: counted.metrics[name] for name in names})


def test_mac_on_typical_images_is_about_na(tmp_path: Path) -> None:
    found, _ = ask(tmp_path, "mac", "[{'1': 'NA'}]", "--subset", "typical")
    assert found["metrics"]["subset_accuracy"] == 1


# Objects


def objects_answer(asked: Asked, fill: Callable[[str], tuple[str, str]]) -> str:
    image = image_of(asked)
    label = GOLD[image][0]
    assert SAID[label].format("<object1>", "<object2>") in asked.prompt
    return SAID[label].format(*(f"<{word}>" for word in fill(image)))


def test_aor_without_any_objects_scores_nothing_and_loads_no_model(tmp_path: Path) -> None:
    found, asked = ask(tmp_path, "aor", REFUSAL, "--similarity-model", str(tmp_path / "none"))
    assert found["n_unparsed"] == found["n"] == len(GOLD)
    assert (found["metrics"]["mpnet_similarity"], found["metrics"]["share_above_0.5"]) == (0, 0)
    assert found["metrics"]["mpnet_similarity_answered"] is None
    assert "Texture Replacement 1, with objects' texture borrowed from another object." in "".join(
        a.prompt for a in asked
    )
    assert f"|similarity:{tmp_path / 'none'}|" in found["signature"]


@pytest.mark.weights
def test_aor_is_scored_by_the_real_embeddings(tmp_path: Path, mpnet: Path) -> None:
    from sentence_transformers import SentenceTransformer

    words = ("--similarity-model", str(mpnet))
    gold = lambda image: GOLD[image][1:]  # noqa: E731
    found, _ = ask(tmp_path, "aor", lambda asked: objects_answer(asked, gold), *words, out="gold")
    assert found["metrics"]["mpnet_similarity"] == pytest.approx(1, abs=1e-5)
    assert found["metrics"]["share_above_0.7"] == 1

    def half(asked: Asked) -> str:
        image = image_of(asked)
        return REFUSAL if GOLD[image][0] == "OR" else objects_answer(asked, lambda i: (GOLD[i][2], GOLD[i][1]))

    found, _ = ask(tmp_path, "aor", half, *words, out="half")
    model = SentenceTransformer(str(mpnet), device="cpu")
    cosines = []
    for image, (label, first, second) in GOLD.items():
        left, right = model.encode([SAID[label].format(second, first), STATEMENT[image]], normalize_embeddings=True)
        cosines.append(0.0 if label == "OR" else float(left @ right))
    assert found["metrics"]["mpnet_similarity"] == pytest.approx(sum(cosines) / len(cosines), abs=1e-4)
    for threshold in (0.7, 0.6, 0.5):
        share = sum(c > threshold for c in cosines) / len(cosines)
        assert found["metrics"][f"share_above_{threshold:g}"] == pytest.approx(share)
    assert found["n_unparsed"] == sum(label == "OR" for label, _, _ in GOLD.values())


# Contexts

STARTS = {
    "V": "What are the non-textual objects",
    "T": "You are an OCR expert.",
    "IN": "Describe the image in detail.",
    "UH": "What is unusual about this image?",
    "T_V": "A chat between a curious human",
    "s": "Context: ",
}
TOLD = {
    "V": "beer, feather, hill",
    "T": "DRINK",
    "IN": "A beer on a hill.",
    "UH": "It wears plumage.",
    "T_V": "In sum.",
}
LAST = "hill completely replaces feather in its usual context, assuming its function or position."


def stage_of(asked: Asked) -> str | None:
    if asked.prompt.startswith("Context: ") and LAST in options_of(asked):
        return "s"
    return next((name for name, start in STARTS.items() if name != "s" and asked.prompt.startswith(start)), None)


def writer(asked: Asked) -> str:
    """Answers the stages as `TOLD`, the choice of a statement by the last one, and questions by 0, 1, 2."""
    stage = stage_of(asked)
    if stage == "s":
        return f"Answer: {options_of(asked).index(LAST)}"
    if stage == "T_V" and "What is unusual" not in asked.prompt:
        return "In sum, but for the plumage."
    return TOLD[stage] if stage else "Answer: 0, 1, 2"


CONTEXTS = {
    "I": "",
    "V+T": "Objects: beer, feather, hill\nText: DRINK",
    "UH": "It wears plumage.",
    "I+T": "Text: DRINK",
    "UH+T+IN+V+I": "Objects: beer, feather, hill\nText: DRINK\nA beer on a hill.\nIt wears plumage.",
    "T_V": "In sum.",
    "T_V-UH": "In sum, but for the plumage.",
    "T_V+s_IN": f"In sum. {LAST}",
    "I+s_UH": LAST,
    "IN+s_TV": f"A beer on a hill.\n{LAST}",
}


@pytest.mark.parametrize("context", CONTEXTS)
def test_contexts_show_exactly_their_parts(tmp_path: Path, context: str) -> None:
    _, asked = ask(tmp_path, "arr", writer, "--limit", "2", "--context", context)
    final = [a for a in asked if stage_of(a) is None]
    assert len(final) == 2
    for question in final:
        head, mark, _ = question.prompt.partition("\nQuestion: ")
        assert (head if mark else "") == (f"Context: {CONTEXTS[context]}" if CONTEXTS[context] else "")
        assert len(question.pictures) == ("I" in context.split("+"))


def test_the_statement_is_chosen_from_the_description_that_is_named(tmp_path: Path) -> None:
    for context, told in {"s_IN": "A beer on a hill.", "s_UH": "It wears plumage.", "s_TV": "In sum."}.items():
        _, asked = ask(tmp_path, "arr", writer, "--limit", "1", "--context", context, out=context)
        [choice] = [a for a in asked if stage_of(a) == "s"]
        assert choice.prompt.startswith(f"Context: {told}\nQuestion: ")
        pairs = [(a, b) for a in TOLD["V"].split(", ") for b in TOLD["V"].split(", ") if a != b]
        assert sorted(options_of(choice)) == sorted(said.format(*pair) for pair in pairs for said in SAID.values())


def test_annotated_statements_right_and_wrong(tmp_path: Path) -> None:
    for context in ("s_gt", "s_wrong"):
        _, asked = ask(tmp_path, "arr", writer, "--context", context, out=context)
        assert len(asked) == len(ATYPICAL)
        for question in asked:
            image = next(i for i, texts in TRAIN.items() if set(texts) <= set(options_of(question)))
            told = question.prompt.partition("\n")[0].removeprefix("Context: ")
            assert told == STATEMENT[image] if context == "s_gt" else in_wrong_relation(image, told)


def test_stages_are_asked_once_an_image_whatever_needs_them(tmp_path: Path) -> None:
    with FakeServer(writer) as server:
        words = ("--sample", "--model", f"openai:m@{server.url}", "--context")
        assert run(tmp_path, "pitt_ads", *words, "T_V+s_IN", "--similarity-model", "none")[0] == 0
        assert run(tmp_path, "pitt_ads/arr", *words, "I+UH+s_IN", out="again")[0] == 0
    asked = [(stage_of(a), a.pictures) for a in server.asked]
    for stage in ("V", "T", "IN", "UH"):
        pictures = [pictures for name, pictures in asked if name == stage]
        assert len(pictures) == len(set(pictures)) == len(ATYPICAL)
    assert [name for name, _ in asked].count("T_V") == 1  # all were told the same, so that there is one thing to ask


def test_four_models_share_the_work(tmp_path: Path) -> None:
    with FakeServer(writer) as a, FakeServer(writer) as b, FakeServer(writer) as c, FakeServer(writer) as d:
        words = ["--model", f"openai:answers@{a.url}", "--describe-with", f"openai:describes@{b.url}"]
        words += ["--combine-with", f"openai:combines@{c.url}", "--statement-with", f"openai:states@{d.url}"]
        code, found = run(tmp_path, "pitt_ads/arr", "--sample", "--limit", "2", "--context", "T_V+s_IN", *words)
    assert code == 0
    assert {stage_of(asked) for asked in a.asked} == {None}
    assert {stage_of(asked) for asked in b.asked} == {"V", "T", "IN", "UH"}
    assert {stage_of(asked) for asked in c.asked} == {"T_V"}
    assert {stage_of(asked) for asked in d.asked} == {"s"}
    signature = found["arr"]["signature"]
    assert "|context:T_V+s_IN|" in signature
    assert "made_by:describe=describes@,combine=combines@,state=states@" in signature


class Reader:
    """A model without eyes that writes what it is told to."""

    info = ModelInfo("reader", backend="test")
    reads_pictures = False
    writes = True
    scores = False
    ranks = False
    stored = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fingerprint(self) -> Mapping[str, Any]:
        return {}

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        for index, request in enumerate(requests):
            assert not request.pictures
            self.asked.append(request.prompt)
            yield [(index, Response(writer(Asked(request.prompt, (), None, {}, {}))))]


def job(task: str, **options: Any) -> Job:
    def rows(config: str, **kwargs: Any) -> Any:
        return load("pitt_ads", config, data_dir=FOLDER, **kwargs)

    return Job(pitt_ads.BENCHMARK, pitt_ads.BENCHMARK.task(task), rows, Options(limit=2, **options), "sample")


def test_a_model_without_eyes_is_told_t_v_and_s_in(tmp_path: Path) -> None:
    reader = Reader()
    with FakeServer(writer) as server:
        describer = load_model(f"openai:describes@{server.url}", ModelOptions())
        score, judged = run_task(job("arr"), Cast(reader, {"describe": describer}))
    assert {stage_of(asked) for asked in server.asked} == {"V", "T", "IN", "UH"}
    assert "|context:T_V+s_IN|setting:sm|" in score.signature
    assert "made_by:describe=describes@" in score.signature
    assert [sample.unit.setting for sample, _ in judged] == ["sm"] * 2
    assert sum(prompt.startswith(f"Context: In sum. {LAST}\n") for prompt in reader.asked) == 2
    with pytest.raises(ValueError, match=r"reader reads no pictures.*--describe-with"):
        run_task(job("arr"), reader)
    with pytest.raises(ValueError, match="reads no pictures"):
        run_task(job("arr", context="I"), reader)


def test_a_describer_that_can_do_more_stands_in_for_a_model_that_only_scores(tmp_path: Path) -> None:
    class Scorer(Reader):
        writes, scores = False, True

        def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
            for index, request in enumerate(requests):
                assert request.continuations == tuple(str(i) for i in range(len(request.sample.options)))
                yield [(index, Response(scores=tuple(-abs(i - 4.1) for i in range(len(request.continuations)))))]

    with FakeServer(writer) as server:
        describer = load_model(f"openai:describes@{server.url}", ModelOptions())
        score, judged = run_task(job("arr", scoring="likelihood"), Cast(Scorer(), {"describe": describer}))
    assert "made_by:describe=describes@,combine=describes@,state=describes@" in score.signature
    assert [(p.parsed, p.output) for _, p in judged] == [((4, 5, 3), "4, 5, 3")] * 2


def test_the_wording_for_vicuna_is_taken_where_the_paper_has_it(tmp_path: Path) -> None:
    words = ("--limit", "1", "--wording", "vicuna", "--context", "T_V+s_IN")
    last = {
        "mac": "Do NOT output any extra information or explanation.",
        "asr": "based on an unusual part of the context.",
        "arr": "Your output format is only Answer: ${indices of the 3 best statements} form, no other form.",
        "arr_single": "Your output format is only Answer: ${index of correct statement} form, no other form.",
    }
    for task, end in last.items():
        found, asked = ask(tmp_path, task, writer, *words, out=task)
        [choice] = [a for a in asked if stage_of(a) == "s"]
        assert "choose the best option.\n" in choice.prompt
        assert asked[-1].prompt.endswith(end) and f"In sum. {LAST}" in asked[-1].prompt
        assert "from your side" not in "".join(a.prompt for a in asked)
        assert f"pitt_ads/{task}_vicuna@" in found["signature"] and "pitt_ads/asr_vicuna@" in found["signature"]
    found, asked = ask(tmp_path, "arr", writer, "--limit", "1", "--wording", "vicuna", out="image")
    assert "pitt_ads/arr_image@" in found["signature"]


def test_minigpt4_names_the_objects_in_two_lines() -> None:
    def answer(asked: Asked) -> str:
        assert asked.prompt.endswith("in the format:\n<object1>: <answer1>\n<object2>: <answer2>")
        return "<object1>: <{}>\n<object2>: <{}>".format(*GOLD[image_of(asked)][1:])

    with FakeServer(answer) as server:
        describer = load_model(f"openai:m@{server.url}", ModelOptions())
        asked = job("aor", wording="minigpt4")
        samples = list(asked.task.samples(asked.load, asked.options))
        requests = [asked.task.request(sample, asked.options) for sample in samples]
        answers = {i: r for batch in describer.answer(requests, Generation()) for i, r in batch}
    for index, sample in enumerate(samples):
        prediction = predict(asked.task, sample, answers[index], asked.options)
        assert prediction.correct and prediction.parsed == GOLD[sample.unit.id.partition("#")[0]][1:]


@pytest.mark.parametrize("extra", ["", "\n<object2>: nothing", "\nand so on"])
def test_blip_names_one_object_at_a_time(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(asked: Asked) -> str:
        head, _, rest = asked.prompt.partition("Give short answers for what <object1> and <object2> are.\n")
        assert head.startswith("A human has described this image as atypical.")
        first, second = GOLD[image_of(asked)][1:]
        if rest == "<object1>:":
            return f" {first}{extra}"
        assert rest == f"<object1>: {first}\n<object2>:"
        return f" {second}\n"

    def alike(filled: Sequence[str], gold: Sequence[str], *rest: Any) -> dict[str, Any]:
        scores = [float(a == b) for a, b in zip(filled, gold, strict=True)]
        names = [*ads_scores.SIMILARITY, *(f"{name}_answered" for name in ads_scores.SIMILARITY)]
        return {"scores": scores, **dict.fromkeys(names, sum(scores) / len(scores))}

    monkeypatch.setattr(ads_scores, "mpnet_similarity", alike)
    with FakeServer(answer) as server:
        blip = load_model(f"openai:m@{server.url}", ModelOptions())
        score, judged = run_task(job("aor", wording="blip"), blip)
    assert len(server.asked) == 2 * len(judged) == 4
    assert score.metrics["mpnet_similarity"] == 1
    for sample, prediction in judged:
        first, second = GOLD[sample.unit.id.partition("#")[0]][1:]
        assert prediction.parsed == (first, second) and prediction.correct
        assert prediction.output == f"<object1>: {first}\n<object2>: {second}"
    assert "|prompts:pitt_ads/aor_image_blip@" in score.signature and "made_by" not in score.signature


def test_behind_a_chain_of_thought_the_last_answer_counts(tmp_path: Path) -> None:
    def answer(asked: Asked) -> str:
        assert asked.prompt.endswith("at the end.") and "step by step" in asked.prompt
        right = several(asked, "rrr")
        return f"1. It shows 4 things. Answer: 0 would be odd.\n2. So 3 fit best.\n**{right.replace(':', ':**')}"

    found, _ = ask(tmp_path, "arr", answer, "--cot")
    assert found["metrics"]["average"] == 1
    assert "|cot:True|" in found["signature"] and "pitt_ads/cot@" in found["signature"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("arr", "--wording", "llama"), "no wording 'llama'; known: gpt, vicuna, minigpt4, blip"),
        (("aor", "--wording", "blip", "--cot"), "begins the answer itself"),
        (("asr", "--context", "s_gt"), "would tell the answer"),
        (("mac", "--context", "s_wrong"), "would tell the answer"),
        (("arr", "--context", "T_V+X"), "no part 'X'; known: I, V, T"),
        (("arr", "--context", "V+V"), "V comes twice"),
        (("arr", "--context", "s_IN+s_gt"), "two statements"),
        (("arr", "--context", "I+T", "--setting", "sm"), "shows no picture"),
        (("arr", "--context", "s_gt", "--subset", "typical"), "no annotated statement"),
        (("asr", "--negatives", "easy"), "no negatives 'easy'"),
        (("asr", "--subset", "typical"), "no subset 'typical'"),
        (("arr", "--split", "val"), "no split 'val'; known: train, test"),
        (("mac", "--scoring", "likelihood"), "no options whose likelihoods"),
        (("arr", "--parser", "paper"), "published no extraction"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    task, *rest = words
    assert run(tmp_path, f"pitt_ads/{task}", "--sample", "--model", "baseline:first", *rest)[0] == 2
    assert message in capsys.readouterr().err


def test_other_benchmarks_have_no_contexts(tmp_path: Path) -> None:
    assert run(tmp_path, "vague", "--sample", "--model", "baseline:first", "--context", "V")[0] == 2
    assert run(tmp_path, "vague", "--sample", "--model", "baseline:first", "--negatives", "easy")[0] == 2


def test_a_failed_or_missing_description_is_a_failure_of_the_question(tmp_path: Path) -> None:
    class Blank(Reader):
        reads_pictures = True

        def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
            for index, request in enumerate(requests):
                failed = request.prompt.startswith(STARTS["UH"])
                yield [(index, Response(error="it broke") if failed else Response("Answer: 0"))]

    score, judged = run_task(Job(**{**vars(job("arr", context="UH")), "max_failed": 1}), Blank())
    assert (score.n, score.n_failed) == (2, 2)
    assert [prediction.error for _, prediction in judged] == ["UH: it broke"] * 2

    def blind(config: str, **kwargs: Any) -> Any:
        return load("pitt_ads", config, data_dir=FOLDER, with_pictures=False, **kwargs)

    words = {**vars(job("arr", context="UH")), "load": blind, "max_failed": 1}
    _, judged = run_task(Job(**words), Blank())
    assert [prediction.error for _, prediction in judged] == ["UH: the picture is missing"] * 2


def test_a_statement_that_cannot_be_read_is_left_out_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def answer(asked: Asked) -> str:
        return REFUSAL if stage_of(asked) == "s" else writer(asked)

    _, asked = ask(tmp_path, "arr", answer, "--limit", "2", "--context", "T_V+s_IN")
    assert [a.prompt.partition("\n")[0] for a in asked if stage_of(a) is None] == ["Context: In sum."] * 2
    assert "s_IN: 2 of 2 answers cannot be used" in caplog.text


def test_scoring_the_predictions_again_gives_the_same(tmp_path: Path) -> None:
    for task, words in {"arr": ["--negatives", "easy"], "mac": ["--subset", "typical"], "asr": []}.items():
        first, _ = ask(tmp_path, task, writer, "--context", "UH", *words, out=task)
        again = tmp_path / f"{task}.json"
        predictions = str(tmp_path / task / "predictions.jsonl")
        command = ["score", f"pitt_ads/{task}", "--sample", "--predictions", predictions, "--context", "UH", *words]
        assert main([*command, "--json", str(again), "--quiet"]) == 0
        second = json.loads(again.read_text())["tasks"][task]
        assert second["metrics"] == first["metrics"]
        assert "|context:UH|setting:sm|" in second["signature"]


def test_baselines_answer_in_numbers(tmp_path: Path) -> None:
    for task, parsed in {"asr": [0], "arr": [0, 1, 2]}.items():
        assert run(tmp_path, f"pitt_ads/{task}", "--sample", "--model", "baseline:first", out=task)[0] == 0
        lines = [json.loads(line) for line in (tmp_path / task / "predictions.jsonl").open()]
        assert [line["parsed"] for line in lines] == [parsed] * len(ATYPICAL)


def test_without_what_scores_objects_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitt_ads, "find_spec", lambda name: None)
    reader = Reader()
    with pytest.raises(ValueError, match=r'pip install "punctum\[metrics\]"'):
        run_task(job("aor", context="s_IN"), reader)
    assert not reader.asked


def test_from_python_by_folder_split_and_rows() -> None:
    evaluator = punctum.evaluator("pitt_ads/arr")
    train = evaluator.compute("baseline:first")
    assert "|split:train|" in train["signature"] and train["n"] == len(ATYPICAL)
    assert evaluator.compute("baseline:first", data=str(FOLDER), n_resamples=0)["average"] == train["average"]
    test = evaluator.compute("baseline:first", data=str(FOLDER), split="test", negatives="easy")
    assert "|split:test|negatives:easy|" in test["signature"]
    rows = load("pitt_ads", "arr", data_dir=FOLDER, split="train").select(range(5))
    assert evaluator.compute("baseline:first", data=rows)["n"] == 5
    with pytest.raises(ValueError, match="negatives choose among the data of a folder"):
        evaluator.compute("baseline:first", data=rows, negatives="easy")


# Reading

OPTIONS = (
    "I should quit because 3 packs a day kill.",
    "I should run.",
    "I should run because it is fun.",
    "I should eat.",
)


@pytest.mark.parametrize(
    ("output", "wanted", "value"),
    [
        ("Answer: ${2}", 1, (2,)),
        ("Answer: ${2, 0, 3}", 3, (2, 0, 3)),
        (OPTIONS[0], 1, (0,)),
        ("I should eat", 1, (3,)),
        ("The best ones: I should eat. And then: I should quit because 3 packs a day kill.", 3, (3, 0)),
        ("B", 1, None),
        (REFUSAL, 3, None),
        ('The answer is not "I should eat."', 1, None),
        ("Answer: 9", 1, None),
        (" ".join(OPTIONS), 3, None),
        (f"Options:\n0: {OPTIONS[0]}\n1: {OPTIONS[1]}\n2: {OPTIONS[2]}\n3: I should", 3, None),
        (f"Options:\n0: {OPTIONS[0]}\n1: {OPTIONS[1]}\nAnswer: 1", 1, (1,)),
        (f"0: {OPTIONS[0]}\n1: {OPTIONS[1]}\n2: {OPTIONS[2]}", 3, (0, 1, 2)),
        (f"1: {OPTIONS[1]}", 1, (1,)),
        (f"Answer: 2: {OPTIONS[2]} 0: {OPTIONS[0]} 3: {OPTIONS[3]}", 3, (2, 0, 3)),
        (f"Here are the best:\n2. {OPTIONS[2]}\n0. {OPTIONS[0]}", 3, (2, 0)),
        (f"1. {OPTIONS[2]}\n2. {OPTIONS[0]}\n3. {OPTIONS[3]}", 3, (2, 0, 3)),
        (f"1. {OPTIONS[1]}\n2. {OPTIONS[0]}\n3. {OPTIONS[3]}\n4. {OPTIONS[2]}", 3, None),
        (f"2. {OPTIONS[1]}", 1, None),
    ],
)
def test_numbered_options_are_read_by_number_or_by_their_words(
    output: str, wanted: int, value: tuple[int, ...] | None
) -> None:
    assert read_numbered(output, OPTIONS, wanted, 0).value == value


def test_possible_statements_take_two_of_at_most_five_objects() -> None:
    assert possible_statements("one thing") == possible_statements("None") == []
    assert len(possible_statements("a hat, a cat")) == 2 * 4
    assert len(possible_statements("1. hat\n2. cat\n3. bat\n4. rat\n5. mat\n6. vat")) == 20 * 4
