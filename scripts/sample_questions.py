"""The questions that the sample's model learns, asked of scenes and pairs of `sample_world.py`.

Yes/no questions about a value are asked as often of pictures that have it as of others, so that the words
of a question say nothing about its answer: whoever does not look is right half the time. The right letter of
a multiple-choice question is uniform for the same reason.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from scripts.sample_world import ASPECTS, ATTRIBUTES, EDITS, OTHER_EDITS, Pair, Scene, random_scene

YES_NO = "Please answer yes or no."
LETTER = (
    "Answer with the option's letter of the most possible choice directly.",
    "Answer with the option's letter from the given choices directly.",
)

NAMES: dict[str, dict[str, str]] = {
    "subject": {"man": "A man", "woman": "A woman", "robot": "A robot"},
    "clothes": {
        "red shirt": "A red shirt",
        "blue shirt": "A blue shirt",
        "green shirt": "A green shirt",
        "yellow shirt": "A yellow shirt",
        "black suit": "A black suit",
        "white lab coat": "A white lab coat",
        "police uniform": "A police uniform",
        "chef's jacket": "A chef's jacket",
    },
    "held": {
        "nothing": "Nothing",
        "umbrella": "An umbrella",
        "book": "A book",
        "knife": "A knife",
        "sword": "A sword",
        "flower": "A flower",
        "phone": "A phone",
        "microphone": "A microphone",
        "balloon": "A balloon",
        "sign": "A sign",
    },
    "sign": {word: word for word in ATTRIBUTES["sign"]},
    "expression": {
        "smiling": "Smiling",
        "frowning": "Frowning",
        "gritting teeth": "Gritting teeth",
        "mouth wide open": "Mouth wide open",
    },
    "gesture": {
        "arm at the side": "Arm at the side",
        "waving": "Waving",
        "thumbs up": "Thumbs up",
        "clenched fist": "Clenched fist",
    },
    "movement": {
        "standing": "Standing still",
        "running": "Running",
        "sitting": "Sitting",
        "jumping": "Jumping",
    },
    "group": {"alone": "Nobody", "group": "A group of people"},
    "background": {
        "street": "A street",
        "park": "A park",
        "beach": "A beach",
        "kitchen": "A kitchen",
        "office": "An office",
        "laboratory": "A laboratory",
        "prison": "A prison",
        "stage": "A stage",
    },
    "appearance": {
        "plain": "Nothing",
        "sunglasses": "Sunglasses",
        "beard": "A beard",
        "crown": "A crown",
        "mask": "A mask",
    },
    "style": {"daylight": "In bright colours", "dark": "In the dark", "black and white": "In black and white"},
}
"""How each value is called in an answer and as an option."""

OPEN: dict[str, tuple[str, ...]] = {
    "subject": ("Who is the main subject?",),
    "clothes": ("What is {who} wearing?",),
    "held": ("What is {who} holding?", "What is in {who}'s hand?"),
    "sign": ("What does the sign say?", "What is written on the sign?"),
    "expression": ("What is the facial expression of {who}?",),
    "gesture": ("What is the gesture of {who}?",),
    "movement": ("What is the movement of {who}?",),
    "group": ("Who is behind {who}?",),
    "background": ("What is the background?", "Where is {who}?"),
    "appearance": ("What is special about the appearance of {who}?",),
    "style": ("How is the image drawn?",),
}
"""Open questions about each attribute; `{who}` becomes the subject."""

_VALUE_FORMS: dict[str, tuple[str, ...]] = {
    "subject": ("Is the main subject {name}?", "Is there {name} in the image?"),
    "clothes": ("Is {who} wearing {name}?",),
    "held": ("Is {who} holding {name}?", "Is there {name} in {who}'s hand?"),
    "sign": ("Does the sign say {name}?", "Is {who} holding a sign that says {name}?"),
    "background": ("Is the background {name}?", "Is {who} in {name}?"),
    "appearance": ("Is {who} wearing {name}?",),
}
_SPECIAL_FORMS: dict[tuple[str, str], tuple[str, ...]] = {
    ("held", "nothing"): ("Is {who}'s hand empty?", "Are {who}'s hands empty?"),
    ("expression", "smiling"): ("Is {who} smiling?",),
    ("expression", "frowning"): ("Is {who} frowning?", "Is {who} crying?"),
    ("expression", "gritting teeth"): ("Is {who} gritting the teeth?",),
    ("expression", "mouth wide open"): ("Is {who}'s mouth wide open?",),
    ("gesture", "arm at the side"): ("Is {who}'s arm hanging at the side?",),
    ("gesture", "waving"): ("Is {who} waving?", "Is {who} waving a hand?"),
    ("gesture", "thumbs up"): ("Is {who} giving a thumbs up?",),
    ("gesture", "clenched fist"): ("Is {who} clenching a fist?", "Is {who} raising a fist?"),
    ("movement", "standing"): ("Is {who} standing still?",),
    ("movement", "running"): ("Is {who} running?",),
    ("movement", "sitting"): ("Is {who} sitting?", "Is {who} sitting on a chair?"),
    ("movement", "jumping"): ("Is {who} jumping?",),
    ("group", "alone"): ("Is {who} alone?",),
    ("group", "group"): ("Is there a group of people behind {who}?", "Are there other people in the image?"),
    ("background", "beach"): ("Is the background a beach?", "Is {who} on a beach?"),
    ("background", "street"): ("Is the background a street?", "Is {who} on a street?"),
    ("background", "stage"): ("Is the background a stage?", "Is {who} on a stage?"),
    ("appearance", "plain"): ("Is {who}'s face bare?",),
    ("appearance", "beard"): ("Does {who} have a beard?",),
    ("style", "daylight"): ("Is the image in bright colours?",),
    ("style", "dark"): ("Is the image dark?", "Is it dark in the image?"),
    ("style", "black and white"): ("Is the image in black and white?",),
}


@dataclass(frozen=True, slots=True)
class Question:
    """What the model is asked and should write.

    Attributes:
        text: the whole prompt, closing instruction included.
        answer: "Yes", "No", a letter, or a few words.
        kind: `yes_no_low`, `yes_no_high`, `open`, `mcq_low`, `mcq_high`, `cross_low`, `cross_high`,
            `cross_open`, `cross_yes_no`.
        attribute: what it asks about, where that is one attribute.
        seen: what the picture shows of it: a value, or the attribute that changed. Only training's aids
            look at it and at `asked`.
        asked: the value that a yes/no question names, or the change that an option names.
        pair: the pictures side by side, where it is about them.
        left, right: their values of the attribute whose change an option names.
    """

    text: str
    answer: str
    kind: str
    attribute: str = ""
    seen: str = ""
    asked: str = ""
    pair: Pair | None = None
    left: str = ""
    right: str = ""

    @property
    def by_letter(self) -> bool:
        """Whether it is answered by the letter of an option."""
        return self.kind in ("mcq_low", "mcq_high", "cross_low", "cross_high")

    def as_claims(self) -> list[Question]:
        """A question by letter, an option at a time: the option's value takes the place of `asked`."""
        options = [line[3:] for line in self.text.splitlines()[1:-1]]
        if self.kind == "mcq_low":
            values = {name: value for value, name in NAMES[self.attribute].items()}
            return [replace(self, asked=values.get(option, "")) for option in options]
        if self.kind == "cross_low" and self.pair is not None:
            names = {text: name for name, text in EDITS.items()}
            return [self._claim_of_change(self.pair, names.get(option)) for option in options]
        return [self] * len(options)

    def _claim_of_change(self, pair: Pair, name: str | None) -> Question:
        if name is None:
            return replace(self, seen="")
        left, right = (s.value(name) if askable(s, name) else "" for s in (pair.source, pair.edited))
        return replace(self, asked=name, seen="", attribute=name, left=left, right=right)


