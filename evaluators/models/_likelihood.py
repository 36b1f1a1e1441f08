"""Log-likelihoods of continuations, given the same prompt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_SPREAD = 128  # positions: rows whose scored parts lie further apart than this do not share a batch
Encode = Callable[[str], list[int]]
Forward = Callable[["torch.Tensor", "torch.Tensor", int], "torch.Tensor"]


@dataclass(frozen=True, slots=True)
class Row:
    """A prompt's tokens and a continuation's, one row of a batch.

    Attributes:
        owner: index of the request.
        place: index of the continuation within the request.
    """

    owner: int
    place: int
    prompt: tuple[int, ...]
    continuation: tuple[int, ...]

    @property
    def seen(self) -> tuple[int, ...]:
        """What the model must read: everything but the last token, which is only predicted."""
        return self.prompt + self.continuation[:-1]

    def __len__(self) -> int:
        return len(self.prompt) + len(self.continuation)


def split_prompt(prompt: str) -> tuple[str, str]:
    """A plain prompt, and the white space at its end, which belongs to the continuations.

    Tokenizers join a blank to the word behind it, so a prompt that ends in a blank would end in a token that
    the model hardly ever saw in front of a word (as in lm-evaluation-harness).
    """
    kept = prompt.rstrip()
    return kept, prompt[len(kept) :]


def separated(prompt: str, continuation: str, after_control: bool = False) -> str:
    """The continuation as it would stand behind the prompt: a word apart.

    "Answer:" is followed by " B", a template's "assistant\\n" or "<assistant>" by "B".

    Args:
        prompt: the rendered prompt.
        continuation: the text behind it.
        after_control: whether the prompt ends in a control token.
    """
    apart = not prompt or after_control or prompt[-1].isspace() or continuation[:1].isspace()
    return continuation if apart else f" {continuation}"


def continuation_ids(encode: Encode, alone: Encode, prompt: str, continuations: Sequence[str]) -> list[tuple[int, ...]]:
    """The tokens of each continuation: what is left of the whole text's tokens behind the prompt's.

    Where the last characters of the prompt and the first of the continuation join in one token, there is no
    such boundary. The continuation is then tokenized on its own, so that every continuation of a question
    is scored as a whole and on the same prompt.

    Args:
        encode: tokenizes a whole text, special tokens included.
        alone: tokenizes a text without special tokens.
        prompt: the rendered prompt.
        continuations: the texts that may stand behind it.
    """
    before = encode(prompt)
    found = []
    for continuation in continuations:
        whole = encode(prompt + continuation)
        joined = len(whole) <= len(before) or whole[: len(before)] != before
        found.append(tuple(alone(continuation) if joined else whole[len(before) :]))
    return found


def batches(rows: Sequence[Row], size: int) -> Iterator[list[Row]]:
    """Rows in batches of at most `size` texts to read, the longest first, rows of one prompt side by side.

    Continuations of one token, such as letters, share the text before them.
    """
    order = sorted(rows, key=lambda row: (len(row.prompt), row.owner, len(row)), reverse=True)
    batch: list[Row] = []
    for row in order:
        if batch:
            start = min(len(row.prompt), *(len(other.prompt) for other in batch))
            own = max(len(other.continuation) for other in (*batch, row))
            end = max(len(row), *(len(other) for other in batch))
            texts = {other.seen for other in batch}
            if len(texts | {row.seen}) > size or end - start > own + _SPREAD:
                yield batch
                batch = []
        batch.append(row)
    if batch:
        yield batch


def score(rows: Sequence[Row], forward: Forward, pad: int, device: torch.device) -> list[float]:
    """Log-likelihoods (natural log, summed over the continuation's tokens), one a row.

    Texts are filled up on the right: in a causal model nothing looks there, so that the numbers do not depend
    on the neighbours, whatever kind of positions the model has.

    Args:
        rows: one batch.
        forward: (ids, mask, k) to the logits of the last k positions, shape (texts, k, vocabulary).
        pad: the token that fills up.
        device: where the ids go.
    """
    import torch

    places = {text: place for place, text in enumerate(dict.fromkeys(row.seen for row in rows))}
    length = max(map(len, places))
    first = min(len(row.prompt) for row in rows) - 1
    ids = torch.full((len(places), length), pad, dtype=torch.long)
    mask = torch.zeros((len(places), length), dtype=torch.long)
    for text, place in places.items():
        ids[place, : len(text)] = torch.tensor(text)
        mask[place, : len(text)] = 1
    logits = forward(ids.to(device), mask.to(device), length - first)
    return [_sum(logits[places[row.seen]], row, len(row.prompt) - 1 - first) for row in rows]


def _sum(logits: torch.Tensor, row: Row, start: int) -> float:
    """Sum over a row's continuation; `logits[start]` predicts its first token."""
    import torch

    steps = torch.log_softmax(logits[start : start + len(row.continuation)].float(), dim=-1)
    targets = torch.tensor(row.continuation, device=steps.device).unsqueeze(1)
    total = float(steps.gather(1, targets).sum())
    return total if not math.isnan(total) else -math.inf


def empty_continuation(continuations: Sequence[str]) -> str | None:
    """What is wrong with a request's continuations, if one is empty."""
    for number, text in enumerate(continuations, 1):
        if not text:
            return f"continuation {number} of {len(continuations)} is empty; it has no likelihood"
    return None
