"""What geoopt 0.5.1's own tests assert of manifolds, gyrovectors, the Lorentz model and optimizers, on ours.

Each test names those of geoopt whose assertions it has; docs/geoopt.md lists what is not asserted, and why."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import geometry as ours  # noqa: E402

F64 = torch.float64
#: geoopt's tolerances of its gyrovector tests, by type
LOOSE = {torch.float32: {"atol": 5e-5, "rtol": 1e-3}, F64: {"atol": 1e-9, "rtol": 1e-7}}


def plain(x):
    return torch.Tensor.as_subclass(x, torch.Tensor).detach()


def close(a, b, atol=1e-6, rtol=1e-6):
    torch.testing.assert_close(plain(a), plain(b).expand_as(a), atol=atol, rtol=rtol, check_dtype=False)


def finite_gradients(result, *inputs):
    for gradient in torch.autograd.grad(result.sum(), inputs, retain_graph=True):
        assert gradient.isfinite().all()


# test_manifold_basic.py: points and vectors, and what projections should make of others


def drawn(*shape):
    return torch.randn(*shape, dtype=F64)


def case_of(manifold):
    """The manifold, values, their point, and vectors, their tangent vector, by formulas written out."""
    ex, ev = drawn(5), drawn(5)
    if isinstance(manifold, ours.Sphere):
        x = ex / ex.norm()
        return manifold, ex, x, ev, ev - (x @ ev) * x
    if isinstance(manifold, ours.Lorentz):
        space = ex[1:]
        x = torch.cat([(manifold.k + space @ space).sqrt()[None], space])
        form = (x[1:] * ev[1:]).sum() - x[0] * ev[0]
        return manifold, ex, x, ev, ev + form / manifold.k * x
    if isinstance(manifold, ours.PoincareBall):
        ex = ex / ex.norm() * torch.tanh(ex.norm() / 3)
    return manifold, ex, ex.clone(), ev / 3, ev.clone() / 3


def product_case():
    parts = [case_of(ours.Sphere()), case_of(ours.PoincareBall()), case_of(ours.Euclidean(1)),
             case_of(ours.Lorentz(2.0))]
    manifold = ours.ProductManifold(*((part[0], 5) for part in parts))
    return manifold, *(manifold.pack_point(*each) for each in zip(*(part[1:] for part in parts)))


MANIFOLDS = [ours.Euclidean(1), ours.Sphere(), ours.SphereExact(), ours.Stereographic(), ours.StereographicExact(),
             ours.PoincareBall(), ours.PoincareBallExact(), ours.SphereProjection(), ours.SphereProjectionExact(),
             ours.Lorentz(2.0), None]


@pytest.mark.parametrize("scale", [None, 2.0])
@pytest.mark.parametrize("manifold", MANIFOLDS, ids=lambda m: "Product" if m is None else m.name)
def test_manifold(manifold, scale):
    """test_projection_identity, _projection_via_assert, _vector_projection_via_assert, _broadcast_projx, _proju, _retr
    and _transp, _reversibility, _logmap, _dist."""
    torch.manual_seed(42)
    manifold, ex, x, ev, v = product_case() if manifold is None else case_of(manifold)
    if scale is not None:
        manifold = ours.Scaled(manifold, scale)
    close(manifold.projx(x), x)
    manifold.assert_check_point_on_manifold(manifold.projx(ex))
    close(manifold.projx(ex), x)
    manifold.assert_check_vector_on_tangent(x, manifold.proju(x, ev))
    close(manifold.proju(x, ev), v)
    several = torch.stack([ex, ex * 0.5, x])
    for one, point in zip(several, manifold.projx(several)):
        manifold.assert_check_point_on_manifold(point)
        close(manifold.projx(one), point, 1e-7)
    xs, us = torch.stack([x] * 4), torch.stack([v, -v, v * 0.3, v * 0.1])
    us, vs = manifold.proju(xs, us), manifold.proju(xs, drawn(4, x.numel()))
    ys, carried = manifold.retr_transp(xs, us, vs)
    manifold.assert_check_point_on_manifold(ys)
    manifold.assert_check_vector_on_tangent(ys, carried)
    close(manifold.transp_follow_retr(xs, us, vs), carried)
    for i in range(4):
        close(manifold.retr(x, us[i]), ys[i], 1e-10)
        close(manifold.proju(x, us[i]), us[i], 1e-10)
        close(manifold.transp_follow_retr(x, us[i], vs[i]), carried[i], 1e-10)
    if manifold.reversible:
        small = vs / 3
        ys, carried = manifold.retr_transp(xs, small, small)
        back, vectors = manifold.retr_transp(ys, -carried, carried)
        close(back, xs)
        close(vectors, small)
    ys = manifold.expmap(xs, vs)
    close(manifold.expmap(xs, manifold.logmap(xs, ys)), ys)
    close(manifold.logmap(xs, xs), torch.zeros_like(xs))
    close(manifold.dist(x, manifold.expmap(x, v)), manifold.norm(x, v), 0, 1e-7)


# test_gyrovector_math.py: curvatures are one or differ among the points


CURVATURES = {"0": lambda: torch.tensor(0.0), "1": lambda: torch.tensor(1.0), "random": lambda: torch.rand(()),
              "zeros": lambda: torch.zeros(20, 1), "differ": lambda: torch.rand(20, 1),
              "powers": lambda: 10.0 ** torch.arange(-15, 1)[:, None]}


class Gyro:
    """A stereographic model and points of it."""

    def __init__(self, c: str, sign: int, dtype):
        torch.manual_seed(len(c))
        k = sign * CURVATURES[c]().to(dtype)
        self.manifold, self.dtype, self.is_strict = ours.Stereographic(k, learnable=True), dtype, sign < 0 or c in "01"
        self.count = k.shape[0] if k.dim() else 20
        self.a, self.b = self.points(), self.points()

    def points(self):
        radius = self.manifold.radius.detach()
        radius = torch.where(radius.isfinite(), radius, 1.0).clamp_max(100)
        x = torch.randn(self.count, 4, dtype=F64) - 1
        x = x / x.norm(dim=-1, keepdim=True) * radius * torch.rand_like(x)
        return plain(self.manifold.projx(x.to(self.dtype))).requires_grad_()

    def alike(self, found, wanted, *inputs, **tolerance):
        """Close, at least without NaN where a sphere's points may be opposite, and with finite gradients."""
        tolerance = tolerance or LOOSE[self.dtype]
        found, wanted = found.to(self.dtype), wanted.to(self.dtype)
        if self.is_strict:
            close(found, wanted, **tolerance)
        assert not found.isnan().any() and not wanted.isnan().any()
        finite_gradients(found, *inputs, self.manifold.k)


