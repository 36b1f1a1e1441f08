"""Accuracy of free answers by a judge's verdicts: consistent with the reference, or not.

Unreadable verdicts and failed calls are wrong, and both are counted.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import count_rows
from .core import judge_consistency, read_verdicts


class JudgeConsistency(evaluate.Metric):  # type: ignore[misc]
    """Accuracy by a judge's verdicts.

    Args:
        verdicts: a row True or "consistent", False or "inconsistent", or None (could not be read).
        failed: given to `compute`: a row whether there is no verdict at all.

    Returns:
        `judged_accuracy`, `judged_accuracy_answered` (None without a readable verdict), `n`, `n_unparsed`,
        `n_failed`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("judge_consistency")
        >>> result = metric.compute(verdicts=["consistent", "inconsistent", None, "consistent"])
        >>> result["judged_accuracy"], result["n_unparsed"]
        (0.5, 1)
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features({"verdicts": datasets.Value("bool")}),
        )

    def add_batch(self, *, verdicts: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        rows = read_verdicts(verdicts)
        count_rows(verdicts=rows)
        super().add_batch(verdicts=rows)

    def add(self, *, verdicts: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(verdicts=[verdicts])

    def _compute(
        self, predictions: Any = None, references: Any = None, *, verdicts: Any, **kwargs: Any
    ) -> dict[str, Any]:
        return judge_consistency(verdicts, **kwargs)
