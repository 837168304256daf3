"""Manifolds as modules of PyTorch, with geoopt's names and conventions."""
from __future__ import annotations

import math

import torch
from torch.nn import functional

from ..._arguments import whole_number
from ..._points import is_plain
from .base import KINDS, RESULTS, Manifold, add_operations, are_given
from .points import ManifoldTensor


def _numbers(value) -> torch.Tensor:
    """Converts a number, or several numbers that broadcast with points, to a tensor."""
    value = torch.as_tensor(value, dtype=torch.float64).detach().clone()
    return value.reshape(()) if value.numel() == 1 else value


def _shown(**values) -> str:
    """Curvatures and other values as a text. Several values are shown by their shape."""
    if not all(map(is_plain, values.values())):
        return ""
    return ", ".join(f"{name}={x.item():.9g}" if x.numel() == 1 else f"{name} of shape {tuple(x.shape)}"
                     for name, x in values.items())


class _Curved(Manifold):
    """A manifold that keeps its curvature, as a number or as a parameter."""

    def __init__(self, name: str, value: torch.Tensor, learnable: bool):
        super().__init__()
        self._name = name
        if learnable:
            setattr(self, name, torch.nn.Parameter(value))
        else:
            self.register_buffer(name, value, persistent=False)


def _given(who: str, **choices) -> tuple[str, float]:
    """The name and value of the curvature, which may be given by one of several names."""
    given = {name: value for name, value in choices.items() if value is not None}
    if len(given) > 1:
        raise TypeError(f"{who}: {' and '.join(given)} are given, which mean the same; give only one of them")
    return next(iter(given.items())) if given else ("c", 1.0)


def _has_radius(square):
    """Whether the square of a radius, or its inverse, is that of a radius which the library takes."""
    return (2.0**-300 <= square) & (square <= 2.0**300)


class _Hyperbolic(_Curved):
    """Models of hyperbolic space of curvature k = -c, which is -1 / radius^2. One of the three is given; the default is
    c = 1. A learnable c is softplus of the parameter isp_c, as in geoopt, so that it stays positive."""

    def __init__(self, c=None, learnable: bool = False, *, k=None, radius=None):
        who = type(self).__name__
        what, given = _given(who, c=c, k=k, radius=radius)
        to_c = {"c": lambda x: x, "k": lambda x: -x, "radius": lambda x: torch.where(x > 0, x**-2, 0)}[what]
        if not are_given(given, lambda x: _has_radius(to_c(x))):
            raise ValueError(f"{who}: {what} = {given} does not give a hyperbolic space: c and radius must be above 0, "
                             "k below 0, and the radius must be 2^-150 to 2^150")
        c = to_c(_numbers(given))
        super().__init__("isp_c" if learnable else "_c", c.expm1().log() if learnable else c, learnable)

    @property
    def c(self):
        """The negative of the curvature."""
        return functional.softplus(self.isp_c) if self._name == "isp_c" else self._c

    @property
    def k(self):
        """The curvature."""
        return -self.c

    @property
    def radius(self):
        """The radius, the unit of length in which the curvature is -1."""
        return self.c.rsqrt()

    def _of_model(self):
        return self.radius

    def extra_repr(self) -> str:
        return _shown(c=self.c, radius=self.radius)

    def _hyperbolic(self, name: str):
        return self.model, self.radius


