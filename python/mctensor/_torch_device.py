"""Tensors in the memory of a GPU, and steps of MCAdamW there: nothing here waits for it but what says so."""
from __future__ import annotations

import math
import sys
import warnings

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from . import _core
from ._arguments import number

#: Whether tensors of the CPU are taken for a device's: of tests, whose library has a device that computes there.
simulates = False


def number_of(x) -> int:
    """The number of the CUDA device on which a tensor is stepped, -1 for the CPU, -2 for what has no steps."""
    if x.device.type == "cpu":
        return 0 if simulates and _core.device_is_simulated() else -1
    return x.device.index if x.device.type == "cuda" else -2


def is_there(x) -> bool:
    """Whether a value is a tensor in the memory of a device."""
    return isinstance(x, torch.Tensor) and number_of(x) >= 0


def current_stream(device: torch.device) -> int:
    """The address of PyTorch's current stream, 0 of the simulated device."""
    return torch.cuda.current_stream(device).cuda_stream if device.type == "cuda" else 0


def require_no_capture(name: str, device: torch.device) -> None:
    """Of what waits for the device: a CUDA graph does not record it."""
    if device.type == "cuda" and torch.cuda.is_current_stream_capturing():
        raise NotImplementedError(f"{name}: it waits for the GPU, which a CUDA graph does not record")


_told: set[str] = set()


def _level_of_caller() -> int:
    """``stacklevel`` of a warning that names the line of the program, not one of this package or of PyTorch."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("mctensor", "torch"):
        frame, level = frame.f_back, level + 1
    return level


def _copied(x):
    if isinstance(x, torch.Tensor):
        return x.cpu()
    return [_copied(y) for y in x] if isinstance(x, (list, tuple)) else x


def computed_here(name: str, device: torch.device, call, *args):
    """``call(*args)`` on the CPU, of what has no program on a GPU: tensors are copied, which waits. The results are
    the CPU's. A warning says so once for each name: such a call is slow, not wrong."""
    require_no_capture(name, device)
    if name not in _told:
        _told.add(name)
        warnings.warn(f"{name}: there is no program for this on a GPU, so that tensors are copied to the CPU and back",
                      RuntimeWarning, stacklevel=_level_of_caller())
    return call(*_copied(args))


def has_rate(group) -> bool:
    """Whether the learning rate of a group is in the memory of a device, where a step reads it."""
    return is_there(group["lr"])


def counter(parameter, steps: int):
    """A number of steps as states have it: a tensor beside parameters of a device, which counts there."""
    if number_of(parameter) < 0:
        return steps
    return torch.full((), steps, dtype=torch.int64, device=parameter.device)


def is_misaligned(x) -> bool:
    """Whether a device cannot read a tensor where it lies: it reads 16 bytes at once."""
    return number_of(x) >= 0 and x.data_ptr() % 16 != 0


def contiguous(x) -> torch.Tensor:
    """A tensor in a row, where it can be stepped: itself or a copy."""
    x = x.detach().resolve_neg().contiguous()
    return x.clone() if is_misaligned(x) else x


class Stepper:
    """The steps of one optimizer on one device."""

    def __init__(self, device: torch.device, skips: tuple[int, int]):
        """``skips``: those of the optimizer so far."""
        self.device = device
        self._steps = _core.DeviceAdamW(device.index or 0, current_stream(self.device), *skips)
        self._flag = self._kept = None
        self._read = WeakTensorKeyDictionary()

    def number_once(self, name: str, value) -> float:
        """A number, which is read once where it is a tensor of the device: that waits."""
        if not is_there(value):
            return number(name, value)
        if value not in self._read:
            self._read[value] = number(name, value)
        return self._read[value]

    def look(self, batches, peaks, grad_scale, found_inf, has_vote: bool) -> None:
        """Begins a step: gradients are read. With ``has_vote`` a flag says whether it is to be skipped."""
        self._kept = [self._scalar(grad_scale), self._scalar(found_inf), self.flag() if has_vote else None]
        self._steps.look([batch.memory for batch in batches], [batch.options for batch in batches],
                         [batch.steps.data_ptr() for batch in batches], [_rate(batch) for batch in batches],
                         [peaks[batch.number] for batch in batches],
                         [0 if x is None else x.data_ptr() for x in self._kept], current_stream(self.device))

    def _scalar(self, value):
        """A number of a gradient scaler in the memory of the device."""
        if value is None:
            return None
        return torch.as_tensor(value).detach().to(device=self.device, dtype=torch.float32).reshape(())

    def flag(self, is_set: bool = False) -> torch.Tensor:
        """The flag of the step, on which processes agree."""
        if self._flag is None:
            self._flag = torch.zeros(1, dtype=torch.int32, device=self.device)
        if is_set:
            self._flag.fill_(1)
        return self._flag

    def step(self, max_grad_norm: float | None) -> None:
        """Ends a step: everything is updated, or nothing."""
        self._steps.step(math.inf if max_grad_norm is None else max_grad_norm)

    def report(self):
        """What the last step did. Waits for it."""
        return self._steps.report()

    def skips(self) -> tuple[int, int]:
        """Steps that were skipped, and how many of them since the last one that was not. Waits."""
        return self._steps.skips()


def _rate(batch) -> tuple[int, bool]:
    """Where the rate of a batch lies, and whether it is a double; 0 where it is a number."""
    rate = batch.group["lr"]
    if not is_there(rate):
        return 0, False
    if rate.numel() != 1 or rate.dtype not in (torch.float32, torch.float64) or number_of(rate) != batch.device:
        raise ValueError(f"MCAdamW: lr is a tensor of shape {tuple(rate.shape)}, {rate.dtype} on {rate.device}; one "
                         f"number of float32 or float64 on {batch.parameters[0].device} is wanted")
    return rate.data_ptr(), rate.dtype == torch.float64


class Reports:
    """What an optimizer says of its steps: those of a device are asked there, which waits for them."""

    _stepper = None
    _last_report = None
    _skips = (0, 0)

    @property
    def last_report(self):
        """What the last step did, of all parameters together; None before the first."""
        return self._last_report if self._stepper is None else self._stepper.report()

    @last_report.setter
    def last_report(self, report) -> None:
        self._last_report = report

    @property
    def skipped_steps(self) -> int:
        """Steps that were left out."""
        return self._all_skips()[0]

    @property
    def skipped_in_a_row(self) -> int:
        """How many of them since the last one that was not."""
        return self._all_skips()[1]

    def _all_skips(self) -> tuple[int, int]:
        return self._skips if self._stepper is None else self._stepper.skips()
