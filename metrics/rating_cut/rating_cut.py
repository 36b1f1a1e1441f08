"""Keep what people rated high enough: VAGUE's cut on direct and indirect expressions, and what it leaves."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_numbers, count_rows
from .core import rating_cut


class RatingCut(evaluate.Metric):  # type: ignore[misc]
    """A cut by two ratings.

    Args:
        direct: a row the rating of the direct expression.
        indirect: a row the rating of the indirect one.
        min_direct, min_indirect: given to `compute`: the lowest ratings that are kept; default 4 and 3.
        scale: given to `compute`: lowest and highest rating; default 1 and 5.

    Returns:
        `share_kept`, `n_kept`, `n`, `n_direct_below`, `n_indirect_below`, `mean_direct`, `mean_indirect`,
        `mean_direct_kept`, `mean_indirect_kept`, `direct_counts`, `indirect_counts`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("rating_cut")
        >>> result = metric.compute(direct=[5, 4, 3, 5], indirect=[3, 5, 5, 2])
        >>> result["share_kept"], result["n_direct_below"], result["n_indirect_below"]
        (0.5, 1, 1)
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features({"direct": datasets.Value("float64"), "indirect": datasets.Value("float64")}),
        )

    def add_batch(self, *, direct: Any = None, indirect: Any = None, **kwargs: Any) -> None:
        """Add several rows."""
        # Arrow would turn "3" into 3 without a word, so the checks come before it.
        first, second = as_numbers("direct", direct), as_numbers("indirect", indirect)
        count_rows(direct=first, indirect=second)
        super().add_batch(direct=first, indirect=second)

    def add(self, *, direct: Any = None, indirect: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        self.add_batch(direct=[direct], indirect=[indirect])

    def _compute(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any]:
        return rating_cut(**kwargs)
