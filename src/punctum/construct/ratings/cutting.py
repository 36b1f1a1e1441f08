"""The papers' cuts, and the agreement of raters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.markup import escape
from rich.table import Table

from punctum.construct.ratings.label_studio import Said
from punctum.construct.ratings.questions import Question
from punctum.metrics.cohen_kappa.core import pairwise_kappa
from punctum.metrics.fleiss_kappa.core import fleiss_kappa
from punctum.tables import percent


@dataclass(frozen=True)
class Decision:
    """What ratings make of an item.

    Attributes:
        item: its id.
        said: who said what; complete answers only.
        rating: mean of the ratings that count; None without any.
        choice: the word that most chose; None where two lead.
        kept: None where it is not decided.
        why: in words, where it is not kept.
    """

    item: str
    said: tuple[Said, ...]
    rating: float | None
    choice: str | None
    kept: bool | None
    why: str | None


def decide(question: Question, item: str, said: Sequence[Said], raters: int) -> Decision:
    """Apply the question's rule to an item.

    Args:
        question: what was asked.
        item: its id.
        said: what was said of it; answers without a word or rating that was asked for do not count.
        raters: how many complete answers are needed.
    """
    whole = tuple(
        one
        for one in said
        if (one.choice is not None or not question.choices) and (one.rating is not None or not question.meanings)
    )
    choice = _leading([one.choice for one in whole if one.choice is not None])
    ratings = [one.rating for one in whole if one.rating is not None and (not question.choices or one.choice == choice)]
    mean = sum(ratings) / len(ratings) if ratings else None
    if len(whole) < raters:
        return Decision(item, whole, mean, choice, None, f"{len(whole)} of {raters} answers")
    if question.choices and question.meanings and choice is None:
        return Decision(item, whole, mean, choice, None, "two candidates lead")
    words = [str(rating) for rating in ratings] if question.meanings else [str(one.choice) for one in whole]
    kept = question.keeps(words)
    why = None if kept else "a tie" if kept is None else f"not so: {question.rule}"
    return Decision(item, whole, mean, choice, kept, why)


def _leading(words: Sequence[str]) -> str | None:
    counts = Counter(words).most_common(2)
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def summary(question: Question, decisions: Sequence[Decision], kinds: Mapping[str, str | None]) -> dict[str, Any]:
    """Counts, shares and agreement over items.

    Args:
        question: what was asked.
        decisions: one an item.
        kinds: item to its kind, where it has one.

    Returns:
        `n`, `n_kept`, `n_dropped`, `n_undecided`, `share_kept` of the decided items, `mean_rating`, `counts` of words
        and ratings, `raters` with the number of items of each, `agreement` (Fleiss' kappa, and Cohen's over pairs of
        raters, on words and on ratings, the latter with quadratic weights); for the question `negatives` also
        `true_negatives`: of the items that are no right statements, how many most raters call negative, by kind.
    """
    decided = [one for one in decisions if one.kept is not None]
    kept = [one for one in decided if one.kept]
    rated = [one.rating for one in decisions if one.rating is not None]
    said = [one for decision in decisions for one in decision.said]
    found: dict[str, Any] = {
        "question": question.name,
        "rule": question.rule,
        "n": len(decisions),
        "n_kept": len(kept),
        "n_dropped": len(decided) - len(kept),
        "n_undecided": len(decisions) - len(decided),
        "share_kept": len(kept) / len(decided) if decided else None,
        "mean_rating": sum(rated) / len(rated) if rated else None,
        "counts": {
            "choice": {word: sum(one.choice == word for one in said) for word in question.choices},
            "rating": {str(r): sum(one.rating == r for one in said) for r in range(1, len(question.meanings) + 1)},
        },
        "raters": dict(sorted(Counter(one.rater for one in said).items())),
        "agreement": {
            name: _agreement(decisions, name, ordered)
            for name, asked, ordered in (
                ("choice", question.choices, None),
                ("rating", question.meanings, list(range(1, len(question.meanings) + 1))),
            )
            if asked
        },
    }
    if question.name == "negatives":
        found["true_negatives"] = _true_negatives(decisions, kinds)
    return found


def _agreement(decisions: Sequence[Decision], name: str, ordered: list[int] | None) -> dict[str, Any]:
    """Fleiss' kappa, and Cohen's over pairs of raters; None where no item has two answers."""
    raters = sorted({one.rater for decision in decisions for one in decision.said})
    rows = [[getattr(one, name) for one in decision.said] for decision in decisions]
    if len(raters) < 2 or not any(len(row) > 1 for row in rows):
        return {"fleiss_kappa": None, "observed_agreement": None, "cohen_kappa": None}
    fleiss = fleiss_kappa(rows)
    columns = [[_of(decision, rater, name) for decision in decisions] for rater in raters]
    pairs = pairwise_kappa(columns, ordered, "quadratic" if ordered else None)
    return {
        "fleiss_kappa": fleiss["fleiss_kappa"],
        "observed_agreement": fleiss["observed_agreement"],
        "cohen_kappa": pairs["mean"],
        "cohen_kappa_lowest": pairs["lowest"],
        "cohen_kappa_highest": pairs["highest"],
        "cohen_weights": "quadratic" if ordered else None,
    }


def _of(decision: Decision, rater: str, name: str) -> Any:
    return next((getattr(one, name) for one in decision.said if one.rater == rater), None)


def _true_negatives(decisions: Sequence[Decision], kinds: Mapping[str, str | None]) -> dict[str, Any]:
    """By kind, and over all that are no right statements (persuasive ads: 1,657 of 1,669)."""
    by_kind: dict[str, list[bool]] = {}
    for one in decisions:
        if one.kept is not None:
            by_kind.setdefault(kinds.get(one.item) or "unknown", []).append(one.kept)
    wrong = [value for kind, values in by_kind.items() if kind != "correct" for value in values]
    return {
        "n": len(wrong),
        "n_negative": sum(wrong),
        "share": sum(wrong) / len(wrong) if wrong else None,
        "by_kind": {k: {"n": len(v), "n_negative": sum(v)} for k, v in sorted(by_kind.items())},
    }


def table(question: Question, found: Mapping[str, Any]) -> Table:
    """The summary for people."""
    shown = Table(title=escape(f"{question.title} · {question.rule}"), title_justify="left", header_style="bold")
    shown.add_column("what")
    shown.add_column("value", justify="right")
    for label, name in (("items", "n"), ("kept", "n_kept"), ("dropped", "n_dropped"), ("not decided", "n_undecided")):
        shown.add_row(label, f"{found[name]:,}")
    shown.add_row("kept, of the decided (%)", percent(found["share_kept"]))
    if found["mean_rating"] is not None:
        shown.add_row("mean rating", f"{found['mean_rating']:.2f}")
    if negatives := found.get("true_negatives"):
        shown.add_row("true negatives", f"{negatives['n_negative']:,} of {negatives['n']:,}")
        shown.add_row("true negatives (%)", percent(negatives["share"]))
        for kind, counts in negatives["by_kind"].items():
            shown.add_row(f"  {escape(kind)}, called negative", f"{counts['n_negative']:,} of {counts['n']:,}")
    for name, counts in found["counts"].items():
        for word, count in counts.items():
            shown.add_row(f"{name} {escape(word)}", f"{count:,}")
    shown.add_row("raters", f"{len(found['raters']):,}")
    for name, agreement in found["agreement"].items():
        for label, key in (("Fleiss' kappa", "fleiss_kappa"), ("Cohen's kappa, mean of pairs", "cohen_kappa")):
            value = agreement[key]
            shown.add_row(f"{label} ({name})", "–" if value is None else f"{value:.3f}")
    return shown
