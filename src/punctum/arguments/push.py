"""The words of `punctum push`."""

from __future__ import annotations

import argparse

from punctum.arguments.common import named, sentence

HELP = "publish to the Hugging Face Hub: datasets, metrics, results, leaderboards"
ORDER = 100


def add(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")

    dataset = _what(what, "dataset", "a folder that punctum build wrote, as a dataset repository")
    dataset.add_argument("folder", metavar="FOLDER", help="what punctum build wrote")
    dataset.add_argument("--repo", required=True, metavar="OWNER/NAME", help="the dataset repository")
    dataset.add_argument("--i-may-publish", metavar="LICENCE", help=(
        "those who hold the rights let you pass on data under this licence (a refusal names it)"))  # fmt: skip
    _shared(dataset)

    metric = _what(what, "metric", "metrics as static Spaces, for evaluate.load('OWNER/NAME')")
    metric.add_argument("names", nargs="*", metavar="NAME", help="of the metric (punctum list names them)")
    metric.add_argument("--all", action="store_true", help="every metric of the package")
    metric.add_argument("--repo-owner", required=True, metavar="OWNER", help="user or organisation on the Hub")
    _shared(metric)

    results = _what(what, "results", "scores of runs, put behind those in a results dataset")
    _runs(results)
    results.add_argument("--repo", required=True, metavar="OWNER/NAME", help="the results dataset")
    results.add_argument("--with-predictions", action="store_true", help="also every answer")
    _shared(results)

    board = _what(what, "leaderboard", "a Space with the site of runs, eval.yaml, and entries for models")
    _runs(board)
    board.add_argument("--space", metavar="OWNER/NAME", help="a static Space for the site")
    board.add_argument("--title", type=named, default="Punctum", metavar="TEXT", help="of the site")
    board.add_argument("--no-figures", action="store_true", help="draw none for the site")
    board.add_argument("--i-may-publish", action="append", default=[], metavar="LICENCE", help=(
        "show questions and pictures under this licence in the site, too; may be repeated"))  # fmt: skip
    board.add_argument("--dataset", metavar="OWNER/NAME", help="the benchmark's dataset: its eval.yaml names the tasks")
    board.add_argument("--models", action="store_true", help=(
        "propose .eval_results to the repository of each model that is on the Hub; wants --dataset"))  # fmt: skip
    board.add_argument("--commit-to-models", action="store_true", help=(
        "like --models, by commits in place of pull requests"))  # fmt: skip
    board.add_argument("--model-is", action="append", default=[], metavar="MODEL=OWNER/NAME", help=(
        "which model on the Hub a run's is, where it came by a server or a file; may be repeated"))  # fmt: skip
    board.add_argument("--model-index", action="store_true", help="also into the models' cards, for older readers")
    board.add_argument("--metric", action="append", default=[], metavar="TASK=NAME", help=(
        "the one value of a task (default: accuracy, m_acc, f1_macro, …); may be repeated"))  # fmt: skip
    board.add_argument("--source", metavar="URL", help="where the values are from (default: the Space)")
    board.add_argument("--date", metavar="YYYY-MM-DD", help="of the evaluation (default: the commit's)")
    _shared(board)


def _runs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that punctum run or score wrote with --out")


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="show what would be sent, and send nothing")
    parser.add_argument("--show", action="store_true", help="with --dry-run: also what is in the files")
    parser.add_argument("--create-pr", action="store_true", help="propose it as a pull request")
    parser.add_argument("--private", action="store_true", help="make the repository a private one, where it is new")
    parser.add_argument("--quiet", action="store_true", help="nothing but the address of what was pushed")


def _what(what: argparse._SubParsersAction[argparse.ArgumentParser], name: str, words: str) -> argparse.ArgumentParser:
    return what.add_parser(name, help=words, description=sentence(words))
