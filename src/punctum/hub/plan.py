"""What a push would change: files with their hashes, against what stands in a repository."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

Kind = Literal["dataset", "space", "model"]
_BLOCK = 1 << 20
_CONTROL = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Target:
    """A repository on the Hub.

    Attributes:
        repo: `OWNER/NAME`.
        kind: what kind of repository.
    """

    repo: str
    kind: Kind

    @property
    def path(self) -> str:
        """What stands behind the Hub's address in the repository's address."""
        return self.repo if self.kind == "model" else f"{self.kind}s/{self.repo}"

    def __str__(self) -> str:
        return f"{self.kind} {self.repo}"


@dataclass(frozen=True)
class File:
    """A file to push.

    Attributes:
        path: in the repository.
        source: its bytes, or the file that holds them.
    """

    path: str
    source: Path | bytes = field(repr=False)

    @cached_property
    def size(self) -> int:
        """In bytes."""
        return len(self.source) if isinstance(self.source, bytes) else self.source.stat().st_size

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the bytes: what the Hub calls a large file by."""
        return self._digest(hashlib.sha256())

    @cached_property
    def oid(self) -> str:
        """What git calls the bytes: the Hub's name of any other file."""
        return self._digest(hashlib.sha1(b"blob %d\0" % self.size))

    def read(self) -> bytes:
        """The bytes."""
        return self.source if isinstance(self.source, bytes) else self.source.read_bytes()

    def _digest(self, digest: hashlib._Hash) -> str:
        if isinstance(self.source, bytes):
            digest.update(self.source)
            return digest.hexdigest()
        with self.source.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
        return digest.hexdigest()


@dataclass(frozen=True)
class Remote:
    """A file that stands in a repository: its git name, and its sha256 where it is kept as a large file."""

    oid: str
    sha256: str | None = None

    def holds(self, file: File) -> bool:
        """Whether it has the same bytes."""
        return file.oid == self.oid if self.sha256 is None else file.sha256 == self.sha256


def _nothing(path: str) -> bytes:
    raise KeyError(path)


@dataclass(frozen=True)
class Head:
    """What stands in a repository now.

    Attributes:
        sha: the newest commit; None where there is no repository, or it could not be seen.
        private: whether it is private; None where there is none.
        files: by path.
        read: gives a file's bytes at this commit.
        unseen: why it may be there all the same; empty where that is known.
    """

    sha: str | None = None
    private: bool | None = None
    files: Mapping[str, Remote] = field(default_factory=dict)
    read: Callable[[str], bytes] = field(default=_nothing, repr=False)
    unseen: str = ""

    @property
    def exists(self) -> bool:
        """Whether there is such a repository, as far as one can see."""
        return self.sha is not None

    def text(self, path: str) -> str:
        """A file's words, whatever bytes it has; empty where it is not there."""
        return self.read(path).decode("utf-8", "replace") if path in self.files else ""


@dataclass(frozen=True)
class Draft:
    """What a push wants to stand in a repository.

    Attributes:
        files: with these bytes.
        message: of the commit.
        stale: files to remove, of those that stand there.
        notes: what the person should know, a sentence each.
        description: of the commit, or of the pull request.
    """

    files: tuple[File, ...]
    message: str
    stale: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    description: str = ""

    @property
    def title(self) -> str:
        """The message with a hash of the content: by it an open pull request of the same content is known again."""
        told = "".join(f"{file.path} {file.sha256}\n" for file in self.files) + "\n".join(self.stale)
        return f"{self.message} ({hashlib.sha256(told.encode()).hexdigest()[:8]})"

    def against(self, head: Head) -> tuple[tuple[File, ...], tuple[str, ...]]:
        """The files to send and the files to remove; those that stand there already need neither."""
        sent = tuple(f for f in self.files if f.path not in head.files or not head.files[f.path].holds(f))
        return sent, tuple(path for path in self.stale if path in head.files)

    def stands_in(self, head: Head) -> bool:
        """Whether nothing is left to do."""
        return head.exists and self.against(head) == ((), ())


Drafter = Callable[[Head], Draft]


def listing(
    target: Target, head: Head, draft: Draft, *, create_pr: bool = False, make: bool = True, show: bool = False
) -> str:
    """The draft in words, a line a file: what a dry run prints.

    Args:
        target: the repository.
        head: what stands there.
        draft: what shall stand there.
        create_pr: whether it is to be proposed.
        make: whether the repository would be made where it is missing.
        show: also the files' content, where it is text.
    """
    sent, removed = draft.against(head)
    if head.unseen:
        state = "not seen; shown as though there were none"
    elif not head.exists:
        state = "to be made" if make and not create_pr else "missing: a push would be refused"
    else:
        state = f"{'private' if head.private else 'public'}, at commit {head.sha}"
    lines = [f"{target} ({state})"]
    lines += [f"  {line}" for line in head.unseen.splitlines()]
    for file in draft.files:
        mark = "same" if file not in sent else "change" if file.path in head.files else "add"
        lines.append(f"  {mark:<6} {file.size:>13,} bytes  {file.sha256}  {file.path}")
    lines += [f"  remove {'':>13}        {'':>64}  {path}" for path in removed]
    size = sum(file.size for file in sent)
    lines.append(f"  {_files(len(sent))} to send, {size:,} bytes; {len(removed)} to remove")
    lines.append(f"  pull request: {draft.title}" if create_pr else f"  commit: {draft.message}")
    lines += [f"  {line}" for line in draft.description.splitlines()]
    if show:
        for file in draft.files:
            lines += ["", f"--- {file.path}", _content(file)]
    return "\n".join(lines) + "\n"


def _files(n: int) -> str:
    return "1 file" if n == 1 else f"{n:,} files"


def _content(file: File) -> str:
    data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return f"(no text: {file.size:,} bytes)"
    # what a model wrote must not command the terminal
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text.rstrip("\n"))
