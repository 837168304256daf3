"""Attention as operators of PyTorch."""
from __future__ import annotations

import numpy as np
import torch

from . import _core
from ._arguments import real_array
from ._attention_ranges import require_numbers, require_weights, sums_of_product
from ._torch_attention_maps import MAPS
from ._torch_device import is_there
from ._torch_device_attention import attention_there, has_program
from ._torch_operands import as_tensor, result_kind
from ._torch_operators import (Pointwise, define, from_gradients, loop, no_derivative, to_front,
                               with_autograd)

#: how many dimensions of q, k, v, gamma, radius and a bias belong to one element of the batch
_CORES = (2, 2, 2, 0, 0, 0)
_GIVEN = "Tensor q, Tensor k, Tensor v, Tensor gamma, Tensor radius, Tensor? bias, Tensor? hidden"
_ABOUT = "str comparison, bool causal, float dropout, int seed, int call"


def _operands(tensors):
    return [_core.from_torch(x) for x in tensors if x is not None]


def _is_neighbourhood(seen) -> bool:
    """Whether ``seen`` is a neighbourhood: integers are its starts and then its columns. Bools are a mask of hidden
    pairs."""
    return seen is not None and seen.dtype == torch.int64


def _seen(seen, about) -> dict:
    _, causal, dropout, seed, call = about
    name = "edges" if _is_neighbourhood(seen) else "hidden"
    return {"hidden": None, "edges": None, **({} if seen is None else {name: seen.numpy()})} | dict(
        causal=causal, dropout=dropout, seed=seed % 2**64, call=call % 2**64)


def _kernel(*args):
    tensors, hidden, about = args[:6], args[6], args[7:]
    seen = _seen(hidden, about)
    values, sums = map(_core.to_torch, _core.attention(about[0], _operands(tensors), **seen))
    require_numbers(values, about[0], [x for x in tensors if x is not None])
    require_weights(sums, about[0], tensors, seen["causal"], seen["hidden"], seen["edges"])
    return values, sums


def _fake(*args):
    q, v = args[0], args[2]
    return q.new_empty((*q.shape[:-1], v.shape[-1])), q.new_empty(q.shape[:-1])


def _keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:7], *output)
    ctx.about = inputs[7:]
    ctx.mark_non_differentiable(output[1])
    ctx.set_materialize_grads(False)


def _derive(ctx, grad, _):
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


def _fakes(grad, tensors, wanted):
    """Empty gradients of the type of ``grad``, each on the device of its operand. An operand may be None."""
    return tuple(grad.new_empty(x.shape if w else 0, device=None if x is None else x.device)
                 for x, w in zip(tensors, wanted))


def _fake_backward(*args):
    return _fakes(args[0], args[1:7], args[-1])


def _moved(info, in_dims, tensors):
    """Moves the batch dimension of the operands to the front. ``tensors``: q, k, v, gamma, radius, bias, hidden and, if
    they are given, the values and sums."""
    rank = tensors[0].dim() - (in_dims[0] is not None)
    cores = (*_CORES, 0, *(rank - r for r in (rank - 2, rank - 1)))[:len(tensors)]
    return [None if x is None else to_front(x, at, info.batch_size, rank - core, core)
            for x, at, core in zip(tensors, in_dims, cores)]


def _batch(info, in_dims, *args):
    if args[9] > 0 or _is_neighbourhood(args[6]):  # dropout depends on the position of a pair
        return loop(ATTENTION, info, in_dims, args)
    return ATTENTION(*_moved(info, in_dims[:7], args[:7]), *args[7:]), (0, 0)


def _batch_backward(info, in_dims, *args):
    if args[12] > 0 or _is_neighbourhood(args[7]):
        return loop(BACKWARD, info, in_dims, args)
    grad = to_front(args[0], in_dims[0], info.batch_size, 0, args[0].dim() - (in_dims[0] is not None))
    found = BACKWARD(grad, *_moved(info, in_dims[1:10], args[1:10]), *args[10:])
    return Pointwise.in_shapes(info, found, in_dims[1:7], args[1:7], args[-1])


def _along(args, tangents):
    """The derivative along a direction of the operands. Gradients are linear in ``grad``, and SECOND returns this as
    their derivative by ``grad``."""
    wanted = [False] * 6 + [True]
    return SECOND(torch.zeros_like(_fake(*args)[0]), *args, *tangents[:6], wanted)[-1], None


def _derive_backward(ctx, *gradients):
    cotangents = [g if w else None for g, w in zip(gradients, ctx.given)]
    wanted = [*ctx.wanted[1:7], ctx.wanted[0]]
    nothing = (None,) * 9  # hidden, values and sums (functions of the operands), and what is not a tensor
    if all(c is None for c in cotangents):
        return (None,) * 16
    *found, by_grad = (g if w else None for g, w in zip(
        SECOND(*ctx.saved_tensors, *ctx.about, *cotangents, wanted), wanted))
    return by_grad, *found, *nothing


