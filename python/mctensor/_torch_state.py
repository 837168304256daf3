"""What MCAdamW keeps of a parameter, as tensors of PyTorch."""
from __future__ import annotations

import numbers

import torch

from . import _core

#: 16-bit formats by the types of parameters
FORMATS = {torch.bfloat16: "bfloat16", torch.float16: "float16"}
NARROW = {name: dtype for dtype, name in FORMATS.items()}
#: what strategy "auto" is for a type of parameters
AUTO = {torch.bfloat16: "split16-plus", torch.float16: "master", torch.float32: "full"}
#: what else the elements of an array are
CONTENTS = {"float32": torch.float32, "lower_bits": torch.int16, "lower_byte": torch.uint8, "roots": torch.uint8,
            "marks": torch.int32}
#: arrays that a file need not have: zeros say that nothing is known
OPTIONAL = {"marks"}


def strategy_of(parameter, group) -> str:
    """The strategy by which a parameter is stepped."""
    strategy = group["strategy"]
    return AUTO.get(parameter.dtype, "full") if strategy == "auto" else strategy


def format_of(parameter, group) -> str:
    """The 16-bit format in which a parameter is kept."""
    return FORMATS.get(parameter.dtype, group["format"])


def title_of(group, number: int, i: int) -> str:
    """What parameter i of a group is called in messages: by its place and, where the optimizer has one, its name."""
    names = group.get("param_names")
    return f"parameter {i} of group {number}" + (f" ('{names[i]}')" if names else "")


def check_parameter(name: str, parameter, group) -> None:
    """Raises ValueError for a parameter that the strategy of its group cannot step."""
    kind = parameter.dtype
    if parameter.device.type != "cpu":
        raise ValueError(f"MCAdamW: {name} is on {parameter.device}; it steps those of the CPU")
    if kind not in (*FORMATS, torch.float32):
        raise ValueError(f"MCAdamW: {name} is of {kind}; bfloat16, float16 and float32 can be stepped")
    if strategy_of(parameter, group) == "full" and kind != torch.float32:
        raise ValueError(f"MCAdamW: strategy full steps float32 parameters, {name} is of {kind}; take master")
    check_memory(name, parameter)


def check_memory(name: str, x) -> None:
    """Raises ValueError for a dense tensor whose elements have no memory of their own, or none at all."""
    if any(stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape)):
        raise ValueError(f"MCAdamW: elements of {name} share memory (shape {tuple(x.shape)}, strides {x.stride()}); "
                         "clone it")
    storage = x.untyped_storage() if hasattr(x, "untyped_storage") else x.storage()
    last = sum(stride * (size - 1) for stride, size in zip(x.stride(), x.shape)) if x.numel() else -1
    wanted = (x.storage_offset() + last + 1) * x.element_size()
    if x.numel() and (x.data_ptr() == 0 or storage.nbytes() < wanted):
        raise ValueError(f"MCAdamW: the storage of {name} has {storage.nbytes()} bytes, {wanted} are wanted")


def is_theta(parameter, group) -> bool:
    """Whether the parameter's own memory is what the strategy steps."""
    return (parameter.dtype == torch.float32) == (strategy_of(parameter, group) == "full")


def layout(parameter, group) -> dict:
    """The tensors that are kept beside the parameter: name -> (type, shape)."""
    arrays = _core.adamw_arrays(strategy_of(parameter, group), parameter.numel(), group["amsgrad"],
                                is_theta(parameter, group))
    narrow = NARROW[format_of(parameter, group)]
    result = {}
    for name, (content, _, elements) in arrays.items():
        if name == "theta" and is_theta(parameter, group):
            continue
        shape = tuple(parameter.shape) if elements == parameter.numel() else (elements,)
        result[name] = (CONTENTS.get(content, narrow), shape)
    return result


def has_names(parameter, group, state) -> bool:
    """Whether a state has the entries that it must have, and a number of steps."""
    return state.keys() == {"step", *layout(parameter, group)} and type(state["step"]) is int


def zero_state(parameter, group) -> dict:
    """Zeros for everything that is kept of the parameter."""
    return {"step": 0, **{name: torch.zeros(shape, dtype=kind, device=parameter.device)
                          for name, (kind, shape) in layout(parameter, group).items()}}


def new_state(parameter, group) -> dict:
    """The state before the first step: zeros, and what the weight is made of."""
    state = zero_state(parameter, group)
    set_weights(parameter, group, state, parameter.detach())
    return state


