"""WHOOPS!'s builder, on files of every released form that the tests write."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from PIL import Image

from punctum._datasets import builder_class, load
from punctum.datasets_scripts.reading import DataError
from punctum.datasets_scripts.whoops.explanations import Pool

N = 20
LISTS = ("crowd_captions", "crowd_explanations", "crowd_underspecified_captions", "question_answering_pairs")


def published(i: int) -> dict[str, Any]:
    return {
        "image_id": f"id{i:02d}",
        "designer_explanation": f"Fish number {i} cannot ride, since it lives\nin water.",
        "selected_caption": f"Fish {i} rides a bicycle.",
        "crowd_captions": [f"A fish, number {i}, on a bike", "“Fish”"],
        "crowd_explanations": [f"A fish has no {i} legs", f"Fish {i} would dry out"],
        "crowd_underspecified_captions": [f"An animal {i} moves"],
        "question_answering_pairs": [["What rides?", f"fish {i}"], ["Where?", "on a road"]],
        "commonsense_category": "biological",
        "image_designer": "Å. Designer",
    }


def picture(colour: str = "teal") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (32, 24), colour).save(buffer, "PNG")
    return buffer.getvalue()


def table(rows: list[dict[str, Any]], end: str = "\r\n") -> str:
    """A CSV with the list columns as JSON texts."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator=end)
    writer.writeheader()
    for row in rows:
        writer.writerow({k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()})
    return text.getvalue()


def write_csv(folder: Path, rows: list[dict[str, Any]], encoding: str = "utf-8-sig", end: str = "\r\n") -> Path:
    file = folder / "whoops_dataset.csv"
    file.write_bytes(table(rows, end).encode(encoding))
    return file


def negatives(i: int) -> dict[str, str]:
    return {kind: f"Fish number {i} cannot, {kind}." for kind in ("verb", "object", "adjective", "causal")}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    (folder / "whoops_images").mkdir(parents=True)
    write_csv(folder, [published(i) for i in range(N)])
    for i in range(N):
        (folder / f"whoops_images/id{i:02d}.png").write_bytes(picture())
    hard = {f"id{i:02d}": negatives(i) for i in range(N)}
    (folder / "hard_negatives.json").write_text(json.dumps(hard, indent=1))
    return folder


@pytest.fixture
def rows(raw: Path, tmp_path: Path) -> Any:
    def build(config: str = "explanation_easy", **kwargs: Any) -> Any:
        return load("whoops", config, data_dir=raw, cache_dir=str(tmp_path / "cache"), **kwargs)

    return build


def test_a_hard_row(rows: Any) -> None:
    built = rows("explanation_hard", strict=True)
    assert built["id"] == [f"id{i:02d}" for i in range(N)]
    row = built[3]
    assert row.pop("image").size == (32, 24)
    options, kinds, order = row.pop("options"), row.pop("option_kinds"), row.pop("permutation")
    in_order = [options[order.index(i)] for i in range(6)]
    gold = "Fish number 3 cannot ride, since it lives\nin water."
    assert in_order[0] == gold == options[row["answers"][0]]
    assert in_order[1] in {published(i)["designer_explanation"] for i in range(N) if i != 3}
    assert in_order[2:] == list(negatives(3).values())
    assert [kinds[order.index(i)] for i in range(6)] == ["correct", "random", "verb", "object", "adjective", "causal"]
    assert row == {
        "id": "id03",
        "category": "biological",
        "source": "whoops_dataset.csv",
        "question": "Why is this picture unusual?",
        "answers": [order.index(0)],
        "group": "id03",
        "rotation": None,
        "references": [gold],
        "designer_explanation": gold,
        "selected_caption": "Fish 3 rides a bicycle.",
        "crowd_captions": ["A fish, number 3, on a bike", "“Fish”"],
        "crowd_explanations": ["A fish has no 3 legs", "Fish 3 would dry out"],
        "crowd_underspecified_captions": ["An animal 3 moves"],
        "question_answering_pairs": [["What rides?", "fish 3"], ["Where?", "on a road"]],
        "image_designer": "Å. Designer",
    }


