"""VAGUE as a Hugging Face dataset: what does the speaker of an ambiguous utterance want, given the picture?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import datasets

from punctum.datasets_scripts.building import (
    Block,
    FolderBuilder,
    FolderConfig,
    Row,
    choice_features,
    row_features,
    texts,
)
from punctum.datasets_scripts.reading import DataError, Line, Report
from punctum.datasets_scripts.tables import embedded_picture, json_array, parquet_rows
from punctum.datasets_scripts.vague.person_tags import SIZES, person_tag_row
from punctum.datasets_scripts.vague.questions import HUMAN_SUBSET, human_subset, question_row, rating_of, source_of
from punctum.datasets_scripts.vague.release import RELEASES, Pictures, find_files
from punctum.datasets_scripts.vague.tags import tagged_bytes

_DRAWN = "person_tags"
_TAGS = ("keep", "draw")
_SUBSETS = ("human400",)


@dataclass
class VagueConfig(FolderConfig):
    """Attributes:
    tags: `keep` the pictures as they are released (with the authors' tags), or `draw` the numbers of
        `person_bbox` on untagged pictures.
    subset: `human400`, rows by the rule of Appendix E; for `person_tags` the number of people: 2, 5 or 10.
    seed: breaks ties in `human400`, and draws the pictures of `person_tags`.
    release: which form to read, `parquet` or `json`; `auto` takes Parquet where there is any.
    per_size: pictures of `person_tags` for each number of people.
    """

    tags: str = "keep"
    subset: str | None = None
    seed: int = 0
    release: str = "auto"
    per_size: int = 10

    benchmark: ClassVar[str] = "vague"

    def texts(self, folder: Path) -> list[Path]:
        """The JSON arrays."""
        return [file for file in self.files(folder) if file.suffix == ".json"]

    def tables(self, folder: Path) -> list[Path]:
        """The Parquet files."""
        return [file for file in self.files(folder) if file.suffix == ".parquet"]

    def files(self, folder: Path) -> list[Path]:
        """The released files; none where there are none, which is told when the rows are read."""
        try:
            return find_files(folder, self.release)
        except DataError:
            return []

    def pictures(self, folder: Path) -> Iterable[Path]:
        """The pictures beside the files."""
        return Pictures(folder).paths()


class Vague(FolderBuilder):
    """Configs `vcr`, `ego4d`, `all` and `person_tags`, each one split, `test`."""

    BUILDER_CONFIG_CLASS = VagueConfig
    BUILDER_CONFIGS: ClassVar[list[Any]] = [
        VagueConfig(name="vcr", description="What does the speaker want? Scenes of films, from VCR."),
        VagueConfig(name="ego4d", description="What does the speaker want? Scenes of daily life, from Ego4D."),
        VagueConfig(name="all", description="What does the speaker want? Scenes of VCR and Ego4D."),
        VagueConfig(name=_DRAWN, description="The colour of a tagged person's shirt: can the tags be read?"),
    ]
    NEEDS_NO_FOLDER = frozenset({_DRAWN})
    WHERE = (
        "VAGUE is linked from https://hazel-heejeong-nam.github.io/vague/: put its Parquet files, or its JSON "
        "files with the pictures <image_name>_annot.jpg beside them, into one folder."
    )

    def _info(self) -> Any:
        self.check_config()
        text = datasets.Value("string")
        if self.config.name == _DRAWN:
            features = row_features(question=text, references=texts(), person=text, shirts=texts())
        else:
            whole, number = datasets.Value("int32"), datasets.Value("float64")
            features = row_features(
                **choice_features(),
                references=texts(),
                direct=text,
                indirect=text,
                solution={"person": text, "action": text, "object": text},
                caption=text,
                fake_caption=text,
                ram_entity=texts(),
                img_size={"width": whole, "height": whole},
                person_bbox=datasets.Sequence(datasets.Sequence(number)),
                rating={"direct": number, "indirect": number},
                annot_link=text,
            )
        return datasets.DatasetInfo(
            description=self.config.description,
            features=datasets.Features(features),
            homepage="https://hazel-heejeong-nam.github.io/vague/",
        )

    def check_config(self) -> None:
        """Refuse values that no config, or not this one, knows."""
        super().check_config()
        subsets = SIZES if self.config.name == _DRAWN else _SUBSETS
        known = {"tags": _TAGS, "release": RELEASES, "subset": (None, *subsets)}
        for name, values in known.items():
            if getattr(self.config, name) not in values:
                choices = ", ".join(str(value) for value in values)
                raise ValueError(f"{name}={getattr(self.config, name)!r}: one of {choices} for {self.config.name}")
        for name in ("seed", "per_size"):
            value = getattr(self.config, name)
            if not isinstance(value, int) or isinstance(value, bool) or (name == "per_size" and value < 1):
                raise ValueError(f"{name}={value!r}: a whole number")

    def source_files(self, folder: Path) -> Sequence[Path]:
        """The Parquet or JSON files."""
        return find_files(folder, self.config.release)

    def lines(self, file: Path, offset: int = 0, number: int = 1, count: int | None = None) -> Iterator[Line]:
        """Rows of a Parquet file or of a JSON array."""
        return _rows(file, offset, number, count, pictures=self.config.images != "skip")

    def prepare(self, dl_manager: Any, report: Report) -> None:
        """Index the pictures, and choose the human subset over both sources."""
        folder = self.data_folder()
        self._pictures = Pictures(folder)
        self._chosen: set[str] | None = None
        if self.config.subset is not None:
            files = self.source_files(folder)
            ratings = [rating_of(line) for file in files for line in _rows(file, pictures=False)]
            self._chosen = human_subset(ratings, self.config.seed)
            if len(ratings) < HUMAN_SUBSET:
                report.add(f"fewer than {HUMAN_SUBSET} rows, all taken", f"{len(ratings)} rows")

    def row(self, line: Line, report: Report | None) -> Row | None:
        """One published row with its picture."""
        name = line.text("image_name")
        if self.config.name not in ("all", source_of(name)):
            return None
        if self._chosen is not None and name not in self._chosen:
            return None
        row = question_row(line, report)
        if self.config.tags == "draw" and row["person_bbox"] is None:
            raise line.error('tags="draw" needs meta.person_bbox, the boxes of the people')
        row["image"] = None if self.config.images == "skip" else self._picture(row, line, report)
        return row

    def _picture(self, row: Row, line: Line, report: Report | None) -> Any:
        """Path, or bytes and path, of a row's picture; None where there is none that can be used."""
        draw = self.config.tags == "draw"
        picture: str | bytes | None = embedded_picture(line) if line.file.suffix == ".parquet" else None
        tagged = not draw
        if picture is None:
            picture, tagged = self._pictures.find(row["id"], not draw, line)
        picture = self.usable(picture, row["id"], report)
        if report is not None and picture is not None:
            self._count_tags(row["id"], tagged, report)
        if report is not None or picture is None:
            return None  # rows are written in a second pass, which draws
        if not draw or tagged:
            return {"bytes": picture, "path": f"{row['id']}.jpg"} if isinstance(picture, bytes) else picture
        try:
            drawn = tagged_bytes(picture, row["person_bbox"], row["img_size"])
        except (OSError, SyntaxError) as error:
            raise line.error(f"{row['id']}: the picture cannot be decoded ({error})") from None
        return {"bytes": drawn, "path": f"{row['id']}.jpg"}

    def _count_tags(self, name: str, tagged: bool, report: Report) -> None:
        if tagged and self.config.tags == "draw":
            report.add("pictures that come with the authors' tags, so that none were drawn", name)
        elif not tagged and self.config.tags == "keep":
            report.add('pictures without tags (tags="draw" draws them)', name)

    def _split_generators(self, dl_manager: Any) -> list[Any]:
        if self.config.name != _DRAWN:
            return super()._split_generators(dl_manager)
        sizes = SIZES if self.config.subset is None else (self.config.subset,)
        blocks = [(size, 0, index, 1) for size in sizes for index in range(self.config.per_size)]
        return [datasets.SplitGenerator(name=datasets.Split.TEST, gen_kwargs={"blocks": blocks})]

    def _generate_examples(self, blocks: list[Block]) -> Iterator[tuple[str, Row]]:
        if self.config.name != _DRAWN:
            yield from super()._generate_examples(blocks)
            return
        for size, _, index, _ in blocks:
            row = person_tag_row(int(size), index, self.config.seed, self.config.images != "skip")
            yield row["id"], row


def _rows(
    file: Path, offset: int = 0, number: int = 1, count: int | None = None, pictures: bool = True
) -> Iterator[Line]:
    if file.suffix == ".parquet":
        return parquet_rows(file, offset, number, count, () if pictures else ("image",))
    return json_array(file, offset, number, count)
