"""What a dataset repository says of itself: its card, its columns in the forms all versions read, `eval.yaml`.

datasets 4 renamed the feature `Sequence` to `List`; versions before it know the old name only, and later ones
read both, so the old one is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from punctum.statistics.show import faults, markdown
from punctum.version import __version__

_CARDS = Path(__file__).parent / "datasets_scripts"


@dataclass
class Split:
    """A split that was written: rows, bytes before compression, bytes of its files."""

    name: str
    rows: int
    size: int
    file_size: int


@dataclass
class Config:
    """A config that was written.

    Attributes:
        name: its name; its files are in a folder of that name.
        description: one sentence.
        features: its columns.
        splits: in their order.
    """

    name: str
    description: str
    features: Any
    splits: list[Split] = field(default_factory=list)


@dataclass(frozen=True)
class Origin:
    """Whose rows they are.

    Attributes:
        sample: whether they are those of the sample that the package carries.
        title, licence: of data of one's own in the benchmark's form; None where they are the benchmark's.
        construction: `construct.json` of the folder, where `punctum construct` made files in it.
    """

    sample: bool = False
    title: str | None = None
    licence: str | None = None
    construction: Mapping[str, Any] | None = None

    def of(self, head: Mapping[str, Any]) -> str:
        """The name of the rows, given the head of the benchmark's card."""
        name = str(head["pretty_name"])
        return self.title or (f"{name} (sample)" if self.sample else name)


def card(
    benchmark: str,
    origin: Origin,
    configs: Sequence[Config],
    statistics: Mapping[str, Any],
    options: Mapping[str, Any],
) -> str:
    """The README of a dataset repository.

    Args:
        benchmark: whose `card.md` is taken; its head gives licence and name.
        origin: whose rows they are.
        configs: what was written.
        statistics: of its rows.
        options: the builder's, for the record.
    """
    head, body = read_card(benchmark)
    if origin.title:
        kept = {name: value for name, value in head.items() if name in ("language", "task_categories", "tags")}
        head = {"license": origin.licence, "pretty_name": origin.title, **kept}
        body = _OWN.format(benchmark=benchmark, licence=origin.licence)
    elif origin.sample:
        head = {**head, "license": "apache-2.0", "pretty_name": f"{head['pretty_name']} – a sample in its form"}
        head["tags"] = ["sample", *(head.get("tags") or ())]
        body = _SAMPLE.format(benchmark=benchmark)
    rows = sum(split.rows for config in configs for split in config.splits)
    head = {
        **head,
        "size_categories": [_size_category(rows)],
        "configs": [_config_entry(config) for config in configs],
        "dataset_info": [_info_entry(config) for config in configs],
    }
    made = _made(benchmark, origin, configs, statistics, options)
    found = faults(statistics)
    told = "\n".join(f"- {line}" for line in found) if found else "None."
    sections = [
        f"# {head['pretty_name']}",
        body.strip(),
        "## Configs\n\n" + "\n".join(f"- `{config.name}`: {config.description}" for config in configs),
        "## How this copy was made\n\n" + made,
        "## What was odd about the files\n\n" + told,
        "## Statistics\n\n" + _ABOUT_STATISTICS + "\n\n" + markdown(statistics).strip(),
    ]
    front = yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=1000)
    return f"---\n{front}---\n" + "\n\n".join(sections) + "\n"


def read_card(benchmark: str) -> tuple[dict[str, Any], str]:
    """Head and body of a benchmark's `card.md`; a bare head where there is none."""
    file = _CARDS / benchmark / "card.md"
    if not file.is_file():
        return {"license": "other", "pretty_name": benchmark}, ""
    _, front, body = file.read_text(encoding="utf-8").split("---\n", 2)
    head: dict[str, Any] = yaml.safe_load(front)
    return head, body


def eval_yaml(benchmark: str, origin: Origin, configs: Sequence[Config]) -> dict[str, Any]:
    """The Hub's description of a benchmark: a task a config and split."""
    name = origin.of(read_card(benchmark)[0])
    tasks = [
        {"id": config.name if len(config.splits) == 1 else f"{config.name}_{split.name}"}
        | {"config": config.name, "split": split.name}
        for config in configs
        for split in config.splits
    ]
    return {
        "name": name,
        "description": " ".join([f"{name}.", *dict.fromkeys(config.description for config in configs)]),
        "evaluation_framework": "punctum",
        "tasks": tasks,
    }


def parquet_schema(features: Any) -> Any:
    """The Arrow schema of the columns, with what `datasets` needs to know that a column holds pictures."""
    columns = {name: _as_json(feature) for name, feature in features.items()}
    return features.arrow_schema.with_metadata({"huggingface": json.dumps({"info": {"features": columns}})})


