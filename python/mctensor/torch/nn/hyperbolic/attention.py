"""Multi-head attention between points: among all points, or along the edges of a graph."""
from __future__ import annotations

import torch

from ...._arguments import whole
from ....attention import COMPARISONS as OF_VECTORS
from ....attention import attend_edges, attention
from ...geometry import Lorentz
from .coordinates import (Layer, from_hyperboloid_space, from_tangent0, radius_of, rounded, to_hyperboloid,
                          to_tangent0)
from .linear import HyperbolicLinear

#: how queries and keys are compared: by the distance of the points, or as vectors at the origin
COMPARISONS = ("distance", "distance-squared", *OF_VECTORS)
#: how values are averaged: by their hyperbolic mean, or by the mean of their coordinates at the origin
AGGREGATIONS = ("midpoint", "tangent")
#: comparisons that have a radius
_WITH_RADIUS = ("umbral", "penumbral", "entailment", "umbral-exp", "penumbral-exp")


def _midpoint(part, values: torch.Tensor, attend) -> torch.Tensor:
    """The mean of the points as vectors of the hyperboloid, scaled back to the hyperboloid. The gyromidpoint of the
    ball, the Einstein midpoint and the Lorentz centroid are this point."""
    sums = attend(torch.cat(to_hyperboloid(part, values), -1))
    time, space = sums[..., :1], sums[..., 1:]
    # exact, it is at least 1; the rounding error of the difference is 2 u time^2
    least = (time.detach().square() * (2 * (2.0**-24 if values.is_cuda else 2.0**-53))).clamp_max(1)
    mass = torch.maximum(time.square() - space.square().sum(-1, keepdim=True), least)
    return from_hyperboloid_space(part, space * mass.rsqrt())


def _tangent(part, values: torch.Tensor, attend) -> torch.Tensor:
    """expmap0 of the mean of logmap0 of the points."""
    return from_tangent0(part, attend(to_tangent0(part, values)))


class _Heads(Layer):
    """The base of the layers of attention: heads with a temperature each, a comparison and an aggregation."""

    def __init__(self, manifold, size: int, out: int, num_heads: int, comparison: str, aggregation, made: dict):
        who = type(self).__name__
        super().__init__(manifold, whole("dimensions", size, 1), products=False)
        if whole("num_heads", num_heads, 1) > out or out % num_heads:
            raise ValueError(f"{who}: {out} dimensions for {num_heads} heads; the heads must divide the dimensions")
        if comparison not in COMPARISONS:
            raise ValueError(f"{who}: there is no comparison '{comparison}'; there are {', '.join(COMPARISONS)}")
        if aggregation not in AGGREGATIONS and not callable(aggregation):
            raise ValueError(f"{who}: there is no aggregation '{aggregation}'; there are {', '.join(AGGREGATIONS)}, "
                             "and any function of the manifold, values and what attends")
        self.num_heads, self.comparison, self.aggregation = num_heads, comparison, aggregation
        for name, there in (("log_gamma", comparison != "dot-product"), ("log_radius", comparison in _WITH_RADIUS)):
            self.register_parameter(name, torch.nn.Parameter(torch.zeros(num_heads, 1, 1, **made)) if there else None)

    def reset_parameters(self) -> None:
        """Draws the parameters of the layers again. Temperatures and radii become 1."""
        for layer in self.children():
            if isinstance(layer, HyperbolicLinear):
                layer.reset_parameters()
        for parameter in (self.log_gamma, self.log_radius):
            if parameter is not None:
                torch.nn.init.zeros_(parameter)

    def _in_heads(self, x: torch.Tensor) -> torch.Tensor:
        """The coordinates at the origin, (.., heads, L, e), of points (.., L, n)."""
        return to_tangent0(self.manifold, x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)

    def _attended(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, attend) -> torch.Tensor:
        """Attention of heads, given by coordinates at the origin. Returns points (.., L, n).
        ``attend(q, k, values, comparison, ...)`` computes weighted means."""
        # lengths at the origin of the ball, in radii, are half of the lengths in hyperbolic space
        unit = radius_of(self.manifold) * (2 if isinstance(self.manifold, Lorentz) else 1)
        comparison = {"distance": "ball", "distance-squared": "ball-squared"}.get(self.comparison, self.comparison)
        options = {name: parameter.double().exp() for name, parameter in
                   (("gamma", self.log_gamma), ("radius", self.log_radius)) if parameter is not None}
        queries, keys = q / unit, k / unit

        def weighted(values):
            given = [x.float() if values.is_cuda else x for x in (queries, keys, values)]  # CUDA kernels take floats
            return attend(*given, comparison, **options).double()

        found = {"midpoint": _midpoint, "tangent": _tangent}.get(self.aggregation, self.aggregation)(
            self.manifold, from_tangent0(self.manifold, v), weighted)
        return from_tangent0(self.manifold, to_tangent0(self.manifold, found).transpose(-3, -2).flatten(-2))

    def _shown(self) -> str:
        aggregation = self.aggregation if isinstance(self.aggregation, str) else getattr(self.aggregation, "__name__",
                                                                                        repr(self.aggregation))
        return f"num_heads={self.num_heads}, comparison={self.comparison!r}, aggregation={aggregation!r}"


