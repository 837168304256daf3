"""Operations of manifolds on tensors in the memory of a device, beside the CPU's bits.

As in test_torch_device.py, the device is the one of the C++ tests unless there is a GPU."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor import _core, _torch_device, _torch_device_points, _torch_geometry, geometry  # noqa: E402
from mctensor.torch import geometry as manifolds  # noqa: E402

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
    """And a point stays a point: also next to the boundary, where the CPU rounds it."""
    manifold = getattr(geometry, model)()
    x, y = (manifold.projx(points_of(manifold, 100, spread=spread).to(dtype)) for spread in (0.3, 2))
    u = manifold.proju(x, torch.randn_like(x))
    calls = [("dist", x, y), ("logmap", x, y), ("expmap", x, u), ("expmap", x, 30 * u), ("mobius_add", x, y),
             ("projx", 3 * torch.randn_like(x)), ("expmap0", u)]
    calls = [call for call in calls if hasattr(manifold, call[0])]
    here = [getattr(manifold, name)(*given) for name, *given in calls]
    mixed = manifold.expmap(x, u.double()).to(dtype)
    on_device(monkeypatch)
    for (name, *given), expected in zip(calls, here):
        found = getattr(manifold, name)(*(a.to(THERE) for a in given))
        assert found.dtype == dtype
        torch.testing.assert_close(found.cpu(), expected, rtol=0, atol=0, equal_nan=True, msg=name)
    torch.testing.assert_close(manifold.expmap(x.to(THERE), u.double().to(THERE)).to(dtype).cpu(), mixed)


#: whose last bits are those of the steps, which the CPU takes otherwise
OTHER_BITS = {"expmap", "ptransp", "egrad2rgrad", "normal_log_prob"}


def operands_of(manifold, kinds, dimensions=7, count=40):
    """Points and numbers for an operation; among them equal points and some next to the boundary."""
    given = [points_of(manifold, count, dimensions=dimensions) if kind == "p" else torch.rand(count, dtype=F64)
             for kind in kinds]
    if kinds.count("p") > 1:
        first, second = (i for i, kind in enumerate(kinds[:3]) if kind == "p" and kinds[:i].count("p") < 2)
        given[second][0] = given[first][0]
    far = points_of(manifold, 2, dimensions=dimensions, spread=7)
    given[kinds.index("p")][1:3] = far
    return given


@pytest.mark.parametrize("model", MODELS)
def test_every_operation_and_its_derivatives(model, monkeypatch):
    """In a dimension that has no compiled program: by the steps that the CPU takes in lanes."""
    operations = {name: kinds for name, kinds in _torch_geometry.OPERATIONS[model].items()
                  if name not in ("busemann", "horosphere_projection") and name not in _core.conversions}
    assert len(operations) > 20
    given = {name: operands_of(getattr(geometry, model)(1.5), kinds) for name, kinds in operations.items()}

    def results(where):
        found = {}
        for name, operands in given.items():
            radius = torch.tensor(1.5, dtype=F64, requires_grad=True)
            leaves = [radius, *(x.detach().clone().to(where).requires_grad_() for x in operands)]
            value = _torch_geometry.operate(model, name, leaves[0], leaves[1:])
            weights = torch.linspace(-1, 2, value.numel(), dtype=F64).reshape(value.shape).to(where)
            gradients = torch.autograd.grad((value * weights).sum(), leaves, allow_unused=True)
            found[name] = [value.detach().cpu(), *(g if g is None else g.cpu() for g in gradients)]
        return found

    here = results("cpu")
    on_device(monkeypatch)
    there = results(THERE)
    for name, expected in here.items():
        for number, (a, b) in enumerate(zip(there[name], expected)):
            assert (a is None) == (b is None), name
            if b is None:
                continue
            same_bits = number != 1 and not (number == 0 and name in OTHER_BITS)  # the radius' is a sum
            torch.testing.assert_close(a, b, rtol=0 if same_bits else 1e-12, atol=0 if same_bits else 1e-12,
                                       equal_nan=True, msg=lambda text, n=number: f"{name}, {n}: {text}")


@pytest.mark.parametrize("model", MODELS)
def test_second_derivatives(model, monkeypatch):
    manifold = getattr(geometry, model)(0.8)
    x, y = (points_of(manifold, 3, 50, dimensions=5) for _ in range(2))
    u = manifold.logmap(x, y)

    def gradients(where):
        found = []
        for name, second in (("dist", y), ("expmap", u), ("logmap", y)):
            radius = torch.tensor(0.8, dtype=F64, requires_grad=True)
            leaves = [radius, *(p.detach().clone().to(where).requires_grad_() for p in (x, second[0]))]
            value = getattr(type(manifold)(leaves[0]), name)(*leaves[1:])
            first = torch.autograd.grad(value.square().sum(), leaves, create_graph=True)
            found += torch.autograd.grad(sum(g.square().sum().cpu() for g in first), leaves)
        return [g.cpu() for g in found]

    here = gradients("cpu")
    on_device(monkeypatch)
    monkeypatch.setattr(_torch_device_points, "DIMENSIONS", (2, 10))  # those of the simulated device
    for found, expected in zip(gradients(THERE), here):
        torch.testing.assert_close(found, expected, rtol=1e-11, atol=1e-11)


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


def test_nothing_and_shapes(monkeypatch):
    """No points, points in blocks that are not full, several radii."""
    ball = geometry.PoincareBall()
    x, y = (points_of(ball, 3, 130, dimensions=7) for _ in range(2))
    radii = torch.tensor([[1.0], [1.5], [2.0]], dtype=F64)

    def several(*points):
        return _torch_geometry.operate("PoincareBall", "mobius_add", radii.to(points[0].device), points)

    here = [ball.mobius_add(x, y[:1]), ball.mobius_add(x[:0], y[:0]), ball.mobius_scalar_mul(x[..., 0], y),
            several(x, y)]
    on_device(monkeypatch)
    a, b = x.to(THERE), y.to(THERE)
    there = [ball.mobius_add(a, b[:1]), ball.mobius_add(a[:0], b[:0]), ball.mobius_scalar_mul(a[..., 0], b),
             several(a, b)]
    for found, expected in zip(there, here):
        assert torch.equal(found.cpu(), expected)


def test_what_there_is_no_program_for_is_named(monkeypatch):
    ball = geometry.PoincareBall()
    x, y = (points_of(ball, 5).to(THERE) for _ in range(2))
    odd = points_of(ball, 5, dimensions=7).to(THERE)
    long = torch.zeros(1, 1025, dtype=F64, device=THERE)
    on_device(monkeypatch)
    with pytest.raises(NotImplementedError, match=r"PoincareBall: busemann of 10 coordinates.*take .cpu\(\)"):
        ball.busemann(x, torch.nn.functional.normalize(y, dim=-1))
    with pytest.raises(NotImplementedError, match="mobius_add of 1025 coordinates"):
        ball.mobius_add(long, long)
    with pytest.raises(ValueError, match=r"operands of shapes \(5, 10\) and \(5, 7\)"):
        ball.dist(x, odd)
    with pytest.raises(ValueError, match="without dimensions"):
        ball.dist(x[0, 0], y[0, 0])
    with pytest.raises(ValueError, match="points of 1 coordinates; 2 at least"):
        geometry.Lorentz().dist0(x[:, :1])
    if THERE == "cuda":
        with pytest.raises(NotImplementedError, match=r"Klein_dist.*take .cpu\(\)"):
            geometry.Klein().dist(x, y)
        with pytest.raises(ValueError, match="those of one device"):
            ball.dist(x, y.cpu())


@pytest.mark.parametrize("optimizer", ["RiemannianSGD", "RiemannianAdam"])
def test_optimizers_of_manifolds(optimizer, monkeypatch):
    """Those of geoopt's conventions call these operations."""
    ball = manifolds.PoincareBall(c=1.0)
    start = points_of(geometry.PoincareBall(), 30, dimensions=7)
    other = points_of(geometry.PoincareBall(), 30, dimensions=7)

    def trained(where):
        points = manifolds.ManifoldParameter(start.to(where), manifold=ball)
        steps = getattr(manifolds, optimizer)([points], lr=0.05)
        for _ in range(3):
            steps.zero_grad()
            ball.dist(points, other.to(where)).sum().backward()
            steps.step()
        return points.detach().cpu()

    here = trained("cpu")
    on_device(monkeypatch)
    torch.testing.assert_close(trained(THERE), here, rtol=1e-12, atol=1e-12)


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