def test_easy_options_are_the_others_explanations(rows: Any) -> None:
    everything = {published(i)["designer_explanation"]: f"id{i:02d}" for i in range(N)}
    built = rows(strict=True)
    places = set()
    for row in built:
        assert len(set(row["options"])) == 16
        assert everything[row["options"][row["answers"][0]]] == row["id"]
        assert sorted(row["option_kinds"]) == ["correct"] + ["random"] * 15
        assert row["option_kinds"][row["answers"][0]] == "correct"
        places.add(row["answers"][0])
    assert len(places) > 6


def test_the_crowds_explanations(rows: Any) -> None:
    row = rows(gold="crowd", images="skip")[4]
    assert row["references"] == ["A fish has no 4 legs"]
    assert all(text.startswith("A fish has no") for text in row["options"])


def test_draws_depend_on_seed_and_id_alone(rows: Any, raw: Path) -> None:
    first = {row["id"]: row for row in rows(images="skip")}
    write_csv(raw, [published(i) for i in reversed(range(N))])
    assert {row["id"]: row for row in rows(images="skip")} == first
    other = rows(images="skip", seed=1)
    assert sum(row["options"] == first[row["id"]]["options"] for row in other) == 0
    pool = Pool({f"id{i}": f"text {i}" for i in range(40)})
    assert pool.draw("id3", 0, 15, ["text 3"]) == pool.draw("id3", 0, 20, ["text 3"])[:15]
    assert len(set(pool.draw("id3", 0, 50, ["text 3", "Text 5!"]))) == 38


def test_every_form_gives_the_same_rows(rows: Any, raw: Path) -> None:
    drop = ["image", "source"]
    from_csv = list(rows("explanation_hard").remove_columns(drop))
    (raw / "test").mkdir()
    made = [{"file_name": f"id{i:02d}.png", **published(i)} for i in range(N)]
    (raw / "test/metadata.csv").write_text(table(made), encoding="utf-8", newline="")
    for i in range(N):
        (raw / f"test/id{i:02d}.png").write_bytes(picture("navy"))
    folder = rows("explanation_hard", release="imagefolder", strict=True)
    assert list(folder.remove_columns(drop)) == from_csv
    assert folder[0]["image"].getpixel((0, 0))[0] == 0
    assert folder[0]["source"] == "metadata.csv"
    assert rows("explanation_hard")[0]["source"] == "whoops_dataset.csv"
    (raw / "data").mkdir()
    made = [{"image": {"bytes": picture("olive"), "path": "x.png"}, **published(i)} for i in range(N)]
    pq.write_table(pa.Table.from_pylist(made), raw / "data/test-00000-of-00001.parquet")
    parquet = rows("explanation_hard", release="parquet", strict=True)
    assert list(parquet.remove_columns(drop)) == from_csv
    assert parquet[0]["image"].getpixel((0, 0)) == (128, 128, 0)
    (raw / "whoops_dataset.csv").unlink()
    assert rows("explanation_hard")[0]["source"] == "metadata.csv"


def test_without_an_id_the_picture_names_the_row(rows: Any, raw: Path) -> None:
    (raw / "whoops_dataset.csv").unlink()
    made = [{"file_name": f"whoops_images/id{i:02d}.png", **published(i)} for i in range(N)]
    for row in made:
        del row["image_id"]
    (raw / "metadata.csv").write_text(table(made), encoding="utf-8", newline="")
    assert rows(strict=True)["id"] == [f"id{i:02d}" for i in range(N)]


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-8", "\n"), ("utf-8-sig", "\n"), ("utf-16", "\r\n"), ("latin-1", "\r\n")]
)
def test_encodings(rows: Any, raw: Path, encoding: str, end: str) -> None:
    made = [published(i) for i in range(N)]
    for row in made:
        row["crowd_captions"] = ["A fish"]
    write_csv(raw, made)
    plain = list(rows(images="skip"))
    write_csv(raw, made, encoding, end)
    assert list(rows(images="skip")) == plain
    assert plain[0]["image_designer"] == "Å. Designer"


