"""WHOOPS! (Bitton-Guetta et al., 2023) as the persuasive-ads paper uses it: choose what makes a picture unusual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from punctum.evaluators.base import Benchmark, Loader, Options, Row
from punctum.evaluators.choosing import Choosing
from punctum.records import Sample


class Explanation(Choosing):
    """Choose the explanation of what is unusual (Section 7.3 of the ads paper, which gives no prompt)."""

    name = "explanation"
    config = "explanation_hard"
    subsets = ("hard", "easy")
    caption_prompt = "whoops/caption"

    def rows(self, load: Loader, options: Options) -> Any:
        """Hard: five alterations of the explanation; easy: 15 explanations of other pictures."""
        return load(f"explanation_{options.subset or 'hard'}")

    def fields(self, row: Row) -> dict[str, Any]:
        """The selected caption, and the category of common sense that the picture defies."""
        return {"caption": row["selected_caption"], "category": row["category"]}

    def group(self, sample: Sample) -> str | None:
        """The category of common sense."""
        category = sample.fields["category"]
        return None if category is None else str(category)

    def prompt(self, sample: Sample, options: Options, caption: str | None) -> str:
        """Ours, one a setting."""
        fields: dict[str, object] = {"options": sample.options}
        if caption is not None:
            fields["caption"] = caption
        return options.prompts.render(f"whoops/explanation_{options.setting}", **fields)

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template a setting."""
        return (f"whoops/explanation_{options.setting}",)


def address(value: object) -> tuple[str, int | None]:
    """Ids are those of the pictures."""
    return str(value), None


BENCHMARK = Benchmark("whoops", "WHOOPS!: what makes a picture unusual", (Explanation(),), address)
