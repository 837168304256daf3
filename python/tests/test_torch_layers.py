"""Layers between points as modules of PyTorch: formulas of the sources with 50 digits, gradients, types, products."""
import copy
import pickle

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
mpmath = pytest.importorskip("mpmath", reason="mpmath is not installed")

from mpmath import mp, mpf  # noqa: E402

from mctensor import geometry as library  # noqa: E402
from mctensor.attention import attention, hyla_features  # noqa: E402
from mctensor.torch import geometry  # noqa: E402
from mctensor.torch.nn import hyperbolic  # noqa: E402

mp.dps = 50
K = 1.25
F64 = torch.float64


def ball(**options):
    return geometry.PoincareBall(**(options or {"radius": K}))


def lorentz(**options):
    return geometry.Lorentz(**(options or {"radius": K}))


def product(one=None, other=None, n=2):
    return geometry.ProductManifold((one or ball(), n), (other or lorentz(radius=0.75), n + 1),
                                    (geometry.Euclidean(1), 2))


MODELS = [ball(), lorentz()]
SPACES = [*MODELS, product()]


def points(manifold, *shape, seed=0, scale=0.7, dtype=F64):
    """Points of so many dimensions; a product has 2, 2 and 2."""
    torch.manual_seed(seed)
    return hyperbolic.from_tangent0(manifold, torch.randn(shape, dtype=F64) * scale).to(dtype)


def made(cls, *given, **options):
    torch.manual_seed(3)
    layer = cls(*given, dtype=F64, **options)
    with torch.no_grad():
        for name, p in layer.named_parameters():
            if "manifold" not in name:
                p.add_(torch.randn_like(p) * 0.4)
    return layer


def numbers(x):
    return [numbers(y) for y in x] if x.dim() else mpf(x.item())


def close(found, expected, atol=1e-14, rtol=1e-13):
    found, expected = (x if isinstance(x, torch.Tensor) else torch.tensor(x, dtype=F64) for x in (found, expected))
    torch.testing.assert_close(found, expected, atol=atol, rtol=rtol)


def dot(a, b):
    return sum((p * q for p, q in zip(a, b)), mpf(0))


def shimizu(x, z, r, k):
    """Equation 6 in the ball of radius k, for a normal vector z and a distance r that are ours."""
    c, z, r = 1 / k**2, [t / 2 for t in z], r / 2 * k
    root, length = mp.sqrt(c), mp.sqrt(dot(z, z))
    factor = 2 / (1 - c * dot(x, x))
    return 2 * length / root * mp.asinh(factor * dot([root * t for t in x], [t / length for t in z])
                                        * mp.cosh(2 * root * r) - (factor - 1) * mp.sinh(2 * root * r))


@pytest.mark.parametrize("scale", [0.7, 5])
def test_mlr_and_fully_connected_are_shimizus(scale):
    x = points(ball(), 4, 3, scale=scale)
    mlr, layer = made(hyperbolic.HyperbolicMLR, 3, 5, ball()), made(hyperbolic.HyperbolicFullyConnected, 3, 5, ball())
    assert torch.equal(mlr.weight, layer.weight)
    logits, places, bounds = [], [], []
    for row in numbers(x):
        v = [shimizu(row, z, r, mpf(K)) for z, r in zip(numbers(mlr.weight), numbers(mlr.bias))]
        w = [K * mp.sinh(t / K) for t in v]
        logits.append([float(t) for t in v])
        places.append([float(t / (1 + mp.sqrt(1 + dot(w, w) / mpf(K)**2))) for t in w])
        first = (mpf(K)**2 + dot(row, row)) / (mpf(K)**2 - dot(row, row))  # asinh's argument has the error u x_0 e^r
        bounds.append([float(K * mp.sqrt(dot(z, z)) * first * mp.exp(abs(r)))
                       for z, r in zip(numbers(mlr.weight), numbers(mlr.bias))])
    error = (mlr(x) - torch.tensor(logits, dtype=F64)).abs()
    assert (error <= 8 * 2.0**-53 * (torch.tensor(bounds, dtype=F64) + mlr(x).abs())).all()
    close(layer(x), places, rtol=1e-12 if scale < 1 else 1e-8)


def test_linear_is_moebius_product_and_sum():
    here, layer = ball(), made(hyperbolic.HyperbolicLinear, 3, 2, ball())
    x = points(here, 4, 5, 3, scale=2)
    expected = here.mobius_add(here.mobius_matvec(layer.weight, x), here.expmap0(layer.bias))
    close(layer(x), expected, rtol=1e-12)
    alone = hyperbolic.HyperbolicLinear(3, 2, here, bias=False, dtype=F64)
    close(alone(x), here.mobius_matvec(alone.weight, x))


