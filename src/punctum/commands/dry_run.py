"""`punctum run --dry-run`: what a run would ask, for people and for machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from punctum.evaluators.stages import Cast
from punctum.planning import Filled, Plan, Step, remarks
from punctum.results import whole_file
from punctum.sheets import printable

_LINES = "\n\t"


def print_plans(plans: Sequence[Plan], cast: Cast, quiet: bool, json_to: str | None) -> None:
    """Print plans as tables with the prompts below, or write them where `--json` says."""
    if json_to is not None:
        text = json.dumps(_value(plans, cast), indent=1, ensure_ascii=False) + "\n"
        if json_to == "-":
            sys.stdout.write(text)
            return
        with whole_file(Path(json_to)) as file:
            file.write(text)
    if quiet:
        return
    console = Console()
    for plan in plans:
        console.print(_table(plan))
        if plan.failed:
            console.print(f"{plan.failed} of {plan.questions} questions cannot be asked. The first: ", end="")
            console.print(plan.first_error, markup=False, highlight=False)
        for filled in plan.prompts:
            _print_prompt(console, filled)
    if len(plans) > 1:
        console.print(_sums(plans))
    for remark in remarks(cast):
        console.print(remark, markup=False, highlight=False)
    if any(plan.total().stored is None for plan in plans):
        console.print("?: whether answers are stored is not known before the model is loaded.")
    console.print("Nothing was asked.")


def _value(plans: Sequence[Plan], cast: Cast) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "dry_run": True,
        "remarks": remarks(cast),
        "tasks": {plan.task: {k: v for k, v in plan.as_json().items() if k != "task"} for plan in plans},
    }


def _table(plan: Plan) -> Table:
    table = _columns(f"{plan.task}: {plan.questions:,} questions", "stage", "model")
    for step in plan.steps:
        table.add_row(escape(step.stage), escape(step.model), *_numbers(step))
    if len(plan.steps) > 1:
        table.add_section()
        table.add_row("total", "", *_numbers(plan.total()))
    return table


def _sums(plans: Sequence[Plan]) -> Table:
    table = _columns("All tasks", "task")
    whole = Plan("total", steps=[step for plan in plans for step in plan.steps])
    for plan in plans:
        table.add_row(escape(plan.task), *_numbers(plan.total()))
    table.add_section()
    table.add_row("total", *_numbers(whole.total()))
    return table


def _columns(title: str, *names: str) -> Table:
    table = Table(title=escape(title), title_justify="left", header_style="bold")
    for name in names:
        table.add_column(name)
    for name in ("calls", "stored", "pictures", "tokens in", "tokens out ≤"):
        table.add_column(name, justify="right")
    return table


def _numbers(step: Step) -> list[str]:
    stored = "?" if step.stored is None else f"{step.stored:,}"
    rest = (step.pictures, step.prompt_tokens, step.output_tokens)
    return [f"{step.calls:,}", stored, *(f"{number:,}" for number in rest)]


def _print_prompt(console: Console, filled: Filled) -> None:
    slot = f", prompt {filled.prompt_slot}" if filled.prompt_slot > 1 else ""
    shown = {0: "no picture", 1: "1 picture"}.get(filled.pictures, f"{filled.pictures} pictures")
    console.rule(f"{escape(filled.stage)}{slot}: {escape(printable(filled.id))}, {shown}", align="left")
    if filled.system is not None:
        console.print(f"(system) {printable(filled.system, _LINES)}", markup=False, highlight=False, soft_wrap=True)
    console.print(printable(filled.prompt, _LINES), markup=False, highlight=False, soft_wrap=True)
    console.print()
