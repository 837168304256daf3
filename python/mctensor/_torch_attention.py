"""Attention on PyTorch's tensors, with the library's gradients."""
from __future__ import annotations

import torch

from . import _core
from ._torch_recorded import KINDS, Recorded, on_memory, require_cpu


def _checked(name: str, operands) -> list[torch.Tensor]:
    """All as tensors of the type of the first one that is a tensor."""
    kind = next(x.dtype for x in operands if isinstance(x, torch.Tensor))
    if kind not in KINDS:
        raise TypeError(f"{name}: a tensor of {kind}; float64, float32, float16 and bfloat16 are taken")
    tensors = [torch.as_tensor(x) for x in operands]
    for x in tensors:
        require_cpu(name, x)
    return [x.to(kind) for x in tensors]


def attention(comparison: str, operands, hidden, about: dict) -> torch.Tensor:
    tensors = _checked("attention", operands)
    flags = None if hidden is None else torch.as_tensor(hidden).to(torch.bool).numpy()

    def record(given, wanted):
        recorded = _core.attention(comparison, given, wanted, hidden=flags, **about)
        return recorded.value, recorded

    return Recorded.apply(record, *tensors)


def hype_features(positions, mu, tau, d: int, copies: int):
    kind = next(x.dtype for x in (mu, tau) if isinstance(x, torch.Tensor))
    wide = torch.float64 if kind == torch.float64 else torch.float32
    mu, tau = (x.to(wide) for x in _checked("hype_features", (mu, tau)))
    places = on_memory(torch.as_tensor(positions).to(torch.float64).contiguous())

    def record(given, wanted):
        recorded = _core.hype_columns(places, given, wanted, d, copies)
        return recorded.value, recorded

    columns = [Recorded.apply(record, *given) for given in ((mu, tau), (mu,))]
    return tuple(x.to(kind) for x in columns)
