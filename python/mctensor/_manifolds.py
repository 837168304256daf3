"""Manifolds of constant curvature. Their operations are those that the library lists."""
from __future__ import annotations

import numpy as np

from . import _core
from ._arguments import whole_number
from ._array import Array, _wrap
from ._make import array
from ._methods import add_methods
from ._points import MEANS, is_plain, is_torch, one_number, plain

OPERATIONS = _core.manifold_operations()
SUMMARIES = {
    "dist": "The distance of x and y.", "dist2": "The square of dist.", "dist0": "The distance from the origin.",
    "inner": "The inner product of u and v, tangent vectors at x.", "norm": "The length of u at x.",
    "dist_gradient": "The partial derivatives of dist by x.",
    "component_inner": "inner, once for each coordinate.", "lambda_x": "The factor of the metric at x.",
    "expmap": "The end of the geodesic from x along u.", "expmap0": "The end of the geodesic from the origin along u.",
    "retr": "A retraction: expmap to third order.", "logmap": "The vector at x whose expmap is y.",
    "logmap0": "The vector at the origin whose expmap0 is y.", "ptransp": "u, moved parallel from x to y.",
    "ptransp0": "u, moved parallel from the origin to y.", "ptransp0back": "u, moved parallel from y to the origin.",
    "geodesic": "The point at t on the geodesic from x (t = 0) to y (t = 1).",
    "geodesic_unit": "The point at length t from x along u.", "projx": "The manifold's point for x.",
    "proju": "The tangent vector at x for u.",
    "egrad2rgrad": "The Riemannian gradient at x for partial derivatives.",
    "dist2plane": "The signed distance of x from the plane through p with the normal vector a.",
    "busemann": "The Busemann function of the boundary's point omega.",
    "horosphere_projection": "The projection along horospheres of omega.",
    "normal_log_prob": "The logarithm of the density of a normal distribution.",
    "mobius_add": "x (+) y.", "mobius_sub": "x (-) y.", "mobius_coadd": "x [+] y.",
    "mobius_cosub": "x [-] y.", "mobius_scalar_mul": "r (x) x.",
    "mobius_pointwise_mul": "w (x) x, coordinate by coordinate.", "gyration": "gyr[x, y] v.",
    "antipode": "The farthest point.",
}

SUMMARIES.update({name: f"x as a point of the {model} of the same radius."
                  for name, model in _core.conversions.items()})


