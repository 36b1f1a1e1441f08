"""The command `punctum`.

Exit codes: 0 done; 1 the run or the model failed; 2 the command line, the data or a file cannot be used as
given; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from punctum import _datasets, discovery
from punctum.version import __version__

_PARSERS = "robust, paper, or a published extraction by name: mvp_direct, mvp_circular, mvp_yes_no, deepeval"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the words after `punctum`; those of the process when None.

    Returns:
        the exit code.
    """
    args = _parser().parse_args(argv)
    if getattr(args, "quiet", False):
        os.environ.setdefault("TQDM_DISABLE", "1")  # the bars of datasets and transformers
    logging.basicConfig(
        format="%(levelname)s: %(message)s",
        level=logging.ERROR if getattr(args, "quiet", False) else logging.WARNING,
    )
    command = import_module(f"punctum.commands.{args.command}")
    from punctum.commands.common import Failed

    try:
        code = command.main(args)
    except Failed as error:
        print(f"punctum {args.command}: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print(f"punctum {args.command}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 1
    except (ValueError, OSError) as error:
        print(f"punctum {args.command}: {error}", file=sys.stderr)
        return 2
    return int(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="punctum",
        description="Evaluate models on what images mean.",
        epilog=__doc__,
    )
    parser.add_argument("--version", action="version", version=f"punctum {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="benchmarks, tasks, metrics, backends, prompts and what each needs")
    listing.add_argument("--prompts", action="store_true", help="also the prompts and where their wording is from")
    listing.add_argument("--json", action="store_true", help="as JSON")
    _run_parser(commands.add_parser("run", help="ask a model and score its answers"))
    _score_parser(commands.add_parser("score", help="score answers from files"))
    _fetch_parser(commands.add_parser("fetch", help="download what is public of a benchmark; prints the folder"))
    _register_parser(commands.add_parser("register", help="let evaluate.load find the metrics by name, everywhere"))
    _info_parser(commands.add_parser("info", help="statistics, biases and faults of a benchmark's data"))
    _build_parser(commands.add_parser("build", help="write a dataset repository that loads without punctum"))
    return parser


def _data_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("benchmark", metavar="BENCH[/TASK]", help=f"one of {', '.join(discovery.benchmarks())}")
    _data_folder(parser)
    parser.add_argument("--subset", metavar="NAME", help="part of the data (punctum list names them)")
    parser.add_argument("--split", metavar="NAME", help="of the data, where a task has several (pitt_ads: train, test)")
    parser.add_argument("--negatives", default="hard", choices=("hard", "easy"), help="which wrong options (pitt_ads)")
    parser.add_argument("--context", metavar="I+T_V+…", help=(
        "what the model is told of a picture: I, V, T, IN, UH, T_V, T_V-UH, s_IN, s_UH, s_TV, s_gt, s_wrong, joined "
        "by + (pitt_ads; default I, or T_V+s_IN where the model reads no pictures)"))  # fmt: skip
    parser.add_argument("--wording", metavar="NAME", help=(
        "whose wording of the prompts, where the paper has several (pitt_ads: gpt, vicuna, minigpt4)"))  # fmt: skip
    parser.add_argument("--similarity-model", metavar="M", help=(
        "folder or Hub id of the sentence embeddings that score objects (default all-mpnet-base-v2)"))  # fmt: skip
    parser.add_argument("--limit", type=_positive, metavar="N", help="only the first N rows of each task")
    parser.add_argument("--shuffle", action="store_true", help="draw the order of options by (seed, id)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of everything drawn (default 0)")
    parser.add_argument("--cot", action="store_true", help="zero-shot chain of thought, where the paper has one")
    parser.add_argument("--parser", default="robust", metavar="NAME", help=_PARSERS)
    parser.add_argument(
        "--max-failed", type=float, default=0.01, metavar="SHARE",
        help="no score when more than this share of the answers is missing or failed (default 0.01)",
    )  # fmt: skip
    parser.add_argument("--out", metavar="DIR", help="write predictions.jsonl and results.json there")
    parser.add_argument("--json", metavar="F", help="write results.json to this file; - is the screen")
    parser.add_argument("--quiet", action="store_true", help="no progress, no table")
    parser.add_argument("--resamples", type=int, default=1000, metavar="N", help="of the bootstrap; 0: no intervals")


def _data_folder(parser: argparse.ArgumentParser) -> None:
    data = parser.add_mutually_exclusive_group()
    data.add_argument("--data-dir", metavar="D", help=(
        "folder with the benchmark's files as published (default: what is public is downloaded, once)"))  # fmt: skip
    data.add_argument("--sample", action="store_true", help="the small sample that the package carries")


def _fetch_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("benchmark", metavar="BENCH", help=f"one of {', '.join(_datasets.benchmarks())}")
    parser.add_argument("--out", metavar="DIR", help="the folder to fill (default: one in the cache)")
    parser.add_argument("--quiet", action="store_true", help="no progress, nothing but the folder")


def _rows_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("benchmark", metavar="BENCH", help=f"one of {', '.join(_datasets.benchmarks())}")
    _data_folder(parser)
    parser.add_argument("--config", action="append", default=[], metavar="C", dest="configs", help=(
        "only this config, may be repeated (default: all that can be read)"))  # fmt: skip
    parser.add_argument("--builder-arg", action="append", default=[], metavar="K=V", help=(
        "for the builder, may be repeated: circular=true, strip_options=false, negatives=easy, …"))  # fmt: skip
    parser.add_argument("--strict", action="store_true", help="faults that leave a row usable are errors too")


def _info_parser(parser: argparse.ArgumentParser) -> None:
    _rows_arguments(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def _build_parser(parser: argparse.ArgumentParser) -> None:
    _rows_arguments(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to make; must not exist, or be empty")
    parser.add_argument("--force", action="store_true", help="replace what an earlier build left there")
    parser.add_argument("--variants", action="store_true", help="also the configs' other forms, as configs too")
    parser.add_argument("--shard-mb", type=_positive, default=500, metavar="N", help="size of a file (default 500)")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")


def _register_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help="take them out of evaluate's cache again")
    parser.add_argument("--quiet", action="store_true", help="print nothing")


def _run_parser(parser: argparse.ArgumentParser) -> None:
    _data_arguments(parser)
    parser.add_argument("--model", required=True, metavar="M", help=(
        "Hub id or folder; openai:NAME[@http://host/v1]; gguf:FILE; baseline:random|first|longest|shortest; "
        "replay:FILE; punctum:sample, the small model that the package carries"))  # fmt: skip
    parser.add_argument("--setting", default="vlm", choices=("vlm", "sm", "lm"), help="picture, caption, or neither")
    parser.add_argument(
        "--prompt-slots", type=_slots, metavar="1,2,3", help="which of the task's prompts (default all)"
    )
    parser.add_argument("--prompts", metavar="DIR", help="templates that replace the package's of the same name")
    parser.add_argument("--circular", action="store_true", help="also ask every rotation of the options")
    parser.add_argument(
        "--describe",
        default="none",
        choices=("none", "self", "annotated"),
        help="put a description of the picture into the prompt: a model's, or the annotators' (DeepEval, Table 4)",
    )
    parser.add_argument("--describe-with", metavar="M", help="who describes (default: the model that answers)")
    parser.add_argument("--combine-with", metavar="M", help="who combines descriptions for T_V (default: who answers)")
    parser.add_argument("--statement-with", metavar="M", help="who chooses the statement s (default: who answers)")
    parser.add_argument(
        "--caption",
        default="self",
        metavar="self|meta|M|FILE",
        help="setting sm: a caption by the answering model, of the data, by another model, or from a file",
    )
    parser.add_argument("--system", metavar="TEXT|FILE|mvp_commonsense", help="system prompt")
    parser.add_argument(
        "--scoring",
        default="generate",
        choices=("generate", "likelihood"),
        help="let the model write, or compare the likelihoods of the options",
    )
    parser.add_argument("--continuation", default="letter", choices=("letter", "text", "text_norm"), help=(
        "what likelihood compares: the options' letters, their texts, or their texts per byte"))  # fmt: skip
    parser.add_argument("--gen", action="append", default=[], metavar="K=V", help=(
        "generation setting, may be repeated: max_new_tokens, temperature, top_p, top_k, num_beams, …"))  # fmt: skip
    parser.add_argument("--revision", metavar="R", help="branch, tag or commit of a Hub model")
    parser.add_argument("--dtype", default="auto", metavar="T", help="auto, float32, bfloat16, float16")
    parser.add_argument("--quantize", choices=("8bit", "4bit"), help="through bitsandbytes")
    parser.add_argument("--device", metavar="D", help="cpu, cuda, cuda:1, mps (default: the best at hand)")
    parser.add_argument("--device-map", metavar="MAP", help="handed to transformers")
    parser.add_argument("--batch-size", type=_positive, default=8, metavar="N", help="questions a batch (default 8)")
    parser.add_argument("--concurrency", type=_positive, default=8, metavar="N", help="calls at a time (default 8)")
    parser.add_argument("--trust-remote-code", action="store_true", help="run code that the model's repository brings")
    parser.add_argument("--model-arg", action="append", default=[], metavar="K=V", help="for the backend's loader")
    parser.add_argument("--store", metavar="F", help="file that keeps the answers (default: in the user's cache)")


def _score_parser(parser: argparse.ArgumentParser) -> None:
    _data_arguments(parser)
    parser.add_argument("--predictions", nargs="+", required=True, metavar="F", help="JSON Lines with id and output")
    parser.add_argument("--verdicts", nargs="+", default=[], metavar="F", help=(
        "JSON Lines with a judge's Yes, No or Unknown on unreadable yes/no answers"))  # fmt: skip
    parser.add_argument("--ignore-unknown", action="store_true", help="leave out ids that the data do not have")
    parser.add_argument("--name", metavar="NAME", help="whose answers they are (default: what the files say)")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _slots(text: str) -> tuple[int, ...]:
    return tuple(_positive(part) for part in text.split(","))


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


if __name__ == "__main__":
    sys.exit(main())
