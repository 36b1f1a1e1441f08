"""OR: a whole object stands where another one belongs."""

from __future__ import annotations

import math

from scripts.deepeval_drawings.canvas import BROWN, GREEN, GREY, INK, RED, WHITE, Point, arc_points, smooth
from scripts.deepeval_drawings.figures import cloud

from .surface import AdCanvas, turned, wobble


def rocket_shoe(c: AdCanvas) -> None:
    """A running shoe taking off from a launch pad, where a rocket would."""
    c.background("#20305a", "#5a5f6b", 262)
    for i in range(18):
        c.oval(20 + 17 * i, 40 + 60 * abs(wobble(i, 3)), 1.6, fill=WHITE, outline=None)
    c.rect((234, 90, 258, 264), "#8e2f2a")
    for y in range(96, 256, 24):
        c.line([(234, y), (258, y + 20)], INK, 2)
        c.line([(258, y), (234, y + 20)], INK, 2)
    c.rect((196, 118, 236, 126), "#8e2f2a", width=2)
    for fill, w, length in (("#f0a13a", 26, 74), ("#ffe17a", 14, 48)):
        c.blob(
            [
                (148 - w, 196),
                (148 + w, 196),
                (148 + 0.5 * w, 196 + 0.6 * length),
                (148, 196 + length),
                (148 - 0.5 * w, 196 + 0.6 * length),
            ],
            fill,
            None,
        )
    for x, s in ((70, 0.9), (112, 1.1), (160, 1.2), (204, 1.0)):
        cloud(c, x, 262, s)
    # The toe points to the sky: the shoe is drawn lying and then turned.
    shoe = smooth(
        [(-72, -16), (-64, -56), (-36, -50), (-20, -40), (10, -22), (56, -14), (74, 4), (70, 14), (-70, 14)], True
    )
    place = {"degrees": -90.0, "dx": 148.0, "dy": 124.0}
    c.poly(turned(shoe, **place), "#f2f4f7")
    c.poly(turned([(-74, 8), (76, 8), (76, 20), (-74, 20)], **place), RED)
    c.line(turned([(-54, 2), (-20, -12), (30, 0)], **place), "#e4572e", 6)
    for k in range(4):
        c.line(turned([(-24 + 12 * k, -38 + 7 * k), (-12 + 12 * k, -22 + 5 * k)], **place), INK, 3)
    c.slogan("READY FOR LIFT-OFF", 296, 19, WHITE)


def chili_match(c: AdCanvas) -> None:
    """A burning chili pepper in a matchbox, where a match would be."""
    c.background("#f3e2c0")
    c.rect((52, 166, 268, 244), "#3f6fa8", radius=3)
    c.rect((52, 232, 268, 244), "#6b3b2a", width=2)
    c.text(160, 202, "MATCHES", 26, WHITE)
    c.rect((76, 140, 244, 170), "#e9d9b8")
    for i in range(3):
        x = 96 + 24 * i
        c.line([(x, 168), (x, 118)], "#d9b77a", 8)
        c.oval(x, 114, 7, 9, "#b3382c", width=2)
    chili = smooth(
        [(196, 168), (190, 130), (198, 92), (222, 62), (226, 68), (216, 96), (216, 132), (222, 168)], steps=8
    )
    c.poly(chili, "#d1222f")
    c.curve([(202, 150), (200, 120), (208, 94)], "#f2837e", 4)
    c.limb([(222, 66), (232, 52)], "#4c9a4a", 6)
    for fill, s in (("#f28c28", 1.0), ("#ffe17a", 0.55)):
        flame = [(0, 0), (-15, -14), (-12, -32), (-2, -52), (4, -32), (15, -22), (12, -6)]
        c.blob([(232 + s * x, 56 + s * y) for x, y in flame], fill, INK if s == 1 else None, 2.5)
    c.slogan("HOT SAUCE. HANDLE WITH CARE.", 286, 16)


def croissant_moon(c: AdCanvas) -> None:
    """A croissant in the night sky, where the moon would be."""
    c.background("#18224a")
    for i in range(24):
        c.oval(14 + 13 * i, 20 + 90 * abs(wobble(i, 7)), 1.8, fill="#fdf3c4", outline=None)
    outer = arc_points(166, 110, 70, 70, 60, 300)
    inner = arc_points(204, 110, 60, 60, 262, 98)
    c.poly([*outer, *inner], "#dc9a4a")
    for degrees in (100, 128, 156, 184, 212, 240, 265):
        a, b = arc_points(166, 110, 70, 70, degrees, degrees)[0], arc_points(204, 110, 60, 60, degrees, degrees)[0]
        c.curve([a, ((a[0] + b[0]) / 2 - 3, (a[1] + b[1]) / 2 + 4), b], "#8d5523", 3.5)
    for x, w, h in ((0, 60, 66), (56, 48, 92), (104, 66, 58), (170, 50, 84), (220, 60, 62), (280, 40, 90)):
        c.rect((x, 262 - h, x + w, 262), "#2c3757", width=2)
        for k in range(2):
            lit = "#f7d774" if (x + k) % 3 == 0 else "#1f2945"
            c.rect((x + 10 + 20 * k, 262 - h + 14, x + 20 + 20 * k, 262 - h + 28), lit, None)
    c.rect((0, 262, 320, 320), "#101733", None)
    c.slogan("BAKING ALL NIGHT", 290, 20, "#fdf3c4")


