"""Parameters that MCAdamW steps in one call, and their addresses."""
from __future__ import annotations

import torch

from . import _core
from . import _torch_device as device
from . import _torch_shards as shards
from . import _torch_state as states
from ._torch_required import count_changes


class Batch:
    """Parameters of one group, type and number of steps.

    This class keeps the objects, the library keeps their addresses. The addresses are read before each step, because
    parameters, gradients and states may have other memory since the last one.
    """

    def __init__(self, group, number: int, entries, all_states, steps: int):
        """``entries``: (parameter, start of its random bits, its index in the group)."""
        self.group, self.number = group, number
        self.parameters = [p for p, _, _ in entries]
        self.numbers = [i for _, _, i in entries]
        self.states = [all_states[p] for p in self.parameters]
        self.device = device.number_of(self.parameters[0])
        #: one object for all states, so that another number in a state is noticed
        self.steps = device.counter(self.parameters[0], steps)
        self.options = _core.AdamWOptions()
        self.dtype = self.parameters[0].dtype
        self.memory = _core.TensorBatch(states.strategy_of(self.parameters[0], group),
                                        states.format_of(self.parameters[0], group), self.device)
        for (p, place, _), state in zip(entries, self.states):
            self.memory.add(state, [(place + first, count) for first, count in shards.runs(p)])
        _core.set_steps(self.states, self.steps)
        self.tensors = [tuple(x for name, x in state.items() if name != "step") for state in self.states]
        self._sharded = [i for i, p in enumerate(self.parameters) if shards.is_sharded(p)]
        self.release()

    def locate(self) -> bool:
        """Reads all addresses again. Returns False if a gradient is missing or a state has changed."""
        self.release()
        strays = []
        if not self.memory.locate(self.parameters, self.states, self.tensors, self.steps, self.grads,
                                  strays):
            return False
        strays += [i for i in self._sharded if shards.is_misplaced(self.parameters[i], self.grads[i])]
        for i in strays:
            self._place(i)
        return True

    def _place(self, i: int) -> None:
        """Makes copies for a parameter that is not contiguous, or whose gradient is not contiguous."""
        p = shards.local(self.parameters[i])
        grad = shards.local_gradient(self.parameters[i], self.grads[i])
        name = states.title_of(self.group, self.number, self.numbers[i])
        for title, x in ((name, p), (f"the gradient of {name}", grad)):
            if device.number_of(x) != self.device:
                raise ValueError(f"MCAdamW: {title} is on {x.device}, but was not")
            if x.layout != torch.strided:
                raise ValueError(f"MCAdamW: {title} is sparse ({x.layout}); it takes dense ones")
        if p.dtype != self.dtype or p.numel() != self.states_numel(i):
            raise ValueError(f"MCAdamW: {name} is of {p.dtype} with {p.numel()} elements, its state of {self.dtype} "
                             f"with {self.states_numel(i)}")
        if grad.dtype not in (p.dtype, torch.float32) or grad.shape != p.shape:
            raise ValueError(f"MCAdamW: {name} is of {p.dtype} and shape {tuple(p.shape)}, its gradient of "
                             f"{grad.dtype} and shape {tuple(grad.shape)}")
        states.check_memory(name, p)
        grad, copy = (device.contiguous(x) for x in (grad, p))
        states.check_memory(f"the gradient of {name}", grad)
        self.grads[i] = grad
        if copy.data_ptr() != p.data_ptr():
            self.copies.append((p, copy))
        self.memory.place(i, copy.data_ptr(), grad.data_ptr(), grad.dtype == torch.float32)

    def states_numel(self, i: int) -> int:
        """The number of elements of the part of the parameter to which the state belongs."""
        return shards.local(self.states[i]["m"]).numel()

    def finish(self) -> None:
        """Ends a step: counts it and writes copies back."""
        if self.device < 0:
            self.steps += 1
            _core.set_steps(self.states, self.steps)
        if self.copies:
            with torch.no_grad():
                for p, copy in self.copies:
                    p.copy_(copy)
        count_changes(self.parameters)

    def release(self) -> None:
        """Drops the gradients, so that PyTorch can free them before the next step."""
        self.grads, self.copies = [], []
