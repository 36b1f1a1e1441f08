"""Draw the scenes of `sample_world.py` with Pillow.

All coordinates are units of which a picture is 320 wide and 320 high, the origin at the top left. Pictures
are drawn larger than asked and then made smaller, which smooths the edges.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from PIL import Image

from scripts.sample_backgrounds import draw_background
from scripts.sample_canvas import INK, Canvas, Colour
from scripts.sample_heads import HAIRS, draw_head
from scripts.sample_world import Scene

_SKINS: tuple[Colour, ...] = ((250, 214, 180), (236, 188, 146), (196, 140, 98), (132, 88, 60))
_METAL: Colour = (176, 190, 204)
_BRIGHT: tuple[Colour, ...] = ((222, 58, 62), (126, 74, 190), (240, 132, 40), (20, 150, 150))
_SHIRTS: dict[str, Colour] = {
    "red shirt": (216, 48, 48),
    "blue shirt": (52, 104, 214),
    "green shirt": (52, 164, 76),
    "yellow shirt": (248, 208, 52),
    "black suit": (44, 46, 54),
    "white lab coat": (248, 250, 252),
    "police uniform": (38, 62, 132),
    "chef's jacket": (252, 250, 242),
}
_TROUSERS: dict[str, Colour] = {
    "black suit": (36, 38, 46),
    "white lab coat": (96, 122, 150),
    "police uniform": (26, 40, 88),
    "chef's jacket": (90, 90, 96),
}
_JEANS: Colour = (74, 86, 122)


def draw(scene: Scene, size: int = 320, oversampling: int = 2) -> Image.Image:
    """Draw one scene.

    Args:
        scene: what to draw.
        size: width and height of the picture in pixels.
        oversampling: how many times larger it is drawn before it is made smaller; 1 leaves rough edges,
            which is good enough where the picture is made much smaller anyway.

    Returns:
        an RGB picture of `size` × `size`.
    """
    canvas = Canvas(size * oversampling)
    draw_background(canvas, scene)
    if scene.group == "group":
        _group(canvas, scene)
    lift = {"jumping": -12.0, "sitting": 12.0}.get(scene.movement, 0.0)
    canvas.place(scene.shift[0] - 16, scene.shift[1] + lift, scene.size, pivot=(160.0, 292.0))
    _person(canvas, scene)
    picture = _finish(canvas.image, scene)
    return picture if oversampling == 1 else picture.resize((size, size), Image.Resampling.LANCZOS)


def side_by_side(source: Image.Image, edited: Image.Image) -> Image.Image:
    """The source picture on the left, the edited one on the right."""
    both = Image.new("RGB", (source.width + edited.width, source.height))
    both.paste(source, (0, 0))
    both.paste(edited, (source.width, 0))
    return both


def pixel_hash(picture: Image.Image) -> str:
    """SHA-256 of a picture's size and RGB pixels, in hex."""
    rgb = picture.convert("RGB")
    return hashlib.sha256(repr(rgb.size).encode() + rgb.tobytes()).hexdigest()


def _finish(picture: Image.Image, scene: Scene) -> Image.Image:
    if scene.style == "dark":
        return Image.blend(picture, Image.new("RGB", picture.size, (8, 10, 44)), 0.6)
    if scene.style == "black and white":
        return picture.convert("L").convert("RGB")
    return picture


def _group(canvas: Canvas, scene: Scene) -> None:
    """Four people behind the main subject, two on either side."""
    for i, (x, y) in enumerate(((74, 176), (28, 190), (252, 176), (296, 190))):
        colour = (*_BRIGHT, (90, 160, 90))[(i + scene.tint) % 5]
        canvas.box(x - 24, y + 14, x + 24, y + 92, colour, radius=16)
        canvas.box(x - 16, y + 70, x + 16, y + 112, (70, 74, 92))
        canvas.oval(x, y, 19, 21, _SKINS[(i + scene.skin + 1) % 4])
        canvas.chord(x, y - 3, 20, 20, 180, 360, HAIRS[(i + scene.hair) % 5])
        canvas.oval(x - 7, y + 4, 2.2, 2.6, INK, line=0)
        canvas.oval(x + 7, y + 4, 2.2, 2.6, INK, line=0)


