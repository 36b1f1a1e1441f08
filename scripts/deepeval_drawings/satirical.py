"""Four cartoons that mock promises, charity for show, committees and looking away."""

from __future__ import annotations

from .canvas import (
    BLUE,
    BROWN,
    GOLD,
    GREY,
    INK,
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
)
from .figures import Look, Pose, board, cloud, head, heart, person


def balloon_promises(c: Canvas) -> None:
    """A speaker's words are balloons with promises on them; a child comes with a pin."""
    c.rect((0, 0, 320, 320), "#fbe7c6", None)
    c.rect((0, 278, 320, 320), "#b98b5e", None)
    balloons = (
        (60, 52, 44, TEAL, "JOBS"),
        (156, 44, 46, BLUE, "PEACE"),
        (256, 72, 52, RED, "NO TAXES"),
        (188, 122, 46, PURPLE, "HOMES"),
    )
    for x, y, *_ in balloons:
        c.curve([(x, y + 36), ((x + 108) / 2 + 8, (y + 182) / 2 + 20), (108, 182)], INK, 2)
    for x, y, rx, color, words in balloons:
        c.poly([(x - 5, y + 42), (x + 5, y + 42), (x, y + 34)], color, width=2)
        c.oval(x, y, rx, 36, fill=color)
        c.arc(x - rx * 0.3, y - 10, rx * 0.4, 16, 190, 260, WHITE, 3)
        c.text(x, y, words, 17, WHITE, 0.9)
    # The speaker: a big head, a big nose, a small body.
    c.limb([(56, 250), (24, 222), (34, 196)], NIGHT, 13)
    c.oval(34, 190, 9, fill=SKIN, width=2.5)
    c.limb([(78, 226), (78, 280)], NIGHT, 50)
    c.poly([(66, 206), (90, 206), (78, 240)], WHITE, width=2)
    c.poly([(74, 212), (82, 212), (86, 240), (78, 250), (70, 240)], RED, width=2)
    c.oval(76, 160, 38, 42, fill=SKIN)
    c.blob(
        [(40, 158), (38, 138), (52, 122), (74, 114), (102, 122), (80, 126), (58, 138), (48, 160)],
        GREY,
        width=2.5,
    )
    c.oval(112, 158, 17, 12, fill="#eeb183", width=2.5)
    for x in (76, 98):
        c.oval(x, 146, 7, 8, fill=WHITE, width=2)
        c.oval(x + 2, 147, 3, fill=INK, outline=None)
    c.blob([(82, 176), (100, 172), (114, 174), (104, 192), (90, 192)], "#8c2f2a", width=2.5)
    c.poly([(24, 236), (136, 236), (126, 320), (34, 320)], BROWN)
    c.line([(116, 236), (126, 214)], INK, 3)
    c.oval(128, 210, 6, 8, fill=INK, outline=None)
    c.oval(80, 274, 18, fill=GOLD, width=2.5)
    child = Look(shirt=YELLOW, trousers=BLUE, skin=TAN, hair=INK, style="long")
    person(c, 268, 312, 108, child, Pose(left_hand=(-40, -84), right_hand=(22, -38)), "smile", (-0.25, -0.2))
    c.line([(226, 224), (202, 178)], GREY, 3)
    c.oval(226, 224, 5, fill=RED, width=2)


