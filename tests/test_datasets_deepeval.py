"""DeepEval's builder: on files that the tests write, and on the published questions."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from punctum._datasets import builder_class, load
from punctum.datasets_scripts.reading import DataError

FILES = {
    "description": ("Descripion_Questions.json", "Description"),
    "title": ("Title_Questions.json", "Title"),
    "deep_semantics": ("DeepSemantics_Questions.json", "Deep_Semantics"),
}
PROMPTS = {
    "Prompt_1": "Answer the question. Which text fits?\nOptions: (A) {} (B) {} (C) {} (D) {}\nAnswer:",
    "Prompt_2": "Select one. \nChoices: A) {} B) {} C) {} D) {}\nCorrect Answer:",
    "Prompt_3": "Identify one. \nChoices are: A. {}, B. {}, C. {}, and D. {}. \nThe correct answer is:",
}
GOLD = "BADC"


def annotation(i: int) -> dict[str, str]:
    return {
        "Image_ID": f"Img{i}",
        "Url": f"https://example.org/{i}.jpg",
        "Description": f"A man with {i} hats waits in the rain.",
        "Title": f"Hats, {i}",
        "Deep_Semantics": f"Patience needs {i} hats.",
    }


def question(i: int, config: str) -> dict[str, Any]:
    text = annotation(i)[FILES[config][1]]
    options = {name: f" {text} Not {name}. " for name in "ABCD"}
    options[GOLD[i % 4]] = text
    return {
        "Image_ID": f"Img{i}",
        "Url": f"https://example.org/{i}.jpg",
        "Options": options,
        "Answer": GOLD[i % 4],
        **PROMPTS,
    }


def write(folder: Path, name: str, rows: list[dict[str, Any]], end: str = "\r\n") -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + end for row in rows)
    (folder / name).write_bytes(text.encode())


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    (folder / "Images").mkdir(parents=True)
    write(folder, "Annotation.json", [annotation(i) for i in range(1, 6)])
    for config, (name, _) in FILES.items():
        write(folder, name, [question(i, config) for i in (3, 1, 2, 4, 5)])
    Image.new("RGB", (8, 9), "navy").save(folder / "Images/Img1.jpg")
    Image.new("P", (8, 10)).save(folder / "Images/Img2.gif")
    return folder


@pytest.fixture
def rows(raw: Path, tmp_path: Path) -> Any:
    def build(config: str, **kwargs: Any) -> Any:
        return load("deepeval", config, data_dir=raw, cache_dir=str(tmp_path / "cache"), **kwargs)

    return build


def test_a_row(rows: Any) -> None:
    built = rows("title")
    assert built["id"] == ["Img3", "Img1", "Img2", "Img4", "Img5"]
    assert [image and image.size for image in built["image"]] == [None, (8, 9), (8, 10), None, None]
    row = built[1]
    del row["image"]
    assert row == {
        "id": "Img1",
        "category": None,
        "source": "Title_Questions.json",
        "question": "Which text fits?",
        "options": ["Hats, 1", "Hats, 1 Not B.", "Hats, 1 Not C.", "Hats, 1 Not D."],
        "option_kinds": ["correct", "distractor", "distractor", "distractor"],
        "answers": [0],
        "permutation": [0, 1, 2, 3],
        "group": "Img1",
        "rotation": None,
        "prompts": list(PROMPTS.values()),
        "url": "https://example.org/1.jpg",
        "with_text": None,
        "theme": None,
        "image_type": None,
        "annotated_description": "A man with 1 hats waits in the rain.",
        "annotated_title": "Hats, 1",
        "annotated_deep_semantics": "Patience needs 1 hats.",
    }


@pytest.mark.parametrize("config", FILES)
def test_published_bytes_on_request(rows: Any, config: str) -> None:
    stripped, published = rows(config), rows(config, strip_options=False)
    assert published[0]["options"][0].startswith(" ")
    assert [[text.strip() for text in row] for row in published["options"]] == stripped["options"]
    for row in published:
        assert row["options"][row["answers"][0]] == row[f"annotated_{config}"]


def test_labels_of_the_user(rows: Any, raw: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (raw / "categories.csv").write_bytes(
        b"\xef\xbb\xbfImage_ID, category, with_text, theme\r\n"
        b"Img1,humorous,yes,rain\r\nImg2,sad,0,\r\nImg9,critical,,\r\n"
    )
    built = {row["id"]: row for row in rows("title")}
    assert [built["Img1"][name] for name in ("category", "with_text", "theme")] == ["humorous", True, "rain"]
    assert [built["Img2"][name] for name in ("category", "with_text", "theme")] == ["sad", False, None]
    assert built["Img3"]["category"] is None
    text = "\n".join(caplog.messages)
    assert "none of the paper's six: 1 (Img2 sad)" in text
    assert "labels of images that have no question: 1 (Img9)" in text
    other = tmp_path / "other.csv"
    other.write_text("Image_ID,image_type\nImg1,photo\n", encoding="utf-16")
    row = next(row for row in rows("title", categories=str(other)) if row["id"] == "Img1")
    assert (row["category"], row["image_type"]) == (None, "photo")
    other.write_text("Image_ID,image_type\nImg1,cartoon\n")
    assert rows("title", categories=str(other))[1]["image_type"] == "cartoon"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "id,category\nImg1,humorous\n",
            r"categories.csv:1: the column 'Image_ID' is missing; there are 'id', 'category'",
        ),
        ("Image_ID,category\nImg1,a\nImg1,b\n", r"categories.csv:3: the Image_ID Img1 was there before"),
        ("Image_ID,with_text\nImg1,perhaps\n", r"categories.csv:2: with_text 'perhaps' is neither yes nor no"),
        ("Image_ID,with_text\nImg1,1,2\n", r"categories.csv:2: more cells than columns"),
        ("Image_ID,theme\n,rain\n", r"categories.csv:2: the field 'Image_ID' is empty"),
    ],
)
def test_bad_labels(rows: Any, raw: Path, content: str, message: str) -> None:
    (raw / "categories.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        rows("title")


def test_labels_that_were_asked_for_must_be_there(rows: Any) -> None:
    with pytest.raises(DataError, match=r"nowhere.csv is missing"):
        rows("title", categories="nowhere.csv")


def changed(change: dict[str, Any]) -> list[dict[str, Any]]:
    made = [question(i, "title") for i in (1, 2, 3)]
    made[1].update(change)
    return made


OPTIONS = {"A": "x", "B": "y", "C": "z"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Answer": "E"}, r":2: Img2: the answer 'E' is outside the options A, B, C, D"),
        ({"Options": {**OPTIONS, "E": "w"}}, r":2: Img2: the options are lettered A, B, C, E, not A, B, C"),
        ({"Options": {**OPTIONS, "D": " "}}, r":2: Img2: option D is ' ', not a text"),
        ({"Options": {**OPTIONS, "D": 4}}, r":2: Img2: option D is 4, not a text"),
        ({"Options": OPTIONS, "Answer": "A"}, r":2: Img2: Prompt_1 has 4 places \{\} for 3 options"),
        ({"Options": list(OPTIONS)}, r":2: the field 'Options' should be dict"),
        ({"Prompt_3": "A. {}?"}, r":2: Img2: Prompt_3 has 1 places"),
        ({"Image_ID": "Img1"}, r":2: the id Img1 was there before, on line 1"),
        ({"Image_ID": None}, r":2: the field 'Image_ID' should be str, but is None"),
        ({"Url": "../other/1.jpg"}, r":2: the picture's path '../other/1.jpg' leaves the data folder"),
        ({"Url": "/root/1.jpg"}, r":2: the picture's path '/root/1.jpg' should be relative"),
    ],
)
def test_bad_questions(rows: Any, raw: Path, change: dict[str, Any], message: str) -> None:
    (raw / "Images/Img2.gif").unlink()
    write(raw, "Title_Questions.json", changed(change))
    with pytest.raises(DataError, match=r"Title_Questions\.json" + message):
        rows("title")


def test_an_annotation_twice(rows: Any, raw: Path) -> None:
    write(raw, "Annotation.json", [annotation(1), annotation(2), annotation(1)])
    with pytest.raises(DataError, match=r"Annotation.json:3: the Image_ID Img1 was there before, on line 1"):
        rows("title")


def test_faults_are_counted_and_keep_the_row(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    equal = {"A": "Hats, 2", "B": "Hats!", "C": "Hats, 2 ", "D": "Umbrellas"}
    nearly = {"A": "Never give up!", "B": "never  give up", "C": "Hats, 3", "D": "Umbrellas"}
    made = [
        question(1, "title"),
        {**question(2, "title"), "Options": equal, "Answer": "D"},
        {**question(3, "title"), "Options": nearly, "Answer": "C"},
        {**question(4, "title"), "Image_ID": "Img44"},
    ]
    write(raw, "Title_Questions.json", made)
    assert len(rows("title")) == 4
    text = "\n".join(caplog.messages)
    assert "deepeval/title: equal options: 1 (Img2 A = C)" in text
    assert "nearly equal options: 1 (Img3 A = B)" in text
    assert "gold options that differ from the annotation: 1 (Img2)" in text
    assert "questions without annotation: 1 (Img44)" in text
    assert "missing pictures: 2 (Img3, Img44)" in text
    with pytest.raises(DataError, match=r"strict: .*equal options"):
        rows("title", strict=True)


def test_without_annotations(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    (raw / "Annotation.json").unlink()
    assert rows("title")["annotated_description"] == [None] * 5
    assert "deepeval/title: missing files: 1 (Annotation.json)" in caplog.messages


def test_an_address_may_be_a_path_in_the_folder(rows: Any, raw: Path) -> None:
    Image.new("RGB", (8, 30)).save(raw / "own.png")
    write(raw, "Title_Questions.json", [{**question(4, "title"), "Url": "own.png"}])
    assert rows("title")[0]["image"].size == (8, 30)
    Image.new("RGB", (8, 31)).save(raw / "own.png")
    assert rows("title")[0]["image"].size == (8, 31)


def test_a_new_picture_is_noticed(rows: Any, raw: Path) -> None:
    assert rows("title")[0]["image"] is None
    Image.new("RGB", (8, 12)).save(raw / "Images/Img3.PNG")
    assert rows("title")[0]["image"].size == (8, 12)


def test_streams_and_processes_give_the_same_rows(raw: Path, tmp_path: Path) -> None:
    plain = load("deepeval", "title", data_dir=raw, cache_dir=str(tmp_path / "cache"), images="skip")
    cls = builder_class("deepeval")
    kwargs = {"config_name": "title", "data_dir": str(raw), "images": "skip"}
    builder = cls(cache_dir=str(tmp_path / "other"), **kwargs)
    builder.download_and_prepare(num_proc=2)
    stream = cls(cache_dir=str(tmp_path / "third"), **kwargs).as_streaming_dataset(split="test")
    assert list(builder.as_dataset(split="test")) == list(plain)
    assert list(stream) == list(plain)
    with pytest.raises(ValueError, match="does not stream"):
        cls(config_name="title", data_dir=str(raw), images="download").as_streaming_dataset(split="test")


class _Pictures(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        body, found = b"gone", self.path == "/4"
        if found:
            buffer = io.BytesIO()
            Image.new("RGB", (8, 21), "olive").save(buffer, "PNG")
            body = buffer.getvalue()
        self.send_response(200 if found else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


DOWNLOAD = """
import sys, logging
logging.basicConfig(level=logging.WARNING, format="%(message)s")
from punctum._datasets import builder_class, load
rows = load("deepeval", "title", data_dir=sys.argv[1], images="download")
print([row["id"] + ":" + (str(row["image"].size) if row["image"] else "-") for row in rows])
"""


def test_pictures_come_by_their_addresses(raw: Path, tmp_path: Path) -> None:
    """What is there is not fetched, what is gone is listed, and the rest keeps going."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pictures)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    made = [{**question(i, "title"), "Url": f"{address}/{i}"} for i in (1, 3, 4)]
    made.append({**question(5, "title"), "Url": "ftp://127.0.0.1/5"})
    write(raw, "Title_Questions.json", made)
    env = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "0", "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", DOWNLOAD, str(raw)], env=env, capture_output=True, text=True, timeout=120, check=True
        )
    finally:
        server.shutdown()
    assert done.stdout.strip() == "['Img1:(8, 9)', 'Img3:-', 'Img4:(8, 21)', 'Img5:-']"
    assert "pictures that could not be fetched: 2 (Img3 http://127.0.0.1" in done.stderr
    assert "Img5 ftp://127.0.0.1/5 (no web address)" in done.stderr


