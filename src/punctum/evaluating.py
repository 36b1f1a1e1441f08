"""Evaluators as `evaluate.evaluator` has them: `compute(model, data, …)` gives a dictionary of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from punctum import discovery
from punctum.evaluators import benchmark_of
from punctum.evaluators.base import Loader
from punctum.evaluators.fitting import check_wanted
from punctum.evaluators.models.base import Model, ModelOptions
from punctum.evaluators.models.loading import load_model, once, suited
from punctum.evaluators.options import Options
from punctum.evaluators.paper_settings import paper_settings, system_prompt
from punctum.evaluators.stages import Cast
from punctum.jobs import Job
from punctum.prompts import Prompts
from punctum.records import Generation, Score
from punctum.runs import run_task
from punctum.store import ResponseStore

#: Fields of `Options` that `compute` sets from arguments of its own.
_OWN = ("subset", "split", "caption", "given_captions", "judged", "confidence_level", "n_resamples")


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
        describe_with: str | Model | None = None,
        combine_with: str | Model | None = None,
        statement_with: str | Model | None = None,
        caption: str | Model | Mapping[str, str] = "self",
        gen: Mapping[str, Any] | None = None,
        gen_paper: bool = False,
        stop_early: bool = False,
        **options: Any,
    ) -> dict[str, Any]:
        """Ask a model and score its answers: what `punctum run` does, without its files.

        Args:
            model_or_pipeline: what `--model` takes, or a loaded backend.
            data: a folder in the benchmark's raw format; a `datasets.Dataset` with the benchmark's columns;
                None: the sample that the package carries.
            subset: as `--subset`.
            split: of the data, where a folder is given; None is the task's own, mostly `test`.
            metric: keys of the result to keep; None keeps all.
            strategy: `bootstrap` gives an interval with each score.
            confidence_level, n_resamples: of the bootstrap.
            random_state: seed of everything drawn, as `--seed`.
            model_options: how models that are named are loaded: dtype, device, batches, sharing, chat format, budget,
                …; of those beside the answering one as far as they suit them.
            store: where answers are kept; None keeps them for this call alone.
            max_failed: share of failed calls above which there is no score.
            judge: who judges answers, as `model_or_pipeline`; for tasks whose answers are judged.
            describe_with, combine_with, statement_with: who writes what comes before the question, as
                `model_or_pipeline`; None is the model that answers.
            caption: for the setting `sm`: `self`, `meta`, another model, or captions by id.
            gen: how the model writes, names and values as of `--gen`, over the defaults.
            gen_paper: write as the benchmark's paper prints it for the model's family (`--gen paper`); `gen` comes
                over that.
            stop_early: end an answer as soon as it can be read.
            **options: further fields of `punctum.evaluators.base.Options`: `setting`, `limit`, `ids`, `shuffle`,
                `context`, `scoring`, `parser`, … `prompts` may be a folder, and `system` a paper's name for a system
                prompt.

        Returns:
            metric to value, or with `strategy="bootstrap"` to `{"score", "confidence_interval"}`; and `n`,
            `n_unparsed`, `n_failed`, `signature`.

        Raises:
            ValueError: for options or metrics that the task does not have.
            ModelError: if a model cannot be loaded.
            punctum.runs.Interrupted: on Ctrl-C, or when the budget is used up.
            punctum.runs.TooManyFailures: if more calls failed than `max_failed` allows.
        """
        if strategy not in ("simple", "bootstrap"):
            raise ValueError(f"strategy {strategy!r} is not known; known: simple, bootstrap")
        if (gen or gen_paper) and "generation" in options:
            raise ValueError("generation is how the model writes, whole; leave gen and gen_paper out, or generation")
        chosen = replace(
            _options({"seed": random_state, **options}),
            subset=subset,
            split=split if len(self.task.splits) > 1 else None,
            caption="meta" if caption == "meta" else "self",
            given_captions=caption if isinstance(caption, Mapping) else None,
            judged=judge is not None,
            confidence_level=confidence_level,
            n_resamples=n_resamples if strategy == "bootstrap" else 0,
        )
        check_wanted(f"{self.benchmark.name}/{self.task.name}", [self.task], chosen, stop_early)
        load, kind = self._loader(data, split)
        teller = None if isinstance(caption, Mapping) or caption in ("self", "meta") else caption
        others = {"describe": describe_with, "combine": combine_with, "state": statement_with, "caption": teller}
        cast = _cast(model_or_pipeline, others, judge, model_options or ModelOptions())
        if "generation" not in options:
            paper = paper_settings(self.benchmark, cast.answer) if gen_paper else {}
            length = {"max_new_tokens": self.task.answer_tokens(chosen), "seed": chosen.seed}
            chosen = replace(chosen, generation=Generation.of({**length, **paper, **(gen or {})}))
        if stop_early:
            chosen = replace(chosen, generation=replace(chosen.generation, stop_early=True))
        job = Job(self.benchmark, self.task, load, chosen, kind, max_failed)
        with ExitStack() as stack:
            kept = store if store is not None else stack.enter_context(ResponseStore(":memory:"))
            score, _ = run_task(job, cast, kept)
        return _dictionary(score, metric, strategy)

    def _loader(self, data: Any, split: str | None) -> tuple[Loader, str]:
        from punctum._datasets import builder_class, load
        from punctum.datasets_scripts.fetching import name_of

        name = self.benchmark.name
        if hasattr(data, "features"):
            return partial(_given, data), "given"
        if data is None and self.task.config in builder_class(name).NEEDS_NO_FOLDER:
            return partial(load, name, split=split or "test"), "drawn"
        folder = Path(discovery.sample(name) if data is None else data).expanduser()
        if not folder.is_dir():
            raise ValueError(f"no folder {folder}")
        kind = "sample" if data is None else name_of(name, folder)
        return partial(load, name, data_dir=str(folder), split=split or "test"), kind


def _options(given: Mapping[str, Any]) -> Options:
    """Fields of `Options`, with what people write for some of them.

    Raises:
        ValueError: for a name that is none, or that is an argument of `compute` itself.
    """
    for name in given:
        discovery.known(name, [field.name for field in fields(Options) if field.name not in _OWN], "option")
    found = dict(given)
    prompts = found.get("prompts")
    found["prompts"] = prompts if isinstance(prompts, Prompts) else Prompts(prompts)
    if found.get("system") is not None:
        found["system"] = system_prompt(found["system"], found["prompts"])
    if found.get("ids") is not None:
        found["ids"] = frozenset([found["ids"]] if isinstance(found["ids"], str) else map(str, found["ids"]))
    if found.get("prompt_slots") is not None:
        found["prompt_slots"] = tuple(found["prompt_slots"])
    return Options(**found)


def _cast(
    answer: str | Model, others: Mapping[str, str | Model | None], judge: str | Model | None, options: ModelOptions
) -> Cast:
    """The models, loaded: the answering one first, the others as far as its options suit them."""

    load = once(load_model)

    def loaded(model: str | Model) -> Model:
        if not isinstance(model, str):
            return model
        return load(model, suited(model, options, answer) if isinstance(answer, str) else options)

    first = load(answer, options) if isinstance(answer, str) else answer
    roles = {role: loaded(model) for role, model in others.items() if model is not None}
    return Cast(first, roles, None if judge is None else loaded(judge))


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
