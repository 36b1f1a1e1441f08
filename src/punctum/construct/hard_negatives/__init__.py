"""Hard negatives: wrong statements made of true ones, a kind a call (persuasive atypical ads, Sections 4 and 7.3)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from punctum.arguments.common import data_folder

if TYPE_CHECKING:
    from punctum.construct.workshop import Workshop

HELP = "wrong statements made of true ones, by kinds of alteration"
ASKS = True


def add(parser: argparse.ArgumentParser) -> None:
    """Add its own options."""
    parser.add_argument("source", metavar="BENCH[/TASK]|FILE", help=(
        "pitt_ads, whoops, a task with one right option, or a .json, .jsonl or .csv of id and text"))  # fmt: skip
    data_folder(parser)
    parser.add_argument("--split", metavar="NAME", help="only this split (pitt_ads: train, test; default both)")
    parser.add_argument("--kinds", metavar="ads|whoops|KIND,…", help=(
        "which alterations: action_alter, reason_alter, adjective_alter, object_swap, statement_alter (ads); random, "
        "verb, object, adjective, causal (whoops); pitt_ads and whoops have theirs by default"))  # fmt: skip
    parser.add_argument("--near-duplicates", type=float, metavar="COSINE", help=(
        "also list negatives that are as similar to a true statement or another negative as this, by sentence "
        "embeddings (0.98, say; default: not looked for)"))  # fmt: skip
    parser.add_argument("--similarity-model", metavar="M", help=(
        "folder or Hub id of the sentence embeddings (default all-mpnet-base-v2)"))  # fmt: skip


def main(args: argparse.Namespace, workshop: Workshop) -> int:
    """Make them."""
    from punctum.construct.hard_negatives.making import make

    return make(args, workshop)
