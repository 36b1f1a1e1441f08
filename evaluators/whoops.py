"""WHOOPS! (Bitton-Guetta et al., 2023) as the persuasive-ads paper uses it: choose what makes a picture unusual.

A picture is told by a caption, or by the parts that the paper writes of ads (`--context`; Table 14 has T_V).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from punctum.evaluators.ads_context import (
    CONTEXT,
    FAMILIES,
    PARTS,
    context_text,
    context_texts,
    parse_context,
    stages_for,
)
from punctum.evaluators.base import NOTHING, Benchmark, Loader, Stage
from punctum.evaluators.choosing import Choosing
from punctum.evaluators.options import Options
from punctum.evaluators.rows import Row, choice_continuations
from punctum.records import Request, Sample


class Explanation(Choosing):
    """Choose the explanation of what is unusual (Section 7.3 of the ads paper, which gives no prompt)."""

    name = "explanation"
    config = "explanation_hard"
    subsets = ("hard", "easy")
    caption_prompt = "whoops/caption"
    contexts = True

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

    def adapted(self, options: Options, reads_pictures: bool) -> Options:
        """The context's parts in one order, and the setting that it makes: `vlm` where it holds the picture."""
        if options.context is None:
            return options
        parts = parse_context(options.context)
        if options.setting != "vlm" and "I" in parts:
            raise ValueError(
                f"--setting {options.setting} shows no picture, and the context {options.context} holds it"
            )
        if options.setting == "lm":
            raise ValueError(f"--setting lm tells nothing, and the context {options.context} does")
        return replace(options, context="+".join(parts), setting="vlm" if "I" in parts else "sm")

    def check(self, options: Options) -> None:
        """Also refuse what only ads have, and a caption beside a context.

        Raises:
            ValueError: as `Task.check`.
        """
        super().check(options)
        if options.context is None:
            return
        if statements := [part for part in parse_context(options.context) if part.startswith("s_")]:
            known = ", ".join(part for part in PARTS if not part.startswith("s_"))
            raise ValueError(
                f"{statements[0]} is a statement about two objects of an ad, and whoops has none; known: {known}"
            )
        if options.caption != "self" or options.given_captions is not None:
            raise ValueError("a context tells of the picture in its own parts; leave --caption or --context out")

    def stages(self, options: Options) -> Sequence[Stage]:
        """What the context needs, where there is one."""
        return (
            super().stages(options) if options.context is None else stages_for(parse_context(options.context), options)
        )

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """The setting's prompt, or the one with a context."""
        if options.context is None:
            return super().request(sample, options, texts)
        parts = parse_context(options.context)
        pictures = sample.pictures if "I" in parts else ()
        [name] = self.prompt_names(options)[:1]
        fields: dict[str, object] = {"options": sample.options}
        if parts != ("I",):
            fields |= {"context": context_text(parts, sample, texts, options), "shown": "I" in parts}
        prompt = options.prompts.render(name, **fields)
        return Request(sample, prompt, pictures, options.system, choice_continuations(sample, options))

    def told(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> tuple[str, ...]:
        """Each part of the context, or the caption."""
        if options.context is None:
            return super().told(sample, options, texts)
        return tuple(context_texts(parse_context(options.context), sample, texts).values())

    def prompt(self, sample: Sample, options: Options, caption: str | None) -> str:
        """Ours, one a setting."""
        fields: dict[str, object] = {"options": sample.options}
        if caption is not None:
            fields["caption"] = caption
        return options.prompts.render(f"whoops/explanation_{options.setting}", **fields)

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template a setting, and one for all contexts that tell something."""
        if options.context is None or parse_context(options.context) == ("I",):
            return (f"whoops/explanation_{options.setting}",)
        return ("whoops/explanation_context", CONTEXT)


def address(value: object) -> tuple[str, int | None]:
    """Ids are those of the pictures."""
    return str(value), None


BENCHMARK = Benchmark("whoops", "WHOOPS!: what makes a picture unusual", (Explanation(),), address, FAMILIES)
