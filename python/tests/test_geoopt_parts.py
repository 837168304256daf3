"""Curvatures that differ, products, scaled manifolds and the Lorentz model by geoopt's conventions: what is ours, and
what geoopt 0.5.1's own tests of them, of origins, random points, tensors and optimizers assert."""
import copy
import pickle

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import geometry as ours  # noqa: E402

F64 = torch.float64


def plain(x):
    return torch.Tensor.as_subclass(x, torch.Tensor).detach()


def close(a, b, atol=1e-10, rtol=1e-10):
    torch.testing.assert_close(plain(a), plain(b), atol=atol, rtol=rtol)


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(42)


# Curvatures that differ

MAKE = {"ball": lambda c: ours.PoincareBall(c=c), "negative": lambda c: ours.Stereographic(-c),
        "positive": lambda c: ours.Stereographic(c), "lorentz": lambda c: ours.Lorentz(c),
        "half_space": lambda c: ours.HalfSpace(radius=c)}


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
def test_curvatures_that_differ(make):
    """As one call for each, bit by bit, in every type; the curvature's gradient is that of its place."""
    c = torch.tensor([[0.5], [1.0], [0.5], [2.0]], dtype=F64)
    m, each = make(c), [make(k) for k in c]
    assert "of shape (4, 1)" in repr(m)
    for dtype in (F64, torch.float32, torch.bfloat16):
        x, y = (plain(m.random(4, 3, dtype=F64)).to(dtype) for _ in range(2))
        x, y = plain(m.projx(x)), plain(m.projx(y))
        for name, operands in (("dist", (x, y)), ("logmap", (x, y)), ("expmap0", (0 * x,)), ("dist0", (x,))):
            found = getattr(m, name)(*operands)
            assert torch.equal(found, torch.stack([getattr(one, name)(*(z[i] for z in operands))
                                                   for i, one in enumerate(each)]))
    x, y = plain(m.random(2, 4, 3, dtype=F64)), plain(m.random(4, 3, dtype=F64))
    assert torch.equal(m.geodesic(0.3, x, y),
                       torch.stack([one.geodesic(0.3, x[:, i], y[i]) for i, one in enumerate(each)], 1))
    across = make(c.T)
    assert torch.equal(across.dist(x.movedim(-1, -2), y.T, dim=-2, keepdim=True), m.dist(x, y).unsqueeze(-2))


def test_gradients_of_curvatures_that_differ():
    c = torch.tensor([[0.5], [1.0], [0.5]], dtype=F64)
    m, each = ours.PoincareBall(c, learnable=True), [ours.PoincareBall(k, learnable=True) for k in c]
    x, y = (plain(m.random(3, 2, dtype=F64)).requires_grad_() for _ in range(2))
    loss = m.dist2(x, m.expmap(y, x)).sum()
    apart = sum(one.dist2(x[i], one.expmap(y[i], x[i])) for i, one in enumerate(each))
    slopes = torch.autograd.grad(loss, (m.isp_c, x, y), create_graph=True)
    of_each = torch.autograd.grad(apart, (*(one.isp_c for one in each), x, y), create_graph=True)
    close(slopes[0].flatten(), torch.stack(of_each[:3]))
    for a, b in zip(slopes[1:], of_each[3:]):
        close(a, b)
    twice = torch.autograd.grad(sum(g.square().sum() for g in slopes), (m.isp_c, x))
    of_each = torch.autograd.grad(sum(g.square().sum() for g in of_each), (*(one.isp_c for one in each), x))
    close(twice[0].flatten(), torch.stack(of_each[:3]))
    close(twice[1], of_each[3])
    step = torch.compile(lambda a: m.dist(a, m.expmap0(a * 0.3)), fullgraph=True, backend="aot_eager")
    assert torch.equal(step(x), m.dist(x, m.expmap0(x * 0.3)))
    assert ours.PoincareBall(c[:0]).dist(x[:0], y[:0]).shape == (0,)


def test_midpoints_of_curvatures_that_differ():
    c = torch.rand(4, 1, dtype=F64) + 0.5
    m = ours.PoincareBall(c)
    xs, w = plain(m.random(5, 4, 3, dtype=F64)), torch.rand(5, 4, dtype=F64)
    found = m.weighted_midpoint(xs, w, reducedim=[0], lincomb=True)
    assert torch.equal(found, torch.stack([ours.PoincareBall(k).weighted_midpoint(
        xs[:, i], w[:, i], reducedim=[0], lincomb=True) for i, k in enumerate(c)]))
    with pytest.raises(ValueError, match="differ among the points of one mean"):
        m.weighted_midpoint(xs, w, reducedim=[1])
    with pytest.raises(ValueError, match="the curvature: a number has the shape \\(4,\\)"):
        ours.PoincareBall(c.flatten()).dist0(xs[0])


