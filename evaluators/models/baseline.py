"""Answers without looking: by chance, always the first option, the longest, the shortest.

They show what a score is worth, and where a benchmark can be answered from the form of its options alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from punctum.answers import letter
from punctum.evaluators.models.base import OF_LOADING, Batch, ModelError, ModelOptions
from punctum.records import Generation, ModelInfo, Request, Response, Sample

SCHEME = "baseline"
DESCRIPTION = "answers without looking: baseline:random, baseline:first, baseline:longest, baseline:shortest"
NEEDS = ""
NOT_TAKEN = OF_LOADING
WHY_NOT = "there is no model to load"

RULES = ("random", "first", "longest", "shortest")
_BATCH = 512
_YES_NO = ("yes", "no")


def load(name: str, options: ModelOptions) -> Baseline:
    """The baseline of that name.

    Raises:
        ModelError: if the name is none of `RULES`.
    """
    if name not in RULES:
        raise ModelError(f"baseline {name!r} is not known; known: {', '.join(RULES)}")
    return Baseline(name)


outline = load  # there are no weights


class Baseline:
    """A rule that ranks the options; the answer is the first of the ranking, in the form that is asked for."""

    reads_pictures = True
    writes = True
    scores = True
    ranks = False
    stored = False

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.info = ModelInfo(id=f"baseline:{rule}", backend="baseline")

    def fingerprint(self) -> Mapping[str, Any]:
        """The rule is in `info` already."""
        return {}

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Answer in the form of each sample; see `Model.answer`."""
        for start in range(0, len(requests), _BATCH):
            part = range(start, min(start + _BATCH, len(requests)))
            yield [(index, self._respond(requests[index], generation.seed)) for index in part]

    def _respond(self, request: Request, seed: int) -> Response:
        key = f"{seed}:{request.sample.unit}" + (f":{request.attempt}" if request.attempt else "")
        if request.continuations:
            return Response(scores=self._scores(request, key))
        return Response(text=self._text(request.sample, key), finish_reason="stop")

    def _text(self, sample: Sample, key: str) -> str:
        """One option: its letter, or its number where they are numbered. Several: their numbers. Labels and the words
        that can answer: as they are. Objects: none.

        Raises:
            ModelError: where an answer is written freely, so that there is nothing to rank.
        """
        if sample.form == "yes_no":
            return _YES_NO[self._ranking(_YES_NO, key)[0]]
        ranking = self._ranking(sample.options, key)
        if sample.form == "choice":
            wanted = max(len(sample.gold), sample.wanted)
            if wanted == 1 and sample.first_number is None:
                return letter(ranking[0])
            return ", ".join(str(index + (sample.first_number or 0)) for index in ranking[:wanted])
        if sample.form in ("labels", "text") and sample.options:
            return sample.options[ranking[0]]
        if sample.form == "text":
            raise ModelError(
                f"{self.info.id} ranks options, and {sample.unit.task} has a text written; it needs a model that writes"
            )
        return ""

    def _scores(self, request: Request, key: str) -> tuple[float, ...]:
        """Minus the rank of each continuation.

        A continuation may be a letter that stands for an option; it is the option whose length counts.
        """
        shown = request.sample.options
        texts = shown if len(shown) == len(request.continuations) else request.continuations
        scores = [0.0] * len(texts)
        for rank, index in enumerate(self._ranking(texts, key)):
            scores[index] = -float(rank)
        return tuple(scores)

    def _ranking(self, texts: Sequence[str], key: str) -> list[int]:
        """Indices of the texts, the preferred one first. Among equals the earlier comes first."""
        order = list(range(len(texts)))
        if self.rule == "random":
            return sorted(order, key=lambda index: hashlib.sha256(f"{key}:{index}".encode()).digest())
        if self.rule == "longest":
            return sorted(order, key=lambda index: -len(texts[index]))
        if self.rule == "shortest":
            return sorted(order, key=lambda index: len(texts[index]))
        return order
