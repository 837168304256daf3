"""What points may be given as."""
from __future__ import annotations

import sys

import numpy as np

from . import _core
from ._arguments import real_array


def is_torch(x) -> bool:
    """Whether it is a tensor of PyTorch, without importing that."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def plain(x):
    """Coordinates as a tensor of doubles on NumPy's memory where it can be."""
    return _core.from_planes(real_array("geometry", x, np.float64)[np.newaxis], "f64x1")
