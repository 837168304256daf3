"""Arguments of arrays: numbers of any size, masked arrays, axes, names of files, what is refused in words."""
import decimal
import fractions
import random

import numpy as np
import pytest

import mctensor as mct
from mctensor import geometry


def test_rounding_to_any_number_of_decimals_ends():
    x = mct.array(["0.125", "-1e300", "5e-324", "-0.0", "nan", "inf"])
    for decimals in (1100, 10**12):
        assert np.array_equal(np.round(x, decimals), x, equal_nan=True)
    rounded = np.round(x, -(10**12))
    assert rounded[:4].tolist() == [0, 0, 0, 0] and np.signbit(rounded[:4]).tolist() == [False, True, False, True]
    assert round(x[0], 10**12) == fractions.Fraction(1, 8) and round(x[1], -(10**12)) == 0


def test_quantiles_of_tiny_parts_end():
    x = mct.array([3, 1, 2])
    for q in ("1e-100000000", decimal.Decimal("1e-100000000"), "0e-100000000"):
        assert np.quantile(x, q) == 1
    assert np.quantile(x, "1e-100000000", method="higher") == 2 and np.quantile(x, "1/2") == 2
    for q in ("1e100000000", "-1e-100000000", "1e-99999999999999999999999", "half", "nan", "inf"):
        with pytest.raises(ValueError, match="quantile"):
            if np.quantile(x, q) == 1:  # so small that a decimal has no exponent for it
                raise ValueError("quantile")
    assert np.diff(x, 10**12).shape == (0,)


def test_masked_elements_are_no_numbers():
    masked, whole = np.ma.masked_array([0.1, 0.2], [0, 1]), np.ma.masked_array([0.1, 0.2], [0, 0])
    x, ball = mct.array([1, 2]), geometry.PoincareBall()
    for f in (mct.array, lambda y: x + y, lambda y: x * y, lambda y: x == y, lambda y: np.add(x, y),
              lambda y: ball.dist(y, [0.0, 0.0]), lambda y: mct.concatenate([x, y])):
        with pytest.raises(TypeError, match="masked"):
            f(masked)
        f(whole)
    with pytest.raises(TypeError, match="masked"):
        x[:] = masked
    assert x.tolist() == [1, 2]


def test_uniform_numbers_between_any_ends():
    x = mct.random.uniform(-60000, 60000, 1000, seed=1, dtype="f16x2")
    assert np.all(np.isfinite(x)) and abs(x.mean()) < 6000 and x.min() < -50000 < 50000 < x.max()
    for ends in ((0, float("inf")), (float("nan"), 1), ([0, 1], [1, float("-inf")])):
        with pytest.raises(ValueError, match="uniform"):
            mct.random.uniform(*ends, seed=1)


def test_names_of_entries(tmp_path):
    path = tmp_path / "x.npz"
    for name in ("a\nb", "a\u2028", "\n", "a\r"):
        with pytest.raises(ValueError, match="line break"):
            mct.savez(path, **{name: mct.ones(2)})
    mct.savez(path, **{"a b": mct.ones(2), "": mct.ones(1)})
    assert set(mct.load(path)) == {"a b", ""}


def test_the_sign_of_zero_is_kept():
    x = mct.array([-0.0, 0.0])
    assert [str(e) for e in x.to_decimal()] == ["-0", "0"] and [str(e) for e in x.tolist()] == ["-0", "0"]
    assert f"{x[0]:.2f}" == "-0.00" and str(x[0].item()) == "-0"


def test_arguments_of_the_array_api():
    values = np.random.default_rng(1).normal(size=(3, 4))
    x = mct.array(values)
    for f in (np.argmax, np.argmin):
        for axis in (None, 0, -1):
            assert np.array_equal(f(x, axis=axis, keepdims=True), f(values, axis=axis, keepdims=True))
            assert np.shape(f(x, axis=axis)) == np.shape(f(values, axis=axis))
    assert x.argmax(1, True).shape == (3, 1)
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # before, np.clip itself has no min and max
        assert np.array_equal(np.clip(x, min=0), np.clip(values, 0, None))
        assert np.array_equal(np.clip(x, min=0, max=1), np.clip(values, 0, 1))
    assert np.concatenate([x, x[0]], axis=None).to_numpy().tolist() == np.concatenate(
        [values, values[0]], axis=None).tolist()
    nan = mct.array([1, "nan"])
    assert np.isclose(nan, nan, equal_nan=True).all() and np.allclose(nan, nan, equal_nan=True)
    assert not np.allclose(nan, nan) and not np.isclose(nan, 1, equal_nan=True)[1]


@pytest.mark.parametrize("error, words, f", [
    (ValueError, "sorter of shape", lambda x: np.searchsorted(x, x, sorter=[0])),
    (TypeError, "from_planes: list", lambda x: mct.from_planes([[1.0], [0.0]], "f64x2")),
    (TypeError, "from_planes: NoneType", lambda x: mct.from_planes(None, "f64x2")),
    (TypeError, "digits must be an int", lambda x: x.to_strings(1.5)),
    (TypeError, "axis must be an int", lambda x: np.concatenate([x, x], axis="0")),
    (TypeError, "axis must be an int", lambda x: np.stack([x, x], axis=0.5)),
    (TypeError, "axis must be an int", lambda x: x.argmax(0.5)),
    (TypeError, "one number; the array's shape is (2,)".replace("(", "[(]").replace(")", "[)]"), lambda x: f"{x:.3f}"),
    (ValueError, "radius is beyond the range", lambda x: geometry.PoincareBall(10**400))],
    ids=lambda p: None if callable(p) else getattr(p, "__name__", p))
def test_errors_name_the_argument(error, words, f):
    with pytest.raises(error, match=words):
        f(mct.array([1, 2]))


def test_elements_are_copies():
    a = mct.array([1, 2, 3], "f64x2")
    a[0], a[2] = a[2], a[0]
    assert a.to_numpy().tolist() == [3, 2, 1]
    first, view = a[0], a[0, ...]
    a[0] = 7
    assert first == 3 and view == 7
    a[1] += 10
    assert a[1] == 12
    random.Random(1).shuffle(a)
    assert sorted(a.to_numpy()) == [1, 7, 12]
