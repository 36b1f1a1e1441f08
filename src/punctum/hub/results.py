"""A results dataset that many people append to: `scores/BENCH.jsonl`, each run's `results.json`, answers if wanted.

Lines that stand there are never written anew, only ours are put behind them, on top of the very commit that was
read; where another commit comes first, everything is read again (`pushing.push`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from punctum.hub import front
from punctum.hub.plan import Draft, File, Head
from punctum.hub.result_rows import ANSWERS, SCORES, answer_lines, line_of, same_score, score_rows
from punctum.report.runs import RESULTS, Run

TAG = "punctum-results"
_PLACE = re.compile(r"(/|~|\.\.?/|[A-Za-z]:[\\/])")


class Results:
    """What runs add to a results dataset.

    Args:
        runs: the runs.
        with_predictions: also their answers.

    Raises:
        BadRun: if answers are wanted and a run has none.
    """

    def __init__(self, runs: Sequence[Run], with_predictions: bool) -> None:
        self._files = [(run, _run_file(run)) for run in runs]
        self._answers = [file for run in runs for file in _answer_files(run)] if with_predictions else []
        self._runs = runs

    def draft(self, head: Head) -> Draft:
        """What stands there, and behind it what is missing of ours.

        Raises:
            ValueError: if the repository is another kind of dataset, or its rows cannot be read.
        """
        card = _card(head)
        added: Counter[str] = Counter()
        files: list[File] = []
        notes = [*self._notes]
        for benchmark in dict.fromkeys(run.benchmark for run in self._runs):
            path = f"scores/{benchmark}.jsonl"
            before = head.read(path) if path in head.files else b""
            new, differing = self._missing(benchmark, before, path)
            notes += differing
            if new:
                files.append(File(path, _ended(before) + b"".join(line_of(row) for row in new)))
            added.update(str(row["run"]) for row in new)
        files += [file for _, file in self._files if file.path in added and file.path not in head.files]
        files += [file for file in self._answers if file.path not in head.files]
        with_answers = any(path.startswith("predictions/") for path in (*head.files, *(f.path for f in files)))
        files.append(File("README.md", _readme(card, with_answers)))
        total = sum(added.values())
        known = sum(1 for run, file in self._files for _ in score_rows(run, file.path)) - total
        if known:
            notes.append(f"{known:,} of the scores stand there already")
        models = dict.fromkeys(run.model.id for run, file in self._files if file.path in added)
        what = f"Add {total:,} scores of {', '.join(models)}" if total else "Add answers, or mend the card"
        return Draft(tuple(sorted(files, key=lambda f: f.path)), _short(what), notes=tuple(dict.fromkeys(notes)))

    def _missing(self, benchmark: str, before: bytes, path: str) -> tuple[list[dict[str, Any]], list[str]]:
        """Our rows that do not stand there; and a word where a score stands there with another value."""
        known: dict[tuple[str, ...], list[Any]] = {}
        for row in _rows(before, path):
            known.setdefault(same_score(row), []).append(row.get("value"))
        new: list[dict[str, Any]] = []
        notes: list[str] = []
        for run, file in self._files:
            for row in score_rows(run, file.path) if run.benchmark == benchmark else ():
                values = known.setdefault(same_score(row), [])
                if row["value"] in values:
                    continue
                if values:
                    notes.append(
                        f"{row['benchmark']}/{row['task']} of {row['model']}: {row['metric']} is {row['value']}, and "
                        f"{values[-1]} there under the same signature; both are kept"
                    )
                values.append(row["value"])
                new.append(row)
        return new, notes

    @cached_property
    def _notes(self) -> list[str]:
        """What a person may not want everybody to read: places and addresses in signatures."""
        tasks = [task for run in self._runs for task in run.tasks.values()]
        parts = {part for task in tasks for part in task.signature.items()}
        told = sorted((n, v) for n, v in parts if n == "server" or _PLACE.match(v))
        return [f"everybody will read this part of a signature: {name} {value}" for name, value in told]


def _run_file(run: Run) -> File:
    data = (run.folder / RESULTS).read_bytes()
    return File(f"runs/{run.benchmark}/{hashlib.sha256(data).hexdigest()[:16]}.json", data)


def _answer_files(run: Run) -> Iterator[File]:
    for score in run.tasks.values():
        name, data = answer_lines(run, score)
        yield File(f"predictions/{run.benchmark}/{score.name}/{name}.jsonl", data)


def _rows(data: bytes, path: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a file that others wrote, too."""
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            row = error
        if not isinstance(row, dict):
            raise ValueError(
                f"{path}, line {number}, in the repository is no row of a score; mend it there, since nobody can load "
                "the file as it is"
            )
        yield row


