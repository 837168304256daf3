"""Operations of manifolds, means and cones as operators of PyTorch."""
from __future__ import annotations

import numpy as np
import torch

from . import _core
from ._points import MEANS
from ._torch_groups import Groups, is_one
from ._torch_operands import KINDS, as_tensor, dimensions, require_one_device, together
from ._torch_device_means import midpoint_derivatives_there, midpoint_second_there, midpoint_there
from ._torch_device_points import LONGER, derivatives_there, is_there, round_there, second_there, value_there
from ._torch_operators import Pointwise, define, loop

OPERATIONS = _core.manifold_operations()
RESULTS = _core.operation_results()
CONES = _core.cone_operations()
#: the target models of conversions
_MODEL_OF = _core.conversions


def _taken(x: torch.Tensor, kind: torch.dtype = torch.float64):
    return _core.from_torch(x if x.dtype == kind else x.to(kind))


def _is_float32(k: torch.Tensor) -> bool:
    number = k.item()
    with np.errstate(over="ignore"):
        return float(np.float32(number)) == number


def _rounded(value, kind: torch.dtype, model, radius) -> torch.Tensor:
    """Rounds doubles once to a tensor of a type. If ``model`` is given, they are points of it, and so is the result."""
    if kind == torch.float64:
        return _core.to_torch(value)
    if model is None:
        return _core.to_torch(_core.convert(value, KINDS[kind]))
    return _core.to_torch(_core.round_points(model, float(radius), value, KINDS[kind]))


class _OfPoints(Pointwise):
    """An operation that is computed in float64 and rounded to the type of the operands."""

    #: the model of results that are points, or None
    model = None
    #: the library's functions are called as f(*words, first, operands, ..., *options)
    words: tuple = ()
    evaluate = differentiate = differentiate_twice = None

    #: converts a tensor to the library's
    take = staticmethod(_taken)

    #: how many coordinates a result has more than the operands
    more = 0

    def value(self, first, operands, options):
        if self.is_there(first, operands):
            return value_there(self, first, operands)
        return self.value_here(first, operands, options)

    def value_here(self, first, operands, options=()):
        """The value on the CPU."""
        kind = operands[0].dtype
        found = self.evaluate(*self.words, self.take(first), list(map(self.take, operands)), *options)
        return _rounded(found, kind, self.model, first.flatten()[0])

    def derivatives(self, first, operands, options, grad, wanted):
        if self.is_there(first, operands):
            return derivatives_there(self, first, operands, grad, wanted)
        return self.derivatives_here(first, operands, options, grad, wanted)

    def derivatives_here(self, first, operands, options, grad, wanted):
        return self.differentiate(*self.words, self.take(first), list(map(self.take, operands)), self.take(grad),
                                  wanted, *options)

    def second(self, first, operands, options, grad, cotangents, wanted):
        if self.is_there(first, operands):
            return second_there(self, first, operands, grad, cotangents, wanted)
        return self.second_here(first, operands, options, grad, cotangents, wanted)

    def second_here(self, first, operands, options, grad, cotangents, wanted):
        return self.differentiate_twice(
            *self.words, self.take(first), list(map(self.take, operands)), self.take(grad),
            [None if c is None else self.take(c) for c in cotangents], wanted, *options)

    def is_there(self, first, operands) -> bool:
        """Whether the device computes it."""
        return self.there and any(map(is_there, operands))

    #: how many dimensions a number has
    inside = 0

    def fake(self, first, *rest):
        operands = rest[:len(self.cores)]
        require_one_device(self.words[-1], operands, self.inside)
        self._require_same_coordinates([x.shape[:x.dim() - self.inside] for x, core in zip(operands, self.cores)
                                        if core > self.inside])
        longest = operands[self.cores.index(max(self.cores))]
        return longest.new_empty((*self.leading(first, operands), *self.element(longest.shape)))

    def _require_same_coordinates(self, shapes) -> None:
        """Raises the library's error before anything is computed."""
        name = self.words[-1]
        for shape in shapes:
            if not shape:
                raise ValueError(f"{name}: the last dimension holds coordinates, the shape is ()")
        if any(shape[-1] != shapes[0][-1] for shape in shapes):
            text = ", ".join("(" + ", ".join(map(str, shape)) + ")" for shape in shapes)
            raise ValueError(f"{name}: points of shapes {text} differ in their number of coordinates")

    def element(self, shape) -> tuple:
        """The shape of one result, for the shape of an operand of points."""
        return shape[len(shape) - self.core:]


