"""One file over HTTP: resumed after a broken connection, checked by size and sha256, in place only when right.

`datasets`' download manager starts a broken file again from its first byte, checks nothing, and names files by a
hash of their address, so that they make no folder; in version 5 it also needs aiohttp, which it does not bring.
Hence the standard library here, which honours the same proxy variables.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import random
import re
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

_TRIES = 6  # without a single new byte
_PAUSE = 1.0  # seconds, doubled from try to try
_TIMEOUT = 30.0  # seconds of silence
_LONGEST_WAIT = 60.0
_BLOCK = 1 << 18
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_BROKEN = (urllib.error.URLError, http.client.HTTPException, ConnectionError, socket.timeout, ssl.SSLError)

Progress = Callable[[int], None]


class FetchError(OSError):
    """A file cannot be brought. The message names the address, what went wrong, and the way out."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A file somewhere else, of which is known what it must be.

    Attributes:
        url: http or https.
        size: bytes.
        sha256: of its content, in hexadecimal.
    """

    url: str
    size: int
    sha256: str


def is_whole(path: Path, remote: Remote) -> bool:
    """Whether a local file is the remote one, by size and sha256."""
    try:
        return path.stat().st_size == remote.size and sha256(path) == remote.sha256
    except OSError:
        return False


def sha256(path: Path) -> str:
    """Digest of a file's content."""
    with path.open("rb") as file:
        digest = hashlib.sha256()
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def bring(remote: Remote, target: Path, progress: Progress | None = None) -> None:
    """Download a file; a part left by an earlier, broken call is gone on from.

    Args:
        remote: what to bring.
        target: where to. Only ever the whole, checked file; the part is `.NAME.part` beside it.
        progress: called with the number of bytes on disk.

    Raises:
        FetchError: if the server refuses, stays silent, or gives another content.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    resumed = part.exists() and part.stat().st_size > 0
    _fill(remote, part, progress)
    if resumed and not is_whole(part, remote):  # the beginning may have been another file's
        part.unlink()
        _fill(remote, part, progress)
    if not is_whole(part, remote):
        found = f"{part.stat().st_size} bytes with sha256 {sha256(part)}"
        part.unlink()
        raise FetchError(
            f"{remote.url} is not the file that it should be: {found}, expected {remote.size} bytes with sha256 "
            f"{remote.sha256}. Nothing was kept. A proxy or mirror may have changed it"
        )
    os.replace(part, target)  # noqa: PTH105 - Path.replace reads like text here


def _fill(remote: Remote, part: Path, progress: Progress | None) -> None:
    """Append to the part until it has its size, with a pause after each break that grows without new bytes."""
    tries = 0
    while True:
        before = part.stat().st_size if part.exists() else 0
        if before >= remote.size:
            if before > remote.size:
                part.unlink()
                continue
            return
        wait = None
        try:
            _append(remote, part, before, progress)
            return
        except urllib.error.HTTPError as error:
            if error.code == 416 and before:  # the part is longer than the file there: not its beginning
                part.unlink()
            elif error.code not in _AGAIN:
                raise _refused(remote, f"{error.code} {error.reason}") from None
            wait, reason = _retry_after(error), f"{error.code} {error.reason}"
        except _BROKEN as error:
            reason = str(getattr(error, "reason", "") or error) or type(error).__name__
        after = part.stat().st_size if part.exists() else 0
        tries = 0 if after > before else tries + 1
        if tries >= _TRIES:
            raise _refused(remote, f"{reason}, {_TRIES} times")
        time.sleep(_pause(tries) if wait is None else min(wait, _LONGEST_WAIT))


def _append(remote: Remote, part: Path, have: int, progress: Progress | None) -> None:
    headers = {"User-Agent": "punctum", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = urllib.request.Request(remote.url, headers=headers)
    with urllib.request.urlopen(request, timeout=_TIMEOUT, context=_certificates()) as response:
        if _start(response) != have:
            if response.status != 200:
                raise http.client.HTTPException(f"asked for the bytes from {have} on, was given others")
            have = 0  # the server knows no ranges and gives everything
        with part.open("r+b" if part.exists() else "w+b") as file:
            file.truncate(have)
            file.seek(have)
            received = _copy(response, file, have, remote, progress)
    announced = response.headers.get("Content-Length", "")
    if announced.isdigit() and received < int(announced):
        raise ConnectionError(f"the connection broke after {have + received} of {have + int(announced)} bytes")


def _start(response: Any) -> int:
    """The offset of the answer's first byte; -1 if it does not say."""
    if response.status == 200:
        return 0
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(match[1]) if match else -1


def _copy(response: Any, file: IO[bytes], have: int, remote: Remote, progress: Progress | None) -> int:
    """Write the body. One byte more than wanted is enough to know that it is another file."""
    received = 0
    while block := response.read1(_BLOCK):
        file.write(block)
        received += len(block)
        if progress:
            progress(have + received)
        if have + received > remote.size:
            break
    return received


def _pause(tries: int) -> float:
    return min(_PAUSE * 2.0 ** max(tries - 1, 0), _LONGEST_WAIT) * random.uniform(0.5, 1)


def _retry_after(error: urllib.error.HTTPError) -> float | None:
    seconds = str(error.headers.get("Retry-After", ""))
    return float(seconds) if seconds.isdigit() else None


def _refused(remote: Remote, reason: str) -> FetchError:
    hint = " (SSL_CERT_FILE names the certificates to trust)" if "CERTIFICATE" in reason else ""
    return FetchError(
        f"{remote.url} cannot be had: {reason}{hint}. What came is kept, and the next try goes on from there. "
        "PUNCTUM_MIRROR names another server; or bring the file by other means and pass its folder as data_dir"
    )


def _certificates() -> ssl.SSLContext:
    """Those of the environment, else certifi's where it is installed, else the system's."""
    if not os.environ.get("SSL_CERT_FILE"):
        try:
            import certifi

            return ssl.create_default_context(cafile=certifi.where())
        except ImportError:
            pass
    return ssl.create_default_context()
