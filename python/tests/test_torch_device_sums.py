"""Exact sums of tensors in the memory of a device, beside the CPU's bits.

As in test_torch_device.py, the device is the one of the C++ tests unless there is a GPU."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

import test_torch_sums as sums  # noqa: E402
from mctensor import _core, _torch_device, _torch_device_sums  # noqa: E402
from mctensor.torch import exact  # noqa: E402

if not (_core.device_is_simulated() or torch.cuda.is_available()):
    assert "/simulated/" not in _core.__file__, "the package that has the simulated device does not find it"
    pytest.skip("no device: the package has neither the simulated one nor a GPU", allow_module_level=True)

THERE = "cpu" if _core.device_is_simulated() else "cuda"
F64 = torch.float64


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(7)


def both(monkeypatch, f, *tensors):
    """What f gives of tensors of the CPU, and of the device; and what was started there."""
    here, started = f(*tensors), []
    monkeypatch.setattr(_torch_device, "simulates", True)
    sums_there = _core.exact_sums_there
    monkeypatch.setattr(_core, "exact_sums_there", lambda *args: started.append(args[0]) or sums_there(*args))
    found = f(*(x.to(THERE) for x in tensors))
    monkeypatch.undo()
    return here, found.cpu(), started


def bits(x):
    return x.view({8: torch.int64, 4: torch.int32, 2: torch.int16}[x.element_size()])


@pytest.mark.parametrize("dtype", sums.KINDS)
@pytest.mark.parametrize("terms", [1, 7, 400])
def test_bits_of_the_cpu(dtype, terms, monkeypatch):
    x, y = (sums.numbers(dtype, 3, terms, spread=spread) for spread in (12, 8))
    for f, given in ((lambda a: exact.sum(a, -1), (x,)), (lambda a: exact.mean(a, -1), (x,)),
                     (lambda a: exact.sum(a), (x,)), (lambda a: exact.sum(a, 0, keepdim=True), (x,)),
                     (exact.dot, (x, y)), (lambda a, b: exact.dot(a[:, None], b), (x, y))):
        here, found, started = both(monkeypatch, f, *given)
        assert started and found.dtype == dtype
        assert torch.equal(bits(found), bits(here))


@pytest.mark.parametrize("dtype", [F64, torch.bfloat16])
def test_rows_that_are_summed_in_pieces(dtype, monkeypatch):
    monkeypatch.setattr(_torch_device_sums, "_PIECE", 64)
    x = sums.numbers(dtype, 2, 5000)
    for f in (lambda a: exact.sum(a, -1), lambda a: exact.mean(a, -1), lambda a: exact.dot(a, a)):
        with monkeypatch.context() as patch:
            here, found, started = both(patch, f, x)
        assert started.count("levels") == 2  # 237 numbers of the first sums
        assert torch.equal(bits(found), bits(here))


def test_what_three_doubles_do_not_hold(monkeypatch):
    """These sums are the CPU's: too many digits, overflows on the way, infinities, NaN; and signs of zero."""
    inf, nan = float("inf"), float("nan")
    x = torch.tensor([[1e300, 1e200, 1e100, 1, -1e300], [1e308, 1e308, -1e308, -1e308, 3], [inf, 1, 2, 3, 4],
                      [inf, -inf, 0, 0, 0], [nan, 1, 2, 3, 4], [1e308, 1e308, 1e308, 0, 0], [-0.0] * 5,
                      [1, -1, -0.0, 0, 0]], dtype=F64)
    for f in (lambda a: exact.sum(a, -1), lambda a: exact.mean(a, -1), lambda a: exact.dot(a, torch.ones_like(a))):
        here, found, _ = both(monkeypatch, f, x)
        assert torch.equal(bits(found), bits(here))
    for shape in ((0,), (3, 0), (0, 3)):
        for f in (lambda a: exact.sum(a, -1), lambda a: exact.mean(a, -1)):
            here, found, _ = both(monkeypatch, f, torch.ones(shape))
            torch.testing.assert_close(found, here, rtol=0, atol=0, equal_nan=True)


def test_derivatives_and_vmap(monkeypatch):
    x, y = torch.randn(3, 8, dtype=F64), torch.randn(8, dtype=F64)

    def gradients(a, b):
        a, b = a.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()
        value = exact.dot(a, b).square().sum() + exact.mean(a, -1).exp().sum() + exact.sum(a * a)
        first = torch.autograd.grad(value, (a, b), create_graph=True)
        second = torch.autograd.grad(sum(g.square().sum() for g in first), (a, b))
        return torch.cat([g.flatten() for g in (*first, *second)])

    here, found, _ = both(monkeypatch, gradients, x, y)
    torch.testing.assert_close(found, here, rtol=1e-14, atol=0)
    here, found, started = both(monkeypatch, lambda a: torch.func.vmap(lambda row: exact.sum(row))(a), x)
    loops = not hasattr(torch.library, "register_vmap")  # PyTorch 2.4
    assert len(started) == (3 if loops else 1) and torch.equal(found, here)


@pytest.mark.skipif(THERE == "cpu", reason="no GPU")
def test_devices_side_by_side_are_refused():
    with pytest.raises(ValueError, match="those of one device"):
        exact.dot(torch.ones(3, device="cuda"), torch.ones(3))
