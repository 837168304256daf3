"""Sorting and functions that need an order: indices, distinct elements, quantiles, interpolation."""
from __future__ import annotations

import decimal
import fractions
import math

import numpy as np

from . import _core
from ._array import Array, _normal_axis, _wrap
from ._functions import arrays_beside, as_array, concatenate, full, stack, where
from ._rounding import leading, of_one_type, remainder
from ._sums import in_front, kept


def argsort(x, axis: int | None = -1) -> np.ndarray:
    """The indices that sort the elements along an axis; for None, all elements in the flattened array. Exact: values
    are compared, not their first components. The order is ascending and stable, zeros of either sign are equal, and NaN
    is last. Returns a NumPy array of int64 in the shape of x. Raises AxisError."""
    x = as_array(x)
    if axis is None or x.ndim == 0:
        x, axis = x.ravel(), -1 if axis is None else _normal_axis(axis, max(x.ndim, 1))
    axis = _normal_axis(axis, x.ndim)
    order = np.asarray(_core.argsort(x.swapaxes(axis, -1)._t))
    return np.ascontiguousarray(order.swapaxes(axis, -1))


def sort(x, axis: int | None = -1) -> Array:
    """A sorted copy along an axis; for None, of the flattened array. Exact and stable, NaN last. Raises AxisError."""
    x = as_array(x)
    if axis is None or x.ndim == 0:
        x, axis = x.ravel(), -1
    places = argsort(x, axis)
    planes = x.planes
    return _wrap(_core.from_planes(np.stack([np.take_along_axis(planes[k, ...], places, axis)
                                             for k in range(len(planes))]), x.dtype))


def _sort_in_place(self, axis: int = -1) -> None:
    """Sorts the elements along an axis. Exact, NaN last."""
    self[...] = sort(self, axis)


