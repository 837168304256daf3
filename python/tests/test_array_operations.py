"""Operators and NumPy's functions: the library's results, NumPy's shapes."""
import decimal
import fractions
import operator

import numpy as np
import pytest

import mctensor as mct
from mctensor import _core
from conftest import exact, unit

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize("op", OPERATORS)
def test_operators_against_fractions(op, long_dtype):
    x, y = mct.randn((40,), 1, long_dtype), mct.randn((40,), 2, long_dtype)
    for got, a, b in zip(exact(op(x, y)), exact(x), exact(y)):
        assert abs(got - op(a, b)) <= 20 * unit(long_dtype) * (abs(a) + abs(b)) * (1 + abs(1 / b))


def nearly_equal(x, y):
    """But for roundings: beside a plain number the library has shorter algorithms."""
    return x.dtype == y.dtype and np.allclose(x, y, rtol=1e-30, atol=1e-30)


@pytest.mark.parametrize("op", OPERATORS)
def test_operands_of_every_kind(op):
    x = mct.randn((3, 4), 1)
    for other in (2, 0.1, 10**25, fractions.Fraction(1, 3), np.float64(0.1), np.int32(7), np.array(3)):
        assert nearly_equal(op(x, other), op(x, mct.array(other)))
        assert nearly_equal(op(other, x), op(mct.array(other), x))
    for other in (np.arange(1.0, 5), np.arange(1, 5), np.arange(1, 5, dtype=np.float32), [1, 2, 3, 4]):
        assert nearly_equal(op(x, other), op(x, mct.array(other)))
        assert nearly_equal(op(other, x), op(mct.array(other), x))
    with pytest.raises(TypeError):
        op(x, "1")
    with pytest.raises(TypeError):
        op(None, x)


def test_types_of_results():
    assert (mct.ones(2, "f32x2") + 0.1).dtype == "f32x2"
    assert (mct.ones(2, "f32x2") + np.ones(2)).dtype == "f64x2"
    assert (mct.ones(2, "f64x2") + mct.ones(2, "f64x3")).dtype == "f64x3"
    assert (mct.ones(2, "bf16x2") + mct.ones(2, "f16x1")).dtype == "f32x2"
    assert (mct.ones(2, "f64x3") * mct.ones(2, "f64x1")).dtype == "f64x3"
    assert (mct.ones((2, 2), "f64x3") @ np.eye(2)).dtype == "f64x3"
    assert (mct.ones((2, 2), "f64x3") @ mct.eye(2)).dtype == "f64x3"


def test_broadcasting():
    x, y = mct.randn((3, 1, 4), 1), mct.randn((5, 1), 2)
    assert (x + y).shape == (3, 5, 4)
    assert (x + y)[1, 2, 3] == x[1, 0, 3] + y[2, 0]
    with pytest.raises(ValueError, match=r"\(3,\) and \(2,\)"):
        mct.ones(3) + mct.ones(2)


def test_in_place():
    x = mct.randn((3, 4), 1)
    before, view = x.copy(), x[1:]
    x += 1
    x *= np.arange(1.0, 5)
    x -= x
    assert np.all(x == 0) and np.all(view == 0) and not np.any(before == 0)
    x /= 2
    y = mct.ones(2, "f64x1")
    with pytest.raises(TypeError, match="f64x1 cannot hold"):
        y += mct.ones(2, "f64x2")
    z = mct.ones(2, "f64x2")
    z += mct.ones(2, "f32x1")
    assert z.tolist() == [2, 2]
    with pytest.raises(ValueError):
        y += mct.ones((2, 2), "f64x1")


UFUNCS = {ufunc: name for name, ufuncs in _core.ufuncs.items() if name in _core.unary_numbers
          for ufunc in ufuncs.split()}


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_are_the_librarys(name, dtype):
    x = mct.rand((30,), 1, dtype) / 2 + (1.25 if name == "arccosh" else 0.25)
    result = getattr(np, name)(x)
    assert result.dtype == dtype
    assert mct.array_equal(result, getattr(mct, UFUNCS[name])(x))
    plain = getattr(np, name)(x.to_fraction().astype(np.float64))
    bits = {"f64": 1e-15, "f32": 1e-6, "f16": 4e-3, "bf16": 2e-2}[dtype.split("x")[0]]
    assert np.allclose(result.to_fraction().astype(np.float64), plain, rtol=bits, atol=bits)


