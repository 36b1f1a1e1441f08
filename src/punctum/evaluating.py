"""Evaluators as `evaluate.evaluator` has them: `compute(model, data, …)` gives a dictionary of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from punctum import discovery
from punctum.evaluators import benchmark_of
from punctum.evaluators.base import Loader, Options
from punctum.evaluators.models.base import Model, ModelOptions
from punctum.evaluators.models.loading import load_model
from punctum.evaluators.stages import Cast
from punctum.records import Generation, Score
from punctum.runs import Job, run_task
from punctum.store import ResponseStore


class Evaluator:
    """One task of a benchmark, ready to be computed.

    Args:
        task: `BENCH/TASK`.

    Raises:
        ValueError: that names the known benchmarks or tasks.
    """

    def __init__(self, task: str) -> None:
        name, mark, short = task.partition("/")
        self.benchmark = benchmark_of(name)
        if not mark:
            known = ", ".join(f"{name}/{t.name}" for t in self.benchmark.tasks)
            raise ValueError(f"{task!r} names no task; known: {known}")
        self.task = self.benchmark.task(short)

    def compute(
        self,
        model_or_pipeline: str | Model,
        data: Any = None,
        subset: str | None = None,
        split: str | None = None,
        metric: str | Sequence[str] | None = None,
        strategy: Literal["simple", "bootstrap"] = "simple",
        confidence_level: float = 0.95,
        n_resamples: int = 1000,
        random_state: int = 0,
        model_options: ModelOptions | None = None,
        store: ResponseStore | None = None,
        max_failed: float = 0.01,
        judge: str | Model | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Ask a model and score its answers.

        Args:
            model_or_pipeline: what `--model` takes, or a loaded backend.
            data: a folder in the benchmark's raw format; a `datasets.Dataset` with the benchmark's columns;
                None: the sample that the package carries.
            subset: as `--subset`.
            split: of the data, where a folder is given; None is the task's own, mostly `test`.
            metric: keys of the result to keep; None keeps all.
            strategy: `bootstrap` gives an interval with each score.
            confidence_level, n_resamples, random_state: of the bootstrap.
            model_options: how the model is loaded.
            store: where answers are kept; None keeps them for this call alone.
            max_failed: share of failed calls above which there is no score.
            judge: who judges answers, as `model_or_pipeline`; for tasks whose answers are judged.
            **options: further fields of `punctum.evaluators.base.Options`.

        Returns:
            metric to value, or with `strategy="bootstrap"` to `{"score", "confidence_interval"}`; and `n`,
            `n_unparsed`, `n_failed`, `signature`.

        Raises:
            ValueError: for options or metrics that the task does not have.
            punctum.runs.TooManyFailures: if more calls failed than `max_failed` allows.
        """
        if strategy not in ("simple", "bootstrap"):
            raise ValueError(f"strategy {strategy!r} is not known; known: simple, bootstrap")
        chosen = replace(
            Options(**options),
            subset=subset,
            split=split if len(self.task.splits) > 1 else None,
            confidence_level=confidence_level,
            n_resamples=n_resamples if strategy == "bootstrap" else 0,
            seed=options.get("seed", random_state),
        )
        if "generation" not in options:
            length = self.task.answer_tokens(chosen)
            chosen = replace(chosen, generation=Generation(max_new_tokens=length, seed=chosen.seed))
        cast = Cast(
            _loaded(model_or_pipeline, model_options),
            judge=None if judge is None else _loaded(judge, model_options),
        )
        load, kind = self._loader(data, split)
        job = Job(self.benchmark, self.task, load, chosen, kind, max_failed)
        score, _ = run_task(job, cast, store if store is not None else ResponseStore(":memory:"))
        return _dictionary(score, metric, strategy)

    def _loader(self, data: Any, split: str | None) -> tuple[Loader, str]:
        from punctum._datasets import load

        if data is None:
            return partial(load, self.benchmark.name, data_dir=discovery.sample(self.benchmark.name)), "sample"
        if hasattr(data, "features"):
            return partial(_given, data), "given"
        return partial(load, self.benchmark.name, data_dir=str(data), split=split or "test"), "local"


def _loaded(model: str | Model, options: ModelOptions | None) -> Model:
    return load_model(model, options) if isinstance(model, str) else model


def _given(data: Any, config: str, split: str | None = None, **more: Any) -> Any:
    """The rows that the caller gave, whatever the config and split."""
    if more.get("circular"):
        raise ValueError("published rotations need the data's folder; with rows of your own, use shuffle=True")
    if asked := [name for name, value in more.items() if value]:
        raise ValueError(f"{', '.join(asked)} choose among the data of a folder, not among rows of your own")
    return data


def _dictionary(score: Score, metric: str | Sequence[str] | None, strategy: str) -> dict[str, Any]:
    wanted = list(score.metrics) if metric is None else [metric] if isinstance(metric, str) else list(metric)
    values: dict[str, Any] = {}
    for name in wanted:
        discovery.known(name, score.metrics, f"metric of {score.task}")
        value = score.metrics[name]
        if strategy == "bootstrap":
            values[name] = {"score": value, "confidence_interval": score.intervals.get(name)}
        else:
            values[name] = value
    counts = {"n": score.n, "n_unparsed": score.n_unparsed, "n_failed": score.n_failed}
    return {**values, **counts, "signature": score.signature}