@pytest.fixture(params=[torch.float64, torch.float32], ids=["float64", "float32"])
def dtype(request):
    return request.param


@pytest.fixture(params=[(c, sign) for c in CURVATURES for sign in (-1, 1)], ids=lambda p: f"{p[0]},{p[1]:+d}")
def gyro(request, dtype):
    return Gyro(*request.param, dtype)


def test_additions(gyro):
    """test_mobius_addition_*, _mobius_negative_addition, _mobius_coadd, _mobius_cosub, _n_additions_*."""
    m, a, b = gyro.manifold, gyro.a, gyro.b
    zero = torch.zeros_like(a)
    gyro.alike(m.mobius_add(-a, m.mobius_add(a, b)), b, a, b)
    gyro.alike(m.mobius_add(zero, b), b, b)
    gyro.alike(m.mobius_add(a, zero), a, a)
    gyro.alike(m.mobius_add(a, -a), zero, a)
    gyro.alike(m.mobius_add(-b, -a), -m.mobius_add(b, a), a, b)
    gyro.alike(m.mobius_sub(m.mobius_coadd(a, b), b), a, a, b, atol=5e-5, rtol=1e-4)
    gyro.alike(m.mobius_cosub(m.mobius_add(a, b), b), a, a, b, atol=5e-5, rtol=1e-4)
    sums = zero
    for n in range(5):
        times = torch.tensor(float(n), dtype=gyro.dtype).requires_grad_()
        gyro.alike(m.mobius_scalar_mul(times, a), sums, times, a, atol=4e-5, rtol=1e-3)
        sums = m.mobius_add(a, sums)


