"""NumPy's functions of order, sums, rounding and products along names: against fractions, on ties, NaN and zeros."""
import fractions
import itertools
import math
import operator

import numpy as np
import pytest

import mctensor as mct
from conftest import exact, unit

TIES = fractions.Fraction(1, 2**53)  # 1 + this is (1, 2^-53) and (1 + 2^-52, -2^-53)


def bits(x):
    """What tells arrays apart: values, signs of zeros, NaN."""
    first = x.planes[0] if x.dtype[:2] != "bf" else x.to_numpy()
    values = [str(v) for v in x.to_decimal().ravel()]
    return [("nan" if v != v else text, bool(np.signbit(v)) and v == v)
            for v, text in zip(first.ravel(), values)], x.shape, x.dtype


def near(x, truth, bound):
    """Whether errors are at most bound, an array or number of fractions."""
    return np.all(np.abs(exact(x) - truth) <= bound)


def adversarial(dtype="f64x2"):
    """Neighbours, ties of both forms, zeros of both signs, infinities, NaN."""
    one = fractions.Fraction(1)
    values = [one, one + unit(dtype), one - unit(dtype), -one, 0.0, -0.0, math.inf, -math.inf, math.nan, one / 3,
              one * 3, one / 3 * 9, 2**60 + one / 2, 2**60 - one / 2, -(2**60) - one / 2, one / 2, -one / 2,
              3 * one / 2, 5 * one / 2, -5 * one / 2, one / 2 + unit(dtype), one / 2 - unit(dtype) / 2]
    return mct.array(values, dtype)


def two_forms():
    """Pairs of equal values, whose components differ, and values next to them."""
    u = 2.0**-53
    planes = np.array([[1, u, 0], [1 + 2 * u, -u, 0], [1, u, u * u], [1 + 2 * u, -u * (1 - u), 0],
                       [1 + 2 * u, -u, u * u / 4], [1, u, -u * u / 4]]).T.copy()
    return mct.from_planes(planes, "f64x3")


def test_sort_compares_all_components():
    x = two_forms()
    values = exact(x)
    places = np.argsort(x)
    assert places.tolist() == sorted(range(6), key=lambda i: values[i])
    assert exact(np.sort(x)).tolist() == sorted(values)
    assert x[0] == x[1] and len(np.unique(x)) == len(set(values)) == 4
    y = mct.array([1, 1, 1]) + mct.array([0, 2.0**-100, -(2.0**-100)])
    assert y.argsort().tolist() == [2, 0, 1]


def test_sort_has_nan_last_and_is_stable():
    x = mct.array([np.nan, 1, -0.0, 0, np.inf, -np.inf, np.nan, 1, -1])
    places = mct.argsort(x)
    assert places.tolist() == [5, 8, 2, 3, 1, 7, 4, 0, 6] == np.argsort(x.to_numpy(), kind="stable").tolist()
    assert bits(mct.sort(x)) == bits(x[places])
    y = x.copy()
    y.sort()
    assert bits(y) == bits(mct.sort(x))
    with pytest.raises(ValueError):
        mct.sort(x, 1)


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_sort_along_axes(axis, dtype):
    x = mct.randn((5, 4, 3), 1, dtype)[:, ::2]
    values = exact(x)
    assert np.array_equal(exact(np.sort(x, axis)), np.sort(values, axis))
    places = np.argsort(x, axis=axis)
    assert np.array_equal(places, np.argsort(values, axis, kind="stable"))
    if axis is not None:
        assert mct.array_equal(np.take_along_axis(x, places, axis), np.sort(x, axis))
    for shape in ((0,), (2, 0), (0, 2)):
        empty = mct.zeros(shape, dtype)
        assert np.sort(empty).shape == np.argsort(empty).shape == shape


def test_searchsorted():
    x = mct.sort(mct.concatenate([mct.randn((20,), 1), mct.ones(3), mct.array([-0.0, 0])]))
    for values in (mct.randn((3, 4), 2), x[:5], mct.array([1, 0, -0.0, np.inf, -np.inf, np.nan]), 1, 0.5):
        plain = exact(values).astype(float) if isinstance(values, mct.Array) and np.isfinite(
            values.to_numpy()).all() else np.asarray(values if not isinstance(values, mct.Array) else values.to_numpy())
        for side in ("left", "right"):
            got = np.searchsorted(x, values, side)
            if isinstance(values, mct.Array):
                count = operator.lt if side == "left" else operator.le
                for place, v in zip(np.ravel(got), values.ravel()):
                    want = 25 if np.isnan(v) else sum(bool(count(e, v)) for e in x)
                    assert place == want
            assert np.shape(got) == plain.shape
    assert mct.searchsorted(x[::-1], mct.ones(1), sorter=np.arange(24, -1, -1)) == np.searchsorted(x, 1)
    assert np.searchsorted(mct.zeros((0,)), [1, 2]).tolist() == [0, 0]
    with pytest.raises(ValueError, match="'middle'"):
        np.searchsorted(x, 1, "middle")
    with pytest.raises(ValueError, match="vector"):
        np.searchsorted(mct.ones((2, 2)), 1)


