"""A small drawing surface: flat colours, dark outlines, round joints, smooth edges.

Everything is drawn at four times the size and averaged down, which gives clean edges out of PIL's plain
shapes. Coordinates are pixels of the finished picture, x to the right and y downwards. The only font is the
one that PIL carries, so that the pictures come out alike on every machine.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from PIL import Image, ImageDraw, ImageFont

SIZE = 320
SCALE = 4

Point = tuple[float, float]

INK = "#2b2d42"
PAPER = "#fbf6ea"
WHITE = "#ffffff"
RED = "#e4572e"
PINK = "#f4b6b0"
YELLOW = "#f5b841"
GOLD = "#e09f2b"
GREEN = "#6fae56"
DARK_GREEN = "#3f7d4b"
TEAL = "#2a9d8f"
BLUE = "#4a7fb5"
WATER = "#7fb8d8"
SKY = "#d3e8f2"
PURPLE = "#7d5ba6"
BROWN = "#8d6346"
WOOD = "#c89b6c"
GREY = "#9aa3ad"
LIGHT = "#dde2e6"
NIGHT = "#2c3757"
SKIN, TAN, DARK_SKIN = "#f4cda5", "#cf9667", "#8f5f40"


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """PIL's own font in a pixel size, laid out by PIL itself (optional layout libraries differ)."""
    default = ImageFont.load_default(size=size)
    if not isinstance(default, ImageFont.FreeTypeFont):
        raise RuntimeError("PIL was built without FreeType: install the wheel of Pillow from PyPI")
    return default.font_variant(layout_engine=ImageFont.Layout.BASIC)


def smooth(points: Sequence[Point], closed: bool = False, steps: int = 12) -> list[Point]:
    """A Catmull-Rom curve through all of the points."""
    n = len(points)
    curve: list[Point] = []
    for i in range(n if closed else n - 1):
        if closed:
            p = [points[(i + k) % n] for k in (-1, 0, 1, 2)]
        else:
            p = [points[min(max(i + k, 0), n - 1)] for k in (-1, 0, 1, 2)]
        for step in range(steps):
            t = step / steps
            weights = (
                (-t + 2 * t**2 - t**3) / 2,
                (2 - 5 * t**2 + 3 * t**3) / 2,
                (t + 4 * t**2 - 3 * t**3) / 2,
                (-(t**2) + t**3) / 2,
            )
            curve.append(
                (
                    sum(w * q[0] for w, q in zip(weights, p, strict=True)),
                    sum(w * q[1] for w, q in zip(weights, p, strict=True)),
                )
            )
    if not closed:
        curve.append(points[-1])
    return curve


def arc_points(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> list[Point]:
    """Points on an ellipse from one angle to another, in degrees, 0 at the right, 90 below."""
    steps = max(8, int(abs(end - start) / 5))
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles]


class Canvas:
    """One picture in the making."""

    def __init__(self, background: str = PAPER) -> None:
        self._image = Image.new("RGB", (SIZE * SCALE, SIZE * SCALE), background)
        self._draw = ImageDraw.Draw(self._image)

    def finished(self) -> Image.Image:
        """The picture, `SIZE` pixels square, RGB."""
        return self._image.reduce(SCALE)

    def line(self, points: Iterable[Point], color: str = INK, width: float = 3) -> None:
        """A line with round ends and joints."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        w = max(1, round(width * SCALE))
        self._draw.line(scaled, fill=color, width=w)
        r = w / 2
        for x, y in scaled:
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=color)

    def dashes(self, points: Sequence[Point], color: str = INK, width: float = 2, dash: float = 6) -> None:
        """A broken line through the points."""
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            length = math.hypot(x1 - x0, y1 - y0)
            count = max(1, round(length / (2 * dash)))
            for i in range(count):
                a, b = i / count, (i + 0.5) / count
                ends = [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (a, b)]
                self.line(ends, color, width)

    def poly(self, points: Sequence[Point], fill: str | None, outline: str | None = INK, width: float = 3) -> None:
        """A filled shape with an outline (None: none)."""
        if fill is not None:
            self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=fill)
        if outline is not None:
            self.line([*points, points[0]], outline, width)

    def blob(self, points: Sequence[Point], fill: str | None, outline: str | None = INK, width: float = 3) -> None:
        """A filled shape with a smooth edge through the points."""
        self.poly(smooth(points, closed=True), fill, outline, width)

    def curve(self, points: Sequence[Point], color: str = INK, width: float = 3) -> None:
        """A smooth line through the points."""
        self.line(smooth(points), color, width)

    def rect(
        self,
        box: tuple[float, float, float, float],
        fill: str | None,
        outline: str | None = INK,
        width: float = 3,
        radius: float = 0,
    ) -> None:
        """A rectangle from its left, top, right and bottom, with rounded corners if `radius` is above 0."""
        x0, y0, x1, y1 = box
        r = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
        if r <= 0:
            self.poly([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], fill, outline, width)
            return
        corners = [(x1 - r, y0 + r, -90), (x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180)]
        points = [p for cx, cy, start in corners for p in arc_points(cx, cy, r, r, start, start + 90)]
        self.poly(points, fill, outline, width)

    def oval(
        self,
        cx: float,
        cy: float,
        rx: float,
        ry: float | None = None,
        fill: str | None = None,
        outline: str | None = INK,
        width: float = 3,
    ) -> None:
        """An ellipse; a circle where `ry` is None."""
        self.poly(arc_points(cx, cy, rx, rx if ry is None else ry, 0, 355), fill, outline, width)

    def arc(
        self,
        cx: float,
        cy: float,
        rx: float,
        ry: float,
        start: float,
        end: float,
        color: str = INK,
        width: float = 3,
    ) -> None:
        """A part of an ellipse as a line, angles in degrees."""
        self.line(arc_points(cx, cy, rx, ry, start, end), color, width)

    def limb(self, points: Sequence[Point], color: str, width: float, edge: float = 2.5) -> None:
        """A thick outlined stroke: an arm, a leg, a pipe."""
        self.line(points, INK, width + 2 * edge)
        self.line(points, color, width)

    def text(self, x: float, y: float, words: str, size: float, color: str = INK, bold: float = 0.6) -> None:
        """Words centred on a point. `size` and the stroke `bold` are in pixels of the finished picture."""
        options: dict[str, Any] = {"anchor": "mm", "align": "center", "stroke_width": round(bold * SCALE)}
        face = font(round(size * SCALE))
        self._draw.text((x * SCALE, y * SCALE), words, font=face, fill=color, **options)
