"""`punctum push`: publish to the Hub, or show what would be published."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from punctum.commands.common import Failed
from punctum.hub.client import Hub, HubError, target_name
from punctum.hub.plan import Drafter, Target, listing
from punctum.hub.pushing import look_before, push

if TYPE_CHECKING:
    from punctum.hub.entries import Entry
    from punctum.report.runs import Run


@dataclass(frozen=True)
class Job:
    """A repository, what shall stand in it, and whether it is proposed or written, and made where it is missing."""

    target: Target
    drafter: Drafter
    create_pr: bool = False
    make: bool = True


Jobs = tuple[list[Job], str]  # and why they are refused; empty where they are not


def main(args: argparse.Namespace) -> int:
    """Push, one commit a repository; print the address of each on standard output.

    Raises:
        Failed: if the Hub refuses, fails or cannot be reached; what does not depend on it is pushed all the same.
    """
    if args.show and not args.dry_run:
        raise ValueError("--show goes with --dry-run")
    _quieten(args.quiet)
    with ExitStack() as kept:
        jobs, refusal = _JOBS[args.what](args, kept)
        if args.dry_run:
            return _dry_run(args, jobs, refusal)
        if refusal:
            raise ValueError(refusal)
        return _push(args, jobs)


def _push(args: argparse.Namespace, jobs: list[Job]) -> int:
    hub = Hub()
    say = partial(_say, args.quiet)
    done: list[str] = []
    failures: list[str] = []
    for job in jobs:
        private = args.private and job.make
        try:
            pushed = push(
                hub, job.target, job.drafter, create_pr=job.create_pr, private=private, make=job.make, warn=say
            )
        except (HubError, ValueError) as error:
            if isinstance(error, ValueError) and len(jobs) == 1:
                raise
            failures.append(f"{job.target}: {error}" if isinstance(error, ValueError) else str(error))
            if isinstance(error, HubError) and error.status in (None, 401):  # the next would fare no better
                break
            continue
        for note in pushed.draft.notes:
            say(note)
        if not pushed.changed:
            there = "all of it stands there" if pushed.url == hub.address(job.target) else "it is proposed"
            say(f"{job.target}: {there} already")
        done.append(job.target.repo)
        print(pushed.url, flush=True)
    if failures:
        raise Failed("\n".join(failures) + _others(done, jobs))
    return 0


def _dry_run(args: argparse.Namespace, jobs: list[Job], refusal: str) -> int:
    hub = Hub(need_token=False)
    for job in jobs:
        head = look_before(hub, job.target)
        draft = job.drafter(head)
        makes = job.make and not job.create_pr and not head.exists
        new = "as a private repository, " if args.private and makes else ""
        sys.stdout.write(listing(job.target, head, draft, create_pr=job.create_pr, make=job.make, show=args.show))
        for note in draft.notes:
            print(f"  note: {note}")
        print(f"  {new}dry run: nothing was sent")
    if refusal:
        raise ValueError(f"without --dry-run this would be refused: {refusal}")
    return 0


def _dataset(args: argparse.Namespace, kept: ExitStack) -> Jobs:
    from punctum.hub.datasets import open_built

    target = Target(target_name(args.repo), "dataset")
    built = open_built(args.folder)
    jobs = [Job(target, built.draft, args.create_pr)]
    try:
        built.check_licence(args.i_may_publish)
    except ValueError as error:
        return jobs, str(error)
    return jobs, ""


def _metric(args: argparse.Namespace, kept: ExitStack) -> Jobs:
    from punctum.hub.metrics import chosen, draft

    jobs: list[Job] = []
    for name, folder in chosen(args.names, args.all).items():
        repo = target_name(f"{args.repo_owner}/{name}", "--repo-owner")
        jobs.append(Job(Target(repo, "space"), partial(draft, name, folder), args.create_pr))
    return jobs, ""


def _results(args: argparse.Namespace, kept: ExitStack) -> Jobs:
    from punctum.hub.results import Results
    from punctum.report.runs import load_runs

    target = Target(target_name(args.repo), "dataset")
    return [Job(target, Results(load_runs(args.runs), args.with_predictions).draft, args.create_pr)], ""


def _leaderboard(args: argparse.Namespace, kept: ExitStack) -> Jobs:
    from punctum.report.runs import load_runs

    to_models = args.models or args.commit_to_models
    if not args.space and not args.dataset:
        raise ValueError("say what to push: --space OWNER/NAME for the site, --dataset OWNER/NAME for eval.yaml")
    if to_models and not args.dataset:
        raise ValueError("--models wants --dataset OWNER/NAME: an entry names the benchmark's dataset")
    for option in ("model_index", "date", "source", "metric", "model_is"):
        if getattr(args, option) and not to_models:
            raise ValueError(f"--{option.replace('_', '-')} goes with --models or --commit-to-models")
    if args.date and not _is_date(args.date):
        raise ValueError(f"--date {args.date!r} is no day: give it as YYYY-MM-DD")
    if args.i_may_publish and not args.space:
        raise ValueError("--i-may-publish goes with --space: nothing else shows questions or pictures")
    runs = load_runs(args.runs)
    of_dataset = _entries(args, runs) if args.dataset else []
    of_space = [_space(args, runs, kept)] if args.space else []
    return [*of_dataset[:1], *of_space, *of_dataset[1:]], ""  # other people's repositories come last


def _entries(args: argparse.Namespace, runs: Sequence[Run]) -> list[Job]:
    """The dataset's `eval.yaml`, then each model's entries."""
    from punctum.hub.entries import entries, repository_of
    from punctum.hub.leaderboard import EvalYaml, ModelResults

    benchmarks = sorted({run.benchmark for run in runs})
    if len(benchmarks) > 1:
        raise ValueError(
            f"--dataset is of one benchmark, and the runs are of {', '.join(benchmarks)}: push one at a time"
        )
    dataset = Target(target_name(args.dataset, "--dataset"), "dataset")
    named = _repositories(args, runs)
    found, notes = entries(runs, _pairs("--metric", "TASK=NAME", args.metric), named)
    ids = [run.model.id for run in runs if repository_of(run, named) is None]
    if ids:
        notes.append(
            f"not on the Hub, or not known to be: {', '.join(dict.fromkeys(ids))}; the Hub's own leaderboard cannot "
            "show them, the site and a results dataset can (--model-is MODEL=OWNER/NAME says which one it is)"
        )
    jobs = [Job(dataset, EvalYaml(benchmarks[0], found, tuple(notes)).draft, args.create_pr, make=False)]
    source = args.source or (_address(args.space) if args.space else None)
    of_models: dict[str, list[Entry]] = {}
    for entry in found if args.models or args.commit_to_models else ():
        if model := repository_of(entry.run, named):
            of_models.setdefault(model, []).append(entry)
    for model, values in of_models.items():
        results = ModelResults(model, benchmarks[0], dataset.repo, values, source, args.date, args.model_index)
        jobs.append(Job(Target(model, "model"), results.draft, not args.commit_to_models, make=False))
    return jobs


def _space(args: argparse.Namespace, runs: Sequence[Run], kept: ExitStack) -> Job:
    from punctum.hub.space import make
    from punctum.report.figures import NoMatplotlib

    target = Target(target_name(args.space, "--space"), "space")
    folder = Path(kept.enter_context(TemporaryDirectory()))
    try:
        site = make(
            runs, folder, args.title, args.dataset, args.i_may_publish, _repositories(args, runs), not args.no_figures
        )
    except NoMatplotlib as error:
        raise Failed(str(error), 2) from error
    return Job(target, site.draft, args.create_pr)


def _address(space: str) -> str:
    return Hub(need_token=False).address(Target(target_name(space, "--space"), "space"))


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _repositories(args: argparse.Namespace, runs: Sequence[Run]) -> dict[str, str]:
    """Model to repository, by `--model-is`."""
    found = _pairs("--model-is", "MODEL=OWNER/NAME", args.model_is)
    ids = {run.model.id for run in runs}
    for model, repo in found.items():
        if model not in ids:
            raise ValueError(f"--model-is {model}: no run is of it; there are {', '.join(sorted(ids))}")
        target_name(repo, "--model-is")
    return found


def _pairs(option: str, form: str, words: Sequence[str]) -> dict[str, str]:
    found = {}
    for word in words:
        name, _, value = word.rpartition("=")
        if not name or not value:
            raise ValueError(f"{option} {word!r} is not of the form {form}")
        found[name] = value
    return found


_JOBS: dict[str, Callable[[argparse.Namespace, ExitStack], Jobs]] = {
    "dataset": _dataset,
    "metric": _metric,
    "results": _results,
    "leaderboard": _leaderboard,
}


def _others(done: list[str], jobs: list[Job]) -> str:
    """What stands of a push to several repositories."""
    if len(jobs) == 1:
        return ""
    names = ", ".join(done) or "none"
    return f"\nOf {len(jobs)} repositories {len(done)} are done: {names}; the same command passes over these"


def _say(quiet: bool, text: str) -> None:
    if not quiet:
        print(text, file=sys.stderr)


def _quieten(quiet: bool) -> None:
    """Leave the client's bars to those who want to see them, and its chatter to nobody."""
    from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]
    from huggingface_hub.utils.logging import get_logger

    get_logger().propagate = False  # it writes by itself already
    if quiet or not sys.stderr.isatty():
        disable_progress_bars()
