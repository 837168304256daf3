"""Attention by cones, hyperbolic distance and other scores, in memory proportional to the length.

    y = mctensor.attention.attention(q, k, v, "penumbral", gamma=gamma, radius=light, causal=True)

Operands are NumPy arrays or tensors of PyTorch, which are differentiable. docs/attention.md describes the scores.
"""
from __future__ import annotations

import sys

import numpy as np

from . import _core
from ._arguments import MOST_INT, MOST_UINT64, number, real_array, result_kind, whole
from ._attention_ranges import require_numbers, require_weights, sums_of_product
from ._convert import plain_dtype
from ._points import is_torch, plain

__all__ = ["COMPARISONS", "attend_edges", "attention", "hyla_features", "hype_features",
           "product_attention"]

#: the names of comparisons of queries and keys
COMPARISONS = _core.comparisons


def _tensor(values: np.ndarray):
    return _core.from_planes(values[np.newaxis], plain_dtype(values))


def attention(q, k, v, comparison: str = "dot-product", *, gamma=1.0, radius=1.0, causal: bool = False,
              hidden=None, bias=None, dropout: float = 0.0, seed: int = 0, call: int = 0):
    """Computes softmax over keys of a score of queries and keys, times values.

    Queries (.., L, d), keys (.., S, d) and values (.., S, e) have equal leading dimensions. The result is (.., L, e).
    ``comparison`` is one of COMPARISONS; q and k are first mapped to its space. ``gamma`` is the temperature.
    ``radius`` is the radius of the balls of umbral cones, or of the light; for penumbral cones it is the height of the
    light. Both are numbers or tensors that broadcast, such as (H, 1, 1) for one number per head. ``causal``: the last
    query sees all keys. ``hidden`` is a mask of bools, True where a query must not see a key. ``bias`` broadcasts to
    (.., L, S) and is added to the scores. ``dropout`` is drawn from the seed, the number of the call and the pair. A
    query that sees no key gets 0.

    The result has the common type of q, k and v: float32 beside float64 gives float64. Numbers do not decide the type.
    float16 and bfloat16 are computed in float32. "ball" takes vectors of a length up to 177 in float64 and 44 in
    float32; "lorentz" takes a last coordinate up to 354 and 88, "half-space" up to 354 and 44; comparisons with "exp"
    take lengths up to 354 and 44; the others take vectors whose squares are finite. Raises ValueError beyond these
    limits.
    """
    return _attention(comparison, (q, k, v, gamma, radius) if bias is None else (q, k, v, gamma, radius, bias), hidden,
                      None, dict(causal=bool(causal), dropout=dropout, seed=seed, call=call))


def attend_edges(q, k, v, starts, columns, comparison: str = "dot-product", *, gamma=1.0, radius=1.0,
                 dropout: float = 0.0, seed: int = 0, call: int = 0):
    """``attention`` along the edges of a graph: query i sees only the keys ``columns[starts[i]:starts[i + 1]]``.

    The integers ``starts`` (L + 1) and ``columns`` are the rows of a sparse matrix (CSR: ``indptr`` and ``indices`` of
    SciPy, ``crow_indices()`` and ``col_indices()`` of PyTorch), the same for all leading dimensions. Time and memory
    are proportional to L + S and the number of edges; no matrix (L, S) is made. A query without edges gets 0. Dropout
    is drawn by the position in a row of edges, not by the pair. Everything else is as in ``attention``. Raises
    ValueError, with the index and the value, for an invalid matrix.
    """
    q = q if is_torch(q) else np.asarray(q)
    return _attention(comparison, (q, k, v, gamma, radius), None, (q, starts, columns),
                      dict(causal=False, dropout=dropout, seed=seed, call=call))


