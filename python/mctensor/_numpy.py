"""NumPy's functions for arrays of expansions. Functions that the library does not have raise TypeError."""
from __future__ import annotations

import inspect
import os
from collections import namedtuple

import numpy as np

from . import _angles, _core, _einsum, _files, _order, _rounding, _sums, linalg
from . import _functions as functions
from ._array import Array, _normal_axis, _wrap
from ._dtypes import DTYPES
from ._operators import compare, product
from ._rounding import leading

# NumPy's ufuncs that correspond to an operation of the library
_UFUNCS = {ufunc: functions.ELEMENTWISE[name] for name, ufuncs in _core.ufuncs.items()
           for ufunc in ufuncs.split()}
_UFUNCS |= {name: getattr(_rounding, name) for name in (
    "floor", "ceil", "trunc", "rint", "fmod", "remainder", "floor_divide", "divmod", "modf", "copysign", "nextafter",
    "fmax", "fmin")}
_UFUNCS |= {"matmul": functions.matmul, "arctan2": _angles.atan2, "log10": _angles.log10, "positive": lambda x: +x,
            "matvec": lambda x, y: _einsum.einsum("...ij,...j->...i", x, y),
            "vecmat": lambda x, y: _einsum.einsum("...i,...ij->...j", x, y),
            "reciprocal": lambda x: 1 / x, "conjugate": lambda x: x.copy(),
            "logaddexp": _angles.logaddexp,
            "sign": lambda x: functions.array(np.sign(leading(x)), x.dtype)}
_COMPARISONS = {"equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le",
                "greater": "gt", "greater_equal": "ge"}
# ufuncs that need the first component alone
_OF_LEADING = {"isnan", "isinf", "isfinite", "signbit", "logical_not", "logical_and", "logical_or", "logical_xor"}
# for each ufunc: the name of the reduction, its function, and the value of an element outside a mask
_REDUCTIONS = {"add": ("sum", Array.sum, 0), "multiply": ("prod", _sums.prod, 1), "maximum": ("max", Array.max, None),
               "minimum": ("min", Array.min, None)}
_MISSING = object()


def _refuse(name: str):
    raise TypeError(f"numpy.{name} is not one of the functions of mctensor's arrays")


def _call(ufunc, inputs):
    name = ufunc.__name__
    if name in _UFUNCS:
        return _UFUNCS[name](*inputs)
    if name in _COMPARISONS:
        return compare(_COMPARISONS[name], *inputs)
    if name in _OF_LEADING:
        return ufunc(*map(leading, inputs))
    _refuse(name)


def _write(result, out):
    if isinstance(out, Array):
        out[...] = result
    elif isinstance(result, Array):
        raise TypeError("out: a NumPy array would lose digits of the result; give an array of mctensor's")
    else:
        out[...] = result
    return out


def _in_type(name: str, x, dtype):
    """Converts an operand to the type ``dtype``, if it is given. Raises TypeError for NumPy's types, which would lose
    digits."""
    if dtype is None:
        return x
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise TypeError(f"numpy.{name}(): dtype is a type of mctensor's, as 'f64x2', not {dtype!r}; to_numpy() rounds "
                        "to NumPy's")
    return functions.array(x, dtype)


def _mask(name: str, where):
    """The mask of an argument ``where``; None stands for all elements. Raises TypeError for a value that is not a
    mask."""
    if where is None or where is True:
        return None
    mask = np.asarray(where)
    if mask.dtype != np.bool_:
        raise TypeError(f"numpy.{name}(): where is a mask of bools, not of {mask.dtype}")
    return mask


def _finish(name: str, result, out, mask=None):
    """Writes the result into the arrays of an argument ``out``, if there are any. Elements outside the mask stay
    unchanged."""
    if isinstance(result, tuple):
        outs = (None,) * len(result) if out is None else out
        return tuple(_finish(name, part, place, mask) for part, place in zip(result, outs))
    out = out[0] if isinstance(out, tuple) else out
    if out is None and mask is not None:
        raise TypeError(f"numpy.{name}(): where needs an array out, whose elements stay where the mask is false")
    if out is None:
        return result
    if mask is None:
        return _write(result, out)
    chosen = functions.where if isinstance(result, Array) else np.where
    return _write(chosen(np.broadcast_to(mask, np.shape(result)), result, out), out)


