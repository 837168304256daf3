"""Linear algebra with NumPy's names, in all digits of a type.

    from mctensor import linalg
    x = linalg.solve(a, b)                                # f64x2: 32 right digits
    x, report = linalg.solve(a, b, report=True)           # condition, residual, ...
    u, s, vh = np.linalg.svd(a)                           # NumPy's own functions, too

Operands are arrays of f64x1 to f64x4 or f32x1 to f32x4; other arrays are converted to f64x2. Matrices are the last two
dimensions, the others a batch. A matrix without an inverse raises SingularError, which is a LinAlgError (NumPy's, too)
and a DomainError. docs/linalg.md has methods and errors.
"""
from __future__ import annotations

import operator
from typing import NamedTuple

import numpy as np

from . import _core
from ._arguments import whole_array, whole_number
from ._array import Array, _wrap
from ._core import DomainError, LinAlgError, SingularError
from ._dtypes import promote
from ._functions import as_array
from ._operators import operands

__all__ = ["EighResult", "LinAlgError", "LstsqResult", "QRResult", "SVDResult", "SingularError",
           "SlogdetResult", "SolveReport", "cholesky", "cond", "det", "eigh", "eigvalsh", "inv", "lstsq",
           "lu", "lu_factor", "lu_solve", "matrix_power", "norm", "qr", "slogdet", "solve",
           "solve_triangular", "svd", "svdvals"]


class SolveReport(NamedTuple):
    """How a solution was found; for a batch, the worst value of each."""

    #: max |b - a x| / (|a| |x| + |b|), in infinity norms, of the system as it was scaled
    relative_residual: float
    #: an estimate of |a|_1 |a^-1|_1, nearly always within a factor of 3 below it
    condition: float
    #: corrections of x
    refinements: int
    #: doubles in which the matrix was factored at last
    factor_components: int
    #: doubles of the last residual; 0: no refinement
    residual_components: int


class SlogdetResult(NamedTuple):
    """det = sign exp(logabsdet)."""

    sign: Array
    logabsdet: Array


class QRResult(NamedTuple):
    """a = Q R."""

    Q: Array
    R: Array


class LstsqResult(NamedTuple):
    """x minimizes |b - a x|; residuals are |b - a x|^2 of each column, none unless m > n = rank; s are
    the singular values of a."""

    x: Array
    residuals: Array
    rank: int
    s: Array


class SVDResult(NamedTuple):
    """a = U diag(S) Vh."""

    U: Array
    S: Array
    Vh: Array


class EighResult(NamedTuple):
    """a = v diag(w) v^T: eigenvalues ascending, eigenvectors in columns."""

    eigenvalues: Array
    eigenvectors: Array


def _tensor(a):
    return as_array(a)._t


def _wrap_all(tensors) -> tuple:
    return tuple(_wrap(t) for t in tensors)


def _of_one_type(name: str, a, b) -> tuple:
    """Both operands as tensors of the least type that holds both."""
    if not isinstance(a, Array) and not isinstance(b, Array):
        a = as_array(a)
    both = operands(a, b)
    if both is None:
        raise TypeError(f"{name}: {type(a).__name__} and {type(b).__name__} are no operands")
    common = promote(*(t.dtype for t in both))
    return tuple(t if t.dtype == common else _core.convert(t, common) for t in both)


def solve(a, b, *, report: bool = False):
    """x with a x = b: b is one vector (n), or matrices (..., n, k) whose leading dimensions broadcast.

    With several components every digit of the largest unknowns is right unless the matrix is singular to f64x4. A
    factorization in double is refined with residuals of one component more; if double is not enough, it is repeated in
    f64x2, f64x3 and f64x4. With ``report`` the pair (x, SolveReport). Raises SingularError.
    """
    tensors = _of_one_type("solve", a, b)
    if not report:
        return _wrap(_core.solve(*tensors))
    x, values = _core.solve_with_report(*tensors)
    return _wrap(x), SolveReport(*values)


