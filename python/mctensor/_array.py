"""The array of expansions: operators, indexing, shapes, printing."""
from __future__ import annotations

import operator

import numpy as np

from . import _convert, _core
from ._dtypes import PLANE_TYPES, promote, split

_UNARY = _core.unary_numbers
_BINARY = _core.binary_numbers
_COMPARE = _core.compare_numbers


class Array:
    """An array of numbers of several components, as ``mctensor.array`` makes.

    ``dtype`` says which: "f64x2" is the unevaluated sum of two doubles, 106 bits. Shapes, broadcasting,
    indexing and most functions are NumPy's, NumPy's own functions among them (``numpy.exp(a)``).
    Comparisons give NumPy masks. Basic indexing gives views.
    """

    __slots__ = ("_t", "__weakref__")
    __hash__ = None

    def __init__(self):
        raise TypeError("arrays are made by mctensor.array, zeros, from_planes and their like")

    # What it is

    @property
    def dtype(self) -> str:
        """The type, as "f64x2"."""
        return self._t.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return self._t.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._t.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self._t.shape, dtype=np.int64))

    @property
    def components(self) -> int:
        """The number of components of an element."""
        return split(self._t.dtype)[1]

    @property
    def nbytes(self) -> int:
        """The bytes of all components."""
        return self.planes.nbytes

    @property
    def planes(self) -> np.ndarray:
        """The components as a NumPy array (components, *shape) on the same memory.

        Their sum over the first axis is the value; the first one is the value rounded. NumPy has no
        bfloat16: its bits are shown as uint16.
        """
        return self._t.planes

    @property
    def T(self) -> Array:
        """The dimensions in reverse order: a view."""
        return self.transpose()

    def __len__(self) -> int:
        if not self._t.shape:
            raise TypeError("len() of an array of no dimensions")
        return self._t.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    # Without a copy

    def __dlpack__(self, **kwargs):
        """The planes, (components, *shape), for another library: the same memory."""
        return self._t.dlpack_planes().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def _view(self, planes: np.ndarray) -> Array:
        """An array of the same type on planes that are a view of this one's."""
        return _wrap(_core.from_planes(planes, self._t.dtype))

    # NumPy

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return self.to_numpy() if dtype is None else self.to_numpy().astype(dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        from . import _numpy

        return _numpy.call_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function, types, args, kwargs):
        from . import _numpy

        return _numpy.call_function(function, args, kwargs)

    # Values

    def to_numpy(self) -> np.ndarray:
        """Every element rounded to its component type (bfloat16 as float32), in new memory."""
        return _convert.rounded(self._t)

    def to_decimal(self) -> np.ndarray:
        """Every element exactly, as ``decimal.Decimal``, in an array of objects."""
        return _convert.exact_objects(self._t, "decimal")

    def to_mpmath(self) -> np.ndarray:
        """Every element exactly, as ``mpmath.mpf``, in an array of objects."""
        return _convert.exact_objects(self._t, "mpmath")

    def to_fraction(self) -> np.ndarray:
        """Every element exactly, as ``fractions.Fraction``, in an array of objects."""
        return _convert.exact_objects(self._t, "fraction")

    def to_strings(self, digits: int | None = None) -> np.ndarray:
        """Every element as text, in an array of objects: so many significant digits, correctly rounded,
        or, with None, the shortest that reads back as the same number."""
        texts = _core.shortest_texts(self._t) if digits is None else _core.digit_texts(self._t, digits)
        result = np.empty(len(texts), dtype=object)
        result[:] = texts
        return result.reshape(self.shape)

    def item(self, *index):
        """The only element, or the one at an index, exactly: a float, or a ``decimal.Decimal`` where it
        has several components."""
        x = self[index] if index else self
        if x.size != 1:
            raise ValueError(f"item() needs one element, the array's shape is {x.shape}")
        if x.components == 1:
            return float(x.to_numpy().reshape(()))
        return x.to_decimal().reshape(())[()]

    def tolist(self):
        """Nested lists of what item() gives."""
        return (self.to_numpy() if self.components == 1 else self.to_decimal()).tolist()

    def __float__(self) -> float:
        if self.size != 1:
            raise TypeError(f"only one element is a number, the array's shape is {self.shape}")
        return float(self.to_numpy().reshape(()))

    def __int__(self) -> int:
        if self.size != 1:
            raise TypeError(f"only one element is a number, the array's shape is {self.shape}")
        return int(self.item())

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(f"the truth of an array of shape {self.shape} is ambiguous")
        return float(self) != 0

    def __str__(self) -> str:
        if self.ndim == 0:
            return _core.shortest_texts(self._t)[0]
        return _core.print(self._t)

    def __repr__(self) -> str:
        if self.ndim == 0:
            return f"mctensor.array('{self}', '{self.dtype}')"
        body = _core.print(self._t).replace("\n", "\n" + " " * 15)
        return f"mctensor.array({body}, '{self.dtype}')"

    def __format__(self, spec: str) -> str:
        if spec and self.size == 1:
            return format(self.item(), spec)
        return format(str(self), spec)

    def __reduce__(self):
        return _from_pickle, (np.ascontiguousarray(self.planes), self.dtype)

    def __copy__(self) -> Array:
        return self.copy()

    def __deepcopy__(self, memo) -> Array:
        return self.copy()

    def copy(self) -> Array:
        """The same elements in new memory, row-major."""
        return _wrap(self._t.copy())

    def astype(self, dtype: str) -> Array:
        """The same values in another type, in new memory: exact where they fit."""
        return _wrap(_core.convert(self._t, dtype))

    # Indexing

    def __getitem__(self, key) -> Array:
        if _is_basic(key):
            return self._view(self.planes[(slice(None), *_as_tuple(key), ...)] if not _has_ellipsis(key)
                              else self.planes[(slice(None), *_as_tuple(key))])
        # plane by plane: beside another dimension NumPy moves what an index array selects
        return self._view(np.stack([np.asarray(plane[key]) for plane in self.planes]))

    def __setitem__(self, key, value):
        source = self._as_mine(value).planes
        if any(n > 1 and step == 0 for n, step in zip(self.shape, self.planes.strides[1:])):
            raise ValueError("elements of an expanded array share memory: it is not written")
        for plane, values in zip(self.planes, source):
            plane[key] = values

    def _as_mine(self, value) -> Array:
        """Anything as an array of this one's type, rounded once."""
        if isinstance(value, Array) and value.dtype == self.dtype:
            return value
        return array(value, self.dtype)

    def fill(self, value):
        """Writes one value everywhere."""
        self[...] = value

    # Shapes

    def reshape(self, *shape) -> Array:
        """The same elements in another shape, one size of which may be -1; a view where it can be."""
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        return _wrap(self._t.reshape([operator.index(size) for size in sizes]))

    def transpose(self, *axes) -> Array:
        """The dimensions in another order, without axes in the reverse one: a view."""
        if len(axes) == 1 and (axes[0] is None or not isinstance(axes[0], (int, np.integer))):
            axes = axes[0] or ()
        order = [operator.index(a) for a in axes] or list(range(self.ndim))[::-1]
        if sorted(a + self.ndim if a < 0 else a for a in order) != list(range(self.ndim)):
            raise ValueError(f"axes {tuple(order)} are no order of {self.ndim} dimensions")
        return self._view(self.planes.transpose(0, *(a % self.ndim + 1 for a in order)))

    def swapaxes(self, axis1: int, axis2: int) -> Array:
        """Two dimensions exchanged: a view."""
        order = list(range(self.ndim))
        order[axis1], order[axis2] = order[axis2], order[axis1]
        return self.transpose(order)

    def squeeze(self, axis=None) -> Array:
        """Without dimensions of size 1: a view."""
        axes = range(self.ndim) if axis is None else np.atleast_1d(axis).tolist()
        drop = {operator.index(a) % max(self.ndim, 1) for a in axes}
        if axis is not None and any(self.shape[a] != 1 for a in drop):
            raise ValueError(f"axis {axis} of shape {self.shape} has not the size 1")
        return self.reshape([n for i, n in enumerate(self.shape) if i not in drop or n != 1])

    def ravel(self) -> Array:
        """One dimension; a view where it can be."""
        return self.reshape(-1)

    def flatten(self) -> Array:
        """One dimension, in new memory."""
        return self.copy().reshape(-1)

    # Reductions

    def sum(self, axis=None, keepdims: bool = False) -> Array:
        """The sum over all elements or over some axes, in an order that the shape alone decides."""
        return self._reduce(_core.sum, axis, keepdims)

    def mean(self, axis=None, keepdims: bool = False) -> Array:
        """The mean."""
        return self._reduce(_core.mean, axis, keepdims)

    def max(self, axis=None, keepdims: bool = False) -> Array:
        """The largest element; NaN if there is one."""
        return self._reduce(_core.max, axis, keepdims)

    def min(self, axis=None, keepdims: bool = False) -> Array:
        """The smallest element; NaN if there is one."""
        return self._reduce(_core.min, axis, keepdims)

    def norm(self, ord: float = 2, axis=None, keepdims: bool = False) -> Array:
        """The p-norm of the elements, for p = 1, 2 or infinity."""
        return self._reduce(lambda t, dims, keep: _core.norm(t, ord, dims, keep), axis, keepdims)

    def argmax(self, axis: int | None = None):
        """Where the largest element is, the first of equal ones: NumPy indices."""
        return _core.argmax(self._t, axis, False)[()]

    def argmin(self, axis: int | None = None):
        """Where the smallest element is, the first of equal ones: NumPy indices."""
        return _core.argmin(self._t, axis, False)[()]

    def dot(self, other) -> Array:
        """The product with a vector or matrix."""
        return self @ other

    def _reduce(self, f, axis, keepdims: bool) -> Array:
        if axis is None:
            dims = list(range(self.ndim))
        else:
            dims = [operator.index(a) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))]
        if not dims:  # the library reads no dimensions as all of them
            return self.copy()
        return _wrap(f(self._t, dims, bool(keepdims)))

    # Operators

    def __neg__(self):
        return _wrap(_core.unary(_UNARY["neg"], self._t))

    def __pos__(self):
        return self.copy()

    def __abs__(self):
        return _wrap(_core.unary(_UNARY["abs"], self._t))

    def __pow__(self, other):
        # as NumPy does: these are exact, or quicker, where the exponent is one number
        if type(other) in (int, float) and other in _SPECIAL_POWERS:
            return _SPECIAL_POWERS[other](self)
        return binary(_BINARY["pow"], self, other)

    def __matmul__(self, other):
        return _product(self, other)

    def __rmatmul__(self, other):
        return _product(other, self)


