"""`evaluate.load` finds the metrics by bare name: after `import punctum`, and after `punctum register` anywhere."""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from punctum import _evaluate, discovery
from punctum.cli import main

PAGE = Path(__file__).resolve().parent.parent / "docs" / "metrics.md"
NAMES = sorted(discovery.metrics())
PREC = {"predictions": [[3, 7, 12], [5, 6, 2]], "references": [[7, 12, 9], [0, 1, 2]]}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of this test's own; returns the folder of names in it."""
    monkeypatch.setattr(_evaluate, "modules_cache", lambda: tmp_path / "modules")
    monkeypatch.setattr(_evaluate, "_at_import", {})
    monkeypatch.setenv(_evaluate.SWITCH, "1")
    return tmp_path / "modules" / "evaluate_modules" / "metrics"


def home(root: Path, name: str = "prec_at_k") -> Path:
    return root / f"evaluate-metric--{name}"


def versions(root: Path, name: str = "prec_at_k") -> list[Path]:
    """What is in a name's folder beside its `__init__.py`."""
    return [path for path in home(root, name).iterdir() if path.name not in ("__init__.py", "__pycache__")]


def newest(root: Path, name: str = "prec_at_k") -> Path:
    """The version that evaluate takes, by its own rule."""
    found = [path for path in home(root, name).iterdir() if len(path.name) == 64]
    return max(found, key=lambda path: (path / f"{name}.py").stat().st_mtime)


def states(root: Path) -> set[str]:
    return set(_evaluate.register().values())


def foreign(root: Path, when: float) -> Path:
    """A version that somebody else put there, with its script's time."""
    folder = home(root) / ("f" * 64)
    folder.mkdir(parents=True)
    (folder / "prec_at_k.py").write_text("# another's\n")
    os.utime(folder / "prec_at_k.py", (when, when))
    return folder


def test_a_copy_is_the_folders_code(root: Path) -> None:
    assert _evaluate.register() == dict.fromkeys(NAMES, "added")
    for name, source in discovery.metrics().items():
        [copy] = versions(root, name)
        assert len(copy.name) == 64
        code = {path.name: path.read_bytes() for path in source.glob("*.py")}
        assert {path.name: path.read_bytes() for path in copy.glob("*.py")} == code
        assert json.loads((copy / "punctum.json").read_text())["metric"] == name
    assert states(root) == {"unchanged"}


