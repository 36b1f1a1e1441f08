"""The response store: one SQLite row a model answer, so that nothing is asked twice.

The key is a hash of everything that the answer depends on. Answers are written as each batch ends; a run
that was killed finds them when it starts again. Failed calls are never stored.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from punctum.records import Generation, ModelInfo, Request, Response

_SCHEMA = """
CREATE TABLE IF NOT EXISTS responses (
    key TEXT PRIMARY KEY,
    created REAL NOT NULL,
    model TEXT NOT NULL,
    request TEXT NOT NULL,
    response TEXT NOT NULL
) WITHOUT ROWID
"""
_MAGIC = b"SQLite format 3\0"
_CHUNK = 500  # SQLite's limit on variables in one statement was 999 for long


def default_path() -> Path:
    """`$PUNCTUM_CACHE/responses.sqlite`, else the user's cache folder."""
    root = os.environ.get("PUNCTUM_CACHE")
    if not root:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
        root = str(Path(base) / "punctum")
    return Path(root) / "responses.sqlite"


def canonical(value: object) -> str:
    """JSON with sorted keys: equal values have equal text, which UTF-8 can hold even with half a character in it."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def model_part(info: ModelInfo, fingerprint: Mapping[str, Any], generation: Generation) -> dict[str, Any]:
    """The part of a key that all requests of a run share."""
    return {"model": asdict(info), "fingerprint": dict(fingerprint), "generation": asdict(generation)}


def request_part(request: Request) -> dict[str, Any]:
    """The part of a key that is the request's own. The sample itself is not in it: only what is asked."""
    part = {
        "prompt": request.prompt,
        "system": request.system,
        "pictures": [picture.sha256 for picture in request.pictures],
        "continuations": list(request.continuations),
        "attempt": request.attempt,
    }
    return {**part, "queries": list(request.queries)} if request.queries else part


def key_of(shared: str, request: Request) -> str:
    """The key of a request.

    Args:
        shared: `canonical(model_part(…))`.
        request: the request.
    """
    return hashlib.sha256(f"{shared}\n{canonical(request_part(request))}".encode()).hexdigest()


def _refuse_other_files(path: Path) -> None:
    """Refuse what is no database: SQLite takes a file shorter than its header for an empty one, and writes over it.

    Raises:
        OSError: that says so.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    if start and start != _MAGIC:
        raise OSError(
            f"{path} cannot be used as response store (it is no SQLite file); name another file with --store, "
            "or move this one away"
        )


class ResponseStore:
    """Answers by key, in one SQLite file.

    Writes go to a write-ahead log without waiting for the disk: a commit costs a fraction of a millisecond and
    survives the death of the process; a power failure may lose the last few answers, not the file. Where the
    file system has no shared memory, SQLite keeps its rollback journal instead. Several processes of one
    machine may share a file.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        """Open or create the store.

        Args:
            path: the file; `default_path()` when None; ":memory:" for a store that dies with the process.

        Raises:
            OSError: if the folder cannot be made, or the file is not a store.
        """
        self.path = str(path if path is not None else default_path())
        if self.path != ":memory:":
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            _refuse_other_files(Path(self.path))
        try:
            self._connection = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(_SCHEMA)
        except sqlite3.DatabaseError as error:
            raise OSError(
                f"{self.path} cannot be used as response store ({error}); name another file with --store, "
                "or move this one away"
            ) from error

    def get(self, keys: Sequence[str]) -> dict[str, Response]:
        """The stored answers among `keys`."""
        found: dict[str, Response] = {}
        for start in range(0, len(keys), _CHUNK):
            chunk = keys[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            with self._named():
                rows = self._connection.execute(f"SELECT key, response FROM responses WHERE key IN ({marks})", chunk)
                for key, text in rows:
                    found[key] = _response(json.loads(text))
        return found

    def put(self, rows: Iterable[tuple[str, Request, Response]], model: str) -> None:
        """Write answers in one transaction; failed calls are left out.

        Args:
            rows: key, request and response of each.
            model: the model's id, for people who look into the file.
        """
        now = time.time()
        values = [
            (key, now, model, canonical(request_part(request)), canonical(asdict(response)))
            for key, request, response in rows
            if response.error is None
        ]
        with self._named(), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?)", values)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Say which file it is that fails, on a full disk, say."""
        try:
            yield
        except sqlite3.Error as error:
            raise OSError(
                f"{self.path}: {error}. What was stored is kept; once there is room, or with another --store, the "
                "same command goes on"
            ) from error

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT COUNT(*) FROM responses").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> ResponseStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class KnownAnswers(ResponseStore):
    """A store that is only read: where there is no file none is made, and nothing is written."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Open the store for reading.

        Args:
            path: as for `ResponseStore`.

        Raises:
            OSError: if the file is not a store.
        """
        self.path = str(path if path is not None else default_path())
        if not Path(self.path).is_file():
            self._connection = sqlite3.connect(":memory:")
            self._connection.execute(_SCHEMA)
            return
        # Without a log beside it the file is whole, and SQLite need not make the files that several readers share.
        whole = "" if Path(f"{self.path}-wal").exists() else "&immutable=1"
        try:
            uri = f"{Path(self.path).resolve().as_uri()}?mode=ro{whole}"
            self._connection = sqlite3.connect(uri, uri=True, timeout=60)
            self._connection.execute("SELECT key FROM responses LIMIT 1").fetchall()
        except sqlite3.DatabaseError as error:
            raise OSError(
                f"{self.path} cannot be read as response store ({error}); name another with --store"
            ) from error

    def put(self, rows: Iterable[tuple[str, Request, Response]], model: str) -> None:
        """Keep nothing."""


def _response(value: dict[str, Any]) -> Response:
    if value.get("scores") is not None:
        value["scores"] = tuple(value["scores"])
    return Response(**value)
