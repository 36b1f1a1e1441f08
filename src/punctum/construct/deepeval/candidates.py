"""Distractors for titles and deep semantics: texts of other pictures that are most similar."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from punctum import answers
from punctum.construct.deepeval.similar import Vectors, kept_vectors, most_similar, unit
from punctum.construct.deepeval.sources import Annotated
from punctum.construct.wants import Kept, Unusable
from punctum.construct.words import plain, said
from punctum.construct.workshop import Workshop
from punctum.evaluators.models._loading import check_weights, content_hash, where
from punctum.records import Response

_NONE = re.compile(r"\W*none\b", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """A text that could become a wrong option.

    Attributes:
        text: as annotated.
        of: id of the picture that it belongs to.
        cosine: its similarity to the picture, or to the right text.
    """

    text: str
    of: str
    cosine: float


class Pool:
    """The texts of a task, each once, with vectors.

    Args:
        task: `title` or `deep_semantics`.
        items: all annotated pictures.
        embed: texts to unit vectors.
        key: everything that these depend on beside the texts.
        cache: the folder of vectors.
    """

    def __init__(
        self,
        task: str,
        items: Sequence[Annotated],
        embed: Callable[[Sequence[str]], Vectors],
        key: str,
        cache: Path,
    ) -> None:
        self.task = task
        self._texts: list[tuple[str, str]] = []
        self._plain: list[str] = []
        seen: set[str] = set()
        for item in items:
            text = item.texts.get(task)
            if text is not None and plain(text) not in seen:
                seen.add(plain(text))
                self._texts.append((text, item.id))
                self._plain.append(plain(text))
        texts = [text for text, _ in self._texts]
        self._vectors = kept_vectors(cache, key, texts, lambda places: embed([texts[p] for p in places]))

    def __len__(self) -> int:
        return len(self._texts)

    def nearest(self, items: Sequence[Annotated], queries: Vectors, k: int) -> list[list[Candidate]]:
        """For each picture the k most similar texts of others, none equal to its own.

        Args:
            items: the pictures.
            queries: their vectors, or their right texts', shape (items, dimensions).
            k: how many.
        """
        own = [plain(item.texts[self.task]) for item in items]

        def allowed(query: int, place: int) -> bool:
            return self._plain[place] != own[query]

        found = most_similar(queries, self._vectors, k, allowed)
        return [[Candidate(*self._texts[place], cosine) for place, cosine in places] for places in found]

    def vectors_of(self, items: Sequence[Annotated]) -> Vectors:
        """The vectors of the pictures' own texts."""
        places = {text: place for place, text in enumerate(self._plain)}
        return np.asarray(self._vectors[[places[plain(item.texts[self.task])] for item in items]])


class Similar:
    """Who finds similar texts: a dual encoder by the picture, or sentence embeddings by the right text.

    Args:
        name: `clip:M`, or a folder or Hub id of sentence embeddings.
        load: gives a model of the package by name.
        cache: the folder of vectors.
    """

    def __init__(self, name: str, load: Callable[[str], Any], cache: Path) -> None:
        self.name = name
        self.by_picture = name.startswith("clip:")
        self._cache = cache
        self._faults: dict[str, str | None] = {}
        if self.by_picture:
            self._encoder = load(name)
            info = self._encoder.info
            self._key = f"{info.id}@{info.revision}|{sorted(self._encoder.fingerprint().items())!r}"
            self._embed: Callable[[Sequence[str]], Vectors] = self._encoder.embed_texts
        else:
            from punctum.metrics.mpnet_similarity.core import load_model

            path, local = where(name)
            if local and not any(Path(path).rglob("*.safetensors")):
                check_weights(Path(path))  # refuses: others are pickles, which the hash below would not see either
            model = load_model(path, None)
            self._key = f"sentences|{name}|{content_hash(path) if local else ''}"
            self._embed = lambda texts: unit(
                model.encode(list(texts), batch_size=32, show_progress_bar=False, convert_to_numpy=True)
            )

    def nearest(
        self, task: str, everything: Sequence[Annotated], items: Sequence[Annotated], k: int, workshop: Workshop
    ) -> dict[str, list[Candidate]]:
        """The candidates of each picture, by id; a picture that cannot be compared is listed and left out."""
        pool = Pool(task, everything, self._embed, self._key, self._cache)
        asked = [item for item in items if task in item.texts]
        if self.by_picture:
            asked, queries = self._pictures(task, asked, workshop)
        else:
            queries = pool.vectors_of(asked) if asked else np.empty((0, 1), dtype=np.float32)
        found = pool.nearest(asked, queries, k) if asked else []
        return {item.id: candidates for item, candidates in zip(asked, found, strict=True)}

    def _pictures(self, task: str, items: Sequence[Annotated], workshop: Workshop) -> tuple[list[Annotated], Vectors]:
        """The vectors of the pictures that can be read."""
        there: list[Annotated] = []
        for item in items:
            fault = self._fault_of(item)
            if fault is None:
                there.append(item)
            else:
                workshop.fault(item.id, fault, step=task)
        pictures = [item.picture for item in there if item.picture is not None]
        hashes = [picture.sha256 for picture in pictures]
        vectors = kept_vectors(
            self._cache, self._key, hashes, lambda places: self._encoder.embed_pictures([pictures[p] for p in places])
        )
        return there, vectors

    def _fault_of(self, item: Annotated) -> str | None:
        """What is wrong with an item's picture; each is decoded once, however many tasks compare it."""
        if item.id not in self._faults:
            self._faults[item.id] = _fault(item)
        return self._faults[item.id]


def _fault(item: Annotated) -> str | None:
    if item.picture is None:
        return "no picture"
    try:
        item.picture.open()
    except Exception as error:  # Pillow's plugins raise whatever a broken file brings them to
        return f"the picture cannot be read: {type(error).__name__}"
    return None


def read_numbers(candidates: Sequence[Candidate], response: Response) -> Kept:
    """Which candidates are too close: their places in the list, from 0.

    Raises:
        Unusable: if neither numbers nor "none" can be read.
    """
    text = said(response)
    if _NONE.match(text):
        return Kept([])
    parsed = answers.parse_indices(text, len(candidates), len(candidates), 1)
    if parsed.value is None:
        raise Unusable("no numbers", text[:80])
    return Kept(sorted(parsed.value))
