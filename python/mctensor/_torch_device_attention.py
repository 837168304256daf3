"""Attention of CUDA tensors, on PyTorch's current stream and without synchronization.

PyTorch's operations map queries and keys in float32. Then an operator starts the library's kernels of the score.
"""
from __future__ import annotations

import math

import torch
from torch.autograd import forward_ad
from torch.nn import functional

from . import _core
from ._torch_attention_maps import MAPS
from ._torch_device import current_stream
from ._torch_operands import require_one_device
from ._torch_operators import define, loop, no_derivative

_STEP, _MOST = 8, 128  # the number of coordinates is a multiple of 8, at most 128


def _placed(x):
    """Where a tensor lies. The caller holds it until the kernels are done: memory of a copy that nobody holds is
    given to others before they run."""
    return (0, []) if x is None else (x.data_ptr(), list(x.shape))


def _call(x):
    return x.device.index or 0, current_stream(x.device)


def _aligned(x):
    """A tensor as the kernels read it: contiguous, at an address that is a multiple of 16 bytes."""
    if x is None:
        return None
    x = x.contiguous()
    return x.clone() if x.data_ptr() % 16 else x


def _edges(x, y, edges):
    """The starts and columns of a neighbourhood. They are checked, which synchronizes with the device."""
    queries, keys = x.shape[-2], y.shape[-2]
    if edges.dtype != torch.int64 or edges.dim() != 1 or len(edges) <= queries or edges.device != x.device:
        raise ValueError(f"attention: edges of {edges.dtype} of shape {tuple(edges.shape)} on {edges.device} for "
                         f"{queries} queries on {x.device}; starts and columns in one tensor of int64 are taken")
    edges = edges.contiguous()
    starts, columns = edges[:queries + 1], edges[queries + 1:]
    bad = ((starts[0] != 0) | (starts[-1] != len(columns)) | (starts.diff() < 0).any() | (columns < 0).any()
           | (columns >= keys).any())
    if bad:
        _core.require_neighbourhood(starts.cpu().numpy(), columns.cpu().numpy(), queries, keys)
    return starts, columns


def _by_keys(x, y, edges):
    """The starts and columns, and the edges of each key: their starts, queries and positions."""
    starts, columns = _edges(x, y, edges)  # checked again, because the memory can change between the calls
    keys, places = columns.sort(stable=True)
    key_starts = torch.searchsorted(keys, torch.arange(y.shape[-2] + 1, device=keys.device))
    return starts, columns, key_starts, torch.searchsorted(starts, places, right=True) - 1, places


def _kernel(x, a, y, b, v, bias, edges, score, causal, keeps):
    given = [_aligned(t) for t in (x, a, y, b, v)]
    shape = (*x.shape[:-1], v.shape[-1])
    narrow = x.dtype == torch.bfloat16
    values, sums = x.new_empty(shape), x.new_empty(x.shape[:-1], dtype=torch.float32)
    rest = x.new_empty(shape if narrow and keeps else 0)
    seen = () if edges is None else _edges(x, y, edges)
    if values.numel() == 0 or y.shape[-2] == 0:
        return values.zero_(), sums.fill_(-math.inf), rest.zero_()
    bias = _aligned(bias)
    _core.attention_there(score, narrow, list(map(_placed, given)), causal, _placed(bias),
                          list(map(_placed, seen)),
                          [_placed(values), _placed(sums), _placed(rest if narrow and keeps else None)], *_call(x))
    return values, sums, rest


def _fake(x, a, y, b, v, bias, edges, score, causal, keeps):
    shape = (*x.shape[:-1], v.shape[-1])
    return (x.new_empty(shape), x.new_empty(x.shape[:-1], dtype=torch.float32),
            x.new_empty(shape if x.dtype == torch.bfloat16 and keeps else 0))


def _keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:7], *output)
    ctx.about = inputs[7:9]
    ctx.mark_non_differentiable(*output[1:])
    ctx.set_materialize_grads(False)


def _derive(ctx, grad, by_sums, by_rest):
    if ctx.wanted[5]:
        return _no_bias(ctx)
    if grad is None:
        return (None,) * 10
    found = BACKWARD(grad, *ctx.saved_tensors, *ctx.about)
    return *(g if w else None for g, w in zip(found, ctx.wanted[:5])), *(None for _ in range(5))