def test_lorentz_linear_is_chens():
    there, layer = lorentz(), made(hyperbolic.LorentzLinear, 3, 2, lorentz())
    x = points(there, 4, 3, scale=3)
    expected = []
    for row in numbers(x):
        unit = [t / K for t in row]
        y = [dot(w, unit) + b for w, b in zip(numbers(layer.weight), numbers(layer.bias))]
        s = mp.exp(numbers(layer.scale)[0]) / (1 + mp.exp(-dot(numbers(layer.gate), unit) - numbers(layer.shift)[0]))
        place = [K * s * t / mp.sqrt(dot(y, y)) for t in y]
        expected.append([float(t) for t in (mp.sqrt(mpf(K)**2 + dot(place, place)), *place)])
    close(layer(x), expected)
    assert there.check_point_on_manifold(layer(x))
    with torch.no_grad():
        for p in (layer.weight, layer.bias):
            p.zero_()
    close(layer(x), torch.tensor([K, 0, 0], dtype=F64).expand(4, 3))


@pytest.mark.parametrize("cls", [hyperbolic.HyperbolicMLR, hyperbolic.HyperbolicFullyConnected])
def test_both_models_are_one_space(cls):
    here, there = made(cls, 3, 4, ball()), made(cls, 3, 4, lorentz())
    x = points(ball(), 5, 3)
    y = hyperbolic.ChangeManifold(ball(), lorentz())(x)
    close(y, library.PoincareBall(K).to_lorentz(x), rtol=1e-12)
    result = here(x)
    if cls is hyperbolic.HyperbolicFullyConnected:
        result = hyperbolic.ChangeManifold(ball(), lorentz())(result)
    close(there(y), result, rtol=1e-12, atol=1e-13)


#: the last rows of what the layers of C++ give for the points and parameters of test_layers_are_those_of_cpp
OF_CPP = [
    {"linear": [0.47619616822595584, -0.36817933484427523], "full": [-0.12403852164122783, -0.24366134936481917],
     "mlr": [-0.25869188634985524, -0.49849130975237421], "norm": [0.46927145933773079, -0.14436468144429501,
     -0.54650622569995211], "mean": [0.0056411934574654059, 0.00046538118278075977, -0.0053922156149498607], "cat":
     [0.15142928770951386, -0.16182462112630766, -0.23800508089732392, 0.15142928770951386, -0.16182462112630766,
     -0.23800508089732392], "attend": [0.64334901933536837, 0.41516053977678752, -0.17235569724614472,
     -0.48880133405153448]},
    {"linear": [1.5866220441201426, 0.66392402622054569, -0.71698981742775125], "full": [1.375620450372764,
     -0.26054246324416985, -0.51180977748615364], "mlr": [-0.25869188634985513, -0.49849130975237443], "norm":
     [1.6825977308589459, 0.67742733052106618, -0.3116477756171151, -0.8441581603631394], "mean": [1.2500977888369258,
     0.011282828231528475, 0.00093079877282919283, -0.010784853068694467], "cat": [1.6414386347944718,
     0.3502787943381569, -0.37432476926846703, -0.55054166894712497, 0.3502787943381569, -0.37432476926846703,
     -0.55054166894712497], "attend": [2.4246597280677826, 1.4513269523111725, 0.78833873812804967,
     -0.55187820699088053, -1.1331713696630805], "chen": [1.3423310361124263, 0.47954618825691597,
     -0.096892021544204399]}]


def waves(*shape, seed=1, scale=0.5):
    return scale * torch.sin(1.3 * torch.arange(torch.Size(shape).numel(), dtype=F64) + seed).reshape(shape)


def filled(layer):
    with torch.no_grad():
        for seed, p in enumerate(layer.parameters(), 1):
            p.copy_(waves(*p.shape, seed=seed))
    return layer


@pytest.mark.parametrize("manifold, expected", list(zip(MODELS, OF_CPP)), ids=["ball", "lorentz"])
def test_layers_are_those_of_cpp(manifold, expected):
    scale = 0.4 if isinstance(manifold, geometry.PoincareBall) else 0.8
    x, z = (hyperbolic.from_tangent0(manifold, waves(3, n, scale=scale)) for n in (3, 4))
    norm = filled(hyperbolic.HyperbolicBatchNorm(3, manifold, dtype=F64))
    found = {"linear": filled(hyperbolic.HyperbolicLinear(3, 2, manifold, dtype=F64))(x),
             "full": filled(hyperbolic.HyperbolicFullyConnected(3, 2, manifold, dtype=F64))(x),
             "mlr": filled(hyperbolic.HyperbolicMLR(3, 2, manifold, dtype=F64))(x), "norm": norm(x),
             "mean": norm.running_mean[None], "cat": hyperbolic.hyperbolic_cat(manifold, [x, x]),
             "attend": filled(hyperbolic.ManifoldAttention(4, 2, manifold, dtype=F64))(z, causal=True)}
    if "chen" in expected:
        found["chen"] = filled(hyperbolic.LorentzLinear(3, 2, manifold, dtype=F64))(x)
    assert found.keys() == expected.keys()
    for name, y in found.items():
        close(y[-1], expected[name], rtol=1e-12)


