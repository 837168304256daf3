"""Weighted midpoints of CUDA tensors. The points become points of the hyperboloid, and their exact sum divided by its
time is the midpoint in Klein's model (Einstein's midpoint). A conversion brings it back to the model.

The loss of digits grows with the distances of the points. The CPU computes a mean if this loses more digits than the
library's formula, and if weights are negative, infinite or NaN. The check for such means synchronizes with the GPU.
"""
from __future__ import annotations

import torch

from . import _core
from ._torch_device import require_no_capture
from ._torch_device_points import put_left, rounded_points
from ._torch_operands import require_one_device
from ._torch_operators import with_autograd
from ._torch_sums import DOT

_F64 = torch.float64
_TO = {model: name for name, model in _core.conversions.items()}


class _Sets:
    """Points and weights in sets, one for each mean: [sets, points, coordinates] and [sets, points]."""

    def __init__(self, about, first, operands, dim: int):
        self.about, self.dim = about, dim
        self.radius, (x, w) = first.reshape(()), operands
        self.leading = x.shape[:-1]
        self.fits = 0 <= dim < x.dim() - 1 and x.shape[-1] > 0 and self.leading[dim] > 0 and w.dim() < x.dim() and all(
            own in (1, size) for own, size in zip(reversed(w.shape), reversed(self.leading)))
        self.device = x.device
        require_one_device("weighted_midpoint", operands)
        require_no_capture("weighted_midpoint", x.device)

    def points(self, x) -> torch.Tensor:
        x = x.to(_F64).movedim(self.dim, -2)
        return x.reshape(-1, *x.shape[-2:])

    def weights(self, w) -> torch.Tensor:
        w = w.to(device=self.device, dtype=_F64).expand(self.leading).movedim(self.dim, -1)
        return w.reshape(-1, w.shape[-1])

    def means(self, m) -> torch.Tensor:
        """A tensor of the shape of the results as rows."""
        return m.to(_F64).reshape(-1, m.shape[-1])

    def shaped(self, rows) -> torch.Tensor:
        leading = list(self.leading)
        del leading[self.dim]
        return rows.reshape(*leading, rows.shape[-1])


def _midpoints(operators, model: str, radius, points, weights):
    """The means of the sets, and a mask of the sets that are left for the CPU. The means of these sets are invalid."""
    to_space = (model, "projx") if model == "Lorentz" else (model, _TO["Lorentz"])
    spaces = operators[to_space](radius, points)
    sums = DOT(weights.unsqueeze(-2), spaces.transpose(-1, -2), _F64)
    time, space = sums[..., :1], sums[..., 1:]
    with torch.no_grad():
        slope = space.norm(dim=-1) / time[..., 0]
        good = (weights >= 0) & (weights <= torch.finfo(_F64).max)
        left = ~((1 - slope) * (1 + slope) > 0.125) | ~good.all(-1)
    here = torch.where(left.unsqueeze(-1), 0.0, space / torch.where(left.unsqueeze(-1), 1.0, time))
    return operators["Klein", _TO[model]](radius, here * radius), left


def midpoint_there(operators, about, first, operands, dim: int) -> torch.Tensor:
    """weighted_midpoint of CUDA tensors."""
    of = _Sets(about, first, operands, dim)
    if not of.fits:  # the library raises its error
        return about.value_here(first.cpu(), [x.cpu() for x in operands], (dim,))
    kind = operands[0].dtype
    points, weights = of.points(operands[0]), of.weights(operands[1])
    found, left = _midpoints(operators, about.model, of.radius, points, weights)
    if kind != _F64:
        found, no_points = rounded_points(about.model, of.radius, found, kind)
        left = left | no_points
    put_left(found, left, lambda at: about.value_here(
        first.cpu(), [points[at].cpu().to(kind), weights[at].cpu().to(kind)], (1,)))
    return of.shaped(found)


def _leaf(x, device):
    return x.detach().to(device=device, dtype=_F64).requires_grad_()


def _gradients(of: _Sets, operators, first, operands, grad, cotangents, wanted):
    """The derivatives by radius, points and weights. With cotangents of these derivatives it returns their derivatives,
    by radius, points, weights and the gradient."""
    about, device = of.about, of.device
    with with_autograd():
        radius = _leaf(of.radius, "cpu")
        rows = [_leaf(of.points(operands[0]), device), _leaf(of.weights(operands[1]), device)]
        seed = _leaf(of.means(grad), device)
        leaves = [radius, *rows]
        found, left = _midpoints(operators, about.model, radius, *rows)
        kept = torch.where(left.unsqueeze(-1), 0.0, seed)
        found = torch.autograd.grad(found, leaves, kept, create_graph=cotangents is not None, materialize_grads=True)
        if cotangents is not None:
            total = sum((c * g).sum().cpu() for c, g in zip(cotangents, found) if c is not None)
            leaves = [*leaves, seed]
            found = torch.autograd.grad(total, leaves, materialize_grads=True)
    found = [g.detach().clone() for g in found]
    at = left.nonzero().reshape(-1)
    if len(at) == 0:
        return found
    few = [x[at].detach().cpu() for x in (*rows, seed)]
    if cotangents is None:
        more = about.derivatives_here(first.detach().cpu(), few[:2], (1,), few[2], wanted)
    else:
        given = [c if c is None or i == 0 else c[at].cpu() for i, c in enumerate(cotangents)]
        more = about.second_here(first.detach().cpu(), few[:2], (1,), few[2], given, wanted)
    for whole, part in zip(found, more):
        if part is None:
            continue
        part = (part if isinstance(part, torch.Tensor) else _core.to_torch(part)).to(whole.device)
        if whole.dim() == 0:
            whole += part.sum()
        else:
            whole[at] = part.reshape(-1, *whole.shape[1:])
    return found


def _as_operands(of: _Sets, first, operands, found):
    """Converts gradients of the rows to gradients of the operands, through the operations that made the rows."""
    with with_autograd():
        leaves = [_leaf(x, x.device) for x in operands]
        made = [of.points(leaves[0]), of.weights(leaves[1])]
        by_points, by_weights = torch.autograd.grad(made, leaves, found[1:3])
    return [found[0].reshape(first.shape).to(first.device), by_points, by_weights, *(of.shaped(x) for x in found[3:])]


def midpoint_derivatives_there(operators, about, first, operands, grad, dim: int, wanted):
    """The gradients of the radius, points and weights."""
    of = _Sets(about, first, operands, dim)
    found = _gradients(of, operators, first, operands, grad, None, list(wanted))
    return [g if w else None for g, w in zip(_as_operands(of, first, operands, found), wanted)]


def midpoint_second_there(operators, about, first, operands, grad, cotangents, dim: int, wanted):
    """The derivatives of these gradients for cotangents, by radius, points, weights and the gradient."""
    of = _Sets(about, first, operands, dim)
    by_radius, by_points, by_weights = cotangents
    rows = [None if by_radius is None else by_radius.detach().cpu().reshape(()),
            None if by_points is None else of.points(by_points),
            None if by_weights is None else of.weights(by_weights)]
    found = _gradients(of, operators, first, operands, grad, rows, list(wanted))
    return [g if w else None for g, w in zip(_as_operands(of, first, operands, found), wanted)]


__all__ = ["midpoint_derivatives_there", "midpoint_second_there", "midpoint_there"]
