"""Four cartoons that give courage: growing, climbing, helping up, passing on the light."""

from __future__ import annotations

from dataclasses import replace

from .canvas import (
    BLUE,
    DARK_SKIN,
    GOLD,
    GREEN,
    INK,
    NIGHT,
    RED,
    TAN,
    TEAL,
    WHITE,
    YELLOW,
    Canvas,
    arc_points,
)
from .figures import Look, Pose, cloud, face, person, sprout, star


def flower_in_asphalt(c: Canvas) -> None:
    """In a grey town a flower has broken through the asphalt and turns to the one ray of sun."""
    c.rect((0, 0, 320, 320), "#bfc4ca", None)
    c.poly([(236, 0), (290, 0), (214, 250), (108, 250)], "#fbe9a9", None)
    for x, top, w, color in (
        (-8, 84, 58, "#868d96"),
        (50, 50, 46, "#98a0a8"),
        (246, 66, 46, "#98a0a8"),
        (292, 100, 40, "#868d96"),
    ):
        c.rect((x, top, x + w, 236), color, width=2.5)
        for y in range(top + 12, 220, 24):
            for dx in (9, w - 19):
                c.rect((x + dx, y, x + dx + 10, y + 12), "#6b727b", None)
    for x, y, s in ((90, 26, 1.3), (180, 20, 1.2), (306, 24, 1)):
        cloud(c, x, y, s, "#a3a9b0")
    c.oval(264, 14, 30, fill=YELLOW, outline=None)
    c.rect((0, 232, 320, 320), "#5b616b", None)
    c.line([(-4, 232), (324, 232)], INK, 3)
    for x in (6, 250):
        c.rect((x, 300, x + 62, 307), "#d9dde1", None)
    c.line([(160, 268), (132, 276), (112, 264), (84, 274), (64, 268)], INK, 3.5)
    c.line([(160, 268), (190, 278), (212, 266), (236, 276)], INK, 3.5)
    c.line([(132, 276), (124, 294)], INK, 2.5)
    c.line([(190, 278), (196, 296)], INK, 2.5)
    c.poly([(136, 268), (148, 250), (160, 266), (150, 274)], "#747b86", width=2.5)
    c.poly([(164, 266), (176, 250), (190, 270), (172, 276)], "#747b86", width=2.5)
    c.poly([(144, 272), (160, 262), (176, 272), (160, 280)], "#6b4a35", None)
    sprout(c, 160, 268, 2.7, RED)
    face(c, 160, 139, 12, "smile", (0.15, -0.1))


def stairs_of_no(c: Canvas) -> None:
    """Somebody has built stairs out of many blocks marked NO and reaches for the door marked YES."""
    c.rect((0, 0, 320, 320), "#ffe3b8", None)
    c.oval(320, 20, 130, fill="#fff0cf", outline=None)
    c.rect((0, 298, 320, 320), "#c79a6b", None)
    c.rect((262, 96, 330, 320), "#a6764d")
    c.rect((272, 22, 316, 96), TEAL)
    c.oval(281, 62, 3.5, fill=YELLOW, width=2)
    c.text(295, 40, "YES", 18, WHITE, 1)
    for column in range(5):
        for row in range(column + 1):
            x, y = 18 + 48 * column, 258 - 40 * row
            c.rect((x, y, x + 47, y + 39), "#8f98a5" if (column + row) % 2 else "#a4acb8", radius=3)
            c.text(x + 23.5, y + 20, "NO", 20, WHITE, 1)
    look = Look(shirt=RED, trousers=NIGHT, skin=TAN, hair=INK, style="long")
    pose = Pose(
        left_hand=(-30, -64),
        right_hand=(36, -72),
        right_foot=(16, -2),
        left_foot=(-14, 0),
        left_elbow=(-26, -50),
    )
    person(c, 226, 96, 82, look, pose, "smile", (0.3, -0.1))
    for i in range(3):
        x, y = 60 + 48 * i, 208 - 40 * i
        c.oval(x, y + 4, 6, 3, fill="#6d7683", outline=None)
        c.oval(x + 14, y + 5, 6, 3, fill="#6d7683", outline=None)
    # Another refusal comes flying.
    c.poly([(60, 92), (104, 78), (116, 116), (72, 130)], "#8f98a5")
    c.text(88, 104, "NO", 20, WHITE, 1)
    for y in (98, 112, 126):
        c.line([(20, y + 4), (46, y - 4)], INK, 2.5)