def cigarette_fuse(c: AdCanvas) -> None:
    """A bomb with a lit cigarette where the fuse would be."""
    c.background("#d9d3c4")
    c.oval(136, 192, 74, fill="#2a2c33")
    c.arc(136, 192, 55, 55, 200, 250, "#6d7078", 8)
    c.poly(turned([(-18, -13), (18, -13), (18, 13), (-18, 13)], 38, dx=182, dy=132), "#3a3d46")
    place = {"degrees": -52.0, "dx": 188.0, "dy": 124.0}
    c.poly(turned([(0, -9), (30, -9), (30, 9), (0, 9)], **place), "#e0a35a")
    c.poly(turned([(30, -9), (84, -9), (84, 9), (30, 9)], **place), WHITE)
    c.poly(turned([(84, -9), (98, -8), (98, 8), (84, 9)], **place), "#8b8b90")
    tip = turned([(99, 0)], **place)[0]
    c.oval(*tip, 9, 9, "#f0652f", None)
    for i, dx in enumerate((-8, 8)):
        x, y = tip[0] + dx, tip[1] - 8
        c.curve([(x, y), (x + 6, y - 9), (x - 4, y - 18), (x + 3, y - 26 + 4 * i)], GREY, 3)
    c.slogan("IT IS ALREADY LIT", 290)


def broccoli_tree(c: AdCanvas) -> None:
    """A head of broccoli on a hill, with a swing and a child's ladder, where a tree would be."""
    c.background("#cfe6f4")
    cloud(c, 60, 60, 1.0)
    cloud(c, 262, 84, 0.8)
    c.blob([(-20, 330), (-10, 240), (90, 216), (200, 216), (300, 236), (340, 330)], "#9cc27a")
    c.poly(
        smooth(
            [(132, 232), (142, 190), (126, 150), (150, 160), (160, 140), (174, 160), (200, 148), (182, 192), (190, 232)]
        ),
        "#b9d68a",
    )
    for x, y, r in ((104, 126, 34), (216, 124, 34), (132, 90, 38), (190, 88, 38), (160, 64, 36), (160, 118, 38)):
        c.oval(x, y, r, fill="#3f8f45")
        for k in range(14):
            a = 2.4 * k
            d = r * 0.8 * math.sqrt(k / 14)
            c.oval(x + d * math.cos(a), y + d * math.sin(a), 4.6, fill=("#56a85a", "#35803c")[k % 2], outline=None)
    for x in (226, 246):
        c.line([(x, 140), (x, 218)], INK, 2.5)
    c.rect((220, 216, 252, 222), BROWN, width=2)
    for x in (84, 102):
        c.line([(x, 150), (x, 240)], BROWN, 4)
    for y in range(164, 240, 16):
        c.line([(84, y), (102, y)], BROWN, 4)
    c.slogan("PLAY WITH YOUR GREENS", 292, 19)


def coffee_sunrise(c: AdCanvas) -> None:
    """A cup of coffee rising over the hills, where the sun would be."""
    c.background("#fbd9a0")
    cup: list[Point] = [(108, 118), (212, 118), (204, 190), (188, 214), (132, 214), (116, 190)]
    for degrees in range(180, 361, 18):
        inner, outer = (
            arc_points(160, 196, 98, 98, degrees, degrees)[0],
            arc_points(160, 196, 150, 150, degrees, degrees)[0],
        )
        c.line([inner, outer], "#f2a33c", 7)
    c.oval(222, 152, 20, 22, "#fffaf0")
    c.oval(220, 152, 10, 12, "#fbd9a0", width=2.5)
    c.poly(smooth(cup, True), "#fffaf0")
    c.oval(160, 120, 50, 12, "#5b3420")
    for x in (144, 160, 176):
        c.curve([(x, 106), (x + 6, 92), (x - 6, 78), (x, 62)], WHITE, 4)
    c.blob([(-20, 340), (-20, 236), (60, 196), (130, 226), (190, 230), (260, 194), (340, 232), (340, 340)], "#6fae56")
    c.blob([(-20, 340), (-20, 262), (90, 240), (200, 258), (340, 238), (340, 340)], GREEN)
    c.slogan("THE DAY BEGINS HERE", 292, 19)


REPLACED = (rocket_shoe, chili_match, croissant_moon, cigarette_fuse, broccoli_tree, coffee_sunrise)
