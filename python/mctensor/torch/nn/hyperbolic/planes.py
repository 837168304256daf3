"""Hyperplanes as parameters, for classifiers and fully connected layers."""
from __future__ import annotations

import torch
from torch.nn import functional, init

from ...._arguments import whole
from ...geometry import ProductManifold
from .coordinates import (Layer, check_size, extra, from_hyperboloid_space, is_flat, lengths, parts_of, radius_of,
                          rounded, to_hyperboloid)

#: scores are cut here, beyond every point of a ball in float64
_MOST = 300.0


def plane_scores(part, x: torch.Tensor, normals: torch.Tensor, distances: torch.Tensor) -> torch.Tensor:
    """|z| times the signed distances in radii from planes that are r radii along their normals z. For flat parts it is
    <x, z> - |z| r."""
    sizes = lengths(normals)
    if is_flat(part):
        return functional.linear(x, normals) - distances * sizes.squeeze(-1)
    time, space = to_hyperboloid(part, x)
    along = functional.linear(space, normals / sizes)
    return torch.asinh(along * distances.cosh() - time * distances.sinh()) * sizes.squeeze(-1)


def plane_logits(part, x: torch.Tensor, normals: torch.Tensor, distances: torch.Tensor) -> torch.Tensor:
    """plane_scores in units of length instead of radii."""
    scores = plane_scores(part, x, normals, distances)
    return scores if is_flat(part) else scores * radius_of(part)


class _Hyperplanes(Layer):
    """``out_features`` hyperplanes of ``in_features`` dimensions. Each is given by a normal vector z at the origin and
    a distance r: z is moved along itself by r radii, and the plane is orthogonal to it there."""

    def __init__(self, in_features: int, out_features: int, manifold, bias: bool = True, *, device=None, dtype=None):
        who = type(self).__name__
        super().__init__(manifold, check_size(who, "in_features", manifold, in_features), products=False)
        self.in_features, self.out_features = in_features, whole("out_features", out_features, 1)
        made = {"device": device, "dtype": dtype}
        self.weight = torch.nn.Parameter(torch.empty(out_features, in_features, **made))
        self.bias = torch.nn.Parameter(torch.empty(out_features, **made)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws the normal vectors again. All planes go through the origin."""
        init.normal_(self.weight, 0, self.in_features**-0.5)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _distances(self) -> torch.Tensor:
        return self.weight.new_zeros((), dtype=torch.float64) if self.bias is None else self.bias.double()

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class HyperbolicMLR(_Hyperplanes):
    """Multinomial logistic regression: logits (.., out_features) of points of ``in_features`` dimensions, for
    cross_entropy. A logit is the radius K times |z| asinh(cosh(r) <x, z> / |z| - sinh(r) x_0) for the point (x_0, x) of
    the unit hyperboloid. It is |z| times the signed distance from a hyperplane, and positive on the side to which z
    points.

    The parameters are ``weight`` (out, in), which holds z and starts normal with the variance 1 / in, and ``bias``
    (out), which holds r and starts at zero. Far from the origin the argument of asinh has an error of some 1.1e-16 x_0
    e^|r|. Source: Ganea et al. 2018; Shimizu et al. 2021, eq. 6, which is the same with z and r of half the size.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points to logits. Raises ValueError for points of other dimensions."""
        return plane_logits(self.manifold, self._points(x), self.weight.double(), self._distances()).to(x.dtype)


class HyperbolicFullyConnected(_Hyperplanes):
    """HypLL's HLinear: maps points x of ``in_features`` dimensions to points of ``out_features`` dimensions. The signed
    distances of the result from the hyperplanes through the origin that are orthogonal to the axes are the scores of x,
    as in ``HyperbolicMLR`` but in radii. Its coordinates on the unit hyperboloid are sinh(score).

    The parameters ``weight`` (out, in) and ``bias`` (out) are as in HyperbolicMLR. Scores are cut at 300, which is
    beyond every point of a ball. Source: Shimizu et al. 2021, eq. 7.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points to points. Raises ValueError for points of other dimensions."""
        scores = plane_scores(self.manifold, self._points(x), self.weight.double(), self._distances())
        found = from_hyperboloid_space(self.manifold, scores.clamp(-_MOST, _MOST).sinh())
        return rounded(self.manifold, found, x.dtype)


class ProductMLR(Layer):
    """Multinomial logistic regression of points of a product of balls, hyperboloids and flat spaces. The logits (..,
    out_features) are the sums of the logits of the parts, as in HyperbolicMLR (for a flat part <x, z> - |z| r).

    The parameters ``weight0``, ``bias0``, ``weight1`` .. of the parts are as in HyperbolicMLR. Source: Tabaghi et al.
    2021, section 3.
    """

    def __init__(self, out_features: int, manifold, *, device=None, dtype=None):
        if not isinstance(manifold, ProductManifold):
            raise TypeError(f"ProductMLR: a ProductManifold is wanted, not {manifold!r}; HyperbolicMLR takes others")
        super().__init__(manifold, manifold.n_elements - extra(manifold))
        self.out_features = whole("out_features", out_features, 1)
        made = {"device": device, "dtype": dtype}
        for i, (part, at) in enumerate(parts_of(manifold)):
            n = at.stop - at.start - extra(part)
            self.register_parameter(f"weight{i}", torch.nn.Parameter(torch.empty(out_features, n, **made)))
            self.register_parameter(f"bias{i}", torch.nn.Parameter(torch.empty(out_features, **made)))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws the normal vectors again. All planes go through the origin."""
        for i in range(self.manifold.n_manifolds):
            weight = getattr(self, f"weight{i}")
            init.normal_(weight, 0, weight.shape[-1]**-0.5)
            init.zeros_(getattr(self, f"bias{i}"))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points to logits. Raises ValueError for points of other dimensions."""
        given = self._points(x)
        logits = [plane_logits(part, given[..., at], getattr(self, f"weight{i}").double(),
                               getattr(self, f"bias{i}").double())
                  for i, (part, at) in enumerate(parts_of(self.manifold))]
        return sum(logits[1:], logits[0]).to(x.dtype)

    def extra_repr(self) -> str:
        return f"out_features={self.out_features}"
