"""Manifolds, parameters and optimizers by geoopt's conventions: what geoopt's own tests assert, and what is ours."""
import copy
import pickle

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import geometry as ours  # noqa: E402

BALLS = [ours.PoincareBall(c=0.5), ours.PoincareBallExact()]
GYRO = [*BALLS, ours.Stereographic(-0.7), ours.Stereographic(), ours.SphereProjection(0.4)]
MANIFOLDS = [*GYRO, ours.HalfSpace(radius=2), ours.Lorentz(2.0), ours.Sphere(), ours.Euclidean(1)]


def points(manifold, *shape, seed=0):
    torch.manual_seed(seed)
    return torch.Tensor.as_subclass(manifold.random(*shape, dtype=torch.float64), torch.Tensor)


def tangents(manifold, x, seed=5):
    torch.manual_seed(seed)
    return manifold.proju(x, torch.randn_like(x) * 0.3)


def close(a, b, atol=1e-12):
    torch.testing.assert_close(a, b, atol=atol, rtol=1e-10)


@pytest.mark.parametrize("manifold", MANIFOLDS, ids=repr)
def test_basics(manifold):
    x, y = points(manifold, 5, 4), points(manifold, 5, 4, seed=1)
    u, v = tangents(manifold, x), tangents(manifold, x, 6)
    assert manifold.check_point_on_manifold(x) and manifold.check_vector_on_tangent(x, u)
    close(manifold.projx(x), x)
    close(manifold.proju(x, u), u)
    close(manifold.expmap(x, manifold.logmap(x, y)), y)
    close(manifold.logmap(x, manifold.expmap(x, u)), u)
    close(manifold.norm(x, manifold.logmap(x, y)), manifold.dist(x, y))
    close(manifold.dist(x, y) ** 2, manifold.dist2(x, y))
    close(manifold.inner(x, u), manifold.inner(x, u, u))
    moved, carried = manifold.expmap_transp(x, u, v)
    close(manifold.inner(moved, carried), manifold.inner(x, v))
    close(carried, manifold.transp_follow_expmap(x, u, v))
    close(manifold.retr(x, u * 1e-6), manifold.expmap(x, u * 1e-6), atol=1e-10)
    moved, carried = manifold.retr_transp(x, u, v)
    close(moved, manifold.retr(x, u))
    close(carried, manifold.transp_follow_retr(x, u, v))
    close(manifold.inner(x, manifold.egrad2rgrad(x, y), v), (y * v).sum(-1))
    if not isinstance(manifold, ours.Euclidean):  # whose coordinates have moments of their own
        close(manifold.component_inner(x, u), manifold.inner(x, u, keepdim=True).expand_as(u))
    origin = manifold.origin(5, 4, dtype=torch.float64)
    close(manifold.dist0(x), manifold.dist(torch.Tensor.as_subclass(origin, torch.Tensor), x))


@pytest.mark.parametrize("manifold", MANIFOLDS, ids=repr)
def test_dim_and_keepdim(manifold):
    x, y = points(manifold, 2, 5, 4), points(manifold, 5, 4, seed=1)
    d = manifold.dist(x, y)
    assert d.shape == (2, 5)
    close(manifold.dist(x, y, keepdim=True), d.unsqueeze(-1))
    across = x.movedim(-1, 1)
    close(manifold.dist(across, y.T, dim=-2), d)
    close(manifold.dist(across, y.T, dim=1, keepdim=True), d.unsqueeze(1))
    close(manifold.logmap(across, y.T, dim=1), manifold.logmap(x, y).movedim(-1, 1))
    with pytest.raises(IndexError, match="dim 3"):
        manifold.dist(x, y, dim=3)


