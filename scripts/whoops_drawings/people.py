"""Four drawings of people who defy what people do."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import (
    BLUE,
    BROWN,
    GREEN,
    GREY,
    INK,
    LIGHT,
    NIGHT,
    RED,
    SKIN,
    SKY,
    TEAL,
    WHITE,
    WOOD,
    YELLOW,
    Canvas,
    arc_points,
)
from scripts.deepeval_drawings.figures import Look, Pose, person, sprout

from .things import flame, ground, sun


def fork_soup(c: Canvas) -> None:
    """Somebody eats soup with a fork, and it runs through."""
    c.rect((0, 0, 320, 220), "#f2ded0", None)
    person(
        c,
        160,
        268,
        210,
        Look(shirt=TEAL, style="short"),
        Pose(left_hand=(-34, -34), right_hand=(34, -56)),
        "open",
        (0.2, 0.2),
    )
    c.rect((0, 244, 320, 320), RED, None)
    for x in range(0, 320, 40):
        c.rect((x, 244, x + 20, 320), "#f2c9bd", None)
    c.line([(0, 244), (320, 244)], INK, 3)
    c.poly(arc_points(140, 236, 70, 52, 0, 180), WHITE)
    c.oval(140, 236, 70, 14, fill=WHITE)
    c.oval(140, 236, 60, 10, fill="#e8a33d", width=2)
    for x, y in ((112, 200), (144, 192), (170, 206)):
        c.curve([(x, y), (x + 6, y - 10), (x - 2, y - 20)], GREY, 2.5)
    c.line([(238, 116), (206, 170)], GREY, 6)
    for dx in (-9, 0, 9):
        c.line([(206 + dx, 168), (200 + dx, 194)], GREY, 4)
    c.line([(195, 168), (217, 168)], GREY, 5)
    for x, y in ((194, 206), (206, 214), (200, 226), (212, 204)):
        c.blob([(x, y - 8), (x + 4, y), (x, y + 4), (x - 4, y)], "#e8a33d", width=1.5)


def meadow_skier(c: Canvas) -> None:
    """A skier races down a flowering summer meadow."""
    c.rect((0, 0, 320, 320), SKY, None)
    sun(c, 262, 50, 24)
    c.poly([(0, 120), (320, 280), (320, 320), (0, 320)], "#7fb866", None)
    for x, y, color in (
        (30, 190, RED),
        (80, 250, YELLOW),
        (150, 290, RED),
        (40, 290, YELLOW),
        (230, 296, "#b072c9"),
        (112, 220, "#b072c9"),
    ):
        sprout(c, x, y, 0.7, color)
    c.limb([(92, 150), (236, 226)], BLUE, 6)
    c.limb([(84, 160), (228, 236)], BLUE, 6)
    crouch = Pose(
        left_knee=(14, -26),
        right_knee=(18, -26),
        hip=(-6, -34),
        shoulder=(6, -58),
        head=(16, -76),
        left_hand=(24, -40),
        right_hand=(30, -44),
    )
    person(c, 156, 188, 130, Look(shirt=RED, trousers=NIGHT, style="short"), crouch, "smile", (0.3, 0))
    c.line([(190, 132), (150, 116)], INK, 3)
    c.line([(184, 142), (140, 140)], INK, 3)
    c.poly(arc_points(177, 90, 24, 22, 180, 360), YELLOW, width=2.5)
    for x in (60, 250):
        c.blob([(x, 120), (x + 14, 108), (x + 10, 122)], "#e0803c", width=1.5)
        c.blob([(x, 120), (x - 14, 108), (x - 10, 122)], "#e0803c", width=1.5)
    for x, y in ((64, 96), (86, 118), (48, 120)):
        c.line([(x, y), (x + 30, y + 15)], WHITE, 3)


def moon_fire(c: Canvas) -> None:
    """A camp fire burns on the Moon."""
    ground(c, "#11142b", "#b7bac2", 200)
    for i in range(34):
        c.oval((i * 97) % 320, (i * 53) % 190, 1.6, fill=WHITE, outline=None)
    c.oval(60, 62, 36, fill="#4a8fd0")
    c.blob([(40, 50), (60, 40), (70, 60), (52, 72)], GREEN, None)
    c.blob([(72, 74), (88, 66), (84, 84)], GREEN, None)
    for x, y, rx in ((40, 250, 30), (280, 230, 24), (120, 302, 34)):
        c.oval(x, y, rx, rx * 0.32, fill="#8f939d", width=2)
    c.limb([(180, 280), (276, 262)], BROWN, 13)
    c.limb([(184, 262), (272, 282)], BROWN, 13)
    for x, s in ((205, 1.4), (250, 1.4), (228, 2.4)):
        flame(c, x, 268, s)
    suit = Look(shirt=WHITE, trousers=WHITE, shoes=GREY, style="short")
    person(c, 104, 290, 150, suit, Pose(right_hand=(38, -50), left_hand=(-24, -40)), "smile", (0.3, 0))
    c.oval(104, 170, 36, fill=None, outline=LIGHT, width=6)
    c.rect((92, 214, 116, 230), BLUE, width=2)
    c.line([(150, 218), (206, 226)], BROWN, 4)
    c.rect((200, 218, 216, 234), WHITE, width=2, radius=4)


def baby_boss(c: Canvas) -> None:
    """A baby at a desk gives orders to two grown-ups in suits."""
    c.rect((0, 0, 320, 236), "#d6dfe6", None)
    c.rect((0, 236, 320, 320), "#8f7a66", None)
    c.rect((200, 24, 300, 100), WHITE, width=2.5)
    c.line([(212, 88), (236, 66), (256, 74), (288, 38)], RED, 4)
    suit = Look(shirt="#39476e", trousers="#39476e", style="bald")
    person(c, 210, 300, 130, suit, Pose(left_hand=(-10, -44), right_hand=(10, -44)), "worried", (-0.3, 0.1))
    other = Look(shirt="#4a4a55", trousers="#4a4a55", style="bun")
    person(c, 278, 304, 126, other, Pose(left_hand=(-12, -48), right_hand=(12, -48)), "worried", (-0.3, 0.1))
    c.rect((46, 120, 130, 236), INK, radius=14)
    c.limb([(88, 196), (88, 230)], NIGHT, 44)
    c.poly([(78, 180), (98, 180), (88, 206)], WHITE, width=2)
    c.poly([(85, 184), (91, 184), (94, 206), (88, 214), (82, 206)], RED, width=2)
    c.limb([(106, 196), (140, 176)], NIGHT, 13)
    c.oval(146, 172, 8, fill=SKIN, width=2)
    c.oval(88, 148, 36, 33, fill=SKIN)
    c.curve([(88, 116), (96, 104), (86, 100)], BROWN, 4)
    for x in (78, 104):
        c.oval(x, 148, 4, 5, fill=INK, outline=None)
    c.oval(92, 166, 12, 8, fill=YELLOW, width=2)
    c.oval(92, 166, 4, fill=RED, width=1.5)
    c.rect((20, 214, 168, 230), WOOD, radius=3)
    c.rect((30, 230, 158, 304), "#a9805a")
    c.text(94, 264, "BOSS", 24, WHITE, 1)
    c.rect((34, 184, 48, 214), "#e8f2f7", width=2, radius=4)
    c.poly([(36, 184), (46, 184), (43, 174), (39, 174)], "#d9a25a", width=2)