def product_attention(q, k, v, factors, weights, *, causal: bool = False, hidden=None):
    """``attention`` by the squared distance of a product of spaces: softmax of -sum of w_i^2 d_i^2, times values, where
    d_i is the distance of queries and keys in factor i, of curvature -1.

    ``factors`` has a pair of each space: "half-space", "ball" or "lorentz", and how many of the numbers of a query and
    of a key belong to it, as in [("ball", 4), ("half-space", 3)]; the numbers of the factors stand side by side.
    ``weights`` (factors, ..): weights[i] is w_i, a number or a tensor that broadcasts, such as (H, 1, 1) for one number
    per head. All operands have gradients; second derivatives are not available. ``causal`` and ``hidden``, types and
    ranges are as in ``attention``; memory is O(L + S). Raises ValueError for other factors, shapes and numbers.
    """
    try:
        pairs = [tuple(pair) for pair in factors]
    except TypeError:
        raise TypeError(f"product_attention: factors {factors!r}; a list of pairs of a name and a width is "
                        "taken") from None
    known = tuple(name[:-len("-squared")] for name in COMPARISONS if name.endswith("-squared"))
    for pair in pairs:
        if len(pair) != 2 or pair[0] not in known:
            raise ValueError(f"product_attention: factor {pair!r}; pairs of {', '.join(known)} and a width are taken")
    names, widths = [name for name, _ in pairs], [whole("the width of a factor", width, 2) for _, width in pairs]
    given = (q, k, v, weights)
    for name, x in zip("qk", given):
        if not pairs or len(np.shape(x)) < 2 or np.shape(x)[-1] != sum(widths):
            raise ValueError(f"product_attention: {name} of shape {tuple(np.shape(x))} for factors of {sum(widths)} "
                             "numbers")
    if any(map(is_torch, given)):
        from . import _torch_attention

        found = _torch_attention.product_attention(given, hidden, names, widths, bool(causal))
    else:
        kind = result_kind(given)
        arrays = [real_array("product_attention", x, kind).astype(np.promote_types(kind, np.float32), copy=False)
                  for x in given]
        flags = None if hidden is None else real_array("hidden", hidden, np.bool_)
        q, k, v, weights = map(_tensor, arrays)
        about = names, widths, bool(causal), flags
        found = _core.product_attention([q, k, v, weights], *about).planes[0]
        require_numbers(found, names, arrays)
        ones = _tensor(np.ones((*arrays[2].shape[:-1], 1), arrays[2].dtype))
        sums = sums_of_product(found, lambda: _core.product_attention([q, k, ones, weights], *about).planes[0])
        require_weights(sums, names, (arrays[0], arrays[1], arrays[3]), bool(causal), flags)
        found = found.astype(kind, copy=False)
    return found


def _neighbours(q, starts, columns):
    """Joins starts and columns in one PyTorch tensor if q, starts or columns is a tensor, otherwise in one array."""
    torch = sys.modules["torch"] if any(map(is_torch, (q, starts, columns))) else None
    parts = [np.empty(0, np.int64) if isinstance(x, (list, tuple)) and not x else x for x in (starts, columns)]
    device = getattr(q, "device", "cpu") if is_torch(q) else "cpu"
    parts = [np.asarray(x) if torch is None else torch.as_tensor(x, device=device) for x in parts]
    for name, x in zip(("starts", "columns"), parts):
        whole_numbers = x.dtype.kind in "iu" if torch is None else not (x.is_floating_point() or x.is_complex())
        if not whole_numbers or str(x.dtype) == "torch.bool":
            raise TypeError(f"attend_edges: {name} of {x.dtype}; integers are taken")
    if len(q.shape) < 2 or parts[0].shape != (q.shape[-2] + 1,):
        raise ValueError(f"attend_edges: starts of shape {tuple(parts[0].shape)} for q of shape {tuple(q.shape)}; one "
                         "for each query and one more are taken")
    if len(parts[1].shape) != 1:
        raise ValueError(f"attend_edges: columns of shape {tuple(parts[1].shape)}; one dimension is taken")
    if torch is None:
        return np.concatenate([x.astype(np.int64) for x in parts])
    return torch.cat([x.to(torch.int64) for x in parts])


