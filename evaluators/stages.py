"""Stages before the question: descriptions, captions, statements that a model writes and a prompt then uses.

A stage is asked through the response store like everything else, so that one description serves every task,
prompt and context that wants it, and is asked for once an image and model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from punctum.evaluators.asking import ask
from punctum.evaluators.base import Options, Stage
from punctum.evaluators.models.base import Model
from punctum.records import Request, Sample
from punctum.store import ResponseStore

#: The role of the model that answers the questions; stages without a model of their own are asked of it.
ANSWER = "answer"


@dataclass(frozen=True)
class Cast:
    """Which model does what.

    Attributes:
        answer: answers the questions.
        others: role to model, for stages that another model does.
    """

    answer: Model
    others: Mapping[str, Model] = field(default_factory=dict)

    def of(self, role: str) -> Model:
        """The model of a role."""
        return self.others.get(role, self.answer)

    def signature(self, roles: Sequence[str]) -> str | None:
        """Who did the stages, where it was not the answering model."""
        named = {role: self.others[role].info for role in dict.fromkeys(roles) if role in self.others}
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
    on_stage: Callable[[str, int], Callable[[int, bool], None]] | None = None,
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
        wanted: list[tuple[int, Request]] = []
        for index, sample in enumerate(samples):
            if parts[index].error is None:
                request = stage.request(sample, parts[index].texts, options)
                if request is not None:
                    wanted.append((index, request))
        if not wanted:
            continue
        model = cast.of(stage.role)
        if any(request.pictures for _, request in wanted) and not model.reads_pictures:
            raise ValueError(f"{model.info.id} reads no pictures, and the stage {stage.name} shows one")
        generation = replace(options.generation, max_new_tokens=stage.max_new_tokens)
        report = on_stage(stage.name, len(wanted)) if on_stage else None
        for place, response in ask(model, [request for _, request in wanted], generation, store, report):
            part = parts[wanted[place][0]]
            if response.error is not None:
                part.error = f"{stage.name}: {response.error}"
            else:
                part.texts[stage.name] = stage.read(response.text)
    return parts
