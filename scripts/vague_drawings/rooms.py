"""Nine scenes in living rooms, bedrooms and a cinema."""

from __future__ import annotations

from scripts.deepeval_drawings.figures import head

from .scene import (
    ANNA,
    BEN,
    BLUE,
    BROWN,
    CLEO,
    DAN,
    DARK_GREEN,
    EVE,
    GREY,
    INK,
    PHONE_POSE,
    PURPLE,
    RED,
    TEAL,
    WHITE,
    WOOD,
    YELLOW,
    Pose,
    Scene,
)

_EARS = Pose(left_hand=(-19, -80), left_elbow=(-30, -62), right_hand=(19, -80), right_elbow=(30, -62))


def window(c: Scene) -> None:
    """Rain comes in through an open window and wets the carpet, and a reader does not notice."""
    c.room("#d8e2d3", "#b99a77")
    c.blob([(60, 300), (90, 262), (420, 258), (450, 300), (260, 314)], "#a9507a", width=2.5)
    c.rect((250, 40, 370, 170), "#8fa1b5", WHITE, 7)
    c.poly([(250, 36), (204, 58), (204, 190), (250, 174)], "#c5d6e2", WHITE, 6)
    c.poly([(370, 36), (416, 58), (416, 190), (370, 174)], "#c5d6e2", WHITE, 6)
    for i in range(11):
        x = 262 + i * 10
        c.line([(x, 50 + (i * 29) % 50), (x - 9, 78 + (i * 29) % 50)], "#e8f2fa", 3)
    for i in range(9):
        x = 254 + i * 12
        c.line([(x, 176 + (i * 23) % 40), (x - 13, 206 + (i * 23) % 40)], BLUE, 3)
    c.puddle(288, 284, 74, 15)
    c.chair(110, 300, WOOD)
    reading = Pose(left_hand=(-6, -46), right_hand=(24, -46), right_elbow=(28, -38))
    c.who(118, 296, ANNA, reading, "smile", (0.1, 0.3))
    c.poly([(106, 206), (130, 214), (154, 206), (154, 232), (130, 240), (106, 232)], TEAL)
    c.who(440, 300, BEN, None, "worried", (-0.4, -0.1))


def dog(c: Scene) -> None:
    """A dog lies on a sofa and chews a shoe."""
    c.room("#efe0ea", "#ab8a6b")
    c.sofa(286, 290)
    c.blob([(226, 244), (236, 212), (290, 204), (340, 214), (352, 246)], "#c98b4a")
    c.curve([(348, 234), (372, 222), (378, 200)], "#c98b4a", 9)
    c.oval(228, 206, 27, 24, fill="#c98b4a")
    c.blob([(246, 190), (262, 196), (262, 226), (250, 226)], "#8a5a2b", width=2.5)
    c.oval(220, 200, 4, 5, fill=INK, outline=None)
    c.oval(204, 204, 6, 5, fill=INK, outline=None)
    c.poly([(168, 214), (184, 206), (200, 214), (222, 214), (228, 226), (226, 234), (168, 234)], RED)
    c.line([(168, 234), (226, 234)], WHITE, 5)
    c.line([(180, 213), (194, 220)], WHITE, 2.5)
    for x, y in ((170, 250), (192, 256), (214, 252)):
        c.poly([(x, y), (x + 7, y - 3), (x + 5, y + 5)], RED, width=1.5)
    c.who(80, 300, CLEO, None, "worried", (0.4, 0.1))
    c.who(420, 302, DAN, PHONE_POSE, "smile", (-0.2, 0.2), flip=True)
    c.rect((384, 206, 396, 228), INK, radius=2)


def loudspeaker(c: Scene) -> None:
    """One dances beside a booming loudspeaker, two others hold their ears."""
    c.room("#d9dff0", "#8d8397")
    c.who(60, 298, ANNA, _EARS, "worried", (0.2, 0))
    c.who(150, 302, DAN, _EARS, "worried", (0.2, 0))
    c.rect((248, 120, 336, 296), "#33333f", radius=5)
    c.oval(292, 240, 34, fill=GREY)
    c.oval(292, 240, 14, fill=INK)
    c.oval(292, 160, 20, fill=GREY)
    c.oval(292, 160, 7, fill=INK)
    for r in (34, 54, 74):
        c.arc(250, 200, r, r * 1.2, 140, 220, RED, 4)
        c.arc(334, 200, r, r * 1.2, -40, 40, RED, 4)
    for x, y in ((214, 70), (352, 60), (448, 110)):
        c.oval(x, y, 9, 7, fill=INK, outline=None)
        c.line([(x + 8, y), (x + 8, y - 34), (x + 22, y - 28)], INK, 4)
    dance = Pose(left_hand=(-34, -84), right_hand=(36, -78), left_foot=(-20, 0), right_foot=(22, -10))
    c.who(416, 300, BEN, dance, "open", (0, -0.1))


