"""Functions that are computed from other functions of the library: the angle of a point, logarithms to base 10 and of
sums."""
from __future__ import annotations

import numpy as np

from ._array import Array
from ._functions import ELEMENTWISE, as_array, where
from ._make import array
from ._rounding import leading, of_one_type, rint, signed_zeros

# more digits than four doubles hold, unless a component is far below the one before it
_PI = ("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214"
       "8086513282306647093844609550582231725359408128481117450284102701938521105559644622948954930381964428810975665")


def log10(x) -> Array:
    """The logarithm to base 10, for x > 0. Its error is 5 u^N of the result; powers of ten that the type has are exact.
    The result is -inf at 0 and NaN below."""
    x = as_array(x)
    result = ELEMENTWISE["log"](x) / ELEMENTWISE["log"](array(10, x.dtype))
    nearest = rint(result)
    close = np.isfinite(leading(result)) & np.asarray(abs(result - nearest) <= 1e-3)
    powers = np.zeros(x.shape, object)
    powers[close] = [10**int(e) if e >= 0 else -1 for e in leading(nearest)[close]]
    return where(close & np.asarray(x == array(powers, x.dtype)), nearest, result)


def atan2(y, x) -> Array:
    """The angle of the point (x, y), from -pi to pi. Its error is (K + 5) u^N of the result, with K as in ``x - y`` (1,
    3, 8, 16 for N = 1 to 4), plus the smallest number if y / x is below the range. Signed zeros and infinities are
    treated as in C. Shapes broadcast."""
    a, b = of_one_type("atan2", y, x)
    first, second = np.broadcast_arrays(leading(a).astype(np.float64), leading(b).astype(np.float64))
    pi = array(_PI, a.dtype)
    steep = np.abs(first) > np.abs(second)
    down, across = abs(a), abs(b)
    # at most 1 in magnitude, so that the arc tangent does not enlarge an error
    slope = where(steep, across, down) / where(steep, down, across)
    angle = ELEMENTWISE["atan"](slope)
    angle = where(steep, pi / 2 - angle, angle)
    angle = where(second < 0, pi - angle, angle)
    angle = where(np.signbit(first), -angle, angle)
    # axes and diagonals at infinity: multiples of pi / 4, or NaN if an operand is NaN
    multiple = np.arctan2(first, second) / (np.pi / 4)
    special = (first == 0) | (second == 0) | ~np.isfinite(first) | ~np.isfinite(second)
    eighths = np.rint(np.where(special, multiple, 0))
    named = where(eighths == 0, signed_zeros(first, a.dtype), array(eighths, a.dtype) * pi / 4)
    return where(special, named, angle)


def logaddexp(x, y) -> Array:
    """log(e^x + e^y). The error is 4 K u^N (|max(x, y)| + 1), with K as in ``x + y`` (1, 3, 8, 16 for N = 1 to 4).
    Shapes broadcast."""
    larger, smaller = ELEMENTWISE["maximum"](x, y), ELEMENTWISE["minimum"](x, y)
    # the difference of equal infinities would be NaN
    difference = where(np.asarray(larger == smaller), 0, smaller - larger)
    return larger + ELEMENTWISE["softplus"](difference)
