"""DeepEval's questions: from annotated pictures to files that the builder reads and a run scores."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import punctum
from punctum.cli import main
from punctum.construct.deepeval.revised import fault_of, paragraphs, read_three
from punctum.construct.deepeval.similar import kept_vectors, most_similar, unit
from punctum.construct.wants import Unusable
from punctum.construct.words import plain
from punctum.records import Response
from tests.construct_server import draw
from tests.fake_server import REFUSAL, Asked, FakeServer, Reply
from tests.killed import files, kill_once

SAMPLE = Path(punctum.sample("deepeval"))
FILES = {"description": "Descripion", "title": "Title", "deep_semantics": "DeepSemantics"}
Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNCTUM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The sample without its questions: annotations and pictures."""
    folder = tmp_path / "bare"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("*_Questions.json"))
    return folder


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    from tests.tiny_encoders import save_clip

    return save_clip(tmp_path_factory.mktemp("clip"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def construct(server: FakeServer, tmp_path: Path, *words: str) -> int:
    model = ["--model", f"openai:m@{server.url}", "--store", str(tmp_path / "store.sqlite"), "--quiet"]
    return main(["construct", "deepeval", *words, *model, "--model-arg", "retries=0"])


def revision(text: str, number: int) -> str:
    """The text with every third word replaced."""
    return " ".join(f"thing{number}" if place % 3 == 2 else word for place, word in enumerate(text.split()))


def llm(asked: Asked) -> str:
    """Plays the language model: good, numbered, chatty, short of one, refusing; and sorts out by turns."""
    turn = draw(asked, 5)
    if "multiple-choice question asks" in asked.prompt:
        return ["none", "1, 3", "None of them.", "Numbers: 2", REFUSAL][turn]
    text = asked.prompt.rpartition("\nInput: ")[2].removesuffix("Output:").strip()
    three = [revision(text, number) for number in (1, 2, 3)]
    return [
        "\n".join(f"{n}. {t}" for n, t in enumerate(three, 1)),
        "Sure! Here are three paragraphs:\n\n" + "\n\n".join(three),
        "\n".join(f"- {t}" for t in three[:2]),
        REFUSAL,
        " ".join(f"{n}. {t}" for n, t in enumerate(three, 1)) + "\nInput: Another text.\nOutput: 1. x",
    ][turn]


def checked(folder: Path, everything: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The question files; gold is the annotation, no option comes twice."""
    gold = {line["Image_ID"]: line for line in everything}
    fields = {"description": "Description", "title": "Title", "deep_semantics": "Deep_Semantics"}
    found = {}
    for task, name in FILES.items():
        path = folder / f"{name}_Questions.json"
        if not path.is_file():
            continue
        found[task] = lines(path)
        for row in found[task]:
            assert list(row["Options"]) == ["A", "B", "C", "D"]
            assert row["Options"][row["Answer"]] == gold[row["Image_ID"]][fields[task]].strip()
            assert len({plain(text) for text in row["Options"].values()}) == 4
            assert all(row[f"Prompt_{slot}"].count("{}") == 4 for slot in (1, 2, 3))
    return found


def test_from_annotations_to_a_scored_run(bare: Path, clip: Path, tmp_path: Path) -> None:
    """Into the data folder itself; what the builder reads is what was written, and a run asks about it."""
    everything = lines(bare / "Annotation.json")
    with FakeServer(llm) as server:
        words = ["--data-dir", str(bare), "--out", str(bare), "--embed-with", f"clip:{clip}"]
        assert construct(server, tmp_path, *words) == 0
    found = checked(bare, everything)
    faults = lines(bare / "faults.jsonl")
    for task, rows in found.items():
        left_out = {fault["item"] for fault in faults if fault["step"] == task}
        assert {row["Image_ID"] for row in rows} | left_out == {line["Image_ID"] for line in everything}
        assert len(rows) >= len(everything) // 2
        assert len({row["Answer"] for row in rows}) == 4
    candidates = lines(bare / "candidates.jsonl")
    out = {(c["group"], c["kind"], c["text"]) for c in candidates if c["left_out"]}
    assert out and all(c["kind"] == "deep_semantics" for c in candidates if c["left_out"])
    for row in found["deep_semantics"]:
        assert not [t for t in row["Options"].values() if (row["Image_ID"], "deep_semantics", t) in out]
    summary = json.loads((bare / "construct.json").read_text(encoding="utf-8"))
    assert summary["questions"] == {task: len(rows) for task, rows in found.items()}
    run = ["run", "deepeval", "--data-dir", str(bare), "--model", "baseline:longest", "--quiet", "--resamples", "0"]
    assert main([*run, "--out", str(tmp_path / "run")]) == 0
    tasks = json.loads((tmp_path / "run" / "results.json").read_text())["tasks"]
    assert {name: task["n"] for name, task in tasks.items()} == {t: 3 * len(rows) for t, rows in found.items()}


def test_the_most_similar_texts_are_taken(bare: Path, clip: Path, tmp_path: Path) -> None:
    """Against all cosines computed plainly from the model."""
    from punctum.evaluators.models.base import ModelOptions
    from punctum.evaluators.models.clip import load
    from punctum.records import Picture

    with FakeServer(llm) as server:
        words = ["--data-dir", str(bare), "--out", str(tmp_path / "out"), "--tasks", "title", "--candidates", "4"]
        assert construct(server, tmp_path, *words, "--embed-with", f"clip:{clip}") == 0
        assert server.asked == []  # titles are not filtered by the model unless asked for
    everything = lines(bare / "Annotation.json")
    encoder = load(str(clip), ModelOptions())
    titles = [line["Title"].strip() for line in everything]
    vectors = encoder.embed_texts(titles)
    pictures = {path.stem: path for path in (bare / "Images").iterdir()}
    made = lines(tmp_path / "out" / "candidates.jsonl")
    for line in everything:
        [query] = encoder.embed_pictures([Picture(path=str(pictures[line["Image_ID"]]))])
        cosines = vectors @ query
        others = [i for i in range(len(titles)) if plain(titles[i]) != plain(line["Title"])]
        best = sorted(others, key=lambda i: (-cosines[i], i))[:4]
        mine = [c for c in made if c["group"] == line["Image_ID"]]
        assert [round(float(cosines[titles.index(c["text"])]), 3) for c in mine] == [
            round(float(cosines[i]), 3) for i in best
        ]
    checked(tmp_path / "out", everything)
    assert (tmp_path / "out" / "Images").is_dir()  # the folder stands alone


def test_people_sort_out_titles(bare: Path, clip: Path, tmp_path: Path) -> None:
    """candidates.jsonl goes to raters as it is; what they find confusing is replaced by the next."""
    out = tmp_path / "out"
    words = ["--data-dir", str(bare), "--out", str(out), "--tasks", "title", "--embed-with", f"clip:{clip}"]
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, *words) == 0
        first = checked(out, lines(bare / "Annotation.json"))["title"]
        rate = tmp_path / "rate"
        export = ["construct", "ratings", "export", "distractor", str(out / "candidates.jsonl"), "--quiet"]
        assert main([*export, "--out", str(rate)]) == 0
        victim = next(c for c in lines(out / "candidates.jsonl") if c["group"] == first[0]["Image_ID"])
        said = tmp_path / "said.jsonl"
        answers = [
            {"id": c["id"], "task": "distractor", "prompt_slot": 1, "model": "Ann",
             "output": "confusing" if c["id"] == victim["id"] else "clear"}
            for c in lines(out / "candidates.jsonl")
        ]  # fmt: skip
        said.write_text("".join(json.dumps(a) + "\n" for a in answers), encoding="utf-8")
        back = ["construct", "ratings", "import", "distractor", str(said), "--items", str(rate / "items.jsonl")]
        assert main([*back, "--out", str(tmp_path / "rated"), "--quiet"]) == 0
        assert construct(server, tmp_path, *words, "--rated", str(tmp_path / "rated" / "ratings.jsonl")) == 0
    second = checked(out, lines(bare / "Annotation.json"))["title"]
    assert victim["text"] in first[0]["Options"].values()
    assert victim["text"] not in second[0]["Options"].values()
    assert [a for a, b in zip(first, second, strict=True) if a["Options"] != b["Options"]] == [first[0]]


@pytest.mark.shared
@pytest.mark.weights
def test_real_annotations_with_a_real_model(shared: Path, mpnet: Path, tmp_path: Path) -> None:
    """Real titles by sentence embeddings: never the right one, never one twice; embedded once."""
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    published = (shared / "data" / "deepeval" / "Annotation.json").read_bytes().splitlines(keepends=True)
    (data / "Annotation.json").write_bytes(b"".join(published[:120]))
    words = ["--data-dir", str(data), "--out", str(out), "--tasks", "title", "--embed-with", str(mpnet)]
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, *words) == 0
        before = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "cache" / "embeddings").iterdir()}
        assert construct(server, tmp_path, *words, "--seed", "1") == 0
    assert before == {p.name: p.stat().st_mtime_ns for p in (tmp_path / "cache" / "embeddings").iterdir()}
    rows = checked(out, lines(data / "Annotation.json"))["title"]
    faults = lines(out / "faults.jsonl")
    assert len(rows) + sum(fault["step"] == "title" for fault in faults) == 120 and len(rows) > 115


@pytest.mark.shared
def test_real_pools_with_a_clip_from_a_config(shared: Path, clip: Path, tmp_path: Path) -> None:
    """Deep semantics of the real 1,001 annotations, as far as pictures are there: two drawn ones."""
    data, out = tmp_path / "data", tmp_path / "out"
    (data / "Images").mkdir(parents=True)
    shutil.copyfile(shared / "data" / "deepeval" / "Annotation.json", data / "Annotation.json")
    for number, path in enumerate(sorted((SAMPLE / "Images").iterdir())[:2], 1):
        shutil.copyfile(path, data / "Images" / f"Img{number}{path.suffix}")
    words = ["--data-dir", str(data), "--out", str(out), "--tasks", "deep_semantics", "--filter", "none"]
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, *words, "--embed-with", f"clip:{clip}") == 0
    rows = checked(out, lines(data / "Annotation.json"))["deep_semantics"]
    assert [row["Image_ID"] for row in rows] == ["Img1", "Img2"]
    without = [fault for fault in lines(out / "faults.jsonl") if fault["fault"] == "no picture"]
    assert len(without) == 999


def test_killed_and_started_again(bare: Path, clip: Path, tmp_path: Path) -> None:
    """SIGKILL in the middle: the same files as an unbroken run, and no call that was answered is repeated."""
    words = ["--data-dir", str(bare), "--embed-with", f"clip:{clip}"]
    with FakeServer(llm) as server:
        assert construct(server, tmp_path, *words, "--out", str(tmp_path / "whole")) == 0
        unbroken = len(server.asked)
    with FakeServer(lambda asked: Reply(llm(asked), wait=0.1)) as server:
        store = ["--store", str(tmp_path / "other.sqlite"), "--model", f"openai:m@{server.url}", "--quiet"]
        more = ["--out", str(tmp_path / "broken"), *store, "--concurrency", "1", "--model-arg", "retries=0"]
        command = [sys.executable, "-m", "punctum.cli", "construct", "deepeval", *words, *more]
        kill_once(lambda: len(server.asked) >= 6, command)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert unbroken <= len(server.asked) <= unbroken + 1  # the call under way may be asked again
    assert files(tmp_path / "whole") == files(tmp_path / "broken")


def test_a_dry_run_asks_and_writes_nothing(bare: Path, tmp_path: Path, capsys: Capsys) -> None:
    with FakeServer(llm) as server:
        words = ["--data-dir", str(bare), "--embed-with", "clip:nowhere", "--dry-run"]
        assert construct(server, tmp_path, *words) == 0
        assert server.asked == []
    said = capsys.readouterr().out
    assert "[a text]" in said and "Give me three different paragraphs" in said
    assert not list(bare.glob("*_Questions.json"))


@pytest.mark.parametrize(("words", "message"), [
    (["--tasks", "titel"], "Did you mean title?"),
    (["--tasks", ","], "names no task"),
    (["--filter", "humour"], "--filter: task 'humour'"),
    ([], "--embed-with says who finds similar texts"),
])  # fmt: skip
def test_wrong_words_are_named(bare: Path, tmp_path: Path, capsys: Capsys, words: list[str], message: str) -> None:
    with FakeServer(llm) as server:
        out = ["--data-dir", str(bare), "--out", str(tmp_path / "out")]
        assert construct(server, tmp_path, *out, *words) == 2
    assert message in capsys.readouterr().err


def test_too_few_texts_empty_and_double_annotations_are_listed(clip: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "Images").mkdir(parents=True)
    picture = next((SAMPLE / "Images").iterdir())
    rows = [
        {
            "Image_ID": f"I{n}",
            "Url": "",
            "Description": "A man on a bridge.",
            "Title": t,
            "Deep_Semantics": "s",
        }
        for n, t in ((1, "One"), (2, "Two"), (3, "three"), (4, "THREE!"), (5, ""), (1, "again"))
    ]
    (data / "Annotation.json").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for n in (1, 2, 3, 4):
        shutil.copyfile(picture, data / "Images" / f"I{n}{picture.suffix}")
    (data / "Images" / f"I4{picture.suffix}").write_bytes(b"nonsense")
    with FakeServer(llm) as server:
        words = ["--data-dir", str(data), "--out", str(tmp_path / "out"), "--tasks", "title"]
        assert construct(server, tmp_path, *words, "--embed-with", f"clip:{clip}") == 1  # nothing could be made
    faults = [(fault["item"], fault["fault"].split(":")[0]) for fault in lines(tmp_path / "out" / "faults.jsonl")]
    assert faults == [
        ("I5", "no annotation"), ("I1", "the id was there before"), ("I4", "the picture cannot be read"),
        ("I1", "fewer texts than distractors wanted"), ("I2", "fewer texts than distractors wanted"),
        ("I3", "fewer texts than distractors wanted"),
    ]  # fmt: skip


GOLD = "In the picture a small boy sits on a wall and reads a book about the sea."


@pytest.mark.parametrize(("text", "count"), [
    ("1. one thing\n2. two things\n3. three things", 3),
    ("1) one 2) two 3) three", 3),
    ("Output: one thing\n\ntwo things\n\nthree things\n", 3),
    ("- one\n- two", 2),
    ("one\nInput: other\nOutput: more", 1),
    ("1. In 1999 there were 2. two 3. three", 3),
    ("", 0),
])  # fmt: skip
def test_paragraphs(text: str, count: int) -> None:
    assert len(paragraphs(text)) == count


@pytest.mark.parametrize(("text", "fault"), [
    (GOLD.upper(), "equal to the right text"),
    (GOLD.replace("boy", "dog"), None),
    (GOLD.replace("boy", "cat"), "equal to another"),
    ("A boy.", "much shorter or longer"),
    (" ".join(["word"] * 16), "another text altogether"),
])  # fmt: skip
def test_revisions_are_checked(text: str, fault: str | None) -> None:
    assert fault_of(GOLD, text, [GOLD.replace("boy", "cat")]) == fault


def test_revisions_add_up_over_tries() -> None:
    found: list[str] = []
    with pytest.raises(Unusable, match="2: equal to the right text"):
        read_three(GOLD, found, Response(f"1. {revision(GOLD, 1)}\n2. {GOLD}\n3. {revision(GOLD, 2)}"))
    assert read_three(GOLD, found, Response(f"{revision(GOLD, 1)}\n{revision(GOLD, 3)}")).value == [
        revision(GOLD, n) for n in (1, 2, 3)
    ]
    with pytest.raises(Unusable, match="1: no more"):
        cut = f"1. {revision(GOLD, 1)}\n2. {revision(GOLD, 2)[:40]}"
        read_three(GOLD, [], Response(cut, finish_reason="length"))


def test_the_search_is_exact_and_bounded(tmp_path: Path) -> None:
    """Against a full sort, over several blocks, with ties and forbidden rows; 100,000 texts in little memory."""
    import tracemalloc

    rng = np.random.default_rng(0)
    pool, queries = unit(rng.normal(size=(20_000, 8))), unit(rng.normal(size=(300, 8)))
    pool[12_346] = pool[17]
    queries[3] = pool[17]
    found = list(most_similar(queries, pool, 5, lambda query, place: (query + place) % 3 > 0))
    for query in (0, 3, 255, 256, 299):
        cosines = queries[query] @ pool.T
        right = sorted((i for i in range(len(pool)) if (query + i) % 3), key=lambda i: (-cosines[i], i))[:5]
        assert np.allclose([cosines[i] for i, _ in found[query]], [cosines[i] for i in right], atol=1e-6)
    assert {found[3][0][0], found[3][1][0]} == {17, 12_346}

    def encode(places: Any) -> Any:
        return unit(np.random.default_rng(places[0]).normal(size=(len(places), 32)))

    names = [str(number) for number in range(100_000)]
    vectors = kept_vectors(tmp_path, "k", names, encode)
    tracemalloc.start()
    best = list(most_similar(vectors[:20], vectors, 3, lambda query, place: query != place))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(best) == 20 and peak < 8 * 2**20, peak  # all similarities at once would be 8 MB more than the pool


def test_vectors_go_on_where_they_stopped(tmp_path: Path) -> None:
    names = [str(number) for number in range(600)]
    rows = unit(np.random.default_rng(1).normal(size=(600, 4)))
    asked: list[int] = []

    def encode(places: Any, breaks: bool) -> Any:
        asked.extend(places)
        if breaks and places[-1] > 300:
            raise KeyboardInterrupt
        return rows[list(places)]

    with pytest.raises(KeyboardInterrupt):
        kept_vectors(tmp_path, "k", names, lambda places: encode(places, True))
    asked.clear()
    found = kept_vectors(tmp_path, "k", names, lambda places: encode(places, False))
    assert asked == list(range(256, 600)) and np.array_equal(found, rows)
    assert kept_vectors(tmp_path, "k", names, lambda places: 1 / 0).shape == (600, 4)
    assert len(kept_vectors(tmp_path, "k", [], lambda places: 1 / 0)) == 0
