"""What may stand in one ranking: signatures read field by field, and compared.

A signature says everything that changes a score. Its fields are of three kinds:

- *conditions* (data, rows, prompts, setting, parser, …): two scores whose conditions differ answer different
  questions, and are not ranked together without saying so;
- *asides* (generation settings, who made parts of a context, versions): papers rank over them; said, not held apart;
- everything else is the model: its revision, backend, dtype, chat template, …
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

#: Fields that `rows`, the hash of ids, options and golds as shown, settles: they explain a difference of it.
SETTLED_BY_ROWS = ("n", "subset", "limit", "ids", "split", "negatives", "order", "circular")
CONDITIONS = (
    "task",
    "data",
    "rows",
    *SETTLED_BY_ROWS,
    "context",
    "similarity",
    "setting",
    "describe",
    "caption",
    "cot",
    "prompts",
    "system",
    "scoring",
    "parser",
)
ASIDES = ("generation", "made_by", "stop_early", "punctum")
#: The hash of a file that each model has of its own: a condition is only whether there was one.
_VERDICTS = "verdicts"
#: A field whose name begins so is a condition, too: who judges free answers, and by which prompt.
_JUDGE = "judge"
#: The keys that open a part; a value may hold `|` itself (a model's name from a server, say).
_PART = re.compile(r"\|(?=[a-z][a-z_0-9]*:)")

T = TypeVar("T")


@dataclass(frozen=True)
class Difference:
    """A field in which two signatures differ; None where one does not have it."""

    field: str
    one: str | None
    other: str | None

    def __str__(self) -> str:
        return f"{self.field} {_shown(self.one)} against {_shown(self.other)}"


class Signature(Mapping[str, str]):
    """A signature of `results.json`, read: field to value. `str()` gives it back as it stands there."""

    def __init__(self, text: str) -> None:
        self._text = text
        parts = (part.partition(":") for part in _PART.split(text) if part)
        self._fields = {name: value for name, _, value in parts}

    def __getitem__(self, name: str) -> str:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Signature({self._text!r})"

    def __hash__(self) -> int:
        return hash(self._text)

    def conditions(self) -> dict[str, str | None]:
        """The fields that must be equal in a ranking, without those that the hash of the rows settles."""
        names = [name for name in CONDITIONS if "rows" not in self or name not in SETTLED_BY_ROWS]
        judges = sorted(name for name in self if name.startswith(_JUDGE))
        found = {name: self.get(name) for name in (*names, *judges)}
        return {**found, _VERDICTS: "given" if _VERDICTS in self else None}


def differences(one: Signature, other: Signature) -> list[Difference]:
    """The conditions in which two signatures differ; none if both may stand in one ranking.

    Where the rows differ, the fields that say why (subset, limit, order, …) follow.
    """
    mine, theirs = one.conditions(), other.conditions()
    names = [name for name in dict.fromkeys((*mine, *theirs)) if mine.get(name) != theirs.get(name)]
    if "rows" in names:
        at = names.index("rows") + 1
        names[at:at] = [name for name in SETTLED_BY_ROWS if one.get(name) != other.get(name) and name not in names]
    return [Difference(name, mine.get(name, one.get(name)), theirs.get(name, other.get(name))) for name in names]


def asides(one: Signature, other: Signature) -> list[Difference]:
    """What else differs beside the model: said next to a ranking, without splitting it."""
    return [Difference(name, one.get(name), other.get(name)) for name in ASIDES if one.get(name) != other.get(name)]


def comparable_sets(items: Sequence[T], signature: Callable[[T], Signature]) -> list[list[T]]:
    """Items in sets of equal conditions, the largest set first; else in the order given.

    Args:
        items: whatever has a signature.
        signature: gives it.
    """
    found: dict[tuple[tuple[str, str | None], ...], list[T]] = {}
    for item in items:
        key = tuple(sorted(signature(item).conditions().items()))
        found.setdefault(key, []).append(item)
    return sorted(found.values(), key=len, reverse=True)


def _shown(value: str | None) -> str:
    if value is None:
        return "none"
    return value if len(value) <= 60 else value[:57] + "…"
