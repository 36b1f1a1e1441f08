"""Makes the metrics known to `evaluate` by bare name, without importing it (that takes seconds).

`evaluate.load("prec_at_k")` looks in the working directory, on the Hub, and then in its cache of modules, as

    MODULES/evaluate_modules/metrics/evaluate-metric--NAME/VERSION/NAME.py

where VERSION is any name of 64 characters, the newest script wins, and a VERSION without its script breaks every
look-up of NAME. So a copy is built aside and moved in whole, under a hash of its content. A file `punctum.json`
in it tells our copies from others', which are left alone.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from punctum import discovery
from punctum.version import __version__

logger = logging.getLogger("punctum.evaluate")
SWITCH = "PUNCTUM_REGISTER"  # 0 keeps `import punctum` out of the cache
_PREFIX = "evaluate-metric--"
_MARK = "punctum.json"
_ASIDE = ".punctum-"  # copies being built or taken away; shorter than 64 characters, so evaluate passes them over
_TRIES = 50  # of moving a copy in while other processes do the same
_LEFT_BEHIND = 3600.0  # seconds after which such a folder is nobody's any more

# What `install` did, so that `punctum register`, which imports punctum first, can still say what has changed.
_at_import: dict[str, str] = {}


def install() -> None:
    """Bring the copies in evaluate's cache up to date when punctum is imported; never raises.

    Only what is missing or stale is written. A cache that cannot be written is left as it is, since then
    evaluate itself can load nothing new either; `punctum register` says why.
    """
    if os.environ.get(SWITCH, "1").strip().lower() in ("0", "no", "off", "false"):
        return
    try:
        for name, folder in discovery.metrics().items():
            _at_import[name] = _register(name, folder, _names_folder())
    except Exception as error:  # importing punctum must work wherever Python does
        logger.debug("evaluate will not know all names (%s: %s)", type(error).__name__, error)


def register() -> dict[str, str]:
    """Bring the copies in evaluate's cache up to date, and take away those of metrics that are no more.

    Returns:
        metric name to `added`, `updated`, `unchanged` or `removed`, since before this process imported punctum.

    Raises:
        OSError: if the cache cannot be written.
    """
    root, known = _names_folder(), discovery.metrics()
    states = {name: _register(name, folder, root) for name, folder in known.items()}
    for name in known:
        earlier = _at_import.pop(name, "unchanged")
        states[name] = earlier if states[name] == "unchanged" else states[name]
    return states | {name: "removed" for name in _registered(root) if name not in known and _remove(name, root)}


def remove() -> dict[str, str]:
    """Take all our copies out of evaluate's cache; what others put there stays.

    Returns:
        metric name to `removed`, for those that were there.

    Raises:
        OSError: if the cache cannot be written.
    """
    root = _names_folder()
    return {name: "removed" for name in _registered(root) if _remove(name, root)}


def modules_cache() -> Path:
    """The folder in which evaluate keeps modules, found as evaluate finds it."""
    loaded: Any = sys.modules.get("evaluate.config")
    if loaded is not None:  # set by hand, perhaps, or from an environment that has changed since
        return Path(loaded.HF_MODULES_CACHE)
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    home = os.path.expanduser(os.getenv("HF_HOME", os.path.join(cache, "huggingface")))  # noqa: PTH111, PTH118
    return Path(os.getenv("HF_MODULES_CACHE", os.path.join(home, "modules")))  # noqa: PTH118


def _names_folder() -> Path:
    return modules_cache() / "evaluate_modules" / "metrics"


def _register(name: str, source: Path, root: Path) -> str:
    """Have one metric's current copy in the cache, as the newest; returns what had to be done."""
    code = {path.name: path.read_bytes() for path in sorted(source.glob("*.py"))}
    home = root / f"{_PREFIX}{name}"
    target = home / _version(code)
    others = {path: _when(path / f"{name}.py") for path in _versions(home) if path != target}
    stale = [path for path, when in others.items() if when is None or (path / _MARK).exists()]
    theirs = max((when for path, when in others.items() if when is not None and path not in stale), default=0)
    written = _when(target / f"{name}.py")
    if written is not None and _is_whole(target, code):
        if stale or written <= theirs:
            _make_newest(target / f"{name}.py", theirs)
            _take_away(home, stale)
            return "updated"
        return "unchanged"
    before = target.exists() or bool(stale)
    _make_packages(home)
    _move_in(_build(home, name, source, code), target, code)
    if theirs:
        _make_newest(target / f"{name}.py", theirs)
    _take_away(home, [*stale, *_left_behind(home)])
    return "updated" if before else "added"


