"""TR1: the surface of one object has the texture of another, and the object keeps its form."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import BROWN, GREEN, INK, WHITE, WOOD, YELLOW, Point, arc_points, smooth

from .surface import AdCanvas, bottle, grid, turned, wobble


def _feather(c: AdCanvas, x: float, y: float, length: float, degrees: float, fill: str) -> None:
    half = [(0, 0), (0.16 * length, -0.3 * length), (0.15 * length, -0.7 * length), (0, -length)]
    outline = smooth([*half, *[(-px, py) for px, py in reversed(half)]][:-1], closed=True)
    c.poly(turned(outline, degrees, dx=x, dy=y), fill, "#a08a62", 1.5)
    c.line(turned([(0, 0.1 * length), (0, -0.95 * length)], degrees, dx=x, dy=y), "#a08a62", 1.6)
    for i in range(1, 6):
        at = -0.15 * length * i
        for side in (-1, 1):
            barb = turned([(0, at), (side * 0.13 * length, at - 0.1 * length)], degrees, dx=x, dy=y)
            c.line(barb, "#cdb98d", 1)


def feather_beer(c: AdCanvas) -> None:
    """A beer bottle covered with feathers."""
    c.background("#f3c969")

    def feathers(layer: AdCanvas) -> None:
        layer.background("#f6ecd2")
        for i, (x, y) in enumerate(grid(96, 30, 226, 300, 24, 17)):
            _feather(layer, x, y + 26, 44, 180 + 8 * wobble(x, y), ("#fdf8ea", "#efe1bd", "#f8eed6")[i % 3])

    c.inside(bottle(160, 22, 262, 104), feathers)
    c.rect((140, 14, 180, 28), "#b5482f", radius=3)
    c.rect((112, 172, 208, 220), "#b5482f", radius=6)
    c.text(160, 196, "BEER", 25, WHITE)
    c.slogan("THE LIGHT ONE")


def cheetah_car(c: AdCanvas) -> None:
    """A car with a cheetah's coat."""
    c.background("#cfe6ee", "#8b8f94", 216)
    for i in range(6):
        c.line([(8, 96 + 20 * i), (44 + 8 * (i % 2), 96 + 20 * i)], WHITE, 4)
    body = smooth(
        [(48, 206), (46, 172), (92, 158), (124, 118), (204, 116), (246, 156), (292, 170), (296, 206)], steps=8
    )

    def coat(layer: AdCanvas) -> None:
        layer.background("#e8b04a")
        for x, y in grid(40, 108, 300, 214, 21, 15):
            layer.oval(x + 4 * wobble(x, y), y + 4 * wobble(x, y, 2), 5.4 + wobble(x, y, 3), 4.4, "#33241a", None)

    c.inside([*body, (296, 212), (48, 212)], coat)
    for window in ([(112, 154), (134, 126), (164, 125), (164, 154)], [(172, 154), (172, 125), (202, 125), (226, 154)]):
        c.poly(window, "#bfe0ea")
    for x in (104, 242):
        c.oval(x, 212, 29, fill=INK)
        c.oval(x, 212, 13, fill="#c9ced3")
    c.oval(290, 182, 7, 9, YELLOW)
    c.slogan("0 TO 100 IN NO TIME", size=19)


def cracked_lips(c: AdCanvas) -> None:
    """Lips with the cracked ground of a desert, beside a lip balm."""
    c.background("#f4d9c0")
    upper = [(36, 140), (84, 96), (124, 84), (150, 98), (176, 84), (216, 96), (264, 140)]
    lower = [(264, 140), (226, 196), (150, 216), (74, 196), (36, 140)]

    def ground(layer: AdCanvas) -> None:
        layer.background("#c98f5c")
        nodes = {}
        for row in range(7):
            for column in range(12):
                x, y = 30 + 22 * column + (11 if row % 2 else 0), 76 + 24 * row
                nodes[row, column] = (x + 7 * wobble(x, y), y + 6 * wobble(x, y, 2))
        for (row, column), at in nodes.items():
            for other in ((row, column + 1), (row + 1, column)):
                if other in nodes:
                    middle = ((at[0] + nodes[other][0]) / 2 + 3, (at[1] + nodes[other][1]) / 2 - 3)
                    layer.line([at, middle, nodes[other]], "#5b3a22", 2.8)

    c.inside([*smooth(upper), *smooth(lower)], ground)
    c.curve([(40, 140), (96, 142), (150, 148), (204, 142), (260, 140)], "#4a2c1a", 5)
    c.rect((264, 196, 300, 262), "#3f8f8a", radius=4)
    c.rect((268, 170, 296, 198), "#f7e9ee", radius=8)
    c.text(282, 231, "LIP\nBALM", 11, WHITE, 0.3)
    c.slogan("END THE DROUGHT")