def rubbish(c: Scene) -> None:
    """An overflowing bin with flies."""
    c.room("#e8eddc", "#bda78e")
    c.poly([(204, 190), (296, 190), (286, 296), (214, 296)], "#7d8a92")
    for x in (228, 250, 272):
        c.line([(x, 200), (x + (250 - x) * 0.1, 286)], "#66727a", 3)
    for points, color in (
        ([(200, 190), (206, 158), (240, 148), (256, 190)], "#2f3b45"),
        ([(246, 190), (252, 146), (286, 150), (304, 190)], "#50606b"),
        ([(222, 168), (236, 120), (272, 124), (280, 168)], "#3f4c57"),
    ):
        c.blob(points, color)
    c.poly([(232, 130), (250, 92), (264, 128)], YELLOW, width=2.5)
    c.curve([(276, 130), (296, 112), (310, 126)], "#e9c46a", 8)
    c.rect((180, 268, 206, 300), RED, width=2.5, radius=3)
    c.blob([(300, 298), (316, 282), (336, 288), (338, 300)], WHITE, width=2.5)
    for x, y in ((206, 100), (292, 76), (318, 96), (228, 70), (184, 132)):
        c.oval(x, y, 3, fill=INK, outline=None)
        c.oval(x - 4, y - 4, 4, 2.5, fill=WHITE, width=1)
        c.oval(x + 4, y - 4, 4, 2.5, fill=WHITE, width=1)
    c.who(90, 300, EVE, Pose(right_hand=(6, -74), right_elbow=(26, -60)), "worried", (0.4, 0))
    c.who(410, 302, BEN, PHONE_POSE, "smile", (0.3, 0.2))
    c.rect((436, 208, 448, 230), INK, radius=2)


def lamp(c: Scene) -> None:
    """A standing lamp burns in bright sunshine."""
    c.room("#fdf2d0", "#d0ae80")
    c.window((230, 36, 410, 170), "#bfe3f7")
    c.sun(360, 84, 22)
    c.poly([(240, 240), (400, 240), (330, 318), (150, 318)], "#fff1b0", None)
    c.rect((146, 102, 154, 296), INK, None)
    c.oval(150, 298, 28, 7, fill=INK)
    c.poly([(122, 132), (178, 132), (166, 84), (134, 84)], "#ffd84d")
    for x0, y0, x1, y1 in ((110, 142, 94, 160), (190, 142, 206, 160), (150, 142, 150, 166), (104, 104, 84, 100)):
        c.line([(x0, y0), (x1, y1)], "#f0a020", 4)
    c.who(62, 302, CLEO, Pose(left_hand=(-10, -50), right_hand=(16, -50)), "smile", (0.1, 0.3))
    c.rect((44, 218, 84, 246), WHITE, width=2.5)
    c.who(420, 302, DAN, None, "worried", (-0.4, -0.1))


def plant(c: Scene) -> None:
    """A plant hangs its brown leaves in dry earth; the watering can stands beside it."""
    c.room("#e2eef0", "#c0a27c")
    c.window((180, 30, 300, 130))
    c.poly([(206, 236), (274, 236), (264, 298), (216, 298)], "#c8643c")
    c.rect((200, 226, 280, 240), "#d9774d", radius=3)
    for x in (216, 236, 256):
        c.line([(x, 228), (x + 8, 234)], INK, 2)
    for points in (
        [(240, 226), (238, 170), (206, 164), (196, 206)],
        [(240, 226), (244, 160), (276, 158), (290, 204)],
        [(240, 226), (236, 184), (220, 190), (214, 218)],
        [(240, 226), (250, 182), (262, 186), (268, 214)],
    ):
        c.curve(points, "#8a6b3a", 4)
        x, y = points[-1]
        c.blob([(x, y - 14), (x + 9, y), (x, y + 16), (x - 9, y)], "#a98445", width=2)
    for x, y in ((186, 296), (298, 290), (310, 300)):
        c.blob([(x - 10, y), (x, y - 5), (x + 10, y), (x, y + 5)], "#a98445", width=2)
    c.poly([(330, 250), (376, 250), (372, 298), (334, 298)], BLUE)
    c.line([(332, 286), (306, 256)], BLUE, 8)
    c.arc(353, 250, 22, 22, 180, 360, BLUE, 6)
    c.who(100, 300, ANNA, None, "worried", (0.4, 0.1))
    c.who(428, 302, BEN, PHONE_POSE, "smile", (0.2, 0.2))
    c.rect((451, 208, 463, 230), INK, radius=2)


