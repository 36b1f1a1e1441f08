"""What a construction would ask, without asking it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from punctum.construct.wants import Unusable, Want
from punctum.evaluators.models._budget import picture_tokens, text_tokens
from punctum.evaluators.models._unloaded import Unloaded
from punctum.evaluators.models.base import Model
from punctum.planning import Step
from punctum.records import Generation, Request, Response
from punctum.store import ResponseStore, canonical, key_of, model_part


@dataclass
class Planned:
    """What a dry run would have asked in one step.

    Attributes:
        step: calls and tokens.
        first: its first request, to be shown.
        texts: how many are wanted; equal requests are one call.
    """

    step: Step
    first: Request
    texts: int = 0


class Plan:
    """The steps of a dry run, in their order: first tries only, since nobody knows what will fail its checks."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, str], Planned] = {}
        self._counted: set[str] = set()

    def __iter__(self) -> Iterator[Planned]:
        return iter(self._steps.values())

    def values(
        self,
        wants: Sequence[Want],
        requests: Sequence[Request],
        model: Model,
        generation: Generation,
        store: ResponseStore | None,
    ) -> list[Any]:
        """Count what would be asked.

        Args:
            wants, requests: the texts and what a model is asked for each.
            model: an outline of it, from `outline_model`.
            generation: how it would write.
            store: where answers are looked up.

        Returns:
            a value a want: out of the store where that has a usable answer, otherwise the stand-in.
        """
        shared = canonical(model_part(model.info, model.fingerprint(), generation))
        keys = [key_of(shared, request) for request in requests]
        known = store.get(list(dict.fromkeys(keys))) if store else {}
        found = []
        for want, request, key in zip(wants, requests, keys, strict=True):
            planned = self._steps.setdefault((want.step, want.prompt), Planned(Step(want.step, model.info.id), request))
            planned.texts += 1
            self._count(planned.step, key, request, key in known, model, generation)
            found.append(_read_or_stand_in(want, known.get(key)))
        return found

    def _count(
        self, step: Step, key: str, request: Request, is_known: bool, model: Model, generation: Generation
    ) -> None:
        if isinstance(model, Unloaded):
            step.stored = None
        if key in self._counted:
            return
        self._counted.add(key)
        if is_known and step.stored is not None:
            step.stored += 1
            return
        step.calls += 1
        step.pictures += len(request.pictures)
        step.prompt_tokens += text_tokens(request) + picture_tokens(request.pictures)
        step.output_tokens += generation.max_new_tokens


def _read_or_stand_in(want: Want, response: Response | None) -> Any:
    if response is None:
        return want.stand_in
    try:
        return want.read(response).value
    except Unusable:
        return want.stand_in
