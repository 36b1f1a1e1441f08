"""A server that plays the language model of a construction: good, chatty, refusing and repeating by turns.

What it answers is a function of the prompt and the seed alone, so that two runs of the same command get the same
answers, whatever the order of their calls.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

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
