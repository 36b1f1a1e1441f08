"""Models that stand before others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from punctum.evaluators.models._budget import Budget, OutOfBudget, tokens_used
from punctum.evaluators.models.base import Batch, Model
from punctum.records import Generation, Request


class Front:
    """What stands before a model and says the same of itself; sub-classes answer in their own way.

    Attributes:
        model: the one behind.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.info = model.info
        self.reads_pictures = model.reads_pictures
        self.writes = model.writes
        self.scores = model.scores
        self.ranks = model.ranks
        self.stored = model.stored

    def fingerprint(self) -> Mapping[str, Any]:
        """The model's own."""
        return self.model.fingerprint()


class Limited(Front):
    """A model that stops answering when a budget is used up: for backends that do not count calls themselves.

    A question is a call; tokens are counted as batches end, so the last batch may go over their limit.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model)
        self.budget = budget

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Answer as many as the budget allows, in the order of the requests; see `Model.answer`.

        Raises:
            OutOfBudget: after the last answer, if some are left.
        """
        budget = self.budget
        room = len(requests) if budget.max_calls is None else max(budget.max_calls - budget.calls, 0)
        left = len(requests)
        if room and budget.over() is None:
            for batch in self.model.answer(requests[:room], generation):
                left -= len(batch)
                budget.calls += len(batch)
                budget.tokens += sum(tokens_used(requests[index], response) for index, response in batch)
                yield batch
                if budget.over() is not None:
                    break
        if left:
            raise OutOfBudget(budget.over())
