"""DeepEval's questions: wrong options for annotated pictures (Section 4.3, Appendix A)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from punctum.arguments.common import data_folder, positive

if TYPE_CHECKING:
    from punctum.construct.workshop import Workshop

HELP = "multiple-choice questions out of annotated pictures: description, title, deep semantics"
ASKS = True


def add(parser: argparse.ArgumentParser) -> None:
    """Add its own options."""
    data_folder(parser, fetches=False)
    parser.add_argument("--tasks", default="description,title,deep_semantics", metavar="T,…", help=(
        "which questions (default description,title,deep_semantics)"))  # fmt: skip
    parser.add_argument("--embed-with", metavar="M", help=(
        "who finds similar texts: clip:M compares the picture with texts, as in the paper; a folder or Hub id of "
        "sentence embeddings compares the right text with others (for titles and deep semantics)"))  # fmt: skip
    parser.add_argument("--candidates", type=positive, default=10, metavar="N", help=(
        "the most similar texts from which distractors are taken (default 10)"))  # fmt: skip
    parser.add_argument("--filter", default="deep_semantics", metavar="T,…|none", help=(
        "where the model sorts out texts that are too close to the right one (default deep_semantics, as in the "
        "paper, where people sort out titles)"))  # fmt: skip
    parser.add_argument("--rated", metavar="F", help=(
        "ratings.jsonl of punctum construct ratings import distractor: texts that people found confusing are left "
        "out"))  # fmt: skip


def main(args: argparse.Namespace, workshop: Workshop) -> int:
    """Make them."""
    from punctum.construct.deepeval.making import make

    return make(args, workshop)
