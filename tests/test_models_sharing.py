"""Shared prefixes: for every family the same tokens and likelihoods as each question by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from itertools import pairwise
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from punctum.evaluators.models import _memory, _prefix, _probe, _stopping  # noqa: E402
from punctum.evaluators.models._memory import Room, parse_size  # noqa: E402
from punctum.evaluators.models._picture_sharing import PictureSharing  # noqa: E402
from punctum.evaluators.models._remembering import Remembering, ahead  # noqa: E402
from punctum.evaluators.models._stopping import can_be_read  # noqa: E402
from punctum.evaluators.models.base import ModelError, ModelOptions  # noqa: E402
from punctum.evaluators.models.transformers_image_text import ImageTextModel  # noqa: E402
from punctum.evaluators.models.transformers_text import TextModel  # noqa: E402
from punctum.records import Generation, ModelInfo, Picture, Request, Sample, Unit  # noqa: E402
from tests import tiny_families, tiny_models  # noqa: E402
from tests.tiny_models import answers, picture, request  # noqa: E402

RED, BLUE, WIDE = picture("red"), picture("blue"), picture("green", (40, 16))
SUFFIXES = ["The answer is", " the question about the man", "Which?", "yes no a hat yes no", "A"]
LONG = "the question about the picture of the man "
SHOWN = [
    *(request(text, shown) for shown in (RED, WIDE) for text in SUFFIXES),
    *(request(text, RED, BLUE) for text in SUFFIXES[:3]),
    request("yes", BLUE),
    request("The answer is", RED, system="Look at the hat."),
    request("Which?", RED, system="Look at the hat."),
]
TOLD = [request(LONG * 3 + text) for text in [*SUFFIXES, LONG]] + [request("A man"), request("yes")]
TAILS = (" A", " the man with a hat", " the man yes", " no")
EXPECTED = {"paligemma": "picture", "instructblip": "plain"}
FAMILIES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "llava": tiny_models.llava,
    **tiny_families.PICTURES,
    "paligemma": tiny_models.paligemma,
    "instructblip": tiny_models.instructblip,
}
CPU = torch.device("cpu")


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    torch.set_num_threads(1)
    yield


def image_text(family: str, **options: Any) -> ImageTextModel:
    model, processor = FAMILIES[family]()
    return ImageTextModel(model, processor, ModelOptions(**{"batch_size": 4, **options}), CPU, ModelInfo(family))


def text(family: str, **options: Any) -> TextModel:
    model, tokenizer = tiny_families.text_model(family)
    return TextModel(model, tokenizer, ModelOptions(**{"batch_size": 4, **options}), CPU, ModelInfo(family))


def told(model: Any, asked: list[Request], generation: Generation | None = None) -> list[tuple[str, int | None]]:
    """Texts and lengths, where nothing failed."""
    got = answers(model, asked, generation)
    assert [response.error for response in got] == [None] * len(asked)
    return [(response.text, response.output_tokens) for response in got]


def scored(model: Any, asked: list[Request]) -> list[float]:
    got = answers(model, [replace(one, continuations=TAILS) for one in asked])
    return [score for response in got for score in response.scores]


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.parametrize("family", FAMILIES)
def test_pictures_shared_or_not_the_answers_are_the_same(family: str) -> None:
    asked = [one for one in SHOWN if family != "instructblip" or len(one.pictures) == 1]
    if family not in ("paligemma", "instructblip"):  # their processors want a picture
        asked = [*asked, *TOLD]
    shared, plain = image_text(family), image_text(family, share="off")
    assert shared.fingerprint()["sharing"] == EXPECTED.get(family, "prefix")
    assert plain.fingerprint()["sharing"] == "plain"
    expected = told(plain, asked)
    assert len(set(expected)) > 4
    for size in (1, 3, 8):
        shared.room.rows = size
        assert told(shared, asked) == expected
    assert scored(shared, asked) == pytest.approx(scored(plain, asked), abs=1e-4)


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "mistral", "gemma3"])
def test_text_shared_or_not_the_answers_are_the_same(family: str) -> None:
    """The prompts are longer than the windows of mistral and gemma3."""
    shared, plain = text(family), text(family, share="off")
    assert shared.fingerprint()["sharing"] == "prefix"
    expected = told(plain, TOLD)
    assert len(set(expected)) > 4
    for size in (1, 3, 8):
        shared.room.rows = size
        assert told(shared, TOLD) == expected
    assert scored(shared, TOLD) == pytest.approx(scored(plain, TOLD), abs=1e-4)


@pytest.mark.parametrize(
    "generation",
    [
        Generation(max_new_tokens=8, temperature=1.0, seed=3),
        Generation(max_new_tokens=8, num_beams=3),
        Generation(max_new_tokens=80),
        Generation(max_new_tokens=12, extra={"stop_strings": ["a"], "no_repeat_ngram_size": 2}),
        Generation(max_new_tokens=8, extra={"use_cache": False}),
    ],
    ids=["sampled", "beams", "beyond the room", "stop strings", "not shared"],
)
def test_settings_of_generation_do_not_depend_on_sharing(generation: Generation) -> None:
    for shared, plain, asked in (
        (image_text("llava"), image_text("llava", share="off"), SHOWN),
        (text("gemma3"), text("gemma3", share="off"), TOLD),
    ):
        assert told(shared, asked, generation) == told(plain, asked, generation)


def test_every_picture_and_shared_token_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = image_text("llava", batch_size=16)
    assert model.sharing.level == "prefix"
    encoded: list[int] = []
    tower = model.model.base_model.vision_tower
    look = tower.forward

    def counted(pixel_values: Any, *args: Any, **kwargs: Any) -> Any:
        encoded.append(len(pixel_values))
        return look(pixel_values, *args, **kwargs)

    monkeypatch.setattr(tower, "forward", counted)
    lengths: list[int] = []
    read = model.model.base_model.language_model.forward

    def measured(**kwargs: Any) -> Any:
        lengths.append(kwargs["inputs_embeds"].shape[0] * kwargs["inputs_embeds"].shape[1])
        return read(**kwargs)

    monkeypatch.setattr(model.model.base_model.language_model, "forward", measured)
    asked = [request(one, RED) for one in SUFFIXES]
    told(model, asked, Generation(max_new_tokens=1))
    rows = [tuple(model._inputs([one], [[RED.open()]], Generation())["input_ids"][0].tolist()) for one in asked]
    assert encoded == [1]
    # each distinct token but the rows' last ones, which run as a batch
    assert sum(lengths) == _prefix.count_distinct([row[:-1] for row in rows]) + len(rows)


def test_a_group_larger_than_a_batch_keeps_its_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    model = image_text("llava", batch_size=2)
    assert model.sharing.level == "prefix"
    runs = []
    shared = model.sharing.shared
    assert shared is not None
    usual = shared._run_head
    monkeypatch.setattr(shared, "_run_head", lambda *given: runs.append(1) or usual(*given))
    told(model, [request(one, RED) for one in SUFFIXES])
    assert len(runs) == 1


def test_pictures_are_processed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = image_text("llava")
    assert model.sharing.level == "prefix"
    made: list[Any] = []
    usual = type(model.image_processor._inner).__call__

    def counted(self: Any, images: Any, **kwargs: Any) -> Any:
        made.append(images)
        return usual(self, images, **kwargs)

    monkeypatch.setattr(type(model.image_processor._inner), "__call__", counted)
    told(model, [request(one, shown) for shown in (RED, BLUE, WIDE) for one in SUFFIXES])
    assert len(made) == 3


def test_what_is_wrong_with_one_question_of_a_group_fails_alone() -> None:
    model = image_text("llava")
    broken = Picture(data=b"no picture")
    asked = [
        request("The answer is", RED),
        request("hat " * 300, RED),
        request("Which?", RED),
        request("Which?", broken),
        request("A", broken),
        request("", RED),
    ]
    got = answers(model, asked)
    assert "the model's window is" in (got[1].error or "")
    assert "cannot be read" in (got[3].error or "") and "cannot be read" in (got[4].error or "")
    fine = [0, 2, 5]
    expected = told(image_text("llava", share="off"), [asked[index] for index in fine])
    assert [(got[index].text, got[index].output_tokens) for index in fine] == expected
    scores = answers(model, [replace(one, continuations=("A", "")) for one in asked[:2]])
    assert ["is empty" in (response.error or "") for response in scores] == [True, True]


def test_answers_come_batch_by_batch() -> None:
    model = image_text("llava", batch_size=2)
    sizes = [len(batch) for batch in model.answer(SHOWN[:10], Generation(max_new_tokens=2))]
    assert sizes == [2, 2, 2, 2, 2]


class TooSmall:
    """A forward pass on a device that holds few rows."""

    def __init__(self, forward: Any, rows: int) -> None:
        self.forward = forward
        self.rows = rows
        self.refused = 0
        wraps(forward)(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        ids = kwargs.get("input_ids")
        if ids is not None and len(ids) > self.rows:
            self.refused += 1
            raise torch.OutOfMemoryError(f"CUDA out of memory with {len(ids)} rows")
        return self.forward(*args, **kwargs)


@pytest.mark.parametrize("share", ["auto", "off"])
def test_out_of_memory_makes_batches_smaller(
    share: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for model, asked in ((image_text("llava", share=share), SHOWN), (text("llama", share=share), TOLD)):
        model.room.rows = 8
        expected = told(model, asked)
        small = TooSmall(model.model.forward, 3)
        monkeypatch.setattr(model.model, "forward", small)
        assert told(model, asked) == expected
        assert small.refused
        assert model.room.rows <= 3
        assert "out of memory with 8 questions at a time; going on with 4" in caplog.text
        small.refused = 0
        told(model, asked)
        assert not small.refused, "the lower limit stays"
        small.rows = 0
        assert all("out of memory" in (response.error or "") for response in answers(model, asked[:3]))
        monkeypatch.undo()


def test_a_budget_of_memory_bounds_the_batch() -> None:
    model = text("llama").model
    tight, wide = Room(model, 100, 10**6), Room(model, 100, 10**12)
    most = next(count for count in range(1, 200) if not tight.fits(count + 1, 100, 10))
    assert 1 < most < 100
    assert next(count for count in range(1, 50) if not tight.fits(count + 1, 200, 10)) < most
    assert wide.fits(100, 100, 10) and not wide.fits(101, 100, 10)
    assert Room(model, 8, 1).fits(1, 10**6, 10), "a row alone is tried"
    assert Room(model, 8).bytes > 10**6


@pytest.mark.parametrize(
    ("words", "size"),
    [("12GB", 12 * 10**9), ("500 MB", 5 * 10**8), ("1.5g", 15 * 10**8), ("2GiB", 2 * 2**30), ("64kib", 65536)],
)
def test_sizes_of_memory(words: str, size: int) -> None:
    assert parse_size(words) == size


@pytest.mark.parametrize("words", ["", "much", "-1GB", "0", "12 apples"])
def test_what_is_no_size_of_memory(words: str) -> None:
    with pytest.raises(ModelError, match="--batch-memory"):
        text("llama", batch_memory=words)


def test_errors_that_say_that_memory_has_run_out() -> None:
    assert _memory.ran_out(RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"))
    assert _memory.ran_out(MemoryError())
    assert not _memory.ran_out(RuntimeError("shape mismatch"))
    assert not _memory.ran_out(ValueError("out of memory"))


def test_sharing_can_be_had_for_pictures_alone_or_not_at_all() -> None:
    picture_only = image_text("llava", share="picture")
    assert picture_only.fingerprint()["sharing"] == "picture"
    assert told(picture_only, SHOWN) == told(image_text("llava", share="off"), SHOWN)
    assert text("llama", share="picture").fingerprint()["sharing"] == "plain"


def test_a_model_that_would_write_something_else_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that counts positions from the cache's length, whatever it is told: rows in a tree go wrong."""
    model = image_text("llava")
    usual = model.model.base_model.language_model.forward

    def stubborn(**kwargs: Any) -> Any:
        kwargs.pop("position_ids", None)
        return usual(**kwargs)

    monkeypatch.setattr(model.model.base_model.language_model, "forward", stubborn)
    assert PictureSharing(model).level != "prefix"


