"""`punctum info`: statistics, biases and faults of the data at hand."""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from rich.console import Console

from punctum import discovery
from punctum.arguments.common import key_values
from punctum.commands.common import data_folder


@contextmanager
def without_warnings() -> Iterator[None]:
    """Builders warn of faults as they meet them; the command tells them all together afterwards."""
    logger = logging.getLogger("punctum.datasets")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def builder_arguments(args: argparse.Namespace) -> dict[str, Any]:
    """What `--builder-arg` and `--strict` say.

    Raises:
        ValueError: for a name that the benchmark's builder does not have.
    """
    from punctum._datasets import builder_class

    given = key_values(args.builder_arg)
    of_all = {"name", "version", "data_dir", "data_files", "description"}
    own = {field.name for field in fields(builder_class(args.benchmark).BUILDER_CONFIG_CLASS)} - of_all
    for name in given:
        discovery.known(name, own, f"--builder-arg of {args.benchmark}")
    return {**given, **({"strict": True} if args.strict else {})}


def main(args: argparse.Namespace) -> int:
    """Count, and print tables or JSON."""
    from punctum._datasets import benchmarks
    from punctum.statistics import statistics
    from punctum.statistics.show import print_statistics

    discovery.known(args.benchmark, benchmarks(), "benchmark")
    folder = data_folder(args.benchmark, args)
    with without_warnings():
        value = statistics(args.benchmark, folder, args.configs or None, **builder_arguments(args))
    if args.json:
        print(json.dumps(value, ensure_ascii=False, indent=2))
    else:
        title = f"{args.benchmark}, the sample" if args.sample else args.benchmark
        print_statistics(Console(), title, value)
    return 0
