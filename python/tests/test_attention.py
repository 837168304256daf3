"""Attention on NumPy's arrays and PyTorch's tensors."""
import numpy as np
import pytest

from mctensor import geometry
from mctensor.attention import COMPARISONS, attend_edges, attention, hyla_features, hype_features


def operands(kind=np.float64, lengths=(5, 7), heads=2, d=4):
    rng = np.random.default_rng(1)
    return [rng.standard_normal((heads, n, d)).astype(kind) for n in (lengths[0], lengths[1], lengths[1])]


def softmax(scores):
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def by_the_book(comparison, q, k, v, gamma=0.7, radius=1.3, mask=None):
    """With all weights, from textbook formulas."""
    def psi(x):
        h = np.exp(x[..., -1:])
        return x[..., :-1] * h, h

    if comparison == "dot-product":
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    elif comparison == "laplacian":
        scores = -gamma * np.linalg.norm(q[:, :, None] - k[:, None], axis=-1)
    elif comparison == "umbral":
        (x, a), (y, b) = psi(q), psi(k)
        apart = np.linalg.norm(x[:, :, None] - y[:, None], axis=-1)
        a, b = a, b.swapaxes(-1, -2)
        scores = -gamma * np.maximum(np.maximum(a, b), apart / (2 * np.sinh(radius)) + (a + b) / 2)
    elif comparison == "half-space":
        (x, a), (y, b) = psi(q), psi(k)
        square = ((x[:, :, None] - y[:, None]) ** 2).sum(-1) + (a - b.swapaxes(-1, -2)) ** 2
        scores = -gamma * np.arccosh(1 + square / (2 * a * b.swapaxes(-1, -2)))
    elif comparison == "ball-squared":
        (x, a), (y, b) = ((np.tanh(n) * z / n, np.tanh(n) ** 2) for z in (q, k)
                          for n in [np.linalg.norm(z, axis=-1, keepdims=True)])
        square = ((x[:, :, None] - y[:, None]) ** 2).sum(-1) / ((1 - a) * (1 - b).swapaxes(-1, -2))
        scores = -gamma * np.arccosh(1 + 2 * square) ** 2
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    return softmax(scores) @ v


@pytest.mark.parametrize("comparison", ["dot-product", "laplacian", "umbral", "half-space", "ball-squared"])
def test_values(comparison):
    q, k, v = operands()
    found = attention(q, k, v, comparison, gamma=0.7, radius=1.3)
    assert np.allclose(found, by_the_book(comparison, q, k, v), rtol=1e-10)
    hidden = np.random.default_rng(2).random((5, 7)) < 0.4
    hidden[:, 0] = False
    found = attention(q, k, v, comparison, gamma=0.7, radius=1.3, hidden=hidden)
    assert np.allclose(found, by_the_book(comparison, q, k, v, mask=hidden), rtol=1e-10)
    bias = np.where(hidden, -np.inf, 0.0)
    assert np.allclose(attention(q, k, v, comparison, gamma=0.7, radius=1.3, bias=bias), found)


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_every_comparison_is_causal_on_demand(comparison):
    q, k, v = operands(lengths=(6, 6))
    found = attention(q, k, v, comparison, causal=True)
    assert np.allclose(found[:, 0], v[:, 0]) and np.isfinite(found).all()
    changed = v.copy()
    changed[:, -1] += 1
    assert np.array_equal(attention(q, k, changed, comparison, causal=True)[:, :-1], found[:, :-1])
    single = attention(*(x.astype(np.float32) for x in (q, k, v)), comparison, causal=True)
    assert single.dtype == np.float32 and np.allclose(single, found, atol=1e-5)


def rows_of(hidden):
    """The pairs that are not hidden, as starts and columns."""
    return np.concatenate([[0], np.cumsum((~hidden).sum(1))]), np.nonzero(~hidden)[1]


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_edges_are_attention_with_the_others_hidden(comparison):
    q, k, v = operands()
    hidden = np.random.default_rng(2).random((5, 7)) < 0.5
    hidden[2] = True
    starts, columns = rows_of(hidden)
    found = attend_edges(q, k, v, starts, columns, comparison, gamma=0.7, radius=1.3)
    assert np.allclose(found, attention(q, k, v, comparison, gamma=0.7, radius=1.3, hidden=hidden), rtol=1e-12)
    assert not found[:, 2].any()
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    given = [torch.tensor(x, requires_grad=True) for x in (q[:, :3], k, v)]
    numbers = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (0.7, 1.3)]
    starts, columns = map(torch.tensor, rows_of(hidden[:3]))

    def f(q, k, v, gamma, radius):
        return attend_edges(q, k, v, starts, columns.to(torch.int32), comparison, gamma=gamma, radius=radius)

    assert torch.autograd.gradcheck(f, [*given, *numbers], atol=1e-6, fast_mode=True)
    assert torch.autograd.gradgradcheck(f, [*given, *numbers], atol=1e-5, fast_mode=True)


