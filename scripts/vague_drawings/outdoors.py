"""Seven scenes of balance, weather, streets and meadows."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import arc_points
from scripts.deepeval_drawings.figures import cloud, tree

from .scene import (
    ANNA,
    BEN,
    BLUE,
    BROWN,
    CLEO,
    DAN,
    EVE,
    GREY,
    INK,
    LIGHT,
    PHONE_POSE,
    RED,
    WHITE,
    WOOD,
    YELLOW,
    Pose,
    Scene,
)


def chair(c: Scene) -> None:
    """One stands on a chair that stands on boxes, to reach a bulb."""
    c.room("#e5e0ee", "#b49b7e")
    c.line([(250, 0), (250, 34)], INK, 3)
    c.oval(250, 48, 13, 16, fill=YELLOW)
    c.rect((196, 268, 300, 306), "#d8a45f")
    c.poly([(206, 268), (296, 262), (292, 232), (202, 238)], "#c58f4a")
    c.rect((216, 188, 222, 236), BROWN, width=2.5)
    c.rect((272, 186, 278, 232), BROWN, width=2.5)
    c.poly([(208, 192), (286, 182), (286, 174), (208, 184)], BROWN)
    c.poly([(206, 190), (214, 190), (206, 110), (198, 112)], BROWN)
    for x0, x1 in ((180, 172), (172, 164), (312, 320), (320, 328)):
        c.curve([(x0, 220), (x1, 234), (x0, 248)], INK, 2.5)
    reach = Pose(
        left_hand=(-34, -66), right_hand=(4, -108), right_elbow=(16, -86), left_foot=(-10, 0), right_foot=(12, -1)
    )
    c.who(246, 176, CLEO, reach, "open", (0, -0.3), height=108)
    c.who(90, 302, ANNA, Pose(left_hand=(-16, -70), right_hand=(18, -70)), "worried", (0.4, -0.3))
    c.who(410, 302, DAN, None, "worried", (-0.4, -0.3))


def bicycle(c: Scene) -> None:
    """A bicycle lies right before a house door; its owner sits on a bench."""
    c.meadow(horizon=214)
    c.rect((150, 30, 470, 236), "#e9c9a3")
    c.poly([(136, 36), (310, -50), (484, 36)], RED)
    c.rect((256, 96, 346, 236), "#4f7f5f")
    c.oval(334, 170, 4, fill=YELLOW, width=2)
    c.window((180, 90, 232, 150))
    c.window((386, 90, 442, 150))
    c.rect((240, 236, 362, 250), LIGHT)
    c.poly([(250, 250), (352, 250), (400, 320), (210, 320)], "#c9bfae", None)
    for x in (250, 356):
        c.oval(x, 262, 36, 24, fill=None, outline=INK, width=5)
        c.oval(x, 262, 4, 3, fill=INK)
    c.line([(250, 262), (284, 236), (334, 240), (304, 268), (250, 262)], BLUE, 6)
    c.line([(304, 268), (280, 230)], BLUE, 6)
    c.line([(334, 240), (356, 262)], BLUE, 6)
    c.line([(332, 244), (326, 224), (346, 218)], INK, 5)
    c.line([(270, 230), (292, 228)], INK, 7)
    c.rect((20, 256, 130, 266), WOOD)
    for x in (32, 118):
        c.rect((x - 4, 266, x + 4, 304), WOOD, width=2.5)
    sit = Pose(
        left_knee=(10, -30),
        left_foot=(16, -2),
        right_knee=(18, -30),
        right_foot=(26, -2),
        right_hand=(24, -56),
        right_elbow=(26, -44),
    )
    c.who(72, 302, BEN, sit, "smile", (0.2, 0.2))
    c.rect((100, 206, 112, 228), INK, radius=2)
    c.who(436, 306, EVE, Pose(left_hand=(-34, -50)), "worried", (-0.4, 0.1))
    c.rect((372, 228, 394, 262), RED, width=2.5)


def ice_cream(c: Scene) -> None:
    """Ice cream melts down an arm under a hot sun."""
    c.meadow("#c9e9f7", "#f0d9a0", 200)
    c.sun(420, 50, 30)
    c.rect((0, 176, 480, 204), "#6fb3d6", None)
    c.who(170, 300, ANNA, Pose(right_hand=(40, -58), right_elbow=(28, -44)), "open", (-0.5, 0), height=180)
    c.poly([(230, 168), (256, 168), (243, 206)], "#d9a25a")
    c.oval(243, 156, 21, 18, fill="#f4a6b8")
    c.oval(238, 136, 16, 14, fill="#fff3d6")
    for x, y, r in ((230, 176, 5), (226, 196, 5), (222, 216, 6), (212, 226, 5), (250, 196, 4)):
        c.blob([(x, y - 2 * r), (x + r, y), (x, y + r), (x - r, y)], "#f4a6b8", width=1.5)
    c.puddle(236, 300, 34, 9, "#f4a6b8")
    c.oval(204, 222, 9, 6, fill="#f4a6b8", outline=None)
    c.who(62, 300, DAN, None, "smile", (0.4, 0), height=170)
    c.who(380, 302, CLEO, None, "worried", (-0.4, 0), height=170)


def tent(c: Scene) -> None:
    """The wind lifts a tent off the ground; its owner sits with the back to it."""
    c.meadow("#b9c9d6", "#8fb57e", 210)
    cloud(c, 80, 40, 1, "#8b98a5")
    cloud(c, 400, 34, 1.3, "#8b98a5")
    c.poly([(180, 200), (260, 84), (372, 150)], "#f08a3c")
    c.poly([(260, 84), (372, 150), (330, 190), (286, 180)], "#c9682a")
    c.poly([(236, 194), (258, 110), (276, 186)], "#5b3a1e", width=2.5)
    for x0, y0, x1, y1 in ((180, 200, 160, 226), (372, 150, 396, 180), (330, 190, 342, 224)):
        c.curve([(x0, y0), ((x0 + x1) / 2 + 8, (y0 + y1) / 2), (x1, y1)], INK, 2.5)
        c.line([(x1, y1), (x1 + 2, y1 + 12)], GREY, 4)
    for y, x in ((110, 60), (140, 90), (168, 50), (96, 396), (210, 404)):
        c.curve([(x, y), (x + 30, y - 6), (x + 56, y + 2), (x + 70, y - 4)], WHITE, 4)
    c.oval(270, 268, 60, 10, fill="#7a9c6b", outline=None)
    c.who(80, 302, CLEO, Pose(right_hand=(38, -80)), "open", (0.4, -0.2))
    sit = Pose(left_knee=(-14, -26), left_foot=(-20, 0), right_knee=(14, -26), right_foot=(22, 0), right_hand=(24, -50))
    c.who(420, 308, BEN, sit, "smile", (0.4, 0.1))
    c.rect((446, 222, 462, 244), RED, width=2.5)


def snow(c: Scene) -> None:
    """A car whose windscreen is buried in snow; the driver sits at the wheel already."""
    c.meadow("#d5dde6", "#f4f7fa", 200)
    tree(c, 60, 210, 0.9, "#c9d6d0")
    c.blob([(120, 270), (126, 222), (180, 208), (210, 150), (330, 148), (366, 208), (420, 222), (424, 272)], "#c0392b")
    c.poly([(216, 208), (236, 164), (306, 162), (322, 206)], "#2f3a4a", width=2.5)
    c.who(270, 226, BEN, Pose(), "smile", (-0.4, 0), height=74)
    c.boxes[-1] = (236, 154, 304, 214)
    c.rect((214, 208, 326, 262), "#c0392b", None)
    c.line([(214, 210), (324, 208)], INK, 3)
    c.poly([(192, 208), (214, 150), (236, 152), (216, 212)], WHITE)
    c.blob([(180, 210), (196, 176), (206, 150), (230, 138), (232, 158), (218, 212)], WHITE, "#b9c6d3", 2)
    c.blob([(206, 152), (220, 132), (320, 128), (342, 156), (300, 150), (240, 152)], WHITE, "#b9c6d3", 2)
    c.blob([(118, 224), (140, 204), (186, 200), (200, 214), (160, 222)], WHITE, "#b9c6d3", 2)
    for x in (180, 366):
        c.oval(x, 272, 28, fill=INK)
        c.oval(x, 272, 12, fill=GREY)
    for i in range(26):
        c.oval((i * 73) % 480, (i * 47) % 190, 3, fill=WHITE, outline=None)
    c.who(60, 306, ANNA, None, "worried", (0.4, 0), height=140)
    c.limb([(456, 300), (444, 208)], WOOD, 4, 2)
    c.rect((430, 186, 462, 206), BLUE, width=2.5)


def gate(c: Scene) -> None:
    """Sheep walk out through an open gate behind a shepherd's back."""
    c.meadow()
    tree(c, 440, 196, 1)
    for x in range(0, 180, 44):
        c.rect((x, 150, x + 9, 232), WOOD, width=2.5)
    for y in (166, 196):
        c.rect((0, y, 178, y + 8), WOOD, width=2.5)
    c.rect((176, 138, 188, 240), BROWN)
    c.rect((330, 138, 342, 240), BROWN)
    for x in range(346, 480, 44):
        c.rect((x, 150, x + 9, 232), WOOD, width=2.5)
    for y in (166, 196):
        c.rect((342, y, 480, y + 8), WOOD, width=2.5)
    c.poly([(330, 150), (286, 176), (286, 268), (330, 236)], None, BROWN, 7)
    c.line([(330, 150), (286, 268)], BROWN, 5)
    for x, y, s in ((236, 206, 0.8), (206, 258, 1), (270, 292, 1.1), (150, 296, 1)):
        for dx in (-12, -4, 8, 14):
            c.line([(x + dx * s, y), (x + dx * s, y + 22 * s)], INK, 4)
        points = arc_points(x, y, 26 * s, 17 * s, 0, 330)[::8]
        for px, py in points:
            c.oval(px, py, 9 * s, fill=WHITE, width=2)
        c.oval(x, y, 24 * s, 16 * s, fill=WHITE, outline=None)
        c.oval(x - 32 * s, y - 8 * s, 11 * s, 13 * s, fill="#3b3b46", width=2)
        c.oval(x - 35 * s, y - 10 * s, 2.5, fill=WHITE, outline=None)
    c.who(412, 302, DAN, PHONE_POSE, "smile", (0.3, 0.2))
    c.rect((438, 208, 450, 230), INK, radius=2)
    c.who(60, 304, EVE, Pose(right_hand=(34, -76)), "open", (0.4, 0))


