"""WHOOPS!'s published rows, and the wrong explanations that make a question of each."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from punctum.datasets_scripts.documents import json_entries
from punctum.datasets_scripts.equal_options import plain
from punctum.datasets_scripts.reading import Line, Report

HARD_KINDS = ("random", "verb", "object", "adjective", "causal")
EASY = 15
QUESTION = "Why is this picture unusual?"  # the paper's prompt is not given: our words
_TEXTS = ("designer_explanation", "selected_caption", "commonsense_category", "image_designer")
_LISTS = ("crowd_captions", "crowd_explanations", "crowd_underspecified_captions")
NEEDED = ("designer_explanation", "crowd_explanations")


def image_id(line: Line) -> str:
    """A row's `image_id`, or the name of its picture without suffix where the form has no such column."""
    if "image_id" not in line.data and isinstance(line.data.get("file_name"), str):
        return Path(line.text("file_name")).stem
    return line.text("image_id").strip()


def columns(line: Line) -> dict[str, Any]:
    """The published columns but the picture, lists read where they are JSON texts."""
    row: dict[str, Any] = {}
    for name in _TEXTS:
        value = line.data.get(name)
        if value is not None and not isinstance(value, str):
            raise line.error(f"the field {name!r} should be a text, but is {value!r:.80}")
        row[name] = value.strip() or None if value else None
    for name in _LISTS:
        row[name] = _texts(line, name, line.data.get(name))
    pairs = _list(line, "question_answering_pairs", line.data.get("question_answering_pairs"))
    row["question_answering_pairs"] = [_texts(line, "question_answering_pairs", pair) for pair in pairs]
    return row


def _list(line: Line, name: str, value: Any) -> list[Any]:
    """A list; from a JSON text, or one as Python prints it."""
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except ValueError:
            try:
                value = ast.literal_eval(value.strip())
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                raise line.error(f"the field {name!r} should be a list as JSON text, but is {value!r:.80}") from None
    if value in (None, ""):
        return []
    if not isinstance(value, (list, tuple)):
        raise line.error(f"the field {name!r} should be a list, but is {value!r:.80}")
    return list(value)


def _texts(line: Line, name: str, value: Any) -> list[str]:
    found = _list(line, name, value)
    for entry in found:
        if not isinstance(entry, str):
            raise line.error(f"the field {name!r} should be a list of texts, but holds {entry!r:.80}")
    return [entry.strip() for entry in found if entry.strip()]


def gold_of(row: Mapping[str, Any], gold: str) -> str | None:
    """The right explanation: the designer's, or the crowd's first; None where there is none."""
    if gold == "designer":
        text: str | None = row["designer_explanation"]
        return text
    return next(iter(row["crowd_explanations"]), None)


class Pool:
    """Every image's explanation, to draw wrong ones from.

    Args:
        explanations: image id to its right explanation.
    """

    def __init__(self, explanations: Mapping[str, str]) -> None:
        self._texts = dict(explanations)
        self._ids = sorted(explanations)

    def draw(self, name: str, seed: int, count: int, taken: Iterable[str]) -> list[str]:
        """Explanations of other images, a function of (seed, name) and the set of images, not of their order.

        Args:
            name: the image for which they are drawn.
            count: how many; fewer come where there are not so many different ones.
            taken: texts that may not come again, but for case and punctuation.
        """
        used = {plain(text) for text in taken}
        drawn: list[str] = []
        for other in self._order(f"{seed}:{name}"):
            if len(drawn) == count:
                break
            text = self._texts[other]
            if other != name and plain(text) not in used:
                used.add(plain(text))
                drawn.append(text)
        return drawn

    def _order(self, key: str) -> Iterator[str]:
        """All images in an order that the key draws, lazily: a place each time, the rest in a row after it."""
        seen: set[int] = set()
        for attempt in range(4 * len(self._ids)):
            digest = hashlib.sha256(f"{key}:{attempt}".encode()).digest()
            at = int.from_bytes(digest, "big") % len(self._ids)
            if at not in seen:
                seen.add(at)
                yield self._ids[at]
        yield from (other for at, other in enumerate(self._ids) if at not in seen)


def read_hard_negatives(file: Path) -> dict[str, dict[str, str]]:
    """Read the altered explanations: one JSON object, `{image_id: {kind: text}}`.

    Raises:
        DataError: if the file is missing or no such object, an image comes twice, or a kind is not known.
    """
    negatives: dict[str, dict[str, str]] = {}
    for line in json_entries(file):
        name = line.text("key")
        texts = line.get("value", dict)
        for kind, text in texts.items():
            if kind not in HARD_KINDS:
                raise line.error(f"{name}: the kind {kind!r} is not known: one of {', '.join(HARD_KINDS)}")
            if not isinstance(text, str) or not text.strip():
                raise line.error(f"{name}: the {kind} negative is {text!r:.80}, not a text")
        negatives[name] = {kind: texts[kind].strip() for kind in HARD_KINDS if kind in texts}
    return negatives


def hard_options(name: str, gold: str, altered: Mapping[str, str], pool: Pool, seed: int) -> list[tuple[str, str]]:
    """Kind and text of an image's hard negatives; the random one is drawn where the file has none."""
    found = dict(altered)
    if "random" not in found:
        for text in pool.draw(name, seed, 1, [gold, *found.values()]):
            found["random"] = text
    return [(kind, found[kind]) for kind in HARD_KINDS if kind in found]


def count_missing(name: str, options: Iterable[tuple[str, str]], report: Report) -> None:
    """Count the kinds of hard negatives that an image lacks."""
    there = {kind for kind, _ in options}
    for kind in HARD_KINDS:
        if kind not in there:
            report.add(f"images without a hard negative of kind {kind}", name)
