"""Four cartoons that weigh how we treat the climate, our attention, each other and children."""

from __future__ import annotations

from .canvas import (
    BLUE,
    BROWN,
    DARK_SKIN,
    GREY,
    INK,
    LIGHT,
    NIGHT,
    PAPER,
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
    Point,
    arc_points,
)
from .figures import Look, Pose, face, heart, person, star


def melting_hourglass(c: Canvas) -> None:
    """A bear's iceberg melts in the upper glass of an hourglass and drowns the town in the lower one."""
    c.rect((0, 0, 320, 320), "#f3dfc1", None)
    upper = [(76, 30), (244, 30), (240, 96), (212, 132), (166, 156), (154, 156), (108, 132), (80, 96)]
    lower = [(154, 164), (166, 164), (206, 186), (236, 222), (244, 290), (76, 290), (84, 222), (114, 186)]
    c.poly(upper, "#e6f3f8", None)
    c.poly(lower, "#e6f3f8", None)
    c.poly([(83, 104), (237, 104), (212, 132), (166, 156), (154, 156), (108, 132)], WATER, None)
    c.poly([(102, 106), (114, 92), (138, 96), (148, 84), (184, 86), (202, 98), (222, 106)], WHITE, width=2.5)
    c.poly([(160, 87), (168, 96), (150, 104), (176, 104)], LIGHT, None)
    _bear(c, 160, 84)
    # The town.
    for x, top, color in ((102, 228, RED), (136, 206, YELLOW), (170, 214, PURPLE), (200, 234, TEAL)):
        c.rect((x, top, x + 24, 288), color, width=2.5)
        for y in range(top + 8, 270, 14):
            for dx in (6, 15):
                c.rect((x + dx, y, x + dx + 4, y + 6), WHITE, None)
    c.poly([(98, 228), (114, 212), (130, 228)], BROWN, width=2.5)
    c.rect((156, 150, 164, 248), WATER, None)
    wave = [(83 + 8.1 * i, 246 + (3 if i % 2 else -2)) for i in range(20)]
    c.poly([*wave, (244, 290), (76, 290)], "#5f9fc4", None)
    c.line(wave, "#3f7fa6", 3)
    for x, top in ((102, 228), (136, 206), (170, 214), (200, 234)):
        c.line([(x, max(top, 252)), (x, 286)], "#4a86a8", 2)
        c.line([(x + 24, max(top, 252)), (x + 24, 286)], "#4a86a8", 2)
    c.limb([(218, 244), (214, 232)], SKIN, 4, 1.5)
    c.limb([(222, 244), (228, 232)], SKIN, 4, 1.5)
    c.oval(220, 243, 6, fill=SKIN, width=2)
    c.poly(upper, None)
    c.poly(lower, None)
    c.line([(90, 46), (93, 88)], WHITE, 5)
    for y in (14, 290):
        c.rect((56, y, 264, y + 16), BROWN, radius=5)
    for x in (65, 255):
        c.rect((x - 4, 30, x + 4, 290), WOOD, width=2.5)


def phone_puppet(c: Canvas) -> None:
    """A phone holds the strings of a person, who dances for hearts."""
    c.rect((0, 0, 320, 320), "#e4def0", None)
    c.oval(160, 298, 120, 16, fill="#b9aed3", outline=None)
    c.rect((60, 24, 260, 122), INK, radius=16)
    c.rect((80, 32, 240, 114), SKY, radius=6)
    c.oval(250, 73, 5, fill=GREY, outline=None)
    for x, y, r in ((112, 60, 13), (160, 74, 19), (210, 58, 12)):
        heart(c, x, y, r, RED)
    c.oval(70, 73, 2.5, fill=GREY, outline=None)
    strings: list[tuple[Point, Point]] = [
        ((78, 122), (88, 176)),
        ((242, 122), (232, 176)),
        ((160, 122), (160, 176)),
        ((112, 122), (123, 249)),
        ((208, 122), (172, 276)),
    ]
    for start, end in strings:
        c.line([start, end], INK, 1.8)
    look = Look(shirt=TEAL, trousers=NIGHT, skin=TAN, hair=INK)
    pose = Pose(
        left_hand=(-58, -90),
        right_hand=(58, -90),
        left_elbow=(-36, -56),
        right_elbow=(36, -56),
        left_knee=(-30, -38),
        right_knee=(10, -16),
        left_foot=(-22, -14),
        right_foot=(12, 2),
    )
    person(c, 160, 296, 124, look, pose, "flat", (0, -0.25))
    for x, y in ((88, 182), (232, 182), (123, 249), (172, 276)):
        c.oval(x, y, 3.5, fill=RED, width=1.6)


