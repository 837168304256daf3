"""Linear algebra with NumPy's names, in all digits of a type.

    from mctensor import linalg
    x = linalg.solve(a, b)                                # f64x2: 32 right digits
    x, report = linalg.solve(a, b, report=True)           # condition, residual, ...
    u, s, vh = np.linalg.svd(a)                           # NumPy's own functions, too

Operands are arrays of f64x1 to f64x4 or f32x1 to f32x4; other arrays are converted to f64x2. The last two dimensions
are matrices, the others a batch. A matrix without an inverse raises SingularError, which is a LinAlgError (also
NumPy's) and a DomainError. docs/linalg.md has methods and errors.
"""
from __future__ import annotations

import fractions
import math
import operator
from typing import NamedTuple

import numpy as np

from . import _core
from ._arguments import whole_array, whole_number
from ._array import Array, _wrap
from ._core import DomainError, LinAlgError, SingularError
from ._dtypes import MOST_COMPONENTS, promote, split
from ._functions import as_array, eye, where
from ._make import array
from ._operators import operands

__all__ = ["EighResult", "LinAlgError", "LstsqResult", "QRResult", "SVDResult", "SingularError",
           "SlogdetResult", "SolveReport", "cholesky", "cond", "det", "eigh", "eigvalsh", "expm", "inv", "lstsq",
           "lu", "lu_factor", "lu_solve", "matrix_power", "matrix_rank", "norm", "pinv", "qr", "slogdet", "solve",
           "solve_triangular", "svd", "svdvals"]


class SolveReport(NamedTuple):
    """How a solution was found. For a batch, each value is the worst of the batch."""

    #: max |b - a x| / (|a| |x| + |b|), in infinity norms, of the scaled system
    relative_residual: float
    #: an estimate of |a|_1 |a^-1|_1, nearly always within a factor of 3 below it
    condition: float
    #: the number of corrections of x
    refinements: int
    #: the number of doubles in the last factorization
    factor_components: int
    #: the number of doubles in the last residual; 0: no refinement
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
    """x minimizes |b - a x|. residuals are |b - a x|^2 of each column, and empty unless m > n = rank. s are the
    singular values of a."""

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
    """Converts both operands to tensors of the smallest type that holds both."""
    if not isinstance(a, Array) and not isinstance(b, Array):
        a = as_array(a)
    both = operands(a, b)
    if both is None:
        raise TypeError(f"{name}: operands of types {type(a).__name__} and {type(b).__name__} cannot be combined")
    common = promote(*(t.dtype for t in both))
    return tuple(t if t.dtype == common else _core.convert(t, common) for t in both)


def solve(a, b, *, report: bool = False):
    """Solves a x = b: b is one vector (n), or matrices (..., n, k) whose leading dimensions broadcast.

    With several components every digit of the largest unknowns is right, unless the matrix is singular to f64x4. A
    factorization in double is refined with residuals of one component more. If double is not enough, it is repeated in
    f64x2, f64x3 and f64x4. With ``report`` it returns the pair (x, SolveReport). Raises SingularError.
    """
    tensors = _of_one_type("solve", a, b)
    if not report:
        return _wrap(_core.solve(*tensors))
    x, values = _core.solve_with_report(*tensors)
    return _wrap(x), SolveReport(*values)


def inv(a, *, report: bool = False):
    """The inverse: ``solve`` with the identity matrix, with its errors. With ``report`` it returns the pair (inverse,
    SolveReport). Raises SingularError."""
    if not report:
        return _wrap(_core.inv(_tensor(a)))
    x, values = _core.inv_with_report(_tensor(a))
    return _wrap(x), SolveReport(*values)


def det(a) -> Array:
    """The determinant. It is 0 if a pivot is 0."""
    return _wrap(_core.det(_tensor(a)))


def slogdet(a) -> SlogdetResult:
    """The sign of the determinant and the logarithm of its magnitude. They are (0, -inf) if a pivot is 0."""
    t = _tensor(a)
    sign, logabsdet = _core.slogdet(t)
    return SlogdetResult(_wrap(_core.convert(sign, t.dtype)), _wrap(logabsdet))


