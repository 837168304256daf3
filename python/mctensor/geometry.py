"""Hyperbolic geometry that keeps its digits, with geoopt's names.

    ball = mctensor.geometry.PoincareBall()              # radius 1: curvature -1
    d = ball.dist(x, y)                                  # points are the last dimension

Points and vectors are NumPy arrays (computed in float64), arrays of mctensor (f64x1 and f64x2, and so is the result),
or tensors of PyTorch. For tensors everything is computed in float64 and rounded once to their common type, so that
points stay points. Every operation on tensors is differentiable, also by the radius if it is a tensor. Leading
dimensions broadcast.
docs/geometry.md has formulas, errors and domains.
"""
from __future__ import annotations

import numpy as np

from . import _core
from ._arguments import file_path, number, two_numbers, whole_array
from ._cones import AntumbralCones, PenumbralCones, UmbralCones
from ._manifolds import (Euclidean, HalfSpace, Hemisphere, Klein, Lorentz, Manifold, PoincareBall, Sphere,
                         Stereographic)
from ._pickles import NotPickled as _NotPickled
from ._points import is_torch as _is_torch, plain as _plain
from ._product import ProductManifold
from ._tilings import HTiling, LTiling, TilingPoints
from ._turns import Turns

__all__ = ["AntumbralCones", "Euclidean", "HTiling", "HalfSpace", "Hemisphere", "Klein", "LTiling", "Lorentz",
           "Manifold", "PenumbralCones", "PoincareBall", "ProductManifold", "Radam", "Rsgd", "Sphere",
           "Stereographic", "TilingPoints", "UmbralCones"]


class _RowOptimizer(_NotPickled):
    """The base of optimizers of rows: points (rows, coordinates) of float64 that are moved in place."""

    _instead = "save(path) writes the states, and load(path) of an optimizer of the same points reads them"

    def __init__(self, points, manifold: Manifold, make):
        if not isinstance(manifold, Manifold):
            raise TypeError(f"points of {manifold!r} are not moved as one: give each part's coordinates, as an "
                            "array of their own, to an optimizer of its manifold")
        self.manifold = manifold
        self.points = points
        values = self._values()
        if not isinstance(values, np.ndarray) or values.dtype != np.float64 or values.ndim != 2:
            raise TypeError("points are a NumPy array or a tensor of PyTorch, of float64 and two dimensions")
        if not values.flags.writeable:
            raise ValueError("the points may not be written")
        self._radius = manifold._radius
        self._rows = make(type(manifold).__name__, self._radius,
                          _core.from_planes(values[np.newaxis], "f64x1"))
        self._place = _place_of(values)
        self._turn = Turns()

    def _values(self):
        return self.points.detach().numpy() if _is_torch(self.points) else self.points

    @property
    def lr(self) -> float:
        """The learning rate, which may be changed."""
        with self._turn:
            return self._rows.lr

    @lr.setter
    def lr(self, value: float):
        with self._turn:
            self._rows.lr = number("lr", value)

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        with self._turn:
            return self._rows.steps

    def step(self, gradient=None, rows=None):
        """Moves the points against the partial derivatives of a loss; without the argument, against the points' grad.
        ``rows``: the gradient belongs to these rows, given by indices or a mask of bools; other rows stay unchanged. A
        row whose gradient is not finite stays unchanged, too, and is counted."""
        if gradient is None:
            if not _is_torch(self.points) or self.points.grad is None:
                raise ValueError("no gradient is given, and the points have none")
            gradient = self.points.grad
        if _place_of(self._values()) != self._place:
            raise ValueError("the points have other memory than when the optimizer was made; make a new one")
        if self.manifold._radius != self._radius:
            raise ValueError(f"the optimizer was made for points of radius {self._radius}, and they are of radius "
                             f"{self.manifold._radius} now; make a new one")
        gradient = _plain(gradient.detach().numpy() if _is_torch(gradient) else gradient)
        places = None if rows is None else self._row_numbers(rows)
        with self._turn:
            done = self._rows.step(gradient) if places is None else self._rows.step_rows(places, gradient)
        if _is_torch(self.points):
            import torch

            torch.autograd.graph.increment_version(self.points)
        return done

    def _row_numbers(self, rows) -> np.ndarray:
        rows = np.asarray(rows)
        if rows.dtype.kind == "b":
            if rows.shape != self.points.shape[:1]:
                raise ValueError(f"a mask of shape {rows.shape} is given, expected ({self.points.shape[0]},), the "
                                 "number of points")
            rows = np.flatnonzero(rows)
        rows = whole_array("rows", rows)
        outside = rows[(rows < 0) | (rows >= len(self.points))]
        if outside.size > 0:
            raise IndexError(f"rows: {outside.flat[0]} is not one of {len(self.points)} rows")
        return rows

    def save(self, path) -> None:
        """Writes the states, exactly, as a safetensors file. The points are not written."""
        with self._turn:
            self._rows.save(file_path("path", path))

    def load(self, path) -> None:
        """Reads the states that save wrote."""
        with self._turn:
            self._rows.load(file_path("path", path))


def _place_of(values: np.ndarray) -> tuple:
    return values.ctypes.data, values.shape, values.strides


class Rsgd(_RowOptimizer):
    """Riemannian stochastic gradient descent. The momentum is transported with the points."""

    def __init__(self, points, manifold: Manifold, lr: float = 1e-2, *, momentum: float = 0.0,
                 dampening: float = 0.0, nesterov: bool = False, weight_decay: float = 0.0):
        super().__init__(points, manifold, lambda *about: _core.rsgd(
            *about, number("lr", lr), number("momentum", momentum), number("dampening", dampening),
            bool(nesterov), number("weight_decay", weight_decay)))


class Radam(_RowOptimizer):
    """Riemannian Adam. Each point has one second moment. The first moment is transported with the point."""

    def __init__(self, points, manifold: Manifold, lr: float = 1e-3, *, betas=(0.9, 0.999),
                 eps: float = 1e-8, amsgrad: bool = False, weight_decay: float = 0.0,
                 decoupled_decay: bool = False):
        betas = two_numbers("betas", betas)
        super().__init__(points, manifold, lambda *about: _core.radam(
            *about, number("lr", lr), *betas, number("eps", eps),
            bool(amsgrad), number("weight_decay", weight_decay), bool(decoupled_decay)))
