"""How a task is asked and scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from punctum.prompts import Prompts
from punctum.records import Generation


@dataclass(frozen=True)
class Options:
    """How a task is asked and scored: the options of `punctum run` and `punctum score`.

    Attributes:
        subset: part of the data; the task's `subsets` are known; None is all.
        limit: only the first rows of the data.
        ids: only the questions with these ids.
        setting: `vlm` (the picture), `sm` (a caption) or `lm` (neither).
        prompt_slots: which of the task's prompts, counted from 1; None is all.
        circular: ask every rotation of the options, too.
        shuffle: show the options in an order drawn by (seed, id) instead of the published one.
        seed: of everything that is drawn.
        scoring: one of `SCORINGS`; None is what the model can do.
        continuation: what likelihood compares: `letter`, `text` (summed) or `text_norm` (per UTF-8 byte).
        describe: whether the prompt holds a description: `none`, `self` (a model writes it) or `annotated`.
        split: which split of the data, where a task has several; None is its first.
        negatives: which wrong options, where a task has a choice: `hard` or `easy`.
        context: what the model is told of a picture: parts joined by `+`; None is what suits the model.
        wording: whose wording of the prompts, where a paper has several; None is the task's first.
        similarity_model: who embeds texts to compare them: a folder or Hub id; None is the task's own.
        caption: whose caption the setting `sm` shows: `self` (a model writes it) or `meta` (the data's own).
        given_captions: captions by id, from a file; they come before `caption`.
        cot: zero-shot chain of thought.
        system: system prompt, already read.
        parser: `robust`, `paper`, or one of the published extractions by name.
        generation: how the model writes.
        judged: whether a judge's verdicts on the answers are at hand.
        judge_settings: fields of `Generation` for the judge, who writes greedily without, whatever the answering
            model does, and at most `Judgement.max_new_tokens` tokens.
        prompts: the templates.
        confidence_level, n_resamples: of the bootstrap; 0 resamples leave the intervals out.
    """

    subset: str | None = None
    limit: int | None = None
    ids: frozenset[str] | None = None
    setting: str = "vlm"
    prompt_slots: tuple[int, ...] | None = None
    circular: bool = False
    shuffle: bool = False
    seed: int = 0
    scoring: str | None = None
    continuation: str = "letter"
    describe: str = "none"
    split: str | None = None
    negatives: str = "hard"
    context: str | None = None
    wording: str | None = None
    similarity_model: str | None = None
    caption: str = "self"
    given_captions: Mapping[str, str] | None = None
    cot: bool = False
    system: str | None = None
    parser: str = "robust"
    generation: Generation = field(default_factory=Generation)
    judged: bool = False
    judge_settings: Mapping[str, Any] = field(default_factory=dict)
    prompts: Prompts = field(default_factory=Prompts)
    confidence_level: float = 0.95
    n_resamples: int = 1000
