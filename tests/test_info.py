"""Statistics: against cells counted by hand, and against what is known of the published files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum._datasets import benchmarks
from punctum.cli import main
from punctum.statistics import Columns, statistics, wanted
from punctum.statistics.blind import STRATEGIES, leading_blank_tells, length_rank, success
from punctum.statistics.show import faults, markdown, sheets

PROMPTS = {f"Prompt_{slot}": "Which? {} {} {} {}" for slot in (1, 2, 3)}


def part(value: dict[str, Any], config: str, variant: str | None = None, split: str = "test") -> dict[str, Any]:
    [found] = [p for p in value["parts"] if (p["config"], p["variant"], p["split"]) == (config, variant, split)]
    return dict(found)


def test_strategies_by_hand() -> None:
    options = ["a red hat", "a red cap ", " a blue cap", "the sea"]
    chosen = {name: [success(score(options), [i]) for i in range(4)] for name, score in STRATEGIES.items()}
    assert chosen == {
        "shortest option": [0, 0, 0, 1],
        "longest option": [0, 0, 1, 0],
        "first option": [1, 0, 0, 0],
        "last option": [0, 0, 0, 1],
        "most like the others": [0, 1, 0, 0],
        "least like the others": [0, 0, 0, 1],
        "no blank before it": [1 / 3, 1 / 3, 0, 1 / 3],
    }
    assert success([1, 1, 0], [0, 2]) == 0.5
    assert [length_rank(["aa", "a", "bb ", "ccc"], i) for i in range(4)] == [1, 0, 1, 3]


def test_a_blank_that_tells() -> None:
    assert leading_blank_tells(["a", " b", " c"], [0])
    assert leading_blank_tells([" a", "b", "c"], [0])
    assert not leading_blank_tells(["a", "b", " c"], [0])
    assert not leading_blank_tells(["a", "b", "c"], [0])


def test_a_strategy_that_always_wins_is_at_one_and_chance_is_the_mean_share() -> None:
    columns = Columns()
    for gold in range(4):
        options = ["long enough"] * 4
        options[gold] = "short"
        columns.add({"options": options, "option_kinds": ["x"] * 4, "answers": [gold]})
    columns.add({"options": ["one", "twoo"], "option_kinds": ["x"] * 2, "answers": [0]})
    choice = columns.result()["choice"]
    assert choice["blind"]["shortest option"] == 1
    assert choice["blind"]["longest option"] == 0
    assert choice["chance"] == pytest.approx((4 * 0.25 + 0.5) / 5)
    assert choice["answer_letters"] == {"A": 2, "B": 1, "C": 1, "D": 1}
    assert choice["blind"]["most frequent letter"] == 0.4
    assert choice["options_per_row"] == {"2": 1, "4": 4}
    assert choice["right_is_shortest"] == 5 and choice["shorter_than_right"] == {"0": 5}


def test_several_answers_and_none() -> None:
    columns = Columns()
    columns.add({"options": ["a", "bb", "ccc"], "answers": [0, 2]})
    columns.add({"options": ["a", "bb"], "answers": []})
    choice = columns.result()["choice"]
    assert choice["answers_per_row"] == {"0": 1, "2": 1}
    assert (choice["blind"]["shortest option"], choice["blind"]["first option"]) == (1, 1)
    assert choice["chance"] == pytest.approx(2 / 3, abs=1e-6)
    assert choice["shorter_than_right"] == {}


def test_other_columns() -> None:
    columns = Columns()
    row = {
        "image": {"bytes": b"x", "path": "a.jpg"},
        "labels": ["TR1", "NA"],
        "ram_entity": ["cup", "car"],
        "person_bbox": [[0, 0, 1, 1]],
        "solution": {"person": "person1", "action": "Move", "object": "car"},
        "direct": "Move the car, please.",
        "category": "vcr",
        "answer": "yes",
        "level": "low",
        "side": "source",
        "pair": "7",
    }
    changes: list[dict[str, Any]] = [
        {},
        {"image": None, "ram_entity": None, "answer": "no"},
        {"labels": None, "ram_entity": []},
    ]
    for change in changes:
        columns.add({**row, **change})
    result = columns.result()
    assert (result["rows"], result["rows_with_picture"], result["pictures"], result["pairs"]) == (3, 2, 1, 1)
    assert result["labels"] == {"counts": {"NA": 2, "TR1": 2}, "labels_per_row": {"2": 2}}
    assert result["lists"]["objects"] == {"rows": 2, "total": 2, "mean": 1.0, "min": 0, "max": 2}
    assert result["lists"]["people"]["mean"] == 1
    assert result["verbs"] == {"move": 3}
    assert result["texts"]["direct"]["words"] == 12
    assert result["values"]["category"] == {"vcr": 3}
    assert result["yes_no"]["parts"] == {"all": {"yes": 2, "rows": 3}, "low, source": {"yes": 2, "rows": 3}}
    json.dumps(result)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """Two title questions: a leak by blanks, and equal options."""
    folder = tmp_path / "raw"
    folder.mkdir()
    options = [{"A": "Rain", "B": " Sunny days", "C": " A wet dog", "D": " Night"}]
    options.append({"A": "Snow", "B": "Ice", "C": "Ice", "D": "Fog and hail"})
    rows = [
        {"Image_ID": f"Img{i}", "Url": f"https://example.org/{i}", "Options": o, "Answer": "A", **PROMPTS}
        for i, o in enumerate(options, 1)
    ]
    (folder / "Title_Questions.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_configs_that_are_not_at_hand_are_told(raw: Path) -> None:
    value = statistics("deepeval", raw)
    assert [(p["config"], p["variant"]) for p in value["parts"]] == [("title", None), ("title", "published")]
    assert "Descripion_Questions.json is missing" in value["not_at_hand"]["description"]
    assert value["revision"] is None
    assert part(value, "title")["choice"]["rows_where_a_leading_blank_tells"] == 0
    published = part(value, "title", "published")["choice"]
    assert (published["rows_with_stray_blanks"], published["rows_where_a_leading_blank_tells"]) == (1, 1)
    assert part(value, "title")["faults"]["equal options"] == ["Img2 B = C"]
    assert "title: equal options: 1 (Img2 B = C)" in faults(value)


def test_nothing_at_hand_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"all_questions\.json is missing"):
        statistics("mvp_bench", tmp_path)


def test_configs_are_checked() -> None:
    assert [name for name, _, _ in wanted("mvp_bench", ["mcq_cross"])] == ["mcq_cross", "mcq_cross"]
    with pytest.raises(ValueError, match="mvp_bench has no config 'mcq': one of yes_no, mcq_single, mcq_cross"):
        wanted("mvp_bench", ["mcq"])


def test_variants_are_of_configs_and_settings_that_there_are() -> None:
    for benchmark in benchmarks():
        for config, _, kwargs in wanted(benchmark):
            from punctum._datasets import builder_class

            made = builder_class(benchmark).BUILDER_CONFIG_CLASS(name=config)
            assert all(hasattr(made, name) for name in kwargs)


def test_the_command(raw: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["info", "deepeval", "--data-dir", str(raw), "--config", "title", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert [p["rows"] for p in value["parts"]] == [2, 2]
    assert main(["info", "deepeval", "--data-dir", str(raw)]) == 0
    text = capsys.readouterr().out
    assert "not known to be a published revision" in text
    assert "title: equal options: 1 (Img2 B = C)" in text
    assert "description is not at hand" in text
    assert main(["info", "deepeval", "--data-dir", str(raw), "--config", "title", "--strict"]) == 2
    assert "strict: " in capsys.readouterr().err
    args = ["info", "deepeval", "--data-dir", str(raw), "--config", "title", "--json"]
    assert main([*args, "--builder-arg", "strip_options=false"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert part(value, "title")["choice"]["rows_with_stray_blanks"] == 1
    assert main(["info", "deepevil", "--sample"]) == 2
    assert "Did you mean deepeval?" in capsys.readouterr().err


def _with_sample() -> list[str]:
    found = []
    for name in benchmarks():
        try:
            punctum.sample(name)
        except ValueError:
            continue
        found.append(name)
    return found


@pytest.mark.parametrize("benchmark", _with_sample())
def test_every_sample_has_statistics_and_tables(benchmark: str) -> None:
    value = statistics(benchmark, punctum.sample(benchmark))
    assert value["not_at_hand"] == {}
    assert sum(p["rows"] for p in value["parts"]) >= 24
    text = markdown(value)
    for sheet in sheets(value):
        assert all(len(row) == len(sheet.columns) for row in sheet.rows), sheet.title
        assert f"### {sheet.title}" in text


@pytest.mark.shared
def test_deepeval_as_published(shared: Path) -> None:
    value = statistics("deepeval", shared / "data/deepeval")
    assert value["revision"] == "b26126a33976e0ebbf9c048249ddceeae00e85d7"
    letters = {config: list(part(value, config)["choice"]["answer_letters"].values()) for config in CONFIGS}
    assert letters == CONFIGS
    deep = part(value, "deep_semantics")["choice"]
    assert deep["right_is_shortest"] == deep["shorter_than_right"]["0"] == 441
    assert deep["blind"]["shortest option"] == pytest.approx(440 / 1001, abs=1e-6)
    published = part(value, "description", "published")["choice"]
    assert published["rows_where_a_leading_blank_tells"] == 997
    assert published["blind"]["no blank before it"] > 0.996
    assert part(value, "description")["choice"]["rows_where_a_leading_blank_tells"] == 0
    found = part(value, "title")["faults"]
    assert found["equal options"] == ["Img79 A = B", "Img95 A = D"]
    assert found["nearly equal options"] == ["Img62 A = B"]
    texts = part(value, "title")["texts"]
    words = {name: texts[f"annotated_{name}"]["words"] for name in ("description", "deep_semantics", "title")}
    assert words == {"description": 42_976, "deep_semantics": 33_047, "title": 5_031}


CONFIGS = {
    "description": [228, 278, 254, 241],
    "title": [273, 244, 232, 252],
    "deep_semantics": [247, 280, 231, 243],
}


@pytest.mark.shared
def test_mvp_bench_as_published(shared: Path) -> None:
    value = statistics("mvp_bench", shared / "data/mvp_bench")
    blocks = {(p["config"], p["variant"]): (p["rows"], p["values"]["level"]) for p in value["parts"]}
    assert blocks == {
        ("yes_no", None): (1000, {"high": 460, "low": 540}),
        ("mcq_single", None): (418, {"high": 418}),
        ("mcq_cross", None): (454, {"high": 227, "low": 227}),
        ("mcq_single", "circular"): (2089, {"high": 2089}),
        ("mcq_cross", "circular"): (2270, {"high": 1135, "low": 1135}),
    }
    assert 2089 + 2270 == 4359
    turned = part(value, "mcq_cross", "circular")["choice"]
    assert set(turned["answer_letters"].values()) == {454}
    assert turned["blind"]["first option"] == pytest.approx(0.2)
    assert part(value, "mcq_single")["choice"]["options_per_row"] == {"4": 1, "5": 417}
