"""The drawings of VAGUE's sample: 24 scenes of our own, a function each, by name in `DRAWINGS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PIL import Image

from .kitchen import candle, cat, iron, mug, phone, plates, sausages, tap
from .outdoors import bicycle, chair, gate, ice_cream, snow, tent, umbrella
from .rooms import alarm, dog, gallery, hat, lamp, loudspeaker, plant, rubbish, window
from .scene import Box, Scene

_FUNCTIONS: tuple[Callable[[Scene], None], ...] = (
    alarm,
    bicycle,
    candle,
    cat,
    chair,
    dog,
    gallery,
    gate,
    hat,
    ice_cream,
    iron,
    lamp,
    loudspeaker,
    mug,
    phone,
    plant,
    plates,
    rubbish,
    sausages,
    snow,
    tap,
    tent,
    umbrella,
    window,
)
DRAWINGS = {function.__name__: function for function in _FUNCTIONS}


class Drawn(NamedTuple):
    """A scene and the boxes of its people, in pixels."""

    picture: Image.Image
    boxes: list[Box]


def draw(name: str) -> Drawn:
    """The scene of that name.

    Raises:
        KeyError: if there is no such drawing; the message lists the names.
    """
    if name not in DRAWINGS:
        raise KeyError(f"no drawing {name!r}; there are {', '.join(sorted(DRAWINGS))}")
    scene = Scene()
    DRAWINGS[name](scene)
    return Drawn(scene.finished(), scene.boxes)
