"""Asking the questions of several tasks at once, so that those on one picture share it across tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from punctum.evaluators.asking import OnStage, ask
from punctum.evaluators.judging import ask_judge
from punctum.evaluators.models._budget import OutOfBudget
from punctum.evaluators.stages import Cast
from punctum.jobs import Asked, Interrupted, Job
from punctum.processes import Processes
from punctum.records import Generation, Picture, Request
from punctum.runs import prepare, read_back, write_requests
from punctum.store import ResponseStore


def worth_it(jobs: Sequence[Job], cast: Cast) -> bool:
    """Whether several tasks are asked of a model that runs what questions share once."""
    return len(jobs) > 1 and cast.answer.stored and getattr(cast.answer, "shares", False)


def ask_together(
    jobs: Sequence[Job],
    cast: Cast,
    store: ResponseStore,
    on_stage: OnStage | None = None,
    processes: Processes | None = None,
) -> None:
    """Fill the store with the answers to all tasks' questions; `run_task` finds them there afterwards.

    What failed is asked once more then, task by task.

    Args:
        jobs: the tasks.
        cast: the models.
        store: where answers are kept.
        on_stage: as for `run_task`; a stage is named after its task, too.
        processes: where there are several, only the questions of this one's share, with the judge's verdicts on
            them.

    Raises:
        ValueError: as `run_task`.
        Interrupted: on Ctrl-C, or where the budget is used up.
    """
    waiting: dict[tuple[object, ...], tuple[Generation, list[Asked]]] = {}
    begun: list[tuple[Job, list[Asked]]] = []
    pictures: dict[str, Picture] = {}
    try:
        for job in jobs:
            job, samples = prepare(job, cast)
            asked = [Asked(sample) for sample in (processes.share(samples) if processes else samples)]
            begun.append((job, asked))
            how = job.options.generation
            for one in write_requests(job, cast, store, asked, _named(on_stage, job.task.name)):
                if one.request is not None:
                    one.request = _with_known(one.request, pictures)
                    kind = (repr(how), bool(one.request.continuations))
                    waiting.setdefault(kind, (how, []))[1].append(one)
        for how, together in waiting.values():
            report = on_stage("", len(together)) if on_stage else None
            requests = [one.request for one in together if one.request is not None]
            for place, response in ask(cast.answer, requests, how, store, report):
                together[place].response = response
        if processes is not None and cast.judge is not None:
            for job, asked in begun:
                if job.task.judgement is not None:
                    judged = read_back(job, asked, None)
                    ask_judge(job.task, judged, job.options, cast.judge, store, _named(on_stage, job.task.name))
    except (KeyboardInterrupt, OutOfBudget) as stop:
        answered = [(job, [one for one in asked if one.response is not None]) for job, asked in begun]
        judged = [pair for job, asked in answered for pair in read_back(job, asked, None)]
        why = str(stop) if isinstance(stop, OutOfBudget) else None
        names = f"{jobs[0].benchmark.name}, all tasks"
        raise Interrupted(names, judged, sum(len(asked) for _, asked in begun), why) from None


def _named(on_stage: OnStage | None, task: str) -> OnStage | None:
    return None if on_stage is None else lambda stage, count: on_stage(f"{task} · {stage}", count)


def _with_known(request: Request, known: dict[str, Picture]) -> Request:
    """The request with pictures that are in memory already in the place of equal ones."""
    try:
        shown = tuple(known.setdefault(picture.sha256, picture) for picture in request.pictures)
    except (OSError, ValueError):  # asking says what is wrong with it
        return request
    return replace(request, pictures=shown)
