"""Makes the benchmarks known to `datasets` by name, without importing it.

`datasets` from version 4 on runs no scripts. It does run builders, from Python or by a name in its private
table of packaged modules; `install` puts our names there, at once or as soon as `datasets` is imported. Where
a later version has no such table, `load` still works, and says so.
"""

from __future__ import annotations

import copy
import functools
import importlib
import importlib.util
import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from punctum.datasets_scripts.reading import Report, code_digest

if TYPE_CHECKING:
    from datasets import Dataset

logger = logging.getLogger("punctum.datasets")
_FOLDER = Path(__file__).parent / "datasets_scripts"
_PACKAGE = "punctum.datasets_scripts"
_HOOKED = "datasets.load"


def benchmarks() -> list[str]:
    """The benchmarks that have a builder: the folders NAME that hold NAME_builder.py."""
    return sorted(f.parent.name for f in _FOLDER.glob("*/*_builder.py") if f.stem == f"{f.parent.name}_builder")


def builder_class(benchmark: str) -> Any:
    """The builder class of a benchmark.

    Raises:
        ValueError: if there is no such benchmark; names those there are.
    """
    if benchmark not in benchmarks():
        raise ValueError(f"no benchmark {benchmark!r}: one of {', '.join(benchmarks())}")
    module = importlib.import_module(_module(benchmark))
    import datasets

    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, datasets.DatasetBuilder)
        and value.__module__ == module.__name__
    )
    return found


def load(
    benchmark: str, config: str | None = None, *, data_dir: str | Path | None = None, split: str = "test", **kwargs: Any
) -> Dataset:
    """Load a benchmark's rows with any supported version of `datasets`; uses its cache.

    Args:
        benchmark: `mvp_bench`, `deepeval`, …
        config: as in `load_dataset`; may be left out where the benchmark has one only.
        data_dir: the folder with the published files; None downloads what is public.
        split: a split, or a slice of one (`test[:10]`).
        kwargs: the builder config's attributes (`circular=True`, `images="skip"`), and `cache_dir`.

    Raises:
        ValueError: for an unknown benchmark, config or keyword.
        punctum.datasets_scripts.reading.DataError: at a bad line, naming file and line.
    """
    builder = builder_class(benchmark)(
        config_name=config,
        data_dir=None if data_dir is None else str(data_dir),
        dataset_name=benchmark,
        hash=code_digest(_FOLDER / benchmark),
        **kwargs,
    )
    builder.download_and_prepare()
    dataset: Dataset = builder.as_dataset(split=split)
    return dataset


@dataclass(frozen=True)
class Opened:
    """A config whose files have been checked, and whose rows have not been read yet.

    Attributes:
        builder: its `info.features` are the columns; its `report` says what was read and skipped, and why.
        splits: split to a function that gives the rows, once more at each call; a picture is a path, a
            dictionary of `bytes` and `path`, or None.
    """

    builder: Any
    splits: Mapping[str, Callable[[], Iterator[dict[str, Any]]]]

    @property
    def report(self) -> Report:
        """What was read and skipped, and why."""
        report = self.builder.report
        return report if report is not None else Report(self.builder.config.name)


def open_rows(benchmark: str, config: str, data_dir: str | Path | None, **kwargs: Any) -> Opened:
    """Check a config's files and give its rows one by one, without writing them to a cache.

    Args:
        benchmark, config, data_dir, kwargs: as for `load`.

    Raises:
        ValueError: as `load`.
    """
    import datasets

    folder = None if data_dir is None else str(data_dir)
    builder = builder_class(benchmark)(config_name=config, data_dir=folder, dataset_name=benchmark, **kwargs)
    manager = datasets.DownloadManager(dataset_name=benchmark, data_dir=builder.config.data_dir)

    def rows(generator: Any) -> Iterator[dict[str, Any]]:
        return (row for _, row in builder._generate_examples(**generator.gen_kwargs))

    generators = builder._split_generators(manager)
    return Opened(builder, {str(made.name): functools.partial(rows, made) for made in generators})


def install() -> None:
    """Make the names known to `load_dataset`: now if `datasets` is imported, otherwise when it will be."""
    if _HOOKED in sys.modules:
        _register(sys.modules[_HOOKED])
    elif not any(isinstance(finder, _Hook) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Hook())


class _Hook(MetaPathFinder):
    """Lets `datasets.load` be found as ever, and registers our names once it has run."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _HOOKED:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module
            setattr(spec.loader, "exec_module", functools.partial(self._run, spec.loader, run))  # noqa: B010
        return spec

    def _run(self, loader: Any, run: Any, module: ModuleType) -> None:
        del loader.exec_module
        run(module)
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        _register(module)


def _module(benchmark: str) -> str:
    return f"{_PACKAGE}.{benchmark}.{benchmark}_builder"


def _register(load_module: ModuleType) -> None:
    """Enter our names in the table that `datasets.load` reads. Never stops anybody's import of it."""
    try:
        table: dict[str, tuple[str, str]] = load_module._PACKAGED_DATASETS_MODULES
        for name in benchmarks():
            table[name] = (_module(name), code_digest(_FOLDER / name))
        _answer_for_ours(load_module)
        _leave_ours_unpatched()
    except Exception as error:
        logger.warning(
            "load_dataset will not know punctum's names (%s: %s): this version of datasets is not like those "
            "tried. punctum.load(NAME, CONFIG, data_dir=…) may still work.",
            type(error).__name__,
            error,
        )


def _answer_for_ours(load_module: Any) -> None:
    """Spare our names the packaged modules' search for data files.

    Without it `data_dir` would be demanded before a builder can say where the data come from, every picture
    in the folder would be listed on each call, and other files than those that we read would count.
    """
    factory = load_module.PackagedDatasetModuleFactory
    original = factory.get_module
    if hasattr(original, "__wrapped__"):
        return
    from datasets.data_files import DataFilesDict

    @functools.wraps(original)
    def get_module(self: Any) -> Any:
        if self.name not in benchmarks():
            return original(self)
        if self.data_files is not None:
            raise ValueError(f"{self.name} reads a folder: pass data_dir=FOLDER, not data_files")
        module, digest = load_module._PACKAGED_DATASETS_MODULES[self.name]
        configs = [copy.copy(config) for config in builder_class(self.name).BUILDER_CONFIGS]
        for config in configs:
            config.data_files = DataFilesDict()
        parameters = load_module.BuilderConfigsParameters(builder_configs=configs)
        return load_module.DatasetModule(module, digest, {"dataset_name": self.name}, parameters)

    factory.get_module = get_module


def _leave_ours_unpatched() -> None:
    """Our builders read local files only: they need none of the patches that let others stream from afar.

    datasets 3.6 would also make a lock file beside our package, which a read-only install cannot have.
    """
    import datasets.builder

    original = getattr(datasets.builder, "extend_dataset_builder_for_streaming", None)
    if original is None or hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def extend(builder: Any) -> None:
        if not builder.__module__.startswith(f"{_PACKAGE}."):
            original(builder)

    datasets.builder.extend_dataset_builder_for_streaming = extend
