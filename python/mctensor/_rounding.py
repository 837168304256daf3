"""Rounding to whole numbers, such as floor, and whole quotients and remainders."""
from __future__ import annotations

import numpy as np

from . import _convert, _core
from ._array import Array, _wrap
from ._functions import ELEMENTWISE, as_array, where, zeros
from ._make import array
from ._operators import operands, tensor_beside
from ._dtypes import promote, split


def leading(x) -> np.ndarray:
    """The first components of an array, which decide signs. Other values become a NumPy array."""
    return _convert.numpy_planes(x._t)[0] if isinstance(x, Array) else np.asarray(x)


def of_one_type(name: str, x, y) -> tuple[Array, Array]:
    """Converts two operands to arrays of the smallest type that holds both. Raises TypeError for values that are not
    numbers."""
    if not isinstance(x, Array) and not isinstance(y, Array):
        x = as_array(x)
    both = operands(x, y)
    if both is None:
        raise TypeError(f"{name}: operands of types {type(x).__name__} and {type(y).__name__} cannot be combined")
    common = promote(*(t.dtype for t in both))
    a, b = (_wrap(t if t.dtype == common else _core.convert(t, common)) for t in both)
    return a, b


def signed_zeros(sign: np.ndarray, dtype: str) -> Array:
    """Zeros with the signs of these numbers."""
    result = zeros(np.shape(sign), dtype)
    planes = result.planes
    # the sign is the first bit of a bfloat16
    planes[0, ...] = np.signbit(sign) * np.uint16(0x8000) if planes.dtype == np.uint16 else np.copysign(0.0, sign)
    return result


def floor(x) -> Array:
    """The largest whole number that is not above x, exactly. Infinities, NaN and zeros stay as they are."""
    return _wrap(_core.floor(as_array(x)._t))


def ceil(x) -> Array:
    """The smallest whole number that is not below x, exactly; -0 for -1 < x < 0."""
    return _wrap(_core.ceil(as_array(x)._t))


def trunc(x) -> Array:
    """x without its fraction, exactly; it keeps the sign of zero."""
    return _wrap(_core.trunc(as_array(x)._t))


def rint(x) -> Array:
    """The nearest whole number, exactly; ties go to the even one. It keeps the sign of zero."""
    return _wrap(_core.rint(as_array(x)._t))


def round(x, decimals: int = 0) -> Array:
    """Rounds to the nearest number with ``decimals`` decimals; ties go to an even last digit.

    With ``decimals`` 0 the result is exact. Otherwise the decimal nearest to the exact element is rounded once to the
    type, with an error of u^N. This is computed in Python's integers, one element after the other, and slow for large
    arrays. Infinities and NaN stay unchanged.
    """
    x, decimals = as_array(x), _convert.decimals_of(decimals)
    if decimals == 0:
        return rint(x)
    first = leading(x)
    finite = np.isfinite(first)
    values = np.zeros(x.shape, dtype=object)
    values[finite] = [_nearest_decimal(e, decimals) for e in x[finite].to_fraction()]
    rounded = array(values, x.dtype)
    return where(~finite, x, where(leading(rounded) == 0, signed_zeros(first, x.dtype), rounded))


def _nearest_decimal(value, decimals: int):
    return type(value)(value.__round__(decimals))


def fmod(x, y) -> Array:
    """x - trunc(x / y) y, as in C: the exact remainder with the sign of x, rounded once. It is NaN for an infinite x or
    a y of zero, and x for an infinite y. The time grows with the difference of the exponents. Shapes broadcast."""
    a, b = of_one_type("fmod", x, y)
    return _wrap(_core.fmod(a._t, b._t))


class _Division:
    """The exact remainder of x / y with the sign of x, and a mask of the elements where y has another sign."""

    def __init__(self, name: str, x, y):
        self.x, self.y = of_one_type(name, x, y)
        self.rest = _wrap(_core.fmod(self.x._t, self.y._t))
        first = leading(self.rest)
        self.turned = (first != 0) & ((first < 0) != (leading(self.y) < 0))

    def whole(self) -> Array:
        with np.errstate(all="ignore"):
            quotient = rint((self.x - self.rest) / self.y)
            ratio = self.x / self.y
            quotient = where(self.turned, quotient - 1, quotient)
            quotient = where(leading(quotient) == 0, signed_zeros(leading(ratio), self.x.dtype), quotient)
            return where(np.broadcast_to(leading(self.y) == 0, quotient.shape), ratio, quotient)

    def remainder(self) -> Array:
        first = leading(self.rest)
        zeros = signed_zeros(np.broadcast_to(leading(self.y), first.shape), self.x.dtype)
        return where(first == 0, zeros, where(self.turned, self.rest + self.y, self.rest))


