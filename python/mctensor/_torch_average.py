"""Averages of weights. In 16 bits alone a moving average would not move, because a thousandth of the difference is less
than half a unit in the last place of the average."""
from __future__ import annotations

import torch
from torch.optim import swa_utils

from . import _torch_shards as shards
from ._arguments import number

#: the type of the low part of an average, for each type of parameter
_LOW = {torch.bfloat16: torch.int16, torch.float16: torch.float16}


def _local(averaged, low) -> tuple:
    """The parts of both on this process."""
    return shards.local(averaged), None if low is None else shards.local(low)


def _join(averaged, low) -> torch.Tensor:
    """The mean in float32, from the average parameter and its low part."""
    if averaged.dtype == torch.bfloat16:  # as optim/weights.hpp splits weights of split16, without loss
        return ((averaged.view(torch.int16).int() << 16) + low.int()).view(torch.float32)
    return averaged.float() if low is None else averaged.float() + low.float()


def _split(mean, averaged, low) -> None:
    """Splits the mean again: the parameter becomes the mean rounded to nearest, or for a tie half a unit beside it."""
    if averaged.dtype != torch.bfloat16:
        averaged.copy_(mean)
        if low is not None:
            low.copy_(mean - averaged.float())
        return
    bits = mean.view(torch.int32)
    high = (bits + 0x8000) >> 16
    averaged.view(torch.int16).copy_(high)
    low.copy_(bits - (high << 16))


class _Shared:
    """An optimizer that copies share and that files leave out. A copy of it would have other parameters than the model
    that it trains."""

    def __init__(self, optimizer=None):
        self.optimizer = optimizer

    def __deepcopy__(self, memo) -> _Shared:
        return self

    def __reduce__(self):
        return _Shared, ()


class AveragedModel(swa_utils.AveragedModel):
    """torch.optim.swa_utils.AveragedModel whose averages move for every type of parameters.

    ``decay`` defines a moving average, mean = decay mean + (1 - decay) weight; None stands for the mean of all weights
    (SWA). ``optimizer`` is an MCAdamW, whose exact weights are averaged instead of the rounded parameters. Means of
    bfloat16 have the bits of float32, 16 in the parameter and 16 beside it. Means of float16 are two numbers, with some
    22 bits. Both parts are in the state_dict. Means are computed in float32. A copy shares the optimizer; a pickle has
    none.
    """

    def __init__(self, model, device=None, *, decay: float | None = None, use_buffers: bool = False, optimizer=None):
        if decay is not None and not 0 <= number("decay", decay) < 1:
            raise ValueError(f"decay {decay!r} is not in [0, 1)")
        super().__init__(model, device, use_buffers=use_buffers)
        self.decay, self._shared = decay, _Shared(optimizer)
        for i, averaged in enumerate(self._averages()):
            self._register_low(i, averaged)

    def _register_low(self, i: int, averaged) -> None:
        kind = _LOW.get(averaged.dtype)
        self.register_buffer(f"low_{i}", None if kind is None else torch.zeros_like(averaged, dtype=kind))

    @torch.no_grad()
    def _apply(self, fn, recurse=True):
        """If parameters get another type, the low parts still belong to their old type. So the means are joined before
        and split after the conversion."""
        before = list(zip(self._averages(), self._lows()))
        super()._apply(fn, recurse)
        for i, ((old, low), averaged) in enumerate(zip(before, self._averages(), strict=True)):
            if averaged.dtype != old.dtype:
                mean = _join(*_local(old, low))
                self._register_low(i, averaged)
                averaged, low = _local(averaged, getattr(self, f"low_{i}"))
                _split(mean.to(averaged.device), averaged, low)
        return self

    def _averages(self) -> list[torch.Tensor]:
        tensors = [*self.module.parameters(), *(self.module.buffers() if self.use_buffers else ())]
        return [x.detach() for x in tensors if x.is_floating_point()]

    def means(self) -> list[torch.Tensor]:
        """The averages in float32, in the order of parameters."""
        return [shards.like(x, _join(*_local(x, low))) for x, low in zip(self._averages(), self._lows())]

    def _lows(self) -> list[torch.Tensor | None]:
        lows = []
        for i, averaged in enumerate(self._averages()):
            low = getattr(self, f"low_{i}")
            if _LOW.get(averaged.dtype) != (None if low is None else low.dtype):
                raise ValueError(f"AveragedModel: average {i} is of {averaged.dtype}, but the digits kept beside it "
                                 "do not fit this dtype; convert the AveragedModel, not its module")
            lows.append(low)
        return lows

    def _places(self, weights) -> dict:
        """The optimizer's index of its parameters, looked up once for all weights."""
        optimizer = self._shared.optimizer
        places = {} if optimizer is None else optimizer._places()
        if optimizer is not None and not any(id(x) in places for x in weights):
            raise ValueError("AveragedModel: the optimizer has none of the model's parameters; give the model that it "
                             "trains")
        return places

    def _weight_of(self, x, places: dict) -> torch.Tensor:
        return self._shared.optimizer._exact_weights(x, places) if id(x) in places else x.detach()

    @torch.no_grad()
    def update_parameters(self, model) -> None:
        """Adds the present weights of the model to the averages. The first weights are copied."""
        count = int(self.n_averaged)
        part = 1.0 if count == 0 else 1 / (count + 1) if self.decay is None else 1 - self.decay
        tensors = [*model.parameters(), *(model.buffers() if self.use_buffers else ())]
        weights = [x for x in tensors if x.is_floating_point()]
        places = self._places(weights)
        for x, averaged, low in zip(weights, self._averages(), self._lows(), strict=True):
            averaged, low = _local(averaged, low)
            weight = shards.local(self._weight_of(x, places)).to(device=averaged.device, dtype=torch.float32)
            mean = _join(averaged, low) if count else weight
            _split(torch.lerp(mean, weight, part), averaged, low)
        for kept, present in zip(self.module.buffers(), model.buffers()):
            if not (self.use_buffers and kept.is_floating_point()):
                kept.copy_(present)
        self.n_averaged += 1