def _wrap(tensor) -> Array:
    result = object.__new__(Array)
    result._t = tensor
    return result


def _from_pickle(planes: np.ndarray, dtype: str) -> Array:
    return _wrap(_core.from_planes(np.array(planes), dtype))


def _as_tuple(key) -> tuple:
    return key if isinstance(key, tuple) else (key,)


def _has_ellipsis(key) -> bool:
    return any(part is Ellipsis for part in _as_tuple(key))


def _is_basic(key) -> bool:
    return all(part is None or part is Ellipsis or isinstance(part, slice)
               or (isinstance(part, (int, np.integer)) and not isinstance(part, bool))
               for part in _as_tuple(key))


def tensor_beside(x, like):
    """x as a tensor that stands beside another one in an operation; None if it is no number.

    A single number takes the type of the other, as a Python number does beside a NumPy array; an array
    of NumPy's keeps its own.
    """
    if isinstance(x, Array):
        return x._t
    if _convert.is_number(x):
        return _convert.scalar_operand(x, like.dtype)
    if isinstance(x, np.ndarray):
        if x.ndim == 0:
            return _convert.scalar_operand(x[()], like.dtype)
        plain = _convert.plain_dtype(x)
        # whole numbers, texts and long doubles have no type here: that of the other
        return _convert.from_ndarray(x, plain or like.dtype)
    if isinstance(x, (list, tuple)):
        return array(x, like.dtype)._t
    return None