class Manifold:
    """A manifold of constant curvature. Models of hyperbolic space have the curvature -1 / radius^2.

    The radius is a number, or a tensor of PyTorch with one element, which may be learned. The methods are the
    operations of the model. Points outside the model give NaN. With ``dtype`` "f64x2" tensors of PyTorch hold numbers
    of f64x2: they are float64, and their last dimension, of size 2, holds the components, whose sum is the value.
    Results and gradients have the same form.
    """

    _sign = -1  # the sign of the curvature

    def __init__(self, radius=1.0, dtype: str = "f64"):
        if dtype not in ("f64", "f64x2"):
            raise ValueError(f"{type(self).__name__}: dtype {dtype!r} is neither 'f64' nor 'f64x2'")
        self.radius = radius
        self.dtype = dtype
        number = self._radius if is_plain(radius) else 1.0
        if not 0 < number < np.inf:
            raise ValueError(f"{type(self).__name__}: the radius {number} is not a finite number above 0")

    @property
    def _radius(self) -> float:
        """The radius as a double, without its derivative."""
        return one_number(f"{type(self).__name__}: radius", self.radius, self.dtype == "f64x2")

    @property
    def k(self):
        """The curvature, in double."""
        if not is_torch(self.radius):
            return self._sign / self._radius**2
        return self._sign / (self.radius.sum(-1) if self.dtype == "f64x2" else self.radius)**2

    def __repr__(self) -> str:
        return f"{type(self).__name__}(radius={self._radius})"

    def frechet_mean(self, points, weights=None, dim: int = 0):
        """The point that minimizes the sum of weighted squared distances to the points along a dimension. Weights
        broadcast to the leading dimensions; without ``weights`` all are equal."""
        return self._mean("frechet_mean", points, weights, dim)

    def weighted_midpoint(self, points, weights=None, dim: int = 0):
        """A mean in closed form, computed with the points as vectors of the hyperboloid. It is known as the Lorentz
        centroid, the Einstein midpoint and the gyromidpoint."""
        return self._mean("weighted_midpoint", points, weights, dim)

    def _mean(self, kind: str, points, weights, dim: int):
        dim = whole_number("dim", dim)
        weights = 1.0 if weights is None else weights
        if any(map(is_torch, (points, weights, self.radius))):
            from . import _torch_geometry

            if self.dtype == "f64x2":
                raise TypeError(f"{kind}: means of tensors of f64x2 are not supported")
            return _torch_geometry.mean(type(self).__name__, kind, self.radius, points, weights, dim)
        if isinstance(points, Array) or isinstance(weights, Array):
            raise TypeError(f"{kind}: NumPy arrays and tensors of PyTorch are taken")
        return _core.mean_value(type(self).__name__, kind, plain(self.radius), plain(points),
                                plain(weights), dim).planes[0]

    def _operate(self, name: str, operands):
        if any(map(is_torch, operands)) or is_torch(self.radius):
            if self.dtype == "f64x2":
                from ._torch_pairs import operate
            else:
                from ._torch_geometry import operate
            return operate(type(self).__name__, name, self.radius, operands)
        arrays = [x for x in operands if isinstance(x, Array)]
        if not arrays:
            result = _core.manifold_value(type(self).__name__, name, plain(self.radius),
                                          [plain(x) for x in operands])
            return result.planes[0][()]
        dtype = "f64x1" if all(x.dtype == "f64x1" for x in arrays) else "f64x2"
        if any(x.dtype not in ("f64x1", "f64x2") for x in arrays):
            raise TypeError(f"{name}: arrays of f64x1 and f64x2 are taken, not of "
                            f"{', '.join(x.dtype for x in arrays)}")
        tensors = [x._t if isinstance(x, Array) and x.dtype == dtype else array(x, dtype)._t
                   for x in (self.radius, *operands)]
        return _wrap(_core.manifold_value(type(self).__name__, name, tensors[0], tensors[1:]))


class PoincareBall(Manifold):
    """Points whose norm is below the radius."""


class HalfSpace(Manifold):
    """Points whose last coordinate, the height, is positive."""


class Lorentz(Manifold):
    """Points of the hyperboloid. The first coordinate is the time."""


class Klein(Manifold):
    """Points whose norm is below the radius. Geodesics are straight lines."""


class Hemisphere(Manifold):
    """Points whose norm is the radius and whose last coordinate is positive."""


class Sphere(Manifold):
    """Points whose norm is the radius. The curvature is positive."""

    _sign = 1


class Euclidean(Manifold):
    """Any points. The curvature is 0, whatever the radius is."""

    _sign = 0


class Stereographic(Manifold):
    """The stereographic model of a curvature of any sign: a ball, flat space with doubled lengths, or a sphere without
    one point. The curvature is a number, or a tensor of PyTorch with one element, which may be learned."""

    def __init__(self, curvature=-1.0, dtype: str = "f64"):
        super().__init__(1.0, dtype)
        self.radius = curvature  # the library's parameter of this model is the curvature
        if is_plain(curvature) and not np.isfinite(self._radius):
            raise ValueError(f"Stereographic: the curvature {self._radius} is not finite")

    @property
    def k(self):
        """The curvature, in double."""
        if not is_torch(self.radius):
            return self._radius
        return self.radius.sum(-1) if self.dtype == "f64x2" else self.radius

    def __repr__(self) -> str:
        return f"Stereographic(curvature={self._radius})"


_WORDS = {"p": "coordinates", "n": "numbers", "q": "coordinates"}


def operand_words(kinds: str) -> str:
    """Describes the operands of an operation in words."""
    return ", ".join(_WORDS[kind] for kind in kinds)


for _class in (PoincareBall, HalfSpace, Lorentz, Klein, Hemisphere, Sphere, Euclidean, Stereographic):
    add_methods(_class, OPERATIONS[_class.__name__], SUMMARIES, operand_words)