def _reduce(ufunc_name: str, x, axis=None, dtype=None, out=None, keepdims=False, initial=_MISSING, where=True):
    name, f, neutral = _REDUCTIONS[ufunc_name]
    x = functions.as_array(_in_type(name, x, dtype))
    mask = _mask(name, where)
    if neutral is None and initial is not _MISSING:  # elements outside the mask count as this value
        neutral = initial
    if mask is not None:
        if neutral is None:
            raise ValueError(f"numpy.{name}(): where needs an initial value")
        x = functions.where(np.broadcast_to(mask, x.shape), x, neutral)
    if initial is not _MISSING and x.size == 0:
        sizes = np.sum(np.zeros(x.shape), axis, keepdims=bool(keepdims)).shape
        return _finish(name, functions.full(sizes, initial, x.dtype), out)
    result = f(x, axis, bool(keepdims))
    if initial is not _MISSING:
        result = functions.ELEMENTWISE[_core_name(ufunc_name)](result, initial)
    return _finish(name, result, out)


def _core_name(ufunc_name: str) -> str:
    return {"add": "add", "multiply": "mul"}.get(ufunc_name, ufunc_name)


def _call_ufunc(ufunc, method: str, inputs, kwargs):
    name = ufunc.__name__
    out, where, dtype = (kwargs.pop(key, None) for key in ("out", "where", "dtype"))
    if method == "reduce" and name in _REDUCTIONS:
        options = {key: kwargs.pop(key) for key in ("keepdims", "initial") if kwargs.get(key) is not None}
        result = _reduce(name, inputs[0], kwargs.pop("axis", 0), dtype, out, where=where, **options)
        out = where = None
    elif method == "accumulate" and name in _REDUCTIONS:
        f = functions.ELEMENTWISE[_core_name(name)]
        result = _sums.accumulate(f, _in_type(name, inputs[0], dtype), kwargs.pop("axis", 0))
    elif method == "outer":
        x, y = functions.arrays_beside(*(_in_type(name, x, dtype) for x in inputs))
        result = _call(ufunc, (x.reshape(x.shape + (1,) * y.ndim), y))
    elif method == "__call__" and name == "vecdot":
        result = _vecdot(*functions.arrays_beside(*(_in_type(name, x, dtype) for x in inputs)), kwargs.pop("axis", -1))
    elif method == "__call__":
        result = _call(ufunc, [_in_type(name, x, dtype) for x in inputs])
    else:
        _refuse(f"{name}.{method}")
    left = [key for key, value in kwargs.items() if value is not None and value is not True]
    if left:
        raise TypeError(f"numpy.{name}: no argument '{left[0]}' for mctensor's arrays")
    return _finish(name, result, out, _mask(name, where))


_FUNCTIONS = {}


def _implements(*names):
    def register(f):
        for name in names:
            module, _, attribute = name.rpartition(".")
            owner = getattr(np, module) if module else np
            if hasattr(owner, attribute):
                _FUNCTIONS[getattr(owner, attribute)] = f
        if f.__name__ == "<lambda>":
            f.__name__ = f.__qualname__ = f"numpy.{names[0]}"  # messages about arguments name it
        return f

    return register


def _call_function(function, args, kwargs):
    if function not in _FUNCTIONS:
        _refuse(function.__name__)
    return _FUNCTIONS[function](*args, **kwargs)


def _by_numpy(function, f):
    """Implements a NumPy function as f(x, call), where x is its first argument and call(y) is NumPy's result with y in
    place of x."""
    first = next(iter(inspect.signature(function).parameters))

    def implementation(*args, **kwargs):
        x = args[0] if args else kwargs.pop(first)
        if not isinstance(x, Array):
            _refuse(function.__name__)
        return f(x, lambda y: function(y, *args[1:], **kwargs))

    _FUNCTIONS[function] = implementation


def _each_plane(x: Array, f) -> Array:
    """Applies f, which only moves elements, to every plane."""
    planes = x.planes
    return _wrap(_core.from_planes(np.stack([f(planes[k, ...]) for k in range(len(planes))]), x.dtype))