def picture_columns(features: Any) -> list[str]:
    """The columns that hold a picture, or a list of pictures."""
    return [
        name
        for name, feature in features.items()
        if any(type(what).__name__ == "Image" for what in (feature, _inner(feature)))
    ]


def _inner(feature: Any) -> Any:
    """The feature of a list's entries; None if it is no list."""
    return feature[0] if isinstance(feature, list) else getattr(feature, "feature", None)


def _as_json(feature: Any) -> Any:
    if isinstance(feature, dict):
        return {name: _as_json(value) for name, value in feature.items()}
    inner = _inner(feature)
    if isinstance(inner, dict):
        return [_as_json(inner)]
    if inner is not None:
        return {"feature": _as_json(inner), "_type": "Sequence"}
    if hasattr(feature, "dtype") and type(feature).__name__ == "Value":
        return {"dtype": feature.dtype, "_type": "Value"}
    return {"_type": type(feature).__name__}


def _as_yaml(feature: Any) -> dict[str, Any]:
    if isinstance(feature, dict):
        return {"struct": [{"name": name, **_as_yaml(value)} for name, value in feature.items()]}
    inner = _inner(feature)
    if isinstance(inner, dict):
        return {"list": _as_yaml(inner)["struct"]}
    if inner is not None:
        entry = _as_yaml(inner)
        return {"sequence": entry["dtype"] if set(entry) == {"dtype"} else entry}
    name = type(feature).__name__
    return {"dtype": feature.dtype if name == "Value" else name.lower()}


def _config_entry(config: Config) -> dict[str, Any]:
    files = [{"split": split.name, "path": f"{config.name}/{split.name}-*.parquet"} for split in config.splits]
    return {"config_name": config.name, "data_files": files}


def _info_entry(config: Config) -> dict[str, Any]:
    return {
        "config_name": config.name,
        "features": [{"name": name, **_as_yaml(feature)} for name, feature in config.features.items()],
        "splits": [{"name": s.name, "num_bytes": s.size, "num_examples": s.rows} for s in config.splits],
        "download_size": sum(split.file_size for split in config.splits),
        "dataset_size": sum(split.size for split in config.splits),
    }


def _size_category(rows: int) -> str:
    bounds = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    return next((name for bound, name in bounds if rows < bound), "1M<n<10M")


def _made(
    benchmark: str,
    origin: Origin,
    configs: Sequence[Config],
    statistics: Mapping[str, Any],
    options: Mapping[str, Any],
) -> str:
    revision = statistics["revision"]
    if origin.title:
        source = "files of its authors' own"
    elif origin.sample:
        source = "the sample that the package carries"
    elif revision:
        source = f"revision `{revision}` of {statistics['homepage']}"
    else:
        source = f"files that are not known to be a published revision of {statistics['homepage'] or 'it'}"
    settings = ", ".join(f"`{name}={value!r}`" for name, value in sorted(options.items())) or "defaults"
    where = f"By `punctum build {benchmark}` (punctum {__version__}) from {source}. Builder settings: {settings}."
    if origin.construction:
        where += f"\n\n{_constructed(origin.construction)}"
    load = f'load_dataset("PATH OR NAME OF THIS REPOSITORY", "{configs[0].name}", split="{configs[0].splits[0].name}")'
    return f"{where}\n\n```python\nfrom datasets import load_dataset\n\nrows = {load}\n```"


def _constructed(record: Mapping[str, Any]) -> str:
    models = ", ".join(dict.fromkeys(f"`{model['id']}`" for model in record.get("models") or ())) or "no model"
    files = ", ".join(f"`{name}`" for name in record.get("files") or ())
    return f"`punctum construct {record['kind']}` made of these files, by {models}: {files}."


_ABOUT_STATISTICS = (
    "Words are counted by blanks, lengths in characters. *Accuracy without looking* is what one gets by choosing "
    "an option by its form alone, ties drawn: where it is far from chance, a score says less about the picture."
)
_SAMPLE = """
**This is not the benchmark.** It is the small sample that Punctum carries so that
every step of `{benchmark}` can be tried without a download: drawings, questions and answers are Punctum's own, in
the form of the published files. A score on it says nothing about how a model understands pictures.

Licence: Apache-2.0.
"""
_OWN = """
**This is not the benchmark whose form it has.** Its rows were not published by the authors of `{benchmark}`; they are
in the form of its files, so that what reads and asks these reads and asks them.

**Licence.** {licence}, as whoever built it says.
"""