def _keep_backward(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:8])
    ctx.about, ctx.given = inputs[10:15], inputs[15]
    ctx.set_materialize_grads(False)


def _along_backward(args, tangents):
    wanted, found = args[15], [None] * 6
    if any(t is not None for t in tangents[1:7]):  # second derivatives are symmetric
        found = SECOND(*args[:8], *args[10:15], *tangents[1:7], [*wanted, False])[:-1]
    if tangents[0] is not None:
        by_grad = BACKWARD(tangents[0], *args[1:])
        found = [b if a is None else a + b for a, b in zip(found, by_grad)]
    return tuple(found)


def _kernel_second(*args):
    """The derivatives along the directions: of the gradients, and of the values. The latter are the derivatives by
    ``grad``."""
    grad, tensors, hidden, about, directions, wanted = args[0], args[1:7], args[7], args[8:13], args[13:19], args[19]
    wide = [None if x is None else x.detach().to(torch.float64) for x in (*tensors, *directions)]
    (q, k, v, gamma, radius, bias), (c_q, c_k, c_v, c_gamma, c_radius, c_bias) = wide[:6], wide[6:]
    score, compared = MAPS[about[0]]
    none, of_gradients = q.new_empty(0), any(wanted[:6])
    with with_autograd():
        given = [x.clone().requires_grad_() for x in (q, k, gamma, radius)]
        along = tuple(torch.zeros_like(x) if c is None else c.clone()
                      for x, c in zip(given, (c_q, c_k, c_gamma, c_radius)))
        points, moved = torch.autograd.functional.jvp(compared, tuple(given), along, create_graph=True)

    def placed(x, others):  # x, a, y, b, values, bias
        x = [y.detach() for y in x]
        return [*(x if len(x) == 4 else (x[0], None, x[1], None)), *others]

    operands = [none if x is None else x for x in placed(points, (v, bias))]
    operands.append(grad.to(torch.float64) if of_gradients else none)
    directions = [None if x is None or not x.numel() else _core.from_torch(x.contiguous())
                  for x in (*placed(moved, (c_v, c_bias)), None)]
    by_grad, *found = map(_core.to_torch, _core.attention_along(
        score, [_core.from_torch(x.contiguous()) for x in operands], directions, **_seen(hidden, about)))
    results = [None] * 6
    if of_gradients:
        gradients, turned = found[0::2], found[1::2]
        there = (0, 1, 2, 3) if len(points) == 4 else (0, 2)
        parts = [(x, part[i].clone()) for xs, part in ((points, turned), (moved, gradients)) for x, i in zip(xs, there)
                 if x.requires_grad]  # the tangents of linear maps do not
        with with_autograd():
            by_given = torch.autograd.grad([x for x, _ in parts], given, [g for _, g in parts], materialize_grads=True)
        results = [by_given[0], by_given[1], turned[4], by_given[2], by_given[3], turned[5]]
    like = [*tensors, grad]
    return tuple(grad.new_empty(0) if not w else x.to(y.dtype).reshape(y.shape)
                 for x, y, w in zip((*results, by_grad), like, wanted))


def _fake_second(*args):
    return _fakes(args[0], (*args[1:7], args[0]), args[19])


def _keep_second(ctx, inputs, output):
    ctx.save_for_backward(*inputs[1:8], *inputs[13:19])
    ctx.about, ctx.given = inputs[8:13], inputs[19]
    ctx.set_materialize_grads(False)


def _derive_second(ctx, *gradients):
    if any(ctx.given[:-1]):
        return _none_second(ctx)
    # forward mode asks for this: it is linear in the directions and does not depend on grad
    tensors, directions, grad = ctx.saved_tensors[:7], ctx.saved_tensors[7:], gradients[-1]
    by_given, by_directions = [None] * 6, [None] * 6
    wanted, turned = list(ctx.wanted[1:7]), list(ctx.wanted[13:19])
    if grad is not None and any(wanted):
        by_given = SECOND(grad, *tensors, *ctx.about, *directions, [*wanted, False])[:-1]
    if grad is not None and any(turned):
        by_directions = BACKWARD(grad, *tensors, *ATTENTION(*tensors, *ctx.about), *ctx.about, turned)
    return (None, *(g if w else None for g, w in zip(by_given, wanted)), *(None,) * 6,
            *(g if w else None for g, w in zip(by_directions, turned)), None)


_none_second = no_derivative("second derivatives of attention")
_DIRECTIONS = ", ".join(f"Tensor? c{i}" for i in range(6))
SECOND = define(f"attention_second(Tensor grad, {_GIVEN}, {_ABOUT}, {_DIRECTIONS}, bool[] wanted)"
                " -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)", _kernel_second, _fake_second,
                keep=_keep_second, derive=_derive_second, along=_none_second,
                batch=lambda info, in_dims, *args: loop(SECOND, info, in_dims, args))
