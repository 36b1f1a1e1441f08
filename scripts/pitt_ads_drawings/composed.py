"""TR2: an object is composed of many small instances of another."""

from __future__ import annotations

import math

from scripts.deepeval_drawings.canvas import BLUE, BROWN, GOLD, GREEN, INK, PINK, RED, WHITE, YELLOW, Point, arc_points

from .surface import AdCanvas, grid, heart_points, turned, wobble


def _cigarette(c: AdCanvas, x: float, y: float, degrees: float) -> None:
    for x0, x1, fill in ((-17, 9, WHITE), (9, 17, "#e0a35a")):
        c.poly(turned([(x0, -4), (x1, -4), (x1, 4), (x0, 4)], degrees, dx=x, dy=y), fill, INK, 1.5)
    c.poly(turned([(-21, -4), (-17, -4), (-17, 4), (-21, 4)], degrees, dx=x, dy=y), "#7d7d82", INK, 1.5)


def cigarette_lungs(c: AdCanvas) -> None:
    """A pair of lungs composed of cigarettes."""
    c.background("#1f2a38")
    c.limb([(160, 24), (160, 96)], "#d9c7b8", 14)
    for side in (-1, 1):
        c.limb([(160, 92), (160 + side * 34, 120)], "#d9c7b8", 10)
        lobe = [(16, 92), (52, 64), (92, 96), (116, 170), (118, 248), (80, 256), (30, 222), (18, 160)]
        outline = turned([(160 + side * x, y) for x, y in lobe], 0)

        def rows(layer: AdCanvas, side: int = side) -> None:
            layer.background("#5a3a3a")
            for x, y in grid(160 + min(side, 0) * 130, 60, 160 + max(side, 0) * 130, 264, 38, 11):
                _cigarette(layer, x, y, side * (64 + 14 * wobble(x, y)))

        c.inside(outline, rows, 3)
    c.slogan("EVERY ONE STAYS IN YOU", 288, 19, WHITE)


def fruit_heart(c: AdCanvas) -> None:
    """A heart composed of apples."""
    c.background("#eaf3dc")

    def apples(layer: AdCanvas) -> None:
        layer.background("#8a2430")
        for i, (x, y) in enumerate(grid(40, 44, 290, 270, 30, 25)):
            layer.oval(x, y + 2, 14, 13, (RED, "#d94141", "#7fb24a", "#e8b63c")[(i * 5) % 4], INK, 2)
            layer.line([(x, y - 9), (x + 2, y - 15)], BROWN, 2.5)
            layer.blob([(x + 1, y - 12), (x + 7, y - 16), (x + 10, y - 12)], GREEN, width=1.5)

    c.inside(heart_points(160, 148, 112), apples)
    c.slogan("AN APPLE A DAY")


def bottle_globe(c: AdCanvas) -> None:
    """The earth composed of plastic bottles."""
    c.background("#12263a")
    for x, y in grid(20, 20, 310, 300, 60, 50):
        c.oval(x + 14 * wobble(x, y), y + 14 * wobble(x, y, 2), 1.6, fill=WHITE, outline=None)
    lands: list[tuple[list[Point], str]] = [
        ([(84, 70), (140, 58), (168, 92), (140, 128), (152, 170), (128, 226), (104, 178), (70, 138)], "#69a84f"),
        ([(200, 96), (250, 100), (266, 160), (236, 206), (206, 180), (190, 132)], "#69a84f"),
    ]

    def bottles(layer: AdCanvas) -> None:
        layer.background("#2c6496")
        for points, fill in lands:
            layer.blob(points, fill, None)
        for x, y in grid(48, 34, 280, 270, 15, 26):
            tilt = 30 * wobble(x, y)
            land = any(math.hypot(x - cx, y - cy) < r for cx, cy, r in ((118, 120, 60), (228, 146, 48), (126, 190, 34)))
            fill = "#8fcf6e" if land else "#9fd3ee"
            shape = [(-5, 11), (5, 11), (5, -4), (2, -8), (2, -12), (-2, -12), (-2, -8), (-5, -4)]
            layer.poly(turned(shape, tilt, dx=x, dy=y), fill, INK, 1.2)
            layer.poly(turned([(-2.6, -12), (2.6, -12), (2.6, -15), (-2.6, -15)], tilt, dx=x, dy=y), RED, None)

    c.inside(arc_points(160, 146, 110, 110, 0, 355), bottles)
    c.slogan("BRING A BOTTLE OF YOUR OWN", 290, 17, WHITE)