def brick_phone(c: AdCanvas) -> None:
    """A telephone built of bricks."""
    c.background("#dfe7d3", "#b9a88c", 240)

    def bricks(layer: AdCanvas) -> None:
        layer.background("#d9cdbd")
        for i, (x, y) in enumerate(grid(96, 28, 240, 262, 34, 17)):
            layer.rect((x, y, x + 31, y + 14), ("#b5533c", "#a8462f", "#c2614a")[(i * 7) % 3], "#7c3323", 1.2)

    c.inside([(112, 30), (208, 30), (216, 38), (216, 252), (208, 260), (112, 260), (104, 252), (104, 38)], bricks)
    c.rect((120, 58, 200, 200), "#cfe6ee")
    c.text(160, 118, "9:41", 26)
    c.rect((136, 150, 184, 176), GREEN, radius=6)
    c.text(160, 163, "CALL", 13, WHITE, 0.3)
    c.oval(160, 230, 12, fill="#cfe6ee")
    c.rect((144, 40, 176, 46), INK, None)
    for x, y in ((40, 236), (262, 232), (70, 250), (288, 250)):
        c.line([(x, y), (x + 12, y - 10)], INK, 3)
    c.slogan("DROP IT. GO ON.")


def basketball_apple(c: AdCanvas) -> None:
    """An apple with the skin of a basketball."""
    c.background("#d8ead0", "#d9a66b", 250)
    outline: list[Point] = smooth(
        [
            (160, 84),
            (200, 66),
            (250, 96),
            (254, 160),
            (220, 228),
            (178, 246),
            (160, 240),
            (142, 246),
            (100, 228),
            (66, 160),
            (70, 96),
            (120, 66),
        ],
        closed=True,
    )

    def ball(layer: AdCanvas) -> None:
        layer.background("#e07b2e")
        for x, y in grid(60, 60, 260, 250, 9, 8):
            layer.oval(x, y, 1.5, fill="#b95f1e", outline=None)
        layer.line([(160, 60), (160, 250)], INK, 5)
        layer.curve([(62, 158), (160, 150), (258, 158)], INK, 5)
        layer.curve(arc_points(40, 155, 78, 80, -70, 70)[::4], INK, 5)
        layer.curve(arc_points(280, 155, 78, 80, 110, 250)[::4], INK, 5)

    c.inside(outline, ball)
    c.curve([(160, 84), (162, 62), (174, 44)], BROWN, 8)
    c.blob([(172, 56), (196, 34), (224, 36), (200, 58)], GREEN)
    c.slogan("EAT LIKE A PLAYER")


def strawberry_ice(c: AdCanvas) -> None:
    """A scoop of ice cream with the skin of a strawberry."""
    c.background("#fbe3e6")

    def waffle(layer: AdCanvas) -> None:
        layer.background(WOOD)
        for i in range(-12, 14):
            layer.line([(160 + 16 * i, 150), (160 + 16 * i + 90, 280)], BROWN, 2)
            layer.line([(160 + 16 * i, 150), (160 + 16 * i - 90, 280)], BROWN, 2)

    c.inside([(104, 160), (216, 160), (160, 274)], waffle)
    scoop = smooth([(86, 152), (92, 92), (160, 54), (228, 92), (234, 152), (200, 172), (160, 164), (120, 172)], True)

    def skin(layer: AdCanvas) -> None:
        layer.background("#d7263d")
        for x, y in grid(84, 60, 240, 172, 20, 15):
            layer.oval(x, y, 2.6, 4.2, "#f7d774", "#9c1a2b", 1)

    c.inside(scoop, skin)
    for degrees in (-100, -62, -24, 24, 62, 100):
        leaf = turned([(160, 60), (150, 44), (160, 14), (170, 44)], degrees, 160, 60)
        c.blob(leaf, "#4c9a4a", width=2.5)
    c.curve([(160, 58), (164, 40), (172, 30)], "#3f7d3d", 6)
    c.slogan("NOTHING BUT FRUIT", y=298)


TEXTURES = (feather_beer, cheetah_car, cracked_lips, brick_phone, basketball_apple, strawberry_ice)
