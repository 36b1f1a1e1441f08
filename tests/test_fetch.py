"""Downloads against a loopback server that breaks, lies, forgets and refuses."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import datasets
import pytest

import punctum
from punctum.cli import main
from punctum.datasets_scripts import fetching, transfer
from punctum.datasets_scripts.transfer import FetchError, Remote, bring

BODY = bytes(range(256)) * 4000  # 1 MB
Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Answers what `server.answers[path]` says; by default all of `server.files[path]`, with ranges."""

    def do_GET(self) -> None:
        server: Any = self.server
        server.asked.append((self.path, self.headers.get("Range")))
        queue = server.answers.get(self.path, [])
        (queue.pop(0) if queue else whole)(self)

    do_HEAD = do_GET

    def log_message(self, *args: Any) -> None:
        pass


def whole(handler: Handler, ranges: bool = True, cut: int | None = None) -> None:
    """The file, or the part of it that was asked for; `cut`: break off after so many bytes of it."""
    server: Any = handler.server
    body: bytes | None = server.files.get(handler.path)
    if body is None:
        handler.send_error(404)
        return
    asked = re.match(r"bytes=(\d+)-", handler.headers.get("Range", "")) if ranges else None
    start = int(asked[1]) if asked else 0
    if start >= len(body):
        handler.send_error(416)
        return
    handler.send_response(206 if asked else 200)
    if asked:
        handler.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
    handler.send_header("Content-Length", str(len(body) - start))
    handler.end_headers()
    handler.wfile.write(body[start:] if cut is None else body[start : start + cut])


def broken(at: int) -> Answer:
    return lambda handler: whole(handler, cut=at)


def without_ranges(cut: int | None = None) -> Answer:
    return lambda handler: whole(handler, ranges=False, cut=cut)