def _person(canvas: Canvas, scene: Scene) -> None:
    skin = _METAL if scene.subject == "robot" else _SKINS[scene.skin]
    if scene.movement == "sitting":
        canvas.box(106, 156, 214, 262, (150, 96, 52), radius=8)
    if scene.subject == "woman":
        canvas.box(110, 62, 210, 176, HAIRS[scene.hair], radius=44)
    _legs(canvas, scene)
    _free_arm(canvas, scene, skin)
    _torso(canvas, scene)
    _holding_arm(canvas, scene, skin)
    draw_head(canvas, scene, skin)


def _legs(canvas: Canvas, scene: Scene) -> None:
    colour = _TROUSERS.get(scene.clothes, _JEANS)
    shoes: Colour = (60, 44, 40)
    ways: dict[str, Sequence[Sequence[tuple[float, float]]]] = {
        "standing": (((144, 218), (143, 282)), ((176, 218), (177, 282))),
        "running": (((146, 218), (116, 238), (84, 228)), ((174, 218), (204, 244), (190, 284))),
        "sitting": (((142, 230), (124, 244), (122, 276)), ((178, 230), (196, 244), (198, 276))),
        "jumping": (((144, 216), (108, 240), (120, 272)), ((176, 216), (212, 240), (200, 272))),
    }
    if scene.movement == "sitting":
        for x in (112, 208):
            canvas.stroke(((x, 250), (x, 282)), 9, (120, 74, 38))
        canvas.box(102, 236, 218, 256, (170, 112, 62), radius=5)
    if scene.movement == "running":
        for y in (150, 176, 202):
            canvas.stroke(((30, y), (66, y)), 5, (255, 255, 255))
    if scene.movement == "jumping":
        canvas.oval(160, 314, 50, 6, (90, 90, 90), line=0)
        for x in (124, 196):
            canvas.stroke(((x, 292), (x, 306)), 4, (255, 255, 255))
    for way in ways[scene.movement]:
        canvas.stroke(way, 25, colour)
        foot_x, foot_y = way[-1]
        if scene.movement == "running" and foot_x < 100:
            canvas.oval(foot_x - 5, foot_y + 2, 9, 14, shoes)
        else:
            canvas.oval(foot_x + (4 if foot_x > 160 else -4), foot_y + 9, 18, 9, shoes)


def _torso(canvas: Canvas, scene: Scene) -> None:
    colour = _SHIRTS[scene.clothes]
    canvas.box(150, 128, 170, 150, (210, 170, 140), radius=3)
    bottom = 252 if scene.clothes == "white lab coat" else 226
    canvas.polygon(((132, 140), (188, 140), (198, bottom), (122, bottom)), colour)
    if scene.clothes == "black suit":
        canvas.polygon(((148, 141), (172, 141), (160, 188)), (255, 255, 255))
        canvas.polygon(((156, 146), (164, 146), (166, 176), (160, 186), (154, 176)), (206, 40, 48))
    elif scene.clothes == "white lab coat":
        canvas.line(((160, 146), (160, 250)), 2.5, INK)
        canvas.line(((146, 141), (148, 168), (160, 178), (172, 168), (174, 141)), 4, (40, 110, 150))
        canvas.oval(160, 184, 7, 7, (190, 200, 210))
        canvas.box(172, 204, 188, 222, (226, 236, 244))
    elif scene.clothes == "police uniform":
        canvas.polygon(((140, 160), (148, 156), (156, 160), (154, 172), (148, 178), (142, 172)), (250, 206, 60))
        canvas.line(((160, 146), (160, 214)), 2, (20, 30, 70))
        canvas.box(122, 214, 198, 226, (30, 30, 34))
        canvas.box(152, 213, 168, 227, (250, 206, 60))
    elif scene.clothes == "chef's jacket":
        for y in (160, 180, 200):
            canvas.oval(150, y, 3.4, 3.4, (60, 60, 60), line=0)
            canvas.oval(170, y, 3.4, 3.4, (60, 60, 60), line=0)
        canvas.polygon(((142, 138), (178, 138), (160, 156)), (222, 60, 60))
    else:
        canvas.line(((148, 141), (160, 151), (172, 141)), 3, INK)


