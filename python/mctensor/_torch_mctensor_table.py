"""The handlers of PyTorch's operations for MCTensors, which compute with planes.

Operations on numbers use the operators of _torch_planes. Operations that move elements act on all planes together.
"""
from __future__ import annotations

import functools
import math

import torch

from . import _convert, _torch_planes as planes_of
from ._torch_mctensor import (FORMULAS, HANDLERS, MCTensor, check_components, gradient_of, random_planes, whole_planes,
                              wrap)
from ._torch_components import spread, widened
from ._torch_groups import beside
from ._torch_planes import MOST, type_name

aten = torch.ops.aten
_ALIASING = torch.utils._python_dispatch.return_and_correct_aliasing


def handles(*operations):
    """Enters a handler of operations."""
    def enter(handler):
        for operation in operations:
            HANDLERS[operation] = handler
        return handler

    return enter


def forms(*operations):
    """Enters a handler of operations that get all components in formulas of derivatives, too."""
    def enter(handler):
        FORMULAS.update(operations)
        return handles(*operations)(handler)

    return enter


def _enter_all(enter, handlers: dict) -> None:
    """Enters handlers that are one expression, each of an operation or of several."""
    for operations, handler in handlers.items():
        enter(*operations if isinstance(operations, tuple) else (operations,))(handler)


# Operands

@functools.lru_cache(1024)
def _components_of(number, dtype: torch.dtype) -> tuple[float, ...]:
    """The components of a Python number, rounded once: as many as the type may have, without trailing zeros."""
    found = _convert.numpy_planes(_convert.scalar_operand(number, type_name(dtype, MOST[dtype]))).tolist()
    while len(found) > 1 and found[-1] == 0:
        found.pop()
    return tuple(found)


@functools.lru_cache(1024)
def _cached(number, dtype, nc, device, sign) -> torch.Tensor:
    return torch.tensor(_leading(number, dtype, nc), dtype=dtype, device=device)


def _leading(number, dtype, nc) -> tuple[float, ...]:
    components = _components_of(number, dtype)
    if len(components) <= nc:
        return components if len(components) == 1 else components + (0.0,) * (nc - len(components))
    return tuple(_convert.numpy_planes(_convert.scalar_operand(number, type_name(dtype, nc))).tolist())


def _planes_of_number(number, like: torch.Tensor) -> torch.Tensor:
    """Planes of a number beside ``like``: one plane if it holds the number."""
    if isinstance(number, complex):
        raise TypeError("MCTensor: a complex number; real ones are taken")
    if isinstance(number, bool):
        number = int(number)
    nc = like.shape[0]  # len() takes three times as long
    if planes_of.has_memory(like) and not torch._C._len_torch_dispatch_stack():  # of fake tensors, as of others
        if like.is_cuda and torch.cuda.is_current_stream_capturing():  # a graph keeps no memory of the cache
            return torch.cat([like.new_full((1,), part) for part in _leading(number, like.dtype, nc)])
        # -0.0 and 0.0 would be the same key
        return _cached(number, like.dtype, nc, like.device, math.copysign(1, number))
    return torch.tensor(_leading(number, like.dtype, nc), dtype=like.dtype).to(like.device)