def test_a_stale_copy_is_noticed_and_replaced(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "prec_at_k"
    source.mkdir()
    (source / "prec_at_k.py").write_text("old = 1\n")
    monkeypatch.setattr(discovery, "metrics", lambda: {"prec_at_k": source})
    _evaluate.install()
    [old] = versions(root)
    os.utime(old / "prec_at_k.py", (2e9, 2e9))  # from a machine whose clock is years ahead
    (source / "prec_at_k.py").write_text("new = 1\n")  # of the same length
    assert _evaluate.register() == {"prec_at_k": "updated"}
    [new] = versions(root)
    assert new != old and (new / "prec_at_k.py").read_text() == "new = 1\n"
    assert states(root) == {"unchanged"}


def test_a_helper_counts_too(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "prec_at_k"
    source.mkdir()
    (source / "prec_at_k.py").write_text("from .core import x\n")
    (source / "core.py").write_text("x = 1\n")
    monkeypatch.setattr(discovery, "metrics", lambda: {"prec_at_k": source})
    _evaluate.register()
    (source / "core.py").write_text("x = 2\n")
    assert _evaluate.register() == {"prec_at_k": "updated"}
    assert (newest(root) / "core.py").read_text() == "x = 2\n"


@pytest.mark.parametrize("damage", ["other bytes", "cut short", "a file gone", "the script gone"])
def test_a_damaged_copy_is_replaced(root: Path, damage: str) -> None:
    _evaluate.register()
    [copy] = versions(root)
    script, core = copy / "prec_at_k.py", copy / "core.py"
    if damage == "other bytes":
        core.write_bytes(core.read_bytes().replace(b"k", b"K", 1))
    elif damage == "cut short":
        core.write_bytes(core.read_bytes()[:100])
    else:
        (core if damage == "a file gone" else script).unlink()
    changed = _evaluate.register()
    assert changed.pop("prec_at_k") == "updated" and set(changed.values()) == {"unchanged"}
    assert versions(root) == [copy]
    assert core.read_bytes() == (discovery.metrics()["prec_at_k"] / "core.py").read_bytes() and script.is_file()


def test_a_version_without_its_script_breaks_no_look_up(root: Path) -> None:
    """evaluate looks at the script's time in every folder with a name of 64 characters."""
    _evaluate.register()
    (home(root) / ("0" * 64)).mkdir()
    with pytest.raises(FileNotFoundError):
        newest(root)
    assert _evaluate.register()["prec_at_k"] == "updated"
    assert [newest(root)] == versions(root)


@pytest.mark.parametrize("first", [True, False])
def test_ours_wins_over_anothers_and_leaves_it_alone(root: Path, first: bool) -> None:
    ahead = time.time() + 1000
    if first:
        theirs = foreign(root, ahead)
        assert _evaluate.register()["prec_at_k"] == "added"
    else:
        _evaluate.register()
        theirs = foreign(root, ahead)
        assert newest(root) == theirs
        assert _evaluate.register()["prec_at_k"] == "updated"
    assert newest(root) != theirs
    assert states(root) == {"unchanged"}
    assert _evaluate.remove() == dict.fromkeys(NAMES, "removed")
    assert versions(root) == [theirs]


def test_remove_takes_everything_away(root: Path) -> None:
    _evaluate.register()
    assert _evaluate.remove() == dict.fromkeys(NAMES, "removed")
    assert not list(root.glob("evaluate-metric--*"))
    assert _evaluate.remove() == {}
    assert states(root) == {"added"}


def test_what_a_killed_process_left_is_swept_up(root: Path) -> None:
    left, under_way = home(root) / ".punctum-1-a", home(root) / ".punctum-2-b"
    for folder in (left, under_way):
        folder.mkdir(parents=True)
    os.utime(left, (1e9, 1e9))
    _evaluate.register()
    assert not left.exists() and under_way.exists()


def test_a_metric_that_is_no_more_is_unregistered(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _evaluate.register()
    kept = {name: path for name, path in discovery.metrics().items() if name != "prec_at_k"}
    monkeypatch.setattr(discovery, "metrics", lambda: kept)
    assert _evaluate.register()["prec_at_k"] == "removed"
    assert not home(root).exists() and home(root, "top_k_accuracy").exists()


def test_importing_writes_nothing_when_nothing_has_changed(root: Path) -> None:
    _evaluate.install()
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    assert len(before) > len(NAMES)
    _evaluate.install()
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_importing_costs_little(root: Path) -> None:
    _evaluate.install()
    times = []
    for _ in range(9):
        start = time.perf_counter()
        _evaluate.install()
        times.append(time.perf_counter() - start)
    assert statistics.median(times) < 0.05


@pytest.mark.parametrize("word", ["0", "no", "False"])
def test_a_variable_keeps_the_import_out_of_the_cache(root: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv(_evaluate.SWITCH, word)
    _evaluate.install()
    assert not root.exists()


def test_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _evaluate.install()  # as the import does, before the command can look
    assert main(["register"]) == 0
    out = capsys.readouterr().out
    assert "added     prec_at_k" in out and f"{len(NAMES)} added: {root.parent.parent}" in out
    assert main(["register"]) == 0
    assert f"{len(NAMES)} unchanged" in capsys.readouterr().out
    assert main(["register", "--remove"]) == 0
    out = capsys.readouterr().out
    assert "removed   prec_at_k" in out and "PUNCTUM_REGISTER=0" in out
    assert main(["register", "--remove"]) == 0
    assert "nothing to remove" in capsys.readouterr().out
    assert main(["register", "--quiet"]) == 0 and capsys.readouterr().out == ""
    assert versions(root)


def test_the_command_says_why_it_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, no folder")
    monkeypatch.setattr(_evaluate, "modules_cache", lambda: blocked)
    assert main(["register"]) == 2
    assert str(blocked) in capsys.readouterr().err


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"XDG_CACHE_HOME": "~/xdg"},
        {"HF_HOME": "~/hf", "XDG_CACHE_HOME": "/xdg"},
        {"HF_MODULES_CACHE": "/modules", "HF_HOME": "/hf"},
    ],
    ids=lambda settings: "+".join(settings) or "none",
)
def test_the_cache_is_found_as_evaluate_finds_it(settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = pytest.importorskip("evaluate")
    for name in ("XDG_CACHE_HOME", "HF_HOME", "HF_MODULES_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert _evaluate.modules_cache() == evaluate.config.HF_MODULES_CACHE, "what evaluate has settled on counts"
    again = spec_from_file_location("evaluate.config_again", evaluate.config.__file__)
    assert again is not None and again.loader is not None
    config = module_from_spec(again)
    again.loader.exec_module(config)
    monkeypatch.delitem(sys.modules, "evaluate.config")
    assert _evaluate.modules_cache() == config.HF_MODULES_CACHE


# In processes of their own


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A cache of its own; no request to anybody but this machine."""
    own = {"HF_HOME": str(folder), "HF_UPDATE_DOWNLOAD_COUNTS": "0", "NO_PROXY": "127.0.0.1", "PUNCTUM_REGISTER": "1"}
    kept = {name: value for name, value in os.environ.items() if name not in ("HF_MODULES_CACHE", "XDG_CACHE_HOME")}
    return {**kept, **own, **more}


def start(code: str, env: dict[str, str], cwd: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code]
    return subprocess.Popen(command, env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(code: str, env: dict[str, str], cwd: Path) -> str:
    process = start(code, env, cwd)
    out, err = process.communicate(timeout=180)
    assert process.returncode == 0, err
    return out.strip()


AFTER_IMPORT = f"""
import json, punctum, evaluate
data = {PREC!r}
whole = evaluate.load("prec_at_k").compute(**data)
metric = evaluate.load("prec_at_k")
for row in range(2):
    metric.add_batch(**{{key: rows[row : row + 1] for key, rows in data.items()}})
assert metric.compute() == whole
both = evaluate.combine(["prec_at_k", "top_k_accuracy"])
for row in range(2):
    both.add_batch(**{{key: rows[row : row + 1] for key, rows in data.items()}})
results = [whole, both.compute(), evaluate.combine(["prec_at_k", "top_k_accuracy"]).compute(**data)]
scope, checked = {{}}, 0
for line in open({str(PAGE)!r}, encoding="utf-8").read().split("```python\\n")[1].split("```")[0].splitlines():
    code, mark, wanted = line.partition("  # (")
    if mark:
        assert repr(eval(code, scope)) == "(" + wanted, line
        checked += 1
    else:
        exec(code, scope)
print(json.dumps([*results, checked]))
"""


def test_load_batches_and_combine_after_the_import(tmp_path: Path) -> None:
    whole, batched, combined, examples = json.loads(run(AFTER_IMPORT, environment(tmp_path / "hf"), tmp_path))
    assert whole["prec_at_1"] == 1.0 and whole["prec_at_2"] == 0.75
    assert batched == combined
    assert examples == 2, "docs/metrics.md"
    assert batched["prec_at_2"] == 0.75 and batched["top_1_accuracy"] == 0.0 and batched["top_2_accuracy"] == 0.5


class _NotFound(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_error(404)

    do_GET = do_HEAD

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hosts() -> Iterator[dict[str, str]]:
    """A host that refuses connections, one that has nothing, and one that accepts and stays silent."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        refusing = closed.getsockname()[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), _NotFound)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ports = {"refusing": refusing, "empty": server.server_port, "silent": silent.getsockname()[1]}
        yield {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
    server.shutdown()
    server.server_close()
    thread.join()


ELSEWHERE = f"""
import functools, json, os, sys
import evaluate, evaluate.loading
from evaluate.utils import file_utils
data, results = {PREC!r}, []
patient = file_utils._request_with_retry
def hasty(*args, **kwargs):
    return patient(*args, **{{**kwargs, "timeout": 0.5}})  # evaluate waits 100 seconds, three times
file_utils._request_with_retry = hasty
for offline, host in [(True, "http://127.0.0.1:1"), *((False, host) for host in json.loads(os.environ["HOSTS"]))]:
    evaluate.config.HF_EVALUATE_OFFLINE = offline
    evaluate.config.HF_ENDPOINT = host
    evaluate.config.HUB_EVALUATE_URL = host + "/spaces/{{path}}/resolve/{{revision}}/{{name}}"
    results.append(evaluate.load("prec_at_k").compute(**data)["prec_at_2"])
assert not [name for name in sys.modules if name.split(".")[0] == "punctum"]
print(json.dumps(results))
"""


def test_every_process_knows_the_names_offline_and_online(tmp_path: Path, hosts: dict[str, str]) -> None:
    env = environment(tmp_path / "hf", HF_EVALUATE_OFFLINE="0", HOSTS=json.dumps(list(hosts.values())))
    run("from punctum.cli import main; assert main(['register']) == 0", env, tmp_path)
    assert json.loads(run(ELSEWHERE, env, tmp_path)) == [0.75] * 4


@pytest.mark.parametrize("before", ["nothing", "stale copies", "damaged copies"])
def test_many_processes_at_once_leave_one_clean_copy_each(tmp_path: Path, before: str) -> None:
    env = environment(tmp_path / "hf")
    root = tmp_path / "hf" / "modules" / "evaluate_modules" / "metrics"
    if before != "nothing":
        run("import punctum", env, tmp_path)
        for name in NAMES:
            [copy] = versions(root, name)
            if before == "stale copies":
                copy.rename(copy.with_name("0" * 64))
            else:
                (copy / "core.py").write_text("")
    gate = tmp_path / "gate"
    code = (
        "import os, time, punctum.discovery\nfrom punctum import _evaluate\n"
        f"while not os.path.exists({str(gate)!r}): time.sleep(0.001)\n"
        "print(sorted(_evaluate.register().items()))"
    )
    processes = [start(code, {**env, "PUNCTUM_REGISTER": "0"}, tmp_path) for _ in range(8)]
    time.sleep(1)
    gate.touch()
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    for name in NAMES:
        [copy] = versions(root, name)
        assert (copy / "core.py").stat().st_size > 0 and newest(root, name) == copy


@pytest.mark.parametrize("where", ["a file", "a folder that cannot be made"])
def test_the_import_is_silent_where_the_cache_cannot_be_written(tmp_path: Path, where: str) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    place = blocked if where == "a file" else Path("/proc/no/such")
    process = start("import punctum; print(punctum.__version__)", environment(place), tmp_path)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and out.strip() and err == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_cache_is_left_alone(root: Path) -> None:
    root.mkdir(parents=True)
    root.chmod(0o500)
    try:
        _evaluate.install()
        assert list(root.iterdir()) == []
    finally:
        root.chmod(0o700)
