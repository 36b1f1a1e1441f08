"""Lines of a run's `predictions.jsonl` and `samples.jsonl`, read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Key(NamedTuple):
    """Where an answer belongs within a task."""

    id: str
    rotation: int | None
    prompt_slot: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A line of `predictions.jsonl`; see `docs/files.md`.

    Attributes:
        permutation: None for the published order.
        verdict: a judge's words; None where none was asked.
    """

    key: Key
    task: str
    setting: str
    output: str | None
    parsed: tuple[int, ...] | tuple[str, ...] | str | None
    rule: str
    correct: bool
    error: str | None
    scores: tuple[float, ...] | None
    permutation: tuple[int, ...] | None
    verdict: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A line of `samples.jsonl`: what was shown.

    Attributes:
        gold: choice: indices into `options`; yes/no: the word; labels: their names; objects, text: references.
        cluster: questions of one cluster (mostly: on one picture) are resampled together.
        pictures: names of small copies within the run's `pictures/`; None where there is none.
        prompt, system, shows_pictures: what the model was asked; None where that is not known (answers from a file).
        stages: what models wrote before the question was asked, by the name of the stage.
        reasoning: what a server kept apart from the answer.
        fields: further columns of the row that are words, numbers or lists of them.
    """

    key: Key
    task: str
    setting: str
    form: str
    category: str | None
    cluster: str
    options: tuple[str, ...]
    option_kinds: tuple[str, ...]
    gold: tuple[int, ...] | tuple[str, ...] | str
    first_number: int | None
    wanted: int
    pictures: tuple[str | None, ...]
    prompt: str | None
    system: str | None
    shows_pictures: bool | None
    stages: Mapping[str, str]
    reasoning: str | None
    fields: Mapping[str, Any]


def _key(line: Mapping[str, Any]) -> Key:
    return Key(str(line["id"]), line["rotation"], int(line["prompt_slot"]))


def read_answer(line: Mapping[str, Any]) -> Answer:
    """Read a line of `predictions.jsonl`; raises KeyError, TypeError or ValueError."""
    return Answer(
        _key(line),
        str(line["task"]),
        str(line["setting"]),
        line["output"],
        _tuple(line["parsed"]),
        str(line["rule"]),
        bool(line["correct"]),
        line["error"],
        _tuple(line.get("scores")),
        _tuple(line.get("permutation")),
        line.get("verdict"),
    )


def read_question(line: Mapping[str, Any]) -> Question:
    """Read a line of `samples.jsonl`; raises as `read_answer`."""
    return Question(
        _key(line),
        str(line["task"]),
        str(line["setting"]),
        str(line["form"]),
        line["category"],
        str(line["cluster"]),
        tuple(line["options"]),
        tuple(line["option_kinds"]),
        _tuple(line["gold"]),
        line["first_number"],
        int(line["wanted"]),
        tuple(line["pictures"]),
        line["prompt"],
        line["system"],
        line["shows_pictures"],
        dict(line["stages"]),
        line["reasoning"],
        dict(line.get("fields") or {}),
    )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
