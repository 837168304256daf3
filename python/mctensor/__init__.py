"""Numbers of several components, hyperbolic geometry and optimizers for low precision.

    import mctensor as mct
    a = mct.array("0.1", "f64x2")            # two doubles, 106 bits
    b = mct.randn((1000, 1000), seed=1)
    c = b.T @ b + mct.exp(a)                 # NumPy's broadcasting and functions, np.exp(a) too

Modules: ``mctensor.linalg`` (systems, decompositions), ``mctensor.optim`` (AdamW over NumPy arrays),
``mctensor.torch`` (an optimizer of PyTorch), ``mctensor.geometry`` (hyperbolic manifolds),
``mctensor.embed`` (hierarchies as points), ``mctensor.attention``; the last three take arrays of NumPy
and tensors of PyTorch.
"""
from . import _numpy, linalg  # _numpy: that NumPy's functions take arrays
from ._array import Array
from ._core import (__version__, DeviceError, DomainError, Error, IoError, LinAlgError, ShapeError,
                    SingularError, num_threads)
from ._dtypes import DTYPES, promote
from ._files import load, save, savez
from ._functions import (ELEMENTWISE, arange, array_equal, as_array, clip, concatenate, dot, eye, full,
                         isclose, matmul, mul_add, ones, rand, randn, set_num_threads, stack, where, zeros)
from ._make import array, from_planes

globals().update(ELEMENTWISE)

__all__ = ["Array", "DTYPES", "DeviceError", "DomainError", "Error", "IoError", "LinAlgError",
           "ShapeError", "SingularError", "__version__", "arange", "array", "array_equal", "as_array",
           "clip", "concatenate", "dot", "eye", "from_planes", "full", "isclose", "linalg", "load", "matmul",
           "mul_add", "num_threads", "ones", "promote", "rand", "randn", "save", "savez",
           "set_num_threads", "stack", "where", "zeros", *ELEMENTWISE]
