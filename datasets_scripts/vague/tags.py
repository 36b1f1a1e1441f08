"""Person tags: the number of a person, white on a black rectangle, at the centre of the person's box."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONT_SIZE = 40
_LARGE, _SMALL = 1920, 640
_LEAST = 12
_PAD, _GAP = 0.18, 2
Box = tuple[float, float, float, float]


def font_size(width: int, height: int) -> int:
    """Pixels of the tags' digits.

    40 as the paper says, on pictures such as its own. Larger ones grow it, since models shrink pictures; on
    small ones it is a sixteenth of the shorter side, or tags would hide the people (our choice).
    """
    if min(width, height) < _SMALL:
        return max(_LEAST, round(min(width, height) * FONT_SIZE / _SMALL))
    return round(FONT_SIZE * max(1, max(width, height) / _LARGE))


def draw_tags(
    picture: Image.Image, boxes: Sequence[Sequence[float]], described: Mapping[str, int] | None = None
) -> Image.Image:
    """A copy of a picture with a tag for every box: i + 1 for box i.

    Args:
        picture: any mode.
        boxes: x1, y1, x2, y2, in pixels of the described picture.
        described: `width` and `height` that the boxes refer to; None where it is the picture itself.
    """
    tagged = picture.convert("RGB")
    draw = ImageDraw.Draw(tagged)
    font = _font(font_size(*tagged.size))
    for number, place in enumerate(tag_places(*tagged.size, boxes, described), 1):
        left, top, right, bottom = font.getbbox(str(number), anchor="mm")
        draw.rectangle(place, fill="black")
        centre = ((place[0] + place[2] - left - right) / 2, (place[1] + place[3] - top - bottom) / 2)
        draw.text(centre, str(number), font=font, fill="white", anchor="mm")
    return tagged


def tag_places(
    width: int, height: int, boxes: Sequence[Sequence[float]], described: Mapping[str, int] | None = None
) -> list[Box]:
    """The tags' rectangles. One that would leave the picture, or touch another, moves to the nearest free place.

    Arguments as `draw_tags`, with the picture's width and height.
    """
    sx = width / described["width"] if described else 1.0
    sy = height / described["height"] if described else 1.0
    font = _font(font_size(width, height))
    places: list[Box] = []
    for number, (x1, y1, x2, y2) in enumerate(boxes, 1):
        left, top, right, bottom = font.getbbox(str(number), anchor="mm")
        pad = _PAD * (bottom - top) + 1
        size = right - left + 2 * pad, bottom - top + 2 * pad
        places.append(_place((x1 + x2) / 2 * sx, (y1 + y2) / 2 * sy, *size, width, height, places))
    return places


def _place(cx: float, cy: float, w: float, h: float, width: int, height: int, taken: Sequence[Box]) -> Box:
    """The rectangle nearest to the centre that is inside the picture and free; the nearest, if none is."""
    places = []
    for row in range(-6, 7):
        for column in range(-6, 7):
            x = min(max(cx + column * w / 2 - w / 2, 0), max(width - w - 1, 0))
            y = min(max(cy + row * h / 2 - h / 2, 0), max(height - h - 1, 0))
            places.append((abs(x + w / 2 - cx) + abs(y + h / 2 - cy), y, x))
    boxes: list[Box] = [(x, y, x + w, y + h) for _, y, x in sorted(places)]
    return next((box for box in boxes if not any(_overlap(box, other) for other in taken)), boxes[0])


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] + _GAP and b[0] < a[2] + _GAP and a[1] < b[3] + _GAP and b[1] < a[3] + _GAP


def _font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font, laid out by Pillow itself: the same digits on every machine."""
    font = ImageFont.load_default(size=size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType: install its wheel from PyPI")
    return font.font_variant(layout_engine=ImageFont.Layout.BASIC)


def tagged_bytes(source: str | bytes, boxes: Sequence[Sequence[float]], described: Mapping[str, int] | None) -> bytes:
    """A picture's bytes with its tags drawn: JPEG where it was JPEG, otherwise PNG.

    Args:
        source: a file, or the bytes of one.

    Raises:
        OSError: if the picture cannot be decoded.
    """
    with Image.open(io.BytesIO(source) if isinstance(source, bytes) else Path(source)) as picture:
        kind = "JPEG" if picture.format == "JPEG" else "PNG"
        tagged = draw_tags(picture, boxes, described)
    buffer = io.BytesIO()
    tagged.save(buffer, kind, **({"quality": 95, "subsampling": 0} if kind == "JPEG" else {}))
    return buffer.getvalue()
