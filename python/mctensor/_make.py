"""Makes arrays."""
from __future__ import annotations

import numpy as np

from . import _convert, _core
from ._array import Array, _wrap
from ._dtypes import PLANE_TYPES, split
from ._points import is_torch


def array(x, dtype: str = "f64x2") -> Array:
    """Makes an array of a type, in new memory, from anything that holds numbers.

    It takes NumPy arrays, nested lists, Python numbers of any size, decimal and hexadecimal texts ("0.1", "0x1p-60"),
    ``decimal.Decimal``, ``fractions.Fraction``, ``mpmath.mpf`` and arrays of other libraries (DLPack). Every element is
    rounded once to the type: ``array("0.1")`` has 106 bits of 0.1, ``array(0.1)`` has the bits of the double.
    """
    split(dtype)
    if isinstance(x, Array):
        return x.copy() if x.dtype == dtype else x.astype(dtype)
    if isinstance(x, np.ndarray):
        return _wrap(_convert.from_ndarray(x, dtype))
    if isinstance(x, str) or _convert.is_number(x):
        return _wrap(_core.from_texts([_convert.text_of(x)], [], dtype))
    if isinstance(x, (list, tuple)):
        return _from_list(x, dtype)
    if hasattr(x, "__dlpack__"):
        return _from_other_library(x, dtype)
    raise TypeError(f"{type(x).__name__} holds no numbers that an array can be made of")


def _from_list(x, dtype: str) -> Array:
    def holds_arrays(part) -> bool:
        return isinstance(part, Array) or (isinstance(part, (list, tuple)) and any(map(holds_arrays, part)))

    if any(map(holds_arrays, x)):
        return _wrap(_core.stack([array(part, dtype)._t for part in x], 0))
    return _wrap(_convert.from_nested(x, dtype))


def _from_other_library(x, dtype: str) -> Array:
    # PyTorch may mark a tensor as negated without a change of its memory
    values, kind = _core.as_numpy(x.resolve_neg() if is_torch(x) else x)
    if kind and not values.flags.writeable:
        values = values.copy()  # tensors need writeable memory
    if kind:
        return _wrap(_core.convert(_core.from_planes(values[np.newaxis], f"{kind}x1"), dtype))
    return _wrap(_convert.from_ndarray(values, dtype))


def from_planes(planes, dtype: str) -> Array:
    """Makes an array on existing memory: it shares planes of shape (components, *shape) and does not copy them.

    The planes are a NumPy array or an array of another library on the CPU (DLPack); bfloat16 is also taken as bits
    (uint16). A change of one is seen in the other. The components of an element should not overlap: each is at most
    half a unit in the last place of the component before it.
    """
    kind, n = split(dtype)
    if is_torch(planes) and planes.is_neg():
        raise ValueError("PyTorch keeps the sign of these planes beside their memory; copy them first")
    if not isinstance(planes, np.ndarray) and not hasattr(planes, "__dlpack__"):
        raise TypeError(f"from_planes: {type(planes).__name__} has no planes; arrays of NumPy and of libraries with "
                        "DLPack are taken")
    values = planes if isinstance(planes, np.ndarray) else _core.as_numpy(planes)[0]
    if values.dtype != PLANE_TYPES[kind]:
        raise TypeError(f"planes of {values.dtype}, {np.dtype(PLANE_TYPES[kind])} is wanted for {dtype}")
    if not values.flags.writeable:
        raise ValueError("the planes may not be written; copy them first")
    if values.ndim == 0 or values.shape[0] != n:
        raise ValueError(f"planes of shape {values.shape}, {dtype} needs {n} in front")
    return _wrap(_core.from_planes(values, dtype))