def layers(manifold):
    """A layer of each kind, from 3 dimensions (or from those of the product)."""
    if isinstance(manifold, geometry.ProductManifold):
        return [made(hyperbolic.HyperbolicLinear, 6, 4, manifold, out_manifold=product(manifold.manifolds[0], n=1)),
                made(hyperbolic.ProductMLR, 3, manifold), made(hyperbolic.HyperbolicBatchNorm, 6, manifold)]
    found = [made(hyperbolic.HyperbolicLinear, 3, 2, manifold), made(hyperbolic.HyperbolicMLR, 3, 4, manifold),
             made(hyperbolic.HyperbolicFullyConnected, 3, 2, manifold),
             made(hyperbolic.HyperbolicBatchNorm, 3, manifold, use_midpoint=True),
             hyperbolic.HyperbolicActivation(manifold, torch.tanh)]
    if isinstance(manifold, geometry.Lorentz):
        found.append(made(hyperbolic.LorentzLinear, 3, 2, manifold))
    return found


def gradients_are_right(layer, v):
    """Those of points, parameters and radii."""
    names = [name for name, _ in layer.named_parameters()]
    given = [p.detach().clone().requires_grad_() for p in layer.parameters()]

    def value(v, *parameters):
        saved = copy.deepcopy(layer.state_dict())
        with torch.nn.utils.stateless._reparametrize_module(layer, dict(zip(names, parameters)), tie_weights=True):
            result = layer(hyperbolic.from_tangent0(layer.manifold, v))
        layer.load_state_dict({name: x for name, x in saved.items() if name.startswith("running")}, strict=False)
        return result

    assert torch.autograd.gradcheck(value, (v.requires_grad_(), *given), atol=1e-6, rtol=1e-5, fast_mode=True)


@pytest.mark.parametrize("make", [lambda: ball(c=0.64, learnable=True), lambda: lorentz(k=1.5, learnable=True),
                                  lambda: product(ball(c=0.64, learnable=True), lorentz(k=1.5, learnable=True))])
def test_gradients(make):
    torch.manual_seed(1)
    for layer in layers(make()):
        n = 6 if isinstance(layer.manifold, geometry.ProductManifold) else 3
        gradients_are_right(layer, torch.randn(3, n, dtype=F64) * 0.6)


@pytest.mark.parametrize("manifold", MODELS, ids=repr)
def test_gradients_of_attention(manifold):
    torch.manual_seed(1)
    for options in ({}, {"comparison": "penumbral", "aggregation": "tangent"}):
        layer = made(hyperbolic.ManifoldAttention, 4, 2, manifold, **options)
        gradients_are_right(layer, torch.randn(3, 4, dtype=F64) * 0.6)


def is_point(manifold, x):
    """Whether coordinates are those of points to the roundings of each, and inside the ball whatever happens."""
    wide = x.double()
    if isinstance(manifold, geometry.PoincareBall):
        return bool((wide.square().sum(-1) < K**2).all())
    time = (K**2 + wide[..., 1:].square().sum(-1)).sqrt()
    return bool(((wide[..., 0] / time - 1).abs() <= 2 * torch.finfo(x.dtype).eps).all())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("manifold", MODELS, ids=repr)
def test_points_stay_points_in_every_type(manifold, dtype):
    wide = layers(manifold)
    for scale in (0.7, 4.0):
        x = points(manifold, 16, 3, scale=scale)
        x = x.to(dtype) if isinstance(manifold, geometry.Lorentz) else x * (1 - 2.0**-7)
        x = x.to(dtype)
        for layer in wide:
            narrow = copy.deepcopy(layer).to(dtype)
            if list(narrow.parameters()):
                with torch.no_grad():  # the same numbers
                    for p, q in zip(layer.parameters(), narrow.parameters()):
                        p.copy_(q)
            y = narrow(x)
            assert y.dtype == dtype and y.isfinite().all()
            if not isinstance(layer, hyperbolic.HyperbolicMLR):
                assert is_point(manifold, y), layer
            if not isinstance(layer, hyperbolic.HyperbolicBatchNorm):
                expected = layer(x.double())
                scale_of = expected.abs().amax(-1, keepdim=True)
                assert ((y.double() - expected).abs() <= torch.finfo(dtype).eps * scale_of + 1e-7).all(), layer


