"""From the rows of a dataset to samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from punctum.datasets_scripts.mcq import rotate_row, shuffle_row
from punctum.evaluators.options import Options
from punctum.records import Picture, Sample, Unit

Row = Mapping[str, Any]


def own_address(value: object) -> tuple[str, int | None]:
    """Read an id in the package's own form: `ID` or `ID@ROTATION`."""
    text = str(value)
    head, mark, rotation = text.rpartition("@")
    if mark and rotation.isdecimal():
        return head, int(rotation)
    return text, None


def pictures_of(row: Row) -> tuple[Picture, ...]:
    """The row's pictures, undecoded; none where the data are text only."""
    images = row.get("images") if "images" in row else [row.get("image")]
    found = []
    for image in images or []:
        if image is not None:
            found.append(Picture(path=image.get("path"), data=image.get("bytes")))
    return tuple(found)


def iterate(
    rows: Any, limit: int | None = None, columns: Sequence[str] | None = None, batch_size: int = 1000
) -> Iterator[Row]:
    """Rows of a `datasets.Dataset` as dictionaries, pictures undecoded.

    Args:
        rows: a Dataset, or any iterable of rows.
        limit: stop after so many.
        columns: those that are wanted, as far as the rows have them; None is all.
        batch_size: rows decoded from Arrow at a time.
    """
    from itertools import islice

    if hasattr(rows, "iter") and hasattr(rows, "features"):
        import datasets

        if columns is not None:
            rows = rows.select_columns([column for column in columns if column in rows.features])
        for column, feature in rows.features.items():
            if isinstance(feature, datasets.Image):
                rows = rows.cast_column(column, datasets.Image(decode=False))
        batches = rows.iter(batch_size=batch_size)
        found = (
            dict(zip(batch, values, strict=True)) for batch in batches for values in zip(*batch.values(), strict=True)
        )
    else:
        found = iter(rows)
    return islice(found, limit)


def shuffled(row: Row, options: Options) -> Row:
    """The row with its options in the order to be shown: drawn by (seed, id), or as published."""
    return {**row, **shuffle_row(row, options.seed)} if options.shuffle else row


def rotations(row: Row) -> Iterator[Row]:
    """The row in every rotation of its options."""
    for rotation in range(len(row["options"])):
        yield {**row, **rotate_row(row, rotation)}


def choice_continuations(sample: Sample, options: Options) -> tuple[str, ...]:
    """The texts whose likelihoods are compared, one an option.

    The letter of an option is its number where the options are numbered. The texts carry no space: the backend
    knows how the prompt ends once its chat template is filled, and joins.
    """
    from punctum.answers import letter

    if options.scoring != "likelihood":
        return ()
    if options.continuation == "letter":
        first = sample.first_number
        return tuple(letter(i) if first is None else str(first + i) for i in range(len(sample.options)))
    return sample.options


def choice_sample(
    row: Row,
    task: str,
    options: Options,
    fields: Mapping[str, Any],
    cluster: str | None = None,
    prompt_slot: int = 1,
    wanted: int = 1,
    first_number: int | None = None,
) -> Sample:
    """A row with options, in the order that is shown, as a question.

    Args:
        row: with the columns of a choice.
        task: the task's name.
        options: how.
        fields: what prompts and breakdowns need of the row beside its options.
        cluster: what the row is resampled with; None is its own id.
        prompt_slot, wanted, first_number: see `Unit` and `Sample`.
    """
    return Sample(
        unit_of(row, task, options, prompt_slot),
        "choice",
        tuple(row["answers"]),
        tuple(row["options"]),
        tuple(row["option_kinds"]),
        tuple(row["permutation"]),
        cluster=str(row["id"]) if cluster is None else cluster,
        pictures=pictures_of(row),
        fields=fields,
        wanted=wanted,
        first_number=first_number,
    )


def unit_of(row: Row, task: str, options: Options, prompt_slot: int = 1) -> Unit:
    """The address of a row's answer; a rotated row keeps the id of its group."""
    rotation = row.get("rotation")
    identity = row["id"] if rotation is None else row["group"]
    return Unit(str(identity), task, options.setting, prompt_slot, rotation)