def test_edges_of_sparse_matrices():
    q, k, v = operands()
    hidden = np.random.default_rng(2).random((5, 7)) < 0.5
    hidden[3] = True
    expected = attention(q, k, v, "umbral", hidden=hidden)
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(~hidden)
    assert np.allclose(attend_edges(q, k, v, matrix.indptr, matrix.indices, "umbral"), expected, rtol=1e-12)
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    matrix = torch.tensor(~hidden).to(torch.float64).to_sparse_csr()
    found = attend_edges(*map(torch.tensor, (q, k, v)), matrix.crow_indices(), matrix.col_indices(), "umbral")
    assert np.allclose(found.numpy(), expected, rtol=1e-12)


def test_edges_that_are_there_twice_and_not_at_all():
    q, k, v = operands(lengths=(2, 7))
    found = attend_edges(q, k, v, [0, 3, 3], [1, 4, 1], "laplacian")
    bias = np.full((2, 7), -np.inf)
    bias[0, [1, 4]] = np.log(2), 0
    assert np.allclose(found, attention(q, k, v, "laplacian", bias=bias), rtol=1e-12)
    assert not found[:, 1].any()
    assert not attend_edges(q, k, v, [0, 0, 0], []).any()
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    assert not attend_edges(*map(torch.tensor, (q, k, v)), [0, 0, 0], []).any()
    numbers = [torch.tensor(1.0, dtype=torch.float64)] * 2
    with pytest.raises(Exception, match="columns are given without starts"):
        torch.ops.mctensor.attention(*map(torch.tensor, (q, k, v)), *numbers, None, torch.empty(0, dtype=torch.int64),
                                     "laplacian", False, 0.0, 0, 0)


def test_names_in_the_schema_are_those_of_saved_programs():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    for name in ("attention", "attention_backward", "attention_second"):
        names = [x.name for x in getattr(torch.ops.mctensor, name).default._schema.arguments]
        assert names[(name != "attention"):][:7] == ["q", "k", "v", "gamma", "radius", "bias", "hidden"]


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_what_is_no_number_is_none(comparison):
    q, k, v = operands()
    q[0, 0, 0] = np.nan
    found = attention(q, k, v, comparison)
    assert np.isnan(found[0, 0]).all() and np.isfinite(found[0, 1:]).all()


def test_half_space_exp_straight_up():
    q, k, v = np.array([[0, 0, 40.0]]), np.array([[0, 0, 39.5], [0, 0, 40.0]]), np.eye(2)
    expected = softmax(np.array([[-0.5, 0.0]]))
    assert np.allclose(attention(q, k, v, "half-space-exp"), expected, rtol=1e-12)
    with pytest.raises(ValueError, match="too large"):
        attention(np.array([[600.0, 0, 500.0]]), k, v, "umbral-exp")
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    from mctensor._torch_attention_maps import MAPS

    one = torch.tensor(1.0, dtype=torch.float64)
    _, a, _, b = MAPS["half-space-exp"][1](torch.tensor(q), torch.tensor(k), one, one)
    assert np.allclose(a[0, 0] * np.exp(40.0), 0.5) and np.allclose(b[:, 0] * np.exp([39.5, 40.0]), 0.5)


