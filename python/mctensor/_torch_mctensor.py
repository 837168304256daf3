"""The tensor of expansions: ``mctensor.torch.MCTensor``.

PyTorch sees a tensor with the shape of the numbers and the type of their components. It calls ``__torch_dispatch__``
for every operation, below autograd, vmap and compilation. _torch_mctensor_table has the handlers, which use planes.

Derivatives are PyTorch's own formulas, which call operations, too. A gradient is plain, as in C++ (Geometric
Foundations, section 3.3.4). So the arithmetic of these formulas gets the first components, except for differences,
which would cancel. Programs also call operations within a backward pass (hooks, checkpoints, their own functions).
``__torch_function__`` distinguishes these from formulas, because PyTorch calls it for operations in Python alone.
"""
from __future__ import annotations

import contextlib
import operator
import threading

import numpy as np
import torch
import torch.utils.data

from . import _convert, _core, _torch_planes as planes_of
from . import _torch_required  # noqa: F401  checks the version of PyTorch
from ._array import Array, _wrap as _array_of
from ._make import array
from ._torch_components import widened
from ._torch_planes import MOST, NAMES, type_name

#: the handler of each operation of PyTorch; _torch_mctensor_table enters them
HANDLERS: dict = {}
#: operations that use all components in formulas of derivatives, too
FORMULAS: set = set()
#: a program's functions that are called instead of PyTorch's
OVERRIDES: dict = {}
_PlainTensor = torch.Tensor


class _State(threading.local):
    task = None  # the backward pass in which the program, not a formula, has called an operation
    full = False  # whether formulas get all components


_state = _State()
_backward_pass = torch._C._current_graph_task_id


@contextlib.contextmanager
def full_gradients():
    """Backward passes in this context compute gradients with all components, as MCTensors: formulas get expansions
    instead of their first components. Use it around ``backward()`` or ``torch.autograd.grad``. A formula that needs an
    operation which MCTensor does not have raises TypeError."""
    before, _state.full = _state.full, True
    try:
        yield
    finally:
        _state.full = before


def wrap(planes: torch.Tensor) -> "MCTensor":
    """Makes a tensor of planes (components, *shape), which it keeps."""
    if torch.is_inference_mode_enabled() and not planes.is_inference():
        with torch.inference_mode(False):  # planes are a view of a normal tensor's; PyTorch makes its views normal, too
            return _wrapped(planes)
    return _wrapped(planes)


def _wrapped(planes: torch.Tensor) -> "MCTensor":
    result = _PlainTensor._make_wrapper_subclass(
        MCTensor, planes.shape[1:], strides=planes.stride()[1:], storage_offset=planes.storage_offset(),
        dtype=planes.dtype, device=planes.device)
    result._planes = planes
    return result


def _first(x):
    """The operands of a formula: the first components, which are the numbers rounded to their type."""
    if isinstance(x, MCTensor):
        return x._planes[0]
    if isinstance(x, (list, tuple)):
        return type(x)(map(_first, x))
    return x


def gradient_of(x):
    """A factor of a gradient: its first components, or all of them in full_gradients."""
    return x if _state.full else _first(x)


def _holds_numbers(x) -> bool:
    return isinstance(x, (_PlainTensor, Array, np.ndarray, list, str)) or _convert.is_number(x)


def _size_of(size: tuple) -> tuple[int, ...]:
    """The size that MCTensor(*size) has: whole numbers, or one sequence of them. Raises TypeError, ValueError."""
    given = size if len(size) != 1 or isinstance(size[0], (int, np.integer)) else size[0]
    try:
        if isinstance(given, (_PlainTensor, Array, np.ndarray, str)):
            raise TypeError
        found = tuple(operator.index(n) for n in given)
    except TypeError:
        raise TypeError(f"MCTensor(*size): a size consists of whole numbers, not {given!r}; mctensor.torch.tensor(data) "
                        "takes values, or pass them as val=") from None
    if any(n < 0 for n in found):
        raise ValueError(f"MCTensor(*size): the size {found} has a negative dimension")
    return found


def check_components(nc, dtype) -> int:
    """Checks a number of components of a PyTorch type. Raises TypeError, ValueError."""
    if dtype not in MOST:
        raise TypeError(f"MCTensor: components of {dtype}; float64, float32, float16 and bfloat16 are taken")
    if isinstance(nc, bool) or not isinstance(nc, int):
        raise TypeError(f"MCTensor: nc is a whole number, not {nc!r}")
    if not 1 <= nc <= MOST[dtype]:
        raise ValueError(f"MCTensor: {nc} components of {dtype}; there may be 1 to {MOST[dtype]}")
    return nc


