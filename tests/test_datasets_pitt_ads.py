"""PittAds' builder, on files that the tests write in every published form."""

from __future__ import annotations

import csv
import io
import json
import logging
import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from punctum._datasets import builder_class, load
from punctum.datasets_scripts.documents import json_entries
from punctum.datasets_scripts.pitt_ads.annotations import read_annotations
from punctum.datasets_scripts.pitt_ads.draws import Pool
from punctum.datasets_scripts.pitt_ads.statements import RELATIONS, plain, statement
from punctum.datasets_scripts.reading import DataError, decode

HEADER = ("", "image_url", "category", "first_explaination", "second_explanation", "worker")
KINDS = {
    "action": "action_alter",
    "reason": "reason_alter",
    "adjective": "adjective_alter",
    "object": "object_swap",
    "statement": "statement_alter",
}
CODES = {"TR1": "1", "TR2": "2", "OIO": "3", "OR": "8", "NA": "Regular_Object"}
Said = tuple[str, str, str]

#: image → split and what three annotators said
ADS: dict[str, tuple[str, list[Said]]] = {
    "0/1.jpg": ("train", [("1", "beer bottle", "feather"), ("1", "beer", "feathers"), ("2", "bottle", "plumes")]),
    "0/2.jpg": ("train", [("2", "lung", "cigarettes"), ("Regular_Object", "", ""), ("2", "lungs", "cigarette")]),
    "0/3.jpg": ("train", [("5", "ox", "plough"), ("3", "fish", "light bulb"), ("8", "bulb", "fish bowl")]),
    "1/4.jpg": ("train", [("8", "shoe", ""), ("8", "shoe", "x" * 51), ("3", "shoe", "launch pad")]),
    "1/5.jpg": ("train", [("0", "", ""), ("Regular_Object", "", ""), ("0", "", "")]),
    "1/6.jpg": ("train", [("0", "", ""), ("7", "hat", "roof"), ("0", "", "")]),
    "1/7.jpg": ("train", [("8", "cup", ""), ("8", "no", "sun"), ("8", "NaN", "sun")]),
    "2/8.jpg": ("test", [("3", "tree", "suitcase"), ("3", "suitcase", "tree"), ("1", "tree", "suitcase")]),
    "2/9.jpg": ("test", [("8", "carrot", "cigarette"), ("2", "smoke", "leaves"), ("3", "carrot", "mouth")]),
}


def table(rows: Sequence[tuple[str, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADER)
    for i, row in enumerate(rows):
        writer.writerow((i, *row, "w1"))
    return text.getvalue()


ROWS = [(image, *said) for image, (_, annotators) in ADS.items() for said in annotators]


def true(image: str, count: int = 3) -> list[str]:
    return [f"I should buy what {image} shows because reason {i} holds." for i in range(count)]


def images(split: str) -> list[str]:
    return [image for image, (own, _) in ADS.items() if own == split]


def write_json(file: Path, value: Any, indent: int | None = 1, encoding: str = "utf-8") -> None:
    file.write_bytes(json.dumps(value, indent=indent, ensure_ascii=False).encode(encoding))


def qa(folder: Path, split: str) -> Path:
    return folder / f"QA_Combined_Action_Reason_{split}.json"


def write_hard(folder: Path, split: str, only: list[str] | None = None) -> None:
    for word in KINDS:
        made = {i: [true(i), [*true(i), *(f"{text} Not by {word}." for text in true(i))]] for i in images(split)}
        write_json(
            folder / f"{word}_hard_QA_Combined_Action_Reason_{split}.json",
            {image: value for image, value in made.items() if only is None or image in only},
        )


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    (folder / "final_csv.csv").write_bytes(table(ROWS).encode())
    for split in ("train", "test"):
        write_json(qa(folder, split), {image: true(image) for image in images(split)})
        write_hard(folder, split)
    for i, (image, (split, _)) in enumerate(ADS.items()):
        file = folder / f"{split}_images" / image
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 9 + i), "navy").save(file)
    return folder


@pytest.fixture
def rows(raw: Path, tmp_path: Path) -> Any:
    def build(config: str, split: str = "train", **kwargs: Any) -> Any:
        return load("pitt_ads", config, data_dir=raw, split=split, cache_dir=str(tmp_path / "cache"), **kwargs)

    return build


def by_image(built: Any) -> dict[str, dict[str, Any]]:
    return {row["image_url"]: row for row in built}


# Annotations


