"""The drawings of DeepEval's sample: 24 cartoons of our own, a function each, by name in `DRAWINGS`."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from .canvas import INK, Canvas
from .critical import ladders, melting_hourglass, phone_puppet, school_machine
from .humorous import cat_bed, express_snail, gym_escalator, to_do
from .inspiring import flower_in_asphalt, passing_the_flame, reach_for_a_star, stairs_of_no
from .philosophical import carrot_of_happiness, heavier_time, key_in_beak, own_monster
from .satirical import balloon_promises, charity_on_camera, leak_committee, ostrich_summit
from .touching import empty_seat, long_scarf, plaster_on_stump, shared_umbrella

_FUNCTIONS: tuple[Callable[[Canvas], None], ...] = (
    cat_bed,
    express_snail,
    gym_escalator,
    to_do,
    ladders,
    melting_hourglass,
    phone_puppet,
    school_machine,
    empty_seat,
    long_scarf,
    plaster_on_stump,
    shared_umbrella,
    carrot_of_happiness,
    heavier_time,
    key_in_beak,
    own_monster,
    flower_in_asphalt,
    passing_the_flame,
    reach_for_a_star,
    stairs_of_no,
    balloon_promises,
    charity_on_camera,
    leak_committee,
    ostrich_summit,
)
DRAWINGS = {function.__name__: function for function in _FUNCTIONS}


def draw(name: str) -> Image.Image:
    """The cartoon of that name, 320 x 320 pixels, RGB, with a frame.

    Raises:
        KeyError: if there is no such drawing; the message lists the names.
    """
    if name not in DRAWINGS:
        raise KeyError(f"no drawing {name!r}; there are {', '.join(sorted(DRAWINGS))}")
    canvas = Canvas()
    DRAWINGS[name](canvas)
    canvas.rect((1, 1, 319, 319), None, INK, 2.5)
    return canvas.finished()