def test_unique():
    x = mct.array([[3, 1, np.nan], [1, -0.0, 0], [np.nan, 3, 1]])
    values, first, inverse, counts = np.unique(x, True, True, True)
    assert values.tolist()[:3] == [0, 1, 3] and np.isnan(values[3]) and len(values) == 4
    assert first.tolist() == [4, 1, 0, 2] and counts.tolist() == [2, 3, 2, 2]
    assert inverse.shape == x.shape and np.array_equal(values[inverse].to_numpy(), x.to_numpy(), equal_nan=True)
    assert len(mct.unique(x, equal_nan=False)) == 5
    assert [len(part) for part in mct.unique(mct.zeros((0, 2)), True, False, True)] == [0, 0, 0]
    with pytest.raises(TypeError, match="axis"):
        np.unique(x, axis=0)


def test_cumulative_sums_and_products(long_dtype):
    for shape, axis in (((17,), 0), ((1,), -1), ((0,), 0), ((3, 16, 2), 1), ((3, 4), None)):
        x = mct.randn(shape, 1, long_dtype)
        values = exact(x)
        sums, products = np.cumsum(x, axis), np.cumprod(x, axis)
        want = np.cumsum(values, axis)
        assert sums.shape == want.shape and sums.dtype == long_dtype
        size = np.cumsum(np.abs(values), axis)
        assert near(sums, want, 2 * 16 * 5 * unit(long_dtype) * size)
        want = np.cumprod(values, axis)
        assert near(products, want, 17 * 16 * unit(long_dtype) * np.abs(want)
                    + fractions.Fraction(2)**(-130 if "64" not in long_dtype else -1060))
    assert np.add.accumulate(mct.ones((3, 2)))[2].tolist() == [3, 3]
    assert np.maximum.accumulate(mct.array([1, 3, 2])).tolist() == [1, 3, 3]
    assert np.multiply.accumulate(mct.array([[1, 3, 2]]), 1).tolist() == [[1, 3, 6]]
    x = mct.array([1, np.inf, 2, np.nan, 3])
    assert np.isfinite(np.cumsum(x)).tolist() == [True, False, False, False, False]
    assert np.isnan(np.cumsum(x)).tolist() == [False, False, False, True, True]
    big = mct.array([2**60, 1, -(2**60), 2.0**-40] * 5)
    assert exact(big.cumsum()).tolist() == np.cumsum(exact(big)).tolist()
    with pytest.raises(ValueError):
        np.cumsum(x, 1)


def test_products(long_dtype):
    x = mct.randn((3, 5, 7), 1, long_dtype)
    values = exact(x)
    for axis in (None, 0, -1, (0, 2), ()):
        for keep in (False, True):
            got = np.prod(x, axis, keepdims=keep)
            truth = np.multiply.reduce(values, axis, keepdims=keep) if axis != () else values
            assert got.shape == np.shape(truth)
            count = {None: 105, 0: 3, -1: 7, (0, 2): 21, (): 1}[axis]
            assert near(got, truth, fractions.Fraction("1.01") * 16 * (count - 1) * unit(long_dtype) * np.abs(truth)
                        + fractions.Fraction(2)**(-130 if "64" not in long_dtype else -1060))
    assert np.prod(mct.zeros((0,))) == 1 and np.prod(mct.zeros((0, 2)), 0).tolist() == [1, 1]
    assert np.multiply.reduce(mct.array([[2, 3], [4, 5]])).tolist() == [8, 15]
    with pytest.raises(ValueError, match="twice"):
        np.prod(x, (0, 0))


def test_deviations(long_dtype):
    for shift in (0, 1000):
        x = mct.randn((4, 30), 1, long_dtype) + shift
        values = exact(x)
        for axis in (None, 1, (0, 1)):
            for ddof in (0, 1):
                n = 30 if axis == 1 else 120
                mean = np.add.reduce(values, axis, keepdims=True) / n
                truth = np.add.reduce((values - mean)**2, axis) / (n - ddof)
                got = np.var(x, axis, ddof=ddof)
                sum_bound = 400 * unit(long_dtype)
                size = np.max(np.abs(values))
                assert near(got, truth, (sum_bound + 20 * unit(long_dtype)) * truth + (sum_bound * size)**2)
                root = np.std(x, axis, ddof=ddof)
                assert near(root * root, truth, 2 * (sum_bound + 30 * unit(long_dtype)) * truth + (sum_bound * size)**2)
    assert np.var(x, (0, 1), keepdims=True).shape == (1, 1) and x.std(0).shape == (30,)
    assert np.isnan(np.var(mct.zeros((0,)))) and np.isnan(np.std(mct.array([1, np.nan])))
    assert np.var(mct.full(7, "0.1")) < 1e-60
    mask = np.array([True, True, False])
    y = mct.array([[1, 3, 100], [2, 6, np.nan]])
    assert np.mean(y, 1, where=mask).tolist() == [2, 4] and np.var(y, 1, where=mask).tolist() == [1, 4]
    assert np.std(y, axis=1, where=mask, ddof=1, keepdims=True).shape == (2, 1)