for _name in ("roll", "flip", "flipud", "fliplr", "rot90", "take", "repeat", "tile", "diag",
              "diagonal", "tril", "triu", "delete", "take_along_axis"):
    _by_numpy(getattr(np, _name), _each_plane)
for _name in ("nonzero", "count_nonzero", "any", "all", "argwhere", "flatnonzero"):
    _by_numpy(getattr(np, _name), lambda x, call: call(leading(x)))
_implements("compress")(lambda condition, a, axis=None: _each_plane(
    functions.as_array(a), lambda plane: np.compress(np.asarray(condition), plane, axis)))
_implements("shape")(lambda a: a.shape)
_implements("ndim")(lambda a: a.ndim)
_implements("size")(lambda a, axis=None: a.size if axis is None else a.shape[axis])
_implements("concatenate")(lambda arrays, axis=0, out=None, dtype=None: _finish("concatenate", functions.concatenate(
    [_in_type("concatenate", x, dtype) for x in arrays], axis), out))
_implements("stack")(lambda arrays, axis=0, out=None, dtype=None: _finish("stack", functions.stack(
    [_in_type("stack", x, dtype) for x in arrays], axis), out))
_implements("clip")(lambda a, a_min=None, a_max=None, out=None, *, min=None, max=None: _finish("clip", functions.clip(
    a, min if a_min is None else a_min, max if a_max is None else a_max), out))
_implements("dot")(lambda a, b, out=None: _finish("dot", functions.dot(a, b), out))
_implements("array_equal")(lambda a1, a2, equal_nan=False: functions.array_equal(a1, a2, equal_nan))
_implements("isclose")(lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: functions.isclose(
    a, b, rtol, atol, equal_nan))
_implements("allclose")(lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: bool(functions.isclose(
    a, b, rtol, atol, equal_nan).all()))
_implements("copy")(lambda a: a.copy())
_implements("array_str")(lambda a: str(a))
_implements("array_repr")(lambda a: repr(a))
_implements("array2string")(lambda a: str(a))
# NumPy 2 names the argument shape
_implements("reshape")(lambda a, shape=None, *, newshape=None: a.reshape(newshape if shape is None else shape))
_implements("transpose")(lambda a, axes=None: a.transpose(axes))
_implements("swapaxes")(lambda a, axis1, axis2: a.swapaxes(axis1, axis2))
_implements("squeeze")(lambda a, axis=None: a.squeeze(axis))
_implements("ravel")(lambda a: a.ravel())
_implements("argmax")(lambda a, axis=None, out=None, *, keepdims=False: _finish(
    "argmax", a.argmax(axis, keepdims), out))
_implements("argmin")(lambda a, axis=None, out=None, *, keepdims=False: _finish(
    "argmin", a.argmin(axis, keepdims), out))
_implements("zeros_like", "empty_like")(lambda a, dtype=None: functions.zeros(
    a.shape, _type_beside("zeros_like", a, dtype)))
_implements("ones_like")(lambda a, dtype=None: functions.ones(a.shape, _type_beside("ones_like", a, dtype)))
_implements("full_like")(lambda a, fill_value, dtype=None: functions.full(
    a.shape, fill_value, _type_beside("full_like", a, dtype)))
_implements("outer")(lambda a, b: _call_ufunc(np.multiply, "outer", _raveled(a, b), {}))
_implements("vdot")(lambda a, b: product(*_raveled(a, b)))


def _raveled(*operands) -> list[Array]:
    return [x.ravel() for x in functions.arrays_beside(*operands)]


@_implements("vstack")
def _vstack(tup):
    parts = functions.arrays_beside(*tup)
    return functions.concatenate([x if x.ndim >= 2 else x.reshape(1, -1) for x in parts], 0)


@_implements("hstack")
def _hstack(tup):
    parts = functions.arrays_beside(*tup)
    return functions.concatenate(parts, 0 if parts[0].ndim == 1 else 1)


@_implements("save")
def _save(file, arr):
    name = os.fspath(file)
    _files.save(name if name.endswith(".npy") else name + ".npy", arr)


@_implements("expand_dims")
def _expand_dims(a, axis):
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    count = a.ndim + len(axes)
    new = {_normal_axis(i, count) for i in axes}
    if len(new) != len(axes):
        raise ValueError(f"expand_dims: axes {tuple(axes)} name an axis twice")
    sizes = iter(a.shape)
    return a.reshape([1 if i in new else next(sizes) for i in range(count)])