class MCTensor(torch.Tensor):
    """A tensor whose elements are unevaluated sums of ``nc`` numbers of PyTorch's types: float64 and float32 (1 to 4
    components), float16 and bfloat16 (1 to 3).

    ``MCTensor(*size, nc=2, val=None)`` has a size and the values ``val``: numbers, nested lists, texts, NumPy arrays,
    arrays of mctensor, tensors of that size, or tensors with a last dimension of components. Without ``val`` it has
    standard normal numbers with all their bits. The shape has no dimension of components. Operations have the error
    bounds of the functions of the library (docs/functions.md, docs/tensors.md). Missing operations raise TypeError.
    Gradients are plain tensors of the shape and type of the tensor; ``full_gradients`` computes all their components.
    """

    _planes: torch.Tensor

    def __new__(cls, *size, nc: int = 2, val=None, requires_grad: bool = False, device=None, sparse_grad: bool = False,
                dtype: torch.dtype | None = None):
        if sparse_grad:
            raise TypeError("MCTensor: sparse_grad is not supported; gradients are dense, with zeros in rows without "
                            "gradient")
        size = _size_of(size)
        if val is None:
            planes = random_planes("randn", size, nc, dtype or torch.get_default_dtype())
        else:
            planes = planes_from(val, nc, dtype, size)
            if planes.shape[1:] != torch.Size(size):
                raise ValueError(f"MCTensor: values of shape {tuple(planes.shape[1:])} for a tensor of shape "
                                 f"{tuple(size)}")
        return _finished(planes if device is None else planes.to(device), requires_grad)

    def __init__(self, *args, **options):
        pass

    # Components

    @property
    def nc(self) -> int:
        """The number of components."""
        return self._planes.shape[0]

    @property
    def tensor(self) -> torch.Tensor:
        """The components as a plain tensor (*shape, nc), on the same memory. This tensor gets the gradient of the first
        component: a function of the sum of components has the same derivative by each component."""
        if self.requires_grad and torch.is_grad_enabled():
            return _Components.apply(self)
        return self._planes.movedim(0, -1)

    @property
    def fc(self) -> torch.Tensor:
        """The first components as a plain tensor on the same memory: the numbers rounded to their type, except for
        ties."""
        return self.tensor[..., 0]

    def evaluate(self) -> torch.Tensor:
        """Rounds every number to the type of its components, ties to even. The result is a plain tensor in new memory,
        and differentiable."""
        return _Rounded.apply(self) if self.requires_grad and torch.is_grad_enabled() else _rounded(self._planes)

    def size_nc(self, dim: int | None = None):
        """The size, with the number of components last."""
        size = torch.Size((*self.shape, self.nc))
        return size if dim is None else size[dim]

    def with_components(self, nc: int) -> "MCTensor":
        """The same numbers with another number of components. It is exact if ``nc`` is larger, otherwise each number is
        rounded once, with a relative error of at most u^nc."""
        return _WithComponents.apply(self, check_components(nc, self.dtype))

    # Values

    def array(self) -> Array:
        """The numbers as an array of mctensor, on the same memory. A CUDA tensor is copied to the CPU."""
        with torch._C.DisableTorchFunctionSubclass():
            return _array_of(planes_of.from_torch(self._here(), True))

    def _here(self) -> torch.Tensor:
        planes = self._planes.detach()
        return planes.cpu() if planes.is_cuda else planes

    def item(self) -> float:
        """The only number as the nearest double; ``array().item()`` is exact."""
        if self.numel() != 1:
            raise RuntimeError(f"item: a tensor of {self.numel()} elements cannot be a number")
        return float(self.array())

    def tolist(self):
        """Nested lists of exact ``decimal.Decimal``, or of floats if there is one component."""
        return self.array().tolist()

    def numpy(self, **options):
        raise TypeError("numpy: NumPy has no numbers of several components; evaluate() rounds them, tensor has the "
                        "components, array() is an array of mctensor")

    def __array__(self, dtype=None, copy=None):
        return self.numpy()

    # Memory: PyTorch's own functions would read or write at address 0, because only the planes have memory

    def share_memory_(self) -> "MCTensor":
        """Moves the components to memory that processes share, as torch.Tensor.share_memory_."""
        self._planes.share_memory_()
        return self

    def is_shared(self) -> bool:
        """Whether the components are in memory that processes share."""
        return self._planes.is_shared()

    def apply_(self, function):
        raise TypeError("apply_: a function of Python numbers cannot be had of numbers of several components; array() "
                        "is an array of mctensor")

    def __dlpack__(self, **options):
        raise TypeError("__dlpack__: other libraries have no numbers of several components; evaluate() rounds them, "
                        "tensor has the components")

    def __dlpack_device__(self):
        return self._planes.__dlpack_device__()

    def __float__(self) -> float:
        return self.item()

    def __repr__(self, **options) -> str:
        planes = self._here()
        if not planes_of.is_eager(planes):
            return f"MCTensor({self._planes!r}, nc={self.nc})"
        numbers = str(_core.print(planes_of.from_torch(planes, True))).replace("\n", "\n" + 9 * " ")
        end = "" if self.device.type == "cpu" else f", device='{self.device}'"
        end += ", requires_grad=True" if self.is_leaf and self.requires_grad else ""
        if self.grad_fn is not None:
            end += f", grad_fn=<{type(self.grad_fn).__name__}>"
        return f"MCTensor({numbers}, nc={self.nc}, dtype={self.dtype}{end})"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(self.array(), spec) if spec else str(self)

    # Gradients

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """As torch.Tensor.backward; the gradient of a single number is 1."""
        _backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # Copies

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError("MCTensor: only tensors that a program has made (leaves of the graph) can be copied by "
                               "deepcopy; take detach()")
        if id(self) not in memo:
            memo[id(self)] = _rebuilt(self._planes.detach().clone(), self.requires_grad, _is_parameter(self))
            if self.grad is not None:
                memo[id(self)].grad = self.grad.clone()
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return _rebuilt, (self._planes.detach(), self.requires_grad, _is_parameter(self))

    # PyTorch's protocols

    def __tensor_flatten__(self):
        return ["_planes"], self.nc

    @staticmethod
    def __tensor_unflatten__(inner, meta, outer_size, outer_stride):
        return wrap(inner["_planes"])

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if torch.compiler.is_compiling():
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        if func in OVERRIDES:
            return OVERRIDES[func](*args, **(kwargs or {}))
        if func in _PASSES:  # hooks that these call need __torch_function__
            return _PASSES[func](*args, **(kwargs or {}))
        before, _state.task = _state.task, _backward_pass()
        try:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **kwargs) if kwargs else func(*args)
        finally:
            _state.task = before

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if not _state.full and _backward_pass() not in (-1, _state.task):  # a formula of a derivative
            if _rounds(func, args):
                return func(*_first(args), **{name: _first(x) for name, x in (kwargs or {}).items()})
            if func is _aten.sub_.Tensor and not isinstance(args[0], MCTensor):  # 1 - x^2 in formulas
                return args[0].copy_(_first(HANDLERS[_aten.sub.Tensor](*args, **(kwargs or {}))))
        handler = HANDLERS.get(func)
        if handler is None:
            if torch.is_inference_mode_enabled() and _is_composed(func):
                return func.decompose(*args, **(kwargs or {}))
            raise TypeError(f"MCTensor: {func} does not exist for numbers of several components; evaluate() rounds "
                            "them to a plain tensor, tensor has their components")
        return handler(*args, **kwargs) if kwargs else handler(*args)


