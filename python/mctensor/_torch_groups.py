"""Batches whose first operands, radii or curvatures, differ. A call of the library takes one of them."""
from __future__ import annotations

import torch


def is_one(first: torch.Tensor, core: int) -> bool:
    """Whether there is one first operand for all elements. ``core`` of its dimensions belong to an element."""
    return first.dim() == core or first.shape[:first.dim() - core].numel() == 1


def leading_shape(tensors, cores) -> torch.Size:
    """The shape of a batch: the dimensions before those that belong to an element, broadcast."""
    return torch.broadcast_shapes(*(x.shape[:x.dim() - core] for x, core in zip(tensors, cores)))


def beside(tensors, cores) -> list:
    """Copies single numbers on the CPU, which have only their ``core`` dimensions, to the device of the other
    tensors."""
    device = next((x.device for x in tensors if x is not None and not x.is_cpu), None)
    return [x.to(device) if device is not None and x is not None and x.is_cpu and x.dim() == core else x
            for x, core in zip(tensors, cores)]


class Groups:
    """Sorts the elements into groups with one first operand: of one value or, with ``by_place``, of one index, as the
    gradient of the first operand needs it. Tensors that are None stay None."""

    def __init__(self, first, core: int, tensors, cores, by_place: bool):
        there = [(x, c) for x, c in ((first, core), *zip(tensors, cores)) if x is not None]
        self._leading, self._cores = leading_shape(*zip(*there)), cores
        self._tensors, self.has_elements = tensors, self._leading.numel() > 0
        before = first.shape[:first.dim() - core]
        rows = first.reshape(-1, *first.shape[first.dim() - core:])
        numbers = torch.arange(len(rows))
        if not self.has_elements:
            rows = rows.new_ones(1, *rows.shape[1:])  # one group without elements
        elif not by_place:
            rows, numbers = torch.unique(rows, dim=0, return_inverse=True)
        numbers = numbers.reshape(before).expand(self._leading).reshape(-1)
        self._first, self._order = rows, numbers.argsort(stable=True)
        self._counts = numbers.bincount(minlength=len(rows)).tolist()

    def __iter__(self):
        """The first operand of each group, and the elements of the tensors that belong to it."""
        parts = [[None] * len(self._counts) if x is None else self._split(x, core)
                 for x, core in zip(self._tensors, self._cores)]
        return ((first, given) for first, *given in zip(self._first, *parts))

    def _split(self, x, core: int):
        own = x.shape[x.dim() - core:]
        return x.expand(*self._leading, *own).reshape(-1, *own)[self._order].split(self._counts)

    def whole(self, parts) -> torch.Tensor:
        """Joins the results of the groups to the result of the batch."""
        in_order = torch.cat(list(parts))
        rows = torch.empty_like(in_order)
        rows[self._order] = in_order
        return rows.reshape(*self._leading, *rows.shape[1:])
