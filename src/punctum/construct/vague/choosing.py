"""Which of the three indirect versions of a scene is taken: people's choice, or a draw by seed and id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.construct.vague.checks import STYLES
from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.reading import DataError, Line, decode, json_lines
from punctum.datasets_scripts.tables import json_array, starts_array

if TYPE_CHECKING:
    from punctum.construct.vague.making import Draft


@dataclass(frozen=True)
class Choice:
    """What people chose for a scene.

    Attributes:
        style: of the version.
        rating: of `direct` and `indirect`, from 1 to 5, where given.
    """

    style: str
    rating: Mapping[str, float] | None = None


def read_chosen(file: Path) -> dict[str, Choice]:
    """Read people's choices: rows with `id`, `style` and `rating` (`{"direct": 5, "indirect": 4}`), JSON or JSON Lines.

    Raises:
        DataError: if the file is missing, a row names no known style, or an id comes twice.
    """
    if not file.is_file():
        raise DataError(f"no file {file}")
    found: dict[str, Choice] = {}
    for line in json_array(file) if starts_array(file) else json_lines(file):
        name, style = line.text("id"), line.text("style")
        if style not in STYLES:
            raise line.error(f"no style {style!r}; known: {', '.join(STYLES)}")
        if name in found:
            raise line.error(f"the id {name} was there before")
        found[name] = Choice(style, _rating(line))
    return found


def _rating(line: Line) -> dict[str, float] | None:
    value = line.data.get("rating")
    if value is None:
        return None
    numbers: dict[str, Any] = {}
    if isinstance(value, dict):
        numbers = {name: value.get(name) for name in ("direct", "indirect")}
    if not numbers or not all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in numbers.values()):
        raise line.error(f"the rating should have numbers direct and indirect, but is {value!r:.80}")
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


def choose(drafts: Sequence[Draft], chosen: Mapping[str, Choice] | None, workshop: Workshop) -> None:
    """Set the style of each draft; one that people did not choose, or whose version is not there, gets none.

    Args:
        drafts: with their indirect versions.
        chosen: by id; None draws among the versions of each scene by sha256 of "seed:id".
        workshop: where faults are told.
    """
    known = {draft.scene.id for draft in drafts}
    for name in chosen or ():
        if name not in known:
            workshop.fault(name, "chosen, but no scene with candidates")
    for draft in drafts:
        name, versions = draft.scene.id, list(draft.texts["indirect"])
        if chosen is None:
            digest = hashlib.sha256(f"{workshop.seed}:{name}".encode()).digest()
            draft.style = versions[int.from_bytes(digest, "big") % len(versions)]
        elif name not in chosen:
            workshop.fault(name, "not chosen by people")
        elif chosen[name].style not in versions:
            workshop.fault(name, "the chosen version is not there", f"{chosen[name].style}; {', '.join(versions)}")
        else:
            draft.style, draft.rating = chosen[name].style, chosen[name].rating