@_implements("moveaxis")
def _moveaxis(a, source, destination):
    places = [[_normal_axis(i, a.ndim) + 1 for i in np.atleast_1d(x)] for x in (source, destination)]
    return a._view(np.moveaxis(a.planes, *places))


@_implements("broadcast_to")
def _broadcast_to(array, shape):
    sizes = functions._sizes(shape)
    if min(sizes, default=0) < 0:  # for the library -1 means the present size
        raise ValueError(f"broadcast_to: no array has the shape {tuple(sizes)}")
    return _wrap(array._t.expand(sizes))


for _name in ("solve", "inv", "det", "slogdet", "cholesky", "qr", "lstsq", "svd", "svdvals", "eigh",
              "eigvalsh", "matrix_power", "norm", "cond", "pinv", "matrix_rank"):
    _implements(f"linalg.{_name}")(getattr(linalg, _name))


@_implements("copyto")
def _copyto(dst, src, where=True):
    mask = _mask("copyto", where)
    if mask is not None:
        src = functions.where(np.broadcast_to(mask, dst.shape), src, dst)
    _write(src, dst)


def _type_beside(name: str, x, dtype) -> str:
    """The type of a new array: ``dtype`` or, without it, the type of x."""
    return _in_type(name, 0, dtype).dtype if dtype is not None else x.dtype


@_implements("where")
def _where(condition, x=_MISSING, y=_MISSING):
    if x is _MISSING and y is _MISSING:
        return np.nonzero(leading(condition))
    return functions.where(leading(condition) != 0 if isinstance(condition, Array) else condition, x, y)


_implements("sum")(lambda a, axis=None, *args, **kwargs: _reduce("add", a, axis, *args, **kwargs))
_implements("prod")(lambda a, axis=None, *args, **kwargs: _reduce("multiply", a, axis, *args, **kwargs))
# these functions have no argument dtype
_implements("max", "amax")(lambda a, axis=None, *args, **kwargs: _reduce("maximum", a, axis, None, *args, **kwargs))
_implements("min", "amin")(lambda a, axis=None, *args, **kwargs: _reduce("minimum", a, axis, None, *args, **kwargs))


def _of_mean(name: str, f):
    def function(a, axis=None, dtype=None, out=None, *args, keepdims=False, where=True, **kwargs):
        if name != "mean" and "correction" in kwargs:
            if args or "ddof" in kwargs:
                raise ValueError(f"{name}: ddof and correction are both given")
            kwargs["ddof"] = kwargs.pop("correction")
        x = functions.as_array(_in_type(name, a, dtype))
        return _finish(name, f(x, axis, *args, keepdims=bool(keepdims), where_mask=_mask(name, where), **kwargs), out)

    function.__name__ = function.__qualname__ = f"numpy.{name}"
    _implements(name)(function)


for _name in ("mean", "var", "std"):
    _of_mean(_name, getattr(_sums, _name))


def _running(name: str, f):
    def function(a, axis=None, dtype=None, out=None):
        return _finish(name, f(functions.as_array(_in_type(name, a, dtype)), axis), out)

    function.__name__ = function.__qualname__ = f"numpy.{name}"
    _implements(name)(function)


_running("cumsum", _sums.cumsum)
_running("cumprod", _sums.cumprod)
_implements("cumulative_sum")(lambda x, *, axis=None, dtype=None, out=None, include_initial=False: _cumulative(
    "cumulative_sum", _sums.cumsum, 0, x, axis, dtype, out, include_initial))
_implements("cumulative_prod")(lambda x, *, axis=None, dtype=None, out=None, include_initial=False: _cumulative(
    "cumulative_prod", _sums.cumprod, 1, x, axis, dtype, out, include_initial))


def _cumulative(name: str, f, first: int, x, axis, dtype, out, include_initial):
    x = functions.as_array(_in_type(name, x, dtype))
    if axis is None and x.ndim != 1:
        raise ValueError(f"{name}: an axis is needed for {x.ndim} dimensions")
    axis = _normal_axis(0 if axis is None else axis, x.ndim)
    result = f(x, axis)
    if include_initial:
        sizes = [1 if i == axis else n for i, n in enumerate(x.shape)]
        result = functions.concatenate([functions.full(sizes, first, x.dtype), result], axis)
    return _finish(name, result, out)


