"""The values that travel through a run: what is asked, what came back, what it was worth.

All are frozen. Nothing here imports anything of ours, torch or datasets, so that every other module may
import this one.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from PIL.Image import Image

Form = Literal["choice", "yes_no", "labels", "objects", "text"]


@dataclass(frozen=True)
class Picture:
    """One encoded picture: its bytes, or the file that holds them.

    Pictures are kept encoded and decoded only when a model needs them, so that a run over thousands of
    pictures stays small in memory.
    """

    path: str | None = None
    data: bytes | None = field(default=None, repr=False)

    def read(self) -> bytes:
        """The encoded bytes.

        Raises:
            ValueError: if there is neither data nor a path.
            OSError: if the file cannot be read.
        """
        if self.data is not None:
            return self.data
        if self.path is None:
            raise ValueError("a Picture needs data or a path")
        return Path(self.path).read_bytes()

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the encoded bytes: the picture's identity in the response store."""
        return hashlib.sha256(self.read()).hexdigest()

    def open(self) -> Image:
        """Decode to an upright RGB image.

        Raises:
            PIL.UnidentifiedImageError, PIL.Image.DecompressionBombError, OSError: if it is no picture,
                too large to decode safely, or cut short.
        """
        from PIL import Image as PILImage
        from PIL import ImageOps, UnidentifiedImageError

        try:
            image: Image = PILImage.open(io.BytesIO(self.read()))
        except UnidentifiedImageError as error:  # its message names an address in memory
            raise UnidentifiedImageError("no picture of a kind that Pillow reads") from error
        if image.mode.startswith("I"):  # 16 bits a pixel: Pillow would make white of everything above 255
            image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
        return ImageOps.exif_transpose(image).convert("RGB")

    @property
    def copy_name(self) -> str:
        """What the file of a small copy is called."""
        return f"{self.sha256[:24]}.jpg"

    def small_copy(self, longest_side: int, quality: int) -> tuple[bytes, int, int]:
        """A JPEG for people to look at: its bytes, width and height in pixels.

        Args:
            longest_side: at most, in pixels; smaller pictures keep their size.
            quality: of JPEG, 1 to 95.

        Raises:
            Exception: as `open`, and whatever else a broken file brings Pillow's plugins to.
        """
        image = self.open()
        image.thumbnail((longest_side, longest_side))
        memory = io.BytesIO()
        image.save(memory, "JPEG", quality=quality)
        return memory.getvalue(), image.width, image.height


@dataclass(frozen=True, slots=True)
class Unit:
    """The address of one answer: which question, asked in which way.

    Attributes:
        id: the row's id, without any rotation mark (`mvp-0320`).
        task: the task's name within its benchmark (`mcq_cross`).
        setting: `vlm`, `sm` or `lm`.
        prompt_slot: which of several prompts, counted from 1.
        rotation: which rotation of the options, counted from 0; None for the question as asked directly.
    """

    id: str
    task: str
    setting: str = "vlm"
    prompt_slot: int = 1
    rotation: int | None = None

    def __str__(self) -> str:
        rotation = "" if self.rotation is None else f", rotation {self.rotation}"
        return f"{self.task} {self.id} ({self.setting}, prompt {self.prompt_slot}{rotation})"


