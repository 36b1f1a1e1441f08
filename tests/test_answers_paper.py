"""The published extractions, faults included, and the names of parsers."""

import json
from pathlib import Path

import pytest

from punctum.answers import PARSERS, letter, parse_choice, parse_yes_no

OPTIONS = ("a quay at dusk", "a fair", "three boats", "rain")


@pytest.mark.parametrize(
    ("output", "direct", "circular"),
    [
        ("B", 1, 1),
        ("b", 1, None),
        ("(B)", 1, None),
        ("B.", 1, 1),
        ("B) a fair", 1, None),
        (" B, of course", 1, 1),
        ("B. a fair", 1, 1),
        ("A. a quay\nB. a fair", 0, 0),
        ("The answer is B.", None, None),
        ("**B**", None, None),
        ("\u200bB", None, None),
        ("E", None, None),
        ("", None, None),
    ],
)
def test_mvp(output: str, direct: int | None, circular: int | None) -> None:
    got = [parse_choice(output, OPTIONS, parser=name).value for name in ("mvp_direct", "mvp_circular")]
    assert got == [None if want is None else (want,) for want in (direct, circular)]


@pytest.mark.parametrize(
    ("output", "verdict", "want"),
    [
        ("Yes", None, "yes"),
        ("no.", None, "no"),
        ("Yes, he is", "No", "yes"),
        ("He smiles", "Yes", "yes"),
        ("He smiles", "No", "no"),
        ("He smiles", "Unknown", None),
        ("He smiles", None, None),
        ("**Yes**", None, None),
        ("\u200bYes", None, None),
    ],
)
def test_mvp_yes_no(output: str, verdict: str | None, want: str | None) -> None:
    assert parse_yes_no(output, "mvp_yes_no", verdict).value == want


@pytest.mark.parametrize(
    ("output", "want"),
    [
        ("B", 1),
        ("\x04 B \x04", 1),
        ("It shows THREE BOATS", 2),
        ("The weather: A storm", 0),  # the article counts
        ("b", None),  # a small letter does not
        ("D) because B", 3),
        ("BC", None),
        ("a fairy tale", 1),  # an option's text inside a word counts
        ("the train", 3),  # "rai", without the last character, too
        ("a quay at dus", 0),
        ("", None),
    ],
)
def test_deepeval(output: str, want: int | None) -> None:
    value = parse_choice(output, OPTIONS, parser="deepeval").value
    assert value == (None if want is None else (want,))


def test_deepeval_reads_no_letter_that_no_option_has() -> None:
    assert parse_choice("D", OPTIONS[:2], parser="deepeval").value is None


def test_unknown_parsers_are_named_with_the_known() -> None:
    with pytest.raises(ValueError, match=r"unknown parser 'paper'.*robust, mvp_direct, mvp_circular, deepeval"):
        parse_choice("B", OPTIONS, parser="paper")
    with pytest.raises(ValueError, match="'mvp_direct' does not read yes or no"):
        parse_yes_no("Yes", parser="mvp_direct")


def test_every_parser_is_described_and_serves() -> None:
    for name, description in PARSERS.items():
        assert description
        if name == "mvp_yes_no":
            assert parse_yes_no("Yes", parser=name).value == "yes"
        else:
            assert parse_choice("B", OPTIONS, parser=name).value == (1,)


@pytest.mark.parametrize(("index", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")])
def test_letter(index: int, name: str) -> None:
    assert letter(index) == name


def test_no_letter_below_zero() -> None:
    with pytest.raises(ValueError, match="not -1"):
        letter(-1)


@pytest.mark.shared
@pytest.mark.parametrize("model", ["llava_v1.5_7b", "mPLUG-Owl2", "MiniCPM-V-2", "MiniGPT-4-v1-7B"])
def test_what_the_authors_extracted(shared: Path, model: str) -> None:
    """Over all published direct outputs: the letter or word that the authors' own rule stored."""
    path = shared / f"data/mvp_bench/predictions/{model}_evaluated.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        theirs = row["extracted (rule)"].lower()
        if row["type"].startswith("y/n"):
            word = theirs if theirs in ("yes", "no") else None
            assert parse_yes_no(row["prediction"], "mvp_yes_no").value == word
        else:
            want = ("abcde".index(theirs),) if theirs in tuple("abcde") else None
            assert parse_choice(row["prediction"], ("v", "w", "x", "y", "z"), "mvp_direct").value == want
