"""Scores of runs as entries of a leaderboard on the Hub: one value a model and task."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from punctum.evaluators import benchmark_of
from punctum.evaluators.base import Task
from punctum.hub.result_rows import signature_id
from punctum.report.marks import some_prompts
from punctum.report.runs import Run, TaskScore

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")
#: What of a signature tells a reader how it was asked; shown where it is not the plain way.
_TOLD = (
    "data",
    "setting",
    "context",
    "describe",
    "caption",
    "cot",
    "system",
    "order",
    "circular",
    "scoring",
    "parser",
    "quantization",
)
_PLAIN = {"setting": "vlm", "order": "published", "scoring": "generate"}


@dataclass(frozen=True)
class Entry:
    """A score as one value.

    Attributes:
        run, score: whose.
        task_id, config, split: as in the dataset's `eval.yaml`.
        metric: which.
        value: in percent, two decimals.
    """

    run: Run
    score: TaskScore
    task_id: str
    config: str
    split: str
    metric: str
    value: float

    @property
    def notes(self) -> str:
        """How it was asked, on one line."""
        low, high = self.score.intervals.get(self.metric, (None, None))
        signature = self.score.signature
        names = [*_TOLD, *(name for name in signature if name.startswith("judge"))]
        told = [_words(name, signature[name]) for name in names if signature.get(name) not in (None, _PLAIN.get(name))]
        parts = [
            f"{self.metric} in percent",
            *([] if low is None or high is None else [f"95% interval {100 * low:.2f} to {100 * high:.2f}"]),
            f"{self.score.n} answers",
            *([f"{self.score.n_failed} missing"] if self.score.n_failed else []),
            *told,
            f"Punctum {signature.get('punctum', '')}".strip(),
            f"signature {signature_id(self.score)}",
        ]
        return ", ".join(parts)


def _words(name: str, value: str) -> str:
    return name if value == "True" else f"{name} {value}"


def repository_of(run: Run, names: Mapping[str, str]) -> str | None:
    """The model's repository on the Hub.

    None for a folder, a file of answers, or a model known by a server's word alone, unless it was named.

    Args:
        run: whose model.
        names: model to repository, by the word of the person who pushes.
    """
    if run.model.id in names:
        return names[run.model.id]
    loaded = _HUB_ID.fullmatch(run.model.id) and _COMMIT.fullmatch(run.model.revision or "")
    return run.model.id if loaded else None


def entries(runs: Iterable[Run], metrics: Mapping[str, str], names: Mapping[str, str]) -> tuple[list[Entry], list[str]]:
    """The values of runs.

    Args:
        runs: of one benchmark.
        metrics: task to metric, where it is not the task's own choice.
        names: model to repository, as `repository_of` takes it.

    Returns:
        the values, and a sentence for each score that is none.

    Raises:
        ValueError: if a model has two values of one task, or a metric is not known.
    """
    found: dict[tuple[str, str], Entry] = {}
    notes: list[str] = []
    for run in runs:
        for score in run.tasks.values():
            entry = _entry(run, score, metrics)
            if isinstance(entry, str):
                notes.append(f"{score.task} of {run.model.id} is no entry of a leaderboard: {entry}")
                continue
            model = repository_of(run, names) or run.model.id
            other = found.setdefault((model, entry.task_id), entry)
            if other is not entry:
                raise ValueError(
                    f"a leaderboard has one value a model and task, and {other.run.folder} and {run.folder} both have "
                    f"one of {model} for {entry.task_id}: leave one out"
                )
    unknown = sorted(set(metrics) - {score.name for run in runs for score in run.tasks.values()})
    if unknown:
        raise ValueError(f"--metric names {', '.join(unknown)}, of which the runs have no scores")
    return list(found.values()), notes


def _entry(run: Run, score: TaskScore, metrics: Mapping[str, str]) -> Entry | str:
    """The value of a score, or why it has none."""
    if parts := [*score.marks, *some_prompts(score)]:
        return f"it is of {', '.join(parts)}"
    task = _task(score.task)
    place = _place(run.benchmark, task, score)
    if place is None:
        return f"it is of a part of the data alone (subset {score.signature.get('subset')})"
    metric = metrics.get(score.name) or task.primary or task.headline[0]
    if metric not in score.metrics:
        raise ValueError(f"{score.task} has no metric {metric!r}; it has {', '.join(score.metrics)}")
    value = score.metrics[metric]
    if value is None:
        return f"{metric} has no value"
    return Entry(run, score, *place, metric, round(100 * value, 2))


def _place(benchmark: str, task: Task, score: TaskScore) -> tuple[str, str, str] | None:
    """Task id, config and split, as `punctum build` writes them into `eval.yaml`; None for a part of a config."""
    signature = score.signature
    subset = signature.get("subset")
    config: str | None = task.config
    if subset not in (None, "full"):
        config = next((name for name in (subset, f"{task.name}_{subset}") if name in _configs(benchmark)), None)
    if config is None:
        return None
    split = signature.get("split") or task.splits[0]
    words = [config, *([split] if len(task.splits) > 1 else [])]
    first = next(other for other in benchmark_of(benchmark).tasks if other.config == task.config)
    if first.name != task.name:  # another task on the same rows
        words[:1] = [task.name] if config == task.config else [task.name, config]
    words += ["easy"] if signature.get("negatives") == "easy" else []
    return "_".join(words), config, split


@cache
def _configs(benchmark: str) -> frozenset[str]:
    from punctum._datasets import builder_class

    return frozenset(config.name for config in builder_class(benchmark).BUILDER_CONFIGS)


def _task(name: str) -> Task:
    benchmark, _, task = name.partition("/")
    return benchmark_of(benchmark).task(task)


def as_eval_results(found: Iterable[Entry], dataset: str, source: str | None, date: str | None) -> list[dict[str, Any]]:
    """Entries as `.eval_results/*.yaml` holds them.

    Args:
        found: the values.
        dataset: the benchmark's dataset on the Hub.
        source: an address that shows where they are from.
        date: of the evaluation, ISO 8601; without it the Hub takes the commit's.

    Raises:
        ValueError: if the installed huggingface_hub is too old to know the form.
    """
    try:
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml
    except ImportError:
        raise ValueError(
            "the installed huggingface_hub does not know .eval_results; pip install -U huggingface_hub"
        ) from None
    told = [
        EvalResultEntry(
            dataset_id=dataset,
            task_id=entry.task_id,
            value=entry.value,
            date=date,
            source_url=source,
            source_name="Punctum" if source else None,
            notes=entry.notes,
        )
        for entry in found
    ]
    return list(eval_result_entries_to_yaml(told))
