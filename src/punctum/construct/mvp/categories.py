"""MVP-Bench's categories: what changes at the low level, what at the high level, and how it is edited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from punctum.datasets_scripts.mvp_bench.questions import CATEGORIES as RANGES

Route = Literal["component", "background", "direct"]
#: The high-level aspects, options of the cross-image questions.
ASPECTS = ("behaviour", "role", "identity", "emotion", "scenario")


@dataclass(frozen=True)
class Category:
    """A category.

    Attributes:
        code: `B1` … `S2`.
        high: the high-level aspect that changes.
        low: the change, in the words of the published cross-image questions.
        route: `component` (an object inside its box), `background` (everything but the subject), `direct` (an
            instruction to the whole picture).
        first, last: pair ids of the category.
    """

    code: str
    high: str
    low: str
    route: Route
    first: int
    last: int


_WHAT: dict[str, tuple[str, str, Route]] = {
    "B1": ("behaviour", "Substitute the background.", "background"),
    "B2": ("behaviour", "Alter the main subject's movement.", "component"),
    "B3": ("behaviour", "Replace the object held by the main subject.", "component"),
    "B4": ("behaviour", "Replace the content in the paper or sign.", "component"),
    "R1": ("role", "Introduce a group of people.", "background"),
    "R2": ("role", "Change the main subject's clothes.", "component"),
    "I1": ("identity", "Substitute the main subject with virtual character.", "component"),
    "I2": ("identity", "Change the appearence of the main subject.", "component"),
    "I3": ("identity", "Substitute the main subject with celebrities.", "component"),
    "E1": ("emotion", "Change the main subject's gesture.", "component"),
    "E2": ("emotion", "Change the main subject's facial expression.", "direct"),
    "S1": ("scenario", "Substitute the background.", "background"),
    "S2": ("scenario", "Change aesthetic features (including style and lightness).", "direct"),
}
CATEGORIES = {code: Category(code, *_WHAT[code], first, last) for code, first, last in RANGES}
