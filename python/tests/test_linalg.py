"""mctensor.linalg: NumPy's contracts on small matrices, digits against mpmath."""
import numpy as np
import pytest

import mctensor as mct
from conftest import unit
from mctensor import linalg

mpmath = pytest.importorskip("mpmath")
TYPES = ["f64x1", "f64x2", "f64x3", "f64x4", "f32x1", "f32x2", "f32x3", "f32x4"]


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(120):
        yield


@pytest.fixture(params=TYPES)
def kind(request):
    """Every type that has decompositions."""
    return request.param


def mp(x):
    return mpmath.matrix(x.to_mpmath().tolist())


def error(x, truth):
    """Against a matrix, vector or number of mpmath, relative to the largest element."""
    got, want = np.ravel(x.to_mpmath()), np.ravel(np.array(truth.tolist() if hasattr(truth, "tolist") else truth))
    return max(abs(g - w) for g, w in zip(got, want, strict=True)) / max(abs(w) for w in want)


def small(dtype, factor=200):
    return mpmath.mpf(factor) * mpmath.mpf(unit(dtype).numerator) / unit(dtype).denominator


def hilbert(n, dtype="f64x2"):
    return 1 / mct.array(np.add.outer(np.arange(1, n + 1), np.arange(n)), dtype)


def test_values_against_mpmath(kind):
    a, b = mct.randn((5, 5), 1, kind), mct.randn((5, 2), 2, kind)
    symmetric = a + a.T
    positive = a @ a.T + mct.eye(5, kind)
    exact = mp(a)
    assert error(linalg.solve(a, b), exact**-1 * mp(b)) < small(kind)
    assert error(linalg.solve(a, b[:, 0]), exact**-1 * mp(b[:, :1])) < small(kind)
    assert error(linalg.inv(a), exact**-1) < small(kind)
    assert error(linalg.det(a), mpmath.det(exact)) < small(kind)
    sign, logabsdet = linalg.slogdet(a)
    assert sign.dtype == kind and float(sign) == mpmath.sign(mpmath.det(exact))
    assert error(logabsdet, mpmath.log(abs(mpmath.det(exact)))) < small(kind)
    assert error(linalg.cholesky(positive), mpmath.cholesky(mp(positive))) < small(kind)
    s = mpmath.svd_r(exact, compute_uv=False)
    assert error(linalg.svdvals(a), s) < small(kind)
    assert error(linalg.cond(a), s[0] / s[4]) < small(kind, 2000)
    assert error(linalg.norm(a, 2), s[0]) < small(kind) and error(linalg.norm(a, "nuc"), sum(s)) < small(kind)
    w, v = linalg.eigh(symmetric)
    assert error(w, mpmath.eigsy(mp(symmetric), eigvals_only=True)) < small(kind)
    assert error(mct.array(symmetric, kind) @ v, mp(v) * mpmath.diag(w.to_mpmath().tolist())) < small(kind)
    q, r = linalg.qr(a[:, :3])
    assert error(q @ r, mp(a[:, :3])) < small(kind) and error(q.T @ q, mpmath.eye(3)) < small(kind)
    x = linalg.lstsq(a[:, :3], b)
    normal = mp(a[:, :3]).T
    assert error(x.x, (normal * normal.T)**-1 * (normal * mp(b))) < small(kind)
    assert x.rank == 3 and error(x.s, mpmath.svd_r(normal.T, compute_uv=False)) < small(kind)
    assert error(linalg.matrix_power(a, -2), exact**-2) < small(kind, 2000)