# a stable sort has the result of every method of NumPy
_implements("sort")(lambda a, axis=-1, kind=None, order=None, *, stable=None: _order.sort(a, axis))
_implements("argsort")(lambda a, axis=-1, kind=None, order=None, *, stable=None: _order.argsort(a, axis))
_implements("searchsorted")(lambda a, v, side="left", sorter=None: _order.searchsorted(a, v, side, sorter))
_implements("median")(lambda a, axis=None, out=None, overwrite_input=False, keepdims=False: _finish(
    "median", _order.median(a, axis, keepdims), out))
for _name in ("quantile", "percentile"):
    def _quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, _name=_name):
        return _finish(_name, getattr(_order, _name)(a, q, axis, method, keepdims), out)

    _implements(_name)(_quantile)


@_implements("unique")
def _unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True):
    if axis is not None:
        raise TypeError("numpy.unique(): an axis is not supported for mctensor's arrays")
    return _order.unique(ar, return_index, return_inverse, return_counts, equal_nan=equal_nan)


@_implements("interp")
def _interp(x, xp, fp, left=None, right=None, period=None):
    return _order.interp(x, xp, fp, left, right, period)


@_implements("einsum")
def _np_einsum(*operands, out=None, dtype=None, optimize="greedy"):
    arrays = [_in_type("einsum", x, dtype) if isinstance(x, Array) else x for x in operands]
    return _finish("einsum", _einsum.einsum(*arrays, optimize=optimize), out)


_implements("ptp")(lambda a, axis=None, out=None, keepdims=False: _finish("ptp", _sums.ptp(a, axis, keepdims), out))
_implements("average")(lambda a, axis=None, weights=None, *, keepdims=False: _sums.average(a, axis, weights, keepdims))
_implements("diff")(lambda a, n=1, axis=-1, prepend=None, append=None: _sums.diff(a, n, axis, prepend, append))
_implements("round", "around", "round_")(lambda a, decimals=0, out=None: _finish(
    "round", _rounding.round(a, decimals), out))
_implements("tensordot")(lambda a, b, axes=2: _einsum.tensordot(a, b, axes))
_implements("inner")(lambda a, b: _einsum.inner(a, b))
_implements("trace")(lambda a, offset=0, axis1=0, axis2=1: _einsum.trace(a, offset, axis1, axis2))
_implements("kron")(lambda a, b: _kron(*functions.arrays_beside(a, b)))
_implements("linspace")(lambda start, stop, num=50, endpoint=True: functions.linspace(
    start, stop, num, endpoint=endpoint, dtype=next(x.dtype for x in (start, stop) if isinstance(x, Array))))
_implements("meshgrid")(lambda *xi, indexing="xy": _meshgrid(functions.arrays_beside(*xi), indexing))
_implements("append")(lambda arr, values, axis=None: functions.concatenate(
    _raveled(arr, values) if axis is None else functions.arrays_beside(arr, values), axis or 0))
_implements("real")(lambda val: val)
_implements("iscomplexobj")(lambda x: False)
_implements("vecdot")(lambda x1, x2, axis=-1: _vecdot(*functions.arrays_beside(x1, x2), axis))
_implements("linalg.vecdot")(lambda x1, x2, axis=-1: _vecdot(*functions.arrays_beside(x1, x2), axis))
_implements("matrix_transpose", "linalg.matrix_transpose")(lambda x: x.mT)


_implements("cross")(lambda a, b, axis=-1: _cross(a, b, axis))
_implements("linalg.cross")(lambda x1, x2, axis=-1: _cross(x1, x2, axis))
_implements("isin")(lambda element, test_elements, assume_unique=False, invert=False, *, kind=None: _order.isin(
    element, test_elements) != bool(invert))
