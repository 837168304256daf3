"""Derivatives of derivatives on PyTorch's tensors."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch 2.4 or later is not installed")

from mctensor import _core, geometry  # noqa: E402
from mctensor.attention import attention, hype_features  # noqa: E402
from test_operators import directions_of, points_of  # noqa: E402

F64 = torch.float64
BALL, HALF, LORENTZ = geometry.PoincareBall(), geometry.HalfSpace(), geometry.Lorentz()


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(3)


def on_sheet(space):
    """The hyperboloid's point with these coordinates in space."""
    return torch.cat([(1 + (space * space).sum(-1, keepdim=True)).sqrt(), space], -1)


def cases():
    x, y = points_of("PoincareBall", 2), points_of("PoincareBall", 2)
    h, g = points_of("HalfSpace", 2), points_of("HalfSpace", 2)
    a, b = points_of("Lorentz", 2)[:, 1:], points_of("Lorentz", 2)[:, 1:]
    u, v = 0.3 * torch.randn(2, 3, dtype=F64), torch.randn(2, 3, dtype=F64)
    k = torch.tensor(1.3, dtype=F64)
    umbral, penumbral = geometry.UmbralCones(HALF, 0.2), geometry.PenumbralCones(HALF, 50.0)
    return {
        "ball dist": (BALL.dist, x, y), "ball expmap": (BALL.expmap, x, u), "ball logmap": (BALL.logmap, x, y),
        "ball ptransp": (BALL.ptransp, x, y, v), "mobius_add": (BALL.mobius_add, x, y),
        "geodesic": (BALL.geodesic, torch.tensor([0.3, 0.7], dtype=F64), x, y),
        "ball dist0": (BALL.dist0, x),
        "half dist": (HALF.dist, h, g), "half dist2": (HALF.dist2, h, g), "half expmap": (HALF.expmap, h, u),
        "half logmap": (HALF.logmap, h, g), "half ptransp": (HALF.ptransp, h, g, v),
        "lorentz dist": (lambda p, q: LORENTZ.dist(on_sheet(p), on_sheet(q)), a, b),
        "radius": (lambda r, p, q: geometry.PoincareBall(r).dist(p, q), k, x, y),
        "cone_angle": (umbral.cone_angle, h, g), "angle_energy": (lambda p, q: penumbral.angle_energy(p, q), h, g),
        "boundary_distance": (umbral.boundary_distance, h, g), "cone_distance": (
            lambda p, q: penumbral.cone_distance(p, q, 0.1), h, g),
        "broadcast": (BALL.dist, x, y[0]),
        "to_lorentz": (BALL.to_lorentz, x), "to_half_space": (BALL.to_half_space, x),
        "to_hemisphere": (BALL.to_hemisphere, x),
        "to_poincare_ball": (lambda a: LORENTZ.to_poincare_ball(on_sheet(a)), a),
        **of_means(x, h, a), **of_other_models(x, y, u, v),
    }


def of_means(x, h, a):
    """Of two points, one, the same one twice, and with a weight of 0."""
    found, w, k = {}, torch.tensor([0.7, 0.4], dtype=F64), torch.tensor(1.3, dtype=F64)
    for mean in ("frechet_mean", "weighted_midpoint"):
        ball, half, lorentz = (getattr(m, mean) for m in (BALL, HALF, LORENTZ))
        found |= {f"ball {mean}": (ball, x, w), f"half {mean}": (half, h, w), f"half {mean} of one": (half, h[:1]),
                  f"lorentz {mean}": (lambda p, q, f=lorentz: f(on_sheet(p), q), a, w),
                  f"ball {mean} of equal points": (ball, torch.stack([x[0], x[0]])),
                  f"ball {mean} by a weight of 0": (lambda p, f=ball: f(p, torch.tensor([0.0, 1.0], dtype=F64)), x),
                  f"ball {mean} of the first": (lambda p, f=ball: f(p, torch.tensor([1.0, 0.0], dtype=F64)), x),
                  f"ball {mean} along 1": (lambda p, q, f=ball: f(p, q, dim=1), torch.stack([x, 0.5 * x]), w),
                  f"radius {mean}": (lambda r, p, f=mean: getattr(geometry.PoincareBall(r), f)(p), k, x)}
    return found


