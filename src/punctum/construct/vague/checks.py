"""What a program can check of VAGUE's texts, and what it reads out of models' words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from punctum.construct.wants import Kept, Unusable
from punctum.construct.words import has_words, labelled, one_sentence, plain, refuse_cut, said, stem, stems, unquoted
from punctum.records import Response

STYLES = ("sarcasm", "humor", "meme")
MOST_WORDS = 15

_FUNCTION_WORDS = """
a an the some any all both each every this that these those his her their its your my our of off on out over up
down in into to from with without for at by about around away back again through under near next and or but not
no is are be been being it them him they he she you i we so as than then there here more very just please person
who which what when where while if because before after during against until between across along upon s
"""
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
_GREETING = re.compile(r"hey,?\s+person\s*(\d+)\b", re.IGNORECASE)
_UTTERANCE = re.compile(r"hey,?\s+person\s*\d+\b[^\n]*", re.IGNORECASE)
_MISREAD = re.compile(r"the\s+speaker\s+wants\s+person\s*\d+\s+to\b[^\n]*", re.IGNORECASE)
_DETERMINED = re.compile(
    r"\b(?:a|an|the|some|any|his|her|their|its|your|this|that|these|those|another)\s+(?=((?:\w+ ?){1,5}))"
)


def read_direct(response: Response, entities: Sequence[str], people: int) -> Kept:
    """The direct complaint, its solution and a caption, from an answer in the form of Figure J8.

    Args:
        response: the answer.
        entities: the things that the triplet's object may be.
        people: how many have a number.

    Returns:
        `direct`, `person` ("person1"), `action`, `object` (as the list spells it), `caption`.

    Raises:
        Unusable: if the form is another, nobody with a number is addressed, the complaint and the triplet address
            different people, or the object is none of the entities.
    """
    refuse_cut(response)
    parts = labelled(said(response), ("Prompt", "Solution", "Caption"))
    direct = _without_brackets(parts["Prompt"])
    greeted = _GREETING.match(direct)
    if greeted is None or not 1 <= int(greeted[1]) <= people:
        raise Unusable("addresses nobody with a tag", f"{direct[:60]!r}; {people} people")
    triplet = [part.strip(" '\"") for part in _without_brackets(parts["Solution"]).split(",")]
    if len(triplet) < 3 or not all(map(has_words, triplet)):
        raise Unusable("no triplet", parts["Solution"][:80])
    person, action, thing = triplet[0], triplet[1], ", ".join(triplet[2:])
    if plain(person).replace(" ", "") != f"person{int(greeted[1])}":
        raise Unusable("complaint and solution address different people", f"{greeted[0]}, {person}")
    entity = _entity(thing, entities)
    if entity is None:
        raise Unusable("the object is no entity of the scene", thing)
    name = f"person{int(greeted[1])}"
    return Kept({"direct": direct, "person": name, "action": action, "object": entity, "caption": parts["Caption"]})


def _without_brackets(text: str) -> str:
    text = unquoted(text)
    return unquoted(text[1:-1]) if text[:1] in "([" and text[-1:] in ")]" else text


def _entity(thing: str, entities: Sequence[str]) -> str | None:
    """The entity that is meant: the same words but for articles and endings."""
    wanted = content(thing)
    return next((entity for entity in entities if wanted and content(entity) == wanted), None)


def content(text: str) -> frozenset[str]:
    """The stems of a text's words that are no function words and no `person1`."""
    words = [word for word in plain(text).split() if word not in _FUNCTION and not re.fullmatch(r"person\d+|\d+", word)]
    return frozenset(stem(word) for word in words)


def read_option(response: Response, person: str, others: Iterable[str]) -> Kept:
    """One reading of an utterance: `The speaker wants person1 to …`, at most 15 words.

    Raises:
        Unusable: for another opening, more words, or the words of another option.
    """
    found = one_sentence(response)
    check_option(found.value, person, others)
    return found


def check_option(text: str, person: str, others: Iterable[str]) -> None:
    """Refuse what cannot stand as an option; see `read_option`."""
    opening = plain(f"The speaker wants {person} to")
    if not re.match(rf"{opening} \w", plain(text)):
        raise Unusable("another opening", text[:60])
    n_words = len(text.split())
    if n_words > MOST_WORDS:
        raise Unusable(f"more than {MOST_WORDS} words", f"{n_words}")
    if plain(text) in {plain(other) for other in others}:
        raise Unusable("equal to another option")


def read_correct(response: Response, person: str, thing: str) -> Kept:
    """The right reading, which names the object of the triplet.

    Raises:
        Unusable: as `read_option`, or if it does not.
    """
    found = read_option(response, person, ())
    if not content(thing) <= content(found.value):
        raise Unusable("does not name the object", thing)
    return found