def reach_for_a_star(c: Canvas) -> None:
    """Three people stand on one another's shoulders, and the topmost hangs a star in the sky."""
    c.rect((0, 0, 320, 320), NIGHT, None)
    for x, y in (
        (30, 36),
        (76, 96),
        (52, 170),
        (262, 56),
        (292, 130),
        (250, 190),
        (110, 30),
        (286, 226),
        (24, 232),
    ):
        c.oval(x, y, 2.6, fill="#fdf3c8", outline=None)
    c.blob([(-40, 292), (80, 276), (160, 284), (260, 274), (360, 292), (360, 360), (-40, 360)], "#3f6b55", None)
    c.oval(204, 46, 42, fill="#41507c", outline=None)
    base = Look(shirt=BLUE, trousers="#1c2238", skin=DARK_SKIN, hair="#171717")
    middle = Look(shirt=GREEN, trousers="#7d5ba6", skin=TAN, hair=GOLD, style="long")
    top = Look(shirt=RED, trousers="#3d6ea5", hair="#5b3a29")
    carry = Pose(left_hand=(-25, -64), right_hand=(25, -64), left_elbow=(-32, -44), right_elbow=(32, -44))
    stand = replace(
        carry,
        hip=(0, -47),
        shoulder=(0, -72),
        head=(0, -92),
        left_knee=(-21, -26),
        right_knee=(21, -26),
        left_foot=(-22, 0),
        right_foot=(22, 0),
    )
    middle_pose = replace(
        stand, left_hand=(-25, -78), right_hand=(25, -78), left_elbow=(-34, -58), right_elbow=(34, -58)
    )
    person(c, 160, 298, 100, base, replace(carry, left_foot=(-13, 0), right_foot=(13, 0)))
    person(c, 160, 240, 86, middle, middle_pose)
    reach = replace(stand, left_hand=(-28, -46), left_elbow=None, right_hand=(44, -130), right_elbow=(30, -94))
    person(c, 160, 179, 78, top, reach, "smile", (0.2, -0.15))
    star(c, 206, 48, 30, YELLOW)
    face(c, 206, 50, 13)
    for i in (0, 1, 3, 4, 5, 6, 7):  # none where the arm is
        (ux, uy), *_ = arc_points(0, 0, 1, 1, 45 * i + 22, 45 * i + 23)
        c.line([(206 + 37 * ux, 48 + 37 * uy), (206 + 45 * ux, 48 + 45 * uy)], YELLOW, 2.5)


def passing_the_flame(c: Canvas) -> None:
    """A burning candle bends to light the next one; the others wait in the dark."""
    c.rect((0, 0, 320, 320), "#1f2440", None)
    for r, color in ((190, "#2c3157"), (140, "#4a4668"), (96, "#7d6a68"), (58, "#c2a06d")):
        c.oval(106, 108, r, fill=color, outline=None)
    c.rect((0, 276, 320, 320), "#3a2d3c", None)
    c.line([(-4, 276), (324, 276)], INK, 3)
    # The giver bends.
    c.limb([(52, 284), (52, 220), (62, 176), (82, 146)], "#fff2cf", 36)
    c.line([(88, 128), (96, 116)], INK, 3.5)
    c.blob([(96, 122), (86, 108), (96, 78), (112, 100), (110, 116)], YELLOW, RED, 3)
    c.blob([(98, 118), (94, 108), (99, 94), (105, 106)], "#fff6d5", None)
    face(c, 66, 172, 17, "smile", (0.3, -0.15))
    # The next one has just caught fire.
    c.limb([(124, 284), (124, 168)], "#f3dcae", 36)
    c.line([(124, 148), (122, 134)], INK, 3.5)
    c.blob([(122, 138), (113, 124), (120, 98), (130, 116), (131, 130)], YELLOW, RED, 3)
    face(c, 124, 180, 17, "open", (-0.1, -0.2))
    for x, top, color in ((186, 192, "#a493a4"), (238, 180, "#82789a"), (288, 198, "#645f85")):
        c.limb([(x, 284), (x, top)], color, 34)
        c.line([(x, top - 20), (x - 1, top - 33)], "#0f1226", 3.5)
        face(c, x, top + 10, 16, "flat", (-0.35, -0.05))
