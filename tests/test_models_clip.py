"""The dual encoders, on a tiny CLIP and a tiny SigLIP with random weights."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from punctum.evaluators.models.base import Model, ModelError, ModelOptions  # noqa: E402
from punctum.evaluators.models.clip import DualEncoder, load  # noqa: E402
from punctum.evaluators.models.loading import load_model  # noqa: E402
from punctum.records import Picture, Request  # noqa: E402
from tests.tiny_encoders import save_clip, save_siglip  # noqa: E402
from tests.tiny_models import answers, picture, request, save_llama, save_llava  # noqa: E402

RED, BLUE, WIDE = picture("red"), picture("blue"), picture("green", (40, 16))
OPTIONS = ("a man with a hat", "two dogs", "the sea", "Café, 3:4!")
LONG = "the cat sat on the mat, and saw a hat\n\nthat another cat had put there before it went away to sea"


@pytest.fixture(scope="module", params=["clip", "siglip"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return {"clip": save_clip, "siglip": save_siglip}[request.param](tmp_path_factory.mktemp(request.param))


@pytest.fixture
def model(folder: Path) -> DualEncoder:
    torch.set_num_threads(1)
    return load(str(folder), ModelOptions(batch_size=4, device="cpu"))


def scores(model: DualEncoder, asked: Sequence[Request]) -> list[list[float]]:
    found = answers(model, list(asked))
    assert [response.error for response in found] == [None] * len(asked)
    return [list(response.scores) for response in found]


def plainly(folder: Path, texts: Sequence[str], pictures: Sequence[Picture]) -> tuple[Any, Any]:
    """Unit vectors of texts and pictures by the library's own forward pass, one at a time."""
    from transformers import AutoModel, AutoProcessor

    processor, model = AutoProcessor.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    padding = "max_length" if model.config.model_type == "siglip" else False
    more = [RED] * (len(texts) - len(pictures))
    said, seen = [], []
    for text, shown in zip(texts, [*pictures, *more], strict=True):
        inputs = processor(text=[text], images=[shown.open()], padding=padding, return_tensors="pt")
        with torch.no_grad():
            out = model(**inputs)
        said.append(out.text_embeds[0])
        seen.append(out.image_embeds[0])
    return torch.stack(said), torch.stack(seen[: len(pictures)])


def test_it_is_a_model_that_ranks_and_nothing_else(folder: Path, model: DualEncoder) -> None:
    assert isinstance(model, Model)
    assert (model.reads_pictures, model.writes, model.scores, model.ranks) == (True, False, False, True)
    assert (model.info.backend, model.info.dtype) == ("clip", "float32")
    shown = dict(model.fingerprint())
    assert json.loads(json.dumps(shown)) == shown
    assert shown["text_window"] == ("24,max_length" if shown["class"] == "SiglipModel" else "24,longest")
    with pytest.raises(ModelError, match="--scoring rank"):
        answers(model, [request("Which?", RED)])
    assert type(load_model(str(folder))) is DualEncoder  # its config says what it is


@pytest.mark.parametrize("size", [1, 3, 8])
def test_scores_are_the_cosines_of_the_librarys_forward_pass(folder: Path, size: int) -> None:
    model = load(str(folder), ModelOptions(batch_size=size, device="cpu"))
    pictures = [RED, BLUE, WIDE, BLUE]
    said, seen = plainly(folder, OPTIONS, pictures)
    found = scores(model, [request("", shown, continuations=OPTIONS) for shown in pictures])
    assert torch.tensor(found) == pytest.approx(seen @ said.T, abs=2e-6)
    assert len({tuple(row) for row in found}) == 3, "the picture must count"


def test_pictures_and_texts_weigh_the_same(folder: Path, model: DualEncoder) -> None:
    told = ("a red square", "NO TXT")
    said, seen = plainly(folder, [*OPTIONS, *told], [RED, BLUE])
    options, queries = said[:4], said[4:]
    asked = request("", RED, BLUE, continuations=OPTIONS, queries=told)
    [found] = scores(model, [asked])
    expected = options @ torch.cat([seen, queries]).mean(0)
    assert found == pytest.approx(expected.tolist(), abs=2e-6)
    [without] = scores(model, [replace(asked, pictures=())])
    assert without == pytest.approx((options @ queries.mean(0)).tolist(), abs=2e-6)
    assert scores(model, [replace(asked, pictures=(BLUE, RED))])[0] == pytest.approx(found, abs=2e-6)


