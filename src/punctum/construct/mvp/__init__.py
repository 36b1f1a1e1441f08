"""MVP-Bench's pairs: an idea, a grounded edit, questions about both pictures (paper: data construction)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from punctum.arguments.common import positive

if TYPE_CHECKING:
    from punctum.construct.workshop import Workshop

HELP = "pairs of pictures, one edited, and questions about what changed"
ASKS = True


def add(parser: argparse.ArgumentParser) -> None:
    """Add its own options."""
    parser.add_argument("items", metavar="FILE", help=(
        "JSON Lines with id, image (a path beside the file), category (B1 … S2) and perhaps caption"))  # fmt: skip
    parser.add_argument("--ground-with", metavar="M", help="who finds boxes in pictures (default: --model)")
    parser.add_argument("--box-format", default="auto", choices=("auto", "unit", "percent", "thousand", "pixel"), help=(
        "what a grounding model's plain numbers mean (default: told from the answer)"))  # fmt: skip
    parser.add_argument("--inpaint-with", metavar="M", help="an inpainting pipeline of diffusers, Hub id or folder")
    parser.add_argument("--instruct-with", metavar="M", help="an InstructPix2Pix pipeline of diffusers (E2, S2)")
    parser.add_argument("--segment-with", metavar="M", help="a Segment Anything model of transformers (B1, R1, S1)")
    parser.add_argument("--overlap", default="area", choices=("area", "iou"), help=(
        "which mask is the subject's: the one with the largest overlap with its box, as in the paper, or intersection "
        "over union"))  # fmt: skip
    parser.add_argument("--steps", type=positive, default=50, metavar="N", help="of denoising (default 50)")
    parser.add_argument("--guidance", type=float, metavar="G", help="guidance scale (default: the pipeline's)")


def main(args: argparse.Namespace, workshop: Workshop) -> int:
    """Make them."""
    from punctum.construct.mvp.making import make

    return make(args, workshop)
