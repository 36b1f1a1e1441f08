"""Accuracy over several prompts for the same questions: its mean and its spread.

Variance and standard deviation are given for population and sample, each under its own name.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_flags, as_index, as_list, count_rows
from .core import prompt_spread


class PromptSpread(evaluate.Metric):  # type: ignore[misc]
    """Mean and spread of accuracy over prompt slots.

    Args:
        correct: a row whether the answer is right.
        slots: a row which prompt was used, counted from 1.
        scores: given to `compute` in place of the rows: the accuracy of each slot, slot 1 first.

    Returns:
        `accuracy` (mean over slots), `accuracy_slot_1`, …, `variance_population`, `variance_sample`,
        `std_population`, `std_sample` (the sample's are None for one slot), `range`, `n_slots`, `n`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("prompt_spread")
        >>> result = metric.compute(scores=[0.25, 0.5, 0.75])
        >>> result["accuracy"], result["variance_sample"], result["std_sample"], result["range"]
        (0.5, 0.0625, 0.25, 0.5)
        >>> metric.compute(correct=[True, False, True, True], slots=[1, 1, 2, 2])["accuracy"]
        0.75
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features({"correct": datasets.Value("bool"), "slots": datasets.Value("int64")}),
        )

    def compute(self, *, scores: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Compute from the rows added or given, or from the accuracies of the slots."""
        if scores is not None:
            return prompt_spread(scores=scores, **kwargs)
        result: dict[str, Any] | None = super().compute(**kwargs)
        return result

    def add_batch(self, *, correct: Any = None, slots: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        # Arrow would turn "3" and 3.7 into 3 without a word, so the checks come before it.
        flags = as_flags("correct", correct)
        numbers = [as_index("slots", row, slot) for row, slot in enumerate(as_list("slots", slots))]
        count_rows(correct=flags, slots=numbers)
        super().add_batch(correct=flags, slots=numbers)

    def add(self, *, correct: Any = None, slots: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(correct=[correct], slots=[slots])

    def _compute(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any]:
        return prompt_spread(**kwargs)
