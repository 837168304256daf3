"""Checks of arguments, and their error messages."""
from __future__ import annotations

import math
import operator
import os

import numpy as np

from ._convert import is_number, without_mask

#: the largest numbers that the library's functions take
MOST_INT, MOST_INT64, MOST_UINT64 = 2**31 - 1, 2**63 - 1, 2**64 - 1


def number(name: str, value) -> float:
    """Converts a number to a double. Raises TypeError for other values, also for texts."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except OverflowError:
        raise ValueError(f"{name} is beyond the range of a double") from None
    except (TypeError, ValueError, RuntimeError):  # RuntimeError: a tensor of several numbers
        pass
    raise TypeError(f"{name} must be a float, not {value!r}")


def two_numbers(name: str, value) -> tuple[float, float]:
    """Converts a pair of numbers, such as betas. Raises TypeError for values that are not two numbers."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be two numbers, as (0.9, 0.999), not {value!r}") from None
    return number(f"{name}[0]", first), number(f"{name}[1]", second)


def whole(name: str, value, least: int = 0, most: int = MOST_INT64) -> int:
    """Converts a whole number. Raises TypeError for other values, ValueError for one that is too small or too large."""
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {value!r}") from None
    if not least <= found <= most:
        raise ValueError(f"{name} must be {f'at least {least}' if found < least else f'at most {most}'}, "
                         f"not {found}")
    return found


def whole_number(name: str, value) -> int:
    """Converts a whole number of either sign that the library can hold."""
    return whole(name, value, -MOST_INT64)


def word(x) -> str:
    """Converts a value to a text that the library can quote in a message. Lone surrogates become escapes."""
    return str(x).encode("utf-8", "backslashreplace").decode()


def set_option(target, name: str, value) -> None:
    """Sets an option of an object of the library. Raises TypeError for a value of another type, ValueError for a whole
    number that is too small or too large."""
    try:
        setattr(target, name, value)
    except TypeError:
        kind = type(getattr(target, name))
        if kind is int and whole(name, value, -math.inf, math.inf) is not None:
            raise ValueError(f"{name} {value} is out of range") from None
        raise TypeError(f"{name} must be a {kind.__name__}, not {value!r}") from None


def real_array(name: str, x, kind) -> np.ndarray:
    """Converts real numbers to a NumPy array of one type. The array is writeable, because the library's tensors need
    writeable memory. Raises TypeError for other values."""
    values = np.asarray(without_mask(x))
    objects = values.dtype.kind == "O" and all(map(is_number, values.flat))
    if values.dtype.kind not in "fiub" and not objects:
        raise TypeError(f"{name}: real numbers are taken, not {values.dtype}")
    values = values.astype(kind, copy=False)
    return values if values.flags.writeable and values.flags.aligned else values.copy()


def result_kind(operands) -> np.dtype:
    """The float type in which NumPy computes with these operands, at most double. Arrays and lists decide it or, if
    there are none, NumPy's scalars. It is double if none of these is a float."""
    arrays = [np.asarray(x).dtype for x in operands if np.ndim(x) > 0]
    kinds = arrays or [x.dtype for x in operands if isinstance(x, np.generic)]
    if not {"f"} <= {kind.kind for kind in kinds} <= set("fiub"):
        return np.dtype(np.float64)
    kind = np.result_type(*kinds)
    return kind if kind in (np.float32, np.float16) else np.dtype(np.float64)


def whole_array(name: str, x) -> np.ndarray:
    """Converts whole numbers to a NumPy array of int64. Raises TypeError for other values."""
    values = np.asarray(without_mask(x))
    if values.dtype.kind not in "iu" and values.size > 0:
        raise TypeError(f"{name}: whole numbers are taken, not {values.dtype}")
    return np.ascontiguousarray(values, dtype=np.int64)


def utf8(value: str) -> str:
    """Returns a text that UTF-8 can encode. Raises ValueError for others; the message continues a sentence after
    "is"."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{value!r}, which has half of a surrogate pair and so no form in UTF-8") from None
    return value


def text(name: str, value) -> str:
    """Converts an argument to a text that UTF-8 can encode. Raises ValueError for others."""
    try:
        return utf8(str(value))
    except ValueError as error:
        raise ValueError(f"{name} is {error}") from None


def file_path(name: str, value) -> str:
    """Converts the path of a file to a text. Raises TypeError for a value that is not a path, ValueError for a path
    that no file can have."""
    path = os.fsdecode(os.fspath(value))
    try:
        if b"\0" not in os.fsencode(path):
            return path
    except UnicodeEncodeError:
        pass
    raise ValueError(f"{name} is {path!r}, which cannot be the name of a file")
