"""Functions of arrays by the library's names, and functions that make new arrays."""
from __future__ import annotations

import math
from functools import reduce

import numpy as np

from . import _convert, _core
from ._arguments import MOST_INT, MOST_UINT64, whole, whole_number
from ._array import Array, _wrap
from ._make import array
from ._operators import binary, compare, product, tensor_beside
from ._dtypes import promote, split


def _unary_function(name: str, number: int):
    def function(x) -> Array:
        return _wrap(_core.unary(number, as_array(x)._t))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name}: {_core.meanings[name]}. Element by element."
    return function


def _binary_function(name: str, number: int):
    def function(x, y) -> Array:
        if not isinstance(x, Array) and not isinstance(y, Array):
            x = as_array(x)
        result = binary(number, x, y)
        if result is NotImplemented:
            raise TypeError(f"{name}: operands of types {type(x).__name__} and {type(y).__name__} cannot be combined")
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name}: {_core.meanings[name]}. Element by element; shapes broadcast."
    return function


#: all elementwise functions by their names, for the package and for NumPy's functions
ELEMENTWISE = {name: _unary_function(name, number) for name, number in _core.unary_numbers.items()}
ELEMENTWISE |= {name: _binary_function(name, number) for name, number in _core.binary_numbers.items()}


def as_array(x) -> Array:
    """Returns an array unchanged, and converts anything else to an array of f64x2."""
    return x if isinstance(x, Array) else array(x)


def arrays_beside(*operands) -> list[Array]:
    """Converts operands to arrays. If one is an array, the others are converted as by operators, and texts and arrays
    of other libraries (DLPack) get its type. Otherwise all get f64x2."""
    like = next((x for x in operands if isinstance(x, Array)), None)
    return [as_array(x) if like is None else _beside(x, like) for x in operands]


def _beside(x, like: Array) -> Array:
    if isinstance(x, Array):
        return x
    tensor = tensor_beside(x, like._t)
    return array(x, like.dtype) if tensor is None else _wrap(tensor)


