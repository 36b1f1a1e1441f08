"""The papers' statistics tables for the data at hand, and how far one gets in them without looking.

Sources: DeepEval, Table 2 (words of descriptions, titles, deep semantics); VAGUE, Table B1 and Figure B1 (objects,
people, words, verbs); MVP-Bench, blocks of questions; PittAds, labels and options. The blind scores are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from punctum._datasets import Opened, builder_class, open_rows
from punctum.datasets_scripts.fetching import revision_of, sources
from punctum.statistics.columns import Columns

__all__ = ["Columns", "describe", "statistics", "wanted"]


def wanted(
    benchmark: str, configs: Iterable[str] | None = None, given: Mapping[str, Any] | None = None
) -> list[tuple[str, str | None, dict[str, Any]]]:
    """The configs of a benchmark, each with its variants: name, variant and kwargs.

    Args:
        benchmark: its name.
        configs: only these; None takes all.
        given: kwargs that are set for all; a variant that sets one of them itself is left out.

    Raises:
        ValueError: if a config is not known; names those that are.
    """
    builder = builder_class(benchmark)
    known = [config.name for config in builder.BUILDER_CONFIGS]
    chosen = known if configs is None else list(configs)
    for name in chosen:
        if name not in known:
            raise ValueError(f"{benchmark} has no config {name!r}: one of {', '.join(known)}")
    found: list[tuple[str, str | None, dict[str, Any]]] = []
    for name in chosen:
        found.append((name, None, {}))
        for variant, having, kwargs in builder.VARIANTS:
            if name in having and not set(kwargs) & set(given or ()):
                found.append((name, variant, dict(kwargs)))
    return found


def statistics(
    benchmark: str, data_dir: str | Path, configs: Iterable[str] | None = None, **kwargs: Any
) -> dict[str, Any]:
    """Count everything in a benchmark's rows.

    Args:
        benchmark: for instance `deepeval`.
        data_dir: the folder with its files.
        configs: only these; None takes all.
        **kwargs: for the builder (`strict=True`, `images="skip"`).

    Returns:
        JSON values: `benchmark`, `revision` (None if the files are not known to be published ones), `parts`
        (one a config, variant and split, as `describe` gives), and `not_at_hand`: config to the reason why it
        could not be read.

    Raises:
        ValueError: if none of the configs can be read; with `strict=True`, if one of them cannot.
    """
    parts: list[dict[str, Any]] = []
    failed: dict[str, str] = {}
    for config, variant, more in wanted(benchmark, configs, kwargs):
        try:
            opened = open_rows(benchmark, config, data_dir, **more, **kwargs)
        except (ValueError, OSError) as error:
            if kwargs.get("strict"):
                raise
            failed[config if variant is None else f"{config} ({variant})"] = str(error)
            continue
        parts += [describe(opened, config, variant, split) for split in opened.splits]
    if not parts:
        raise ValueError("; ".join(failed.values()))
    return {
        "benchmark": benchmark,
        "revision": revision_of(benchmark, Path(data_dir)),
        "homepage": sources(benchmark).homepage,
        "parts": parts,
        "not_at_hand": failed,
    }


def describe(
    opened: Opened,
    config: str,
    variant: str | None,
    split: str,
    each: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """Count one config's rows in one split.

    Args:
        opened: the config.
        config, variant, split: its names.
        each: called with every row, in order.

    Returns:
        `config`, `variant`, `split`; what `Columns.result` gives; `faults` and `left_out`: kind to the places
        where it was met (over all splits).
    """
    columns = Columns()
    for row in opened.splits[split]():
        columns.add(row)
        if each is not None:
            each(row)
    return {
        "config": config,
        "variant": variant,
        "split": split,
        **columns.result(),
        "faults": {kind: list(places) for kind, places in opened.report.faults.items()},
        "left_out": {kind: list(places) for kind, places in opened.report.skipped.items()},
    }
