"""Operations of the library on PyTorch's tensors, with the library's derivatives."""
from __future__ import annotations

import functools

import torch

from . import _core
from ._torch_operands import from_library, on_memory


class _Once(torch.autograd.Function):
    """A gradient that cannot be differentiated. It keeps what it depends on: else PyTorch would take its
    derivative for 0."""

    @staticmethod
    def forward(ctx, gradient, *sources):
        return gradient.clone()

    @staticmethod
    def backward(ctx, grad):
        raise NotImplementedError("mctensor's operations have first derivatives only; a gradient of theirs was "
                                  "differentiated once more")


def _first_derivatives(operands):
    """A decorator of a Function's backward: to differentiate what it gives is an error. operands(ctx) are what
    the function was called with. (Of PyTorch's once_differentiable the derivative is 0 where the gradient that
    comes in is a constant.)"""
    def decorated(backward):
        @functools.wraps(backward)
        def wrapper(ctx, grad):
            with torch.no_grad():
                gradients = backward(ctx, grad)
            if not torch.is_grad_enabled():  # nobody will
                return gradients
            sources = [x for x in (grad, *operands(ctx)) if x.requires_grad]
            return tuple(None if g is None else _Once.apply(g, *sources) for g in gradients)

        return wrapper

    return decorated


class Recorded(torch.autograd.Function):
    """``record(tensors, wanted)`` gives the value of an operation, and what has its derivatives by the
    wanted operands."""

    @staticmethod
    def forward(ctx, record, *operands):
        wanted = list(ctx.needs_input_grad[1:])
        value, recorded = record([on_memory(x) for x in operands], wanted)
        ctx.kind = operands[0].dtype
        if any(wanted):
            # the library notes the operands' memory: PyTorch must see if it is written in between
            ctx.save_for_backward(*operands)
            ctx.recorded = recorded
        # where the library keeps the value for the derivatives a copy may be written in place
        result = from_library(value)
        return result.clone() if recorded is not None and recorded.keeps_value else result

    @staticmethod
    @_first_derivatives(lambda ctx: ctx.saved_tensors)
    def backward(ctx, grad):
        ctx.saved_tensors  # raises where an operand has been changed in place
        gradients = ctx.recorded.backward(on_memory(grad.to(ctx.kind).contiguous()))
        return (None, *(None if g is None else from_library(g) for g in gradients))


def long_on_memory(x: torch.Tensor):
    """Numbers of f64x2, whose components are the last dimension, as the library's."""
    # always a copy: the derivatives read it, whatever becomes of the tensor
    planes = x.detach().movedim(-1, 0).clone(memory_format=torch.contiguous_format)
    return _core.from_planes(_core.as_numpy(planes)[0], "f64x2")


def long_from_library(tensor) -> torch.Tensor:
    """And back."""
    # always a copy: it may be written in place
    return torch.from_numpy(tensor.planes).movedim(0, -1).clone(memory_format=torch.contiguous_format)


class LongRecorded(torch.autograd.Function):
    """Recorded of numbers of f64x2. Their gradients are such numbers, too."""

    @staticmethod
    def forward(ctx, record, *operands):
        wanted = list(ctx.needs_input_grad[1:])
        value, recorded = record([long_on_memory(x) for x in operands], wanted)
        if any(wanted):
            ctx.recorded = recorded
            ctx.operands = operands
        return long_from_library(value)

    @staticmethod
    @_first_derivatives(lambda ctx: ctx.operands)
    def backward(ctx, grad):
        gradients = ctx.recorded.backward(long_on_memory(grad))
        return (None, *(None if g is None else long_from_library(g) for g in gradients))
