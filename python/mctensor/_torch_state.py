"""The state that MCAdamW keeps for a parameter, as tensors of PyTorch."""
from __future__ import annotations

import numbers

import torch

from . import _core
from . import _torch_device as device
from . import _torch_shards as shards

#: 16-bit formats by the types of parameters
FORMATS = {torch.bfloat16: "bfloat16", torch.float16: "float16"}
NARROW = {name: dtype for dtype, name in FORMATS.items()}
#: the strategy that "auto" stands for, by the type of the parameter
AUTO = {torch.bfloat16: "split16-plus", torch.float16: "master", torch.float32: "full"}
#: the types of elements that are not in the 16-bit format
CONTENTS = {"float32": torch.float32, "lower_bits": torch.int16, "lower_byte": torch.uint8, "roots": torch.uint8,
            "marks": torch.int32}
#: arrays that a file need not have; zeros stand for unknown marks
OPTIONAL = {"marks"}


def strategy_of(parameter, group) -> str:
    """The strategy by which a parameter is stepped."""
    strategy = group["strategy"]
    return AUTO.get(parameter.dtype, "full") if strategy == "auto" else strategy


def format_of(parameter, group) -> str:
    """The 16-bit format in which a parameter is kept."""
    return FORMATS.get(parameter.dtype, group["format"])


def title_of(group, number: int, i: int) -> str:
    """The name of parameter i of a group in messages: its index and, if the optimizer has names, its name."""
    names = group.get("param_names")
    return f"parameter {i} of group {number}" + (f" ('{names[i]}')" if names else "")


def check_parameter(name: str, parameter, group) -> None:
    """Raises ValueError for a parameter that the strategy of its group cannot step."""
    kind = parameter.dtype
    if device.number_of(parameter) < -1:
        raise ValueError(f"MCAdamW: {name} is on {parameter.device}; it steps those of the CPU and of CUDA devices")
    if kind not in (*FORMATS, torch.float32):
        raise ValueError(f"MCAdamW: {name} is of {kind}; bfloat16, float16 and float32 can be stepped")
    if strategy_of(parameter, group) == "full" and kind != torch.float32:
        raise ValueError(f"MCAdamW: strategy full steps float32 parameters, {name} is of {kind}; take master")
    shards.check(name, parameter, strategy_of(parameter, group))
    check_memory(name, shards.local(parameter))


def check_memory(name: str, x) -> None:
    """Raises ValueError for a dense tensor whose elements share memory or have none."""
    if any(stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape)):
        raise ValueError(f"MCAdamW: elements of {name} share memory (shape {tuple(x.shape)}, strides {x.stride()}); "
                         "clone it")
    storage = x.untyped_storage()
    last = sum(stride * (size - 1) for stride, size in zip(x.stride(), x.shape)) if x.numel() else -1
    wanted = (x.storage_offset() + last + 1) * x.element_size()
    if x.numel() and (x.data_ptr() == 0 or storage.nbytes() < wanted):
        raise ValueError(f"MCAdamW: the storage of {name} has {storage.nbytes()} bytes, {wanted} are wanted")


def is_theta(parameter, group) -> bool:
    """Whether the strategy steps the parameter's own memory."""
    return (parameter.dtype == torch.float32) == (strategy_of(parameter, group) == "full")


def layout(parameter, group) -> dict:
    """The tensors that are kept beside the parameter (beside the part of a sharded one): name -> (type, shape)."""
    own = shards.local(parameter)
    arrays = _core.adamw_arrays(strategy_of(parameter, group), own.numel(), group["amsgrad"],
                                is_theta(parameter, group))
    narrow = NARROW[format_of(parameter, group)]
    result = {}
    for name, (content, _, elements) in arrays.items():
        if name == "theta" and is_theta(parameter, group):
            continue
        if name == "marks" and own is not parameter:
            elements = shards.marks_of(parameter)
        shape = tuple(own.shape) if elements == own.numel() else (elements,)
        result[name] = (CONTENTS.get(content, narrow), shape)
    return result


def has_names(parameter, group, state) -> bool:
    """Whether a state has the entries that it must have, and a number of steps."""
    kind = torch.Tensor if device.number_of(parameter) >= 0 else int
    return state.keys() == {"step", *layout(parameter, group)} and type(state["step"]) is kind


def zero_state(parameter, group) -> dict:
    """A state of the parameter with zeros."""
    return {"step": 0, **{name: sharded(name, parameter, torch.zeros(shape, dtype=kind, device=parameter.device))
                          for name, (kind, shape) in layout(parameter, group).items()}}


def sharded(name: str, parameter, entry):
    """An entry of this process' part in the form that the optimizer keeps: sharded as the parameter. Marks belong to
    the part and are not sharded."""
    return entry if name == "marks" or not isinstance(entry, torch.Tensor) else shards.like(parameter, entry)


def parts(state: dict) -> dict:
    """The parts of a state's entries on this process."""
    return {name: shards.local(x) if isinstance(x, torch.Tensor) else x for name, x in state.items()}


def new_state(parameter, group) -> dict:
    """The state before the first step: zeros, and the parts of the weight."""
    state = zero_state(parameter, group)
    set_weights(parameter, group, state, parameter.detach())
    return state