def test_averages_differences_and_ranges():
    x = mct.randn((3, 4), 1)
    w = mct.array([1, 2, 3, "0.5"])
    truth = (exact(x) * exact(w)).sum(1) / exact(w).sum()
    assert near(np.average(x, 1, w), truth, 200 * unit("f64x2") * 10)
    assert mct.array_equal(np.average(x), x.mean()) and near(np.average(x, weights=np.ones((3, 4))), exact(x).mean(),
                                                            200 * unit("f64x2"))
    with pytest.raises(ValueError, match="weights"):
        np.average(x, 0, w)
    with pytest.raises(ZeroDivisionError):
        np.average(x, 1, [1, -1, 0, 0])
    for n in (0, 1, 2, 5):
        for axis in (0, -1):
            got, want = np.diff(x, n, axis), np.diff(exact(x), n, axis)
            assert got.shape == want.shape and near(got, want, 200 * unit("f64x2"))
    assert mct.array_equal(np.diff(x, prepend=0)[:, 0], x[:, 0])
    assert np.diff(x, axis=0, append=x[:1]).shape == (3, 4)
    with pytest.raises(ValueError):
        np.diff(x, -1)
    with pytest.raises(ValueError):
        np.diff(mct.ones(()))
    assert near(np.ptp(x, 1), exact(x).max(1) - exact(x).min(1), 30 * unit("f64x2"))


def test_rounding_to_whole_numbers(dtype):
    x = mct.concatenate([adversarial(dtype), mct.randn((50,), 1, dtype) * 5])
    rounded = {np.floor: math.floor, np.ceil: math.ceil, np.trunc: math.trunc, np.rint: round, np.round: round}
    finite = np.isfinite(x.to_numpy().astype(float))
    for function, of_number in rounded.items():
        got = function(x)
        assert got.dtype == dtype and got.shape == x.shape
        for g, e, is_finite in zip(got, x, finite):
            if is_finite:
                assert g.to_fraction()[()] == of_number(e.to_fraction()[()])
                if g == 0:
                    assert bool(np.signbit(g)) == bool(np.signbit(e)), (function, e)
            else:
                assert bits(g) == bits(e)
    assert mct.floor(2.5).tolist() == 2 and round(mct.array("2.5")) == 2


def test_rounding_to_decimals():
    texts = ["0.125", "0.375", "-0.125", "2.675", "1234.5", "1e20", "-0.001", "nan", "inf", "0", "-0"]
    x = mct.array(texts)
    for decimals in (2, 1, 3, -2, 25):
        got = np.round(x, decimals)
        for g, text, e in zip(got, texts, x):
            if not np.isfinite(e):
                assert bits(g) == bits(e)
                continue
            want = round(e.to_fraction()[()], decimals)
            assert abs(g.to_fraction()[()] - want) <= unit("f64x2") * abs(want)
            assert g != 0 or np.signbit(g) == np.signbit(e)
    assert np.round(mct.array("0.125"), 2) == mct.array("0.12") and x.round(1).shape == x.shape


def pairs(dtype):
    x = mct.concatenate([adversarial(dtype), mct.randn((20,), 1, dtype) * 100])
    special = mct.array([3, -3, "0.1", 0.0, -0.0, np.inf, -np.inf, np.nan], dtype)
    y = mct.concatenate([special, mct.randn((6,), 2, dtype)])
    return x.reshape(-1, 1), y


