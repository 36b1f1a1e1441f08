"""What VAGUE's two ways of asking share: the rows, and where a chain of thought ends."""

from __future__ import annotations

import re
from typing import Any

from punctum.evaluators.base import Loader
from punctum.evaluators.options import Options

SUBSETS = ("vcr", "ego4d", "all", "human400")
_ANSWER_2 = re.compile(r"answer\s*2\W*(?:intention|intent)?[\s:*_`)\]]*", re.I)


def rows_of(load: Loader, options: Options) -> Any:
    """The rows of a source, of both, or the 400 that people answered, by the rule of Appendix E."""
    if options.subset == "human400":
        return load("all", subset="human400", seed=options.seed)
    return load(options.subset or "all")


def check_cot(options: Options) -> None:
    """Refuse a chain of thought where the paper has none.

    Raises:
        ValueError: in the setting `lm`.
    """
    if options.cot and options.setting == "lm":
        raise ValueError("the paper has a chain of thought for the settings vlm and sm, and none for lm")


def final_words(output: str, options: Options) -> str:
    """With a chain of thought, what stands behind the last heading of answer 2; all where there is none."""
    headings = list(_ANSWER_2.finditer(output)) if options.cot else []
    return output[headings[-1].end() :] if headings else output
