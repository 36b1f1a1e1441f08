"""The eight places in which the sample's scenes play."""

from __future__ import annotations

from scripts.sample_canvas import INK, Canvas, Colour
from scripts.sample_world import Scene

_WALLS: tuple[Colour, ...] = ((248, 232, 204), (236, 226, 240), (222, 236, 226), (246, 226, 214))


def draw_background(canvas: Canvas, scene: Scene) -> None:
    """Fill the whole canvas with the scene's place."""
    _PLACES[scene.background](canvas, scene.tint)


def _street(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, (190, 214, 232), line=0)
    fronts: tuple[Colour, ...] = ((188, 110, 90), (214, 178, 130), (150, 140, 160), (170, 150, 120))
    for i, (x, top) in enumerate(((-6, 40), (76, 84), (150, 20), (236, 62))):
        canvas.box(x, top, x + 88, 226, fronts[(i + tint) % 4])
        for row in range(top + 16, 190, 40):
            for column in (x + 14, x + 52):
                canvas.box(column, row, column + 22, row + 24, (238, 246, 180), line=2)
    canvas.box(-4, 222, 324, 246, (198, 196, 192), line=2)
    canvas.box(-4, 246, 324, 324, (98, 100, 108), line=0)
    for x in (-10, 70, 150, 230, 310):
        canvas.box(x, 284, x + 44, 293, (250, 240, 180), line=0)


def _park(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, (150, 212, 248), line=0)
    for x, y in ((70, 40), (250, 30)):
        for dx, r in ((-20, 13), (0, 18), (22, 13)):
            canvas.oval(x + dx, y, r * 1.3, r, (255, 255, 255), line=0)
    canvas.oval(60, 260, 190, 90, (134, 196, 96), line=0)
    canvas.oval(270, 264, 180, 84, (120, 186, 88), line=0)
    canvas.box(-4, 232, 324, 324, (112, 184, 84), line=0)
    for x, r in ((34, 44), (286, 40), (104, 26)):
        canvas.box(x - 8, 160, x + 8, 244, (124, 84, 50))
        canvas.oval(x, 134, r, r * 1.15, (48, 138 + 8 * tint, 66))
    for x, y in ((40, 290), (90, 306), (240, 300), (290, 280)):
        canvas.oval(x, y, 5, 5, (252, 236, 110), line=0)


def _beach(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, (124, 206, 250), line=0)
    canvas.oval(52, 52, 30, 30, (255, 220, 70), line=0)
    canvas.box(-4, 146, 324, 236, (26, 118, 196), line=0)
    for y in (168, 192, 212):
        for x in range(-10 + y % 36, 330, 64):
            canvas.arc(x, y, 16, 7, 180, 360, 3, (220, 242, 255))
    canvas.box(-4, 226, 324, 324, (246, 222, 150), line=0)
    canvas.box(-4, 222, 324, 232, (250, 250, 250), line=0)
    canvas.stroke(((296, 240), (284, 150), (292, 110)), 11, (150, 106, 60))
    for dx, dy in ((-50, -4), (-38, -30), (4, -42), (34, -20), (-44, 24), (30, 12)):
        canvas.stroke(((292, 108), (292 + dx, 108 + dy)), 9, (60, 160, 74))
    canvas.oval(40, 288, 10, 7, (250, 150, 130), line=2)


def _kitchen(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, _WALLS[tint], line=0)
    for x in range(0, 321, 32):
        canvas.line(((x, 92), (x, 180)), 1.5, (206, 190, 160))
    for y in (92, 121, 150):
        canvas.line(((0, y), (320, y)), 1.5, (206, 190, 160))
    for x in (-6, 62, 204, 268):
        canvas.box(x, -6, x + 62, 74, (188, 128, 74))
        canvas.oval(x + 52, 58, 3.5, 3.5, (250, 220, 130))
    canvas.box(-6, 172, 326, 186, (236, 236, 236))
    canvas.box(-6, 184, 326, 252, (188, 128, 74))
    canvas.box(8, 186, 96, 252, (228, 232, 236))
    canvas.box(20, 206, 84, 244, (60, 62, 70), radius=4)
    for x in (24, 44, 64, 84):
        canvas.oval(x - 2, 195, 4, 4, (40, 40, 44), line=0)
    canvas.box(22, 136, 82, 172, (204, 62, 52), radius=6)
    canvas.box(16, 130, 88, 140, (180, 50, 44), radius=4)
    for i in range(8):
        colour: Colour = (236, 226, 210) if i % 2 else (206, 150, 120)
        canvas.polygon(((i * 44 - 16, 252), (i * 44 + 28, 252), (i * 44 + 40, 324), (i * 44 - 20, 324)), colour, 2)