def ladders(c: Canvas) -> None:
    """Under the words EQUAL OPPORTUNITY the woman's ladder lacks its rungs where the man's has them all."""
    c.rect((0, 0, 320, 320), SKY, None)
    c.rect((0, 292, 320, 320), "#8fb56f", None)
    c.rect((14, 60, 306, 88), "#b98b5e")
    c.rect((24, 16, 296, 56), WHITE)
    c.text(160, 36, "EQUAL OPPORTUNITY", 24, INK, 1)
    for left, missing in ((62, ()), (206, (2, 3, 4, 5, 6))):
        for i in range(10):
            y = 106 + i * 20
            if i in missing:
                for x in (left, left + 44):
                    c.line([(x, y), (x + (5 if x == left else -5), y + 2)], BROWN, 5)
                continue
            c.limb([(left, y), (left + 44, y)], WOOD, 5, 2)
        for x in (left, left + 44):
            c.limb([(x, 74), (x, 306)], WOOD, 6, 2)
    climber = Pose(
        left_hand=(-26, -92),
        right_hand=(24, -66),
        left_foot=(-10, 0),
        right_foot=(12, -22),
        right_knee=(20, -34),
        left_elbow=(-26, -66),
    )
    person(c, 84, 200, 100, Look(shirt=BLUE, hair="#4a2f22"), climber, "smile", (0, -0.15))
    woman = Look(shirt=RED, trousers=NIGHT, skin=DARK_SKIN, hair=INK, style="long")
    reach = Pose(left_hand=(-24, -96), right_hand=(22, -98), left_foot=(-10, 0), right_foot=(12, 0))
    person(c, 228, 302, 96, woman, reach, "worried", (0, -0.2))


def school_machine(c: Canvas) -> None:
    """Children with heads of many shapes go into the SCHOOL; out come heads that are all alike."""
    c.rect((0, 0, 320, 320), PAPER, None)
    c.rect((0, 252, 320, 320), "#cfd6db", None)
    c.rect((0, 238, 320, 256), "#56616e")
    for x in range(14, 320, 32):
        c.oval(x, 258, 8, fill=GREY)
    c.rect((112, 78, 208, 238), "#c4604a")
    c.poly([(100, 80), (160, 34), (220, 80)], "#8a3f35")
    c.rect((146, 14, 174, 52), "#8a3f35", width=2.5)
    c.rect((116, 92, 204, 118), WHITE, width=2.5)
    c.text(160, 105, "SCHOOL", 18, INK, 0.8)
    for x, y, r in ((140, 150, 17), (176, 164, 13), (148, 192, 13)):
        for i in range(8):
            a, b = arc_points(x, y, r + 4, r + 4, 45 * i, 45 * i + 1)[0], (x, y)
            c.line([a, b], INK, 7)
        c.oval(x, y, r, fill=GREY)
        c.oval(x, y, r * 0.35, fill=INK, outline=None)
    c.poly([(112, 150), (96, 150), (96, 238), (112, 238)], INK)
    c.poly([(208, 150), (224, 150), (224, 238), (208, 238)], INK)
    for x, shirt in ((19, TEAL), (48, PURPLE), (77, BLUE)):
        _child_body(c, x, shirt)
    c.poly([(20, 156), (38, 192), (2, 192)], SKIN)
    face(c, 20, 180, 13)
    star(c, 48, 178, 21, YELLOW)
    face(c, 48, 177, 12)
    c.oval(77, 178, 16, fill=TAN)
    face(c, 77, 179, 14)
    for x in (240, 270, 300):
        _child_body(c, x, GREY)
        c.rect((x - 13, 166, x + 13, 194), LIGHT)
        face(c, x, 179, 13, "flat")


def _child_body(c: Canvas, x: float, shirt: str) -> None:
    """A child without a head, on the belt."""
    for side in (-6, 6):
        c.limb([(x + side, 218), (x + side, 234)], NIGHT, 6, 2)
    c.limb([(x, 202), (x, 214)], shirt, 18, 2.5)


def _bear(c: Canvas, x: float, y: float) -> None:
    """A polar bear that stands on (x, y) and looks down to the left."""
    fur = "#fffdf5"
    for dx in (-14, -4, 18, 28):
        c.limb([(x + dx, y - 14), (x + dx, y - 1)], fur, 7, 2)
    c.blob(
        [
            (x - 20, y - 26),
            (x - 6, y - 38),
            (x + 24, y - 38),
            (x + 36, y - 26),
            (x + 32, y - 12),
            (x - 14, y - 12),
        ],
        fur,
        width=2.5,
    )
    c.oval(x - 18, y - 42, 4, fill=fur, width=2)
    c.oval(x - 22, y - 31, 13, 11, fill=fur, width=2.5)
    c.oval(x - 33, y - 28, 7, 5.5, fill=fur, width=2.5)
    c.oval(x - 38, y - 29, 2.8, fill=INK, outline=None)
    c.oval(x - 25, y - 35, 1.9, fill=INK, outline=None)
