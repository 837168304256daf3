"""Products of manifolds: the parts' coordinates side by side, by geoopt's names."""
from __future__ import annotations

import math
from functools import reduce

import numpy as np

from ._array import Array
from ._methods import add_methods
from ._points import is_torch

_SUMMARIES = {
    "expmap": "The end of the geodesic from x along u.", "expmap0": "The same from the origins.",
    "retr": "A retraction: expmap to third order.", "logmap": "The vector at x whose expmap is y.",
    "logmap0": "The same at the origins.", "ptransp": "u, moved parallel from x to y.",
    "ptransp0": "u, moved parallel from the origins to y.", "ptransp0back": "And back.",
    "geodesic": "The point at t on the geodesic from x (t = 0) to y (t = 1).",
    "projx": "The manifold's point for x.", "proju": "The tangent vector at x for u.",
    "egrad2rgrad": "The Riemannian gradient at x for partial derivatives: the parts', over weight^2.",
    "component_inner": "inner, once for each coordinate: that of its part, times weight^2.",
    "dist": "The distance: the root of the sum of weight^2 dist^2 over the parts.",
    "dist0": "The distance from the origins.", "norm": "The length of u at x.", "dist2": "dist^2.",
    "inner": "The sum of weight^2 inner over the parts.",
    "normal_log_prob": "The logarithm of the density of a normal distribution.",
}
_JOINED = {"expmap": 0, "expmap0": 0, "retr": 0, "logmap": 0, "logmap0": 0, "ptransp": 0, "ptransp0": 0,
           "ptransp0back": 0, "geodesic": 0, "projx": 0, "proju": 0, "egrad2rgrad": -2,
           "component_inner": 2}  # and the power of the weight that multiplies a part's result
_LENGTHS = ("dist", "dist0", "norm")


def _join(parts):
    """Coordinates side by side, leading dimensions broadcast."""
    if any(map(is_torch, parts)):
        import torch

        shape = torch.broadcast_shapes(*(x.shape[:-1] for x in parts))
        return torch.cat([x.expand(*shape, x.shape[-1]) for x in parts], -1)
    shape = np.broadcast_shapes(*(x.shape[:-1] for x in parts))
    whole = [np.broadcast_to(x, (*shape, x.shape[-1])) for x in parts]
    return np.concatenate(whole, -1)


def _length(lengths):
    """The root of the sum of squares; its derivative where all are 0 is 0."""
    if any(map(is_torch, lengths)):
        import torch

        return torch.linalg.vector_norm(torch.stack(torch.broadcast_tensors(*lengths), -1), dim=-1)
    return reduce(np.hypot, lengths)