BACKWARD = define(f"attention_backward(Tensor grad, {_GIVEN}, Tensor values, Tensor sums, {_ABOUT}, bool[] wanted)"
                  " -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)", _kernel_backward, _fake_backward,
                  keep=_keep_backward, derive=_derive_backward, along=_along_backward, batch=_batch_backward)
ATTENTION = define(f"attention({_GIVEN}, {_ABOUT}) -> (Tensor, Tensor)", _kernel, _fake, keep=_keep, derive=_derive,
                   along=_along, batch=_batch)


def _mask(hidden):
    """The mask of hidden pairs as a tensor of bools, or None."""
    if hidden is None or isinstance(hidden, torch.Tensor):
        return None if hidden is None else hidden.to(torch.bool)
    return torch.from_numpy(real_array("hidden", hidden, np.bool_))


def attention(comparison: str, operands, hidden, edges, about: dict) -> torch.Tensor:
    kind = result_kind("attention", operands)
    for x in operands[:3]:
        if isinstance(x, torch.Tensor) and not x.is_floating_point():
            raise TypeError(f"attention: a tensor of {x.dtype}; float64, float32, float16 and bfloat16 are taken")
    if any(map(is_there, operands[:3])):
        given = [as_tensor("attention", x, kind) for x in operands]
        if has_program(given, edges, about, kind):
            return attention_there(comparison, given, hidden, edges, about, kind)
    wide = torch.float64 if kind == torch.float64 else torch.float32
    # numbers are rounded to the type that the tensors have
    tensors = [as_tensor("attention", x, kind).to(wide) for x in operands]
    bias = tensors[5] if len(tensors) > 5 else None
    seen = _mask(hidden)
    if edges is not None:
        seen = torch.as_tensor(edges).cpu()
    seed, call = (x - 2**64 if x >= 2**63 else x for x in (about["seed"], about["call"]))
    return ATTENTION(*tensors[:5], bias, seen, comparison, about["causal"], about["dropout"], seed,
                     call)[0].to(kind)


def _product_kernel(*args):
    (q, k, v, weights), about = args[:4], _of_product(args[4:])
    values = _core.to_torch(_core.product_attention(_operands(args[:4]), *about))
    require_numbers(values, args[5], args[:4])
    ones = (q, k, v.new_ones((*v.shape[:-1], 1)), weights)
    sums = sums_of_product(values, lambda: _core.to_torch(_core.product_attention(_operands(ones), *about)))
    require_weights(sums, args[5], (q, k, weights), about[2], about[3])
    return values


def _of_product(args):
    """Factors, widths, causal and hidden, from hidden and the rest."""
    hidden, factors, widths, causal = args
    return list(factors), list(widths), causal, None if hidden is None else hidden.numpy()


def _fake_product(*args):
    return _fake(*args)[0]


def _keep_product(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:5])
    ctx.about = inputs[5:]


def _derive_product(ctx, grad):
    wanted = list(ctx.wanted[:4])
    found = PRODUCT_BACKWARD(grad, *ctx.saved_tensors, *ctx.about, wanted)
    return *(g if w else None for g, w in zip(found, wanted)), None, None, None, None


def _product_backward(*args):
    grad, tensors, wanted = args[0], args[1:5], args[9]
    gradients = _core.product_attention_derivatives(_operands(tensors), _core.from_torch(grad.contiguous()), wanted,
                                                    *_of_product(args[5:9]))
    return from_gradients(gradients, tensors, wanted)


_none_product = no_derivative("the gradient of product_attention, or along a direction")
_PRODUCT = "Tensor q, Tensor k, Tensor v, Tensor weights, Tensor? hidden, str[] factors, int[] widths, bool causal"
PRODUCT_BACKWARD = define(f"product_attention_backward(Tensor grad, {_PRODUCT}, bool[] wanted)"
                          " -> (Tensor, Tensor, Tensor, Tensor)", _product_backward,
                          lambda *args: _fakes(args[0], args[1:5], args[9]), keep=lambda *args: None,
                          derive=_none_product, along=_none_product,
                          batch=lambda info, in_dims, *args: loop(PRODUCT_BACKWARD, info, in_dims, args))
PRODUCT = define(f"product_attention({_PRODUCT}) -> Tensor", _product_kernel, _fake_product, keep=_keep_product,
                 derive=_derive_product, along=_none_product,
                 batch=lambda info, in_dims, *args: loop(PRODUCT, info, in_dims, args))


def product_attention(operands, hidden, factors, widths, causal: bool) -> torch.Tensor:
    kind = result_kind("product_attention", operands)
    wide = torch.float64 if kind == torch.float64 else torch.float32
    tensors = [as_tensor("product_attention", x, kind).to(wide) for x in operands]
    seen = _mask(hidden)
    return PRODUCT(*tensors, seen, factors, widths, causal).to(kind)
