"""What arguments are taken, and what is said of others."""
from __future__ import annotations

import math
import operator
import os

import numpy as np

from ._convert import is_number

#: the largest numbers that the library's functions take
MOST_INT, MOST_INT64, MOST_UINT64 = 2**31 - 1, 2**63 - 1, 2**64 - 1


def number(name: str, value) -> float:
    """A number as a double. Raises TypeError for what is none, texts among it."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except (TypeError, ValueError, RuntimeError):  # the latter of tensors of several numbers
        pass
    raise TypeError(f"{name} must be a float, not {value!r}")


def two_numbers(name: str, value) -> tuple[float, float]:
    """A pair of numbers, as betas are. Raises TypeError for what is not two numbers."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be two numbers, as (0.9, 0.999), not {value!r}") from None
    return number(f"{name}[0]", first), number(f"{name}[1]", second)


def whole(name: str, value, least: int = 0, most: int = MOST_INT64) -> int:
    """A whole number. Raises TypeError for what is none, ValueError for one that is too small or too large."""
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {value!r}") from None
    if not least <= found <= most:
        raise ValueError(f"{name} must be {f'at least {least}' if found < least else f'at most {most}'}, "
                         f"not {found}")
    return found


def whole_number(name: str, value) -> int:
    """A whole number of either sign that the library holds."""
    return whole(name, value, -MOST_INT64)


def word(x) -> str:
    """A text that the library can quote where it does not know it: halves of characters are written out."""
    return str(x).encode("utf-8", "backslashreplace").decode()


def set_option(target, name: str, value) -> None:
    """Sets an option of the library's. Raises TypeError for a value of another type, ValueError for a whole
    number that is too small or too large."""
    try:
        setattr(target, name, value)
    except TypeError:
        kind = type(getattr(target, name))
        if kind is int and whole(name, value, -math.inf, math.inf) is not None:
            raise ValueError(f"{name} {value} is out of range") from None
        raise TypeError(f"{name} must be a {kind.__name__}, not {value!r}") from None


def real_array(name: str, x, kind) -> np.ndarray:
    """Real numbers as a NumPy array of one type, on memory that may be written (tensors have no other).
    Raises TypeError for others."""
    values = np.asarray(x)
    objects = values.dtype.kind == "O" and all(map(is_number, values.flat))
    if values.dtype.kind not in "fiub" and not objects:
        raise TypeError(f"{name}: real numbers are taken, not {values.dtype}")
    values = values.astype(kind, copy=False)
    return values if values.flags.writeable and values.flags.aligned else values.copy()


def result_kind(operands) -> np.dtype:
    """The type of floats in which NumPy computes with these, at most double: arrays and lists decide or, where
    there are none, NumPy's numbers. Double where these are not of floats."""
    arrays = [np.asarray(x).dtype for x in operands if np.ndim(x) > 0]
    kinds = arrays or [x.dtype for x in operands if isinstance(x, np.generic)]
    if not {"f"} <= {kind.kind for kind in kinds} <= set("fiub"):
        return np.dtype(np.float64)
    kind = np.result_type(*kinds)
    return kind if kind in (np.float32, np.float16) else np.dtype(np.float64)


def whole_array(name: str, x) -> np.ndarray:
    """Whole numbers as a NumPy array of int64. Raises TypeError for others."""
    values = np.asarray(x)
    if values.dtype.kind not in "iu" and values.size > 0:
        raise TypeError(f"{name}: whole numbers are taken, not {values.dtype}")
    return np.ascontiguousarray(values, dtype=np.int64)


def utf8(value: str) -> str:
    """A text that the library can have. Raises ValueError for others, with what stands behind "is"."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{value!r}, with half of a surrogate pair, which UTF-8 has not") from None
    return value


def text(name: str, value) -> str:
    """An argument as a text that the library can have. Raises ValueError for others."""
    try:
        return utf8(str(value))
    except ValueError as error:
        raise ValueError(f"{name} is {error}") from None


def file_path(name: str, value) -> str:
    """The path of a file as a text. Raises TypeError for what is none, ValueError for what no file can have."""
    path = os.fsdecode(os.fspath(value))
    try:
        if b"\0" not in os.fsencode(path):
            return path
    except UnicodeEncodeError:
        pass
    raise ValueError(f"{name} is {path!r}, which no file can be called")
