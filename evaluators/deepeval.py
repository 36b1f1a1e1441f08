"""DeepEval (Yang et al., 2024): description, title and deep semantics of cartoons, by three prompts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from punctum.evaluators.base import NOTHING, Benchmark, Family, Loader, Stage, Task
from punctum.evaluators.counting import Answered, Counted, Meter
from punctum.evaluators.deepeval_free import Free
from punctum.evaluators.deepeval_rows import SUBSETS, fields_of, labels_of, rows_of
from punctum.evaluators.options import Options
from punctum.evaluators.rows import choice_continuations, choice_sample, own_address, shuffled
from punctum.metrics.mcq_accuracy.core import mcq_accuracy
from punctum.metrics.prompt_spread.core import prompt_spread
from punctum.records import Form, Prediction, Request, Sample
from punctum.stats import Array

_SPREAD = ("variance_population", "variance_sample", "std_population", "std_sample")


class Choice(Task):
    """Choose the right text among four; asked by each of three prompts (Section 5.2, Appendix B)."""

    form: Form = "choice"
    settings = ("vlm", "lm")
    n_prompts = 3
    subsets = SUBSETS

    def __init__(self, name: str, kind: str, kind_in_slot_1: str, descriptions: tuple[str, ...] = ("none",)) -> None:
        self.descriptions = descriptions
        self.name = name
        self.config = name
        self._kind = kind
        self._kind_in_slot_1 = kind_in_slot_1

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """One sample a row and prompt slot; the slots of a picture follow each other."""
        slots = self.slots(options)
        for row in rows_of(load(self.config), options):
            shown = shuffled(row, options)
            for slot in slots:
                yield choice_sample(shown, self.name, options, fields_of(row), prompt_slot=slot)

    def stages(self, options: Options) -> Sequence[Stage]:
        """The model's own description of the picture, for the second column of Table 4."""
        if options.describe != "self":
            return ()
        return (Stage("description", "describe", _describe, ("deepeval/describe",)),)

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """One of the three prompts, after a description where one is wanted; in `lm` without the picture."""
        prompt = options.prompts.render(
            f"deepeval/slot_{sample.unit.prompt_slot}",
            options=sample.options,
            kind=self._kind,
            kind_in_slot_1=self._kind_in_slot_1,
        )
        for description in self.told(sample, options, texts):
            prompt = options.prompts.render("deepeval/described", description=description, prompt=prompt)
        pictures = () if options.setting == "lm" else sample.pictures
        return Request(sample, prompt, pictures, options.system, choice_continuations(sample, options))

    def told(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> tuple[str, ...]:
        """The description, where one is wanted."""
        if options.describe == "none":
            return ()
        own = options.describe == "self"
        return (texts["description"] if own else str(sample.fields["annotated_description"]),)

    def prompt_names(self, options: Options) -> Sequence[str]:
        """A template a slot."""
        described = () if options.describe == "none" else ("deepeval/described",)
        return (*(f"deepeval/slot_{slot}" for slot in self.slots(options)), *described)

    def paper_parser(self, sample: Sample) -> str:
        """Option text first, then the first capital letter that stands alone."""
        return "deepeval"

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Mean accuracy over the prompts and its spread (Table 3); by category where labels are given."""
        answered = Answered()
        by_category: dict[str, list[bool]] = {}
        slots: list[int] = []
        meter = Meter()
        for sample, prediction in pairs:
            answered.add(sample, prediction)
            slot = sample.unit.prompt_slot
            slots.append(slot)
            meter.add(str(slot), sample.cluster, prediction.correct)
            for name in labels_of(sample):
                by_category.setdefault(name, []).append(prediction.correct)
        return _counted(answered, slots, meter, by_category, options)


def _describe(sample: Sample, texts: Mapping[str, str], options: Options) -> Request:
    """Ask for a detailed description of the picture."""
    return Request(sample, options.prompts.render("deepeval/describe"), sample.pictures, options.system)


def _counted(
    answered: Answered,
    slots: list[int],
    meter: Meter,
    by_category: dict[str, list[bool]],
    options: Options,
) -> Counted:
    correct = [p == r for p, r in zip(answered.predictions, answered.references, strict=True)]
    spread = dict(prompt_spread(correct=correct, slots=slots))
    found = mcq_accuracy(answered.predictions, answered.references, answered.kinds, answered.failed)
    metrics: dict[str, float | None] = {
        **{name: spread[name] for name in ("accuracy", *sorted(n for n in spread if n.startswith("accuracy_slot_")))},
        "accuracy_answered": found["accuracy_answered"],
        **{name: spread[name] for name in _SPREAD},
    }
    order = [int(name) for name in meter.names]
    names = ["accuracy", *(f"accuracy_slot_{slot}" for slot in order)]

    def mean_first(resampled: Array) -> Array:
        return np.concatenate([resampled.mean(1, keepdims=True), resampled], axis=1)

    intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed, (names, mean_first))
    breakdowns: dict[str, object] = {"chosen_kinds": found["chosen_kinds"], "letters": answered.letters()}
    if by_category:
        breakdowns["by_label"] = {
            name: {"accuracy": sum(v) / len(v), "n": len(v)} for name, v in sorted(by_category.items())
        }
    return Counted(len(correct), *answered.counts, metrics, intervals, breakdowns)


#: Appendix C. It says of the other models that they ran with their default settings, and prints none.
FAMILIES = (
    Family("LLaVA-1.5", r"llavav?15", {"temperature": 0.2}, "LlavaForConditionalGeneration"),
    Family("MiniGPT-4", r"minigpt4", {"temperature": 1.0, "num_beams": 1}),
    Family("mPLUG-Owl2", r"mplugowl2", {"temperature": 0.7}),
    Family("CogVLM", r"cogvlm(?!2)", {"temperature": 0.4, "top_p": 0.8, "top_k": 1}),
)

BENCHMARK = Benchmark(
    "deepeval",
    "DeepEval: deep semantics of cartoons",
    (
        Choice("description", "description", "description"),
        Choice("title", "title", "best title"),
        Choice("deep_semantics", "deep meaning", "deep meaning", ("none", "self", "annotated")),
        Free("description", "description"),
        Free("title", "title"),
        Free("deep_semantics", "deep meaning"),
    ),
    own_address,
    FAMILIES,
)
