"""Hyperbolic Laplacian features as a module."""
from __future__ import annotations

import math

import torch

from ...._arguments import number, whole
from ....attention import hyla_features
from ...geometry import HalfSpace, PoincareBall
from .coordinates import points


class HylaFeatures(torch.nn.Module):
    """Maps points of ``in_features`` dimensions of a PoincareBall or a HalfSpace to features (.., out_features): e^((n
    - 1) P / 2) cos(lambda P + b) / sqrt(D), where P is the distance in radii from the horosphere through the origin
    toward the direction omega. Inner products of features approximate a kernel of the distance.

    The waves are drawn once and are buffers: unit vectors ``omega`` (D, n); ``frequencies`` (D), the lambda, normal
    with the ``deviation``; and ``phases`` (D), the b, uniform in [0, 2 pi). Points and the radius have gradients.
    docs/hyla.md describes the kernel. Source: Yu 2024, section 2.3.
    """

    def __init__(self, in_features: int, out_features: int, manifold, deviation: float = 1.0, *, device=None,
                 dtype=None):
        super().__init__()
        if not isinstance(manifold, (PoincareBall, HalfSpace)):
            raise TypeError(f"HylaFeatures: a PoincareBall or a HalfSpace is wanted, not {manifold!r}")
        if manifold.radius.numel() != 1:
            raise ValueError(f"HylaFeatures: {manifold!r} has several curvatures; layers take one")
        if not 0 <= number("deviation", deviation) < math.inf:
            raise ValueError(f"HylaFeatures: deviation = {deviation} is not a finite number of at least 0")
        self.manifold, self.deviation = manifold, deviation
        self.in_features = whole("in_features", in_features, 1)
        self.out_features = whole("out_features", out_features, 1)
        made = {"device": device, "dtype": dtype}
        self.register_buffer("omega", torch.empty(out_features, in_features, **made))
        self.register_buffer("frequencies", torch.empty(out_features, **made))
        self.register_buffer("phases", torch.empty(out_features, **made))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draws the waves again."""
        self.omega.normal_()
        self.omega.copy_(torch.nn.functional.normalize(self.omega.double(), dim=-1))
        self.frequencies.normal_(0, self.deviation) if self.deviation else self.frequencies.zero_()
        self.phases.uniform_(0, 2 * math.pi)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points (.., in_features) to features. Raises ValueError for other points."""
        given = points("HylaFeatures", self.manifold, x, self.in_features)
        # rounded to a narrow type a direction does not have the length 1
        omega = torch.nn.functional.normalize(self.omega.double(), dim=-1)
        return hyla_features(self.manifold, given, omega, self.frequencies.double(), self.phases.double()).to(x.dtype)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, deviation={self.deviation}"
