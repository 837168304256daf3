"""The error of attention for scores beyond the range of a type."""
from __future__ import annotations

import numpy as np

from ._points import is_torch

# the largest inputs of each comparison in float64 and in float32
_RANGES = {"ball": "vectors to a length of 177 and 44", "lorentz": "a last coordinate to 354 and 88",
           "half-space": "a last coordinate of either sign to 354 and 44", "exp": "vectors to a length of 354 and 44"}


def _is_finite(x) -> bool:
    return bool(x.isfinite().all() if is_torch(x) else np.isfinite(x).all())


def require_numbers(result, comparison, operands) -> None:
    """Raises ValueError if the result has a NaN or an infinity although the operands have none. ``comparison`` is a
    name, or those of the factors of a product."""
    if not _is_finite(result) and all(map(_is_finite, operands)):
        raise _too_large(comparison, result)


def require_weights(sums, comparison, operands, causal: bool, hidden=None, edges=None) -> None:
    """Raises ValueError if all scores of a query that sees keys are below the range of the type: its result would be 0,
    as without keys. ``sums`` (.., L) is then -infinity. The other arguments are those of the library."""
    lost = np.asarray(sums) == -np.inf
    if not lost.any() or not all(map(_is_finite, operands[:5])):
        return
    if edges is not None:
        sees = np.diff(np.asarray(edges)[:lost.shape[-1] + 1]) > 0
    else:
        queries, keys = lost.shape[-1], operands[1].shape[-2]
        seen = np.tri(queries, keys, keys - queries if causal else keys, dtype=bool)
        if hidden is not None:
            seen = seen & ~np.asarray(hidden)
        if len(operands) > 5 and operands[5] is not None:
            seen = seen & (np.asarray(operands[5]) > -np.inf)
        sees = seen.any(-1)
    if (lost & sees).any():
        raise _too_large(comparison, operands[0])


def sums_of_product(result, weigh) -> np.ndarray:
    """-infinity for the queries without weights, 0 for others. Only results that are 0 can be of queries without
    weights, and only for them ``weigh`` computes the sums of weights (.., L, 1)."""
    zero = (np.asarray(result) == 0).all(-1)
    return np.where(zero & (np.asarray(weigh())[..., 0] == 0), -np.inf, 0.0) if zero.any() else np.zeros(zero.shape)


def _too_large(comparison, like) -> ValueError:
    names = [comparison] if isinstance(comparison, str) else list(dict.fromkeys(comparison))
    takes = [_RANGES.get("exp" if name.endswith("-exp") else name.removesuffix("-squared"),
                         "vectors whose squares are numbers of the type") for name in names]
    kind = str(like.dtype).removeprefix("torch.")
    others = "gamma or radius" if isinstance(comparison, str) else "weights"
    return ValueError(f"attention: q, k, {others} of {kind} are too large to be compared by "
                      f"{' and '.join(map(repr, names))}, which takes {' and '.join(takes)} in float64 and in "
                      "float32")
