"""A score counted again from the lines of a run's folder: who was right on which picture, for paired tests."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass

from punctum.evaluators.base import Task
from punctum.evaluators.counting import Intervals, Measured
from punctum.evaluators.options import Options
from punctum.records import Prediction, Sample, Unit
from punctum.report.known import task_of
from punctum.report.lines import Answer, Key, Question
from punctum.report.runs import BadRun, Run, TaskScore


class CannotRecount(ValueError):
    """Why a run's answers cannot be looked at one by one."""


@dataclass(frozen=True)
class Recounted:
    """A score, with its parts.

    Attributes:
        measured: sums within clusters, by metric.
        shown: address of each question to a hash of what was shown and what is right.
    """

    measured: Measured
    shown: dict[Key, str]


def recount(run: Run, score: TaskScore) -> Recounted:
    """Count a task's answers again, by the same code as the run did.

    Raises:
        CannotRecount: if the folder lacks the lines, the score needs a model, this version does not know the task,
            or the lines do not give the score that stands in `results.json`.
    """
    task = _task(score)
    if not (run.has_answers and run.has_questions):
        missing = "predictions.jsonl" if not run.has_answers else "samples.jsonl"
        raise CannotRecount(f"{run.folder} has no {missing}; score or run again with --out")
    if task.similarity is not None:
        raise CannotRecount(
            f"a model compares the texts of {score.task}, and what it finds is not kept in a run's folder"
        )
    shown: dict[Key, str] = {}
    try:
        counted = task.score(_pairs(run, score, shown), Options(n_resamples=0))
    except BadRun as error:
        raise CannotRecount(str(error)) from error
    except (KeyError, TypeError, ValueError) as error:
        raise CannotRecount(f"{run.folder}: not the lines of {score.task} ({error})") from error
    if len(shown) != score.n:
        raise CannotRecount(f"{run.folder}: {len(shown):,} lines for {score.task}, and {score.n:,} in results.json")
    for name, value in counted.metrics.items():
        before = score.metrics.get(name)
        if not _same(before, value):
            raise CannotRecount(
                f"{run.folder}: the lines give {name} {value}, and results.json says {before}; score them again"
            )
    if not isinstance(counted.intervals, Intervals) or counted.intervals.measured is None:
        raise CannotRecount(f"{score.task} counts nothing by picture")
    return Recounted(counted.intervals.measured, shown)


def _task(score: TaskScore) -> Task:
    found = task_of(score.task)
    if found is None:
        raise CannotRecount(f"this version of punctum has no task {score.task}")
    return found


def _pairs(run: Run, score: TaskScore, shown: dict[Key, str]) -> Iterator[tuple[Sample, Prediction]]:
    answers, questions = run.answers(score.name), run.questions(score.name)
    for answer in answers:
        question = next(questions, None)
        if question is None or question.key != answer.key:
            raise BadRun(f"{run.folder}: predictions.jsonl and samples.jsonl are not of the same questions")
        shown[answer.key] = _digest(question)
        yield sample_of(question), prediction_of(answer)


def sample_of(question: Question) -> Sample:
    """The question as an evaluator has it, without its pictures."""
    return Sample(
        Unit(question.key.id, question.task, question.setting, question.key.prompt_slot, question.key.rotation),
        question.form,  # type: ignore[arg-type]
        question.gold,
        question.options,
        question.option_kinds,
        cluster=question.cluster,
        fields=question.fields,
        wanted=question.wanted,
        first_number=question.first_number,
    )


def prediction_of(answer: Answer) -> Prediction:
    """The answer as an evaluator has it."""
    unit = Unit(answer.key.id, answer.task, answer.setting, answer.key.prompt_slot, answer.key.rotation)
    return Prediction(
        unit,
        answer.output,
        answer.parsed,
        answer.rule,
        answer.correct,
        answer.error,
        answer.scores,
        answer.verdict,
    )


def _digest(question: Question) -> str:
    parts = (*question.options, str(question.gold), question.cluster)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
