"""The option builders on rows, datasets, streams and dictionaries of either."""

from __future__ import annotations

import doctest
import io
from pathlib import Path
from typing import Any

import datasets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from punctum.datasets_scripts import mcq
from punctum.datasets_scripts.mcq import (
    Columns,
    add_options,
    draw_order,
    drop_options,
    letter,
    letter_options,
    reorder_row,
    rotate_options,
    rotate_row,
    shuffle_options,
    shuffle_row,
)

KINDS = ["correct", "wrong_object", "wrong_relation", "action_alter"]


def rows(n: int = 12) -> list[dict[str, Any]]:
    return [
        {
            "id": f"q{i}",
            "options": [f"{i}-{name}" for name in "abcd"],
            "option_kinds": KINDS,
            "answers": [0],
            "level": "low" if i % 2 else "high",
        }
        for i in range(n)
    ]


def stream(n: int = 12) -> Any:
    return datasets.Dataset.from_list(rows(n)).to_iterable_dataset(num_shards=3)


@st.composite
def choice_rows(draw: st.DrawFn) -> dict[str, Any]:
    options = draw(st.lists(st.text(max_size=5), min_size=1, max_size=12))
    gold = draw(st.lists(st.integers(0, len(options) - 1), max_size=3, unique=True))
    return {
        "id": draw(st.text(max_size=8)),
        "options": options,
        "option_kinds": ["correct" if i in gold else f"kind{i}" for i in range(len(options))],
        "answers": gold,
    }


def back(row: dict[str, Any], name: str) -> list[Any]:
    """A column in its published order."""
    values = [None] * len(row["permutation"])
    for shown, published in enumerate(row["permutation"]):
        values[published] = row[name][shown]
    return values


