"""The formats of families without a chat template: their words, which model takes which, and what a model reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from punctum.cli import main  # noqa: E402
from punctum.evaluators.models._chat_formats import FORMATS, chosen, of_pictures, of_text  # noqa: E402
from punctum.evaluators.models.base import ModelError, ModelOptions  # noqa: E402
from punctum.evaluators.models.loading import load_model, suited  # noqa: E402
from punctum.evaluators.models.transformers_image_text import ImageTextModel, load  # noqa: E402
from punctum.records import Generation, ModelInfo  # noqa: E402
from tests.tiny_models import (  # noqa: E402
    CHATML,
    answers,
    blip2,
    instructblip,
    paligemma,
    picture,
    request,
    save_llama,
    save_llava,
)

VICUNA = (
    "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, "
    "and polite answers to the user's questions."
)
RED, BLUE = picture("red"), picture("blue")


@pytest.mark.parametrize(
    ("name", "without", "with_both"),
    [
        ("plain", "Which?", "<image><image>Look.\n\nWhich?"),
        ("llava", "USER: Which? ASSISTANT:", "Look. USER: <image>\n<image>\nWhich? ASSISTANT:"),
        ("vicuna", f"{VICUNA} USER: Which? ASSISTANT:", "Look. USER: <image>\n<image>\nWhich? ASSISTANT:"),
        ("llava_mistral", "[INST] Which? [/INST]", "[INST] Look.\n\n<image>\n<image>\nWhich? [/INST]"),
        (
            "llava_chatml",
            "<|im_start|>system\nAnswer the questions.<|im_end|><|im_start|>user\nWhich?<|im_end|>"
            "<|im_start|>assistant\n",
            "<|im_start|>system\nLook.<|im_end|><|im_start|>user\n<image>\n<image>\nWhich?<|im_end|>"
            "<|im_start|>assistant\n",
        ),
        (
            "vipllava",
            f"{VICUNA.replace('user', 'human')}###Human: Which?###Assistant:",
            "Look.###Human: <image>\n<image>\nWhich?###Assistant:",
        ),
        (
            "minigpt4",
            "Give the following image: <Img>ImageContent</Img>. You will be able to see the image once I provide it "
            "to you. Please answer my questions.###Human: Which?###Assistant:",
            "Look.###Human: <Img><image></Img> <Img><image></Img> Which?###Assistant:",
        ),
        ("blip2", "Question: Which? Answer:", "Look. Question: Which? Answer:"),
        (
            "idefics",
            "User:Which?<end_of_utterance>\nAssistant:",
            "User:<image><image>Look.\n\nWhich?<end_of_utterance>\nAssistant:",
        ),
        ("fuyu", "Which?\n", "<image><image>Look.\n\nWhich?\n"),
    ],
)
def test_the_words_of_each_format(name: str, without: str, with_both: str) -> None:
    assert FORMATS[name].fill("Which?", None) == without
    assert FORMATS[name].fill("Which?", "Look.", "<image>", 2) == with_both
    quoted = "{prompt} {pictures} {system} {}"
    assert FORMATS[name].fill(quoted, quoted, "<image>", 1).count(quoted) == 2


def test_every_format_has_its_words_tested() -> None:
    [cases] = [mark for mark in test_the_words_of_each_format.pytestmark if mark.name == "parametrize"]  # type: ignore[attr-defined]
    assert [case[0] for case in cases.args[1]] == list(FORMATS)


def test_blip2_goes_on_with_an_answer_that_the_prompt_began() -> None:
    assert FORMATS["blip2"].fill("It is red.\n<object1>:", None) == "It is red.\n<object1>:"
    assert FORMATS["llava"].fill("It is red.\n<object1>:", None) == "USER: It is red.\n<object1>: ASSISTANT:"


def test_the_format_follows_the_type_of_the_model() -> None:
    from transformers import LlamaConfig, LlavaNextConfig, MistralConfig

    def words(*known: str) -> Any:
        return SimpleNamespace(get_vocab=lambda: dict.fromkeys(known, 0))

    def of(model_type: str) -> str:
        return of_pictures(SimpleNamespace(model_type=model_type), words())

    assert of_pictures(LlavaNextConfig(text_config=LlamaConfig()), words("a")) == "llava"
    assert of_pictures(LlavaNextConfig(text_config=MistralConfig()), words("a")) == "llava_mistral"
    assert of_pictures(LlavaNextConfig(text_config=LlamaConfig()), words("<|im_start|>")) == "llava_chatml"
    assert [of(name) for name in ("llava", "vipllava", "blip-2", "instructblip", "paligemma", "idefics2", "fuyu")] == [
        "llava", "vipllava", "blip2", "plain", "plain", "idefics", "fuyu"
    ]  # fmt: skip
    assert [of_text(n) for n in ("lmsys/vicuna-13b-v1.5", "Vicuna-7B", "vicuna-13b-delta-v0", "vicuna/llama-7b")] == [
        "vicuna", "vicuna", "plain", "plain"
    ]  # fmt: skip
    assert chosen("auto", True, "llava") == "template"
    assert chosen("auto", False, "llava") == "llava"
    assert chosen("vicuna", True, "llava") == "vicuna"
    with pytest.raises(ModelError, match=r"'vicunya' is not known; known: auto, template, plain, llava, vicuna"):
        chosen("vicunya", True, "plain")
    with pytest.raises(ModelError, match="no chat template; --chat-format auto takes its family's format: llava"):
        chosen("template", False, "llava")


def test_vicuna_is_known_by_its_name_and_the_signature_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = save_llama(tmp_path / "vicuna-7b-v1.5", max_position_embeddings=1024)
    model: Any = load_model(f"text:{folder}")
    plain: Any = load_model(f"text:{folder}", ModelOptions(chat_format="plain"))
    asked = request("Which hat?")
    assert model.prompts.text(asked) == f"{VICUNA} USER: Which hat? ASSISTANT:"
    assert plain.prompts.text(asked) == "Which hat?"
    ids = model.tokenizer(f"{VICUNA} USER: Which hat? ASSISTANT:", return_tensors="pt")
    written = model.model.generate(**ids, max_new_tokens=8, do_sample=False)[0, ids["input_ids"].shape[1] :]
    [got] = answers(model, [asked])
    assert got.text == model.tokenizer.decode(written, skip_special_tokens=True)
    assert got.text != answers(plain, [asked])[0].text
    said = [one.fingerprint() for one in (model, plain)]
    assert [one["chat_format"] for one in said] == ["vicuna", "plain"]
    assert said[0]["chat_template"] is not None and said[1]["chat_template"] is None
    words = ["run", "whoops", "--sample", "--setting", "lm", "--limit", "1", "--model", f"text:{folder}", "--quiet"]
    words += ["--store", str(tmp_path / "s"), "--json", "-"]
    assert main(words) == 0
    assert "|chat_format:vicuna|chat_template:" in capsys.readouterr().out
    assert main([*words, "--chat-format", "template"]) == 2
    assert "auto takes its family's format: vicuna" in capsys.readouterr().err


def test_a_format_that_is_named_comes_before_the_template(tmp_path: Path) -> None:
    folder = save_llava(tmp_path / "chat", CHATML)
    asked = request("Which?", RED)
    by_name = load(str(folder), ModelOptions(chat_format="vicuna", device="cpu"))
    assert by_name.prompts.text(asked, {}) == f"{VICUNA} USER: <image>\nWhich? ASSISTANT:"
    inputs = by_name._inputs([asked], [[RED.open()]], Generation())
    expected = by_name.processor(text=by_name.prompts.text(asked, {}), images=[RED.open()], return_tensors="pt")
    assert inputs["input_ids"].tolist() == expected["input_ids"].tolist()
    by_template = load(str(folder), ModelOptions(device="cpu"))
    assert by_template.prompts.text(asked, {}).startswith("<|im_start|>user")
    assert [one.fingerprint()["chat_format"] for one in (by_name, by_template)] == ["vicuna", "template"]


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.parametrize("language", ["opt", "t5"])
def test_blip2_is_asked_a_question(language: str) -> None:
    loaded, processor = blip2(language)
    model = ImageTextModel(loaded, processor, ModelOptions(batch_size=4), torch.device("cpu"), ModelInfo("tiny"))
    assert model.scores == (language == "opt")
    asked = [request("The answer is", RED), request("Which of the two hats?", BLUE), request("The man:", RED)]
    texts = ["Question: The answer is Answer:", "Question: Which of the two hats? Answer:", "The man:"]
    expected = []
    for one, text in zip(asked, texts, strict=True):
        inputs = processor(text=[text], images=[one.pictures[0].open()], return_tensors="pt")
        out = loaded.generate(**inputs, max_new_tokens=8, do_sample=False)[0].tolist()
        new = out[inputs["input_ids"].shape[1] :] if language == "opt" else out
        expected.append(processor.tokenizer.decode(new, skip_special_tokens=True))
    assert [response.text for response in answers(model, asked)] == expected
    model.options = ModelOptions(batch_size=1)
    assert [response.text for response in answers(model, asked)] == expected
    other = [request("The answer is", BLUE)]
    assert answers(model, other)[0].text != expected[0], "the picture must count"


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.parametrize("family", [blip2, instructblip])
def test_one_picture_is_all_that_a_blip_sees(family: Any) -> None:
    loaded, processor = family()
    model = ImageTextModel(loaded, processor, ModelOptions(batch_size=4), torch.device("cpu"), ModelInfo("tiny"))
    found = answers(model, [request("Which?", RED), request("Which?", RED, BLUE), request("Which hat?", BLUE)])
    assert [response.error is None for response in found] == [True, False, True]
    assert "sees one picture at a time, and the question shows 2" in found[1].error


@pytest.mark.parametrize(("family", "text"), [(paligemma, "<image>Which?"), (instructblip, "Which?")])
def test_instructions_are_left_bare(family: Any, text: str) -> None:
    loaded, processor = family()
    model = ImageTextModel(loaded, processor, ModelOptions(), torch.device("cpu"), ModelInfo("tiny"))
    assert model.prompts.text(request("Which?", RED), {}) == text
    assert model.prompts.chat_format == "plain"


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        (
            "openai:m@http://127.0.0.1:9/v1",
            {"quantize": "8bit"},
            "--quantize 8bit does not go with openai:m@.*server's to set",
        ),
        ("openai:m@http://127.0.0.1:9/v1", {"chat_format": "vicuna"}, "--chat-format vicuna .*server's to set"),
        ("openai:m@http://127.0.0.1:9/v1", {"trust_remote_code": True}, "--trust-remote-code does not go with"),
        ("baseline:first", {"dtype": "float16"}, "--dtype float16 does not go with baseline:first: there is no model"),
        ("clip:somewhere", {"chat_format": "plain"}, "--chat-format plain does not go with clip:somewhere: it sees no"),
    ],
)
def test_what_a_backend_does_not_take_is_refused(spec: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(spec, ModelOptions(**options))


def test_a_model_that_helps_takes_what_it_can() -> None:
    given = ModelOptions(quantize="8bit", concurrency=3, dtype="float16", revision="main", chat_format="vicuna")
    given = replace(given, model_args={"attn_implementation": "eager"})
    assert suited("openai:m", given, "text:n") == ModelOptions(concurrency=3)
    alike = ModelOptions(quantize="8bit", concurrency=3, dtype="float16")
    assert suited("image-text:m", given, "text:n") == alike
    assert suited("text:m", given, "text:n") == replace(alike, model_args={"attn_implementation": "eager"})
