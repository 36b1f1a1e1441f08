"""A Hub on the loopback interface, for the real client: repositories with commits, large files, pull requests.

    with FakeHub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)

Repositories stand in `hub.repos`, by `datasets/OWNER/NAME`, `spaces/OWNER/NAME` or `OWNER/NAME`; every request in
`hub.asked`. `hub.fail("POST .*/commit/", 412)` lets the next request that fits fail; with `"cut"` the connection
is closed before anything is done, with `"lost"` after everything was done. `hub.before` runs ahead of requests that
fit, to let somebody else be faster.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "hf_ThisIsTheTokenOfATest"
Files = dict[str, bytes]
_LARGE = 100_000  # bytes from which a file is kept apart, as the Hub does from 10 MB on


@dataclass
class Repo:
    """A repository: what each commit left, the newest last."""

    private: bool = False
    sdk: str | None = None
    commits: list[tuple[str, Files]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    pulls: list[Files] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)

    @property
    def files(self) -> Files:
        return self.commits[-1][1]

    @property
    def sha(self) -> str:
        return self.commits[-1][0]

    def at(self, revision: str) -> Files | None:
        if revision in ("main", "HEAD"):
            return self.files
        return next((files for sha, files in self.commits if sha == revision), None)

    def add(self, files: Files, message: str = "") -> str:
        sha = hashlib.sha1(f"{len(self.commits)} {sorted(files)} {message}".encode()).hexdigest()
        self.commits.append((sha, files))
        self.messages.append(message)
        return sha


@dataclass
class Asked:
    """A request: its method, path with query, headers (names in lower case) and body."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def line(self) -> str:
        return f"{self.method} {self.path}"


