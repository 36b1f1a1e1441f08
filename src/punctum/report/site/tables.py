"""A report's tables, for the site's page of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from punctum.report.grids import Grid


def tables(grids: Sequence[Grid]) -> list[dict[str, Any]]:
    """Each table with its footnotes numbered, and where they belong."""
    return [_table(grid) for grid in grids]


def _table(grid: Grid) -> dict[str, Any]:
    numbers = grid.footnotes()
    return {
        "name": grid.name,
        "title": grid.title,
        "keys": grid.keys,
        "columns": grid.columns,
        "lines": [
            {
                "kind": line.kind,
                "begins": line.begins,
                "labels": line.labels,
                "notes": [numbers[note] for note in line.notes],
                "cells": [
                    cell
                    and {"text": cell.text, "interval": cell.interval, "notes": [numbers[note] for note in cell.notes]}
                    for cell in line.cells
                ],
            }
            for line in grid.lines
        ],
        "notes": grid.notes,
        "footnotes": list(numbers),
    }
