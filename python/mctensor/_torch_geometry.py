"""Operations of manifolds on PyTorch's tensors, with the library's derivatives."""
from __future__ import annotations

import torch

from . import _core


def on_memory(x: torch.Tensor):
    """A tensor of PyTorch, of float64 on the CPU, as the library's on the same memory."""
    return _core.from_planes(_core.as_numpy(x.detach().unsqueeze(0))[0], "f64x1")


def from_library(tensor) -> torch.Tensor:
    """And back; a number has no dimensions."""
    return torch.from_numpy(tensor.planes)[0]


class _Operation(torch.autograd.Function):
    @staticmethod
    def forward(ctx, manifold, name, radius, *operands):
        wanted = list(ctx.needs_input_grad[2:])
        tensors = [on_memory(x) for x in (radius, *operands)]
        if not any(wanted):
            return from_library(_core.manifold_value(manifold, name, tensors[0], tensors[1:]))
        # what the library notes is the operands' memory: PyTorch must see if it is written in between
        ctx.save_for_backward(radius, *operands)
        ctx.recorded = _core.manifold_record(manifold, name, tensors[0], tensors[1:], wanted)
        return from_library(ctx.recorded.value)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        ctx.saved_tensors  # raises where an operand has been changed in place
        gradients = ctx.recorded.backward(on_memory(grad.contiguous()))
        return (None, None, *(None if g is None else from_library(g) for g in gradients))


def _as_double(name: str, x) -> torch.Tensor:
    x = torch.as_tensor(x)
    if x.device.type != "cpu":
        raise ValueError(f"{name}: a tensor on {x.device}; those of the CPU are taken")
    if x.is_complex():
        raise TypeError(f"{name}: a tensor of {x.dtype}; real numbers are taken")
    return x.to(torch.float64)


def operate(manifold: str, name: str, radius, operands) -> torch.Tensor:
    """An operation of a manifold; of the type of the widest operand that is a tensor of floats."""
    kinds = [x.dtype for x in operands if isinstance(x, torch.Tensor) and x.is_floating_point()]
    result = _Operation.apply(manifold, name, _as_double(name, radius),
                              *(_as_double(name, x) for x in operands))
    kind = torch.float64 if not kinds else max(kinds, key=lambda k: torch.finfo(k).bits)
    return result.to(kind)
