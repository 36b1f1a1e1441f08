"""Files of answers: anybody's JSON Lines with an id and an output, matched to the questions of a benchmark."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ID_FIELDS = ("id", "question_id")
OUTPUT_FIELDS = ("output", "prediction", "text", "response")
_SHOWN = 10  # ids named in a message before it says how many more

#: Where an answer belongs within a task: (id, rotation, prompt slot).
Address = tuple[str, int | None, int]


class BadPredictions(ValueError):
    """A prediction file that cannot be scored as it is. The message names file and line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a prediction file.

    Attributes:
        file, line: where it stands; lines count from 1.
        id: as given, not yet read.
        output: the answer; None where the line says that the call failed.
        verdict: a judge's words about the answer, where a run asked one.
        published: whether the options are known to have stood in the published order: punctum wrote the line, and it
            names no other.
    """

    file: str
    line: int
    id: object
    output: str | None
    task: str | None = None
    setting: str | None = None
    prompt_slot: int = 1
    rotation: int | None = None
    error: str | None = None
    permutation: tuple[int, ...] | None = None
    verdict: str | None = None
    published: bool = False


def read_json_lines(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Lines of a JSON Lines file as (line number, object); blank lines are passed over.

    Raises:
        BadPredictions: if the file is missing, empty, no UTF-8, or a line is no JSON object.
    """
    path = Path(path)
    if not path.is_file():
        raise BadPredictions(f"{path}: {'a folder, not a file' if path.is_dir() else 'no such file'}")
    number = 0
    seen = False
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            seen = True
            yield number, _object(path, number, raw, number == 1)
    if not seen:
        raise BadPredictions(f"{path}: the file is empty")


def _object(path: Path, number: int, raw: bytes, first: bool) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise BadPredictions(f"{path}:{number}: not UTF-8 ({error.reason} at byte {error.start})") from error
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadPredictions(f"{path}:{number}: {_what_is_wrong(path, text, raw, first, error)}") from error
    except (RecursionError, ValueError) as error:  # brackets without end; a number of thousands of digits
        raise BadPredictions(f"{path}:{number}: not JSON that can be read ({error})") from error
    if not isinstance(value, dict):
        hint = ": one object a line is wanted, not a JSON array" if isinstance(value, list) else ""
        raise BadPredictions(f"{path}:{number}: a JSON {type(value).__name__}, not an object{hint}")
    return value


def _what_is_wrong(path: Path, text: str, raw: bytes, first: bool, error: json.JSONDecodeError) -> str:
    shown = text.strip()[:60]
    start = text.lstrip()[:1]
    if start == "[":
        return "a JSON array over several lines; JSON Lines are wanted, one object a line"
    if start != "{" and first and ("," in text or "\t" in text or path.suffix.lower() in (".csv", ".tsv")):
        return f"not JSON; this looks like a CSV file ({shown!r}). JSON Lines are wanted, one object a line"
    if start == "{" and not raw.endswith(b"\n"):
        return (
            f"the last line is cut off ({error.msg} at column {error.colno}); "
            "the file was not written to its end: finish the run, or take the line out"
        )
    return f"not JSON ({error.msg} at column {error.colno}): {shown!r}"


def read_rows(path: str | Path) -> Iterator[Row]:
    """The answers of a file.

    Raises:
        BadPredictions: as `read_json_lines`, or if a field is missing or of another type than it must be.
    """
    for number, value in read_json_lines(path):
        yield _row(str(path), number, value)


def _row(file: str, line: int, value: Mapping[str, Any]) -> Row:
    where = f"{file}:{line}"
    identity = _field(value, ID_FIELDS, where)
    error = value.get("error")
    output = value.get("output") if error is not None else _field(value, OUTPUT_FIELDS, where)
    if output is not None and not isinstance(output, str):
        raise BadPredictions(f"{where}: the output is {output!r}; a text is wanted")
    if output is None and error is None:
        raise BadPredictions(f"{where}: the output is null and no error is given; leave the line out, or say why")
    return Row(
        file,
        line,
        identity,
        output,
        task=short_task(value.get("task")),
        setting=_text(value, "setting", where),
        prompt_slot=whole_number(value, "prompt_slot", where, 1) or 1,
        rotation=whole_number(value, "rotation", where, None),
        error=None if error is None else str(error),
        permutation=_permutation(value, where),
        verdict=_text(value, "verdict", where),
        published=value.get("permutation") is None and {"parsed", "rule", "correct"} <= value.keys(),
    )


def check_order(row: Row, permutation: Sequence[int]) -> None:
    """Refuse letters of options that stood in another order, as far as the line tells.

    Args:
        row: the answer.
        permutation: published index of each option shown; empty without options.

    Raises:
        BadPredictions: that names both orders.
    """
    before = sorted(permutation) if row.published else row.permutation
    if before is not None and permutation and list(before) != list(permutation):
        raise BadPredictions(
            f"{row.file}:{row.line}: {row.id} was answered with its options in the order {list(before)}, "
            f"and here they stand in the order {list(permutation)}; give the --shuffle and --seed of that run"
        )


