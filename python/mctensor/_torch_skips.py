"""Steps that are skipped because a gradient is not finite: the vote of the ranks, and the warning."""
from __future__ import annotations

import warnings

import torch

from . import _torch_shards as shards
from . import _torch_state as states

#: how many calls lie between a warning and the program's own call of step
_CALLER = 5


def first_nonfinite(optimizer) -> str:
    """The name of the first parameter whose gradient is infinite or NaN."""
    for number, group in enumerate(optimizer.param_groups):
        for i, p in enumerate(group["params"]):
            if p.grad is None or p.grad.layout != torch.strided:
                continue
            grad = shards.local(p.grad).detach()
            if p.dtype == torch.float32 and not states.is_theta(p, group):
                grad = grad.to(states.NARROW[states.format_of(p, group)])  # as the step rounds it
            if not bool(torch.isfinite(grad).all()):
                return f"{states.title_of(group, number, i)}, of shape {tuple(p.shape)}"
    return ""


def warn(optimizer) -> None:
    """Warns of the first skipped step, the second, the fourth and so on."""
    count = optimizer.skipped_steps
    if count & (count - 1):
        return
    first = first_nonfinite(optimizer)
    where = f"first {first}" if first else "on another rank"
    so_far = (f"; {count} steps were skipped so far, {optimizer.skipped_in_a_row} in a row" if count > 1 else "")
    warnings.warn(f"MCAdamW: a step was skipped, because gradients are infinite or NaN, {where}{so_far}",
                  RuntimeWarning, stacklevel=_CALLER)


class SkipVote:
    """The processes that skip a step together: a group of torch.distributed, or this process alone."""

    def __init__(self, group):
        if not (group is None or group == "world" or hasattr(group, "rank")):
            raise TypeError("process_group must be 'world', None or a group of torch.distributed, not "
                            f"{group!r}")
        self._group = group

    def are_several(self) -> bool:
        """Whether there are other processes."""
        dist = torch.distributed
        if self._group is None or not (dist.is_available() and dist.is_initialized()):
            return False
        return dist.get_world_size(self._of_torch()) > 1

    def any_bad(self, bad: int) -> bool:
        """Whether a rank has gradients that are not finite. All ranks must call it."""
        backend = torch.distributed.get_backend(self._of_torch())
        device = "cuda" if backend == "nccl" else "cpu"
        flag = torch.tensor([int(bad > 0)], dtype=torch.int32, device=device)
        self.agree(flag)
        return bool(flag.item())

    def agree(self, flag: torch.Tensor) -> None:
        """Sets a flag on all ranks if one has set it. All ranks must call it. With NCCL it does not synchronize."""
        torch.distributed.all_reduce(flag, torch.distributed.ReduceOp.MAX, group=self._of_torch())

    def _of_torch(self):
        return None if self._group == "world" else self._group

    def __getstate__(self) -> dict:
        """Copies and pickles have no process group. They ask all processes, or none if this one asks none."""
        return {"_group": None if self._group is None else "world"}
