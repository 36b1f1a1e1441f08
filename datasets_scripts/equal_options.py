"""Options that say the same: a question with two equal options has no fair answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from punctum.datasets_scripts.option_rows import letter
from punctum.datasets_scripts.reading import Report


def plain(text: str) -> str:
    """Words only, in lower case: what is left of a text when it is read aloud."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())) or text.strip()


def count_equal(row_id: str, options: Sequence[str], report: Report) -> None:
    """Count a question with options that are equal but for blanks, or else but for case and punctuation."""
    for kind, key in (("equal options", str.strip), ("nearly equal options", plain)):
        keys = [key(option) for option in options]
        groups = [[letter(i) for i, k in enumerate(keys) if k == value] for value in dict.fromkeys(keys)]
        equal = [" = ".join(group) for group in groups if len(group) > 1]
        if equal:
            report.add(kind, f"{row_id} {', '.join(equal)}")
            return
