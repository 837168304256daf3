"""Exact sums over the last dimension, rounded once, as operators of PyTorch."""
from __future__ import annotations

import torch

from . import _core
from ._torch_device import is_there
from ._torch_device_sums import sums_there
from ._torch_groups import leading_shape
from ._torch_operands import KINDS
from ._torch_operators import Pointwise, define

_MUL, _DIV = (_core.binary_numbers[name] for name in ("mul", "div"))


def _taken(x: torch.Tensor, kind: str):
    return _core.convert(_core.from_torch(x), kind)


def _rounded(pairs, kind: torch.dtype) -> torch.Tensor:
    return _core.to_torch(_core.convert(pairs, KINDS[kind]))


def _sum(x):
    return _core.to_torch(_core.exact_sum(_core.from_torch(x), False))


def _mean(x):
    count = _taken(torch.tensor(float(x.shape[-1]), dtype=torch.float64), "f64x2")
    return _rounded(_core.binary(_DIV, _core.exact_sum(_taken(x, "f64x1"), True), count), x.dtype)


def _there_too(name: str, here):
    """A kernel that also takes CUDA tensors."""
    return lambda x: sums_there(name, (x,), x.dtype, here) if is_there(x) else here(x)


def _dot_too(x, y, dtype):
    if any(map(is_there, (x, y))):
        return sums_there("dot", (x, y), dtype, lambda *rows: _dot(*rows, dtype))
    return _dot(x, y, dtype)


def _dot(x, y, dtype):
    products = "f64x2" if x.dtype == torch.float64 else "f64x1"  # a type that holds the products
    products = _core.binary(_MUL, _taken(x, products), _taken(y, products))
    if dtype == torch.float64:
        return _core.to_torch(_core.exact_sum(products, False))
    return _rounded(_core.exact_sum(products, True), dtype)


def _define_of_one(name: str, kernel, scale):
    """Defines a sum or mean of the elements. A gradient is divided by ``scale`` of their number."""
    def keep(ctx, inputs, output):
        ctx.shape = inputs[0].shape

    operator = define(f"{name}(Tensor x) -> Tensor", kernel, lambda x: x.new_empty(x.shape[:-1]), keep=keep,
                      derive=lambda ctx, grad: ((grad / scale(ctx.shape[-1])).unsqueeze(-1).expand(ctx.shape),),
                      along=lambda inputs, tangents: operator(*tangents),
                      batch=lambda info, in_dims, x: (operator(x.movedim(in_dims[0], 0)), 0), there=True)
    return operator


def _define_dot():
    def fake(x, y, dtype):
        return x.new_empty(leading_shape((x, y), (1, 1)), dtype=dtype)

    def derive(ctx, grad):
        x, y = ctx.saved_tensors
        grad = grad.to(x.dtype).unsqueeze(-1)
        return *((grad * b).sum_to_size(a.shape) if w else None for a, b, w in zip((x, y), (y, x), ctx.wanted)), None

    def along(inputs, tangents):
        (x, y, dtype), (by_x, by_y, _) = inputs, tangents
        found = [operator(*pair, dtype) for pair in ((by_x, y), (x, by_y)) if all(z is not None for z in pair)]
        return sum(found[1:], found[0])

    def batch(info, in_dims, x, y, dtype):
        return operator(*Pointwise.moved(info, in_dims, (x, y), (1, 1)), dtype), 0

    operator = define("exact_dot(Tensor x, Tensor y, ScalarType dtype) -> Tensor", _dot_too, fake,
                      keep=lambda ctx, inputs, output: ctx.save_for_backward(*inputs[:2]), derive=derive, along=along,
                      batch=batch, there=True)
    return operator


SUM = _define_of_one("exact_sum", _there_too("sum", _sum), lambda count: 1)
MEAN = _define_of_one("exact_mean", _there_too("mean", _mean), lambda count: count)
DOT = _define_dot()