@dataclass(frozen=True, slots=True)
class Sample:
    """One question of a benchmark, as it is shown.

    Attributes:
        unit: the address of the answer.
        form: the form of the answer.
        gold: choice: indices into `options`; yes/no: "yes" or "no"; labels: label names; text and objects:
            the references.
        options: the options as shown, in their order; text: the words that can answer, where only some can;
            empty where the form has none.
        option_kinds: a word an option (`correct`, `distractor`, …).
        permutation: `permutation[j]` is the published index of the option shown at j; empty without options.
        cluster: rows of one cluster are resampled together (normally the picture or the pair).
        pictures: in the order in which they are shown.
        fields: the other columns of the row, for the prompt and for breakdowns.
        wanted: how many options the question asks for.
        first_number: the number of the first option, where options are numbered; None where they have letters.
    """

    unit: Unit
    form: Form
    gold: tuple[int, ...] | tuple[str, ...] | str
    options: tuple[str, ...] = ()
    option_kinds: tuple[str, ...] = ()
    permutation: tuple[int, ...] = ()
    cluster: str = ""
    pictures: tuple[Picture, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    wanted: int = 1
    first_number: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked.

    Attributes:
        sample: the question behind the request. Only baselines and replay look at it; what a real model
            answers depends on the other fields alone.
        prompt: the user's text. Where a picture stands is the backend's business: pictures come before the
            text, in their order.
        pictures: the pictures that the model sees (none in the setting `lm`).
        system: the system prompt.
        continuations: when not empty, the model does not write: it gives the log-likelihood of each of these
            texts as the continuation of the prompt. The backend sets a blank between both where the prompt,
            its chat template filled, does not end in white space. A model that ranks gives instead the mean
            cosine of each with the pictures and the queries.
        attempt: a deliberate second try has another number, and so another row in the store.
        queries: what a model that ranks compares the continuations with, beside the pictures: the texts that are
            told of them.
    """

    sample: Sample
    prompt: str
    pictures: tuple[Picture, ...] = ()
    system: str | None = None
    continuations: tuple[str, ...] = ()
    attempt: int = 0
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generation:
    """How a model writes. The defaults are greedy.

    Attributes:
        max_new_tokens: tokens.
        temperature: 0 is greedy; above 0 samples with `top_p` and `top_k`.
        seed: for sampling.
        stop_early: an answer ends as soon as it can be read, for choices by letter and yes or no. The answer depends
            on the question's form and options then, too; these are in the prompt.
        extra: further keyword arguments, handed to the backend as they are.
    """

    max_new_tokens: int = 64
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    num_beams: int = 1
    seed: int = 0
    stop_early: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Generation:
        """From names and values, as people write them; what is no field of this class goes to `extra`.

        Raises:
            ValueError: if a value is of another type or out of its range, which most backends would take, and some
                only after all questions before.
        """
        for name, (fits, wanted) in _FITTING.items():
            if name in values and not fits(values[name]):
                raise ValueError(f"generation setting {name} is {values[name]!r}; {wanted} is wanted")
        named = {field.name for field in fields(cls)} - {"extra"}
        extra = {name: value for name, value in values.items() if name not in named}
        return cls(**{name: value for name, value in values.items() if name in named}, extra=extra)


def _whole(value: object, lowest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= lowest


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


_FITTING: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "max_new_tokens": (lambda value: _whole(value, 1), "a whole number from 1 on"),
    "temperature": (lambda value: _number(value) and value >= 0, "a number from 0 on"),
    "top_p": (lambda value: _number(value) and 0 < value <= 1, "a number above 0, at most 1"),
    "top_k": (lambda value: value is None or _whole(value, 1), "a whole number from 1 on"),
    "num_beams": (lambda value: _whole(value, 1), "a whole number from 1 on"),
    "seed": (lambda value: _whole(value, 0), "a whole number from 0 on"),
    "stop_early": (lambda value: isinstance(value, bool), "true or false"),
}


@dataclass(frozen=True, slots=True)
class Response:
    """What came back for one request. A failed call has an `error` and is not an answer.

    Attributes:
        text: the model's words, without the prompt.
        scores: one a continuation of the request: its log-likelihood (natural log, summed over tokens), or its
            mean cosine where the model ranks.
        reasoning: reasoning that the server kept apart from the answer.
        finish_reason: "stop", "length", or what the server said.
        prompt_tokens, output_tokens: counts, where known.
        error: why there is no answer.
    """

    text: str = ""
    scores: tuple[float, ...] | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model answered, as `results.json` keeps it.

    Attributes:
        id: Hub id, folder, file or the server's name for it.
        revision: commit hash, or a content hash for local weights.
        backend: `transformers-image-text`, `transformers-text`, `openai`, `baseline`, `replay`, …
        dtype: `float32`, `bfloat16`, …
        quantization: `8bit`, `4bit`, `gguf`, or None.
    """

    id: str
    revision: str | None = None
    backend: str = ""
    dtype: str | None = None
    quantization: str | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """One answer, read and compared: a line of `predictions.jsonl`.

    Attributes:
        output: the model's words; None where the call failed or the prediction file lacks the id.
        parsed: choice and indices: a tuple of indices into the options as shown; yes/no: the word; text: the
            answer without reasoning and wrapping; None: unparsed.
        rule: which rule read it (`letter`, `option text`, `likelihood`, `similarity`, …).
        correct: compared with the gold; unparsed and failed are False.
        error: why there is no output, or no verdict where one was needed.
        scores: log-likelihoods or cosines of the continuations, where those decided.
        verdict: a judge model's words about the answer, where one was asked.
    """

    unit: Unit
    output: str | None
    parsed: tuple[int, ...] | tuple[str, ...] | str | None
    rule: str
    correct: bool
    error: str | None = None
    scores: tuple[float, ...] | None = None
    verdict: str | None = None


@dataclass(frozen=True)
class Score:
    """The scores of one task: an entry of `tasks` in `results.json`.

    Attributes:
        n: how many answers were asked for.
        n_unparsed: answers that could not be read; they count as wrong.
        n_failed: calls without an answer.
        metrics: fractions 0–1, variances and standard deviations of fractions, or counts.
        intervals: metric name to (low, high), bootstrap over clusters.
        breakdowns: name to group to metric to value.
        signature: everything that changes the score.
    """

    task: str
    n: int
    n_unparsed: int
    n_failed: int
    metrics: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    breakdowns: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""
