"""Names of types: "f64x2" is a sum of two doubles."""
from __future__ import annotations

import numpy as np

#: how many components each component type may have
MOST_COMPONENTS = {"f64": 4, "f32": 4, "f16": 3, "bf16": 3}
#: all types
DTYPES = tuple(f"{kind}x{n}" for kind, most in MOST_COMPONENTS.items() for n in range(1, most + 1))
_PARTS = {name: (name.split("x")[0], int(name.split("x")[1])) for name in DTYPES}
#: the NumPy types of planes; bfloat16 as bits
PLANE_TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16}


def split(dtype: str) -> tuple[str, int]:
    """Splits a name: ("f64", 2) for "f64x2". Raises TypeError for an unknown type."""
    try:
        return _PARTS[dtype]
    except (KeyError, TypeError):
        raise TypeError(f"there is no dtype {dtype!r}, only {', '.join(DTYPES)}") from None


def promote(a: str, b: str) -> str:
    """The smallest type that holds both: the wider component type and the larger number of components."""
    (kind_a, n_a), (kind_b, n_b) = split(a), split(b)
    if kind_a == kind_b:
        kind = kind_a
    else:
        # neither 16-bit format holds the other
        kind = "f64" if "f64" in (kind_a, kind_b) else "f32"
    return f"{kind}x{max(n_a, n_b)}"
