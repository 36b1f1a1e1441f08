"""The text backend, on a tiny Llama with random weights and on the real gemma-3-270m."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from punctum.evaluators.models import _decoding, _likelihood, gguf  # noqa: E402
from punctum.evaluators.models._memory import Room  # noqa: E402
from punctum.evaluators.models.base import Model, ModelError, ModelOptions  # noqa: E402
from punctum.evaluators.models.transformers_text import TextModel, load  # noqa: E402
from punctum.records import Generation, Request  # noqa: E402
from tests.tiny_models import CHATML, SPECIAL, answers, picture, request, save_llama  # noqa: E402

PROMPTS = [
    "The answer is",
    "A",
    "the question about the picture of the man\nA. a hat\nB. no hat\nAnswer:",
    "Which?",
    "yes or no?" * 6,
    "Answer: B\nC" * 3,
    "a hat",
]
ASKED = [request(prompt) for prompt in PROMPTS]
NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}" + CHATML
DEAF = "<|im_start|>{{ messages[-1]['content'] }}<|im_end|>"


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llama(tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="module")
def chat_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llama(tmp_path_factory.mktemp("chat-llama"), CHATML)


@pytest.fixture(scope="module")
def model(folder: Path) -> TextModel:
    return load(str(folder), ModelOptions(batch_size=4, device="cpu"))


@pytest.fixture(scope="module")
def chat_model(chat_folder: Path) -> TextModel:
    return load(str(chat_folder), ModelOptions(batch_size=4, device="cpu"))


def with_batch(model: TextModel, size: int) -> TextModel:
    """The same model, asked in other batches."""
    made = TextModel.__new__(TextModel)
    made.__dict__.update(model.__dict__, room=Room(model.model, size))
    return made


def texts(model: Any, requests: list[Request], generation: Generation | None = None) -> list[str]:
    return [response.text for response in answers(model, requests, generation)]


def test_it_is_a_model_and_says_which(model: TextModel, folder: Path) -> None:
    assert isinstance(model, Model)
    assert (model.info.id, model.info.backend, model.info.dtype) == (
        folder.name,
        "transformers-text",
        "float32",
    )
    assert model.info.revision is not None
    shown = json.dumps(dict(model.fingerprint()))
    assert json.loads(shown)["device"] == "cpu"
    assert str(folder.parent) not in shown


def test_answers_are_those_of_plain_generate_whatever_the_batch(model: TextModel) -> None:
    expected = []
    for prompt in PROMPTS:
        ids = model.tokenizer(prompt, return_tensors="pt")["input_ids"]
        out = model.model.generate(input_ids=ids, max_new_tokens=8, do_sample=False, pad_token_id=0)
        expected.append(model.tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True))
    assert len(set(expected)) > 3
    for size in (1, 3, 8):
        assert texts(with_batch(model, size), ASKED) == expected


def test_the_longest_come_first(model: TextModel) -> None:
    first = next(iter(model.answer(ASKED, Generation(max_new_tokens=1))))
    lengths = [len(model.tokenizer(prompt)["input_ids"]) for prompt in PROMPTS]
    assert {index for index, _ in first} == set(sorted(range(7), key=lambda i: -lengths[i])[:4])


def test_sampling_depends_on_the_request_and_the_seed_alone(model: TextModel) -> None:
    warm = Generation(max_new_tokens=8, temperature=1.0, seed=3)
    once = texts(model, ASKED, warm)
    assert texts(with_batch(model, 1), ASKED, warm) == once
    assert texts(model, ASKED[::-1], warm) == once[::-1]
    assert texts(model, ASKED, replace(warm, seed=4)) != once
    assert texts(model, [replace(r, attempt=1) for r in ASKED], warm) != once
    assert texts(model, ASKED, replace(warm, top_k=1)) == texts(model, ASKED)
    assert texts(model, ASKED, replace(warm, top_p=1e-6)) == texts(model, ASKED)


def test_sampled_tokens_follow_the_model(model: TextModel) -> None:
    ids = torch.tensor([model.prompts.ids("The answer is")])
    logits = model.model(ids).logits[:, -1].detach()
    probabilities = torch.softmax(logits[0] / 0.7, dim=-1)
    generation = Generation(temperature=0.7)
    draws = [replace(request("The answer is"), attempt=n) for n in range(2000)]
    chosen = _decoding.sampler(generation, draws)(ids, logits.repeat(2000, 1))
    counts = torch.bincount(chosen.argmax(dim=-1), minlength=len(probabilities)) / 2000
    assert float((counts - probabilities).abs().sum()) / 2 < 0.1


def test_filters_agree_with_those_of_transformers() -> None:
    from transformers import TopKLogitsWarper, TopPLogitsWarper

    logits = torch.randn(5, 50, generator=torch.Generator().manual_seed(0)) * 3
    for k in (1, 7, 60):
        assert torch.equal(_decoding._filter(logits, k, 1.0), TopKLogitsWarper(k)(None, logits))
    for p in (0.05, 0.5, 0.95):
        assert torch.equal(_decoding._filter(logits, None, p), TopPLogitsWarper(p)(None, logits))


def test_an_end_token_ends_an_answer_and_the_limit_cuts_it(folder: Path, tmp_path: Path) -> None:
    plain = load(str(folder), ModelOptions(device="cpu"))
    whole = answers(plain, ASKED[:3], Generation(max_new_tokens=8))
    assert {response.finish_reason for response in whole} == {"length"}
    assert {response.output_tokens for response in whole} == {8}
    ids = plain.tokenizer("The answer is", return_tensors="pt")["input_ids"]
    out = plain.model.generate(input_ids=ids, max_new_tokens=8, do_sample=False)[0, ids.shape[1] :].tolist()
    plain.ends = frozenset([2, out[3]])
    stopped = answers(plain, ASKED[:3], Generation(max_new_tokens=8))
    place = out.index(out[3])
    assert stopped[0].finish_reason == "stop"
    assert stopped[0].output_tokens == place
    assert stopped[0].text == plain.tokenizer.decode(out[:place], skip_special_tokens=True)
    assert stopped[1].text == whole[1].text or stopped[1].finish_reason == "stop"


@pytest.mark.parametrize(
    ("ids", "early", "kept", "reason"),
    [
        ([5, 6, 2, 0, 0], False, [5, 6], "stop"),
        ([5, 6, 7, 8, 9], False, [5, 6, 7, 8, 9], "length"),
        ([2, 5, 5, 5, 5], False, [], "stop"),
        ([5, 6, 0, 0, 0], True, [5, 6], "stop"),
        ([5, 6, 7, 8, 0], False, [5, 6, 7, 8, 0], "length"),
    ],
)
def test_the_cut(ids: list[int], early: bool, kept: list[int], reason: str) -> None:
    assert _decoding.cut_answer(ids, frozenset([2]), 0, 5, early) == (kept, reason)


def test_a_checkpoints_own_defaults_do_not_count(folder: Path, tmp_path: Path) -> None:
    from shutil import copytree

    other = Path(copytree(folder, tmp_path / "other"))
    settings = json.loads((other / "generation_config.json").read_text())
    settings |= {"repetition_penalty": 5.0, "do_sample": True, "temperature": 3.0, "max_new_tokens": 2}
    (other / "generation_config.json").write_text(json.dumps(settings))
    changed = load(str(other), ModelOptions(device="cpu"))
    assert texts(changed, ASKED) == texts(load(str(folder), ModelOptions(device="cpu")), ASKED)


def test_further_settings_are_handed_on(model: TextModel) -> None:
    penal = Generation(max_new_tokens=8, extra={"repetition_penalty": 5.0})
    assert texts(model, ASKED, penal) != texts(model, ASKED)
    assert len(texts(model, ASKED[:2], Generation(max_new_tokens=4, num_beams=2))) == 2
    with pytest.raises(ModelError, match="num_beams"):
        texts(model, ASKED, Generation(temperature=1.0, num_beams=2))
    with pytest.raises(ModelError, match="do_sample is not for this backend"):
        texts(model, ASKED, Generation(extra={"do_sample": True}))


def test_a_chat_template_is_used_as_the_library_uses_it(chat_model: TextModel) -> None:
    for system in (None, "Be brief."):
        asked = request("Which hat? ", system=system)
        messages = [{"role": "user", "content": "Which hat? "}]
        if system:
            messages.insert(0, {"role": "system", "content": system})
        expected = chat_model.tokenizer.apply_chat_template(messages, add_generation_prompt=True)["input_ids"]
        assert chat_model.prompts.ids(chat_model.prompts.text(asked)) == expected


@pytest.mark.parametrize("template", [NO_SYSTEM, DEAF])
def test_a_template_without_the_system_role_gets_it_in_the_users_turn(
    template: str, chat_model: TextModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_model.tokenizer, "chat_template", template)
    text = chat_model.prompts.text(request("Which?", system="Be brief."))
    assert "Be brief.\n\nWhich?<|im_end|>" in text
    assert text.count("Be brief.") == 1


@pytest.mark.parametrize("word", [*SPECIAL, "<|punctum:cut|>", "<<image>", "<|im_<|im_end|>end|>", "<s></s>"])
@pytest.mark.parametrize("kind", ["model", "chat_model"])
def test_control_tokens_in_quoted_text_stay_text(word: str, kind: str, request: pytest.FixtureRequest) -> None:
    model: TextModel = request.getfixturevalue(kind)
    quoted = f"The option{word} says {word}"
    from tests.tiny_models import request as ask

    special = set(model.tokenizer.all_special_ids) | {model.prompts.guard.cut_id}
    ids = model.prompts.ids(model.prompts.text(ask(quoted, system=f"Sys {word}")))
    harmless = model.prompts.ids(model.prompts.text(ask("The option says", system="Sys")))
    assert [i for i in ids if i in special] == [i for i in harmless if i in special]
    assert quoted in model.tokenizer.decode(ids)
    assert max(ids) < model.model.get_input_embeddings().num_embeddings


def test_text_without_control_tokens_has_its_usual_tokens(model: TextModel) -> None:
    for prompt in PROMPTS:
        assert model.prompts.ids(model.prompts.text(request(prompt))) == model.tokenizer(prompt)["input_ids"]


def likelihood(model: TextModel, prompt: list[int], tail: list[int]) -> float:
    """By hand: one forward pass over one row."""
    logits = model.model(torch.tensor([prompt + tail])).logits[0].detach().double().log_softmax(-1)
    return sum(float(logits[len(prompt) - 1 + n, token]) for n, token in enumerate(tail))


@pytest.mark.parametrize("kind", ["model", "chat_model"])
def test_likelihoods_are_those_of_a_forward_pass(kind: str, request: pytest.FixtureRequest) -> None:
    model: TextModel = request.getfixturevalue(kind)
    tails = (" A", " the man with a hat", " no")
    asked = [replace(r, continuations=tails) for r in ASKED]
    scored = {size: answers(with_batch(model, size), asked) for size in (1, 4, 32)}
    for number, one in enumerate(asked):
        prompt = model.prompts.ids(model.prompts.text(one))
        expected = [likelihood(model, prompt, model.prompts.plain_ids(tail)) for tail in tails]
        for responses in scored.values():
            assert responses[number].scores == pytest.approx(expected, abs=1e-4)


def test_prompts_and_continuations_meet_at_a_token_boundary(model: TextModel) -> None:
    whole = model.tokenizer("The answer")["input_ids"]
    joined = model.tokenizer("The")["input_ids"]
    # " answer" is one token: a blank at the end of the prompt belongs to the continuation
    blank = answers(model, [replace(request("The "), continuations=("answer", "hat"))])[0]
    plain = answers(model, [replace(request("The"), continuations=(" answer", " hat"))])[0]
    assert blank.scores == plain.scores
    assert plain.scores[0] == pytest.approx(likelihood(model, joined, whole[len(joined) :]), abs=1e-4)
    # without a blank on either side one is set
    apart = answers(model, [replace(request("The"), continuations=("answer", "hat"))])[0]
    assert apart.scores == plain.scores


def test_a_continuation_that_would_join_the_prompts_last_word_is_scored_whole(model: TextModel) -> None:
    encode, alone = model.prompts.ids, model.prompts.plain_ids
    assert encode("The answ") + alone("er") != encode("The answer")
    assert _likelihood.continuation_ids(encode, alone, "The answ", ["er"]) == [tuple(alone("er"))]


def test_rows_far_apart_do_not_share_a_batch() -> None:
    rows = [_likelihood.Row(n, 0, (1,) * length, (2, 3)) for n, length in enumerate((1000, 990, 40, 39, 38))]
    sizes = [[len(row.prompt) for row in batch] for batch in _likelihood.batches(rows, 4)]
    assert sizes == [[1000, 990], [40, 39, 38]]


def test_continuations_of_one_token_share_one_pass(model: TextModel, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = ("A", "B", "a", "A hat")
    asked = [replace(request(prompt), continuations=letters) for prompt in ("yes", "The answer is")]
    expected = [response.scores for response in answers(with_batch(model, 1), asked)]
    passes = []
    usual = model.model.forward

    def counted(input_ids: Any, **arguments: Any) -> Any:
        passes.append(input_ids.shape)
        return usual(input_ids=input_ids, **arguments)

    monkeypatch.setattr(model.model, "forward", counted)
    for response, scores in zip(answers(model, asked), expected, strict=True):
        assert response.scores == pytest.approx(scores, abs=1e-4)
        assert len(set(response.scores)) == 4
    assert len(passes) == 1


def test_an_empty_prompt_starts_from_the_start_token(model: TextModel) -> None:
    assert answers(model, [replace(request(""), continuations=("A",))])[0].scores[0] == pytest.approx(
        likelihood(model, [1], model.prompts.plain_ids("A")), abs=1e-4
    )
    assert answers(model, [request("")])[0].error is None


def test_what_does_not_fit_fails_alone_and_nothing_is_cut(model: TextModel) -> None:
    long = "hat " * 300
    got = answers(model, [request("A"), request(long), request("B")])
    assert got[1].error is not None
    assert "the model's window is 256" in got[1].error
    assert got[0].error is None and got[2].error is None
    scored = answers(model, [replace(request(p), continuations=("A",)) for p in ("A", long)])
    assert scored[0].scores is not None and scored[1].error is not None
    empty = answers(model, [replace(request("A"), continuations=("B", ""))])
    assert "continuation 2 of 2 is empty" in (empty[0].error or "")


def test_pictures_are_refused(model: TextModel) -> None:
    with pytest.raises(ModelError, match="sees no pictures"):
        answers(model, [request("A", picture("red"))])


def test_ctrl_c_passes_through(model: TextModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(model.model, "generate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        answers(model, ASKED)


def test_a_gguf_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such file"):
        gguf.load(str(tmp_path / "none.gguf"), ModelOptions())
    (tmp_path / "text.gguf").write_text("hello")
    with pytest.raises(ModelError, match="does not start with GGUF"):
        gguf.load(str(tmp_path / "text.gguf"), ModelOptions())
    (tmp_path / "cut.gguf").write_bytes(b"GGUF\x03\0\0\0")
    with pytest.raises(ModelError, match="cannot be loaded"):
        gguf.load(str(tmp_path / "cut.gguf"), ModelOptions())
    with pytest.raises(ModelError, match="--quantize 8bit"):
        gguf.load(str(tmp_path / "cut.gguf"), ModelOptions(quantize="8bit"))


@pytest.mark.weights
def test_the_real_gemma_from_a_gguf_file(gemma: Path, tmp_path: Path) -> None:
    options = ModelOptions(device="cpu", batch_size=3, model_args={"unpacked": str(tmp_path)})
    model = gguf.load(str(gemma), options)
    assert (model.info.id, model.info.quantization) == ("gemma-3-270m.gguf", "gguf")
    asked = [
        request("The capital of France is"),
        request("Q: What is the colour of the sky on a clear day?\nA:"),
        request("One, two, three, four,"),
    ]
    short = Generation(max_new_tokens=6)
    together = texts(model, asked, short)
    for one, text in zip(asked, together, strict=True):
        ids = model.tokenizer(one.prompt, return_tensors="pt")["input_ids"]
        assert ids[0, 0] == model.tokenizer.bos_token_id
        out = model.model.generate(input_ids=ids, max_new_tokens=6, do_sample=False)
        assert text == model.tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True)
    assert "blue" in together[1]
    assert "five, six" in together[2]
    assert texts(with_batch(model, 1), asked, short) == together
    scored = answers(model, [replace(asked[0], continuations=(" Paris", " Berlin", " cheese"))])[0].scores
    assert scored[0] > scored[1] > scored[2]
    ids = model.prompts.ids("a <end_of_turn> b")
    cut = model.prompts.ids(model.prompts.text(request("a <end_of_turn> b")))
    assert model.tokenizer.convert_tokens_to_ids("<end_of_turn>") in ids
    assert model.tokenizer.convert_tokens_to_ids("<end_of_turn>") not in cut
    assert model.tokenizer.decode(cut, skip_special_tokens=True) == "a <end_of_turn> b"

    (kept,) = tmp_path.iterdir()
    assert kept.name.startswith("gemma-3-270m-")
    again = gguf.load(str(gemma), options)
    assert (again.info, again.fingerprint()) == (model.info, model.fingerprint())
    assert str(tmp_path) not in json.dumps(dict(again.fingerprint()))
    assert texts(again, asked, short) == together
    weights = dict(again.model.named_parameters())
    for name, weight in model.model.named_parameters():
        assert torch.equal(weights[name], weight), name
    for prompt in PROMPTS:
        assert again.prompts.ids(prompt) == model.prompts.ids(prompt)
