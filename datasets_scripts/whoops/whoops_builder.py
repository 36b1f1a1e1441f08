"""WHOOPS! as a Hugging Face dataset: which explanation says why the picture defies common sense?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import datasets

from punctum.datasets_scripts.building import FolderBuilder, FolderConfig, Row, choice_features, row_features, texts
from punctum.datasets_scripts.equal_options import count_equal
from punctum.datasets_scripts.mcq import shuffle_row
from punctum.datasets_scripts.reading import Line, NotAtHand, PictureFolder, Report
from punctum.datasets_scripts.tables import csv_rows, embedded_picture, parquet_rows
from punctum.datasets_scripts.whoops.explanations import (
    EASY,
    NEEDED,
    QUESTION,
    Pool,
    columns,
    count_missing,
    gold_of,
    hard_options,
    image_id,
    read_hard_negatives,
)

_CSV, _METADATA, _PICTURES, _HARD = "whoops_dataset.csv", "metadata.csv", "whoops_images", "hard_negatives.json"
_RELEASES = ("auto", "csv", "imagefolder", "parquet")
_GOLD = ("designer", "crowd")


@dataclass
class WhoopsConfig(FolderConfig):
    """Attributes:
    gold: whose explanation is right: the `designer`'s, or the first of the `crowd`.
    seed: draws the explanations of other images, and the order of the options.
    hard_negatives: the JSON file `{image_id: {kind: text}}`; None takes `hard_negatives.json` in the data folder.
    release: which form to read; `auto` takes the first that is there of `csv`, `imagefolder`, `parquet`.
    """

    gold: str = "designer"
    seed: int = 0
    hard_negatives: str | None = None
    release: str = "auto"

    benchmark: ClassVar[str] = "whoops"

    def hard_file(self, folder: Path) -> Path:
        """The file of hard negatives, which need not exist."""
        return folder / _HARD if self.hard_negatives is None else Path(self.hard_negatives).expanduser().resolve()

    def texts(self, folder: Path) -> list[Path]:
        """The table, and the hard negatives."""
        hard = [self.hard_file(folder)] if self.name.endswith("_hard") else []
        return [*(file for file in released(folder, self.release) if file.suffix == ".csv"), *hard]

    def tables(self, folder: Path) -> list[Path]:
        """The Parquet files."""
        return [file for file in released(folder, self.release) if file.suffix == ".parquet"]

    def pictures(self, folder: Path) -> Iterable[Path]:
        """The pictures beside the table."""
        within = PictureFolder(folder)
        folders = {_PICTURES, *(str(file.parent.relative_to(folder)) for file in released(folder, self.release))}
        names = {name for sub in folders for found in within.stems(sub).values() for name in found}
        return [folder / name for name in sorted(names)]


def released(folder: Path, release: str) -> list[Path]:
    """The table in a folder: one CSV, or the Parquet files; empty if there is none."""
    metadata = [folder / _METADATA, *sorted(folder.glob(f"*/{_METADATA}"))]
    forms = {
        "csv": [folder / _CSV],
        "imagefolder": [file for file in metadata if file.is_file()][:1],
        "parquet": sorted([*folder.glob("*.parquet"), *folder.glob("*/*.parquet")]),
    }
    asked = list(forms) if release == "auto" else [release]
    return next((files for form in asked if (files := [f for f in forms.get(form, []) if f.is_file()])), [])


class Whoops(FolderBuilder):
    """Configs `explanation_easy` and `explanation_hard`, each one split, `test`."""

    BUILDER_CONFIG_CLASS = WhoopsConfig
    BUILDER_CONFIGS: ClassVar[list[Any]] = [
        WhoopsConfig(name="explanation_easy", description="Its explanation among 15 of other pictures."),
        WhoopsConfig(name="explanation_hard", description="Its explanation among altered ones."),
    ]
    WHERE = (
        f"WHOOPS! is gated: ask for it at https://huggingface.co/datasets/nlphuji/whoops and put {_CSV} and "
        f"{_PICTURES}/, or the folder test/ with {_METADATA} and the pictures, into one folder."
    )

    def _info(self) -> Any:
        self.check_config()
        text = datasets.Value("string")
        features = row_features(
            **choice_features(),
            references=texts(),
            designer_explanation=text,
            selected_caption=text,
            crowd_captions=texts(),
            crowd_explanations=texts(),
            crowd_underspecified_captions=texts(),
            question_answering_pairs=datasets.Sequence(texts()),
            image_designer=text,
        )
        return datasets.DatasetInfo(
            description=self.config.description,
            features=datasets.Features(features),
            homepage="https://whoops-benchmark.github.io/",
        )

    def check_config(self) -> None:
        """Refuse values that are not known."""
        super().check_config()
        for name, known in (("gold", _GOLD), ("release", _RELEASES)):
            if getattr(self.config, name) not in known:
                raise ValueError(f"{name}={getattr(self.config, name)!r}: one of {', '.join(known)}")
        if not isinstance(self.config.seed, int) or isinstance(self.config.seed, bool):
            raise ValueError(f"seed={self.config.seed!r}: a whole number")

    def source_files(self, folder: Path) -> Sequence[Path]:
        """The CSV, or the Parquet files."""
        files = released(folder, self.config.release)
        if not files:
            looked = f"{_CSV}, {_METADATA}, test/{_METADATA} or *.parquet (release={self.config.release!r})"
            raise NotAtHand(f"{folder} holds no {looked}. {self.WHERE}")
        return files

    def lines(self, file: Path, offset: int = 0, number: int = 1, count: int | None = None) -> Iterator[Line]:
        """Rows of the CSV or of a Parquet file."""
        return rows_of(file, offset, number, count, pictures=self.config.images != "skip")

    def prepare(self, dl_manager: Any, report: Report) -> None:
        """Read all explanations, from which others are drawn, and the hard negatives."""
        folder = self.data_folder()
        self._pictures = PictureFolder(folder)
        explanations: dict[str, str] = {}
        known: set[str] = set()
        for file in self.source_files(folder):
            for line in rows_of(file, pictures=False):
                known.add(image_id(line))
                gold = gold_of(columns(line), self.config.gold)
                if gold is not None:
                    explanations[image_id(line)] = gold
        self._pool = Pool(explanations)
        self._hard: dict[str, dict[str, str]] = {}
        if self.config.name == "explanation_hard":
            file = self.config.hard_file(folder)
            if not file.is_file():
                raise NotAtHand(
                    f"{file} is missing: hard negatives were never released. Make them with `punctum construct "
                    "hard-negatives`, or give a JSON file {image_id: {kind: text}} with hard_negatives=PATH"
                )
            self._hard = read_hard_negatives(file)
            for name in self._hard:
                if name not in known:
                    report.add("hard negatives of images that are not in the data", name)

    def row(self, line: Line, report: Report | None) -> Row | None:
        """One image's question; None (counted) where it has no explanation or no hard negatives."""
        name, published = image_id(line), columns(line)
        gold = gold_of(published, self.config.gold)
        if gold is None:
            if report is not None:
                report.add(f"images without an explanation of the {self.config.gold}, left out", name)
            return None
        if self.config.name == "explanation_hard":
            if name not in self._hard:
                if report is not None:
                    report.add("images without hard negatives, left out", name)
                return None
            wrong = hard_options(name, gold, self._hard[name], self._pool, self.config.seed)
        else:
            others = self._pool.draw(name, self.config.seed, EASY, [gold])
            wrong = [("random", text) for text in others]
        if report is not None:
            self._count(name, [gold, *(text for _, text in wrong)], wrong, report)
        row = {
            "id": name,
            "category": published.pop("commonsense_category"),
            "source": line.file.name,
            "question": QUESTION,
            "options": [gold, *(text for _, text in wrong)],
            "option_kinds": ["correct", *(kind for kind, _ in wrong)],
            "answers": [0],
            "group": name,
            "rotation": None,
            "references": [gold],
            **published,
        }
        row["image"] = None if self.config.images == "skip" else self._picture(name, line, report)
        return {**row, **shuffle_row(row, self.config.seed)}

    def _count(self, name: str, options: list[str], wrong: list[tuple[str, str]], report: Report) -> None:
        count_equal(name, options, report)
        if self.config.name == "explanation_hard":
            count_missing(name, wrong, report)
        elif len(wrong) < EASY:
            report.add(f"images with fewer than {EASY} explanations of others", name)

    def _picture(self, name: str, line: Line, report: Report | None) -> Any:
        """Path, or bytes and path, of a row's picture; None where there is none that can be used."""
        picture = (embedded_picture(line) if line.file.suffix == ".parquet" else None) or self._path(name, line)
        picture = self.usable(picture, name, report)
        return {"bytes": picture, "path": f"{name}.png"} if isinstance(picture, bytes) else picture

    def _path(self, name: str, line: Line) -> str | None:
        if "file_name" in line.data:
            within = line.file.parent.relative_to(self._pictures.root)
            return self._pictures.find(str(within / line.text("file_name")), line)
        return self._pictures.find(f"{_PICTURES}/{name}.png", line)


def rows_of(
    file: Path, offset: int = 0, number: int = 1, count: int | None = None, pictures: bool = True
) -> Iterator[Line]:
    """The rows of a released file, with or without embedded pictures."""
    if file.suffix == ".parquet":
        return parquet_rows(file, offset, number, count, () if pictures else ("image",))
    needed = ("image_id",) if file.name == _CSV else ("file_name",)
    return csv_rows(file, (*needed, *NEEDED), offset, number, count)
