"""Converts the options of MCAdamW's groups to options of the library's step."""
from __future__ import annotations

import math

import torch

from . import _core
from . import _torch_device as device
from . import _torch_shards as shards
from ._arguments import number, set_option, two_numbers, word
from .optim import STRATEGIES, _enumerator

#: a rate of at most this part of the schedule's peak is a rounding error and counts as 0
ROUNDING_OF_RATES = 1e-12

#: torch.optim.AdamW's options of implementation. MCAdamW always makes one pass over all parameters.
IMPLEMENTATION = {"foreach": None, "capturable": False, "differentiable": False, "fused": None}


def check_names(group) -> None:
    """Raises errors for options of PyTorch that are not supported, and for values that do not exist."""
    if group["capturable"] and any(device.number_of(p) < 0 for p in group["params"]):
        raise ValueError("MCAdamW: capturable=True is not possible: the step runs on the CPU, so no CUDA graph can "
                         "hold it")
    if group["differentiable"]:
        raise ValueError("MCAdamW: differentiable=True is not possible: autograd does not see the step")
    if group["fused"] and group["foreach"]:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")  # as PyTorch says
    for name in ("maximize", "amsgrad"):
        if not isinstance(group[name], bool):
            raise TypeError(f"{name} must be a bool, not {group[name]!r}")
    if group["strategy"] not in ("auto", *STRATEGIES):
        raise ValueError(f"MCAdamW: there is no strategy '{group['strategy']}'"
                         + (_core.successor_of(word(group["strategy"])) or f"; choose auto, {', '.join(STRATEGIES)}"))


def peak_of(group, number=number) -> float:
    """The largest known rate of the group's schedule, among the rate that PyTorch's scheduler names beforehand (max_lr
    of OneCycleLR, initial_lr of others), the group's ``peak_lr``, and the present rate, unless that is in the memory of
    a device. ``number(name, value)`` reads a rate."""
    named = "max_lr" if "max_lr" in group else "initial_lr"
    rates = [number(name, group[name]) for name in (named, "peak_lr") if group.get(name) is not None]
    if not all(map(math.isfinite, rates)):
        raise ValueError(f"MCAdamW: the peak of the rates, {named} or peak_lr, is {max(rates)}, which is not finite")
    if not device.has_rate(group):
        rates.append(number("lr", group["lr"]))
    elif group["decay_mode"] == "decoupled" and not rates:
        raise ValueError("MCAdamW: decay_mode 'decoupled' takes its part of the largest rate, which an lr on "
                         f"{group['lr'].device} does not say; name it as peak_lr")
    return max(*rates, 0.0, 0.0)


def set_step_options(options: _core.AdamWOptions, group, peak: float, grad_scale: float, metrics: bool) -> None:
    """Sets the options of a group's step. ``peak`` is the peak of its schedule. Raises TypeError and ValueError for
    impossible options. A rate in the memory of a device is read there."""
    lr = 0.0 if device.has_rate(group) else number("lr", group["lr"])
    if abs(lr) <= ROUNDING_OF_RATES * peak < math.inf:  # the library refuses an infinite rate
        lr = 0.0
    options.lr = lr
    options.beta1, options.beta2 = two_numbers("betas", group["betas"])
    options.schedule = lr / peak if peak > 0 else 1.0
    options.grad_scale = -grad_scale if group["maximize"] else grad_scale
    for name in ("eps", "weight_decay", "seed"):
        set_option(options, name, group[name])
    for name in ("decay_mode", "arithmetic"):
        set_option(options, name, _enumerator(name, group[name]))
    set_option(options, "metrics", metrics)


def norm_limit(max_grad_norm, batches=()) -> float | None:
    """The norm to which gradients are clipped; None stands for no limit. Raises ValueError for a limit that is not
    positive, and for sharded parameters, because each process has only a part of the norm."""
    if max_grad_norm is None:
        return None
    limit = number("max_grad_norm", max_grad_norm)
    if not limit > 0:
        raise ValueError(f"MCAdamW: max_grad_norm {max_grad_norm!r} is not positive")
    if any(shards.is_sharded(p) for batch in batches for p in batch.parameters):
        raise ValueError("MCAdamW: max_grad_norm of sharded parameters, of whose gradients this process has a part; "
                         "take torch.nn.utils.clip_grad_norm_")
    return limit


def clipped(max_grad_norm, batches, scale: float) -> float:
    """The factor of gradients on the CPU: the scale, reduced if their norm is above the limit."""
    limit = norm_limit(max_grad_norm, batches)
    if limit is None:
        return scale
    norms = [float(torch.linalg.vector_norm(grad, dtype=torch.float64)) for batch in batches for grad in batch.grads]
    norm = math.hypot(*norms) * abs(scale)
    return scale * limit / norm if math.isfinite(norm) and norm > limit else scale
