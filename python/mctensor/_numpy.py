"""NumPy's functions of arrays of expansions: those that the library has, the others are a TypeError."""
from __future__ import annotations

import inspect
import os

import numpy as np

from . import _convert, _core, _files, linalg
from . import _functions as functions
from ._array import Array, _normal_axis, _wrap
from ._operators import compare, product

# those of NumPy's that stand for an operation of the library's
_UFUNCS = {ufunc: name for name, ufuncs in _core.ufuncs.items() for ufunc in ufuncs.split()}
_COMPARISONS = {"equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le",
                "greater": "gt", "greater_equal": "ge"}
# what the first component alone decides
_OF_LEADING = {"isnan", "isinf", "isfinite", "signbit", "logical_not"}
_REDUCTIONS = {"add": Array.sum, "maximum": Array.max, "minimum": Array.min}


def _leading(x) -> np.ndarray:
    return _convert.numpy_planes(x._t)[0] if isinstance(x, Array) else np.asarray(x)


def _refuse(name: str):
    raise TypeError(f"numpy.{name} is not one of the functions of mctensor's arrays")


def _call(ufunc, inputs):
    name = ufunc.__name__
    if name in _UFUNCS:
        return functions.ELEMENTWISE[_UFUNCS[name]](*inputs)
    if name in _COMPARISONS:
        return compare(_COMPARISONS[name], *inputs)
    if name == "matmul":
        return functions.matmul(*inputs)
    if name in _OF_LEADING:
        return ufunc(*map(_leading, inputs))
    if name == "positive":
        return +inputs[0]
    if name == "reciprocal":
        return 1 / inputs[0]
    if name == "sign":
        return functions.array(np.sign(_leading(inputs[0])), inputs[0].dtype)
    _refuse(name)


def _write(result, out):
    if isinstance(out, Array):
        out[...] = result
    elif isinstance(result, Array):
        raise TypeError("out: a NumPy array would lose digits of the result; give an array of mctensor's")
    else:
        out[...] = result
    return out


def _call_ufunc(ufunc, method: str, inputs, kwargs):
    out = kwargs.pop("out", None)
    if method == "reduce" and ufunc.__name__ in _REDUCTIONS:
        axis = kwargs.pop("axis", 0)
        keepdims = kwargs.pop("keepdims", False)
        result = _REDUCTIONS[ufunc.__name__](inputs[0], axis, keepdims)
    elif method == "outer":
        x, y = functions.arrays_beside(*inputs)
        result = _call(ufunc, (x.reshape(x.shape + (1,) * y.ndim), y))
    elif method == "__call__":
        result = _call(ufunc, inputs)
    else:
        _refuse(f"{ufunc.__name__}.{method}")
    left = [key for key, value in kwargs.items() if value is not None and value is not True]
    if left:
        raise TypeError(f"numpy.{ufunc.__name__}: no argument '{left[0]}' for mctensor's arrays")
    return result if out is None else _write(result, out[0])


_FUNCTIONS = {}


def _implements(*names):
    def register(f):
        for name in names:
            module, _, attribute = name.rpartition(".")
            owner = getattr(np, module) if module else np
            if hasattr(owner, attribute):
                _FUNCTIONS[getattr(owner, attribute)] = f
        if f.__name__ == "<lambda>":
            f.__name__ = f.__qualname__ = f"numpy.{names[0]}"  # errors of arguments name it
        return f

    return register


def _call_function(function, args, kwargs):
    if function not in _FUNCTIONS:
        _refuse(function.__name__)
    return _FUNCTIONS[function](*args, **kwargs)


def _by_numpy(function, f):
    """Implements a function of NumPy's as f(x, call): x is its first argument, call(y) is NumPy's result with
    y in its place."""
    first = next(iter(inspect.signature(function).parameters))

    def implementation(*args, **kwargs):
        x = args[0] if args else kwargs.pop(first)
        if not isinstance(x, Array):
            _refuse(function.__name__)
        return f(x, lambda y: function(y, *args[1:], **kwargs))

    _FUNCTIONS[function] = implementation


def _each_plane(x: Array, f) -> Array:
    """What only moves elements, by f on every plane."""
    planes = x.planes
    return _wrap(_core.from_planes(np.stack([f(planes[k, ...]) for k in range(len(planes))]), x.dtype))


