"""The work of `shared_prefix.py`: real prompts of each benchmark, drawn pictures, a LLaVA with random weights.

Not to be run by itself.
"""

from __future__ import annotations

import copy
import io
import json
import os
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from punctum._datasets import load
from punctum.commands.common import benchmark_of
from punctum.evaluators.models import gguf
from punctum.evaluators.models._prefix import count_distinct
from punctum.evaluators.models.base import ModelOptions
from punctum.evaluators.models.transformers_image_text import ImageTextModel
from punctum.evaluators.models.transformers_text import TextModel
from punctum.evaluators.options import Options
from punctum.prompts import Prompts
from punctum.records import Generation, ModelInfo, Picture, Request, Response

WORK = ("deepeval", "mvp_circular", "ads", "vague", "arr_text")
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
VOCABULARY = 32000
SPECIAL = ["<pad>", "<s>", "</s>", "<image>"]


def drawn(name: str) -> Picture:
    """A picture of noise and squares, another one for each name."""
    draw = random.Random(name)
    image = Image.frombytes("RGB", (112, 84), draw.randbytes(112 * 84 * 3)).resize((448, 336))
    for _ in range(12):
        left, top = draw.randrange(400), draw.randrange(300)
        color = tuple(draw.randrange(256) for _ in range(3))
        image.paste(color, (left, top, left + draw.randrange(20, 160), top + draw.randrange(20, 120)))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG")
    return Picture(data=buffer.getvalue())


def requests_of(name: str, tasks: Sequence[str], folder: Path | None, **settings: Any) -> list[Request]:
    """What is asked for the tasks of a benchmark, with the real prompts."""
    import punctum

    benchmark = benchmark_of(name)
    where = folder if folder is not None and folder.is_dir() else punctum.sample(name)
    options = Options(prompts=Prompts(), **settings)
    found = []
    for task in (benchmark.task(task) for task in tasks):
        samples = task.samples(partial(load, name, data_dir=str(where)), options)
        for sample in samples:
            shown = sample if sample.pictures else replace(sample, pictures=(drawn(sample.unit.id),))
            found.append(task.request(shown, options))
    return found


def of_pictures(requests: Sequence[Request], count: int) -> list[Request]:
    """The requests on `count` pictures: those that are asked about most, in their order."""
    asked = Counter(request.sample.cluster for request in requests)
    kept = {name for name, _ in asked.most_common(count)}
    return [request for request in requests if request.sample.cluster in kept]