def _version(code: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in code.items():
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _is_whole(copy: Path, code: dict[str, bytes]) -> bool:
    """Whether a copy has all of its files, as they should be."""
    try:
        return all((copy / name).read_bytes() == content for name, content in code.items())
    except OSError:
        return False


def _when(script: Path) -> int | None:
    """When a version's script was written, in nanoseconds; None if it has none."""
    try:
        return script.stat().st_mtime_ns
    except OSError:
        return None


def _versions(home: Path) -> list[Path]:
    """The folders that evaluate takes for versions."""
    try:
        return [path for path in home.iterdir() if len(path.name) == 64]
    except OSError:
        return []


def _make_newest(script: Path, others: int) -> None:
    when = max(time.time_ns(), others + 1_000_000_000)
    os.utime(script, ns=(when, when))


def _make_packages(home: Path) -> None:
    """The packages on the way to a copy, as evaluate makes them."""
    home.mkdir(parents=True, exist_ok=True)
    for folder in (home.parent.parent, home.parent, home):
        (folder / "__init__.py").touch()


def _build(home: Path, name: str, source: Path, code: dict[str, bytes]) -> Path:
    aside = _new_aside(home)
    aside.mkdir()
    for file, content in code.items():
        (aside / file).write_bytes(content)
    mark = {"package": "punctum", "version": __version__, "metric": name, "source": str(source)}
    (aside / _MARK).write_text(json.dumps(mark) + "\n", encoding="utf-8")
    return aside


def _move_in(aside: Path, target: Path, code: dict[str, bytes]) -> None:
    """Put a finished copy in its place, unless another process was faster with the same content.

    Between taking a damaged copy away and moving in, another process may have moved in, and a third taken that
    away: whoever finds the place neither whole nor free tries again.
    """
    try:
        for tries_left in reversed(range(_TRIES)):
            if _is_whole(target, code):
                return
            try:
                _take_away(target.parent, [target])
                aside.rename(target)
                return
            except OSError:
                if tries_left == 0:
                    raise
                time.sleep(0.01)
    finally:
        _take_away(target.parent, [aside])


def _new_aside(home: Path) -> Path:
    return home / f"{_ASIDE}{os.getpid()}-{time.time_ns():x}"


def _take_away(home: Path, folders: list[Path]) -> None:
    """Remove folders; each vanishes at once for those who look, and may be another process's work by now."""
    import shutil

    for folder in folders:
        aside = folder if folder.name.startswith(_ASIDE) else _new_aside(home)
        try:
            if aside != folder:
                folder.rename(aside)
        except FileNotFoundError:  # another process took it
            continue
        shutil.rmtree(aside, ignore_errors=True)


def _left_behind(home: Path) -> Iterator[Path]:
    """What a process that was killed left."""
    for path in home.glob(f"{_ASIDE}*"):
        when = _when(path)
        if when is not None and time.time_ns() - when > _LEFT_BEHIND * 1e9:
            yield path


def _registered(root: Path) -> list[str]:
    """Names with a copy of ours, of this version of punctum or another."""
    return sorted({path.parent.parent.name.removeprefix(_PREFIX) for path in root.glob(f"{_PREFIX}*/*/{_MARK}")})


def _remove(name: str, root: Path) -> bool:
    """Remove our copies of one metric, and its folder if nothing is left in it."""
    import shutil

    home = root / f"{_PREFIX}{name}"
    ours = [path for path in _versions(home) if (path / _MARK).exists()]
    _take_away(home, [*ours, *_left_behind(home)])
    if not {path.name for path in home.glob("*")} - {"__init__.py", "__pycache__"}:
        shutil.rmtree(home, ignore_errors=True)
    return bool(ours)
