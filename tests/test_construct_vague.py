"""VAGUE's pipeline: from pictures with entities and boxes to rows that the builder reads and a run scores."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import punctum
from punctum.cli import main
from punctum.construct.ratings.sending import RATING_SLOT
from punctum.construct.vague import checks
from punctum.construct.vague.rows import ordering
from punctum.construct.wants import Unusable
from punctum.datasets_scripts.vague.tags import tag_places
from punctum.records import Response
from tests.construct_server import VaguePlayer, texts_of, triplet, vague_step
from tests.fake_server import Asked, FakeServer
from tests.killed import files, kill_once, stored
from tests.test_construct_hard_negatives import lines, summary

SAMPLE = Path(punctum.sample("vague"))
ROWS: list[dict[str, Any]] = json.loads((SAMPLE / "vague.json").read_text(encoding="utf-8"))
BY_ID = {row["image_name"]: row for row in ROWS}
Capsys = pytest.CaptureFixture[str]


def scene(row: Mapping[str, Any]) -> dict[str, Any]:
    meta = row["meta"]
    return {"id": row["image_name"], "entities": meta["ram_entity"], "boxes": meta["person_bbox"]}


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """The sample's scenes as they go in: no text but entities, untagged pictures beside them."""
    return write(tmp_path / "in", [scene(row) for row in ROWS])


def write(folder: Path, values: Sequence[Mapping[str, Any]]) -> Path:
    folder.mkdir(exist_ok=True)
    for row in ROWS:
        link = folder / f"{row['image_name']}.jpg"
        link.write_bytes((SAMPLE / link.name).read_bytes())
    file = folder / "scenes.jsonl"
    file.write_text("".join(json.dumps(value) + "\n" for value in values))
    return file


def construct(server: FakeServer, scenes: Path, out: Path, *words: str) -> int:
    asking = ["--model", f"openai:m@{server.url}", "--store", str(out.with_suffix(".sqlite")), "--quiet"]
    return main(["construct", "vague", str(scenes), "--out", str(out), *asking, "--model-arg", "retries=0", *words])


def made(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / "vague.json").read_text(encoding="utf-8"))
    return found