def test_steep_layers_end_on_the_outermost_points():
    layer = hyperbolic.HyperbolicFullyConnected(2, 3, ball(), dtype=torch.float32)
    torch.nn.init.constant_(layer.weight, 50)
    y = layer(torch.tensor([[0.9, 0.5], [-0.9, -0.5]]))
    assert is_point(ball(), y) and (ball().dist0(y) > 15).all()
    y.sum().backward()
    assert layer.weight.grad.isfinite().all()


def test_concatenation_and_activation():
    here = ball()
    x, y = points(here, 4, 3), points(here, 4, 3, seed=1)
    both = hyperbolic.hyperbolic_cat(here, [x, y])
    close(here.logmap0(both)[:, 3:], here.logmap0(y) * float(mp.beta(3, 0.5) / mp.beta(1.5, 0.5)))
    positive = hyperbolic.HyperbolicActivation(here)(x)
    assert (positive >= 0).all() and (positive > 0).any() and (positive == 0).any()
    assert torch.equal(hyperbolic.hyperbolic_activation(here, torch.relu, x), positive)
    u = hyperbolic.to_tangent0(lorentz(), points(lorentz(), 4, 3))
    assert u.shape == (4, 3)
    with pytest.raises(ValueError, match="the list of points is empty"):
        hyperbolic.hyperbolic_cat(here, [])


@pytest.mark.parametrize("midpoint", [False, True])
@pytest.mark.parametrize("manifold", MODELS, ids=repr)
def test_batch_norm(manifold, midpoint):
    norm = hyperbolic.HyperbolicBatchNorm(2, manifold, midpoint, eps=0, momentum=0.5, dtype=F64)
    with torch.no_grad():
        norm.weight.fill_(0.5), norm.bias[0].fill_(0.4)
    beta = hyperbolic.from_tangent0(manifold, norm.bias.detach())
    torch.manual_seed(3)
    x = hyperbolic.from_tangent0(manifold, torch.randn(50, 2, dtype=F64) * 0.3 + 1.5)
    y = norm(x)
    close(manifold.dist2(y, beta).mean(), 0.25, rtol=1e-12)
    space = library.PoincareBall(K) if isinstance(manifold, geometry.PoincareBall) else library.Lorentz(K)
    off = manifold.dist(space.frechet_mean(y.detach()), beta).item()
    assert 1e-6 < off < 0.05 if midpoint else off < 1e-7
    for _ in range(60):
        norm(x)
    close(norm.eval()(x), y, atol=1e-6)
    close(norm(x[:1]), y[:1], atol=1e-6)
    one = hyperbolic.HyperbolicBatchNorm(2, ball(), dtype=F64)
    equal = torch.tensor([[0.3, 0.4]] * 2, dtype=F64, requires_grad=True)
    y = one(equal)
    close(y, torch.zeros(2, 2, dtype=F64), atol=1e-12)
    y.sum().backward()
    assert equal.grad.isfinite().all()


def test_products_are_their_parts():
    space = product()
    x = points(space, 4, 6)
    mlr = made(hyperbolic.ProductMLR, 3, space)
    one, other = (made(hyperbolic.HyperbolicMLR, 2, 3, part) for part in space.manifolds[:2])
    with torch.no_grad():
        for i, part in enumerate((one, other)):
            part.weight.copy_(getattr(mlr, f"weight{i}")), part.bias.copy_(getattr(mlr, f"bias{i}"))
    flat = x[:, 5:] @ mlr.weight2.T - mlr.weight2.norm(dim=-1) * mlr.bias2
    close(mlr(x), one(x[:, :2]) + other(x[:, 2:5]) + flat, rtol=1e-12)
    alone = geometry.ProductManifold((lorentz(), 4))
    here, there = made(hyperbolic.HyperbolicLinear, 3, 3, alone), made(hyperbolic.HyperbolicLinear, 3, 3, lorentz())
    y = points(lorentz(), 4, 3)
    close(here(y), there(y))
    norm = hyperbolic.HyperbolicBatchNorm(6, space, dtype=F64)
    parts = [hyperbolic.HyperbolicBatchNorm(2, part, dtype=F64) for part in space.manifolds[:2]]
    means = [norm._mean(x)[..., at] for at in space.slices]
    close(means[2], x[:, 5:].mean(0))
    for part, at, mean in zip(parts, space.slices, means):
        part(x[:, at])
        close(part.manifold.geodesic(torch.tensor(0.1, dtype=F64), hyperbolic.from_tangent0(
            part.manifold, torch.zeros(2, dtype=F64)), mean), part.running_mean)
    with pytest.raises(TypeError, match="give each part its own"):
        hyperbolic.HyperbolicFullyConnected(6, 3, space)
    with pytest.raises(ValueError, match="have 6 dimensions"):
        hyperbolic.HyperbolicLinear(5, 6, space)