def test_labels(rows: Any) -> None:
    built = by_image(rows("mac"))
    assert list(built) == ["0/1.jpg", "0/2.jpg", "0/3.jpg", "1/4.jpg", "1/7.jpg"]
    row = built["0/1.jpg"]
    assert row.pop("image").size == (8, 9)
    assert row == {
        "id": "0/1.jpg#mac",
        "image_url": "0/1.jpg",
        "category": "TR1",
        "source": "final_csv.csv",
        "labels": ["TR1", "TR2"],
        "majority": "TR1",
        "annotations": ["TR1", "TR1", "TR2"],
        **dict.fromkeys(["topics", "sentiments", "strategies", "symbols", "slogans", "actions", "reasons"]),
    }
    assert built["0/2.jpg"]["labels"] == ["TR2", "NA"]
    assert (built["0/3.jpg"]["labels"], built["0/3.jpg"]["majority"]) == (["OIO", "OR"], None)
    assert built["0/3.jpg"]["annotations"] == ["OIO", "OR"]  # the other code is dropped
    assert (built["1/4.jpg"]["labels"], built["1/4.jpg"]["majority"]) == (["OIO", "OR"], "OR")
    test = by_image(rows("mac", "test"))
    assert (test["2/9.jpg"]["labels"], test["2/9.jpg"]["majority"]) == (["TR2", "OIO", "OR"], None)


def test_typical_images_are_those_of_which_all_say_so(rows: Any, raw: Path) -> None:
    for kwargs in ({"images": "typical"}, {"subset": "typical"}):
        built = rows("mac", **kwargs)
        assert built["image_url"] == ["1/5.jpg"]  # not 1/6.jpg: one annotator found it atypical in another way
        assert built["labels"] == [["NA"]]
    with pytest.raises(ValueError, match="asr is about atypical images only"):
        rows("asr", images="typical")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("small.txt", "0/3.jpg\r\n\r\n./0/1.jpg\r\n"),
        ("small.csv", "ID,description\n0/1.jpg,x\n0/3.jpg,y\n"),
        ("small.json", '{"0/1.jpg": [["a"], ["a", "b"]],\n "0/3.jpg": []}'),
    ],
)
def test_the_small_subset_is_a_list(rows: Any, raw: Path, name: str, content: str) -> None:
    (raw / name).write_text(content, newline="")
    small = None if name == "small.txt" else str(raw / name)
    assert rows("mac", subset="small", small=small)["image_url"] == ["0/1.jpg", "0/3.jpg"]


def test_the_small_subset_needs_its_list(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(DataError, match=r'small.txt is missing: subset="small" needs'):
        rows("mac", subset="small")
    (raw / "small.txt").write_text("9/9.jpg\n")
    with pytest.raises(DataError, match="lists 1 images, none of which is annotated"):
        rows("mac", subset="small")
    (raw / "small.txt").write_text("0/1.jpg\n9/9.jpg\n0/1.jpg\n")
    assert len(rows("mac", subset="small")) == 1
    assert "small subset without annotations: 1 (9/9.jpg on line 2)" in caplog.text
    assert "listed twice in the small subset: 1 (0/1.jpg on line 3)" in caplog.text
    (raw / "small.txt").write_text("0/1.jpg\n")  # the cache must notice
    caplog.clear()
    assert len(rows("mac", subset="small")) == 1
    assert "without annotations" not in caplog.text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "latin-1"])
def test_encodings(rows: Any, raw: Path, encoding: str) -> None:
    lines = [("0/1.jpg", "1", "café crème", "feather"), *ROWS[3:]]
    (raw / "final_csv.csv").write_bytes(table(lines).encode(encoding))
    made = {"0/1.jpg": ["I should drink café crème because it is light."]}
    write_json(qa(raw, "train"), made, encoding=encoding)
    for file in raw.glob("*_hard_*_train.json"):
        file.unlink()
    assert by_image(rows("aor"))["0/1.jpg"]["statement"] == statement("TR1", "café crème", "feather")
    write_json(qa(raw, "train"), {**made, "0/2.jpg": ["I should stop."]}, encoding=encoding)
    row = by_image(rows("arr_single", negatives="easy"))["0/1.jpg"]
    assert row["options"][row["answers"][0]] == made["0/1.jpg"][0]


def test_utf_16_is_told_without_its_mark() -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        assert decode('1. "Bars" é'.encode(encoding)) == '1. "Bars" é'
    assert decode("déjà".encode("latin-1")) == "déjà"
    assert decode(b"") == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("image_url,category,first_explaination\n0/1.jpg,1,a\n", r":1: the column 'second_explanation' is missing"),
        (table([("", "1", "beer", "feather")]), r":2: the field 'image_url' is empty"),
        (table([("../1.jpg", "1", "beer", "feather")]), r":2: the image '\.\./1\.jpg' should be a path below"),
        (table([("/1.jpg", "1", "beer", "feather")]), r":2: the image '/1\.jpg' should be a path below"),
        (table([("C:\\1.jpg", "1", "beer", "feather")]), r":2: the image 'C:"),
        (table(ROWS)[:-12], r":28: fewer cells than columns"),
        (table([]), r" has no annotations"),
    ],
)
def test_bad_annotations(rows: Any, raw: Path, content: str, message: str) -> None:
    (raw / "final_csv.csv").write_text(content, newline="")
    with pytest.raises(DataError, match=r"final_csv\.csv" + message):
        rows("mac")


