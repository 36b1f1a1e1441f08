"""The kinds of hard negatives, and what a program can check of each (ads: Section 4; WHOOPS!: Section 7.3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from punctum.construct.wants import Unusable
from punctum.construct.words import has_words, plain

ADS = ("action_alter", "reason_alter", "adjective_alter", "object_swap", "statement_alter")
WHOOPS = ("random", "verb", "object", "adjective", "causal")
SETS = {"ads": ADS, "whoops": WHOOPS}

#: Drawn from other items' statements; no model writes it.
DRAWN = "random"

#: These kinds take a statement apart into action and reason.
TWO_CLAUSES = ("action_alter", "reason_alter")

_BECAUSE = re.compile(r"\bbecause\b", re.IGNORECASE)
_LONGEST = 2.0  # times the words of the true statement, and ten more: beyond is talk, not a statement
_SAME_WORDS = 0.5  # of the true statement that one altered word must leave
_SAME_BEGINNING = 1 / 3  # of the true statement that "the first half" is at least


def chosen_kinds(words: str | None, default: str | None) -> tuple[str, ...]:
    """The kinds that `--kinds` names.

    Args:
        words: a set's name, or kinds joined by commas; None takes the default.
        default: the set of the source; None where it has none.

    Raises:
        ValueError: that names the known ones, if one is not known or nothing says which.
    """
    known = [*SETS, *ADS, *WHOOPS]
    if words is None and default is None:
        raise ValueError(f"say which kinds of hard negatives to make: --kinds with {', '.join(known)}")
    found: list[str] = []
    for word in (words or str(default)).split(","):
        name = word.strip().replace("-", "_")
        if name not in known:
            raise ValueError(f"no kind of hard negative {word.strip()!r}; known: {', '.join(known)}")
        found.extend(SETS.get(name, (name,)))
    return tuple(dict.fromkeys(found))


def clauses(statement: str) -> tuple[str, str] | None:
    """Action and reason of a statement, split at its first "because"; None where there are no two."""
    action, *reason = _BECAUSE.split(statement, maxsplit=1)
    if not reason or not has_words(action) or not has_words(reason[0]):
        return None
    return action.strip(" ,;"), reason[0].strip()


def ended_like(true: str, negative: str) -> str:
    """The negative with a full stop at its end where the true statement has one, and without where it has none."""
    bare = negative.rstrip()
    if true.rstrip().endswith("."):
        return bare if bare.endswith((".", "!", "?", "…")) else f"{bare}."
    return bare[:-1].rstrip() if bare.endswith(".") and not bare.endswith("..") else bare


def check(kind: str, true: str, negative: str, others: Sequence[str]) -> None:
    """Refuse what is no hard negative of its kind, as far as a program can tell.

    Args:
        kind: which.
        true: the statement that it was made of.
        negative: what was written.
        others: all options that are there already, true ones included.

    Raises:
        Unusable: with the reason.
    """
    words = plain(negative)
    if words == plain(true):
        raise Unusable("equal to the true statement")
    equal = next((other for other in others if plain(other) == words), None)
    if equal is not None:
        raise Unusable("equal to another option", equal)
    longest = int(_LONGEST * len(plain(true).split())) + 10
    if len(words.split()) > longest:
        raise Unusable("too long for a statement", f"{len(words.split())} words, of {longest} at the most")
    _CHECKS.get(kind, _one_sentence)(true, negative)


def _one_sentence(true: str, negative: str) -> None:
    """A statement of action and reason must stay one."""
    if clauses(true) is not None and clauses(negative) is None:
        raise Unusable("no 'because'", "the true statement has one")


def _same_reason(true: str, negative: str) -> None:
    _one_sentence(true, negative)
    before, after = clauses(true), clauses(negative)
    if before and after and plain(before[1]) != plain(after[1]):
        raise Unusable("the reason changed", f"{before[1]!r} became {after[1]!r}")


def _same_action(true: str, negative: str) -> None:
    _one_sentence(true, negative)
    before, after = clauses(true), clauses(negative)
    if before and after and plain(before[0]) != plain(after[0]):
        raise Unusable("the action changed", f"{before[0]!r} became {after[0]!r}")


def _same_words(true: str, negative: str) -> None:
    """One word is replaced: most stay."""
    before, after = Counter(plain(true).split()), Counter(plain(negative).split())
    kept = sum((before & after).values())
    if kept < _SAME_WORDS * sum(before.values()):
        raise Unusable("another sentence", f"{kept} of {sum(before.values())} words are kept")


def _same_beginning(true: str, negative: str) -> None:
    """The first half stays. Where it ends nobody says; a third of the words is the least that one would call so."""
    before, after = plain(true).split(), plain(negative).split()
    same = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    if same < int(_SAME_BEGINNING * len(before)):
        raise Unusable("the first half changed", f"{same} of {len(before)} words are kept")


_CHECKS: dict[str, Callable[[str, str], None]] = {
    "action_alter": _same_reason,
    "reason_alter": _same_action,
    "verb": _same_words,
    "object": _same_words,
    "adjective": _same_words,
    "causal": _same_beginning,
}
