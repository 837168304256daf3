"""Converts numbers of every kind to tensors, each rounded once, and back exactly."""
from __future__ import annotations

import decimal
import fractions
import math
import numbers
import operator

import numpy as np

from . import _core
from ._dtypes import split

# so many bits of a quotient decide how every component is rounded: more than the range of double has
_QUOTIENT_BITS = 2300
# the types of one component that NumPy has, too
_PLAIN_TYPES = {"float64": "f64x1", "float32": "f32x1", "float16": "f16x1"}
# more digits than any sum of four doubles has
_EXACT = decimal.Context(prec=2500, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN,
                         traps=[decimal.Inexact])


def _text_of_fraction(x: fractions.Fraction) -> str:
    top, bottom = abs(x.numerator), x.denominator
    shift = _QUOTIENT_BITS + bottom.bit_length() - top.bit_length()
    quotient, rest = divmod(top << max(shift, 0), bottom << max(-shift, 0))
    # the rest only decides ties, so one bit says whether it is zero
    digits = quotient << 1 | (rest != 0)
    return f"{'-' if x < 0 else ''}{digits:#x}p{-shift - 1}"


def _text_of_mpf(x) -> str:
    sign, mantissa, exponent, _ = x._mpf_
    if mantissa == 0 and exponent != 0:  # mpmath's infinities and NaN
        return str(x).replace("+", "")
    return f"{'-' if sign else ''}{int(mantissa):#x}p{int(exponent)}"


def _text_of_longdouble(x) -> str:
    mantissa, exponent = np.frexp(x)
    if not np.isfinite(mantissa):
        return str(float(x))
    whole = int(np.ldexp(mantissa, 128))
    return f"{'-' if np.signbit(x) else ''}{abs(whole):#x}p{int(exponent) - 128}"


def text_of(x) -> str:
    """Converts a number to a text that the library reads without loss. Raises TypeError for other values."""
    if isinstance(x, str):
        try:
            x.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{x!a} is not a number: it has half of a character (a lone surrogate)") from None
        return x.strip()
    if isinstance(x, np.longdouble):
        return _text_of_longdouble(x)
    if isinstance(x, (float, np.floating)):
        return float(x).hex()
    if isinstance(x, (bool, np.bool_, numbers.Integral)):
        return hex(int(x))
    if isinstance(x, decimal.Decimal):
        return "nan" if x.is_nan() else str(x)
    if isinstance(x, fractions.Fraction):
        return _text_of_fraction(x)
    if hasattr(x, "_mpf_"):
        return _text_of_mpf(x)
    raise TypeError(f"{type(x).__name__} is not a number that an array can hold")


def without_mask(x):
    """Returns x. Raises TypeError for a NumPy array with masked elements, whose numbers mean nothing."""
    if np.ma.is_masked(x):
        raise TypeError("an array with masked elements, which are no numbers: filled() puts numbers in their place")
    return x


def decimals_of(count) -> int:
    """A number of decimals within the range in which it makes a difference: no sum of doubles has more than 1074, and
    none has more than 310 digits before the point."""
    return min(max(operator.index(count), -400), 1100)


def is_number(x) -> bool:
    """Whether text_of takes a value and it is not a text: in arithmetic texts are not numbers."""
    return isinstance(x, (numbers.Real, np.bool_, decimal.Decimal)) or hasattr(x, "_mpf_")


def scalar_operand(x, dtype: str):
    """Converts a number to an operand beside arrays of a type, rounded once to that type."""
    if isinstance(x, float) or (isinstance(x, int) and -(2**53) <= x <= 2**53):
        return _core.scalar(x, dtype)
    return _core.from_texts([text_of(x)], [], dtype)


def plain_dtype(x: np.ndarray) -> str | None:
    """The type whose planes have the type of this array, or None."""
    return _PLAIN_TYPES.get(x.dtype.name)