def test_exp_keeps_all_digits():
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(80):
        for x in (mct.array("0.1", "f64x4"), mct.array("0.1", "f64x2")):
            truth = mpmath.exp(x.to_mpmath()[()])
            error = abs(np.exp(x).to_mpmath()[()] - truth) / truth
            assert error <= 1.5 * float(unit(x.dtype))


def test_comparisons_are_exact():
    tenth = mct.array("0.1")
    assert tenth != 0.1 and not tenth == 0.1 and (tenth < 0.1) == (0.1 > tenth)
    one = mct.ones(3, "f32x1")
    below = fractions.Fraction(2**60 - 1, 2**60)
    assert np.all(one > below) and np.all(below < one) and not np.any(one == below)
    assert np.all(one != below) and not np.any(one <= below) and np.all(one >= below)
    assert np.all(one < 1 + 1e-12) and not np.any(one >= 1 + 1e-12)
    assert np.all(one < 10**60) and np.all(-(10**60) < one) and np.all(one != 10**60)
    assert np.all(mct.full(2, 2**70, "f64x2") < 2**70 + 1)
    assert np.all(mct.full(2, 2**70 + 1, "f64x1") < 2**70 + 1)
    for number in (fractions.Fraction(10**400), fractions.Fraction(1, 10**400)):
        assert np.all((one < number) == (number > 1)) and np.all(-number < one)
        assert np.all(mct.zeros(2, "f32x1") < number) and np.all(mct.zeros(2, "f32x1") > -number)
    x = mct.array([1, np.nan, 3])
    assert (x == [1, 2, 3]).tolist() == [True, False, True]
    assert (x != np.array([1, 2, 3])).tolist() == [False, True, False]
    assert (x == None) is False or not np.any(x == None)  # noqa: E711
    assert (np.array([0.0, 5.0, 3.0]) <= x).tolist() == [True, False, True]


def test_comparisons_with_numbers_far_below_the_range():
    # as fractions they would have billions of digits
    one, zero = mct.array(1), mct.array(0)
    for text in ("1E-9999999", "-1E-9999999"):
        number = decimal.Decimal(text)
        assert one > number and (zero < number) == (number > 0) and zero != number
        assert (number <= zero) == (number < 0)
    mpmath = pytest.importorskip("mpmath")
    assert one > mpmath.mpf("1e-100000000000") and zero < mpmath.mpf("1e-100000000000")


def test_equal_arrays():
    x, tenth = mct.array([1, 2]), mct.array(["0.1"], "f64x4")
    for same in ([1, 2], (1.0, 2.0), np.array([1, 2]), np.array(["1", "2"]), x.astype("f64x4")):
        assert mct.array_equal(x, same) and mct.array_equal(same, x) and np.array_equal(same, x)
    for other in ([5, 6], [1, 2, 3], None, "abc", [1, [2]], object(), np.array([1, 2j]), np.array("abc"), 1):
        assert not mct.array_equal(x, other) and not mct.array_equal(other, x)
        assert not mct.array_equal(mct.array(7), other)
    assert mct.array_equal(["0.1"], tenth) and mct.array_equal(tenth, ["0.1"])
    assert mct.array_equal(mct.array("0.1"), "0.1") and not mct.array_equal(mct.array("0.1", "f32x1"), 0.1)
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    assert mct.array_equal(x, torch.tensor([1, 2])) and not mct.array_equal(x, torch.tensor([5, 6]))


