"""Where true statements come from: the ads' files, WHOOPS!, any choice task with one right option, or a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from punctum import discovery
from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.documents import json_entries
from punctum.datasets_scripts.pitt_ads.action_reasons import SPLITS, entries_of, published_file
from punctum.datasets_scripts.pitt_ads.statements import distinct
from punctum.datasets_scripts.reading import DataError, Line, csv_lines, json_lines
from punctum.datasets_scripts.tables import json_array, starts_array

TEXT_FIELDS = ("text", "statement", "correct", "caption", "explanation", "answer")


@dataclass(frozen=True)
class Item:
    """True statements of one picture or row, none of which reads as another.

    Attributes:
        id: as the benchmark names it.
        split: of the data, where there are several.
    """

    id: str
    statements: tuple[str, ...]
    split: str | None = None


@dataclass(frozen=True)
class Source:
    """What hard negatives are made for.

    Attributes:
        form: how they are written: `pitt_ads`, `whoops` or `plain`; `files.py` knows them.
        kinds: the set of kinds that belongs to it; None where the user must say.
        items: the statements, faults told to the workshop.
    """

    form: str
    kinds: str | None
    items: Callable[[Workshop], Iterable[Item]]


def source_of(args: argparse.Namespace) -> Source:
    """What `BENCH[/TASK]|FILE` names.

    Raises:
        ValueError: if it is neither a file nor a benchmark, or the task has no single right option.
    """
    path = Path(args.source).expanduser()
    if path.is_file():
        if args.data_dir or args.sample:
            raise ValueError(f"{args.source} is a file; --data-dir and --sample go with a benchmark")
        return Source("plain", None, partial(_of_file, path))
    name, _, task = args.source.partition("/")
    if "." in args.source or len(args.source.split("/")) > 2:
        raise ValueError(f"no file {args.source}; benchmarks: {', '.join(discovery.benchmarks())}")
    discovery.known(name, discovery.benchmarks(), "benchmark or file")
    if name == "pitt_ads" and task in ("", "arr", "arr_single"):
        return Source("pitt_ads", "ads", partial(_of_ads, _folder(name, args), args.split))
    if name == "whoops":
        return Source("whoops", "whoops", partial(_of_whoops, _folder(name, args)))
    if not task:
        raise ValueError(f"{name} has several tasks; name one whose questions have one right option: {name}/TASK")
    return Source("plain", None, partial(_of_task, name, task, args))


def _folder(benchmark: str, args: argparse.Namespace) -> Path:
    if args.sample:
        return Path(discovery.sample(benchmark))
    if args.data_dir is None:
        raise ValueError(f"{benchmark} is not public: --data-dir names the folder with its files, --sample tries it")
    folder = Path(args.data_dir).expanduser()
    if not folder.is_dir():
        raise ValueError(f"no folder {folder}")
    return folder


def _of_ads(folder: Path, split: str | None, workshop: Workshop) -> Iterator[Item]:
    """The true statements of each ad (`QA_Combined_Action_Reason_{split}.json`, in any of its published forms)."""
    if split is not None and split not in SPLITS:
        raise ValueError(f"pitt_ads has no split {split!r}; known: {', '.join(SPLITS)}")
    files = {name: published_file(folder, name) for name in SPLITS if split in (None, name)}
    there = {name: file for name, file in files.items() if file.is_file()}
    if not there:
        raise DataError(f"{folder} holds no {' or '.join(file.name for file in files.values())}")
    for name, file in there.items():
        for entry in entries_of(_filled(file, workshop), "auto"):
            if entry.positives is None:
                workshop.fault(entry.image, "the true statements are not known", f"{file.name}, {entry.line.place}")
                continue
            yield _item(entry.image, entry.positives, workshop, name)


def _filled(file: Path, workshop: Workshop) -> Iterator[Line]:
    """The entries that have statements; the others are listed."""
    for line in json_entries(file):
        value = line.data["value"]
        first = value[0] if isinstance(value, list) and value and isinstance(value[0], list) else value
        if isinstance(first, list) and not any(not isinstance(text, str) or text.strip() for text in first):
            workshop.fault(str(line.data["key"]), "no true statement", f"{file.name}, {line.place}")
            continue
        yield line


def _of_whoops(folder: Path, workshop: Workshop) -> Iterator[Item]:
    """The designer's explanation of each picture."""
    from punctum.datasets_scripts.whoops.explanations import columns, gold_of, image_id
    from punctum.datasets_scripts.whoops.whoops_builder import released, rows_of

    files = released(folder, "auto")
    if not files:
        raise DataError(f"{folder} holds none of WHOOPS!'s files: whoops_dataset.csv, metadata.csv or *.parquet")
    for file in files:
        for line in rows_of(file, pictures=False):
            name, gold = image_id(line), gold_of(columns(line), "designer")
            if gold is None:
                workshop.fault(name, "no true statement", f"{file.name}, {line.place}")
                continue
            yield _item(name, [gold], workshop)


