"""The house itself: imports run one way, importing is light, the wheel holds what it must."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "punctum"

#: From the bottom up: a module may import modules of its own layer and of layers before it.
LAYERS: list[set[str]] = [
    {"version"},
    {"records", "answers", "stats", "discovery", "datasets_scripts", "metrics"},
    {"_datasets", "_evaluate", "prompts", "store", "predictions", "sheets", "verdicts", "evaluators.models"},
    {"evaluators", "processes"},
    {"jobs", "runs", "signing"},
    {"together"},
    {"results", "shown", "tables", "evaluating", "statistics", "planning"},
    {"cards", "outward"},
    {"report"},
    {"hub"},
    {"arguments"},
    {"construct"},
    {"commands", "cli"},
]


def layer(module: str) -> int:
    """The layer of a module named relative to the package; the longest name wins."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        for index, names in enumerate(LAYERS):
            if name in names:
                return index
    raise AssertionError(f"punctum.{module} has no place in LAYERS: give it one")


def modules() -> list[tuple[str, Path]]:
    found = []
    for folder, _, files in os.walk(SOURCE, followlinks=True):
        for file in files:
            path = Path(folder) / file
            if file.endswith(".py") and "__pycache__" not in path.parts:
                name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
                found.append((name.removesuffix(".__init__"), path))
    return sorted(found)


def ours(path: Path, package: str) -> set[str]:
    """The modules of the package that a file imports, relative to the package."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.removeprefix("punctum.") for alias in node.names if alias.name.startswith("punctum.")}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "punctum":
            assert node.module is not None
            base = node.module.removeprefix("punctum").removeprefix(".")
            names = [alias.name for alias in node.names]
            if base:
                found.add(base)
            else:
                found |= set(names)
    return found


def test_imports_run_one_way() -> None:
    wrong = []
    for name, path in modules():
        if name == "__init__":
            continue
        for imported in ours(path, name):
            if layer(imported) > layer(name):
                wrong.append(f"punctum.{name} imports punctum.{imported}, which stands above it")
    assert not wrong, "\n".join(wrong)


def test_metrics_import_nothing_of_ours() -> None:
    wrong = [name for name, path in modules() if name.startswith("metrics.") and ours(path, name)]
    assert not wrong


def test_builders_import_only_datasets_and_their_siblings() -> None:
    wrong = []
    for name, path in modules():
        if name.startswith("datasets_scripts."):
            wrong += [f"{name}: {module}" for module in ours(path, name) if not module.startswith("datasets_scripts")]
    assert not wrong


def test_importing_punctum_is_light() -> None:
    heavy = ["torch", "transformers", "datasets", "evaluate", "numpy", "PIL", "rich", "jinja2", "openai"]
    code = f"import punctum, sys; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_does_not_import_torch_or_datasets() -> None:
    code = (
        "import sys\nfrom punctum.cli import main\n"
        "try: main(['run', '--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('torch', 'transformers', 'datasets', 'evaluate') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    return out


def test_the_wheel_holds_everything_and_nothing_else(built: Path) -> None:
    """The wheel is built from the source archive, so this checks both."""
    [wheel] = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert all(top == "punctum" or top.startswith("punctum-") for top in tops), tops
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("no git checkout: nothing to compare the wheel with")
    wanted = set()
    for name in tracked.stdout.splitlines():
        head = name.split("/")[0]
        if head in ("datasets_scripts", "metrics", "prompts", "evaluators"):
            wanted.add(f"punctum/{name}")
        elif name.startswith("src/punctum/") and not (ROOT / name).is_symlink():
            wanted.add(name.removeprefix("src/"))
    assert wanted - set(names) == set(), "tracked files that the wheel lacks"


def test_the_source_archive_holds_the_tests_of_no_one_else(built: Path) -> None:
    [archive] = built.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = file.getnames()
    assert any(name.endswith("/LICENSE") for name in names)
    assert not any("/.git/" in name or "/.venv/" in name for name in names)
