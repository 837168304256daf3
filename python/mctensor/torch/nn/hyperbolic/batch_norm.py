"""Batch normalization of points."""
from __future__ import annotations

import torch
from torch.nn import init

from ...._arguments import number
from ...._torch_geometry import mean
from .coordinates import Layer, check_size, from_tangent0, is_flat, joined, parts_of, radius_of, rounded
from .linear import moved_from


def _projected(manifold, x: torch.Tensor) -> torch.Tensor:
    """Converts points of any type to points of float64. Their coordinates may have been rounded one by one."""
    return joined([x[..., at].double() if is_flat(part) else part.projx(x[..., at].double())
                    for part, at in parts_of(manifold)])


class HyperbolicBatchNorm(Layer):
    """Maps points x of ``features`` dimensions to points around a learned mean with a learned deviation: expmap(beta,
    gamma / sqrt(v + eps) PT logmap(mu, x)). mu is the Fréchet mean of the batch, v is the mean of d(mu, x)^2, and PT is
    the transport from mu to beta = expmap0(bias).

    It is HypLL's HBatchNorm, with gamma instead of its root. With ``use_midpoint`` mu is the weighted midpoint, which
    is a formula, instead of the Fréchet mean. The parameters are ``weight`` (1), which is gamma and starts at one, and
    ``bias`` (features), which starts at zero. In evaluation mu and v are the buffers ``running_mean`` and
    ``running_variance``. Training moves these along geodesics by ``momentum``. In a product each part has its own mean.
    Source: Lou et al. 2020, algorithm 5.
    """

    def __init__(self, features: int, manifold, use_midpoint: bool = False, *, eps: float = 1e-5,
                 momentum: float = 0.1, device=None, dtype=None):
        super().__init__(manifold, check_size("HyperbolicBatchNorm", "features", manifold, features))
        if not 0 <= number("eps", eps) < float("inf") or not 0 <= number("momentum", momentum) <= 1:
            raise ValueError(f"HyperbolicBatchNorm: eps = {eps}, momentum = {momentum}; expected a finite eps of at "
                             "least 0 and a momentum in [0, 1]")
        self.features, self.use_midpoint, self.eps, self.momentum = features, bool(use_midpoint), eps, momentum
        made = {"device": device, "dtype": dtype}
        self.weight = torch.nn.Parameter(torch.empty(1, **made))
        self.bias = torch.nn.Parameter(torch.empty(features, **made))
        self.register_buffer("running_mean", torch.empty(self._coordinates, **made))
        self.register_buffer("running_variance", torch.empty((), **made))
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Sets the running mean to the origin and the running variance to one."""
        with torch.no_grad():
            if not self.running_mean.is_meta:
                self.running_mean.copy_(rounded(self.manifold, from_tangent0(
                    self.manifold, torch.zeros_like(self.bias, dtype=torch.float64)), self.running_mean.dtype))
            self.running_variance.fill_(1)

    def reset_parameters(self) -> None:
        """Sets everything to its initial values."""
        self.reset_running_stats()
        init.ones_(self.weight)
        init.zeros_(self.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points (.., coordinates), with at least one batch dimension, to points. Raises ValueError for other
        shapes, and for an empty batch in training."""
        given = self._points(x)
        if x.dim() < 2 or (self.training and x.numel() == 0):
            raise ValueError(f"HyperbolicBatchNorm: points of shape {tuple(x.shape)}; (batch, {self._coordinates}) are "
                             "expected")
        if self.training:
            middle = self._mean(given.flatten(0, -2))
            variance = self.manifold.dist2(given, middle).mean()
            self._follow(middle, variance)
        else:
            middle, variance = _projected(self.manifold, self.running_mean), self.running_variance.double()
        factor = self.weight.double() * (variance + self.eps).rsqrt()
        beta = from_tangent0(self.manifold, self.bias.double())
        return rounded(self.manifold, moved_from(self.manifold, given, middle, beta, factor), x.dtype)

    def _mean(self, x: torch.Tensor) -> torch.Tensor:
        kind, weights = "weighted_midpoint" if self.use_midpoint else "frechet_mean", x.new_ones(())
        return joined([x[:, at].mean(0) if is_flat(part) else
                        mean(part.model, kind, radius_of(part), x[:, at], weights.expand(x.shape[0]), 0)
                        for part, at in parts_of(self.manifold)])

    @torch.no_grad()
    def _follow(self, middle: torch.Tensor, variance: torch.Tensor) -> None:
        last = _projected(self.manifold, self.running_mean)
        t = last.new_full((), self.momentum)
        moved = joined([torch.lerp(last[at], middle[at], t) if is_flat(part) else
                         part.geodesic(t, last[at], middle[at]) for part, at in parts_of(self.manifold)])
        self.running_mean.copy_(rounded(self.manifold, moved, self.running_mean.dtype))
        self.running_variance.lerp_(variance.to(self.running_variance.dtype), self.momentum)

    def extra_repr(self) -> str:
        return f"features={self.features}, use_midpoint={self.use_midpoint}, eps={self.eps}, momentum={self.momentum}"
