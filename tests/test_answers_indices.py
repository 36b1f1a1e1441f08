"""Option numbers: outputs of many kinds, read by `robust`."""

import pytest

from punctum.answers import parse_indices

# Of 18 options, counted from 0, three are asked for.
CASES: dict[tuple[int, ...] | None, list[str]] = {
    (3,): [
        "3.",
        "(3)",
        "[3]",
        "**3**",
        "Answer: (3)",
        "Answer: 3.",
        "answer 3",
        "The answer is 3.",
        "The correct index is 3",
        "\\boxed{3}",
        "<answer>3</answer>",
        '{"answer": 3}',
        '{"index": "3"}',
        "Option 3",
        "option3",
        "Statement 3: I should",
        "3: I should buy this",
        "3) I should buy",
        "3 - I should buy",
        "3 because it is the best",
        "I choose 3",
        "I would choose option 3.",
        "My answer is option 3 because there are 5 people",
        "The best statement is 3: I should eat 5 apples.",
        "Index 3 is the best",
        "Answer: 3, 3, 3",
        "Answer: 3, 99",
        "Answer: 3",
        "I see 2 people. Option 3",
        "The best statement is 3.",
        "Statement 3 best describes the picture",
        "The index is 3 because 4 people",
        "3. I should buy this car because it is fast",
        "3 (confidence 9/10)",
        "Answer: 3 - I should drink 8-hour energy",
        "0. I should buy\n1. I should sell\n2. I should run\n3. I should eat\n\nAnswer: 3",
        "Answer: 3\n\nQuestion: Which is the best?\nAnswer: 8",
        "USER: Which of 0 to 17? ASSISTANT: Answer: 3",
        "Answer: 14. Actually, 3.",
        "Option 14 is wrong. Option 3 is right.",
        "The ad shows 2 men at 10:30. Answer: 3",
    ],
    (3, 8): [
        "3 and 8",
        "Answer: 3, 8",
        "Answer: -1, 3, 8",
        "Answer: 3, 8 because there are 4 people",
        "3 (0.95), 8 (0.8)",
    ],
    (3, 8, 14): [
        "3, 8 & 14",
        "3 , 8 , 14",
        "[3,8,14]",
        "(3, 8, 14)",
        "{3, 8, 14}",
        "3\n8\n14",
        "- 3\n- 8\n- 14",
        "* 3\n* 8\n* 14",
        "Answer: 3, 8, 14\n",
        "Answer: Options 3, 8, and 14.",
        "Answer: options 3, 8 and 14",
        "Answer: #3, #8, #14",
        "Answer: [3], [8], [14]",
        'Answer: "3, 8, 14"',
        "Answer: 3; 8; 14",
        "Answers: 3, 8, 14",
        "The 3 best statements are: 3, 8, 14",
        "The 3 best statements are 3, 8, 14.",
        "The three best options are 3, 8 and 14 because they match the 2 objects.",
        "The best 3 options are 3, 8, and 14",
        "My top 3 choices are 3, 8, 14.",
        "Based on the context, the 3 best are options 3, 8 and 14.",
        "The indices are 3, 8, 14",
        "I would choose 3, 8, and 14.",
        "I select options 3, 8, 14",
        "3, 8, 14 are the best statements.",
        "3, 8, and 14 best describe the image.",
        "Statements 3, 8, and 14",
        "Answer: 3 8 14",
        "Answer:3,8,14",
        "ANSWER: 3, 8, 14",
        "**Answer:** 3, 8, 14",
        "Answer: **3, 8, 14**",
        "Answer: $3, 8, 14$",
        "Answer: \\{3, 8, 14\\}",
        "Option 3: I should\nOption 8: I should\nOption 14: I should",
        "3: a\n8: b\n14: c",
        "(3) a\n(8) b\n(14) c",
        "1. 3\n2. 8\n3. 14",
        "1) 3\n2) 8\n3) 14",
        "1. Statement 3\n2. Statement 8\n3. Statement 14",
        "First: 3, second: 8, third: 14",
        "<think>2, 4, 5</think>Answer: 3, 8, 14",
        "Answer: 3, 8, 14, 14, 15",
        "Answer: 3, 8, 8, 14",
        "Answer: 3, 25, 8, 14",
        "Answer: 3, -2, 8, 14",
        "Answer：3，8，14",
        "Out of 18 statements, the best ones are 3, 8 and 14.",
        "After analysing all 18 options, I choose: 3, 8, 14",
        "The 2 objects are a car and a dog. Answer: 3, 8, 14",
        "Answer: 3, 8, 14. Explanation: There are 2 dogs.",
        "Answer: 3, 8, 14 (these 3 match)",
        "Answer: 3, 8, 14\n\nThese are the best since 5 is wrong.",
        "The indices of the 3 best statements are 3, 8, and 14.",
        "Answer: 3, 8, 14\nExplanation: option 3 shows a car; 8 is good.",
        "Answer: 3, 8 and 14. These are good.",
        '{"answer": [3, 8, 14], "reason": "2 people"}',
        "${3, 8, 14}",
        "Answer: ${3, 8, 14}",
        "\\boxed{3, 8, 14}",
        "Options 3, 8 and 14",
        "Option 3, Option 8, Option 14",
        "1. Option 3: a\n2. Option 8: b\n3. Option 14: c",
        "3. I should buy\n8. I should\n14. I should",
        "- 3: I should buy\n- 8: I should\n- 14: I should",
        "My top 3: 3, 8, 14",
        "Top 3 are 3, 8, 14",
        "The three best are 3 8 14",
        "3,8,14",
        "3;8;14",
        "3/8/14",
        "#3, #8, #14",
        "(3), (8), (14)",
        "(3) (8) (14)",
        "**3**, **8**, **14**",
        "Answer:\n3\n8\n14",
        "Answer: 3, 8, 14.",
        "Out of the 18 options, the best are 3, 8 and 14",
        "3, 8 and 14 are the best",
        "<think>1 2</think>3, 8, 14",
        "The indices of the best 3 options are: [3, 8, 14]",
        "Indices: 3, 8, 14",
        "index 3, index 8, index 14",
        "1) 3, 2) 8, 3) 14",
        "#1: 3, #2: 8, #3: 14",
        "Statements 3, 8, and 14 best interpret the image.",
        "3 (because it shows 2 men), 8, 14",
        "3 - 8 - 14",
        "Answer: 3\nAnswer: 8\nAnswer: 14",
        "Answer 1: 3\nAnswer 2: 8\nAnswer 3: 14",
        "The first answer is 3, the second is 8, the third is 14",
        "1st: 3, 2nd: 8, 3rd: 14",
        "Best: 3; second best: 8; third best: 14",
        "After reviewing the 18 options, 3, 8, and 14 stand out.",
        "3, 8, 14 rather than 7",
        "Answer: 3, 8, 14\n\nContext: a dog\nQuestion: Which?\nAnswer: 1, 2, 4",
    ],
    None: [
        "Answer: 18",
        "Answer: -1",
        "Answer: none",
        "Answer: A",
        "I don't know",
        "There are 3 people.",
        "The image shows 2 dogs and 4 cats",
        "14%",
        "2.5",
        "99999999999999999999999999",
        "three",
        "1. I should buy\n2. I should\n3. I should",
        "None",
        "Answer: 99",
        "",
        "3.5",
        "<think>1 2",
        "I think there are 3 people",
        "2 of 3",
        "I should drink 5-hour energy because it keeps me awake.",
        "7-Eleven",
        "At 10:30, he ate",
        "²",
        "½ cup",
        "4 through 6",
    ],
    (0, 1, 2): [
        "0, 1, 2",
    ],
    (0,): [
        "Answer: 0",
        "0",
    ],
    (14, 8, 3): [
        "Answer: 14, 8, 3",
    ],
    (5,): [
        "Answer: 5 (out of 18 options)",
        "not 3 but 5",
    ],
    (4,): [
        "Answer: not 3 but 4",
        "4, not 3",
    ],
    (17,): [
        "Answer: 17",
    ],
}


