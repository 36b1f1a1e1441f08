"""Persuasive atypical ads: what is atypical, between which objects, and what the ad wants people to do, and why.

The five tasks of *Benchmarking VLMs' Reasoning About Persuasive Atypical Images*, by picture or by what models
wrote about it (`ads_context.py`).
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from punctum.datasets_scripts.pitt_ads.statements import LABELS, statement
from punctum.evaluators.ads_context import (
    CONTEXT,
    DEFAULT,
    DEFAULT_TOLD,
    FAMILIES,
    GIVEN,
    WORDINGS,
    context_text,
    context_texts,
    parse_context,
    stages_for,
    worded,
    wrong_statement,
)
from punctum.evaluators.ads_scores import (
    CLASSIFICATION,
    RETRIEVAL,
    SIMILARITY,
    score_labels,
    score_objects,
    score_one,
    score_several,
)
from punctum.evaluators.base import NOTHING, Benchmark, Loader, Stage, Task
from punctum.evaluators.counting import Counted
from punctum.evaluators.options import Options
from punctum.evaluators.rows import (
    Row,
    choice_continuations,
    choice_sample,
    iterate,
    own_address,
    pictures_of,
    shuffled,
    unit_of,
)
from punctum.evaluators.stages import ANSWER
from punctum.metrics.mpnet_similarity.core import MODEL
from punctum.records import Form, Prediction, Request, Response, Sample

_COT = "pitt_ads/cot"
_ANSWER = re.compile(r"\banswer\W{0,3}:", re.I)

#: The stage in which BLIP's wording asks for the first object.
FIRST_OBJECT = "object1"

#: What the paper calls each relation, and how Listing 10 says it in a sentence (Section 3.1).
RELATION_NAMES = {
    "TR1": ("Texture Replacement 1", "objects' texture borrowed from another object"),
    "TR2": ("Texture Replacement 2", "texture created by combining several small objects"),
    "OIO": ("Object Inside Object", "an object completely or partially inside of another object"),
    "OR": ("Object Replacement", "the whole object appearing in the context normally associated with another"),
}


class AdsTask(Task):
    """A task about ads, with a context."""

    splits = ("train", "test")
    subsets: tuple[str, ...] = ("full", "small")
    settings = ("vlm", "sm")
    contexts = True
    wordings = WORDINGS
    reasons = True
    gives_statement = False  # whether the context may hold the annotated statement without giving the answer away

    @abstractmethod
    def sample(self, row: Row, options: Options) -> Sample:
        """The question of a row."""

    @abstractmethod
    def prompt(self, name: str, sample: Sample, context: str, texts: Mapping[str, str], options: Options) -> str:
        """The filled template.

        Args:
            name: of the template.
            sample: the question.
            context: what is told of the picture.
            texts: what the stages gave, by name.
            options: how.
        """

    def rows(self, load: Loader, options: Options) -> Any:
        """The rows of the split and subset."""
        kwargs: dict[str, Any] = {"split": options.split or self.splits[0]}
        if options.subset not in (None, "full"):
            kwargs["subset"] = options.subset
        if self.negatives and options.negatives != "hard":
            kwargs["negatives"] = options.negatives
        if options.seed:
            kwargs["seed"] = options.seed
        return load(self.config, **kwargs)

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """One sample a row."""
        for row in iterate(self.rows(load, options), options.limit):
            yield self.sample(row, options)

    def ids(self, load: Loader, options: Options) -> set[str]:
        """The ids of the split, atypical and typical images."""
        found = set(self.rows(load, replace(options, subset=None))["id"])
        if "typical" in self.subsets:
            with suppress(ValueError):  # the data at hand have no typical images
                found |= set(self.rows(load, replace(options, subset="typical"))["id"])
        return found

    def adapted(self, options: Options, reads_pictures: bool) -> Options:
        """The context that suits the model, in one order of parts; `vlm` where it holds the picture."""
        context = options.context
        if context is None:
            context = DEFAULT if reads_pictures and options.setting == "vlm" else DEFAULT_TOLD
        parts = parse_context(context)
        if options.setting == "sm" and "I" in parts:
            raise ValueError(f"--setting sm shows no picture, and the context {context} holds it")
        return replace(options, context="+".join(parts), setting="vlm" if "I" in parts else "sm")

    def check(self, options: Options) -> None:
        """Also refuse contexts that hold the answer, or a statement where there is none.

        Raises:
            ValueError: as `Task.check`.
        """
        super().check(options)
        if options.scoring == "likelihood" and self.form != "choice":
            raise ValueError(f"{self.name} has no options whose likelihoods could be compared; use --scoring generate")
        given = [part for part in parse_context(options.context or DEFAULT) if part in GIVEN]
        if given and not self.gives_statement:
            raise ValueError(f"{given[0]} in the context of {self.name} would tell the answer")
        if given and options.subset == "typical":
            raise ValueError(f"typical images have no annotated statement for {given[0]}")

    def stages(self, options: Options) -> Sequence[Stage]:
        """What the context needs."""
        return stages_for(parse_context(options.context or DEFAULT), options)

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """The prompt after the context; the picture only where the context holds it."""
        parts = parse_context(options.context or DEFAULT)
        context = context_text(parts, sample, texts, options)
        prompt = self.prompt(self._template(options), sample, context, texts, options)
        if options.cot:
            prompt = options.prompts.render(_COT, prompt=prompt.strip())
        pictures = sample.pictures if "I" in parts else ()
        continuations = choice_continuations(sample, options) if self.form == "choice" else ()
        return Request(sample, prompt.strip(), pictures, options.system, continuations)

    def told(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> tuple[str, ...]:
        """Each part of the context."""
        return tuple(context_texts(parse_context(options.context or DEFAULT), sample, texts).values())

    def prompt_names(self, options: Options) -> Sequence[str]:
        """The task's template, and that of the context."""
        told = parse_context(options.context or DEFAULT) != ("I",)
        return (self._template(options), *((CONTEXT,) if told else ()), *((_COT,) if options.cot else ()))

    def final_words(self, output: str, options: Options) -> str:
        """With a chain of thought, what stands behind the last "Answer:"; all where there is none."""
        heads = list(_ANSWER.finditer(output)) if options.cot else []
        return output[heads[-1].end() :] if heads else output

    def paper_parser(self, sample: Sample) -> str | None:
        """The authors published none."""
        return None

    def _template(self, options: Options) -> str:
        shown = "_image" if "I" in parse_context(options.context or DEFAULT) else ""
        return worded(f"pitt_ads/{self.name}{shown}", options)

    def _fields(self, row: Row, options: Options) -> dict[str, Any]:
        fields: dict[str, Any] = {"category": row["category"]}
        if self.gives_statement:
            fields |= {"s_gt": row["statement"], "s_wrong": wrong_statement(row, options.seed)}
        return fields


