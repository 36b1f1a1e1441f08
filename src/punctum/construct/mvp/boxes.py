"""Boxes in the words of grounding models, as pixels of a picture."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from punctum.construct.wants import Unusable

#: Scales of plain numbers: of the picture's sides.
SCALES = {"unit": 1.0, "percent": 100.0, "thousand": 1000.0}
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_GAP = r"\s*[,;\s]\s*"
_LOC = re.compile(r"<loc(\d{4})>\s*<loc(\d{4})>\s*<loc(\d{4})>\s*<loc(\d{4})>")
_ANGLES = re.compile(r"\{?\s*<\s*(\d{1,3})\s*>\s*<\s*(\d{1,3})\s*>\s*<\s*(\d{1,3})\s*>\s*<\s*(\d{1,3})\s*>")
_PAIRS = re.compile(rf"\(\s*{_NUMBER}{_GAP}{_NUMBER}\s*\){_GAP}?\(\s*{_NUMBER}{_GAP}{_NUMBER}\s*\)")
_LIST = re.compile(rf"[\[(]+\s*{_NUMBER}{_GAP}{_NUMBER}{_GAP}{_NUMBER}{_GAP}{_NUMBER}\s*[\])]")
_NAMED = re.compile(rf"x1\W+{_NUMBER}\W+y1\W+{_NUMBER}\W+x2\W+{_NUMBER}\W+y2\W+{_NUMBER}", re.IGNORECASE)
_LEAST_SIDE = 2  # pixels


@dataclass(frozen=True)
class Box:
    """Whole pixels: left and top inclusive, right and bottom exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """In pixels."""
        return (self.right - self.left) * (self.bottom - self.top)

    def overlap(self, other: Box) -> int:
        """Pixels that both have."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0) * max(height, 0)


def parse_box(text: str, width: int, height: int, scale: str = "auto") -> Box:
    """The first box in a model's words, clipped to the picture.

    Known: PaliGemma's `<loc0000>` (y first, of 1,024), `{<x><y><x><y>}` of 100 (MiniGPT-v2) or 1,000 (CogVLM, three
    digits), `(x,y),(x,y)` of 1,000 within `<box>` (Qwen-VL), JSON lists and plain lists, `x1: … y2: …`. Plain
    numbers are parts of the picture's sides where all are at most 1, else pixels where they fit into the picture,
    else of 1,000.

    Args:
        text: the model's words.
        width, height: of the picture, in pixels.
        scale: what plain numbers mean: `unit`, `percent`, `thousand`, `pixel`, or `auto`.

    Raises:
        Unusable: if there is no box, or nothing of it lies in the picture.
    """
    if match := _LOC.search(text):
        top, left, bottom, right = (int(number) / 1024 for number in match.groups())
        return _clipped((left, top, right, bottom), width, height, 1.0)
    if match := _ANGLES.search(text):
        numbers = _floats(match)
        of = 1000.0 if any(len(digits) == 3 for digits in match.groups()) and max(numbers) > 100 else 100.0
        return _clipped(numbers, width, height, of)
    match = _PAIRS.search(text) or _LIST.search(text) or _NAMED.search(text)
    if match is None:
        raise Unusable("no box", text[:80])
    numbers = _floats(match)
    within_tag = "<box>" in text[: match.start()] or "<|box_start|>" in text[: match.start()]
    return _clipped(numbers, width, height, _scale(numbers, width, height, scale, within_tag))


def _floats(match: re.Match[str]) -> tuple[float, ...]:
    return tuple(float(number) for number in match.groups())


def _scale(numbers: tuple[float, ...], width: int, height: int, scale: str, within_tag: bool) -> float | None:
    """What the numbers are parts of; None for pixels."""
    if scale != "auto":
        return SCALES.get(scale)
    if max(numbers) <= 1:
        return 1.0
    if within_tag:
        return 1000.0
    fits = numbers[0] <= width and numbers[2] <= width and numbers[1] <= height and numbers[3] <= height
    return None if fits else 1000.0


def _clipped(numbers: tuple[float, ...], width: int, height: int, of: float | None) -> Box:
    x1, y1, x2, y2 = numbers
    across, down = (1.0, 1.0) if of is None else (width / of, height / of)
    left, right = sorted((x1 * across, x2 * across))
    top, bottom = sorted((y1 * down, y2 * down))
    box = Box(
        max(math.floor(left + 1e-6), 0),
        max(math.floor(top + 1e-6), 0),
        min(math.ceil(right - 1e-6), width),
        min(math.ceil(bottom - 1e-6), height),
    )
    if box.right - box.left < _LEAST_SIDE or box.bottom - box.top < _LEAST_SIDE:
        raise Unusable("an empty box", f"{numbers} in {width} × {height}")
    return box
