"""VAGUE's pipeline: from a picture with entities and people to an ambiguous utterance and four readings of it
(Sections 4.2 and 4.3, Appendices B.5 and B.7)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from punctum.arguments.common import positive

if TYPE_CHECKING:
    from punctum.construct.workshop import Workshop

HELP = "ambiguous utterances about pictures with people, each with four readings"
ASKS = True


def add(parser: argparse.ArgumentParser) -> None:
    """Add its own options."""
    parser.add_argument("scenes", metavar="SCENES", help=(
        "JSON array or JSON Lines: id, entities, boxes, image (or VAGUE's own rows); pictures beside it"))  # fmt: skip
    parser.add_argument("--pictures", metavar="DIR", help="folder of the pictures (default: that of SCENES)")
    parser.add_argument("--look-with", metavar="M", help=(
        "who is shown the pictures: complaints and nonexistent entities (default: --model)"))  # fmt: skip
    parser.add_argument("--min-entities", type=positive, default=2, metavar="N", help=(
        "leave out scenes with fewer (default 2)"))  # fmt: skip
    parser.add_argument("--synonyms", metavar="FILE", help=(
        "JSON {word: [synonym, …]}, which utterances must avoid beside action and object"))  # fmt: skip
    parser.add_argument("--candidates", action="store_true", help=(
        "stop after the three indirect versions, for people to rate and choose"))  # fmt: skip
    parser.add_argument("--chosen", nargs="+", default=[], metavar="FILE", help=(
        "kept.jsonl of construct ratings import direct, indirect, or both: what people kept and chose (default: the "
        "version is drawn by seed and id)"))  # fmt: skip


def main(args: argparse.Namespace, workshop: Workshop) -> int:
    """Make them."""
    from punctum.construct.vague.making import make

    return make(args, workshop)
