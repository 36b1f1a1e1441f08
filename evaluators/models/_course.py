"""How a series of calls to a server goes: when to give it up, and how to stop waiting when there is no more to do."""

from __future__ import annotations

import logging
import threading

_log = logging.getLogger("punctum")
_PATIENT = 10  # questions that fail one after the other before a server is given up


class Course:
    """The calls of one `Model.answer`, from several threads.

    A server is given up when so many questions in a row failed, each after all its tries: with `n` calls at a time
    twice `n`, and 10 at the least. A question that the server refuses for what is asked (too long, say) does not
    count once another has been answered.

    Attributes:
        given_up: why no further try is made; None while they are.
    """

    def __init__(self, concurrency: int) -> None:
        """Begin a series with so many calls at a time."""
        self.given_up: str | None = None
        self._patience = max(_PATIENT, 2 * concurrency)
        self._in_a_row = 0
        self._answered = False
        self._lock = threading.Lock()
        self._awake = threading.Event()

    def answered(self) -> None:
        """A question was answered."""
        with self._lock:
            self._answered = True
            self._in_a_row = 0

    def failed(self, why: str, for_its_own_sake: bool = False) -> None:
        """A question failed after all its tries.

        Args:
            why: the message.
            for_its_own_sake: the server refused this question for what it asks.
        """
        with self._lock:
            if for_its_own_sake and self._answered:
                return
            self._in_a_row += 1
            if self._in_a_row < self._patience or self.given_up is not None:
                return
            self.given_up = f"not asked, since {self._in_a_row} questions in a row failed before; the last: {why}"
        _log.warning("%d questions in a row failed; the rest is not asked. %s", self._in_a_row, why)
        self.wake()

    def end(self) -> None:
        """Nobody wants answers any more."""
        self.given_up = self.given_up or "not asked, since the run was stopped"
        self.wake()

    def wake(self) -> None:
        """Let nobody wait any more."""
        self._awake.set()

    def wait(self, seconds: float) -> None:
        """Wait before another try."""
        self._awake.wait(seconds)