def test_edges_that_are_none():
    q, k, v = operands()
    good = np.array([0, 1, 1, 2, 2, 3])
    with pytest.raises(ValueError, match=r"starts of shape \(5,\) for q of shape \(2, 5, 4\)"):
        attend_edges(q, k, v, good[:5], [0, 1, 2])
    with pytest.raises(ValueError, match=r"columns\[1\] is 7, but there are 7 keys"):
        attend_edges(q, k, v, good, [0, 7, 2])
    with pytest.raises(ValueError, match=r"starts\[5\] is 3, but there are 2 columns"):
        attend_edges(q, k, v, good, [0, 1])
    with pytest.raises(ValueError, match=r"starts\[2\] is 0, below the one before, 1"):
        attend_edges(q, k, v, [0, 1, 0, 2, 2, 3], [0, 1, 2])
    with pytest.raises(TypeError, match="columns of float64; integers"):
        attend_edges(q, k, v, good, [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="columns of shape"):
        attend_edges(q, k, v, good, [[0, 1, 2]])


def test_temperature_of_each_head():
    q, k, v = operands()
    gamma = np.array([0.5, 2.0]).reshape(2, 1, 1)
    found = attention(q, k, v, "laplacian", gamma=gamma)
    for head, g in enumerate((0.5, 2.0)):
        one = slice(head, head + 1)
        assert np.allclose(found[one], attention(q[one], k[one], v[one], "laplacian", gamma=g))


def test_hype_columns_are_the_bias():
    query, key = hype_features(np.arange(6.0), mu=0.05, tau=0.5, d=16)
    positions = np.arange(6.0)
    bias = 0.5 * np.sinh(0.05 * (positions - positions[:, None]))
    assert query.shape == key.shape == (6, 2)
    assert np.allclose(query @ key.T / np.sqrt(16), bias, rtol=1e-12, atol=1e-14)
    heads, _ = hype_features(np.arange(6.0), np.array([0.01, 0.02], np.float32), 1.0, 8, copies=2)
    assert heads.shape == (2, 6, 4) and heads.dtype == np.float32
    with pytest.raises(ValueError, match="mu"):
        hype_features(np.arange(100.0), mu=0.5, tau=1.0, d=16)


def test_hyla_features_approach_their_kernel():
    """Of two points whose distance is the same their inner product is nearly the same, wherever they are."""
    rng = np.random.default_rng(4)
    ball = geometry.PoincareBall(1.5)
    angle = rng.uniform(0, 2 * np.pi, 40_000)
    waves = (np.column_stack([np.cos(angle), np.sin(angle)]), rng.standard_normal(40_000),
             rng.uniform(0, 2 * np.pi, 40_000))
    start = ball.expmap0(np.array([[0.0, 0.0], [0.3, 0.1], [-0.2, 0.4]]))
    there = ball.expmap(start, ball.egrad2rgrad(start, np.array([0.4, 0.2])) / ball.norm(
        start, ball.egrad2rgrad(start, np.array([0.4, 0.2])))[:, None])
    products = (hyla_features(ball, start, *waves) * hyla_features(ball, there, *waves)).sum(-1)
    assert np.allclose(products, products[0], atol=0.02) and 0.2 < products[0] < 0.5
    x = np.array([[0.3, 0.1]])
    gap, ends = 1.5**2 - (x**2).sum(-1), ((x[:, None] - 1.5 * waves[0]) ** 2).sum(-1)
    p = np.log(gap[:, None] / ends)
    assert np.allclose(hyla_features(ball, x, *waves), np.exp(p / 2) * np.cos(p * waves[1] + waves[2]) / 200)


def test_hyla_gradients():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    ball, x = geometry.PoincareBall(), torch.tensor([[0.3, 0.1]], dtype=torch.float64, requires_grad=True)
    waves = [torch.tensor(a, dtype=torch.float64) for a in ([[0.6, 0.8], [1.0, 0.0]], [0.3, 2.0], [0.0, 1.0])]
    assert torch.autograd.gradcheck(lambda a: hyla_features(ball, a, *waves), [x])
    assert torch.autograd.gradgradcheck(lambda a: hyla_features(ball, a, *waves), [x])
    assert np.array_equal(hyla_features(ball, x, *waves).detach(), hyla_features(ball, x.detach().numpy(), *waves))


def test_bad_arguments():
    q, k, v = operands()
    with pytest.raises(ValueError, match="dot-product, laplacian"):
        attention(q, k, v, "cosine")
    with pytest.raises(ValueError, match="shape"):
        attention(q, k[:, :, :2], v)
    with pytest.raises(ValueError, match="shape"):
        attention(q, k, v[:, :3])
    with pytest.raises(ValueError, match="dropout"):
        attention(q, k, v, dropout=1.5)
    with pytest.raises(TypeError):
        attention(q.astype(complex), k, v)
    with pytest.raises(TypeError, match="hidden: real numbers are taken"):
        attention(q, k, v, hidden="a")
    with pytest.raises(ValueError, match="seed must be at least 0, not -1"):
        attention(q, k, v, seed=-1)
    with pytest.raises(TypeError, match="d must be an int, not 4.5"):
        hype_features([1.0, 2.0], 0.1, 0.1, 4.5)
    with pytest.raises(MemoryError, match="not enough memory"):
        hype_features(np.zeros(10**5), 0.1, 0.1, 4, copies=10**9)  # more bytes than there are addresses


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_gradients(comparison):
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    given = [torch.tensor(x, requires_grad=True) for x in operands(lengths=(3, 4), d=3)]
    numbers = [torch.tensor([[[0.8]], [[1.1]]], dtype=torch.float64, requires_grad=True),
               torch.tensor([[[1.2]], [[0.9]]], dtype=torch.float64, requires_grad=True)]

    def f(q, k, v, gamma, radius):
        return attention(q, k, v, comparison, gamma=gamma, radius=radius, causal=True)

    if comparison == "dot-product":
        assert torch.autograd.gradcheck(lambda q, k, v: f(q, k, v, 1.0, 1.0), given)
    elif comparison.startswith(("umbral", "penumbral", "entailment")):
        assert torch.autograd.gradcheck(f, [*given, *numbers], atol=1e-7)
    else:
        assert torch.autograd.gradcheck(lambda q, k, v, g: f(q, k, v, g, 1.0), [*given, numbers[0]],
                                        atol=1e-7)


def test_a_bias_is_learned():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    q, k, v = (torch.tensor(x) for x in operands(lengths=(3, 4), d=3))
    for shape in ((2, 3, 4), (3, 1), (2, 1, 1)):
        bias = torch.linspace(-1, 1, int(np.prod(shape)), dtype=torch.float64).reshape(shape)
        bias.requires_grad_()
        assert torch.autograd.gradcheck(
            lambda b, v: attention(q, k, v, "laplacian", bias=b, causal=True), [bias, v])
    with pytest.raises(ValueError, match="bias of shape"):
        attention(q, k, v, bias=torch.zeros(5, 4))


def test_pytorchs_types_and_strides():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    q, k, v = (torch.tensor(x) for x in operands())
    exact = attention(q, k, v, "laplacian")
    assert np.array_equal(exact.numpy(), attention(*(x.numpy() for x in (q, k, v)), "laplacian"))
    for kind, near in ((torch.float32, 1e-5), (torch.bfloat16, 0.05), (torch.float16, 0.01)):
        narrow = [x.to(kind).requires_grad_() for x in (q, k, v)]
        found = attention(*narrow, "laplacian")
        assert found.dtype == kind and torch.allclose(found.double(), exact, atol=near)
        found.float().sum().backward()
        assert all(x.grad.dtype == kind and x.grad.shape == x.shape for x in narrow)
    turned = [x.transpose(0, 1).contiguous().transpose(0, 1) for x in (q, k, v)]
    assert torch.equal(attention(*turned, "laplacian"), exact)
    with pytest.raises(TypeError, match="int64"):
        attention(*(x.long() for x in (q, k, v)))


def test_hype_of_a_tensor_of_positions():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    positions = torch.arange(6.0, dtype=torch.float64, requires_grad=True)
    for found, expected in zip(hype_features(positions, 0.05, 0.5, 8), hype_features(np.arange(6.0), 0.05, 0.5, 8)):
        assert np.allclose(found.detach().numpy(), expected, rtol=1e-6) and found.requires_grad


def test_hype_gradients():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    mu = torch.tensor([0.02, 0.05], dtype=torch.float64, requires_grad=True)
    tau = torch.tensor([1.0, 0.5], dtype=torch.float64, requires_grad=True)
    positions = torch.arange(5.0)
    assert torch.autograd.gradcheck(lambda m, t: hype_features(positions, m, t, 8), [mu, tau])
    query, key = hype_features(positions, mu.detach().bfloat16(), tau.detach().bfloat16(), 8)
    assert query.dtype == torch.bfloat16 and key.shape == (2, 5, 2)


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_second_derivatives(comparison):
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    given = [torch.tensor(x, requires_grad=True) for x in operands(lengths=(2, 3), d=3)]
    numbers = [torch.tensor([[[0.8]], [[1.1]]], dtype=torch.float64, requires_grad=True),
               torch.tensor([[[1.2]], [[0.9]]], dtype=torch.float64, requires_grad=True)]
    bias = torch.linspace(-1, 1, 6, dtype=torch.float64).reshape(2, 3).requires_grad_()
    assert torch.autograd.gradgradcheck(lambda q, k, v, gamma, radius, b: attention(
        q, k, v, comparison, gamma=gamma, radius=radius, bias=b, causal=True), [*given, *numbers, bias])


def test_second_derivatives_of_hype():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    tau = torch.tensor([1.0, 0.5], dtype=torch.float64, requires_grad=True)
    for positions, slopes in ((torch.arange(5.0), [0.02, 0.05]), (torch.rand(4, 2), [[0.02, 0.05], [0.0, -0.3]])):
        mu = torch.tensor(slopes, dtype=torch.float64, requires_grad=True)
        positions = positions.double().requires_grad_()
        for copies in (1, 3):
            for i in (0, 1):
                def f(p, m, t=tau.detach()):
                    return hype_features(p, m, t, 8, copies)[i]

                given = [positions, mu, tau][:3 - i]
                assert torch.autograd.gradcheck(f, given) and torch.autograd.gradgradcheck(f, given)

        def loss(p, m, t):
            return sum(x.square().sum() + x.sum() for x in hype_features(p, m, t, 8, 2))

        expected = torch.autograd.functional.hessian(loss, (positions, mu, tau))
        for row, truth in zip(torch.func.hessian(loss, (0, 1, 2))(positions, mu, tau), expected):
            assert all(torch.allclose(a, b) for a, b in zip(row, truth))


@pytest.mark.parametrize("comparison,kind,far,too_far", [
    ("ball", np.float32, 44, 50), ("ball", np.float64, 177, 190), ("ball", np.float16, 44, 50),
    ("lorentz", np.float32, 88, 100), ("lorentz", np.float64, 354, 400), ("lorentz", np.float16, 88, 100),
    ("half-space", np.float32, 44, 50), ("half-space", np.float64, 354, 380), ("half-space", np.float16, 44, 50),
    ("dot-product", np.float32, 1e19, 1e20), ("laplacian", np.float64, 1e154, 1e155)])
def test_vectors_that_are_too_long(comparison, kind, far, too_far):
    def last(size):
        q = np.full((1, 4, 3), 0.1)
        q[..., -1] = size * np.array([1, -1, 1, 0.5])
        return q.astype(kind)

    v = np.ones((1, 4, 2), kind)
    assert np.isfinite(attention(last(far * 0.999), last(far * 0.999), v, comparison)).all()
    match = f"{np.promote_types(kind, np.float32).name} are too large to be compared by '{comparison}'"
    with pytest.raises(ValueError, match=match):
        attention(last(too_far), last(too_far), v, comparison)
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    with pytest.raises(ValueError, match=match):
        long = torch.tensor(last(too_far), requires_grad=True)
        attention(long, long, torch.tensor(v), comparison)
    # what was no number before is none after
    q = last(1.0)
    q[0, 0, 0] = np.nan
    assert np.isnan(attention(q, last(1.0), v, comparison)[0, 0]).all()


@pytest.mark.parametrize("kind,large", [(np.float64, 1e200), (np.float32, 1e20)])
def test_scores_that_are_all_below_the_range(kind, large):
    """Their softmax has no number, and 0 is the result of queries that see no keys."""
    q, k, v = np.full((3, 1), -large, kind), np.full((4, 1), large, kind), np.ones((4, 2), kind)

    def check(q, k, v):
        for options in ({}, {"causal": True}, {"hidden": np.eye(3, 4, dtype=bool)},
                        {"bias": np.where(np.eye(3, 4) > 0, -np.inf, 0).astype(np.float32)}):
            with pytest.raises(ValueError, match="are too large to be compared"):
                attention(q, k, v, **options)
        hidden = np.ones((3, 4), bool)
        assert (attention(q, k, v, hidden=hidden) == 0).all()
        assert (attention(q, k, v, bias=np.full((3, 4), -np.inf, np.float32)) == 0).all()
        assert (attention(q, k[:0], v[:0]) == 0).all()
        assert (attend_edges(q, k, v, [0, 0, 0, 0], []) == 0).all()
        with pytest.raises(ValueError, match="are too large to be compared"):
            attend_edges(q, k, v, [0, 0, 1, 1], [2])

    check(q, k, v)
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    check(*map(torch.tensor, (q, k, v)))
