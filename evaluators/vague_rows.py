"""What VAGUE's two ways of asking what a speaker wants share."""

from __future__ import annotations

import re
from typing import Any

from punctum.evaluators.base import Loader
from punctum.evaluators.options import Options
from punctum.evaluators.settings import InSettings
from punctum.records import Sample

_ANSWER_2 = re.compile(r"answer\s*2\W*(?:intention|intent)?[\s:*_`)\]]*", re.I)


class OfUtterance(InSettings):
    """A question about an utterance, by one template a setting, with or without a chain of thought.

    Attributes:
        shown: fields of a sample that the template shows beside options and caption.
    """

    config = "all"
    subsets = ("vcr", "ego4d", "all", "human400")
    reasons = True
    caption_prompt = "vague/caption"
    shown: tuple[str, ...] = ("utterance",)

    def rows(self, load: Loader, options: Options) -> Any:
        """The rows of a source, of both, or the 400 that people answered, by the rule of Appendix E."""
        if options.subset == "human400":
            return load("all", subset="human400", seed=options.seed)
        return load(options.subset or self.config)

    def group(self, sample: Sample) -> str:
        """The picture's source."""
        return str(sample.fields["source"])

    def prompt(self, sample: Sample, options: Options, caption: str | None) -> str:
        """The setting's prompt, with or without "Let's think step by step."."""
        [name] = self.prompt_names(options)
        fields: dict[str, object] = {field: sample.fields[field] for field in self.shown}
        if sample.options:
            fields["options"] = sample.options
        if caption is not None:
            fields["caption"] = caption
        return options.prompts.render(name, **fields)

    def check(self, options: Options) -> None:
        """Also refuse a chain of thought where the paper has none.

        Raises:
            ValueError: as `Task.check`.
        """
        super().check(options)
        if options.cot and options.setting == "lm":
            raise ValueError("the paper has a chain of thought for the settings vlm and sm, and none for lm")

    def final_words(self, output: str, options: Options) -> str:
        """With a chain of thought, what stands behind the last heading of answer 2; all where there is none."""
        headings = list(_ANSWER_2.finditer(output)) if options.cot else []
        return output[headings[-1].end() :] if headings else output