def test_lists_as_python_prints_them(rows: Any, raw: Path) -> None:
    made = [published(i) for i in range(N)]
    for row in made:
        row.update({name: str(row[name]) for name in LISTS})
    plain = list(rows(images="skip"))
    write_csv(raw, made)
    assert list(rows(images="skip")) == plain


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"image_id": "id00"}, r"the id id00 was there before, on row 1, up to line \d+"),
        ({"image_id": ""}, r"the field 'image_id' is empty"),
        ({"image_id": "../../out"}, r"the picture's path 'whoops_images/../../out.png' leaves the data folder"),
        ({"crowd_captions": "[1, 2]"}, r"the field 'crowd_captions' should be a list of texts, but holds 1"),
        ({"crowd_explanations": "a fish"}, r"the field 'crowd_explanations' should be a list as JSON text"),
        ({"crowd_explanations": '["a'}, r"the field 'crowd_explanations' should be a list as JSON text"),
        ({"question_answering_pairs": '[["a", 3]]'}, r"the field 'question_answering_pairs' should be a list of texts"),
        ({"question_answering_pairs": '{"a": 3}'}, r"the field 'question_answering_pairs' should be a list, but"),
    ],
)
def test_bad_rows(rows: Any, raw: Path, change: dict[str, str], message: str) -> None:
    made = [published(i) for i in range(3)]
    made[1].update(change)
    write_csv(raw, made)
    with pytest.raises(DataError, match=rf"whoops_dataset\.csv, row 2, up to line \d+: {message}"):
        rows()


@pytest.mark.parametrize("missing", ["image_id", "designer_explanation", "crowd_explanations"])
def test_missing_columns(rows: Any, raw: Path, missing: str) -> None:
    write_csv(raw, [{k: v for k, v in published(i).items() if k != missing} for i in range(3)])
    with pytest.raises(DataError, match=rf"whoops_dataset.csv:1: the column '{missing}' is missing; there are "):
        rows()


def test_a_truncated_table(rows: Any, raw: Path) -> None:
    file = raw / "whoops_dataset.csv"
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    with pytest.raises(DataError, match=r"whoops_dataset.csv:\d+: .*cut short"):
        rows()
    file.write_bytes(whole[: whole.index(b"Fish 3")])
    with pytest.raises(DataError, match=r"whoops_dataset.csv:\d+: .*cut short"):
        rows()


def test_no_table(rows: Any, raw: Path) -> None:
    (raw / "whoops_dataset.csv").unlink()
    with pytest.raises(DataError, match=r"holds no whoops_dataset.csv, metadata.csv, test/metadata.csv or \*.parquet"):
        rows()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id00": {"verb": "x"}', r"hard_negatives.json:1: not JSON .*cut short"),
        ("[]", r"hard_negatives.json:1: a JSON object is expected"),
        (
            '{"id00": {\n"verbs": "x"}}',
            r"hard_negatives.json:1: id00: the kind 'verbs' is not known: one of random, verb",
        ),
        ('{\n"id00": {"verb": ""}}', r"hard_negatives.json:2: id00: the verb negative is '', not a text"),
        ('{"id00": ["x"]}', r"hard_negatives.json:1: the field 'value' should be dict"),
        ('{"id00": {},\n "id00": {}}', r"hard_negatives.json:2: id00 was there before, on line 1"),
    ],
)
def test_bad_hard_negatives(rows: Any, raw: Path, content: str, message: str) -> None:
    (raw / "hard_negatives.json").write_text(content)
    with pytest.raises(DataError, match=message):
        rows("explanation_hard")