def _sizes(shape) -> list[int]:
    return [whole_number("a size", n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]


def zeros(shape, dtype: str = "f64x2") -> Array:
    """An array of zeros."""
    split(dtype)
    return _wrap(_core.zeros(_sizes(shape), dtype))


def full(shape, value, dtype: str = "f64x2") -> Array:
    """An array with one value everywhere, rounded once."""
    result = zeros(shape, dtype)
    result.fill(value)
    return result


def ones(shape, dtype: str = "f64x2") -> Array:
    """An array of ones."""
    return full(shape, 1, dtype)


def eye(n: int, dtype: str = "f64x2") -> Array:
    """The identity matrix."""
    return array(np.eye(n), dtype)


def arange(start, stop=None, step=1, dtype: str = "f64x2") -> Array:
    """The numbers start, start + step, ... before stop. With one argument they are 0, 1, ... before it."""
    if stop is None:
        start, stop = 0, start
    ends = [array(x, dtype) for x in (start, stop, step)]
    if any(x.size != 1 for x in ends):
        raise ValueError("arange: start, stop and step are single numbers")
    return _wrap(_core.arange(*(x._t for x in ends)))


def linspace(start, stop, num: int = 50, *, endpoint: bool = True, dtype: str = "f64x2") -> Array:
    """``num`` numbers from start to stop at equal distances; without ``endpoint`` the last one lies before stop. Both
    ends are single numbers, rounded once to the type, and exact in the result. Errors of the other numbers are at most
    3 K u^N times the larger magnitude of the ends, with K as in ``x + y`` and ``x y`` (1, 5, 8, 16 for N = 1 to 4).
    Raises ValueError for num < 0 and for ends that are arrays."""
    num = whole("num", num)
    first, last = (array(x, dtype) for x in (start, stop))
    if first.size != 1 or last.size != 1:
        raise ValueError("linspace: start and stop are single numbers")
    steps = max(num - bool(endpoint), 1)
    # from both ends, so that numbers near the last one are accurate. Types with components below f64 are computed in
    # f64x2, where products neither overflow nor lose digits
    wide = dtype if split(dtype)[0] == "f64" else "f64x2"
    place, low, high = array(np.arange(num), wide), first.astype(wide), last.astype(wide)
    back = steps - place
    result = (low * back + high * place) / steps
    if not np.all(np.isfinite(result)):
        result = where(np.isfinite(result), result, low * (back / steps) + high * (place / steps))
    result = result.astype(dtype)
    if num > 0:
        result[0] = first
    if endpoint and num > 1:
        result[-1] = last
    return result


def rand(shape, seed: int, dtype: str = "f64x2") -> Array:
    """Uniform random numbers in [0, 1), with all bits random. A seed gives the same numbers everywhere."""
    split(dtype)
    return _wrap(_core.rand(_sizes(shape), whole("seed", seed, 0, MOST_UINT64), dtype))


def randn(shape, seed: int, dtype: str = "f64x2") -> Array:
    """Standard normal random numbers, with all bits random. A seed gives the same numbers everywhere."""
    split(dtype)
    return _wrap(_core.randn(_sizes(shape), whole("seed", seed, 0, MOST_UINT64), dtype))


def set_num_threads(threads: int) -> None:
    """Sets how many threads the library may use."""
    _core.set_num_threads(whole("threads", threads, -MOST_INT, MOST_INT))


def _converted(tensors) -> list:
    """Converts tensors to the smallest type that holds all of them."""
    common = reduce(promote, (t.dtype for t in tensors))
    return [t if t.dtype == common else _core.convert(t, common) for t in tensors]


def _of_one_type(arrays) -> list:
    parts = [x._t for x in arrays_beside(*arrays)]
    if not parts:
        raise ValueError("no arrays are given")
    return _converted(parts)


def concatenate(arrays, axis: int = 0) -> Array:
    """Joins arrays along an axis."""
    if axis is None:
        arrays, axis = [x.ravel() for x in arrays_beside(*arrays)], 0
    return _wrap(_core.concatenate(_of_one_type(arrays), whole_number("axis", axis)))


def stack(arrays, axis: int = 0) -> Array:
    """Joins arrays along a new axis."""
    return _wrap(_core.stack(_of_one_type(arrays), whole_number("axis", axis)))


def matmul(x, y, *, accuracy: str = "componentwise") -> Array:
    """The matrix product, with dimensions as in NumPy's matmul. Sums are rounded once at the end.

    ``accuracy``: "componentwise" has an error relative to the same sum of magnitudes. "normwise" has an error relative
    to the largest elements of rows and columns, and computes with integers. It is faster for large matrices of f64x2
    and f64x3, and for f64x1 it nearly always returns the exact result, rounded (docs/tensors.md).
    """
    if accuracy not in ("componentwise", "normwise"):
        raise ValueError(f"matmul: accuracy is 'componentwise' or 'normwise', not {accuracy!r}")
    if not isinstance(x, Array):
        x = _beside(x, y) if isinstance(y, Array) else as_array(x)
    result = product(x, y, accuracy == "normwise")
    if result is NotImplemented:
        raise TypeError(f"matmul: an operand is a {type(y).__name__}, not an array")
    return result


def _three_of_one_type(name: str, x, y, z) -> list:
    like = next((part for part in (x, y, z) if isinstance(part, Array)), None)
    like = like._t if like is not None else as_array(x)._t
    tensors = [tensor_beside(part, like) for part in (x, y, z)]
    if any(t is None for t in tensors):
        raise TypeError(f"{name}: an operand is not a number")
    return _converted(tensors)


def mul_add(x, y, z) -> Array:
    """x y + z in one pass."""
    return _wrap(_core.mul_add(*_three_of_one_type("mul_add", x, y, z)))


def clip(x, low, high) -> Array:
    """min(max(x, low), high). None stands for no bound."""
    if low is None and high is None:
        raise ValueError("clip: no bound is given")
    if low is None:
        return ELEMENTWISE["minimum"](x, high)
    if high is None:
        return ELEMENTWISE["maximum"](x, low)
    return _wrap(_core.clamp(*_three_of_one_type("clip", x, low, high)))


def where(mask, x, y) -> Array:
    """x where the mask is true, else y."""
    flags = np.asarray(mask)
    if flags.dtype != np.bool_:
        raise TypeError(f"where: a mask of bools is wanted, not of {flags.dtype}")
    a, b, _ = _three_of_one_type("where", x, y, x)
    return _wrap(_core.where(flags, a, b))


def dot(x, y) -> Array:
    """The product of two vectors or matrices, or with a single number. For more dimensions it sums products over the
    last dimension of x and the last but one of y."""
    x, y = arrays_beside(x, y)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    if y.ndim <= 2:
        return x @ y
    columns = y.shape[:-2] + y.shape[-1:]
    matrix = y.transpose(y.ndim - 2, *range(y.ndim - 2), y.ndim - 1).reshape(y.shape[-2], math.prod(columns))
    return (x @ matrix).reshape(x.shape[:-1] + columns)


Array.dot = dot


def array_equal(x, y, equal_nan: bool = False) -> bool:
    """Whether shapes and all elements are equal; False for operands that are not numbers. With ``equal_nan`` NaN equals
    NaN."""
    if not isinstance(x, Array):
        x, y = y, x  # an array comes first
    if isinstance(y, np.ndarray):
        y = y[()]  # an array without dimensions is a number
    try:
        x = as_array(x)
        if not isinstance(y, np.ndarray) and not _convert.is_number(y):
            y = _beside(y, x)
        if x.shape != np.shape(y):
            return False
        same = compare("eq", x, y)
        return bool(np.all(same | np.isnan(x) & np.isnan(as_array(y)) if equal_nan else same))
    except (TypeError, ValueError):
        return False


def isclose(x, y, rtol=1e-5, atol=1e-8, equal_nan: bool = False) -> np.ndarray:
    """A mask of the elements with |x - y| <= atol + rtol |y|, of equal infinities and, with ``equal_nan``, of NaN
    beside NaN."""
    x, y = arrays_beside(x, y)
    near = abs(x - y) <= atol + rtol * abs(y)
    near = near & np.isfinite(x) & np.isfinite(y) | (x == y)
    return near | np.isnan(x) & np.isnan(y) if equal_nan else near