class _Gyro(Manifold):
    """Methods that the ball and the stereographic models have beside the operations of the library."""

    def dist2plane(self, x, p, a, *, dim: int = -1, keepdim: bool = False, signed: bool = False, scaled: bool = False):
        """The distance of x from the plane through p with the normal vector a. With ``signed`` it has its sign, with
        ``scaled`` it is multiplied by the length of a."""
        result = self._operate("dist2plane", (x, p, a), dim, keepdim, self._hyperbolic("dist2plane"))
        if scaled:
            result = result * a.norm(dim=dim, keepdim=keepdim)
        return result if signed else result.abs()

    def mobius_matvec(self, m, x, *, dim: int = -1, project: bool = True):
        """m (x) x for a matrix: expmap0(m logmap0(x))."""
        if m.dim() < 2 or (m.dim() > 2 and dim not in (-1, x.dim() - 1)):
            raise ValueError(f"mobius_matvec: m of shape {tuple(m.shape)}; a matrix is taken or, for coordinates in "
                             "the last dimension, several that broadcast with the points")
        return self.mobius_fn_apply(lambda u: (m @ u.movedim(dim, -1).unsqueeze(-1)).squeeze(-1).movedim(-1, dim), x,
                                    dim=dim)

    def mobius_fn_apply(self, fn, x, *args, dim: int = -1, project: bool = True, **options):
        """expmap0(fn(logmap0(x), ...))."""
        return self.expmap0(fn(self.logmap0(x, dim=dim), *args, **options), dim=dim)

    def mobius_fn_apply_chain(self, x, *fns, dim: int = -1, project: bool = True):
        """expmap0 of the functions, applied one after the other to logmap0(x)."""
        if not fns:
            return x
        u = self.logmap0(x, dim=dim)
        for fn in fns:
            u = fn(u)
        return self.expmap0(u, dim=dim)

    def antipode(self, x, *, dim: int = -1, project: bool = True):
        """The farthest point of a sphere. It is NaN for the origin, because the antipode of the origin is not in the
        model. For other curvatures it is -x, as in geoopt."""
        z = x.double()
        square = torch.where(self.k > 0, self.k * z.square().sum(dim, keepdim=True), 1)
        return (-z / square).to(x.dtype)

    def _root(self, name: str):
        """The root of |k|, where k must not be 0."""
        if not is_plain(self.k) or (self.k == 0).any():
            raise NotImplementedError(f"{name} exists for curvatures other than 0 only, and not in a program that is "
                                      "compiled or mapped")
        return self.k.abs().sqrt()

    def inv_sproj(self, x, *, dim: int = -1):
        """Maps points of the model to points of the sphere or hyperboloid, in a space of one dimension more. The added
        coordinate comes last."""
        factor, z = self.lambda_x(x, dim=dim, keepdim=True).double(), x.double()
        return torch.cat([factor * z, (factor - 1) / self._root("inv_sproj")], dim).to(x.dtype)

    def sproj(self, x, *, dim: int = -1):
        """The inverse of inv_sproj."""
        size = x.shape[dim] - 1
        place, height = x.double().split([size, 1], dim)
        return (place / (1 + self._root("sproj") * height)).to(x.dtype)

    def wrapped_normal(self, *size, mean, std=1, dtype=None, device=None):
        """Random points around mean: expmap of vectors with normal coordinates, divided by lambda_x."""
        v = torch.randn(self._size(size), dtype=mean.dtype if dtype is None else dtype,
                        device=mean.device if device is None else device) * std
        return self._points(self.expmap(mean, v / self.lambda_x(mean, keepdim=True)))


class PoincareBall(_Gyro, _Hyperbolic):
    """Points whose norm is below the radius."""

    model = "PoincareBall"


class _Exact:
    """The models that geoopt calls exact: retr is expmap."""

    reversible = True

    def retr(self, x, u, *, dim: int = -1):
        """expmap."""
        return self.expmap(x, u, dim=dim)


class PoincareBallExact(_Exact, PoincareBall):
    """PoincareBall with expmap as retr."""


class HalfSpace(_Hyperbolic):
    """Points whose last coordinate along dim, the height, is positive."""

    model = "HalfSpace"


