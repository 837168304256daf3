"""Attention by the squared distance of a product of spaces, on NumPy's arrays and PyTorch's tensors."""
import numpy as np
import pytest

from mctensor.attention import attention, product_attention

FACTORS = [("half-space", 2), ("ball", 3), ("lorentz", 3)]
WEIGHTS = np.array([0.7, 0.5, 0.6])


def operands(kind=np.float64, queries=5, keys=7, heads=2):
    rng = np.random.default_rng(1)
    return [rng.standard_normal((heads, n, d)).astype(kind) for n, d in ((queries, 8), (keys, 8), (keys, 3))]


def squared_distances(name, q, k):
    """From textbook formulas, on the hyperboloid."""
    def point(x):
        if name == "half-space":
            h = np.exp(x[..., -1:])
            x = x[..., :-1] * h
            square = (x**2).sum(-1, keepdims=True)
            return np.concatenate([(1 + square + h**2) / (2 * h), x / h, (1 - square - h**2) / (2 * h)], -1)
        if name == "ball":
            n = np.linalg.norm(x, axis=-1, keepdims=True)
            return np.concatenate([np.cosh(2 * n), np.sinh(2 * n) * x / n], -1)
        u = x[..., :-1]
        return np.concatenate([np.cosh(x[..., -1:]),
                               np.sinh(x[..., -1:]) * u / np.linalg.norm(u, axis=-1, keepdims=True)], -1)

    p, r = point(q)[:, :, None], point(k)[:, None]
    inner = p[..., 0] * r[..., 0] - (p[..., 1:] * r[..., 1:]).sum(-1)
    return np.arccosh(np.maximum(inner, 1)) ** 2


def by_the_book(q, k, v, weights, mask=None):
    scores, first = 0, 0
    for (name, width), w in zip(FACTORS, weights):
        part = slice(first, first + width)
        scores = scores - w**2 * squared_distances(name, q[..., part], k[..., part])
        first += width
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v


def test_values():
    q, k, v = operands()
    assert np.allclose(product_attention(q, k, v, FACTORS, WEIGHTS), by_the_book(q, k, v, WEIGHTS), rtol=1e-9)
    per_head = WEIGHTS[:, None, None, None] * np.array([1.0, 0.5])[:, None, None]
    assert np.allclose(product_attention(q, k, v, FACTORS, per_head), by_the_book(q, k, v, per_head), rtol=1e-9)
    hidden = np.random.default_rng(2).random((5, 7)) < 0.4
    hidden[:, 0] = False
    assert np.allclose(product_attention(q, k, v, FACTORS, WEIGHTS, hidden=hidden),
                       by_the_book(q, k, v, WEIGHTS, hidden), rtol=1e-9)
    causal = np.arange(7)[None] > np.arange(5)[:, None] + 2
    assert np.allclose(product_attention(q, k, v, FACTORS, WEIGHTS, causal=True),
                       by_the_book(q, k, v, WEIGHTS, causal), rtol=1e-9)
    single = product_attention(*operands(np.float32), FACTORS, WEIGHTS.astype(np.float32))
    assert single.dtype == np.float32 and np.allclose(single, by_the_book(q, k, v, WEIGHTS), atol=1e-5)


def test_one_factor_is_its_squared_distance():
    q, k, v = operands()
    assert np.array_equal(product_attention(q, k, v, [("ball", 8)], [0.5]),
                          attention(q, k, v, "ball-squared", gamma=0.25))


def test_refuses_other_factors_and_shapes():
    q, k, v = operands()
    for factors, weights, text in (([("euclidean", 8)], [1.0], "factor"), ([("ball", 7)], [1.0], "factors of 7"),
                                   ([], [], "factors of 0"), ([("ball", 1), ("ball", 7)], [1.0, 1.0], "width"),
                                   (FACTORS, [1.0, 1.0], "weights"), ([("ball", 8)], 1.0, "weights")):
        with pytest.raises(ValueError, match=text):
            product_attention(q, k, v, factors, weights)
    with pytest.raises(ValueError, match="'half-space' and 'ball'"):
        product_attention(1000 * q, k, v, FACTORS, WEIGHTS)


