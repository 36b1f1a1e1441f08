"""Pictures reach a model in their order, whatever stands beside them in the batch.

Asked of the model that the package carries, which looks at its pictures: the same question about other pictures, or
about the same two the other way round, must come out otherwise, and a question alone as in a batch of eight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import punctum  # noqa: E402
from punctum._datasets import load  # noqa: E402
from punctum.evaluators import mvp_bench  # noqa: E402
from punctum.evaluators.base import Sample  # noqa: E402
from punctum.evaluators.models.base import ModelOptions  # noqa: E402
from punctum.evaluators.models.loading import load_model  # noqa: E402
from punctum.evaluators.models.transformers_image_text import ImageTextModel  # noqa: E402
from punctum.evaluators.options import Options  # noqa: E402
from punctum.records import ModelInfo, Request  # noqa: E402
from tests import tiny_models  # noqa: E402
from tests.tiny_models import answers, picture, request  # noqa: E402

SIZES = (1, 8)
N = 24  # pairs of pictures


@pytest.fixture(scope="module")
def models() -> dict[int, Any]:
    torch.set_num_threads(1)
    return {size: load_model("punctum:sample", ModelOptions(device="cpu", batch_size=size)) for size in SIZES}


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Sample, Sample]]:
    """Yes/no questions that are asked of a source picture and of its edited one, in texts of many lengths."""
    task = mvp_bench.BENCHMARK.task("yes_no")
    sides: dict[tuple[str, str], dict[str, Sample]] = {}
    for sample in task.samples(
        lambda config: load("mvp_bench", config, data_dir=punctum.sample("mvp_bench")), Options()
    ):
        key = str(sample.fields["pair"]), str(sample.fields["question"])
        sides.setdefault(key, {})[str(sample.fields["side"])] = sample
    found = [(both["source"], both["edited"]) for both in sides.values() if len(both) == 2]
    return found[:: len(found) // N][:N]


def asked(pairs: Sequence[tuple[Sample, Sample]], count: int, swapped: bool = False, **fields: Any) -> list[Request]:
    """The questions about one picture (the source, or the edited one) or about both (in this order, or the other)."""
    task = mvp_bench.BENCHMARK.task("yes_no")
    found = []
    for source, edited in pairs:
        shown = (*source.pictures, *edited.pictures)
        shown = shown[::-1] if swapped else shown
        found.append(replace(task.request(source, Options()), pictures=shown[:count], **fields))
    return found


@pytest.mark.parametrize("count", [1, 2])
def test_other_pictures_other_answers(models: dict[int, Any], pairs: list[tuple[Sample, Sample]], count: int) -> None:
    """Rows of a batch are filled up on the left when a model writes."""
    straight, swapped = asked(pairs, count), asked(pairs, count, swapped=True)
    assert len({len(one.prompt) for one in straight}) > 8
    by_size = {}
    for size, model in models.items():
        mixed = [one for both in zip(straight, swapped, strict=True) for one in both]
        found = [response.text for response in answers(model, mixed)]
        by_size[size] = found
        assert [response.text for response in answers(model, straight)] == found[::2]
        assert [response.text for response in answers(model, swapped)] == found[1::2]
        changed = sum(a != b for a, b in zip(found[::2], found[1::2], strict=True))
        assert changed >= N // 6, f"{changed} of {N} answers changed with the pictures"
    assert by_size[1] == by_size[8]


@pytest.mark.parametrize("count", [1, 2])
def test_other_pictures_other_likelihoods(
    models: dict[int, Any], pairs: list[tuple[Sample, Sample]], count: int
) -> None:
    """Rows of a batch are filled up on the right when continuations are compared; these have many lengths."""
    tails = ("Yes", "No", "Yes, there is one", "I cannot say")
    scores = {}
    for swapped in (False, True):
        for size, model in models.items():
            found = answers(model, asked(pairs[:12], count, swapped, continuations=tails))
            scores[size, swapped] = torch.tensor([response.scores for response in found])
        assert scores[1, swapped] == pytest.approx(scores[8, swapped], abs=2e-4)
    moved = (scores[1, False] - scores[1, True]).abs().amax(dim=1)
    assert int((moved > 0.01).sum()) >= 10, "hardly any question noticed its pictures"


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_row_of_a_batch_sees_its_own_pictures(
    models: dict[int, Any], pairs: list[tuple[Sample, Sample]], count: int, side: str
) -> None:
    """The last token's logits of eight rows at once, filled up on either side, against each row alone."""
    model = models[8]
    processor = model.processor
    requests = [*asked(pairs[:4], count), *asked(pairs[:4], count, swapped=True)]
    texts = [model.prompts.text(one, {}) for one in requests]
    images = [[shown.open() for shown in one.pictures] for one in requests]

    def logits(rows: slice) -> Any:
        usual, processor.tokenizer.padding_side = processor.tokenizer.padding_side, side
        try:
            inputs = processor(text=texts[rows], images=images[rows], padding=True, return_tensors="pt")
        finally:
            processor.tokenizer.padding_side = usual
        mask = inputs["attention_mask"]
        last = mask.shape[1] - 1 - mask.flip(1).argmax(dim=1)
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        with torch.no_grad():
            out = model.model(**inputs, position_ids=places).logits
        return out[torch.arange(len(last)), last]

    together = logits(slice(None))
    alone = torch.cat([logits(slice(n, n + 1)) for n in range(len(requests))])
    assert together == pytest.approx(alone, abs=5e-4)
    spread = (together[:4] - together[4:]).abs().amax(dim=1)
    assert float(spread.min()) > 1e-2, "swapped pictures must move the logits"


FAMILIES = {
    "llava-next": tiny_models.llava_next,
    "paligemma": tiny_models.paligemma,
    "instructblip": tiny_models.instructblip,
    "blip2-opt": tiny_models.blip2,
    "blip2-t5": lambda: tiny_models.blip2("t5"),
}


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.parametrize("family", FAMILIES)
def test_no_familys_answers_depend_on_the_batch(family: str) -> None:
    words = (
        "The answer",
        "Which hat?",
        "the question about the picture of the man and of what he has in his hand",
        "a",
    )
    sizes = ((20, 16), (16, 20), (40, 16), (64, 64))  # where a picture's size makes its length, these differ
    asked = [
        request(word, picture(color, size))
        for word, size in zip(words, sizes, strict=True)
        for color in ("red", "blue")
    ]
    tails = (" A", " the man with a hat")
    found = []
    for size in (1, 3, 8):
        loaded, processor = FAMILIES[family]()  # the same weights each time; a model keeps its processor
        options = ModelOptions(batch_size=size, device="cpu")
        model = ImageTextModel(loaded, processor, options, torch.device("cpu"), ModelInfo("tiny"))
        texts = [response.text for response in answers(model, asked)]
        scores: Any = None
        if model.scores:
            scored = answers(model, [replace(one, continuations=tails) for one in asked])
            scores = torch.tensor([response.scores for response in scored])
        found.append((texts, scores))
    for texts, scores in found[1:]:
        assert texts == found[0][0]
        if scores is not None:
            assert scores == pytest.approx(found[0][1], abs=2e-4)
    assert any(a != b for a, b in zip(found[0][0][::2], found[0][0][1::2], strict=True)), "the picture must count"
