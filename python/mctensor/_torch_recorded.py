"""Operations of the library on PyTorch's tensors, with the library's derivatives."""
from __future__ import annotations

import torch

from . import _core

#: the library's types of PyTorch's
KINDS = {torch.float64: "f64x1", torch.float32: "f32x1", torch.float16: "f16x1",
         torch.bfloat16: "bf16x1"}


def require_cpu(name: str, x: torch.Tensor) -> None:
    if x.device.type != "cpu":
        raise ValueError(f"{name}: a tensor on {x.device}; those of the CPU are taken")


def on_memory(x: torch.Tensor):
    """A tensor of PyTorch as the library's on the same memory."""
    planes = x.detach().unsqueeze(0).resolve_neg()  # PyTorch may keep a sign beside the memory
    return _core.from_planes(_core.as_numpy(planes)[0], KINDS[x.dtype])


def from_library(tensor, kind) -> torch.Tensor:
    """And back; a number has no dimensions."""
    if kind == torch.bfloat16:  # PyTorch reads its bits where NumPy has no type
        return torch.utils.dlpack.from_dlpack(tensor.dlpack_planes().__dlpack__())[0]
    return torch.from_numpy(tensor.planes)[0]


class Recorded(torch.autograd.Function):
    """``record(tensors, wanted)`` gives the value of an operation, and what has its derivatives by the
    wanted operands."""

    @staticmethod
    def forward(ctx, record, *operands):
        wanted = list(ctx.needs_input_grad[1:])
        value, recorded = record([on_memory(x) for x in operands], wanted)
        ctx.kind = operands[0].dtype
        if any(wanted):
            # the library notes the operands' memory: PyTorch must see if it is written in between
            ctx.save_for_backward(*operands)
            ctx.recorded = recorded
        # the library keeps the value for the derivatives: a copy may be written in place
        result = from_library(value, ctx.kind)
        return result.clone() if any(wanted) else result

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        ctx.saved_tensors  # raises where an operand has been changed in place
        gradients = ctx.recorded.backward(on_memory(grad.to(ctx.kind).contiguous()))
        return (None, *(None if g is None else from_library(g, ctx.kind) for g in gradients))


def long_on_memory(x: torch.Tensor):
    """Numbers of f64x2, whose components are the last dimension, as the library's."""
    # always a copy: the derivatives read it, whatever becomes of the tensor
    planes = x.detach().movedim(-1, 0).clone(memory_format=torch.contiguous_format)
    return _core.from_planes(_core.as_numpy(planes)[0], "f64x2")


def long_from_library(tensor) -> torch.Tensor:
    """And back."""
    # always a copy: it may be written in place
    return torch.from_numpy(tensor.planes).movedim(0, -1).clone(memory_format=torch.contiguous_format)


class LongRecorded(torch.autograd.Function):
    """Recorded of numbers of f64x2. Their gradients are such numbers, too."""

    @staticmethod
    def forward(ctx, record, *operands):
        wanted = list(ctx.needs_input_grad[1:])
        value, recorded = record([long_on_memory(x) for x in operands], wanted)
        if any(wanted):
            ctx.recorded = recorded
        return long_from_library(value)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        gradients = ctx.recorded.backward(long_on_memory(grad))
        return (None, *(None if g is None else long_from_library(g) for g in gradients))
