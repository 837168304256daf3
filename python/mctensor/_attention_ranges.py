"""The error of attention for scores beyond the range of a type."""
from __future__ import annotations

import numpy as np

from ._points import is_torch

# the largest inputs of each comparison in float64 and in float32
_RANGES = {"ball": "vectors to a length of 177 and 44", "lorentz": "a last coordinate to 354 and 88",
           "half-space": "a last coordinate of either sign to 354 and 44", "exp": "vectors to a length of 354 and 44"}


def _is_finite(x) -> bool:
    return bool(x.isfinite().all() if is_torch(x) else np.isfinite(x).all())


def require_numbers(result, comparison: str, operands) -> None:
    """Raises ValueError if the result has a NaN or an infinity although the operands have none."""
    if not _is_finite(result) and all(map(_is_finite, operands)):
        reach = _RANGES.get("exp" if comparison.endswith("-exp") else comparison.removesuffix("-squared"),
                            "vectors whose squares are numbers of the type")
        kind = str(result.dtype).removeprefix("torch.")
        raise ValueError(f"attention: q, k, gamma or radius of {kind} are too large to be compared by '{comparison}', "
                         f"which takes {reach} in float64 and in float32")
