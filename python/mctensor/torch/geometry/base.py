"""The base of manifolds with geoopt's conventions."""
from __future__ import annotations

import math

import torch

from ..._torch_geometry import OPERATIONS, RESULTS, mean, operate
from .points import ManifoldTensor

#: the kinds of operands of each operation, the same for all models that have it: p for points and vectors, n for
#: numbers
KINDS = {name: kinds for model in OPERATIONS.values() for name, kinds in model.items()}

#: geoopt's names of operations that the library names differently
TRANSPORTS = {"ptransp": "transp", "ptransp0": "transp0", "ptransp0back": "transp0back"}


class Manifold(torch.nn.Module):
    """The base of manifolds. The dimension ``dim`` holds the coordinates of points, the others broadcast.

    Operands that are numbers, such as t and r, have a size of 1 in the dimension of the coordinates, or no dimensions.
    Results with ``keepdim`` have this size, too. Everything is computed in float64 and rounded once to the type of the
    points. Results that are points always lie on the manifold. ``project`` is accepted and changes nothing.
    """

    #: the name of the library's model
    model: str
    #: how many dimensions a point has
    ndim = 1
    #: whether retr_transp along the negative transported vector leads back
    reversible = False

    @property
    def name(self) -> str:
        """The name of the manifold."""
        return type(self).__name__

    @property
    def dtype(self):
        """The type of the module's first parameter or buffer, or None."""
        return next((x.dtype for x in (*self.parameters(), *self.buffers())), None)

    @property
    def device(self):
        """The device of the module's first parameter or buffer, or None."""
        return next((x.device for x in (*self.parameters(), *self.buffers())), None)

    def _of_model(self) -> torch.Tensor:
        """The library's parameter of the model: the radius or, for stereographic models, the curvature. Several values
        broadcast with points and have a size of 1 in the dimension of the coordinates."""
        return torch.ones((), dtype=torch.float64)

    def _operate(self, name: str, operands, dim: int = -1, keepdim: bool = False, of=None) -> torch.Tensor:
        """Applies an operation of this model, or of another one: ``of`` is its name and radius."""
        model, radius = of or (self.model, self._of_model())
        kinds = OPERATIONS[model].get(name)
        if kinds is None:
            raise NotImplementedError(f"{type(self).__name__} has no {name}")
        operands = [torch.as_tensor(x, dtype=torch.float64) if not isinstance(x, torch.Tensor) else x for x in operands]
        most = max(x.dim() for x, kind in zip(operands, kinds) if kind != "n")
        at = dim - most if dim >= 0 else dim
        if not -most <= at < 0:
            raise IndexError(f"{name}: dim {dim} does not exist; the points have {most} dimensions")
        given = [self._number_at(name, x, at) if kind == "n" else self._coordinates_at(name, x, at)
                 for x, kind in zip(operands, kinds)]
        if radius.dim():
            radius = self._number_at(f"{name}: the curvature", radius, at)
        result = operate(model, name, radius, given)
        if RESULTS[name] != "number":
            return result.movedim(-1, at) if at != -1 else result
        return result.unsqueeze(at) if keepdim else result

    @staticmethod
    def _coordinates_at(name: str, x: torch.Tensor, at: int) -> torch.Tensor:
        if x.dim() < -at:
            raise IndexError(f"{name}: dim {at} does not exist in an operand of shape {tuple(x.shape)}")
        return x if at == -1 else x.movedim(at, -1)

    @staticmethod
    def _number_at(name: str, x: torch.Tensor, at: int) -> torch.Tensor:
        if x.dim() == 0:
            return x
        if x.dim() < -at or x.shape[at] != 1:
            raise ValueError(f"{name}: a number has the shape {tuple(x.shape)}; its dimension {at}, where points have "
                             f"their coordinates, must have size 1, as t.unsqueeze({at}) makes it")
        return x.squeeze(at)

    def inner(self, x, u, v=None, *, keepdim: bool = False, dim: int = -1):
        """The inner product of u and v, tangent vectors at x. Without v it is the product of u with itself."""
        return self._operate("inner", (x, u, u if v is None else v), dim, keepdim)

    def component_inner(self, x, u, v=None, *, dim: int = -1):
        """The inner product, once for each coordinate."""
        return self._operate("component_inner", (x, u, u if v is None else v), dim)

    def proju(self, x, u, *, dim: int = -1):
        """Projects u to the tangent space at x."""
        return self._operate("proju", (x, u), dim)

    def expmap(self, x, u, *, dim: int = -1, project: bool = True):
        """The end of the geodesic from x along u."""
        return self._operate("expmap", (x, u), dim)

    def expmap0(self, u, *, dim: int = -1, project: bool = True):
        """The end of the geodesic from the origin along u."""
        return self._operate("expmap0", (u,), dim)

    def geodesic_unit(self, t, x, u, *, dim: int = -1, project: bool = True):
        """The point at length t from x along u."""
        return self._operate("geodesic_unit", (t, x, u), dim)

    def expmap_transp(self, x, u, v, *, dim: int = -1, project: bool = True):
        """expmap of u, and v moved in parallel to this point."""
        y = self.expmap(x, u, dim=dim)
        return y, self.transp(x, y, v, dim=dim)

    def retr_transp(self, x, u, v, *, dim: int = -1):
        """retr of u, and v moved in parallel to this point."""
        y = self.retr(x, u, dim=dim)
        return y, self.transp(x, y, v, dim=dim)

    def transp_follow_expmap(self, x, u, v, *, dim: int = -1, project: bool = True):
        """v, moved in parallel to expmap of u."""
        return self.expmap_transp(x, u, v, dim=dim)[1]

    def transp_follow_retr(self, x, u, v, *, dim: int = -1):
        """v, moved in parallel to retr of u."""
        return self.retr_transp(x, u, v, dim=dim)[1]

    def origin(self, *size, dtype=None, device=None, seed=None):
        """Points at the origin, in a tensor of this shape."""
        return self._points(self.expmap0(torch.zeros(self._size(size), dtype=dtype, device=device)))

    def _tangent0(self, size, mean, std, dtype, device):
        return torch.randn(size, dtype=dtype, device=device) * std / size[-1] ** 0.5 + mean

    def random_normal(self, *size, mean=0, std=1, dtype=None, device=None):
        """Random points: expmap0 of vectors with normal coordinates, whose deviation is std divided by the root of
        their number."""
        return self._points(self.expmap0(self._tangent0(self._size(size), mean, std, dtype, device)))

    def random(self, *size, **options):
        """The same as random_normal."""
        return self.random_normal(*size, **options)

    def _points(self, x):
        return ManifoldTensor._of(torch.Tensor.as_subclass(x, torch.Tensor).detach(), self, False)

    def pack_point(self, *tensors):
        """The point that has these parts. Here there is one part."""
        if len(tensors) != 1:
            raise ValueError(f"pack_point: {len(tensors)} parts are given; a {self.name} has one")
        return tensors[0]

    def unpack_tensor(self, tensor):
        """The parts of a point. Here it is the point itself."""
        return tensor

    def _size(self, size) -> tuple:
        """Reads a shape of points as geoopt's methods take it, and checks it."""
        size = shape_of(size)
        self.assert_check_point(torch.empty(size, device="meta"))
        return size

    def _shape_fault(self, x) -> str | None:
        return None if x.dim() >= self.ndim else f"shape {tuple(x.shape)} does not fit points of {self!r}"

    def check_point(self, x, *, explain: bool = False):
        """Whether x has the shape of points."""
        fault = self._shape_fault(x)
        return (fault is None, fault) if explain else fault is None

    def check_vector(self, u, *, explain: bool = False):
        """Whether u has the shape of vectors."""
        return self.check_point(u, explain=explain)

    def assert_check_point(self, x) -> None:
        """Raises ValueError if x does not have the shape of points."""
        if fault := self._shape_fault(x):
            raise ValueError(fault)

    assert_check_vector = assert_check_point

    def check_point_on_manifold(self, x, *, atol: float = 1e-5, rtol: float = 1e-5, dim: int = -1,
                                explain: bool = False):
        """Whether all x are points, up to rounding."""
        fault = self._shape_fault(x) or self._moved(x, lambda: self.projx(x, dim=dim), "points", "projx", atol, rtol)
        return (fault is None, fault) if explain else fault is None

    def check_vector_on_tangent(self, x, u, *, ok_point: bool = False, atol: float = 1e-5, rtol: float = 1e-5,
                                dim: int = -1, explain: bool = False):
        """Whether all u are tangent vectors at points x, up to rounding. ``ok_point``: it is known that x are
        points."""
        fault = None if ok_point else self.check_point_on_manifold(x, atol=atol, rtol=rtol, dim=dim, explain=True)[1]
        fault = fault or self._shape_fault(u) or self._moved(u, lambda: self.proju(x, u, dim=dim), "vectors", "proju",
                                                             atol, rtol)
        return (fault is None, fault) if explain else fault is None

    def _moved(self, x, project, what: str, name: str, atol: float, rtol: float) -> str | None:
        with torch.no_grad():
            if not x.numel() or torch.allclose(project().to(x.dtype), x, atol=atol, rtol=rtol):
                return None
        return f"values of shape {tuple(x.shape)} are no {what} of {self!r}: they are not where {name} puts them"

    def assert_check_point_on_manifold(self, x, *, atol: float = 1e-5, rtol: float = 1e-5, dim: int = -1) -> None:
        """Raises ValueError if some x are not points."""
        fault = self.check_point_on_manifold(x, atol=atol, rtol=rtol, dim=dim, explain=True)[1]
        if fault:
            raise ValueError(fault)

    def assert_check_vector_on_tangent(self, x, u, *, ok_point: bool = False, atol: float = 1e-5, rtol: float = 1e-5,
                                       dim: int = -1) -> None:
        """Raises ValueError if some u are not tangent vectors."""
        fault = self.check_vector_on_tangent(x, u, ok_point=ok_point, atol=atol, rtol=rtol, dim=dim, explain=True)[1]
        if fault:
            raise ValueError(fault)

    def weighted_midpoint(self, xs, weights=None, *, reducedim=None, dim: int = -1, keepdim: bool = False,
                          lincomb: bool = False, posweight: bool = False, project: bool = True):
        """The gyromidpoint over all dimensions except ``dim``, or over the dimensions of ``reducedim``. ``weights``
        have the shape of xs without dim. ``lincomb`` multiplies it by the sum of the weights. With ``posweight`` a
        negative weight counts as a positive weight of -x."""
        model, radius = self._hyperbolic("weighted_midpoint")
        n, at = xs.dim(), dim % xs.dim()
        places = [i for i in range(n) if i != at] if reducedim is None else sorted(i % n for i in reducedim)
        if at in places:
            raise ValueError(f"weighted_midpoint: reducedim {list(reducedim)} contains {dim}, the dimension of "
                             "coordinates")
        kept = [i for i in range(n) if i != at and i not in places]
        w = torch.ones((), dtype=xs.dtype, device=xs.device) if weights is None else weights
        w = w.expand(xs.shape[:at] + xs.shape[at + 1:]).unsqueeze(at)
        if posweight:
            xs, w = torch.where(w < 0, -xs, xs), w.abs()
        shape = [xs.shape[i] for i in kept]
        count = math.prod(xs.shape[i] for i in places)
        w = w.permute(*kept, *places, at).reshape(*shape, count)
        xs = xs.permute(*kept, *places, at).reshape(*shape, count, xs.shape[at])
        if radius.dim():
            k = radius[(None,) * (n - radius.dim())]
            if any(k.shape[i] != 1 for i in (*places, at)):
                raise ValueError(f"weighted_midpoint: curvatures of shape {tuple(radius.shape)} differ among the "
                                 "points of one mean")
            k = k.permute(*kept, *places, at).reshape([k.shape[i] for i in kept]).expand(shape)
            result = torch.func.vmap(lambda *each: mean(model, "weighted_midpoint", *each, -2))(
                k.reshape(-1), xs.flatten(0, -3), w.flatten(0, -2)).reshape(*shape, xs.shape[-1])
        else:
            result = mean(model, "weighted_midpoint", radius, xs, w, -2)
        if lincomb:
            own = (model, k.unsqueeze(-1) if radius.dim() else radius)
            result = self._operate("mobius_scalar_mul", (w.sum(-1, keepdim=True), result), of=own)
        if keepdim:
            for i in places:
                result = result.unsqueeze(i - (i > at))
        return result.movedim(-1, at if keepdim else at - sum(i < at for i in places))

    def _hyperbolic(self, name: str):
        """The library's model and radius, for operations that only models of hyperbolic space have."""
        raise NotImplementedError(f"{type(self).__name__} has no {name}")


