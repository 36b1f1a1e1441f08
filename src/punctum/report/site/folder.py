"""Writing the site's folder: scripts that carry data, copies, and nothing left over from an earlier site."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any

from punctum.report.scripts import harmless
from punctum.results import whole_file

#: Folders that are the site's alone: what an earlier site left there and this one lacks is removed.
OWN = ("assets", "data", "pictures", "figures")
#: What index.html says of itself.
_MARK = '<meta name="generator" content="punctum">'


class Folder:
    """A site's folder while it is written; leaving the `with` block without an error cleans it up."""

    def __init__(self, root: Path) -> None:
        """Begin.

        Args:
            root: a new folder, one without folders of the site's names, or that of an earlier site.

        Raises:
            ValueError: if it is something else, whose files would be lost.
        """
        self._root = root
        self._written: set[Path] = set()
        index = root / "index.html"
        is_ours = index.is_file() and _MARK in index.read_text(encoding="utf-8", errors="replace")
        theirs = [name for name in OWN if (root / name).exists()] + ["index.html"] * index.exists()
        if theirs and not is_ours:
            raise ValueError(
                f"{root} has {', '.join(theirs)} that no site of punctum wrote; give a new or an empty folder"
            )

    def copy_figure(self, source: Path) -> str:
        """Copy a figure; its name in the site.

        Raises:
            ValueError: if another of this name is there already.
        """
        name = f"figures/{source.name}"
        if self._root / name in self._written:
            raise ValueError(f"two figures are called {source.name}")
        self.copy(name, source)
        return name

    def text(self, name: str, text: str) -> None:
        """Write a text file."""
        with whole_file(self._at(name)) as file:
            file.write(text)

    def script(self, path: str, name: str, value: Any) -> None:
        """Write data as a script; see `script`."""
        self.text(path, script(name, value))

    def copy(self, name: str, source: Path) -> None:
        """Copy a file, once."""
        path = self._root / name
        if path in self._written:
            return
        self._at(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)

    def _at(self, name: str) -> Path:
        path = self._root / name
        self._written.add(path)
        return path

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is not None:
            return
        for own in OWN:
            for path in sorted((self._root / own).rglob("*"), reverse=True):
                if path.is_dir() and not path.is_symlink():
                    if not any(path.iterdir()):
                        path.rmdir()
                elif path not in self._written:
                    path.unlink()


def script(name: str, value: Any) -> str:
    r"""A script that hands data to the page: JSON in a string, which no content can leave.

    `Punctum.receive("site", '{"title": …}');` The string is parsed as JSON there, so that a key like `__proto__` is
    a key and nothing else. Escaped are `<`, the two line breaks that only JavaScript knows, and halves of characters,
    which models can write and UTF-8 can't.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")  # \ud83d, as JSON spells it
    text = harmless(text).replace("\\", "\\\\").replace("'", "\\'")
    return f"Punctum.receive({json.dumps(name)}, '{text}');\n"
