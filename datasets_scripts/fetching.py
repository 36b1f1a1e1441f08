"""Brings what is public of a benchmark, at a pinned revision and checked, into a folder for `data_dir`.

Each benchmark's `sources.json` says where its files are: pinned files of a web address (`pinned`), a dataset of
the Hub (`hub`), and what people must ask for themselves (`by_hand`). Files of the Hub come through
huggingface_hub, as `datasets` itself brings them: with its cache, resumption, tokens, `HF_ENDPOINT` and offline
mode. Pinned files come through `transfer`; `PUNCTUM_MIRROR=https://mirror/path` puts another server before them
(`https://mirror/path/raw.githubusercontent.com/…`), and the checksums hold there too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from punctum.datasets_scripts.transfer import FetchError, Remote, bring, is_whole

__all__ = ["FetchError", "Hub", "Sources", "cache_folder", "fetch", "offline", "revision_of", "sources"]

_FOLDER = Path(__file__).parent
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Hub:
    """A dataset of the Hub.

    Attributes:
        repo: `owner/name`.
        revision: a commit, or None: the newest, which is recorded where the files are.
        patterns: of the files to bring.
        gated: whether people must ask for access and log in.
    """

    repo: str
    revision: str | None
    patterns: tuple[str, ...]
    gated: bool

    @property
    def address(self) -> str:
        """The page where access is asked for."""
        return f"https://huggingface.co/datasets/{self.repo}"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a benchmark's files are.

    Attributes:
        benchmark: its name.
        homepage: of the benchmark.
        revision: of the pinned files.
        files: pinned files by their path in the data folder.
        hub: a dataset of the Hub, or None.
        by_hand: what is not public → how one gets it and where it goes.
    """

    benchmark: str
    homepage: str
    revision: str | None
    files: Mapping[str, Remote]
    hub: Hub | None
    by_hand: Mapping[str, str]

    @property
    def public(self) -> bool:
        """Whether anything can be brought at all (from a gated dataset, by those who have access)."""
        return bool(self.files) or self.hub is not None

    def by_hand_lines(self) -> list[str]:
        """What remains to be done by hand, a sentence each."""
        return [f"{self.benchmark}'s {what} {how}." for what, how in self.by_hand.items()]


def sources(benchmark: str) -> Sources:
    """Read a benchmark's `sources.json`; empty sources where there is none.

    Raises:
        ValueError: if there is no such benchmark; names those that have sources.
    """
    file = _FOLDER / benchmark / "sources.json"
    if not file.is_file():
        if (_FOLDER / benchmark / f"{benchmark}_builder.py").is_file():
            return Sources(benchmark, "", None, {}, None, {})
        known = ", ".join(sorted(path.parent.name for path in _FOLDER.glob("*/sources.json")))
        raise ValueError(f"no benchmark {benchmark!r} to fetch: one of {known}")
    value: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    pinned = value.get("pinned") or {}
    files = {
        name: Remote(_mirrored(pinned["base"] + name), entry["size"], entry["sha256"])
        for name, entry in pinned.get("files", {}).items()
    }
    hub = value.get("hub")
    found = Hub(hub["repo"], hub["revision"], tuple(hub["patterns"]), hub["gated"]) if hub else None
    by_hand = {entry["what"]: entry["how"] for entry in value.get("by_hand", ())}
    return Sources(benchmark, value["homepage"], pinned.get("revision"), files, found, by_hand)


def _mirrored(url: str) -> str:
    mirror = os.environ.get("PUNCTUM_MIRROR", "").rstrip("/")
    if not mirror:
        return url
    if urlsplit(mirror).scheme not in ("http", "https"):
        raise ValueError(f"PUNCTUM_MIRROR={mirror!r} is no http or https address")
    parts = urlsplit(url)
    return f"{mirror}/{parts.netloc}{parts.path}"


def cache_folder(benchmark: str) -> Path:
    """Where pinned files are put when no folder is named: a folder a revision, in punctum's cache."""
    root = os.environ.get("PUNCTUM_CACHE")
    if not root:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
        root = str(Path(base) / "punctum")
    revision = sources(benchmark).revision or "unpinned"
    return Path(root) / "data" / f"{benchmark}-{revision[:12]}"


def offline() -> str | None:
    """The variable that forbids the network, or None. Read as `datasets` reads it."""
    own = os.environ.get("HF_DATASETS_OFFLINE")
    if own is not None:
        return "HF_DATASETS_OFFLINE" if own.upper() in ("1", "ON", "YES", "TRUE") else None
    from huggingface_hub import constants

    return "HF_HUB_OFFLINE" if constants.HF_HUB_OFFLINE else None


