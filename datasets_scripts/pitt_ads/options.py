"""The options of the two retrieval tasks: which wrong ones an image gets, and of what kind each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from punctum.datasets_scripts.pitt_ads.annotations import Ad, Annotation
from punctum.datasets_scripts.pitt_ads.draws import Pool, pick
from punctum.datasets_scripts.pitt_ads.statement_table import StatementTable
from punctum.datasets_scripts.pitt_ads.statements import RELATIONS, distinct, plain, statement
from punctum.datasets_scripts.reading import Report

RANDOM_IMAGES = 2  # K of Section 3.1
EASY_NEGATIVES = 12
POSITIVES = 3
CORRECT, OTHER_IMAGE, UNTOLD, UNKNOWN = "correct", "other_image", "distractor", "unknown"


@dataclass(slots=True)
class Choice:
    """Options with their kinds.

    Attributes:
        published: whether the order is that of a published file; otherwise true ones stand first.
        equal: options left out because they read as an earlier one.
    """

    texts: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    published: bool = False
    equal: list[str] = field(default_factory=list)
    _read: set[str] = field(default_factory=set)

    def add(self, kind: str, text: str) -> bool:
        """Add an option, unless one with the same words is there."""
        words = plain(text)
        if words in self._read:
            self.equal.append(text)
            return False
        self._read.add(words)
        self.texts.append(text)
        self.kinds.append(kind)
        return True

    @property
    def answers(self) -> list[int]:
        """The indices of the true options."""
        return [i for i, kind in enumerate(self.kinds) if kind == CORRECT]


def asr_choice(ad: Ad, annotation: Annotation, ads: Mapping[str, Ad], pool: Pool, seed: int, row_id: str) -> Choice:
    """The options of atypicality statement retrieval (Section 3.1): one true statement and three kinds of wrong ones.

    No wrong one is true by any annotator of the image, and none reads as another.

    Args:
        ad: the image.
        annotation: whose statement is the true one.
        ads: all images.
        pool: the images with usable objects, for the wrong ones.
        seed: of the draw.
        row_id: of the row that gets the options.
    """
    relation, primary, secondary = str(annotation.relation), annotation.primary, annotation.secondary
    true, choice = ad.true_statements(), Choice()
    choice.add(CORRECT, annotation.statement())
    swapped = statement(relation, secondary, primary)
    found = 0
    for image in pool.draw(seed, row_id):
        if found == RANDOM_IMAGES:
            break
        other = ads[image].usable[0]
        pair = [
            statement(relation, other.primary, other.secondary),
            statement(relation, other.secondary, other.primary),
        ]
        words = {plain(text) for text in pair}
        taken = true | {plain(text) for text in [swapped, *choice.texts]}
        if image == ad.image or len(words) < len(pair) or words & taken:
            continue
        for text in pair:
            choice.add("wrong_object", text)
        found += 1
    for wrong in RELATIONS:
        if wrong not in ad.labels:
            choice.add("wrong_relation", statement(wrong, primary, secondary))
    if plain(swapped) not in true:
        choice.add("swapped", swapped)
    return choice


def arr_choice(
    image: str, table: StatementTable, negatives: str, single: bool, seed: int, row_id: str, report: Report | None
) -> Choice | None:
    """The options of action-reason retrieval.

    Args:
        image: the image.
        table: the statements of its split.
        negatives: `hard` (altered true statements) or `easy` (12 statements of other images).
        single: only the first true statement among the wrong ones, instead of up to three.
        seed: of the draw of easy ones.
        row_id: of the row that gets the options.
        report: where to count faults.

    Returns:
        The options, or None if the data have no such wrong ones for the image.
    """
    entry, true = table.entries[image], table.positives(image)
    if not true and single:
        return None
    if not true:
        return _choice(((UNKNOWN, text) for text in entry.options or ()), row_id, report, published=True)
    kept = {plain(text) for text in true[: 1 if single else POSITIVES]}
    beyond = {plain(text) for text in true} - kept
    if report is not None and len(true) > POSITIVES:
        report.skip(f"true statements after the first {POSITIVES} of an image", row_id)

    def shown(options: Iterable[tuple[str | None, str]]) -> Iterable[tuple[str, str]]:
        for kind, text in options:
            words = plain(text)
            if words in kept:
                yield CORRECT, text
            elif words not in beyond:
                yield kind or (OTHER_IMAGE if words in table.all_true else UNTOLD), text

    published = [(None, text) for text in entry.options or ()]
    first = [(CORRECT, text) for text in true]
    if negatives == "easy":
        choice = _choice(shown(published), row_id, report, published=True)
        if set(choice.kinds) != {CORRECT, OTHER_IMAGE}:
            drawn = _others(image, true, table, seed, row_id)
            choice = _choice(shown([*first, *drawn]), row_id, report)
            if report is not None and 0 < len(drawn) < EASY_NEGATIVES:
                report.add(f"fewer easy negatives than {EASY_NEGATIVES}, for want of other images", row_id)
    elif image in table.hard:
        ordered = image in table.hard_order
        hard = _hard(image, table)
        choice = _choice(shown(hard if ordered else [*first, *hard]), row_id, report, published=ordered)
    else:
        choice = _choice(shown(published), row_id, report, published=True)
        if report is not None and OTHER_IMAGE in choice.kinds:
            report.add("hard negatives that are other images' true statements", row_id)
    return choice if len(choice.answers) < len(choice.texts) else None


def _choice(options: Iterable[tuple[str, str]], row_id: str, report: Report | None, published: bool = False) -> Choice:
    choice = Choice(published=published)
    for kind, text in options:
        choice.add(kind, text)
    if choice.equal and report is not None:
        report.add("equal options, the later left out", row_id)
    return choice


def _hard(image: str, table: StatementTable) -> list[tuple[str | None, str]]:
    """The hard negatives, by kind; in the order of the mixed file where there is one, kinds known from the others."""
    known = {plain(text): kind for kind, text in reversed(table.hard[image]) if kind is not None}
    if image in table.hard_order:
        order = [*(table.hard_order[image].options or ()), *(text for _, text in table.hard[image])]
        return [(known.get(plain(text)), text) for text in distinct(order)]
    return list(table.hard[image])


def _others(image: str, true: list[str], table: StatementTable, seed: int, row_id: str) -> list[tuple[str, str]]:
    """Statements of other images, one an image, none that is true here, none twice."""
    taken = {plain(text) for text in true}
    found: list[tuple[str, str]] = []
    for other in table.pool.draw(seed, row_id):
        if len(found) == EASY_NEGATIVES:
            break
        texts = table.positives(other)
        text = texts[pick(len(texts), seed, row_id, other)]
        if other != image and plain(text) not in taken:
            taken.add(plain(text))
            found.append((OTHER_IMAGE, text))
    return found