def _along(args, tangents):
    """The derivative along a direction of the operands. Gradients are linear in ``grad``, and SECOND returns this as
    their derivative by ``grad``."""
    grad = torch.zeros_like(_fake(*args)[0])
    return SECOND(grad, *args[:9], *tangents[:6])[0], None, None


def _kernel_backward(grad, x, a, y, b, v, bias, edges, values, sums, rest, score, causal):
    given = [_aligned(t) for t in (x, a, y, b, v)]
    to = [None if t is None else torch.zeros_like(t) for t in given]
    if values.numel() > 0 and y.shape[-2] > 0:
        result = [_placed(values), _placed(sums), _placed(rest if rest.numel() else None)]
        seen = () if edges is None else _by_keys(x, y, edges)
        bias, grad = _aligned(bias), _aligned(grad.to(x.dtype))
        _core.attention_derivatives_there(score, x.dtype == torch.bfloat16, list(map(_placed, given)), causal,
                                          _placed(bias), list(map(_placed, seen)), result, _placed(grad),
                                          list(map(_placed, to)), *_call(x))
    return tuple(x.new_empty(0) if t is None else t for t in to)


def _fake_backward(grad, x, a, y, b, v, *rest):
    return tuple(x.new_empty(0) if t is None else t.new_empty(t.shape) for t in (x, a, y, b, v))


def _keep_backward(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:8])
    ctx.about = inputs[11:]
    ctx.set_materialize_grads(False)


def _derive_backward(ctx, *cotangents):
    nothing = (None,) * 7  # bias, edges, values, sums and rest (functions of the operands), score and causal
    if ctx.wanted[6]:
        return _no_bias(ctx)
    if all(c is None for c in cotangents):
        return (None,) * 13
    grad, x, a, y, b, v, *seen = ctx.saved_tensors
    cotangents = [None if t is None else c for t, c in zip((x, a, y, b, v), cotangents)]
    found = SECOND(grad, x, a, y, b, v, *seen, *ctx.about, *cotangents, None)
    return *(g if w else None for g, w in zip(found, ctx.wanted[:6])), *nothing


def _along_backward(args, tangents):
    found = [None] * 5
    if any(t is not None for t in tangents[1:7]):  # second derivatives are symmetric
        found = SECOND(*args[:8], *args[11:], *tangents[1:7])[1:]
    if tangents[0] is not None:
        by_grad = BACKWARD(tangents[0], *args[1:])
        found = [b if a is None else a + b for a, b in zip(found, by_grad)]
    return tuple(found)


def _kernel_second(grad, x, a, y, b, v, bias, edges, score, causal, *directions):
    """The derivatives along the directions: of the values, which are the derivatives by ``grad``, and of the gradients.
    They are computed in float64 on the CPU, because there is no CUDA kernel."""
    like = (x, a, y, b, v, bias, grad)
    operands = [x.new_empty(0) if t is None else t for t in like]

    def wide(t):
        return None if t is None else _core.from_torch(t.detach().to(torch.float64).contiguous())

    by_grad, *found = map(_core.to_torch, _core.attention_along(
        score, list(map(wide, operands)), [*map(wide, directions), None], causal=causal, dropout=0.0, seed=0, call=0,
        hidden=None, edges=None if edges is None else edges.numpy()))
    return by_grad.to(grad.dtype), *(x.new_empty(0) if t is None else g.to(t.dtype).reshape(t.shape)
                                     for t, g in zip(like[:5], found[1::2]))


def _fake_second(grad, x, a, y, b, v, *rest):
    return grad.new_empty(grad.shape), *_fake_backward(grad, x, a, y, b, v)


def _keep_second(ctx, inputs, output):
    ctx.save_for_backward(*inputs[1:8], *inputs[10:16])
    ctx.about = inputs[8:10]
    ctx.set_materialize_grads(False)


def _derive_second(ctx, by_values, *by_gradients):
    if ctx.wanted[6] or ctx.wanted[15]:
        return _no_bias(ctx)
    if any(g is not None for g in by_gradients):
        return _none_second(ctx)
    # forward mode asks for this: it is linear in the directions and does not depend on grad
    given, directions = ctx.saved_tensors[:7], ctx.saved_tensors[7:]
    by_given, by_directions = [None] * 5, [None] * 6
    if by_values is not None and any(ctx.wanted[1:6]):
        by_given = SECOND(by_values, *given, *ctx.about, *directions)[1:]
    if by_values is not None and any(ctx.wanted[10:16]):
        values, sums, rest = ATTENDED(*given, *ctx.about, True)
        by_directions = [*BACKWARD(by_values, *given, values, sums, rest, *ctx.about), None]
    return (None, *(g if w else None for g, w in zip(by_given, ctx.wanted[1:6])), *(None,) * 4,
            *(g if w else None for g, w in zip(by_directions, ctx.wanted[10:16])))