def of_other_models(x, y, u, v):
    """x and y are in the unit ball, u and v directions."""
    klein, hemisphere, flat = geometry.Klein(1.2), geometry.Hemisphere(1.2), geometry.Euclidean()
    sphere, up = geometry.Sphere(), torch.tensor([0.0, 0.0, 3.0], dtype=F64)

    def on_sphere(z):
        return torch.nn.functional.normalize(z + up, dim=-1)

    def tangent(z, w):
        return w - (z * w).sum(-1, keepdim=True) * z

    found = {
        "klein dist": (klein.dist, x, y), "klein expmap": (klein.expmap, x, u), "klein logmap": (klein.logmap, x, y),
        "klein ptransp": (klein.ptransp, x, y, v), "klein radius": (
            lambda k, a: geometry.Klein(k).dist(a, y), torch.tensor(1.3, dtype=F64), x),
        "klein to_poincare_ball": (klein.to_poincare_ball, x),
        "hemisphere dist": (lambda a, b: hemisphere.dist(*map(klein.to_hemisphere, (a, b))), x, y),
        "hemisphere logmap": (lambda a, b: hemisphere.logmap(*map(klein.to_hemisphere, (a, b))), x, y),
        "hemisphere to_klein": (lambda a: hemisphere.to_klein(klein.to_hemisphere(a)), x),
        "sphere dist": (lambda a, b: sphere.dist(on_sphere(a), on_sphere(b)), x, y),
        "sphere expmap": (lambda a, w: sphere.expmap(on_sphere(a), tangent(on_sphere(a), w)), x, u),
        "sphere logmap": (lambda a, b: sphere.logmap(on_sphere(a), on_sphere(b)), x, y),
        "sphere ptransp": (lambda a, b: sphere.ptransp(on_sphere(a), on_sphere(b), tangent(on_sphere(a), v)), x, y),
        "euclidean dist": (flat.dist, x, y), "euclidean geodesic": (flat.geodesic, u[:, 0], x, y),
    }
    for curvature in (-0.7, 0.0, 0.5):
        m = geometry.Stereographic(curvature)
        found |= {f"stereographic {curvature} {f}": (getattr(m, f), x, w)
                  for f, w in (("dist", y), ("expmap", u), ("logmap", y), ("mobius_add", y))}
        found[f"stereographic {curvature} ptransp"] = m.ptransp, x, y, v
        found[f"curvature {curvature}"] = (lambda k, a: geometry.Stereographic(k).dist(a, y),
                                           torch.tensor(curvature, dtype=F64), x)
    return found


@pytest.mark.parametrize("name", cases())
def test_gradgradcheck(name):
    f, *inputs = cases()[name]
    inputs = [x.requires_grad_() for x in inputs]
    assert torch.autograd.gradgradcheck(f, inputs, atol=1e-6, rtol=1e-5)


def test_next_to_the_boundary_and_next_to_each_other():
    """Differences are no measure there: those of the gradient, which is right to many digits."""
    far = BALL.expmap0(6.0 * directions_of("PoincareBall", 3))
    near = BALL.expmap(far, 1e-4 * directions_of("PoincareBall", 3))
    high = HALF.expmap0(7.0 * directions_of("HalfSpace", 3))
    for manifold, x, y in ((BALL, far, near), (BALL, far, BALL.expmap0(directions_of("PoincareBall", 3))),
                           (HALF, high, HALF.expmap(high, 1e-3 * directions_of("HalfSpace", 3)))):
        x = x.requires_grad_()
        step = 1e-3 * manifold.dist(x, y).detach().clamp(max=1.0)
        # along the geodesic away from y the length grows like the parameter: its second derivative is 0
        u = -manifold.logmap(x, y).detach()
        u = u / manifold.norm(x, u).detach()[:, None]
        t = torch.zeros(3, dtype=F64, requires_grad=True)
        d = manifold.dist(manifold.geodesic_unit(t, x.detach(), u), y)
        (first,) = torch.autograd.grad(d.sum(), t, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), t)
        assert torch.allclose(first, torch.ones_like(first), atol=1e-6)
        assert bool((second.abs() * step < 1e-6).all())


def test_other_models_next_to_the_boundary_as_the_ball():
    """The same points through conversions, which have second derivatives, too."""
    far = BALL.expmap0(3.0 * directions_of("PoincareBall", 3))
    length = BALL.norm(far, directions_of("PoincareBall", 3))[:, None]
    near, across = (BALL.expmap(far, s / length * directions_of("PoincareBall", 3)) for s in (1e-4, 1.0))
    others = ((geometry.Klein(), "to_klein"), (geometry.Hemisphere(), "to_hemisphere"), (HALF, "to_half_space"),
              (LORENTZ, "to_lorentz"))
    for y in (near, across):
        expected = once_more(BALL.dist, far.clone().requires_grad_(), y.clone().requires_grad_())
        for model, name in others:
            to = getattr(BALL, name)
            found = once_more(lambda a, b: model.dist(to(a), to(b)), far.clone().requires_grad_(),
                              y.clone().requires_grad_())
            for g, truth in zip(found, expected):
                assert torch.allclose(g, truth, rtol=1e-4, atol=1e-4 * float(truth.abs().max())), (name, g, truth)
        # and the ball of any curvature
        same = once_more(geometry.Stereographic(-1.0).dist, far.clone().requires_grad_(), y.clone().requires_grad_())
        assert all(torch.allclose(g, truth, rtol=1e-7) for g, truth in zip(same, expected))


