"""`punctum push`: publish to the Hub, or show what would be published."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial

from punctum.commands.common import Failed
from punctum.hub.client import Hub, HubError, target_name
from punctum.hub.plan import Drafter, Target, listing
from punctum.hub.pushing import look_before, push

Job = tuple[Target, Drafter]


def main(args: argparse.Namespace) -> int:
    """Push, one commit a repository; print the address of each on standard output.

    Raises:
        Failed: if the Hub refuses, fails or cannot be reached.
    """
    if args.show and not args.dry_run:
        raise ValueError("--show goes with --dry-run")
    jobs, refusal = _JOBS[args.what](args)
    _quieten(args.quiet)
    if args.dry_run:
        return _dry_run(args, jobs, refusal)
    if refusal:
        raise ValueError(refusal)
    hub = Hub()
    done: list[Target] = []
    for target, drafter in jobs:
        try:
            pushed = push(
                hub, target, drafter, create_pr=args.create_pr, private=args.private, warn=partial(_say, args.quiet)
            )
        except HubError as error:
            raise Failed(f"{error}{_others(done, jobs)}") from None
        for note in pushed.draft.notes:
            _say(args.quiet, note)
        if not pushed.changed:
            _say(args.quiet, f"{target}: all of it stands there already")
        done.append(target)
        print(pushed.url, flush=True)
    return 0


def _dry_run(args: argparse.Namespace, jobs: list[Job], refusal: str) -> int:
    hub = Hub(need_token=False)
    for target, drafter in jobs:
        head = look_before(hub, target)
        draft = drafter(head)
        how = "as a pull request, " if args.create_pr else ""
        new = "as a private repository, " if args.private and not head.exists else ""
        sys.stdout.write(listing(target, head, draft, show=args.show))
        for note in draft.notes:
            print(f"  note: {note}")
        print(f"  {how}{new}dry run: nothing was sent")
    if refusal:
        raise ValueError(f"without --dry-run this would be refused: {refusal}")
    return 0


def _dataset(args: argparse.Namespace) -> tuple[list[Job], str]:
    from punctum.hub.datasets import open_built

    target = Target(target_name(args.repo), "dataset")
    built = open_built(args.folder)
    try:
        built.check_licence(args.i_may_publish)
    except ValueError as error:
        return [(target, built.draft)], str(error)
    return [(target, built.draft)], ""


def _metric(args: argparse.Namespace) -> tuple[list[Job], str]:
    from punctum.hub.metrics import chosen, draft

    found = chosen(args.names, args.all)
    jobs: list[Job] = []
    for name, folder in found.items():
        repo = target_name(f"{args.repo_owner}/{name}", "--repo-owner")
        jobs.append((Target(repo, "space"), partial(draft, name, folder)))
    return jobs, ""


def _results(args: argparse.Namespace) -> tuple[list[Job], str]:
    from punctum.hub.results import Results
    from punctum.report.runs import load_runs

    target = Target(target_name(args.repo), "dataset")
    return [(target, Results(load_runs(args.runs), args.with_predictions).draft)], ""


_JOBS: dict[str, Callable[[argparse.Namespace], tuple[list[Job], str]]] = {
    "dataset": _dataset,
    "metric": _metric,
    "results": _results,
}


def _others(done: list[Target], jobs: list[Job]) -> str:
    """What stands of a push to several repositories."""
    if len(jobs) == 1:
        return ""
    names = ", ".join(target.repo for target in done) or "none"
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