def tokenizer_of(texts: Sequence[str], size: int = 4000) -> Any:
    """A byte-level BPE trained on the prompts, so that a word takes about as many tokens as with a real one.

    Words of no meaning fill the vocabulary up, so that whatever a model writes can be read and compared.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    bpe.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=size, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False),
    )
    made = json.loads(bpe.to_str())
    words = made["model"]["vocab"]
    words.update({f"qz{number}": number for number in range(len(words), VOCABULARY)})
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(json.dumps(made)),
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        additional_special_tokens=["<image>"],
    )


def llava(texts: Sequence[str]) -> tuple[Any, Any]:
    """LLaVA with 8 + 8 layers of width 512, 576 tokens a picture as LLaVA-1.5 has, and random weights."""
    import torch
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration, LlavaProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(0)
    text = tokenizer_of(texts)
    small = {"hidden_size": 512, "intermediate_size": 1376, "num_hidden_layers": 8, "num_attention_heads": 8}
    vision = CLIPVisionConfig(image_size=336, patch_size=14, **{**small, "intermediate_size": 2048})
    language = LlamaConfig(
        vocab_size=VOCABULARY, max_position_embeddings=4096, initializer_range=0.1, pad_token_id=0, **small
    )
    config = LlavaConfig(
        vision_config=vision.to_dict(),
        text_config=language.to_dict(),
        image_token_id=text.convert_tokens_to_ids("<image>"),
    )
    processor = LlavaProcessor(
        image_processor=CLIPImageProcessorPil(size={"shortest_edge": 336}, crop_size={"height": 336, "width": 336}),
        tokenizer=text,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    )
    model = LlavaForConditionalGeneration(config)
    with torch.no_grad():
        for parameter in model.model.multi_modal_projector.parameters():
            parameter.mul_(10)  # so that pictures count in what random weights write
    return model.eval(), processor


@dataclass
class Job:
    """Requests, and the same model on both paths."""

    requests: list[Request]
    generation: Generation
    shared: Any
    plain: Any


def job_of(name: str, pictures: int, dtype: str) -> Job:
    """One piece of work: a name of `WORK`."""
    if name == "arr_text":
        return _arr_text(pictures)
    requests = unique(_REQUESTS[name](pictures))
    model, processor = llava([request.prompt for request in requests])
    if dtype != "float32":
        import torch

        model = model.to(getattr(torch, dtype))
    paths = {share: wrapped(model, copy.deepcopy(processor), share) for share in ("auto", "off")}
    return Job(requests, Generation(max_new_tokens=8), paths["auto"], paths["off"])


def wrapped(model: Any, processor: Any, share: str, **options: Any) -> ImageTextModel:
    """The backend over this model."""
    import torch

    return ImageTextModel(
        model, processor, ModelOptions(share=share, **options), torch.device("cpu"), ModelInfo("llava-8x8x512")
    )


def unique(requests: Sequence[Request]) -> list[Request]:
    """Requests without repetitions, as a run asks them."""
    kept = {(request.prompt, tuple(p.sha256 for p in request.pictures)): request for request in requests}
    return list(kept.values())


def _deepeval(pictures: int) -> list[Request]:
    tasks = ("description", "title", "deep_semantics")
    asked = requests_of("deepeval", tasks, SHARED / "deepeval", prompt_slots=(1, 2, 3), limit=2 * pictures)
    return of_pictures(asked, pictures)


def _mvp_circular(pictures: int) -> list[Request]:
    asked = requests_of("mvp_bench", ("mcq_single",), SHARED / "mvp_bench", circular=True, limit=pictures)
    return of_pictures(asked, pictures)


def _ads(pictures: int) -> list[Request]:
    from punctum.evaluators.ads_context import stages_for

    options = Options(prompts=Prompts(), context="I")
    asked = requests_of("pitt_ads", ("mac", "asr", "aor", "arr", "arr_single"), None, context="I", limit=pictures)
    shown = {request.sample.cluster: request for request in asked}
    for stage in stages_for(("V", "T", "IN", "UH"), options):
        written = (stage.request(request.sample, {}, options) for request in shown.values())
        asked += [request for request in written if request is not None]
    return of_pictures(asked, pictures)


def _vague(pictures: int) -> list[Request]:
    return of_pictures(requests_of("vague", ("mcq",), None, limit=pictures), pictures)


_REQUESTS = {"deepeval": _deepeval, "mvp_circular": _mvp_circular, "ads": _ads, "vague": _vague}


def gemma_file() -> Path | None:
    """The GGUF file of gemma-3-270m among the test weights."""
    root = Path(os.environ.get("PUNCTUM_TEST_WEIGHTS", "~/.cache/punctum-test-weights")).expanduser()
    path = root / "gemma-3-270m.gguf"
    return path if path.is_file() else None


def _arr_text(pictures: int) -> Job:
    file = gemma_file()
    if file is None:
        raise SystemExit("arr_text needs gemma-3-270m: run scripts/fetch_test_weights.py")
    settings = {"scoring": "likelihood", "continuation": "text", "context": "T_V", "setting": "lm"}
    options = Options(prompts=Prompts(), **settings)
    asked = []
    benchmark = benchmark_of("pitt_ads")
    import punctum

    where = str(punctum.sample("pitt_ads"))
    for task in (benchmark.task(name) for name in ("arr_single", "arr")):
        for negatives in ("hard", "easy"):
            own = replace(options, negatives=negatives, limit=max(1, pictures // 8))
            for sample in task.samples(partial(load, "pitt_ads", data_dir=where), own):
                asked.append(task.request(sample, own, {"T_V": _told(sample)}))
    model = gguf.load(str(file), ModelOptions(device="cpu"))
    plain = TextModel(model.model, model.tokenizer, ModelOptions(share="off"), model.model.device, model.info)
    return Job(unique(asked), Generation(), model, plain)


def _told(sample: Any) -> str:
    """A text about an ad as long as those that models write from V, T, IN and UH together, of words of our own."""
    draw = random.Random(sample.cluster)
    places = ("on the left", "in the middle", "behind it", "at the lower edge", "close to the viewer", "far away")
    things = ("a bottle", "a feather", "a stone", "a road", "a pair of scales", "a bed", "a cloud", "a glass", "a hand")
    lines = [
        f"There is {draw.choice(things)} {draw.choice(places)}, drawn so that it looks like {draw.choice(things)}; "
        f"the light falls on {draw.choice(things)}, and the words beside it are set in plain letters."
        for _ in range(7)
    ]
    return " ".join(lines)


class Costs:
    """Multiply-adds of linear layers, per token, for the work of a job.

    Attributes:
        plain: as the plain path runs it, padding left out.
        distinct: with every distinct picture and every distinct prefix token counted once.
    """

    def __init__(self, job: Job, answers: Sequence[Response]) -> None:
        model = job.plain.model
        head = model.get_output_embeddings()
        inner = model.base_model
        tower = getattr(inner, "vision_tower", None)
        language = getattr(inner, "language_model", inner)
        self._token, self._word = _weights(language), head.weight.numel()
        self._picture = 0
        if tower is not None:
            vision = tower.config
            patches = (vision.image_size // vision.patch_size) ** 2
            self._picture = _weights(tower) * (patches + 1) + _weights(inner.multi_modal_projector) * patches
            self._picture += 3 * vision.patch_size**2 * vision.hidden_size * patches
        self.plain = self.distinct = 0
        rows: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
        for request, answer in zip(job.requests, answers, strict=True):
            key = tuple(picture.sha256 for picture in request.pictures)
            own = self._rows(job.plain, request)
            rows.setdefault(key, []).extend(own)
            written = answer.output_tokens or 0
            # the last new token is never read
            both = self._token * max(written - 1, 0) + self._word * written
            self.plain += both + self._token * sum(map(len, own)) + self._picture * len(key)
            self.distinct += both
        for key, own in rows.items():
            self.distinct += self._picture * len(key) + self._token * count_distinct(own)

    @property
    def bound(self) -> float:
        """How many times less there is to compute."""
        return self.plain / self.distinct

    def _rows(self, model: Any, request: Request) -> list[tuple[int, ...]]:
        """What is read for a request: its prompt, or that with each continuation but for the last token."""
        if request.pictures:
            images = [picture.open() for picture in request.pictures]
            return [tuple(model._inputs([request], [images], Generation())["input_ids"][0].tolist())]
        asked = model._asked(0, request, Generation())
        return list(dict.fromkeys(asked.ids + tail[:-1] for tail in asked.tails)) or [asked.ids]


def _weights(module: Any) -> int:
    """Weights of the linear layers."""
    import torch

    return sum(part.weight.numel() for part in module.modules() if isinstance(part, torch.nn.Linear))
