"""Products of manifolds as modules of PyTorch, with geoopt's names."""
from __future__ import annotations

import math

import torch

from .base import KINDS, RESULTS, TRANSPORTS, Manifold, add_operations, shape_of
from .manifolds import Stereographic, _Gyro


class ProductManifold(Manifold):
    """``ProductManifold((PoincareBall(), 2), (Sphere(), (3, 4)), (Euclidean(), ()))``: each part is a manifold and the
    shape of its coordinates. The last dimension of points has the coordinates of the parts side by side. The product
    has the operations that all parts have."""

    #: the class of the manifolds of the parts
    _of = Manifold

    def __init__(self, *manifolds_with_shape):
        super().__init__()
        if not manifolds_with_shape:
            raise ValueError(f"{self.name}: the list of parts is empty")
        self.shapes, self.slices, end = [], [], 0
        for i, part in enumerate(manifolds_with_shape):
            if not isinstance(part, (tuple, list)) or len(part) != 2 or not ismanifold(part[0], self._of):
                raise TypeError(f"{self.name}: part {i} is not ({self._of.__name__}, shape)")
            manifold, shape = part[0], shape_of((part[1],))
            if len(shape) < manifold.ndim or not all(isinstance(n, int) and n > 0 for n in shape):
                raise ValueError(f"{self.name}: part {i} of shape {shape}; points of {manifold!r} have {manifold.ndim} "
                                 "dimensions")
            self.shapes.append(shape)
            self.slices.append(slice(end, end + math.prod(shape)))
            end += math.prod(shape)
        self.n_elements, self.n_manifolds = end, len(self.shapes)
        self.manifolds = torch.nn.ModuleList(manifold for manifold, _ in manifolds_with_shape)

    @classmethod
    def from_point(cls, *parts, batch_dims: int = 0):
        """The product of the manifolds of these points. The first ``batch_dims`` dimensions of the points are their
        batch."""
        if len({tuple(x.shape[:batch_dims]) for x in parts}) > 1:
            raise ValueError(f"{cls.__name__}: parts of shapes {', '.join(str(tuple(x.shape)) for x in parts)}; their "
                             f"first {batch_dims} dimensions must be equal")
        return cls(*((x.manifold, tuple(x.shape[batch_dims:])) for x in parts))

    @property
    def name(self) -> str:
        """The names of the parts."""
        return "x".join(f"({manifold.name})" for manifold in self.manifolds) if "manifolds" in self._modules \
            else type(self).__name__

    @property
    def reversible(self) -> bool:
        return all(manifold.reversible for manifold in self.manifolds)

    def __repr__(self) -> str:
        parts = (f"({manifold!r}, {shape})" for manifold, shape in zip(self.manifolds, self.shapes))
        return f"{type(self).__name__}({', '.join(parts)})"

    def _shape_fault(self, x):
        if x.dim() and x.shape[-1] == self.n_elements:
            return None
        return f"shape {tuple(x.shape)} does not fit points of {self.name}: they have {self.n_elements} elements in " \
               "the last dimension"

    def take_submanifold_value(self, x, i: int, reshape: bool = True):
        """The coordinates of part i of x, in the shape of the part."""
        self.assert_check_point(x)
        part = x[..., self.slices[i]]
        return part.reshape(*part.shape[:-1], *self.shapes[i]) if reshape else part

    def unpack_tensor(self, tensor):
        """The coordinates of all parts."""
        return tuple(self.take_submanifold_value(tensor, i) for i in range(self.n_manifolds))

    def pack_point(self, *tensors):
        """The point with these coordinates of the parts."""
        if len(tensors) != self.n_manifolds:
            raise ValueError(f"pack_point: {len(tensors)} parts are given, expected {self.n_manifolds}")
        flat = []
        for i, (x, shape) in enumerate(zip(tensors, self.shapes)):
            if tuple(x.shape[x.dim() - len(shape):]) != shape or x.dim() < len(shape):
                raise ValueError(f"pack_point: part {i} of shape {tuple(x.shape)}, not (..., {str(shape)[1:]}")
            flat.append(x.reshape(*x.shape[:x.dim() - len(shape)], math.prod(shape)))
        batch = torch.broadcast_shapes(*(x.shape[:-1] for x in flat))
        return torch.cat([x.expand(*batch, -1) for x in flat], -1)

    def _number_of(self, name: str, t, i: int):
        """A number for each point, with the dimensions that part i has."""
        if not isinstance(t, torch.Tensor) or t.dim() == 0:
            return t
        t = self._number_at(name, t, -1)
        return t[(..., *(None,) * len(self.shapes[i]))]

    def _operate(self, name, operands, dim=-1, keepdim=False, of=None):
        kinds, method = KINDS[name], TRANSPORTS.get(name, name)
        most = max(x.dim() for x, kind in zip(operands, kinds) if kind == "p")
        if dim not in (-1, most - 1):
            raise ValueError(f"{name}: dim = {dim}; only -1 is possible, because the last dimension of a product has "
                             "its elements")
        is_number = RESULTS[name] == "number"
        each = []
        for i, manifold in enumerate(self.manifolds):
            if not hasattr(manifold, method):
                raise NotImplementedError(f"{self.name} has no {method}: part {i} has none")
            own = [self.take_submanifold_value(x, i) if kind == "p" else self._number_of(name, x, i)
                   for x, kind in zip(operands, kinds)]
            each.append(getattr(manifold, method)(*own, **({"keepdim": True} if is_number else {})))
        if not is_number:
            return self.pack_point(*each)
        # a part may have several points, with one number each
        flat = [x.flatten(x.dim() - len(shape)) if shape else x.unsqueeze(-1) for x, shape in zip(each, self.shapes)]
        batch = torch.broadcast_shapes(*(x.shape[:-1] for x in flat))
        numbers = torch.cat([x.expand(*batch, -1) for x in flat], -1)
        if name in ("dist2", "inner"):
            return numbers.sum(-1, keepdim)
        # if all are 0, the derivative is 0
        return torch.linalg.vector_norm(numbers, dim=-1, keepdim=keepdim)

    def random_combined(self, *size, dtype=None, device=None):
        """Random points, made of random points of the parts."""
        return self._of_parts("random", size, dtype=dtype, device=device)

    random = random_normal = random_combined

    def origin(self, *size, dtype=None, device=None, seed=42):
        """Points made of the origins of the parts."""
        return self._of_parts("origin", size, dtype=dtype, device=device, seed=seed)

    def _of_parts(self, name: str, size, **options):
        size = self._size(size)
        return self._points(self.pack_point(*(
            torch.Tensor.as_subclass(getattr(manifold, name)((*size[:-1], *shape), **options), torch.Tensor)
            for manifold, shape in zip(self.manifolds, self.shapes))))


