"""What all constructions share: asking until a text is usable, files that belong to one run, words cut to an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punctum import discovery
from punctum.cli import main
from punctum.construct.outputs import Outputs
from punctum.construct.vague import checks
from punctum.construct.wants import Kept, Manner, Unusable, Want
from punctum.construct.words import is_refusal, labelled, one_sentence, paragraph, stem, unquoted
from punctum.construct.workshop import Workshop
from punctum.evaluators.models.base import Batch
from punctum.records import Generation, ModelInfo, Picture, Request, Response
from punctum.store import ResponseStore

PROMPT = "construct/vague/correct"


class Script:
    """A model that answers by what it is asked and the attempt, and notes what it was asked."""

    writes = True
    scores = False
    ranks = False
    stored = True

    def __init__(self, answers: Mapping[str, Sequence[str | Response]], reads_pictures: bool = False) -> None:
        self.info = ModelInfo(id="script", backend="script")
        self.reads_pictures = reads_pictures
        self.asked: list[tuple[str, int, float]] = []
        self._answers = answers

    def fingerprint(self) -> Mapping[str, Any]:
        return {}

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        for index in reversed(range(len(requests))):  # a server's answers come in any order
            request = requests[index]
            self.asked.append((request.sample.unit.id, request.attempt, generation.temperature))
            answers = self._answers[request.sample.unit.id]
            given = answers[min(request.attempt, len(answers) - 1)]
            yield [(index, given if isinstance(given, Response) else Response(text=given, finish_reason="stop"))]


def want(item: str, **more: Any) -> Want:
    fields = {"direct": item, "action": "", "object": "", "p": "person1"}
    return Want(item, "text", PROMPT, fields, more.pop("read", _read), stand_in=f"[{item}]", **more)


def _read(response: Response) -> Kept:
    if response.text.startswith("bad"):
        raise Unusable("bad", response.text)
    return Kept(response.text)


def workshop(tmp_path: Path, model: Script, **manner: Any) -> Workshop:
    manner = {"tries": 3, "quiet": True, **manner}
    store = ResponseStore(tmp_path / "store.sqlite")
    made = Workshop("try", Manner(**manner), lambda name: model, "m", Outputs(tmp_path / "out", "try"), store=store)
    made.claim(["text.json"])
    return made


def test_what_is_refused_is_asked_again_and_then_given_up(tmp_path: Path) -> None:
    model = Script({"a": ["bad", "good"], "b": ["fine"], "c": ["bad 1", "bad 2", "bad 3", "never asked"]})
    shop = workshop(tmp_path, model)
    assert shop.ask([want("a"), want("b"), want("c")]) == ["good", "fine", None]
    assert sorted(model.asked) == [
        ("a", 0, 0.0),
        ("a", 1, 0.7),
        ("b", 0, 0.0),
        *(("c", n, 0.7 * (n > 0)) for n in range(3)),
    ]
    assert shop.faults == [
        {"item": "c", "step": "text", "fault": "bad", "detail": "bad 3", "tries": 3, "output": "bad 3"}
    ]
    assert [(r["item"], r["attempt"], r["kept"], r["fault"]) for r in shop.generated] == [
        ("a", 0, None, "bad: bad"),
        ("b", 0, "fine", None),
        ("c", 0, None, "bad: bad 1"),
        ("a", 1, "good", None),
        ("c", 1, None, "bad: bad 2"),
        ("c", 2, None, "bad: bad 3"),
    ]
    assert shop.finish() == 0
    again = workshop(tmp_path, Script({}))
    assert again.ask([want("a"), want("b"), want("c")]) == ["good", "fine", None]  # all out of the store


def test_answers_are_read_in_the_order_of_the_wants(tmp_path: Path) -> None:
    """Whatever order they come in: here the last one first."""
    taken: list[str] = []

    def first_of_its_kind(response: Response) -> Kept:
        if response.text in taken:
            raise Unusable("taken")
        taken.append(response.text)
        return Kept(response.text)

    model = Script({"a": ["x"], "b": ["x", "y"], "c": ["x", "y", "z"]})
    shop = workshop(tmp_path, model)
    assert shop.ask([want(name, read=first_of_its_kind) for name in "abc"]) == ["x", "y", "z"]


def test_what_all_tries_gave_together_may_be_kept(tmp_path: Path) -> None:
    shop = workshop(tmp_path, Script({"a": ["bad"], "b": ["bad"]}), tries=2)
    assert shop.ask([want("a", otherwise=lambda: Kept("half")), want("b")]) == ["half", None]
    assert (shop.counts["kept"], shop.counts["kept in part"], shop.counts["given up"]) == (1, 1, 1)
    assert [fault["item"] for fault in shop.faults] == ["a", "b"]


def test_a_failed_call_is_no_answer(tmp_path: Path) -> None:
    shop = workshop(tmp_path, Script({"a": [Response(error="down")], "b": ["bad", Response(error="down")]}))
    assert shop.ask([want("a"), want("b")]) == [None, None]
    assert [(fault["item"], fault["fault"], fault["detail"]) for fault in shop.faults] == [
        ("a", "the call failed", "down"),
        ("b", "the call failed", "down"),
    ]
    assert shop.counts["failed calls"] == 2 and shop.finish() == 1
    mended = workshop(tmp_path, Script({"a": ["fine"], "b": ["never", "good"]}))
    assert mended.ask([want("a"), want("b")]) == ["fine", "good"]


def test_length_and_temperature_are_the_users(tmp_path: Path) -> None:
    model = Script({"a": ["bad", "good"]})
    shop = workshop(tmp_path, model, generation=Generation(max_new_tokens=9, temperature=1.0), fixed_length=True)
    shop.ask([want("a")], max_new_tokens=200)
    assert {(r["max_new_tokens"], r["temperature"]) for r in shop.generated} == {(9, 1.0)}


def test_pictures_need_eyes(tmp_path: Path) -> None:
    shop = workshop(tmp_path, Script({}))
    with pytest.raises(ValueError, match="script reads no pictures, and text shows one"):
        shop.ask([want("a", pictures=(Picture(data=b"x"),))])


def test_nothing_to_ask_loads_no_model(tmp_path: Path) -> None:
    def load(name: str) -> Script:
        raise AssertionError("loaded")

    shop = Workshop("try", Manner(quiet=True), load, "m", Outputs(tmp_path, "try"))
    shop.claim([])
    assert shop.ask([]) == []
    assert shop.finish() == 1  # nothing was made


def test_files_of_two_kinds_do_not_mix(tmp_path: Path) -> None:
    first = Outputs(tmp_path, "one")
    first.claim(["a.json"], ["pictures"])
    first.text("a.json", "1")
    first.data("pictures/x.png", b"x")
    with pytest.raises(ValueError, match="none of the files"):
        first.text("b.json", "1")
    with pytest.raises(ValueError, match="none of the files"):
        first.data("pictures/../../x.png", b"x")
    first.finish({"seed": 0})
    with pytest.raises(ValueError, match="punctum construct one"):
        Outputs(tmp_path, "two").claim(["c.json"])
    again = Outputs(tmp_path, "one")
    again.claim(["a.json"], ["pictures"])
    again.data("pictures/y.png", b"y")
    again.finish({})
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["construct.json", "y.png"]
    assert json.loads((tmp_path / "construct.json").read_text())["files"] == ["pictures/y.png"]


def test_files_of_a_run_that_was_killed_while_it_wrote_are_its_own(tmp_path: Path) -> None:
    broken = Outputs(tmp_path, "one")
    broken.claim(["a.json", "b.json"], ["pictures"])
    broken.text("a.json", "old")
    broken.data("pictures/old.png", b"x")
    again = Outputs(tmp_path, "one")
    again.claim(["a.json", "b.json"], ["pictures"])
    again.text("b.json", "new")
    again.finish({})
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["b.json", "construct.json"]
    (tmp_path / "c.json").write_text("theirs")
    with pytest.raises(ValueError, match="is there already and was not made by"):
        Outputs(tmp_path, "one").claim(["b.json", "c.json"])


def test_a_folder_of_pictures_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    with pytest.raises(ValueError, match="pictures is there already"):
        Outputs(tmp_path, "one").claim([], ["pictures"])
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file"):
        Outputs(tmp_path / "file", "one").claim([])
    (tmp_path / "construct.json").write_text("[]")
    with pytest.raises(ValueError, match="is not what"):
        Outputs(tmp_path, "one").claim([])


def test_kinds_are_found_by_their_folders(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = discovery.constructions()
    assert {"hard-negatives", "vague"} <= set(kinds)
    for module in kinds.values():
        assert module.HELP and isinstance(module.ASKS, bool)
    with pytest.raises(SystemExit):
        main(["construct", "--help"])
    shown = capsys.readouterr().out
    assert all(kind in shown for kind in kinds)


STATEMENT = "I should buy this car because it is fast."


@pytest.mark.parametrize(
    "text",
    [
        STATEMENT,
        f'"{STATEMENT}"',
        f"“{STATEMENT}”",
        f"**{STATEMENT}**",
        f"- {STATEMENT}",
        f"1. {STATEMENT}",
        f"Hard Negative: {STATEMENT}",
        f"Generated Hard Negative: “{STATEMENT}”",
        f"**Generated Incorrect statement:** {STATEMENT}",
        f"Sure! Here's a hard negative statement:\n\n{STATEMENT}",
        f'Certainly, here is one that contradicts the action:\n\n"{STATEMENT}"\n\nLet me know if you need more!',
        f"Here is the hard negative: {STATEMENT}",
        f"Of course! {STATEMENT}",
        f"```\n{STATEMENT}\n```",
        f"<think>The action must change.</think>\n{STATEMENT}",
        f"{STATEMENT}\n\nExplanation: the action was altered.",
        f"{STATEMENT} (This statement contradicts the action.)",
        f"{STATEMENT} This hard negative keeps the reason.",
        f"{STATEMENT}\n\nIn this statement, the action was altered while the reason stays.",
    ],
)
def test_what_stands_around_a_statement_is_cut(text: str) -> None:
    found = one_sentence(Response(text=text))
    assert found.value == STATEMENT
    clean = {STATEMENT, f'"{STATEMENT}"', f"“{STATEMENT}”", f"**{STATEMENT}**", f"```\n{STATEMENT}\n```"}
    bare = {*clean, f"<think>The action must change.</think>\n{STATEMENT}"}
    assert found.notes == (() if text in bare else ("chatter cut",))


@pytest.mark.parametrize(
    "text",
    [
        "I should act because the action is great.",
        "I can't live without coffee because mornings are hard.",
        "I should say sure because this statement is true.",
        "I should buy the new version because it is better.",
        "The reason is good, but the statement was never made.",
    ],
)
def test_statements_that_look_like_chatter_stay_whole(text: str) -> None:
    assert one_sentence(Response(text=text)) == Kept(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty answer"),
        ("...", "empty answer"),
        ("<think>", "cut off"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("I cannot generate a statement that contradicts this.", "refusal"),
        ("As an AI language model, I do not write such things.", "refusal"),
        ("Here is a hard negative:", "nothing but chatter"),
        ("1. I should go.\n2. I should stay.", "several statements"),
        ("- I should go.\n- I should stay.", "several statements"),
    ],
)
def test_what_is_no_statement(text: str, reason: str) -> None:
    with pytest.raises(Unusable) as refused:
        one_sentence(Response(text=text))
    assert refused.value.reason == reason


def test_an_answer_cut_off_within_the_statement() -> None:
    with pytest.raises(Unusable, match="cut off: after 12 tokens"):
        one_sentence(Response(text="I should buy this", finish_reason="length", output_tokens=12))
    whole = Response(text=f"{STATEMENT}\n\nExplanation: this is", finish_reason="length")
    assert one_sentence(whole).value == STATEMENT
    with pytest.raises(Unusable, match="cut off"):
        paragraph(Response(text="A long description of", finish_reason="length"))


def test_paragraphs_and_parts() -> None:
    assert paragraph(Response(text="Here is the description:\n\nA room.\nA cat sits in it.")) == Kept(
        "A room. A cat sits in it.", ("chatter cut",)
    )
    text = "**Prompt (one sentence):** Hey!\nSolution: (a,\n b, c)\n3) Caption - : x: y"
    assert labelled(text, ("Prompt", "Solution", "Caption")) == {
        "Prompt": "Hey!", "Solution": "(a, b, c)", "Caption": "x: y"}  # fmt: skip
    assert unquoted("'\"it is\"'") == "it is"


def test_refusals() -> None:
    assert is_refusal("I’m sorry, I can’t assist.".replace("’", "'"))
    assert not is_refusal("I won't buy this because it is bad.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("plates", "plate"),
        ("boxes", "box"),
        ("moving", "move"),
        ("stopped", "stop"),
        ("washes", "wash"),
        ("glass", "glass"),
    ],
)
def test_stems(one: str, other: str) -> None:
    assert stem(one) == stem(other)


PIECES = [
    "Hey person1, ",
    "The speaker wants person1 to ",
    "Prompt: ",
    "Solution: (person1, wash, plates)",
    "1. ",
    "a ",
]
PIECES += [
    "\n",
    "\n- ",
    "```",
    "Sure! ",
    "Here is: ",
    "because ",
    '"',
    "**",
    "I'm sorry",
    "<think>",
    "</think>",
    "wash ",
]
PIECES += ["a ", "wash ", "plates", "(", "Caption: ", "..."]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=14).map("".join)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_whatever_a_model_writes_is_kept_or_refused(text: str) -> None:
    solution = {"person": "person1", "action": "wash", "object": "plates"}
    readers = [
        one_sentence,
        paragraph,
        partial(checks.read_direct, entities=["plates"], people=2),
        partial(checks.read_correct, person="person1", thing="plates"),
        checks.Indirect(solution, "The speaker wants person1 to wash plates.", {}).read,
        partial(checks.read_fake_scene, person="person1", solution=solution, caption="plates", others=[]),
        partial(checks.read_nonexistent, person="person1", entities=["plates"], correct="x", others=[]),
    ]
    for read in readers:
        try:
            found = read(Response(text=text))
        except Unusable:
            continue
        assert json.loads(json.dumps(found.value)) == found.value
