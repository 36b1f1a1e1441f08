"""Killing a command in the middle, and what it left."""

from __future__ import annotations

import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def kill_once(reached: Callable[[], bool], command: Sequence[str]) -> None:
    """Start a command and kill it (SIGKILL) when that is reached; it must not have ended by itself before."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 600
        while not reached():
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.005)
        assert process.poll() is None, "it ended before it could be killed"
    finally:
        process.kill()
        process.wait()


def stored(path: Path) -> int:
    """How many answers the store holds, read beside the process that writes it."""
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM responses").fetchone()[0])
    except sqlite3.OperationalError:  # the table is not there yet
        return 0


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, by its path there."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