def _from_floats(x: np.ndarray, dtype: str):
    x = x.astype(x.dtype.newbyteorder("="), copy=False)
    if x.dtype == np.longdouble and x.dtype.itemsize > 8:
        high = x.astype(np.float64)
        low = np.where(np.isfinite(high), x - high, 0).astype(np.float64)
        return _core.convert(_core.from_planes(np.stack([high, low]), "f64x2"), dtype)
    # a copy of read-only or misaligned memory, because tensors need writeable memory
    planes = (x if x.flags.writeable and x.flags.aligned else x.copy())[np.newaxis]
    return _core.convert(_core.from_planes(planes, plain_dtype(x)), dtype)


def from_ndarray(x: np.ndarray, dtype: str):
    """Converts a NumPy array to a tensor of a type, each element rounded once, in new memory."""
    split(dtype)
    x = np.asarray(without_mask(x))
    if x.dtype.kind == "f":
        return _from_floats(x, dtype)
    if x.dtype.kind in "bi" or (x.dtype.kind == "u" and x.dtype.itemsize < 8):
        return _core.from_int64(x.astype(np.int64), dtype)
    if x.dtype.kind in "uOUS":
        if x.dtype.kind == "S":
            x = np.char.decode(x, "ascii")
        elements = x.ravel().tolist() if x.dtype.kind != "O" else list(x.ravel())
        return _core.from_texts([text_of(element) for element in elements], list(x.shape), dtype)
    raise TypeError(f"an array of {x.dtype} holds no numbers that an array of {dtype} can hold")


def from_nested(x, dtype: str):
    """Converts nested lists of numbers to a tensor, each number rounded once. Whole numbers and texts are taken,
    too."""
    # as objects, because NumPy would convert whole numbers beside floats to doubles
    elements = np.array(x, dtype=object)
    if all(type(element) is float for element in elements.flat):
        return _from_floats(elements.astype(np.float64), dtype)
    return from_ndarray(elements, dtype)


def numpy_planes(tensor) -> np.ndarray:
    """The planes as exact numbers that NumPy can add: float64, float32 or float16."""
    planes = tensor.planes
    # the bits of a bfloat16 are the first half of a float
    return (planes.astype(np.uint32) << 16).view(np.float32) if planes.dtype == np.uint16 else planes


def rounded(tensor) -> np.ndarray:
    """Rounds every element to its component type, ties to even, in a copy. bfloat16 is shown as float32."""
    kind, n = split(tensor.dtype)
    nearest = tensor if n == 1 else _core.convert(tensor, f"{kind}x1")
    return np.array(numpy_planes(nearest)[0])  # an array, also without dimensions


def nearest_double(limbs: list[float]) -> float:
    """The double nearest to a sum of components, ties to even."""
    if limbs[0] == 0 or not math.isfinite(limbs[0]):
        return limbs[0]
    try:
        return math.fsum(limbs)
    except OverflowError:
        return math.copysign(math.inf, limbs[0])


def _nearest_longdouble(x: fractions.Fraction) -> np.longdouble:
    top, bottom = abs(x.numerator), x.denominator
    bits = np.finfo(np.longdouble).nmant + 1
    shift = bottom.bit_length() - top.bit_length() + bits + 3
    quotient, rest = divmod(top << max(shift, 0), bottom << max(-shift, 0))
    # two more bits than the type has, and a last bit that says whether a rest follows, so that one rounding is left
    quotient |= rest != 0
    half = bits // 2 + 3
    high, low = quotient >> half, quotient & ((1 << half) - 1)
    value = np.ldexp(np.ldexp(np.longdouble(high), half) + np.longdouble(low), -shift)
    return -value if x < 0 else value


