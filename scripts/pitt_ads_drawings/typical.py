"""Typical ads: things as they are, nothing atypical about them."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import (
    BROWN,
    GREEN,
    INK,
    LIGHT,
    RED,
    SKIN,
    TEAL,
    WHITE,
    WOOD,
    YELLOW,
    arc_points,
    smooth,
)
from scripts.deepeval_drawings.figures import Look, cloud, person, tree

from .surface import AdCanvas


def family_van(c: AdCanvas) -> None:
    """A van on a country road."""
    c.background("#cfe6f4", "#9cc27a", 190)
    cloud(c, 70, 60)
    cloud(c, 240, 44, 0.8)
    tree(c, 40, 196, 0.8)
    tree(c, 292, 192, 0.6)
    c.rect((0, 214, 320, 262), "#7d8187", None)
    c.dashes([(0, 238), (320, 238)], WHITE, 4, 14)
    c.poly(smooth([(66, 216), (62, 158), (84, 122), (196, 118), (232, 152), (262, 166), (266, 216)], steps=6), TEAL)
    for x in (92, 134, 176):
        c.rect((x, 134, x + 34, 162), "#d8ecf6", width=2.5)
    for x in (108, 222):
        c.oval(x, 216, 22, fill=INK)
        c.oval(x, 216, 10, fill="#c9ced3")
    c.slogan("SEVEN SEATS. ONE PRICE.", 290, 18)


def shampoo(c: AdCanvas) -> None:
    """A bottle of shampoo on a shelf with a towel."""
    c.background("#f2e9f7")
    c.rect((20, 232, 300, 246), WOOD)
    c.rect((120, 96, 200, 232), "#7d5ba6", radius=14)
    c.rect((142, 66, 178, 98), WHITE, radius=4)
    c.rect((130, 132, 190, 196), WHITE, radius=8)
    c.text(160, 152, "SILK", 18, "#7d5ba6")
    c.text(160, 176, "shampoo", 11, "#7d5ba6", 0.2)
    for x in (222, 244, 266):
        c.rect((x, 200, x + 20, 232), "#f4b6b0", radius=6)
    for x, y, r in ((70, 214, 16), (94, 206, 10), (52, 196, 9), (84, 186, 7)):
        c.oval(x, y, r, fill="#ffffff", width=2)
    c.slogan("FOR SOFT, CLEAN HAIR")


def burger_menu(c: AdCanvas) -> None:
    """A burger with chips and a drink on a tray."""
    c.background("#fff1d6")
    c.rect((20, 236, 300, 254), RED, radius=6)
    c.poly(arc_points(122, 150, 70, 50, 180, 360), "#d8964a")
    for x, y in ((92, 124), (118, 114), (146, 126), (106, 138), (136, 140)):
        c.oval(x, y, 4, 2.5, "#fbe6bd", None)
    c.curve(
        [(50, 156), (68, 166), (86, 156), (104, 166), (122, 156), (140, 166), (158, 156), (176, 166), (194, 156)],
        GREEN,
        10,
    )
    c.rect((54, 166, 190, 182), RED, radius=5)
    c.rect((52, 180, 192, 204), "#6b3f25", radius=9)
    c.rect((52, 204, 192, 234), "#d8964a", radius=12)
    c.poly([(222, 130), (286, 130), (278, 236), (230, 236)], "#e4572e")
    c.rect((216, 120, 292, 132), WHITE, radius=3)
    c.line([(256, 120), (266, 70)], "#4a7fb5", 6)
    c.text(254, 182, "COLA", 18, WHITE)
    c.slogan("LUNCH FOR FIVE", 288)


def wrist_watch(c: AdCanvas) -> None:
    """A watch on a dark ground."""
    c.background("#20242c")
    c.rect((128, 10, 192, 262), "#5a3b28", radius=8)
    for y in (36, 52, 222, 238):
        c.oval(160, y, 3, fill="#2c1c12", outline=None)
    c.oval(160, 136, 76, fill="#c9ced3")
    c.oval(160, 136, 64, fill="#f7f4ea")
    for degrees in range(0, 360, 30):
        outer, inner = (
            arc_points(160, 136, 58, 58, degrees, degrees)[0],
            arc_points(160, 136, 50, 50, degrees, degrees)[0],
        )
        c.line([outer, inner], INK, 4 if degrees % 90 == 0 else 2)
    c.line([(160, 136), (128, 118)], INK, 5)
    c.line([(160, 136), (196, 106)], INK, 4)
    c.oval(160, 136, 5, fill=RED, width=1)
    c.rect((234, 128, 246, 144), "#c9ced3")
    c.slogan("PRECISE SINCE 1921", 292, 19, "#f0e6cf")


def blood_drive(c: AdCanvas) -> None:
    """A nurse beside a couch on which a donor sits, under a red cross."""
    c.background("#eef4f6", "#c8d6da", 232)
    c.rect((230, 30, 296, 96), WHITE)
    c.rect((254, 40, 272, 86), RED, None)
    c.rect((240, 54, 286, 72), RED, None)
    c.rect((150, 186, 262, 206), TEAL, radius=6)
    c.rect((160, 206, 172, 250), LIGHT)
    c.rect((240, 206, 252, 250), LIGHT)
    person(c, 206, 238, 140, Look(shirt="#f5b841", trousers="#2c3757", style="long"))
    person(c, 92, 252, 170, Look(shirt=WHITE, trousers=WHITE, style="bun", hair=BROWN, skin=SKIN))
    c.rect((86, 66, 98, 78), WHITE, width=2)
    c.line([(92, 68), (92, 76)], RED, 3)
    c.line([(88, 72), (96, 72)], RED, 3)
    c.slogan("GIVE BLOOD ON SATURDAY", 292, 18)


def laptop_desk(c: AdCanvas) -> None:
    """A laptop on a desk beside a plant and a mug."""
    c.background("#e6edf3", "#c89b6c", 226)
    c.rect((84, 84, 236, 192), INK, radius=6)
    c.rect((94, 94, 226, 182), "#9fd0e6", None)
    c.rect((104, 104, 160, 132), WHITE, None)
    c.rect((104, 140, 216, 146), WHITE, None)
    c.rect((104, 152, 190, 158), WHITE, None)
    c.rect((172, 104, 216, 132), YELLOW, None)
    c.poly([(62, 214), (258, 214), (238, 192), (82, 192)], "#c9ced3")
    c.rect((62, 214, 258, 224), "#a9afb7")
    c.rect((24, 186, 54, 226), WHITE, radius=4)
    c.oval(22, 206, 9, outline=INK)
    c.poly([(270, 196), (306, 196), (300, 232), (276, 232)], "#b5482f")
    for x, y in ((262, 158), (288, 146), (310, 160)):
        c.blob([(288, 196), (x - 6, y + 12), (x, y), (x + 8, y + 14)], GREEN, width=2.5)
    c.slogan("WORKS FOR 18 HOURS", 288)


TYPICAL = (family_van, shampoo, burger_menu, wrist_watch, blood_drive, laptop_desk)
