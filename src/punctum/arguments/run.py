"""The words of `punctum run`."""

from __future__ import annotations

import argparse

from punctum.arguments.common import budget_arguments, data_arguments, model_arguments, named, slots

HELP = "ask a model and score its answers"
ORDER = 30


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    data_arguments(parser)
    parser.add_argument("--model", required=True, metavar="M", help=(
        "Hub id or folder; openai:NAME[@http://host/v1]; clip:HUB-ID or folder; gguf:FILE; replay:FILE; "
        "baseline:random|first|longest|shortest; punctum:sample, the small model of the package"))  # fmt: skip
    parser.add_argument("--setting", default="vlm", choices=("vlm", "sm", "lm"), help="picture, caption, or neither")
    parser.add_argument("--prompt-slots", type=slots, metavar="1,2,3", help="which of the task's prompts (default all)")
    parser.add_argument(
        "--prompts", type=named, metavar="DIR", help="templates that replace the package's of the same name"
    )
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
        choices=("generate", "likelihood", "rank"),
        help="let the model write, compare the likelihoods of the options, or their likeness to the picture (clip:); "
        "default: what the model can do",
    )
    parser.add_argument("--continuation", default="letter", choices=("letter", "text", "text_norm"), help=(
        "what likelihood compares: the options' letters, their texts, or their texts per byte"))  # fmt: skip
    parser.add_argument("--judge", type=named, metavar="M", help=(
        "the model that judges free answers (DeepEval) and unreadable yes/no answers (MVP-Bench)"))  # fmt: skip
    parser.add_argument("--judge-gen", action="append", default=[], metavar="K=V", help=(
        "how the judge writes, may be repeated (default: greedily, at most 32 tokens)"))  # fmt: skip
    parser.add_argument("--stop-early", action="store_true", help=(
        "end an answer as soon as it can be read (a choice by letter, yes or no); it might have changed"))  # fmt: skip
    model_arguments(parser, paper=True)
    budget_arguments(parser)
