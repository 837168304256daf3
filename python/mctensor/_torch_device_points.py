"""Operations of manifolds on tensors in the memory of a GPU. Nothing here waits for it, but for a radius that lies
there."""
from __future__ import annotations

import torch

from . import _core
from ._torch_device import current_stream, is_there

#: the operations that there are programs for: of PoincareBall, HalfSpace and Lorentz
HAS_PROGRAM = {"dist": "number", "expmap": "point", "logmap": "vector"}


def _refuse(what: str):
    raise NotImplementedError(f"{what} of tensors on a CUDA device: there is no program for this; take .cpu()")


def _rows(name: str, operands):
    """Operands of one shape and device, as rows of float64."""
    if any(x.device != operands[0].device for x in operands):
        raise ValueError(f"{name}: tensors on {' and '.join(str(x.device) for x in operands)}; "
                         "those of one device are taken")
    operands = [x.to(torch.float64) for x in operands]
    if operands[0].shape != operands[1].shape:
        if any(x.dim() == 0 for x in operands) or operands[0].shape[-1] != operands[1].shape[-1]:
            raise ValueError(f"{name}: operands of shapes {' and '.join(str(tuple(x.shape)) for x in operands)}")
        operands = torch.broadcast_tensors(*operands)
    return [x.contiguous() for x in operands]


def _start(model: str, name: str, radius, x, y, is_number: bool):
    """The operation on rows."""
    if x.dim() == 0:
        raise ValueError(f"{name}: an operand without dimensions; points have coordinates")
    out = x.new_empty(x.shape[:-1] if is_number else x.shape)
    if out.numel() > 0:
        _core.manifold_value_there(model, name, float(radius.reshape(-1)[0]), x.data_ptr(), y.data_ptr(),
                                   out.data_ptr(), (x.numel() // x.shape[-1], x.shape[-1]), x.device.index or 0,
                                   current_stream(x.device))
    return out


def _rounded(x: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
    """Numbers of float64 in another type, rounded once: PyTorch goes by float32 to those of 16 bits, so that is
    rounded to odd."""
    if kind.itemsize > 2:
        return x.to(kind)
    near = x.to(torch.float32)
    wide, bits = near.to(torch.float64), near.view(torch.int32)
    toward_zero = bits - (wide.abs() > x.abs()).to(torch.int32)
    return torch.where(wide == x, bits, toward_zero | 1).view(torch.float32).to(kind)


def value_there(model: str, name: str, radius, operands) -> torch.Tensor:
    """A result of the type of the operands."""
    kind, result = operands[0].dtype, HAS_PROGRAM[name]
    if result == "point" and kind != torch.float64:
        _refuse(f"{name}: points of {kind}, rounded as the model's,")
    return _rounded(_start(model, name, radius, *_rows(name, operands), result == "number"), kind)


def derivatives_there(model: str, name: str, radius, operands, grad, wanted):
    """Gradients of the operands, None where not wanted: of dist, whose partial derivatives are an operation."""
    if name != "dist" or wanted[0]:
        _refuse(f"{model}: derivatives of {name}" + (" by the radius" if wanted[0] else ""))
    x, y = _rows(name, operands)
    grad = grad.to(torch.float64).unsqueeze(-1)
    return [None, *((grad * _start(model, "dist_gradient", radius, *pair, False)).sum_to_size(of.shape) if w else None
                    for pair, of, w in zip(((x, y), (y, x)), operands, wanted[1:]))]
