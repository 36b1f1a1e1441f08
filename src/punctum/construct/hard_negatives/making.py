"""From true statements to files of hard negatives."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from punctum.construct.hard_negatives.files import FORMS
from punctum.construct.hard_negatives.kinds import DRAWN, TWO_CLAUSES, check, chosen_kinds, clauses, ended_like
from punctum.construct.hard_negatives.sources import Item, source_of
from punctum.construct.wants import Kept, Want
from punctum.construct.words import one_sentence
from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.whoops.explanations import Pool
from punctum.records import Response

_TOKENS = 96  # a statement has some 15 words; a chatty answer says a sentence before it and one behind it


@dataclass
class Made:
    """An item with what was made of it.

    Attributes:
        negatives: (number of the true statement from 1, kind, text), in the order in which they were wanted.
        options: everything that the item's options may not repeat.
    """

    item: Item
    negatives: list[tuple[int, str, str]] = field(default_factory=list)
    options: list[str] = field(default_factory=list)


def make(args: argparse.Namespace, workshop: Workshop) -> int:
    """Ask for the hard negatives, check them, write the files.

    Raises:
        ValueError: if the source, the kinds or a threshold is not known.
        DataError: if the source cannot be read at all.
    """
    source = source_of(args)
    kinds = chosen_kinds(args.kinds, source.kinds)
    form = FORMS[source.form]
    form.check_kinds(kinds)
    if args.near_duplicates is not None and not -1 <= args.near_duplicates <= 1:
        raise ValueError(f"--near-duplicates {args.near_duplicates:g} is no cosine: -1 to 1")
    workshop.claim(form.names(kinds))
    everything = _apart(source.items(workshop), workshop)
    made = [Made(item, options=[*item.statements]) for item in islice(everything, args.limit)]
    if DRAWN in kinds:
        _draw(made, everything, workshop)
    wants = [want for one in made for want in _wants(one, kinds, workshop)]
    kept = workshop.ask(wants, _TOKENS)
    if workshop.dry_run:
        return workshop.finish()
    by_item = {one.item.id: one for one in made}
    for want, text in zip(wants, kept, strict=True):
        if text is not None:
            by_item[want.item].negatives.append((want.about["positive"], want.step, text))
    form.write(made, kinds, workshop)
    near = _near_duplicates(args, made, workshop)
    return workshop.finish(kinds=list(kinds), near_duplicates=near)


def _apart(items: Iterable[Item], workshop: Workshop) -> list[Item]:
    """The items, each id once."""
    found: dict[str, Item] = {}
    for item in items:
        if item.id in found:
            workshop.fault(item.id, "the id was there before", f"split {item.split}" if item.split else "")
        found.setdefault(item.id, item)
    return list(found.values())


def _draw(made: Sequence[Made], everything: Sequence[Item], workshop: Workshop) -> None:
    """WHOOPS!'s random kind: another item's statement, drawn by (seed, id)."""
    pool = Pool({item.id: item.statements[0] for item in everything})
    for one in made:
        drawn = pool.draw(one.item.id, workshop.seed, 1, one.options)
        if not drawn:
            workshop.fault(one.item.id, "no other statement to draw", step=DRAWN)
            continue
        one.negatives.append((1, DRAWN, drawn[0]))
        one.options.append(drawn[0])
        workshop.drawn(one.item.id, DRAWN, drawn[0])


def _wants(one: Made, kinds: Sequence[str], workshop: Workshop) -> list[Want]:
    """What to ask for an item: each kind once a true statement."""
    found = []
    for number, statement in enumerate(one.item.statements, 1):
        apart = clauses(statement) is not None
        if not apart and any(kind in TWO_CLAUSES for kind in kinds):
            workshop.fault(one.item.id, "no 'because': neither action nor reason altered", statement)
        for kind in kinds:
            if kind == DRAWN or (kind in TWO_CLAUSES and not apart):
                continue
            found.append(
                Want(
                    item=one.item.id,
                    step=kind,
                    prompt=f"construct/hard_negatives/{kind}",
                    fields={"statement": statement},
                    read=partial(_read, kind, statement, one.options),
                    stand_in=statement,
                    about={"positive": number, "statement": statement},
                )
            )
    return found


def _read(kind: str, statement: str, options: list[str], response: Response) -> Kept:
    """A negative that passes the checks; from then on the item's others may not repeat it.

    It ends with a full stop where the true statement does: models always set one, and that must not tell them apart.
    """
    found = one_sentence(response)
    text = ended_like(statement, found.value)
    check(kind, statement, text, options)
    options.append(text)
    return Kept(text, found.notes if text == found.value else (*found.notes, "full stop as in the true statement"))


def _near_duplicates(args: argparse.Namespace, made: Sequence[Made], workshop: Workshop) -> int | None:
    """List negatives that are nearly a true statement or another negative, by the cosine of sentence embeddings."""
    if args.near_duplicates is None:
        return None
    from punctum.construct.hard_negatives.similar import near_pairs

    groups = [(one.item.statements, [text for _, _, text in one.negatives]) for one in made]
    found = 0
    for group, negative, other, cosine in near_pairs(groups, args.near_duplicates, args.similarity_model):
        _, kind, text = made[group].negatives[negative]
        workshop.fault(made[group].item.id, "a near duplicate, kept", f"{cosine:.3f}: {text} / {other}", step=kind)
        found += 1
    return found
