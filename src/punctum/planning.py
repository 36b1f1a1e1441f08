"""What a run would ask, without asking it: calls, pictures, tokens, and a filled prompt of each kind.

A plan goes the whole way of a run, with models that write placeholders. What the store has is taken from there, so
that the numbers are those of the run that would follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from punctum.evaluators.base import Stage
from punctum.evaluators.judging import ask_judge
from punctum.evaluators.models._budget import HOW, picture_tokens, text_tokens, texts_of
from punctum.evaluators.models._front import Front
from punctum.evaluators.models._unloaded import Unloaded
from punctum.evaluators.models.base import Batch, Model
from punctum.evaluators.reading import predict
from punctum.evaluators.stages import Cast
from punctum.jobs import Asked, Job
from punctum.records import Generation, Request, Response, Sample
from punctum.runs import ask_all, prepare
from punctum.store import KnownAnswers

#: What `Step.stage` calls the questions themselves.
QUESTIONS = "questions"
_ANSWER = "[answer to {id}]"


@dataclass
class Step:
    """What one model is asked in one stage of a task.

    Attributes:
        stage: its name, or `questions`.
        model: who is asked.
        calls: new ones, tries of failed calls not included, and what an earlier task asks already neither.
        stored: answers that are there already; None where that is not known before the model is loaded.
        pictures: sent with the calls; one that is sent twice counts twice.
        prompt_tokens: estimated.
        output_tokens: at the most.
    """

    stage: str
    model: str
    calls: int = 0
    stored: int | None = 0
    pictures: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Filled:
    """A prompt as a model would get it.

    Attributes:
        stage, prompt_slot, id: which question.
        pictures: how many are shown before the text.
        system, prompt: the texts; what models have not written yet stands in brackets.
    """

    stage: str
    prompt_slot: int
    id: str
    pictures: int
    system: str | None
    prompt: str


@dataclass
class Plan:
    """What a run of a task would ask.

    Attributes:
        task: BENCH/TASK.
        questions: how many there are.
        steps: in their order.
        failed: questions that cannot be asked (a picture is missing, say).
        first_error: of those.
        prompts: one of each kind.
    """

    task: str
    questions: int = 0
    steps: list[Step] = field(default_factory=list)
    failed: int = 0
    first_error: str | None = None
    prompts: list[Filled] = field(default_factory=list)

    def total(self) -> Step:
        """The sum of the steps."""
        total = Step("total", "", stored=None if any(step.stored is None for step in self.steps) else 0)
        for step in self.steps:
            total.calls += step.calls
            total.pictures += step.pictures
            total.prompt_tokens += step.prompt_tokens
            total.output_tokens += step.output_tokens
            if total.stored is not None:
                total.stored += step.stored or 0
        return total

    def as_json(self) -> dict[str, Any]:
        """The plan for machines."""
        return {**asdict(self), "total": asdict(self.total())}


class Notebook(KnownAnswers):
    """The stored answers, and what a plan has counted already: later tasks need not ask for it again."""

    on_found: Callable[[int], None] | None = None

    def __init__(self, path: str | Path | None = None) -> None:
        super().__init__(path)
        self._planned: dict[str, Response] = {}

    def get(self, keys: Sequence[str]) -> dict[str, Response]:
        """Stored answers and placeholders among `keys`."""
        stored = super().get(keys)
        if self.on_found is not None:
            self.on_found(len(stored))
        return {**{key: self._planned[key] for key in keys if key in self._planned}, **stored}

    def put(self, rows: Iterable[tuple[str, Request, Response]], model: str) -> None:
        """Remember placeholders."""
        self._planned.update((key, response) for key, _, response in rows)


def _example(stage: Stage) -> str:
    return stage.example or f"[{stage.name} of {{id}}]"


class _Pen:
    """Notes what models are asked and answers in their place."""

    def __init__(self, plan: Plan, stages: Sequence[Stage], longest_answer: int) -> None:
        self._plan = plan
        self._stages = {stage.name: stage for stage in stages}
        self._marks = {_example(stage).partition("{id}")[0]: stage.max_new_tokens for stage in stages}
        self._marks[_ANSWER.partition("{id}")[0]] = longest_answer  # in the prompts of a judge
        self._step = Step("", "")
        self._counts: dict[int, Callable[[str], int] | None] = {}
        self._shown: set[tuple[str, int]] = set()

    def begin(self, stage: str, count: int) -> Callable[[int, bool], None]:
        """A stage begins."""
        self._step = Step(stage or QUESTIONS, "")
        self._plan.steps.append(self._step)
        return lambda count, stored: None

    def found(self, count: int) -> None:
        """So many answers are in the store."""
        if self._step.stored is not None:
            self._step.stored += count

    def note(self, model: Model, requests: Sequence[Request], generation: Generation) -> None:
        """New calls."""
        step = self._step
        step.calls += len(requests)
        for request in requests:
            step.pictures += len(request.pictures)
            step.prompt_tokens += self._text(model, request) + picture_tokens(request.pictures)
            step.prompt_tokens += self._unwritten(request.prompt)
            step.output_tokens += 0 if request.continuations else generation.max_new_tokens
            self.show(request)

    def show(self, request: Request) -> None:
        """Keep the first prompt of each kind."""
        unit = request.sample.unit
        kind = (self._step.stage, unit.prompt_slot if self._step.stage == QUESTIONS else 1)
        if kind not in self._shown:
            self._shown.add(kind)
            shown = request.prompt or "\n".join((*request.queries, *request.continuations))  # a ranker has no prompt
            self._plan.prompts.append(
                Filled(*kind, unit.id, len(request.pictures), request.system, shown)
            )  # fmt: skip

    def write(self, sample: Sample) -> str:
        """What stands for a model's words."""
        stage = self._stages.get(self._step.stage)
        text = _ANSWER if stage is None else _example(stage)
        return text.replace("{id}", sample.unit.id)

    def asks(self, model: Model) -> None:
        """Whom the stage asks."""
        self._step.model = model.info.id
        if isinstance(model, Unloaded):
            self._step.stored = None

    def _unwritten(self, prompt: str) -> int:
        """The most tokens of the texts in a prompt that are yet to be written."""
        return sum(most * prompt.count(mark) for mark, most in self._marks.items() if "[" in mark)

    def _text(self, model: Model, request: Request) -> int:
        count = self._counts.setdefault(id(model), _counter(model))
        if count is None:
            return text_tokens(request)
        return sum(count(text) for text in texts_of(request) if text)


