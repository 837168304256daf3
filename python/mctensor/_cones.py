"""Systems of cones: v belongs to the cone of u if u is more general than v."""
from __future__ import annotations

import numpy as np

from . import _core
from ._methods import add_methods
from ._points import is_plain, is_torch, one_number, plain

_SUMMARIES = {
    "half_aperture": "The angle at u between the axis of its cone and the boundary.",
    "cone_angle": "The angle at u between the axis and v.",
    "angle_energy": "max(0, cone_angle - half_aperture).",
    "boundary_distance": "The distance of v from the boundary of u's cone, negative inside.",
    "altitude": "By how much nearer to the light than u the boundary's point next to v lies.",
    "cone_distance": "The distance of v from the cone of u, from its apex moved by gamma where that is "
                     "nearest.",
    "surrogate": "The point whose penumbral cone u's cone is.",
    "projx": "A point that has a cone: out of the light.",
}


class Cones:
    """Cones in a PoincareBall or a HalfSpace: the shadows of points in a light, which is at the origin of the ball or
    at the top of the half-space.

    Lengths are numbers, or tensors of PyTorch that are learned. Operands are NumPy arrays or tensors of PyTorch
    (float64, differentiable). The last dimension holds the coordinates of points; leading dimensions broadcast.
    docs/cones.md describes the operations.
    """

    def __init__(self, manifold, *lengths):
        names = [name for name in ("PoincareBall", "HalfSpace") if name == type(manifold).__name__]
        if not names:
            raise TypeError(f"{type(self).__name__}: a PoincareBall or a HalfSpace is wanted, not "
                            f"{type(manifold).__name__}")
        if manifold.dtype != "f64":
            raise TypeError(f"{type(self).__name__}: cones exist for a manifold of f64 only, not of {manifold.dtype}")
        self.manifold = manifold
        self._lengths = lengths
        if all(map(is_plain, (manifold.radius, *lengths))):
            # an operation on no points, which raises an error for an impossible length
            self._value("half_aperture", [np.zeros((0, 2))])

    def __repr__(self) -> str:
        lengths = ", ".join(map(str, self._numbers[1:]))
        return f"{type(self).__name__}({self.manifold!r}, {lengths})"

    @property
    def _names(self) -> tuple[str, str]:
        return type(self).__name__, type(self.manifold).__name__

    @property
    def _numbers(self) -> list[float]:
        """The radius and the lengths as floats, without their derivatives."""
        name = f"{type(self).__name__}: length"
        return [self.manifold._radius, *(one_number(name, x) for x in self._lengths)]

    def _value(self, name: str, operands):
        radii, *points = map(plain, (self._numbers, *operands))
        return _core.cone_value(*self._names, name, radii, points).planes[0][()]

    def _operate(self, name: str, operands):
        radii = (self.manifold.radius, *self._lengths)
        if any(map(is_torch, (*radii, *operands))):
            from . import _torch_geometry

            return _torch_geometry.cones(self._names, name, radii, operands)
        return self._value(name, operands)

    def contains(self, u, v):
        """Whether v lies in the cone of u: an array of bools, or a tensor if an operand is a tensor. False for NaN."""
        radii = (self.manifold.radius, *self._lengths)
        if any(map(is_torch, (*radii, u, v))):
            from . import _torch_geometry

            return _torch_geometry.contains(self._names, radii, u, v)
        return _core.cone_contains(*self._names, *map(plain, (self._numbers, u, v)))[()]


class UmbralCones(Cones):
    """v belongs to u if the ball of radius ``size`` around v lies in the shadow of the ball around u."""

    def __init__(self, manifold, size):
        self.size = size
        super().__init__(manifold, size)


class PenumbralCones(Cones):
    """v belongs to u if the geodesic from v through u continues into the light. The light is a ball of radius ``light``
    at the origin, or everything above that height. Entailment cones are penumbral cones."""

    def __init__(self, manifold, light):
        self.light = light
        super().__init__(manifold, light)


class AntumbralCones(Cones):
    """The light and the points have a size. The cone of u is the penumbral cone of surrogate(u)."""

    def __init__(self, manifold, light, size):
        self.light, self.size = light, size
        super().__init__(manifold, light, size)


_OPERANDS = {"p": "(u)", "pp": "(u, v)", "ppn": "(u, v, gamma)"}
for _class in (UmbralCones, PenumbralCones, AntumbralCones):
    add_methods(_class, _core.cone_operations()[_class.__name__], _SUMMARIES, _OPERANDS.__getitem__)
