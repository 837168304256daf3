"""Optimizers of MCTensors, in the arithmetic of the parameters: their states and constants have as many components
(also a beta2 of 0.999 in float16). Gradients are plain. Names, defaults and formulas are those of torch.optim and of
C++ (mctensor/optim/sgd.hpp, adam.hpp). Plain parameters may be mixed with MCTensors.

They are optimizers of PyTorch, with its groups, schedulers, hooks and state_dict.
"""
from __future__ import annotations

import math

import torch

from .._torch_components import widened
from .._torch_mctensor import MCTensor, wrap
from .._torch_steps import StepByParameter

__all__ = ["MCAdam", "MCAdamW", "MCOptimizer", "MCSGD"]


def _require(title: str, **options) -> None:
    """Raises ValueError for an option that is negative, infinite or NaN."""
    for name, value in options.items():
        if not (value >= 0 and math.isfinite(value)):
            raise ValueError(f"{title}: {name} {value} is not a finite number of at least 0")


class MCOptimizer(StepByParameter):
    """The base of the optimizers."""

    def add_param_group(self, param_group) -> None:
        """Adds a group of parameters. Raises ValueError for impossible options."""
        super().add_param_group(param_group)
        try:
            self._check(self.param_groups[-1])
        except Exception:
            self.param_groups.pop()
            raise

    def _step_parameter(self, p, group) -> None:
        if p.grad.is_sparse:
            self._update_rows(group, p, p.grad.coalesce())
        else:
            self._update(group, p, _like(p, -p.grad if group["maximize"] else p.grad), self.state[p])

    def _update(self, group, p, grad, state) -> None:
        raise NotImplementedError

    def _update_rows(self, group, p, grad) -> None:
        raise TypeError(f"{type(self).__name__}: a sparse gradient; MCSGD takes it where there is no momentum and no "
                        "weight decay")


def _like(p, grad):
    """A gradient with as many components as its parameter."""
    if isinstance(p, MCTensor) and not isinstance(grad, MCTensor):
        return wrap(widened(grad.unsqueeze(0), p.nc))
    if isinstance(grad, MCTensor) and not isinstance(p, MCTensor):
        return grad.evaluate()
    return grad


class MCSGD(MCOptimizer):
    """torch.optim.SGD for MCTensors: g = grad + weight_decay p; b = momentum b + (1 - dampening) g, at first b = g; p
    -= lr b or, with Nesterov's momentum, p -= lr (g + momentum b)."""

    def __init__(self, params, lr: float = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
                 nesterov: bool = False, *, maximize: bool = False):
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                      nesterov=nesterov, maximize=maximize))

    def _check(self, group) -> None:
        _require("MCSGD", lr=float(group["lr"]), momentum=group["momentum"], weight_decay=group["weight_decay"])
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError("MCSGD: Nesterov's momentum wants a momentum and no dampening")

    def _update(self, group, p, grad, state) -> None:
        if group["weight_decay"] != 0:
            grad = grad + p * group["weight_decay"]
        momentum = group["momentum"]
        if momentum != 0:
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = grad.clone()
            else:
                state["momentum_buffer"].mul_(momentum).add_(grad * (1 - group["dampening"]))
            buffer = state["momentum_buffer"]
            grad = grad + buffer * momentum if group["nesterov"] else buffer
        p.sub_(grad * float(group["lr"]))

    def _update_rows(self, group, p, grad) -> None:
        if grad.sparse_dim() != 1:
            raise TypeError(f"MCSGD: a sparse gradient of {grad.sparse_dim()} sparse dimensions; one is taken, of rows")
        if group["momentum"] != 0 or group["weight_decay"] != 0:
            super()._update_rows(group, p, grad)
        places, rows = grad.indices()[0], p[grad.indices()[0]]
        step = _like(rows, -grad.values() if group["maximize"] else grad.values()) * float(group["lr"])
        p[places] = rows - step


class MCAdam(MCOptimizer):
    """torch.optim.Adam for MCTensors: m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2; p -= lr (m / (1 -
    beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps). AMSGrad replaces v by the largest v so far. Raises ValueError for an
    eps that the parameters' type rounds to 0 (float16: below 3e-8)."""

    def __init__(self, params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0, amsgrad: bool = False, *, maximize: bool = False):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                                      maximize=maximize))

    #: whether weight decay acts on parameters, not on gradients
    _is_decoupled = False

    def _check(self, group) -> None:
        title = type(self).__name__
        _require(title, lr=float(group["lr"]), eps=group["eps"], weight_decay=group["weight_decay"])
        for beta in group["betas"]:
            if not 0 <= beta < 1:
                raise ValueError(f"{title}: a beta of {beta} is not in [0, 1)")
        for p in group["params"]:
            if group["eps"] > 0 and not torch.tensor(group["eps"], dtype=p.dtype):
                raise ValueError(f"{title}: eps {group['eps']} is 0 in {p.dtype}; take at least 6e-8")

    def _update(self, group, p, grad, state) -> None:
        if not state:
            state["step"] = torch.tensor(0.0)
            state["exp_avg"], state["exp_avg_sq"] = torch.zeros_like(p), torch.zeros_like(p)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = torch.zeros_like(p)
        state["step"] += 1
        step, lr, decay = int(state["step"]), float(group["lr"]), group["weight_decay"]
        beta1, beta2 = group["betas"]
        if decay != 0 and not self._is_decoupled:
            grad = grad + p * decay
        state["exp_avg"].mul_(beta1).add_(grad * (1 - beta1))
        squares = state["exp_avg_sq"].mul_(beta2).add_(grad.square() * (1 - beta2))
        if group["amsgrad"]:
            squares = state["max_exp_avg_sq"].copy_(torch.maximum(state["max_exp_avg_sq"], squares))
        root = (squares / _correction(beta2, step)).sqrt() + group["eps"]
        update = state["exp_avg"] / _correction(beta1, step) / root
        if decay != 0 and self._is_decoupled:
            update = update + p * decay
        p.sub_(update * lr)


def _correction(beta: float, step: int) -> float:
    """1 - beta^step, without cancellation."""
    return -math.expm1(step * math.log(beta)) if beta > 0 else 1.0


class MCAdamW(MCAdam):
    """MCAdam whose weight decay acts on the parameters: p -= lr weight_decay p. As torch.optim.AdamW (Loshchilov,
    Hutter 2019). ``mctensor.torch.MCAdamW`` is a different optimizer: it steps plain 16-bit parameters and keeps the
    rest in its state."""

    _is_decoupled = True

    def __init__(self, params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.01, amsgrad: bool = False, *, maximize: bool = False):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