def test_multiplications(gyro):
    """test_scalar_multiplication_distributive and _associative, _scaling_property, test_matvec_*."""
    m, a = gyro.manifold, gyro.a
    r, s = (torch.rand(shape, dtype=gyro.dtype).mul(2).sub(1).requires_grad_() for shape in ((), (gyro.count, 1)))
    each = m.mobius_scalar_mul(r, a), m.mobius_scalar_mul(s, a)
    gyro.alike(m.mobius_scalar_mul(r + s, a), m.mobius_add(*each), a, r, s)
    gyro.alike(m.mobius_scalar_mul(r * s, a), m.mobius_scalar_mul(r, each[1]), a, r, s)
    gyro.alike(m.mobius_scalar_mul(r * s, a), m.mobius_scalar_mul(s, each[0]), a, r, s)
    close(m.mobius_scalar_mul(s.abs(), a) / each[1].norm(dim=-1, keepdim=True), a / a.norm(dim=-1, keepdim=True), 1e-5)
    finite_gradients(m.mobius_matvec(a.new_zeros(3, 4), a), a, m.k)
    close(m.mobius_matvec(a.new_zeros(3, 4), a), torch.zeros(()))
    one, two = (torch.randn(4, 4, dtype=gyro.dtype) for _ in range(2))
    if not gyro.is_strict:  # a length beyond half a great circle has another logarithm
        one, two = 0.1 * one, 0.1 * two
    gyro.alike(m.mobius_fn_apply(lambda u: u @ one.T, a), m.mobius_matvec(one, a), a)
    chain = m.mobius_fn_apply_chain(a, lambda u: u @ one.T, lambda u: u @ two.T)
    assert not chain.isnan().any()
    if m.k.max() <= 0 and gyro.dtype == F64:
        close(chain, m.mobius_matvec(two @ one, a), 1e-5, 1e-5)


def test_geodesics(gyro):
    """test_geodesic_borders, _segment_length_property, _segement_unit_property, test_expmap_logmap,
    test_expmap0_logmap0."""
    m, a, b = gyro.manifold, gyro.a, gyro.b
    gyro.alike(m.geodesic(torch.tensor(0.0), a, b), a, a, b)
    gyro.alike(m.geodesic(torch.tensor(1.0), a, b), b, a, b)
    t = torch.linspace(0, 1, 13, dtype=gyro.dtype)[:, None, None]
    path, length = m.geodesic(t, a, b), m.dist(a, b, keepdim=True) / 12
    gyro.alike(m.dist(path[:-1], path[1:], keepdim=True), length.expand(12, -1, 1), a, b, atol=5e-3, rtol=1e-4)
    path = m.geodesic_unit(t, a, b)
    gyro.alike(m.dist(path[:1], path, keepdim=True), t.expand(13, gyro.count, 1), a, atol=2e-4, rtol=1e-4)
    gyro.alike(m.expmap(a, m.logmap(a, b)), b, a, b)
    v = m.logmap0(a)
    gyro.alike(m.expmap0(v), a, a)
    gyro.alike(m.norm(torch.zeros_like(v), v, keepdim=True), m.dist0(a, keepdim=True), a)


def test_transports(gyro):
    """test_transp0_preserves_inner_products, _is_same_as_usual, test_transp_a_b."""
    m, a, b = gyro.manifold, gyro.a, gyro.b
    zero, u, v = torch.zeros_like(a), torch.rand_like(a) + 1e-5, torch.rand_like(a) + 1e-5
    there = m.transp0(a, u), m.transp0(a, v)
    gyro.alike(m.inner(a, *there, keepdim=True), m.inner(zero, u, v, keepdim=True), a)
    gyro.alike(there[0], m.transp(zero, a, u), a)
    gyro.alike(m.inner(b, m.transp(a, b, u), m.transp(a, b, v)), m.inner(a, u, v), a, b)


