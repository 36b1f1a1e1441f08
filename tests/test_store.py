from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from punctum.records import Generation, ModelInfo, Picture, Request, Response, Sample, Unit
from punctum.store import ResponseStore, canonical, key_of, model_part

SAMPLE = Sample(Unit("q1", "t"), "choice", (0,), ("a", "b"))
REQUEST = Request(SAMPLE, "Which?", (Picture(data=b"one"), Picture(data=b"two")), "Be short.", ("A", "B"))


def key(
    request: Request, info: ModelInfo | None = None, generation: Generation | None = None, **fingerprint: Any
) -> str:
    shared = model_part(info or ModelInfo("m"), fingerprint, generation or Generation())
    return key_of(canonical(shared), request)


@pytest.mark.parametrize(
    "change",
    [
        {"prompt": "Which one?"},
        {"pictures": REQUEST.pictures[::-1]},
        {"pictures": REQUEST.pictures[:1]},
        {"system": None},
        {"continuations": ("B", "A")},
        {"attempt": 1},
    ],
    ids=str,
)
def test_whatever_is_asked_changes_the_key(change: dict[str, Any]) -> None:
    assert key(replace(REQUEST, **change)) != key(REQUEST)


def test_whoever_answers_changes_the_key() -> None:
    keys = {
        key(REQUEST),
        key(REQUEST, ModelInfo("n")),
        key(REQUEST, ModelInfo("m", revision="1")),
        key(REQUEST, ModelInfo("m", dtype="bfloat16")),
        key(REQUEST, ModelInfo("m", quantization="4bit")),
        key(REQUEST, ModelInfo("m", backend="openai")),
        key(REQUEST, generation=Generation(max_new_tokens=1)),
        key(REQUEST, generation=Generation(temperature=0.5)),
        key(REQUEST, generation=Generation(extra={"repetition_penalty": 1.1})),
        key(REQUEST, server="http://localhost:1/v1"),
        key(REQUEST, chat_template="abc"),
    }
    assert len(keys) == 11


def test_the_question_behind_a_request_does_not_change_the_key() -> None:
    other = replace(SAMPLE, unit=Unit("q2", "other"), gold=(1,))
    assert key(replace(REQUEST, sample=other)) == key(REQUEST)


def test_answers_come_back_as_they_went_in(tmp_path: Path) -> None:
    answer = Response("B – “é”\x00", scores=(-1.5, -0.25), reasoning="hm", finish_reason="stop", output_tokens=3)
    with ResponseStore(tmp_path / "new" / "s.sqlite") as store:
        store.put([("k", REQUEST, answer)], "m")
    with ResponseStore(tmp_path / "new" / "s.sqlite") as store:
        assert store.get(["k", "missing"]) == {"k": answer}
        assert len(store) == 1


def test_failed_calls_are_not_stored() -> None:
    with ResponseStore(":memory:") as store:
        store.put([("k", REQUEST, Response(error="429"))], "m")
        assert store.get(["k"]) == {}


def test_more_keys_than_sqlite_takes_at_once() -> None:
    with ResponseStore(":memory:") as store:
        keys = [f"k{i}" for i in range(2500)]
        store.put([(k, REQUEST, Response(k)) for k in keys], "m")
        assert {k: r.text for k, r in store.get(keys).items()} == {k: k for k in keys}


def test_two_processes_may_write(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with ResponseStore(path) as one, ResponseStore(path) as two:
        one.put([("a", REQUEST, Response("1"))], "m")
        two.put([("b", REQUEST, Response("2"))], "m")
        assert set(one.get(["a", "b"])) == {"a", "b"}


def test_a_file_that_is_no_store_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes, and long enough that nobody takes them for an empty database " * 20)
    with pytest.raises(OSError, match=r"notes\.txt cannot be used as response store .* --store"):
        ResponseStore(path)
    assert path.read_text().startswith("my notes")


def test_a_full_disk_is_said_with_the_file(tmp_path: Path) -> None:
    with ResponseStore(tmp_path / "s.sqlite") as store:
        store.put([("a", REQUEST, Response("1"))], "m")
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own full disk
        with pytest.raises(OSError, match=r"s\.sqlite: database or disk is full\. What was stored is kept"):
            store.put([("b", REQUEST, Response("2" * 100_000))], "m")
        assert store.get(["a", "b"])["a"].text == "1"


def test_a_short_file_is_no_empty_store(tmp_path: Path) -> None:
    """SQLite takes what is shorter than its header for an empty database, and writes over it."""
    path = tmp_path / "key.txt"
    path.write_text("my key")
    with pytest.raises(OSError, match=r"key\.txt cannot be used as response store .* --store"):
        ResponseStore(path)
    assert path.read_text() == "my key"


def test_half_a_character_can_be_asked_about(tmp_path: Path) -> None:
    request = replace(REQUEST, prompt="half \ud83d a character")
    name = key_of("m", request)
    with ResponseStore(tmp_path / "s.sqlite") as store:
        store.put([(name, request, Response("A"))], "m")
        assert store.get([name])[name].text == "A"


def test_the_file_can_be_read_by_people(tmp_path: Path) -> None:
    with ResponseStore(tmp_path / "s.sqlite") as store:
        store.put([("k", REQUEST, Response("B"))], "org/model")
    rows = sqlite3.connect(tmp_path / "s.sqlite").execute("SELECT model, request, response FROM responses").fetchall()
    assert rows[0][0] == "org/model"
    assert "Which?" in rows[0][1]
    assert '"text":"B"' in rows[0][2]
