"""Asking a model: what the store has is not asked again, what comes back is stored batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from punctum.evaluators.models.base import Batch, Model
from punctum.records import Generation, Request, Response
from punctum.store import ResponseStore, canonical, key_of, model_part

#: Called with the name of what is asked and its number; what it returns is called with a number of answers and
#: whether they came from the store.
OnStage = Callable[[str, int], Callable[[int, bool], None]]


def ask(
    model: Model,
    requests: Sequence[Request],
    generation: Generation,
    store: ResponseStore | None,
    on_answers: Callable[[int, bool], None] | None = None,
) -> Iterator[tuple[int, Response]]:
    """Answer requests from the store and, for the rest, by the model.

    Equal requests are asked once. A request whose picture cannot be read fails; the others go on.

    Args:
        model: the model.
        requests: what to ask; all with continuations or all without.
        generation: how to write.
        store: where answers are kept; None keeps nothing.
        on_answers: called with a number of answers and whether they came from the store.

    Yields:
        (index into `requests`, response), every index once, stored answers first.
    """
    report = on_answers or (lambda count, stored: None)
    if store is None or not model.stored:
        for batch in model.answer(requests, generation):
            yield from batch
            report(len(batch), False)
        return
    shared = canonical(model_part(model.info, model.fingerprint(), generation))
    by_key: dict[str, list[int]] = {}
    for index, request in enumerate(requests):
        try:
            by_key.setdefault(key_of(shared, request), []).append(index)
        except (OSError, ValueError) as error:
            yield index, Response(error=f"picture cannot be read: {error}")
            report(1, False)
    known = store.get(list(by_key))
    for key, response in known.items():
        yield from ((index, response) for index in by_key[key])
        report(len(by_key[key]), True)
    missing = [key for key in by_key if key not in known]
    asked = [requests[by_key[key][0]] for key in missing]
    if not asked:
        return
    for batch in model.answer(asked, generation):
        _keep(store, batch, missing, asked, model)
        for position, response in batch:
            indices = by_key[missing[position]]
            yield from ((index, response) for index in indices)
            report(len(indices), False)


def _keep(store: ResponseStore, batch: Batch, keys: Sequence[str], asked: Sequence[Request], model: Model) -> None:
    store.put(((keys[i], asked[i], response) for i, response in batch), model.info.id)
