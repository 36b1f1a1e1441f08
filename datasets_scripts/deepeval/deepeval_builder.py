"""DeepEval as a Hugging Face dataset: describe a cartoon, give it a title, say what it means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import datasets

from punctum.datasets_scripts.building import (
    FolderBuilder,
    FolderConfig,
    Row,
    choice_features,
    row_features,
    texts,
)
from punctum.datasets_scripts.deepeval.download import fetch
from punctum.datasets_scripts.deepeval.questions import (
    ANNOTATIONS,
    LABELS,
    QUESTIONS,
    Annotations,
    choice_row,
    compare_gold,
    read_labels,
)
from punctum.datasets_scripts.reading import DataError, Line, PictureFolder, Report, json_lines

_PICTURES, _LABELS = "Images", "categories.csv"


@dataclass
class DeepEvalConfig(FolderConfig):
    """Attributes:
    strip_options: take the blanks around options away; in the description questions they tell the answer.
        False keeps the published bytes.
    categories: a CSV with `Image_ID` and any of `category, with_text, theme, image_type`, which were not
        released; None takes `categories.csv` in the data folder where it exists.
    """

    strip_options: bool = True
    categories: str | None = None

    benchmark: ClassVar[str] = "deepeval"

    def texts(self, folder: Path) -> list[Path]:
        """The config's questions, the annotations, the labels."""
        questions = QUESTIONS.get(self.name)
        names = [ANNOTATIONS] if questions is None else [questions, ANNOTATIONS]
        return [*(folder / name for name in names), self.labels(folder)]

    def labels(self, folder: Path) -> Path:
        """The file of labels, which need not exist."""
        return folder / _LABELS if self.categories is None else Path(self.categories).expanduser().resolve()

    def pictures(self, folder: Path) -> Iterable[Path]:
        """The folder of pictures, and addresses that are paths in the data folder."""
        within = PictureFolder(folder)
        names = [name for found in within.stems(_PICTURES).values() for name in found]
        try:
            urls = [str(line.data.get("Url")) for line in json_lines(self.texts(folder)[0])]
        except DataError:  # told properly when the rows are read
            urls = []
        return (folder / name for name in sorted({*names, *(url for url in urls if is_path(url))}))


class DeepEval(FolderBuilder):
    """Configs `description`, `title`, `deep_semantics`, each one split, `test`."""

    BUILDER_CONFIG_CLASS = DeepEvalConfig
    BUILDER_CONFIGS: ClassVar[list[Any]] = [
        DeepEvalConfig(name="description", description="Which of four texts describes the picture?"),
        DeepEvalConfig(name="title", description="Which of four titles is the picture's?"),
        DeepEvalConfig(name="deep_semantics", description="Which of four texts says what it means?"),
    ]
    IMAGES = ("auto", "skip", "download")
    VARIANTS = (("published", ("description", "title", "deep_semantics"), {"strip_options": False}),)
    WHERE = (
        "The four JSON Lines files are in the repository AnnaYang2020/DeepEval on GitHub, folder data/; "
        f"pictures go into a folder {_PICTURES} beside them, named by Image_ID (Img17.jpg), or come by their "
        'addresses with images="download".'
    )

    def _info(self) -> Any:
        self.check_config()
        text = datasets.Value("string")
        features = row_features(
            **choice_features(),
            prompts=texts(),
            url=text,
            with_text=datasets.Value("bool"),
            theme=text,
            image_type=text,
            **{f"annotated_{name}": text for name in QUESTIONS},
        )
        return datasets.DatasetInfo(
            description=self.config.description,
            features=datasets.Features(features),
            homepage="https://github.com/AnnaYang2020/DeepEval",
        )

    def source_file(self, folder: Path) -> Path:
        """The config's questions."""
        return folder / QUESTIONS[self.config.name]

    def prepare(self, dl_manager: Any, report: Report) -> None:
        """Index annotations and pictures, read the labels, download pictures if asked to."""
        folder = self.data_folder()
        annotations = folder / ANNOTATIONS
        self._annotations = Annotations(annotations) if annotations.is_file() else None
        labels = self.config.labels(folder)
        self._labels = {}
        if self.config.categories is not None or labels.is_file():
            self._labels = read_labels(labels, report)
        self._unlabelled = set(self._labels)
        self._pictures = PictureFolder(folder)
        self._stems = {} if self.config.images == "skip" else self._pictures.stems(_PICTURES)
        self._fetched: dict[str, str] = {}
        if self.config.images == "download":
            self._fetched = self._download(dl_manager, report)

    def _download(self, dl_manager: Any, report: Report) -> dict[str, str]:
        wanted = {}
        for line in json_lines(self.source_file(self.data_folder())):
            name, url = line.text("Image_ID"), line.text("Url").strip()
            if name not in self._stems and not is_path(url):
                wanted[name] = url
        return fetch(wanted, dl_manager, report)

    def row(self, line: Line, report: Report | None) -> Row | None:
        """One published question, with its annotation, labels and picture."""
        row = choice_row(line, self.config.name, self.config.strip_options, report)
        annotation = self._annotations.get(row["id"]) if self._annotations else None
        for name in QUESTIONS:
            row[f"annotated_{name}"] = annotation[name] if annotation else None
        labels = self._labels.get(row["id"], {})
        row.update({label: labels.get(label) for label in LABELS})
        row["image"] = None if self.config.images == "skip" else self._picture(row, line, report)
        if report is not None:
            self._unlabelled.discard(row["id"])
            if self._annotations is not None:
                compare_gold(line, self.config.name, annotation, report)
        return row

    def _picture(self, row: Row, line: Line, report: Report | None) -> Any:
        named = self._stems.get(row["id"], [])
        if len(named) > 1 and report is not None:
            report.add("several pictures of one name, the first taken", f"{row['id']} {', '.join(named)}")
        if named:
            path = self._pictures.find(named[0], line)
        elif is_path(row["url"]):
            path = self._pictures.find(row["url"], line)
        else:
            path = self._fetched.get(row["id"])
        return self.usable(path, row["id"], report, missing=self.config.images != "download")

    def finish(self, report: Report) -> None:
        """Labels of images that have no question, and a missing annotation file."""
        for name in sorted(self._unlabelled):
            report.add("labels of images that have no question", name)
        if self._annotations is None:
            report.add("missing files", ANNOTATIONS)


def is_path(url: str) -> bool:
    """Whether an `Url` is no address but a path (then it is looked for in the data folder)."""
    parts = urlsplit(url)
    return not parts.scheme and not parts.netloc
