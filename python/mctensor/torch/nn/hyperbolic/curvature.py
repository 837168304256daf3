"""Maps points from one manifold to another, and learns a curvature together with its points."""
from __future__ import annotations

import math

import torch

from ...._arguments import number
from ...._torch_geometry import ROUND, operate
from ...geometry import Lorentz, PoincareBall
from ...geometry.optim import _Riemannian
from .coordinates import (Layer, joined, check_manifold, extra, from_hyperboloid_space, from_tangent0, is_flat,
                          parts_of, radius_of, rounded, to_hyperboloid, to_tangent0)

#: how points follow a change of the radius: all distances change with it, or distances from the origin stay
RESCALINGS = ("rescale_distances", "keep_distances")


def _check(who: str, rescaling: str) -> str:
    if rescaling not in RESCALINGS:
        raise ValueError(f"{who}: there is no rescaling '{rescaling}'; there are {', '.join(RESCALINGS)}")
    return rescaling


def _rescaled(model: str, before, after, x: torch.Tensor, rescaling: str) -> torch.Tensor:
    """Moves points x to the same model with another radius."""
    if rescaling == "rescale_distances":
        return operate(model, "projx", after, (x * (after / before),))
    return operate(model, "expmap0", after, (operate(model, "logmap0", before, (x,)),))


def _rescaled_vector(model: str, before, after, x, y, u: torch.Tensor, rescaling: str) -> torch.Tensor:
    """Moves tangent vectors u from x to y, the new position of x."""
    if rescaling == "rescale_distances":
        return operate(model, "proju", after, (y, u * (after / before)))
    origin = operate(model, "expmap0", before, (torch.zeros_like(x),))
    return operate(model, "ptransp0", after, (y, operate(model, "ptransp", before, (x, origin, u))))