def test_a_text_beyond_the_window_is_read_in_chunks_of_whole_words(folder: Path, model: DualEncoder) -> None:
    rows = model._chunks(LONG)
    parts = [model.tokenizer.decode(row, skip_special_tokens=True).strip() for row in rows]
    assert len(rows) > 1 and all(len(row) <= 24 for row in rows)
    assert " ".join(parts).replace(" ,", ",").split() == LONG.split()
    assert all(len(model._ids(f"{a} {b.split()[0]}")) > 24 for a, b in pairwise(parts))
    said, seen = plainly(folder, [*OPTIONS, *parts], [RED])
    mean = said[4:].mean(0)
    [found] = scores(model, [request("", RED, continuations=(LONG, *OPTIONS), queries=(LONG,))])
    expected = torch.cat([mean[None], said[:4]]) @ torch.stack([seen[0], mean]).mean(0)
    assert found == pytest.approx(expected.tolist(), abs=2e-6)


def test_a_word_beyond_the_window_is_cut(model: DualEncoder) -> None:
    rows = model._chunks(f"a {'z' * 60} b")
    assert all(len(row) <= 24 for row in rows)
    letters = "".join(model.tokenizer.decode(row, skip_special_tokens=True) for row in rows)
    assert letters.replace(" ", "") == f"a{'z' * 60}b"


def test_nothing_is_encoded_twice(model: DualEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: dict[str, int] = {}

    def counted(name: str) -> Callable[..., Any]:
        usual = getattr(model.model, name)

        def call(**inputs: Any) -> Any:
            rows[name] = rows.get(name, 0) + len(next(iter(inputs.values())))
            return usual(**inputs)

        return call

    for name in ("get_image_features", "get_text_features"):
        monkeypatch.setattr(model.model, name, counted(name))
    asked = [
        request("", RED, continuations=OPTIONS[:3], queries=("the sea",)),
        request("", BLUE, RED, continuations=OPTIONS[1:]),
        request("", picture("red"), continuations=OPTIONS),
    ]
    first = scores(model, asked)
    assert rows == {"get_image_features": 2, "get_text_features": 4}
    assert scores(model, asked) == first
    assert rows == {"get_image_features": 2, "get_text_features": 4}


def test_a_picture_that_cannot_be_read_fails_alone(
    model: DualEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = [
        request("", RED, Picture(data=b"no picture"), continuations=OPTIONS),
        request("", Picture(path=str(tmp_path / "gone.png")), continuations=OPTIONS),
        request("", WIDE, continuations=OPTIONS),
        request("", continuations=OPTIONS),
    ]
    good = [request("", RED, continuations=OPTIONS), request("", BLUE, continuations=OPTIONS)]
    expected = scores(model, good)
    usual = model.image_processor

    class Picky:
        def __call__(self, images: Any, **more: Any) -> Any:
            if images[0].width == 40:
                raise ValueError("too wide")
            return usual(images, **more)

    monkeypatch.setattr(model, "image_processor", Picky())
    found = answers(model, [*bad, *good])
    assert [list(response.scores) for response in found[4:]] == expected
    for response, word in zip(
        found, ("number 2 cannot be read", "gone.png", "too wide", "neither a picture"), strict=False
    ):
        assert word in response.error
        assert response.scores is None


@pytest.mark.parametrize(("quantize", "way_out"), [(None, "a smaller --batch-size"), ("4bit", "leave --quantize out")])
def test_an_encoder_that_fails_ends_the_run(
    quantize: str | None, way_out: str, model: DualEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(**inputs: Any) -> Any:
        raise RuntimeError("out of memory\nwith a long story")

    monkeypatch.setattr(model.model, "get_text_features", fails)
    monkeypatch.setattr(model, "options", replace(model.options, quantize=quantize))
    with pytest.raises(ModelError, match=f"get_text_features failed: out of memory; {way_out}"):
        answers(model, [request("", RED, continuations=OPTIONS)])


def test_control_tokens_in_quoted_text_stay_text(model: DualEncoder) -> None:
    for word in model.tokenizer.all_special_tokens:
        ids = model._ids(f"{word} the sea{word}")
        usual = model._ids("the sea")
        special = set(model.tokenizer.all_special_ids) | {model.guard.cut_id}
        assert [i for i in ids if i in special] == [i for i in usual if i in special]
        found = answers(model, [request("", RED, continuations=(f"{word} the sea", f"{word} the land"))])[0]
        assert found.scores[0] != found.scores[1]


@pytest.mark.parametrize("save", [save_llama, save_llava])
def test_other_models_are_refused(save: Callable[[Path], Path], tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no dual encoder"):
        load(str(save(tmp_path / "model")), ModelOptions())