class ProductManifold:
    """A product of manifolds: ``ProductManifold((PoincareBall(), 2), (Lorentz(0.5), 4, 2.0))``.

    Each part is a manifold, the number of its coordinates and, if that is not 1, the weight of its lengths:
    the metric is the sum of weight^2 times the parts'. Points have the parts' coordinates side by side;
    a part's radius may be a tensor of PyTorch that is learned. Leading dimensions broadcast.
    """

    def __init__(self, *parts):
        if not parts:
            raise ValueError("ProductManifold: no parts")
        self.manifolds, self.sizes, self.weights = [], [], []
        for i, part in enumerate(parts):
            if not isinstance(part, (tuple, list)) or len(part) not in (2, 3) or \
                    not hasattr(part[0], "radius") or not hasattr(part[0], "dtype"):
                raise TypeError(f"ProductManifold: part {i} is not (manifold, coordinates[, weight])")
            manifold, size = part[0], part[1]
            weight = float(part[2]) if len(part) == 3 else 1.0
            if isinstance(size, bool) or int(size) != size or size < 1:
                raise ValueError(f"ProductManifold: part {i} of {size} coordinates")
            if not (weight > 0 and math.isfinite(weight)):
                raise ValueError(f"ProductManifold: part {i} of weight {weight}")
            if manifold.dtype != "f64":
                raise ValueError(f"ProductManifold: part {i} is of {manifold.dtype}; products are of f64")
            self.manifolds.append(manifold)
            self.sizes.append(int(size))
            self.weights.append(weight)
        self._ends = np.cumsum(self.sizes).tolist()

    @property
    def n_manifolds(self) -> int:
        """How many parts there are."""
        return len(self.manifolds)

    def __repr__(self) -> str:
        parts = (f"({m!r}, {n}" + (f", {w})" if w != 1 else ")")
                 for m, n, w in zip(self.manifolds, self.sizes, self.weights))
        return f"ProductManifold({', '.join(parts)})"

    def take_submanifold_value(self, x, i: int):
        """The coordinates of part i: a view where x has views."""
        i = range(self.n_manifolds)[i]
        return self._coordinates("take_submanifold_value", x)[..., self._ends[i] - self.sizes[i]:self._ends[i]]

    def pack_point(self, *parts):
        """The point with these coordinates of the parts."""
        if len(parts) != self.n_manifolds:
            raise ValueError(f"pack_point: {len(parts)} parts of {self.n_manifolds}")
        parts = [x if is_torch(x) or isinstance(x, Array) else np.asarray(x, np.float64) for x in parts]
        for i, (x, size) in enumerate(zip(parts, self.sizes)):
            if not x.shape or x.shape[-1] != size:
                raise ValueError(f"pack_point: part {i} of shape {tuple(x.shape)}, not (..., {size})")
        return _join(parts)

    def frechet_mean(self, points, weights=None, dim: int = 0):
        """The point whose sum of weighted squared distances to the points along a dimension is least: that
        of each part."""
        return self._mean("frechet_mean", points, weights, dim)

    def weighted_midpoint(self, points, weights=None, dim: int = 0):
        """The midpoint of each part, in closed form."""
        return self._mean("weighted_midpoint", points, weights, dim)

    def _mean(self, kind: str, points, weights, dim: int):
        return _join([getattr(manifold, kind)(self.take_submanifold_value(points, i), weights, dim)
                      for i, manifold in enumerate(self.manifolds)])

    def _coordinates(self, name: str, x):
        if not is_torch(x) and not isinstance(x, Array):
            x = np.asarray(x, np.float64)
        if not x.shape or x.shape[-1] != self._ends[-1]:
            raise ValueError(f"{name}: coordinates of shape {tuple(x.shape)}; points of {self!r} have "
                             f"{self._ends[-1]} in the last dimension")
        return x

    def _each(self, name: str, operands):
        """The operation of every part, of its coordinates and the numbers."""
        for x, kind in zip(operands, _OPERATIONS[name]):
            if kind == "p":
                self._coordinates(name, x)
        return [getattr(manifold, name)(*(self.take_submanifold_value(x, i) if kind == "p" else x
                                          for x, kind in zip(operands, _OPERATIONS[name])))
                for i, manifold in enumerate(self.manifolds)]

    def _operate(self, name: str, operands):
        if name == "normal_log_prob":
            return self._normal_log_prob(*operands)
        if name == "dist2":
            return sum(w * w * d for w, d in zip(self.weights, self._each(name, operands)))
        each = self._each(name, operands)
        if name == "inner":
            return sum(w * w * x for w, x in zip(self.weights, each))
        if name in _LENGTHS:
            return _length([w * x for w, x in zip(self.weights, each)])
        power = _JOINED[name]
        return _join([x * w**power if power and w != 1 else x for w, x in zip(self.weights, each)])

    def _normal_log_prob(self, x, mean, sigma):
        """The lengths of a part are weight times its own, its volumes weight^dimension."""
        total = 0.0
        for i, (manifold, size, weight) in enumerate(zip(self.manifolds, self.sizes, self.weights)):
            dimension = size - (type(manifold).__name__ == "Lorentz")
            total = total + manifold.normal_log_prob(
                self.take_submanifold_value(x, i), self.take_submanifold_value(mean, i),
                sigma / weight) - dimension * math.log(weight)
        return total


_OPERATIONS = {name: "pp" for name in (*_JOINED, *_LENGTHS, "dist2")} | {
    "expmap0": "p", "logmap0": "p", "projx": "p", "dist0": "p", "ptransp": "ppp", "component_inner": "ppp",
    "inner": "ppp", "geodesic": "npp", "normal_log_prob": "ppn"}
_WORDS = {"p": "coordinates", "n": "numbers"}
add_methods(ProductManifold, _OPERATIONS, _SUMMARIES, lambda kinds: ", ".join(_WORDS[k] for k in kinds))