def test_quotients_and_remainders(long_dtype):
    x, y = pairs(long_dtype)
    quotient, rest = np.divmod(x, y)
    c_rest = np.fmod(x, y)
    assert quotient.shape == (len(x), len(y))
    assert bits(x // y) == bits(quotient) == bits(np.floor_divide(x, y))
    assert bits(x % y) == bits(rest) == bits(np.mod(x, y))
    for i in range(len(x)):
        for j in range(len(y)):
            a, b = float(x[i, 0]), float(y[j])
            q, r, c = quotient[i, j], rest[i, j], c_rest[i, j]
            if not (math.isfinite(a) and math.isfinite(b)) or b == 0:
                with np.errstate(all="ignore"):
                    plain = [f(np.float64(a), np.float64(b)) for f in (np.floor_divide, np.mod, np.fmod)]
                for got, want in zip((q, r, c), plain):
                    assert float(got) == want or (np.isnan(got) and np.isnan(want)), (a, b, got, want)
                continue
            p, d = x[i, 0].to_fraction()[()], y[j].to_fraction()[()]
            whole = p // d
            if abs(whole) < 1 / unit(long_dtype) / 16:
                assert q.to_fraction()[()] == whole
            else:
                assert abs(q.to_fraction()[()] - whole) <= 30 * unit(long_dtype) * abs(whole)
            assert abs(r.to_fraction()[()] - p % d) <= 16 * unit(long_dtype) * abs(p % d)
            remainder = p - d * int(p / d)
            assert abs(c.to_fraction()[()] - remainder) <= unit(long_dtype) * abs(remainder)
            if r == 0:
                assert np.signbit(r) == np.signbit(y[j])


def test_remainders_beside_numbers_and_in_place():
    x = mct.array(["7.5", "-7.5"])
    assert (x % 2).tolist() == [1.5, 0.5] and (7 % mct.array(4)) == 3 and (x // 2).tolist() == [3, -4]
    assert [part.tolist() for part in divmod(x, 2)] == [[3, -4], [1.5, 0.5]]
    assert [part.tolist() for part in divmod(9, mct.array([2, 4]))] == [[4, 2], [1, 1]]
    assert [part.tolist() for part in np.modf(x)] == [[0.5, -0.5], [7, -7]]
    y = x.copy()
    y %= 2
    assert y.tolist() == [1.5, 0.5]
    x //= mct.array(2)
    assert x.tolist() == [3, -4]
    with pytest.raises(TypeError):
        x %= "2"
    with pytest.raises(TypeError):
        x // None
    one = mct.ones(2, "f64x1")
    with pytest.raises(TypeError, match="cannot hold"):
        one %= mct.ones(2, "f64x2")
    fraction, whole = np.modf(mct.array([np.inf, -np.inf, np.nan, -0.0]))
    assert np.signbit(fraction).tolist()[1::2] == [True, True] and np.isinf(whole).tolist() == [True] * 2 + [False] * 2


def test_functions_of_two_operands():
    x, y = mct.array(["0.1", -2, np.nan, 0.0]), mct.array([3, -0.0, 1, np.nan])
    assert np.copysign(x, [-1, 1, 1, -0.0])[:2].tolist() == (-x[:1]).tolist() + [2]
    assert np.signbit(np.copysign(x, -1)[3])
    assert np.fmax(x, y).tolist() == [3, 0, 1, 0] and np.fmin(x, y)[1:].tolist() == [-2, 1, 0]
    assert np.nextafter(mct.ones(1), 2)[0].to_fraction()[()] == 1 + 2 * unit("f64x2")


def test_angles_and_logarithms(dtype):
    mpmath = pytest.importorskip("mpmath")
    y = mct.array(["0.1", -3, "0.001", 2, "-1.5", 1, 7], dtype).reshape(-1, 1)
    x = mct.array(["0.7", "-0.3", 100, -2, 2, "-1e-3"], dtype)
    got = mct.atan2(y, x)
    assert got.dtype == dtype and got.shape == (7, 6)
    u = mpmath.mpf(unit(dtype).numerator) / unit(dtype).denominator
    smallest = mpmath.mpf(2)**{"f64": -1074, "f32": -149, "f16": -24, "bf16": -133}[dtype.split("x")[0]]
    with mpmath.workdps(100):
        for i in range(7):
            for j in range(6):
                truth = mpmath.atan2(y[i, 0].to_mpmath()[()], x[j].to_mpmath()[()])
                assert abs(got[i, j].to_mpmath()[()] - truth) <= 21 * u * abs(truth) + 20 * smallest
        positive = mct.rand((20,), 3, dtype) * 4 + 1 / mct.array(64, dtype)
        for e, logarithm in zip(positive.to_mpmath(), np.log10(positive).to_mpmath()):
            assert abs(logarithm - mpmath.log10(e)) <= 5 * u * abs(mpmath.log10(e)) + 20 * smallest
        p, q = mct.randn((20,), 1, dtype) * 3, mct.randn((20,), 2, dtype) * 3
        for a, b, result in zip(p.to_mpmath(), q.to_mpmath(), np.logaddexp(p, q).to_mpmath()):
            truth = mpmath.log(mpmath.exp(a) + mpmath.exp(b))
            assert abs(result - truth) <= 64 * u * (max(abs(a), abs(b)) + 1) + 20 * smallest
    plain = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0])
    special, column = mct.array(plain.tolist(), dtype), plain.reshape(-1, 1)
    with np.errstate(all="ignore"):
        for ours, theirs in ((mct.atan2(special.reshape(-1, 1), special), np.arctan2(column, plain)),
                             (np.logaddexp(special.reshape(-1, 1), special), np.logaddexp(column, plain)),
                             (np.log10(special), np.log10(plain))):
            assert np.allclose(ours.to_numpy(), theirs, 2e-2, 2e-2, equal_nan=True)
        angles, wanted = mct.atan2(special.reshape(-1, 1), special), np.arctan2(column, plain)
    assert np.array_equal(np.signbit(angles)[~np.isnan(wanted)], np.signbit(wanted)[~np.isnan(wanted)])