class Operation(_OfPoints):
    """An operation of a manifold."""

    evaluate, differentiate = staticmethod(_core.manifold_value), staticmethod(_core.manifold_derivatives)
    differentiate_twice = staticmethod(_core.manifold_second)

    def __init__(self, model: str, operation: str, kinds: str):
        result = RESULTS[operation]
        super().__init__(f"{model}_{operation}", [int(kind == "p") for kind in kinds], int(result != "number"))
        self.words = (model, operation)
        self.model = (_MODEL_OF.get(operation, model) if result == "point" else None)
        self.more = (self.model in LONGER) - (model in LONGER) if operation in _MODEL_OF else 0
        self.kinds, self.there = kinds, True

    def element(self, shape):
        return (shape[-1] + self.more,) if self.core else ()

    def value_here(self, first, operands, options=()):
        if operands[0].dtype == torch.float32 and _is_float32(first):
            # the library's kernels of floats return the rounded results of its kernels of doubles
            return _core.to_torch(_core.manifold_value(*self.words, _taken(first, torch.float32),
                                                       [_core.from_torch(x) for x in operands]))
        return super().value_here(first, operands)

    def derivatives_here(self, first, operands, options, grad, wanted):
        if operands[0].dtype == torch.float32 and not wanted[0] and _is_float32(first):
            return _core.manifold_derivatives(*self.words, _taken(first, torch.float32),
                                              [_core.from_torch(x) for x in operands], _core.from_torch(grad), wanted)
        return super().derivatives_here(first, operands, options, grad, wanted)


class _Mean(_OfPoints):
    """A weighted mean of points along a dimension."""

    options = ", int dim"
    lost = 1
    evaluate = staticmethod(lambda model, kind, k, given, dim: _core.mean_value(model, kind, k, *given, dim))
    differentiate, differentiate_twice = staticmethod(_core.mean_derivatives), staticmethod(_core.mean_second)

    def __init__(self, model: str, kind: str):
        super().__init__(f"{model}_{kind}", (1, 0), 1)
        self.words, self.model = (model, kind), model
        self.there = kind == "weighted_midpoint"

    def value(self, first, operands, options):
        if self.is_there(first, operands):
            return midpoint_there(OPERATORS, self, first, operands, *options)
        return self.value_here(first, operands, options)

    def derivatives(self, first, operands, options, grad, wanted):
        if self.is_there(first, operands):
            return midpoint_derivatives_there(OPERATORS, self, first, operands, grad, *options, wanted)
        return self.derivatives_here(first, operands, options, grad, wanted)

    def second(self, first, operands, options, grad, cotangents, wanted):
        if self.is_there(first, operands):
            return midpoint_second_there(OPERATORS, self, first, operands, grad, cotangents, *options, wanted)
        return self.second_here(first, operands, options, grad, cotangents, wanted)

    def fake(self, first, points, weights, dim):
        require_one_device(self.words[-1], (points, weights))
        if not 0 <= dim < points.dim() - 1:
            raise ValueError(f"{self.words[-1]}: dimension {dim} of points of shape {tuple(points.shape)}, whose last "
                             "dimension is that of coordinates")
        shape = list(points.shape)
        del shape[dim]
        return points.new_empty(shape)

    def in_batch(self, options):
        return (options[0] + 1,)


class _ConeOperation(_OfPoints):
    """An operation of cones in a manifold. The first operand holds all radii."""

    first_core = 1
    there = True
    evaluate, differentiate = staticmethod(_core.cone_value), staticmethod(_core.cone_derivatives)
    differentiate_twice = staticmethod(_core.cone_second)

    def __init__(self, cones: str, model: str, operation: str, kinds: str):
        result = RESULTS[operation]
        super().__init__(f"{cones}_{model}_{operation}", [int(kind == "p") for kind in kinds],
                         int(result != "number"))
        self.words, self.kinds = (cones, model, operation), kinds
        self.model = model if result == "point" else None


