"""Operations as operators of PyTorch: opcheck, torch.compile, torch.export, torch.func, checkpoints and autocast."""
import numpy as np
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch 2.4 or later is not installed")

import torch.utils.checkpoint  # noqa: E402
from mctensor import _torch_attention, _torch_geometry, _torch_hype, _torch_pairs, geometry  # noqa: E402
from mctensor.attention import attention, hype_features  # noqa: E402

F64 = torch.float64
RADII = {"UmbralCones": [0.2], "PenumbralCones": [0.05], "AntumbralCones": [0.2, 0.005]}
CHEAP = ("test_schema", "test_autograd_registration", "test_faketensor")


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(5)


def points_of(model, count=3, spread=0.4):
    """Points of a model as a tensor of float64."""
    manifold = getattr(geometry, model)()
    v = torch.randn(count, 4 if model == "Lorentz" else 3, dtype=F64) * spread
    if model == "Lorentz":
        v[:, 0] = 0
    return manifold.expmap0(v)


def directions_of(model, count=3):
    """Of length 1, exactly; neither time nor height."""
    v = torch.zeros(count, 4 if model == "Lorentz" else 3, dtype=F64)
    v[:, 1] = torch.sign(torch.randn(count, dtype=F64))
    return v


def operands_of(words):
    """What the operator of these words can be called with: the radii, the operands, and options."""
    *cones, model, name = words
    if name in ("frechet_mean", "weighted_midpoint"):
        return [torch.tensor(1.0, dtype=F64), points_of(model), torch.rand(3, dtype=F64) + 0.1], (0,)
    lengths = RADII[cones[0]] if cones else []
    if cones and cones[0] != "UmbralCones" and model == "HalfSpace":
        lengths = [50.0, 0.002][:len(lengths)]
    kinds = _torch_geometry.CONES[cones[0]][name] if cones else _torch_geometry.OPERATIONS[model][name]
    given = [points_of(model) if kind == "p" else torch.rand(3, dtype=F64) for kind in kinds]
    if cones:  # out of the light, and not so far that it is hidden
        given = [getattr(geometry, model)().expmap0(0.4 * torch.nn.functional.normalize(torch.randn(3, 3, dtype=F64)))
                 if kind == "p" else x for x, kind in zip(given, kinds)]
    if name in ("busemann", "horosphere_projection"):
        given[1] = directions_of(model)
    first = torch.tensor([1.0, *lengths], dtype=F64) if cones else torch.tensor(1.0, dtype=F64)
    return [first, *given], ()


def check(operator, tensors, options=(), utils=CHEAP):
    given = [x.detach().clone().requires_grad_(x.is_floating_point()) for x in tensors]
    torch.library.opcheck(operator, (*given, *options), test_utils=utils)


@pytest.mark.parametrize("part", range(4))
def test_every_operator(part):
    """The value and, where there is one, its backward operator; all checks of every seventh."""
    for i, (words, operator) in enumerate(list(_torch_geometry.OPERATORS.items())[part::4]):
        tensors, options = operands_of(words)
        result = operator(*tensors, *options)
        assert not torch.isnan(result).any(), words
        utils = (*CHEAP, "test_aot_dispatch_dynamic") if i % 7 == 0 else CHEAP
        check(operator, tensors, options, utils)
        backward = getattr(torch.ops.mctensor, "_".join(words) + "_backward").default
        wanted = [i % 2 == 0, *(True for _ in tensors[1:])]
        check(backward, [torch.rand_like(result), *tensors], (*options, wanted), utils)


def test_operators_of_pairs():
    for i, (words, operator) in enumerate(_torch_pairs.OPERATORS.items()):
        if i % 5 == 0:
            tensors, _ = operands_of(words)
            check(operator, [torch.stack([x, x * 0], -1) for x in tensors])


def test_operators_beside_the_table():
    q, k, v = (torch.randn(2, n, 3) for n in (4, 5, 5))
    gamma, radius = torch.tensor([[[0.5]], [[1.0]]]), torch.tensor(1.2)
    bias, hidden = torch.randn(4, 5), torch.rand(4, 5) < 0.2
    about = ("umbral", True, 0.0, 3, 1)
    given = [q, k, v, gamma, radius, bias]
    operator = _torch_attention.ATTENTION
    inputs = [x.clone().requires_grad_() for x in given]
    values, sums = operator(*given, hidden, *about)
    torch.library.opcheck(operator, (*given, hidden, *about), test_utils=(*CHEAP, "test_aot_dispatch_dynamic"))
    torch.library.opcheck(operator, (*inputs, hidden, *about), test_utils=CHEAP)
    torch.library.opcheck(_torch_attention.BACKWARD, (torch.ones_like(values), *given, None, values, sums, *about,
                                                      [True, False, True, True, True, True]), test_utils=CHEAP)
    places, mu = torch.arange(5.0, dtype=F64).unsqueeze(-1), torch.tensor([[0.01], [0.02]], dtype=F64)
    for operator, given in ((_torch_hype.QUERIES, (mu, mu)), (_torch_hype.KEYS, (mu,))):
        torch.library.opcheck(operator, (places, *(x.clone().requires_grad_() for x in given), 4, 2))
    for model, operator in _torch_geometry.ROUND.items():
        torch.library.opcheck(operator, (torch.tensor(1.0, dtype=F64), points_of(model).requires_grad_(),
                                         torch.bfloat16))
    for (cones, model), operator in _torch_geometry.CONTAINS.items():
        torch.library.opcheck(operator, (*operands_of((cones, model, "cone_angle"))[0],), test_utils=CHEAP)