class Statements(AdsTask):
    """Choose one statement, or the three best, among several by their numbers, which count from 0."""

    form: Form = "choice"

    def __init__(self, name: str, wanted: int = 1, of_actions: bool = True) -> None:
        self.name = self.config = name
        self.gives_statement = of_actions
        self.headline = ("accuracy",) if wanted == 1 else RETRIEVAL
        if of_actions:
            self.subsets = ("full", "small", "typical")
            self.negatives = ("hard", "easy")
        self._wanted = wanted

    def sample(self, row: Row, options: Options) -> Sample:
        """The options in the order that is shown."""
        return choice_sample(
            shuffled(row, options),
            self.name,
            options,
            self._fields(row, options),
            cluster=str(row["image_url"]),
            wanted=self._wanted,
            first_number=0,
        )

    def prompt(self, name: str, sample: Sample, context: str, texts: Mapping[str, str], options: Options) -> str:
        """Listings 8 and 12, or ours where the picture is shown."""
        return options.prompts.render(name, context=context, options=sample.options)

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Accuracy, or precision and accuracy at 1, 2, 3; with the kinds of statement that were chosen."""
        return score_one(pairs, options) if self._wanted == 1 else score_several(pairs, options)


class Classification(AdsTask):
    """Name all kinds of atypicality that an annotator saw (MAC)."""

    name = config = "mac"
    form: Form = "labels"
    subsets = ("full", "small", "typical")
    headline = CLASSIFICATION
    primary = "f1_macro"

    def sample(self, row: Row, options: Options) -> Sample:
        """The labels of all annotators."""
        names = {label: [RELATION_NAMES[label][0]] if label in RELATION_NAMES else ["Not Atypical"] for label in LABELS}
        return Sample(
            unit_of(row, self.name, options),
            self.form,
            tuple(row["labels"]),
            LABELS,
            cluster=str(row["image_url"]),
            pictures=pictures_of(row),
            fields={**self._fields(row, options), "names": names},
        )

    def prompt(self, name: str, sample: Sample, context: str, texts: Mapping[str, str], options: Options) -> str:
        """Listing 6 with the definitions of Section 3.1."""
        definitions = options.prompts.render("pitt_ads/definitions").strip()
        return options.prompts.render(name, context=context, definitions=definitions)

    def prompt_names(self, options: Options) -> Sequence[str]:
        """Also the definitions."""
        return (*super().prompt_names(options), "pitt_ads/definitions")

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """With and without NA."""
        return score_labels(pairs, options)


class Objects(AdsTask):
    """Fill the two objects of the statement that a human made (AOR).

    In BLIP's wording the model is asked for the first object, and then for the second one behind its first answer.
    """

    name = config = "aor"
    form: Form = "objects"
    headline = SIMILARITY
    similarity = MODEL

    def sample(self, row: Row, options: Options) -> Sample:
        """The row's statement first, then those of further annotators."""
        others = (text for text in row["references"] if text != row["statement"])
        fields = {"relation": row["relation"], "template": statement(row["relation"], "<object1>", "<object2>")}
        return Sample(
            unit_of(row, self.name, options),
            self.form,
            (row["statement"], *others),
            cluster=str(row["image_url"]),
            pictures=pictures_of(row),
            fields={**self._fields(row, options), **fields},
        )

    def check(self, options: Options) -> None:
        """Also refuse to ask what could not be scored afterwards.

        Raises:
            ValueError: as `Task.check`.
        """
        super().check(options)
        if options.cot and self._one_by_one(options):
            raise ValueError("BLIP's wording begins the answer itself and leaves no room for a chain of thought")
        if find_spec("sentence_transformers") is None:
            raise ValueError('aor is scored by sentence embeddings, which need pip install "punctum[metrics]"')

    def prompt(self, name: str, sample: Sample, context: str, texts: Mapping[str, str], options: Options) -> str:
        """Listing 10, whose example is filled with the same two objects for every relation."""
        relation = str(sample.fields["relation"])
        title, definition = RELATION_NAMES[relation]
        return options.prompts.render(
            name,
            context=context,
            relation=title,
            definition=definition,
            statement=sample.fields["template"],
            example=statement(relation, "<eleven>", "<meat>"),
            first=texts.get(FIRST_OBJECT),
        )

    def stages(self, options: Options) -> Sequence[Stage]:
        """What the context needs, and in BLIP's wording the first object."""
        before = super().stages(options)
        if not self._one_by_one(options):
            return before
        return (*before, Stage(FIRST_OBJECT, ANSWER, self._ask_first, (self._template(options),), 32, _first_line))

    def _one_by_one(self, options: Options) -> bool:
        return self._template(options) == "pitt_ads/aor_image_blip"

    def _ask_first(self, sample: Sample, texts: Mapping[str, str], options: Options) -> Request | None:
        request = self.request(sample, options, texts)
        return request if request.pictures else None  # the question itself says that the picture is missing

    def completed(self, response: Response, texts: Mapping[str, str], options: Options) -> Response:
        """In BLIP's wording both objects, each behind its name."""
        if not self._one_by_one(options):
            return response
        return replace(response, text=f"<object1>: {texts.get(FIRST_OBJECT, '')}\n<object2>: {response.text.strip()}")

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Similarity of the whole statements."""
        return score_objects(pairs, options)


def _first_line(words: str, texts: Mapping[str, str]) -> str | None:
    """A short answer: its first line, without what the model goes on with."""
    line = next((line.strip() for line in words.splitlines() if line.strip()), "")
    return line.partition("<object")[0].strip() or None


BENCHMARK = Benchmark(
    "pitt_ads",
    "Persuasive atypical ads",
    (
        Classification(),
        Statements("asr", of_actions=False),
        Objects(),
        Statements("arr", wanted=3),
        Statements("arr_single"),
    ),
    own_address,
    FAMILIES,
)
