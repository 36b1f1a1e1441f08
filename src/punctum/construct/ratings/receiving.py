"""Read what people said, apply the cut, and say how far they agree."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from punctum.construct.ratings.cutting import Decision, decide, summary, table
from punctum.construct.ratings.items import lines_by_id
from punctum.construct.ratings.label_studio import Said, read_export
from punctum.construct.ratings.questions import Question, question_of
from punctum.construct.ratings.sending import RATING_SLOT
from punctum.predictions import BadPredictions, read_json_lines
from punctum.results import dump, refuse_own_input, whole_file


def receive(args: argparse.Namespace) -> int:
    """Write `ratings.jsonl` (who said what of every item), `kept.jsonl`, `summary.json`; print a table."""
    question = question_of(args.question)
    out = Path(args.out)
    refuse_own_input(out, ("ratings.jsonl", "kept.jsonl", "summary.json"), [args.items, *args.results])
    items = {identity: line for identity, (_, line) in lines_by_id(args.items).items()}
    said = collect(map(Path, args.results), items, question)
    raters = args.raters or question.raters
    decisions = [decide(question, identity, said.get(identity, []), raters) for identity in items]
    found = summary(question, decisions, {identity: line.get("kind") for identity, line in items.items()})
    with whole_file(out / "ratings.jsonl") as file:
        for decision in decisions:
            file.write(json.dumps(_record(decision, items[decision.item]), ensure_ascii=False) + "\n")
    with whole_file(out / "kept.jsonl") as file:
        for decision in decisions:
            if decision.kept:
                file.write(json.dumps(_kept(decision, items[decision.item]), ensure_ascii=False) + "\n")
    with whole_file(out / "summary.json") as file:
        file.write(dump(found))
    if not args.quiet:
        Console().print(table(question, found))
    return 0


def collect(paths: Iterable[Path], items: Mapping[str, Any], question: Question) -> dict[str, list[Said]]:
    """What was said of each item, by all files.

    Args:
        paths: Label Studio's JSON exports, and files of the page.
        items: the ids that there are.
        question: what was asked.

    Raises:
        BadPredictions: for a file that cannot be read, an unknown item, word or rating, or a rater who says two
            things of one item.
    """
    found: dict[tuple[str, str], Said] = {}
    for path in paths:
        for one in _read(path, question):
            _check(path, one, items, question)
            key = (one.item, one.rater)
            if found.get(key, one) != one:
                raise BadPredictions(f"{path}: {one.rater} says two things of {one.item}: {found[key]} and {one}")
            found[key] = one
    by_item: dict[str, list[Said]] = {}
    for (item, _), one in sorted(found.items()):
        by_item.setdefault(item, []).append(one)
    return by_item


def _read(path: Path, question: Question) -> Iterator[Said]:
    if not path.is_file():
        raise BadPredictions(f"{path}: no such file")
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        start = file.read(200).lstrip()
    return read_export(path) if start.startswith("[") else _read_page(path, question)


def _read_page(path: Path, question: Question) -> Iterator[Said]:
    """Lines that the page saved: a line a word or a rating, put together by item and rater."""
    halves: dict[tuple[str, str], dict[str, Any]] = {}
    for number, line in read_json_lines(path):
        where = f"{path}:{number}"
        missing = [name for name in ("id", "task", "prompt_slot", "output", "model") if name not in line]
        if missing:
            raise BadPredictions(f"{where}: no field {', '.join(missing)}; this is no file of the rating page")
        if line["task"] != question.name:
            raise BadPredictions(f"{where}: answers the question {line['task']}, not {question.name}")
        half = halves.setdefault((str(line["id"]), str(line["model"])), {})
        text = str(line["output"])
        name = "rating" if line["prompt_slot"] == RATING_SLOT else "choice"
        if name == "rating" and not (text.isdecimal() and len(text) < 10):
            raise BadPredictions(f"{where}: the rating is {text[:20]!r}; a whole number is wanted")
        value = int(text) if name == "rating" else text
        if half.setdefault(name, value) != value:
            raise BadPredictions(f"{where}: {line['model']} says two things of {line['id']}: {half[name]} and {value}")
    for (item, rater), half in halves.items():
        yield Said(item, rater, **half)


def _check(path: Path, one: Said, items: Mapping[str, Any], question: Question) -> None:
    if one.item not in items:
        raise BadPredictions(f"{path}: no item {one.item!r}; is --items the file that was exported?")
    if one.choice is not None and one.choice not in question.choices:
        known = ", ".join(question.choices) or "none"
        raise BadPredictions(f"{path}: {one.rater} says {one.choice!r} of {one.item}; known: {known}")
    if one.rating is not None and not 1 <= one.rating <= len(question.meanings):
        raise BadPredictions(
            f"{path}: {one.rater} rates {one.item} {one.rating}; the scale ends at {len(question.meanings)}"
        )


def _record(decision: Decision, item: Mapping[str, Any]) -> dict[str, Any]:
    said: Sequence[Said] = decision.said
    return {
        "id": decision.item,
        "kind": item.get("kind"),
        "ratings": [{"rater": s.rater, "rating": s.rating, "choice": s.choice} for s in said],
        "rating": decision.rating,
        "choice": decision.choice,
        "kept": decision.kept,
        "why": decision.why,
    }


def _kept(decision: Decision, item: Mapping[str, Any]) -> dict[str, Any]:
    return {**item, "rating": decision.rating, "choice": decision.choice}
