"""A dataset repository, as `punctum build` wrote it, for the Hub: whole, and only where its licence allows it."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from punctum.hub import front, licences
from punctum.hub.plan import Draft, File, Head

_SHARD = re.compile(r"[^/]+/[^/]+-(\d{5})-of-(\d{5})\.parquet")


@dataclass(frozen=True)
class Repository:
    """A folder that `punctum build` wrote, checked.

    Attributes:
        folder: where.
        head: of its README.
        body: of its README.
        files: what is pushed.
        left_out: other files that stand there, which are not.
    """

    folder: Path
    head: Mapping[str, Any]
    body: str
    files: tuple[File, ...]
    left_out: tuple[str, ...]

    @property
    def licence(self) -> str:
        """The licence's name."""
        return licences.name_of(self.head)

    @property
    def is_sample(self) -> bool:
        """Whether it holds a sample of ours in place of the benchmark."""
        return "sample" in (self.head.get("tags") or ())

    def check_licence(self, told: str | None) -> None:
        """Refuse data that may not be passed on.

        Args:
            told: the licence that the person who pushes says allows it; None where nothing was said.

        Raises:
            ValueError: if the licence is not known to allow it, and was not named.
        """
        if told is not None and told.casefold() != self.licence.casefold():
            raise ValueError(f"--i-may-publish {told}: the licence of {self.folder} is called {self.licence}")
        if told is not None or licences.is_free(self.head):
            return
        words = licences.words_of(self.body)
        says = f" Its card says: {words}" if words else ""
        link = f" ({self.head['license_link']})" if self.head.get("license_link") else ""
        raise ValueError(
            f"the data in {self.folder} are under {self.licence!r}{link}, which is not known to let you "
            f"pass them on.{says} A private repository is a copy, too. If those who hold the rights allow it, say so "
            f"by the licence's name: --i-may-publish {self.licence}"
        )

    def draft(self, head: Head) -> Draft:
        """Everything that was built; files that an earlier build left there go, lest their rows be read twice."""
        paths = {file.path for file in self.files}
        name = self.head.get("pretty_name") or self.folder.name
        notes = [f"not pushed, since punctum build did not write it: {path}" for path in self.left_out]
        if self.is_sample:
            notes.append("this is a sample, and its card says so: it is not the benchmark")
        return Draft(
            self.files,
            f"Push {name}",
            stale=tuple(sorted(path for path in head.files if _SHARD.fullmatch(path) and path not in paths)),
            notes=tuple(notes),
        )


def open_built(folder: str | Path) -> Repository:
    """A folder that `punctum build` wrote.

    Raises:
        ValueError: if it is none, or lacks something; says what.
    """
    path = Path(folder).expanduser()
    readme = path / "README.md"
    text = readme.read_text(encoding="utf-8", errors="replace") if readme.is_file() else ""
    if "By `punctum build " not in text or not (path / "eval.yaml").is_file():
        what = (
            "is no folder" if not path.is_dir() else "is not what punctum build writes (no README.md of its, eval.yaml)"
        )
        raise ValueError(f"{path} {what}; make one: punctum build BENCH --out {path}")
    head, body = front.split(text)
    found = sorted(p for p in path.rglob("*") if p.is_file() or p.is_symlink())
    names = {p.relative_to(path).as_posix(): p for p in found}
    shards = _shards(path, head, names)
    kept = ["README.md", "eval.yaml", *shards]
    files = tuple(File(name, names[name]) for name in kept)
    return Repository(path, head, body, files, tuple(sorted(set(names) - set(kept))))


def _shards(path: Path, head: Mapping[str, Any], names: Mapping[str, Path]) -> list[str]:
    """The Parquet files that the card names, complete and readable."""
    told = {
        (info["config_name"], split["name"]): int(split["num_examples"])
        for info in head.get("dataset_info") or ()
        for split in info["splits"]
    }
    kept: list[str] = []
    for config in head.get("configs") or ():
        for entry in config["data_files"]:
            shards = [n for n, p in names.items() if fnmatch.fnmatchcase(n, entry["path"]) and not p.is_symlink()]
            if not shards:
                raise ValueError(f"{path} lacks {entry['path']}, which its README.md names; build it again")
            rows = sum(_rows(path, name, len(shards)) for name in shards)
            wanted = told.get((config["config_name"], entry["split"]))
            if wanted is not None and rows != wanted:
                raise ValueError(
                    f"{path}/{entry['path']} holds {rows:,} rows, README.md says {wanted:,}; build it again"
                )
            kept += shards
    if not kept:
        raise ValueError(f"{path}/README.md names no configs; build it again")
    return kept


def _rows(path: Path, name: str, n_shards: int) -> int:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    number = _SHARD.fullmatch(name)
    if number is None or int(number[2]) != n_shards:
        raise ValueError(f"{path}/{name} is not one of {n_shards} files of one build; build it again")
    try:
        return int(pq.ParquetFile(path / name).metadata.num_rows)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{path}/{name} cannot be read ({error}); build it again") from None
