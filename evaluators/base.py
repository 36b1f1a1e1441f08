"""What an evaluator is: a benchmark's tasks, each of which asks, reads and scores.

A file in this folder defines one benchmark: `BENCHMARK = Benchmark(name, title, tasks, …)`. Asking a model
(`asking.py`), reading its words (`reading.py`) and counting (`counting.py`) are shared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from punctum.answers import PARSERS
from punctum.evaluators.counting import Counted
from punctum.evaluators.options import Options
from punctum.records import Form, Prediction, Request, Response, Sample

NOTHING: Mapping[str, str] = {}
_COT_TOKENS = 512

#: Ways to get an answer: let the model write, compare likelihoods of the options, or their likeness to the picture.
SCORINGS = ("generate", "likelihood", "rank")

#: Loads the rows of one config: `loader(config, **builder_kwargs)`.
Loader = Callable[..., Any]


def _stripped(words: str, texts: Mapping[str, str]) -> str:
    return words.strip()


@dataclass(frozen=True)
class Stage:
    """Something that a model writes before the question is asked.

    Attributes:
        name: of the text that it gives; later stages and the question find it under this name.
        role: whose work it is: `describe`, …; see `stages.Cast`.
        request: what is asked for a sample, given the texts of earlier stages; None where it is not needed.
        prompts: the templates that it uses, for the signature.
        max_new_tokens: how long the text may be.
        read: what is kept of the model's words, given the texts of earlier stages; None where they say nothing
            that can be used: the text is empty then, and the run says how often.
        example: words that `read` can use, for plans, where nothing has been written yet; `{id}` is the sample's.
    """

    name: str
    role: str
    request: Callable[[Sample, Mapping[str, str], Options], Request | None]
    prompts: tuple[str, ...] = ()
    max_new_tokens: int = 256
    read: Callable[[str, Mapping[str, str]], str | None] = field(default=_stripped)
    example: str | None = None


@dataclass(frozen=True)
class Judgement:
    """What a judge model is asked about an answer.

    Attributes:
        prompt: the template.
        fields: what it is filled with, given the question and the answer's words.
        decides: True: the verdict says whether an answer is right, and no answer counts without one. False: the
            verdict stands in for an answer that the parser cannot read.
        read: reads the judge's words: "yes", "no", or None where they say neither.
        max_new_tokens: how long a verdict may be, where the user says nothing else.
    """

    prompt: str
    fields: Callable[[Sample, str], Mapping[str, object]]
    decides: bool
    read: Callable[[str], str | None]
    max_new_tokens: int = 32


class Task(ABC):
    """One task of a benchmark. Stateless: everything that varies comes in `Options`.

    Attributes:
        name: as in `BENCH/TASK`.
        form: the form of the answer.
        config: what `load_dataset(BENCH, CONFIG)` loads for it.
        default: whether `punctum run BENCH` includes it.
        subsets: values of `--subset`.
        settings: values of `--setting`.
        n_prompts: how many prompts it has.
        can_rotate: whether `--circular` applies.
        descriptions: values of `--describe`.
        reasons: whether `--cot` applies.
        captions: whether `--caption` applies.
        splits: values of `--split`; the first is the default.
        negatives: values of `--negatives`; none where the wrong options are what they are.
        contexts: whether `--context` applies.
        wordings: values of `--wording`; the first is the default.
        headline: the metrics that a table shows first.
        primary: the one metric of a leaderboard that has room for one; empty is the first of `headline`.
        generative: whether `--generative` chooses it: the free form of a task that asks for a choice.
        max_new_tokens: how long an answer may be, where the user says nothing else; see `answer_tokens`.
        judgement: what a judge model may, or must, be asked about an answer.
        similarity: the model that compares texts where `--similarity-model` names none; None where texts are
            not compared by one.
    """

    name: str
    form: Form
    config: str
    default: bool = True
    subsets: tuple[str, ...] = ()
    settings: tuple[str, ...] = ("vlm",)
    n_prompts: int = 1
    can_rotate: bool = False
    descriptions: tuple[str, ...] = ("none",)
    reasons: bool = False
    captions: bool = False
    splits: tuple[str, ...] = ("test",)
    negatives: tuple[str, ...] = ()
    contexts: bool = False
    wordings: tuple[str, ...] = ()
    headline: tuple[str, ...] = ("accuracy",)
    primary: str = ""
    generative: bool = False
    max_new_tokens: int = 64
    judgement: Judgement | None = None
    similarity: str | None = None

    @abstractmethod
    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """The questions, in the data's order: direct ones, then rotations where they are asked for."""

    @abstractmethod
    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """What a model is asked for a sample.

        Args:
            sample: the question.
            options: how.
            texts: what the stages gave, by name.
        """

    def told(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> tuple[str, ...]:
        """The texts about the picture that the prompt holds: what a model that ranks compares the options with.

        Args:
            sample, options, texts: as for `request`.
        """
        return ()

    def ids(self, load: Loader, options: Options) -> set[str]:
        """The ids of all its questions, whatever the subset."""
        return set(load(self.config)["id"])

    def adapted(self, options: Options, reads_pictures: bool) -> Options:
        """The options with what was left open filled in to suit the model.

        Args:
            options: as given.
            reads_pictures: whether the model that answers does.
        """
        return options

    def stages(self, options: Options) -> Sequence[Stage]:
        """What models write before the question is asked."""
        return ()

    @abstractmethod
    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Count answers: metrics, intervals, breakdowns."""

    @abstractmethod
    def paper_parser(self, sample: Sample) -> str | None:
        """The published extraction for this sample; None where the authors published none."""

    def prompt_names(self, options: Options) -> Sequence[str]:
        """The templates that a run uses, for the signature."""
        raise NotImplementedError

    def answer_tokens(self, options: Options) -> int:
        """How many tokens an answer may have where the user says nothing else; a chain of thought takes many."""
        return max(self.max_new_tokens, _COT_TOKENS if options.cot else 0)

    def slots(self, options: Options) -> tuple[int, ...]:
        """The prompt slots to ask.

        Raises:
            ValueError: if one is not among the task's.
        """
        wanted = options.prompt_slots or tuple(range(1, self.n_prompts + 1))
        for slot in wanted:
            if not 1 <= slot <= self.n_prompts:
                raise ValueError(f"{self.name} has prompt slots 1 to {self.n_prompts}, not {slot}")
        return wanted

    def check(self, options: Options) -> None:
        """Refuse options that the task does not have.

        Raises:
            ValueError: that names the option, the value and the known values.
        """
        if options.subset is not None and options.subset not in self.subsets:
            known = f"known: {', '.join(self.subsets)}" if self.subsets else "it has none"
            raise ValueError(f"{self.name} has no subset {options.subset!r}; {known}")
        if options.setting not in self.settings:
            raise ValueError(f"{self.name} has no setting {options.setting!r}; known: {', '.join(self.settings)}")
        if options.parser not in ("paper", *PARSERS):
            raise ValueError(f"unknown parser {options.parser!r}; known: paper, {', '.join(PARSERS)}")
        if options.scoring not in (None, *SCORINGS):
            raise ValueError(f"scoring {options.scoring!r} is not known; known: {', '.join(SCORINGS)}")
        if options.scoring == "likelihood" and self.form == "text":
            raise ValueError(f"{self.name} has its answer written; use --scoring generate")
        if options.scoring == "rank" and self.form != "choice":
            raise ValueError(f"{self.name} has no options that could be ranked; it needs a model that writes")
        if options.continuation not in ("letter", "text", "text_norm"):
            raise ValueError(f"continuation {options.continuation!r} is not known; known: letter, text, text_norm")
        if options.describe not in self.descriptions:
            raise ValueError(
                f"{self.name} takes no description {options.describe!r}; known: {', '.join(self.descriptions)}; "
                "name a task that takes one: punctum run BENCH/TASK"
            )
        if options.split is not None and options.split not in self.splits:
            raise ValueError(f"{self.name} has no split {options.split!r}; known: {', '.join(self.splits)}")
        if options.negatives not in (self.negatives or ("hard",)):
            known = f"known: {', '.join(self.negatives)}" if self.negatives else "it has no choice of them"
            raise ValueError(f"{self.name} has no negatives {options.negatives!r}; {known}")
        if options.wording is not None and options.wording not in self.wordings:
            known = f"known: {', '.join(self.wordings)}" if self.wordings else "it has one"
            raise ValueError(f"{self.name} has no wording {options.wording!r}; {known}")
        if options.context is not None and not self.contexts:
            raise ValueError(f"{self.name} takes no context")
        if options.cot and not self.reasons:
            raise ValueError(f"{self.name} has no chain of thought")
        if options.cot and options.scoring in ("likelihood", "rank"):
            raise ValueError("a chain of thought must be written; use --scoring generate")
        if self.judgement is not None and self.judgement.decides and not options.judged:
            raise ValueError(
                f"{self.name} is scored by the verdicts of a judge model: run asks one with --judge M, and score "
                "reads them from --verdicts F or from the predictions of such a run"
            )
        if not self.captions and (options.caption != "self" or options.given_captions is not None):
            raise ValueError(f"{self.name} shows no caption")
        self.slots(options)

    def completed(self, response: Response, texts: Mapping[str, str], options: Options) -> Response:
        """The answer with what stages before it said of it, where a task asks for an answer in several parts."""
        return response

    def final_words(self, output: str, options: Options) -> str:
        """The part of a model's words that is its answer, where it was asked for more."""
        return output


@dataclass(frozen=True)
class Family:
    """Models of one kind, and how a paper had them write.

    Attributes:
        name: as the paper has it.
        pattern: found in the model's name, lower case and without punctuation (`llavav157b`).
        settings: fields of `Generation`.
        model_class: the architecture's class in transformers, which tells the family where the name is a folder's;
            empty where several families share one, or it has none.
    """

    name: str
    pattern: str
    settings: Mapping[str, Any]
    model_class: str = ""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: its tasks and how people name its rows.

    Attributes:
        name: as in `BENCH/TASK`.
        title: for people.
        tasks: in the order of tables.
        address: reads a row's published or own id: gives the id and the rotation.
        families: models whose generation settings the paper prints, for `--gen paper`; none where it prints no
            settings at all.
    """

    name: str
    title: str
    tasks: tuple[Task, ...]
    address: Callable[[object], tuple[str, int | None]]
    families: tuple[Family, ...] = ()

    def task(self, name: str) -> Task:
        """The task of that name.

        Raises:
            ValueError: that names the known tasks.
        """
        from punctum.discovery import known

        known(name, [task.name for task in self.tasks], f"task of {self.name}")
        return next(task for task in self.tasks if task.name == name)
