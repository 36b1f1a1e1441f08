"""Eight drawings that defy what things are for and what they can do."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import (
    BLUE,
    BROWN,
    GREY,
    INK,
    LIGHT,
    PINK,
    RED,
    SKIN,
    SKY,
    TEAL,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Canvas,
)
from scripts.deepeval_drawings.figures import Look, cloud, person, tree

from .things import fish, flame, ground, sun


def jar_candle(c: Canvas) -> None:
    """A candle burns in a jar whose lid is screwed on."""
    c.rect((0, 0, 320, 230), "#3a3550", None)
    c.rect((0, 230, 320, 320), "#7a5a42", None)
    c.oval(160, 160, 130, 120, fill="#4d4566", outline=None)
    c.rect((84, 96, 236, 270), "#cfe0e8", radius=26)
    c.rect((92, 104, 228, 262), "#e3eff4", None, radius=20)
    c.rect((96, 60, 224, 96), GREY, radius=5)
    for x in range(106, 220, 14):
        c.line([(x, 66), (x, 90)], "#6f7a84", 3)
    c.rect((138, 180, 182, 262), "#fdf3d0")
    c.line([(160, 180), (160, 168)], INK, 3)
    flame(c, 160, 172, 1.3)
    c.curve([(108, 130), (104, 170), (108, 220)], WHITE, 5)


def square_wheels(c: Canvas) -> None:
    """A car rushes along a road on square wheels."""
    ground(c, SKY, "#9cc98a", 190)
    cloud(c, 70, 50)
    tree(c, 282, 196, 0.8)
    c.rect((0, 236, 320, 300), GREY, None)
    for x in (10, 100, 190, 280):
        c.rect((x, 270, x + 44, 275), WHITE, None)
    c.blob([(52, 226), (58, 186), (104, 178), (130, 136), (208, 136), (236, 178), (276, 188), (280, 226)], RED)
    c.poly([(118, 178), (138, 148), (164, 148), (164, 178)], "#bfe3f7", width=2.5)
    c.poly([(174, 178), (174, 148), (200, 148), (220, 178)], "#bfe3f7", width=2.5)
    c.oval(268, 200, 8, fill=YELLOW, width=2)
    for x in (108, 226):
        c.rect((x - 30, 204, x + 30, 264), INK)
        c.rect((x - 15, 219, x + 15, 249), LIGHT, width=2)
    for y in (180, 204, 228):
        c.line([(8, y), (40, y)], INK, 3)


def power_strip(c: Canvas) -> None:
    """A power strip is plugged into itself, and the lamp on it shines."""
    c.rect((0, 0, 320, 190), "#efe6d6", None)
    c.rect((0, 190, 320, 320), "#b79a78", None)
    c.rect((50, 228, 258, 272), WHITE, radius=8)
    for x in (84, 136, 188):
        c.oval(x, 250, 16, fill=LIGHT, width=2)
        for dx in (-5, 5):
            c.oval(x + dx, 250, 2.5, fill=INK, outline=None)
    c.rect((222, 240, 244, 260), RED, width=2, radius=3)
    c.curve([(258, 250), (306, 244), (300, 206), (220, 200), (190, 208), (188, 226)], INK, 6)
    c.rect((174, 226, 202, 256), INK, radius=5)
    c.curve([(84, 228), (88, 176), (112, 158)], INK, 5)
    c.rect((70, 226, 98, 256), INK, radius=5)
    c.rect((108, 104, 116, 168), INK, None)
    c.oval(112, 170, 34, 8, fill=INK)
    c.poly([(72, 112), (152, 112), (134, 56), (90, 56)], YELLOW)
    for x0, y0, x1, y1 in (
        (62, 84, 36, 80),
        (162, 84, 188, 80),
        (80, 44, 66, 22),
        (144, 44, 158, 22),
        (112, 42, 112, 16),
    ):
        c.line([(x0, y0), (x1, y1)], "#f0a020", 5)


def hourglass_up(c: Canvas) -> None:
    """The sand of an hourglass runs upwards."""
    c.rect((0, 0, 320, 250), "#dfe8ee", None)
    c.rect((0, 250, 320, 320), "#a57f5e", None)
    c.rect((76, 28, 244, 50), BROWN, radius=4)
    c.rect((76, 266, 244, 288), BROWN, radius=4)
    for x in (90, 230):
        c.rect((x - 6, 50, x + 6, 266), WOOD)
    glass = [
        (108, 50),
        (212, 50),
        (210, 100),
        (168, 158),
        (210, 216),
        (212, 266),
        (108, 266),
        (110, 216),
        (152, 158),
        (110, 100),
    ]
    c.poly(glass, "#f2f8fb")
    c.poly([(110, 52), (210, 52), (208, 84), (186, 76), (160, 90), (134, 76), (112, 84)], "#e0b050", width=2)
    c.poly([(112, 264), (208, 264), (206, 252), (114, 252)], "#e0b050", width=2)
    c.rect((156, 90, 164, 252), "#e0b050", None)
    for x, y in ((146, 120), (174, 130), (148, 206), (172, 196)):
        c.line([(x, y + 16), (x, y)], INK, 3)
        c.line([(x - 5, y + 6), (x, y), (x + 5, y + 6)], INK, 3)


def sea_laundry(c: Canvas) -> None:
    """Laundry hangs on a line at the bottom of the sea."""
    c.rect((0, 0, 320, 320), "#3f8fb8", None)
    c.rect((0, 268, 320, 320), "#e0c58a", None)
    for x, y in ((40, 50), (56, 34), (270, 60), (282, 40), (160, 30), (200, 226)):
        c.oval(x, y, 6, fill="#bfe6f5", width=1.5)
    for x in (24, 296):
        c.rect((x - 5, 70, x + 5, 284), WOOD)
    c.curve([(24, 80), (160, 96), (296, 80)], INK, 3)
    c.poly(
        [
            (52, 92),
            (66, 88),
            (84, 94),
            (102, 88),
            (116, 92),
            (124, 118),
            (108, 124),
            (108, 170),
            (60, 170),
            (60, 124),
            (44, 118),
        ],
        WHITE,
    )
    c.poly([(140, 96), (196, 96), (200, 190), (174, 190), (168, 130), (162, 190), (136, 190)], RED)
    for x in (214, 246):
        c.poly([(x, 92), (x + 20, 92), (x + 20, 136), (x + 32, 146), (x + 26, 156), (x, 144)], YELLOW, width=2.5)
    for x in (60, 108, 144, 192, 222, 254):
        c.rect((x - 3, 80, x + 3, 102), BROWN, width=1.5)
    fish(c, 240, 220, 0.7)
    fish(c, 84, 226, 0.55, PINK, left=False)
    for x in (30, 150, 290):
        c.curve([(x, 290), (x - 10, 260), (x + 6, 236), (x - 4, 206)], "#2f7d4b", 6)


def feather_stone(c: Canvas) -> None:
    """A feather cuts a stone into slices."""
    c.rect((0, 0, 320, 200), "#ece3d2", None)
    c.rect((0, 200, 320, 320), "#b98d5f", None)
    c.rect((24, 226, 296, 270), WOOD, radius=6)
    c.blob([(150, 226), (142, 170), (170, 134), (226, 130), (268, 164), (272, 226)], GREY)
    for x, y in ((190, 170), (226, 190), (244, 160), (206, 206)):
        c.oval(x, y, 5, 3, fill="#6f7a84", outline=None)
    for x in (52, 80, 108):
        c.blob([(x, 228), (x - 14, 190), (x - 4, 156), (x + 10, 156), (x + 16, 228)], "#b3bac1")
    c.blob([(136, 226), (128, 60), (144, 20), (170, 44), (166, 120), (148, 226)], WHITE)
    c.curve([(140, 232), (146, 130), (148, 30)], INK, 3)
    for y in (60, 84, 108, 132, 156):
        c.line([(147, y + 12), (164, y - 4)], LIGHT, 2.5)
        c.line([(146, y + 12), (133, y - 2)], LIGHT, 2.5)
    c.limb([(300, 40), (230, 40), (172, 56)], TEAL, 26)
    c.oval(164, 62, 17, fill=SKIN)


def wrong_shadow(c: Canvas) -> None:
    """Two shadows fall towards the sun."""
    ground(c, "#fbd9a8", "#e9d8b4", 160)
    sun(c, 44, 100, 28)
    shade = "#8c7a5f"
    c.line([(284, 252), (206, 204)], shade, 9)
    c.oval(192, 196, 34, 17, fill=shade, outline=None)
    c.line([(200, 286), (156, 258)], shade, 9)
    c.line([(216, 290), (158, 256)], shade, 9)
    c.line([(156, 256), (112, 230)], shade, 34)
    c.line([(150, 270), (122, 262), (112, 236)], shade, 10)
    c.line([(170, 236), (142, 222), (120, 228)], shade, 10)
    c.oval(84, 212, 28, 19, fill=shade, outline=None)
    person(c, 208, 290, 150, Look(shirt=BLUE, style="short"), None, "smile", (-0.3, 0))
    tree(c, 284, 254, 0.95)


def paper_elephant(c: Canvas) -> None:
    """An elephant floats on a lake in a paper boat."""
    c.rect((0, 0, 320, 190), SKY, None)
    cloud(c, 262, 40)
    c.rect((0, 190, 320, 320), WATER, None)
    skin = "#a3a9b3"
    c.blob([(100, 216), (92, 150), (130, 108), (190, 104), (232, 136), (236, 216)], skin)
    c.oval(112, 130, 40, 38, fill=skin)
    c.blob([(128, 100), (164, 104), (172, 150), (146, 174), (126, 150)], "#8b919b")
    c.curve([(82, 144), (58, 168), (54, 206), (40, 214)], INK, 22)
    c.curve([(82, 144), (58, 168), (54, 206), (40, 214)], skin, 17)
    c.oval(96, 124, 4, 5, fill=INK, outline=None)
    c.curve([(234, 150), (254, 166), (252, 190)], INK, 4)
    c.poly([(30, 204), (118, 226), (166, 168), (212, 226), (300, 204), (250, 272), (82, 272)], WHITE)
    c.line([(118, 226), (166, 232), (212, 226)], INK, 2.5)
    c.line([(166, 168), (166, 232)], LIGHT, 2.5)
    for x, y in ((20, 284), (120, 296), (230, 290)):
        c.curve([(x, y), (x + 24, y - 8), (x + 48, y), (x + 72, y - 8)], WHITE, 3.5)