def test_planes_and_spheres(gyro):
    """test_distance2plane, test_sproj, test_antipode."""
    m, a = gyro.manifold, gyro.a
    if (m.k != 0).all():
        gyro.alike(m.sproj(m.inv_sproj(a)), a, a, atol=1e-5, rtol=1e-5)
    else:
        with pytest.raises(NotImplementedError, match="curvatures other than 0 only"):
            m.inv_sproj(a)
    if (m.k > 0).all():
        far, near = m.inv_sproj(m.antipode(a)), m.inv_sproj(a)
        close(far / m.radius, -near / m.radius, 1e-5)
    elif not (m.k > 0).any():
        assert torch.equal(m.antipode(a), -a)
    v = torch.rand_like(a)
    if (m.k < 0).all():
        z = m.expmap(a, v / m.norm(a, v, keepdim=True))
        gyro.alike(m.dist2plane(z, a, v), m.dist(a, z), a, atol=4e-4, rtol=4e-4)
    else:
        with pytest.raises(NotImplementedError, match="curvature below 0"):
            m.dist2plane(a, a, v)


@pytest.mark.parametrize("c", ["1", "random", "differ"])
def test_far_away(c, dtype):
    """test_add_infinity_and_beyond, of hyperbolic space: everything stays finite."""
    gyro = Gyro(c, -1, dtype)
    m, a, far = gyro.manifold, gyro.a.detach(), gyro.b.detach() * 1e7
    for _ in range(20):
        z = m.expmap(a, far)
        assert z.isfinite().all() and m.dist0(z).isfinite().all()
        z = m.mobius_scalar_mul(torch.tensor(1000.0, dtype=dtype), z)
        far = m.transp(a, z, far)
        assert z.isfinite().all() and far.isfinite().all()
        a = z


def test_gradients_of_every_size():
    """test_project_k_grad and test_{tanh,artanh,arsinh,tan_k,artan_k,arsin_k,sin_k}_grad: what is made of those
    functions, at points and curvatures from 1e-15 to 1."""
    sizes = 10.0 ** torch.arange(-15, 1, dtype=F64)
    k = torch.cat([-sizes, torch.zeros(1, dtype=F64), sizes])[:, None, None]
    m = ours.Stereographic(k, learnable=True)
    x = (0.4 * torch.cat([-sizes, torch.zeros(1, dtype=F64), sizes])[:, None].expand(-1, 5)).requires_grad_()
    for f in (m.projx, m.expmap0, m.logmap0, m.dist0, m.lambda_x):
        finite_gradients(f(x), x, m.k)


@pytest.mark.parametrize("k", [-1, -0.3])
@pytest.mark.parametrize("lincomb", [False, True])
def test_midpoints(k, lincomb):
    """test_weighted_midpoint, _reduce_dim, _weighted, _zero, _weighted_zero_sum, of curvatures below 0."""
    m = ours.Stereographic(k, learnable=True)
    a = ours.ManifoldParameter(m.random(2, 3, 6, dtype=F64), manifold=m)
    w = torch.rand(2, 3, dtype=F64)
    for options, shape in (({}, (6,)), ({"reducedim": [0]}, (3, 6)), ({"reducedim": [0], "weights": w}, (3, 6))):
        mid = m.weighted_midpoint(a, lincomb=lincomb, **options)
        assert mid.shape == shape
        finite_gradients(mid, a, m.k)
        assert torch.autograd.grad(m.weighted_midpoint(a, lincomb=lincomb, **options).sum(), m.k)[0] != 0
    basis = ours.ManifoldParameter(m.expmap0(torch.eye(3, 6, dtype=F64)), manifold=m)
    mid = m.weighted_midpoint(basis, lincomb=lincomb, weights=w[0] - w[0].mean(), posweight=True)
    assert mid.shape == (6,)
    finite_gradients(mid, basis)
