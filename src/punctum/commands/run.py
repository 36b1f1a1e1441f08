"""`punctum run`: ask a model, keep every answer, score."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from punctum.arguments.common import key_values, read_text_or_file
from punctum.commands.bars import bars
from punctum.commands.common import (
    PAPER,
    Failed,
    budget,
    chosen,
    data_name,
    finish,
    generation,
    loader,
    model_options,
    out_folder,
    scoring_options,
)
from punctum.commands.dry_run import print_plans
from punctum.evaluators.base import Task
from punctum.evaluators.fitting import check_wanted
from punctum.evaluators.judging import Judged
from punctum.evaluators.models.base import Model, ModelError
from punctum.evaluators.models.loading import load_model, once, outline_model, suited
from punctum.evaluators.options import Options
from punctum.evaluators.paper_settings import paper_settings, system_prompt
from punctum.evaluators.stages import Cast
from punctum.jobs import Asked, Interrupted, Job, TooManyFailures
from punctum.planning import Notebook, plan_task
from punctum.predictions import read_json_lines
from punctum.processes import Processes, launched
from punctum.prompts import Prompts
from punctum.records import Score
from punctum.results import RUN_FILES, prediction_line, refuse_own_input, whole_file
from punctum.runs import run_task
from punctum.shown import Shown
from punctum.store import ResponseStore
from punctum.together import ask_together, worth_it


def main(args: argparse.Namespace) -> int:
    """Run the tasks one after the other."""
    benchmark, tasks = chosen(args.benchmark, args.subset, args.setting, args.negatives, args.generative)
    options = _options(args)
    check_wanted(args.benchmark, tasks, options, args.stop_early)
    _check_together(args)
    if args.out and not args.dry_run:
        replayed = [args.model.removeprefix("replay:")] if args.model.startswith("replay:") else []
        refuse_own_input(out_folder(args.out), RUN_FILES, replayed)
    load = loader(benchmark.name, args, tasks)
    try:
        models = replace(model_options(args), budget=budget(args))
        bring = once(outline_model if args.dry_run else load_model)
        model = bring(args.model, models)
        others = {role: bring(spec, suited(spec, models, args.model)) for role, spec in _others(args).items()}
        cast = Cast(model, others, bring(args.judge, suited(args.judge, models, args.model)) if args.judge else None)
    except ModelError as error:
        raise Failed(str(error), 2) from error
    data = data_name(benchmark.name, args, tasks)
    paper = paper_settings(benchmark, model) if PAPER in args.gen else None
    jobs = [Job(benchmark, task, load, _written(task, options, args, paper), data, args.max_failed) for task in tasks]
    if args.dry_run:
        return _plan(args, jobs, cast)
    console = Console(stderr=True)
    processes = launched()
    if processes.count > 1:
        _ask_with_others(args, jobs, cast, console, processes)
        if not processes.first:
            return 0
    scores: list[Score] = []
    judged: list[Judged] = []
    failures: list[str] = []
    with ExitStack() as stack:
        store = stack.enter_context(ResponseStore(args.store))
        shown = stack.enter_context(Shown(Path(args.out), not args.no_pictures)) if args.out else None
        try:
            if processes.count == 1 and worth_it(jobs, cast):
                with bars(benchmark.name, console, args.quiet) as begin:
                    ask_together(jobs, cast, store, begin)
            for job in jobs:
                try:
                    score, answers = _watched(job, cast, store, console, args.quiet, shown)
                except TooManyFailures as error:
                    failures.append(str(error))
                    judged.extend(error.judged)
                else:
                    scores.append(score)
                    judged.extend(answers)
        except Interrupted as stop:
            _write_partial(args.out, [*judged, *stop.judged])
            raise Failed(_how_to_go_on(stop, store, model), 130 if stop.why is None else 3) from stop
        except ModelError as error:
            _write_partial(args.out, judged)
            raise Failed(str(error)) from error
    if scores:
        if args.out:
            _write_predictions(Path(args.out), judged)
        finish(args, benchmark, model.info, scores)
    else:
        _write_partial(args.out, judged)
    if failures:
        raise Failed("\n".join(failures))
    return 0


def _ask_with_others(
    args: argparse.Namespace, jobs: Sequence[Job], cast: Cast, console: Console, processes: Processes
) -> None:
    """Ask this process's share of every task, and wait for the others.

    Raises:
        ValueError: for a budget, which each process would count by itself.
        Failed: as a run of one process.
    """
    if args.max_calls is not None or args.max_tokens_total is not None:
        raise ValueError("a budget is counted by one process; leave --max-calls and --max-tokens-total out")
    if not cast.answer.stored:
        raise ValueError(f"{cast.answer.info.id} keeps no answers for others to find; run it in one process")
    with ResponseStore(args.store) as store:
        title = f"{jobs[0].benchmark.name}, process {processes.rank + 1} of {processes.count}"
        with bars(title, console, args.quiet or not processes.first) as begin:
            try:
                ask_together(jobs, cast, store, begin, processes)
            except Interrupted as stop:
                raise Failed(_how_to_go_on(stop, store, cast.answer), 130) from stop
            except ModelError as error:
                raise Failed(str(error)) from error
        processes.wait()
    processes.leave()


def _check_together(args: argparse.Namespace) -> None:
    """Refuse options that would change nothing without another."""
    if args.judge_gen and not args.judge:
        raise ValueError("--judge-gen is of the model that --judge names; give one, or leave it out")
    if args.continuation != "letter" and args.scoring != "likelihood":
        raise ValueError(f"--continuation {args.continuation} goes with --scoring likelihood")
    if args.caption != "self" and args.setting != "sm" and not args.context:
        raise ValueError("--caption goes with --setting sm: nothing else is told by a caption")


def _plan(args: argparse.Namespace, jobs: Sequence[Job], cast: Cast) -> int:
    """Print what the run would ask."""
    with closing(Notebook(args.store)) as known:
        print_plans([plan_task(job, cast, known) for job in jobs], cast, args.quiet, args.json)
    return 0


def _how_to_go_on(stop: Interrupted, store: ResponseStore, model: Model) -> str:
    if not model.stored:
        return f"interrupted; {stop}"
    if stop.why is None:
        return f"interrupted; {stop} and kept in {store.path}. The same command goes on from there"
    return (
        f"the budget is used up: {stop.why}; {stop} and kept in {store.path}. What is kept costs nothing: the same "
        "command goes on from there with as much again, and a larger budget goes further"
    )


def _options(args: argparse.Namespace) -> Options:
    prompts = Prompts(args.prompts)
    return replace(
        scoring_options(args),
        setting=args.setting,
        prompt_slots=args.prompt_slots,
        circular=args.circular,
        scoring=args.scoring,
        continuation=args.continuation,
        describe=args.describe,
        caption=args.caption if args.caption == "meta" else "self",
        given_captions=_given_captions(args.caption),
        system=None if args.system is None else read_text_or_file(system_prompt(args.system, prompts)),
        judged=args.judge is not None,
        judge_settings=key_values(args.judge_gen),
        prompts=prompts,
    )


def _written(task: Task, options: Options, args: argparse.Namespace, paper: Mapping[str, Any] | None) -> Options:
    """The options with the way in which the model writes the task's answers."""
    how = replace(generation(args, task.answer_tokens(options), paper), stop_early=args.stop_early)
    return replace(options, generation=how)