def _attention(comparison: str, given, hidden, edges, about: dict):
    if comparison not in COMPARISONS:
        raise ValueError(f"there is no comparison '{comparison}'; there are {', '.join(COMPARISONS)}")
    about |= dict(dropout=number("dropout", about["dropout"]), seed=whole("seed", about["seed"], 0, MOST_UINT64),
                  call=whole("call", about["call"], 0, MOST_UINT64))
    seen = None if edges is None else _neighbours(*edges)
    if any(map(is_torch, given)):
        from . import _torch_attention

        return _torch_attention.attention(comparison, given, hidden, seen, about)
    kind = result_kind(given)
    # numbers are rounded to the type that the arrays have
    arrays = [real_array("attention", x, kind).astype(np.promote_types(kind, np.float32), copy=False) for x in given]
    flags = None if hidden is None else real_array("hidden", hidden, np.bool_)
    seen = None if seen is None else np.asarray(seen)
    result, sums = (x.planes[0] for x in _core.attention(comparison, list(map(_tensor, arrays)), hidden=flags,
                                                         edges=seen, **about))
    require_numbers(result, comparison, arrays)
    require_weights(sums, comparison, arrays, about["causal"], flags, seen)
    return result.astype(kind, copy=False)


def hype_features(positions, mu, tau, d: int, copies: int = 1):
    """Columns for queries and for keys, whose product is sqrt(d) tau sinh(mu (k - q)). They add a bias that grows with
    the distance of the positions, without the matrix of the bias.

    ``positions`` is (L), or (L, n) for n coordinates. ``mu`` and ``tau`` are numbers or tensors: (heads) for one number
    per head, and for positions (L, n) with n as the last dimension. ``d`` is the d of the softmax's 1 / sqrt(d), with
    the added columns included. Returns two results of shape (.., L, 2 n copies).
    """
    d, copies = whole("d", d, 1), whole("copies", copies, 1, MOST_INT)
    if any(map(is_torch, (positions, mu, tau))):
        from . import _torch_hype

        return _torch_hype.hype_features(positions, mu, tau, d, copies)
    places = plain(positions, "positions")
    kind = np.float32 if result_kind((mu, tau)) == np.float32 else np.float64
    m, t = (_tensor(real_array("hype_features", x, kind)) for x in (mu, tau))
    return tuple(_core.hype_columns(places, given, d, copies).planes[0] for given in ([m, t], [m]))


def hyla_features(manifold, points, omega, frequencies, phases):
    """Features (.., D) of points (.., n) of a PoincareBall or HalfSpace: e^((n - 1) P / 2) cos(frequency P + phase) /
    sqrt(D), where P is the distance, divided by the radius, from the horosphere through the origin toward the direction
    omega.

    The D waves are unit vectors ``omega`` (D, n), ``frequencies`` and ``phases`` (D). Operands are NumPy arrays or
    tensors of PyTorch. The result is differentiable by points, frequencies, phases and the radius. docs/hyla.md
    describes the kernel that the features approximate.
    """
    torch = sys.modules["torch"] if any(map(is_torch, (points, omega, frequencies, phases, manifold.radius))) else None
    if torch is None:
        points, omega, frequencies, phases = (real_array("hyla_features", x, np.float64)
                                              for x in (points, omega, frequencies, phases))
    else:
        from ._torch_operands import as_tensor, result_kind

        given = (points, omega, frequencies, phases)
        kind = result_kind("hyla_features", given)
        points, omega, frequencies, phases = (as_tensor("hyla_features", x, kind) for x in given)
    where = np if torch is None else torch
    n, count = omega.shape[-1], omega.shape[0]
    p = manifold.busemann(points[..., None, :], omega) / -manifold.radius
    return where.exp(p * ((n - 1) / 2)) * where.cos(p * frequencies + phases) / count**0.5
