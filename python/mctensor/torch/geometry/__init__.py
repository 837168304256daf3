"""Manifolds, parameters and optimizers for PyTorch with geoopt's calling conventions.

    from mctensor.torch import geometry as geoopt
    ball = geoopt.PoincareBall(c=1.0, learnable=True)
    table = geoopt.ManifoldParameter(ball.random(1000, 8), manifold=ball)
    optimizer = geoopt.optim.RiemannianAdam([table], lr=1e-2)

docs/geoopt.md has a table of the differences from geoopt, with reasons. ``mctensor.geometry`` has the same operations,
also for NumPy, with a radius instead of a curvature.
"""
from .base import Manifold
from .manifolds import (Euclidean, HalfSpace, Lorentz, PoincareBall, PoincareBallExact, Sphere, SphereExact,
                        SphereProjection, SphereProjectionExact, Stereographic, StereographicExact)
from .optim import RiemannianAdam, RiemannianSGD
from .points import ManifoldParameter, ManifoldTensor
from .product import ProductManifold, StereographicProductManifold, ismanifold
from .scaled import Scaled

__all__ = ["Euclidean", "HalfSpace", "Lorentz", "Manifold", "ManifoldParameter", "ManifoldTensor", "PoincareBall",
           "PoincareBallExact", "ProductManifold", "RiemannianAdam", "RiemannianSGD", "Scaled", "Sphere", "SphereExact",
           "SphereProjection", "SphereProjectionExact", "Stereographic", "StereographicExact",
           "StereographicProductManifold", "ismanifold"]
