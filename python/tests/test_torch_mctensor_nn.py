"""Layers and optimizers of MCTensors, and the names of the published library."""
import copy
import io

import pytest

mpmath = pytest.importorskip("mpmath")
torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from torch.nn import functional as F  # noqa: E402

import mctensor.torch.compat as published  # noqa: E402
from mctensor.torch import MCTensor, nn, optim, tensor  # noqa: E402
from mctensor.torch.compat import MCEmbedding, MCLinear, MCModule, MCOptim, MCSequential, implements  # noqa: E402
from mctensor.torch.compat.MCModule import MCModuleList  # noqa: E402
from mctensor.torch.compat.MCOptim import MCSGD, MCAdam  # noqa: E402

F64 = torch.float64


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(11)


def plain_twin(layer, kind):
    twin = kind(3, 2, dtype=F64)
    with torch.no_grad():
        for p, q in zip(twin.parameters(), layer.parameters(), strict=True):
            p.copy_(q.evaluate())
    return twin


OPTIMIZERS = {
    "sgd": (optim.MCSGD, torch.optim.SGD, dict(lr=0.1)),
    "momentum": (optim.MCSGD, torch.optim.SGD, dict(lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.1)),
    "nesterov": (optim.MCSGD, torch.optim.SGD, dict(lr=0.1, momentum=0.9, nesterov=True, maximize=True)),
    "adam": (optim.MCAdam, torch.optim.Adam, dict(lr=0.1, weight_decay=0.1)),
    "amsgrad": (optim.MCAdam, torch.optim.Adam, dict(lr=0.1, amsgrad=True, betas=(0.5, 0.7), maximize=True)),
    "adamw": (optim.MCAdamW, torch.optim.AdamW, dict(lr=0.1, weight_decay=0.3)),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_step_as_pytorchs(name):
    make, theirs, options = OPTIMIZERS[name]
    layer = nn.MCLinear(3, 2, dtype=F64)
    twin = plain_twin(layer, torch.nn.Linear)
    groups = [{"params": [m.weight], "lr": 0.2} for m in (layer, twin)], [{"params": [m.bias]} for m in (layer, twin)]
    mine, other = make([groups[0][0], groups[1][0]], **options), theirs([groups[0][1], groups[1][1]], **options)
    schedules = [torch.optim.lr_scheduler.StepLR(o, 2) for o in (mine, other)]
    x = torch.randn(5, 3, dtype=F64)
    for _ in range(5):
        for model, optimizer, schedule in zip((layer, twin), (mine, other), schedules):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
            schedule.step()
    for p, q in zip(layer.parameters(), twin.parameters(), strict=True):
        assert isinstance(p, MCTensor) and torch.allclose(p.evaluate(), q, rtol=1e-10, atol=1e-12)
    states = [value for state in mine.state.values() for key, value in state.items() if key != "step"]
    assert all(isinstance(value, MCTensor) and value.nc == 2 for value in states) and (states or name == "sgd")


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_states_go_through_files(name):
    make, _, options = OPTIMIZERS[name]
    model = nn.MCSequential(nn.MCLinear(3, 4, nc=3), torch.nn.Tanh(), nn.MCLinear(4, 1))
    optimizer = make(model.parameters(), **options)
    x = torch.randn(6, 3)

    def step(m, o):
        o.zero_grad()
        m(x).square().mean().backward()
        o.step()

    step(model, optimizer)
    file = io.BytesIO()
    torch.save((model.state_dict(), optimizer.state_dict()), file)
    file.seek(0)
    weights, state = torch.load(file, weights_only=True)
    again = nn.MCSequential(nn.MCLinear(3, 4, nc=3), torch.nn.Tanh(), nn.MCLinear(4, 1))
    again.load_state_dict(weights)
    resumed = make(again.parameters(), **options)
    resumed.load_state_dict(state)
    for m, o in ((model, optimizer), (again, resumed)):
        step(m, o)
    for p, q in zip(model.parameters(), again.parameters(), strict=True):
        assert p.nc == q.nc and torch.equal(p, q)


def test_small_steps_are_not_lost():
    """A step of lr = 2^-14 is below half a unit of 1 in float16: a plain weight stands still."""
    weight, plain = tensor([1], 2, dtype=torch.float16, requires_grad=True), torch.ones(1, dtype=torch.float16)
    optimizer = optim.MCSGD([weight], lr=2.0**-14)
    for _ in range(64):
        weight.grad = torch.ones(1, dtype=torch.float16)
        plain -= 2.0**-14
        optimizer.step()
    assert plain.item() == 1 and weight.item() == 1 - 64 * 2.0**-14


def test_optimizers_refuse():
    w = MCTensor(2, nc=2, dtype=torch.float16, requires_grad=True)
    for make in (lambda: optim.MCSGD([w], lr=-1), lambda: optim.MCSGD([w], nesterov=True),
                 lambda: optim.MCAdam([w], betas=(1, 0)),
                 lambda: optim.MCAdam([w]), lambda: optim.MCAdamW([w], eps=1e-4, weight_decay=float("nan"))):
        with pytest.raises(ValueError, match="MC"):
            make()
    optimizer = optim.MCAdam([w], eps=1e-4)
    w.grad = torch.ones(2, dtype=torch.float16).to_sparse()
    with pytest.raises(TypeError, match="sparse"):
        optimizer.step()
    optimizer.param_groups[0]["lr"] = -1
    with pytest.raises(ValueError, match="lr -1"):
        optimizer.step()


def test_linear():
    layer = nn.MCLinear(3, 2, nc=3)
    assert layer.weight.shape == (2, 3) and layer.weight.nc == 3 and layer.bias.nc == 3
    assert layer.weight.abs().max().item() <= 3**-0.5 and (layer.weight.tensor[..., 1] != 0).any()
    x = torch.randn(5, 4, 3)
    assert torch.allclose(layer(x).evaluate(), F.linear(x, layer.weight.evaluate(), layer.bias.evaluate()), atol=1e-6)
    assert torch.equal(layer(tensor(x, 3)), layer(x))
    values = torch.randn(2, 3)
    assert torch.equal(nn.MCLinear(3, 2, bias=False, _weight=values).weight.fc, values)
    assert "in_features=3, out_features=2, bias=True, nc=3" in repr(layer)
    with pytest.raises(RuntimeError):
        layer(torch.ones(2))
    with pytest.raises(ValueError, match="0 inputs"):
        nn.MCLinear(0, 2)


@pytest.mark.parametrize("sparse", [False, True])
def test_embedding(sparse):
    table = nn.MCEmbedding(5, 3, padding_idx=1, sparse=sparse, dtype=F64)
    before = table.weight.detach().clone()
    assert before[1].tolist() == [0] * 3 and torch.equal(table(torch.tensor([[0, 1], [4, 0]]))[1, 0], before[4])
    table(torch.tensor([[0, 1], [2, 0]])).sum().backward()
    assert table.weight.grad.is_sparse == sparse
    optim.MCSGD(table.parameters(), lr=0.1).step()
    after = table.weight.detach()
    assert torch.equal(after[0], before[0] - tensor(1, 2,
                                                    dtype=F64) * 0.1 * 2) and torch.equal(after[[1, 3, 4]], before[[1,
                                                                                                                    3,
                                                                                                                    4]])
    assert torch.equal(after[2], before[2] - tensor(1, 2, dtype=F64) * 0.1)
    with pytest.raises(TypeError, match="max_norm"):
        nn.MCEmbedding(5, 3, max_norm=1)
    with pytest.raises(ValueError, match="padding_idx"):
        nn.MCEmbedding(5, 3, padding_idx=5)
    with pytest.raises(IndexError):
        table(torch.tensor([5]))


def test_layer_norm():
    x = torch.randn(4, 3)
    layer = nn.MCLayerNorm(3)
    for y in (layer(x), layer(tensor(x)), nn.MCLayerNorm((3,), elementwise_affine=False)(x)):
        assert isinstance(y, MCTensor) and torch.allclose(y.evaluate(), F.layer_norm(x, (3,)), atol=1e-6)
    layer(x).square().sum().backward()
    assert layer.weight.grad.shape == layer.bias.grad.shape == (3,) and nn.MCLayerNorm(3, bias=False).bias is None
    with pytest.raises(ValueError, match="eps -1"):
        nn.MCLayerNorm(3, eps=-1)


@pytest.mark.parametrize("dtype, nc", [(torch.float16, 2), (torch.float16, 3), (torch.bfloat16, 2), (torch.float64, 2)])
def test_layer_norm_of_narrow_and_wide_components(dtype, nc):
    """Means of numbers that a single component of 16 bits does not tell apart, beside PyTorch's in float64."""
    x = (100 + torch.rand(6, 32, dtype=torch.float64) / 8).to(dtype)
    layer = nn.MCLayerNorm(32, nc=nc, dtype=dtype)
    with mpmath.workprec(200):
        wanted = []
        for row in x.double().tolist():
            mean = mpmath.fsum(row) / 32
            deviation = mpmath.sqrt(mpmath.fsum((v - mean) ** 2 for v in map(mpmath.mpf, row)) / 32 + 1e-5)
            wanted.append([(v - mean) / deviation for v in row])
        # differences from the mean lose what the numbers have in common, 100 / deviation, some 2^12
        unit, least = torch.finfo(dtype).eps / 2, torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
        for given in (x, tensor(x, nc, dtype=dtype)):
            y = layer(given)
            assert isinstance(y, MCTensor) and y.dtype == dtype and y.nc == nc
            for found, row in zip(y.detach().tensor.double().tolist(), wanted, strict=True):
                for parts, value in zip(found, row, strict=True):
                    assert abs(mpmath.fsum(parts) - value) <= 2**15 * unit**nc + 2**8 * least
    layer(x.to(dtype)).square().sum().backward()
    assert layer.weight.grad.dtype == dtype and layer.weight.grad.isfinite().all()


def test_modules_mix_with_plain_ones():
    model = nn.MCSequential(nn.MCLinear(4, 8), torch.nn.ReLU(), torch.nn.Dropout(0.5),
                            nn.MCModuleList([nn.MCLinear(8, 3)])[0])
    loss = torch.nn.CrossEntropyLoss()(model(torch.randn(5, 4)), torch.tensor([0, 1, 2, 0, 1]))
    loss.backward()
    assert isinstance(loss, MCTensor)
    assert [n for n, _ in model.named_parameters()] == ["0.weight", "0.bias", "3.weight", "3.bias"]
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1e-3)
    clipped = sum(p.grad.square().sum() for p in model.parameters()).sqrt().item()
    assert norm > 1e-3 and clipped == pytest.approx(1e-3, rel=1e-3)
    twin = copy.deepcopy(model).double()
    assert all(p.dtype == F64 and p.nc == 2 and isinstance(p, torch.nn.Parameter) for p in twin.parameters())
    optim.MCSGD([*model.parameters(), torch.nn.Parameter(torch.ones(2))], lr=0.1).step()  # plain ones beside them


