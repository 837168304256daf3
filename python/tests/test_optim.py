"""AdamW over NumPy arrays."""
import numpy as np
import pytest

from conftest import beside
from mctensor import optim


def arrays_of(strategy, weights, grad, format="bfloat16", first=0):
    states = optim.new_arrays(strategy, weights, format)
    arrays = optim.AdamWArrays(strategy, format)
    arrays.add(**states, grad=grad, first=first)
    return arrays, states


def gradient(strategy, values, format="bfloat16"):
    return values.astype(np.float32) if strategy == "full" else optim.narrow(values, format)


@pytest.mark.parametrize("strategy", optim.STRATEGIES)
def test_a_step_is_adams(strategy):
    weights = np.linspace(1, 2, 300, dtype=np.float32)
    grad = np.linspace(-1, 1, 300, dtype=np.float32) + 0.003
    arrays, _ = arrays_of(strategy, weights, gradient(strategy, grad))
    report = arrays.step(optim.AdamWOptions(lr=0.125, weight_decay=0.0), 1)
    # the first step of Adam is lr times the sign
    assert report.elements == 300 and not report.skipped
    assert np.allclose(arrays.weights(0), weights - 0.125 * np.sign(grad), atol=0.02)


def test_many_arrays_are_separate_calls():
    rng = np.random.default_rng(1)
    together, apart = optim.AdamWArrays("split16-plus"), []
    for i in range(5):
        weights, grad = rng.standard_normal((2, 100 + i)).astype(np.float32)
        kept = [optim.new_arrays("split16-plus", weights) for _ in range(2)]
        together.add(**kept[0], grad=optim.narrow(grad), first=128 * i)
        one = optim.AdamWArrays("split16-plus")
        one.add(**kept[1], grad=optim.narrow(grad), first=128 * i)
        apart.append((kept, one))
    for step in range(1, 4):
        together.step(optim.AdamWOptions(seed=3), step)
        for kept, one in apart:
            one.step(optim.AdamWOptions(seed=3), step)
            for name in kept[0]:
                assert np.array_equal(kept[0][name], kept[1][name]), name


def test_a_gradient_that_is_not_finite_skips_the_step():
    weights = np.ones(200, np.float32)
    arrays, states = arrays_of("plus", weights, optim.narrow(np.full(200, np.inf, np.float32)))
    before = {name: values.copy() for name, values in states.items()}
    report = arrays.step(optim.AdamWOptions(), 1)
    assert report.skipped and report.nonfinite == 200
    assert all(np.array_equal(before[name], states[name]) for name in states)


def test_weights_come_back():
    weights = np.random.default_rng(2).standard_normal(77).astype(np.float32)
    arrays, _ = arrays_of("split16", weights, np.zeros(77, np.uint16))
    assert np.array_equal(arrays.weights(0), weights)
    arrays.set_weights(0, weights + 1)
    assert np.array_equal(arrays.weights(0), weights + 1)
    with pytest.raises(ValueError, match="3 weights"):
        arrays.set_weights(0, weights[:3])


@pytest.mark.parametrize("strategy", [s for s in optim.STRATEGIES if s != "full"])
def test_weights_written_between_steps_count(strategy):
    weights = np.linspace(0.5, 2, 300, dtype=np.float32) * np.float32(1 + 2.0 ** -12)
    arrays, states = arrays_of(strategy, weights, optim.narrow(np.ones(300, np.float32)))
    arrays.step(optim.AdamWOptions(lr=1e-3), 1)
    written = optim.narrow(np.full(300, 0.37, np.float32))
    states["theta"][...] = written
    assert np.array_equal(arrays.weights(0), optim.widen(written))
    arrays.step(optim.AdamWOptions(lr=0.0), 2)
    assert np.array_equal(states["theta"], written)
    assert np.array_equal(arrays.weights(0), optim.widen(written))


