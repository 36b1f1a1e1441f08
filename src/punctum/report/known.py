"""The benchmarks and tasks behind the names in a run, as far as this version of the package has them."""

from __future__ import annotations

from punctum import discovery, evaluators
from punctum.evaluators.base import Benchmark, Task


def benchmark_of(name: str) -> Benchmark | None:
    """The benchmark of that name; None where this version of the package has none."""
    return evaluators.benchmark_of(name) if name in discovery.benchmarks() else None


def task_of(name: str) -> Task | None:
    """The task of that name (`BENCH/TASK`); None where this version of the package has none."""
    benchmark, _, short = name.partition("/")
    known = benchmark_of(benchmark)
    return next((task for task in known.tasks if task.name == short), None) if known else None