def test_attributes_are_parameters():
    class Own(nn.MCModule):
        def __init__(self):
            super().__init__()
            self.w = MCTensor(2, nc=2, requires_grad=True)
            self.constant = MCTensor(2, nc=2)

    own, other = Own(), torch.nn.Linear(1, 2, bias=False)
    assert [name for name, _ in own.named_parameters()] == ["w"]
    assert torch.equal(own.load_weight(Own()).w, own.w)
    with pytest.raises(ValueError, match="2 parameters are given, expected 1"):
        own.load_weight(torch.nn.Linear(2, 2))
    with pytest.raises(RuntimeError):
        own.load_weight(other)
    with pytest.raises(TypeError, match="leaf"):
        own.w = own.w * 2


# Programs of the published library's README, with the import changed


def test_published_snippets():
    A = published.MCTensor((2, 2), nc=2)
    B = torch.ones(2, 2)
    MC_B = published.MCTensor((2, 2), val=B, nc=2)
    assert A.tensor[..., 0].shape == (2,
                                      2) and torch.allclose((A + A).fc,
                                                            2 * A.fc) and torch.allclose((A + MC_B).fc, A.fc + 1)
    assert torch.equal((A * MC_B).fc, A.fc) and A[0].shape == (2,) and A.nc == A.size_nc(-1) == 2
    assert float(torch.dot(A[0], B[0])) == pytest.approx(float(A.fc[0].sum()), abs=1e-6)
    R = published.MCTensor(2, 2, nc=2, val=A, requires_grad=True)
    R.sum().backward()
    assert torch.equal(R.grad, torch.ones(2, 2))
    for found in (torch.add(A, B), torch.add(B, A), A + B, A.add(B), B + A):
        assert torch.equal(found, A + MC_B)