def test_hard_negatives_must_be_there(rows: Any, raw: Path, tmp_path: Path) -> None:
    (raw / "hard_negatives.json").rename(tmp_path / "other.json")
    with pytest.raises(DataError, match=r"hard_negatives.json is missing: hard negatives were never released"):
        rows("explanation_hard")
    assert len(rows("explanation_hard", hard_negatives=str(tmp_path / "other.json"))) == N
    assert len(rows("explanation_easy", strict=True)) == N


def test_faults_are_counted(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    hard = {f"id{i:02d}": negatives(i) for i in range(1, N)} | {"id99": negatives(99)}
    hard["id01"]["verb"] = hard["id01"]["object"].upper()
    hard["id02"]["random"] = "Given."
    del hard["id02"]["causal"]
    (raw / "hard_negatives.json").write_text(json.dumps(hard), encoding="utf-8-sig")
    made = [published(i) for i in range(N)]
    made[5]["designer_explanation"] = " "
    write_csv(raw, made)
    (raw / "whoops_images/id03.png").unlink()
    (raw / "whoops_images/id04.png").write_bytes(b"no picture")
    built = {row["id"]: row for row in rows("explanation_hard")}
    assert list(built) == [f"id{i:02d}" for i in range(N) if i not in (0, 5)]
    assert "Given." in built["id02"]["options"] and len(built["id02"]["options"]) == 5
    assert built["id03"]["image"] is None and built["id04"]["image"] is None
    text = "\n".join(caplog.messages)
    assert "images without hard negatives, left out: 1 (id00)" in text
    assert "hard negatives of images that are not in the data: 1 (id99)" in text
    assert "nearly equal options: 1 (id01 " in text
    assert "images without a hard negative of kind causal: 1 (id02)" in text
    assert "images without an explanation of the designer, left out: 1 (id05)" in text
    assert "missing pictures: 1 (id03)" in text
    assert "pictures that cannot be used: 1 (id04 (" in text
    with pytest.raises(DataError, match=r"strict: .*left out"):
        rows("explanation_hard", strict=True)


def test_few_images_give_few_options(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_csv(raw, [published(i) for i in range(4)])
    assert [len(options) for options in rows()["options"]] == [4] * 4
    assert "images with fewer than 15 explanations of others: 4 (id00" in "\n".join(caplog.messages)


def test_inputs_that_change_are_noticed(rows: Any, raw: Path) -> None:
    before = rows("explanation_hard")[0]
    (raw / "whoops_images/id00.png").write_bytes(picture("black"))
    hard = {f"id{i:02d}": {**negatives(i), "verb": f"New {i}"} for i in range(N)}
    (raw / "hard_negatives.json").write_text(json.dumps(hard))
    after = rows("explanation_hard")[0]
    assert "New 0" in after["options"] and "New 0" not in before["options"]
    assert after["image"].getpixel((0, 0)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"gold": "paper"}, "gold='paper': one of designer, crowd"),
        ({"release": "json"}, "release='json': one of auto, csv, imagefolder, parquet"),
        ({"seed": "0"}, "seed='0': a whole number"),
    ],
)
def test_unknown_values(rows: Any, kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rows(**kwargs)


def test_streams_and_processes_give_the_same_rows(rows: Any, raw: Path, tmp_path: Path) -> None:
    plain = list(rows(images="skip"))
    kwargs = {"config_name": "explanation_easy", "data_dir": str(raw), "images": "skip"}
    builder = builder_class("whoops")(cache_dir=str(tmp_path / "other"), **kwargs)
    builder.download_and_prepare(num_proc=2)
    stream = builder_class("whoops")(cache_dir=str(tmp_path / "third"), **kwargs).as_streaming_dataset(split="test")
    assert list(builder.as_dataset(split="test")) == plain
    assert list(stream) == plain
