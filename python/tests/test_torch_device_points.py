"""Operations of manifolds on tensors in the memory of a device, beside the CPU's bits.

As in test_torch_device.py, the device is the one of the C++ tests unless there is a GPU."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

import test_operators as operators  # noqa: E402
from mctensor import (_core, _torch_device, _torch_device_points, _torch_geometry,  # noqa: E402
                      _torch_operators as torch_operators, geometry)
from mctensor.attention import hyla_features, hype_features  # noqa: E402
from mctensor.torch import geometry as manifolds  # noqa: E402

if not (_core.device_is_simulated() or torch.cuda.is_available()):
    assert "/simulated/" not in _core.__file__, "the package that has the simulated device does not find it"
    pytest.skip("no device: the package has neither the simulated one nor a GPU", allow_module_level=True)

THERE = "cpu" if _core.device_is_simulated() else "cuda"
MODELS = ["PoincareBall", "HalfSpace", "Lorentz"]
F64 = torch.float64
ON_DIRECTIONS = ("busemann", "horosphere_projection")
MEANS = ("frechet_mean", "weighted_midpoint")


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
                  if name not in ON_DIRECTIONS and name not in _core.conversions}
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


def thrice(words, operands, where):
    """The value of an operator, its first and its second derivatives."""
    leaves = [x.detach().clone().to(where if i > 0 else "cpu").requires_grad_() for i, x in enumerate(operands)]
    value = _torch_geometry.OPERATORS[words](*leaves)
    weights = torch.linspace(-1, 2, value.numel(), dtype=F64).reshape(value.shape).to(where)
    first = torch.autograd.grad((value * weights).sum(), leaves, create_graph=True, materialize_grads=True)
    second = torch.autograd.grad(sum(g.square().sum().cpu() for g in first), leaves, allow_unused=True)
    return [value.detach().cpu(), *(g.detach().cpu() for g in first), *(g if g is None else g.cpu() for g in second)]


def others():
    """Operations of models that have no lanes, conversions, what wants a direction, and cones."""
    for *cones, model, name in _torch_geometry.OPERATORS:
        has_lanes = model in MODELS and name not in _core.conversions and name not in ON_DIRECTIONS and not cones
        if not has_lanes and name not in MEANS:
            yield *cones, model, name


def test_operations_without_lanes(monkeypatch):
    given = {words: operators.operands_of(words)[0] for words in others()}
    assert len(given) > 150 and ("HalfSpace", "busemann") in given
    here = {words: thrice(words, operands, "cpu") for words, operands in given.items()}
    on_device(monkeypatch)
    for words, operands in given.items():
        for number, (a, b) in enumerate(zip(thrice(words, operands, THERE), here[words])):
            assert (a is None) == (b is None), words
            torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-10, equal_nan=True,
                                       msg=lambda text, n=number: f"{words}, {n}: {text}")


@pytest.mark.parametrize("curvature", [-0.7, 0.0, 0.9])
def test_steps_of_a_curvature_are_those_of_its_sign(curvature, monkeypatch):
    """Derivatives by it included, where it is 0, too; and some of several curvatures."""
    given = {words: operators.operands_of(words)[0] for words in others() if words[0] == "Stereographic"}
    assert len(given) > 20
    for operands in given.values():
        operands[0].fill_(curvature)
    here = {words: thrice(words, operands, "cpu") for words, operands in given.items()}
    x, y = (points_of(geometry.PoincareBall(), 3, 50, dimensions=4) for _ in range(2))
    several = torch.tensor([[curvature], [-1.0], [0.3]], dtype=F64)
    distances = _torch_geometry.operate("Stereographic", "dist", several, (x, y))
    on_device(monkeypatch)
    for words, operands in given.items():
        for number, (a, b) in enumerate(zip(thrice(words, operands, THERE), here[words])):
            assert (a is None) == (b is None), words
            torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-10, equal_nan=True,
                                       msg=lambda text, n=number: f"{words}, {n}: {text}")
    found = _torch_geometry.operate("Stereographic", "dist", several.to(THERE), (x.to(THERE), y.to(THERE)))
    torch.testing.assert_close(found.cpu(), distances, rtol=1e-14, atol=0)


@pytest.mark.parametrize("dtype", [F64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("curvature", [-0.7, 0.9])
def test_points_of_a_curvature_stay_points(dtype, curvature, monkeypatch):
    manifold = geometry.Stereographic(curvature)
    x = manifold.projx(torch.randn(200, 4, dtype=F64).to(dtype))
    u = torch.randn(200, 4, dtype=F64).to(dtype) * torch.logspace(-3, 2, 200).unsqueeze(-1).to(dtype)
    calls = [("expmap", x, u), ("projx", 3 * u), ("mobius_add", x, x.flip(0))]
    here = [getattr(manifold, name)(*operands) for name, *operands in calls]
    on_device(monkeypatch)
    for (name, *operands), expected in zip(calls, here):
        found = getattr(manifold, name)(*(a.to(THERE) for a in operands)).cpu()
        assert found.dtype == dtype and (1 + curvature * found.double().square().sum(-1) > 0).all()
        bound = 1e-13 if dtype == F64 else torch.finfo(dtype).eps
        torch.testing.assert_close(found, expected, rtol=bound, atol=0 if dtype == F64 else bound, msg=name)


def midpoint_and_derivatives(model, radius, points, weights, dim, where):
    """The value, the first and the second derivatives."""
    leaves = [radius.detach().clone().requires_grad_(),
              *(x.detach().clone().to(where).requires_grad_() for x in (points, weights))]
    value = _torch_geometry.OPERATORS[model, "weighted_midpoint"](*leaves, dim)
    seed = torch.linspace(-1, 2, value.numel(), dtype=F64).reshape(value.shape).to(where)
    first = torch.autograd.grad((value * seed).sum(), leaves, create_graph=True)
    second = torch.autograd.grad(sum(g.square().sum().cpu() for g in first), leaves)
    return [x.detach().cpu() for x in (value, *first, *second)]


@pytest.mark.parametrize("model", MODELS)
def test_weighted_midpoints(model, monkeypatch):
    """Among them sets whose points are so far apart that the CPU computes them, and weights that broadcast."""
    manifold = getattr(geometry, model)(1.3)
    points = points_of(manifold, 4, 6, 3, dimensions=5, spread=0.6)
    points[1:3] = points_of(manifold, 2, 6, 3, dimensions=5, spread=5)
    radius = torch.tensor(1.3, dtype=F64)
    weights = {0: torch.rand(4, 6, 3, dtype=F64), 1: torch.rand(6, 1, dtype=F64), 2: torch.rand(3, dtype=F64)}
    here = {dim: midpoint_and_derivatives(model, radius, points, w, dim, "cpu") for dim, w in weights.items()}
    single = manifold.projx(points.float())
    narrow = manifold.weighted_midpoint(single, weights[1].float(), 1)
    started = []
    on_device(monkeypatch)
    sums = _core.exact_sums_there
    monkeypatch.setattr(_core, "exact_sums_there", lambda *args: started.append(args[0]) or sums(*args))
    for dim, w in weights.items():
        for number, (a, b) in enumerate(zip(midpoint_and_derivatives(model, radius, points, w, dim, THERE), here[dim])):
            # a derivative that is 0 is so as a sum of others: those of the same order, by radius, points, weights
            together = here[dim][1:4] if number < 4 else here[dim][4:]
            size = b.abs().amax(-1, keepdim=True) if number == 0 else max(x.abs().max() for x in together)
            assert ((a - b).abs() <= (1e-13 if number == 0 else 1e-10) * size).all(), (dim, number)
    assert "nearest" in started
    found = manifold.weighted_midpoint(single.to(THERE), weights[1].float().to(THERE), 1)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found.cpu(), narrow, rtol=2e-7, atol=0)


def test_errors_of_means_are_those_of_the_cpu(monkeypatch):
    ball = geometry.PoincareBall()
    x, w = points_of(ball, 5, dimensions=3), torch.ones(5, dtype=F64)
    calls = [(x, -w, 0), (x, 0 * w, 0), (x, w, 1), (x, w[:2], 0), (x[:0], w[:0], 0)]

    def message(points, weights, dim, where):
        with pytest.raises(ValueError) as error:
            ball.weighted_midpoint(points.to(where), weights.to(where), dim)
        return str(error.value)

    here = [message(*call, "cpu") for call in calls]
    on_device(monkeypatch)
    assert [message(*call, THERE) for call in calls] == here


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_narrow_points_of_other_models(dtype, monkeypatch):
    ball = geometry.PoincareBall(1.5)
    x = ball.projx(torch.cat([points_of(ball, 50, spread=spread).to(dtype) for spread in (0.3, 2)]))
    models = ["klein", "half_space", "hemisphere", "lorentz"]
    here = [getattr(ball, "to_" + model)(x) for model in models]
    on_device(monkeypatch)
    for model, expected in zip(models, here):
        found = getattr(ball, "to_" + model)(x.to(THERE))
        assert found.dtype == dtype
        torch.testing.assert_close(found.cpu(), expected, rtol=0, atol=0, msg=model)


def test_directions_that_are_none_are_named(monkeypatch):
    ball = geometry.PoincareBall()
    on_device(monkeypatch)
    with pytest.raises(ValueError, match="a direction has the length 1"):
        ball.busemann(points_of(ball, 5).to(THERE), torch.ones(5, 10, dtype=F64, device=THERE))


@pytest.mark.parametrize("model", ["PoincareBall", "HalfSpace"])
def test_cones_of_several_lights_and_narrow_points(model, monkeypatch):
    """Radii broadcast; results are rounded once; contains; most points are none that steps leave."""
    manifold = getattr(geometry, model)()
    u, v = (manifold.projx(points_of(manifold, 40, dimensions=3, spread=0.7).to(torch.float32)) for _ in range(2))
    radii = torch.tensor([[1.0, 0.2 if model == "PoincareBall" else 40.0], [1.5, 0.3]], dtype=F64)
    words = ("PenumbralCones", model)
    calls = [(*words, "angle_energy"), (*words, "boundary_distance"), (*words, "projx")]

    def results(where):
        points = [x.to(where) for x in (u, v)]
        found = [_torch_geometry.OPERATORS[call](radii[:, None], *points[:2 - (call[-1] == "projx")]) for call in calls]
        return [x.cpu() for x in (*found, _torch_geometry.CONTAINS[words](radii[0], *points))]

    here = results("cpu")
    on_device(monkeypatch)
    for found, expected in zip(results(THERE), here):
        assert found.dtype == expected.dtype
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-7, equal_nan=True)


def test_columns_of_hype(monkeypatch):
    """Of float32 the bits of the CPU; of float64 within a few places."""
    places, mu = torch.rand(6, 2, dtype=F64), torch.tensor([[0.1, 0.2], [0.05, -0.3]], dtype=F64)
    for dtype in (F64, torch.float32, torch.bfloat16):
        given = [places, mu.to(dtype), (mu + 1).to(dtype)]

        def results(where):
            p, m, tau = (x.detach().clone().to(where).requires_grad_() for x in given)
            found = hype_features(p, m, tau, 8, 3)
            weights = [torch.linspace(0, 1, x.numel()).reshape(x.shape).to(dtype).to(where) for x in found]
            first = torch.autograd.grad(sum((x * w).sum() for x, w in zip(found, weights)), [p, m, tau],
                                        create_graph=True)
            second = torch.autograd.grad(sum(g.double().square().sum() for g in first), [p, m, tau])
            return [x.detach().cpu() for x in (*found, *first, *second)]

        with monkeypatch.context() as scope:
            here = results("cpu")
            on_device(scope)
            for i, (found, expected) in enumerate(zip(results(THERE), here)):
                assert found.dtype == expected.dtype
                exact = i < 2 and dtype != F64
                tolerance = 0 if exact else 4e-15 if i < 2 else 1e-12 if dtype == F64 else 4 * torch.finfo(dtype).eps
                torch.testing.assert_close(found, expected, rtol=tolerance, atol=tolerance)


def test_features_of_hyla(monkeypatch):
    points = points_of(geometry.PoincareBall(1.5), 20, dimensions=3)
    waves = [torch.nn.functional.normalize(torch.randn(6, 3, dtype=F64)), torch.randn(6, dtype=F64),
             torch.rand(6, dtype=F64)]

    def results(where):
        leaves = [x.detach().clone().to(where).requires_grad_() for x in (points, *waves[1:])]
        radius = torch.tensor(1.5, dtype=F64, requires_grad=True)
        features = hyla_features(geometry.PoincareBall(radius), leaves[0], waves[0].to(where), *leaves[1:])
        return [features.detach().cpu(), *(g.cpu() for g in torch.autograd.grad(features.square().sum(),
                                                                                [radius, *leaves]))]

    here = results("cpu")
    on_device(monkeypatch)
    for found, expected in zip(results(THERE), here):
        torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)


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


def first_and_second(operation, *given):
    """The value, gradients of a sum of it, and gradients of a sum of those."""
    leaves = [x.detach().clone().requires_grad_() for x in given]
    value = operation(*leaves)
    first = torch.autograd.grad(value.square().sum(), leaves, create_graph=True)
    second = torch.autograd.grad(sum(g.square().sum() for g in first), leaves)
    return [x.detach().cpu() for x in (value, *first, *second)]


def test_what_has_no_program_is_computed_on_the_cpu(monkeypatch):
    """Points of more coordinates than programs have, and of one in the half-space: the CPU's bits, and a warning."""
    ball, line = geometry.PoincareBall(), geometry.HalfSpace()
    long = [points_of(ball, 2, dimensions=1025, spread=0.01) for _ in range(2)]
    heights = [torch.tensor([[0.5], [2.0]], dtype=F64), torch.tensor([[0.25]], dtype=F64)]
    calls = [(ball.mobius_add, *long), (ball.dist, *long), (line.dist, *heights), (line.expmap, *heights)]
    here = [first_and_second(*call) for call in calls]
    narrow = ball.dist(*(x.float() for x in long))
    on_device(monkeypatch)
    monkeypatch.setattr(_torch_device, "_told", set())
    with pytest.warns(RuntimeWarning, match="PoincareBall_mobius_add: there is no program for this on a GPU") as told:
        ball.mobius_add(*(x.to(THERE) for x in long))
    assert told[0].filename == __file__  # not a line of the package
    for (operation, *given), expected in zip(calls, here):
        found = first_and_second(operation, *(x.to(THERE) for x in given))
        assert all(torch.equal(a, b) for a, b in zip(found, expected))
    assert torch.equal(ball.dist(*(x.float().to(THERE) for x in long)).cpu(), narrow)


