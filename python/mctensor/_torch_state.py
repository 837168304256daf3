"""What MCAdamW keeps of a parameter, as tensors of PyTorch."""
from __future__ import annotations

import torch

from . import _core

#: 16-bit formats by the types of parameters
FORMATS = {torch.bfloat16: "bfloat16", torch.float16: "float16"}
NARROW = {name: dtype for dtype, name in FORMATS.items()}
#: what else the elements of an array are
CONTENTS = {"float32": torch.float32, "e4m3": torch.uint8, "lower_bits": torch.int16,
            "scales": torch.float32, "lower_byte": torch.uint8, "roots": torch.uint8}


def format_of(parameter, group) -> str:
    """The 16-bit format in which a parameter is kept."""
    return FORMATS.get(parameter.dtype, group["format"])


def check_parameter(parameter, group) -> None:
    """Raises ValueError for a parameter that the strategy of its group cannot step."""
    kind, strategy = parameter.dtype, group["strategy"]
    if parameter.device.type != "cpu":
        raise ValueError(f"MCAdamW: a parameter on {parameter.device}; it steps those of the CPU")
    if kind not in (*FORMATS, torch.float32):
        raise ValueError(f"MCAdamW: a parameter of {kind}; bfloat16, float16 and float32 can be stepped")
    if strategy == "full" and kind != torch.float32:
        raise ValueError(f"MCAdamW: strategy full steps float32 parameters, not {kind}; take master")


def is_theta(parameter, group) -> bool:
    """Whether the parameter's own memory is what the strategy steps."""
    return (parameter.dtype == torch.float32) == (group["strategy"] == "full")


def layout(parameter, group) -> dict:
    """The tensors that are kept beside the parameter: name -> (type, shape)."""
    arrays = _core.adamw_arrays(group["strategy"], parameter.numel(), group["amsgrad"])
    narrow = NARROW[format_of(parameter, group)]
    result = {}
    for name, (content, _, elements) in arrays.items():
        if name == "theta" and is_theta(parameter, group):
            continue
        shape = tuple(parameter.shape) if elements == parameter.numel() else (elements,)
        result[name] = (CONTENTS.get(content, narrow), (elements, 2) if content == "scales" else shape)
    return result


def new_state(parameter, group) -> dict:
    """The state before the first step: zeros, and what the weight is made of."""
    state = {"step": 0}
    for name, (kind, shape) in layout(parameter, group).items():
        state[name] = torch.zeros(shape, dtype=kind)
    set_weights(parameter, group, state, parameter.detach().float())
    return state


def _arrays(parameter, group, state, theta):
    """One parameter as the library's call takes it."""
    arrays = _core.AdamWArrays(group["strategy"], format_of(parameter, group))
    addresses = {name: x.data_ptr() for name, x in state.items() if isinstance(x, torch.Tensor)}
    arrays.add({**addresses, "theta": theta.data_ptr()}, parameter.numel(), 0)
    return arrays


def _theta(parameter, group, state):
    """The weight in the strategy's format, row-major: a copy where it lies otherwise."""
    return parameter.detach().contiguous() if is_theta(parameter, group) else state["theta"]


def set_weights(parameter, group, state, weights) -> None:
    """Float weights into theta and low, and the parameter."""
    theta = _theta(parameter, group, state)
    flat = weights.detach().to(torch.float32).contiguous().reshape(-1)
    if flat.numel() != parameter.numel():
        raise ValueError(f"{flat.numel()} weights for {parameter.numel()} parameters")
    if flat.data_ptr() == theta.data_ptr():
        flat = flat.clone()
    if flat.numel() > 0:
        _arrays(parameter, group, state, theta).set_weights(0, flat.numpy())
    show(parameter, theta)


def get_weights(parameter, group, state) -> torch.Tensor:
    """The weights as the strategy holds them, rounded to float."""
    result = torch.empty(parameter.shape, dtype=torch.float32)
    if result.numel() > 0:
        theta = _theta(parameter, group, state)
        _arrays(parameter, group, state, theta).get_weights(0, result.reshape(-1).numpy())
    return result


def show(parameter, theta) -> None:
    """Writes theta to the parameter, unless it is its memory."""
    with torch.no_grad():
        if theta.data_ptr() != parameter.data_ptr() or theta.dtype != parameter.dtype:
            parameter.copy_(theta)


def check_state(name: str, parameter, group, found: dict) -> dict:
    """Raises ValueError for entries that are missing, foreign or wrong; returns those that there are."""
    wanted = layout(parameter, group)
    if set(found) != {"step", *wanted}:
        raise ValueError(f"MCAdamW: the state of {name} has {', '.join(sorted(found))}; strategy "
                         f"{group['strategy']} has {', '.join(sorted(['step', *wanted]))}")
    for key, (kind, shape) in wanted.items():
        value = found[key]
        if value.dtype != kind or tuple(value.shape) != shape:
            raise ValueError(f"MCAdamW: entry {key} of {name} is {value.dtype} of shape "
                             f"{tuple(value.shape)}; {kind} of shape {shape} is wanted")
    return wanted


def loaded_state(name: str, parameter, group, found: dict) -> dict:
    """A state from a file, exactly. Raises ValueError for one that is not the parameter's."""
    wanted = check_state(name, parameter, group, found)
    step = int(found["step"])
    if step < 0:
        raise ValueError(f"MCAdamW: the state of {name} has taken {step} steps")
    return {"step": step, **{key: found[key].detach().cpu().clone(
        memory_format=torch.contiguous_format) for key in wanted}}
