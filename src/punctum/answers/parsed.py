"""What a parser gives back, the names of the parsers, and the letters of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)

PARSERS: Mapping[str, str] = MappingProxyType(
    {
        "robust": "reads every kind of answer as a careful person would; in doubt, unparsed",
        "mvp_direct": "MVP-Bench, direct choice: what stands before the first '.', ',' and ')', either case",
        "mvp_circular": "MVP-Bench, circular choice: what stands before the first '.' and ',', capitals only",
        "mvp_yes_no": "MVP-Bench, yes/no: what stands before the first '.' and ',', else the judge's verdict",
        "deepeval": "DeepEval, choice: the first option whose text the output contains, else a capital A-D",
    }
)
"""Name of a parser to what it does. All but `robust` repeat a published extraction, faults included."""


@dataclass(frozen=True)
class Parsed(Generic[T_co]):
    """One answer, read.

    Attributes:
        value: what was answered, or None where nothing can be read for certain (unparsed).
        rule: which rule read it, or why nothing was read (`ambiguous`, `nothing`, `empty`, `truncated`).
        truncated: the output ends inside the model's reasoning, before any answer.
    """

    value: T_co | None
    rule: str
    truncated: bool = False


def check_parser(parser: str, usable: tuple[str, ...], reads: str) -> None:
    """Refuse a parser that does not exist or that reads another form of answer.

    Args:
        parser: the name given.
        usable: the names that serve here.
        reads: the form of answer that is read here, for the message.

    Raises:
        ValueError: naming the known parsers.
    """
    if parser in usable:
        return
    known = ", ".join(usable)
    if parser in PARSERS:
        raise ValueError(f"parser {parser!r} does not read {reads}; use one of: {known}")
    raise ValueError(f"unknown parser {parser!r}; for {reads} the known parsers are: {known}")


@lru_cache(maxsize=4096)
def letter(index: int) -> str:
    """The letter of an option: A to Z, then AA, AB, … as the columns of a spreadsheet.

    Args:
        index: counted from 0.

    Raises:
        ValueError: if the index is negative.
    """
    if index < 0:
        raise ValueError(f"an option's index is 0 or more, not {index}")
    name = ""
    rest = index + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        name = chr(65 + digit) + name
    return name


def index_of(name: str, n_options: int) -> int | None:
    """The index of an option's letter in either case, or None where no option has this letter."""
    index = 0
    for char in name.upper():
        if not "A" <= char <= "Z":
            return None
        index = index * 26 + ord(char) - 64
    return index - 1 if 0 < index <= n_options else None
