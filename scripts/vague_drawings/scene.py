"""A wide canvas that remembers where its people are, and the rooms and things that several scenes share."""

from __future__ import annotations

from PIL import Image, ImageDraw

from scripts.deepeval_drawings.canvas import (
    BLUE,
    BROWN,
    DARK_GREEN,
    DARK_SKIN,
    GREEN,
    GREY,
    INK,
    LIGHT,
    NIGHT,
    PURPLE,
    RED,
    SCALE,
    SKIN,
    SKY,
    TAN,
    TEAL,
    WHITE,
    WOOD,
    YELLOW,
    Canvas,
    Point,
    arc_points,
)
from scripts.deepeval_drawings.figures import Look, Mood, Pose, person

WIDTH, HEIGHT = 480, 320
FLOOR = 236

Box = tuple[float, float, float, float]

ANNA = Look(shirt=RED, trousers=NIGHT, skin=SKIN, hair="#7a4a21", style="long")
BEN = Look(shirt=TEAL, trousers="#4a4a55", skin=TAN, hair=INK)
CLEO = Look(shirt=YELLOW, trousers=BLUE, skin=DARK_SKIN, hair=INK, style="bun")
DAN = Look(shirt=PURPLE, trousers=NIGHT, skin=SKIN, hair=GREY, style="bald")
EVE = Look(shirt=GREEN, trousers="#5b4636", skin=TAN, hair="#3a2a20", style="long")
PHONE_POSE = Pose(right_hand=(20, -58), right_elbow=(24, -46))


class Scene(Canvas):
    """A picture of 480 x 320 pixels; `boxes` are its people's, in the order in which they were drawn."""

    def __init__(self, background: str = SKY) -> None:
        self._image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), background)
        self._draw = ImageDraw.Draw(self._image)
        self.boxes: list[Box] = []

    def who(
        self,
        x: float,
        y: float,
        look: Look,
        pose: Pose | None = None,
        mood: Mood = "smile",
        gaze: Point = (0, 0),
        height: float = 150,
        flip: bool = False,
    ) -> None:
        """Draw the next person with the feet about (x, y)."""
        person(self, x, y, height, look, pose, mood, gaze, flip)
        half, top = 0.27 * height, y - 0.99 * height
        self.boxes.append((max(x - half, 0), max(top, 0), min(x + half, WIDTH), min(y + 0.04 * height, HEIGHT)))

    def room(self, wall: str = "#f3e3c3", floor: str = "#c9a57a") -> None:
        """A wall, a skirting board and a floor."""
        self.rect((0, 0, WIDTH, FLOOR), wall, None)
        self.rect((0, FLOOR, WIDTH, HEIGHT), floor, None)
        self.rect((0, FLOOR - 6, WIDTH, FLOOR + 2), WHITE, None)

    def meadow(self, sky: str = SKY, ground: str = "#9cc98a", horizon: float = 190) -> None:
        """The open air."""
        self.rect((0, 0, WIDTH, horizon), sky, None)
        self.rect((0, horizon, WIDTH, HEIGHT), ground, None)

    def sun(self, x: float, y: float, r: float = 24) -> None:
        """The sun."""
        inner, outer = (arc_points(x, y, k * r, k * r, 0, 360)[::9] for k in (1.3, 1.7))
        for ends in zip(inner, outer, strict=True):
            self.line(ends, "#f0a020", 4)
        self.oval(x, y, r, fill="#ffd84d", width=2)

    def window(self, box: Box, view: str = SKY) -> None:
        """A closed window with a cross."""
        x0, y0, x1, y1 = box
        self.rect(box, view, WHITE, 7)
        self.line([((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1)], WHITE, 5)
        self.line([(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2)], WHITE, 5)
        self.rect((x0 - 4, y0 - 4, x1 + 4, y1 + 4), None, INK, 2)

    def table(self, x0: float, x1: float, y: float, ground: float, color: str = WOOD) -> None:
        """A table seen from the side, its top at y."""
        for x in (x0 + 12, x1 - 12):
            self.rect((x - 5, y + 8, x + 5, ground), color, width=2.5)
        self.rect((x0, y, x1, y + 12), color, radius=3)

    def chair(self, x: float, ground: float, color: str = BROWN, back: int = -1) -> None:
        """A chair, its back to the left (-1) or right (1)."""
        self.rect((x - 24, ground - 48, x + 24, ground - 38), color, width=2.5)
        for side in (-1, 1):
            self.rect((x + side * 19 - 4, ground - 38, x + side * 19 + 4, ground), color, width=2.5)
        self.rect((x + back * 22 - 4, ground - 100, x + back * 22 + 4, ground - 44), color, width=2.5)

    def sofa(self, x: float, ground: float, color: str = "#8fa3bf") -> None:
        """A sofa, 150 pixels wide."""
        self.rect((x - 68, ground - 82, x + 68, ground - 20), color, radius=12)
        self.rect((x - 60, ground - 46, x + 60, ground - 14), color, radius=6)
        for side in (-1, 1):
            self.rect((x + side * 66 - 12, ground - 58, x + side * 66 + 12, ground - 8), color, radius=8)

    def puddle(self, x: float, y: float, rx: float, ry: float, color: str = "#7fb8d8") -> None:
        """Something spilt."""
        points = [(-1, 0), (-0.6, -0.8), (0.1, -0.6), (0.7, -0.9), (1, 0.1), (0.5, 0.8), (-0.2, 0.6), (-0.7, 0.9)]
        self.blob([(x + px * rx, y + py * ry) for px, py in points], color, width=2)

    def smoke(self, x: float, y: float, color: str = GREY, s: float = 1) -> None:
        """Puffs that rise from (x, y)."""
        for dx, dy, r in ((0, -8, 8), (7, -24, 11), (-4, -42, 13), (8, -64, 16)):
            self.oval(x + dx * s, y + dy * s, r * s, fill=color, width=1.5)


__all__ = [
    "ANNA",
    "BEN",
    "BLUE",
    "BROWN",
    "CLEO",
    "DAN",
    "DARK_GREEN",
    "EVE",
    "FLOOR",
    "GREEN",
    "GREY",
    "INK",
    "LIGHT",
    "NIGHT",
    "PHONE_POSE",
    "PURPLE",
    "RED",
    "SKIN",
    "SKY",
    "TAN",
    "TEAL",
    "WHITE",
    "WOOD",
    "YELLOW",
    "Box",
    "Pose",
    "Scene",
]