def _promoted(planes: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return planes if planes.dtype == dtype else planes_of.convert(planes, dtype, len(planes))


def _planes_of_plain(x: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Planes of a plain tensor beside ``like``."""
    if x.is_complex():
        raise TypeError("MCTensor: a complex tensor; real ones are taken")
    if x.dtype in MOST and x.dtype == like.dtype:
        return x.unsqueeze(0)
    if x.dtype not in MOST:
        return planes_of.convert(whole_planes(x), like.dtype, len(like))
    if x.dim() == 0:  # takes the type of the others, as a number does
        return planes_of.convert(x.unsqueeze(0), like.dtype, len(like))
    return x.unsqueeze(0)


def _together(*operands) -> list[torch.Tensor]:
    """Planes of operands, at least one of which is an MCTensor. All get one type, by PyTorch's promotion, and either
    one component or a common number of components."""
    like = next(x._planes for x in operands if type(x) is MCTensor)
    dtype = functools.reduce(  # whole numbers and operands without dimensions take it
        torch.promote_types, (x.dtype for x in operands
                              if type(x) is MCTensor or isinstance(x, torch.Tensor) and x.dtype in MOST and x.dim()))
    nc = max(x.nc for x in operands if type(x) is MCTensor)
    if like.dtype != dtype or len(like) != nc:
        check_components(nc, dtype)
        like = like.new_empty(nc, dtype=dtype)
    found = [x._planes if type(x) is MCTensor else _planes_of_plain(x, like) if isinstance(x, torch.Tensor)
             else None for x in operands]
    check_components(nc, dtype)
    for i, (planes, x) in enumerate(zip(found, operands)):
        if planes is None:
            planes = _planes_of_number(x, like)
        elif planes.dtype != dtype:
            planes = _promoted(planes, dtype)
        found[i] = planes if len(planes) in (1, nc) else widened(planes, nc)
    return found


def _alike(*operands) -> list[torch.Tensor]:
    """Planes of operands as in _together, but all with the same number of components."""
    parts = _together(*operands)
    nc = max(map(len, parts))
    return [widened(planes, nc) for planes in beside(parts, [1] * len(parts))]


def _unary(name: str, x) -> MCTensor:
    return wrap(planes_of.unary(x._planes, name))


def _binary(name: str, x, y) -> MCTensor:
    return wrap(planes_of.binary(*_pair(x, y), name))


def _pair(x, y):
    """Planes of two operands as in _together, with fewer checks in the usual cases."""
    if type(x) is MCTensor:
        a = x._planes
        b = y._planes if type(y) is MCTensor else _beside(y, a)
    else:
        b = y._planes
        a = _beside(x, b)
    if a is None or b is None or a.dtype != b.dtype or (a.shape[0] != b.shape[0] and type(x) is type(y)):
        return _together(x, y)
    return a, b


def _beside(x, like: torch.Tensor):
    """Planes of a number or a plain tensor of the same type; None for other operands."""
    if type(x) is float or type(x) is int:
        return _planes_of_number(x, like)
    if type(x) is torch.Tensor and x.dtype == like.dtype and x.dim() > 0:
        return x.unsqueeze(0)
    return None


# Elementwise

_UNARY = {"neg": aten.neg, "abs": aten.abs, "sqrt": aten.sqrt, "rsqrt": aten.rsqrt, "relu": aten.relu,
          "exp": aten.exp, "exp2": aten.exp2, "expm1": aten.expm1, "log": aten.log, "log2": aten.log2,
          "log1p": aten.log1p, "sinh": aten.sinh, "cosh": aten.cosh, "tanh": aten.tanh, "sigmoid": aten.sigmoid,
          "sin": aten.sin, "cos": aten.cos, "tan": aten.tan, "asin": aten.asin, "acos": aten.acos, "atan": aten.atan,
          "asinh": aten.asinh, "acosh": aten.acosh, "atanh": aten.atanh, "erf": aten.erf, "erfc": aten.erfc}


for _name, _operation in _UNARY.items():
    HANDLERS[_operation.default] = functools.partial(_unary, _name)


@handles(aten.reciprocal.default)
def _reciprocal(x):
    return _binary("div", 1, x)


@handles(aten.logit.default)
def _logit(x, eps=None):
    if eps is not None:
        x = _clamp(x, eps, 1 - eps)
    return _unary("logit", x)


@handles(aten.gelu.default)
def _gelu(x, approximate="none"):
    if approximate != "none":
        raise TypeError(f"MCTensor: gelu(approximate={approximate!r}) is not supported; take 'none', the function "
                        "itself")
    return _unary("gelu", x)


@handles(aten.softplus.default)
def _softplus(x, beta=1, threshold=20):
    if beta != 1:
        x = _binary("mul", x, beta)
    result = _unary("softplus", x)  # computed to all components, where PyTorch returns x from 20 on
    return result if beta == 1 else _binary("div", result, beta)


@handles(aten.elu.default)
def _elu(x, alpha=1, scale=1, input_scale=1):
    if scale != 1 or input_scale != 1:
        raise TypeError("MCTensor: elu with scales of selu or celu is not supported")
    below = _unary("expm1", _binary("minimum", x, 0))
    return _where(_compare("lt", x, 0), _binary("mul", below, alpha), x)


@handles(aten.log_sigmoid_forward.default)
def _log_sigmoid(x):
    powers = _unary("exp", _unary("neg", _unary("abs", x)))  # their first components go to the derivative's formula
    return _unary("neg", _unary("softplus", _unary("neg", x))), powers._planes[0].clone()


@handles(aten.sign.default, aten.sgn.default)
def _sign(x):
    return wrap(widened(x._planes[:1].sign(), x.nc))


@handles(aten.add.Tensor, aten.add.Scalar)
def _add(x, y, alpha=1):
    return _binary("add", x, y if alpha == 1 else _times(y, alpha, x))


def _times(x, factor, like):
    """A multiple of an operand, with as many components as ``like``: a product of plain numbers would be rounded."""
    return _binary("mul", _long(x, like), factor)


def _enter_binary(name: str, *operations):
    @handles(*operations)
    def handler(x, y):
        return _binary(name, x, y)


_enter_binary("mul", aten.mul.Tensor, aten.mul.Scalar)
_enter_binary("div", aten.div.Tensor, aten.div.Scalar)
_enter_binary("maximum", aten.maximum.default, aten.clamp_min.Tensor, aten.clamp_min.default)
_enter_binary("minimum", aten.minimum.default, aten.clamp_max.Tensor, aten.clamp_max.default)
_enter_binary("hypot", aten.hypot.default)


@handles(aten.pow.Tensor_Tensor, aten.pow.Scalar, aten.pow.Tensor_Scalar)
def _pow(x, y):
    if isinstance(y, (int, float)) and type(x) is MCTensor:
        if y == 2:
            return _unary("square", x)
        if y == 0.5:
            return _unary("sqrt", x)
        if y == 1:
            return wrap(x._planes.clone())
        if y == -1:
            return _reciprocal(x)
    return _binary("pow", x, y)


_SWAPPED = {"gt": "lt", "ge": "le"}


def _compare(relation: str, x, y) -> torch.Tensor:
    if relation in _SWAPPED:
        relation, x, y = _SWAPPED[relation], y, x
    for one, other, number_first in ((x, y, False), (y, x, True)):
        if isinstance(other, (int, float)) and (isinstance(other, float) or abs(other) <= 2**53):
            return planes_of.compare_number(one._planes, float(other), relation, number_first)
    if any(type(z) is not MCTensor and (not isinstance(z, torch.Tensor) or z.dtype not in MOST or z.dim() == 0)
           for z in (x, y)):  # in the type of the other operand they would be rounded
        found = [_doubles(z) for z in (x, y)]
        nc = max(map(len, found))
        return planes_of.compare(*(widened(z, nc) for z in found), relation)
    return planes_of.compare(*_pair(x, y), relation)


def _doubles(x) -> torch.Tensor:
    """Exact planes of doubles of an operand (a Python number to 212 bits)."""
    if isinstance(x, (int, float)):
        return torch.tensor(_components_of(x, torch.float64), dtype=torch.float64)
    if type(x) is not MCTensor and x.dtype not in MOST:
        return whole_planes(x)
    planes = x._planes if type(x) is MCTensor else x.unsqueeze(0)
    return _promoted(planes, torch.float64)


def _enter_comparison(relation: str, operation):
    @forms(operation.Tensor, operation.Scalar)  # all components decide which element is larger
    def handler(x, y):
        return _compare(relation, x, y)


for _relation in ("eq", "ne", "lt", "le", "gt", "ge"):
    _enter_comparison(_relation, getattr(aten, _relation))


@handles(aten.where.self, aten.where.ScalarSelf, aten.where.ScalarOther)
def _where(mask, x, y):
    if type(mask) is MCTensor:
        raise TypeError("MCTensor: where takes a mask of bools")
    if type(x) is not MCTensor and type(y) is not MCTensor:
        return aten.where.self(mask, x, y)
    a, b = _alike(x, y)
    count = max(mask.dim(), a.dim() - 1, b.dim() - 1)
    return wrap(torch.where(mask, spread(a, count), spread(b, count)))


@handles(aten.clamp.default, aten.clamp.Tensor)
def _clamp(x, min=None, max=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")  # as PyTorch says
    if min is not None:
        x = _binary("maximum", x, min)
    return x if max is None else _binary("minimum", x, max)


@handles(aten.addcmul.default)
def _addcmul(x, a, b, value=1):
    product = _binary("mul", _long(a, x), b)
    return _binary("add", x, product if value == 1 else _binary("mul", product, value))


@handles(aten.addcdiv.default)
def _addcdiv(x, a, b, value=1):
    quotient = _binary("div", _long(a, x), b)
    return _binary("add", x, quotient if value == 1 else _binary("mul", quotient, value))


_enter_all(handles, {
    aten.leaky_relu.default: lambda x, negative_slope=0.01: _where(
        _compare("lt", x, 0), _binary("mul", x, negative_slope), x),
    aten.silu.default: lambda x: _binary("mul", x, _unary("sigmoid", x)),
    (aten.sub.Tensor, aten.sub.Scalar): lambda x, y, alpha=1: _binary(
        "sub", x, y if alpha == 1 else _times(y, alpha, x)),
    (aten.rsub.Tensor, aten.rsub.Scalar): lambda x, y, alpha=1: _binary(
        "sub", y, x if alpha == 1 else _times(x, alpha, y)),
    aten.hardtanh.default: lambda x, min_val=-1, max_val=1: _clamp(x, min_val, max_val),
    (aten.masked_fill.Scalar, aten.masked_fill.Tensor): lambda x, mask, value: _where(mask, value, x),
    (aten.lerp.Scalar, aten.lerp.Tensor): lambda x, end, weight: _binary(
        "add", x, _binary("mul", _binary("sub", _long(end, x), x), weight))})


def _long(x, like) -> MCTensor:
    """Converts an operand to an MCTensor, so that operations with plain tensors have as many components as ``like``."""
    if type(x) is MCTensor:
        return x
    if type(like) is not MCTensor:
        raise TypeError("MCTensor: a plain tensor cannot hold the result with an MCTensor")
    return wrap(_alike(x, like)[0])


# Reductions

def _in_type(x, dtype) -> MCTensor:
    if dtype is None or dtype == x.dtype:
        return x
    return wrap(planes_of.convert(x._planes, dtype, check_components(x.nc, dtype)))


def _dims(x, dim) -> list[int]:
    if dim is None:
        return []
    dims = [dim] if isinstance(dim, int) else list(dim)
    for d in dims:
        _place(d, x.dim())
    return dims


def _reduce(name, x, dims, keepdim) -> MCTensor:
    if x.dim() == 0:  # the only number
        return wrap(x._planes.clone())
    return wrap(planes_of.reduce(x._planes, name, dims, keepdim))


def _enter_extreme(name: str, all_of, along, with_place):
    @handles(all_of.default)
    def of_all(x):
        return _reduce(name, x, [], False)

    @handles(along.default)
    def of_some(x, dim=(), keepdim=False):
        return _reduce(name, x, _dims(x, dim), keepdim)

    @handles(with_place)
    def and_place(x, dim, keepdim=False):
        if x.dim() == 0:
            return wrap(x._planes.clone()), torch.zeros((), dtype=torch.int64, device=x.device)
        _place(dim, x.dim())
        return (_reduce(name, x, [dim], keepdim),
                planes_of.place(x._planes, name == "max", dim % x.dim(), keepdim))


_enter_extreme("max", aten.max, aten.amax, aten.max.dim)
_enter_extreme("min", aten.min, aten.amin, aten.min.dim)


def _enter_place(operation, largest: bool):
    @handles(operation.default)
    def handler(x, dim=None, keepdim=False):
        if dim is not None:
            dim = _place(dim, x.dim()) - 1
            if x.dim() == 0:
                return torch.zeros((), dtype=torch.int64, device=x.device)
        return planes_of.place(x._planes, largest, dim, keepdim)


_enter_place(aten.argmax, True)
_enter_place(aten.argmin, False)


def _held_norm(x, ord) -> MCTensor:
    """The norm of one number."""
    if ord == 0:
        return _where(_compare("ne", x, 0), _ones_like(x), 0)
    return _unary("abs", x)


@handles(aten.linalg_vector_norm.default)
def _norm(x, ord=2, dim=None, keepdim=False, dtype=None):
    x = _in_type(x, dtype)
    if x.dim() == 0:
        return _held_norm(x, float(ord))
    return wrap(planes_of.norm(x._planes, float(ord), _dims(x, dim), keepdim))


@handles(aten.var.correction)
def _var(x, dim=None, correction=None, keepdim=False):
    dims = _dims(x, dim) or list(range(x.dim()))
    count = math.prod(x.shape[d] for d in dims) - (1 if correction is None else correction)
    mean = _reduce("mean", x, dims, True)
    squares = _unary("square", _binary("sub", x, mean))
    return _binary("div", _reduce("sum", squares, dims, keepdim), max(count, 0))


@handles(aten.logsumexp.default)
def _logsumexp(x, dim, keepdim=False):
    dims = _dims(x, dim)
    largest = _reduce("max", x, dims, True)
    shift = _where(_compare("eq", _binary("sub", largest, largest), 0), largest, 0)  # 0 instead of an infinity
    powers = _unary("exp", _binary("sub", x, shift))
    result = _binary("add", _unary("log", _reduce("sum", powers, dims, True)), shift)
    return result if keepdim or not dims else wrap(_squeeze(result, dims))


@handles(aten.sort.stable)
def _sorted(x, stable=False, dim=-1, descending=False):
    if x.dim() == 0:
        return wrap(x._planes.clone()), torch.zeros((), dtype=torch.int64, device=x.device)
    dim = _place(dim, x.dim()) - 1
    order = planes_of.order(x._planes, dim, bool(descending))
    return wrap(x._planes.gather(dim + 1, _along(order, x._planes))), order


_enter_all(handles, {
    aten.sum.default: lambda x, dtype=None: _reduce("sum", _in_type(x, dtype), [], False),
    aten.sum.dim_IntList: lambda x, dim, keepdim=False, dtype=None: _reduce(
        "sum", _in_type(x, dtype), _dims(x, dim), keepdim),
    (aten.norm.Scalar, aten.norm.ScalarOpt_dim): lambda x, p=2, dim=None, keepdim=False: _norm(
        x, 2 if p is None else p, dim, keepdim),
    aten.std.correction: lambda x, dim=None, correction=None, keepdim=False: _unary(
        "sqrt", _var(x, dim, correction, keepdim)),
    aten.sort.default: lambda x, dim=-1, descending=False: _sorted(x, False, dim, descending)})
_enter_all(forms, {  # formulas take differences with means
    aten.mean.default: lambda x, dtype=None: _reduce("mean", _in_type(x, dtype), [], False),
    aten.mean.dim: lambda x, dim, keepdim=False, dtype=None: _reduce(
        "mean", _in_type(x, dtype), _dims(x, dim), keepdim)})


# Products

def _product(x, y) -> MCTensor:
    return wrap(planes_of.product(*_pair(x, y)))


#: the numbers of dimensions of the factors
_FACTORS = {aten.dot.default: (1, 1), aten.mv.default: (2, 1), aten.mm.default: (2, 2), aten.bmm.default: (3, 3),
            aten.addmm.default: (2, 2), aten.addmv.default: (2, 1), aten.baddbmm.default: (3, 3)}


def _check_factors(operation, x, y) -> None:
    if not isinstance(x, torch.Tensor) or not isinstance(y, torch.Tensor):
        raise TypeError("MCTensor: products take tensors")
    dims = _FACTORS[operation]
    if (x.dim(), y.dim()) != dims:
        raise RuntimeError(f"{operation}: tensors of {dims[0]} and {dims[1]} dimensions are wanted, not {x.dim()} and "
                           f"{y.dim()}")
    if x.shape[-1] != y.shape[max(y.dim() - 2, 0)] or dims == (3, 3) and x.shape[0] != y.shape[0]:
        raise RuntimeError(f"{operation}: shapes {tuple(x.shape)} and {tuple(y.shape)} cannot be multiplied")


def _enter_product(operation):
    @handles(operation)
    def handler(x, y):
        _check_factors(operation, x, y)
        return _product(x, y)


for _operation in (aten.dot.default, aten.mv.default, aten.mm.default, aten.bmm.default):
    _enter_product(_operation)


def _enter_sum_with_product(operation):
    @handles(operation)
    def handler(x, a, b, beta=1, alpha=1):
        _check_factors(operation, a, b)
        if type(a) is not MCTensor and type(b) is not MCTensor:
            a = _long(a, x)
        product = _product(a, b)
        if alpha != 1:
            product = _binary("mul", product, alpha)
        if beta == 0:
            return product
        return _binary("add", x if beta == 1 else _times(x, beta, product), product)


for _operation in (aten.addmm.default, aten.addmv.default, aten.baddbmm.default):
    _enter_sum_with_product(_operation)


# Moving elements: the same for all planes

def _place(dim: int, count: int, more: int = 0) -> int:
    """Converts a dimension of the numbers to a dimension of their planes."""
    count = max(count + more, 1)
    if not -count <= dim < count:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {dim})")
    return dim % count + 1


def _enter_view(operation, move):
    @forms(operation)  # formulas compare tensors that they have saved and moved
    def handler(x, *args, **options):
        result = move(x, *args, **options)
        results = [wrap(planes) for planes in result] if isinstance(result, (list, tuple)) else wrap(result)
        if planes_of.is_eager(x._planes):
            return results
        return _ALIASING(operation, (x, *args), options, results)  # torch.compile needs to know whose memory it is


def _expand(x, size, implicit=False):
    return spread(x._planes, len(size)).expand(x.nc, *size)


def _squeeze(x, dim=None):
    dims = range(x.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    places = [_place(d, x.dim()) for d in dims]
    return x._planes.squeeze(tuple(p for p in places if p <= x.dim()))


def _identity(x):
    return x._planes.detach()


for _operation, _move in {
        aten.view.default: lambda x, size: x._planes.view(len(x._planes), *size),
        aten._unsafe_view.default: lambda x, size: x._planes.reshape(len(x._planes), *size),
        aten._reshape_alias.default: lambda x, size, stride: x._planes.reshape(len(x._planes), *size),
        aten.select.int: lambda x, dim, index: x._planes.select(_place(dim, x.dim()), index),
        aten.slice.Tensor: lambda x, dim=0, start=None, end=None, step=1: aten.slice.Tensor(
            x._planes, _place(dim, x.dim()), start, end, step),
        aten.t.default: lambda x: _identity(x) if x.dim() < 2 else x._planes.transpose(1, 2),
        aten.transpose.int: lambda x, a, b: _identity(x) if x.dim() == 0 else x._planes.transpose(
            _place(a, x.dim()), _place(b, x.dim())),
        aten.permute.default: lambda x, dims: x._planes.permute(0, *(_place(d, x.dim()) for d in dims)),
        aten.unsqueeze.default: lambda x, dim: x._planes.unsqueeze(_place(dim, x.dim(), 1)),
        aten.squeeze.default: _squeeze, aten.squeeze.dim: _squeeze, aten.squeeze.dims: _squeeze,
        aten.expand.default: _expand, aten.detach.default: _identity, aten.alias.default: _identity,
        aten.diagonal.default: lambda x, offset=0, dim1=0, dim2=1: x._planes.diagonal(
            offset, _place(dim1, x.dim()), _place(dim2, x.dim())),
        aten.unbind.int: lambda x, dim=0: x._planes.unbind(_place(dim, x.dim())),
        aten.split.Tensor: lambda x, size, dim=0: x._planes.split(size, _place(dim, x.dim())),
        aten.split_with_sizes.default: lambda x, sizes, dim=0: x._planes.split(sizes, _place(dim, x.dim())),
        aten.unfold.default: lambda x, dim, size, step: x._planes.unfold(_place(dim, x.dim()), size, step),
}.items():
    _enter_view(_operation, _move)


def _enter_move(operation, move):
    @handles(operation)
    def handler(x, *args, **options):
        return wrap(move(x, *args, **options))


def _matrices(x, name: str) -> torch.Tensor:
    if x.dim() < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return x._planes


def _along(index, planes):
    return index.unsqueeze(0).expand(len(planes), *index.shape)


for _operation, _move in {
        aten.clone.default: lambda x, memory_format=None: x._planes.clone(),
        aten.lift_fresh.default: _identity,
        aten.contiguous.default: lambda x, memory_format=None: x._planes.contiguous(),
        aten.flip.default: lambda x, dims: x._planes.flip([_place(d, x.dim()) for d in dims]),
        aten.roll.default: lambda x, shifts, dims=(): (
            x._planes.roll(shifts, [_place(d, x.dim()) for d in dims]) if dims
            else x._planes.reshape(len(x._planes), -1).roll(shifts, 1).reshape(x._planes.shape)),
        aten.repeat.default: lambda x, repeats: spread(x._planes, len(repeats)).repeat(1, *repeats),
        aten.index_select.default: lambda x, dim, index: x._planes.index_select(_place(dim, x.dim()), index),
        aten.gather.default: lambda x, dim, index, sparse_grad=False: x._planes.gather(
            _place(dim, x.dim()), _along(index, x._planes)),
        aten.tril.default: lambda x, diagonal=0: _matrices(x, "tril").tril(diagonal),
        aten.triu.default: lambda x, diagonal=0: _matrices(x, "triu").triu(diagonal),
        aten.masked_select.default: lambda x, mask: torch.stack([p.masked_select(mask) for p in x._planes]),
}.items():
    _enter_move(_operation, _move)


@handles(aten.embedding.default)
def _embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    rows = weight.shape[0]
    if planes_of.is_eager(indices) and bool(((indices < 0) | (indices >= rows)).any()):
        raise IndexError(f"embedding: an index is out of range, there are {rows} rows")
    return wrap(weight._planes[:, indices])


@handles(aten.index.Tensor)
def _index(x, indices):
    there = [i for i, index in enumerate(indices) if index is not None]
    if there and there[-1] - there[0] + 1 == len(there):
        return wrap(aten.index.Tensor(x._planes, [None, *indices]))
    return wrap(torch.stack([aten.index.Tensor(p, indices) for p in x._planes]))  # the result's dimensions are in front


def _held(x, value) -> torch.Tensor:
    """Converts a value that is written to x to planes of the same type and number of components."""
    planes, nc = x._planes, len(x._planes)
    if isinstance(value, MCTensor):
        found = value._planes
    elif isinstance(value, torch.Tensor):
        found = _planes_of_plain(value, planes)
    else:
        found = _planes_of_number(value, planes)
    if len(found) > nc or found.dtype != planes.dtype:
        return planes_of.convert(found, planes.dtype, nc)
    return widened(found, nc)


def _put(x, indices, values, accumulate):
    if accumulate:
        raise TypeError("MCTensor: index_put with accumulate is not supported")
    values = _held(x, values)
    return [aten.index_put.default(p, indices, v) for p, v in zip(x._planes, values)]


@handles(aten.index_put_.default)
def _index_put_(x, indices, values, accumulate=False):
    for p, found in zip(x._planes, _put(x, indices, values, accumulate)):
        p.copy_(found)
    return x


@handles(aten.cat.default)
def _cat(tensors, dim=0):
    first = next(x for x in tensors if isinstance(x, torch.Tensor))
    return wrap(torch.cat(_alike(*tensors), _place(dim, first.dim())))


@handles(aten.constant_pad_nd.default)
def _pad(x, pad, value=0):
    if value != 0:
        raise TypeError("MCTensor: pad with another value than 0 is not supported")
    return wrap(aten.constant_pad_nd.default(x._planes, pad))


_enter_all(handles, {
    aten.index_put.default: lambda x, indices, values, accumulate=False: wrap(torch.stack(
        _put(x, indices, values, accumulate))),
    aten.stack.default: lambda tensors, dim=0: wrap(torch.stack(
        _alike(*tensors), _place(dim, tensors[0].dim(), 1)))})


# Making

@handles(aten._to_copy.default)
def _to_copy(x, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    planes = x._planes
    if dtype == torch.bool:
        return _compare("ne", x, 0)
    if dtype is not None and dtype not in MOST:
        raise TypeError(f"MCTensor: a conversion to {dtype}; evaluate() rounds to a plain tensor first")
    if dtype is not None and dtype != planes.dtype:
        planes = planes_of.convert(planes, dtype, check_components(len(planes), dtype))
    elif device is None:
        planes = planes.clone()
    if device is not None:
        planes = planes.to(device=device, non_blocking=non_blocking, copy=True)
    return wrap(planes)


def _made(x, size, options, make) -> MCTensor:
    dtype = options.get("dtype") or x.dtype
    if dtype not in MOST:  # masks and indices are plain
        return make(size, dtype=dtype, device=options.get("device") or x.device)
    check_components(len(x._planes), dtype)
    return wrap(make((len(x._planes), *size), dtype=dtype, device=options.get("device") or x.device))


for _operation, _make in {aten.zeros_like: torch.zeros, aten.empty_like: torch.empty}.items():
    HANDLERS[_operation.default] = functools.partial(
        lambda make, x, **options: _made(x, x.shape, options, make), _make)
for _operation, _make in {aten.new_zeros: torch.zeros, aten.new_empty: torch.empty}.items():
    HANDLERS[_operation.default] = functools.partial(
        lambda make, x, size, **options: _made(x, size, options, make), _make)


def _filled(x, size, value, options):
    result = _made(x, size, options, torch.zeros)
    if type(result) is not MCTensor:
        return result.fill_(value)
    return _copy_(result, value)


@handles(aten.ones_like.default)
def _ones_like(x, **options):
    return _filled(x, x.shape, 1, options)


_enter_all(handles, {
    aten.full_like.default: lambda x, value, **options: _filled(x, x.shape, value, options),
    aten.new_full.default: lambda x, size, value, **options: _filled(x, size, value, options),
    aten.new_ones.default: lambda x, size, **options: _filled(x, size, 1, options)})


def _random_like(name: str, operation):
    @handles(operation.default)
    def handler(x, dtype=None, device=None, **options):
        return wrap(random_planes(name, x.shape, x.nc, dtype or x.dtype).to(device or x.device))


_random_like("rand", aten.rand_like)
_random_like("randn", aten.randn_like)


# Writing

def _write(x, planes) -> MCTensor:
    if not isinstance(x, MCTensor):
        raise TypeError("MCTensor: a plain tensor cannot hold the result with an MCTensor")
    if len(planes) > len(x._planes) or planes.dtype != x.dtype:
        raise TypeError(f"MCTensor: {len(x._planes)} components of {x.dtype} cannot hold a result of {len(planes)} of "
                        f"{planes.dtype}")
    if planes.shape[1:] != x._planes.shape[1:]:
        raise RuntimeError(f"MCTensor: a result of shape {tuple(planes.shape[1:])} does not fit a tensor of shape "
                           f"{tuple(x.shape)}")
    x._planes.copy_(widened(planes, len(x._planes)))
    return x


def _enter_in_place(operation, handler):
    @handles(operation)
    def write(x, *args, **options):
        if type(x) is not MCTensor:
            raise TypeError(f"{operation}: a plain tensor cannot hold the result with an MCTensor")
        return _write(x, handler(x, *args, **options)._planes)


for _operation, _handler in list(HANDLERS.items()):
    _name = _operation._schema.name.split("::")[1]
    _packet = getattr(aten, _name + "_", None)
    _written = _packet and getattr(_packet, _operation._overloadname, None)
    if _written is not None and _written not in HANDLERS and _name not in ("squeeze", "unsqueeze", "t", "transpose"):
        _enter_in_place(_written, _handler)


@handles(aten.copy_.default, aten.fill_.Scalar, aten.fill_.Tensor)
def _copy_(x, source, non_blocking=False):
    if type(x) is not MCTensor:
        raise TypeError("copy_: a plain tensor cannot hold an MCTensor; evaluate() rounds it")
    x._planes.copy_(spread(_held(x, source), x.dim()))
    return x


@handles(aten.zero_.default)
def _zero_(x):
    x._planes.zero_()
    return x


@handles(aten.masked_fill_.Scalar, aten.masked_fill_.Tensor)
def _masked_fill_(x, mask, value):
    value = _held(x, value).to(x._planes.device)
    x._planes.copy_(torch.where(mask, spread(value, x.dim()), x._planes))
    return x


@handles(aten.index_copy_.default)
def _index_copy_(x, dim, index, source):
    x._planes.index_copy_(_place(dim, x.dim()), index, _held(x, source))
    return x


@handles(aten.bernoulli_.float)
def _bernoulli_(x, p=0.5, generator=None):
    x._planes[0].bernoulli_(p, generator=generator)
    x._planes[1:].zero_()
    return x


def _enter_random(operation, name: str, scaled):
    """Enters an operation that writes random numbers with all their bits."""
    @handles(operation)
    def write(x, a=0, b=1, generator=None):
        made = wrap(random_planes(name, x.shape, x.nc, x.dtype, generator))
        return _write(x, scaled(made, a, b)._planes)


_enter_random(aten.uniform_.default, "rand", lambda r, low, high: _add(_binary("mul", r, high - low), low))
_enter_random(aten.normal_.default, "randn", lambda r, mean, std: _add(_binary("mul", r, std), mean))


def _enter_view_in_place(operation, view):
    """Enters an operation that changes the shape of a tensor: of its planes, and of the tensor that PyTorch sees."""
    @handles(operation)
    def handler(x, *args):
        x._planes = HANDLERS[view](x, *args)._planes
        with torch._C._DisableTorchDispatch():
            return operation(x, *args)


for _operation, _handler in {
        aten.squeeze_.default: aten.squeeze.default, aten.squeeze_.dim: aten.squeeze.dim,
        aten.squeeze_.dims: aten.squeeze.dims, aten.unsqueeze_.default: aten.unsqueeze.default,
        aten.t_.default: aten.t.default, aten.transpose_.default: aten.transpose.int}.items():
    _enter_view_in_place(_operation, _handler)


# Queries

@handles(aten.isclose.default)
def _isclose(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    distance = _unary("abs", _binary("sub", x, y))
    allowed = _add(_binary("mul", _unary("abs", _long(y, x)), rtol), atol)
    near = _compare("le", distance, allowed) & _compare("lt", distance, math.inf) | _compare("eq", x, y)
    return near | (_compare("ne", x, x) & _compare("ne", y, y)) if equal_nan else near


_enter_all(handles, {
    aten._local_scalar_dense.default: lambda x: x.item(),
    aten.equal.default: lambda x, y: x.shape == y.shape and bool(_compare("eq", x, y).all()),
    aten.allclose.default: lambda *args, **options: bool(_isclose(*args, **options).all()),
    aten.is_same_size.default: lambda x, y: x.shape == y.shape,
    aten.nonzero.default: lambda x: _compare("ne", x, 0).nonzero(),
    aten.is_nonzero.default: lambda x: bool(x.item()),
    aten.isnan.default: lambda x: _compare("ne", x, x),
    aten.isinf.default: lambda x: _compare("eq", _unary("abs", x), math.inf)})


# Parts of networks

@handles(aten._softmax.default)
def _softmax(x, dim, half_to_float=False):
    powers = _unary("exp", _binary("sub", x, _largest(x, dim)))
    return _binary("div", powers, _reduce("sum", powers, [dim], True) if x.dim() else powers)


@handles(aten._log_softmax.default)
def _log_softmax(x, dim, half_to_float=False):
    if x.dim() == 0:
        return _binary("sub", x, x)
    below = _binary("sub", x, _largest(x, dim))
    total = _reduce("sum", _unary("exp", below), [dim], True)
    return _binary("sub", below, _unary("log", total))


def _largest(x, dim):
    if x.dim() == 0:
        return x
    _place(dim, x.dim())
    return _reduce("max", x, [dim], True)


@handles(aten.native_layer_norm.default)
def _layer_norm(x, normalized_shape, weight, bias, eps):
    x = _long(x, weight if type(weight) is MCTensor else bias)
    if not normalized_shape or tuple(x.shape[-len(normalized_shape):]) != tuple(normalized_shape):
        raise RuntimeError(f"layer_norm: given normalized_shape={list(normalized_shape)}, expected input with shape "
                           f"[*, {', '.join(map(str, normalized_shape))}], but got input of size {list(x.shape)}")
    dims = list(range(x.dim() - len(normalized_shape), x.dim()))
    mean = _reduce("mean", x, dims, True)
    centred = _binary("sub", x, mean)
    variance = _reduce("mean", _unary("square", centred), dims, True)
    scale = _unary("rsqrt", _add(variance, eps))
    result = _binary("mul", centred, scale)
    if weight is not None:
        result = _binary("mul", result, weight)
    return result if bias is None else _binary("add", result, bias), mean, scale


def _averaged(losses, reduction: int) -> MCTensor:
    """Reduces losses by PyTorch's number: 0 none, 1 mean, 2 sum."""
    return losses if reduction == 0 else _reduce("mean" if reduction == 1 else "sum", losses, [], False)


def _huber(x, target, delta, smooth: bool):
    """d^2 / 2 where |d| < delta, else delta (|d| - delta / 2); smooth: divided by delta."""
    difference = _binary("sub", x, target)
    size = _unary("abs", difference)
    near = _binary("mul", _unary("square", difference), 0.5)
    far = _binary("sub", size, delta / 2)
    if smooth and delta:
        near = _binary("div", near, delta)
    elif not smooth:
        far = _binary("mul", far, delta)
    return _where(_compare("lt", size, delta), near, far)


@handles(aten.binary_cross_entropy.default)
def _binary_cross_entropy(x, target, weight=None, reduction=1):
    x = _long(x, target)
    if bool((_compare("lt", x, 0) | _compare("gt", x, 1)).any()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    log_x = _binary("maximum", _unary("log", x), -100)
    log_rest = _binary("maximum", _unary("log1p", _unary("neg", x)), -100)
    rest = _binary("sub", 1, _long(target, x))
    losses = _binary("add", _binary("mul", target, log_x), _binary("mul", rest, log_rest))
    return _weighted(_unary("neg", losses), weight, reduction)


@handles(aten.binary_cross_entropy_with_logits.default)
def _binary_cross_entropy_with_logits(x, target, weight=None, pos_weight=None, reduction=1):
    if pos_weight is not None:
        raise TypeError("MCTensor: binary_cross_entropy_with_logits with pos_weight is not supported")
    x = _long(x, target)
    small = _unary("softplus", _unary("neg", _unary("abs", x)))
    losses = _binary("sub", _unary("relu", x), _binary("mul", x, target))
    return _weighted(_binary("add", losses, small), weight, reduction)


def _weighted(losses, weight, reduction):
    return _averaged(losses if weight is None else _binary("mul", losses, weight), reduction)


@handles(aten.nll_loss_forward.default)
def _nll_loss_forward(x, target, weight, reduction, ignore_index):
    if weight is not None:
        raise TypeError("MCTensor: nll_loss with weights of classes is not supported")
    rows, labels = (x._planes, target) if x.dim() == 2 else (x._planes.unsqueeze(1), target.reshape(1))
    counted = labels != ignore_index
    if planes_of.is_eager(labels):
        for label in labels[counted & ((labels < 0) | (labels >= rows.shape[2]))][:1].tolist():
            raise IndexError(f"Target {label} is out of bounds.")
    chosen = rows.gather(2, _along(labels.clamp(min=0).unsqueeze(1), rows)).squeeze(2)
    losses = torch.where(counted, -chosen, torch.zeros_like(chosen))
    count = counted.sum().to(x.dtype)
    if reduction == 0:
        return wrap(losses if x.dim() == 2 else losses.squeeze(1)), count * 0
    total = _reduce("sum", wrap(losses), [], False)
    return _binary("div", total, count) if reduction == 1 else total, count


_enter_all(handles, {
    aten.mse_loss.default: lambda x, target, reduction=1: _averaged(
        _unary("square", _binary("sub", x, target)), reduction),
    aten.smooth_l1_loss.default: lambda x, target, reduction=1, beta=1.0: _averaged(
        _huber(x, target, beta, True), reduction),
    aten.huber_loss.default: lambda x, target, reduction=1, delta=1.0: _averaged(
        _huber(x, target, delta, False), reduction)})


# Formulas of derivatives that take differences, which would cancel with first components

def _huber_slope(x, target, delta, smooth: bool):
    difference = _binary("sub", x, target)
    near = _compare("lt", _unary("abs", difference), delta)
    sign = _sign(difference)
    if smooth:
        return _where(near, _binary("div", difference, delta) if delta else difference, sign)
    return _where(near, difference, _binary("mul", sign, delta))


def _averaged_slope(grad, slope, reduction):
    slope = gradient_of(slope)
    slope = slope * grad
    return slope / slope.numel() if reduction == 1 else slope


@forms(aten.native_layer_norm_backward.default)
def _layer_norm_backward(grad, x, normalized_shape, mean, scale, weight, bias, wanted):
    count = x.dim() - len(normalized_shape)
    dims, others = list(range(count, x.dim())), list(range(count))
    normal = gradient_of(_binary("mul", _binary("sub", _long(x, mean), mean), scale))
    grad, scale = gradient_of(grad), gradient_of(scale)
    weighted = grad if weight is None else grad * gradient_of(weight)
    by_x = scale * (weighted - weighted.mean(dims, True) - normal * (weighted * normal).mean(dims, True))
    by_weight, by_bias = grad * normal, grad
    if others:
        by_weight, by_bias = by_weight.sum(others), by_bias.sum(others)
    return by_x if wanted[0] else None, by_weight if wanted[1] else None, by_bias if wanted[2] else None


@forms(aten.logit_backward.default)
def _logit_backward(grad, x, eps=None):
    if eps is not None:
        raise TypeError("logit_backward: the derivative of logit with eps is not supported for MCTensors")
    return grad / gradient_of(_binary("mul", x, _binary("sub", 1, x)))


_enter_all(forms, {
    aten.mse_loss_backward.default: lambda grad, x, target, reduction: _averaged_slope(
        grad, _binary("mul", _binary("sub", x, target), 2), reduction),
    aten.smooth_l1_loss_backward.default: lambda grad, x, target, reduction, beta: _averaged_slope(
        grad, _huber_slope(x, target, beta, True), reduction),
    aten.huber_loss_backward.default: lambda grad, x, target, reduction, delta: _averaged_slope(
        grad, _huber_slope(x, target, delta, False), reduction),
    aten.sigmoid_backward.default: lambda grad, result: grad * gradient_of(
        _binary("mul", result, _binary("sub", 1, result))),
    aten.tanh_backward.default: lambda grad, result: grad * gradient_of(
        _binary("mul", _binary("sub", 1, result), _binary("add", 1, result)))})


# Formulas of derivatives that full_gradients computes with all components

@handles(aten.threshold_backward.default)
def _threshold_backward(grad, x, threshold):
    over = _compare("gt", x, threshold) if type(x) is MCTensor else x > threshold
    return _where(over, grad, torch.zeros_like(grad))


@handles(aten._softmax_backward_data.default)
def _softmax_backward(grad, result, dim, dtype):
    weighted = _binary("mul", grad, result)
    return _binary("sub", weighted, _binary("mul", result, _reduce("sum", weighted, [dim], True)))


@handles(aten._log_softmax_backward_data.default)
def _log_softmax_backward(grad, result, dim, dtype):
    total = grad.sum(dim, keepdim=True)
    return _binary("sub", grad, _binary("mul", _unary("exp", result), total))


@handles(aten.select_backward.default)
def _select_backward(grad, size, dim, index):
    result = wrap(grad._planes.new_zeros((len(grad._planes), *size)))
    result._planes.select(_place(dim, len(size)), index).copy_(grad._planes)
    return result


@handles(aten.slice_backward.default)
def _slice_backward(grad, size, dim, start, end, step):
    result = wrap(grad._planes.new_zeros((len(grad._planes), *size)))
    aten.slice.Tensor(result._planes, _place(dim, len(size)), start, end, step).copy_(grad._planes)
    return result
