"""Calls side by side, their answers as they come."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator

from punctum.evaluators.models._budget import OutOfBudget
from punctum.evaluators.models.base import Batch
from punctum.records import Response


def in_threads(work: Callable[[int], Response], count: int, workers: int) -> Iterator[Batch]:
    """Do numbered work in threads and yield what is done as it comes.

    The threads are daemons and take one number at a time: when the consumer stops (Ctrl-C, an error, an
    unfinished loop), no new call begins, and none that is under way keeps the process alive. A thread begins
    its next call only when the consumer has come back for more, and so has kept the last answer: a process
    that is killed loses no answer but those under way.

    Raises:
        OutOfBudget: if some work raised it, and only after the answers of all calls under way, which are paid for.
    """
    crew = _Crew(work, count)
    for _ in range(min(workers, count)):
        threading.Thread(target=crew.loop, daemon=True).start()
    left = count
    refused: OutOfBudget | None = None
    try:
        while left:
            came = crew.came()
            left -= len(came)
            answers: list[tuple[int, Response]] = []
            for number, result in came:
                if isinstance(result, Response):
                    answers.append((number, result))
                elif isinstance(result, OutOfBudget):
                    refused = refused or result
                    left -= crew.begin_no_more()
                else:
                    raise result
            if answers:
                yield answers
            crew.kept([number for number, _ in came])
        if refused is not None:
            raise refused
    finally:
        crew.stop()


class _Crew:
    """The threads' side of `in_threads`."""

    def __init__(self, work: Callable[[int], Response], count: int) -> None:
        self._work = work
        self._numbers = iter(range(count))
        self._lock, self._stopped = threading.Lock(), threading.Event()
        self._taken = threading.Condition()
        self._kept: set[int] = set()
        self._done: queue.SimpleQueue[tuple[int, Response | BaseException]] = queue.SimpleQueue()

    def loop(self) -> None:
        """One thread's work."""
        while not self._stopped.is_set():
            with self._lock:
                number = next(self._numbers, None)
            if number is None:
                return
            try:
                self._done.put((number, self._work(number)))
            except BaseException as error:  # goes to the consumer, who would wait for ever otherwise
                self._done.put((number, error))
            with self._taken:
                while number not in self._kept and not self._stopped.is_set():
                    self._taken.wait()

    def came(self) -> list[tuple[int, Response | BaseException]]:
        """What is done; waits for the first."""
        found = [self._done.get()]
        while not self._done.empty():
            found.append(self._done.get())
        return found

    def kept(self, numbers: list[int]) -> None:
        """Let the threads go on whose answers are kept."""
        with self._taken:
            self._kept.update(numbers)
            self._taken.notify_all()

    def begin_no_more(self) -> int:
        """Let no further number begin; returns how many have not."""
        with self._lock:
            return sum(1 for _ in self._numbers)

    def stop(self) -> None:
        """Let the threads end."""
        self._stopped.set()
        with self._taken:
            self._taken.notify_all()