@pytest.mark.skipif(THERE == "cpu", reason="PyTorch calls kernels of the CPU for the simulated device's tensors")
def test_operators_without_programs_take_cuda_tensors():
    """Means and numbers of f64x2, with the radius on either side."""
    ball, pairs = geometry.PoincareBall(), geometry.PoincareBall(dtype="f64x2")
    x, w = points_of(ball, 5), torch.rand(5, dtype=F64)
    y = torch.stack([x, 1e-18 * x], -1)
    calls = [(lambda a, b: ball.frechet_mean(a, b, 0), x, w), (pairs.dist, y, y.flip(0)),
             (lambda k, a, b: geometry.PoincareBall(k).frechet_mean(a, b, 0), torch.tensor(1.5, dtype=F64), x, w)]
    for operation, *given in calls:
        expected = first_and_second(operation, *given)
        assert all(torch.equal(a, b) for a, b in zip(
            first_and_second(operation, *(t.to(THERE) for t in given)), expected))
    found = ball.frechet_mean(x.to(THERE), w.to(THERE), 0)
    assert found.device.type == THERE


def test_results_without_a_program_belong_to_the_devices_of_operands(monkeypatch):
    """The kernel that PyTorch calls for CUDA tensors, with tensors that say that they are there."""
    class There(torch.Tensor):
        device = torch.device("cuda")

    asked = []

    def kernel(x, numbers, flags):
        asked.append((type(x), flags))
        return x + 1, numbers

    there = torch_operators._elsewhere("test", kernel, lambda x, numbers, flags: (x, numbers))
    moved = []
    monkeypatch.setattr(torch.Tensor, "to", lambda x, device: moved.append(str(device)) or x)
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: False)
    monkeypatch.setattr(_torch_device, "_told", {"test"})
    x = torch.zeros(2).as_subclass(There)
    found = there(x, torch.ones(3), [True])
    assert torch.equal(found[0].as_subclass(torch.Tensor), torch.ones(2)) and torch.equal(found[1], torch.ones(3))
    assert moved == ["cuda", "cpu"] and asked[0][1] == [True]
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
    with pytest.raises(NotImplementedError, match="test: it waits for the GPU, which a CUDA graph does not record"):
        there(x, torch.ones(3), [True])


