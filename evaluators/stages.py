"""Stages before the question: descriptions, captions, statements that a model writes and a prompt then uses.

A stage is asked through the response store like everything else, so that one description serves every task,
prompt and context that wants it, and is asked for once an image and model.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from punctum.evaluators.asking import OnStage, ask
from punctum.evaluators.base import Stage
from punctum.evaluators.models.base import Model
from punctum.evaluators.options import Options
from punctum.records import Request, Sample
from punctum.store import ResponseStore

_log = logging.getLogger("punctum")

#: The role of the model that answers the questions: for the first parts of an answer, which no other model gives.
ANSWER = "answer"

#: Roles whose model is shown the picture.
LOOKING = ("describe", "caption")

#: Role to the option that names its model.
_OPTIONS = {
    "describe": "--describe-with",
    "caption": "--caption",
    "combine": "--combine-with",
    "state": "--statement-with",
}


@dataclass(frozen=True)
class Cast:
    """Which model does what.

    Attributes:
        answer: answers the questions.
        others: role to model, for stages that another model does.
        judge: says of answers what a rule cannot; nobody stands in for it, and it stands in for nobody.
    """

    answer: Model
    others: Mapping[str, Model] = field(default_factory=dict)
    judge: Model | None = None

    def of(self, role: str) -> Model:
        """The model of a role; without one of its own the answering model, or the first other one that can."""
        if role == ANSWER:
            return self.answer
        if role in self.others:
            return self.others[role]
        able = (m for m in (self.answer, *self.others.values()) if m.writes)
        return next((m for m in able if m.reads_pictures or role not in LOOKING), self.answer)

    def signature(self, roles: Sequence[str]) -> str | None:
        """Who did the stages, where it was not the answering model."""
        cast = {role: self.of(role) for role in dict.fromkeys(roles)}
        named = {role: model.info for role, model in cast.items() if role in self.others or model is not self.answer}
        words = [f"{role}={info.id}@{info.revision or ''}" for role, info in named.items()]
        return ",".join(words) or None


@dataclass
class Parts:
    """What the stages gave for one sample: stage name to text; or why a stage failed."""

    texts: dict[str, str] = field(default_factory=dict)
    error: str | None = None


def run_stages(
    stages: Sequence[Stage],
    samples: Sequence[Sample],
    options: Options,
    cast: Cast,
    store: ResponseStore | None,
    on_stage: OnStage | None = None,
) -> list[Parts]:
    """Ask every stage, one after the other.

    Args:
        stages: in the order in which they need each other.
        samples: the questions.
        options: how; stages write with the run's generation settings, at most `Stage.max_new_tokens` tokens.
        cast: the models.
        store: where answers are kept.
        on_stage: called with a stage's name and number of requests; what it returns is called with a number
            of answers and whether they came from the store.

    Returns:
        one `Parts` a sample. A stage that failed for a sample leaves its error, and no later stage asks for it.
    """
    parts = [Parts() for _ in samples]
    for stage in stages:
        model = cast.of(stage.role)
        wanted = _wanted(stage, samples, parts, options, model)
        if not wanted:
            continue
        generation = replace(options.generation, max_new_tokens=stage.max_new_tokens, stop_early=False)
        report = on_stage(stage.name, len(wanted)) if on_stage else None
        unread = 0
        for place, response in ask(model, [request for _, request in wanted], generation, store, report):
            part = parts[wanted[place][0]]
            if response.error is not None:
                part.error = f"{stage.name}: {response.error}"
                continue
            kept = stage.read(response.text, part.texts)
            unread += not kept
            part.texts[stage.name] = kept or ""
        if unread:
            _log.warning(
                "%s: %d of %d answers cannot be used; the questions go without", stage.name, unread, len(wanted)
            )
    return parts


def _wanted(
    stage: Stage, samples: Sequence[Sample], parts: Sequence[Parts], options: Options, model: Model
) -> list[tuple[int, Request]]:
    """What a stage asks, with the place of each sample. A picture that is not there is a failure."""
    found: list[tuple[int, Request]] = []
    for index, (sample, part) in enumerate(zip(samples, parts, strict=True)):
        request = stage.request(sample, part.texts, options) if part.error is None else None
        if request is None:
            continue
        if stage.role in LOOKING and model.stored and not request.pictures:
            part.error = f"{stage.name}: the picture is missing"
        else:
            found.append((index, request))
    option = _OPTIONS.get(stage.role, "--model")
    if found and not model.writes:
        raise ValueError(
            f"{model.info.id} writes no text, and the stage {stage.name} is written; name a model that writes with "
            f"{option}"
        )
    if any(request.pictures for _, request in found) and not model.reads_pictures:
        raise ValueError(
            f"{model.info.id} reads no pictures, and the stage {stage.name} shows one; name a model that does "
            f"with {option}"
        )
    return found
