"""A task from questions to score, with a model or from a file of answers."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from punctum.evaluators.asking import OnStage, ask
from punctum.evaluators.base import Task
from punctum.evaluators.counting import Counted
from punctum.evaluators.fitting import check_fit, request_of, scoring_of
from punctum.evaluators.judging import READ_BY_JUDGE, Judged, ask_judge, judge_generation, with_verdict
from punctum.evaluators.models._budget import OutOfBudget
from punctum.evaluators.models.base import Model
from punctum.evaluators.options import Options
from punctum.evaluators.reading import parser_for, predict, read
from punctum.evaluators.stages import Cast, run_stages
from punctum.jobs import Asked, Interrupted, Job, TooManyFailures
from punctum.predictions import Answers, Row, check_order
from punctum.records import ModelInfo, Prediction, Response, Sample, Score
from punctum.signing import settings, signature
from punctum.store import ResponseStore
from punctum.verdicts import Verdicts, beside


def run_task(
    job: Job,
    cast: Model | Cast,
    store: ResponseStore | None = None,
    on_stage: OnStage | None = None,
    on_asked: Callable[[Asked], None] | None = None,
) -> tuple[Score, list[Judged]]:
    """Ask a model all questions of a task, after whatever must be written before them, and score the answers.

    Args:
        job: the task.
        cast: who answers; a `Cast` where other models write the descriptions, say.
        store: where answers are kept and looked up.
        on_stage: called with the name of what is asked ("" for the questions themselves) and its number; what
            it returns is called with a number of answers and whether they came from the store.
        on_asked: called with every question that has an answer or failed, in order, also when the run is stopped.

    Raises:
        ValueError: if the task and the model or the options do not fit, or there are no questions.
        Interrupted: on Ctrl-C, or when the budget of a model is used up, with what was answered.
        TooManyFailures: if more than `job.max_failed` of the calls failed.
    """
    cast = cast if isinstance(cast, Cast) else Cast(cast)
    job, samples = prepare(job, cast)
    task, options = job.task, job.options
    asked = [Asked(sample) for sample in samples]
    try:
        ask_all(job, cast, store, asked, on_stage)
    except (KeyboardInterrupt, OutOfBudget) as stop:
        done = read_back(job, (a for a in asked if a.response), on_asked)
        raise _interrupted(job, done, len(samples), stop) from None
    judged = read_back(job, asked, on_asked)
    if task.judgement is not None and cast.judge is not None:
        try:
            ask_judge(task, judged, options, cast.judge, store, on_stage)
        except (KeyboardInterrupt, OutOfBudget) as stop:
            raise _interrupted(job, judged, len(samples), stop) from None
    made_by = cast.signature([stage.role for stage in task.stages(options)])
    fingerprint = {**cast.answer.fingerprint(), "made_by": made_by, "judged_by": _judged_by(cast, task, options)}
    try:
        return _scored(job, judged, cast.answer.info, fingerprint), judged
    except TooManyFailures as error:
        error.judged = judged
        raise


def _samples(job: Job) -> Iterator[Sample]:
    """The questions, or those with the ids that are asked for.

    Raises:
        ValueError: for ids that no question has, when all questions have been seen.
    """
    wanted = job.options.ids
    if wanted is None:
        yield from job.task.samples(job.load, job.options)
        return
    missing = set(wanted)
    for sample in job.task.samples(job.load, job.options):
        if sample.unit.id in wanted:
            missing.discard(sample.unit.id)
            yield sample
    if missing:
        shown = ", ".join(sorted(missing)[:5])
        raise ValueError(
            f"{job.benchmark.name}/{job.task.name} has no questions with {len(missing)} of {len(wanted)} ids: {shown}"
        )


def read_back(job: Job, asked: Iterable[Asked], on_asked: Callable[[Asked], None] | None) -> list[Judged]:
    """Read what came back."""
    judged: list[Judged] = []
    for one in asked:
        response = one.response or Response(error="the backend gave no answer")
        if response.error is None:
            response = job.task.completed(response, one.texts, job.options)
        judged.append((one.sample, predict(job.task, one.sample, response, job.options)))
        if on_asked:
            on_asked(one)
    return judged


def prepare(job: Job, cast: Cast) -> tuple[Job, list[Sample]]:
    """The job with what was left open filled in to suit the models, and its questions.

    Raises:
        ValueError: as `run_task`.
    """
    options = job.task.adapted(replace(job.options, judged=cast.judge is not None), cast.answer.reads_pictures)
    job = replace(job, options=replace(options, scoring=options.scoring or scoring_of(cast.answer)))
    task, options = job.task, job.options
    task.check(options)
    check_fit(cast.answer, task, options)
    if cast.judge is not None and not cast.judge.writes:
        raise ValueError(f"{cast.judge.info.id} writes no text, so that it cannot judge; name another with --judge")
    samples = list(_samples(job))
    if not samples:
        raise ValueError(f"{job.benchmark.name}/{task.name}: no questions in {job.data}")
    if options.setting == "vlm" and cast.answer.stored and not any(sample.pictures for sample in samples):
        raise ValueError(
            f"{job.benchmark.name}/{task.name}: the data at hand have no pictures; put them beside the "
            "questions, or ask without them where the task allows it (--setting lm)"
        )
    return job, samples


def ask_all(
    job: Job, cast: Cast, store: ResponseStore | None, asked: Sequence[Asked], on_stage: OnStage | None
) -> None:
    """Fill in the responses: stages first, then the questions for which everything is there."""
    open_ones = write_requests(job, cast, store, asked, on_stage)
    requests = [one.request for one in open_ones if one.request is not None]
    report = on_stage("", len(requests)) if on_stage else None
    for place, response in ask(cast.answer, requests, job.options.generation, store, report):
        open_ones[place].response = response


def write_requests(
    job: Job, cast: Cast, store: ResponseStore | None, asked: Sequence[Asked], on_stage: OnStage | None
) -> list[Asked]:
    """Run the stages and fill in the requests; returns the questions for which everything is there."""
    task, options, model = job.task, job.options, cast.answer
    parts = run_stages(task.stages(options), [one.sample for one in asked], options, cast, store, on_stage)
    open_ones: list[Asked] = []
    for one, part in zip(asked, parts, strict=True):
        one.texts = part.texts
        if part.error is not None:
            one.response = Response(error=part.error)
            continue
        one.request = request_of(task, one.sample, options, part.texts)
        if options.setting == "vlm" and model.stored and not one.request.pictures:
            # a question about a picture that is not there is a failure, not a question to answer blindly
            one.response = Response(error="the picture is missing")
            continue
        open_ones.append(one)
    return open_ones


def _interrupted(job: Job, judged: Sequence[Judged], n: int, stop: BaseException) -> Interrupted:
    why = str(stop) if isinstance(stop, OutOfBudget) else None
    return Interrupted(f"{job.benchmark.name}/{job.task.name}", judged, n, why)


def _judged_by(cast: Cast, task: Task, options: Options) -> str | None:
    """Which judge was asked what, and how it wrote."""
    if cast.judge is None or task.judgement is None:
        return None
    info, prompt = cast.judge.info, task.judgement.prompt
    how = settings(judge_generation(task.judgement, options))
    words = [info.id, info.revision, info.backend, info.dtype, info.quantization]
    return ",".join([*(word for word in words if word), f"{prompt}@{options.prompts.hash(prompt)}", how])


def score_task(
    job: Job,
    answers: Answers,
    info: ModelInfo,
    verdicts: Verdicts | None = None,
    on_judged: Callable[[Sample, Prediction], None] | None = None,
) -> Score:
    """Score answers from files. Parts of the task (slots, rotations) that no line answers are left out.

    Args:
        job: the task.
        answers: from `predictions.collect`.
        info: whose answers they are.
        verdicts: of a judge, from files; without them, those that stand beside the answers.
        on_judged: called with every sample and its prediction, in order.

    Raises:
        ValueError: if nothing is there to score.
        TooManyFailures: if more than `job.max_failed` of the answers are missing.
    """
    parts = answers.parts(job.task.name)
    rows = answers.by_task[job.task.name]
    verdicts = verdicts or beside(job.task.name, rows)
    options = replace(
        job.options,
        judged=bool(verdicts),
        circular=any(rotated for _, rotated in parts),
        prompt_slots=tuple(sorted({slot for slot, _ in parts})),
    )
    job = replace(job, options=options)
    job.task.check(options)

    def judged() -> Iterator[Judged]:
        for sample in _samples(job):
            unit = sample.unit
            if (unit.prompt_slot, unit.rotation is not None) not in parts:
                continue
            address = (unit.id, unit.rotation, unit.prompt_slot)
            prediction = predict(job.task, sample, _response(rows.get(address), sample), options)
            if job.task.judgement is not None:
                words = verdicts.of(job.task.name, address)
                prediction = with_verdict(job.task.judgement, sample, prediction, words)
            if on_judged:
                on_judged(sample, prediction)
            yield sample, prediction

    source = verdicts.source if job.task.judgement is not None and verdicts else None
    return _scored(job, judged(), info, {"verdicts": source})


def _response(row: Row | None, sample: Sample) -> Response:
    if row is None:
        return Response(error="no answer in the prediction files")
    check_order(row, sample.permutation)
    if row.error is not None:
        return Response(error=row.error)
    return Response(text=row.output or "")


class _Watch:
    """Passes judged answers on and remembers what the signature and the table need to know of them."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._digest = hashlib.sha256()
        self._outputs = 0
        self._read: dict[str, int] = {}
        self._verdicts = Counter[str](dict.fromkeys(("yes", "no", "unreadable", "failed"), 0))
        self.first_error: str | None = None

    def through(self, judged: Iterable[Judged]) -> Iterator[Judged]:
        for sample, prediction in judged:
            parts = (sample.unit.id, str(sample.unit.rotation), *sample.options, str(sample.gold))
            self._digest.update("\x1f".join(parts).encode("utf-8", "replace"))
            if self.first_error is None and prediction.error is not None:
                self.first_error = f"{sample.unit.id}: {prediction.error}"
            if prediction.output is not None and prediction.scores is None:
                self._outputs += 1
                self._compare(sample, prediction)
            self._count_verdict(prediction)
            yield sample, prediction

    def _count_verdict(self, prediction: Prediction) -> None:
        """Count what the judge said, where there is one."""
        judgement = self._job.task.judgement
        if judgement is None or not self._job.options.judged:
            return
        if prediction.verdict is not None:
            self._verdicts[judgement.read(prediction.verdict) or "unreadable"] += 1
        self._verdicts["failed"] += prediction.error is not None and prediction.output is not None

    def verdicts(self) -> dict[str, int]:
        """What the judge said, and how often."""
        return dict(self._verdicts)

    def _compare(self, sample: Sample, prediction: Prediction) -> None:
        """Count what the run's parser reads, and what the robust and the published one would read."""
        task, options, output = self._job.task, self._job.options, str(prediction.output)
        published = ["paper"] if task.paper_parser(sample) is not None else []
        for name in dict.fromkeys(("robust", *published, options.parser)):
            if name == options.parser and prediction.rule != READ_BY_JUDGE:
                is_so = prediction.parsed is not None
            else:
                words = task.final_words(output, options)
                is_so = read(sample, words, parser_for(task, sample, name)).value is not None
            self._read[name] = self._read.get(name, 0) + is_so

    def rows(self) -> str:
        return self._digest.hexdigest()[:12]

    def parse_rates(self) -> dict[str, float]:
        return {name: count / self._outputs for name, count in self._read.items()} if self._outputs else {}