def test_logarithms_of_powers_of_ten_are_exact():
    for dtype, most in (("f64x2", 45), ("f64x4", 60), ("f32x2", 20), ("f16x1", 4)):
        x = mct.array([10**k for k in range(most)], dtype)
        assert np.log10(x).tolist() == list(range(most))
    assert np.log10(mct.array(10) + 2.0**-95) > 1 and np.log10(mct.array(10) - 2.0**-95) < 1


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest", "hazen", "weibull",
                                    "median_unbiased", "normal_unbiased", "interpolated_inverted_cdf"])
def test_quantiles(method):
    x = mct.randn((7, 4), 1)
    plain = x.to_numpy()
    parts = [0, 0.25, 0.5, 0.625, 1]
    for axis in (None, 0, 1, (0, 1)):
        for keep in (False, True):
            got = np.quantile(x, parts, axis, method=method, keepdims=keep)
            want = np.quantile(plain, parts, axis, method=method, keepdims=keep)
            assert got.shape == want.shape and np.allclose(got.to_numpy(), want, 1e-14, 1e-14)
            assert np.percentile(x, 25, axis, method=method, keepdims=keep).shape == want.shape[1:]


def test_quantiles_are_exact_where_elements_are():
    x = mct.array(["0.1", "0.3", "0.2", "0.4"])
    assert np.median(x[:3]) == mct.array("0.2") and np.percentile(x, 100) == mct.array("0.4")
    assert near(np.median(x), fractions.Fraction(1, 4), unit("f64x2"))
    eleven = mct.arange(11) * mct.array("0.1")
    assert np.percentile(eleven, 10) == eleven[1] == np.quantile(eleven, "0.1")
    assert np.quantile(eleven, 0.1) > eleven[1]  # the double is above a tenth
    assert np.quantile(x, mct.array(["0.5"])).shape == (1,) and np.quantile(x, []).shape == (0,)
    assert np.isnan(np.median(mct.array([1, np.nan, 2])))
    assert np.median(mct.array([np.inf, 1, np.inf, np.inf])) == np.inf
    for q in (-0.1, 1.1, np.nan, "half"):
        with pytest.raises(ValueError, match="quantile"):
            np.quantile(x, q)
    with pytest.raises(ValueError, match="no elements"):
        np.median(mct.zeros((0,)))
    with pytest.raises(ValueError, match="closest"):
        np.quantile(x, 0.5, method="closest_observation")


def test_interpolation():
    xp, fp = mct.array([0, "0.1", 1, 3]), mct.array([1, "0.3", -2, 5])
    x = mct.array([-1, 0, "0.05", "0.1", "0.7", 1, 2, 3, 4, np.nan])
    got = np.interp(x, xp, fp)
    knots, values = exact(xp), exact(fp)
    for g, e in zip(got, x):
        if np.isnan(e):
            assert np.isnan(g)
            continue
        at = min(max(e.to_fraction()[()], knots[0]), knots[-1])
        i = min(sum(knots <= at) - 1, 2)
        truth = values[i] + (values[i + 1] - values[i]) * (at - knots[i]) / (knots[i + 1] - knots[i])
        size = abs(values[i]) + abs(values[i + 1])
        assert abs(g.to_fraction()[()] - truth) <= (0 if at in knots else 30 * unit("f64x2") * size)
    assert np.interp(x, xp, fp, left=7, right=8).tolist()[0] == 7 and np.interp(4, xp, fp, right=8) == 8
    assert np.allclose(np.interp(x[:9], xp, fp, period=4).to_numpy(),
                       np.interp(x[:9].to_numpy(), xp.to_numpy(), fp.to_numpy(), period=4), 1e-14, 1e-14)
    assert np.interp(x[:2], xp[:1], fp[:1]).tolist() == [1, 1] and np.interp(mct.zeros((0, 2)), xp, fp).shape == (0, 2)
    for bad in (lambda: np.interp(x, xp, fp[:2]), lambda: np.interp(x, xp[:0], fp[:0]),
                lambda: np.interp(x, xp, fp, period=0)):
        with pytest.raises(ValueError, match="interp"):
            bad()


def product_sums(subscripts, *operands):
    """The definition: for each index of the result the sum of all products."""
    inputs, output = subscripts.split("->")
    parts, operands = inputs.split(","), [np.asarray(a, object) for a in operands]
    sizes = {c: n for names, a in zip(parts, operands) for c, n in zip(names, np.shape(a))}
    letters = sorted(sizes)
    result = np.full([sizes[c] for c in output], fractions.Fraction(), dtype=object)
    for index in itertools.product(*(range(sizes[c]) for c in letters)):
        at = dict(zip(letters, index))
        term = math.prod(a[tuple(at[c] for c in names)] for names, a in zip(parts, operands))
        result[tuple(at[c] for c in output)] += term
    return result