def divmod(x, y) -> tuple[Array, Array]:
    """The pair (floor_divide(x, y), remainder(x, y)), with their errors."""
    division = _Division("divmod", x, y)
    return division.whole(), division.remainder()


def floor_divide(x, y) -> Array:
    """The largest whole number that is not above the exact quotient, NumPy's ``//``. It is exact below a sixteenth of 1
    / u^N; beyond that the error is 1.5 (1.1 + K) u^N of the quotient, with K as in ``x - y`` (1, 3, 8, 16 for N = 1 to
    4). For a y of zero it is x / y, for an infinite x it is NaN. Shapes broadcast."""
    return _Division("floor_divide", x, y).whole()


def remainder(x, y) -> Array:
    """x - floor(x / y) y, NumPy's and Python's ``%``, with the sign of y. It is the exact remainder of ``fmod``, plus y
    if the signs differ. If they differ, the error is K u^N of the result, with K as in ``x + y`` (1, 3, 8, 16 for N = 1
    to 4), otherwise u^N. It is NaN for an infinite x or a y of zero. Shapes broadcast."""
    return _Division("remainder", x, y).remainder()


def modf(x) -> tuple[Array, Array]:
    """The pair (fraction, whole number), both exact and with the sign of x. The fraction of an infinity is zero."""
    x = as_array(x)
    first = leading(x)
    whole = trunc(x)
    fraction = _wrap(_core.fmod(x._t, array(1, x.dtype)._t))
    return where(np.isinf(first), signed_zeros(first, x.dtype), fraction), whole


def copysign(x, y) -> Array:
    """|x| with the sign of y, exactly. Shapes broadcast."""
    a, b = of_one_type("copysign", x, y)
    own, signs = np.broadcast_arrays(np.signbit(leading(a)), np.signbit(leading(b)))
    return where(own == signs, a, -a)


def nextafter(x, y) -> Array:
    """The number after x toward y among the numbers with N p bits, where a component has p bits. It is y if both are
    equal. Exact. Shapes broadcast."""
    a, b = of_one_type("nextafter", x, y)
    return _wrap(_core.nextafter(a._t, b._t))


def _number_of(name: str, x, y) -> Array:
    a, b = of_one_type(name, x, y)
    no_x, no_y = np.broadcast_arrays(np.isnan(leading(a)), np.isnan(leading(b)))
    extreme = ELEMENTWISE["maximum" if name == "fmax" else "minimum"](a, b)
    return where(no_x, b, where(no_y, a, extreme))


def fmax(x, y) -> Array:
    """The larger operand, or the number if the other one is NaN. Exact. Shapes broadcast."""
    return _number_of("fmax", x, y)


def fmin(x, y) -> Array:
    """The smaller operand, or the number if the other one is NaN. Exact. Shapes broadcast."""
    return _number_of("fmin", x, y)


def _operator_method(f, swapped: bool):
    def method(self, other):
        if not isinstance(other, Array) and tensor_beside(other, self._t) is None:
            return NotImplemented
        return f(other, self) if swapped else f(self, other)

    return method


def _in_place_method(f):
    def method(self, other):
        value = tensor_beside(other, self._t)
        if value is None:
            return NotImplemented
        if promote(self.dtype, value.dtype) != self.dtype or split(value.dtype)[1] > self.components:
            raise TypeError(f"an array of {self.dtype} cannot hold the result with {value.dtype}")
        self[...] = f(self, other)
        return self

    return method


for _name, _function in {"floordiv": floor_divide, "mod": remainder, "divmod": divmod}.items():
    setattr(Array, f"__{_name}__", _operator_method(_function, False))
    setattr(Array, f"__r{_name}__", _operator_method(_function, True))
    if _function is not divmod:
        setattr(Array, f"__i{_name}__", _in_place_method(_function))
Array.round = round
