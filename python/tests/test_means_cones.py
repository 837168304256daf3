"""Means of points and systems of cones, on NumPy's arrays and PyTorch's tensors."""
import numpy as np
import pytest

import mctensor as mct
from mctensor import geometry
from test_geometry import MANIFOLDS, points

CONES = [geometry.UmbralCones(geometry.PoincareBall(), 0.1),
         geometry.UmbralCones(geometry.HalfSpace(2.0), 0.2),
         geometry.PenumbralCones(geometry.PoincareBall(), 0.3),
         geometry.PenumbralCones(geometry.HalfSpace(), 50.0),
         geometry.AntumbralCones(geometry.HalfSpace(), 50.0, 0.005)]


@pytest.mark.parametrize("manifold", MANIFOLDS, ids=repr)
def test_means(manifold):
    x = points(manifold, 7)
    mean = manifold.frechet_mean(x)
    logs = manifold.logmap(mean, x)
    assert mean.shape == x.shape[1:] and np.allclose(logs.sum(0), 0, atol=1e-12)
    weights = np.linspace(0.1, 1, 7)
    weighted = manifold.frechet_mean(x, weights)
    assert np.allclose((weights[:, None] * manifold.logmap(weighted, x)).sum(0), 0, atol=1e-12)
    pair = manifold.weighted_midpoint(x[:2])
    assert np.allclose(pair, manifold.geodesic(0.5, x[0], x[1]))
    stack = np.stack([x, x[::-1]], 1)
    assert np.allclose(manifold.weighted_midpoint(stack, dim=0)[1], manifold.weighted_midpoint(x))
    assert manifold.frechet_mean(stack, dim=1).shape == x.shape
    with pytest.raises(ValueError, match="coordinates"):
        manifold.frechet_mean(x, dim=1)
    with pytest.raises(ValueError, match="broadcast"):
        manifold.frechet_mean(x, np.ones(3))
    with pytest.raises(ValueError, match="negative|weight"):
        manifold.frechet_mean(x, -weights)
    with pytest.raises(TypeError, match="NumPy"):
        manifold.frechet_mean(mct.array(x))


def test_midpoint_of_the_hyperboloid_is_its_centroid():
    lorentz = geometry.Lorentz()
    x = points(lorentz, 5)
    total = x.sum(0)
    length = np.sqrt(total[0] ** 2 - (total[1:] ** 2).sum())
    assert np.allclose(lorentz.weighted_midpoint(x), total / length, rtol=1e-13)


@pytest.mark.parametrize("cones", CONES, ids=repr)
def test_cones_are_ordered(cones):
    half = isinstance(cones.manifold, geometry.HalfSpace)
    axis = np.array([[0.0, 0.0, h] for h in (8.0, 4.0, 2.0, 1.0)]) if half else np.array(
        [[0.0, 0.0, r] for r in (0.4, 0.5, 0.6, 0.7)])
    aside = axis + np.array([0.3 if half else 0.05, 0.0, 0.0])
    assert np.all(cones.contains(axis[:1], axis[1:])) and not np.any(cones.contains(axis[1:], axis[:1]))
    assert np.all(cones.boundary_distance(axis[:1], axis[1:]) < 0)
    inside = cones.contains(axis[:, None], aside)
    assert inside.dtype == bool and inside.shape == (4, 4)
    assert np.array_equal(inside, cones.boundary_distance(axis[:, None], aside) <= 0)
    assert np.array_equal(inside, cones.angle_energy(axis[:, None], aside) == 0)
    angle = cones.cone_angle(axis[0], aside)
    assert np.allclose(np.maximum(angle - cones.half_aperture(axis[0]), 0),
                       cones.angle_energy(axis[0], aside), atol=1e-12)
    far = cones.cone_distance(axis[3], axis[0], 0.0)
    assert isinstance(far, float) and far > 0
    assert isinstance(bool(cones.contains(axis[0], axis[1])), bool)
    assert not cones.contains(axis[0], axis[1] * np.nan)
    with pytest.raises(TypeError, match="2 operands"):
        cones.cone_angle(axis)


def test_cones_of_hyperbolic_entailment():
    """Ganea et al. 2018: the half-aperture is asin(c (1 - |x|^2) / |x|)."""
    c = 0.1
    cones = geometry.PenumbralCones(geometry.PoincareBall(), np.arcsinh(2 * c))
    x = np.array([[0.5, 0.0], [0.0, 0.9]])
    size = np.sqrt((x**2).sum(1))
    assert np.allclose(cones.half_aperture(x), np.arcsin(c * (1 - size**2) / size), rtol=1e-13)
    assert np.allclose(cones.projx(x), x)


