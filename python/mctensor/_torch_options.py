"""The options of MCAdamW's groups as numbers of the library's step."""
from __future__ import annotations

from . import _core
from ._arguments import number, set_option
from .optim import STRATEGIES, _enumerator

#: a rate of at most this part of the schedule's peak is rounding: it is taken as 0
ROUNDING_OF_RATES = 1e-12

#: torch.optim.AdamW's options of implementation. One pass over all parameters is what MCAdamW does.
IMPLEMENTATION = {"foreach": None, "capturable": False, "differentiable": False, "fused": None}


def check_names(group) -> None:
    """Raises for options of PyTorch that cannot be had, and for what is no option at all."""
    if group["capturable"]:
        raise ValueError("MCAdamW: capturable: the step is no part of a CUDA graph, it runs on the CPU")
    if group["differentiable"]:
        raise ValueError("MCAdamW: differentiable: autograd does not see the step, nothing can be differentiated "
                         "through it")
    if group["fused"] and group["foreach"]:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")  # as PyTorch says
    if not isinstance(group["maximize"], bool):
        raise TypeError(f"maximize must be a bool, not {group['maximize']!r}")
    if group["strategy"] not in ("auto", *STRATEGIES):
        raise ValueError(f"MCAdamW: no strategy '{group['strategy']}': auto, {', '.join(STRATEGIES)}")


def betas_of(group) -> tuple[float, float]:
    """Both betas. Raises TypeError for what is not two numbers."""
    betas = group["betas"]
    try:
        beta1, beta2 = betas
    except (TypeError, ValueError):
        raise TypeError(f"betas must be two numbers, as (0.9, 0.999), not {betas!r}") from None
    return number("betas[0]", beta1), number("betas[1]", beta2)


def peak_of(group) -> float:
    """The largest rate of the group's schedule: what is known of it, which the group keeps as ``peak_lr``. A schedule
    of PyTorch names it beforehand, as max_lr (OneCycleLR) or initial_lr; else it is the largest rate so far."""
    known = group.get("max_lr", group.get("initial_lr"))
    peak = max(number("lr", group["lr"]), *(number("peak_lr", x) for x in (known, group["peak_lr"]) if x is not None),
               0.0)
    return peak


def set_step_options(options: _core.AdamWOptions, group, grad_scale: float, metrics: bool) -> None:
    """The numbers of a group's step. Raises TypeError and ValueError for those that are impossible."""
    lr, peak = number("lr", group["lr"]), peak_of(group)
    if abs(lr) <= ROUNDING_OF_RATES * peak:
        lr = 0.0
    options.lr = lr
    options.beta1, options.beta2 = betas_of(group)
    options.schedule = lr / peak if peak > 0 else 1.0
    options.grad_scale = -grad_scale if group["maximize"] else grad_scale
    for name in ("eps", "weight_decay", "seed"):
        set_option(options, name, group[name])
    for name in ("decay_mode", "arithmetic"):
        set_option(options, name, _enumerator(name, group[name]))
    set_option(options, "metrics", metrics)