# test_lorentz_math.py


@pytest.mark.parametrize("k", [1.0, 4.0, 10.0])
@pytest.mark.parametrize("dtype", [F64, torch.float32])
def test_lorentz(k, dtype):
    """All of them; geoopt's conversion to the ball is mctensor.geometry's."""
    m = ours.Lorentz(torch.tensor([k]))
    near = {"atol": 1e-5 if dtype == torch.float32 else 1e-11, "rtol": 1e-4 if dtype == torch.float32 else 1e-10}

    def point():
        x = torch.randn(20, 5, dtype=dtype)
        return plain(m.projx(x / x.norm(dim=-1, keepdim=True) * (torch.rand(()) * k) ** 0.5))

    a, b = point(), point()
    zero, v, u = plain(m.origin(20, 5, dtype=dtype)), torch.rand_like(a) + 1e-5, torch.rand_like(a) + 1e-5
    m.assert_check_point_on_manifold(a)
    m.assert_check_vector_on_tangent(a, m.proju(a, b))
    close(m.projx(torch.zeros_like(a)), zero, **near)
    close(m.expmap(a, m.logmap(a, b), project=False), b, **near)
    unit = m.proju(a, b - a)
    unit = unit / m.norm(unit, keepdim=True)
    t = torch.linspace(0, 1, 13, dtype=dtype)[:, None, None]
    path = m.geodesic_unit(t, a, unit)
    close(m.dist(path[:1], path, keepdim=True)[1:], t.expand(13, 20, 1)[1:], 1e-4 if dtype != F64 else 1e-10)
    back = m.logmap0(a)
    close(m.expmap0(back), a, **near)
    close(m.norm(back, keepdim=True), m.dist0(a, keepdim=True), **near)
    u0, v0 = m.proju(zero, u), m.proju(zero, v)
    close(m.inner(None, m.transp0(a, u0), m.transp0(a, v0), keepdim=True), m.inner(None, u0, v0, keepdim=True), **near)
    close(m.transp0(a, v0), m.transp(zero, a, v0), **near)
    va, ua = m.proju(a, v), m.proju(a, u)
    close(m.transp0(b, m.transp0back(a, va)), m.transp(zero, b, m.transp(a, zero, va)), **near)
    close(m.inner(b, m.transp(a, b, ua), m.transp(a, b, va)), m.inner(a, ua, va), 1e-4 if dtype != F64 else 1e-9)
    close(m.inner0(a), m.inner(None, a, zero), **near)
    close(m.logmap0back(a), m.logmap(a, zero), **near)
    assert m.logmap0(m.random_normal(10, 500, mean=0)).mean(-1).abs().max() < 0.1


# test_product_manifold.py, test_stereographic_product_manifold.py


def product():
    return ours.ProductManifold((ours.Sphere(), 10), (ours.Sphere(), (3, 2)), (ours.Euclidean(), ()))


def points_of_parts():
    return ours.Sphere().random_uniform(5, 10), ours.Sphere().random_uniform(5, 3, 2), ours.Euclidean().random_normal(5)


def test_products_are_made():
    """test_init, test_from_point, test_from_point_checks_shapes, test_reshaping, test_unpack_tensor_method."""
    m, parts = product(), points_of_parts()
    assert m.n_elements == 17 and m.name == "(Sphere)x(Sphere)x(Euclidean)"
    assert ours.ProductManifold.from_point(*parts, batch_dims=1).n_elements == 17
    assert ours.ProductManifold.from_point(*parts).n_elements == 5 * 17
    with pytest.raises(ValueError, match="first 1 dimensions must be equal"):
        ours.ProductManifold.from_point(parts[0], parts[1][:3], batch_dims=1)
    packed = m.pack_point(*parts)
    assert packed.shape == (5, 17) and all(map(torch.equal, m.unpack_tensor(packed), map(plain, parts)))
    assert [x.shape for x in m.random(4, 17).unpack_tensor()] == [(4, 10), (4, 3, 2), (4,)]
    for twin in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert repr(twin) == repr(m)
    for make, error, words in ((lambda: ours.ProductManifold(), ValueError, "the list of parts is empty"),
                               (lambda: ours.ProductManifold((ours.Sphere(), ())), ValueError, "of shape"),
                               (lambda: ours.ProductManifold(ours.Sphere()), TypeError, "part 0"),
                               (lambda: m.dist(packed[:, 1:], packed), ValueError, "17 elements"),
                               (lambda: m.pack_point(*parts[:2]), ValueError, "2 parts are given, expected 3"),
                               (lambda: m.pack_point(*parts[::-1]), ValueError, "part 0 of shape"),
                               (lambda: m.mobius_add(packed, packed), NotImplementedError, "part 0 has none"),
                               (lambda: ours.StereographicProductManifold((ours.Sphere(), 2)), TypeError, "part 0")):
        with pytest.raises(error, match=words):
            make()


