"""What commands share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from rich.console import Console

from punctum import discovery
from punctum.arguments.common import key_values
from punctum.evaluators import benchmark_of
from punctum.evaluators.base import Benchmark, Loader, Task
from punctum.evaluators.models._budget import Budget
from punctum.evaluators.models.base import ModelOptions
from punctum.evaluators.options import Options
from punctum.records import Generation, ModelInfo, Score
from punctum.results import dump, results, write_results
from punctum.tables import print_scores

#: `--gen paper`: the settings that the benchmark's paper prints for the model's family.
PAPER = "paper"


class Failed(RuntimeError):
    """A command ends with a message and an exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def chosen(
    words: str,
    subset: str | None = None,
    setting: str = "vlm",
    negatives: str = "hard",
    generative: bool = False,
) -> tuple[Benchmark, list[Task]]:
    """The benchmark and the tasks that `BENCH[/TASK]` means.

    Of a whole benchmark, tasks without the subset, setting or negatives are passed over. `generative` takes the
    tasks that have a model write freely in place of the default ones.

    Raises:
        ValueError: if a name is not known, or no task has the subset, setting or negatives, or is generative.
    """
    name, _, task = words.partition("/")
    benchmark = benchmark_of(name)
    free = [t for t in benchmark.tasks if t.generative]
    if generative and (not free or (task and benchmark.task(task) not in free)):
        known = ", ".join(f"{name}/{t.name}" for t in free) or "none"
        raise ValueError(f"{words} does not have a model write freely; tasks of {name} that do: {known}")
    if task:
        return benchmark, [benchmark.task(task)]
    tasks = free if generative else [t for t in benchmark.tasks if t.default]
    fitting = [t for t in tasks if (subset is None or subset in t.subsets) and setting in t.settings]
    fitting = [t for t in fitting if negatives in (t.negatives or ("hard",))]
    if not fitting:
        subsets = sorted({s for t in tasks for s in t.subsets})
        settings = sorted({s for t in tasks for s in t.settings})
        given = [f"subset {subset!r}"] if subset is not None else []
        given += [f"setting {setting!r}"] if setting != "vlm" or not given else []
        given += [f"{negatives} negatives"] if negatives != "hard" else []
        raise ValueError(
            f"no task of {name} has {' and '.join(given)}; "
            f"subsets: {', '.join(subsets) or 'none'}; settings: {', '.join(settings)}"
        )
    return benchmark, fitting


def loader(benchmark: str, args: argparse.Namespace, tasks: Sequence[Task] = ()) -> Loader:
    """The function that loads a config of the data that the command names; without any, what is public.

    Args:
        benchmark: its name.
        args: the command's.
        tasks: those that will be run; where all of their rows are drawn, no data are needed.
    """
    from punctum._datasets import load

    folder = None if are_drawn(benchmark, args, tasks) else data_folder(benchmark, args)
    more = {"images": "download"} if _wants_pictures(benchmark, args) else {}
    return cache(partial(load, benchmark, data_dir=folder, **more))  # opening a config looks at all of its files


def _wants_pictures(benchmark: str, args: argparse.Namespace) -> bool:
    """Whether a run on fetched questions should bring the pictures too, which have addresses of their own."""
    if args.sample or args.data_dir is not None or getattr(args, "setting", "lm") != "vlm":
        return False
    if args.model.startswith(("baseline:", "replay:")):  # they look at none
        return False
    from punctum._datasets import builder_class

    return "download" in builder_class(benchmark).IMAGES


def are_drawn(benchmark: str, args: argparse.Namespace, tasks: Sequence[Task]) -> bool:
    """Whether the tasks' rows come from no data, and none are named."""
    if args.sample or args.data_dir is not None or not tasks:
        return False
    from punctum._datasets import builder_class

    drawn: frozenset[str] = builder_class(benchmark).NEEDS_NO_FOLDER
    return {task.config for task in tasks} <= drawn


def data_folder(benchmark: str, args: argparse.Namespace) -> str:
    """The folder that `--data-dir` or `--sample` names; without either, what is public is downloaded.

    Raises:
        ValueError: if it is no folder, or nothing is public.
        Failed: if a download fails.
    """
    if args.sample:
        return discovery.sample(benchmark)
    if args.data_dir is None:
        from punctum.datasets_scripts.fetching import FetchError, fetch

        try:
            return str(fetch(benchmark))
        except FetchError as error:
            raise Failed(str(error)) from error
    if not str(args.data_dir).strip():
        raise ValueError("--data-dir is empty; it names the folder with the benchmark's files")
    folder = Path(args.data_dir).expanduser()
    if not folder.is_dir():
        raise ValueError(f"no folder {folder}")
    return str(folder)


