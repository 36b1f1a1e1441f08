"""Four cartoons that make one laugh at the gap between what is said and what is done."""

from __future__ import annotations

from .canvas import (
    BLUE,
    BROWN,
    GOLD,
    GREEN,
    GREY,
    INK,
    LIGHT,
    PINK,
    PURPLE,
    RED,
    SKIN,
    SKY,
    TAN,
    TEAL,
    WHITE,
    WOOD,
    YELLOW,
    Canvas,
)
from .figures import Look, Pose, cloud, face, head, person


def express_snail(c: Canvas) -> None:
    """A snail with an EXPRESS parcel crawls past the person who has grown old waiting."""
    c.rect((0, 0, 320, 215), SKY, None)
    cloud(c, 70, 50, 1.1)
    cloud(c, 205, 32, 0.9)
    c.rect((0, 215, 320, 320), GREEN, None)
    c.rect((0, 232, 320, 296), GREY, None)
    for x in range(8, 320, 56):
        c.rect((x, 262, x + 30, 267), WHITE, None)
    c.rect((232, 80, 330, 228), "#f0dcc0")
    c.poly([(218, 84), (275, 36), (340, 84)], RED)
    c.rect((252, 122, 304, 228), "#6b4a35")
    old = Look(shirt=TEAL, trousers="#6d6875", style="bald", hair=WHITE)
    person(c, 276, 232, 96, old, Pose(left_hand=(-34, -44), right_hand=(20, -36)), "flat", (-0.2, 0))
    c.blob([(264, 163), (276, 160), (288, 163), (289, 186), (276, 203), (263, 186)], WHITE, width=2)
    c.line([(240, 187), (240, 232)], BROWN, 4)
    c.blob(
        [(22, 290), (40, 276), (120, 272), (158, 262), (176, 222), (190, 224), (194, 262), (186, 290)],
        "#e5c27c",
    )
    c.line([(180, 228), (174, 202)], width=3)
    c.line([(188, 228), (196, 203)], width=3)
    for x, y in ((174, 200), (196, 201)):
        c.oval(x, y, 7, fill=WHITE, width=2.5)
        c.oval(x + 2, y + 1, 2.6, fill=INK, outline=None)
    c.arc(184, 242, 8, 7, 10, 120, width=2.5)
    c.oval(95, 237, 47, fill=BROWN)
    c.oval(99, 239, 31, fill="#b08560")
    c.oval(103, 241, 15, fill=BROWN)
    c.rect((42, 130, 150, 194), WOOD)
    c.rect((88, 130, 104, 194), "#efe3c8", width=2)
    c.rect((50, 150, 142, 176), WHITE, width=2)
    c.text(96, 163, "EXPRESS", 18, RED, 1)
    c.line([(44, 194), (60, 206)], width=3)
    c.line([(148, 194), (134, 210)], width=3)
    for y in (150, 168, 186):
        c.line([(10, y), (32, y)], INK, 3)


def gym_escalator(c: Canvas) -> None:
    """Everybody takes the escalator to the gym; the stairs beside it are empty."""
    c.rect((0, 0, 320, 320), "#f6e7c9", None)
    c.rect((196, 22, 312, 150), LIGHT)
    c.rect((212, 32, 296, 62), RED, radius=4)
    c.text(254, 47, "GYM", 22, WHITE, 1.2)
    c.rect((232, 76, 276, 150), "#4b5d70")
    c.line([(241, 112), (267, 112)], WHITE, 4)
    for x in (239, 269):
        c.rect((x - 4, 100, x + 4, 124), WHITE, None)
    c.poly([(190, 150), (320, 150), (320, 320), (190, 320)], "#d9c7a3")
    # The stairs, in front and empty.
    for i in range(8):
        left = 110 + i * 22
        c.rect((left, 296 - i * 18, 330, 330), "#e9d9b6" if i % 2 else "#f3e8cd", width=2.5)
    # The escalator, crowded.
    c.poly([(0, 300), (30, 300), (196, 150), (250, 150), (250, 166), (204, 166), (44, 320), (0, 320)], "#56616e")
    riders = [
        (44, 286, Look(shirt=RED, trousers=INK, skin=TAN, hair=INK)),
        (84, 250, Look(shirt=PURPLE, trousers=INK, style="long", hair=GOLD)),
        (124, 214, Look(shirt=TEAL, trousers=INK, skin="#8f5f40", hair=INK)),
        (164, 178, Look(shirt=YELLOW, trousers=INK, style="long", hair="#7b3f2a")),
    ]
    for x, y, look in reversed(riders):
        person(c, x, y, 78, look, Pose(right_hand=(22, -44), left_hand=(-18, -30)), "smile", (0.2, 0))
        c.rect((x - 32, y - 30, x - 14, y - 14), BLUE, width=2.5, radius=3)
        c.line([(x - 28, y - 30), (x - 23, y - 36), (x - 18, y - 30)], width=2.5)
    c.line([(6, 262), (28, 262), (196, 112), (222, 112)], INK, 6)
    c.line([(6, 262), (28, 262), (196, 112), (222, 112)], "#3b3f4f", 4)