@pytest.fixture(scope="module")
def published(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    cache = str(tmp_path_factory.mktemp("cache"))

    def build(config: str, **kwargs: Any) -> Any:
        return load("deepeval", config, data_dir=shared / "data/deepeval", cache_dir=cache, **kwargs)

    return build


@pytest.mark.shared
@pytest.mark.parametrize(
    ("config", "counts"),
    [
        ("description", [228, 278, 254, 241]),
        ("title", [273, 244, 232, 252]),
        ("deep_semantics", [247, 280, 231, 243]),
    ],
)
def test_published_answers(published: Any, config: str, counts: list[int], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "punctum.datasets"):
        built = published(config)
    assert len(set(built["id"])) == len(built) == 1001
    answers = Counter(answer for (answer,) in built["answers"])
    assert [answers[i] for i in range(4)] == counts
    for row in built:
        assert row["options"][row["answers"][0]] == row[f"annotated_{config}"].strip()
    text = "\n".join(caplog.messages)
    assert f"deepeval/{config}: missing pictures: 1001" in text
    assert "differ from the annotation" not in text
    assert ("equal options: 2 (Img79 A = B, Img95 A = D)" in text) is (config == "title")
    assert ("nearly equal options: 1 (Img62 A = B)" in text) is (config == "title")


@pytest.mark.shared
def test_the_published_blanks_give_the_description_away_until_stripped(published: Any) -> None:
    def told(row: dict[str, Any]) -> bool:
        return [text[0] != " " for text in row["options"]] == [i in row["answers"] for i in range(4)]

    assert sum(map(told, published("description", strip_options=False))) == 997
    assert sum(map(told, published("description"))) == 0
