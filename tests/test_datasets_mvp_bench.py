"""MVP-Bench's builder: on files that the tests write, and on the published questions."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from punctum._datasets import builder_class, load
from punctum.datasets_scripts.mcq import letter
from punctum.datasets_scripts.mvp_bench.questions import category, split_choice
from punctum.datasets_scripts.reading import DataError

CLOSING = "Answer with the option's letter of the most possible choice directly."


def prompt(stem: str, options: list[str], closing: str = CLOSING) -> str:
    return "\n".join([stem, *(f"{letter(i)}. {option}" for i, option in enumerate(options)), closing])


def choice(number: int, stem: str, options: list[str], gold: int, cross: bool, level: str = "high") -> dict[str, Any]:
    image = f"Cross_Images/{number}_concat.jpg" if cross else f"Single_Images/{number}_e.jpg"
    kind = "mcq-cross" if cross else "mcq-e"
    return {
        "question_id": number,
        "id": number,
        "image": image,
        "question": prompt(stem, options),
        "answer": letter(gold),
        "type": kind,
        "level": level,
    }


DIRECT: list[dict[str, Any]] = [
    choice(1, "What changed?", ["hat", "dog", "sky", "sign", "mood"], 1, cross=True, level="low"),
    choice(2, "What is she?\nA) odd\nB) list", ["cook", "judge", "thief", "queen"], 3, cross=False),
    *(
        {
            "question_id": 10 + i,
            "id": 51,
            "image": f"Single_Images/51_{side}.jpg",
            "question": f"Is it {mood}?\n{blank}Please answer yes or no.",
            "answer": "yes" if i % 2 else "no",
            "type": f"y/n-{side}",
            "level": "low",
        }
        for i, (mood, side, blank) in enumerate(
            [("calm", "s", ""), ("calm", "e", ""), ("raining", "s", "\n"), ("raining", "e", "\n")]
        )
    ),
]


def rotations(row: dict[str, Any], mcq_id: int) -> list[dict[str, Any]]:
    parts = split_choice(row["question"])
    n, gold = len(parts.options), ord(row["answer"]) - ord("A")
    return [
        {
            **row,
            "question_id": f"{row['question_id']}__{mcq_id}__{r}",
            "mcq_id": mcq_id,
            "index": f"{r + 1}/{n}",
            "question": prompt(parts.stem, [*parts.options[r:], *parts.options[:r]]),
            "answer": letter((gold - r) % n),
            "type": "mcq-e",
        }
        for r in range(n)
    ]


CIRCULAR = [row for i, direct in enumerate(DIRECT[:2]) for row in rotations(direct, i)]


def write(folder: Path, name: str, rows: list[dict[str, Any]], start: str = "", end: str = "\n") -> Path:
    file = folder / name
    text = start + "".join(json.dumps(row, ensure_ascii=False) + end for row in rows)
    file.write_bytes(text.encode())
    return file


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    write(folder, "all_questions.json", DIRECT)
    write(folder, "mcq_questions.json", CIRCULAR)
    for i, row in enumerate(DIRECT):
        path = folder / row["image"]
        path.parent.mkdir(exist_ok=True)
        Image.new("RGB", (8 + i, 8), "teal").save(path)
    return folder


@pytest.fixture
def rows(raw: Path, tmp_path: Path) -> Any:
    def build(config: str, **kwargs: Any) -> Any:
        return load("mvp_bench", config, data_dir=raw, cache_dir=str(tmp_path / "cache"), **kwargs)

    return build


def test_yes_no_rows(rows: Any) -> None:
    built = rows("yes_no")
    assert built["id"] == ["mvp-0010", "mvp-0011", "mvp-0012", "mvp-0013"]
    first = built[0]
    assert first["image"].size == (12, 8)
    del first["image"]
    assert first == {
        "id": "mvp-0010",
        "category": "B2",
        "source": "all_questions.json",
        "question": "Is it calm?",
        "answer": "no",
        "side": "source",
        "pair": "51",
        "level": "low",
        "instruction": "Please answer yes or no.",
        "published_prompt": "Is it calm?\nPlease answer yes or no.",
        "question_id": "10",
    }
    assert built["side"] == ["source", "edited"] * 2


def test_choice_rows(rows: Any) -> None:
    (row,) = rows("mcq_single")
    assert row["question"] == "What is she?\nA) odd\nB) list"
    assert row["options"] == ["cook", "judge", "thief", "queen"]
    assert row["answers"] == [3]
    assert row["option_kinds"] == ["distractor"] * 3 + ["correct"]
    assert (row["group"], row["rotation"], row["permutation"]) == ("mvp-0002", None, [0, 1, 2, 3])
    (row,) = rows("mcq_cross")
    assert (row["id"], row["level"], row["category"]) == ("mvp-0001", "low", "B1")


def test_rotations_turn_back_to_the_direct_question(rows: Any) -> None:
    (direct,) = rows("mcq_cross")
    rotated = rows("mcq_cross", circular=True)
    assert rotated.features == rows("mcq_cross").features
    assert rotated["id"] == [f"mvp-0001@{r}" for r in range(5)]
    for r, row in enumerate(rotated):
        assert (row["group"], row["rotation"], row["question_id"]) == ("mvp-0001", r, f"1__0__{r}")
        assert [direct["options"][i] for i in row["permutation"]] == row["options"]
        assert row["options"][row["answers"][0]] == "dog"


@pytest.mark.parametrize("config", ["yes_no", "mcq_single", "mcq_cross"])
def test_the_published_prompt_comes_back_from_its_parts(rows: Any, config: str) -> None:
    for row in rows(config):
        options = [f"{letter(i)}. {option}" for i, option in enumerate(row.get("options", []))]
        assert "\n".join([row["question"], *options, row["instruction"]]) == row["published_prompt"]


def test_a_mark_and_carriage_returns_and_blank_lines_do_no_harm(rows: Any, raw: Path) -> None:
    before = rows("yes_no").remove_columns("image")[:]
    write(raw, "all_questions.json", DIRECT, start="\ufeff\r\n", end="\r\n\r\n")
    assert rows("yes_no").remove_columns("image")[:] == before


def test_rows_without_pictures(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    (raw / "Single_Images/51_s.jpg").unlink()
    with caplog.at_level(logging.INFO, "punctum.datasets"):
        built = rows("yes_no")
    assert [image is None for image in built["image"]] == [True, False, True, False]
    assert "mvp_bench/yes_no: missing pictures: 1 (Single_Images/51_s.jpg)" in caplog.messages
    assert "mvp_bench/yes_no: 4 rows" in caplog.messages
    assert rows("yes_no", images="skip")["image"] == [None] * 4
    with pytest.raises(DataError, match=r"strict: .*missing pictures: 1"):
        rows("yes_no", strict=True)


def test_edits_are_noticed(rows: Any, raw: Path) -> None:
    """A file changed with its time and size put back, and a picture replaced, give new rows."""
    file = raw / "all_questions.json"
    times = file.stat()
    assert rows("mcq_single")[0]["options"][0] == "cook"
    file.write_text(file.read_text().replace("cook", "king"))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert rows("mcq_single")[0]["options"][0] == "king"
    Image.new("RGB", (40, 8), "teal").save(raw / "Single_Images/2_e.jpg")
    assert rows("mcq_single")[0]["image"].size == (40, 8)
    (raw / "Single_Images/2_e.jpg").unlink()
    assert rows("mcq_single")[0]["image"] is None


def test_what_has_not_changed_is_not_built_again(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows("mcq_single")
    caplog.clear()
    with caplog.at_level(logging.INFO, "punctum.datasets"):
        rows("mcq_single")
    assert caplog.messages == []


def changed(index: int, **change: Any) -> list[dict[str, Any]]:
    rows = [dict(row) for row in DIRECT]
    rows[index].update(change)
    return rows


BAD: list[tuple[str, str, list[dict[str, Any]], str]] = [
    ("yes_no", "answer", changed(2, answer="maybe"), r"3: the answer 'maybe' is neither yes nor no"),
    ("mcq_cross", "outside", changed(0, answer="F"), r"1: the answer 'F' is outside the options A, B, C, D, E"),
    ("mcq_cross", "no options", changed(0, question="What?\nA. one\nor"), r"1: no options"),
    ("mcq_cross", "no stem", changed(0, question="A. one\nB. two\nor"), r"1: no question before the options"),
    ("mcq_cross", "gap", changed(0, question="What?\nA. x\nC. y\nor"), r"1: the options are lettered A, C"),
    ("yes_no", "type", changed(1, type="mcq"), r"2: the type 'mcq' is not known: one of y/n-s"),
    ("yes_no", "level", changed(5, level="middle"), r"6: the level 'middle' is not known: low or high"),
    ("yes_no", "twice", changed(4, question_id=10), r"5: the id mvp-0010 was there before, on line 3"),
    ("yes_no", "text id", changed(3, question_id="x"), r"4: the field 'question_id' should be int, but is 'x'"),
    ("yes_no", "truth", changed(3, question_id=True), r"4: the field 'question_id' should be int"),
    ("yes_no", "empty", changed(3, question=" "), r"4: the field 'question' is empty"),
    ("yes_no", "missing", [{k: v for k, v in DIRECT[2].items() if k != "image"}], r"1: the field 'image' is missing"),
    ("yes_no", "up", changed(2, image="../x.jpg"), r"3: the picture's path '../x.jpg' leaves the data folder"),
    ("yes_no", "root", changed(2, image="/etc/x.jpg"), r"3: the picture's path '/etc/x.jpg' should be relative"),
    ("yes_no", "none", DIRECT[:2], r"has no rows for mvp_bench/yes_no"),
]


@pytest.mark.parametrize(("config", "rows_", "message"), [(c, r, m) for c, _, r, m in BAD], ids=[b[1] for b in BAD])
def test_bad_rows_name_file_and_line(
    rows: Any, raw: Path, config: str, rows_: list[dict[str, Any]], message: str
) -> None:
    write(raw, "all_questions.json", rows_)
    with pytest.raises(DataError, match=r"all_questions\.json:?.*" + message):
        rows(config)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"question_id": 1, "id"', r":1: not JSON .*cut short"),
        (b"[1, 2]\n", r":1: a JSON object is expected, not list"),
        (b"\n\n{'a': 1}\n", r":3: not JSON"),
        (b'{"a": "\xe9"}\n', r":1: not UTF-8"),
        (b"[" * 100_000 + b"\n", r":1: not JSON"),
        (b"", r"has no rows"),
        (None, r"all_questions.json is missing"),
    ],
)
def test_files_that_are_no_json_lines(rows: Any, raw: Path, content: bytes | None, message: str) -> None:
    file = raw / "all_questions.json"
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises(DataError, match=message):
        rows("yes_no")


def test_links_out_of_the_folder_are_refused(rows: Any, raw: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jpg"
    Image.new("RGB", (8, 8)).save(outside)
    picture = raw / "Single_Images/2_e.jpg"
    picture.unlink()
    picture.symlink_to(outside)
    with pytest.raises(DataError, match=r"all_questions.json:2: .*2_e.jpg' leaves the data folder"):
        rows("mcq_single")
    picture.unlink()
    picture.symlink_to(raw / "Single_Images/51_s.jpg")
    assert rows("mcq_single")[0]["image"] is not None


def test_a_snapshot_of_the_hub_may_link_to_its_blobs(raw: Path, tmp_path: Path) -> None:
    repo = tmp_path / "datasets--x--y"
    (repo / "snapshots").mkdir(parents=True)
    (repo / "blobs").mkdir()
    raw.rename(repo / "snapshots/0123")
    picture = repo / "snapshots/0123/Single_Images/2_e.jpg"
    picture.rename(repo / "blobs/abc")
    picture.symlink_to("../../../blobs/abc")
    built = load("mvp_bench", "mcq_single", data_dir=repo / "snapshots/0123", cache_dir=str(tmp_path / "cache"))
    assert built[0]["image"].size == (9, 8)


@pytest.mark.parametrize(
    ("index", "change", "message"),
    [
        (2, {"answer": "B"}, r":3: mvp-0001@2 is no rotation of mvp-0001"),
        (2, {"question_id": "1__0"}, r":3: the question_id '1__0' is not of the form"),
        (2, {"question_id": "1__0__7"}, r":3: .* names rotation 7 of 5 options"),
        (2, {"index": "1/5"}, r":3: the index '1/5' should be '3/5'"),
        (1, {"question_id": "1__0__0", "index": "1/5"}, r":2: the id mvp-0001@0 was there before, on line 1"),
    ],
)
def test_bad_rotations(rows: Any, raw: Path, index: int, change: dict[str, Any], message: str) -> None:
    circular = [dict(row) for row in CIRCULAR]
    circular[index].update(change)
    write(raw, "mcq_questions.json", circular)
    with pytest.raises(DataError, match=message):
        rows("mcq_cross", circular=True)


def test_rotations_that_answer_otherwise_than_the_direct_question(rows: Any, raw: Path) -> None:
    write(raw, "all_questions.json", changed(0, answer="A"))
    with pytest.raises(DataError, match=r"mvp-0001@0 answers 'dog', the direct question 'hat'"):
        rows("mcq_cross", circular=True)


def test_known_faults_are_counted(rows: Any, raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    circular = [{**row, "question": row["question"].replace("dog", "og")} for row in CIRCULAR if row["mcq_id"] == 0]
    write(raw, "mcq_questions.json", circular[:4])
    built = rows("mcq_cross", circular=True)
    assert built[0]["options"][1] == "og"
    text = "\n".join(caplog.messages)
    assert "options differ from the direct question's: 4 (mvp-0001@0, mvp-0001@1" in text
    assert "questions without all their rotations: 1 (mvp-0001)" in text


def test_the_circular_file_alone_is_enough(rows: Any, raw: Path) -> None:
    (raw / "all_questions.json").unlink()
    assert len(rows("mcq_single", circular=True)) == 4


def test_values_and_configs_are_checked(rows: Any) -> None:
    with pytest.raises(ValueError, match="images='sometimes': one of auto, skip"):
        rows("yes_no", images="sometimes")
    with pytest.raises(ValueError, match="circular='yes': True or False"):
        rows("mcq_single", circular="yes")
    with pytest.raises(ValueError, match="circular=True is for mcq_single and mcq_cross"):
        rows("yes_no", circular=True)
    with pytest.raises(ValueError, match="needs a config: one of yes_no, mcq_single, mcq_cross"):
        rows(None)
    with pytest.raises(ValueError, match="nope"):
        rows("nope")


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere' is not a folder.*GuanzhenLi/MVP-Bench"):
        load("mvp_bench", "yes_no", data_dir=tmp_path / "nowhere", cache_dir=str(tmp_path))


def test_streams_and_processes_give_the_same_rows(raw: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    plain = load("mvp_bench", "yes_no", data_dir=raw, cache_dir=cache)
    cls = builder_class("mvp_bench")
    builder = cls(config_name="yes_no", data_dir=str(raw), cache_dir=str(tmp_path / "other"))
    builder.download_and_prepare(num_proc=2)
    stream = cls(config_name="yes_no", data_dir=str(raw), cache_dir=cache).as_streaming_dataset(split="test")
    assert stream.features == plain.features
    for other in (list(builder.as_dataset(split="test")), list(stream)):
        assert [{**row, "image": row["image"].tobytes()} for row in other] == [
            {**row, "image": row["image"].tobytes()} for row in plain
        ]


@pytest.mark.parametrize(
    ("pair", "code"), [(0, None), (1, "B1"), (50, "B1"), (51, "B2"), (446, "I3"), (546, "E2"), (646, "S2"), (647, None)]
)
def test_categories_follow_from_the_pair(pair: int, code: str | None) -> None:
    assert category(pair) == code


@pytest.fixture(scope="module")
def published(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    cache = str(tmp_path_factory.mktemp("cache"))

    def build(config: str, **kwargs: Any) -> Any:
        return load("mvp_bench", config, data_dir=shared / "data/mvp_bench", cache_dir=cache, **kwargs)

    return build


@pytest.mark.shared
def test_published_block_sizes(published: Any) -> None:
    single, cross, yes_no = published("mcq_single"), published("mcq_cross"), published("yes_no")
    assert Counter(single["level"]) == {"high": 418}
    assert Counter(cross["level"]) == {"low": 227, "high": 227}
    sides = Counter(zip(yes_no["side"], yes_no["level"], strict=True))
    assert sides == {(s, lv): n for s in ("source", "edited") for lv, n in (("low", 270), ("high", 230))}
    groups = Counter(zip(yes_no["level"], yes_no["pair"], yes_no["question"], strict=True))
    assert Counter(level for level, _, _ in groups) == {"low": 270, "high": 230}
    assert set(groups.values()) == {2}
    assert all(row is not None for row in (*single["category"], *cross["category"], *yes_no["category"]))


@pytest.mark.shared
@pytest.mark.parametrize("config", ["mcq_single", "mcq_cross"])
def test_published_rotations(published: Any, config: str, caplog: pytest.LogCaptureFixture) -> None:
    direct = {row["id"]: row for row in published(config)}
    rotated = published(config, circular=True)
    assert len(rotated) == sum(len(row["options"]) for row in direct.values())
    seen: dict[str, set[int]] = defaultdict(set)
    for row in rotated:
        asked = direct[row["group"]]
        seen[row["group"]].add(row["rotation"])
        expected = [asked["options"][i] for i in row["permutation"]]
        gold = asked["options"][asked["answers"][0]]
        if row["group"] == "mvp-0320":
            expected = [text.replace("behaviour", "ehaviour") for text in expected]
        assert row["options"] == expected
        assert row["options"][row["answers"][0]] == gold
    assert {group: len(found) for group, found in seen.items()} == {k: len(v["options"]) for k, v in direct.items()}
    if config == "mcq_cross":
        assert any("differ from the direct question's: 5 (mvp-0320@0" in message for message in caplog.messages)


@pytest.mark.shared
def test_published_oddities(published: Any) -> None:
    cross = {row["id"]: row for row in published("mcq_cross")}
    odd = cross["mvp-0320"]
    assert odd["options"] == ["behaviour", "emotion", "role", "identity", "scenario"]
    assert odd["answers"] == [1]
    assert odd["question"].endswith("E) Scenario")
    single = {row["id"]: row for row in published("mcq_single")}
    assert len(single["mvp-2035"]["options"]) == 4
    assert single["mvp-2035"]["answers"] == [3]
    closings = Counter(row["instruction"] for row in single.values())
    assert closings["Answer with the option's letter from the given choices directly."] == 234
    blank = [row for row in published("yes_no") if row["question"].endswith("\n")]
    assert [row["id"] for row in blank] == ["mvp-1589", "mvp-1590"]


@pytest.mark.shared
def test_published_prompts_byte_for_byte(published: Any, shared: Path) -> None:
    for file, kwargs in (("all_questions.json", {}), ("mcq_questions.json", {"circular": True})):
        lines = (shared / "data/mvp_bench" / file).read_text(encoding="utf-8").splitlines()
        texts = {str(row["question_id"]): row["question"] for row in map(json.loads, lines)}
        for config in ("mcq_single", "mcq_cross") if kwargs else ("yes_no", "mcq_single", "mcq_cross"):
            for row in published(config, **kwargs):
                options = [f"{letter(i)}. {option}" for i, option in enumerate(row.get("options", []))]
                text = texts.pop(row["question_id"])
                assert text == row["published_prompt"]
                assert text == "\n".join([row["question"], *options, row["instruction"]])
        assert texts == {}
