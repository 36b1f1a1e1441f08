"""Punctum: benchmarks of what images mean, on the Hugging Face stack.

Importing it makes the benchmarks known to `datasets.load_dataset` in this process, and the metrics to
`evaluate.load`, by name. Nothing heavy is imported: neither datasets nor evaluate nor torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum._datasets import install as _install_benchmarks
from punctum._evaluate import install as _install_metrics
from punctum.discovery import sample, sample_model
from punctum.version import __version__

if TYPE_CHECKING:
    from punctum.evaluating import Evaluator

__all__ = ["__version__", "evaluator", "fetch", "load", "sample", "sample_model"]

_install_benchmarks()
_install_metrics()


def evaluator(task: str) -> Evaluator:
    """The evaluator of a task.

    Args:
        task: `BENCH/TASK`, for instance `deepeval/title`.

    Raises:
        ValueError: that names the known benchmarks or tasks.
    """
    from punctum.evaluating import Evaluator

    return Evaluator(task)


def fetch(benchmark: str, out: str | Path | None = None) -> str:
    """Download what is public of a benchmark, at a pinned revision and checked; what is there already is kept.

    Args:
        benchmark: for instance `deepeval`.
        out: the folder to fill; None takes one in the cache.

    Returns:
        the folder, for `data_dir`.

    Raises:
        ValueError: if nothing of it is public, or offline mode is on; says where to ask, which files go where.
        OSError: if a file cannot be brought or is not what it should be.
    """
    from punctum.datasets_scripts import fetching

    return str(fetching.fetch(benchmark, out))


def load(benchmark: str, config: str | None = None, **kwargs: Any) -> Any:
    """Load a config of a benchmark, in any supported version of `datasets`.

    Args:
        benchmark: for instance `mvp_bench`.
        config: for instance `yes_no`.
        **kwargs: `data_dir` (without it, what is public is downloaded), `split`, and what the benchmark's
            builder takes.

    Returns:
        a `datasets.Dataset`.
    """
    from punctum._datasets import load as load_rows

    return load_rows(benchmark, config, **kwargs)
