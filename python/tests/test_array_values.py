"""What arrays are made from, and what they say: exactly."""
import decimal
import fractions
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import mctensor as mct
import mctensor.optim  # noqa: F401
from conftest import unit


def error(x, value):
    """|x - value| / |value| of an array of one number, beyond half of its type's smallest number."""
    smallest = {"f64": -1074, "f32": -149, "f16": -24, "bf16": -133}[x.dtype.split("x")[0]]
    beyond = abs(x.to_fraction()[()] - value) - fractions.Fraction(2) ** (smallest - 1)
    return max(beyond, 0) / abs(value)


def test_version_is_that_of_the_headers():
    header = Path(__file__).parents[2] / "include" / "mctensor" / "version.h"
    numbers = re.findall(r"^#define MCT_VERSION_[A-Z]+ (\d+)$", header.read_text("ascii"), re.MULTILINE)
    assert mct.__version__ == ".".join(numbers)


def test_decimal_text_is_rounded_once(dtype):
    tenth = fractions.Fraction(1, 10)
    assert error(mct.array("0.1", dtype), tenth) <= unit(dtype)
    assert error(mct.array(decimal.Decimal("0.1"), dtype), tenth) <= unit(dtype)
    assert error(mct.array(tenth, dtype), tenth) <= unit(dtype)
    assert mct.array("0.1", dtype) == mct.array(tenth, dtype)


def test_a_float_is_itself():
    assert mct.array(0.1, "f64x2").to_fraction()[()] == fractions.Fraction(0.1)
    assert mct.array([0.1, -3.0], "f64x3").to_fraction()[0] == fractions.Fraction(0.1)


@pytest.mark.parametrize("number", [0, -1, 2**53 + 1, -(10**30), 3**200, 2**100 + 2**40 + 1])
def test_whole_numbers_of_any_size(number, long_dtype):
    x = mct.array(number, long_dtype)
    if number == 0:
        assert x == 0
    elif np.isfinite(x):
        assert error(x, number) <= unit(long_dtype)
        again = mct.array([number, 0.5], long_dtype)  # beside a float
        assert again[0] == x


def test_whole_number_arrays():
    big = np.array([2**62 + 1, -(2**63), 5], dtype=np.int64)
    assert mct.array(big, "f64x2").to_fraction().tolist() == [int(x) for x in big]
    unsigned = np.array([2**64 - 1, 1], dtype=np.uint64)
    assert mct.array(unsigned, "f64x2").to_fraction().tolist() == [int(x) for x in unsigned]
    assert mct.array(np.array([True, False]), "f32x1").tolist() == [1.0, 0.0]
    assert mct.array([2**53 + 1, 0.5]).to_fraction()[0] == 2**53 + 1


def test_numpy_floats_of_every_width():
    for kind in (np.float16, np.float32, np.float64, ">f8"):
        values = np.array([0.1, -2.5, np.inf, 0.0], dtype=kind)
        assert mct.array(values, "f64x2").to_numpy().tolist() == values.astype(float).tolist()
    long = np.array([1, 3], dtype=np.longdouble) / 7
    for x, element in zip(mct.array(long, "f64x2").to_fraction(), long):
        assert x == fractions.Fraction(*element.as_integer_ratio())
    assert mct.array(long[0], "f64x2") == mct.array(long, "f64x2")[0]


def test_from_strided_and_read_only_memory():
    base = np.arange(24.0).reshape(4, 6)
    base.flags.writeable = False
    assert mct.array(base[::-2, 1::3], "f64x1").tolist() == base[::-2, 1::3].tolist()
    assert mct.array(base.T[::-1], "f64x1").tolist() == base.T[::-1].tolist()


def test_special_values():
    for text in ("inf", "-inf", "nan", "Infinity"):
        assert str(float(mct.array(text))) == str(float(text))
    assert np.isnan(mct.array(decimal.Decimal("NaN")))
    assert mct.array(decimal.Decimal("-Infinity")) == -np.inf
    assert np.signbit(mct.array("-0.0"))


@pytest.mark.parametrize("bad", ["", "1..2", "one", "0x", "1e"])
def test_texts_that_are_no_numbers(bad):
    with pytest.raises(ValueError, match="position|empty|number|text"):
        mct.array(bad)


@pytest.mark.parametrize("bad", [1j, None, object(), {"a": 1}, [1, 2j], np.array([1j])])
def test_things_that_are_no_numbers(bad):
    with pytest.raises(TypeError):
        mct.array(bad)
    with pytest.raises(TypeError):
        mct.array(1.0) + (bad if not isinstance(bad, list) else 1j)


