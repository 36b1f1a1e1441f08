"""Write what people rate: for Label Studio, and as a page from disk."""

from __future__ import annotations

import argparse
import json
import logging
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from punctum import discovery
from punctum.construct.ratings.items import LONGEST_SIDE, QUALITY, Item, data_url, drawn, from_file, from_samples
from punctum.construct.ratings.label_studio import config, task
from punctum.construct.ratings.questions import Question, question_of
from punctum.records import Sample
from punctum.report.quiz import check_folder, write_page
from punctum.results import refuse_own_input, whole_file

_log = logging.getLogger("punctum")
#: The page asks for a word and for a rating one after the other, in these slots.
CHOICE_SLOT, RATING_SLOT = 1, 2


@dataclass(frozen=True)
class _Shown:
    """An item with the copy of its picture: bytes, width, height."""

    item: Item
    copy: tuple[bytes, int, int] | None = None


def send(args: argparse.Namespace) -> int:
    """Write `tasks.json`, `config.xml`, `items.jsonl` and `page/`."""
    question = question_of(args.question)
    out = Path(args.out)
    refuse_own_input(out, ("tasks.json", "config.xml", "items.jsonl"), [args.items])
    check_folder(out / "page")
    items = drawn(_items(args, question), args.n, args.seed)
    if not items:
        raise ValueError(f"{args.items}: no items")
    shown = list(_with_pictures(items))
    _write_label_studio(out, question, shown)
    with whole_file(out / "items.jsonl") as file:
        for one in shown:
            file.write(json.dumps(_record(one.item), ensure_ascii=False) + "\n")
    _write_page(out, question, shown)
    if not args.quiet:
        n_groups = len({item.group for item in items})
        print(
            f"{len(items)} items of {n_groups} pictures, to be rated by {question.raters} each: import "
            f"{out / 'tasks.json'} with {out / 'config.xml'} into Label Studio, or open "
            f"{out / 'page' / 'index.html'}. Then\n  {_how_to_import(question, out)}"
        )
    return 0


def _items(args: argparse.Namespace, question: Question) -> list[Item]:
    path = Path(args.items)
    if path.suffix in (".jsonl", ".json") or path.is_file():
        if args.sample or args.data_dir:
            raise ValueError(f"{args.items} is a file of items; --data-dir and --sample are for a task's questions")
        return from_file(path, question)
    if not (args.sample or args.data_dir):
        raise ValueError(f"{args.items}: --data-dir or --sample says where its data are")
    return list(from_samples(_samples(args), question))


def _samples(args: argparse.Namespace) -> list[Sample]:
    """The questions of the task that is named, in the published order of their options."""
    from punctum._datasets import load
    from punctum.evaluators import benchmark_of
    from punctum.evaluators.options import Options

    name, _, task = args.items.partition("/")
    benchmark = benchmark_of(name)
    if not task and len(benchmark.tasks) > 1:
        tasks = ", ".join(f"{name}/{one.name}" for one in benchmark.tasks)
        raise ValueError(f"{name} has several tasks; name one: {tasks}")
    folder = discovery.sample(name) if args.sample else args.data_dir
    options = Options(prompt_slots=(1,), seed=args.seed)
    chosen = benchmark.task(task) if task else benchmark.tasks[0]
    return list(chosen.samples(partial(load, name, data_dir=folder), options))


def _with_pictures(items: Sequence[Item]) -> Iterator[_Shown]:
    for item in items:
        if item.picture is None:
            yield _Shown(item)
            continue
        try:
            yield _Shown(item, item.picture.small_copy(LONGEST_SIDE, QUALITY))
        except Exception as error:  # Pillow's plugins raise whatever a broken file brings them to
            _log.warning("%s: the picture cannot be read, and raters do not see it: %s", item.id, error)
            yield _Shown(item)


def _record(item: Item) -> dict[str, Any]:
    return {"id": item.id, "group": item.group, "kind": item.kind, **item.texts}


def _write_label_studio(out: Path, question: Question, shown: Sequence[_Shown]) -> None:
    fields = set(question.shows).intersection(*(one.item.texts for one in shown))
    left_out = set(question.shows).intersection(set().union(*(one.item.texts for one in shown))) - fields
    if left_out:
        _log.warning("not every item has %s: Label Studio does not show it", ", ".join(sorted(left_out)))
    pictures = all(one.copy is not None for one in shown)
    if not pictures and any(one.copy is not None for one in shown):
        _log.warning("not every item has a picture: Label Studio shows none")
    tasks = [task(one.item, data_url(one.copy[0]) if pictures and one.copy else None) for one in shown]
    with whole_file(out / "tasks.json") as file:
        file.write(json.dumps(tasks, ensure_ascii=False, indent=1) + "\n")
    with whole_file(out / "config.xml") as file:
        file.write(config(question, fields, pictures))


def _write_page(out: Path, question: Question, shown: Sequence[_Shown]) -> None:
    pictures: dict[str, bytes] = {}
    questions: list[dict[str, Any]] = []
    for one in shown:
        entries = []
        if one.copy is not None and one.item.picture is not None:
            data, width, height = one.copy
            name = one.item.picture.copy_name
            pictures[name] = data
            entries = [{"name": name, "width": width, "height": height}]
        texts = [
            f"{heading}: {one.item.texts[name]}" for name, heading in question.shows.items() if name in one.item.texts
        ]
        for slot, ask, options, values in _asked(question):
            questions.append({
                "id": one.item.id, "task": question.name, "setting": "vlm", "prompt_slot": slot, "form": "choice",
                "ask": ask, "caption": "\n".join(texts), "pictures": entries, "options": options, "values": values,
                "wanted": 1,
            })  # fmt: skip
    write_page(
        out / "page",
        {
            "benchmark": "ratings",
            "task": question.name,
            "title": question.title,
            "intro": question.guideline,
            "command": _how_to_import(question, out),
            "questions": questions,
        },
        pictures,
    )


def _asked(question: Question) -> Iterator[tuple[int, str, list[str], list[str]]]:
    """Slot, words, options as shown, and what each is called in the saved file."""
    if question.choices:
        yield CHOICE_SLOT, "Which do you choose?", list(question.choices), list(question.choices)
    if question.meanings:
        ask = "How do you rate the one that you chose?" if question.choices else "How do you rate it?"
        scale = [str(number) for number in range(1, len(question.meanings) + 1)]
        meanings = [f"{number}: {text}" for number, text in zip(scale, question.meanings, strict=True)]
        yield RATING_SLOT, ask, meanings, scale


def _how_to_import(question: Question, out: Path) -> str:
    words = ["import", question.name, "--items", str(out / "items.jsonl"), "--out", str(out / "rated")]
    return f"punctum construct ratings {shlex.join(words)} FILE…"
