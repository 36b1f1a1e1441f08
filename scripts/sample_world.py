"""The world of the sample: which scenes there are, and how a pair of scenes differs.

A scene is one person and what is around them, told by eleven attributes that a question may ask about, and
by a few more (skin, hair, place in the frame) that only keep the drawings from looking alike. A pair is two
scenes that differ in one attribute, as MVP-Bench's source and edited pictures do. Drawing is in
`sample_drawing.py`, the questions that the model is trained on are in `sample_questions.py`.

Everything follows from the seed of the `random.Random` that is handed in.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, replace

ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "subject": ("man", "woman", "robot"),
    "clothes": (
        "red shirt",
        "blue shirt",
        "green shirt",
        "yellow shirt",
        "black suit",
        "white lab coat",
        "police uniform",
        "chef's jacket",
    ),
    "held": (
        "nothing",
        "umbrella",
        "book",
        "knife",
        "sword",
        "flower",
        "phone",
        "microphone",
        "balloon",
        "sign",
    ),
    "sign": ("HELP", "LOVE", "SALE", "STOP", "VOTE", "WAR"),
    "expression": ("smiling", "frowning", "gritting teeth", "mouth wide open"),
    "gesture": ("arm at the side", "waving", "thumbs up", "clenched fist"),
    "movement": ("standing", "running", "sitting", "jumping"),
    "group": ("alone", "group"),
    "background": ("street", "park", "beach", "kitchen", "office", "laboratory", "prison", "stage"),
    "appearance": ("plain", "sunglasses", "beard", "crown", "mask"),
    "style": ("daylight", "dark", "black and white"),
}
"""Every attribute and its values, in the order in which scenes are drawn at random."""

_WEIGHTS: dict[str, tuple[int, ...]] = {
    "subject": (5, 5, 2),
    "held": (3, 2, 2, 2, 2, 2, 2, 2, 2, 5),
    "gesture": (3, 2, 2, 2),
    "movement": (3, 2, 2, 2),
    "group": (3, 1),
    "appearance": (4, 2, 2, 2, 2),
    "style": (7, 1, 1),
}

EDITS: dict[str, str] = {
    "subject": "Substitute the main subject with virtual character.",
    "clothes": "Change the main subject's clothes.",
    "held": "Replace the object held by the main subject.",
    "sign": "Replace the content in the paper or sign.",
    "expression": "Change the main subject's facial expression.",
    "gesture": "Change the main subject's gesture.",
    "movement": "Alter the main subject's movement.",
    "group": "Introduce a group of people.",
    "background": "Substitute the background.",
    "appearance": "Change the appearence of the main subject.",
    "style": "Change aesthetic features (including style and lightness).",
}
"""What MVP-Bench's taxonomy of edits calls a change of each attribute (its spelling is kept)."""

OTHER_EDITS = ("Substitute the main subject with celebrities.",)
"""Edits of the taxonomy that this world does not have: always wrong as an option."""

ASPECTS: dict[str, str] = {
    "subject": "identity",
    "clothes": "role",
    "held": "behaviour",
    "sign": "behaviour",
    "expression": "emotion",
    "gesture": "emotion",
    "movement": "behaviour",
    "group": "role",
    "background": "scenario",
    "appearance": "identity",
    "style": "scenario",
}
"""The high-level aspect that a change of each attribute alters, in the most common reading."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One drawing, described.

    Attributes:
        subject, clothes, held, sign, expression, gesture, movement, group, background, appearance, style:
            values of `ATTRIBUTES`. `sign` shows only where a sign is held.
        skin: which skin colour, 0–3.
        hair: which hair colour, 0–4.
        tint: which of the colours that vary (walls, umbrella, balloon), 0–3.
        shift: where the person stands: right and down, in units of which the picture is 320 wide.
        size: how tall the person is, 1.0 for the usual.
    """

    subject: str = "man"
    clothes: str = "red shirt"
    held: str = "nothing"
    sign: str = "HELP"
    expression: str = "smiling"
    gesture: str = "arm at the side"
    movement: str = "standing"
    group: str = "alone"
    background: str = "street"
    appearance: str = "plain"
    style: str = "daylight"
    skin: int = 0
    hair: int = 0
    tint: int = 0
    shift: tuple[float, float] = (0.0, 0.0)
    size: float = 1.0

    def __post_init__(self) -> None:
        for name, known in ATTRIBUTES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name} is {getattr(self, name)!r}; this world has {', '.join(known)}")

    def value(self, attribute: str) -> str:
        """The value of one of `ATTRIBUTES`."""
        value: str = getattr(self, attribute)
        return value

    @property
    def key(self) -> tuple[str, ...]:
        """What the scene shows, without what only varies the drawing: two scenes of one key look alike."""
        shown = {name: self.value(name) for name in ATTRIBUTES}
        if self.held != "sign":
            shown["sign"] = ""
        return tuple(shown.values())


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scenes that differ in one attribute.

    Attributes:
        changed: the name of that attribute.
    """

    source: Scene
    edited: Scene
    changed: str


def random_scene(rng: random.Random) -> Scene:
    """Draw every attribute by itself, common values more often."""
    values = {name: rng.choices(known, weights=_WEIGHTS.get(name))[0] for name, known in ATTRIBUTES.items()}
    if values["subject"] != "man" and values["appearance"] == "beard":
        values["appearance"] = "plain"
    return Scene(
        **values,
        skin=rng.randrange(4),
        hair=rng.randrange(5),
        tint=rng.randrange(4),
        shift=(rng.uniform(-8, 8), rng.uniform(-4, 4)),
        size=rng.uniform(0.94, 1.02),
    )


def random_pair(rng: random.Random, held_out: Collection[tuple[str, ...]] = ()) -> Pair:
    """Draw a scene and change one attribute of it.

    Args:
        rng: the only source of chance.
        held_out: keys of scenes that must not come up on either side.
    """
    while True:
        changed = rng.choice(list(ATTRIBUTES))
        source = random_scene(rng)
        if changed == "sign":
            source = replace(source, held="sign")
        if changed == "subject":  # only a robot is a virtual character; man and woman stay what they are
            appearance = "plain" if source.appearance == "beard" else source.appearance
            source = replace(source, subject=rng.choice(("man", "woman")), appearance=appearance)
            edited = replace(source, subject="robot")
        elif changed == "group":
            source = replace(source, group="alone")
            edited = replace(source, group="group")
        else:
            others = [value for value in ATTRIBUTES[changed] if value != source.value(changed)]
            if changed == "appearance" and source.subject != "man":
                others.remove("beard")
            edited = replace(source, **{changed: rng.choice(others)})  # type: ignore[arg-type]
        if source.key not in held_out and edited.key not in held_out:
            return Pair(source, edited, changed)