def test_what_python_cannot_hand_over():
    """Whole numbers beyond the library's and halves of characters: a word about the argument, no signature."""
    half = "\ud800"
    a = mct.ones((2, 2))
    for call, error, message in [
            (lambda: mct.rand((2,), -1), ValueError, "seed must be at least 0, not -1"),
            (lambda: mct.randn((2,), 2**64), ValueError, "seed must be at most 18446744073709551615"),
            (lambda: mct.rand((2,), 1.5), TypeError, "seed must be an int, not 1.5"),
            (lambda: mct.zeros((2**63,)), ValueError, "a size must be at most"),
            (lambda: a.reshape(2**70), ValueError, "a size must be at most"),
            (lambda: a.sum(2**70), ValueError, "axis must be at most"),
            (lambda: mct.linalg.matrix_power(a, 2**70), ValueError, "n must be at most"),
            (lambda: mct.set_num_threads(2**40), ValueError, "threads must be at most"),
            (lambda: mct.array([half, "1"]), ValueError, r"'\\ud800' is not a number: it has half of a character"),
            (lambda: a.astype(half), TypeError, r"there is no dtype '\\ud800'"),
            (lambda: mct.optim.AdamWArrays(half), ValueError, r"ud800"),
            (lambda: mct.optim.narrow(np.ones(2, np.float32), half), ValueError, r"ud800")]:
        with pytest.raises(error, match=message):
            call()


def test_ragged_lists_and_unknown_types():
    with pytest.raises((ValueError, TypeError)):
        mct.array([[1, 2], [3]])
    for dtype in ("f64", "f64x5", "f16x4", "float64", None, 3):
        with pytest.raises(TypeError, match="f64x1"):
            mct.array(1, dtype)


def test_lists_of_arrays_are_stacked():
    rows = [mct.array(["0.1", "0.2"]), mct.array(["0.3", "0.4"])]
    assert mct.array_equal(mct.array(rows), mct.array([["0.1", "0.2"], ["0.3", "0.4"]]))


def test_texts_read_back(dtype):
    x = mct.randn((50,), 3, dtype)
    again = mct.array(x.to_strings().tolist(), dtype)
    assert mct.array_equal(x, again)
    assert str(mct.array("0.1")) == "0.1"
    assert mct.array("0.1").to_strings(40)[()] == mct.array("0.1").to_strings(40).item()
    assert mct.array([1, 2]).to_strings(3).tolist() == ["1.00", "2.00"]


def test_all_digits_in_print():
    third = mct.array([1, 2]) / 3
    assert "0.3333333333333333333333333333333" in repr(third)
    assert repr(third).endswith("'f64x2')")
    assert f"{mct.array('0.25'):.3f}" == "0.250"
    tenth = mct.array("0.1")
    assert f"{tenth:>6}|{tenth:.<6}|{tenth:+}|{tenth:.20f}" == "   0.1|0.1...|+0.1|0.10000000000000000000"
    assert eval(repr(mct.array("0.1")), {"mctensor": mct}) == mct.array("0.1")


def test_exact_objects(dtype):
    mpmath = pytest.importorskip("mpmath")
    x = mct.randn((20,), 5, dtype) * mct.array("1e-3", dtype)
    fraction = x.to_fraction()
    for i in range(20):
        assert fractions.Fraction(x.to_decimal()[i]) == fraction[i]
        sign, mantissa, exponent, _ = x.to_mpmath()[i]._mpf_
        assert (-1) ** sign * int(mantissa) * fractions.Fraction(2) ** exponent == fraction[i]
    assert mct.array_equal(mct.array(x.to_mpmath(), dtype), x)
    assert mct.array_equal(mct.array(x.to_decimal(), dtype), x)
    assert mct.array(mpmath.inf) == np.inf and np.isnan(mct.array(mpmath.nan))
    far = mct.array("1", "f64x2") + mct.array(2.0**-900)
    assert fractions.Fraction(far.to_decimal()[()]) == 1 + fractions.Fraction(2) ** -900


def test_item_and_numbers():
    assert mct.array("0.5", "f64x1").item() == 0.5
    assert isinstance(mct.array("0.5", "f64x2").item(), decimal.Decimal)
    assert mct.array([[1, 2]]).item(0, 1) == 2
    assert float(mct.array([2.5])) == 2.5 and int(mct.array(2**70 + 1)) == 2**70 + 1
    with pytest.raises(ValueError, match="shape"):
        mct.array([1, 2]).item()
    with pytest.raises(TypeError):
        float(mct.array([1, 2]))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(mct.array([1, 2]))
    with pytest.raises(TypeError):
        hash(mct.array(1))
    with pytest.raises(TypeError):
        mct.Array()