def _ended(data: bytes) -> bytes:
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _short(text: str) -> str:
    return text if len(text) <= 72 else f"{text[:71]}…"


def _card(head: Head) -> str:
    """The README that stands there; empty where there is none.

    Raises:
        ValueError: if the repository is no results dataset.
    """
    text = head.text("README.md")
    others = [path for path in head.files if path != ".gitattributes"]
    if others and TAG not in (front.split(text)[0].get("tags") or ()):
        raise ValueError(
            f"the repository is no results dataset: it holds {', '.join(sorted(others)[:3])}, and its README.md lacks "
            f"the tag {TAG}; name another, which is made where it is missing"
        )
    return text


def _readme(text: str, with_answers: bool) -> bytes:
    """The card, with what the viewer must know; whatever else people wrote there stays."""
    head, body = front.split(text) if text else ({"pretty_name": "Results of Punctum", "tags": [TAG]}, _BODY)
    configs: list[dict[str, Any]] = [_config("scores", "scores/*.jsonl") | {"default": True}]
    told = {entry["config_name"]: entry for entry in _entries(head.get("dataset_info"))}
    infos = [{"config_name": "scores", "features": _features(SCORES, told.get("scores"))}]
    if with_answers:
        configs.append(_config("predictions", "predictions/*/*/*.jsonl"))
        infos.append({"config_name": "predictions", "features": _features(ANSWERS, told.get("predictions"))})
    wanted = {
        "configs": _merged(head.get("configs"), configs),
        "dataset_info": _merged(head.get("dataset_info"), infos),
    }
    if all(head.get(name) == value for name, value in wanted.items()):
        return text.encode("utf-8")
    return front.join({**head, **wanted}, body).encode("utf-8")


def _config(name: str, path: str) -> dict[str, Any]:
    return {"config_name": name, "data_files": [{"split": "train", "path": path}]}


def _features(columns: Mapping[str, Any], there: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Our columns, and behind them those that only a later version knows."""
    ours = [
        {"name": name, "sequence": kind[0]} if isinstance(kind, list) else {"name": name, "dtype": kind}
        for name, kind in columns.items()
    ]
    return [*ours, *(feature for feature in (there or {}).get("features", ()) if feature["name"] not in columns)]


def _merged(there: Any, ours: Iterable[Mapping[str, Any]]) -> list[Any]:
    """The entries of ours, and others' behind them."""
    mine = list(ours)
    names = {entry["config_name"] for entry in mine}
    return [*mine, *(entry for entry in _entries(there) if entry["config_name"] not in names)]


def _entries(there: Any) -> list[dict[str, Any]]:
    """A list of a card's head whose entries belong to configs; of anything else, none."""
    found = there if isinstance(there, list) else []
    return [entry for entry in found if isinstance(entry, dict) and "config_name" in entry]


_BODY = """
# Results of Punctum

A row a score, from runs of [Punctum](https://pypi.org/project/punctum/): benchmarks of what images mean.

```python
from datasets import load_dataset

scores = load_dataset("NAME OF THIS REPOSITORY", "scores", split="train")
```

- `value` is a fraction between 0 and 1 (or a variance, or a count, as `metric` says); `low` and `high` are the ends
  of its 95 % bootstrap interval, null where none was computed.
- `n` answers were asked for; `n_unparsed` could not be read and count as wrong, `n_failed` never came.
- `signature` says everything that changes a score: data, prompts, settings, model, parser, versions. Scores whose
  signatures differ in more than the model do not belong in one ranking.
- `signature_id` joins scores with the config `predictions`, a row an answer, where answers were pushed.
- `run` is the file in this repository that holds the whole `results.json`, with breakdowns and versions.

Add yours with `punctum push results RUN… --repo NAME`: rows are put behind those that stand there, and a score that
stands there is not doubled.
"""
