"""Heads, faces and what is worn on them, for `sample_drawing.py`. The head's middle is at (160, 92)."""

from __future__ import annotations

from scripts.sample_canvas import INK, Canvas, Colour
from scripts.sample_world import Scene

HAIRS: tuple[Colour, ...] = ((44, 36, 34), (104, 62, 34), (226, 186, 84), (172, 76, 34), (158, 158, 164))


def draw_head(canvas: Canvas, scene: Scene, skin: Colour) -> None:
    """Head with its expression, hair and headwear."""
    if scene.subject == "robot":
        _robot_head(canvas)
    else:
        _human_head(canvas, scene, skin)
    if scene.appearance == "beard":
        canvas.chord(160, 98, 40, 42, 10, 170, HAIRS[scene.hair])
    _eyes(canvas, scene)
    _mouth(canvas, scene)
    _worn_on_eyes(canvas, scene)
    _worn_on_top(canvas, scene)


def _human_head(canvas: Canvas, scene: Scene, skin: Colour) -> None:
    hair = HAIRS[scene.hair]
    for x in (118, 202):
        canvas.oval(x, 96, 8, 10, skin)
    canvas.oval(160, 94, 43, 46, skin)
    if scene.subject == "woman":
        canvas.chord(160, 84, 45, 40, 172, 368, hair)
        canvas.polygon(((122, 90), (130, 70), (152, 58), (186, 70), (198, 90)), skin, line=0)
        for x in (112, 208):
            canvas.oval(x, 112, 4, 5, (250, 210, 70), line=1.5)
    else:
        canvas.chord(160, 80, 44, 36, 180, 360, hair)
        for x in (126, 142, 160, 178, 194):
            canvas.oval(x, 78, 8, 5, hair, line=0)


def _robot_head(canvas: Canvas) -> None:
    canvas.line(((160, 50), (160, 30)), 5, INK)
    canvas.oval(160, 26, 8, 8, (240, 60, 60))
    for x in (112, 208):
        canvas.box(x - 8, 82, x + 8, 110, (120, 134, 150), radius=3)
    canvas.box(116, 50, 204, 138, (176, 190, 204), radius=12)
    for x in (124, 196):
        for y in (58, 130):
            canvas.oval(x, y, 2.6, 2.6, (90, 100, 112), line=0)


def _eyes(canvas: Canvas, scene: Scene) -> None:
    robot = scene.subject == "robot"
    wide = scene.expression == "mouth wide open"
    for x, side in ((143, -1), (177, 1)):
        if robot:
            canvas.oval(x, 88, 11, 11, (90, 230, 250))
            canvas.oval(x, 88, 4, 4, INK, line=0)
        else:
            canvas.oval(x, 90, 9, 11 if wide else 9, (255, 255, 255), line=2)
            canvas.oval(x, 91, 4.5, 5, INK, line=0)
        if scene.subject == "woman":
            canvas.line(((x + side * 8, 87), (x + side * 15, 83)), 3, INK)
        inner, outer = {
            "smiling": (72, 74),
            "frowning": (68, 78),
            "gritting teeth": (82, 68),
            "mouth wide open": (66, 66),
        }[scene.expression]
        canvas.line(((x - side * 10, inner), (x + side * 11, outer)), 5, INK)


def _mouth(canvas: Canvas, scene: Scene) -> None:
    if scene.expression == "smiling":
        canvas.chord(160, 108, 22, 20, 0, 180, (150, 30, 40))
        canvas.box(142, 108, 178, 114, (255, 255, 255), line=0)
    elif scene.expression == "frowning":
        canvas.arc(160, 130, 18, 16, 190, 350, 5, INK)
        for y, r in ((104, 4), (110, 6)):
            canvas.oval(194, y, r, r, (70, 160, 250), line=0)
    elif scene.expression == "gritting teeth":
        canvas.box(138, 110, 182, 128, (255, 255, 255), radius=4)
        canvas.line(((138, 119), (182, 119)), 2, INK)
        for x in (147, 156, 165, 174):
            canvas.line(((x, 110), (x, 128)), 2, INK)
    else:
        canvas.oval(160, 121, 12, 15, (110, 20, 34))


def _worn_on_eyes(canvas: Canvas, scene: Scene) -> None:
    if scene.appearance == "sunglasses":
        for x in (142, 178):
            canvas.box(x - 16, 80, x + 16, 102, (20, 20, 26), radius=8)
            canvas.line(((x - 8, 86), (x - 2, 86)), 3, (200, 210, 220))
        canvas.line(((118, 86), (202, 86)), 4, (20, 20, 26))
    elif scene.appearance == "mask":
        canvas.box(115, 78, 205, 103, (26, 24, 30), radius=10)
        for x in (143, 177):
            canvas.oval(x, 90, 9, 8, (255, 255, 255), line=1)
            canvas.oval(x, 91, 4, 4, INK, line=0)
        canvas.polygon(((116, 88), (96, 78), (100, 92), (94, 102)), (26, 24, 30))


def _worn_on_top(canvas: Canvas, scene: Scene) -> None:
    if scene.appearance == "crown":
        points = ((122, 60), (118, 20), (140, 40), (160, 12), (180, 40), (202, 20), (198, 60))
        canvas.polygon(points, (252, 204, 40))
        for x, colour in ((138, (220, 40, 60)), (160, (60, 120, 230)), (182, (220, 40, 60))):
            canvas.oval(x, 50, 5, 5, colour, line=1.5)
    elif scene.clothes == "police uniform":
        canvas.polygon(((112, 44), (134, 28), (186, 28), (208, 44), (200, 62), (120, 62)), (38, 62, 132))
        canvas.chord(160, 62, 44, 11, 0, 180, (24, 24, 30))
        canvas.oval(160, 46, 8, 8, (250, 206, 60))
    elif scene.clothes == "chef's jacket":
        for x, y in ((134, 28), (160, 18), (186, 28)):
            canvas.oval(x, y, 24, 20, (255, 255, 255))
        canvas.box(126, 30, 194, 62, (255, 255, 255), radius=3)
        canvas.box(128, 24, 192, 44, (255, 255, 255), line=0)
