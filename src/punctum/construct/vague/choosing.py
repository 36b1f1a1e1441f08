"""Which of the three indirect versions of a scene is taken: people's choice, or a draw by seed and id."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.construct.vague.checks import STYLES
from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.option_rows import draw
from punctum.datasets_scripts.reading import DataError, Line, decode
from punctum.datasets_scripts.tables import array_or_lines

if TYPE_CHECKING:
    from punctum.construct.vague.making import Draft


@dataclass(frozen=True)
class Choice:
    """What people said of a scene in one file.

    Attributes:
        style: of the version that they chose; None where they were not asked to choose.
        rating: `direct`, `indirect` or both, from 1 to 5.
    """

    style: str | None = None
    rating: Mapping[str, float] = field(default_factory=dict)


def read_chosen(file: Path) -> dict[str, Choice]:
    """Read people's choices: `kept.jsonl` of `punctum construct ratings import direct` or `indirect`, or rows like it.

    A row has `id`; `choice` (or `style`) where a version was chosen; `rating`, the number of the chosen version, of the
    direct complaint where none was chosen, or `{"direct": 5, "indirect": 4}`. JSON or JSON Lines.

    Raises:
        DataError: if the file is missing, a row names no known style, or an id comes twice.
    """
    found: dict[str, Choice] = {}
    for line in array_or_lines(file):
        name, style = line.text("id"), line.data.get("choice", line.data.get("style"))
        if style is not None and style not in STYLES:
            raise line.error(f"no style {style!r}; known: {', '.join(STYLES)}")
        if name in found:
            raise line.error(f"the id {name} was there before")
        found[name] = Choice(style, _rating(line, "direct" if style is None else "indirect"))
    return found


def _rating(line: Line, of: str) -> dict[str, float]:
    value = line.data.get("rating")
    numbers = value if isinstance(value, dict) else {} if value is None else {of: value}
    for name, number in numbers.items():
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        if name not in ("direct", "indirect") or not is_number or not 1 <= number <= 5:
            raise line.error(f"the rating should be a number from 1 to 5, or direct and indirect, but is {value!r:.80}")
    return {name: float(number) for name, number in numbers.items()}


def read_synonyms(file: Path) -> dict[str, list[str]]:
    """Read `{word: [synonym, …]}`.

    Raises:
        DataError: if the file is missing or something else.
    """
    if not file.is_file():
        raise DataError(f"no file {file}")
    try:
        value: Any = json.loads(decode(file.read_bytes()))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}: not JSON ({error})") from None
    if not isinstance(value, dict) or not all(
        isinstance(words, list) and all(isinstance(word, str) for word in words) for words in value.values()
    ):
        raise DataError(f"{file}: an object of words to lists of synonyms is expected")
    return {str(word).casefold(): words for word, words in value.items()}


def choose(drafts: Sequence[Draft], files: Sequence[Mapping[str, Choice]], workshop: Workshop) -> None:
    """Set style and rating of each draft; one that people did not choose, or whose version is not there, gets no style.

    Args:
        drafts: with their indirect versions.
        files: people's choices by id; a scene must be in all of them. Where none chooses a version, it is drawn among
            those of the scene by sha256 of "seed:id".
        workshop: where faults are told.
    """
    known = {draft.scene.id for draft in drafts}
    for name in sorted({name for file in files for name in file} - known):
        workshop.fault(name, "chosen, but no scene with candidates")
    for draft in drafts:
        name, versions = draft.scene.id, list(draft.texts["indirect"])
        if not all(name in file for file in files):
            workshop.fault(name, "not chosen by people")
            continue
        choices = [file[name] for file in files]
        styles = list(dict.fromkeys(choice.style for choice in choices if choice.style is not None))
        drawn = int.from_bytes(draw(workshop.seed, name), "big")
        style = styles[0] if styles else versions[drawn % len(versions)]
        if len(styles) > 1:
            workshop.fault(name, "two versions are chosen", ", ".join(styles))
        elif style not in versions:
            workshop.fault(name, "the chosen version is not there", f"{style}; there are {', '.join(versions)}")
        else:
            draft.style = style
            draft.rating = {of: value for choice in choices for of, value in choice.rating.items()}
