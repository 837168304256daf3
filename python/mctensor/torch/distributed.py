"""Exact sums over the processes of torch.distributed: the same bits for any number of ranks.

    import mctensor.torch.distributed as exact
    exact.all_reduce(tensor)                     # in place, as torch.distributed.all_reduce's sum

    gradients = exact.ExactGradients(model.parameters())
    for batch in my_share_of_the_batches:        # 1 rank with 4 of them, or 4 ranks with one each
        loss(model, batch).backward()
        gradients.add()
    gradients.average()                          # p.grad: the mean over all batches of all ranks
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)        # or the next backward pass adds to the mean

Sums are exact and rounded once, so neither the order nor the number of ranks matters. The processes are the ranks of
``group``, by default of torch.distributed's default group. Its backend must carry CPU tensors (gloo, MPI,
"cpu:gloo,cuda:nccl"). Without a group there is one process. CUDA tensors are summed on the CPU, and results are copied
back.
"""
from __future__ import annotations

import numpy as np
import torch
import torch.distributed as dist

from .. import _core
from .._pickles import NotPickled
from .._torch_device import require_no_capture
from .._torch_mctensor import MCTensor
from .._torch_operands import KINDS
from .._torch_shards import is_sharded

__all__ = ["ExactGradients", "all_reduce", "average_gradients"]


class _Ranks:
    """The exchange between processes that the library needs. Arrays of bytes are exchanged in place."""

    def __init__(self, group):
        self.rank, self.size, self._group = dist.get_rank(group), dist.get_world_size(group), group
        self._others = dist.get_process_group_ranks(group or dist.group.WORLD)

    def exchange_counts(self, counts) -> list[int]:
        """Sends counts[r] to rank r. Returns the counts that the ranks send to this one."""
        own = torch.tensor(counts, dtype=torch.int64, device="cpu")
        rows = [torch.empty_like(own) for _ in range(self.size)]
        dist.all_gather(rows, own, group=self._group)
        return [int(row[self.rank]) for row in rows]

    def exchange(self, sent: list[np.ndarray], received: list[np.ndarray]) -> None:
        """Sends sent[r] to rank r, and receives received[r] from rank r."""
        pending = []
        for r in range(self.size):
            if r == self.rank:
                if sent[r].size == received[r].size:
                    received[r][...] = sent[r]
                continue
            if received[r].size:
                pending.append(dist.irecv(torch.from_numpy(received[r]), src=self._others[r], group=self._group))
            if sent[r].size:
                pending.append(dist.isend(torch.from_numpy(sent[r]), dst=self._others[r], group=self._group))
        for work in pending:
            work.wait()

    def gather(self, own: np.ndarray, received: list[np.ndarray]) -> None:
        """Sends one part to all ranks."""
        self.exchange([own] * self.size, received)

    def broadcast(self, values: np.ndarray, root: int) -> None:
        dist.broadcast(torch.from_numpy(values), self._others[root], group=self._group)


def _ranks(group):
    """The processes of a group (None: all processes), or None if there is only one. Raises ValueError in a process
    outside the group."""
    if not (dist.is_available() and dist.is_initialized()):
        if group is not None:
            raise ValueError("a process group is given, but torch.distributed is not initialized")
        return None
    if dist.get_rank(group) < 0:
        raise ValueError(f"exact sums: rank {dist.get_rank()} is not in the group")
    if dist.get_world_size(group) == 1:
        return None
    backends = str(dist.get_backend_config(group))
    if not any(f"cpu:{name}" in backends for name in ("gloo", "mpi")):
        raise ValueError(f"exact sums over the backend {backends}: gloo and mpi carry tensors of the CPU; give "
                         "torch.distributed.new_group(backend=\"gloo\") as group")
    return _core.Ranks(_Ranks(group))


def _require_plain(name: str, x: torch.Tensor) -> None:
    if isinstance(x, MCTensor):
        raise TypeError(f"{name}: an MCTensor of {x.nc} components; plain tensors are summed: evaluate() rounds to one")


def _require(name: str, x: torch.Tensor) -> None:
    if is_sharded(x):
        raise TypeError(f"{name}: the gradients of a DTensor's parts are summed already; for other tensors take "
                        "x.to_local()")
    if x.device.type not in ("cpu", "cuda"):
        raise ValueError(f"{name}: a tensor on {x.device}; those of the CPU and of CUDA devices are summed")
    if x.is_sparse or x.dtype not in KINDS:
        raise TypeError(f"{name}: a tensor of {x.dtype}{' (sparse)' if x.is_sparse else ''}; float64, "
                        "float32, float16 and bfloat16 are summed")


def _kind_of_gradients(parameter) -> torch.dtype:
    """The type of a parameter's gradients. In later versions of PyTorch it may differ from the type of the
    parameter."""
    return getattr(parameter, "grad_dtype", None) or parameter.dtype


