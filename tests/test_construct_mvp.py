"""MVP-Bench's pairs: boxes, masks, edits on drawn scenes, and pairs that build and run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from punctum.cli import main
from punctum.construct.mvp import masks
from punctum.construct.mvp.boxes import Box, parse_box
from punctum.construct.mvp.categories import ASPECTS, CATEGORIES
from punctum.construct.mvp.ideas import last_object, read_idea, read_questions
from punctum.construct.wants import Unusable
from punctum.records import Response
from tests.construct_server import draw
from tests.fake_server import REFUSAL, Asked, FakeServer, Reply
from tests.killed import files, kill_once

SIZE = (64, 48)
SUBJECT, OBJECT = Box(8, 8, 24, 40), Box(36, 20, 52, 36)
IDEA = {
    "subject": "a man", "object": "the kite", "low_source": "a kite beside him", "low_edited": "a sword beside him",
    "high_source": "playing", "high_edited": "fighting", "caption": "A man with a sword.",
    "instruction": "Make him angry.",
}  # fmt: skip
QUESTIONS = {
    "low": ["Is there a kite?", "Is there a sword?"],
    "high": ["Is the man playing?", "Is the man fighting?"],
    "choice": {
        "question": "What does the man do?", "answer": "He fights.",
        "wrong": ["He plays.", "He sleeps.", "He eats.", "He reads."],
    },
}  # fmt: skip
Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNCTUM_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    pytest.importorskip("diffusers")
    from tests import tiny_pipelines

    folder = tmp_path_factory.mktemp("pipelines")
    return {
        "inpaint": tiny_pipelines.save_inpaint(folder / "inpaint"),
        "instruct": tiny_pipelines.save_instruct(folder / "instruct"),
        "segment": tiny_pipelines.save_sam(folder / "segment"),
    }


def scene(path: Path, shade: int) -> Path:
    """A drawing with a subject and an object whose boxes are known."""
    image = Image.new("RGB", SIZE, (shade, 200, 120))
    pen = ImageDraw.Draw(image)
    pen.rectangle((SUBJECT.left, SUBJECT.top, SUBJECT.right - 1, SUBJECT.bottom - 1), fill=(200, 30, 30))
    pen.ellipse((OBJECT.left, OBJECT.top, OBJECT.right - 1, OBJECT.bottom - 1), fill=(30, 30, 200))
    image.save(path)
    return path


def items(folder: Path, *codes: str) -> Path:
    folder.mkdir(exist_ok=True)
    rows = []
    for place, code in enumerate(codes):
        scene(folder / f"{place}.png", 40 + 7 * place)
        rows.append({"id": f"p{place}", "image": f"{place}.png", "category": code, "caption": "A man and a kite."})
    path = folder / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def box_words(box: Box) -> str:
    width, height = SIZE
    return str([box.left / width, box.top / height, box.right / width, box.bottom / height])


def llm(asked: Asked) -> str:
    """Plays the models well."""
    if "bounding box" in asked.prompt:
        return box_words(OBJECT if "kite" in asked.prompt else SUBJECT)
    if "Step" in asked.prompt or "step by step" in asked.prompt:
        return f"1. The man plays with {{a kite}}.\n2. He could fight.\n{json.dumps(IDEA)}"
    return json.dumps(QUESTIONS)


def by_turns(asked: Asked) -> str:
    """Good, chatty, refusing, broken."""
    good = llm(asked)
    answers: list[Callable[[], str]] = [
        lambda: good,
        lambda: f"Sure, here it is:\n```json\n{good}\n```",
        lambda: REFUSAL,
        lambda: good[: len(good) // 2],
    ]
    return answers[draw(asked, len(answers))]()


def construct(server: FakeServer, tmp_path: Path, path: Path, pipelines: dict[str, Path], *more: str) -> int:
    model = ["--model", f"openai:m@{server.url}", "--store", str(tmp_path / "store.sqlite"), "--quiet"]
    with_ = [word for name, folder in pipelines.items() for word in (f"--{name}-with", str(folder))]
    return main(["construct", "mvp", str(path), *with_, *model, "--steps", "2", "--model-arg", "retries=0", *more])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def pixels(path: Path) -> Any:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def test_pairs_build_and_run(pipelines: dict[str, Path], tmp_path: Path) -> None:
    """All three ways to edit; what may not change does not, to the bit; the pairs are what mvp_bench asks about."""
    out = tmp_path / "out"
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, items(tmp_path / "in", "B3", "S1", "E2"), pipelines, "--out", str(out)) == 0
    component, background, direct = lines(out / "pictures.jsonl")
    assert [r["id"] for r in (component, background, direct)] == [CATEGORIES[c].first for c in ("B3", "S1", "E2")]
    before, after = pixels(out / component["source"]), pixels(out / component["edited"])
    allowed = masks.of_box(OBJECT, *SIZE)
    assert np.array_equal(pixels(out / component["mask"])[..., 0] > 0, allowed)
    assert np.array_equal(before[~allowed], after[~allowed]) and (before[allowed] != after[allowed]).any()
    assert component["object"] == {"left": 36, "top": 20, "right": 52, "bottom": 36}

    before, after = pixels(out / background["source"]), pixels(out / background["edited"])
    filled = pixels(out / background["mask"])[..., 0] > 0
    move = masks.Move(**background["move"])
    there = masks.moved(before, SUBJECT, move)
    assert np.array_equal(after[~filled], there[~filled]) and 0 < (~filled).sum() < filled.size
    assert pixels(out / direct["edited"]).shape == before.shape and direct["mask"] is None
    cross = pixels(out / direct["cross"])
    assert cross.shape == (SIZE[1], 2 * SIZE[0], 3)
    assert {r["model"]["id"] for r in (component, background)} == {str(pipelines["inpaint"])}
    assert component["seed"] == 0 and background["segmented_with"]["id"] == str(pipelines["segment"])

    rows = lines(out / "all_questions.json")
    kinds = [(row["type"], row["level"]) for row in rows]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        ("mcq-cross", "high"): 3, ("mcq-cross", "low"): 3, ("mcq-e", "high"): 3,
        **{(side, level): 6 for side in ("y/n-s", "y/n-e") for level in ("low", "high")},
    }  # fmt: skip
    assert len(lines(out / "mcq_questions.json")) == 9 * 5
    run = ["run", "mvp_bench", "--data-dir", str(out), "--circular", "--quiet", "--resamples", "0"]
    assert main([*run, "--model", "baseline:first", "--out", str(tmp_path / "run")]) == 0
    tasks = json.loads((tmp_path / "run" / "results.json").read_text())["tasks"]
    assert {name: task["n"] for name, task in tasks.items()} == {"yes_no": 24, "mcq_single": 18, "mcq_cross": 36}


def test_answers_are_right(pipelines: dict[str, Path], tmp_path: Path) -> None:
    """A model that knows the idea answers all questions rightly, in every rotation."""
    out = tmp_path / "out"
    with FakeServer(llm) as server:
        construct(server, tmp_path, items(tmp_path / "in", "B3"), pipelines, "--out", str(out))
    right = {"behaviour", CATEGORIES["B3"].low, "He fights."}
    n = 0
    for row in [*lines(out / "all_questions.json"), *lines(out / "mcq_questions.json")]:
        head, *options = row["question"].split("\n")[:-1]
        if options:
            shown = dict(option.split(". ", 1) for option in options)
            assert shown[row["answer"]] in right and len(set(shown.values())) == 5
            assert not head.startswith("Which aspect") or set(shown.values()) == set(ASPECTS)
        else:
            of_source = head in ("Is there a kite?", "Is the man playing?")
            assert row["answer"] == ("yes" if of_source == row["image"].endswith("_s.png") else "no")
        n += 1
    assert n == 2 + 8 + 1 + 15


def test_bad_words_are_asked_again_and_listed(pipelines: dict[str, Path], tmp_path: Path) -> None:
    codes = [*CATEGORIES] * 2
    out = tmp_path / "out"
    with FakeServer(by_turns) as server:
        path = items(tmp_path / "in", *codes)
        assert construct(server, tmp_path, path, pipelines, "--out", str(out), "--tries", "2") == 0
    made = {record["item"] for record in lines(out / "pictures.jsonl")}
    left_out = {fault["item"] for fault in lines(out / "faults.jsonl")}
    assert made | left_out == {f"p{place}" for place in range(len(codes))} and not made & left_out
    assert made and left_out
    assert {f["fault"] for f in lines(out / "faults.jsonl")} <= {
        "refusal",
        "no JSON object",
        "no box",
        "a field is missing",
    }


def test_killed_and_started_again(pipelines: dict[str, Path], tmp_path: Path) -> None:
    path = items(tmp_path / "in", "B3", "R2", "S1", "E2")
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, path, pipelines, "--out", str(tmp_path / "whole")) == 0
        unbroken = len(server.asked)
    with FakeServer(lambda asked: Reply(llm(asked), wait=0.1)) as server:
        with_ = [word for name, folder in pipelines.items() for word in (f"--{name}-with", str(folder))]
        command = [
            sys.executable, "-m", "punctum.cli", "construct", "mvp", str(path), *with_, "--steps", "2", "--quiet",
            "--model", f"openai:m@{server.url}", "--store", str(tmp_path / "other.sqlite"), "--concurrency", "1",
            "--model-arg", "retries=0", "--out", str(tmp_path / "broken"),
        ]  # fmt: skip
        kill_once(lambda: len(server.asked) >= 6, command)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert unbroken <= len(server.asked) <= unbroken + 1  # the call under way may be asked again
    assert files(tmp_path / "whole") == files(tmp_path / "broken")


def test_edits_are_kept(pipelines: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run loads no pipeline."""
    from punctum.construct.mvp.editing import Editor

    path = items(tmp_path / "in", "B3", "E2")
    with FakeServer(llm) as server:
        construct(server, tmp_path, path, pipelines, "--out", str(tmp_path / "a"))
        monkeypatch.setattr(Editor, "_pipeline", lambda self, kind: pytest.fail("loaded again"))
        assert construct(server, tmp_path, path, pipelines, "--out", str(tmp_path / "b")) == 0
    assert (tmp_path / "a" / "pictures.jsonl").read_bytes() == (tmp_path / "b" / "pictures.jsonl").read_bytes()