@pytest.mark.parametrize(
    ("index", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
)
def test_letters_go_on_as_in_spreadsheets(index: int, name: str) -> None:
    assert letter(index) == name


def test_there_is_no_letter_before_a() -> None:
    with pytest.raises(ValueError, match="not -1"):
        letter(-1)


@given(choice_rows(), st.integers(-5, 5))
def test_a_shuffled_row_is_the_same_question(row: dict[str, Any], seed: int) -> None:
    shown = {**row, **shuffle_row(row, seed)}
    assert sorted(shown["permutation"]) == list(range(len(row["options"])))
    assert back(shown, "options") == row["options"]
    assert back(shown, "option_kinds") == row["option_kinds"]
    assert [shown["permutation"][i] for i in shown["answers"]] == row["answers"]


@given(choice_rows(), st.lists(st.integers(0, 9), max_size=4))
def test_builders_compose_through_the_permutation(row: dict[str, Any], seeds: list[int]) -> None:
    shown = dict(row)
    for seed in seeds:
        shown.update(shuffle_row(shown, seed))
    shown.update(rotate_row(shown, 1))
    assert back(shown, "options") == row["options"]
    assert [shown["permutation"][i] for i in shown["answers"]] == row["answers"]


def test_the_order_depends_on_seed_and_id_alone() -> None:
    whole = shuffle_options(datasets.Dataset.from_list(rows()), seed=3)
    alone = shuffle_options(datasets.Dataset.from_list(rows()[7:8]), seed=3)
    assert alone[0] == whole[7]
    assert shuffle_options(datasets.Dataset.from_list(rows()), seed=4)["options"] != whole["options"]


def test_the_order_is_pinned() -> None:
    """A change of the draw would silently change every published signature."""
    assert draw_order(5, 0, "mvp-0320") == [0, 2, 3, 4, 1]


def test_every_order_comes_equally_often() -> None:
    n = 6000
    counts: dict[tuple[int, ...], int] = {}
    for i in range(n):
        order = tuple(draw_order(3, 0, str(i)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert sum((count - n / 6) ** 2 / (n / 6) for count in counts.values()) < 20.5  # chi square, p = 0.001


def test_long_lists_keep_a_fair_draw_to_the_end() -> None:
    """One digest holds fewer than 60! orders; the smallest indices are drawn last."""
    firsts = [draw_order(400, 0, str(i))[0] for i in range(400)]
    assert 170 < sum(firsts) / len(firsts) < 230


def test_left_rotations_one_row_each() -> None:
    rotated = rotate_options(datasets.Dataset.from_list(rows(3)))
    assert len(rotated) == 12
    assert rotated["id"][:5] == ["q0@0", "q0@1", "q0@2", "q0@3", "q1@0"]
    assert rotated[5]["options"] == ["1-b", "1-c", "1-d", "1-a"]
    assert rotated[5]["answers"] == [3]
    assert rotated[5]["group"] == "q1"
    assert rotated[5]["rotation"] == 1
    assert rotated[5]["permutation"] == [1, 2, 3, 0]
    assert rotated[5]["option_kinds"] == [*KINDS[1:], KINDS[0]]


def test_rows_of_unequal_length_rotate_by_their_own() -> None:
    data = rows(3)
    data[1]["options"], data[1]["option_kinds"] = ["x", "y"], KINDS[:2]
    rotated = rotate_options(datasets.Dataset.from_list(data))
    assert [(r["group"], r["rotation"]) for r in rotated] == [
        *(("q0", i) for i in range(4)),
        ("q1", 0),
        ("q1", 1),
        *(("q2", i) for i in range(4)),
    ]


def test_a_rotated_row_is_not_rotated_again() -> None:
    row = {**rows(1)[0], **rotate_row(rows(1)[0], 2)}
    with pytest.raises(ValueError, match="'q0@2' is rotated already"):
        rotate_row(row, 1)


@pytest.mark.parametrize("builder", [shuffle_options, rotate_options, letter_options])
def test_a_stream_gives_the_rows_of_the_dataset(builder: Any) -> None:
    expected = builder(datasets.Dataset.from_list(rows()))
    got = builder(stream())
    assert got.features == expected.features
    assert list(got) == list(expected)


@pytest.mark.parametrize("builder", [shuffle_options, rotate_options])
def test_two_processes_give_the_rows_of_one(builder: Any, tmp_path: Path) -> None:
    datasets.Dataset.from_list(rows()).to_parquet(str(tmp_path / "rows.parquet"))
    data = datasets.Dataset.from_parquet(str(tmp_path / "rows.parquet"), cache_dir=str(tmp_path))
    one, two = builder(data), builder(data, num_proc=2)
    assert list(two) == list(one)


def test_dictionaries_of_datasets_and_streams() -> None:
    both = datasets.DatasetDict(train=datasets.Dataset.from_list(rows(4)), test=datasets.Dataset.from_list(rows(2)))
    for builder, factor in ((shuffle_options, 1), (rotate_options, 4)):
        built = builder(both)
        assert isinstance(built, datasets.DatasetDict)
        assert {name: len(part) for name, part in built.items()} == {"train": 4 * factor, "test": 2 * factor}
    streams = shuffle_options(datasets.IterableDatasetDict(test=stream()))
    assert isinstance(streams, datasets.IterableDatasetDict)
    assert list(streams["test"]) == list(shuffle_options(datasets.Dataset.from_list(rows())))


def test_columns_of_ones_own() -> None:
    data = [{"nr": 5, "choices": ["x", "y", "z"], "label": 2, "scores": [0.1, 0.2, 0.3]} for _ in range(2)]
    shuffled = shuffle_options(
        datasets.Dataset.from_list(data), seed=1, options="choices", answers="label", id="nr", also=("scores",)
    )
    row = shuffled[0]
    assert row["choices"][row["label"]] == "z"
    assert row["scores"][row["label"]] == 0.3
    assert set(shuffled.column_names) == {"nr", "choices", "label", "scores", "permutation"}


def test_answers_as_letters_stay_letters() -> None:
    row = {"id": "q", "options": ["x", "y", "z"], "answers": "c"}
    assert reorder_row(row, [2, 0, 1])["answers"] == "A"
    assert reorder_row({**row, "answers": ["A", "B"]}, [2, 0, 1])["answers"] == ["B", "C"]


def test_without_ids_the_position_counts() -> None:
    data = [{"options": list("abcdef"), "answers": [0]} for _ in range(6)]
    shuffled = shuffle_options(datasets.Dataset.from_list(data), id=None)
    assert len({tuple(row["options"]) for row in shuffled}) > 1
    rotated = rotate_options(datasets.Dataset.from_list(data[:2]), id=None)
    assert rotated["group"] == ["0"] * 6 + ["1"] * 6


def test_letters_are_put_before_options() -> None:
    row = letter_options(
        datasets.Dataset.from_list([{"options": ["{x}", "y"], "answers": [1]}]), "({letter}) {option}"
    )[0]
    assert row["lettered_options"] == ["(A) {x}", "(B) y"]
    assert row["answer_letters"] == ["B"]


def test_dropping_by_kind_and_number() -> None:
    data = shuffle_options(datasets.Dataset.from_list(rows()), seed=2)
    without = drop_options(data, kinds=["wrong_object"])
    assert all("wrong_object" not in row["option_kinds"] and len(row["options"]) == 3 for row in without)
    two = drop_options(data, keep=2, seed=5)
    for row, before in zip(two, data, strict=True):
        assert len(row["options"]) == 2
        assert row["options"][row["answers"][0]].endswith("-a")
        assert row["permutation"] == [p for p in before["permutation"] if p in row["permutation"]]
    assert len({kind for row in two for kind in row["option_kinds"]}) == 4


def test_an_answer_is_never_dropped() -> None:
    data = datasets.Dataset.from_list(rows(2))
    assert drop_options(data, kinds=["correct"])["options"] == data["options"]
    with pytest.raises(ValueError, match="2 answers, more than keep=1"):
        drop_options(datasets.Dataset.from_list([{**rows(1)[0], "answers": [0, 1]}]), keep=1)
    with pytest.raises(ValueError, match="would be dropped"):
        reorder_row(rows(1)[0], [1, 2])
    with pytest.raises(ValueError, match="no answer"):
        drop_options(datasets.Dataset.from_list([{"id": "q", "options": ["x", "y"], "answers": []}]), keep=1)
    with pytest.raises(ValueError, match="kinds="):
        drop_options(data)


@pytest.mark.parametrize("extra", [["none of these"], "more", lambda row: ["none of these"]])
def test_added_options_come_last_and_were_never_published(extra: Any) -> None:
    data = datasets.Dataset.from_list([{**row, "more": ["none of these"]} for row in rows(2)])
    row = add_options(data, extra, kind="none")[1]
    assert row["options"] == ["1-a", "1-b", "1-c", "1-d", "none of these"]
    assert row["option_kinds"] == [*KINDS, "none"]
    assert row["permutation"] == [0, 1, 2, 3, -1]
    assert row["answers"] == [0]


def test_an_option_is_not_added_twice() -> None:
    with pytest.raises(ValueError, match="'q0' has the option '0-c' already"):
        add_options(datasets.Dataset.from_list(rows(1)), ["0-c"])


@pytest.mark.parametrize(
    ("change", "names", "message"),
    [
        ({"answers": [4]}, {}, "the answer 4 is outside its 4 options"),
        ({"answers": [-1]}, {}, "the answer -1 is outside"),
        ({"answers": "E"}, {}, "the answer 'E' is outside"),
        ({"answers": [0.5]}, {}, "the answer 0.5 is outside"),
        ({"options": [], "option_kinds": []}, {}, "'q0' has no options"),
        ({"option_kinds": ["correct"]}, {}, "4 options but 1 entries in 'option_kinds'"),
        ({}, {"options": "choices"}, "no column 'choices'"),
        ({}, {"id": "nr"}, "no column 'nr'"),
    ],
)
def test_bad_rows_and_names_are_told(change: dict[str, Any], names: dict[str, Any], message: str) -> None:
    data = datasets.Dataset.from_list([{**rows(1)[0], **change}])
    with pytest.raises(ValueError, match=message):
        shuffle_options(data, **names)


def test_a_question_without_options_is_not_rotated_away() -> None:
    data = datasets.Dataset.from_list([*rows(1), {**rows(1)[0], "options": [], "option_kinds": []}])
    for either in (data, data.to_iterable_dataset()):
        with pytest.raises(ValueError, match="has no options"):
            list(rotate_options(either))


def test_an_unknown_keyword_names_the_known() -> None:
    with pytest.raises(TypeError, match="'choices' is no column of the option builders: one of options"):
        shuffle_options(datasets.Dataset.from_list(rows(1)), choices="options")


def test_pictures_pass_undecoded(tmp_path: Path) -> None:
    """A picture that cannot be decoded still passes, and its bytes stay as they are."""
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(buffer, "PNG")
    pictures = [buffer.getvalue(), b"no picture at all"]
    features = datasets.Features(
        id=datasets.Value("string"),
        image=datasets.Image(),
        options=datasets.Sequence(datasets.Value("string")),
        answers=datasets.Sequence(datasets.Value("int32")),
    )
    data = datasets.Dataset.from_list(
        [
            {"id": str(i), "image": {"bytes": picture, "path": None}, "options": ["x", "y", "z"], "answers": [1]}
            for i, picture in enumerate(pictures)
        ],
        features=features,
    )
    for builder, factor in ((shuffle_options, 1), (rotate_options, 3)):
        expected = [picture for picture in pictures for _ in range(factor)]
        built = builder(data)
        assert built.features["image"] == datasets.Image()
        raw = built.cast_column("image", datasets.Image(decode=False))
        assert [image["bytes"] for image in raw["image"]] == expected
        streamed = builder(data.to_iterable_dataset())
        assert [row["image"]["bytes"] for row in streamed.decode(False)] == expected
        first = next(iter(streamed))["image"]
        assert first.size == (8, 8)


def test_the_format_stays() -> None:
    data = datasets.Dataset.from_list(rows(2)).with_format("numpy")
    assert shuffle_options(data).format["type"] == "numpy"


@settings(max_examples=20)
@given(st.integers(1, 6))
def test_rotations_show_the_gold_once_at_each_place(n: int) -> None:
    row = {"id": "q", "options": [str(i) for i in range(n)], "answers": [0]}
    places = [rotate_row(row, r, Columns())["answers"][0] for r in range(n)]
    assert sorted(places) == list(range(n))


def test_the_example_in_the_docstring() -> None:
    result = doctest.testmod(mcq)
    assert (result.failed, result.attempted > 0) == (0, True)
