"""Layers that work in the tangent space at the origin, and the linear layer on the hyperboloid itself."""
from __future__ import annotations

import math

import torch
from torch.nn import functional, init

from ...geometry import Lorentz
from .coordinates import (Layer, joined, check_manifold, check_size, from_hyperboloid_space, from_tangent0,
                          is_flat, lengths, padded_tangent0, parts_of, points, radius_of, rounded, to_tangent0)


def _step(part, x: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """expmap of a vector that is already tangent."""
    return part.expmap(x, u, norm_tan=False) if isinstance(part, Lorentz) else part.expmap(x, u)


def moved(manifold, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """expmap of the tangent vector v at the origin, transported to x."""
    return joined([x[..., at] + u if is_flat(part) else _step(part, x[..., at], part.transp0(x[..., at], u))
                    for (part, at), u in zip(parts_of(manifold), padded_tangent0(manifold, v))])


def moved_from(manifold, x: torch.Tensor, one, other, factor: torch.Tensor) -> torch.Tensor:
    """Moves points x from ``one`` to ``other``: their directions are transported, their distances multiplied by a
    factor."""
    return joined([
        other[at] + (x[..., at] - one[at]) * factor if is_flat(part) else
        _step(part, other[at], part.transp(one[at], other[at], part.logmap(one[at], x[..., at])) * factor)
        for part, at in parts_of(manifold)])


class HyperbolicLinear(Layer):
    """Computes M (x) x (+) b: expmap0(M logmap0(x)), moved by the tangent vector b at the origin, which is transported
    along. Points of ``in_features`` dimensions (of Lorentz, one coordinate more) become points of ``out_features``.

    The parameters are ``weight`` (out, in), which starts uniform (Xavier), and ``bias`` (out), which starts at zero;
    both are Euclidean. Between products every part of the result depends on the coordinates at the origin of all parts.
    ``out_manifold`` is the manifold of the results, if it is another one. Source: Ganea et al. 2018, eq. 27 and 28;
    Chami et al. 2019.
    """

    def __init__(self, in_features: int, out_features: int, manifold, bias: bool = True, *, out_manifold=None,
                 device=None, dtype=None):
        super().__init__(manifold, check_size("HyperbolicLinear", "in_features", manifold, in_features))
        self.in_features = in_features
        if out_manifold is not None and out_manifold is not manifold:
            self.out_manifold = check_manifold("HyperbolicLinear", out_manifold)
        self.out_features = check_size("HyperbolicLinear", "out_features", self._target(), out_features)
        made = {"device": device, "dtype": dtype}
        self.weight = torch.nn.Parameter(torch.empty(out_features, in_features, **made))
        self.bias = torch.nn.Parameter(torch.empty(out_features, **made)) if bias else None
        self.reset_parameters()

    def _target(self):
        """The manifold of the results. The manifold of the points is registered only once, as state_dict would have it
        twice."""
        return self._modules.get("out_manifold", self.manifold)

    def reset_parameters(self) -> None:
        """Draws the weight again. The bias becomes zero."""
        init.xavier_uniform_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points of the layer's dimensions. Raises ValueError for others."""
        to = self._target()
        y = from_tangent0(to, functional.linear(to_tangent0(self.manifold, self._points(x)), self.weight.double()))
        return rounded(to, y if self.bias is None else moved(to, y, self.bias.double()), x.dtype)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class LorentzLinear(Layer):
    """Applies a matrix to all coordinates of points of a Lorentz model, time included, and puts the result back on the
    hyperboloid. With x in radii, its place is s (W x + b) / |W x + b| with s = e^scale sigmoid(v.x + c), and its time
    follows from its place.

    Distances from the origin are at most asinh(e^scale) radii. The parameters are ``weight`` (out, in + 1) and ``gate``
    (in + 1), which is v: both start uniform (Xavier). ``bias`` (out) and ``shift``, which is c, start at zero, and
    ``scale`` at log(10). Source: Chen et al. 2022, section 4.1, with time from the place.
    """

    def __init__(self, in_features: int, out_features: int, manifold, *, device=None, dtype=None):
        if not isinstance(manifold, Lorentz):
            raise TypeError(f"LorentzLinear: a Lorentz is wanted, not {manifold!r}")
        super().__init__(manifold, check_size("LorentzLinear", "in_features", manifold, in_features))
        self.in_features = in_features
        self.out_features = check_size("LorentzLinear", "out_features", manifold, out_features)
        made = {"device": device, "dtype": dtype}
        self.weight = torch.nn.Parameter(torch.empty(out_features, in_features + 1, **made))
        self.gate = torch.nn.Parameter(torch.empty(in_features + 1, **made))
        self.bias = torch.nn.Parameter(torch.empty(out_features, **made))
        self.shift = torch.nn.Parameter(torch.empty(1, **made))
        self.scale = torch.nn.Parameter(torch.empty(1, **made))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws the weight and the gate again. The others get their initial values."""
        bound = math.sqrt(6 / (self.in_features + 1 + self.out_features))
        init.uniform_(self.weight, -bound, bound)
        init.uniform_(self.gate, -bound, bound)
        init.zeros_(self.bias)
        init.zeros_(self.shift)
        init.constant_(self.scale, math.log(10))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points (.., in + 1) to points (.., out + 1). Raises ValueError for other points."""
        unit = self._points(x) / radius_of(self.manifold)
        direction = functional.linear(unit, self.weight.double(), self.bias.double())
        gate = functional.linear(unit, self.gate.double().unsqueeze(0), self.shift.double())
        reach = self.scale.double().exp() * gate.sigmoid()
        return rounded(self.manifold, from_hyperboloid_space(self.manifold, direction / lengths(direction) * reach),
                       x.dtype)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


def hyperbolic_activation(manifold, function, x: torch.Tensor) -> torch.Tensor:
    """expmap0(function(logmap0(x))): applies a function, such as torch.relu, to the coordinates at the origin. Source:
    Ganea et al. 2018."""
    check_manifold("hyperbolic_activation", manifold)
    given = points("hyperbolic_activation", manifold, x)
    return rounded(manifold, from_tangent0(manifold, function(to_tangent0(manifold, given))), x.dtype)


class HyperbolicActivation(Layer):
    """``hyperbolic_activation`` as a module. ``HyperbolicActivation(ball)`` is HypLL's HReLU. It takes any function or
    module of the coordinates at the origin, such as torch.nn.Dropout(0.5)."""

    def __init__(self, manifold, function=torch.relu):
        super().__init__(manifold)
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points to points."""
        return hyperbolic_activation(self.manifold, self.function, x)

    def extra_repr(self) -> str:
        return "" if isinstance(self.function, torch.nn.Module) else getattr(self.function, "__name__",
                                                                            repr(self.function))


def _beta(n: int) -> float:
    """B(n / 2, 1 / 2)."""
    return math.exp(math.lgamma(n / 2) + math.lgamma(0.5) - math.lgamma((n + 1) / 2))


def hyperbolic_cat(manifold, tensors) -> torch.Tensor:
    """Joins points of n1, n2 .. dimensions to a point of n dimensions, their sum. The coordinates at the origin are
    joined, each times beta(n) / beta(ni) with beta(n) = B(n / 2, 1 / 2). So for random points the result is as far from
    the origin as the parts are. Raises ValueError without points. Source: Shimizu et al. 2021, section 3.3."""
    check_manifold("hyperbolic_cat", manifold, products=False)
    tensors = list(tensors)
    if not tensors:
        raise ValueError("hyperbolic_cat: the list of points is empty")
    given = [to_tangent0(manifold, points("hyperbolic_cat", manifold, x)) for x in tensors]
    count = sum(v.shape[-1] for v in given)
    kind = tensors[0].dtype
    for x in tensors[1:]:
        kind = torch.promote_types(kind, x.dtype)
    return rounded(manifold, from_tangent0(manifold, torch.cat([v * (_beta(count) / _beta(v.shape[-1]))
                                                                for v in given], -1)), kind)
