"""Operations of manifolds on tensors in the memory of a device, beside the CPU's bits.

As in test_torch_device.py, the device is the one of the C++ tests unless there is a GPU."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor import _core, _torch_device, geometry  # noqa: E402

if not (_core.device_is_simulated() or torch.cuda.is_available()):
    pytest.skip("no device: the package has neither the simulated one nor a GPU", allow_module_level=True)

THERE = "cpu" if _core.device_is_simulated() else "cuda"
MODELS = ["PoincareBall", "HalfSpace", "Lorentz"]
F64 = torch.float64


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(3)


def on_device(monkeypatch):
    """From now on tensors of THERE are those of the device."""
    monkeypatch.setattr(_torch_device, "simulates", True)


def points_of(manifold, *shape, dimensions=10, spread=0.5):
    """Points, random ones, of the CPU."""
    of_lorentz = type(manifold).__name__ == "Lorentz"
    v = torch.randn(*shape, dimensions + of_lorentz, dtype=F64) * spread
    if of_lorentz:
        v[..., 0] = 0
    return manifold.expmap0(v)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("dimensions", [2, 10])
def test_values_have_the_bits_of_the_cpu(model, dimensions, monkeypatch):
    manifold = getattr(geometry, model)(1.5)
    x, y = (points_of(manifold, 2, 150, dimensions=dimensions) for _ in range(2))
    y[0, 0] = x[0, 0]
    y[1, 1] = float("nan")
    u = manifold.logmap(x, y)
    single = points_of(manifold, 150, dimensions=dimensions)
    calls = [("dist", x, y), ("logmap", x, y), ("expmap", x, u), ("dist", x, single), ("dist", single[:1], y),
             ("dist", x.transpose(0, 1), y.transpose(0, 1)), ("dist", x[:, :0], y[:, :0])]
    here = [getattr(manifold, name)(a, b) for name, a, b in calls]
    on_device(monkeypatch)
    for (name, a, b), expected in zip(calls, here):
        found = getattr(manifold, name)(a.to(THERE), b.to(THERE)).cpu()
        assert found.shape == expected.shape
        torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_narrow_types_are_rounded_once(model, dtype, monkeypatch):
    manifold = getattr(geometry, model)()
    x, y = (manifold.projx(points_of(manifold, 100, spread=0.3).to(dtype)) for _ in range(2))
    here = [manifold.dist(x, y), manifold.logmap(x, y)]
    on_device(monkeypatch)
    x, y = x.to(THERE), y.to(THERE)
    for found, expected in zip([manifold.dist(x, y), manifold.logmap(x, y)], here):
        assert found.dtype == dtype
        torch.testing.assert_close(found.cpu(), expected, rtol=0, atol=0, equal_nan=True)
    with pytest.raises(NotImplementedError, match=r"expmap: points of torch.*rounded.*take .cpu\(\)"):
        manifold.expmap(x, y - x)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("dtype, bound", [(F64, 1e-13), (torch.float32, 1e-6)])
def test_derivatives_of_distances(model, dtype, bound, monkeypatch):
    manifold = getattr(geometry, model)(0.8)
    x, y = points_of(manifold, 4, 60).to(dtype), points_of(manifold, 60).to(dtype)
    if dtype == torch.float32:
        x, y = manifold.projx(x), manifold.projx(y)
    weights = torch.randn(4, 60, dtype=dtype)

    def gradients(where):
        a, b = (p.detach().clone().to(where).requires_grad_() for p in (x, y))
        (manifold.dist(a, b) * weights.to(where)).sum().backward()
        return a.grad.cpu(), b.grad.cpu()

    here = gradients("cpu")
    on_device(monkeypatch)
    for found, expected in zip(gradients(THERE), here):
        assert found.dtype == dtype
        size = expected.abs().amax(-1, keepdim=True)
        assert ((found - expected).abs() <= bound * size).all()


def test_what_there_is_no_program_for_is_named(monkeypatch):
    ball = geometry.PoincareBall()
    x, y = (points_of(ball, 5).to(THERE) for _ in range(2))
    odd = points_of(ball, 5, dimensions=7).to(THERE)
    on_device(monkeypatch)
    with pytest.raises(NotImplementedError, match=r"derivatives of logmap.*take .cpu\(\)"):
        ball.logmap(x.requires_grad_(), y).sum().backward()
    radius = torch.tensor(1.0, dtype=F64, requires_grad=True)
    with pytest.raises(NotImplementedError, match="dist by the radius"):
        geometry.PoincareBall(radius).dist(x, y).sum().backward()
    with pytest.raises(ValueError, match="dist on a device: points of 7 dimensions"):
        ball.dist(odd, odd)
    with pytest.raises(ValueError, match=r"operands of shapes \(5, 10\) and \(5, 7\)"):
        ball.dist(x, odd)
    with pytest.raises(ValueError, match="without dimensions"):
        ball.dist(x[0, 0], y[0, 0])
    if THERE == "cuda":
        with pytest.raises(NotImplementedError, match=r"PoincareBall_mobius_add.*take .cpu\(\)"):
            ball.mobius_add(x, y)
        with pytest.raises(ValueError, match="those of one device"):
            ball.dist(x, y.cpu())


@pytest.mark.skipif(THERE == "cpu", reason="no GPU")
def test_current_stream_and_graphs():
    """Calls go to the current stream and wait for nothing: a graph records them."""
    ball = geometry.PoincareBall()
    x, y = (points_of(ball, 1000) for _ in range(2))
    expected, (a, b) = ball.dist(y, x), (x.cuda(), y.cuda())
    graph = torch.cuda.CUDAGraph()
    ball.dist(a, b)
    with torch.cuda.graph(graph):
        found = ball.dist(a, b)
    a.copy_(y)
    b.copy_(x)
    graph.replay()
    assert torch.equal(found.cpu(), expected)