# what is asked for, and the same with all names
EINSUMS = {"ij,jk->ik": "", "ij,jk": "ij,jk->ik", "ij,ij->": "", "ij,ij->i": "", "i...,i...->...": "ix,ix->x",
           "ij,kj->ik": "", "ij->ji": "", "ij->j": "", "ii": "ii->", "ii->i": "", "ij": "ij->ij", "ab,bc,cd->ad": "",
           "ab,bc,cd": "ab,bc,cd->ad", "a,b->ab": "", "bij,bjk->bik": "", "...ij,...jk->...ik": "xij,xjk->xik",
           "ij,k->ijk": "", "iij->j": "", "ij,jk,kl,lm->im": "", "ij,ij,ij->j": "", "ba": "ba->ab", ",ij->ij": "",
           "i,i": "i,i->", "...,...": "x,x->x", "bij, kj -> b k": "bij,kj->bk"}


@pytest.mark.parametrize("subscripts", EINSUMS)
def test_einsum(subscripts):
    named = EINSUMS[subscripts] or subscripts
    sizes = dict(zip("abcdijklmx", (2, 3, 4, 5, 3, 4, 2, 3, 2, 2)))
    parts = named.split("->")[0].split(",")
    arrays = [mct.randn([sizes[c] for c in names], i) if names else mct.array("0.3") for i, names in enumerate(parts)]
    truth = product_sums(named, *(exact(a) for a in arrays))
    size = product_sums(named, *(np.abs(exact(a)) for a in arrays))
    for optimize in (False, "greedy", "optimal", True):
        got = np.einsum(subscripts, *arrays, optimize=optimize)
        assert got.shape == truth.shape and got.dtype == "f64x2"
        assert near(got, truth, 500 * unit("f64x2") * size)


def test_einsum_arguments():
    a, b = mct.randn((3, 4), 1), mct.randn((4, 2), 2)
    assert np.allclose(np.einsum(a, [0, 1], b, [1, 2], [0, 2]), a @ b, 1e-30, 1e-30)
    assert np.allclose(np.einsum(a, [0, 1], b, [1, 2]), a @ b, 1e-30, 1e-30)
    assert mct.einsum("ij,jk", a.to_numpy(), b).dtype == "f64x2"
    out = mct.zeros((3, 2), "f64x4")
    assert np.einsum("ij,jk", a, b, out=out, dtype="f64x4") is out
    assert near(out, exact(a).dot(exact(b)), 100000 * unit("f64x4"))
    assert np.einsum("ij,j->i", mct.zeros((2, 0)), mct.zeros((0,))).tolist() == [0, 0]
    assert np.einsum("ij,ij->ij", a, mct.ones((1, 4))).shape == (3, 4)
    for bad in ("ij,ij->ij", "ij,jk->iz", "ij,jk->ii", "i,jk", "ij", "i-,jk", "ijk,jk"):
        with pytest.raises(ValueError, match="einsum"):
            np.einsum(bad, a, b)
    assert mct.array_equal(np.tensordot(a, b, 1), a @ b) and np.tensordot(a, a).shape == ()
    assert np.tensordot(a, b, ([1], [0])).shape == (3, 2) and np.tensordot(a, b, 0).shape == (3, 4, 4, 2)
    assert np.inner(a, a).shape == (3, 3) and np.inner(a, 2).shape == (3, 4)
    assert near(np.trace(a, 1), np.trace(exact(a), 1), 20 * unit("f64x2")) and a.trace().shape == ()
    assert mct.array_equal(np.kron(a, b), np.kron(a.to_numpy(), b.to_numpy()) * 0 + np.kron(a, b))
    assert np.array_equal(exact(np.kron(mct.array([[1, 2]]), [[3], [4]])), [[3, 6], [4, 8]])
    with pytest.raises(ValueError, match="tensordot"):
        np.tensordot(a, b, ([0], [0]))
    with pytest.raises(ValueError, match="trace"):
        np.trace(a[0])


