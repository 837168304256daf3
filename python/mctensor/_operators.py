"""Operators of arrays and assignment to elements, and the conversion of their other operands."""
from __future__ import annotations

import numpy as np

from . import _convert, _core
from ._array import Array, _wrap
from ._dtypes import promote, split
from ._make import array

_UNARY = _core.unary_numbers
_BINARY = _core.binary_numbers
_COMPARE = _core.compare_numbers


def tensor_beside(x, like):
    """Converts x to a tensor that is an operand beside ``like``. Returns None if x is not a number or an array of
    numbers.

    A single number gets the type of ``like``, as a Python number does beside a NumPy array. A NumPy array keeps its
    own.
    """
    if isinstance(x, Array):
        return x._t
    if _convert.is_number(x):
        return _convert.scalar_operand(x, like.dtype)
    if isinstance(x, np.ndarray):
        if x.ndim == 0:
            return _convert.scalar_operand(x[()], like.dtype)
        plain = _convert.plain_dtype(x)
        # arrays of whole numbers, texts and long doubles get the type of the other operand
        return _convert.from_ndarray(x, plain or like.dtype)
    if isinstance(x, (list, tuple)):
        return array(x, like.dtype)._t
    return None


def with_common_type(f, x, y):
    """Returns f(x, y). If the library does not take these two types together, both operands get a common type."""
    try:
        return f(x, y)
    except TypeError:
        common = promote(x.dtype, y.dtype)
        if x.dtype == common == y.dtype:
            raise
        return f(_core.convert(x, common), _core.convert(y, common))


def operands(x, y):
    """Converts both operands to tensors. Returns None if one is not a number."""
    if isinstance(x, Array):
        a = x._t
        b = y._t if isinstance(y, Array) else tensor_beside(y, a)
    else:
        b = y._t
        a = tensor_beside(x, b)
    return None if a is None or b is None else (a, b)


def binary(number: int, x, y):
    """Applies the operation with this number. Returns NotImplemented if an operand is not a number."""
    both = operands(x, y)
    if both is None:
        return NotImplemented
    try:
        result = _core.binary(number, *both)
    except TypeError:
        result = with_common_type(lambda a, b: _core.binary(number, a, b), *both)
    return _wrap(result)


def product(x, y, normwise: bool = False):
    """The matrix product. Returns NotImplemented if an operand is not a number."""
    both = operands(x, y)
    if both is None:
        return NotImplemented
    return _wrap(with_common_type(lambda a, b: _core.matmul(a, b, normwise), *both))


def _binary_method(name: str, swapped: bool):
    number = _BINARY[name]

    def method(self, other):
        return binary(number, other, self) if swapped else binary(number, self, other)

    return method


def _in_place_method(name: str):
    number = _BINARY[name]

    def method(self, other):
        value = tensor_beside(other, self._t)
        if value is None:
            return NotImplemented
        if promote(self.dtype, value.dtype) != self.dtype:
            raise TypeError(f"an array of {self.dtype} cannot hold the result with {value.dtype}")
        if split(value.dtype)[0] != split(self.dtype)[0]:
            value = _core.convert(value, self.dtype)
        _core.binary_in_place(number, self._t, value)
        return self

    return method


def compare(relation: str, x, y):
    """A NumPy mask: where the relation holds for the exact values. Returns NotImplemented if an operand is not a
    number."""
    if relation in ("gt", "ge"):
        return compare({"gt": "lt", "ge": "le"}[relation], y, x)
    number = _COMPARE[relation]
    first_is_array = isinstance(x, Array)
    mine, other = (x, y) if first_is_array else (y, x)
    if isinstance(other, np.ndarray) and other.ndim == 0:
        other = other[()]
    if _convert.is_number(other):
        return _compare_number(relation, mine, other, not first_is_array)[()]
    both = operands(x, y)
    if both is None:
        return NotImplemented
    return with_common_type(lambda a, b: _core.compare(number, a, b), *both)[()]


def _compare_number(relation: str, mine: Array, other, number_first: bool) -> np.ndarray:
    number = _COMPARE[relation]
    is_double = isinstance(other, float) or (isinstance(other, int) and abs(other) <= 2**53)
    if is_double:
        return _core.compare_number(number, mine._t, float(other), number_first)
    nearest = array(other, mine.dtype)
    side = _convert.side_of(other, nearest._t)
    if side != 0 and relation in ("eq", "ne"):
        return np.full(mine.shape, relation == "ne")
    if side != 0:
        # no number of the type lies between nearest and other. If nearest is below other, x < other and x <= other mean
        # x <= nearest, else they mean x < nearest. With the number first it is the other way round
        below = (side < 0) != number_first
        number = _COMPARE["le" if below else "lt"]
    both = (nearest._t, mine._t) if number_first else (mine._t, nearest._t)
    return _core.compare(number, *both)


def _compare_method(relation: str):
    def method(self, other):
        return compare(relation, self, other)

    return method


def _set_item(self, key, value):
    is_mine = isinstance(value, Array) and value.dtype == self.dtype
    source = (value if is_mine else array(value, self.dtype)).planes
    planes = self.planes
    if any(n > 1 and step == 0 for n, step in zip(self.shape, planes.strides[1:])):
        raise ValueError("elements of an expanded array share memory, so it cannot be written; copy it first")
    for k in range(len(source)):
        planes[k, ...][key] = source[k, ...]


def _neg(self):
    return _wrap(_core.unary(_UNARY["neg"], self._t))


def _abs(self):
    return _wrap(_core.unary(_UNARY["abs"], self._t))


def _pow(self, other):
    # as in NumPy, special exponents that are single numbers are exact or faster
    if type(other) in (int, float) and other in _SPECIAL_POWERS:
        return _SPECIAL_POWERS[other](self)
    return binary(_BINARY["pow"], self, other)


_SPECIAL_POWERS = {2: lambda x: _wrap(_core.unary(_UNARY["square"], x._t)),
                   0.5: lambda x: _wrap(_core.unary(_UNARY["sqrt"], x._t)),
                   -1: lambda x: 1 / x}

for _name, _operation in {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div",
                          "pow": "pow"}.items():
    setattr(Array, f"__{_name}__", _binary_method(_operation, False))
    setattr(Array, f"__r{_name}__", _binary_method(_operation, True))
    setattr(Array, f"__i{_name}__", _in_place_method(_operation))
for _relation in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Array, f"__{_relation}__", _compare_method(_relation))
Array.__setitem__ = _set_item
Array.__neg__ = _neg
Array.__pos__ = Array.copy
Array.__abs__ = _abs
Array.__pow__ = _pow
Array.__matmul__ = lambda self, other: product(self, other)
Array.__rmatmul__ = lambda self, other: product(other, self)