class ManifoldAttention(_Heads):
    """Multi-head attention between points of ``embed_dim`` dimensions of a PoincareBall or a Lorentz model. Queries,
    keys and values each go through a HyperbolicLinear. Their coordinates at the origin are split into heads of
    embed_dim / num_heads dimensions. The means of the heads are joined there and go through a last layer. Memory: O(L +
    S).

    ``comparison`` is one of COMPARISONS: "distance" is softmax(-gamma d) with distances in radii, "distance-squared"
    takes their squares, and the others are scores of ``mctensor.attention`` for the coordinates at the origin (of the
    ball, in radii). ``aggregation`` is "midpoint", the hyperbolic mean of the values (the gyromidpoint and the Lorentz
    centroid are this point), "tangent", the mean at the origin, or a function f(manifold, values, attend) of points
    (.., heads, S, coordinates). ``attend`` maps columns (.., heads, S, e) to their weighted means (.., heads, L, e). A
    query that sees no key has no mean: the result is NaN, or the origin for "tangent".

    The parameters are those of ``q_proj``, ``k_proj``, ``v_proj``, ``out_proj``, ``log_gamma`` (heads, 1, 1) and, for
    scores of cones, ``log_radius``. The last two start at zero. Source: Gulcehre et al. 2019; Shimizu et al. 2021,
    section 3.4 (heads there are scaled by beta, here they are not).
    """

    def __init__(self, embed_dim: int, num_heads: int, manifold, comparison: str = "distance", aggregation="midpoint",
                 *, device=None, dtype=None):
        made = {"device": device, "dtype": dtype}
        super().__init__(manifold, embed_dim, embed_dim, num_heads, comparison, aggregation, made)
        self.embed_dim = embed_dim
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, HyperbolicLinear(embed_dim, embed_dim, manifold, **made))

    def forward(self, query: torch.Tensor, key: torch.Tensor | None = None, value: torch.Tensor | None = None, *,
                causal: bool = False, hidden=None) -> torch.Tensor:
        """Maps queries (.., L, n), keys and values (.., S, n), which are points with all coordinates, to points (.., L,
        n). By default keys are the queries, and values are the keys. ``causal``: the last query sees all keys.
        ``hidden`` is a mask (.., L, S) of bools, True where a query must not see a key. Raises ValueError for other
        shapes."""
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (self._in_heads(layer(self._points(x))) for layer, x in
                   ((self.q_proj, query), (self.k_proj, key), (self.v_proj, value)))
        if q.dim() < 3:
            raise ValueError(f"ManifoldAttention: points of shape {tuple(query.shape)}; (.., L, {self._coordinates}) "
                             "are expected")

        def attend(queries, keys, values, comparison, **options):
            return attention(queries, keys, values, comparison, causal=causal, hidden=hidden, **options)

        return rounded(self.manifold, self.out_proj(self._attended(q, k, v, attend)), query.dtype)

    def extra_repr(self) -> str:
        return f"embed_dim={self.embed_dim}, {self._shown()}"


