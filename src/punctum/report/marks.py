"""What a reader must know of a score: samples, limits, prompts that no paper gives, how answers were read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache

from punctum.prompts import Prompts
from punctum.report.known import task_of
from punctum.report.runs import Run, TaskScore

#: Templates that no paper gives say so in their first words.
_OURS = "Ours"
_SLOT = "accuracy_slot_"


#: Field of the signature to what its values mean to a reader.
_MEANINGS = {
    "setting": {"lm": "asked without the picture", "sm": "a caption instead of the picture"},
    "cot": {"True": "chain of thought"},
    "describe": {
        "self": "with the model's own description in the prompt",
        "annotated": "with the annotators' description in the prompt",
    },
    "negatives": {"easy": "easy negatives"},
}


def marks(run: Run, score: TaskScore, told: frozenset[str] = frozenset()) -> list[str]:
    """Sentences about a score, most important first.

    Args:
        run: whose.
        score: of which task.
        told: fields of the signature that a table's own headings or labels tell.
    """
    told = told | {"cot", "made_by"} if "variant" in told else told
    told = told | {"setting"} if "context" in score.signature else told  # which says more than "no picture"
    signature = {name: value for name, value in score.signature.items() if name not in told}
    found = list(score.marks)
    if signature.get("data") == "local":
        found.append("data that are not known to be the published ones")
    if "subset" in signature:
        found.append(f"subset {signature['subset']}")
    found += some_prompts(score)
    if run.model.backend == "file":
        found.append("answers from a file: how they were asked is not known")
    elif run.model.backend not in ("replay", "baseline"):
        found += _prompts(score.signature.get("prompts", ""))
    found += _asked(signature)
    found += _read(score)
    if run.model.quantization:
        found.append(f"quantized ({run.model.quantization})")
    if "made_by" in signature:
        found.append(f"written beforehand by others: {signature['made_by']}")
    return found


def some_prompts(score: TaskScore) -> Iterator[str]:
    """Which prompts were asked, where a task has several and not all were."""
    asked = [name.removeprefix(_SLOT) for name in score.metrics if name.startswith(_SLOT)]
    task = task_of(score.task)
    if task is not None and 0 < len(asked) < task.n_prompts:
        yield f"only prompt {' and '.join(asked)} of {task.n_prompts}"


def _asked(signature: Mapping[str, str]) -> Iterator[str]:
    """How the questions were put."""
    if "system" in signature:
        yield _system(signature["system"])
    for field, meanings in _MEANINGS.items():
        if signature.get(field) in meanings:
            yield meanings[signature[field]]
    if "context" in signature:
        yield f"context {signature['context']}"
    if signature.get("order", "published") != "published":
        yield f"options in an order of our own ({signature['order']})"
    scoring, _, compared = signature.get("scoring", "generate").partition(",")
    if scoring == "likelihood":
        yield f"chosen by likelihood ({compared})"
    elif scoring == "rank":
        yield "ranked by likeness to the picture or to what is told of it"


def _read(score: TaskScore) -> Iterator[str]:
    """How the answers were read."""
    signature = score.signature
    if "paper" in score.breakdowns.get("parse_rate", {}) and signature.get("parser") == "robust":
        yield "read by the robust parser, not by the paper's"
    if "judged_by" in signature:
        yield f"judged by {signature['judged_by'].partition(',')[0]}"
    if "verdicts" in signature:
        yield "with a judge's verdicts"


def _prompts(used: str) -> list[str]:
    """Which prompts are not the package's, and which are the package's own because no paper gives them."""
    ours, replaced = [], []
    known = _known_prompts()
    for part in filter(None, used.split("+")):
        name, _, digest = part.rpartition("@")
        if name not in known or known[name][0] != digest:
            replaced.append(name)
        elif known[name][1]:
            ours.append(name)
    found = [f"prompts replaced by the user: {', '.join(replaced)}"] if replaced else []
    return [*found, *([f"prompts of ours, for which the paper gives none: {', '.join(ours)}"] if ours else [])]


@cache
def _known_prompts() -> dict[str, tuple[str, bool]]:
    prompts = Prompts()
    return {name: (prompts.hash(name), prompts.source(name).startswith(_OURS)) for name in prompts.names()}


def _system(digest: str) -> str:
    text = Prompts().render("mvp_bench/commonsense_system")
    if hashlib.sha256(text.encode()).hexdigest()[:12] == digest:
        return "with the commonsense system prompt of MVP-Bench's Table 3"
    return "with a system prompt"