def test_products_are_their_parts():
    """test_inner_product, test_component_inner_product, and each operation of every manifold."""
    m = ours.ProductManifold((ours.Sphere(), 4), (ours.PoincareBall(0.5), (3, 2)), (ours.Euclidean(), ()),
                             (ours.Lorentz(2.0), 3))
    x, y = plain(m.random(5, 14, dtype=F64)), plain(m.random(5, 14, dtype=F64))
    u = m.proju(x, torch.randn_like(x))
    assert m.inner(x, u).shape == (5,) and m.inner(x, u, keepdim=True).shape == (5, 1)
    assert m.component_inner(x, u).shape == (5, 14)
    for name, operands in (("expmap", (x, u)), ("retr", (x, u)), ("logmap", (x, y)), ("transp", (x, y, u)),
                           ("projx", (x,)), ("egrad2rgrad", (x, u)), ("proju", (x, y)),
                           ("transp_follow_retr", (x, u, u)), ("transp_follow_expmap", (x, u, u))):
        each = [getattr(part, name)(*values) for part, *values in zip(m.manifolds, *map(m.unpack_tensor, operands))]
        assert torch.equal(getattr(m, name)(*operands), m.pack_point(*each)), name
    squares = [part.dist2(a, b).reshape(5, -1).sum(-1)
               for part, a, b in zip(m.manifolds, m.unpack_tensor(x), m.unpack_tensor(y))]
    close(m.dist2(x, y), sum(squares))
    close(m.dist(x, y), sum(squares).sqrt())
    close(m.norm(x, m.logmap(x, y)), m.dist(x, y))
    close(m.expmap(x, m.logmap(x, y)), y)
    same = x.clone().requires_grad_()
    assert torch.autograd.grad(m.dist(same, x).sum(), same)[0].abs().max() == 0
    m.assert_check_point_on_manifold(m.origin(2, 14))
    assert not m.check_point_on_manifold(x + 1) and not m.check_vector_on_tangent(x, y)
    step = torch.compile(lambda a, b: m.dist(a, b), fullgraph=True, backend="aot_eager")
    assert torch.equal(step(x, y), m.dist(x, y))


def test_stereographic_products():
    """All of that file; dist2plane of balls alone."""
    parts = [ours.PoincareBall(), ours.SphereProjection(), ours.Stereographic()]
    m = ours.StereographicProductManifold(*((part, 2) for part in parts))
    x, y, z, t = (plain(m.random(4, 6, dtype=F64)) for _ in range(4))
    t, w, matrix = t[:, :1], torch.randn(6, dtype=F64), torch.randn(4, 6, 6, dtype=F64)
    take = m.take_submanifold_value
    for name, operands in (("mobius_add", (x, y)), ("mobius_coadd", (x, y)), ("mobius_sub", (x, y)),
                           ("mobius_cosub", (x, y)), ("mobius_scalar_mul", (t, x)), ("mobius_pointwise_mul", (w, x)),
                           ("geodesic", (t, x, y)), ("geodesic_unit", (t, x, y)), ("expmap0", (y,)), ("logmap0", (y,)),
                           ("transp0", (y, x)), ("transp0back", (y, x)), ("gyration", (x, y, z)), ("antipode", (x,))):
        each = [getattr(part, name)(*(v if v is t else take(v, i) for v in operands)) for i, part in enumerate(parts)]
        found = getattr(m, name)(*operands)
        close(found, torch.cat(each, -1))
        if name.startswith("mobius_") and name.endswith(("add", "sub")):
            m.assert_check_point_on_manifold(found)
    for several in (matrix, matrix[0]):
        each = [part.mobius_matvec(m.take_submanifold_matrix(several, i), take(x, i)) for i, part in enumerate(parts)]
        close(m.mobius_matvec(several, x), torch.cat(each, -1))
    close(m.dist0(x), sum(part.dist0(take(x, i)) ** 2 for i, part in enumerate(parts)).sqrt())
    close(m.mobius_fn_apply(torch.tanh, x), m.mobius_fn_apply_chain(x, torch.tanh))
    balls = ours.StereographicProductManifold((ours.PoincareBall(), 2), (ours.PoincareBall(0.5), 2))
    x, p, a = (plain(balls.random(5, 4, dtype=F64)) for _ in range(3))
    each = [part.dist2plane(*(balls.take_submanifold_value(v, i) for v in (x, p, a)))
            for i, part in enumerate(balls.manifolds)]
    close(balls.dist2plane(x, p, a), torch.stack(each).square().sum(0).sqrt())
    drawn = m.wrapped_normal(4, 6, mean=m.random(6))
    m.assert_check_point_on_manifold(drawn)
    assert drawn.manifold is m