def _field(value: Mapping[str, Any], names: Sequence[str], where: str) -> Any:
    for name in names:
        if name in value:
            return value[name]
    raise BadPredictions(f"{where}: no field {' or '.join(names)}; there are {', '.join(value) or 'none'}")


def whole_number(value: Mapping[str, Any], name: str, where: str, default: int | None) -> int | None:
    """A field that holds a whole number; `default` where it is missing or null."""
    number = value.get(name)
    if number is None:
        return default
    if isinstance(number, bool) or not isinstance(number, int):
        raise BadPredictions(f"{where}: {name} is {number!r}; a whole number is wanted")
    return number


def _permutation(value: Mapping[str, Any], where: str) -> tuple[int, ...] | None:
    places = value.get("permutation")
    if places is None:
        return None
    if not isinstance(places, list) or sorted(map(str, places)) != sorted(map(str, range(len(places)))):
        raise BadPredictions(f"{where}: permutation is {places!r}; the published index of each option is wanted")
    return tuple(map(int, places))


def _text(value: Mapping[str, Any], name: str, where: str) -> str | None:
    text = value.get(name)
    if text is not None and not isinstance(text, str):
        raise BadPredictions(f"{where}: {name} is {text!r}; a text is wanted")
    return text


def short_task(task: object) -> str | None:
    """A task's name without its benchmark."""
    return None if task is None else str(task).rpartition("/")[2]


@dataclass
class Answers:
    """The answers of some files, by task and address, and what was wrong with the rest.

    Attributes:
        by_task: task to address to the line.
        n_repeated: lines that repeat an address with the same output.
        unknown: ids that the data do not have, in file order.
    """

    by_task: dict[str, dict[Address, Row]] = field(default_factory=dict)
    n_repeated: int = 0
    unknown: list[str] = field(default_factory=list)
    settings: set[str] = field(default_factory=set)

    def parts(self, task: str) -> set[tuple[int, bool]]:
        """Which parts of a task the files answer: (prompt slot, whether rotated)."""
        return {(slot, rotation is not None) for _, rotation, slot in self.by_task.get(task, {})}


def collect(
    files: Iterable[str | Path],
    ids: Mapping[str, AbstractSet[str]],
    address: Callable[[object], tuple[str, int | None]],
    ignore_unknown: bool = False,
    others: Mapping[str, AbstractSet[str]] | None = None,
) -> Answers:
    """Read prediction files and find the question of every line.

    Args:
        files: JSON Lines files.
        ids: task to the ids of its questions.
        address: reads an id as people write it (`Benchmark.address`).
        ignore_unknown: count ids that the data do not have instead of refusing them.
        others: the same for further tasks, whose answers are known but passed over. A line that does not name
            its task belongs to `ids` where both have its id.

    Raises:
        BadPredictions: for unknown ids, ids with different outputs, ids that several tasks have and the
            line does not say which, and everything that `read_rows` raises.
    """
    others = others or {}
    answers = Answers(by_task={task: {} for task in (*ids, *others)})
    conflicts: list[str] = []
    for file in files:
        for row in read_rows(file):
            identity, rotation = address(row.id)
            task = _task_of(row, identity, ids) or _task_of(row, identity, others)
            if task is None:
                answers.unknown.append(f"{row.id} ({row.file}:{row.line})")
                continue
            if row.setting is not None:
                answers.settings.add(row.setting)
            key = (identity, row.rotation if rotation is None else rotation, row.prompt_slot)
            before = answers.by_task[task].setdefault(key, row)
            if before is row:
                continue
            if before.output == row.output:
                answers.n_repeated += 1
            else:
                conflicts.append(f"{row.id} ({before.file}:{before.line} and {row.file}:{row.line})")
    if conflicts:
        raise BadPredictions(f"{len(conflicts)} ids come again with a different output: {_some(conflicts)}")
    if answers.unknown and not ignore_unknown:
        raise BadPredictions(
            f"{len(answers.unknown)} ids are not in the data: {_some(answers.unknown)}; "
            "--ignore-unknown scores the rest"
        )
    return answers


def _task_of(row: Row, identity: str, ids: Mapping[str, AbstractSet[str]]) -> str | None:
    if row.task is not None:
        return row.task if identity in ids.get(row.task, ()) else None
    tasks = [task for task, known in ids.items() if identity in known]
    if len(tasks) > 1:
        raise BadPredictions(
            f"{row.file}:{row.line}: {row.id} is a question of {', '.join(tasks)}; "
            "score one task at a time (BENCH/TASK), or give each line a field `task`"
        )
    return tasks[0] if tasks else None


def _some(items: Sequence[str]) -> str:
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