def test_a_dry_run_loads_and_writes_nothing(tmp_path: Path, capsys: Capsys) -> None:
    nowhere = dict.fromkeys(("inpaint", "instruct", "segment"), tmp_path / "nowhere")
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, items(tmp_path / "in", "B3", "S1", "E2"), nowhere, "--dry-run") == 0
        assert server.asked == []
    said = capsys.readouterr().out
    assert "step by step" in said and "bounding box" in said and "multiple-choice question" in said


def test_a_dry_run_counts_every_pair(tmp_path: Path, capsys: Capsys) -> None:
    """Two pairs of one category are two calls in each step, though no model has written an idea yet."""
    nowhere = {"inpaint": tmp_path / "nowhere"}
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, items(tmp_path / "in", "B3", "B3"), nowhere, "--dry-run") == 0
    rows = [re.findall(r"[^│┃]+", line) for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    counts = {name.strip(): [int(texts), int(calls)] for name, texts, calls, *_ in rows}
    steps = ("idea", "box of the subject", "box of the object", "questions")
    assert counts == {step: [2, 2] for step in steps}


@pytest.mark.parametrize(("line", "message"), [
    ({"id": "a", "image": "0.png"}, "no field category"),
    ({"id": "a", "image": "0.png", "category": "X9"}, "'X9' is not known"),
    ({"id": "a", "image": "0.png", "category": "S1"}, "background edits need --inpaint-with and --segment-with"),
])  # fmt: skip
def test_wrong_items_are_refused(tmp_path: Path, capsys: Capsys, line: dict[str, str], message: str) -> None:
    path = items(tmp_path / "in", "B1")
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, path, {}, "--out", str(tmp_path / "out")) == 2
    assert message in capsys.readouterr().err


