"""The files of a static site: what they hold, that nothing leaves its string, that bytes repeat."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from punctum.cli import main
from punctum.report.grids import Grid, Line, Number
from punctum.report.runs import Run
from punctum.report.site import Figure, write
from punctum.report.site.folder import script
from tests.site_runs import OPTIONS, PICTURE, Row, save_run

NASTY = (
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "line\u2028and\u2029end",
    "'; alert(1); '",
    '\\"; alert(1); "\\',
    "\\u0027);alert(1)//",
    "\u202eright to left\u202c \u05d0\u05d1",
    "half \ud83d a character",
    "nul \x00 and \x1b",
    "${alert(1)} `x`",
)


def received(path: Path) -> Any:
    """What a data file hands to the page, read with JavaScript's rules for the string and JSON's for its content."""
    text = path.read_text(encoding="utf-8")
    match = re.fullmatch(r"Punctum\.receive\((\"[^\"]*\"), '((?:[^'\\\n\r\u2028\u2029]|\\.)*)'\);\n", text)
    assert match is not None, text[:200]
    assert path == path.parents[len(json.loads(match[1]).split("/"))] / "data" / f"{json.loads(match[1])}.js"
    return json.loads(re.sub(r"\\(.)", r"\1", match[2]))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def two(tmp_path: Path) -> list[Run]:
    """Two runs of one ranking: right and wrong, right and failed, unparsed and wrong."""
    one = [Row("1"), Row("2"), Row("3", "hm", None)]
    other = [Row("1", "B", (1,)), Row("2", None, None, "no answer"), Row("3", "C", (2,))]
    folders = [save_run(tmp_path / "one", one, "one"), save_run(tmp_path / "two", other, "two")]
    return [Run.load(folder) for folder in folders]


def test_the_folder_holds_the_pages_and_the_data(two: list[Run], tmp_path: Path) -> None:
    index = write(two, tmp_path / "site")
    assert index == tmp_path / "site" / "index.html"
    site = received(tmp_path / "site" / "data" / "site.js")
    [board] = site["boards"]
    assert board["task"] == "vague/mcq" and board["metrics"] == ["accuracy", "n_valid"]
    [ranked] = board["sets"]
    assert [row["values"]["accuracy"][0] for row in ranked["rows"]] == pytest.approx([2 / 3, 0])
    assert [(row["unparsed"], row["failed"], row["marks"]) for row in ranked["rows"]] == [
        (1, 0, ["the package's sample"]),
        (0, 1, ["the package's sample"]),
    ]
    for page in re.findall(r'(?:src|href)="([^"#]+)"', index.read_text(encoding="utf-8")):
        assert (tmp_path / "site" / page).is_file(), page
    for run in site["runs"]:
        assert received(tmp_path / "site" / "data" / "runs" / f"{run['slug']}.js")["tasks"][0]["n"] == 3


def test_questions_stand_with_all_answers(two: list[Run], tmp_path: Path) -> None:
    write(two, tmp_path / "site")
    [questions] = received(tmp_path / "site" / "data" / "site.js")["sets"]
    folder = tmp_path / "site" / "data" / "sets" / questions["slug"]
    index = received(folder / "index.js")
    one, other = questions["runs"]
    assert index["status"] == {one: "ccu", other: "wfw"}
    assert index["kinds"] == ["correct", "fake_scene", "superficial"]
    assert index["chosen"][other] == [[1], [], [2]]
    assert index["same"] == {one: [1, 1, 1], other: [2, 0, 2]}
    [first, second, _] = received(folder / "0.js")
    assert first["questions"][0]["options"] == list(OPTIONS)
    assert first["answers"][other] == {"status": "w", "q": 0, "p": 0, "output": "B", "parsed": [1], "rule": "letter"}
    assert second["answers"][other]["error"] == "no answer"
    assert (tmp_path / "site" / "pictures" / "grey.jpg").read_bytes() == PICTURE


def test_the_same_answer_in_another_order_is_the_same(tmp_path: Path) -> None:
    turned = Row("1", "D", (3,), options=(*OPTIONS[1:], OPTIONS[0]), gold=(3,))
    folders = [save_run(tmp_path / "one", [Row("1")], "one"), save_run(tmp_path / "two", [turned], "two")]
    write([Run.load(folder) for folder in folders], tmp_path / "site")
    [questions] = received(tmp_path / "site" / "data" / "site.js")["sets"]
    folder = tmp_path / "site" / "data" / "sets" / questions["slug"]
    assert list(received(folder / "index.js")["same"].values()) == [[1], [1]]
    [item] = received(folder / "0.js")
    assert len(item["questions"]) == 2 and len(item["prompts"]) == 1


def test_runs_that_may_not_be_ranked_together_stand_apart(two: list[Run], tmp_path: Path) -> None:
    signature = "data:sample|rows:2|limit:2|setting:sm|parser:robust"
    third = Run.load(save_run(tmp_path / "three", [Row("1"), Row("2")], "three", signature=signature))
    write([third, *two], tmp_path / "site")
    [board] = received(tmp_path / "site" / "data" / "site.js")["boards"]
    first, second = board["sets"]
    assert first["differs"] == [] and len(first["rows"]) == 2
    assert second["differs"] == [["rows", "2", "1"], ["limit", "2", None], ["setting", "sm", "vlm"]]
    assert second["setting"] == "sm" and "the first 2 rows only" in second["rows"][0]["marks"]


def test_samples_of_the_package_are_not_mixed_with_the_data_they_are_like(tmp_path: Path) -> None:
    folders = [save_run(tmp_path / "sample", [Row("1")], "one")]
    folders.append(save_run(tmp_path / "local", [Row("1")], "one", signature="data:local|rows:1"))
    write([Run.load(folder) for folder in folders], tmp_path / "site")
    sets = received(tmp_path / "site" / "data" / "site.js")["sets"]
    assert [entry["slug"] for entry in sets] == ["vague-mcq-sample", "vague-mcq-local"]


def test_answers_without_samples_are_browsed_too(tmp_path: Path) -> None:
    folder = save_run(tmp_path / "one", [Row("1"), Row("2", "hm", None)], with_samples=False)
    write([Run.load(folder)], tmp_path / "site")
    [item, _] = received(tmp_path / "site" / "data" / "sets" / "vague-mcq-sample" / "0.js")
    assert item["questions"] == [] and "q" not in next(iter(item["answers"].values()))
    (folder / "predictions.jsonl").unlink()
    write([Run.load(folder)], tmp_path / "site")
    assert received(tmp_path / "site" / "data" / "site.js")["sets"] == []
    assert not (tmp_path / "site" / "data" / "sets").exists()


def test_measured_answers_are_neither_right_nor_wrong(tmp_path: Path) -> None:
    rows = [
        Row("1", "<a> for <b>", ("a", "b"), form="objects", options=(), gold=("x for y",)),
        Row("2", "hm", None, form="objects", options=(), gold=("x for y",)),
        Row("3", "free words", "free words", form="text", options=(), gold=("words",), rule="text"),
    ]
    write([Run.load(save_run(tmp_path / "one", rows, task="pitt_ads/aor"))], tmp_path / "site")
    [index] = (tmp_path / "site" / "data" / "sets").glob("*/index.js")
    assert list(received(index)["status"].values()) == ["rur"]


def test_a_judge_says_what_is_right(tmp_path: Path) -> None:
    words = ("Yes, it is.", "No.", "Who knows?")
    rules = ("judge: yes", "judge: no", "judge: unreadable")
    rows = [
        Row(rule, "free words", "free words", form="text", options=(), gold=("words",), rule=rule, verdict=verdict)
        for rule, verdict in zip(rules, words, strict=True)
    ]
    rows[0].gold = "free words"  # so that it counts as correct
    rows.append(Row("none", "free words", "free words", "no verdict on this answer", form="text", options=()))
    write([Run.load(save_run(tmp_path / "one", rows, task="deepeval/title_free"))], tmp_path / "site")
    [folder] = (tmp_path / "site" / "data" / "sets").iterdir()
    assert list(received(folder / "index.js")["status"].values()) == ["cwuf"]
    answers = [answer for item in received(folder / "0.js") for answer in item["answers"].values()]
    assert [answer.get("verdict") for answer in answers] == [*words, None]


def test_other_folders_are_left_alone(two: list[Run], tmp_path: Path) -> None:
    """`data/` and `index.html` are common names: what somebody else keeps there is never removed."""
    for name in ("data/mine.csv", "index.html"):
        folder = tmp_path / name.partition("/")[0] / "folder"
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text("mine")
        with pytest.raises(ValueError, match="that no site of punctum wrote"):
            write(two, folder)
        assert tree(folder) == {name: b"mine"}
    run = two[0].folder
    with pytest.raises(ValueError, match="pictures that no site"):
        write(two, run)
    assert (run / "pictures" / "grey.jpg").is_file()


def test_figures_of_one_name_are_refused(two: list[Run], tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "radar.png").write_bytes(PICTURE)
    with pytest.raises(ValueError, match=r"two figures are called radar\.png"):
        write(two, tmp_path / "site", [Figure(tmp_path / name / "radar.png", name, name) for name in ("a", "b")])


def test_pictures_that_are_not_there_are_null(tmp_path: Path) -> None:
    rows = [Row("1", pictures=(None, "grey.jpg", "gone.jpg")), Row("2", pictures=())]
    write([Run.load(save_run(tmp_path / "one", rows))], tmp_path / "site")
    [one, two] = received(tmp_path / "site" / "data" / "sets" / "vague-mcq-sample" / "0.js")
    assert one["questions"][0]["pictures"] == [None, "grey.jpg", None]
    assert two["questions"][0]["pictures"] == []
    assert [path.name for path in (tmp_path / "site" / "pictures").iterdir()] == ["grey.jpg"]


def test_bytes_repeat_and_nothing_is_left_over(two: list[Run], tmp_path: Path) -> None:
    figure = tmp_path / "radar.svg"
    figure.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    for name in ("site", "again"):
        write(two, tmp_path / name, [Figure(figure, "A radar", "Four axes", "vague/mcq")])
    assert tree(tmp_path / "site") == tree(tmp_path / "again")
    assert (tmp_path / "site" / "figures" / "radar.svg").read_bytes() == figure.read_bytes()
    (tmp_path / "site" / "kept.csv").write_text("somebody's")
    write(two[:1], tmp_path / "site")
    write(two[:1], tmp_path / "fresh")
    left = tree(tmp_path / "site")
    assert left.pop("kept.csv") == b"somebody's"
    assert left == tree(tmp_path / "fresh")


def test_tables_keep_their_footnotes(two: list[Run], tmp_path: Path) -> None:
    first = Line(("published",), (Number("1.00", notes=("doubtful",)), None), "published")
    second = Line(("ours", "x"), (Number("2.00", ("1.00", "3.00")), Number("5")), notes=("a sample", "doubtful"))
    write(
        two, tmp_path / "site", grids=[Grid("t", "A table", ("model",), ("accuracy", "n"), (first, second), ("All.",))]
    )
    [table] = received(tmp_path / "site" / "data" / "tables.js")
    assert table["footnotes"] == ["doubtful", "a sample"] and table["notes"] == ["All."]
    assert [line["notes"] for line in table["lines"]] == [[], [2, 1]]
    assert table["lines"][0]["cells"] == [{"text": "1.00", "interval": None, "notes": [1]}, None]
    assert table["lines"][1]["cells"][0]["interval"] == ["1.00", "3.00"]
    write(two, tmp_path / "site")
    assert not (tmp_path / "site" / "data" / "tables.js").exists()


def test_no_content_leaves_its_string(tmp_path: Path) -> None:
    for number, text in enumerate(NASTY):
        path = tmp_path / "data" / "a" / f"{number}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(script(f"a/{number}", {"__proto__": text}).encode("utf-8", "backslashreplace"))
        assert received(path) == {"__proto__": text}
        assert "<" not in path.read_text(encoding="utf-8")


def test_hostile_runs_are_written(tmp_path: Path) -> None:
    rows = [Row(text, text, None, category=text, prompt=text, options=(text, "b")) for text in NASTY]
    rows.append(Row("long", "x" * 100_000, None))
    run = Run.load(save_run(tmp_path / "one", rows, model="../../" + NASTY[0]))
    write([run], tmp_path / "site")
    items = [item for chunk in (tmp_path / "site" / "data" / "sets").glob("*/[0-9]*.js") for item in received(chunk)]
    assert {answer["output"] for item in items for answer in item["answers"].values()} == {row.output for row in rows}
    assert {path.parent for path in (tmp_path / "site").rglob("*.js")} <= {
        tmp_path / "site" / "assets",
        *(path for path in (tmp_path / "site" / "data").rglob("*") if path.is_dir()),
        tmp_path / "site" / "data",
    }


def test_nothing_to_show_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one run"):
        write([], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_published_answers_to_a_site(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "mvp_bench"
    runs = []
    for model in ("MiniGPT-4-v1-7B", "GPT4V"):
        files = sorted((folder / "predictions").glob(f"*{model}.jsonl"))
        command = ["score", "mvp_bench/mcq_single", "--data-dir", str(folder), "--predictions", *map(str, files)]
        assert main([*command, "--parser", "paper", "--resamples", "0", "--out", str(tmp_path / model), "--quiet"]) == 0
        runs.append(Run.load(tmp_path / model))
    write(runs, tmp_path / "site")
    site = received(tmp_path / "site" / "data" / "site.js")
    [single] = site["boards"]
    cells = {row["model"]: row["cells"] for row in single["published"]}
    assert cells["GPT-4V"]["circular_accuracy"]["printed"] == "59.81"
    assert [len(entry["rows"]) for entry in single["sets"]] == [1, 1]  # GPT-4V's outputs are of the rotations only
    assert [entry["n"] for entry in site["sets"]] == [2507]
    assert not (tmp_path / "site" / "pictures").exists()