def test_arrays_are_added_while_others_step():
    weights = np.ones(16, np.float32)
    added = [(optim.new_arrays("plus", weights), optim.narrow(weights)) for _ in range(64)]
    options = optim.AdamWOptions()
    for _ in range(10):
        arrays = optim.AdamWArrays("plus")
        left = iter(added)

        def add():
            for states, grad in left:
                arrays.add(**states, grad=grad)

        beside(lambda: arrays.step(options, 1), add, 50)
        add()
        assert arrays.step(options, 1).elements == 16 * 64


def test_numbers_of_16_bits():
    x = np.array([1.0, -2.5, np.inf, 1e-3], np.float32)
    assert np.array_equal(optim.widen(optim.narrow(x)), (x.view(np.uint32) + 0x7FFF + (x.view(np.uint32)
                          >> 16 & 1) >> 16 << 16).astype(np.uint32).view(np.float32))
    assert np.array_equal(optim.narrow(x, "float16"), x.astype(np.float16))
    with pytest.raises(TypeError):
        optim.widen(x)


def test_bad_arguments():
    weights = np.ones(200, np.float32)
    states = optim.new_arrays("plus", weights)
    grad = np.zeros(200, np.uint16)
    arrays = optim.AdamWArrays("plus")
    with pytest.raises(TypeError, match="plus keeps theta, low, m, v, v_low"):
        arrays.add(theta=states["theta"], grad=grad)
    with pytest.raises(ValueError, match="m has 396 bytes, 400 are wanted"):
        arrays.add(**{**states, "m": states["m"][:-2]}, grad=grad)
    with pytest.raises(ValueError, match="contiguous"):
        arrays.add(**{**states, "m": np.zeros(400, np.uint16)[::2]}, grad=grad)
    with pytest.raises(TypeError, match="float32"):
        arrays.add(**{**states, "m": np.zeros(100, np.float32)}, grad=grad)
    with pytest.raises(ValueError, match="no such|nothing"):
        optim.AdamWArrays("nothing")
    with pytest.raises(ValueError, match="float32"):
        optim.AdamWArrays("plus", "float32")
    arrays.add(**states, grad=grad)
    with pytest.raises(ValueError, match="lr"):
        arrays.step(optim.AdamWOptions(lr=float("nan")), 1)
    with pytest.raises(ValueError, match="step"):
        arrays.step(optim.AdamWOptions(), 0)
    with pytest.raises(TypeError, match="speed"):
        optim.AdamWOptions(speed=1)
    with pytest.raises(ValueError, match="decoupled"):
        optim.AdamWOptions(decay_mode="outside")
    with pytest.raises(ValueError):
        optim.narrow(weights, "bf16")
    for options, error, message in [(dict(lr=None), TypeError, "lr must be a float, not None"),
                                    (dict(seed=-1), ValueError, "seed -1 is out of range"),
                                    (dict(seed="a"), TypeError, "seed must be an int, not 'a'"),
                                    (dict(metrics=2.5), TypeError, "metrics must be a bool, not 2.5"),
                                    (dict(decay_mode=3), TypeError, "decay_mode must be a WeightDecay, not 3")]:
        with pytest.raises(error, match=message):
            optim.AdamWOptions(**options)
    with pytest.raises(TypeError, match="options must be AdamWOptions, not None"):
        arrays.step(None, 1)
    with pytest.raises(TypeError, match="step must be an int, not 1.5"):
        arrays.step(optim.AdamWOptions(), 1.5)
    with pytest.raises(ValueError, match="parameters must be at least 0, not -1"):
        optim.layout_of("plus", -1)
    with pytest.raises(IndexError, match="index of an array is out of range"):
        arrays.set_weights(5, weights)
    with pytest.raises(IndexError, match="range"):
        arrays.weights(5)
    for call in (lambda x: optim.narrow(x), lambda x: optim.new_arrays("plus", x),
                 lambda x: arrays.set_weights(0, x)):
        for bad in (weights + 1j, None, np.array(["1"])):
            with pytest.raises(TypeError, match="real numbers are taken"):
                call(bad)
