"""Calls side by side, their answers as they come."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator

from punctum.evaluators.models.base import Batch
from punctum.records import Response


def in_threads(work: Callable[[int], Response], count: int, workers: int) -> Iterator[Batch]:
    """Do numbered work in threads and yield what is done as it comes.

    The threads are daemons and take one number at a time: when the consumer stops (Ctrl-C, an error, an
    unfinished loop), no new call begins, and none that is under way keeps the process alive. A thread begins
    its next call only when the consumer has come back for more, and so has kept the last answer: a process
    that is killed loses no answer but those under way.
    """
    numbers = iter(range(count))
    lock, stopped = threading.Lock(), threading.Event()
    taken = threading.Condition()
    kept: set[int] = set()
    done: queue.SimpleQueue[tuple[int, Response | BaseException]] = queue.SimpleQueue()

    def loop() -> None:
        while not stopped.is_set():
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            try:
                done.put((number, work(number)))
            except BaseException as error:  # goes to the consumer, who would wait for ever otherwise
                done.put((number, error))
            with taken:
                while number not in kept and not stopped.is_set():
                    taken.wait()

    for _ in range(min(workers, count)):
        threading.Thread(target=loop, daemon=True).start()
    left = count
    try:
        while left:
            came = [done.get()]
            while not done.empty():
                came.append(done.get())
            left -= len(came)
            for _, result in came:
                if isinstance(result, BaseException):
                    raise result
            yield [(number, result) for number, result in came if isinstance(result, Response)]
            with taken:
                kept.update(number for number, _ in came)
                taken.notify_all()
    finally:
        stopped.set()
        with taken:
            taken.notify_all()