def test_shapes_and_orders_are_those_of_numpy():
    a, b = mct.randn((2, 3, 4, 4), 1), mct.randn((3, 4, 2), 2)
    x, y = a.to_numpy(), b.to_numpy()
    wide = mct.randn((2, 3, 5), 3)

    def alike(got, want):
        for g, w in zip(got, want, strict=True):
            assert np.shape(g) == np.shape(w) and np.allclose(np.abs(np.asarray(g, np.float64)), np.abs(w))

    for f in (np.linalg.det, np.linalg.inv, np.linalg.cond, np.linalg.slogdet, np.linalg.norm):
        alike([f(a)] if f is not np.linalg.slogdet else f(a), [f(x)] if f is not np.linalg.slogdet else f(x))
    # NumPy 1 reads a b of one dimension less as vectors
    alike([np.linalg.solve(a, b)], [np.linalg.solve(x, np.broadcast_to(y, (2, 3, 4, 2)))])
    alike(np.linalg.eigh(a), np.linalg.eigh(x))
    alike(np.linalg.eigh(a, "U"), np.linalg.eigh(x, "U"))
    alike([linalg.eigvalsh(a, "U")], [np.linalg.eigvalsh(x, "U")])
    for full in (True, False):
        alike(np.linalg.svd(wide, full), np.linalg.svd(wide.to_numpy(), full)[:2]
              + (linalg.svd(wide, full).Vh.to_numpy(),))
        assert linalg.svd(wide, full).Vh.shape == np.linalg.svd(wide.to_numpy(), full)[2].shape
    alike([np.linalg.svd(wide, compute_uv=False)], [np.linalg.svd(wide.to_numpy(), compute_uv=False)])
    for mode in ("reduced", "complete"):
        q, r = linalg.qr(wide.swapaxes(1, 2), mode)
        assert q.shape == {"reduced": (2, 5, 3), "complete": (2, 5, 5)}[mode] and np.allclose(
            q @ r, wide.swapaxes(1, 2), 1e-29, 1e-29)
    assert mct.array_equal(linalg.qr(wide, "r"), linalg.qr(wide).R)
    for order in (1, 2, np.inf, "fro", "nuc", None):
        alike([np.linalg.cond(a, order)], [np.linalg.cond(x, order)])
        for axis in ((0, 1), (3, 1), (-1, -2)):
            for keep in (False, True):
                alike([np.linalg.norm(a, order, axis, keep)], [np.linalg.norm(x, order, axis, keep)])
    alike([np.linalg.norm(a, 1, 2, True)], [np.linalg.norm(x, 1, 2, True)])
    alike(np.linalg.lstsq(a[0, 0, :, :2], b[0], rcond=None), np.linalg.lstsq(x[0, 0, :, :2], y[0], rcond=None))
    alike([np.linalg.matrix_power(a, 3)], [np.linalg.matrix_power(x, 3)])
    positive = a @ a.swapaxes(-1, -2)
    alike([linalg.cholesky(positive), linalg.cholesky(positive, upper=True)],
          [np.linalg.cholesky(positive.to_numpy()), np.linalg.cholesky(positive.to_numpy()).swapaxes(-1, -2)])


def test_triangles_and_factors():
    a, b = mct.randn((4, 4), 1), mct.randn((4,), 2)
    p, l, u = linalg.lu(a)
    assert p.dtype == l.dtype == "f64x2" and np.allclose(p @ l @ u, a, 1e-30, 1e-30)
    factors = linalg.lu_factor(a)
    assert factors[1].dtype == np.int64
    assert np.allclose(a @ linalg.lu_solve(factors, b), b, 1e-28, 1e-28)
    assert np.allclose(a.T @ linalg.lu_solve(factors, b, 1), b, 1e-28, 1e-28)
    unit_lower = np.tril(a, -1) + mct.eye(4)
    x = linalg.solve_triangular(a, b, lower=True, unit_diagonal=True)
    assert np.allclose(unit_lower @ x, b, 1e-28, 1e-28)
    for lower in (False, True):
        triangle = np.tril(a) if lower else np.triu(a)
        assert np.allclose(triangle @ linalg.solve_triangular(a, b, 0, lower), b, 1e-28, 1e-28)
        assert np.allclose(triangle.T @ linalg.solve_triangular(a, b, "T", lower), b, 1e-28, 1e-28)


def test_ill_conditioned_matrices_and_their_report():
    a = hilbert(12)
    x = mct.array(np.arange(1.0, 13), "f64x2")
    with mpmath.workdps(120):
        truth = mp(a)**-1 * mp((a @ x).reshape(12, 1))
    got, report = linalg.solve(a, a @ x, report=True)
    assert error(got, truth) < small("f64x2", 4)
    assert 1e15 < report.condition < 1e18 and report.factor_components == 2
    assert report.relative_residual < 1e-31 and report.refinements >= 1 and report.residual_components >= 3
    assert linalg.inv(mct.eye(3), report=True)[1].condition == 1


def test_operands_of_other_kinds():
    numbers = np.array([[2.0, 1], [1, 3]])
    x = linalg.solve(numbers, [1, 2])
    assert x.dtype == "f64x2" and error(x, mpmath.matrix([mpmath.mpf(1) / 5, mpmath.mpf(3) / 5])) < small("f64x2", 4)
    assert linalg.solve(mct.array(numbers, "f64x3"), np.ones(2)).dtype == "f64x3"
    assert linalg.solve(mct.array(numbers, "f32x2"), mct.ones(2, "f64x1")).dtype == "f64x2"
    for half in ("f16x1", "bf16x2"):
        with pytest.raises(TypeError, match=half):
            linalg.inv(mct.eye(2, half))
    with pytest.raises(TypeError):
        linalg.solve(numbers, None)


