"""The library's operations of expansions as operators of PyTorch, on planes: tensors (components, *shape) of plain
numbers. ``mctensor.torch.MCTensor`` is made of such planes; its operations come down to these.

Kernels run on the CPU, and for the types of _torch_device_planes on CUDA devices; other CUDA tensors are copied to the
CPU. Derivatives are PyTorch's own of MCTensors.
"""
from __future__ import annotations

import torch

from . import _core
from ._torch_components import reduced_shape
from ._torch_device_planes import PROGRAMS, operand_there
from ._torch_operators import define, loop
from ._torch_operands import KINDS

from_torch, to_torch = _core.from_torch, _core.to_torch
UNARY, BINARY, COMPARE = _core.unary_numbers, _core.binary_numbers, _core.compare_numbers
#: the names of component types
NAMES = {kind: name.split("x")[0] for kind, name in KINDS.items()}
#: how many components there may be
MOST = {torch.float64: 4, torch.float32: 4, torch.float16: 3, torch.bfloat16: 3}


_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor


def is_eager(x: torch.Tensor) -> bool:
    """Whether a tensor has memory of its own that a kernel of the CPU can take at once: nothing traces or batches
    it."""
    return type(x) is torch.Tensor and x.is_cpu and not _is_wrapped(x)


def has_memory(x: torch.Tensor) -> bool:
    """Whether a tensor of the CPU or a CUDA device has memory of its own that a kernel can take at once."""
    return type(x) is torch.Tensor and (x.is_cpu or x.is_cuda) and not _is_wrapped(x)


def type_name(dtype: torch.dtype, components: int) -> str:
    """The library's name of a type of numbers: "f32x2"."""
    return f"{NAMES[dtype]}x{components}"


def _taken(x):
    return from_torch(x, True)


def _unary(x, name):
    return to_torch(_core.unary(UNARY[name], _taken(x)), True)


def _binary(x, y, name):
    return to_torch(_core.binary(BINARY[name], _taken(x), _taken(y)), True)


def _compare(x, y, name):
    return torch.from_numpy(_core.compare(COMPARE[name], _taken(x), _taken(y)))


def _compare_number(x, value, name, number_first):
    return torch.from_numpy(_core.compare_number(COMPARE[name], _taken(x), value, number_first))


_REDUCTIONS = {"sum": _core.sum, "mean": _core.mean, "max": _core.max, "min": _core.min}


def _reduce(x, name, dims, keepdim):
    return to_torch(_REDUCTIONS[name](_taken(x), dims, keepdim), True)


def _norm(x, p, dims, keepdim):
    return to_torch(_core.norm(_taken(x), p, dims, keepdim), True)


def _place(x, largest, dim, keepdim):
    found = torch.from_numpy((_core.argmax if largest else _core.argmin)(_taken(x), dim, keepdim))
    return found.reshape([1] * (x.dim() - 1)) if dim is None and keepdim else found


def _order(x, dim, descending):
    """Exact and stable; NaN counts as the largest, as in PyTorch."""
    rows = x.movedim(dim + 1, -1)
    places = torch.from_numpy(_core.argsort(_taken(-rows if descending else rows)))
    if descending:  # NaN to the front: a stable sort by whether there is a number
        numbers = (~rows.isnan().any(0)).gather(-1, places)
        places = places.gather(-1, numbers.to(torch.int8).argsort(dim=-1, stable=True))
    return places.movedim(-1, dim)


def _product(x, y):
    return to_torch(_core.matmul(_taken(x), _taken(y)), True)


def _convert(x, dtype, components):
    return to_torch(_core.convert(_taken(x), type_name(dtype, components)), True)


def _define(schema, kernel, fake):
    name = schema[len("planes_"):schema.index("(")]

    def batch(info, in_dims, *args):
        return loop(operator, info, in_dims, args)

    def in_a_row(*args):
        return kernel(*args).contiguous()  # the library leaves gaps between planes, of which ``fake`` knows nothing

    operator = define(schema, in_a_row, fake, batch=batch, there=PROGRAMS.get(name, False))

    def call(x, *args):
        eager = (not torch._C._len_torch_dispatch_stack() and is_eager(x)
                 and (not args or not isinstance(args[0], torch.Tensor) or is_eager(args[0])))
        try:
            return (kernel if eager else operator)(x, *args)
        except _core.ShapeError as error:
            raise RuntimeError(str(error)) from None  # as PyTorch's

    call.__name__ = name
    return call


def _broadcast(x, y):
    return torch.broadcast_shapes(x.shape[1:], y.shape[1:])


def _place_shape(x, dim, keepdim):
    if dim is None:
        return [1] * (x.dim() - 1) if keepdim else []
    return reduced_shape(x, [dim], keepdim)[1:]


def _product_shape(x, y):
    a, b = x.shape[1:], y.shape[1:]
    rows, columns = list(a[-2:-1]), list(b[-1:]) if len(b) > 1 else []
    return [max(x.shape[0], y.shape[0]), *torch.broadcast_shapes(a[:-2], b[:-2]), *rows, *columns]


unary = _define("planes_unary(Tensor x, str name) -> Tensor", _unary, lambda x, name: x.new_empty(x.shape))
binary = _define("planes_binary(Tensor x, Tensor y, str name) -> Tensor", _binary,
                 lambda x, y, name: operand_there(x, y).new_empty((max(x.shape[0], y.shape[0]), *_broadcast(x, y))))
compare = _define("planes_compare(Tensor x, Tensor y, str name) -> Tensor", _compare,
                  lambda x, y, name: operand_there(x, y).new_empty(_broadcast(x, y), dtype=torch.bool))
compare_number = _define("planes_compare_number(Tensor x, float value, str name, bool number_first) -> Tensor",
                         _compare_number,
                         lambda x, value, name, number_first: x.new_empty(x.shape[1:], dtype=torch.bool))
reduce = _define("planes_reduce(Tensor x, str name, int[] dims, bool keepdim) -> Tensor", _reduce,
                 lambda x, name, dims, keepdim: x.new_empty(reduced_shape(x, dims, keepdim)))
norm = _define("planes_norm(Tensor x, float p, int[] dims, bool keepdim) -> Tensor", _norm,
               lambda x, p, dims, keepdim: x.new_empty(reduced_shape(x, dims, keepdim)))
place = _define("planes_place(Tensor x, bool largest, int? dim, bool keepdim) -> Tensor", _place,
                lambda x, largest, dim, keepdim: x.new_empty(_place_shape(x, dim, keepdim), dtype=torch.int64))
order = _define("planes_order(Tensor x, int dim, bool descending) -> Tensor", _order,
                lambda x, dim, descending: x.new_empty(x.shape[1:], dtype=torch.int64))
product = _define("planes_product(Tensor x, Tensor y) -> Tensor", _product,
                  lambda x, y: operand_there(x, y).new_empty(_product_shape(x, y)))
convert = _define("planes_convert(Tensor x, ScalarType dtype, int components) -> Tensor", _convert,
                  lambda x, dtype, components: x.new_empty((components, *x.shape[1:]), dtype=dtype))