def weights_of(layer, x, hidden=None):
    """Values at the origin, and weights by distance, of each head, by a matrix."""
    here = layer.manifold
    q, k, v = (hyperbolic.from_tangent0(here, layer._in_heads(part(x)))
               for part in (layer.q_proj, layer.k_proj, layer.v_proj))
    score = -layer.log_gamma.exp() * here.dist(q.unsqueeze(-2), k.unsqueeze(-3)) / K
    if hidden is not None:
        score = score.masked_fill(hidden, -torch.inf)
    return v, score.softmax(-1)


@pytest.mark.parametrize("manifold", MODELS, ids=repr)
def test_attention_is_a_mean_of_values(manifold):
    layer = made(hyperbolic.ManifoldAttention, 4, 2, manifold)
    x = points(manifold, 5, 4)
    hidden = torch.ones(5, 5, dtype=torch.bool).triu(1)
    v, w = weights_of(layer, x, hidden)
    means = manifold.weighted_midpoint(v.unsqueeze(-3).expand(2, 5, 5, v.shape[-1]), w, reducedim=[-2])
    joined = hyperbolic.from_tangent0(manifold, hyperbolic.to_tangent0(manifold, means).transpose(0, 1).flatten(1))
    close(layer(x, causal=True), layer.out_proj(joined), rtol=1e-9, atol=1e-11)
    close(layer(x, hidden=hidden), layer(x, causal=True))
    at_origin = made(hyperbolic.ManifoldAttention, 4, 2, manifold, aggregation="tangent")
    expected = hyperbolic.from_tangent0(manifold, (w @ hyperbolic.to_tangent0(manifold, v)).transpose(0, 1).flatten(1))
    close(at_origin(x, causal=True), at_origin.out_proj(expected), rtol=1e-9, atol=1e-11)
    seen = []
    own = made(hyperbolic.ManifoldAttention, 4, 2, manifold,
               aggregation=lambda m, values, attend: (seen.append(attend(torch.ones_like(values))), values)[1])
    own(x)
    close(seen[0], torch.ones_like(seen[0]))
    one = layer(x, x[:1], x[:1])
    close(one, one[:1].expand_as(one))


def test_attention_is_one_in_both_models():
    torch.manual_seed(1)
    v = torch.randn(2, 5, 4, dtype=F64) * 0.7
    change = hyperbolic.ChangeManifold(ball(), lorentz())
    for comparison in hyperbolic.COMPARISONS:
        here = made(hyperbolic.ManifoldAttention, 4, 2, ball(), comparison)
        there = made(hyperbolic.ManifoldAttention, 4, 2, lorentz(), comparison)
        assert (here.log_radius is None) == (comparison.split("-")[0] not in ("umbral", "penumbral", "entailment"))
        with torch.no_grad():
            for layer in (here, there):
                for p in layer.named_parameters():
                    if p[0].endswith("_proj.bias"):
                        p[1].zero_()
        x, y = hyperbolic.from_tangent0(ball(), v * 0.5), hyperbolic.from_tangent0(lorentz(), v)
        close(change(here(x, causal=True)), there(y, causal=True), rtol=1e-9, atol=1e-11)


def test_graph_attention_is_attention_to_neighbours():
    torch.manual_seed(2)
    edges = torch.randint(6, (2, 8))
    starts, columns = hyperbolic.neighbours(edges, 6, undirected=True)
    near = torch.eye(6, dtype=torch.bool)
    near[edges[0], edges[1]] = near[edges[1], edges[0]] = True
    assert starts.tolist() == [0, *near.sum(1).cumsum(0).tolist()]
    assert columns.tolist() == near.nonzero()[:, 1].tolist()
    one_way = hyperbolic.neighbours(torch.tensor([[0, 0, 2], [1, 1, 0]]), 3, self_loops=False)
    assert [x.tolist() for x in one_way] == [[0, 1, 2, 2], [2, 0]]
    for manifold in MODELS:
        graph = made(hyperbolic.GraphAttention, 4, 4, manifold, 2)
        plain = made(hyperbolic.ManifoldAttention, 4, 2, manifold)
        x = points(manifold, 6, 4)
        u = plain._in_heads(graph.proj(x))
        with torch.no_grad():
            plain.log_gamma.copy_(graph.log_gamma)
        expected = plain._attended(u, u, u, lambda *given, **options: attention(*given, hidden=~near, **options))
        close(graph(x, starts, columns), expected, rtol=1e-12)
        with pytest.raises(ValueError, match="node 2 has no neighbours"):
            graph(x[:3], *one_way)
    with pytest.raises(ValueError, match="nodes from 0 to 7, but there are 6 nodes"):
        hyperbolic.neighbours([[0], [7]], 6)
    with pytest.raises(ValueError, match="integers"):
        hyperbolic.neighbours([0, 1], 6)


