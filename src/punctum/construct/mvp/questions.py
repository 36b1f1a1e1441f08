"""The published form of questions: `all_questions.json` and `mcq_questions.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from punctum.construct.mvp.categories import ASPECTS, CATEGORIES, Category
from punctum.datasets_scripts.mcq import draw_order, letter

YES_NO, CHOICE = "Please answer yes or no.", "Answer with the option's letter of the most possible choice directly."
N_OPTIONS = 5


class Questions:
    """Collects rows; numbers run on over pairs.

    Attributes:
        direct: rows of `all_questions.json`.
        rotated: rows of `mcq_questions.json`: every multiple-choice question in all rotations.
    """

    def __init__(self, seed: int) -> None:
        self.direct: list[dict[str, Any]] = []
        self.rotated: list[dict[str, Any]] = []
        self._seed = seed
        self._n_choices = 0

    def add(
        self, pair: int, category: Category, subject: str, written: Mapping[str, Any], files: Mapping[str, str]
    ) -> None:
        """Add all questions about a pair.

        Args:
            pair: its id.
            category: of the edit.
            subject: for the cross-image question.
            written: what `read_questions` kept.
            files: `source`, `edited` and `cross` to the picture's path.
        """
        aspects = [category.high, *(aspect for aspect in ASPECTS if aspect != category.high)]
        stem = f"Which aspect of {_the(subject)} has been altered between the pair of images?"
        self._choice(pair, stem, aspects, files["cross"], "mcq-cross", "high")
        stem = "How have the pair of images been modified?"
        self._choice(pair, stem, self._edits(pair, category), files["cross"], "mcq-cross", "low")
        for level in ("low", "high"):
            for place, question in enumerate(written[level]):
                for side, kind in (("source", "y/n-s"), ("edited", "y/n-e")):
                    answer = "yes" if (place == 0) == (side == "source") else "no"
                    self._row(pair, files[side], f"{question}\n{YES_NO}", answer, kind, level)
        choice = written["choice"]
        self._choice(pair, choice["question"], choice["options"], files["edited"], "mcq-e", "high")

    def _edits(self, pair: int, category: Category) -> list[str]:
        """The right edit and four others of the taxonomy, drawn by (seed, pair). Two categories share one."""
        others = list(dict.fromkeys(c.low for c in CATEGORIES.values() if c.low != category.low))
        order = draw_order(len(others), self._seed, f"{pair}#edits")
        return [category.low, *(others[place] for place in order[: N_OPTIONS - 1])]

    def _choice(self, pair: int, stem: str, options: Sequence[str], image: str, kind: str, level: str) -> None:
        """A multiple-choice question, the right option first in `options`, and its rotations."""
        order = draw_order(len(options), self._seed, f"{pair}#{stem}")
        shown = [options[place] for place in order]
        gold = order.index(0)
        number = self._row(pair, image, _lettered(stem, shown), letter(gold), kind, level)
        for turn in range(len(shown)):
            turned = [*shown[turn:], *shown[:turn]]
            self.rotated.append(
                {
                    "question_id": f"{number}__{self._n_choices}__{turn}",
                    "id": pair,
                    "mcq_id": self._n_choices,
                    "image": image,
                    "index": f"{turn + 1}/{len(shown)}",
                    "question": _lettered(stem, turned),
                    "answer": letter((gold - turn) % len(shown)),
                    "type": "mcq-e",
                    "level": level,
                }
            )
        self._n_choices += 1

    def _row(self, pair: int, image: str, question: str, answer: str, kind: str, level: str) -> int:
        number = len(self.direct)
        self.direct.append(
            {
                "question_id": number,
                "id": pair,
                "image": image,
                "question": question,
                "answer": answer,
                "type": kind,
                "level": level,
            }
        )
        return number


def _lettered(stem: str, options: Sequence[str]) -> str:
    lines = [f"{letter(place)}. {option}" for place, option in enumerate(options)]
    return "\n".join([" ".join(stem.split()), *lines, CHOICE])


def _the(subject: str) -> str:
    """The subject with an article."""
    has_one = subject.lower().startswith(("the ", "a ", "an "))
    return f"the {subject.split(maxsplit=1)[1]}" if has_one else f"the {subject}"
