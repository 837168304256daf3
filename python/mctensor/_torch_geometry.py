"""Operations of manifolds on PyTorch's tensors, with the library's derivatives."""
from __future__ import annotations

import torch

from . import _core
from ._torch_recorded import Recorded, require_cpu


def _as_double(name: str, x) -> torch.Tensor:
    x = torch.as_tensor(x)
    require_cpu(name, x)
    if x.is_complex():
        raise TypeError(f"{name}: a tensor of {x.dtype}; real numbers are taken")
    return x.to(torch.float64)


def operate(manifold: str, name: str, radius, operands) -> torch.Tensor:
    """An operation of a manifold; of the type of the widest operand that is a tensor of floats."""
    kinds = [x.dtype for x in operands if isinstance(x, torch.Tensor) and x.is_floating_point()]

    def record(given, wanted):
        if not any(wanted):
            return _core.manifold_value(manifold, name, given[0], given[1:]), None
        recorded = _core.manifold_record(manifold, name, given[0], given[1:], wanted)
        return recorded.value, recorded

    result = Recorded.apply(record, *(_as_double(name, x) for x in (radius, *operands)))
    kind = torch.float64 if not kinds else max(kinds, key=lambda k: torch.finfo(k).bits)
    return result.to(kind)
