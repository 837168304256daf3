"""Locks for objects that several threads use, one at a time."""
from __future__ import annotations

import threading


class Turns:
    """A fair lock for with statements: a thread that releases it and wants it again waits for the others.

    A plain lock would stay with the thread that trains in a loop. A thread that has the lock may take it once more, as
    a signal handler does.
    """

    def __init__(self):
        self._next, self._taken = threading.RLock(), threading.RLock()

    def __enter__(self) -> None:
        with self._next:
            self._taken.acquire()

    def __exit__(self, *error) -> None:
        self._taken.release()