# test_scaling.py


@pytest.mark.parametrize("learnable", [False, True])
def test_scaled(learnable):
    ball = ours.PoincareBallExact()
    m, v = ours.Scaled(ball, 2, learnable=learnable), torch.arange(10.0, dtype=F64) / 10
    close(ball.dist0(ball.expmap0(v)), m.dist0(m.expmap0(v)))
    close(m.dist0(m.expmap0(v)), m.norm(torch.zeros_like(v), v))
    again = ours.Scaled(m, 0.5)
    close(ball.expmap0(v), again.expmap0(v))
    x, y = plain(m.random(10, dtype=F64)), plain(again.random(10, dtype=F64))
    for scaled in (m, again):
        assert torch.equal(scaled.geodesic(0.5, x, y), ball.geodesic(0.5, x, y))
    close(m.dist(x, y), 2 * ball.dist(x, y))
    close(m.dist2(x, y), 4 * ball.dist2(x, y))
    close(m.expmap(x, m.logmap(x, y)), y)
    close(m.expmap(x, u=v * 0.1), ball.expmap(x, v * 0.05))
    close(m.geodesic_unit(2.0, x, y), ball.geodesic_unit(1.0, x, y))
    assert m.random(3, 2).manifold is m and m.c == ball.c and ours.ismanifold(again, ours.PoincareBall)
    with pytest.raises(NotImplementedError, match="Scaled version of 'mobius_fn_apply' is not available"):
        m.mobius_fn_apply(lambda u: u, x)
    with pytest.raises(AttributeError):
        m.no_such_thing
    if learnable:
        (slope,) = torch.autograd.grad(m.dist(x, y), m._log_scale)
        close(slope, m.dist(x, y))
    assert repr(copy.deepcopy(m)) == repr(m) == "Scaled(PoincareBallExact(c=1, radius=1), scale=2)"


# test_origin.py, test_random.py, test_wrapped_normal.py, test_euclidean.py, test_tensor_api.py

EVERY = [ours.Euclidean(), ours.Euclidean(1), ours.Sphere(), ours.PoincareBall(), ours.SphereProjection(),
         ours.Stereographic(), ours.Lorentz()]


@pytest.mark.parametrize("m", EVERY, ids=repr)
def test_origins_and_random_points(m):
    for points in (m.origin(3, 10, 10), m.random_normal(3, 10, 10), m.random((3, 10, 10))):
        m.assert_check_point_on_manifold(points)
        assert points.manifold is m and points.shape == (3, 10, 10)
    for draw in (m.origin, m.random_normal) if m.ndim else ():
        with pytest.raises(ValueError, match="shape \\(\\)"):
            draw(())
    if hasattr(m, "wrapped_normal"):
        points = m.wrapped_normal(4, 2, mean=m.random_normal(2))
        m.assert_check_point_on_manifold(points)
        assert points.manifold is m


@pytest.mark.parametrize("ndim", [0, 1, 2])
def test_euclidean(ndim):
    m = ours.Euclidean(ndim)
    x, y, u = (m.random_normal(2, 2, 2, 2, 2) for _ in range(3))
    for f in (lambda **o: m.inner(x, u, u, **o), lambda **o: m.inner(x, u, **o), lambda **o: m.norm(x, u, **o),
              lambda **o: m.dist(x, y, **o)):
        assert f().dim() == 5 - ndim and f(keepdim=True).dim() == 5
        close(f(keepdim=True).flatten(), f().flatten())
    close(m.expmap(x, u), x + u, 0, 0)
    with pytest.raises(ValueError, match="of shapes"):
        ours.Euclidean(2).dist(torch.ones(3), torch.ones(3))


def test_tensors():
    """test_allow_empty_parameter_compat, test_compare_manifolds, ..., test_copy, test_deepcopy."""
    assert ours.ManifoldParameter().shape == (0,) and repr(ours.ManifoldTensor().manifold) == "Euclidean(ndim=0)"
    with pytest.raises(ValueError, match="are given for"):
        ours.ManifoldParameter(ours.ManifoldTensor(10, manifold=ours.Euclidean()), manifold=ours.Euclidean(1))
    p = ours.Sphere().random(10)
    assert type(p.manifold.proju(p, torch.randn(10))) is torch.Tensor
    for kind in (ours.ManifoldTensor, ours.ManifoldParameter):
        assert all(isinstance(twin(kind()), kind) for twin in (copy.copy, copy.deepcopy))


