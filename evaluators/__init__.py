"""The papers' pipelines: one file a benchmark, on `base`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from punctum import discovery

if TYPE_CHECKING:
    from punctum.evaluators.base import Benchmark


def benchmark_of(name: str) -> Benchmark:
    """The benchmark of that name.

    Raises:
        ValueError: that names the known ones.
    """
    discovery.known(name, discovery.benchmarks(), "benchmark")
    found: Benchmark = import_module(f"punctum.evaluators.{name}").BENCHMARK
    return found