@pytest.mark.parametrize("mean", ["frechet_mean", "weighted_midpoint"])
def test_means_next_to_the_boundary_as_in_other_models(mean):
    far = BALL.expmap0(4.0 * directions_of("PoincareBall", 1))
    near = BALL.expmap(far.expand(3, 3), 3e-3 * torch.randn(3, 3, dtype=F64))
    w = torch.tensor([0.5, 1.0, 0.2], dtype=F64)
    found = []
    for model, to in ((BALL, lambda a: a), (HALF, BALL.to_half_space), (LORENTZ, BALL.to_lorentz)):
        x = near.clone().requires_grad_()
        found.append(once_more(lambda a: model.dist2(getattr(model, mean)(to(a), w), to(far)[0]), x)[0])
    for g in found[1:]:
        assert torch.allclose(g, found[0], rtol=1e-6, atol=1e-6 * float(found[0].abs().max()))


@pytest.mark.parametrize("weights, words", [((3.0, -1.0), "weight 1 is -1"), ((0.0, 0.0), "all weights are 0")])
def test_weights_that_no_mean_has(weights, words):
    """Asked of the library, as a forward pass refuses them before."""
    one, grad, x, w = (_core.from_torch(torch.tensor(a, dtype=F64))
                       for a in (1.0, [0.1, 0.2], [[0.1, 0.2], [-0.3, 0.1]], weights))
    for mean in ("frechet_mean", "weighted_midpoint"):
        with pytest.raises(ValueError, match=words):
            _core.mean_second("PoincareBall", mean, one, [x, w], grad, [one, x, None], [True] * 4, 0)


def test_a_weight_of_0_beside_differences_on_its_side():
    x, w = 0.9 * points_of("PoincareBall", 3), torch.tensor([0.5, 0.0, 1.0], dtype=F64)
    for x in (x, BALL.expmap(BALL.expmap0(4.0 * directions_of("PoincareBall", 1)).expand(3, 3), 1e-3 * x)):
        for mean in (BALL.frechet_mean, BALL.weighted_midpoint):
            def gradient(weights):
                return torch.func.grad(lambda a: mean(x, a)[1])(weights)

            step = torch.tensor([0.0, 1e-4, 0.0], dtype=F64)
            expected = (4 * gradient(w + step) - 3 * gradient(w) - gradient(w + 2 * step)) / 2e-4
            found = torch.func.hessian(lambda a: mean(x, a)[1])(w)[:, 1]
            assert torch.allclose(found, expected, rtol=1e-5, atol=1e-6 * float(found.abs().max()))


def textbook_attention(q, k, v, comparison, gamma):
    """With all weights."""
    if comparison == "dot-product":
        scores = q @ k.mT / q.shape[-1]**0.5
    elif comparison == "laplacian":
        scores = -gamma * (q.unsqueeze(-2) - k.unsqueeze(-3)).norm(dim=-1)
    else:
        (x, a), (y, b) = (((z[..., :-1] * z[..., -1:].exp(), z[..., -1:].exp())) for z in (q, k))
        square = (x.unsqueeze(-2) - y.unsqueeze(-3)).square().sum(-1) + (a - b.mT).square()
        scores = -gamma * torch.acosh(1 + square / (2 * a * b.mT))
    return scores.softmax(-1) @ v


