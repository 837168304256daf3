"""Operations of manifolds on CUDA tensors.

Some operations have compiled kernels for few dimensions. All others, and all derivatives, run the steps that the CPU
runs in SIMD lanes (src/geometry/programs). The steps do not hold for every point. The few points that are left, such as
those next to the boundary, are computed on the CPU, and the check for them synchronizes with the GPU.
"""
from __future__ import annotations

import functools

import torch

from . import _core
from ._points import MEANS
from ._torch_device import computed_here, current_stream, is_there, require_no_capture
from ._torch_groups import leading_shape
from ._torch_operands import require_one_device

#: the operations with compiled kernels, and their dimensions
COMPILED = ("dist", "expmap", "logmap")
DIMENSIONS = _core.point_dimensions_there
_RESULTS = _core.operation_results()
#: kinds of results that are rows
_VECTORS = ("point", "vector")
#: the models whose points have one coordinate more than the space has dimensions
LONGER = ("Lorentz", "Hemisphere", "Sphere")
#: the model whose "radius" is a curvature; its steps depend on the sign of the curvature
CURVED = "Stereographic"
#: the most bytes of scratch memory of a call, and the number of blocks of threads that fill a GPU
_MOST_SCRATCH, _MOST_BLOCKS = 1 << 28, 1056
_WIDEST_OPERANDS = 5


class _NoSteps(Exception):
    """There are no steps for these operands: they are too wide, or the steps of a formula do not hold for them."""


#: the suffixes of operators, and the methods that compute them on the CPU
_HERE = {"": "value_here", "_backward": "derivatives_here", "_second": "second_here"}


def _or_here(suffix: str):
    """Decorates a function (about, first, operands, ...). If there are no steps, the method for the operator with this
    suffix computes the result on the CPU. A value is copied to the device of the operands, a gradient to the device of
    its operand."""
    def decorate(there):
        @functools.wraps(there)
        def call(about, first, operands, *rest):
            try:
                return there(about, first, operands, *rest)
            except _NoSteps:
                device = next(x.device for x in operands if is_there(x))
                found = computed_here(about.name + suffix, device, getattr(about, _HERE[suffix]), first, operands, (),
                                      *rest)
            if isinstance(found, torch.Tensor):
                return found.to(device)
            found = [g if g is None or isinstance(g, torch.Tensor) else _core.to_torch(g) for g in found]
            return [g if g is None else g.to(x.device) for g, x in zip(found, (first, *operands, *rest[:1]))]

        return call

    return decorate


