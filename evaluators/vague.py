"""VAGUE (Nam et al., 2025): what an ambiguous utterance wants, by picture, by caption, or by its words alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from punctum.evaluators.base import Benchmark
from punctum.evaluators.choosing import Choosing
from punctum.evaluators.counting import Counted
from punctum.evaluators.options import Options
from punctum.evaluators.rows import Row
from punctum.evaluators.vague_free import FreeForm
from punctum.evaluators.vague_rows import OfUtterance
from punctum.evaluators.vague_tags import PersonTags
from punctum.records import Prediction, Sample

#: How the paper counts wrong choices: fake scene, surface understanding, nonexistent entity.
FAILURE_MODES = {"fake_scene": "FS", "superficial": "SU", "nonexistent_entity": "NE"}


class Mcq(OfUtterance, Choosing):
    """Choose the reading that the speaker means, among four (Figures J15 to J17, J21, J22)."""

    name = "mcq"

    def fields(self, row: Row) -> dict[str, Any]:
        """The utterance, the data's caption, and where the picture is from."""
        return {"utterance": row["indirect"], "caption": row["caption"], "source": row["category"]}

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template a setting."""
        return (f"vague/{'cot' if options.cot else 'mcq'}_{options.setting}",)

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