# test_adam.py, test_rsgd.py, test_sparse_adam.py, test_sparse_rsgd.py

ADAM, SGD = ours.optim.RiemannianAdam, ours.optim.RiemannianSGD
HOW = {"adam": (ADAM, {"lr": 0.05}), "amsgrad": (ADAM, {"lr": 0.1, "amsgrad": True, "stabilize": 50}),
       "sgd": (SGD, {"lr": 0.1}), "momentum": (SGD, {"lr": 0.02, "momentum": 0.8}),
       "nesterov": (SGD, {"lr": 0.02, "momentum": 0.8, "nesterov": True}),
       "dampening": (SGD, {"lr": 0.02, "momentum": 0.8, "dampening": 0.1})}
WHERE = {"lorentz": (ours.Lorentz(), 3), "ball": (ours.PoincareBall(), 2),
         "product": (ours.StereographicProductManifold((ours.PoincareBall(), 2), (ours.SphereProjection(), 2),
                                                       (ours.Stereographic(), 2)), 6)}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("where", WHERE)
def test_points_are_found(where, how):
    """test_adam_lorentz, test_adam_poincare (sparse gradients, too), test_adam_StereographicProductManifold, and
    test_rsgd_*: points come to within 1e-5, states are loaded, and a step follows."""
    (m, size), (make, options) = WHERE[where], HOW[how]
    ideal = plain(m.random(3, size, dtype=F64))
    is_sparse = where == "ball"
    p = ours.ManifoldParameter(m.random(3, size, dtype=F64), manifold=m)
    optimizer, rows = make([p], **options), torch.arange(3)

    def closure():
        optimizer.zero_grad()
        found = torch.nn.functional.embedding(rows, p, sparse=True) if is_sparse else p
        loss = m.dist2(found, ideal).sum()
        loss.backward()
        assert p.grad.is_sparse == is_sparse
        return loss.item()

    for _ in range(2000):
        if (plain(p) - ideal).abs().max() < 1e-5:
            break
        optimizer.step(closure)
    assert p.is_contiguous() and m.check_point_on_manifold(p)
    close(p, ideal, 1e-5, 1e-5)
    optimizer.load_state_dict(optimizer.state_dict())
    optimizer.step(closure)


def test_stabilize_puts_points_back():
    """test_init_manifold."""
    m, flat = ours.Sphere(), ours.Euclidean()
    p, q = ours.ManifoldParameter(m.random(4, 3), manifold=m), ours.ManifoldParameter(torch.randn(4), manifold=flat)
    with torch.no_grad():
        p.mul_(2)
    before, p.grad, q.grad = (plain(p).clone(), plain(q).clone()), torch.zeros_like(p), torch.zeros_like(q)
    SGD([p, q], lr=1, stabilize=1).step()
    close(p, m.projx(before[0]), 1e-6)
    close(q, before[1], 0, 0)


@pytest.mark.parametrize("learnable", [False, True])
def test_manifolds_on_the_device_meta(learnable):
    """As models are made that get their memory later: wrong numbers are refused there, too, and texts need none."""
    makers = (lambda c: ours.PoincareBall(c, learnable), lambda c: ours.PoincareBall(radius=c, learnable=learnable),
              lambda c: ours.PoincareBall(k=-c, learnable=learnable), lambda c: ours.HalfSpace(c, learnable),
              lambda c: ours.Lorentz(c, learnable), lambda c: ours.SphereProjection(c, learnable),
              lambda c: ours.Scaled(ours.Euclidean(ndim=1), c, learnable))
    for make in makers:
        with torch.device("meta"):
            manifold = make(2.0)
            with pytest.raises(ValueError, match="above 0"):
                make(-2.0)
        x = torch.empty(4, 3, device="meta")
        assert "meta" not in repr(make(2.0)) and repr(manifold)
        assert all(t.is_meta for t in (*manifold.parameters(), *manifold.buffers()))
        assert manifold.dist(x, x).is_meta and make(2.0).to("meta").dist(x, x).shape == (4,)
        assert make(torch.empty((), device="meta", dtype=torch.float64)).dist(x, x).is_meta
    with torch.device("meta"):
        assert repr(ours.Stereographic(-1.0, learnable))
        with pytest.raises(ValueError, match="not finite"):
            ours.Stereographic(float("nan"))