def charity_on_camera(c: Canvas) -> None:
    """While the phone films, a man gives a coin; when it is off he takes the coin back."""
    c.rect((0, 0, 320, 156), "#fdeecb", None)
    c.rect((0, 164, 320, 320), "#c8cedb", None)
    for ground in (146, 310):
        c.rect((0, ground - 8, 320, ground + 12), "#a99c8a", None)
    donor = Look(shirt=RED, trousers=NIGHT, hair=GOLD, shoes=WHITE)
    # Panel one: on air.
    person(c, 180, 144, 112, donor, Pose(left_hand=(-50, -46), right_hand=(44, -84)), "open", (0.25, -0.05))
    _beggar(c, 62, 144, "smile")
    c.oval(128, 90, 9, fill=YELLOW, width=2.5)
    _phone(c, 230, 46, on=True)
    for x, y, s in ((272, 34, 11), (292, 66, 8), (266, 88, 7)):
        heart(c, x, y, s, RED)
    c.rect((262, 108, 312, 130), RED, width=2.5, radius=5)
    c.text(287, 119, "LIVE", 16, WHITE, 0.9)
    c.rect((0, 156, 320, 164), INK, None)
    # Panel two: off air.
    person(
        c,
        202,
        308,
        112,
        donor,
        Pose(left_hand=(-26, -52), right_hand=(24, -36), left_foot=(-16, 0), right_foot=(18, -3)),
        "flat",
        (0.35, 0),
    )
    c.oval(170, 246, 9, fill=YELLOW, width=2.5)
    _beggar(c, 62, 308, "sad")
    _phone(c, 229, 272, on=False)
    c.rect((262, 178, 312, 200), GREY, width=2.5, radius=5)
    c.text(287, 189, "OFF", 16, WHITE, 0.9)
    for y in (232, 252, 272):
        c.line([(132, y), (152, y)], INK, 2.5)


def _beggar(c: Canvas, x: float, ground: float, mood: str) -> None:
    """A poor man who sits on the ground with a bowl before him."""
    c.blob(
        [(x - 40, ground), (x - 36, ground - 44), (x, ground - 58), (x + 28, ground - 36), (x + 34, ground)],
        "#7b6a58",
    )
    c.rect((x - 12, ground - 26, x + 2, ground - 12), "#a58d6f", width=2)
    head(
        c,
        x - 2,
        ground - 68,
        20,
        Look(skin=TAN, hair="#4b4038"),
        "smile" if mood == "smile" else "sad",
        (0.25, 0),
    )
    c.limb([(x + 10, ground - 34), (x + 42, ground - 30)], "#7b6a58", 9)
    c.poly(arc_points(x + 52, ground - 28, 17, 18, 0, 180), BROWN, width=2.5)


def _phone(c: Canvas, x: float, y: float, on: bool) -> None:
    """A phone on a selfie stick, or in the hand."""
    if on:
        c.line([(x, y), (x + 6, y - 10)], GREY, 4)
        c.rect((x - 4, y - 38, x + 20, y + 2), INK, radius=4)
        c.rect((x - 1, y - 34, x + 17, y - 4), SKY, None)
        c.oval(x + 8, y - 19, 5, fill=SKIN, outline=None)
    else:
        c.rect((x - 9, y - 14, x + 9, y + 16), INK, radius=4)


def leak_committee(c: Canvas) -> None:
    """Suited people vote at a table in a boat that is sinking, under the banner LEAK COMMITTEE."""
    c.rect((0, 0, 320, 320), SKY, None)
    cloud(c, 270, 30, 1)
    c.rect((0, 212, 320, 320), WATER, None)
    c.line([(44, 226), (44, 14)], BROWN, 6)
    c.rect((48, 20, 262, 58), WHITE)
    c.text(155, 39, "LEAK COMMITTEE", 22, INK, 1)
    suits = (
        (86, "#39476e", SKIN, "short", RED),
        (160, "#4a4a55", TAN, "bald", BLUE),
        (234, "#5b4a3a", SKIN, "short", TEAL),
    )
    for x, suit, skin, style, tie in suits:
        look = Look(shirt=suit, trousers=suit, skin=skin, hair=GREY, style="bald" if style == "bald" else "short")
        person(
            c,
            x,
            262,
            122,
            look,
            Pose(left_hand=(-22, -46), right_hand=(27, -104), right_elbow=(24, -66)),
            "smile",
        )
        c.poly([(x - 7, 190), (x + 7, 190), (x, 206)], WHITE, width=1.5)
        c.poly([(x - 3, 192), (x + 3, 192), (x + 5, 210), (x, 216), (x - 5, 210)], tie, width=1.5)
    c.rect((62, 208, 262, 222), WOOD, radius=4)
    for x in (110, 186, 246):
        c.poly([(x - 11, 206), (x + 7, 206), (x + 11, 198), (x - 7, 198)], WHITE, width=2)
    c.poly([(12, 226), (308, 204), (270, 294), (70, 304)], RED)
    c.line([(20, 240), (302, 220)], WHITE, 5)
    # Water comes in through the hole and stands over the stern.
    c.poly([(186, 250), (198, 232), (212, 240), (226, 226), (242, 238), (250, 262), (236, 280), (198, 280)], INK)
    c.poly([(200, 262), (206, 246), (218, 250), (228, 242), (238, 252), (240, 270), (204, 272)], WATER, None)
    wave = [(-10 + 16 * i, 262 + (5 if i % 2 else -4)) for i in range(22)]
    c.poly([*wave, (330, 330), (-10, 330)], "#5f9fc4", None)
    c.line(wave, "#34759e", 3.5)
    for r in (30, 48):
        c.arc(219, 266, r, r * 0.3, 20, 160, "#bfe0f2", 3)
    c.rect((26, 270, 50, 292), GREY, width=2.5)
    c.arc(38, 270, 11, 12, 180, 360, width=2.5)
    for y in (286, 304):
        c.curve([(110, y), (124, y - 5), (138, y), (152, y - 5)], "#a7d2e8", 3)
    # A fish looks on.
    c.blob([(276, 292), (288, 284), (304, 290), (304, 298), (288, 302)], YELLOW, width=2.5)
    c.poly([(302, 294), (314, 286), (314, 302)], YELLOW, width=2.5)
    c.oval(284, 291, 2.2, fill=INK, outline=None)