def _of_task(benchmark: str, task_name: str, args: argparse.Namespace, workshop: Workshop) -> Iterator[Item]:
    """The right option of each question of a choice task."""
    from punctum._datasets import load
    from punctum.evaluators import benchmark_of
    from punctum.evaluators.options import Options

    task = benchmark_of(benchmark).task(task_name)
    if task.form != "choice":
        raise ValueError(f"{benchmark}/{task_name} has answers of the form {task.form}; hard negatives need options")
    folder = discovery.sample(benchmark) if args.sample else args.data_dir
    options = Options(setting="lm" if "lm" in task.settings else "vlm", prompt_slots=(1,), split=args.split)
    task.check(options)
    for sample in task.samples(partial(load, benchmark, data_dir=folder), options):
        if len(sample.gold) != 1:
            workshop.fault(sample.unit.id, "not one right option", f"{len(sample.gold)} of {len(sample.options)}")
            continue
        yield _item(sample.unit.id, [sample.options[int(sample.gold[0])]], workshop)


def _of_file(path: Path, workshop: Workshop) -> Iterator[Item]:
    """A file of one's own: rows with `id` and a text, or one JSON object of id to a text or several."""
    for where, name, texts in _rows(path):
        if not name:
            workshop.fault(where, "no id")
        elif not texts:
            workshop.fault(name, "no true statement", where)
        else:
            yield _item(name, texts, workshop)


def _rows(path: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Place, id and texts of each row of a JSON, JSON Lines or CSV file.

    Raises:
        DataError: if the file is none of these.
    """
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        yield from ((line.place, _id(line.data), _texts(line.data)) for line in json_lines(path))
    elif suffix == ".csv":
        yield from ((line.place, _id(line.data), _texts(line.data)) for line in csv_lines(path, ["id"]))
    elif suffix == ".json" and starts_array(path):
        yield from ((line.place, _id(line.data), _texts(line.data)) for line in json_array(path))
    elif suffix == ".json":
        for line in json_entries(path):
            yield line.place, line.data["key"], _texts({"text": line.data["value"]})
    else:
        raise DataError(f"{path}: statements come as .json, .jsonl or .csv")


def _id(row: Mapping[str, Any]) -> str:
    value = row.get("id")
    return "" if value is None else str(value).strip()


def _texts(row: Mapping[str, Any]) -> list[str]:
    """The texts of a row: the first field of that kind, a text or a list of texts; others are nothing."""
    value = next((row[name] for name in TEXT_FIELDS if row.get(name)), None)
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str) and text.strip()]


def _item(name: str, texts: Iterable[str], workshop: Workshop, split: str | None = None) -> Item:
    """An item with each statement once; those that read as an earlier one are listed."""
    given = [" ".join(text.split()) for text in texts]
    kept = distinct(given)
    for text in given:
        if text not in kept:
            workshop.fault(name, "true statements that read the same", text)
    return Item(name, tuple(kept), split)