WIDTH, HEIGHT = 200, 100


@pytest.mark.parametrize(("text", "box"), [
    ("[0.1, 0.2, 0.5, 0.6]", (20, 20, 100, 60)),
    ("The box is [0.100,0.200,0.500,0.600].", (20, 20, 100, 60)),
    ("<ref>man</ref><box>(100,200),(500,600)</box>", (20, 20, 100, 60)),
    ('```json\n[{"bbox_2d": [20, 20, 100, 60], "label": "man"}]\n```', (20, 20, 100, 60)),
    ("[[100,200,500,600]]", (20, 20, 100, 60)),
    ("<loc0205><loc0102><loc0614><loc0512> man", (19, 20, 100, 60)),
    ("{<10><20><50><60>}", (20, 20, 100, 60)),
    ("x1: 20, y1: 20, x2: 100, y2: 60", (20, 20, 100, 60)),
    ("[100, 60, 20, 20]", (20, 20, 100, 60)),
    ("[-5, 10, 150, 90]", (0, 10, 150, 90)),
    ("[0.5, 0.5, 1.0, 1.0]", (100, 50, 200, 100)),
])  # fmt: skip
def test_boxes_of_the_common_formats(text: str, box: tuple[int, ...]) -> None:
    found = parse_box(text, WIDTH, HEIGHT)
    assert all(abs(a - b) <= 1 for a, b in zip((found.left, found.top, found.right, found.bottom), box, strict=True))


