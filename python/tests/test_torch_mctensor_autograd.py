"""Derivatives of MCTensors, and PyTorch's transformations: gradients are plain, values never."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from torch.nn import functional as F  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

from mctensor import _torch_planes as planes_of  # noqa: E402
from mctensor.torch import MCTensor, from_components, full_gradients, tensor  # noqa: E402

F64 = torch.float64
#: PyTorch 2.4 knows no tensors of other kinds in torch.autograd.backward, nor their constants in torch.compile
after_24 = pytest.mark.skipif(not hasattr(torch.library, "register_vmap"), reason="PyTorch 2.5 or later is needed")
P = torch.rand(3, 4, dtype=F64, generator=torch.Generator().manual_seed(3)) * 0.8 + 0.1
LABELS = torch.tensor([0, 3, 1])


def leaf(nc=2):
    return tensor(P, nc, requires_grad=True)


def written(x):
    y = x * 1
    y[0] = y[1] * 2
    y[:, 1] += P[:, 0]
    y[1, 2] = 3.0
    return y.square()


#: functions of a tensor, plain or not; of both the derivative is PyTorch's formula
FUNCTIONS = {
    **{name: (lambda x, f=getattr(torch, name): f(x)) for name in (
        "relu", "exp", "exp2", "expm1", "log", "log2", "log1p", "sigmoid", "tanh", "sin", "cos", "tan", "sqrt", "rsqrt",
        "neg",
        "abs", "erf", "erfc", "sinh", "cosh", "asin", "acos", "atan", "asinh", "atanh", "reciprocal", "square",
        "logit")},
    "acosh": lambda x: torch.acosh(x + 1), "softmax": lambda x: F.softmax(x, -1).square(),
    "log_softmax": lambda x: F.log_softmax(x, 0).square(), "layer_norm": lambda x: F.layer_norm(x, (4,)).pow(3),
    "gelu": F.gelu, "silu": F.silu, "softplus": lambda x: F.softplus(x, 2), "logsigmoid": F.logsigmoid,
    "elu": lambda x: F.elu(x - 0.5),
    "leaky_relu": lambda x: F.leaky_relu(x - 0.5), "relu6": lambda x: F.relu6(x * 9),
    "cross_entropy": lambda x: F.cross_entropy(x, LABELS),
    "nll sum": lambda x: F.nll_loss(x, LABELS, reduction="sum", ignore_index=3),
    "bce": lambda x: F.binary_cross_entropy(x, P.flip(0)),
    "bce logits": lambda x: F.binary_cross_entropy_with_logits(x, P.flip(0)), "mse": lambda x: F.mse_loss(x, P.flip(0)),
    "l1": lambda x: F.l1_loss(x, P.flip(0)), "smooth l1": lambda x: F.smooth_l1_loss(x, P.flip(0), beta=0.3),
    "huber": lambda x: F.huber_loss(x, P.flip(0), delta=0.3), "norm": lambda x: x.norm(),
    "norm 1": lambda x: x.norm(1, 1),
    "var": lambda x: x.var(0), "std": lambda x: x.std(), "amax": lambda x: x.amax(1), "max": lambda x: x.max(1).values,
    "min": lambda x: x.min(),
    "logsumexp": lambda x: x.logsumexp(1), "mean": lambda x: x.mean(1).square(),
    "cat": lambda x: torch.cat([x, P]).square(),
    "index": lambda x: x[[0, 2], 1:].square(), "mask": lambda x: x[P > 0.5], "slice": lambda x: x[1:, ::2] * x[0, 1],
    "sort": lambda x: x.sort(1).values * P, "gather": lambda x: x.gather(1, LABELS[:, None]).square(),
    "quotients": lambda x: 1 / x + x / 3 + P / x,
    "powers": lambda x: x**1.5 + x**3 + 2**x, "products": lambda x: (x.T @ x @ P.T).square(),
    "batches": lambda x: torch.matmul(x[None], P.T.expand(2, 4, 3)),
    "einsum": lambda x: torch.einsum("ij,kj->ik", x, x), "linear": lambda x: F.linear(x, P, P[:, 0]),
    "dot": lambda x: torch.dot(x[0], x[1]),
    "mv": lambda x: torch.mv(x, x[0]), "addcmul": lambda x: torch.addcmul(x, x, P, value=2),
    "lerp": lambda x: torch.lerp(x, P, 0.3).square(),
    "clamp": lambda x: x.clamp(0.2, 0.7).square(), "where": lambda x: torch.where(P > 0.5, x, 0.0).square(),
    "maximum": lambda x: torch.maximum(x, x.flip(0)).square(),
    "hypot": lambda x: torch.hypot(x, P), "written": written, "in place": lambda x: (x * 1).add_(P).mul_(x),
    "normalize": lambda x: F.normalize(x) * P,
    "cosine": lambda x: F.cosine_similarity(x, P), "expand": lambda x: x.unsqueeze(0).expand(2, 3, 4) * P,
    "embedding": lambda x: F.embedding(LABELS % 3, x).square(),
    "type": lambda x: x.to(torch.float32).square().to(F64),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_plain_and_right(name):
    x, plain = leaf(), P.clone().requires_grad_()
    value, wanted = FUNCTIONS[name](x), FUNCTIONS[name](plain)
    assert isinstance(value, MCTensor) and value.shape == wanted.shape
    loose = 1e-6 if name == "type" else 1e-12
    assert torch.allclose(value.evaluate(), wanted, rtol=loose, atol=loose)
    value.sum().backward()
    wanted.sum().backward()
    assert type(x.grad) is torch.Tensor and torch.allclose(x.grad, plain.grad, rtol=10 * loose, atol=loose)


def test_a_gradient_is_computed_from_first_components():
    x = tensor(["0.1", "0.3"], 3, dtype=torch.float32, requires_grad=True)
    y = tensor(["0.7", "0.9"], 3, dtype=torch.float32, requires_grad=True)
    (x * y).sum().backward()
    assert torch.equal(x.grad, y.detach().fc) and torch.equal(y.grad, x.detach().fc)
    x.grad = None
    (x + y).sum().backward()
    assert torch.equal(x.grad, torch.ones(2))
    x.grad = None
    (x / 3 * x).backward(torch.ones(2))
    assert torch.allclose(x.grad, x.detach().fc * 2 / 3)


def test_values_do_not_cancel_where_plain_ones_do():
    x = tensor(["1e-12"], 2, dtype=torch.float32, requires_grad=True)
    loss = ((x + 1) - 1) * 1e12
    assert float(loss) == pytest.approx(1, rel=1e-2) and ((x.evaluate() + 1) - 1).item() == 0
    loss.backward()
    assert x.grad.item() == pytest.approx(1e12)


def test_formulas_do_not_cancel():
    """Differences and places of the largest are those of all components: first ones are equal."""
    x = tensor(["1e-12", "2e-12", "3e-12", "5e-12"], 2, dtype=torch.float32) + 1
    y = tensor(1, 2, dtype=torch.float32).expand(4)
    assert torch.equal(x.fc, y.fc)
    wanted = torch.tensor([1e-12, 2e-12, 3e-12, 5e-12])
    for loss, factor in ((lambda z: F.mse_loss(z, y), 2 / 4), (lambda z: F.mse_loss(z, y, reduction="sum"), 2),
                         (lambda z: F.smooth_l1_loss(z, y, beta=0.5), 2 / 4), (lambda z: F.huber_loss(z, y), 1 / 4),
                         (lambda z: (z - y).square().sum(), 2)):
        z = x.detach().requires_grad_()
        loss(z).backward()
        assert torch.allclose(z.grad, wanted * factor, rtol=1e-2, atol=0)
    z = x.detach().requires_grad_()
    for f in (lambda: z.amax(), lambda: z.max(), lambda: torch.maximum(z[3], z[0]), lambda: z.max(0).values):
        z.grad = None
        f().backward()
        assert z.grad.tolist() == [0, 0, 0, 1]
    exact = x.detach().evaluate().double() * 0 + torch.tensor([1, 2, 3, 5.0], dtype=F64)
    for f, g in ((lambda z: F.layer_norm(z, (4,), eps=0).pow(3).sum(), 1e-12), (lambda z: z.var(), 1e12),
                 (lambda z: z.std(), 1)):
        z, plain = x.detach().requires_grad_(), exact.clone().requires_grad_()
        f(z).backward()
        f(plain).backward()
        assert torch.allclose(z.grad.double() * g, plain.grad, rtol=0.03, atol=1e-2), f


def test_components_have_gradients():
    x = leaf(3)
    x.tensor.sum(-1).square().sum().backward()
    assert torch.allclose(x.grad, 2 * P)
    for f in (lambda z: z.fc, lambda z: z.evaluate(), lambda z: z.with_components(2)):
        x.grad = None
        f(x).square().sum().backward()
        assert torch.allclose(x.grad, 2 * P)
    c = torch.stack([P, P * 1e-20], -1).requires_grad_()
    from_components(c).square().sum().backward()
    assert torch.allclose(c.grad, (2 * P).unsqueeze(-1).expand(3, 4, 2))


def test_full_gradients():
    x = tensor(["0.1"], 2, dtype=F64, requires_grad=True)
    with full_gradients():
        torch.sigmoid(x * x).sum().backward()
    assert isinstance(x.grad, MCTensor)
    z = x.detach().with_components(4)
    s = torch.sigmoid(z * z)
    assert float((x.grad - s * (1 - s) * z * 2).abs()) < 1e-30
    with full_gradients():
        found, = torch.autograd.grad(((x @ x.exp()) / x).sum(), x)
    assert isinstance(found, MCTensor) and float((found - z.exp()).abs()) < 1e-30
    with full_gradients(), pytest.raises(TypeError, match="does not exist"):
        F.gelu(x).sum().backward()
    x.grad = None
    F.gelu(x).sum().backward()
    assert type(x.grad) is torch.Tensor


def test_second_derivatives():
    x = leaf()
    first, = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    assert type(first) is torch.Tensor
    second, = torch.autograd.grad(first.sum(), x)
    assert torch.allclose(second, 6 * P)


@after_24
def test_programs_within_a_backward_pass_keep_all_components():
    x, seen = leaf(), []
    x.register_post_accumulate_grad_hook(lambda p: seen.append((p.detach() * p.detach(), type(p.grad))))
    (x * x).sum().backward()
    torch.autograd.backward((x * x).sum())
    torch.autograd.backward([(x * x).evaluate().sum()])
    for square, kind in seen:
        assert isinstance(square, MCTensor) and square.nc == 2 and kind is torch.Tensor
    assert len(seen) == 3

    class Own(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(z)
            return z * 2

        @staticmethod
        def backward(ctx, grad):
            own.append(ctx.saved_tensors[0] * ctx.saved_tensors[0])
            return grad * 2

    own = []
    Own.apply(x).sum().backward()
    assert isinstance(own[0], MCTensor) and torch.allclose(x.grad, 6 * P + 2)


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoints(reentrant):
    kinds = []

    def f(z):
        y = z * z
        kinds.append(type(y))
        return y.exp()

    x, y = leaf(), leaf()
    checkpoint(f, x, use_reentrant=reentrant).sum().backward()
    f(y).sum().backward()
    assert torch.equal(x.grad, y.grad) and kinds == [MCTensor] * 3


def test_backward_passes_ask_as_pytorchs():
    x = leaf()
    with pytest.raises(RuntimeError, match="scalar"):
        (x * 2).backward()
    with pytest.raises(RuntimeError, match="scalar"):
        torch.autograd.grad(x * 2, x)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert torch.allclose(x.grad, 4 * P)
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()
    with pytest.raises(RuntimeError, match="in-place"):
        x.add_(1)
    with torch.no_grad():
        assert not (x * x).requires_grad
    w = leaf()
    (x * w).sum().backward(inputs=[w])
    assert torch.allclose(w.grad, P)


def test_vmap_and_functions_of_functions():
    x = tensor(P, 2)
    found = torch.vmap(lambda row: (row * row).exp().sum())(x)
    assert torch.equal(found, (x * x).exp().sum(1))
    assert torch.equal(torch.vmap(lambda row: row @ x.T)(x), x @ x.T)
    assert torch.equal(torch.vmap(torch.sigmoid, in_dims=1, out_dims=1)(x), x.sigmoid())
    slope = torch.func.grad(lambda z: (z**3).sum())
    assert type(slope(x)) is torch.Tensor and torch.allclose(slope(x), 3 * P**2)
    assert torch.allclose(torch.vmap(slope)(x), 3 * P**2)


@after_24
def test_compiled():
    def f(z, q):
        return F.relu(z * q + 0.1).exp().sum(1) @ z

    def step(z, q):
        z[0] += q[0]
        return z * 2

    compiled = torch.compile(f, backend="aot_eager", fullgraph=True)
    x, y = leaf(), leaf()
    found, wanted = compiled(x, P), f(y, P)
    assert isinstance(found, MCTensor) and torch.equal(found, wanted)
    found.sum().backward()
    wanted.sum().backward()
    assert type(x.grad) is torch.Tensor and torch.equal(x.grad, y.grad)
    x = leaf()
    torch.compile(lambda z: z + z[0], backend="aot_eager", fullgraph=True)(x).sum().backward()
    assert type(x.grad) is torch.Tensor and torch.equal(x.grad[:, 0], torch.tensor([4, 1, 1], dtype=F64))
    x, y = tensor(P, 2), tensor(P, 2)
    assert torch.equal(torch.compile(step, backend="aot_eager", fullgraph=True)(x, P), step(y, P)) and torch.equal(x, y)


def test_operators_are_registered_as_pytorch_asks():
    operators = torch.ops.mctensor
    x, y = tensor(P, 2)._planes, tensor(P[:1], 2)._planes
    for call, args in ((operators.planes_unary, (x, "exp")), (operators.planes_binary, (x, y, "add")),
                       (operators.planes_compare, (x, y, "lt")),
                       (operators.planes_compare_number, (x, 0.5, "le", True)),
                       (operators.planes_reduce, (x, "sum", [1], True)), (operators.planes_norm, (x, 2.0, [], False)),
                       (operators.planes_place, (x, True, 1, False)), (operators.planes_product, (x, y.mT)),
                       (operators.planes_convert, (x, torch.float32, 3))):
        torch.library.opcheck(call.default, args, test_utils=("test_schema", "test_faketensor"))
    assert planes_of.is_eager(x) and not planes_of.is_eager(x.to("meta"))


def test_formulas_near_cancellation():
    for name, point in (("acosh", 1 + 1e-9), ("asin", 1 - 1e-9), ("acos", 1 - 1e-9), ("atanh", 1 - 1e-9),
                        ("logit", 1 - 1e-9), ("log1p", -1 + 1e-9)):
        plain = torch.tensor([point], dtype=torch.float64, requires_grad=True)
        getattr(torch, name)(plain).sum().backward()
        x = MCTensor(1, nc=2, val=plain.detach(), dtype=torch.float32).requires_grad_()
        getattr(torch, name)(x).sum().backward()
        assert type(x.grad) is torch.Tensor
        assert abs(x.grad.double() / plain.grad - 1).item() < 1e-5, name
    for name in ("tanh", "sigmoid"):
        plain = torch.tensor([10.0], dtype=torch.float64, requires_grad=True)
        getattr(torch, name)(plain).sum().backward()
        x = MCTensor(1, nc=2, val=[10.0], dtype=torch.float32).requires_grad_()
        getattr(torch, name)(x).sum().backward()
        assert type(x.grad) is torch.Tensor and abs(x.grad.double() / plain.grad - 1).item() < 1e-5, name


@after_24
def test_a_backward_pass_of_pytorch_gives_plain_gradients():
    x = MCTensor(3, nc=2, requires_grad=True)
    for f in (lambda: x.sum(), lambda: x[0], lambda: x.view(3, 1)[1, 0]):
        x.grad = None
        torch.autograd.backward(f())
        assert type(x.grad) is torch.Tensor


def test_sorting_is_exact_and_stable():
    u = 2.0**-24
    parts = torch.tensor([[1 + 2 * u, -u, -u * u / 4], [1, u, u * u], [1, 0, 0], [1, 0, 0]], dtype=torch.float32)
    from mctensor.torch import from_components
    x = from_components(parts)
    assert x.sort(stable=True).indices.tolist() == [2, 3, 0, 1]
    assert x.sort(stable=True, descending=True).indices.tolist() == [1, 0, 2, 3]
