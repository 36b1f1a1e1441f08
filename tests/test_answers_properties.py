"""What holds for every output and every question."""
# ruff: noqa: E501, SIM905

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from punctum.answers import letter, parse_choice, parse_indices, parse_labels, parse_list, parse_objects, parse_yes_no

WORDS = (
    "the answer is not A B c option a I yes no or and , . : ( ) ** ` $ \\boxed{ } <answer> </answer> <think> </think>"
    " [ ] \n 1 2 3 -1 are best correct wrong so therefore because neither TR1 OR none"
).split(" ")
outputs = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=25).map("".join),
)
option_lists = st.lists(
    st.one_of(st.text(max_size=30), st.sampled_from([*WORDS, "a red car", "Plan B", "{x}"])), max_size=40
)


@settings(max_examples=400, deadline=None)
@given(outputs, option_lists)
@example("\ue000\U000f0003 B", ["a", "b"])
@example("9" * 5000, ["a", "b"])
@example("\ud800", ["\ud800"])
def test_choices_never_raise_and_stay_in_range(output: str, options: list[str]) -> None:
    for parser in ("robust", "mvp_direct", "mvp_circular", "deepeval"):
        value = parse_choice(output, options, parser).value
        assert value is None or (len(value) == 1 and 0 <= value[0] < len(options))


@settings(max_examples=400, deadline=None)
@given(outputs, st.integers(0, 20), st.integers(1, 5), st.integers(0, 1))
@example("9" * 5000, 5, 3, 0)
@example("Answer: ²", 5, 3, 0)
def test_indices_are_unique_in_range_and_at_most_k(output: str, n_options: int, k: int, first: int) -> None:
    value = parse_indices(output, n_options, k, first).value
    if value is not None:
        assert 1 <= len(value) <= k
        assert len(set(value)) == len(value)
        assert all(0 <= index < n_options for index in value)


@settings(max_examples=300, deadline=None)
@given(outputs)
def test_the_other_parsers_never_raise(output: str) -> None:
    assert parse_yes_no(output).value in ("yes", "no", None)
    assert parse_yes_no(output, "mvp_yes_no", output).value in ("yes", "no", None)
    assert set(parse_labels(output, ["TR1", "OR", "NA"]).value or ()) <= {"TR1", "OR", "NA"}
    items = parse_list(output, 3).value
    assert items is None or (1 <= len(items) <= 3 and all(items))
    objects = parse_objects(output, "{p} is in {s}.").value
    assert objects is None or (len(objects) == 2 and all(objects))


WRAPPINGS = [
    "{}", "({})", "[{}]", "{{{}}}", "**{}**", "*{}*", "__{}__", "`{}`", "'{}'", '"{}"', "“{}”", "${}$", "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$", "\\text{{{}}}", "\\mathbf{{{}}}", "**({})**", "**{}.**", "<b>{}</b>", "<answer>{}</answer>",
    "option {}", "option ({})", "**Option {}**", "letter {}", ": {}", "\n\n{}", "\u200b{}\u200b",
]  # fmt: skip
ENDS = [
    "",
    ".",
    " .",
    "!",
    "\n",
    "**",
    ". The picture shows it.",
    "\n\nExplanation: it shows the sea.",
    "</s>",
    "<|im_end|>",
]
LEADS = [
    "The answer is", "the answer is", "The correct answer is", "So, the final answer is", "I looked long. The answer is",
    "<think>D? No.</think>The answer is", "A man is smiling, so the answer is",
]  # fmt: skip
FOUR = ("by the sea", "on a hill", "under water", "in the rain")


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(LEADS), st.sampled_from(WRAPPINGS), st.sampled_from(ENDS), st.integers(0, 3), st.booleans())
def test_the_answer_is_x_in_any_wrapping(lead: str, wrapping: str, end: str, index: int, lower: bool) -> None:
    name = letter(index).lower() if lower else letter(index)
    output = f"{lead} {wrapping.format(name)}{end}"
    assert parse_choice(output, FOUR).value == (index,), output


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(WRAPPINGS), st.integers(0, 3), st.booleans())
def test_a_wrapped_letter_alone(wrapping: str, index: int, lower: bool) -> None:
    name = letter(index).lower() if lower else letter(index)
    assert parse_choice(wrapping.format(name), FOUR).value == (index,)


@given(st.integers(1, 60), st.data())
def test_every_option_has_a_letter_that_is_read(n_options: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, n_options - 1))
    options = [f"thing number {i}" for i in range(n_options)]
    assert parse_choice(f"The answer is {letter(index)}.", options).value == (index,)
    assert parse_choice(letter(index), options).value == (index,)
    assert parse_choice(letter(n_options), options).value is None


@pytest.mark.parametrize("reply", ["yes", "no"])
@pytest.mark.parametrize("wrapping", [w for w in WRAPPINGS if "ption" not in w and "letter" not in w])
@pytest.mark.parametrize("end", ENDS)
def test_the_answer_is_yes_or_no_in_any_wrapping(reply: str, wrapping: str, end: str) -> None:
    for word in (reply, reply.title(), reply.upper()):
        output = f"The answer is {wrapping.format(word)}{end}"
        assert parse_yes_no(output).value == reply, output


RUNS = [
    *"aA([{<*_`$\\'\".,:;?!|/-#^1 \n", "\n\n", "< ", "A ", "A, ", "A or ", "A|", "A.\n", "a, ", "B: ", "the answer is ", "answer: ",
    "Answer: A\n", "not A ", "if A ", "best ", "I say ", "yes ", "no ", "yes and no ", "1, ", "1. ", "1-1.\n", "1) 2, 2) 3, ",
    "TR1, ", "TR1: no\n", "none of ", "object1: ", "<object1>a</object1>", "The surface of ", "- a\n", "by the sea ",
    "A. by the sea\n", "</think>", "\nQuestion: ", "better than ", "A is correct. ", "A? ", "x-", "\u200b", "\u00e9",
]  # fmt: skip


@pytest.mark.parametrize("unit", RUNS)
@pytest.mark.timeout(30)
def test_repetitions_take_no_time_that_explodes(unit: str) -> None:
    output = (unit * 20_000)[:20_000]  # the time limit is the test
    parse_choice(output, FOUR)
    parse_yes_no(output)
    parse_indices(output, 18, 3)
    parse_indices(output, 18, 1)
    parse_labels(output, ["TR1", "TR2", "OIO", "OR", "NA"])
    parse_list(output, 5)
    parse_objects(output, "The surface of {p} mimics the texture of {s}.")
