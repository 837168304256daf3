"""Numbers and lists beside PyTorch's tensors, the types of results, and points that stay points in them."""
import fractions

import numpy as np
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

import mctensor as mct  # noqa: E402
from mctensor import geometry  # noqa: E402
from mctensor.attention import attention, hype_features  # noqa: E402

NARROW = {torch.float32: 2.0**-24, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
BALL, HALF, UNIT = geometry.PoincareBall(0.7), geometry.HalfSpace(1.1), geometry.PoincareBall()
X, Y = np.array([[0.1, 0.2]]), [[0.3, 0.1]]
# operations of numbers and lists that float32 does not hold
CALLS = {
    "dist": lambda x: BALL.dist(x, Y), "geodesic": lambda x: BALL.geodesic(0.1, x, Y),
    "mobius_scalar_mul": lambda x: BALL.mobius_scalar_mul(0.3, x), "expmap0": lambda x: BALL.expmap0(x * 100.0),
    "normal_log_prob": lambda x: BALL.normal_log_prob(x, Y, 0.3),
    "frechet_mean": lambda x: HALF.frechet_mean(x, [0.1]),
    "weighted_midpoint": lambda x: BALL.weighted_midpoint(x, [0.1]),
    "cone_angle": lambda x: geometry.PenumbralCones(BALL, 0.3).cone_angle(x, Y),
    "cone_distance": lambda x: geometry.PenumbralCones(BALL, 0.3).cone_distance(x, Y, 0.1),
    "contains": lambda x: geometry.UmbralCones(BALL, 0.1).contains(x, Y),
    "surrogate": lambda x: geometry.AntumbralCones(HALF, 50.1, 0.01).surrogate(x * 30.0),
    "product": lambda x: geometry.ProductManifold((BALL, 1), (HALF, 1, 0.3)).normal_log_prob(x, Y, 0.3),
    "attention": lambda x: attention(x, x * 2.0, Y, "umbral", gamma=0.7, radius=1.3),
    "bias": lambda x: attention(x, x * 2.0, Y, bias=[[0.1]]),
}


@pytest.mark.parametrize("name", CALLS)
def test_numbers_and_lists_keep_their_digits(name):
    """float32, PyTorch's default type, has no part in them."""
    found = CALLS[name](torch.tensor(X))
    assert np.array_equal(found.numpy(), CALLS[name](X))


def test_what_float32_does_not_hold():
    assert float(BALL.dist(torch.tensor([[0.1, 0.2]], dtype=torch.float64), [[0.3, -0.1]])) == 0.80746276871502032
    tau = torch.tensor([0.1, 0.3], dtype=torch.float64)
    assert all(np.array_equal(a, b) for a, b in zip(hype_features([0.1, 0.7], tau, 0.3, 8),
                                                    hype_features([0.1, 0.7], tau.numpy(), 0.3, 8)))
    x = torch.tensor([0.1, 0.2], dtype=torch.float64)
    third = fractions.Fraction(1, 3)
    assert torch.equal(BALL.mobius_scalar_mul(third, x), BALL.mobius_scalar_mul(1 / 3, x))
    # an optimizer's manifold is that of the loss, to the last digit
    a, b = torch.tensor(X), torch.tensor(X)
    geometry.Rsgd(a, BALL, lr=0.1).step(np.ones((1, 2)))
    assert torch.allclose(a, BALL.expmap(b, -0.1 * BALL.egrad2rgrad(b, torch.ones_like(b))), rtol=1e-15, atol=0)
    # numbers of f64x2 have what their texts say
    long = geometry.PoincareBall(dtype="f64x2")
    pair = long.mobius_scalar_mul(third, torch.tensor([[0.5, 0.0], [0.0, 0.0]], dtype=torch.float64))
    expected = geometry.PoincareBall().mobius_scalar_mul(mct.array(third), mct.array([0.5, 0.0]))
    assert np.array_equal(pair.numpy(), np.moveaxis(expected.planes, 0, -1)) and pair[0, 1] != 0


def test_types_of_results():
    single, double = torch.tensor([0.1, 0.2]), torch.tensor([0.3, 0.1], dtype=torch.float64)
    for x, y, kind in ((single, double, torch.float64), (single, single.half(), torch.float32),
                       (single.half(), single.bfloat16(), torch.float32), (single, [0.3, 0.1], torch.float32),
                       (single.half(), single.half(), torch.float16)):
        assert BALL.dist(x, y).dtype == BALL.expmap(y, x).dtype == kind
    # a number of PyTorch has no part where tensors have dimensions, nor has the radius
    assert BALL.geodesic(torch.tensor(0.5, dtype=torch.float64), single, single).dtype == torch.float32
    assert BALL.geodesic(torch.tensor(0.5), X[0], Y[0]).dtype == torch.float64
    assert geometry.PoincareBall(torch.tensor(0.5)).dist(X[0], Y[0]).dtype == torch.float64
    q = torch.tensor(np.linspace(-1, 1, 6).reshape(1, 2, 3))
    assert attention(q.float(), q, q).dtype == torch.float64
    assert torch.equal(attention(q.float(), q, q), attention(q.float().double(), q, q))
    assert attention(q.half(), q.float(), q.half()).dtype == torch.float32
    assert attention(q.float().numpy(), q.numpy(), q.numpy()).dtype == np.float64
    assert attention(q.float().numpy(), q.half().numpy(), q.float().numpy(), gamma=0.5).dtype == np.float32
    with pytest.raises(TypeError, match="mctensor and tensors of PyTorch"):
        BALL.dist(single, mct.array(Y[0]))
    with pytest.raises(RuntimeError, match="requires grad"):
        BALL.dist(double, [torch.tensor(0.1, requires_grad=True), 0.2])


def directions(manifold, count, generator):
    """Tangent vectors at the origin, from short to far too long; every tenth along an axis."""
    v = torch.randn(count, 3, dtype=torch.float64, generator=generator)
    v[::10] = torch.tensor([0.0, 0.0, -1.0], dtype=torch.float64)
    size = torch.exp(torch.empty(count, 1, dtype=torch.float64).uniform_(-9, 3, generator=generator))
    # the half-space has no unit of length, and its heights are e^-s
    v = v / v.norm(dim=-1, keepdim=True) * size * (1 if isinstance(manifold, geometry.HalfSpace) else manifold.radius)
    return torch.cat([torch.zeros(count, 1), v], -1) if isinstance(manifold, geometry.Lorentz) else v


def are_points(manifold, z):
    """Of each point whether it is one, in its own type."""
    kind, z = z.dtype, z.double()
    if isinstance(manifold, geometry.Lorentz):
        time = (manifold.radius**2 + (z[..., 1:]**2).sum(-1)).sqrt()
        return (z[..., 0] - time).abs() <= 4 * NARROW[kind] * time
    if isinstance(manifold, geometry.HalfSpace):
        return z[..., -1] > 0
    return torch.isfinite(manifold.dist0(z))


def results_that_are_points(manifold, x, y, v, w, t):
    """What operations give that give points, of points x and y, vectors v and w at the origin and numbers t."""
    u = manifold.proju(x, w)
    found = {"expmap0": x, "projx": manifold.projx(3 * v), "projx again": manifold.projx(x),
             "expmap": manifold.expmap(x, u), "retr": manifold.retr(x, u), "geodesic": manifold.geodesic(t, x, y),
             "geodesic_unit": manifold.geodesic_unit(4 * t, x, u),
             "midpoint": manifold.weighted_midpoint(torch.stack([x, y]), [[0.3], [0.7]]),
             "mean": manifold.frechet_mean(torch.stack([x[::200], y[::200]]))}
    if isinstance(manifold, geometry.PoincareBall):
        found |= {"mobius_add": manifold.mobius_add(x, y), "mobius_sub": manifold.mobius_sub(x, y),
                  "mobius_coadd": manifold.mobius_coadd(x, y), "mobius_cosub": manifold.mobius_cosub(x, y),
                  "mobius_scalar_mul": manifold.mobius_scalar_mul(7 * t, x),
                  "mobius_pointwise_mul": manifold.mobius_pointwise_mul(8 * w, x),
                  "horosphere_projection": manifold.horosphere_projection(x, torch.eye(3, dtype=x.dtype)[2])}
    if not isinstance(manifold, geometry.Lorentz):
        found["cones"] = geometry.PenumbralCones(manifold, 0.3).projx(x)
        found["surrogate"] = geometry.AntumbralCones(manifold, 0.3, 0.01).surrogate(found["cones"])
    return found


@pytest.mark.parametrize("kind", NARROW, ids=str)
@pytest.mark.parametrize("manifold", [UNIT, BALL, geometry.HalfSpace(0.5), geometry.Lorentz(0.7)], ids=repr)
def test_results_are_points_in_their_type(manifold, kind):
    """A quarter of a million of them for each model and type, a tenth of it for the unit ball."""
    generator = torch.Generator().manual_seed(3)
    count, results = {"PoincareBall": 15_625}.get(type(manifold).__name__, 31_250), 0
    if manifold is UNIT:
        count //= 10
    v, w = (directions(manifold, count, generator).to(kind) for _ in range(2))
    t = torch.empty(count).uniform_(-2, 3, generator=generator).to(kind)
    x, y = manifold.expmap0(v), manifold.expmap0(w)
    for name, z in results_that_are_points(manifold, x, y, v, w, t).items():
        assert z.dtype == kind
        inside = torch.isfinite(z).all(-1)  # others are beyond the type's range, or the domain of the operation
        assert inside.double().mean() > 0.7 and bool(are_points(manifold, z[inside]).all()), name
        assert not torch.isnan(manifold.dist0(z[inside])).any(), name
        results += len(z)
    assert results > (22_000 if manifold is UNIT else 220_000)
    assert torch.isfinite(manifold.dist(x, y)).double().mean() > 0.75


def test_points_that_rounding_would_have_moved_out():
    ball = geometry.PoincareBall()
    for kind in NARROW:
        for z in (ball.projx(torch.tensor([2.0, 3.0], dtype=kind)),
                  ball.expmap0(torch.tensor([20.0, 0.3], dtype=kind))):
            assert torch.isfinite(ball.dist0(z)) and float(z.double().norm()) < 1
        klein = geometry.Klein()
        far = klein.expmap0(torch.tensor([20.0, 0.3], dtype=kind))
        high = geometry.HalfSpace().expmap0(torch.tensor([0.0, 40.0], dtype=kind))
        assert torch.isfinite(klein.dist0(far)) and torch.isfinite(klein.dist0(geometry.HalfSpace().to_klein(high)))
        low = geometry.HalfSpace().expmap0(torch.tensor([0.0, -110.0], dtype=kind))
        assert low[1] > 0 and torch.isfinite(geometry.HalfSpace().dist0(low))
    # rounded once: not to float32 first, which would make ties
    x = directions(ball, 5000, torch.Generator().manual_seed(1)).to(torch.bfloat16)
    once = mct.array(ball.dist0(x.double().numpy()), "f64x1").astype("bf16x1")
    assert np.array_equal(ball.dist0(x).double().numpy(), once.to_numpy(), equal_nan=True)
    z = torch.tensor([0.3, 0.4], requires_grad=True)
    ball.expmap0(z * 50).sum().backward()
    assert z.grad.dtype == torch.float32 and torch.isfinite(z.grad).all()


@pytest.mark.parametrize("kind", [torch.float64, *NARROW], ids=str)
def test_steps_on_the_hyperboloid_end_at_points(kind):
    """However long they are: at the last point of their direction, with derivatives."""
    manifold = geometry.Lorentz(0.7)
    for size in 3, 5, 14:
        u = torch.randn(200, size, dtype=torch.float64, generator=torch.Generator().manual_seed(size))
        u[:, 0] = 0
        u = (u / u.norm(dim=-1, keepdim=True) * torch.logspace(0, 4, 200, dtype=torch.float64)[:, None]).to(kind)
        z, w = manifold.expmap0(u), manifold.retr(manifold.expmap0(0 * u), 6 * u)
        for end in z, w, manifold.expmap(z, u):
            assert torch.isfinite(end).all() and torch.isfinite(manifold.dist0(end)).all(), size
        time = (0.49 + (z.double()[:100, 1:] ** 2).sum(-1)).sqrt()
        assert ((z.double()[:100, 0] - time).abs() <= 2.0 ** -6 * time).all()
        direction = z.double()[:, 1:] / z.double()[:, :1]
        assert torch.nn.functional.cosine_similarity(direction, u.double()[:, 1:]).min() > 0.99
        if kind is torch.float64:
            u.requires_grad_()
            y = manifold.expmap0(u.detach().flip(0) / 1e4)
            manifold.dist(manifold.expmap0(u), y).sum().backward()
            assert torch.isfinite(u.grad).all() and (u.grad != 0).any(-1).all(), size
    far = geometry.Lorentz().expmap0(torch.tensor([0.0, 100.0, 0.0], dtype=torch.float16))
    assert float(far[0]) > 65000 and float(geometry.Lorentz().dist0(far)) > 11.7


def test_a_radius_is_one_number():
    for kind in (geometry.PoincareBall, geometry.HalfSpace, geometry.Lorentz):
        with pytest.raises(ValueError, match=r"radius: a tensor of shape \(2,\); one number is taken"):
            kind(torch.tensor([1.0, 1.0]))
        with pytest.raises(TypeError, match="radius must be a float"):
            kind(np.array([1.0, 1.0]))
        with pytest.raises(TypeError, match="radius must be a float, not '1'"):
            kind("1")
        with pytest.raises(ValueError, match="last dimension of 2"):
            kind(torch.tensor(1.0, dtype=torch.float64), dtype="f64x2")
        assert repr(kind(torch.tensor([2.0]))) == repr(kind(np.array([[2.0]]))) == f"{kind.__name__}(radius=2.0)"
    with pytest.raises(ValueError, match=r"length: a tensor of shape \(2,\)"):
        geometry.UmbralCones(BALL, torch.tensor([0.1, 0.1]))
    radius = torch.tensor([1.3], dtype=torch.float64, requires_grad=True)
    ball = geometry.PoincareBall(radius)
    ball.dist(torch.tensor(X), Y).sum().backward()
    assert radius.grad.shape == (1,) and radius.grad != 0 and ball.k.shape == (1,)
    optimizer = geometry.Rsgd(torch.tensor(X), ball)
    with torch.no_grad():
        radius += 0.1
    with pytest.raises(ValueError, match="radius 1.3, and they are of radius 1.4"):
        optimizer.step(np.ones((1, 2)))
