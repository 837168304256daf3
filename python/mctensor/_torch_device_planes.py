"""Operations on planes in the memory of a GPU. Each function returns None where there is no program for its operands:
then they are copied to the CPU.

The library has programs for f64x2, f64x3, f32x2 and bf16x2, functions (exp, log, ...) for f64x2 alone. Other numbers
of up to three components are computed in the shortest of f64x2 and f64x3 that holds them exactly. Its errors are far
below half a unit in their last place, so that the bounds of the CPU's functions hold, but not its bits.
"""
from __future__ import annotations

import functools
import itertools

import torch

from . import _core
from ._torch_components import reduced_shape, spread, widened
from ._torch_device import current_stream, number_of, require_no_capture
from ._torch_device_points import rounded
from ._torch_groups import beside

F64 = torch.float64
#: types whose programs take elements and rows, and those whose programs take matrices
_ELEMENTS = {(F64, 2): "f64x2", (F64, 3): "f64x3", (torch.float32, 2): "f32x2", (torch.bfloat16, 2): "bf16x2"}
_MATRICES = {(F64, 2): "f64x2", (F64, 3): "f64x3", (torch.float32, 2): "f32x2", (torch.float32, 3): "f32x3"}
_UNARY, _BINARY = _core.unary_numbers, _core.binary_numbers
#: by the name of an operator: its kernel for CUDA tensors, which returns None where there is no program
PROGRAMS: dict = {}


@functools.cache
def _has_programs(device: int) -> bool:
    return _core.device_has_programs(device)


def _program(kernel):
    """Enters a kernel. It is asked only where the device can run the library's programs."""
    @functools.wraps(kernel)
    def checked(x, *args):
        numbers = [number_of(z) for z in (x, *args[:1]) if isinstance(z, torch.Tensor)]
        if not _has_programs(max(0, *numbers)):
            return None
        found = kernel(x, *args)
        return None if found is None else found.contiguous()  # as the fake kernels

    PROGRAMS[kernel.__name__] = checked
    return checked


def operand_there(x, y) -> torch.Tensor:
    """The operand on whose device the result lies: a number of the CPU is taken beside tensors of others."""
    if x.device == y.device or y.dim() == 1 and y.is_cpu:
        return x
    if x.dim() == 1 and x.is_cpu:
        return y
    raise RuntimeError(f"MCTensor: tensors on {x.device} and {y.device}; those of one device are taken")


# Numbers as sums of doubles