def loss_of(ball, half, cones, lorentz):
    """A loss with an operation of each kind."""
    def loss(x, y, h, g, a, k):
        learned = geometry.PoincareBall(k)
        z = ball.geodesic(0.3, ball.expmap(x, 0.1 * y), learned.mobius_add(x, y))
        return (learned.dist(z, y).sum() + half.dist2(h, g).sum() + cones.angle_energy(h, g).sum()
                + lorentz.dist(a, ball.to_lorentz(x)).sum() + ball.weighted_midpoint(z, None, -2).sum()
                + cones.contains(h, g).sum())
    return loss


@pytest.mark.parametrize("dtype", [F64, torch.float32])
def test_compiled_as_eager(dtype):
    ball, half, lorentz = geometry.PoincareBall(), geometry.HalfSpace(), geometry.Lorentz()
    loss = loss_of(ball, half, geometry.UmbralCones(half, 0.2), lorentz)
    given = [points_of("PoincareBall"), points_of("PoincareBall"), points_of("HalfSpace"), points_of("HalfSpace"),
             points_of("Lorentz"), torch.tensor(1.1, dtype=F64)]
    given = [x.to(dtype).requires_grad_() for x in given]
    results = []
    for f in (loss, torch.compile(loss, fullgraph=True, backend="aot_eager")):
        value = f(*given)
        results.append([value, *torch.autograd.grad(value, given)])
    assert all(torch.equal(eager, compiled) for eager, compiled in zip(*results))


def test_wrong_shapes_are_the_same_errors():
    """Eager, and where only shapes are known."""
    ball, half = geometry.PoincareBall(), geometry.HalfSpace()
    cones, long = geometry.UmbralCones(half, 0.2), geometry.PoincareBall(dtype="f64x2")
    x, y, one = torch.rand(2, 3, dtype=F64) * 0.1, torch.rand(2, 4, dtype=F64) * 0.1, torch.tensor(0.1, dtype=F64)
    for f, *args in ((ball.dist, x, y), (ball.expmap, x, y), (lambda a, b: ball.geodesic(0.5, a, b), x, y),
                     (cones.cone_angle, x, y), (ball.dist, x, one), (ball.dist0, one)):
        with pytest.raises(ValueError) as eager:
            f(*args)
        with pytest.raises(ValueError) as fake:
            f(*(z.to("meta") for z in args))
        assert str(eager.value) == str(fake.value)
        with pytest.raises(Exception) as compiled:
            torch.compile(f, fullgraph=True, backend="eager")(*args)
        assert str(eager.value) in str(compiled.value)
    operator = _torch_pairs.OPERATORS["PoincareBall", "dist"]
    messages = []
    for device in ("cpu", "meta"):
        with pytest.raises(ValueError) as error:
            operator(*(torch.stack([z, z * 0], -1).to(device) for z in (one, x, y)))
        messages.append(str(error.value))
    assert messages[0] == messages[1] and long.dist0(torch.zeros(1, 2, dtype=F64)).shape == (2,)


@pytest.mark.skipif(not hasattr(torch.library, "register_vmap"), reason="PyTorch 2.4 maps no empty batch")
def test_empty_batches():
    """Of radii, which are taken one by one, and of points."""
    none, y = torch.empty(0, dtype=F64), points_of("PoincareBall", 3)
    cones = geometry.UmbralCones(geometry.HalfSpace(), 0.2)
    for f, shape in ((lambda r: geometry.PoincareBall(r).dist0(y), (0, 3)),
                     (lambda r: geometry.PoincareBall(r).expmap0(y), (0, 3, 3)),
                     (lambda r: geometry.PoincareBall(r).frechet_mean(y), (0, 3)),
                     (lambda r: geometry.UmbralCones(geometry.HalfSpace(), r).contains(y, y), (0, 3)),
                     (torch.func.grad(lambda r: geometry.PoincareBall(r).dist0(y).sum()), (0,)),
                     (torch.func.grad(torch.func.grad(lambda r: geometry.PoincareBall(r).dist0(y).sum())), (0,)),
                     (lambda r: torch.func.jvp(lambda k: geometry.PoincareBall(k).dist0(y), (r,), (r,))[1], (0, 3))):
        assert torch.func.vmap(f)(none).shape == shape
    assert torch.func.vmap(lambda a: cones.contains(a, y))(torch.empty(0, 3, 3, dtype=F64)).shape == (0, 3)