add_operations(ProductManifold, ("dist", "dist2", "dist0", "norm", "logmap", "logmap0", "retr", "ptransp", "ptransp0",
                                 "ptransp0back", "projx", "egrad2rgrad", "geodesic", "mobius_add", "mobius_sub",
                                 "mobius_coadd", "mobius_cosub", "mobius_scalar_mul", "mobius_pointwise_mul",
                                 "gyration", "antipode"))


class StereographicProductManifold(ProductManifold):
    """A product of balls, stereographic models and sphere projections."""

    _of = _Gyro

    def take_submanifold_matrix(self, x, i: int, reshape: bool = True):
        """The diagonal block of matrices that belongs to part i."""
        part = x[..., self.slices[i], self.slices[i]]
        return part.reshape(*part.shape[:-2], *self.shapes[i], *self.shapes[i]) if reshape else part

    def dist2plane(self, x, p, a, *, dim: int = -1, keepdim: bool = False, signed: bool = False, scaled: bool = False):
        """The root of the sum of the squared distances of the parts."""
        parts = [manifold.dist2plane(*(self.take_submanifold_value(z, i) for z in (x, p, a)), keepdim=keepdim,
                                     signed=signed, scaled=scaled) for i, manifold in enumerate(self.manifolds)]
        return torch.linalg.vector_norm(torch.stack(torch.broadcast_tensors(*parts)), dim=0)

    def mobius_matvec(self, m, x, *, project: bool = True):
        """mobius_matvec of each part, with its block of m."""
        return self._apply("mobius_matvec", lambda i: (self.take_submanifold_matrix(m, i),
                                                       self.take_submanifold_value(x, i)))

    def mobius_fn_apply(self, fn, x, *args, project: bool = True, **options):
        """mobius_fn_apply of each part."""
        return self._apply("mobius_fn_apply", lambda i: (fn, self.take_submanifold_value(x, i), *args), **options)

    def mobius_fn_apply_chain(self, x, *fns, project: bool = True):
        """mobius_fn_apply_chain of each part."""
        return self._apply("mobius_fn_apply_chain", lambda i: (self.take_submanifold_value(x, i), *fns))

    def wrapped_normal(self, *size, mean, std=1, dtype=None, device=None):
        """Random points around mean."""
        size = self._size(size)
        std = torch.as_tensor(std, dtype=mean.dtype, device=mean.device).expand(self.n_elements)
        return self._points(self._apply("wrapped_normal", lambda i: ((*size[:-1], *self.shapes[i]),), each=lambda i: {
            "mean": self.take_submanifold_value(mean, i), "std": self.take_submanifold_value(std, i)},
            dtype=dtype, device=device))

    def _apply(self, name: str, operands, each=lambda i: {}, **options):
        return self.pack_point(*(torch.Tensor.as_subclass(getattr(manifold, name)(*operands(i), **each(i), **options),
                                                          torch.Tensor) for i, manifold in enumerate(self.manifolds)))


def ismanifold(instance, cls) -> bool:
    """Whether instance is a manifold of one of these classes, scaled or not."""
    from .scaled import Scaled

    while isinstance(instance, Scaled) and cls is not Scaled:
        instance = instance.base
    return isinstance(instance, cls)
