"""Checks and conversions of points and lengths."""
from __future__ import annotations

import sys

import numpy as np

from . import _core
from ._arguments import number, real_array

#: the models that have means
MEANS = ("PoincareBall", "HalfSpace", "Lorentz")


def is_torch(x) -> bool:
    """Whether x is a tensor of PyTorch. Does not import PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def is_plain(x) -> bool:
    """Whether the numbers of x can be read. Tensors of PyTorch have none to read while a program is compiled or
    vmapped, and on the device "meta"."""
    if not is_torch(x):
        return True
    if x.is_meta:
        return False
    torch = sys.modules["torch"]
    from . import _torch_required  # noqa: F401  checks the version of PyTorch

    if torch.compiler.is_compiling():
        return False
    functorch = torch._C._functorch
    while functorch.is_functorch_wrapped_tensor(x):
        if functorch.is_batchedtensor(x):
            return False
        x = functorch.get_unwrapped(x)
    return True


def one_number(name: str, x, pair: bool = False) -> float:
    """Reads a length, which is a number or a tensor of one number; with ``pair`` the tensor holds a number of f64x2.
    Raises TypeError and ValueError for other values."""
    if is_torch(x):
        if tuple(x.shape[-1:]) != (2,) if pair else x.numel() != 1:
            raise ValueError(f"{name}: a tensor of shape {tuple(x.shape)}; one number is taken"
                             + (", as a last dimension of 2" if pair else ""))
        x = x.detach().sum() if pair else x.detach()
        return number(name, x.item())
    return number(name, x.item() if isinstance(x, np.ndarray) and x.size == 1 else x)


def plain(x, name: str = "geometry"):
    """Converts numbers to a tensor of doubles, on NumPy's memory if possible."""
    return _core.from_planes(real_array(name, x, np.float64)[np.newaxis], "f64x1")
