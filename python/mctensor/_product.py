"""Products of manifolds, with geoopt's names. A point has the coordinates of its parts side by side."""
from __future__ import annotations

import math
from functools import reduce

import numpy as np

from ._array import Array
from ._manifolds import OPERATIONS, SUMMARIES, Lorentz, Manifold, operand_words
from ._methods import add_methods
from ._points import is_torch

# operations whose results for the parts are joined, and the power of the weight that multiplies each result
_JOINED = {"expmap": 0, "expmap0": 0, "retr": 0, "logmap": 0, "logmap0": 0, "ptransp": 0, "ptransp0": 0,
           "ptransp0back": 0, "geodesic": 0, "projx": 0, "proju": 0, "egrad2rgrad": -2,
           "component_inner": 2}
_LENGTHS = ("dist", "dist0", "norm")  # roots of sums of squares
_SUMS = ("dist2", "inner")            # sums times weight^2
_OF_WEIGHTS = {
    "egrad2rgrad": "The Riemannian gradient at x for partial derivatives: the parts', over weight^2.",
    "component_inner": "inner, once for each coordinate: that of its part, times weight^2.",
    "dist": "The distance: the root of the sum of weight^2 dist^2 over the parts.",
    "inner": "The sum of weight^2 inner over the parts.",
}


def _alike(parts) -> list:
    """Converts results to tensors of PyTorch if one of them is a tensor, because an operand or a radius is one."""
    if not any(map(is_torch, parts)):
        return parts
    import torch

    if any(isinstance(x, Array) for x in parts):
        raise TypeError("arrays of mctensor and tensors of PyTorch are not taken side by side")
    return [torch.as_tensor(x) for x in parts]


def _join(parts):
    """Puts coordinates side by side. Leading dimensions broadcast."""
    if any(map(is_torch, parts)):
        import torch

        shape = torch.broadcast_shapes(*(x.shape[:-1] for x in parts))
        return torch.cat([x.expand(*shape, x.shape[-1]) for x in parts], -1)
    shape = np.broadcast_shapes(*(x.shape[:-1] for x in parts))
    whole = [np.broadcast_to(x, (*shape, x.shape[-1])) for x in parts]
    return np.concatenate(whole, -1)


def _length(lengths):
    """The root of the sum of squares. If all are 0, its derivative is 0."""
    if any(map(is_torch, lengths)):
        import torch

        return torch.linalg.vector_norm(torch.stack(torch.broadcast_tensors(*lengths), -1), dim=-1)
    return reduce(np.hypot, lengths)