def searchsorted(x, values, side: str = "left", sorter=None) -> np.ndarray:
    """The indices where values would be inserted into the sorted vector x: before equal elements ("left") or after
    them ("right"). Exact. If ``sorter`` is given, x[sorter] is the sorted vector. Returns NumPy indices in the shape of
    the values. Raises ValueError for another side and for an x of other than one dimension."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', not {side!r}")
    x, values = of_one_type("searchsorted", x, values)
    if x.ndim != 1:
        raise ValueError(f"searchsorted: a vector is searched, the shape is {x.shape}")
    if sorter is not None:
        if np.shape(sorter) != x.shape:
            raise ValueError(f"searchsorted: a sorter of shape {np.shape(sorter)} for a vector of {len(x)} elements")
        x = x[np.asarray(sorter)]
    flat = values.reshape(-1)
    first, second = (flat, x) if side == "left" else (x, flat)
    order = argsort(concatenate([first, second]))
    is_value = order < len(first) if side == "left" else order >= len(first)
    places = np.empty(len(flat), np.int64)
    places[order[is_value] - (0 if side == "left" else len(first))] = np.cumsum(~is_value)[is_value]
    return places.reshape(values.shape)[()]


def unique(x, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, *,
           equal_nan: bool = True):
    """The distinct elements in ascending order, exactly. On request it also returns NumPy arrays: the first index of
    each distinct element, the index of the value of every element among the distinct elements (in the shape of x), and
    the count of each. Zeros of either sign are one value, and so are NaN with ``equal_nan``."""
    x = as_array(x)
    flat = x.ravel()
    order = argsort(flat)
    values = flat[order]
    new = np.ones(len(flat), bool)
    new[1:] = values[1:] != values[:-1]
    if equal_nan:
        nan = np.isnan(leading(values))
        new[1:] &= ~(nan[1:] & nan[:-1])
    result = [values[new]]
    if return_index:
        result.append(order[new])
    if return_inverse:
        inverse = np.empty(len(flat), np.int64)
        inverse[order] = np.cumsum(new) - 1
        result.append(inverse.reshape(x.shape))
    if return_counts:
        result.append(np.diff(np.append(np.flatnonzero(new), len(flat))))
    return tuple(result) if len(result) > 1 else result[0]


def isin(x, values) -> np.ndarray:
    """A mask of the elements of x that are equal to one of the values. Exact. NaN equals no value."""
    x, values = of_one_type("isin", x, values)
    known = sort(values.ravel())
    if len(known) == 0:
        return np.zeros(x.shape, bool)
    return np.asarray(known[np.minimum(searchsorted(known, x), len(known) - 1)] == x)


# alpha and beta of Hyndman and Fan 1996: the position of q is n q + alpha + q (1 - alpha - beta) - 1
_CONTINUOUS = {"interpolated_inverted_cdf": (0, 1), "hazen": ("1/2", "1/2"), "weibull": (0, 0), "linear": (1, 1),
               "median_unbiased": ("1/3", "1/3"), "normal_unbiased": ("3/8", "3/8")}
_BESIDE = {"lower": lambda place: fractions.Fraction(math.floor(place)),
           "higher": lambda place: fractions.Fraction(math.ceil(place)),
           "midpoint": lambda place: fractions.Fraction(math.floor(place) + math.ceil(place), 2),
           "nearest": lambda place: fractions.Fraction(round(place))}


def _exact_number(x) -> fractions.Fraction:
    if isinstance(x, (str, decimal.Decimal)):
        try:
            x = decimal.Decimal(x)
        except decimal.InvalidOperation:  # perhaps "1/3"
            if "/" not in x:
                raise ValueError(x) from None
        else:
            if x.is_finite() and abs(x.adjusted()) > 10_000:  # a fraction would have as many digits
                x = decimal.Decimal((x.is_signed(), (1,), 10_000 if x.adjusted() > 0 else -10_000)) if x else 0
    return fractions.Fraction(x)


def _exact_parts(name: str, q, whole: int) -> np.ndarray:
    """q / whole as an object array of fractions from 0 to 1. Raises ValueError for other values."""
    given = q.to_fraction() if isinstance(q, Array) else np.array(q, dtype=object)
    parts = np.empty(given.shape, dtype=object)
    for place in np.ndindex(given.shape):
        try:
            parts[place] = _exact_number(given[place].item() if isinstance(given[place], np.generic)
                                         else given[place]) / whole
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{name}: {given[place]!r} is not a number from 0 to {whole}") from None
        if not 0 <= parts[place] <= 1:
            raise ValueError(f"{name}: {given[place]} is not from 0 to {whole}")
    return parts


def _place(method: str, part, count: int):
    """The exact position of a quantile among ``count`` sorted elements."""
    if method in _BESIDE:
        return _BESIDE[method](part * (count - 1))
    alpha, beta = map(fractions.Fraction, _CONTINUOUS[method])
    return min(max(count * part + alpha + part * (1 - alpha - beta) - 1, fractions.Fraction(0)),
               fractions.Fraction(count - 1))


def _between(a: Array, b: Array, part) -> Array:
    """a + (b - a) part, also if the difference overflows."""
    step = b - a
    finite = np.asarray(np.isfinite(step))
    result = a + step * part
    return result if finite.all() else where(finite, result, a * (1 - part) + b * part)


def _quantiles(name: str, x, parts: np.ndarray, axis, method: str, keepdims: bool) -> Array:
    if method not in _BESIDE and method not in _CONTINUOUS:
        raise ValueError(f"{name}: method is one of {', '.join((*_CONTINUOUS, *_BESIDE))}, not {method!r}")
    x = as_array(x)
    front, axes = in_front(x, axis)
    count = len(front)
    if count == 0:
        raise ValueError(f"{name}: no elements in an array of shape {x.shape}")
    values = sort(front, 0)
    has_nan = np.isnan(leading(values[-1]))
    results = []
    for part in parts.flat:
        place = _place(method, part, count)
        low = math.floor(place)
        below, above = values[low], values[min(low + 1, count - 1)]
        between = below if place == low else where(below == above, below, _between(below, above, place - low))
        results.append(kept(where(has_nan, values[-1], between), x.shape, axes, keepdims))
    if not results:
        return full((*parts.shape, *kept(values[-1], x.shape, axes, keepdims).shape), 0, x.dtype)
    return stack(results).reshape([*parts.shape, *results[0].shape])


def quantile(x, q, axis=None, method: str = "linear", keepdims: bool = False) -> Array:
    """The values below which the parts q of the elements lie, over all elements or over some axes. The dimensions of q
    come first. The result is NaN if an element is NaN.

    The position of a quantile is computed exactly from the given q: the double 0.1 is not a tenth, but "0.1" and
    ``Fraction(1, 10)`` are. A result at an element is exact. Between two elements a and b the error is at most 3 K u^N
    (|a| + |b|), with K as in ``x + y`` and ``x y`` (1, 5, 8, 16 for N = 1 to 4). ``method`` is NumPy's: "linear",
    "lower", "higher", "midpoint", "nearest", "hazen", "weibull", "median_unbiased", "normal_unbiased" or
    "interpolated_inverted_cdf". Raises ValueError for other methods, for a q outside of 0 to 1 and if there are no
    elements."""
    return _quantiles("quantile", x, _exact_parts("quantile", q, 1), axis, method, keepdims)


def percentile(x, q, axis=None, method: str = "linear", keepdims: bool = False) -> Array:
    """``quantile`` of q / 100, which is computed exactly: 10 is a tenth."""
    return _quantiles("percentile", x, _exact_parts("percentile", q, 100), axis, method, keepdims)


def median(x, axis=None, keepdims: bool = False) -> Array:
    """The middle element, or the mean of the two middle elements: ``quantile`` of 1/2, with its error."""
    return _quantiles("median", x, _exact_parts("median", fractions.Fraction(1, 2), 1), axis, "linear", keepdims)


def interp(x, xp, fp, left=None, right=None, period=None) -> Array:
    """The piecewise linear function through the points (xp, fp), with xp ascending, at x. Outside the points it is
    ``left`` or ``right`` or, without these, the first or the last value. With a ``period`` xp need not be in order.

    At a point the value is exact. Between the values a and b the error is at most 6 K u^N (|a| + |b|), with K as in
    ``x + y`` and ``x y`` (1, 5, 8, 16 for N = 1 to 4). Raises ValueError for points that are not two vectors of one
    length, and for a period of 0."""
    like, x, xp, fp = arrays_beside(next((e for e in (x, xp, fp) if isinstance(e, Array)), as_array(x)), x, xp, fp)
    if xp.ndim != 1 or xp.shape != fp.shape or len(xp) == 0:
        raise ValueError(f"interp: points are two vectors of one length, not of shapes {xp.shape} and {fp.shape}")
    if period is not None:
        period = abs(arrays_beside(like, period)[1])
        if not np.all(period != 0):
            raise ValueError("interp: the period is 0")
        x, xp = remainder(x, period), remainder(xp, period)
        order = argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = concatenate([fp[-1:], fp, fp[:1]])
        left = right = None
    if len(xp) == 1:
        inside = x * 0 + fp[0]
    else:
        low = np.clip(searchsorted(xp, x, "right") - 1, 0, len(xp) - 2)
        below, above = xp[low], xp[low + 1]
        width = above - below
        part = (x - below) / width
        finite = np.asarray(np.isfinite(width))
        if not finite.all():
            part = where(finite, part, (x / 2 - below / 2) / (above / 2 - below / 2))
        inside = _between(fp[low], fp[low + 1], part)
        inside = where(np.asarray(x == below), fp[low], inside)
    inside = where(np.asarray(x >= xp[-1]), fp[-1], inside)
    inside = where(np.asarray(x < xp[0]), fp[0] if left is None else left, inside)
    return inside if right is None else where(np.asarray(x > xp[-1]), right, inside)


Array.argsort, Array.sort = argsort, _sort_in_place
