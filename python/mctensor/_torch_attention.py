"""Attention and HyPE's columns as operators of PyTorch."""
from __future__ import annotations

import torch

from . import _core
from ._attention_ranges import require_numbers
from ._torch_device import is_there
from ._torch_device_attention import attention_there
from ._torch_operands import as_tensor, result_kind
from ._torch_operators import Pointwise, define, from_gradients, loop, no_derivative, to_front

#: q, k, v, gamma, radius and a bias: how many dimensions of them belong to an element
_CORES = (2, 2, 2, 0, 0, 0)
_GIVEN = "Tensor q, Tensor k, Tensor v, Tensor gamma, Tensor radius, Tensor? bias, Tensor? hidden"
_ABOUT = "str comparison, bool causal, float dropout, int seed, int call"


def _operands(tensors):
    return [_core.from_torch(x) for x in tensors if x is not None]


def _seen(hidden, about) -> dict:
    _, causal, dropout, seed, call = about
    return dict(causal=causal, hidden=None if hidden is None else hidden.numpy(), dropout=dropout,
                seed=seed % 2**64, call=call % 2**64)


def _kernel(*args):
    tensors, hidden, about = args[:6], args[6], args[7:]
    values, sums = map(_core.to_torch, _core.attention(about[0], _operands(tensors), **_seen(hidden, about)))
    require_numbers(values, about[0], [x for x in tensors if x is not None])
    return values, sums


def _fake(*args):
    q, v = args[0], args[2]
    return q.new_empty((*q.shape[:-1], v.shape[-1])), q.new_empty(q.shape[:-1])


def _keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:7], *output)
    ctx.about = inputs[7:]
    ctx.set_materialize_grads(False)


def _derive(ctx, grad, by_sums):
    if by_sums is not None:
        raise NotImplementedError("mctensor: the sums of attention have no derivatives")
    if grad is None:
        return (None,) * 12
    wanted = list(ctx.wanted[:6])
    found = BACKWARD(grad, *ctx.saved_tensors, *ctx.about, wanted)
    return *(g if w else None for g, w in zip(found, wanted)), *(None for _ in range(6))


def _kernel_backward(*args):
    grad, tensors, hidden, result, about, wanted = args[0], args[1:7], args[7], args[8:10], args[10:15], args[15]
    there = [i for i, x in enumerate(tensors) if x is not None]
    flags = [wanted[i] for i in there]
    gradients = _core.attention_derivatives(about[0], _operands(tensors), tuple(map(_core.from_torch, result)),
                                            _core.from_torch(grad), flags, **_seen(hidden, about))
    found = from_gradients(gradients, [tensors[i] for i in there], flags)
    return *found, *(grad.new_empty(0) for _ in range(6 - len(found)))


def _fake_backward(*args):
    return tuple(args[0].new_empty(x.shape if w else 0) for x, w in zip(args[1:7], args[-1]))


def _moved(info, in_dims, tensors):
    """Operands with the batch in front; tensors: q, k, v, gamma, radius, bias, hidden and what has their dimensions."""
    rank = tensors[0].dim() - (in_dims[0] is not None)
    cores = (*_CORES, 0, *(rank - r for r in (rank - 2, rank - 1)))[:len(tensors)]
    return [None if x is None else to_front(x, at, info.batch_size, rank - core, core)
            for x, at, core in zip(tensors, in_dims, cores)]


def _batch(info, in_dims, *args):
    if args[9] > 0:  # what is dropped depends on the place
        return loop(ATTENTION, info, in_dims, args)
    return ATTENTION(*_moved(info, in_dims[:7], args[:7]), *args[7:]), (0, 0)


def _batch_backward(info, in_dims, *args):
    if args[12] > 0:
        return loop(BACKWARD, info, in_dims, args)
    grad = to_front(args[0], in_dims[0], info.batch_size, 0, args[0].dim() - (in_dims[0] is not None))
    found = BACKWARD(grad, *_moved(info, in_dims[1:10], args[1:10]), *args[10:])
    return Pointwise.in_shapes(info, found, in_dims[1:7], args[1:7], args[-1])


BACKWARD = define(f"attention_backward(Tensor grad, {_GIVEN}, Tensor values, Tensor sums, {_ABOUT}, bool[] wanted)"
                  " -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)", _kernel_backward, _fake_backward,
                  keep=lambda ctx, inputs, output: None, derive=no_derivative("a gradient of attention"),
                  batch=_batch_backward)
ATTENTION = define(f"attention({_GIVEN}, {_ABOUT}) -> (Tensor, Tensor)", _kernel, _fake, keep=_keep, derive=_derive,
                   batch=_batch)


def attention(comparison: str, operands, hidden, about: dict) -> torch.Tensor:
    kind = result_kind("attention", operands)
    for x in operands[:3]:
        if isinstance(x, torch.Tensor) and not x.is_floating_point():
            raise TypeError(f"attention: a tensor of {x.dtype}; float64, float32, float16 and bfloat16 are taken")
    if any(map(is_there, operands[:3])):
        return attention_there(comparison, [as_tensor("attention", x, kind) for x in operands], hidden, about, kind)
    wide = torch.float64 if kind == torch.float64 else torch.float32
    # numbers are rounded to the type that the tensors have
    tensors = [as_tensor("attention", x, kind).to(wide) for x in operands]
    bias = tensors[5] if len(tensors) > 5 else None
    flags = None if hidden is None else torch.as_tensor(hidden).to(torch.bool)
    seed, call = (x - 2**64 if x >= 2**63 else x for x in (about["seed"], about["call"]))
    return ATTENTION(*tensors[:5], bias, flags, comparison, about["causal"], about["dropout"], seed,
                     call)[0].to(kind)


class _Columns(Pointwise):
    """HyPE's columns: of positions (L, n), the first operand, and mu and perhaps tau (.., n)."""

    options = ", int d, int copies"

    def __init__(self, name: str, count: int):
        super().__init__(name, (1,) * count, 2)

    def value(self, first, operands, options):
        return _core.to_torch(_core.hype_columns(_core.from_torch(first), _operands(operands), *options))

    def derivatives(self, first, operands, options, grad, wanted):
        if wanted[0]:
            raise NotImplementedError("mctensor: HyPE's columns have no derivatives by positions")
        return [None, *_core.hype_derivatives(_core.from_torch(first), _operands(operands), _core.from_torch(grad),
                                              wanted[1:], *options)]

    def fake(self, first, *rest):
        operands, (_, copies) = rest[:-2], rest[-2:]
        leading = torch.broadcast_shapes(*(x.shape[:-1] for x in operands))
        return operands[0].new_empty((*leading, first.shape[0], 2 * first.shape[1] * copies))


QUERIES, KEYS = _Columns("hype_queries", 2).define(), _Columns("hype_keys", 1).define()


def hype_features(positions, mu, tau, d: int, copies: int):
    kind = result_kind("hype_features", (mu, tau))
    wide = torch.float64 if kind == torch.float64 else torch.float32
    mu, tau = (as_tensor("hype_features", x, wide) for x in (mu, tau))
    places = as_tensor("positions", positions, torch.float64)
    if places.dim() == 1:
        places, mu, tau = (x.unsqueeze(-1) for x in (places, mu, tau))
    return QUERIES(places, mu, tau, d, copies).to(kind), KEYS(places, mu, d, copies).to(kind)
