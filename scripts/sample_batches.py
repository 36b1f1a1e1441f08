"""Ask questions of pictures and pack them into rows for training.

Several questions share a picture. They are packed into rows: the picture's tokens once, then question after
question with its answer, each of which sees the picture and itself alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from PIL import Image

from scripts import sample_questions as ask
from scripts.sample_stream import Pictures
from scripts.sample_world import ATTRIBUTES, Pair, Scene

IGNORED = -100
"""The label of a token from which nothing is learnt."""
ROW_TOKENS = 190
"""A row of questions is at most so long, the picture not counted."""
STAGES = (0.2, 0.45)
"""Shares of the questions' steps: until the first most answers are words, which teach more than yes and no;
until the second few are letters."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as the model sees it, with what it is asked about it."""

    pixels: Image.Image
    questions: list[ask.Question]


def _some(candidates: Iterator[ask.Question | None], n: int) -> list[ask.Question]:
    """The first n questions that could be asked, of at most 8 n tries."""
    found: list[ask.Question] = []
    for _, question in zip(range(8 * n), candidates, strict=False):
        if question is not None:
            found.append(question)
        if len(found) == n:
            break
    return found


def stage(progress: float) -> int:
    """Which of the three stages of `STAGES` a share of the steps lies in."""
    return sum(progress >= start for start in STAGES)


def single_questions(scene: Scene, progress: float, rng: random.Random) -> list[ask.Question]:
    """Questions on one picture of a pair: words first, later mostly yes/no and letters."""
    names = list(ATTRIBUTES)
    n_open, n_low, n_high = ((9, 6, 0), (3, 8, 1), (1, 8, 2))[stage(progress)]
    attributes = rng.sample(names, len(names))
    questions = _some((ask.open_question(scene, name, rng) for name in attributes), n_open)
    endless = iter(lambda: rng.choice(names), "")
    questions += _some((ask.low_yes_no(scene, name, rng) for name in endless), n_low)
    questions += _some((ask.high_yes_no(scene, rng) for _ in range(99)), n_high)
    choices = [ask.low_choice(scene, rng.choice(names), rng) for _ in range(2 * (stage(progress) > 0))]
    if stage(progress) == 2 and rng.random() < 0.4:
        choices.append(ask.high_choice(scene, rng))
    questions += [question for question in choices if question is not None]
    return questions


def cross_questions(pair: Pair, progress: float, rng: random.Random) -> list[ask.Question]:
    """Questions on a pair side by side."""
    n_side, n_low, n_high = ((8, 0, 0), (4, 2, 0), (2, 3, 1))[stage(progress)]
    names = rng.sample(list(ATTRIBUTES), len(ATTRIBUTES))
    questions = _some((ask.cross_side(pair, name, rng) for name in names), n_side)
    questions.append(ask.cross_open(pair, rng))
    questions += [ask.cross_low_choice(pair, rng) for _ in range(n_low)]
    questions += [ask.cross_high_choice(pair, rng) for _ in range(n_high)]
    return questions


@dataclass(frozen=True, slots=True)
class Batch:
    """Packed rows.

    Attributes:
        pixels: (P, 3, S, S), normalised.
        picture: (B,) which of the pictures a row is about.
        ids: (B, T) tokens after the picture's prefix; position 0 of a question is its first token.
        labels: (B, T) the token to be written next, IGNORED where nothing is learnt.
        owner: (B, T) number of the question that a token belongs to, -1 for padding.
        position: (B, T) position within the question.
        options: (row, column of its last token, whether it is right, the question with the option's value as
            `asked`) an option of every question by letter.
        spans: (row, first column of the answer's predictions, their end, question) a question.
    """

    pixels: torch.Tensor
    picture: torch.Tensor
    ids: torch.Tensor
    labels: torch.Tensor
    owner: torch.Tensor
    position: torch.Tensor
    spans: list[tuple[int, int, int, ask.Question]]
    options: list[tuple[int, int, bool, ask.Question]]


def pack(shown: Sequence[Shown], tokenizer: Any) -> Batch:
    """Tokenize the questions of every picture into rows of at most `ROW_TOKENS` tokens."""
    rows: list[list[tuple[int, int, int, int]]] = []
    spans: list[tuple[int, int, int, ask.Question]] = []
    picture: list[int] = []
    options: list[tuple[int, int, bool, ask.Question]] = []
    newline = tokenizer("\n", add_special_tokens=False)["input_ids"][0]
    ask_id, end_id = tokenizer.convert_tokens_to_ids("<assistant>"), tokenizer.eos_token_id
    for number, item in enumerate(shown):
        prompts = tokenizer([q.text for q in item.questions], add_special_tokens=False)["input_ids"]
        answers = tokenizer([q.answer for q in item.questions], add_special_tokens=False)["input_ids"]
        for owner, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
            ids = [*prompt, ask_id, *answer]
            labels = [IGNORED] * len(prompt) + [*answer, end_id]
            room = (r for r, of in enumerate(picture) if of == number and len(rows[r]) + len(ids) <= ROW_TOKENS)
            at_row = next(room, len(rows))
            if at_row == len(rows):
                rows.append([])
                picture.append(number)
            row, start = rows[at_row], len(rows[at_row])
            spans.append((at_row, start + len(prompt), start + len(ids), item.questions[owner]))
            if item.questions[owner].by_letter:
                ends = [start + at for at, token in enumerate(prompt) if token == newline][1:]
                right = ord(item.questions[owner].answer) - 65
                claims = item.questions[owner].as_claims()
                options += [
                    (at_row, column, n == right, claim)
                    for n, (column, claim) in enumerate(zip(ends, claims, strict=True))
                ]
            row += [(i, label, owner, at) for at, (i, label) in enumerate(zip(ids, labels, strict=True))]
    longest = max(map(len, rows))
    filler = (tokenizer.pad_token_id, IGNORED, -1, 0)
    table = torch.tensor([row + [filler] * (longest - len(row)) for row in rows])
    pixels = torch.from_numpy(np.stack([np.asarray(item.pixels) for item in shown]))
    ids_of, labels_of, owner_of, position_of = table.unbind(-1)
    return Batch(normalise(pixels), torch.tensor(picture), ids_of, labels_of, owner_of, position_of, spans, options)


def normalise(pixels: torch.Tensor) -> torch.Tensor:
    """(B, S, S, 3) bytes to (B, 3, S, S) in -1…1, as the saved processor does."""
    return pixels.permute(0, 3, 1, 2).float() / 127.5 - 1


def make_batch(items: Sequence[tuple[Pair, Pictures]], progress: float, rng: random.Random, tokenizer: Any) -> Batch:
    """Three pictures a pair, with fresh questions; from progress 1 on, a third of them blurred as well."""
    shown = []
    for pair, (source, edited, both) in items:
        shown.append(Shown(source, single_questions(pair.source, progress, rng)))
        shown.append(Shown(edited, single_questions(pair.edited, progress, rng)))
        shown.append(Shown(both, cross_questions(pair, progress, rng)))
    if progress >= 1:
        for item in shown:
            closed = [question for question in item.questions if "\n" in question.text]
            item.questions.extend(ask.blur(q, rng) for q in closed if rng.random() < 1 / 3)
    return pack(shown, tokenizer)
