"""Sharded parameters: DTensors, as fully_shard and tensor parallelism make them. Each process has a part.

Random bits, and groups of 128 elements with one mark, belong to the positions of elements in the whole parameter. So a
step must know the positions of the elements of a part.
"""
from __future__ import annotations

import math

import torch

from . import _core

#: the number of elements that share random words and a mark
GROUP = _core.group_length


def is_sharded(x) -> bool:
    """Whether a tensor is a DTensor."""
    return type(x) not in (torch.Tensor, torch.nn.Parameter) and hasattr(x, "to_local")


def local(x) -> torch.Tensor:
    """The part of a tensor on this process. A plain tensor is returned whole."""
    if not is_sharded(x):
        return x
    with torch.no_grad():
        return x.to_local()


def local_gradient(parameter, grad) -> torch.Tensor:
    """The part of a gradient that belongs to this process' part of the parameter. If gradients are sharded differently,
    or are parts of a sum, all processes exchange them here."""
    if is_misplaced(parameter, grad):
        with torch.no_grad():
            grad = grad.redistribute(parameter.device_mesh, parameter.placements)
    return local(grad)


def is_misplaced(parameter, grad) -> bool:
    """Whether a gradient is sharded differently from its parameter."""
    return is_sharded(parameter) and is_sharded(grad) and tuple(grad.placements) != tuple(parameter.placements)


def like(parameter, part: torch.Tensor) -> torch.Tensor:
    """Makes a tensor that is sharded as the parameter from its part on this process."""
    if not is_sharded(parameter):
        return part
    return type(parameter.data).from_local(part, parameter.device_mesh, parameter.placements, run_check=False,
                                           shape=parameter.shape, stride=_row_major(parameter.shape))


def _row_major(shape) -> tuple[int, ...]:
    return tuple(math.prod(shape[k + 1:]) for k in range(len(shape)))


def _box(parameter):
    """The shape of this process' part, and its offset in each dimension."""
    try:
        from torch.distributed.tensor._utils import compute_local_shape_and_global_offset
    except ImportError:  # PyTorch 2.4
        from torch.distributed._tensor._utils import compute_local_shape_and_global_offset
    return compute_local_shape_and_global_offset(parameter.shape, parameter.device_mesh, parameter.placements)


def runs(parameter) -> list[tuple[int, int]]:
    """The positions of the elements of this process' part in the whole parameter, row-major: (first, count) of each run
    of neighbours. A run that begins within a group is cut where the group ends."""
    if not is_sharded(parameter):
        return [(0, parameter.numel())]
    part, begin = _box(parameter)
    if tuple(part) != tuple(local(parameter).shape):
        raise ValueError(f"MCAdamW: a parameter of shape {tuple(parameter.shape)} that is {parameter.placements} has a "
                         f"part of shape {tuple(local(parameter).shape)} here, not {tuple(part)}")
    if math.prod(part) == 0:
        return [(0, 0)]
    whole, strides = tuple(parameter.shape), _row_major(parameter.shape)
    inner = max((k for k in range(len(whole)) if part[k] != whole[k]), default=0)  # from here on they are contiguous
    starts = [sum(b * s for b, s in zip(begin, strides))]
    for k in range(inner):
        starts = [start + i * strides[k] for start in starts for i in range(part[k])]
    return [run for start in starts for run in _cut(start, math.prod(part[inner:]))]


def _cut(first: int, count: int) -> list[tuple[int, int]]:
    head = min(-first % GROUP, count)
    return [run for run in ((first, head), (first + head, count - head)) if run[1] > 0]


def marks_of(parameter) -> int:
    """The number of marks of this process' part, one for each group of elements."""
    return sum(-(-count // GROUP) for _, count in runs(parameter))


def _are_boxes(parameter) -> bool:
    """Whether each process' part is a box. fully_shard over tensor parallelism cuts the parts of tensor parallelism
    again. PyTorch notes this as a strided cut before them. If all cut evenly, they undo its strides."""
    cuts = [(placement, ranks) for placement, ranks in zip(parameter.placements, parameter.device_mesh.shape)
            if hasattr(placement, "dim")]
    for k, (strided, _) in enumerate(cuts):
        if hasattr(strided, "split_factor"):
            same = [(i, ranks) for i, (placement, ranks) in enumerate(cuts) if placement.dim == strided.dim]
            if strided.split_factor != math.prod(ranks for i, ranks in same if i > k):
                return False
            if parameter.shape[strided.dim] % math.prod(ranks for _, ranks in same):
                return False
    return True


def check(name: str, parameter, strategy: str) -> None:
    """Raises ValueError for a parameter whose parts cannot be stepped. All processes come to the same result."""
    if not is_sharded(parameter):
        return
    if any(placement.is_partial() for placement in parameter.placements):
        raise ValueError(f"MCAdamW: {name} is {parameter.placements}: parts of a sum cannot be updated as weights")
    if not _are_boxes(parameter):
        raise ValueError(f"MCAdamW: {name}, of shape {tuple(parameter.shape)}, is {parameter.placements} on a "
                         f"mesh of {tuple(parameter.device_mesh.shape)}: a part would not be one block of neighbours; "
                         "strided parts are stepped where tensor parallelism and fully_shard cut evenly")
    dims = [placement.dim for placement in parameter.placements if hasattr(placement, "dim")]
    inner = math.prod(parameter.shape[max(dims) + 1:]) if dims else 0
    if strategy == "split8" and inner % 16:
        raise ValueError(f"MCAdamW: {name}, of shape {tuple(parameter.shape)}, is cut in dimension {max(dims)}, "
                         "between elements that share a scale: split8 wants parts of whole blocks of 16")


def part_of(name: str, parameter, x):
    """This process' part of an entry of a file. The entry has the shape of the whole parameter, or is sharded as the
    parameter. An entry of another shape is returned unchanged."""
    if not isinstance(x, torch.Tensor):
        return x
    if is_sharded(x):
        if not is_sharded(parameter) or tuple(x.placements) != tuple(parameter.placements):
            wanted = parameter.placements if is_sharded(parameter) else "in no parts"
            raise ValueError(f"MCAdamW: {name} is sharded ({x.placements}), the parameter is {wanted}")
        return local(x)
    own = local(parameter)
    if not is_sharded(parameter) or x.shape != parameter.shape or x.shape == own.shape:
        return x
    part, begin = _box(parameter)
    return x[tuple(slice(b, b + n) for b, n in zip(begin, part))].contiguous()