def to_numpy_type(tensor, dtype: np.dtype) -> np.ndarray:
    """Converts every element to a NumPy type, rounded once, in new memory. Integer types drop the fraction; the rest
    must fit. Objects are exact."""
    components = split(tensor.dtype)[1]
    if components == 1:
        return rounded(tensor).astype(dtype)
    if dtype.kind == "b":
        return numpy_planes(tensor)[0] != 0
    if dtype.kind == "O":
        return exact_objects(tensor, "decimal")
    if dtype.kind in "US":
        texts = np.array(_core.shortest_texts(tensor), dtype=object)
        return texts.reshape(numpy_planes(tensor).shape[1:]).astype(dtype)
    if dtype.kind in "iu":
        exact = exact_objects(tensor, "fraction")
        return np.array([int(x) for x in exact.flat], dtype=dtype).reshape(exact.shape)
    plain = _PLAIN_TYPES.get(np.empty(0, dtype).real.dtype.name)
    if plain is not None:
        return np.array(_core.convert(tensor, plain).planes[0]).astype(dtype)
    if dtype.kind in "fc":
        return _to_longdouble(tensor).astype(dtype)
    raise TypeError(f"an array of {tensor.dtype} has no elements of {dtype}")


def _to_longdouble(tensor) -> np.ndarray:
    planes = numpy_planes(tensor)
    result = np.array(planes[0], dtype=np.longdouble)
    for index in np.ndindex(result.shape):
        limbs = planes[(slice(None), *index)]
        if limbs[0] != 0 and np.isfinite(limbs[0]):
            result[index] = _nearest_longdouble(sum_of_fractions(limbs))
    return result


def _sum_of_decimals(limbs) -> decimal.Decimal:
    total = decimal.Decimal(float(limbs[0]))
    if not total.is_finite() or not total:  # a sum of zeros would lose the sign
        return total
    for limb in limbs[1:]:
        total = _EXACT.add(total, decimal.Decimal(float(limb)))
    return total


def _sum_of_mpf(limbs):
    import mpmath

    total = mpmath.mpf(float(limbs[0]))
    for limb in limbs[1:] if mpmath.isfinite(total) else ():
        total = mpmath.fadd(total, mpmath.mpf(float(limb)), exact=True)
    return total


def sum_of_fractions(limbs) -> fractions.Fraction:
    """The exact sum of components. Raises ValueError for NaN, OverflowError for infinities."""
    return sum((fractions.Fraction(float(limb)) for limb in limbs), fractions.Fraction())


_SUMS = {"decimal": _sum_of_decimals, "mpmath": _sum_of_mpf, "fraction": sum_of_fractions}


def exact_objects(tensor, kind: str) -> np.ndarray:
    """Converts every element exactly to decimal.Decimal, mpmath.mpf or fractions.Fraction."""
    planes = numpy_planes(tensor)
    result = np.empty(planes.shape[1:], dtype=object)
    for index in np.ndindex(result.shape):
        result[index] = _SUMS[kind](planes[(slice(None), *index)])
    return result


def side_of(number, tensor) -> int:
    """Compares the only element, which is nearest to a number, with that number: -1 if the element is below the number,
    1 if it is above, 0 if they are equal or have no order."""
    element = numpy_planes(tensor).reshape(-1)
    if not element.any():  # before the fraction of the number, which may have too many digits
        return bool(number < 0) - bool(number > 0)
    if not np.isfinite(element[0]):
        # an infinity is nearest to a number beyond the range
        return int(np.sign(element[0])) if _is_finite(number) and not np.isnan(element[0]) else 0
    exact = fractions.Fraction(_as_ratio(number))
    value = sum_of_fractions(element)
    return (value > exact) - (value < exact)


def _is_finite(number) -> bool:
    if isinstance(number, numbers.Rational):
        return True
    if hasattr(number, "_mpf_"):
        return number._mpf_[1] != 0
    return bool(number.is_finite()) if isinstance(number, decimal.Decimal) else bool(np.isfinite(number))


def _as_ratio(number):
    if hasattr(number, "_mpf_"):
        sign, mantissa, exponent, _ = number._mpf_
        return fractions.Fraction(int(mantissa)) * fractions.Fraction(2) ** int(exponent) * (1 - 2 * sign)
    if isinstance(number, np.longdouble):
        return fractions.Fraction(*number.as_integer_ratio())
    if isinstance(number, (float, np.floating)):
        return float(number)
    return int(number) if isinstance(number, numbers.Integral) else number