def _in_a_row(x: torch.Tensor):
    """Converts a contiguous tensor to a tensor of the library with one dimension."""
    x = x.detach().reshape(-1)
    bits = x.view(torch.int16).numpy() if x.dtype in (torch.bfloat16, torch.float16) else x.numpy()
    kind = KINDS[x.dtype]
    if kind == "f16x1":
        bits = bits.view(np.float16)
    elif kind == "bf16x1":
        bits = bits.view(np.uint16)
    return _core.from_planes(bits[np.newaxis], kind)


def all_reduce(tensor: torch.Tensor, group=None) -> torch.Tensor:
    """Replaces every element by its sum over all ranks of the group, exact and rounded once: the same bits on every
    rank, for any number and order of ranks. Returns the tensor. All ranks must call it with the same number of elements
    of one type; otherwise it raises ValueError on all of them."""
    _require_plain("all_reduce", tensor)
    _require("all_reduce", tensor)
    require_no_capture("all_reduce", tensor.device)
    ranks = _ranks(group)
    with torch.no_grad():
        values = tensor.detach().to(device="cpu", memory_format=torch.contiguous_format, copy=True)
        if ranks is not None:
            _core.all_reduce(ranks, _in_a_row(values))
        else:  # NaN and -0 become the same as with several ranks
            sums = _core.exact_sums(KINDS[values.dtype], values.numel())
            sums.add(_in_a_row(values), 0)
            sums.round_to(_in_a_row(values), None)
        tensor.copy_(values)
    return tensor


class ExactGradients(NotPickled):
    """Sums of the gradients of parameters, over any number of backward passes on any number of ranks.

    All ranks of the group must make it with the same parameters. A rank holds its sums exactly, as one to three doubles
    for each element. Then ``average`` or ``sum`` adds up the sums of all ranks and rounds once to the type of the
    gradients.
    """

    _instead = "sum() or average() turns the sums into gradients"

    def __init__(self, parameters, group=None):
        self.parameters, self._group = [p for p in parameters if p.requires_grad], group
        self._kinds = [_kind_of_gradients(p) for p in self.parameters]
        self._places, sizes = {}, {}
        for p, kind in zip(self.parameters, self._kinds):
            _require("ExactGradients", p)
            self._places[p] = sizes.get(kind, 0)
            sizes[kind] = self._places[p] + p.numel()
        self._sums = {kind: _core.exact_sums(KINDS[kind], size) for kind, size in sizes.items()}
        self._sizes = sizes
        self.clear()

    def clear(self) -> None:
        """Clears the sums."""
        for sums in self._sums.values():
            sums.clear()
        self._added = 0
        self._touched = torch.zeros(len(self.parameters), dtype=torch.int64, device="cpu")

    def add(self) -> None:
        """Adds the gradients of one backward pass, and sets them to None. A missing gradient counts as zeros."""
        for i, (p, kind) in enumerate(zip(self.parameters, self._kinds)):
            if p.grad is None:
                continue
            _require_plain("ExactGradients: a gradient", p.grad)
            if p.grad.is_sparse or p.grad.dtype != kind:
                raise TypeError(f"ExactGradients: a gradient of {p.grad.dtype}"
                                f"{' (sparse)' if p.grad.is_sparse else ''} of a parameter of {p.dtype}"
                                + (f" with gradients of {kind}" if kind != p.dtype else ""))
            self._sums[kind].add(_in_a_row(p.grad.detach().cpu().contiguous()), self._places[p])
            self._touched[i] = 1
            p.grad = None
        self._added += 1

    def sum(self) -> int:
        """Gives parameters the exact sums as gradients, rounded once, and clears the sums. A gradient stays None if no
        rank had one. Returns the number of passes that were added on all ranks. All ranks must call it."""
        return self._give(False)

    def _give(self, averages: bool) -> int:
        ranks = _ranks(self._group)
        state = torch.cat([torch.tensor([self._added], device="cpu"), self._touched])
        if ranks is not None:
            dist.all_reduce(state, group=self._group)
        for kind, sums in self._sums.items():
            total = torch.empty(self._sizes[kind], dtype=kind, device="cpu")
            sums.round_to(_in_a_row(total), ranks)
            if averages and state[0] > 0:  # on the CPU, because a GPU multiplies by a rounded reciprocal
                total /= int(state[0])
            for i, p in enumerate(self.parameters):
                if self._kinds[i] == kind:
                    grad = total[self._places[p]:self._places[p] + p.numel()].view(p.shape)
                    p.grad = grad.to(device=p.device, copy=True) if state[i + 1] > 0 else None
        self.clear()
        return int(state[0])

    def average(self) -> int:
        """The same as sum, with the sums divided by the number of passes. Raises ValueError if nothing was added."""
        added = self._give(True)
        if added == 0:
            raise ValueError("ExactGradients: nothing was added on any rank")
        return added


def average_gradients(parameters, group=None) -> None:
    """Replaces gradients by their means over the ranks of the group: exact sums, rounded once, divided by the number of
    ranks. If ranks first add up several passes, use ExactGradients, so that the bits do not depend on the number of
    passes of each rank."""
    gradients = ExactGradients(parameters, group)
    gradients.add()
    gradients.average()