def are_given(value, holds) -> bool:
    """Whether numbers pass a test. A tensor on the device "meta" has no numbers and passes. Numbers that are no tensor
    are read on the CPU, because the default device, where a model is made, may be that one."""
    is_tensor = isinstance(value, torch.Tensor)
    if is_tensor and value.is_meta:
        return True
    return bool(holds(torch.as_tensor(value, dtype=torch.float64, device=value.device if is_tensor else "cpu")).all())


def shape_of(size) -> tuple:
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(size)


def add_operation(cls, name: str, operation: str) -> None:
    """Adds a method that calls an operation of the library."""
    count = len(KINDS[operation])

    def method(self, *operands, dim: int = -1, keepdim: bool = False):
        if len(operands) != count:
            raise TypeError(f"{name} takes {count} operands, {len(operands)} are given")
        return self._operate(operation, operands, dim, keepdim)

    def of_points(self, *operands, dim: int = -1, project: bool = True):
        return method(self, *operands, dim=dim)

    chosen = method if RESULTS[operation] == "number" else of_points
    chosen.__name__ = name
    chosen.__doc__ = f"{operation} of mctensor.geometry."
    setattr(cls, name, chosen)


def add_operations(cls, operations=None) -> None:
    """Adds methods for operations, by default those of the class's model, unless the class defines them itself."""
    for operation in operations or OPERATIONS[cls.model]:
        name = TRANSPORTS.get(operation, operation)
        if not hasattr(cls, name) and not operation.startswith("to_"):
            add_operation(cls, name, operation)
