"""Derivatives along a direction: torch.func.jvp, jacfwd and hessian, torch.autograd.forward_ad."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch 2.4 or later is not installed")

from torch.autograd import forward_ad  # noqa: E402

from mctensor import _torch_geometry, _torch_pairs, geometry  # noqa: E402
from mctensor.attention import COMPARISONS, attention, hype_features  # noqa: E402
from test_operators import directions_of, operands_of, points_of  # noqa: E402
from test_second_derivatives import plain_distance  # noqa: E402

F64 = torch.float64
BALL, HALF = geometry.PoincareBall(), geometry.HalfSpace()


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(7)


def along(operator, tensors, options, directions):
    """By forward_ad, and by gradients: the products of both with a random gradient of the result."""
    with forward_ad.dual_level():
        given = [x if t is None else forward_ad.make_dual(x, t) for x, t in zip(tensors, directions)]
        value, found = forward_ad.unpack_dual(operator(*given, *options))
    inputs = [x.clone().requires_grad_(t is not None) for x, t in zip(tensors, directions)]
    grad = torch.randn_like(value)
    wanted = [i for i, t in enumerate(directions) if t is not None]
    gradients = torch.autograd.grad(operator(*inputs, *options), [inputs[i] for i in wanted], grad)
    parts = [(g * directions[i]).flatten() for g, i in zip(gradients, wanted)]
    return found, (found * grad).sum(), torch.cat(parts)


@pytest.mark.parametrize("part", range(4))
def test_every_operator(part):
    """As the gradients say and, where an operand may move freely, as differences do."""
    for i, (words, operator) in enumerate(list(_torch_geometry.OPERATORS.items())[part::4]):
        tensors, options = operands_of(words)
        directions = [torch.randn_like(x) for x in tensors]
        if i % 2 == 0:
            directions[0] = None
        found, forward, parts = along(operator, tensors, options, directions)
        assert abs(forward - parts.sum()) <= 1e-12 * max(parts.abs().sum(), 1), words
        if {"Lorentz", "Hemisphere", "Sphere"} & set(words) or words[-1] in ("busemann", "horosphere_projection",
                                                                             "projx"):
            continue
        step = 1e-5
        ahead, behind = (operator(*(x if t is None else x + s * t for x, t in zip(tensors, directions)), *options)
                         for s in (step, -step))
        assert torch.allclose((ahead - behind) / (2 * step), found, rtol=1e-5, atol=1e-5), words


def test_pairs_and_types():
    x, y, t = points_of("PoincareBall"), points_of("PoincareBall"), torch.randn(3, 3, dtype=F64)
    expected = torch.func.jvp(lambda a: BALL.expmap(a, y), (x,), (t,))
    for kind in (torch.float32, torch.bfloat16):
        a, b = x.to(kind), y.to(kind)
        value, found = torch.func.jvp(lambda z: BALL.expmap(z, b), (a,), (t.to(kind),))
        wide = torch.func.jvp(lambda z: BALL.expmap(z, b.double()), (a.double(),), (t.to(kind).double(),))[1]
        assert value.dtype == found.dtype == kind
        assert torch.allclose(found.double(), wide, rtol=4 * torch.finfo(kind).eps, atol=4 * torch.finfo(kind).eps)
    for words, operands in (("dist", (x, y)), ("expmap", (x, y))):
        operator = _torch_pairs.OPERATORS["PoincareBall", words]
        pairs = [torch.stack([z, z * 0], -1) for z in (torch.tensor(1.0, dtype=F64), *operands)]
        found = torch.func.jvp(lambda a: operator(pairs[0], a, pairs[2]), (pairs[1],),
                               (torch.stack([t, t * 0], -1),))[1].sum(-1)
        assert torch.allclose(found, torch.func.jvp(lambda a: getattr(BALL, words)(a, y), (x,), (t,))[1], rtol=1e-13)
    rounded = torch.func.jvp(lambda a: BALL.expmap(a.float(), y.bfloat16()), (x,), (t,))[1]  # by way of float64
    assert rounded.dtype == torch.float32 and torch.allclose(rounded.double(), expected[1], rtol=0.2, atol=0.1)


def test_jacobians():
    x, y = points_of("PoincareBall", 2), points_of("PoincareBall", 2)
    h, g = points_of("HalfSpace", 2), points_of("HalfSpace", 2)
    cones = geometry.PenumbralCones(HALF, 50.0)
    k = torch.tensor(1.2, dtype=F64)
    for f, *args in ((BALL.expmap, x, y), (BALL.dist, x, y[0]), (cones.cone_angle, h, g), (BALL.frechet_mean, x),
                     (BALL.weighted_midpoint, x), (BALL.to_half_space, x),
                     (lambda r: geometry.PoincareBall(r).expmap(x, y), k),
                     (lambda r: geometry.PoincareBall(r).frechet_mean(x), k)):
        numbers = tuple(range(len(args)))
        for a, b in zip(torch.func.jacfwd(f, numbers)(*args), torch.func.jacrev(f, numbers)(*args)):
            assert torch.allclose(a, b, rtol=1e-12, atol=1e-13)
    m = torch.tensor([0.1, 0.2], dtype=F64)
    for i in (0, 1):
        def columns(a):
            return hype_features(torch.arange(2), a, 1.0, 4)[i]

        assert torch.allclose(torch.func.jacfwd(columns)(m), torch.func.jacrev(columns)(m))


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_attention(comparison):
    """Every way to second derivatives, with queries that are the keys; dropped weights stay dropped."""
    x, t = torch.randn(1, 3, 2, dtype=F64), torch.randn(1, 3, 2, dtype=F64)
    gamma = torch.tensor(0.7, dtype=F64)
    bias, hidden = torch.randn(3, 3, dtype=F64), torch.rand(3, 3) < 0.2

    def f(a, g):
        return attention(a, a, a.sin(), comparison, gamma=g, radius=1 + g, causal=True, hidden=hidden, bias=bias * g,
                         dropout=0.3, seed=4)

    assert torch.autograd.gradcheck(f, (x.clone().requires_grad_(), gamma.clone().requires_grad_()),
                                    check_forward_ad=True)
    ways = [outer(inner(lambda a, g: f(a, g).square().sum(), (0, 1)), (0, 1))(x, gamma) for outer, inner in (
        (torch.func.jacfwd, torch.func.jacrev), (torch.func.jacrev, torch.func.jacfwd),
        (torch.func.jacrev, torch.func.jacrev))]
    for way in ways[1:]:
        for a, b in zip(way, ways[0]):
            assert all(torch.allclose(p, q, rtol=1e-11, atol=1e-12) for p, q in zip(a, b))
    slope = torch.func.grad(lambda a: f(a, gamma).square().sum())
    along = torch.func.jvp(slope, (x,), (t,))[1]
    assert torch.allclose(along, (slope(x + 1e-6 * t) - slope(x - 1e-6 * t)) / 2e-6, rtol=1e-6, atol=1e-7)
    assert torch.allclose(along, torch.einsum("abcdef,def->abc", ways[0][0][0], t), rtol=1e-11, atol=1e-12)


def test_hessians():
    """All four ways, beside geoopt's formula; both points, and radii."""
    x, y = points_of("PoincareBall", 1)[0], points_of("PoincareBall", 1)[0]
    expected = torch.func.hessian(plain_distance, (0, 1))(x, y)
    for outer, inner in ((torch.func.jacfwd, torch.func.jacrev), (torch.func.jacrev, torch.func.jacfwd),
                         (torch.func.jacrev, torch.func.jacrev)):
        found = outer(inner(BALL.dist, (0, 1)), (0, 1))(x, y)
        for row, truth in zip(found, expected):
            assert all(torch.allclose(a, b, rtol=1e-12, atol=1e-12) for a, b in zip(row, truth))
    for f, plain in ((lambda z: BALL.dist(z, y).square(), lambda z: plain_distance(z, y).square()),
                     (lambda z: torch.exp(BALL.dist(BALL.expmap0(z), y)),  # not linear in what an operator gives
                      lambda z: torch.exp(BALL.dist(BALL.expmap0(z), y)))):
        truth = torch.autograd.functional.hessian(plain, x)
        assert torch.allclose(torch.func.hessian(f)(x), truth, rtol=1e-11)
        assert torch.allclose(torch.func.jvp(torch.func.grad(f), (x,), (y,))[1], truth @ y, rtol=1e-11)
    k = torch.tensor(1.3, dtype=F64)
    both = [torch.func.hessian(f)(k) for f in (
        lambda r: geometry.PoincareBall(r).dist(x, y), lambda r: r * plain_distance(x / r, y / r))]
    assert torch.allclose(*both, rtol=1e-12)
    far = BALL.expmap0(6.0 * directions_of("PoincareBall", 1))[0]
    near = BALL.expmap(far, 1e-3 * directions_of("PoincareBall", 1)[0])
    a, b = (torch.func.hessian(lambda z: BALL.dist(z, near))(far),
            torch.func.jacrev(torch.func.jacrev(lambda z: BALL.dist(z, near)))(far))
    assert a.isfinite().all() and torch.allclose(a, b, rtol=1e-12)


def test_what_has_none_is_an_error():
    """It would be a silent zero."""
    x, y = points_of("PoincareBall", 2), points_of("PoincareBall", 2)
    with pytest.raises(ValueError, match="query 0 and key 0 are the same point"):
        torch.func.jvp(lambda a: attention(a[None], y[None], y[None], "ball"), (y.clone(),), (x,))
    with pytest.raises(NotImplementedError, match="second derivatives of attention"):
        torch.func.jacfwd(torch.func.jacfwd(lambda a: attention(a[None], y[None], y[None])))(x)
    with pytest.raises(NotImplementedError, match="second derivatives of PoincareBall_dist"):
        torch.func.jacfwd(torch.func.jacfwd(lambda a: BALL.dist(a, y)))(x)
    with pytest.raises(ValueError, match="second derivative"):
        torch.func.hessian(lambda a: BALL.dist(a, x).sum())(x)
    # first derivatives of a corner are 0 by definition
    assert not torch.func.jvp(lambda a: BALL.dist(a, x), (x,), (y,))[1].any()
