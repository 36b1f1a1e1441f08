"""Writes a benchmark as a dataset repository that `datasets` loads without punctum: Parquet, card, `eval.yaml`.

The bytes depend on the rows and on the versions of punctum and pyarrow alone: building twice gives equal files.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from punctum import discovery
from punctum._datasets import Opened, open_rows
from punctum.cards import Config, Origin, Split, card, eval_yaml, parquet_schema, picture_columns
from punctum.datasets_scripts.fetching import revision_of, sources
from punctum.datasets_scripts.reading import DataError, NotAtHand
from punctum.statistics import describe, wanted

_ROWS = 100  # of a row group: what a viewer, or a stream, reads at once
_GROUP_BYTES = 64 << 20
CONSTRUCTED = "construct.json"  # what `punctum construct` leaves beside its files


@dataclass
class Built:
    """A repository that was written.

    Attributes:
        folder: where.
        statistics: as `punctum.statistics.statistics` gives them.
        configs: what `load_dataset(folder, config)` knows.
    """

    folder: Path
    statistics: dict[str, Any]
    configs: list[Config] = field(default_factory=list)


def build(
    benchmark: str,
    data_dir: str | Path,
    out: str | Path,
    configs: Iterable[str] | None = None,
    *,
    variants: bool = False,
    force: bool = False,
    shard_bytes: int = 500 << 20,
    progress: Callable[[str, int], None] | None = None,
    title: str | None = None,
    licence: str | None = None,
    **kwargs: Any,
) -> Built:
    """Write a dataset repository.

    Args:
        benchmark: for instance `mvp_bench`.
        data_dir: the folder with its files.
        out: the folder to make; only ever a whole repository.
        configs: only these; None takes all that can be read.
        variants: also the configs' other forms, named CONFIG_VARIANT.
        force: replace what an earlier build left at `out`.
        shard_bytes: size of a Parquet file, before compression.
        progress: called with a config's name and the number of rows written.
        title, licence: of data of one's own in the benchmark's form; its card bears them in place of the benchmark's.
        **kwargs: for the builder (`strict=True`, `images="skip"`).

    Raises:
        ValueError: if `out` is in use, data that others published are called one's own, a file is broken, or a config
            that was asked for, or all, cannot be read.
    """
    folder = Path(out).expanduser().resolve()
    _check_out(folder, force)
    origin = _origin(benchmark, Path(data_dir), title, licence)
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    chosen = None if configs is None else list(configs)
    try:
        made = _write(benchmark, Path(data_dir), partial, chosen, variants, shard_bytes, progress, origin, kwargs)
        if folder.exists():
            shutil.rmtree(folder)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    made.folder = folder
    return made


def _check_out(folder: Path, force: bool) -> None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    ours = _is_build(folder)
    if force and ours:
        return
    if ours:
        raise ValueError(f"{folder} is there already: --force replaces it; or name another folder")
    raise ValueError(
        f"{folder} is there already, and holds more than a build, so that --force leaves it alone, too; name another"
    )


def _is_build(folder: Path) -> bool:
    """Whether a folder is what `build` leaves, and not under version control besides."""
    readme = folder / "README.md"
    made = readme.is_file() and "By `punctum build " in readme.read_text(encoding="utf-8", errors="replace")
    return made and (folder / "eval.yaml").is_file() and not (folder / ".git").exists()


def _write(
    benchmark: str,
    data_dir: Path,
    folder: Path,
    chosen: list[str] | None,
    variants: bool,
    shard_bytes: int,
    progress: Callable[[str, int], None] | None,
    origin: Origin,
    kwargs: Mapping[str, Any],
) -> Built:
    parts: list[dict[str, Any]] = []
    failed: dict[str, str] = {}
    configs: list[Config] = []
    for config, variant, more in wanted(benchmark, chosen, kwargs):
        if variant is not None and not variants:
            continue
        name = config if variant is None else f"{config}_{variant}"
        try:
            opened = open_rows(benchmark, config, data_dir, **{**more, **kwargs})
        except (ValueError, OSError) as error:
            broken = isinstance(error, DataError) and not isinstance(error, NotAtHand)
            if broken or chosen is not None or kwargs.get("strict"):
                raise
            failed[name] = str(error)
            continue
        written = Config(name, opened.builder.info.description, opened.builder.info.features)
        for split in opened.splits:
            shards = Shards(folder / name, split, opened, shard_bytes, name, progress)
            parts.append(describe(opened, config, variant, split, shards.add))
            written.splits.append(shards.close())
        configs.append(written)
    if not configs:
        raise ValueError("; ".join(failed.values()))
    statistics = {
        "benchmark": benchmark,
        "revision": revision_of(benchmark, data_dir),
        "homepage": sources(benchmark).homepage,
        "parts": parts,
        "not_at_hand": {name: _without(data_dir, reason) for name, reason in failed.items()},
    }
    (folder / "README.md").write_text(card(benchmark, origin, configs, statistics, kwargs), encoding="utf-8")
    value = eval_yaml(benchmark, origin, configs)
    (folder / "eval.yaml").write_text(yaml.safe_dump(value, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return Built(folder, statistics, configs)


def _origin(benchmark: str, folder: Path, title: str | None, licence: str | None) -> Origin:
    """Whose rows a folder holds.

    Raises:
        ValueError: if title and licence do not go with each other or with the folder.
    """
    sample = folder.resolve() == _sample(benchmark)
    if (title is None) != (licence is None):
        raise ValueError(
            "data of one's own want both --title and --licence; leave both out for the benchmark's own data"
        )
    if title is not None and (sample or revision_of(benchmark, folder)):
        whose = "the package's sample" if sample else f"what the authors of {benchmark} published"
        raise ValueError(f"{folder} holds {whose}: leave --title and --licence out")
    if licence is not None and not re.fullmatch(r"[a-z0-9][a-z0-9.+-]*", licence):
        raise ValueError(f"--licence {licence!r} is no name of the Hub's for one, such as cc-by-4.0, mit or other")
    return Origin(sample, title, licence, _construction(folder / CONSTRUCTED))


def _construction(record: Path) -> dict[str, Any] | None:
    """What `punctum construct` says that it made; None where it made nothing.

    Raises:
        ValueError: if the file is none of its.
    """
    if not record.is_file():
        return None
    try:
        value = json.loads(record.read_text(encoding="utf-8"))
        made = {"kind": str(value["kind"]), "models": [{"id": str(m["id"])} for m in value["models"]]}
        return {**made, "files": [str(name) for name in value["files"]]}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{record} is not what punctum construct writes ({error}); take it away, or mend it") from None


def _without(folder: Path, reason: str) -> str:
    """A reason that names files within the folder alone, for everybody's card."""
    for place in dict.fromkeys((folder.resolve(), folder.absolute())):
        reason = reason.replace(f"{place}/", "")
    return reason


