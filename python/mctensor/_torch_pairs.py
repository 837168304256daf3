"""Operations of manifolds on PyTorch tensors of f64x2, as operators. These are float64 with a last dimension of 2."""
from __future__ import annotations

import torch

from . import _core
from ._make import array
from ._torch_geometry import OPERATIONS, Operation
from ._torch_operands import require_device


def _as_pairs(name: str, x) -> torch.Tensor:
    """Converts an operand to a tensor of f64x2. Numbers and lists are converted without loss if f64x2 holds them."""
    if type(x) in (int, float) and abs(x) <= 2**53:  # a double holds it, and torch.compile takes this
        return torch.stack([torch.scalar_tensor(x, dtype=torch.float64), torch.zeros((), dtype=torch.float64)])
    if not isinstance(x, torch.Tensor):
        return _pairs_from(array(x, "f64x2")._t)
    require_device(name, x)
    if x.dtype != torch.float64 or x.dim() == 0 or x.shape[-1] != 2:
        raise TypeError(f"{name}: a tensor of {x.dtype} and shape {tuple(x.shape)}; numbers of f64x2 are "
                        "float64 with a last dimension of 2")
    return x


def _on_pairs(x: torch.Tensor):
    """Converts numbers of f64x2, whose components are the last dimension, to a tensor of the library."""
    planes = x.detach().movedim(-1, 0).contiguous()
    return _core.from_planes(planes.numpy(), "f64x2")


def _pairs_from(tensor) -> torch.Tensor:
    """Converts a tensor of the library to numbers of f64x2."""
    # always a copy: it may be written in place
    return torch.from_numpy(tensor.planes).movedim(0, -1).clone(memory_format=torch.contiguous_format)


class _Pairs(Operation):
    """An operation of a manifold."""

    take, to_torch = staticmethod(_on_pairs), staticmethod(_pairs_from)
    first_core = inside = 1

    def __init__(self, model: str, operation: str, kinds: str):
        super().__init__(model, operation, kinds)
        self.there = False
        self.name += "_f64x2"
        self.cores = tuple(core + self.inside for core in self.cores)
        self.core += self.inside

    def value(self, first, operands, options):
        return _pairs_from(self.evaluate(*self.words, self.take(first), list(map(self.take, operands))))

    @staticmethod
    def add_up(x, shape):
        """Sums numbers, not their components."""
        added = x.dim() - len(shape)
        dims = [*range(added), *(i + added for i, n in enumerate(shape) if n == 1 and x.shape[i + added] != 1)]
        return _pairs_from(_core.sum(_on_pairs(x), dims, True)).reshape(shape) if dims else x

    def element(self, shape):
        return (*super().element(shape[:-1]), 2)[-self.core:]


OPERATORS = {(model, name): _Pairs(model, name, kinds).define()
             for model, operations in OPERATIONS.items() for name, kinds in operations.items()}


def operate(manifold: str, name: str, radius, operands) -> torch.Tensor:
    """An operation of a manifold."""
    return OPERATORS[manifold, name](*(_as_pairs(name, x) for x in (radius, *operands)))
