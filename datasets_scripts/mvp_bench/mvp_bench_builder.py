"""MVP-Bench as a Hugging Face dataset: yes/no and multiple-choice questions on natural and edited pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import datasets

from punctum.datasets_scripts.building import (
    FolderBuilder,
    FolderConfig,
    Row,
    choice_features,
    row_features,
)
from punctum.datasets_scripts.mcq import letter
from punctum.datasets_scripts.mvp_bench.questions import choice_row, config_of, published_order, yes_no_row
from punctum.datasets_scripts.reading import DataError, Line, PictureFolder, Report, json_lines

_DIRECT, _CIRCULAR = "all_questions.json", "mcq_questions.json"
_PICTURE_FOLDERS = ("Single_Images", "Cross_Images")


@dataclass
class MvpBenchConfig(FolderConfig):
    """Attributes:
    circular: the multiple-choice questions in all their published rotations, a row each.
    """

    circular: bool = False

    benchmark: ClassVar[str] = "mvp_bench"

    def texts(self, folder: Path) -> list[Path]:
        """Both question files: the rotations are compared with the direct questions."""
        return [folder / _DIRECT, folder / _CIRCULAR] if self.circular else [folder / _DIRECT]

    def pictures(self, folder: Path) -> Iterable[Path]:
        """The pictures that the rows name."""
        try:
            names = {str(line.data.get("image")) for line in json_lines(self.texts(folder)[-1])}
        except DataError:  # told properly when the rows are read
            return []
        return (folder / name for name in sorted(names))


class MvpBench(FolderBuilder):
    """Configs `yes_no`, `mcq_single`, `mcq_cross`, each one split, `test`."""

    BUILDER_CONFIG_CLASS = MvpBenchConfig
    BUILDER_CONFIGS: ClassVar[list[Any]] = [
        MvpBenchConfig(name="yes_no", description="Yes/no questions on a source picture and its edit."),
        MvpBenchConfig(name="mcq_single", description="One of five readings of the edited picture."),
        MvpBenchConfig(name="mcq_cross", description="One of five differences between the two pictures."),
    ]
    VARIANTS = (("circular", ("mcq_single", "mcq_cross"), {"circular": True}),)
    WHERE = (
        "The questions are in the repository GuanzhenLi/MVP-Bench on GitHub, folder data/ "
        f"({_DIRECT}, {_CIRCULAR}); the pictures are gated: ask for them at "
        "https://huggingface.co/datasets/GZClarence/MVP-Bench and put the folders Single_Images and "
        "Cross_Images beside the questions."
    )

    def _info(self) -> Any:
        self.check_config()
        text = datasets.Value("string")
        answer = {"question": text, "answer": text, "side": text}
        columns = answer if self.config.name == "yes_no" else choice_features()
        published = ("pair", "level", "instruction", "published_prompt", "question_id")
        features = row_features(**columns, **dict.fromkeys(published, text))
        return datasets.DatasetInfo(
            description=self.config.description,
            features=datasets.Features(features),
            homepage="https://github.com/GuanzhenLi/MVP-Bench",
        )

    def check_config(self) -> None:
        """Rotations are of options, so yes/no questions have none."""
        super().check_config()
        if self.config.circular and self.config.name == "yes_no":
            raise ValueError("circular=True is for mcq_single and mcq_cross; yes/no questions have no options")

    def source_file(self, folder: Path) -> Path:
        """The direct or the circular questions."""
        return folder / (_CIRCULAR if self.config.circular else _DIRECT)

    def prepare(self, dl_manager: Any, report: Report) -> None:
        """Read the direct questions, with which the rotations are compared."""
        self._groups: dict[str, tuple[list[str], int]] = {}
        self._rotations: dict[str, set[int]] = {}
        self._direct: dict[str, tuple[list[str], int]] = {}
        direct = self.data_folder() / _DIRECT
        if self.config.circular and direct.is_file():
            for line in json_lines(direct):
                if config_of(line) == self.config.name:
                    row = choice_row(line, rotated=False)
                    self._direct[row["id"]] = published_order(row)

    def row(self, line: Line, report: Report | None) -> Row | None:
        """One published line."""
        if config_of(line) != self.config.name:
            return None
        row = yes_no_row(line) if self.config.name == "yes_no" else choice_row(line, self.config.circular)
        row["image"] = None
        if self.config.images != "skip":
            path = line.text("image")
            picture = self._folder().find(path, line)
            row["image"] = self.usable(picture, f"{row['id']} {path}" if picture else path, report)
        if report is not None and row["category"] is None:
            report.add("pairs outside 1–646, which have no category", row["id"])
        return row

    def check(self, row: Row, line: Line, report: Report) -> None:
        """A rotation has the options and the answer of the question's other rotations."""
        if not self.config.circular:
            return
        group, options, gold = row["group"], *published_order(row)
        first = self._groups.setdefault(group, (options, gold))
        if first != (options, gold):
            raise line.error(
                f"{row['id']} is no rotation of {group}: turned back it reads {options}, answer "
                f"{letter(gold)}, and the rotation read first {first[0]}, answer {letter(first[1])}"
            )
        self._rotations.setdefault(group, set()).add(row["rotation"])
        direct = self._direct.get(group)
        if direct is not None and direct[1] != gold:
            raise line.error(f"{row['id']} answers {options[gold]!r}, the direct question {direct[0][direct[1]]!r}")
        if direct is not None and direct[0] != options:
            report.add("rotations whose options differ from the direct question's", row["id"])

    def finish(self, report: Report) -> None:
        """Circular accuracy needs every rotation: count the questions that lack one."""
        for group, rotations in self._rotations.items():
            if len(rotations) < len(self._groups[group][0]):
                report.add("questions without all their rotations", group)
        self._groups, self._rotations, self._direct = {}, {}, {}

    def _folder(self) -> PictureFolder:
        if not hasattr(self, "_pictures"):
            self._pictures = PictureFolder(self.data_folder())
        return self._pictures