def test_numbers_are_the_nearest():
    """All components decide about a tie of the first one."""
    tie = mct.from_planes(np.array([[1.0, 1.0], [2.0**-53, 2.0**-53], [1e-40, -1e-40]]), "f64x3")
    assert float(tie[0]) == 1 + 2.0**-52 and float(-tie[0]) == -1 - 2.0**-52 and float(tie[1]) == 1
    assert tie.to_numpy().tolist() == np.asarray(tie, float).tolist() == [1 + 2.0**-52, 1]
    even = mct.from_planes(np.array([[1 + 2.0**-52], [-2.0**-53]]), "f64x2")
    assert float(even[0]) == even.to_numpy()[0] == 1
    # rounded once: through double it would be 1
    half = mct.from_planes(np.array([[1 + 2.0**-24], [2.0**-90]]), "f64x2")
    assert np.asarray(half, np.float32)[0] == np.float32(1 + 2.0**-23)
    short = mct.from_planes(np.array([[1.0], [2.0**-11], [2.0**-24]], np.float16), "f16x3")
    assert short.to_numpy()[0] == np.float16(1 + 2.0**-10) and float(short[0]) == 1 + 2.0**-11 + 2.0**-24
    assert float(mct.array("1", "f32x3") + mct.array("1e-12", "f32x3")) == 1 + 1e-12
    for value in (float("inf"), -0.0, 0.0):
        assert str(float(mct.array([value], "f64x3"))) == str(value)
    assert np.isnan(float(mct.array("nan", "f32x2"))) and float(mct.array("1e400")) == np.inf


def test_one_number_to_whole_numbers_is_exact():
    x = mct.array(2**80 + 1) + mct.array("0.5")
    assert int(x) == math.trunc(x) == math.floor(x) == 2**80 + 1 and math.ceil(x) == 2**80 + 2
    assert round(x) == 2**80 + 2 and round(mct.array("0.125"), 2) == fractions.Fraction(12, 100)
    for function in (math.floor, math.ceil, round, int):
        with pytest.raises(TypeError, match="one element"):
            function(mct.array([1, 2]))


def test_numpys_types_are_rounded_to_when_named():
    x = mct.array([["0.1", 2**70 + 1]], "f64x2")
    assert np.asarray(x, object).tolist() == x.tolist()
    assert np.asarray(x * 2**60, object)[0, 1] == (2**70 + 1) * 2**60
    assert np.asarray(mct.array([2**62 + 1, -7]), np.int64).tolist() == [2**62 + 1, -7]
    assert np.asarray(x, complex).tolist() == [[0.1, 2.0**70]] and np.asarray(x, bool).all()
    assert np.asarray(x, ">f8").dtype == np.dtype(">f8")
    third = np.asarray(mct.array(fractions.Fraction(1, 3), "f64x3"), np.longdouble)
    assert third == np.longdouble(1) / 3
    with pytest.raises(OverflowError):
        np.asarray(x, np.int64)


@pytest.mark.parametrize("function", [
    np.array, np.asarray, np.sum, np.sort, np.std, np.max, np.ascontiguousarray, np.cumsum,
    lambda x: np.add(x, x), lambda x: np.full(2, x), lambda x: np.isclose(x, x),
    lambda x: np.vectorize(float)(x), lambda x: np.random.default_rng(1).choice(x)])
def test_numpy_does_not_round_without_a_word(function):
    a = mct.array([["0.1", "0.3"], ["0.2", "0.4"]])
    for x in ([a[0, 0], a[0, 1]], [a[0], a[1]], ([a[0, 0]],)):
        with pytest.raises(TypeError, match="to_numpy"):
            function(x)
    plain = a.astype("f64x1")
    assert np.asarray(plain).tolist() == np.array([plain[0], plain[1]]).tolist() == [[0.1, 0.3], [0.2, 0.4]]


def test_astype_and_promotion(dtype):
    x = mct.array(["0.1", "-7"], dtype)
    assert mct.array_equal(x.astype("f64x4"), x)
    assert mct.array_equal(x.astype("f64x4").astype(dtype), x)
    assert mct.promote("f64x2", "f32x3") == "f64x3"
    assert mct.promote("f16x2", "bf16x1") == "f32x2"
    assert mct.promote(dtype, dtype) == dtype


def test_pickle_and_copy(dtype):
    import copy

    x = mct.randn((3, 4), 1, dtype)[:, ::2]
    for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert again.dtype == dtype and mct.array_equal(again, x)
        again[0, 0] = 9
        assert x[0, 0] != 9


def test_random_numbers_are_the_librarys():
    assert mct.array_equal(mct.rand((5,), 7), mct.rand(5, 7))
    assert not mct.array_equal(mct.rand((5,), 7), mct.rand((5,), 8))
    x = mct.rand((1000,), 1, "f64x2")
    assert 0 <= float(x.min()) and float(x.max()) < 1 and np.all(x.planes[1] != 0)


def test_ranges_and_constants():
    assert mct.arange(5).tolist() == [0, 1, 2, 3, 4]
    tenths = mct.arange(0, 1, "0.1")
    assert len(tenths) == 10 and tenths[1] == mct.array("0.1")
    assert mct.full((2, 2), "0.1")[1, 1] == mct.array("0.1")
    assert mct.ones(3).tolist() == [1, 1, 1] and mct.eye(2).tolist() == [[1, 0], [0, 1]]
    assert mct.zeros((0, 3)).shape == (0, 3)
    with pytest.raises(ValueError):
        mct.arange(0, 1, -1)
    with pytest.raises(ValueError):
        mct.zeros((-1,))