def _plus(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """x + y, but x itself where y is a zero, so that zeros keep their sign, and where x is not finite."""
    return torch.where((y == 0) | ~x.isfinite(), x, x + y)


def _two_sum(x: torch.Tensor, y: torch.Tensor):
    total = _plus(x, y)
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _normalized(parts) -> list[torch.Tensor]:
    """Two or three doubles with the same sum, each at most half a unit in the last place of the one before."""
    high, low = _two_sum(parts[0], parts[1])
    if len(parts) == 2:
        return [high, low]
    low, last = _two_sum(low, parts[2])
    high, low = _two_sum(high, low)
    return [high, *_two_sum(low, last)]


def _as_double(x: torch.Tensor) -> torch.Tensor:
    """Planes (1, ...) of double: the sum of the components, which for float16 is exact."""
    wide = x.to(F64)
    return _plus(wide[:1], wide[1:].sum(0, keepdim=True)) if len(x) > 1 else wide


def doubles(x: torch.Tensor):
    """Numbers as f64x2 or f64x3, exactly; None if these do not hold them."""
    if x.dtype == torch.float16 or len(x) == 1:
        return widened(_as_double(x), 2)
    if len(x) > 3:
        return None
    found = torch.stack(_normalized(x.to(F64).unbind()))
    return torch.cat([found[:1], torch.where(found[:1].isfinite(), found[1:], 0.0)])


def _to_odd(high: torch.Tensor, low: torch.Tensor) -> torch.Tensor:
    """high + low, rounded to odd: to a double with an odd last bit if it is not one itself. So a further rounding is
    the rounding of the sum, ties included."""
    bits = high.view(torch.int64)
    toward_zero = bits - ((high < 0) != (low < 0)).to(torch.int64)
    return torch.where((low == 0) | ~high.isfinite() | (high == 0), bits, toward_zero | 1).view(F64)


def from_doubles(x: torch.Tensor, kind: torch.dtype, components: int) -> torch.Tensor:
    """Planes of numbers of f64x2 or f64x3. Each component is the rest, rounded to nearest."""
    if kind == F64 and components >= len(x):
        return widened(x, components)
    if kind == F64 and len(x) == 2:
        return x[:1].clone()
    if kind == F64:
        low = _to_odd(x[1], x[2]) if components == 1 else x[1] + x[2]
        return torch.stack(_two_sum(x[0], low)[:components])
    parts, found = list(x.unbind()), []
    for _ in range(components):
        near = rounded(_to_odd(parts[0], parts[1]), kind)
        found.append(near)
        parts[0] = parts[0] - near.to(F64)
        parts = _normalized([torch.where(near.isfinite(), part, 0.0) for part in parts])
    return torch.stack(found)


# Programs

def _device(x: torch.Tensor) -> tuple[int, int]:
    return x.device.index or 0, current_stream(x.device)


def _operand(x: torch.Tensor, shape: torch.Size) -> torch.Tensor:
    """Contiguous planes of a shape, or of one element, which stands for all."""
    if x[0].numel() == 1:
        return x.contiguous()
    return spread(x, len(shape)).expand(len(x), *shape).contiguous()


def _start(number: int, operands) -> torch.Tensor:
    """An operation of the library on planes of one of its types, all with the same number of components."""
    shape = torch.broadcast_shapes(*(x.shape[1:] for x in operands))
    kind, components = operands[0].dtype, len(operands[0])
    out = operands[0].new_empty((components, *shape))
    if out.numel() > 0:
        taken = [_operand(x, shape) for x in operands]
        _core.planes_apply_there(_ELEMENTS[kind, components], number,
                                 [(x.data_ptr(), x[0].numel()) for x in taken],
                                 (out.data_ptr(), shape.numel()), *_device(out))
    return out


#: what PyTorch rounds as the library does where numbers have one component
_PLAIN = {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "neg": torch.neg, "abs": torch.abs,
          "square": torch.square, "sqrt": torch.sqrt}


def _apply(name: str, number: int, operands, is_function: bool):
    """An operation on planes: in their own type, or in two or three doubles."""
    kind, components = operands[0].dtype, max(map(len, operands))
    if components == 1 and name in _PLAIN:
        count = max(x.dim() for x in operands) - 1
        return _PLAIN[name](*(spread(x, count) for x in operands))
    if (kind, components) in _ELEMENTS and (not is_function or (kind, components) == (F64, 2)):
        return _start(number, [widened(x, components) for x in operands])
    wide = _doubles_of(operands)
    if wide is None or is_function and len(wide[0]) > 2:
        return None
    return from_doubles(_start(number, wide), kind, components)


def _doubles_of(operands):
    """Operands as f64x2, or as f64x3 if one of them needs it; None if these do not hold them."""
    wide = [doubles(x) for x in operands]
    if any(x is None for x in wide):
        return None
    return [widened(x, max(map(len, wide))) for x in wide]


@_program
def unary(x, name):
    return _apply(name, _UNARY[name], [x], _UNARY[name] >= _core.arithmetic_there[0])


def _on_one_device(x, y):
    """Both operands where the tensors are."""
    operand_there(x, y)
    return beside([x, y], [1, 1])


@_program
def binary(x, y, name):
    number = _BINARY[name]
    return _apply(name, number, _on_one_device(x, y), number >= _core.arithmetic_there[1])


_RELATIONS = {"eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "le": torch.le}


@_program
def compare(x, y, name):
    """By the sign of an exact enough difference: its error is relative, so that it is 0 for equal numbers alone."""
    x, y = _on_one_device(x, y)
    wide = _doubles_of([x, y])
    if wide is None:
        return None
    x, y = wide
    count = max(x.dim(), y.dim()) - 1
    x, y = spread(x, count), spread(y, count)
    difference = _start(_BINARY["sub"], [x, y])[0]
    relation = _RELATIONS[name]
    # NaN, and infinities: the first components say it
    return torch.where(difference.isnan(), relation(x[0], y[0]), relation(difference, 0.0))


@_program
def compare_number(x, value, name, number_first):
    number = x.new_full((1,), value, dtype=F64)
    return compare(number, x, name) if number_first else compare(x, number, name)


# Rows

def _rows(x: torch.Tensor, dims) -> torch.Tensor:
    """Planes (components, results, terms)."""
    count = x.dim() - 1
    gone = sorted({d % count for d in dims}) if dims else list(range(count))
    left = [i for i in range(count) if i not in gone]
    rows = x.permute(0, *(i + 1 for i in left), *(i + 1 for i in gone))
    results = torch.Size(x.shape[i + 1] for i in left).numel()
    terms = torch.Size(x.shape[i + 1] for i in gone).numel()
    return rows.reshape(len(x), results, terms).contiguous()


def _has(x: torch.Tensor, dims) -> bool:
    """Whether the numbers have dimensions, and these among them. If not, the CPU says what is wrong, or returns x."""
    count = x.dim() - 1
    return count > 0 and all(-count <= d < count for d in dims)


@_program
def reduce(x, name, dims, keepdim):
    if not _has(x, dims):
        return None
    kind, components = x.dtype, len(x)
    by_doubles = (kind, components) not in _ELEMENTS
    wide = x
    if by_doubles:
        wide = doubles(x) if components > 1 or kind == torch.float16 else None
        if wide is None:
            return None
    rows = _rows(wide, dims)
    if rows.shape[2] == 0:
        return None
    out = rows.new_empty(rows.shape[:2])
    if out.numel() > 0:
        _core.planes_reduce_there(_ELEMENTS[rows.dtype, len(rows)], name, rows.data_ptr(), rows.shape[1],
                                  rows.shape[2], out.data_ptr(), *_device(out))
    out = from_doubles(out, kind, components) if by_doubles else out
    return out.reshape(reduced_shape(x, dims, keepdim))


#: the largest exponents of powers of two whose reciprocals are normal numbers, too
_EXPONENTS = {F64: 1021, torch.float32: 125, torch.bfloat16: 125}


@_program
def norm(x, p, dims, keepdim):
    """Of p = 1, 2 and infinity; squares are of numbers scaled by a power of two, so that none overflows."""
    if not _has(x, dims) or x.numel() == 0 or p not in (1, 2, float("inf")):
        return None
    if (x.dtype, len(x)) not in _ELEMENTS:
        wide = doubles(x) if len(x) > 1 or x.dtype == torch.float16 else None
        return None if wide is None else from_doubles(norm(wide, p, dims, keepdim), x.dtype, len(x))
    size = unary(x, "abs")
    if p in (1, float("inf")):
        return reduce(size, "sum" if p == 1 else "max", dims, keepdim)
    high = reduce(size, "max", dims, True)[:1].to(F64)
    most = _EXPONENTS[x.dtype]
    exponent = torch.where(high.isfinite() & (high > 0), torch.frexp(high)[1], 0).clamp(-most, most)
    scale = ((1023 - exponent.to(torch.int64)) << 52).view(F64).to(x.dtype)  # 2^-exponent by its bits
    root = unary(reduce(unary(x * scale, "square"), "sum", dims, True), "sqrt") / scale
    root = torch.cat([root[:1], torch.where(root[:1].isfinite(), root[1:], 0)])
    return root.reshape(reduced_shape(x, dims, keepdim))


@_program
def place(x, largest, dim, keepdim):
    """The first of the largest elements; NaN is one."""
    if x.numel() == 0:
        return None
    dims = [] if dim is None else [dim]
    extreme = reduce(x, "max" if largest else "min", dims, True)
    found = None if extreme is None else compare(x, extreme, "eq")
    if found is None:
        return None
    found = torch.where(extreme[0].isnan(), x[0].isnan(), found).to(torch.int8)
    if dim is None:
        return found.reshape(-1).argmax().reshape([1] * found.dim() if keepdim else [])
    return found.argmax(dim, keepdim)


#: from these edges on products of doubles may go through integers, which waits for the device
_LEAST_BY_INTEGERS = 256


@_program
def product(x, y):
    x, y = _on_one_device(x, y)
    kind, components = x.dtype, max(len(x), len(y))
    if kind.itemsize == 2:  # the product of doubles has smaller errors than the type's bound
        wide = torch.matmul(*(_as_double(z)[0] for z in (x, y)))
        return from_doubles(widened(wide.unsqueeze(0), 2), kind, components)
    if components == 1:
        found = product(widened(x, 2), widened(y, 2))
        return None if found is None else found[:1]  # two components are rounded to nearest by the first
    if (kind, components) not in _MATRICES or x.dim() == 1 or y.dim() == 1:
        return None
    a, b = widened(x, components), widened(y, components)
    a, b = a.unsqueeze(1) if x.dim() == 2 else a, b.unsqueeze(2) if y.dim() == 2 else b
    if a.shape[-1] != b.shape[-2]:
        return None  # the CPU says what is wrong
    edges = a.shape[-2], a.shape[-1], b.shape[-1]
    if kind == F64 and min(edges) >= _LEAST_BY_INTEGERS:
        require_no_capture("matmul", x.device)
    batch = torch.broadcast_shapes(a.shape[1:-2], b.shape[1:-2])
    out = a.new_zeros((components, *batch, edges[0], edges[2]))
    if out.numel() > 0 and edges[1] > 0:
        for at in itertools.product(*map(range, batch)):
            # planes of one matrix
            left, right = (spread(z, len(batch) + 2).expand(components, *batch, *z.shape[-2:])[(slice(None), *at)]
                           .contiguous() for z in (a, b))
            to = out if not batch else out.new_empty((components, edges[0], edges[2]))
            _core.planes_multiply_there(_MATRICES[kind, components], left.data_ptr(), right.data_ptr(),
                                        to.data_ptr(), edges, *_device(out))
            if batch:
                out[(slice(None), *at)] = to
    out = out.squeeze(-2) if x.dim() == 2 else out
    return out.squeeze(-1) if y.dim() == 2 else out


@_program
def convert(x, dtype, components):
    if len(x) == 1 and (x.dtype == dtype or dtype == F64):  # in new memory
        return widened(x.to(dtype, copy=components == 1), components)
    wide = doubles(x)
    return None if wide is None else from_doubles(wide, dtype, components)