@pytest.mark.parametrize("manifold", GYRO, ids=repr)
def test_gyrovectors(manifold):
    a, b, x = (points(manifold, 6, 3, seed=i) * 0.5 for i in range(3))
    add, times = manifold.mobius_add, manifold.mobius_scalar_mul
    zero = torch.zeros_like(a)
    close(add(a, zero), a)
    close(add(-a, add(a, b)), b)
    close(add(a, add(b, x)), add(add(a, b), manifold.gyration(a, b, x)))
    close(add(a, b), manifold.gyration(a, b, add(b, a)))
    close(manifold.mobius_sub(a, b), add(a, -b))
    close(manifold.mobius_coadd(a, b), manifold.mobius_coadd(b, a))
    close(manifold.mobius_cosub(add(a, b), b), a) if isinstance(manifold, ours.PoincareBall) else None
    close(manifold.mobius_pointwise_mul(torch.tensor([0.2, 1.0, 2.0]), x),
          manifold.mobius_matvec(torch.diag(torch.tensor([0.2, 1.0, 2.0], dtype=torch.float64)), x), atol=1e-7)
    r, s = torch.rand(2, 6, 1, dtype=torch.float64)
    close(times(r + s, x), add(times(r, x), times(s, x)))
    close(times(r * s, x), times(r, times(s, x)))
    close(times(2, x), add(x, x))
    m, n = torch.rand(2, 3, 3, dtype=torch.float64) * 0.5
    close(manifold.mobius_matvec(m @ n, x), manifold.mobius_matvec(m, manifold.mobius_matvec(n, x)))
    close(manifold.mobius_matvec(torch.eye(3, dtype=torch.float64) * 0.3, x), times(0.3, x))
    close(manifold.mobius_fn_apply_chain(x, torch.sin, torch.tanh),
          manifold.mobius_fn_apply(lambda u: torch.tanh(torch.sin(u)), x))
    assert manifold.mobius_fn_apply_chain(x) is x


def test_numbers_keep_a_dimension():
    """What is silently another shape in one of the libraries is the same here, or an error."""
    ball = ours.PoincareBall()
    x, y = points(ball, 5, 3), points(ball, 5, 3, seed=1)
    assert ball.mobius_scalar_mul(torch.rand(5, 1), x).shape == (5, 3)
    t = torch.rand(13, 1, 1, dtype=torch.float64)
    path = ball.geodesic(t, x, y)
    assert path.shape == (13, 5, 3) and ball.geodesic_unit(t, x, y - x).shape == (13, 5, 3)
    close(ball.dist(x, path), t[..., 0] * ball.dist(x, y))
    close(ball.geodesic(t.movedim(-1, -2), x.T, y.T, dim=0), path.movedim(-1, -2))
    with pytest.raises(ValueError, match=r"a number has the shape \(5,\)"):
        ball.mobius_scalar_mul(torch.rand(5), x)
    with pytest.raises(TypeError, match="dist takes 2 operands"):
        ball.dist(x)
    with pytest.raises(ValueError, match="a matrix"):
        ball.mobius_matvec(torch.rand(2, 3, 3), x.T, dim=0)


def test_planes():
    ball = ours.PoincareBall(c=0.5)
    x, p, a = (points(ball, 20, 3, seed=i) for i in range(3))
    signed = ball.dist2plane(x, p, a, signed=True)
    assert (signed < 0).any() and (signed > 0).any()
    close(ball.dist2plane(x, p, a), signed.abs())
    close(ball.dist2plane(x, p, a, signed=True, scaled=True), signed * a.norm(dim=-1))
    assert ball.dist2plane(x, p, a, keepdim=True).shape == (20, 1)


def test_midpoint():
    ball = ours.PoincareBall(c=0.5)
    xs, w = points(ball, 2, 7, 3), torch.rand(2, 7, dtype=torch.float64)
    a, b = xs[0, 0], xs[0, 1]
    close(ball.weighted_midpoint(xs[0, :2]), ball.geodesic(0.5, a, b))
    assert ball.weighted_midpoint(xs).shape == (3,)
    each = ball.weighted_midpoint(xs, w, reducedim=[1])
    assert each.shape == (2, 3)
    close(each[0], ball.weighted_midpoint(xs[0], w[0]))
    close(ball.weighted_midpoint(xs, w, reducedim=[-2], keepdim=True), each.unsqueeze(1))
    close(ball.weighted_midpoint(xs.movedim(-1, 0), w, dim=0, reducedim=[2]), each.T)
    close(ball.weighted_midpoint(xs, w, reducedim=[1], lincomb=True),
          ball.mobius_scalar_mul(w.sum(1, keepdim=True), each))
    close(ball.weighted_midpoint(xs, -w, reducedim=[1], posweight=True), -each)
    with pytest.raises(ValueError, match="the dimension of coordinates"):
        ball.weighted_midpoint(xs, reducedim=[2])
    with pytest.raises(NotImplementedError, match="curvature below 0"):
        ours.Stereographic(0.3).weighted_midpoint(xs)
    with pytest.raises(NotImplementedError, match="Sphere has no"):
        ours.Sphere().weighted_midpoint(xs)