def test_inductor():
    ball = geometry.PoincareBall()
    x, y = (points_of("PoincareBall").requires_grad_() for _ in range(2))
    results = []
    for f in (ball.dist, torch.compile(ball.dist, fullgraph=True)):
        value = f(x, y)
        results.append([value, *torch.autograd.grad(value, (x, y), torch.ones_like(value))])
    assert all(torch.equal(eager, compiled) for eager, compiled in zip(*results))


@pytest.mark.parametrize("radius", [0.5, 2])
def test_pairs_with_a_plain_radius_are_compiled(radius):
    ball = geometry.PoincareBall(radius, dtype="f64x2")
    x, y = (torch.stack([0.3 * points_of("PoincareBall"), torch.full((3, 3), 1e-18, dtype=F64)], -1) for _ in range(2))
    step = torch.compile(lambda a, b: ball.dist(a, ball.expmap(a, b)), fullgraph=True, backend="aot_eager")
    assert torch.equal(step(x, y), ball.dist(x, ball.expmap(x, y)))


def test_compiled_attention():
    def model(q, k, v, gamma, mu):
        columns_q, columns_k = hype_features(torch.arange(6), mu, 1.0, 5)
        q, k = (torch.cat([x, c.expand(*x.shape[:-1], -1)], -1) for x, c in ((q, columns_q), (k, columns_k)))
        return attention(q, k, v, "laplacian", gamma=gamma, causal=True).square().sum()

    given = [*(torch.randn(2, 6, 3, dtype=torch.bfloat16) for _ in range(3)), torch.tensor(0.7),
             torch.tensor(0.01)]
    given = [x.requires_grad_() for x in given]
    eager = torch.autograd.grad(model(*given), given)
    compiled = torch.autograd.grad(torch.compile(model, fullgraph=True, backend="aot_eager")(*given), given)
    assert all(torch.equal(a, b) for a, b in zip(eager, compiled))


