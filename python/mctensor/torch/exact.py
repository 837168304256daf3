"""Exact sums of the elements of tensors, rounded once. Neither the order nor the number of the elements matters.

    from mctensor.torch import exact
    loss = exact.mean(losses)
    exact.sum(x, dim=(0, 2), keepdim=True), exact.dot(x, y)

The operators are differentiable any number of times, and work in torch.compile, torch.export and torch.func.
``mctensor.torch.distributed`` adds up over processes.
"""
from __future__ import annotations

import math

import torch

from .._torch_operands import KINDS, together
from .._torch_sums import DOT, MEAN, SUM

__all__ = ["dot", "mean", "sum"]


def _reduced(name: str, operator, x, dim, keepdim: bool) -> torch.Tensor:
    kind, (x,) = together(name, (x,))
    dims = range(x.dim()) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    for d in dims:
        if not -max(x.dim(), 1) <= d < max(x.dim(), 1):
            raise IndexError(f"{name}: dim {d} does not exist in a tensor of shape {tuple(x.shape)}")
    places = sorted(d % max(x.dim(), 1) for d in dims) if x.dim() else []
    if len(set(places)) < len(places):
        raise ValueError(f"{name}: dim {dim} names a dimension twice")
    kept = [i for i in range(x.dim()) if i not in places]
    count = math.prod([x.shape[i] for i in places])
    flat = x.permute((*kept, *places)).reshape((*(x.shape[i] for i in kept), count))
    result = operator(flat)
    if keepdim:
        for i in places:
            result = result.unsqueeze(i)
    return result.to(kind)


def sum(x, dim=None, keepdim: bool = False) -> torch.Tensor:
    """The exact sum over some dimensions, by default all, rounded once. The error is at most half a unit in the last
    place for every input. Infinities and NaN are treated as in distributed.md."""
    return _reduced("sum", SUM, x, dim, keepdim)


def mean(x, dim=None, keepdim: bool = False) -> torch.Tensor:
    """The mean: the exact sum to 106 bits, divided in f64x2 and rounded. The error is at most half a unit in the last
    place, plus 2^-40 of a unit. For float64 this holds while the sum is within range and the mean is 0 or at least
    2^-969; below, errors were less than one unit. Without elements it is NaN, as in PyTorch."""
    return _reduced("mean", MEAN, x, dim, keepdim)


def dot(x, y) -> torch.Tensor:
    """The sum of products over the last dimension, exact and rounded once. Leading dimensions broadcast. For float64
    this holds while products are within range and 0 or at least 2^-969 (a smaller one has an error of 2^-1074 at
    most)."""
    if all(isinstance(z, torch.Tensor) and z.dtype in KINDS for z in (x, y)):  # the wider type holds both
        wide = torch.promote_types(x.dtype, y.dtype)
        x, y = x.to(wide), y.to(wide)
    kind, (x, y) = together("dot", (x, y))
    if not (x.dim() and y.dim()) or x.shape[-1] != y.shape[-1]:
        raise ValueError(f"dot: vectors of shapes {tuple(x.shape)} and {tuple(y.shape)}; the last dimensions must be "
                         "equal")
    return DOT(x, y, kind)
