"""Exact sums of CUDA tensors, each held in three doubles. Sums that three doubles do not hold or that are not finite
are computed on the CPU, and the check for them synchronizes with the GPU."""
from __future__ import annotations

import torch

from . import _core
from ._torch_device import current_stream, require_no_capture
from ._torch_device_points import put_left, rounded
from ._torch_groups import leading_shape
from ._torch_operands import require_one_device

#: the most terms that a warp adds; longer rows are sums of sums
_PIECE = 4096


def _start(result: str, rows, divisor: float, piece: int):
    """Sums pieces of rows, or of products of two rows. Returns the sums and a mask of the rows that are left for the
    CPU."""
    count, length = rows[0].shape
    pieces, device = -(-length // piece), rows[0].device
    out = rows[0].new_empty(count, pieces * (3 if result == "levels" else 1))
    left = torch.empty(count, pieces, dtype=torch.bool, device=device)
    _core.exact_sums_there(result, rows[0].data_ptr(), rows[1].data_ptr() if len(rows) > 1 else 0, count, length,
                           piece, divisor, out.data_ptr(), left.data_ptr(), device.index or 0, current_stream(device))
    return out, left.any(-1)


def sums_there(name: str, operands, kind: torch.dtype, here) -> torch.Tensor:
    """The sums over the last dimension (the means for "mean"), or the sums of products of two operands, rounded once to
    a type. ``here(*rows)`` does the same on the CPU."""
    device, length = operands[0].device, operands[0].shape[-1]
    require_one_device(name, operands)
    require_no_capture(name, device)
    leading = leading_shape(operands, [1] * len(operands))
    if length == 0 or leading.numel() == 0:
        return torch.full(leading, torch.nan if name == "mean" else 0.0, dtype=kind, device=device)
    given = [x.expand(*leading, length).reshape(-1, length) for x in operands]
    rows, left = [x.to(torch.float64).contiguous() for x in given], None
    final = ("mean" if kind == torch.float64 else "mean_to_odd") if name == "mean" else (
        "nearest" if kind == torch.float64 else "to_odd")
    divisor = float(length)
    while rows[0].shape[-1] > _PIECE:
        levels, more = _start("levels", rows, divisor, _PIECE)
        rows, left = [levels], more if left is None else left | more
    found, more = _start(final, rows, divisor, rows[0].shape[-1])
    found, left = rounded(found, kind), more if left is None else left | more
    put_left(found, left, lambda at: here(*(x[at].cpu() for x in given)))
    return found.reshape(leading)
