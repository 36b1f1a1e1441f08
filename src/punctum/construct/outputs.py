"""The files that a construction leaves in a folder, which may be a benchmark's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from punctum.results import dump, whole_file, write_whole

#: Says what was made, how, and which files belong to it; written last.
SUMMARY = "construct.json"
GENERATED = "generated.jsonl"
FAULTS = "faults.jsonl"


class Outputs:
    """The output folder of one kind.

    Files appear whole or not at all. What the folder held before is never overwritten, unless an earlier run of
    the same kind made it; what that run left and this one does not make again is removed at the end, so that the
    folder never holds parts of two runs.

    Args:
        folder: where the files go; made by `claim`.
        kind: which kind of construction writes there.
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder
        self._kind = kind
        self._claimed: set[str] = set()
        self._folders: tuple[str, ...] = ()
        self._before: list[str] = []
        self._written: dict[str, None] = {}

    def claim(self, names: Iterable[str], folders: Sequence[str] = ()) -> None:
        """Make sure, before anything is asked, that these files may be written.

        Args:
            names: of the files that may come.
            folders: sub-folders whose files are all this kind's, for pictures and whatever else is named by the data.

        Raises:
            ValueError: if the folder holds one of them, or another kind's records, and this kind did not make it.
            OSError: if the folder cannot be made.
        """
        known = self._summary()
        if known is not None and known.get("kind") != self._kind:
            raise ValueError(
                f"{self.folder} holds what `punctum construct {known.get('kind')}` made; name another folder with --out"
            )
        self._before = [str(name) for name in (known or {}).get("files", [])]
        self._claimed, self._folders = {*names, GENERATED, FAULTS}, tuple(folders)
        for name in sorted(self._claimed | {*folders}):
            is_ours = any(file == name or file.startswith(f"{name}/") for file in self._before)
            if not is_ours and (self.folder / name).exists():
                raise ValueError(
                    f"{self.folder / name} is there already and was not made by `punctum construct {self._kind}`; "
                    "move it away, or name another folder with --out"
                )
        self.folder.mkdir(parents=True, exist_ok=True)
        mark = [*self._before, *(f"{name}/" for name in folders), *self._claimed]  # ours, should this run be killed
        self._write_summary({"finished": False, "files": sorted({*mark})})

    def text(self, name: str, content: str) -> None:
        """Write a text file that was claimed."""
        self._own(name)
        with whole_file(self.folder / name) as file:
            file.write(content)

    def data(self, name: str, content: bytes) -> None:
        """Write a file of bytes that was claimed."""
        self._own(name)
        write_whole(self.folder / name, content)

    def json(self, name: str, value: object) -> None:
        """Write a JSON file, indented."""
        self.text(name, json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n")

    def lines(self, name: str, values: Iterable[Mapping[str, Any]]) -> None:
        """Write a JSON Lines file."""
        self.text(name, "".join(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n" for value in values))

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Remove what an earlier run left and this one did not make, and write the summary."""
        stale = {name for name in self._before if not name.endswith("/")}
        for folder in self._folders:
            found = (self.folder / folder).rglob("*")
            stale |= {path.relative_to(self.folder).as_posix() for path in found if path.is_file()}
        for name in stale - {*self._written}:
            (self.folder / name).unlink(missing_ok=True)
        self._write_summary({"finished": True, **summary, "files": sorted(self._written)})

    @property
    def names(self) -> tuple[str, ...]:
        """The files written so far."""
        return tuple(self._written)

    def _own(self, name: str) -> None:
        path = (self.folder / name).resolve()
        within = any(path.is_relative_to((self.folder / folder).resolve()) for folder in self._folders)
        if name not in self._claimed and not within:
            raise ValueError(f"{name!r} is none of the files that `punctum construct {self._kind}` writes")
        self._written[name] = None

    def _summary(self) -> dict[str, Any] | None:
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"{self.folder} is a file; --out names a folder")
        path = self.folder / SUMMARY
        if not path.is_file():
            return None
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise ValueError(f"{path} cannot be read ({error}); name another folder with --out") from error
        if not isinstance(value, dict) or not isinstance(value.get("files"), list):
            raise ValueError(f"{path} is not what `punctum construct` writes; name another folder with --out")
        return value

    def _write_summary(self, value: Mapping[str, Any]) -> None:
        with whole_file(self.folder / SUMMARY) as file:
            file.write(dump({"kind": self._kind, **value}))
