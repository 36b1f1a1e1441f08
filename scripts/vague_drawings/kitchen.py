"""Eight scenes about water, food and fire in the house."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import arc_points

from .scene import (
    ANNA,
    BEN,
    BLUE,
    BROWN,
    CLEO,
    DAN,
    EVE,
    GREEN,
    GREY,
    INK,
    LIGHT,
    PHONE_POSE,
    RED,
    WHITE,
    YELLOW,
    Pose,
    Scene,
)

_WATER = "#7fb8d8"


def tap(c: Scene) -> None:
    """The sink runs over while somebody looks at the phone."""
    c.room("#e6efe6", "#d9cbb5")
    c.rect((180, 160, 340, 282), "#b9c7d0")
    c.rect((192, 190, 256, 270), "#cfdae0", width=2)
    c.rect((264, 190, 328, 270), "#cfdae0", width=2)
    c.rect((190, 146, 330, 166), WHITE, radius=4)
    c.limb([(300, 146), (300, 96), (258, 96), (258, 110)], LIGHT, 9)
    c.rect((290, 84, 310, 92), RED, width=2)
    c.rect((251, 110, 265, 148), _WATER, None)
    c.blob([(196, 146), (230, 138), (290, 138), (324, 146), (290, 152), (230, 152)], _WATER, width=2)
    for x in (196, 212, 240, 284, 312):
        c.rect((x, 150, x + 9, 288), _WATER, None)
    c.puddle(250, 292, 120, 20)
    c.who(110, 296, BEN, PHONE_POSE, "smile", (0.3, 0.1))
    c.rect((136, 204, 148, 224), INK, radius=2)
    c.who(410, 296, ANNA, None, "worried", (-0.4, 0))


def candle(c: Scene) -> None:
    """A burning candle stands under a curtain."""
    c.room("#dcd3e8", "#a98c6a")
    c.window((270, 40, 390, 160), "#33406b")
    c.oval(352, 70, 12, fill="#f5f0d0", outline=None)
    c.rect((250, 168, 410, 178), WHITE)
    for x0, x1, lean in ((246, 290, 8), (372, 414, 0)):
        c.poly([(x0, 26), (x1, 26), (x1 - 6 - lean, 190), (x0 - lean, 190)], RED)
        c.line([((x0 + x1) / 2, 30), ((x0 + x1) / 2 - 6, 186)], "#9d2b1f", 2.5)
    c.line([(236, 26), (424, 26)], BROWN, 7)
    c.rect((296, 138, 310, 168), "#fdf3d0", width=2.5)
    c.blob([(303, 108), (311, 126), (303, 137), (295, 126)], YELLOW, "#e4572e", 3)
    for y in (118, 130):
        c.curve([(292, y), (286, y - 4), (280, y - 2)], "#e4572e", 2.5)
    c.who(80, 300, BEN, None, "worried", (0.4, -0.1))
    c.who(200, 304, CLEO, PHONE_POSE, "smile", (-0.3, 0.2), flip=True)
    c.rect((164, 206, 176, 228), INK, radius=2)


def plates(c: Scene) -> None:
    """A leaning tower of dirty plates beside the sink."""
    c.room("#f0e6d2", "#b9a58c")
    c.rect((250, 180, 470, 290), "#9fb4a8")
    c.rect((244, 170, 476, 184), WHITE, radius=3)
    for i in range(15):
        x = 330 + (i * 0.26) ** 2.2 - (6 if i % 3 == 0 else 0)
        color = ("#f7f4ea", "#dfe8ee", "#f1d9c7")[i % 3]
        c.oval(x, 166 - i * 10, 42 - (i % 4) * 3, 8, fill=color, width=2)
        if i % 2:
            c.oval(x - 12, 165 - i * 10, 8, 3, fill="#a5662b", outline=None)
    c.limb([(446, 170), (446, 124), (416, 124), (416, 134)], LIGHT, 8)
    c.who(90, 300, DAN, PHONE_POSE, "smile", (0.2, 0.2))
    c.rect((114, 206, 126, 226), INK, radius=2)
    c.who(194, 302, EVE, None, "worried", (0.4, -0.3))


def iron(c: Scene) -> None:
    """An iron was left on a shirt, which smokes."""
    c.room("#e3ecf2", "#c2ae93")
    c.line([(220, 290), (360, 196)], GREY, 7)
    c.line([(360, 290), (220, 196)], GREY, 7)
    c.blob([(176, 190), (190, 178), (400, 178), (414, 188), (400, 198), (190, 198)], "#d7dfe4")
    c.poly([(222, 172), (360, 172), (372, 184), (352, 186), (352, 196), (232, 196), (232, 186), (212, 184)], WHITE)
    c.blob([(256, 178), (330, 178), (326, 190), (262, 190)], "#8b5a2b", None)
    c.poly([(256, 178), (330, 178), (322, 152), (280, 150)], BLUE)
    c.limb([(284, 150), (288, 132), (320, 134), (318, 150)], INK, 5)
    c.smoke(250, 176, "#8d8d8d")
    c.smoke(342, 176, "#a5a5a5", 0.9)
    c.who(96, 300, ANNA, PHONE_POSE, "open", (-0.4, -0.1), flip=True)
    c.rect((62, 206, 74, 228), INK, radius=2)
    c.who(430, 302, BEN, None, "worried", (-0.4, 0))


def cat(c: Scene) -> None:
    """A cat puts its paw into a bowl with a fish."""
    c.room("#f6ddc8", "#b98f6a")
    c.table(170, 390, 188, 296)
    c.oval(250, 156, 36, 34, fill="#cfe8f4")
    c.poly(arc_points(250, 156, 33, 31, 10, 170), _WATER, None)
    c.oval(250, 124, 22, 5, fill="#e6f4fa", width=2)
    c.blob([(238, 168), (248, 162), (258, 168), (248, 174)], "#f08a24", width=2)
    c.poly([(236, 168), (228, 162), (228, 174)], "#f08a24", width=2)
    c.blob([(300, 186), (298, 150), (318, 130), (346, 140), (352, 186)], "#6b5b4d")
    c.oval(304, 120, 20, 18, fill="#6b5b4d")
    for x, tip in ((290, 286), (312, 316)):
        c.poly([(x, 106), (tip, 88), (x + 14, 104)], "#6b5b4d", width=2.5)
    for x in (297, 309):
        c.oval(x, 118, 4, 5, fill=YELLOW, width=1.5)
    c.limb([(302, 150), (276, 118), (258, 130)], "#6b5b4d", 9)
    c.curve([(350, 180), (378, 170), (372, 130)], "#6b5b4d", 10)
    c.who(100, 300, EVE, PHONE_POSE, "smile", (-0.3, 0.2), flip=True)
    c.who(436, 302, DAN, None, "worried", (-0.4, 0))


def mug(c: Scene) -> None:
    """A full mug stands half over the edge of a box, right above a computer."""
    c.room("#e9e4d4", "#a7978a")
    c.table(150, 430, 210, 300, "#b98d5f")
    c.poly([(238, 206), (330, 206), (350, 212), (222, 212)], GREY, width=2.5)
    c.poly([(236, 204), (332, 204), (326, 140), (242, 140)], INK)
    c.poly([(244, 198), (324, 198), (319, 147), (249, 147)], "#9fd0e8", None)
    c.rect((338, 150, 410, 210), "#d8a45f")
    c.line([(374, 150), (374, 176)], "#b07f3c", 6)
    c.poly([(318, 112), (344, 120), (336, 152), (312, 144)], RED)
    c.curve([(344, 126), (358, 132), (350, 146), (338, 146)], RED, 6)
    c.blob([(316, 112), (330, 110), (344, 118), (330, 120)], "#5b3a1e", width=2)
    for x, y in ((308, 126), (304, 142), (310, 158)):
        c.blob([(x, y - 7), (x + 4, y), (x, y + 4), (x - 4, y)], "#5b3a1e", None)
    c.who(96, 300, CLEO, Pose(right_hand=(38, -50)), "open", (0.2, -0.2))
    c.who(446, 302, BEN, None, "worried", (-0.5, 0.1))


def phone(c: Scene) -> None:
    """At dinner one of three looks at the phone only."""
    c.room("#f2d9d0", "#94785c")
    c.who(90, 286, ANNA, Pose(left_hand=(-20, -40), right_hand=(24, -44)), "flat", (0.4, 0))
    reading = Pose(left_hand=(-12, -56), left_elbow=(-24, -46), right_hand=(12, -56), right_elbow=(24, -46))
    c.who(240, 280, BEN, reading, "smile", (0, 0.35))
    c.who(390, 286, DAN, Pose(left_hand=(-24, -44), right_hand=(20, -40)), "flat", (-0.4, 0))
    c.rect((226, 176, 254, 214), INK, radius=4)
    c.rect((230, 181, 250, 207), "#9fd0e8", None)
    c.table(30, 450, 226, 312)
    for x in (100, 240, 380):
        c.oval(x, 224, 34, 8, fill=WHITE, width=2)
        c.blob([(x - 18, 220), (x, 208), (x + 18, 220)], GREEN if x != 240 else "#c78a4a", width=2)
        c.line([(x + 46, 226), (x + 46, 206)], GREY, 3)


def sausages(c: Scene) -> None:
    """Black sausages on a smoking grill, and the cook talks to somebody else."""
    c.meadow()
    c.sun(430, 44)
    c.line([(206, 296), (222, 230)], INK, 6)
    c.line([(318, 296), (302, 230)], INK, 6)
    c.poly(arc_points(262, 208, 72, 38, 0, 180), "#3b3b46")
    for x in range(204, 326, 14):
        c.line([(x, 204), (x, 210)], GREY, 2)
    c.line([(190, 206), (334, 206)], GREY, 5)
    for x in (216, 246, 276, 306):
        c.limb([(x - 8, 198), (x + 8, 194)], "#17130f", 9)
        c.blob([(x, 178), (x + 5, 188), (x, 193), (x - 5, 188)], "#f08a24", None)
        c.smoke(x, 180, "#6d6d6d", 0.9)
    c.who(120, 296, DAN, Pose(right_hand=(38, -46)), "open", (-0.5, 0))
    c.rect((106, 220, 134, 262), WHITE, width=2)
    c.limb([(177, 226), (198, 206)], GREY, 3, 1)
    c.who(48, 294, EVE, None, "smile", (0.4, 0))
    c.who(410, 296, CLEO, None, "worried", (-0.4, 0))


__all__ = ["candle", "cat", "iron", "mug", "phone", "plates", "sausages", "tap"]
