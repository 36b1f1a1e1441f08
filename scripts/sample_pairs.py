"""The pairs of MVP-Bench's sample: scenes, questions and golds, all written for this repository.

Ids lie in MVP-Bench's ranges, so that categories follow from them as they do in the published data. Only
I3 (a celebrity substituted) has no pair: the drawings show nobody in particular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scripts.sample_world import Pair, Scene


@dataclass(frozen=True, slots=True)
class Item:
    """A pair of pictures with what is asked about it.

    Attributes:
        id: the pair's id, in the range of its category.
        source: the scene before the edit.
        changed: the attribute that the edit changes.
        becomes: its value in the edited picture.
        aspect: the high-level aspect that the edit alters.
        who: the subject in the cross-image stem ("the man"), or "".
        high: two questions; the first is true of the source picture only, the second of the edited only.
        low: the same at the low level.
        stem: the single-image question, about the edited picture.
        options: its options, the right one first.
    """

    id: int
    source: Scene
    changed: str
    becomes: str
    aspect: str
    who: str
    high: tuple[str, str]
    low: tuple[str, str]
    stem: str
    options: Sequence[str]

    @property
    def pair(self) -> Pair:
        """The two scenes."""
        edited = replace(self.source, **{self.changed: self.becomes})  # type: ignore[arg-type]
        return Pair(self.source, edited, self.changed)


ITEMS: tuple[Item, ...] = (
    Item(
        12,
        Scene("man", "black suit", "microphone", background="stage", hair=1, skin=1),
        "background",
        "street",
        "behaviour",
        "the man",
        ("Is the man appearing in a theatre?", "Is the man talking to passers-by?"),
        ("Is the background a stage?", "Is the background a street?"),
        "What is the behaviour of the man?",
        (
            "The man is interviewing people who walk by.",
            "The man is singing in an opera house.",
            "The man is ordering a meal.",
            "The man is repairing a loudspeaker at home.",
            "The man is calling a taxi with his phone.",
        ),
    ),
    Item(
        37,
        Scene("woman", "blue shirt", movement="running", background="park", hair=2, tint=1),
        "background",
        "office",
        "behaviour",
        "the woman",
        ("Is the woman jogging to keep fit?", "Is the woman late for a meeting?"),
        ("Is the background a park?", "Is the background an office?"),
        "What is the behaviour of the woman?",
        (
            "The woman is hurrying to a meeting.",
            "The woman is training for a race among trees.",
            "The woman is taking a nap.",
            "The woman is dancing in front of an audience.",
            "The woman is chasing her dog across the grass.",
        ),
    ),
    Item(
        64,
        Scene("man", "police uniform", expression="mouth wide open", background="street", skin=2, tint=2),
        "movement",
        "running",
        "behaviour",
        "the police officer",
        ("Is the police officer keeping watch?", "Is the police officer chasing somebody?"),
        ("Is the police officer standing still?", "Is the police officer running?"),
        "What is the behaviour of the police officer?",
        (
            "The police officer is going after a thief.",
            "The police officer is guarding a door.",
            "The police officer is writing a parking ticket.",
            "The police officer is having lunch.",
            "The police officer is posing for a portrait.",
        ),
    ),
    Item(
        118,
        Scene("man", "green shirt", "flower", background="park", hair=3, tint=2),
        "held",
        "knife",
        "behaviour",
        "the man",
        ("Is the man bringing somebody a present?", "Is the man threatening somebody?"),
        ("Is the man holding a flower?", "Is the man holding a knife?"),
        "What is the behaviour of the man?",
        (
            "The man is about to attack somebody.",
            "The man is on his way to a birthday.",
            "The man is watering the lawn.",
            "The man is asking somebody to marry him.",
            "The man is feeding the birds.",
        ),
    ),
    Item(
        131,
        Scene("woman", "chef's jacket", "book", background="kitchen", hair=0, skin=1, tint=2),
        "held",
        "phone",
        "behaviour",
        "the cook",
        ("Is the cook looking up a recipe?", "Is the cook taking an order by phone?"),
        ("Is the cook holding a book?", "Is the cook holding a phone?"),
        "What is the behaviour of the cook?",
        (
            "The cook is waiting for a call.",
            "The cook is reading how to bake a cake.",
            "The cook is washing the dishes.",
            "The cook is cutting onions.",
            "The cook is setting the table for guests.",
        ),
    ),
    Item(
        142,
        Scene("woman", "red shirt", "microphone", "HELP", "mouth wide open", background="stage", hair=4, skin=3),
        "held",
        "sword",
        "behaviour",
        "the woman",
        ("Is the woman singing a song?", "Is the woman playing a fighter?"),
        ("Is the woman holding a microphone?", "Is the woman holding a sword?"),
        "What is the behaviour of the woman?",
        (
            "The woman is acting a battle.",
            "The woman is giving a concert.",
            "The woman is selling tickets.",
            "The woman is conducting an orchestra.",
            "The woman is sweeping the floor.",
        ),
    ),
    Item(
        165,
        Scene("woman", "yellow shirt", "sign", "LOVE", background="street", hair=1, skin=0, tint=1),
        "sign",
        "WAR",
        "behaviour",
        "the woman",
        ("Is the woman asking people to be kind?", "Is the woman asking people to fight?"),
        ("Does the sign say LOVE?", "Does the sign say WAR?"),
        "What is the behaviour of the woman?",
        (
            "The woman is calling people to arms.",
            "The woman is inviting people to a wedding.",
            "The woman is showing guests the way.",
            "The woman is offering free hugs.",
            "The woman is advertising a bakery.",
        ),
    ),
    Item(
        183,
        Scene("man", "blue shirt", "sign", "SALE", "mouth wide open", background="street", skin=3, tint=3),
        "sign",
        "HELP",
        "behaviour",
        "the man",
        ("Is the man advertising a shop?", "Is the man in trouble?"),
        ("Does the sign say SALE?", "Does the sign say HELP?"),
        "What is the behaviour of the man?",
        (
            "The man is begging for assistance.",
            "The man is offering goods at a low price.",
            "The man is waiting for a guest at the airport.",
            "The man is cheering for his team.",
            "The man is guiding the traffic.",
        ),
    ),
    Item(
        221,
        Scene("woman", "red shirt", "umbrella", background="street", hair=2, skin=0, tint=3),
        "group",
        "group",
        "role",
        "the woman",
        ("Is the woman taking a walk by herself?", "Is the woman a tour guide?"),
        ("Is the woman alone?", "Is there a group of people behind the woman?"),
        "What is the role of the woman?",
        (
            "The woman shows visitors the town.",
            "The woman is a lonely walker.",
            "The woman sells umbrellas on the internet.",
            "The woman reads out the weather in a studio.",
            "The woman is a gardener.",
        ),
    ),
    Item(
        262,
        Scene("man", "black suit", "phone", background="laboratory", hair=4, skin=1, tint=1),
        "clothes",
        "white lab coat",
        "role",
        "the man",
        ("Is the man a visiting manager?", "Is the man a scientist?"),
        ("Is the man wearing a black suit?", "Is the man wearing a white lab coat?"),
        "What is the role of the man?",
        (
            "The man works with the flasks.",
            "The man is the bank's representative.",
            "The man is a waiter.",
            "The man is a lawyer.",
            "The man is a bridegroom.",
        ),
    ),
    Item(
        285,
        Scene("woman", "green shirt", expression="gritting teeth", background="prison", hair=3, skin=2),
        "clothes",
        "police uniform",
        "role",
        "the woman",
        ("Is the woman a convict?", "Is the woman a guard?"),
        ("Is the woman wearing a green shirt?", "Is the woman wearing a police uniform?"),
        "What is the role of the woman?",
        (
            "The woman watches over the cells.",
            "The woman serves a sentence.",
            "The woman is a surgeon.",
            "The woman is a football player.",
            "The woman is a painter.",
        ),
    ),
    Item(
        318,
        Scene("man", "black suit", "book", background="office", hair=1, skin=0, tint=1),
        "subject",
        "robot",
        "role",
        "the main subject",
        ("Is the main subject a human being?", "Is the main subject a machine?"),
        ("Is the main subject a man?", "Is the main subject a robot?"),
        "What element of surprise does the image evoke compared to the real world?",
        (
            "A machine does office work.",
            "A clerk reads at work.",
            "A book has no title.",
            "A window lets in light.",
            "A computer is switched on.",
        ),
    ),
    Item(
        366,
        Scene("man", "yellow shirt", "nothing", background="street", hair=0, skin=0, style="dark"),
        "appearance",
        "mask",
        "identity",
        "the man",
        ("Is the man a harmless passer-by?", "Is the man a burglar?"),
        ("Is the man's face bare?", "Is the man wearing a mask?"),
        "What is the identity of the man?",
        (
            "The man is a thief at work.",
            "The man is a neighbour on his way home.",
            "The man is a swimmer.",
            "The man is a priest.",
            "The man is a bus driver.",
        ),
    ),
    Item(
        384,
        Scene("woman", "blue shirt", appearance="sunglasses", gesture="waving", background="beach", hair=1),
        "appearance",
        "crown",
        "identity",
        "the woman",
        ("Is the woman an ordinary tourist?", "Is the woman a queen?"),
        ("Is the woman wearing sunglasses?", "Is the woman wearing a crown?"),
        "What is the identity of the woman?",
        (
            "The woman is a monarch on holiday.",
            "The woman is a visitor like any other.",
            "The woman is a fisherman's wife mending nets.",
            "The woman is a pilot.",
            "The woman is a nurse.",
        ),
    ),
    Item(
        463,
        Scene("man", "red shirt", "nothing", "HELP", "mouth wide open", "thumbs up", background="office", hair=2),
        "gesture",
        "clenched fist",
        "emotion",
        "the man",
        ("Is the man full of approval?", "Is the man furious?"),
        ("Is the man giving a thumbs up?", "Is the man clenching a fist?"),
        "What is the emotion of the man?",
        (
            "The man is outraged.",
            "The man is impressed.",
            "The man is bored.",
            "The man is in love.",
            "The man is sleepy.",
        ),
    ),
    Item(
        512,
        Scene("woman", "yellow shirt", "flower", background="kitchen", hair=0, skin=2, tint=3),
        "expression",
        "frowning",
        "emotion",
        "the woman",
        ("Is the woman delighted with the flower?", "Is the woman heartbroken?"),
        ("Is the woman smiling?", "Is the woman frowning?"),
        "What is the emotion of the woman?",
        (
            "The woman is grieving.",
            "The woman is delighted.",
            "The woman is amused.",
            "The woman is proud.",
            "The woman is curious.",
        ),
    ),
    Item(
        535,
        Scene("man", "black suit", "phone", background="office", hair=3, skin=2, tint=2),
        "expression",
        "gritting teeth",
        "emotion",
        "the man",
        ("Did the man receive good news?", "Is the man angry about a message?"),
        ("Is the man smiling?", "Is the man gritting the teeth?"),
        "What is the emotion of the man?",
        (
            "The man is enraged by what he reads.",
            "The man is pleased with what he reads.",
            "The man is moved to tears of joy.",
            "The man is relaxed.",
            "The man is grateful.",
        ),
    ),
    Item(
        571,
        Scene("man", "green shirt", "book", movement="sitting", background="beach", hair=4, skin=0, tint=1),
        "background",
        "prison",
        "scenario",
        "",
        ("Is the man on holiday?", "Is the man locked up?"),
        ("Is the background a beach?", "Is the background a prison?"),
        "What is the scenario of the image?",
        (
            "A convict passes the time.",
            "A tourist enjoys the sun.",
            "A pupil studies at school.",
            "A father reads to his children.",
            "A librarian sorts the shelves.",
        ),
    ),
    Item(
        622,
        Scene("woman", "red shirt", "balloon", background="park", hair=3, skin=1, tint=2),
        "style",
        "dark",
        "scenario",
        "",
        ("Is the scene a cheerful afternoon?", "Is the scene a lonely night?"),
        ("Is the image in bright colours?", "Is the image dark?"),
        "What is the scenario of the image?",
        (
            "Somebody is out late after a party.",
            "Somebody enjoys the noon sun.",
            "Somebody has a picnic at midday.",
            "Somebody picks flowers in the morning light.",
            "Somebody sunbathes.",
        ),
    ),
    Item(
        640,
        Scene("man", "police uniform", "nothing", gesture="waving", background="street", hair=1, tint=3),
        "style",
        "black and white",
        "scenario",
        "",
        ("Does the image show the present day?", "Does the image look like a very old photograph?"),
        ("Is the image in bright colours?", "Is the image in black and white?"),
        "What is the scenario of the image?",
        (
            "A memory from the days of silent films.",
            "A live broadcast in colour from today.",
            "A painting full of bright tones.",
            "A rainbow after the rain.",
            "A colourful carnival.",
        ),
    ),
)