def _define_rounding(model: str):
    """Defines an operator that rounds points of float64 to a narrower type. Its derivative is the identity, as for
    every rounding."""
    def here(k, x, dtype):
        return _rounded(_core.from_torch(x), dtype, model, k)

    def kernel(k, x, dtype):
        if is_one(k, 0) and is_there(x):
            return round_there(model, k, x, dtype, lambda one, rows: here(one, rows, dtype))
        if is_one(k, 0):
            return here(k, x, dtype)
        groups = Groups(k, 0, (x,), (1,), False)
        return groups.whole(kernel(one, part, dtype) for one, (part,) in groups)

    def keep(ctx, inputs, output):
        ctx.options = ()

    def batch(info, in_dims, k, x, dtype):
        if in_dims[0] is not None:
            return loop(operator, info, in_dims, (k, x, dtype))
        return operator(k, x.movedim(in_dims[1], 0), dtype), 0

    operator = define(f"{model}_round(Tensor k, Tensor x, ScalarType dtype) -> Tensor", kernel,
                      lambda k, x, dtype: x.new_empty(x.shape, dtype=dtype), keep=keep,
                      derive=lambda ctx, grad: (None, grad.to(torch.float64), None),
                      along=lambda inputs, tangents: None if tangents[1] is None else tangents[1].to(inputs[2]),
                      batch=batch, there=True)
    return operator


def _define_contains(cones: str, model: str):
    def kernel(k, x, y):
        if is_there(x):
            return OPERATORS[cones, model, "boundary_distance"](k, x, y) <= 0
        return torch.as_tensor(_core.cone_contains(cones, model, *map(_taken, (k, x, y))))

    def fake(k, x, y):
        return x.new_empty(torch.broadcast_shapes(x.shape[:-1], y.shape[:-1]), dtype=torch.bool)

    def batch(info, in_dims, k, x, y):
        if in_dims[0] is not None:
            return loop(operator, info, in_dims, (k, x, y))
        return operator(k, *Pointwise.moved(info, in_dims[1:], (x, y), (1, 1))), 0

    operator = define(f"{cones}_{model}_contains(Tensor k, Tensor x0, Tensor x1) -> Tensor", kernel, fake,
                      batch=batch, there=True)
    return operator


def _table() -> dict:
    table = {}
    for model, operations in OPERATIONS.items():
        for name, kinds in operations.items():
            table[model, name] = Operation(model, name, kinds)
    for model in MEANS:
        for kind in ("frechet_mean", "weighted_midpoint"):
            table[model, kind] = _Mean(model, kind)
    for cones, operations in CONES.items():
        for model in ("PoincareBall", "HalfSpace"):
            for name, kinds in operations.items():
                table[cones, model, name] = _ConeOperation(cones, model, name, kinds)
    return table


#: the operations by their names
TABLE = _table()
#: their operators
OPERATORS = {words: about.define() for words, about in TABLE.items()}
#: the models of results that are points
_MODELS = {words: about.model for words, about in TABLE.items()}
ROUND = {model: _define_rounding(model) for model in OPERATIONS}
CONTAINS = {(cones, model): _define_contains(cones, model)
            for cones in CONES for model in ("PoincareBall", "HalfSpace")}


def _apply(words: tuple, name: str, first: torch.Tensor, operands, *options) -> torch.Tensor:
    """Applies an operator. The result has the common type of the operands; the type of the radius has no influence."""
    kind, given = together(name, operands)
    result = OPERATORS[words](first, *given, *options)
    if result.dtype == kind:
        return result
    model = _MODELS[words]
    if model is None:
        return result.to(kind)
    return ROUND[model]((first[..., 0] if TABLE[words].first_core else first).detach(), result, kind)


def operate(manifold: str, name: str, radius, operands) -> torch.Tensor:
    """An operation of a manifold."""
    return _apply((manifold, name), name, as_tensor("radius", radius, torch.float64), operands)


def mean(manifold: str, kind: str, radius, points, weights, dim: int) -> torch.Tensor:
    """A mean of points along a dimension."""
    if manifold not in MEANS:
        raise ValueError(f"{kind}: a PoincareBall, HalfSpace or Lorentz is wanted, not a {manifold}")
    count = max(dimensions(points), 1)
    return _apply((manifold, kind), kind, as_tensor("radius", radius, torch.float64), (points, weights),
                  dim + count if -count <= dim < 0 else dim)


def _radii(name: str, radii) -> torch.Tensor:
    radii = [as_tensor(name, x, torch.float64).reshape(()) for x in radii]
    return torch.stack([x.cpu() if x.is_cuda else x for x in radii])  # calls read the radii on the CPU


def cones(names, name: str, radii, operands) -> torch.Tensor:
    """An operation of cones, differentiable by points and by radii that are tensors."""
    return _apply((*names, name), name, _radii(name, radii), operands)


def contains(names, radii, u, v) -> torch.Tensor:
    """Whether v lies in the cone of u."""
    return CONTAINS[names](_radii("contains", radii), *(as_tensor("contains", x, torch.float64) for x in (u, v)))
