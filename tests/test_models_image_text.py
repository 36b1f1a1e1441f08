"""The image-text backend, on a tiny LLaVA with random weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from punctum.evaluators.models._memory import Room  # noqa: E402
from punctum.evaluators.models._picture_sharing import PictureSharing  # noqa: E402
from punctum.evaluators.models.base import Model, ModelError, ModelOptions  # noqa: E402
from punctum.evaluators.models.transformers_image_text import ImageTextModel, load  # noqa: E402
from punctum.records import Generation, ModelInfo, Picture, Request  # noqa: E402
from tests import tiny_models  # noqa: E402
from tests.tiny_models import CHATML, SPECIAL, answers, picture, request, save_llama, save_llava  # noqa: E402

RED, BLUE, WIDE = picture("red"), picture("blue"), picture("green", (40, 16))
ASKED = [
    request("The answer is", RED),
    request("The answer is", BLUE),
    request("the question about the picture of the man\nA. a hat\nAnswer:", WIDE),
    request("Which?", RED, BLUE),
    request("Which of them?", BLUE, RED),
    request("Which?", BLUE, RED),
    request("no picture at all"),
    request("yes"),
]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llava(tmp_path_factory.mktemp("llava"))


@pytest.fixture(scope="module")
def model(folder: Path) -> ImageTextModel:
    return load(str(folder), ModelOptions(batch_size=4, device="cpu"))


@pytest.fixture(scope="module")
def chat_model(tmp_path_factory: pytest.TempPathFactory) -> ImageTextModel:
    folder = save_llava(tmp_path_factory.mktemp("chat-llava"), CHATML)
    return load(str(folder), ModelOptions(batch_size=4, device="cpu"))


def with_batch(model: ImageTextModel, size: int) -> ImageTextModel:
    made = ImageTextModel.__new__(ImageTextModel)
    made.__dict__.update(model.__dict__, room=Room(model.model, size))
    made.sharing = PictureSharing(made)
    return made


def texts(model: Any, requests: list[Request], generation: Generation | None = None) -> list[str]:
    return [response.text for response in answers(model, requests, generation)]


def by_hand(model: ImageTextModel, asked: Request) -> dict[str, Any]:
    """A batch of one in LLaVA-1.5's format, straight from the processor."""
    text = f"USER: {('<image>' + chr(10)) * len(asked.pictures)}{asked.prompt} ASSISTANT:"
    images = [shown.open() for shown in asked.pictures] or None
    return dict(model.processor(text=text, images=images, return_tensors="pt"))


def test_it_is_a_model_and_says_which(model: ImageTextModel, chat_model: ImageTextModel) -> None:
    assert isinstance(model, Model)
    assert (model.info.backend, model.info.dtype) == ("transformers-image-text", "float32")
    shown = dict(model.fingerprint())
    assert json.loads(json.dumps(shown)) == shown
    assert shown["chat_template"] != chat_model.fingerprint()["chat_template"]
    assert shown["processor"] == chat_model.fingerprint()["processor"]


def test_the_processors_settings_are_in_the_fingerprint(folder: Path, tmp_path: Path) -> None:
    from shutil import copytree

    other = Path(copytree(folder, tmp_path / "other"))
    settings = json.loads((other / "processor_config.json").read_text())
    settings["image_processor"]["image_mean"] = [0.0, 0.0, 0.0]
    (other / "processor_config.json").write_text(json.dumps(settings))
    changed, same = load(str(other), ModelOptions(device="cpu")), load(str(folder), ModelOptions(device="cpu"))
    assert changed.fingerprint()["processor"] != same.fingerprint()["processor"]
    assert changed.info.revision != same.info.revision


