"""From a model's words to a prediction: parse, compare with the gold."""

from __future__ import annotations

from typing import Any

from punctum import answers
from punctum.evaluators.base import Options, Task
from punctum.records import Prediction, Response, Sample


def parser_for(task: Task, sample: Sample, name: str) -> str:
    """The parser to read a sample's answer with: `paper` becomes the task's published extraction.

    Raises:
        ValueError: if the authors published none, or the name is not known.
    """
    if name != "paper":
        return name
    published = task.paper_parser(sample)
    if published is None:
        raise ValueError(f"the authors of {task.name} published no extraction; use the robust parser")
    return published


def judge(task: Task, sample: Sample, response: Response, options: Options, verdict: str | None = None) -> Prediction:
    """Read a response and compare it.

    Args:
        task: the task.
        sample: the question.
        response: what came back.
        options: for the parser, and for what likelihoods are divided by.
        verdict: a judge's word (Yes, No, Unknown) on an answer that cannot be read.
    """
    if response.error is not None:
        return Prediction(sample.unit, None, None, "", False, response.error)
    if response.scores is not None:
        return _most_likely(sample, response, options)
    words = task.final_words(response.text, options)
    parsed = read(sample, words, parser_for(task, sample, options.parser), verdict)
    rule = f"{parsed.rule} (truncated)" if parsed.truncated else parsed.rule
    value = parsed.value
    return Prediction(sample.unit, response.text, value, rule, value is not None and value == sample.gold)


def read(sample: Sample, output: str, parser: str, verdict: str | None = None) -> answers.Parsed[Any]:
    """Read one output in the form of the sample.

    Raises:
        ValueError: if the parser does not read this form.
    """
    if sample.form == "choice":
        return answers.parse_choice(output, sample.options, parser=parser)
    if sample.form == "yes_no":
        return answers.parse_yes_no(output, parser=parser, verdict=verdict)
    raise ValueError(f"no reader for answers of the form {sample.form!r}")


def _most_likely(sample: Sample, response: Response, options: Options) -> Prediction:
    assert response.scores is not None
    scores = list(response.scores)
    if options.continuation == "text_norm" and sample.form == "choice":
        scores = [s / max(len(o.encode()), 1) for s, o in zip(scores, sample.options, strict=True)]
    best = max(range(len(scores)), key=scores.__getitem__)
    if sample.form == "yes_no":
        word = ("yes", "no")[best]
        return Prediction(sample.unit, word, word, "likelihood", word == sample.gold, scores=response.scores)
    letter = answers.letter(best)
    correct = (best,) == sample.gold
    return Prediction(sample.unit, letter, (best,), "likelihood", correct, scores=response.scores)