def _scored(job: Job, judged: Iterable[Judged], info: ModelInfo, fingerprint: Mapping[str, Any]) -> Score:
    watch = _Watch(job)
    counted = job.task.score(watch.through(judged), job.options)
    _check_failures(job, counted, watch.first_error)
    breakdowns = dict(counted.breakdowns)
    if rates := watch.parse_rates():
        breakdowns["parse_rate"] = rates
    if any(watch.verdicts().values()):
        breakdowns["verdicts"] = watch.verdicts()
    return Score(
        f"{job.benchmark.name}/{job.task.name}",
        counted.n,
        counted.n_unparsed,
        counted.n_failed,
        counted.metrics,
        counted.intervals,
        breakdowns,
        signature(job, counted.n, watch.rows(), info, fingerprint),
    )


def _check_failures(job: Job, counted: Counted, first_error: str | None) -> None:
    name = f"{job.benchmark.name}/{job.task.name}"
    if counted.n == 0:
        raise ValueError(f"{name}: nothing to score")
    if counted.n_failed > job.max_failed * counted.n:
        raise TooManyFailures(
            f"{name}: {counted.n_failed} of {counted.n} answers are missing or failed, more than "
            f"{job.max_failed:.1%}; there is no score. The first: {first_error}. "
            "Where trying again may help, run again (answers are kept); --max-failed allows more"
        )
