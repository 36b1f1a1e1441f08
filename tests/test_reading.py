"""JSON Lines in the encodings that people save files in."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

import punctum
from punctum._datasets import builder_class, load
from punctum.datasets_scripts.documents import json_entries
from punctum.datasets_scripts.reading import DataError, json_lines
from punctum.datasets_scripts.tables import json_array

SAMPLE = Path(punctum.sample("deepeval"))
NAMES = ("Annotation.json", "Title_Questions.json")


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
    ],
)
def test_the_rows_are_the_same_in_every_encoding(encoding: str, mark: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "raw"
    folder.mkdir()
    for name in NAMES:
        text = (SAMPLE / name).read_text(encoding="utf-8").replace("the", "thé", 1)
        (folder / name).write_bytes(mark + text.encode(encoding))
    assert not (folder / NAMES[0]).read_bytes().startswith(b"{") or not mark
    builder = builder_class("deepeval")(config_name="title", data_dir=str(folder), cache_dir=str(tmp_path / "cache"))
    builder.download_and_prepare(num_proc=2)
    rows = builder.as_dataset("test")
    wanted = load("deepeval", "title", data_dir=SAMPLE, images="skip", cache_dir=str(tmp_path / "cache"))
    assert rows["id"] == wanted["id"]
    assert rows["options"] == wanted["options"]
    read, published = rows["annotated_description"], wanted["annotated_description"]
    assert sum(a != b for a, b in zip(read, published, strict=True)) <= 1
    assert any("thé" in text for text in read)


def test_errors_name_the_line_in_utf16_too(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    file.write_bytes('{"a": "Ċ"}\r\n{"a": \r\n'.encode("utf-16"))
    lines = json_lines(file)
    assert next(lines).data == {"a": "Ċ"}
    with pytest.raises(DataError, match=r"rows.json:2: not JSON"):
        next(lines)


@pytest.mark.parametrize(("text", "place"), [
    ('{"a": "b"}\n{"a": "half \\ud83d"}\n', "rows.json:2"),
    ('[{"a": "b"},\n{"a": "half \\uD83D"}]', "rows.json, row 2, line 2"),
    ('{"a": "b",\n"c": "half \\ud83d"}', "rows.json:2"),
])  # fmt: skip
def test_half_a_character_is_an_error_at_its_place(text: str, place: str, tmp_path: Path) -> None:
    """No table takes it, and where all rows are written its place is lost."""
    file = tmp_path / "rows.json"
    file.write_text(text, encoding="utf-8")
    reader = json_array if text.startswith("[") else json_lines if text.count("{") == 2 else json_entries
    with pytest.raises(DataError, match=rf"{place}: .*half a character \(.ud83d\)"):
        list(reader(file))
    file.write_text(text.replace("\\ud83d", "\\ud83d\\ude00").replace("\\uD83D", "\\\\ud83d"), encoding="utf-8")
    assert list(reader(file))


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    for value in ("one", "three"):
        file.write_bytes(f'{{"a": "{value}"}}'.encode("utf-16"))
        assert [line.data for line in json_lines(file)] == [{"a": value}]


@pytest.mark.parametrize("content", [b"\0\0\0\0", b'{"a": "\0"}', b"\xff\xd8\xff\xe0\0\x10JFIF"])
def test_what_is_no_text_is_an_error(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"rows.json:1: not JSON"):
        list(json_lines(file))
