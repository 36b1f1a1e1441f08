"""Progress bars that tell stored answers from new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

#: Called with a number of answers and whether they came from the store.
Advance = Callable[[int, bool], None]


@contextmanager
def bars(name: str, console: Console, quiet: bool) -> Iterator[Callable[[str, int], Advance]]:
    """A bar a stage, below each other.

    Args:
        name: of the work, before each stage's.
        console: where they are drawn.
        quiet: draw none.

    Yields:
        a function of a stage's name ("" for the work itself) and its number of requests, that begins a bar.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[stored]}"),
    )
    progress = Progress(*columns, console=console, disable=quiet)

    def begin(stage: str, total: int) -> Advance:
        progress.start()
        bar = progress.add_task(f"{name} · {stage}" if stage else name, total=total, stored="")
        n_stored = 0

        def advance(count: int, stored: bool) -> None:
            nonlocal n_stored
            n_stored += count if stored else 0
            progress.update(bar, advance=count, stored=f"{n_stored} from the store" if n_stored else "")

        return advance

    try:
        yield begin
    finally:
        if progress.live.is_started:  # else it would leave an empty line where there was no bar
            progress.stop()
