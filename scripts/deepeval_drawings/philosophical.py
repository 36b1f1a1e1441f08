"""Four cartoons that ask what keeps us, what weighs, what frightens and what we run after."""

from __future__ import annotations

from .canvas import (
    BLUE,
    BROWN,
    GOLD,
    GREY,
    INK,
    PINK,
    PURPLE,
    RED,
    SKY,
    TAN,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Canvas,
    arc_points,
    smooth,
)
from .figures import Look, Pose, cloud, person


def key_in_beak(c: Canvas) -> None:
    """A bird sits in a locked cage and holds the key in its own beak."""
    c.rect((0, 0, 320, 320), SKY, None)
    cloud(c, 52, 70, 1.2)
    cloud(c, 276, 120, 1)
    for x, y in ((34, 130), (286, 56), (256, 34)):
        c.curve([(x - 14, y - 6), (x - 6, y - 9), (x, y)], INK, 2.5)
        c.curve([(x, y), (x + 6, y - 9), (x + 14, y - 6)], INK, 2.5)
    c.line([(160, 0), (160, 30)], INK, 3)
    c.oval(160, 36, 9, width=4)
    dome = arc_points(160, 130, 94, 84, 180, 360)
    c.poly([*dome, (254, 276), (66, 276)], "#eef6fa", None)
    c.line([(84, 220), (236, 220)], BROWN, 7)
    # The bird.
    c.poly([(112, 226), (84, 262), (104, 266), (132, 232)], "#c98f1e")
    c.blob([(104, 218), (112, 166), (152, 136), (190, 148), (194, 186), (166, 218), (132, 228)], YELLOW)
    c.blob([(112, 200), (130, 172), (158, 176), (152, 206), (126, 216)], "#e39f22")
    c.oval(172, 152, 29, fill=YELLOW)
    c.oval(178, 146, 5, fill=INK, outline=None)
    c.oval(180, 144, 1.6, fill=WHITE, outline=None)
    for x in (136, 152):
        c.line([(x, 222), (x - 2, 234)], RED, 4)
    # The key hangs from the beak, the lock is on the door.
    c.limb([(206, 166), (206, 178)], "#e8b93a", 3, 2)
    c.oval(206, 190, 11, width=8)
    c.oval(206, 190, 11, outline="#e8b93a", width=4)
    c.limb([(206, 202), (206, 232)], "#e8b93a", 4, 2)
    for y in (222, 231):
        c.limb([(208, y), (216, y)], "#e8b93a", 4, 2)
    c.poly([(198, 146), (222, 158), (198, 164)], RED, width=2.5)
    c.poly([(198, 164), (216, 164), (197, 172)], "#c44524", width=2.5)
    for x in (66, 97, 129, 160, 191, 223, 254):
        spread = (x - 160) / 94
        top = 130 - 84 * (1 - spread**2) ** 0.5
        c.line([(x, top), (x, 276)], "#5c6672", 3.5)
    c.line(dome, "#5c6672", 4.5)
    c.rect((60, 272, 260, 292), BROWN, radius=5)
    c.line([(66, 150), (254, 150)], "#5c6672", 3)
    c.arc(238, 246, 9, 11, 180, 360, width=5)
    c.rect((225, 246, 252, 270), GOLD, radius=4)
    c.oval(238.5, 255, 3.5, fill=INK, outline=None)
    c.line([(238.5, 255), (238.5, 263)], INK, 3)