for _name in ("roll", "flip", "flipud", "fliplr", "rot90", "take", "repeat", "tile", "diag",
              "diagonal", "tril", "triu", "delete", "take_along_axis"):
    _by_numpy(getattr(np, _name), _each_plane)
for _name in ("nonzero", "count_nonzero", "any", "all", "argwhere", "flatnonzero"):
    _by_numpy(getattr(np, _name), lambda x, call: call(_leading(x)))
_implements("compress")(lambda condition, a, axis=None: _each_plane(
    functions.as_array(a), lambda plane: np.compress(np.asarray(condition), plane, axis)))
_implements("shape")(lambda a: a.shape)
_implements("ndim")(lambda a: a.ndim)
_implements("size")(lambda a, axis=None: a.size if axis is None else a.shape[axis])
_implements("concatenate")(functions.concatenate)
_implements("stack")(functions.stack)
_implements("where")(functions.where)
_implements("clip")(lambda a, a_min=None, a_max=None: functions.clip(a, a_min, a_max))
_implements("dot")(lambda a, b: functions.dot(a, b))
_implements("array_equal")(lambda a1, a2: functions.array_equal(a1, a2))
_implements("isclose")(lambda a, b, rtol=1e-5, atol=1e-8: functions.isclose(a, b, rtol, atol))
_implements("allclose")(lambda a, b, rtol=1e-5, atol=1e-8: bool(functions.isclose(a, b, rtol, atol).all()))
_implements("copy")(lambda a: a.copy())
_implements("array_str")(lambda a: str(a))
_implements("array_repr")(lambda a: repr(a))
_implements("array2string")(lambda a: str(a))
# NumPy 2 calls it shape
_implements("reshape")(lambda a, shape=None, *, newshape=None: a.reshape(newshape if shape is None else shape))
_implements("transpose")(lambda a, axes=None: a.transpose(axes))
_implements("swapaxes")(lambda a, axis1, axis2: a.swapaxes(axis1, axis2))
_implements("squeeze")(lambda a, axis=None: a.squeeze(axis))
_implements("ravel")(lambda a: a.ravel())
_implements("sum")(lambda a, axis=None, *, keepdims=False: a.sum(axis, keepdims))
_implements("mean")(lambda a, axis=None, *, keepdims=False: a.mean(axis, keepdims))
_implements("max", "amax")(lambda a, axis=None, *, keepdims=False: a.max(axis, keepdims))
_implements("min", "amin")(lambda a, axis=None, *, keepdims=False: a.min(axis, keepdims))
_implements("argmax")(lambda a, axis=None: a.argmax(axis))
_implements("argmin")(lambda a, axis=None: a.argmin(axis))
_implements("zeros_like", "empty_like")(lambda a: functions.zeros(a.shape, a.dtype))
_implements("ones_like")(lambda a: functions.ones(a.shape, a.dtype))
_implements("full_like")(lambda a, fill_value: functions.full(a.shape, fill_value, a.dtype))
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
        raise ValueError(f"expand_dims: axes {tuple(axes)} name one twice")
    sizes = iter(a.shape)
    return a.reshape([1 if i in new else next(sizes) for i in range(count)])


@_implements("moveaxis")
def _moveaxis(a, source, destination):
    places = [[_normal_axis(i, a.ndim) + 1 for i in np.atleast_1d(x)] for x in (source, destination)]
    return a._view(np.moveaxis(a.planes, *places))


@_implements("broadcast_to")
def _broadcast_to(array, shape):
    sizes = functions._sizes(shape)
    if min(sizes, default=0) < 0:  # to the library -1 is the size that is there
        raise ValueError(f"broadcast_to: no array has the shape {tuple(sizes)}")
    return _wrap(array._t.expand(sizes))


for _name in ("solve", "inv", "det", "slogdet", "cholesky", "qr", "lstsq", "svd", "svdvals", "eigh",
              "eigvalsh", "matrix_power", "norm", "cond"):
    _implements(f"linalg.{_name}")(getattr(linalg, _name))


@_implements("copyto")
def _copyto(dst, src):
    _write(src, dst)


Array.__array_ufunc__ = lambda self, ufunc, method, *inputs, **kwargs: _call_ufunc(ufunc, method, inputs, kwargs)
Array.__array_function__ = lambda self, function, types, args, kwargs: _call_function(function, args, kwargs)
