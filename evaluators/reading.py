"""From a model's words to a prediction: parse, compare with the gold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from punctum import answers
from punctum.evaluators.base import Task
from punctum.evaluators.options import Options
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


def predict(task: Task, sample: Sample, response: Response, options: Options) -> Prediction:
    """Read a response and compare it.

    Args:
        task: the task.
        sample: the question.
        response: what came back.
        options: for the parser, and for what likelihoods are divided by.
    """
    if response.error is not None:
        return Prediction(sample.unit, None, None, "", False, response.error)
    if response.scores is not None:
        return _most_likely(sample, response, options)
    words = task.final_words(response.text, options)
    parsed = read(sample, words, parser_for(task, sample, options.parser))
    rule = f"{parsed.rule} (truncated)" if parsed.truncated else parsed.rule
    value = parsed.value
    return Prediction(sample.unit, response.text, value, rule, is_right(sample, value))


def read(sample: Sample, output: str, parser: str) -> answers.Parsed[Any]:
    """Read one output in the form of the sample.

    Raises:
        ValueError: if the parser does not read this form.
    """
    if sample.form == "choice" and sample.first_number is not None:
        return read_numbered(output, sample.options, sample.wanted, sample.first_number, parser)
    if sample.form == "choice":
        return answers.parse_choice(output, sample.options, parser=parser)
    if sample.form == "yes_no":
        return answers.parse_yes_no(output, parser=parser)
    if parser != "robust":
        raise ValueError(f"parser {parser!r} does not read {sample.form}; use robust")
    if sample.form == "labels":
        return answers.parse_labels(output, sample.fields["names"])
    if sample.form == "objects":
        return answers.parse_objects(output, str(sample.fields["template"]))
    return read_text(output, sample.options)


def read_text(output: str, words: Sequence[str] = ()) -> answers.Parsed[str]:
    """Read a free answer: all of its text, or the one word of a few that it names.

    Args:
        output: the model's words.
        words: those that can answer; none leaves every answer open.
    """
    if not words:
        return answers.parse_text(output)
    named = answers.parse_labels(output, words)
    if named.value is None or len(named.value) == 1:
        return answers.Parsed(named.value and named.value[0], named.rule, named.truncated)
    return answers.Parsed(None, "ambiguous")


def read_numbered(
    output: str, options: Sequence[str], wanted: int, first_number: int, parser: str = "robust"
) -> answers.Parsed[tuple[int, ...]]:
    """Read which of some numbered options are chosen: by number, else by their own words.

    Args:
        output: the model's words.
        options: as shown.
        wanted: how many are asked for; further ones are left out.
        first_number: the number of the first option.
        parser: `robust`; nobody published another.

    Returns:
        `value` are indices counted from 0, in the model's order.

    Raises:
        ValueError: for another parser.
    """
    output = _without_echo(output, options, wanted, first_number)
    said = _in_its_words(output, options, wanted)
    if said is not None and output.strip() in options:  # numbers inside an option's text choose nothing
        return said
    listed = _listed(output, options, first_number)
    if any(number != own for number, own in listed):
        counts = len(listed) > 1 and [number for number, _ in listed] == list(range(1, len(listed) + 1))
        if counts and len(listed) <= wanted:  # the numbers are the list's own
            return answers.Parsed(tuple(own - first_number for _, own in listed), "option text")
        return answers.Parsed(None, "other numbers")
    parsed = answers.parse_indices(
        _numbers_alone(output, options, first_number), len(options), wanted, first_number, parser
    )
    return said if parsed.value is None and parsed.rule == "nothing" and said is not None else parsed


def _without_echo(output: str, options: Sequence[str], wanted: int, first_number: int) -> str:
    """The output without a repetition of the question's options: from the first on, more than were asked for.

    The last line may be cut, where the model ran out of tokens.
    """
    lines = output.splitlines()
    for start in range(len(lines)):
        count = 0
        for line, (number, option) in zip(lines[start:], enumerate(options, first_number), strict=False):
            last = start + count == len(lines) - 1
            if not _repeats(line, number, option, last):
                break
            count += 1
        if count > wanted:
            return "\n".join(lines[:start] + lines[start + count :])
    return output


def _numbers_alone(output: str, options: Sequence[str], first_number: int) -> str:
    """The output with numbers alone where an option's text follows its number: texts hold "because" and numbers."""
    for number, option in enumerate(options, first_number):
        text = option.strip().rstrip(".")
        if text and text in output:
            output = re.sub(rf"(?<!\d){number}\s*[:.)]\s*{re.escape(text)}\.?", f"{number}, ", output)
    return output