def status(code: int, **headers: str) -> Answer:
    def answer(handler: Handler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {"/file": BODY}
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[tuple[str, str | None]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def remote(self, path: str = "/file", body: bytes = BODY) -> Remote:
        return Remote(self.url + path, len(body), hashlib.sha256(body).hexdigest())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(transfer, "_PAUSE", 0.001)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    made = Server()
    threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def part(target: Path) -> Path:
    return target.with_name(f".{target.name}.part")


def test_a_broken_connection_is_gone_on_from_where_it_broke(server: Server, tmp_path: Path) -> None:
    server.answers["/file"] = [broken(300_000), status(503, Retry_After="0"), broken(100_000)]
    seen: list[int] = []
    bring(server.remote(), tmp_path / "file", seen.append)
    assert (tmp_path / "file").read_bytes() == BODY
    assert not part(tmp_path / "file").exists()
    ranges = [asked for _, asked in server.asked]
    assert ranges == [None, "bytes=300000-", "bytes=300000-", "bytes=400000-"]
    assert seen == sorted(seen) and seen[-1] == len(BODY)


def test_a_later_call_goes_on_too(server: Server, tmp_path: Path) -> None:
    part(tmp_path / "file").write_bytes(BODY[:500_000])
    bring(server.remote(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY
    assert server.asked == [("/file", "bytes=500000-")]


def test_a_server_without_ranges_starts_again(server: Server, tmp_path: Path) -> None:
    server.answers["/file"] = [without_ranges(cut=300_000), without_ranges()]
    bring(server.remote(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY
    assert len(server.asked) == 2


def test_a_part_of_another_file_is_thrown_away(server: Server, tmp_path: Path) -> None:
    part(tmp_path / "file").write_bytes(b"x" * 1000)
    bring(server.remote(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY
    assert [asked for _, asked in server.asked] == ["bytes=1000-", None]


@pytest.mark.parametrize("left", [len(BODY), len(BODY) + 5])
def test_a_part_as_long_as_the_file_or_longer(server: Server, tmp_path: Path, left: int) -> None:
    part(tmp_path / "file").write_bytes(b"x" * left)
    bring(server.remote(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY


def test_a_part_that_the_server_says_is_too_long(server: Server, tmp_path: Path) -> None:
    """The file there was shorter for a while."""
    part(tmp_path / "file").write_bytes(BODY[:900_000])
    server.answers["/file"] = [status(416)]
    bring(server.remote(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY


@pytest.mark.parametrize("body", [BODY[:-1] + b"?", BODY + b"?", BODY[:-1]])
def test_another_content_is_refused_and_not_kept(server: Server, tmp_path: Path, body: bytes) -> None:
    server.files["/file"] = body
    with pytest.raises(FetchError, match=r"(?s)/file is not the file|/file cannot be had") as error:
        bring(server.remote(), tmp_path / "file")
    assert not (tmp_path / "file").exists()
    if len(body) == len(BODY):
        assert hashlib.sha256(body).hexdigest() in str(error.value)
        assert server.remote().sha256 in str(error.value)
        assert not part(tmp_path / "file").exists()


def test_a_missing_file_is_told_at_once(server: Server, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"/gone cannot be had: 404 Not Found.*PUNCTUM_MIRROR"):
        bring(server.remote("/gone"), tmp_path / "file")
    assert len(server.asked) == 1


def test_a_server_that_is_never_ready(server: Server, tmp_path: Path) -> None:
    server.answers["/file"] = [status(503)] * 50
    with pytest.raises(FetchError, match=r"503 Service Unavailable, 6 times"):
        bring(server.remote(), tmp_path / "file")
    assert len(server.asked) == 6


def test_a_server_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_PAUSE", 0.001)
    gone = Server()
    gone.server_close()
    with pytest.raises(FetchError, match="refused"):
        bring(gone.remote(), tmp_path / "file")


def test_any_number_of_breaks_is_fine_while_bytes_come(server: Server, tmp_path: Path) -> None:
    server.answers["/file"] = [broken(50_000)] * 20
    bring(server.remote(), tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == BODY
    assert len(server.asked) == 21


# Benchmarks, by a mirror


NAMES = ("Annotation.json", "DeepSemantics_Questions.json", "Descripion_Questions.json", "Title_Questions.json")


@pytest.fixture
def mirror(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The files of DeepEval's sample in place of the published ones, under their addresses and pinned."""
    scripts = tmp_path / "scripts"
    (scripts / "deepeval").mkdir(parents=True)
    real = Path(fetching.__file__).parent / "deepeval"
    value = json.loads((real / "sources.json").read_text())
    assert set(value["pinned"]["files"]) == set(NAMES)
    for name in NAMES:
        body = (real / "sample" / name).read_bytes()
        value["pinned"]["files"][name] = {"size": len(body), "sha256": hashlib.sha256(body).hexdigest()}
        revision = "b26126a33976e0ebbf9c048249ddceeae00e85d7"
        server.files[f"/m/raw.githubusercontent.com/AnnaYang2020/DeepEval/{revision}/data/{name}"] = body
    (scripts / "deepeval" / "sources.json").write_text(json.dumps(value))
    monkeypatch.setattr(fetching, "_FOLDER", scripts)
    monkeypatch.setenv("PUNCTUM_MIRROR", f"{server.url}/m/")
    monkeypatch.setenv("PUNCTUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "0")
    return server


def test_fetch_gives_a_folder_and_asks_nothing_twice(mirror: Server, tmp_path: Path) -> None:
    folder = Path(punctum.fetch("deepeval"))
    assert folder == tmp_path / "cache/data/deepeval-b26126a33976"
    assert sorted(path.name for path in folder.iterdir() if path.name[0] != ".") == sorted(NAMES)
    assert fetching.revision_of("deepeval", folder) == "b26126a33976e0ebbf9c048249ddceeae00e85d7"
    assert len(mirror.asked) == 4
    assert punctum.fetch("deepeval") == str(folder)
    assert len(mirror.asked) == 4
    (folder / NAMES[0]).write_text("changed")
    assert fetching.revision_of("deepeval", folder) is None
    punctum.fetch("deepeval")
    assert len(mirror.asked) == 5


def test_the_rows_come_without_data_dir(mirror: Server, tmp_path: Path) -> None:
    rows = punctum.load("deepeval", "title", cache_dir=str(tmp_path / "arrow"))
    assert len(rows) == 24
    asked = len(mirror.asked)
    by_name = datasets.load_dataset("deepeval", "title", split="test", cache_dir=str(tmp_path / "arrow"))
    assert by_name["id"] == rows["id"]
    stream = datasets.load_dataset("deepeval", "title", split="test", streaming=True)
    assert next(iter(stream))["id"] == rows[0]["id"]
    assert len(punctum.load("deepeval", "title", cache_dir=str(tmp_path / "arrow"))) == 24
    assert len(mirror.asked) == asked == 4


def test_a_misspelt_config_downloads_nothing(mirror: Server, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="titel"):
        punctum.load("deepeval", "titel", cache_dir=str(tmp_path / "arrow"))
    assert mirror.asked == []


def test_offline_says_what_to_do(mirror: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    message = r"HF_DATASETS_OFFLINE is set, and Annotation.json, .* are not in .*deepeval-b26126a33976"
    with pytest.raises(ValueError, match=message):
        punctum.fetch("deepeval")
    with pytest.raises(ValueError, match=f"deepeval needs data_dir.*{message}.*punctum.sample"):
        punctum.load("deepeval", "title", cache_dir=str(tmp_path / "arrow"))
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "0")
    punctum.fetch("deepeval")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    assert punctum.fetch("deepeval")


def test_the_command_prints_the_folder(mirror: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine"
    assert main(["fetch", "deepeval", "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{out}\n"
    assert 'images="download"' in printed.err
    assert (out / NAMES[2]).is_file()
    (out / NAMES[2]).write_text("mine")
    assert main(["fetch", "deepeval", "--out", str(out)]) == 2
    assert "Descripion_Questions.json is there already with another content" in capsys.readouterr().err
    assert (out / NAMES[2]).read_text() == "mine"


def test_a_download_that_fails_ends_the_command_with_1(mirror: Server, capsys: pytest.CaptureFixture[str]) -> None:
    mirror.files.clear()
    assert main(["fetch", "deepeval", "--quiet"]) == 1
    assert "404 Not Found" in capsys.readouterr().err


def test_run_fetches_by_itself(mirror: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "arrow"))
    command = ["run", "deepeval/title", "--model", "baseline:first", "--quiet", "--resamples", "0"]
    assert main([*command, "--json", str(tmp_path / "results.json")]) == 0
    task = json.loads((tmp_path / "results.json").read_text())["tasks"]["title"]
    assert task["n"] == 72  # three prompts a question
    assert "|data:published@b26126a33976|" in task["signature"]


def test_a_mirror_must_be_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNCTUM_MIRROR", "/srv/mirror")
    with pytest.raises(ValueError, match="PUNCTUM_MIRROR='/srv/mirror' is no http or https address"):
        punctum.fetch("mvp_bench")


def test_unknown_names_are_told_with_the_known() -> None:
    with pytest.raises(ValueError, match=r"no benchmark 'vag' to fetch: one of .*deepeval"):
        punctum.fetch("vag")


@pytest.mark.parametrize(
    "path", sorted(Path(fetching.__file__).parent.glob("*/sources.json")), ids=lambda p: p.parent.name
)
def test_every_sources_file_is_complete(path: Path) -> None:
    found = fetching.sources(path.parent.name)
    assert found.homepage.startswith("https://")
    assert found.public or found.by_hand
    for name, remote in found.files.items():
        assert found.revision is not None and found.revision in remote.url and remote.url.endswith(name)
        assert re.fullmatch("[0-9a-f]{64}", remote.sha256) and remote.size > 0
    assert all(line.endswith(".") and not line.endswith("..") for line in found.by_hand_lines())


@pytest.mark.shared
@pytest.mark.parametrize("benchmark", ["deepeval", "mvp_bench"])
def test_the_pins_are_those_of_the_published_files(shared: Path, benchmark: str) -> None:
    assert fetching.revision_of(benchmark, shared / "data" / benchmark) == fetching.sources(benchmark).revision


# The Hub, by its real client against a loopback server

COMMIT = "0123456789abcdef0123456789abcdef01234567"
HUB = """
import json, sys
from pathlib import Path
from punctum.datasets_scripts import fetching
fetching._FOLDER = Path(sys.argv[1])
out = sys.argv[2] if len(sys.argv) > 2 else None
try:
    folder = fetching.fetch("onhub", out)
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and ".cache" not in p.parts)
    print(json.dumps([str(folder), names, fetching.revision_of("onhub", folder)]))
except Exception as error:
    print(json.dumps(f"{type(error).__name__}: {error}"))
"""


def hub_answers(server: Server, files: dict[str, bytes]) -> None:
    """What the Hub answers about the dataset `some/set`."""

    def send(handler: Handler, body: bytes, **headers: str) -> None:
        handler.send_response(200)
        for name, value in {"Content-Length": str(len(body)), "X-Repo-Commit": COMMIT, **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        if handler.command == "GET":
            handler.wfile.write(body)

    info = {"id": "some/set", "sha": COMMIT, "siblings": [{"rfilename": name} for name in files], "private": False}
    tree = [{"type": "file", "path": n, "size": len(b), "oid": hashlib.sha1(b).hexdigest()} for n, b in files.items()]

    def answer(body: bytes, **headers: str) -> Answer:
        return lambda handler: send(handler, body, **headers)

    for revision in ("main", COMMIT):
        server.answers[f"/api/datasets/some/set/revision/{revision}"] = [answer(json.dumps(info).encode())] * 50
        server.answers[f"/api/datasets/some/set/tree/{revision}?recursive=true&expand=false"] = [
            answer(json.dumps(tree).encode())
        ] * 50
    for name, body in files.items():
        etag = f'"{hashlib.sha1(body).hexdigest()}"'
        server.answers[f"/datasets/some/set/resolve/{COMMIT}/{name}"] = [answer(body, ETag=etag)] * 50


@pytest.fixture
def on_hub(server: Server, tmp_path: Path) -> Callable[..., Any]:
    folder = tmp_path / "scripts/onhub"
    folder.mkdir(parents=True)
    hub = {"repo": "some/set", "revision": None, "patterns": ["data/*.parquet"], "gated": True}
    by_hand = [{"what": "two files", "how": "go into a folder"}]
    sources = {"homepage": "https://example.org", "hub": hub, "by_hand": by_hand}
    (folder / "sources.json").write_text(json.dumps(sources))

    def fetch(*out: str, **env: str) -> Any:
        home = {"HF_HOME": str(tmp_path / "home"), "HF_ENDPOINT": server.url, "HF_HUB_OFFLINE": "0"}
        quiet = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
        done = subprocess.run(
            [sys.executable, "-c", HUB, str(folder.parent), *out],
            env={**os.environ, **home, **quiet, **env},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return fetch


def test_a_dataset_of_the_hub_with_its_revision(server: Server, on_hub: Callable[..., Any], tmp_path: Path) -> None:
    hub_answers(server, {"README.md": b"card", "data/train-00000-of-00001.parquet": b"rows"})
    folder, names, revision = on_hub()
    assert names == ["data/train-00000-of-00001.parquet"]
    assert revision == COMMIT == Path(folder).name
    asked = len(server.asked)
    assert on_hub(HF_HUB_OFFLINE="1") == [folder, names, revision]
    assert len(server.asked) == asked
    assert on_hub(str(tmp_path / "mine")) == [str(tmp_path / "mine"), names, revision]


def test_a_gated_dataset_says_where_to_ask(server: Server, on_hub: Callable[..., Any]) -> None:
    refused = status(403, X_Error_Code="GatedRepo", X_Error_Message="ask first")
    server.answers["/api/datasets/some/set/revision/main"] = [refused] * 9
    message = on_hub()
    assert message.startswith(
        "ValueError: onhub cannot be fetched: it is gated: ask at https://huggingface.co/datasets"
    )
    assert message.endswith("onhub's two files go into a folder.")


def test_the_hub_in_offline_mode(on_hub: Callable[..., Any]) -> None:
    message = on_hub(HF_HUB_OFFLINE="1")
    assert message.startswith("ValueError: onhub cannot be fetched: HF_HUB_OFFLINE is set")
    assert message.endswith("onhub's two files go into a folder.")


def test_a_hub_that_does_not_answer(server: Server, on_hub: Callable[..., Any]) -> None:
    gone = Server()
    gone.server_close()
    assert "some/set did not answer, and it is not in the Hub's cache. HF_ENDPOINT" in on_hub(HF_ENDPOINT=gone.url)
    server.answers["/api/datasets/some/set/revision/main"] = [status(500)] * 50
    assert on_hub().startswith(("FetchError: https://huggingface.co/datasets/some/set", "ValueError: onhub"))


@pytest.mark.parametrize("benchmark", ["pitt_ads"])
def test_what_is_on_request_says_whom_to_ask_and_what_goes_where(benchmark: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be fetched: .*https://.* on request: put final_csv.csv"):
        punctum.fetch(benchmark)
