"""Signatures: everything that changes a score, in one line."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from punctum.evaluators.base import Task
from punctum.evaluators.options import Options
from punctum.jobs import Job
from punctum.records import Generation, ModelInfo
from punctum.store import canonical
from punctum.version import __version__

_NOT_WRITING = ("replay", "file", "baseline")


def signature(job: Job, n: int, rows: str, info: ModelInfo, fingerprint: Mapping[str, Any]) -> str:
    """Everything that changes the score, as `key:value` joined by `|`.

    Args:
        job: the task.
        n: how many answers.
        rows: hash of ids, options and golds as shown.
        info: the model.
        fingerprint: what the backend says of itself.
    """
    o = job.options
    generated = o.scoring in (None, "generate")
    written = generated or bool(job.task.stages(o))
    parts: dict[str, object] = {
        "task": f"{job.benchmark.name}/{job.task.name}",
        "data": job.data,
        "rows": rows,
        "n": n,
        "subset": o.subset,
        "limit": o.limit,
        "ids": None if o.ids is None else _ids(o.ids),
        "split": _of_task(o.split or job.task.splits[0], len(job.task.splits) > 1),
        "negatives": _of_task(o.negatives, bool(job.task.negatives)),
        "context": o.context,
        "similarity": _of_task(o.similarity_model or job.task.similarity, job.task.similarity is not None),
        "setting": o.setting,
        "describe": None if o.describe == "none" else o.describe,
        "caption": _caption(o) if job.task.captions else None,
        "cot": o.cot or None,
        "prompts": "+".join(f"{name}@{o.prompts.hash(name)}" for name in _prompts(job.task, o)) or None,
        "system": None if o.system is None else hashlib.sha256(o.system.encode()).hexdigest()[:12],
        "order": f"shuffled,seed={o.seed}" if o.shuffle else "published",
        "circular": o.circular or None,
        "model": info.id,
        "revision": info.revision,
        "backend": info.backend,
        "dtype": info.dtype,
        "quantization": info.quantization,
        "scoring": f"{o.scoring},{o.continuation}" if o.scoring == "likelihood" else o.scoring or "generate",
        "generation": settings(o.generation) if written and info.backend not in _NOT_WRITING else None,
        "parser": o.parser,
        **{name: value for name, value in sorted(fingerprint.items()) if isinstance(value, str)},
        "punctum": __version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items() if value is not None)


def _ids(ids: AbstractSet[str]) -> str:
    return f"{len(ids)},{hashlib.sha256(chr(10).join(sorted(ids)).encode()).hexdigest()[:12]}"


def _of_task(value: str | None, applies: bool) -> str | None:
    return value if applies else None


def _caption(options: Options) -> str | None:
    if options.setting != "sm" or options.context is not None:
        return None
    if options.given_captions is None:
        return options.caption
    text = canonical(dict(options.given_captions))
    return f"file,{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _prompts(task: Task, options: Options) -> list[str]:
    staged = [name for stage in task.stages(options) for name in stage.prompts]
    own = () if options.scoring == "rank" else task.prompt_names(options)  # a model that ranks sees no prompt
    return list(dict.fromkeys([*staged, *own]))


def settings(g: Generation) -> str:
    """Generation settings in words."""
    words = [f"max_new_tokens={g.max_new_tokens}", f"temperature={g.temperature:g}"]
    if g.temperature > 0:
        words += [f"top_p={g.top_p:g}", f"top_k={g.top_k}", f"seed={g.seed}"]
    if g.num_beams > 1:
        words.append(f"num_beams={g.num_beams}")
    if g.stop_early:
        words.append("stop_early")
    words += [f"{name}={value}" for name, value in sorted(g.extra.items())]
    return ",".join(words)