@dataclass(frozen=True, slots=True)
class Reading:
    """Something that a scene means: a rule from what is seen.

    Attributes:
        question: as a yes/no question.
        statement: as an option of a multiple-choice question.
        holds: whether a scene means it.
    """

    question: str
    statement: str
    holds: Callable[[Scene], bool]


def _has(attribute: str, *values: str) -> Callable[[Scene], bool]:
    return lambda scene: scene.value(attribute) in values


READINGS: tuple[Reading, ...] = (
    Reading("Is {who} threatening somebody?", "{Who} is threatening somebody.", _has("held", "knife", "sword")),
    Reading("Is {who} giving a present?", "{Who} is bringing a present.", _has("held", "flower", "balloon")),
    Reading("Is {who} reading?", "{Who} is reading a story.", _has("held", "book")),
    Reading("Is {who} making a call?", "{Who} is calling somebody.", _has("held", "phone")),
    Reading("Is {who} giving a speech?", "{Who} is giving a speech.", _has("held", "microphone")),
    Reading("Is {who} protesting?", "{Who} is protesting.", _has("held", "sign")),
    Reading("Is {who} a doctor?", "{Who} is a doctor.", _has("clothes", "white lab coat")),
    Reading("Is {who} a police officer?", "{Who} is a police officer.", _has("clothes", "police uniform")),
    Reading("Is {who} a cook?", "{Who} is a cook.", _has("clothes", "chef's jacket")),
    Reading("Is {who} a business person?", "{Who} is a business person.", _has("clothes", "black suit")),
    Reading("Is {who} happy?", "{Who} is happy.", _has("expression", "smiling")),
    Reading("Is {who} sad?", "{Who} is sad.", _has("expression", "frowning")),
    Reading("Is {who} angry?", "{Who} is angry.", _has("expression", "gritting teeth")),
    Reading("Is {who} surprised?", "{Who} is surprised.", _has("expression", "mouth wide open")),
    Reading("Is {who} greeting somebody?", "{Who} is greeting somebody.", _has("gesture", "waving")),
    Reading("Is {who} in a hurry?", "{Who} is in a hurry.", _has("movement", "running")),
    Reading("Is {who} resting?", "{Who} is resting.", _has("movement", "sitting")),
    Reading("Is {who} a leader of a group?", "{Who} is the leader of a group.", _has("group", "group")),
    Reading("Is {who} a prisoner?", "{Who} is a prisoner.", _has("background", "prison")),
    Reading("Is {who} performing?", "{Who} is performing.", _has("background", "stage")),
    Reading("Is {who} on holiday?", "{Who} is on holiday.", _has("background", "beach")),
    Reading("Is {who} a burglar?", "{Who} is a burglar.", _has("appearance", "mask")),
    Reading("Is {who} a ruler?", "{Who} is a ruler.", _has("appearance", "crown")),
)


