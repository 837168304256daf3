"""Adds methods for operations that the library lists."""
from __future__ import annotations


def _method(name: str, count: int, doc: str):
    def method(self, *operands):
        if len(operands) != count:
            raise TypeError(f"{name} takes {count} operands, {len(operands)} are given")
        return self._operate(name, operands)

    method.__name__ = name
    method.__doc__ = doc
    return method


def add_methods(cls, operations: dict[str, str], summaries: dict[str, str], words) -> None:
    """Adds a method to the class for each operation. ``operations`` maps its name to letters, one for each operand, and
    ``words(letters)`` describes them. The class must have _operate(name, operands)."""
    for name, kinds in operations.items():
        method = _method(name, len(kinds), f"{summaries.get(name, name)} Operands: {words(kinds)}.")
        method.__qualname__ = f"{cls.__name__}.{name}"
        setattr(cls, name, method)
