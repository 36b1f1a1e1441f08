"""Counting over rows in one pass; of a row no more is kept than a number for its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from punctum.datasets_scripts.option_rows import letter
from punctum.statistics.blind import STRATEGIES, leading_blank_tells, length_rank, success

#: Columns with few values, counted value by value.
VALUES = ("source", "category", "level", "side", "answer", "relation", "majority", "with_text", "theme", "image_type")
#: List columns that the papers count by a name of their own (VAGUE, Table B1).
LISTS = {"ram_entity": "objects", "person_bbox": "people", "references": "references", "annotations": "annotations"}
#: Texts that are no prose, or stand in another column too.
_NO_PROSE = frozenset(
    {
        "id",
        "group",
        "image",
        "pair",
        "question_id",
        "url",
        "annot_link",
        "published_prompt",
        "image_url",
        "image_designer",
    }
)
_VERBS = 20
_MAX_VALUES = 100


@dataclass
class Lengths:
    """Words (by blanks) and characters of texts."""

    texts: int = 0
    words: int = 0
    shortest: int | None = None
    longest: int | None = None

    def add(self, text: str) -> None:
        """Count a text."""
        self.texts += 1
        self.words += len(text.split())
        size = len(text)
        self.shortest = size if self.shortest is None else min(self.shortest, size)
        self.longest = size if self.longest is None else max(self.longest, size)

    def result(self) -> dict[str, Any]:
        """Totals, the mean, and the extremes in characters."""
        return {
            "texts": self.texts,
            "words": self.words,
            "words_mean": round(self.words / self.texts, 4) if self.texts else None,
            "characters_min": self.shortest,
            "characters_max": self.longest,
        }


@dataclass
class Choices:
    """Options of choice rows, and what tells the right ones without the picture."""

    rows: int = 0
    numbers: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    letters: Counter[str] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    ranks: Counter[int] = field(default_factory=Counter)
    right: Lengths = field(default_factory=Lengths)
    wrong: Lengths = field(default_factory=Lengths)
    shortest: int = 0
    longest: int = 0
    blanks: int = 0
    blank_tells: int = 0
    chance: float = 0.0
    strategies: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STRATEGIES, 0.0))

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row's options. Rows whose answers are held back count no further than that."""
        options: Sequence[str] = row["options"]
        answers: Sequence[int] = row.get("answers") or ()
        self.numbers[len(options)] += 1
        self.answers[len(answers)] += 1
        self.kinds.update(row.get("option_kinds") or ())
        self.blanks += any(text != text.strip() for text in options)
        if not answers:
            return
        self.rows += 1
        self.letters.update(letter(i) for i in answers)
        self.chance += len(answers) / len(options)
        self.blank_tells += leading_blank_tells(options, answers)
        for i, text in enumerate(options):
            (self.right if i in answers else self.wrong).add(text.strip())
        if len(answers) == 1:
            lengths = [len(text.strip()) for text in options]
            self.ranks[length_rank(options, answers[0])] += 1
            self.shortest += lengths[answers[0]] == min(lengths)
            self.longest += lengths[answers[0]] == max(lengths)
        for name, scores in STRATEGIES.items():
            self.strategies[name] += success(scores(options), answers)

    def result(self) -> dict[str, Any]:
        """Counts, and the accuracy of each strategy; `most frequent letter` knows the letters' counts."""
        n = self.rows or 1
        blind = {name: round(value / n, 6) for name, value in self.strategies.items()}
        blind["most frequent letter"] = round(max(self.letters.values(), default=0) / n, 6)
        return {
            "options_per_row": _by_key(self.numbers),
            "answers_per_row": _by_key(self.answers),
            "option_kinds": dict(sorted(self.kinds.items(), key=lambda item: (-item[1], item[0]))),
            "answer_letters": {name: self.letters[name] for name in sorted(self.letters, key=lambda n: (len(n), n))},
            "right_options": self.right.result(),
            "wrong_options": self.wrong.result(),
            "shorter_than_right": _by_key(self.ranks),
            "right_is_shortest": self.shortest,
            "right_is_longest": self.longest,
            "rows_with_stray_blanks": self.blanks,
            "rows_where_a_leading_blank_tells": self.blank_tells,
            "chance": round(self.chance / n, 6),
            "blind": blind,
        }