class Indirect:
    """Reads the three indirect versions, and keeps those that pass, over all tries.

    Args:
        solution: from `read_direct`.
        correct: the right reading.
        synonyms: further words that an utterance must avoid.
    """

    def __init__(self, solution: Mapping[str, str], correct: str, synonyms: Mapping[str, Sequence[str]]) -> None:
        self._person = solution["person"]
        self._correct = correct
        named = f"{solution['action']} {solution['object']}"
        lists = [synonyms.get(word, ()) for word in (*plain(named).split(), solution["action"], solution["object"])]
        self._forbidden = content(" ".join([named, *(word for words in lists for word in words)]))
        self._good: dict[str, dict[str, str]] = {}

    def read(self, response: Response) -> Kept:
        """Three pairs of an utterance and its superficial reading, by style.

        Raises:
            Unusable: if there are not three pairs, or a style has passed in none of the tries so far.
        """
        text = said(response).replace("_", " ")
        pairs = _pairs(text)
        if len(pairs) != len(STYLES):
            raise Unusable("not in the form asked for", f"{len(pairs)} utterances with their readings")
        first: Unusable | None = None
        for style, (utterance, misread) in zip(STYLES, pairs, strict=True):
            if style in self._good:
                continue
            try:
                self._check(utterance, misread)
                if plain(utterance) in {plain(pair["indirect"]) for pair in self._good.values()}:
                    raise Unusable("equal to another version", utterance)
            except Unusable as why:
                first = first or Unusable(why.reason, f"{style}: {why.detail}")
            else:
                self._good[style] = {"indirect": utterance, "superficial": misread}
        if first is not None:
            raise first
        return self._kept()

    def at_last(self) -> Kept | None:
        """The styles that passed in some try."""
        return self._kept() if self._good else None

    def _kept(self) -> Kept:
        return Kept({style: self._good[style] for style in STYLES if style in self._good})

    def _check(self, utterance: str, misread: str) -> None:
        greeted = _GREETING.match(utterance)
        if greeted is None or f"person{int(greeted[1])}" != self._person:
            raise Unusable("addresses somebody else", utterance[:60])
        if not has_words(utterance[greeted.end() :]):
            raise Unusable("empty answer")
        named = content(utterance) & self._forbidden
        if named:
            raise Unusable("names the action or the object", f"{', '.join(sorted(named))}: {utterance}")
        check_option(misread, self._person, [self._correct])


def _pairs(text: str) -> list[tuple[str, str]]:
    """Utterances, each with the reading that follows it before the next one."""
    found = []
    for utterance, following in pairwise([*_UTTERANCE.finditer(text), None]):
        if utterance is None:
            continue
        misread = _MISREAD.search(text, utterance.end(), following.start() if following else len(text))
        if misread is not None:
            found.append((_tidy(utterance[0]), _tidy(misread[0])))
    return found


def _tidy(text: str) -> str:
    return " ".join(text.strip().strip("\"'`*) ").split())


def read_fake_scene(
    response: Response, person: str, solution: Mapping[str, str], caption: str, others: list[str]
) -> Kept:
    """The reading that fits the fake scene.

    Raises:
        Unusable: as `read_option`; if it shares no thing with the fake caption, or names action and object of the
            right reading.
    """
    found = read_option(response, person, others)
    words = content(found.value)
    if not words & content(caption):
        raise Unusable("names nothing of the fake scene", found.value)
    if content(solution["object"]) <= words and content(solution["action"]) & words:
        raise Unusable("means what is right", found.value)
    return found


def read_fake_caption(found: Kept, thing: str) -> Kept:
    """A scene that is not the real one.

    Raises:
        Unusable: if the real object is in it.
    """
    if content(thing) <= content(found.value):
        raise Unusable("names the real object", thing)
    return found


def read_nonexistent(response: Response, person: str, entities: Sequence[str], correct: str, others: list[str]) -> Kept:
    """The reading with a thing that is not in the picture.

    Raises:
        Unusable: as `read_option`, or if all things that it names are entities of the scene or of the right reading.
    """
    found = read_option(response, person, others)
    known = stems(" ".join(entities)) | content(correct)
    if not [thing for thing in things(found.value) if thing not in known]:
        raise Unusable("no object beyond the scene's", found.value)
    return found


def things(text: str) -> list[str]:
    """The stems of what a sentence names: the last words of its noun phrases, as far as articles show them.

    Without any article all content words behind the opening are taken: rough, but a tagger of words would be the
    only thing to know better, and people look at every text afterwards.
    """
    wish = re.sub(r"^the speaker wants \S+(?: \d+)? to ", "", plain(text))
    heads = []
    for phrase in _DETERMINED.findall(wish):
        words = []
        for word in phrase.split():
            if word in _FUNCTION:
                break
            words.append(word)
        if words:
            heads.append(stem(words[-1]))
    return heads or sorted(content(wish))