_implements("broadcast_arrays")(lambda *args: _broadcast_arrays(functions.arrays_beside(*args)))
_implements("unstack")(lambda x, axis=0: tuple(np.moveaxis(x, axis, 0)))
_implements("astype")(lambda x, dtype, copy=True: x if not copy and dtype == x.dtype else _in_type("astype", x, dtype))
_implements("linalg.outer")(lambda x1, x2: np.outer(x1, x2))
_implements("linalg.diagonal")(lambda x, offset=0: np.diagonal(x, offset, -2, -1))
_implements("linalg.trace")(lambda x, offset=0: _einsum.trace(x, offset, -2, -1))
_implements("linalg.matmul")(functions.matmul)
_implements("linalg.tensordot")(lambda x1, x2, axes=2: _einsum.tensordot(x1, x2, axes))
_implements("linalg.matrix_norm")(lambda x, keepdims=False, ord="fro": linalg.norm(x, ord, (-2, -1), keepdims))
_implements("linalg.vector_norm")(lambda x, axis=None, keepdims=False, ord=2: x.norm(ord, axis, keepdims))
for _name, _wanted in {"unique_values": (), "unique_counts": ("counts",), "unique_inverse": ("inverse",),
                       "unique_all": ("index", "inverse", "counts")}.items():
    def _unique_parts(x, *, _name=_name, _wanted=_wanted):
        parts = _order.unique(x, **{f"return_{part}": True for part in _wanted}, equal_nan=False)
        if not _wanted:
            return parts
        fields = ["values", *({"index": "indices", "inverse": "inverse_indices"}.get(part, part) for part in _wanted)]
        return namedtuple({"unique_counts": "UniqueCountsResult", "unique_inverse": "UniqueInverseResult",
                           "unique_all": "UniqueAllResult"}[_name], fields)(*parts)

    _implements(_name)(_unique_parts)


def _broadcast_arrays(parts):
    shape = list(np.broadcast_shapes(*(x.shape for x in parts)))
    return [_wrap(x._t.expand(shape)) for x in parts]


def _vecdot(x, y, axis):
    return _einsum.einsum("...i,...i", _to_last(x, axis), _to_last(y, axis))


def _to_last(x, axis):
    order = [i for i in range(x.ndim) if i != _normal_axis(axis, x.ndim)]
    return x.transpose([*order, _normal_axis(axis, x.ndim)])


def _cross(a, b, axis=-1):
    x, y = functions.arrays_beside(a, b)
    if x.shape[_normal_axis(axis, x.ndim)] != 3 or y.shape[_normal_axis(axis, y.ndim)] != 3:
        raise ValueError(f"cross: vectors of three numbers along axis {axis}, not of shapes {x.shape} and {y.shape}")
    return np.roll(x, -1, axis) * np.roll(y, 1, axis) - np.roll(x, 1, axis) * np.roll(y, -1, axis)


def _kron(a, b):
    count = max(a.ndim, b.ndim)
    x, y = ([1] * (count - part.ndim) + list(part.shape) for part in (a, b))
    blocks = a.reshape([n for size in x for n in (size, 1)]) * b.reshape([n for size in y for n in (1, size)])
    return blocks.reshape([m * n for m, n in zip(x, y)])


def _meshgrid(parts, indexing):
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
    count = len(parts)
    order = [1, 0, *range(2, count)] if indexing == "xy" and count > 1 else list(range(count))
    sizes = [parts[i].size for i in order]
    return [_wrap(part.reshape([-1 if k == i else 1 for k in order])._t.expand(sizes)).copy()
            for i, part in enumerate(parts)]


def _any(self, axis=None, keepdims: bool = False):
    """Whether at least one element is not zero, over all elements or along an axis: NumPy's bools."""
    return np.any(leading(self), axis, keepdims=keepdims)


def _all(self, axis=None, keepdims: bool = False):
    """Whether no element is zero, over all elements or along an axis: NumPy's bools."""
    return np.all(leading(self), axis, keepdims=keepdims)


def _nonzero(self):
    """The indices of the elements that are not zero, as a NumPy array for each dimension."""
    return np.nonzero(leading(self))


def _take(self, indices, axis: int | None = None) -> Array:
    """The elements at these indices along an axis; without an axis, in the flattened array."""
    return np.take(self, indices, axis)


Array.any, Array.all, Array.nonzero, Array.take, Array.clip = _any, _all, _nonzero, _take, functions.clip
Array.__array_ufunc__ = lambda self, ufunc, method, *inputs, **kwargs: _call_ufunc(ufunc, method, inputs, kwargs)
Array.__array_function__ = lambda self, function, types, args, kwargs: _call_function(function, args, kwargs)