def with_common_type(f, x, y):
    """f(x, y), of a common type where the library does not take these two."""
    try:
        return f(x, y)
    except TypeError:
        common = promote(x.dtype, y.dtype)
        if x.dtype == common == y.dtype:
            raise
        return f(_core.convert(x, common), _core.convert(y, common))


def operands(x, y):
    """Both operands as tensors, or None."""
    if isinstance(x, Array):
        a = x._t
        b = y._t if isinstance(y, Array) else tensor_beside(y, a)
    else:
        b = y._t
        a = tensor_beside(x, b)
    return None if a is None or b is None else (a, b)


def binary(number: int, x, y):
    """The operation of this number; NotImplemented where an operand is no number."""
    both = operands(x, y)
    if both is None:
        return NotImplemented
    try:
        result = _core.binary(number, *both)
    except TypeError:
        result = with_common_type(lambda a, b: _core.binary(number, a, b), *both)
    return _wrap(result)


def _product(x, y):
    both = operands(x, y)
    if both is None:
        return NotImplemented
    return _wrap(with_common_type(_core.matmul, *both))


def _binary_method(name: str, swapped: bool):
    number = _BINARY[name]

    def method(self, other):
        return binary(number, other, self) if swapped else binary(number, self, other)

    return method


def _in_place_method(name: str):
    number = _BINARY[name]

    def method(self, other):
        value = tensor_beside(other, self._t)
        if value is None:
            return NotImplemented
        if promote(self.dtype, value.dtype) != self.dtype:
            raise TypeError(f"an array of {self.dtype} cannot hold the result with {value.dtype}")
        if split(value.dtype)[0] != split(self.dtype)[0]:
            value = _core.convert(value, self.dtype)
        _core.binary_in_place(number, self._t, value)
        return self

    return method


def compare(relation: str, x, y):
    """A NumPy mask: where the relation holds for the exact values. NotImplemented for no numbers."""
    if relation in ("gt", "ge"):
        return compare({"gt": "lt", "ge": "le"}[relation], y, x)
    number = _COMPARE[relation]
    first_is_array = isinstance(x, Array)
    mine, other = (x, y) if first_is_array else (y, x)
    if isinstance(other, np.ndarray) and other.ndim == 0:
        other = other[()]
    if _convert.is_number(other):
        return _compare_number(relation, mine, other, not first_is_array)[()]
    both = operands(x, y)
    if both is None:
        return NotImplemented
    return with_common_type(lambda a, b: _core.compare(number, a, b), *both)[()]


