"""The files of a run: `predictions.jsonl`, `results.json`."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from punctum.records import ModelInfo, Prediction, Sample, Score
from punctum.version import __version__

SCHEMA_VERSION = 1
#: What a run or a score leaves in its folder, beside `pictures/`.
RUN_FILES = ("results.json", "predictions.jsonl", "samples.jsonl")
_LIBRARIES = (
    "datasets",
    "evaluate",
    "huggingface_hub",
    "torch",
    "transformers",
    "accelerate",
    "bitsandbytes",
    "gguf",
    "openai",
)


def prediction_line(sample: Sample, prediction: Prediction) -> str:
    """One line of `predictions.jsonl`, without its line break.

    The order of the options is there when it is not the published one, so that scoring the file again can
    tell whether it looks at the same letters.
    """
    unit = prediction.unit
    line: dict[str, Any] = {
        "id": unit.id,
        "task": unit.task,
        "setting": unit.setting,
        "prompt_slot": unit.prompt_slot,
        "rotation": unit.rotation,
        "output": prediction.output,
        "parsed": prediction.parsed,
        "rule": prediction.rule,
        "correct": prediction.correct,
        "error": prediction.error,
    }
    if prediction.verdict is not None:
        line["verdict"] = prediction.verdict
    if prediction.scores is not None:
        # rounding of floats differs between batchings; so many digits do not
        digits = 5 if prediction.rule == "similarity" else 3
        line["scores"] = [round(score, digits) for score in prediction.scores]
    if sample.permutation and list(sample.permutation) != sorted(sample.permutation):
        line["permutation"] = sample.permutation
    return json.dumps(line, ensure_ascii=False)


def results(benchmark: str, model: ModelInfo, scores: Iterable[Score]) -> dict[str, Any]:
    """The content of `results.json`. It has no times in it: equal runs give equal bytes."""
    return {
        "schema_version": SCHEMA_VERSION,
        "benchmark": benchmark,
        "model": asdict(model),
        "tasks": {score.task.rpartition("/")[2]: _task(score) for score in scores},
        "environment": environment(),
    }


def _task(score: Score) -> dict[str, Any]:
    return {
        "n": score.n,
        "n_unparsed": score.n_unparsed,
        "n_failed": score.n_failed,
        "metrics": dict(score.metrics),
        "intervals": {name: list(pair) for name, pair in score.intervals.items()},
        "breakdowns": dict(score.breakdowns),
        "signature": score.signature,
    }


def environment() -> dict[str, str]:
    """Versions of what a score depends on. Nothing is imported for it."""
    found = {"punctum": __version__, "python": platform.python_version(), "platform": platform.system()}
    for library in _LIBRARIES:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            continue
    return found


def dump(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON as it stands in files: indented, with a line break at the end; nan is refused."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    r"""Write a text file that appears whole or not at all.

    Halves of characters, which JSON can carry (`"\ud83d"`) and UTF-8 cannot, are written as JSON spells them.
    """
    with _whole(path) as partial, partial.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        yield file


def write_whole(path: Path, content: bytes) -> None:
    """Write a file of bytes that appears whole or not at all."""
    with _whole(path) as partial:
        partial.write_bytes(content)


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Another name beside the file, of this process alone, that takes its place when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        if error.errno is not None and error.filename is None:  # a full disk does not say which
            error.filename = str(path)
        raise
    finally:
        partial.unlink(missing_ok=True)


def refuse_own_input(out: Path, names: Sequence[str], inputs: Sequence[str]) -> None:
    """Refuse to write over what is read.

    Args:
        out: where files will be written.
        names: of the files.
        inputs: paths of those that are read.

    Raises:
        ValueError: that names the file.
    """
    for path in map(Path, inputs):
        if path.name in names and path.exists() and (out / path.name).resolve() == path.resolve():
            raise ValueError(f"{path} would be written over; name another folder with --out")


def write_results(path: Path, value: Mapping[str, Any]) -> None:
    """Write `results.json`."""
    with whole_file(path) as file:
        file.write(dump(value))