def test_hyla_features():
    torch.manual_seed(0)
    layer = hyperbolic.HylaFeatures(2, 4000, ball(), deviation=0.5, dtype=F64)
    x = points(ball(), 3, 2, scale=0.4)
    found = layer(x)
    close(found, hyla_features(library.PoincareBall(K), x, layer.omega, layer.frequencies, layer.phases))
    # the kernel of a distance of 0 is 1/2
    close((found * found).sum(-1), torch.full((3,), 0.5, dtype=F64), atol=0.05)
    narrow = copy.deepcopy(layer).to(torch.bfloat16)(x.to(torch.bfloat16))
    assert narrow.dtype == torch.bfloat16 and narrow.isfinite().all()
    half = hyperbolic.HylaFeatures(2, 8, geometry.HalfSpace())
    assert half(geometry.HalfSpace().expmap0(torch.randn(3, 2))).shape == (3, 8)
    before = layer.omega.clone()
    layer.reset_parameters()
    assert not torch.equal(before, layer.omega)
    close(layer.omega.norm(dim=-1), torch.ones(4000, dtype=F64))


def test_change_of_manifold():
    small, large = ball(radius=1), ball(radius=3)
    x = points(small, 5, 3)
    scaled, kept = (hyperbolic.ChangeManifold(small, large, name)(x) for name in hyperbolic.RESCALINGS)
    close(scaled, x * 3)
    close(large.dist0(kept), small.dist0(x))
    y = hyperbolic.ChangeManifold(small, lorentz(radius=3), "keep_distances")(x)
    close(lorentz(radius=3).dist0(y), small.dist0(x))
    close(hyperbolic.ChangeManifold(lorentz(radius=3), small, "keep_distances")(y), x)
    back = hyperbolic.ChangeManifold(large, lorentz(radius=3))(scaled)
    close(hyperbolic.ChangeManifold(lorentz(radius=3), small)(back), x)
    spaces = product(), product(ball(radius=2))
    z = points(spaces[0], 4, 6)
    w = hyperbolic.ChangeManifold(*spaces)(z)
    close(w[:, :2], z[:, :2] * (2 / K))
    close(w[:, 2:], z[:, 2:])
    with pytest.raises(ValueError, match="parts of the same dimensions"):
        hyperbolic.ChangeManifold(*(geometry.ProductManifold((ball(), n)) for n in (2, 3)))
    with pytest.raises(ValueError, match="rescale_distances, keep_distances"):
        hyperbolic.ChangeManifold(small, large, "stretch")


def of_loss(manifold, table):
    return (manifold.dist2(table[:3], table[3:]).sum() + manifold.dist0(table)[0]).square()


@pytest.mark.parametrize("rescaling", hyperbolic.RESCALINGS)
@pytest.mark.parametrize("make", [lambda: ball(c=0.64, learnable=True), lambda: lorentz(k=1.5, learnable=True)])
def test_coupled_curvature(make, rescaling):
    manifold = make()
    table = geometry.ManifoldParameter(points(manifold, 6, 2), manifold=manifold)
    adam = geometry.RiemannianAdam([table], lr=0.0)
    both = hyperbolic.CoupledCurvature(manifold, adam, lr=1e-5, rescaling=rescaling)
    of_loss(manifold, table.as_subclass(torch.Tensor)).backward()
    before, x = manifold.radius.detach(), table.detach().as_subclass(torch.Tensor).clone()

    def loss_at(factor):
        other = type(manifold)(radius=before * factor)
        return of_loss(other, hyperbolic.ChangeManifold(manifold, other, rescaling)(x)).item()

    slope = (loss_at(1 + 1e-6) - loss_at(1 - 1e-6)) / 2e-6
    adam.state[table].update(step=1, **{name: torch.ones_like(x) for name in ("exp_avg", "exp_avg_sq")})
    with torch.no_grad():
        adam.state[table]["exp_avg"].copy_(manifold.proju(x, torch.ones_like(x)))
    both.step()
    factor = (manifold.radius / before).item()
    assert both.changed and factor != 1
    close(factor, float(mp.exp(-1e-5 * slope)), rtol=1e-9)
    y, state = table.detach().as_subclass(torch.Tensor), adam.state[table]
    here = type(manifold)(radius=before)
    grown = factor if rescaling == "rescale_distances" else 1
    close(manifold.dist0(y), here.dist0(x) * grown, rtol=1e-12)
    if rescaling == "rescale_distances":
        close(manifold.dist(y[0], y[1]), here.dist(x[0], x[1]) * factor, rtol=1e-12)
    assert manifold.check_vector_on_tangent(y, state["exp_avg"], atol=1e-10)
    copied = geometry.RiemannianAdam([geometry.ManifoldParameter(x, manifold=here)], lr=0.0)
    copied.param_groups[0]["params"][0].grad = table.grad.as_subclass(torch.Tensor)
    copied.state[copied.param_groups[0]["params"][0]] = {
        "step": 1, "exp_avg": here.proju(x, torch.ones_like(x)), "exp_avg_sq": torch.ones_like(x)}
    copied.step()
    plain = next(iter(copied.state.values()))
    close(manifold.norm(y, state["exp_avg"]), here.norm(x, plain["exp_avg"]) * grown, rtol=1e-12)
    close(state["exp_avg_sq"], plain["exp_avg_sq"] * grown**2, rtol=1e-12)
    both.zero_grad()
    assert table.grad is None and next(manifold.parameters()).grad is None
    both.step()
    assert not both.changed and manifold.radius.item() == pytest.approx(before.item() * factor, rel=1e-15)