def test_without_annotations(rows: Any, raw: Path) -> None:
    (raw / "final_csv.csv").unlink()
    with pytest.raises(DataError, match=r"final_csv.csv is missing"):
        rows("arr")


def test_a_row_without_category_is_counted(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    (raw / "final_csv.csv").write_text(table([*ROWS, ("0/1.jpg", "", "hat", "roof")]))
    assert by_image(rows("mac"))["0/1.jpg"]["annotations"] == ["TR1", "TR1", "TR2"]
    assert "annotations without a category: 1 (0/1.jpg on line 29)" in caplog.text
    with pytest.raises(DataError, match=r"strict: .*annotations without a category"):
        rows("mac", strict=True)


def test_whole_numbers_may_come_as_fractions(tmp_path: Path) -> None:
    file = tmp_path / "final_csv.csv"
    file.write_text(table([("0/1.jpg", "8.0", "cup", "sun"), ("0/1.jpg", "REGULAR_OBJECT", "", "")]))
    assert read_annotations(file)["0/1.jpg"].labels == ["OR", "NA"]


# Splits


def test_splits_follow_the_statements_and_then_the_pictures(rows: Any, raw: Path) -> None:
    assert rows("mac", "test")["image_url"] == ["2/8.jpg", "2/9.jpg"]
    for split in ("train", "test"):
        qa(raw, split).unlink()
        for file in raw.glob("*_hard_*.json"):
            file.unlink()
    assert rows("mac", "test")["image_url"] == ["2/8.jpg", "2/9.jpg"]
    for folder in ("train_images", "test_images"):
        (raw / folder).rename(raw / f"no_{folder}")
    with pytest.raises(DataError, match="nothing says which images are of which split"):
        rows("mac", "test")


def test_an_image_of_neither_split_is_left_out(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    (raw / "final_csv.csv").write_text(table([*ROWS, ("9/9.jpg", "1", "hat", "roof")]))
    with caplog.at_level(logging.INFO, "punctum.datasets"):
        assert "9/9.jpg" not in rows("mac")["image_url"]
    assert "left out: images of neither split: 1 (9/9.jpg)" in caplog.text


def test_an_image_in_both_splits(rows: Any, raw: Path) -> None:
    write_json(qa(raw, "test"), {"0/1.jpg": true("0/1.jpg")})
    with pytest.raises(DataError, match=r"_test\.json:2: 0/1\.jpg is also in .*_train\.json:2"):
        rows("mac")


# Atypicality statements


def test_statement_retrieval(rows: Any) -> None:
    built = by_image(rows("asr"))
    assert list(built) == ["0/1.jpg", "0/2.jpg", "0/3.jpg", "1/4.jpg"]
    row = built["0/1.jpg"]
    options = dict(zip(row["options"], row["option_kinds"], strict=True))
    assert row["options"][row["answers"][0]] == statement("TR1", "beer bottle", "feather")
    assert options[statement("TR1", "feather", "beer bottle")] == "swapped"
    wrong = [text for text, kind in options.items() if kind == "wrong_relation"]
    # TR2 is no wrong relation: another annotator gave it.
    assert sorted(wrong) == sorted(statement(r, "beer bottle", "feather") for r in ("OIO", "OR"))
    assert Counter(row["option_kinds"]) == {"correct": 1, "wrong_object": 4, "wrong_relation": 2, "swapped": 1}
    assert [row[name] for name in ("relation", "primary", "secondary")] == ["TR1", "beer bottle", "feather"]
    # The first annotation is no atypical one, the second has the objects.
    assert built["0/3.jpg"]["statement"] == statement("OIO", "fish", "light bulb")
    # Labels are merged before rows with unusable objects go: OR is a true relation of 1/4.
    row = built["1/4.jpg"]
    assert row["statement"] == statement("OIO", "shoe", "launch pad")
    assert row["option_kinds"].count("wrong_relation") == 2


def test_the_sentences_of_figure_3() -> None:
    assert [statement(relation, "A", "B") for relation in RELATIONS] == [
        "The surface of A mimics the texture of B, while retaining its original structure.",
        "A appears to be composed of numerous, smaller instances of B, altering its texture.",
        "A is visibly located within B, in an unconventional manner.",
        "A completely replaces B in its usual context, assuming its function or position.",
    ]
    assert statement("OIO", "{primary}", "{x}").startswith("{primary} is visibly located within {x},")
    with pytest.raises(ValueError, match="no relation 'NA': one of TR1, TR2, OIO, OR"):
        statement("NA", "A", "B")


def test_a_swapped_statement_that_another_annotator_gave_is_not_wrong(rows: Any) -> None:
    row = by_image(rows("asr", "test"))["2/8.jpg"]
    assert "swapped" not in row["option_kinds"]
    assert statement("OIO", "suitcase", "tree") not in row["options"]
    assert statement("TR1", "tree", "suitcase") not in row["options"]


@pytest.mark.parametrize("seed", range(4))
def test_no_wrong_statement_is_true_and_none_is_there_twice(rows: Any, raw: Path, seed: int) -> None:
    """On annotations full of the same objects."""
    things = ["fish", "bulb", "Fish!", "tree"]
    lines = []
    for i in range(24):
        for j in range(3):
            said = (things[(i + j) % 4], things[(i * j + 1 + seed) % 4])
            lines.append((f"0/{i}.jpg", "1238"[(i + j * (i % 3)) % 4], *said))
    (raw / "final_csv.csv").write_text(table(lines))
    write_json(qa(raw, "train"), {f"0/{i}.jpg": true(f"0/{i}.jpg") for i in range(24)})
    for file in raw.glob("*_hard_*.json"):
        file.unlink()
    ads = read_annotations(raw / "final_csv.csv")
    for row in rows("asr", seed=seed, with_pictures=False):
        words = [plain(text) for text in row["options"]]
        assert len(set(words)) == len(words)
        (gold,) = row["answers"]
        assert words[gold] == plain(row["statement"])
        assert row["option_kinds"].count("correct") == 1
        told = ads[row["image_url"]].true_statements()
        assert not told & {text for i, text in enumerate(words) if i != gold}
        given = ads[row["image_url"]].labels
        for text, kind in zip(row["options"], row["option_kinds"], strict=True):
            if kind == "wrong_relation":
                wrong = [r for r in RELATIONS if text == statement(r, row["primary"], row["secondary"])]
                assert wrong and wrong[0] not in given
            elif kind == "swapped":
                assert text == statement(row["relation"], row["secondary"], row["primary"])
            elif kind == "wrong_object":
                assert any(
                    text in (statement(row["relation"], *pair), statement(row["relation"], *pair[::-1]))
                    for ad in ads.values()
                    for pair in [(ad.usable[0].primary, ad.usable[0].secondary)]
                )


def test_wrong_ones_depend_on_seed_and_id_alone(rows: Any, raw: Path) -> None:
    def drawn(built: Any) -> dict[str, list[str]]:
        return {row["id"]: row["options"] for row in built}

    first = drawn(rows("asr"))
    (raw / "small.txt").write_text("0/2.jpg\n1/4.jpg\n")
    small = drawn(rows("asr", subset="small"))
    assert small == {row_id: first[row_id] for row_id in small}
    order = [row for image in reversed(ADS) for row in ROWS if row[0] == image]
    (raw / "final_csv.csv").write_text(table(order))
    assert drawn(rows("asr")) == first
    other = drawn(rows("asr", seed=1))
    assert set(other) == set(first) and other != first


def test_a_pool_gives_each_row_an_order_that_other_names_do_not_change() -> None:
    names = [f"{i}.jpg" for i in range(500)]
    order = list(Pool(names).draw(0, "x#asr"))
    assert sorted(order) == sorted(names)
    assert list(Pool(reversed(names)).draw(0, "x#asr")) == order
    assert list(Pool(names[100:]).draw(0, "x#asr")) == [name for name in order if name in names[100:]]
    assert list(Pool(names).draw(1, "x#asr")) != order
    assert list(Pool([]).draw(0, "x")) == []
    # Each name comes first about equally often: chi-square of 100 names over 10,000 draws, 99 degrees of freedom.
    small = Pool(names[:100])
    firsts = Counter(next(small.draw(0, f"{i}#asr")) for i in range(10_000))
    assert sum((firsts[name] - 100) ** 2 / 100 for name in names[:100]) < 160


def test_all_annotations_give_a_row_each(rows: Any) -> None:
    built = rows("aor", annotations="all")
    ids = [row_id for row_id in built["id"] if row_id.startswith("0/")]
    assert ids == [f"0/{i}.jpg#aor-{n}" for i, n in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 3), (3, 2), (3, 3))]
    assert built[2]["statement"] == statement("TR2", "bottle", "plumes")
    with pytest.raises(ValueError, match='annotations="all" is for asr and aor'):
        rows("mac", annotations="all")