@pytest.mark.parametrize(("output", "want"), [(output, want) for want, outputs in CASES.items() for output in outputs])
def test_indices(output: str, want: tuple[int, ...] | None) -> None:
    assert parse_indices(output, 18, 3).value == want


@pytest.mark.parametrize(
    ("output", "want"), [("1, 18", (0, 17)), ("Answer: 0, 2", (1,)), ("Answer: 19", None), ("Answer: 0", None)]
)
def test_options_counted_from_one(output: str, want: tuple[int, ...] | None) -> None:
    assert parse_indices(output, 18, 3, first_index=1).value == want


def test_one_of_many_statements() -> None:
    assert parse_indices("Answer: 4, 5", 6, 1).value == (4,)


@pytest.mark.parametrize(
    "output", ["3 or 5", "Answer: 3 or 5", "Either 3 or option 5.", "between 3 and 5", "Neither 3 nor 5"]
)
def test_alternatives_choose_no_single_statement(output: str) -> None:
    assert parse_indices(output, 6, 1).value is None


def test_truncated() -> None:
    parsed = parse_indices("<think>3, 4", 6, 1)
    assert (parsed.value, parsed.truncated) == (None, True)


def test_k_must_be_positive() -> None:
    with pytest.raises(ValueError, match="1 or more, not 0"):
        parse_indices("3", 6, 0)


def test_unknown_parser() -> None:
    with pytest.raises(ValueError, match=r"unknown parser 'paper'.*robust"):
        parse_indices("3", 6, 1, parser="paper")