def test_digits_are_kept_beside_texts_and_lists():
    one, tenth = mct.ones(1, "f64x4"), mct.array(["0.1"], "f64x4")
    for result in (mct.concatenate([one, ["0.1"]])[1:], mct.stack([["0.1"], one])[0], np.hstack([one, ["0.1"]])[1:],
                   np.vstack([one, ["0.1"]])[1], mct.dot(["0.1"], one), np.dot(one, ["0.1"]), np.vdot(["0.1"], one),
                   np.outer(["0.1"], one)[0], np.add.outer(["0.1"], one - 1)[0], mct.matmul([["0.1"]], one)):
        assert result.dtype == "f64x4" and mct.array_equal(result.reshape(1), tenth)
    assert np.isclose(["0.1"], tenth, 0, 0) and np.allclose(a=tenth, b=["0.1"], rtol=0, atol=0)
    two = mct.ones(2, "f32x2")
    assert mct.concatenate([two, [0.5]]).dtype == mct.stack([two, np.ones(2, np.float32)]).dtype == "f32x2"
    assert mct.matmul(np.full((1, 2), 0.1), two).dtype == mct.matmul(two, np.full((2, 1), 0.1)).dtype == "f64x2"


def test_reductions(long_dtype):
    x = mct.randn((3, 4, 5), 1, long_dtype)
    values = exact(x)
    for axis in (None, 0, -1, (0, 2)):
        for keep in (False, True):
            total = x.sum(axis, keep)
            truth = values.sum(axis=axis, keepdims=keep)
            assert total.shape == np.shape(truth)
            size = np.abs(values).sum(axis=axis, keepdims=keep)
            assert np.all(np.abs(exact(total) - truth) <= 400 * unit(long_dtype) * size)
            assert mct.array_equal(np.sum(x, axis=axis, keepdims=keep), total)
            assert np.array_equal(exact(x.max(axis, keep)), values.max(axis=axis, keepdims=keep))
            assert np.array_equal(exact(np.min(x, axis)), values.min(axis=axis))
    assert np.array_equal(x.argmax(1), values.argmax(axis=1)) and x.argmin() == values.argmin()
    assert np.add.reduce(x).shape == (4, 5) and np.mean(x, axis=1).shape == (3, 5)
    with pytest.raises(ValueError):
        x.sum(3)
    with pytest.raises(ValueError):
        mct.zeros((0,)).max()


def test_norms():
    x = mct.array([[3, 4], [6, 8]])
    assert np.linalg.norm(x[0]) == 5 and np.linalg.norm(x, axis=1).tolist() == [5, 10]
    assert mct.array(-3).norm() == np.linalg.norm(mct.array(-3)) == 3
    assert np.linalg.norm(-x, axis=()).tolist() == x.tolist() and (-x).sum(()).tolist() == (-x).tolist()
    assert x.norm(1) == 21 and np.linalg.norm(x.ravel(), np.inf) == 8
    for x in (x, mct.array(1)):
        with pytest.raises(ValueError):
            x.norm(3)


def test_products():
    a, b = mct.randn((3, 4), 1), mct.randn((4, 5), 2)
    truth = exact(a).dot(exact(b))
    assert np.max(np.abs(exact(a @ b) - truth)) < 1e-30
    for c in (np.matmul(a, b), np.dot(a, b), a.dot(b), mct.matmul(a, b)):
        assert mct.array_equal(c, a @ b)
    assert nearly_equal((b.T @ a.T).T, a @ b)
    assert (a[0] @ b[:, 0]).shape == () and (mct.randn((2, 3, 4), 3) @ b).shape == (2, 3, 5)
    assert np.max(np.abs(exact(a.to_numpy() @ b) - exact(a.to_numpy()).dot(exact(b)))) < 1e-30
    assert mct.array_equal(np.outer(a[0], a[1]), a[0].reshape(4, 1) * a[1])
    for shapes in (((2, 3), (4, 3, 5)), ((3,), (4, 3, 5)), ((4, 5, 3), (2, 3, 2)), ((2, 4, 3), (3,)),
                   ((), (2, 2, 3))):
        x, y = (np.arange(np.prod(shape)).reshape(shape) for shape in shapes)
        for result in (np.dot(mct.array(x), y), mct.array(x).dot(mct.array(y))):
            assert np.array_equal(result.to_numpy(), np.dot(x, y))
    with pytest.raises(ValueError, match=r"\(3, 4\)"):
        a @ a
    with pytest.raises(ValueError):
        a @ 3


