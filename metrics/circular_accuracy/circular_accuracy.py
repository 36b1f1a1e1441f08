"""Circular accuracy: a question counts only when it is answered right in every rotation of its options.

Also the mean over rotations, and how often each letter was chosen, which shows a bias for places.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_index_rows, as_list, count_rows
from .core import circular_accuracy


class CircularAccuracy(evaluate.Metric):  # type: ignore[misc]
    """Circular accuracy of multiple-choice answers.

    Args:
        predictions: a row an option index as shown (from 0), or None for an unparsed answer.
        references: a row the index of the correct option as shown.
        groups: a row the text that names its question.
        rotations: given to `compute`: a row which rotation it is, from 0; repeats are then an error.
        n_rotations: given to `compute`: how many rotations a question has, for all or a row each; missing
            rows are then wrong.

    Returns:
        `circular_accuracy`, `mean_rotation_accuracy`, `n_groups`, `n`, `n_missing`, `n_unparsed`,
        `letter_counts`, `letter_shares`, `reference_letter_shares`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("circular_accuracy")
        >>> result = metric.compute(
        ...     predictions=[0, 1, 0, 0], references=[0, 1, 0, 1], groups=["q1", "q1", "q2", "q2"]
        ... )
        >>> result["circular_accuracy"], result["mean_rotation_accuracy"]
        (0.5, 0.75)
        >>> result["letter_shares"], result["reference_letter_shares"]
        ({'A': 0.75, 'B': 0.25}, {'A': 0.5, 'B': 0.5})
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features(
                {
                    "predictions": datasets.Sequence(datasets.Value("int64")),
                    "references": datasets.Sequence(datasets.Value("int64")),
                    "groups": datasets.Value("string"),
                }
            ),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows. Groups are kept as text."""
        # Arrow would turn "3" and 3.7 into 3 without a word, so the checks come before it.
        chosen = as_index_rows("predictions", predictions)
        correct = as_index_rows("references", references, required=True)
        groups = [str(group) for group in as_list("groups", kwargs.pop("groups", None))]
        count_rows(predictions=chosen, references=correct, groups=groups)
        super().add_batch(predictions=chosen, references=correct, groups=groups, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        columns = {name: [value] for name, value in kwargs.items()}
        self.add_batch(predictions=[prediction], references=[reference], **columns)

    def _compute(self, predictions: Any, references: Any, groups: Any, **kwargs: Any) -> dict[str, Any]:
        return circular_accuracy(predictions, references, groups, **kwargs)
