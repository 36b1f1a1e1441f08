"""Twelve drawings that defy what beasts, weather and seasons do."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import (
    BLUE,
    BROWN,
    DARK_GREEN,
    GREEN,
    GREY,
    INK,
    NIGHT,
    PURPLE,
    RED,
    SKY,
    TEAL,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Canvas,
    arc_points,
)
from scripts.deepeval_drawings.figures import Look, Pose, cloud, person, tree

from .things import ORANGE, beast, bird, fish, flame, ground, sun, wheel


def beach_snowman(c: Canvas) -> None:
    """A snowman lies in the sun on a beach."""
    ground(c, "#bfe6f5", "#f2d9a0", 190)
    c.rect((0, 150, 320, 194), "#4fa3c7", None)
    sun(c, 262, 52, 28)
    c.line([(70, 250), (70, 110)], WOOD, 6)
    c.poly(arc_points(70, 124, 62, 44, 180, 360), RED)
    c.poly(arc_points(70, 124, 22, 44, 180, 360), WHITE, width=2)
    c.rect((96, 268, 290, 284), TEAL, radius=5)
    for x, y, r in ((240, 232, 42), (180, 230, 33), (130, 226, 25)):
        c.oval(x, y, r, fill=WHITE)
    for y in (216, 232, 248):
        c.oval(178, y, 3.5, fill=INK, outline=None)
    c.rect((112, 214, 128, 224), INK, radius=3)
    c.rect((132, 214, 148, 224), INK, radius=3)
    c.line([(126, 218), (134, 218)], INK, 3)
    c.poly([(130, 226), (128, 236), (108, 232)], ORANGE, width=2)
    c.arc(136, 236, 8, 6, 20, 160, width=2.5)
    c.line([(178, 206), (160, 176), (150, 172)], BROWN, 4)
    c.poly([(136, 150), (158, 150), (154, 178), (140, 178)], "#f7c6d0", width=2.5)
    c.line([(148, 150), (156, 134)], RED, 3)


def cycling_fish(c: Canvas) -> None:
    """A fish rides a bicycle on a road."""
    ground(c, SKY, "#9cc98a", 200)
    cloud(c, 60, 46)
    c.rect((0, 236, 320, 296), GREY, None)
    for x in (20, 110, 200, 290):
        c.rect((x, 264, x + 40, 269), WHITE, None)
    wheel(c, 96, 230, 44)
    wheel(c, 232, 230, 44)
    c.line([(96, 230), (150, 228), (200, 164), (126, 164), (96, 230)], RED, 6)
    c.line([(150, 228), (122, 152)], RED, 6)
    c.line([(232, 230), (200, 164), (196, 144), (216, 138)], RED, 6)
    c.rect((104, 144, 142, 154), INK, radius=4)
    fish(c, 150, 112, 1.25, ORANGE, left=False)
    c.blob([(160, 122), (206, 132), (212, 144), (166, 140)], ORANGE, width=2.5)
    c.blob([(130, 134), (150, 190), (142, 216), (120, 146)], ORANGE, width=2.5)
    c.poly(arc_points(172, 92, 24, 18, 180, 360), BLUE, width=2.5)


def desert_penguin(c: Canvas) -> None:
    """A penguin among cactuses in a desert."""
    ground(c, "#fbe3b0", "#e3b566", 190)
    sun(c, 60, 56, 28)
    c.curve([(0, 200), (80, 178), (160, 200), (240, 176), (320, 196)], "#c99a4c", 3)
    for x, y, s in ((256, 240, 1.0), (40, 220, 0.6)):
        c.limb([(x, y), (x, y - 110 * s)], DARK_GREEN, 24 * s)
        c.limb([(x - 34 * s, y - 80 * s), (x - 34 * s, y - 50 * s), (x, y - 46 * s)], DARK_GREEN, 14 * s)
        c.limb([(x + 34 * s, y - 100 * s), (x + 34 * s, y - 66 * s), (x, y - 62 * s)], DARK_GREEN, 14 * s)
    c.oval(150, 210, 46, 66, fill=INK)
    c.oval(150, 222, 31, 50, fill=WHITE, outline=None)
    c.oval(150, 142, 34, fill=INK)
    for x in (137, 163):
        c.oval(x, 140, 11, fill=WHITE, outline=None)
        c.oval(x, 142, 4, fill=INK, outline=None)
    c.poly([(142, 154), (158, 154), (150, 168)], ORANGE, width=2)
    c.blob([(106, 190), (82, 226), (92, 236), (112, 222)], INK)
    c.blob([(194, 190), (218, 226), (208, 236), (188, 222)], INK)
    for x in (132, 168):
        c.oval(x, 278, 17, 8, fill=ORANGE)


def night_rainbow(c: Canvas) -> None:
    """A rainbow at midnight, with moon and stars."""
    c.rect((0, 0, 320, 320), "#141c3a", None)
    for i in range(40):
        c.oval((i * 83) % 320, (i * 57) % 210, 1.6, fill=WHITE, outline=None)
    c.oval(262, 52, 26, fill="#f5f0d0", width=2)
    c.oval(272, 46, 22, fill="#141c3a", outline=None)
    for i, color in enumerate((RED, ORANGE, YELLOW, GREEN, BLUE, PURPLE)):
        c.arc(150, 250, 136 - i * 12, 170 - i * 12, 180, 360, color, 12)
    c.rect((0, 240, 320, 320), "#1f3a2f", None)
    c.rect((124, 210, 184, 262), "#5b4a3d")
    c.poly([(114, 214), (154, 180), (194, 214)], "#8a3a2b")
    c.rect((144, 228, 164, 248), YELLOW, width=2.5)
    c.text(64, 292, "MIDNIGHT", 18, WHITE)


def indoor_rain(c: Canvas) -> None:
    """It rains out of a cloud under the ceiling of a living room; outside the sun shines."""
    c.rect((0, 0, 320, 230), "#f3e3c3", None)
    c.rect((0, 230, 320, 320), "#b98f6a", None)
    c.rect((18, 36, 108, 130), SKY, WHITE, 6)
    sun(c, 62, 82, 15)
    for x in (150, 206, 262):
        cloud(c, x, 34, 1.4, GREY)
    for i in range(30):
        x, y = 128 + (i * 37) % 172, 66 + (i * 29) % 160
        c.line([(x, y), (x - 4, y + 16)], BLUE, 3)
    c.rect((140, 196, 300, 270), "#7d5ba6", radius=12)
    c.rect((148, 230, 292, 282), "#8f6fb8", radius=6)
    sit = Pose(left_knee=(-12, -24), left_foot=(-14, 0), right_knee=(12, -24), right_foot=(14, 0), right_hand=(16, -92))
    person(c, 214, 292, 120, Look(shirt=TEAL, style="long"), sit, "smile")
    c.line([(234, 182), (234, 120)], INK, 4)
    c.poly(arc_points(234, 138, 66, 40, 180, 360), RED)
    for x in (190, 278):
        c.line([(x, 138), (234, 100)], "#9d2b1f", 2)
    c.blob([(120, 300), (160, 288), (280, 292), (310, 304), (220, 314)], WATER, width=2)


def mouse_hunts_cat(c: Canvas) -> None:
    """A mouse chases a cat."""
    ground(c, "#f1e2d0", "#c49a6c", 180)
    c.rect((0, 172, 320, 184), WHITE, width=2)
    c.poly([(262, 180), (262, 132), *arc_points(284, 132, 22, 24, 180, 360), (306, 180)], INK)
    beast(c, 110, 262, 1.15, "#6b5b4d", "cat")
    c.oval(44, 176, 8, 10, fill="#8c2f2a", width=2)
    beast(c, 250, 276, 0.62, GREY, "mouse")
    for x, y in ((300, 226), (306, 244), (186, 200), (192, 218)):
        c.line([(x - 16, y), (x, y)], INK, 3)
    for x, y in ((34, 130), (56, 120), (20, 150)):
        c.blob([(x, y - 8), (x + 4, y), (x, y + 4), (x - 4, y)], BLUE, width=1.5)


def dog_walks_man(c: Canvas) -> None:
    """An upright dog leads a man on a leash."""
    ground(c, SKY, "#9cc98a", 200)
    tree(c, 52, 206, 0.9)
    c.rect((0, 262, 320, 300), "#d9cbb5", None)
    person(
        c,
        214,
        284,
        150,
        Look(shirt="#c98b4a", trousers="#8a5a2b", skin="#c98b4a", style="none"),
        Pose(left_hand=(-34, -52)),
        "smile",
    )
    c.oval(214, 170, 15, 11, fill="#e9c79a", width=2)
    c.oval(214, 164, 6, 4, fill=INK, outline=None)
    for side in (-1, 1):
        c.blob(
            [(214 + side * 22, 146), (214 + side * 38, 152), (214 + side * 36, 186), (214 + side * 26, 176)], "#6b4226"
        )
    look = Look(shirt=BLUE, hair=INK)
    c.limb([(60, 250), (62, 284)], NIGHT, 10)
    c.limb([(78, 250), (82, 284)], NIGHT, 10)
    c.limb([(118, 246), (118, 284)], BLUE, 10)
    c.limb([(66, 240), (122, 234)], BLUE, 30)
    c.oval(118, 286, 8, 5, fill="#f4cda5", width=2)
    for x in (62, 82):
        c.oval(x, 286, 10, 5, fill=INK)
    c.oval(140, 204, 24, fill=look.skin)
    c.poly(arc_points(140, 200, 24, 22, 180, 360), INK)
    for x in (133, 149):
        c.oval(x, 208, 3, 4, fill=INK, outline=None)
    c.arc(141, 214, 8, 6, 20, 160, width=2)
    c.rect((120, 224, 146, 234), RED, width=2, radius=3)
    c.curve([(144, 228), (156, 240), (164, 208)], RED, 4)


def goldfish_cage(c: Canvas) -> None:
    """A goldfish sits in a bird cage, a bird swims in the bowl beside it."""
    c.rect((0, 0, 320, 236), "#e6efe6", None)
    c.rect((0, 236, 320, 320), WOOD, None)
    c.line([(0, 236), (320, 236)], INK, 3)
    fish(c, 88, 168, 0.85, ORANGE, left=False)
    c.line([(88, 40), (88, 20)], INK, 4)
    c.poly(arc_points(88, 112, 66, 72, 180, 360), None, INK, 4)
    c.rect((22, 112, 154, 236), None, INK, 4)
    for x in (44, 66, 88, 110, 132):
        c.line([(x, 112 - (66**2 - (x - 88) ** 2) ** 0.5 * 1.08), (x, 236)], INK, 2.5)
    c.rect((16, 228, 160, 242), YELLOW)
    c.oval(240, 172, 66, 66, fill="#cfe8f4")
    c.poly(arc_points(240, 172, 62, 62, -20, 200), WATER, None)
    c.oval(240, 108, 40, 8, fill="#e6f4fa", width=2.5)
    bird(c, 236, 186, 1.1)
    for x, y, r in ((276, 150, 5), (286, 136, 4), (268, 132, 3)):
        c.oval(x, y, r, fill=WHITE, width=1.5)


def upward_apples(c: Canvas) -> None:
    """Apples fall from a tree into the sky."""
    ground(c, SKY, "#9cc98a", 250)
    c.rect((148, 190, 172, 272), BROWN)
    c.blob([(70, 190), (62, 140), (104, 98), (160, 88), (218, 100), (256, 142), (248, 192), (160, 208)], GREEN)
    for x, y in ((100, 150), (140, 128), (190, 140), (222, 168), (130, 178), (176, 180)):
        c.oval(x, y, 10, fill=RED, width=2)
    for x, y in ((90, 62), (150, 34), (214, 56), (250, 20), (50, 24)):
        c.oval(x, y, 11, fill=RED, width=2.5)
        c.line([(x, y - 10), (x + 2, y - 18)], BROWN, 3)
        for dx in (-5, 5):
            c.line([(x + dx, y + 18), (x + dx, y + 34)], GREY, 2.5)
    person(
        c,
        264,
        300,
        100,
        Look(shirt=YELLOW, style="short"),
        Pose(right_hand=(20, -80), left_hand=(-22, -80)),
        "open",
        (-0.2, -0.4),
    )
    c.poly([(38, 268), (98, 268), (90, 300), (46, 300)], WOOD)


def desert_ship(c: Canvas) -> None:
    """A sailing ship glides over dunes."""
    ground(c, "#fbe3b0", "#e3b566", 200)
    sun(c, 52, 50, 24)
    c.curve([(0, 206), (70, 188), (150, 208), (240, 186), (320, 204)], "#c99a4c", 3)
    c.line([(170, 216), (170, 40)], BROWN, 7)
    c.poly([(178, 50), (258, 184), (178, 190)], WHITE)
    c.poly([(162, 64), (88, 184), (162, 190)], "#f4d6d0")
    c.poly([(60, 206), (282, 206), (250, 260), (96, 260)], BROWN)
    c.line([(68, 222), (274, 222)], WOOD, 4)
    c.poly([(170, 40), (170, 22), (206, 31)], RED, width=2.5)
    c.blob([(30, 268), (90, 248), (170, 262), (260, 246), (310, 270), (320, 320), (0, 320)], "#e3b566", "#c99a4c", 3)
    c.limb([(298, 262), (298, 222)], DARK_GREEN, 12)
    c.limb([(312, 240), (312, 232)], DARK_GREEN, 8)


def horse_rider(c: Canvas) -> None:
    """A horse rides on a man's back."""
    ground(c, SKY, "#9cc98a", 216)
    for x in (20, 110, 200, 290):
        c.rect((x, 180, x + 8, 236), WOOD, width=2)
    c.rect((0, 190, 320, 198), WOOD, width=2)
    c.limb([(94, 250), (90, 296)], NIGHT, 14)
    c.limb([(120, 250), (124, 296)], NIGHT, 14)
    c.limb([(206, 246), (204, 296)], RED, 13)
    c.limb([(186, 246), (184, 296)], RED, 13)
    c.limb([(100, 236), (202, 228)], RED, 36)
    c.oval(236, 214, 27, fill="#f4cda5")
    c.poly(arc_points(236, 208, 27, 24, 180, 360), "#5b3a29")
    for x in (232, 250):
        c.oval(x, 216, 3, 4, fill=INK, outline=None)
    c.arc(242, 232, 9, 7, 200, 340, width=2.5)
    for x, y in ((270, 190), (278, 206)):
        c.blob([(x, y - 8), (x + 4, y), (x, y + 4), (x - 4, y)], BLUE, width=1.5)
    for x in (90, 124, 184, 204):
        c.oval(x, 300, 10, 6, fill=INK)
    beast(c, 140, 222, 0.82, "#a5703f", "horse", left=False)
    c.rect((112, 150, 150, 168), BLUE, width=2.5)


def fire_ice(c: Canvas) -> None:
    """Ice cubes lie in a camp fire and do not melt."""
    ground(c, NIGHT, "#3c4a3a", 210)
    for i in range(22):
        c.oval((i * 71) % 320, (i * 43) % 180, 1.6, fill=WHITE, outline=None)
    for points in ([(80, 280), (230, 256)], [(90, 256), (240, 282)], [(110, 290), (210, 286)]):
        c.limb(points, BROWN, 16)
    for x, y, s in ((110, 262, 1.7), (210, 262, 1.7), (160, 268, 2.9), (135, 266, 2.2), (185, 266, 2.2)):
        flame(c, x, y, s)
    for x, y in ((126, 226), (170, 218), (148, 188)):
        c.poly([(x, y), (x + 34, y - 5), (x + 38, y + 26), (x + 4, y + 32)], "#d9f1fa", "#5b9fc0", 3)
        c.poly([(x, y), (x + 10, y - 13), (x + 44, y - 17), (x + 34, y - 5)], "#f1fbff", "#5b9fc0", 3)
        c.poly([(x + 34, y - 5), (x + 44, y - 17), (x + 47, y + 14), (x + 38, y + 26)], "#b5dcec", "#5b9fc0", 3)
