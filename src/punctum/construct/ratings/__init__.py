"""Ratings by people: tasks for Label Studio or a page from disk, and what their results keep."""

from __future__ import annotations

import argparse

from punctum.arguments.common import data_folder, from_zero, named, positive, sentence

HELP = "let people rate items, in Label Studio or on a page from disk, and apply the papers' cuts"
ASKS = False
EXPORT = "write tasks.json and config.xml for Label Studio, and page/"
IMPORT = "read results, apply the cut, say how far raters agree"


def add(parser: argparse.ArgumentParser) -> None:
    """Add its own options."""
    from punctum.construct.ratings.questions import QUESTIONS

    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    known = ", ".join(QUESTIONS)
    out = steps.add_parser("export", help=EXPORT, description=sentence(EXPORT))
    out.add_argument("question", metavar="QUESTION", help=f"what is asked: {known}")
    out.add_argument("items", metavar="FILE|BENCH/TASK", help=(
        "JSON Lines of items, or a task whose questions are the items (negatives, accept)"))  # fmt: skip
    data_folder(out, fetches=False)
    out.add_argument("--n", type=positive, metavar="N", help="only so many pictures, drawn by --seed (default all)")
    out.add_argument("--seed", type=from_zero, default=0, metavar="N", help="of the draw and of the order (default 0)")
    out.add_argument("--out", type=named, required=True, metavar="DIR", help="the folder to fill")
    back = steps.add_parser("import", help=IMPORT, description=sentence(IMPORT))
    back.add_argument("question", metavar="QUESTION", help=f"what was asked: {known}")
    back.add_argument("results", nargs="+", metavar="F", help="Label Studio's JSON export, or files of the page")
    back.add_argument("--items", required=True, metavar="F", help="the items.jsonl that export wrote")
    back.add_argument("--raters", type=positive, metavar="N", help=(
        "an item with fewer ratings is not decided (default: as many as in the paper)"))  # fmt: skip
    back.add_argument("--out", type=named, required=True, metavar="DIR", help="the folder to fill")
    for words in (out, back):
        words.add_argument("--quiet", action="store_true", help="print nothing")


def main(args: argparse.Namespace) -> int:
    """Export or import."""
    if args.step == "export":
        from punctum.construct.ratings.sending import send

        return send(args)
    from punctum.construct.ratings.receiving import receive

    return receive(args)
