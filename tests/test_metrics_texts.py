"""The metrics of texts: models against plain transformers and other packages, BLEU-1 by hand."""

from __future__ import annotations

import importlib
import math
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punctum.metrics.bert_f1.core import bert_f1, greedy_match
from punctum.metrics.bleu_1.core import bleu_1, scorer
from punctum.metrics.mpnet_similarity.core import load_model, mpnet_similarity, pair_cosines

TEXTS = [
    ("The bottle is made of ice.", "The bottle consists of ice."),
    ("A cat", "The speaker wants person1 to move the sedan, and everybody else to stay where they are."),
    ("The lipstick is located within the gun.", "Quarterly interest rates were raised again."),
    ("Ünïcödé and emoji 🙂 too", "emoji"),
]
LONG = ("word " * 400 + "tail", "a word")

words = st.lists(st.sampled_from(["a", "cat", "the", "sat", "on", "mat"]), min_size=1, max_size=8)


def plain_pooling(folder: Path, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Embeddings one text at a time with transformers alone: the mean of the last hidden states, cut at 384."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    model = transformers.AutoModel.from_pretrained(str(folder)).eval()
    rows = []
    with torch.inference_mode():
        for text in texts:
            batch = tokenizer(text, truncation=True, max_length=384, return_tensors="pt")
            rows.append(model(**batch).last_hidden_state[0].mean(dim=0).double().numpy())
    return np.array(rows)


@pytest.mark.weights
def test_mpnet_similarity_is_plain_mean_pooling(mpnet: Path) -> None:
    pairs = [*TEXTS, LONG]
    result = mpnet_similarity([a for a, _ in pairs], [b for _, b in pairs], model=str(mpnet), batch_size=3)
    rows = plain_pooling(mpnet, [text for pair in pairs for text in pair])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    expected = (rows[0::2] * rows[1::2]).sum(axis=1)
    assert result["scores"] == pytest.approx(expected, abs=1e-5)
    assert result["mpnet_similarity"] == pytest.approx(expected.mean(), abs=1e-5)
    assert result["n_truncated"] == 1


@pytest.mark.weights
def test_equal_texts_are_encoded_once(mpnet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(str(mpnet), "cpu")
    seen: list[str] = []
    encode = model.encode

    def spy(texts: list[str], **kwargs: Any) -> Any:
        seen.extend(texts)
        return encode(texts, **kwargs)

    monkeypatch.setattr(model, "encode", spy)
    result = mpnet_similarity(["a", "b", "a", None], ["b", "b", "b", "c"], model=str(mpnet), device="cpu")
    assert sorted(seen) == ["a", "b"]
    assert result["scores"][0] == pytest.approx(result["scores"][2])
    assert result["scores"][1] == pytest.approx(1.0) and result["scores"][3] == 0.0


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(OSError, match=r"no sentence-transformers model .*nothing here.*give a folder"):
        mpnet_similarity(["a"], ["b"], model=str(tmp_path / "nothing here"))
    with pytest.raises(OSError, match=r"no encoder .*nothing here.*give a folder"):
        bert_f1(["a"], ["b"], model=str(tmp_path / "nothing here"))


@pytest.mark.parametrize(
    ("metric", "module", "way_out"),
    [
        ("mpnet_similarity", "sentence_transformers", "pip install sentence-transformers"),
        ("bert_f1", "transformers", "pip install torch transformers"),
        ("bleu_1", "sacrebleu.metrics.bleu", "pip install sacrebleu"),
    ],
)
def test_a_missing_package_is_named(metric: str, module: str, way_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(importlib.import_module("sys").modules, module, None)
    core = importlib.import_module(f"punctum.metrics.{metric}.core")
    with pytest.raises(ImportError, match=f"{metric} needs: {way_out}"):
        getattr(core, metric)(["a"], ["b"], **({} if metric == "bleu_1" else {"model": "never loaded"}))


def test_cosines_of_pairs() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    assert pair_cosines(rows, [0, 0, 2], [1, 2, 2]) == pytest.approx([0.0, math.sqrt(0.5), 1.0])


@pytest.mark.weights
def test_bert_f1_does_not_depend_on_batches(mpnet: Path) -> None:
    """The scores of rows alone, whatever stands beside them: batches are padded and sorted by length."""
    pairs = TEXTS * 3
    together = bert_f1([a for a, _ in pairs], [b for _, b in pairs], model=str(mpnet), batch_size=2)
    alone = [bert_f1([a], [b], model=str(mpnet))["scores"][0] for a, b in TEXTS]
    assert together["scores"] == pytest.approx(alone * 3, abs=1e-5)
    same = bert_f1([a for a, _ in TEXTS], [a for a, _ in TEXTS], model=str(mpnet))
    assert same["scores"] == pytest.approx([1.0] * len(TEXTS), abs=1e-5)
    back = bert_f1([b for _, b in TEXTS], [a for a, _ in TEXTS], model=str(mpnet))
    assert back["scores"] == pytest.approx(alone, abs=1e-5)
    assert back["bert_precision"] == pytest.approx(
        bert_f1([a for a, _ in TEXTS], [b for _, b in TEXTS], model=str(mpnet))["bert_recall"], abs=1e-5
    )


@pytest.mark.weights
def test_bert_f1_is_bert_scores(mpnet: Path) -> None:
    """The authors' package where it is installed; its numbers for other texts are among the golden cases."""
    package = pytest.importorskip("bert_score")
    theirs = package.score([a for a, _ in TEXTS], [b for _, b in TEXTS], model_type=str(mpnet), num_layers=12)
    mine = bert_f1([a for a, _ in TEXTS], [b for _, b in TEXTS], model=str(mpnet))
    assert mine["scores"] == pytest.approx(theirs[2].tolist(), abs=1e-5)


@pytest.mark.weights
def test_bert_f1_names_the_layers(mpnet: Path) -> None:
    with pytest.raises(ValueError, match=r"num_layers is 13; .* has layers 1 to 12"):
        bert_f1(["a"], ["b"], model=str(mpnet), num_layers=13)


def test_greedy_match_by_hand() -> None:
    """Marks may be matched with, but do not count."""
    eye = np.eye(3)
    own = np.array([False, True, True])
    f1, precision, recall = greedy_match(eye, eye[[0, 1, 1]], own, own)
    assert (precision, recall) == (0.5, 1.0) and f1 == pytest.approx(2 / 3)
    assert greedy_match(eye, eye, np.array([False] * 3), own) == (0.0, 0.0, 0.0)


@settings(deadline=None)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=6))
def test_bleu_1_by_hand(rows: list[tuple[list[str], list[str]]]) -> None:
    pytest.importorskip("sacrebleu")
    expected = []
    for answer, gold in rows:
        matched = sum((Counter(answer) & Counter(gold)).values())
        penalty = min(1.0, math.exp(1 - len(gold) / len(answer)))
        expected.append(penalty * matched / len(answer))
    result = bleu_1([" ".join(a) for a, _ in rows], [" ".join(g) for _, g in rows])
    assert result["scores"] == pytest.approx(expected, abs=1e-9)
    assert result["bleu_1"] == pytest.approx(np.mean(expected), abs=1e-9)


def test_bleu_1_says_how_it_is_set() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    bleu = scorer()
    bleu.sentence_score("a", ["a"])
    said = str(bleu.get_signature())
    assert "tok:13a" in said and "smooth:none" in said and sacrebleu.__version__ in said


@pytest.mark.weights
def test_repeats_make_it_faster(mpnet: Path) -> None:
    """With nine in ten texts repeated it takes clearly less time than with none."""
    texts = [f"The surface of object {i} mimics the texture of thing {i * i}." for i in range(40)]
    load_model(str(mpnet), "cpu")

    def seconds(left: list[str]) -> float:
        started = time.perf_counter()
        mpnet_similarity(left, left, model=str(mpnet), device="cpu")
        return time.perf_counter() - started

    seconds(texts[:8])
    assert seconds(texts[:4] * 10) < seconds(texts)


@pytest.mark.weights
@pytest.mark.parametrize("metric", [mpnet_similarity, bert_f1])
def test_pickled_weights_are_never_read(mpnet: Path, tmp_path: Path, metric: Any) -> None:
    """A folder whose weights are a pickle, which would run code, is refused without reading it."""
    torch = pytest.importorskip("torch")
    folder = tmp_path / "pickled"
    shutil.copytree(mpnet, folder, ignore=shutil.ignore_patterns("*.safetensors", "onnx", "openvino"))
    torch.save({"x": torch.zeros(1)}, folder / "pytorch_model.bin")
    with pytest.raises(OSError, match="safetensors"):
        metric(["a"], ["b"], model=str(folder))