def inv(a, *, report: bool = False):
    """The inverse: ``solve`` with the unit matrix, with its errors. With ``report`` the pair (inverse,
    SolveReport). Raises SingularError."""
    if not report:
        return _wrap(_core.inv(_tensor(a)))
    x, values = _core.inv_with_report(_tensor(a))
    return _wrap(x), SolveReport(*values)


def det(a) -> Array:
    """The determinant: 0 where a pivot is."""
    return _wrap(_core.det(_tensor(a)))


def slogdet(a) -> SlogdetResult:
    """Sign and logarithm of the magnitude of the determinant: (0, -inf) where a pivot is 0."""
    t = _tensor(a)
    sign, logabsdet = _core.slogdet(t)
    return SlogdetResult(_wrap(_core.convert(sign, t.dtype)), _wrap(logabsdet))


def cholesky(a, /, *, upper: bool = False) -> Array:
    """The lower triangular l with a = l l^T, of which the lower triangle alone is read; with ``upper``
    the upper triangular l^T, from the upper triangle. Raises LinAlgError if a is not positive definite."""
    x = as_array(a)
    if upper:
        return cholesky(x.swapaxes(-1, -2) if x.ndim > 1 else x).swapaxes(-1, -2)
    try:
        return _wrap(_core.cholesky(x._t))
    except DomainError as error:
        raise LinAlgError(str(error)) from None


def lu(a) -> tuple[Array, Array, Array]:
    """(p, l, u) with a = p l u, as ``scipy.linalg.lu``: p a permutation, l with ones on its diagonal."""
    t = _tensor(a)
    p, l, u = _core.lu(t)
    return _wrap(_core.convert(p, t.dtype)), _wrap(l), _wrap(u)


def lu_factor(a) -> tuple[Array, np.ndarray]:
    """(lu, piv) for ``lu_solve``, as ``scipy.linalg.lu_factor``: both factors in one matrix; row i was
    exchanged with row piv[i]."""
    factors, pivots = _core.lu_factor(_tensor(a))
    return _wrap(factors), pivots


def lu_solve(lu_and_piv, b, trans: int = 0) -> Array:
    """x with a x = b, or a^T x = b with ``trans`` 1, from the result of lu_factor(a). It does not refine the solution
    as ``solve`` does. Raises SingularError for a zero pivot."""
    factors, pivots = lu_and_piv
    if trans not in (0, 1, 2):
        raise ValueError(f"lu_solve: trans is 0 or 1, not {trans!r}")
    tensors = _of_one_type("lu_solve", factors, b)
    places = whole_array("lu_solve: pivots", pivots)
    return _wrap(_core.lu_solve(tensors[0], places, tensors[1], trans != 0))


def solve_triangular(a, b, trans: int = 0, lower: bool = False, unit_diagonal: bool = False) -> Array:
    """x with a x = b, or a^T x = b with ``trans`` 1, for a triangular a, as ``scipy.linalg`` has it: the
    other triangle is not read. Raises SingularError for a zero on the diagonal."""
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"solve_triangular: trans is 0 or 1, not {trans!r}")
    tensors = _of_one_type("solve_triangular", a, b)
    return _wrap(_core.solve_triangular(*tensors, bool(lower), trans not in (0, "N"), bool(unit_diagonal)))


def qr(a, mode: str = "reduced"):
    """QRResult(Q, R): orthonormal columns and an upper triangle; mode "complete" has a square Q, "r" gives
    R alone."""
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"qr: mode is 'reduced', 'complete' or 'r', not {mode!r}")
    if mode == "r":
        return _wrap(_core.qr_r(_tensor(a)))
    return QRResult(*_wrap_all(_core.qr(_tensor(a), mode == "complete")))