class FakeHub:
    """See the module.

    Attributes:
        tokens: a token to the owners for whom it may write.
        modes: answers `lfs` or `regular` for a path and its size.
    """

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.asked: list[Asked] = []
        self.tokens: dict[str, set[str]] = {TOKEN: {"me", "org"}}
        self.large: Files = {}
        self.faults: list[str] = []
        self.mode: Callable[[str, int], str] = lambda path, size: "lfs" if size >= _LARGE else "regular"
        self._faults: list[tuple[re.Pattern[str], int | str, dict[str, str]]] = []
        self._before: list[tuple[re.Pattern[str], Callable[[], object]]] = []
        self._lock = threading.RLock()
        hub = self

        class Handler(_Handler):
            pass

        Handler.hub = hub
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> FakeHub:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def fail(self, pattern: str, how: int | str, times: int = 1, **headers: str) -> None:
        """Let the next requests fail whose `METHOD path` the pattern matches from the start."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._faults += [(re.compile(pattern), how, named)] * times

    def before(self, pattern: str, act: Callable[[], object], times: int = 1) -> None:
        """Do something ahead of the next requests that fit."""
        self._before += [(re.compile(pattern), act)] * times

    def add(self, key: str, files: Mapping[str, bytes] = {}, private: bool = False) -> Repo:
        """A repository, as the Hub makes it."""
        repo = Repo(private=private)
        repo.add({".gitattributes": b"*.parquet filter=lfs\n", **files}, "initial commit")
        self.repos[key] = repo
        return repo

    def lines(self, pattern: str) -> list[str]:
        """The requests that fit."""
        return [a.line for a in self.asked if re.match(pattern, a.line)]

    def take(self, line: str) -> tuple[int | str, dict[str, str]] | None:
        with self._lock:
            acts = [entry for entry in self._before if entry[0].match(line)]
            if acts:
                self._before.remove(acts[0])
        if acts:
            acts[0][1]()
        with self._lock:
            for entry in self._faults:
                if entry[0].match(line):
                    self._faults.remove(entry)
                    return entry[1], entry[2]
        return None


class _Refused(Exception):
    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._serve()

    do_HEAD = do_POST = do_PUT = do_GET

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = Asked(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        self.hub.asked.append(asked)
        how, headers = self.hub.take(asked.line) or (0, {})
        if how == "cut":
            return self._drop()
        if isinstance(how, int) and how:
            return self._send(how, json.dumps({"error": f"fault {how}"}).encode(), headers)
        try:
            with self.hub._lock:
                answer, headers = self._answer(asked)
        except _Refused as error:
            named = {"X-Error-Message": error.message} | ({"X-Error-Code": error.code} if error.code else {})
            return self._send(error.status, json.dumps({"error": error.message}).encode(), named)
        except Exception as error:  # a fault of this file, which a test must not take for one of the Hub
            self.hub.faults.append(f"{asked.line}: {error!r}")
            return self._send(400, b"{}", {})
        if how == "lost":
            return self._drop()
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        return self._send(200, data, headers)

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        if not any(name.lower() == "content-type" for name in headers):
            self.send_header("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _answer(self, asked: Asked) -> tuple[Any, dict[str, str]]:
        url = urlsplit(asked.path)
        path, query = unquote(url.path), parse_qs(url.query)
        for method, pattern, handle in _ROUTES:
            found = re.fullmatch(pattern, path)
            if found and asked.method in method.split():
                return handle(self, asked, query, **{name: part or "" for name, part in found.groupdict().items()})
        raise _Refused(404, f"no such endpoint: {asked.line}")

    def _owners(self, asked: Asked) -> set[str] | None:
        """For whom the request may write; None without a token."""
        token = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if token and token not in self.hub.tokens:
            raise _Refused(401, "Invalid credentials in Authorization header")
        return self.hub.tokens[token] if token else None

    def _repo(self, asked: Asked, kind: str, repo: str, write: bool = False, pull: bool = False) -> Repo:
        owners = self._owners(asked)
        key = repo if kind == "models" else f"{kind}/{repo}"
        found = self.hub.repos.get(key)
        mine = owners is not None and repo.partition("/")[0] in owners
        if found is None or (found.private and not mine):
            raise _Refused(404 if owners is not None else 401, "Repository not found", "RepoNotFound")
        if write and not (mine or (pull and owners is not None)):
            raise _Refused(403 if owners is not None else 401, "You don't have the required permissions")
        return found

    def create(self, asked: Asked, query: Any) -> Any:
        value = json.loads(asked.body)
        owners = self._owners(asked)
        if owners is None:
            raise _Refused(401, "Invalid username or password.")
        name = f"{value['organization']}/{value['name']}"
        if value["organization"] not in owners:
            raise _Refused(403, "You don't have the rights to create a repository under this namespace")
        kind = f"{value.get('type', 'model')}s"
        key = name if kind == "models" else f"{kind}/{name}"
        if key in self.hub.repos:
            raise _Refused(409, "You already created this repo")
        first = {"style.css": b"body {}", "index.html": b"<p>", "README.md": b"---\nsdk: static\n---\n"}
        repo = self.hub.add(key, first if kind == "spaces" else {}, value.get("visibility") == "private")
        repo.sdk = value.get("sdk")
        return {"url": f"{self.hub.url}/{key}", "name": name, "id": name}, {}

    def validate(self, asked: Asked, query: Any) -> Any:
        self._owners(asked)
        return {"errors": [], "warnings": []}, {}

    def info(self, asked: Asked, query: Any, kind: str, repo: str, rev: str = "main") -> Any:
        found = self._repo(asked, kind, repo)
        files = found.at(rev)
        if files is None:
            raise _Refused(404, "Invalid rev id", "RevisionNotFound")
        sha = found.sha if rev == "main" else rev
        names = [{"rfilename": name} for name in sorted(files)]
        return {"id": repo, "sha": sha, "private": found.private, "siblings": names, "tags": [], "downloads": 0}, {}

    def tree(self, asked: Asked, query: Any, kind: str, repo: str, rev: str, under: str = "") -> Any:
        files = self._repo(asked, kind, repo).at(rev)
        if files is None:
            raise _Refused(404, "Invalid rev id", "RevisionNotFound")
        inside = {n: d for n, d in sorted(files.items()) if not under or n.startswith(f"{under}/")}
        if under and not inside:
            raise _Refused(404, "no such folder", "EntryNotFound")
        folders = {n[: i.start()] for n in inside for i in re.finditer("/", n) if i.start() > len(under)}
        entries = [{"type": "directory", "path": name, "oid": "0" * 40, "size": 0} for name in sorted(folders)]
        entries += [self._entry(name, data) for name, data in inside.items()]
        if query.get("recursive", ["false"])[0].lower() not in ("true", "1"):
            entries = [e for e in entries if "/" not in e["path"][len(under) :].strip("/")]
        return entries, {}

    def paths(self, asked: Asked, query: Any, kind: str, repo: str, rev: str) -> Any:
        files = self._repo(asked, kind, repo).at(rev) or {}
        form = parse_qs(asked.body.decode()) if asked.body[:1] != b"{" else json.loads(asked.body)
        wanted = form["paths"]
        return [self._entry(name, files[name]) for name in wanted if name in files], {}

    def _entry(self, name: str, data: bytes) -> dict[str, Any]:
        oid = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        entry = {"type": "file", "path": name, "size": len(data), "oid": oid}
        if self.hub.mode(name, len(data)) == "lfs":
            entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
            entry["oid"] = hashlib.sha1(b"pointer" + data).hexdigest()
        return entry

    def preupload(self, asked: Asked, query: Any, kind: str, repo: str, rev: str) -> Any:
        files = self._repo(asked, kind, repo, write=True, pull="create_pr" in query).at(rev) or {}
        value = []
        for file in json.loads(asked.body)["files"]:
            entry: dict[str, Any] = {"path": file["path"], "shouldIgnore": False}
            entry["uploadMode"] = self.hub.mode(file["path"], file["size"])
            if file["path"] in files:
                there = self._entry(file["path"], files[file["path"]])
                entry["oid"] = there["lfs"]["oid"] if "lfs" in there else there["oid"]
            value.append(entry)
        return {"files": value}, {}

    def batch(self, asked: Asked, query: Any, repo: str, kind: str) -> Any:
        objects = []
        for thing in json.loads(asked.body)["objects"]:
            entry = {"oid": thing["oid"], "size": thing["size"]}
            if thing["oid"] not in self.hub.large:
                entry["actions"] = {"upload": {"href": f"{self.hub.url}/large/{thing['oid']}"}}
            objects.append(entry)
        return {"transfer": "basic", "objects": objects}, {}

    def upload(self, asked: Asked, query: Any, oid: str) -> Any:
        if hashlib.sha256(asked.body).hexdigest() != oid:
            raise _Refused(400, "other bytes than announced")
        self.hub.large[oid] = asked.body
        return b"", {}

    def commit(self, asked: Asked, query: Any, kind: str, repo: str, rev: str) -> Any:
        pull = query.get("create_pr") == ["1"]
        found = self._repo(asked, kind, repo, write=True, pull=pull)
        lines = [json.loads(line) for line in asked.body.splitlines()]
        header = lines[0]["value"]
        parent = header.get("parentCommit")
        base = found.at(parent) if pull and parent else found.files
        if not pull and parent and parent != found.sha:
            raise _Refused(412, "A commit has happened since. Please refresh and try again.")
        files = dict(base or {})
        for line in lines[1:]:
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                if value["oid"] not in self.hub.large:
                    raise _Refused(400, "a large file was not uploaded")
                files[value["path"]] = self.hub.large[value["oid"]]
            elif line["key"] == "deletedFile":
                if value["path"] not in files:
                    raise _Refused(404, "A file with this name doesn't exist", "EntryNotFound")
                del files[value["path"]]
            else:
                raise _Refused(400, f"unknown line {line['key']}")
        place = f"{self.hub.url}/{'' if kind == 'models' else kind + '/'}{repo}"
        if pull:
            found.pulls.append(files)
            found.titles.append(header["summary"])
            url = f"{place}/discussions/{len(found.pulls)}"
            return {"commitUrl": f"{place}/commit/{'b' * 40}", "commitOid": "b" * 40, "pullRequestUrl": url}, {}
        sha = found.add(files, header["summary"])
        return {"success": True, "commitUrl": f"{place}/commit/{sha}", "commitOid": sha}, {}

    def discussions(self, asked: Asked, query: Any, kind: str, repo: str) -> Any:
        titles = self._repo(asked, kind, repo).titles
        page = int(query["p"][0])
        value = [
            {
                "title": title,
                "num": number,
                "status": "open",
                "isPullRequest": True,
                "createdAt": "2026-01-01T00:00:00.000Z",
            }
            | {"repo": {"name": repo, "type": kind.removesuffix("s")}, "author": {"name": "me"}}
            for number, title in enumerate(titles, 1)
        ]
        return {"count": len(titles), "start": 2 * page, "discussions": value[2 * page : 2 * page + 2]}, {}

    def resolve(self, asked: Asked, query: Any, repo: str, rev: str, file: str, kind: str) -> Any:
        found = self._repo(asked, kind.rstrip("/") or "models", repo)
        files = found.at(rev)
        if files is None:
            raise _Refused(404, "Invalid rev id", "RevisionNotFound")
        if file not in files:
            raise _Refused(404, "Entry not found", "EntryNotFound")
        sha = found.sha if rev in ("main", "HEAD") else rev
        tag = hashlib.sha256(files[file]).hexdigest()
        return files[file], {"ETag": f'"{tag}"', "X-Repo-Commit": sha, "Content-Type": "application/octet-stream"}


_ID = r"(?P<repo>[^/]+/[^/]+?)"
_API = rf"/api/(?P<kind>models|datasets|spaces)/{_ID}"
_PLACE = rf"/(?P<kind>datasets/|spaces/)?{_ID}"
_ROUTES: list[tuple[str, str, Callable[..., Any]]] = [
    ("POST", "/api/repos/create", _Handler.create),
    ("POST", "/api/validate-yaml", _Handler.validate),
    ("GET", _API, _Handler.info),
    ("GET", rf"{_API}/revision/(?P<rev>[^/]+)", _Handler.info),
    ("GET", rf"{_API}/tree/(?P<rev>[^/]+)(/(?P<under>.*))?", _Handler.tree),
    ("GET", rf"{_API}/discussions", _Handler.discussions),
    ("POST", rf"{_API}/paths-info/(?P<rev>[^/]+)", _Handler.paths),
    ("POST", rf"{_API}/preupload/(?P<rev>[^/]+)", _Handler.preupload),
    ("POST", rf"{_API}/commit/(?P<rev>[^/]+)", _Handler.commit),
    ("POST", rf"{_PLACE}\.git/info/lfs/objects/batch", _Handler.batch),
    ("PUT", "/large/(?P<oid>[0-9a-f]+)", _Handler.upload),
    ("GET HEAD", rf"{_PLACE}/resolve/(?P<rev>[^/]+)/(?P<file>.+)", _Handler.resolve),
]
