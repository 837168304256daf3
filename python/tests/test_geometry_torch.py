"""Manifolds on PyTorch's tensors: the library's values, and derivatives that gradcheck confirms."""
import numpy as np
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor import geometry  # noqa: E402
from test_geometry import MANIFOLDS, OTHERS, points, tangents  # noqa: E402

SMOOTH = ["dist", "dist2", "dist0", "expmap", "logmap", "expmap0", "logmap0", "ptransp", "inner",
          "egrad2rgrad", "geodesic", "mobius_add", "mobius_scalar_mul", "busemann"]


def operands(manifold, name):
    """Operands of an operation, as tensors of PyTorch."""
    x, y = points(manifold, 4), points(manifold, 4, 7)
    u, v = tangents(manifold, x), tangents(manifold, x, 2)
    omega = np.array([0.6, 0.8, 0.0, 0.0])[:x.shape[-1]]
    given = {"dist0": [x], "expmap": [x, u], "expmap0": [points(manifold, 4) * 0.2], "logmap0": [x],
             "ptransp": [x, y, u], "inner": [x, u, v], "egrad2rgrad": [x, u],
             "geodesic": [np.full(4, 0.3), x, y], "mobius_scalar_mul": [np.full(4, 0.7), x],
             "busemann": [x, omega]}.get(name, [x, y])
    if name == "expmap0" and isinstance(manifold, geometry.Lorentz):
        given = [np.column_stack([np.zeros(4), given[0][:, 1:]])]
    return [torch.tensor(a, requires_grad=name != "busemann" or a is not omega) for a in given]


@pytest.mark.parametrize("manifold", MANIFOLDS + OTHERS, ids=repr)
@pytest.mark.parametrize("name", SMOOTH)
def test_values_and_derivatives(manifold, name):
    if not hasattr(manifold, name) or (name, type(manifold)) == ("busemann", geometry.Lorentz):
        return  # omega of the hyperboloid has as many coordinates as its points
    given = operands(manifold, name)
    result = getattr(manifold, name)(*given)
    plain = getattr(manifold, name)(*(x.detach().numpy() for x in given))
    assert result.dtype == torch.float64 and np.allclose(result.detach().numpy(), plain, rtol=1e-14)
    if isinstance(manifold, geometry.Lorentz) and name != "inner":
        return  # derivatives are by the spatial coordinates: test_lorentz
    assert torch.autograd.gradcheck(getattr(manifold, name), given, atol=1e-7, rtol=1e-6)


def test_lorentz_by_spatial_coordinates():
    lorentz = geometry.Lorentz()
    space = torch.tensor(points(lorentz, 4)[:, 1:], requires_grad=True)
    other = torch.tensor(points(lorentz, 4, 3))

    def distance(s):
        return lorentz.dist(torch.cat([(1 + (s * s).sum(-1, keepdim=True)).sqrt(), s], -1), other)

    assert torch.autograd.gradcheck(distance, [space], atol=1e-7)


@pytest.mark.parametrize("kind", [geometry.PoincareBall, geometry.HalfSpace, geometry.Klein, geometry.Stereographic])
def test_derivative_by_the_radius(kind):
    x, y = (torch.tensor(points(kind(), 4, seed)) for seed in (1, 2))
    radius = torch.tensor(1.3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda k: kind(k).dist(x, y), [radius], atol=1e-7)
    assert kind(radius).k.requires_grad


def test_float32_is_rounded_once():
    ball = geometry.PoincareBall()
    x = torch.rand(5, 2, requires_grad=True)
    with torch.no_grad():
        x *= 0.5
    d = ball.dist0(x)
    assert d.dtype == torch.float32
    assert np.array_equal(d.detach().numpy(), ball.dist0(x.detach().numpy()).astype(np.float32))
    d.sum().backward()
    assert x.grad.dtype == torch.float32


def test_broadcast_gradients():
    ball = geometry.PoincareBall()
    x = torch.tensor(points(ball, 3), requires_grad=True)
    y = torch.tensor(points(ball, 1, 4)[0], requires_grad=True)
    assert torch.autograd.gradcheck(ball.dist, [x, y], atol=1e-7)
    assert torch.autograd.gradcheck(lambda a: ball.dist(a.t()[:, :2].t(), y), [x], atol=1e-7)


def test_training_with_the_optimizers():
    ball = geometry.PoincareBall()
    x = torch.tensor(points(ball, 6), requires_grad=True)
    target = torch.tensor([0.2, -0.1, 0.3], dtype=torch.float64)
    optimizer = geometry.Radam(x, ball, lr=0.05)
    losses = []
    for _ in range(60):
        x.grad = None
        loss = ball.dist2(x, target).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.05 * losses[0]


def test_points_that_were_exchanged_are_not_moved():
    ball = geometry.PoincareBall()
    x = torch.tensor(points(ball, 2))
    optimizer = geometry.Rsgd(x, ball)
    x.data = x.data * 0.5
    with pytest.raises(ValueError, match="other memory"):
        optimizer.step(torch.ones(2, 3, dtype=torch.float64))
    assert geometry.Rsgd(x, ball).step(torch.ones(2, 3, dtype=torch.float64)).updated == 2


def test_steps_count_as_changes():
    """What a backward pass needs and an optimizer has overwritten is PyTorch's error, not another gradient."""
    ball = geometry.PoincareBall()
    for make in (geometry.Rsgd, geometry.Radam):
        for rows in (None, [1]):
            x = torch.tensor(points(ball, 3), requires_grad=True)
            optimizer = make(x, ball, lr=0.5)
            d, version = ball.dist0(x).sum(), x._version
            gradient = torch.ones(3 if rows is None else 1, 3, dtype=torch.float64)
            optimizer.step(gradient, rows=rows)
            assert x._version > version
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                d.backward()
            ball.dist0(x).sum().backward()  # a new one is right
            assert torch.allclose(x.grad, torch.tensor(ball.dist_gradient(x.detach().numpy(), np.zeros(3))))


def test_what_autograd_refuses():
    ball = geometry.PoincareBall()
    x = torch.tensor(points(ball, 2), requires_grad=True)
    y = x * 1.0
    d = ball.dist0(y).sum()
    with torch.no_grad():
        y.mul_(0.5)
    with pytest.raises(RuntimeError, match="modified"):
        d.backward()
    with pytest.raises(TypeError, match="complex"):
        ball.dist0(torch.zeros(2, dtype=torch.complex128))