def umbrella(c: Scene) -> None:
    """Two get wet in the rain, and one of them carries an umbrella that is closed."""
    c.rect((0, 0, 480, 220), "#9fb0bf", None)
    c.rect((0, 220, 480, 320), "#7d858c", None)
    for x in (90, 240, 390):
        cloud(c, x, 28, 1.6, "#6c7884")
    for i in range(46):
        x, y = (i * 67) % 480, 60 + (i * 41) % 230
        c.line([(x, y), (x - 7, y + 20)], "#dcebf5", 2.5)
    c.puddle(130, 304, 60, 10)
    c.puddle(370, 306, 70, 10)
    c.who(190, 300, BEN, Pose(right_hand=(30, -40)), "smile", (-0.4, 0))
    c.limb([(237, 228), (237, 250)], WOOD, 4, 1.5)
    c.poly([(230, 246), (244, 246), (250, 262), (239, 308), (235, 308), (224, 262)], RED)
    c.line([(237, 250), (237, 306)], "#9d2b1f", 2.5)
    c.line([(228, 266), (246, 266)], YELLOW, 4)
    c.curve([(237, 228), (237, 218), (248, 218)], WOOD, 5)
    c.who(
        310,
        302,
        ANNA,
        Pose(left_hand=(-14, -92), right_hand=(16, -92), left_elbow=(-28, -70), right_elbow=(28, -70)),
        "worried",
        (-0.4, 0),
    )
    for x, y in ((160, 150), (222, 146), (280, 150), (342, 152)):
        c.blob([(x, y - 9), (x + 4, y), (x, y + 4), (x - 4, y)], BLUE, width=1.5)