class GraphAttention(_Heads):
    """A layer of a graph network: a HyperbolicLinear, then attention of each node to its neighbours. It has
    ``num_heads`` heads of out_features / num_heads dimensions, which are joined at the origin. Time and memory are
    proportional to the numbers of nodes and edges.

    ``comparison`` and ``aggregation`` are as in ManifoldAttention. The parameters are those of ``proj``, ``log_gamma``
    and ``log_radius``. Source: Velickovic et al. 2018 with weights of Gulcehre et al. 2019; Chami et al. 2019 is
    similar.
    """

    def __init__(self, in_features: int, out_features: int, manifold, num_heads: int = 1, comparison: str = "distance",
                 aggregation="midpoint", bias: bool = True, *, device=None, dtype=None):
        made = {"device": device, "dtype": dtype}
        super().__init__(manifold, in_features, whole("out_features", out_features, 1), num_heads, comparison,
                         aggregation, made)
        self.in_features, self.out_features = in_features, out_features
        self.proj = HyperbolicLinear(in_features, out_features, manifold, bias, **made)

    def forward(self, x: torch.Tensor, starts: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        """Maps points (.., nodes, coordinates) to points of ``out_features`` dimensions. Node i sees the nodes
        ``columns[starts[i]:starts[i + 1]]``, as ``neighbours`` returns them. Raises ValueError for an invalid matrix,
        and for a node without neighbours, which has no mean."""
        u = self._in_heads(self.proj(self._points(x)))
        if u.dim() < 3:
            raise ValueError(f"GraphAttention: points of shape {tuple(x.shape)}; (.., nodes, {self._coordinates}) are "
                             "expected")

        def attend(queries, keys, values, comparison, **options):
            return attend_edges(queries, keys, values, starts, columns, comparison, **options)

        if not torch.compiler.is_compiling() and isinstance(starts, torch.Tensor) and starts.dim() == 1:
            alone = (starts.diff() == 0).nonzero()
            if alone.numel():
                raise ValueError(f"GraphAttention: node {alone[0].item()} has no neighbours, and so no mean; let each "
                                 "node see itself (neighbours(..., self_loops=True))")
        return rounded(self.manifold, self._attended(u, u, u, attend), x.dtype)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, {self._shown()}"


def neighbours(edge_index, num_nodes: int, *, undirected: bool = False, self_loops: bool = True) -> tuple:
    """Computes ``starts`` and ``columns`` of ``GraphAttention`` from edges (2, E) of sources and targets. A target sees
    each of its sources once. ``undirected``: sources see their targets as well. ``self_loops``: each node sees itself.
    Raises ValueError for another shape and for a node that is not in [0, num_nodes)."""
    edges, num_nodes = torch.as_tensor(edge_index), whole("num_nodes", num_nodes, 1)
    if edges.dim() != 2 or edges.shape[0] != 2 or edges.is_floating_point():
        raise ValueError(f"neighbours: edges of {edges.dtype} and shape {tuple(edges.shape)}; integers (2, edges) are "
                         "taken")
    if edges.numel() and not (0 <= edges.min() and edges.max() < num_nodes):
        raise ValueError(f"neighbours: the edges name nodes from {edges.min()} to {edges.max()}, but there are "
                         f"{num_nodes} nodes")
    edges = edges.long()
    parts = [edges[1] * num_nodes + edges[0]]
    if undirected:
        parts.append(edges[0] * num_nodes + edges[1])
    if self_loops:
        parts.append(torch.arange(num_nodes, device=edges.device) * (num_nodes + 1))
    pairs = torch.cat(parts).unique()
    counts = torch.bincount(pairs // num_nodes, minlength=num_nodes)
    return torch.nn.functional.pad(counts.cumsum(0), (1, 0)), pairs % num_nodes
