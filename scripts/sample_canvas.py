"""A Pillow canvas in units of which a picture is 320 wide, with outlined shapes."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Points = Sequence[tuple[float, float]]

INK: Colour = (34, 30, 40)
_LINE = 3.0


class Canvas:
    """Shapes with a dark outline, moved and scaled as `place` says."""

    def __init__(self, pixels: int) -> None:
        self.image = Image.new("RGB", (pixels, pixels), (255, 255, 255))
        self._draw = ImageDraw.Draw(self.image)
        self._unit = pixels / 320
        self._zoom = 1.0
        self._offset = (0.0, 0.0)

    def place(self, dx: float, dy: float, zoom: float, pivot: tuple[float, float]) -> None:
        """Scale what is drawn from now on by `zoom` about `pivot`, then move it by (dx, dy) units."""
        self._zoom = zoom
        self._offset = (pivot[0] * (1 - zoom) + dx, pivot[1] * (1 - zoom) + dy)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (
            (x * self._zoom + self._offset[0]) * self._unit,
            (y * self._zoom + self._offset[1]) * self._unit,
        )

    def _long(self, length: float) -> float:
        return length * self._zoom * self._unit

    def _width(self, line: float) -> int:
        return max(1, round(self._long(line)))

    def _bounds(self, x: float, y: float, rx: float, ry: float) -> tuple[float, float, float, float]:
        return (*self._at(x - rx, y - ry), *self._at(x + rx, y + ry))

    def oval(self, x: float, y: float, rx: float, ry: float, fill: Colour, line: float = _LINE) -> None:
        """An ellipse about (x, y); `line` is the width of its outline, 0 for none."""
        outline = INK if line else None
        self._draw.ellipse(self._bounds(x, y, rx, ry), fill=fill, outline=outline, width=self._width(line))

    def chord(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        start: float,
        end: float,
        fill: Colour,
        line: float = _LINE,
    ) -> None:
        """The part of an ellipse that a chord cuts off, between two angles in degrees clockwise from three."""
        bounds = self._bounds(x, y, rx, ry)
        self._draw.chord(bounds, start, end, fill=fill, outline=INK, width=self._width(line))

    def arc(
        self, x: float, y: float, rx: float, ry: float, start: float, end: float, width: float, fill: Colour
    ) -> None:
        """A piece of an ellipse's edge."""
        self._draw.arc(self._bounds(x, y, rx, ry), start, end, fill=fill, width=self._width(width))

    def box(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Colour,
        radius: float = 0,
        line: float = _LINE,
    ) -> None:
        """A rectangle with round corners."""
        outline = INK if line else None
        corners = (*self._at(x0, y0), *self._at(x1, y1))
        self._draw.rounded_rectangle(corners, self._long(radius), fill=fill, outline=outline, width=self._width(line))

    def polygon(self, points: Points, fill: Colour, line: float = _LINE) -> None:
        """A closed shape."""
        placed = [self._at(x, y) for x, y in points]
        self._draw.polygon(placed, fill=fill)
        if line:
            self._draw.line([*placed, placed[0], placed[1]], fill=INK, width=self._width(line), joint="curve")

    def line(self, points: Points, width: float, fill: Colour) -> None:
        """A line without an outline."""
        placed = [self._at(x, y) for x, y in points]
        self._draw.line(placed, fill=fill, width=self._width(width), joint="curve")

    def stroke(self, points: Points, width: float, fill: Colour) -> None:
        """A thick line with round ends and an outline: arms, legs, sticks."""
        for wide, colour in ((width + 2 * _LINE, INK), (width, fill)):
            self.line(points, wide, colour)
            for x, y in (points[0], points[-1]):
                self._draw.ellipse(self._bounds(x, y, wide / 2, wide / 2), fill=colour)

    def text(self, x: float, y: float, words: str, height: float, fill: Colour) -> None:
        """Bold words about (x, y), in the face that Pillow carries, so that every machine draws the same."""
        size = self._long(height)
        font = ImageFont.load_default(size=size)
        self._draw.text(
            self._at(x, y), words, fill=fill, font=font, anchor="mm", stroke_width=size / 22, stroke_fill=fill
        )