def test_refuses_what_is_no_list_of_factors_and_no_mask():
    q, k, v = operands()
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    for given in ((q, k, v), tuple(map(torch.tensor, (q, k, v)))):
        for factors in (None, [3], 8):
            with pytest.raises(TypeError, match="factors"):
                product_attention(*given, factors, WEIGHTS)
        with pytest.raises(ValueError, match=r"q of shape \(8,\)"):
            product_attention(given[0][0, 0], *given[1:], FACTORS, WEIGHTS)
        for f in (lambda h: product_attention(*given, FACTORS, WEIGHTS, hidden=h),
                  lambda h: attention(*given, hidden=h)):
            with pytest.raises(TypeError, match="hidden: real numbers are taken"):
                f("a")
            assert (np.asarray(f([[True] * 7] * 5)) == 0).all()


@pytest.mark.parametrize("kind,large", [(np.float64, 1e200), (np.float32, 1e30)])
def test_weights_whose_scores_are_all_below_the_range(kind, large):
    """Their softmax has no number, and 0 is the result of queries that see no keys."""
    q, k, v = operands(kind)
    weights, hidden = (WEIGHTS * large).astype(kind), np.ones((5, 7), bool)

    def check(q, k, v, weights):
        with pytest.raises(ValueError, match="weights of .* are too large to be compared"):
            product_attention(q, k, v, FACTORS, weights)
        with pytest.raises(ValueError, match="are too large to be compared"):
            product_attention(q, k, v, FACTORS, weights, causal=True)
        assert (product_attention(q, k, v, FACTORS, weights, hidden=hidden) == 0).all()
        assert (product_attention(q, k[:, :0], v[:, :0], FACTORS, weights) == 0).all()
        assert (product_attention(q, k, 0 * v, FACTORS, weights / large) == 0).all()

    check(q, k, v, weights)
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    check(*map(torch.tensor, (q, k, v, weights)))


def test_gradients():
    torch = pytest.importorskip("torch")
    leaves = [torch.tensor(x, requires_grad=True) for x in (*operands(queries=3, keys=4), WEIGHTS)]
    hidden = torch.tensor([[False, True, False, False]] * 3)

    def of(q, k, v, weights):
        return product_attention(q, k, v, FACTORS, weights, causal=True, hidden=hidden)

    assert torch.autograd.gradcheck(of, leaves, atol=1e-6)
    per_head = torch.tensor([[[[0.7]], [[0.4]]], [[[0.5]], [[0.9]]], [[[0.6]], [[0.1]]]], dtype=torch.float64,
                            requires_grad=True)
    assert torch.autograd.gradcheck(of, [*leaves[:3], per_head], atol=1e-6)
    found, = torch.autograd.grad(of(*leaves).sum(), leaves[3], create_graph=True)
    with pytest.raises(NotImplementedError):
        torch.autograd.grad(found.sum(), leaves[3])


def test_weights_are_learned():
    """The second factor of queries and keys is noise: its weight falls, and that of the first rises."""
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(3)
    same, noise, other = (torch.tensor(rng.standard_normal((12, 2))) for _ in range(3))
    weights = torch.ones(2, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([weights], 0.02)
    unit = torch.eye(12, dtype=torch.float64)
    for _ in range(200):
        optimizer.zero_grad()
        found = product_attention(torch.cat([same, noise], -1), torch.cat([same, other], -1), unit,
                                  [("ball", 2), ("ball", 2)], weights)
        (found - unit).square().sum().backward()
        optimizer.step()
    assert weights[0] > 1.3 and weights[1].abs() < 0.7


def test_types_and_transformations():
    torch = pytest.importorskip("torch")
    q, k, v, w = (torch.tensor(x) for x in (*operands(), WEIGHTS))
    whole = product_attention(q, k, v, FACTORS, w)
    halves = product_attention(q.bfloat16(), k.bfloat16(), v.bfloat16(), FACTORS, w.bfloat16())
    assert halves.dtype == torch.bfloat16 and torch.allclose(halves.double(), whole, atol=0.1)
    by_head = torch.vmap(lambda q, k, v: product_attention(q, k, v, FACTORS, w))(q, k, v)
    assert torch.equal(by_head, whole)