def cholesky(a, /, *, upper: bool = False) -> Array:
    """The lower triangular l with a = l l^T. Only the lower triangle of a is read. With ``upper`` it is the upper
    triangular l^T, from the upper triangle. Raises LinAlgError if a is not positive definite."""
    x = as_array(a)
    if upper:
        return cholesky(x.swapaxes(-1, -2) if x.ndim > 1 else x).swapaxes(-1, -2)
    try:
        return _wrap(_core.cholesky(x._t))
    except DomainError as error:
        raise LinAlgError(str(error)) from None


def lu(a) -> tuple[Array, Array, Array]:
    """(p, l, u) with a = p l u, as ``scipy.linalg.lu``. p is a permutation, and l has ones on its diagonal."""
    t = _tensor(a)
    p, l, u = _core.lu(t)
    return _wrap(_core.convert(p, t.dtype)), _wrap(l), _wrap(u)


def lu_factor(a) -> tuple[Array, np.ndarray]:
    """(lu, piv) for ``lu_solve``, as ``scipy.linalg.lu_factor``. One matrix holds both factors. Row i was exchanged
    with row piv[i]."""
    factors, pivots = _core.lu_factor(_tensor(a))
    return _wrap(factors), pivots


def lu_solve(lu_and_piv, b, trans: int = 0) -> Array:
    """Solves a x = b, or a^T x = b with ``trans`` 1, with the result of lu_factor(a). It does not refine the solution
    as ``solve`` does. Raises SingularError for a zero pivot."""
    factors, pivots = lu_and_piv
    if trans not in (0, 1, 2):
        raise ValueError(f"lu_solve: trans is 0 or 1, not {trans!r}")
    tensors = _of_one_type("lu_solve", factors, b)
    places = whole_array("lu_solve: pivots", pivots)
    return _wrap(_core.lu_solve(tensors[0], places, tensors[1], trans != 0))


def solve_triangular(a, b, trans: int = 0, lower: bool = False, unit_diagonal: bool = False) -> Array:
    """Solves a x = b, or a^T x = b with ``trans`` 1, for a triangular a, as ``scipy.linalg``. The other triangle is not
    read. Raises SingularError for a zero on the diagonal."""
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"solve_triangular: trans is 0 or 1, not {trans!r}")
    tensors = _of_one_type("solve_triangular", a, b)
    return _wrap(_core.solve_triangular(*tensors, bool(lower), trans not in (0, "N"), bool(unit_diagonal)))


def qr(a, mode: str = "reduced"):
    """QRResult(Q, R): Q has orthonormal columns, R is an upper triangle. With mode "complete" Q is square. Mode "r"
    returns R alone."""
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"qr: mode is 'reduced', 'complete' or 'r', not {mode!r}")
    if mode == "r":
        return _wrap(_core.qr_r(_tensor(a)))
    return QRResult(*_wrap_all(_core.qr(_tensor(a), mode == "complete")))


def lstsq(a, b, rcond: float | None = None) -> LstsqResult:
    """The x with the smallest norm among those that minimize |b - a x|, for one matrix a. Singular values below
    ``rcond`` times the largest count as zero. None stands for max(m, n) u^N."""
    tensors = _of_one_type("lstsq", a, b)
    x, residuals, rank = _core.lstsq(*tensors, -1.0 if rcond is None else float(rcond))
    return LstsqResult(_wrap(x), _wrap(residuals), rank, _wrap(_core.svdvals(tensors[0])))