def gallery(c: Scene) -> None:
    """A child draws on the wall with a crayon while the grown-up talks on the phone."""
    c.room("#fbf6ea", "#b9a08a")
    c.oval(226, 76, 24, fill=None, outline=RED, width=5)
    for x, y in ((190, 76), (262, 76), (226, 36), (226, 118), (200, 50), (252, 50), (200, 104), (252, 104)):
        c.line([(226 + (x - 226) * 0.85, 76 + (y - 76) * 0.85), (x, y)], RED, 5)
    c.line([(300, 190), (300, 130), (336, 100), (372, 130), (372, 190), (300, 190)], BLUE, 5)
    c.rect((326, 152, 346, 190), None, BLUE, 5)
    c.oval(420, 120, 14, fill=None, outline=PURPLE, width=5)
    c.line([(420, 134), (420, 176), (404, 206)], PURPLE, 5)
    c.line([(420, 176), (436, 206)], PURPLE, 5)
    c.line([(398, 148), (442, 148)], PURPLE, 5)
    c.curve([(180, 210), (210, 196), (232, 214), (254, 190)], DARK_GREEN, 5)
    ear = Pose(left_hand=(-19, -78), left_elbow=(-32, -60))
    c.who(70, 302, DAN, ear, "open", (-0.4, -0.1))
    c.rect((34, 168, 48, 194), INK, radius=3)
    c.who(206, 304, CLEO, Pose(right_hand=(46, -86)), "smile", (0.4, -0.2), height=104)
    c.rect((250, 190, 262, 214), DARK_GREEN, width=2)


def alarm(c: Scene) -> None:
    """An alarm clock rings; its owner sleeps on, the other holds the ears."""
    c.room("#39456b", "#5b5348")
    c.window((30, 30, 130, 120), "#22304f")
    c.oval(104, 60, 11, fill="#f5f0d0", outline=None)
    c.rect((20, 150, 34, 306), BROWN)
    c.rect((300, 204, 312, 306), BROWN)
    c.rect((30, 236, 304, 284), WHITE, radius=8)
    c.rect((36, 206, 110, 242), "#eef2f7", radius=12)
    c.who(92, 250, ANNA, Pose(), "asleep", height=1)
    c.boxes[-1] = (40, 178, 300, 284)
    head(c, 80, 206, 27, ANNA, "asleep")
    c.blob([(100, 226), (180, 210), (300, 226), (306, 292), (104, 292)], "#7fb08a")
    c.text(128, 150, "Z", 26, WHITE)
    c.text(150, 124, "Z", 18, WHITE)
    c.table(330, 400, 220, 306)
    for x in (352, 380):
        c.oval(x, 164, 12, 9, fill=YELLOW)
    c.oval(366, 192, 28, fill=RED)
    c.oval(366, 192, 20, fill=WHITE, width=2)
    c.line([(366, 192), (366, 178)], INK, 3)
    c.line([(366, 192), (376, 196)], INK, 3)
    for r in (40, 54):
        c.arc(366, 186, r, r, 200, 250, YELLOW, 4)
        c.arc(366, 186, r, r, 290, 340, YELLOW, 4)
    c.who(438, 304, BEN, _EARS, "worried", (-0.3, 0), height=140)


def hat(c: Scene) -> None:
    """In a cinema one wears a hat so tall that the two behind see nothing."""
    c.rect((0, 0, 480, 320), "#3a2530", None)
    c.rect((20, 26, 200, 150), "#cfe6ef", WHITE, 5)
    c.poly([(40, 140), (96, 70), (150, 140)], "#6f9c6a", width=2)
    c.sun(160, 60, 12)
    c.who(150, 330, DAN, Pose(), "smile", (-0.3, 0), height=190)
    c.rect((96, 140, 204, 152), INK, radius=4)
    c.rect((114, 14, 186, 146), INK, radius=4)
    c.rect((114, 122, 186, 138), RED, None)
    c.who(290, 340, EVE, Pose(), "worried", (-0.4, -0.1), height=180)
    c.who(400, 346, CLEO, Pose(right_hand=(34, -66)), "worried", (-0.4, -0.1), height=180)
    for x in (150, 290, 400):
        c.rect((x - 52, 262, x + 52, 330), "#8e2f3c", radius=14)