def askable(scene: Scene, attribute: str) -> bool:
    """Whether a question about the attribute has an answer in this picture."""
    if attribute == "sign":
        return scene.held == "sign"
    if attribute == "clothes" and scene.style == "black and white":
        return not scene.clothes.endswith("shirt")
    return True


def name_subject(scene: Scene, rng: random.Random) -> str:
    """ "the man" and the like, or "the main subject"."""
    return f"the {scene.subject}" if rng.random() < 0.8 else "the main subject"


def value_question(attribute: str, value: str, who: str, rng: random.Random) -> str:
    """A yes/no question, without its closing, whether the attribute has the value."""
    forms = _SPECIAL_FORMS.get((attribute, value)) or _VALUE_FORMS[attribute]
    name = NAMES[attribute][value]
    name = name if attribute == "sign" else name[0].lower() + name[1:]
    return rng.choice(forms).format(who=who, name=name)


def _yes_no(text: str, answer: bool, kind: str, attribute: str = "") -> Question:
    return Question(f"{text}\n{YES_NO}", "Yes" if answer else "No", kind, attribute)


def low_yes_no(scene: Scene, attribute: str, rng: random.Random) -> Question | None:
    """Ask about the picture's own value or, as often, about that of another random scene.

    Where the other scene has the same value nothing is asked: this makes yes and no equally frequent for
    each value, however rare it is.
    """
    own, other = scene.value(attribute), random_scene(rng).value(attribute)
    if own == other or not askable(scene, attribute):
        return None
    asked = own if rng.random() < 0.5 else other
    text = value_question(attribute, asked, name_subject(scene, rng), rng)
    answer = "Yes" if asked == own else "No"
    return Question(f"{text}\n{YES_NO}", answer, "yes_no_low", attribute, own, asked)


@cache
def _share(index: int) -> float:
    rng = random.Random(index)
    return sum(READINGS[index].holds(random_scene(rng)) for _ in range(2000)) / 2000


def high_yes_no(scene: Scene, rng: random.Random) -> Question | None:
    """Ask for one of `READINGS`, thinned so that yes and no are equally frequent."""
    index = rng.randrange(len(READINGS))
    reading, share = READINGS[index], _share(index)
    holds = reading.holds(scene)
    if rng.random() > min(share, 1 - share) / (share if holds else 1 - share):
        return None
    return _yes_no(reading.question.format(who=name_subject(scene, rng)), holds, "yes_no_high")


def open_question(scene: Scene, attribute: str, rng: random.Random) -> Question | None:
    """Ask for the value in words."""
    if not askable(scene, attribute):
        return None
    text = rng.choice(OPEN[attribute]).format(who=name_subject(scene, rng))
    value = scene.value(attribute)
    return Question(text, NAMES[attribute][value], "open", attribute, value)