class ProductManifold:
    """A product of manifolds: ``ProductManifold((PoincareBall(), 2), (Lorentz(0.5), 4, 2.0))``.

    Each part is a manifold, the number of its coordinates and, if it is not 1, the weight of its lengths. The metric is
    the sum of the metrics of the parts, each times weight^2. Points have the coordinates of the parts side by side. The
    radius of a part may be a tensor of PyTorch that is learned. Leading dimensions broadcast.
    """

    def __init__(self, *parts):
        if not parts:
            raise ValueError("ProductManifold: the list of parts is empty")
        self.manifolds, self.sizes, self.weights = [], [], []
        for i, part in enumerate(parts):
            if not isinstance(part, (tuple, list)) or len(part) not in (2, 3) or \
                    not isinstance(part[0], Manifold):
                raise TypeError(f"ProductManifold: part {i} is not (manifold, coordinates[, weight])")
            manifold, size = part[0], part[1]
            weight = float(part[2]) if len(part) == 3 else 1.0
            if isinstance(size, bool) or int(size) != size or size < 1:
                raise ValueError(f"ProductManifold: part {i} has {size!r} coordinates, expected a whole number of at "
                                 "least 1")
            if not (weight > 0 and math.isfinite(weight)):
                raise ValueError(f"ProductManifold: part {i} has the weight {weight}, expected a finite number above 0")
            if manifold.dtype != "f64":
                raise ValueError(f"ProductManifold: part {i} is of {manifold.dtype}; products are of f64")
            self.manifolds.append(manifold)
            self.sizes.append(int(size))
            self.weights.append(weight)
        self._ends = np.cumsum(self.sizes).tolist()

    @property
    def n_manifolds(self) -> int:
        """The number of parts."""
        return len(self.manifolds)

    def __repr__(self) -> str:
        parts = (f"({m!r}, {n}" + (f", {w})" if w != 1 else ")")
                 for m, n, w in zip(self.manifolds, self.sizes, self.weights))
        return f"ProductManifold({', '.join(parts)})"

    def take_submanifold_value(self, x, i: int):
        """The coordinates of part i, as a view if x has views."""
        return self._part(self._coordinates("take_submanifold_value", x), range(self.n_manifolds)[i])

    def pack_point(self, *parts):
        """The point with these coordinates of the parts."""
        if len(parts) != self.n_manifolds:
            raise ValueError(f"pack_point: {len(parts)} parts are given, expected {self.n_manifolds}")
        parts = [x if is_torch(x) or isinstance(x, Array) else np.asarray(x, np.float64) for x in parts]
        for i, (x, size) in enumerate(zip(parts, self.sizes)):
            if not x.shape or x.shape[-1] != size:
                raise ValueError(f"pack_point: part {i} of shape {tuple(x.shape)}, not (..., {size})")
        return _join(_alike(parts))

    def frechet_mean(self, points, weights=None, dim: int = 0):
        """The point that minimizes the sum of weighted squared distances to the points along a dimension. Each of its
        parts is the mean of that part."""
        return self._mean("frechet_mean", points, weights, dim)

    def weighted_midpoint(self, points, weights=None, dim: int = 0):
        """The midpoint of each part, in closed form."""
        return self._mean("weighted_midpoint", points, weights, dim)

    def _mean(self, kind: str, points, weights, dim: int):
        points = self._coordinates(kind, points)
        return _join(_alike([getattr(manifold, kind)(self._part(points, i), weights, dim)
                             for i, manifold in enumerate(self.manifolds)]))

    def _part(self, x, i: int):
        return x[..., self._ends[i] - self.sizes[i]:self._ends[i]]

    def _coordinates(self, name: str, x):
        if not is_torch(x) and not isinstance(x, Array):
            x = np.asarray(x, np.float64)
        if not x.shape or x.shape[-1] != self._ends[-1]:
            raise ValueError(f"{name}: coordinates of shape {tuple(x.shape)}; points of {self!r} have "
                             f"{self._ends[-1]} in the last dimension")
        return x

    def _each(self, name: str, operands):
        """Applies the operation of every part to its coordinates and to the numbers."""
        kinds = _OPERATIONS[name]
        operands = [self._coordinates(name, x) if kind == "p" else x for x, kind in zip(operands, kinds)]
        return _alike([getattr(manifold, name)(*(self._part(x, i) if kind == "p" else x
                                                 for x, kind in zip(operands, kinds)))
                       for i, manifold in enumerate(self.manifolds)])

    def _operate(self, name: str, operands):
        if name == "normal_log_prob":
            return self._normal_log_prob(*operands)
        each = self._each(name, operands)
        if name in _SUMS:
            return sum(w * w * x for w, x in zip(self.weights, each))
        if name in _LENGTHS:
            return _length([w * x for w, x in zip(self.weights, each)])
        power = _JOINED[name]
        return _join([x * w**power if power and w != 1 else x for w, x in zip(self.weights, each)])

    def _normal_log_prob(self, x, mean, sigma):
        """The weight multiplies the lengths of a part, and weight^dimension its volumes."""
        x, mean = (self._coordinates("normal_log_prob", point) for point in (x, mean))
        each = _alike([manifold.normal_log_prob(self._part(x, i), self._part(mean, i), sigma / weight)
                       for i, (manifold, weight) in enumerate(zip(self.manifolds, self.weights))])
        dimensions = [size - isinstance(manifold, Lorentz)
                      for manifold, size in zip(self.manifolds, self.sizes)]
        return sum(density - n * math.log(weight)
                   for density, n, weight in zip(each, dimensions, self.weights))


# the letters of the operands are the same for all manifolds
_OPERATIONS = {name: OPERATIONS["Lorentz"][name]
               for name in (*_JOINED, *_LENGTHS, *_SUMS, "normal_log_prob")}
add_methods(ProductManifold, _OPERATIONS, SUMMARIES | _OF_WEIGHTS, operand_words)