def _hand(canvas: Canvas, x: float, y: float, skin: Colour, radius: float = 11) -> None:
    canvas.oval(x, y, radius, radius, skin)


def _free_arm(canvas: Canvas, scene: Scene, skin: Colour) -> None:
    """The arm on the viewer's left, which makes the gesture."""
    sleeve = _SHIRTS[scene.clothes]
    if scene.gesture == "waving":
        canvas.stroke(((134, 152), (98, 160), (76, 112)), 20, sleeve)
        for dx, dy in ((-17, -12), (-8, -22), (4, -24), (15, -16)):
            canvas.stroke(((72, 96), (72 + dx, 96 + dy)), 7, skin)
        _hand(canvas, 72, 96, skin, 13)
        canvas.arc(72, 92, 36, 36, 170, 230, 4, (255, 255, 255))
        canvas.arc(72, 92, 36, 36, 310, 10, 4, (255, 255, 255))
    elif scene.gesture == "thumbs up":
        canvas.stroke(((134, 152), (106, 196), (72, 190)), 20, sleeve)
        canvas.stroke(((60, 182), (58, 154)), 12, skin)
        canvas.box(44, 174, 76, 204, skin, radius=10)
        for y in (182, 189, 196):
            canvas.line(((46, y), (60, y)), 2, INK)
    elif scene.gesture == "clenched fist":
        canvas.stroke(((134, 152), (86, 166), (86, 108)), 20, sleeve)
        canvas.box(66, 72, 106, 106, skin, radius=12)
        for x in (77, 86, 95):
            canvas.line(((x, 74), (x, 88)), 2.2, INK)
        for line in (((60, 64), (48, 50)), ((86, 60), (86, 42)), ((112, 64), (122, 52))):
            canvas.line(line, 5, (226, 40, 40))
    else:
        canvas.stroke(((134, 152), (112, 186), (108, 212)), 20, sleeve)
        _hand(canvas, 107, 224, skin)


def _holding_arm(canvas: Canvas, scene: Scene, skin: Colour) -> None:
    """The arm on the viewer's right, with the object before or behind the hand."""
    sleeve = _SHIRTS[scene.clothes]
    if scene.held == "nothing":
        canvas.stroke(((186, 152), (208, 186), (212, 212)), 20, sleeve)
        _hand(canvas, 213, 224, skin)
        return
    canvas.stroke(((186, 152), (206, 192), (234, 184)), 20, sleeve)
    _OBJECTS[scene.held](canvas, scene)
    _hand(canvas, 244, 182, skin, 12)


def _umbrella(canvas: Canvas, scene: Scene) -> None:
    colour = _BRIGHT[scene.tint]
    canvas.line(((244, 206), (244, 60)), 5, (90, 60, 40))
    canvas.arc(237, 206, 7, 8, 0, 180, 5, (90, 60, 40))
    canvas.chord(244, 88, 66, 62, 180, 360, colour)
    for x in (200, 244, 288):
        canvas.chord(x, 90, 22, 12, 180, 360, (255, 255, 255), line=2)
    canvas.line(((244, 26), (244, 16)), 5, (90, 60, 40))


def _book(canvas: Canvas, scene: Scene) -> None:
    cover: Colour = ((150, 40, 40), (40, 80, 150), (40, 120, 70), (120, 60, 140))[scene.tint]
    canvas.polygon(((206, 128), (249, 138), (292, 128), (292, 184), (249, 196), (206, 184)), cover)
    canvas.polygon(((211, 126), (249, 136), (249, 188), (211, 178)), (255, 252, 240))
    canvas.polygon(((287, 126), (249, 136), (249, 188), (287, 178)), (255, 252, 240))
    for y in (140, 151, 162):
        canvas.line(((218, y), (242, y + 7)), 2.4, (130, 130, 130))
        canvas.line(((256, y + 7), (280, y)), 2.4, (130, 130, 130))