def heavier_time(c: Canvas) -> None:
    """On a pair of scales one small hourglass outweighs a heap of money."""
    c.rect((0, 0, 320, 320), "#e9e2f2", None)
    c.rect((0, 284, 320, 320), "#c9bddb", None)
    c.rect((152, 64, 168, 270), GOLD)
    c.poly([(108, 284), (124, 262), (196, 262), (212, 284)], GOLD)
    c.limb([(58, 52), (262, 108)], GOLD, 9)
    c.oval(160, 80, 14, fill=GOLD)
    c.oval(160, 54, 9, fill=YELLOW)
    for x, y, drop in ((58, 52, 96), (262, 108, 118)):
        for dx in (-46, 46):
            c.line([(x, y), (x + dx, y + drop)], INK, 2.5)
    # Money on the left, up in the air.
    for x, y in ((30, 140), (86, 140), (36, 132), (80, 132)):
        c.oval(x, y, 14, 6, fill=YELLOW, width=2.5)
    c.rect((72, 112, 104, 126), "#8fbf7f", width=2.5)
    c.rect((72, 126, 104, 140), "#8fbf7f", width=2.5)
    for y in (119, 133):
        c.oval(88, y, 4, fill="#d9ecd0", width=1.6)
    c.blob([(30, 144), (24, 112), (44, 92), (40, 82), (64, 82), (60, 92), (80, 112), (74, 144)], "#a9825a")
    c.line([(41, 93), (63, 93)], INK, 4)
    c.oval(52, 120, 13, fill=YELLOW, width=2.5)
    c.oval(52, 120, 8, width=1.6, outline=GOLD)
    for x in (16, 34, 98):
        c.oval(x, 142, 10, 5, fill=YELLOW, width=2)
    c.poly(arc_points(58, 148, 54, 24, 0, 180), "#e6c25f")
    # One hourglass on the right, low.
    for y in (166, 222):
        c.rect((240, y - 5, 284, y + 5), BROWN, radius=3)
    c.poly([(246, 171), (278, 171), (264, 194), (278, 217), (246, 217), (260, 194)], "#eef7fb")
    c.poly([(253, 182), (271, 182), (262, 194)], TAN, None)
    c.poly([(249, 217), (275, 217), (262, 204)], TAN, None)
    c.line([(262, 194), (262, 206)], TAN, 2)
    c.poly(arc_points(262, 227, 54, 24, 0, 180), "#e6c25f")
    for y in (256, 264):
        c.arc(262, y, 18, 5, 20, 160, GREY, 2)


def own_monster(c: Canvas) -> None:
    """A mouse with a candle shakes with fear at its own shadow, which looks like a cat."""
    c.rect((0, 0, 320, 236), "#f4d58a", None)
    c.rect((0, 236, 320, 320), "#a97c54", None)
    c.rect((0, 228, 320, 238), "#8a6242", width=2)
    for r, color in ((150, "#f7dd9d"), (96, "#fae7b8"), (50, "#fdf3d8")):
        c.poly(arc_points(58, 228, r, r, 180, 360), color, None)
    shadow = "#4a3b52"
    # The shadow starts at the mouse's feet and climbs the wall.
    c.poly([(122, 286), (168, 286), (300, 238), (150, 238)], shadow, None)
    body = [(150, 238), (146, 170), (164, 128), (160, 96), (262, 96), (268, 128), (296, 180), (302, 238)]
    c.poly(smooth(body), shadow, None)
    c.oval(212, 92, 60, 50, fill=shadow, outline=None)
    c.poly([(156, 84), (152, 18), (196, 50)], shadow, shadow)
    c.poly([(228, 50), (274, 18), (268, 84)], shadow, shadow)
    c.line(smooth([(290, 230), (312, 180), (296, 130), (312, 96)]), shadow, 14)
    for x in (188, 238):
        c.poly([(x - 15, 80), (x, 70), (x + 15, 80), (x, 92)], YELLOW, None)
        c.oval(x, 81, 3, 9, fill=INK, outline=None)
    c.poly([(182, 108), (242, 108), (232, 126), (192, 126)], "#f4d58a", None)
    for i in range(5):
        x = 184 + 12 * i
        c.poly([(x, 107), (x + 10, 107), (x + 5, 119)], shadow, None)
    for x, y in ((166, 190), (284, 196)):
        for dx in (-8, 0, 8):
            c.line([(x + dx, y), (x + dx - 2, y + 16)], "#f4d58a", 3)
    # The candle.
    c.rect((46, 240, 68, 288), WHITE)
    c.rect((36, 286, 78, 296), GOLD, radius=4)
    c.blob([(57, 204), (65, 222), (57, 236), (49, 222)], YELLOW, RED, 2.5)
    # The mouse.
    c.curve([(124, 282), (104, 292), (98, 276), (86, 282)], "#d98c8c", 4)
    c.blob([(120, 286), (122, 252), (142, 238), (160, 256), (160, 286)], GREY)
    for x in (126, 160):
        c.oval(x, 216, 12, fill=GREY)
        c.oval(x, 216, 6, fill=PINK, outline=None)
    c.oval(144, 232, 19, 17, fill=GREY)
    for x in (142, 154):
        c.oval(x, 228, 5.5, fill=WHITE, width=2)
        c.oval(x + 1, 226, 2.4, fill=INK, outline=None)
    c.oval(150, 241, 4, 5, fill="#8c2f2a", width=1.6)
    for x in (132, 152):
        c.oval(x, 287, 8, 4, fill=PINK, width=2)
    for x in (110, 176):
        c.curve([(x, 246), (x + 4, 254), (x - 2, 262), (x + 3, 270)], INK, 2)


