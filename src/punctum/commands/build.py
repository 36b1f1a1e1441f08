"""`punctum build`: write a dataset repository that loads without punctum."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from punctum import discovery
from punctum.commands.common import data_folder
from punctum.commands.info import builder_arguments, without_warnings


def main(args: argparse.Namespace) -> int:
    """Write it; print the folder on standard output, and what was read, skipped and why beside it."""
    from punctum._datasets import benchmarks
    from punctum.outward import build
    from punctum.statistics.show import faults

    discovery.known(args.benchmark, benchmarks(), "benchmark")
    folder = data_folder(args.benchmark, args)
    console = Console(stderr=True, quiet=args.quiet)
    columns = (TextColumn("{task.description}"), TextColumn("{task.completed:,.0f} rows"), TimeElapsedColumn())
    with without_warnings(), Progress(*columns, console=console, disable=args.quiet, transient=True) as progress:
        bar = progress.add_task(args.benchmark, total=None)
        built = build(
            args.benchmark,
            folder,
            args.out,
            args.configs or None,
            variants=args.variants,
            force=args.force,
            shard_bytes=args.shard_mb << 20,
            title=args.title,
            licence=args.licence,
            progress=lambda name, rows: progress.update(bar, description=escape(name), completed=rows),
            **builder_arguments(args),
        )
    for config in built.configs:
        for split in config.splits:
            size = f"{split.rows:,} rows, {split.file_size / 2**20:,.1f} MiB"
            console.print(f"{config.name}, {split.name}: {size}", highlight=False)
    for line in faults(built.statistics):
        console.print(escape(line), highlight=False, soft_wrap=True)
    sys.stdout.write(f"{built.folder}\n")
    return 0