@pytest.mark.parametrize(
    "text", ["", "I see a man.", "[0.1, 0.2, 0.5]", "[0.1, 0.2, 0.1, 0.9]", "[300, 10, 900, 2000, 5"]
)
def test_no_box(text: str) -> None:
    with pytest.raises(Unusable):
        parse_box(text, WIDTH, HEIGHT)


def test_a_box_outside_the_picture_is_refused_and_a_named_scale_is_obeyed() -> None:
    with pytest.raises(Unusable, match="empty box"):
        parse_box("[250, 10, 300, 40]", WIDTH, HEIGHT, "pixel")
    assert parse_box("[10, 10, 50, 50]", WIDTH, HEIGHT, "percent") == Box(20, 10, 100, 50)


def test_the_component_mask_spares_the_subject() -> None:
    wide = Box(0, 0, 40, 48)
    mask = masks.component_mask(wide, SUBJECT, *SIZE)
    assert mask.sum() == wide.area - SUBJECT.area and not mask[SUBJECT.top : SUBJECT.bottom, 8:24].any()
    inner = Box(10, 10, 20, 20)  # in the subject's hands
    assert np.array_equal(masks.component_mask(inner, SUBJECT, *SIZE), masks.of_box(inner, *SIZE))
    with pytest.raises(Unusable, match="whole picture"):
        masks.component_mask(Box(0, 0, *SIZE), Box(0, 0, *SIZE), *SIZE)
    with pytest.raises(Unusable, match="behind"):
        masks.component_mask(Box(10, 10, 20, 20), Box(9, 9, 20, 18), 20, 18)


def test_the_subjects_mask_overlaps_most() -> None:
    exact, loose, other = (masks.of_box(b, *SIZE) for b in (SUBJECT, Box(4, 4, 30, 46), OBJECT))
    nothing, everything = np.zeros_like(exact), np.ones_like(exact)
    assert masks.subject_mask([nothing, everything, other, loose, exact], SUBJECT) is exact
    part = masks.of_box(Box(8, 8, 24, 30), *SIZE)
    assert masks.subject_mask([part, loose], SUBJECT) is loose  # by area, as in the paper
    assert masks.subject_mask([part, loose], SUBJECT, "iou") is part
    with pytest.raises(Unusable, match="no mask"):
        masks.subject_mask([nothing, everything, other], SUBJECT)