def test_answers_are_those_of_plain_generate_whatever_the_batch(model: ImageTextModel) -> None:
    expected = []
    for asked in ASKED:
        inputs = by_hand(model, asked)
        out = model.model.generate(**inputs, max_new_tokens=8, do_sample=False)
        expected.append(model.tokenizer.decode(out[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True))
    for size in (1, 3, 8):
        assert texts(with_batch(model, size), ASKED) == expected
    assert expected[0] != expected[1], "the picture must count"
    assert expected[3] != expected[5], "so must the order of pictures"


def test_sampling_depends_on_the_request_and_the_seed_alone(model: ImageTextModel) -> None:
    warm = Generation(max_new_tokens=8, temperature=1.0)
    once = texts(model, ASKED, warm)
    assert texts(with_batch(model, 1), ASKED[::-1], warm)[::-1] == once
    assert texts(model, ASKED, replace(warm, seed=1)) != once


def test_a_picture_that_cannot_be_read_fails_alone(model: ImageTextModel, tmp_path: Path) -> None:
    cut = tmp_path / "cut.png"
    cut.write_bytes((RED.data or b"")[:40])
    bad = [
        request("The answer is", Picture(data=b"no picture")),
        request("The answer is", Picture(path=str(tmp_path / "gone.png"))),
        request("The answer is", Picture(path=str(cut))),
        request("Which?", RED, Picture(data=b"")),
    ]
    got = answers(model, [*ASKED, *bad])
    assert [response.text for response in got[: len(ASKED)]] == texts(model, ASKED)
    for response in got[len(ASKED) :]:
        assert "cannot be read" in (response.error or "")
        assert " at 0x" not in (response.error or "")
    assert "gone.png" in (got[len(ASKED) + 1].error or "")
    scored = answers(model, [replace(one, continuations=("A", "B")) for one in (ASKED[0], bad[0])])
    assert scored[0].scores is not None
    assert "cannot be read" in (scored[1].error or "")


def test_what_the_processor_refuses_fails_alone(model: ImageTextModel, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = model._inputs

    def picky(requests: list[Request], *rest: Any) -> Any:
        if any(one.prompt == "Which of them?" for one in requests):
            raise ValueError("too many hats")
        return usual(requests, *rest)

    before = texts(model, ASKED)
    monkeypatch.setattr(model, "_inputs", picky)
    got = answers(model, ASKED)
    assert got[4].error == "ValueError: too many hats"
    assert [r.text for n, r in enumerate(got) if n != 4] == [t for n, t in enumerate(before) if n != 4]


def test_what_does_not_fit_fails_alone(model: ImageTextModel) -> None:
    got = answers(model, [ASKED[0], request("hat " * 300, RED)])
    assert "the model's window is 256" in (got[1].error or "")
    assert got[0].text == texts(model, ASKED[:1])[0]


def test_pictures_stand_before_the_text(model: ImageTextModel, chat_model: ImageTextModel) -> None:
    asked = request("Which hat?", RED, BLUE, system="Look.")
    assert model.prompts.text(asked, {}) == "Look. USER: <image>\n<image>\nWhich hat? ASSISTANT:"
    assert chat_model.prompts.text(asked, {}) == (
        "<|im_start|>system\nLook.<|im_end|>\n<|im_start|>user\n<image><image>Which hat?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert model.prompts.text(request("Which {text}?"), {}) == "USER: Which {text}? ASSISTANT:"


def test_a_template_of_the_tokenizer_alone_gets_placeholders(
    model: ImageTextModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model.tokenizer, "chat_template", CHATML)
    monkeypatch.setattr(model.prompts, "style", "tokenizer")
    text = model.prompts.text(request("Which?", RED, BLUE), {})
    assert text == "<|im_start|>user\n<image>\n<image>\nWhich?<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize("word", SPECIAL)
@pytest.mark.parametrize("kind", ["model", "chat_model"])
def test_control_tokens_in_quoted_text_stay_text(word: str, kind: str, request: pytest.FixtureRequest) -> None:
    model: ImageTextModel = request.getfixturevalue(kind)
    from tests.tiny_models import request as ask

    def ids_of(prompts: list[str]) -> list[list[int]]:
        asked = [ask(prompt, RED) for prompt in prompts]
        inputs = model._inputs(asked, [[RED.open()] for _ in asked], Generation())
        assert inputs["attention_mask"].shape == inputs["input_ids"].shape
        return [
            row[mask == 1].tolist() for row, mask in zip(inputs["input_ids"], inputs["attention_mask"], strict=True)
        ]

    quoted = f"The option {word} says {word}"
    special = set(model.tokenizer.all_special_ids) | {model.prompts.guard.cut_id}
    first, harmless = ids_of([quoted, "a much longer text, without any control token in it"])
    assert [i for i in first if i in special] == [i for i in harmless if i in special]
    assert quoted in model.tokenizer.decode(first)
    pair = [ask(quoted, RED), ask("a much longer text, without any control token", BLUE)]
    assert texts(model, pair) == texts(with_batch(model, 1), pair)
    assert all(response.error is None for response in answers(model, pair))


@pytest.mark.parametrize("kind", ["model", "chat_model"])
def test_likelihoods_are_those_of_a_forward_pass(kind: str, request: pytest.FixtureRequest) -> None:
    model: ImageTextModel = request.getfixturevalue(kind)
    tails = (" A", " the man with a hat", " no", " <image>")
    asked = [replace(one, continuations=tails) for one in ASKED]
    for size in (1, 3, 8):
        for one, response in zip(asked, answers(with_batch(model, size), asked), strict=True):
            images = [shown.open() for shown in one.pictures] or None
            text = model.prompts.text(one, {})
            inputs = dict(model.processor(text=text, images=images, return_tensors="pt"))
            prompt = inputs.pop("input_ids")[0].tolist()
            inputs.pop("attention_mask")
            assert response.scores is not None
            for tail, score in zip(tails, response.scores, strict=True):
                ids = model.tokenizer(tail, split_special_tokens=True)["input_ids"]
                with torch.no_grad():
                    logits = model.model(input_ids=torch.tensor([prompt + ids]), **inputs).logits[0]
                steps = logits.double().log_softmax(-1)
                total = sum(float(steps[len(prompt) - 1 + n, token]) for n, token in enumerate(ids))
                assert score == pytest.approx(total, abs=1e-4)


def test_a_model_that_looks_ahead_is_not_scored(model: ImageTextModel, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = model.model.forward

    def looks_ahead(input_ids: Any, **rest: Any) -> Any:
        keep = rest.pop("logits_to_keep")
        out = usual(input_ids=input_ids, **rest)
        out.logits = (out.logits + out.logits[:, -1:])[:, -keep:]
        return out

    monkeypatch.setattr(model, "_continuation_type", None)
    monkeypatch.setattr(model.model, "forward", looks_ahead)
    monkeypatch.setattr(model, "sharing", PictureSharing(model))
    with pytest.raises(ModelError, match="--scoring generate"):
        answers(model, [replace(ASKED[0], continuations=("A", "B"))])


class Follows:
    """Makes `generate` write the given tokens, and adds up their log-likelihood."""

    def __init__(self, ids: list[int]) -> None:
        self.ids = iter(ids)
        self.total = 0.0

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        token = next(self.ids)
        self.total += float(scores[0].log_softmax(-1)[token])
        return torch.full_like(scores, -1e9).index_fill(1, torch.tensor([token]), 0.0)


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.parametrize("family", [tiny_models.paligemma, tiny_models.instructblip])
def test_families_that_read_their_prompt_in_another_way(family: Any) -> None:
    """PaliGemma's prompt attends both ways; InstructBLIP has a second tokenizer."""
    loaded, processor = family()
    options = ModelOptions(batch_size=4)
    model = ImageTextModel(loaded, processor, options, torch.device("cpu"), ModelInfo("tiny"))
    asked = [request("The answer is", RED), request("no <image> of <|im_end|> a hat", BLUE)]
    together = answers(model, asked)
    assert [response.error for response in together] == [None, None]
    assert texts(with_batch(model, 1), asked) == [response.text for response in together]
    tail = " the man"
    for one in asked:
        scores = answers(model, [replace(one, continuations=(tail, " A"))])[0].scores
        inputs = model._inputs([one], [[shown.open() for shown in one.pictures]], Generation())
        for name in ("input_ids", "qformer_input_ids"):
            if name in inputs:
                tokenizer = processor.tokenizer if name == "input_ids" else processor.qformer_tokenizer
                assert one.prompt in tokenizer.decode(inputs[name][0])
        follows = Follows(model.tokenizer(tail, add_special_tokens=False)["input_ids"])
        count = len(model.tokenizer(tail, add_special_tokens=False)["input_ids"])
        loaded.generate(**inputs, max_new_tokens=count, do_sample=False, logits_processor=[follows], eos_token_id=None)
        assert scores is not None
        assert scores[0] == pytest.approx(follows.total, abs=1e-4)


def test_a_text_model_is_no_image_text_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="text:"):
        load(str(save_llama(tmp_path / "llama")), ModelOptions())