def test_objects(rows: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "punctum.datasets"):
        built = by_image(rows("aor"))
    assert "left out: images without usable objects: 1 (1/7.jpg)" in caplog.text
    row = built["0/1.jpg"]
    del row["image"]
    assert {name: value for name, value in row.items() if value is not None} == {
        "id": "0/1.jpg#aor",
        "image_url": "0/1.jpg",
        "category": "TR1",
        "source": "final_csv.csv",
        "labels": ["TR1", "TR2"],
        "relation": "TR1",
        "statement": statement("TR1", "beer bottle", "feather"),
        "primary": "beer bottle",
        "secondary": "feather",
        "references": [
            "The surface of beer bottle mimics the texture of feather, while retaining its original structure.",
            "The surface of beer mimics the texture of feathers, while retaining its original structure.",
            "bottle appears to be composed of numerous, smaller instances of plumes, altering its texture.",
        ],
    }


# Action-reason statements


def test_hard_negatives(rows: Any) -> None:
    built = by_image(rows("arr"))
    row = built["0/1.jpg"]
    assert (row["id"], row["source"]) == ("0/1.jpg#arr", "QA_Combined_Action_Reason_train.json")
    assert Counter(row["option_kinds"]) == {"correct": 3, **dict.fromkeys(KINDS.values(), 3)}
    assert {row["options"][i] for i in row["answers"]} == set(true("0/1.jpg"))
    for text, kind in zip(row["options"], row["option_kinds"], strict=True):
        assert kind == "correct" or kind == KINDS[text.rstrip(".").split()[-1]]
    published = [text for _, text in sorted(zip(row["permutation"], row["options"], strict=True))]
    assert published[:3] == true("0/1.jpg")
    assert published[3].endswith("Not by action.")
    assert row["statement"] == statement("TR1", "beer bottle", "feather")
    single = by_image(rows("arr_single"))["0/1.jpg"]
    assert [single["options"][i] for i in single["answers"]] == true("0/1.jpg")[:1]
    assert len(single["options"]) == 16
    assert set(true("0/1.jpg")[1:]).isdisjoint(single["options"])
    assert by_image(rows("arr", images="typical"))["1/5.jpg"]["statement"] is None


