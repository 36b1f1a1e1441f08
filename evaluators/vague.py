"""VAGUE (Nam et al., 2025): what an ambiguous utterance wants, by picture, by caption, or by its words alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from punctum.evaluators.base import Benchmark, Loader
from punctum.evaluators.choosing import Choosing
from punctum.evaluators.counting import Counted
from punctum.evaluators.options import Options
from punctum.evaluators.rows import Row
from punctum.evaluators.vague_free import FreeForm
from punctum.evaluators.vague_rows import SUBSETS, check_cot, final_words, rows_of
from punctum.evaluators.vague_tags import PersonTags
from punctum.records import Prediction, Sample

#: How the paper counts wrong choices: fake scene, surface understanding, nonexistent entity.
FAILURE_MODES = {"fake_scene": "FS", "superficial": "SU", "nonexistent_entity": "NE"}


class Mcq(Choosing):
    """Choose the reading that the speaker means, among four (Figures J15 to J17, J21, J22)."""

    name = "mcq"
    config = "all"
    subsets = SUBSETS
    reasons = True
    caption_prompt = "vague/caption"

    def rows(self, load: Loader, options: Options) -> Any:
        """The rows of a source, of both, or the 400 that people answered, by the rule of Appendix E."""
        return rows_of(load, options)

    def fields(self, row: Row) -> dict[str, Any]:
        """The utterance, the data's caption, and where the picture is from."""
        return {"utterance": row["indirect"], "caption": row["caption"], "source": row["category"]}

    def group(self, sample: Sample) -> str:
        """The picture's source."""
        return str(sample.fields["source"])

    def prompt(self, sample: Sample, options: Options, caption: str | None) -> str:
        """The setting's prompt, with or without "Let's think step by step."."""
        [name] = self.prompt_names(options)
        fields: dict[str, object] = {"utterance": sample.fields["utterance"], "options": sample.options}
        if caption is not None:
            fields["caption"] = caption
        return options.prompts.render(name, **fields)

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template a setting."""
        return (f"vague/{'cot' if options.cot else 'mcq'}_{options.setting}",)

    def check(self, options: Options) -> None:
        """Also refuse a chain of thought where the paper has none.

        Raises:
            ValueError: as `Task.check`.
        """
        super().check(options)
        check_cot(options)

    def final_words(self, output: str, options: Options) -> str:
        """With a chain of thought, what stands behind the last heading of answer 2; all where there is none."""
        return final_words(output, options)

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Also how often each failure mode was chosen (raw counts, as in the paper)."""
        counted = super().score(pairs, options)
        chosen = counted.breakdowns["chosen_kinds"]
        modes = {short: chosen.get(kind, 0) for kind, short in FAILURE_MODES.items()}
        return replace(counted, breakdowns={**counted.breakdowns, "failure_modes": modes})


def address(value: object) -> tuple[str, int | None]:
    """Ids are names of pictures, some with an @ of their own; no rotation stands in them."""
    return str(value), None


BENCHMARK = Benchmark("vague", "VAGUE: what an ambiguous utterance wants", (Mcq(), FreeForm(), PersonTags()), address)