def test_a_move_is_drawn_by_seed_and_name_and_exact() -> None:
    mask = masks.of_box(SUBJECT, *SIZE)
    first = masks.drawn_move(mask, SUBJECT, 0, "a")
    assert first == masks.drawn_move(mask, SUBJECT, 0, "a")
    assert len({masks.drawn_move(mask, SUBJECT, seed, name) for seed in range(3) for name in "ab"}) == 6
    shifted = masks.moved(mask, SUBJECT, masks.Move(right=5, down=-3))
    assert np.array_equal(shifted, masks.of_box(Box(13, 5, 29, 37), *SIZE))
    double = masks.moved(mask, SUBJECT, masks.Move(scale=0.5))
    assert np.array_equal(double, masks.of_box(Box(12, 16, 20, 32), *SIZE))
    out = masks.moved(mask, SUBJECT, masks.Move(right=60))
    assert not out.any()
    for seed in range(20):
        move = masks.drawn_move(mask, SUBJECT, seed, "x")
        assert masks.moved(mask, SUBJECT, move).sum() >= 0.6 * mask.sum() * min(move.scale, 1) ** 2


def test_composed_pixels_come_from_one_side_each() -> None:
    rng = np.random.default_rng(0)
    before, after = (rng.integers(0, 255, (*SIZE[::-1], 3)).astype(np.uint8) for _ in range(2))
    mask = masks.of_box(OBJECT, *SIZE)
    found = masks.composed(before, after, mask)
    assert np.array_equal(found[mask], after[mask]) and np.array_equal(found[~mask], before[~mask])
    blank = masks.blanked(before, mask)
    assert (blank[mask] == 127).all() and np.array_equal(blank[~mask], before[~mask])


def test_json_is_found_behind_chatter() -> None:
    assert last_object('I think {this} … {"a": 1} and finally\n{"b": {"c": "}"}} ok') == {"b": {"c": "}"}}
    with pytest.raises(Unusable):
        last_object("no object { here")


@pytest.mark.parametrize(("changes", "reason"), [
    ({"object": ""}, "a field is missing: object"),
    ({"caption": 3}, "a field is missing: caption"),
    ({"low_edited": "A KITE beside him!"}, "nothing changes"),
])  # fmt: skip
def test_ideas_are_checked(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        read_idea(CATEGORIES["B3"], Response(json.dumps({**IDEA, **changes})))


@pytest.mark.parametrize(("changes", "reason"), [
    ({"low": ["Is there a kite?"]}, "not two"),
    ({"high": ["He plays.", "Does he?"]}, "no question"),
    ({"low": ["Is it?", "is it"]}, "no question"),
    ({"low": ["Is it?", "IS it?"]}, "comes twice"),
    ({"choice": {**QUESTIONS["choice"], "wrong": ["a", "b"]}}, "too few"),  # type: ignore[dict-item]
    ({"choice": {**QUESTIONS["choice"], "wrong": ["a", "b", "He fights", "c"]}}, "an option comes twice"),  # type: ignore[dict-item]
    ({"choice": "x"}, "choice"),
])  # fmt: skip
def test_questions_are_checked(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        read_questions(Response(json.dumps({**QUESTIONS, **changes})))


def test_pictures_that_cannot_be_read_and_ids_given_twice_are_listed(
    pipelines: dict[str, Path], tmp_path: Path
) -> None:
    path = items(tmp_path / "in", "B3", "B3", "B3")
    (tmp_path / "in" / "1.png").write_bytes(b"nonsense")
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text.splitlines()[0] + "\n", encoding="utf-8")
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, path, pipelines, "--out", str(tmp_path / "out")) == 0
    faults = [(fault["item"], fault["fault"].split(":")[0]) for fault in lines(tmp_path / "out" / "faults.jsonl")]
    assert faults == [("p1", "the picture cannot be read"), ("p0", "the id was there before")]
    assert [record["item"] for record in lines(tmp_path / "out" / "pictures.jsonl")] == ["p0", "p2"]