def test_pseudo_inverses(kind):
    a = mct.randn((6, 4), 1, kind)
    truth = (mp(a).T * mp(a))**-1 * mp(a).T
    assert error(linalg.pinv(a), truth) < small(kind) and error(np.linalg.pinv(a.T), truth.T) < small(kind)
    # of rank 2: a = b c has the pseudo-inverse c+ b+
    b, c = mct.randn((5, 2), 2, kind), mct.randn((2, 3), 3, kind)
    b, c = (mct.array(np.round(x * 8), kind) for x in (b, c))  # so that the product is exact
    low, rank = b @ c, linalg.matrix_rank(b @ c)
    assert rank == 2
    truth = mp(c).T * (mp(c) * mp(c).T)**-1 * (mp(b).T * mp(b))**-1 * mp(b).T
    assert error(linalg.pinv(low), truth) < small(kind, 2000)
    assert linalg.pinv(low, 0.9).shape == (3, 5) and linalg.matrix_rank(linalg.pinv(low, 0.9)) == 1


def test_pseudo_inverses_and_ranks_of_batches():
    a = mct.randn((2, 3, 4, 3), 1)
    inverse = linalg.pinv(a)
    assert inverse.shape == (2, 3, 3, 4) and np.allclose(inverse @ a, mct.eye(3), 1e-28, 1e-28)
    assert np.array_equal(np.linalg.matrix_rank(a), np.full((2, 3), 3)) and linalg.matrix_rank(mct.zeros((2, 2))) == 0
    a[0, 0, :, 1] = a[0, 0, :, 0]
    assert linalg.matrix_rank(a)[0, 0] == 2 and linalg.matrix_rank(a, 1e9).sum() == 0
    assert linalg.matrix_rank(mct.ones(3)) == 1 and linalg.matrix_rank(mct.array(0)) == 0
    assert linalg.matrix_rank(a[0, 0], rtol="1e-40") <= 3 and linalg.pinv(mct.zeros((2, 0))).shape == (0, 2)
    assert mct.array_equal(linalg.pinv(mct.zeros((2, 3))), mct.zeros((3, 2)))
    # a column that differs in the 70th bit: of full rank in f64x2, not in double
    near = mct.array([[1, 1], [1, 1]])
    near[1, 1] += 2.0**-70
    assert linalg.matrix_rank(near) == 2 and linalg.matrix_rank(near.astype("f64x1")) == 1
    with pytest.raises(mct.ShapeError):
        linalg.pinv(mct.ones(3))
    with pytest.raises(ValueError, match="negative"):
        linalg.pinv(near, -1)


def test_generalized_eigenvalues(kind):
    a, half = mct.randn((5, 5), 1, kind), mct.randn((5, 5), 2, kind)
    a, b = a + a.T, half @ half.T + mct.eye(5, kind)
    w, v = linalg.eigh(a, b=b)
    assert w.dtype == v.dtype == kind
    root = mpmath.cholesky((mp(b) + mp(b).T) / 2)**-1
    truth = mpmath.eigsy(root * (mp(a) + mp(a).T) / 2 * root.T, eigvals_only=True)
    assert error(w, truth) < small(kind) and error(linalg.eigvalsh(a, b=b), truth) < small(kind)
    values = mpmath.diag(w.to_mpmath().tolist())
    assert error(mct.array(a @ v, kind), mp(b) * mp(v) * values) < small(kind)
    assert error(v.T @ (b @ v), mpmath.eye(5)) < small(kind)


def test_generalized_eigenvalues_read_one_triangle():
    a, half = mct.randn((2, 4, 4), 1), mct.randn((4, 4), 2)
    b = half @ half.T + mct.eye(4)
    a = a + a.mT
    whole = linalg.eigh(a[0], b=b).eigenvalues
    junk = np.triu(mct.randn((4, 4), 9), 1)
    assert np.allclose(linalg.eigh(a[0] + junk, b=b + junk).eigenvalues, whole, 1e-28, 1e-28)
    assert np.allclose(linalg.eigh(a[0] + junk.T, "U", b=b + junk.T).eigenvalues, whole, 1e-28, 1e-28)
    assert np.allclose(linalg.eigh(a, b=b).eigenvalues[0], whole, 1e-28, 1e-28)
    # an ill-conditioned b: a component more keeps the digits
    b = hilbert(8)
    with mpmath.workdps(120):
        root = mpmath.cholesky(mp(b))**-1
        truth = mpmath.eigsy(root * root.T, eigvals_only=True)
    assert error(linalg.eigh(mct.eye(8), b=b).eigenvalues, truth) < small("f64x2")
    with pytest.raises(np.linalg.LinAlgError, match="positive"):
        linalg.eigh(a[0], b=-b[:4, :4])
    with pytest.raises(mct.ShapeError):
        linalg.eigh(a[0], b=mct.ones(4))