_none_second = no_derivative("second derivatives of attention")
#: has_program() excludes this; only direct calls of the operators reach it
_no_bias = no_derivative("attended() by a bias")


_GIVEN = "Tensor x, Tensor? a, Tensor y, Tensor? b, Tensor v, Tensor? bias, Tensor? edges"
SECOND = define(f"attended_second(Tensor grad, {_GIVEN}, str score, bool causal, Tensor? c0, Tensor? c1, Tensor? c2, "
                "Tensor? c3, Tensor? c4, Tensor? c5) -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)",
                _kernel_second, _fake_second, keep=_keep_second, derive=_derive_second,
                along=_none_second,
                batch=lambda info, in_dims, *args: loop(SECOND, info, in_dims, args))
BACKWARD = define(f"attended_backward(Tensor grad, {_GIVEN}, Tensor values, Tensor sums, Tensor rest, str score, "
                  "bool causal) -> (Tensor, Tensor, Tensor, Tensor, Tensor)", _kernel_backward, _fake_backward,
                  keep=_keep_backward, derive=_derive_backward, along=_along_backward, there=True,
                  batch=lambda info, in_dims, *args: loop(BACKWARD, info, in_dims, args))
ATTENDED = define(f"attended({_GIVEN}, str score, bool causal, bool keeps) -> (Tensor, Tensor, Tensor)", _kernel,
                  _fake, keep=_keep, derive=_derive, along=_along, there=True,
                  batch=lambda info, in_dims, *args: loop(ATTENDED, info, in_dims, args))


def _padded(x):
    """Pads vectors with zeros to a multiple of 8 coordinates. The zeros change no score."""
    return functional.pad(x, (0, -x.shape[-1] % _STEP))


def _may_learn(x) -> bool:
    """Whether a derivative by a tensor may be asked for. The levels of torch.func hide this from each other."""
    return (torch.is_grad_enabled() and x.requires_grad or torch._C._are_functorch_transforms_active()
            or forward_ad._current_level >= 0 and forward_ad.unpack_dual(x).tangent is not None)


def has_program(operands, edges, about: dict, kind: torch.dtype) -> bool:
    """Whether the device computes it. Everything else is computed on the CPU."""
    q, k, v, _, _, *bias = operands
    require_one_device("attention", (q, k, v))
    return kind != torch.float64 and about["dropout"] == 0 and not any(map(_may_learn, bias)) and (
        edges is not None or max(q.shape[-1], v.shape[-1]) <= _MOST)


def attention_there(comparison: str, operands, hidden, edges, about: dict, kind: torch.dtype) -> torch.Tensor:
    """mctensor.attention.attention for tensors of one device or, if there are edges, attend_edges."""
    q, k, v, gamma, radius, *bias = operands
    # single numbers stay on the CPU, because PyTorch passes them along with a launch
    gamma, radius = (x.to(device=q.device if x.dim() > 0 else x.device, dtype=torch.float32) for x in (gamma, radius))
    score, compared = MAPS[comparison]
    # a hyperbolic distance needs all digits of its vectors
    narrow = kind == torch.bfloat16 and score not in ("distance", "distance_squared") and edges is None
    wide = torch.bfloat16 if narrow else torch.float32
    points = compared(q.to(torch.float32), k.to(torch.float32), gamma, radius)
    x, a, y, b = points if len(points) == 4 else (points[0], None, points[1], None)
    x, y, values = (t.to(wide) for t in (x, y, v))
    if edges is not None:
        return ATTENDED(x, a, y, b, values, None, edges.to(q.device), score, False, False)[0].to(kind)
    x, y, values = map(_padded, (x, y, values))
    given = bias[0].to(device=q.device, dtype=torch.float32) if bias else None
    if hidden is not None:
        hidden = torch.as_tensor(hidden, device=q.device).to(torch.bool)
        given = torch.zeros((), device=q.device) if given is None else given
        given = torch.where(hidden, -math.inf, given)
    given = None if given is None else torch.atleast_2d(given)
    found = ATTENDED(x, a, y, b, values, given, None, score, about["causal"], torch.is_grad_enabled())[0]
    return found[..., :v.shape[-1]].to(kind)