def test_curvatures():
    ball = ours.PoincareBall(c=0.25)
    assert repr(ball) == "PoincareBall(c=0.25, radius=2)" and ball.k == -0.25
    assert repr(ours.PoincareBall(k=-0.25)) == repr(ours.PoincareBall(radius=2)) == repr(ball)
    assert repr(ours.Lorentz(4.0)) == repr(ours.Lorentz(c=0.25)) == "Lorentz(k=4, radius=2)"
    assert repr(ours.Stereographic(-0.3)) == "Stereographic(k=-0.3)"
    for make, words in ((lambda: ours.Lorentz(-1.0), "the square of the radius"),
                        (lambda: ours.Lorentz(radius=-1), "above 0"), (lambda: ours.Lorentz(c=0), "above 0"),
                        (lambda: ours.PoincareBall(k=1.0), "k below"), (lambda: ours.PoincareBall(c=0), "above 0"),
                        (lambda: ours.PoincareBall(radius=-1), "above 0"),
                        (lambda: ours.PoincareBall(1e300), "2\\^-150"), (lambda: ours.Lorentz(radius=1e46), "2\\^-150"),
                        (lambda: ours.SphereProjection(-1.0), "above 0"),
                        (lambda: ours.Stereographic(float("nan")), "nan"), (lambda: ours.Euclidean(-1), "ndim = -1"),
                        (lambda: ours.PoincareBall(torch.tensor([[1.0], [0.0]])), "above 0"),
                        (lambda: ours.Scaled(ours.Sphere(), 0), "one number above 0")):
        with pytest.raises(ValueError, match=words):
            make()
    with pytest.raises(TypeError, match="c and k"):
        ours.PoincareBall(c=1.0, k=-1.0)


@pytest.mark.parametrize("manifold", [ours.PoincareBall(0.5, learnable=True), ours.Lorentz(2.0, learnable=True),
                                      ours.Stereographic(0.5, learnable=True)], ids=repr)
def test_learned_curvature(manifold):
    (parameter,) = manifold.parameters()
    x, y = points(manifold, 4, 3), points(manifold, 4, 3, seed=1)
    manifold.logmap(x, y).square().sum().backward()
    value, step = parameter.item(), 1e-6
    sums = []
    for shift in (step, -step):
        parameter.data.fill_(value + shift)
        sums.append(manifold.logmap(x, y).square().sum().item())
    assert parameter.grad.item() == pytest.approx((sums[0] - sums[1]) / (2 * step), rel=1e-5)
    parameter.data.fill_(value)
    again = type(manifold)(1.0, learnable=True)
    again.load_state_dict(manifold.state_dict())
    close(again.dist(x, y), manifold.dist(x, y))


def test_compiled_mapped_and_twice():
    ball = ours.PoincareBall(0.5, learnable=True)
    x, y = points(ball, 4, 3).requires_grad_(), points(ball, 4, 3, seed=1)
    step = torch.compile(lambda a: ball.dist(a, ball.expmap0(a * 0.3)), fullgraph=True, backend="eager")
    close(step(x), ball.dist(x, ball.expmap0(x * 0.3)))
    close(torch.func.vmap(ball.dist)(x, y), ball.dist(x, y))
    (slope,) = torch.autograd.grad(ball.dist2(x, y).sum(), x, create_graph=True)
    (slope**2).sum().backward()
    assert x.grad.abs().min() > 0 and ball.isp_c.grad.abs() > 0


