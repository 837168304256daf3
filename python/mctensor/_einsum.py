"""Sums of products along named dimensions."""
from __future__ import annotations

import math
import operator
import string

import numpy as np

from ._array import Array, _normal_axis, _wrap
from ._functions import as_array, arrays_beside, matmul
from . import _core


def _letters_of_numbers(operands) -> tuple[str, list]:
    """Translates NumPy's other notation to letters: operand, list of numbers, operand, list, ..., perhaps the list of
    the result. Returns the subscripts and the operands."""
    letters = "".join(sorted(string.ascii_letters))

    def text(numbers) -> str:
        return "".join("..." if n is Ellipsis else letters[operator.index(n)] for n in numbers)

    arrays, lists = list(operands[:len(operands) // 2 * 2:2]), [text(n) for n in operands[1::2]]
    subscripts = ",".join(lists)
    return (subscripts + "->" + text(operands[-1]) if len(operands) % 2 else subscripts), arrays


def _parsed(subscripts: str, dimensions: list[int]) -> tuple[list[str], str]:
    """Finds a letter for each dimension of the operands and of the result. Raises ValueError."""
    text = subscripts.replace(" ", "")
    given, arrow, result = text.partition("->")
    parts = given.split(",")
    if len(parts) != len(dimensions):
        raise ValueError(f"einsum: '{subscripts}' names {len(parts)} operands, {len(dimensions)} are given")
    free = [c for c in string.ascii_letters if c not in text]
    most = max((d - len(part.replace("...", "")) for part, d in zip(parts, dimensions) if "..." in part), default=0)
    if most > len(free):
        raise ValueError(f"einsum: '{subscripts}' has more dimensions than letters")
    rest = "".join(free[:most])

    def named(part: str, count: int | None) -> str:
        letters = part.replace("...", "", 1)
        if not all(c in string.ascii_letters for c in letters):
            raise ValueError(f"einsum: '{subscripts}' has other characters than letters")
        if "..." not in part:
            if count is not None and len(letters) != count:
                raise ValueError(f"einsum: '{part}' has {len(letters)} letters for an operand of {count} dimensions")
            return letters
        hidden = most if count is None else count - len(letters)
        if hidden < 0:
            raise ValueError(f"einsum: '{part}' has {len(letters)} letters for an operand of {count} dimensions")
        return part.replace("...", rest[most - hidden:], 1)

    inputs = [named(part, d) for part, d in zip(parts, dimensions)]
    every = "".join(inputs)
    if not arrow:
        names = sorted(c for c in set(every) - set(rest) if every.count(c) == 1)
        return inputs, rest + "".join(names)
    output = named(result, None)
    if len(set(output)) != len(output) or not set(output) <= set(every):
        raise ValueError(f"einsum: the result '{result}' names a dimension twice, or one that no operand has")
    return inputs, output


def _diagonals(x: Array, names: str) -> tuple[Array, str]:
    """Replaces two dimensions with the same name by their diagonal."""
    for c in dict.fromkeys(names):
        while names.count(c) > 1:
            first = names.index(c)
            second = names.index(c, first + 1)
            if x.shape[first] != x.shape[second]:
                raise ValueError(f"einsum: '{c}' has the sizes {x.shape[first]} and {x.shape[second]}")
            planes = np.ascontiguousarray(np.diagonal(x.planes, 0, first + 1, second + 1))
            x = _wrap(_core.from_planes(planes.copy() if not planes.flags.writeable else planes, x.dtype))
            names = "".join(n for i, n in enumerate(names) if i not in (first, second)) + c
    return x, names


def _summed(x: Array, names: str, wanted) -> tuple[Array, str]:
    """Sums over the names that are not in ``wanted``."""
    gone = tuple(i for i, c in enumerate(names) if c not in wanted)
    return (x.sum(gone), "".join(c for c in names if c in wanted)) if gone else (x, names)


def _ordered(x: Array, names: str, order: str) -> Array:
    """Puts the dimensions in this order. Missing dimensions get size 1."""
    x = x.transpose([names.index(c) for c in order if c in names])
    sizes = iter(x.shape)
    return x.reshape([next(sizes) if c in names else 1 for c in order])


def _contracted(x: Array, x_names: str, y: Array, y_names: str, wanted) -> tuple[Array, str]:
    """Multiplies two operands and sums over the names that are not in ``wanted``."""
    x, x_names = _summed(x, x_names, set(wanted) | set(y_names))
    y, y_names = _summed(y, y_names, set(wanted) | set(x_names))
    both = [c for c in x_names if c in y_names]
    batch = "".join(c for c in both if c in wanted)
    inner = "".join(c for c in both if c not in wanted)
    rows = "".join(c for c in x_names if c not in y_names)
    columns = "".join(c for c in y_names if c not in x_names)
    result = batch + rows + columns
    if not inner:
        return _ordered(x, x_names, result) * _ordered(y, y_names, result), result
    sizes = dict(zip(x_names + y_names, x.shape + y.shape))
    count = {part: math.prod(sizes[c] for c in part) for part in (batch, rows, columns, inner)}
    left = _ordered(x, x_names, batch + rows + inner).reshape(count[batch], count[rows], count[inner])
    right = _ordered(y, y_names, batch + inner + columns).reshape(count[batch], count[inner], count[columns])
    return matmul(left, right).reshape([sizes[c] for c in result]), result


def einsum(subscripts, *operands, optimize="greedy") -> Array:
    """Sums products over named dimensions, as ``numpy.einsum``: "ij,jk->ik", "ii", "...i,...i", or the notation with
    lists of numbers.

    It takes two operands at a time, with ``matmul`` if there is a sum. So the error of a pair is the error of a sum of
    products: ``product_bound`` of the number of terms (docs/tensors.md), relative to the same sum of magnitudes. For
    more than two operands NumPy's ``einsum_path`` chooses the order; with ``optimize`` False they are taken from left
    to right. Raises ValueError for letters and sizes that do not fit."""
    if not isinstance(subscripts, str):
        subscripts, operands = _letters_of_numbers((subscripts, *operands))
    arrays = arrays_beside(*operands)
    inputs, output = _parsed(subscripts, [x.ndim for x in arrays])
    sizes = {}
    for names, x in zip(inputs, arrays):
        for c, n in zip(names, x.shape):
            if sizes.get(c, 1) != 1 and n not in (1, sizes[c]):
                raise ValueError(f"einsum: '{c}' has the sizes {sizes[c]} and {n}")
            sizes[c] = n if sizes.get(c, 1) == 1 else sizes[c]
    parts = []
    for names, x in zip(inputs, arrays):
        shape = [sizes[c] for c in names]
        parts.append(_diagonals(x if list(x.shape) == shape else _wrap(x._t.expand(shape)), names))
    for pair in _order(inputs, output, sizes, optimize):
        taken = [parts[i] for i in pair]
        parts = [part for i, part in enumerate(parts) if i not in pair]
        wanted = set(output).union(*(names for _, names in parts))
        result = taken[0]
        for i, other in enumerate(taken[1:], 2):
            later = (names for _, names in taken[i:])
            result = _contracted(*result, *other, wanted.union(*later))
        parts.append(result)
    x, names = _summed(*parts[0], set(output))
    result = x.transpose([names.index(c) for c in output])
    return result.copy() if len(arrays) == 1 else result


def _order(inputs: list[str], output: str, sizes: dict, optimize) -> list:
    """The pairs of operands in the order of their products. Each result is appended to the operands."""
    if len(inputs) < 3 or not optimize:
        return [(0, len(inputs) - 1 - k) if k else (0, 1) for k in range(len(inputs) - 1)]
    shapes = [np.broadcast_to(0.0, [sizes[c] for c in names]) for names in inputs]
    kind = optimize if isinstance(optimize, (str, tuple, list)) else "greedy"
    return np.einsum_path(",".join(inputs) + "->" + output, *shapes, optimize=kind)[0][1:]


def tensordot(x, y, axes=2) -> Array:
    """Sums products over the last ``axes`` dimensions of x and the first ``axes`` dimensions of y, or over a pair of
    lists of dimensions. It has the error of a sum of products, as ``matmul``. Raises ValueError for sizes that do not
    fit."""
    x, y = arrays_beside(x, y)
    if isinstance(axes, (tuple, list)):
        first, second = (list(a) if isinstance(a, (tuple, list)) else [a] for a in axes)
    else:
        count = operator.index(axes)
        first, second = list(range(x.ndim - count, x.ndim)), list(range(count))
    first = [_normal_axis(i, x.ndim) for i in first]
    second = [_normal_axis(i, y.ndim) for i in second]
    if [x.shape[i] for i in first] != [y.shape[i] for i in second]:
        raise ValueError(f"tensordot: axes {axes} do not fit shapes {x.shape} and {y.shape}")
    letters = iter(string.ascii_letters)
    x_names = [next(letters) for _ in x.shape]
    y_names = [x_names[first[second.index(i)]] if i in second else next(letters) for i in range(y.ndim)]
    rest = [c for i, c in enumerate(x_names) if i not in first] + [
        c for i, c in enumerate(y_names) if i not in second]
    return einsum(f"{''.join(x_names)},{''.join(y_names)}->{''.join(rest)}", x, y)


def inner(x, y) -> Array:
    """Sums products over the last dimensions of both. It has the error of a sum of products, as ``matmul``."""
    x, y = arrays_beside(x, y)
    return x * y if x.ndim == 0 or y.ndim == 0 else tensordot(x, y, (-1, -1))


def trace(x, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Sums a diagonal of two dimensions, with the error of a sum. Raises ValueError for fewer dimensions."""
    x = as_array(x)
    if x.ndim < 2:
        raise ValueError(f"trace: two dimensions are needed, the shape is {x.shape}")
    first, second = _normal_axis(axis1, x.ndim) + 1, _normal_axis(axis2, x.ndim) + 1
    if first == second:
        raise ValueError(f"trace: axis {axis1} is named twice")
    return _wrap(_core.from_planes(np.diagonal(x.planes, offset, first, second).copy(), x.dtype)).sum(-1)


Array.trace = trace
