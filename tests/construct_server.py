"""A server that plays the language model of a construction: good, chatty, refusing and repeating by turns.

What it answers is a function of the prompt and the seed alone, so that two runs of the same command get the same
answers, whatever the order of their calls.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fake_server import REFUSAL, Asked

TRUE = re.compile(r"^Correct (?:Interpretation|explanation): (.*)$", re.MULTILINE)
KINDS = {
    "contradicts the action": "action_alter",
    "opposite reasons": "reason_alter",
    "semantically unrelated": "statement_alter",
    "changing at least one object": "object_swap",
    "modification of adjectives": "adjective_alter",
    "replace one verb": "verb",
    "replace one object": "object",
    "replace one adjective": "adjective",
    "keep the first half": "causal",
}


def kind_of(asked: Asked) -> str:
    return next(kind for words, kind in KINDS.items() if words in asked.prompt)


def good(asked: Asked) -> str:
    """A hard negative of the kind that the prompt asks for, told from others by a number of its own."""
    true, kind = TRUE.findall(asked.prompt)[-1], kind_of(asked)
    number = int(hashlib.sha256(f"{true}{kind}".encode()).hexdigest()[:6], 16)
    action, _, reason = true.partition(" because ")
    return {
        "action_alter": f"I should forget number {number} because {reason}",
        "reason_alter": f"{action} because it costs {number} pounds.",
        "adjective_alter": f"{action} because it is a pale {number}.",
        "object_swap": f"I should buy hat {number} because hats are warm.",
        "statement_alter": f"I should visit town {number} because towns are old.",
        "verb": f"{true.rstrip('.')} and sings {number}.",
        "object": f"{true.rstrip('.')} of spoon {number}.",
        "adjective": f"{true.rstrip('.')} and purple {number}.",
        "causal": f"{true.rstrip('.')} on day {number}.",
    }[kind]


def draw(asked: Asked, n: int) -> int:
    """A number below n from the prompt and the seed of the call."""
    return int(hashlib.sha256(f"{asked.prompt}{asked.body['seed']}".encode()).hexdigest()[:8], 16) % n


def by_turns(asked: Asked) -> str:
    """Good, chatty in two ways, refusing, repeating the true statement, saying the same whatever is asked."""
    true, text = TRUE.findall(asked.prompt)[-1], good(asked)
    answers: list[Callable[[], str]] = [
        lambda: text,
        lambda: f'Sure! Here is a hard negative statement:\n\n"{text}"\n\nThis statement contradicts the original one.',
        lambda: f"**Generated Hard Negative:** {text} (This version changes the meaning.)",
        lambda: REFUSAL,
        lambda: true.upper(),
        lambda: "I should visit the moon because moons are round.",
    ]
    return answers[draw(asked, len(answers))]()


class VaguePlayer:
    """Plays the model of VAGUE's pipeline from finished rows: what people wrote, and by turns what models do wrong.

    Args:
        rows: in VAGUE's raw form.
        faulty: whether some of the answers are bad; all are good otherwise.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], faulty: bool = True) -> None:
        self._rows = rows
        self._faulty = faulty

    def __call__(self, asked: Asked) -> str:
        step = vague_step(asked)
        answers: list[str] = getattr(self, f"_{step}")(asked)
        return answers[draw(asked, len(answers)) if self._faulty else 0]

    def _row(self, asked: Asked, *names: str) -> Mapping[str, Any]:
        """The row one of whose texts stands in the prompt."""
        return next(r for r in self._rows if any(text in asked.prompt for name in names for text in texts_of(r, name)))

    def _direct(self, asked: Asked) -> list[str]:
        row = self._row(asked, "entities")
        caption, (person, action, thing) = row["meta"]["caption"], triplet(row)
        good = f"Prompt: {row['direct']}\nSolution: {row['solution']}\nCaption: {caption}"
        return [
            good,
            f'Certainly!\n\n**Prompt:** "{row["direct"]}"\n\n**Solution:** ({person}, {action}, the {thing}s)\n\n'
            f"**Caption:** {caption}",
            good.replace(thing, "unicorn"),
            f"Prompt: Hey, person9, do it.\nSolution: (person9, {action}, {thing})\nCaption: {caption}",
            f"Prompt: {row['direct']}\nCaption: {caption}",
            good,
        ]

    def _correct(self, asked: Asked) -> list[str]:
        row = self._row(asked, "direct")
        good, (person, _, _) = row["mcq"]["1_correct"], triplet(row)
        return [
            good,
            f'"{good}"',
            f"{person} should do it.",
            f"{good[:-1]}, {'very ' * 15}soon.",
        ]

    def _indirect(self, asked: Asked) -> list[str]:
        row = self._row(asked, "direct")
        (person, action, thing), misread = triplet(row), row["mcq"]["3_surface_understanding"]
        said = texts_of(row, "indirect")
        good = "\n\n".join(f"{n}. **Indirect**: {u}\n   Misread intention: {misread}" for n, u in enumerate(said, 1))
        return [good, good.replace(said[1], f"Hey {person}, please {action} the {thing}!"), said[0], REFUSAL, good]

    def _fake_caption(self, asked: Asked) -> list[str]:
        row = self._row(asked, "indirect")
        caption, (_, _, thing) = row["meta"]["fake_caption"], triplet(row)
        return [caption, f"Here is the description:\n\n{caption}", f"A scene with {thing}.", ""]

    def _fake_scene(self, asked: Asked) -> list[str]:
        row = self._row(asked, "fake_caption")
        good = row["mcq"]["2_fake_scene"]
        return [good, f"a. {good}", row["mcq"]["1_correct"], f"{triplet(row)[0]} wants nothing.", good]

    def _nonexistent_entity(self, asked: Asked) -> list[str]:
        row = self._row(asked, "indirect")
        good, (person, action, thing) = row["mcq"]["4_wrong_entity"], triplet(row)
        return [good, f"Assistant: {good}", f"The speaker wants {person} to {action} the {thing} again.", good]


STEPS = {
    "\nEntity: ": "direct",
    "\nAction: ": "correct",
    "\nOriginal sentence: ": "indirect",
    "Imagine an entirely different scene": "fake_caption",
    "Current situation: ": "fake_scene",
    "[You]": "nonexistent_entity",
}


def vague_step(asked: Asked) -> str:
    return next(step for words, step in STEPS.items() if words in asked.prompt)


def triplet(row: Mapping[str, Any]) -> tuple[str, str, str]:
    person, action, thing = row["solution"].strip("()").split(", ")
    return person, action, thing


def texts_of(row: Mapping[str, Any], name: str) -> list[str]:
    """What a prompt says of a row: its utterance comes in three versions."""
    if name == "entities":
        return [f"Entity: {', '.join(row['meta']['ram_entity'])}\n"]
    if name == "indirect":
        head, _, rest = row["indirect"].partition(", ")
        return [row["indirect"], f"{head}, honestly, {rest}", f"{head}, lol, {rest}"]
    return [row["meta"][name] if name in row["meta"] else row[name]]
