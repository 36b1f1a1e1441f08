"""The forms in which hard negatives are written: those that the builders read, and one for everybody else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from punctum.construct.hard_negatives.kinds import ADS, SETS, WHOOPS
from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.mcq import shuffle_row
from punctum.datasets_scripts.pitt_ads.action_reasons import SPLITS

if TYPE_CHECKING:
    from punctum.construct.hard_negatives.making import Made

NEGATIVES, CHOICES = "hard_negatives.json", "choices.jsonl"


class Form(ABC):
    """A form of files.

    Attributes:
        known: the kinds that it can hold.
    """

    known: ClassVar[tuple[str, ...]]

    def check_kinds(self, kinds: Sequence[str]) -> None:
        """Refuse kinds that the form cannot hold.

        Raises:
            ValueError: that names the known ones.
        """
        for kind in kinds:
            if kind not in self.known:
                raise ValueError(f"these files hold no negatives of the kind {kind}; known: {', '.join(self.known)}")

    @abstractmethod
    def names(self, kinds: Sequence[str]) -> list[str]:
        """The files that may be written."""

    @abstractmethod
    def write(self, made: Sequence[Made], kinds: Sequence[str], workshop: Workshop) -> None:
        """Write them."""


class Ads(Form):
    """A file a kind and split, image to [true statements, all options]: the pitt_ads builder reads the kind from
    the file's name."""

    known = ADS

    def names(self, kinds: Sequence[str]) -> list[str]:
        """The files of both splits."""
        return [_ads_file(kind, split) for split in SPLITS for kind in kinds]

    def write(self, made: Sequence[Made], kinds: Sequence[str], workshop: Workshop) -> None:
        """Images without a negative of a kind are left out of its file: the form has no place for them."""
        for split in SPLITS:
            for kind in kinds:
                content = {}
                for one in made:
                    wrong = [text for _, of, text in one.negatives if of == kind]
                    if one.item.split == split and wrong:
                        true = [*one.item.statements]
                        content[one.item.id] = [true, [*true, *wrong]]
                if content:
                    workshop.outputs.json(_ads_file(kind, split), content)


def _ads_file(kind: str, split: str) -> str:
    return f"{kind.split('_')[0]}_hard_QA_Combined_Action_Reason_{split}.json"


class Whoops(Form):
    """One file, image to kind to text."""

    known = WHOOPS

    def names(self, kinds: Sequence[str]) -> list[str]:
        """The file."""
        return [NEGATIVES]

    def write(self, made: Sequence[Made], kinds: Sequence[str], workshop: Workshop) -> None:
        """Images of which nothing came are left out: the builder leaves out what it does not find."""
        content = {one.item.id: {kind: text for _, kind, text in one.negatives} for one in made if one.negatives}
        workshop.outputs.json(NEGATIVES, content)


class Plain(Form):
    """The same with a list a kind, and a row an item with its options in an order drawn by (seed, id)."""

    known = tuple(kind for kinds in SETS.values() for kind in kinds)

    def names(self, kinds: Sequence[str]) -> list[str]:
        """Both files."""
        return [NEGATIVES, CHOICES]

    def write(self, made: Sequence[Made], kinds: Sequence[str], workshop: Workshop) -> None:
        """Items of which nothing came are left out."""
        useful = [one for one in made if one.negatives]
        content = {
            one.item.id: {kind: texts for kind in kinds if (texts := [t for _, of, t in one.negatives if of == kind])}
            for one in useful
        }
        workshop.outputs.json(NEGATIVES, content)
        rows = []
        for one in useful:
            true = [*one.item.statements]
            row = {
                "id": one.item.id,
                "options": [*true, *(text for _, _, text in one.negatives)],
                "option_kinds": ["correct"] * len(true) + [kind for _, kind, _ in one.negatives],
                "answers": list(range(len(true))),
            }
            rows.append({**row, **shuffle_row(row, workshop.seed)})
        workshop.outputs.lines(CHOICES, rows)


FORMS: dict[str, Form] = {"pitt_ads": Ads(), "whoops": Whoops(), "plain": Plain()}
