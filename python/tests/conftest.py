"""What several tests need."""
import fractions
import threading

import numpy as np
import pytest

import mctensor as mct


@pytest.fixture(params=mct.DTYPES)
def dtype(request):
    """Every type."""
    return request.param


@pytest.fixture(params=["f64x2", "f64x4", "f32x2", "bf16x3"])
def long_dtype(request):
    """A sample of the types of several components."""
    return request.param


def unit(dtype):
    """u^N: half the distance of 1 from the next number of as many bits."""
    precision = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
    kind, n = dtype.split("x")
    return fractions.Fraction(1, 2 ** (precision[kind] * int(n)))


def beside(work, read, times=100):
    """Does the work in a thread and reads beside it, so many times at least."""
    errors = []

    def run():
        try:
            for _ in range(times):
                work()
        except Exception as error:  # a thread would swallow it
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        read()
    thread.join()
    assert not errors, errors


def exact(x):
    """An array as an object array of fractions."""
    return x.to_fraction() if isinstance(x, mct.Array) else np.vectorize(fractions.Fraction)(x)