def test_how_far_right_paths_may_differ() -> None:
    assert _probe.allowed(torch.float32, 1.0) == 1e-3
    assert _probe.allowed(torch.bfloat16, 0.0) == 3e-2
    assert _probe.allowed(torch.bfloat16, 0.02) == pytest.approx(0.06)
    assert _probe.allowed(torch.bfloat16, 9.0) == 0.3


def test_half_of_float32_is_enough_to_share() -> None:
    model, processor = FAMILIES["llava"]()
    half = ImageTextModel(model.to(torch.bfloat16), processor, ModelOptions(), CPU, ModelInfo("half"))
    assert half.fingerprint()["sharing"] == "prefix"


def test_trees_hold_each_distinct_token_once() -> None:
    rows = [(1, 2, 3, 4), (1, 2, 3, 5, 6), (1, 2), (1, 2, 7), (1, 2, 3, 4)]
    tree = _prefix.grow(rows, 1)
    assert len(tree) == _prefix.count_distinct(rows) - 1 == 6
    for row, path in zip(rows, tree.paths, strict=True):
        assert tuple(tree.tokens[place] for place in path) == row[1:]
        assert [tree.depths[place] for place in path] == list(range(1, len(row)))
        assert all(before < after for before, after in pairwise(path))


def test_common_starts() -> None:
    assert _prefix.common((1, 2, 3), (1, 2, 4)) == 2
    assert _prefix.common((), (1,)) == 0
    assert _prefix.common((1, 2), (1, 2, 3)) == 2
    assert _prefix.common((5,), (6,)) == 0
    assert _prefix.common_of([(1, 2, 3), (1, 2), (1, 5)]) == 1


