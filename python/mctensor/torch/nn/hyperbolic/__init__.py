"""Layers between points of hyperbolic space, as modules of PyTorch. C++ has them in mctensor/attention/layers.

    from mctensor.torch import geometry
    from mctensor.torch.nn import hyperbolic
    ball = geometry.PoincareBall(c=1.0, learnable=True)
    model = torch.nn.Sequential(hyperbolic.HyperbolicFullyConnected(2, 8, ball), hyperbolic.HyperbolicMLR(8, 4, ball))

Points are tensors whose last dimension holds the coordinates of a manifold of ``mctensor.torch.geometry``. Each layer
computes in float64, from the points to the result, and rounds once to the type of the points, so that results of every
type are points. docs/hyperbolic_layers.md describes the layers, and has HypLL's names for them.
"""
from .attention import AGGREGATIONS, COMPARISONS, GraphAttention, ManifoldAttention, neighbours
from .batch_norm import HyperbolicBatchNorm
from .coordinates import from_tangent0, to_tangent0
from .curvature import RESCALINGS, ChangeManifold, CoupledCurvature
from .hyla import HylaFeatures
from .linear import HyperbolicActivation, HyperbolicLinear, LorentzLinear, hyperbolic_activation, hyperbolic_cat
from .planes import HyperbolicFullyConnected, HyperbolicMLR, ProductMLR

__all__ = ["AGGREGATIONS", "COMPARISONS", "ChangeManifold", "CoupledCurvature", "GraphAttention",
           "HyperbolicActivation", "HyperbolicBatchNorm", "HyperbolicFullyConnected", "HyperbolicLinear",
           "HyperbolicMLR", "HylaFeatures", "LorentzLinear", "ManifoldAttention", "ProductMLR", "RESCALINGS",
           "from_tangent0", "hyperbolic_activation", "hyperbolic_cat", "neighbours", "to_tangent0"]
