"""Operations of manifolds on PyTorch's tensors, with the library's derivatives."""
from __future__ import annotations

import numpy as np
import torch

from . import _core
from ._make import array
from ._points import one_number
from ._torch_operands import KINDS, as_tensor, on_memory, require_cpu, result_kind
from ._torch_recorded import LongRecorded, Recorded, long_from_library


def _choice(value, record):
    """value(given) or, where derivatives are wanted, record(given, wanted), for Recorded."""
    def either(given, wanted):
        if not any(wanted):
            return value(given), None
        recorded = record(given, wanted)
        return recorded.value, recorded

    return either


def _rounded(choice, kind: torch.dtype, manifold):
    """The same with values of a type, each rounded once. ``manifold``: its name and radius where values are points,
    which stay points of it; else None."""
    dtype = KINDS[kind]
    if kind == torch.float64:
        return choice

    def either(given, wanted):
        value, recorded = choice(given, wanted)
        if manifold is None:
            return _core.convert(value, dtype), recorded
        name, radius = manifold
        return _core.round_points(name, one_number("radius", radius), value, dtype), recorded

    return either


def _apply(name: str, choice, radius, operands, manifold) -> torch.Tensor:
    """The result of the type that the operands have together; the radius does not decide about that."""
    kind = result_kind(name, operands)
    tensors = [as_tensor(name, x, torch.float64) for x in (radius, *operands)]
    return Recorded.apply(_rounded(choice, kind, manifold), *tensors)


def _operation(manifold: str, name: str):
    return _choice(
        lambda given: _core.manifold_value(manifold, name, given[0], given[1:]),
        lambda given, wanted: _core.manifold_record(manifold, name, given[0], given[1:], wanted))


def _is_short(radius, operands) -> bool:
    """Whether an operation takes float32 and a radius that is one, so that the library's kernels of floats give what
    those of doubles, rounded once, would."""
    if not all(isinstance(x, torch.Tensor) and x.dtype == torch.float32 for x in operands):
        return False
    if isinstance(radius, torch.Tensor):
        return radius.dtype == torch.float32
    number = one_number("radius", radius)
    with np.errstate(over="ignore"):
        return float(np.float32(number)) == number


def operate(manifold: str, name: str, radius, operands) -> torch.Tensor:
    """An operation of a manifold."""
    if _is_short(radius, operands):
        tensors = [as_tensor(name, x, torch.float32) for x in (radius, *operands)]
        return Recorded.apply(_operation(manifold, name), *tensors)
    is_point = name in _core.point_operations or name in _core.conversions
    target = (_core.conversions.get(name, manifold), radius) if is_point else None
    return _apply(name, _operation(manifold, name), radius, operands, target)


def _as_pairs(name: str, x) -> torch.Tensor:
    """A tensor of f64x2; numbers and lists become one, without loss where that holds them."""
    if not isinstance(x, torch.Tensor):
        return long_from_library(array(x, "f64x2")._t)
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
    return _apply(kind, choice, radius, (points, weights), (manifold, radius))


def cones(names, name: str, radii, operands) -> torch.Tensor:
    """An operation of cones, differentiable by points and by radii that are tensors."""
    choice = _choice(
        lambda given: _core.cone_value(*names, name, given[0], given[1:]),
        lambda given, wanted: _core.cone_record(*names, name, given[0], given[1:], wanted))
    together = torch.stack([as_tensor(name, x, torch.float64).reshape(()) for x in radii])
    is_point = name in _core.point_operations
    return _apply(name, choice, together, operands, (names[1], radii[0]) if is_point else None)


def contains(names, radii, u, v) -> torch.Tensor:
    """Whether v lies in the cone of u."""
    given = [on_memory(as_tensor("contains", x, torch.float64)) for x in (radii, u, v)]
    return torch.as_tensor(_core.cone_contains(*names, *given))