def test_text_clusters_by_its_starts() -> None:
    rows = [(1, 2, 3, 9), (5, 6, 7), (1, 2, 3, 4), (5, 8, 8), (1, 2, 3, 4)]
    assert sorted(map(sorted, _prefix.clusters(rows, 2, 0.5))) == [[0, 2, 4], [1], [3]]


def test_work_is_done_one_item_ahead_and_errors_come_in_their_place() -> None:
    done: list[int] = []

    def work(item: int) -> int:
        done.append(item)
        if item == 3:
            raise ValueError("three")
        return item * 10

    came = ahead([1, 2, 3, 4], work)
    assert next(came) == (1, 10)
    assert next(came) == (2, 20)
    with pytest.raises(ValueError, match="three"):
        next(came)


def test_a_remembered_picture_is_not_mistaken_for_another() -> None:
    made: list[Any] = []

    def process(images: Any, size: int = 1) -> dict[str, Any]:
        made.append(images)
        return {"images": images, "size": size}

    remembering = Remembering(process)
    first, second = object(), object()
    got = remembering([[first]])
    got["images"] = None
    assert remembering([[first]])["images"] == [[first]]
    assert remembering([[second]])["images"] == [[second]]
    assert remembering([[first]], size=2)["size"] == 2
    assert len(made) == 3
    remembering.prepare([[first], [second]])
    assert remembering([[first], [second]], size=2)["images"] == [[first], [second]]
    assert len(made) == 4


