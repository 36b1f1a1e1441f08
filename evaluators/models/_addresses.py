"""Addresses of servers, which may hold user names, passwords and keys, without them."""

from __future__ import annotations

import base64
from urllib.parse import unquote, urlsplit, urlunsplit


def without_user(url: str) -> str:
    """The address without user name and password, which the client's library would log with each call."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def basic_header(url: str) -> dict[str, str]:
    """The header that stands for user name and password of an address; it takes the place of the key's."""
    parts = urlsplit(url)
    if parts.username is None:
        return {}
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def without_credentials(url: str) -> str:
    """The address without user name, password, query and fragment, any of which may hold a key."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