def _compare_number(relation: str, mine: Array, other, number_first: bool) -> np.ndarray:
    number = _COMPARE[relation]
    is_double = isinstance(other, float) or (isinstance(other, int) and abs(other) <= 2**53)
    if is_double:
        return _core.compare_number(number, mine._t, float(other), number_first)
    nearest = array(other, mine.dtype)
    side = _convert.side_of(other, nearest._t)
    if side != 0 and relation in ("eq", "ne"):
        return np.full(mine.shape, relation == "ne")
    if side != 0:
        # no number of the type lies between: x < other and x <= other are x <= nearest if that is below
        # it, else x < nearest; and likewise from the other side
        below = (side < 0) != number_first
        number = _COMPARE["le" if below else "lt"]
    both = (nearest._t, mine._t) if number_first else (mine._t, nearest._t)
    return _core.compare(number, *both)


def _compare_method(relation: str):
    def method(self, other):
        return compare(relation, self, other)

    return method


_SPECIAL_POWERS = {2: lambda x: _wrap(_core.unary(_UNARY["square"], x._t)),
                   0.5: lambda x: _wrap(_core.unary(_UNARY["sqrt"], x._t)),
                   -1: lambda x: 1 / x}

for _name, _operation in {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div",
                          "pow": "pow"}.items():
    if _name != "pow":
        setattr(Array, f"__{_name}__", _binary_method(_operation, False))
    setattr(Array, f"__r{_name}__", _binary_method(_operation, True))
    setattr(Array, f"__i{_name}__", _in_place_method(_operation))
for _relation in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Array, f"__{_relation}__", _compare_method(_relation))


def array(x, dtype: str = "f64x2") -> Array:
    """An array of a type, in new memory, from anything that holds numbers.

    NumPy arrays, nested lists, Python numbers of any size, decimal and hexadecimal texts ("0.1",
    "0x1p-60"), ``decimal.Decimal``, ``fractions.Fraction``, ``mpmath.mpf``, arrays of other libraries
    (DLPack). Every element is rounded once to the type: ``array("0.1")`` has 106 bits of 0.1,
    ``array(0.1)`` those of the double.
    """
    split(dtype)
    if isinstance(x, Array):
        return x.copy() if x.dtype == dtype else x.astype(dtype)
    if isinstance(x, np.ndarray):
        return _wrap(_convert.from_ndarray(x, dtype))
    if isinstance(x, str) or _convert.is_number(x):
        return _wrap(_core.from_texts([_convert.text_of(x)], [], dtype))
    if isinstance(x, (list, tuple)):
        return _from_list(x, dtype)
    if hasattr(x, "__dlpack__"):
        return _from_other_library(x, dtype)
    raise TypeError(f"{type(x).__name__} holds no numbers that an array can be made of")


def _from_list(x, dtype: str) -> Array:
    def holds_arrays(part) -> bool:
        return isinstance(part, Array) or (isinstance(part, (list, tuple)) and any(map(holds_arrays, part)))

    if any(map(holds_arrays, x)):
        return _wrap(_core.stack([array(part, dtype)._t for part in x], 0))
    return _wrap(_convert.from_nested(x, dtype))


def _from_other_library(x, dtype: str) -> Array:
    values, kind = _core.as_numpy(x)
    if kind and not values.flags.writeable:
        values = values.copy()  # tensors have no read-only memory
    if kind:
        return _wrap(_core.convert(_core.from_planes(values[np.newaxis], f"{kind}x1"), dtype))
    return _wrap(_convert.from_ndarray(values, dtype))


def from_planes(planes, dtype: str) -> Array:
    """An array on memory that exists: planes of shape (components, *shape), which are shared, not copied.

    They may be a NumPy array or that of another library on the CPU (DLPack); bfloat16 also as bits
    (uint16). Writing to either is seen in the other. The components of an element should not overlap:
    each is at most half a unit in the last place of the one before.
    """
    kind, n = split(dtype)
    values = planes if isinstance(planes, np.ndarray) else _core.as_numpy(planes)[0]
    if values.dtype != PLANE_TYPES[kind]:
        raise TypeError(f"planes of {values.dtype}, {np.dtype(PLANE_TYPES[kind])} is wanted for {dtype}")
    if not values.flags.writeable:
        raise ValueError("the planes may not be written; copy them first")
    if values.ndim == 0 or values.shape[0] != n:
        raise ValueError(f"planes of shape {values.shape}, {dtype} needs {n} in front")
    return _wrap(_core.from_planes(values, dtype))
