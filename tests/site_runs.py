"""Run folders made by hand, for tests of pages that show them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: A grey square.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAADklEQVR4nGOYOZOBFgQA0eMX8YxI2lMAAAAASUVORK5CYII="
)
OPTIONS = ("close the window", "open the door", "feed the cat", "leave the house")
KINDS = ("correct", "fake_scene", "superficial", "nonexistent_entity")


@dataclass
class Row:
    """A question and its answer; the first option is right."""

    id: str
    output: str | None = "A"
    parsed: Any = (0,)
    error: str | None = None
    rule: str = "letter"
    options: tuple[str, ...] = OPTIONS
    gold: Any = (0,)
    form: str = "choice"
    category: str | None = None
    rotation: int | None = None
    slot: int = 1
    pictures: tuple[str | None, ...] = ("grey.jpg",)
    prompt: str | None = "What does the speaker want?"
    verdict: str | None = None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def correct(self) -> bool:
        return self.parsed is not None and self.parsed == self.gold


def save_run(
    folder: Path,
    rows: Iterable[Row],
    model: str = "a model",
    task: str = "vague/mcq",
    signature: str = "data:sample|rows:1|setting:vlm|parser:robust",
    with_samples: bool = True,
) -> Path:
    """Write the folder of a run."""
    rows = list(rows)
    folder.mkdir(parents=True)
    benchmark, _, name = task.partition("/")
    right = sum(row.correct for row in rows) / len(rows)
    score = {
        "n": len(rows),
        "n_unparsed": sum(row.parsed is None and row.error is None for row in rows),
        "n_failed": sum(row.error is not None for row in rows),
        "metrics": {"accuracy": right, "accuracy_answered": right, "n_valid": len(rows)},
        "intervals": {"accuracy": [max(0, right - 0.1), min(1, right + 0.1)]},
        "breakdowns": {
            "chosen_kinds": {"correct": 3, "superficial": 1},
            "relative_gap": {"low to high": -0.25, "source to edited": 0.125},
            "n_fewer": 2,
            "letters": {"A": {"chosen": 3, "gold": 2}, "B": {"chosen": 1, "gold": 2}},
            "by_group": {"ego4d": {"accuracy": 0.5, "n": 2}, "vcr": {"accuracy": None, "n": 0}},
        },
        "signature": f"task:{task}|{signature}|model:{model}|backend:file",
    }
    results = {
        "schema_version": 1,
        "benchmark": benchmark,
        "model": {"id": model, "revision": None, "backend": "file", "dtype": None, "quantization": None},
        "tasks": {name: score},
        "environment": {"punctum": "0"},
    }
    (folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
    keys = [{"id": r.id, "task": name, "setting": "vlm", "prompt_slot": r.slot, "rotation": r.rotation} for r in rows]
    answers = [
        {"output": r.output, "parsed": r.parsed, "rule": r.rule, "correct": r.correct, "error": r.error}
        | ({"verdict": r.verdict} if r.verdict else {})
        for r in rows
    ]
    _lines(folder / "predictions.jsonl", ({**key, **answer} for key, answer in zip(keys, answers, strict=True)))
    if with_samples:
        _lines(folder / "samples.jsonl", ({**key, **_shown(row)} for key, row in zip(keys, rows, strict=True)))
        (folder / "pictures").mkdir()
        (folder / "pictures" / "grey.jpg").write_bytes(PICTURE)
    return folder


def _shown(row: Row) -> dict[str, Any]:
    return {
        "form": row.form,
        "category": row.category,
        "cluster": row.id,
        "options": row.options,
        "option_kinds": KINDS[: len(row.options)],
        "gold": row.gold,
        "first_number": None,
        "wanted": 1,
        "pictures": row.pictures,
        "prompt": row.prompt,
        "shows_pictures": bool(row.pictures),
        "system": None,
        "stages": {},
        "reasoning": None,
        "fields": {},
        **row.more,
    }


def _lines(path: Path, values: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
