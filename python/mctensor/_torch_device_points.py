"""Operations of manifolds on tensors in the memory of a GPU.

Some have compiled programs there, of few dimensions; all others, and derivatives, are the steps that the CPU takes in
lanes (src/geometry/programs). They are not for every point: the few that are left, as those next to the boundary, are
computed on the CPU, and whether there are any waits for the GPU.
"""
from __future__ import annotations

import functools

import torch

from . import _core
from ._points import MEANS
from ._torch_device import current_stream, is_there
from ._torch_groups import leading_shape

#: what has compiled programs, and for which dimensions
COMPILED = ("dist", "expmap", "logmap")
DIMENSIONS = _core.point_dimensions_there
_RESULTS = _core.operation_results()
#: kinds of operands and results that are rows
_VECTORS = ("p", "point", "vector")
_LONGER = "Lorentz"  # whose points have a coordinate more
#: bytes that the threads of a call work in, at most, and blocks of threads that fill a GPU
_MOST_SCRATCH, _MOST_BLOCKS = 1 << 28, 1056
_WIDEST_OPERANDS = 3


def _refuse(what: str):
    raise NotImplementedError(f"{what} of tensors on a CUDA device: there is no program for this; take .cpu()")


class _Rows:
    """Operands of one device whose leading dimensions broadcast, as rows of float64."""

    def __init__(self, words, kinds: str, operands):
        self.words, self.kinds, name = words, kinds, words[1]
        points = [x for x, kind in zip(operands, kinds) if kind == "p"]
        self.device = points[0].device
        # a number of the CPU, as PyTorch takes it beside tensors of a device
        if any(x.device != self.device and not (x.dim() == 0 and kind == "n") for x, kind in zip(operands, kinds)):
            raise ValueError(f"{name}: tensors on {' and '.join(str(x.device) for x in operands)}; "
                             "those of one device are taken")
        if any(x.dim() == 0 for x in points):
            raise ValueError(f"{name}: an operand without dimensions; points have coordinates")
        if any(x.shape[-1] != points[0].shape[-1] for x in points):
            raise ValueError(f"{name}: operands of shapes {' and '.join(str(tuple(x.shape)) for x in operands)}")
        self.coordinates = points[0].shape[-1]
        least = 1 + (words[0] == _LONGER)
        if self.coordinates < least:
            raise ValueError(f"{name}: points of {self.coordinates} coordinates; {least} at least are wanted")
        self.leading = leading_shape(operands, [int(kind == "p") for kind in kinds])
        self.count = self.leading.numel()
        self.rows = [self.of(x, kind == "p") for x, kind in zip(operands, kinds)]

    def of(self, x: torch.Tensor, is_vector: bool) -> torch.Tensor:
        """A tensor beside the operands as rows."""
        width = (self.coordinates,) if is_vector else ()
        x = x.to(device=self.device, dtype=torch.float64).expand(*self.leading, *width)
        return x.reshape(self.count, *(width or (1,))).contiguous()

    def width(self, kind: str) -> int:
        return self.coordinates if kind in _VECTORS else 1

    def shaped(self, rows: torch.Tensor, kind: str) -> torch.Tensor:
        """Results as tensors."""
        return rows.reshape(*self.leading, *((self.coordinates,) if kind in _VECTORS else ()))

    def compiled(self) -> bool:
        """Whether there is a program for points of this dimension."""
        return self.words[1] in COMPILED and self.coordinates - (self.words[0] == _LONGER) in DIMENSIONS

    def start(self, name: str, radius, x, y, kind: str) -> torch.Tensor:
        """A compiled program."""
        out = x.new_empty(self.count, self.width(kind))
        if self.count > 0:
            _core.manifold_value_there(self.words[0], name, _number(radius), x.data_ptr(), y.data_ptr(),
                                       out.data_ptr(), (self.count, self.coordinates), self.device.index or 0,
                                       current_stream(self.device))
        return out

    def run(self, radius, more, results, wanted: int = 0, given: int = 0, digits: int = 53):
        """Steps: the results, of these widths or None, and which points are left. ``more``: rows beside the operands,
        the gradient first, or None."""
        steps, program = _steps(*self.words, self.coordinates, wanted, given, digits, self.device)
        if steps is None:
            _refuse(f"{self.words[0]}: " + ("derivatives of " if wanted else "") + self.words[1] +
                    f" of {self.coordinates} coordinates")
        out = [None if width is None else self.rows[0].new_empty(self.count, width) for width in results]
        left = torch.zeros(self.count, dtype=torch.bool, device=self.device)
        if self.count == 0:
            return out, left
        if self.device.type == "cuda" and torch.cuda.is_current_stream_capturing():
            raise NotImplementedError(f"{self.words[1]}: it waits for the GPU, which a CUDA graph does not record")
        threads = _core.point_step_threads
        blocks = max(1, min(-(-self.count // threads), _MOST_BLOCKS, _MOST_SCRATCH // (8 * threads * steps.rows)))
        scratch = self.rows[0].new_empty(blocks * threads * steps.rows)
        rows = [*self.rows, *[None] * (_WIDEST_OPERANDS - len(self.rows)), *more]
        _core.manifold_steps_there(steps, program.data_ptr(), _number(radius), _addresses(rows), _addresses(out),
                                   left.data_ptr(), self.count, (scratch.data_ptr(), blocks),
                                   self.device.index or 0, current_stream(self.device))
        return out, left


def _number(radius) -> float:
    return float(radius.detach().reshape(-1)[0])


def _addresses(rows):
    return [(0, 0) if x is None else (x.data_ptr(), x.shape[1]) for x in rows]


@functools.lru_cache(maxsize=None)
def _steps(model: str, name: str, coordinates: int, wanted: int, given: int, digits: int, device):
    """Steps, and what belongs into the memory of the device; (None, None) where there are none."""
    steps = _core.manifold_steps(model, name, coordinates, wanted, given, digits) if model in MEANS else None
    if steps is None:
        return None, None
    return steps, torch.frombuffer(bytearray(steps.bytes), dtype=torch.uint8).to(device)


def _rounded(x: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
    """Numbers of float64 in another type, rounded once: PyTorch goes by float32 to those of 16 bits, so that is
    rounded to odd."""
    if kind.itemsize > 2:
        return x.to(kind)
    near = x.to(torch.float32)
    wide, bits = near.to(torch.float64), near.view(torch.int32)
    toward_zero = bits - (wide.abs() > x.abs()).to(torch.int32)
    return torch.where(wide == x, bits, toward_zero | 1).view(torch.float32).to(kind)


def _rounded_points(model: str, radius, x: torch.Tensor, kind: torch.dtype):
    """Rows of points in another type, and which of them are none when their coordinates are rounded one by one."""
    near = _rounded(x, kind)
    wide = near.to(torch.float64)
    if model == "PoincareBall":
        return near, ~(wide.square().sum(-1) < 0.999 * _number(radius)**2)
    if model == "HalfSpace":
        return near, ~(wide.isfinite().all(-1) & (wide[..., -1] > 0))
    return near, torch.zeros_like(wide[..., 0], dtype=torch.bool)


def _put_left(rows: torch.Tensor, left: torch.Tensor, here) -> None:
    """The points that are left, as here(their numbers) computes them on the CPU."""
    at = left.nonzero().reshape(-1)
    if len(at) > 0:
        rows[at] = here(at).to(rows.device).reshape(len(at), -1)


def round_there(model: str, radius, x: torch.Tensor, kind: torch.dtype, here) -> torch.Tensor:
    """Points of float64 in another type; here(k, x): the same on the CPU."""
    rows = x.reshape(-1, x.shape[-1])
    near, left = _rounded_points(model, radius, rows, kind)
    _put_left(near, left, lambda at: here(radius.cpu(), rows[at].cpu()))
    return near.reshape(x.shape)


def value_there(words, kinds: str, radius, operands, here) -> torch.Tensor:
    """A result of the type of the operands; here(k, operands): the same on the CPU."""
    kind, result, of = operands[0].dtype, _RESULTS[words[1]], _Rows(words, kinds, operands)
    left = None
    if of.compiled():
        found = of.start(words[1], radius, *of.rows, result)
    else:
        digits = 24 if kind == torch.float32 else 53
        (found,), left = of.run(radius, (), [of.width(result)], digits=digits)
    if result == "point" and kind != torch.float64:
        found, no_points = _rounded_points(words[0], radius, found, kind)
        left = no_points if left is None else left | no_points
    else:
        found = _rounded(found, kind)
    if left is not None:
        _put_left(found, left, lambda at: here(radius.cpu(), [
            x[at].cpu().to(kind).reshape(-1, *x.shape[1:] if k == "p" else ()) for x, k in zip(of.rows, kinds)]))
    return of.shaped(found, result)


def _bits(flags) -> int:
    return sum(1 << i for i, flag in enumerate(flags) if flag)


def _derivatives(of: _Rows, radius, more, like, kinds, wanted, given: int, here):
    """Gradients of the radius and what else is in ``like``, of the kinds, by steps; here(their numbers): those of some
    points on the CPU."""
    widths = [(of.width(kind) if w else None) for kind, w in zip(kinds, wanted)]
    out, left = of.run(radius, more, widths, _bits(wanted), given)
    at = left.nonzero().reshape(-1)
    if len(at) > 0:
        for rows, found in zip(out, here(at)):
            if rows is None:
                continue
            found = found if isinstance(found, torch.Tensor) else _core.to_torch(found)
            rows[at] = 0
            # that of the radius is the sum
            rows[at[:1] if found.numel() == 1 else at] = found.to(rows.device).reshape(-1, rows.shape[1])
    return [None if rows is None else (rows.sum().reshape(x.shape) if i == 0 else
                                       of.shaped(rows, kind).sum_to_size(x.shape)).to(x.device)
            for i, (rows, kind, x) in enumerate(zip(out, kinds, like))]


def _taken(rows, at, kinds: str):
    """Rows of some points as the library's."""
    return [None if x is None else _core.from_torch(x[at].cpu().reshape(-1, *(x.shape[1:] if k == "p" else ())))
            for x, k in zip(rows, kinds)]


def derivatives_there(words, kinds: str, radius, operands, grad, wanted):
    """Gradients of the radius and the operands, None where not wanted."""
    of = _Rows(words, kinds, operands)
    if words[1] == "dist" and not wanted[0] and of.compiled():
        x, y = of.rows
        grad = of.of(grad, False)
        return [None, *(of.shaped(grad * of.start("dist_gradient", radius, *pair, "vector"), "p").sum_to_size(x.shape)
                        if w else None for pair, x, w in zip(((x, y), (y, x)), operands, wanted[1:]))]
    gives = "n" if _RESULTS[words[1]] == "number" else "p"
    seed = of.of(grad, gives == "p")

    def here(at):
        return _core.manifold_derivatives(*words, _core.from_torch(radius.cpu()), _taken(of.rows, at, kinds),
                                          *_taken([seed], at, gives), list(wanted))

    return _derivatives(of, radius, [seed], [radius, *operands], "n" + kinds, wanted, 0, here)


def second_there(words, kinds: str, radius, operands, grad, cotangents, wanted):
    """The derivatives of derivatives_there, for cotangents, by radius, operands and the gradient."""
    of = _Rows(words, kinds, operands)
    gives = "n" if _RESULTS[words[1]] == "number" else "p"
    seed = of.of(grad, gives == "p")
    rows = [None if c is None else of.of(c, kind == "p") for c, kind in zip(cotangents, "n" + kinds)]

    def here(at):
        by_radius = None if rows[0] is None else _core.from_torch(cotangents[0].cpu().to(torch.float64))
        return _core.manifold_second(*words, _core.from_torch(radius.cpu()), _taken(of.rows, at, kinds),
                                     *_taken([seed], at, gives), [by_radius, *_taken(rows[1:], at, kinds)],
                                     list(wanted))

    return _derivatives(of, radius, [seed, *rows], [radius, *operands, grad], "n" + kinds + gives, wanted,
                        _bits(c is not None for c in cotangents), here)


__all__ = ["derivatives_there", "is_there", "round_there", "second_there", "value_there"]
