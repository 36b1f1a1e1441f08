"""What people are asked about an item, and what their answers decide: one entry a question of the papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

#: Whether an item is kept, given its ratings or words; None where that is not decided.
Rule = Callable[[Sequence[str]], bool | None]


@dataclass(frozen=True)
class Question:
    """One question to raters.

    Attributes:
        name: for the command line.
        title: for people.
        guideline: what raters read, a line a paragraph.
        shows: fields of an item that are shown, with their headings.
        choices: the words to choose from; none where a rating alone is asked for.
        meanings: what the ratings 1, 2, … mean; none where there is no scale.
        keeps: the rule on the words (where there are any) or on the ratings.
        rule: the rule in words.
        raters: how many ratings an item needs.
        source: where in which paper.
        optional: fields that an item may lack.
    """

    name: str
    title: str
    guideline: str
    shows: Mapping[str, str]
    keeps: Rule
    rule: str
    raters: int
    source: str
    choices: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def at_least(lowest: float) -> Rule:
    """Keep where the mean rating is at least so much."""

    def keeps(ratings: Sequence[str]) -> bool | None:
        return sum(map(float, ratings)) / len(ratings) >= lowest

    return keeps


def all_say(word: str) -> Rule:
    """Keep where everybody says so."""

    def keeps(words: Sequence[str]) -> bool | None:
        return all(said == word for said in words)

    return keeps


def not_all_say(word: str) -> Rule:
    """Drop only where everybody says so."""

    def keeps(words: Sequence[str]) -> bool | None:
        return not all(said == word for said in words)

    return keeps


def most_say(word: str) -> Rule:
    """Keep where more than half say so, drop where fewer do; a tie is not decided."""

    def keeps(words: Sequence[str]) -> bool | None:
        share = sum(said == word for said in words) / len(words)
        return None if share == 0.5 else share > 0.5

    return keeps


def anything(ratings: Sequence[str]) -> bool | None:
    """Keep everything: the question measures, and cuts nothing."""
    return True


_DIRECT = Question(
    name="direct",
    title="Direct expressions",
    guideline=(
        "Relevance: the expression must make sense together with the image.\n"
        "Solvability: it must be possible to derive a solution."
    ),
    shows={"direct": "Direct"},
    meanings=(
        "The image has an ethical problem, or its quality is too bad to recognise anything.",
        "The direct expression refers to something that is not in the image: not relevant.",
        "The direct expression refers to something in the image, but the request is unnatural.",
        "The request clearly expects an action, and the action can be done in the image.",
        "The request clearly expects an action, and the action fits the situation of the image perfectly.",
    ),
    keeps=at_least(4),
    rule="mean rating at least 4",
    raters=1,
    source="VAGUE, Figure J13, in English after the Korean text of the paper",
)
_INDIRECT = Question(
    name="indirect",
    title="Indirect expressions",
    guideline=(
        "Choose the best of the candidates, and rate it.\n"
        "Consistency: the indirect expression must be open to the same reading as the direct one.\n"
        "Ambiguity: it must not just paraphrase the direct one; neither the action nor the object of the solution may "
        "be named."
    ),
    shows={
        "direct": "Direct",
        "triplet": "Triplet (object prohibited)",
        "sarcasm": "1. Sarcasm",
        "humor": "2. Humor",
        "meme": "3. Meme",
    },
    choices=("sarcasm", "humor", "meme"),
    meanings=(
        "It is read as something else than the direct expression, or is very unnatural.",
        "It can be read like the direct expression, but object or action are rephrased or named.",
        "The object is not in the image and the action is not named, but sarcasm or visual clues let one infer them.",
        "It can be read like the direct one, means something else literally, and names neither object nor action.",
        "The same, completely different when read literally, and natural.",
    ),
    keeps=at_least(3),
    rule="mean rating of the chosen expression at least 3",
    raters=1,
    source="VAGUE, Figure J14, in English after the Korean text of the paper",
    optional=("triplet", "sarcasm", "humor", "meme"),
)
_NEGATIVES = Question(
    name="negatives",
    title="True negatives",
    guideline=(
        "Is the statement a correct one for this image (positive), or not (negative)?\n"
        "Judge each statement by itself; there may be several correct ones, or none."
    ),
    shows={"text": "Statement"},
    choices=("positive", "negative"),
    keeps=most_say("negative"),
    rule="most raters say negative",
    raters=5,
    source="persuasive atypical ads, supplementary, Hard Negative Validation (wording ours)",
)
_ACCEPT = Question(
    name="accept",
    title="Questions to accept",
    guideline=(
        "Accept the question only if image and answer are consistent and, if the image was edited, the edit is good.\n"
        "Where there are options: accept only if the given answer is right and no other option is."
    ),
    shows={"text": "Question", "answer": "Answer", "others": "Other options"},
    choices=("accept", "reject"),
    keeps=all_say("accept"),
    rule="everybody accepts",
    raters=2,
    source="MVP-Bench, verification of questions (wording ours)",
    optional=("answer", "others"),
)
_INSPECT = Question(
    name="inspect",
    title="Inspection of annotations",
    guideline="Drop the annotation if its quality is low: description, title or deep semantics do not fit the image.",
    shows={"description": "Description", "title": "Title", "deep_semantics": "Deep semantics"},
    choices=("keep", "drop"),
    keeps=not_all_say("drop"),
    rule="dropped only if everybody drops it",
    raters=2,
    source="DeepEval, Section 4.2.2, second phase (wording ours)",
)
_CONSISTENCY = Question(
    name="consistency",
    title="Consistency of annotations",
    guideline="How consistent are description, title and deep semantics with the image and with each other?",
    shows={"description": "Description", "title": "Title", "deep_semantics": "Deep semantics"},
    meanings=(
        "Completely inconsistent.",
        "Mostly inconsistent.",
        "Partly consistent.",
        "Mostly consistent.",
        "Completely consistent.",
    ),
    keeps=anything,
    rule="no cut",
    raters=3,
    source="DeepEval, Section 4.5 (1 and 5 as in the paper, the rest ours)",
)
_CONFUSION = Question(
    name="distractor",
    title="Distractors",
    guideline="Could this text also pass as the right one for the image? Then it is confusing and must go.",
    shows={"answer": "Right text", "text": "Distractor"},
    choices=("clear", "confusing"),
    keeps=all_say("clear"),
    rule="nobody finds it confusing",
    raters=1,
    source="DeepEval, Section 4.3, titles (wording ours)",
)
QUESTIONS: Mapping[str, Question] = {
    question.name: question
    for question in (_DIRECT, _INDIRECT, _NEGATIVES, _ACCEPT, _INSPECT, _CONSISTENCY, _CONFUSION)
}


def question_of(name: str) -> Question:
    """The question of that name.

    Raises:
        ValueError: that names the known ones.
    """
    from punctum.discovery import known

    return QUESTIONS[known(name, QUESTIONS, "question to raters")]
