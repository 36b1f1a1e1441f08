"""DeepEval's pictures by their addresses: 81 hosts, many gone; what cannot be fetched is listed, not fatal."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from punctum.datasets_scripts.reading import Report

_AT_A_TIME = 8


def fetch(urls: Mapping[str, str], dl_manager: Any, report: Report) -> dict[str, str]:
    """Download pictures through the datasets download manager (its cache, proxies and offline mode).

    Args:
        urls: image id to address.
        dl_manager: of `_split_generators`.
        report: where pictures that could not be fetched are listed, with the reason.

    Returns:
        Image id to file, for those that came.

    Raises:
        ValueError: when streaming, which downloads nothing beforehand.
    """
    if getattr(dl_manager, "is_streaming", False):
        raise ValueError('images="download" does not stream: load with streaming=False')

    def one(url: str) -> tuple[str | None, str]:
        if urlsplit(url).scheme not in ("http", "https"):
            return None, "no web address"
        try:
            return str(dl_manager.download(url)), ""
        except Exception as error:  # whatever a dead host does, the others are still wanted
            return None, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"

    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        results = list(pool.map(one, urls.values()))
    files = {}
    for name, url, (file, reason) in zip(urls, urls.values(), results, strict=True):
        if file is None:
            report.add("pictures that could not be fetched", f"{name} {url} ({reason})")
        else:
            files[name] = file
    return files