def lstsq(a, b, rcond: float | None = None) -> LstsqResult:
    """The x of smallest norm among those that minimize |b - a x|, of one matrix. Singular values below
    ``rcond`` times the largest count as zero; None: max(m, n) u^N."""
    tensors = _of_one_type("lstsq", a, b)
    x, residuals, rank = _core.lstsq(*tensors, -1.0 if rcond is None else float(rcond))
    return LstsqResult(_wrap(x), _wrap(residuals), rank, _wrap(_core.svdvals(tensors[0])))


def svd(a, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False):
    """SVDResult(U, S, Vh), singular values descending; without ``compute_uv`` these alone. ``hermitian``
    changes nothing."""
    if not compute_uv:
        return svdvals(a)
    return SVDResult(*_wrap_all(_core.svd(_tensor(a), bool(full_matrices))))


def svdvals(a) -> Array:
    """The singular values, descending."""
    return _wrap(_core.svdvals(_tensor(a)))


def _lower_triangle(name: str, a, UPLO: str):
    if UPLO not in ("L", "U", "l", "u"):
        raise ValueError(f"{name}: UPLO is 'L' or 'U', not {UPLO!r}")
    x = as_array(a)
    return (x.swapaxes(-1, -2) if UPLO in "Uu" and x.ndim > 1 else x)._t


def eigh(a, UPLO: str = "L") -> EighResult:
    """EighResult(eigenvalues, eigenvectors) of a symmetric matrix, of which one triangle is read."""
    return EighResult(*_wrap_all(_core.eigh(_lower_triangle("eigh", a, UPLO))))


def eigvalsh(a, UPLO: str = "L") -> Array:
    """The eigenvalues of a symmetric matrix, ascending."""
    return _wrap(_core.eigvalsh(_lower_triangle("eigvalsh", a, UPLO)))


def matrix_power(a, n: int) -> Array:
    """a^n by squaring; the power of the inverse for n < 0."""
    return _wrap(_core.matrix_power(_tensor(a), whole_number("n", n)))


def _order(name: str, order) -> str:
    """NumPy's order of a matrix norm as the library's word."""
    words = {1: "1", 2: "2", np.inf: "inf", "fro": "fro", "nuc": "nuc"}
    try:
        return words[order]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: order {order!r} of a matrix norm is not 'fro', 'nuc', 1, 2 or inf"
                         ) from None


def norm(x, ord=None, axis=None, keepdims: bool = False) -> Array:
    """The norm of a vector or matrix, or of those along ``axis``, as ``numpy.linalg.norm``.

    Of vectors ``ord`` is 1, 2 or inf, of matrices "fro", "nuc", 1, 2 or inf. Without an order the root of
    the sum of squares, of all elements if no axis is named.
    """
    x = as_array(x)
    if ord is None and (axis is None or isinstance(axis, tuple)):
        return x.norm(2, axis, keepdims)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(axes) == 1:
        return x.norm(2 if ord is None else ord, axes, keepdims)
    if len(axes) == 2 and ord == "fro":
        return x.norm(2, axes, keepdims)
    if len(axes) != 2:
        raise ValueError(f"norm: an order is for vectors and matrices, not for {len(axes)} dimensions")
    order = _order("norm", ord)
    places = [operator.index(i) + x.ndim * (operator.index(i) < 0) for i in axes]
    if places[0] == places[1] or not all(0 <= i < x.ndim for i in places):
        raise ValueError(f"norm: axes {axes} of an array of {x.ndim} dimensions")
    rest = [i for i in range(x.ndim) if i not in places]
    result = _wrap(_core.matrix_norm(x.transpose(rest + places)._t, order))
    return result.reshape([1 if i in places else n for i, n in enumerate(x.shape)]) if keepdims else result


def cond(x, p=None) -> Array:
    """The condition number |x| |x^-1|; None and 2: the largest singular value by the smallest. Infinite for
    a singular matrix."""
    return _wrap(_core.cond(_tensor(x), "2" if p is None else _order("cond", p)))