def call_runs(call: str, strategy: str, format: str, tensors: dict, runs, floats) -> None:
    """Calls the library's set_weights or get_weights for each run of a parameter and its floats. All tensors must be
    contiguous."""
    arrays = _core.AdamWArrays(strategy, format)
    begin, marks = 0, 0
    for i, (first, count) in enumerate(runs):
        arrays.add({name: x.data_ptr() + (marks if name == "marks" else begin) * x.element_size()
                    for name, x in tensors.items() if isinstance(x, torch.Tensor)}, count, first)
        if count > 0:
            getattr(arrays, call)(i, floats[begin:begin + count].numpy())
        begin, marks = begin + count, marks - (-count // shards.GROUP)


def _weights_of(parameter, group, state, flat, call: str) -> torch.Tensor:
    """Calls the library for floats and the weights of this process' part. Returns theta."""
    state, own = parts(state), shards.local(parameter).detach()
    theta = own.contiguous() if is_theta(parameter, group) else state["theta"]  # a copy if it is not contiguous
    if flat.data_ptr() == theta.data_ptr():
        flat = flat.clone()
    tensors = {name: x for name, x in {**state, "theta": theta}.items() if name != "step"}
    here = {name: x.cpu() for name, x in tensors.items()}  # no copies of tensors on the CPU
    call_runs(call, strategy_of(parameter, group), format_of(parameter, group), here, shards.runs(parameter), flat)
    for name, x in tensors.items():
        if x is not here[name] and call == "set_weights":
            x.copy_(here[name])
    return theta


def set_weights(parameter, group, state, weights) -> None:
    """Writes float weights to theta and low, and to the parameter."""
    own = shards.local(parameter)
    weights = shards.part_of("a weight", parameter, weights)
    flat = weights.detach().to(device="cpu", dtype=torch.float32).contiguous().reshape(-1)
    if flat.numel() != own.numel():
        raise ValueError(f"{flat.numel()} weights are given, expected {own.numel()}")
    theta = _weights_of(parameter, group, state, flat, "set_weights")
    with torch.no_grad():
        own.copy_(theta)


def get_weights(parameter, group, state) -> torch.Tensor:
    """The weights as the strategy holds them, rounded to float. Weights that were written to the parameter since the
    last step are returned as written. The result is sharded as the parameter."""
    own = shards.local(parameter).detach()
    result = torch.empty(own.shape, dtype=torch.float32, device="cpu")
    theta = _weights_of(parameter, group, state, result.reshape(-1), "get_weights")
    result = result.to(own.device)
    if not is_theta(parameter, group):
        result = torch.where(own == theta.float(), result, own)
    return shards.like(parameter, result)


def check_state(name: str, parameter, group, found: dict) -> dict:
    """Raises ValueError for entries of this process' part that are missing, unknown or wrong. Returns the layout."""
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
    """The number of steps of a state. Raises ValueError for an invalid number."""
    step = state["step"]
    value = step.item() if isinstance(step, torch.Tensor) and step.numel() == 1 else step
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= value < 2**63 or value % 1 != 0:
        raise ValueError(f"MCAdamW: the state of {name} has taken {step!r} steps, expected a whole number of at least "
                         "0")
    return int(value)


def settle_state(name: str, parameter, group, state: dict) -> None:
    """Makes a state that was changed from outside usable for a step: entries become contiguous, with their own memory,
    and sharded as the parameter. Raises ValueError if that is impossible; then nothing has changed."""
    entries = {key: shards.part_of(f"entry {key} of {name}", parameter, value) for key, value in state.items()}
    wanted = check_state(name, parameter, group, entries)
    settled = {}
    for key, (kind, shape) in wanted.items():
        value = entries.get(key)
        if value is None:
            value = torch.zeros(shape, dtype=kind, device=parameter.device)
        if value.device != parameter.device:
            raise ValueError(f"MCAdamW: entry {key} of {name} is on {value.device}, the parameter on "
                             f"{parameter.device}")
        if value.layout != torch.strided:
            raise ValueError(f"MCAdamW: entry {key} of {name} is sparse ({value.layout})")
        if not value.is_contiguous() or device.is_misaligned(value):
            value = device.contiguous(value)
        elif key in state:
            check_memory(f"entry {key} of {name}", value)
        if value is not shards.local(state.get(key)) or shards.is_sharded(parameter) != shards.is_sharded(state[key]):
            settled[key] = sharded(key, parameter, value)
    state.update(settled)
    state["step"] = steps_of(name, state)


def loaded_state(name: str, parameter, group, found: dict) -> dict:
    """The exact state from a file. Raises ValueError for a state that does not fit the parameter."""
    wanted = layout(parameter, group)
    state = {}
    for key, value in found.items():
        value = shards.part_of(f"entry {key} of {name}", parameter, value)
        if isinstance(value, torch.Tensor):
            value = restored(value, wanted.get(key, (value.dtype,))[0]).detach().to(parameter.device, copy=True)
        state[key] = value
    settle_state(name, parameter, group, state)
    return state


def is_flattened(parameter) -> bool:
    """Whether FullyShardedDataParallel keeps a parameter as a part of a flat parameter."""
    return getattr(parameter, "_fsdp_flattened", False)


def saved_state(parameter, state: dict) -> dict:
    """A state as state_dict shows it. It is unchanged unless the parameter is sharded or flattened:
    torch.distributed.checkpoint and FullyShardedDataParallel join its parts and cut them differently. So marks, which
    belong to a part, are left out, and all entries have one type. Backends do not carry int16, so lower bits are shown
    in the type of the moments, as bits or, in float32, as numbers."""
    if not (shards.is_sharded(parameter) or is_flattened(parameter)):
        return state
    state = {key: value for key, value in state.items() if key != "marks"}
    if "low" in state and state["low"].dtype == torch.int16:
        low, kind = shards.local(state["low"]), state["m"].dtype
        state["low"] = shards.like(parameter, low.to(kind) if kind == torch.float32 else low.view(kind))
    return state


def restored(value, kind):
    """Converts an entry that saved_state has shown in another type back."""
    if kind != torch.int16 or value.dtype not in (*FORMATS, torch.float32):
        return value
    return value.to(kind) if value.dtype == torch.float32 else value.view(kind)