def fetch(benchmark: str, out: str | Path | None = None, progress: Progress | None = None) -> Path:
    """Bring what is public of a benchmark; what is there already is checked and kept.

    Args:
        benchmark: for instance `deepeval`.
        out: the folder to fill; None takes one in the cache (of punctum, or of the Hub's client).
        progress: called with a file's name, the bytes at hand and the file's size.

    Returns:
        the folder, for `data_dir`.

    Raises:
        ValueError: if nothing of it is public, or offline mode forbids to bring what is missing; says where to
            ask and which files to put where.
        FetchError: if a file cannot be brought or is not what it should be.
    """
    found = sources(benchmark)
    if not found.public:
        raise ValueError(f"{benchmark} cannot be fetched: {' '.join(found.by_hand_lines()) or 'it has no source'}")
    folder = None if out is None else Path(out).expanduser().resolve()
    if folder is not None and folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file, not a folder")
    if found.hub is not None:
        folder = _from_hub(found, found.hub, folder)
    if found.files:
        folder = folder or cache_folder(benchmark)
        _pinned(found, folder, progress, replace=out is None)
    assert folder is not None
    return folder


def _pinned(found: Sources, folder: Path, progress: Progress | None, replace: bool) -> None:
    missing = {name: remote for name, remote in found.files.items() if not is_whole(folder / name, remote)}
    if not missing:
        return
    if (variable := offline()) is not None:
        raise ValueError(
            f"{found.benchmark} cannot be fetched: {variable} is set, and {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not in {folder}. Unset it, or pass a folder with the files "
            f"of {found.homepage} as data_dir"
        )
    from filelock import FileLock

    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(str(folder / ".fetch.lock")):
        for name, remote in missing.items():
            target = folder / name
            if is_whole(target, remote):  # another process was faster
                continue
            if target.exists() and not replace:
                raise ValueError(f"{target} is there already with another content: move it away, or fetch elsewhere")
            bring(remote, target, _named(progress, name, remote.size))


def _named(progress: Progress | None, name: str, size: int) -> Callable[[int], None] | None:
    return None if progress is None else lambda done: progress(name, done, size)


def _from_hub(found: Sources, hub: Hub, out: Path | None) -> Path:
    import huggingface_hub
    from huggingface_hub import errors

    forbidden = offline() is not None
    try:
        folder = huggingface_hub.snapshot_download(
            hub.repo,
            repo_type="dataset",
            revision=hub.revision,
            allow_patterns=list(hub.patterns),
            local_dir=None if out is None else str(out),
            local_files_only=forbidden,
            library_name="punctum",
        )
    except (errors.GatedRepoError, errors.RepositoryNotFoundError) as error:
        raise ValueError(f"{found.benchmark} cannot be fetched: {_ask(found, hub)}") from error
    except errors.LocalEntryNotFoundError as error:
        ask = _ask(found, hub) if hub.gated else ""
        why = f"{offline()} is set" if forbidden else f"{hub.address} did not answer"
        raise ValueError(
            f"{found.benchmark} cannot be fetched: {why}, and it is not in the Hub's cache. HF_ENDPOINT names a "
            f"mirror; or pass a folder with its files as data_dir{'. If you never had it: ' + ask if ask else ''}"
        ) from error
    except errors.HfHubHTTPError as error:
        raise FetchError(f"{hub.address} cannot be had: {error}") from error
    return Path(str(folder))


def _ask(found: Sources, hub: Hub) -> str:
    """What to do about a dataset that one may not read."""
    if not hub.gated:
        return f"{hub.address} is not there, or not open to you."
    steps = f"it is gated: ask at {hub.address}, log in with `hf auth login`, and try again."
    return " ".join([steps, *found.by_hand_lines()])


def name_of(benchmark: str, folder: Path) -> str:
    """What a folder's data are, for signatures: `published@REVISION`, or `local`."""
    revision = revision_of(benchmark, folder)
    return "local" if revision is None else f"published@{revision[:12]}"


def revision_of(benchmark: str, folder: Path) -> str | None:
    """The published revision that a folder holds, or None if it is not known to be one.

    Pinned files are compared byte by byte; a snapshot of the Hub is named by its commit, and so is what the
    Hub's client put into a folder of one's own.
    """
    found = sources(benchmark)
    if found.files:
        return found.revision if all(is_whole(folder / name, remote) for name, remote in found.files.items()) else None
    if found.hub is None:
        return None
    if folder.parent.name == "snapshots":
        return folder.name
    marks = sorted((folder / ".cache" / "huggingface" / "download").rglob("*.metadata"))
    commits = {mark.read_text(encoding="utf-8").split("\n")[0] for mark in marks}
    return commits.pop() if len(commits) == 1 else None
