"""Teach the sample model's vision tower to see: linear heads on its picture tokens, one an attribute.

The heads are thrown away after training. They give the tower eleven exact answers a picture at the price of
no text, which is many times quicker than learning to see through questions alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn.functional import cross_entropy

from scripts.sample_world import ATTRIBUTES, Pair, Scene

NAMES = tuple(ATTRIBUTES)
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
