"""What a language model writes for a pair: the idea, and the questions; JSON objects at the end of its words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from punctum.construct.mvp.categories import Category
from punctum.construct.wants import Kept, Unusable
from punctum.construct.words import plain, said
from punctum.records import Response

N_WRONG = 4
_IDEA = ("subject", "low_source", "low_edited", "high_source", "high_edited", "caption")


def last_object(text: str) -> dict[str, Any]:
    """The last JSON object in a text, whatever stands before it.

    Raises:
        Unusable: if there is none.
    """
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    found: dict[str, Any] | None = None
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError:
            start = text.find("{", start + 1)
            continue
        if isinstance(value, dict):
            found = value
        start = text.find("{", end)
    if found is None:
        raise Unusable("no JSON object", text[-80:])
    return found


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not plain(text):
        raise Unusable("a field is missing", name)
    return " ".join(text.split())


def read_idea(category: Category, response: Response) -> Kept:
    """The idea of an edit.

    Raises:
        Unusable: if a field is missing, or nothing would change.
    """
    value = last_object(said(response))
    wanted = [*_IDEA]
    wanted += ["object"] if category.route == "component" else ["instruction"] if category.route == "direct" else []
    idea = {name: _text(value, name) for name in wanted}
    for level in ("low", "high"):
        if plain(idea[f"{level}_source"]) == plain(idea[f"{level}_edited"]):
            raise Unusable("nothing changes", f"{level}: {idea[f'{level}_source']}")
    return Kept(idea)


def read_questions(response: Response) -> Kept:
    """Yes/no questions of both levels, and a multiple-choice one.

    Raises:
        Unusable: if a part is missing, is no question, or comes twice.
    """
    value = last_object(said(response))
    found: dict[str, Any] = {level: _two(value.get(level), level) for level in ("low", "high")}
    choice = value.get("choice")
    if not isinstance(choice, dict):
        raise Unusable("a field is missing", "choice")
    wrong = choice.get("wrong")
    if not isinstance(wrong, list) or not all(isinstance(text, str) and plain(text) for text in wrong):
        raise Unusable("a field is missing", "choice.wrong")
    answer = _text(choice, "answer")
    options = [answer, *(" ".join(text.split()) for text in wrong)]
    if len({plain(option) for option in options}) < len(options):
        raise Unusable("an option comes twice", "; ".join(options)[:120])
    if len(wrong) < N_WRONG:
        raise Unusable("too few wrong options", f"{len(wrong)} of {N_WRONG}")
    found["choice"] = {"question": _text(choice, "question"), "options": options[: N_WRONG + 1]}
    return Kept(found)


def _two(value: object, level: str) -> list[str]:
    texts = [" ".join(text.split()) for text in value if isinstance(text, str)] if isinstance(value, Sequence) else []
    if isinstance(value, str) or len(texts) != 2:
        raise Unusable("not two yes/no questions", level)
    for text in texts:
        if not text.endswith("?"):
            raise Unusable("no question", text[:80])
    if plain(texts[0]) == plain(texts[1]):
        raise Unusable("a question comes twice", texts[0][:80])
    return texts
