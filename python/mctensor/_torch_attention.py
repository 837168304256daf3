"""Attention on PyTorch's tensors, with the library's gradients."""
from __future__ import annotations

import torch

from . import _core

_KINDS = {torch.float64: "f64x1", torch.float32: "f32x1", torch.float16: "f16x1",
          torch.bfloat16: "bf16x1"}


def _on_memory(x: torch.Tensor):
    return _core.from_planes(_core.as_numpy(x.detach().unsqueeze(0))[0], _KINDS[x.dtype])


def _from_library(tensor, kind) -> torch.Tensor:
    if kind == torch.bfloat16:  # PyTorch reads its bits where NumPy has no type
        return torch.utils.dlpack.from_dlpack(tensor.dlpack_planes().__dlpack__())[0]
    return torch.from_numpy(tensor.planes)[0]


class _Recorded(torch.autograd.Function):
    """An operation of the library: ``record(tensors, wanted)`` of the operands."""

    @staticmethod
    def forward(ctx, record, *operands):
        wanted = list(ctx.needs_input_grad[1:])
        recorded = record([_on_memory(x) for x in operands], wanted)
        ctx.kind = operands[0].dtype
        if any(wanted):
            # the library notes the operands' memory: PyTorch must see if it is written in between
            ctx.save_for_backward(*operands)
            ctx.recorded = recorded
        return _from_library(recorded.value, ctx.kind)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        ctx.saved_tensors  # raises where an operand has been changed in place
        gradients = ctx.recorded.backward(_on_memory(grad.to(ctx.kind).contiguous()))
        return (None, *(None if g is None else _from_library(g, ctx.kind) for g in gradients))


def _checked(name: str, operands) -> list[torch.Tensor]:
    """All as tensors of the type of the first one that is a tensor."""
    kind = next(x.dtype for x in operands if isinstance(x, torch.Tensor))
    if kind not in _KINDS:
        raise TypeError(f"{name}: a tensor of {kind}; float64, float32, float16 and bfloat16 are taken")
    tensors = [torch.as_tensor(x) for x in operands]
    for x in tensors:
        if x.device.type != "cpu":
            raise ValueError(f"{name}: a tensor on {x.device}; those of the CPU are taken")
    return [x.to(kind) for x in tensors]


def attention(comparison: str, operands, hidden, about: dict) -> torch.Tensor:
    tensors = _checked("attention", operands)
    flags = None if hidden is None else torch.as_tensor(hidden).to(torch.bool).numpy()
    return _Recorded.apply(
        lambda given, wanted: _core.attention(comparison, given, wanted, hidden=flags, **about),
        *tensors)


def hype_features(positions, mu, tau, d: int, copies: int):
    kind = next(x.dtype for x in (mu, tau) if isinstance(x, torch.Tensor))
    wide = torch.float64 if kind == torch.float64 else torch.float32
    mu, tau = (x.to(wide) for x in _checked("hype_features", (mu, tau)))
    places = _on_memory(torch.as_tensor(positions).to(torch.float64).contiguous())
    columns = [_Recorded.apply(lambda given, wanted: _core.hype_columns(places, given, wanted, d, copies),
                               *given) for given in ((mu, tau), (mu,))]
    return tuple(x.to(kind) for x in columns)