def _listed(output: str, options: Sequence[str], first_number: int) -> list[tuple[int, int]]:
    """The options that stand a line each, word for word, behind a number: that number and the option's own."""
    texts: dict[str, list[int]] = {}
    for number, option in enumerate(options, first_number):
        texts.setdefault(_plain(option), []).append(number)
    lines = re.findall(r"^\W*(\d+)\s*[:.)]\s*(.+)$", output, re.MULTILINE)
    read = [(int(number), texts.get(_plain(text), [])) for number, text in lines]
    return [(number, number if number in own else own[0]) for number, own in read if own]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .*")


def _repeats(line: str, number: int, option: str, may_be_cut: bool) -> bool:
    match = re.match(rf"\s*{number}\s*[:.)]\s*(.*)", line)
    text = match[1].strip() if match else ""
    return text == option.strip() or (may_be_cut and text != "" and option.startswith(text))


def _in_its_words(output: str, options: Sequence[str], wanted: int) -> answers.Parsed[tuple[int, ...]] | None:
    """The options that are repeated word for word, in the order of the output; None where that is not certain.

    An output that repeats more options than were asked for repeats the question.
    """
    text = " ".join(output.split()).casefold()
    places = {i: text.find(" ".join(option.split()).casefold().rstrip(".")) for i, option in enumerate(options)}
    found = sorted((place, index) for index, place in places.items() if place >= 0)
    if not 0 < len(found) <= wanted or len({place for place, _ in found}) < len(found):
        return None
    if wanted == 1 and answers.parse_choice(output, tuple(options)).value != (found[0][1],):  # denied, say
        return None
    return answers.Parsed(tuple(index for _, index in found), "option text")


def is_right(sample: Sample, value: tuple[int, ...] | tuple[str, ...] | str | None) -> bool:
    """Whether an answer is right as a whole.

    Several options: as many right ones as there are, up to the number asked for. Labels: exactly the true set.
    Objects and texts: one of the references, word for word; the task's score is finer.
    """
    if value is None:
        return False
    if sample.form == "labels":
        return set(value) == set(sample.gold)
    if sample.form == "objects":
        filled = fill(str(sample.fields["template"]), value)
        return filled.casefold() in {str(reference).casefold() for reference in sample.gold}
    if sample.form == "text":
        return str(value).casefold() in {str(reference).casefold() for reference in sample.gold}
    if sample.wanted > 1:
        return len(set(value) & set(sample.gold)) == min(sample.wanted, len(sample.gold))
    return value == sample.gold


def fill(template: str, objects: Sequence[object]) -> str:
    """A statement with its two objects, `<object1>` and `<object2>`, filled in."""
    parts = re.split(r"(<object[12]>)", template)
    return "".join(str(objects[int(p[-2]) - 1]) if p.startswith("<object") else p for p in parts)


def _most_likely(sample: Sample, response: Response, options: Options) -> Prediction:
    """The best by likelihood, or by likeness where the model ranks; several in their order where several are asked."""
    assert response.scores is not None
    scores = list(response.scores)
    rule = "similarity" if options.scoring == "rank" else "likelihood"
    if rule == "likelihood" and options.continuation == "text_norm" and sample.form == "choice":
        scores = [s / max(len(o.encode()), 1) for s, o in zip(scores, sample.options, strict=True)]
    ranking = sorted(range(len(scores)), key=lambda i: -scores[i])
    best = ranking[0]
    if sample.form == "yes_no":
        word = ("yes", "no")[best]
        return Prediction(sample.unit, word, word, "likelihood", word == sample.gold, scores=response.scores)
    chosen = tuple(ranking[: sample.wanted])
    first = sample.first_number
    words = ", ".join(answers.letter(i) if first is None else str(first + i) for i in chosen)
    return Prediction(sample.unit, words, chosen, rule, is_right(sample, chosen), scores=response.scores)
