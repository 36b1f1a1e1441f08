"""Files of answers as people have them, and as they go wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from punctum.evaluators.rows import own_address
from punctum.predictions import Answers, BadPredictions, collect, read_rows

IDS = {"one": {"q1", "q2"}, "two": {"q3"}}


def write(path: Path, *lines: Any) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def gather(path: Path, **kwargs: Any) -> Answers:
    return collect([path], IDS, own_address, **kwargs)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "p.jsonl"


@pytest.mark.parametrize("id_field", ["id", "question_id"])
@pytest.mark.parametrize("output_field", ["output", "prediction", "text", "response"])
def test_anybodys_names_of_fields(file: Path, id_field: str, output_field: str) -> None:
    write(file, {id_field: "q1", output_field: "B", "more": 1})
    [row] = read_rows(file)
    assert (row.id, row.output, row.line) == ("q1", "B", 1)


def test_answers_find_their_task_slot_and_rotation(file: Path) -> None:
    write(
        file,
        {"id": "q1", "output": "A"},
        {"id": "q1@2", "output": "B"},
        {"id": "q1", "output": "C", "rotation": 3},
        {"id": "q3", "output": "D", "task": "bench/two", "prompt_slot": 2},
    )
    answers = gather(file)
    found = {(t, *a): row.output for t, rows in answers.by_task.items() for a, row in rows.items()}
    assert found == {
        ("one", "q1", None, 1): "A",
        ("one", "q1", 2, 1): "B",
        ("one", "q1", 3, 1): "C",
        ("two", "q3", None, 2): "D",
    }
    assert answers.parts("one") == {(1, False), (1, True)}


def test_blank_lines_and_a_byte_order_mark_do_no_harm(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + b'{"id": "q1", "output": "A"}\r\n\r\n{"id": "q2", "output": ""}')
    assert [(r.id, r.output, r.line) for r in read_rows(file)] == [("q1", "A", 1), ("q2", "", 3)]


def test_a_failed_call_is_no_answer(file: Path) -> None:
    write(file, {"id": "q1", "output": None, "error": "timeout"})
    [row] = read_rows(file)
    assert row.error == "timeout"
    assert row.output is None


BAD = {
    "cut last line": (b'{"id": "q1", "output": "A"}\n{"id": "q2", "out', r"p\.jsonl:2: the last line is cut off"),
    "broken in the middle": (b'{"id": "q1", "out\n{"id": "q2", "output": "A"}\n', r"p\.jsonl:1: not JSON"),
    "csv": (b"id,output\nq1,A\n", r"p\.jsonl:1: .*looks like a CSV file"),
    "array over lines": (b'[\n{"id": "q1", "output": "A"}\n]\n', r"p\.jsonl:1: a JSON array"),
    "array in a line": (b'[{"id": "q1", "output": "A"}]\n', r"p\.jsonl:1: .*not a JSON array"),
    "empty": (b"", r"p\.jsonl: the file is empty"),
    "blank": (b"\n\n", r"p\.jsonl: the file is empty"),
    "no id": (b'{"name": "q1", "output": "A"}\n', r"p\.jsonl:1: no field id or question_id; there are name, output"),
    "no output": (
        b'{"id": "q1", "answer": "A"}\n',
        r"p\.jsonl:1: no field output or prediction .*there are id, answer",
    ),
    "output null": (b'{"id": "q1", "output": null}\n', r"p\.jsonl:1: the output is null"),
    "output a number": (b'{"id": "q1", "output": 3}\n', r"p\.jsonl:1: the output is 3; a text is wanted"),
    "slot a text": (b'{"id": "q1", "output": "A", "prompt_slot": "2"}\n', r"p\.jsonl:1: prompt_slot is '2'"),
    "setting a list": (b'{"id": "q1", "output": "A", "setting": ["vlm"]}\n', r"p\.jsonl:1: setting is \['vlm'\]"),
    "order a number": (b'{"id": "q1", "output": "A", "permutation": 5}\n', r"p\.jsonl:1: permutation is 5; "),
    "order with a gap": (
        b'{"id": "q1", "output": "A", "permutation": [0, 2]}\n',
        r"p\.jsonl:1: permutation is \[0, 2\]",
    ),
    "no end of brackets": (b'{"id": ' + b"[" * 50_000, r"p\.jsonl:1: not JSON that can be read"),
    "no end of digits": (b'{"id": ' + b"1" * 5000 + b"}\n", r"p\.jsonl:1: not JSON that can be read"),
    "latin-1": ('{"id": "q1", "output": "café"}\n'.encode("latin-1"), r"p\.jsonl:1: not UTF-8"),
    "unknown ids": (
        b'{"id": "q1", "output": "A"}\n{"id": "q9", "output": "A"}\n',
        r"1 ids are not in the data: q9 \(.*:2\)",
    ),
    "conflict": (
        b'{"id": "q1", "output": "A"}\n{"id": "q2", "output": "A"}\n{"id": "q1", "output": "B"}\n',
        r"1 ids come again with a different output: q1 \(.*:1 and .*:3\)",
    ),
}


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD.keys())
def test_what_is_wrong_is_named_with_file_and_line(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    with pytest.raises(BadPredictions, match=message):
        gather(file)


def test_a_missing_file() -> None:
    with pytest.raises(BadPredictions, match=r"nowhere\.jsonl: no such file"):
        gather(Path("nowhere.jsonl"))


def test_equal_repeats_count_once(file: Path) -> None:
    write(file, *[{"id": "q1", "output": "A"}] * 3)
    answers = gather(file)
    assert answers.n_repeated == 2
    assert len(answers.by_task["one"]) == 1


def test_unknown_ids_can_be_left_out(file: Path) -> None:
    write(file, {"id": "q9", "output": "A"}, {"id": "q1", "output": "A"})
    answers = gather(file, ignore_unknown=True)
    assert len(answers.unknown) == 1
    assert list(answers.by_task["one"]) == [("q1", None, 1)]


def test_many_unknown_ids_are_not_all_printed(file: Path) -> None:
    write(file, *[{"id": f"x{i}", "output": "A"} for i in range(50)])
    with pytest.raises(BadPredictions, match=r"50 ids .* and 40 more"):
        gather(file)


def test_an_id_of_two_tasks_needs_the_task(file: Path) -> None:
    write(file, {"id": "q1", "output": "A"})
    with pytest.raises(BadPredictions, match=r"p\.jsonl:1: q1 is a question of a, b; score one task at a time"):
        collect([file], {"a": {"q1"}, "b": {"q1"}}, own_address)


def test_answers_to_other_tasks_are_known_but_apart(file: Path) -> None:
    write(file, {"id": "q1", "output": "A"}, {"id": "q1", "output": "B", "task": "b"}, {"id": "q5", "output": "C"})
    answers = collect([file], {"a": {"q1"}}, own_address, others={"b": {"q1", "q5"}})
    found = {task: [row.output for row in rows.values()] for task, rows in answers.by_task.items()}
    assert found == {"a": ["A"], "b": ["B", "C"]}