def cat_bed(c: Canvas) -> None:
    """The cat sprawls over the whole bed; its owner is rolled up in the cat's basket on the floor."""
    c.rect((0, 0, 320, 200), "#dfe7f5", None)
    c.rect((0, 200, 320, 320), "#d7b98f", None)
    c.rect((206, 22, 292, 96), "#39476e")
    c.oval(264, 48, 13, fill="#f7e9a8", outline=None)
    c.line([(249, 22), (249, 96)], WHITE, 4)
    c.rect((206, 22, 292, 96), None, WHITE, 4)
    c.rect((18, 70, 40, 232), BROWN, radius=6)
    c.rect((262, 128, 280, 232), BROWN, radius=6)
    c.rect((36, 148, 266, 212), BLUE, radius=12)
    c.blob([(36, 140), (60, 120), (104, 122), (112, 146), (70, 156)], WHITE)
    # The cat lies on its back, all four paws out.
    c.blob([(246, 140), (272, 122), (280, 92), (292, 96), (290, 130), (262, 156)], GOLD)
    c.blob([(92, 144), (128, 118), (196, 112), (244, 122), (252, 146), (200, 162), (120, 162)], GOLD)
    c.blob([(130, 138), (172, 128), (224, 132), (226, 148), (172, 154), (136, 152)], "#fbe3b0", None)
    for pts in (
        [(122, 126), (118, 98)],
        [(150, 118), (158, 92)],
        [(214, 118), (222, 88)],
        [(238, 126), (256, 104)],
    ):
        c.limb(pts, GOLD, 13)
    for x in (172, 186, 200):
        c.line([(x, 114), (x + 2, 124)], "#b86f1d", 4)
    c.poly([(66, 116), (62, 90), (82, 104)], GOLD)
    c.poly([(96, 104), (116, 92), (112, 116)], GOLD)
    c.oval(89, 124, 27, 24, fill=GOLD)
    face(c, 89, 126, 24, "asleep")
    c.poly([(85, 126), (93, 126), (89, 131)], PINK, width=1.5)
    for dy in (128, 135):
        c.line([(58, dy - 2), (76, dy)], width=1.6)
        c.line([(102, dy), (120, dy - 2)], width=1.6)
    c.text(130, 62, "z", 17)
    c.text(146, 46, "z", 22)
    c.text(166, 28, "Z", 27)
    # The owner in the basket.
    c.oval(178, 272, 112, 40, fill=WOOD)
    c.oval(178, 264, 98, 30, fill="#f2d8d0")
    c.limb([(206, 262), (252, 268), (216, 282)], "#6d7fa3", 16)
    c.blob([(118, 262), (140, 236), (190, 232), (222, 248), (222, 276), (160, 284), (122, 280)], "#8ea3cc")
    for x in (150, 172, 194):
        c.line([(x, 238), (x + 4, 280)], WHITE, 3)
    c.limb([(150, 258), (120, 276)], "#8ea3cc", 12)
    head(c, 110, 256, 23, Look(skin=SKIN), "sad", (0.05, 0.1))
    c.poly([(66, 276), (290, 276), (282, 300), (250, 312), (110, 312), (76, 300)], WOOD)
    for x in range(84, 280, 22):
        c.line([(x, 282), (x + 10, 306)], BROWN, 3)
    c.rect((144, 284, 216, 304), WHITE, width=2, radius=4)
    c.text(180, 294, "KITTY", 15, RED, 0.8)


def to_do(c: Canvas) -> None:
    """The first panel writes a plan; in the second nothing but the plan is done."""
    c.rect((0, 0, 320, 156), "#fdf1d3", None)
    c.rect((0, 164, 320, 320), "#d9efe0", None)
    # Panel one: full of zeal.
    look = Look(shirt=RED, trousers=BLUE, hair=INK)
    c.rect((158, 14, 304, 146), WHITE)
    c.text(231, 31, "TO DO", 19, INK, 1)
    for i, words in enumerate(("make a list", "run 10 km", "fix the roof", "learn Greek")):
        y = 55 + 24 * i
        c.rect((168, y - 7, 182, y + 7), WHITE, width=2.5)
        c.text(243, y, words, 16)
    c.line([(170, 55), (175, 61), (186, 44)], GREEN, 4)
    person(c, 84, 150, 118, look, Pose(right_hand=(52, -74), left_hand=(-20, -34)), "open", (0.25, 0))
    c.line([(140, 66), (164, 52)], INK, 5)
    for x0, y0, x1, y1 in ((40, 28, 28, 16), (60, 16, 56, 2), (30, 52, 14, 48)):
        c.line([(x0, y0), (x1, y1)], RED, 3)
    c.rect((0, 156, 320, 164), INK, None)
    # Panel two: the hammock under the list.
    c.rect((0, 292, 320, 320), GREEN, None)
    for x in (34, 286):
        c.rect((x - 9, 176, x + 9, 300), BROWN)
        c.blob([(x - 40, 190), (x, 164), (x + 40, 190), (x, 206)], GREEN)
    c.rect((192, 172, 250, 232), WHITE, width=2.5)
    for i in range(4):
        y = 185 + 12 * i
        c.rect((198, y - 4, 206, y + 4), WHITE, width=1.8)
        c.line([(212, y), (242, y)], GREY, 2.5)
    c.line([(199, 185), (202, 188), (209, 178)], GREEN, 3)
    c.line([(43, 222), (92, 252)], width=3)
    c.line([(277, 222), (232, 252)], width=3)
    c.limb([(128, 246), (180, 250), (216, 238)], BLUE, 13)
    c.limb([(112, 246), (150, 252)], RED, 24)
    c.limb([(118, 246), (92, 216), (76, 238)], RED, 8)
    head(c, 100, 234, 19, look, "asleep", (0.1, 0))
    c.blob([(88, 250), (124, 258), (200, 258), (236, 250), (220, 280), (160, 290), (104, 280)], YELLOW)
    for x in (124, 150, 176, 202):
        c.line([(x, 262), (x, 282)], GOLD, 3)
    c.text(132, 206, "z", 16)
    c.text(148, 190, "z", 21)
