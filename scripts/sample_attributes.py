"""Teach the sample model's vision tower to see: linear heads on its picture tokens, one an attribute.

The heads are thrown away after training. They give the tower eleven exact answers a picture at the price of
no text, which is many times quicker than learning to see through questions alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from scripts.sample_questions import Question
from scripts.sample_world import ATTRIBUTES, Pair, Scene

NAMES = tuple(ATTRIBUTES)
_VALUES = [(name, value) for name, values in ATTRIBUTES.items() for value in values]
_NUMBERS = {known: number for number, known in enumerate([*_VALUES, *(("changed", name) for name in NAMES)])}
_SIZES = [len(values) for values in ATTRIBUTES.values()]
_UNKNOWN = -100


class AttributeHeads(nn.Module):
    """Heads for single pictures, for both halves of a picture side by side, and for what changed.

    Args:
        n_tokens: picture tokens.
        width: features a token.
    """

    def __init__(self, n_tokens: int, width: int) -> None:
        super().__init__()
        n = n_tokens * width
        self.single = nn.Linear(n, sum(_SIZES))
        self.left = nn.Linear(n, sum(_SIZES))
        self.right = nn.Linear(n, sum(_SIZES))
        self.changed = nn.Linear(n, len(NAMES))

    def loss(self, features: torch.Tensor, pairs: Sequence[Pair]) -> tuple[torch.Tensor, dict[str, float]]:
        """Loss and accuracies on the three pictures of every pair.

        Args:
            features: (3 P, tokens, width): source, edited and side by side of each pair in turn.
            pairs: the P pairs.

        Returns:
            the mean cross-entropy (nats) over heads, and accuracy by attribute for single pictures,
            `half ATTRIBUTE` for halves, and `changed`.
        """
        source, edited, both = features.flatten(1).reshape(len(pairs), 3, -1).unbind(1)
        singles = torch.cat([self.single(source), self.single(edited)])
        halves = torch.cat([self.left(both), self.right(both)])
        wanted = torch.cat([_targets([p.source for p in pairs]), _targets([p.edited for p in pairs])])
        changed = torch.tensor([NAMES.index(pair.changed) for pair in pairs])
        guess = self.changed(both)
        figures = {"changed": (guess.argmax(-1) == changed).float().mean().item()}
        losses = [0.5 * cross_entropy(guess, changed)]
        for prefix, logits in (("", singles), ("half ", halves)):
            for k, part in enumerate(torch.split(logits, _SIZES, dim=-1)):
                known = wanted[:, k] != _UNKNOWN
                if known.any():
                    losses.append(cross_entropy(part[known], wanted[known, k]))
                    right = part[known].argmax(-1) == wanted[known, k]
                    figures[prefix + NAMES[k]] = right.float().mean().item()
        return torch.stack(losses).sum() / (2 * len(NAMES)), figures


class ThoughtHeads(nn.Module):
    """What the language model should have in mind, half-way up, before it answers.

    Yes or no says so little that comparing is hard to learn from it alone. Two heads ask the state at the
    answer's place for the two sides of the comparison: what the picture shows, and what the question names.
    Where an option names a change, two ask for what is on the left and on the right. The last asks at the
    end of every option whether it is the right one, so that the letter is only to be looked up.

    Args:
        width: features of a state.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.seen = nn.Linear(width, len(_NUMBERS))
        self.asked = nn.Linear(width, len(_NUMBERS))
        self.left = nn.Linear(width, len(_NUMBERS))
        self.right = nn.Linear(width, len(_NUMBERS))
        self.true = nn.Linear(width, 1)

    def option_loss(self, states: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, dict[str, float]]:
        """Binary cross-entropy (nats) of the options, and how often the likeliest half is told.

        Args:
            states: (options, width) where an option ends.
            right: (options,) 1.0 for the right options, 0.0 for the others.
        """
        guess = self.true(states)[:, 0]
        loss = binary_cross_entropy_with_logits(guess, right, pos_weight=torch.tensor(3.0))
        balanced = [((guess > 0) == (right > 0))[right == side].float().mean().item() for side in (0.0, 1.0)]
        return loss, {"Q option": sum(balanced) / 2}

    def loss(self, states: torch.Tensor, questions: Sequence[Question]) -> tuple[torch.Tensor, dict[str, float]]:
        """Mean cross-entropies (nats), summed over the heads, and the heads' accuracies.

        Args:
            states: (questions, width).
            questions: a head leaves out those for which its value is not known.
        """
        total, figures = states.sum() * 0.0, {}
        for name in ("seen", "asked", "left", "right"):
            head: nn.Linear = getattr(self, name)
            numbers = torch.tensor([_number(q, name) for q in questions])
            known = numbers != _UNKNOWN
            if not known.any():
                continue
            logits = head(states[known])
            total = total + cross_entropy(logits, numbers[known])
            figures[f"Q {name}"] = (logits.argmax(-1) == numbers[known]).float().mean().item()
        return total, figures


def _number(question: Question, name: str) -> int:
    """The number of a question's `seen`, `asked`, `left` or `right` among all values and changes."""
    of_change = question.kind in ("cross_open", "cross_low", "cross_high") and name in ("seen", "asked")
    kind = "changed" if of_change else question.attribute
    return _NUMBERS.get((kind, getattr(question, name)), _UNKNOWN)


def _targets(scenes: Sequence[Scene]) -> torch.Tensor:
    """(scenes, attributes) indices of values; a sign's words are unknown where no sign is held."""
    rows = [
        [
            _UNKNOWN if name == "sign" and scene.held != "sign" else values.index(scene.value(name))
            for name, values in ATTRIBUTES.items()
        ]
        for scene in scenes
    ]
    return torch.tensor(rows)
