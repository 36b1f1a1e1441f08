"""A judge's verdicts from files, or from beside the answers of a run that asked a judge."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from punctum.predictions import Address, BadPredictions, Row, read_json_lines, short_task, whole_number

FIELDS = ("verdict", "extracted (GPT)")


@dataclass
class Verdicts:
    """A judge's words by task and address.

    Attributes:
        source: which they are, for the signature.
        by_task: task to address to words; None holds those of lines that name no task.
    """

    source: str
    by_task: dict[str | None, dict[Address, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.by_task.values())

    def add(self, task: str | None, address: Address, words: str) -> str:
        """Keep a verdict; gives the one that stands there, which is another where two were given."""
        return self.by_task.setdefault(task, {}).setdefault(address, words)

    def of(self, task: str, address: Address) -> str | None:
        """The judge's words on an answer; None where there are none."""
        own = self.by_task.get(task, {}).get(address)
        return self.by_task.get(None, {}).get(address) if own is None else own


def beside(task: str, rows: Mapping[Address, Row]) -> Verdicts:
    """The verdicts that stand in the prediction files themselves."""
    found = {address: row.verdict for address, row in rows.items() if row.verdict is not None}
    return Verdicts("beside the answers", {task: found})


def read_verdicts(files: Iterable[str], address: Callable[[object], tuple[str, int | None]]) -> Verdicts | None:
    """Read files of verdicts: JSON Lines with an id and `verdict`, or MVP-Bench's `extracted (GPT)`.

    Args:
        files: their paths; none gives None.
        address: reads an id as people write it (`Benchmark.address`).

    Raises:
        BadPredictions: for a line without an id, a verdict that is no text, two that differ, or files without any.
    """
    files = list(files)
    if not files:
        return None
    found = Verdicts("")
    has_field = False
    digest = hashlib.sha256()
    for file in files:
        digest.update(Path(file).read_bytes() if Path(file).is_file() else b"")
        for number, line in read_json_lines(file):
            where = f"{file}:{number}"
            identity = line.get("id", line.get("question_id"))
            if identity is None:
                raise BadPredictions(f"{where}: no field id or question_id")
            name = next((name for name in FIELDS if name in line), None)
            has_field = has_field or name is not None
            if name is None or line[name] is None:  # null: the rule read it, no judge was asked
                continue
            if not isinstance(line[name], str):
                raise BadPredictions(f"{where}: {name} is {line[name]!r}; a judge's words are wanted")
            short, rotation = address(identity)
            rotation = whole_number(line, "rotation", where, None) if rotation is None else rotation
            slot = whole_number(line, "prompt_slot", where, 1) or 1
            before = found.add(short_task(line.get("task")), (short, rotation, slot), line[name])
            if before != line[name]:
                raise BadPredictions(f"{where}: the verdict on {identity} is {line[name]!r}, and {before!r} before")
    if not has_field:
        raise BadPredictions(f"no verdicts in {', '.join(files)}; known fields: {', '.join(FIELDS)}")
    found.source = digest.hexdigest()[:12]
    return found
