"""Coordinates for layers between points: tangent vectors at the origin, and points of the unit hyperboloid."""
from __future__ import annotations

import sys

import torch

from ...._arguments import whole
from ...._points import is_plain
from ...._torch_geometry import ROUND
from ...geometry import Euclidean, Lorentz, ManifoldTensor, PoincareBall, ProductManifold


#: squares of smaller numbers are not normal numbers
_LEAST_LENGTH = sys.float_info.min**0.5


def parts_of(manifold) -> list:
    """The parts of a product with their slices of the coordinates. Another manifold is its only part."""
    if isinstance(manifold, ProductManifold):
        return list(zip(manifold.manifolds, manifold.slices))
    return [(manifold, slice(None))]


def is_flat(part) -> bool:
    return isinstance(part, Euclidean)


def extra(manifold) -> int:
    """How many coordinates a point has beyond the dimension: one for each hyperboloid, its time."""
    return sum(isinstance(part, Lorentz) for part, _ in parts_of(manifold))


def check_manifold(who: str, manifold, products: bool = True):
    """Returns the manifold. Raises TypeError for a manifold that layers do not take, ValueError for several
    curvatures."""
    if isinstance(manifold, ProductManifold) and not products:
        raise TypeError(f"{who}: {manifold.name} is a product; this is a layer of one space, so give each part its own")
    kinds = (PoincareBall, Lorentz)
    if isinstance(manifold, ProductManifold):
        if any(len(shape) != 1 for shape in manifold.shapes):
            raise ValueError(f"{who}: parts of shapes {manifold.shapes}; each has one dimension of coordinates")
        kinds = (*kinds, Euclidean)
    elif isinstance(manifold, Euclidean):
        raise TypeError(f"{who}: {manifold!r}; torch.nn has the layers of flat space")
    for part, _ in parts_of(manifold):
        if not isinstance(part, kinds):
            raise TypeError(f"{who}: a PoincareBall, a Lorentz or a product of them and of Euclidean is wanted, not "
                            f"{part!r}")
        if not is_flat(part) and part.radius.numel() != 1:
            raise ValueError(f"{who}: {part!r} has several curvatures; layers take one")
    return manifold


def check_size(who: str, name: str, manifold, size) -> int:
    """Returns a number of dimensions. Raises ValueError unless it is above 0 and, for a product, its dimension."""
    size = whole(name, size, 1)
    if isinstance(manifold, ProductManifold) and size != manifold.n_elements - extra(manifold):
        raise ValueError(f"{who}: {name} = {size}; points of {manifold.name} have "
                         f"{manifold.n_elements - extra(manifold)} dimensions")
    return size


def _are_same(one, other) -> bool:
    """Whether both are the same space, also if one is a copy."""
    if one is other:
        return True
    pairs = list(zip(parts_of(one), parts_of(other)))
    return (len(parts_of(one)) == len(parts_of(other)) and
            all(a is b or (sa == sb and a.model == b.model and
                           (is_flat(a) or not is_plain(a.radius) or torch.equal(a.radius.cpu(), b.radius.cpu())))
                for (a, sa), (b, sb) in pairs))


def points(who: str, manifold, x, coordinates: int | None = None) -> torch.Tensor:
    """Points in float64, of any dimension unless it is given. Raises TypeError and ValueError for a value that cannot
    be points of the manifold."""
    if not isinstance(x, torch.Tensor) or not x.is_floating_point():
        kind = x.dtype if isinstance(x, torch.Tensor) else type(x).__name__
        raise TypeError(f"{who}: {kind}; a tensor of float64, float32, float16 or bfloat16 is taken")
    coordinates = getattr(manifold, "n_elements", None) if coordinates is None else coordinates
    if x.dim() == 0 or (x.shape[-1] <= extra(manifold) if coordinates is None else x.shape[-1] != coordinates):
        expected = f"{coordinates} coordinates" if coordinates else f"more than {extra(manifold)} coordinates"
        raise ValueError(f"{who}: points of shape {tuple(x.shape)}, expected {expected}")
    if isinstance(x, ManifoldTensor):
        if not _are_same(x.manifold, manifold):
            raise ValueError(f"{who}: points of {x.manifold!r} are given to a layer of {manifold!r}")
        x = x.as_subclass(torch.Tensor)
    return x.double()


def joined(parts: list) -> torch.Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(parts, -1)


def rounded(manifold, x: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
    """Rounds points of float64 to points of another type."""
    if x.dtype == kind:
        return x
    return joined([x[..., at].to(kind) if is_flat(part) else
                   ROUND[part.model](radius_of(part).detach(), x[..., at], kind) for part, at in parts_of(manifold)])


def radius_of(part) -> torch.Tensor:
    return part.radius.double().reshape(())


def to_tangent0(manifold, x: torch.Tensor) -> torch.Tensor:
    """logmap0(x) with as many coordinates as dimensions: the times of hyperboloids, which are 0, are left out."""
    return joined([x[..., at] if is_flat(part) else part.logmap0(x[..., at])[..., extra(part):]
                    for part, at in parts_of(manifold)])


def padded_tangent0(manifold, v: torch.Tensor) -> list:
    """The coordinates of a tangent vector at the origin, times included, for each part."""
    found, begin = [], 0
    for part, at in parts_of(manifold):
        size = v.shape[-1] if at.stop is None else at.stop - at.start - extra(part)
        found.append(torch.nn.functional.pad(v[..., begin:begin + size], (extra(part), 0)))
        begin += size
    return found


def from_tangent0(manifold, v: torch.Tensor) -> torch.Tensor:
    """expmap0 of coordinates as to_tangent0 returns them."""
    return joined([u if is_flat(part) else part.expmap0(u)
                    for (part, _), u in zip(parts_of(manifold), padded_tangent0(manifold, v))])


def lengths_beside(least: float, x: torch.Tensor) -> torch.Tensor:
    """sqrt(least^2 + |x|^2) along the last dimension, which is kept, for any x whose length is finite."""
    scale = x.detach().abs().amax(-1, keepdim=True).clamp_min(least)
    return scale * ((least / scale).square() + (x / scale).square().sum(-1, keepdim=True)).sqrt()


def lengths(x: torch.Tensor) -> torch.Tensor:
    """|x| along the last dimension, which is kept. At 0 it is smooth, with the root of the least normal number as its
    value."""
    return lengths_beside(_LEAST_LENGTH, x)


def to_hyperboloid(part, x: torch.Tensor) -> tuple:
    """Time and place of points on the hyperboloid of radius 1."""
    if isinstance(part, Lorentz):
        unit = x / radius_of(part)
        return unit[..., :1], unit[..., 1:]
    factor = part.lambda_x(x).unsqueeze(-1)
    return factor - 1, x * factor / radius_of(part)


def from_hyperboloid_space(part, space: torch.Tensor) -> torch.Tensor:
    """The points with these places on the hyperboloid of radius 1. Points that are too far out for the coordinates of
    the ball become its outermost points."""
    time = lengths_beside(1.0, space)
    if isinstance(part, Lorentz):
        return torch.cat([time, space], -1) * radius_of(part)
    return part.projx(space / (time + 1) * radius_of(part))


class Layer(torch.nn.Module):
    """The base of layers: a manifold, and how many coordinates its points have."""

    def __init__(self, manifold, size: int | None = None, products: bool = True):
        super().__init__()
        self.manifold = check_manifold(type(self).__name__, manifold, products)
        self._coordinates = None if size is None else size + extra(manifold)

    def _points(self, x) -> torch.Tensor:
        return points(type(self).__name__, self.manifold, x, self._coordinates)
