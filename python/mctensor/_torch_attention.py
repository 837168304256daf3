"""Attention on PyTorch's tensors, with the library's gradients."""
from __future__ import annotations

import torch

from . import _core
from ._torch_operands import as_tensor, on_memory, result_kind
from ._torch_recorded import Recorded


def attention(comparison: str, operands, hidden, about: dict) -> torch.Tensor:
    kind = result_kind("attention", operands)
    for x in operands[:3]:
        if isinstance(x, torch.Tensor) and not x.is_floating_point():
            raise TypeError(f"attention: a tensor of {x.dtype}; float64, float32, float16 and bfloat16 are taken")
    tensors = [as_tensor("attention", x, kind) for x in operands]
    flags = None if hidden is None else torch.as_tensor(hidden).to(torch.bool).numpy()

    def record(given, wanted):
        recorded = _core.attention(comparison, given, wanted, hidden=flags, **about)
        return recorded.value, recorded

    return Recorded.apply(record, *tensors)


def hype_features(positions, mu, tau, d: int, copies: int):
    kind = result_kind("hype_features", (mu, tau))
    wide = torch.float64 if kind == torch.float64 else torch.float32
    mu, tau = (as_tensor("hype_features", x, wide) for x in (mu, tau))
    places = on_memory(as_tensor("positions", positions, torch.float64).contiguous())

    def record(given, wanted):
        recorded = _core.hype_columns(places, given, wanted, d, copies)
        return recorded.value, recorded

    columns = [Recorded.apply(record, *given) for given in ((mu, tau), (mu,))]
    return tuple(x.to(kind) for x in columns)