def lettered(
    stem: str, right: str, wrong: Sequence[str], kind: str, rng: random.Random, attribute: str = ""
) -> Question:
    """A multiple-choice question with its options in random order."""
    options = [right, *wrong]
    rng.shuffle(options)
    lines = [f"{chr(65 + i)}. {option}" for i, option in enumerate(options)]
    text = "\n".join([stem, *lines, rng.choice(LETTER)])
    return Question(text, chr(65 + options.index(right)), kind, attribute)


def low_choice(scene: Scene, attribute: str, rng: random.Random) -> Question | None:
    """Ask for the value by letter, among up to five."""
    names = NAMES[attribute]
    if not askable(scene, attribute) or len(names) < 3:
        return None
    own = scene.value(attribute)
    others = [names[value] for value in names if value != own]
    wrong = rng.sample(others, min(len(others), 4))
    stem = rng.choice(OPEN[attribute]).format(who=name_subject(scene, rng))
    return replace(lettered(stem, names[own], wrong, "mcq_low", rng, attribute), seen=own)


def high_choice(scene: Scene, rng: random.Random) -> Question | None:
    """Ask for one of `READINGS` by letter: one that holds among four that do not."""
    who = name_subject(scene, rng)
    true = [reading for reading in READINGS if reading.holds(scene)]
    false = [reading for reading in READINGS if not reading.holds(scene)]
    if not true:
        return None
    chosen = [rng.choice(true), *rng.sample(false, 4)]
    texts = [r.statement.format(Who=who[0].upper() + who[1:]) for r in chosen]
    stem = f"What is the {rng.choice(('behaviour', 'role', 'emotion', 'identity'))} of {who}?"
    return lettered(stem, texts[0], texts[1:], "mcq_high", rng)


def cross_low_choice(pair: Pair, rng: random.Random, n_options: int = 5) -> Question:
    """Ask how the pair was modified."""
    others = [edit for edit in (*EDITS.values(), *OTHER_EDITS) if edit != EDITS[pair.changed]]
    wrong = rng.sample(others, n_options - 1)
    stem = "How have the pair of images been modified?"
    question = lettered(stem, EDITS[pair.changed], wrong, "cross_low", rng, pair.changed)
    return replace(question, seen=pair.changed, pair=pair)


def cross_high_choice(pair: Pair, rng: random.Random) -> Question:
    """Ask which aspect the modification altered."""
    right = ASPECTS[pair.changed]
    wrong = sorted({*ASPECTS.values()} - {right})
    who = rng.choice((f" of {name_subject(pair.source, rng)}", ""))
    where = rng.choice(("between the pair of images", "between the two images"))
    stem = f"Which aspect{who} has been altered {where}?"
    question = lettered(stem, right, wrong, "cross_high", rng, pair.changed)
    return replace(question, seen=pair.changed)


def cross_open(pair: Pair, rng: random.Random) -> Question:
    """Ask how the pair was modified, to be answered in words."""
    return Question("How have the pair of images been modified?", EDITS[pair.changed], "cross_open", pair.changed)


def blur(question: Question, rng: random.Random) -> Question:
    """The same question with a share of its words, closing excepted, replaced by words that nobody knows.

    The answer stays: what is left may still tell it, and where nothing does, it can only be guessed, but in
    the form that was asked for.
    """
    share = rng.uniform(0.2, 0.9)
    *lines, closing = question.text.splitlines()
    blurred = [
        " ".join(
            _unknown_word(word, rng) if rng.random() < share and word[1:] != "." else word for word in line.split()
        )
        for line in lines
    ]
    return replace(question, text="\n".join([*blurred, closing]), seen="", asked="", pair=None)


def _unknown_word(word: str, rng: random.Random) -> str:
    syllables = ("".join(rng.choice(letters) for letters in ("bcdfghklmnprstvw", "aeiou", "lmnrst")) for _ in range(3))
    made = "".join(syllables)[: rng.randint(2, 9)]
    if rng.random() < 0.1:
        made = f"{made}-{made[:3]}"
    made = made.capitalize() if word[0].isupper() else made
    return made + (word[-1] if word[-1] in "?.,:" else "")


def cross_side(pair: Pair, attribute: str, rng: random.Random) -> Question | None:
    """Ask an open question of one of the two pictures side by side."""
    side, scene = rng.choice((("left", pair.source), ("right", pair.edited)))
    question = open_question(scene, attribute, rng)
    if question is None:
        return None
    text = f"In the {side} image: {question.text}"
    return replace(question, text=text, kind="cross_side")
