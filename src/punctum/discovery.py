"""What is there, found by folder: benchmarks, metrics, backends, samples. Nothing is registered anywhere."""

from __future__ import annotations

import importlib
import importlib.resources
from pathlib import Path
from types import ModuleType


def _root() -> Path:
    return Path(str(importlib.resources.files("punctum")))


def _folders(catalogue: str) -> dict[str, Path]:
    """Sub-folders that hold a module of their own, by name."""
    folder = _root() / catalogue
    return {
        path.name: path
        for path in sorted(folder.iterdir())
        if path.is_dir() and (path / "__init__.py").is_file() and not path.name.startswith(("_", "."))
    }


def known(name: str, names: object, what: str) -> str:
    """The name itself, if it is one of the known names.

    Raises:
        ValueError: that names the value, the known values and, where one is near, the likely meaning.
    """
    import difflib

    choices = sorted(str(n) for n in names)  # type: ignore[attr-defined]
    if name in choices:
        return name
    near = difflib.get_close_matches(name, choices, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise ValueError(f"{what} {name!r} is not known; known: {', '.join(choices)}.{hint}")


def benchmarks() -> list[str]:
    """Names of the benchmarks that have an evaluator."""
    folder = _root() / "evaluators"
    return sorted(name for name in _folders("datasets_scripts") if (folder / f"{name}.py").is_file())


def metrics() -> dict[str, Path]:
    """Metric name to its folder."""
    return {name: path for name, path in _folders("metrics").items() if (path / f"{name}.py").is_file()}


def backends() -> dict[str, ModuleType]:
    """Scheme (`baseline`, `gguf`, …; empty for Hub ids and folders) to its module."""
    found: dict[str, ModuleType] = {}
    for path in sorted((_root() / "evaluators" / "models").glob("*.py")):
        if path.stem.startswith("_") or path.stem in ("base", "loading"):
            continue
        module = importlib.import_module(f"punctum.evaluators.models.{path.stem}")
        if hasattr(module, "SCHEME"):
            found[module.SCHEME] = module
    return found


def commands() -> dict[str, ModuleType]:
    """Command to the module with its words, in the order in which help lists them."""
    paths = (_root() / "arguments").glob("*.py")
    names = sorted(path.stem for path in paths if path.stem not in ("__init__", "common"))
    modules = {name: importlib.import_module(f"punctum.arguments.{name}") for name in names}
    return dict(sorted(modules.items(), key=lambda item: item[1].ORDER))


def constructions() -> dict[str, ModuleType]:
    """Kind of `punctum construct` (`hard-negatives`) to its package, in the order of their names."""
    names = sorted(_folders("construct"))
    return {name.replace("_", "-"): importlib.import_module(f"punctum.construct.{name}") for name in names}


def sample(benchmark: str) -> str:
    """The folder of the small sample that the package carries, for `data_dir`.

    Args:
        benchmark: for instance `mvp_bench`.

    Returns:
        the folder, as a string: `load_dataset` wants one.

    Raises:
        ValueError: if the benchmark has no sample.
    """
    with_sample = [name for name, path in _folders("datasets_scripts").items() if (path / "sample").is_dir()]
    known(benchmark, with_sample, "sample of benchmark")
    return str(_root() / "datasets_scripts" / benchmark / "sample")


def sample_model() -> str:
    """The folder of the small image-text model that the package carries.

    It answers questions about the drawings of the samples and nothing else; its score says only that a run
    works and that the pictures reach the model.
    """
    return str(_root() / "sample_model")
