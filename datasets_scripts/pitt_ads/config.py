"""The config of the pitt_ads builder: what is asked of which images, and every file that the rows depend on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from punctum.datasets_scripts.building import FolderConfig
from punctum.datasets_scripts.pitt_ads.action_reasons import LISTS, SPLITS, hard_files, published_file
from punctum.datasets_scripts.pitt_ads.annotations import ANNOTATIONS, read_annotations
from punctum.datasets_scripts.pitt_ads.official import official_files
from punctum.datasets_scripts.pitt_ads.small_set import SMALL
from punctum.datasets_scripts.reading import DataError

CHOICES = {
    "images": ("atypical", "typical"),
    "subset": ("full", "small", "typical"),
    "negatives": ("hard", "easy"),
    "annotations": ("first", "all"),
    "lists": LISTS,
}


@dataclass
class PittAdsConfig(FolderConfig):
    """Attributes:
    images: ask about `atypical` images (at least one of the four relations) or `typical` ones (all annotators
        said not atypical).
    subset: `full`; `small`, the images of a list; `typical`, another way to say images="typical".
    negatives: of the two retrieval tasks over statements: `hard` or `easy`.
    annotations: of asr and aor: the `first` usable annotation of an image, or `all`, a row each.
    seed: of everything drawn: wrong options and their order.
    lists: what plain lists of action-reason statements hold: `statements` (true ones), `options` (answers held
        back), or `auto`, which refuses what can't be told.
    small: the list of the small subset; None takes `small.txt` in the data folder.
    with_pictures: False leaves the pictures out.
    """

    images: str = "atypical"
    subset: str = "full"
    negatives: str = "hard"
    annotations: str = "first"
    seed: int = 0
    lists: str = "auto"
    small: str | None = None
    with_pictures: bool = True

    benchmark: ClassVar[str] = "pitt_ads"

    def texts(self, folder: Path) -> list[Path]:
        """All text files: which images are asked, and what of, depends on several of them."""
        statements = [published_file(folder, split) for split in SPLITS]
        hard = [file for split in SPLITS for _, file in hard_files(folder, split)]
        return [folder / ANNOTATIONS, *statements, *hard, self.small_file(folder), *official_files(folder)]

    def small_file(self, folder: Path) -> Path:
        """The list of the small subset, which need not exist."""
        return folder / SMALL if self.small is None else Path(self.small).expanduser().resolve()

    def pictures(self, folder: Path) -> Iterable[Path]:
        """Where the pictures of annotated images may lie."""
        if not self.with_pictures:
            return []
        try:
            images = read_annotations(folder / ANNOTATIONS)
        except DataError:  # told properly when the rows are read
            return []
        return [folder / place for image in images for split in SPLITS for place in places(image, split)]


def places(image: str, split: str) -> tuple[str, ...]:
    """Where the picture of an image of this split may lie: in the split's folder, or as the archives unpack."""
    return f"{split}_images/{image}", f"images/{image}", image
