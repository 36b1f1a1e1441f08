"""Drawn pictures of tagged people in coloured shirts: can a model read the tags at all? (Appendix B.4)

The paper asked about three photographs; these are drawn from the seed, so that there is nothing to download and
as many as one wants. Nobody shares a shirt's colour with another person of the picture, so whoever misreads a
tag gives a wrong colour.
"""

from __future__ import annotations

import io
import random
from typing import Any

from PIL import Image, ImageDraw

from punctum.datasets_scripts.option_rows import draw
from punctum.datasets_scripts.vague.tags import draw_tags

SIZES = ("2", "5", "10")
SHIRTS = {
    "red": "#d7263d",
    "orange": "#f58a1f",
    "yellow": "#f7dc3b",
    "green": "#2f9e44",
    "blue": "#1c62c9",
    "purple": "#7b2cbf",
    "pink": "#ff9ecb",
    "brown": "#7a4a21",
    "black": "#1a1a1a",
    "white": "#fafafa",
}
_WIDTH, _HEIGHT = 1280, 720
_SKINS = ("#f4cda5", "#cf9667", "#8f5f40", "#e0b088")
_HAIRS = ("#2b1d14", "#6b4226", "#c9a24a", "#7f7f7f")
_LINE = "#2b2d42"


def person_tag_row(people: int, index: int, seed: int, picture: bool = True) -> dict[str, Any]:
    """One picture and its question, a function of (people, index, seed) alone.

    Args:
        people: in the picture, at most as many as there are colours of shirts.
        index: which of the pictures with so many people.
        seed: another seed draws other pictures.
        picture: False leaves the picture out.
    """
    row_id = f"person_tags-{people}-{index:03d}"
    draws = random.Random(draw(seed, row_id))
    shirts = draws.sample(sorted(SHIRTS), people)
    asked = draws.randrange(people)
    image = None
    if picture:
        buffer = io.BytesIO()
        _draw(shirts, draws).save(buffer, "PNG")
        image = {"bytes": buffer.getvalue(), "path": f"{row_id}.png"}
    return {
        "id": row_id,
        "image": image,
        "category": str(people),
        "source": "drawn",
        "question": f"What is the colour of the shirt that person{asked + 1} wears? Answer with one word.",
        "references": [shirts[asked]],
        "person": f"person{asked + 1}",
        "shirts": shirts,
    }


def _draw(shirts: list[str], draws: random.Random) -> Image.Image:
    """People side by side in two rows at most, in places drawn at random, with their tags."""
    image = Image.new("RGB", (_WIDTH, _HEIGHT), "#cfe3ee")
    draw = ImageDraw.Draw(image)
    rows = 1 if len(shirts) <= 5 else 2
    draw.rectangle((0, _HEIGHT * (0.62 if rows == 1 else 0.3), _WIDTH, _HEIGHT), fill="#b7c9a8")
    per_row = -(-len(shirts) // rows)
    places = [(row, column) for row in range(rows) for column in range(per_row)][: len(shirts)]
    draws.shuffle(places)
    size = 400.0 if rows == 1 else 300.0
    boxes: dict[int, tuple[float, float, float, float]] = {}
    for person in sorted(range(len(shirts)), key=lambda i: places[i]):  # those behind first
        row, column = places[person]
        x = _WIDTH * (column + 0.5) / per_row + draws.uniform(-25, 25)
        feet = _HEIGHT * (0.94 if rows == 1 else 0.52 + 0.44 * row) + draws.uniform(-10, 10)
        boxes[person] = _person(draw, x, feet, size, SHIRTS[shirts[person]], draws)
    return draw_tags(image, [boxes[i] for i in range(len(shirts))])


def _person(
    draw: ImageDraw.ImageDraw, x: float, feet: float, size: float, shirt: str, draws: random.Random
) -> tuple[float, float, float, float]:
    """One standing person; returns the box around head and body."""
    skin, hair, unit = draws.choice(_SKINS), draws.choice(_HAIRS), size / 100
    top = feet - size
    for side in (-1, 1):
        leg = (x + side * 7 * unit - 5 * unit, feet - 42 * unit, x + side * 7 * unit + 5 * unit, feet)
        draw.rectangle(leg, fill="#4a5568", outline=_LINE, width=3)
        arm = (x + side * 18 * unit - 4 * unit, top + 32 * unit, x + side * 18 * unit + 4 * unit, top + 62 * unit)
        draw.rounded_rectangle(arm, 4 * unit, fill=shirt, outline=_LINE, width=3)
        hand = (arm[0], arm[3] - 2 * unit, arm[2], arm[3] + 6 * unit)
        draw.ellipse(hand, fill=skin, outline=_LINE, width=3)
    body = (x - 15 * unit, top + 28 * unit, x + 15 * unit, feet - 36 * unit)
    draw.rounded_rectangle(body, 6 * unit, fill=shirt, outline=_LINE, width=3)
    r = 12 * unit
    head = (x - r, top + 3 * unit, x + r, top + 3 * unit + 2 * r)
    draw.ellipse(head, fill=skin, outline=_LINE, width=3)
    draw.chord(head, 190, 350, fill=hair, outline=_LINE, width=3)
    for side in (-1, 1):
        eye = x + side * 4.5 * unit
        draw.ellipse((eye - 3, head[1] + r + 1, eye + 3, head[1] + r + 8), fill=_LINE)
    draw.arc((x - 5 * unit, head[1] + r, x + 5 * unit, head[1] + 1.65 * r), 20, 160, fill=_LINE, width=3)
    return (x - 22 * unit, top, x + 22 * unit, feet)