def svd(a, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False):
    """SVDResult(U, S, Vh) with descending singular values. Without ``compute_uv`` it returns these alone. ``hermitian``
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


def _wider(dtype: str) -> str:
    """The type in which results of this type are computed before they are rounded: one component more if it exists."""
    kind, n = split(dtype)
    return f"{kind}x{min(n + 1, MOST_COMPONENTS[kind])}"


def _unit(dtype: str) -> float:
    """u^N, half the distance from 1 to the next number with as many bits."""
    kind, n = split(dtype)
    return 2.0 ** (-n * {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}[kind])


def _full_matrix(name: str, a, UPLO: str) -> Array:
    """The symmetric matrix that one triangle defines."""
    x = _wrap(_lower_triangle(name, a, UPLO))
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise _core.ShapeError(f"{name}: a square matrix is needed, the shape is {x.shape}")
    below = np.tri(x.shape[-1], dtype=bool)
    return where(np.broadcast_to(below, x.shape), x, x.swapaxes(-1, -2))


def eigh(a, UPLO: str = "L", *, b=None) -> EighResult:
    """EighResult(eigenvalues, eigenvectors) of a symmetric matrix. Only one triangle is read.

    With a positive definite matrix ``b``, it solves a v = b v diag(w), v^T b v = 1, as ``scipy.linalg.eigh(a, b)``. The
    same triangle of b is read. It computes in one component more, by the Cholesky factor of b. Relative to the largest
    eigenvalue, errors are about cond(b) u^(N+1) + u^N, and for f64x4 and f32x4 cond(b) u^N. Raises LinAlgError for a b
    that is not positive definite.
    """
    if b is None:
        return EighResult(*_wrap_all(_core.eigh(_lower_triangle("eigh", a, UPLO))))
    first, second = (_wrap(t) for t in _of_one_type("eigh", a, b))
    kind = first.dtype
    wide = _wider(kind)
    factor = cholesky(_full_matrix("eigh", second, UPLO).astype(wide))
    half = solve_triangular(factor, _full_matrix("eigh", first, UPLO).astype(wide), lower=True)
    reduced = solve_triangular(factor, half.swapaxes(-1, -2), lower=True)
    w, y = eigh((reduced + reduced.swapaxes(-1, -2)) / 2)
    return EighResult(w.astype(kind), solve_triangular(factor, y, 1, lower=True).astype(kind))


def eigvalsh(a, UPLO: str = "L", *, b=None) -> Array:
    """The eigenvalues of a symmetric matrix, ascending. With ``b`` they are the eigenvalues of ``eigh``."""
    if b is not None:
        return eigh(a, UPLO, b=b).eigenvalues
    return _wrap(_core.eigvalsh(_lower_triangle("eigvalsh", a, UPLO)))


def _tolerance(name: str, x: Array, s: Array, relative) -> Array:
    """Singular values below this count as zero. It is a part of the largest, by default max(m, n) u^N."""
    part = array(max(x.shape[-2:]) * _unit(x.dtype) if relative is None else relative, x.dtype)
    if np.any(part < 0):
        raise ValueError(f"{name}: the tolerance is negative")
    return s.max(-1) * part


def pinv(a, rcond=None, hermitian: bool = False, *, rtol=None) -> Array:
    """The pseudo-inverse of matrices, from the singular values above ``rcond`` (or ``rtol``) times the largest. None
    stands for max(m, n) u^N. ``hermitian`` changes nothing.

    The error is about 4 (n + 8) cond u^N of the largest element, where cond is the largest singular value divided by
    the smallest that counts. Raises LinAlgError as ``svd``, ShapeError for less than two dimensions."""
    x = as_array(a)
    if x.ndim < 2:
        raise _core.ShapeError(f"pinv: a matrix is needed, the shape is {x.shape}")
    if 0 in x.shape[-2:]:
        return x.swapaxes(-1, -2).copy()
    u, s, vh = svd(x, full_matrices=False)
    least = _tolerance("pinv", x, s, rtol if rcond is None else rcond)
    counts = np.asarray(s > least.reshape([*least.shape, 1]))
    inverse = where(counts, 1 / where(counts, s, 1), 0)
    return vh.swapaxes(-1, -2) @ (inverse.reshape([*inverse.shape, 1]) * u.swapaxes(-1, -2))


def matrix_rank(A, tol=None, hermitian: bool = False, *, rtol=None):
    """The number of singular values above ``tol``, or above ``rtol`` times the largest. None stands for max(m, n) u^N
    times the largest. For less than two dimensions it is 0 if all elements are zero, else 1. ``hermitian`` changes
    nothing. Returns NumPy integers. Raises LinAlgError as ``svd``."""
    x = as_array(A)
    if x.ndim < 2:
        return np.int64(bool(np.any(x != 0)))
    if 0 in x.shape[-2:]:
        return np.zeros(x.shape[:-2], np.int64)[()]
    s = svdvals(x)
    least = _tolerance("matrix_rank", x, s, rtol) if tol is None else array(tol, x.dtype)
    return np.count_nonzero(np.asarray(s > least.reshape([*least.shape, 1])), -1)


# the exponential series: the type in which it is summed, and the highest power
_SERIES = {"f64x1": ("f64x2", 22), "f64x2": ("f64x3", 27), "f64x3": ("f64x4", 33), "f64x4": ("f64x4", 33),
           "f32x1": ("f64x1", 14), "f32x2": ("f64x2", 22), "f32x3": ("f64x2", 22), "f32x4": ("f64x3", 27)}


def expm(a) -> Array:
    """The exponential of square matrices, as ``scipy.linalg.expm``.

    It sums the Taylor series of a / 2^s, whose 1-norm is at most 1/8, and squares the sum s times, in one component
    more than the type (f64x4: in as many). Errors are about u^N + 2^s n u^(N+1) of the largest element of exp(|a|),
    with 2^s from 8 |a| to 16 |a|; for f64x4 they are 2^s n u^N. A matrix without negative elements loses nothing. If
    exp(a) is far below exp(|a|), as for -50 times a random matrix, the quotient of both is lost. Raises ShapeError for
    a matrix that is not square, DomainError for NaN, infinities and an exponential beyond the range, TypeError for f16
    and bf16."""
    x = as_array(a)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise _core.ShapeError(f"expm: a square matrix is needed, the shape is {x.shape}")
    if x.dtype not in _SERIES:
        raise TypeError(f"expm: matrices of {x.dtype}, f64x1 to f64x4 and f32x1 to f32x4 are taken")
    if x.size == 0:
        return x.copy()
    size = float(abs(x).sum(-2).max())
    if not math.isfinite(size):
        raise DomainError("expm: the matrix has an element that is NaN or infinite")
    wide, degree = _SERIES[x.dtype]
    doublings = max(0, math.frexp(size)[1] + 3)
    scaled = x.astype(wide) * 2.0**-min(doublings, 1000) * 2.0**-max(doublings - 1000, 0)
    unit = eye(x.shape[-1], wide)
    factors = [array(fractions.Fraction(1, math.factorial(k)), wide) for k in range(degree + 1)]
    # Paterson and Stockmeyer 1973: polynomials of degree 5 in a are the coefficients of a polynomial in a^6
    powers = [unit + scaled * 0, scaled]
    while len(powers) < 7:
        powers.append(powers[-1] @ scaled)
    result = None
    for start in range(degree // 6 * 6, -1, -6):
        block = sum((powers[k] * factors[start + k] for k in range(1, 6) if start + k <= degree),
                    powers[0] * factors[start])
        result = block if result is None else result @ powers[6] + block
    for _ in range(doublings):
        result = result @ result
    result = result.astype(x.dtype)
    if not np.isfinite(result.planes[0]).all():
        raise DomainError(f"expm: the exponential of a matrix with the 1-norm {size:.3g} is beyond the range")
    return result


def matrix_power(a, n: int) -> Array:
    """a^n by squaring. For n < 0 it is a power of the inverse."""
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
    """The norm of a vector or matrix, or of the vectors or matrices along ``axis``, as ``numpy.linalg.norm``.

    For vectors ``ord`` is 1, 2 or inf, for matrices "fro", "nuc", 1, 2 or inf. Without it, the norm is the root of the
    sum of squares, over all elements if no axis is named.
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
        raise ValueError(f"norm: axes {axes} are not two different axes of an array of {x.ndim} dimensions")
    rest = [i for i in range(x.ndim) if i not in places]
    result = _wrap(_core.matrix_norm(x.transpose(rest + places)._t, order))
    return result.reshape([1 if i in places else n for i, n in enumerate(x.shape)]) if keepdims else result


def cond(x, p=None) -> Array:
    """The condition number |x| |x^-1|. For None and 2 it is the largest singular value divided by the smallest. It is
    infinite for a singular matrix."""
    return _wrap(_core.cond(_tensor(x), "2" if p is None else _order("cond", p)))
