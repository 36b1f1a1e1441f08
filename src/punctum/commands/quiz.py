"""`punctum quiz`: a page for human rows."""

from __future__ import annotations

import argparse
import logging
import shlex
from pathlib import Path

from punctum.commands.common import chosen, loader
from punctum.evaluators.options import Options
from punctum.prompts import Prompts
from punctum.report.quiz import Quiz, check_folder, drawn, template, write

_log = logging.getLogger("punctum")


def main(args: argparse.Namespace) -> int:
    """Draw the questions and write the page."""
    benchmark, tasks = chosen(args.benchmark, args.subset, args.setting, args.negatives)
    if len(tasks) != 1:
        raise ValueError(f"a quiz asks one task: {', '.join(f'{benchmark.name}/{task.name}' for task in tasks)}")
    [task] = tasks
    prompts, out = Prompts(args.prompts), Path(args.out)
    template(benchmark.name, task.name, prompts)  # before anything is loaded
    check_folder(out, "ids.txt")
    options = Options(
        subset=args.subset,
        split=args.split,
        setting=args.setting,
        negatives=args.negatives,
        caption="meta" if args.setting == "sm" else "self",
        prompt_slots=(1,),
        seed=args.seed,
    )
    options = task.adapted(options, reads_pictures=args.setting == "vlm")
    task.check(options)
    samples = drawn(task.samples(loader(benchmark.name, args), options), args.n, args.seed)
    words = _how_to_score(args, out)
    quiz = Quiz(benchmark.name, task.name, f"{benchmark.title} · {task.name}", args.setting, args.seed, words, samples)
    faults = write(quiz, out, prompts)
    for fault in faults:
        _log.warning("picture left out: %s", fault)
    blind = sum(not sample.pictures for sample in samples) if args.setting == "vlm" else 0
    if blind:
        _log.warning(
            "the data at hand have no picture for %d of %d questions: people would answer blindly", blind, len(samples)
        )
    if not args.quiet:
        page = out / "index.html"
        print(f"{len(samples)} questions: open {page} in a browser. Saved files are scored with\n  {words}")
    return 0


def _how_to_score(args: argparse.Namespace, out: Path) -> str:
    """The command that scores the files that the page saves."""
    words = ["punctum", "score", args.benchmark]
    words += ["--sample"] if args.sample else ["--data-dir", args.data_dir] if args.data_dir else []
    for name in ("subset", "split"):
        words += [f"--{name}", getattr(args, name)] if getattr(args, name) else []
    words += ["--negatives", args.negatives] if args.negatives != "hard" else []
    words += ["--seed", str(args.seed)] if args.seed else []
    return shlex.join([*words, "--ids", str(out / "ids.txt"), "--each", "--predictions"]) + " FILE…"
