"""The drawings of the ads in PittAds' sample, a function each, by name in `DRAWINGS`."""

from __future__ import annotations

from PIL import Image

from scripts.deepeval_drawings.canvas import INK

from .composed import COMPOSED
from .replaced import REPLACED
from .surface import AdCanvas
from .textures import TEXTURES
from .typical import TYPICAL
from .within import WITHIN

DRAWINGS = {function.__name__: function for function in (*TEXTURES, *COMPOSED, *WITHIN, *REPLACED, *TYPICAL)}


def draw(name: str) -> Image.Image:
    """The ad of that name, 320 x 320 pixels, RGB, with a frame.

    Raises:
        KeyError: if there is no such drawing; the message lists the names.
    """
    if name not in DRAWINGS:
        raise KeyError(f"no drawing {name!r}; there are {', '.join(sorted(DRAWINGS))}")
    canvas = AdCanvas()
    DRAWINGS[name](canvas)
    canvas.rect((1, 1, 319, 319), None, INK, 2.5)
    return canvas.finished()
