"""Finding VAGUE's files: Parquet with embedded pictures, or a JSON array with pictures beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from punctum.datasets_scripts.reading import PICTURE_SUFFIXES, DataError, Line, PictureFolder
from punctum.datasets_scripts.tables import starts_array

RELEASES = ("auto", "parquet", "json")
ANNOTATED = "_annot"


def find_files(folder: Path, release: str) -> list[Path]:
    """The released files in a folder or its sub-folders.

    Args:
        folder: the data folder.
        release: `parquet`, `json` (every JSON file that holds an array), or `auto`: Parquet where there is any.

    Raises:
        DataError: if there is none; says what was looked for and which files do not fit.
    """
    found = {suffix: [f for f in _two_levels(folder) if f.suffix == suffix] for suffix in (".parquet", ".json")}
    arrays = [file for file in found[".json"] if starts_array(file)]
    files = arrays if release == "json" or (release == "auto" and not found[".parquet"]) else found[".parquet"]
    if not files:
        others = [f.name for f in found[".json"] if f not in arrays]
        what = {"auto": "*.parquet or *.json with an array", "parquet": "*.parquet"}.get(
            release, "*.json with an array"
        )
        more = f"; no array: {', '.join(others)}" if others else ""
        raise DataError(f"{folder} and its sub-folders hold no {what}{more}")
    return files


def _two_levels(folder: Path) -> list[Path]:
    """The files of a folder, then those of its sub-folders, each by name."""
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    below = [sorted(entry.iterdir()) for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
    return [file for file in [*entries, *(f for files in below for f in files)] if file.is_file()]


class Pictures:
    """The pictures beside the JSON files and in sub-folders, by name.

    Args:
        folder: the data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._within = PictureFolder(folder)
        self._names: dict[str, str] = {}
        for file in _two_levels(folder):
            if file.suffix.lower() in PICTURE_SUFFIXES:
                self._names.setdefault(file.stem, str(file.relative_to(folder)))

    def paths(self) -> Iterator[Path]:
        """All of them."""
        return (self._within.root / name for name in self._names.values())

    def find(self, name: str, tagged_first: bool, line: Line) -> tuple[str | None, bool]:
        """The picture of a row, and whether it is the one with the authors' tags.

        Args:
            name: `image_name`, with or without a picture's suffix.
            tagged_first: prefer `<name>_annot.jpg` to `<name>.jpg`; otherwise the other way round.
            line: the row, for errors.

        Raises:
            DataError: if the name leads out of the data folder.
        """
        bare = name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in PICTURE_SUFFIXES else name
        tagged, plain = [f"{name}{ANNOTATED}", f"{bare}{ANNOTATED}"], [name, bare]
        for stem in tagged + plain if tagged_first else plain + tagged:
            path = self._within.find(self._names.get(stem, f"{stem}.jpg"), line)
            if path is not None:
                return path, stem in tagged
        return None, False
