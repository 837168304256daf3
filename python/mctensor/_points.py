"""What points may be given as."""
from __future__ import annotations

import sys

import numpy as np

from . import _core


def is_torch(x) -> bool:
    """Whether it is a tensor of PyTorch, without importing that."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def plain(x):
    """Coordinates as a tensor of doubles on NumPy's memory where it can be."""
    values = np.asarray(x, dtype=np.float64)
    if not values.flags.writeable or not values.flags.aligned:
        values = values.copy()
    return _core.from_planes(values[np.newaxis], "f64x1")
