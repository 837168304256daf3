"""The class of arrays of expansions: its parts, indexing, shapes, printing.

Other modules add the methods that take operands of other kinds, because they can make arrays: _operators adds operators
and assignment to elements, _numpy adds NumPy's functions.
"""
from __future__ import annotations

import decimal
import fractions
import math
import operator
import re

import numpy as np

from . import _convert, _core
from ._arguments import MOST_INT, whole, whole_number
from ._dtypes import split

_AxisError = getattr(np, "exceptions", np).AxisError
# the part of a format before the precision and the type
_NO_PRECISION = re.compile(r"(.?[<>=^])?[-+ ]?z?#?0?\d*[,_]?", re.DOTALL)


class Array:
    """An array of numbers of several components; ``mctensor.array`` makes one.

    ``dtype`` names the type: an element of "f64x2" is the unevaluated sum of two doubles, with 106 bits. Shapes,
    broadcasting, indexing and most functions work as in NumPy, and NumPy's own functions take these arrays
    (``numpy.exp(a)``). Comparisons return NumPy masks. Basic indexing returns views.
    """

    __slots__ = ("_t", "__weakref__")
    __hash__ = None

    def __init__(self):
        raise TypeError("arrays are made by mctensor.array, zeros, from_planes and their like")

    # Type and shape

    @property
    def dtype(self) -> str:
        """The name of the type, such as "f64x2"."""
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
        """The number of bytes of all components."""
        return self.planes.nbytes

    @property
    def planes(self) -> np.ndarray:
        """The components as a NumPy array (components, *shape) on the same memory.

        Their sum over the first axis is the value. The first component is the value rounded to the component type,
        except for ties. NumPy has no bfloat16, so its bits are shown as uint16.
        """
        try:
            return self._t.planes
        except RuntimeError:
            raise ValueError(f"NumPy has no arrays of {self.ndim + 1} dimensions for planes of "
                             f"{self.ndim}") from None

    @property
    def T(self) -> Array:
        """A view with the dimensions in reverse order."""
        return self.transpose()

    @property
    def mT(self) -> Array:
        """A view with the last two dimensions exchanged."""
        if self.ndim < 2:
            raise ValueError(f"mT: two dimensions are needed, the shape is {self.shape}")
        return self.swapaxes(-1, -2)

    def __len__(self) -> int:
        if not self._t.shape:
            raise TypeError("len() of an array of no dimensions")
        return self._t.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    # Shared memory

    def __dlpack__(self, **kwargs):
        """Gives another library the planes (components, *shape), on the same memory."""
        return self._t.dlpack_planes().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def _view(self, planes: np.ndarray) -> Array:
        """An array of the same type on ``planes``, which are a view of the planes of this array."""
        return _wrap(_core.from_planes(planes, self._t.dtype))

    # NumPy

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        # NumPy also calls this for the elements of lists, and in functions that do not know other kinds of arrays
        if dtype is None and self.components > 1:
            raise TypeError(f"NumPy would round an array of {self.dtype} silently; to_numpy() or "
                            "np.asarray(x, dtype) rounds it, to_decimal() is exact, and mctensor.array and "
                            "mctensor.stack take lists")
        if copy is False:
            raise ValueError("copy=False is not possible: NumPy's array of these elements is a copy")
        return self.to_numpy() if dtype is None else _convert.to_numpy_type(self._t, np.dtype(dtype))

    # Values

    def to_numpy(self) -> np.ndarray:
        """Rounds every element to its component type, ties to even, in new memory. bfloat16 is shown as float32.
        ``np.asarray(x, dtype)`` rounds to other types."""
        return _convert.rounded(self._t)

    def to_decimal(self) -> np.ndarray:
        """Converts every element exactly to ``decimal.Decimal``, in an array of objects."""
        return _convert.exact_objects(self._t, "decimal")

    def to_mpmath(self) -> np.ndarray:
        """Converts every element exactly to ``mpmath.mpf``, in an array of objects."""
        return _convert.exact_objects(self._t, "mpmath")

    def to_fraction(self) -> np.ndarray:
        """Converts every element exactly to ``fractions.Fraction``, in an array of objects."""
        return _convert.exact_objects(self._t, "fraction")

    def to_strings(self, digits: int | None = None) -> np.ndarray:
        """Converts every element to a text, in an array of objects: correctly rounded to ``digits`` significant digits
        or, with None, the shortest text that reads back as the same number."""
        texts = (_core.shortest_texts(self._t) if digits is None
                 else _core.digit_texts(self._t, whole("digits", digits, -MOST_INT, MOST_INT)))
        result = np.empty(len(texts), dtype=object)
        result[:] = texts
        return result.reshape(self.shape)

    def item(self, *index):
        """Returns the only element, or the element at an index, exactly: a float or, if it has several components, a
        ``decimal.Decimal``."""
        x = self[index] if index else self
        if x.size != 1:
            raise ValueError(f"item() needs one element, the array's shape is {x.shape}")
        if x.components == 1:
            return float(x.to_numpy().reshape(()))
        return x.to_decimal().reshape(())[()]

    def tolist(self):
        """Nested lists of the elements, as item() returns them."""
        return (self.to_numpy() if self.components == 1 else self.to_decimal()).tolist()

    def _only_limbs(self) -> list[float]:
        """The components of the only element."""
        if self.size != 1:
            raise TypeError(f"only one element is a number, the array's shape is {self.shape}")
        return [float(limb) for limb in _convert.numpy_planes(self._t).reshape(-1)]

    def _only_fraction(self) -> fractions.Fraction:
        """The only element, exactly. Raises ValueError for NaN, OverflowError for infinities."""
        return _convert.sum_of_fractions(self._only_limbs())

    def __float__(self) -> float:
        """The nearest double."""
        return _convert.nearest_double(self._only_limbs())

    def __int__(self) -> int:
        return int(self._only_fraction())

    def __trunc__(self) -> int:
        return int(self._only_fraction())

    def __floor__(self) -> int:
        return math.floor(self._only_fraction())

    def __ceil__(self) -> int:
        return math.ceil(self._only_fraction())

    def __round__(self, digits: int | None = None):
        """The nearest whole number or, with ``digits``, the nearest decimal with so many places, exactly, as a
        Fraction. Ties go to even."""
        return round(self._only_fraction(), digits if digits is None else _convert.decimals_of(digits))

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(f"the truth of an array of shape {self.shape} is ambiguous")
        return self._only_limbs()[0] != 0

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
        if not spec or self.size != 1:
            try:
                return format(str(self), spec)
            except ValueError:
                raise TypeError(f"{spec!r} is the format of one number; the array's shape is {self.shape}") from None
        x = self.item()
        if isinstance(x, decimal.Decimal) and _NO_PRECISION.fullmatch(spec):
            x = decimal.Decimal(_core.shortest_texts(self._t)[0])  # the digits of str, not all digits
        return format(x, spec)

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
        """Converts to another type, in new memory. The result is exact if the type can hold the values."""
        split(dtype)
        return _wrap(_core.convert(self._t, dtype))

    # Indexing

    def __getitem__(self, key) -> Array:
        planes = self.planes
        if _is_basic(key):
            planes[0, ...][key]  # an error then counts the axes of one plane, without the axis of components
            if _has_ellipsis(key):
                return self._view(planes[(slice(None), *_as_tuple(key))])
            chosen = planes[(slice(None), *_as_tuple(key), ...)]
            # an element is a copy, as NumPy's scalars are: `a[0], a[1] = a[1], a[0]` and random.shuffle need it
            return self._view(chosen.copy() if chosen.ndim == 1 else chosen)
        # plane by plane, because beside the axis of components NumPy may move the dimensions of index arrays
        chosen = np.stack([np.asarray(planes[k, ...][key]) for k in range(len(planes))])
        return _wrap(_core.from_planes(chosen, self.dtype))

    def fill(self, value):
        """Sets all elements to one value."""
        self[...] = value

    # Shapes

    def reshape(self, *shape) -> Array:
        """The same elements in another shape. One size may be -1. The result is a view if possible."""
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        return _wrap(self._t.reshape([whole_number("a size", size) for size in sizes]))

    def transpose(self, *axes) -> Array:
        """A view with the dimensions in another order; without axes, in reverse order."""
        if len(axes) == 1 and not isinstance(axes[0], (int, np.integer)):
            axes = () if axes[0] is None else axes[0]
        order = [operator.index(a) for a in axes] or list(range(self.ndim))[::-1]
        if sorted(a + self.ndim if a < 0 else a for a in order) != list(range(self.ndim)):
            raise ValueError(f"axes {tuple(order)} do not name each of the {self.ndim} dimensions once")
        return self._view(self.planes.transpose(0, *(a % self.ndim + 1 for a in order)))

    def swapaxes(self, axis1: int, axis2: int) -> Array:
        """A view with two dimensions exchanged."""
        order = list(range(self.ndim))
        first, second = (_normal_axis(axis, self.ndim) for axis in (axis1, axis2))
        order[first], order[second] = second, first
        return self.transpose(order)

    def squeeze(self, axis=None) -> Array:
        """A view without dimensions of size 1."""
        axes = range(self.ndim) if axis is None else np.atleast_1d(axis).tolist()
        drop = {_normal_axis(a, self.ndim) for a in axes}
        if axis is not None and any(self.shape[a] != 1 for a in drop):
            raise ValueError(f"axis {axis} of shape {self.shape} does not have the size 1")
        return self.reshape([n for i, n in enumerate(self.shape) if i not in drop or n != 1])

    def ravel(self) -> Array:
        """The elements in one dimension. The result is a view if possible."""
        return self.reshape(-1)

    def flatten(self) -> Array:
        """The elements in one dimension, in new memory."""
        return self.copy().reshape(-1)

    # Reductions

    def sum(self, axis=None, keepdims: bool = False) -> Array:
        """The sum over all elements or over some axes. The order of the additions depends on the shape alone."""
        return self._reduce(_core.sum, axis, keepdims)

    def mean(self, axis=None, keepdims: bool = False) -> Array:
        """The mean."""
        return self._reduce(_core.mean, axis, keepdims)

    def max(self, axis=None, keepdims: bool = False) -> Array:
        """The largest element, or NaN if an element is NaN."""
        return self._reduce(_core.max, axis, keepdims)

    def min(self, axis=None, keepdims: bool = False) -> Array:
        """The smallest element, or NaN if an element is NaN."""
        return self._reduce(_core.min, axis, keepdims)

    def norm(self, ord: float = 2, axis=None, keepdims: bool = False) -> Array:
        """The p-norm of the elements, for ``ord`` = p = 1, 2 or infinity."""
        return self._reduce(lambda t, dims, keep: _core.norm(t, ord, dims, keep), axis, keepdims)

    def argmax(self, axis: int | None = None, keepdims: bool = False):
        """The index of the largest element (the first of equal elements), as NumPy's integer or array."""
        return self._place(_core.argmax, axis, keepdims)

    def argmin(self, axis: int | None = None, keepdims: bool = False):
        """The index of the smallest element (the first of equal elements), as NumPy's integer or array."""
        return self._place(_core.argmin, axis, keepdims)

    def _place(self, f, axis, keepdims: bool):
        found = f(self._t, axis if axis is None else whole_number("axis", axis), bool(keepdims) and axis is not None)
        return found.reshape([1] * self.ndim) if keepdims and axis is None else found[()]

    def _reduce(self, f, axis, keepdims: bool) -> Array:
        if axis is None:
            dims = list(range(self.ndim))
        else:
            dims = [whole_number("axis", a) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))]
        if not dims:  # for the library no dimensions mean all; reducing a new one of size 1 changes nothing
            return _wrap(f(self.reshape(*self.shape, 1)._t, [self.ndim], False))
        return _wrap(f(self._t, dims, bool(keepdims)))


def _wrap(tensor) -> Array:
    result = object.__new__(Array)
    result._t = tensor
    return result


def _from_pickle(planes: np.ndarray, dtype: str) -> Array:
    return _wrap(_core.from_planes(np.array(planes), dtype))


def _normal_axis(axis, count: int) -> int:
    """The index of an axis among ``count`` dimensions. A negative axis counts from the end."""
    axis = operator.index(axis)
    if not -count <= axis < count:
        raise _AxisError(axis, count)
    return axis % count


def _as_tuple(key) -> tuple:
    return key if isinstance(key, tuple) else (key,)


def _has_ellipsis(key) -> bool:
    return any(part is Ellipsis for part in _as_tuple(key))


def _is_basic(key) -> bool:
    return all(part is None or part is Ellipsis or isinstance(part, slice)
               or (isinstance(part, (int, np.integer)) and not isinstance(part, bool))
               for part in _as_tuple(key))
