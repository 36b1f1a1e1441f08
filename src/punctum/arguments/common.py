"""Arguments that several commands share, and how their values are read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from punctum import _datasets, discovery
from punctum.evaluators.models import _probe
from punctum.evaluators.models._memory import parse_size

_PARSERS = "robust, paper, or a published extraction by name: mvp_direct, mvp_circular, mvp_yes_no, deepeval"


def data_arguments(parser: argparse.ArgumentParser) -> None:
    """Which task, on which data, how it is read and scored, and where the result goes."""
    parser.add_argument("benchmark", metavar="BENCH[/TASK]", help=f"one of {', '.join(discovery.benchmarks())}")
    data_folder(parser)
    parser.add_argument("--generative", action="store_true", help=(
        "of a whole benchmark, the tasks that have a model write freely instead of the default ones"))  # fmt: skip
    parser.add_argument("--subset", metavar="NAME", help="part of the data (punctum list names them)")
    parser.add_argument("--split", metavar="NAME", help="of the data, where a task has several (pitt_ads: train, test)")
    parser.add_argument("--negatives", default="hard", choices=("hard", "easy"), help="which wrong options (pitt_ads)")
    parser.add_argument("--context", metavar="I+T_V+…", help=(
        "what the model is told of a picture: I, V, T, IN, UH, T_V, T_V-UH, s_IN, s_UH, s_TV, s_gt, s_wrong, joined "
        "by + (pitt_ads; default I, or T_V+s_IN where the model reads no pictures; whoops, without s_*)"))  # fmt: skip
    parser.add_argument("--wording", metavar="NAME", help=(
        "whose wording of the prompts, where there are several (pitt_ads: gpt, vicuna, minigpt4, blip)"))  # fmt: skip
    parser.add_argument("--similarity-model", metavar="M", help=(
        "folder or Hub id of the model that compares texts (pitt_ads/aor: sentence embeddings, default "
        "all-mpnet-base-v2; vague/free_form: BERTScore's encoder, default roberta-large)"))  # fmt: skip
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N rows of each task")
    parser.add_argument(
        "--ids", type=named, metavar="F", help="only the questions whose ids this file names, one a line"
    )
    parser.add_argument("--shuffle", action="store_true", help="draw the order of options by (seed, id)")
    parser.add_argument("--seed", type=from_zero, default=0, metavar="N", help="of everything drawn (default 0)")
    parser.add_argument("--cot", action="store_true", help="zero-shot chain of thought, where the paper has one")
    parser.add_argument("--parser", default="robust", metavar="NAME", help=_PARSERS)
    parser.add_argument(
        "--max-failed", type=share, default=0.01, metavar="SHARE",
        help="no score when more than this share of the answers is missing or failed (default 0.01)",
    )  # fmt: skip
    parser.add_argument("--out", type=named, metavar="DIR", help=(
        "write results.json, predictions.jsonl, samples.jsonl and small copies of the pictures there"))  # fmt: skip
    parser.add_argument("--no-pictures", action="store_true", help="no copies of the pictures in --out")
    parser.add_argument("--json", type=named, metavar="F", help="write results.json to this file; - is the screen")
    parser.add_argument("--quiet", action="store_true", help="no progress, no table")
    parser.add_argument(
        "--resamples", type=from_zero, default=1000, metavar="N", help="of the bootstrap; 0: no intervals"
    )


def data_folder(parser: argparse.ArgumentParser, fetches: bool = True) -> None:
    """Where the data are.

    Args:
        parser: gets the options.
        fetches: whether the command downloads what is public where neither is given.
    """
    data = parser.add_mutually_exclusive_group()
    default = " (default: what is public is downloaded, once)" if fetches else ""
    data.add_argument("--data-dir", metavar="D", help=f"folder with the benchmark's files as published{default}")
    data.add_argument("--sample", action="store_true", help="the small sample that the package carries")


def rows_arguments(parser: argparse.ArgumentParser) -> None:
    """Which rows, for commands about data alone."""
    parser.add_argument("benchmark", metavar="BENCH", help=f"one of {', '.join(_datasets.benchmarks())}")
    data_folder(parser)
    parser.add_argument("--config", action="append", default=[], metavar="C", dest="configs", help=(
        "only this config, may be repeated (default: all that can be read)"))  # fmt: skip
    parser.add_argument("--builder-arg", action="append", default=[], metavar="K=V", help=(
        "for the builder, may be repeated: circular=true, strip_options=false, negatives=easy, …"))  # fmt: skip
    parser.add_argument("--strict", action="store_true", help="faults that leave a row usable are errors too")


def sentence(words: str) -> str:
    """What a command does, as the first line of its help."""
    return f"{words[:1].upper()}{words[1:]}."


def model_arguments(parser: argparse.ArgumentParser, paper: bool = False) -> None:
    """How models are loaded and write, and where their answers are kept.

    Args:
        parser: what they are added to.
        paper: whether a paper's settings can be asked for by that word.
    """
    parser.add_argument("--gen", action="append", default=[], metavar="K=V|paper" if paper else "K=V", help=(
        "generation setting, may be repeated: max_new_tokens, temperature, top_p, top_k, num_beams, …"
        + ("; or paper: what the benchmark's paper prints for the model's family" if paper else "")))  # fmt: skip
    parser.add_argument("--revision", metavar="R", help="branch, tag or commit of a Hub model")
    parser.add_argument("--dtype", default="auto", metavar="T", help="auto, float32, bfloat16, float16")
    parser.add_argument("--quantize", choices=("8bit", "4bit"), help="through bitsandbytes")
    parser.add_argument("--device", metavar="D", help="cpu, cuda, cuda:1, mps (default: the best at hand)")
    parser.add_argument("--device-map", metavar="MAP", help="handed to transformers")
    parser.add_argument("--batch-size", type=positive, default=16, metavar="N", help="questions a batch (default 16)")
    parser.add_argument("--batch-memory", type=memory, metavar="SIZE", help=(
        "memory for a batch, such as 12GB (default: found from the device; less where that was too much)"))  # fmt: skip
    parser.add_argument("--share", default="auto", choices=_probe.CHOICES, help=(
        "what questions on one picture or with one start share: all that the model allows, the encoded picture "
        "alone, or nothing (default auto)"))  # fmt: skip
    parser.add_argument("--concurrency", type=positive, default=8, metavar="N", help="calls at a time (default 8)")
    parser.add_argument("--chat-format", default="auto", metavar="NAME", help=(
        "how prompts are written: auto (template, else the family's format), template, plain, vicuna, …"))  # fmt: skip
    parser.add_argument("--trust-remote-code", action="store_true", help="run code that the model's repository brings")
    parser.add_argument("--model-arg", action="append", default=[], metavar="K=V", help="for the backend's loader")
    parser.add_argument(
        "--store", type=named, metavar="F", help="file that keeps the answers (default: in the user's cache)"
    )


def budget_arguments(parser: argparse.ArgumentParser) -> None:
    """What asking may cost, and what it would."""
    parser.add_argument("--max-calls", type=positive, metavar="N", help=(
        "stop before more than N new calls of models; every try counts, stored answers do not"))  # fmt: skip
    parser.add_argument("--max-tokens-total", type=positive, metavar="N", help=(
        "stop before the prompts and answers of new calls take more than N tokens"))  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help=(
        "load and ask nothing: print how many calls, pictures and tokens it would take, and the prompts"))  # fmt: skip


def memory(text: str) -> str:
    """A size of memory, as it was written."""
    try:
        parse_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def positive(text: str) -> int:
    """A whole number from 1 on, for argparse."""
    return _whole(text, 1, "a positive number")


def from_zero(text: str) -> int:
    """A whole number from 0 on, for argparse."""
    return _whole(text, 0, "a whole number from 0 on")


def _whole(text: str, lowest: int, what: str) -> int:
    if text.strip().lstrip("+-").isdecimal() and len(text) < 100 and int(text) >= lowest:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text or 'an empty word'} is not {what}")


def share(text: str) -> float:
    """A number from 0 to 1, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:  # neither is nan
        raise argparse.ArgumentTypeError(f"{text or 'an empty word'} is not a share: a number from 0 to 1")
    return value


def named(text: str) -> str:
    """A name of a file, a folder or a model, for argparse: an empty one would silently be no name at all."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty; give a name, or leave the option out")
    return text


def slots(text: str) -> tuple[int, ...]:
    """Numbers from 1 on, joined by commas, for argparse."""
    return tuple(positive(part) for part in text.split(","))


def key_values(pairs: Sequence[str]) -> dict[str, Any]:
    """Read `K=V` words; values are JSON where they can be, else text.

    Raises:
        ValueError: if a word has no `=`.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not name:
            raise ValueError(f"{pair!r} is not of the form K=V")
        try:
            found[name] = json.loads(value)
        except json.JSONDecodeError:
            found[name] = value
    return found


def read_text_or_file(value: str) -> str:
    """The content of a file of that name, if there is one; else the text itself."""
    path = Path(value).expanduser()
    try:
        return path.read_text(encoding="utf-8").strip() if path.is_file() else value
    except OSError:  # a text too long for a file name
        return value
