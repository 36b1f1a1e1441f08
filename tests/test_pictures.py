"""Pictures that are missing, broken, cut short or far too large, and pictures found by path."""

from __future__ import annotations

import io
import json
import logging
import os
import struct
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from punctum._datasets import builder_class, load
from punctum.datasets_scripts.pictures import picture_fault
from punctum.datasets_scripts.reading import DataError, Line, PictureFolder
from punctum.records import Picture

LINE = Line(Path("rows.json"), 7, 0, {})


def encoded(kind: str, size: tuple[int, int] = (60, 50), **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(buffer, kind, **options)
    return buffer.getvalue()


def bomb(width: int = 100_000, height: int = 100_000) -> bytes:
    """A PNG whose head promises pixels that would fill memory."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF"])
def test_sound_pictures_have_no_fault(kind: str, tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(encoded(kind))
    assert picture_fault(tmp_path / "picture") is None
    assert picture_fault(str(tmp_path / "picture")) is None
    assert picture_fault(io.BytesIO(encoded(kind))) is None


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP"])
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_pictures_cut_short_are_found(kind: str, share: float) -> None:
    whole = encoded(kind)
    assert picture_fault(io.BytesIO(whole[: int(share * len(whole))])) is not None


def test_what_follows_the_end_mark_does_no_harm() -> None:
    assert picture_fault(io.BytesIO(encoded("JPEG") + b"\0" * 500)) is None
    assert picture_fault(io.BytesIO(encoded("PNG") + b"junk" * 500)) is None


@pytest.mark.parametrize("content", [b"", b"<html>404</html>", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture(content: bytes) -> None:
    assert picture_fault(io.BytesIO(content)) == "no picture that Pillow knows"


def test_a_huge_picture_is_refused_by_its_head_alone() -> None:
    start = time.perf_counter()
    assert "10000000000 pixels" in str(picture_fault(io.BytesIO(bomb())))
    assert picture_fault(io.BytesIO(bomb(11_000, 10_000))) == "11000 x 10000 pixels"
    assert time.perf_counter() - start < 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "FileNotFoundError" in str(picture_fault(tmp_path / "none.png"))


def test_a_thousand_pictures_are_found_by_one_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Images").mkdir()
    for i in range(1000):
        (tmp_path / f"Images/{i}.jpg").touch()
    folder = PictureFolder(tmp_path)
    folder.find("Images/0.jpg", LINE)
    with monkeypatch.context() as patch:
        for name in ("scandir", "stat", "lstat"):
            patch.setattr(os, name, None)
        found = [folder.find(f"Images/{i}.jpg", LINE) for i in range(1000)]
    assert found == [str(tmp_path.resolve() / f"Images/{i}.jpg") for i in range(1000)]


def test_links_are_followed_inside_and_refused_outside(tmp_path: Path) -> None:
    root, outside = tmp_path / "data", tmp_path / "outside"
    (root / "real").mkdir(parents=True)
    outside.mkdir()
    for file in (root / "real/a.jpg", outside / "b.jpg"):
        file.touch()
    (root / "inside.jpg").symlink_to(root / "real/a.jpg")
    (root / "folder").symlink_to(root / "real")
    (root / "out.jpg").symlink_to(outside / "b.jpg")
    (root / "away").symlink_to(outside)
    (root / "loop.jpg").symlink_to(root / "loop.jpg")
    (root / "dangling.jpg").symlink_to(root / "nothing.jpg")
    folder = PictureFolder(root)
    for name in ("inside.jpg", "folder/a.jpg", "real/a.jpg", "real/../real/a.jpg", "./real/a.jpg", "real//a.jpg"):
        found = folder.find(name, LINE)
        assert found is not None and Path(found).resolve() == (root / "real/a.jpg").resolve(), name
    for name in ("real/none.jpg", "none/a.jpg", "dangling.jpg", "", "real", "x" * 300 + ".jpg", "folder/none.jpg"):
        assert folder.find(name, LINE) is None, name
    leaving = (
        "out.jpg",
        "away/b.jpg",
        "away/none.jpg",
        "../outside/b.jpg",
        "real/../../outside/b.jpg",
        "..",
        "loop.jpg",
    )
    for name in (*leaving, str(root / "real/a.jpg"), "/real/a.jpg", "real/a\0.jpg", "\0/a.jpg"):
        with pytest.raises(DataError, match=r"rows.json:7: the picture's path"):
            folder.find(name, LINE)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """Five MVP-Bench questions: a sound picture, a bomb, no picture, half a picture, a missing one."""
    folder = tmp_path / "raw"
    (folder / "Single_Images").mkdir(parents=True)
    contents = [encoded("JPEG"), bomb(), b"not found", encoded("JPEG")[:900], None]
    rows = []
    for i, content in enumerate(contents, 1):
        image = f"Single_Images/{i}_s.jpg"
        question = {"question": "Is it calm?\nYes or no.", "answer": "yes", "type": "y/n-s", "level": "low"}
        rows.append({"question_id": i, "id": i, "image": image, **question})
        if content is not None:
            (folder / image).write_bytes(content)
    (folder / "all_questions.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_bad_pictures_are_counted_with_their_rows(raw: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "punctum.datasets"):
        rows = load("mvp_bench", "yes_no", data_dir=raw, cache_dir=str(tmp_path / "cache"))
    assert [image and image.size for image in rows["image"]] == [(60, 50), None, None, None, None]
    text = "\n".join(caplog.messages)
    assert "mvp_bench/yes_no: 5 rows" in text
    assert "missing pictures: 1 (Single_Images/5_s.jpg)" in text
    assert "pictures that cannot be used: 3 (mvp-0002 Single_Images/2_s.jpg (Image size (10000000000" in text
    assert "mvp-0003 Single_Images/3_s.jpg (no picture that Pillow knows)" in text
    assert "mvp-0004 Single_Images/4_s.jpg (OSError: image file is truncated" in text


@pytest.mark.parametrize("num_proc", [1, 2])
def test_rows_written_by_several_processes_leave_out_the_same(raw: Path, tmp_path: Path, num_proc: int) -> None:
    builder = builder_class("mvp_bench")(config_name="yes_no", data_dir=str(raw), cache_dir=str(tmp_path / "cache"))
    builder.download_and_prepare(num_proc=num_proc)
    assert [image is not None for image in builder.as_dataset("test")["image"]] == [True] + [False] * 4
    stream = builder_class("mvp_bench")(config_name="yes_no", data_dir=str(raw)).as_streaming_dataset("test")
    assert [row["image"] is not None for row in stream] == [True] + [False] * 4


def test_strict_makes_them_errors(raw: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"strict: .*cannot be used: 3 \(mvp-0002"):
        load("mvp_bench", "yes_no", data_dir=raw, cache_dir=str(tmp_path / "cache"), strict=True)


def test_a_deepeval_picture_that_is_none(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sample = Path(__file__).parent.parent / "datasets_scripts/deepeval/sample"
    folder = tmp_path / "raw"
    (folder / "Images").mkdir(parents=True)
    (folder / "Title_Questions.json").write_bytes((sample / "Title_Questions.json").read_bytes())
    for path in (sample / "Images").iterdir():
        (folder / "Images" / path.name).write_bytes(path.read_bytes() if path.stem != "Img3" else b"gone")
    rows = load("deepeval", "title", data_dir=folder, cache_dir=str(tmp_path / "cache"))
    without = [row["id"] for row in rows.select_columns(["id", "image"]) if row["image"] is None]
    assert without == ["Img3"]
    assert "cannot be used: 1 (Img3 (no picture that Pillow knows))" in "\n".join(caplog.messages)


def test_16_bits_a_pixel_are_not_white() -> None:
    """Pillow makes white of every value above 255."""
    file = io.BytesIO()
    image = Image.new("I;16", (3, 1))
    for x, value in enumerate((0, 0x8000, 0xFFFF)):
        image.putpixel((x, 0), value)
    image.save(file, "PNG")
    opened = Picture(data=file.getvalue()).open()
    assert [opened.getpixel((x, 0)) for x in range(3)] == [(0, 0, 0), (128, 128, 128), (255, 255, 255)]
