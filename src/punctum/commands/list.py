"""`punctum list`: what there is, and what each needs."""

from __future__ import annotations

import argparse
import ast
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from punctum import discovery
from punctum.evaluators import benchmark_of
from punctum.prompts import Prompts
from punctum.sheets import Sheet, print_sheet


def main(args: argparse.Namespace) -> int:
    """Print benchmarks, tasks, metrics and backends."""
    value = inventory()
    if args.json:
        print(json.dumps(value, ensure_ascii=False, indent=2))
        return 0
    if args.quiet:
        print("\n".join(f"{b['name']}/{task['name']}" for b in value["benchmarks"] for task in b["tasks"]))
        return 0
    console = Console()
    for benchmark in value["benchmarks"]:
        print_sheet(console, _tasks(benchmark))
    _two_columns(console, "Metrics", value["metrics"])
    backends = {b["write"]: f"{b['description']}{_needs(b['needs'])}" for b in value["backends"]}
    _two_columns(console, "Models", backends)
    if args.prompts:
        _two_columns(console, "Prompts", {p["name"]: f"{p['source']} ({p['hash']})" for p in value["prompts"]})
    return 0


def _tasks(benchmark: dict[str, Any]) -> Sheet:
    """A benchmark's tasks; whether options can be rotated only where any can."""
    tasks = benchmark["tasks"]
    turns = any(task["can_rotate"] for task in tasks)
    rows = [
        [
            f"{benchmark['name']}/{task['name']}",
            task["form"],
            str(task["n_prompts"]),
            ", ".join(task["settings"]),
            *(["yes" if task["can_rotate"] else "–"] if turns else []),
            ", ".join(task["subsets"]) or "–",
        ]
        for task in tasks
    ]
    columns = ("task", "form", "prompts", "settings", *(["rotations"] if turns else []), "subsets")
    return Sheet(benchmark["title"], columns, rows)


def inventory() -> dict[str, Any]:
    """Everything that `punctum list` shows, as JSON values."""
    prompts = Prompts()
    return {
        "benchmarks": [_benchmark(name) for name in discovery.benchmarks()],
        "metrics": {name: _first_line(path / f"{name}.py") for name, path in discovery.metrics().items()},
        "backends": [
            {
                "scheme": scheme,
                "write": f"{scheme}:…" if scheme else "HUB-ID or FOLDER",
                "description": module.DESCRIPTION,
                "needs": module.NEEDS,
            }
            for scheme, module in sorted(discovery.backends().items())
        ],
        "prompts": [
            {
                "name": name,
                "source": prompts.source(name),
                "hash": prompts.hash(name),
                "text": prompts.path(name).read_text(encoding="utf-8"),
            }
            for name in prompts.names()
        ],
    }


def _benchmark(name: str) -> dict[str, Any]:
    benchmark = benchmark_of(name)
    tasks = [
        {
            "name": task.name,
            "form": task.form,
            "default": task.default,
            "n_prompts": task.n_prompts,
            "settings": list(task.settings),
            "subsets": list(task.subsets),
            "can_rotate": task.can_rotate,
            "headline": list(task.headline),
        }
        for task in benchmark.tasks
    ]
    return {"name": name, "title": benchmark.title, "tasks": tasks}


def _first_line(path: Path) -> str:
    """The first line of a module's docstring, without importing it (metrics import evaluate, which is slow)."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0]


def _needs(extra: str) -> str:
    return f' – needs pip install "punctum[{extra}]"' if extra else ""


def _two_columns(console: Console, title: str, rows: dict[str, str]) -> None:
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, text in rows.items():
        table.add_row(escape(name), escape(text))
    console.print(table)
