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
        names = [comparison] if isinstance(comparison, str) else list(dict.fromkeys(comparison))
        takes = [_RANGES.get("exp" if name.endswith("-exp") else name.removesuffix("-squared"),
                             "vectors whose squares are numbers of the type") for name in names]
        kind = str(result.dtype).removeprefix("torch.")
        others = "gamma or radius" if isinstance(comparison, str) else "weights"
        raise ValueError(f"attention: q, k, {others} of {kind} are too large to be compared by "
                         f"{' and '.join(map(repr, names))}, which takes {' and '.join(takes)} in float64 and in "
                         "float32")
