"""Layers whose parameters are MCTensors.

    from mctensor.torch import nn
    model = nn.MCSequential(nn.MCLinear(4, 8, nc=2), torch.nn.ReLU(), nn.MCLinear(8, 1, nc=2))

They are modules of PyTorch and can be mixed with plain modules. Activations and losses of torch.nn and
torch.nn.functional take MCTensors directly; unsupported ones raise TypeError. Layers between points of hyperbolic space
are in `mctensor.torch.nn.hyperbolic`.
"""
from __future__ import annotations

import math

import torch

from ..._torch_mctensor import MCTensor, tensor

__all__ = ["MCEmbedding", "MCLayerNorm", "MCLinear", "MCModule", "MCModuleList", "MCSequential"]


class MCModule(torch.nn.Module):
    """A module of PyTorch. If an attribute is set to an MCTensor that requires a gradient, it becomes a parameter."""

    def __setattr__(self, name: str, value) -> None:
        if isinstance(value, MCTensor) and value.requires_grad and not isinstance(value, torch.nn.Parameter):
            if not value.is_leaf:
                raise TypeError(f"{type(self).__name__}.{name}: a parameter must be a leaf of the graph; take detach()")
            value = torch.nn.Parameter(value)
        super().__setattr__(name, value)

    def load_weight(self, other: torch.nn.Module) -> "MCModule":
        """Copies the parameters of another module, in their order. They may be plain or have several components. Raises
        ValueError unless both modules have the same number of parameters."""
        mine, theirs = list(self.parameters()), list(other.parameters())
        if len(mine) != len(theirs):
            raise ValueError(f"load_weight: {len(theirs)} parameters are given, expected {len(mine)}")
        with torch.no_grad():
            for p, q in zip(mine, theirs):
                p.copy_(q)
                p.grad = None
        return self


class MCSequential(torch.nn.Sequential):
    """Layers one after the other: torch.nn.Sequential."""


class MCModuleList(torch.nn.ModuleList):
    """A list of modules: torch.nn.ModuleList."""


def _parameter(shape, nc: int, values, device, dtype) -> torch.nn.Parameter:
    made = MCTensor(shape, nc=nc, val=values, device=device, dtype=dtype)
    return torch.nn.Parameter(made)


class MCLinear(MCModule):
    """Computes x W^T + b, from (.., in_features) to (.., out_features), for plain tensors and MCTensors. The parameters
    are ``weight`` (out_features, in_features) and ``bias`` (out_features), which start uniform in +- 1 /
    sqrt(in_features) with all their bits, as in C++ (mctensor/nn/linear.hpp). ``_weight``: values of the weight."""

    def __init__(self, in_features: int, out_features: int, nc: int = 2, bias: bool = True, device=None, dtype=None,
                 _weight=None):
        super().__init__()
        if in_features < 1 or out_features < 1:
            raise ValueError(f"MCLinear: {in_features} inputs and {out_features} outputs, expected at least one of "
                             "each")
        self.in_features, self.out_features, self.nc = in_features, out_features, nc
        zeros = torch.zeros(out_features, in_features, dtype=dtype or torch.get_default_dtype())
        self.weight = _parameter(zeros.shape, nc, zeros if _weight is None else _weight, device, dtype)
        if bias:
            self.bias = _parameter((out_features,), nc, zeros[:, 0], device, dtype)
        else:
            self.register_parameter("bias", None)
        bound = 1 / math.sqrt(in_features)
        with torch.no_grad():
            if _weight is None:
                self.weight.uniform_(-bound, bound)
            if bias:
                self.bias.uniform_(-bound, bound)

    def forward(self, input: torch.Tensor) -> MCTensor:
        """The MCTensor x W^T + b. Raises RuntimeError unless the last size of the input is in_features."""
        return torch.nn.functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}, "
                f"nc={self.nc}")


class MCEmbedding(MCModule):
    """Looks up rows of a table: from indices of any shape (..) to an MCTensor (.., embedding_dim). The parameter is
    ``weight`` (num_embeddings, embedding_dim), which starts standard normal with all its bits, or as ``_weight``. The
    row ``padding_idx`` starts at zero and gets no gradient. ``sparse``: the gradient is a sparse tensor of rows."""

    def __init__(self, num_embeddings: int, embedding_dim: int, nc: int = 2, padding_idx: int | None = None,
                 max_norm: float | None = None, norm_type: float = 2, sparse: bool = False, device=None, dtype=None,
                 _weight=None):
        super().__init__()
        if max_norm is not None:
            raise TypeError("MCEmbedding: max_norm is not supported; divide the weight by its norm in a step of your "
                            "own")
        if num_embeddings < 1 or embedding_dim < 1:
            raise ValueError(f"MCEmbedding: {num_embeddings} rows of {embedding_dim} numbers, expected at least one "
                             "of each")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"MCEmbedding: padding_idx {padding_idx} is not one of the {num_embeddings} rows")
        self.num_embeddings, self.embedding_dim, self.nc, self.sparse = num_embeddings, embedding_dim, nc, sparse
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.weight = _parameter((num_embeddings, embedding_dim), nc, _weight, device, dtype)
        if _weight is None and padding_idx is not None:
            with torch.no_grad():
                self.weight[padding_idx] = 0

    def forward(self, input: torch.Tensor) -> MCTensor:
        """The rows at the indices. Raises IndexError for an index outside the table."""
        return torch.nn.functional.embedding(input, self.weight, self.padding_idx, sparse=self.sparse)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}, nc={self.nc}" + (", sparse=True" if self.sparse else "")


class MCLayerNorm(MCModule):
    """Computes (x - mean) / sqrt(variance + eps) weight + bias over the last dimensions, whose sizes are
    ``normalized_shape``. The divisor of the variance is n. The parameters are ``weight``, which starts as ones, and
    ``bias``, which starts as zeros."""

    def __init__(self, normalized_shape, nc: int = 2, eps: float = 1e-5, elementwise_affine: bool = True,
                 bias: bool = True, device=None, dtype=None):
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        if not shape or min(shape) < 1 or not 0 <= eps < math.inf:
            raise ValueError(f"MCLayerNorm: shape {shape}, eps {eps}; expected sizes of at least 1 and a finite eps of "
                             "at least 0")
        self.normalized_shape, self.nc, self.eps = shape, nc, eps
        ones = torch.ones(shape, dtype=dtype or torch.get_default_dtype())
        self.register_parameter("weight", _parameter(shape, nc, ones, device, dtype) if elementwise_affine else None)
        self.register_parameter("bias", _parameter(shape, nc, ones * 0, device, dtype)
                                if elementwise_affine and bias else None)

    def forward(self, input: torch.Tensor) -> MCTensor:
        """An MCTensor of the input's shape. Raises RuntimeError unless this shape ends with normalized_shape."""
        if not isinstance(input, MCTensor) and self.weight is None:
            input = tensor(input, self.nc)
        return torch.nn.functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, nc={self.nc}, eps={self.eps}, elementwise_affine={self.weight is not None}"