def test_points_beside_several_radii_are_rounded_there(monkeypatch):
    """Numbers beside float32 make float64, which is rounded to points: each radius' there."""
    x = points_of(geometry.PoincareBall(), 2, 3).float()
    radii = torch.tensor([[1.0], [1.5]], dtype=F64)

    def scaled(points):
        return _torch_geometry.operate("PoincareBall", "mobius_scalar_mul", radii, (0.5, points))

    here, rounded = scaled(x), []
    on_device(monkeypatch)
    monkeypatch.setattr(_torch_geometry, "round_there",
                        lambda *args: rounded.append(args[2].shape) or _torch_device_points.round_there(*args))
    there = scaled(x.to(THERE))
    assert torch.equal(there.cpu(), here) and len(rounded) == 2 and there.dtype == torch.float32


def test_errors_of_shapes_and_devices(monkeypatch):
    ball = geometry.PoincareBall()
    x, y = (points_of(ball, 5).to(THERE) for _ in range(2))
    odd = points_of(ball, 5, dimensions=7).to(THERE)
    on_device(monkeypatch)
    with pytest.raises(ValueError, match=r"operands of shapes \(5, 10\) and \(5, 7\)"):
        ball.dist(x, odd)
    with pytest.raises(ValueError, match="without dimensions"):
        ball.dist(x[0, 0], y[0, 0])
    with pytest.raises(ValueError, match="points of 1 coordinates; 2 at least"):
        geometry.Lorentz().dist0(x[:, :1])
    if THERE == "cuda":
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


def test_sines_of_the_sphere_are_those_of_double(monkeypatch):
    """Those that suffice for float32 are off by 200 units in the last place."""
    sphere = geometry.Sphere()
    x = torch.tensor([0.0, 0.0, 1.0], dtype=F64).expand(2000, 3).contiguous()
    u = torch.zeros_like(x)
    u[:, 0] = torch.linspace(0.05, 6, 2000, dtype=F64)
    on_device(monkeypatch)
    found = sphere.expmap(x.to(THERE), u.to(THERE)).cpu()
    torch.testing.assert_close(found[:, 0], u[:, 0].sin(), rtol=0, atol=3e-16)