def test_a_mixed_file_gives_the_order_and_the_others_the_kinds(rows: Any, raw: Path) -> None:
    texts = true("0/1.jpg")
    order = [f"{texts[1]} Not by reason.", texts[2], "Wholly new.", texts[0], f"{texts[0]} Not by object.", texts[1]]
    mixed = {"0/1.jpg": [texts, order]}
    write_json(raw / "large_combined_hard_QA_Combined_Action_Reason_train.json", mixed)
    row = by_image(rows("arr"))["0/1.jpg"]
    assert row["options"][:6] == order
    assert row["option_kinds"][:6] == ["reason_alter", "correct", "distractor", "correct", "object_swap", "correct"]
    assert row["permutation"] == list(range(19))


def test_easy_negatives_are_drawn_from_other_images(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    more = {f"5/{i}.jpg": true(f"5/{i}.jpg") for i in range(30)}
    write_json(qa(raw, "train"), {**{image: true(image) for image in images("train")}, **more})
    write_json(qa(raw, "test"), {**{image: true(image) for image in images("test")}, "9/9.jpg": true("9/9.jpg")})
    built = by_image(rows("arr", negatives="easy"))
    for image, row in built.items():
        assert Counter(row["option_kinds"]) == {"correct": 3, "other_image": 12}
        wrong = [t for t, kind in zip(row["options"], row["option_kinds"], strict=True) if kind == "other_image"]
        assert len({text.split()[4] for text in wrong} - {image}) == 12
    assert "fewer easy negatives than 12, for want of other images: 2 (2/8.jpg#arr, 2/9.jpg#arr)" in caplog.text
    assert by_image(rows("arr", negatives="easy"))["0/2.jpg"]["options"] == built["0/2.jpg"]["options"]
    (raw / "small.txt").write_text("0/2.jpg\n")
    (small,) = rows("arr", negatives="easy", subset="small")
    assert small["options"] == built["0/2.jpg"]["options"]
    assert by_image(rows("arr", negatives="easy", seed=5))["0/2.jpg"]["options"] != built["0/2.jpg"]["options"]
    single = by_image(rows("arr_single", negatives="easy"))["0/2.jpg"]
    assert Counter(single["option_kinds"]) == {"correct": 1, "other_image": 12}


def test_statements_that_are_true_of_the_image_too_are_never_wrong(rows: Any, raw: Path) -> None:
    made = {image: [true(image)[0], "I should buy it because it is good!"] for image in images("train")}
    write_json(qa(raw, "train"), made)
    for file in raw.glob("*_hard_*.json"):
        file.unlink()
    for row in rows("arr", negatives="easy"):
        assert len({plain(text) for text in row["options"]}) == len(row["options"])
        assert {row["options"][i] for i in row["answers"]} == set(made[row["image_url"]])


def challenge(image: str, wrong: list[str]) -> list[list[str]]:
    texts = true(image)
    return [texts, [wrong[0], texts[2], *wrong[1:], texts[0], texts[1]]]


def test_the_challenge_form(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Two lists, true statements and all options; wrong ones are other images' statements."""
    names = images("train")
    made = {i: challenge(i, [true(other)[0] for other in names if other != i]) for i in names}
    made["0/2.jpg"] = challenge("0/2.jpg", [f"A generated one, {i}." for i in range(5)])
    write_json(qa(raw, "train"), made)
    built = by_image(rows("arr", negatives="easy"))
    assert built["0/1.jpg"]["options"] == made["0/1.jpg"][1]
    assert built["0/1.jpg"]["option_kinds"][:3] == ["other_image", "correct", "other_image"]
    assert built["0/1.jpg"]["permutation"] == list(range(9))
    assert built["0/2.jpg"]["option_kinds"].count("other_image") == 6  # drawn: the published ones are not easy
    for file in raw.glob("*_hard_*_train.json"):
        file.unlink()
    hard = by_image(rows("arr"))
    assert hard["0/2.jpg"]["options"] == made["0/2.jpg"][1]
    assert set(hard["0/2.jpg"]["option_kinds"]) == {"correct", "distractor"}  # of which kind is not told
    assert "hard negatives that are other images' true statements: 4" in caplog.text


def test_options_without_answers(rows: Any, raw: Path) -> None:
    options = {image: [f"Statement {i}, or another." for i in range(15)] for image in images("test")}
    write_json(qa(raw, "test"), options)
    for file in raw.glob("*_hard_*_test.json"):
        file.unlink()
    with pytest.raises(DataError, match=r"_test.json:2: 2/8.jpg has a list of 15 texts, which may be .*lists="):
        rows("arr", "test")
    row = rows("arr", "test", lists="options")[0]
    assert row["options"] == options["2/8.jpg"]
    assert (row["answers"], set(row["option_kinds"])) == ([], {"unknown"})
    with pytest.raises(DataError, match="has no rows for pitt_ads/arr_single"):
        (raw / "small.txt").write_text("2/8.jpg\n")
        rows("arr_single", "test", lists="options", subset="small")


def test_more_than_three_true_statements(rows: Any, raw: Path) -> None:
    texts = true("0/1.jpg", 5)
    write_json(qa(raw, "train"), {"0/1.jpg": [texts, [*texts, "Wrong."]]})
    for file in raw.glob("*_hard_*_train.json"):
        file.unlink()
    (row,) = [row for row in rows("arr") if row["image_url"] == "0/1.jpg"]
    assert row["options"] == [*texts[:3], "Wrong."]


def test_the_first_three_different_statements_count(rows: Any, raw: Path) -> None:
    texts = [true("0/1.jpg")[i] for i in (2, 0, 2, 1)]
    write_json(qa(raw, "train"), {"0/1.jpg": [texts, ["Wrong.", *texts]]})
    for file in raw.glob("*_hard_*_train.json"):
        file.unlink()
    (row,) = rows("arr_single")
    assert row["options"] == ["Wrong.", texts[0]]
    (row,) = rows("arr")
    assert row["options"] == ["Wrong.", texts[0], texts[1], texts[3]]


def test_equal_statements_stand_once(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    texts = ["I should eat because it is good.", "I should eat, because it is GOOD", "I should eat because I must."]
    write_json(qa(raw, "train"), {"0/1.jpg": [texts, [*texts, "Wrong.", "wrong", " "]]})
    for file in raw.glob("*_hard_*_train.json"):
        file.unlink()
    (row,) = [row for row in rows("arr") if row["image_url"] == "0/1.jpg"]
    assert row["options"] == [texts[0], texts[2], "Wrong."]
    assert row["answers"] == [0, 1]
    assert "equal options, the later left out: 1 (0/1.jpg#arr)" in caplog.text
    assert "blank statements, left out: 1 (0/1.jpg)" in caplog.text


TRUE, WRONG = ["I should a."], ["I should b.", "I should c."]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"0/1.jpg": TRUE, "0/2.jpg": [TRUE, [*TRUE, *WRONG]]}, r":3: 0/2.jpg has two lists, but 0/1.jpg on line 2"),
        ({"0/1.jpg": [TRUE, TRUE + WRONG], "0/2.jpg": TRUE}, r":3: 0/2.jpg has a list of texts, but 0/1.jpg"),
        ({"0/1.jpg": [TRUE + WRONG, TRUE]}, r":2: 0/1.jpg: the second list lies within the first, as if swapped"),
        ({"0/1.jpg": [TRUE, WRONG]}, r":2: 0/1.jpg: none of the statements of the first list is among the options"),
        ({"0/1.jpg": [TRUE, TRUE]}, r":2: 0/1.jpg: no option is wrong"),
        ({"0/1.jpg": []}, r":2: 0/1.jpg should have a list of texts, or two lists"),
        ({"0/1.jpg": {"a": 1}}, r":2: 0/1.jpg should have a list of texts, or two lists"),
        ({"0/1.jpg": [TRUE, WRONG, WRONG]}, r":2: 0/1.jpg should have a list of texts, or two lists"),
        ({"0/1.jpg": [TRUE, [*TRUE, 3]]}, r":2: 0/1.jpg has 3 where a text is expected"),
        ({"0/1.jpg": [" "]}, r":2: 0/1.jpg has no statement"),
        ({"../1.jpg": TRUE}, r":2: the image '../1.jpg' should be a path below the data folder"),
        ({"0/1.jpg": TRUE, "./0/1.jpg": TRUE}, r":3: 0/1.jpg was there before, on line 2"),
    ],
)
def test_bad_statements(rows: Any, raw: Path, value: Any, message: str) -> None:
    text = "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n}"
    qa(raw, "train").write_text(text)
    with pytest.raises(DataError, match=r"_train\.json" + message):
        rows("arr")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": ["b"],\n"c": ["d', r":2: not JSON \(Unterminated string.*cut short"),
        ('{"a": ["b"],\n', r":2: not JSON \(.*cut short"),
        ('{"a": ["b"]', r":1: not JSON \(',' is expected\); the file may have been cut short"),
        ('{"a" ["b"]}', r":1: not JSON \(':' is expected"),
        ('{"a": ["b"],\n "b": 1,\n"a": 2}', r":3: a was there before, on line 1"),
        ('{"a": 1} {"b": 2}', r":1: not JSON \(nothing is expected after the object"),
        ("{1: 2}", r":1: not JSON \(a key in quotes"),
        ('["a"]', r":1: a JSON object is expected"),
        ("", r":1: a JSON object is expected"),
        ('{"a": ' + "[" * 100_000, r":1: not JSON \(nested too deeply"),
    ],
)
def test_bad_json(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content)
    with pytest.raises(DataError, match=r"x\.json" + message):
        list(json_entries(file))