def test_a_dry_run_counts_every_scene(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scenes with the same things in them are two calls in each step, though nothing has been written yet."""
    alike = [{**scene(row), "entities": ["a lamp", "a door"]} for row in ROWS[:2]]
    with FakeServer("nothing") as server:
        assert construct(server, write(tmp_path / "in", alike), tmp_path / "out", "--dry-run") == 0
    rows = [re.findall(r"[^│┃]+", line) for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    counts = {name.strip(): [int(texts), int(calls)] for name, texts, calls, *_ in rows}
    steps = ("direct", "correct", "indirect", "fake_caption", "fake_scene", "nonexistent_entity")
    assert counts == {step: [2, 2] for step in steps}


def test_from_scenes_to_a_scored_run(scenes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with FakeServer(VaguePlayer(ROWS)) as server:
        assert construct(server, scenes, out, "--tries", "5") == 0
        asked = list(server.asked)
    rows = made(out)
    assert 12 <= len(rows) < 24  # some scenes never got an answer that passes
    for row in rows:
        source = BY_ID[row["image_name"]]
        texts = {name: row["mcq"][name] for name in source["mcq"] if name != "ordering"}
        assert texts == {name: source["mcq"][name] for name in texts}
        assert row["direct"] == source["direct"] and row["solution"] == source["solution"]
        assert row["indirect"] in texts_of(source, "indirect")
        assert row["meta"] == {name: value for name, value in source["meta"].items() if name != "rating"}
        assert row["mcq"]["ordering"] == ordering(row["image_name"], 0)
    listed = {fault["item"] for fault in lines(out / "faults.jsonl") if fault["step"] != "indirect"}
    assert set(BY_ID) - {row["image_name"] for row in rows} <= {f["item"] for f in lines(out / "faults.jsonl")}
    assert listed.isdisjoint(row["image_name"] for row in rows)
    shown = {step: {len(a.pictures) for a in asked if vague_step(a) == step} for step in set(map(vague_step, asked))}
    assert shown == {"direct": {1}, "nonexistent_entity": {1}, "correct": {0}, "indirect": {0},
                     "fake_caption": {0}, "fake_scene": {0}}  # fmt: skip

    run = ["run", "vague/mcq", "--data-dir", str(out), "--model", "baseline:first", "--resamples", "0", "--quiet"]
    assert main([*run, "--out", str(tmp_path / "run")]) == 0
    task = json.loads((tmp_path / "run" / "results.json").read_text())["tasks"]["mcq"]
    assert task["n"] == len(rows)
    assert task["metrics"]["accuracy"] == pytest.approx(sum(r["mcq"]["ordering"][0] == "A" for r in rows) / len(rows))


def test_people_carry_their_numbers(scenes: Path, tmp_path: Path) -> None:
    """The models see what is written: the picture with a black tag at the centre of each person."""
    out = tmp_path / "out"
    with FakeServer(VaguePlayer(ROWS, faulty=False)) as server:
        assert construct(server, scenes, out, "--limit", "3") == 0
        seen = {picture for asked in server.asked for picture in asked.pictures}
    for row in made(out):
        picture = out / "pictures" / f"{row['image_name']}_annot.jpg"
        assert picture.read_bytes() in seen
        with Image.open(picture) as image, Image.open(SAMPLE / f"{row['image_name']}.jpg") as bare:
            assert image.size == bare.size
            for x1, y1, x2, y2 in tag_places(*image.size, row["meta"]["person_bbox"]):
                corner = image.convert("L").crop((int(x1) + 1, int(y1) + 1, int(x1) + 4, int(y2) - 1))
                assert max(corner.tobytes()) < 80  # the rectangle, beside its digit
                assert x2 > x1
    assert len(seen) == 3


def test_killed_at_any_point_it_goes_on_and_asks_nothing_twice(scenes: Path, tmp_path: Path) -> None:
    def command(server: FakeServer, name: str) -> list[str]:
        words = ["construct", "vague", str(scenes), "--limit", "8", "--quiet", "--concurrency", "2"]
        words += ["--out", str(tmp_path / name), "--store", str(tmp_path / f"{name}.sqlite")]
        return [sys.executable, "-m", "punctum.cli", *words, "--model", f"openai:m@{server.url}"]

    with FakeServer(VaguePlayer(ROWS)) as server:
        subprocess.run(command(server, "unbroken"), check=True, timeout=120)
        n_calls = len(server.asked)
    with FakeServer(VaguePlayer(ROWS), latency=0.03) as server:
        kill_once(lambda: stored(tmp_path / "killed.sqlite") >= n_calls // 2, command(server, "killed"))
        assert not (tmp_path / "killed" / "vague.json").exists()
        subprocess.run(command(server, "killed"), check=True, timeout=120)
        calls = Counter((asked.key, asked.body["seed"]) for asked in server.asked)
    assert len(calls) == n_calls and sum(calls.values()) <= n_calls + 2
    assert files(tmp_path / "killed") == files(tmp_path / "unbroken")


def test_people_choose_among_the_versions(scenes: Path, tmp_path: Path) -> None:
    """Candidates go to the raters, and what they keep comes back; nothing of the first part is asked again."""
    out = tmp_path / "out"
    player = VaguePlayer(ROWS, faulty=False)
    names = [row["image_name"] for row in ROWS[:5]]
    with FakeServer(player) as server:
        assert construct(server, scenes, out, "--candidates", "--limit", "5") == 0
        assert {vague_step(asked) for asked in server.asked} == {"direct", "correct", "indirect"}
        first = len(server.asked)
        assert not (out / "vague.json").exists()
        candidates = {line["id"]: line for line in lines(out / "candidates.jsonl")}
        assert list(candidates) == names
        said = {
            "direct": [(None, 5), (None, 3), (None, 4), (None, 5), (None, 5)],
            "indirect": [("meme", 4), ("meme", 5), ("sarcasm", 3), ("humor", 2), ("humor", 5)],
        }
        kept = []
        for question, answers in said.items():
            kept.append(rate(question, out / "candidates.jsonl", dict(zip(names, answers, strict=True)), tmp_path))
        assert construct(server, scenes, out, "--limit", "5", "--chosen", *map(str, kept)) == 0
        assert len(server.asked) == first + 3 * 3
    rows = {row["image_name"]: row for row in made(out)}
    assert list(rows) == [names[0], names[2], names[4]]
    for name, (style, rating) in zip(names, said["indirect"], strict=True):
        if name in rows:
            assert rows[name]["indirect"] == candidates[name][str(style)]
            assert rows[name]["meta"]["rating"]["indirect"] == rating
    assert [row["meta"]["rating"]["direct"] for row in rows.values()] == [5, 4, 5]
    assert Counter((f["item"], f["fault"]) for f in lines(out / "faults.jsonl")) == {
        (names[1], "not chosen by people"): 1,
        (names[3], "not chosen by people"): 1,
    }
    run = ["run", "vague/mcq", "--subset", "human400", "--data-dir", str(out), "--model", "baseline:first", "--quiet"]
    assert main([*run, "--resamples", "0", "--out", str(tmp_path / "run")]) == 0


def rate(question: str, items: Path, answers: Mapping[str, tuple[str | None, int]], tmp_path: Path) -> Path:
    """Export items, answer as the page would save it, import; gives what is kept."""
    out = tmp_path / question
    assert main(["construct", "ratings", "export", question, str(items), "--out", str(out), "--quiet"]) == 0
    saved = []
    for name, (style, rating) in answers.items():
        whole = {"id": name, "task": question, "model": "Ann"}
        saved += [{**whole, "prompt_slot": 1, "output": style}] if style else []
        saved += [{**whole, "prompt_slot": RATING_SLOT, "output": str(rating)}]
    (out / "ann.jsonl").write_text("".join(json.dumps(line) + "\n" for line in saved))
    words = [question, str(out / "ann.jsonl"), "--items", str(out / "items.jsonl"), "--out", str(out / "rated")]
    assert main(["construct", "ratings", "import", *words, "--quiet"]) == 0
    return out / "rated" / "kept.jsonl"


@pytest.mark.parametrize(
    ("choice", "faults"),
    [
        ({"id": ROWS[0]["image_name"], "style": "meme", "rating": {"direct": 5, "indirect": 4}}, []),
        ({"id": ROWS[0]["image_name"], "choice": "meme", "rating": 4}, []),
        ({"id": ROWS[0]["image_name"]}, []),
        ({"id": "unheard"}, ["chosen, but no scene with candidates", "not chosen by people"]),
        ({"id": ROWS[0]["image_name"], "choice": "pun"}, None),
        ({"id": ROWS[0]["image_name"], "rating": 9}, None),
    ],
)
def test_files_of_choices(choice: dict[str, Any], faults: list[str] | None, scenes: Path, tmp_path: Path) -> None:
    (tmp_path / "chosen.json").write_text(json.dumps([choice]))
    out = tmp_path / "out"
    with FakeServer(VaguePlayer(ROWS, faulty=False)) as server:
        code = construct(server, scenes, out, "--chosen", str(tmp_path / "chosen.json"), "--limit", "1")
    assert code == (2 if faults is None else 1 if faults else 0)
    if faults is None:
        return
    assert [fault["fault"] for fault in lines(out / "faults.jsonl")] == faults
    for row in made(out):
        assert ("rating" in row["meta"]) == isinstance(choice.get("rating"), dict)
        assert ("lol" in row["indirect"]) == (choice.get("style", choice.get("choice")) == "meme")


def test_a_version_that_never_passed_cannot_be_chosen(scenes: Path, tmp_path: Path) -> None:
    """The second version always names the object: it is listed, and the other two are kept and can be rated."""
    out, player = tmp_path / "out", VaguePlayer(ROWS, faulty=False)
    name, (_, action, thing) = ROWS[0]["image_name"], triplet(ROWS[0])

    def spoiled(asked: Asked) -> str:
        text = player(asked)
        return text.replace("honestly,", f"{action} the {thing},") if vague_step(asked) == "indirect" else text

    with FakeServer(spoiled) as server:
        assert construct(server, scenes, out, "--candidates", "--limit", "1") == 0
        [line] = lines(out / "candidates.jsonl")
        assert "humor" not in line and {"sarcasm", "meme"} < set(line)
        [fault] = lines(out / "faults.jsonl")
        assert fault["fault"] == "names the action or the object" and fault["detail"].startswith("humor: ")
        kept = rate("indirect", out / "candidates.jsonl", {name: ("sarcasm", 5)}, tmp_path)
        assert construct(server, scenes, out, "--chosen", str(kept), "--limit", "1") == 0
        assert made(out)[0]["indirect"] == line["sarcasm"]
        kept.write_text(json.dumps({"id": name, "choice": "humor"}))
        assert construct(server, scenes, out, "--chosen", str(kept), "--limit", "1") == 1  # nothing was made
    assert [f["fault"] for f in lines(out / "faults.jsonl")][1:] == ["the chosen version is not there"]
    assert made(out) == []


def test_bad_scenes_are_listed_and_the_others_made(tmp_path: Path) -> None:
    good, box = scene(ROWS[0]), [10, 10, 60, 90]
    name = ROWS[1]["image_name"]
    bad: list[tuple[str, dict[str, Any]]] = [
        ("no id", {"entities": ["a", "b"], "boxes": [box]}),
        ("the id was there before", good),
        ("an id that cannot name a file", {"id": "../up", "entities": ["a", "b"], "boxes": [box]}),
        ("no picture", {"id": "nowhere", "entities": ["a", "b"], "boxes": [box]}),
        ("a picture outside its folder", {"id": "out", "image": "../x.jpg", "entities": ["a", "b"], "boxes": [box]}),
        ("a picture that cannot be read", {"id": "torn", "entities": ["a", "b"], "boxes": [box]}),
        ("fewer than 2 entities", {"id": "lonely", "image": f"{name}.jpg", "entities": ["a", " ", "A", 4]}),
        ("fewer than 2 entities", {"id": "empty", "image": f"{name}.jpg", "entities": []}),
        ("no person's box", {"id": "desert", "image": f"{name}.jpg", "entities": ["a", "b"], "boxes": []}),
        ("a box that is no four numbers", {"id": "b1", "image": f"{name}.jpg", "entities": ["a", "b"], "boxes": [[1]]}),
        ("a box that is no four numbers", {"id": "b2", "image": f"{name}.jpg", "entities": ["a", "b"],
                                           "boxes": [[1, 2, 3, float("nan")]]}),
        ("a box without area", {"id": "b3", "image": f"{name}.jpg", "entities": ["a", "b"], "boxes": [[9, 9, 9, 20]]}),
        ("a box outside the picture", {"id": "b4", "image": f"{name}.jpg", "entities": ["a", "b"],
                                       "boxes": [box, [900, 10, 950, 20]]}),
        ("a size without width and height", {"id": "b5", "image": f"{name}.jpg", "entities": ["a", "b"], "size": [4, 4],
                                             "boxes": [box]}),
    ]  # fmt: skip
    cut = {**scene(ROWS[2]), "boxes": [[-50, -20, 100, 200], [200, 100, 9000, 9000]]}
    file = write(tmp_path / "in", [good, *(value for _, value in bad), cut])
    (tmp_path / "x.jpg").write_bytes((SAMPLE / f"{name}.jpg").read_bytes())
    torn = (SAMPLE / f"{name}.jpg").read_bytes()
    (tmp_path / "in" / "torn.jpg").write_bytes(torn[: len(torn) // 2])
    out = tmp_path / "out"
    with FakeServer(VaguePlayer(ROWS, faulty=False)) as server:
        assert construct(server, file, out) == 0
    assert [fault["fault"] for fault in lines(out / "faults.jsonl")] == [reason for reason, _ in bad]
    rows = made(out)
    assert [row["image_name"] for row in rows] == [ROWS[0]["image_name"], ROWS[2]["image_name"]]
    assert rows[1]["meta"]["person_bbox"] == [[0, 0, 100, 200], [200, 100, 480, 320]]
    assert summary(out)["notes"]["a person's box cut to the picture"] == 2


def test_vague_s_own_rows_go_in_too(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with FakeServer(VaguePlayer(ROWS, faulty=False)) as server:
        assert construct(server, SAMPLE / "vague.json", out, "--limit", "2", "--seed", "3") == 0
    assert [row["mcq"]["ordering"] for row in made(out)] == [ordering(r["image_name"], 3) for r in ROWS[:2]]


def test_another_model_looks_at_the_pictures(scenes: Path, tmp_path: Path) -> None:
    player = VaguePlayer(ROWS, faulty=False)
    with FakeServer(player) as writer, FakeServer(player) as looker:
        words = ["--look-with", f"openai:eyes@{looker.url}", "--limit", "1"]
        assert construct(writer, scenes, tmp_path / "out", *words) == 0
        assert {vague_step(asked) for asked in looker.asked} == {"direct", "nonexistent_entity"}
        assert not any(asked.pictures for asked in writer.asked)
    assert {r["model"]["id"] for r in lines(tmp_path / "out" / "generated.jsonl")} == {"m", "eyes"}


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        (None, [], "no file"),
        ("[{", [], "may have been cut short"),
        ("[1]", [], "a JSON object is expected"),
        ("[]", ["--chosen", "missing.json"], "no file missing.json"),
        ("[]", ["--synonyms", "missing.json"], "no file missing.json"),
        ("[]", ["--pictures", "missing"], "no folder of pictures missing"),
        ("[]", ["--candidates", "--chosen", "scenes.json"], "leave --chosen out"),
        ("[]", ["--out", "."], "the builder would take it for rows"),
    ],
)
def test_errors_name_the_way_out(
    content: str | None, words: list[str], message: str, tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("scenes.json").write_text(content)
    with FakeServer("") as server:
        assert construct(server, Path("scenes.json"), tmp_path / "out", *words) == 2
    assert message in capsys.readouterr().err


def answer(text: str, finish_reason: str = "stop") -> Response:
    return Response(text=text, finish_reason=finish_reason)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["image_name"][:9])
def test_what_people_wrote_passes(row: dict[str, Any]) -> None:
    mcq, meta = row["mcq"], row["meta"]
    text = f"Prompt: {row['direct']}\nSolution: {row['solution']}\nCaption: {meta['caption']}"
    found = checks.read_direct(answer(text), meta["ram_entity"], len(meta["person_bbox"])).value
    person, action, thing = triplet(row)
    assert (found["person"], found["action"], found["object"]) == (person, action, thing)
    assert checks.read_correct(answer(mcq["1_correct"]), person, thing).value == mcq["1_correct"]
    pairs = "\n".join(f"{said}\n{mcq['3_surface_understanding']}" for said in texts_of(row, "indirect"))
    kept = checks.Indirect(found, mcq["1_correct"], {}).read(answer(pairs)).value
    assert kept["sarcasm"] == {"indirect": row["indirect"], "superficial": mcq["3_surface_understanding"]}
    others = [mcq["1_correct"], mcq["3_surface_understanding"]]
    assert checks.read_fake_scene(answer(mcq["2_fake_scene"]), person, found, meta["fake_caption"], others)
    entities = meta["ram_entity"]
    assert checks.read_nonexistent(answer(mcq["4_wrong_entity"]), person, entities, mcq["1_correct"], others)


def direct(prompt: str, solution: str, caption: str = "A room.") -> Response:
    return answer(f"Prompt: {prompt}\nSolution: {solution}\nCaption: {caption}")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (direct("Hey, person3, wash the plates.", "(person3, wash, plates)"), "addresses nobody with a tag"),
        (direct("Hey, person0, wash the plates.", "(person0, wash, plates)"), "addresses nobody with a tag"),
        (direct("Hey you, wash the plates.", "(person1, wash, plates)"), "addresses nobody with a tag"),
        (direct("Hey person1, wash it.", "(person2, wash, plates)"), "complaint and solution address different people"),
        (direct("Hey person1, wash it.", "(person1, wash, cup)"), "the object is no entity of the scene"),
        (direct("Hey person1, wash it.", "(person1, plates)"), "no triplet"),
        (direct("Hey person1, wash it.", "(person1, , plates)"), "no triplet"),
        (direct("Hey person1, wash it.", "(person1, wash, plates)", ""), "not in the form asked for"),
        (answer("Hey person1, wash the plates."), "not in the form asked for"),
        (answer("Prompt"), "not in the form asked for"),
        (answer(""), "empty answer"),
        (answer("I'm sorry, I can't help with this image."), "refusal"),
        (answer("Prompt: Hey person1, wash", "length"), "cut off"),
    ],
)
def test_a_complaint_that_cannot_be_used(response: Response, reason: str) -> None:
    with pytest.raises(Unusable) as refused:
        checks.read_direct(response, ["dirty plate", "plate", "sink"], 2)
    assert refused.value.reason == reason


def test_a_complaint_in_other_dress() -> None:
    text = (
        "Sure, here you go!\n\n1. **Prompt:** \"Hey, Person 1, please wash the plates, they smell.\"\n"
        "2. **Solution:** (Person1, wash up, the plates)\n3. **Caption**: A kitchen.\nTwo people stand in it."
    )  # fmt: skip
    assert checks.read_direct(answer(text), ["sink", "Plate"], 1).value == {
        "direct": "Hey, Person 1, please wash the plates, they smell.",
        "person": "person1",
        "action": "wash up",
        "object": "Plate",
        "caption": "A kitchen. Two people stand in it.",
    }


SOLUTION = {"person": "person1", "action": "wash up", "object": "dirty plates"}
CORRECT = "The speaker wants person1 to wash the dirty plates."
MISREAD = "The speaker wants person1 to build a tower."


@pytest.mark.parametrize(
    ("utterance", "misread", "reason"),
    [
        ("Hey person1, nice tower!", MISREAD, None),
        ("Hey person1, nice plate tower!", MISREAD, "names the action or the object"),
        ("Hey person1, washing day again?", MISREAD, "names the action or the object"),
        ("Hey person1, are you saving the crockery?", MISREAD, "names the action or the object"),
        ("Hey person1, up in the sky!", MISREAD, None),
        ("Hey person2, nice tower!", MISREAD, "addresses somebody else"),
        ("Hey person1, nice tower!", "The speaker wants person2 to build a tower.", "another opening"),
        ("Hey person1, nice tower!", CORRECT, "equal to another option"),
        ("Hey person1, nice tower!", MISREAD[:-1] + " of many many many many many many many many plates.",
         "more than 15 words"),
    ],
)  # fmt: skip
def test_indirect_versions(utterance: str, misread: str, reason: str | None) -> None:
    reader = checks.Indirect(SOLUTION, CORRECT, {"plates": ["crockery"]})
    second, third = ("Hey person1, good lord!", MISREAD), ("Hey person1, epic!", MISREAD)
    text = "\n".join(f"{said}\n{read}" for said, read in ((utterance, misread), second, third))
    if reason is None:
        assert reader.read(answer(text)).value["sarcasm"]["indirect"] == utterance
        return
    with pytest.raises(Unusable) as refused:
        reader.read(answer(text))
    assert refused.value.reason == reason and refused.value.detail.startswith("sarcasm: ")
    at_last = reader.at_last()
    assert at_last is not None and list(at_last.value) == ["humor", "meme"]  # the others are kept
    fixed = text.replace(utterance, "Hey person1, a tower!").replace(misread, MISREAD)
    assert list(reader.read(answer(fixed)).value) == ["sarcasm", "humor", "meme"]


def test_versions_that_are_missing_or_the_same() -> None:
    reader = checks.Indirect(SOLUTION, CORRECT, {})
    with pytest.raises(Unusable, match="0 utterances with their readings"):
        reader.read(answer("Nice tower!"))
    with pytest.raises(Unusable, match="1 utterances with their readings"):
        reader.read(answer(f"Hey person1, nice tower!\n{MISREAD}"))
    assert reader.at_last() is None
    with pytest.raises(Unusable, match="equal to another version"):
        reader.read(answer(f"Hey person1, nice tower!\n{MISREAD}\n" * 3))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The speaker wants person1 to use the dishwasher for the plates.", None),
        ("The speaker wants person1 to use plastic gloves.", None),
        ("The speaker wants person1 to wash the plates in the sink.", "no object beyond the scene's"),
        ("The speaker wants person1 to fill the sink.", "no object beyond the scene's"),
        ("The speaker wants person2 to use the dishwasher.", "another opening"),
        ("Use the dishwasher.", "another opening"),
        ("The speaker wants person1 to", "another opening"),
        (CORRECT, "equal to another option"),
    ],
)
def test_nonexistent_entity(text: str, reason: str | None) -> None:
    if reason is None:
        assert checks.read_nonexistent(answer(text), "person1", ["plates", "sink"], CORRECT, [CORRECT]).value == text
        return
    with pytest.raises(Unusable) as refused:
        checks.read_nonexistent(answer(text), "person1", ["plates", "sink"], CORRECT, [CORRECT])
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The speaker wants person1 to photograph the tower.", None),
        ("The speaker wants person1 to go home.", "names nothing of the fake scene"),
        ("The speaker wants person1 to wash the dirty plates on the tower.", "means what is right"),
    ],
)
def test_fake_scene(text: str, reason: str | None) -> None:
    caption = "person1 stands in front of a leaning tower."
    if reason is None:
        assert checks.read_fake_scene(answer(text), "person1", SOLUTION, caption, [CORRECT]).value == text
        return
    with pytest.raises(Unusable) as refused:
        checks.read_fake_scene(answer(text), "person1", SOLUTION, caption, [CORRECT])
    assert refused.value.reason == reason
