"""Four cartoons about tenderness: memory, kindness, love over a distance, sorrow for a tree."""

from __future__ import annotations

from .canvas import (
    BLUE,
    BROWN,
    GREY,
    INK,
    LIGHT,
    NIGHT,
    PURPLE,
    RED,
    SKIN,
    SKY,
    TAN,
    TEAL,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Canvas,
    arc_points,
    smooth,
)
from .figures import Look, Pose, cloud, heart, person, tree


def empty_seat(c: Canvas) -> None:
    """An old man on a bench with two cups; beside him only the broken outline of a woman."""
    c.rect((0, 0, 320, 240), "#f9dcc0", None)
    c.oval(250, 66, 30, fill="#f6b65f", outline=None)
    c.rect((0, 240, 320, 320), "#b9c48a", None)
    tree(c, 42, 246, 1.9, "#d98a4a")
    for x, y in ((92, 110), (112, 170), (66, 262), (206, 286), (286, 268), (140, 300)):
        c.blob([(x - 6, y), (x, y - 4), (x + 6, y), (x, y + 4)], RED, width=1.5)
    for y in (178, 198):
        c.rect((84, y, 304, y + 13), WOOD, width=2.5)
    c.rect((78, 232, 310, 248), WOOD)
    for x in (96, 290):
        c.rect((x - 6, 248, x + 6, 288), INK, None)
    # He sits on the left.
    old = Look(shirt=BROWN, trousers=NIGHT, style="bald", hair=WHITE)
    sitting = Pose(
        hip=(0, -42),
        shoulder=(0, -72),
        head=(0, -95),
        left_knee=(-10, -38),
        right_knee=(14, -38),
        left_foot=(-12, 0),
        right_foot=(14, 0),
        left_hand=(-22, -46),
        right_hand=(32, -54),
        right_elbow=(20, -52),
    )
    person(c, 138, 290, 112, old, sitting, "sad", (0.3, 0.05))
    for x, y in ((176, 222), (222, 226)):
        c.line([(x - 4, y - 18), (x - 1, y - 25), (x - 5, y - 31)], GREY, 1.8)
        c.poly([(x - 10, y - 12), (x + 10, y - 12), (x + 7, y + 5), (x - 7, y + 5)], WHITE, width=2.5)
        c.arc(x + 10, y - 4, 5, 5, -90, 90, width=2.5)
    # She is an outline.
    ghost = "#6a4f86"
    c.dashes(arc_points(254, 182, 21, 21, 0, 360)[::4], ghost, 3, 5)
    c.dashes(arc_points(254, 152, 10, 10, 0, 360)[::6], ghost, 3, 4)
    dress = [
        (242, 203),
        (232, 224),
        (230, 252),
        (258, 254),
        (262, 290),
        (282, 290),
        (286, 246),
        (278, 224),
        (266, 203),
    ]
    c.dashes(dress, ghost, 3, 5)
    c.dashes([(270, 216), (252, 238), (236, 234)], ghost, 3, 5)
    heart(c, 196, 136, 9, RED)


