"""Objects that several threads may use, one at a time."""
from __future__ import annotations

import threading


class Turns:
    """A lock, for with statements, that goes round: who lets it go and wants it again waits for the others.

    A plain one would stay with the thread that trains in a loop. A thread that has it may take it once more,
    as the handler of a signal does.
    """

    def __init__(self):
        self._next, self._taken = threading.RLock(), threading.RLock()

    def __enter__(self) -> None:
        with self._next:
            self._taken.acquire()

    def __exit__(self, *error) -> None:
        self._taken.release()
