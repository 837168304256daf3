"""Optimizers of PyTorch whose parameters stay on their manifolds, with geoopt's names."""
from __future__ import annotations

import torch

from ..._arguments import number, two_numbers
from ..._torch_steps import StepByParameter

__all__ = ["RiemannianAdam", "RiemannianSGD", "SparseRiemannianAdam", "SparseRiemannianSGD"]


def _at_least_0(who: str, **options) -> None:
    for name, value in options.items():
        if not 0 <= number(name, value) < float("inf"):
            raise ValueError(f"{who}: {name} = {value!r} is not a finite number of at least 0")


class _Flat:
    """Parameters without a manifold: tensors of any shape, on any device."""

    egrad2rgrad = staticmethod(lambda x, grad: grad)
    component_inner = staticmethod(lambda x, u: u * u)
    retr = staticmethod(torch.add)
    retr_transp = staticmethod(lambda x, u, v: (x + u, v))
    projx = staticmethod(lambda x: x)
    proju = staticmethod(lambda x, u: u)


class _Riemannian(StepByParameter):
    """The step of rows: all rows of a parameter, or the rows of its sparse gradient."""

    #: the states that are tangent vectors at the point
    _vectors: tuple = ()

    def __init__(self, params, defaults, stabilize):
        super().__init__(params, {**defaults, "stabilize": stabilize})

    def _step_parameter(self, p, group) -> None:
        manifold, state, grad = getattr(p, "manifold", _Flat), self.state[p], p.grad
        rows = None
        if grad.is_sparse:
            grad = grad.coalesce()
            if grad.sparse_dim() != 1:
                raise ValueError(f"{type(self).__name__}: a gradient with {grad.sparse_dim()} sparse dimensions, "
                                 "expected one, that of rows, as nn.Embedding(sparse=True) makes it")
            if any(k.dim() >= p.dim() and k.shape[-p.dim()] > 1
                   for k in (() if manifold is _Flat else (*manifold.parameters(), *manifold.buffers()))):
                raise ValueError(f"{type(self).__name__}: a sparse gradient is not supported for points whose "
                                 "curvatures differ by row")
            rows, grad = grad.indices()[0], grad.values()
        if not state:
            state["step"] = 0
            for name in self._states(group):
                state[name] = torch.zeros_like(p, memory_format=torch.preserve_format).as_subclass(torch.Tensor)
        state["step"] += 1
        whole = {name: x for name, x in state.items() if name != "step"}
        held = whole if rows is None else {name: x[rows] for name, x in whole.items()}
        x = p.detach().as_subclass(torch.Tensor)
        point = x if rows is None else x[rows]
        if group["weight_decay"]:
            grad = grad.add(point, alpha=group["weight_decay"])
        moved, held = self._move(manifold, point, manifold.egrad2rgrad(point, grad), held, group, state["step"])
        if group["stabilize"] and state["step"] % group["stabilize"] == 0:
            moved, held = self._on_manifold(manifold, moved, held)
        for target, value in ((p, moved), *((whole[name], value) for name, value in held.items())):
            if rows is None:
                target.copy_(value)
            else:
                target.index_copy_(0, rows, value)

    def _on_manifold(self, manifold, point, held):
        point = manifold.projx(point)
        return point, {name: manifold.proju(point, x) if name in self._vectors else x for name, x in held.items()}

    @torch.no_grad()
    def stabilize(self) -> None:
        """Projects points to the manifold, and their moments to the tangent spaces."""
        for group in self.param_groups:
            for p in group["params"]:
                if hasattr(p, "manifold"):
                    held = {name: x for name, x in self.state[p].items() if name != "step"} if p in self.state else {}
                    point, new = self._on_manifold(p.manifold, p.detach().as_subclass(torch.Tensor), held)
                    p.copy_(point)
                    for name, x in new.items():
                        held[name].copy_(x)


class RiemannianSGD(_Riemannian):
    """Riemannian stochastic gradient descent. The momentum is transported with the points. ``weight_decay`` adds the
    coordinates to the gradient, as in geoopt. A sparse gradient moves and decays only its rows."""

    _vectors = ("momentum_buffer",)

    def __init__(self, params, lr: float = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
                 nesterov: bool = False, stabilize: int | None = None):
        _at_least_0("RiemannianSGD", lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum == 0 or dampening != 0):
            raise ValueError("RiemannianSGD: nesterov needs a momentum, and a dampening of 0")
        super().__init__(params, {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                                  "nesterov": nesterov}, stabilize)

    def _states(self, group):
        return self._vectors if group["momentum"] else ()

    def _move(self, manifold, x, grad, held, group, step):
        if not group["momentum"]:
            return manifold.retr(x, grad * -group["lr"]), held
        part = 1 if step == 1 else 1 - group["dampening"]
        b = held["momentum_buffer"] * group["momentum"] + grad * part
        direction = grad + b * group["momentum"] if group["nesterov"] else b
        moved, b = manifold.retr_transp(x, direction * -group["lr"], b)
        return moved, {"momentum_buffer": b}


class RiemannianAdam(_Riemannian):
    """Riemannian Adam. The second moment averages the squared length of the gradient at the point. The first moment is
    transported with the point. ``weight_decay`` adds the coordinates to the gradient, as in geoopt. A sparse gradient
    changes only its rows and their moments."""

    _vectors = ("exp_avg",)

    def __init__(self, params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0, amsgrad: bool = False, *, stabilize: int | None = None):
        _at_least_0("RiemannianAdam", lr=lr, eps=eps, weight_decay=weight_decay)
        if not all(0 <= beta < 1 for beta in two_numbers("betas", betas)):
            raise ValueError(f"RiemannianAdam: betas {betas!r} are not both in [0, 1)")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "amsgrad": amsgrad}, stabilize)

    def _states(self, group):
        return ("exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if group["amsgrad"] else ()))

    def _move(self, manifold, x, grad, held, group, step):
        (beta1, beta2), held = group["betas"], dict(held)
        m = held["exp_avg"] * beta1 + grad * (1 - beta1)
        v = held["exp_avg_sq"] * beta2 + manifold.component_inner(x, grad) * (1 - beta2)
        held["exp_avg_sq"] = largest = v
        if group["amsgrad"]:
            held["max_exp_avg_sq"] = largest = torch.maximum(held["max_exp_avg_sq"], v)
        direction = m / (1 - beta1**step) / ((largest / (1 - beta2**step)).sqrt() + group["eps"])
        moved, held["exp_avg"] = manifold.retr_transp(x, direction * -group["lr"], m)
        return moved, held


#: geoopt has separate optimizers for sparse gradients; here every optimizer takes them
SparseRiemannianSGD, SparseRiemannianAdam = RiemannianSGD, RiemannianAdam
