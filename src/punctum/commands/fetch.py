"""`punctum fetch`: bring what is public of a benchmark, and say what is left to do by hand."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from punctum import discovery
from punctum._datasets import benchmarks
from punctum.commands.common import Failed
from punctum.datasets_scripts.fetching import FetchError, fetch, revision_of, sources


def main(args: argparse.Namespace) -> int:
    """Print the folder on standard output, everything else beside it."""
    discovery.known(args.benchmark, benchmarks(), "benchmark")
    console = Console(stderr=True, quiet=args.quiet)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    try:
        progress = Progress(*columns, console=console, disable=args.quiet, transient=True)
        try:
            bars: dict[str, object] = {}

            def advance(name: str, done: int, size: int) -> None:
                progress.start()
                if name not in bars:
                    bars[name] = progress.add_task(escape(name), total=size)
                progress.update(bars[name], completed=done)  # type: ignore[arg-type]

            folder = fetch(args.benchmark, args.out, advance)
        finally:
            if progress.live.is_started:  # else it would leave an empty line where there was no bar
                progress.stop()
    except FetchError as error:
        raise Failed(str(error)) from error
    found = sources(args.benchmark)
    revision = revision_of(args.benchmark, folder)
    console.print(f"{args.benchmark}, revision {revision or 'unknown'}, from {found.homepage}", highlight=False)
    for line in found.by_hand_lines():
        console.print(escape(line), highlight=False, soft_wrap=True)
    sys.stdout.write(f"{folder}\n")
    return 0
