"""mctensor.check: how many digits of a result in double are right."""
import math
from fractions import Fraction

import mctensor as mct
import numpy as np
import pytest
from mctensor.geometry import PoincareBall


def digits_of(result: float, truth: Fraction) -> float:
    error = abs(Fraction(result) - truth)
    return 17.0 if error == 0 else max(0.0, min(17.0, -math.log10(error / abs(truth)))) if truth else 0.0


def test_digits_of_rational_formulas():
    x = np.random.default_rng(1).uniform(1, 2, 200) * 10.0**np.linspace(-8, 8, 200)
    for formula in (lambda a: (a + 1) - a, lambda a: (a * a - 1) / (a - 1), lambda a: a / 3 * 3 - a / 7):
        found = mct.check(formula, x)
        expected = [digits_of(float(formula(np.float64(v))), formula(Fraction(float(v)))) for v in x]
        np.testing.assert_allclose(found.digits, expected, atol=0.02)
        assert not found.reason and found.digits.shape == x.shape
    lost = mct.check(lambda a: (a + 1) - a, np.array([1e17, 1.0]))
    assert lost.digits.tolist() == [0.0, 17.0] and lost.worst(1) == [(0,)]
    assert "2 results; right digits: worst 0.0" in str(lost) and "(0,) 0.0: 0.0 for 1" in repr(lost)


def test_results_of_others():
    x = np.linspace(1, 2, 13)
    wrong = np.exp(x) * (1 + 10.0**-np.arange(1, 14))
    found = mct.check(mct.exp, x, result=wrong)
    np.testing.assert_allclose(found.digits, np.arange(1, 14), atol=0.1)
    assert found.worst(3) == [(0,), (1,), (2,)]
    with pytest.raises(ValueError, match=r"result= has shape \(3,\), with more digits it has \(13,\)"):
        mct.check(mct.exp, x, result=[1.0, 2.0, 3.0])
    assert mct.check(np.subtract, x, x).digits.tolist() == [17.0] * 13


def test_geometry():
    ball = PoincareBall(1.0)
    x, y = np.array([[0.5, 0.0], [0.0, 1 - 1e-11]]), np.zeros((2, 2))
    naive = [math.acosh(1 + 2 * float(p @ p) / (1 - float(p @ p))) for p in x]
    found = mct.check(ball.dist, x, y, result=naive)
    assert "arrays of f64x1 and f64x2" in found.reason and "whose own error is not known" in str(found)
    assert np.isnan(found.spread).all()
    assert found.digits[0] > 15 and 12 < found.digits[1] < 14 and mct.check(ball.dist, x, y).digits.min() > 15
    moved = mct.check(ball.expmap, x, y, axis=-1)
    assert moved.digits.shape == (2,) and moved.digits.min() > 14 and "(0,) " in str(moved)
    turned = mct.check(lambda a, b: np.swapaxes(ball.expmap(a, b), 0, 1), x, y, axis=0)
    assert (turned.digits == moved.digits).all() and (turned.result == moved.result).all()


def test_what_is_not_finite():
    found = mct.check(mct.log, np.array([-1.0, 0.0, 1.0, 2.0]))
    assert np.isnan(found.digits[:2]).all() and found.digits[2] == 17 and found.digits[3] > 15
    assert "2 results where nothing is known" in str(found) and found.worst()[-2:] == [(0,), (1,)]
    # NaN in double alone has no right digits
    assert mct.check(mct.exp, np.array([1.0]), result=[math.nan]).digits.tolist() == [0.0]
    assert "nothing is known" in str(mct.check(mct.log, np.array([-1.0])))
    assert mct.check(mct.exp, np.array([])).digits.size == 0 and "0 results" in str(mct.check(mct.exp, np.array([])))
    assert mct.check(mct.sqrt, 2.0).worst() == [()]


def test_functions_that_cannot_be_checked():
    for function in (lambda x: 1.0, lambda x: x.to_numpy() if isinstance(x, mct.Array) else x):
        with pytest.raises(TypeError, match="check: of arrays of f64x2 the function returns"):
            mct.check(function, np.ones(3))


def test_functions_without_more_digits():
    found = mct.check(lambda x: mct.array(x, "f64x2") * 1 if x.dtype == "f64x3" else x * 1, np.ones(3))
    assert "of arrays of f64x3 the function returns f64x2" in found.reason
    for operand, result in ((np.ones(2) + 1j, None), (np.ones(2), 1j * np.ones(2))):
        with pytest.raises(TypeError, match="complex"):
            mct.check(np.exp, operand, result=result)
    assert mct.check(mct.exp, np.ones((2, 0)), axis=-1).digits.tolist() == [17, 17]
    with pytest.raises(np.exceptions.AxisError if hasattr(np, "exceptions") else np.AxisError):
        mct.check(mct.exp, np.ones(2), axis=3)
    # a 0 has no digits of a number, however small it is
    assert mct.check(mct.abs, np.array([5e-324, 3e-322]), result=[0.0, 0.0]).digits.tolist() == [0, 0]


def test_picture():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = mct.check(mct.exp, np.linspace(0, 1, 100)).plot()
    assert sum(bar.get_height() for bar in axes.patches) == 100
    assert mct.check(mct.log, np.array([-1.0, 2.0])).plot(axes) is axes
