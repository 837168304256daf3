"""Running sums and products, products, deviations, differences."""
from __future__ import annotations

import math
import operator

import numpy as np

from ._array import Array, _normal_axis
from ._functions import ELEMENTWISE, arrays_beside, as_array, concatenate, ones, where
from ._make import array


def axes_of(axis, count: int) -> list[int]:
    """The list of the axes of a reduction; None stands for all. Raises NumPy's AxisError, ValueError for an axis that
    is named twice."""
    if axis is None:
        return list(range(count))
    axes = [_normal_axis(i, count) for i in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    if len(set(axes)) != len(axes):
        raise ValueError(f"axes {axis} name an axis twice")
    return axes


def in_front(x: Array, axis) -> tuple[Array, list[int]]:
    """Joins the named axes to one axis in front. Returns this array and the list of the axes."""
    axes = axes_of(axis, x.ndim)
    rest = [i for i in range(x.ndim) if i not in axes]
    sizes = [x.shape[i] for i in rest]
    return x.transpose(axes + rest).reshape([math.prod(x.shape[i] for i in axes), *sizes]), axes


def kept(result: Array, shape, axes, keepdims: bool) -> Array:
    """Restores the reduced axes as dimensions of size 1 if ``keepdims`` is set."""
    return result.reshape([1 if i in axes else n for i, n in enumerate(shape)]) if keepdims else result


def _scan(f, x: Array) -> Array:
    count = len(x)
    result = x.copy()
    if count > 1:
        pairs = _scan(f, f(x[:count - count % 2:2], x[1::2]))
        result[1::2] = pairs
        result[2::2] = f(pairs[:(count - 1) // 2], x[2::2])
    return result


def accumulate(f, x, axis) -> Array:
    """Applies f to the first two elements along an axis, the first three, ..., by pairs: 2 n calls of f for n elements,
    at most 2 log2 n of them one after the other. Without an axis it takes all elements."""
    x = as_array(x)
    if axis is None:
        x, axis = x.ravel(), 0
    axis = _normal_axis(axis, x.ndim)
    order = [axis, *(i for i in range(x.ndim) if i != axis)]
    back = np.argsort(order).tolist()
    return _scan(f, x.transpose(order)).transpose(back) if x.ndim > 1 else _scan(f, x)


def cumsum(x, axis: int | None = None) -> Array:
    """The sums of the first one, two, ... elements along an axis; without an axis, of the flattened array.

    It adds by pairs, so the error is at most 2 K ceil(log2 n) u^N times the sum of the magnitudes, with K as in
    ``x + y`` (1, 3, 8, 16 for N = 1 to 4). Infinities and NaN reach the sums after them. Raises AxisError."""
    return accumulate(ELEMENTWISE["add"], x, axis)


def cumprod(x, axis: int | None = None) -> Array:
    """The products of the first one, two, ... elements along an axis; without an axis, of the flattened array.

    The relative error of k factors is at most 1.01 K (k - 1) u^N, with K as in ``x y`` (1, 5, 8, 16 for N = 1 to 4), if
    no product of some of them leaves the range. Raises AxisError."""
    return accumulate(ELEMENTWISE["mul"], x, axis)


def _fold(f, x: Array) -> Array:
    while len(x) > 1:
        half = len(x) // 2
        folded = f(x[:half], x[half:2 * half])
        x = concatenate([folded, x[2 * half:]]) if len(x) % 2 else folded
    return x[0]


def prod(x, axis=None, keepdims: bool = False) -> Array:
    """The product over all elements or over some axes. The product of no elements is 1.

    The relative error of k factors is at most 1.01 K (k - 1) u^N, with K as in ``x y`` (1, 5, 8, 16 for N = 1 to 4), if
    no product of some of them leaves the range. The order of the factors depends on the shape alone. Raises
    AxisError."""
    x = as_array(x)
    front, axes = in_front(x, axis)
    result = _fold(ELEMENTWISE["mul"], front) if len(front) > 0 else ones(front.shape[1:], x.dtype)
    return kept(result, x.shape, axes, keepdims)


def _counted(shape, axes, mask) -> np.ndarray | int:
    """The number of elements in each reduction."""
    if mask is None:
        return math.prod(shape[i] for i in axes)
    return np.count_nonzero(np.broadcast_to(mask, shape), tuple(axes), keepdims=True)


def mean(x, axis=None, keepdims: bool = False, where_mask=None) -> Array:
    """The mean of the elements inside the mask, with the errors of the sum and of one division. It is NaN for no
    elements."""
    x = as_array(x)
    if where_mask is None:
        return x.mean(axis, keepdims)
    axes = axes_of(axis, x.ndim)
    total = where(np.broadcast_to(where_mask, x.shape), x, 0).sum(tuple(axes), True)
    result = total / array(_counted(x.shape, axes, where_mask), x.dtype)
    return result if keepdims else result.squeeze(tuple(axes)) if axes else result


def var(x, axis=None, ddof: float = 0, keepdims: bool = False, where_mask=None) -> Array:
    """The mean square of the differences from the mean, over all elements or over some axes. The divisor of the sum is
    n - ``ddof``. It is NaN for no elements.

    The relative error is at most (K + 20) u^N + (K u^N m)^2 / var, where K u^N is the error of a sum of n numbers and m
    is the mean magnitude. So elements that agree in half of their digits lose none. Raises AxisError."""
    x = as_array(x)
    axes = axes_of(axis, x.ndim)
    difference = x - mean(x, tuple(axes), True, where_mask)
    if where_mask is not None:
        difference = where(np.broadcast_to(where_mask, x.shape), difference, 0)
    total = ELEMENTWISE["square"](difference).sum(tuple(axes), True)
    divisor = np.maximum(np.subtract(_counted(x.shape, axes, where_mask), ddof), 0)
    result = total / array(divisor, x.dtype)
    return result if keepdims else result.squeeze(tuple(axes)) if axes else result


def std(x, axis=None, ddof: float = 0, keepdims: bool = False, where_mask=None) -> Array:
    """The root of ``var``. Its error is half of the error of ``var`` plus the error of a square root. Raises
    AxisError."""
    return ELEMENTWISE["sqrt"](var(x, axis, ddof, keepdims, where_mask))


def ptp(x, axis=None, keepdims: bool = False) -> Array:
    """The largest element minus the smallest, with the error of one subtraction."""
    x = as_array(x)
    return x.max(axis, keepdims) - x.min(axis, keepdims)


def average(x, axis=None, weights=None, keepdims: bool = False) -> Array:
    """The weighted mean. The weights have the shape of x or of one axis. The error is (K + 20) u^N of the same mean of
    magnitudes, where K u^N is the error of a sum. Raises ValueError for other weights, ZeroDivisionError for weights
    with the sum 0."""
    x = as_array(x)
    if weights is None:
        return x.mean(axis, keepdims)
    x, w = arrays_beside(x, weights)
    if w.shape != x.shape:
        if w.ndim != 1 or axis is None or isinstance(axis, (tuple, list)) or len(w) != x.shape[
                _normal_axis(axis, x.ndim)]:
            raise ValueError(f"average: weights of shape {w.shape} for an array of {x.shape} along {axis}")
        w = w.reshape([-1 if i == _normal_axis(axis, x.ndim) else 1 for i in range(x.ndim)])
    total = (w + x * 0 if w.shape != x.shape else w).sum(axis, keepdims)
    if np.any(total == 0):
        raise ZeroDivisionError("average: the sum of the weights is 0")
    return (x * w).sum(axis, keepdims) / total


def diff(x, n: int = 1, axis: int = -1, prepend=None, append=None) -> Array:
    """Each element minus the element before it along an axis, n times, with the error of a subtraction each time.
    ``prepend`` and ``append`` are put before and after the elements. Raises ValueError for n < 0 and for an array of
    no dimensions."""
    x, n = as_array(x), operator.index(n)
    if n < 0:
        raise ValueError(f"diff: n is at least 0, not {n}")
    if x.ndim == 0:
        raise ValueError("diff: an array of no dimensions has no differences")
    axis = _normal_axis(axis, x.ndim)
    parts = []
    for part in (prepend, x, append):
        if part is None:
            continue
        part = arrays_beside(x, part)[1]
        if part.ndim == 0:
            part = array(np.zeros([1 if i == axis else size for i, size in enumerate(x.shape)]), part.dtype) + part
        parts.append(part)
    if len(parts) > 1:
        x = concatenate(parts, axis)
    later, before = ([slice(None)] * axis + [part] for part in (slice(1, None), slice(None, -1)))
    for _ in range(min(n, x.shape[axis])):  # after so many there are none
        x = x[tuple(later)] - x[tuple(before)]
    return x.copy() if n == 0 else x


Array.cumsum, Array.cumprod, Array.prod, Array.var, Array.std = cumsum, cumprod, prod, var, std
