"""Loads states of MCAdamW: its own states, and states of torch.optim.AdamW and of other strategies."""
from __future__ import annotations

import torch

from . import _core
from . import _torch_shards as shards
from . import _torch_state as states
from ._arguments import word
from ._torch_options import IMPLEMENTATION

#: states depend on these options, so a file must have the same
FIXED = ("strategy", "amsgrad", "format")
#: the entries of a state of torch.optim.AdamW, and their names here
TORCH_NAMES = {"exp_avg": "m", "exp_avg_sq": "v"}


def merged_groups(optimizer, file: dict, fixed: bool = True) -> list[dict]:
    """The groups of a file. Options that it does not have stay unchanged. Raises ValueError for groups of another shape
    and, with ``fixed``, of another strategy."""
    for key in ("state", "param_groups"):
        if key not in file:
            raise ValueError(f"MCAdamW: this is not a state of an optimizer: it has no entry {key}")
    groups = file["param_groups"]
    if len(groups) != len(optimizer.param_groups):
        raise ValueError(f"MCAdamW: the state has {len(groups)} groups, the optimizer has "
                         f"{len(optimizer.param_groups)}")
    result = []
    for number, (mine, theirs) in enumerate(zip(optimizer.param_groups, groups)):
        for option in FIXED if fixed else ():
            found = theirs.get(option, mine[option])  # "auto" stands for another one; the entries of the states decide
            gone = _core.successor_of(word(found))
            if found != mine[option] and not (option == "strategy" and "auto" in (found, mine[option]) and not gone):
                raise ValueError(f"MCAdamW: group {number} of the state has {option} {found!r}, the optimizer's has "
                                 f"{mine[option]!r}; load_converted_state_dict changes strategies"
                                 f"{gone}")
        if len(theirs["params"]) != len(mine["params"]):
            raise ValueError(f"MCAdamW: group {number} of the state has {len(theirs['params'])} "
                             f"parameters, the optimizer's has {len(mine['params'])}")
        theirs = dict(theirs)
        if not fixed and theirs.pop("decoupled_weight_decay", True) is False:
            theirs["decay_mode"] = "l2"  # torch.optim.Adam
        kept = {name: mine[name] for name in (*IMPLEMENTATION, *FIXED)}
        result.append({**mine, **theirs, **kept, "params": theirs["params"]})
    return result


def entries_of(optimizer, found: dict):
    """Yields (title, parameter, group, the file's group, its state) for every parameter that has a state in the file.
    The marks of a whole parameter are left out for a sharded one, because they do not belong to its parts."""
    for number, (mine, theirs) in enumerate(zip(optimizer.param_groups, found["param_groups"])):
        for i, (key, parameter) in enumerate(zip(theirs["params"], mine["params"])):
            if key in found["state"]:
                state = {name: x for name, x in found["state"][key].items()
                         if name != "marks" or not shards.is_sharded(parameter)}
                yield states.title_of(mine, number, i), parameter, mine, theirs, state


def others_of(found: dict) -> dict:
    """The entries of a file beside the states of parameters."""
    known = {key for group in found["param_groups"] for key in group["params"]}
    return {key: value for key, value in found["state"].items() if key not in known}


def loaded_states(optimizer, found: dict) -> dict:
    """parameter -> its exact state. Raises ValueError for a state that does not fit the parameter."""
    result = {}
    for title, parameter, group, _, state in entries_of(optimizer, found):
        if "exp_avg" in state:
            raise ValueError(f"MCAdamW: the state of {title} is that of another AdamW (exp_avg, exp_avg_sq): take "
                             "load_converted_state_dict")
        result[parameter] = states.loaded_state(title, parameter, group, state)
    return result


def converted_states(optimizer, found: dict, weights) -> dict:
    """parameter -> (its new state, its weights as floats), from a state of torch.optim.AdamW or of another strategy.
    Raises ValueError for a state that cannot be converted."""
    given = _given_weights(optimizer, weights)
    result = {}
    for title, parameter, group, theirs, state in entries_of(optimizer, found):
        state = {key: shards.part_of(f"entry {key} of {title}", parameter, value) for key, value in state.items()}
        kind, moments = _moments(title, shards.local(parameter), theirs, state)
        new = states.zero_state(parameter, group)
        _set_moments(title, parameter, group, states.parts(new), moments)
        new["step"] = states.steps_of(title, state)
        weight = given.get(parameter)
        if weight is None:
            weight = _weights(parameter, theirs, kind, state)
        result[parameter] = new, weight
    return result


