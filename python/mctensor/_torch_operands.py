"""Converts operands to PyTorch tensors, and finds the type of a result."""
from __future__ import annotations

import functools

import numpy as np
import torch

from . import _core
from ._array import Array
from ._arguments import real_array

#: the library's names of PyTorch's types
KINDS = {torch.float64: "f64x1", torch.float32: "f32x1", torch.float16: "f16x1",
         torch.bfloat16: "bf16x1"}


def require_device(name: str, x: torch.Tensor) -> None:
    if x.device.type not in ("cpu", "meta", "cuda"):
        raise ValueError(f"{name}: a tensor on {x.device}; those of the CPU and of CUDA devices are taken")


def require_one_device(name: str, operands, inside: int = 0) -> None:
    """Raises ValueError unless all operands are on one device. As in PyTorch, single numbers on the CPU are taken
    beside CUDA tensors. ``inside``: the number of dimensions of a single number."""
    places = {x.device for x in operands if x.dim() > inside or not x.is_cpu}
    if len(places) > 1:
        raise ValueError(f"{name}: tensors on {' and '.join(sorted(map(str, places)))}; those of one device are taken")


def dimensions(x) -> int:
    """The number of dimensions."""
    if isinstance(x, torch.Tensor):
        return x.dim()
    return 0 if isinstance(x, (int, float)) else np.ndim(x)


def result_kind(name: str, operands) -> torch.dtype:
    """The type in which PyTorch would compute. The tensors with dimensions decide it or, if no operand has dimensions,
    the tensors without. Numbers, lists and arrays do not decide. If no tensor does, it is float64."""
    floats = [x for x in operands if isinstance(x, torch.Tensor) and x.is_floating_point()]
    for x in floats:
        if x.dtype not in KINDS:
            raise TypeError(f"{name}: a tensor of {x.dtype}; float64, float32, float16 and bfloat16 are taken")
    kinds = [x.dtype for x in floats if x.dim() > 0]
    if not any(dimensions(x) for x in operands):
        kinds = [x.dtype for x in floats]
    return functools.reduce(torch.promote_types, kinds) if kinds else torch.float64


def as_tensor(name: str, x, kind: torch.dtype) -> torch.Tensor:
    """Converts an operand to a tensor of a type. Numbers and lists are rounded once. So torch.as_tensor is not used,
    which would first convert them to PyTorch's default type."""
    if isinstance(x, torch.Tensor):
        require_device(name, x)
        if x.is_complex():
            raise TypeError(f"{name}: a tensor of {x.dtype}; real numbers are taken")
        return x.to(kind)
    if isinstance(x, Array):
        raise TypeError(f"{name}: arrays of mctensor and tensors of PyTorch are not taken side by side")
    if isinstance(x, (int, float)):
        return torch.scalar_tensor(float(x), dtype=kind, device="cpu")  # also if the default device is another
    return torch.from_numpy(real_array(name, x, np.float64)).to(kind)


def together(name: str, operands):
    """Converts operands to tensors of one type. Returns the type of the result and the tensors. Tensors that have one
    type stay unchanged. Otherwise all become float64, which holds all their values, so that the result is rounded
    once."""
    kind = operands[0].dtype if isinstance(operands[0], torch.Tensor) else None
    if kind in KINDS and all(isinstance(x, torch.Tensor) and x.dtype == kind for x in operands):
        for x in operands:
            require_device(name, x)
        return kind, operands
    return result_kind(name, operands), [as_tensor(name, x, torch.float64) for x in operands]