def test_published_extension():
    @implements(torch.cumprod)
    def cumprod(x, dim):
        return "mine"

    assert torch.cumprod(published.MCTensor(1, 2, nc=2), 0) == "mine" == cumprod(None, 0)
    from mctensor._torch_mctensor import OVERRIDES
    del OVERRIDES[torch.cumprod]


def test_published_linear_regression():
    """Exact solutions are reached far below the last digit of float32."""
    wanted = torch.tensor([[0.5, -1.25, 3.0]])
    x = torch.randn(64, 3)
    y = tensor(x, 2) @ wanted.T
    model = MCLinear(3, 1, nc=2, bias=False)
    optimizer = MCSGD(model.parameters(), lr=0.3, momentum=0.5)
    for _ in range(120):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    assert float((model.weight.detach() - wanted).abs().max()) < 1e-12 and loss.item() < 1e-24


def test_published_logistic_regression():
    x = torch.randn(80, 4)
    y = (x @ torch.tensor([[1.0], [-2.0], [0.5], [0.0]]) > 0.2).float()
    model = MCSequential(MCLinear(4, 1, nc=2), torch.nn.Sigmoid())
    optimizer = MCAdam(model.parameters(), lr=0.1)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = torch.nn.BCELoss()(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    hits = ((model(x) > 0.5) == y.bool()).float().mean()
    assert losses[-1] < losses[0] / 3 and hits > 0.95


def test_published_mlp_in_float16():
    class MCMLP(MCModule):
        def __init__(self, input_dim, hidden1, hidden2, nc=2, dtype=torch.float16, device="cpu"):
            super(MCMLP, self).__init__()
            self.fc1 = MCLinear(input_dim, hidden1, nc=nc, bias=False, dtype=dtype, device=device)
            self.fc2 = MCLinear(hidden1, hidden2, nc=nc, bias=False, dtype=dtype, device=device)
            self.fc3 = MCLinear(hidden2, 1, nc=nc, bias=False, dtype=dtype, device=device)

        def forward(self, x):
            x = F.relu(self.fc1(x))
            x = x.tensor.sum(-1)  # transform x to standard tensor for efficiency
            x = F.relu(self.fc2(x))
            x = x.tensor.sum(-1)
            x = self.fc3(x)
            x = torch.sigmoid(x)
            x = x.tensor.sum(-1)
            return x

    model = MCMLP(4, 16, 8)
    mc_optimizer = MCOptim.MCSGD(model.parameters(), 0.05, momentum=0.9)
    X = torch.randn(64, 4, dtype=torch.float16)
    Y = (X[:, :1] > X[:, 1:2]).half()
    losses = []
    for _ in range(40):
        mc_optimizer.zero_grad()
        loss = torch.nn.BCELoss()(model(X), Y)
        loss.backward()
        mc_optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] * 0.7