@dataclass
class Columns:
    """All counts over the rows of one config and split."""

    rows: int = 0
    with_picture: int = 0
    pictures: set[int] = field(default_factory=set)
    pairs: set[str] = field(default_factory=set)
    yes: dict[str, list[int]] = field(default_factory=dict)
    values: dict[str, Counter[str]] = field(default_factory=dict)
    lists: dict[str, Counter[int]] = field(default_factory=dict)
    texts: dict[str, Lengths] = field(default_factory=dict)
    labels: Counter[str] = field(default_factory=Counter)
    label_sets: Counter[int] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    choices: Choices = field(default_factory=Choices)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row as the builder gives it, before its picture is read."""
        self.rows += 1
        self._picture(row.get("image"))
        if row.get("pair") is not None:
            self.pairs.add(str(row["pair"]))
        if row.get("options"):
            self.choices.add(row)
        if row.get("answer") in ("yes", "no"):
            self._yes_no(row)
        if row.get("labels") is not None:
            self.labels.update(row["labels"])
            self.label_sets[len(row["labels"])] += 1
        for name, value in row.items():
            if name in VALUES:
                if value is not None:
                    self._value(name, _word(value))
            elif isinstance(value, str):
                if name not in _NO_PROSE:
                    self.texts.setdefault(name, Lengths()).add(value)
            elif name in LISTS and value is not None:
                self.lists.setdefault(LISTS[name], Counter())[len(value)] += 1
        solution = row.get("solution")
        if isinstance(solution, Mapping) and solution.get("action"):
            self.verbs[str(solution["action"]).strip().casefold()] += 1

    def _picture(self, picture: Any) -> None:
        if picture is None:
            return
        self.with_picture += 1
        what = picture.get("bytes") or picture.get("path") if isinstance(picture, Mapping) else picture
        self.pictures.add(hash(what))

    def _yes_no(self, row: Mapping[str, Any]) -> None:
        for part in ("all", ", ".join(str(row[name]) for name in ("level", "side") if row.get(name))):
            counts = self.yes.setdefault(part or "all", [0, 0])
            counts[0] += row["answer"] == "yes"
            counts[1] += 1

    def _value(self, name: str, value: str) -> None:
        counter = self.values.setdefault(name, Counter())
        if value in counter or len(counter) < _MAX_VALUES:
            counter[value] += 1

    def result(self) -> dict[str, Any]:
        """Everything that was counted, as JSON values; sections that the rows do not have are left out."""
        sections: dict[str, Any] = {
            "rows": self.rows,
            "rows_with_picture": self.with_picture,
            "pictures": len(self.pictures),
            **({"pairs": len(self.pairs)} if self.pairs else {}),
            "values": {name: _by_key(counter) for name, counter in self.values.items()},
            "texts": {name: lengths.result() for name, lengths in self.texts.items()},
            "lists": {name: _spread(counter) for name, counter in self.lists.items()},
        }
        if self.choices.numbers:
            sections["choice"] = self.choices.result()
        if self.yes:
            parts = {part: {"yes": yes, "rows": rows} for part, (yes, rows) in sorted(self.yes.items())}
            yes, rows = self.yes["all"]
            blind = {"always yes": round(yes / rows, 6), "always no": round(1 - yes / rows, 6)}
            sections["yes_no"] = {"parts": parts, "blind": blind}
        if self.label_sets:
            sections["labels"] = {"counts": _by_key(self.labels), "labels_per_row": _by_key(self.label_sets)}
        if self.verbs:
            sections["verbs"] = dict(sorted(self.verbs.items(), key=lambda item: (-item[1], item[0]))[:_VERBS])
        return sections


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _by_key(counter: Mapping[Any, int]) -> dict[str, int]:
    return {str(key): counter[key] for key in sorted(counter)}


def _spread(counter: Mapping[int, int]) -> dict[str, Any]:
    rows = sum(counter.values())
    return {
        "rows": rows,
        "total": sum(size * n for size, n in counter.items()),
        "mean": round(sum(size * n for size, n in counter.items()) / rows, 4),
        "min": min(counter),
        "max": max(counter),
    }