def _given_captions(caption: str) -> dict[str, str] | None:
    """Captions by id, where `--caption` names a file: JSON Lines with `id` and `caption` (or `output`, `text`)."""
    path = Path(caption).expanduser()
    if caption in ("self", "meta") or not path.is_file():
        return None
    found = {}
    for number, line in read_json_lines(path):
        text = next((line[name] for name in ("caption", "output", "text") if isinstance(line.get(name), str)), None)
        if "id" not in line or text is None:
            raise ValueError(f"{path}:{number}: a line of captions needs id and caption; it has {', '.join(line)}")
        found[str(line["id"])] = text
    return found


def _others(args: argparse.Namespace) -> dict[str, str]:
    """The models that do one stage each, by its role."""
    other = args.caption not in ("self", "meta") and not Path(args.caption).expanduser().is_file()
    specs = {
        "describe": args.describe_with,
        "combine": args.combine_with,
        "state": args.statement_with,
        "caption": args.caption if other else None,
    }
    return {role: spec for role, spec in specs.items() if spec is not None}


def _watched(
    job: Job, cast: Cast, store: ResponseStore, console: Console, quiet: bool, shown: Shown | None
) -> tuple[Score, list[Judged]]:
    """Run a task under a progress bar that tells stored answers from new ones."""

    def keep(asked: Asked) -> None:
        if shown is not None:
            shown.add(asked.sample, asked.request, asked.texts, asked.response)

    with bars(f"{job.benchmark.name}/{job.task.name}", console, quiet) as begin:
        return run_task(job, cast, store, begin, keep)


def _write_predictions(folder: Path, judged: Sequence[Judged]) -> None:
    with whole_file(folder / "predictions.jsonl") as file:
        for sample, prediction in judged:
            file.write(prediction_line(sample, prediction) + "\n")


def _write_partial(out: str | None, judged: Sequence[Judged]) -> None:
    """Leave what was answered; a score of an earlier run in this folder would not belong to it."""
    if out and judged:
        _write_predictions(Path(out), judged)
        (Path(out) / "results.json").unlink(missing_ok=True)