def _sample(benchmark: str) -> Path | None:
    try:
        return Path(discovery.sample(benchmark)).resolve()
    except ValueError:
        return None


class Shards:
    """Writes rows to Parquet files of bounded size, with their pictures.

    Args:
        folder: of the config.
        split: name of the files.
        opened: the config, for its columns.
        limit: bytes of a file, before compression.
        name: for `progress`.
    """

    def __init__(
        self,
        folder: Path,
        split: str,
        opened: Opened,
        limit: int,
        name: str,
        progress: Callable[[str, int], None] | None,
    ) -> None:
        self._folder, self._split, self._limit, self._name, self._progress = folder, split, limit, name, progress
        self._features = opened.builder.info.features
        self._schema = parquet_schema(self._features)
        self._pictures = picture_columns(self._features)
        self._writer: Any = None
        self._rows: list[dict[str, Any]] = []
        self._pending = 0
        self._in_file = 0
        self._files: list[Path] = []
        self._total_rows = self._total_bytes = 0
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take a row as the builder gives it."""
        values = {name: row.get(name) for name in self._features}
        for name in self._pictures:
            values[name] = _embedded(values[name])
        encoded = self._features.encode_example(values)
        self._rows.append(encoded)
        self._pending += sum(len(v["bytes"] or b"") for v in encoded.values() if isinstance(v, dict) and "bytes" in v)
        if len(self._rows) >= _ROWS or self._pending >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        if not self._rows:
            return
        table = pa.Table.from_pylist(self._rows, schema=self._schema)
        self._rows, self._pending = [], 0
        if self._writer is not None and self._in_file + table.nbytes > self._limit:
            self._writer.close()
            self._writer = None
        if self._writer is None:
            self._files.append(self._folder / f"{self._split}-{len(self._files):05d}.part")
            self._writer, self._in_file = pq.ParquetWriter(self._files[-1], self._schema), 0
        self._writer.write_table(table)
        self._in_file += table.nbytes
        self._total_rows += table.num_rows
        self._total_bytes += table.nbytes
        if self._progress:
            self._progress(self._name, self._total_rows)

    def close(self) -> Split:
        """Name the files, once their number is known."""
        self._flush()
        if self._writer is not None:
            self._writer.close()
        size = 0
        for i, file in enumerate(self._files):
            final = file.with_name(f"{self._split}-{i:05d}-of-{len(self._files):05d}.parquet")
            file.rename(final)
            size += final.stat().st_size
        return Split(self._split, self._total_rows, self._total_bytes, size)


def _embedded(value: Any) -> Any:
    """A picture, or a list of pictures, with the bytes in place of the path."""
    if value is None:
        return None
    if isinstance(value, list):
        return [_embedded(entry) for entry in value]
    picture = value if isinstance(value, Mapping) else {"path": value}
    path = Path(picture.get("path") or "")
    return {"bytes": picture.get("bytes") or path.read_bytes(), "path": path.name or None}