def test_arguments_out_where_dtype_initial():
    x = mct.array([[1, 2], [3, 4]])
    mask = np.array([[True, False], [True, True]])
    out = mct.zeros((2, 2))
    assert np.add(x, 1, out=out, where=mask) is out and out.tolist() == [[2, 0], [4, 5]]
    wide = np.add(mct.array(0.1), mct.array(0.2), dtype="f64x4")
    assert wide.dtype == "f64x4" and np.exp(mct.array(1, "f64x1"), dtype="f64x3").dtype == "f64x3"
    assert np.sum(x, where=mask) == 8 and np.sum(x, 0, initial=10).tolist() == [14, 16]
    assert np.prod(x, 1, where=mask, initial=2).tolist() == [2, 24] and np.sum(x, dtype="f64x3").dtype == "f64x3"
    assert np.max(x, 0, where=mask, initial=-5).tolist() == [3, 4] and np.min(x, initial=0) == 0
    assert np.max(mct.zeros((0, 2)), 0, initial=1).tolist() == [1, 1]
    total = mct.zeros(2)
    for f in (np.sum, np.prod, np.max, np.min, np.mean, np.var, np.std, np.median):
        assert f(x, axis=0, out=total) is total and mct.array_equal(total, f(x, axis=0))
    assert np.add.reduce(x, out=total) is total and total.tolist() == [4, 6]
    assert np.add.reduce(x, axis=(0, 1)) == 10 and np.multiply.reduce(x, axis=1, keepdims=True).tolist() == [[2], [12]]
    quotient, rest = mct.zeros((2, 2)), mct.zeros((2, 2))
    assert np.divmod(x, 2, out=(quotient, rest))[1] is rest and quotient.tolist() == [[0, 1], [1, 2]]
    assert np.cumsum(x, 0, dtype="f64x3").dtype == "f64x3" and np.zeros_like(x, dtype="f32x2").dtype == "f32x2"
    assert np.concatenate([x, x], 1, dtype="f64x4").dtype == "f64x4"
    places = np.zeros(2, np.int64)
    assert np.argmax(x, 0, out=places) is places and places.tolist() == [1, 1]
    np.copyto(out, x, where=mask)
    assert out.tolist() == [[1, 0], [3, 4]]
    for bad in (lambda: np.sum(x, dtype=float), lambda: np.add(x, x, dtype=np.float64), lambda: np.var(x, dtype="d")):
        with pytest.raises(TypeError, match="to_numpy"):
            bad()
    for bad in (lambda: np.sum(x, out=np.zeros(())), lambda: np.cumsum(x, 0, out=np.zeros((2, 2)))):
        with pytest.raises(TypeError, match="lose digits"):
            bad()
    with pytest.raises(TypeError, match="where needs an array out"):
        np.exp(x, where=mask)
    with pytest.raises(TypeError, match="bools"):
        np.sum(x, where=[1, 0])
    with pytest.raises(ValueError, match="initial"):
        np.max(x, where=mask)


def test_ranges_and_grids():
    x = mct.linspace(0, 1, 11)
    tenths = np.array([fractions.Fraction(i, 10) for i in range(11)])
    assert x[0] == 0 and x[10] == 1 and near(x, tenths, unit("f64x2") * 3)
    assert mct.linspace(1, 2, 4, endpoint=False).tolist() == [1, 1.25, 1.5, 1.75]
    assert len(mct.linspace(0, 1, 0)) == 0 and mct.linspace("0.1", 1, 1)[0] == mct.array("0.1")
    assert np.linspace(mct.array(0), 1, 3).tolist() == [0, 0.5, 1]
    with pytest.raises(ValueError):
        mct.linspace(0, 1, -1)
    with pytest.raises(ValueError):
        mct.linspace([0, 1], 1)
    for indexing in ("xy", "ij"):
        got = np.meshgrid(x[:3], x[3:5], indexing=indexing)
        want = np.meshgrid(x[:3].to_numpy(), x[3:5].to_numpy(), indexing=indexing)
        assert all(np.array_equal(g.to_numpy(), w) for g, w in zip(got, want, strict=True))


def test_random_numbers():
    x = mct.random.normal(2, "0.5", (4000,), seed=1)
    assert abs(float(x.mean()) - 2) < 0.05 and abs(float(x.std()) - 0.5) < 0.03
    assert mct.array_equal(x, mct.random.normal(2, "0.5", 4000, seed=1)) and np.any(x.planes[1] != 0)
    assert near(x, 2 + exact(mct.randn(4000, 1)) / 2, 30 * unit("f64x2") * 10)
    y = mct.random.uniform(-1, [1, 3], (1000, 2), seed=2, dtype="f64x3")
    assert y.dtype == "f64x3" and float(y.min()) >= -1 and 2.9 < float(y.max()) <= 3
    rng, again = mct.random.default_rng(5), mct.random.default_rng(5)
    draws = [rng.normal(size=3), rng.random(3), rng.standard_normal(3), rng.uniform(0, 2, 3), rng.normal(size=3)]
    assert mct.array_equal(draws[0], again.normal(size=3)) and not mct.array_equal(draws[0], draws[4])
    assert mct.random.normal([1, 2], seed=3).shape == (2,) and mct.random.random(seed=3).shape == ()
    for bad in (lambda: mct.random.normal(0, -1, seed=1), lambda: mct.random.normal(0, 1, seed=-1),
                lambda: mct.random.default_rng(2**64)):
        with pytest.raises(ValueError):
            bad()


