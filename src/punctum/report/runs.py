"""A run's folder, read: what `punctum run --out` and `punctum score --out` leave.

    run = Run.load("runs/llava")
    run.model.id, run.benchmark, run.tasks["mcq_cross"].metrics["accuracy"]
    for answer in run.answers("mcq_cross"): ...       # predictions.jsonl
    for question in run.questions("mcq_cross"): ...   # samples.jsonl; answer.key == question.key

`results.json` is read at once, the other two line by line, as often as one asks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from punctum.predictions import BadPredictions, read_json_lines
from punctum.records import ModelInfo
from punctum.report.lines import Answer, Question, read_answer, read_question
from punctum.report.signatures import ASIDES, CONDITIONS, Signature
from punctum.results import RUN_FILES, SCHEMA_VERSION
from punctum.sheets import printable

RESULTS, PREDICTIONS, SAMPLES = RUN_FILES
PICTURES = "pictures"

#: Hashes and counts, and what has hashes in it: they tell runs apart, but not to a reader.
_OPAQUE = ("task", "rows", "n", "ids", "prompts", "punctum")


class BadRun(ValueError):
    """A folder that is no run, or only half of one. The message names it and the way out."""


@dataclass(frozen=True)
class TaskScore:
    """An entry of `tasks` in `results.json`.

    Attributes:
        task: with its benchmark (`mvp_bench/yes_no`).
        metrics: fractions, variances or counts; None where there was nothing to measure.
        intervals: metric to (low, high).
        breakdowns: name to table, as the task wrote it.
        signature: read.
    """

    task: str
    n: int
    n_unparsed: int
    n_failed: int
    metrics: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float]]
    breakdowns: Mapping[str, Any]
    signature: Signature

    @property
    def name(self) -> str:
        """Without the benchmark."""
        return self.task.rpartition("/")[2]

    @property
    def marks(self) -> list[str]:
        """What sets these scores apart from those of the whole published data, in words."""
        found = []
        data, limit = self.signature.get("data"), self.signature.get("limit")
        if data == "sample":
            found.append("the package's sample")
        if limit is not None:
            found.append(f"the first {int(limit):,} rows only" if limit.isdecimal() else f"limit {limit}")
        if "ids" in self.signature:
            found.append(f"chosen questions only ({self.signature['ids'].partition(',')[0]} ids)")
        return found


@dataclass(frozen=True)
class Run:
    """A run.

    Attributes:
        folder: where it is.
        benchmark: its name.
        model: who answered.
        tasks: short name to score, in the order of `results.json`.
        environment: library versions.
        raw: `results.json` as it stands.
    """

    folder: Path
    benchmark: str
    model: ModelInfo
    tasks: Mapping[str, TaskScore]
    environment: Mapping[str, str]
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def load(cls, folder: str | Path) -> Run:
        """Read a run's `results.json`.

        Args:
            folder: the run's, or its `results.json`.

        Raises:
            BadRun: if it is missing, half-written, or nothing that punctum wrote.
        """
        folder = Path(folder).expanduser()
        if folder.name == RESULTS and folder.is_file():
            folder = folder.parent
        value = _results(folder)
        try:
            model = value["model"]
            known = ModelInfo(**{**model, "id": printable(str(model["id"]))})
            for name in (str(value["benchmark"]), *value["tasks"]):
                if not re.fullmatch(r"\w[\w-]*", name):  # names of files and repositories are made of them
                    raise ValueError(f"{name!r} is no name of a benchmark or task")
            tasks = {n: _task(f"{value['benchmark']}/{n}", entry) for n, entry in value["tasks"].items()}
            return cls(folder, str(value["benchmark"]), known, tasks, dict(value["environment"]), value)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            what = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise BadRun(f"{folder / RESULTS}: not a file of punctum run or score ({what})") from error

    @property
    def has_answers(self) -> bool:
        """Whether `predictions.jsonl` is there."""
        return (self.folder / PREDICTIONS).is_file()

    @property
    def has_questions(self) -> bool:
        """Whether `samples.jsonl` is there."""
        return (self.folder / SAMPLES).is_file()

    def answers(self, task: str | None = None) -> Iterator[Answer]:
        """The lines of `predictions.jsonl`, in order.

        Args:
            task: short name; None is all.

        Raises:
            BadRun: if the file is missing or a line is broken.
        """
        for number, line in self._lines(PREDICTIONS, task):
            yield _read(self.folder / PREDICTIONS, number, line, read_answer)

    def questions(self, task: str | None = None) -> Iterator[Question]:
        """The lines of `samples.jsonl`, in order; as `answers`."""
        for number, line in self._lines(SAMPLES, task):
            yield _read(self.folder / SAMPLES, number, line, read_question)

    def picture(self, name: str) -> Path:
        """The file of a small copy that a question names.

        Raises:
            BadRun: if the name leads out of the folder of pictures.
        """
        if Path(name).name != name:
            raise BadRun(f"{self.folder / SAMPLES}: {name!r} is no name of a picture")
        return self.folder / PICTURES / name

    def _lines(self, name: str, task: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
        path = self.folder / name
        if not path.is_file():
            raise BadRun(f"no {path}; punctum run and punctum score write it with --out DIR")
        try:
            for number, line in read_json_lines(path):
                if task is None or line.get("task") == task:
                    yield number, line
        except BadPredictions as error:
            raise BadRun(str(error)) from error


def load_runs(folders: Iterable[str | Path]) -> list[Run]:
    """Several runs, in the order given.

    Raises:
        BadRun: as `Run.load`, and for a folder that is given twice.
    """
    runs: list[Run] = []
    for folder in folders:
        run = Run.load(folder)
        if any(run.folder.resolve() == other.folder.resolve() for other in runs):
            raise BadRun(f"{folder} is given twice")
        runs.append(run)
    return runs


def names(runs: Sequence[Run]) -> list[str]:
    """A name a run: the model, and what tells runs of one model on one task apart.

    That is the conditions in which their signatures differ (`model (setting lm)`), else their folders.
    """
    found = [run.model.id for run in runs]
    for name in {name for name in found if found.count(name) > 1}:
        places = [i for i, other in enumerate(found) if other == name]
        for place, word in zip(places, _told_apart([runs[i] for i in places]), strict=True):
            found[place] = f"{name} ({word})" if word else name
    return found


def _told_apart(runs: Sequence[Run]) -> list[str]:
    """A word a run, empty where no other has a task of it."""
    tasks = [{score.task for score in run.tasks.values()} for run in runs]
    alone = [not any(mine & theirs for j, theirs in enumerate(tasks) if j != i) for i, mine in enumerate(tasks)]
    telling = [name for name in (*CONDITIONS, "revision", "dtype", "quantization", *ASIDES) if name not in _OPAQUE]
    described = [{name: _values(run, name) for name in telling} for run in runs]
    differing = [name for name in telling if len({words[name] for words in described}) > 1]
    words = [", ".join(f"{n} {entry[n]}" for n in differing if entry[n]) for entry in described]
    if len(set(words)) < len(runs):
        words = [", ".join(filter(None, (word, run.folder.name))) for word, run in zip(words, runs, strict=True)]
    if len(set(words)) < len(runs):
        words = [str(run.folder) for run in runs]
    return ["" if lonely else word for lonely, word in zip(alone, words, strict=True)]


def _values(run: Run, name: str) -> str:
    return "/".join(sorted({task.signature.get(name) or "" for task in run.tasks.values()} - {""}))


def _results(folder: Path) -> dict[str, Any]:
    path = folder / RESULTS
    if not folder.is_dir():
        raise BadRun(f"{folder}: {'a file, not a run' if folder.exists() else 'no such folder'}; a run is a folder "
                     "that punctum run --out or punctum score --out wrote")  # fmt: skip
    if not path.is_file():
        if (folder / PREDICTIONS).is_file():
            raise BadRun(
                f"{folder} has {PREDICTIONS} and no {RESULTS}: that run did not come to its end; the same command "
                "goes on from there"
            )
        inner = sorted(p.parent.name for p in folder.glob(f"*/{RESULTS}"))[:5]
        hint = f"; there are runs in it: {', '.join(inner)}" if inner else ""
        raise BadRun(f"{folder} is no run: it has no {RESULTS}{hint}")
    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadRun(f"{path}: cut off or no JSON ({error})") from error
    if not isinstance(value, dict) or "schema_version" not in value:
        raise BadRun(f"{path}: not a file of punctum run or score (no 'schema_version')")
    if value["schema_version"] != SCHEMA_VERSION:
        raise BadRun(f"{path} has schema_version {value['schema_version']!r}; this punctum reads {SCHEMA_VERSION}")
    return value


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


def _task(task: str, value: Mapping[str, Any]) -> TaskScore:
    return TaskScore(
        task,
        int(value["n"]),
        int(value["n_unparsed"]),
        int(value["n_failed"]),
        {str(name): None if entry is None else float(entry) for name, entry in value["metrics"].items()},
        {str(name): (float(low), float(high)) for name, (low, high) in value["intervals"].items()},
        dict(value["breakdowns"]),
        Signature(str(value["signature"])),
    )


def _read(path: Path, number: int, line: Mapping[str, Any], reader: Any) -> Any:
    try:
        return reader(line)
    except (KeyError, TypeError, ValueError) as error:
        what = f"no field {error}" if isinstance(error, KeyError) else str(error)
        raise BadRun(f"{path}:{number}: not a line that punctum wrote ({what})") from error
