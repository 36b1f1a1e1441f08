"""Punctum: benchmarks of what images mean, on the Hugging Face stack.

Importing it makes the benchmarks known to `datasets.load_dataset` in this process, by name. Nothing heavy is
imported: neither datasets nor torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from punctum._datasets import install as _install
from punctum.discovery import sample, sample_model
from punctum.version import __version__

if TYPE_CHECKING:
    from punctum.evaluator import Evaluator

__all__ = ["__version__", "evaluator", "load", "sample", "sample_model"]

_install()


def evaluator(task: str) -> Evaluator:
    """The evaluator of a task.

    Args:
        task: `BENCH/TASK`, for instance `deepeval/title`.

    Raises:
        ValueError: that names the known benchmarks or tasks.
    """
    from punctum.evaluator import Evaluator

    return Evaluator(task)


def load(benchmark: str, config: str | None = None, **kwargs: Any) -> Any:
    """Load a config of a benchmark, in any supported version of `datasets`.

    Args:
        benchmark: for instance `mvp_bench`.
        config: for instance `yes_no`.
        **kwargs: `data_dir`, `split`, and what the benchmark's builder takes.

    Returns:
        a `datasets.Dataset`.
    """
    from punctum._datasets import load as load_rows

    return load_rows(benchmark, config, **kwargs)