def _knife(canvas: Canvas, scene: Scene) -> None:
    canvas.polygon(((234, 166), (254, 166), (256, 116), (244, 98), (236, 116)), (214, 220, 228))
    canvas.line(((250, 162), (251, 120)), 3, (255, 255, 255))
    canvas.box(235, 164, 253, 212, (96, 54, 30), radius=6)


def _sword(canvas: Canvas, scene: Scene) -> None:
    canvas.polygon(((236, 160), (252, 160), (252, 36), (244, 16), (236, 36)), (206, 216, 230))
    canvas.line(((244, 156), (244, 36)), 2.5, (120, 136, 156))
    canvas.box(218, 158, 270, 170, (240, 190, 40), radius=5)
    canvas.box(238, 168, 250, 208, (110, 60, 30), radius=4)
    canvas.oval(244, 212, 8, 8, (240, 190, 40))


def _flower(canvas: Canvas, scene: Scene) -> None:
    petals: Colour = ((236, 70, 110), (250, 120, 170), (228, 50, 60), (190, 90, 220))[scene.tint]
    canvas.line(((244, 210), (246, 130)), 6, (46, 140, 60))
    canvas.polygon(((246, 164), (272, 146), (268, 164)), (70, 170, 80), line=2)
    canvas.polygon(((246, 156), (222, 138), (226, 156)), (70, 170, 80), line=2)
    for dx, dy in ((0, -20), (19, -6), (12, 16), (-12, 16), (-19, -6)):
        canvas.oval(246 + dx, 106 + dy, 14, 14, petals)
    canvas.oval(246, 106, 11, 11, (252, 214, 60))


def _phone(canvas: Canvas, scene: Scene) -> None:
    canvas.box(226, 112, 268, 186, (28, 28, 32), radius=7)
    canvas.box(231, 120, 263, 170, (110, 200, 246), radius=2, line=0)
    for i, colour in enumerate(((250, 90, 90), (250, 210, 70), (110, 210, 110))):
        canvas.box(234 + 9.5 * i, 126, 241 + 9.5 * i, 133, colour, line=0)


def _microphone(canvas: Canvas, scene: Scene) -> None:
    canvas.stroke(((246, 214), (228, 146)), 12, (44, 44, 50))
    canvas.oval(223, 132, 18, 18, (150, 152, 160))
    for d in (-7, 0, 7):
        canvas.line(((223 + d, 117), (223 + d, 147)), 1.5, (70, 72, 80))
        canvas.line(((208, 132 + d), (238, 132 + d)), 1.5, (70, 72, 80))
    canvas.arc(223, 132, 28, 28, 300, 10, 4, (255, 255, 255))


def _balloon(canvas: Canvas, scene: Scene) -> None:
    canvas.line(((244, 190), (252, 150), (250, 104)), 2.5, INK)
    canvas.polygon(((244, 110), (256, 110), (250, 100)), _BRIGHT[scene.tint])
    canvas.oval(250, 58, 42, 48, _BRIGHT[scene.tint])
    canvas.oval(234, 40, 8, 12, (255, 255, 255), line=0)


def _sign(canvas: Canvas, scene: Scene) -> None:
    canvas.stroke(((244, 220), (252, 110)), 9, (150, 104, 60))
    canvas.box(213, 62, 325, 122, (255, 253, 244), radius=4)
    canvas.text(269, 92, scene.sign, 39, (20, 20, 24))


_OBJECTS = {
    "umbrella": _umbrella,
    "book": _book,
    "knife": _knife,
    "sword": _sword,
    "flower": _flower,
    "phone": _phone,
    "microphone": _microphone,
    "balloon": _balloon,
    "sign": _sign,
}
"""What draws each object in the hand at (244, 182)."""