def _given_weights(optimizer, weights) -> dict:
    params = [p for group in optimizer.param_groups for p in group["params"]]
    weights = [] if weights is None else list(weights)
    if weights and len(weights) != len(params):
        raise ValueError(f"MCAdamW: {len(weights)} weights are given, expected {len(params)}, one for each parameter")
    for i, (p, weight) in enumerate(zip(params, weights)):
        if not isinstance(weight, torch.Tensor) or weight.shape != p.shape:
            described = f"of shape {tuple(weight.shape)}" if isinstance(weight, torch.Tensor) else repr(weight)
            raise ValueError(f"MCAdamW: weight {i} is {described}, its parameter is of shape {tuple(p.shape)}")
    return dict(zip(params, weights))


def _moments(title: str, parameter, theirs, state):
    """The strategy of a state (None for torch.optim.AdamW), and m and v as floats."""
    if theirs.get("amsgrad") or "max_exp_avg_sq" in state or "v_max" in state:
        raise ValueError(f"MCAdamW: the state of {title} is one of AMSGrad, with the largest v so far, which is not "
                         "converted")
    names = TORCH_NAMES if "exp_avg" in state else {name: name for name in TORCH_NAMES.values()}
    if not {"step", *names} <= set(state):
        raise ValueError(f"MCAdamW: the state of {title} has {', '.join(sorted(map(str, state)))}: neither that of "
                         "torch.optim.AdamW nor of MCAdamW")
    kind = None
    if names is not TORCH_NAMES:
        kind = _strategy_in(theirs, state)
        if kind.startswith("split16"):
            state["low"] = states.restored(state["low"], torch.int16)
        if kind in ("fp8-states", "split8"):
            gone = _core.successor_of(kind)
            raise ValueError(f"MCAdamW: {title} has moments of 8 bits ({kind}), codes with common scales, which are "
                             f"not converted: {'' if gone else 'go on with that strategy, or '}begin with a new "
                             f"optimizer{gone}")
    result = {}
    for name, ours in names.items():
        value = state[name]
        if not isinstance(value, torch.Tensor) or value.numel() != parameter.numel():
            described = f"has {value.numel()} elements" if isinstance(value, torch.Tensor) else f"is {value!r}"
            raise ValueError(f"MCAdamW: {name} of {title} {described}, the parameter has {parameter.numel()} elements")
        result[ours] = value.detach().to(device=parameter.device, dtype=torch.float32).reshape(parameter.shape)
    if "v_low" in state:
        result["v"] = result["v"] + state["v_low"].detach().float().reshape(parameter.shape)
    return kind, result


def _strategy_in(theirs, state) -> str:
    """The strategy of a state in a file. If it is "auto", the entries of the state decide."""
    strategy = theirs.get("strategy", "auto")
    if strategy != "auto":
        return "light" if strategy == "kahan" else strategy  # the name in earlier versions, with the same states
    low = state.get("low")
    return "full" if low is None else "master" if low.dtype == torch.float32 else "split16-plus"


def _set_moments(title: str, parameter, group, state, moments) -> None:
    """Writes m and v to a new state, rounded once to its format."""
    if state["m"].dtype == torch.uint8:
        raise ValueError(f"MCAdamW: {title}: moments are not converted to the 8 bits of "
                         f"{states.strategy_of(parameter, group)}")
    state["m"].copy_(moments["m"])
    limits = torch.finfo(state["v"].dtype)
    largest, least = limits.max, limits.tiny * limits.eps
    v = moments["v"].clamp(max=largest)
    # a v that is not zero must not become zero: the step would divide by eps alone
    state["v"].copy_(torch.where(v > 0, v.clamp(min=least), v))
    if "v_low" in state:
        state["v_low"].copy_(v - state["v"].float())
    for name in ("m", "v"):
        if not bool(torch.isfinite(state[name]).all()):
            raise ValueError(f"MCAdamW: {name} of {title} is infinite or NaN, or becomes so in {state[name].dtype}")


def _weights(parameter, theirs, kind, state) -> torch.Tensor:
    """The weights as floats, from a file's state or, if it has none, from the parameter."""
    low, own = state.get("low"), shards.local(parameter).detach()
    if low is None:
        return state["theta"].float() if "theta" in state else own.float()
    if low.dtype == torch.float32:
        return low.detach().clone().reshape(own.shape)
    # the parameter may have another type than the parameter of the state had
    format = states.FORMATS.get(low.dtype) or states.FORMATS.get(parameter.dtype, theirs.get("format", "bfloat16"))
    theta = state.get("theta", own.to(states.NARROW[format])).detach().contiguous()
    tensors = {"theta": theta, "low": low.detach().contiguous()}
    if "marks" in state:
        tensors["marks"] = state["marks"].detach().contiguous()
    result = torch.empty(own.shape, dtype=torch.float32, device="cpu")
    states.call_runs("get_weights", kind, format, tensors, shards.runs(parameter), result.reshape(-1))
    return result
