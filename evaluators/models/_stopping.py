"""Stopping as soon as an answer can be read (`--stop-early`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from punctum import answers
from punctum.records import Request, Sample

_UNFINISHED = re.compile(r"\w+\Z")


class Readable:
    """A stopping criterion of `generate` for each row: its question's answer can be read from what is written.

    A word counts once something stands behind it: "B" may become "Both". Questions of other forms than one choice by
    letter and yes or no run to their end.

    Attributes:
        eos_token_id: nothing; `generate` fills rows that have ended with pads only beside a criterion that has
            this attribute, and a model without an end token has no other.
    """

    eos_token_id = None

    def __init__(self, requests: Sequence[Request], tokenizer: Any) -> None:
        """Watch a batch.

        Args:
            requests: one a row.
            tokenizer: reads the tokens.
        """
        self._samples = [request.sample for request in requests]
        self._tokenizer = tokenizer
        self._start: int | None = None
        self._done = [False] * len(requests)

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Which rows have ended, shape (rows,)."""
        import torch

        if self._start is None:
            self._start = input_ids.shape[1] - 1
        for row, sample in enumerate(self._samples):
            if not self._done[row]:
                new = input_ids[row, self._start :].tolist()
                text = self._tokenizer.decode(new, skip_special_tokens=True, clean_up_tokenization_spaces=False)
                self._done[row] = can_be_read(sample, text)
        return torch.tensor(self._done, device=input_ids.device)


def can_be_read(sample: Sample, text: str) -> bool:
    """Whether what is written answers the question, the word at its end left out."""
    finished = _UNFINISHED.sub("", text)
    if sample.form == "yes_no":
        return answers.parse_yes_no(finished).value is not None
    if sample.form == "choice" and sample.first_number is None and sample.wanted == 1:
        return answers.parse_choice(finished, sample.options).value is not None
    return False
