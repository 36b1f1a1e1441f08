"""Work on pictures that is not done twice, and that is done while the model is busy."""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_KEPT = 3  # pictures of the question at hand, of the one prepared ahead, and one to spare


class Remembering:
    """An image processor that remembers what it made of the last pictures.

    A processor resizes and normalises the pictures of every question anew, also where nine questions show the same
    one. This stands in its place, and recognises the decoded pictures by their identity.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._made: OrderedDict[Any, tuple[Any, Any]] = OrderedDict()
        self._lock = threading.Lock()
        self._usual: tuple[bool, dict[str, Any]] | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy and pickle look for these before there is an inner one
            raise AttributeError(name)
        return getattr(self._inner, name)

    def __call__(self, images: Any, *args: Any, **kwargs: Any) -> Any:
        """As the image processor; what it returns is a copy that may be changed."""
        if args or not isinstance(images, (list, tuple)):
            return self._inner(images, *args, **kwargs)
        nested = bool(images) and isinstance(images[0], (list, tuple))
        rows = images if nested else [images]
        key = (nested, tuple(tuple(map(id, row)) for row in rows), repr(sorted(kwargs.items())))
        with self._lock:
            self._usual = (nested, kwargs)
            known = self._made.get(key)
        if known is None:  # outside the lock: what is at hand must not wait for pictures prepared ahead
            # The pictures are kept along with the result, so that no other picture gets the identity of one.
            known = (images, self._inner(images, **kwargs))
        with self._lock:
            self._made[key] = known
            self._made.move_to_end(key)
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return copy.copy(known[1])

    def prepare(self, rows: Sequence[Sequence[Any]]) -> None:
        """Process the pictures of a batch to come as the last ones were, so that they are at hand then."""
        if self._usual is None or not any(rows):
            return
        nested, kwargs = self._usual
        try:
            self([list(row) for row in rows] if nested else [image for row in rows for image in row], **kwargs)
        except Exception:  # whoever asks for them meets the same error, and can say whose pictures they are
            return


def ahead(items: Iterable[T], work: Callable[[T], R]) -> Iterator[tuple[T, R]]:
    """Each item with what `work` made of it in a thread, one item ahead of whoever takes them.

    An error of `work` is raised where its item is due.
    """
    waiting: tuple[T, Future[R]] | None = None
    with ThreadPoolExecutor(1, thread_name_prefix="punctum-ahead") as pool:
        for item in items:
            due, waiting = waiting, (item, pool.submit(work, item))
            if due is not None:
                yield due[0], due[1].result()
        if waiting is not None:
            yield waiting[0], waiting[1].result()