def shared_umbrella(c: Canvas) -> None:
    """A child gets wet because it holds its umbrella over a stray dog in a box."""
    c.rect((0, 0, 320, 320), "#a9b9c9", None)
    c.rect((0, 250, 320, 320), "#7f8e9f", None)
    for x, y in ((90, 296), (40, 276), (276, 300)):
        c.oval(x, y, 34, 6, fill="#9fb2c6", outline=None)
    cloud(c, 80, 26, 1.5, "#6e7d8f")
    cloud(c, 180, 20, 1.6, "#66758a")
    cloud(c, 280, 28, 1.4, "#6e7d8f")
    for i in range(16):
        for j in range(6):
            x, y = 8 + 21 * i + 7 * (j % 2), 58 + 42 * j
            if not (140 < x < 318 and y > 84):
                c.line([(x, y), (x - 4, y + 15)], "#e3eef6", 2)
    # The dog in its box.
    c.blob([(214, 238), (222, 206), (250, 200), (266, 220), (264, 252), (218, 254)], TAN)
    for x, tip in ((214, 204), (262, 270)):
        c.blob([(x, 178), (tip - 2, 186), (tip, 214), (x + 2, 204)], BROWN)
    c.oval(238, 190, 27, 24, fill=TAN)
    c.oval(238, 200, 13, 10, fill="#f0d3ae", width=2)
    c.oval(238, 195, 5, 4, fill=INK, outline=None)
    for x in (228, 248):
        c.oval(x, 184, 3.4, fill=INK, outline=None)
    c.arc(238, 200, 5, 5, 20, 160, width=2)
    c.poly([(188, 236), (290, 236), (282, 292), (196, 292)], WOOD)
    c.line([(188, 236), (178, 250)], width=3)
    c.line([(290, 236), (302, 248)], width=3)
    # The child, wet through.
    look = Look(shirt=YELLOW, trousers=BLUE, hair="#3b2a22", shoes=RED)
    person(c, 104, 292, 138, look, Pose(right_hand=(42, -70), left_hand=(-20, -38)), "smile", (0.3, 0.05))
    for x, y in ((70, 168), (138, 160), (76, 214), (136, 214), (104, 148)):
        c.blob([(x, y - 7), (x + 4, y + 1), (x, y + 5), (x - 4, y + 1)], "#dcecf7", width=1.5)
    c.line([(162, 200), (228, 84)], INK, 5)
    c.limb([(156, 204), (164, 192)], SKIN, 7, 2)
    dome = arc_points(230, 150, 86, 66, 180, 360)
    c.poly([*dome, (287, 138), (259, 150), (230, 138), (201, 150), (173, 138)], RED)
    for x in (201, 259):
        c.curve([(230, 84), (x + (6 if x > 230 else -6), 110), (x, 149)], INK, 2)
    c.line([(230, 84), (230, 74)], INK, 4)


def long_scarf(c: Canvas) -> None:
    """A grandmother knits a scarf that runs over the hills to a grandchild in the city."""
    c.rect((0, 0, 320, 320), "#dbe9f4", None)
    for x, y in (
        (30, 30),
        (80, 66),
        (136, 24),
        (190, 70),
        (236, 28),
        (290, 60),
        (164, 118),
        (110, 130),
        (60, 110),
    ):
        c.oval(x, y, 3, fill=WHITE, outline=None)
    for x, top, w, color in ((206, 92, 32, "#8c9bb3"), (242, 62, 36, "#7486a3"), (282, 104, 38, "#8c9bb3")):
        c.rect((x, top, x + w, 230), color, width=2.5)
        for y in range(top + 10, 200, 18):
            for dx in (7, w - 13):
                c.rect((x + dx, y, x + dx + 6, y + 8), YELLOW, None)
    c.blob([(-30, 214), (70, 176), (150, 228), (230, 196), (350, 220), (350, 360), (-30, 360)], WHITE)
    # The left half is a room, cut open.
    c.poly([(8, 168), (66, 118), (124, 168)], RED)
    c.rect((16, 166, 116, 300), "#f8e7c8")
    c.rect((76, 178, 108, 206), SKY, width=2.5)
    c.rect((30, 214, 66, 290), PURPLE, radius=8)
    nan = Look(shirt=TEAL, trousers=NIGHT, style="bun", hair=LIGHT)
    sitting = Pose(
        hip=(0, -34),
        shoulder=(0, -62),
        head=(0, -84),
        left_knee=(14, -34),
        right_knee=(22, -34),
        left_foot=(14, 0),
        right_foot=(24, 0),
        left_hand=(20, -50),
        right_hand=(32, -50),
    )
    person(c, 54, 296, 100, nan, sitting, "smile", (0.25, 0.1))
    c.line([(70, 240), (98, 256)], GREY, 3)
    c.line([(92, 234), (74, 258)], GREY, 3)
    scarf = smooth([(84, 252), (102, 276), (140, 262), (176, 236), (206, 262), (236, 268), (254, 222)])
    c.line(scarf, INK, 19)
    c.line(scarf, RED, 14)
    for i in range(4, len(scarf) - 2, 5):
        (x0, y0), (x1, y1) = scarf[i], scarf[i + 1]
        nx, ny = (y1 - y0), -(x1 - x0)
        size = max(1.0, (nx**2 + ny**2) ** 0.5)
        c.line([(x0 - 6 * nx / size, y0 - 6 * ny / size), (x0 + 6 * nx / size, y0 + 6 * ny / size)], WHITE, 3)
    child = Look(shirt=BLUE, trousers=NIGHT, hair="#5b3a29")
    person(c, 268, 298, 110, child, Pose(left_hand=(-18, -52), left_elbow=(-24, -44)), "smile", (-0.2, 0))
    c.limb([(254, 231), (268, 236), (282, 231)], RED, 12)
    heart(c, 166, 196, 10, RED)