_aten = torch.ops.aten
_DIFFERENCES = {_aten.sub.Tensor, _aten.sub.Scalar, _aten.rsub.Scalar, _aten.rsub.Tensor, _aten.add.Tensor,
                _aten.add.Scalar, _aten.neg.default}


def _is_composed(func) -> bool:
    """Whether PyTorch computes an operation by others for every kind of tensor. It does so before it calls
    ``__torch_dispatch__``, except in inference mode, which leaves autograd out."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd")


def _rounds(func, args) -> bool:
    """Whether an operation of a formula gets first components. It gets all components for the difference of tensors
    that the formula has saved, or of one and a number, because first components would cancel, and if it moves or
    compares them."""
    if func in _DIFFERENCES:
        return any(isinstance(x, _PlainTensor) and not isinstance(x, MCTensor) for x in args[:2])
    if func is _aten.mul.Tensor:  # squares before differences, as in 1 - x^2
        return not all(isinstance(x, MCTensor) for x in args[:2])
    if func is _aten.pow.Tensor_Scalar:
        return args[1] != 2
    return func not in FORMULAS and not func._schema.is_mutable


def _is_parameter(x) -> bool:
    return getattr(x, "_is_param", False)


def _finished(planes, requires_grad: bool) -> MCTensor:
    if planes.requires_grad and torch.is_grad_enabled():
        return _Joined.apply(planes)
    result = wrap(planes.detach())
    return result.requires_grad_() if requires_grad else result


def _rebuilt(planes, requires_grad: bool, is_parameter: bool) -> MCTensor:
    """The tensor that pickle and deepcopy make."""
    result = wrap(planes)
    if is_parameter:
        return torch.nn.Parameter(result, requires_grad)
    return result.requires_grad_(requires_grad)


torch.serialization.add_safe_globals([_rebuilt, MCTensor])
# in a worker of a DataLoader PyTorch's own would ask for a storage in shared memory
torch.utils.data._utils.collate.default_collate_fn_map[MCTensor] = lambda batch, **_: torch.stack(batch)


def _roots(outputs, gradients):
    """Converts outputs to plain tensors with the same derivatives, and makes gradients. PyTorch does not call
    ``__torch_function__`` for plain tensors."""
    outputs = (outputs,) if isinstance(outputs, _PlainTensor) else tuple(outputs)
    if gradients is None or isinstance(gradients, _PlainTensor):
        gradients = (gradients,) * len(outputs)
    seeds = []
    for x, seed in zip(outputs, gradients):
        if seed is None and isinstance(x, MCTensor):
            if x.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            seed = torch.ones_like(x if _state.full else x._planes[0])
        seeds.append(gradient_of(seed))
    with torch.enable_grad():
        return [_Passed.apply(x) if isinstance(x, MCTensor) and x.requires_grad else x for x in outputs], seeds


def _edges(inputs):
    inputs = (inputs,) if isinstance(inputs, _PlainTensor) else tuple(inputs)
    return [torch.autograd.graph.get_gradient_edge(x) if isinstance(x, MCTensor) else x for x in inputs]


def _grad(outputs, inputs, grad_outputs=None, *args, **options):
    roots, seeds = _roots(outputs, grad_outputs)
    return torch.autograd.grad(roots, _edges(inputs), seeds, *args, **options)


def _backward(tensors, grad_tensors=None, *args, inputs=None, **options):
    roots, seeds = _roots(tensors, grad_tensors)
    torch.autograd.backward(roots, seeds, *args, inputs=None if inputs is None else _edges(inputs), **options)


_PASSES = {torch.autograd.grad: _grad, torch.autograd.backward: _backward}


def _as_tangent(self, metadata, kind=None):
    """Converts a plain gradient for a compiled backward pass that was traced with MCTensors. PyTorch calls this. If it
    returns None, PyTorch raises an error."""
    if kind is not MCTensor or isinstance(self, MCTensor):
        return None
    return wrap(widened(self.detach().unsqueeze(0), metadata))


_PlainTensor.__coerce_same_metadata_as_tangent__ = _as_tangent


class _Passed(torch.autograd.Function):
    """The first components. A gradient passes unchanged."""

    @staticmethod
    def forward(ctx, x):
        return x._planes[0]

    @staticmethod
    def backward(ctx, grad):
        return grad


class _Components(torch.autograd.Function):
    """The components as the last dimension."""

    @staticmethod
    def forward(ctx, x):
        return x._planes.movedim(0, -1)

    @staticmethod
    def backward(ctx, grad):
        return grad[..., 0]


class _Joined(torch.autograd.Function):
    """Makes a tensor of planes that have a gradient."""

    @staticmethod
    def forward(ctx, planes):
        ctx.shape = planes.shape
        return wrap(planes.detach())

    @staticmethod
    def backward(ctx, grad):
        return grad.unsqueeze(0).expand(ctx.shape)


class _Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return _rounded(x._planes)

    @staticmethod
    def backward(ctx, grad):
        return grad


class _WithComponents(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, nc):
        return wrap(planes_of.convert(x._planes, x.dtype, nc))

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def _rounded(planes: torch.Tensor) -> torch.Tensor:
    return planes_of.convert(planes, planes.dtype, 1)[0] if len(planes) > 1 else planes[0].clone()


def random_planes(name: str, size, nc: int, dtype, generator=None) -> torch.Tensor:
    """Random numbers with all their bits, from the library's "rand" or "randn". The seed comes from PyTorch's
    generator."""
    check_components(nc, dtype)
    seed = int(torch.randint(2**62, (), generator=generator))
    return planes_of.to_torch(getattr(_core, name)(list(size), seed, type_name(dtype, nc)), True)


def planes_from(values, nc: int, dtype, size=None) -> torch.Tensor:
    """Converts values of any kind to planes of nc components, each number rounded once. If a tensor has the shape
    (*size, nc), its last dimension holds the components."""
    if isinstance(values, MCTensor):
        dtype = dtype or values.dtype
        if values.requires_grad and torch.is_grad_enabled():
            raise TypeError("MCTensor: values that require a gradient; take detach(), or the tensor itself")
        return planes_of.convert(values._planes, dtype, check_components(nc, dtype))
    if isinstance(values, _PlainTensor):
        has_components = size is not None and tuple(values.shape) == (*size, nc)
        planes = values.movedim(-1, 0) if has_components else values.unsqueeze(0)
        dtype = dtype or (values.dtype if values.dtype in MOST else torch.get_default_dtype())
        check_components(nc, dtype)
        if values.dtype not in MOST:
            planes = whole_planes(values)
        if values.requires_grad and torch.is_grad_enabled():
            if torch.promote_types(values.dtype, dtype) != dtype:
                raise TypeError(f"MCTensor: values of {values.dtype} that require a gradient as components of {dtype}; "
                                "convert them with to() first, or take detach()")
            return widened(planes.to(dtype), nc)
        # also adds up components that overlap
        return planes_of.convert(planes.detach(), dtype, nc)
    if dtype is None:
        dtype = torch.get_default_dtype()
        if isinstance(values, Array):
            dtype = {name: kind for kind, name in NAMES.items()}[values.dtype.split("x")[0]]
        if isinstance(values, np.ndarray) and values.dtype.name in ("float64", "float32", "float16"):
            dtype = getattr(torch, values.dtype.name)
    return planes_of.to_torch(array(values, type_name(dtype, check_components(nc, dtype)))._t, True)


def whole_planes(x: torch.Tensor) -> torch.Tensor:
    """Converts a tensor of whole numbers or bools exactly to planes of doubles."""
    if x.is_complex() or x.is_floating_point():
        raise TypeError(f"MCTensor: a tensor of {x.dtype}; float64, float32, float16, bfloat16 and whole numbers are "
                        "taken")
    if x.dtype not in (torch.int64, torch.uint64):
        return x.to(torch.float64).unsqueeze(0)
    signed = x.view(torch.int64)
    low = signed % 2048  # both parts have at most 53 bits, and the high one is 0 or the larger
    high, low = (signed - low).to(torch.float64), low.to(torch.float64)
    if x.dtype == torch.uint64:
        high = torch.where(signed < 0, high + 2.0**64, high)
    rounded = high + low  # components of an expansion do not overlap: the first is the rounded sum, the second the rest
    return torch.stack([rounded, low - (rounded - high)])


def tensor(data, nc: int = 2, *, dtype: torch.dtype | None = None, device=None,
           requires_grad: bool = False) -> MCTensor:
    """Makes an MCTensor in new memory from numbers, nested lists, texts ("0.1" has all bits of 0.1), Decimal, Fraction,
    mpmath, NumPy, arrays of mctensor and tensors. Each number is rounded once. The default of ``dtype`` is the type of
    the data or, if it has none, PyTorch's default type."""
    if not _holds_numbers(data) and not isinstance(data, tuple) and not hasattr(data, "__dlpack__"):
        raise TypeError(f"tensor: {type(data).__name__} holds no numbers")
    if isinstance(data, tuple):
        data = list(data)
    planes = planes_from(data.detach() if isinstance(data, _PlainTensor) else data, nc, dtype)
    return _finished(planes if device is None else planes.to(device), requires_grad)


def from_components(components: torch.Tensor) -> MCTensor:
    """Makes an MCTensor of components (*shape, nc), on the same memory. Each of them gets the gradient. The components
    of a number should not overlap: each is at most half a unit in the last place of the component before it."""
    if not isinstance(components, _PlainTensor) or isinstance(components, MCTensor) or components.dim() == 0:
        raise TypeError("from_components: a plain tensor with the components last is wanted")
    check_components(components.shape[-1], components.dtype)
    return _finished(components.movedim(-1, 0), False)


def from_array(x: Array) -> MCTensor:
    """Makes an MCTensor of an array of mctensor, on the same memory."""
    if not isinstance(x, Array):
        raise TypeError(f"from_array: {type(x).__name__} is no array of mctensor")
    return wrap(planes_of.to_torch(x._t, True))