def test_coupled_curvature_of_a_part():
    space = product(ball(c=0.64, learnable=True))
    table = geometry.ManifoldParameter(points(space, 4, 6).float(), manifold=space)
    sgd = geometry.RiemannianSGD([table], lr=1e-3, momentum=0.9)
    both = hyperbolic.CoupledCurvature(space.manifolds[0], sgd, lr=1e-2)
    for _ in range(3):
        both.zero_grad()
        space.dist2(table[:2], table[2:]).sum().backward()
        both.step()
        assert both.changed and space.check_point_on_manifold(table)
    for wrong, error, words in (
            ((ball(), sgd), ValueError, "not learned"), ((space, sgd), TypeError, "is wanted"),
            ((space.manifolds[0], torch.optim.SGD([table], 1e-3)), TypeError, "not a SGD"),
            ((space.manifolds[0], geometry.RiemannianSGD([table, space.manifolds[0].isp_c])), ValueError, "out there")):
        with pytest.raises(error, match=words):
            hyperbolic.CoupledCurvature(*wrong)
    steep = ball(radius=1)
    learned = ball(c=1.0, learnable=True)
    far = geometry.ManifoldParameter(steep.expmap0(torch.tensor([[18.0, 0.0]], dtype=F64)), manifold=learned)
    both = hyperbolic.CoupledCurvature(learned, geometry.RiemannianSGD([far], lr=0.0), 1.0, "keep_distances")
    next(learned.parameters()).grad = torch.tensor(-1.0, dtype=F64)
    far.grad = torch.zeros(1, 2, dtype=F64)
    x = far.detach().as_subclass(torch.Tensor).clone()
    with pytest.raises(ValueError, match="cannot be stored at radius"):
        both.step()
    assert torch.equal(far.as_subclass(torch.Tensor), x) and learned.radius.item() == pytest.approx(1)


@pytest.mark.parametrize("manifold", SPACES, ids=lambda m: m.name)
def test_modules_are_copied_saved_and_shown(manifold):
    n = 6 if isinstance(manifold, geometry.ProductManifold) else 3
    for layer in layers(manifold):
        x = points(manifold, 4, n)
        state = copy.deepcopy(layer.state_dict())
        twin = copy.deepcopy(layer)
        file = twin if isinstance(layer, hyperbolic.HyperbolicActivation) else pickle.loads(pickle.dumps(layer))
        for other in (twin, file):
            other.eval()
            assert torch.equal(other(x), layer.eval()(x))
        if hasattr(layer, "reset_parameters"):
            assert "features=" in repr(layer)
            layer.reset_parameters()
            assert not all(torch.equal(state[name], p) for name, p in layer.state_dict().items())
            layer.load_state_dict(state)
        assert torch.equal(twin(x), layer(x))
        assert type(layer).__name__ in repr(layer)
    assert list(hyperbolic.HyperbolicLinear(3, 2, ball(c=1.0, learnable=True)).state_dict()) == [
        "weight", "bias", "manifold.isp_c"]


def test_points_know_their_manifold():
    here = ball()
    layer = made(hyperbolic.HyperbolicLinear, 3, 2, here)
    x = geometry.ManifoldParameter(points(here, 4, 3), manifold=here)
    y = layer(x)
    assert type(y) is torch.Tensor and torch.equal(y, layer(x.detach()))
    y.sum().backward()
    assert x.grad.isfinite().all()
    assert torch.equal(copy.deepcopy(layer)(x), y)
    for other in (ball(radius=2), lorentz()):
        with pytest.raises(ValueError, match="are given to a layer of"):
            layer(other.origin(4, 3))


