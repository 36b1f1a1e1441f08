"""The questions of a task with everybody's answers, for the browser of samples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from punctum.report.lines import Answer, Key, Question
from punctum.report.site.named import Named, slugged, title_of

#: A chunk ends after so many questions or characters, whichever comes first.
CHUNK_QUESTIONS, CHUNK_CHARACTERS = 200, 400_000
#: Forms whose answers are measured, not right or wrong.
MEASURED = ("objects", "text")
#: Columns that may say in the list what a question is about, the first that differs between questions.
_TELLING = ("question", "utterance", "statement", "template")
_SNIPPET = 90


@dataclass
class Item:
    """A question with its answers.

    Attributes:
        questions: how it was shown; more than one where runs showed their options in different orders, say.
        prompts: how it was asked.
        answers: run's slug to its answer.
    """

    key: Key
    category: str | None = None
    questions: list[dict[str, Any]] = field(default_factory=list)
    prompts: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)


class QuestionSet:
    """A task on some data with the runs that answered it.

    Attributes:
        slug: its name in addresses and files.
        runs: that answered it, in their order.
        pictures: name to the file of the small copy.
    """

    def __init__(self, task: str, data: str, slug: str) -> None:
        self.task, self.data, self.slug = task, data, slug
        self.runs: list[Named] = []
        self.pictures: dict[str, Path] = {}
        self._items: dict[Key, Item] = {}

    def add(self, entry: Named) -> None:
        """Add a run's questions and answers."""
        self.runs.append(entry)
        task = self.task.partition("/")[2]
        shown = {question.key: question for question in entry.run.questions(task)} if entry.run.has_questions else {}
        for answer in entry.run.answers(task):
            item = self._items.setdefault(answer.key, Item(answer.key))
            item.answers[entry.slug] = self._answer(item, entry, answer, shown.get(answer.key))

    def _answer(self, item: Item, entry: Named, answer: Answer, question: Question | None) -> dict[str, Any]:
        asked: dict[str, Any] = {"setting": answer.setting}
        found: dict[str, Any] = {"status": status(answer, question)}
        if question is not None:
            item.category = item.category or question.category
            found["q"] = _place(item.questions, self._question(entry, question))
            more = {"prompt": question.prompt, "system": question.system, "pictures": question.shows_pictures}
            asked |= {name: value for name, value in more.items() if value is not None}
            found |= {"stages": dict(question.stages), "reasoning": question.reasoning}
        found["p"] = _place(item.prompts, asked)
        found |= {
            "output": answer.output,
            "parsed": answer.parsed,
            "rule": answer.rule,
            "error": answer.error,
            "scores": answer.scores,
            "verdict": answer.verdict,
        }
        found["same"] = _identity(answer, question)
        return {name: value for name, value in found.items() if value not in (None, {}, "")}

    def _question(self, entry: Named, question: Question) -> dict[str, Any]:
        value = {
            "form": question.form,
            "options": question.options,
            "kinds": question.option_kinds,
            "gold": question.gold,
            "first_number": question.first_number,
            "wanted": question.wanted,
            "pictures": [self._picture(entry, name) for name in question.pictures],
            "fields": {k: v for k, v in question.fields.items() if v not in (None, "", []) and k != "category"},
        }
        return {name: entry for name, entry in value.items() if entry not in (None, (), {})}

    def _picture(self, entry: Named, name: str | None) -> str | None:
        """The name of a picture that is there; None where it is not."""
        if name is None:
            return None
        if name not in self.pictures:
            path = entry.run.picture(name)
            if not path.is_file():
                return None
            self.pictures[name] = path
        return name

    def summary(self) -> dict[str, Any]:
        """What the site's lists say of it."""
        benchmark, _, name = self.task.partition("/")
        return {
            "slug": self.slug,
            "task": self.task,
            "benchmark": benchmark,
            "title": title_of(benchmark),
            "name": name,
            "data": self.data,
            "n": len(self._items),
            "runs": [entry.slug for entry in self.runs],
            "pictures": len(self.pictures),
        }

    def index(self) -> dict[str, Any]:
        """What the list and its filters need of every question, in columns."""
        items = list(self._items.values())
        kinds = list(dict.fromkeys(kind for item in items for kind in _chosen_kinds(item)))
        categories = list(dict.fromkeys(item.category for item in items if item.category))
        slugs = [entry.slug for entry in self.runs]
        return {
            "ids": [item.key.id for item in items],
            "slots": [item.key.prompt_slot for item in items],
            "rotations": [item.key.rotation for item in items],
            "categories": categories,
            "category": [categories.index(item.category) if item.category else -1 for item in items],
            "snippets": _snippets(items),
            "status": {slug: "".join(item.answers.get(slug, _NONE)["status"] for item in items) for slug in slugs},
            "same": _codes(items, slugs),
            "kinds": kinds,
            "chosen": {slug: [_chosen(item, slug, kinds) for item in items] for slug in slugs},
        }

    def chunks(self) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Questions with their answers, some at a time: (number of the first, questions)."""
        start, size = 0, 0
        chunk: list[dict[str, Any]] = []
        for number, item in enumerate(self._items.values()):
            answers = {
                slug: {name: value for name, value in answer.items() if name != "same"}
                for slug, answer in item.answers.items()
            }
            chunk.append({"questions": item.questions, "prompts": item.prompts, "answers": answers})
            size += len(json.dumps(chunk[-1]))
            if len(chunk) >= CHUNK_QUESTIONS or size >= CHUNK_CHARACTERS:
                yield start, chunk
                start, size, chunk = number + 1, 0, []
        if chunk:
            yield start, chunk


_NONE = {"status": "-"}


def gather(known: Sequence[Named]) -> list[QuestionSet]:
    """The questions of all runs: a set a task and data, since samples use the ids of the data they are like."""
    sets: dict[tuple[str, str], QuestionSet] = {}
    for entry in known:
        if not entry.run.has_answers:
            continue
        for score in entry.run.tasks.values():
            key = (score.task, score.signature.get("data", ""))
            if key not in sets:
                slug = "-".join(slugged(part) for part in (*key, "") if part)
                again = sum(other.slug.startswith(slug) for other in sets.values())
                sets[key] = QuestionSet(*key, f"{slug}-{again + 1}" if again else slug)
            sets[key].add(entry)
    return list(sets.values())


def status(answer: Answer, question: Question | None) -> str:
    """One letter: correct, wrong, unparsed, failed, or read and measured by likeness."""
    if answer.error is not None:
        return "f"
    if answer.parsed is None or answer.rule == "judge: unreadable":
        return "u"
    if answer.correct:
        return "c"
    is_measured = question is not None and question.form in MEASURED and answer.verdict is None
    return "r" if is_measured else "w"


def _place(found: list[dict[str, Any]], value: dict[str, Any]) -> int:
    """The place of a value in a list that gets it if it is new."""
    if value not in found:
        found.append(value)
    return found.index(value)


def _identity(answer: Answer, question: Question | None) -> str:
    """What was answered, whatever the order of the options: answers that are the same have the same."""
    if answer.error is not None:
        return ""
    parsed = answer.parsed
    if parsed is None:
        return "unparsed"
    if isinstance(parsed, str):
        return f"word {parsed}"
    indices = [entry for entry in parsed if isinstance(entry, int)]
    if question is not None and question.options:
        return json.dumps(sorted(question.options[i] for i in indices if 0 <= i < len(question.options)))
    if answer.permutation is not None:
        return json.dumps(sorted(answer.permutation[i] for i in indices if 0 <= i < len(answer.permutation)))
    return json.dumps(sorted(str(entry) for entry in parsed))


def _codes(items: Sequence[Item], slugs: Sequence[str]) -> dict[str, list[int]]:
    """A number a run and question; equal numbers of a question are the same answer, 0 is none."""
    found: dict[str, list[int]] = {slug: [] for slug in slugs}
    for item in items:
        numbers: dict[str, int] = {"": 0}
        for slug in slugs:
            same = item.answers.get(slug, {}).get("same", "")
            found[slug].append(numbers.setdefault(same, len(numbers)))
    return found


def _kinds_of(item: Item, answer: dict[str, Any]) -> list[str]:
    if "q" not in answer or not isinstance(answer.get("parsed"), tuple):
        return []
    kinds = item.questions[answer["q"]].get("kinds", ())
    return [kinds[i] for i in answer["parsed"] if isinstance(i, int) and 0 <= i < len(kinds)]


def _chosen_kinds(item: Item) -> Iterator[str]:
    for answer in item.answers.values():
        yield from _kinds_of(item, answer)


def _chosen(item: Item, slug: str, kinds: Sequence[str]) -> list[int]:
    """The kinds of option that a run chose, as places in the list of kinds."""
    return sorted({kinds.index(kind) for kind in _kinds_of(item, item.answers.get(slug, {}))})


def _snippets(items: Sequence[Item]) -> list[str]:
    """A few words a question: of the first column that tells questions apart, the gold, or the first answer."""
    shown = [item.questions[0] if item.questions else {} for item in items]
    columns = [[str(question.get("fields", {}).get(name, "")) for question in shown] for name in _TELLING]
    columns.append([_gold_words(question) for question in shown])
    for column in columns:
        if len(set(column)) > 2 or (len(set(column)) > 1 and len(items) < 4):
            return [_cut(words) for words in column]
    return [_cut(str(next(iter(item.answers.values()), {}).get("output", ""))) for item in items]


def _gold_words(question: dict[str, Any]) -> str:
    gold = question.get("gold", "")
    if isinstance(gold, str):
        return gold
    options = question.get("options", ())
    known = dict(enumerate(options))
    return "; ".join(str(known.get(entry, "") if isinstance(entry, int) else entry) for entry in gold)


def _cut(words: str) -> str:
    words = " ".join(words[: 4 * _SNIPPET].split())
    return words if len(words) <= _SNIPPET else words[: _SNIPPET - 1] + "…"