def test_exported():
    class Distance(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.ball = geometry.PoincareBall()

        def forward(self, x, y):
            return self.ball.dist(self.ball.projx(x), y)

    x, y = points_of("PoincareBall"), points_of("PoincareBall")
    rows = torch.export.Dim("rows", min=2)
    program = torch.export.export(Distance(), (x, y), dynamic_shapes={"x": {0: rows}, "y": {0: rows}})
    a, b = points_of("PoincareBall", 7), points_of("PoincareBall", 7)
    assert torch.equal(program.module()(a, b), Distance()(a, b))


def each(f, in_dims, *args):
    """What vmap gives, by a loop."""
    size = next(x.shape[d] for x, d in zip(args, in_dims) if d is not None)
    return torch.stack([f(*(x if d is None else x.select(d, i) for x, d in zip(args, in_dims)))
                        for i in range(size)])


def test_vmap_as_loops():
    ball, half = geometry.PoincareBall(), geometry.HalfSpace()
    x, y = points_of("PoincareBall", 12).reshape(4, 3, 3), points_of("PoincareBall", 3)
    t = torch.rand(3, 4, dtype=F64)
    cones = geometry.UmbralCones(half, 0.2)
    h, g = points_of("HalfSpace", 12).reshape(4, 3, 3), points_of("HalfSpace", 4)
    narrow = geometry.PoincareBall(0.7)
    pairs = geometry.PoincareBall(dtype="f64x2")
    long = torch.stack([x, x * 1e-18], -1)
    for f, in_dims, args in (
            (ball.dist, (0, None), (x, y)), (ball.expmap, (1, 0), (x, y)), (ball.geodesic, (1, 0, None), (t, x, y)),
            (ball.geodesic, (1, None, None), (t, y, y)), (ball.frechet_mean, (0, None), (x, t[:, 0])),
            (ball.frechet_mean, (None, 1), (y, t)), (cones.cone_angle, (0, 0), (h, g)),
            (cones.contains, (0, 0), (h, g)), (lambda a: narrow.projx(3 * a.bfloat16()), (0,), (x,)),
            (lambda a: narrow.geodesic(0.3, a.float(), y[0]), (0,), (x,)),
            (lambda k: geometry.PoincareBall(k).dist0(y), (0,), (torch.tensor([1.0, 2.0], dtype=F64),)),
            (pairs.dist0, (0,), (long,)), (ball.to_half_space, (0,), (x,)),
            (lambda q, gamma: attention(q, y, y, "laplacian", gamma=gamma), (0, 0), (x, t[0])),
            (lambda v: attention(y, y, v, dropout=0.3), (0,), (x,)),
            (lambda m: hype_features(torch.arange(4), m, 1.0, 4)[0], (0,), (torch.tensor([0.1, 0.2]),))):
        torch.testing.assert_close(torch.func.vmap(f, in_dims)(*args), each(f, in_dims, *args), rtol=0, atol=0,
                                   equal_nan=True)


def test_hessians_of_torch_func():
    """Levels around one see its result, too: a function of it that is not linear."""
    ball, (x, y) = geometry.PoincareBall(), points_of("PoincareBall", 2)
    for f in (lambda a: ball.dist(a, y).square(), lambda a: ball.dist0(a)**3):
        expected = torch.autograd.functional.hessian(f, x)
        torch.testing.assert_close(torch.func.jacrev(torch.func.jacrev(f))(x), expected)
        torch.testing.assert_close(torch.func.jacrev(torch.func.grad(f))(x), expected)


def test_learned_numbers_are_mapped():
    """Manifolds and cones that are made where numbers cannot be asked for."""
    k, y = torch.tensor([0.5, 0.7], dtype=F64), points_of("HalfSpace", 1)[0]
    below = y * torch.tensor([1.0, 1.0, 0.5], dtype=F64)
    for f in (lambda r: geometry.Stereographic(r).dist0(0.1 * y), lambda r: geometry.PoincareBall(r).dist0(0.1 * y),
              lambda r: geometry.UmbralCones(geometry.HalfSpace(), r).angle_energy(y, below)):
        expected = [torch.func.grad(f)(one) for one in k]
        assert torch.equal(torch.func.vmap(torch.func.grad(f))(k), torch.stack(expected))


def test_jacobians_as_loops():
    ball, half = geometry.PoincareBall(), geometry.HalfSpace()
    x, y = points_of("PoincareBall", 2), points_of("PoincareBall", 2)
    h, g = points_of("HalfSpace", 2), points_of("HalfSpace", 2)
    cones = geometry.PenumbralCones(half, 50.0)
    k = torch.tensor(1.2, dtype=F64)
    for f, *args in ((ball.expmap, x, y), (ball.dist, x, y[0]), (cones.cone_angle, h, g), (ball.frechet_mean, x),
                     (lambda r: geometry.PoincareBall(r).expmap(x, y), k),
                     (lambda q, b: attention(q, y, y, bias=b), x, torch.zeros(2, 2, dtype=F64)),
                     (lambda q: attention(q, q, q), x)):
        numbers = tuple(range(len(args)))
        found = torch.func.jacrev(f, numbers)(*args)
        expected = torch.autograd.functional.jacobian(f, tuple(args))
        assert all(torch.equal(a, b) for a, b in zip(found, expected))
    per_sample = torch.func.vmap(torch.func.grad(lambda a, b: ball.dist2(a, b)))(x, y)
    a = x.clone().requires_grad_()
    assert torch.equal(per_sample, torch.autograd.grad(ball.dist2(a, y).sum(), a)[0])


def test_checkpoint_autocast_and_inference():
    ball = geometry.PoincareBall()
    x, y = (points_of("PoincareBall").requires_grad_() for _ in range(2))
    plain = torch.autograd.grad(ball.dist(ball.expmap(x, y), y).sum(), x)[0]
    kept = torch.utils.checkpoint.checkpoint(lambda a, b: ball.dist(ball.expmap(a, b), b), x, y, use_reentrant=False)
    assert torch.equal(torch.autograd.grad(kept.sum(), x)[0], plain)
    layer = torch.nn.Linear(3, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = ball.expmap0(layer(x.float()))
        assert z.dtype == torch.bfloat16 and ball.dist(z, y.float()).dtype == torch.float32
        assert attention(z[None], z[None], z[None]).dtype == torch.bfloat16
    with torch.inference_mode():
        assert torch.equal(ball.dist(x, y), ball.dist(x.detach(), y.detach()))
    with torch.device("meta"):
        assert ball.dist(torch.empty(4, 1, 3), torch.empty(5, 3)).shape == (4, 5)


def test_conversions():
    x = points_of("PoincareBall", 4).requires_grad_()
    ball, half, lorentz = geometry.PoincareBall(), geometry.HalfSpace(), geometry.Lorentz()
    there = ball.to_lorentz(x)
    assert there.shape == (4, 4)
    torch.testing.assert_close(lorentz.to_poincare_ball(there), x)
    torch.testing.assert_close(half.dist(ball.to_half_space(x[:2]), ball.to_half_space(x[2:])), ball.dist(x[:2], x[2:]))
    assert torch.autograd.gradcheck(ball.to_half_space, [x])
    assert np.array_equal(ball.to_lorentz(x.detach().numpy()), there.detach().numpy())
