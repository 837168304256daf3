"""Estimates how many digits of a result in double are right."""
from __future__ import annotations

import numpy as np

from ._array import Array
from ._make import array

MOST_DIGITS = 17.0
NEARLY_ALL = 15.65  # an error of 2^-52 of the size
BARS = [*range(0, 17, 2), int(MOST_DIGITS)]


class Check:
    """The result of ``mctensor.check``.

    ``digits``: the number of right decimal digits of each result, from 0 to 17, or NaN if nothing is known. ``result``:
    the numbers in double, with ``axis`` as the last axis. ``reference``: the same numbers in f64x3, or in f64x2 if the
    function does not take f64x3; then ``reason`` says why, and ``spread`` is NaN. ``spread``: the difference of the
    results in f64x2 and f64x3, which counts as an error.
    """

    def __init__(self, digits, result, reference, spread, reason: str):
        self.digits, self.result, self.reference, self.spread = digits, result, reference, spread
        self.reason = reason

    def worst(self, count: int = 10) -> list[tuple[int, ...]]:
        """The indices of the results with the fewest right digits: the worst first, unknown ones last."""
        order = np.argsort(self.digits, axis=None, kind="stable")[:count]
        return [tuple(int(i) for i in np.unravel_index(place, self.digits.shape)) for place in order]

    def plot(self, ax=None):
        """Draws a histogram of the numbers of right digits with matplotlib. Returns the axes."""
        if ax is None:
            import matplotlib.pyplot as plt
            ax = plt.subplots()[1]
        known = self.digits[~np.isnan(self.digits)]
        ax.hist(known, bins=np.arange(0, MOST_DIGITS + 0.5, 0.5))
        ax.axvline(NEARLY_ALL, linestyle="--", color="0.5", label="error 2^-52")
        ax.set(xlabel="right digits", ylabel="results", xlim=(0, MOST_DIGITS))
        ax.legend()
        return ax

    def __str__(self) -> str:
        known = np.sort(self.digits[~np.isnan(self.digits)])
        lines = [f"{self.digits.size} results"]
        if len(known):
            lines[0] += (f"; right digits: worst {known[0]:.1f}, median {known[len(known) // 2]:.1f}; "
                         f"{int((known >= NEARLY_ALL).sum())} with an error of at most 2^-52")
            counts = np.histogram(known, BARS)[0]
            some = np.flatnonzero(counts)
            for i in range(some[0], some[-1] + 1):
                bar = "#" * int(np.ceil(50 * counts[i] / counts.max()))
                lines.append(f"  {BARS[i]:2} to {BARS[i + 1]:<2} digits {counts[i]:9} {bar}")
        if len(known) < self.digits.size:
            lines.append(f"{self.digits.size - len(known)} results where nothing is known: more digits are not finite")
        if self.reason:
            lines.append(f"reference: f64x2, whose own error is not known; with f64x3: {self.reason}")
        for index in self.worst(5):
            lines.append(f"  {index} {self.digits[index]:.1f}: {self.result[index]} for {_text(self.reference[index])}")
        return "\n".join(lines)

    __repr__ = __str__


def _text(x: Array) -> str:
    return f"{x:.32g}" if x.ndim == 0 else f"[{' '.join(f'{element:.32g}' for element in x)}]"


def _in_double(x) -> np.ndarray:
    if np.iscomplexobj(x):
        raise TypeError("check: complex numbers cannot be checked")
    return x.to_numpy() if isinstance(x, Array) else np.asarray(x, dtype=np.float64)


def _with_digits(function, numbers, dtype: str) -> Array:
    found = function(*(array(x, dtype) for x in numbers))
    if not isinstance(found, Array) or found.dtype != dtype:
        kind = found.dtype if isinstance(found, Array) else type(found).__name__
        raise TypeError(f"check: of arrays of {dtype} the function returns {kind}, not an array of {dtype}")
    return found


def check(function, *operands, result=None, axis: int | None = None) -> Check:
    """Estimates how many decimal digits of ``function(*operands)`` in double are right.

    ``function`` is any function of arrays, such as ``np.exp``, ``PoincareBall(1).dist`` or your own formula. ``check``
    calls it with the operands as arrays of f64x1 (double), of f64x2 and, if the function takes them, of f64x3. So
    constants in the function must be exact: ``x / 10``, not ``x * 0.1``. The operands and ``result`` are rounded to
    double, and these doubles count as exact.

    ``result``: numbers of another program, which are checked instead. ``axis``: the numbers along this axis are one
    result, such as a point or a vector, and its digits are those of its largest number; use ``axis=-1`` for points. The
    digits are -log10 of the error divided by the size of the reference. The difference of the results in f64x2 and
    f64x3 counts as an error, so the digits are an estimate, not a bound. If the function does not take f64x3, as in
    geometry, the result in f64x2 counts as exact.

    Raises TypeError if the function does not return one array of the type of its operands, ValueError if shapes differ.

        >>> mct.check(lambda x: mct.sqrt(x * x + 1) - x, 10.0 ** np.arange(9)).digits
    """
    numbers = [np.array(_in_double(x)) for x in operands]
    plain = _in_double(function(*(array(x, "f64x1") for x in numbers)) if result is None else result)
    better, reason = _with_digits(function, numbers, "f64x2"), ""
    try:
        best = _with_digits(function, numbers, "f64x3")
    except TypeError as error:
        best, reason = better, str(error)
    if plain.shape != best.shape:
        raise ValueError(f"check: {'the result' if result is None else 'result='} has shape {plain.shape}, with more "
                         f"digits it has {best.shape}")
    if axis is not None:
        plain, better, best = (np.moveaxis(x, axis, -1) for x in (plain, better, best))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        spread = abs(best - better).to_numpy()
        error = abs(best - array(plain, best.dtype)).to_numpy() + spread
        size = abs(best.to_numpy())
        known = np.isfinite(size) & np.isfinite(spread)
        error = np.where(np.isnan(error), np.inf, error)
        if axis is not None:
            error, size, known = error.max(-1, initial=0), size.max(-1, initial=0), known.all(-1)
        digits = np.where(error == 0, MOST_DIGITS, np.clip(-np.log10(error / size), 0, MOST_DIGITS))
    if reason:
        spread = np.full_like(spread, np.nan)
    return Check(np.where(known, digits + 0.0, np.nan), plain, best, spread, reason)