def book_tree(c: AdCanvas) -> None:
    """A tree whose crown is composed of open books."""
    c.background("#cfe6ee", "#9cc27a", 236)
    c.poly([(142, 262), (150, 180), (140, 150), (160, 166), (182, 146), (170, 184), (180, 262)], BROWN)
    crown = [
        (60, 130),
        (66, 76),
        (112, 36),
        (168, 28),
        (226, 48),
        (258, 100),
        (246, 152),
        (190, 172),
        (120, 170),
        (76, 162),
    ]

    def books(layer: AdCanvas) -> None:
        layer.background("#3c6b3a")
        for i, (x, y) in enumerate(grid(58, 36, 270, 176, 33, 20)):
            cover = ("#4c9a4a", "#e0a030", "#b5482f", "#3f7fb0")[(i * 3) % 4]
            tilt = 18 * wobble(x, y)
            wing = [(0, -6), (15, -11), (15, 6), (0, 10)]
            for side in (-1, 1):
                page = [(side * px, py) for px, py in wing]
                layer.poly(turned([(px * 1.12, py + 3) for px, py in page], tilt, dx=x, dy=y), cover, INK, 1.2)
                layer.poly(turned(page, tilt, dx=x, dy=y), "#fdf9ee", INK, 1.2)
                for k in (-1, 3):
                    text = turned([(side * 3, k), (side * 12, k - 3)], tilt, dx=x, dy=y)
                    layer.line(text, "#9a9aa0", 1)

    c.inside(turned(crown, 0), books)
    c.slogan("CITY LIBRARY: GROW HERE", size=18)


def coin_house(c: AdCanvas) -> None:
    """A house composed of coins."""
    c.background("#dcebf5", "#a9c98a", 250)
    outline: list[Point] = [(78, 262), (78, 150), (52, 150), (160, 48), (268, 150), (242, 150), (242, 262)]

    def coins(layer: AdCanvas) -> None:
        layer.background("#8a6420")
        for i, (x, y) in enumerate(grid(54, 50, 270, 266, 23, 20)):
            layer.oval(x, y, 11.5, fill=(YELLOW, GOLD, "#f7d069")[i % 3], width=1.8)
            layer.oval(x, y, 8, outline="#a87a20", width=1)
            layer.text(x, y, "1", 11, "#7a5818", 0.3)

    c.inside(outline, coins)
    c.rect((142, 204, 178, 262), "#6d4a2f")
    c.oval(170, 234, 3, fill=YELLOW)
    for x in (92, 194):
        c.rect((x, 174, x + 34, 204), "#cfe9f5")
        c.line([(x + 17, 174), (x + 17, 204)], INK, 2.5)
        c.line([(x, 189), (x + 34, 189)], INK, 2.5)
    c.slogan("SAVE COIN BY COIN")


def pillow_sheep(c: AdCanvas) -> None:
    """A sheep whose wool is composed of pillows."""
    c.background("#27355c", "#4d6b4a", 236)
    c.oval(262, 54, 26, fill="#f6e7b4", outline=None)
    c.oval(274, 48, 24, fill="#27355c", outline=None)
    for x in (110, 136, 192, 216):
        c.limb([(x, 200), (x, 250)], "#3a3236", 10)
    body = [
        (70, 158),
        (84, 110),
        (130, 84),
        (190, 84),
        (236, 108),
        (250, 158),
        (230, 204),
        (180, 218),
        (124, 216),
        (84, 200),
    ]

    def pillows(layer: AdCanvas) -> None:
        layer.background("#b9c3d6")
        for i, (x, y) in enumerate(grid(70, 84, 262, 226, 38, 22)):
            fill = (WHITE, "#f6eef4", "#e9f1fa")[(i * 2) % 3]
            tilt = 24 * wobble(x, y)
            shape = [(-18, -12), (0, -9), (18, -12), (15, 0), (18, 12), (0, 9), (-18, 12), (-15, 0)]
            layer.blob(turned(shape, tilt, dx=x, dy=y), fill, "#69738c", 1.8)
            layer.line(turned([(-6, 0), (6, 0)], tilt, dx=x, dy=y), PINK if i % 2 else BLUE, 2)

    c.inside(body, pillows)
    c.blob([(52, 118), (84, 112), (92, 150), (72, 176), (48, 164)], "#3a3236")
    c.blob([(84, 120), (108, 116), (104, 130), (88, 132)], "#3a3236")
    for x in (58, 74):
        c.arc(x, 138, 5, 4, 10, 170, WHITE, 2.5)
    c.text(100, 60, "z", 26, WHITE)
    c.text(78, 84, "z", 18, WHITE)
    c.slogan("SLEEP ON SOFTNESS", 288, 19, WHITE)


COMPOSED = (cigarette_lungs, fruit_heart, bottle_globe, book_tree, coin_house, pillow_sheep)