def test_json_entries_know_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(b'\xef\xbb\xbf\r\n{\r\n"a": [1,\r\n2], "b":\r\n"{,}",\r\n\r\n"c": {}}\r\n')
    found = [(line.data["key"], line.data["value"], line.number) for line in json_entries(file)]
    assert found == [("a", [1, 2], 3), ("b", "{,}", 4), ("c", {}, 7)]
    file.write_text(" { } ")
    assert list(json_entries(file)) == []


def test_hard_files_must_fit(rows: Any, raw: Path) -> None:
    file = raw / "action_hard_QA_Combined_Action_Reason_train.json"
    write_json(file, {"0/1.jpg": [["Quite another."], ["Quite another.", "Wrong."]]})
    with pytest.raises(DataError, match=r"action_hard.*:2: 0/1.jpg has other true statements in QA_Comb.*line 2"):
        rows("arr")
    write_json(file, {"0/1.jpg": ["Wrong."]})
    with pytest.raises(DataError, match=r"action_hard.*:2: 0/1.jpg: hard negatives come in two lists"):
        rows("arr")


def test_without_hard_negatives(rows: Any, raw: Path) -> None:
    for file in raw.glob("*_hard_*.json"):
        file.unlink()
    with pytest.raises(DataError, match=r'images without hard negatives: 7.*negatives="easy" draws'):
        rows("arr")