@pytest.mark.parametrize("kind,near", [(F64, 1e-9), (torch.float32, 1e-3)])
@pytest.mark.parametrize("comparison", ["dot-product", "laplacian", "half-space"])
def test_a_gradient_penalty_through_attention(comparison, kind, near):
    """Over more than a tile of queries and of keys, by weights, and the temperature of each head."""
    x, y = torch.randn(2, 60, 3, dtype=F64), torch.randn(2, 130, 3, dtype=F64)
    w, g = torch.randn(3, 3, dtype=F64) * 0.5, torch.tensor([[[0.7]], [[1.2]]], dtype=F64)
    found = []
    for f, dtype in ((lambda q, k, v, c, gamma: attention(q, k, v, c, gamma=gamma), kind), (textbook_attention, F64)):
        weight, gamma, a, b = (z.detach().to(dtype).requires_grad_() for z in (w, g, x, y))
        loss = f(a @ weight, b, b @ weight, comparison, gamma).square().sum()
        (slope,) = torch.autograd.grad(loss, a, create_graph=True)
        (loss + (slope.norm(dim=-1) - 1).square().sum()).backward()
        found.append([z.grad.double() for z in ((weight, b) if comparison == "dot-product" else (weight, gamma, b))])
    for ours, truth in zip(*found):
        assert torch.allclose(ours, truth, rtol=near, atol=near * float(truth.abs().max()))


def plain_distance(x, y):
    """The ball's distance by the textbook."""
    square = ((x - y) ** 2).sum(-1)
    gaps = (1 - (x * x).sum(-1)) * (1 - (y * y).sum(-1))
    return torch.acosh(1 + 2 * square / gaps)


@pytest.mark.parametrize("kind,near", [(F64, 1e-10), (torch.float32, 1e-4)])
def test_a_gradient_penalty(kind, near):
    x, y = points_of("PoincareBall", 5), points_of("PoincareBall", 5)
    weight = torch.randn(3, 3, dtype=F64) * 0.3
    found = []
    for dist, dtype in ((BALL.dist, kind), (plain_distance, F64)):
        w, a, b = (z.detach().to(dtype).requires_grad_() for z in (weight, x, y))
        loss = dist(a @ w, b).square().sum()
        (g,) = torch.autograd.grad(loss, a, create_graph=True)
        (loss + (g.norm(dim=-1) - 1).square().sum()).backward()
        found.append(w.grad.double())
    assert torch.allclose(*found, rtol=near, atol=near)


def test_hessians():
    x, y = points_of("PoincareBall", 1)[0], points_of("PoincareBall", 1)[0]
    for vectorize in (False, True):
        found = torch.autograd.functional.hessian(lambda a: BALL.dist2(a, y), x, vectorize=vectorize)
        expected = torch.autograd.functional.hessian(lambda a: plain_distance(a, y) ** 2, x)
        assert torch.allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert torch.allclose(torch.func.jacrev(torch.func.jacrev(lambda a: BALL.dist2(a, y)))(x), expected)
    penalty = torch.compile(lambda a: torch.autograd.grad(BALL.dist2(a, y).sum(), a, create_graph=True)[0]
                            .square().sum(), backend="eager")
    a = x.clone().requires_grad_()
    g = 2 * expected @ torch.autograd.grad(BALL.dist2(a, y), a)[0]
    assert torch.allclose(torch.autograd.grad(penalty(a), a)[0], g, rtol=1e-9)


def once_more(f, *inputs):
    """The derivative of a gradient's square."""
    gradients = torch.autograd.grad(f(*inputs).sum(), inputs, create_graph=True)
    return torch.autograd.grad(sum((g * g).sum() for g in gradients), inputs)


def test_numbers_of_f64x2():
    x, y = points_of("PoincareBall", 2), points_of("PoincareBall", 2)
    long = geometry.PoincareBall(dtype="f64x2")
    pair = torch.stack([x, x * 0], -1).requires_grad_()
    plain = x.clone().requires_grad_()
    found = once_more(lambda a: long.dist(a, torch.stack([y, y * 0], -1))[..., 0], pair)[0].sum(-1)
    assert torch.allclose(found, once_more(lambda a: BALL.dist(a, y), plain)[0], rtol=1e-12)


def test_what_has_none_is_an_error():
    x = points_of("PoincareBall", 2).requires_grad_()
    apart = x[None].detach().clone().requires_grad_()
    for comparison in ("laplacian", "ball", "half-space"):  # queries and keys that are the same points, but no one tensor
        with pytest.raises(ValueError, match="query 0 and key 0 are the same point"):
            once_more(lambda a, b: attention(a, b.detach(), b, comparison), apart, x[None])
    with pytest.raises(NotImplementedError, match="second derivatives of PoincareBall_dist2"):
        (g,) = torch.autograd.grad(BALL.dist2(x, x.detach() * 0.5).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad(g.square().sum(), x, create_graph=True)
        torch.autograd.grad(h.square().sum(), x)
    (g,) = torch.autograd.grad(BALL.dist(x, x.detach()).sum(), x, create_graph=True)
    with pytest.raises(ValueError, match="second derivative"):
        torch.autograd.grad(g.sum(), x)
