"""Tensors that know their manifold."""
from __future__ import annotations

import copy

import torch


class ManifoldTensor(torch.Tensor):
    """A tensor of points, by default of Euclidean(). Operations of PyTorch return plain tensors. Values that are not
    points raise ValueError."""

    __torch_function__ = torch._C._disabled_torch_function_impl
    #: makes the default manifold of points; manifolds.py sets it
    usual = None

    def __new__(cls, data=(), manifold=None, requires_grad: bool = False):
        own = getattr(data, "manifold", None)
        if manifold is not None and own is not None and own is not manifold:
            raise ValueError(f"{cls.__name__}: points of {own!r} are given for {manifold!r}")
        manifold = own if manifold is None else manifold
        if manifold is None:
            manifold = cls.usual()
        data = torch.as_tensor(data).detach()
        if not data.is_floating_point():
            data = data.to(torch.get_default_dtype())
        manifold.assert_check_point_on_manifold(data)
        return cls._of(data, manifold, requires_grad)

    @classmethod
    def _of(cls, data, manifold, requires_grad):
        points = torch.Tensor._make_subclass(cls, data, requires_grad)
        points.manifold = manifold
        return points

    def proj_(self):
        """Projects the points to the manifold, in place."""
        with torch.no_grad():
            return self.copy_(self.manifold.projx(self))

    def dist(self, other, p=2, **options):
        """torch.dist or, with ``p`` "g", the distance on the manifold."""
        return self.manifold.dist(self, other, **options) if p == "g" else super().dist(other, p)

    def unpack_tensor(self):
        """The parts of points of a product."""
        return self.manifold.unpack_tensor(self.as_subclass(torch.Tensor))

    def __repr__(self) -> str:
        return f"{type(self).__name__} on {self.manifold!r}:\n{torch.Tensor.__repr__(self)}"

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = self._of(self.detach().clone(memory_format=torch.preserve_format),
                                      copy.deepcopy(self.manifold, memo), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        plain = self.detach().as_subclass(torch.Tensor)
        return _rebuild, (type(self), plain, self.manifold, self.requires_grad)


def _rebuild(cls, data, manifold, requires_grad):
    return cls._of(data, manifold, requires_grad)


def _add_method(name: str) -> None:
    def method(self, *operands, **options):
        return getattr(self.manifold, name)(self, *operands, **options)

    method.__name__ = name
    method.__doc__ = f"{name} of the manifold at these points."
    setattr(ManifoldTensor, name, method)


for _name in ("retr", "expmap", "inner", "proju", "transp", "retr_transp", "expmap_transp", "transp_follow_expmap",
              "transp_follow_retr", "logmap"):
    _add_method(_name)


class ManifoldParameter(ManifoldTensor, torch.nn.Parameter):
    """A parameter of points, which torch.nn.Module lists and the optimizers of ``optim`` keep on the manifold."""

    def __new__(cls, data=(), manifold=None, requires_grad: bool = True):
        return super().__new__(cls, data, manifold, requires_grad)