def test_tensors():
    ball = ours.PoincareBall()
    p = ours.ManifoldParameter(points(ball, 3, 2), manifold=ball)
    assert list(torch.nn.ParameterList([p])) == [p] and p.requires_grad and type(p * 1) is torch.Tensor
    q, twin = copy.deepcopy(p), pickle.loads(pickle.dumps(p))
    for other in (q, twin):
        assert isinstance(other, ours.ManifoldParameter) and torch.equal(other, p)
        assert repr(other.manifold) == repr(ball) and other.requires_grad
    module = copy.deepcopy(torch.nn.ParameterDict({"p": p}))
    assert isinstance(module["p"], ours.ManifoldParameter)
    close(p.dist(q * 0.5, "g"), ball.dist(p, q * 0.5))
    close(p.logmap(q * 0.5), ball.logmap(p, q * 0.5))
    assert "on PoincareBall(c=1" in repr(p)
    with pytest.raises(ValueError, match="no points of PoincareBall"):
        ours.ManifoldTensor(torch.ones(2, 2), manifold=ball)
    assert repr(ours.ManifoldParameter(torch.ones(2)).manifold) == "Euclidean(ndim=0)"
    with pytest.raises(ValueError, match="are given for"):
        ours.ManifoldParameter(p, manifold=ours.PoincareBall())
    with torch.no_grad():
        p.fill_(2.0)
    p.proj_()
    assert ball.check_point_on_manifold(p) and ball.dist0(p).isfinite().all()


OPERATIONS = {"dist": "xy", "dist2": "xy", "dist0": "x", "expmap": "xu", "logmap": "xy", "expmap0": "o", "logmap0": "x",
              "transp": "xyu", "transp0": "xo", "transp0back": "xu", "inner": "xuu", "norm": "xu", "projx": "x",
              "proju": "xy", "egrad2rgrad": "xy", "lambda_x": "x", "mobius_add": "xy", "mobius_sub": "xy",
              "mobius_coadd": "xy", "mobius_cosub": "xy", "mobius_pointwise_mul": "ux", "gyration": "xyu",
              "antipode": "x", "dist2plane": "xyu", "geodesic": "txy", "geodesic_unit": "txw",
              "mobius_scalar_mul": "tx", "mobius_matvec": "mx", "weighted_midpoint": "x", "inner0": "x"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [lambda lib: lib.PoincareBall(c=torch.tensor(0.5, dtype=torch.float64)),
                                  lambda lib: lib.Stereographic(torch.tensor(-0.7, dtype=torch.float64)),
                                  lambda lib: lib.Stereographic(torch.tensor(0.4, dtype=torch.float64)),
                                  lambda lib: lib.Lorentz(torch.tensor(2.0, dtype=torch.float64)),
                                  lambda lib: lib.Sphere(), lambda lib: lib.Euclidean(ndim=1)])
def test_values_and_shapes_of_geoopt(make):
    """Everywhere but where docs/geoopt.md names a difference."""
    geoopt = pytest.importorskip("geoopt", reason="geoopt is not installed")
    manifold, peer = make(ours), make(geoopt)
    x, y = points(manifold, 6, 4), points(manifold, 6, 4, seed=1)
    at_origin = torch.nn.functional.pad(torch.rand(6, 3, dtype=torch.float64), (1, 0))  # of Lorentz tangent there
    given = {"x": x, "y": y, "u": tangents(manifold, x), "o": at_origin, "m": torch.rand(3, 4, dtype=torch.float64),
             "t": torch.rand(5, 1, 1, dtype=torch.float64)}
    given["w"] = given["u"] / manifold.norm(x, given["u"], keepdim=True)
    compared = 0
    for name, kinds in OPERATIONS.items():
        if manifold.model == "Stereographic" and manifold.k > 0 and name in ("dist2plane", "weighted_midpoint"):
            continue
        if not hasattr(manifold, name) or not hasattr(peer, name) or (name, manifold.model) in DIFFERENT:
            continue
        operands = [given[kind] for kind in kinds]
        if name == "norm" and manifold.model == "Lorentz":
            operands = operands[1:]
        found, wanted = getattr(manifold, name)(*operands), getattr(peer, name)(*operands)
        torch.testing.assert_close(found, wanted, rtol=1e-9, atol=1e-9, msg=lambda text: f"{name}: {text}")
        compared += 1
    assert compared >= 9


#: geoopt's inner of the ball has an axis more without keepdim, its Sphere's transp is a projection
DIFFERENT = {("inner", "PoincareBall"), ("inner", "Stereographic"), ("transp", "Sphere")}
