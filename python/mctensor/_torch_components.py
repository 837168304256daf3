"""Planes of numbers: the components first, (components, *shape)."""
from __future__ import annotations

import torch


def widened(planes: torch.Tensor, nc: int) -> torch.Tensor:
    """Planes with zeros after them."""
    if len(planes) == nc:
        return planes
    return torch.cat([planes, planes.new_zeros((nc - len(planes), *planes.shape[1:]))])


def reduced_shape(planes: torch.Tensor, dims, keepdim: bool) -> list[int]:
    """The shape of planes after a reduction of the numbers over these dimensions; without any, over all."""
    count = planes.dim() - 1
    gone = {d % count for d in dims} if dims else set(range(count))
    return [len(planes), *(1 if i in gone else n for i, n in enumerate(planes.shape[1:]) if keepdim or i not in gone)]


def spread(planes: torch.Tensor, count: int) -> torch.Tensor:
    """A view of planes of numbers of so many dimensions, the new ones in front and of size 1."""
    for _ in range(count - planes.dim() + 1):
        planes = planes.unsqueeze(1)
    return planes
