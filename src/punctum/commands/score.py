"""`punctum score`: score answers that are already there."""

from __future__ import annotations

import argparse
import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from punctum.commands.common import Failed, chosen, data_name, finish, loader, out_folder, scoring_options
from punctum.evaluators.base import Benchmark, Loader, Task
from punctum.evaluators.options import Options
from punctum.jobs import Job, TooManyFailures
from punctum.predictions import Answers, BadPredictions, collect, read_json_lines
from punctum.records import ModelInfo, Prediction, Sample, Score
from punctum.results import RUN_FILES, prediction_line, refuse_own_input, whole_file
from punctum.runs import score_task
from punctum.shown import Shown
from punctum.verdicts import read_verdicts

_log = logging.getLogger("punctum")
OnJudged = Callable[[Sample, Prediction], None]


@contextmanager
def without_collecting() -> Iterator[None]:
    """Put garbage collection off: answers hold no cycles, and looking for some takes a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@without_collecting()
def main(args: argparse.Namespace) -> int:
    """Score the tasks that the files answer, all files together or each by itself."""
    if args.each:
        from punctum.commands.raters import score_each

        return score_each(args, score_files)
    score_files(args)
    return 0


def score_files(args: argparse.Namespace, on_judged: OnJudged | None = None) -> tuple[ModelInfo, list[Score]]:
    """Score what the files answer together, write what is asked for, and print the table.

    Args:
        args: the command's.
        on_judged: called with every sample and its prediction.
    """
    benchmark, tasks = chosen(args.benchmark, args.subset, negatives=args.negatives, generative=args.generative)
    if args.out:
        refuse_own_input(out_folder(args.out), RUN_FILES, [*args.predictions, *(args.verdicts or ())])
    load = loader(benchmark.name, args, tasks)
    options = scoring_options(args)
    answers = _answers(args, benchmark, tasks, load, options)
    setting = _setting(answers)
    answered = [task for task in tasks if answers.by_task.get(task.name)]
    if not answered:
        raise BadPredictions(f"the files answer no question of {args.benchmark}")
    verdicts = read_verdicts(args.verdicts, benchmark.address)
    info = ModelInfo(args.name or _name(args.predictions), backend="file")
    options = replace(options, setting=setting)
    data = data_name(benchmark.name, args, tasks)
    scores: list[Score] = []
    with ExitStack() as stack:
        file = stack.enter_context(whole_file(Path(args.out) / "predictions.jsonl")) if args.out else None
        shown = stack.enter_context(Shown(Path(args.out), not args.no_pictures, partly=False)) if args.out else None
        for task in answered:
            job = Job(benchmark, task, load, options, data, args.max_failed)
            try:
                scores.append(score_task(job, answers, info, verdicts, _passed_on(file, shown, on_judged)))
            except TooManyFailures as error:
                raise Failed(str(error)) from error
    finish(args, benchmark, info, scores)
    return info, scores


def _passed_on(file: IO[str] | None, shown: Shown | None, on_judged: OnJudged | None) -> OnJudged:
    def pass_on(sample: Sample, prediction: Prediction) -> None:
        if file is not None:
            file.write(prediction_line(sample, prediction) + "\n")
        if shown is not None:
            shown.add(sample)
        if on_judged is not None:
            on_judged(sample, prediction)

    return pass_on


def _answers(
    args: argparse.Namespace, benchmark: Benchmark, tasks: list[Task], load: Loader, options: Options
) -> Answers:
    """Match lines to questions; a file may answer tasks of the benchmark that are not scored now."""
    ids = {task.name: task.ids(load, options) for task in tasks}
    answers = collect(args.predictions, ids, benchmark.address, ignore_unknown=True)
    others: dict[str, set[str]] = {}
    if answers.unknown:
        others = _other_ids(benchmark, tasks, load, options)
        answers = collect(args.predictions, ids, benchmark.address, args.ignore_unknown, others)
    if answers.n_repeated:
        _log.warning("%d lines repeat an id with the same output; each counts once", answers.n_repeated)
    if answers.unknown:
        _log.warning("%d ids are not in the data and are left out", len(answers.unknown))
    passed = sum(len(answers.by_task[name]) for name in others)
    if passed:
        _log.warning("%d answers to other tasks of %s are passed over", passed, benchmark.name)
    return answers


def _other_ids(benchmark: Benchmark, tasks: list[Task], load: Loader, options: Options) -> dict[str, set[str]]:
    """Ids of the benchmark's other tasks, as far as their data are at hand."""
    found = {}
    for task in benchmark.tasks:
        if task not in tasks:
            try:
                found[task.name] = task.ids(load, options)
            except (ValueError, OSError) as error:
                _log.info("%s is not at hand: %s", task.name, error)
    return found


def _setting(answers: Answers) -> str:
    if len(answers.settings) > 1:
        raise BadPredictions(
            f"the files mix answers of the settings {', '.join(sorted(answers.settings))}; score each apart"
        )
    return next(iter(answers.settings), "vlm")


def _name(files: list[str]) -> str:
    """What the first line says of its model, else the file's name."""
    for _, line in read_json_lines(files[0]):
        for field in ("model_id", "model"):
            if isinstance(line.get(field), str):
                return str(line[field])
        break
    return Path(files[0]).stem
