"""VAGUE's builder, on files of both released forms that the tests write."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from punctum._datasets import builder_class, load
from punctum.datasets_scripts import tables
from punctum.datasets_scripts.reading import DataError
from punctum.datasets_scripts.tables import json_array, parquet_rows
from punctum.datasets_scripts.vague.person_tags import SHIRTS
from punctum.datasets_scripts.vague.questions import human_subset
from punctum.datasets_scripts.vague.tags import draw_tags, font_size, tag_places

ORDERINGS = ("CABD", "ABCD", "DCBA", "BDAC")
NAMES = [f"00{i}_Film_00.1{i}.15.492-00.1{i}.17.652@{i}" for i in range(4)] + [f"a1b2c3_{i}" for i in range(3)]


def published(i: int) -> dict[str, Any]:
    """A row as published; the keys of `mcq` in an order that says nothing."""
    mcq: dict[str, Any] = {
        "3_surface_understanding": f"The speaker wants person1 to swim in pool {i}.",
        "ordering": list(ORDERINGS[i % 4]),
        "1_correct": f"The speaker wants person1 to close tap {i}.",
        "4_wrong_entity": f"The speaker wants person1 to bring bucket {i}.",
        "2_fake_scene": f"The speaker wants person1 to roll up hose {i}.",
    }
    return {
        "image_name": NAMES[i],
        "direct": f"Hey, person1, please close tap {i}.",
        "indirect": f"Hey person1, “pool” number {i} opens today?",
        "solution": f"(person1, close, tap {i})",
        "mcq": mcq,
        "meta": {
            "caption": f"A sink {i} runs over.",
            "ram_entity": ["sink", "tap", "floor"][: i % 4],
            "img_size": {"width": 200, "height": 100},
            "person_bbox": [[20.0, 10.5, 60.0, 90.25], [120, 10, 160, 90]],
            "rating": {"direct": 4 + i % 2, "indirect": 3 + i % 3},
            "fake_caption": f"A garden {i}.",
        },
    }


def picture(colour: str = "white", size: tuple[int, int] = (200, 100)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, "JPEG")
    return buffer.getvalue()


def write_json(folder: Path, rows: Any, encoding: str = "utf-8", end: str = "\n") -> Path:
    text = rows if isinstance(rows, str) else json.dumps(rows, ensure_ascii=False, indent=1)
    file = folder / "vague.json"
    file.write_bytes(text.replace("\n", end).encode(encoding))
    return file


def write_parquet(folder: Path, rows: list[dict[str, Any]], name: str = "data/test-00000-of-00001.parquet") -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    rows = [{"image": {"bytes": picture("teal"), "path": f"{row['image_name']}.jpg"}, **row} for row in rows]
    pq.write_table(pa.Table.from_pylist(rows), folder / name, row_group_size=3)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    write_json(folder, [published(i) for i in range(len(NAMES))])
    for name in NAMES:
        (folder / f"{name}_annot.jpg").write_bytes(picture())
    return folder


@pytest.fixture
def rows(raw: Path, tmp_path: Path) -> Any:
    def build(config: str = "all", **kwargs: Any) -> Any:
        return load("vague", config, data_dir=raw, cache_dir=str(tmp_path / "cache"), **kwargs)

    return build


def test_a_row(rows: Any) -> None:
    built = rows()
    assert built["id"] == NAMES
    row = built[0]
    assert row.pop("image").size == (200, 100)
    assert row == {
        "id": NAMES[0],
        "category": "vcr",
        "source": "vague.json",
        "question": "Hey person1, “pool” number 0 opens today?",
        "options": [
            "The speaker wants person1 to roll up hose 0.",
            "The speaker wants person1 to swim in pool 0.",
            "The speaker wants person1 to close tap 0.",
            "The speaker wants person1 to bring bucket 0.",
        ],
        "option_kinds": ["fake_scene", "superficial", "correct", "nonexistent_entity"],
        "answers": [2],
        "permutation": [0, 1, 2, 3],
        "group": NAMES[0],
        "rotation": None,
        "references": ["The speaker wants person1 to close tap 0."],
        "direct": "Hey, person1, please close tap 0.",
        "indirect": "Hey person1, “pool” number 0 opens today?",
        "solution": {"person": "person1", "action": "close", "object": "tap 0"},
        "caption": "A sink 0 runs over.",
        "fake_caption": "A garden 0.",
        "ram_entity": [],
        "img_size": {"width": 200, "height": 100},
        "person_bbox": [[20.0, 10.5, 60.0, 90.25], [120.0, 10.0, 160.0, 90.0]],
        "rating": {"direct": 4, "indirect": 3},
        "annot_link": None,
    }


def test_ordering_says_the_letter_of_each_text(rows: Any) -> None:
    for i, row in enumerate(rows()):
        assert "ABCD"[row["answers"][0]] == ORDERINGS[i % 4][0]
        for text, kind in zip(row["options"], row["option_kinds"], strict=True):
            word = {"correct": "tap", "fake_scene": "hose", "superficial": "pool", "nonexistent_entity": "bucket"}[kind]
            assert word in text
            letter = ORDERINGS[i % 4][["tap", "hose", "pool", "bucket"].index(word)]
            assert row["options"]["ABCD".index(letter)] == text


def test_the_sources_are_told_by_the_name(rows: Any) -> None:
    assert rows("vcr")["id"] == NAMES[:4]
    assert rows("ego4d")["id"] == NAMES[4:]


def test_both_forms_give_the_same_rows(rows: Any, raw: Path) -> None:
    from_json = rows(images="skip")
    write_parquet(raw, [published(i) for i in range(4)], "data/test-00000-of-00002.parquet")
    write_parquet(raw, [published(i) for i in range(4, 7)], "data/test-00001-of-00002.parquet")
    from_parquet = rows()
    assert from_parquet[5]["image"].getpixel((3, 3))[2] > 100
    assert from_parquet["source"][4] == "test-00001-of-00002.parquet"
    drop = ["image", "source"]
    assert list(from_parquet.remove_columns(drop)) == list(from_json.remove_columns(drop))
    assert list(rows(images="skip").remove_columns(drop)) == list(from_json.remove_columns(drop))
    assert rows(release="json", images="skip")["source"] == ["vague.json"] * 7
    assert rows("ego4d", release="parquet")["id"] == NAMES[4:]


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-8-sig", "\r\n"), ("utf-16", "\n"), ("utf-16", "\r\n"), ("utf-16-be", "\n")]
)
def test_encodings(rows: Any, raw: Path, encoding: str, end: str) -> None:
    plain = list(rows(images="skip"))
    write_json(raw, [published(i) for i in range(7)], encoding, end)
    assert list(rows(images="skip")) == plain


def test_latin_1(rows: Any, raw: Path) -> None:
    text = json.dumps([{**published(0), "indirect": "déjà vu?"}], ensure_ascii=False)
    (raw / "vague.json").write_bytes(text.encode("latin-1"))
    assert rows(images="skip")[0]["indirect"] == "déjà vu?"


def test_solutions_and_nested_texts_of_other_forms(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = [published(i) for i in range(5)]
    made[0]["solution"] = ["person1", "close", "tap"]
    made[0]["image"] = f"{NAMES[0]}.jpg"  # a JSON row may name its picture; image_name counts
    made[1]["solution"] = {"person": "person1", "action": "close", "object": "tap"}
    made[2]["solution"] = "('person2', 'close', 'tap')"
    made[3]["solution"] = "(person7, put away, hat, coat)"
    made[4]["solution"] = "(everybody, close, tap)"
    made[0]["mcq"] = json.dumps(made[0]["mcq"])
    made[0]["meta"] = json.dumps(made[0]["meta"])
    write_json(raw, made)
    built = rows()["solution"]
    assert [tuple(solution.values()) for solution in built] == [
        ("person1", "close", "tap"),
        ("person1", "close", "tap"),
        ("person2", "close", "tap"),
        ("person7", "put away", "hat, coat"),
        ("everybody", "close", "tap"),
    ]
    text = "\n".join(caplog.messages)
    assert f"solutions of more than three parts, the rest taken as the object: 1 ({NAMES[3]})" in text
    assert f"people addressed who have no box: 1 ({NAMES[3]} person7 of 2)" in text
    assert f"solutions that begin with no person's number: 1 ({NAMES[4]} everybody)" in text


def changed(**change: Any) -> list[dict[str, Any]]:
    made = [published(i) for i in range(3)]
    for name, value in change.items():
        part, _, key = name.partition("__")
        if key:
            made[1][part] = {**made[1][part], key: value}
        else:
            made[1][part] = value
    return made


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"mcq__ordering": ["A", "A", "B", "C"]},
            r"the ordering \['A', 'A', 'B', 'C'\] is no permutation of A, B, C, D",
        ),
        ({"mcq__ordering": ["A", "B", "C"]}, r"the ordering \['A', 'B', 'C'\] is no permutation"),
        ({"mcq__ordering": None}, r"the ordering None is no permutation"),
        ({"mcq__4_wrong_entity": " "}, r"mcq\['4_wrong_entity'\] is ' ', not a text"),
        ({"mcq": "{"}, r"the field 'mcq' is a text, but not JSON"),
        ({"mcq": "[1]"}, r"the field 'mcq' should be an object, but is \[1\]"),
        ({"solution": "(person1, sit)"}, r"the solution '\(person1, sit\)' is no triplet"),
        ({"solution": ["person1", "sit", 3]}, r"the solution .* is no triplet"),
        ({"solution": "(person1, , chair)"}, r"the solution .* is no triplet"),
        ({"image_name": NAMES[0]}, r"the id .* was there before, on row 1, line 2"),
        ({"image_name": ""}, r"the field 'image_name' is empty"),
        ({"image_name": "../out"}, r"the picture's path '../out_annot.jpg' leaves the data folder"),
        ({"image_name": "/root/out"}, r"the picture's path '/root/out_annot.jpg' should be relative"),
        ({"indirect": None}, r"the field 'indirect' should be str, but is None"),
        ({"meta": None}, r"the field 'meta' should be dict or str, but is None"),
        ({"meta__person_bbox": [[1, 2, 3]]}, r"meta.person_bbox\[0\] should be four numbers"),
        ({"meta__person_bbox": [[1, 2, 3, float("nan")]]}, r"meta.person_bbox\[0\] should be four numbers"),
        ({"meta__img_size": {"width": 3}}, r"meta.img_size should have positive numbers width and height"),
        ({"meta__rating": {"direct": 4, "indirect": "good"}}, r"meta.rating should have positive numbers"),
        ({"meta__ram_entity": "tap"}, r"meta.ram_entity should be a list of texts"),
        ({"meta__caption": 3}, r"meta.caption should be a text"),
    ],
)
def test_bad_rows(rows: Any, raw: Path, change: dict[str, Any], message: str) -> None:
    write_json(raw, changed(**change))
    with pytest.raises(DataError, match=rf"vague\.json, row 2, line \d+: {message}"):
        rows()


@pytest.mark.parametrize("missing", ["image_name", "direct", "indirect", "solution", "mcq", "meta"])
def test_missing_fields(rows: Any, raw: Path, missing: str) -> None:
    made = changed()
    del made[1][missing]
    write_json(raw, made)
    with pytest.raises(DataError, match=rf"row 2, line \d+: the field '{missing}' is missing; there are '"):
        rows()
    write_parquet(raw, [{k: v for k, v in row.items() if k != missing} for row in made if missing != "image_name"])
    if missing != "image_name":
        with pytest.raises(DataError, match=rf"\.parquet, row 1: the field '{missing}' is missing"):
            rows()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"image_name": 1}', r"hold no \*.parquet or \*.json with an array; no array: vague.json"),
        ("", r"hold no \*.parquet or \*.json with an array; no array: vague.json"),
        ("[]", r"vague.json has no rows for vague/all"),
        (" [ ] ", r"vague.json has no rows for vague/all"),
        ("[3]", r"vague.json, row 1, line 1: a JSON object is expected, not int"),
        ('[{"image_name": "a"', r"vague.json, row 1, line 1: the row has no end; the file may have been cut short"),
        ('[\n{"a": "b', r"vague.json, row 1, line 2: the row has no end"),
        ("[", r"row 1, line 1: the row has no end"),
        ("[{'a': 1}]", r"vague.json, row 1, line 1: not JSON"),
    ],
)
def test_bad_files(rows: Any, raw: Path, text: str, message: str) -> None:
    write_json(raw, text)
    with pytest.raises(DataError, match=message):
        rows()


def test_a_truncated_file_names_the_row(rows: Any, raw: Path) -> None:
    file = raw / "vague.json"
    file.write_bytes(file.read_bytes()[:-300])
    with pytest.raises(DataError, match=r"row 7, line \d+: the row has no end; the file may have been cut short"):
        rows()
    write_parquet(raw, [published(0)])
    (table,) = raw.glob("data/*.parquet")
    table.write_bytes(table.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"\.parquet: not a whole Parquet file"):
        rows()


def test_more_after_the_array(rows: Any, raw: Path) -> None:
    file = raw / "vague.json"
    file.write_bytes(file.read_bytes() + b"\n[]")
    with pytest.raises(DataError, match=r"vague.json, line \d+: the array has ended, but there is more: '\[\]"):
        rows()


def test_faults_are_counted_and_keep_the_row(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = [published(i) for i in range(4)]
    made[0]["mcq"]["2_fake_scene"] = made[0]["mcq"]["1_correct"]
    del made[1]["meta"]["caption"]
    write_json(raw, made)
    (raw / f"{NAMES[2]}_annot.jpg").unlink()
    (raw / f"{NAMES[3]}_annot.jpg").write_bytes(b"no picture")
    (raw / f"{NAMES[0]}_annot.jpg").rename(raw / f"{NAMES[0]}.jpg")
    built = rows()
    assert [image is not None for image in built["image"]] == [True, True, False, False]
    text = "\n".join(caplog.messages)
    assert f"vague/all: equal options: 1 ({NAMES[0]} A = C)" in text
    assert f"rows without meta.caption: 1 ({NAMES[1]})" in text
    assert f"missing pictures: 1 ({NAMES[2]})" in text
    assert f"pictures that cannot be used: 1 ({NAMES[3]} (" in text
    assert f'pictures without tags (tags="draw" draws them): 1 ({NAMES[0]})' in text
    with pytest.raises(DataError, match=r"strict: .*missing pictures"):
        rows(strict=True)


def test_a_picture_too_large_to_decode_is_not_handed_on(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    Image.new("1", (20_000, 20_000)).save(raw / "large.png")
    (raw / "large.png").rename(raw / f"{NAMES[1]}_annot.jpg")
    assert rows()[1]["image"] is None
    assert f"pictures that cannot be used: 1 ({NAMES[1]} (" in "\n".join(caplog.messages)


def test_pictures_in_a_sub_folder_and_of_other_suffixes(rows: Any, raw: Path) -> None:
    (raw / "images").mkdir()
    for name in NAMES:
        (raw / f"{name}_annot.jpg").rename(raw / "images" / f"{name}_annot.JPG")
    assert all(image.size == (200, 100) for image in rows(strict=True)["image"])


def test_inputs_that_change_are_noticed(rows: Any, raw: Path) -> None:
    assert rows()[0]["image"].getpixel((1, 1)) == (255, 255, 255)
    (raw / f"{NAMES[0]}_annot.jpg").write_bytes(picture("black", (210, 100)))
    assert rows()[0]["image"].size == (210, 100)
    write_parquet(raw, [published(0)])
    assert len(rows()) == 1
    write_parquet(raw, [published(0), published(1)])
    assert len(rows()) == 2
    assert len(rows(images="skip")) == 2


def test_drawn_tags_are_white_on_black_in_the_middle_of_the_box(rows: Any, raw: Path) -> None:
    (raw / f"{NAMES[0]}.jpg").write_bytes(picture("teal", (400, 200)))
    built = rows(tags="draw")
    drawn = np.asarray(built[0]["image"].convert("L"), dtype=int)
    assert drawn.shape == (200, 400)
    for x, y in ((80, 100), (280, 100)):  # the boxes' centres, in a picture twice as large as described
        tag = drawn[y - 12 : y + 12, x - 8 : x + 8]
        assert (tag < 40).mean() > 0.2
        assert (tag > 215).any()
    assert (drawn[:, :40] > 60).all()
    (raw / f"{NAMES[0]}_annot.jpg").write_bytes(picture("white", (400, 200)))
    assert np.asarray(rows(tags="keep")[0]["image"].convert("L")).min() > 240


def test_pictures_that_come_tagged_are_not_tagged_again(rows: Any, caplog: pytest.LogCaptureFixture) -> None:
    built = rows("ego4d", tags="draw")
    assert np.asarray(built[0]["image"].convert("L")).min() > 240
    assert "authors' tags, so that none were drawn: 3 (a1b2c3_0, a1b2c3_1, a1b2c3_2)" in "\n".join(caplog.messages)


def test_embedded_pictures_are_tagged(rows: Any, raw: Path) -> None:
    write_parquet(raw, [published(0)])
    kept, drawn = (np.asarray(rows(tags=tags)[0]["image"].convert("L"), dtype=int) for tags in ("keep", "draw"))
    assert (np.abs(kept - drawn) > 40).any()
    assert (drawn < 20).any()


def test_tags_need_boxes(rows: Any, raw: Path) -> None:
    made = changed(meta__person_bbox=None)
    write_json(raw, made)
    with pytest.raises(DataError, match=r'row 2, line \d+: tags="draw" needs meta.person_bbox'):
        rows(tags="draw")


@settings(max_examples=100, deadline=None)
@given(
    size=st.tuples(st.integers(200, 2500), st.integers(200, 2500)),
    corners=st.lists(st.tuples(*[st.floats(-100, 2600)] * 4), max_size=12),
)
def test_tags_stay_in_the_picture(size: tuple[int, int], corners: list[Any]) -> None:
    for x0, y0, x1, y1 in tag_places(*size, corners):
        assert 0 <= x0 < x1 <= size[0] - 1
        assert 0 <= y0 < y1 <= size[1] - 1


def test_tags_do_not_cover_each_other() -> None:
    crowded = [(300, 150, 340, 190)] * 4 + [(-50, -50, 10, 10), (630, 460, 700, 520), (301, 151, 340, 190)] * 3
    places = tag_places(640, 480, crowded)
    assert len(places) == len(crowded)
    for i, a in enumerate(places):
        for b in places[:i]:
            assert a[0] > b[2] or b[0] > a[2] or a[1] > b[3] or b[1] > a[3]
    x0, y0, x1, y1 = places[0]
    assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((320, 170))
    drawn = np.asarray(draw_tags(Image.new("RGB", (640, 480), "#777777"), crowded).convert("L"), dtype=int)
    for x0, y0, x1, y1 in places:
        tag = drawn[round(y0) : round(y1), round(x0) : round(x1)]
        assert (tag < 30).mean() > 0.3
        assert (tag > 225).mean() > 0.05


def test_font_size() -> None:
    assert [font_size(*size) for size in ((1920, 822), (640, 640), (320, 320), (3840, 2160), (90, 60))] == [
        40,
        40,
        20,
        80,
        12,
    ]


def test_human_subset_takes_the_best_and_breaks_ties_by_seed() -> None:
    ratings = [(f"row{i}", 4.0 + (i % 3) / 2) for i in range(30)]
    best = {name for name, rating in ratings if rating == 5.0}
    chosen = human_subset(ratings, seed=0, size=15)
    assert best < chosen and len(chosen) == 15
    assert {rating for name, rating in ratings if name in chosen} == {5.0, 4.5}
    assert human_subset(reversed(ratings), seed=0, size=15) == chosen
    assert human_subset(ratings, seed=1, size=15) != chosen


def test_human400(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert len(rows(subset="human400")) == 7
    assert "fewer than 400 rows, all taken: 1 (7 rows)" in "\n".join(caplog.messages)
    made = [{**published(i % 7), "image_name": f"img{i}{'@' if i % 2 else ''}"} for i in range(450)]
    write_json(raw, made)
    chosen = rows(subset="human400", images="skip")
    assert len(chosen) == 400
    left = {row["image_name"] for row in made} - set(chosen["id"])
    means = {row["image_name"]: sum(row["meta"]["rating"].values()) for row in made}
    assert max(means[name] for name in left) <= min(means[name] for name in chosen["id"])
    vcr = rows("vcr", subset="human400", images="skip")["id"]
    assert vcr == [name for name in chosen["id"] if "@" in name]
    assert rows(subset="human400", images="skip", seed=3)["id"] != chosen["id"]
    write_json(raw, changed(meta__rating=None))
    with pytest.raises(DataError, match=r"row 2, line \d+: meta.rating is missing"):
        rows("ego4d", subset="human400")


@pytest.mark.parametrize(
    ("config", "kwargs", "message"),
    [
        ("film", {}, "no config 'film'|BuilderConfig 'film' not found"),
        ("all", {"tags": "drawn"}, "tags='drawn': one of keep, draw"),
        ("all", {"subset": "2"}, "subset='2': one of None, human400 for all"),
        ("person_tags", {"subset": "human400"}, "subset='human400': one of None, 2, 5, 10"),
        ("all", {"release": "csv"}, "release='csv': one of auto, parquet, json"),
        ("all", {"seed": "0"}, "seed='0': a whole number"),
        ("person_tags", {"per_size": 0}, "per_size=0: a whole number"),
        ("all", {"images": "download"}, "images='download': one of auto, skip"),
    ],
)
def test_unknown_values(rows: Any, config: str, kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rows(config, **kwargs)


def test_streams_and_processes_give_the_same_rows(rows: Any, raw: Path, tmp_path: Path) -> None:
    cls: Callable[..., Any] = builder_class("vague")
    for release in ("json", "parquet"):
        write_parquet(raw, [published(i) for i in range(7)])
        plain = rows("vcr", images="skip", release=release)
        kwargs = {"config_name": "vcr", "data_dir": str(raw), "images": "skip", "release": release}
        builder = cls(cache_dir=str(tmp_path / "other"), **kwargs)
        builder.download_and_prepare(num_proc=2)
        stream = cls(cache_dir=str(tmp_path / "third"), **kwargs).as_streaming_dataset(split="test")
        assert list(builder.as_dataset(split="test")) == list(plain)
        assert list(stream) == list(plain)


def test_person_tags_ask_for_a_colour_that_the_tag_finds(tmp_path: Path) -> None:
    builder = builder_class("vague")(config_name="person_tags", cache_dir=str(tmp_path), per_size=2)
    builder.download_and_prepare()
    built = builder.as_dataset(split="test")
    assert built["category"] == ["2", "2", "5", "5", "10", "10"]
    for row in built:
        asked = int(row["person"].removeprefix("person"))
        assert row["references"] == [row["shirts"][asked - 1]]
        assert row["person"] in row["question"]
        assert len(set(row["shirts"])) == len(row["shirts"]) == int(row["category"])
        pixels = np.asarray(row["image"])
        for shirt in row["shirts"]:
            rgb = [int(SHIRTS[shirt][i : i + 2], 16) for i in (1, 3, 5)]
            assert (np.abs(pixels.astype(int) - rgb).sum(axis=2) == 0).sum() > 1500, shirt
    again = builder_class("vague")(config_name="person_tags", cache_dir=str(tmp_path / "b"), per_size=2, subset="5")
    again.download_and_prepare()
    assert list(again.as_dataset(split="test")["id"]) == ["person_tags-5-000", "person_tags-5-001"]
    assert again.as_dataset(split="test")[0]["image"].tobytes() == built[2]["image"].tobytes()
    other = builder_class("vague")(config_name="person_tags", cache_dir=str(tmp_path), per_size=2, seed=1)
    other.download_and_prepare()
    assert other.as_dataset(split="test")["shirts"] != built["shirts"]


_VALUES = st.recursive(st.text(max_size=8) | st.integers() | st.none() | st.booleans(), st.lists, max_leaves=4)
_OBJECTS = st.dictionaries(st.text(max_size=5), _VALUES, max_size=3)


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(_OBJECTS, max_size=6),
    indent=st.sampled_from([None, 1]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    piece=st.sampled_from([4, 9, 50, tables._PIECE]),
)
def test_an_array_is_read_as_json_reads_it(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], indent: int | None, encoding: str, piece: int
) -> None:
    """However small the pieces are in which it is read."""
    text = json.dumps(rows, indent=indent, ensure_ascii=False)
    file = tmp_path_factory.mktemp("array") / "rows.json"
    file.write_bytes(text.encode(encoding))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "_PIECE", piece)
        lines = list(json_array(file))
        assert [line.data for line in lines] == rows
        assert [line.number for line in lines] == list(range(1, len(rows) + 1))
        for line in lines:
            (again,) = json_array(file, line.offset, line.number, 1)
            assert again.data == line.data
            named = int(line.where.rpartition(" ")[2])
            assert indent is None or text.split("\n")[named - 1].strip().startswith("{")
        file.write_bytes(text.rstrip()[:-1].encode(encoding))
        with pytest.raises(DataError, match=r"rows\.json, row \d+, line \d+: .*cut short|row has no end"):
            list(json_array(file))


def test_parquet_rows_from_any_row_on(tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"a": list(range(100)), "b": ["x"] * 100}), file, row_group_size=30)
    for number, count in ((1, 100), (31, 30), (45, 7), (100, 1), (29, 40)):
        lines = list(parquet_rows(file, 0, number, count, without=["b"]))
        assert [line.data for line in lines] == [{"a": i} for i in range(number - 1, number - 1 + count)]
        assert [line.number for line in lines] == list(range(number, number + count))


def test_the_summary_says_how_many_rows(rows: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "punctum.datasets"):
        rows("ego4d")
    assert "vague/ego4d: 3 rows" in caplog.messages