def ostrich_summit(c: Canvas) -> None:
    """Ostriches with their heads in the sand hold a CLIMATE SUMMIT while the factories smoke."""
    c.rect((0, 0, 320, 320), "#f3c98b", None)
    for x, y, s in ((60, 52, 1.7), (130, 30, 1.9), (212, 46, 1.8), (284, 28, 1.7)):
        cloud(c, x, y, s, "#7c7683")
    for x in (28, 84, 250, 296):
        c.poly([(x - 10, 170), (x - 6, 76), (x + 6, 76), (x + 10, 170)], "#5c5f6e", width=2.5)
        c.rect((x - 7, 84, x + 7, 92), RED, None)
        cloud(c, x + 6, 64, 0.6, "#8a8490")
    c.rect((-4, 138, 112, 200), "#6d7080", width=2.5)
    c.rect((230, 138, 324, 200), "#6d7080", width=2.5)
    c.rect((0, 186, 320, 320), "#e7c27a", None)
    c.line([(-4, 186), (324, 186)], INK, 3)
    board(c, 160, 120, "CLIMATE\nSUMMIT", 116, 22, 40)
    for x, y, s in ((54, 280, 0.92), (158, 298, 1.0), (260, 280, 0.92)):
        _ostrich(c, x, y, s)


def _ostrich(c: Canvas, x: float, y: float, s: float) -> None:
    """An ostrich in a bow tie whose head is in the sand at the right of (x, y)."""
    for dx in (-12, 2):
        c.line([(x + dx * s, y - 52 * s), (x + (dx - 4) * s, y - 26 * s), (x + dx * s, y)], "#d98f8a", 5 * s)
        c.line([(x + dx * s, y), (x + (dx + 9) * s, y)], "#d98f8a", 5 * s)
    neck = [(x + 16 * s, y - 66 * s), (x + 34 * s, y - 58 * s), (x + 36 * s, y - 4 * s)]
    c.limb(neck, "#e9a9a2", 8 * s)
    for dx, dy in ((-40, -84), (-44, -70), (-38, -58)):
        c.oval(x + dx * s, y + dy * s, 11 * s, 8 * s, fill=WHITE, width=2.5)
    c.blob(
        [(x + dx * s, y + dy * s) for dx, dy in ((-38, -70), (-24, -94), (4, -94), (24, -72), (8, -48), (-22, -48))],
        "#3a3a46",
    )
    c.blob(
        [(x + dx * s, y + dy * s) for dx, dy in ((-24, -74), (-8, -84), (6, -72), (-8, -60))],
        WHITE,
        width=2.5,
    )
    c.poly([(x + dx * s, y + dy * s) for dx, dy in ((28, -50), (44, -40), (44, -50), (28, -40))], RED, width=2)
    c.blob(
        [(x + dx * s, y + dy * s) for dx, dy in ((18, 2), (30, -10), (44, -10), (56, 2), (36, 6))],
        "#d3a957",
        width=2.5,
    )
