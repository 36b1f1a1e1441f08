"""OIO: an object is inside another where nobody expects it."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import (
    BROWN,
    GREEN,
    INK,
    RED,
    SKY,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Point,
    arc_points,
    smooth,
)
from scripts.deepeval_drawings.figures import tree

from .surface import AdCanvas, shine, wobble


def bulb_fish(c: AdCanvas) -> None:
    """A fish swimming inside a light bulb."""
    c.background("#f3ecd6")
    glass = [*arc_points(160, 118, 86, 86, 130, 410), (190, 214), (130, 214)]

    def water(layer: AdCanvas) -> None:
        layer.background("#e8f4fa")
        layer.rect((60, 96, 260, 230), WATER, None)
        layer.curve([(66, 98), (100, 90), (140, 100), (180, 90), (220, 100), (256, 94)], WHITE, 4)
        layer.blob([(104, 142), (140, 114), (190, 122), (204, 142), (188, 164), (140, 168)], "#ee8434")
        layer.poly([(196, 142), (230, 118), (224, 142), (230, 168)], "#ee8434")
        layer.poly([(140, 120), (164, 102), (172, 122)], "#d96d20")
        layer.oval(128, 136, 5, fill=WHITE)
        layer.oval(127, 136, 2, fill=INK, outline=None)
        layer.curve([(158, 126), (150, 142), (158, 160)], INK, 2.5)
        for x, y in ((100, 122), (92, 108), (108, 100)):
            layer.oval(x, y, 4, fill="#d6eefa", width=1.5)

    c.inside(glass, water)
    shine(c, [(96, 84), (108, 62), (130, 48)])
    for i in range(3):
        c.rect((128 + 2 * i, 216 + 13 * i, 192 - 2 * i, 229 + 13 * i), "#a7adb5", radius=4)
    c.oval(160, 260, 14, 8, "#4a4f58")
    c.slogan("LIGHTS OFF, SEAS ON")


def glass_car(c: AdCanvas) -> None:
    """A car lying in a glass of wine."""
    c.background("#efe6ea")
    bowl = smooth([(84, 40), (84, 120), (120, 176), (160, 188), (200, 176), (236, 120), (236, 40)], steps=8)

    def wine(layer: AdCanvas) -> None:
        layer.background("#f8f2f4")
        layer.rect((70, 104, 250, 200), "#8c1d35", None)
        layer.oval(160, 104, 82, 8, "#a83a50", None)
        layer.poly(
            [(98, 126), (100, 104), (126, 98), (142, 76), (184, 82), (200, 110), (222, 118), (220, 140)], "#3f7fb0"
        )
        layer.poly([(134, 100), (148, 84), (164, 86), (164, 104)], "#d8ecf6", width=2)
        layer.poly([(170, 104), (170, 87), (182, 89), (192, 108)], "#d8ecf6", width=2)
        for x, y in ((122, 130), (196, 142)):
            layer.oval(x, y, 14, fill=INK)
            layer.oval(x, y, 6, fill="#c9ced3", width=1.5)

    c.inside([*bowl, (236, 40)], wine)
    c.oval(160, 40, 76, 9, None)
    shine(c, [(98, 60), (98, 100), (112, 136)])
    c.limb([(160, 190), (160, 248)], "#eef2f5", 9)
    c.oval(160, 256, 56, 10, "#eef2f5")
    c.slogan("DRINK OR DRIVE", 294)


def suitcase_beach(c: AdCanvas) -> None:
    """A beach with a palm inside an open suitcase."""
    c.background("#d7dbe2", "#b89f84", 226)
    c.rect((54, 44, 266, 158), "#8a5a3a", radius=10)
    c.rect((66, 56, 254, 150), SKY, radius=4)
    c.oval(106, 86, 17, fill=YELLOW)

    def beach(layer: AdCanvas) -> None:
        layer.background(WATER)
        layer.rect((60, 150, 260, 182), "#5fb0d4", None)
        layer.blob([(60, 208), (96, 174), (160, 164), (230, 176), (262, 208), (262, 244), (58, 244)], "#f1d79a", None)

    c.inside([(54, 150), (266, 150), (266, 236), (54, 236)], beach)
    c.curve([(178, 184), (172, 140), (184, 92)], BROWN, 10)
    for dx, dy in ((-52, 4), (-38, -26), (4, -38), (44, -22), (50, 10)):
        middle = (184 + 0.55 * dx, 92 + 0.55 * dy - 16)
        c.blob([(184, 92), middle, (184 + dx, 92 + dy), (184 + 0.5 * dx, 92 + 0.5 * dy + 4)], GREEN, width=2.5)
    c.poly([(82, 204), (112, 190), (150, 204)], RED)
    c.line([(116, 194), (116, 226)], INK, 3)
    c.rect((54, 222, 266, 246), "#8a5a3a", radius=6)
    c.rect((134, 238, 186, 256), None, width=7, radius=6)
    c.slogan("PACK THE SUN", 288)


def lemon_washer(c: AdCanvas) -> None:
    """Lemon slices in the drum of a washing machine."""
    c.background("#e3f1ea", "#b8c9c0", 258)
    c.rect((64, 22, 256, 268), WHITE, radius=10)
    c.line([(64, 66), (256, 66)])
    c.rect((80, 34, 128, 54), "#d8e2e6", radius=4)
    c.oval(216, 44, 12, fill="#c6ccd2")
    c.line([(216, 44), (222, 36)])
    c.oval(160, 166, 84, fill="#c6ccd2")

    def slices(layer: AdCanvas) -> None:
        layer.background("#bfe3ef")
        for x, y, r in ((128, 138, 32), (192, 136, 30), (160, 190, 36), (110, 192, 20), (210, 190, 20), (160, 112, 18)):
            layer.oval(x, y, r, fill="#f2c81e")
            layer.oval(x, y, 0.84 * r, fill="#fff6c9", outline=None)
            for k in range(8):
                wedge = arc_points(x, y, 0.74 * r, 0.74 * r, 45 * k + 6, 45 * k + 39)
                layer.poly([(x, y), *wedge], "#f8de5a", None)
        for k in range(14):
            layer.oval(100 + 9 * k, 218 + 12 * wobble(k, 1), 7, fill=WHITE, width=1.5)

    c.inside(arc_points(160, 166, 66, 66, 0, 355), slices)
    shine(c, [(112, 150), (122, 126), (140, 112)])
    c.slogan("LEMON-FRESH WASH", 294)


def hourglass_forest(c: AdCanvas) -> None:
    """A forest running out inside an hourglass."""
    c.background("#ece3cf")
    upper = smooth([(84, 50), (92, 100), (152, 146)], steps=8)
    lower = smooth([(152, 150), (92, 200), (84, 246)], steps=8)
    left: list[Point] = [*upper, *lower]
    outline = [*left, *((320 - x, y) for x, y in reversed(left))]

    def forest(layer: AdCanvas) -> None:
        layer.background("#e6f3fa")
        layer.rect((60, 104, 260, 150), "#7fa85a", None)
        for x, s in ((112, 0.42), (140, 0.5), (166, 0.44), (192, 0.52), (212, 0.36)):
            tree(layer, x, 112, s)
        layer.line([(160, 146), (160, 214)], "#c9a36a", 4)
        layer.blob([(92, 250), (120, 226), (160, 206), (200, 226), (230, 250)], "#d9b77a", None)
        layer.rect((110, 236, 122, 252), BROWN, width=2)
        layer.rect((190, 238, 202, 252), BROWN, width=2)

    c.inside(outline, forest)
    c.rect((70, 32, 250, 50), WOOD, radius=4)
    c.rect((70, 246, 250, 264), WOOD, radius=4)
    for x in (78, 242):
        c.line([(x, 50), (x, 246)], BROWN, 6)
    c.slogan("TIME FOR THE WOODS", 290, 19)


def juice_sun(c: AdCanvas) -> None:
    """The sun shining in a glass of juice."""
    c.background("#f7e3b5", "#c99b63", 246)
    glass: list[Point] = [(92, 62), (228, 62), (212, 262), (108, 262)]

    def juice(layer: AdCanvas) -> None:
        layer.background("#fdf6e3")
        layer.rect((80, 96, 240, 270), "#f9a828", None)
        for degrees in range(0, 360, 30):
            a = arc_points(160, 178, 42, 42, degrees - 7, degrees + 7)
            tip = arc_points(160, 178, 64, 64, degrees, degrees)[0]
            layer.poly([*a, tip], "#ffe05c", INK, 2)
        layer.oval(160, 178, 38, fill="#ffd43b")
        layer.oval(148, 172, 3.5, fill=INK, outline=None)
        layer.oval(172, 172, 3.5, fill=INK, outline=None)
        layer.arc(160, 182, 16, 12, 15, 165, INK, 3)

    c.inside(glass, juice)
    c.line([(196, 76), (226, 16)], RED, 8)
    shine(c, [(108, 90), (112, 150), (116, 210)])
    c.slogan("MORNING IN A GLASS", 292, 19)


WITHIN = (bulb_fish, glass_car, suitcase_beach, lemon_washer, hourglass_forest, juice_sun)
