"""What operands beside PyTorch's tensors become, and of which type a result is."""
from __future__ import annotations

import functools

import numpy as np
import torch

from . import _core
from ._array import Array
from ._points import plain

#: the library's types of PyTorch's
KINDS = {torch.float64: "f64x1", torch.float32: "f32x1", torch.float16: "f16x1",
         torch.bfloat16: "bf16x1"}


def require_cpu(name: str, x: torch.Tensor) -> None:
    if x.device.type != "cpu":
        raise ValueError(f"{name}: a tensor on {x.device}; those of the CPU are taken")


def result_kind(name: str, operands) -> torch.dtype:
    """The type that PyTorch would compute in: that of the tensors that have dimensions or, where nothing has, of
    those without. Numbers, lists and arrays do not decide; where no tensor does it is float64."""
    floats = [x for x in operands if isinstance(x, torch.Tensor) and x.is_floating_point()]
    for x in floats:
        if x.dtype not in KINDS:
            raise TypeError(f"{name}: a tensor of {x.dtype}; float64, float32, float16 and bfloat16 are taken")
    kinds = [x.dtype for x in floats if x.dim() > 0]
    if not any(x.dim() if isinstance(x, torch.Tensor) else np.ndim(x) for x in operands):
        kinds = [x.dtype for x in floats]
    return functools.reduce(torch.promote_types, kinds) if kinds else torch.float64


def as_tensor(name: str, x, kind: torch.dtype) -> torch.Tensor:
    """An operand as a tensor of a type. Numbers and lists are rounded once: PyTorch's default type, which
    torch.as_tensor would give them first, has no part in it."""
    if isinstance(x, Array):
        raise TypeError(f"{name}: arrays of mctensor and tensors of PyTorch are not taken side by side")
    if not isinstance(x, torch.Tensor):
        return from_library(_core.convert(plain(x, name), KINDS[kind]))
    require_cpu(name, x)
    if x.is_complex():
        raise TypeError(f"{name}: a tensor of {x.dtype}; real numbers are taken")
    return x.to(kind)


def on_memory(x: torch.Tensor):
    """A tensor of PyTorch as the library's on the same memory."""
    planes = x.detach().unsqueeze(0).resolve_neg()  # PyTorch may keep a sign beside the memory
    return _core.from_planes(_core.as_numpy(planes)[0], KINDS[x.dtype])


def from_library(tensor) -> torch.Tensor:
    """And back; a number has no dimensions."""
    if tensor.dtype == KINDS[torch.bfloat16]:  # PyTorch reads its bits where NumPy has no type
        return torch.utils.dlpack.from_dlpack(tensor.dlpack_planes().__dlpack__())[0]
    return torch.from_numpy(tensor.planes[0, ...])  # no view of PyTorch's, which could not be written in place
