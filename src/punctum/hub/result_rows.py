"""Rows of a results dataset: a row a score with its signature, a row an answer.

Both are JSON Lines: `datasets` reads all configs of a repository in one format. The card gives the columns' types,
lest a column that is null in one file be taken for another type than in the next.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from punctum.report.lines import Answer
from punctum.report.runs import Run, TaskScore

#: What a signature says of how it was asked, as columns of their own: words, null where a run has none.
CONDITIONS = (
    "data", "subset", "split", "negatives", "context", "setting", "describe", "caption", "cot", "order", "circular",
    "limit", "scoring", "parser",
)  # fmt: skip
#: Column to its type, in the order in which people read them.
SCORES: dict[str, str] = {
    "benchmark": "string",
    "task": "string",
    "metric": "string",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "n": "int64",
    "n_unparsed": "int64",
    "n_failed": "int64",
    "model": "string",
    "revision": "string",
    "backend": "string",
    "dtype": "string",
    "quantization": "string",
    **dict.fromkeys(CONDITIONS, "string"),
    "punctum": "string",
    "signature_id": "string",
    "signature": "string",
    "run": "string",
}
ANSWERS: dict[str, Any] = {
    **dict.fromkeys(("benchmark", "task", "model", "signature_id", "id", "setting"), "string"),
    "prompt_slot": "int64",
    "rotation": "int64",
    **dict.fromkeys(("output", "parsed", "rule"), "string"),
    "correct": "bool",
    "error": "string",
    "scores": ["float64"],
    "permutation": ["int64"],
}


def signature_id(score: TaskScore) -> str:
    """A short name of a signature, that joins scores and answers."""
    return hashlib.sha256(str(score.signature).encode()).hexdigest()[:16]


def score_rows(run: Run, run_path: str) -> Iterator[dict[str, Any]]:
    """A row a score of a run.

    Args:
        run: the run.
        run_path: where its `results.json` stands in the dataset.
    """
    model = run.model
    for score in run.tasks.values():
        for metric, value in score.metrics.items():
            low, high = score.intervals.get(metric, (None, None))
            row: dict[str, Any] = {
                "benchmark": run.benchmark,
                "task": score.name,
                "metric": metric,
                "value": value,
                "low": low,
                "high": high,
                "n": score.n,
                "n_unparsed": score.n_unparsed,
                "n_failed": score.n_failed,
                "model": model.id,
                "revision": model.revision,
                "backend": model.backend,
                "dtype": model.dtype,
                "quantization": model.quantization,
                **{name: score.signature.get(name) for name in CONDITIONS},
                "punctum": score.signature.get("punctum"),
                "signature_id": signature_id(score),
                "signature": str(score.signature),
                "run": run_path,
            }
            yield {name: row[name] for name in SCORES}


def line_of(row: Mapping[str, Any]) -> bytes:
    """A row as a line of JSON Lines, with its line break; nan is refused.

    Halves of characters, which readers of such files refuse, become question marks.
    """
    return json.dumps(row, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"


def same_score(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What two rows of one measurement have in common: task, metric, model, signature."""
    return tuple(str(row.get(name)) for name in ("benchmark", "task", "metric", "model", "signature"))


def answer_lines(run: Run, score: TaskScore) -> tuple[str, bytes]:
    """The answers of a task.

    Returns:
        a name that says whose and which answers, and a line an answer.
    """
    whose = {"benchmark": run.benchmark, "task": score.name, "model": run.model.id, "signature_id": signature_id(score)}
    data = b"".join(line_of({**whose, **_answer_row(answer)}) for answer in run.answers(score.name))
    return f"{whose['signature_id']}-{hashlib.sha256(data).hexdigest()[:8]}", data


def _answer_row(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.key.id,
        "setting": answer.setting,
        "prompt_slot": answer.key.prompt_slot,
        "rotation": answer.key.rotation,
        "output": answer.output,
        # words, indices or labels: one column has one type
        "parsed": None if answer.parsed is None else json.dumps(answer.parsed, ensure_ascii=False),
        "rule": answer.rule,
        "correct": answer.correct,
        "error": answer.error,
        "scores": None if answer.scores is None else list(answer.scores),
        "permutation": None if answer.permutation is None else list(answer.permutation),
    }
