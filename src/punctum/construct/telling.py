"""What a construction says when it ends, and what a dry run says in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from punctum.construct.outputs import FAULTS, SUMMARY
from punctum.construct.wants import CALL_FAILED
from punctum.evaluators.models._budget import HOW
from punctum.sheets import printable

if TYPE_CHECKING:
    from punctum.construct.workshop import Workshop

_SHOWN = 8  # files named before it says how many more


def tell(workshop: Workshop, faults: Mapping[str, int], made: int | None) -> None:
    """Print the counts.

    Args:
        workshop: that is done.
        faults: reason to how many.
        made: how many rows came of it; None where texts are what is made.
    """
    console, counts = Console(soft_wrap=True, highlight=False), workshop.counts
    drawn = f", {counts['drawn']} drawn" if counts["drawn"] else ""
    part = f" ({counts['kept in part']} of them in part)" if counts["kept in part"] else ""
    console.print(
        f"[bold]{workshop.kind}[/bold]: {counts['wanted']} texts wanted, {counts['kept']} kept{part}, "
        f"{counts['given up']} given up, {counts['failed calls']} calls failed{drawn}"
    )
    share = f" ({counts['refused'] / counts['answers']:.1%})" if counts["answers"] else ""
    console.print(
        f"  {counts['answers']} answers read, {counts['asked again']} of them further tries; "
        f"{counts['refused']} answers refused{share}"
    )
    for note, count in sorted(workshop.notes.items()):
        console.print(f"    {escape(note)}: {count}")
    if len(workshop.steps) > 1:
        of_steps = [f"{step} {of['kept']} of {of['wanted']}" for step, of in workshop.steps.items()]
        console.print(f"  kept by step: {escape(', '.join(of_steps))}")
    if faults:
        console.print(f"  listed in {escape(str(workshop.outputs.folder / FAULTS))}:")
    for reason, count in sorted(faults.items()):
        console.print(f"    {escape(reason)}: {count}")
    failed = next((line["detail"] for line in workshop.faults if line["fault"] == CALL_FAILED), None)
    if failed is not None:
        console.print(f"  the first call that failed: {failed}", markup=False)
    console.print(f"  written to {escape(str(workshop.outputs.folder))}: {escape(_files(workshop.outputs.names))}")
    if made:
        console.print(f"  {made} rows made")
    if not (counts["kept"] + counts["drawn"] if made is None else made):
        console.print("  nothing was made")
    if counts["failed calls"]:
        console.print("  the same command asks again for what failed, and for nothing else")


def _files(names: Sequence[str]) -> str:
    """Names of files, those of sub-folders counted."""
    folders = Counter(name.rpartition("/")[0] for name in names if "/" in name)
    own = sorted(name for name in names if "/" not in name)
    more = [f"and {len(own) - _SHOWN} more"] if len(own) > _SHOWN else []
    return ", ".join([SUMMARY, *own[:_SHOWN], *more, *(f"{name}/ ({count} files)" for name, count in folders.items())])


def tell_plan(workshop: Workshop) -> None:
    """Print a filled prompt a step, and how many calls and tokens all would take."""
    console = Console(soft_wrap=True, highlight=False)
    table = Table(title=f"{workshop.kind}: first tries", title_justify="left", header_style="bold")
    models = {planned.step.model for planned in workshop.plan}
    for name in ("step", "model")[: 2 if len(models) > 1 else 1]:
        table.add_column(name, no_wrap=True)
    for name in ("texts", "calls", "stored", "pictures", "tokens in", "tokens out ≤"):
        table.add_column(name, justify="right")
    for planned in workshop.plan:
        step, request = planned.step, planned.first
        shown = {0: "no picture", 1: "1 picture"}.get(len(request.pictures), f"{len(request.pictures)} pictures")
        console.rule(f"{escape(step.stage)}: {escape(printable(request.sample.unit.id))}, {shown}", align="left")
        console.print(printable(request.prompt, "\n\t") + "\n", markup=False, highlight=False, soft_wrap=True)
        stored = "?" if step.stored is None else f"{step.stored:,}"
        numbers = (step.pictures, step.prompt_tokens, step.output_tokens)
        named = [escape(step.model)] if len(models) > 1 else []
        row = [f"{planned.texts:,}", f"{step.calls:,}", stored, *(f"{number:,}" for number in numbers)]
        table.add_row(escape(step.stage), *named, *row)
    console.print(table)
    if any(planned.step.stored is None for planned in workshop.plan):
        console.print("?: whether answers are stored is not known before the model is loaded.")
    tries = workshop.manner.tries
    console.print(
        f"Prompt tokens are estimated: {HOW}; texts that are yet to be written stand in brackets. Checks that fail "
        f"make it more, {tries} times as much at the most. Nothing was asked."
    )
    for reason, count in sorted(Counter(str(line["fault"]) for line in workshop.faults).items()):
        console.print(f"would be listed: {escape(reason)}: {count}")
