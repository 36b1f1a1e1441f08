"""Answers from a file: the outputs of an earlier run, or anybody's, asked again through the whole path."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from punctum.evaluators.models.base import OF_LOADING, Batch, ModelError, ModelOptions
from punctum.predictions import BadPredictions, Row, check_order, read_rows
from punctum.records import Generation, ModelInfo, Request, Response, Sample

SCHEME = "replay"
DESCRIPTION = "the answers of a prediction file: replay:FILE"
NEEDS = ""
NOT_TAKEN = OF_LOADING
WHY_NOT = "there is no model to load"

_BATCH = 512


def load(name: str, options: ModelOptions) -> Replay:
    """Read the file.

    Raises:
        ModelError: if the file cannot be read; the message names file and line.
    """
    path = Path(name).expanduser()
    try:
        rows = list(read_rows(path))
    except BadPredictions as error:
        raise ModelError(str(error)) from error
    return Replay(name, rows, hashlib.sha256(path.read_bytes()).hexdigest()[:16])


outline = load  # there are no weights


class Replay:
    """The lines of a prediction file by the address of their question.

    A line without `task` or `setting` answers the question in any; a line that names them is preferred.
    """

    reads_pictures = True
    writes = True
    scores = False
    ranks = False
    stored = False

    def __init__(self, name: str, rows: Sequence[Row], revision: str) -> None:
        """Index the lines.

        Raises:
            ModelError: if two lines give the same question different outputs.
        """
        self.name = name
        self.info = ModelInfo(id=f"replay:{Path(name).name}", revision=revision, backend="replay")
        self._rows: dict[tuple[str, str | None, str | None, int, int | None], Row] = {}
        for row in rows:
            key = (str(row.id), row.task, row.setting, row.prompt_slot, row.rotation)
            before = self._rows.setdefault(key, row)
            if before.output != row.output:
                lines = f"{before.file}:{before.line} and {row.file}:{row.line}"
                raise ModelError(f"{row.id} has two different outputs: {lines}; keep the one that is meant")

    def fingerprint(self) -> Mapping[str, Any]:
        """The content hash of the file is the revision in `info`."""
        return {}

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Give each request the output of its line; see `Model.answer`.

        Raises:
            ModelError: if log-likelihoods are asked for, or the options stood in another order.
        """
        if any(request.continuations for request in requests):
            raise ModelError(f"replay:{self.name} has words, no log-likelihoods; use --scoring generate")
        for start in range(0, len(requests), _BATCH):
            part = range(start, min(start + _BATCH, len(requests)))
            yield [(index, self._respond(requests[index].sample)) for index in part]

    def _respond(self, sample: Sample) -> Response:
        unit = sample.unit
        for task, setting in ((unit.task, unit.setting), (unit.task, None), (None, unit.setting), (None, None)):
            row = self._rows.get((unit.id, task, setting, unit.prompt_slot, unit.rotation))
            if row is not None:
                break
        else:
            return Response(error=f"{self.name} has no line for {unit}")
        try:
            check_order(row, sample.permutation)
        except BadPredictions as error:
            raise ModelError(str(error)) from error
        if row.output is None:
            return Response(error=row.error or f"{row.file}:{row.line} has no output")
        return Response(text=row.output)
