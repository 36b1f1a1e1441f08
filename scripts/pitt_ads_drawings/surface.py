"""A drawing surface that can also paint inside a shape, for objects with another thing's texture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from scripts.deepeval_drawings.canvas import INK, SCALE, SIZE, WHITE, Canvas, Point, smooth


class AdCanvas(Canvas):
    """One ad in the making."""

    def inside(self, points: Sequence[Point], paint: Callable[[AdCanvas], None], width: float = 4) -> None:
        """Paint, but let only what lies inside the shape be seen; then draw the shape's outline."""
        layer = AdCanvas()
        layer._image.paste(self._image)
        paint(layer)
        mask = Image.new("L", self._image.size)
        ImageDraw.Draw(mask).polygon([(x * SCALE, y * SCALE) for x, y in points], fill=255)
        self._image.paste(layer._image, mask=mask)
        self.line([*points, points[0]], INK, width)

    def background(self, top: str, bottom: str | None = None, horizon: float = SIZE) -> None:
        """A plain ground, with another colour below the horizon."""
        self.rect((0, 0, SIZE, SIZE), top, None)
        if bottom is not None:
            self.rect((0, horizon, SIZE, SIZE), bottom, None)

    def slogan(self, words: str, y: float = 296, size: float = 20, color: str = INK) -> None:
        """The ad's words, in the middle."""
        self.text(SIZE / 2, y, words, size, color)


def turned(
    points: Sequence[Point], degrees: float, cx: float = 0, cy: float = 0, dx: float = 0, dy: float = 0
) -> list[Point]:
    """Points turned about a centre, clockwise, and then moved."""
    a = math.radians(degrees)
    c, s = math.cos(a), math.sin(a)
    return [(cx + (x - cx) * c - (y - cy) * s + dx, cy + (x - cx) * s + (y - cy) * c + dy) for x, y in points]


def grid(x0: float, y0: float, x1: float, y1: float, step_x: float, step_y: float) -> list[Point]:
    """Points in rows, every other row shifted by half a step."""
    found = []
    for row in range(int((y1 - y0) / step_y) + 1):
        shift = step_x / 2 if row % 2 else 0
        for column in range(int((x1 - x0) / step_x) + 2):
            found.append((x0 + column * step_x - shift, y0 + row * step_y))
    return found


def wobble(x: float, y: float, seed: int = 1) -> float:
    """A repeatable unevenness between -1 and 1 for a place, without random numbers."""
    value = math.sin(x * 12.9898 + y * 78.233 + seed * 37.719) * 43758.5453
    return 2 * (value - math.floor(value)) - 1


def bottle(cx: float, top: float, bottom: float, width: float) -> list[Point]:
    """The outline of a bottle."""
    w, neck = width / 2, width / 6
    h = bottom - top
    right = [
        (cx + neck, top),
        (cx + neck, top + 0.25 * h),
        (cx + 0.75 * w, top + 0.38 * h),
        (cx + w, top + 0.5 * h),
        (cx + w, top + 0.75 * h),
        (cx + w, bottom - 6),
        (cx + w - 8, bottom),
    ]
    left = [(2 * cx - x, y) for x, y in reversed(right)]
    return [right[0], *smooth(right[1:5]), *right[5:], *left[:2], *smooth(left[2:6]), left[-1]]


def heart_points(cx: float, cy: float, s: float) -> list[Point]:
    """The outline of a heart about 2 `s` wide."""
    points = []
    for i in range(60):
        t = 2 * math.pi * i / 60
        dy = -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16
        points.append((cx + s * math.sin(t) ** 3, cy + s * dy))
    return points


def shine(c: Canvas, points: Sequence[Point], width: float = 5) -> None:
    """A streak of light on glass."""
    c.curve(points, WHITE, width)