class ChangeManifold(Layer):
    """Maps points of a manifold to points of ``target``, which has another radius or is another model (HypLL's
    ChangeManifold). Parts of products go to the parts at the same index.

    ``rescaling``: "rescale_distances" keeps the coordinates in radii, so that all distances change with the radius;
    "keep_distances" keeps direction and distance from the origin, as expmap0(logmap0(x)) does. Source:
    docs/riemannian.md.
    """

    def __init__(self, manifold, target, rescaling: str = "rescale_distances"):
        super().__init__(manifold)
        self.target = check_manifold("ChangeManifold", target)
        self.rescaling = _check("ChangeManifold", rescaling)
        pairs = list(zip(parts_of(manifold), parts_of(target)))
        if len(parts_of(manifold)) != len(parts_of(target)) or any(
                is_flat(a) != is_flat(b) or (p.stop is not None and p.stop - p.start - extra(a) !=
                                             q.stop - q.start - extra(b)) for (a, p), (b, q) in pairs):
            raise ValueError(f"ChangeManifold: from {manifold!r} to {target!r}; parts of the same dimensions are "
                             "wanted, flat ones at the same places")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Maps points of the manifold to points of the target."""
        given = self._points(x)
        return rounded(self.target, joined([
            given[..., p] if is_flat(a) else self._changed(a, b, given[..., p])
            for (a, p), (b, _) in zip(parts_of(self.manifold), parts_of(self.target))]), x.dtype)

    def _changed(self, one, other, x: torch.Tensor) -> torch.Tensor:
        if one.model == other.model:
            return _rescaled(one.model, radius_of(one), radius_of(other), x, self.rescaling)
        if self.rescaling == "rescale_distances":
            return from_hyperboloid_space(other, to_hyperboloid(one, x)[1])
        # a vector of the ball at the origin is twice as long as its coordinates
        return from_tangent0(other, to_tangent0(one, x) * (2 if isinstance(one, PoincareBall) else 0.5))

    def extra_repr(self) -> str:
        return f"rescaling={self.rescaling!r}"


class CoupledCurvature:
    """Learns the curvature of a PoincareBall or a Lorentz model whose points an optimizer moves, so that the points
    follow each change of it.

        ball = geometry.PoincareBall(learnable=True)
        table = geometry.ManifoldParameter(ball.random(100, 8), manifold=ball)
        optimizer = hyperbolic.CoupledCurvature(ball, geometry.RiemannianAdam([table], lr=1e-2), lr=1e-3)

    ``step`` first calls the optimizer. Then it sets log K <- log K - lr K dL/dK for the radius K, where dL/dK is the
    derivative while the points follow the radius. Last it moves all points of the optimizer that lie on this manifold,
    or on a product with this part, together with their moments. ``rescaling`` is "rescale_distances" or
    "keep_distances" (docs/riemannian.md). If the derivative or the new radius is not finite, the radius stays
    unchanged: ``changed`` tells. Source: docs/riemannian.md; Geometric Foundations, with log K as the variable.
    """

    def __init__(self, manifold, optimizer, lr: float = 1e-3, rescaling: str = "rescale_distances"):
        if not isinstance(manifold, (PoincareBall, Lorentz)):
            raise TypeError(f"CoupledCurvature: a PoincareBall or a Lorentz is wanted, not {manifold!r}")
        check_manifold("CoupledCurvature", manifold)
        parameters = list(manifold.parameters())
        if len(parameters) != 1:
            raise ValueError(f"CoupledCurvature: the curvature of {manifold!r} is not learned; make the manifold with "
                             "learnable=True")
        if not isinstance(optimizer, _Riemannian):
            raise TypeError("CoupledCurvature: a RiemannianSGD or RiemannianAdam is wanted, not a "
                            f"{type(optimizer).__name__}")
        if not 0 <= number("lr", lr) < math.inf:
            raise ValueError(f"CoupledCurvature: lr = {lr!r} is not a finite number of at least 0")
        self.manifold, self.optimizer, self.lr = manifold, optimizer, lr
        self.rescaling, self.changed = _check("CoupledCurvature", rescaling), False
        self._curvature = parameters[0]
        if any(p is self._curvature for group in optimizer.param_groups for p in group["params"]):
            raise ValueError("CoupledCurvature: the curvature is a parameter of the optimizer, too; leave it out there")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clears the gradients of the optimizer's parameters and of the curvature."""
        self.optimizer.zero_grad(set_to_none)
        if set_to_none:
            self._curvature.grad = None
        elif self._curvature.grad is not None:
            self._curvature.grad.zero_()

    def step(self, closure=None):
        """Makes a step of the optimizer, then a step of the curvature if it has a gradient."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        before = radius_of(self.manifold).detach()
        pull = None if self._curvature.grad is None else self._derivative(before)
        self.optimizer.step()
        self.changed = pull is not None and self._change(before, before * torch.exp(-self.lr * pull))
        return loss

    def _places(self):
        """Yields the parameters that have points of the manifold, and the slice of their coordinates."""
        for group in self.optimizer.param_groups:
            for p in group["params"]:
                for part, at in parts_of(getattr(p, "manifold", None)):
                    if part is self.manifold:
                        yield p, at

    def _derivative(self, radius: torch.Tensor) -> torch.Tensor:
        """The derivative of the loss by log K: the derivative at fixed coordinates plus the contribution of the
        coordinates."""
        c, grad = self.manifold.c.detach().double(), self._curvature.grad.double()
        by_log = 2 * self._curvature.detach() if isinstance(self.manifold, Lorentz) else 2 * c / torch.expm1(-c)
        total = grad * by_log
        for p, at in self._places():
            if p.grad is None:
                continue
            x, g = p.detach().as_subclass(torch.Tensor), p.grad
            if g.is_sparse:
                g = g.coalesce()
                x, g = x[g.indices()[0]], g.values()
            x, g = x[..., at].double(), g[..., at].double()
            with torch.enable_grad():
                log = torch.zeros_like(radius).requires_grad_()
                y = x * log.exp() if self.rescaling == "rescale_distances" else _rescaled(
                    self.manifold.model, radius, radius * log.exp(), x, self.rescaling)
                total = total + torch.autograd.grad((y * g).sum(), log)[0]
        return total.reshape(())

    @torch.no_grad()
    def _change(self, before: torch.Tensor, after: torch.Tensor) -> bool:
        c = after**-2
        value = after.square() if isinstance(self.manifold, Lorentz) else c.expm1().log()
        if not (value.isfinite() and 0 < c < math.inf):
            return False
        model, moves = self.manifold.model, []
        for p, at in self._places():
            x = p.detach().as_subclass(torch.Tensor)[..., at].double()
            y = _rescaled(model, before, after, x, self.rescaling)
            self._require_place(model, before, after, x, y)
            state = self.optimizer.state.get(p, {})
            for name, held in state.items():
                if name in self.optimizer._vectors:
                    moved = _rescaled_vector(model, before, after, x, y, held[..., at].double(), self.rescaling)
                    moves.append((held[..., at], moved))
                elif name != "step" and self.rescaling == "rescale_distances":
                    moves.append((held[..., at], held[..., at].double() * (after / before).square()))
            moves.append((p.detach().as_subclass(torch.Tensor)[..., at],
                          y if p.dtype == torch.float64 else ROUND[model](after, y, p.dtype)))
        for target, value_of in moves:
            target.copy_(value_of)
        self._curvature.copy_(value.reshape(self._curvature.shape))
        return True

    def _require_place(self, model: str, before, after, x, y) -> None:
        if self.rescaling != "keep_distances":
            return
        d, there = operate(model, "dist0", before, (x,)), operate(model, "dist0", after, (y,))
        lost = (there - d).abs() > 8 * 2.0**-53 * after + 1e-3 * d
        if lost.any():
            raise ValueError(f"CoupledCurvature: a point at distance {d[lost].max().item():.9g} cannot be stored at "
                             f"radius {after.item():.9g}; nothing has moved")
