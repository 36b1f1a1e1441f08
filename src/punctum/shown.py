"""What a run showed and what was written before it asked: `samples.jsonl` and `pictures/`.

With `predictions.jsonl`, a run's folder is all that a reader needs to look at every question again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from punctum.records import Picture, Request, Response, Sample
from punctum.results import whole_file, write_whole

#: Longest side of a kept picture, in pixels.
LONGEST_SIDE = 512
_QUALITY = 80

_log = logging.getLogger("punctum")


class Shown:
    """Writes `samples.jsonl`, a line a question, and a small copy of every picture once.

    The file appears whole when the block ends; without any question a file that is there stays.
    A picture that cannot be read is null in its line.
    """

    def __init__(self, folder: Path, pictures: bool = True, partly: bool = True) -> None:
        """Write into a folder.

        Args:
            folder: a run's folder.
            pictures: whether copies of the pictures are kept; their names are null otherwise.
            partly: whether the file appears when an error ends the block, too: half a run is kept, half a score is not.
        """
        self._folder = folder
        self._keeps = pictures
        self._partly = partly
        self._names: dict[str, str | None] = {}
        self._unread = 0
        self._closing = ExitStack()
        self._file: IO[str] | None = None

    def __enter__(self) -> Shown:
        """Begin; the file begins with the first question."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let the file appear."""
        if self._partly:
            self._closing.close()
        else:
            self._closing.__exit__(kind, error, at)
        if self._unread:
            _log.warning("%d pictures could not be copied into %s", self._unread, self._folder / "pictures")

    def add(
        self,
        sample: Sample,
        request: Request | None = None,
        texts: Mapping[str, str] | None = None,
        response: Response | None = None,
    ) -> None:
        """Write the line of a question.

        Args:
            sample: the question.
            request: what the model was asked; None where that is not known, as with answers from a file.
            texts: what models wrote before, by the name of the stage.
            response: what came back, for reasoning that a server kept apart.
        """
        if self._file is None:
            self._file = self._closing.enter_context(whole_file(self._folder / "samples.jsonl"))
        names = [self._copy(picture) for picture in sample.pictures]
        line = sample_line(sample, names, request, texts or {}, response)
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _copy(self, picture: Picture) -> str | None:
        """The name of the small copy, made at the first call for a picture."""
        if not self._keeps:
            return None
        try:
            digest = picture.sha256
        except (OSError, ValueError):
            self._unread += 1
            return None
        if digest not in self._names:
            self._names[digest] = self._write(picture)
        return self._names[digest]

    def _write(self, picture: Picture) -> str | None:
        path = self._folder / "pictures" / picture.copy_name
        if path.is_file():
            return path.name
        try:
            copy, _, _ = picture.small_copy(LONGEST_SIDE, _QUALITY)
        except Exception:  # Pillow's plugins raise whatever a broken file brings them to
            self._unread += 1
            return None
        write_whole(path, copy)
        return path.name


def sample_line(
    sample: Sample,
    pictures: list[str | None],
    request: Request | None,
    texts: Mapping[str, str],
    response: Response | None,
) -> dict[str, Any]:
    """A line of `samples.jsonl`; its first five fields are the key of a line of `predictions.jsonl`."""
    unit = sample.unit
    category = sample.fields.get("category")
    return {
        "id": unit.id,
        "task": unit.task,
        "setting": unit.setting,
        "prompt_slot": unit.prompt_slot,
        "rotation": unit.rotation,
        "form": sample.form,
        "category": None if category is None else str(category),
        "cluster": sample.cluster,
        "options": sample.options,
        "option_kinds": sample.option_kinds,
        "gold": sample.gold,
        "first_number": sample.first_number,
        "wanted": sample.wanted,
        "pictures": pictures,
        "prompt": None if request is None else request.prompt,
        "shows_pictures": None if request is None else bool(request.pictures),
        "system": None if request is None else request.system,
        "stages": dict(texts),
        "reasoning": None if response is None else response.reasoning,
        "fields": {name: value for name, value in sample.fields.items() if _is_plain(value)},
    }


def _is_plain(value: object) -> bool:
    """Whether a column holds words, numbers or lists of them: JSON, and small."""
    if isinstance(value, (list, tuple)):
        return all(_is_plain(entry) for entry in value)
    return value is None or isinstance(value, (str, int, float, bool))