class Lorentz(_Curved):
    """Points of the hyperboloid, with the time first. ``k`` is geoopt's: the square of the radius. The curvature is -1
    / k = -1 / radius^2."""

    model = "Lorentz"
    reversible = True

    def __init__(self, k=None, learnable: bool = False, *, c=None, radius=None):
        what, given = _given("Lorentz", k=k, c=c, radius=radius)
        to_k = {"k": lambda x: x, "c": lambda x: 1 / x, "radius": lambda x: torch.where(x > 0, x**2, 0)}[what]
        if not are_given(given, lambda x: _has_radius(to_k(x))):
            raise ValueError(f"Lorentz: {what} = {given}; k is geoopt's, the square of the radius, c is 1 / k: all "
                             "must be above 0, and the radius must be 2^-150 to 2^150")
        super().__init__("k", to_k(_numbers(given)), learnable)

    @property
    def c(self):
        """The negative of the curvature."""
        return 1 / self.k

    @property
    def radius(self):
        """The radius, the unit of length in which the curvature is -1."""
        return self.k.sqrt()

    def _of_model(self):
        return self.radius

    def extra_repr(self) -> str:
        return _shown(k=self.k, radius=self.radius)

    def _hyperbolic(self, name: str):
        return self.model, self.radius

    def norm(self, x, u=None, *, keepdim: bool = False, dim: int = -1):
        """The length of u at x. It also takes geoopt's norm(u), because the length of a tangent vector does not depend
        on x."""
        if u is None:
            time, space = x.narrow(dim, 0, 1), x.narrow(dim, 1, x.shape[dim] - 1)
            return (space.square().sum(dim, keepdim) - time.square().sum(dim, keepdim)).clamp_min(0).sqrt()
        return self._operate("norm", (x, u), dim, keepdim)

    def expmap(self, x, u, *, norm_tan: bool = True, dim: int = -1, project: bool = True):
        """The end of the geodesic from x along u. With ``norm_tan`` it first takes proju of u."""
        return super().expmap(x, self.proju(x, u, dim=dim) if norm_tan else u, dim=dim)

    def retr(self, x, u, *, dim: int = -1):
        """expmap, as in geoopt."""
        return self.expmap(x, u, dim=dim)

    def inner(self, x, u, v=None, *, keepdim: bool = False, dim: int = -1):
        """The inner product of u and v, tangent vectors at x. Without x it is the form of the surrounding space, for
        any vectors."""
        if x is not None:
            return super().inner(x, u, v, keepdim=keepdim, dim=dim)
        products = u.double() * (u if v is None else v)
        time, space = products.split([1, products.shape[dim] - 1], dim)
        return (space.sum(dim, keepdim) - time.sum(dim, keepdim)).to(u.dtype)

    def inner0(self, v, *, keepdim: bool = False, dim: int = -1):
        """The inner product of v and the origin."""
        product = -self.radius.to(v.dtype) * v.narrow(dim, 0, 1)
        return product if keepdim else product.squeeze(dim)

    def logmap0back(self, x, *, dim: int = -1):
        """logmap of the origin, at x."""
        return self.logmap(x, self.expmap0(torch.zeros_like(x), dim=dim), dim=dim)

    def _tangent0(self, size, mean, std, dtype, device):
        if size[-1] < 2:
            raise ValueError(f"Lorentz: points of shape {tuple(size)}; the last dimension must be at least 2, a time "
                             "and a place")
        space = super()._tangent0((*size[:-1], size[-1] - 1), mean, std, dtype, device)
        return functional.pad(space, (1, 0))


class Stereographic(_Gyro, _Curved):
    """The stereographic model of a curvature of any sign: a ball, flat space with doubled lengths, or a sphere without
    one point."""

    model = "Stereographic"

    def __init__(self, k=0.0, learnable: bool = False):
        if not are_given(k, torch.isfinite):
            raise ValueError(f"{type(self).__name__}: k = {k} is not finite")
        super().__init__("k", _numbers(k), learnable)

    @property
    def radius(self):
        """The root of 1 / |k|; infinite for a curvature of 0."""
        return self.k.abs().rsqrt()

    def _of_model(self):
        return self.k

    def extra_repr(self) -> str:
        return _shown(k=self.k)

    def mobius_coadd(self, x, y, *, dim: int = -1, project: bool = True):
        """x [+] y = x (+) gyr[x, -y] y."""
        return self.mobius_add(x, self.gyration(x, -y, y, dim=dim), dim=dim)

    def mobius_cosub(self, x, y, *, dim: int = -1, project: bool = True):
        """x [-] y."""
        return self.mobius_coadd(x, -y, dim=dim)

    def mobius_pointwise_mul(self, w, x, *, dim: int = -1, project: bool = True):
        """w (x) x, coordinate by coordinate."""
        return self.mobius_fn_apply(lambda u: w * u, x, dim=dim)

    def _hyperbolic(self, name: str):
        if not is_plain(self.k) or (self.k >= 0).any():
            raise NotImplementedError(f"{name} exists for a Stereographic of a curvature below 0 only, and not in a "
                                      "program that is compiled or mapped")
        return "PoincareBall", (-self.k).rsqrt()


