"""The docs name everything that there is, and their links lead somewhere."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from punctum import answers, discovery
from punctum.cli import _parser
from punctum.evaluators import benchmark_of

ROOT = Path(__file__).resolve().parent.parent
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]


def commands(parser: argparse.ArgumentParser | None = None, prefix: str = "") -> dict[str, set[str]]:
    """Command, and command with its own commands, to long options."""
    found: dict[str, set[str]] = {}
    for action in (parser or _parser())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                options = {o for a in child._actions for o in a.option_strings if o.startswith("--")}
                found[f"{prefix}{name}"] = options - {"--help"}
                found |= commands(child, f"{prefix}{name} ")
    return found


def test_every_command_and_option_is_described() -> None:
    text = "\n".join(PAGES.values())
    missing = [f"punctum {c}" for c in commands() if f"punctum {c}" not in text]
    missing += [f"{c} {o}" for c, options in commands().items() for o in options if o not in text]
    assert not missing


def test_every_benchmark_has_a_page_that_names_its_tasks_and_keys() -> None:
    for name in discovery.benchmarks():
        page = PAGES[f"{name}.md"]
        benchmark = benchmark_of(name)
        missing = [t.name for t in benchmark.tasks if f"{name}/{t.name}" not in page]
        keys = {key.removesuffix("_low").removesuffix("_high") for t in benchmark.tasks for key in t.headline}
        missing += [key for key in keys if key not in page]
        missing += [s for t in benchmark.tasks for s in t.subsets if s not in page]
        assert not missing, (name, missing)


def test_every_metric_and_backend_is_described() -> None:
    missing = [name for name in discovery.metrics() if f"`{name}`" not in PAGES["metrics.md"]]
    missing += [scheme for scheme in discovery.backends() if scheme and f"`{scheme}:" not in PAGES["models.md"]]
    assert not missing


def test_every_parser_is_described() -> None:
    assert not [name for name in answers.PARSERS if f"`{name}`" not in PAGES["answers.md"] and name != "robust"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8"))
    dead = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert not dead


def test_examples_of_the_answers_page_are_true() -> None:
    block = re.findall(r"```python\n(.*?)```", PAGES["answers.md"], re.S)[0]
    scope: dict[str, object] = {}
    checked = 0
    for line in block.splitlines():
        code, mark, wanted = line.partition("# ")
        if mark:
            assert repr(eval(code, scope)) == wanted.strip(), line
            checked += 1
        else:
            exec(code, scope)
    assert checked == 4


def test_python_examples_of_the_readme_run(tmp_path: Path) -> None:
    """They stand one after the other, as a reader would type them, in a process with caches of its own."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 2
    code, _, comment = blocks[1].rstrip().rpartition("\n# ")
    *lines, last = code.strip().splitlines()
    script = "\n".join([blocks[0], 'print(scores["n"], precision["prec_at_1"])', *lines, f"print(repr({last}))"])
    environment = {**os.environ, "HF_MODULES_CACHE": str(tmp_path), "PUNCTUM_REGISTER": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["72 1.0", comment]
