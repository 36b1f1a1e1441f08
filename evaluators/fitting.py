"""Which model can answer which task, in which way: by writing, by likelihoods, or by ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from punctum.evaluators.base import Task
from punctum.evaluators.models.base import Model
from punctum.evaluators.options import Options
from punctum.records import Request, Sample


def check_wanted(name: str, tasks: Sequence[Task], options: Options, stop_early: bool) -> None:
    """Refuse what no task has, and what does not go together, before any model is loaded.

    Args:
        name: of the tasks, as the user wrote it.
        tasks: that are to be asked.
        options: how; `judged` where a judge is named.
        stop_early: whether answers shall end as soon as they can be read.

    Raises:
        ValueError: that says what to leave out.
    """
    for task in tasks:
        task.check(options)
    if options.circular and not any(task.can_rotate for task in tasks):
        raise ValueError(f"no task of {name} has rotations of its options; leave --circular out")
    if stop_early and options.cot:
        raise ValueError(
            "--stop-early ends an answer where it can be read, and --cot wants reasoning first; leave one out"
        )
    if options.judged and not any(task.judgement for task in tasks):
        raise ValueError(f"no task of {name} has its answers judged; leave --judge out")


def request_of(task: Task, sample: Sample, options: Options, texts: Mapping[str, str]) -> Request:
    """What the model is asked. One that ranks sees no prompt: only options, pictures and what is told of them."""
    request = task.request(sample, options, texts)
    if options.scoring != "rank":
        return request
    queries = tuple(text for text in task.told(sample, options, texts) if text.strip())
    return Request(sample, "", request.pictures, None, sample.options, request.attempt, queries)


def scoring_of(model: Model) -> str:
    """How a model answers where nobody said."""
    return "generate" if model.writes else "likelihood" if model.scores else "rank"


def check_fit(model: Model, task: Task, options: Options) -> None:
    """Refuse what the model that answers cannot do.

    Raises:
        ValueError: that names a way out.
    """
    name = model.info.id
    if options.setting == "vlm" and not model.reads_pictures:
        way_out = "--setting lm asks without the picture" if "lm" in task.settings else "it needs one that does"
        raise ValueError(f"{name} reads no pictures, and {task.name} shows one; {way_out}")
    way_out = f"use --scoring {scoring_of(model)}"
    if options.scoring == "likelihood" and not model.scores:
        raise ValueError(f"{name} gives no likelihoods; {way_out}")
    if options.scoring == "generate" and not model.writes:
        raise ValueError(f"{name} writes no text; {way_out}")
    if options.scoring == "rank":
        _can_rank(model, task, options, way_out)


def _can_rank(model: Model, task: Task, options: Options, way_out: str) -> None:
    if not model.ranks:
        raise ValueError(f"{model.info.id} does not rank options by their likeness to a picture; {way_out}")
    if options.setting == "lm" and options.describe == "none":
        raise ValueError(
            f"{model.info.id} ranks options by their likeness to a picture or to a text about it; --setting lm "
            "shows neither"
        )
    if options.system is not None and not task.stages(options):
        raise ValueError(f"{model.info.id} ranks options and reads no system prompt; leave --system out")
