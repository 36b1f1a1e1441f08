"""Yes/no questions on pairs of pictures, one of them edited: accuracies by question, picture and pair.

The measures of MVP-Bench: acc by side and level, qAcc, iAcc, aAcc and mAcc.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from .checks import as_list, count_rows
from .core import paired_yes_no

_COLUMNS = ("predictions", "references", "pairs", "sides", "levels", "questions")


class PairedYesNo(evaluate.Metric):  # type: ignore[misc]
    """Accuracies of yes/no answers on pairs of pictures.

    Args:
        predictions: a row "yes", "no", or None for an unparsed answer.
        references: a row "yes" or "no".
        pairs: a row the text or number that names its pair of pictures.
        sides: a row "source" or "edited".
        levels: a row "low" or "high".
        questions: a row the question's exact text.

    Returns:
        `acc_source_low`, `acc_edited_low`, `acc_source_high`, `acc_edited_high`, `q_acc_low`, `q_acc_high`,
        `i_acc_source`, `i_acc_edited`, `a_acc`, `m_acc`, each None where nothing can be counted; the
        denominator of each as `n_…`; `n`, `n_unparsed`, `n_unpaired`.

    Examples:
        >>> import evaluate
        >>> metric = evaluate.load("paired_yes_no")
        >>> result = metric.compute(
        ...     predictions=["yes", "no", "yes", "yes"],
        ...     references=["yes", "no", "yes", "no"],
        ...     pairs=["1", "1", "1", "1"],
        ...     sides=["source", "edited", "source", "edited"],
        ...     levels=["low", "low", "high", "high"],
        ...     questions=["A hat?", "A hat?", "A chef?", "A chef?"],
        ... )
        >>> result["q_acc_low"], result["q_acc_high"], result["i_acc_source"]
        (1.0, 0.0, 1.0)
        >>> result["a_acc"], result["m_acc"]
        (0.75, 0.0)
    """

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description=type(self).__doc__,
            features=datasets.Features({name: datasets.Value("string") for name in _COLUMNS}),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several rows. Pairs are kept as text."""
        batch = {"predictions": predictions, "references": references, **kwargs}
        columns = {name: as_list(name, batch.pop(name, None)) for name in _COLUMNS}
        count_rows(**columns)
        columns["pairs"] = [str(pair) for pair in columns["pairs"]]
        # Arrow would turn any value into text, and evaluate refuses None where text is due: "" stands for
        # None on the way.
        for name in _COLUMNS:
            for row, value in enumerate(columns[name]):
                if not isinstance(value, str) and not (name == "predictions" and value is None):
                    raise ValueError(f"{name}, row {row}: {value!r:.80} is not a text")
        columns["predictions"] = ["" if word is None else word for word in columns["predictions"]]
        super().add_batch(**columns, **batch)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row."""
        columns = {name: [value] for name, value in kwargs.items()}
        self.add_batch(predictions=[prediction], references=[reference], **columns)

    def _compute(self, predictions: Any, references: Any, **kwargs: Any) -> dict[str, Any]:
        return paired_yes_no([word or None for word in predictions], references, **kwargs)
