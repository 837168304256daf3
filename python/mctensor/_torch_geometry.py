"""Operations of manifolds on PyTorch's tensors, with the library's derivatives."""
from __future__ import annotations

import torch

from . import _core
from ._torch_recorded import LongRecorded, Recorded, on_memory, require_cpu


def _as_double(name: str, x) -> torch.Tensor:
    x = torch.as_tensor(x)
    require_cpu(name, x)
    if x.is_complex():
        raise TypeError(f"{name}: a tensor of {x.dtype}; real numbers are taken")
    return x.to(torch.float64)


def _choice(value, record):
    """value(given) or, where derivatives are wanted, record(given, wanted), for Recorded."""
    def either(given, wanted):
        if not any(wanted):
            return value(given), None
        recorded = record(given, wanted)
        return recorded.value, recorded

    return either


def _apply(name: str, choice, radius, operands) -> torch.Tensor:
    """The result of the type of the widest operand that is a tensor of floats; the radius does not
    decide about that."""
    kinds = [x.dtype for x in operands if isinstance(x, torch.Tensor) and x.is_floating_point()]
    result = Recorded.apply(choice, *(_as_double(name, x) for x in (radius, *operands)))
    return result.to(max(kinds, key=lambda k: torch.finfo(k).bits)) if kinds else result


def _operation(manifold: str, name: str):
    return _choice(
        lambda given: _core.manifold_value(manifold, name, given[0], given[1:]),
        lambda given, wanted: _core.manifold_record(manifold, name, given[0], given[1:], wanted))


def operate(manifold: str, name: str, radius, operands) -> torch.Tensor:
    """An operation of a manifold."""
    return _apply(name, _operation(manifold, name), radius, operands)


def _as_pairs(name: str, x) -> torch.Tensor:
    """A tensor of f64x2; a Python number becomes one."""
    if not isinstance(x, torch.Tensor):
        return torch.tensor([float(x), 0.0], dtype=torch.float64)
    require_cpu(name, x)
    if x.dtype != torch.float64 or x.dim() == 0 or x.shape[-1] != 2:
        raise TypeError(f"{name}: a tensor of {x.dtype} and shape {tuple(x.shape)}; numbers of f64x2 are "
                        "float64 with a last dimension of 2")
    return x


def operate_long(manifold: str, name: str, radius, operands) -> torch.Tensor:
    """The same of numbers of f64x2."""
    return LongRecorded.apply(_operation(manifold, name),
                              *(_as_pairs(name, x) for x in (radius, *operands)))


def mean(manifold: str, kind: str, radius, points, weights, dim: int) -> torch.Tensor:
    """A mean of points along a dimension."""
    choice = _choice(
        lambda given: _core.mean_value(manifold, kind, *given, dim),
        lambda given, wanted: _core.mean_record(manifold, kind, given[0], given[1:], wanted, dim))
    return _apply(kind, choice, radius, (points, weights))


def cones(names, name: str, radii, operands) -> torch.Tensor:
    """An operation of cones, differentiable by points and by radii that are tensors."""
    choice = _choice(
        lambda given: _core.cone_value(*names, name, given[0], given[1:]),
        lambda given, wanted: _core.cone_record(*names, name, given[0], given[1:], wanted))
    return _apply(name, choice, torch.stack([_as_double(name, x).reshape(()) for x in radii]),
                  operands)


def contains(names, radii, u, v) -> torch.Tensor:
    """Whether v lies in the cone of u."""
    given = [on_memory(_as_double("contains", x)) for x in (torch.tensor(radii), u, v)]
    return torch.as_tensor(_core.cone_contains(*names, *given))