def test_one_number_as_python_asks():
    third = mct.array(fractions.Fraction(1, 3))
    assert float(third) == 1 / 3 and int(mct.array(-(10**30), "f64x3")) == -(10**30)
    assert math.floor(mct.array("-0.5")) == -1 and math.ceil(mct.array("0.5")) == 1 and math.trunc(-third * 10) == -3
    assert round(mct.array("2.5")) == 2 and round(third, 3) == fractions.Fraction(333, 1000)
    assert f"{third:.40f}" == f"{third.to_decimal()[()]:.40f}" and f"{mct.array('0.1')}" == "0.1"
    assert complex(third) == 1 / 3 and bool(third) and divmod(mct.array(7), 2)[0] == 3
    with pytest.raises(TypeError):
        hash(third)  # it can be written
    for index in (lambda: [1, 2][mct.array(1)], lambda: operator.index(mct.array(1))):
        with pytest.raises(TypeError):
            index()
    for bad in (float, int, round, math.floor):
        with pytest.raises(TypeError):
            bad(mct.ones(2))


@pytest.mark.parametrize("function", [
    np.cumsum, np.prod, np.var, np.median, np.unique, np.floor, np.diff, np.argsort, np.trace,
    lambda x: np.quantile(x, 0.5), lambda x: np.einsum("...->", x),
    lambda x: np.searchsorted([0.0, 1.0], x), lambda x: np.percentile(x, 50), lambda x: np.mod(x, 1),
    lambda x: np.linalg.pinv(x), lambda x: np.concatenate([x, x]), lambda x: np.where([True], x, 1)])
def test_lists_do_not_fall_to_double(function):
    a = mct.array([["0.1", "0.3"], ["0.2", "0.4"]])
    for x in ([a[0, 0], a[0, 1]], [[a[0, 0], a[0, 1]], [1.0, 2.0]]):
        with pytest.raises(TypeError, match="to_numpy"):
            function(x)


def test_what_is_missing_says_so():
    x = mct.randn((4, 4), 1)
    for call in (lambda: np.fft.fft(x), lambda: np.linalg.eig(x), lambda: np.convolve(x[0], x[0]),
                 lambda: np.ldexp(x, 1), lambda: np.bitwise_and(x, x), lambda: np.partition(x, 1),
                 lambda: np.add.at(x, 0, 1),
                 lambda: np.add.reduceat(x, [0]), lambda: np.gradient(x)):
        with pytest.raises(TypeError, match="not one of"):
            call()


def test_einsum_of_more_than_two_in_a_step_and_of_no_terms():
    one, x, y = mct.eye(2), mct.randn((2, 2), 1), mct.randn((2, 2), 2)
    got = np.einsum("ij,jk,kl->il", one, one, one, optimize=["einsum_path", (0, 1, 2)])
    assert got.tolist() == [[1, 0], [0, 1]]
    got = np.einsum("ij,jk,kl->il", x, one, y, optimize=["einsum_path", (0, 1, 2)])
    assert near(got, exact(x).dot(exact(y)), 100 * unit("f64x2") * np.abs(exact(x)).dot(np.abs(exact(y))))
    assert np.einsum("i,i", mct.zeros(0), mct.ones(1)) == 0 and np.einsum("i,i", mct.ones(1), mct.zeros(0)) == 0


@pytest.mark.parametrize("stop, num, dtype", [(2000, 50, "f16x2"), (60000, 5, "f16x2"), (1, 70000, "f16x2"),
                                              ("3e38", 50, "f32x2"), ("3e38", 50, "bf16x3"), ("1.7e308", 50, "f64x2")])
def test_ranges_between_finite_ends_are_finite(stop, num, dtype):
    x = mct.linspace(0, stop, num, dtype=dtype)
    values, last = exact(x), mct.array(stop, dtype).to_fraction()[()]
    truth = np.array([last * i / (num - 1) for i in range(num)])
    least = fractions.Fraction(2)**-24 if "f16" in dtype else 0  # the least number of f16
    assert np.all(np.abs(values - truth) <= 15 * unit(dtype) * last + least) and values[-1] == last


def test_medians_and_interpolation_where_differences_overflow():
    assert np.median(mct.array([-60000, 65000], "f16x2")) == 2500
    assert np.median(mct.array([-1.7e308, 1.7e308])) == 0
    ends = mct.array([-1.7e308, 1.7e308])
    assert np.interp(0, mct.array([-1, 1]), ends) == 0 and np.interp(0, ends, mct.array([1, 2])) == 1.5


def test_random_numbers_have_the_shape_of_their_parameters():
    for function in (mct.random.normal, mct.random.uniform):
        assert function([1, 2], 3, (4, 2), seed=1).shape == (4, 2)
        for size in (1, (), (2, 1), 3):
            with pytest.raises(ValueError):
                function([1, 2], 3, size, seed=1)


@pytest.mark.skipif(int(np.__version__.split(".")[0]) < 2, reason="correction is an argument of NumPy 2")
def test_correction_is_another_name_of_ddof():
    x = mct.randn(5, 1)
    for function in (np.var, np.std):
        assert mct.array_equal(function(x, correction=1), function(x, ddof=1))
        with pytest.raises(ValueError, match="both"):
            function(x, ddof=1, correction=1)