def test_exponentials(kind):
    for scale in (0, 1e-3, 1, 5):
        a = mct.randn((4, 4), 1, kind) * scale
        with mpmath.workdps(200):
            truth = mpmath.expm(mp(a), method="taylor")
            size = mpmath.expm(mp(abs(a)), method="taylor")
            scale_of_error = max(abs(e) for e in size) / max(abs(e) for e in truth)
        assert error(linalg.expm(a), truth) < small(kind, 4 if not kind.endswith("x4") else 2000) * scale_of_error


def test_exponentials_of_known_matrices():
    nilpotent = mct.array([[0, 6, 0], [0, 0, 3], [0, 0, 0]])
    assert linalg.expm(nilpotent).tolist() == [[1, 6, 9], [0, 1, 3], [0, 0, 1]]
    shear = mct.array([[0, 2**40], [0, 0]])
    assert error(linalg.expm(shear), mpmath.matrix([[1, 2**40], [0, 1]])) < small("f64x2")
    batch = mct.randn((2, 3, 3, 3), 1)
    assert np.allclose(linalg.expm(batch)[1, 2], linalg.expm(batch[1, 2]), 1e-30, 1e-30)
    assert np.allclose(linalg.expm(batch) @ linalg.expm(-batch), mct.eye(3), 1e-27, 1e-27)
    assert linalg.expm(mct.zeros((0, 0))).shape == (0, 0) and linalg.expm(np.zeros((2, 2))).tolist() == [[1, 0], [0, 1]]
    assert float(linalg.expm(mct.array([[-2000]]))[0, 0]) == 0
    for bad in ([[np.nan]], [[np.inf]], [[1000]]):
        with pytest.raises(mct.DomainError, match="expm"):
            linalg.expm(mct.array(bad))
    with pytest.raises(mct.ShapeError):
        linalg.expm(mct.ones((2, 3)))
    with pytest.raises(TypeError, match="f16x1"):
        linalg.expm(mct.eye(2, "f16x1"))


def test_errors():
    singular = mct.array([[1, 2], [2, 4]])
    for f in (linalg.inv, np.linalg.inv, lambda a: linalg.solve(a, mct.ones(2)),
              lambda a: linalg.lu_solve(linalg.lu_factor(a), mct.ones(2))):
        with pytest.raises(np.linalg.LinAlgError, match=r"\(2, 2\)"):
            f(singular)
        for kind in (mct.SingularError, mct.LinAlgError, mct.DomainError, ValueError):
            with pytest.raises(kind):
                f(singular)
    assert float(linalg.det(singular)) == 0 and float(linalg.cond(singular)) > 1e30
    assert float(linalg.slogdet(mct.zeros((2, 2))).logabsdet) == -np.inf
    with pytest.raises(np.linalg.LinAlgError, match="positive"):
        np.linalg.cholesky(-mct.eye(2))
    for f in (linalg.inv, linalg.eigh, linalg.svd):
        with pytest.raises(mct.DomainError, match="NaN or infinite"):
            f(mct.array([[np.nan, 0], [0, 1]]))
        with pytest.raises(mct.ShapeError):
            f(mct.ones(2))
    factors, pivots = linalg.lu_factor(mct.eye(2))
    for bad in (pivots - 1, pivots + 1):
        with pytest.raises(mct.DomainError, match="pivot -1|pivot 2"):
            linalg.lu_solve((factors, bad), [1, 2])
    with pytest.raises(mct.ShapeError, match=r"pivots of shape \(1,\) for factors of shape \(3, 3\)"):
        linalg.lu_solve((np.eye(3), [1]), [1, 2, 3])
    for bad in ([0.0, 1.0], [False, True], ["0", "1"]):
        with pytest.raises(TypeError, match="pivots: whole numbers are taken"):
            linalg.lu_solve((factors, bad), [1, 2])
    with pytest.raises(mct.ShapeError, match=r"\(3,\)"):
        linalg.solve(mct.eye(2), mct.ones(3))
    for call in (lambda: linalg.qr(singular, "raw"), lambda: linalg.norm(singular, 3),
                 lambda: linalg.norm(singular, 2, (0, 0)), lambda: linalg.norm(singular, 1, (0, 2)),
                 lambda: linalg.norm(mct.ones((2, 2, 2)), 1), lambda: linalg.cond(singular, -2),
                 lambda: linalg.eigh(singular, "X"), lambda: linalg.solve_triangular(singular, [1, 2], 3),
                 lambda: linalg.lu_solve(linalg.lu_factor(singular), [1, 2], "T")):
        with pytest.raises(ValueError):
            call()