class SphereProjection(Stereographic):
    """A Stereographic of positive curvature."""

    def __init__(self, k=1.0, learnable: bool = False):
        if not are_given(k, lambda x: x > 0):
            raise ValueError(f"SphereProjection: k = {k} is not above 0")
        super().__init__(k, learnable)


class StereographicExact(_Exact, Stereographic):
    """Stereographic with expmap as retr."""


class SphereProjectionExact(_Exact, SphereProjection):
    """SphereProjection with expmap as retr."""


class Sphere(Manifold):
    """Points of norm 1."""

    model = "Sphere"

    def __init__(self, intersection=None, complement=None):
        if intersection is not None or complement is not None:
            raise NotImplementedError("Sphere: intersection and complement are not supported, only the whole sphere is")
        super().__init__()

    def random_normal(self, *size, dtype=None, device=None):
        """Random points, uniformly distributed."""
        return self._points(self.projx(torch.randn(self._size(size), dtype=dtype, device=device)))

    random_uniform = random_normal


class SphereExact(_Exact, Sphere):
    """Sphere with expmap as retr."""


class Euclidean(Manifold):
    """Any points. The last ``ndim`` dimensions are a point; by default a point is a number, as in geoopt."""

    model = "Euclidean"
    reversible = True

    def __init__(self, ndim: int = 0):
        if whole_number("ndim", ndim) < 0:
            raise ValueError(f"Euclidean: ndim = {ndim} is not at least 0")
        super().__init__()
        self.ndim = ndim

    def _operate(self, name, operands, dim=-1, keepdim=False, of=None):
        if self.ndim == 1:
            return super()._operate(name, operands, dim, keepdim, of)
        if dim != -1:
            raise ValueError(f"{name}: dim = {dim}; only -1 is possible, because points of {self!r} are the last "
                             "dimensions")
        operands = [x if isinstance(x, torch.Tensor) else torch.as_tensor(x, dtype=torch.float64) for x in operands]
        # one number may serve all points
        alone = [kind == "n" and x.dim() == 0 for x, kind in zip(operands, KINDS[name])]
        if any(x.dim() < self.ndim and not one for x, one in zip(operands, alone)):
            raise ValueError(f"{name}: operands of shapes {', '.join(str(tuple(x.shape)) for x in operands)} have "
                             f"fewer dimensions than points of {self!r}")
        # one dimension of coordinates, of size 1 for a number that broadcasts
        flat = [x if one else x.reshape((*x.shape[:x.dim() - self.ndim], math.prod(x.shape[x.dim() - self.ndim:])))
                for x, one in zip(operands, alone)]
        result = super()._operate(name, flat)
        if RESULTS[name] == "number":
            return result[(..., *(None,) * self.ndim)] if keepdim else result
        points = next(x for x, kind in zip(operands, KINDS[name]) if kind == "p")
        return result.reshape(result.shape[:-1] + points.shape[points.dim() - self.ndim:])

    def extra_repr(self) -> str:
        return f"ndim={self.ndim}"

    def random_normal(self, *size, mean=0.0, std=1.0, dtype=None, device=None):
        """Points with normal coordinates."""
        return self._points(torch.randn(self._size(size), dtype=dtype, device=device) * std + mean)


for _class in (PoincareBall, HalfSpace, Lorentz, Stereographic, Sphere, Euclidean):
    add_operations(_class)
ManifoldTensor.usual = Euclidean