class _Rows:
    """The operands of an operator, and after them the lengths of cones, as rows of float64. They are on one device,
    and their leading dimensions broadcast."""

    def __init__(self, about, first, operands):
        """``about``: the operator (_torch_geometry.Operation or one of cones); ``first``: its radius, or all radii."""
        self.about, self.first = about, first
        *cones, self.model, self.name = about.words
        self.cones = "".join(cones)
        self.radius, *lengths = first.reshape(-1).unbind() if about.first_core else [first]
        self.lengths, name = len(lengths), self.name
        self.kinds, self.operands = about.kinds + "n" * len(lengths), [*operands, *lengths]
        self.gives, operands, kinds = _RESULTS[name], self.operands, self.kinds
        points = [x for x, kind in zip(operands, kinds) if kind == "p"]
        self.device = points[0].device
        require_one_device(name, operands)
        if any(x.dim() == 0 for x in points):
            raise ValueError(f"{name}: an operand without dimensions; points have coordinates")
        if any(x.shape[-1] != points[0].shape[-1] for x in points):
            raise ValueError(f"{name}: operands of shapes {' and '.join(str(tuple(x.shape)) for x in operands)} do "
                             "not have the same number of coordinates")
        self.coordinates = points[0].shape[-1]
        self.widths = {**dict.fromkeys(_VECTORS, self.coordinates + about.more), "p": self.coordinates}
        least = 1 + (self.model in LONGER)
        if self.coordinates < least:
            raise ValueError(f"{name}: points of {self.coordinates} coordinates; {least} at least are wanted")
        self.leading = leading_shape(operands, [int(kind == "p") for kind in kinds])
        self.count = self.leading.numel()
        self.rows = [self.of(x, kind) for x, kind in zip(operands, kinds)]

    def of(self, x: torch.Tensor, kind: str) -> torch.Tensor:
        """Converts a tensor to rows beside the operands."""
        x = x.to(device=self.device, dtype=torch.float64).expand(*self.leading, *self._inside(kind))
        return x.reshape(self.count, self.width(kind)).contiguous()

    def width(self, kind: str) -> int:
        return self.widths.get(kind, 1)

    def shaped(self, rows: torch.Tensor, kind: str) -> torch.Tensor:
        """Converts rows of a result to a tensor."""
        return rows.reshape(*self.leading, *self._inside(kind))

    def _inside(self, kind: str) -> tuple:
        return (self.widths[kind],) if kind in self.widths else ()

    def compiled(self) -> bool:
        """Whether there is a compiled kernel for points of this dimension."""
        return not self.cones and self.name in COMPILED and (
            self.coordinates - (self.model in LONGER) in DIMENSIONS) and self.model in MEANS

    def start(self, name: str, x, y, kind: str) -> torch.Tensor:
        """Runs a compiled kernel."""
        out = x.new_empty(self.count, self.width(kind))
        if self.count > 0:
            _core.manifold_value_there(self.model, name, _number(self.radius), x.data_ptr(), y.data_ptr(),
                                       out.data_ptr(), (self.count, self.coordinates), self.device.index or 0,
                                       current_stream(self.device))
        return out

    def run(self, more, results, wanted: int = 0, given: int = 0, digits: int = 53):
        """Runs the steps. Returns the results, of these widths or None, and a mask of the points that are left.
        ``more``: rows beside the operands, first the gradient; an entry may be None."""
        number = _number(self.radius)
        sign = (number > 0) - (number < 0) if self.model == CURVED else 0
        steps, program = _steps(self.cones, self.model, self.name, self.coordinates, wanted, given, digits, sign,
                                self.device)
        if steps is None:
            raise _NoSteps
        out = [None if width is None else self.rows[0].new_empty(self.count, width) for width in results]
        left = torch.zeros(self.count, dtype=torch.bool, device=self.device)
        if self.count == 0:
            return out, left
        require_no_capture(self.name, self.device)
        threads = _core.point_step_threads
        blocks = max(1, min(-(-self.count // threads), _MOST_BLOCKS, _MOST_SCRATCH // (8 * threads * steps.rows)))
        scratch = self.rows[0].new_empty(blocks * threads * steps.rows)
        rows = [*self.rows, *[None] * (_WIDEST_OPERANDS - len(self.rows)), *more]
        _core.manifold_steps_there(steps, program.data_ptr(), number, _addresses(rows), _addresses(out),
                                   left.data_ptr(), self.count, (scratch.data_ptr(), blocks),
                                   self.device.index or 0, current_stream(self.device))
        return out, left

    # Operands of the CPU for some points. The lengths are the same for all points.

    def some(self, at):
        """The operands of these points on the CPU."""
        return [_some(x, at, kind) for x, kind in zip(self.rows, self.about.kinds)]

    def split(self, given):
        """Splits a list for the radii and operands into a list for the radius, the operands and the lengths."""
        first, *others = given
        if not self.about.first_core:
            return [first, *others]
        radius, *lengths = [None] * (1 + self.lengths) if first is None else first.reshape(-1).unbind()
        count = len(self.about.kinds)
        return [radius, *others[:count], *lengths, *others[count:]]

    def joined(self, found):
        """The inverse of split."""
        if not self.about.first_core:
            return found
        count = len(self.about.kinds)
        radius, operands, lengths, others = found[0], found[1:count + 1], found[count + 1:][:self.lengths], found[
            count + 1 + self.lengths:]
        first = None if radius is None else torch.stack([radius, *lengths]).reshape(self.first.shape)
        return [first, *operands, *others]

    def flags(self, wanted):
        """Converts flags of the radii and operands to flags of the radius, operands and lengths."""
        count = len(self.about.kinds)
        return [*wanted[:count + 1], *[wanted[0]] * self.lengths, *wanted[count + 1:]]


def _some(rows, at, kind: str):
    """The rows of some points on the CPU. None stays None."""
    return None if rows is None else rows[at].cpu().reshape(-1, *(() if kind in ("n", "number") else rows.shape[1:]))


def _number(radius) -> float:
    return float(radius.detach().reshape(-1)[0])


def _addresses(rows):
    return [(0, 0) if x is None else (x.data_ptr(), x.shape[1]) for x in rows]


@functools.lru_cache(maxsize=None)
def _steps(cones: str, model: str, name: str, coordinates: int, wanted: int, given: int, digits: int, sign: int,
           device):
    """The steps, and their bytes in the memory of the device. (None, None) if there are no steps."""
    steps = _core.manifold_steps(cones, model, name, coordinates, wanted, given, digits, sign)
    if steps is None:
        return None, None
    return steps, torch.frombuffer(bytearray(steps.bytes), dtype=torch.uint8).to(device)


def rounded(x: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
    """Rounds float64 once to another type. PyTorch converts float64 to 16 bits through float32, so this float32 is
    rounded to odd."""
    if kind.itemsize > 2:
        return x.to(kind)
    near = x.to(torch.float32)
    wide, bits = near.to(torch.float64), near.view(torch.int32)
    toward_zero = bits - (wide.abs() > x.abs()).to(torch.int32)
    return torch.where(wide == x, bits, toward_zero | 1).view(torch.float32).to(kind)


def rounded_points(model: str, radius, x: torch.Tensor, kind: torch.dtype):
    """Rounds the coordinates of rows of points to another type one by one. Returns the rows, and a mask of the rows
    that are then no longer points."""
    near = rounded(x, kind)
    wide = near.to(torch.float64)
    number = _number(radius)
    if model in ("PoincareBall", "Klein") or (model == CURVED and number < 0):
        return near, ~(wide.square().sum(-1) < 0.999 * (-1 / number if model == CURVED else number**2))
    if model in ("HalfSpace", "Hemisphere"):
        return near, ~(wide.isfinite().all(-1) & (wide[..., -1] > 0))
    if model == "Lorentz":
        return near, ~wide.isfinite().all(-1)
    return near, torch.zeros_like(wide[..., 0], dtype=torch.bool)


def put_left(rows: torch.Tensor, left: torch.Tensor, here) -> None:
    """Fills in the points that are left: ``here(indices)`` computes them on the CPU."""
    at = left.nonzero().reshape(-1)
    if len(at) > 0:
        rows[at] = here(at).to(rows.device).reshape(len(at), -1)


def round_there(model: str, radius, x: torch.Tensor, kind: torch.dtype, here) -> torch.Tensor:
    """Rounds points of float64 to another type. ``here(k, x)`` does the same on the CPU."""
    rows = x.reshape(-1, x.shape[-1])
    near, left = rounded_points(model, radius, rows, kind)
    put_left(near, left, lambda at: here(radius.cpu(), rows[at].cpu()))
    return near.reshape(x.shape)


@_or_here("")
def value_there(about, first, operands) -> torch.Tensor:
    """The result of an operator, in the type of its operands."""
    kind, of = operands[0].dtype, _Rows(about, first, operands)
    left = None
    if of.compiled():
        found = of.start(of.name, *of.rows, of.gives)
    else:
        (found,), left = of.run((), [of.width(of.gives)], digits=24 if kind == torch.float32 else 53)
    if of.gives == "point" and kind != torch.float64:
        found, no_points = rounded_points(about.model, of.radius, found, kind)
        left = no_points if left is None else left | no_points
    else:
        found = rounded(found, kind)
    if left is not None:
        put_left(found, left, lambda at: about.value_here(first.cpu(), [x.to(kind) for x in of.some(at)]))
    return of.shaped(found, of.gives)


def _bits(flags) -> int:
    return sum(1 << i for i, flag in enumerate(flags) if flag)


def _derivatives(of: _Rows, more, like, kinds, wanted, given: int, here):
    """Computes gradients of the tensors in ``like``, of these kinds, by steps. The radius comes first.
    ``here(indices)`` computes the gradients of some points on the CPU."""
    widths = [(of.width(kind) if w else None) for kind, w in zip(kinds, wanted)]
    out, left = of.run(more, widths, _bits(wanted), given)
    at = left.nonzero().reshape(-1)
    if len(at) > 0:
        found = [None if x is None else x if isinstance(x, torch.Tensor) else _core.to_torch(x) for x in here(at)]
        for rows, one in zip(out, of.split(found)):
            if rows is None:
                continue
            rows[at] = 0
            # gradients of radii are sums
            rows[at[:1] if one.numel() == 1 else at] = one.to(rows.device).reshape(-1, rows.shape[1])
    return of.joined([None if rows is None else of.shaped(rows, kind).sum_to_size(x.shape).to(x.device)
                      for rows, kind, x in zip(out, kinds, like)])


@_or_here("_backward")
def derivatives_there(about, first, operands, grad, wanted):
    """The gradients of the radii and the operands, None where not wanted."""
    of = _Rows(about, first, operands)
    seed = of.of(grad, of.gives)
    if of.name == "dist" and not wanted[0] and of.compiled():
        x, y = of.rows
        return [None, *(of.shaped(seed * of.start("dist_gradient", *pair, "vector"), "p").sum_to_size(x.shape)
                        if w else None for pair, x, w in zip(((x, y), (y, x)), operands, wanted[1:]))]

    def here(at):
        return about.derivatives_here(first.cpu(), of.some(at), (), _some(seed, at, of.gives), list(wanted))

    return _derivatives(of, [seed], of.split([first, *operands]), ["n", *of.kinds], of.flags(wanted), 0, here)


@_or_here("_second")
def second_there(about, first, operands, grad, cotangents, wanted):
    """The derivatives of derivatives_there for cotangents, by radii, operands and the gradient."""
    of = _Rows(about, first, operands)
    if of.model == CURVED and _number(of.radius) == 0:  # steps have no second derivatives by a curvature of 0
        raise _NoSteps
    seed = of.of(grad, of.gives)
    weights = of.split(cotangents)
    rows = [None if c is None else of.of(c, kind) for c, kind in zip(weights, "n" + of.kinds)]

    def here(at):
        by_operands = [_some(x, at, kind) for x, kind in zip(rows[1:], about.kinds)]
        by_first = None if cotangents[0] is None else cotangents[0].cpu()
        return about.second_here(first.cpu(), of.some(at), (), _some(seed, at, of.gives), [by_first, *by_operands],
                                 list(wanted))

    return _derivatives(of, [seed, *_filled(rows, of)], [*of.split([first, *operands]), grad],
                        ["n", *of.kinds, of.gives], of.flags(wanted), _bits(c is not None for c in weights), here)


def _filled(rows, of: _Rows):
    """The cotangents at the positions where steps read them: the radius, then the largest possible number of
    operands."""
    return [*rows, *[None] * (_WIDEST_OPERANDS - len(of.rows))]


__all__ = ["derivatives_there", "is_there", "round_there", "second_there", "value_there"]