class _Rehearsed(Front):
    """A model that notes what it is asked and writes placeholders."""

    def __init__(self, model: Model, pen: _Pen) -> None:
        super().__init__(model)
        self._pen = pen

    def fingerprint(self) -> Mapping[str, Any]:
        """The model's own, so that its stored answers are found. It is asked for when a stage begins."""
        self._pen.asks(self.model)
        return super().fingerprint()

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Note and make up; see `Model.answer`."""
        self._pen.asks(self.model)
        self._pen.note(self.model, requests, generation)
        yield [(index, Response(text=self._pen.write(request.sample))) for index, request in enumerate(requests)]


def plan_task(job: Job, cast: Cast, store: Notebook) -> Plan:
    """Plan a run of a task. No model is asked.

    Args:
        job: the task.
        cast: outlines of the models, from `outline_model`.
        store: where answers are looked up, and what the plans of earlier tasks hold.

    Raises:
        ValueError: as `runs.run_task`.
    """
    plan = Plan(f"{job.benchmark.name}/{job.task.name}")
    job, samples = prepare(job, cast)
    pen = _Pen(plan, job.task.stages(job.options), job.options.generation.max_new_tokens)
    store.on_found = pen.found
    roles = {role: _Rehearsed(model, pen) for role, model in cast.others.items()}
    asked = [Asked(sample) for sample in samples]
    ask_all(job, Cast(_Rehearsed(cast.answer, pen), roles), store, asked, pen.begin)
    for one in asked:
        if one.request is not None:
            pen.show(one.request)  # where the store has all answers, none was noted
        if one.response is not None and one.response.error is not None:
            plan.failed += 1
            plan.first_error = plan.first_error or f"{one.sample.unit.id}: {one.response.error}"
    plan.questions = len(samples)
    if job.task.judgement is not None and cast.judge is not None:
        answered = [(one.sample, one.response) for one in asked if one.response is not None]
        judged = [(sample, predict(job.task, sample, response, job.options)) for sample, response in answered]
        ask_judge(job.task, judged, job.options, _Rehearsed(cast.judge, pen), store, pen.begin)
    return plan


def _counter(model: Model) -> Callable[[str], int] | None:
    """Counts tokens with the model's own tokenizer, where its file and a library that reads it are at hand."""
    file = model.tokenizer if isinstance(model, Unloaded) else None
    if file is None:
        return None
    try:
        from tokenizers import Tokenizer
    except ImportError:
        return None
    tokenizer = Tokenizer.from_file(str(file))

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count


def remarks(cast: Cast) -> list[str]:
    """What a reader must know of the numbers."""
    models = [model for model in (cast.answer, *cast.others.values(), cast.judge) if model is not None]
    names = list(dict.fromkeys(model.info.id for model in models if _counter(model) is not None))
    own = f", or by the own tokenizer of {', '.join(names)}" if names else ""
    said = [
        f"Prompt tokens are estimated: {HOW}{own}. A text that is yet to be written counts with the most tokens that "
        "it may have; chat templates do not count.",
        "Output tokens are the most that may be written. New tries of failed calls come on top.",
    ]
    assumed = list(dict.fromkeys(m.info.id for m in models if isinstance(m, Unloaded) and m.assumed))
    said += [f"{name} is taken for a model that reads pictures; text:{name} is one that does not." for name in assumed]
    return said
