"""What pickle answers for objects whose state lies in the library's memory."""
from __future__ import annotations


class NotPickled:
    """The base of classes that pickle cannot store. ``_instead`` says what a program can do instead."""

    _instead: str

    def __reduce_ex__(self, protocol):
        raise TypeError(f"{type(self).__name__}: pickle's protocol does not reach its state, which lies in the "
                        f"library's memory; {self._instead}")