# The official annotations


def test_official_annotations(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = raw / "annotations_images/image"
    folder.mkdir(parents=True)
    write_json(folder / "Topics.json", {"0/1.jpg": ["1", "1", "musical instruments", "77"], "8/8.jpg": ["2"]})
    topics = '1.  "Bars, cafés"  (ABBREVIATION: "bar")\r\n2. "Cars" (ABBREVIATION: "car")\r\n'
    (folder / "Topics_List.txt").write_bytes(b"\xff\xfe" + topics.encode("utf-16-le"))
    write_json(folder / "Sentiments.json", {"0/1.jpg": [["18", "19"], ["19"]]})
    (folder / "Sentiments_List.txt").write_bytes('18 "blasé"\n19. "calm"\n'.encode("latin-1"))
    write_json(folder / "Strategies.json", {"0/1.jpg": [["2"]]})
    write_json(folder / "Symbols.json", {"0/1.jpg": [[1.0, 2.0, 3.0, 4.0, "danger "], [1, 2, 3, 4, "thrill"]]})
    write_json(folder / "Slogans.json", {"0/1.jpg": ["Light  as air", ""]})
    write_json(folder / "QA_Action.json", {"0/1.jpg": ["I should drink it."]})
    row = rows("mac")[0]
    assert row["topics"] == ["bar", "bar", "musical instruments", "77"]
    assert row["sentiments"] == ["blasé", "calm", "calm"]
    assert row["strategies"] == ["2"]
    assert row["symbols"] == ["danger", "thrill"]
    assert row["slogans"] == ["Light as air"]
    assert row["actions"] == ["I should drink it."]
    assert row["reasons"] is None
    assert "topics without a name in Topics_List.txt: 1 (0/1.jpg 77)" in caplog.text
    write_json(folder / "Symbols.json", {"0/1.jpg": [[1.0, 2.0, 3.0, 4.0]]})
    with pytest.raises(DataError, match=r"Symbols.json:2: 0/1.jpg should have a list of boxes"):
        rows("mac")
    (folder / "Symbols.json").unlink()
    (folder / "Topics_List.txt").write_text("nothing\n")
    with pytest.raises(DataError, match=r"Topics_List.txt:1: no line reads like"):
        rows("mac")


# Pictures, kwargs, the builder


def huge_png() -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def test_pictures_that_cannot_be_read(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    (raw / "train_images/0/1.jpg").unlink()
    (raw / "train_images/0/2.jpg").write_bytes(b"no picture")
    (raw / "train_images/0/3.jpg").write_bytes(huge_png())
    built = by_image(rows("mac"))
    assert [built[f"0/{i}.jpg"]["image"] for i in (1, 2, 3)] == [None] * 3
    assert built["1/4.jpg"]["image"].size == (8, 12)
    assert "missing pictures: 1 (0/1.jpg)" in caplog.text
    assert (
        "unreadable pictures: 2 (0/2.jpg (no picture that Pillow knows), 0/3.jpg (Image size (10000000000 "
        in caplog.text
    )
    with pytest.raises(DataError, match=r"strict: .*unreadable pictures"):
        rows("mac", strict=True)
    caplog.clear()
    assert rows("mac", with_pictures=False)["image"] == [None] * 5
    assert "pictures" not in caplog.text


def test_a_link_out_of_the_folder(rows: Any, raw: Path, tmp_path: Path) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "secret.jpg")
    (raw / "train_images/0/1.jpg").unlink()
    (raw / "train_images/0/1.jpg").symlink_to(tmp_path / "secret.jpg")
    with pytest.raises(DataError, match=r"final_csv.csv:2: the picture's path .* leaves the data folder"):
        rows("mac")


def test_a_new_picture_and_new_files_are_noticed(rows: Any, raw: Path) -> None:
    assert len(rows("arr")[0]["options"]) == 18
    Image.new("RGB", (8, 30)).save(raw / "train_images/0/1.jpg")
    (raw / "action_hard_QA_Combined_Action_Reason_train.json").unlink()
    row = rows("arr")[0]
    assert row["image"].size == (8, 30)
    assert len(row["options"]) == 15


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"images": "skip"}, "images='skip': one of atypical, typical"),
        ({"subset": "medium"}, "subset='medium': one of full, small, typical"),
        ({"negatives": "soft"}, "negatives='soft': one of hard, easy"),
        ({"annotations": 1}, "annotations=1: one of first, all"),
        ({"lists": "x"}, "lists='x': one of auto, statements, options"),
        ({"seed": "0"}, "seed='0': a whole number"),
        ({"seed": True}, "seed=True: a whole number"),
        ({"with_pictures": 0}, "with_pictures=0: True or False"),
    ],
)
def test_unknown_values(rows: Any, kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rows("mac", **kwargs)


def test_kwargs_change_the_cache_folder_and_the_fingerprint(raw: Path, tmp_path: Path) -> None:
    cls = builder_class("pitt_ads")
    found = set()
    for kwargs in ({}, {"seed": 1}, {"negatives": "easy"}, {"images": "typical"}, {"lists": "statements"}):
        builder = cls(config_name="arr", data_dir=str(raw), cache_dir=str(tmp_path / "cache"), **kwargs)
        builder.download_and_prepare()
        found.add((builder.cache_dir, builder.as_dataset(split="train")._fingerprint))
    assert len({cache for cache, _ in found}) == len({fingerprint for _, fingerprint in found}) == 5


def test_streams_and_processes_give_the_same_rows(rows: Any, raw: Path, tmp_path: Path) -> None:
    cls = builder_class("pitt_ads")
    for config in ("asr", "arr"):
        plainly = list(rows(config, with_pictures=False))
        kwargs = {"config_name": config, "data_dir": str(raw), "with_pictures": False}
        builder = cls(cache_dir=str(tmp_path / "other"), **kwargs)
        builder.download_and_prepare(num_proc=2)
        assert list(builder.as_dataset(split="train")) == plainly
        stream = cls(cache_dir=str(tmp_path / "third"), **kwargs).as_streaming_dataset(split="train")
        assert list(stream) == plainly