@pytest.mark.parametrize("call, error, words", [
    (lambda: hyperbolic.HyperbolicLinear(0, 2, ball()), ValueError, "in_features"),
    (lambda: hyperbolic.HyperbolicMLR(3, 0, ball()), ValueError, "out_features"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, ball())(torch.zeros(4, 2)), ValueError,
     r"points of shape \(4, 2\), expected 3 coordinates"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, lorentz())(torch.zeros(4, 3)), ValueError, "expected 4 coordinates"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, ball())(torch.zeros(4, 3, dtype=torch.int64)), TypeError, "torch.int64"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, ball())([[0.0] * 3]), TypeError, "list"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, geometry.Sphere()), TypeError, "Sphere"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, geometry.Euclidean(1)), TypeError, "torch.nn has the layers"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, ball(c=torch.ones(2, 1))), ValueError, "layers take one"),
    (lambda: hyperbolic.HyperbolicLinear(3, 2, geometry.ProductManifold((geometry.Sphere(), 3))), TypeError, "Sphere"),
    (lambda: hyperbolic.LorentzLinear(3, 2, ball()), TypeError, "a Lorentz is wanted"),
    (lambda: hyperbolic.ProductMLR(3, ball()), TypeError, "HyperbolicMLR takes others"),
    (lambda: hyperbolic.HyperbolicBatchNorm(3, ball(), momentum=2), ValueError, "momentum = 2"),
    (lambda: hyperbolic.HyperbolicBatchNorm(3, ball())(torch.zeros(0, 3)), ValueError, r"shape \(0, 3\)"),
    (lambda: hyperbolic.ManifoldAttention(4, 3, ball()), ValueError, "4 dimensions for 3 heads"),
    (lambda: hyperbolic.ManifoldAttention(4, 2, ball(), "near"), ValueError, "no comparison 'near'"),
    (lambda: hyperbolic.ManifoldAttention(4, 2, ball(), aggregation="sum"), ValueError, "no aggregation 'sum'"),
    (lambda: hyperbolic.HylaFeatures(2, 3, lorentz()), TypeError, "HalfSpace"),
    (lambda: hyperbolic.HylaFeatures(2, 3, ball(), -1), ValueError, "deviation = -1"),
    (lambda: hyperbolic.HyperbolicActivation(lorentz())(torch.zeros(3, 1)), ValueError, "more than 1 coordinates"),
])
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_what_is_no_point_is_nan():
    outside = torch.tensor([[2.0, 0.0, 0.0]])
    assert hyperbolic.HyperbolicLinear(3, 2, ball())(outside).isnan().all()


def test_compiled_in_one_graph():
    for manifold in MODELS:
        learned = type(manifold)(c=0.64, learnable=True)
        network = torch.nn.Sequential(hyperbolic.HyperbolicLinear(3, 4, learned),
                                      hyperbolic.HyperbolicMLR(4, 2, learned))
        program = torch.compile(network, fullgraph=True, backend="aot_eager")
        x = points(learned, 5, 3).float().detach()
        found = []
        for model in (network, program):
            network.zero_grad()
            y = model(x)
            y.square().sum().backward()
            found.append([y.detach(), *(p.grad for p in network.parameters())])
        for a, b in zip(*found):
            torch.testing.assert_close(a, b)


def test_a_network_learns_with_its_radii():
    torch.manual_seed(3)
    one, other = ball(c=1.0, learnable=True), lorentz(k=1.0, learnable=True)
    spaces = [geometry.ProductManifold((one, n), (other, n + 1)) for n in (2, 3)]
    v = torch.randn(32, 4) * 2
    v[0, 0] = 15  # 30 radii out
    labels = (v[:, 0] * v[:, 1] > v[:, 2]).long()
    hidden = hyperbolic.HyperbolicLinear(4, 6, spaces[0], out_manifold=spaces[1])
    relu, classify = hyperbolic.HyperbolicActivation(spaces[1]), hyperbolic.ProductMLR(2, spaces[1])
    adam = torch.optim.Adam(torch.nn.ModuleList([hidden, classify]).parameters(), lr=0.02)
    losses = []
    for _ in range(40):
        logits = classify(relu(hidden(hyperbolic.from_tangent0(spaces[0], v))))
        losses.append(torch.nn.functional.cross_entropy(logits, labels))
        adam.zero_grad()
        losses[-1].backward()
        adam.step()
    assert losses[-1] < losses[0] / 2
    assert one.c.item() != 1 and other.k.item() != 1
