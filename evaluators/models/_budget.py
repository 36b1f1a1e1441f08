"""What a run may cost: a number of calls, a number of tokens; and the estimate of both before anything is asked."""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from punctum.records import Picture, Request, Response

if TYPE_CHECKING:
    pass

CHARACTERS = 4  # of text a token, where no tokenizer is at hand: what English takes in common tokenizers
PATCH = 28  # pixels: Qwen2-VL and its successors make a token of each square of this side

HOW = f"a token for {CHARACTERS} characters of text and for each {PATCH} × {PATCH} pixels of a picture"


def text_tokens(request: Request) -> int:
    """Estimated tokens of a request's text, by its length."""
    return -(-sum(map(len, texts_of(request))) // CHARACTERS)


def texts_of(request: Request) -> tuple[str, ...]:
    """All texts that a model reads of a request."""
    return request.system or "", request.prompt, *request.queries, *request.continuations


def picture_tokens(pictures: Sequence[Picture]) -> int:
    """Estimated tokens of pictures, by their size; one that cannot be read has none."""
    from PIL import Image

    total = 0
    for picture in pictures:
        try:
            with Image.open(io.BytesIO(picture.data) if picture.data else str(picture.path)) as image:
                width, height = image.size
        except Exception:  # decoders raise many kinds; who asks the question says what is wrong
            continue
        total += -(-width // PATCH) * -(-height // PATCH)
    return total


def tokens_used(request: Request, response: Response) -> int:
    """What a call took: what the model counted, estimates for what it did not."""
    prompt = response.prompt_tokens
    if prompt is None:
        prompt = text_tokens(request) + picture_tokens(request.pictures)
    output = response.output_tokens
    if output is None:
        output = -(-len(response.text + (response.reasoning or "")) // CHARACTERS)
    return prompt + output


class OutOfBudget(RuntimeError):
    """No further call may begin. What has been answered is kept."""


class Budget:
    """Calls and tokens that a run may still use; threads may share it.

    A call begins only if it fits, at its most, beside what has been used and what the calls under way may use at
    theirs; it waits for those where it may fit afterwards. So calls never go over the limit, and tokens only as far
    as the estimate of a prompt was too low.

    Attributes:
        calls, tokens: used so far, calls under way included in `calls`.
    """

    def __init__(self, max_calls: int | None = None, max_tokens: int | None = None) -> None:
        self.max_calls = max_calls
        self.max_tokens = max_tokens
        self.calls = 0
        self.tokens = 0
        self._under_way = 0
        self._reserved = 0
        self._changed = threading.Condition()
        self._over: str | None = None

    def begin(self, most: int) -> None:
        """Take a call out of the budget before it is made.

        Args:
            most: tokens that it may take.

        Raises:
            OutOfBudget: if it does not fit.
        """
        with self._changed:
            while self._over is None:
                self._over = self._no_calls()
                if self._over is None and self._fits(most):
                    self.calls += 1
                    self._under_way += 1
                    self._reserved += most
                    return
                if self._over is None and not self._under_way:
                    self._over = f"{self._spent()}, and the next call may take {most:,}"
                if self._over is None:
                    self._changed.wait()
            self._changed.notify_all()
            raise OutOfBudget(self._over)

    def end(self, most: int, used: int) -> None:
        """Say what a call took, once it is over.

        Args:
            most: as given to `begin`.
            used: tokens.
        """
        with self._changed:
            self._under_way -= 1
            self._reserved -= most
            self.tokens += used
            self._changed.notify_all()

    def over(self) -> str | None:
        """Why nothing more may begin; None while something may."""
        if self._over is None and self.max_tokens is not None and self.tokens >= self.max_tokens:
            return self._spent()
        return self._over or self._no_calls()

    def _fits(self, most: int) -> bool:
        return self.max_tokens is None or self.tokens + self._reserved + most <= self.max_tokens

    def _no_calls(self) -> str | None:
        if self.max_calls is None or self.calls < self.max_calls:
            return None
        return f"{self.calls:,} calls of {self.max_calls:,} (--max-calls) are made"

    def _spent(self) -> str:
        return f"{self.tokens:,} tokens of {self.max_tokens:,} (--max-tokens-total) are used"
