"""Operations on planes in the memory of a GPU. Each function returns None where there is no program for its operands:
then they are copied to the CPU.

The library has programs for f64x2, f64x3, f32x2 and bf16x2, functions (exp, log, ...) for f64x2 alone. Numbers whose
components two doubles hold exactly (float16; float32 and bfloat16 of one or two components) go through f64x2: its
errors are far below half a unit in their last place, so that the bounds of the CPU's functions hold, but not its bits.
"""
from __future__ import annotations

import functools
import itertools

import torch

from . import _core
from ._torch_components import spread, widened
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


# Numbers as pairs of doubles

def _fits_pair(x: torch.Tensor) -> bool:
    """Whether two doubles hold each number, whatever its components."""
    return x.dtype == torch.float16 or len(x) <= 2


def _plus(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """x + y, but x itself where y is a zero, so that zeros keep their sign, and where x is not finite."""
    return torch.where((y == 0) | ~x.isfinite(), x, x + y)


def pairs(x: torch.Tensor) -> torch.Tensor:
    """Numbers that two doubles hold, as f64x2, exactly."""
    wide = x.to(F64)
    if len(x) == 1:
        return widened(wide, 2)
    high, low = wide[0], wide[1]
    for further in wide[2:]:  # of float16: a double holds the sum
        low = low + further
    total = _plus(high, low)
    part = total - high
    error = (high - (total - part)) + (low - part)
    return torch.stack([total, torch.where(total.isfinite(), error, 0.0)])


def _to_odd(high: torch.Tensor, low: torch.Tensor) -> torch.Tensor:
    """high + low rounded to a double with an odd last bit where it is none: further roundings see on which side of a
    tie it lies."""
    bits = high.view(torch.int64)
    toward_zero = bits - ((high < 0) != (low < 0)).to(torch.int64)
    return torch.where((low == 0) | ~high.isfinite() | (high == 0), bits, toward_zero | 1).view(F64)


def from_pairs(x: torch.Tensor, kind: torch.dtype, components: int) -> torch.Tensor:
    """Planes of numbers of f64x2, each component what is left, rounded to nearest."""
    if kind == F64:
        return x[:1].clone() if components == 1 else widened(x, components)
    high, low = x[0], x[1]
    found = []
    for _ in range(components):
        near = rounded(_to_odd(high, low), kind)
        found.append(near)
        rest = torch.where(near.isfinite(), high - near.to(F64), 0.0)
        low = torch.where(near.isfinite(), low, 0.0)
        high = rest + low
        part = high - rest
        low = (rest - (high - part)) + (low - part)
    return torch.stack(found)


# Programs

def _device(x: torch.Tensor) -> tuple[int, int]:
    return x.device.index or 0, current_stream(x.device)


def _operand(x: torch.Tensor, shape: torch.Size) -> torch.Tensor:
    """Contiguous planes of a shape, or of one element, which stands for all."""
    if x[0].numel() == 1:
        return x.contiguous()
    return spread(x, len(shape)).expand(len(x), *shape).contiguous()


def _start(number: int, operands, components: int) -> torch.Tensor:
    """An operation of the library on planes of one of its types."""
    shape = torch.broadcast_shapes(*(x.shape[1:] for x in operands))
    kind = operands[0].dtype
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
    """An operation on planes: of their own type, or by pairs of doubles."""
    kind, components = operands[0].dtype, max(map(len, operands))
    if components == 1 and name in _PLAIN:
        count = max(x.dim() for x in operands) - 1
        return _PLAIN[name](*(spread(x, count) for x in operands))
    if (kind, components) in _ELEMENTS and (not is_function or (kind, components) == (F64, 2)):
        return _start(number, [widened(x, components) for x in operands], components)
    if components > 2 and kind != torch.float16:
        return None
    return from_pairs(_start(number, [pairs(x) for x in operands], 2), kind, components)


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
    if _fits_pair(x) and _fits_pair(y):
        x, y = pairs(x), pairs(y)
    components = max(len(x), len(y))
    if (x.dtype, components) not in _ELEMENTS:
        return None
    x, y = widened(x, components), widened(y, components)
    difference = _start(_BINARY["sub"], [x, y], components)[0]
    relation = _RELATIONS[name]
    # NaN, and infinities: the first components say it
    return torch.where(difference.isnan(), relation(x[0], y[0]), relation(difference, 0.0))


@_program
def compare_number(x, value, name, number_first):
    if not _fits_pair(x) and x.dtype != F64:
        return None
    number = x.new_full((1,), value, dtype=F64)
    return compare(number, x, name) if number_first else compare(x, number, name)


# Rows

def _rows(x: torch.Tensor, dims) -> tuple[torch.Tensor, list[int]]:
    """Planes (components, results, terms) and the sizes of the results, ones where terms were."""
    count = x.dim() - 1
    gone = sorted({d % count for d in dims}) if dims else list(range(count))
    left = [i for i in range(count) if i not in gone]
    sizes = [1 if i in gone else n for i, n in enumerate(x.shape[1:])]
    rows = x.permute(0, *(i + 1 for i in left), *(i + 1 for i in gone))
    results = torch.Size(x.shape[i + 1] for i in left).numel()
    terms = torch.Size(x.shape[i + 1] for i in gone).numel()
    return rows.reshape(len(x), results, terms), sizes


def _shaped(x: torch.Tensor, sizes, dims, keepdim: bool) -> torch.Tensor:
    if keepdim:
        return x.reshape(len(x), *sizes)
    gone = {d % len(sizes) for d in dims} if dims else set(range(len(sizes)))
    return x.reshape(len(x), *(n for i, n in enumerate(sizes) if i not in gone))


@_program
def reduce(x, name, dims, keepdim):
    kind, components = x.dtype, len(x)
    by_pairs = (kind, components) not in _ELEMENTS
    if by_pairs and kind != torch.float16:
        return None
    rows, sizes = _rows(pairs(x) if by_pairs else x, dims)
    rows = rows.contiguous()
    if rows.shape[2] == 0:
        return None  # what the CPU says or returns
    out = rows.new_empty(rows.shape[:2])
    if out.numel() > 0:
        _core.planes_reduce_there(_ELEMENTS[rows.dtype, len(rows)], name, rows.data_ptr(), rows.shape[1],
                                  rows.shape[2], out.data_ptr(), *_device(out))
    return _shaped(from_pairs(out, kind, components) if by_pairs else out, sizes, dims, keepdim)


#: the largest exponents of powers of two whose reciprocals are normal numbers, too
_EXPONENTS = {F64: 1021, torch.float32: 125, torch.bfloat16: 125}


@_program
def norm(x, p, dims, keepdim):
    """Of p = 1, 2 and infinity; squares are of numbers scaled by a power of two, so that none overflows."""
    if x.dtype == torch.float16:  # whose lower components a scale would lose
        found = norm(pairs(x), p, dims, keepdim)
        return None if found is None else from_pairs(found, x.dtype, len(x))
    if (x.dtype, len(x)) not in _ELEMENTS or x.numel() == 0 or p not in (1, 2, float("inf")):
        return None
    size = unary(x, "abs")
    if p in (1, float("inf")):
        return reduce(size, "sum" if p == 1 else "max", dims, keepdim)
    high = reduce(size, "max", dims, True)[:1].to(F64)
    most = _EXPONENTS[x.dtype]
    exponent = torch.where(high.isfinite() & (high > 0), torch.frexp(high)[1], 0).clamp(-most, most)
    scale = ((1023 - exponent.to(torch.int64)) << 52).view(F64).to(x.dtype)  # 2^-exponent by its bits
    root = unary(reduce(unary(x * scale, "square"), "sum", dims, True), "sqrt") / scale
    root = torch.cat([root[:1], torch.where(root[:1].isfinite(), root[1:], 0)])
    return _shaped(root, root.shape[1:], dims, keepdim)


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
        wide = torch.matmul(*(_plus(z[0], z[1:].sum(0)) for z in (x.to(F64), y.to(F64))))
        return from_pairs(widened(wide.unsqueeze(0), 2), kind, components)
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
    if not _fits_pair(x):
        return None
    if len(x) == 1 and (x.dtype == dtype or dtype == F64):  # in new memory
        return widened(x.to(dtype, copy=components == 1), components)
    return from_pairs(pairs(x), dtype, components)
