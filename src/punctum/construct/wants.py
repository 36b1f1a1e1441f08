"""What a text is that is wanted of a model, and how models are asked for texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from punctum.records import Generation, Picture, Request, Response, Sample, Unit

#: The fault of a want whose call brought no answer.
CALL_FAILED = "the call failed"


class Unusable(Exception):
    """What a model wrote cannot be used.

    Args:
        reason: one of a few, since reasons are counted ("refusal").
        detail: what of this text, for the list of faults.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True)
class Kept:
    """What is kept of a model's words.

    Attributes:
        value: a JSON value; it stands in the record, too.
        notes: what was done to the words ("chatter cut"), one of a few, since notes are counted.
    """

    value: Any
    notes: tuple[str, ...] = ()


def _nothing() -> Kept | None:
    return None


@dataclass(frozen=True)
class Want:
    """A text that is wanted of a model.

    Attributes:
        item: what it is for: a picture's or a row's id, the same wherever the item is named.
        step: which of the item's texts it is (`object_swap`, `caption`); item, `about` and step tell it from others.
        prompt: the template, `construct/KIND/NAME`.
        fields: fill the template.
        read: what is kept of a response, called with one try after the other; raises `Unusable`. The wants of one
            `ask` are read in their order after each round, so that `read` may compare with what others kept.
        stand_in: in place of `read`'s value in a dry run, so that later steps have something to show; unlike those of
            other items, or their later requests would count as one.
        pictures: that the model sees.
        about: further words of the record (`{"positive": …}`).
        otherwise: called when no try was usable: what can be kept of all of them together, or None.
    """

    item: str
    step: str
    prompt: str
    fields: Mapping[str, object]
    read: Callable[[Response], Kept]
    stand_in: Any
    pictures: tuple[Picture, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    otherwise: Callable[[], Kept | None] = _nothing


@dataclass(frozen=True)
class Manner:
    """How models are asked: the options of the command.

    Attributes:
        generation: of the first try; `max_new_tokens` counts only where `fixed_length` is set.
        fixed_length: take `generation.max_new_tokens` for every step, whatever the step would allow.
        tries: how often a text is asked for at the most.
        again_temperature: of further tries, which a greedy model would answer like the first.
        dry_run: ask nothing; count, and show a filled prompt a step.
        quiet: print nothing.
    """

    generation: Generation = field(default_factory=Generation)
    fixed_length: bool = False
    tries: int = 3
    again_temperature: float = 0.7
    dry_run: bool = False
    quiet: bool = False


@dataclass
class Asking:
    """Wants on their way through the tries.

    Attributes:
        open: the places of those that still want an answer.
        kept: what was kept of each.
        refused: by place, why the last answer could not be used, and its words.
    """

    wants: Sequence[Want]
    prompts: Sequence[str]
    max_new_tokens: int
    open: list[int] = field(init=False)
    kept: list[Any] = field(init=False)
    refused: dict[int, tuple[Unusable, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.open = list(range(len(self.wants)))
        self.kept = [None] * len(self.wants)


def request_of(want: Want, prompt: str, attempt: int = 0) -> Request:
    """What a model is asked for a want."""
    sample = Sample(Unit(want.item, want.step), "text", (), pictures=want.pictures)
    return Request(sample, prompt, want.pictures, attempt=attempt)