def test_published_half_space_embedding():
    """A tree of three levels in the half-space: distances of its edges shrink beside those of other pairs. Points lie
    farther out than float32 tells apart."""
    edges = torch.tensor([[1, 0], [2, 0], [3, 1], [4, 1], [5, 2], [6, 2]])
    others = torch.tensor([[1, 6, 5, 2, 3, 4], [2, 5, 6, 1, 4, 3], [3, 4, 0, 5, 6, 2], [4, 3, 5, 0, 2, 6],
                           [5, 1, 3, 4, 0, 6],
                           [6, 3, 4, 1, 2, 0]])[:, 1:]
    points = torch.randn(7, 3) * 0.1
    points[:, -1] = points[:, -1].exp()
    table = MCEmbedding(7, 3, nc=2, _weight=points)
    modules = MCModuleList([table])
    optimizer = MCSGD(modules.parameters(), lr=0.3)

    def distance(u, v):
        quotient = (u - v).square().sum(-1) / (u[..., -1] * v[..., -1] * 2)
        return torch.acosh(quotient + 1 + 1e-9)

    losses = []
    for _ in range(25):
        optimizer.zero_grad()
        u = table(edges[:, :1])
        near, far = distance(u, table(edges[:, 1:])), distance(u, table(others))
        loss = F.cross_entropy(-torch.cat([near, far], 1), torch.zeros(6, dtype=torch.int64))
        loss.backward()
        with torch.no_grad():  # the gradient of the half-space's metric
            table.weight.grad *= table.weight.fc[:, -1:] ** 2
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] - 0.3 and (table.weight[:, -1] > 0).all()
    moved = table.weight.detach().clone()
    moved[:, :-1] += 1e5  # where float32 has units of 2^-7
    assert torch.allclose(distance(moved[0], moved[1]), distance(table.weight[0], table.weight[1]).detach(), rtol=1e-3)