def plaster_on_stump(c: Canvas) -> None:
    """A small girl has put a big plaster on the stump of a felled tree and hugs it."""
    c.rect((0, 0, 320, 210), "#e8efd9", None)
    c.oval(250, 70, 34, fill="#f8d98a", outline=None)
    c.rect((0, 210, 320, 320), "#a8bf7c", None)
    for x, y, s in ((34, 204, 0.6), (92, 196, 0.45), (268, 198, 0.55), (304, 210, 0.5)):
        c.rect((x - 18 * s, y - 16 * s, x + 18 * s, y + 12 * s), BROWN, width=2)
        c.oval(x, y - 16 * s, 18 * s, 7 * s, fill=WOOD, width=2)
    roots = [(266, 262), (290, 296), (244, 284), (200, 298), (150, 284), (96, 298), (110, 262)]
    c.poly([(112, 196), (262, 196), *roots], BROWN)
    for x in (136, 222, 246):
        c.line([(x, 222), (x - 2, 268)], "#6f4c34", 3)
    c.oval(187, 196, 75, 25, fill="#e3bd8d")
    for r in (54, 34, 15):
        c.oval(187, 196, r, r / 3, width=2, outline="#b98b5e")
    # The plaster, across the cut.
    c.limb([(150, 214), (228, 180)], "#f1b98c", 24)
    c.poly([(176, 193), (196, 184), (204, 201), (184, 210)], "#f9dcc0", width=2)
    for x, y in ((154, 206), (150, 217), (163, 212), (216, 180), (226, 186), (222, 176)):
        c.oval(x, y, 1.6, fill="#a8693f", outline=None)
    girl = Look(shirt=RED, trousers=RED, hair="#5b3a29", style="long", shoes=INK)
    hug = Pose(
        head=(18, -80),
        shoulder=(10, -60),
        hip=(0, -32),
        left_hand=(46, -36),
        right_hand=(56, -52),
        left_elbow=(20, -38),
        left_foot=(-12, 0),
        right_foot=(6, 0),
        left_knee=(-8, -14),
    )
    person(c, 76, 294, 124, girl, hug, "grieving", (0.1, 0.15))
    c.blob([(119, 208), (123, 216), (119, 221), (115, 216)], WATER, width=1.5)
    c.rect((22, 268, 58, 300), WHITE, radius=4)
    c.rect((32, 260, 48, 268), None, width=2.5)
    c.rect((37, 275, 43, 293), RED, None)
    c.rect((31, 281, 49, 287), RED, None)
    c.line([(290, 300), (254, 250)], WOOD, 6)
    c.poly([(254, 250), (234, 256), (238, 270), (250, 279), (262, 262)], GREY)
    for x, y in ((60, 70), (100, 44), (128, 84)):
        c.curve([(x - 16, y - 6), (x - 7, y - 9), (x, y)], INK, 2.5)
        c.curve([(x, y), (x + 7, y - 9), (x + 16, y - 6)], INK, 2.5)