def arrays_of(strategy: str, format: str, count: int, tensors: dict):
    """Arrays of one parameter as the library's call takes them. All are contiguous."""
    arrays = _core.AdamWArrays(strategy, format)
    arrays.add({name: x.data_ptr() for name, x in tensors.items() if isinstance(x, torch.Tensor)}, count, 0)
    return arrays


def _arrays(parameter, group, state, theta):
    return arrays_of(strategy_of(parameter, group), format_of(parameter, group), parameter.numel(),
                     {**state, "theta": theta})


def _theta(parameter, group, state):
    """The weight in the strategy's format, row-major: a copy where it lies otherwise."""
    return parameter.detach().contiguous() if is_theta(parameter, group) else state["theta"]


def set_weights(parameter, group, state, weights) -> None:
    """Float weights into theta and low, and the parameter."""
    theta = _theta(parameter, group, state)
    flat = weights.detach().to(device="cpu", dtype=torch.float32).contiguous().reshape(-1)
    if flat.numel() != parameter.numel():
        raise ValueError(f"{flat.numel()} weights for {parameter.numel()} parameters")
    if flat.data_ptr() == theta.data_ptr():
        flat = flat.clone()
    if flat.numel() > 0:
        _arrays(parameter, group, state, theta).set_weights(0, flat.numpy())
    with torch.no_grad():
        parameter.copy_(theta)


def get_weights(parameter, group, state) -> torch.Tensor:
    """The weights as the strategy holds them, rounded to float; those that were written to the parameter since
    the last step as they were written."""
    result = torch.empty(parameter.shape, dtype=torch.float32, device="cpu")
    if result.numel() > 0:
        theta = _theta(parameter, group, state)
        _arrays(parameter, group, state, theta).get_weights(0, result.reshape(-1).numpy())
        if not is_theta(parameter, group):
            result = torch.where(parameter.detach() == theta.float(), result, parameter.detach())
    return result


def check_state(name: str, parameter, group, found: dict) -> dict:
    """Raises ValueError for entries that are missing, foreign or wrong; returns those that there are."""
    wanted = layout(parameter, group)
    if set(found) - OPTIONAL != {"step", *wanted} - OPTIONAL or not set(found) <= {"step", *wanted}:
        raise ValueError(f"MCAdamW: the state of {name} has {', '.join(sorted(map(str, found)))}; strategy "
                         f"{strategy_of(parameter, group)} has {', '.join(sorted(['step', *wanted]))}")
    for key, (kind, shape) in wanted.items():
        if key not in found:
            continue
        value = found[key]
        if not isinstance(value, torch.Tensor) or value.dtype != kind or tuple(value.shape) != shape:
            described = (f"{value.dtype} of shape {tuple(value.shape)}" if isinstance(value, torch.Tensor)
                         else repr(value))
            raise ValueError(f"MCAdamW: entry {key} of {name} is {described}; {kind} of shape {shape} is wanted")
    steps_of(name, found)
    return wanted


def steps_of(name: str, state: dict) -> int:
    """How many steps a state has taken. Raises ValueError for what is no such number."""
    step = state["step"]
    value = step.item() if isinstance(step, torch.Tensor) and step.numel() == 1 else step
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= value < 2**63 or value % 1 != 0:
        raise ValueError(f"MCAdamW: the state of {name} has taken {step!r} steps: no whole number that is at least 0")
    return int(value)


def settle_state(name: str, parameter, group, state: dict) -> None:
    """Makes entries of a state that was changed from outside such as a step can use: in a row, each in memory of
    its own. Raises ValueError where that is impossible; then nothing has changed."""
    wanted = check_state(name, parameter, group, state)
    settled = {key: torch.zeros(shape, dtype=kind, device=parameter.device)
               for key, (kind, shape) in wanted.items() if key not in state}
    for key in wanted:
        value = state.get(key)
        if value is None:
            continue
        if value.device != parameter.device:
            raise ValueError(f"MCAdamW: entry {key} of {name} is on {value.device}, the parameter on "
                             f"{parameter.device}")
        if value.layout != torch.strided:
            raise ValueError(f"MCAdamW: entry {key} of {name} is sparse ({value.layout})")
        if not value.is_contiguous():
            settled[key] = value.detach().contiguous()
        else:
            check_memory(f"entry {key} of {name}", value)
    state.update(settled)
    state["step"] = steps_of(name, state)


def loaded_state(name: str, parameter, group, found: dict) -> dict:
    """A state from a file, exactly. Raises ValueError for one that is not the parameter's."""
    check_state(name, parameter, group, found)
    state = {key: value.detach().to(parameter.device, copy=True) if isinstance(value, torch.Tensor) else value
             for key, value in found.items()}
    settle_state(name, parameter, group, state)
    return state
