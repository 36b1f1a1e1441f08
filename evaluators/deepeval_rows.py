"""DeepEval's rows: which belong to a subset, and by what they are broken down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from punctum.evaluators.options import Options
from punctum.evaluators.rows import Row, iterate
from punctum.records import Sample

CATEGORIES = ("humorous", "critical", "touching", "philosophical", "inspiring", "satirical")
SUBSETS = (*CATEGORIES, "with_text", "without_text")
_FIELDS = ("category", "with_text", "annotated_description")
_COLUMNS = ("id", "image", "options", "option_kinds", "answers", "permutation", *_FIELDS)


def rows_of(rows: Any, options: Options) -> Iterator[Row]:
    """The rows of the subset, up to the limit.

    Raises:
        ValueError: if no row has the subset's label.
    """
    found = False
    wanted = (row for row in iterate(rows, columns=_COLUMNS) if _in_subset(row, options.subset))
    for row in islice(wanted, options.limit):
        found = True
        yield row
    if not found and options.subset is not None:
        raise ValueError(
            f"no row is {options.subset}: the released files have no such labels; supply a CSV "
            "categories.csv with columns Image_ID,category,with_text in the data folder"
        )


def fields_of(row: Row) -> dict[str, Any]:
    """What prompts and breakdowns need of a row beside its options."""
    return {name: row.get(name) for name in _FIELDS}


def labels_of(sample: Sample) -> list[str]:
    """The labels that a question's picture has: its category, and whether there is text in it."""
    category = sample.fields.get("category")
    with_text = sample.fields.get("with_text")
    found = [str(category)] if category else []
    if with_text is not None:
        found.append("with_text" if with_text else "without_text")
    return found


def _in_subset(row: Row, subset: str | None) -> bool:
    if subset is None:
        return True
    if subset in ("with_text", "without_text"):
        return row.get("with_text") is not None and bool(row["with_text"]) == (subset == "with_text")
    return row.get("category") == subset
