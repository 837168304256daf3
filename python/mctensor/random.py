"""Random numbers with all bits of a type, with NumPy's names.

    rng = mct.random.default_rng(7)
    x = rng.normal(1, "0.1", (1000, 3))      # mean, deviation, shape
    y = mct.random.normal(1, "0.1", (1000, 3), seed=7)

A seed gives the same numbers everywhere. The numbers of a generator depend on its seed and on the number of its calls.
They differ from NumPy's numbers.
"""
from __future__ import annotations

import numpy as np

from ._array import Array
from ._arguments import MOST_UINT64, whole
from ._functions import _sizes, mul_add, rand, randn
from ._make import array

__all__ = ["Generator", "default_rng", "normal", "random", "standard_normal", "uniform"]


def _shape(size, *parameters: Array) -> list[int]:
    shape = list(np.broadcast_shapes(*(p.shape for p in parameters)))
    if size is None:
        return shape
    sizes = _sizes(size)
    if shape and list(np.broadcast_shapes(sizes, shape)) != sizes:
        raise ValueError(f"size {tuple(sizes)} is too small for parameters of shape {tuple(shape)}")
    return sizes


def standard_normal(size=None, *, seed: int, dtype: str = "f64x2") -> Array:
    """Normal random numbers with mean 0 and standard deviation 1. ``size`` is their shape; None gives one number. All
    bits of the type are random. Raises ValueError for a seed that is not from 0 to 2^64 - 1."""
    return randn(_shape(size), seed, dtype)


def random(size=None, *, seed: int, dtype: str = "f64x2") -> Array:
    """Uniform random numbers in [0, 1). ``size`` is their shape; None gives one number. All bits of the type are
    random. Raises ValueError for a seed that is not from 0 to 2^64 - 1."""
    return rand(_shape(size), seed, dtype)


def normal(loc=0, scale=1, size=None, *, seed: int, dtype: str = "f64x2") -> Array:
    """Normal random numbers loc + scale z with mean ``loc`` and standard deviation ``scale``, and the error of
    ``mul_add``. Both broadcast to ``size``; None stands for their common shape. Raises ValueError for a negative or NaN
    deviation and a ``size`` to which they do not broadcast."""
    loc, scale = array(loc, dtype), array(scale, dtype)
    if not np.all(scale >= 0):
        raise ValueError("normal: the deviation is negative or NaN")
    return mul_add(scale, randn(_shape(size, loc, scale), seed, dtype), loc)


def uniform(low=0, high=1, size=None, *, seed: int, dtype: str = "f64x2") -> Array:
    """Uniform random numbers low + (high - low) u with u in [0, 1), with the errors of a subtraction and ``mul_add``. A
    result may be rounded to ``high``. Both ends broadcast to ``size``; None stands for their common shape. Raises
    ValueError for an end that is infinite or NaN and for a ``size`` to which they do not broadcast."""
    low, high = array(low, dtype), array(high, dtype)
    if not (np.all(np.isfinite(low)) and np.all(np.isfinite(high))):
        raise ValueError("uniform: an end is infinite or NaN")
    parts, span = rand(_shape(size, low, high), seed, dtype), high - low
    if np.all(np.isfinite(span)):
        return mul_add(span, parts, low)
    return 2 * mul_add(high / 2 - low / 2, parts, low / 2)  # the span is beyond the range of the type


class Generator:
    """Makes random numbers of one type, call after call; ``default_rng`` makes a generator. Each call has its own
    64-bit seed, from ``numpy.random.SeedSequence`` with the number of the call as its key."""

    def __init__(self, seed: int, dtype: str = "f64x2"):
        self.seed, self.dtype, self.calls = whole("seed", seed, 0, MOST_UINT64), dtype, 0

    def _next(self) -> dict:
        words = np.random.SeedSequence(self.seed, spawn_key=(self.calls,)).generate_state(1, np.uint64)
        self.calls += 1
        return dict(seed=int(words[0]), dtype=self.dtype)

    def standard_normal(self, size=None) -> Array:
        """See the function of this name."""
        return standard_normal(size, **self._next())

    def random(self, size=None) -> Array:
        """See the function of this name."""
        return random(size, **self._next())

    def normal(self, loc=0, scale=1, size=None) -> Array:
        """See the function of this name."""
        return normal(loc, scale, size, **self._next())

    def uniform(self, low=0, high=1, size=None) -> Array:
        """See the function of this name."""
        return uniform(low, high, size, **self._next())


def default_rng(seed: int, dtype: str = "f64x2") -> Generator:
    """A generator of numbers of a type. Raises ValueError for a seed that is not from 0 to 2^64 - 1."""
    return Generator(seed, dtype)