def test_normwise_products():
    # plain doubles: the exact sum, rounded, where sums in double have lost digits
    for dtype, bound in (("f64x1", 2e-16), ("f64x2", 1e-30), ("f64x3", 1e-46)):
        a, b = mct.randn((5, 300), 1, dtype), mct.randn((300, 4), 2, dtype)
        truth = exact(a).dot(exact(b))
        c = mct.matmul(a, b, accuracy="normwise")
        assert c.dtype == dtype and np.max(np.abs(exact(c) - truth) / np.abs(truth)) < bound
    assert mct.matmul(mct.randn((2, 3), 1), np.ones((3, 1)), accuracy="normwise").shape == (2, 1)
    with pytest.raises(ValueError, match="'exact'"):
        mct.matmul(a, b, accuracy="exact")
    with pytest.raises(TypeError):
        mct.matmul(a, "b")


def test_functions_of_several_arrays():
    x, y, z = (mct.randn((4,), i) for i in range(3))
    assert mct.array_equal(mct.mul_add(x, y, z), x * y + z)
    assert mct.array_equal(np.where([True, False, True, False], x, y),
                           mct.concatenate([x[:1], y[1:2], x[2:3], y[3:]]))
    assert mct.array_equal(np.clip(x, -0.5, 0.5), np.minimum(np.maximum(x, -0.5), 0.5))
    assert mct.array_equal(np.clip(x, None, 0), np.minimum(x, 0))
    assert np.hypot(mct.array(3), 4) == 5 and nearly_equal(np.power(x * x, y), np.exp(np.log(x * x) * y))
    assert mct.array_equal(x**2, x * x) and mct.array_equal((x * x) ** 0.5, np.sqrt(x * x))
    assert mct.array_equal(x**-1, 1 / x) and nearly_equal(2 ** mct.array([1, 2]), mct.array([2, 4]))
    assert mct.array_equal(np.concatenate([x, y.astype("f64x3")]).astype("f64x2"), np.hstack([x, y]))
    assert np.stack([x, y], axis=1).shape == (4, 2) and np.vstack([x, y]).shape == (2, 4)
    with pytest.raises(ValueError):
        mct.concatenate([])
    with pytest.raises(TypeError):
        mct.where([1, 0], x, y)


def test_ufunc_arguments():
    x = mct.randn((4,), 1)
    out = mct.zeros(4)
    assert np.exp(x, out=out) is out and mct.array_equal(out, np.exp(x))
    with pytest.raises(TypeError, match="lose digits"):
        np.exp(x, out=np.zeros(4))
    values = np.zeros(4)
    with pytest.raises(TypeError, match="lose digits"):
        values += x
    for call in (lambda: np.hypot.reduce(x), lambda: np.linalg.eig(x), lambda: np.fft.fft(x)):
        with pytest.raises(TypeError, match="not one of"):
            call()
    with pytest.raises(TypeError, match=r"numpy.sum\(\).*dtype"):
        np.sum(x, dtype=float)
    with pytest.raises(TypeError, match=r"numpy.sum\(\)"):
        np.sum(x, 0, float)
    with pytest.raises(TypeError, match="where needs"):
        np.exp(x, where=np.array([True, False, True, True]))
    assert mct.array_equal(np.reciprocal(x), 1 / x) and mct.array_equal(np.sign(x) * abs(x), x)
    assert np.isfinite(x).all() and not np.isnan(x).any() and np.any(x) and np.count_nonzero(x) == 4
    assert np.allclose(x, x + 1e-12) and not np.allclose(x, x + 1)


def square(n, dtype="f64x2"):
    """Of numbers with all digits of their type, which random ones would take far longer to have."""
    return mct.randn((n, n), 1, "f64x1").astype(dtype) / 3


def test_kernels_release_the_interpreter():
    import threading
    import time

    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    a = square(500, "f64x4")
    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    a @ a
    end = time.perf_counter()
    stop.set()
    thread.join()
    during = [t for t in ticks if begin < t < end]
    assert end - begin < 0.02 or len(during) > 3


def test_concurrent_calls_give_the_same_bits():
    from concurrent.futures import ThreadPoolExecutor

    x = square(200)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: np.exp(x) @ x, range(8)))
    assert all(mct.array_equal(results[0], result) for result in results)


def test_fork_after_import():
    import os

    x = square(300)
    expected = x @ x
    child = os.fork()
    if child == 0:
        os._exit(0 if mct.array_equal(x @ x, expected) else 1)
    assert os.waitpid(child, 0)[1] == 0