def data_name(benchmark: str, args: argparse.Namespace, tasks: Sequence[Task] = ()) -> str:
    """What the data are, for the signature: the sample, the published revision, a folder of one's own, or drawn."""
    if are_drawn(benchmark, args, tasks):
        return "drawn"
    if args.sample:
        return "sample"
    from punctum.datasets_scripts.fetching import name_of

    return name_of(benchmark, Path(data_folder(benchmark, args)))


def scoring_options(args: argparse.Namespace) -> Options:
    """Which questions, and how answers are read and scored, as `arguments.common.data_arguments` reads it."""
    return Options(
        subset=args.subset,
        split=args.split,
        negatives=args.negatives,
        context=args.context,
        wording=args.wording,
        similarity_model=args.similarity_model,
        limit=args.limit,
        ids=read_ids(args.ids),
        shuffle=args.shuffle,
        seed=args.seed,
        parser=args.parser,
        cot=args.cot,
        n_resamples=args.resamples,
    )


def model_options(args: argparse.Namespace) -> ModelOptions:
    """How models are loaded, as `arguments.common.model_arguments` reads it."""
    return ModelOptions(
        revision=args.revision,
        dtype=args.dtype,
        quantize=args.quantize,
        device=args.device,
        device_map=args.device_map,
        batch_size=args.batch_size,
        batch_memory=args.batch_memory,
        share=args.share,
        concurrency=args.concurrency,
        chat_format=args.chat_format,
        trust_remote_code=args.trust_remote_code,
        model_args=key_values(args.model_arg),
    )


def budget(args: argparse.Namespace) -> Budget | None:
    """What new calls may cost together; None where there is no limit."""
    limits = (args.max_calls, args.max_tokens_total)
    return Budget(*limits) if any(limits) else None


def generation(
    args: argparse.Namespace, max_new_tokens: int = 64, paper: Mapping[str, Any] | None = None
) -> Generation:
    """How a model writes: `--gen K=V` over the defaults, and the run's seed.

    Args:
        args: the command's.
        max_new_tokens: where the user says nothing else.
        paper: what the word `paper` among the settings stands for; None where it may not stand.
    """
    words = args.gen if paper is None else [word for word in args.gen if word != PAPER]
    return Generation.of({"max_new_tokens": max_new_tokens, "seed": args.seed, **(paper or {}), **key_values(words)})


def read_ids(path: str | None) -> frozenset[str] | None:
    """The ids that a file names: one a line, or JSON Lines with `id` (or `question_id`).

    Raises:
        ValueError: if the file is missing, empty or no UTF-8, or a line of JSON has no id.
    """
    if path is None:
        return None
    try:
        lines = Path(path).expanduser().read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8") from error
    found = set()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("{"):
            text = _id_in(text, f"{path}:{number}")
        if text:
            found.add(text)
    if not found:
        raise ValueError(f"{path}: no ids")
    return frozenset(found)


def _id_in(text: str, where: str) -> str:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}: not JSON ({error.msg})") from error
    identity = value.get("id", value.get("question_id"))
    if identity is None:
        raise ValueError(f"{where}: no field id or question_id")
    return str(identity)


def out_folder(name: str) -> Path:
    """Make the folder that `--out` names, better now than after the last answer.

    Raises:
        ValueError: if it is a file, or below one.
    """
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise ValueError(f"--out {name}: a file is in the way; --out takes a folder") from error
    return folder


def finish(args: argparse.Namespace, benchmark: Benchmark, model: ModelInfo, scores: Sequence[Score]) -> None:
    """Write `results.json` where asked, and print the table."""
    value = results(benchmark.name, model, scores)
    if args.out:
        write_results(Path(args.out) / "results.json", value)
    if args.json and args.json != "-":
        write_results(Path(args.json), value)
    if args.json == "-":
        sys.stdout.write(dump(value))
    elif not args.quiet:
        headlines = {f"{benchmark.name}/{task.name}": task.headline for task in benchmark.tasks}
        print_scores(Console(), benchmark.title, model, scores, headlines)