def _office(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, (226, 230, 236), line=0)
    canvas.box(16, 20, 122, 108, (168, 214, 244))
    for y in range(30, 108, 12):
        canvas.line(((18, y), (120, y)), 3.5, (250, 250, 250))
    canvas.box(212, 18, 312, 124, (158, 112, 74))
    for y in (24, 74):
        for i, x in enumerate(range(220, 300, 12)):
            colour: Colour = ((200, 60, 60), (60, 110, 180), (240, 190, 60), (70, 150, 90))[(i + tint) % 4]
            canvas.box(x, y + (i % 3) * 4, x + 11, y + 44, colour, line=2)
    canvas.box(-4, 236, 324, 324, (116, 128, 150), line=0)
    canvas.box(-6, 178, 104, 192, (132, 94, 62))
    canvas.box(2, 190, 14, 262, (132, 94, 62))
    canvas.box(86, 190, 98, 262, (132, 94, 62))
    canvas.box(14, 122, 84, 166, (44, 48, 58), radius=4)
    canvas.box(20, 128, 78, 160, (120, 190, 240), line=0)
    canvas.box(42, 166, 56, 180, (44, 48, 58))


def _laboratory(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, (204, 240, 232), line=0)
    liquids: tuple[Colour, ...] = ((240, 80, 150), (90, 210, 90), (250, 190, 40), (80, 140, 240))
    for y in (56, 116):
        for x0, x1 in ((6, 124), (200, 314)):
            canvas.box(x0, y, x1, y + 8, (150, 170, 176))
        for i, x in enumerate((24, 56, 88, 220, 252, 284)):
            canvas.polygon(
                ((x - 4, y - 38), (x + 4, y - 38), (x + 4, y - 24), (x + 15, y), (x - 15, y), (x - 4, y - 24)),
                liquids[(i + y + tint) % 4],
                line=2.5,
            )
            canvas.box(x - 5, y - 42, x + 5, y - 28, (240, 250, 252), line=2)
    canvas.box(-6, 186, 326, 200, (240, 244, 246))
    canvas.box(-6, 198, 326, 250, (120, 166, 176))
    canvas.stroke(((40, 182), (40, 150), (58, 136)), 9, (70, 76, 90))
    canvas.box(22, 178, 66, 187, (70, 76, 90))
    canvas.stroke(((50, 140), (66, 166)), 10, (50, 54, 66))
    canvas.box(-4, 250, 324, 324, (228, 236, 238), line=0)
    for x in range(0, 321, 54):
        canvas.line(((x, 250), (x - 20, 324)), 1.5, (190, 204, 208))


def _prison(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, (140, 140, 146), line=0)
    for row in range(9):
        for column in range(-1, 6):
            x = column * 64 + (row % 2) * 32
            canvas.box(x, row * 27, x + 62, row * 27 + 25, (150, 148 - 2 * tint, 150), line=1.5)
    canvas.box(-4, 240, 324, 324, (104, 102, 106), line=0)
    for x in range(14, 320, 42):
        canvas.stroke(((x, -6), (x, 262)), 8, (62, 64, 72))
    for y in (22, 236):
        canvas.stroke(((-6, y), (326, y)), 8, (62, 64, 72))


def _stage(canvas: Canvas, tint: int) -> None:
    canvas.box(-4, -4, 324, 324, (86, 22, 40), line=0)
    for i in range(11):
        canvas.oval(i * 32, 100, 17, 170, (168, 30, 50) if i % 2 else (136, 20, 42), line=1.5)
    canvas.polygon(((130, -4), (190, -4), (290, 262), (30, 262)), (226, 120, 110), line=0)
    canvas.box(-4, 238, 324, 324, (170, 112, 62), line=0)
    for y in (256, 276, 298):
        canvas.line(((0, y), (320, y)), 2, (128, 80, 42))
    canvas.oval(160, 284, 128, 26, (252, 232, 170), line=0)
    for x in range(8):
        canvas.chord(x * 46, -2, 24, 28, 0, 180, (190, 36, 56))
    canvas.line(((0, 238), (320, 238)), 2.5, INK)


_PLACES = {
    "street": _street,
    "park": _park,
    "beach": _beach,
    "kitchen": _kitchen,
    "office": _office,
    "laboratory": _laboratory,
    "prison": _prison,
    "stage": _stage,
}
