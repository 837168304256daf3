"""Numbers of several components, hyperbolic geometry and optimizers for low precision.

    import mctensor as mct
    a = mct.array("0.1", "f64x2")            # two doubles, 106 bits
    b = mct.randn((1000, 1000), seed=1)
    c = b.T @ b + mct.exp(a)                 # NumPy's broadcasting and functions, np.exp(a) too

Modules: ``mctensor.linalg`` (systems, decompositions), ``mctensor.random`` (random numbers),
``mctensor.optim`` (AdamW over NumPy arrays), ``mctensor.torch`` (an optimizer of PyTorch),
``mctensor.geometry`` (hyperbolic manifolds), ``mctensor.embed`` (hierarchies as points),
``mctensor.attention``; the last three take arrays of NumPy and tensors of PyTorch.
"""
from . import _numpy, linalg, random  # _numpy makes NumPy's functions take arrays
from ._angles import atan2, log10, logaddexp
from ._array import Array
from ._check import Check, check
from ._core import (__version__, DeviceError, DomainError, Error, IoError, LinAlgError, ShapeError,
                    SingularError, num_threads)
from ._dtypes import DTYPES, promote
from ._files import load, save, savez
from ._functions import (ELEMENTWISE, arange, array_equal, as_array, clip, concatenate, dot, eye, full,
                         isclose, linspace, matmul, mul_add, ones, rand, randn, set_num_threads, stack, where,
                         zeros)
from ._einsum import einsum, inner, tensordot, trace
from ._make import array, from_planes
from ._order import argsort, interp, isin, median, percentile, quantile, searchsorted, sort, unique
from ._rounding import (ceil, copysign, divmod, floor, floor_divide, fmax, fmin, fmod, modf, nextafter, remainder,
                        rint, round, trunc)
from ._sums import average, cumprod, cumsum, diff, prod, ptp, std, var

globals().update(ELEMENTWISE)
for _function in ELEMENTWISE.values():
    _function.__module__ = __name__  # where pickle looks for it

__all__ = ["Array", "Check", "DTYPES", "DeviceError", "DomainError", "Error", "IoError", "LinAlgError", "ShapeError",
           "SingularError", "__version__", "arange", "argsort", "array", "array_equal", "as_array", "atan2",
           "average", "ceil", "check", "clip", "concatenate", "copysign", "cumprod", "cumsum", "diff", "divmod", "dot",
           "einsum", "eye", "floor", "floor_divide", "fmax", "fmin", "fmod", "from_planes", "full", "inner",
           "interp", "isclose", "isin", "linalg", "linspace", "load", "log10", "logaddexp", "matmul", "median",
           "modf", "mul_add", "nextafter", "num_threads", "ones", "percentile", "prod", "promote", "ptp",
           "quantile", "rand", "randn", "random", "remainder", "rint", "round", "save", "savez", "searchsorted",
           "set_num_threads", "sort", "stack", "std", "tensordot", "trace", "trunc", "unique", "var", "where",
           "zeros", *ELEMENTWISE]