def test_inference_mode():
    """PyTorch leaves autograd out there, and with it what turns composed operations into others."""
    model = MCSequential(MCLinear(3, 4, dtype=F64), torch.nn.Tanh(), nn.MCLayerNorm(4, dtype=F64),
                         MCLinear(4, 2, dtype=F64))
    table, plain = MCEmbedding(5, 3), torch.randn(4, 3, dtype=F64)
    x = tensor(plain)
    functions = (model, lambda a: a @ a.mT, lambda a: a.reshape(-1), lambda a: a[:, 1:], lambda a: a[a > 0],
                 lambda a: a.chunk(2)[1], lambda a: a[:1].expand(4, 3), lambda a: torch.outer(a[0], a[1]),
                 lambda a: a.softmax(-1), lambda a: a.to(torch.float32),
                 lambda a: F.cross_entropy(a, torch.tensor([0, 2, 1, 0])),
                 lambda a: torch.einsum("ij,kj->ik", a, a),
                 lambda a: F.pad(a, (1, 1)), lambda a: a.var(), lambda a: F.normalize(a),
                 lambda a: a.T.contiguous().add_(1))
    for f in functions:
        expected = f(x).detach()
        with torch.inference_mode():
            assert torch.equal(f(x), expected) and torch.equal(f(tensor(plain)), expected)
    with torch.inference_mode():
        assert torch.equal(model(plain), model(x)) and table(torch.tensor([0, 4])).shape == (2, 3)
        view = x[0]
        with pytest.raises(TypeError, match="aten.convolution"):
            F.conv1d(x[None], x[None])
    view.add_(1)  # as of plain tensors, a view of a tensor from outside is one
    assert torch.equal(x[0], tensor(plain)[0] + 1)
