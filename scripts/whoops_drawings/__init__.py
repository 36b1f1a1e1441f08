"""The drawings of WHOOPS!'s sample: 24 pictures of our own that defy common sense, by name in `DRAWINGS`."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from scripts.deepeval_drawings.canvas import INK, Canvas

from .nature import (
    beach_snowman,
    cycling_fish,
    desert_penguin,
    desert_ship,
    dog_walks_man,
    fire_ice,
    goldfish_cage,
    horse_rider,
    indoor_rain,
    mouse_hunts_cat,
    night_rainbow,
    upward_apples,
)
from .objects import (
    feather_stone,
    hourglass_up,
    jar_candle,
    paper_elephant,
    power_strip,
    sea_laundry,
    square_wheels,
    wrong_shadow,
)
from .people import baby_boss, fork_soup, meadow_skier, moon_fire

_FUNCTIONS: tuple[Callable[[Canvas], None], ...] = (
    beach_snowman,
    cycling_fish,
    desert_penguin,
    desert_ship,
    dog_walks_man,
    fire_ice,
    goldfish_cage,
    horse_rider,
    indoor_rain,
    mouse_hunts_cat,
    night_rainbow,
    upward_apples,
    baby_boss,
    feather_stone,
    fork_soup,
    hourglass_up,
    jar_candle,
    meadow_skier,
    moon_fire,
    paper_elephant,
    power_strip,
    sea_laundry,
    square_wheels,
    wrong_shadow,
)
DRAWINGS = {function.__name__: function for function in _FUNCTIONS}


def draw(name: str) -> Image.Image:
    """The picture of that name, 320 x 320 pixels, RGB, with a frame.

    Raises:
        KeyError: if there is no such drawing; the message lists the names.
    """
    if name not in DRAWINGS:
        raise KeyError(f"no drawing {name!r}; there are {', '.join(sorted(DRAWINGS))}")
    canvas = Canvas()
    DRAWINGS[name](canvas)
    canvas.rect((1, 1, 319, 319), None, INK, 2.5)
    return canvas.finished()