def test_impossible_cones():
    ball = geometry.PoincareBall()
    for size in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="positive"):
            geometry.UmbralCones(ball, size)
    with pytest.raises(TypeError, match="Lorentz"):
        geometry.UmbralCones(geometry.Lorentz(), 0.1)
    with pytest.raises(ValueError, match="surrogate|coordinates|shape"):
        CONES[0].cone_angle(np.zeros(2) + 0.5, np.zeros(3) + 0.1)
    assert not hasattr(CONES[0], "surrogate") and hasattr(CONES[4], "surrogate")


def test_derivatives():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    for manifold in MANIFOLDS[:2]:
        x = torch.tensor(points(manifold, 4), requires_grad=True)
        weights = torch.linspace(0.2, 1, 4, dtype=torch.float64, requires_grad=True)
        for mean in (manifold.frechet_mean, manifold.weighted_midpoint):
            assert torch.autograd.gradcheck(mean, [x, weights], atol=1e-7)
            assert np.array_equal(mean(x).detach().numpy(), mean(x.detach().numpy()))
    u = np.array([[0.1, 0.2, 4.0], [0.0, 0.1, 6.0]])
    v = np.array([[0.4, 0.1, 1.0], [3.0, 0.1, 1.5]])
    given = [torch.tensor(a, requires_grad=True) for a in (u, v)]
    for cones in CONES[1:4:2]:
        for name, more in (("cone_angle", []), ("boundary_distance", []), ("cone_distance", [0.1])):
            f = getattr(cones, name)
            assert torch.autograd.gradcheck(lambda a, b: f(a, b, *more), given, atol=1e-6)
            assert np.allclose(f(*given, *more).detach().numpy(), f(u, v, *more), rtol=1e-14)
        inside = cones.contains(*given)
        assert inside.dtype == torch.bool and np.array_equal(inside.numpy(), cones.contains(u, v))
    light = torch.tensor(50.0, dtype=torch.float64, requires_grad=True)
    radius = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda a, k: geometry.PenumbralCones(geometry.HalfSpace(k), a).cone_angle(*given),
        [light, radius], atol=1e-6)
    near = CONES[3].cone_angle(given[0].float(), given[1].float())
    assert near.dtype == torch.float32


def pairs(x):
    """Numbers of f64x2 as a tensor with a last dimension of 2."""
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    return torch.tensor(np.moveaxis(mct.array(x, "f64x2").planes, 0, -1).copy())


@pytest.mark.parametrize("manifold", MANIFOLDS, ids=repr)
def test_tensors_of_more_digits(manifold):
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    long = type(manifold)(manifold.radius, dtype="f64x2")
    x, y = (mct.array(points(manifold, 5, seed)) for seed in (0, 3))
    if isinstance(manifold, geometry.Lorentz):
        x, y = manifold.projx(x), manifold.projx(y)
    a, b = (pairs(z).requires_grad_() for z in (x, y))
    d = long.dist(a, b)
    assert d.shape == (5, 2)
    expected = manifold.dist(x, y)
    assert np.array_equal(d.detach().numpy(), np.moveaxis(expected.planes, 0, -1))
    z = long.expmap(a, long.logmap(a, b))
    assert float((z - b).detach().sum(-1).abs().max()) < 1e-28
    middle = long.geodesic(0.5, a, b)
    assert middle.shape == a.shape
    d[..., 0].sum().backward()
    plain = torch.tensor(x.to_numpy(), requires_grad=True)
    manifold.dist(plain, torch.tensor(y.to_numpy())).sum().backward()
    assert np.allclose(a.grad.sum(-1), plain.grad, rtol=1e-12) and bool((a.grad[..., 1] != 0).any())
    with pytest.raises(TypeError, match="last dimension of 2"):
        long.dist(plain, a)
    with pytest.raises(TypeError, match="f64x2"):
        long.frechet_mean(a)
    with pytest.raises(ValueError, match="f32"):
        type(manifold)(1.0, dtype="f32")
    radius = torch.tensor([1.5, 0.0], dtype=torch.float64, requires_grad=True)
    if not isinstance(manifold, geometry.Lorentz):
        type(manifold)(radius, dtype="f64x2").dist(a, b)[..., 0].sum().backward()
        assert radius.grad.shape == (2,) and float(radius.grad[0]) != 0
        assert type(manifold)(radius, dtype="f64x2").k.item() == -1 / 1.5**2
    scattered = a.detach().movedim(-1, 0).contiguous().movedim(0, -1).requires_grad_()
    d = long.dist(scattered, b.detach())
    expected = torch.autograd.grad(long.dist(a, b)[..., 0].sum(), a)[0]
    assert torch.equal(torch.autograd.grad(d[..., 0].sum(), scattered, retain_graph=True)[0], expected)
    with torch.no_grad():
        scattered.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        d[..., 0].sum().backward()
