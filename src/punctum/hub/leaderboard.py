"""A leaderboard on the Hub: the benchmark's `eval.yaml`, entries in the models' repositories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml  # type: ignore[import-untyped]

from punctum.cards import read_card
from punctum.hub.entries import Entry, as_eval_results
from punctum.hub.plan import Draft, File, Head

FRAMEWORK = "punctum"
_FOLDER = ".eval_results/"


@dataclass(frozen=True)
class EvalYaml:
    """What makes a dataset a benchmark in the Hub's eyes.

    Attributes:
        benchmark: its name here.
        entries: the values whose tasks it must name.
        notes: for the person who pushes.
    """

    benchmark: str
    entries: Sequence[Entry]
    notes: tuple[str, ...] = ()

    def draft(self, head: Head) -> Draft:
        """The file that stands there with the tasks that it lacks; a new one where there is none.

        Raises:
            ValueError: if the file that stands there is broken.
        """
        there = head.read("eval.yaml") if "eval.yaml" in head.files else None
        value = self._new() if there is None else _yaml(there, "eval.yaml", dict)
        tasks = value.setdefault("tasks", [])
        known = {task.get("id") for task in tasks}
        missing = {e.task_id: {"id": e.task_id, "config": e.config, "split": e.split} for e in self.entries}
        added = [task for name, task in missing.items() if name not in known]
        tasks += added
        data = there if there is not None and not added else _dumped(value)
        notes = [*self.notes]
        if value.get("evaluation_framework") == FRAMEWORK:
            notes.append(
                "the Hub shows a leaderboard on a dataset's page only for benchmarks on its list and frameworks that "
                f"it knows; whether {FRAMEWORK!r} is one is for the Hub to say"
            )
        return Draft((File("eval.yaml", data),), f"Describe the tasks of {self.benchmark}", notes=tuple(notes))

    def _new(self) -> dict[str, Any]:
        head, body = read_card(self.benchmark)
        about = " ".join(body.strip().partition("\n\n")[0].split())
        return {"name": head["pretty_name"], "description": about, "evaluation_framework": FRAMEWORK, "tasks": []}


@dataclass(frozen=True)
class ModelResults:
    """The values of one model, for its repository.

    Attributes:
        repo: the model's repository.
        benchmark: its name here.
        dataset: its dataset on the Hub.
        entries: the model's values.
        source: an address that shows where they are from.
        date: of the evaluation, ISO 8601.
        model_index: whether to write the card's `model-index`, too.
    """

    repo: str
    benchmark: str
    dataset: str
    entries: Sequence[Entry]
    source: str | None = None
    date: str | None = None
    model_index: bool = False

    def draft(self, head: Head) -> Draft:
        """A file of entries, in which ours replace those of the same task; other files are left alone.

        Raises:
            ValueError: if a file that must be changed is broken.
        """
        path = f"{_FOLDER}{FRAMEWORK}-{self.benchmark}.yaml"
        elsewhere = _others(head, path)
        entries: list[Entry] = []
        notes: list[str] = []
        for entry in self.entries:
            where = elsewhere.get((self.dataset, entry.task_id))
            if where is None:
                entries.append(entry)
            else:
                notes.append(f"{entry.task_id} of {self.dataset} has a value in {where} already; a task has one")
        there = _yaml(head.read(path), path, list) if path in head.files else []
        ours = as_eval_results(entries, self.dataset, self.source, self.date)
        new = {_key(entry) for entry in ours}
        kept = [entry for entry in there if _key(entry) not in new]
        files = [File(path, _dumped([*kept, *ours]))] if ours else []
        if self.model_index and entries:
            from punctum.hub.model_index import with_results

            name = self.repo.rpartition("/")[2]
            card = with_results(head.text("README.md"), name, self.dataset, entries, self.source)
            files.append(File("README.md", card))
        name = read_card(self.benchmark)[0]["pretty_name"]
        told = "\n".join(f"- {entry.task_id}: {entry.value:.2f} ({entry.notes})" for entry in entries)
        return Draft(tuple(files), f"Add results on {name}", notes=tuple(notes), description=told)


def _others(head: Head, ours: str) -> dict[tuple[str, str], str]:
    """Dataset and task of values in other files, with the file."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted(head.files):
        if path.startswith(_FOLDER) and path.endswith(".yaml") and path != ours:
            try:
                entries = _yaml(head.read(path), path, list)
            except ValueError:  # theirs to mend; it says nothing to the Hub either
                continue
            found |= {_key(entry): path for entry in entries}
    return found


def _key(entry: Any) -> tuple[str, str]:
    dataset = entry.get("dataset") if isinstance(entry, dict) else None
    values: Mapping[str, Any] = dataset if isinstance(dataset, dict) else {}
    return str(values.get("id")), str(values.get("task_id"))


def _yaml(data: bytes, path: str, kind: type) -> Any:
    try:
        value = yaml.safe_load(data.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path} in the repository is no YAML ({' '.join(str(error).split())}); mend it there"
        ) from None
    if not isinstance(value, kind):
        raise ValueError(f"{path} in the repository is no {'list' if kind is list else 'dictionary'}; mend it there")
    return value


def _dumped(value: Any) -> bytes:
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=1000)
    return text.encode("utf-8")