@pytest.mark.parametrize(
    ("form", "text", "is_read"),
    [
        ("choice", "A", False),
        ("choice", "B.", True),
        ("choice", "Both", False),
        ("choice", "Both of", False),
        ("choice", "The answer is B", False),
        ("choice", "The answer is B\n", True),
        ("yes_no", "yes", False),
        ("yes_no", "Yes,", True),
        ("yes_no", "yesterday ", False),
        ("text", "A. a hat", False),
        ("labels", "A.", False),
    ],
)
def test_an_answer_can_be_read_once_its_word_has_ended(form: Any, text: str, is_read: bool) -> None:
    sample = Sample(Unit("q", "t"), form, (0,), ("a hat", "a man"))
    assert can_be_read(sample, text) is is_read


@pytest.mark.parametrize("share", ["auto", "off"])
def test_stopping_early_cuts_answers_where_they_can_be_read(share: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = text("llama", share=share)
    monkeypatch.setattr(_stopping, "can_be_read", lambda sample, text: len(text) >= 3)
    whole = told(model, TOLD, Generation(max_new_tokens=12))
    cut = answers(model, TOLD, Generation(max_new_tokens=12, stop_early=True))
    for (words, count), response in zip(whole, cut, strict=True):
        assert words.startswith(response.text)
        assert response.output_tokens < count
        assert response.finish_reason == "stop"
        assert len(response.text) >= 3
    with pytest.raises(ModelError, match="num_beams"):
        told(model, TOLD, Generation(stop_early=True, num_beams=2))


def test_pictures_are_told_apart_by_their_content() -> None:
    """Opened pictures come and go, and one may stand in memory where another stood."""
    model = image_text("llava")
    keys = set()
    for shown in (RED, BLUE, Picture(data=RED.data)):
        asked = request("Which?", shown)
        keys.add(model.sharing.row(0, asked, model._inputs([asked], [[shown.open()]], Generation())).family.key)
    assert len(keys) == 2


def test_attention_that_adds_its_mask_shares_too() -> None:
    shared, plain = (text("gemma3", share=share) for share in ("auto", "off"))
    for model in (shared, plain):
        model.model.set_attn_implementation("eager")
    assert shared.fingerprint()["sharing"] == "prefix"
    assert told(shared, TOLD) == told(plain, TOLD)