def carrot_of_happiness(c: Canvas) -> None:
    """A runner chases a sun marked HAPPINESS that hangs from a rod tied to his own back."""
    c.rect((0, 0, 320, 320), "#cfe8ef", None)
    cloud(c, 60, 44, 1.1)
    cloud(c, 176, 116, 0.8)
    c.blob([(-40, 250), (60, 214), (170, 246), (270, 212), (360, 240), (360, 360), (-40, 360)], "#b7d59a", None)
    c.rect((0, 274, 320, 320), "#d9b88c", None)
    c.line([(-4, 274), (324, 274)], INK, 3)
    # A worn circle of footprints: he has been running for long.
    for x in range(14, 92, 20):
        c.oval(x, 298 + (x // 20 % 2) * 8, 6, 3, fill="#b08d62", outline=None)
    rod = smooth([(94, 196), (112, 120), (176, 66), (256, 66)])
    c.line(rod, INK, 7)
    c.line(rod, WOOD, 4)
    c.line([(256, 66), (256, 104)], INK, 2)
    for i in range(12):
        a = arc_points(256, 148, 1, 1, 30 * i, 30 * i + 1)[0]
        start = (256 + (a[0] - 256) * 50, 148 + (a[1] - 148) * 44)
        end = (256 + (a[0] - 256) * 60, 148 + (a[1] - 148) * 55)
        c.line([start, end], GOLD, 4)
    c.oval(256, 148, 47, 41, fill=YELLOW)
    c.text(256, 148, "HAPPINESS", 14.5, INK, 0.7)
    look = Look(shirt=RED, trousers=BLUE, hair="#3b2a22", shoes=PURPLE)
    run = Pose(
        head=(12, -84),
        shoulder=(5, -62),
        hip=(-6, -34),
        left_hand=(-24, -46),
        left_elbow=(-16, -44),
        right_hand=(46, -68),
        right_elbow=(30, -58),
        left_knee=(-22, -20),
        left_foot=(-42, -18),
        right_knee=(16, -30),
        right_foot=(22, -2),
    )
    person(c, 118, 282, 118, look, run, "open", (0.3, -0.05))
    c.rect((92, 196, 106, 240), BROWN, width=2.5, radius=4)
    c.line([(106, 206), (128, 210)], BROWN, 4)
    c.line([(106, 232), (120, 240)], BROWN, 4)
    for y in (214, 236, 258):
        c.line([(26, y), (60, y)], INK, 2.5)
    for x, y in ((152, 158), (164, 172), (108, 158)):
        c.blob([(x, y - 6), (x + 4, y + 1), (x, y + 4), (x - 4, y + 1)], WATER, width=1.5)
